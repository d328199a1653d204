"""What an irregularity is judged on: the facts told, the hand as recorded, the table and its book.

A fact that decides is looked for in this order: as told, as the record holds it, as the rule takes it where nobody says
otherwise; else it is asked for. A fact told against the record is judged as told, since something that went wrong may
well not have been entered as it was; the finding then shows both, and what it would be by the record is a choice.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Game
from cardroom.poker.reading import Reader
from cardroom.poker.variants import VARIANTS, Variant
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.findings import Choice, Fact, Finding, fact_needed
from cardroom.tables.hand import Hand, history_of
from cardroom.tables.hand_events import ActionTaken, Known, Phase
from cardroom.tables.irregularities.recorded import Value, recorded
from cardroom.tables.notes_events import Irregularity
from cardroom.tables.table import Table

YES: Final = frozenset({"yes", "true", "1"})
NO: Final = frozenset({"no", "false", "0"})
BOARD_FORMS: Final = frozenset({Form.HOLDEM, Form.OMAHA, Form.OMAHA_HIGH_LOW, Form.PINEAPPLE})
STUD_FORMS: Final = frozenset({Form.STUD, Form.STUD_HIGH_LOW, Form.RAZZ})


class Needed(Exception):  # noqa: N818 - it names what is missing
    """A fact that decides was not told.

    Args:
        names: names of the facts.
        why: what turns on them.
        rules: rules that turn on them.
    """

    def __init__(self, names: tuple[str, ...], why: str, rules: tuple[str, ...]) -> None:
        super().__init__(why)
        self.names = names
        self.why = why
        self.rules = rules


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """All that a finding may depend on.

    Args:
        kind: which irregularity.
        told: facts by name, in plain text.
        hand: the hand's recorded state; `hand.INITIAL` where only its frame is known.
        table: the table.
        rules: the book the hand is played under.
        reader: the evaluator.
        earlier: what was reported of the hand before.
    """

    kind: str
    told: dict[str, str]
    hand: Hand
    table: Table
    rules: ResolvedBook
    reader: Reader
    earlier: tuple[Irregularity, ...] = ()

    @property
    def game(self) -> Game:
        """The game of the hand."""
        return self.hand.game if self.hand.hand else self.table.the_game()

    @property
    def variant(self) -> Variant:
        """The form of poker of the hand."""
        return VARIANTS[self.game.form]

    @property
    def board_game(self) -> bool:
        """Whether it is hold'em, Omaha or kin."""
        return self.game.form in BOARD_FORMS

    @property
    def stud(self) -> bool:
        """Whether it is stud."""
        return self.game.form in STUD_FORMS

    @property
    def records_actions(self) -> bool:
        """Whether every action of the hand is recorded."""
        hand = self.hand
        known = hand.capture.actions is Known.ALL
        return bool(hand.hand) and known and hand.phase is not Phase.NONE

    def known(self, name: str) -> str | None:
        """Return a fact in plain text: as told, else as the record holds it; None where neither is so."""
        told = self.told.get(name)
        return plain(recorded(self, name)) if told is None else told

    def _needed(self, name: str) -> Needed:
        return Needed((name,), f"what follows from {self.kind.replace('_', ' ')}", ("CR-12",))

    def text(self, name: str, default: str | None = None) -> str:
        """Return a fact in words.

        Raises:
            Needed: it is neither told nor recorded, and there is no default.
        """
        value = self.known(name)
        value = default if value is None else value
        if value is None:
            raise self._needed(name)
        return value

    def optional(self, name: str) -> str | None:
        """Return a fact in words, None where it is not known."""
        return self.known(name)

    def count(self, name: str, default: int | None = None) -> int:
        """Return a fact that is a whole number.

        Raises:
            Needed: it is neither told nor recorded, and there is no default.
            Refused: CR-4, it is no whole number.
        """
        value = self.known(name)
        if value is None:
            if default is None:
                raise self._needed(name)
            return default
        try:
            return int(value)
        except ValueError:
            raise Refused(
                "FACT_MALFORMED",
                "CR-4",
                f"fact {name} is {value!r}: a whole number",
                field=f"facts.{name}",
            ) from None

    def flag(self, name: str, default: bool | None = None) -> bool:
        """Return a fact that is a yes or no.

        Raises:
            Needed: it is neither told nor recorded, and there is no default.
            Refused: CR-4, it is neither.
        """
        value = self.known(name)
        if value is None:
            if default is None:
                raise self._needed(name)
            return default
        if value.lower() in YES:
            return True
        if value.lower() in NO:
            return False
        raise Refused(
            "FACT_MALFORMED", "CR-4", f"fact {name} is {value!r}: yes or no", field=f"facts.{name}"
        )

    def told_flag(self, name: str) -> bool | None:
        """Return a yes or no, None where it was not told."""
        return self.flag(name) if name in self.told else None

    def seat(self, name: str = "seat") -> int:
        """Return a fact that names a seat of the table."""
        number = self.count(name)
        if self.table.seat_count:
            self.table.check_seat(number, f"facts.{name}")
        return number

    def seats(self, name: str) -> tuple[int, ...]:
        """Return a fact that names several seats, separated by commas."""
        value = self.known(name) or ""
        try:
            return tuple(int(part) for part in value.replace(" ", "").split(",") if part)
        except ValueError:
            raise Refused(
                "FACT_MALFORMED",
                "CR-4",
                f"fact {name} is {value!r}: seats separated by commas",
                field=f"facts.{name}",
            ) from None

    def actions(self) -> tuple[ActionTaken, ...]:
        """Return the actions of the hand that count, in order."""
        return tuple(event for _, event in history_of(self.hand) if isinstance(event, ActionTaken))

    def acted(self) -> tuple[int, ...]:
        """Return the seats that have acted in the hand's first round, in order; posts are no actions."""
        return self.seats("acted")

    def acted_count(self) -> int:
        """Return how many players have acted in turn."""
        if "acted" in self.told and "acted_count" not in self.told:
            return len(self.acted())
        return self.count("acted_count", default=0)

    def has_acted(self, seat: int) -> bool:
        """Whether a seat has acted."""
        told = self.told_flag("player_acted")
        return seat in self.acted() if told is None else told

    def cite(self, key: str, *more: str) -> tuple[str, ...]:
        """Return the rules behind decisions or constants in the hand's book."""
        return self.rules.cite(key, *more)

    def facts(self, *names: str) -> tuple[Fact, ...]:
        """Return facts the finding depends on, as told or as recorded."""
        values = ((name, self.known(name)) for name in names)
        return tuple(Fact(name, value) for name, value in values if value is not None)

    def against_record(self) -> tuple[tuple[Fact, Fact], ...]:
        """Return each fact that is told otherwise than the record has it, with the recorded one."""
        found = []
        for name, told in self.told.items():
            value = recorded(self, name)
            if value is not None and not agrees(told, value):
                found.append((Fact(name, told), Fact(f"{name}_recorded", plain(value) or "none")))
        return tuple(found)


