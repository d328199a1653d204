"""What players learns from the house: rooms, their books, and which rooms share players."""

from cardroom.adapters.bus.envelope import Received
from cardroom.api.house.v1 import house_events_pb2 as house
from cardroom.kernel.decisions import Command
from cardroom.known.inbox import note_house
from cardroom.players.commands import NoteRoom


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
