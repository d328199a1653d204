"""In every state of random hands of every form, structure, book and house: chips are conserved, offered is accepted.

The hand itself asserts at each event that the chips in it are as many as before (`tests.plugins.hand_play.Play`).
"""

from typing import Any

import pytest
from hypothesis import given, settings

from cardroom.known.games import Form
from cardroom.poker.cards import DECK
from cardroom.poker.chairs import Fate
from cardroom.poker.legal import WAGERS, Act, Option
from cardroom.tables.hand import INITIAL, Hand, evolve
from cardroom.tables.hand_events import Phase
from cardroom.tables.hand_legal import legal
from tests.plugins.hand_play import IDS, Play, at_street, chips, game, hc
from tests.plugins.hand_random import (
    FORMS,
    TEMPERS,
    Dealer,
    Tape,
    accepted,
    dealt,
    declare,
    finish,
    many,
    played,
    step,
    stray,
    taken,
    tapes,
    telling,
)

HANDS_EACH = 200
"""Of each form: nine times 200 are 1,800 hands probed, and as many in which things go astray."""


def check_offered_is_accepted(tape: Tape, play: Play) -> None:
    """Compare `legal` with what is accepted: an option at its edges and within, amounts just outside, other acts."""
    options = legal(play.state, play.rules)
    said: dict[str, Any] = {**IDS, "seat": play.state.to_act}
    option = tape.pick(options)
    for to_cents in {option.least_cents, _within(tape, option)}:
        assert accepted(play, taken(option, to_cents)), f"{option.words()} to {to_cents}"
    acts = {one.act for one in options}
    act, plain = tape.pick(
        (
            (Act.CHECK, hc.Check(**said)),
            (Act.CALL, hc.Call(**said)),
            (Act.FOLD, hc.Fold(**said)),
            (Act.BRING_IN, hc.BringIn(**said)),
        )
    )
    assert accepted(play, plain) == (act in acts), f"{act} among {acts}"
    wagers = [one for one in options if one.act in WAGERS]
    to_cents = tape.below(60_000)
    if wagers and tape.below(4):
        edge = tape.pick(wagers)
        assert edge.most_cents is not None
        to_cents = tape.pick((edge.least_cents, edge.most_cents)) + tape.pick((-1, 1, -100, 100))
    check_wager(play, wagers, to_cents)
    if tape.one_in(4):
        assert accepted(play, hc.AllIn(**said)) == any(one.all_in for one in options)


def _within(tape: Tape, option: Option) -> int:
    most = option.most_cents
    assert most is not None
    if option.act not in WAGERS or not option.step_cents:
        return option.least_cents
    steps = (most - option.least_cents) // option.step_cents
    between = option.least_cents + tape.below(steps + 1) * option.step_cents
    return tape.pick((most, between))


def check_wager(play: Play, wagers: list[Option], to_cents: int) -> None:
    """Compare what is offered at one amount with what is accepted as a bet and as a raise."""
    said: dict[str, Any] = {**IDS, "seat": play.state.to_act, "to_cents": to_cents}
    open_to = [one.act for one in wagers if one.admits(to_cents)]
    bet = any(act in {Act.BET, Act.COMPLETE} for act in open_to)
    raised = any(act in {Act.RAISE, Act.COMPLETE} for act in open_to)
    assert accepted(play, hc.Bet(**said)) == bet, to_cents
    assert accepted(play, hc.RaiseTo(**said)) == raised, to_cents


def check_out_of_place(tape: Tape, play: Play) -> None:
    """See refused what is not due: another seat's act, a seat not dealt in, cards, draws, pots, shows out of time."""
    state = play.state
    seats = [chair.seat for chair in state.chairs]
    other = tape.pick([seat for seat in (*seats, 11) if seat != state.to_act])
    said: dict[str, Any] = {**IDS, "seat": other}
    amount = {**said, "to_cents": tape.below(40_000)}
    assert not accepted(
        play,
        tape.pick(
            (
                hc.Fold(**said),
                hc.Check(**said),
                hc.Call(**said),
                hc.AllIn(**said),
                hc.BringIn(**said),
                hc.Bet(**amount),
                hc.RaiseTo(**amount),
            )
        ),
    )
    phase = state.phase
    untimely: list[hc.HandCommand] = []
    if phase is not Phase.DEALING:
        untimely.append(hc.DealStreet(**IDS))
    if phase is not Phase.EXCHANGING:
        untimely.append(hc.Exchange(**said, count=1))
    if phase is not Phase.SHOWDOWN:
        untimely += [hc.AwardPots(**IDS, losers_killed=True), hc.MuckHand(**said)]
        untimely += [hc.KillHand(**said), hc.AskToSee(**IDS, asked_by=seats[0], seat=seats[-1])]
    if phase is not Phase.DECLARING:
        untimely.append(hc.SealDeclaration(**said, chips=1))
        untimely.append(hc.DeclareAloud(**said, way="high"))
    untimely.append(hc.RewindHand(**IDS, to=state.version, reason="nothing to take back"))
    assert not accepted(play, tape.pick(untimely))


