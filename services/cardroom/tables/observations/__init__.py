"""What people were seen to do, and what it means under the book: bare facts in, findings out."""

from typing import Final

from cardroom.tables.findings import Finding, fact_needed
from cardroom.tables.hand import Hand
from cardroom.tables.hand_rules import HandRules
from cardroom.tables.irregularities.situation import Needed
from cardroom.tables.observations.observed import Observed
from cardroom.tables.observations.reading import judged_spot, no_round
from cardroom.tables.observations.spot import spot_of

KIND: Final = "observed"
"""The kind under which an observation is recorded in the notes on a hand."""


def observe(observed: Observed, hand: Hand, game: HandRules) -> Finding:
    """Return what something that a player was seen to do means.

    Args:
        observed: what was seen.
        hand: the hand as recorded now.
        game: rules of the hand's pinned book and game.

    Raises:
        Refused: CR-2, the seat was not dealt in or the version is none of the hand's.
    """
    try:
        spot = spot_of(observed, hand, game)
        if spot is None:
            return no_round(observed, hand, game.book.cite("betting.order"))
        return judged_spot(spot)
    except Needed as needed:
        rules = tuple(rule for rule in needed.rules if rule != "CR-12")
        return fact_needed(rules, *needed.names, why=needed.why)
