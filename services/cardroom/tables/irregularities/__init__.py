"""What irregularities come to under a book: one small function for each kind, by topic of the rules."""

from typing import Final

from cardroom.tables.irregularities.situation import Rule

RULES: Final[dict[str, Rule]] = {}
"""Kind of irregularity -> the function that judges it."""
