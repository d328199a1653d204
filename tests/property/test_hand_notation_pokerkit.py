"""Standard hands written as PHH, read and played through by PokerKit: it parses them and comes to the same stacks."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any, Final

import pokerkit
import pytest

from cardroom.known.games import Form, Structure
from cardroom.tables.hand_events import ActionTaken, PotAwarded, StreetDealt
from cardroom.tables.notation.phh_export import export_phh
from tests.plugins.hand_play import Play
from tests.plugins.hand_random import TAPE_BYTES, Tape, dealt, played, telling

# PokerKit wonders at folds that cost nothing.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

STANDARD: Final = {
    "FT": (Form.HOLDEM, Structure.LIMIT),
    "NT": (Form.HOLDEM, Structure.NO_LIMIT),
    "PO": (Form.OMAHA, Structure.POT_LIMIT),
    "FO/8": (Form.OMAHA_HIGH_LOW, Structure.LIMIT),
    "F7S": (Form.STUD, Structure.LIMIT),
    "F7S/8": (Form.STUD_HIGH_LOW, Structure.LIMIT),
    "FR": (Form.RAZZ, Structure.LIMIT),
}
"""The codes that PHH and the games here share."""


def stacks_at_the_end(history: Any) -> list[Fraction]:
    """Return the stacks PokerKit comes to, pots divided without an odd chip."""
    history.divmod = lambda chips, shares: (Fraction(chips) / shares, 0)
    history.parse_value = lambda text: Fraction(Decimal(text))
    for name in ("antes", "blinds_or_straddles", "starting_stacks"):
        values = getattr(history, name)
        if values is not None:
            setattr(history, name, [Fraction(value) for value in values])
    for name in ("bring_in", "small_bet", "big_bet", "min_bet"):
        value = getattr(history, name)
        if value is not None:
            setattr(history, name, Fraction(value))
    states: list[Any] = list(history)
    return [Fraction(stack) for stack in states[-1].stacks]


HANDS = 30
"""Random hands of each code."""
MOST_WAGERS: Final = 4
"""A bet and three raises; heads-up our books count no further, PokerKit does."""


def deep_hands(code: str) -> Iterator[Play]:
    """Give random hands that both engines play alike: deep stacks, few players, nothing but blinds or antes.

    What they decide otherwise (caps, short all-ins, odd chips, cards for who folds with no bet, an open pair) is no
    matter of the format.
    """
    form, structure = STANDARD[code]
    random = Random(code)
    found = 0
    while found < HANDS:
        tape = Tape(random.randbytes(TAPE_BYTES))
        hand = dealt(tape, books=("WP",), forms=(form,), structures=(structure,), most_seats=6)
        if min(hand.stacks) < 100 or hand.straddle or hand.dead_ante:
            continue
        play = played(tape, hand).play
        rounds = [
            event.betting
            for event in play.events
            if isinstance(event, ActionTaken | StreetDealt) and event.betting is not None
        ]
        most = MOST_WAGERS if structure is Structure.LIMIT else 99
        if any(one.wagers > most or one.folded_free or one.upper_cents for one in rounds):
            continue
        found += 1
        yield play


@pytest.mark.parametrize("code", STANDARD)
def test_pokerkit_plays_a_standard_hand_to_the_same_stacks(code: str) -> None:
    alike = 0
    for play in deep_hands(code):
        text = export_phh(play.state, play.rules)
        exact: Any = Decimal
        history = pokerkit.HandHistory.loads(text, parse_value=exact)
        assert history.variant == code
        assert history.user_defined_fields.keys() == {"_cardroom"}
        odd = any(
            share.odd
            for event in play.events
            if isinstance(event, PotAwarded)
            for share in event.shares
        )
        told = [Fraction(Decimal(stack)) for stack in history.finishing_stacks or []]
        with telling(play):
            found = stacks_at_the_end(history)
            assert sum(found) == sum(told)
            assert odd or found == told, text
        alike += not odd
    assert alike > HANDS // 2
