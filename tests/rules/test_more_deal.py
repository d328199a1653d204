"""More examples of errors in the deal and of hands that died or did not, in all four books."""

from typing import Any

import pytest

from cardroom.known import Form, Game
from cardroom.tables import commands as c
from cardroom.tables import hand_commands as do
from cardroom.tables.findings import Finding
from tests.plugins.tables_world import LC_6_12, LC_20_40, WP_4_8, WP_10_20, Felt, dealt, game

RC_4_8 = game(4, 8, (2, 4))
HG_2_4 = game(2, 4, (1, 2))
HOLDEM = {"LC": LC_6_12, "RC": RC_4_8, "HG": HG_2_4, "WP": WP_4_8}
LC_STUD = game(10, 20, form=Form.STUD, ante=2, bring_in=3, seats=8)
STUD = game(10, 20, form=Form.STUD, ante=1, bring_in=3, seats=8)
STUDS = {"LC": LC_STUD, "RC": STUD, "HG": STUD, "WP": STUD}
DRAW = game(10, 20, (5, 10), form=Form.FIVE_CARD_DRAW, seats=6)


def hand(book: str, a_game: Game | None = None) -> Felt:
    a_game = a_game or HOLDEM[book]
    return dealt(book, a_game, "1-8" if a_game.form is Form.STUD else "1-9")


def remedy(found: Finding) -> tuple[str, tuple[str, ...]]:
    return found.remedy, found.rules


def acts(felt: Felt, *seats: int) -> None:
    for seat in seats:
        felt.play(do.Call, seat)


# ----------------------------------------------------------------------------------- exposed cards


@pytest.mark.rule("LC-104f")
@pytest.mark.rule("RC-M1")
@pytest.mark.rule("HG-H1")
@pytest.mark.rule("WP-3M1a")
@pytest.mark.parametrize(
    ("book", "place", "rule"),
    [
        ("LC", 1, "LC-104f"),
        ("LC", 2, "LC-104f"),
        ("LC", 3, ""),
        ("RC", 1, "RC-M1"),
        ("RC", 2, ""),
        ("HG", 1, "HG-H1"),
        ("HG", 2, "HG-H1"),
        ("HG", 3, ""),
        ("WP", 1, "WP-3M1a"),
        ("WP", 2, "WP-3M1a"),
        ("WP", 18, ""),
    ],
)
def test_which_card_off_the_deck_makes_a_misdeal(book: str, place: int, rule: str) -> None:
    found = hand(book).report("exposed_card", place=place)
    assert found.remedy == ("misdeal" if rule else "replace_card")
    assert not rule or rule in found.rules


@pytest.mark.rule("LC-104i")
@pytest.mark.rule("RC-M1")
@pytest.mark.rule("WP-3M1a")
@pytest.mark.parametrize(
    ("book", "place", "rule"),
    [
        ("LC", 1, "LC-104i"),
        ("LC", 2, ""),
        ("RC", 1, "RC-M1"),
        ("RC", 2, ""),
        ("WP", 1, "WP-3M1a"),
        ("WP", 2, "WP-3M1a"),
        ("WP", 3, ""),
    ],
)
def test_which_card_off_the_deck_makes_a_misdeal_at_stud(book: str, place: int, rule: str) -> None:
    found = hand(book, STUDS[book]).report("exposed_card", seat=place, nth=1, place=place)
    assert found.remedy == ("misdeal" if rule else "card_stays_up")
    assert not rule or rule in found.rules


@pytest.mark.rule("LC-104g")
@pytest.mark.rule("RC-M2")
@pytest.mark.rule("WP-3M1b")
@pytest.mark.parametrize(("book", "rule"), [("LC", ""), ("RC", "RC-M2"), ("WP", "WP-3M1b")])
def test_two_exposed_hole_cards_at_stud(book: str, rule: str) -> None:
    found = hand(book, STUDS[book]).report("exposed_card", seat=6, place=6, exposed=2)
    assert found.remedy == ("misdeal" if rule else "card_stays_up")
    assert not rule or rule in found.rules


