"""Poker hand values for every game the room deals.

Cards are ``rank * 4 + suit``: ranks 0 (deuce) to 12 (ace), suits 0 to 3 for clubs, diamonds,
hearts, spades, so that 0 is 2c and 51 is As. A list of cards is ``bytes`` of such numbers, the
fastest form, or text such as ``"AsKdTc"`` without separators.

**Higher is better everywhere, for lows as well.** High strengths are 1 (7-5-4-3-2) to 7462 (a
royal flush); five of a kind, which takes wild cards, is 7463 to 7475. Low strengths are 1
(K-K-K-K-Q) to 6175 (5-4-3-2-A), and 0 means that no low qualifies; lows are ace-to-five, so that
straights and flushes do not count.

Masks tell which cards play: bit ``i`` is card ``i`` of the input, where the board comes before the
hole cards.

Every function raises ``TypeError`` for cards that are neither bytes nor text, and ``ValueError``
that names the position and the value for a number that is no card, a card that occurs twice, or a
wrong count.
"""

from collections.abc import Sequence
from typing import Final, Literal, Self, TypeAlias, final

from typing_extensions import Buffer

_Cards: TypeAlias = bytes | str
_Strength: TypeAlias = int
_Mask: TypeAlias = int
_Path: TypeAlias = Literal["scalar", "avx2", "avx512"]
_Prefer: TypeAlias = Literal["hole", "board"]
_Qualifier: TypeAlias = Literal["none", "eight_or_better"]
_Category: TypeAlias = Literal[
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
_Game: TypeAlias = Literal[
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

__all__ = [
    "BEST_LOW",
    "BEST_NATURAL",
    "FIVE_ACES",
    "TABLE_BYTES",
    "WORST_EIGHT",
    "Board",
    "HolePlay",
    "Showdown",
    "Shown",
    "__version__",
    "batch_paths",
    "best_five",
    "category",
    "describe",
    "describe_low",
    "evaluate",
    "evaluate_batch",
    "evaluate_ints",
    "evaluate_wild",
    "holdem_tables",
    "low",
    "low_batch",
    "low_best_five",
    "omaha_batch",
    "omaha_best_five",
    "omaha_high",
    "omaha_high_ints",
    "omaha_low",
    "omaha_low_best_five",
    "omaha_tables",
    "showdown",
]

__version__: Final[str]
BEST_LOW: Final[int]
"""Strength of the low 5-4-3-2-A."""
WORST_EIGHT: Final[int]
"""Strength of the low 8-7-6-5-4, the worst that is eight or better."""
BEST_NATURAL: Final[int]
"""Strength of a royal flush."""
FIVE_ACES: Final[int]
"""Strength of five aces."""

TABLE_BYTES: Final[int]
"""Size of all look-up tables together, in bytes."""

def evaluate(cards: _Cards, /) -> _Strength:
    """Return the strength of the best five of five to seven cards; higher is better."""

def evaluate_ints(*cards: int) -> _Strength:
    """Return the strength of five to seven cards given one by one; higher is better."""

def omaha_high(board_and_hole: _Cards, /) -> _Strength:
    """Return the strength of exactly two hole cards with exactly three board cards.

    Args:
        board_and_hole: three to five board cards, then the four hole cards.
    """

def omaha_high_ints(*board_and_hole: int) -> _Strength:
    """Return the strength of three to five board cards and four hole cards given one by one."""

def low(cards: _Cards, qualifier: _Qualifier, /) -> _Strength:
    """Return the low strength of the best five of five to seven cards, 0 if none qualifies."""

def omaha_low(board_and_hole: _Cards, qualifier: _Qualifier = "eight_or_better", /) -> _Strength:
    """Return the low strength of two hole cards with three board cards, 0 if none qualifies.

    Args:
        board_and_hole: three to five board cards, then the four hole cards.
        qualifier: what a low must be to count.
    """

def evaluate_wild(naturals: _Cards, wilds: int, /) -> _Strength:
    """Return the strength of a hand with wild cards; five of a kind beats everything.

    A wild card stands for any card that is not in the hand, or for the fifth of a kind. How many
    wild cards a hand holds breaks no tie. This is a slower way: up to 20,000 hands are tried.

    Args:
        naturals: the cards that are not wild.
        wilds: the number of wild cards; five to seven cards in all.
    """

def best_five(
    cards: _Cards, /, prefer: _Prefer = "hole", hole_count: int = 2
) -> tuple[_Strength, _Mask]:
    """Return the strength of five to seven cards and which five make it.

    Args:
        cards: the board cards, then the player's own.
        prefer: which of two cards of one rank plays if only one is needed; among equally
            preferred ones the first.
        hole_count: how many cards at the end are the player's own.
    """

def low_best_five(
    cards: _Cards, /, qualifier: _Qualifier, prefer: _Prefer = "hole", hole_count: int = 2
) -> tuple[_Strength, _Mask]:
    """Return the low strength of five to seven cards and which five make it.

    Both numbers are 0 if no low qualifies. Arguments as for ``best_five`` and ``low``.
    """

def omaha_best_five(board_and_hole: _Cards, /) -> tuple[_Strength, _Mask]:
    """Return the Omaha high strength and which two and three cards make it.

    Among equal choices the hole cards, then the board cards, that come first play.
    """

def omaha_low_best_five(
    board_and_hole: _Cards, /, qualifier: _Qualifier = "eight_or_better"
) -> tuple[_Strength, _Mask]:
    """Return the Omaha low strength and which cards make it; both 0 if no low qualifies."""

def category(strength: _Strength, /) -> _Category:
    """Return the category of a high strength, 1 to 7475."""

def describe(strength: _Strength, /) -> str:
    """Return a high strength in words, such as ``aces full of kings``; one text a strength."""

def describe_low(strength: _Strength, /) -> str:
    """Return a low strength in words, such as ``seven, five, four, three, ace low``."""

def showdown(
    game: _Game,
    board: _Cards,
    hands: Sequence[_Cards],
    /,
    qualifier: _Qualifier = "eight_or_better",
    prefer: _Prefer = "hole",
) -> Showdown:
    """Read every hand against one board and name the winners.

    Args:
        game: what is played; in ``razz`` and ``lowball`` the low is all there is.
        board: the board; empty in draw, empty or the one common card in stud.
        hands: the cards of each player who shows.
        qualifier: what a low must be, in games that pay one. Razz and lowball usually take
            ``none``.
        prefer: as for ``best_five``.

    Raises:
        ValueError: also if two players hold the same card, or a game of this name is not known.
    """

def batch_paths() -> list[_Path]:
    """Return the instruction sets that batches can run on here, the plainest first.

    All give the same results; batches take the last one unless told otherwise.
    """

def evaluate_batch(cards: Buffer, out: Buffer, /, path: _Path | None = None) -> None:
    """Write the strengths of many seven-card hands; higher is better.

    All batches take C-contiguous arrays of the caller through the buffer protocol: numpy arrays,
    or ``memoryview(...).cast("B", shape=...)``. Nothing is copied, and other threads run
    meanwhile; they must not write to the arrays. Results are not to be used after an error.

    Args:
        cards: uint8, shape (N, 7).
        out: uint16, shape (N,), in memory of its own.
        path: an instruction set of ``batch_paths()``, for tests and measurements.

    Raises:
        TypeError: an argument is no array of its element type in the machine's byte order.
        ValueError: a shape is wrong, an array is not contiguous, cannot be written to or shares
            memory with another, or a card is wrong: the message names the row.
    """

def low_batch(cards: Buffer, out: Buffer, /, qualifier: _Qualifier) -> None:
    """Write the low strengths of (N, 7) uint8 cards to (N,) uint16, 0 where none qualifies."""

def omaha_batch(
    cards: Buffer, out: Buffer, low_out: Buffer | None = None, /, path: _Path | None = None
) -> None:
    """Write the Omaha strengths of (N, 9) uint8 cards, five of the board first.

    Args:
        cards: uint8, shape (N, 9).
        out: uint16, shape (N,): high strengths.
        low_out: uint16, shape (N,): strengths of eight-or-better lows, 0 where none qualifies.
        path: as for ``evaluate_batch``, which says what is raised, too.
    """

def holdem_tables(boards: Buffer, holes: Buffer, out: Buffer, /, path: _Path | None = None) -> None:
    """Write the strengths of many players on each of many boards.

    Args:
        boards: uint8, shape (B, 5).
        holes: uint8, shape (B, P, 2), for 1 to 23 players; no two may hold the same card.
        out: uint16, shape (B, P).
        path: as for ``evaluate_batch``, which says what is raised, too.
    """

def omaha_tables(
    boards: Buffer,
    holes: Buffer,
    out: Buffer,
    low_out: Buffer | None = None,
    /,
    path: _Path | None = None,
) -> None:
    """Write the Omaha strengths of many players on each of many boards.

    Args:
        boards: uint8, shape (B, 5).
        holes: uint8, shape (B, P, 4), for 1 to 11 players; no two may hold the same card.
        out: uint16, shape (B, P): high strengths.
        low_out: uint16, shape (B, P): strengths of eight-or-better lows, 0 where none qualifies.
        path: as for ``evaluate_batch``, which says what is raised, too.
    """

@final
class Board:
    """Three to five board cards, summed once, that several hands are read against."""

    def __new__(cls, cards: _Cards, /) -> Self: ...
    @property
    def cards(self) -> bytes:
        """The board's cards."""

    def evaluate(self, hole: _Cards, /) -> _Strength:
        """Return the strength of the best five of the board and two hole cards."""

    def omaha(self, hole: _Cards, /) -> _Strength:
        """Return the strength of two of four hole cards with three of the board."""

    def low(self, hole: _Cards, qualifier: _Qualifier = "eight_or_better", /) -> _Strength:
        """Return the low strength of the board and two hole cards, 0 if none qualifies."""

    def omaha_low(self, hole: _Cards, qualifier: _Qualifier = "eight_or_better", /) -> _Strength:
        """Return the low strength of two of four hole cards with three of the board, or 0."""

    def with_both(self, hole: _Cards, /) -> _Strength:
        """Return the strength of the best five that contain both of two hole cards."""

    def hole_play(self, hole: _Cards, /) -> HolePlay:
        """Return how the two hole cards take part in the best hand."""

    def best_possible(self) -> _Strength:
        """Return the strength of the best hand that any two hole cards can make."""

    def omaha_best_possible(self) -> _Strength:
        """Return the strength of the best hand that any Omaha hole cards can make."""

@final
class HolePlay:
    """How a player's two hole cards take part in the best hand, in the readings rules use."""

    @property
    def strength(self) -> _Strength:
        """Strength of the best five of all cards."""

    @property
    def with_both(self) -> _Strength:
        """Strength of the best five that contain both hole cards."""

    @property
    def without(self) -> tuple[_Strength, _Strength]:
        """Strength without the first and without the second hole card.

        0 where fewer than five cards remain.
        """

    @property
    def both_can_play(self) -> bool:
        """Some best five contains both hole cards, be it as kicker or as one of equal cards."""

    @property
    def both_needed(self) -> bool:
        """The hand is weaker without either hole card."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Shown:
    """What one hand makes: strength and mask over the board's cards, then the hand's."""

    @property
    def high(self) -> tuple[_Strength, _Mask] | None:
        """The high hand, in games that pay one."""

    @property
    def low(self) -> tuple[_Strength, _Mask] | None:
        """The low, in games that pay one and if it qualifies."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Showdown:
    """The hands in the order given, and the places of those that win."""

    @property
    def hands(self) -> tuple[Shown, ...]:
        """What each hand makes."""

    @property
    def high_winners(self) -> tuple[int, ...]:
        """Places of the hands that share the high; empty in games that pay none."""

    @property
    def low_winners(self) -> tuple[int, ...]:
        """Places of the hands that share the low; empty if no low qualifies."""
