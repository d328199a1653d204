"""The table: a frozen state and how recorded events change it. No house rule is applied here."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import Aggregate, StreamId, stream_id
from cardroom.known.games import Game
from cardroom.tables import table_events as ev
from cardroom.tables.positions import Rotation, between, passed
from cardroom.tables.seats import Arrival, Seat, WayIn


class Before(msgspec.Struct, frozen=True, kw_only=True):
    """What a hand that turns out void is dealt again from: button, blinds and how each player stood."""

    rotation: Rotation | None
    first_button: int
    hands_this_game: int
    revolution_done: bool
    blinds_passed: frozenset[int]
    correction: tuple[int, tuple[int, ...]] | None
    carried_cents: int
    missed_collections: dict[int, int]
    seats: dict[int, Seat]


class RunningHand(msgspec.Struct, frozen=True, kw_only=True):
    """The hand that is being played, as the table keeps it.

    Args:
        number: its number.
        dealt: seats that got a hand.
        dead_cents: missed collections and chips carried from the deal before that lie in its pot.
        before: what it is dealt again from, should it turn out void.
    """

    number: int
    dealt: frozenset[int]
    dead_cents: int = 0
    before: Before | None = None


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table as it stands.

    Args:
        room: the room.
        table: the table's id.
        is_open: whether it is open; a table that never was, or was closed, takes only `OpenTable`.
        game: what is played from the next hand on.
        book_digest: the resolved book in force from the next hand on.
        seat_count: number of seats.
        capture: `counted`, `ruling_facts` or `every_action`.
        dealer: who deals; empty where nobody does.
        must_move_behind: whether a must-move game feeds it.
        seats: occupied seats by number.
        account_cents: chips that must be on the table by all that came and went; None where something is not known.
        common_cents: those of them that stand in stacks nobody counted; None where the account is not known.
        carried_cents: chips in the middle that wait for the next deal.
        impounds: dispute -> chips the house holds.
        rotation: where button and blinds stood on the last hand; None before a game's first hand.
        first_button: seat that drew the first button; 0 before the draw.
        correction: (button, blinds) to be played on the next hand instead of the usual ones.
        last_hand: number of the last hand, 0 before the first.
        last_frame: how that hand was opened; None before the first.
        last_closed: how the last hand that is over ended; None before the first.
        hands_this_game: how many hands were started since the button was drawn.
        revolution_done: whether the button has gone once fully round since then.
        blinds_passed: seats that the blinds have passed since then.
        hand: the hand in play.
        shuffling: number of the hand for which the shuffle has begun; 0 where none has.
        leaving: seats of the hand in play whose players have left, with the reason.
        sitting: who has sat down in such a seat.
        mucked_hand: number of the last hand whose cards have all gone into the muck.
        asked_game: a change of game that waits for approval: game, digest, objecting seats.
        deck_at_hand: number of the first hand with the present deck.
        setup_at: when the last setup came, as text of an instant; empty where none has.
        scrambles: (seat, hand) at which each player last asked for a scramble.
        open_disputes: dispute -> whether the next deal waits for it.
    """

    room: str = ""
    table: str = ""
    is_open: bool = False
    game: Game | None = None
    book_digest: str = ""
    seat_count: int = 0
    capture: str = ""
    dealer: str = ""
    must_move_behind: bool = False
    seats: dict[int, Seat] = {}
    account_cents: int | None = 0
    common_cents: int | None = 0
    carried_cents: int = 0
    impounds: dict[str, int] = {}
    rotation: Rotation | None = None
    first_button: int = 0
    correction: tuple[int, tuple[int, ...]] | None = None
    last_hand: int = 0
    last_frame: ev.HandOpened | None = None
    last_closed: ev.HandClosed | None = None
    hands_this_game: int = 0
    revolution_done: bool = False
    blinds_passed: frozenset[int] = frozenset()
    hand: RunningHand | None = None
    shuffling: int = 0
    leaving: dict[int, str] = {}
    sitting: tuple[ev.Sat, ...] = ()
    mucked_hand: int = 0
    asked_game: tuple[Game, str, tuple[int, ...]] | None = None
    deck_at_hand: int = 1
    setup_at: str = ""
    scrambles: tuple[tuple[int, int], ...] = ()
    open_disputes: dict[str, bool] = {}

    def the_game(self) -> Game:
        """Return the game; only an open table has one."""
        assert self.game is not None
        return self.game

    def at(self, seat: int) -> Seat:
        """Return who sits in a seat.

        Raises:
            Refused: CR-4, the table has no such seat; CR-2, nobody sits there.
        """
        self.check_seat(seat)
        if seat not in self.seats:
            raise Refused("SEAT_EMPTY", "CR-2", f"nobody sits in seat {seat}", field="seat")
        return self.seats[seat]

    def check_seat(self, seat: int, field: str = "seat") -> None:
        """Refuse a seat that the table does not have (CR-4)."""
        if not 1 <= seat <= self.seat_count:
            raise Refused(
                "SEAT_OUT_OF_RANGE",
                "CR-4",
                f"{field} is {seat}: table {self.table} has seats 1 to {self.seat_count}",
                field=field,
            )

    def seat_of(self, player: str) -> Seat | None:
        """Return where a player sits, None where he does not sit here."""
        return next((seat for seat in self.seats.values() if seat.player == player), None)

    @property
    def stacks_known(self) -> bool:
        """Whether every stack on the table is known."""
        return all(seat.stack_cents is not None for seat in self.seats.values())


