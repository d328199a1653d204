"""What the house and players publish, turned into the commands by which any context keeps it.

In a context's `main.py`: `inboxes={"house": note_house}`; where people are named, `"players": merge_records` too.
"""

from cardroom.adapters.bus.envelope import Received
from cardroom.api.house.v1 import house_events_pb2 as pb
from cardroom.api.players.v1 import players_events_pb2 as players
from cardroom.kernel.decisions import Command
from cardroom.known.events import BookNoted, GameNoted, HouseFact, RoomNoted, VariationNoted
from cardroom.known.games import Variation
from cardroom.known.house import NoteHouse
from cardroom.known.merged import MergeRecords
from cardroom.known.wire import game_from, room_from


def note_house(message: Received) -> tuple[Command, ...]:
    """Return the command that keeps what a message of the house says; none for messages of another kind.

    Args:
        message: a published message whose source is the house.
    """
    fact = fact_of(message)
    return () if fact is None else (NoteHouse(room=message.room, facts=(fact,)),)


def merge_records(message: Received) -> tuple[Command, ...]:
    """Return the commands by which each room learns that two records are one person's; none for other messages.

    Args:
        message: a published message whose source is players.
    """
    match message.payload:
        case players.RecordMerged() as merged:
            return tuple(
                MergeRecords(room=room, from_id=merged.player_id, into_id=merged.into_id)
                for room in merged.rooms
            )
        case _:
            return ()


def fact_of(message: Received) -> HouseFact | None:
    """Return the fact that a message of the house carries, or None where it carries another kind."""
    match message.payload:
        case pb.RoomNoted() as noted:
            return RoomNoted(room=room_from(noted.room))
        case pb.GameNoted() as noted:
            return GameNoted(room=noted.room, game=game_from(noted.game))
        case pb.VariationNoted() as noted:
            books = tuple((one.game_id, one.book_digest) for one in noted.books)
            return VariationNoted(
                room=noted.room, variation=Variation(table=noted.table, books=books)
            )
        case pb.BookNoted() as noted:
            return BookNoted(digest=noted.digest, content=noted.content)
        case _:
            return None
