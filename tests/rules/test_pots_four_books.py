"""Worked cases of pots.odd_chip, pots.side, pots.split and pots.push of all four books."""

from decimal import Decimal

import pytest

from cardroom.known.games import Form, Structure
from cardroom.tables.button import high_card
from cardroom.tables.hand_events import Post, PostKind
from tests.plugins.hand_play import (
    IDS,
    Play,
    at_street,
    blinds,
    game,
    hc,
    read,
    showdown,
    stud,
)

LC_3_6 = game(3, 6, chip=1)
LC_6_12 = game(6, 12, chip=2, blinds=(2, 6))
LC_20_40 = game(20, 40, chip=5)
RC_4_8 = game(4, 8)
WP_10_20 = game(10, 20)
O8 = game(4, 8, form=Form.OMAHA_HIGH_LOW)
HG_O8 = game(2, 4, form=Form.OMAHA_HIGH_LOW, chip="0.25")
ROYAL = "As Ks Qs Js Ts"
"""A board that plays: whoever shows ties."""
LOW_BOARD = "3c 6d 8h Kd Ks"
"""Four kings are open to the high, an eight-low to the low."""


def tied(*seats: int) -> dict[int, str]:
    """Return hands that play the royal flush on the board."""
    pairs = ["2c 3d", "4c 5d", "6c 7d", "8c 9d"]
    return dict(zip(seats, pairs, strict=False))


# ------------------------------------------------------------------------------- Lucky Chances


@pytest.mark.rule("LC-17", 1)
def test_no_agreed_split() -> None:
    play = at_street("LC", LC_6_12, "river", {3: 300, 8: 300}, pot=120).check_around()
    refused = play.refusal(hc.AwardPots(**IDS, agreed=(3, 8), winners=(3, 8)))
    assert (refused.code, refused.rules) == ("NO_AGREED_SPLIT", ("LC-17",))


@pytest.mark.rule("LC-27", 1)
def test_a_five_dollar_chip_is_broken_to_an_odd_dollar() -> None:
    won = read("LC", LC_20_40, ROYAL, tied(3, 7), pot=215, button=1)
    assert won == {3: 108, 7: 107}


@pytest.mark.rule("LC-27a", 1)
def test_odd_dollar_nearest_the_button_clockwise() -> None:
    assert read("LC", LC_3_6, ROYAL, tied(7, 9), pot=85, button=7) == {9: 43, 7: 42}


@pytest.mark.rule("LC-27b", 1)
def test_odd_dollar_in_stud_by_the_highest_card() -> None:
    play = stud(
        "LC",
        game(10, 20, form=Form.STUD),
        {3: "Ah Kd Qc Js", 6: "Ac Ks Qd Jh"},
        7,
        downs={3: "Th 4c 2d", 6: "Ts 3h 3d"},
        pot=57,
    )
    play.check_around()
    assert play.show(3, 6).award() == {3: 29, 6: 28}


@pytest.mark.rule("LC-27c", 1)
def test_odd_dollar_to_the_high_half() -> None:
    hands = {2: "Kh Kc Qs Jd", 6: "Ah 2d 9c 9d"}
    assert read("LC", O8, LOW_BOARD, hands, pot=85) == {2: 43, 6: 42}


@pytest.mark.rule("LC-65", 1)
def test_layers_of_an_all_in() -> None:
    play = Play("LC", LC_6_12, {2: 20, 5: 50, 8: 200}, button=1, posts=blinds((5, 2), (8, 6)))
    play.do("2 raise 12, 5 raise 18, 8 raise 24, 2 allin, 5 call").deal("As Kd 7c")
    play.do("5 bet 6, 8 raise 12, 5 raise 18, 8 call").deal("4d")
    play.do("5 bet 8, 8 call")
    assert play.pots() == [(60, (2, 5, 8)), (60, (5, 8))]
    play.deal("2h").holds({2: "Ah Ac", 5: "Kh Kc", 8: "Qh Qc"})
    assert play.show(5, 8, 2).award() == {2: 60, 5: 60}


