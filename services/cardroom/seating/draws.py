"""Drawing cards: from the physical deck as facts, or from the server's committed seed."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Final

from cardroom.kernel.decisions import Decision
from cardroom.kernel.refusal import Refused
from cardroom.known import Form
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.here import Here

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
"""Suits from low to high: clubs, diamonds, hearts, spades."""
DECK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
LOW_FORMS: Final = frozenset({Form.LOWBALL, Form.RAZZ})


def normal(card: str) -> str:
    """Return a card as two characters; `10d` is `Td`.

    Raises:
        Refused: CR-4, it is no card.
    """
    text = card.strip().replace("10", "T")
    text = text[:1].upper() + text[1:].lower()
    if text not in DECK:
        raise Refused("CARD_UNKNOWN", "CR-4", f"{card!r} is no card", field="cards")
    return text


def value(card: str) -> tuple[int, int]:
    """Return rank and suit of a card, for comparing drawn cards; aces are high."""
    text = normal(card)
    return RANKS.index(text[0]), SUITS.index(text[1])


def check_cards(cards: Iterable[str]) -> None:
    """Refuse cards that cannot all come from one deck.

    Raises:
        Refused: CR-4 no card, CR-5 a card twice.
    """
    seen = [normal(card) for card in cards]
    for card in seen:
        if seen.count(card) > 1:
            raise Refused("CARD_TWICE", "CR-5", f"{card} was drawn twice", field="cards")


def high_card(cards: Mapping[str, str]) -> tuple[str, ...]:
    """Return who drew, highest card first, suits deciding equal ranks."""
    return tuple(sorted(cards, key=lambda who: value(cards[who]), reverse=True))


def low_value(card: str) -> tuple[int, int]:
    """Return rank and suit for a draw in which the lowest card wins; the ace is low."""
    rank, suit = value(card)
    return (rank + 1) % len(RANKS), suit


def from_seed(seed: bytes, count: int) -> tuple[str, ...]:
    """Return the first cards of a deck shuffled by a seed.

    Each step takes the next eight bytes of SHA-256(seed, counter) and rejects values that would favour a card.
    """
    deck, counter = list(DECK), 0
    drawn: list[str] = []
    while len(drawn) < count:
        block = hashlib.sha256(seed + counter.to_bytes(8, "big")).digest()
        counter += 1
        number = int.from_bytes(block[:8], "big")
        if number < (1 << 64) - (1 << 64) % len(deck):
            drawn.append(deck.pop(number % len(deck)))
    return tuple(drawn)


def draw_for_button(here: Here, command: c.DrawForButton) -> Decision:
    """Draw for the button of a new game.

    Raises:
        Refused: the game has no button or dealt already; a seat holds nobody; cards are missing or twice.
    """
    rules = here.book.cite("button.first_by", "game.suit_order")
    if here.is_stud:
        raise Refused("NO_BUTTON", rules, "this game has no button")
    if not here.table.is_new:
        raise Refused("GAME_RUNS", "CR-6", "the button is drawn before the first hand")
    present = [s.number for s in here.table.taken if s.seated and s.seated.away is None]
    seed = ""
    cards = dict(command.cards)
    if not command.cards:
        seed = here.occasion.seed.hex()
        drawn = from_seed(here.occasion.seed, len(present))
        cards = {str(seat): card for seat, card in zip(present, drawn, strict=True)}
    if set(cards) != {str(seat) for seat in present} or len(cards) < 2:
        raise Refused(
            "DRAW_INCOMPLETE",
            ("CR-12", *rules),
            f"each active seat draws one card: {', '.join(map(str, present)) or 'none'}",
            field="cards",
        )
    check_cards(cards.values())
    low = here.book.choice("button.first_by") == "draw_by_game" and here.game.form in LOW_FORMS
    winner = min(cards, key=lambda seat: low_value(cards[seat])) if low else high_card(cards)[0]
    return here.on_table(
        e.DrawHeld(
            room=here.table.room,
            table=here.table.table,
            purpose="button",
            at=here.at,
            cards=tuple((seat, normal(card)) for seat, card in cards.items()),
            winner=winner,
            rules=rules,
            seed=seed,
        )
    )


def deal_for_move(here: Here, command: c.DealForMove) -> Decision:
    """Deal one card to each player, clockwise from the dealer's left, to settle who moves; high card wins.

    Raises:
        Refused: as many cards as players are needed.
    """
    seats = [s.number for s in here.table.taken]
    rules = here.book.cite("game.card_draws", "game.suit_order")
    seed, cards = "", command.cards
    if not cards:
        seed = here.occasion.seed.hex()
        cards = from_seed(here.occasion.seed, len(seats))
    if len(cards) != len(seats) or not seats:
        raise Refused(
            "DRAW_INCOMPLETE",
            ("CR-12", *rules),
            f"{len(seats)} players get a card each; {len(cards)} were given",
            field="cards",
        )
    check_cards(cards)
    dealt = {str(seat): normal(card) for seat, card in zip(seats, cards, strict=True)}
    return here.on_table(
        e.DrawHeld(
            room=here.table.room,
            table=here.table.table,
            purpose="move",
            at=here.at,
            cards=tuple(dealt.items()),
            winner=high_card(dealt)[0],
            rules=rules,
            seed=seed,
        )
    )
