"""In every hand of every form, structure and book: chips are conserved, and what is offered is what is accepted."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.kernel.refusal import Refused
from cardroom.poker.legal import WAGERS, Act
from cardroom.tables.hand import INITIAL, Hand, evolve
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_events import Phase
from cardroom.tables.hand_legal import legal
from tests.plugins.hand_play import IDS, Play, chips, hc
from tests.plugins.hand_random import Dealer, Dealt, amount, dealt_hands, finish, taken


def accepted(play: Play, command: hc.HandCommand) -> bool:
    """Whether a command is accepted now; nothing is recorded."""
    try:
        decide_hand(command, play.state, play.rules)
    except Refused:
        return False
    return True


def check_offered_is_accepted(draw: Any, play: Play) -> None:
    """Compare `legal` with what `decide` accepts, for acts and amounts drawn at random and at the edges."""
    options = legal(play.state, play.rules)
    seat = play.state.to_act
    said: dict[str, Any] = {**IDS, "seat": seat}
    acts = {option.act for option in options}
    assert accepted(play, hc.Fold(**said)) == (Act.FOLD in acts)
    assert accepted(play, hc.Check(**said)) == (Act.CHECK in acts)
    assert accepted(play, hc.Call(**said)) == (Act.CALL in acts)
    assert accepted(play, hc.BringIn(**said)) == (Act.BRING_IN in acts)
    wagers = [option for option in options if option.act in WAGERS]
    edges = {draw(st.integers(0, 60_000))}
    for option in wagers:
        assert option.most_cents is not None
        edges |= {option.least_cents - 1, option.least_cents, option.least_cents + 1}
        edges |= {option.most_cents - 1, option.most_cents, option.most_cents + 1}
    for to_cents in edges:
        offered_bet = any(
            option.admits(to_cents) and option.act in {Act.BET, Act.COMPLETE} for option in wagers
        )
        offered_raise = any(
            option.admits(to_cents) and option.act in {Act.RAISE, Act.COMPLETE} for option in wagers
        )
        assert accepted(play, hc.Bet(**said, to_cents=to_cents)) == offered_bet
        assert accepted(play, hc.RaiseTo(**said, to_cents=to_cents)) == offered_raise
    assert accepted(play, hc.AllIn(**said)) == any(option.all_in for option in options)


def run(draw: Any, hand: Dealt, *, compare: bool) -> Dealer:
    """Play a hand to its end with actions drawn at random."""
    dealer = Dealer(hand)
    play = hand.play
    dealer.hole_cards()
    for _ in range(400):
        if play.state.phase is Phase.BETTING:
            if compare:
                check_offered_is_accepted(draw, play)
            options = play.legal()
            weights = [option for option in options if option.act is not Act.FOLD] * 4
            option = draw(st.sampled_from([*options, *weights]))
            play.enter(taken(option, amount(draw, option)))
        elif play.state.phase is Phase.DEALING:
            dealer.street()
        elif play.state.phase is Phase.EXCHANGING:
            dealer.exchange(draw(st.integers(0, 3)))
        else:
            break
    finish(dealer)
    return dealer


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_chips_are_conserved_and_offered_is_accepted(data: st.DataObject) -> None:
    hand = data.draw(dealt_hands())
    before = sum(hand.stacks) * 100
    play = run(data.draw, hand, compare=True).play
    assert chips(play.state) == before
    assert play.state.pot_cents == 0
    for result in play.state.results:
        assert result.before_cents == hand.stacks[result.seat - 1] * 100
        assert (result.after_cents or 0) >= 0


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_folding_the_events_gives_the_same_hand(data: st.DataObject) -> None:
    hand = data.draw(dealt_hands())
    play = run(data.draw, hand, compare=False).play
    folded: Hand = INITIAL
    for event in play.events:
        folded = evolve(folded, event)
    assert folded == play.state


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_nobody_wins_more_than_he_matched(data: st.DataObject) -> None:
    hand = data.draw(dealt_hands())
    play = run(data.draw, hand, compare=False).play
    put_in = {chair.seat: chair.matched_cents for chair in play.state.chairs}
    for result in play.state.results:
        most = sum(min(put_in[result.seat], other) for other in put_in.values())
        assert (result.won_cents or 0) <= most


@pytest.mark.parametrize("act", ["fold", "check", "call", "bringin"])
def test_nothing_is_accepted_out_of_turn(act: str) -> None:
    from tests.plugins.hand_play import at_street, game

    play = at_street("WP", game(10, 20), "turn", {2: 300, 5: 300, 8: 300}, button=1)
    assert play.refused(f"5 {act}").code == "OUT_OF_TURN"
