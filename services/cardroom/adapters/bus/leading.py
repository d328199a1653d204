"""Leading roles of a process: who reads a log or publishes it, one process at a time, as advisory locks."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from psycopg import AsyncConnection, OperationalError
from psycopg_pool import AsyncConnectionPool

from cardroom.adapters.bus.metrics import alarm
from cardroom.adapters.ending import ended

HEARTBEAT_SECONDS: Final = 5.0
"""How often the session that holds the leading roles is tried."""

LEAD_POLL_SECONDS: Final = 0.5
"""How often a process asks whether a role has become free."""


class LeadLost(Exception):  # noqa: N818 - it names what happened
    """The session that held a leading role broke; another process may lead by now."""


class LeadingSession:
    """One session that holds this process's leading roles as advisory locks, so that they end with the process."""

    def __init__(self, pool: AsyncConnectionPool[Any], schema: str) -> None:
        self._pool = pool
        self._schema = schema
        self._connection: AsyncConnection[Any] | None = None
        self._using = asyncio.Lock()
        self._leaders: dict[str, asyncio.Task[Any]] = {}
        self._lost: set[str] = set()
        self._heart: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def lead(self, role: str) -> AsyncIterator[None]:
        """Be the only process in a role; waits for its turn.

        Raises:
            LeadLost: the session broke; another process may lead by now.
        """
        while not await self._try(role):  # noqa: ASYNC110 - another process lets go of it
            await asyncio.sleep(LEAD_POLL_SECONDS)
        task = asyncio.current_task()
        assert task is not None
        self._leaders[role] = task
        try:
            yield
        except BaseException as failure:
            if role not in self._lost:
                raise
            # Cleaning up may have failed for the same reason; even so it was not asked to stop for good.
            self._lost.discard(role)
            task.uncancel()
            raise LeadLost(f"the session that held {role!r} broke") from failure
        finally:
            self._leaders.pop(role, None)
            await self._release(role)

    async def close(self) -> None:
        """Give up all roles."""
        if self._heart is not None:
            await ended(self._heart)
            self._heart = None
        async with self._using:
            await self._drop()

    async def _try(self, role: str) -> bool:
        async with self._using:
            if self._connection is None:
                where = self._pool.conninfo
                assert isinstance(where, str), "schema_pool makes pools with a fixed address"
                self._connection = await AsyncConnection.connect(
                    where, autocommit=True, connect_timeout=10
                )
                if self._heart is None:
                    self._heart = asyncio.create_task(self._beat(), name="leading session")
            try:
                cursor = await self._connection.execute(
                    "SELECT pg_try_advisory_lock(%s)", (lock_number(self._schema, role),)
                )
                row = await cursor.fetchone()
            except OperationalError:
                await self._lose()
                raise
            return bool(row and row[0])

    async def _release(self, role: str) -> None:
        async with self._using:
            if self._connection is None:
                return
            try:
                await self._connection.execute(
                    "SELECT pg_advisory_unlock(%s)", (lock_number(self._schema, role),)
                )
            except OperationalError:
                await self._lose()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            async with self._using:
                if self._connection is None:
                    continue
                try:
                    await self._connection.execute("SELECT 1")
                except OperationalError as broken:
                    alarm(self._schema, "leading_session_lost", failure=repr(broken))
                    await self._lose()

    async def _lose(self) -> None:
        """Let go of a broken session and stop everybody who led by it."""
        await self._drop()
        for role, task in list(self._leaders.items()):
            self._lost.add(role)
            task.cancel()

    async def _drop(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.close()


def lock_number(*parts: str) -> int:
    """Return the advisory lock of a name: 64 bits of its hash."""
    digest = hashlib.sha256("\x00".join(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
