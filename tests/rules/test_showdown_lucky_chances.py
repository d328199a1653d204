"""Worked cases of showdown.* in the Lucky Chances book, as far as the hand itself enforces them."""

import pytest

from tests.plugins.hand_play import IDS, at_street, game, hc, read, showdown

LC_6_12 = game(6, 12, chip=2, blinds=(2, 6))


@pytest.mark.rule("LC-72", 1)
def test_who_plays_the_board_has_to_show() -> None:
    play = showdown("LC", LC_6_12, "As Kd Qh Jc Ts", {2: "4c 4d", 6: "7h 8h"}, pot=96)
    play.show(2)
    assert play.refusal(hc.SayBoardPlays(**IDS, seat=6)).rules == ("LC-72",)
    play.do("6 muck")
    assert play.award() == {2: 96}


@pytest.mark.rule("LC-72", 2)
def test_all_cards_are_shown_to_win() -> None:
    play = showdown("LC", LC_6_12, "As Kd Qh Jc 2s", {2: "Ah 4d", 6: "7h 8h"}, pot=96)
    play.do("2 show Ah")
    refused = play.refusal(hc.AwardPots(**IDS, winners=(2,)))
    assert refused.code == "ALL_CARDS_MUST_BE_SHOWN"
    assert "LC-72" in refused.rules


@pytest.mark.rule("LC-73", 1)
def test_the_last_raiser_shows_first() -> None:
    play = at_street("LC", LC_6_12, "river", {2: 300, 5: 300, 8: 300}, button=1)
    play.do("2 bet 12, 5 raise 24, 8 call, 2 call")
    assert play.state.order == (5, 8, 2)


@pytest.mark.rule("LC-73", 2)
def test_checked_around_the_first_checker_shows_first() -> None:
    play = at_street("LC", LC_6_12, "river", {2: 300, 5: 300, 8: 300}, button=1).check_around()
    assert play.state.order == (2, 5, 8)


@pytest.mark.rule("LC-74", 1)
def test_what_is_said_of_a_hand_does_not_bind() -> None:
    won = read("LC", LC_6_12, "Kd 9d 7s 4c 2h", {2: "Kh 9c", 6: "7h 7c"}, pot=120)
    assert won == {6: 120}


@pytest.mark.rule("LC-75", 1)
def test_a_hand_shown_to_another_than_the_winner_is_dead() -> None:
    play = showdown("LC", LC_6_12, "As Kd 8c 5h 2d", {2: "Ks Qs", 5: "Ah 3c"}, pot=96)
    play.show(2).do("5 muck")
    play.enter(hc.AskToSee(**IDS, asked_by=7, seat=5))
    play.show(5)
    assert play.award() == {2: 96}


@pytest.mark.rule("LC-75", 2)
def test_a_hand_shown_to_the_winner_is_live() -> None:
    play = showdown("LC", LC_6_12, "As Kd 8c 5h 2d", {2: "Ks Qs", 5: "Ah 3c"}, pot=96)
    play.show(2).do("5 muck")
    play.enter(hc.AskToSee(**IDS, asked_by=2, seat=5))
    play.show(5)
    assert play.award() == {5: 96}


@pytest.mark.rule("LC-78", 1)
def test_cards_speak() -> None:
    won = read("LC", LC_6_12, "Th 8h 5h Kc 3d", {2: "Ah 4h", 6: "Kd 5c"}, pot=84)
    assert won == {2: 84}


@pytest.mark.rule("LC-78", 2)
def test_whoever_reads_it_the_award_follows_the_cards() -> None:
    play = showdown("LC", LC_6_12, "Th 8h 5h Kc 3d", {2: "Ah 4h", 6: "Kd 5c"}, pot=84)
    play.show(2, 6)
    refused = play.refusal(hc.AwardPots(**IDS, winners=(6,), losers_killed=True))
    assert refused.code == "CARDS_SPEAK"
    assert "LC-78" in refused.rules
    assert play.award() == {2: 84}


@pytest.mark.rule("LC-GL-play-the-board", 1)
def test_both_play_the_board() -> None:
    # The case's seats hold 9c 9d and Qs Jd; the board's aces and king are the best five of both.
    won = read("LC", LC_6_12, "Ah Ad Ac As Kd", {2: "9c 9d", 5: "Qs Jd"}, pot=60)
    assert won == {2: 30, 5: 30}


@pytest.mark.rule("LC-GL-seated-player", 1)
def test_only_who_sits_may_ask() -> None:
    play = showdown("LC", LC_6_12, "As Kd 8c 5h 2d", {2: "Ks Qs", 5: "Ah 3c"}, pot=96)
    play.show(2)
    refused = play.refusal(hc.AskToSee(**IDS, asked_by=4, seat=5, asker_seated=False))
    assert (refused.code, refused.rules) == ("NOT_SEATED", ("LC-75",))


@pytest.mark.rule("LC-GL-showdown", 1)
def test_with_one_left_there_is_no_showdown() -> None:
    play = at_street("LC", LC_6_12, "river", {2: 300, 5: 300}, button=1, pot=40)
    play.do("2 bet 12, 5 fold")
    assert play.won() == {2: 40}
    assert not play.state.showdown
    assert play.state.over
