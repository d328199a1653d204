"""What each event makes of a table's collection."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.timecollection import events as e


def seat_of(state: e.CollectionState, seat: int) -> e.SeatState:
    """Return a seat of the table.

    Raises:
        Refused: CR-2, nobody sits there.
    """
    for one in state.seats:
        if one.seat == seat:
            return one
    raise Refused(
        "SEAT_EMPTY", "CR-2", f"nobody sits in seat {seat} of table {state.table}", field="seat"
    )


def _with_seat(state: e.CollectionState, seat: int, **changes: Any) -> e.CollectionState:
    return msgspec.structs.replace(
        state,
        seats=tuple(
            msgspec.structs.replace(one, **changes) if one.seat == seat else one
            for one in state.seats
        ),
    )


def evolve(state: e.CollectionState, event: Event) -> e.CollectionState:
    """Fold one event into a table's collection."""
    replace = msgspec.structs.replace
    match event:
        case e.CollectionOpened():
            return e.CollectionState(
                open=True,
                room=event.room,
                table=event.table,
                game_id=event.game_id,
                method=event.method,
                amount_cents=event.amount_cents,
                period_minutes=event.period_minutes,
                due_at=event.due_at,
                last_due_at=event.opened_at,
                must_move=event.must_move,
                seats=state.seats,
                waiting_count=state.waiting_count,
                collected_cents=state.collected_cents,
                departed=state.departed,
                arriving=state.arriving,
                absent=state.absent,
            )
        case e.CollectionClosed():
            gone = (*state.departed, *(one for one in state.seats if one.player_id))
            return replace(state, open=False, due_at=None, seats=(), departed=gone)
        case e.SeatOccupied():
            return _sat(state, event)
        case e.SeatVacated():
            left = tuple(one for one in state.seats if one.seat == event.seat and one.player_id)
            kept = tuple(one for one in state.seats if one.seat != event.seat)
            return replace(state, seats=kept, departed=(*state.departed, *left))
        case e.SeatsSwapped() | e.TimeCarriedAway() | e.TimeBroughtAlong() | e.RecordRenamed():
            return _placed(state, event)
        case e.MustMoveNoted():
            return replace(state, must_move=event.must_move)
        case e.AwayNoted():
            return _with_seat(state, event.seat, away=event.away)
        case e.AbsenceHeard():
            others = tuple(one for one in state.absent if one != event.player_id)
            return replace(state, absent=(*others, event.player_id) if event.away else others)
        case e.WaitingNoted():
            return replace(state, waiting_count=event.waiting_count)
        case e.TimeFellDue():
            return _fell_due(state, event)
        case e.TimeDueInAdvance():
            owing = _with_seat(state, event.seat, owes_cents=event.amount_cents)
            return replace(owing, waiting_when_due=event.waiting_count)
        case e.TimePaid():
            paid = _with_seat(
                state,
                event.seat,
                owes_cents=0,
                courtesy=False,
                courtesy_hands=0,
                courtesy_ended=False,
            )
            return replace(paid, collected_cents=state.collected_cents + event.cents)
        case e.TimeDeferred():
            return _with_seat(state, event.seat, courtesy=True, courtesy_hands=0)
        case e.CourtesyHandPlayed():
            return _with_seat(
                state, event.seat, courtesy_hands=seat_of(state, event.seat).courtesy_hands + 1
            )
        case e.CourtesyEnded():
            return _with_seat(state, event.seat, courtesy=False, courtesy_ended=True)
        case e.FirstHandNoted():
            if event.next_due_at is None:
                return replace(state, began_at=event.at)
            return replace(state, began_at=event.at, last_due_at=event.at, due_at=event.next_due_at)
        case e.TimeWaived():
            freed = tuple(
                replace(one, owes_cents=0, courtesy=False) if one.seat in event.seats else one
                for one in state.seats
            )
            return replace(state, seats=freed)
        case e.GameBroken():
            return replace(
                state,
                began_at=None,
                broken_at=event.at,
                due_at=None,
                pot_for_time=False,
                time_pot_hand="",
                time_pot_dealt=False,
            )
        case e.PotForTimeAgreed():
            agreed = tuple(
                replace(one, pays_alone=one.seat not in event.seats) for one in state.seats
            )
            return replace(state, pot_for_time=True, potting_since=event.at, seats=agreed)
        case e.PotForTimeEnded():
            return replace(state, pot_for_time=False, time_pot_hand="", time_pot_dealt=False)
        case e.OptedOut():
            if event.from_next:
                return _with_seat(state, event.seat, pays_alone_next=True)
            return _with_seat(state, event.seat, pays_alone=True)
        case e.TimePotStarted():
            return replace(
                state,
                time_pot_hand=event.hand_id,
                time_pot_dealt=True,
                time_pot_told=event.told,
            )
        case e.TimePotPassed():
            seats = tuple(_opted_out(one) for one in state.seats)
            return replace(state, seats=seats, time_pot_hand="", time_pot_dealt=False)
        case e.TimeTakenFromPot():
            seats = tuple(
                _opted_out(
                    replace(
                        one,
                        owes_cents=0 if one.seat in event.for_seats else one.owes_cents,
                        courtesy=one.courtesy and one.seat not in event.for_seats,
                        courtesy_ended=one.courtesy_ended and one.seat not in event.for_seats,
                    )
                )
                for one in state.seats
            )
            collected = state.collected_cents + event.cents
            return replace(
                state,
                seats=seats,
                time_pot_hand="",
                time_pot_dealt=False,
                time_taken_hand=event.hand_id,
                collected_cents=collected,
            )
        case e.MethodChanged():
            return replace(
                state,
                method=event.method,
                amount_cents=event.amount_cents,
                converted=not event.of_game,
                due_at=event.due_at,
                last_due_at=_period_began(state, event.due_at),
            )
        case e.GameChanged():
            return replace(
                state,
                game_id=event.game_id,
                converted=False,
                method=event.method,
                amount_cents=event.amount_cents,
                due_at=event.due_at,
                last_due_at=_period_began(state, event.due_at),
            )
        case e.ClockSet():
            return replace(state, due_at=event.next_due_at)
        case e.FloorCalled():
            return state
        case e.ButtonCollectionNoted():
            return replace(state, collected_cents=state.collected_cents + event.cents)
        case e.CollectionDayClosed():
            return state
        case e.CollectionCarriedForward():
            return event.state
    raise TypeError(f"a collection does not know {type(event).__name__}")


