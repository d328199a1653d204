"""What may be done in a hand now: the same predicates that `decide` uses, listed."""

from cardroom.known.games import Structure
from cardroom.poker.betting import BettingRound, Held
from cardroom.poker.chairs import Chair, chair_at
from cardroom.poker.legal import Act, Option, options_in_turn
from cardroom.tables.hand import Hand
from cardroom.tables.hand_rules import HandRules

__all__ = ["Act", "Option", "legal", "options_for", "options_of"]


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
    return () if chair is None else options_for(state, rules, chair, betting)


def options_for(
    state: Hand, rules: HandRules, chair: Chair, betting: BettingRound
) -> tuple[Option, ...]:
    """Return what the player whose turn it is known to be may do.

    Args:
        state: the hand.
        rules: of its pinned book and game.
        chair: whose turn it is.
        betting: the open round.
    """
    pot_limit = rules.betting.structure is Structure.POT_LIMIT
    options = options_in_turn(
        chair,
        state.chairs,
        betting,
        rules.betting,
        pot_cents=state.pot_cents if pot_limit else 0,
        bring_in_cents=state.start.game.bring_in_cents,
    )
    if betting.held:
        for held in betting.held:
            if held.seat == chair.seat:
                return _held_to(held, options)
    return options


def _held_to(held: Held, options: tuple[Option, ...]) -> tuple[Option, ...]:
    """Return the one option that a player who acted before his turn is held to; all where it is none of them."""
    for option in options:
        if option.act.value == held.act and option.admits(held.to_cents):
            all_in = option.all_in and option.most_cents == held.to_cents
            return (
                Option(held.seat, option.act, held.to_cents, held.to_cents, 0, all_in, held.rules),
            )
    return options
