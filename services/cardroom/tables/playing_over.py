"""Playing over: somebody plays in an absent player's seat, whose chips lie boxed and out of play."""

from cardroom.kernel.events import Event
from cardroom.tables import commands as c
from cardroom.tables import table_events as ev
from cardroom.tables.seats import Arrival, Seat
from cardroom.tables.table import Table

Events = tuple[Event, ...]


def owner_of(table: Table, player: str) -> Seat | None:
    """Return the boxed seat of a player, None where nobody plays over a seat of his.

    Args:
        table: the table.
        player: the player.
    """
    now = table.known_as.get(player, player)
    return next((seat for seat in table.boxed.values() if seat.player == now), None)


def _has_hand(table: Table, seat: int) -> bool:
    return table.hand is not None and seat in table.hand.dealt


def _played_over(table: Table, seat: int) -> bool:
    """Whether somebody sits there over another's chips; these may be gone, their owner having left meanwhile."""
    there = table.seats.get(seat)
    return there is not None and there.arrival is Arrival.PLAY_OVER


def begin_play_over(command: c.BeginPlayOver, table: Table) -> Events:
    """Record that somebody sat down over an absent player's chips; where the seat has a hand, it waits for its end.

    Where the seat is empty by now, it is simply his.

    Raises:
        Refused: CR-4, the table has no such seat.
    """
    table.check_seat(command.seat)
    if command.seat in table.boxed or command.seat in table.overs:
        return ()
    if _has_hand(table, command.seat):
        noted = ev.PlayOverNoted(
            seat=command.seat, player=command.player, stack_cents=command.stack_cents
        )
        return (noted,)
    return _begun(table, command.seat, command.player, command.stack_cents)


def _begun(table: Table, seat: int, player: str, stack_cents: int | None) -> Events:
    if seat in table.seats:
        return (ev.PlayOverBegan(seat=seat, player=player, stack_cents=stack_cents),)
    return (
        ev.Sat(
            seat=seat,
            player=player,
            stack_cents=stack_cents,
            arrival=Arrival.PLAY_OVER,
            source="seating",
        ),
    )


def end_play_over(command: c.EndPlayOver, table: Table) -> Events:
    """Record that nobody plays over a seat any more; in his hand it waits for its end."""
    if command.seat in table.overs:
        return (ev.PlayOverNoted(seat=command.seat),)
    if not _played_over(table, command.seat):
        return ()
    if _has_hand(table, command.seat):
        return (ev.PlayOverNoted(seat=command.seat),)
    return _ended(table, command.seat)


def _ended(table: Table, number: int) -> Events:
    seat = table.seats[number]
    known = None if seat.stack_cents is None else seat.stack_cents + seat.pending_cents
    ended = ev.PlayOverEnded(seat=number, player=seat.player, stack_cents=known)
    return (ended, *lifted(table, number))


def lifted(table: Table, number: int) -> Events:
    """Return that the box comes off a seat that nobody plays over any more, where there is one.

    Args:
        table: the table.
        number: the seat.
    """
    owner = table.boxed.get(number)
    return () if owner is None else (ev.BoxLifted(seat=number, player=owner.player),)


def after_the_hand(table: Table, number: int) -> Events:
    """Return what waited in a seat for the end of a hand.

    Args:
        table: the table, its hand closed and those who left gone.
        number: the seat.
    """
    over = table.overs[number]
    if not over.player:
        return _ended(table, number) if _played_over(table, number) else ()
    return _begun(table, number, over.player, over.stack_cents)
