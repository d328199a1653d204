"""How recorded events change a table. No house rule is applied here: the events carry the outcomes."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from cardroom.kernel.streams import Aggregate
from cardroom.tables import chip_events as ce
from cardroom.tables import deal_events as de
from cardroom.tables import table_chip_folds as chips_of
from cardroom.tables import table_events as ev
from cardroom.tables.seats import Arrival, Seat, WayIn
from cardroom.tables.table import EMPTY, Table, change, plus, with_seats
from cardroom.tables.table_hand_folds import closed_hand, opened_hand, reopened_hand


def _opened(table: Table, e: ev.Opened) -> Table:
    return Table(
        room=e.room,
        table=e.table,
        is_open=True,
        game=e.game,
        book_digest=e.book_digest,
        seat_count=e.seats,
        capture=e.capture,
        must_move_behind=e.must_move_behind,
        feeder_linked=table.feeder_linked,
        tournament=e.tournament,
        dealer=table.dealer,
        last_hand=table.last_hand,
        deck_at_hand=table.last_hand + 1,
        setup_at=table.setup_at,
    )


def _closed(table: Table, _: ev.Closed) -> Table:
    return Table(
        room=table.room,
        table=table.table,
        dealer=table.dealer,
        feeder_linked=table.feeder_linked,
        last_hand=table.last_hand,
        last_frame=table.last_frame,
        setup_at=table.setup_at,
    )


def _sat(table: Table, e: ev.Sat) -> Table:
    stack = plus(e.stack_cents, e.announced_cents if e.announced_play else 0)
    seat = Seat(
        seat=e.seat,
        player=e.player,
        stack_cents=stack,
        behind_cents=e.announced_cents if e.announced_play else 0,
        arriving_cents=0 if e.announced_play else e.announced_cents,
        arrival=e.arrival,
        brought_cents=stack,
        present=e.present,
        excluded=e.excluded,
    )
    account = plus(table.account_cents, stack)
    return with_seats(
        table,
        seat,
        account_cents=account,
        common_cents=table.common_cents if account is not None else None,
        sitting=tuple(one for one in table.sitting if one.seat != e.seat),
    )


def _left(table: Table, e: ev.Left) -> Table:
    owner = table.boxed.get(e.seat)
    if owner is not None and owner.player == e.player:
        return _owner_left(table, e)
    seats = {number: seat for number, seat in table.seats.items() if number != e.seat}
    account = plus(table.account_cents, None if e.stack_cents is None else -e.stack_cents)
    common = None if account is None else plus(table.common_cents, -e.from_common_cents)
    leaving = {number: why for number, why in table.leaving.items() if number != e.seat}
    moving = {number: to for number, to in table.moving.items() if number != e.seat}
    along = {number: cents for number, cents in table.taken_along.items() if number != e.seat}
    return change(  # type: ignore[no-any-return]
        table,
        seats=seats,
        account_cents=account,
        common_cents=common,
        leaving=leaving,
        taken_along=along,
        moving=moving,
        overs=_without(table, e.seat),
    )


def _owner_left(table: Table, e: ev.Left) -> Table:
    """Whose seat is played over left; the seat is that of the one who sits there now."""
    account = plus(table.account_cents, None if e.stack_cents is None else -e.stack_cents)
    return change(  # type: ignore[no-any-return]
        table,
        boxed={number: seat for number, seat in table.boxed.items() if number != e.seat},
        account_cents=account,
        common_cents=None if account is None else plus(table.common_cents, -e.from_common_cents),
    )


def _without(table: Table, seat: int) -> dict[int, ev.PlayOverNoted]:
    return {number: over for number, over in table.overs.items() if number != seat}


def _over_noted(table: Table, e: ev.PlayOverNoted) -> Table:
    """What waits for the hand's end; an end takes back a beginning that has not come about."""
    begun = table.overs.get(e.seat)
    if begun is not None and begun.player and not e.player:
        return change(table, overs=_without(table, e.seat))  # type: ignore[no-any-return]
    return change(table, overs={**table.overs, e.seat: e})  # type: ignore[no-any-return]


