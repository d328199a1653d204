"""Callers who ask again and again share commits; a caller who is alone waits for nobody."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from cardroom.adapters.application import Application
from cardroom.adapters.shell.committing import GATHER_SECONDS
from cardroom.adapters.store.memory import MemoryStore
from cardroom.adapters.store.port import Proposal, Verdict
from cardroom.kernel.clock import ManualClock
from tests.plugins.counting import DECIDER, EVENING, NOTE_ROOM, Add, asked
from tests.sim.harness import run_virtually

COMMIT_SECONDS = 0.010


class Slow(MemoryStore):
    """Takes its time to save, and notes how many it saved together."""

    def __init__(self) -> None:
        super().__init__()
        self.groups: list[int] = []

    async def commit(self, batch: Sequence[Proposal]) -> list[Verdict]:
        self.groups.append(len(batch))
        await asyncio.sleep(COMMIT_SECONDS)
        return await super().commit(batch)


def run(work: Callable[[Application, Slow], Awaitable[None]]) -> None:
    async def main() -> None:
        store = Slow()
        async with Application(DECIDER, store, ManualClock(EVENING)) as app:
            await app.submit(NOTE_ROOM, asked("room"))
            store.groups.clear()
            await work(app, store)

    run_virtually(main)


async def ask(app: Application, name: str) -> float:
    """Put a chip into a rack and return how long the answer took, in seconds."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    await app.submit(Add(rack=name), asked(f"{name} at {begun}"))
    return loop.time() - begun


async def eight_at_once(app: Application) -> None:
    await asyncio.gather(*(ask(app, f"s{number}") for number in range(8)))


def test_callers_who_come_back_one_by_one_are_saved_together() -> None:
    async def work(app: Application, store: Slow) -> None:
        async def caller(number: int) -> None:
            await asyncio.sleep(number * 0.0005)
            await ask(app, f"s{number}")

        await eight_at_once(app)
        await asyncio.gather(*(caller(number) for number in range(8)))
        assert store.groups == [8, 8]

    run(work)


def test_a_lone_caller_waits_for_nobody() -> None:
    async def work(app: Application, store: Slow) -> None:
        for _ in range(5):
            assert await ask(app, "a") == pytest.approx(COMMIT_SECONDS)
        assert store.groups == [1] * 5

    run(work)


def test_callers_who_do_not_come_back_are_waited_for_once_and_not_long() -> None:
    async def work(app: Application, store: Slow) -> None:
        await eight_at_once(app)
        took = await ask(app, "a")
        assert COMMIT_SECONDS < took < COMMIT_SECONDS + 2 * GATHER_SECONDS
        assert await ask(app, "a") == pytest.approx(COMMIT_SECONDS)
        assert store.groups == [8, 1, 1]

    run(work)


def test_what_was_gathered_is_saved_before_the_application_stops() -> None:
    async def work(app: Application, store: Slow) -> None:
        await eight_at_once(app)
        asking = asyncio.create_task(ask(app, "s0"))
        await asyncio.sleep(0)
        await app.stop()
        await asking
        assert store.groups == [8, 1]

    run(work)
