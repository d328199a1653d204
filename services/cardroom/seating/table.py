"""A table's seats: the state, how events change it, and its deadlines."""

from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec
from msgspec.structs import replace

from cardroom.kernel.streams import StreamId, stream_id
from cardroom.seating import events as e
from cardroom.seating.renaming import renamed
from cardroom.seating.values import (
    Deal,
    Displaced,
    EntryKind,
    LimitChange,
    MoveKind,
    Seat,
    Seated,
    SeatRequest,
)


class Phase(StrEnum):
    """What a table is."""

    IDLE = "idle"
    OPEN = "open"
    BROKEN = "broken"
    DAY_CLOSED = "day_closed"


class TableSeats(msgspec.Struct, frozen=True, kw_only=True):
    """The seats of one table.

    Args:
        phase: what the table is.
        room: its room.
        table: its id.
        game_id: the game spread there.
        usual_seats: seats of a full game.
        seats: the seats, from number 1.
        opened_at: when the game opened.
        feeds: the main table of a must-move game, or empty.
        order: names called for the new game, in list order.
        arrivals: called players who reached the table, and when.
        requests: wishes for another seat, oldest first.
        waiting: names that wait for this game.
        deal: the last hand that began.
        hand_live: whether it still goes on.
        limit_change: a proposed change of the game.
        displaced: players of a broken game.
        seats_sufficed: whether other games of the limit had a seat for each of them.
        first_button: the button's seat in the first hand.
        round_done: whether the button has gone once round since.
    """

    phase: Phase = Phase.IDLE
    room: str = ""
    table: str = ""
    game_id: str = ""
    usual_seats: int = 0
    seats: tuple[Seat, ...] = ()
    opened_at: datetime | None = None
    feeds: str = ""
    order: tuple[str, ...] = ()
    arrivals: tuple[tuple[str, datetime], ...] = ()
    requests: tuple[SeatRequest, ...] = ()
    waiting: int = 0
    deal: Deal | None = None
    hand_live: bool = False
    limit_change: LimitChange | None = None
    displaced: tuple[Displaced, ...] = ()
    seats_sufficed: bool = False
    first_button: int = 0
    round_done: bool = False

    def seat(self, number: int) -> Seat | None:
        """Return a seat by its number, None where the table has none such."""
        return self.seats[number - 1] if 1 <= number <= len(self.seats) else None

    def seat_of(self, player_id: str) -> Seat | None:
        """Return the seat in which a player sits."""
        return next((s for s in self.seats if s.seated and s.seated.player_id == player_id), None)

    def lock_of(self, player_id: str) -> Seat | None:
        """Return the seat that is kept for a player."""
        return next((s for s in self.seats if s.lock and s.lock.player_id == player_id), None)

    @property
    def taken(self) -> tuple[Seat, ...]:
        """The seats in which somebody sits."""
        return tuple(s for s in self.seats if s.seated)

    @property
    def player_count(self) -> int:
        """How many players have a seat, present or not."""
        return sum(1 for s in self.seats if s.seated)

    @property
    def present_count(self) -> int:
        """How many players are at the table."""
        return sum(1 for s in self.seats if s.seated and s.seated.away is None)

    @property
    def is_new(self) -> bool:
        """Whether the game has not yet dealt its first hand."""
        return self.deal is None

    @property
    def is_full(self) -> bool:
        """Whether every usual seat is taken."""
        return self.player_count >= self.usual_seats > 0


def seats_stream(room: str, table: str) -> StreamId:
    """Return the stream of a table's seats."""
    return stream_id("seats", room, table)


def clockwise(from_seat: int, to_seat: int, seats: int) -> int:
    """Return how many places a seat lies clockwise from another, 0 to seats - 1."""
    return (to_seat - from_seat) % seats if seats else 0


def _with_seat(state: TableSeats, number: int, **changes: Any) -> TableSeats:
    return replace(
        state,
        seats=tuple(replace(s, **changes) if s.number == number else s for s in state.seats),
    )


def _with_seated(state: TableSeats, number: int, **changes: Any) -> TableSeats:
    seat = state.seats[number - 1]
    if seat.seated is None:
        raise ValueError(f"seat {number} of {state.table} holds nobody")
    return _with_seat(state, number, seated=replace(seat.seated, **changes))


def _opened(event: e.TableOpened) -> TableSeats:
    return TableSeats(
        phase=Phase.OPEN,
        room=event.room,
        table=event.table,
        game_id=event.game_id,
        usual_seats=event.seats,
        seats=tuple(Seat(number=n) for n in range(1, event.seats + event.extra_seats + 1)),
        opened_at=event.at,
        feeds=event.feeds,
        order=event.order,
    )