@pytest.mark.rule("LC-104g")
@pytest.mark.rule("RC-M2")
@pytest.mark.rule("HG-H1b")
@pytest.mark.rule("WP-3M1b")
@pytest.mark.parametrize("book", ["LC", "RC", "HG", "WP"])
@pytest.mark.parametrize(("acted", "what"), [(0, "misdeal"), (1, "misdeal"), (2, "play_out")])
def test_two_exposed_cards_until_two_have_acted(book: str, acted: int, what: str) -> None:
    felt = hand(book)
    acts(felt, *(4, 5)[:acted])
    assert felt.report("exposed_card", place=9, exposed=2).remedy == what


# ----------------------------------------------------------------------------------- counts


@pytest.mark.rule("RC-M3")
@pytest.mark.rule("HG-H2a")
@pytest.mark.rule("WP-3M1d")
@pytest.mark.parametrize(("book", "rule"), [("RC", "RC-M3"), ("HG", "HG-H2a"), ("WP", "WP-3M1d")])
@pytest.mark.parametrize("told", [{"cards": 4}, {"cards": 3, "players": 2}])
def test_two_extra_cards_wherever_they_lie(book: str, rule: str, told: dict[str, int]) -> None:
    found = hand(book).report("wrong_card_count", seat=2, **told)
    assert found.remedy == "misdeal"
    assert set(found.rules) & {rule, "WP-3M1e"}


@pytest.mark.rule("LC-104d")
@pytest.mark.parametrize(("correctable", "what"), [(True, "put_back"), (False, "misdeal")])
def test_two_extra_cards_with_one_player(correctable: bool, what: str) -> None:
    felt = hand("LC")
    assert felt.report("wrong_card_count", seat=2, cards=4).missing == ("correctable",)
    found = felt.report("wrong_card_count", seat=2, cards=4, correctable=correctable)
    assert found.remedy == what
    assert "LC-104d" in found.rules


@pytest.mark.rule("RC-M3")
def test_two_extra_cards_at_stud_are_no_misdeal_where_the_rule_names_flop_games() -> None:
    assert hand("RC", STUD).report("extra_cards", count=2).remedy == "stands"


@pytest.mark.rule("LC-107a")
@pytest.mark.rule("LC-107b")
@pytest.mark.parametrize("acted", [False, True])
def test_one_card_too_many_before_and_after_its_player_acted(acted: bool) -> None:
    felt = hand("LC", LC_20_40)
    acts(felt, 4, *((5,) if acted else ()))
    found = felt.report("wrong_card_count", seat=5, cards=3)
    assert found.remedy == ("hand_dead" if acted else "random_card_becomes_burn")


@pytest.mark.rule("LC-108a")
@pytest.mark.rule("LC-108b")
@pytest.mark.parametrize(("seat", "what"), [(4, "hand_dead"), (9, "deal_top_card")])
def test_one_card_too_few_before_and_after_its_player_acted(seat: int, what: str) -> None:
    felt = hand("LC")
    acts(felt, 4, 5, 6)
    assert felt.report("wrong_card_count", seat=seat, cards=1).remedy == what


@pytest.mark.rule("RC-I8")
@pytest.mark.rule("WP-3I11")
@pytest.mark.rule("HG-H2")
@pytest.mark.parametrize(
    ("book", "acted", "what"),
    [
        ("RC", 0, "extra_card_becomes_burn"),
        ("RC", 1, "hand_dead"),
        ("HG", 0, "extra_card_becomes_burn"),
        ("HG", 1, "misdeal"),
        ("WP", 0, "extra_card_becomes_burn"),
        ("WP", 1, "misdeal"),
        ("WP", 2, "hand_dead"),
    ],
)
def test_one_extra_card_before_the_first_round_and_after(book: str, acted: int, what: str) -> None:
    felt = hand(book)
    acts(felt, *(4, 5)[:acted])
    assert felt.report("wrong_card_count", seat=2, cards=3).remedy == what


# ----------------------------------------------------------------------------------- the button, boxed cards


