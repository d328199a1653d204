"""More examples of pots.*, showdown.*, highlow.* and stud.*: other amounts, seats, books and combinations."""

from decimal import Decimal

import pytest

from cardroom.known.games import Form, Structure
from tests.plugins.hand_play import (
    IDS,
    Play,
    at_street,
    game,
    hc,
    read,
    showdown,
    stud,
)

D = Decimal
LC_6_12 = game(6, 12, chip=2, blinds=(2, 6))
LC_20_40 = game(20, 40, chip=5)
RC_4_8 = game(4, 8)
RC_NL = game(5, structure=Structure.NO_LIMIT)
WP_10_20 = game(10, 20)
WP_NL = game(5, structure=Structure.NO_LIMIT)
O8 = game(4, 8, form=Form.OMAHA_HIGH_LOW)
HG_2_4 = game(2, 4, chip="0.25")
HG_O8 = game(2, 4, form=Form.OMAHA_HIGH_LOW, chip="0.25")
STUD = game(10, 20, form=Form.STUD)
STUD8 = game(10, 20, form=Form.STUD_HIGH_LOW)
ROYAL = "As Ks Qs Js Ts"
LOW_BOARD = "3c 6d 8h Kd Ks"


def tied(*seats: int) -> dict[int, str]:
    """Return hands that play the royal flush on the board."""
    pairs = ["2c 3d", "4c 5d", "6c 7d", "8c 9d"]
    return dict(zip(seats, pairs, strict=False))


# ------------------------------------------------------------------------------ odd chips


@pytest.mark.rule("LC-27")
@pytest.mark.rule("LC-27a")
@pytest.mark.parametrize(
    ("seats", "pot", "button", "won"),
    [
        ((2, 5, 8), 100, 8, {2: 34, 5: 33, 8: 33}),
        ((2, 5, 8), 101, 4, {5: 34, 8: 34, 2: 33}),
        ((1, 9), 45, 9, {1: 23, 9: 22}),
        ((1, 9), 45, 1, {9: 23, 1: 22}),
        ((3, 4, 6, 9), 203, 5, {6: 51, 9: 51, 3: 51, 4: 50}),
    ],
)
def test_odd_dollars_go_one_to_a_player_from_the_left_of_the_button(
    seats: tuple[int, ...], pot: int, button: int, won: dict[int, int]
) -> None:
    assert read("LC", LC_20_40, ROYAL, tied(*seats), pot=pot, button=button) == won


@pytest.mark.rule("LC-27c")
def test_in_high_low_each_half_breaks_its_own_tie() -> None:
    hands = {2: "Kh Kc Qs Jd", 4: "Ah 2d Jc 9d", 7: "Ac 2h Qc Th"}
    assert read("LC", O8, LOW_BOARD, hands, pot=83, button=5) == {2: 42, 7: 21, 4: 20}


@pytest.mark.rule("LC-27b")
def test_in_stud_the_suit_of_the_highest_card_of_seven_decides() -> None:
    ups = {3: "5s 6d 7h 8c", 6: "5h 6c 7s 8d"}
    downs = {3: "9s 2d Kc", 6: "9h 3s Kd"}
    play = stud("LC", STUD, ups, 7, downs=downs, pot=33).check_around()
    assert play.show(3, 6).award() == {3: 16, 6: 17}


@pytest.mark.rule("RC-O1")
@pytest.mark.rule("RC-O2")
def test_five_dollar_chips_are_the_smallest_of_the_game() -> None:
    rc = game(20, 40, chip=5)
    assert read("RC", rc, ROYAL, tied(3, 7), pot=215, button=3) == {7: 110, 3: 105}


@pytest.mark.rule("RC-O2")
def test_three_tied_in_ranchos_club() -> None:
    won = read("RC", RC_4_8, ROYAL, tied(1, 4, 9), pot=40, button=4)
    assert won == {9: 14, 1: 13, 4: 13}


@pytest.mark.rule("RC-O3")
def test_quartered_in_ranchos_club() -> None:
    hands = {2: "Kh Kc Ad 2c", 7: "Ah 2d 9c 9d"}
    # Seat 2 has the high alone and ties the low.
    assert read("RC", O8, LOW_BOARD, hands, pot=53, button=2) == {2: 27 + 13, 7: 13}


