"""Worked cases of betting.string_raise in all four books."""

import pytest

from cardroom.poker.legal import Act
from tests.plugins.hand_play import Play, at_street, game
from tests.plugins.observing import back, enter, fact, moved, owed, saw

LC_3_6 = game(3, 6, blinds=(1, 3))
LC_6_12 = game(6, 12, chip=2, blinds=(2, 6))
RC_6_12 = game(6, 12, blinds=(3, 6))
HG_2_4 = game(2, 4, chip="0.25", blinds=(1, 2))
WP_10_20 = game(10, 20, blinds=(5, 10))


def lc_turn() -> Play:
    play = at_street("LC", LC_3_6, "turn", {2: 100, 5: 100, 8: 100}, button=1)
    return play.do("2 bet 6")


@pytest.mark.rule("LC-61", 1)
def test_a_bet_plus_half_in_one_motion_is_a_raise() -> None:
    play = lc_turn()
    finding = saw(play, 5, "put 1x9; put 1x3", called_by="seat:2")
    assert finding.remedy == "raise"
    assert not finding.binding
    assert "LC-61" in finding.rules
    assert moved(finding) == []
    enter(play, finding)
    assert play.state.betting.level_cents == 1200
    assert play.options() == {"fold", "call 12", "raise 18"}


@pytest.mark.rule("LC-61", 2)
def test_less_than_a_bet_plus_half_is_a_call() -> None:
    play = lc_turn()
    finding = saw(play, 5, "put 1x8; put 1x4", called_by="seat:2")
    assert finding.remedy == "string_raise"
    assert moved(finding) == back(5, 6)
    assert [choice.remedy for choice in finding.choices] == ["raise"]
    enter(play, finding)
    assert play.state.betting.level_cents == 600
    assert play.state.to_act == 8


@pytest.mark.rule("LC-61", 3)
def test_a_raise_declared_first_is_no_string_raise() -> None:
    play = lc_turn()
    finding = saw(play, 5, "say raise; put 1x6; put 1x6", called_by="seat:2")
    assert finding.remedy == "raise"
    assert finding.binding
    assert moved(finding) == []
    enter(play, finding)
    assert play.state.betting.level_cents == 1200


@pytest.mark.rule("LC-62", 1)
def test_only_a_live_hand_calls_a_string_raise() -> None:
    play = at_street("LC", LC_6_12, "flop", {2: 100, 3: 100, 5: 100, 8: 100, 9: 100}, button=1)
    play.do("2 bet 6, 3 fold")
    for caller in ("seat:3", "dealer"):
        finding = saw(play, 5, "put 6; put 6", called_by=caller)
        assert finding.remedy == "raise"
        assert fact(finding, "reason") == "objector_has_no_live_hand"
        assert "LC-62" in finding.rules
    play.do("5 raise 12")
    assert saw(play, 5, "put 6; put 6", called_by="seat:3").remedy == "raise"
    in_time = saw(play, 5, "put 6; put 6", called_by="seat:2")
    assert in_time.remedy == "string_raise"
    enter(play, in_time)
    assert play.state.betting.level_cents == 600
    assert play.state.to_act == 8


@pytest.mark.rule("LC-62", 2)
def test_a_string_raise_stands_once_two_have_acted() -> None:
    play = at_street("LC", LC_6_12, "flop", {2: 100, 3: 100, 5: 100, 8: 100, 9: 100}, button=1)
    play.do("2 bet 6, 3 fold, 5 raise 12, 8 call")
    assert saw(play, 5, "put 6; put 6", called_by="seat:2").remedy == "string_raise"
    play.do("9 call")
    finding = saw(play, 5, "put 6; put 6", called_by="seat:2")
    assert finding.remedy == "raise"
    assert fact(finding, "reason") == "two_have_acted"
    assert finding.entries == ()
    assert play.state.to_act == 2
    assert play.options() == {"fold", "call 6", "raise 18"}


def by_mistake() -> Play:
    play = at_street("LC", LC_6_12, "flop", {2: 100, 5: 100, 8: 100}, button=1)
    return play.do("2 bet 6")


@pytest.mark.rule("LC-63", 1)
def test_a_raise_made_by_mistake_may_be_withdrawn() -> None:
    play = by_mistake()
    finding = saw(play, 5, "put 2x6", asks="withdraw")
    assert finding.remedy == "raise_withdrawn"
    assert finding.rules == ("LC-63",)
    assert moved(finding) == back(5, 6)
    enter(play, finding)
    assert play.state.to_act == 8
    assert play.options() == {"fold", "call 6", "raise 12"}


@pytest.mark.rule("LC-63", 2)
def test_a_raise_made_by_mistake_stands_once_somebody_behind_acted() -> None:
    play = by_mistake()
    play.do("5 raise 12, 8 call")
    finding = saw(play, 5, "put 2x6", asks="withdraw")
    assert finding.remedy == "raise"
    assert fact(finding, "reason") == "action_behind"
    assert finding.entries == ()
    assert play.state.betting.level_cents == 1200


