"""Worked cases of hand.dead, hand.protect and hand.retrieve, played as written."""

from typing import Any

import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known import Form
from cardroom.poker.chairs import chair_at
from cardroom.tables import deal_events as de
from cardroom.tables import hand_commands as do
from cardroom.tables.findings import Finding
from cardroom.tables.hand_events import Phase
from tests.plugins.played_pots import (
    acts,
    awarded,
    breaches,
    call_down,
    pot_of,
    shown,
    won,
)
from tests.plugins.tables_world import LC_6_12, LC_20_40, WP_4_8, WP_10_20, Felt, dealt, game
from tests.rules.test_tables_blinds_cases import options
from tests.rules.test_tables_misdeal_cases import HG_2_4, LC_STUD, RC_4_8, WP_STUD

RC_6_12 = game(6, 12, (3, 6))
LC_4_8 = game(4, 8, (2, 4))
LC_10_20 = game(10, 20, (5, 10), chip=5)
BOARD = ("2c", "7d", "Jh")


def at_street(felt: Felt, seats: tuple[int, ...], streets: int, *boards: tuple[str, ...]) -> Felt:
    """Bring some seats to a street with checks and calls, the others folding."""
    cards = (*boards, BOARD, ("4s",), ("9c",))
    for at in range(streets + 1):
        if at:
            felt.play(do.DealStreet, board=cards[at - 1])
        if at == streets:
            break
        while felt.hand.phase is Phase.BETTING:
            passive(felt, seats)
    return felt


def passive(felt: Felt, seats: tuple[int, ...]) -> None:
    seat = felt.hand.to_act
    if seat not in seats:
        felt.play(do.Fold, seat)
        return
    try:
        felt.play(do.Check, seat)
    except Refused:
        felt.play(do.Call, seat)


def is_dead(found: Finding, seat: int, *rules: str) -> None:
    assert (found.remedy, found.seats) == ("hand_dead", (seat,))
    assert set(rules) <= set(found.rules)


def is_live(found: Finding, seat: int, *rules: str) -> None:
    assert found.remedy in ("hand_live", "hand_retrieved")
    assert found.seats == (seat,)
    assert set(rules) <= set(found.rules)


def lives(felt: Felt, seat: int) -> bool:
    chair = chair_at(felt.hand.chairs, seat)
    assert chair is not None
    return chair.live


def flop(book: str, a_game: Any, *seats: int, button: int = 9) -> Felt:
    return at_street(dealt(book, a_game, button=button), seats, 1)


def turn(book: str, a_game: Any, *seats: int, button: int = 9, **more: Any) -> Felt:
    return at_street(dealt(book, a_game, button=button, **more), seats, 2)


def river(book: str, a_game: Any, *seats: int, button: int = 9) -> Felt:
    return at_street(dealt(book, a_game, button=button), seats, 3)


# -------------------------------------------------------------------------------------- hand.dead


@pytest.mark.rule("LC-81", 1)
def test_cards_in_the_muck_are_dead_though_named() -> None:
    felt = call_down(turn("LC", LC_20_40, 2, 6), "9c")
    found = felt.report("touched_muck", seat=6, identifiable=True, protected=False)
    is_dead(found, 6, "LC-81")
    assert "neither tabled nor protected" in found.says
    assert "naming the cards is no exception" in found.says
    felt.ruled()
    assert not lives(felt, 6)
    assert set(won(felt)) == {2}


@pytest.mark.rule("LC-81", 2)
@pytest.mark.rule("LC-GL-muck", 1)
def test_burn_cards_are_no_part_of_the_muck() -> None:
    felt = turn("LC", LC_20_40, 2, 6)
    found = felt.report("touched_muck", seat=6, touched="burns")
    is_live(found, 6, "LC-81", "LC-GL-muck", "LC-80")
    before = felt.hand.to_act
    felt.ruled()
    assert felt.hand.to_act == before


