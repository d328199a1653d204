"""Citing rules that belong to no decision: of the ids that books give to one matter, those of the book in force."""

from functools import lru_cache
from typing import Final

from cardroom.rulebook.model import SILENT, ResolvedBook

PRINTED: Final = ("LC", "RC", "HG", "WP")
"""The printed books, each before the one it falls back on."""


@lru_cache(maxsize=256)
def _codes(book: ResolvedBook) -> tuple[str, ...]:
    cited = {rule.partition("-")[0] for key in book.keys() for rule in book.cite(key)}  # noqa: SIM118
    return tuple(dict.fromkeys((book.book, *(code for code in PRINTED if code in cited))))


def stated(book: ResolvedBook, *rules: str) -> tuple[str, ...]:
    """Return those of some rule ids that the book in force states.

    Args:
        book: the book in force.
        rules: ids of one matter in all books.

    Returns:
        The ids of the nearest book (its own, then the one it is based on or falls back on) that has any; `("CR-3",)`
        where none does.
    """
    for code in _codes(book):
        found = tuple(rule for rule in rules if rule.partition("-")[0] == code)
        if found:
            return found
    return SILENT
