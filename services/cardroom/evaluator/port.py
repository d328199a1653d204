"""What the rules ask about cards. Cards are text such as `As`; higher is better, for lows as well.

High strengths are 1 (7-5-4-3-2) to 7462 (a royal flush), then 7463 (five deuces) to 7475 (five
aces) with wild cards. Low strengths are 1 (K-K-K-K-Q) to 6175 (5-4-3-2-A); lows are ace-to-five.

Every method raises `ValueError` for a card that is none, that occurs twice, or a count of cards
that the question does not have; callers at the edge have refused those before.
"""

from collections.abc import Sequence
from typing import Final, Literal, Protocol

import msgspec

ROYAL_FLUSH: Final = 7462
"""The best high strength without wild cards."""
FIVE_ACES: Final = 7475
"""The best high strength of all."""
BEST_LOW: Final = 6175
"""Strength of the low 5-4-3-2-A."""
WORST_EIGHT: Final = 6120
"""Strength of the low 8-7-6-5-4, the worst that is eight or better."""

Prefer = Literal["hole", "board"]
"""Which of two cards of one rank plays if only one is needed."""
Qualifier = Literal["none", "eight_or_better"]
"""What a low must be to count, as the decision `highlow.qualifier` names it."""
Category = Literal[
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "five of a kind",
]
"""Kinds of high hands from worst to best."""
Game = Literal[
    "holdem",
    "holdem_high_low",
    "omaha",
    "omaha_high_low",
    "stud",
    "stud_high_low",
    "razz",
    "draw",
    "lowball",
]
"""Forms of poker as far as reading hands goes; `omaha` plays exactly two hole cards."""


class BestFive(msgspec.Struct, frozen=True):
    """A strength and the five cards that make it, in the order board, hole."""

    strength: int
    cards: tuple[str, ...]


class HolePlay(msgspec.Struct, frozen=True):
    """How a player's two hole cards take part in the best hand (HG-J3a, HG-J3b).

    Attributes:
        strength: of the best five of all cards.
        with_both: of the best five that contain both hole cards.
        without: strengths without the first and without the second hole card.
    """

    strength: int
    with_both: int
    without: tuple[int, int]

    @property
    def both_can_play(self) -> bool:
        """Some best five contains both hole cards, be it as kicker or as one of equal cards."""
        return self.with_both == self.strength

    @property
    def both_needed(self) -> bool:
        """The hand is weaker without either hole card."""
        return max(self.without) < self.strength


class Shown(msgspec.Struct, frozen=True):
    """What one hand makes: a high, a low, or both; a half the game or the hand lacks is None."""

    high: BestFive | None
    low: BestFive | None


class Showdown(msgspec.Struct, frozen=True):
    """What every hand makes, and the places of those that share the high and the low."""

    hands: tuple[Shown, ...]
    high_winners: tuple[int, ...]
    low_winners: tuple[int, ...]


class Evaluator(Protocol):
    """Answers what hands are worth. Boards have three to five cards."""

    def high(self, cards: Sequence[str]) -> int:
        """Return the strength of the best five of five to seven cards."""
        ...

    def low(self, cards: Sequence[str], qualifier: Qualifier) -> int:
        """Return the low strength of the best five of five to seven cards, 0 if none qualifies."""
        ...

    def wild_high(self, naturals: Sequence[str], wilds: int) -> int:
        """Return the strength of a hand with wild cards, five to seven in all (HG-G10a)."""
        ...

    def omaha_high(self, board: Sequence[str], hole: Sequence[str]) -> int:
        """Return the strength of exactly two of four hole cards with three of the board."""
        ...

    def omaha_low(self, board: Sequence[str], hole: Sequence[str], qualifier: Qualifier) -> int:
        """Return the low strength of two of four hole cards with three of the board, or 0."""
        ...

    def best_five(
        self, board: Sequence[str], hole: Sequence[str], prefer: Prefer = "hole"
    ) -> BestFive:
        """Return the best five of the board and a player's own cards, five to seven in all."""
        ...

    def omaha_best_five(self, board: Sequence[str], hole: Sequence[str]) -> BestFive:
        """Return the best two of four hole cards with three of the board."""
        ...

    def hole_play(self, board: Sequence[str], hole: Sequence[str]) -> HolePlay:
        """Return how two hole cards take part in the best hold'em hand."""
        ...

    def best_possible(self, board: Sequence[str], game: Literal["holdem", "omaha"]) -> int:
        """Return the strength of the best hand that any hole cards can make on this board."""
        ...

    def showdown(
        self,
        game: Game,
        board: Sequence[str],
        hands: Sequence[Sequence[str]],
        qualifier: Qualifier = "eight_or_better",
        prefer: Prefer = "hole",
    ) -> Showdown:
        """Read every hand against one board and name the winners."""
        ...

    def category(self, strength: int) -> Category:
        """Return the category of a high strength."""
        ...

    def describe(self, strength: int) -> str:
        """Return a high strength in words, such as `aces full of kings`."""
        ...

    def describe_low(self, strength: int) -> str:
        """Return a low strength in words, such as `seven, five, four, three, ace low`."""
        ...
