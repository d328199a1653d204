"""What a house decides: the closed list's shape, and what no house varies."""

from enum import StrEnum
from typing import Any, Final

import msgspec

COUNT_MOST: Final = 1_000_000_000_000
"""The largest count, time or amount in cents that a book may hold."""


class Kind(StrEnum):
    """What sort of value a decision takes."""

    BOOL = "bool"
    COUNT = "count"
    MINUTES = "minutes"
    SECONDS = "seconds"
    CENTS = "cents"
    RATIO = "ratio"
    CHOICE = "choice"
    SET = "set"
    ORDER = "order"
    TABLE = "table"


class Per(StrEnum):
    """How far down a room may set a decision."""

    BOOK = "book"
    LIMIT_TIER = "limit_tier"
    GAME = "game"


class TableField(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field of a table-valued decision.

    Args:
        type: `count`, `cents` or `ratio`.
        means: what the field does.
    """

    type: Kind
    means: str = ""


class Decision(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that a house decides.

    Args:
        key: `family.name`.
        means: what is decided.
        type: the sort of value.
        per: `book` one value for the room, `limit_tier` may differ at high limit, `game` may be set for each game.
        default: the value where a book is silent, in plain form.
        why_default: where the default comes from.
        values: choice, set and order: each value or member allowed, and what it does.
        fields: table: the fields it has, all of them required.
        each: table without named fields: the type of every entry.
        may_be_empty: table: whether an empty one has a meaning.
        shares: table: fields that must add up to 1.
        needs: choice: value -> decisions that a book choosing it must state itself.
    """

    key: str
    means: str
    type: Kind
    per: Per
    default: Any
    why_default: str = ""
    values: dict[str, str] = {}
    fields: dict[str, TableField] = {}
    each: Kind | None = None
    may_be_empty: bool = False
    shares: tuple[str, ...] = ()
    needs: dict[str, tuple[str, ...]] = {}

    def field_type(self, name: str) -> Kind | None:
        """Return the type of a table's field, None where the table has no such field."""
        return self.fields[name].type if name in self.fields else self.each

    def allowed(self) -> str:
        """Say in words which values are allowed."""
        match self.type:
            case Kind.BOOL:
                return "true or false"
            case Kind.RATIO:
                return 'a decimal from 0 to 1 such as 0.5, or a fraction in quotes such as "1/3"'
            case Kind.CHOICE:
                return "one of " + ", ".join(f'"{value}"' for value in self.values)
            case Kind.SET:
                return "a list of " + ", ".join(f'"{value}"' for value in self.values)
            case Kind.ORDER:
                return "a ranking of " + ", ".join(f'"{value}"' for value in self.values)
            case Kind.TABLE:
                return self._allowed_table()
            case _:
                unit = {Kind.COUNT: "", Kind.CENTS: " of cents"}.get(self.type, f" of {self.type}")
                return f"a whole number{unit}, 0 or more"

    def _allowed_table(self) -> str:
        if self.each:
            return f"a table of names with {self.each} (whole numbers, 0 or more)"
        named = ", ".join(f"{name} ({field.type})" for name, field in self.fields.items())
        also = "; or an empty table" if self.may_be_empty else ""
        return f"a table with {named}{also}"


class Constant(msgspec.Struct, frozen=True, kw_only=True):
    """Something that no house varies.

    Args:
        name: `family.name`.
        means: what holds.
        rules: the rules of the books that state it.
    """

    name: str
    means: str
    rules: tuple[str, ...]
