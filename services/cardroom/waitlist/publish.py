"""What the lists tell the others: names called, seats locked up, must-moves. No personal names."""

from typing import Any, Final

from google.protobuf.message import Message

from cardroom.adapters.grpc.convert import fill
from cardroom.api.waitlist.v1 import waitlist_events_pb2 as pb
from cardroom.kernel.envelope import Recorded
from cardroom.waitlist import events as e

PLAIN: Final[dict[type, Any]] = {
    e.NameAdded: pb.NameAdded,
    e.NameCalled: pb.NameCalled,
    e.CallAnswered: pb.CallAnswered,
    e.NameRolled: pb.NameRolled,
    e.CallDropped: pb.CallDropped,
    e.NameRemoved: pb.NameRemoved,
    e.SeatLockedUp: pb.SeatLockedUp,
    e.LockupTaken: pb.LockupTaken,
    e.LockupReturned: pb.LockupReturned,
    e.SignUpBarred: pb.SignUpBarred,
    e.WaitingChanged: pb.WaitingChanged,
    e.MustMoveLinked: pb.MustMoveLinked,
    e.CalledToMain: pb.CalledToMain,
    e.MoveDeclined: pb.MoveDeclined,
    e.MovePassed: pb.MovePassed,
    e.MoveNameRemoved: pb.MoveNameRemoved,
}
"""Events whose message has the same fields."""


def publish(recorded: Recorded) -> Message | None:
    """Return the message for a recorded event, or None where it stays inside.

    Args:
        recorded: an event of the lists as stored.
    """
    event: Any = recorded.event
    if isinstance(event, e.MustMoveUnlinked):
        return fill(pb.MustMoveUnlinked(room=recorded.stream.split("/")[1]), event)
    plain = PLAIN.get(type(event))
    if plain is None:
        return None
    message: Message = fill(plain(), event)
    return message
