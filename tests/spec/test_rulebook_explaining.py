"""`cardroom rule` and what stands behind it."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cardroom.cli.main import app
from cardroom.kernel.refusal import INVARIANTS
from cardroom.rulebook.catalogue import constants, decisions, rule_texts
from cardroom.rulebook.explain import RuleUnknown, explain, search
from cardroom.rulebook.loader import read_book

OWN = b"""[book]
id = "OAK"
title = "Oak Room"
based_on = "LC"
[betting]
cap_raises = { value = 4, rules = ["OAK-1"] }
check_raise = false
[[rule]]
id = "OAK-1"
says = "A bet and four raises."
"""


def test_every_id_is_explained() -> None:
    for name in (*rule_texts(), *INVARIANTS, *decisions(), *constants()):
        told = explain(name)
        assert told.text or told.fixes or told.constants, name


def test_a_rule_tells_what_it_fixes_and_what_each_book_does() -> None:
    told = explain("LC-126a")
    assert told.text is not None
    assert told.text.high_limit is True
    by_key = {fixed.decision.key: fixed for fixed in told.fixes}
    values = {v.book: v.value for v in by_key["betting.all_in_full_bet_fraction"].values}
    assert values == {"HG": "1/2", "LC": "1/1", "LC_high": "1/2", "RC": "1/1", "WP": "1/2"}


def test_a_rooms_own_rules_are_explained() -> None:
    own = read_book(OWN, "oak.toml")
    told = explain("OAK-1", own)
    assert told.text is not None
    assert told.text.says == "A bet and four raises."
    assert [fixed.decision.key for fixed in told.fixes] == ["betting.cap_raises"]
    assert told.fixes[0].values[0].book == "OAK"
    assert explain("OAK:betting.check_raise", own).fixes[0].values[0].value is False


@pytest.mark.parametrize(
    ("asked", "close"),
    [("LC-126", "LC-126a"), ("lc126a", "LC-126a"), ("CR-99", "CR-9"), ("betting.cap", "betting.cap_raises")],
)  # fmt: skip
def test_an_unknown_id_names_close_ones(asked: str, close: str) -> None:
    with pytest.raises(RuleUnknown) as caught:
        explain(asked)
    assert close in caught.value.close
    assert close in str(caught.value)


def test_capitals_do_not_matter() -> None:
    assert explain(" lc-126A ").id == "LC-126a"


def test_searching_finds_all_words_in_any_order() -> None:
    found = [text.id for text in search("raise string")]
    assert {"LC-61", "RC-B9", "HG-B11", "WP-3R14"} <= set(found)
    assert search("") == ()
    assert [text.id for text in search("idempotent zebra")] == []


def test_the_command_prints_it() -> None:
    shown = CliRunner().invoke(app, ["rule", "LC-126a"])
    assert shown.exit_code == 0
    words = re.sub(r"\s+", " ", shown.output)
    assert "half a bet or more counts as a bet or raise" in words
    assert "betting.all_in_full_bet_fraction" in words
    assert "LC_high 0.5" in words
    assert "<- this rule" in words


def test_the_command_explains_an_invariant() -> None:
    shown = CliRunner().invoke(app, ["rule", "cr-5"])
    assert "A card may be in one place only" in re.sub(r"\s+", " ", shown.output)


def test_the_command_refuses_what_is_not_there() -> None:
    shown = CliRunner().invoke(app, ["rule", "LC-1266"])
    assert shown.exit_code == 1
    assert "no rule 'LC-1266'; perhaps LC-126" in shown.output
    assert CliRunner().invoke(app, ["rule"]).exit_code == 2
    assert CliRunner().invoke(app, ["rule", "--search", "zebra"]).exit_code == 1


def test_the_command_checks_a_book_file(tmp_path: Path) -> None:
    path = tmp_path / "oak.toml"
    path.write_bytes(OWN)
    good = CliRunner().invoke(app, ["book", "check", str(path)])
    assert good.exit_code == 0
    assert "OAK over LC; 2 values of its own, 1 rules" in good.output
    path.write_bytes(OWN.replace(b"value = 4", b"value = -4"))
    bad = CliRunner().invoke(app, ["book", "check", str(path)])
    assert bad.exit_code == 1
    assert "oak.toml:6: betting.cap_raises = -4: it is below 0" in bad.output
    own = CliRunner().invoke(app, ["rule", "LC-1", "--book", str(path)])
    assert own.exit_code == 1