@pytest.mark.rule("WP-3T4")
def test_who_has_the_odd_chip_of_the_high_yields_that_of_the_low() -> None:
    hands = {1: "Ah 2d Qc Jd", 4: "Ac 2h Qd Jh", 6: "As 2s Qh Js"}
    # All three tie both ways: high 35 and low 34 of 69; seat 4 and 6 have the high's two odd chips.
    won = read("WP", O8, LOW_BOARD, hands, pot=69, button=3)
    assert won == {4: 12 + 11, 6: 12 + 11, 1: 11 + 12}


@pytest.mark.rule("WP-3T5b")
@pytest.mark.rule("WP-3T5c")
def test_lows_that_tie_in_stud_go_by_the_lowest_card() -> None:
    ups = {2: "Ks Qh Jd Tc", 5: "Ah 3c 5d 7c", 8: "As 3d 5h 7h"}
    downs = {2: "Kd Kc 9s", 5: "2c Th Qs", 8: "2d Js Qd"}
    play = stud("WP", STUD8, ups, 7, downs=downs, pot=62).check_around()
    # Seat 2: straight. Low half 31 between 5 and 8: Ah is lower than As.
    assert play.show(2, 5, 8).award() == {2: 31, 5: 16, 8: 15}


@pytest.mark.rule("HG-L2i")
@pytest.mark.rule("HG-L2j")
def test_what_cannot_be_divided_goes_to_the_jackpot_from_pot_and_half() -> None:
    hands = {2: "Kh Kc Qs Jd", 4: "Ah 2d Jc 9d", 7: "Ac 2h Qc Th"}
    play = showdown("HG", HG_O8, LOW_BOARD, hands, pot="20.75").show(2, 4, 7)
    # Halves of 10.25, 0.25 over; the low of 10.25 is 5.00 each and 0.25 over.
    assert play.award() == {2: D("10.25"), 4: 5, 7: 5}
    assert play.state.jackpot_odd_cents == 50


@pytest.mark.rule("HG-L2i")
def test_a_whole_pot_to_one_player_leaves_nothing_over() -> None:
    hands = {2: "Kh Kc Ad 2d", 4: "Qh Qc 9d 9s"}
    play = showdown("HG", HG_O8, LOW_BOARD, hands, pot="20.75").show(2, 4)
    assert play.award() == {2: D("20.75")}
    assert play.state.jackpot_odd_cents == 0


@pytest.mark.rule("HG-L2i")
def test_a_high_only_tie_gives_the_odd_quarter_to_the_first_left_of_the_button() -> None:
    won = read("HG", HG_2_4, ROYAL, tied(2, 6), pot="22.75", button=4)
    assert won == {6: D("11.50"), 2: D("11.25")}


# ------------------------------------------------------------------------------ side pots


def three_pots(book: str = "WP", a_game: object = WP_NL) -> Play:
    """Seat 7 is all-in for 20, seat 2 for 50, seats 4 and 6 go on to 90 on the flop and check it down."""
    play = Play(book, a_game, {2: 50, 4: 300, 6: 300, 7: 20}, button=1)  # type: ignore[arg-type]
    play.do("2 bet 20, 4 call, 6 call, 7 allin").deal("As 9d 7h")
    play.do("2 allin, 4 raise 70, 6 call").deal("4c").check_around().deal("2s").check_around()
    assert play.pots() == [(80, (2, 4, 6, 7)), (90, (2, 4, 6)), (80, (4, 6))]
    return play


@pytest.mark.rule("LC-65")
@pytest.mark.rule("WP-3T5d")
def test_three_pots_go_to_three_players() -> None:
    play = three_pots().holds({7: "Ah Ad", 2: "9h 9c", 4: "7d 7c", 6: "Kh Kd"})
    assert play.show(4, 6, 2, 7).award() == {7: 80, 2: 90, 4: 80}


