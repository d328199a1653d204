"""Random hands of which some cards and stacks are not known, beside the same hands with everything known.

Unknown is never taken for a fact: turns, pots and who may do what stay the same as far as what is known decides, what
is shown decides who wins, what decides and is not known is asked for, and cards that lie elsewhere are refused.
"""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form
from cardroom.poker.cards import UNKNOWN
from cardroom.poker.chairs import Chair, chair_at
from cardroom.poker.legal import WAGERS, Act, Option
from cardroom.tables import hand_events as ev
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_events import Capture, Known, Phase
from tests.plugins.hand_play import IDS, Play, hc
from tests.plugins.hand_random import (
    BIG,
    FORMS,
    TEMPERS,
    Dealer,
    Dealt,
    Tape,
    accepted,
    chosen,
    dealt,
    many,
    posts_of,
    taken,
    tapes,
    telling,
)

HANDS_EACH = 110
"""Of each form: nine times 110 are 990 hands."""


class Veil:
    """The same hand as somebody saw it who missed some stacks and cards.

    Args:
        tape: the choices.
        hand: the hand in full.
    """

    def __init__(self, tape: Tape, hand: Dealt) -> None:
        self.tape = tape
        self.plain = hand.play
        chip = hand.chip_cents
        self.hidden = {
            seat
            for seat, stack in enumerate(hand.stacks, 1)
            # Who cannot meet the forced bets has to be known to be short.
            if stack > 4 * BIG and tape.below(2)
        }
        stacks: dict[int, Any] = {
            seat: None if seat in self.hidden else Decimal(stack * chip) / 100
            for seat, stack in enumerate(hand.stacks, 1)
        }
        a_game = hand.play.state.game
        posts = posts_of(a_game, len(stacks), hand.straddle * chip, hand.dead_ante * chip)
        self.play = Play(
            hand.book,
            a_game,
            stacks,
            button=hand.play.state.button_seat,
            posts=posts,
            capture=Capture(cards=Known.SOME, stacks=Known.SOME),
        )
        self.cards = tape.below(3)
        """0: every card is seen; 1: some are not; 2: no card face down is."""

    def card(self, card: str) -> str:
        """Return a card as it was seen."""
        return UNKNOWN if self.cards and self.tape.below(2) else card

    def seen(self, command: hc.HandCommand, event: Any) -> hc.HandCommand | None:
        """Return a command as it is entered by who saw less; None where nothing of it was seen."""
        match command:
            case hc.NoteHoleCards():
                if self.cards == 2:
                    return None
                hands = tuple(
                    (seat, tuple(self.card(card) for card in cards))
                    for seat, cards in command.hands
                )
                return hc.NoteHoleCards(**IDS, hands=hands)
            case hc.DealStreet():
                board = tuple(self.card(card) for card in command.board)
                return hc.DealStreet(
                    **IDS, board=board, up=command.up, run=command.run, community=command.community
                )
            case hc.Exchange():
                gone = () if self.cards else command.discarded
                drawn = () if self.cards else command.drawn
                return hc.Exchange(
                    **IDS, seat=command.seat, count=command.count, discarded=gone, drawn=drawn
                )
            case _ if isinstance(event, ev.ActionTaken) and event.all_in:
                to_cents = None if event.act is Act.CHECK else event.to_cents
                return hc.AllIn(**IDS, seat=event.seat, to_cents=to_cents)
            case _:
                return command


class Told(Dealer):
    """Deals in full, and tells the veiled hand what was seen of it."""

    def __init__(self, hand: Dealt, veil: Veil) -> None:
        super().__init__(hand)
        self.veil = veil
        hand.play.enter = self.enter  # type: ignore[method-assign]

    def enter(self, command: hc.HandCommand) -> tuple[Any, ...]:
        """Enter a command in both hands."""
        events = Play.enter(self.play, command)
        seen = self.veil.seen(command, events[0])
        if seen is not None:
            self.veil.play.enter(seen)
        return events


def compare(plain: Play, veiled: Play, hidden: set[int]) -> None:
    """Compare what both know: turn, pots, phase, chips of the known, and what may be done."""
    one, other = plain.state, veiled.state
    assert (one.phase, one.to_act, one.street) == (other.phase, other.to_act, other.street)
    assert [(pot.cents, pot.seats) for pot in one.pots] == [
        (pot.cents, pot.seats) for pot in other.pots
    ]
    assert one.pot_cents == other.pot_cents
    for chair in one.chairs:
        seen = chair_at(other.chairs, chair.seat)
        assert seen is not None
        assert seen.stack_cents == (None if chair.seat in hidden else chair.stack_cents)
        assert (seen.matched_cents, seen.all_in) == (chair.matched_cents, chair.all_in)
    if one.phase is Phase.BETTING:
        compare_options(plain.legal(), veiled.legal(), unknown=one.to_act in hidden)


