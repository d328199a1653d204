"""The worked cases of draws, short games and changes of limit, played as written on the pure core."""

from typing import Any

import pytest

from cardroom.known import Form
from cardroom.seating import commands as sc
from cardroom.seating import events as se
from tests.plugins.floor_world import FOUR_EIGHT, SIX_TWELVE, TWENTY_FORTY, FloorWorld, found, limit
from tests.plugins.world import ROOM

EIGHT_SIXTEEN = limit(8, 16, (4, 8))
TEN_TWENTY = limit(10, 20, (5, 10))
FIFTEEN_THIRTY = limit(15, 30, (10, 15))


def button(w: FloorWorld, cards: dict[int, str]) -> Any:
    drawn = tuple((str(seat), card) for seat, card in cards.items())
    return w.seat(sc.DrawForButton(room=ROOM, table="t3", cards=drawn))


def new_game(book: str, seats: Any, game: Any = FOUR_EIGHT) -> FloorWorld:
    w = FloorWorld(book, game)
    w.open("t3", players=seats)
    return w


@pytest.mark.rule("RC-T2", 1)
def test_hearts_beat_clubs_for_the_button() -> None:
    w = new_game("RC", (1, 3, 5, 8))
    drawn = found(button(w, {1: "Kc", 3: "Kh", 5: "Qs", 8: "10d"}), se.DrawHeld)
    assert (drawn.winner, "RC-T2" in drawn.rules) == ("3", True)


@pytest.mark.rule("RC-T2", 2)
def test_the_ace_of_spades_is_highest() -> None:
    w = new_game("RC", (1, 3, 5, 8))
    assert found(button(w, {1: "Kc", 3: "Qs", 5: "As", 8: "Ad"}), se.DrawHeld).winner == "5"


@pytest.mark.rule("WP-2S6", 1)
def test_the_highest_card_has_the_button_in_a_high_game() -> None:
    w = new_game("WP", (1, 2, 4, 5, 8))
    drawn = found(button(w, {1: "Kh", 2: "9s", 4: "Ks", 5: "Qd", 8: "Kd"}), se.DrawHeld)
    assert (drawn.winner, "WP-2S6" in drawn.rules) == ("4", True)


@pytest.mark.rule("WP-2S6", 2)
def test_the_lowest_card_has_the_button_in_a_low_game() -> None:
    low = limit(4, 8, (2, 4), "lowball", form=Form.LOWBALL)
    w = new_game("WP", (1, 3, 6, 7), low)
    assert found(button(w, {1: "4d", 3: "4c", 6: "9s", 7: "5c"}), se.DrawHeld).winner == "3"


def test_a_card_drawn_twice_is_refused() -> None:
    w = new_game("RC", (1, 3))
    refusal = w.no(lambda cards: button(w, cards), {1: "Kc", 3: "Kc"})
    assert refusal.rules == ("CR-5",)


@pytest.mark.rule("WP-3T2", 1)
def test_cards_that_settle_a_move_go_clockwise_from_the_dealers_left() -> None:
    w = new_game("WP", (1, 2, 4, 5, 6, 8, 9))
    w.hand("t3", 1, 6, 8, 9)
    cards = ("5c", "Jd", "3h", "Jc", "9s", "2d", "Kh")
    drawn = found(w.seat(sc.DealForMove(room=ROOM, table="t3", cards=cards)), se.DrawHeld)
    assert dict(drawn.cards) == {
        "1": "5c",
        "2": "Jd",
        "4": "3h",
        "5": "Jc",
        "6": "9s",
        "8": "2d",
        "9": "Kh",
    }
    assert "WP-3T2" in drawn.rules


