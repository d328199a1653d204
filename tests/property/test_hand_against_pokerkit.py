"""Random hands against PokerKit 0.7: who acts, what he may do, and the chips at the end.

Where the two differ by rule, `known_disagreement` names the difference and the rule of the book that decides it; any
other difference fails. Actions are then drawn from what both accept.
"""

from typing import Any

import pokerkit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import Automation, BettingStructure

from cardroom.known.games import Form, Structure
from cardroom.poker.legal import WAGERS, Act, Option
from cardroom.tables.hand_events import ActionTaken, Phase
from cardroom.tables.hand_reading import worth_of
from tests.plugins.hand_play import Play
from tests.plugins.hand_random import Dealer, Dealt, amount, dealt_hands, finish, taken

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class FixedLimitOmahaEight(pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter):  # type: ignore[misc]
    """PokerKit's fixed-limit Omaha eight is bet pot-limit and without a cap (0.7.7); this is what its name says."""

    betting_structure = BettingStructure.FIXED_LIMIT
    max_completion_betting_or_raising_count = 4


BOARD_GAMES = {
    (Form.HOLDEM, Structure.NO_LIMIT): pokerkit.NoLimitTexasHoldem,
    (Form.HOLDEM, Structure.LIMIT): pokerkit.FixedLimitTexasHoldem,
    (Form.OMAHA, Structure.POT_LIMIT): pokerkit.PotLimitOmahaHoldem,
    (Form.OMAHA_HIGH_LOW, Structure.LIMIT): FixedLimitOmahaEight,
}
STUD_GAMES = {
    Form.STUD: pokerkit.FixedLimitSevenCardStud,
    Form.STUD_HIGH_LOW: pokerkit.FixedLimitSevenCardStudHighLowSplitEightOrBetter,
    Form.RAZZ: pokerkit.FixedLimitRazz,
}

SHORT_WAGER = (
    "an all-in short of a full wager: here it is action only and may be completed to the full bet, and who has acted "
    "may not raise it (WP-3R5, WP-3R6); PokerKit adds a bet on top in limit, and takes an opening short all-in for full"
)
CAP = (
    "no cap heads-up or with two not all-in, and none once a round falls to two before it is reached (WP-3R3, WP-3R4); "
    "PokerKit counts a bet and three raises in every round"
)
OPEN_PAIR = "an open pair on fourth street opens the upper limit (LC-100, default of WP); PokerKit has no such option"
BRING_IN_ALL_IN = (
    "a bring-in that takes every chip is no completion (WP-3R6); PokerKit lets it be called one"
)


def oracle(hand: Dealt) -> Any:
    """Return PokerKit's state of the same hand, forced bets in."""
    count = len(hand.stacks)
    if hand.form in STUD_GAMES:
        return STUD_GAMES[hand.form].create_state(
            AUTOMATIONS, True, hand.ante, 2, 4, 8, hand.stacks, count
        )
    kind = BOARD_GAMES[hand.form, hand.structure]
    if hand.structure is Structure.LIMIT:
        return kind.create_state(AUTOMATIONS, True, hand.ante, (2, 4), 4, 8, hand.stacks, count)
    return kind.create_state(AUTOMATIONS, True, hand.ante, (2, 4), 4, hand.stacks, count)


class Twin(Dealer):
    """A hand and PokerKit's, dealt alike."""

    def __init__(self, hand: Dealt) -> None:
        super().__init__(hand)
        self.kit = oracle(hand)

    def hole_cards(self) -> None:
        """Deal everybody's first cards in both."""
        super().hole_cards()
        if not self.play.rules.variant.stud:
            for chair in self.play.state.chairs:
                self.kit.deal_hole("".join(chair.down), player_index=chair.seat - 1)

    def street(self) -> None:
        """Deal the next street in both."""
        before = {chair.seat: (chair.down, chair.up) for chair in self.play.state.chairs}
        boards = self.play.state.boards[0]
        first = self.play.state.street < 0
        super().street()
        if not first:
            self.kit.burn_card("??")
        board = self.play.state.boards[0][len(boards) :]
        if board:
            self.kit.deal_board("".join(board))
            return
        for chair in self.play.state.chairs:
            down, up = before[chair.seat]
            new = chair.down[len(down) :] + chair.up[len(up) :]
            if new:
                self.kit.deal_hole("".join(new), player_index=chair.seat - 1)


def known_disagreement(play: Play) -> str:
    """Return the rule by which both may differ in what may be raised now, empty where none applies."""
    betting = play.state.betting
    assert betting is not None
    if any(option.act is Act.BRING_IN and option.all_in for option in play.legal()):
        return BRING_IN_ALL_IN
    round_actions = [
        event
        for event in play.events
        if isinstance(event, ActionTaken) and event.betting.street == betting.street
    ]
    short = betting.full_cents != betting.level_cents and not (
        betting.level_cents == play.state.game.bring_in_cents and betting.wagers == 0
    )
    if short or any(event.all_in and event.act in WAGERS for event in round_actions):
        return SHORT_WAGER
    if play.rules.betting.fixed and betting.wagers >= 4:
        return CAP
    fourth = betting.street == 1 and play.rules.variant.stud
    if betting.upper_cents or (fourth and betting.bet_cents > play.state.small_bet_cents):
        return OPEN_PAIR
    return ""


