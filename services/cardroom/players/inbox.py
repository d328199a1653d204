"""What players learns from others: rooms, their books and which rooms share players; breaches seen at the tables."""

from datetime import UTC

from cardroom.adapters.bus.envelope import Received
from cardroom.api.house.v1 import house_events_pb2 as house
from cardroom.api.tables.v1 import tables_events_pb2 as tables
from cardroom.kernel.decisions import Command
from cardroom.known.inbox import note_house
from cardroom.players.commands import NoteCourtesyBreach, NoteRoom, WithdrawCourtesyBreach


def from_house(message: Received) -> tuple[Command, ...]:
    """Return the commands that keep what a message of the house says.

    Args:
        message: a published message whose source is the house.
    """
    facts = note_house(message)
    match message.payload:
        case house.RoomNoted(room=room):
            return (*facts, NoteRoom(group=room.group, joining=room.room))
        case _:
            return facts


def from_tables(message: Received) -> tuple[Command, ...]:
    """Return the commands that put a breach of courtesy on its player's record, or take it off.

    Args:
        message: a published message whose source is tables.
    """
    match message.payload:
        case tables.CourtesyBreached() as told:
            at = message.occurred_at
            if told.HasField("occurred_at"):
                at = told.occurred_at.ToDatetime(tzinfo=UTC)
            return (
                NoteCourtesyBreach(
                    room=told.room,
                    table=told.table,
                    hand_id=told.hand,
                    player_id=told.player_id,
                    what=told.what,
                    rules=tuple(told.rules),
                    at=at,
                    gaming_day=message.gaming_day,
                ),
            )
        case tables.CourtesyBreachWithdrawn() as told:
            return (
                WithdrawCourtesyBreach(
                    room=told.room,
                    table=told.table,
                    hand_id=told.hand,
                    player_id=told.player_id,
                    what=told.what,
                    at=message.occurred_at,
                ),
            )
        case _:
            return ()