Rule = Callable[[Situation], Finding]


def plain(value: Value) -> str | None:
    """Return what the record holds of a fact in the words in which it would be told."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return None if value is None else str(value)


def agrees(told: str, value: Value) -> bool:
    """Whether a fact is told as the record has it; what cannot be read is refused where it is used."""
    if isinstance(value, bool):
        return told.lower() in (YES if value else NO)
    if isinstance(value, tuple):
        return {part for part in told.replace(" ", "").split(",") if part} == set(map(str, value))
    return told.strip().lower() == str(value).lower()


def judged(rule: Rule, situation: Situation) -> Finding:
    """Return a rule's finding, or the one that asks for the facts it lacks.

    What was told against the record stands beside what the record has, and the floor decides (CR-12).
    """
    found = _found(rule, situation)
    against = situation.against_record()
    if not against:
        return found
    names = {told.name for told, _ in against}
    other = _found(
        rule,
        replace(
            situation,
            told={name: value for name, value in situation.told.items() if name not in names},
        ),
    )
    choices = found.choices
    offered = {found.remedy, *(choice.remedy for choice in choices)}
    if other.remedy not in offered and other.remedy not in ("fact_needed", "floor_decides"):
        choice = Choice(
            other.remedy, f"by the record: {other.says}", other.rules, entries=other.entries
        )
        choices = (*choices, choice)
    rest = tuple(fact for fact in found.facts if fact.name not in names)
    both = tuple(fact for pair in against for fact in pair)
    return replace(found, facts=(*rest, *both), choices=choices, binding=False)


def _found(rule: Rule, situation: Situation) -> Finding:
    try:
        return rule(situation)
    except Needed as needed:
        return fact_needed(
            tuple(name for name in needed.rules if name != "CR-12"),
            *needed.names,
            why=needed.why,
        )


def words(value: Any) -> str:
    """Say a list of seats in words: `seat 3`, `seats 3 and 5`."""
    seats = tuple(value)
    if len(seats) == 1:
        return f"seat {seats[0]}"
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"