@pytest.mark.rule("LC-82", 1)
def test_who_slams_his_cards_bears_what_follows() -> None:
    felt = pot_of("LC", LC_6_12, (2, 7), 96)
    felt.play(do.ShowHand, 2, cards=("Ts", "Td"))
    found = felt.report("touched_muck", seat=7, thrown=True, identifiable=True)
    is_dead(found, 7, "LC-82")
    assert "note the conduct of its player" in found.steps
    felt.ruled()
    assert won(felt) == {2: 96}
    assert breaches(felt) == [("p7", "throwing_cards")]
    assert "LC-82" in felt.notes.breaches[-1].rules


@pytest.mark.rule("LC-84", 1)
def test_a_hand_turned_up_by_another_is_dead() -> None:
    felt = pot_of("LC", LC_4_8, (1, 4), 60)
    felt.play(do.ShowHand, 1, cards=("9s", "7s"))
    found = felt.report("turned_up_by_other", seat=4, by="player", by_seat=5, thrown_away=True)
    is_dead(found, 4, "LC-84")
    felt.ruled()
    assert won(felt) == {1: 60}
    assert breaches(felt) == [("p5", "turned_up_anothers_hand")]


@pytest.mark.rule("LC-84", 2)
def test_a_dealer_turns_a_hand_only_when_asked() -> None:
    felt = call_down(turn("LC", LC_4_8, 1, 4), "9c")
    found = felt.report("turned_up_by_other", seat=4, by="dealer", asked=False)
    is_live(found, 4, "LC-84")
    assert "note the error" in found.steps
    felt.ruled()
    assert lives(felt, 4)
    is_live(felt.report("turned_up_by_other", seat=4, by="dealer", asked=True), 4)
    felt.ruled()
    felt.play(do.ShowHand, felt.hand.order[0], cards=("As", "Ad"))
    assert breaches(felt) == []


def folds_then_calls(book: str, a_game: Any, seats: tuple[int, ...], to: int) -> Felt:
    """A bet, an announced fold facing it, and a call that comes too late."""
    felt = at_street(dealt(book, a_game, button=9), seats, 2)
    felt.play(do.Bet, seats[0], to_cents=to)
    felt.play(do.Fold, seats[1])
    with pytest.raises(Refused):
        felt.play(do.Call, seats[1])
    assert not lives(felt, seats[1])
    return felt


@pytest.mark.rule("LC-85a", 1)
@pytest.mark.rule("RC-D4b", 1)
@pytest.mark.rule("HG-D1", 1)
@pytest.mark.rule("WP-3D1a", 1)
@pytest.mark.parametrize(
    ("book", "a_game", "to"),
    [
        ("LC", LC_6_12, 1200),
        ("RC", RC_4_8, 800),
        ("HG", HG_2_4, 400),
        ("WP", WP_4_8, 800),
    ],
)
def test_an_announced_fold_facing_a_bet_is_final(book: str, a_game: Any, to: int) -> None:
    felt = folds_then_calls(book, a_game, (2, 3, 4), to)
    assert felt.hand.to_act == 4


@pytest.mark.rule("LC-85a", 2)
def test_a_fold_announced_with_no_bet_kills_nothing() -> None:
    felt = flop("LC", LC_6_12, 3, 5)
    assert felt.hand.to_act == 3
    found = felt.report("announced_fold", seat=3)
    is_live(found, 3, "LC-85a")
    assert any("keep the cards" in step for step in found.steps)
    felt.ruled()
    assert lives(felt, 3)
    assert felt.hand.to_act == 3
    felt.play(do.Check, 3)


@pytest.mark.rule("LC-85b", 1)
def test_a_forward_throw_that_made_another_act_is_dead() -> None:
    felt = turn("LC", LC_20_40, 2, 5, 8)
    felt.play(do.Bet, 2, to_cents=4000)
    found = felt.report("thrown_forward", seat=5, facing_wager=False, acted_after=True)
    is_dead(found, 5, "LC-85b")
    told = {fact.name: fact.value for fact in found.facts}
    assert (told["facing_wager"], told["facing_wager_recorded"]) == ("no", "yes")
    felt.ruled()
    assert felt.hand.to_act == 8
    assert options(felt)["call"] == 40


