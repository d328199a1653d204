"""Worked cases of showdown.* in Rancho's Club book, as far as the hand itself enforces them."""

import pytest

from cardroom.known.games import Structure
from tests.plugins.hand_play import IDS, Play, at_street, game, hc, read, showdown

RC_6_12 = game(6, 12)
RC_NL = game(5, structure=Structure.NO_LIMIT)


@pytest.mark.rule("RC-D4f", 2)
@pytest.mark.rule("RC-S2", 1)
@pytest.mark.parametrize(
    ("board", "hands", "won"),
    [
        ("Ad Qd Qs 7c 2h", {3: "Ah Qh", 5: "Kc Kh"}, {3: 90}),
        ("Kc 8c 5c 2s 2d", {3: "Qc Tc", 6: "Ks 2h"}, {6: 90}),
    ],
)
def test_a_hand_is_read_at_its_value(
    board: str, hands: dict[int, str], won: dict[int, int]
) -> None:
    assert read("RC", RC_6_12, board, hands, pot=90) == won


@pytest.mark.rule("RC-S2", 2)
def test_a_flush_called_two_pair_wins() -> None:
    hands = {3: "Qc Tc", 6: "Ks 8h"}
    assert read("RC", RC_6_12, "Kc 8c 5c 2s 3d", hands, pot=88) == {3: 88}


@pytest.mark.rule("RC-S1", 1)
def test_both_hole_cards_are_shown() -> None:
    play = showdown("RC", RC_6_12, "As 9d 7h 4c 2s", {2: "Ah Kh", 5: "9c 8c"}, pot=96)
    play.do("2 show Ah")
    refused = play.refusal(hc.AwardPots(**IDS, winners=(2,)))
    assert (refused.code, refused.rules) == ("ALL_CARDS_MUST_BE_SHOWN", ("RC-S1",))
    play.do("2 show Kh, 5 muck")
    assert play.award() == {2: 96}


@pytest.mark.rule("RC-S4", 1)
def test_losing_hands_are_killed_first() -> None:
    hands = {2: "Ah Kh", 5: "9c 8c", 7: "Qc Jc"}
    play = showdown("RC", RC_6_12, "As 9d 7h 4c 2s", hands, pot=80).show(2, 5, 7)
    refused = play.refusal(hc.AwardPots(**IDS))
    assert (refused.code, refused.rules) == ("LOSING_HAND_NOT_KILLED", ("RC-S4",))
    assert "5, 7" in refused.message


@pytest.mark.rule("RC-S4", 2)
def test_awarded_once_they_are_killed() -> None:
    hands = {2: "Ah Kh", 5: "9c 8c", 7: "Qc Jc"}
    play = showdown("RC", RC_6_12, "As 9d 7h 4c 2s", hands, pot=80).show(2, 5, 7)
    play.do("5 kill, 7 kill")
    play.enter(hc.AwardPots(**IDS))
    assert play.won() == {2: 80}


def _called_river(pot: int) -> Play:
    """Seat 8 was dealt in and folded before the flop; seat 2's bet on the river was called by seat 5."""
    play = Play("RC", RC_6_12, {2: 300, 5: 300, 8: 300}, button=9)
    play.do("2 bet 6, 5 call, 8 fold").deal("Ac 9c 4c").check_around()
    play.deal("Td").check_around()
    play.deal("2s").do("2 bet 12, 5 call")
    play.holds({2: "Ah Kd", 5: "8c 3c"})
    return play.show(2)


@pytest.mark.rule("RC-S5", 1)
def test_a_player_dealt_in_may_ask() -> None:
    play = _called_river(12)
    requested = play.enter(hc.AskToSee(**IDS, asked_by=8, seat=5))[0]
    assert not requested.live  # type: ignore[attr-defined]
    play.show(5)
    assert play.award() == {2: 36}


@pytest.mark.rule("RC-S5", 2)
def test_not_once_it_is_in_the_muck() -> None:
    play = _called_river(12).do("5 muck")
    refused = play.refusal(hc.AskToSee(**IDS, asked_by=8, seat=5))
    assert (refused.code, refused.rules) == ("HAND_IN_MUCK", ("RC-S5",))


@pytest.mark.rule("RC-S5a", 1)
def test_asked_for_by_another_the_hand_is_killed_first() -> None:
    play = _called_river(84)
    play.enter(hc.AskToSee(**IDS, asked_by=8, seat=5))
    assert not next(chair for chair in play.state.chairs if chair.seat == 5).live
    play.show(5)
    assert play.award() == {2: 36}


@pytest.mark.rule("RC-S5b", 1)
def test_asked_for_by_the_winner_both_are_live() -> None:
    play = _called_river(84)
    play.enter(hc.AskToSee(**IDS, asked_by=2, seat=5))
    play.show(5)
    assert play.award() == {5: 36}


@pytest.mark.rule("RC-S6", 1)
def test_checked_around_the_last_to_act_shows_first() -> None:
    play = at_street("RC", RC_6_12, "river", {2: 300, 5: 300, 7: 300}, button=1).check_around()
    assert play.state.order == (7, 2, 5)


@pytest.mark.rule("RC-S7", 1)
def test_the_last_raiser_shows_first() -> None:
    play = at_street("RC", RC_6_12, "river", {2: 300, 5: 300, 7: 300}, button=1)
    play.do("2 bet 12, 5 raise 24, 7 fold, 2 call")
    assert play.state.order == (5, 2)


def _side_pot() -> Play:
    """Seat 1 is all-in for $40, seats 4 and 6 have $30 more each in a side pot."""
    play = Play("RC", RC_NL, {1: 40, 4: 300, 6: 300}, button=9)
    play.do("1 allin, 4 call, 6 call").deal("As 9d 7h")
    play.do("4 bet 30, 6 call").deal("4c").check_around()
    play.deal("2s").check_around()
    play.holds({1: "Ah Ad", 4: "Kc Kd", 6: "Qc Qd"})
    assert play.pots() == [(120, (1, 4, 6)), (60, (4, 6))]
    return play


@pytest.mark.rule("RC-S8", 1)
def test_all_in_hands_stay_hidden_until_the_side_pot_is_awarded() -> None:
    refused = _side_pot().refused("1 show")
    assert (refused.code, refused.rules) == ("SIDE_POT_FIRST", ("RC-S8",))


@pytest.mark.rule("RC-S8", 2)
def test_then_they_are_shown_for_the_main_pot() -> None:
    play = _side_pot().show(4, 6)
    play.enter(hc.AwardPots(**IDS, pot=1))
    assert play.won() == {4: 60}
    play.do("6 kill")
    play.show(1)
    assert play.award() == {1: 120, 4: 60}


@pytest.mark.rule("RC-S9", 1)
def test_an_uncalled_hand_is_not_shown() -> None:
    play = at_street("RC", RC_6_12, "river", {2: 300, 5: 300}, button=1, pot=60)
    play.do("2 bet 12, 5 fold")
    refused = play.refusal(hc.AskToSee(**IDS, asked_by=5, seat=2))
    assert (refused.code, refused.rules) == ("NOBODY_CALLED", ("RC-S9",))
    assert play.won() == {2: 60}
    assert play.stack(2) == 360
