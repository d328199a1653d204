"""What a person may do at a table now: each seat's answer and the buy-in, by running the very decisions that accept."""

import msgspec

from cardroom.kernel.refusal import Refused
from cardroom.known.standing import Standing
from cardroom.seating import commands as c
from cardroom.seating.buyin import Least, full_buy_in, least_to_sit
from cardroom.seating.changes import change_seat
from cardroom.seating.here import Here
from cardroom.seating.locks import lock_seat


class SeatOffer(msgspec.Struct, frozen=True):
    """Whether a person may have a seat; the refusal where not."""

    seat: int
    refusal: Refused | None


class Offer(msgspec.Struct, frozen=True):
    """What a person may do at a table.

    Args:
        seats: each seat of the table.
        least: the least buy-in, and why; None where it turns on chips that nobody counted.
        least_refusal: why the least is not known.
        full: the full buy-in.
        most_cents: the most; 0 for no limit.
        changes: whether the seats are offered as seat changes, the person being in the game.
    """

    seats: tuple[SeatOffer, ...]
    least: Least | None
    least_refusal: Refused | None
    full: Least
    most_cents: int
    changes: bool


def _lock(here: Here, number: int, player_id: str, standing: Standing | None) -> Refused | None:
    command = c.LockSeat(
        room=here.table.room,
        table=here.table.table,
        seat=number,
        player_id=player_id,
        standing=standing,
    )
    try:
        lock_seat(here, command)
    except Refused as refusal:
        return refusal
    return None


def _change(here: Here, number: int, player_id: str) -> Refused | None:
    command = c.ChangeSeat(
        room=here.table.room, table=here.table.table, seat=number, player_id=player_id
    )
    try:
        change_seat(here, command)
    except Refused as refusal:
        return refusal
    return None


def legal(here: Here, player_id: str, standing: Standing | None) -> Offer:
    """Return what a person may do at a table, with amounts and rules.

    Args:
        here: the table; its occasion says who asks, so that what only the floor may do is offered to the floor alone.
        player_id: the person.
        standing: what players answered; None where no answer came.
    """
    seated = here.table.seat_of(player_id) is not None
    seats = tuple(
        SeatOffer(
            seat.number,
            _change(here, seat.number, player_id)
            if seated
            else _lock(here, seat.number, player_id, standing),
        )
        for seat in here.table.seats
        if not seat.removed
    )
    least, unknown = None, None
    try:
        least = least_to_sit(here, player_id)
    except Refused as refusal:
        unknown = refusal
    return Offer(
        seats=seats,
        least=least,
        least_refusal=unknown,
        full=full_buy_in(here.game, here.book),
        most_cents=here.book.cents("buyin.maximum"),
        changes=seated,
    )
