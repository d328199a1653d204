"""The time pot as the tables tell it, and what a period costs when the house changes its terms."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from cardroom.adapters.bus.envelope import received
from cardroom.api.tables.v1 import tables_events_pb2 as tables
from cardroom.kernel.refusal import Refused
from cardroom.timecollection import commands as c
from cardroom.timecollection import events as e
from cardroom.timecollection.inbox import from_tables
from tests.plugins.world import ROOM
from tests.rules.test_timecollection_cases import Table, potting


def hear(table: Table, message: Any) -> tuple[Any, ...]:
    told = received(message, source="tables", stream=f"table/{ROOM}/t1", occurred_at=table.world.at)
    return tuple(event for command in from_tables(told) for event in table.do(command))


def started(table: Table, hand: str) -> tuple[Any, ...]:
    dealt = [tables.SeatPlayer(seat=one.seat, player_id=one.player_id) for one in table.state.seats]
    return hear(
        table,
        tables.HandStarted(room=ROOM, table="t1", hand_id=hand, dealt_in=dealt),
    )


def ended(table: Table, hand: str, *won: tuple[int, int | None], **more: Any) -> tuple[Any, ...]:
    shares = [tables.SeatWon(seat=seat, player_id=f"p{seat}", cents=cents) for seat, cents in won]
    told = tables.HandEnded(room=ROOM, table="t1", hand_id=hand, won=shares, **more)
    return hear(table, told)


def kinds(events: tuple[Any, ...]) -> list[type]:
    return [type(event) for event in events]


def owed(table: Table) -> dict[int, int]:
    return {one.seat: one.owes_cents for one in table.state.seats}


@pytest.mark.rule("LC-147")
def test_the_first_hand_dealt_after_time_is_due_is_the_time_pot_and_its_winner_pays() -> None:
    table = potting(6, 600)
    assert e.TimePotStarted in kinds(started(table, "h1"))
    (taken,) = ended(table, "h1", (5, 14000), pot_cents=14500)
    assert isinstance(taken, e.TimeTakenFromPot)
    assert [(one.seat, one.player_id, one.cents) for one in taken.paid_by] == [(5, "p5", 3600)]
    assert set(owed(table).values()) == {0}
    assert e.TimePotStarted not in kinds(started(table, "h2"))  # the time is paid
    assert ended(table, "h2", (5, 9000), pot_cents=9000) == ()


@pytest.mark.rule("LC-147")
def test_a_hand_under_way_when_time_falls_due_is_not_the_time_pot() -> None:
    table = Table("LC", 6, time_cents=600)
    table.do(c.AgreePotForTime(room=ROOM, table="t1", seats=(1, 2, 3, 4, 5, 6)))
    table.do(c.NoteHandDealt(room=ROOM, table="t1", hand_id="h0", seats=(1, 2, 3, 4, 5, 6)))
    table.fall_due()
    late = c.NoteHandDealt(
        room=ROOM,
        table="t1",
        hand_id="h1",
        seats=(1, 2, 3, 4, 5, 6),
        at=table.world.at - timedelta(minutes=1),
        heard=True,
    )
    assert table.do(late) == ()
    assert kinds(started(table, "h2")) == [e.TimePotStarted]


@pytest.mark.rule("LC-147")
def test_a_hand_dealt_before_the_agreement_is_not_the_time_pot() -> None:
    table = Table("LC", 6, time_cents=600)
    table.do(c.NoteHandDealt(room=ROOM, table="t1", hand_id="h0", seats=(1, 2)))
    table.fall_due()
    table.world.at += timedelta(minutes=2)
    table.do(c.AgreePotForTime(room=ROOM, table="t1", seats=(1, 2, 3, 4, 5, 6)))
    late = c.NoteHandDealt(
        room=ROOM,
        table="t1",
        hand_id="h1",
        seats=(1, 2),
        at=table.world.at - timedelta(minutes=1),
        heard=True,
    )
    assert table.do(late) == ()
    assert kinds(started(table, "h2")) == [e.TimePotStarted]


@pytest.mark.rule("LC-147")
def test_a_split_pot_is_paid_by_all_its_winners_who_pot() -> None:
    table = potting(6, 600)
    table.do(c.OptOut(room=ROOM, table="t1", seat=2))
    started(table, "h1")
    (taken,) = ended(table, "h1", (2, 5000), (5, 5000), pot_cents=10000)
    assert [(one.seat, one.cents) for one in taken.paid_by] == [(5, 3000)]
    assert owed(table)[2] == 600


@pytest.mark.parametrize(
    ("won", "more", "rule"),
    [
        ((), {"void": True}, "LC-147"),
        (((2, 14000),), {"pot_cents": 14000}, "LC-147"),
        (((5, 1000),), {"pot_cents": 1000}, "CR-8"),
    ],
    ids=["void", "won by one who pays alone", "does not cover the time"],
)
def test_a_pot_that_pays_nothing_leaves_the_next_one_to_be_the_time_pot(
    won: tuple[tuple[int, int], ...], more: dict[str, Any], rule: str
) -> None:
    table = potting(6, 600)
    table.do(c.OptOut(room=ROOM, table="t1", seat=2))
    started(table, "h1")
    (passed,) = ended(table, "h1", *won, **more)
    assert isinstance(passed, e.TimePotPassed)
    assert rule in passed.rules
    assert kinds(started(table, "h2")) == [e.TimePotStarted]
    (taken,) = ended(table, "h2", (5, 14000), pot_cents=14000)
    assert taken.cents == 3000


def test_too_small_a_pot_passes_by_the_house_minimum() -> None:
    table = Table("LC", 5, time_cents=500, collection__time_pot_minimum=10000)
    table.do(c.AgreePotForTime(room=ROOM, table="t1", seats=(1, 2, 3, 4, 5)))
    table.fall_due()
    started(table, "h1")
    (passed,) = ended(table, "h1", (1, 9900), pot_cents=9900)
    assert isinstance(passed, e.TimePotPassed)


def test_where_nobody_told_the_winner_a_person_does() -> None:
    table = potting(6, 600)
    started(table, "h1")
    assert ended(table, "h1") == ()
    assert started(table, "h2") == ()  # the time pot still waits for its winner
    assert table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h1")) == ()
    (taken,) = table.do(
        c.AwardTimePot(
            room=ROOM,
            table="t1",
            hand_id="h1",
            pot_cents=14000,
            winners=(c.PotWinner(seat=3, cents=14000),),
        )
    )
    assert taken.cents == 3600
    assert ended(table, "h1", (5, 14000), pot_cents=14000) == ()  # told after a person said it


def test_a_person_may_say_that_another_hand_is_the_time_pot() -> None:
    table = potting(6, 600)
    started(table, "h1")  # told when it was counted: it had begun before the time was due
    ended(table, "h1", counted=True)
    (marked,) = table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h2"))
    assert marked.hand_id == "h2"
    with pytest.raises(Refused) as caught:
        table.do(c.StartTimePot(room=ROOM, table="t1", hand_id="h3"))
    assert caught.value.code == "TIME_POT_RUNS"
    (taken,) = ended(table, "h2", (5, 14000), pot_cents=14000)
    assert taken.hand_id == "h2"


def test_one_winner_of_a_pot_that_nobody_counted_pays_the_whole_and_two_wait_for_a_person() -> None:
    table = potting(6, 600)
    started(table, "h1")
    assert ended(table, "h1", (4, None), (5, None)) == ()
    (taken,) = ended(table, "h1", (4, None))
    assert [(one.seat, one.cents) for one in taken.paid_by] == [(4, 3600)]


def test_a_time_pot_settled_anew_calls_the_floor() -> None:
    table = potting(6, 600)
    started(table, "h1")
    again = tables.HandReopened(room=ROOM, table="t1", hand_id="h1")
    assert hear(table, again) == ()  # nothing was taken yet
    ended(table, "h1", (5, 14000), pot_cents=14000)
    (called,) = hear(table, again)
    assert isinstance(called, e.FloorCalled)
    assert called.rules == ("LC-147",)
    assert ended(table, "h1", (4, 14000), pot_cents=14000) == ()  # taken once


def test_a_table_that_does_not_pot_takes_nothing_from_its_pots() -> None:
    table = Table("LC", 6, time_cents=600)
    table.fall_due()
    assert e.TimePotStarted not in kinds(started(table, "h1"))
    assert ended(table, "h1", (5, 14000), pot_cents=14000) == ()
    assert set(owed(table).values()) == {600}


# ------------------------------------------------------------------------------- changed terms


def offer(table: Table, **terms: int) -> None:
    game = msgspec.structs.replace(table.game, **{"time_collection_cents": 0, **terms})
    table.world.offer(game)


def test_a_changed_fee_is_in_force_from_the_next_due_time() -> None:
    table = Table("LC", 6, time_cents=700)
    table.fall_due()
    offer(table, time_collection_cents=900)
    assert set(owed(table).values()) == {700}  # what is due is due
    for seat in range(1, 7):
        table.pay(seat, 700)
    table.world.wait(30)
    due = table.world.events(e.TimeFellDue)[-1]
    assert isinstance(due, e.TimeFellDue)
    assert due.amount_cents == 900
    assert set(owed(table).values()) == {900}
    assert table.state.amount_cents == 900


def test_who_sits_down_before_the_first_hand_owes_the_fee_in_force_then() -> None:
    table = Table("LC", 0, time_cents=700)
    table.do(c.CloseCollection(room=ROOM, table="t1"))
    table.do(c.OpenCollection(room=ROOM, table="t1", game_id="g"))
    table.sit(1)
    offer(table, time_collection_cents=900)
    table.sit(2)
    assert owed(table) == {1: 700, 2: 900}


def test_a_fee_that_a_floorperson_set_holds_until_the_collection_is_converted_or_reopened() -> None:
    table = Table("LC", 4, button_cents=500)
    table.do(c.ConvertCollection(room=ROOM, table="t1", method="time", amount_cents=600))
    for seat in range(1, 5):
        table.pay(seat, 600)
    offer(table, time_collection_cents=900)
    table.world.wait(30)
    assert set(owed(table).values()) == {600}
    table.do(c.CloseCollection(room=ROOM, table="t1"))
    table.do(c.OpenCollection(room=ROOM, table="t1", game_id="g"))
    table.sit(1)
    assert owed(table) == {1: 900}


def test_time_that_the_house_takes_no_more_ends_with_the_paid_period() -> None:
    table = Table("LC", 6, time_cents=700)
    table.fall_due()
    offer(table, button_collection_cents=500)
    assert table.state.method == "time"
    table.world.wait(30)
    assert (table.state.method, table.state.amount_cents) == ("button", 500)
    assert table.state.due_at is None
    assert set(owed(table).values()) == {700}
