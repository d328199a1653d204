"""The product's data and the catalogue of worked cases say the same."""

import re
import tomllib
from decimal import Decimal
from pathlib import Path

import pytest

from cardroom.known.games import Form, Game, Structure
from cardroom.rulebook.catalogue import book_ids, constants, decisions, rule_texts
from cardroom.rulebook.loader import load_book
from cardroom.rulebook.model import SILENT, Kind, ResolvedBook
from cardroom.rulebook.resolve import resolve
from cardroom.rulebook.values import plain

CATALOGUE = Path(__file__).parent / "catalogue"
BOOKS = ("lucky_chances", "ranchos", "home_game", "world_poker")
SCHEMA = tomllib.loads(
    (CATALOGUE / "decisions.toml").read_text(encoding="utf-8"), parse_float=Decimal
)
DECISIONS = {entry["key"]: entry for entry in SCHEMA["decision"]}
RULES = {
    rule["id"]: rule
    for name in BOOKS
    for rule in tomllib.loads((CATALOGUE / f"{name}.toml").read_text(encoding="utf-8"))["rule"]
}
ROWS = (*SCHEMA["books"], *SCHEMA["tiers"])
HIGH = Game(
    game_id="high",
    name="20-40 hold'em",
    form=Form.HOLDEM,
    structure=Structure.LIMIT,
    small_bet_cents=2000,
    big_bet_cents=4000,
)


def resolved(row: str) -> ResolvedBook:
    """Return the book of a row of the catalogue; a tier is reached by a game of its limit."""
    if row in SCHEMA["tiers"]:
        return resolve(load_book(SCHEMA["tiers"][row]["book"]), HIGH)
    return resolve(load_book(row))


def catalogue_row(key: str, row: str) -> tuple[object, tuple[str, ...]]:
    """Return value and rules as the catalogue's own head says how to find them."""
    at: str | None = row
    rows = DECISIONS[key].get("set", {})
    while at:
        if at in rows:
            return rows[at]["value"], tuple(rows[at]["rules"])
        at = SCHEMA["fallback"].get(at)
    return DECISIONS[key]["default"], SILENT


def test_the_data_is_complete() -> None:
    assert (len(decisions()), len(constants()), len(rule_texts())) == (251, 146, 669)
    assert set(decisions()) == set(DECISIONS)
    assert set(constants()) == {entry["name"] for entry in SCHEMA["constant"]}
    assert set(rule_texts()) == set(RULES)
    assert set(book_ids()) == set(SCHEMA["books"])


@pytest.mark.parametrize("row", ROWS)
def test_every_decision_resolves_to_the_catalogues_value(row: str) -> None:
    book = resolved(row)
    assert set(book.keys()) == set(DECISIONS)
    for key in DECISIONS:
        value, _ = catalogue_row(key, row)
        kind = decisions()[key].type
        found = book.value(key)
        if kind is Kind.SET:
            assert (key, found) == (key, frozenset(value))  # type: ignore[call-overload]
        elif kind is Kind.ORDER:
            assert (key, found) == (key, tuple(value))  # type: ignore[arg-type]
        elif kind is Kind.TABLE:
            assert (key, {**found}) == (key, {**value})  # type: ignore[dict-item]
        else:
            assert (key, found, type(found) is bool) == (key, value, type(value) is bool)


@pytest.mark.parametrize("row", ROWS)
def test_every_decision_cites_the_catalogues_rules(row: str) -> None:
    book = resolved(row)
    for key in DECISIONS:
        _, rules = catalogue_row(key, row)
        cited = book.cite(key)
        if row == "HG" and not any(rule.startswith("HG-") for rule in rules) and rules != SILENT:
            assert cited[-1] == "HG-X3", key  # the rule by which the book sends the question on
            cited = cited[:-1]
        assert set(cited) <= set(rules), key
        left_out = set(rules) - set(cited)
        assert all(re.match(r"LC-1(2[6-9]|3[0-5])", rule) for rule in left_out), key
        assert row == "LC" or not left_out, key


def test_each_decision_is_described_as_in_the_catalogue() -> None:
    for key, entry in DECISIONS.items():
        decision = decisions()[key]
        assert decision.means == entry["means"]
        assert decision.type == entry["type"]
        assert decision.per == entry["per"]
        assert decision.default == plain(decision, entry["default"])
        notes = {name: field.means for name, field in decision.fields.items()} or decision.values
        assert notes == entry.get("value_notes", {})
        assert list(decision.values) == entry.get("values", [])


def test_alternatives_that_a_book_leaves_to_the_room_are_kept() -> None:
    for key, entry in DECISIONS.items():
        for row, said in entry.get("set", {}).items():
            if "alternatives" in said:
                (kept,) = load_book(row).layers[0].rows[key]
                assert kept.alternatives == {
                    value: tuple(rules) for value, rules in said["alternatives"].items()
                }


def test_constants_name_the_same_rules() -> None:
    for entry in SCHEMA["constant"]:
        constant = constants()[entry["name"]]
        assert (constant.means, constant.rules) == (entry["means"], tuple(entry["rules"]))


def test_every_rule_says_the_same() -> None:
    for rule_id, entry in RULES.items():
        text = rule_texts()[rule_id]
        for name in ("says", "topic", "service", "kind", "applies"):
            assert getattr(text, name) == entry[name], (rule_id, name)
        assert text.related == tuple(entry["related"])


def test_every_rule_behind_a_value_exists() -> None:
    for row in ROWS:
        book = resolved(row)
        for name in (*decisions(), *constants()):
            for rule in book.cite(name):
                assert rule in RULES or (rule,) == SILENT, (name, rule)
