"""Deciding goes on while a commit is under way, and what rested on a failed commit is decided again."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from cardroom.adapters.application import Application
from cardroom.adapters.store.memory import MemoryStore, MemoryTables
from cardroom.adapters.store.port import Proposal, Verdict
from cardroom.kernel.clock import ManualClock
from cardroom.kernel.refusal import Refused
from tests.plugins.counting import (
    DECIDER,
    EVENING,
    NOTE_ROOM,
    Add,
    Move,
    Rack,
    asked,
    eventually,
    rack,
)


class Gated(MemoryStore):
    """Lets a commit through when it is told to."""

    def __init__(self, tables: MemoryTables) -> None:
        super().__init__(tables, "gated")
        self.open_gate = asyncio.Event()
        self.open_gate.set()
        self.batches: list[list[str]] = []

    async def commit(self, batch: Sequence[Proposal]) -> list[Verdict]:
        self.batches.append([proposal.request_id for proposal in batch])
        await self.open_gate.wait()
        return await super().commit(batch)


@pytest.fixture
def tables() -> MemoryTables:
    return MemoryTables()


@pytest.fixture
def store(tables: MemoryTables) -> Gated:
    return Gated(tables)


@pytest.fixture
async def app(store: Gated) -> AsyncIterator[Application]:
    async with Application(DECIDER, store, ManualClock(EVENING)) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        await app.submit(Add(chips=5), asked("five"))
        await app.submit(Add(rack="b", chips=5), asked("b five"))
        store.batches.clear()
        yield app


@pytest.fixture
async def stranger(tables: MemoryTables, app: Application) -> AsyncIterator[Application]:
    async with Application(
        DECIDER, MemoryStore(tables, "stranger"), ManualClock(EVENING)
    ) as stranger:
        yield stranger


def send(app: Application, request_id: str, command: object) -> "asyncio.Task[object]":
    return asyncio.create_task(app.submit(command, asked(request_id)))  # type: ignore[arg-type]


async def test_keys_go_on_deciding_while_a_commit_is_under_way(
    app: Application, store: Gated
) -> None:
    store.open_gate.clear()
    first = send(app, "1", Add(chips=-5))
    await eventually(lambda: store.batches == [["1"]])
    others = [
        send(app, "2", Add(chips=3)),
        send(app, "3", Add(chips=-3)),
        send(app, "4", Add(rack="b", chips=1)),
    ]
    await eventually(lambda: len(app._committing._pending) == 3)
    assert app._lanes.waiting == 0  # decided, not queued
    assert (await app.state(rack("a")))[0].chips == 5  # what is pending is nobody's to see
    store.open_gate.set()
    await asyncio.gather(first, *others)
    assert store.batches == [["1"], ["2", "3", "4"]]


async def test_a_refusal_that_rested_on_a_failed_commit_is_decided_again(
    app: Application, store: Gated, stranger: Application
) -> None:
    store.open_gate.clear()
    first = send(app, "1", Add(chips=-5))
    await eventually(lambda: store.batches == [["1"]])
    second = send(app, "2", Add(chips=-5))  # on what is pending there is nothing left
    await eventually(lambda: len(app._committing._pending) == 1)
    await stranger.submit(Add(chips=5), asked("stranger"))
    store.open_gate.set()
    await asyncio.gather(first, second)
    assert await app.state(rack("a")) == (Rack(chips=0), 4)


async def test_a_refusal_on_a_state_that_another_process_changed_is_decided_again(
    app: Application, store: Gated, tables: MemoryTables
) -> None:
    store.open_gate.clear()
    refused = send(app, "1", Add(chips=-7))
    await eventually(lambda: store.batches == [["1"]])
    async with Application(DECIDER, MemoryStore(tables, "x"), ManualClock(EVENING)) as stranger:
        await stranger.submit(Add(chips=2), asked("stranger"))
    store.open_gate.set()
    await refused
    assert (await app.state(rack("a")))[0].chips == 0


async def test_a_refusal_waits_for_what_it_rests_on(app: Application, store: Gated) -> None:
    store.open_gate.clear()
    first = send(app, "1", Add(chips=-5))
    await eventually(lambda: store.batches == [["1"]])
    second = send(app, "2", Add(chips=-1))
    await eventually(lambda: len(app._committing._pending) == 1)
    assert not second.done()
    store.open_gate.set()
    await first
    with pytest.raises(Refused):
        await second


async def test_what_stands_behind_a_failed_commit_is_decided_again_in_the_same_order(
    app: Application, store: Gated, stranger: Application
) -> None:
    store.open_gate.clear()
    sent = [send(app, "1", Move(source="a", target="b", chips=5))]
    await eventually(lambda: store.batches == [["1"]])
    sent += [
        send(app, "2", Move(source="b", target="a", chips=10)),  # possible only after the first
        send(app, "3", Move(source="a", target="b", chips=8)),
        send(app, "4", Add(rack="c", chips=1)),  # rests on none of them
    ]
    await eventually(lambda: len(app._committing._pending) == 3)
    await stranger.submit(Add(chips=1), asked("stranger"))
    store.open_gate.set()
    await asyncio.gather(*sent)
    assert (await app.state(rack("a")))[0].chips == 3
    assert (await app.state(rack("b")))[0].chips == 8
    numbers = [
        recorded.envelope.request_id
        for recorded in await app.log(0, 100)
        if recorded.envelope.request_id in "1234" and recorded.stream != "rack/r1/c"
    ]
    assert numbers == ["1", "1", "2", "2", "3", "3"]


async def test_a_caller_that_goes_away_changes_nothing_for_the_others(
    app: Application, store: Gated
) -> None:
    store.open_gate.clear()
    gone = send(app, "1", Add(chips=1))
    await eventually(lambda: store.batches == [["1"]])
    same = send(app, "1", Add(chips=1))
    await asyncio.sleep(0)
    gone.cancel()
    store.open_gate.set()
    outcome = await same
    assert outcome.events[0].version == 2  # type: ignore[attr-defined]


async def test_a_repeated_request_under_way_elsewhere_takes_back_what_rested_on_it(
    app: Application, store: Gated, stranger: Application
) -> None:
    store.open_gate.clear()
    first = send(app, "same", Add(chips=1))
    await eventually(lambda: store.batches == [["same"]])
    second = send(app, "2", Add(chips=1))
    await eventually(lambda: len(app._committing._pending) == 1)
    await stranger.submit(Add(chips=1), asked("same"))
    store.open_gate.set()
    assert (await first).repeated  # type: ignore[attr-defined]
    await second
    assert await app.state(rack("a")) == (Rack(chips=7), 3)


async def test_stopping_finishes_what_is_pending_and_turns_new_ones_away(
    store: Gated, app: Application
) -> None:
    store.open_gate.clear()
    pending = send(app, "1", Add(chips=1))
    await eventually(lambda: store.batches == [["1"]])
    stopping = asyncio.create_task(app.stop())
    await asyncio.sleep(0)
    store.open_gate.set()
    await stopping
    assert (await pending).versions == {rack("a"): 2}  # type: ignore[attr-defined]
