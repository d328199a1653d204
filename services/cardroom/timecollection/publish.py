"""What timecollection tells the other contexts."""

from google.protobuf.message import Message

from cardroom.api.timecollection.v1 import timecollection_events_pb2 as out
from cardroom.kernel.envelope import Recorded
from cardroom.timecollection import events as e


def publish(recorded: Recorded) -> Message | None:
    """Return the published form of a stored event, None where it stays inside."""
    _, room, table, *_ = (*recorded.stream.split("/"), "")
    match recorded.event:
        case e.TimeFellDue() as event:
            due = out.TimeDue(
                room=room,
                table=table,
                amount_cents=event.amount_cents,
                owing_seats=event.owing_seats,
                rules=event.rules,
            )
            due.due_at.FromDatetime(event.at)
            return due
        case e.TimeDueInAdvance() as event:
            owed = out.TimeDue(
                room=room,
                table=table,
                amount_cents=event.amount_cents,
                owing_seats=(event.seat,),
                rules=event.rules,
            )
            owed.due_at.FromDatetime(event.at)
            return owed
        case e.TimePaid() as event:
            return out.TimePaid(
                room=room,
                table=table,
                seat=event.seat,
                player_id=event.player_id,
                amount_cents=event.cents,
            )
        case e.TimeTakenFromPot() as event:
            shares = [
                out.TimeShare(seat=share.seat, player_id=share.player_id, amount_cents=share.cents)
                for share in event.paid_by
            ]
            return out.TimeTakenFromPot(
                room=room,
                table=table,
                hand_id=event.hand_id,
                amount_cents=event.cents,
                paid_by=shares,
            )
        case e.FloorCalled() as event:
            return out.FloorCalled(
                room=room,
                table=table,
                reason=event.reason,
                options=event.options,
                rules=event.rules,
            )
        case e.MethodChanged() as event:
            return out.MethodChanged(
                room=room,
                table=table,
                method=event.method,
                amount_cents=event.amount_cents,
                reason=event.reason,
            )
    return None