@pytest.mark.rule("LC-85c", 1)
def test_a_wrong_count_after_acting_is_dead() -> None:
    omaha = game(6, 12, (2, 6), form=Form.OMAHA, chip=2)
    felt = pot_of("LC", omaha, (2, 5, 7), 48, street=2, closed=False)
    felt.play(do.Bet, 2, to_cents=1200)
    assert felt.hand.pot_cents == 6000
    found = felt.report("wrong_card_count", seat=7, cards=3)
    is_dead(found, 7, "LC-85c")
    felt.ruled()
    assert felt.hand.pot_cents == 6000
    assert felt.hand.to_act == 5


@pytest.mark.rule("LC-85c", 2)
def test_a_short_hand_that_did_not_act_gets_a_card() -> None:
    felt = dealt("LC", LC_6_12)
    found = felt.report("wrong_card_count", seat=7, cards=1)
    assert found.remedy == "deal_top_card"
    assert "LC-108a" in found.rules
    assert "LC-85c" not in found.rules
    felt.ruled()
    assert lives(felt, 7)


def absent_big_blind() -> Felt:
    felt = dealt("LC", LC_6_12, button=6)
    for seat in (9, 1, 2, 3, 4):
        felt.play(do.Fold, seat)
    felt.play(do.RaiseTo, 5, to_cents=1200)
    felt.play(do.Fold, 6)
    felt.play(do.Fold, 7)
    assert felt.hand.to_act == 8
    return felt


@pytest.mark.rule("LC-85d", 1)
def test_who_is_not_back_when_the_action_arrives_is_dead() -> None:
    felt = absent_big_blind()
    felt.away(8)
    found = felt.report("not_seated", seat=8)
    is_dead(found, 8, "LC-85d")
    assert "$6 stays" in found.says
    felt.ruled()
    assert felt.hand.over
    assert felt.seat(8).stack_cents == 30000 - 600
    assert set(won(felt)) == {5}


@pytest.mark.rule("LC-85d", 2)
def test_who_is_back_in_time_is_live() -> None:
    felt = absent_big_blind()
    felt.away(8)
    felt.back(8)
    is_live(felt.report("not_seated", seat=8), 8, "LC-85d")
    felt.ruled()
    assert options(felt) == {"fold": 6, "call": 12, "raise": 18}
    felt.play(do.RaiseTo, 8, to_cents=1800)


@pytest.mark.rule("LC-GL-active-player", 1)
def test_an_all_in_player_is_active() -> None:
    felt = Felt("LC", LC_6_12, "1,3-9")
    felt.sit(2, 12)
    felt.draw(9)
    felt.start()
    at_street(felt, (2, 5, 8), 1)
    felt.play(do.Bet, 2, to_cents=600)
    felt.play(do.Call, 5)
    felt.play(do.Call, 8)
    assert [chair.seat for chair in felt.hand.chairs if chair.live] == [2, 5, 8]
    chair = chair_at(felt.hand.chairs, 2)
    assert chair is not None
    assert chair.all_in


@pytest.mark.rule("LC-GL-live-hand", 1)
@pytest.mark.rule("WP-3D1", 1)
@pytest.mark.parametrize(
    ("book", "a_game", "seats"), [("LC", LC_6_12, (2, 5)), ("WP", WP_4_8, (7, 3))]
)
def test_a_dead_hand_wins_nothing(book: str, a_game: Any, seats: tuple[int, int]) -> None:
    other, loser = seats
    felt = turn(book, a_game, *sorted(seats), 9)
    felt.play(do.RuleHandDead, loser, "floor", rules=("X-1",))
    while not felt.hand.over:
        hand = felt.hand
        if hand.phase is Phase.BETTING:
            passive(felt, (other,))
        else:
            felt.play(do.DealStreet, board=("9c",))
    assert {won.seat for won in felt.last(de.HandClosed).won} == {other}


@pytest.mark.rule("RC-D4", 1)
def test_rc_a_dead_hand_leaves_its_chips() -> None:
    felt = pot_of("RC", RC_6_12, (2, 4, 7), 54, street=2, closed=False)
    found = felt.report("wrong_card_count", seat=4, cards=1)
    is_dead(found, 4, "RC-D4a", "RC-D4")
    felt.ruled()
    assert felt.hand.pot_cents == 5400
    assert [chair.seat for chair in felt.hand.chairs if chair.live] == [2, 7]
    acts(felt, "2 bet 12, 7 call")


