"""What is wrong in a record is refused by its place, the rule it breaks and what was expected there."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cardroom.cli.main import app
from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Game, Structure
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.hand_events import Phase
from cardroom.tables.notation import ohh, phh
from cardroom.tables.notation.ohh_export import export_ohh
from cardroom.tables.notation.phh_export import export_phh
from tests.plugins.hand_play import IDS, READER, Play, blinds, game, hc, resolved, stud

FIELDS: dict[str, Any] = {
    "variant": "FT",
    "antes": [0, 0, 0],
    "blinds_or_straddles": [5, 10, 0],
    "small_bet": 10,
    "big_bet": 20,
    "starting_stacks": [300, 300, 300],
}
ACTIONS = [
    "d dh p1 AsKs",
    "d dh p2 2c7d",
    "d dh p3 QhQd",
    "p3 cbr 20",
    "p1 cc",
    "p2 f",
    "d db Ah9c4d",
    "p1 cc",
    "p3 cbr 10",
    "p1 cc",
    "d db 5h",
    "p1 cc",
    "p3 cc",
    "d db 6h",
    "p1 cbr 20",
    "p3 cc",
    "p1 sm AsKs",
    "p3 sm",
]


def under(name: str) -> Any:
    """Return what looks up a book."""

    def book_for(a_game: Game) -> ResolvedBook:
        return resolved(name, a_game)

    return book_for


def played(changes: dict[int, str | None], *more: str) -> Any:
    """Import the hand with actions replaced, by number from 1, or left out."""
    actions = [changes.get(at, action) for at, action in enumerate(ACTIONS, 1)]
    fields = {**FIELDS, "actions": [a for a in actions if a is not None] + list(more)}
    return phh.import_phh(fields, under("WP"), READER)


def test_the_hand_is_legal_as_it_is() -> None:
    assert played({}).hand.phase is Phase.SETTLED


@pytest.mark.parametrize(
    ("changes", "action", "code", "expected"),
    [
        ({4: "p2 cbr 20"}, 4, "OUT_OF_TURN", "raise to $20"),
        ({4: "p3 cbr 15"}, 4, "AMOUNT_NOT_ALLOWED", "raise to $20"),
        ({4: "p3 cbr 400"}, 4, "AMOUNT_NOT_ALLOWED", "raise to $20"),
        ({9: "p3 cbr 30"}, 9, "AMOUNT_NOT_ALLOWED", "bet $10"),
        ({7: "d db AsKd2c"}, 7, "CARD_TWICE", "none that lies elsewhere"),
        ({2: "d dh p2 As7d"}, 2, "CARD_TWICE", "fold"),
        ({7: "d db Ah9c"}, 7, "BOARD_COUNT", "3 board"),
        ({6: None}, 6, "STREET_NOT_DUE", "seat 2 to fold"),
        ({7: None}, 7, "NO_BETTING", "the cards of the flop"),
        ({10: None}, 10, "STREET_NOT_DUE", "seat 1 to call"),
        ({11: "p1 cc"}, 11, "NO_BETTING", "the cards of the turn"),
        ({17: "p1 sm AsKd"}, 17, "CARD_NOT_HELD", "to show their cards or to muck"),
        ({16: "p3 sd QhQd"}, 16, "NO_EXCHANGE", "seat 3 to call"),
        ({16: "p3 pb"}, 16, "CANNOT_BRING_IN", "call $20"),
    ],
)
def test_an_action_that_is_wrong_is_refused_by_number_rule_and_expectation(
    changes: dict[int, str | None], action: int, code: str, expected: str
) -> None:
    with pytest.raises(Refused) as caught:
        played(changes)
    refused = caught.value
    assert refused.code == code
    assert refused.rules
    assert refused.field == f"actions[{action - 1}]"
    assert f"action {action} " in refused.message
    assert expected in "; ".join(refused.options)
    assert expected in refused.message


def test_an_action_after_the_end_is_refused() -> None:
    cut = dict.fromkeys(range(7, 19))
    with pytest.raises(Refused) as caught:
        played({4: "p3 f", 5: "p1 f", 6: None, **cut}, "p2 cc")
    assert (caught.value.code, caught.value.field) == ("HAND_OVER", "actions[5]")
    assert caught.value.options == ("nothing more: the hand is over",)


def test_a_record_that_leaves_off_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        played(dict.fromkeys(range(9, 19)))
    assert (caught.value.code, caught.value.rules) == ("HAND_NOT_FINISHED", ("CR-6",))
    assert "the end, after action 8" in caught.value.message
    assert "seat 3 to bet $10" in caught.value.options


def test_eight_or_better_is_refused_where_the_book_plays_another_low() -> None:
    fields = {**FIELDS, "variant": "FO/8", "actions": ["p3 f", "p1 f"]}
    with pytest.raises(Refused) as caught:
        phh.import_phh(
            fields, lambda a_game: resolved("WP", a_game, highlow__qualifier="none"), READER
        )
    assert (caught.value.code, caught.value.options) == ("VARIANT_DIFFERS", ("_FO/HL",))
    assert caught.value.rules


def stud_hand() -> Play:
    """Return a stud hand brought in and folded to the one who completes."""
    play = stud("WP", game(10, 20, form=Form.STUD, ante=1, bring_in=3), {1: "2c", 3: "Kd"}, 3)
    return play.do("1 bringin, 3 complete 10, 1 fold")


def test_the_bring_in_is_an_extra_blind_and_read_by_either_name() -> None:
    play = stud_hand()
    (fields,) = ohh.hands_of(export_ohh(play.state, play.rules))
    acts = [act for street in fields["rounds"] for act in street["actions"]]
    brought = next(act for act in acts if act["action"] == "Post Extra Blind")
    brought["action"] = "Post Bring In"
    found = ohh.import_ohh(fields, under("WP"), READER)
    assert [one.after_cents for one in found.hand.results] == [
        one.after_cents for one in play.state.results
    ]
    brought["amount"] = Decimal(4)
    with pytest.raises(Refused) as caught:
        ohh.import_ohh(fields, under("WP"), READER)
    assert caught.value.code == "AMOUNT_NOT_ALLOWED"
    assert caught.value.options == ("a bring in of $3",)


def test_a_void_hand_is_a_record_that_leaves_off_with_its_chips_back() -> None:
    play = Play("WP", game(10, 20, blinds=(5, 10)), {1: 100, 2: 100, 3: 100}, button=3,
                posts=blinds((1, 5), (2, 10)))  # fmt: skip
    play.do("3 call")
    play.enter(hc.VoidHand(**IDS, reason="fouled deck", rules=("WP-3M1",)))
    ((_, fields),) = phh.hands_of(export_phh(play.state, play.rules))
    assert fields["finishing_stacks"] == fields["starting_stacks"] == [100, 100, 100]
    assert [one["cents"] for one in fields["_cardroom"]["returned"]] == [500, 1000, 1000]
    assert phh.import_phh(fields, under("WP"), READER).hand.phase is Phase.VOID


def test_games_without_a_standard_name_are_not_taken_for_others() -> None:
    a_game = game(2, form=Form.PINEAPPLE, structure=Structure.NO_LIMIT, blinds=(1, 2))
    play = Play("WP", a_game, {4: 60, 8: 60}, button=8, posts=blinds((8, 1), (4, 2)))
    play.do("8 fold")
    assert phh.hands_of(export_phh(play.state, play.rules))[0][1]["variant"] == "_NP"
    assert ohh.hands_of(export_ohh(play.state, play.rules))[0]["game_type"] == "_Pineapple"


@pytest.mark.parametrize("name", ["phh", "ohh"])
def test_files_are_checked_by_the_command_line(tmp_path: Path, name: str) -> None:
    play = stud_hand()
    text = (export_phh if name == "phh" else export_ohh)(play.state, play.rules)
    good, bad = tmp_path / f"good.{name}", tmp_path / f"bad.{name}"
    good.write_text(text)
    wrong = text.replace("cbr 10", "cbr 11").replace('"amount":10', '"amount":11')
    bad.write_text(wrong)
    assert wrong != text
    runner = CliRunner()
    done = runner.invoke(app, ["hand", "check", str(good)])
    assert done.exit_code == 0, done.output
    assert "limit stud, settled" in done.output
    done = runner.invoke(app, ["hand", "check", str(bad)])
    assert done.exit_code == 1
    assert "Expected: " in done.output
    assert "0 stand by WP, 1 refused" in done.output


def test_the_command_line_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_text(json.dumps({"ohh": {}}))
    runner = CliRunner()
    assert runner.invoke(app, ["hand", "check", str(file)]).exit_code == 1
    file.write_text("{")
    assert runner.invoke(app, ["hand", "check", str(file)]).exit_code == 1
    file.write_bytes(b"\xff\xfe\x00")
    assert runner.invoke(app, ["hand", "check", str(file)]).exit_code == 2
    assert runner.invoke(app, ["hand", "check", str(tmp_path / "none.phh")]).exit_code == 2
    assert runner.invoke(app, ["hand", "check", str(file), "--book", "XX"]).exit_code == 2