EMPTY: Final = Table()


def table_id(room: str, table: str) -> StreamId:
    """Return the stem of a table's stream."""
    return stream_id("table", room, table)


def hand_id(room: str, table: str, number: int) -> StreamId:
    """Return the stream of a hand, by its number at its table."""
    return stream_id("hand", room, table, f"{number:06d}")


def opened_table(table: Table, name: str) -> Table:
    """Return a table that is open.

    Raises:
        Refused: CR-2, it never was opened; CR-6, it is closed.
    """
    if not table.table:
        raise Unknown("table", name, field="table")
    if not table.is_open:
        raise Refused("TABLE_CLOSED", "CR-6", f"table {name} is closed", field="table")
    return table


def change(state: Any, **fields: Any) -> Any:
    """Return a frozen value with some fields changed."""
    return msgspec.structs.replace(state, **fields)


def _with(table: Table, *seats: Seat, **fields: Any) -> Table:
    merged = dict(sorted({**table.seats, **{seat.seat: seat for seat in seats}}.items()))
    return change(table, seats=merged, **fields)  # type: ignore[no-any-return]


def _plus(amount: int | None, more: int | None) -> int | None:
    return None if amount is None or more is None else amount + more


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
        last_hand=table.last_hand,
        deck_at_hand=table.last_hand + 1,
        setup_at=table.setup_at,
    )


def _closed(table: Table, _: ev.Closed) -> Table:
    return Table(
        room=table.room, table=table.table, last_hand=table.last_hand, setup_at=table.setup_at
    )


def _sat(table: Table, e: ev.Sat) -> Table:
    stack = _plus(e.stack_cents, e.announced_cents if e.announced_play else 0)
    seat = Seat(
        seat=e.seat,
        player=e.player,
        stack_cents=stack,
        behind_cents=e.announced_cents if e.announced_play else 0,
        arriving_cents=0 if e.announced_play else e.announced_cents,
        arrival=e.arrival,
        brought_cents=stack,
    )
    account = _plus(table.account_cents, stack)
    return _with(
        table,
        seat,
        account_cents=account,
        common_cents=table.common_cents if account is not None else None,
        sitting=tuple(one for one in table.sitting if one.seat != e.seat),
    )


def _left(table: Table, e: ev.Left) -> Table:
    seats = {number: seat for number, seat in table.seats.items() if number != e.seat}
    account = _plus(table.account_cents, None if e.stack_cents is None else -e.stack_cents)
    common = None if account is None else _plus(table.common_cents, -e.from_common_cents)
    leaving = {number: why for number, why in table.leaving.items() if number != e.seat}
    return change(  # type: ignore[no-any-return]
        table, seats=seats, account_cents=account, common_cents=common, leaving=leaving
    )


def _seat_changed(table: Table, e: ev.SeatChanged) -> Table:
    moved = change(
        table.seats[e.seat], seat=e.to_seat, wait_hands=e.wait_hands, way_in=WayIn.UNSAID
    )
    if not e.keeps_standing:
        moved = change(
            moved, arrival=e.arrival, played=False, passes_big=0, passes_small=0, passes_button=0
        )
    seats = {number: seat for number, seat in table.seats.items() if number != e.seat}
    return _with(change(table, seats=seats), moved)


