"""Cards as two characters, rank and suit: `As`, `Td`, `2c`. A card nobody saw is `??`."""

from collections.abc import Iterable, Sequence
from typing import Final

from cardroom.kernel.refusal import Refused

RANKS: Final = "23456789TJQKA"
"""Ranks from low to high."""
SUITS: Final = "cdhs"
"""Suits from low to high: clubs, diamonds, hearts, spades (the order draws and odd chips go by)."""
DECK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
UNKNOWN: Final = "??"
"""A card that was dealt and that nobody has told us."""

INDEX: Final = {card: index for index, card in enumerate(DECK)}
"""Card -> 0 to 51, suit by suit."""


def rank_of(card: str) -> int:
    """Return a known card's rank, 0 for a deuce to 12 for an ace."""
    return INDEX[card] % 13


def suit_of(card: str) -> int:
    """Return a known card's suit, 0 for clubs to 3 for spades."""
    return INDEX[card] // 13


def card_of(text: str, field: str = "cards") -> str:
    """Read one card: `As`, `10h`, `tD`, or `??` for one that is not known.

    Raises:
        Refused: CR-4, it is no card of the deck.
    """
    wanted = text.strip().replace("10", "T")
    wanted = wanted[:1].upper() + wanted[1:].lower()
    if wanted in INDEX or wanted == UNKNOWN:
        return wanted
    raise Refused(
        "CARD_MALFORMED",
        "CR-4",
        f"{text!r} is no card: a rank of {RANKS} and a suit of {SUITS}, or ?? where it is not known",
        field=field,
    )


def cards_of(text: str, field: str = "cards") -> tuple[str, ...]:
    """Read cards written with or without blanks between them: `As Kh`, `AsKh`, `10h 9h`.

    Raises:
        Refused: CR-4, some part of it is no card.
    """
    plain = text.replace("10", "T").replace(",", " ")
    parts: list[str] = []
    for word in plain.split():
        parts.extend(word[at : at + 2] for at in range(0, len(word), 2))
    return tuple(card_of(part, field) for part in parts)


def known(cards: Iterable[str]) -> tuple[str, ...]:
    """Return the cards among these that are known."""
    return tuple(card for card in cards if card != UNKNOWN)


def highest_by_suit(cards: Sequence[str]) -> tuple[int, int]:
    """Return rank and suit of the highest card, the ace high, spades over hearts, diamonds and clubs."""
    return max((rank_of(card), suit_of(card)) for card in cards)


def lowest_by_suit(cards: Sequence[str], *, ace_low: bool = True) -> tuple[int, int]:
    """Return rank and suit of the lowest card, clubs below diamonds, hearts and spades.

    Args:
        cards: known cards, at least one.
        ace_low: whether an ace counts below a deuce (then its rank here is -1).
    """
    return min(
        (-1 if ace_low and rank_of(card) == 12 else rank_of(card), suit_of(card)) for card in cards
    )
