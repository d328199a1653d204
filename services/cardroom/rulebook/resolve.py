"""From a book, a game and what the game or table sets otherwise, to the one value of every decision. Pure."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, Protocol

import msgspec

from cardroom.rulebook.model import (
    SILENT,
    Book,
    Constant,
    Content,
    Decision,
    Held,
    Kind,
    Overlay,
    Per,
    ResolvedBook,
    Row,
    distinct,
    own_rule,
)
from cardroom.rulebook.values import NotAllowed, plain

_LIMIT: Final = "limit"
HIGH_LIMIT_FROM: Final = "game.high_limit_from"
_BOOK_OF: Final = re.compile(r"([A-Z][A-Z0-9]*)[-:]")


class Stakes(Protocol):
    """What resolving needs to know of a game; `cardroom.known.games.Game` has it."""

    @property
    def structure(self) -> str:
        """How much may be bet; `limit` for limit games."""

    @property
    def small_bet_cents(self) -> int:
        """The lower bet."""


class CannotResolve(ValueError):  # noqa: N818 - names what is so
    """A book cannot be resolved: an overlay is wrong, or the book is not yet in force.

    Args:
        key: the decision at fault, empty where none is.
        message: one sentence naming key, value and what is allowed.
    """

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key
        self.message = message


def resolve(
    book: Book,
    game: Stakes | None = None,
    table: Overlay | Mapping[str, Any] | None = None,
    *,
    overlay: Overlay | Mapping[str, Any] | None = None,
    at: datetime | None = None,
) -> ResolvedBook:
    """Work out the book that a game is played under.

    A value is looked up at the table's overlay, the game's overlay, then layer by layer (a room's own file, the book
    it is based on, the book that one falls back on; in each layer its high-limit rows first where the game is a
    limit game from `game.high_limit_from` up), and last at the decision's default.

    Args:
        book: the room's book, from `loader.load_book`.
        game: the game; None for the room as a whole, which is never high limit.
        table: what one table sets otherwise (an `Overlay`, or decision -> value).
        overlay: what the game sets otherwise, in the same form.
        at: the instant at which it is to hold; None takes the newest value of every decision.

    Raises:
        CannotResolve: an overlay names an unknown decision, a value it may not have, or a decision that is one for
            the whole room; or the book takes effect only after `at`.
    """
    nearest = book.layers[0]
    if at is not None and nearest.effective is not None and at < nearest.effective:
        raise CannotResolve(
            "", f"book {book.id} takes effect at {nearest.effective.isoformat()}, not yet at {at}"
        )
    set_here: dict[str, Row] = {}
    for scope, given in (("game", overlay), ("table", table)):
        if given is not None:
            set_here |= _overlaid(book, scope, given)
    high = _is_high_limit(book, game, set_here, at)
    held = {
        key: _held(decision, set_here.get(key) or _stated(book, key, high, at), book, high)
        for key, decision in book.decisions.items()
    }
    cited = {name: _cited(constant.rules, book, high) for name, constant in book.constants.items()}
    return ResolvedBook(
        Content(
            book=book.id,
            title=book.title,
            high_limit=high,
            decisions=held,
            constants=cited,
            texts=book.texts,
        )
    )


def completed(
    pinned: ResolvedBook, decisions: Mapping[str, Decision], constants: Mapping[str, Constant]
) -> ResolvedBook:
    """Return a book of an earlier day with today's defaults for what was no decision then, cited as `CR-3`.

    Only for judging recorded facts again by today's engine: what was decided rests on the pinned book as it is.

    Args:
        pinned: the book whose content was stored.
        decisions: today's decisions.
        constants: today's constants.
    """
    content = msgspec.json.decode(pinned.content(), type=Content)
    new_decisions = {
        key: Held(type=one.type, value=one.default, rules=SILENT, ratios=_ratios(one))
        for key, one in decisions.items()
        if key not in content.decisions
    }
    new_constants = {name: SILENT for name in constants if name not in content.constants}
    if not new_decisions and not new_constants:
        return pinned
    return ResolvedBook(
        msgspec.structs.replace(
            content,
            decisions={**content.decisions, **new_decisions},
            constants={**content.constants, **new_constants},
        )
    )


def check_overlay(book: Book, scope: str, given: Overlay | Mapping[str, Any]) -> Overlay:
    """Return an overlay in plain form if a game or table may set these values.

    Args:
        book: the room's book.
        scope: `game` or `table`.
        given: decision -> value.

    Raises:
        CannotResolve: see `resolve`.
    """
    rows = _overlaid(book, scope, given)
    rules = given.rules if isinstance(given, Overlay) else {}
    return Overlay(scope=scope, values={key: row.value for key, row in rows.items()}, rules=rules)


def _decision(book: Book, key: str) -> Decision:
    if key not in book.decisions:
        raise CannotResolve(key, f"{key!r} is not a decision that a house makes")
    return book.decisions[key]


def _plain(decision: Decision, value: Any) -> Any:
    try:
        return plain(decision, value)
    except NotAllowed as error:
        raise CannotResolve(
            decision.key,
            f"{decision.key} = {value!r}: {error.reason}; allowed is {decision.allowed()}",
        ) from None


def _overlaid(book: Book, scope: str, given: Overlay | Mapping[str, Any]) -> dict[str, Row]:
    values, rules = (given.values, given.rules) if isinstance(given, Overlay) else (dict(given), {})
    rows = {}
    for key, value in values.items():
        decision = _decision(book, key)
        if decision.per is Per.BOOK:
            raise CannotResolve(
                key, f"{key} is one value for the whole room; a {scope} cannot set it otherwise"
            )
        cited = rules.get(key) or (own_rule(book.id, key, scope),)
        rows[key] = Row(value=_plain(decision, value), rules=cited)
    return rows


def _in_force(rows: Iterable[Row], at: datetime | None) -> Row | None:
    newest = None
    for row in rows:
        if row.since is None or at is None or row.since <= at:
            newest = row
    return newest


def _stated(book: Book, key: str, high: bool, at: datetime | None) -> Row | None:
    """Return the row that holds; where a book sent the question on, its rule for that is cited as well."""
    sent_on: tuple[str, ...] = ()
    for layer in book.layers:
        row = _in_force(layer.high_limit.get(key, ()), at) if high else None
        row = row or _in_force(layer.rows.get(key, ()), at)
        if row is not None:
            return msgspec.structs.replace(row, rules=(*row.rules, *sent_on)) if sent_on else row
        sent_on += layer.falls_back_by
    return None


def _is_high_limit(
    book: Book, game: Stakes | None, set_here: Mapping[str, Row], at: datetime | None
) -> bool:
    if game is None or game.structure != _LIMIT:
        return False
    row = set_here.get(HIGH_LIMIT_FROM) or _stated(book, HIGH_LIMIT_FROM, False, at)
    limit_cents: int = row.value if row else book.decisions[HIGH_LIMIT_FROM].default
    return 0 < limit_cents <= game.small_bet_cents


def _held(decision: Decision, row: Row | None, book: Book, high: bool) -> Held:
    ratios = _ratios(decision)
    if row is None:
        return Held(type=decision.type, value=decision.default, rules=SILENT, ratios=ratios)
    return Held(
        type=decision.type,
        value=row.value,
        rules=_applicable(row.rules, book, high),
        ratios=ratios,
    )


def _ratios(decision: Decision) -> tuple[str, ...]:
    if decision.type is not Kind.TABLE:
        return ()
    return tuple(
        sorted(name for name in decision.fields if decision.field_type(name) is Kind.RATIO)
    )


def _applicable(rules: Iterable[str], book: Book, high: bool) -> tuple[str, ...]:
    """Leave out rules for the high limit in a game below it, where the book has others on the matter."""
    named = distinct(rules)
    if high:
        return named
    low = tuple(
        rule for rule in named if not any(rule in layer.high_limit_rules for layer in book.layers)
    )
    return low or named


def _cited(rules: Iterable[str], book: Book, high: bool) -> tuple[str, ...]:
    """Return those rules behind a constant that the nearest book with any has."""
    named = tuple(rules)
    sent_on: tuple[str, ...] = ()
    for layer in book.layers:
        own = [rule for rule in named if (match := _BOOK_OF.match(rule)) and match[1] == layer.id]
        if own:
            return _applicable((*own, *sent_on), book, high)
        sent_on += layer.falls_back_by
    return SILENT
