"""How a hand begins: the forced bets as they were really put up, and whose turn it is."""

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.money import check_cents
from cardroom.kernel.refusal import Refused
from cardroom.known.games import Game
from cardroom.poker.betting import BettingRound, BettingRules
from cardroom.poker.chairs import Chairs
from cardroom.poker.rounds import begin, begin_forced
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import INITIAL, evolve
from cardroom.tables.hand_events import Capture, Phase, Post, PostKind, SeatDealt
from cardroom.tables.hand_flow import after_betting
from cardroom.tables.hand_rules import ENGINE, HandRules

_POSITIONAL = {
    PostKind.SMALL_BLIND,
    PostKind.BIG_BLIND,
    PostKind.THIRD_BLIND,
    PostKind.STRADDLE,
}


class HandSetup(msgspec.Struct, frozen=True, kw_only=True):
    """What the table brings to a new hand.

    Args:
        hand: the hand's id.
        room: the room.
        table: the table.
        number: count of hands at the table.
        game: the game.
        button_seat: where the button is; 0 in stud.
        seats: those dealt in, in any order, with their chips before any post.
        posts: the nominal forced bets; a stack that is short posts what it has.
        capture: what will be entered.
        small_bet_cents: this hand's lower or least bet where it is not the game's (a kill); else 0.
        big_bet_cents: this hand's upper bet likewise.
        carried_cents: dead money in the pot that none of those dealt in put there.
        first_seat: who acts first, where the table's rotation decides otherwise than by the posts; else 0.
    """

    hand: str
    room: str
    table: str
    number: int
    game: Game
    button_seat: int
    seats: tuple[SeatDealt, ...]
    posts: tuple[Post, ...] = ()
    capture: Capture = Capture()
    small_bet_cents: int = 0
    big_bet_cents: int = 0
    carried_cents: int = 0
    first_seat: int = 0


def start_hand(setup: HandSetup, rules: HandRules) -> tuple[Event, ...]:
    """Return the events that start a hand: `HandStarted`, and what follows where nobody can act any more.

    Args:
        setup: who is dealt in and what is due.
        rules: of the book in force and the game.

    Raises:
        Refused: CR-4 or CR-8, the setup is not one that can be dealt.
    """
    _check(setup, rules)
    seats = _clockwise(setup)
    posts = _as_posted(seats, setup.posts, setup.game.chip_cents)
    game = setup.game
    small = setup.small_bet_cents or game.small_bet_cents
    big = setup.big_bet_cents or game.big_bet_cents or small
    started = ev.HandStarted(
        hand=setup.hand,
        room=setup.room,
        table=setup.table,
        number=setup.number,
        book_digest=rules.book.digest,
        engine=ENGINE,
        game=game,
        small_bet_cents=small,
        big_bet_cents=big,
        button_seat=setup.button_seat,
        seats=seats,
        posts=posts,
        capture=setup.capture,
        betting=None,
        phase=Phase.DEALING,
        carried_cents=setup.carried_cents,
    )
    if rules.variant.stud:
        return (started,)
    chairs = evolve(INITIAL, started).chairs
    betting = _first_round(setup, chairs, rules.betting, small)
    started = msgspec.structs.replace(started, betting=betting, phase=Phase.BETTING)
    state = evolve(INITIAL, started)
    if betting.to_act:
        return (started,)
    return (started, *after_betting(state, rules))


