"""The port in plain Python: slow, obvious, and the oracle the native evaluator is tested against.

A five-card hand gets a sort key; strengths number the distinct keys of all hands; everything else
tries every choice of five cards.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final, Literal, get_args

from cardroom.evaluator.port import (
    BEST_LOW,
    FIVE_ACES,
    ROYAL_FLUSH,
    WORST_EIGHT,
    BestFive,
    Category,
    Game,
    HolePlay,
    Prefer,
    Qualifier,
    Showdown,
    Shown,
)

_RANKS: Final = "23456789TJQKA"
_SUITS: Final = "cdhs"
_DECK: Final = tuple(rank + suit for rank in _RANKS for suit in _SUITS)
_CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
_NAMES: Final = (
    *("deuce", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)
_Key = tuple[int, tuple[int, ...]]


def _groups(ranks: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return how often ranks occur and which they are, more often and higher first."""
    counted = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    return tuple(count for count, _ in counted), tuple(rank for _, rank in counted)


def _high_key(ranks: tuple[int, ...], suited: bool) -> _Key:
    """Return what a high hand of five ranks is compared by."""
    pattern, order = _groups(ranks)
    if pattern == (5,):
        return 9, order
    straight = pattern == (1, 1, 1, 1, 1) and order[0] - order[4] == 4
    if order == (12, 3, 2, 1, 0):
        straight, order = True, (3,)
    if straight:
        return (8 if suited else 4), order[:1]
    if suited and len(pattern) == 5:
        return 5, order
    patterns = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return patterns.get(pattern, 0), order


