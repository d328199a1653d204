"""The button of a new game, drawn or typed in, and a button found out of position."""

import hashlib
from typing import Final

from cardroom.kernel.decisions import Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import commands as c
from cardroom.tables import table_events as ev
from cardroom.tables.forced import candidates
from cardroom.tables.positions import Rotation, clockwise
from cardroom.tables.table import Table

Events = tuple[Event, ...]
RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
"""From low to high (constant game.suit_order)."""
LOW_FORMS: Final = frozenset({Form.RAZZ, Form.LOWBALL})
DECK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)


def card_of(text: str, field: str) -> str:
    """Return a card such as `Kh` or `10d` in the short form.

    Raises:
        Refused: CR-4, it is no card.
    """
    card = text.strip().replace("10", "T")
    card = card[:1].upper() + card[1:].lower()
    if card not in DECK:
        raise Refused("CARD_MALFORMED", "CR-4", f"{text!r} is not a card", field=field)
    return card


def high_card(cards: tuple[tuple[int, str], ...], *, low: bool = False) -> int:
    """Return the seat whose drawn card decides: by rank, equal ranks by suit.

    Args:
        cards: (seat, card).
        low: whether the lowest card has it; aces are high here too, and spades still beat clubs.
    """

    def strength(drawn: tuple[int, str]) -> tuple[int, int]:
        rank, suit = RANKS.index(drawn[1][0]), SUITS.index(drawn[1][1])
        return (-rank if low else rank, suit)

    return max(cards, key=strength)[0]


def drawn_from(seed: bytes, seats: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
    """Return the cards that a committed seed draws for some seats, one each, none twice.

    Anyone who has the seed can repeat it: cards in the order of SHA-256(seed, card).
    """
    order = sorted(DECK, key=lambda card: hashlib.sha256(seed + card.encode()).digest())
    return tuple(zip(seats, order, strict=False))


def draw_button(
    command: c.DrawButton, table: Table, rules: ResolvedBook, occasion: Occasion
) -> Events:
    """Record the draw for the button of a new game and who won it.

    Raises:
        Refused: CR-6, a hand is in play or the game has begun; CR-5, a card twice; CR-4, no card; fewer than two drew.
    """
    if command.as_fact and (table.hand is not None or table.hands_this_game):
        return ()
    if table.hand is not None or table.hands_this_game:
        raise Refused("GAME_HAS_BEGUN", "CR-6", f"table {table.table} has a button", field="table")
    cards = tuple((table.at(seat).seat, card_of(card, "cards")) for seat, card in command.cards)
    if not cards:
        cards = drawn_from(occasion.seed, tuple(seat.seat for seat in candidates(table)))
    if len(cards) < 2 or len({seat for seat, _ in cards}) < len(cards):
        raise Refused(
            "DRAW_MALFORMED", "CR-4", "two players draw at least, each one card", field="cards"
        )
    if len({card for _, card in cards}) < len(cards):
        raise Refused("CARD_TWICE", "CR-5", "a card was drawn twice", field="cards")
    low = rules.choice("button.first_by") == "draw_by_game" and table.the_game().form in LOW_FORMS
    cited = rules.cite("button.first_by")
    ranks = [card[0] for _, card in cards]
    if len(set(ranks)) < len(ranks):
        cited = rules.cite("button.first_by", "game.suit_order")
    return (ev.ButtonDrawn(cards=cards, button=high_card(cards, low=low), rules=cited),)


def place_button(command: c.PlaceButton, table: Table) -> Events:
    """Record where button and blinds stood on the last hand of a game that was running before.

    Raises:
        Refused: CR-6, a hand is in play; CR-4, a seat the table lacks or the wrong number of blinds; CR-9, no reason.
    """
    if table.hand is not None:
        raise Refused("HAND_IN_PROGRESS", "CR-6", "a hand is in play", field="table")
    for seat in (command.button, *command.blinds):
        table.check_seat(seat, "button")
    blinds = len(table.the_game().blinds_cents)
    if len(command.blinds) != blinds:
        raise Refused(
            "BLINDS_MALFORMED",
            "CR-4",
            f"blinds names {len(command.blinds)} seats; the game has {blinds}",
            field="blinds",
        )
    if not command.reason.strip():
        raise Refused("REASON_MISSING", "CR-9", "say why it is typed in", field="reason")
    rotation = Rotation(
        button=command.button, blinds=command.blinds, posted_big=command.blinds[-1:]
    )
    return (ev.ButtonPlaced(rotation=rotation, reason=command.reason),)


def correct_button(command: c.CorrectButton, table: Table, rules: ResolvedBook) -> Events:
    """Put right, for the next hand, a button that was out of position on the last.

    The hand that was played stands. The next is played from the seat that was passed over; afterwards button and
    blinds go on from where they stood, so that each player gets every position once in the round.

    Raises:
        Refused: CR-6, no hand was played or one is in play; CR-4, that seat had the button; CR-2, nobody is there.
    """
    frame = table.last_frame
    if table.hand is not None or frame is None or table.rotation is None:
        raise Refused(
            "NO_HAND_TO_CORRECT", "CR-6", "a button is put right between two hands", field="table"
        )
    table.at(command.right_button)
    if command.right_button == frame.button:
        raise Refused(
            "BUTTON_WAS_RIGHT",
            "CR-4",
            f"seat {frame.button} had the button in hand {frame.hand}",
            field="right_button",
        )
    there = frozenset(seat.seat for seat in candidates(table))
    order = [seat for seat in clockwise(command.right_button, table.seat_count) if seat in there]
    count = len(table.the_game().blinds_cents)
    return (
        ev.ButtonCorrected(
            hand=frame.hand,
            button=command.right_button,
            blinds=tuple(order[:count]),
            rules=rules.cite("button.corrected"),
        ),
    )
