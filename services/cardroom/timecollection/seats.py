"""Who sits at a table: sitting down, leaving, changing places, and what is owed going along to another table."""

from typing import Any

import msgspec

from cardroom.kernel.decisions import Occasion
from cardroom.kernel.refusal import Refused
from cardroom.known.games import Game
from cardroom.rulebook.model import ResolvedBook
from cardroom.timecollection import commands as c
from cardroom.timecollection import events as e
from cardroom.timecollection.collection import (
    amount_now,
    awaits_first_hand,
    owed_in_advance,
    short_handed_call,
)
from cardroom.timecollection.folds import evolve, seat_of


def note_seat(
    command: c.NoteSeat,
    state: e.CollectionState,
    game: Game,
    rules: ResolvedBook,
    occasion: Occasion,
) -> tuple[Any, ...]:
    """Record that a player sat down; sitting down again in the same seat is the same fact.

    Raises:
        Refused: CR-4, the game has no such seat; what the tables tell may lie beyond, where a table has extra seats.
    """
    if not command.heard and not 1 <= command.seat <= game.seats:
        raise Refused(
            "SEAT_OUT_OF_RANGE",
            "CR-4",
            f"seat {command.seat}: the table has 1 to {game.seats}",
            field="seat",
        )
    for one in state.seats:
        if one.seat == command.seat and one.player_id == command.player_id:
            return ()
    known = (*state.seats, *state.arriving)
    new = all(one.player_id != command.player_id for one in known)
    sat = e.SeatOccupied(seat=command.seat, player_id=command.player_id, since=occasion.at)
    amount = amount_now(state, game)
    if not new or not awaits_first_hand(state) or not amount:
        return (sat,)
    owed = owed_in_advance(state, command.seat, command.player_id, rules, occasion.at, amount)
    return (sat, owed)


def sits_there(state: e.CollectionState, seat: int, player_id: str) -> bool:
    """Whether a player sits in a seat; an empty id asks for anybody."""
    return any(one.seat == seat and player_id in ("", one.player_id) for one in state.seats)


def note_left(
    command: c.NoteLeft, state: e.CollectionState, rules: ResolvedBook
) -> tuple[Any, ...]:
    """Record that a player left, and call the floor where the game is short-handed now (LC-145)."""
    if command.heard and not sits_there(state, command.seat, command.player_id):
        return ()
    seat = seat_of(state, command.seat)
    vacated = e.SeatVacated(seat=command.seat, unpaid_cents=seat.owes_cents)
    call = short_handed_call(state, evolve(state, vacated), rules)
    return (vacated, call) if call else (vacated,)


def note_away(
    command: c.NoteAway, state: e.CollectionState, rules: ResolvedBook
) -> tuple[Any, ...]:
    """Record that a player went away or came back; a game can get short-handed by it (LC-145)."""
    number = command.seat
    if command.heard:
        # Seating tells who is away, the tables who sits where: either may be ahead of the other.
        there = next((one for one in state.seats if one.player_id == command.player_id), None)
        if there is None:
            return absence_heard(command, state)
        number = there.seat
    if seat_of(state, number).away == command.away:
        return ()
    noted = e.AwayNoted(seat=number, away=command.away)
    call = short_handed_call(state, evolve(state, noted), rules)
    return (noted, call) if call else (noted,)


def absence_heard(command: c.NoteAway, state: e.CollectionState) -> tuple[Any, ...]:
    """Remember that a player is away who was not yet heard to sit at the table."""
    if not command.player_id or (command.player_id in state.absent) == command.away:
        return ()
    return (e.AbsenceHeard(player_id=command.player_id, away=command.away),)


def note_swap(command: c.NoteSwap, state: e.CollectionState) -> tuple[Any, ...]:
    """Record that two players changed places."""
    if not any(sits_there(state, seat, "") for seat in command.seats):
        return ()
    return (e.SeatsSwapped(seats=command.seats),)


def carry(
    command: c.CarryTime, left: e.CollectionState, joined: e.CollectionState, rules: ResolvedBook
) -> tuple[e.TimeCarriedAway, e.TimeBroughtAlong] | None:
    """Return what leaves one table's collection and comes to another's with a player who moved, or None.

    Who moved is no new player at the new table and owes there what was owed at the old one. A period paid for at the
    old table counts at a game that has not begun, so that nobody pays in advance twice.

    Args:
        command: who moved from where to where.
        left: the collection of the table left.
        joined: the collection of the table joined.
        rules: the book in force at the table left.
    """
    player = command.player_id
    known = [one for one in (*left.seats, *left.departed) if one.player_id == player]
    if not known or (left.method != "time" and not known[0].owes_cents):
        return None
    before = known[0]
    there = next(
        (one for one in (*joined.seats, *joined.departed) if one.player_id == player), None
    )
    owed_there = there.owes_cents if there else 0
    if left.method == "time" and left.began_at is not None and awaits_first_hand(joined):
        owed_there = 0
    arrived = msgspec.structs.replace(
        before,
        seat=there.seat if there else command.to_seat,
        away=there.away if there else before.away,
        owes_cents=before.owes_cents + owed_there,
        pays_alone=there.pays_alone if there else False,
        pays_alone_next=there.pays_alone_next if there else False,
    )
    return (
        e.TimeCarriedAway(
            seat=before.seat,
            player_id=player,
            to_table=command.to_table,
            owes_cents=before.owes_cents,
        ),
        e.TimeBroughtAlong(
            seat=arrived,
            from_table=command.table,
            rules=rules.cite(
                "collection.time_in_advance", "collection.time_new_player_exempt_max_waiting"
            ),
        ),
    )


def rename(command: c.RenameRecord, state: e.CollectionState) -> tuple[Any, ...]:
    """Record that a player has another record; where nobody is known by the old one nothing changes."""
    known = (*state.seats, *state.departed, *state.arriving)
    if all(one.player_id != command.player_id for one in known):
        return ()
    return (e.RecordRenamed(player_id=command.player_id, into_id=command.into_id),)