@pytest.mark.rule("RC-D4a", 1)
@pytest.mark.rule("HG-D4", 1)
@pytest.mark.rule("WP-3D1d", 1)
@pytest.mark.parametrize(
    ("book", "a_game", "rule"),
    [("RC", RC_6_12, "RC-D4a"), ("HG", HG_2_4, "HG-D4"), ("WP", WP_10_20, "WP-3D1d")],
)
def test_three_cards_found_on_the_turn(book: str, a_game: Any, rule: str) -> None:
    pots = {"RC": 66, "HG": 14, "WP": 90}
    felt = pot_of(book, a_game, (2, 5, 7), pots[book], street=2, closed=False)
    chair = chair_at(felt.hand.chairs, 5)
    assert chair is not None
    found = felt.report("wrong_card_count", seat=5, cards=3)
    is_dead(found, 5, rule)
    assert f"its ${chair.put_in_cents // 100} stays in the pot" in found.says
    felt.ruled()
    assert felt.hand.pot_cents == pots[book] * 100
    assert [one.seat for one in felt.hand.chairs if one.live] == [2, 7]


@pytest.mark.rule("RC-D4c", 1)
@pytest.mark.rule("HG-D2", 1)
@pytest.mark.rule("WP-3D1b", 1)
@pytest.mark.parametrize(
    ("book", "a_game", "rule"),
    [("RC", RC_6_12, "RC-D4c"), ("HG", HG_2_4, "HG-D2"), ("WP", WP_4_8, "WP-3D1b")],
)
def test_a_forward_throw_that_led_another_to_bet(book: str, a_game: Any, rule: str) -> None:
    felt = flop(book, a_game, 3, 4, 6)
    assert felt.hand.to_act == 3
    found = felt.report("thrown_forward", seat=3, acted_after=True)
    is_dead(found, 3, rule)
    assert {"acted_after", "acted_after_recorded"} <= {fact.name for fact in found.facts}
    felt.ruled()
    acts(felt, f"4 bet {a_game.small_bet_cents // 100}")
    assert felt.hand.to_act == 6


@pytest.mark.rule("WP-3D1b", 2)
def test_cards_pulled_back_before_anybody_acted_are_live() -> None:
    felt = turn("WP", WP_4_8, 4, 6)
    assert felt.hand.to_act == 4
    found = felt.report("thrown_forward", seat=4, pulled_back=True)
    is_live(found, 4)
    felt.ruled()
    assert felt.hand.to_act == 4
    felt.play(do.Bet, 4, to_cents=800)


@pytest.mark.rule("RC-D4d", 1)
def test_rc_cards_that_touch_the_muck_are_dead() -> None:
    felt = pot_of("RC", RC_6_12, (2, 6), 60)
    is_dead(felt.report("touched_muck", seat=6, identifiable=True), 6, "RC-D4d")
    felt.ruled()
    assert won(felt) == {2: 60}


@pytest.mark.rule("RC-D4e", 1)
def test_rc_a_card_off_the_table_kills_the_hand() -> None:
    felt = pot_of("RC", RC_6_12, (3, 8), 84, board="Ks Kd 7h 4c 2s")
    felt.play(do.NoteHoleCards, hands=((3, ("Kh", "9d")), (8, ("7s", "6d"))))
    found = felt.report("dropped_card", seat=3, card="9d")
    is_dead(found, 3, "RC-D4e")
    felt.ruled()
    assert won(felt) == {8: 84}


@pytest.mark.rule("RC-S3", 1)
def test_rc_a_forward_throw_into_the_muck_is_dead() -> None:
    felt = pot_of("RC", RC_6_12, (2, 6), 60)
    is_dead(felt.report("thrown_forward", seat=6, touched_muck=True), 6, "RC-D4d")
    felt.ruled()
    assert won(felt) == {2: 60}


@pytest.mark.rule("HG-D3", 1)
def test_hg_showing_a_card_to_one_of_several_kills_the_hand() -> None:
    felt = acts(turn("HG", HG_2_4, 2, 5, 6), "2 bet 4, 5 call")
    acts(felt, "6 raise 8")
    acts(felt, "2 call")
    assert felt.hand.to_act == 5
    found = felt.report("exposed_hand", seat=5)
    is_dead(found, 5, "HG-D3")
    assert "its $6 stays in the pot" in found.says
    felt.ruled()
    assert not lives(felt, 5)


