"""What cashier tells the other contexts."""

from google.protobuf.message import Message

from cardroom.api.cashier.v1 import cashier_events_pb2 as out
from cardroom.cashier import events as e
from cardroom.kernel.envelope import Recorded


def publish(recorded: Recorded) -> Message | None:
    """Return the published form of a stored event, None where it stays inside."""
    room = recorded.stream.split("/")[1]
    match recorded.event:
        case e.ChipsSold() as event:
            return out.ChipsSold(room=room, player_id=event.player_id, amount_cents=event.cents)
        case e.ChipsRedeemed() as event:
            return out.ChipsRedeemed(
                room=room,
                player_id=event.player_id,
                handed_in_cents=event.handed_in_cents,
                paid_cents=event.paid_cents,
            )
        case e.RunnerArrived() as event:
            return out.ChipsDelivered(
                room=room, table=event.table, player_id=event.player_id, amount_cents=event.cents
            )
        case e.CheckChipsDelivered() as event:
            return out.ChipsDelivered(
                room=room, player_id=event.player_id, amount_cents=event.cents
            )
        case e.DropTaken() as event:
            return out.DropBooked(
                room=room,
                table=event.table,
                hand_id=event.hand_id,
                amount_cents=event.cents,
                what=event.what,
            )
        case e.DropCounted() as event:
            return out.DropCounted(
                room=room,
                table=event.table,
                expected_cents=event.expected_cents,
                counted_cents=event.counted_cents,
                reason=event.reason,
            )
        case e.PayoutPaid() as event:
            return out.PayoutPaid(
                room=room,
                payout_id=event.payout_id,
                player_id=event.player_id,
                amount_cents=event.cents,
            )
        case e.ShiftClosed() as event:
            return out.ShiftClosed(
                room=room,
                shift=event.shift,
                cash_difference_cents=event.counted_cash_cents - event.expected_cash_cents,
                chips_difference_cents=event.counted_chips_cents - event.expected_chips_cents,
                reason=event.reason,
            )
        case e.Adjusted() as event:
            return out.AccountsAdjusted(room=room, reason=event.reason)
    return None