def _check(setup: HandSetup, rules: HandRules) -> None:
    numbers = [dealt.seat for dealt in setup.seats]
    most = rules.variant.most_seats
    if not 2 <= len(numbers) <= most:
        raise Refused(
            "PLAYERS_OUT_OF_RANGE",
            "CR-4",
            f"seats: {len(numbers)} players cannot be dealt {rules.variant.form.value}: 2 to {most}",
            field="seats",
        )
    if len(set(numbers)) != len(numbers):
        raise Refused("SEAT_TWICE", "CR-7", "seats: a seat is dealt in twice", field="seats")
    for dealt in setup.seats:
        if dealt.stack_cents is not None:
            check_cents(dealt.stack_cents, f"seat {dealt.seat} stack_cents", least=1)
    for post in setup.posts:
        if post.seat not in numbers:
            raise Refused(
                "POST_WITHOUT_SEAT",
                "CR-4",
                f"posts: seat {post.seat} posts {post.kind.value} and is not dealt in",
                field="posts",
            )
        for name in ("live_cents", "dead_cents", "ante_cents", "house_cents"):
            check_cents(getattr(post, name), f"seat {post.seat} {post.kind.value} {name}")


def _clockwise(setup: HandSetup) -> tuple[SeatDealt, ...]:
    ordered = sorted(setup.seats, key=lambda dealt: dealt.seat)
    return tuple(
        [dealt for dealt in ordered if dealt.seat > setup.button_seat]
        + [dealt for dealt in ordered if dealt.seat <= setup.button_seat]
    )


def _as_posted(
    seats: tuple[SeatDealt, ...], posts: tuple[Post, ...], chip_cents: int
) -> tuple[Post, ...]:
    """Cut each post down to what the stack holds: the collection first, then antes, dead money, live money.

    What is short of a live post goes in as far as it is in chips that play (constant blinds.short_blind_plays).
    """
    left = {dealt.seat: dealt.stack_cents for dealt in seats}
    due = {
        name: {at: getattr(post, name) for at, post in enumerate(posts)}
        for name in ("house_cents", "ante_cents", "dead_cents", "live_cents")
    }
    for name, amounts in due.items():
        for at, post in enumerate(posts):
            stack = left[post.seat]
            if stack is not None:
                if amounts[at] > stack and name == "live_cents":
                    amounts[at] = stack - stack % chip_cents
                amounts[at] = min(amounts[at], stack)
                left[post.seat] = stack - amounts[at]
    return tuple(
        msgspec.structs.replace(post, **{name: amounts[at] for name, amounts in due.items()})
        for at, post in enumerate(posts)
    )


def _first_round(
    setup: HandSetup, chairs: Chairs, rules: BettingRules, small_bet_cents: int
) -> BettingRound:
    """Return the first round of a game with blinds, or with antes only."""
    level = max((post.live_cents for post in setup.posts), default=0)
    ante = max((post.ante_cents for post in setup.posts), default=0)
    first = setup.first_seat or _first_seat(setup, chairs)
    if not level:
        return begin(chairs, rules, street=0, first=first, bet_cents=small_bet_cents)
    wagers = level // small_bet_cents if rules.fixed else 1
    return begin_forced(
        chairs,
        rules,
        first=first,
        level_cents=level,
        bet_cents=small_bet_cents,
        wagers=wagers,
        base_cents=ante,
    )


def _first_seat(setup: HandSetup, chairs: Chairs) -> int:
    """Return who acts first: the next after the last blind or straddle, left of the button without any."""
    order = [chair.seat for chair in chairs]
    straddled = [post.seat for post in setup.posts if post.kind is PostKind.STRADDLE]
    blinds = {
        post.seat: post.live_cents
        for post in setup.posts
        if post.kind in _POSITIONAL and post.live_cents
    }
    if straddled:
        last = straddled[-1]
    elif blinds:
        biggest = max(blinds.values())
        due = [seat for seat in order if blinds.get(seat) == biggest]
        # A trailing blind may stand on or behind the button; the run of blinds left of it decides.
        leading = [seat for seat in _leading(order, set(blinds)) if seat in due]
        last = (leading or due)[-1]
    else:
        return order[0]
    return order[(order.index(last) + 1) % len(order)]


def _leading(order: list[int], posted: set[int]) -> list[int]:
    """Return the seats that posted, from the left of the button up to the first gap."""
    found: list[int] = []
    for seat in order:
        if seat not in posted:
            if found:
                break
            continue
        found.append(seat)
    return found
