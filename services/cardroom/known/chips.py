"""The smallest chip that plays in a game, as its book has it."""

from typing import Final

from cardroom.known.games import Game
from cardroom.rulebook.model import ResolvedBook

COMMON_UP_TO: Final = (("up_to_4-8", 400), ("up_to_8-16", 800))
"""Rows of `chips.common_chip` and the greatest lower bet that each is for, in cents."""


def playing_chip_cents(game: Game, rules: ResolvedBook) -> int:
    """Return the smallest chip that plays in a game that does not set its own (chips.smallest_playing).

    Args:
        game: the game, its forced bets and fees.
        rules: the book in force for it.
    """
    bets = (game.ante_cents, game.bring_in_cents, *game.blinds_cents)
    match rules.choice("chips.smallest_playing"):
        case "common_chip":
            return _common_chip(game, rules)
        case "smallest_blind_chip":
            amounts = game.blinds_cents or bets
        case _:
            fees = _fees(game, rules) if rules.flag("chips.fee_only_chips_play") else ()
            amounts = (*bets, *fees)
    chips = sorted(set(rules.table("chips.cash_colors").values()), reverse=True)
    paid = [cents for cents in amounts if cents] or [game.small_bet_cents]
    return min(_smallest_used(cents, tuple(int(chip) for chip in chips)) for cents in paid)


def _common_chip(game: Game, rules: ResolvedBook) -> int:
    rows = rules.table("chips.common_chip")
    row = next((name for name, most in COMMON_UP_TO if game.small_bet_cents <= most), "above")
    return int(rows[row])


def _fees(game: Game, rules: ResolvedBook) -> tuple[int, ...]:
    """What the house takes: the game's own amounts, the book's where it names none."""
    drop = game.jackpot_drop_cents
    if not drop and rules.flag("jackpot.offered"):
        drop = rules.cents("jackpot.drop")
    collection = game.button_collection_cents
    if not collection and rules.choice("collection.method") == "button":
        collection = rules.cents("collection.amount")
    return (collection, game.time_collection_cents, game.rake_cents, drop)


def _smallest_used(cents: int, chips: tuple[int, ...]) -> int:
    """Return the smallest chip with which an amount is paid in as few chips as can be."""
    smallest = cents
    for chip in chips:
        if cents >= chip:
            cents, smallest = cents % chip, chip
    return cents or smallest
