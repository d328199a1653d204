"""What a house decides, what its books say, and the resolved book that a game is played under.

A `Book` is a chain of layers (a room's own file, the book it is based on, the book that one falls back on). Resolving
it for a game at an instant gives a `ResolvedBook`: one value and the rules behind it for every decision, parsed once,
so that a look-up is a plain dictionary access. Values travel in a plain form (JSON kinds; a ratio as the text of a
fraction) and are typed when a book is resolved; no float is ever made.
"""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec

from cardroom.rulebook.schema import COUNT_MOST, Constant, Decision, Kind, Per, TableField

__all__ = [
    "COUNT_MOST",
    "SILENT",
    "Book",
    "Constant",
    "Content",
    "Decision",
    "Held",
    "Kind",
    "Layer",
    "Overlay",
    "Per",
    "Reading",
    "ResolvedBook",
    "Row",
    "RuleText",
    "TableField",
    "Typed",
    "distinct",
    "own_rule",
]

_ENCODER: Final = msgspec.json.Encoder(order="sorted")

SILENT: Final = ("CR-3",)
"""What is cited where the book in force says nothing and the built-in default applies."""

Typed: TypeAlias = (
    bool | int | Fraction | str | frozenset[str] | tuple[str, ...] | Mapping[str, int | Fraction]
)
"""A value as code reads it."""


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

    __slots__ = (
        "_cents",
        "_choices",
        "_cite",
        "_content",
        "_counts",
        "_flags",
        "_minutes",
        "_orders",
        "_ratios",
        "_seconds",
        "_sets",
        "_tables",
        "_values",
        "book",
        "digest",
        "high_limit",
        "texts",
        "title",
    )

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
        # One dictionary for each accessor: these look-ups are made for every action of every hand.
        self._flags: dict[str, bool] = self._values[Kind.BOOL]
        self._counts: dict[str, int] = self._values[Kind.COUNT]
        self._cents: dict[str, int] = self._values[Kind.CENTS]
        self._minutes: dict[str, int] = self._values[Kind.MINUTES]
        self._seconds: dict[str, int] = self._values[Kind.SECONDS]
        self._ratios: dict[str, Fraction] = self._values[Kind.RATIO]
        self._choices: dict[str, str] = self._values[Kind.CHOICE]
        self._sets: dict[str, frozenset[str]] = self._values[Kind.SET]
        self._orders: dict[str, tuple[str, ...]] = self._values[Kind.ORDER]
        self._tables: dict[str, Mapping[str, int | Fraction]] = self._values[Kind.TABLE]

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

    def keys(self) -> tuple[str, ...]:
        """Return the keys of all decisions, sorted."""
        return tuple(sorted(key for values in self._values.values() for key in values))

    def flag(self, key: str) -> bool:
        """Return a yes or no."""
        return self._flags[key]

    def count(self, key: str) -> int:
        """Return a count."""
        return self._counts[key]

    def cents(self, key: str) -> int:
        """Return an amount in cents."""
        return self._cents[key]

    def minutes(self, key: str) -> int:
        """Return a time in minutes."""
        return self._minutes[key]

    def seconds(self, key: str) -> int:
        """Return a time in seconds."""
        return self._seconds[key]

    def ratio(self, key: str) -> Fraction:
        """Return a part of 1, exact."""
        return self._ratios[key]

    def choice(self, key: str) -> str:
        """Return the variant chosen."""
        return self._choices[key]

    def members(self, key: str) -> frozenset[str]:
        """Return the members of a set."""
        return self._sets[key]

    def order(self, key: str) -> tuple[str, ...]:
        """Return a ranking, first first."""
        return self._orders[key]

    def table(self, key: str) -> Mapping[str, int | Fraction]:
        """Return a table; its parts of 1 are fractions, all else whole numbers."""
        return self._tables[key]

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
