"""Worked cases of betting.all_in, betting.cap, betting.check_raise and betting.min_raise in the World Poker book."""

import pytest

from cardroom.known.games import Form, Structure
from tests.plugins.hand_play import IDS, Play, at_street, blinds, game, hc

WP_10_20 = game(10, 20, blinds=(5, 10))
WP_2_5 = game(5, structure=Structure.NO_LIMIT, blinds=(2, 5))


@pytest.mark.rule("WP-3R1", 1)
def test_check_raising_is_allowed() -> None:
    play = at_street("WP", WP_10_20, "flop", {2: 300, 5: 300}, button=1)
    play.do("2 check, 5 bet 10, 2 raise 20")
    assert play.state.to_act == 5


@pytest.mark.rule("WP-3R1", 2)
def test_a_lowball_game_may_bar_it() -> None:
    lowball = game(10, 20, form=Form.LOWBALL)
    play = Play("WP", lowball, {2: 300, 5: 300}, button=1, values={"betting__check_raise": False})
    play.check_around()
    for seat in (2, 5):
        play.enter(hc.Exchange(**IDS, seat=seat, count=1))
    play.do("2 check, 5 bet 20")
    assert play.refused("2 raise 40").code == "CHECK_RAISE_NOT_ALLOWED"
    assert play.options() == {"fold", "call 20"}


@pytest.mark.rule("WP-3R2", 1)
def test_no_limit_has_no_cap() -> None:
    play = at_street("WP", WP_2_5, "flop", {2: 2000, 5: 2000, 8: 2000}, button=1)
    play.do("2 bet 10, 5 raise 20, 8 raise 30, 2 raise 40, 5 raise 50, 8 raise 60")
    assert play.state.to_act == 2


@pytest.mark.rule("WP-3R3", 1)
def test_a_cap_needs_three_who_are_not_all_in() -> None:
    play = at_street("WP", WP_10_20, "flop", {1: 10, 4: 300, 7: 300})
    play.do("1 allin, 4 call, 7 call").deal()
    play.do("4 bet 20, 7 raise 40, 4 raise 60, 7 raise 80, 4 raise 100")
    assert play.state.to_act == 7


@pytest.mark.rule("WP-3R3a", 1)
def test_a_bet_and_three_raises() -> None:
    play = at_street("WP", WP_10_20, "turn", {2: 300, 4: 300, 6: 300, 8: 300}, button=1)
    play.do("2 bet 20, 4 raise 40, 6 raise 60, 8 raise 80, 2 call")
    refused = play.refused("4 raise 100")
    assert refused.code == "CAP_REACHED"
    assert "WP-3R3a" in refused.rules
    assert play.options() == {"fold", "call 40"}


@pytest.mark.rule("WP-3R3a", 2)
def test_before_the_flop_the_big_blind_is_the_bet() -> None:
    stacks = {2: 300, 3: 300, 4: 300, 5: 300, 6: 300}
    play = Play("WP", WP_10_20, stacks, button=1, posts=blinds((2, 5), (3, 10)))
    play.do("4 raise 20, 5 raise 30, 6 raise 40")
    assert play.refused("2 raise 50").code == "CAP_REACHED"


@pytest.mark.rule("WP-3R3b", 1)
def test_two_round_games_have_four_raises() -> None:
    draw = game(10, 20, form=Form.FIVE_CARD_DRAW)
    play = Play("WP", draw, {1: 300, 2: 300, 3: 300, 4: 300}, button=9)
    play.do("1 bet 10, 2 raise 20, 3 raise 30, 4 raise 40, 1 raise 50")
    refused = play.refused("2 raise 60")
    assert refused.code == "CAP_REACHED"
    assert "WP-3R3b" in refused.rules


@pytest.mark.rule("WP-3R4", 1)
def test_heads_up_before_the_cap() -> None:
    play = at_street("WP", WP_10_20, "turn", {2: 300, 5: 300, 8: 300}, button=1)
    play.do("2 bet 20, 5 raise 40, 8 fold, 2 raise 60, 5 raise 80, 2 raise 100")
    assert play.state.to_act == 5


@pytest.mark.rule("WP-3R4", 2)
def test_capped_before_heads_up() -> None:
    play = at_street("WP", WP_10_20, "turn", {2: 300, 5: 300, 8: 300}, button=1)
    play.do("2 bet 20, 5 raise 40, 8 raise 60, 2 raise 80, 5 fold")
    assert play.refused("8 raise 100").code == "CAP_REACHED"
    assert play.options() == {"fold", "call 20"}


@pytest.mark.rule("WP-3R5", 1)
def test_under_half_a_bet_reopens_nothing() -> None:
    play = at_street("WP", WP_10_20, "turn", {2: 300, 5: 29, 8: 300}, button=1)
    play.do("2 bet 20, 5 allin")
    assert play.options() == {"fold", "call 29", "complete 40"}
    assert play.refused("8 raise 49").code == "MAY_ONLY_COMPLETE"
    play.do("8 call")
    assert play.options() == {"fold", "call 9"}
    refused = play.refused("2 raise 49")
    assert refused.code == "ACTION_ONLY"
    assert "WP-3R5" in refused.rules


@pytest.mark.rule("WP-3R5", 2)
def test_a_completion_counts_as_one_raise() -> None:
    play = at_street("WP", WP_10_20, "turn", {2: 300, 5: 29, 8: 300}, button=1)
    play.do("2 bet 20, 5 allin, 8 complete 40")
    assert play.options() == {"fold", "call 20", "raise 60"}
    assert play.state.betting is not None
    assert play.state.betting.wagers == 2
    play.do("2 raise 60")
    assert play.state.betting.wagers == 3


@pytest.mark.rule("WP-3R5", 3)
def test_exactly_half_counts_as_the_first_raise() -> None:
    play = at_street("WP", WP_10_20, "turn", {2: 300, 5: 30, 8: 300}, button=1)
    play.do("2 bet 20, 5 allin")
    assert play.options() == {"fold", "call 30", "raise 50"}
    assert play.state.betting is not None
    assert play.state.betting.wagers == 2
    play.do("8 call")
    assert play.options() == {"fold", "call 10", "raise 50"}


@pytest.mark.rule("WP-3R5", 4)
def test_short_openings() -> None:
    play = at_street("WP", WP_10_20, "turn", {2: 300, 5: 9, 8: 300}, button=1)
    play.do("2 check, 5 allin")
    assert play.options() == {"fold", "call 9", "complete 20"}
    play = at_street("WP", WP_10_20, "turn", {2: 300, 5: 10, 8: 300}, button=1)
    play.do("2 check, 5 allin")
    assert play.options() == {"fold", "call 10", "raise 30"}


@pytest.mark.rule("WP-3R6", 1)
def test_least_raise() -> None:
    play = at_street("WP", WP_2_5, "flop", {2: 500, 5: 500, 8: 500}, button=1)
    play.do("2 bet 30, 5 raise 100")
    refused = play.refused("8 raise 160")
    assert (refused.code, refused.rules) == ("AMOUNT_NOT_ALLOWED", ("WP-3R6",))
    assert play.options() == {"fold", "call 100", "raise 170-500"}
    play.do("8 raise 170")


@pytest.mark.rule("WP-3R6", 2)
def test_an_all_in_below_the_least_raise() -> None:
    play = at_street("WP", WP_2_5, "flop", {2: 500, 5: 500, 8: 140}, button=1)
    play.do("2 bet 30, 5 raise 100, 8 allin")
    assert play.state.to_act == 2