@pytest.mark.rule("WP-3T5d")
def test_each_pot_breaks_its_own_odd_chips() -> None:
    play = Play("WP", WP_NL, {1: 7, 3: 30, 6: 30}, button=9)
    play.do("1 allin, 3 call, 6 call").deal("As Ks Qs").do("3 bet 12, 6 call").deal("Js")
    play.check_around().deal("Ts").check_around()
    assert play.pots() == [(21, (1, 3, 6)), (24, (3, 6))]
    play.holds({1: "2c 3d", 3: "4c 5d", 6: "6c 7d"})
    assert play.show(3, 6, 1).award() == {1: 7, 3: 19, 6: 19}


@pytest.mark.rule("WP-3S7")
def test_side_pots_show_from_the_last_to_the_first() -> None:
    # Seat 2 is in the first side pot and shows before seat 7, who is in for the main pot only.
    assert three_pots().state.order == (4, 6, 2, 7)


@pytest.mark.rule("WP-3S7")
def test_who_is_in_for_the_main_pot_only_shows_last_though_first_left_of_the_button() -> None:
    play = Play("WP", WP_NL, {2: 20, 4: 300, 6: 300, 7: 50}, button=1)
    play.do("2 bet 20, 4 call, 6 call, 7 call").deal("As 9d 7h")
    play.do("4 bet 30, 6 raise 60, 7 allin, 4 call").deal("4c").check_around()
    play.deal("2s").do("4 check, 6 bet 40, 4 call")
    assert play.pots()[0] == (80, (2, 4, 6, 7))
    assert play.state.order == (6, 4, 7, 2)


@pytest.mark.rule("RC-S8")
def test_each_side_pot_waits_for_the_one_above_it() -> None:
    play = three_pots("RC", RC_NL).holds({7: "Ah Ad", 2: "9h 9c", 4: "7d 7c", 6: "Kh Kd"})
    for seat in (2, 7):
        assert play.refused(f"{seat} show").code == "SIDE_POT_FIRST"
    play.show(4, 6)
    play.enter(hc.AwardPots(**IDS, pot=2, losers_killed=True))
    assert play.refused("7 show").code == "SIDE_POT_FIRST"
    play.show(2)
    play.enter(hc.AwardPots(**IDS, pot=1, losers_killed=True))
    assert play.show(7).award() == {7: 80, 2: 90, 4: 80}


@pytest.mark.rule("RC-S8")
def test_all_in_hands_stay_hidden_while_the_board_is_still_dealt() -> None:
    play = Play("RC", RC_NL, {1: 40, 4: 100, 6: 100}, button=9)
    play.do("1 allin, 4 raise 100, 6 call").holds({1: "Ah Ad", 4: "Kc Kd", 6: "Qc Qd"})
    assert play.refused("1 show").code == "SIDE_POT_FIRST"
    play.show(4).deal("As 9d 7h").deal("4c").deal("2s")
    assert play.refused("1 show").code == "SIDE_POT_FIRST"


@pytest.mark.rule("LC-71")
def test_the_live_collection_counts_toward_the_call_and_lies_in_no_pot() -> None:
    # The button's four dollars are the house's; the all-in player gets everybody's bets all the same.
    play = at_street("LC", LC_6_12, "turn", {2: 8, 5: 100, 8: 100}, pot=20)
    play.do("2 allin, 5 complete 12, 8 call")
    assert play.pots() == [(44, (2, 5, 8)), (8, (5, 8))]


@pytest.mark.rule("LC-65")
def test_a_folded_players_chips_stay_in_the_pots_they_reached() -> None:
    play = Play("LC", LC_6_12, {2: 8, 5: 100, 8: 100, 9: 100}, button=1)
    play.do("2 bet 6, 5 raise 12, 8 call, 9 raise 18, 2 allin, 5 fold, 8 call")
    assert play.pots() == [(32, (2, 8, 9)), (24, (8, 9))]


@pytest.mark.rule("LC-17")
def test_two_of_three_may_not_agree_on_a_side_pot() -> None:
    play = three_pots("LC", game(5, structure=Structure.NO_LIMIT))
    assert play.refusal(hc.AwardPots(**IDS, pot=2, agreed=(4, 6))).code == "NO_AGREED_SPLIT"


# ------------------------------------------------------------------------------ who shows


@pytest.mark.rule("LC-73")
def test_a_bet_and_only_calls_the_bettor_shows_first() -> None:
    play = at_street("LC", LC_6_12, "river", {2: 300, 5: 300, 8: 300}, button=1)
    play.do("2 check, 5 check, 8 bet 12, 2 call, 5 call")
    assert play.state.order == (8, 2, 5)