def _low_key(ranks: tuple[int, ...]) -> _Key:
    """Return what a low of five ranks is compared by, the smaller the better; aces count one."""
    pattern, order = _groups((rank + 1) % 13 for rank in ranks)
    patterns = {(4, 1): 5, (3, 2): 4, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return patterns.get(pattern, 0), order


@cache
def _high_keys() -> tuple[_Key, ...]:
    """Return the keys of all high hands from worst to best; a strength is the place plus one."""
    lists = tuple(combinations_with_replacement(range(13), 5))
    keys = {_high_key(ranks, suited=False) for ranks in lists}
    keys |= {_high_key(ranks, suited=True) for ranks in lists if len(set(ranks)) == 5}
    return tuple(sorted(keys))


@cache
def _high_numbers() -> dict[_Key, int]:
    return {key: place for place, key in enumerate(_high_keys(), 1)}


@cache
def _low_keys() -> tuple[_Key, ...]:
    """Return the keys of all lows from worst to best; a strength is the place plus one."""
    lists = combinations_with_replacement(range(13), 5)
    return tuple(sorted({_low_key(ranks) for ranks in lists if len(set(ranks)) > 1}, reverse=True))


@cache
def _low_numbers() -> dict[_Key, int]:
    return {key: place for place, key in enumerate(_low_keys(), 1)}


def _ranks(five: Iterable[str]) -> tuple[int, ...]:
    return tuple(sorted(_RANKS.index(card[0]) for card in five))


def _high_five(five: Sequence[str]) -> int:
    suited = len({card[1] for card in five}) == 1
    return _high_numbers()[_high_key(_ranks(five), suited)]


def _low_five(five: Sequence[str], qualifier: Qualifier) -> int:
    strength = _low_numbers()[_low_key(_ranks(five))]
    return strength if qualifier == "none" or strength >= WORST_EIGHT else 0


def _check(cards: Sequence[str], least: int, most: int, what: str = "cards") -> None:
    if not least <= len(cards) <= most:
        raise ValueError(f"{len(cards)} {what} given: there must be {least} to {most}")
    for place, card in enumerate(cards):
        if card not in _DECK:
            raise ValueError(f"card {place} is {card!r}: it is no card")
        if card in cards[:place]:
            raise ValueError(f"card {place}, {card}, occurs twice")


def _omaha_fives(board: Sequence[str], hole: Sequence[str]) -> Iterable[tuple[str, ...]]:
    _check(board, 3, 5, "board cards")
    _check(hole, 4, 4, "hole cards")
    _check((*board, *hole), 7, 9)
    for two in combinations(hole, 2):
        for three in combinations(board, 3):
            yield three + two


def _by_preference(
    board: Sequence[str], hole: Sequence[str], prefer: Prefer
) -> Iterable[tuple[str, ...]]:
    """Yield every five of all cards, those with the earlier preferred cards first."""
    order = (*hole, *board) if prefer == "hole" else (*board, *hole)
    return combinations(order, 5)


def _in_input_order(cards: Sequence[str], five: Iterable[str]) -> tuple[str, ...]:
    played = set(five)
    return tuple(card for card in cards if card in played)


class ReferenceEvaluator:
    """`Evaluator` by trying everything."""

    def high(self, cards: Sequence[str]) -> int:
        """Return the strength of the best five of five to seven cards."""
        _check(cards, 5, 7)
        return max(map(_high_five, combinations(cards, 5)))

    def low(self, cards: Sequence[str], qualifier: Qualifier) -> int:
        """Return the low strength of the best five of five to seven cards, 0 if none qualifies."""
        _check(cards, 5, 7)
        return max(_low_five(five, qualifier) for five in combinations(cards, 5))

    def wild_high(self, naturals: Sequence[str], wilds: int) -> int:
        """Return the strength of a hand with wild cards, five to seven in all (HG-G10a)."""
        if not 5 <= len(naturals) + wilds <= 7 or wilds < 0:
            raise ValueError(f"{len(naturals)} cards and {wilds} wild: there must be 5 to 7")
        _check(naturals, 0, 7)
        ranks = [card[0] for card in naturals]
        alike = [rank for rank in _RANKS if ranks.count(rank) + wilds >= 5]
        if alike:
            return ROYAL_FLUSH + 1 + _RANKS.index(alike[-1])
        others = [card for card in _DECK if card not in naturals]
        return max(self.high((*naturals, *filled)) for filled in combinations(others, wilds))

    def omaha_high(self, board: Sequence[str], hole: Sequence[str]) -> int:
        """Return the strength of exactly two of four hole cards with three of the board."""
        return max(map(_high_five, _omaha_fives(board, hole)))

    def omaha_low(self, board: Sequence[str], hole: Sequence[str], qualifier: Qualifier) -> int:
        """Return the low strength of two of four hole cards with three of the board, or 0."""
        return max(_low_five(five, qualifier) for five in _omaha_fives(board, hole))

    def best_five(
        self, board: Sequence[str], hole: Sequence[str], prefer: Prefer = "hole"
    ) -> BestFive:
        """Return the best five of the board and a player's own cards, five to seven in all."""
        cards = (*board, *hole)
        _check(cards, 5, 7)
        five = max(_by_preference(board, hole, prefer), key=_high_five)
        return BestFive(_high_five(five), _in_input_order(cards, five))

    def low_best_five(
        self, board: Sequence[str], hole: Sequence[str], qualifier: Qualifier, prefer: Prefer
    ) -> BestFive | None:
        """Return the best low of the board and a player's own cards, None if none qualifies."""
        cards = (*board, *hole)
        _check(cards, 5, 7)
        fives = _by_preference(board, hole, prefer)
        five = max(fives, key=lambda five: _low_five(five, qualifier))
        strength = _low_five(five, qualifier)
        return BestFive(strength, _in_input_order(cards, five)) if strength else None

    def omaha_best_five(self, board: Sequence[str], hole: Sequence[str]) -> BestFive:
        """Return the best two of four hole cards with three of the board."""
        five = max(_omaha_fives(board, hole), key=_high_five)
        return BestFive(_high_five(five), _in_input_order((*board, *hole), five))

    def omaha_low_best_five(
        self, board: Sequence[str], hole: Sequence[str], qualifier: Qualifier
    ) -> BestFive | None:
        """Return the best low of two hole cards with three of the board, None if none qualifies."""
        five = max(_omaha_fives(board, hole), key=lambda five: _low_five(five, qualifier))
        strength = _low_five(five, qualifier)
        return BestFive(strength, _in_input_order((*board, *hole), five)) if strength else None

    def hole_play(self, board: Sequence[str], hole: Sequence[str]) -> HolePlay:
        """Return how two hole cards take part in the best hold'em hand."""
        _check(board, 3, 5, "board cards")
        _check(hole, 2, 2, "hole cards")
        with_both = max(_high_five((*three, *hole)) for three in combinations(board, 3))
        without = [0, 0]
        if len(board) > 3:
            without = [self.high((*board, kept)) for kept in reversed(hole)]
        return HolePlay(self.high((*board, *hole)), with_both, (without[0], without[1]))

    def best_possible(self, board: Sequence[str], game: Literal["holdem", "omaha"]) -> int:
        """Return the strength of the best hand that any hole cards can make on this board."""
        _check(board, 3, 5, "board cards")
        others = [card for card in _DECK if card not in board]
        if game == "holdem":
            return max(self.high((*board, *hole)) for hole in combinations(others, 2))
        return max(
            _high_five((*three, *two))
            for three in combinations(board, 3)
            for two in combinations(others, 2)
        )

    def showdown(
        self,
        game: Game,
        board: Sequence[str],
        hands: Sequence[Sequence[str]],
        qualifier: Qualifier = "eight_or_better",
        prefer: Prefer = "hole",
    ) -> Showdown:
        """Read every hand against one board and name the winners."""
        dealt = [*board, *(card for hand in hands for card in hand)]
        _check(dealt, 5, 52)
        pays_high = game not in {"razz", "lowball"}
        pays_low = game.endswith("high_low") or not pays_high
        shown = []
        for hand in hands:
            if game.startswith("omaha"):
                high = self.omaha_best_five(board, hand)
                low = self.omaha_low_best_five(board, hand, qualifier) if pays_low else None
            else:
                high = self.best_five(board, hand, prefer)
                low = self.low_best_five(board, hand, qualifier, prefer) if pays_low else None
            shown.append(Shown(high if pays_high else None, low))
        highs = [hand.high.strength if hand.high else 0 for hand in shown]
        lows = [hand.low.strength if hand.low else 0 for hand in shown]
        return Showdown(tuple(shown), _best_places(highs), _best_places(lows))

    def category(self, strength: int) -> Category:
        """Return the category of a high strength."""
        if not 1 <= strength <= FIVE_ACES:
            raise ValueError(f"strength is {strength}: it must be 1 to {FIVE_ACES}")
        return _CATEGORIES[_high_keys()[strength - 1][0]]

    def describe(self, strength: int) -> str:
        """Return a high strength in words, such as `aces full of kings`."""
        category = self.category(strength)
        order = _high_keys()[strength - 1][1]
        names = [_NAMES[rank] for rank in order]
        many = [_plural(name) for name in names]
        rest = {1: ", ".join(names[1:]), 2: ", ".join(names[2:])}
        texts: dict[Category, str] = {
            "high card": f"{names[0]} high, {rest[1]}",
            "pair": f"pair of {many[0]}, {rest[1]}",
            "two pair": f"{many[0]} and {many[min(1, len(many) - 1)]}, {rest[2]}",
            "three of a kind": f"three {many[0]}, {rest[1]}",
            "straight": f"straight, {names[0]} high",
            "flush": f"flush, {', '.join(names)}",
            "full house": f"{many[0]} full of {many[-1]}",
            "four of a kind": f"four {many[0]}, {rest[1]}",
            "straight flush": f"straight flush, {names[0]} high",
            "five of a kind": f"five {many[0]}",
        }
        return "royal flush" if strength == ROYAL_FLUSH else texts[category]

    def describe_low(self, strength: int) -> str:
        """Return a low strength in words, such as `seven, five, four, three, ace low`."""
        if not 1 <= strength <= BEST_LOW:
            raise ValueError(f"strength is {strength}: it must be 1 to {BEST_LOW}")
        kind, order = _low_keys()[strength - 1]
        names = [_NAMES[(rank + 12) % 13] for rank in order]
        many = [_plural(name) for name in names]
        return (
            f"{', '.join(names)} low",
            f"pair of {many[0]}, {', '.join(names[1:])}, for low",
            f"{many[0]} and {many[1]}, {', '.join(names[2:])}, for low",
            f"three {many[0]}, {', '.join(names[1:])}, for low",
            f"{many[0]} full of {many[1]}, for low",
            f"four {many[0]}, {', '.join(names[1:])}, for low",
        )[kind]


def _plural(name: str) -> str:
    return "sixes" if name == "six" else f"{name}s"


def _best_places(strengths: Sequence[int]) -> tuple[int, ...]:
    best = max(strengths)
    return tuple(place for place, strength in enumerate(strengths) if best and strength == best)
