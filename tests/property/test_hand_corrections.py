"""Rewinds and corrected entries: the hand equals the one played right from the start, and the log keeps both."""

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.kernel.refusal import Refused
from cardroom.poker.legal import Act
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import INITIAL, Hand, evolve, history_of
from cardroom.tables.hand_correct import command_of
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_events import Phase
from tests.plugins.hand_play import IDS, Play, hc
from tests.plugins.hand_random import Dealer, Dealt, amount, dealt_hands, finish, taken


def standing(state: Hand) -> Hand:
    """Return a hand without what tells how it came to stand so."""
    return msgspec.structs.replace(state, version=0, history=None)


def step(draw: Any, dealer: Dealer) -> bool:
    """Enter one thing at random; False when the hand is at its showdown or over."""
    play = dealer.play
    if play.state.phase is Phase.BETTING:
        options = play.legal()
        calm = [option for option in options if option.act is not Act.FOLD] * 3
        option = draw(st.sampled_from([*options, *calm]))
        play.enter(taken(option, amount(draw, option)))
    elif play.state.phase is Phase.DEALING:
        dealer.street()
    elif play.state.phase is Phase.EXCHANGING:
        dealer.exchange(draw(st.integers(0, 3)))
    else:
        return False
    return True


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_a_rewound_hand_goes_on_as_if_the_rest_had_not_been(data: st.DataObject) -> None:
    hand: Dealt = data.draw(dealt_hands())
    dealer = Dealer(hand)
    play = hand.play
    dealer.hole_cards()
    for _ in range(data.draw(st.integers(0, 20))):
        if not step(data.draw, dealer):
            break
    before, mark = standing(play.state), play.state.version
    entered = len(play.events)
    deck = list(dealer.deck)
    for _ in range(data.draw(st.integers(1, 8))):
        if not step(data.draw, dealer):
            break
    if play.state.version == mark:
        return
    play.enter(hc.RewindHand(**IDS, to=mark, reason="the wrong seat was entered"))
    assert standing(play.state) == before
    assert play.state.version == len(play.events)
    dealer.deck = deck
    while step(data.draw, dealer):
        pass
    finish(dealer)
    # The same hand without the detour.
    counted = [event for _, event in history_of(play.state)]
    plain = INITIAL
    for event in counted:
        plain = evolve(plain, event)
    assert standing(plain) == standing(play.state)
    assert counted[:entered] == play.events[:entered]
    folded = INITIAL
    for event in play.events:
        folded = evolve(folded, event)
    assert folded == play.state


def entries(play: Play) -> list[tuple[int, ev.ActionTaken]]:
    """Return the actions that count, with their versions."""
    return [
        (version, event)
        for version, event in history_of(play.state)
        if isinstance(event, ev.ActionTaken)
    ]


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_a_corrected_entry_equals_the_right_one_from_the_start(data: st.DataObject) -> None:
    hand: Dealt = data.draw(dealt_hands())
    dealer = Dealer(hand)
    play = hand.play
    dealer.hole_cards()
    for _ in range(data.draw(st.integers(2, 25))):
        if not step(data.draw, dealer):
            break
    acted = entries(play)
    if not acted:
        return
    version, wrong = data.draw(st.sampled_from(acted))
    at = [v for v, _ in history_of(play.state)].index(version)
    said: dict[str, Any] = {**IDS, "seat": wrong.seat}
    right: hc.HandCommand = data.draw(
        st.sampled_from([hc.Fold(**said), hc.Call(**said), hc.Check(**said), hc.AllIn(**said)])
    )
    later = [command_of(event, play.state) for _, event in history_of(play.state)[at + 1 :]]
    expected = replayed(play, at, [right, *[command for command in later if command]])
    correction = hc.CorrectEntry(
        **IDS, entry=version, corrected=right, reason="misheard at the table"
    )
    try:
        play.enter(correction)
    except Refused:
        assert expected is None
        return
    assert expected is not None
    assert standing(play.state) == standing(expected)
    assert any(isinstance(event, ev.EntryCorrected) for event in play.events)


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
