"""Hearing who committed: notifications are taken off a connection's socket as they come."""

import asyncio

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import TupleRow


class Listening:
    """Collects the notifications of one connection that listens.

    A process that writes much hears mostly of itself. Those notifications wake no task here, which is cheaper than
    waiting for each with the driver. Nothing else may use the connection meanwhile.
    """

    def __init__(self, connection: AsyncConnection[TupleRow], unheard: str) -> None:
        """Begin to read.

        Args:
            connection: has said LISTEN.
            unheard: the payload that is passed over; empty for none.
        """
        self._pgconn = connection.pgconn
        self._unheard = unheard
        self._heard: dict[str, None] = {}
        self._lost: psycopg.OperationalError | None = None
        self._wake = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._socket = self._pgconn.socket
        self._reading = True
        self._loop.add_reader(self._socket, self._read)

    def close(self) -> None:
        """Read no more; call it before the connection is closed. A second call does nothing.

        The driver closes the socket of a lost connection by itself, and its number may belong to another connection
        by now, which must go on being read.
        """
        if self._reading:
            self._reading = False
            self._loop.remove_reader(self._socket)

    async def next(self, seconds: float) -> list[str]:
        """Return the payloads heard since the last call, each once, as soon as there is one; none after a time.

        Raises:
            psycopg.OperationalError: the connection was lost.
        """
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return []
        if self._lost is not None:
            raise self._lost
        self._wake.clear()
        heard, self._heard = self._heard, {}
        return list(heard)

    def _read(self) -> None:
        try:
            self._pgconn.consume_input()
        except psycopg.OperationalError as lost:
            self.close()
            self._lost = lost
            self._wake.set()
            return
        while (note := self._pgconn.notifies()) is not None:
            payload = note.extra.decode()
            if payload != self._unheard:
                self._heard[payload] = None
                self._wake.set()