def _swapped(table: Table, e: ev.SeatsSwapped) -> Table:
    first, second = (table.seats[number] for number in e.seats)
    return _with(
        table,
        change(first, seat=second.seat, wait_hands=e.wait_hands[0], way_in=WayIn.UNSAID),
        change(second, seat=first.seat, wait_hands=e.wait_hands[1], way_in=WayIn.UNSAID),
    )


def _announced(table: Table, e: ev.ChipsAnnounced) -> Table:
    seat = table.seats[e.seat]
    if not e.plays:
        return _with(table, change(seat, arriving_cents=seat.arriving_cents + e.cents))
    return _with(
        table,
        change(
            seat,
            stack_cents=_plus(seat.stack_cents, e.cents),
            behind_cents=seat.behind_cents + e.cents,
            brought_cents=_plus(seat.brought_cents, e.cents),
        ),
        account_cents=_plus(table.account_cents, e.cents),
        common_cents=table.common_cents
        if seat.stack_cents is not None
        else _plus(table.common_cents, e.cents),
    )


def _arrived(table: Table, e: ev.ChipsArrived) -> Table:
    seat = table.seats[e.seat]
    behind = e.counted_before_cents
    fresh = e.cents - behind
    seat = change(
        seat,
        behind_cents=seat.behind_cents - behind,
        safe_cents=max(0, seat.safe_cents - (e.cents if e.restored else 0)),
        arriving_cents=max(0, seat.arriving_cents - (e.announced_cents - behind)),
        short_buy_ins=(0 if e.full else seat.short_buy_ins) + (1 if e.short else 0),
        brought_cents=_plus(seat.brought_cents, fresh),
    )
    account = _plus(table.account_cents, fresh)
    if e.from_next_hand and seat.stack_cents is not None:
        return _with(
            table, change(seat, pending_cents=seat.pending_cents + fresh), account_cents=account
        )
    if seat.stack_cents is None:
        return _with(
            table, seat, account_cents=account, common_cents=_plus(table.common_cents, fresh)
        )
    return _with(table, change(seat, stack_cents=seat.stack_cents + fresh), account_cents=account)


def _removed(table: Table, e: ev.ChipsRemoved) -> Table:
    account = _plus(table.account_cents, -e.cents)
    common = _plus(table.common_cents, -e.from_common_cents)
    seat = table.seats.get(e.seat)
    if seat is None:
        return change(table, account_cents=account, common_cents=common)  # type: ignore[no-any-return]
    if e.purpose == "safekeeping_while_away":
        seat = change(seat, safe_cents=seat.safe_cents + e.cents)
    cents = e.cents - e.from_common_cents
    if e.from_next_hand:
        seat = change(seat, pending_cents=seat.pending_cents - cents)
    else:
        seat = change(seat, stack_cents=_plus(seat.stack_cents, -cents))
    return _with(table, seat, account_cents=account, common_cents=common)


def _counted(table: Table, e: ev.StacksCounted) -> Table:
    common = table.common_cents
    seats = []
    for number, cents in e.stacks:
        seat = table.seats[number]
        common = _plus(common, (seat.stack_cents or 0) - cents)
        seats.append(change(seat, stack_cents=cents))
    after = _with(table, *seats, common_cents=common)
    if not after.stacks_known:
        return after
    on_table = sum((seat.stack_cents or 0) + seat.pending_cents for seat in after.seats.values())
    total = on_table + after.carried_cents + sum(after.impounds.values())
    return change(after, account_cents=total, common_cents=0)  # type: ignore[no-any-return]


def _corrected(table: Table, e: ev.StacksCorrected) -> Table:
    common = table.common_cents
    seats = []
    for number, cents in e.moves:
        seat = table.seats[number]
        if seat.stack_cents is None:
            common = _plus(common, cents)
        seats.append(change(seat, stack_cents=_plus(seat.stack_cents, cents)))
    return _with(
        table,
        *seats,
        common_cents=common,
        account_cents=_plus(table.account_cents, e.house_cents),
    )