@pytest.mark.rule("LC-65", 2)
def test_what_nobody_can_call_goes_back() -> None:
    play = at_street("LC", LC_20_40, "river", {3: 25, 6: 300, 8: 300}, button=5)
    play.do("6 bet 40, 8 fold, 3 call")
    assert play.pots() == [(50, (3, 6))]
    assert play.stack(6) == 300 - 25


@pytest.mark.rule("LC-71", 1)
def test_an_all_in_has_no_claim_to_the_collection() -> None:
    collection = Post(seat=3, kind=PostKind.COLLECTION, house_cents=400, house_live=True)
    stacks = dict.fromkeys((1, 2, 3, 4, 5, 7, 8, 9), 300) | {6: 6}
    play = Play("LC", LC_6_12, stacks, button=3, posts=(*blinds((4, 2), (5, 6)), collection))
    play.do("6 allin, 7 fold, 8 fold, 9 fold, 1 fold, 2 fold, 3 call, 4 fold, 5 check")
    assert play.stack(3) == 300 - 4 - 2
    for _ in range(2):
        play.deal().check_around()
    play.deal().check_around()
    assert play.pots() == [(16, (3, 5, 6))]
    play.do("5 muck, 3 muck")
    assert play.award() == {6: 16}
    assert play.state.house_cents == 400


@pytest.mark.rule("LC-GL-pot", 1)
def test_the_pot_is_all_that_was_wagered() -> None:
    stacks = dict.fromkeys((3, 4, 5, 6, 7), 300)
    play = Play("LC", LC_6_12, stacks, button=3, posts=blinds((4, 2), (5, 6)))
    play.do("6 fold, 7 raise 12, 3 fold, 4 fold, 5 call")
    assert play.state.pot_cents == 2600


@pytest.mark.rule("LC-GL-split-pot", 1)
def test_a_split_pot() -> None:
    assert read("LC", LC_6_12, ROYAL, tied(2, 6), pot=84) == {2: 42, 6: 42}


# ------------------------------------------------------------------------------------- Rancho's


@pytest.mark.rule("RC-O1", 1)
def test_an_odd_chip_is_changed_to_the_smallest_unit() -> None:
    assert read("RC", game(6, 12), ROYAL, tied(3, 7), pot=45, button=1) == {3: 23, 7: 22}


@pytest.mark.rule("RC-O2", 1)
def test_odd_chip_to_the_left_of_the_button() -> None:
    assert read("RC", RC_4_8, ROYAL, tied(2, 8), pot=47, button=6) == {8: 24, 2: 23}


@pytest.mark.rule("RC-O2", 2)
def test_two_odd_chips_one_to_each() -> None:
    won = read("RC", RC_4_8, ROYAL, tied(2, 5, 9), pot=50, button=3)
    assert won == {5: 17, 9: 17, 2: 16}


@pytest.mark.rule("RC-O3", 1)
def test_odd_chip_to_the_high_side() -> None:
    hands = {2: "Kh Kc Qs Jd", 7: "Ah 2d 9c 9d"}
    assert read("RC", O8, LOW_BOARD, hands, pot=53) == {2: 27, 7: 26}


# ------------------------------------------------------------------------------------ home game


@pytest.mark.rule("HG-G6", 1)
def test_suits_never_break_a_tie() -> None:
    holdem = game(2, 4, chip="0.25")
    won = read("HG", holdem, "2h 7h 9c Jd Kc", {1: "As Qd", 3: "Ah Qc"}, pot="22.50")
    assert won == {1: Decimal("11.25"), 3: Decimal("11.25")}


def _over_to_jackpot(pot: str, hands: dict[int, str]) -> tuple[dict[int, Decimal], Decimal]:
    play = showdown("HG", HG_O8, LOW_BOARD, hands, pot=pot)
    won = play.show(*hands).award()
    return won, Decimal(play.state.jackpot_odd_cents) / 100