@pytest.mark.rule("LC-GL-short-handed-game", 1)
def test_four_players_are_a_short_game_and_five_are_not() -> None:
    w = FloorWorld("LC", TWENTY_FORTY, TEN_TWENTY)
    w.open("t3", players=range(1, 6))
    w.open("t6", TEN_TWENTY)
    cut = sc.CutForSeat(room=ROOM, table="t3", to_table="t6", to_seat=9, cards=(("p1", "9d"),))
    refusal = w.no(w.seat, cut)
    assert (refusal.code, "LC-GL-short-handed-game" in refusal.rules) == ("NOT_SHORT_HANDED", True)
    w.seat(sc.LeaveSeat(room=ROOM, table="t3", player_id="p5", chips_cents=0))
    assert w.seat(cut)


# --- changes of limit ---


def proposed(book: str, game: Any, new: Any, players: int, *objectors: int) -> FloorWorld:
    w = FloorWorld(book, game, new)
    w.open("t3", game, players=range(1, players + 1))
    w.seat(sc.ProposeLimitChange(room=ROOM, table="t3", game_id=new.game_id))
    for seat in objectors:
        w.seat(sc.ObjectToLimitChange(room=ROOM, table="t3", player_id=f"p{seat}"))
    return w


APPROVE = sc.ApproveLimitChange(room=ROOM, table="t3")
CHANGE = sc.ChangeLimit(room=ROOM, table="t3")


@pytest.mark.rule("RC-G13", 1)
def test_two_objections_stop_a_change_in_a_full_game() -> None:
    w = proposed("RC", FOUR_EIGHT, SIX_TWELVE, 9, 2, 7)
    refusal = w.no(w.seat, APPROVE)
    assert (refusal.code, refusal.rules) == ("LIMIT_CHANGE_BLOCKED", ("RC-G13",))
    assert w.table("t3").game_id == "4-8"


@pytest.mark.rule("RC-G13", 2)
def test_one_objection_does_not() -> None:
    w = proposed("RC", FOUR_EIGHT, SIX_TWELVE, 9, 2)
    changed = found(w.seat(APPROVE), se.GameChanged)
    assert (changed.from_game_id, changed.game_id) == ("4-8", "6-12")
    assert w.table("t3").game_id == "6-12"


@pytest.mark.rule("RC-G13a", 1)
def test_one_objection_stops_it_at_five_players() -> None:
    w = proposed("RC", FOUR_EIGHT, SIX_TWELVE, 5, 3)
    refusal = w.no(w.seat, APPROVE)
    assert (refusal.code, refusal.rules) == ("LIMIT_CHANGE_BLOCKED", ("RC-G13a",))


@pytest.mark.rule("RC-G13b", 1)
def test_every_change_needs_management() -> None:
    w = proposed("RC", FOUR_EIGHT, EIGHT_SIXTEEN, 9)
    refusal = w.no(w.seat, CHANGE, "dealer")
    assert (refusal.code, refusal.rules) == ("APPROVAL_NEEDED", ("RC-G13b",))
    assert w.table("t3").game_id == "4-8"


@pytest.mark.rule("WP-2P16", 1)
def test_a_raise_of_the_limit_needs_approval_and_one_objection_does_not_block_it() -> None:
    w = proposed("WP", TEN_TWENTY, FIFTEEN_THIRTY, 9, 2)
    refusal = w.no(w.seat, CHANGE)
    assert (refusal.code, refusal.rules) == ("APPROVAL_NEEDED", ("WP-2P16",))
    assert found(w.seat(APPROVE), se.GameChanged).game_id == "15-30"


@pytest.mark.rule("WP-2P16", 2)
def test_two_objections_keep_the_limit() -> None:
    w = proposed("WP", TEN_TWENTY, FIFTEEN_THIRTY, 9, 2, 6)
    refusal = w.no(w.seat, APPROVE)
    assert (refusal.code, refusal.rules) == ("LIMIT_CHANGE_BLOCKED", ("WP-2P16",))
    assert w.table("t3").game_id == "10-20"


def test_a_lower_limit_needs_no_approval_where_only_a_raise_does() -> None:
    w = proposed("WP", TEN_TWENTY, FOUR_EIGHT, 9)
    assert found(w.seat(CHANGE, "dealer"), se.GameChanged).game_id == "4-8"
