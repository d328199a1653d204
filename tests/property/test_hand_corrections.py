"""Rewinds and corrected entries: the hand equals the one played right from the start, and the log keeps both."""

from typing import Any

import msgspec
from hypothesis import given, settings

from cardroom.kernel.refusal import Refused
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import INITIAL, Hand, evolve, history_of
from cardroom.tables.hand_correct import commands_of
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_events import Phase
from tests.plugins.hand_play import IDS, Play, hc
from tests.plugins.hand_random import (
    TEMPERS,
    Dealer,
    Tape,
    accepted,
    dealt,
    declare,
    finish,
    many,
    step,
    stray,
    tapes,
    telling,
)

HANDS = 700
"""Of each property: 2,100 hands a run."""


def standing(state: Hand) -> Hand:
    """Return a hand without what tells how it came to stand so."""
    return msgspec.structs.replace(state, version=0, history=None)


def go_on(tape: Tape, dealer: Dealer, steps: int, temper: int) -> None:
    """Enter so many things at random, rulings and rake among them, or fewer where the hand ends."""
    for _ in range(steps):
        if tape.one_in(12):
            stray(tape, dealer)
        if dealer.play.state.phase is Phase.DECLARING:
            declare(tape, dealer)
        elif not step(tape, dealer, temper):
            return


def to_the_end(tape: Tape, dealer: Dealer) -> None:
    """Void a hand now and then, and end a showdown in half of the hands that have come to one."""
    play = dealer.play
    if tape.one_in(16):
        void = hc.VoidHand(
            **IDS, reason="a fouled deck", rules=("CR-6",), collection_returned=bool(tape.below(2))
        )
        if accepted(play, void):
            play.enter(void)
    elif play.state.phase is Phase.SHOWDOWN and tape.below(2):
        finish(dealer, tape)


@settings(max_examples=many(HANDS), deadline=None)
@given(tape=tapes())
def test_a_rewound_hand_goes_on_as_if_the_rest_had_not_been(tape: Tape) -> None:
    hand = dealt(tape, houses=True)
    dealer = Dealer(hand)
    play = hand.play
    with telling(play):
        dealer.hole_cards()
        temper = tape.below(len(TEMPERS))
        go_on(tape, dealer, tape.below(20), temper)
        before, mark = standing(play.state), play.state.version
        entered = len(play.events)
        deck = list(dealer.deck)
        go_on(tape, dealer, 1 + tape.below(8), temper)
        if play.state.version == mark or play.state.over:
            return
        play.enter(hc.RewindHand(**IDS, to=mark, reason="the wrong seat was entered"))
        assert standing(play.state) == before
        assert play.state.version == len(play.events)
        dealer.deck = deck
        go_on(tape, dealer, 400, temper)
        finish(dealer)
        # The same hand without the detour.
        counted = [event for _, event in history_of(play.state)]
        assert standing(refolded(counted)) == standing(play.state)
        assert counted[:entered] == play.events[:entered]
        assert refolded(play.events) == play.state


def refolded(events: list[Any]) -> Hand:
    """Return the hand that events fold to."""
    state = INITIAL
    for event in events:
        state = evolve(state, event)
    return state


def right_entry(tape: Tape, wrong: ev.Event) -> hc.HandCommand | None:
    """Return what should have been entered instead: another act or amount, other cards, nothing at all."""
    match wrong:
        case ev.ActionTaken():
            said: dict[str, Any] = {**IDS, "seat": wrong.seat}
            to_cents = wrong.to_cents + tape.pick((0, 100, 200, 400))
            return tape.pick(
                (
                    hc.Call(**said),
                    hc.Check(**said),
                    hc.Fold(**said),
                    hc.AllIn(**said),
                    hc.RaiseTo(**said, to_cents=to_cents),
                    hc.Bet(**said, to_cents=to_cents),
                    None,
                )
            )
        case ev.StreetDealt(board=(first, *rest)):
            return hc.DealStreet(**IDS, board=(*rest, first), run=wrong.run)
        case ev.RakeTaken():
            return hc.TakeRake(**IDS, rake_cents=wrong.rake_cents + 25)
        case _:
            return None


@settings(max_examples=many(HANDS), deadline=None)
@given(tape=tapes())
def test_a_corrected_entry_equals_the_right_one_from_the_start(tape: Tape) -> None:
    hand = dealt(tape, houses=True)
    dealer = Dealer(hand)
    play = hand.play
    with telling(play):
        dealer.hole_cards()
        temper = tape.below(len(TEMPERS))
        go_on(tape, dealer, 1 + tape.below(60), temper)
        to_the_end(tape, dealer)
        entries = history_of(play.state)
        at = 1 + tape.below(max(1, len(entries) - 1))
        if at >= len(entries):
            return
        version, wrong = entries[at]
        entered = commands_of(entries, play.state, play.rules)
        if entered[at] is None:
            return
        right = right_entry(tape, wrong)
        # What loses a pot is killed with it, by the cards as they then lie.
        later = [one for one in entered[at + 1 :] if not isinstance(one, hc.KillHand)]
        expected = replayed(play, at, [command for command in (right, *later) if command])
        correction = hc.CorrectEntry(
            **IDS, entry=version, corrected=right, reason="misheard at the table"
        )
        assert accepted(play, correction) == (expected is not None), f"{right} for {wrong}"
        if expected is None:
            return
        play.enter(correction)
        assert standing(play.state) == standing(expected)
        assert any(isinstance(event, ev.EntryCorrected) for event in play.events)
        assert refolded(play.events) == play.state


@settings(max_examples=many(HANDS), deadline=None)
@given(tape=tapes())
def test_an_entry_corrected_to_itself_changes_nothing(tape: Tape) -> None:
    hand = dealt(tape, houses=True)
    dealer = Dealer(hand)
    play = hand.play
    with telling(play):
        dealer.hole_cards()
        temper = tape.below(len(TEMPERS))
        go_on(tape, dealer, 1 + tape.below(60), temper)
        to_the_end(tape, dealer)
        entries = history_of(play.state)
        at = 1 + tape.below(max(1, len(entries) - 1))
        if at >= len(entries):
            return
        version, _ = entries[at]
        again = commands_of(entries, play.state, play.rules)[at]
        if again is None:
            return
        before = standing(play.state)
        play.enter(
            hc.CorrectEntry(**IDS, entry=version, corrected=again, reason="entered once more")
        )
        assert standing(play.state) == before


def replayed(play: Play, at: int, commands: list[hc.HandCommand]) -> Hand | None:
    """Return the hand of the events before an entry and the commands from it on, None where one is refused."""
    state = INITIAL
    for _, event in history_of(play.state)[:at]:
        state = evolve(state, event)
    try:
        for command in commands:
            for event in decide_hand(command, state, play.rules):
                state = evolve(state, event)
    except Refused:
        return None
    return state