@pytest.mark.rule("HG-L2i", 1)
def test_what_cannot_be_halved_goes_to_the_jackpot() -> None:
    hands = {2: "Kh Kc Qs Jd", 4: "Ah 2d 9c 9d"}
    won, jackpot = _over_to_jackpot("25.25", hands)
    assert won == {2: Decimal("12.50"), 4: Decimal("12.50")}
    assert Decimal("60.00") + jackpot == Decimal("60.25")


@pytest.mark.rule("HG-L2i", 2)
def test_an_even_pot_leaves_nothing_over() -> None:
    won, jackpot = _over_to_jackpot("25.50", {2: "Kh Kc Qs Jd", 4: "Ah 2d 9c 9d"})
    assert won == {2: Decimal("12.75"), 4: Decimal("12.75")}
    assert jackpot == 0


@pytest.mark.rule("HG-L2j", 1)
def test_what_is_left_of_a_tied_half_goes_to_the_jackpot() -> None:
    won, jackpot = _over_to_jackpot("30.50", {2: "Kh Kc Ac 2c", 4: "Ah 2d 9c 9d"})
    assert won == {2: Decimal("22.75"), 4: Decimal("7.50")}
    assert jackpot == Decimal("0.25")


@pytest.mark.rule("HG-L2j", 2)
def test_a_half_tied_three_ways() -> None:
    hands = {2: "Kh Kc Qs Jd", 4: "Ah 2d 9c 9d", 5: "Ac 2h 9h 9s", 7: "As 2s Th Td"}
    won, jackpot = _over_to_jackpot("25.00", hands)
    assert won == {2: Decimal("12.50"), 4: 4, 5: 4, 7: 4}
    assert jackpot == Decimal("0.50")


# ---------------------------------------------------------------------------------- World Poker


@pytest.mark.rule("WP-2P12", 1)
def test_pushing_bets_is_refused() -> None:
    play = at_street("WP", WP_10_20, "river", {3: 300, 7: 300}, button=1, pot=100)
    play.do("3 bet 20, 7 call")
    refused = play.refusal(hc.PushBets(**IDS, returns=((3, 2000), (7, 2000))))
    assert (refused.code, refused.rules) == ("PUSHING_BETS", ("WP-2P12",))
    assert play.state.pot_cents == 14000


@pytest.mark.rule("WP-3T1", 1)
def test_suits_do_not_break_ties_for_a_pot() -> None:
    won = read("WP", WP_10_20, "Ac Kd 9h 5s 2d", {3: "As Qs", 7: "Ad Qd"}, pot=80)
    assert won == {3: 40, 7: 40}


@pytest.mark.rule("WP-3T1", 2)
def test_suits_decide_drawn_cards_of_one_rank() -> None:
    assert high_card(((2, "Th"), (6, "Tc"))) == 2


@pytest.mark.rule("WP-3T3", 1)
def test_odd_chip_broken_to_the_smallest_unit() -> None:
    assert read("WP", WP_10_20, ROYAL, tied(3, 7), pot=85, button=6) == {7: 43, 3: 42}


@pytest.mark.rule("WP-3T4", 1)
def test_no_two_odd_chips_for_one_player() -> None:
    won = read("WP", WP_10_20, ROYAL, tied(2, 5, 8), pot=101, button=6)
    assert won == {8: 34, 2: 34, 5: 33}


@pytest.mark.rule("WP-3T4", 2)
def test_both_halves_tied_odd_chips_go_round() -> None:
    hands = {8: "Ah 2d Kh 9c", 2: "As 2s Kc 9s"}
    play = showdown("WP", O8, "3c 6d 8h Kd Qs", hands, pot=102, button=6)
    assert play.show(8, 2).award() == {8: 51, 2: 51}
    assert {(s.seat, s.part, s.cents) for s in play.state.shares} == {
        (8, "high", 2600),
        (2, "high", 2500),
        (2, "low", 2600),
        (8, "low", 2500),
    }


