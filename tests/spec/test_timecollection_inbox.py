"""What timecollection makes of messages of the tables, of seating and of the waiting lists."""

from typing import Any

from cardroom.adapters.bus.envelope import received
from cardroom.api.seating.v1 import seating_events_pb2 as seating
from cardroom.api.tables.v1 import tables_events_pb2 as tables
from cardroom.api.waitlist.v1 import waitlist_events_pb2 as waitlist
from cardroom.timecollection.inbox import from_seating, from_tables, from_waitlist
from tests.plugins.world import ROOM
from tests.rules.test_timecollection_cases import Table

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
    assert len(hear(table, "waitlist", waiting)) == 1  # t2 has no collection
    assert hear(table, "waitlist", waiting) == ()
    table.fall_due()
    assert table.state.waiting_when_due == 2


def test_a_seat_changer_keeps_what_he_owes() -> None:
    table = Table("LC", 6, time_cents=700)
    table.fall_due()
    moved = seating.SeatChanged(room=ROOM, table="t1", player_id="p2", from_seat=2, to_seat=9)
    hear(table, "seating", moved)
    assert [(one.seat, one.owes_cents) for one in table.state.seats if one.player_id == "p2"] == [
        (9, 700)
    ]


def test_who_left_a_seat_is_not_who_sits_there_now() -> None:
    table = Table("LC", 6, time_cents=700)
    moved = seating.SeatChanged(room=ROOM, table="t1", player_id="p2", from_seat=2, to_seat=3)
    hear(table, "seating", moved)  # heard before the table told that p3 had left seat 3
    left = tables.TableSeatLeft(room=ROOM, table="t1", seat=3, player_id="p3")
    assert hear(table, "tables", left) == ()
    assert [one.player_id for one in table.state.seats] == ["p1", "p2", "p4", "p5", "p6"]


def test_players_away_are_counted_out_until_they_are_back() -> None:
    table = Table("LC", 5, button_cents=500, must_move=True)
    assert len(hear(table, "seating", away("p2", 2))) == 2  # noted, and the floor is called
    assert hear(table, "seating", away("p2", 2)) == ()
    assert hear(table, "seating", away("nobody", 7)) == ()
    back = seating.PlayerBack(room=ROOM, table="t1", seat=2, player_id="p2")
    assert len(hear(table, "seating", back)) == 1