def compare(twin: Twin) -> None:
    """Compare who acts and what he may do."""
    play, kit = twin.play, twin.kit
    seat = play.state.to_act
    assert kit.actor_index == seat - 1, "another player is to act"
    options = {option.act: option for option in play.legal()}
    betting = play.state.betting
    assert betting is not None
    if Act.BRING_IN in options:
        assert kit.can_post_bring_in()
    else:
        passing = options.get(Act.CALL) or options[Act.CHECK]
        chair = next(chair for chair in play.state.chairs if chair.seat == seat)
        front = max(0, chair.matched_cents - betting.base_cents)
        assert kit.checking_or_calling_amount * 100 == passing.least_cents - front
    wagers = [option for option in options.values() if option.act in WAGERS]
    least, most = (
        kit.min_completion_betting_or_raising_to_amount,
        kit.max_completion_betting_or_raising_to_amount,
    )
    ours = (wagers[0].least_cents, wagers[-1].most_cents) if wagers else None
    theirs = (least * 100, most * 100) if least is not None else None
    if ours != theirs:
        assert known_disagreement(play), f"may raise {ours}, PokerKit {theirs}"


def act(draw: Any, twin: Twin) -> None:
    """Take an action that both accept."""
    play, kit = twin.play, twin.kit
    options = [option for option in play.legal() if _both(option, twin)]
    calm = [option for option in options if option.act is not Act.FOLD]
    option: Option = draw(st.sampled_from([*options, *calm, *calm, *calm]))
    to_cents = amount(draw, option)
    if option.act in WAGERS and not kit.can_complete_bet_or_raise_to(to_cents // 100):
        option = next(one for one in options if one.act not in WAGERS)
    play.enter(taken(option, to_cents))
    match option.act:
        case Act.FOLD:
            kit.fold()
        case Act.CHECK | Act.CALL:
            kit.check_or_call()
        case Act.BRING_IN:
            kit.post_bring_in()
        case _:
            kit.complete_bet_or_raise_to(to_cents // 100)


def _both(option: Option, twin: Twin) -> bool:
    if option.act is Act.FOLD:
        return bool(twin.kit.can_fold())
    if option.act in WAGERS:
        return bool(twin.kit.can_complete_bet_or_raise_to(option.least_cents // 100))
    return True


def odd_chips_differ(play: Play) -> bool:
    """Whether an odd chip was given out: PokerKit hands the whole remainder to the first, by position (WP-3T4)."""
    return any(share.odd for share in play.state.shares) or any(
        share.part != "whole" for share in play.state.shares
    )


def low_in_some_pots_only(play: Play) -> bool:
    """Whether a low qualified in one pot and in another none: PokerKit (0.7.7) then halves that other pot too.

    High and low are found pot by pot among its own players; without a qualifying low the high hand takes the pot
    whole (highlow.halves, highlow.qualifier).
    """
    state, rules = play.state, play.rules
    made = {chair.seat: worth_of(state, chair, rules, 0) for chair in state.chairs if chair.tabled}
    low = {seat for seat, worth in made.items() if worth is not None and worth.low}
    return len({any(seat in low for seat in pot.seats) for pot in state.pots}) > 1


def run(draw: Any, hand: Dealt) -> Twin:
    """Play a hand in both to its end."""
    twin = Twin(hand)
    play, kit = twin.play, twin.kit
    twin.hole_cards()
    for _ in range(400):
        if play.state.phase is Phase.BETTING:
            compare(twin)
            act(draw, twin)
        elif play.state.phase is Phase.DEALING:
            twin.street()
        else:
            break
        while play.state.phase is not Phase.BETTING and kit.actor_index is not None:
            # A player whom nobody can call is not asked here (WP-3R4, WP-3R6); PokerKit lets him check first.
            assert kit.checking_or_calling_amount == 0
            kit.check_or_call()
        while kit.showdown_index is not None and kit.can_show_or_muck_hole_cards():
            kit.show_or_muck_hole_cards(True)
    finish(twin)
    while kit.status and kit.can_show_or_muck_hole_cards():
        kit.show_or_muck_hole_cards(True)
    assert not kit.status, "PokerKit's hand goes on"
    return twin


def check_stacks(twin: Twin) -> None:
    """Compare the chips at the end, to the cent where no odd chip was given out."""
    ours = [0] * len(twin.hand.stacks)
    for result in twin.play.state.results:
        ours[result.seat - 1] = result.after_cents or 0
    theirs = [stack * 100 for stack in twin.kit.stacks]
    assert sum(ours) == sum(theirs)
    if low_in_some_pots_only(twin.play):
        return
    slack = 100 * len(twin.play.state.shares) if odd_chips_differ(twin.play) else 0
    assert all(abs(one - other) <= slack for one, other in zip(ours, theirs, strict=True)), (
        f"stacks {ours}, PokerKit {theirs}: {twin.play.state.shares}, {twin.play.state.pots}, {twin.play.state.chairs}"
    )


@pytest.mark.parametrize("form_and_structure", list(BOARD_GAMES), ids="-".join)
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_board_games(form_and_structure: tuple[Form, Structure], data: st.DataObject) -> None:
    form, structure = form_and_structure
    hand = data.draw(
        dealt_hands(
            books=("WP",), forms=(form,), structures=(structure,), least_stack=5, most_stack=300
        )
    )
    check_stacks(run(data.draw, hand))


@pytest.mark.parametrize("form", list(STUD_GAMES))
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_stud_games(form: Form, data: st.DataObject) -> None:
    hand = data.draw(
        dealt_hands(
            books=("WP",),
            forms=(form,),
            structures=(Structure.LIMIT,),
            least_stack=3,
            most_stack=150,
            most_seats=7,
        )
    )
    check_stacks(run(data.draw, hand))
