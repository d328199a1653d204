"""Worked cases of game.structure where the dealer calls the game, played at a table."""

from typing import Any

import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known import Form, Structure
from cardroom.tables import commands as c
from cardroom.tables import deal_events as de
from cardroom.tables import hand_commands as do
from cardroom.tables import table_events as tev
from cardroom.tables.hand_events import Phase
from tests.plugins.tables_world import WP_10_20, Felt, game
from tests.plugins.world import ROOM

HOLDEM = game(2, 4, (1, 2))
OMAHA = game(2, 4, (1, 2), form=Form.OMAHA_HIGH_LOW)
PINEAPPLE = game(2, 4, (1, 2), form=Form.PINEAPPLE)
STUD = game(2, 4, form=Form.STUD, ante=1, bring_in=1)
DEARER = game(4, 8, (2, 4))
NO_LIMIT = game(2, 0, (1, 2), structure=Structure.NO_LIMIT, game_id="nl")
HOW = "three hole cards, discard one before the flop"


def home(start: Any = HOLDEM, **more: Any) -> Felt:
    """Return a table of the home game, the button drawn."""
    felt = Felt("HG", start, "1-6", **more)
    for one in (HOLDEM, OMAHA, PINEAPPLE, STUD, DEARER, NO_LIMIT):
        felt.world.offer(one)
    if start.blinds_cents:
        felt.draw(1)
    return felt


def call(felt: Felt, called: Any, *roles: str, **more: Any) -> tev.GameCalled:
    """Call a game as the dealer and return how it stands."""
    felt.run(c.CallGame, *(roles or ("dealer",)), game_id=called.game_id, **more)
    found = felt.table.called
    assert found is not None
    return found


def refused(felt: Felt, called: Any, **more: Any) -> Any:
    return felt.refused(c.CallGame, "dealer", game_id=called.game_id, **more)


@pytest.mark.rule("HG-X1", 1)
def test_a_game_of_the_document_needs_no_statement() -> None:
    felt = home(OMAHA)
    called = call(felt, HOLDEM, name="hold'em")
    assert (called.name, called.statement) == ("hold'em", "")
    assert called.rules[:2] == ("HG-X1", "HG-H0")
    hand = felt.start()
    assert hand.game.form is Form.HOLDEM
    assert felt.last(de.HandOpened).called == "hold'em"


@pytest.mark.rule("HG-X1", 2)
def test_a_variant_of_a_written_game_goes_by_another_name() -> None:
    felt = home()
    refusal = refused(felt, HOLDEM, name="hold'em", statement="everyone gets three hole cards")
    assert {"HG-X1", "HG-H0", "HG-X2"} <= set(refusal.rules)
    assert "two hole cards" in refusal.message
    assert any("another name" in option for option in refusal.options)
    called = call(felt, PINEAPPLE, name="Three-card hold'em", statement="three hole cards")
    assert called.rules == ("HG-X2",)


@pytest.mark.rule("HG-X1", 2)
def test_a_statement_with_a_written_game_is_refused_however_it_comes_to_be_played() -> None:
    felt = home(OMAHA)
    refusal = felt.refused(c.AskGameChange, game_id=HOLDEM.game_id, stated_rules="three hole cards")
    assert (refusal.code, "HG-X1" in refusal.rules) == ("GAME_IS_WRITTEN", True)
    other = {"room": ROOM, "table": "t2", "game_id": HOLDEM.game_id, "stated_rules": "jacks wild"}
    assert opening_refused(felt, other) == "GAME_IS_WRITTEN"


def opening_refused(felt: Felt, fields: dict[str, Any]) -> str:
    with pytest.raises(Refused) as caught:
        felt.world.do(c.OpenTable(**fields))
    return caught.value.code


