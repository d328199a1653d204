"""Tables as messages. They carry player ids and no names."""

from cardroom.adapters.grpc.convert import fill
from cardroom.api.seating.v1 import seating_service_pb2 as pb
from cardroom.api.seating.v1 import seating_types_pb2 as types
from cardroom.kernel.refusal import Refused
from cardroom.seating.entry import entry_dues, left_out
from cardroom.seating.here import Here
from cardroom.seating.legal import Offer
from cardroom.seating.table import TableSeats
from cardroom.seating.values import Deal


def table_message(state: TableSeats, version: int) -> types.Table:
    """Return a table as anybody may see it."""
    return fill(types.Table(), state, version=version)


def dealing_message(here: Here, deal: Deal) -> pb.CheckDealingResponse:
    """Return who may be dealt into a hand as far as seats are concerned, and what is posted."""
    answer = pb.CheckDealingResponse()
    for number, refusal in left_out(here, deal).items():
        seat = here.table.seat(number)
        player_id = seat.seated.player_id if seat and seat.seated else ""
        answer.left_out.append(left_out_message(number, player_id, refusal))
    for due in entry_dues(here, deal):
        answer.entries.add(
            seat=due.seat,
            player_id=due.player_id,
            post_cents=due.post.cents,
            dead_cents=due.post.dead_cents,
            must_wait=due.must_wait,
            rules=due.post.rules,
        )
    return answer


def offer_message(offer: Offer) -> pb.CheckSeatResponse:
    """Return what a person may do at a table."""
    least, unknown = offer.least, offer.least_refusal
    answer = pb.CheckSeatResponse(
        least_cents=least.cents if least else None,
        rules=least.rules if least else unknown.rules if unknown else (),
        full_cents=offer.full.cents,
        most_cents=offer.most_cents,
        seated=offer.changes,
    )
    for seat in offer.seats:
        why = seat.refusal
        answer.seats.add(
            seat=seat.seat,
            free=why is None,
            code=why.code if why else "",
            rules=why.rules if why else (),
            message=why.message if why else "",
        )
    return answer


def left_out_message(seat: int, player_id: str, refusal: Refused) -> types.LeftOut:
    """Return why a player is left out."""
    return types.LeftOut(
        seat=seat,
        player_id=player_id,
        code=refusal.code,
        rules=refusal.rules,
        message=refusal.message,
    )
