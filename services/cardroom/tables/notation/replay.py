"""Entering a recorded hand command by command, so that whatever is illegal in it is refused by the rule it breaks."""

from collections.abc import Callable
from typing import Any

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.known.games import Game
from cardroom.poker.reading import Reader
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.hand import INITIAL, Hand, evolve
from cardroom.tables.hand_commands import HandCommand
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_rules import HandRules, hand_rules
from cardroom.tables.hand_start import HandSetup, start_hand

BookFor = Callable[[Game], ResolvedBook]
"""From a game to the book in force for it."""


class Imported(msgspec.Struct, frozen=True):
    """A recorded hand, entered.

    Args:
        events: its events, `HandStarted` first.
        hand: the state at the end.
        commands: what was entered after the start.
    """

    events: tuple[Event, ...]
    hand: Hand
    commands: tuple[HandCommand, ...]


class Replay:
    """A hand being entered."""

    def __init__(self, setup: HandSetup, book_for: BookFor, reader: Reader) -> None:
        """Start the hand.

        Args:
            setup: who is dealt in and what is due.
            book_for: the book it is played under.
            reader: the evaluator.

        Raises:
            Refused: the setup cannot be dealt.
        """
        self.rules: HandRules = hand_rules(book_for(setup.game), setup.game, reader)
        self.ids: dict[str, Any] = {
            "room": setup.room,
            "table": setup.table,
            "hand": setup.hand,
        }
        self.events: list[Event] = []
        self.commands: list[HandCommand] = []
        self.hand = INITIAL
        self._record(start_hand(setup, self.rules))

    def _record(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self.hand = evolve(self.hand, event)
        self.events.extend(events)

    def enter(self, command: HandCommand, where: str, field: str) -> None:
        """Decide a command of the record.

        Args:
            command: what the record says was done.
            where: the place in the record, in words.
            field: the same for programs.

        Raises:
            Refused: the record is illegal there; the place, the rule and what was expected are named.
        """
        try:
            events = decide_hand(command, self.hand, self.rules)
        except Refused as refused:
            expected = f" Expected: {'; '.join(refused.options)}." if refused.options else ""
            raise Refused(
                refused.code,
                refused.rules,
                f"{where}: {refused.message}.{expected}",
                refused.options,
                field,
            ) from refused
        self.commands.append(command)
        self._record(events)

    def result(self) -> Imported:
        """Return the hand as entered."""
        return Imported(tuple(self.events), self.hand, tuple(self.commands))