def _over_began(table: Table, e: ev.PlayOverBegan) -> Table:
    boxed = {**table.boxed, e.seat: table.seats[e.seat]}
    seats = {number: seat for number, seat in table.seats.items() if number != e.seat}
    playing = Seat(
        seat=e.seat,
        player=e.player,
        stack_cents=e.stack_cents,
        arrival=Arrival.PLAY_OVER,
        brought_cents=e.stack_cents,
    )
    account = plus(table.account_cents, e.stack_cents)
    return with_seats(
        change(table, seats=seats, boxed=boxed, overs=_without(table, e.seat)),
        playing,
        account_cents=account,
        common_cents=table.common_cents if account is not None else None,
    )


def _over_ended(table: Table, e: ev.PlayOverEnded) -> Table:
    seat = table.seats[e.seat]
    known = (seat.stack_cents or 0) + seat.pending_cents
    seats = {number: one for number, one in table.seats.items() if number != e.seat}
    account = plus(table.account_cents, None if e.stack_cents is None else -e.stack_cents)
    beyond = (e.stack_cents or 0) - known
    return change(  # type: ignore[no-any-return]
        table,
        seats=seats,
        overs=_without(table, e.seat),
        account_cents=account,
        common_cents=None if account is None else plus(table.common_cents, -beyond),
    )


def _box_lifted(table: Table, e: ev.BoxLifted) -> Table:
    boxed = {number: seat for number, seat in table.boxed.items() if number != e.seat}
    return with_seats(change(table, boxed=boxed), table.boxed[e.seat])


def _boxed_noted(table: Table, e: ev.BoxedNoted) -> Table:
    owner = change(table.boxed[e.seat], present=e.present, excluded=e.excluded)
    return change(table, boxed={**table.boxed, e.seat: owner})  # type: ignore[no-any-return]


def _seat_changed(table: Table, e: ev.SeatChanged) -> Table:
    moved = change(
        table.seats[e.seat], seat=e.to_seat, wait_hands=e.wait_hands, way_in=WayIn.UNSAID
    )
    if not e.keeps_standing:
        moved = change(
            moved, arrival=e.arrival, played=False, passes_big=0, passes_small=0, passes_button=0
        )
    seats = {number: seat for number, seat in table.seats.items() if number != e.seat}
    moving = {number: to for number, to in table.moving.items() if number != e.seat}
    return with_seats(change(table, seats=seats, moving=moving), moved)


def _swapped(table: Table, e: ev.SeatsSwapped) -> Table:
    first, second = (table.seats[number] for number in e.seats)
    moving = {number: to for number, to in table.moving.items() if number not in e.seats}
    return with_seats(
        change(table, moving=moving),
        change(first, seat=second.seat, wait_hands=e.wait_hands[0], way_in=WayIn.UNSAID),
        change(second, seat=first.seat, wait_hands=e.wait_hands[1], way_in=WayIn.UNSAID),
    )


def _renamed(table: Table, e: ev.PlayerRenamed) -> Table:
    """His seat, and what is compared with it later, go on under the surviving record."""
    hand, closed = table.hand, table.last_closed
    before = hand.before if hand is not None else None
    if hand is not None and before is not None:
        stood = _under(before.seats, e)
        hand = change(hand, before=change(before, seats=stood))
    if closed is not None:
        dealt = tuple(
            (seat, e.into if player == e.player else player) for seat, player in closed.dealt
        )
        closed = change(closed, dealt=dealt)
    older = {old: e.into if now == e.player else now for old, now in table.known_as.items()}
    return change(  # type: ignore[no-any-return]
        table,
        seats=_under(table.seats, e),
        boxed=_under(table.boxed, e),
        sitting=tuple(
            change(one, player=e.into) if one.player == e.player else one for one in table.sitting
        ),
        hand=hand,
        last_closed=closed,
        known_as={**older, e.player: e.into},
    )


