"""Refusals: a request that the book, or one of our own invariants, does not allow."""

from collections.abc import Iterable
from typing import Final

INVARIANTS: Final[dict[str, str]] = {
    "CR-1": "What the caller saw is no longer so: the version, entry, seat or last action it names has changed.",
    "CR-2": "The id is not known: no such room, game, table, player, seat, hand, account or claim.",
    "CR-3": "The book in force is silent on this; the built-in default of the decision applies.",
    "CR-4": "A value is out of range or of the wrong kind: a negative or fractional amount, a seat the table lacks.",
    "CR-5": "A card may be in one place only: it was dealt, burned or shown before in this hand.",
    "CR-6": "Out of order: the thing's present phase does not admit this command.",
    "CR-7": "It already is so: an id is used twice, or a thing that exists once would exist a second time.",
    "CR-8": "Chips and money are conserved: an account, stack or pot cannot give what it does not hold.",
    "CR-9": "The role of the person does not carry this act, or an override lacks its reason.",
    "CR-10": "The gaming day is closed; its streams take no further events.",
    "CR-11": "The same request id came before with another content.",
    "CR-12": "A fact that decides this was not given; unknown is never taken for zero.",
    "CR-13": "Deadlines that passed during an outage wait for a floorperson to release them.",
    "CR-14": "A fact owned by another context could not be had in time, and this act may not go on without it.",
}
"""Our own invariants, by id; everything else that refuses is a rule of a house book."""


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not an error of the program
    """A request was refused; nothing was recorded.

    Args:
        code: UPPER_SNAKE reason that programs can rely on, for example `SEAT_TAKEN`.
        rules: ids of the rules it rests on, of the book in force or of `INVARIANTS`; never empty.
        message: one sentence naming the field, the value and what the rule asks.
        options: what would be accepted now, in words (amounts included).
        field: the request field at fault, where one is.
    """

    def __init__(
        self,
        code: str,
        rules: str | Iterable[str],
        message: str,
        options: Iterable[str] = (),
        field: str = "",
    ) -> None:
        super().__init__(message)
        self.code = code
        self.rules: tuple[str, ...] = (rules,) if isinstance(rules, str) else tuple(rules)
        self.message = message
        self.options = tuple(options)
        self.field = field
        if not self.rules:
            raise ValueError(f"refusal {code} names no rule")

    def __repr__(self) -> str:
        return f"Refused({self.code}, {'/'.join(self.rules)}: {self.message})"


class Unknown(Refused):
    """The id in a request is not known (`CR-2`)."""

    def __init__(self, what: str, value: str, field: str = "") -> None:
        super().__init__(
            f"{what.upper().replace(' ', '_')}_UNKNOWN",
            "CR-2",
            f"{what} {value!r} is not known",
            field=field,
        )


class Stale(Refused):
    """What the caller saw is no longer so (`CR-1`)."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__("STALE", "CR-1", message, field=field)
