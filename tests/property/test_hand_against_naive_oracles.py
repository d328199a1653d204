"""Random hands against slow and simple reckonings: pots chip by chip, winners by plain Python, the order of showing."""

from functools import lru_cache

import pytest
from hypothesis import given, settings

from cardroom.evaluator.reference import ReferenceEvaluator
from cardroom.known.games import Form
from cardroom.poker.chairs import Chair, Fate
from cardroom.poker.legal import WAGERS, Act
from cardroom.poker.pots import layered, split, uncalled
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import INITIAL, Hand, evolve
from cardroom.tables.hand_events import Phase
from tests.plugins.hand_play import Play
from tests.plugins.hand_random import (
    FORMS,
    STUD_FORMS,
    Dealt,
    Tape,
    dealt,
    many,
    played,
    tapes,
    telling,
)
from tests.plugins.naive_pots import dealt_out, divided, gathered

HANDS_EACH = 110
"""Of each form: nine times 110 are 990 hands."""
POTS = 2000
JACKPOT_BOOK = "HG"
"""The book whose odd chips of halves go to the jackpot (HG-L2i, HG-L2j)."""
LAST_TO_ACT_BOOK = "RC"
"""The book in which, nobody having bet on the last round, the last to act shows first (RC-S6)."""

REFERENCE = ReferenceEvaluator()


@lru_cache(maxsize=4096)
def worth(
    form: Form, held: tuple[str, ...], board: tuple[str, ...], eight: bool
) -> tuple[int, int]:
    """Return high and low strength of a hand by the plain evaluator; low 0 where there is none."""
    qualifier = "eight_or_better" if eight else "none"
    match form:
        case Form.OMAHA:
            return REFERENCE.omaha_high(board, held), 0
        case Form.OMAHA_HIGH_LOW:
            low = REFERENCE.omaha_low(board, held, qualifier)
            return REFERENCE.omaha_high(board, held), low
        case Form.RAZZ | Form.LOWBALL:
            return REFERENCE.low(held + board, "none"), 0
        case Form.STUD_HIGH_LOW:
            cards = held + board
            return REFERENCE.high(cards), REFERENCE.low(cards, qualifier)
        case _:
            return REFERENCE.high(held + board), 0


