"""Calling the game where the dealer chooses: what the book describes is played as written, all else is stated."""

import re
from typing import Final

import msgspec

from cardroom.kernel.refusal import Refused
from cardroom.rulebook.model import SILENT, ResolvedBook, distinct

_OTHER_GAMES: Final = "game.other_games_stated"
_WRITTEN: Final = {
    "holdem": ("game.holdem", "two hole cards and a board of five"),
    "omaha": ("game.omaha", "four hole cards and a board of five, two and three of which play"),
    "stud": ("game.stud_cards", "seven cards a player"),
}
"""Game -> the constant that describes it, and what it says in short."""
_NAMES: Final = {
    "holdem": "holdem",
    "texasholdem": "holdem",
    "omaha": "omaha",
    "omahahigh": "omaha",
    "omahahighlow": "omaha",
    "omahahilo": "omaha",
    "stud": "stud",
    "sevencardstud": "stud",
    "7cardstud": "stud",
}
LONGEST_STATEMENT: Final = 2000


class CalledGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game as it was called.

    Args:
        name: as called.
        statement: the rules stated with it, empty where those of the book hold.
        rules: the ids it rests on.
    """

    name: str
    statement: str
    rules: tuple[str, ...]


def call_game(book: ResolvedBook, name: str, statement: str = "") -> CalledGame:
    """Return the game that a dealer called.

    Args:
        book: the book in force.
        name: what the dealer called it.
        statement: the rules that the dealer stated with it.

    Raises:
        Refused: CR-4, it has no name; otherwise by the book: rules were stated for a game that the book describes, or
            none for one that it does not.
    """
    called, stated = name.strip(), statement.strip()
    if not called or len(stated) > LONGEST_STATEMENT:
        field = "statement" if called else "name"
        raise Refused(
            "GAME_NOT_NAMED" if not called else "STATEMENT_TOO_LONG",
            "CR-4",
            f"{field} takes 1 to {LONGEST_STATEMENT} characters",
            field=field,
        )
    other = book.cite(_OTHER_GAMES)
    written = _NAMES.get(re.sub(r"[^a-z0-9]", "", called.lower()), "")
    constant, described = _WRITTEN.get(written, ("", ""))
    rules = book.cite(constant) if constant else SILENT
    if rules == SILENT:
        if not stated:
            raise Refused(
                "RULES_NOT_STATED",
                _ending(other, "2"),
                f"{called!r} is not in the book: its rules are stated when it is called",
                options=(f"call {called} and state its rules",),
                field="statement",
            )
        return CalledGame(name=called, statement=stated, rules=_ending(other, "2"))
    if stated:
        raise Refused(
            "GAME_IS_WRITTEN",
            distinct((*_ending(other, "1"), *rules, *_ending(other, "2"))),
            f"{called} is played as the book has it, {described}: a variant goes by another name",
            options=(
                f"call {called} without a statement",
                "call it under another name with its rules",
            ),
            field="statement",
        )
    return CalledGame(name=called, statement="", rules=distinct((*_ending(other, "1"), *rules)))


def _ending(rules: tuple[str, ...], number: str) -> tuple[str, ...]:
    """Return of the two rules on called games the one on written games (1) or on others (2), where a book has both."""
    found = tuple(rule for rule in rules if rule.endswith(number))
    return found or rules
