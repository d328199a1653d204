"""The project's own data, read once: decisions, constants, the four books and their rules in words."""

import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec

from cardroom.rulebook.model import Book, Constant, Decision, Layer, Reading, Row, RuleText
from cardroom.rulebook.values import plain

DATA: Final = Path(__file__).parent / "data"


class _Catalogue(msgspec.Struct, frozen=True):
    """What the project's own data says, read once."""

    decisions: dict[str, Decision]
    constants: dict[str, Constant]
    layers: dict[str, Layer]
    falls_back_on: dict[str, str]
    texts: dict[str, RuleText]
    readings: tuple[Reading, ...]


def book_ids() -> tuple[str, ...]:
    """Return the ids of the books that come with the project."""
    return tuple(_catalogue().layers)


def decisions() -> Mapping[str, Decision]:
    """Return the closed list of decisions by key."""
    return _catalogue().decisions


def constants() -> Mapping[str, Constant]:
    """Return what no house varies, by name."""
    return _catalogue().constants


def rule_texts() -> Mapping[str, RuleText]:
    """Return every rule of the four books by id."""
    return _catalogue().texts


def readings(rule_id: str) -> tuple[Reading, ...]:
    """Return how unclear places that concern a rule are read."""
    return tuple(one for one in _catalogue().readings if rule_id in one.rules)


@lru_cache(maxsize=8)
def packaged_book(book_id: str) -> Book:
    """Return one of the four books.

    Args:
        book_id: one of `book_ids()`.
    """
    found = _catalogue()
    layers, name = [], book_id
    while name:
        layers.append(found.layers[name])
        name = found.falls_back_on.get(name, "")
    return Book(layers=tuple(layers), decisions=found.decisions, constants=found.constants)


@lru_cache(maxsize=1)
def _catalogue() -> _Catalogue:
    decisions: dict[str, Decision] = {}
    constants: dict[str, Constant] = {}
    for path in sorted((DATA / "schema").glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        for entry in data.get("decision", []):
            default = entry.pop("default")
            blank = msgspec.convert({**entry, "default": None}, Decision)
            decisions[blank.key] = msgspec.structs.replace(blank, default=plain(blank, default))
        for entry in data.get("constant", []):
            constant = msgspec.convert(entry, Constant)
            constants[constant.name] = constant
    texts: dict[str, RuleText] = {}
    readings: list[Reading] = []
    layers: dict[str, Layer] = {}
    falls_back_on: dict[str, str] = {}
    for path in sorted((DATA / "books").glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        about = data.pop("book")
        told = tomllib.loads((DATA / "rules" / about["rules_file"]).read_text(encoding="utf-8"))
        own = msgspec.convert(told["rule"], tuple[RuleText, ...])
        texts |= {rule.id: rule for rule in own}
        readings += msgspec.convert(told.get("reading", []), list[Reading])
        high = data.pop("high_limit", {})
        layers[about["id"]] = Layer(
            id=about["id"],
            title=about["title"],
            effective=about.get("effective"),
            rows=_packaged_rows(data, decisions),
            high_limit=_packaged_rows(high, decisions),
            high_limit_rules=frozenset(rule.id for rule in own if rule.high_limit),
            falls_back_by=tuple(about.get("falls_back_by", ())),
        )
        if "falls_back_on" in about:
            falls_back_on[about["id"]] = about["falls_back_on"]
    return _Catalogue(decisions, constants, layers, falls_back_on, texts, tuple(readings))


def _packaged_rows(
    families: Mapping[str, Any], decisions: Mapping[str, Decision]
) -> dict[str, tuple[Row, ...]]:
    rows: dict[str, tuple[Row, ...]] = {}
    for family, entries in families.items():
        for name, entry in entries.items():
            decision = decisions[f"{family}.{name}"]
            rows[decision.key] = (
                Row(
                    value=plain(decision, entry["value"]),
                    rules=tuple(entry["rules"]),
                    alternatives={
                        str(value): tuple(rules)
                        for value, rules in entry.get("alternatives", {}).items()
                    },
                ),
            )
    return rows
