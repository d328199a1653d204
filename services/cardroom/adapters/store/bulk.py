"""Reading many whole streams: on a blocking connection in a thread, some streams ahead of who takes them.

An asynchronous connection is woken for every few kilobytes the server sends, which costs as much processor time as
all the rest of reading. A blocking one waits without the interpreter's lock, so that what came before is folded
meanwhile.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Final

import psycopg
from psycopg.rows import TupleRow

from cardroom.adapters.store import sql
from cardroom.adapters.store.port import Whole

STREAMS_AT_ONCE: Final = 64
"""Streams of a query: enough that its round trip is nothing, few enough that other work of the loop waits not long."""


class BulkReader:
    """A connection for reading whole streams, made at first use; one reads at a time."""

    def __init__(self, dsn: str) -> None:
        """Take the connection string."""
        self._dsn = dsn
        self._connection: psycopg.Connection[TupleRow] | None = None
        self._free = asyncio.Lock()

    async def read(self, streams: Sequence[str]) -> AsyncGenerator[list[Whole], None]:
        """Yield those of the named streams that have events, some at a time.

        Args:
            streams: full stream ids.

        Raises:
            psycopg.OperationalError: the connection was lost, and could not be had again or was lost again.
        """
        async with self._free:
            loop = asyncio.get_running_loop()
            ahead: asyncio.Future[list[Whole]] | None = None
            try:
                for first in range(0, len(streams) + STREAMS_AT_ONCE, STREAMS_AT_ONCE):
                    # A thread cannot be stopped: whoever is cancelled here leaves it to `finally`.
                    read = None if ahead is None else await asyncio.shield(ahead)
                    some = streams[first : first + STREAMS_AT_ONCE]
                    ahead = loop.run_in_executor(None, self._read, some) if some else None
                    if read is not None:
                        yield read
            finally:
                if ahead is not None:
                    await asyncio.wait((ahead,))
                    ahead.exception()  # asked, so that nobody reports it as never looked at

    def _read(self, streams: Sequence[str]) -> list[Whole]:
        for last_try in (False, True):
            connection = self._connection
            if connection is None:
                connection = self._connection = psycopg.connect(
                    self._dsn, autocommit=True, prepare_threshold=0, connect_timeout=10
                )
            try:
                rows = connection.execute(sql.WHOLE, (list(streams),), binary=True).fetchall()
            except psycopg.OperationalError:
                # After a restart of the server the connection is found broken at its next use; reading is repeated.
                self._connection = None
                connection.close()
                if last_try:
                    raise
            else:
                return [Whole(*row) for row in rows]
        raise AssertionError("unreachable")

    async def close(self) -> None:
        """Let go of the connection, once nobody reads."""
        async with self._free:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