@pytest.mark.rule("HG-D3", 2)
def test_hg_the_exception_is_for_ring_games_only() -> None:
    felt = turn("HG", HG_2_4, 2, 5, tournament="friday")
    is_dead(felt.report("exposed_hand", seat=5), 5, "HG-D3")
    felt.ruled()
    assert set(won(felt)) == {2}
    ring = turn("HG", HG_2_4, 2, 5)
    is_live(ring.report("exposed_hand", seat=5), 5)


@pytest.mark.rule("HG-D4a", 1)
def test_hg_stud_short_of_its_last_card() -> None:
    felt = dealt("HG", game(10, 20, form=Form.STUD, ante=2, bring_in=3, seats=8), "1-8")
    stud = stud_river(felt)
    found = stud.report("wrong_card_count", seat=6, cards=6)
    assert "HG-D4a" in found.rules
    assert {found.remedy, *(choice.remedy for choice in found.choices)} == {
        "hand_live",
        "hand_dead",
    }
    stud.ruled("hand_dead", "the host saw that it never asked for it")
    assert not lives(stud, 6)
    ruling = stud.notes.irregularities[-1].rulings[-1]
    assert ruling.reason == "the host saw that it never asked for it"
    assert "HG-D4a" in ruling.rules


def stud_river(felt: Felt) -> Felt:
    """Deal stud to seventh street with checks, seats 3 and 6 in."""
    ups = ("8c", "9c", "Tc", "2c", "Jc", "Qc", "Kc", "Ac")
    felt.play(do.DealStreet, up=tuple(enumerate(ups, 1)))
    felt.play(do.BringIn, 4)
    while felt.hand.phase is Phase.BETTING:
        passive(felt, (3, 6))
    more = iter(("8d", "9d", "Td", "Jd", "Qd", "Kd", "8h", "9h", "Th", "Jh", "Qh", "Kh"))
    for _ in range(3):
        live = [chair.seat for chair in felt.hand.chairs if chair.live]
        felt.play(do.DealStreet, up=tuple((seat, next(more)) for seat in live))
        while felt.hand.phase is Phase.BETTING:
            passive(felt, (3, 6))
    felt.play(do.DealStreet)
    return felt


@pytest.mark.rule("HG-D4b", 1)
def test_hg_a_draw_hand_short_before_the_draw_is_live() -> None:
    is_live(draw("HG", 3, 4), 3, "HG-D4b")


@pytest.mark.rule("HG-D4b", 2)
def test_hg_a_draw_hand_too_long_is_dead() -> None:
    is_dead(draw("HG", 3, 6), 3, "HG-D4")


def draw(book: str, seat: int, cards: int, form: Form = Form.FIVE_CARD_DRAW) -> Finding:
    felt = dealt(book, game(2, 4, (1, 2), form=form, seats=8), "1-6", button=6)
    felt.play(do.Call, 3)
    felt.play(do.Call, 4)
    return felt.report("wrong_card_count", seat=seat, cards=cards)


@pytest.mark.rule("WP-3D1d", 2)
def test_wp_exceptions_for_stud_and_lowball() -> None:
    stud = stud_river(dealt("WP", WP_STUD, "1-8"))
    found = stud.report("wrong_card_count", seat=3, cards=6)
    is_live(found, 3, "WP-3D1d")
    assert [choice.remedy for choice in found.choices] == ["hand_dead"]
    is_live(draw("WP", 5, 4, Form.LOWBALL), 5, "WP-3D1d")
    is_dead(draw("WP", 4, 6, Form.LOWBALL), 4, "WP-3D1d")


