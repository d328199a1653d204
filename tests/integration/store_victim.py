"""A process that dies at a chosen point, or hammers one stream: what the fault tests run.

Usage: `python -m tests.integration.store_victim <dsn> <what> <argument>`.
"""

import asyncio
import os
import signal
import sys
from typing import Any

from cardroom.adapters.application import Application, ShellSettings
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.kernel.clock import ManualClock
from tests.plugins.counting import DECIDER, EVENING, Add, asked

KILL_POINTS = ("before the transaction", "inside the transaction", "after the commit")


class DyingStore(PostgresStore):
    """Kills its process, as kill -9 does, at one point of the first commit."""

    point = ""

    async def commit(self, batch: Any) -> Any:
        if self.point == "before the transaction":
            die()
        verdicts = await super().commit(batch)
        if self.point == "after the commit":
            die()
        return verdicts

    async def _commit(self, writer: Any, batch: Any) -> Any:
        if self.point == "inside the transaction":  # one statement has no inside to die in
            return await self._commit_judged(writer, batch)
        return await super()._commit(writer, batch)

    async def _write(self, writer: Any, accepted: Any) -> Any:
        written = await super()._write(writer, accepted)
        await (await writer.execute("SELECT 1")).fetchone()  # the server has done what came before
        if self.point == "inside the transaction":
            die()
        return written


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def commit_and_die(dsn: str, point: str) -> None:
    store = DyingStore(dsn, "counting")
    store.point = point
    async with Application(DECIDER, store, ManualClock(EVENING)) as app:
        await app.submit(Add(rack="killed", chips=7), asked(f"killed {point}"))


async def hammer(dsn: str, name: str, count: int) -> None:
    settings = ShellSettings(conflict_attempts=1_000)
    store = PostgresStore(dsn, "counting")
    async with Application(DECIDER, store, ManualClock(EVENING), settings=settings) as app:
        await asyncio.gather(
            *(app.submit(Add(rack="hammered"), asked(f"{name} {n}")) for n in range(count))
        )


if __name__ == "__main__":
    _, _dsn, _what, _argument = sys.argv
    if _what in KILL_POINTS:
        asyncio.run(commit_and_die(_dsn, _what))
    else:
        asyncio.run(hammer(_dsn, _what, int(_argument)))