@pytest.mark.rule("LC-104e")
@pytest.mark.rule("RC-M4")
@pytest.mark.rule("WP-3M1g")
@pytest.mark.parametrize(
    ("book", "acted", "what"),
    [
        ("LC", 0, "misdeal"),
        ("LC", 1, "play_out"),
        ("RC", 1, "misdeal"),
        ("RC", 2, "play_out"),
        ("HG", 1, "misdeal"),
        ("WP", 1, "misdeal"),
        ("WP", 2, "play_out"),
    ],
)
def test_until_when_a_misplaced_button_is_a_misdeal(book: str, acted: int, what: str) -> None:
    felt = hand(book)
    acts(felt, *(4, 5)[:acted])
    assert felt.report("button_out_of_position", right_button=9).remedy == what


@pytest.mark.rule("LC-106")
@pytest.mark.rule("RC-M8")
@pytest.mark.rule("WP-3M1c")
@pytest.mark.parametrize(
    ("book", "count", "acted", "what"),
    [
        ("LC", 4, 3, "scrap"),
        ("LC", 5, 3, "void_hand"),
        ("LC", 6, 0, "void_hand"),
        ("RC", 1, 0, "scrap"),
        ("RC", 2, 1, "misdeal"),
        ("RC", 2, 2, "play_out"),
        ("HG", 2, 0, "misdeal"),
        ("WP", 3, 1, "misdeal"),
    ],
)
def test_how_many_boxed_cards(book: str, count: int, acted: int, what: str) -> None:
    felt = hand(book)
    acts(felt, *(4, 5, 6)[:acted])
    assert felt.report("boxed_card", count=count).remedy == what


# ----------------------------------------------------------------------------------- hands nobody was due


@pytest.mark.rule("LC-113")
@pytest.mark.parametrize("why", ["owes_blinds", "seat_change"])
def test_one_card_out_that_cannot_be_undone_is_followed_by_the_second(why: str) -> None:
    felt = hand("LC")
    found = felt.report(
        "unentitled_hand", seat=6, why=why, cards_out=1, correctable=False, player_acted=False
    )
    assert found.remedy == "hand_dead"
    assert "LC-113" in found.rules
    assert any("second card in rotation" in step for step in found.steps)
    undone = felt.report(
        "unentitled_hand", seat=6, why=why, cards_out=1, correctable=True, player_acted=False
    )
    assert undone.remedy == "put_back"


@pytest.mark.rule("LC-132a")
@pytest.mark.rule("LC-113")
@pytest.mark.parametrize(
    ("a_game", "looked", "what"),
    [(LC_20_40, True, "hand_live"), (LC_20_40, False, "hand_dead")],
)
def test_a_newcomer_who_did_not_post_at_high_limit(a_game: Any, looked: bool, what: str) -> None:
    felt = hand("LC", a_game)
    assert felt.report("unentitled_hand", seat=6, why="new_unposted", looked=looked).remedy == what


# ----------------------------------------------------------------------------------- dead hands


@pytest.mark.rule("LC-85a")
@pytest.mark.rule("RC-D4b")
@pytest.mark.rule("HG-D1")
@pytest.mark.rule("WP-3D1a")
@pytest.mark.parametrize("book", ["LC", "RC", "HG", "WP"])
def test_the_big_blind_with_its_option_faces_no_wager(book: str) -> None:
    felt = hand(book)
    acts(felt, 4)
    for seat in (5, 6, 7, 8, 9, 1, 2):
        felt.play(do.Fold, seat)
    assert felt.hand.to_act == 3
    assert felt.report("announced_fold", seat=3).remedy == "hand_live"


@pytest.mark.rule("LC-81")
@pytest.mark.rule("RC-D4d")
@pytest.mark.rule("HG-D7")
@pytest.mark.rule("WP-3D2")
@pytest.mark.parametrize(
    ("book", "told", "what"),
    [
        ("LC", {"identifiable": True}, "hand_dead"),
        ("LC", {"identifiable": True, "protected": True}, "hand_retrieved"),
        ("LC", {"identifiable": False, "protected": True}, "hand_dead"),
        ("LC", {"identifiable": True, "tabled": True}, "hand_retrieved"),
        ("LC", {"touched": "burns"}, "hand_live"),
        ("RC", {"identifiable": True, "protected": True}, "hand_dead"),
        ("HG", {"identifiable": True, "tabled": True}, "hand_dead"),
        ("WP", {"identifiable": True}, "hand_retrieved"),
        ("WP", {"identifiable": False, "false_information": True}, "hand_dead"),
    ],
)
def test_what_touched_the_muck(book: str, told: dict[str, Any], what: str) -> None:
    assert hand(book).report("touched_muck", seat=5, **told).remedy == what


