"""Worked cases of betting.all_in, betting.cap and betting.min_raise in Rancho's Club book."""

import pytest

from cardroom.known.games import Structure
from tests.plugins.hand_play import at_street, game

RC_4_8 = game(4, 8, blinds=(2, 4))
RC_6_12 = game(6, 12, blinds=(3, 6))
RC_10_20 = game(10, 20, chip=5, blinds=(5, 10))
RC_2_5 = game(5, structure=Structure.NO_LIMIT, blinds=(2, 5))


@pytest.mark.rule("RC-B2", 1)
def test_a_bet_and_three_raises_are_the_cap() -> None:
    play = at_street("RC", RC_4_8, "flop", {2: 300, 3: 300, 5: 300, 9: 300}, button=1)
    play.do("2 bet 4, 3 raise 8, 5 raise 12, 9 fold, 2 raise 16")
    refused = play.refused("3 raise 20")
    assert (refused.code, refused.rules) == ("CAP_REACHED", ("RC-B2", "RC-B3"))
    assert play.options() == {"fold", "call 8"}


@pytest.mark.rule("RC-B2", 2)
def test_the_cap_counts_who_began_the_round() -> None:
    play = at_street("RC", RC_6_12, "turn", {1: 300, 4: 300, 6: 300})
    play.do("1 bet 12, 4 raise 24, 6 fold, 1 raise 36, 4 raise 48")
    refused = play.refused("1 raise 60")
    assert refused.code == "CAP_REACHED"
    assert "RC-B2" in refused.rules
    assert play.options() == {"fold", "call 12"}


@pytest.mark.rule("RC-B3", 1)
def test_heads_up_there_is_no_cap() -> None:
    play = at_street("RC", RC_4_8, "river", {3: 300, 8: 300}, button=1)
    play.do("3 bet 8, 8 raise 16, 3 raise 24, 8 raise 32, 3 raise 40, 8 raise 48")
    assert play.state.to_act == 3


@pytest.mark.rule("RC-B4", 1)
def test_a_raise_is_at_least_the_last_raise() -> None:
    play = at_street("RC", RC_2_5, "flop", {2: 400, 4: 400, 6: 400}, button=1)
    play.do("2 bet 20, 4 raise 50")
    refused = play.refused("6 raise 70")
    assert (refused.code, refused.rules) == ("AMOUNT_NOT_ALLOWED", ("RC-B4",))
    assert play.options() == {"fold", "call 50", "raise 80-400"}


@pytest.mark.rule("RC-B4", 2)
def test_an_all_in_may_be_short_of_a_raise() -> None:
    play = at_street("RC", RC_2_5, "flop", {2: 400, 4: 400, 6: 70}, button=1)
    play.do("2 bet 20, 4 raise 50")
    assert play.options() == {"fold", "call 50", "raise 70"}
    play.do("6 allin")
    assert play.state.to_act == 2


@pytest.mark.rule("RC-B5a", 1)
def test_all_in_is_every_chip_that_plays() -> None:
    play = at_street("RC", RC_10_20, "turn", {2: 48, 3: 300, 5: 300}, button=2)
    play.do("3 bet 20, 5 raise 40, 2 call, 3 raise 60, 5 call, 2 allin")
    assert play.stack(2) == 3
    play = at_street("RC", RC_10_20, "turn", {2: 48, 3: 300, 5: 300}, button=2)
    play.do("3 bet 20, 5 raise 40")
    assert play.refused("2 allin 48").code == "EVERY_CHIP_GOES_IN"
    play.do("2 allin")
    assert play.stack(2) == 3
    assert next(chair for chair in play.state.chairs if chair.seat == 2).all_in


@pytest.mark.rule("RC-B5a", 2)
def test_an_all_in_that_keeps_a_chip_back_is_refused() -> None:
    play = at_street("RC", RC_10_20, "turn", {2: 45, 3: 300, 5: 300, 7: 300}, button=2)
    play.do("3 bet 20, 5 raise 40, 7 raise 60")
    refused = play.refused("2 allin 40")
    assert refused.code == "EVERY_CHIP_GOES_IN"
    assert "RC-B5a" in refused.rules
    assert play.options() == {"fold", "call 45"}


@pytest.mark.rule("RC-B10", 1)
def test_a_partial_all_in_bet_may_only_be_completed() -> None:
    play = at_street("RC", RC_6_12, "flop", {1: 300, 2: 4, 3: 300, 4: 300})
    play.do("1 check, 2 allin")
    assert play.refused("3 raise 12").code == "MAY_ONLY_COMPLETE"
    assert play.options() == {"fold", "call 4", "complete 6"}


@pytest.mark.rule("RC-B10", 2)
def test_who_checked_may_not_complete() -> None:
    play = at_street("RC", RC_6_12, "flop", {1: 300, 2: 4, 3: 300, 4: 300})
    play.do("1 check, 2 allin, 3 call, 4 call")
    refused = play.refused("1 complete 6")
    assert refused.code == "ACTION_ONLY"
    assert "RC-B10" in refused.rules
    assert play.options() == {"fold", "call 4"}


@pytest.mark.rule("RC-B10a", 1)
def test_a_completed_bet_opens_the_check_raise() -> None:
    play = at_street("RC", RC_6_12, "flop", {1: 300, 2: 4, 3: 300, 4: 300})
    play.do("1 check, 2 allin, 3 complete 6, 4 fold, 1 raise 12")
    assert play.state.to_act == 3


@pytest.mark.rule("RC-B10a", 2)
def test_without_completion_no_check_raise() -> None:
    play = at_street("RC", RC_6_12, "flop", {1: 300, 2: 4, 3: 300, 4: 300})
    play.do("1 check, 2 allin, 3 call, 4 fold")
    assert play.refused("1 raise 12").code == "ACTION_ONLY"
    assert play.options() == {"fold", "call 4"}


@pytest.mark.rule("RC-B11", 1)
def test_an_opening_all_in_may_be_short() -> None:
    play = at_street("RC", RC_6_12, "river", {3: 2, 5: 300, 6: 300}, button=1)
    play.do("3 bet 2")
    assert play.options() == {"fold", "call 2", "complete 12"}
