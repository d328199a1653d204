"""Worked cases of stud.open_pair, stud.action and stud.showdown that the hand itself enforces."""

import pytest

from cardroom.known.games import Form
from tests.plugins.hand_play import IDS, Play, cards_of, game, hc, stud

LC_6_12 = game(6, 12, form=Form.STUD, chip=1)
LC_10_20 = game(10, 20, form=Form.STUD, chip=1)


@pytest.mark.rule("LC-100", 1)
def test_an_open_pair_opens_both_limits() -> None:
    play = stud("LC", LC_6_12, {3: "8c 8d", 5: "Kh 2s", 7: "Qh 4s"}, 4)
    assert play.options() == {"fold", "check", "bet 6", "bet 12"}
    play.do("3 bet 6")
    assert play.options() == {"fold", "call 6", "raise 12", "raise 18"}
    refused = play.refused("5 raise 24")
    assert refused.code == "AMOUNT_NOT_ALLOWED"


@pytest.mark.rule("LC-100", 2)
def test_once_the_upper_limit_is_used_it_stays() -> None:
    play = stud("LC", LC_6_12, {3: "8c 8d", 5: "Kh 2s", 7: "Qh 4s"}, 4)
    play.do("3 bet 6, 5 raise 18")
    assert play.options() == {"fold", "call 18", "raise 30"}
    assert play.refused("7 raise 24").code == "AMOUNT_NOT_ALLOWED"
    play.do("7 raise 30")


@pytest.mark.rule("LC-101", 1)
def test_a_high_hand_that_is_all_in_passes_the_action_on() -> None:
    ups = {2: "Ts 4h Td", 4: "Ks 9h Kd", 7: "Qs 3h 5d"}
    play = stud("LC", LC_10_20, ups, 4, stacks={2: 300, 4: 10, 7: 300})
    assert play.state.to_act == 4
    play.do("4 allin, 7 call, 2 call")
    up = tuple((seat, cards_of(cards)[2]) for seat, cards in ups.items())
    dealt = play.enter(hc.DealStreet(**IDS, up=up))[0]
    assert play.state.to_act == 7
    assert dealt.rules == ("LC-101",)  # type: ignore[attr-defined]


@pytest.mark.rule("LC-102c", 1)
def test_beaten_on_board_gives_no_refund() -> None:
    ups = {3: "Qs Qh Qd 4c", 5: "9s 8h 9d 8d"}
    play = stud("LC", LC_10_20, ups, 7, pot=160).do("3 bet 20, 5 call")
    refused = play.refusal(hc.AskRefund(**IDS, seat=5, cents=2000))
    assert (refused.code, refused.rules) == ("BEATEN_ON_BOARD", ("LC-102c",))
    assert play.state.pot_cents == 20000


@pytest.mark.rule("LC-102d", 1)
def test_all_seven_cards_are_shown_before_the_award() -> None:
    ups = {6: "2h 5h 9h Kh", 2: "4d Qc 7s 4c"}
    downs = {6: "Jh 3c 3d", 2: "4h 2c 6d"}
    play = stud("LC", LC_10_20, ups, 7, downs=downs, pot=220).check_around()
    play.show(2).do("6 show Jh")
    refused = play.refusal(hc.AwardPots(**IDS, losers_killed=True))
    assert refused.code == "ALL_CARDS_MUST_BE_SHOWN"
    assert "LC-102d" in refused.rules
    play.do("6 show 3c3d")
    assert play.award() == {6: 220}


@pytest.mark.rule("LC-120", 1)
def test_who_folds_with_no_bet_gets_no_more_cards() -> None:
    ups = {2: "Ks Kh 4d", 5: "9s 8h 2d", 7: "7s 3h 5d"}
    play = stud("LC", LC_10_20, ups, 5, pot=30)
    play.do("2 fold, 5 check, 7 check")
    refused = play.refusal(hc.DealStreet(**IDS, up=((2, "2c"), (5, "3c"), (7, "4c"))))
    assert (refused.code, refused.rules) == ("SEAT_NOT_LIVE", ("LC-120",))
    play.enter(hc.DealStreet(**IDS, up=((5, "3c"), (7, "4c")), burned="6c"))


def test_robert_deals_to_the_seat_until_there_is_a_wager() -> None:
    ups = {2: "Ks Kh 4d", 5: "9s 8h 2d", 7: "7s 3h 5d"}
    play: Play = stud("WP", LC_10_20, ups, 5, pot=30)
    play.do("2 fold, 5 check, 7 check")
    play.enter(hc.DealStreet(**IDS, up=((2, "2c"), (5, "3c"), (7, "4c"))))
    play.do("5 bet 20, 7 call")
    play.enter(hc.DealStreet(**IDS))
    assert play.state.phase.value == "betting"