def _button_drawn(table: Table, e: ev.ButtonDrawn) -> Table:
    drew = [
        change(table.seats[seat], arrival=Arrival.DREW, played=True)
        for seat, _ in e.cards
        if seat in table.seats
    ]
    return _with(
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
    return _with(
        table,
        *seats,
        first_button=e.rotation.button,
        rotation=e.rotation,
        revolution_done=True,
        hands_this_game=max(1, table.hands_this_game),
    )


def _opened_hand(table: Table, e: ev.HandOpened) -> Table:
    dealt = frozenset(one.seat for one in e.dealt)
    short = {out.seat for out in e.left_out if out.reason == "COLLECTION_SHORT"}
    taken = dict(e.missed_collections)
    seats = []
    for number, seat in table.seats.items():
        if number in dealt:
            seats.append(_in_the_hand(seat))
            continue
        big, small, button = (
            number in path for path in (e.passed.big, e.passed.small, e.passed.button)
        )
        cents = taken.get(number, 0)
        seats.append(
            change(
                seat,
                missed_big=seat.missed_big or big,
                missed_small=seat.missed_small or small,
                missed_button=seat.missed_button or button,
                passes_big=seat.passes_big + big,
                passes_small=seat.passes_small + small,
                passes_button=seat.passes_button + button,
                wait_hands=max(0, seat.wait_hands - 1),
                passed_over=number in short,
                stack_cents=_plus(seat.stack_cents, -cents),
                collection_taken=seat.collection_taken or bool(cents),
            )
        )
    common = sum(
        cents for number, cents in taken.items() if table.seats[number].stack_cents is None
    )
    dead = sum(taken.values()) + e.carried_cents
    return _with(
        table,
        *seats,
        hand=RunningHand(number=e.hand, dealt=dealt, dead_cents=dead, before=_before(table, e)),
        carried_cents=0,
        common_cents=_plus(table.common_cents, -common),
        last_hand=e.hand,
        last_frame=e,
        hands_this_game=table.hands_this_game + 1,
        shuffling=0,
        correction=None if e.corrects else table.correction,
        **_turned(table, e),
    )


def _before(table: Table, e: ev.HandOpened) -> Before:
    return Before(
        rotation=table.rotation,
        first_button=table.first_button,
        hands_this_game=table.hands_this_game,
        revolution_done=table.revolution_done,
        blinds_passed=table.blinds_passed,
        correction=table.correction,
        carried_cents=table.carried_cents,
        missed_collections=dict(e.missed_collections),
        seats=table.seats,
    )


_STANDING: Final = (
    "played",
    "broke",
    "missed_big",
    "missed_small",
    "missed_button",
    "passes_big",
    "passes_small",
    "passes_button",
    "wait_hands",
    "must_post",
    "collection_taken",
    "passed_over",
    "way_in",
    "straddle_cents",
)


def _dealt_again(table: Table, before: Before) -> Table:
    """A void hand did not move button and blinds: they stand as before it, for the next deal."""
    seats = []
    common = _plus(table.common_cents, -before.carried_cents)
    for number, seat in table.seats.items():
        stood = before.seats.get(number)
        if stood is None or stood.player != seat.player:
            continue
        back = before.missed_collections.get(number, 0)
        common = _plus(common, -back if seat.stack_cents is not None else 0)
        seats.append(
            change(
                seat,
                stack_cents=_plus(seat.stack_cents, back),
                **{name: getattr(stood, name) for name in _STANDING},
            )
        )
    return _with(
        table,
        *seats,
        carried_cents=before.carried_cents,
        common_cents=common,
        rotation=before.rotation,
        first_button=before.first_button,
        hands_this_game=before.hands_this_game,
        revolution_done=before.revolution_done,
        blinds_passed=before.blinds_passed,
        correction=before.correction,
    )


def _turned(table: Table, e: ev.HandOpened) -> dict[str, Any]:
    """What the table remembers of button and blinds after a hand was started."""
    if e.corrects:
        return {}
    if table.rotation is None:
        last = e.rotation.blinds[-1] if e.rotation.blinds else e.rotation.button
        swept = {*between(e.rotation.button, last, table.seat_count), last}
        return {
            "rotation": e.rotation,
            "blinds_passed": frozenset(swept),
            "first_button": e.rotation.button,
        }
    paths = passed(table.rotation, e.rotation, table.seat_count)
    return {
        "rotation": e.rotation,
        "blinds_passed": table.blinds_passed | paths["big"],
        "revolution_done": table.revolution_done or table.first_button in paths["button"],
    }


def _in_the_hand(seat: Seat) -> Seat:
    return change(  # type: ignore[no-any-return]
        seat,
        played=True,
        broke=False,
        missed_big=False,
        missed_small=False,
        missed_button=False,
        passes_big=0,
        passes_small=0,
        passes_button=0,
        wait_hands=0,
        must_post=False,
        collection_taken=False,
        passed_over=False,
        way_in=WayIn.UNSAID,
        straddle_cents=0,
    )


def _closed_hand(table: Table, e: ev.HandClosed) -> Table:
    dead = table.hand.dead_cents if table.hand else 0
    common: int | None = _plus(table.common_cents, dead)
    seats = []
    for number, cents in e.stacks:
        if number not in table.seats:
            continue
        seat = table.seats[number]
        common = _plus(common, (seat.stack_cents or 0) - (cents or 0))
        common = _plus(common, seat.pending_cents if cents is None else 0)
        stack = _plus(cents, seat.pending_cents)
        if stack is not None and stack < 0:  # more was taken than the hand left him
            common, stack = _plus(common, stack), 0
        seats.append(
            change(
                seat,
                stack_cents=stack,
                pending_cents=0,
                broke=number in e.broke and not seat.pending_cents,
            )
        )
    out = sum(taken.cents for taken in e.taken)
    waiting = [
        change(seat, stack_cents=_plus(seat.stack_cents, seat.pending_cents), pending_cents=0)
        for number, seat in table.seats.items()
        if seat.pending_cents and number not in dict(e.stacks)
    ]
    closed = _with(
        table,
        *seats,
        *waiting,
        hand=None,
        last_closed=e,
        account_cents=_plus(table.account_cents, -out),
        common_cents=_plus(common, -out),
    )
    if e.void and table.hand is not None and table.hand.before is not None:
        return _dealt_again(closed, table.hand.before)
    return closed


def _reopened(table: Table, e: ev.HandReopened) -> Table:
    back = sum(taken.cents for taken in e.taken)
    common: int | None = _plus(table.common_cents, back - e.dead_cents)
    seats = []
    for number, cents in e.changes:
        seat = table.seats[number]
        if cents is None or seat.stack_cents is None:
            continue
        common = _plus(common, -cents)
        seats.append(change(seat, stack_cents=seat.stack_cents + cents, broke=False))
    return _with(
        table,
        *seats,
        hand=RunningHand(number=e.hand, dealt=frozenset(e.dealt), dead_cents=e.dead_cents),
        account_cents=_plus(table.account_cents, back),
        common_cents=common,
    )


def _chips_carried(table: Table, e: ev.ChipsCarried) -> Table:
    common = table.common_cents
    seats = []
    for number, cents in e.sources:
        seat = table.seats[number]
        if seat.stack_cents is None:
            common = _plus(common, -cents)
        seats.append(change(seat, stack_cents=_plus(seat.stack_cents, -cents)))
    carried = table.carried_cents + sum(cents for _, cents in e.sources)
    return _with(table, *seats, common_cents=common, carried_cents=carried)


def _impounded(table: Table, e: ev.Impounded) -> Table:
    seats, common = [], table.common_cents
    for number, cents in e.sources:
        seat = table.seats[number]
        if seat.stack_cents is None:
            common = _plus(common, -cents)
        seats.append(change(seat, stack_cents=_plus(seat.stack_cents, -cents)))
    held = sum(cents for _, cents in e.sources)
    impounds = {**table.impounds, e.dispute: table.impounds.get(e.dispute, 0) + held}
    return _with(table, *seats, impounds=impounds, common_cents=common)


def _released(table: Table, e: ev.ImpoundReleased) -> Table:
    seats, common = [], table.common_cents
    playing = table.hand.dealt if table.hand else frozenset[int]()
    for number, cents in e.awards:
        seat = table.seats[number]
        if number in playing and seat.stack_cents is not None:
            seats.append(change(seat, pending_cents=seat.pending_cents + cents))
            continue
        if seat.stack_cents is None:
            common = _plus(common, cents)
        seats.append(change(seat, stack_cents=_plus(seat.stack_cents, cents)))
    impounds = {name: cents for name, cents in table.impounds.items() if name != e.dispute}
    return _with(
        table,
        *seats,
        impounds=impounds,
        common_cents=common,
        account_cents=_plus(table.account_cents, -e.away_cents),
    )


def _carried(table: Table, e: ev.TableCarried) -> Table:
    if not e.is_open:
        return Table(room=e.room, table=e.table, last_hand=e.last_hand, setup_at=e.setup_at)
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
        seats={seat.seat: seat for seat in e.seats},
        account_cents=e.account_cents,
        common_cents=e.common_cents,
        carried_cents=e.carried_cents,
        impounds=dict(e.impounds),
        rotation=e.rotation,
        first_button=e.first_button,
        last_hand=e.last_hand,
        last_frame=e.last_frame,
        hands_this_game=e.hands_this_game,
        revolution_done=e.revolution_done,
        blinds_passed=frozenset(e.blinds_passed),
        deck_at_hand=e.deck_at_hand,
        setup_at=e.setup_at,
        open_disputes=dict(e.open_disputes),
    )


