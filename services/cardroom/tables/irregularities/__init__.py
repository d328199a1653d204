"""What irregularities come to under a book: one small function for each kind, by topic of the rules."""

from typing import Final

from cardroom.tables.irregularities import board, dealing, exposed, handling, money, showing
from cardroom.tables.irregularities.situation import Rule

RULES: Final[dict[str, Rule]] = {
    **dealing.RULES,
    **exposed.RULES,
    **board.RULES,
    **handling.RULES,
    **money.RULES,
    **showing.RULES,
}
"""Kind of irregularity -> the function that judges it."""