@pytest.mark.rule("HG-D7", 1)
def test_hg_the_muck_is_final_and_the_host_may_override() -> None:
    felt = pot_of("HG", HG_2_4, (2, 6), 30, jackpot__offered=False)
    is_dead(felt.report("touched_muck", seat=6, identifiable=True), 6, "HG-D7")
    with pytest.raises(Refused) as caught:
        felt.ruled("hand_live")
    assert caught.value.code == "OVERRIDE_REASON"
    felt.ruled("hand_live", "pushed in by an opponent")
    assert lives(felt, 6)
    assert "HG-G0" in felt.notes.irregularities[-1].rulings[-1].rules
    plain = pot_of("HG", HG_2_4, (2, 6), 30, jackpot__offered=False)
    plain.report("touched_muck", seat=6, identifiable=True)
    plain.ruled()
    assert won(plain) == {2: 30}


def fifth_street(book: str, high: int = 6) -> Felt:
    """Deal stud to fifth street with calls and checks, seats 3 and 6 in; the high board acts first."""
    a_game = game(10, 20, form=Form.STUD, ante=1, bring_in=3, seats=8)
    if book == "HG":
        a_game = game(2, 4, form=Form.STUD, ante=1, bring_in=1, seats=8)
    felt = dealt(book, a_game, "1-8")
    felt.play(
        do.DealStreet, up=tuple(enumerate(("8c", "9c", "Tc", "2c", "Jc", "Qc", "5c", "4c"), 1))
    )
    felt.play(do.BringIn, 4)
    more = {high: ("As", "Ad"), 9 - high: ("8s", "7d"), 4: ("3d", "")}
    for at in range(2):
        while felt.hand.phase is Phase.BETTING:
            passive(felt, (3, 6))
        live = [chair.seat for chair in felt.hand.chairs if chair.live]
        felt.play(do.DealStreet, up=tuple((seat, more[seat][at]) for seat in live))
    assert felt.hand.to_act == high
    return felt


@pytest.mark.rule("HG-D8", 1)
def test_hg_upcards_picked_up_facing_a_bet() -> None:
    felt = fifth_street("HG")
    acts(felt, "6 bet 4")
    assert felt.hand.to_act == 3
    is_dead(felt.report("upcards_handled", seat=3, how="lifted", induced=True), 3, "HG-D8")
    felt.ruled()
    assert not lives(felt, 3)


@pytest.mark.rule("WP-3D1c", 1)
def test_wp_upcards_turned_down_facing_a_bet() -> None:
    felt = fifth_street("WP", high=3)
    acts(felt, "3 bet 20")
    found = felt.report("upcards_handled", seat=6, how="turned_down")
    is_dead(found, 6, "WP-3D1c")
    felt.ruled()
    assert not lives(felt, 6)


@pytest.mark.rule("WP-3D1c", 2)
def test_wp_upcards_turned_down_with_no_bet() -> None:
    felt = fifth_street("WP", high=3)
    acts(felt, "3 check")
    found = felt.report("upcards_handled", seat=6, how="turned_down")
    is_live(found, 6, "WP-3D1c")
    assert "turn the cards up again" in found.steps
    felt.ruled()
    acts(felt, "6 bet 20")


@pytest.mark.rule("WP-3D3", 1)
def test_cards_thrown_into_another_hand_are_dead() -> None:
    felt = flop("WP", WP_4_8, 3, 4, 6)
    is_dead(felt.report("thrown_into_hand", seat=3), 3, "WP-3D3")
    felt.ruled()
    assert not lives(felt, 3)
    is_dead(felt.report("fouled_by_discard", seat=4, protected=False, in_doubt=True), 4, "WP-3I2")
    felt.ruled("hand_live", "both of the other cards were face up")
    assert lives(felt, 4)


# ----------------------------------------------------------------------------------- hand.protect


@pytest.mark.rule("LC-9", 1)
def test_an_unprotected_hand_taken_by_the_dealer_is_dead() -> None:
    felt = turn("LC", LC_6_12, 3, 5, 7)
    acts(felt, "3 bet 12, 5 call")
    acts(felt, "7 raise 24, 3 call")
    found = felt.report("taken_by_dealer", seat=5, protected=False)
    is_dead(found, 5, "LC-9")
    assert "its $18 stays in the pot" in found.says
    assert "no refund" in found.says
    pot = felt.hand.pot_cents
    felt.ruled()
    assert felt.hand.pot_cents == pot
    assert felt.hand.phase is Phase.DEALING


