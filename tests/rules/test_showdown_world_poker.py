"""Worked cases of showdown.* in the World Poker book, as far as the hand itself enforces them."""

import pytest

from cardroom.known.games import Form
from tests.plugins.hand_play import IDS, Play, at_street, game, hc, read, showdown, stud

WP_10_20 = game(10, 20)


@pytest.mark.rule("WP-3S1", 1)
def test_every_card_of_a_stud_hand_is_shown() -> None:
    ups = {3: "2h 5h 9h Kh", 6: "Ad Qc 7s 7d"}
    downs = {3: "Jh 3c 4d", 6: "As 2c 3d"}
    play = stud("WP", game(10, 20, form=Form.STUD), ups, 7, downs=downs, pot=44)
    play.do("6 check, 3 bet 20, 6 call, 3 show Jh")
    refused = play.refusal(hc.AwardPots(**IDS, winners=(3,)))
    assert (refused.code, refused.rules) == ("ALL_CARDS_MUST_BE_SHOWN", ("WP-3S1",))
    play.do("3 show 3c4d, 6 muck")
    assert play.award() == {3: 84}


@pytest.mark.rule("WP-3S2", 1)
def test_cards_speak() -> None:
    hands = {4: "Ah 7h", 7: "Kd Qs"}
    assert read("WP", WP_10_20, "Kh 9h 4h 4s 2c", hands, pot=72) == {4: 72}


@pytest.mark.rule("WP-3S4", 1)
def test_every_losing_hand_is_killed_before_the_award() -> None:
    hands = {5: "Ah Kh", 2: "9c 8c", 8: "Qc Jc"}
    play = showdown("WP", WP_10_20, "As 9d 7h 4c 2s", hands, pot=72).show(2, 5, 8)
    play.do("2 kill")
    refused = play.refusal(hc.AwardPots(**IDS))
    assert (refused.code, refused.rules) == ("LOSING_HAND_NOT_KILLED", ("WP-3S4",))
    assert "seats 8" in refused.message
    play.do("8 kill")
    play.enter(hc.AwardPots(**IDS))
    assert play.won() == {5: 72}


def _aces_up_in_the_muck() -> Play:
    """Seat 4 folded before the flop; seat 2's river bet was called by seat 7, who threw aces up away."""
    play = Play("WP", WP_10_20, {2: 300, 4: 300, 7: 300}, button=1)
    play.do("2 bet 10, 4 fold, 7 call").deal("As Kd 8c").check_around()
    play.deal("5h").check_around().deal("2d").do("2 bet 20, 7 call")
    play.holds({2: "Ks Qs", 7: "Ah 5c"})
    return play.show(2).do("7 muck")


@pytest.mark.rule("WP-3S5", 1)
def test_asked_for_by_one_dealt_in_the_hand_is_dead() -> None:
    play = _aces_up_in_the_muck()
    refused = play.refusal(hc.AskToSee(**IDS, asked_by=9, seat=7))
    assert (refused.code, refused.rules) == ("NOT_DEALT_IN", ("WP-3S5",))
    play.enter(hc.AskToSee(**IDS, asked_by=4, seat=7))
    play.show(7)
    assert play.award() == {2: 60}


@pytest.mark.rule("WP-3S5", 2)
def test_asked_for_by_the_winner_both_are_live() -> None:
    play = _aces_up_in_the_muck()
    play.enter(hc.AskToSee(**IDS, asked_by=2, seat=7))
    play.show(7)
    assert play.award() == {7: 60}


@pytest.mark.rule("WP-3S7", 1)
def test_first_checker_or_last_raiser_shows_first() -> None:
    stacks = {2: 300, 5: 300, 8: 300}
    assert at_street("WP", WP_10_20, "river", stacks).check_around().state.order == (2, 5, 8)
    play = at_street("WP", WP_10_20, "river", stacks)
    play.do("2 check, 5 bet 20, 8 raise 40, 2 call, 5 call")
    assert play.state.order == (8, 2, 5)


@pytest.mark.rule("WP-3S7", 2)
def test_the_side_pot_shows_before_the_main_pot() -> None:
    play = at_street("WP", WP_10_20, "turn", {2: 20, 5: 300, 8: 300})
    play.do("2 allin, 5 raise 40, 8 call").deal()
    play.do("5 check, 8 check")
    assert play.state.order == (5, 8, 2)
