"""What an irregularity is judged on: the facts told, the hand as recorded, the table and its book."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Game
from cardroom.poker.legal import Act
from cardroom.poker.reading import Reader
from cardroom.poker.variants import VARIANTS, Variant
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.findings import Fact, Finding, fact_needed
from cardroom.tables.hand import Hand, history_of
from cardroom.tables.hand_events import ActionTaken, Phase
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
    """

    kind: str
    told: dict[str, str]
    hand: Hand
    table: Table
    rules: ResolvedBook
    reader: Reader

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

    def text(self, name: str, default: str | None = None) -> str:
        """Return a fact as told.

        Raises:
            Needed: it was not told and there is no default.
        """
        value = self.told.get(name, default)
        if value is None:
            raise Needed((name,), f"what follows from {self.kind.replace('_', ' ')}", ("CR-12",))
        return value

    def optional(self, name: str) -> str | None:
        """Return a fact as told, None where it was not."""
        return self.told.get(name)

    def count(self, name: str, default: int | None = None) -> int:
        """Return a fact that is a whole number.

        Raises:
            Needed: it was not told and there is no default.
            Refused: CR-4, it is no whole number.
        """
        value = self.told.get(name)
        if value is None:
            if default is None:
                raise Needed(
                    (name,), f"what follows from {self.kind.replace('_', ' ')}", ("CR-12",)
                )
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
            Needed: it was not told and there is no default.
            Refused: CR-4, it is neither.
        """
        value = self.told.get(name)
        if value is None:
            if default is None:
                raise Needed(
                    (name,), f"what follows from {self.kind.replace('_', ' ')}", ("CR-12",)
                )
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
        value = self.told.get(name, "")
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
        """Return the seats that have acted in the hand's first round, in order; posts are no actions.

        Told as `acted` (seats) or `acted_count` where the actions are not recorded.
        """
        if "acted" in self.told:
            return self.seats("acted")
        if self.hand.hand and self.hand.phase is not Phase.NONE:
            if self.hand.street > 0:
                return tuple(chair.seat for chair in self.hand.chairs)
            voluntary = [one.seat for one in self.actions() if one.act is not Act.BRING_IN]
            return tuple(dict.fromkeys(voluntary))
        return ()

    def acted_count(self) -> int:
        """Return how many players have acted in turn."""
        if "acted_count" in self.told:
            return self.count("acted_count")
        return len(self.acted())

    def has_acted(self, seat: int) -> bool:
        """Whether a seat has acted."""
        told = self.told_flag("player_acted")
        return seat in self.acted() if told is None else told

    def cite(self, key: str, *more: str) -> tuple[str, ...]:
        """Return the rules behind decisions or constants in the hand's book."""
        return self.rules.cite(key, *more)

    def facts(self, *names: str) -> tuple[Fact, ...]:
        """Return facts the finding depends on, as told."""
        return tuple(Fact(name, self.told[name]) for name in names if name in self.told)


Rule = Callable[[Situation], Finding]


def judged(rule: Rule, situation: Situation) -> Finding:
    """Return a rule's finding, or the one that asks for the facts it lacks."""
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
