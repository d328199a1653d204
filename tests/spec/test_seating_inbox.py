"""What seating makes of the tables' hands when its own seats have changed while the word was on its way."""

from cardroom.adapters.bus.envelope import received
from cardroom.api.tables.v1 import tables_events_pb2 as tables
from cardroom.seating.inbox import from_tables
from cardroom.seating.values import Entry, EntryKind
from tests.plugins.floor_world import FloorWorld
from tests.plugins.world import ROOM

TABLE = "t3"
SEATS = (1, 2, 3, 4, 5)


def started(
    world: FloorWorld, number: int, players: dict[int, str], missed: dict[int, str] | None = None
) -> None:
    """Tell seating of a hand, of who was dealt in and of whom the big blind went by."""
    hand = tables.HandStarted(
        room=ROOM,
        table=TABLE,
        hand_number=number,
        button_seat=1,
        small_blind_seats=[2],
        big_blind_seats=[3],
        dealt_in=[tables.SeatPlayer(seat=seat, player_id=who) for seat, who in players.items()],
        missed=[
            tables.MissedBlinds(seat=seat, player_id=who, big=True)
            for seat, who in (missed or {}).items()
        ],
    )
    for command in from_tables(received(hand, source="tables", stream=f"table/{ROOM}/{TABLE}")):
        world.seat(command, "service")


def everybody() -> dict[int, str]:
    return {seat: f"p{seat}" for seat in SEATS}


def test_a_player_who_is_dealt_in_is_in_the_game() -> None:
    world = FloorWorld("LC")
    world.open(TABLE, players=SEATS[:4])
    world.sits(TABLE, 5, "p5", entry=Entry(kind=EntryKind.NEW))
    started(world, 1, everybody())
    assert world.seated(TABLE, 5).entry.kind is EntryKind.PLAYING


def test_who_took_a_seat_after_the_hand_began_was_not_dealt_in() -> None:
    world = FloorWorld("LC")
    world.open(TABLE, players=SEATS[:4])
    world.sits(TABLE, 5, "late", entry=Entry(kind=EntryKind.NEW))
    started(world, 1, everybody())
    assert world.seated(TABLE, 5).entry.kind is EntryKind.NEW
    started(world, 2, {**everybody(), 5: "late"})
    assert world.seated(TABLE, 5).entry.kind is EntryKind.PLAYING


def test_a_missed_blind_follows_its_player_to_another_seat() -> None:
    world = FloorWorld("LC")
    world.open(TABLE, players=(*SEATS, 9))
    world.away(TABLE, "p9")
    started(world, 1, everybody(), {6: "p9"})  # where the tables still see p9 sit
    assert world.seated(TABLE, 9).missed_buttons == 1
    started(world, 2, everybody(), {9: "gone"})
    assert world.seated(TABLE, 9).missed_buttons == 1
