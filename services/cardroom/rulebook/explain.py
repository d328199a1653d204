"""Explaining a rule, an invariant or a decision to a person: its words, and what each book makes of it."""

import difflib
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from cardroom.kernel.refusal import INVARIANTS
from cardroom.rulebook.catalogue import (
    book_ids,
    constants,
    decisions,
    packaged_book,
    readings,
    rule_texts,
)
from cardroom.rulebook.model import Book, Constant, Decision, Layer, Reading, Row, RuleText

HIGH_LIMIT: Final = "_high"
"""Ends the name under which a book's high-limit values are listed, for example `LC_high`."""


class BookValue(msgspec.Struct, frozen=True, kw_only=True):
    """What one book sets a decision to.

    Args:
        book: its id, or `LC_high` for its high limit.
        value: in plain form.
        rules: the rules that state it; empty for the default.
        source: the book that states it, or `default`.
        alternatives: other values that the book leaves to the room.
    """

    book: str
    value: Any
    rules: tuple[str, ...]
    source: str
    alternatives: tuple[str, ...] = ()


class DecisionExplained(msgspec.Struct, frozen=True, kw_only=True):
    """A decision and what every book sets it to.

    Args:
        decision: what is decided.
        values: one for each book and high limit, and for the room's own book where one was given.
    """

    decision: Decision
    values: tuple[BookValue, ...]


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is known about one id.

    Args:
        id: a rule's id, an invariant's, or a decision's key.
        text: the rule in words; None where the id is a decision's or a constant's.
        fixes: the decisions that it fixes.
        constants: what it states that no house varies.
        readings: how unclear places are read.
    """

    id: str
    text: RuleText | None
    fixes: tuple[DecisionExplained, ...] = ()
    constants: tuple[Constant, ...] = ()
    readings: tuple[Reading, ...] = ()


class RuleUnknown(LookupError):  # noqa: N818 - names what is so
    """No rule, invariant or decision has this id.

    Args:
        rule_id: what was asked for.
        close: ids that may have been meant.
    """

    def __init__(self, rule_id: str, close: tuple[str, ...]) -> None:
        near = f"; perhaps {', '.join(close)}" if close else ""
        super().__init__(f"no rule {rule_id!r}{near}")
        self.rule_id = rule_id
        self.close = close


def explain(rule_id: str, own: Book | None = None) -> Explanation:
    """Explain an id that a refusal, finding or payout cites.

    Args:
        rule_id: a rule (`LC-126a`), an invariant (`CR-1`), a decision or constant (`betting.cap_raises`), or a value
            without a printed rule (`OAK:betting.cap_raises`). Capitals do not matter.
        own: the room's own book, whose rules and values are shown beside the four.

    Raises:
        RuleUnknown: there is no such id; it names close ones.
    """
    texts = {**rule_texts(), **(own.texts if own else {})}
    known = {name.lower(): name for name in (*texts, *INVARIANTS, *decisions(), *constants())}
    asked = rule_id.strip()
    found = known.get(asked.rpartition(":")[2].lower())
    if found is None:
        raise RuleUnknown(asked, _close(asked, known))
    if found in INVARIANTS:
        text = RuleText(id=found, says=INVARIANTS[found], topic="invariant", kind="enforced")
        return Explanation(id=found, text=text)
    if found in decisions():
        return Explanation(id=asked, text=None, fixes=(explain_decision(found, own),))
    if found in constants():
        return Explanation(id=found, text=None, constants=(constants()[found],))
    fixed = (key for key in decisions() if found in _rules_for(key, own))
    return Explanation(
        id=found,
        text=texts[found],
        fixes=tuple(explain_decision(key, own) for key in fixed),
        constants=tuple(one for one in constants().values() if found in one.rules),
        readings=readings(found),
    )


def explain_decision(key: str, own: Book | None = None) -> DecisionExplained:
    """Return a decision and what every book sets it to.

    Args:
        key: the decision.
        own: the room's own book, listed first.
    """
    books = [packaged_book(name) for name in book_ids()]
    if own is not None and own.id not in book_ids():
        books.insert(0, own)
    values = []
    for book in books:
        values.append(_value(key, book, high=False))
        if any(key in layer.high_limit for layer in book.layers):
            values.append(_value(key, book, high=True))
    return DecisionExplained(decision=decisions()[key], values=tuple(values))


def search(words: str, own: Book | None = None) -> tuple[RuleText, ...]:
    """Return the rules whose text holds every word.

    Args:
        words: what to look for; capitals do not matter, parts of words count.
        own: the book in force: its rules come first, then those of the books it rests on, then the others.
    """
    wanted = words.lower().split()
    invariants = [
        RuleText(id=name, says=says, topic="invariant", kind="enforced")
        for name, says in INVARIANTS.items()
    ]
    chain = [layer.id for layer in own.layers] if own else []
    printed = sorted(rule_texts().values(), key=lambda text: _place(text.id, chain))
    texts = [*(own.texts.values() if own else ()), *printed, *invariants]
    return tuple(
        text
        for text in texts
        if wanted and all(word in f"{text.says} {text.topic}".lower() for word in wanted)
    )


def _place(rule_id: str, chain: list[str]) -> int:
    book = rule_id.partition("-")[0]
    return chain.index(book) if book in chain else len(chain)


def _value(key: str, book: Book, *, high: bool) -> BookValue:
    name = book.id + (HIGH_LIMIT if high else "")
    for layer in book.layers:
        for row in (_newest(layer, key, high=True) if high else None, _newest(layer, key)):
            if row is not None:
                return BookValue(
                    book=name,
                    value=row.value,
                    rules=row.rules,
                    source=layer.id,
                    alternatives=tuple(row.alternatives),
                )
    return BookValue(book=name, value=decisions()[key].default, rules=(), source="default")


def _newest(layer: Layer, key: str, *, high: bool = False) -> Row | None:
    rows = (layer.high_limit if high else layer.rows).get(key, ())
    return rows[-1] if rows else None


def _rules_for(key: str, own: Book | None) -> set[str]:
    layers = [
        *(own.layers[:1] if own else ()),
        *(packaged_book(name).layers[0] for name in book_ids()),
    ]
    rows = (
        row
        for layer in layers
        for part in (layer.rows, layer.high_limit)
        for row in part.get(key, ())
    )
    return {
        rule
        for row in rows
        for rule in (*row.rules, *(one for rules in row.alternatives.values() for one in rules))
    }


def _close(asked: str, known: dict[str, str]) -> tuple[str, ...]:
    name = asked.rpartition(":")[2].lower()
    parts = [known[one] for one in known if name and one.startswith(name)]
    near = [known[one] for one in difflib.get_close_matches(name, list(known), n=6, cutoff=0.6)]
    return _first(dict.fromkeys((*parts, *near)), 6)


def _first(names: Iterable[str], most: int) -> tuple[str, ...]:
    return tuple(names)[:most]
