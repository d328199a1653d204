"""The nights on which clocks are put forward and back: gaming days go on, and deadlines are elapsed time."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest

from cardroom import known
from cardroom.adapters.application import Application
from cardroom.adapters.store.memory import MemoryStore, MemoryTables
from cardroom.kernel.clock import ManualClock, gaming_day_of
from cardroom.seating import commands as sc
from tests.plugins.counting import DECIDER, ROOM, Add, CloseDay, Remind, asked, rack
from tests.plugins.floor_world import SIX_TWELVE, FloorWorld, clean
from tests.plugins.world import EVENING
from tests.plugins.world import ROOM as FLOOR
from tests.rules.test_timecollection_cases import EIGHT, Table

LOS_ANGELES, BERLIN, SANTIAGO = "America/Los_Angeles", "Europe/Berlin", "America/Santiago"
CHANGES = {
    (LOS_ANGELES, "spring"): datetime(2026, 3, 8, 10, tzinfo=UTC),
    (LOS_ANGELES, "autumn"): datetime(2026, 11, 1, 9, tzinfo=UTC),
    (BERLIN, "spring"): datetime(2026, 3, 29, 1, tzinfo=UTC),
    (BERLIN, "autumn"): datetime(2026, 10, 25, 1, tzinfo=UTC),
    (SANTIAGO, "autumn"): datetime(2026, 4, 5, 3, tzinfo=UTC),
}
"""The instant at which the clock is changed; in Santiago midnight comes twice."""

MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize("cut_over", [0, 60, 90, 119, 120, 150, 179, 180, 360, 1380, 1410, 1439])
@pytest.mark.parametrize("change", CHANGES)
def test_a_gaming_day_follows_the_other_and_none_comes_back(
    change: tuple[str, str], cut_over: int
) -> None:
    zone = change[0]
    at = CHANGES[change] - timedelta(hours=40)
    day, _ = gaming_day_of(at, zone, cut_over)
    begun: list[datetime] = []
    for _ in range(80 * 60):
        at += MINUTE
        now, offset = gaming_day_of(at, zone, cut_over)
        wall = at.astimezone(ZoneInfo(zone))
        assert timedelta(minutes=offset) == wall.utcoffset()
        if now == day:
            continue
        assert date.fromisoformat(now) - date.fromisoformat(day) == timedelta(days=1)
        day = now
        begun.append(at)
        passed_over = at == CHANGES[change] and change[1] == "spring"
        assert wall.hour * 60 + wall.minute == cut_over or passed_over
        assert wall.fold == 0
    assert len(begun) in {3, 4}


@pytest.mark.parametrize(
    ("change", "cut_over", "minutes", "day"),
    [
        ((LOS_ANGELES, "autumn"), 90, -31, "2026-10-31"),  # 1:29, the first time
        ((LOS_ANGELES, "autumn"), 90, -30, "2026-11-01"),
        ((LOS_ANGELES, "autumn"), 90, 15, "2026-11-01"),  # 1:15, the second time
        ((LOS_ANGELES, "autumn"), 90, 30, "2026-11-01"),
        ((LOS_ANGELES, "spring"), 150, -1, "2026-03-07"),  # 1:59; 2:30 does not come
        ((LOS_ANGELES, "spring"), 150, 0, "2026-03-08"),  # 3:00
        ((BERLIN, "autumn"), 150, -31, "2026-10-24"),
        ((BERLIN, "autumn"), 150, -30, "2026-10-25"),
        ((BERLIN, "autumn"), 150, 10, "2026-10-25"),
        ((BERLIN, "spring"), 150, -1, "2026-03-28"),
        ((BERLIN, "spring"), 150, 0, "2026-03-29"),
        ((SANTIAGO, "autumn"), 1410, -30, "2026-04-04"),  # 23:30, the first time
        ((SANTIAGO, "autumn"), 1410, 10, "2026-04-04"),
        ((SANTIAGO, "autumn"), 0, 59, "2026-04-04"),
        ((SANTIAGO, "autumn"), 0, 60, "2026-04-05"),
    ],
)
def test_the_day_begins_when_the_clock_first_shows_the_cut_over(
    change: tuple[str, str], cut_over: int, minutes: int, day: str
) -> None:
    at = CHANGES[change] + minutes * MINUTE
    assert gaming_day_of(at, change[0], cut_over)[0] == day


@pytest.mark.parametrize("zone", [LOS_ANGELES, BERLIN])
@pytest.mark.parametrize("season", ["spring", "autumn"])
async def test_a_day_closed_on_such_a_night_and_a_deadline_across_the_change(
    zone: str, season: str
) -> None:
    change = CHANGES[zone, season]
    clock = ManualClock(change - 45 * MINUTE)
    local = clock.now().astimezone(ZoneInfo(zone))
    cut_over = local.hour * 60 + 30  # a quarter of an hour on; in autumn this time comes twice
    before = (local.date() - timedelta(days=1)).isoformat()
    today = local.date().isoformat()
    room = msgspec.structs.replace(ROOM, time_zone=zone, cut_over_minutes=cut_over)
    async with Application(DECIDER, MemoryStore(MemoryTables(), "m"), clock) as app:
        note = known.NoteHouse(room="r1", facts=(known.RoomNoted(room=room),))
        await app.submit(note, asked("room"))
        drawer = Add(rack="d", kind="drawer")
        (first,) = (await app.submit(drawer, asked("first"))).events
        assert (first.stream, first.envelope.gaming_day) == (f"drawer/r1/d/{before}", before)
        await app.submit(Remind(at=clock.now() + 90 * MINUTE), asked("remind"))

        clock.advance_to(change - 30 * MINUTE)
        await app.submit(CloseDay(drawer="d", gaming_day=today), asked("close"))
        offsets = []
        for minutes in (-29, -1, 0, 10, 40):
            clock.advance_to(change + minutes * MINUTE)
            (event,) = (await app.submit(drawer, asked(f"at {minutes}"))).events
            assert (event.stream, event.envelope.gaming_day) == (f"drawer/r1/d/{today}", today)
            offsets.append(event.envelope.utc_offset_minutes)
        turn = 60 if season == "spring" else -60
        assert offsets == [offsets[0]] * 2 + [offsets[0] + turn] * 3

        await app.settle_timers()
        assert (await app.state(rack("a")))[0].reminded == ()
        clock.advance_to(change + 45 * MINUTE)
        await app.settle_timers()
        assert (await app.state(rack("a")))[0].reminded == (change + 45 * MINUTE,)


def waits(at: datetime) -> list[timedelta]:
    """Return how long from an instant a lock, a call and an absence have, in order."""
    w = FloorWorld("LC", SIX_TWELVE, seating__away_measure="minutes")
    for world in w.worlds:
        world.at = at
    w.open("t3", players=range(1, 6))
    w.hand("t3", 1, 1, 2, 3)
    w.sign_up("ann", "bo", phone=True)
    w.seat(
        sc.LockSeat(room=FLOOR, table="t3", seat=7, player_id="cy", standing=clean("cy")),
        override="set-up",
    )
    w.away("t3", w.who("t3")[1])
    lock = next(seat.lock for seat in w.table("t3").seats if seat.lock is not None)
    away = w.seated("t3", 1).away
    assert lock.expires_at is not None
    assert away is not None
    assert away.overdue_from is not None
    called = [due - at for due, _ in w.waitlist.due()]
    return [lock.expires_at - at, away.overdue_from - at, *called]


@pytest.mark.parametrize("minutes", [-61, -31, -1, 0, 29])
@pytest.mark.parametrize("change", CHANGES)
def test_locks_calls_and_absences_have_the_minutes_they_have_on_any_night(
    change: tuple[str, str], minutes: int
) -> None:
    usual = waits(EVENING)
    assert len(usual) == 4
    assert waits(CHANGES[change] + minutes * MINUTE) == usual


@pytest.mark.parametrize("change", CHANGES)
def test_time_is_collected_for_the_same_period_on_such_a_night(change: tuple[str, str]) -> None:
    def periods(first_due: datetime) -> list[timedelta]:
        table = Table("LC", 6, time_cents=700, due_at=first_due)
        found = []
        for _ in range(3):
            due = min(at for at, _ in table.world.due())
            found.append(due - first_due)
            table.world.wait(int((due - table.world.at) / MINUTE))
        return found

    assert periods(CHANGES[change]) == periods(EIGHT)
