"""Worked cases of betting.all_in, betting.cap and betting.min_raise in the home game's book."""

import pytest

from cardroom.known.games import Form, Structure
from tests.plugins.hand_play import IDS, Play, at_street, game, hc

HG_2_4 = game(2, 4, chip="0.25", blinds=(1, 2))
HG_10_20 = game(10, 20, blinds=(5, 10))
HG_NL = game("0.50", structure=Structure.NO_LIMIT, chip="0.25", blinds=("0.25", "0.50"))


@pytest.mark.rule("HG-B2", 1)
def test_no_limit_has_no_cap() -> None:
    stacks = {1: 100, 2: 100, 3: 100, 4: 100, 5: 100}
    play = at_street("HG", HG_NL, "flop", stacks)
    play.do("1 bet 2, 2 raise 4, 3 raise 8, 4 raise 16, 5 raise 32, 1 raise 64")
    assert play.state.to_act == 2


@pytest.mark.rule("HG-B3", 1)
def test_a_cap_needs_three_who_are_not_all_in() -> None:
    play = at_street("HG", HG_2_4, "flop", {2: 300, 4: 2, 6: 300}, button=1)
    play.do("2 bet 2, 4 allin, 6 call").deal()
    play.do("2 bet 4, 6 raise 8, 2 raise 12, 6 raise 16, 2 raise 20")
    assert play.state.to_act == 6


@pytest.mark.rule("HG-B3a", 1)
def test_three_raises_cap_a_round() -> None:
    play = at_street("HG", HG_2_4, "flop", {2: 300, 3: 300, 5: 300, 9: 300}, button=1)
    play.do("2 bet 2, 3 raise 4, 5 raise 6, 9 fold, 2 raise 8")
    refused = play.refused("3 raise 10")
    assert refused.code == "CAP_REACHED"
    assert "HG-B3a" in refused.rules
    assert play.options() == {"fold", "call 4"}


@pytest.mark.rule("HG-B3b", 1)
def test_two_round_games_have_four_raises() -> None:
    draw = game(2, 4, form=Form.FIVE_CARD_DRAW, chip="0.25")
    play = Play("HG", draw, {1: 300, 4: 300, 6: 300}, button=9)
    play.check_around()
    for seat in (1, 4, 6):
        play.enter(hc.Exchange(**IDS, seat=seat, count=2))
    play.do("1 bet 4, 4 raise 8, 6 raise 12, 1 raise 16, 4 raise 20")
    refused = play.refused("6 raise 24")
    assert refused.code == "CAP_REACHED"
    assert "HG-B3b" in refused.rules


@pytest.mark.rule("HG-B4", 1)
def test_heads_up_before_the_cap_lifts_it() -> None:
    play = at_street("HG", HG_2_4, "turn", {1: 300, 2: 300, 3: 300})
    play.do("1 bet 4, 2 raise 8, 3 fold, 1 raise 12, 2 raise 16, 1 raise 20")
    assert play.state.to_act == 2


@pytest.mark.rule("HG-B4", 2)
def test_a_capped_round_stays_capped() -> None:
    play = at_street("HG", HG_2_4, "turn", {1: 300, 2: 300, 3: 300})
    play.do("1 bet 4, 2 raise 8, 3 raise 12, 1 raise 16, 2 fold")
    assert play.refused("3 raise 20").code == "CAP_REACHED"
    assert play.options() == {"fold", "call 4"}


@pytest.mark.rule("HG-B5", 1)
def test_no_wager_smaller_than_the_last_raise() -> None:
    play = at_street("HG", HG_NL, "flop", {2: 40, 4: 40, 6: 40}, button=1)
    play.do("2 bet 2, 4 raise 5")
    refused = play.refused("6 raise 7")
    assert (refused.code, refused.rules) == ("AMOUNT_NOT_ALLOWED", ("HG-B5",))
    assert play.options() == {"fold", "call 5", "raise 8-40"}


@pytest.mark.rule("HG-B5", 2)
def test_an_all_in_may_be_smaller() -> None:
    play = at_street("HG", HG_NL, "flop", {2: 40, 4: 40, 6: 7}, button=1)
    play.do("2 bet 2, 4 raise 5, 6 allin")
    assert play.state.to_act == 2


@pytest.mark.rule("HG-B6", 1)
def test_under_half_a_bet_leaves_the_betting_closed() -> None:
    play = at_street("HG", HG_10_20, "turn", {1: 300, 2: 29, 3: 300})
    play.do("1 bet 20, 2 allin, 3 call")
    assert play.refused("1 raise 49").code == "ACTION_ONLY"
    assert play.options() == {"fold", "call 9"}


@pytest.mark.rule("HG-B6", 2)
def test_a_completion_reopens_it() -> None:
    play = at_street("HG", HG_10_20, "turn", {1: 300, 2: 29, 3: 300})
    play.do("1 bet 20, 2 allin, 3 complete 40, 1 raise 60")


@pytest.mark.rule("HG-B6a", 1)
def test_options_against_a_short_opening() -> None:
    play = at_street("HG", HG_10_20, "turn", {2: 9, 3: 300, 4: 300}, button=1)
    play.do("2 allin")
    assert play.options() == {"fold", "call 9", "complete 20"}


@pytest.mark.rule("HG-B6a", 2)
def test_options_against_a_short_raise() -> None:
    play = at_street("HG", HG_10_20, "turn", {1: 300, 2: 29, 3: 300})
    play.do("1 bet 20, 2 allin")
    assert play.options() == {"fold", "call 29", "complete 40"}
    assert play.refused("3 raise 60").code == "MAY_ONLY_COMPLETE"


@pytest.mark.rule("HG-B6b", 1)
def test_a_raise_goes_on_top_of_a_counted_all_in() -> None:
    play = at_street("HG", HG_10_20, "turn", {2: 15, 3: 300, 4: 300}, button=1)
    play.do("2 allin")
    assert play.options() == {"fold", "call 15", "raise 35"}


@pytest.mark.rule("HG-B6b", 2)
def test_exactly_half_a_raise_reopens() -> None:
    play = at_street("HG", HG_10_20, "turn", {1: 300, 2: 30, 3: 300})
    play.do("1 bet 20, 2 allin, 3 call")
    assert play.options() == {"fold", "call 10", "raise 50"}


@pytest.mark.rule("HG-B6c", 1)
def test_short_all_ins_add_up() -> None:
    play = at_street("HG", HG_10_20, "turn", {1: 300, 2: 27, 3: 34, 4: 300})
    play.do("1 bet 20, 2 allin, 3 allin, 4 call")
    assert play.options() == {"fold", "call 14", "raise 54"}


@pytest.mark.rule("HG-B6c", 2)
def test_short_all_ins_that_do_not_add_up() -> None:
    play = at_street("HG", HG_10_20, "turn", {1: 300, 2: 24, 3: 29, 4: 300})
    play.do("1 bet 20, 2 allin, 3 allin, 4 call")
    refused = play.refused("1 raise 49")
    assert refused.code == "ACTION_ONLY"
    assert "HG-B6" in refused.rules
    assert play.options() == {"fold", "call 9"}
