"""Stud: who brings it in, who has the high board, open pairs. All are read from the cards dealt as upcards."""

from collections import Counter
from collections.abc import Iterable

from cardroom.poker.cards import UNKNOWN, rank_of, suit_of
from cardroom.poker.chairs import Chairs
from cardroom.poker.variants import Opens


def opener(chairs: Chairs, opens: Opens) -> int | None:
    """Return the seat that opens by its upcards, all-in or not; None where an upcard that decides is not known.

    Boards that tie are decided by position: the first clockwise from the dealer's left. Upcards that bring it in are
    decided by suit.

    Args:
        chairs: everybody dealt in.
        opens: by what.
    """
    live = [chair for chair in chairs if chair.live]
    if any(UNKNOWN in chair.up or not chair.up for chair in live):
        return None
    match opens:
        case Opens.LOW_CARD:
            return min(live, key=lambda chair: (rank_of(chair.up[0]), suit_of(chair.up[0]))).seat
        case Opens.HIGH_CARD:
            return max(
                live,
                key=lambda chair: ((rank_of(chair.up[0]) + 1) % 13, suit_of(chair.up[0])),
            ).seat
        case Opens.HIGH_BOARD:
            return max(live, key=lambda chair: board_strength(chair.up)).seat
        case Opens.LOW_BOARD:
            return min(live, key=lambda chair: low_board_weakness(chair.up)).seat
        case _:
            raise ValueError(f"{opens} is not decided by upcards")


Strength = tuple[tuple[int, ...], tuple[int, ...]]
"""How cards of a rank group, larger groups first, and then the ranks of the groups."""


def board_strength(up: tuple[str, ...]) -> Strength:
    """Return how high upcards stand: pairs, two pair, trips and so on, then ranks; no straights or flushes."""
    return _grouped(rank_of(card) for card in up)


def low_board_weakness(up: tuple[str, ...]) -> Strength:
    """Return how bad upcards stand in razz, aces low: pairs before no pair, then the highest rank down."""
    return _grouped((rank_of(card) + 1) % 13 for card in up)


def _grouped(ranks: Iterable[int]) -> Strength:
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    return tuple(count for count, _ in groups), tuple(rank for _, rank in groups)


def open_pair(chairs: Chairs) -> bool:
    """Return whether some live player shows a pair (fourth street)."""
    return any(
        len({rank_of(card) for card in chair.up if card != UNKNOWN})
        < sum(1 for card in chair.up if card != UNKNOWN)
        for chair in chairs
        if chair.live
    )
