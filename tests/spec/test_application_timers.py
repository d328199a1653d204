"""Deadlines: fired in order on their own time, held after an outage, released by a floorperson."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta

import msgspec
import pytest

from cardroom.adapters.application import Application
from cardroom.adapters.errors import ConnectionLost
from cardroom.adapters.store.memory import MemoryStore, MemoryTables
from cardroom.adapters.store.port import StoredEvent
from cardroom.kernel.clock import ManualClock
from cardroom.kernel.refusal import Refused
from tests.plugins.counting import (
    DECIDER,
    EVENING,
    NOTE_ROOM,
    Add,
    Counted,
    Elapse,
    Remind,
    asked,
    eventually,
    rack,
)

MINUTE = timedelta(minutes=1)


@pytest.fixture
def tables() -> MemoryTables:
    return MemoryTables()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(EVENING)


@pytest.fixture
async def app(clock: ManualClock, tables: MemoryTables) -> AsyncIterator[Application]:
    async with Application(DECIDER, MemoryStore(tables, "one"), clock) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        yield app


async def remind(app: Application, name: str, minutes: int) -> None:
    command = Remind(rack=name, at=EVENING + minutes * MINUTE)
    await app.submit(command, asked(f"remind {name} {minutes}"))


async def reminded(app: Application, name: str) -> list[int]:
    state, _ = await app.state(rack(name))
    return [int((at - EVENING) / MINUTE) for at in state.reminded]


async def test_a_deadline_fires_when_the_clock_reaches_it_and_is_recorded_on_its_own_time(
    app: Application, clock: ManualClock, tables: MemoryTables
) -> None:
    await remind(app, "a", 10)
    clock.advance_to(EVENING + 9 * MINUTE)
    await app.settle_timers()
    assert await reminded(app, "a") == []

    clock.advance_to(EVENING + 40 * MINUTE)
    await app.settle_timers()
    assert await reminded(app, "a") == [10]
    (event,) = (await app.history("rack/r1/a"))[1:]
    assert event.envelope.occurred_at == EVENING + 10 * MINUTE
    assert event.envelope.recorded_at == EVENING + 40 * MINUTE
    assert event.envelope.actor == "timer"


async def test_deadlines_fire_by_themselves_in_the_order_of_their_times(
    app: Application, clock: ManualClock, tables: MemoryTables
) -> None:
    for name, minutes in (("a", 30), ("b", 10), ("c", 20)):
        await remind(app, name, minutes)
    clock.advance_to(EVENING + 60 * MINUTE)
    await eventually(lambda: len(tables.log) == 7)
    assert [event.stream[-1] for event in tables.log[4:]] == ["b", "c", "a"]


async def test_a_deadline_that_was_moved_does_not_fire_at_its_old_time(
    app: Application, clock: ManualClock
) -> None:
    await remind(app, "a", 10)
    await remind(app, "a", 20)
    clock.advance_to(EVENING + 15 * MINUTE)
    await app.settle_timers()
    assert await reminded(app, "a") == []
    clock.advance_to(EVENING + 20 * MINUTE)
    await app.settle_timers()
    assert await reminded(app, "a") == [20]


async def test_two_processes_fire_a_deadline_once(
    app: Application, clock: ManualClock, tables: MemoryTables
) -> None:
    await remind(app, "a", 10)
    async with Application(DECIDER, MemoryStore(tables, "two"), clock) as two:
        clock.advance_to(EVENING + 10 * MINUTE)
        await asyncio.gather(app.settle_timers(), two.settle_timers())
        assert await reminded(two, "a") == [10]


async def test_a_process_fires_deadlines_that_another_one_set(
    app: Application, clock: ManualClock, tables: MemoryTables
) -> None:
    async with Application(DECIDER, MemoryStore(tables, "two"), clock) as two:
        await remind(two, "a", 10)
    clock.advance_to(EVENING + 10 * MINUTE)

    async def fired() -> bool:
        return await reminded(app, "a") == [10]

    await eventually(fired)


async def outage(tables: MemoryTables, clock: ManualClock, minutes: int) -> Application:
    """Restart after an outage; the deadlines at minutes 10 and 20 of racks a and b lie in it."""
    async with Application(DECIDER, MemoryStore(tables, "one"), clock) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        for name, at in (("a", 10), ("b", 20), ("c", minutes + 10)):
            await remind(app, name, at)
    clock.advance_to(EVENING + minutes * MINUTE)
    return Application(DECIDER, MemoryStore(tables, "later"), clock)


async def test_after_a_short_outage_deadlines_fire_by_themselves(
    tables: MemoryTables, clock: ManualClock
) -> None:
    async with Application(DECIDER, MemoryStore(tables, "one"), clock) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        await remind(app, "a", 1)
    clock.advance_to(EVENING + 2 * MINUTE)
    async with Application(DECIDER, MemoryStore(tables, "two"), clock) as app:
        await app.settle_timers()
        assert await app.overdue() == []
        assert await reminded(app, "a") == [1]


async def test_after_a_long_outage_passed_deadlines_are_listed_and_change_nothing(
    tables: MemoryTables, clock: ManualClock
) -> None:
    async with await outage(tables, clock, 60) as app:
        await app.settle_timers()
        assert [(found.stem, found.at) for found in await app.overdue()] == [
            (rack("a"), EVENING + 10 * MINUTE),
            (rack("b"), EVENING + 20 * MINUTE),
        ]
        clock.advance_to(EVENING + 70 * MINUTE)
        await app.settle_timers()
        assert await reminded(app, "c") == [70]  # what comes due after the outage fires
        assert await reminded(app, "a") == []
    # Another restart right afterwards does not let them loose.
    async with Application(DECIDER, MemoryStore(tables, "again"), clock) as app:
        await app.settle_timers()
        assert len(await app.overdue()) == 2


async def test_a_floorperson_releases_them_and_stands_in_the_record(
    tables: MemoryTables, clock: ManualClock
) -> None:
    async with await outage(tables, clock, 60) as app:
        request = asked("release", override_reason="paper entered")
        (outcome,) = await app.release_overdue(request, [rack("a")])
        (event,) = outcome.events
        assert (event.envelope.actor, event.envelope.override_reason) == (
            "floor-1",
            "paper entered",
        )
        assert event.envelope.occurred_at == EVENING + 10 * MINUTE
        assert [found.stem for found in await app.overdue()] == [rack("b")]

        await app.release_overdue(request)
        assert await app.overdue() == []
        assert (await reminded(app, "a"), await reminded(app, "b")) == ([10], [20])


async def test_what_paper_settles_before_the_release_does_not_fire(
    tables: MemoryTables, clock: ManualClock
) -> None:
    async with await outage(tables, clock, 60) as app:
        await remind(app, "a", 90)  # entered from paper: it was put off
        await app.release_overdue(asked("release", override_reason="paper entered"))
        assert await reminded(app, "a") == []
        assert await reminded(app, "b") == [20]


@pytest.mark.parametrize(
    ("roles", "reason", "stems", "rules"),
    [
        (("dealer",), "why not", None, ("CR-9", "CR-13")),
        (("floor",), " ", None, ("CR-9", "CR-13")),
        (("floor",), "why not", ["rack/r1/z"], ("CR-13",)),
    ],
)
async def test_releasing_takes_a_floorperson_a_reason_and_something_held(
    tables: MemoryTables,
    clock: ManualClock,
    roles: tuple[str, ...],
    reason: str,
    stems: list[str] | None,
    rules: tuple[str, ...],
) -> None:
    async with await outage(tables, clock, 60) as app:
        with pytest.raises(Refused) as refused:
            await app.release_overdue(asked("r", *roles, override_reason=reason), stems)
        assert refused.value.rules == rules
        assert len(await app.overdue()) == 2


@pytest.mark.parametrize("records", [True, False])
async def test_a_deadline_that_does_not_go_away_when_it_fires_is_not_fired_for_ever(
    clock: ManualClock, tables: MemoryTables, records: bool
) -> None:
    def stubborn(command, streams, occasion):  # type: ignore[no-untyped-def]
        if isinstance(command, Elapse):
            return ((rack(command.rack), Counted(chips=1)),) if records else ()
        return DECIDER.decide(command, streams, occasion)

    decider = msgspec.structs.replace(DECIDER, decide=stubborn)
    async with Application(decider, MemoryStore(tables, "one"), clock) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        await remind(app, "a", 1)
        clock.advance_to(EVENING + 2 * MINUTE)
        for _ in range(3):
            await app.settle_timers()
        assert (await app.state(rack("a")))[0].chips == (1 if records else 0)
        # Whatever happens to the rack next is a new chance.
        await app.submit(Add(chips=10), asked("other"))
        await app.settle_timers()
        assert (await app.state(rack("a")))[0].chips == (12 if records else 10)


async def test_who_is_killed_after_the_clock_was_moved_was_not_away_meanwhile(
    clock: ManualClock, tables: MemoryTables
) -> None:
    async with Application(DECIDER, MemoryStore(tables, "one"), clock) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        clock.advance_to(EVENING + 60 * MINUTE)
        await app.settle_timers()
    # What another process sets for an instant that has passed comes due as ever.
    async with Application(DECIDER, MemoryStore(tables, "two"), clock) as app:
        await remind(app, "a", 60)
        await app.settle_timers()
        assert await app.overdue() == []
        assert await reminded(app, "a") == [60]


class AwayFromReaders(MemoryStore):
    """Cannot be read for as many calls as `away` says."""

    away = 0

    async def load(self, after: Mapping[str, int]) -> dict[str, list[StoredEvent]]:
        if self.away:
            self.away -= 1
            raise ConnectionLost("gone")
        return await super().load(after)


async def test_a_deadline_whose_stream_could_not_be_read_fires_once_it_can(
    clock: ManualClock, tables: MemoryTables
) -> None:
    async with Application(DECIDER, MemoryStore(tables, "one"), clock) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        await remind(app, "a", 1)
    store = AwayFromReaders(tables, "two")
    async with Application(DECIDER, store, clock) as app:
        store.away = 1
        clock.advance_to(EVENING + 2 * MINUTE)
        with pytest.raises(ConnectionLost):
            await app.settle_timers()
        await app.settle_timers()
        assert await reminded(app, "a") == [1]
