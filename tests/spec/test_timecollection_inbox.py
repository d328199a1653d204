"""What timecollection makes of messages of the tables, of seating and of the waiting lists."""

from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest

from cardroom.adapters.bus.envelope import received
from cardroom.api.seating.v1 import seating_events_pb2 as seating
from cardroom.api.tables.v1 import tables_events_pb2 as tables
from cardroom.api.waitlist.v1 import waitlist_events_pb2 as waitlist
from cardroom.timecollection import commands as c
from cardroom.timecollection import events as e
from cardroom.timecollection.collection import why_not_dealt_in
from cardroom.timecollection.core import collection_stream
from cardroom.timecollection.inbox import from_seating, from_tables, from_waitlist
from tests.plugins.world import ROOM
from tests.rules.test_more_timecollection import deal
from tests.rules.test_timecollection_cases import EIGHT, Table

READERS = {"tables": from_tables, "seating": from_seating, "waitlist": from_waitlist}


def hear(table: Table, source: str, message: Any) -> tuple[Any, ...]:
    told = received(message, source=source, stream=f"{source}/{ROOM}/t1")
    return tuple(
        event for command in READERS[source](told) for event in table.world.do(command, "service")
    )


def away(player: str, seat: int) -> Any:
    return seating.PlayerAway(room=ROOM, table="t1", seat=seat, player_id=player)


def test_names_that_wait_are_heard_of_for_each_table_once() -> None:
    table = Table("LC", 6, time_cents=700)
    waiting = waitlist.WaitingChanged(room=ROOM, game_id="g", names=2, tables=["t1", "t2"])
    assert len(hear(table, "waitlist", waiting)) == 2  # t2 may be heard of later
    assert hear(table, "waitlist", waiting) == ()
    table.fall_due()
    assert table.state.waiting_when_due == 2


def owed(table: Table, name: str = "t1") -> dict[str, tuple[int, int]]:
    """Return player -> seat and what is owed, at a table."""
    state = table.world.state(collection_stream(ROOM, name))
    return {one.player_id: (one.seat, one.owes_cents) for one in state.seats}


def test_a_seat_changer_keeps_what_he_owes() -> None:
    table = Table("LC", 6, time_cents=700)
    table.fall_due()
    hear(table, "tables", tables.TableSeatChanged(room=ROOM, table="t1", seat=2, to_seat=9))
    assert owed(table)["p2"] == (9, 700)
    assert len(table.state.seats) == 6


def test_players_who_swap_each_keep_what_they_owe() -> None:
    table = Table("LC", 6, time_cents=700)
    table.fall_due()
    table.pay(2, 700)
    hear(table, "tables", tables.TableSeatsSwapped(room=ROOM, table="t1", seats=[2, 5]))
    assert (owed(table)["p2"], owed(table)["p5"]) == ((5, 0), (2, 700))
    assert [one.seat for one in table.state.seats] == [1, 2, 3, 4, 5, 6]


def test_who_left_a_seat_is_not_who_sits_there_now() -> None:
    table = Table("LC", 6, time_cents=700)
    hear(table, "tables", tables.TableSeatLeft(room=ROOM, table="t1", seat=3, player_id="p3"))
    hear(table, "tables", tables.TableSeatChanged(room=ROOM, table="t1", seat=2, to_seat=3))
    left = tables.TableSeatLeft(room=ROOM, table="t1", seat=3, player_id="p3")
    assert hear(table, "tables", left) == ()
    assert [one.player_id for one in table.state.seats] == ["p1", "p2", "p4", "p5", "p6"]


def test_a_renamed_record_keeps_seat_and_debt() -> None:
    table = Table("LC", 6, time_cents=700)
    table.fall_due()
    renamed = tables.TableSeatRenamed(room=ROOM, table="t1", seat=2, player_id="p2", into_id="p77")
    assert len(hear(table, "tables", renamed)) == 1
    assert hear(table, "tables", renamed) == ()
    assert owed(table)["p77"] == (2, 700)