@pytest.mark.rule("WP-3T5", 1)
def test_an_even_split_needs_no_odd_chip() -> None:
    play = showdown("WP", WP_10_20, ROYAL, tied(2, 5), pot=60)
    assert play.show(2, 5).award() == {2: 30, 5: 30}
    assert not any(share.odd for share in play.state.shares)


@pytest.mark.rule("WP-3T5a", 1)
def test_odd_chip_clockwise_from_the_button() -> None:
    assert read("WP", WP_10_20, ROYAL, tied(4, 9), pot=47, button=5) == {9: 24, 4: 23}


@pytest.mark.rule("WP-3T5a", 2)
def test_the_button_is_last_clockwise_from_itself() -> None:
    assert read("WP", WP_10_20, ROYAL, tied(5, 3), pot=47, button=5) == {3: 24, 5: 23}


@pytest.mark.rule("WP-3T5b", 1)
def test_stud_odd_chip_by_all_seven_cards() -> None:
    play = stud(
        "WP",
        game(10, 20, form=Form.STUD),
        {3: "7h 8c 9s 2d", 6: "7s 8d 9h 3s"},
        7,
        downs={3: "5s 6d Kd", 6: "5h 6c Kh"},
        pot=85,
    )
    play.check_around()
    assert play.show(3, 6).award() == {6: 43, 3: 42}


@pytest.mark.rule("WP-3T5b", 2)
def test_razz_odd_chip_by_the_lowest_card() -> None:
    play = stud(
        "WP",
        game(10, 20, form=Form.RAZZ),
        {2: "4h 5s 7d Ks", 5: "4s 5h 7c Qs"},
        7,
        downs={2: "Ad 2c Kh", 5: "Ac 2d Qd"},
        pot=85,
    )
    play.check_around()
    assert play.show(2, 5).award() == {5: 43, 2: 42}


@pytest.mark.rule("WP-3T5d", 1)
def test_each_pot_is_split_by_itself() -> None:
    no_limit = game(1, structure=Structure.NO_LIMIT)
    dead = Post(seat=2, kind=PostKind.ANTE, dead_cents=1100)
    play = Play("WP", no_limit, {1: 20, 2: 100, 3: 100, 6: 100}, button=9, posts=(dead,))
    play.do("1 allin, 2 call, 3 call, 6 call").deal("As Ks Qs")
    play.do("2 check, 3 bet 1, 6 call, 2 call").deal("Js")
    play.do("2 check, 3 bet 22, 6 call, 2 fold").deal("2d").check_around()
    assert play.pots() == [(91, (1, 3, 6)), (47, (3, 6))]
    play.holds({1: "9c 9d", 3: "Td 3h", 6: "Tc 4h"})
    assert play.show(3, 6, 1).award() == {3: 70, 6: 68}


@pytest.mark.rule("WP-3T5d", 2)
def test_high_low_main_and_side_pots() -> None:
    no_limit = game(1, structure=Structure.NO_LIMIT, form=Form.OMAHA_HIGH_LOW)
    dead = Post(seat=7, kind=PostKind.ANTE, dead_cents=300)
    play = Play("WP", no_limit, {1: 30, 5: 100, 7: 100, 8: 100}, button=3, posts=(dead,))
    play.do("5 bet 30, 7 call, 8 call, 1 allin").deal("3c 6d 8h")
    play.do("5 bet 1, 7 call, 8 call").deal("Kd")
    play.do("5 bet 29, 7 fold, 8 call").deal("Ks").check_around()
    assert play.pots() == [(123, (1, 5, 8)), (61, (5, 8))]
    play.holds({1: "Ah 2d 9c 9d", 5: "Kh Kc Qs Jd", 8: "As 2h Th Td"})
    assert play.show(5, 8, 1).award() == {5: 93, 8: 61, 1: 30}
