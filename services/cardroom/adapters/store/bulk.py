"""Reading many whole streams: by blocking calls in a thread, some streams ahead of who takes them.

An asynchronous connection is woken for every few kilobytes that the server sends, and a cursor in a thread asks for the
interpreter's lock as often; whoever folds meanwhile keeps it waiting each time. A call of libpq itself gives the lock
away once and comes back with everything.
"""

import asyncio
import struct
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import psycopg
from psycopg import pq
from psycopg.conninfo import make_conninfo

from cardroom.adapters.store import sql
from cardroom.adapters.store.port import Whole

FIRST_STREAMS: Final = 16
"""Streams of the first query, for which everybody waits; each that follows takes twice as many as the one before."""
MOST_STREAMS: Final = 64
"""Streams of a query at most, so that other work of the loop waits not long while they are folded."""
_STATEMENT: Final = b"whole"


class BulkReader:
    """A connection for reading whole streams, made at first use; one reads at a time."""

    def __init__(self, dsn: str) -> None:
        """Take the connection string."""
        self._dsn = make_conninfo(dsn, client_encoding="UTF8", connect_timeout=10).encode()
        self._connection: pq.abc.PGconn | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="bulk-reader")
        self._free = asyncio.Lock()

    async def read(self, streams: Sequence[str]) -> AsyncGenerator[list[Whole], None]:
        """Yield those of the named streams that have events, some at a time.

        Args:
            streams: full stream ids.

        Raises:
            psycopg.OperationalError: the connection was lost, and could not be had again or was lost again.
        """
        rest = _growing(streams)
        ahead: deque[asyncio.Future[list[Whole]]] = deque()

        def ask() -> None:
            # The thread goes on to the second by itself; it would wait for the interpreter's lock to be asked for it.
            while len(ahead) < 2 and (some := next(rest, None)):
                ahead.append(loop.run_in_executor(self._thread, self._read, some))

        async with self._free:
            loop = asyncio.get_running_loop()
            try:
                ask()
                while ahead:
                    # A thread cannot be stopped: whoever is cancelled here leaves it to `finally`.
                    read = await asyncio.shield(ahead[0])
                    ahead.popleft()
                    ask()
                    yield read
            finally:
                if ahead:
                    await asyncio.wait(ahead)
                    for left in ahead:
                        left.exception()  # asked, so that nobody reports it as never looked at

    def _read(self, streams: Sequence[str]) -> list[Whole]:
        asked = "\n".join(streams).encode()
        try:
            return _wholes(self._asked(asked))
        except psycopg.OperationalError:
            # After a restart of the server the connection is found broken at its next use; reading is repeated.
            self._drop()
            return _wholes(self._asked(asked))

    def _asked(self, streams: bytes) -> pq.abc.PGresult:
        if self._connection is None:
            self._connection = pq.PGconn.connect(self._dsn)
            if self._connection.status != pq.ConnStatus.OK:
                raise psycopg.OperationalError(self._connection.get_error_message())
            prepared = self._connection.prepare(_STATEMENT, sql.WHOLE.encode())
            _check(prepared, pq.ExecStatus.COMMAND_OK)
        read = self._connection.exec_prepared(_STATEMENT, [streams], result_format=pq.Format.BINARY)
        return _check(read, pq.ExecStatus.TUPLES_OK)

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.finish()
            self._connection = None

    async def close(self) -> None:
        """Let go of the connection, once nobody reads."""
        async with self._free:
            self._drop()
            self._thread.shutdown(wait=False)


def _growing(streams: Sequence[str]) -> Iterator[Sequence[str]]:
    first, count = 0, FIRST_STREAMS
    while first < len(streams):
        yield streams[first : first + count]
        first, count = first + count, min(2 * count, MOST_STREAMS)


def _check(result: pq.abc.PGresult, wanted: pq.ExecStatus) -> pq.abc.PGresult:
    if result.status != wanted:
        raise psycopg.OperationalError(result.get_error_message())
    return result


def _wholes(result: pq.abc.PGresult) -> list[Whole]:
    found = []
    for row in range(result.ntuples):
        stream, versions, topics, sizes, states = (
            result.get_value(row, column) or b"" for column in range(5)
        )
        count = len(versions) // 8
        found.append(
            Whole(
                stream.decode(),
                list(struct.unpack(f">{count}q", versions)),
                topics.decode(),
                list(struct.unpack(f">{count}i", sizes)),
                states,
            )
        )
    return found