# --------------------------------------------------------------------------------- who is away


def taken(player: str, seat: int) -> Any:
    return tables.TableSeatTaken(room=ROOM, table="t1", seat=seat, player_id=player)


def is_away(table: Table, player: str) -> bool:
    return next(one for one in table.state.seats if one.player_id == player).away


@pytest.mark.parametrize("order", list(permutations("sta")))
def test_who_sits_down_and_goes_away_is_away_in_whatever_order_it_is_heard(
    order: tuple[str, ...],
) -> None:
    seated = seating.PlayerSeated(room=ROOM, table="t1", seat=7, player_id="p7")
    told = {
        "s": ("seating", seated),
        "a": ("seating", away("p7", 7)),
        "t": ("tables", taken("p7", 7)),
    }
    if order.index("s") > order.index("a"):  # seating tells its own in order
        order = tuple({"s": "a", "a": "s"}.get(one, one) for one in order)
    table = Table("LC", 6, time_cents=700)
    for step in order:
        hear(table, *told[step])
    assert is_away(table, "p7")
    back = seating.PlayerBack(room=ROOM, table="t1", seat=7, player_id="p7")
    hear(table, "seating", back)
    assert not is_away(table, "p7")
    assert table.state.absent == ()


@pytest.mark.parametrize("away_first", [False, True])
def test_who_changed_seats_and_went_away_is_away_in_the_new_seat(away_first: bool) -> None:
    table = Table("LC", 6, time_cents=700)
    changed = tables.TableSeatChanged(room=ROOM, table="t1", seat=2, to_seat=9)
    words = [("tables", changed), ("seating", away("p2", 9))]
    for source, message in reversed(words) if away_first else words:
        hear(table, source, message)
    assert owed(table)["p2"][0] == 9
    assert is_away(table, "p2")


def test_word_of_an_absence_that_outlives_its_player_ends_when_he_sits_down_again() -> None:
    table = Table("LC", 6, time_cents=700)
    hear(
        table,
        "tables",
        tables.TableSeatLeft(room=ROOM, table="t1", seat=2, player_id="p2"),
    )
    hear(table, "seating", away("p2", 2))
    hear(table, "tables", taken("p2", 8))
    seated = seating.PlayerSeated(room=ROOM, table="t1", seat=8, player_id="p2")
    hear(table, "seating", seated)
    assert not is_away(table, "p2")


def test_who_is_away_before_the_table_is_heard_of_is_away_when_it_opens() -> None:
    table = Table("LC", 6, time_cents=700)
    told = received(
        seating.PlayerAway(room=ROOM, table="t8", seat=1, player_id="x"),
        source="seating",
        stream=f"seating/{ROOM}/t8",
    )
    for command in from_seating(told):
        table.world.do(command, "service")
    table.do(c.OpenCollection(room=ROOM, table="t8", game_id="g"))
    table.do(c.NoteSeat(room=ROOM, table="t8", seat=1, player_id="x"))
    state = table.world.state(collection_stream(ROOM, "t8"))
    assert [(one.player_id, one.away) for one in state.seats] == [("x", True)]


# --------------------------------------------------------------------------------- to another table


def two_tables(book: str = "LC", *, begun: bool = True) -> Table:
    """Return a table of six who owe time, and another of the same game with two who pay apart."""
    table = Table(book, 6, time_cents=700)
    deal(table, "h1", 3)
    table.fall_due()
    table.do(c.OpenCollection(room=ROOM, table="t2", game_id="g"))
    for seat in (1, 2):
        table.do(c.NoteSeat(room=ROOM, table="t2", seat=seat, player_id=f"q{seat}"))
        table.do(c.PayTime(room=ROOM, table="t2", seat=seat, cents=700))
    if begun:
        dealt = c.NoteHandDealt(room=ROOM, table="t2", hand_id="h2", seats=(1, 2))
        table.do(dealt)
    return table


