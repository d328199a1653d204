"""How the start and the end of a hand change its table."""

from typing import Any, Final

from cardroom.tables import deal_events as de
from cardroom.tables import table_events as ev
from cardroom.tables.positions import between, passed
from cardroom.tables.seats import Seat, WayIn
from cardroom.tables.table import Before, RunningHand, Table, change, plus, with_seats


def opened_hand(table: Table, e: de.HandOpened) -> Table:
    """Return the table once a hand was started."""
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
                stack_cents=plus(seat.stack_cents, -cents),
                collection_taken=seat.collection_taken or bool(cents),
            )
        )
    common = sum(
        cents for number, cents in taken.items() if table.seats[number].stack_cents is None
    )
    dead = sum(taken.values()) + e.carried_cents
    return with_seats(
        table,
        *seats,
        hand=RunningHand(number=e.hand, dealt=dealt, dead_cents=dead, before=_before(table, e)),
        carried_cents=0,
        common_cents=plus(table.common_cents, -common),
        last_hand=e.hand,
        last_frame=e,
        hands_this_game=table.hands_this_game + 1,
        shuffling=0,
        correction=None if e.corrects else table.correction,
        deck_use=_deck_used(table, e),
        **_turned(table, e),
    )


def _deck_used(table: Table, e: de.HandOpened) -> ev.DeckUse:
    """How far the deck in use has gone round with this hand."""
    use = table.deck_use
    if not use.hands:
        return ev.DeckUse(button=e.button, players=len(e.dealt), hands=1)
    came_back = (
        table.rotation is not None
        and use.button in passed(table.rotation, e.rotation, table.seat_count)["button"]
    )
    return change(use, hands=use.hands + 1, rounds=use.rounds + came_back)  # type: ignore[no-any-return]


def _before(table: Table, e: de.HandOpened) -> Before:
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
        deck_use=table.deck_use,
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
    common = plus(table.common_cents, -before.carried_cents)
    for number, seat in table.seats.items():
        stood = before.seats.get(number)
        if stood is None or stood.player != seat.player:
            continue
        back = before.missed_collections.get(number, 0)
        common = plus(common, -back if seat.stack_cents is not None else 0)
        seats.append(
            change(
                seat,
                stack_cents=plus(seat.stack_cents, back),
                **{name: getattr(stood, name) for name in _STANDING},
            )
        )
    return with_seats(
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
        deck_use=before.deck_use,
    )


def _turned(table: Table, e: de.HandOpened) -> dict[str, Any]:
    """What the table remembers of button and blinds after a hand was started."""
    if e.corrects:
        return {}
    if table.rotation is None:
        last = e.rotation.blinds[-1] if e.rotation.blinds else e.rotation.button
        # The first blinds passed nobody between the button and themselves.
        start = e.rotation.blinds[0] if e.rotation.blinds else last
        swept = {start, *between(start, last, table.seat_count), last}
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


def closed_hand(table: Table, e: de.HandClosed) -> Table:
    """Return the table once a hand is over."""
    dead = table.hand.dead_cents if table.hand else 0
    common: int | None = plus(table.common_cents, dead)
    seats = []
    for number, cents in e.stacks:
        if number not in table.seats:
            continue
        seat = table.seats[number]
        common = plus(common, (seat.stack_cents or 0) - (cents or 0))
        common = plus(common, seat.pending_cents if cents is None else 0)
        stack = plus(cents, seat.pending_cents)
        if stack is not None and stack < 0:  # more was taken than the hand left him
            common, stack = plus(common, stack), 0
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
        change(seat, stack_cents=plus(seat.stack_cents, seat.pending_cents), pending_cents=0)
        for number, seat in table.seats.items()
        if seat.pending_cents and number not in dict(e.stacks)
    ]
    closed = with_seats(
        table,
        *seats,
        *waiting,
        hand=None,
        last_closed=e,
        account_cents=plus(table.account_cents, -out),
        common_cents=plus(common, -out),
    )
    if e.void and table.hand is not None and table.hand.before is not None:
        return _dealt_again(closed, table.hand.before)
    return closed


def reopened_hand(table: Table, e: de.HandReopened) -> Table:
    """Return the table once a hand that was over goes on."""
    back = sum(taken.cents for taken in e.taken)
    common: int | None = plus(table.common_cents, back - e.dead_cents)
    seats = []
    for number, cents in e.changes:
        seat = table.seats[number]
        if cents is None or seat.stack_cents is None:
            continue
        common = plus(common, -cents)
        seats.append(change(seat, stack_cents=seat.stack_cents + cents, broke=False))
    return with_seats(
        table,
        *seats,
        hand=RunningHand(number=e.hand, dealt=frozenset(e.dealt), dead_cents=e.dead_cents),
        account_cents=plus(table.account_cents, back),
        common_cents=common,
    )