@pytest.mark.rule("LC-73")
def test_betting_on_an_earlier_street_does_not_count() -> None:
    play = at_street("LC", LC_6_12, "turn", {2: 300, 5: 300, 8: 300}, button=5)
    play.do("8 check, 2 check, 5 bet 12, 8 call, 2 call").deal().check_around()
    assert play.state.order == (8, 2, 5)


@pytest.mark.rule("LC-73")
@pytest.mark.rule("WP-3S7")
@pytest.mark.parametrize("book", ["LC", "WP", "HG"])
def test_all_in_before_the_river_the_first_left_of_the_button_shows_first(book: str) -> None:
    play = Play(book, WP_NL, {2: 50, 5: 50, 8: 50}, button=5)
    play.do("8 check, 2 bet 50, 5 call, 8 call").deal("As 9d 7h").deal("4c").deal("2s")
    assert play.state.order == (8, 2, 5)


@pytest.mark.rule("RC-S6")
def test_all_in_before_the_river_the_last_to_act_shows_first() -> None:
    play = Play("RC", RC_NL, {2: 50, 5: 50, 8: 50}, button=5)
    play.do("8 check, 2 bet 50, 5 call, 8 call").deal("As 9d 7h").deal("4c").deal("2s")
    assert play.state.order == (8, 2, 5)
    play = Play("RC", RC_NL, {2: 50, 5: 50, 8: 50}, button=5)
    play.do("8 bet 50, 2 call, 5 call").deal("As 9d 7h").deal("4c").deal("2s")
    assert play.state.order == (5, 8, 2)


@pytest.mark.rule("RC-S6")
def test_checked_by_two_the_button_shows_first() -> None:
    play = at_street("RC", RC_4_8, "river", {3: 300, 9: 300}, button=3).check_around()
    assert play.state.order == (3, 9)


@pytest.mark.rule("RC-S7")
def test_a_bet_that_everybody_calls_is_shown_first() -> None:
    play = at_street("RC", RC_4_8, "river", {2: 300, 5: 300, 7: 300}, button=1)
    play.do("2 check, 5 bet 8, 7 call, 2 call")
    assert play.state.order == (5, 7, 2)


@pytest.mark.rule("WP-3S7")
def test_in_stud_checked_down_the_high_board_shows_first() -> None:
    ups = {2: "4d Qc 7s 4c", 6: "2h 5h 9h Kh", 8: "As 3d 6c 8d"}
    play = stud("WP", STUD, ups, 7, pot=30)
    assert play.state.to_act == 2
    play.check_around()
    assert play.state.order == (2, 6, 8)


@pytest.mark.rule("HG-H6")
def test_the_home_game_checked_down_follows_robert() -> None:
    play = at_street("HG", HG_2_4, "river", {2: 30, 5: 30}, button=2).check_around()
    assert play.state.order == (5, 2)


# ------------------------------------------------------------------------------ asking to see


@pytest.mark.rule("LC-75")
def test_the_winner_who_asks_loses_only_to_a_better_hand() -> None:
    play = showdown("LC", LC_6_12, "As Kd 8c 5h 2d", {2: "Ks Qs", 5: "8h 3c"}, pot=96)
    play.show(2).do("5 muck")
    play.enter(hc.AskToSee(**IDS, asked_by=2, seat=5))
    assert play.show(5).award() == {2: 96}


@pytest.mark.rule("LC-75")
def test_a_folded_hand_is_not_an_active_one() -> None:
    play = at_street("LC", LC_6_12, "river", {2: 300, 5: 300, 8: 300}, button=1)
    play.do("2 bet 12, 5 call, 8 fold").show(2)
    assert play.refusal(hc.AskToSee(**IDS, asked_by=2, seat=8)).code == "HAND_NOT_CALLED"


@pytest.mark.rule("LC-75")
def test_a_request_is_good_until_the_pot_is_awarded() -> None:
    play = showdown("LC", LC_6_12, "As Kd 8c 5h 2d", {2: "Ks Qs", 5: "8h 3c"}, pot=96)
    play.show(2).do("5 muck")
    play.award()
    assert play.refusal(hc.AskToSee(**IDS, asked_by=7, seat=5)).code == "POT_AWARDED"


