"""What a game's full buy-in is by its book: one answer for those who sell chips and for those who seat and deal."""

from typing import Final

from cardroom.known.games import Game, Structure
from cardroom.rulebook.model import ResolvedBook

BIG_BET: Final = frozenset({Structure.NO_LIMIT, Structure.POT_LIMIT})


def full_buy_in_cents(game: Game, rules: ResolvedBook) -> int:
    """Return the full buy-in of a game: a multiple of one of its bets, or the house's fixed amount (buyin.full_of).

    Args:
        game: the game.
        rules: the book in force for it.
    """
    times = rules.count("buyin.full_multiple")
    match rules.choice("buyin.full_of"):
        case "fixed_amount":
            return rules.cents("buyin.full_amount")
        case "max_bet" if game.structure not in BIG_BET:
            return times * max(game.small_bet_cents, game.big_bet_cents)
        case _:
            return times * game.small_bet_cents


def least_full_cents(game: Game, rules: ResolvedBook) -> int:
    """Return the least purchase that is not a short one (buyin.short_below_fraction).

    Args:
        game: the game.
        rules: the book in force for it.
    """
    part = rules.ratio("buyin.short_below_fraction")
    return -(-full_buy_in_cents(game, rules) * part.numerator // part.denominator)