@pytest.mark.rule("LC-9")
@pytest.mark.rule("RC-I2")
@pytest.mark.rule("WP-3I2")
@pytest.mark.parametrize(
    ("book", "doubt", "what"),
    [
        ("LC", True, "hand_dead"),
        ("LC", False, "hand_live"),
        ("RC", False, "hand_dead"),
        ("WP", True, "hand_dead"),
        ("WP", False, "hand_live"),
    ],
)
def test_an_unprotected_hand_touched_by_a_discard(book: str, doubt: bool, what: str) -> None:
    found = hand(book).report("fouled_by_discard", seat=5, protected=False, in_doubt=doubt)
    assert found.remedy == what


# ----------------------------------------------------------------------------------- decks


@pytest.mark.rule("LC-21")
@pytest.mark.rule("RC-G10")
@pytest.mark.parametrize("book", ["LC", "RC", "HG", "WP"])
@pytest.mark.parametrize("players", [3, 6])
def test_a_deck_is_changed_on_request_after_its_round(book: str, players: int) -> None:
    felt = Felt(book, WP_10_20, f"1-{players}")
    felt.draw(1)
    for _ in range(players):
        felt.refused(c.ChangeDeck, reason="requested", seat=1)
        felt.count()
    felt.run(c.ChangeDeck, reason="requested", seat=1)
    assert felt.refused(c.ChangeDeck, reason="requested", seat=1).code == "DECK_TOO_NEW"


@pytest.mark.rule("LC-21")
@pytest.mark.rule("RC-G10a")
@pytest.mark.parametrize("book", ["LC", "RC"])
def test_a_setup_may_come_every_half_hour_to_the_minute(book: str) -> None:
    felt = Felt(book, WP_10_20)
    felt.run(c.ChangeDeck, reason="setup", back_colors=("red", "blue"))
    felt.world.wait(29)
    assert felt.refused(c.ChangeDeck, reason="setup").code == "SETUP_TOO_SOON"
    felt.world.wait(1)
    felt.run(c.ChangeDeck, reason="setup", back_colors=("red", "blue"))


@pytest.mark.rule("LC-21")
@pytest.mark.rule("WP-2P21")
@pytest.mark.parametrize(("book", "hands"), [("LC", 5), ("WP", 6)])
def test_a_round_is_over_when_the_button_is_back_whoever_left(book: str, hands: int) -> None:
    """Of six players one leaves: the forward-moving button comes back sooner, the dead one stands at the empty seat."""
    felt = Felt(book, LC_6_12 if book == "LC" else WP_10_20, "1-6")
    felt.draw(1)
    for number in range(hands):
        felt.count()
        if number == 0:
            felt.leave(3)
        if number < hands - 1:
            assert felt.refused(c.ChangeDeck, reason="requested").code == "DECK_TOO_NEW"
    felt.run(c.ChangeDeck, reason="requested")


@pytest.mark.rule("LC-21")
@pytest.mark.rule("WP-2P21")
def test_a_round_without_a_button_is_as_many_hands_as_players_were_dealt_in() -> None:
    felt = Felt("WP", STUD, "1-6")
    felt.count()
    felt.leave(5, 6)
    for _ in range(5):
        assert felt.refused(c.ChangeDeck, reason="requested").code == "DECK_TOO_NEW"
        felt.count()
    felt.run(c.ChangeDeck, reason="requested")


@pytest.mark.rule("LC-21")
def test_a_setup_too_waits_for_the_deck_in_use_to_go_round() -> None:
    felt = Felt("LC", LC_6_12, "1-4")
    felt.draw(1)
    felt.count()
    assert felt.refused(c.ChangeDeck, reason="setup").code == "DECK_TOO_NEW"
    felt.run(c.ChangeDeck, reason="defective")
    for _ in range(4):
        felt.count()
    felt.run(c.ChangeDeck, reason="setup")