def moves(table: Table, order: str) -> None:
    """Let p2 move from t1 to seat 3 of t2; seating (s) and the tables (l: left, t: taken) are heard in an order."""
    told = {
        "s": (
            "seating",
            seating.PlayerSeated(
                room=ROOM, table="t2", seat=3, player_id="p2", from_table="t1", reason="must_move"
            ),
        ),
        "l": (
            "tables",
            tables.TableSeatLeft(room=ROOM, table="t1", seat=2, player_id="p2", reason="must_move"),
        ),
        "t": ("tables", tables.TableSeatTaken(room=ROOM, table="t2", seat=3, player_id="p2")),
    }
    for step in order:
        hear(table, *told[step])


ORDERS = [*("".join(one) for one in permutations("slt"))]


@pytest.mark.parametrize("order", ORDERS)
def test_what_is_owed_goes_along_to_another_table(order: str) -> None:
    table = two_tables()
    moves(table, order)
    assert owed(table, "t2") == {"q1": (1, 0), "q2": (2, 0), "p2": (3, 700)}
    assert sum(cents for _, cents in owed(table).values()) == 3500
    state = table.world.state(collection_stream(ROOM, "t2"))
    refused = why_not_dealt_in(state, 3, table.game, table.rules, big_blind=False)
    assert refused is not None
    assert refused.code == "COLLECTION_UNPAID"
    table.do(c.PayTime(room=ROOM, table="t2", seat=3, cents=700))


@pytest.mark.parametrize("order", ORDERS)
def test_who_moves_is_no_new_player(order: str) -> None:
    table = two_tables()
    table.pay(2, 700)
    table.world.wait(10)
    moves(table, order)
    assert owed(table, "t2")["p2"] == (3, 0)
    table.world.wait(20)
    assert owed(table, "t2") == {"q1": (1, 700), "q2": (2, 700), "p2": (3, 700)}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("paid", [True, False])
def test_a_period_paid_elsewhere_counts_at_a_game_that_has_not_begun(
    order: str, paid: bool
) -> None:
    table = two_tables(begun=False)
    if paid:
        table.pay(2, 700)
    moves(table, order)
    assert owed(table, "t2")["p2"] == (3, 0 if paid else 700)


@pytest.mark.parametrize("order", ["cs", "sc", "ctls", "lcst"])
def test_a_table_that_closed_has_not_forgotten_what_was_owed(order: str) -> None:
    table = two_tables()
    for step in order:
        if step == "c":
            hear(table, "tables", tables.TableClosed(room=ROOM, table="t1"))
        else:
            moves(table, step)
    moves(table, "t")
    assert owed(table, "t2")["p2"] == (3, 700)


def test_a_player_who_is_not_known_brings_nothing() -> None:
    table = two_tables()
    seated = seating.PlayerSeated(room=ROOM, table="t2", seat=4, player_id="x", from_table="t9")
    assert hear(table, "seating", seated) == ()


def test_who_quits_and_comes_to_another_table_is_a_new_player_there() -> None:
    table = two_tables()
    hear(table, "tables", tables.TableSeatLeft(room=ROOM, table="t1", seat=2, player_id="p2"))
    hear(table, "tables", tables.TableSeatTaken(room=ROOM, table="t2", seat=3, player_id="p2"))
    hear(table, "seating", seating.PlayerSeated(room=ROOM, table="t2", seat=3, player_id="p2"))
    assert owed(table, "t2")["p2"] == (3, 0)