def compare_options(full: tuple[Option, ...], seen: tuple[Option, ...], *, unknown: bool) -> None:
    """Check that nothing is withheld for a fact that is not known, and nothing made up."""
    offered = {option.act: option for option in seen}
    for option in full:
        if option.act in WAGERS:
            found = [one for one in seen if one.act in WAGERS]
            assert found, f"{option.words()} is withheld"
            least = min(one.least_cents for one in found)
            assert option.all_in or least <= option.least_cents
        else:
            assert option.act in offered
    if not unknown:
        passing = [one for one in full if one.act is Act.CALL]
        assert [one for one in seen if one.act is Act.CALL] == passing or any(
            one.act is Act.CALL for one in seen
        )
    for one in seen:
        assert unknown or one.most_cents is not None or one.act in WAGERS


def whole(chair: Chair) -> tuple[str, ...]:
    """Return the cards that a player turns up at the showdown."""
    return tuple(card for card in chair.down if card not in chair.shown)


def elsewhere(play: Play, seat: int) -> list[str]:
    """Return known cards that are not the seat's."""
    state = play.state
    return [
        card
        for cards in (
            *state.boards,
            *(one.down + one.up for one in state.chairs if one.seat != seat),
        )
        for card in cards
        if card != UNKNOWN
    ]


def show_down(veil: Veil, tape: Tape) -> None:
    """Turn up every hand by its cards, some by none; pots then go by the cards, or by the dealer's word."""
    plain, veiled = veil.plain, veil.play
    silent = tape.one_in(4)
    for at in reversed(range(len(plain.state.pots))):
        for seat in plain.state.order:
            if seat not in plain.state.pots[at].seats:
                continue
            chair = chair_at(plain.state.chairs, seat)
            assert chair is not None
            other = elsewhere(veiled, seat)
            if other:
                wrong = hc.ShowHand(**IDS, seat=seat, cards=(tape.pick(other),))
                assert not accepted(veiled, wrong), "a card that lies elsewhere is shown"
            cards = whole(chair)
            Play.enter(plain, hc.ShowHand(**IDS, seat=seat))
            veiled.enter(hc.ShowHand(**IDS, seat=seat, cards=() if silent else cards))
        (awarded, *_) = [
            event
            for event in Play.enter(plain, hc.AwardPots(**IDS, pot=at, losers_killed=True))
            if isinstance(event, ev.PotAwarded)
        ]
        push(veiled, at, awarded)


def push(veiled: Play, at: int, awarded: ev.PotAwarded) -> None:
    """Push a pot by the cards where they decide, by the dealer's word where they are not known."""
    by_cards = hc.AwardPots(**IDS, pot=at, losers_killed=True)
    try:
        decide_hand(by_cards, veiled.state, veiled.rules)
    except Refused as refused:
        unknown = refused
    else:
        pushed = next(event for event in veiled.enter(by_cards) if isinstance(event, ev.PotAwarded))
        assert pushed.shares == awarded.shares
        return
    assert unknown.code == "WINNER_UNKNOWN"
    assert "CR-12" in unknown.rules
    high = tuple(dict.fromkeys(one.seat for one in awarded.shares if one.part != "low"))
    low = tuple(dict.fromkeys(one.seat for one in awarded.shares if one.part == "low"))
    named = hc.AwardPots(**IDS, pot=at, losers_killed=True, winners=high, low_winners=low)
    (pushed, *_) = [event for event in veiled.enter(named) if isinstance(event, ev.PotAwarded)]
    assert pushed.by_dealer
    assert sum(one.cents for one in pushed.shares) + pushed.jackpot_odd_cents == awarded.cents
    assert {one.seat for one in pushed.shares} == {one.seat for one in awarded.shares}


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=many(HANDS_EACH), deadline=None)
@given(tape=tapes(640))
def test_what_is_not_known_changes_nothing_that_is(form: Form, tape: Tape) -> None:
    hand = dealt(tape, forms=(form,))
    veil = Veil(tape, hand)
    dealer = Told(hand, veil)
    plain, veiled = hand.play, veil.play
    with telling(plain, veiled):
        dealer.hole_cards()
        temper = tape.below(len(TEMPERS))
        while True:
            compare(plain, veiled, veil.hidden)
            if plain.state.phase is Phase.BETTING:
                act(tape, dealer, temper)
            elif plain.state.phase is Phase.DEALING:
                dealer.street()
            elif plain.state.phase is Phase.EXCHANGING:
                dealer.exchange(tape.below(4))
            else:
                break
        if plain.state.phase is Phase.SHOWDOWN:
            show_down(veil, tape)
        assert plain.state.over
        assert veiled.state.over
        compare_results(plain, veiled, veil.hidden)


def act(tape: Tape, dealer: Told, temper: int) -> None:
    """Take an action in both."""
    dealer.play.enter(taken(*chosen(tape, dealer.play.legal(), temper)))


def compare_results(plain: Play, veiled: Play, hidden: set[int]) -> None:
    """Compare how the hands ended: what each put in, and the stacks that are known."""
    for one, other in zip(plain.state.results, veiled.state.results, strict=True):
        assert (one.seat, one.put_in_cents) == (other.seat, other.put_in_cents)
        if one.seat in hidden:
            assert (other.before_cents, other.after_cents) == (None, None)
        else:
            assert one.before_cents == other.before_cents