@pytest.mark.rule("LC-75")
def test_an_abused_privilege_is_withdrawn() -> None:
    play = showdown("LC", LC_6_12, "As Kd 8c 5h 2d", {2: "Ks Qs", 5: "8h 3c"}, pot=96).show(2)
    asked = hc.AskToSee(**IDS, asked_by=7, seat=5, privilege_withdrawn=True)
    refused = play.refusal(asked)
    assert (refused.code, refused.rules) == ("PRIVILEGE_WITHDRAWN", ("LC-75",))


@pytest.mark.rule("LC-75")
@pytest.mark.rule("RC-S5a")
@pytest.mark.rule("WP-3S5")
@pytest.mark.parametrize("book", ["LC", "RC", "WP", "HG"])
def test_a_request_never_kills_a_hand_that_lies_face_up(book: str) -> None:
    hands = {2: "Ks Qs", 5: "8h 3c", 7: "Qh Jh"}
    play = showdown(book, WP_10_20, "As Kd 8c 5h 2d", hands, pot=96).show(2)
    assert play.refusal(hc.AskToSee(**IDS, asked_by=7, seat=2)).code == "HAND_SHOWN"
    play.do("7 muck, 5 kill")
    assert play.award() == {2: 96}


@pytest.mark.rule("RC-S5a")
def test_a_request_that_kills_waits_until_a_winner_lies_face_up() -> None:
    play = at_street("RC", RC_4_8, "river", {2: 300, 5: 300, 8: 300}, button=1)
    play.holds({2: "Ks Qs", 5: "Ah Ad", 8: "7c 2c"}).do("2 bet 8, 5 call, 8 fold")
    assert play.refusal(hc.AskToSee(**IDS, asked_by=8, seat=5)).code == "NO_WINNER_YET"


@pytest.mark.rule("LC-75")
@pytest.mark.rule("WP-3S5")
@pytest.mark.parametrize("book", ["LC", "WP", "HG"])
def test_only_a_folded_hand_dies_of_being_asked_for(book: str) -> None:
    hands = {2: "Ks Qs", 5: "Ah 3c", 7: "Qh Jh"}
    play = showdown(book, WP_10_20, "As Kd 8c 5h 2d", hands, pot=96).show(2).do("7 muck")
    play.enter(hc.AskToSee(**IDS, asked_by=7, seat=5))
    assert play.refusal(hc.AwardPots(**IDS, losers_killed=True)).code == "ALL_CARDS_MUST_BE_SHOWN"
    assert play.show(5).award() == {5: 96}


@pytest.mark.rule("LC-75")
@pytest.mark.rule("WP-3S5")
@pytest.mark.rule("RC-S5a")
@pytest.mark.parametrize("book", ["LC", "WP", "RC"])
def test_a_hand_that_a_request_killed_stays_dead_though_the_winner_asks(book: str) -> None:
    hands = {2: "Ks Qs", 5: "Ah 3c", 7: "Qh Jh"}
    play = showdown(book, WP_10_20, "As Kd 8c 5h 2d", hands, pot=96).show(2).do("7 muck")
    if book != "RC":
        play.do("5 muck")
    play.enter(hc.AskToSee(**IDS, asked_by=7, seat=5))
    assert play.refusal(hc.AskToSee(**IDS, asked_by=2, seat=5)).code == "ASKED_BEFORE"
    assert play.show(5).award() == {2: 96}


@pytest.mark.rule("RC-S5")
def test_a_hand_the_dealer_killed_is_in_the_muck() -> None:
    hands = {2: "Ks Qs", 5: "8h 3c", 7: "Qh Jh"}
    play = showdown("RC", RC_4_8, "As Kd 8c 5h 2d", hands, pot=96).show(2).do("7 muck, 5 kill")
    assert play.refusal(hc.AskToSee(**IDS, asked_by=2, seat=5)).code == "HAND_IN_MUCK"


@pytest.mark.rule("RC-S5")
def test_a_player_not_dealt_in_may_not_ask() -> None:
    play = showdown("RC", RC_4_8, "As Kd 8c 5h 2d", {2: "Ks Qs", 5: "8h 3c"}, pot=96).show(2)
    refused = play.refusal(hc.AskToSee(**IDS, asked_by=7, seat=5))
    assert refused.code == "NOT_DEALT_IN"
    assert "RC-S5" in refused.rules


