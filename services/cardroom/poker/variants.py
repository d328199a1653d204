"""The forms of poker as data: streets, cards, draws, who opens, what wins. A new form is a new row, not new code."""

from enum import StrEnum
from typing import Final

import msgspec

from cardroom.known.games import Form


class Ranking(StrEnum):
    """By what hands are compared."""

    HIGH = "high"
    LOW_ACE_TO_FIVE = "low_ace_to_five"
    """Lowest hand wins, the ace low, straights and flushes ignored."""


class Combine(StrEnum):
    """Which cards make the hand."""

    ANY_FIVE = "any_five"
    TWO_AND_THREE = "two_and_three"
    """Exactly two hole cards with exactly three of the board."""


class Opens(StrEnum):
    """Who acts first in a betting round."""

    LEFT_OF_FORCED = "left_of_forced"
    """The first left of the blinds and straddles; without any, the first left of the button."""
    LEFT_OF_BUTTON = "left_of_button"
    LOW_CARD = "low_card"
    """The lowest upcard, by suit where ranks tie, brings it in."""
    HIGH_CARD = "high_card"
    """The highest upcard, aces low, brings it in (razz)."""
    HIGH_BOARD = "high_board"
    LOW_BOARD = "low_board"
    """The lowest board opens (razz)."""


class Exchange(msgspec.Struct, frozen=True):
    """Cards put away before a street's betting.

    Args:
        least: how many each player has to put away.
        most: how many each may put away.
        replaced: whether new cards come for them (a draw) or not (a discard).
    """

    least: int
    most: int
    replaced: bool


class Street(msgspec.Struct, frozen=True):
    """One round of cards and the betting that follows it.

    Args:
        name: what dealers call it.
        opens: who acts first.
        down: cards dealt face down to each live player.
        up: cards dealt face up to each live player.
        board: community cards dealt.
        big_bet: whether a limit game bets the upper limit here.
        exchange: cards put away before this street's cards and betting.
        open_pair: whether an open pair may let players bet the upper limit (stud, fourth street).
    """

    name: str
    opens: Opens
    down: int = 0
    up: int = 0
    board: int = 0
    big_bet: bool = False
    exchange: Exchange | None = None
    open_pair: bool = False


class Variant(msgspec.Struct, frozen=True):
    """A form of poker.

    Args:
        form: which one.
        streets: in order.
        rankings: what is won by: one ranking takes all, two halve the pot, the first being the high half.
        combine: which cards make a hand.
        stud: whether players get upcards; then it is dealt from the dealer's left, without a button.
        most_seats: how many players the deck can serve.
    """

    form: Form
    streets: tuple[Street, ...]
    rankings: tuple[Ranking, ...]
    combine: Combine = Combine.ANY_FIVE
    stud: bool = False
    most_seats: int = 10

    @property
    def board_cards(self) -> int:
        """Community cards of a complete board."""
        return sum(street.board for street in self.streets)

    @property
    def high_low(self) -> bool:
        """Whether the pot is halved between high and low."""
        return len(self.rankings) == 2

    def dealt(self, street: int) -> tuple[int, int]:
        """Return how many cards down and up a live player has once a street (from 0) is dealt."""
        shown = self.streets[: street + 1]
        return sum(s.down for s in shown), sum(s.up for s in shown)

    def kept(self, street: int) -> int:
        """Return how many cards a live player holds once a street is dealt and its exchange made."""
        down, up = self.dealt(street)
        put_away = sum(
            s.exchange.least
            for s in self.streets[: street + 1]
            if s.exchange and not s.exchange.replaced
        )
        return down + up - put_away


def _board_streets(hole: int, discard: int = 0) -> tuple[Street, ...]:
    exchange = Exchange(discard, discard, replaced=False) if discard else None
    return (
        Street("preflop", Opens.LEFT_OF_FORCED, down=hole),
        Street("flop", Opens.LEFT_OF_BUTTON, board=3, exchange=exchange),
        Street("turn", Opens.LEFT_OF_BUTTON, board=1, big_bet=True),
        Street("river", Opens.LEFT_OF_BUTTON, board=1, big_bet=True),
    )


def _stud_streets(bring_in: Opens, opens: Opens, *, open_pair: bool) -> tuple[Street, ...]:
    return (
        Street("third street", bring_in, down=2, up=1),
        Street("fourth street", opens, up=1, open_pair=open_pair),
        Street("fifth street", opens, up=1, big_bet=True),
        Street("sixth street", opens, up=1, big_bet=True),
        Street("seventh street", opens, down=1, big_bet=True),
    )


def _draw_streets() -> tuple[Street, ...]:
    return (
        Street("first round", Opens.LEFT_OF_FORCED, down=5),
        Street(
            "after the draw",
            Opens.LEFT_OF_BUTTON,
            big_bet=True,
            exchange=Exchange(0, 5, replaced=True),
        ),
    )


_HIGH: Final = (Ranking.HIGH,)
_LOW: Final = (Ranking.LOW_ACE_TO_FIVE,)
_BOTH: Final = (Ranking.HIGH, Ranking.LOW_ACE_TO_FIVE)
_STUD: Final = _stud_streets(Opens.LOW_CARD, Opens.HIGH_BOARD, open_pair=True)
# In stud high-low no book gives the option of the upper limit for an open pair (Robert's Rules deny it).
_STUD_EIGHT: Final = _stud_streets(Opens.LOW_CARD, Opens.HIGH_BOARD, open_pair=False)
_RAZZ: Final = _stud_streets(Opens.HIGH_CARD, Opens.LOW_BOARD, open_pair=False)

VARIANTS: Final[dict[Form, Variant]] = {
    variant.form: variant
    for variant in (
        Variant(Form.HOLDEM, _board_streets(2), _HIGH),
        Variant(Form.OMAHA, _board_streets(4), _HIGH, Combine.TWO_AND_THREE),
        Variant(Form.OMAHA_HIGH_LOW, _board_streets(4), _BOTH, Combine.TWO_AND_THREE),
        Variant(Form.PINEAPPLE, _board_streets(3, discard=1), _HIGH),
        Variant(Form.STUD, _STUD, _HIGH, stud=True, most_seats=8),
        Variant(Form.STUD_HIGH_LOW, _STUD_EIGHT, _BOTH, stud=True, most_seats=8),
        Variant(Form.RAZZ, _RAZZ, _LOW, stud=True, most_seats=8),
        Variant(Form.FIVE_CARD_DRAW, _draw_streets(), _HIGH, most_seats=8),
        Variant(Form.LOWBALL, _draw_streets(), _LOW, most_seats=8),
    )
}
"""Every form the books know, by its name."""