@pytest.mark.parametrize("first", ["linked", "opened"])
def test_a_must_move_game_is_known_whichever_is_heard_first(first: str) -> None:
    table = Table("LC", 0, button_cents=500)
    linked = waitlist.MustMoveLinked(room=ROOM, game_id="g", main="t1", feeder="t2")
    opened = tables.TableOpened(room=ROOM, table="t2", game_id="g")
    told = [("waitlist", linked), ("tables", opened)]
    for source, message in told if first == "linked" else reversed(told):
        hear(table, source, message)
    for seat in range(1, 6):
        player = f"p{seat}"
        hear(
            table,
            "tables",
            tables.TableSeatTaken(room=ROOM, table="t2", seat=seat, player_id=player),
        )
    left = tables.TableSeatLeft(room=ROOM, table="t2", seat=5, player_id="p5")
    assert [type(event) for event in hear(table, "tables", left)] == [e.SeatVacated, e.FloorCalled]
    unlinked = waitlist.MustMoveUnlinked(room=ROOM, main="t1", feeder="t2")
    hear(table, "waitlist", unlinked)
    hear(table, "tables", tables.TableSeatTaken(room=ROOM, table="t2", seat=5, player_id="p5"))
    assert [type(event) for event in hear(table, "tables", left)] == [e.SeatVacated]


def at(message: Any, source: str, minutes: int) -> Any:
    """Return a message of so many minutes past eight."""
    when = EIGHT + timedelta(minutes=minutes)
    return received(message, source=source, stream=f"{source}/{ROOM}/t1", occurred_at=when)


def run(table: Table, told: Any) -> tuple[Any, ...]:
    commands = READERS[told.source](told)
    return tuple(event for one in commands for event in table.world.do(one, "service"))


@pytest.mark.parametrize("late_hand", [False, True])
def test_a_game_that_broke_stops_its_clock_and_the_next_one_pays_in_advance(
    late_hand: bool,
) -> None:
    table = Table("WP", 3, time_cents=700)
    deal(table, "h1", 3)
    broken = seating.TableBroken(room=ROOM, table="t1", game_id="g")
    assert len(run(table, at(broken, "seating", 5))) == 1
    assert run(table, at(broken, "seating", 5)) == ()
    assert table.world.due() == []
    if late_hand:  # a hand of the game that broke, heard after seating's word
        old = tables.HandStarted(room=ROOM, table="t1", hand_id="h0")
        assert run(table, at(old, "tables", 4)) == ()
    for seat in (1, 2, 3):
        left = tables.TableSeatLeft(room=ROOM, table="t1", seat=seat, player_id=f"p{seat}")
        run(table, at(left, "tables", 6))
    table.sit(1)
    assert owed(table) == {"p1": (1, 700)}
    begun = tables.HandStarted(room=ROOM, table="t1", hand_id="h2")
    assert [type(event) for event in run(table, at(begun, "tables", 20))] == [e.FirstHandNoted]
    assert len(table.world.due()) == 1


def test_a_game_that_turns_out_no_time_game_owes_nothing_in_advance() -> None:
    table = Table("LC", 0, time_cents=700)
    table.do(c.CloseCollection(room=ROOM, table="t1"))
    table.do(c.OpenCollection(room=ROOM, table="t1", game_id="g"))
    table.sit(1)
    changed, waived = table.do(
        c.ConvertCollection(room=ROOM, table="t1", method="button", amount_cents=500),
        override="the players asked for it",
    )
    assert (changed.method, waived.cents, waived.seats) == ("button", 700, (1,))
    assert owed(table) == {"p1": (1, 0)}


def test_players_away_are_counted_out_until_they_are_back() -> None:
    table = Table("LC", 5, button_cents=500, must_move=True)
    assert len(hear(table, "seating", away("p2", 2))) == 2  # noted, and the floor is called
    assert hear(table, "seating", away("p2", 2)) == ()
    assert hear(table, "seating", away("nobody", 7)) == (
        e.AbsenceHeard(player_id="nobody", away=True),  # who may be heard to sit later
    )
    back = seating.PlayerBack(room=ROOM, table="t1", seat=2, player_id="p2")
    assert len(hear(table, "seating", back)) == 1
