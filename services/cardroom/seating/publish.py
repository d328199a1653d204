"""What seating tells the others: who sits where with how much, and which seats are to be had."""

from typing import Any, Final

from google.protobuf.message import Message

from cardroom.adapters.grpc.convert import fill
from cardroom.api.seating.v1 import seating_events_pb2 as pb
from cardroom.api.seating.v1 import seating_types_pb2 as types
from cardroom.kernel.envelope import Recorded
from cardroom.seating import events as e

PLAIN: Final[dict[type, Any]] = {
    e.TableOpened: pb.TableOpened,
    e.TableClosed: pb.TableClosed,
    e.TableBroken: pb.TableBroken,
    e.GameStarted: pb.GameStarted,
    e.GameChanged: pb.GameChanged,
    e.FullBuyInDue: pb.FullBuyInDue,
    e.FullBuyInMet: pb.FullBuyInMet,
    e.SeatLocked: pb.SeatLocked,
    e.SeatUnlocked: pb.SeatUnlocked,
    e.SeatOpened: pb.SeatOpened,
    e.SeatReserved: pb.SeatReserved,
    e.ReservationEnded: pb.ReservationEnded,
    e.PlayerSeated: pb.PlayerSeated,
    e.PlayerLeft: pb.PlayerLeft,
    e.SeatChanged: pb.SeatChanged,
    e.SeatsSwapped: pb.SeatsSwapped,
    e.HandGranted: pb.HandGranted,
    e.PlayerAway: pb.PlayerAway,
    e.PlayerBack: pb.PlayerBack,
    e.PickUpDue: pb.PickUpDue,
    e.PlayOverChanged: pb.PlayOverChanged,
    e.MoveDue: pb.MoveDue,
    e.ChipsBought: pb.ChipsBought,
    e.ListOrderFailed: pb.ListOrderFailed,
    e.PlayerExcluded: pb.PlayerExcluded,
    e.PlayerReadmitted: pb.PlayerReadmitted,
    e.RecordRenamed: pb.RecordRenamed,
}
"""Events whose message has the same fields."""


def publish(recorded: Recorded) -> Message | None:
    """Return the message for a recorded event, or None where it stays inside.

    Args:
        recorded: an event of seating as stored.
    """
    event: Any = recorded.event
    plain = PLAIN.get(type(event))
    if plain is not None:
        message: Message = fill(plain(), event)
        return message
    match event:
        case e.ChipsPickedUp():
            times = []
            for start, end in event.absences:
                away = types.TimeAway()
                getattr(away, "from").FromDatetime(start)
                away.to.FromDatetime(end)
                times.append(away)
            return fill(pb.ChipsPickedUp(), event, absences=times)
        case e.SeatOrderSet():
            given = [
                types.GivenSeat(player_id=player, table=table, seat=seat)
                for player, table, seat in event.given
            ]
            return fill(pb.SeatOrderSet(), event, given=given)
        case e.DrawHeld():
            cards = [types.DrawnCard(who=who, card=card) for who, card in event.cards]
            return fill(pb.DrawHeld(), event, cards=cards)
        case _:
            return None