def _period_began(state: e.CollectionState, due_at: datetime | None) -> datetime | None:
    """Return when the period under way began; a clock that starts anew begins its first one then."""
    if due_at is None or due_at == state.due_at:
        return state.last_due_at
    return due_at - timedelta(minutes=state.period_minutes)


def _sat(state: e.CollectionState, event: e.SeatOccupied) -> e.CollectionState:
    """Seat a player; who only changes seats stays what he was: neither new nor rid of what he owes."""
    known = (*state.seats, *state.arriving)
    before = [one for one in known if one.player_id and one.player_id == event.player_id]
    taken = (
        msgspec.structs.replace(before[0], seat=event.seat)
        if before
        else e.SeatState(seat=event.seat, player_id=event.player_id, since=event.since)
    )
    if event.player_id in state.absent:
        taken = msgspec.structs.replace(taken, away=True)
        absent = tuple(one for one in state.absent if one != event.player_id)
        state = msgspec.structs.replace(state, absent=absent)
    return _seated(state, taken)


def _seated(state: e.CollectionState, *taken: e.SeatState) -> e.CollectionState:
    """Put players in their seats; they sit in no other, and nobody else sits there."""
    seats = {one.seat for one in taken}
    players_there = {one.player_id for one in taken if one.player_id}
    others = [
        one
        for one in state.seats
        if one.seat not in seats and (not one.player_id or one.player_id not in players_there)
    ]
    return msgspec.structs.replace(
        state,
        seats=tuple(sorted((*others, *taken), key=lambda one: one.seat)),
        departed=tuple(one for one in state.departed if one.player_id not in players_there),
        arriving=tuple(one for one in state.arriving if one.player_id not in players_there),
    )


def _placed(
    state: e.CollectionState,
    event: e.SeatsSwapped | e.TimeCarriedAway | e.TimeBroughtAlong | e.RecordRenamed,
) -> e.CollectionState:
    """Fold what moves a player's time to another seat, table or record."""
    replace = msgspec.structs.replace
    match event:
        case e.SeatsSwapped(seats=(first, second)):
            other = {first: second, second: first}
            seats = [replace(one, seat=other.get(one.seat, one.seat)) for one in state.seats]
            return replace(state, seats=tuple(sorted(seats, key=lambda one: one.seat)))
        case e.TimeCarriedAway(player_id=player):
            freed = tuple(
                replace(one, owes_cents=0, courtesy=False, courtesy_ended=False)
                if one.player_id == player
                else one
                for one in state.seats
            )
            departed = tuple(one for one in state.departed if one.player_id != player)
            return replace(state, seats=freed, departed=departed)
        case e.TimeBroughtAlong(seat=brought):
            if any(one.player_id == brought.player_id for one in state.seats):
                return _seated(state, brought)
            others = tuple(one for one in state.departed if one.player_id != brought.player_id)
            if len(others) != len(state.departed):
                return replace(state, departed=(*others, brought))
            return replace(state, arriving=(*state.arriving, brought))
        case e.RecordRenamed():
            return replace(
                state,
                seats=_under(state.seats, event),
                departed=_under(state.departed, event),
                arriving=_under(state.arriving, event),
                absent=tuple(
                    event.into_id if one == event.player_id else one for one in state.absent
                ),
            )


def _under(seats: tuple[e.SeatState, ...], event: e.RecordRenamed) -> tuple[e.SeatState, ...]:
    return tuple(
        msgspec.structs.replace(one, player_id=event.into_id)
        if one.player_id == event.player_id
        else one
        for one in seats
    )


def _opted_out(one: e.SeatState) -> e.SeatState:
    """Let a choice that came too late for a pot hold from the next one on."""
    return msgspec.structs.replace(
        one, pays_alone=one.pays_alone or one.pays_alone_next, pays_alone_next=False
    )


def _fell_due(state: e.CollectionState, event: e.TimeFellDue) -> e.CollectionState:
    seats = tuple(
        msgspec.structs.replace(
            one,
            owes_cents=one.owes_cents
            + (event.amount_cents if one.seat in event.owing_seats else 0),
            exempt=one.seat in event.exempt_seats,
            courtesy=False,
            courtesy_hands=0,
            courtesy_ended=one.courtesy_ended or (one.courtesy and one.owes_cents > 0),
        )
        for one in state.seats
    )
    return msgspec.structs.replace(
        state,
        seats=seats,
        amount_cents=event.amount_cents,
        last_due_at=event.at,
        due_at=event.next_due_at,
        waiting_when_due=event.waiting_count,
    )
