"""What a house decides, what its books say, and the resolved book that a game is played under.

A `Book` is a chain of layers (a room's own file, the book it is based on, the book that one falls back on). Resolving
it for a game at an instant gives a `ResolvedBook`: one value and the rules behind it for every decision, parsed once,
so that a look-up is a plain dictionary access. Values travel in a plain form (JSON kinds; a ratio as the text of a
fraction) and are typed when a book is resolved; no float is ever made.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec

_ENCODER: Final = msgspec.json.Encoder(order="sorted")

SILENT: Final = ("CR-3",)
"""What is cited where the book in force says nothing and the built-in default applies."""

COUNT_MOST: Final = 1_000_000_000_000
"""The largest count, time or amount in cents that a book may hold."""

Plain: TypeAlias = bool | int | str | list[str] | dict[str, int | str]
"""A value as it is stored: JSON kinds only, a ratio as the text of a fraction such as `1/2`."""

Typed: TypeAlias = (
    bool | int | Fraction | str | frozenset[str] | tuple[str, ...] | Mapping[str, int | Fraction]
)
"""A value as code reads it."""


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


class RuleText(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One rule of a book, for people to read.

    Args:
        id: its id, which begins with the book's id.
        says: what it says.
        topic: dotted family.
        service: the part of the system that it concerns.
        kind: enforced, timed, adjudicated, logged or text.
        applies: the games, limits and situations it is for.
        high_limit: whether it holds at the book's high limit only.
        related: rules of the same book to read with it.
    """

    id: str
    says: str
    topic: str = ""
    service: str = ""
    kind: str = "text"
    applies: str = "all"
    high_limit: bool = False
    related: tuple[str, ...] = ()


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """How an unclear place of a book is read here.

    Args:
        rules: the rules it concerns.
        question: what is unclear.
        choice: the reading chosen, and why.
    """

    rules: tuple[str, ...]
    question: str
    choice: str