def _under(seats: dict[int, Seat], e: ev.PlayerRenamed) -> dict[int, Seat]:
    return {
        number: change(seat, player=e.into) if seat.player == e.player else seat
        for number, seat in seats.items()
    }


def _leaving(table: Table, e: ev.LeavingNoted) -> Table:
    along = {} if e.stack_cents is None else {e.seat: e.stack_cents}
    return change(  # type: ignore[no-any-return]
        table,
        leaving={**table.leaving, e.seat: e.reason},
        taken_along={**table.taken_along, **along},
    )


def _moving(table: Table, e: ev.MovingNoted) -> Table:
    moving = {number: to for number, to in table.moving.items() if number != e.seat}
    if e.to_seat != e.seat:  # who takes his old seat again stays there
        moving[e.seat] = e.to_seat
    return change(table, moving=moving)  # type: ignore[no-any-return]


def _waiting(table: Table, e: ev.SittingNoted) -> Table:
    others = tuple(one for one in table.sitting if one.player != e.sat.player)
    return change(table, sitting=(*others, e.sat))  # type: ignore[no-any-return]


def _button_drawn(table: Table, e: ev.ButtonDrawn) -> Table:
    drew = [
        change(table.seats[seat], arrival=Arrival.DREW, played=True)
        for seat, _ in e.cards
        if seat in table.seats
    ]
    return with_seats(
        table,
        *drew,
        first_button=e.button,
        rotation=None,
        hands_this_game=0,
        revolution_done=False,
        blinds_passed=frozenset(),
    )


def _button_placed(table: Table, e: ev.ButtonPlaced) -> Table:
    seats = [
        change(seat, played=True) if seat.arrival is Arrival.NEW and not seat.played else seat
        for seat in table.seats.values()
    ]
    return with_seats(
        table,
        *seats,
        first_button=e.rotation.button,
        rotation=e.rotation,
        revolution_done=True,
        hands_this_game=max(1, table.hands_this_game),
    )


def _carried(table: Table, e: ev.TableCarried) -> Table:
    if not e.is_open:
        return Table(
            room=e.room,
            table=e.table,
            dealer=e.dealer,
            feeder_linked=e.feeder_linked,
            last_hand=e.last_hand,
            setup_at=e.setup_at,
        )
    return Table(
        room=e.room,
        table=e.table,
        is_open=True,
        game=e.game,
        book_digest=e.book_digest,
        seat_count=e.seat_count,
        capture=e.capture,
        dealer=e.dealer,
        must_move_behind=e.must_move_behind,
        feeder_linked=e.feeder_linked,
        seats={seat.seat: seat for seat in e.seats},
        account_cents=e.account_cents,
        common_cents=e.common_cents,
        carried_cents=e.carried_cents,
        impounds=dict(e.impounds),
        rotation=e.rotation,
        first_button=e.first_button,
        last_hand=e.last_hand,
        last_frame=e.last_frame,
        last_closed=e.last_closed,
        shuffling=e.shuffling,
        mucked_hand=e.mucked_hand,
        hands_this_game=e.hands_this_game,
        revolution_done=e.revolution_done,
        blinds_passed=frozenset(e.blinds_passed),
        deck_at_hand=e.deck_at_hand,
        deck_use=e.deck_use,
        setup_at=e.setup_at,
        open_disputes=dict(e.open_disputes),
        called=e.called,
        boxed={seat.seat: seat for seat in e.boxed},
        tournament=e.tournament,
    )