_EVOLVE: Final[Mapping[type, Callable[[Table, Any], Table]]] = {
    ev.Opened: _opened,
    ev.Closed: _closed,
    ev.GameChangeAsked: lambda t, e: change(t, asked_game=(e.game, e.book_digest, e.objecting)),
    ev.GameChanged: lambda t, e: change(t, game=e.game, book_digest=e.book_digest, asked_game=None),
    ev.CaptureChanged: lambda t, e: change(t, capture=e.capture),
    ev.DealerChanged: lambda t, e: change(t, dealer=e.dealer),
    ev.DeckChanged: lambda t, e: change(
        t, deck_at_hand=e.at_hand, setup_at=e.at if e.setup else t.setup_at
    ),
    ev.ScrambleAsked: lambda t, e: change(t, scrambles=(*t.scrambles, (e.seat, e.at_hand))),
    ev.Sat: _sat,
    ev.Left: _left,
    ev.SeatChanged: _seat_changed,
    ev.PresenceNoted: lambda t, e: _with(t, change(t.seats[e.seat], present=e.present)),
    ev.ExclusionNoted: lambda t, e: _with(t, change(t.seats[e.seat], excluded=e.excluded)),
    ev.LeavingNoted: lambda t, e: change(t, leaving={**t.leaving, e.seat: e.reason}),
    ev.SittingNoted: lambda t, e: change(t, sitting=(*t.sitting, e.sat)),
    ev.SeatsSwapped: _swapped,
    ev.ChipsAnnounced: _announced,
    ev.ChipsArrived: _arrived,
    ev.ChipsRemoved: _removed,
    ev.StacksCounted: _counted,
    ev.StacksCorrected: _corrected,
    ev.ButtonDrawn: _button_drawn,
    ev.ButtonPlaced: _button_placed,
    ev.ButtonCorrected: lambda t, e: change(t, correction=(e.button, e.blinds)),
    ev.WayInChosen: lambda t, e: _with(
        t,
        change(
            t.seats[e.seat],
            way_in=e.way,
            straddle_cents=e.cents if e.way is WayIn.STRADDLE else 0,
        ),
    ),
    ev.PostingSanctioned: lambda t, e: _with(t, change(t.seats[e.seat], must_post=True)),
    ev.ShuffleStarted: lambda t, e: change(t, shuffling=e.hand),
    ev.HandsMucked: lambda t, e: change(t, mucked_hand=e.hand),
    ev.HandOpened: _opened_hand,
    ev.HandClosed: _closed_hand,
    ev.HandReopened: _reopened,
    ev.ChipsCarried: _chips_carried,
    ev.DisputeNoted: lambda t, e: change(
        t, open_disputes={**t.open_disputes, e.dispute: e.holds_deal}
    ),
    ev.DisputeSettled: lambda t, e: change(
        t, open_disputes={name: h for name, h in t.open_disputes.items() if name != e.dispute}
    ),
    ev.Impounded: _impounded,
    ev.ImpoundReleased: _released,
    ev.DayClosed: lambda t, e: t,
    ev.TableCarried: _carried,
}


def evolve(table: Table, event: Any) -> Table:
    """Return the table after an event."""
    return _EVOLVE[type(event)](table, event)


TABLE_EVENTS: Final = tuple(_EVOLVE)
TABLE: Final = Aggregate(kind="table", initial=EMPTY, evolve=evolve, day_bound=True)


def hand_in_progress(table: Table) -> int:
    """Return the number of the hand in progress, from its shuffle to its winner; 0 between hands."""
    return table.shuffling or (table.hand.number if table.hand else 0)


def unexplained_cents(table: Table) -> int | None:
    """Return chips on the table beyond its account: 0 by conservation, None where not everything is known."""
    if table.account_cents is None or table.common_cents is None:
        return None
    stacks = sum((seat.stack_cents or 0) + seat.pending_cents for seat in table.seats.values())
    dead = table.hand.dead_cents if table.hand else 0
    on_table = (
        stacks + table.common_cents + table.carried_cents + sum(table.impounds.values()) + dead
    )
    return on_table - table.account_cents