@pytest.mark.rule("LC-9", 2)
def test_a_protected_hand_taken_by_the_dealer_is_retrieved() -> None:
    felt = turn("LC", LC_6_12, 3, 5)
    found = felt.report("taken_by_dealer", seat=5, protected=True, identifiable=True)
    is_live(found, 5, "LC-9", "LC-81b")
    assert found.remedy == "hand_retrieved"
    felt.ruled()
    acts(felt, "3 check, 5 bet 12")


@pytest.mark.rule("LC-26f", 1)
def test_cards_out_of_view_are_noted_and_stay_live() -> None:
    felt = flop("LC", LC_6_12, 3, 8)
    found = felt.report("out_of_view", seat=8)
    is_live(found, 8, "LC-26f")
    assert "conduct is noted" in found.says
    felt.ruled()
    assert lives(felt, 8)
    assert breaches(felt) == [("p8", "cards_hidden")]


@pytest.mark.rule("LC-81b", 1)
def test_a_protected_hand_comes_back_from_the_muck() -> None:
    felt = pot_of("LC", LC_10_20, (3, 8), 60, street=1, closed=False)
    acts(felt, "3 bet 10")
    assert felt.hand.pot_cents == 7000
    found = felt.report("touched_muck", seat=8, protected=True, identifiable=True)
    is_live(found, 8, "LC-81b")
    felt.ruled()
    assert options(felt) == {"fold": 0, "call": 10, "raise": 20}
    acts(felt, "8 raise 20")


@pytest.mark.rule("LC-81b", 2)
def test_a_protected_hand_that_nobody_can_tell_is_dead() -> None:
    felt = flop("LC", LC_10_20, 3, 8, 1)
    acts(felt, "1 check, 3 bet 10")
    pot = felt.hand.pot_cents
    found = felt.report("touched_muck", seat=8, protected=True, identifiable=False)
    is_dead(found, 8, "LC-81b")
    felt.ruled()
    assert (felt.hand.to_act, felt.hand.pot_cents) == (1, pot)


@pytest.mark.rule("RC-I2", 1)
@pytest.mark.rule("HG-D9", 1)
@pytest.mark.rule("WP-3I2", 1)
@pytest.mark.parametrize(
    ("book", "a_game", "rule"),
    [("RC", RC_6_12, "RC-I2"), ("HG", HG_2_4, "HG-D9"), ("WP", WP_4_8, "WP-3I2")],
)
def test_the_loss_of_an_unprotected_hand_is_its_players(book: str, a_game: Any, rule: str) -> None:
    bet = a_game.big_bet_cents // 100
    if book == "WP":
        felt = pot_of("WP", a_game, (2, 4), 44, closed=False)
        acts(felt, f"2 check, 4 bet {bet}, 2 call")
    else:
        felt = turn(book, a_game, 2, 4, 8)
        acts(felt, f"2 bet {bet}, 4 call")
    pot = felt.hand.pot_cents
    found = felt.report("taken_by_dealer", seat=4, protected=False)
    is_dead(found, 4, rule)
    assert "its player's own" in found.says
    assert "no refund" in found.says
    felt.ruled()
    if book == "WP":
        assert won(felt) == {2: 60}
    else:
        assert felt.hand.pot_cents == pot
        assert felt.hand.to_act == 8


@pytest.mark.rule("RC-I2", 2)
def test_rc_a_protected_hand_is_dead_by_the_letter_but_may_be_given_back() -> None:
    felt = turn("RC", RC_6_12, 2, 4)
    found = felt.report("taken_by_dealer", seat=4, protected=True, identifiable=True)
    is_dead(found, 4, "RC-D4d")
    assert "nobody's fault" in found.says
    assert [choice.remedy for choice in found.choices] == ["hand_live"]
    felt.ruled("hand_live", "the dealer moved the chip")
    assert lives(felt, 4)
    assert "RC-D1" in felt.notes.irregularities[-1].rulings[-1].rules
    acts(felt, "2 check, 4 bet 12")


# ---------------------------------------------------------------------------------- hand.retrieve


