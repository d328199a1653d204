"""Worked cases of betting.all_in, betting.cap and betting.min_raise in the Lucky Chances book."""

import pytest

from tests.plugins.hand_play import Play, at_street, blinds, game

LC_3_6 = game(3, 6, chip=1, blinds=(1, 3))
LC_6_12 = game(6, 12, chip=2, blinds=(2, 6))
LC_20_40 = game(20, 40, chip=5, blinds=(10, 20))


@pytest.mark.rule("LC-49", 1)
def test_two_left_before_the_fourth_bet_raise_without_limit() -> None:
    play = at_street("LC", LC_6_12, "turn", {2: 300, 5: 300, 8: 300}, button=1)
    play.do("2 bet 12, 5 raise 24, 8 fold, 2 raise 36, 5 raise 48, 2 raise 60")
    assert play.state.to_act == 5


@pytest.mark.rule("LC-49", 2)
def test_a_cap_reached_with_three_in_stays() -> None:
    play = at_street("LC", LC_6_12, "turn", {2: 300, 5: 300, 8: 300}, button=1)
    play.do("2 bet 12, 5 raise 24, 8 raise 36, 2 raise 48, 5 fold")
    refused = play.refused("8 raise 60")
    assert (refused.code, refused.rules) == ("CAP_REACHED", ("LC-49", "LC-GL-cap"))
    assert play.options() == {"fold", "call 12"}


@pytest.mark.rule("LC-66", 1)
def test_a_partial_raise_may_only_be_completed() -> None:
    play = at_street("LC", LC_3_6, "flop", {2: 300, 5: 5, 8: 300}, button=1)
    play.do("2 bet 3, 5 allin")
    assert play.refused("8 raise 9").code == "MAY_ONLY_COMPLETE"
    assert play.options() == {"fold", "call 5", "complete 6"}


@pytest.mark.rule("LC-66", 2)
def test_who_bet_before_the_partial_raise_may_not_complete() -> None:
    play = at_street("LC", LC_3_6, "flop", {2: 300, 5: 5, 8: 300}, button=1)
    play.do("2 bet 3, 5 allin, 8 call")
    refused = play.refused("2 complete 6")
    assert refused.code == "ACTION_ONLY"
    assert "LC-66" in refused.rules
    assert play.options() == {"fold", "call 2"}


@pytest.mark.rule("LC-66", 3)
def test_an_all_in_of_a_full_raise_reopens() -> None:
    play = at_street("LC", LC_3_6, "turn", {2: 300, 5: 300, 8: 12}, button=1)
    play.do("2 check, 5 bet 6, 8 allin, 2 raise 18")
    assert play.state.to_act == 5


@pytest.mark.rule("LC-66a", 1)
def test_first_example_nobody_completed() -> None:
    play = at_street("LC", LC_6_12, "flop", {1: 300, 2: 10, 3: 300}, button=9)
    play.do("1 bet 6, 2 allin, 3 call")
    assert play.refused("1 complete 12").code == "ACTION_ONLY"
    assert play.options() == {"fold", "call 4"}


@pytest.mark.rule("LC-66a", 2)
def test_first_example_completed() -> None:
    play = at_street("LC", LC_6_12, "flop", {1: 300, 2: 10, 3: 300}, button=9)
    play.do("1 bet 6, 2 allin, 3 complete 12, 1 raise 18")
    assert play.state.to_act == 3


@pytest.mark.rule("LC-66b", 1)
def test_second_example() -> None:
    play = at_street("LC", LC_6_12, "flop", {1: 300, 2: 2, 3: 300}, button=9)
    play.do("1 check, 2 allin, 3 call")
    assert play.refused("1 complete 6").code == "ACTION_ONLY"
    assert play.options() == {"fold", "call 2"}


@pytest.mark.rule("LC-126a", 1)
def test_high_limit_raise_over_a_counted_all_in() -> None:
    play = at_street("LC", LC_20_40, "flop", {3: 400, 5: 35, 7: 400}, button=1)
    play.do("3 bet 20, 5 allin")
    assert play.options() == {"fold", "call 35", "raise 55"}
    assert play.refused("7 raise 40").code == "AMOUNT_NOT_ALLOWED"
    assert play.refused("7 raise 60").code == "AMOUNT_NOT_ALLOWED"


@pytest.mark.rule("LC-126a", 2)
def test_high_limit_half_a_bet_is_a_bet() -> None:
    play = at_street("LC", LC_20_40, "flop", {5: 10, 7: 400, 8: 400}, button=1)
    play.do("5 allin")
    assert play.options() == {"fold", "call 10", "raise 30"}
    assert play.refused("7 raise 20").code == "AMOUNT_NOT_ALLOWED"