@pytest.mark.rule("WP-3S5")
@pytest.mark.rule("HG-H6")
@pytest.mark.parametrize("book", ["WP", "HG"])
def test_a_mucked_hand_that_can_be_told_is_shown_and_dead(book: str) -> None:
    play = showdown(book, WP_10_20, "As Kd 8c 5h 2d", {2: "Ks Qs", 5: "Ah 3c", 7: "Qh Jh"}, pot=96)
    play.show(2).do("5 muck, 7 muck")
    play.enter(hc.AskToSee(**IDS, asked_by=7, seat=5))
    assert play.show(5).award() == {2: 96}


# ------------------------------------------------------------------------------ cards speak, showing


@pytest.mark.rule("LC-72")
def test_all_four_cards_of_omaha_are_shown() -> None:
    play = showdown("LC", game(6, 12, form=Form.OMAHA, chip=2), "As Kd 8c 5h 2d",
                    {2: "Ks Qs 3c 4c", 5: "8h 8d 9c Tc"}, pot=96)  # fmt: skip
    play.show(2).do("5 show 8h8d9c")
    assert play.refusal(hc.AwardPots(**IDS, losers_killed=True)).code == "ALL_CARDS_MUST_BE_SHOWN"
    play.do("5 show Tc")
    assert play.award() == {2: 96}


@pytest.mark.rule("LC-78")
@pytest.mark.rule("WP-3S2")
def test_a_straight_nobody_saw_wins() -> None:
    won = read("WP", WP_10_20, "5c 4d 3h Kc Ks", {2: "Ah 2h", 6: "Kd Qc"}, pot=84)
    assert won == {2: 84}


@pytest.mark.rule("RC-S4")
def test_a_hand_that_shares_the_pot_is_no_loser() -> None:
    play = showdown("RC", RC_4_8, ROYAL, tied(2, 5), pot=40).show(2, 5)
    play.enter(hc.AwardPots(**IDS))
    assert play.won() == {2: 20, 5: 20}


@pytest.mark.rule("RC-S4")
def test_a_winner_of_the_low_half_is_no_loser() -> None:
    hands = {2: "Kh Kc Qs Jd", 4: "Ah 2d 9c 9d", 5: "Qh Qc Jh Th"}
    play = showdown("RC", O8, LOW_BOARD, hands, pot=40).show(2, 4, 5)
    refused = play.refusal(hc.AwardPots(**IDS))
    assert refused.code == "LOSING_HAND_NOT_KILLED"
    assert "seats 5" in refused.message
    assert play.refused("4 kill").code == "HAND_WINS"
    play.do("5 kill")
    play.enter(hc.AwardPots(**IDS))
    assert play.won() == {2: 20, 4: 20}


@pytest.mark.rule("HG-H6")
def test_saying_that_the_board_plays_wins_nothing_against_a_better_hand() -> None:
    play = showdown("HG", HG_2_4, "As Ks Qs Js 9d", {3: "Ts 2c", 5: "3c 4d"}, pot="18.50")
    play.show(3)
    play.enter(hc.SayBoardPlays(**IDS, seat=5))
    play.do("5 muck")
    assert play.award() == {3: D("18.50")}


@pytest.mark.rule("HG-H6")
def test_three_play_the_board_and_one_threw_away_in_silence() -> None:
    play = showdown("HG", HG_2_4, ROYAL, tied(3, 5, 6), pot="18.00").show(3)
    play.enter(hc.SayBoardPlays(**IDS, seat=6))
    play.do("6 muck, 5 muck")
    assert play.refusal(hc.SayBoardPlays(**IDS, seat=5)).code == "THROWN_AWAY_BEFORE"
    assert play.award() == {3: 9, 6: 9}


# ------------------------------------------------------------------------------ high-low


@pytest.mark.rule("HG-L1b")
def test_without_a_qualifier_any_low_wins() -> None:
    hands = {2: "Kh Kc Qs Jd", 4: "Qh Jc 9c 9d"}
    # Seat 4's best low is 9-6-3 with two of its cards above: J-9-8-6-3.
    assert read("HG", HG_O8, LOW_BOARD, hands, pot=24) == {2: 12, 4: 12}


