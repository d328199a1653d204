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
_FORMS: Final = {
    "holdem": "holdem",
    "omaha": "omaha",
    "omaha_high_low": "omaha",
    "stud": "stud",
    "stud_high_low": "stud",
}
"""A form (`known.games.Form`) -> the game that describes it; the others are described nowhere."""
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
    "studhighlow": "stud",
    "studhilo": "stud",
}
LONGEST_STATEMENT: Final = 1000


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


def games_are_called(book: ResolvedBook) -> bool:
    """Whether the book has the dealer call the game."""
    return book.cite(_OTHER_GAMES) != SILENT


def call_game(book: ResolvedBook, form: str, name: str = "", statement: str = "") -> CalledGame:
    """Return a game as it was called.

    Args:
        book: the book in force.
        form: what is dealt, a `known.games.Form` value.
        name: what it was called; empty: by the name of its form.
        statement: the rules that were stated with it.

    Raises:
        Refused: CR-4, the statement is too long, or the name is that of a game of another form; otherwise by the book
            (game.other_games_stated): rules were stated for a game that it describes, or none for one that it does not.
    """
    called, stated = name.strip() or form.replace("_", " "), statement.strip()
    if max(len(called), len(stated)) > LONGEST_STATEMENT:
        field = "statement" if len(stated) > LONGEST_STATEMENT else "name"
        raise Refused(
            "TEXT_TOO_LONG",
            "CR-4",
            f"{field} takes up to {LONGEST_STATEMENT} characters",
            field=field,
        )
    other = book.cite(_OTHER_GAMES)
    written = _NAMES.get(re.sub(r"[^a-z0-9]", "", called.lower()), "")
    if written and written != _FORMS.get(form):
        raise Refused(
            "CALLED_ANOTHER_GAME",
            "CR-4",
            f"name is {called!r}, and the game named deals {form.replace('_', ' ')}",
            options=(f"name a game of {called}", f"call it {form.replace('_', ' ')}"),
            field="name",
        )
    if other == SILENT:
        return CalledGame(name=called, statement=stated, rules=SILENT)
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