@pytest.mark.rule("HG-X2", 1)
def test_the_rules_of_any_other_game_are_stated_when_it_is_called() -> None:
    felt = home()
    refusal = refused(felt, PINEAPPLE, name="Pineapple", statement=" ")
    assert (refusal.code, refusal.rules) == ("RULES_NOT_STATED", ("HG-X2",))
    assert felt.refused(c.AskGameChange, game_id=PINEAPPLE.game_id).rules == ("HG-X2",)
    assert (
        opening_refused(felt, {"room": ROOM, "table": "t2", "game_id": STUD.game_id})
        == "RULES_NOT_STATED"
    )


@pytest.mark.rule("HG-X2", 2)
def test_a_stated_game_is_dealt_and_its_rules_are_kept_with_each_hand() -> None:
    felt = home()
    called = call(felt, PINEAPPLE, name="Pineapple", statement=HOW)
    assert (called.statement, called.from_hand) == (HOW, 1)
    for _ in range(2):
        assert felt.start().game.form is Form.PINEAPPLE
        frame = felt.last(de.HandOpened)
        assert (frame.called, frame.stated_rules) == ("Pineapple", HOW)
        while felt.table.hand is not None:
            felt.play(do.Fold, felt.hand.to_act)
    assert felt.hand.phase is Phase.SETTLED
    call(felt, HOLDEM)
    felt.start()
    assert felt.last(de.HandOpened).stated_rules == ""


@pytest.mark.rule("HG-X2", 2)
def test_a_change_that_the_players_asked_for_keeps_its_statement_too() -> None:
    felt = home()
    felt.run(c.AskGameChange, "dealer", game_id=PINEAPPLE.game_id, stated_rules=HOW)
    felt.run(c.ApproveGameChange, game_id=PINEAPPLE.game_id)
    assert felt.start().game.form is Form.PINEAPPLE
    assert felt.last(de.HandOpened).stated_rules == HOW


def test_a_game_that_came_unstated_is_not_dealt_before_it_is_stated() -> None:
    felt = home()
    felt.run(c.NoteGameChange, game_id=PINEAPPLE.game_id)
    refusal = felt.refused(c.StartHand)
    assert (refusal.code, refusal.rules) == ("RULES_NOT_STATED", ("HG-X2",))
    call(felt, PINEAPPLE, statement=HOW)
    assert felt.start().game.form is Form.PINEAPPLE


def test_the_dealer_calls_within_the_limit_and_the_floor_beyond_it() -> None:
    felt = home()
    for dearer in (DEARER, NO_LIMIT):
        refusal = refused(felt, dearer)
        assert (refusal.code, "WP-2P16" in refusal.rules) == ("FLOOR_APPROVAL_REQUIRED", True)
    call(felt, OMAHA)
    call(felt, DEARER, "floor")
    assert felt.table.the_game().small_bet_cents == 400


def test_who_deals_next_calls() -> None:
    felt = home()
    refusal = refused(felt, OMAHA, seat=3)
    assert (refusal.code, "HG-X1" in refusal.rules) == ("NOT_THE_DEALER", True)
    assert call(felt, OMAHA, seat=1).seat == 1
    felt.start()
    assert felt.hand.button_seat == 1
    assert refused(felt, HOLDEM).rules == ("CR-6",)


def test_a_name_and_the_game_named_agree() -> None:
    felt = home()
    assert refused(felt, OMAHA, name="hold'em").code == "CALLED_ANOTHER_GAME"
    assert refused(felt, PINEAPPLE, name="x", statement="x" * 1001).rules == ("CR-4",)
    assert refused(felt, PINEAPPLE, name="x" * 1001, statement="x").field == "name"


def test_where_the_book_has_no_calling_the_players_ask_for_a_change() -> None:
    felt = Felt("WP", WP_10_20, "1-4")
    felt.world.offer(OMAHA)
    refusal = refused(felt, OMAHA)
    assert (refusal.code, refusal.rules) == ("GAMES_NOT_CALLED", ("WP-2P16",))


def test_a_call_stands_into_the_next_gaming_day() -> None:
    felt = home()
    call(felt, PINEAPPLE, statement=HOW)
    felt.run(c.CloseDay, gaming_day="2026-03-07")
    assert felt.table.called is not None
    assert felt.table.called.statement == HOW