@pytest.mark.rule("HG-L1c")
def test_highs_that_tie_divide_their_half() -> None:
    hands = {2: "Qh Qc Jh Th", 4: "Qs Qd Js Ts", 7: "Ac 2h 7c 9h"}
    assert read("HG", HG_O8, LOW_BOARD, hands, pot=24) == {2: 6, 4: 6, 7: 12}


@pytest.mark.rule("WP-3T5c")
def test_without_a_qualifying_low_the_high_takes_all_with_its_odd_chip() -> None:
    hands = {2: "Ah 2d Jc Td", 6: "Ac 2h Jd Th"}
    assert read("WP", O8, "Kc Ks Qd 9h 8s", hands, pot=41, button=4) == {6: 21, 2: 20}


@pytest.mark.rule("WP-3T5c")
def test_quartered_the_odd_chip_of_the_pot_is_the_highs() -> None:
    hands = {2: "Kh Kc Ad 2c", 7: "Ah 2d 9c 9d"}
    # High 31 to seat 2; low 30, 15 each.
    assert read("WP", O8, LOW_BOARD, hands, pot=61, button=1) == {2: 46, 7: 15}


# ------------------------------------------------------------------------------ stud


@pytest.mark.rule("LC-100")
def test_anybody_may_open_for_the_upper_limit() -> None:
    play = stud("LC", game(6, 12, form=Form.STUD, chip=1), {3: "8c 8d", 5: "Kh 2s", 7: "Qh 4s"}, 4)
    play.do("3 check, 5 bet 12")
    assert play.options() == {"fold", "call 12", "raise 24"}


@pytest.mark.rule("LC-100")
def test_lower_raises_leave_the_choice_open() -> None:
    play = stud("LC", game(6, 12, form=Form.STUD, chip=1), {3: "8c 8d", 5: "Kh 2s", 7: "Qh 4s"}, 4)
    play.do("3 bet 6, 5 raise 12")
    assert play.options() == {"fold", "call 12", "raise 18", "raise 24"}
    play.do("7 raise 18, 3 raise 30")
    assert play.refused("5 raise 42").code == "CAP_REACHED"


@pytest.mark.rule("LC-100")
def test_a_pair_in_the_hole_opens_no_upper_limit_nor_does_one_on_fifth() -> None:
    small = game(6, 12, form=Form.STUD, chip=1)
    play = stud("LC", small, {3: "8c 7d", 5: "Kh 2s"}, 4, downs={3: "8d 2c"})
    assert play.options() == {"fold", "check", "bet 6"}
    play = stud("LC", small, {3: "8c 7d 7c", 5: "Kh 2s 3c"}, 5)
    assert play.options() == {"fold", "check", "bet 12"}


@pytest.mark.rule("LC-100")
def test_a_folded_pair_opens_nothing() -> None:
    small = game(6, 12, form=Form.STUD, chip=1, bring_in=2)
    ups = {3: "8c 8d", 5: "Kh 2s", 7: "Qh 4s"}
    play = stud("LC", small, ups, 3)
    play.do("3 bringin, 5 call, 7 complete 6, 3 fold, 5 call")
    play.enter(hc.DealStreet(**IDS, up=((5, "2s"), (7, "4s"))))
    assert play.options() == {"fold", "check", "bet 6"}


@pytest.mark.rule("LC-100")
def test_all_in_between_the_limits_is_a_short_wager_of_the_upper() -> None:
    small = game(6, 12, form=Form.STUD, chip=1)
    ups = {3: "8c 8d", 5: "Kh 2s", 7: "Qh 4s"}
    play = stud("LC", small, ups, 4, stacks={3: 10, 5: 100, 7: 100})
    assert play.options() == {"fold", "check", "bet 6", "bet 10"}
    play.do("3 allin")
    assert play.options() == {"fold", "call 10", "complete 12", "complete 18"}
    play.do("5 call, 7 complete 12")
    assert play.options() == {"fold", "call 2", "raise 18", "raise 24"}