def check_pots(state: Hand, closed: ev.BettingClosed, chip: int) -> None:
    """Compare the pots of a closed round with chips gathered one by one."""
    chairs = [chair for chair in state.chairs if chair.seat]
    pots, (_, back) = gathered(
        {chair.seat: chair.matched_cents // chip for chair in chairs},
        {chair.seat: chair.put_in_cents // chip for chair in chairs},
        frozenset(chair.seat for chair in chairs if chair.live),
        sum(chair.dead_cents for chair in state.chairs) // chip,
    )
    assert not back, "what nobody called is returned before"
    assert [(pot.cents // chip, frozenset(pot.seats)) for pot in closed.pots] == pots


def claims(hand: Dealt, seats: list[int], chairs: dict[int, Chair], *, low: bool) -> list[int]:
    """Return tied seats by their claim to an odd chip: by position, in stud by the best or lowest card."""
    if hand.form not in STUD_FORMS:
        return sorted(seats)
    ranks = "A23456789TJQK" if low else "23456789TJQKA"

    def place(card: str) -> tuple[int, int]:
        return ranks.index(card[0]), "cdhs".index(card[1])

    def cards(seat: int) -> list[tuple[int, int]]:
        return [place(card) for card in chairs[seat].down + chairs[seat].up]

    if low:
        return sorted(seats, key=lambda seat: min(cards(seat)))
    return sorted(seats, key=lambda seat: max(cards(seat)), reverse=True)


def check_award(hand: Dealt, state: Hand, awarded: ev.PotAwarded) -> None:
    """Compare who gets what of a pot with the plain evaluator's winners and chips dealt out one by one."""
    chairs = {chair.seat: chair for chair in state.chairs}
    seats = state.pots[awarded.pot].seats
    eight = hand.book != "HG"
    made = {
        seat: worth(hand.form, chairs[seat].down + chairs[seat].up, state.boards[0], eight)
        for seat in seats
    }
    best, lowest = max(high for high, _ in made.values()), max(low for _, low in made.values())
    lowball = hand.form in {Form.RAZZ, Form.LOWBALL}
    high = claims(hand, [s for s in seats if made[s][0] == best], chairs, low=lowball)
    low = claims(hand, [s for s in seats if lowest and made[s][1] == lowest], chairs, low=True)
    chips = awarded.cents // hand.chip_cents
    if hand.book == JACKPOT_BOOK and low and (len(high) > 1 or high != low):
        half = chips // 2
        expected = dict.fromkeys((*high, *low), 0)
        for side in (high, low):
            for seat in side:
                expected[seat] += half // len(side)
        over = chips - sum(expected.values())
    else:
        expected, over = divided(chips, high, low), 0
    got: dict[int, int] = {}
    for share in awarded.shares:
        got[share.seat] = got.get(share.seat, 0) + share.cents // hand.chip_cents
    assert got == {seat: won for seat, won in expected.items() if won}
    assert awarded.jackpot_odd_cents == over * hand.chip_cents


def check_show_order(hand: Dealt, play: Play, state: Hand) -> None:
    """Compare who shows when with the order read off the entries."""
    streets = play.rules.variant.streets
    rounds: dict[int, list[ev.ActionTaken]] = {}
    for event in play.events:
        if isinstance(event, ev.ActionTaken):
            rounds.setdefault(event.betting.street, []).append(event)
    live = [chair for chair in state.chairs if chair.live]
    starter = live[0].seat
    if hand.form in STUD_FORMS:
        starter = _opens(hand.form, live)
    last = len(streets) - 1
    acted = [event for event in rounds.get(last, []) if event.act is not Act.FOLD]
    staying = {chair.seat for chair in live}
    ever = [event.seat for at in sorted(rounds) for event in rounds[at] if event.seat in staying]
    wagers = [event.seat for event in acted if event.act in WAGERS]
    if wagers:
        starter = wagers[-1]
    elif hand.book == LAST_TO_ACT_BOOK:
        starter = ever[-1] if ever else starter
    elif acted:
        starter = acted[0].seat
    seats = [chair.seat for chair in state.chairs]
    at = seats.index(starter)
    clockwise = [seat for seat in seats[at:] + seats[:at] if seat in {one.seat for one in live}]
    matched = {chair.seat: chair.matched_cents for chair in live}
    clockwise.sort(key=lambda seat: matched[seat], reverse=True)
    assert list(state.order) == clockwise


def _opens(form: Form, live: list[Chair]) -> int:
    """Return who would open by the upcards: the high board, in razz the low one."""

    def board(chair: Chair) -> list[tuple[int, int]]:
        ranks = "A23456789TJQK" if form is Form.RAZZ else "23456789TJQKA"
        up = [ranks.index(card[0]) for card in chair.up]
        return sorted(((up.count(rank), rank) for rank in set(up)), reverse=True)

    def shape(chair: Chair) -> tuple[list[int], list[int]]:
        return [count for count, _ in board(chair)], [rank for _, rank in board(chair)]

    pick = min if form is Form.RAZZ else max
    return pick(live, key=shape).seat


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=many(HANDS_EACH), deadline=None)
@given(tape=tapes())
def test_pots_winners_and_order_are_the_naive_ones(form: Form, tape: Tape) -> None:
    hand = dealt(tape, forms=(form,))
    with telling(hand.play):
        play = played(tape, hand).play
        state = INITIAL
        for event in play.events:
            before, state = state, evolve(state, event)
            if isinstance(event, ev.BettingClosed):
                check_pots(before, event, hand.chip_cents)
            if state.phase is Phase.SHOWDOWN and before.phase is not Phase.SHOWDOWN and state.order:
                check_show_order(hand, play, state)
            if isinstance(event, ev.PotAwarded) and state.showdown:
                check_award(hand, before, event)


def table_of(tape: Tape) -> tuple[Chair, ...]:
    """Return players with chips matched at random, some folded or dead, dead money and a live collection about."""
    chairs = []
    for seat in range(1, tape.between(2, 10) + 1):
        matched = tape.below(41)
        hidden = tape.pick((0, 0, 0, 1, 3))
        chairs.append(
            Chair(
                seat=seat,
                player=f"p{seat}",
                stack_cents=0,
                matched_cents=matched,
                put_in_cents=max(0, matched - hidden),
                dead_cents=tape.pick((0, 0, 0, 5)),
                fate=tape.pick((Fate.LIVE, Fate.LIVE, Fate.FOLDED, Fate.DEAD)),
            )
        )
    if not any(chair.live for chair in chairs):
        chairs[0] = Chair(seat=1, player="p1", stack_cents=0, matched_cents=7, put_in_cents=7)
    return tuple(chairs)


@settings(max_examples=many(POTS), deadline=None)
@given(tape=tapes(64))
def test_any_layers_are_those_of_chips_gathered_one_by_one(tape: Tape) -> None:
    chairs = table_of(tape)
    seat, back = uncalled(chairs)
    left = tuple(
        Chair(
            seat=chair.seat,
            player=chair.player,
            stack_cents=0,
            matched_cents=chair.matched_cents - (back if chair.seat == seat else 0),
            put_in_cents=chair.put_in_cents - (back if chair.seat == seat else 0),
            dead_cents=chair.dead_cents,
            fate=chair.fate,
        )
        for chair in chairs
    )
    pots, returned = gathered(
        {chair.seat: chair.matched_cents for chair in chairs},
        {chair.seat: chair.put_in_cents for chair in chairs},
        frozenset(chair.seat for chair in chairs if chair.live),
        sum(chair.dead_cents for chair in chairs),
    )
    assert (seat, back) == returned
    assert all(chair.put_in_cents >= 0 for chair in left)
    assert [(pot.cents, frozenset(pot.seats)) for pot in layered(left)] == pots


@settings(max_examples=many(POTS), deadline=None)
@given(tape=tapes(32))
def test_odd_chips_go_out_one_by_one(tape: Tape) -> None:
    chips, unit = tape.below(2001), tape.pick((1, 5, 25, 100))
    seats = list(range(1, 11))
    order = tuple(seats.pop(tape.below(len(seats))) for _ in range(tape.between(1, 10)))
    had = frozenset(seat for seat in order if tape.one_in(4))
    got = {seat: cents for seat, cents, _ in split(chips * unit, order, unit, had)}
    assert got == {seat: share * unit for seat, share in dealt_out(chips, order, had).items()}
