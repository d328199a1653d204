"""What a table keeps under a record, kept under another one of the same person."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from cardroom.seating.values import Seat

if TYPE_CHECKING:
    from cardroom.seating.table import TableSeats


def named(state: "TableSeats", player_id: str) -> bool:
    """Whether a table keeps anything under a record."""
    return renamed(state, player_id, "") != state


def renamed(state: "TableSeats", player_id: str, into_id: str) -> "TableSeats":
    """Return a table's seats with everything under a record kept under another.

    Args:
        state: the seats.
        player_id: the record that is no longer used.
        into_id: the surviving record.
    """

    def now(record: str) -> str:
        return into_id if record == player_id else record

    def each(records: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(now(record) for record in records))

    def of(values: tuple[Any, ...]) -> tuple[Any, ...]:
        kept = {one.player_id for one in values}
        return tuple(
            replace(one, player_id=now(one.player_id))
            for one in values
            if one.player_id != player_id or into_id not in kept
        )

    change = state.limit_change
    return replace(
        state,
        seats=tuple(_seat_under(seat, now) for seat in state.seats),
        order=each(state.order),
        arrivals=tuple((now(record), at) for record, at in state.arrivals),
        requests=of(state.requests),
        displaced=of(state.displaced),
        limit_change=change and replace(change, objections=each(change.objections)),
    )


def _seat_under(seat: Seat, now: Callable[[str], str]) -> Seat:
    """Return a seat under the records that count now."""
    lock, seated = seat.lock, seat.seated
    if lock is not None:
        lock = replace(lock, player_id=now(lock.player_id))
    if seated is not None:
        over, playing = seated.play_over, seated.substitute
        seated = replace(
            seated,
            player_id=now(seated.player_id),
            guests=tuple(now(guest) for guest in seated.guests),
            play_over=over and replace(over, player_id=now(over.player_id)),
            substitute=playing and replace(playing, player_id=now(playing.player_id)),
        )
    return replace(seat, lock=lock, seated=seated, reserved_for=now(seat.reserved_for))