@pytest.mark.rule("LC-126b", 1)
def test_high_limit_less_than_half_a_raise_is_completed() -> None:
    play = at_street("LC", LC_20_40, "flop", {3: 400, 5: 25, 7: 400}, button=1)
    play.do("3 bet 20, 5 allin")
    assert play.options() == {"fold", "call 25", "complete 40"}
    for amount in (45, 60):
        assert play.refused(f"7 raise {amount}").code == "MAY_ONLY_COMPLETE"


@pytest.mark.rule("LC-126b", 2)
def test_high_limit_less_than_half_a_bet_is_completed() -> None:
    play = at_street("LC", LC_20_40, "flop", {5: 5, 7: 400, 8: 400}, button=1)
    play.do("5 allin")
    assert play.options() == {"fold", "call 5", "complete 20"}
    for amount in (25, 40):
        assert play.refused(f"7 raise {amount}").code == "MAY_ONLY_COMPLETE"


@pytest.mark.rule("LC-126c", 1)
def test_high_limit_who_bet_before_may_only_call() -> None:
    play = at_street("LC", LC_20_40, "flop", {3: 400, 5: 25, 7: 400}, button=1)
    play.do("3 bet 20, 5 allin, 7 call")
    assert play.refused("3 complete 40").code == "ACTION_ONLY"
    assert play.options() == {"fold", "call 5"}


@pytest.mark.rule("LC-126c", 2)
def test_high_limit_completing_reopens() -> None:
    play = at_street("LC", LC_20_40, "flop", {3: 400, 5: 25, 7: 400}, button=1)
    play.do("3 bet 20, 5 allin, 7 complete 40")
    assert play.options() == {"fold", "call 20", "raise 60"}
    play.do("3 raise 60")


@pytest.mark.rule("LC-126d", 1)
def test_half_a_bet_counts_toward_the_cap() -> None:
    play = at_street("LC", LC_20_40, "flop", {2: 400, 3: 400, 5: 50, 7: 400}, button=1)
    play.do("2 bet 20, 3 raise 40, 5 allin, 7 raise 70")
    refused = play.refused("2 raise 90")
    assert refused.code == "CAP_REACHED"
    assert "LC-126d" in refused.rules
    assert play.options() == {"fold", "call 50"}


@pytest.mark.rule("LC-126d", 2)
def test_less_than_half_a_bet_does_not_count_toward_the_cap() -> None:
    play = at_street("LC", LC_20_40, "flop", {2: 400, 3: 400, 5: 45, 7: 400}, button=1)
    play.do("2 bet 20, 3 raise 40, 5 allin, 7 complete 60, 2 raise 80")
    assert play.refused("3 raise 100").code == "CAP_REACHED"


@pytest.mark.rule("LC-GL-all-in", 1)
def test_all_in_though_a_chip_that_does_not_play_is_left() -> None:
    play = Play("LC", LC_6_12, {4: 300, 5: 31, 6: 300}, button=3, posts=blinds((4, 2), (5, 6)))
    play.do("6 call, 4 call, 5 check").deal()
    play.do("4 bet 6, 5 raise 12, 6 call, 4 call").deal()
    play.do("4 bet 12, 5 call")
    chair = next(chair for chair in play.state.chairs if chair.seat == 5)
    assert (chair.all_in, chair.stack_cents, chair.put_in_cents) == (True, 100, 3000)


@pytest.mark.rule("LC-GL-cap", 1)
def test_the_big_blind_is_the_first_of_four_bets() -> None:
    stacks = {4: 300, 5: 300, 6: 300, 7: 300, 8: 300}
    play = Play("LC", LC_6_12, stacks, button=3, posts=blinds((4, 2), (5, 6)))
    play.do("6 raise 12, 7 raise 18, 8 raise 24")
    assert play.refused("4 raise 30").code == "CAP_REACHED"


@pytest.mark.rule("LC-GL-complete-the-bet", 1)
def test_completing_makes_the_first_bet() -> None:
    play = at_street("LC", LC_6_12, "turn", {2: 4, 5: 300, 8: 300}, button=1)
    play.do("2 allin, 5 complete 12")
    assert play.state.betting is not None
    assert (play.state.betting.level_cents, play.state.betting.wagers) == (1200, 1)


@pytest.mark.rule("LC-GL-heads-up", 1)
def test_heads_up_is_two_live_hands() -> None:
    play = at_street("LC", LC_6_12, "flop", {2: 300, 5: 300, 8: 300}, button=1)
    play.do("2 check, 5 fold")
    assert [chair.seat for chair in play.state.chairs if chair.live] == [2, 8]
    assert play.state.betting is not None
    assert play.state.betting.cap_lifted


@pytest.mark.rule("LC-GL-raise", 1)
def test_a_raise_is_a_call_and_a_bet_in_one_go() -> None:
    play = at_street("LC", LC_6_12, "turn", {2: 300, 5: 300, 8: 300}, button=1)
    play.do("2 bet 12, 5 raise 24")
    assert play.stack(5) == 300 - 24
