"""The port on top of the Rust evaluator."""

from collections.abc import Sequence
from typing import Literal

import cardroom_evaluator as rust

from cardroom.evaluator.port import (
    BestFive,
    Category,
    Game,
    HolePlay,
    Prefer,
    Qualifier,
    Showdown,
    Shown,
)


def _played(cards: Sequence[str], best: tuple[int, int]) -> BestFive:
    strength, mask = best
    return BestFive(strength, tuple(card for at, card in enumerate(cards) if mask >> at & 1))


class NativeEvaluator:
    """`Evaluator` by the package `cardroom_evaluator`; holds nothing."""

    def high(self, cards: Sequence[str]) -> int:
        """Return the strength of the best five of five to seven cards."""
        return rust.evaluate("".join(cards))

    def low(self, cards: Sequence[str], qualifier: Qualifier) -> int:
        """Return the low strength of the best five of five to seven cards, 0 if none qualifies."""
        return rust.low("".join(cards), qualifier)

    def wild_high(self, naturals: Sequence[str], wilds: int) -> int:
        """Return the strength of a hand with wild cards, five to seven in all (HG-G10a)."""
        return rust.evaluate_wild("".join(naturals), wilds)

    def omaha_high(self, board: Sequence[str], hole: Sequence[str]) -> int:
        """Return the strength of exactly two of four hole cards with three of the board."""
        return rust.Board("".join(board)).omaha("".join(hole))

    def omaha_low(self, board: Sequence[str], hole: Sequence[str], qualifier: Qualifier) -> int:
        """Return the low strength of two of four hole cards with three of the board, or 0."""
        return rust.Board("".join(board)).omaha_low("".join(hole), qualifier)

    def best_five(
        self, board: Sequence[str], hole: Sequence[str], prefer: Prefer = "hole"
    ) -> BestFive:
        """Return the best five of the board and a player's own cards, five to seven in all."""
        cards = (*board, *hole)
        return _played(cards, rust.best_five("".join(cards), prefer, len(hole)))

    def omaha_best_five(self, board: Sequence[str], hole: Sequence[str]) -> BestFive:
        """Return the best two of four hole cards with three of the board."""
        cards = (*board, *hole)
        return _played(cards, rust.omaha_best_five("".join(cards)))

    def hole_play(self, board: Sequence[str], hole: Sequence[str]) -> HolePlay:
        """Return how two hole cards take part in the best hold'em hand."""
        play = rust.Board("".join(board)).hole_play("".join(hole))
        return HolePlay(play.strength, play.with_both, play.without)

    def best_possible(self, board: Sequence[str], game: Literal["holdem", "omaha"]) -> int:
        """Return the strength of the best hand that any hole cards can make on this board."""
        asked = rust.Board("".join(board))
        return asked.best_possible() if game == "holdem" else asked.omaha_best_possible()

    def showdown(
        self,
        game: Game,
        board: Sequence[str],
        hands: Sequence[Sequence[str]],
        qualifier: Qualifier = "eight_or_better",
        prefer: Prefer = "hole",
    ) -> Showdown:
        """Read every hand against one board and name the winners."""
        texts = ["".join(hand) for hand in hands]
        result = rust.showdown(game, "".join(board), texts, qualifier, prefer)
        shown = []
        for hand, read in zip(hands, result.hands, strict=True):
            cards = (*board, *hand)
            high = None if read.high is None else _played(cards, read.high)
            low = None if read.low is None else _played(cards, read.low)
            shown.append(Shown(high, low))
        return Showdown(tuple(shown), result.high_winners, result.low_winners)

    def category(self, strength: int) -> Category:
        """Return the category of a high strength."""
        return rust.category(strength)

    def describe(self, strength: int) -> str:
        """Return a high strength in words, such as `aces full of kings`."""
        return rust.describe(strength)

    def describe_low(self, strength: int) -> str:
        """Return a low strength in words, such as `seven, five, four, three, ace low`."""
        return rust.describe_low(strength)
