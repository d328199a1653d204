"""What the tables do about published messages of others: who sits where and with how much, who deals."""

from typing import Final

from cardroom.adapters.bus.envelope import Received
from cardroom.api.house.v1 import house_events_pb2 as house
from cardroom.api.seating.v1 import seating_events_pb2 as seating
from cardroom.api.timecollection.v1 import timecollection_events_pb2 as time
from cardroom.api.waitlist.v1 import waitlist_events_pb2 as waitlist
from cardroom.kernel.decisions import Command
from cardroom.known.inbox import note_house
from cardroom.tables import commands as c
from cardroom.tables.seats import Arrival

ARRIVALS: Final = {
    "no_post": Arrival.NO_POST,
    "free_until_second_pass": Arrival.MUST_MOVE,
    "owes_missed": Arrival.OWES,
}
"""What seating says about coming in -> how the player came to the seat; everybody else is a new player."""


def from_house(received: Received) -> tuple[Command, ...]:
    """Return the commands that a message of the house means here."""
    match received.payload:
        case house.DealerPushed() as told:
            return (
                c.SetDealer(
                    room=told.room,
                    table=told.dealing.table,
                    dealer=told.dealing.dealer,
                    as_fact=True,
                ),
            )
        case house.DealerRelieved() as told:
            return (c.SetDealer(room=told.room, table=told.table, dealer="", as_fact=True),)
        case _:
            return note_house(received)


def from_timecollection(received: Received) -> tuple[Command, ...]:
    """Return the commands by which time that was paid leaves the stacks it was paid from."""
    paid: tuple[tuple[int, str, int], ...]
    match received.payload:
        case time.TimePaid() as told:
            paid = ((told.seat, told.player_id, told.amount_cents),)
        case time.TimeTakenFromPot() as told:
            paid = tuple((one.seat, one.player_id, one.amount_cents) for one in told.paid_by)
        case _:
            return ()
    return tuple(
        c.RemoveChips(
            room=told.room,
            table=told.table,
            seat=seat,
            player=player,
            cents=cents,
            purpose="time",
            as_fact=True,
        )
        for seat, player, cents in paid
        if cents > 0
    )


def from_waitlist(received: Received) -> tuple[Command, ...]:
    """Return the commands by which a main game learns whether a must-move game feeds it."""
    match received.payload:
        case waitlist.MustMoveLinked() | waitlist.MustMoveUnlinked() as told:
            linked = isinstance(told, waitlist.MustMoveLinked)
            return (c.NoteMustMove(room=told.room, table=told.main, must_move_behind=linked),)
        case _:
            return ()


def from_seating(received: Received) -> tuple[Command, ...]:
    """Return the commands that a message of seating means here; what happened to a seat is a physical fact."""
    match received.payload:
        case seating.TableOpened() as told:
            return (
                c.OpenTable(
                    room=told.room,
                    table=told.table,
                    game_id=told.game_id,
                    seats=told.seats + told.extra_seats,
                    as_fact=True,
                ),
            )
        case seating.TableClosed() as told:
            return (c.CloseTable(room=told.room, table=told.table, as_fact=True),)
        case seating.TableBroken() as told:  # what is opened there next is another game
            return (
                c.CloseTable(
                    room=told.room, table=told.table, reason="the game broke", as_fact=True
                ),
            )
        case seating.GameChanged() as told:
            return (c.NoteGameChange(room=told.room, table=told.table, game_id=told.game_id),)
        case seating.DrawHeld(purpose="button") as told:
            return (
                c.DrawButton(
                    room=told.room,
                    table=told.table,
                    cards=tuple((int(card.who), card.card) for card in told.cards),
                    as_fact=True,
                ),
            )
        case seating.ChipsBought() as told:
            return (
                c.AddChips(
                    room=told.room,
                    table=told.table,
                    seat=told.seat,
                    player=told.player_id,
                    cents=told.amount_cents,
                    checked=True,
                ),
            )
        case _:
            return _of_seat(received)


def _of_seat(received: Received) -> tuple[Command, ...]:
    match received.payload:
        case seating.PlayerSeated() as told:
            return (
                c.SitPlayer(
                    room=told.room,
                    table=told.table,
                    seat=told.seat,
                    player=told.player_id,
                    stack_cents=told.buy_in_cents,
                    arrival=ARRIVALS.get(told.entry.kind, Arrival.NEW),
                    source="seating",
                ),
            )
        case seating.PlayerLeft() | seating.ChipsPickedUp() as told:
            taken = told.chips_cents if told.HasField("chips_cents") else None
            return (
                c.LeaveSeat(
                    room=told.room,
                    table=told.table,
                    seat=told.seat,
                    player=told.player_id,
                    stack_cents=taken,
                    reason=told.reason,
                    as_fact=True,
                ),
            )
        case seating.SeatChanged() as told:
            return (
                c.ChangeSeat(
                    room=told.room,
                    table=told.table,
                    seat=told.from_seat,
                    to_seat=told.to_seat,
                    player=told.player_id,
                    as_fact=True,
                ),
            )
        case seating.RecordRenamed() as told:
            return (
                c.RenamePlayer(
                    room=told.room,
                    table=told.table,
                    player=told.player_id,
                    into=told.into_id,
                    as_fact=True,
                ),
            )
        case seating.PlayOverChanged(play_over=over) as told:
            if not told.HasField("play_over"):
                return (c.EndPlayOver(room=told.room, table=told.table, seat=told.seat),)
            if not over.playing:
                return ()
            return (
                c.BeginPlayOver(
                    room=told.room,
                    table=told.table,
                    seat=told.seat,
                    player=over.player_id,
                    stack_cents=over.buy_in_cents,
                ),
            )
        case seating.SeatsSwapped() as told:
            first, second = told.seats
            return (
                c.SwapSeats(room=told.room, table=told.table, seats=(first, second), as_fact=True),
            )
        case _:
            return _of_presence(received)


def _of_presence(received: Received) -> tuple[Command, ...]:
    match received.payload:
        case seating.PlayerAway() | seating.PlayerBack() as told:
            return (
                c.NotePresence(
                    room=told.room,
                    table=told.table,
                    seat=told.seat,
                    player=told.player_id,
                    present=isinstance(told, seating.PlayerBack),
                    source="seating",
                    as_fact=True,
                ),
            )
        case seating.FullBuyInMet(excluded=True):
            return ()
        case seating.FullBuyInDue() | seating.FullBuyInMet() as told:
            return (
                c.NoteExclusion(
                    room=told.room,
                    table=told.table,
                    seat=told.seat,
                    player=told.player_id,
                    excluded=isinstance(told, seating.FullBuyInDue),
                    as_fact=True,
                ),
            )
        case seating.PlayerExcluded() | seating.PlayerReadmitted() as told:
            return (
                c.NoteExclusion(
                    room=told.room,
                    table=told.table,
                    seat=told.seat,
                    player=told.player_id,
                    excluded=isinstance(told, seating.PlayerExcluded),
                    as_fact=True,
                ),
            )
        case _:
            return ()
