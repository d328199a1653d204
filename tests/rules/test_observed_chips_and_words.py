"""Worked cases of betting.one_chip, betting.verbal, betting.forward_motion and betting.short_bet in all four books."""

import pytest

from cardroom.known.games import Structure
from cardroom.tables.hand_events import Phase
from tests.plugins.hand_play import Play, at_street, game
from tests.plugins.observing import back, enter, fact, moved, owed, saw

LC_6_12 = game(6, 12, chip=2, blinds=(2, 6))
RC_3_6 = game(3, 6, blinds=(1, 3))
RC_4_8 = game(4, 8, blinds=(2, 4))
RC_6_12 = game(6, 12, blinds=(3, 6))
RC_1_2 = game(2, structure=Structure.NO_LIMIT, blinds=(1, 2))
HG_2_4 = game(2, 4, chip="0.25", blinds=(1, 2))
WP_4_8 = game(4, 8, blinds=(2, 4))
WP_10_20 = game(10, 20, blinds=(5, 10))
WP_NL_5 = game(10, structure=Structure.NO_LIMIT, chip=5, blinds=(5, 10))


def bet(book: str, a_game: object, street: str, amount: str, *seats: int) -> Play:
    """Return a street on which seat 2 (or 3) has bet and the next seat is to act."""
    first, *_ = seats
    play = at_street(book, a_game, street, dict.fromkeys(seats, 200), button=1)  # type: ignore[arg-type]
    return play.do(f"{first} bet {amount}")


# ------------------------------------------------------------------ one chip


@pytest.mark.rule("LC-56", 1)
def test_one_large_chip_is_a_call() -> None:
    play = bet("LC", LC_6_12, "flop", "6", 2, 5, 8)
    finding = saw(play, 5, "put 20")
    assert (finding.remedy, finding.binding, finding.rules) == ("call", True, ("LC-56",))
    assert moved(finding) == back(5, 14)
    enter(play, finding)
    assert play.stack(5) == 194
    assert play.events[-1].rules == ("LC-56",)


@pytest.mark.rule("LC-56", 2)
def test_one_large_chip_after_the_word_is_a_raise() -> None:
    play = bet("LC", LC_6_12, "flop", "6", 2, 5, 8)
    finding = saw(play, 5, "say raise; put 20")
    assert (finding.remedy, finding.binding) == ("raise", True)
    assert moved(finding) == back(5, 8)
    enter(play, finding)
    assert play.stack(5) == 188


@pytest.mark.rule("RC-B12", 1)
def test_a_chip_below_the_raise_is_a_call() -> None:
    play = bet("RC", RC_6_12, "flop", "6", 2, 5, 8)
    finding = saw(play, 5, "put 10")
    assert (finding.remedy, finding.rules) == ("call", ("RC-B12",))
    assert moved(finding) == back(5, 4)
    enter(play, finding)
    assert play.state.betting.level_cents == 600


@pytest.mark.rule("RC-B12", 2)
def test_a_chip_with_the_word_is_a_raise() -> None:
    play = bet("RC", RC_6_12, "flop", "6", 2, 5, 8)
    finding = saw(play, 5, "say raise; put 25")
    assert finding.remedy == "raise"
    assert moved(finding) == back(5, 13)
    enter(play, finding)
    assert play.state.betting.level_cents == 1200


@pytest.mark.rule("HG-B12", 1)
def test_a_green_chip_is_a_call() -> None:
    play = bet("HG", HG_2_4, "turn", "4", 2, 5, 8)
    finding = saw(play, 5, "put 20")
    assert (finding.remedy, finding.rules) == ("call", ("HG-B12",))
    assert moved(finding) == back(5, 16)


@pytest.mark.rule("HG-B12", 2)
def test_a_green_chip_after_the_word_is_a_raise() -> None:
    play = bet("HG", HG_2_4, "turn", "4", 2, 5, 8)
    finding = saw(play, 5, "say raise; put 20")
    assert finding.remedy == "raise"
    assert moved(finding) == back(5, 12)
    enter(play, finding)
    assert play.state.betting.level_cents == 800