_EVOLVE: Final[Mapping[type, Callable[[Table, Any], Table]]] = {
    ev.Opened: _opened,
    ev.Closed: _closed,
    ev.GameChangeAsked: lambda t, e: change(t, asked_game=e),
    ev.GameChanged: lambda t, e: change(
        t, game=e.game, book_digest=e.book_digest, asked_game=None, called=None
    ),
    ev.GameCalled: lambda t, e: change(t, called=e),
    ev.CaptureChanged: lambda t, e: change(t, capture=e.capture),
    ev.DealerChanged: lambda t, e: change(t, dealer=e.dealer),
    ev.DeckChanged: lambda t, e: change(
        t,
        deck_at_hand=e.at_hand,
        deck_use=ev.DeckUse(),
        setup_at=e.at if e.setup else t.setup_at,
    ),
    ev.ScrambleAsked: lambda t, e: change(t, scrambles=(*t.scrambles, (e.seat, e.at_hand))),
    ev.BookTaken: lambda t, e: change(t, game=e.game, book_digest=e.book_digest),
    ev.Sat: _sat,
    ev.Left: _left,
    ev.PlayOverBegan: _over_began,
    ev.PlayOverEnded: _over_ended,
    ev.PlayOverNoted: _over_noted,
    ev.BoxLifted: _box_lifted,
    ev.BoxedNoted: _boxed_noted,
    ev.SeatChanged: _seat_changed,
    ev.PresenceNoted: lambda t, e: with_seats(t, change(t.seats[e.seat], present=e.present)),
    ev.ExclusionNoted: lambda t, e: with_seats(t, change(t.seats[e.seat], excluded=e.excluded)),
    ev.LeavingNoted: _leaving,
    ev.ClosingNoted: lambda t, e: change(t, closing=e.reason),
    ev.MovingNoted: _moving,
    ev.SittingNoted: _waiting,
    ev.SittingEnded: lambda t, e: change(
        t, sitting=tuple(one for one in t.sitting if one.player != e.player)
    ),
    ev.SeatsSwapped: _swapped,
    ev.PlayerRenamed: _renamed,
    ev.MustMoveNoted: lambda t, e: change(
        t, must_move_behind=e.must_move_behind, feeder_linked=e.must_move_behind
    ),
    ce.ChipsAnnounced: chips_of.announced,
    ce.ChipsArrived: chips_of.arrived,
    ce.ChipsRemoved: chips_of.removed,
    ce.TakenBeforeClosing: lambda t, _: t,
    ce.StacksCounted: chips_of.counted,
    ce.StacksCorrected: chips_of.corrected,
    ev.ButtonDrawn: _button_drawn,
    ev.ButtonPlaced: _button_placed,
    ev.ButtonCorrected: lambda t, e: change(t, correction=(e.button, e.blinds)),
    ev.WayInChosen: lambda t, e: with_seats(
        t,
        change(
            t.seats[e.seat],
            way_in=e.way,
            straddle_cents=e.cents if e.way is WayIn.STRADDLE else 0,
        ),
    ),
    ev.PostingSanctioned: lambda t, e: with_seats(t, change(t.seats[e.seat], must_post=True)),
    de.ShuffleStarted: lambda t, e: change(t, shuffling=e.hand),
    de.HandsMucked: lambda t, e: change(t, mucked_hand=e.hand),
    de.HandOpened: opened_hand,
    de.HandClosed: closed_hand,
    de.HandReopened: reopened_hand,
    ce.ChipsCarried: chips_of.carried,
    ev.DisputeNoted: lambda t, e: change(
        t, open_disputes={**t.open_disputes, e.dispute: e.holds_deal}
    ),
    ev.DisputeSettled: lambda t, e: change(
        t, open_disputes={name: h for name, h in t.open_disputes.items() if name != e.dispute}
    ),
    ce.Impounded: chips_of.impounded,
    ce.ImpoundReleased: chips_of.released,
    ev.DayClosed: lambda t, e: t,
    ev.TableCarried: _carried,
}


def evolve(table: Table, event: Any) -> Table:
    """Return the table after an event."""
    return _EVOLVE[type(event)](table, event)


TABLE_EVENTS: Final = tuple(_EVOLVE)
TABLE: Final = Aggregate(kind="table", initial=EMPTY, evolve=evolve, day_bound=True)