def _seated(state: TableSeats, event: e.PlayerSeated) -> TableSeats:
    seated = Seated(
        player_id=event.player_id,
        since=event.at,
        entry=event.entry,
        bought_cents=event.buy_in_cents,
        missed_buttons=event.missed_buttons,
    )
    unlocked = replace(
        state,
        seats=tuple(
            replace(s, lock=None) if s.lock and s.lock.player_id == event.player_id else s
            for s in state.seats
        ),
    )
    return _with_seat(
        _filled(unlocked, event.seat),
        event.seat,
        seated=seated,
        lock=None,
        reserved_for="",
        reserved_cause="",
    )


def _with_declined(state: TableSeats, event: e.ChangeDeclined) -> TableSeats:
    requests = tuple(
        replace(r, declined=(*r.declined, event.seat)) if r.player_id == event.player_id else r
        for r in state.requests
    )
    return replace(state, requests=requests)


def _filled(state: TableSeats, number: int) -> TableSeats:
    """A seat was taken: when it opens again, those who did not want it are asked again."""
    requests = tuple(
        replace(r, declined=tuple(d for d in r.declined if d != number)) for r in state.requests
    )
    return replace(state, requests=requests)


def _vacated(state: TableSeats, number: int, player_id: str) -> TableSeats:
    state = _with_seat(state, number, seated=None, offered=False, button_passed=0)
    return replace(state, requests=tuple(r for r in state.requests if r.player_id != player_id))


def _changed(state: TableSeats, event: e.SeatChanged) -> TableSeats:
    old, new = state.seats[event.from_seat - 1], state.seats[event.to_seat - 1]
    if old.seated is None:
        raise ValueError(f"seat {event.from_seat} of {state.table} holds nobody")
    move = old.seated.move
    if move is not None and move.kind is MoveKind.SEAT_CHANGE:
        move = None
    seated = replace(old.seated, entry=event.entry, move=move, button_passes=0)
    state = _vacated(state, event.from_seat, event.player_id)
    if event.lock_moves:
        state = _with_seat(state, event.from_seat, lock=new.lock, offered=True)
    state = _filled(state, event.to_seat)
    return _with_seat(state, event.to_seat, seated=seated, lock=None, offered=False)


def _swapped(state: TableSeats, event: e.SeatsSwapped) -> TableSeats:
    one, other = (state.seats[n - 1].seated for n in event.seats)
    if one is None or other is None:
        raise ValueError(f"seats {event.seats} of {state.table} are not both taken")
    movers = {one.player_id, other.player_id}
    requests = tuple(
        r for r in state.requests if r.player_id not in movers or r.seat not in {0, *event.seats}
    )
    state = replace(state, requests=requests)
    state = _with_seat(state, event.seats[0], seated=replace(other, entry=event.entries[1]))
    return _with_seat(state, event.seats[1], seated=replace(one, entry=event.entries[0]))


def _hand(state: TableSeats, event: e.HandNoted) -> TableSeats:
    before, deal, size = state.deal, event.deal, len(state.seats)
    passed = set()
    if deal.button and before is not None and before.button:
        step = clockwise(before.button, deal.button, size)
        passed = {(before.button + k - 1) % size + 1 for k in range(1, step)}
    seats = []
    for seat in state.seats:
        by = 1 if seat.number in passed else 0
        seated = seat.seated
        playing = seated.substitute if seated else None
        after_first = playing is not None and deal.number > playing.from_hand
        if seated and playing and after_first and playing.button in {*passed, deal.button}:
            playing = replace(playing, rounds_played=playing.rounds_played + 1)
            seated = replace(seated, substitute=playing)
        if seated is not None:
            if seat.number in event.dealt_in:
                seated = replace(seated, entry=replace(seated.entry, kind=EntryKind.PLAYING))
                seated = replace(seated, button_passes=0, hold_button=False)
                if seated.missed_buttons:
                    seated = replace(seated, missed_buttons=0)
            elif by:
                seated = replace(seated, button_passes=seated.button_passes + 1)
        reached = clockwise(deal.button, seat.number, size)
        blind = deal.big > 0 and 0 < reached <= clockwise(deal.button, deal.big, size)
        seats.append(
            replace(
                seat,
                seated=seated,
                button_passed=seat.button_passed + by,
                blind_passed=seat.blind_passed or blind,
            )
        )
    first = state.first_button if before is not None else deal.button
    came_round = before is not None and first in {*passed, deal.button}
    return replace(
        state,
        seats=tuple(seats),
        deal=deal,
        hand_live=True,
        first_button=first,
        round_done=state.round_done or came_round,
    )