@pytest.mark.rule("WP-3R15", 1)
def test_a_chip_larger_than_the_bet_is_a_call() -> None:
    play = bet("WP", WP_4_8, "flop", "4", 3, 6, 8)
    finding = saw(play, 6, "put 25")
    assert (finding.remedy, finding.rules) == ("call", ("WP-3R15",))
    assert moved(finding) == back(6, 21)


@pytest.mark.rule("WP-3R15", 2)
def test_a_chip_larger_than_the_bet_after_the_word_is_a_raise() -> None:
    play = bet("WP", WP_10_20, "turn", "20", 3, 6, 8)
    finding = saw(play, 6, "say raise; put 100")
    assert finding.remedy == "raise"
    assert moved(finding) == back(6, 60)
    enter(play, finding)
    assert play.state.betting.level_cents == 4000


# ------------------------------------------------------------------ words


@pytest.mark.rule("LC-54", 1)
def test_a_declared_raise_is_no_call_any_more() -> None:
    play = bet("LC", LC_6_12, "flop", "6", 2, 5, 8)
    finding = saw(play, 5, "say raise; put 2x3; say just a call")
    assert (finding.remedy, finding.rules) == ("raise", ("LC-54",))
    assert fact(finding, "reason") == "declared_raise"
    assert moved(finding) == owed(5, 6)
    enter(play, finding)
    assert play.refused("5 call").code == "OUT_OF_TURN"
    assert play.state.betting.level_cents == 1200


@pytest.mark.rule("LC-54", 2)
def test_a_bet_declared_out_of_turn_does_not_bind() -> None:
    play = at_street("LC", LC_6_12, "flop", {2: 100, 5: 100, 8: 100}, button=1)
    finding = saw(play, 5, "say bet")
    assert (finding.remedy, finding.rules) == ("not_binding", ("LC-50",))
    assert finding.entries == ()
    assert play.state.to_act == 2


@pytest.mark.rule("LC-GL-verbal-declaration", 1)
def test_what_nobody_hears_is_no_declaration() -> None:
    play = bet("LC", LC_6_12, "flop", "6", 2, 5, 8)
    finding = saw(play, 5, "mouth raise; put 2x3", called_by="seat:2")
    assert (finding.remedy, finding.binding) == ("call", False)
    assert fact(finding, "reason") == "not_audible"
    assert [choice.remedy for choice in finding.choices] == ["raise"]
    enter(play, finding)
    assert play.state.betting.level_cents == 600


@pytest.mark.rule("RC-B6", 1)
def test_a_declared_call_is_held_to_the_call() -> None:
    play = bet("RC", RC_4_8, "turn", "8", 2, 5, 8)
    finding = saw(play, 5, "say call; put 4x4")
    assert (finding.remedy, finding.binding, finding.rules) == ("call", True, ("RC-B6",))
    assert moved(finding) == back(5, 8)
    enter(play, finding)
    assert play.stack(5) == 192


@pytest.mark.rule("RC-B6", 2)
def test_a_declared_raise_is_held_to_the_raise() -> None:
    play = bet("RC", RC_4_8, "turn", "8", 2, 5, 8)
    finding = saw(play, 5, "say raise; put 4x2")
    assert finding.remedy == "raise"
    assert moved(finding) == owed(5, 8)
    enter(play, finding)
    assert play.stack(5) == 184


@pytest.mark.rule("RC-B6a", 1)
def test_naming_the_amount_is_a_raise() -> None:
    play = bet("RC", RC_3_6, "flop", "3", 2, 5, 8)
    finding = saw(play, 5, "say six")
    assert (finding.remedy, finding.binding) == ("raise", True)
    assert "RC-B6a" in finding.rules
    enter(play, finding)
    assert play.stack(5) == 194


@pytest.mark.rule("RC-B6a", 2)
def test_naming_the_least_raise_is_a_raise_in_no_limit() -> None:
    play = at_street("RC", RC_1_2, "flop", {2: 200, 5: 200, 8: 200}, button=1).do("2 bet 3")
    finding = saw(play, 5, "say six")
    assert (finding.remedy, finding.binding) == ("raise", True)
    enter(play, finding)
    assert play.state.betting.level_cents == 600
    assert play.state.betting.raise_cents == 300