@pytest.mark.rule("LC-100")
def test_where_half_a_bet_counts_it_is_one_wager_that_is_raised_in_full() -> None:
    ups = {3: "8c 8d", 5: "Kh 2s", 7: "Qh 4s"}
    play = stud("LC", STUD, ups, 4, stacks={3: 100, 5: 15, 7: 100})
    play.do("3 check, 5 allin")
    assert play.options() == {"fold", "call 15", "raise 25", "raise 35"}
    assert play.state.betting is not None
    assert play.state.betting.wagers == 1


@pytest.mark.rule("LC-101")
@pytest.mark.parametrize("book", ["LC", "WP", "RC"])
def test_the_next_clockwise_from_an_all_in_high_board_opens(book: str) -> None:
    ups = {1: "Ks Kd 4c", 3: "9h 9c 2d", 6: "Ts 4h 5d", 8: "Qd 3h Jd"}
    play = stud(book, STUD, ups, 4, stacks={1: 10, 3: 300, 6: 300, 8: 300})
    play.do("1 allin, 3 fold, 6 call, 8 call")
    play.enter(hc.DealStreet(**IDS, up=((1, "4c"), (6, "5d"), (8, "Jd"))))
    assert play.state.to_act == 6


@pytest.mark.rule("LC-120")
def test_a_fold_with_no_bet_on_fourth_street_too() -> None:
    play = stud("LC", STUD, {2: "Ks Kh", 5: "9s 8h", 7: "7s 3h"}, 4)
    play.do("2 check, 5 fold, 7 check")
    assert play.refusal(hc.DealStreet(**IDS, up=((5, "3c"),))).code == "SEAT_NOT_LIVE"


@pytest.mark.rule("LC-102e")
@pytest.mark.rule("LC-102d")
def test_a_bring_in_that_ties_goes_to_the_lower_suit() -> None:
    small = game(10, 20, form=Form.STUD, bring_in=3)
    for ups, first in (
        ({2: "2d", 4: "2c", 7: "2h"}, 4),
        ({2: "3s", 4: "3d", 7: "3h"}, 4),
        ({2: "As", 4: "Ad", 7: "Ah"}, 4),
        ({2: "As", 4: "2s", 7: "Kc"}, 4),
    ):
        assert stud("LC", small, ups, 3).state.to_act == first
    razz = game(10, 20, form=Form.RAZZ, bring_in=3)
    assert stud("WP", razz, {2: "Ks", 4: "Kd", 7: "Ac"}, 3).state.to_act == 2


@pytest.mark.rule("LC-GL-opener")
def test_completing_counts_as_the_bet_and_three_raises_follow() -> None:
    small = game(10, 20, form=Form.STUD, bring_in=3)
    play = stud("LC", small, {2: "2d", 4: "Kc", 7: "9h", 8: "Js"}, 3)
    assert play.options() == {"bring in 3", "complete 10"}
    play.do("2 bringin, 4 call, 7 complete 10, 8 raise 20, 2 raise 30, 4 raise 40")
    assert play.refused("7 raise 50").code == "CAP_REACHED"


@pytest.mark.rule("LC-GL-all-in")
def test_a_bring_in_of_less_is_called_in_full_by_the_others() -> None:
    small = game(10, 20, form=Form.STUD, bring_in=3)
    play = stud("LC", small, {2: "2d", 4: "Kc", 7: "9h"}, 3, stacks={2: 2, 4: 100, 7: 100})
    play.do("2 bringin")
    assert play.options() == {"fold", "call 3", "complete 10"}
    play.do("4 call, 7 call")
    assert play.pots() == [(6, (2, 4, 7)), (2, (4, 7))]


@pytest.mark.rule("LC-78")
@pytest.mark.rule("WP-3S2")
@pytest.mark.parametrize("book", ["LC", "RC", "HG", "WP"])
def test_a_split_that_the_cards_do_not_make_is_refused(book: str) -> None:
    play = showdown(book, WP_10_20, "Kd 9d 7s 4c 2h", {2: "Kh 9c", 6: "7h 7c"}, pot=90)
    play.show(2, 6)
    refused = play.refusal(hc.AwardPots(**IDS, winners=(2, 6), losers_killed=True))
    assert refused.code == "CARDS_SPEAK"
    assert play.award(winners=(6,)) == {6: 90}
