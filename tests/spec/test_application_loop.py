"""The command loop on the store in memory: queues, prefixes, idempotency, conflicts, day-bound streams."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import msgspec
import pytest

from cardroom import known
from cardroom.adapters.application import Application, Conflict, Position, ShellSettings
from cardroom.adapters.errors import Overloaded, SlowReader, Unavailable
from cardroom.adapters.store.memory import MemoryStore, MemoryTables
from cardroom.kernel.clock import ManualClock
from cardroom.kernel.envelope import NO_HASH
from cardroom.kernel.refusal import Refused
from tests.plugins.counting import (
    DECIDER,
    EVENING,
    NOTE_ROOM,
    ROOM,
    Add,
    CloseDay,
    Move,
    Rack,
    asked,
    rack,
)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(EVENING)


@pytest.fixture
def tables() -> MemoryTables:
    return MemoryTables()


@pytest.fixture
async def app(clock: ManualClock, tables: MemoryTables) -> AsyncIterator[Application]:
    async with Application(DECIDER, MemoryStore(tables, "one"), clock) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        yield app


async def test_a_command_is_recorded_with_everything_around_it(app: Application) -> None:
    outcome = await app.submit(Add(chips=5), asked("q1", station="podium"))

    (recorded,) = outcome.events
    assert (recorded.stream, recorded.version, recorded.notification_id) == ("rack/r1/a", 1, 2)
    envelope = recorded.envelope
    assert envelope.gaming_day == "2026-03-06"
    assert envelope.utc_offset_minutes == -480
    assert (envelope.actor, envelope.station, envelope.request_id) == ("floor-1", "podium", "q1")
    assert envelope.correlation_id == "q1"
    assert envelope.previous_hash == NO_HASH
    assert await app.state(rack("a")) == (Rack(chips=5), 1)


async def test_events_of_a_stream_are_a_chain_that_reads_back_as_it_was_answered(
    app: Application,
) -> None:
    first = (await app.submit(Add(chips=5), asked("q1"))).events[0]
    second = (await app.submit(Add(chips=6), asked("q2"))).events[0]

    assert second.envelope.previous_hash == first.own_hash
    assert await app.history("rack/r1/a") == [first, second]


async def test_before_the_room_is_known_only_what_makes_it_known_is_accepted(
    clock: ManualClock,
) -> None:
    async with Application(DECIDER, MemoryStore(), clock) as app:
        with pytest.raises(Refused) as refused:
            await app.submit(Add(), asked("q1"))
        assert (refused.value.rules, refused.value.field) == (("CR-2",), "room")

        noted = await app.submit(NOTE_ROOM, asked("q2"))
        assert noted.events[0].envelope.gaming_day == "2026-03-06"  # the room's own day already
        await app.submit(Add(), asked("q1"))


async def test_the_same_request_gets_the_same_outcome_and_happens_once(app: Application) -> None:
    first = await app.submit(Add(chips=5), asked("q1"), lambda decision, after: b"five")
    again = await app.submit(Add(chips=5), asked("q1"), lambda decision, after: b"other")

    assert again.repeated
    assert (again.events, again.result) == (first.events, b"five")
    assert (await app.state(rack("a")))[0].chips == 5


async def test_the_stored_outcome_survives_the_process(
    app: Application, clock: ManualClock, tables: MemoryTables
) -> None:
    first = await app.submit(Move(source="b", target="a", chips=0), asked("q1"))
    async with Application(DECIDER, MemoryStore(tables, "two"), clock) as later:
        again = await later.submit(Move(source="b", target="a", chips=0), asked("q1"))
    assert again.repeated
    assert (again.events, again.versions) == (first.events, first.versions)


async def test_a_request_id_with_another_content_is_refused(
    app: Application, clock: ManualClock, tables: MemoryTables
) -> None:
    await app.submit(Add(chips=5), asked("q1"))
    async with Application(DECIDER, MemoryStore(tables, "two"), clock) as later:
        for application in (app, later):
            with pytest.raises(Refused) as refused:
                await application.submit(Add(chips=6), asked("q1"))
            assert refused.value.rules == ("CR-11",)
            assert refused.value.field == "request_id"


async def test_a_retry_that_would_now_be_refused_still_gets_its_outcome(
    app: Application, clock: ManualClock, tables: MemoryTables
) -> None:
    await app.submit(Add(chips=5), asked("q0"))
    await app.submit(Add(chips=-5), asked("q1"))
    async with Application(DECIDER, MemoryStore(tables, "two"), clock) as later:
        again = await later.submit(Add(chips=-5), asked("q1"))
    assert again.repeated


async def test_refusals_are_not_stored(app: Application, tables: MemoryTables) -> None:
    with pytest.raises(Refused):
        await app.submit(Add(chips=-1), asked("q1"))
    assert set(tables.requests) == {"room"}
    assert (await app.submit(Add(chips=1), asked("q1"))).versions == {"rack/r1/a": 1}


async def test_commands_given_at_once_are_decided_in_order_on_what_is_pending(
    app: Application,
) -> None:
    amounts = [3, -2, -2, 4, -5]
    outcomes = await asyncio.gather(
        *(app.submit(Add(chips=chips), asked(f"q{n}")) for n, chips in enumerate(amounts)),
        return_exceptions=True,
    )
    assert [isinstance(outcome, Refused) for outcome in outcomes] == [
        False,
        False,
        True,
        False,
        False,
    ]
    assert (await app.state(rack("a")))[0].chips == 0


async def test_two_processes_on_one_stream_lose_nothing(
    app: Application, clock: ManualClock, tables: MemoryTables
) -> None:
    settings = ShellSettings(conflict_attempts=200)
    async with (
        Application(DECIDER, MemoryStore(tables, "two"), clock, settings=settings) as two,
        Application(DECIDER, MemoryStore(tables, "three"), clock, settings=settings) as three,
    ):
        await asyncio.gather(
            *(
                application.submit(Add(), asked(f"{number} {n}"))
                for n in range(50)
                for number, application in enumerate((two, three))
            )
        )
        assert (await two.submit(Add(chips=0), asked("end"))).versions == {"rack/r1/a": 101}
    assert len(tables.streams["rack/r1/a"]) == 101


async def test_a_conflict_without_end_is_answered_as_one(
    clock: ManualClock, tables: MemoryTables
) -> None:
    class Busy(MemoryStore):
        async def commit(self, batch):  # type: ignore[no-untyped-def]
            await other.submit(Add(), asked(f"other {len(tables.log)}"))
            return await super().commit(batch)

    async with Application(DECIDER, MemoryStore(tables, "other"), clock) as other:
        await other.submit(NOTE_ROOM, asked("room"))
        settings = ShellSettings(conflict_attempts=3)
        async with Application(DECIDER, Busy(tables, "busy"), clock, settings=settings) as app:
            with pytest.raises(Conflict):
                await app.submit(Add(), asked("mine"))
    assert "mine" not in tables.requests


async def test_inbox_commands_and_position_are_saved_together_or_not_at_all(
    app: Application, tables: MemoryTables
) -> None:
    with pytest.raises(Refused):
        await app.submit_all(
            (Add(chips=5), Add(rack="b", chips=-1)), asked("m1"), Position("house", 0, 7)
        )
    assert await app.store.position("house", 0) == 0
    assert len(tables.log) == 1

    await app.submit_all((Add(chips=5), Add(rack="b")), asked("m1"), Position("house", 0, 7))
    assert await app.store.position("house", 0) == 7
    assert len(tables.log) == 3

    for message, at in (("m2", 7), ("m3", 6)):
        again = await app.submit_all((Add(),), asked(message), Position("house", 0, at))
        assert again.events == ()
    await app.submit_all((), asked("m4"), Position("house", 0, 9))
    assert await app.store.position("house", 0) == 9
    assert len(tables.log) == 3


async def test_a_day_bound_stream_is_carried_forward_and_found_again(
    app: Application, clock: ManualClock, tables: MemoryTables
) -> None:
    drawer = rack("d", kind="drawer")
    await app.submit(Add(rack="d", chips=40, kind="drawer"), asked("q1"))
    closed = await app.submit(CloseDay(drawer="d", gaming_day="2026-03-07"), asked("q2"))

    assert [event.stream for event in closed.events] == [
        "drawer/r1/d/2026-03-06",
        "drawer/r1/d/2026-03-07",
    ]
    assert closed.events[1].envelope.previous_hash == closed.events[0].own_hash
    assert closed.versions == {drawer: 1}
    await app.submit(Add(rack="d", chips=2, kind="drawer"), asked("q3"))
    async with Application(DECIDER, MemoryStore(tables, "two"), clock) as later:
        assert await later.state(drawer) == (Rack(chips=42), 2)


async def test_a_day_that_has_begun_is_not_begun_again(app: Application) -> None:
    await app.submit(Add(rack="d", chips=40, kind="drawer"), asked("q1"))
    await app.submit(CloseDay(drawer="d", gaming_day="2026-03-07"), asked("q2"))
    for day in ("2026-03-07", "2026-03-06"):
        with pytest.raises(Refused) as refused:
            await app.submit(CloseDay(drawer="d", gaming_day=day), asked(day))
        assert refused.value.rules == ("CR-10",)


@pytest.mark.parametrize(
    "day", ["2026-13-01", "2026-02-30", "20260307", "2026-W10-6", "", "2027-03-07", "9999-12-31"]
)
async def test_a_stream_is_not_carried_into_what_is_no_day_or_far_off(
    app: Application, tables: MemoryTables, day: str
) -> None:
    await app.submit(Add(rack="d", chips=40, kind="drawer"), asked("q1"))
    with pytest.raises(Refused) as refused:
        await app.submit(CloseDay(drawer="d", gaming_day=day), asked("q2"))
    assert (refused.value.rules, refused.value.field) == (("CR-4",), "gaming_day")
    await app.submit(CloseDay(drawer="d", gaming_day="2026-04-06"), asked("q3"))
    assert len(tables.log) == 4


async def test_a_write_to_a_day_that_another_process_closed_finds_the_new_day(
    app: Application, clock: ManualClock, tables: MemoryTables
) -> None:
    await app.submit(Add(rack="d", chips=40, kind="drawer"), asked("q1"))
    async with Application(DECIDER, MemoryStore(tables, "two"), clock) as two:
        await two.submit(CloseDay(drawer="d", gaming_day="2026-03-07"), asked("q2"))
        outcome = await app.submit(Add(rack="d", chips=1, kind="drawer"), asked("q3"))
    assert outcome.events[0].stream == "drawer/r1/d/2026-03-07"
    assert outcome.versions == {rack("d", kind="drawer"): 2}


async def test_a_reported_time_counts_within_the_tolerance_only(
    app: Application, clock: ManualClock
) -> None:
    near, far = EVENING - timedelta(seconds=200), EVENING - timedelta(hours=3)
    outcome = await app.submit(Add(), asked("q1", "dealer", occurred_at=near))
    assert outcome.events[0].envelope.occurred_at == near
    assert outcome.events[0].envelope.recorded_at == EVENING

    for request in (
        asked("q2", "dealer", occurred_at=far),
        asked("q2", "dealer", occurred_at=far, override_reason="power cut"),
        asked("q2", "floor", occurred_at=far),
        asked("q2", "floor", occurred_at=EVENING + timedelta(hours=1), override_reason="?"),
    ):
        with pytest.raises(Refused) as refused:
            await app.submit(Add(), request)
        assert refused.value.field == "occurred_at"
    confirmed = asked("q2", "floor", occurred_at=far, override_reason="entered from paper")
    assert (await app.submit(Add(), confirmed)).events[0].envelope.occurred_at == far


async def test_a_watcher_sees_the_state_and_every_change(app: Application) -> None:
    await app.submit(Add(chips=1), asked("q1"))
    changes = app.watch((rack("a"),))
    assert await anext(changes) == (rack("a"), Rack(chips=1), 1)
    await app.submit(Add(chips=2), asked("q2"))
    assert await anext(changes) == (rack("a"), Rack(chips=3), 2)


async def test_a_watcher_sees_what_another_process_does(
    app: Application, clock: ManualClock, tables: MemoryTables
) -> None:
    changes = app.watch((rack("a"),))
    assert await anext(changes) == (rack("a"), Rack(), 0)
    async with Application(DECIDER, MemoryStore(tables, "two"), clock) as two:
        await two.submit(Add(chips=2), asked("q2"))
        assert await anext(changes) == (rack("a"), Rack(chips=2), 1)


async def test_a_slow_watcher_is_dropped_with_a_reason(
    clock: ManualClock, tables: MemoryTables
) -> None:
    settings = ShellSettings(watch_limit=3)
    async with Application(DECIDER, MemoryStore(tables), clock, settings=settings) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        changes = app.watch((rack("a"),))
        await anext(changes)
        for n in range(5):
            await app.submit(Add(), asked(f"q{n}"))
        with pytest.raises(SlowReader, match="3 changes"):
            await anext(changes)


async def test_errors_of_the_core_reach_the_caller_and_stop_nothing(app: Application) -> None:
    with pytest.raises(Exception, match="kind of stream"):
        await app.submit(Add(kind="tray"), asked("q1"))
    assert (await app.submit(Add(), asked("q2"))).versions == {"rack/r1/a": 1}


@pytest.mark.parametrize("request_id", ["", "x" * 129, "a\nb"])
async def test_malformed_request_ids_are_refused(app: Application, request_id: str) -> None:
    with pytest.raises(Refused) as refused:
        await app.submit(Add(), asked(request_id))
    assert refused.value.field == "request_id"


async def test_a_fault_of_the_loop_itself_answers_everybody_and_stops_it(
    clock: ManualClock, tables: MemoryTables
) -> None:
    class Faulty(MemoryStore):
        async def commit(self, batch):  # type: ignore[no-untyped-def]
            return (await super().commit(batch))[:-1]  # a verdict too few

    async with Application(DECIDER, Faulty(tables), clock) as app:
        results = await asyncio.gather(
            app.submit(NOTE_ROOM, asked("room")),
            app.submit(NOTE_ROOM, asked("room too")),
            return_exceptions=True,
        )
        assert Unavailable in {type(result) for result in results}
        await asyncio.wait_for(app.faulted(), 5)
        assert isinstance(app.fault, ValueError)
        with pytest.raises(Unavailable):
            await app.submit(Add(), asked("later"))


async def test_a_decision_rests_on_what_it_read_too_not_only_on_what_it_writes(
    app: Application, clock: ManualClock, tables: MemoryTables
) -> None:
    await app.submit(Add(), asked("q1"))
    abroad = msgspec.structs.replace(ROOM, time_zone="Asia/Macau")
    moved = known.NoteHouse(room="r1", facts=(known.RoomNoted(room=abroad),))
    async with Application(DECIDER, MemoryStore(tables, "two"), clock) as two:
        await two.submit(moved, asked("moved"))
        outcome = await app.submit(Add(), asked("q2"))  # before it could hear of it
    assert outcome.events[0].envelope.utc_offset_minutes == 480
    assert outcome.events[0].envelope.gaming_day == "2026-03-07"


async def test_more_commands_than_may_wait_are_turned_away_and_lose_nothing(
    clock: ManualClock, tables: MemoryTables
) -> None:
    settings = ShellSettings(waiting_limit=5)
    async with Application(DECIDER, MemoryStore(tables), clock, settings=settings) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        results = await asyncio.gather(
            *(app.submit(Add(), asked(f"q{n}")) for n in range(9)), return_exceptions=True
        )
        turned_away = [n for n, result in enumerate(results) if isinstance(result, Overloaded)]
        assert turned_away == [5, 6, 7, 8]
        for n in turned_away:
            await app.submit(Add(), asked(f"q{n}"))
        assert await app.state(rack("a")) == (Rack(chips=9), 9)


async def test_the_cache_is_bounded_and_what_left_it_is_loaded_again(
    clock: ManualClock, tables: MemoryTables
) -> None:
    settings = ShellSettings(cached_streams=10)
    async with Application(DECIDER, MemoryStore(tables), clock, settings=settings) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        for round_ in range(3):
            await asyncio.gather(
                *(app.submit(Add(rack=f"c{n}"), asked(f"{round_} {n}")) for n in range(40))
            )
        await app.submit(Add(), asked("settled"))
        assert len(app._heads) <= 10
        for n in range(40):
            assert await app.state(rack(f"c{n}")) == (Rack(chips=3), 3)