@pytest.mark.rule("HG-B7", 1)
def test_call_said_is_a_call() -> None:
    play = bet("HG", HG_2_4, "turn", "4", 2, 5, 8)
    finding = saw(play, 5, "say call; put 4x2")
    assert (finding.remedy, finding.rules) == ("call", ("HG-B7",))
    assert moved(finding) == back(5, 4)


@pytest.mark.rule("HG-B7", 2)
def test_raise_said_is_a_raise() -> None:
    play = bet("HG", HG_2_4, "turn", "4", 2, 5, 8)
    finding = saw(play, 5, "say raise; put 4")
    assert finding.remedy == "raise"
    assert moved(finding) == owed(5, 4)
    enter(play, finding)
    assert play.state.betting.level_cents == 800


@pytest.mark.rule("WP-3R8", 1)
def test_a_raise_said_cannot_become_a_call() -> None:
    play = bet("WP", WP_10_20, "turn", "20", 2, 5, 8)
    finding = saw(play, 5, "say raise; put 10x2; say just call")
    assert (finding.remedy, finding.rules) == ("raise", ("WP-3R8",))
    assert moved(finding) == owed(5, 20)
    enter(play, finding)
    assert play.state.betting.level_cents == 4000


@pytest.mark.rule("WP-3R8", 2)
def test_a_check_said_cannot_become_a_bet() -> None:
    play = at_street("WP", WP_10_20, "turn", {5: 200, 8: 200}, button=1)
    finding = saw(play, 5, "say check; put 10x2")
    assert (finding.remedy, finding.binding) == ("check", True)
    assert fact(finding, "reason") == "declared_check"
    assert moved(finding) == back(5, 20)
    enter(play, finding)
    assert play.state.to_act == 8


@pytest.mark.rule("WP-3R9", 1)
def test_a_rap_is_a_check() -> None:
    play = at_street("WP", WP_4_8, "flop", {5: 200, 8: 200}, button=1)
    finding = saw(play, 5, "tap; put 1x4")
    assert (finding.remedy, finding.binding, finding.rules) == ("check", True, ("WP-3R9",))
    assert fact(finding, "reason") == "already_acted"
    assert moved(finding) == back(5, 4)
    enter(play, finding)
    play.do("8 bet 4")
    assert play.options() == {"fold", "call 4", "raise 8"}


# ------------------------------------------------------------------ forward motion


@pytest.mark.rule("LC-52", 1)
def test_a_forward_motion_may_be_ruled_a_bet() -> None:
    play = at_street("LC", LC_6_12, "river", {5: 100, 8: 100}, button=1)
    finding = saw(play, 5, "hold 2x6; back")
    assert (finding.remedy, finding.binding, finding.rules) == ("bet", False, ("LC-52",))
    enter(play, finding)
    assert play.state.to_act == 8
    assert play.options() == {"fold", "call 12", "raise 24"}
    assert play.events[-1].rules == ("LC-52",)


@pytest.mark.rule("LC-52", 2)
def test_a_forward_motion_may_be_ruled_no_bet() -> None:
    play = at_street("LC", LC_6_12, "river", {5: 100, 8: 100}, button=1)
    finding = saw(play, 5, "hold 2x6; back")
    assert [choice.remedy for choice in finding.choices] == ["no_wager"]
    enter(play, finding, "no_wager")
    assert play.state.to_act == 5
    assert play.options() == {"fold", "check", "bet 12"}


@pytest.mark.rule("HG-B10", 1)
def test_a_forward_motion_on_which_another_acted_is_completed() -> None:
    play = at_street("HG", HG_2_4, "turn", {3: 50, 4: 50, 6: 50}, button=1)
    finding = saw(play, 3, "hold 2x2; pause", "4 call")
    assert (finding.remedy, finding.binding, finding.rules) == ("bet", False, ("HG-B10",))
    assert [choice.remedy for choice in finding.choices] == ["no_wager"]
    enter(play, finding)
    assert play.state.to_act == 6
    assert play.options() == {"fold", "call 4", "raise 8"}