def lying(state: Hand) -> tuple[str, ...]:
    """Return the cards that lie somewhere in a hand."""
    return tuple(
        card
        for cards in (*state.boards, *(chair.down + chair.up for chair in state.chairs))
        for card in cards
    )


def check_cards_once(tape: Tape, play: Play) -> None:
    """See a street refused that has a card which lies somewhere already, or a card too many."""
    variant = play.rules.variant
    street = variant.streets[play.state.street + 1]
    there = lying(play.state)
    if not street.board or not there or len(play.state.boards) > 1:
        return
    fresh = [card for card in DECK if card not in there]
    board = (tape.pick(there), *fresh[: street.board - 1])
    assert not accepted(play, hc.DealStreet(**IDS, board=board))
    assert not accepted(play, hc.DealStreet(**IDS, board=tuple(fresh[: street.board + 1])))


def probed(tape: Tape, dealer: Dealer) -> None:
    """Play a hand to its end and probe every state on the way."""
    play = dealer.play
    dealer.hole_cards()
    temper = tape.below(len(TEMPERS))
    while True:
        if play.state.phase is Phase.BETTING:
            check_offered_is_accepted(tape, play)
        else:
            assert not legal(play.state, play.rules)
        if play.state.phase is Phase.DEALING:
            check_cards_once(tape, play)
        check_out_of_place(tape, play)
        if not step(tape, dealer, temper):
            if play.state.phase is not Phase.DECLARING:
                break
            declare(tape, dealer)
    finish(dealer)
    assert not legal(play.state, play.rules)


def check_end(dealer: Dealer) -> None:
    """Check that every chip is somebody's at the end: a player's, the house's, or the jackpot's."""
    play, hand = dealer.play, dealer.hand
    state = play.state
    chip = hand.chip_cents
    before = {seat: stack * chip for seat, stack in enumerate(hand.stacks, 1)}
    assert chips(state) == sum(before.values())
    assert state.pot_cents == 0
    taken_out = sum(rake + drop for _, rake, drop in state.taken) + state.jackpot_odd_cents
    after = {result.seat: result.after_cents or 0 for result in state.results}
    assert sum(after.values()) + taken_out == sum(before.values())
    assert min(after.values()) >= 0
    matched = {chair.seat: chair.matched_cents for chair in state.chairs}
    dead = sum(chair.dead_cents for chair in state.chairs)
    killed = any(chair.fate is Fate.DEAD for chair in state.chairs)
    for result in state.results:
        assert result.before_cents == before[result.seat]
        most = sum(min(matched[result.seat], other) for other in matched.values()) + dead
        # What a dead hand put in above the others is not given back.
        assert killed or (result.won_cents or 0) <= most, "won more than was matched"


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=many(HANDS_EACH), deadline=None)
@given(tape=tapes(480))
def test_offered_is_accepted_in_every_state(form: Form, tape: Tape) -> None:
    hand = dealt(tape, forms=(form,), houses=True)
    with telling(hand.play):
        dealer = Dealer(hand)
        probed(tape, dealer)
        check_end(dealer)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=many(HANDS_EACH), deadline=None)
@given(tape=tapes())
def test_chips_are_conserved_whatever_comes_in_between(form: Form, tape: Tape) -> None:
    hand = dealt(tape, forms=(form,), houses=True)
    with telling(hand.play):
        dealer = played(tape, hand, astray=True)
        check_end(dealer)
        folded: Hand = INITIAL
        for event in hand.play.events:
            folded = evolve(folded, event)
        assert folded == hand.play.state


@settings(max_examples=many(400), deadline=None)
@given(tape=tapes())
def test_a_hand_voided_at_any_point_gives_everything_back(tape: Tape) -> None:
    hand = dealt(tape, houses=True)
    play = hand.play
    with telling(play):
        dealer = Dealer(hand)
        dealer.hole_cards()
        temper = tape.below(len(TEMPERS))
        for _ in range(tape.below(40)):
            if tape.one_in(8):
                stray(tape, dealer)
            if play.state.over or not step(tape, dealer, temper):
                break
        void = hc.VoidHand(**IDS, reason="a fouled deck", rules=("CR-6",))
        if accepted(play, void):
            play.enter(void)
            for chair in play.state.chairs:
                if chair.seat:
                    before = hand.stacks[chair.seat - 1] * hand.chip_cents
                    assert chair.stack_cents == before
        else:
            assert play.state.awarded or play.state.over


@pytest.mark.parametrize("act", ["fold", "check", "call", "bringin"])
def test_nothing_is_accepted_out_of_turn(act: str) -> None:
    play = at_street("WP", game(10, 20), "turn", {2: 300, 5: 300, 8: 300}, button=1)
    assert play.refused(f"5 {act}").code == "OUT_OF_TURN"