def _back(state: TableSeats, event: e.PlayerBack) -> TableSeats:
    seated = state.seats[event.seat - 1].seated
    if seated is None or seated.away is None:
        raise ValueError(f"seat {event.seat} of {state.table} holds nobody who is away")
    return _with_seated(
        state,
        event.seat,
        away=None,
        absences=(*seated.absences, (seated.away.since, event.at)),
        pick_up_rules=(),
        notice_until=None,
        substitute=None,
        substituted_rounds=0,
        play_over=None,
    )


def _bought(state: TableSeats, event: e.ChipsBought) -> TableSeats:
    seated = state.seats[event.seat - 1].seated
    if seated is None:
        raise ValueError(f"seat {event.seat} of {state.table} holds nobody")
    shorts = 0 if event.full else seated.short_buys + (1 if event.short else 0)
    return _with_seated(
        state,
        event.seat,
        bought_cents=seated.bought_cents + event.amount_cents,
        short_buys=shorts,
    )


def _away(state: TableSeats, event: e.PlayerAway) -> TableSeats:
    seated = state.seats[event.seat - 1].seated
    last = seated.last_meal_at if seated else None
    return _with_seated(
        state,
        event.seat,
        away=event.absence,
        hold_button=event.hold_button,
        last_meal_at=event.absence.since if event.absence.meal else last,
    )


def _carried(event: e.SeatsCarried) -> TableSeats:
    return TableSeats(
        phase=Phase(event.phase),
        room=event.room,
        table=event.table,
        game_id=event.game_id,
        usual_seats=event.usual_seats,
        opened_at=event.opened_at,
        feeds=event.feeds,
        waiting=event.waiting,
        seats=event.seats,
        requests=event.requests,
        deal=event.deal,
        displaced=event.displaced,
        order=event.order,
        arrivals=event.arrivals,
        hand_live=event.hand_live,
        limit_change=event.limit_change,
        seats_sufficed=event.seats_sufficed,
        first_button=event.first_button,
        round_done=event.round_done,
    )


def _order_set(state: TableSeats, event: e.SeatOrderSet) -> TableSeats:
    given = {player: (table, seat) for player, table, seat in event.given}
    return replace(
        state,
        seats_sufficed=event.seats_suffice,
        displaced=tuple(
            replace(
                d,
                drawn=event.order.index(d.player_id) + 1 if d.player_id in event.order else 0,
                seat_given=given.get(d.player_id, ("", 0)),
            )
            for d in state.displaced
        ),
    )


def _guests(state: TableSeats, seat: int, guest_id: str, *, comes: bool) -> TableSeats:
    seated = state.seats[seat - 1].seated
    others = tuple(g for g in seated.guests if g != guest_id) if seated else ()
    return _with_seated(state, seat, guests=(*others, guest_id) if comes else others)


def _on_table(state: TableSeats, event: Any) -> TableSeats | None:
    """Apply events that concern the table as a whole."""
    match event:
        case e.TableOpened():
            return replace(_opened(event), waiting=state.waiting)
        case e.NamesCalled(player_ids=names):
            new = tuple(name for name in names if name not in state.order)
            return replace(state, order=(*state.order, *new))
        case e.NameUncalled(player_id=player_id):
            return replace(state, order=tuple(n for n in state.order if n != player_id))
        case e.WaitingNoted(names=names):
            return replace(state, waiting=names)
        case e.ArrivalNoted():
            return replace(state, arrivals=(*state.arrivals, (event.player_id, event.at)))
        case e.HandNoted():
            return _hand(state, event)
        case e.HandEndNoted():
            return replace(state, hand_live=False)
        case e.ChangeRequested(request=request):
            kept = tuple(r for r in state.requests if r.player_id != request.player_id)
            return replace(state, requests=(*kept, request))
        case e.ChangeDeclined():
            if not event.cancelled:
                return _with_declined(state, event)
            kept = tuple(r for r in state.requests if r.player_id != event.player_id)
            return replace(state, requests=kept)
        case e.LimitChangeProposed():
            return replace(
                state, limit_change=LimitChange(game_id=event.game_id, raises=event.raises)
            )
        case e.LimitChangeObjected(player_id=player_id):
            change = state.limit_change
            if change is None:
                raise ValueError(f"no change is proposed at {state.table}")
            objections = (*change.objections, player_id)
            return replace(state, limit_change=replace(change, objections=objections))
        case e.LimitChangeDropped():
            return replace(state, limit_change=None)
        case e.GameChanged(game_id=game_id):
            return replace(state, game_id=game_id, limit_change=None)
        case e.TableBroken():
            cleared = tuple(Seat(number=s.number) for s in state.seats)
            return replace(
                state,
                phase=Phase.BROKEN,
                seats=cleared,
                displaced=event.players,
                requests=(),
                deal=None,
                hand_live=False,
            )
        case e.SeatOrderSet():
            return _order_set(state, event)
        case e.DisplacedMoved():
            left = tuple(d for d in state.displaced if d.player_id != event.player_id)
            return replace(state, displaced=left)
        case e.RecordRenamed():
            return renamed(state, event.player_id, event.into_id)
        case e.TableClosed():
            return replace(TableSeats(), room=event.room, table=event.table)
        case e.SeatsClosed():
            return replace(state, phase=Phase.DAY_CLOSED)
        case e.SeatsCarried():
            return _carried(event)
        case (
            e.GameStarted()
            | e.HandGranted()
            | e.DrawHeld()
            | e.SeatOpened()
            | e.AbsencesReviewed()
            | e.ListOrderFailed()
        ):
            return state
        case _:
            return None