@pytest.mark.rule("WP-3R13", 1)
def test_a_forward_motion_that_made_another_fold_is_a_bet() -> None:
    play = at_street("WP", WP_10_20, "turn", {4: 200, 6: 200, 8: 200}, button=1)
    finding = saw(play, 4, "hold 10x2; back", "6 fold")
    assert (finding.remedy, finding.binding, finding.rules) == ("bet", False, ("WP-3R13",))
    enter(play, finding)
    assert play.state.to_act == 8
    assert play.options() == {"fold", "call 20", "raise 40"}


@pytest.mark.rule("WP-3R13", 2)
def test_a_forward_motion_on_which_nobody_acted_does_not_bind() -> None:
    play = at_street("WP", WP_10_20, "turn", {4: 200, 6: 200, 8: 200}, button=1)
    finding = saw(play, 4, "hold 10x2; back")
    assert finding.remedy == "no_wager"
    assert moved(finding) == back(4, 20)
    enter(play, finding)
    assert play.options() == {"fold", "check", "bet 20"}


# ------------------------------------------------------------------ short bets


@pytest.mark.rule("LC-57", 1)
def test_a_bet_that_is_too_small_is_made_complete() -> None:
    play = at_street("LC", LC_6_12, "flop", {4: 90, 8: 100}, button=1)
    finding = saw(play, 4, "put 2x2")
    assert (finding.remedy, finding.binding, finding.rules) == ("bet", True, ("LC-57",))
    assert moved(finding) == owed(4, 2)
    asked = saw(play, 4, "put 2x2", asks="take_back")
    assert asked.remedy == "bet"
    assert fact(asked, "reason") == "chips_released"
    enter(play, finding)
    assert play.stack(4) == 84


@pytest.mark.rule("LC-57", 2)
def test_a_call_that_is_too_small_is_made_complete() -> None:
    play = bet("LC", LC_6_12, "flop", "6", 2, 4, 8)
    finding = saw(play, 4, "put 2", aware=True)
    assert (finding.remedy, finding.binding, finding.rules) == ("call", True, ("LC-57",))
    assert moved(finding) == owed(4, 4)
    enter(play, finding)
    assert play.stack(4) == 194


@pytest.mark.rule("WP-3R16", 1)
def test_a_bet_of_the_lower_limit_is_brought_up() -> None:
    play = at_street("WP", WP_10_20, "turn", {2: 200, 5: 200, 8: 200}, button=1)
    finding = saw(play, 2, "put 5x2", "5 call")
    assert (finding.remedy, finding.binding, finding.rules) == ("bet", False, ("WP-3R16",))
    assert "seat 5 adds what is missing and may not raise more" in finding.steps
    enter(play, finding)
    assert (play.stack(2), play.stack(5)) == (180, 180)
    assert play.state.to_act == 8
    assert play.options() == {"fold", "call 20", "raise 40"}


@pytest.mark.rule("WP-3R16", 2)
def test_after_the_round_a_short_bet_stands() -> None:
    play = at_street("WP", WP_10_20, "turn", {2: 200, 5: 200, 8: 200}, button=1)
    finding = saw(play, 2, "put 5x2", "5 call, 8 call")
    assert (finding.remedy, finding.rules) == ("stands", ("WP-3R16",))
    enter(play, finding)
    assert play.state.phase is Phase.DEALING
    assert play.pots() == [(30, (2, 5, 8))]
    play.deal()
    assert play.state.to_act == 2


@pytest.mark.rule("WP-3R16", 3)
@pytest.mark.parametrize(("chips", "to"), [("50+1x2", 50), ("50+1x3", 55)])
def test_a_wager_to_be_rounded_becomes_the_nearest_amount(chips: str, to: int) -> None:
    play = at_street("WP", WP_NL_5, "flop", {4: 500, 6: 500, 8: 500}, button=1)
    finding = saw(play, 4, f"put {chips}")
    assert (finding.remedy, finding.binding) == ("bet", False)
    assert "WP-3R16" in finding.rules
    enter(play, finding)
    assert play.state.betting.level_cents == to * 100
