"""Reading hands: what a player's cards make with the board, in the form's rankings."""

from collections.abc import Sequence
from itertools import combinations
from typing import Literal, Protocol

import msgspec

from cardroom.poker.cards import UNKNOWN
from cardroom.poker.variants import Combine, Ranking, Variant

Qualifier = Literal["none", "eight_or_better"]


class Reader(Protocol):
    """What is asked of an evaluator: strengths, higher better, a low's 0 where none qualifies."""

    def __hash__(self) -> int: ...

    def high(self, cards: Sequence[str]) -> int:
        """Return the strength of the best five of five to seven cards."""

    def low(self, cards: Sequence[str], qualifier: Qualifier) -> int:
        """Return the ace-to-five strength of the best five of five to seven cards."""

    def omaha_high(self, board: Sequence[str], hole: Sequence[str]) -> int:
        """Return the strength of two of four hole cards with three of the board."""

    def omaha_low(self, board: Sequence[str], hole: Sequence[str], qualifier: Qualifier) -> int:
        """Return the low strength of two of four hole cards with three of the board."""


class Worth(msgspec.Struct, frozen=True):
    """What a hand makes.

    Args:
        high: strength in the first (or only) ranking, higher better; for razz and lowball that ranking is low.
        low: strength for the low half, 0 where the hand has no qualifying low or the form no low half.
    """

    high: int
    low: int = 0


def worth(
    variant: Variant,
    held: tuple[str, ...],
    board: tuple[str, ...],
    reader: Reader,
    qualifier: Qualifier,
) -> Worth | None:
    """Return what a hand makes, None where a card that decides is not known.

    Args:
        variant: the form.
        held: the player's own cards.
        board: community cards.
        reader: the evaluator.
        qualifier: what a low half asks for.
    """
    if UNKNOWN in held or UNKNOWN in board or len(held) + len(board) < 5:
        return None
    if variant.combine is Combine.TWO_AND_THREE:
        return _two_and_three(variant, held, board, reader, qualifier)
    cards = held + board
    best_is_high = variant.rankings[0] is Ranking.HIGH
    high = reader.high(cards) if best_is_high else reader.low(cards, "none")
    return Worth(high, reader.low(cards, qualifier) if variant.high_low else 0)


def _two_and_three(
    variant: Variant,
    held: tuple[str, ...],
    board: tuple[str, ...],
    reader: Reader,
    qualifier: Qualifier,
) -> Worth | None:
    if len(held) < 2 or len(board) < 3:
        return None
    if len(held) == 4:
        high = reader.omaha_high(board, held)
        return Worth(high, reader.omaha_low(board, held, qualifier) if variant.high_low else 0)
    # Declaring players keep two cards and put the others away (HG-L2c).
    hands = [pair + three for pair in combinations(held, 2) for three in combinations(board, 3)]
    high = max(reader.high(hand) for hand in hands)
    low = max(reader.low(hand, qualifier) for hand in hands) if variant.high_low else 0
    return Worth(high, low)