def _on_seat(state: TableSeats, event: Any) -> TableSeats | None:
    """Apply events that concern a chair."""
    match event:
        case e.SeatLocked():
            return _with_seat(state, event.seat, lock=event.lock, button_passed=0)
        case e.SeatUnlocked():
            return _with_seat(state, event.seat, lock=None)
        case e.SeatReserved():
            return _with_seat(
                state, event.seat, reserved_for=event.player_id, reserved_cause=event.cause
            )
        case e.ReservationEnded():
            return _with_seat(state, event.seat, reserved_for="", reserved_cause="")
        case e.SeatOffered():
            return _with_seat(state, event.seat, offered=True)
        case e.SeatRemoved():
            return _with_seat(state, event.seat, removed=True)
        case e.SmokingSeatMarked():
            return _with_seat(state, event.seat, smoking=True)
        case e.PlayerSeated():
            return _seated(state, event)
        case e.PlayerLeft():
            return _vacated(state, event.seat, event.player_id)
        case e.SeatChanged():
            return _changed(state, event)
        case e.SeatsSwapped():
            return _swapped(state, event)
        case _:
            return None


def evolve(state: TableSeats, event: Any) -> TableSeats:
    """Return the seats after an event."""
    for apply in (_on_table, _on_seat, _on_seated):
        after = apply(state, event)
        if after is not None:
            return after
    raise TypeError(f"a table's seats hold no {type(event).__name__}")


def _on_seated(state: TableSeats, event: Any) -> TableSeats | None:
    """Apply events that concern a player in a seat."""
    match event:
        case e.EntryChanged():
            return _with_seated(state, event.seat, entry=event.entry)
        case e.PlayerAway():
            return _away(state, event)
        case e.AbsenceNotified():
            return _with_seated(state, event.seat, notice_until=event.until)
        case e.AbsenceExtended():
            seated = state.seats[event.seat - 1].seated
            if seated is None or seated.away is None:
                raise ValueError(f"seat {event.seat} of {state.table} holds nobody who is away")
            away = replace(seated.away, overdue_from=event.overdue_from, raised=False)
            return _with_seated(state, event.seat, away=away, pick_up_rules=())
        case e.PlayerBack():
            return _back(state, event)
        case e.MissedButtonGiven():
            return _with_seated(state, event.seat, missed_buttons=event.count, hold_button=False)
        case e.PickUpDue():
            seated = state.seats[event.seat - 1].seated
            raised = replace(seated.away, raised=True) if seated and seated.away else None
            return _with_seated(state, event.seat, pick_up_rules=event.rules, away=raised)
        case e.ChipsPickedUp():
            return state
        case e.GuestSeated():
            return _guests(state, event.seat, event.guest_id, comes=True)
        case e.GuestLeft():
            return _guests(state, event.seat, event.guest_id, comes=False)
        case e.PlayOverChanged():
            return _with_seated(state, event.seat, play_over=event.play_over)
        case e.SubstituteChanged():
            seated = state.seats[event.seat - 1].seated
            old = seated.substitute if seated else None
            used = (seated.substituted_rounds if seated else 0) + (
                old.rounds if old and event.substitute is None else 0
            )
            return _with_seated(
                state, event.seat, substitute=event.substitute, substituted_rounds=used
            )
        case e.MoveDue():
            return _with_seated(state, event.seat, move=event.move)
        case e.MoveCancelled():
            return _with_seated(state, event.seat, move=None)
        case e.ChipsBought():
            return _bought(state, event)
        case e.FullBuyInDue():
            return _with_seated(state, event.seat, full_due=event.rules)
        case e.FullBuyInMet():
            return _with_seated(state, event.seat, full_due=())
        case e.PlayerExcluded():
            return _with_seated(state, event.seat, exclusion=event.exclusion)
        case e.PlayerReadmitted():
            return _with_seated(state, event.seat, exclusion=None)
        case _:
            return None
