"""What may be done in a hand now: the same predicates that `decide` uses, listed."""

from cardroom.known.games import Structure
from cardroom.poker.chairs import chair_at
from cardroom.poker.legal import Act, Option, options_in_turn
from cardroom.tables.hand import Hand
from cardroom.tables.hand_rules import HandRules

__all__ = ["Act", "Option", "legal", "options_of"]


def legal(state: Hand, rules: HandRules) -> tuple[Option, ...]:
    """Return what the player whose turn it is may do, empty where it is nobody's turn.

    Args:
        state: the hand.
        rules: of its pinned book and game.
    """
    return options_of(state, rules, state.to_act)


def options_of(state: Hand, rules: HandRules, seat: int) -> tuple[Option, ...]:
    """Return what a seat may do now, empty where it is not that seat's turn.

    Args:
        state: the hand.
        rules: of its pinned book and game.
        seat: the seat asked about.
    """
    betting = state.betting
    if not seat or seat != state.to_act or betting is None:
        return ()
    chair = chair_at(state.chairs, seat)
    if chair is None:
        return ()
    pot_limit = rules.betting.structure is Structure.POT_LIMIT
    return options_in_turn(
        chair,
        state.chairs,
        betting,
        rules.betting,
        pot_cents=state.pot_cents if pot_limit else 0,
        bring_in_cents=state.game.bring_in_cents,
    )