class Row(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value that one layer of a book states.

    Args:
        value: in plain form.
        rules: ids of the rules that state it; never empty.
        since: the instant from which it holds, UTC; None where it has held as long as the book.
        alternatives: other values that the book leaves to the room, each with its rules.
    """

    value: Any
    rules: tuple[str, ...]
    since: datetime | None = None
    alternatives: dict[str, tuple[str, ...]] = {}


class Layer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one book file states.

    Args:
        id: the book's id.
        title: its title.
        effective: the instant from which the file holds, UTC; None for ever.
        rows: decision -> its rows, in order of time.
        high_limit: the same for limit games at or over the book's high limit.
        high_limit_rules: ids of its rules that hold at high limit only.
        falls_back_by: the rules by which it sends what it does not cover to the next book.
    """

    id: str
    title: str
    effective: datetime | None = None
    rows: dict[str, tuple[Row, ...]] = {}
    high_limit: dict[str, tuple[Row, ...]] = {}
    high_limit_rules: frozenset[str] = frozenset()
    falls_back_by: tuple[str, ...] = ()


class Book(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A house book with everything it rests on, complete in itself.

    Args:
        layers: nearest first: a room's own file, the book it is based on, the book that one falls back on.
        decisions: the closed list of decisions, by key.
        constants: what no house varies, by name.
        texts: the rules that a room's own file adds, by id.
    """

    layers: tuple[Layer, ...]
    decisions: dict[str, Decision]
    constants: dict[str, Constant]
    texts: dict[str, RuleText] = {}

    @property
    def id(self) -> str:
        """The id of the nearest layer."""
        return self.layers[0].id

    @property
    def title(self) -> str:
        """The title of the nearest layer."""
        return self.layers[0].title

    def instants(self) -> tuple[datetime, ...]:
        """Return the instants at which a value of the book changes, in order."""
        dated = {
            row.since
            for layer in self.layers
            for rows in (*layer.rows.values(), *layer.high_limit.values())
            for row in rows
            if row.since is not None
        }
        return tuple(sorted(dated))

    def content(self) -> bytes:
        """Return the book in canonical bytes, from which it can be read back and resolved again."""
        return _ENCODER.encode(self)

    @classmethod
    def from_content(cls, content: bytes) -> "Book":
        """Return the book whose content was stored.

        Args:
            content: bytes that `content()` gave.

        Raises:
            msgspec.ValidationError: the bytes are no book.
        """
        return _book_from_content(bytes(content))


class Overlay(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a game or a table sets otherwise than its room's book.

    Args:
        scope: `game` or `table`; stands in what is cited for its values.
        values: decision -> value in plain form (a ratio as `Fraction`, `Decimal` or text).
        rules: decision -> rules that state it, where a printed rule does.
    """

    scope: str
    values: dict[str, Any] = {}
    rules: dict[str, tuple[str, ...]] = {}


class Held(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One decision in a resolved book's content: its type, its value in plain form and what it rests on."""

    type: Kind
    value: Any
    rules: tuple[str, ...]
    ratios: tuple[str, ...] = ()


class Content(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The content of a resolved book, as stored by its digest.

    Args:
        shape: version of this form.
        book: id of the book it was resolved from.
        title: its title.
        high_limit: whether the high-limit tier was taken.
        decisions: every decision of its day.
        constants: constant -> the rules that state it.
        texts: the rules that the room itself added.
    """

    shape: int = 1
    book: str
    title: str
    high_limit: bool = False
    decisions: dict[str, Held]
    constants: dict[str, tuple[str, ...]]
    texts: dict[str, RuleText] = {}


_DECODER: Final = msgspec.json.Decoder(Content)


class ResolvedBook:
    """The book that one game is played under: a value and its rules for every decision.

    Every accessor is a dictionary access; asking for a key that the book does not have, or for a type that the
    decision is not of, is a programming error and raises KeyError.
    """

    __slots__ = ("_cite", "_content", "_values", "book", "digest", "high_limit", "texts", "title")

    def __init__(self, content: Content) -> None:
        """Take a content apart, once.

        Args:
            content: what `resolve` worked out, or what was stored.
        """
        self._content: bytes = _ENCODER.encode(content)
        self.digest: str = hashlib.sha256(self._content).hexdigest()
        self.book: str = content.book
        self.title: str = content.title
        self.high_limit: bool = content.high_limit
        self.texts: Mapping[str, RuleText] = MappingProxyType(content.texts)
        self._values: dict[Kind, dict[str, Any]] = {kind: {} for kind in Kind}
        self._cite: dict[str, tuple[str, ...]] = dict(content.constants)
        for key, held in content.decisions.items():
            self._values[held.type][key] = _typed(held)
            self._cite[key] = held.rules

    @classmethod
    def from_content(cls, content: bytes) -> "ResolvedBook":
        """Return the book whose content was stored.

        Args:
            content: bytes that `content()` gave.

        Raises:
            msgspec.ValidationError: the bytes are no book's content.
        """
        return _from_content(bytes(content))

    def content(self) -> bytes:
        """Return the canonical content, whose SHA-256 is the digest."""
        return self._content

    def value(self, key: str) -> Any:
        """Return a decision's value, whatever its type."""
        for values in self._values.values():
            if key in values:
                return values[key]
        raise KeyError(f"no decision {key!r} in this book")

    def type_of(self, key: str) -> Kind:
        """Return a decision's type."""
        for kind, values in self._values.items():
            if key in values:
                return kind
        raise KeyError(f"no decision {key!r} in this book")

    def keys(self) -> tuple[str, ...]:
        """Return the keys of all decisions, sorted."""
        return tuple(sorted(key for values in self._values.values() for key in values))

    def flag(self, key: str) -> bool:
        """Return a yes or no."""
        return self._values[Kind.BOOL][key]  # type: ignore[no-any-return]

    def count(self, key: str) -> int:
        """Return a count."""
        return self._values[Kind.COUNT][key]  # type: ignore[no-any-return]

    def cents(self, key: str) -> int:
        """Return an amount in cents."""
        return self._values[Kind.CENTS][key]  # type: ignore[no-any-return]

    def minutes(self, key: str) -> int:
        """Return a time in minutes."""
        return self._values[Kind.MINUTES][key]  # type: ignore[no-any-return]

    def seconds(self, key: str) -> int:
        """Return a time in seconds."""
        return self._values[Kind.SECONDS][key]  # type: ignore[no-any-return]

    def ratio(self, key: str) -> Fraction:
        """Return a part of 1, exact."""
        return self._values[Kind.RATIO][key]  # type: ignore[no-any-return]

    def choice(self, key: str) -> str:
        """Return the variant chosen."""
        return self._values[Kind.CHOICE][key]  # type: ignore[no-any-return]

    def members(self, key: str) -> frozenset[str]:
        """Return the members of a set."""
        return self._values[Kind.SET][key]  # type: ignore[no-any-return]

    def order(self, key: str) -> tuple[str, ...]:
        """Return a ranking, first first."""
        return self._values[Kind.ORDER][key]  # type: ignore[no-any-return]

    def table(self, key: str) -> Mapping[str, int | Fraction]:
        """Return a table; its parts of 1 are fractions, all else whole numbers."""
        return self._values[Kind.TABLE][key]  # type: ignore[no-any-return]

    def cite(self, key: str, *more: str) -> tuple[str, ...]:
        """Return the ids of the rules behind decisions or constants in this book.

        Args:
            key: a decision's key or a constant's name.
            more: further ones; their rules follow, each once.

        Returns:
            Rule ids of this book or the book it falls back on; `("CR-3",)` where it is silent on all of them.
        """
        if not more:
            return self._cite[key]
        found = dict.fromkeys(rule for one in (key, *more) for rule in self._cite[one])
        stated = tuple(rule for rule in found if rule not in SILENT)
        return stated or SILENT

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ResolvedBook) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        tier = ", high limit" if self.high_limit else ""
        return f"ResolvedBook({self.book}{tier}, {self.digest[:12]})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (ResolvedBook.from_content, (self._content,))


def _typed(held: Held) -> Typed:
    match held.type:
        case Kind.RATIO:
            return Fraction(held.value)
        case Kind.SET:
            return frozenset(held.value)
        case Kind.ORDER:
            return tuple(held.value)
        case Kind.TABLE:
            return MappingProxyType(
                {
                    name: Fraction(part) if name in held.ratios else part
                    for name, part in held.value.items()
                }
            )
        case _:
            return held.value  # type: ignore[no-any-return]


@lru_cache(maxsize=64)
def _book_from_content(content: bytes) -> Book:
    return msgspec.json.decode(content, type=Book)


@lru_cache(maxsize=256)
def _from_content(content: bytes) -> ResolvedBook:
    return ResolvedBook(_DECODER.decode(content))


def own_rule(book_id: str, key: str, scope: str = "") -> str:
    """Return the id under which a value without a printed rule is cited, such as `OAK:betting.cap_raises`.

    Args:
        book_id: the book that sets it.
        key: the decision.
        scope: `game` or `table` where one of these overlays the book.
    """
    return ":".join(part for part in (book_id, scope, key) if part)


def distinct(rules: Iterable[str]) -> tuple[str, ...]:
    """Return rule ids in order, each once."""
    return tuple(dict.fromkeys(rules))