@pytest.mark.rule("LC-64", 1)
def test_cutting_chips_out_and_looking_before_saying_raise_is_a_string_raise() -> None:
    play = at_street("LC", LC_6_12, "river", {2: 100, 5: 100, 8: 100}, button=1)
    play.do("2 bet 12")
    did = "hold 2x12; cut 2x6; pause; say raise"
    finding = saw(play, 5, did, called_by="seat:2")
    assert finding.remedy == "string_raise"
    assert {"LC-64", "LC-61"} <= set(finding.rules)
    assert moved(finding) == back(5, 12)
    assert [choice.remedy for choice in finding.choices] == ["raise"]
    enter(play, finding, "raise")
    assert play.state.betting.level_cents == 2400
    again = at_street("LC", LC_6_12, "river", {2: 100, 5: 100, 8: 100}, button=1)
    again.do("2 bet 12")
    enter(again, saw(again, 5, did, called_by="seat:2"))
    assert again.state.betting.level_cents == 1200


@pytest.mark.rule("LC-GL-string-raise", 1)
def test_an_undeclared_raise_in_more_than_one_motion_is_a_string_raise() -> None:
    play = by_mistake()
    finding = saw(play, 5, "put 2x3; put 2x3", called_by="seat:2")
    assert finding.remedy == "string_raise"
    assert moved(finding) == back(5, 6)
    enter(play, finding)
    assert play.events[-1].act is Act.CALL


def rc_flop() -> Play:
    play = at_street("RC", RC_6_12, "flop", {2: 100, 4: 100, 5: 100}, button=1)
    return play.do("2 bet 6, 4 call")


@pytest.mark.rule("RC-B9", 1)
def test_going_back_for_the_raise_is_a_call() -> None:
    play = rc_flop()
    finding = saw(play, 5, "put 1x6; put 1x6", called_by="seat:4")
    assert finding.remedy == "string_raise"
    assert "RC-B9" in finding.rules
    assert moved(finding) == back(5, 6)
    enter(play, finding)
    assert play.pots() == [(18, (2, 4, 5))]


@pytest.mark.rule("RC-B9", 2)
def test_the_word_came_first() -> None:
    play = rc_flop()
    finding = saw(play, 5, "say raise; put 1x6; put 1x6", called_by="seat:4")
    assert finding.remedy == "raise"
    assert moved(finding) == []
    enter(play, finding)
    assert play.state.betting.level_cents == 1200


def hg_flop() -> Play:
    return at_street("HG", HG_2_4, "flop", {2: 50, 5: 50, 6: 50}, button=1).do("2 bet 2")


@pytest.mark.rule("HG-B11", 1)
def test_a_bet_and_half_has_to_be_completed() -> None:
    play = hg_flop()
    finding = saw(play, 5, "put 0.5x6")
    assert (finding.remedy, finding.binding) == ("raise", True)
    assert "HG-B11" in finding.rules
    assert moved(finding) == owed(5, 1)
    enter(play, finding)
    assert play.state.betting.level_cents == 400


@pytest.mark.rule("HG-B11", 2)
def test_less_than_half_a_bet_more_is_a_call() -> None:
    play = hg_flop()
    finding = saw(play, 5, "put 0.25x11")
    assert finding.remedy == "call"
    assert moved(finding) == back(5, 0.75)
    enter(play, finding)
    assert play.state.betting.level_cents == 200


def wp_turn() -> Play:
    return at_street("WP", WP_10_20, "turn", {2: 200, 5: 200, 8: 200}, button=1).do("2 bet 20")


@pytest.mark.rule("WP-3R14", 1)
def test_thirty_is_a_raise_and_twenty_nine_a_call() -> None:
    play = wp_turn()
    finding = saw(play, 5, "put 10x3")
    assert (finding.remedy, finding.binding) == ("raise", True)
    assert "WP-3R14" in finding.rules
    assert moved(finding) == owed(5, 10)
    enter(play, finding)
    assert play.state.betting.level_cents == 4000
    play = wp_turn()
    finding = saw(play, 5, "put 20+1x9")
    assert finding.remedy == "call"
    assert moved(finding) == back(5, 9)
    enter(play, finding)
    assert play.state.betting.level_cents == 2000


@pytest.mark.rule("WP-3R14", 2)
def test_reaching_back_is_a_string_raise() -> None:
    play = wp_turn()
    finding = saw(play, 5, "put 10x2; put 10x2", called_by="seat:8")
    assert finding.remedy == "string_raise"
    assert moved(finding) == back(5, 20)
    enter(play, finding)
    assert play.state.betting.level_cents == 2000
    assert play.state.to_act == 8