@pytest.mark.rule("LC-79", 1)
def test_winners_keep_their_cards_until_the_pot_is_pushed() -> None:
    felt = pot_of("LC", LC_6_12, (2, 5), 84)
    found = felt.report("collect_before_award", seat=2)
    assert found.remedy == "request_refused"
    assert found.rules == ("LC-79",)
    felt.ruled()
    assert shown(felt, {2: "As Ad", 5: "Ks Qs"}) == {2: 84}
    assert felt.report("collect_before_award", seat=2).remedy == "stands"


@pytest.mark.rule("LC-80", 1)
def test_a_hand_clear_of_the_muck_is_given_back() -> None:
    felt = pot_of("LC", LC_6_12, (2, 5), 60, board="Jc Tc 4s 3d 2h", closed=False)
    acts(felt, "2 bet 12, 5 call")
    assert felt.hand.pot_cents == 8400
    felt.play(do.ShowHand, 2, cards=("9s", "9d"))
    found = felt.report("thrown_forward", seat=5)
    is_live(found, 5, "LC-80")
    felt.ruled()
    assert shown(felt, {5: "Jh Th"}) == {5: 84}


@pytest.mark.rule("LC-80", 2)
def test_a_hand_whose_discard_made_another_act_is_not_given_back() -> None:
    felt = flop("LC", LC_4_8, 3, 4, 7)
    assert felt.hand.to_act == 3
    found = felt.report("thrown_forward", seat=3, acted_after=True)
    is_dead(found, 3, "LC-85b")
    felt.ruled()
    acts(felt, "4 bet 4")
    assert felt.hand.to_act == 7
    assert options(felt)["call"] == 4


@pytest.mark.rule("LC-81a", 1)
@pytest.mark.rule("LC-GL-retrievable-hand", 1)
def test_a_tabled_hand_comes_back_from_the_muck() -> None:
    felt = pot_of("LC", LC_6_12, (1, 4), 108, board="Kd 9c 9h 4s 2d", button=8)
    first, other = felt.hand.order
    held = {1: ("9s", "8s"), 4: ("Kh", "Ks")}
    felt.play(do.ShowHand, first, cards=held[first])
    felt.play(do.ShowHand, other, cards=held[other])
    found = felt.report("touched_muck", seat=4, identifiable=True)
    is_live(found, 4, "LC-81a")
    assert "tabled at the showdown" in found.says
    felt.ruled()
    assert awarded(felt) == {4: 108}


@pytest.mark.rule("LC-81a", 2)
def test_a_hand_flashed_to_one_player_was_not_tabled() -> None:
    felt = pot_of("LC", LC_6_12, (1, 4), 108, button=8)
    felt.play(do.ShowHand, 1, cards=("9s", "8s"))
    found = felt.report("touched_muck", seat=4, identifiable=True, protected=False)
    is_dead(found, 4, "LC-81a")
    felt.ruled()
    assert won(felt) == {1: 108}


@pytest.mark.rule("WP-3D2", 1)
def test_wp_a_hand_folded_on_false_information_is_retrieved() -> None:
    felt = pot_of("WP", WP_4_8, (4, 7), 96)
    found = felt.report("touched_muck", seat=4, identifiable=True, false_information=True)
    is_live(found, 4, "WP-3D2")
    assert "false information" in found.says
    felt.ruled()
    assert shown(felt, {4: "As Ad", 7: "Ks Qs"}) == {4: 96}


@pytest.mark.rule("WP-3D2", 2)
def test_wp_a_hand_mixed_into_the_muck_is_dead() -> None:
    felt = pot_of("WP", WP_4_8, (4, 7), 96)
    is_dead(felt.report("touched_muck", seat=4, identifiable=False), 4, "WP-3D2")
    felt.ruled()
    assert won(felt) == {7: 96}


def test_a_fact_that_decides_is_asked_for() -> None:
    felt = river("WP", WP_10_20, 4, 7)
    found = felt.report("touched_muck", seat=4)
    assert found.remedy == "fact_needed"
    assert found.missing == ("identifiable",)
    assert "CR-12" in found.rules


def test_an_unknown_kind_lists_those_there_are() -> None:
    felt = dealt("LC", LC_STUD, "1-8")
    with pytest.raises(Refused) as caught:
        felt.report("gremlins")
    assert "touched_muck" in caught.value.options
