"""More examples of betting.all_in, betting.cap and betting.min_raise: other amounts, seats, limits and combinations."""

from typing import Any

import pytest

from cardroom.known.games import Form, Structure
from tests.plugins.hand_play import Play, at_street, blinds, game, stud

LC_3_6 = game(3, 6, chip=1, blinds=(1, 3))
LC_6_12 = game(6, 12, chip=2, blinds=(2, 6))
LC_20_40 = game(20, 40, chip=5, blinds=(10, 20))
LC_10_20 = game(10, 20, chip=5, blinds=(5, 10))
RC_4_8 = game(4, 8, blinds=(2, 4))
RC_6_12 = game(6, 12, blinds=(3, 6))
HG_2_4 = game(2, 4, chip="0.25", blinds=(1, 2))
WP_10_20 = game(10, 20, blinds=(5, 10))
NL_2_5 = game(5, structure=Structure.NO_LIMIT, blinds=(2, 5))
PL_2_5 = game(5, structure=Structure.POT_LIMIT, blinds=(2, 5))


def street(book: str, a_game: Any, name: str, stacks: dict[int, Any], button: int = 9) -> Play:
    """Return a street as its betting begins."""
    return at_street(book, a_game, name, stacks, button=button)


# ------------------------------------------------------------------------- Lucky Chances, action only


@pytest.mark.rule("LC-66")
def test_one_chip_short_of_a_full_raise_is_action_only() -> None:
    play = street("LC", LC_3_6, "flop", {2: 100, 5: 5, 8: 100, 9: 100})
    play.do("2 bet 3, 5 allin")
    assert play.options() == {"fold", "call 5", "complete 6"}
    play.do("8 call, 9 complete 6, 2 raise 9")
    assert play.options() == {"fold", "call 4", "raise 12"}


@pytest.mark.rule("LC-66")
def test_half_a_bet_and_more_is_action_only_below_ten_twenty() -> None:
    play = street("LC", LC_6_12, "turn", {2: 100, 5: 10, 8: 100})
    play.do("2 check, 5 allin")
    assert play.options() == {"fold", "call 10", "complete 12"}
    play.do("8 call")
    assert play.options() == {"fold", "call 10"}
    assert play.refused("2 complete 12").code == "ACTION_ONLY"


@pytest.mark.rule("LC-66")
def test_an_all_in_that_completes_exactly_reopens() -> None:
    play = street("LC", LC_6_12, "flop", {2: 100, 5: 8, 8: 12, 9: 100})
    play.do("2 bet 6, 5 allin, 8 allin, 9 call")
    assert play.options() == {"fold", "call 6", "raise 18"}


@pytest.mark.rule("LC-66")
def test_an_all_in_past_a_full_multiple_completes_and_leaves_a_rest() -> None:
    play = street("LC", LC_6_12, "flop", {2: 100, 5: 8, 8: 14, 9: 100})
    play.do("2 bet 6, 5 allin, 8 allin")
    assert play.options() == {"fold", "call 14", "complete 18"}
    play.do("9 call")
    assert play.options() == {"fold", "call 8", "complete 18"}


@pytest.mark.rule("LC-66")
def test_short_all_ins_that_add_up_to_less_than_a_bet_stay_action_only() -> None:
    play = street("LC", LC_6_12, "flop", {2: 100, 5: 8, 8: 10, 9: 100})
    play.do("2 bet 6, 5 allin, 8 allin, 9 call")
    assert play.options() == {"fold", "call 4"}


@pytest.mark.rule("LC-66")
def test_a_full_raise_before_the_short_all_in_keeps_the_first_bettor_open() -> None:
    play = street("LC", LC_6_12, "flop", {2: 100, 5: 100, 8: 16, 9: 100})
    play.do("2 bet 6, 5 raise 12, 8 allin, 9 fold")
    assert play.options() == {"fold", "call 10", "complete 18"}
    play.do("2 call")
    assert play.options() == {"fold", "call 4"}


@pytest.mark.rule("LC-66")
def test_a_caller_before_the_short_all_in_may_only_call() -> None:
    play = street("LC", LC_6_12, "flop", {2: 100, 5: 100, 8: 10})
    play.do("2 bet 6, 5 call, 8 allin, 2 call")
    assert play.options() == {"fold", "call 4"}


@pytest.mark.rule("LC-66")
def test_the_big_blind_has_not_acted_and_may_complete() -> None:
    play = Play("LC", LC_6_12, {2: 100, 5: 100, 8: 8}, button=8, posts=blinds((2, 2), (5, 6)))
    play.do("8 allin, 2 call")
    assert play.options() == {"fold", "call 2", "complete 12"}


@pytest.mark.rule("LC-66a")
def test_completed_to_twelve_the_all_in_counts_as_one_raise() -> None:
    play = street("LC", LC_6_12, "flop", {1: 200, 2: 10, 3: 200, 4: 200})
    play.do("1 bet 6, 2 allin, 3 complete 12, 4 raise 18, 1 raise 24")
    assert play.refused("3 raise 30").code == "CAP_REACHED"


@pytest.mark.rule("LC-66b")
def test_who_has_not_acted_completes_and_the_checker_may_then_raise() -> None:
    play = street("LC", LC_6_12, "flop", {1: 200, 2: 2, 3: 200})
    play.do("1 check, 2 allin, 3 complete 6")
    assert play.options() == {"fold", "call 6", "raise 12"}


@pytest.mark.rule("LC-GL-complete-the-bet")
def test_a_completed_bet_is_the_first_bet_of_the_round() -> None:
    play = street("LC", LC_6_12, "turn", {2: 4, 5: 300, 8: 300, 9: 300}, button=1)
    play.do("2 allin, 5 complete 12, 8 raise 24, 9 raise 36, 5 raise 48")
    assert play.refused("8 raise 60").code == "CAP_REACHED"


# ------------------------------------------------------------------------- Lucky Chances, half a bet


@pytest.mark.rule("LC-126a")
def test_ten_twenty_is_a_high_limit() -> None:
    play = street("LC", LC_10_20, "flop", {3: 100, 5: 15, 7: 100})
    play.do("3 bet 10, 5 allin")
    assert play.options() == {"fold", "call 15", "raise 25"}
    play.do("7 call")
    assert play.options() == {"fold", "call 5", "raise 25"}


@pytest.mark.rule("LC-126a")
def test_a_raise_over_a_counted_all_in_is_itself_a_full_raise() -> None:
    play = street("LC", LC_20_40, "flop", {3: 400, 5: 30, 7: 400, 8: 400})
    play.do("3 bet 20, 5 allin, 7 raise 50, 8 raise 70")
    assert play.refused("3 raise 90").code == "CAP_REACHED"


@pytest.mark.rule("LC-126b")
def test_a_chip_less_than_half_is_action_only() -> None:
    play = street("LC", LC_20_40, "turn", {3: 400, 5: 55, 7: 400})
    play.do("3 bet 40, 5 allin")
    assert play.options() == {"fold", "call 55", "complete 80"}
    play = street("LC", LC_20_40, "turn", {3: 400, 5: 60, 7: 400})
    play.do("3 bet 40, 5 allin")
    assert play.options() == {"fold", "call 60", "raise 100"}


@pytest.mark.rule("LC-126c")
def test_a_checker_may_only_call_a_small_all_in() -> None:
    play = street("LC", LC_20_40, "flop", {3: 400, 5: 5, 7: 400})
    play.do("3 check, 5 allin, 7 call")
    assert play.options() == {"fold", "call 5"}


@pytest.mark.rule("LC-126c")
def test_a_completion_all_in_reopens() -> None:
    play = street("LC", LC_20_40, "flop", {3: 400, 5: 25, 7: 40, 8: 400})
    play.do("3 bet 20, 5 allin, 7 allin, 8 call")
    assert play.options() == {"fold", "call 20", "raise 60"}


@pytest.mark.rule("LC-126d")
def test_two_counted_all_ins_make_the_cap() -> None:
    play = street("LC", LC_20_40, "flop", {2: 400, 3: 30, 5: 40, 7: 400, 8: 400})
    play.do("2 bet 20, 3 allin, 5 allin, 7 raise 60")
    assert play.refused("8 raise 80").code == "CAP_REACHED"


# ------------------------------------------------------------------------- caps


@pytest.mark.rule("LC-49")
def test_an_all_in_before_the_cap_counts_as_folded() -> None:
    play = street("LC", LC_6_12, "turn", {2: 300, 5: 12, 8: 300})
    play.do("2 bet 12, 5 allin, 8 raise 24, 2 raise 36, 8 raise 48, 2 raise 60, 8 raise 72")
    assert play.options() == {"fold", "call 12", "raise 84"}


@pytest.mark.rule("LC-49")
def test_before_the_flop_the_big_blind_is_the_bet_when_two_are_left() -> None:
    stacks = {2: 300, 5: 300, 8: 300}
    play = Play("LC", LC_6_12, stacks, button=8, posts=blinds((2, 2), (5, 6)))
    play.do("8 raise 12, 2 fold, 5 raise 18, 8 raise 24, 5 raise 30, 8 raise 36")
    assert play.options() == {"fold", "call 6", "raise 42"}


@pytest.mark.rule("LC-49")
def test_heads_up_from_the_start_there_is_no_cap() -> None:
    play = street("LC", LC_3_6, "flop", {2: 300, 5: 300})
    play.do("2 bet 3, 5 raise 6, 2 raise 9, 5 raise 12, 2 raise 15, 5 raise 18")
    assert play.options() == {"fold", "call 3", "raise 21"}


@pytest.mark.rule("LC-49")
def test_a_fold_to_two_after_the_cap_lifts_nothing_though_another_is_all_in() -> None:
    play = street("LC", LC_6_12, "flop", {1: 300, 2: 300, 5: 300, 8: 300})
    play.do("1 bet 6, 2 raise 12, 5 raise 18, 8 raise 24, 1 fold, 2 fold")
    assert play.refused("5 raise 30").code == "CAP_REACHED"


@pytest.mark.rule("LC-GL-cap")
def test_three_raises_before_the_flop_in_three_six() -> None:
    stacks = {1: 100, 2: 100, 3: 100, 4: 100}
    play = Play("LC", LC_3_6, stacks, button=1, posts=blinds((2, 1), (3, 3)))
    play.do("4 raise 6, 1 raise 9, 2 raise 12")
    refused = play.refused("3 raise 15")
    assert refused.code == "CAP_REACHED"
    assert "LC-GL-cap" in refused.rules


@pytest.mark.rule("RC-B2")
def test_an_all_in_player_does_not_count_among_the_three() -> None:
    play = street("RC", RC_6_12, "flop", {1: 300, 4: 6, 6: 300})
    play.do("1 bet 6, 4 allin, 6 call").deal()
    play.do("1 bet 12, 6 raise 24, 1 raise 36, 6 raise 48, 1 raise 60")
    assert play.options() == {"fold", "call 12", "raise 72"}


@pytest.mark.rule("RC-B2")
def test_an_all_in_within_the_round_does_not_lift_the_cap() -> None:
    play = street("RC", RC_6_12, "flop", {1: 300, 4: 6, 6: 300})
    play.do("1 bet 6, 4 allin, 6 raise 12, 1 raise 18, 6 raise 24")
    refused = play.refused("1 raise 30")
    assert refused.code == "CAP_REACHED"
    assert "RC-B2" in refused.rules


@pytest.mark.rule("RC-B2")
def test_the_big_blind_is_the_bet() -> None:
    play = Play("RC", RC_4_8, {1: 200, 2: 200, 3: 200}, button=1, posts=blinds((2, 2), (3, 4)))
    play.do("1 raise 8, 2 raise 12, 3 raise 16")
    assert play.refused("1 raise 20").code == "CAP_REACHED"


@pytest.mark.rule("RC-B3")
def test_heads_up_before_the_flop_there_is_no_cap() -> None:
    play = Play("RC", RC_4_8, {1: 200, 2: 200}, button=1, posts=blinds((1, 2), (2, 4)))
    play.do("1 raise 8, 2 raise 12, 1 raise 16, 2 raise 20, 1 raise 24")
    assert play.options() == {"fold", "call 4", "raise 28"}


@pytest.mark.rule("HG-B3b")
def test_the_fourth_raise_before_the_draw() -> None:
    draw = game(2, 4, form=Form.FIVE_CARD_DRAW, chip="0.25")
    play = Play("HG", draw, {1: 100, 4: 100, 6: 100}, button=9)
    play.do("1 bet 2, 4 raise 4, 6 raise 6, 1 raise 8")
    assert play.options() == {"fold", "call 4", "raise 10"}
    play.do("4 raise 10")
    assert play.refused("6 raise 12").code == "CAP_REACHED"


@pytest.mark.rule("WP-3R3b")
def test_lowball_has_four_raises_too() -> None:
    low = game(10, 20, form=Form.LOWBALL, blinds=(5, 10))
    play = Play("WP", low, {1: 300, 4: 300, 6: 300}, button=6, posts=blinds((1, 5), (4, 10)))
    play.do("6 raise 20, 1 raise 30, 4 raise 40, 6 raise 50")
    assert play.refused("1 raise 60").code == "CAP_REACHED"


@pytest.mark.rule("WP-3R4")
def test_an_all_in_raise_that_leaves_two_lifts_the_cap() -> None:
    play = street("WP", WP_10_20, "turn", {2: 500, 5: 40, 8: 500})
    play.do("2 bet 20, 5 allin, 8 raise 60, 2 raise 80, 8 raise 100")
    assert play.options() == {"fold", "call 20", "raise 120"}


@pytest.mark.rule("WP-3R3")
def test_three_not_all_in_beside_an_all_in_are_capped() -> None:
    play = street("WP", WP_10_20, "flop", {1: 10, 4: 500, 7: 500, 8: 500})
    play.do("1 allin, 4 raise 20, 7 raise 30, 8 raise 40")
    assert play.refused("4 raise 50").code == "CAP_REACHED"


# ------------------------------------------------------------------------- half a bet elsewhere


@pytest.mark.rule("WP-3R5")
@pytest.mark.parametrize(
    ("stack", "options"),
    [
        (14, {"fold", "call 14", "complete 20"}),
        (15, {"fold", "call 15", "raise 25"}),
        (19, {"fold", "call 19", "raise 29"}),
        (20, {"fold", "call 20", "raise 30"}),
    ],
)
def test_all_ins_before_the_flop_measured_against_the_blind(stack: int, options: set[str]) -> None:
    stacks = {1: 300, 2: 300, 3: 300, 4: stack, 5: 300}
    play = Play("WP", WP_10_20, stacks, button=1, posts=blinds((2, 5), (3, 10)))
    play.do("4 allin")
    assert play.options() == options


@pytest.mark.rule("WP-3R5")
def test_the_big_blind_may_complete_what_the_limper_may_not() -> None:
    stacks = {1: 14, 2: 300, 3: 300, 4: 300}
    play = Play("WP", WP_10_20, stacks, button=1, posts=blinds((2, 5), (3, 10)))
    play.do("4 call, 1 allin, 2 fold")
    assert play.options() == {"fold", "call 4", "complete 20"}
    play.do("3 call")
    assert play.options() == {"fold", "call 4"}


@pytest.mark.rule("WP-3R5")
def test_a_completion_counts_as_the_raise_it_completes() -> None:
    play = street("WP", WP_10_20, "turn", {2: 300, 5: 29, 8: 300, 9: 300}, button=1)
    play.do("2 bet 20, 5 allin, 8 complete 40, 9 raise 60, 2 raise 80")
    assert play.refused("8 raise 100").code == "CAP_REACHED"


@pytest.mark.rule("WP-3R5")
def test_a_checker_faces_two_short_openings_that_add_up() -> None:
    play = street("WP", WP_10_20, "turn", {2: 300, 5: 6, 8: 12, 9: 300}, button=1)
    play.do("2 check, 5 allin, 8 allin, 9 call")
    assert play.options() == {"fold", "call 12", "raise 32"}


@pytest.mark.rule("HG-B6")
def test_half_a_two_dollar_bet_to_the_quarter() -> None:
    play = street("HG", HG_2_4, "flop", {1: 50, 2: "2.75", 3: 50})
    play.do("1 bet 2, 2 allin, 3 call")
    assert play.options() == {"fold", "call 0.75"}
    play = street("HG", HG_2_4, "flop", {1: 50, 2: 3, 3: 50})
    play.do("1 bet 2, 2 allin, 3 call")
    assert play.options() == {"fold", "call 1", "raise 5"}


@pytest.mark.rule("HG-B6c")
def test_adding_up_is_per_player() -> None:
    play = street("HG", HG_2_4, "turn", {1: 50, 2: "5.25", 3: 50, 4: "6.50", 5: 50})
    play.do("1 bet 4, 2 allin, 3 call, 4 allin, 5 call")
    assert play.options() == {"fold", "call 2.5", "raise 10.5"}
    play.do("1 call")
    assert play.options() == {"fold", "call 1.25"}


@pytest.mark.rule("HG-B6c")
def test_exactly_half_together_reopens() -> None:
    play = street("HG", HG_2_4, "turn", {1: 50, 2: 5, 3: 6, 4: 50})
    play.do("1 bet 4, 2 allin, 3 allin, 4 call")
    assert play.options() == {"fold", "call 2", "raise 10"}


@pytest.mark.rule("RC-B10")
def test_a_short_all_in_raise_is_completed_only_by_who_has_not_acted() -> None:
    play = street("RC", RC_6_12, "flop", {1: 100, 2: 11, 3: 100, 4: 100})
    play.do("1 bet 6, 2 allin")
    assert play.options() == {"fold", "call 11", "complete 12"}
    play.do("3 call, 4 call")
    assert play.options() == {"fold", "call 5"}


@pytest.mark.rule("RC-B10a")
def test_completed_behind_the_checkers_may_raise() -> None:
    play = street("RC", RC_6_12, "flop", {1: 100, 2: 100, 3: 4, 4: 100})
    play.do("1 check, 2 check, 3 allin, 4 complete 6, 1 call")
    assert play.options() == {"fold", "call 6", "raise 12"}


@pytest.mark.rule("RC-B5a")
def test_chips_that_do_not_play_stay_behind() -> None:
    play = street("RC", game(10, 20, chip=5), "turn", {2: 48, 5: 300})
    play.do("2 bet 20, 5 raise 40")
    assert play.options() == {"fold", "call 20", "raise 45"}
    play.do("2 allin, 5 call")
    assert play.stack(2) == 3


@pytest.mark.rule("RC-B11")
def test_an_all_in_call_may_be_short_too() -> None:
    play = street("RC", RC_6_12, "river", {3: 2, 5: 100})
    play.do("3 check, 5 bet 12")
    assert play.options() == {"fold", "call 2"}
    play.do("3 call")
    assert play.stack(5) == 98


# ------------------------------------------------------------------------- least raises


@pytest.mark.rule("RC-B4")
def test_a_raise_after_a_short_all_in_adds_the_last_full_raise() -> None:
    play = street("RC", NL_2_5, "flop", {2: 500, 4: 500, 6: 70, 8: 500})
    play.do("2 bet 20, 4 raise 50, 6 allin")
    assert play.options() == {"fold", "call 70", "raise 100-500"}
    play.do("8 call")
    assert play.options() == {"fold", "call 50", "raise 100-500"}
    play.do("2 call")
    assert play.options() == {"fold", "call 20"}


@pytest.mark.rule("RC-B4")
def test_two_short_all_ins_that_make_a_full_raise_reopen() -> None:
    play = street("RC", NL_2_5, "flop", {2: 500, 4: 30, 6: 40, 8: 500})
    play.do("2 bet 20, 4 allin, 6 allin, 8 call")
    assert play.options() == {"fold", "call 20", "raise 60-500"}


@pytest.mark.rule("RC-B4")
def test_before_the_flop_the_least_raise_is_the_big_blind() -> None:
    play = Play("RC", NL_2_5, {1: 200, 2: 200, 3: 200}, button=1, posts=blinds((2, 2), (3, 5)))
    assert play.options() == {"fold", "call 5", "raise 10-200"}
    play.do("1 raise 12")
    assert play.options() == {"fold", "call 10", "raise 19-200"}


@pytest.mark.rule("HG-B5")
def test_a_larger_raise_sets_the_next() -> None:
    small = game("0.50", structure=Structure.NO_LIMIT, chip="0.25", blinds=("0.25", "0.50"))
    play = street("HG", small, "flop", {2: 40, 4: 40, 6: 40})
    play.do("2 bet 1, 4 raise 2, 6 raise 5")
    assert play.options() == {"fold", "call 4", "raise 8-40"}


@pytest.mark.rule("WP-3R6")
def test_pot_limit_raises_to_the_pot() -> None:
    play = Play("WP", PL_2_5, {1: 500, 2: 500, 3: 500}, button=1, posts=blinds((2, 2), (3, 5)))
    assert play.options() == {"fold", "call 5", "raise 10-17"}
    play.do("1 raise 17")
    assert play.options() == {"fold", "call 15", "raise 29-56"}


@pytest.mark.rule("LC-GL-raise")
def test_a_raise_calls_and_adds_one_bet() -> None:
    play = street("LC", LC_6_12, "flop", {2: 100, 5: 100, 8: 100})
    play.do("2 bet 6, 5 raise 12, 8 raise 18")
    assert play.stack(8) == 100 - 18
    play.do("2 raise 24")
    assert play.stack(2) == 100 - 24


@pytest.mark.rule("LC-66")
def test_stud_all_in_above_the_bring_in_is_completed() -> None:
    small = game(6, 12, form=Form.STUD, chip=1, bring_in=2)
    ups = {2: "2c", 5: "Kd", 7: "9h", 8: "Js"}
    play = stud("LC", small, ups, 3, stacks={2: 100, 5: 4, 7: 100, 8: 100})
    play.do("2 bringin, 5 allin")
    assert play.options() == {"fold", "call 4", "complete 6"}
    play.do("7 call, 8 complete 6")
    assert play.options() == {"fold", "call 4", "raise 12"}


@pytest.mark.rule("LC-66")
@pytest.mark.rule("LC-126a")
@pytest.mark.rule("LC-126b")
@pytest.mark.parametrize(
    ("low", "all_in", "third"),
    [
        (8, 12, "complete 16"),
        (9, 17, "complete 18"),
        (10, 15, "raise 25"),
        (10, 14, "complete 20"),
        (15, 23, "raise 38"),
        (15, 22, "complete 30"),
        (40, 60, "raise 100"),
        (40, 59, "complete 80"),
    ],
)
def test_half_a_bet_counts_from_ten_twenty_on(low: int, all_in: int, third: str) -> None:
    play = street("LC", game(low, 2 * low), "flop", {3: 400, 5: all_in, 7: 400})
    play.do(f"3 bet {low}, 5 allin")
    assert play.options() == {"fold", f"call {all_in}", third}


@pytest.mark.rule("WP-3R5")
def test_a_short_all_in_over_a_counted_one_is_measured_from_it() -> None:
    play = street("WP", WP_10_20, "turn", {2: 300, 5: 35, 7: 44, 8: 300}, button=1)
    play.do("2 bet 20, 5 allin, 7 allin")
    assert play.options() == {"fold", "call 44", "complete 55"}
    play.do("8 call")
    assert play.options() == {"fold", "call 24", "complete 55"}


@pytest.mark.rule("WP-3R5")
def test_who_is_not_in_for_all_earlier_bets_may_still_raise() -> None:
    play = street("WP", WP_10_20, "turn", {2: 300, 5: 300, 8: 45}, button=1)
    play.do("2 bet 20, 5 raise 40, 8 allin")
    assert play.options() == {"fold", "call 25", "complete 60"}
    play.do("2 call")
    assert play.options() == {"fold", "call 5"}


@pytest.mark.rule("LC-GL-all-in")
@pytest.mark.parametrize(("stack", "left"), [(13, 1), (12, 0), (11, 1)])
def test_chips_below_the_increment_do_not_play(stack: int, left: int) -> None:
    play = street("LC", LC_6_12, "turn", {2: 100, 5: stack, 8: 100})
    play.do("2 bet 12, 5 allin, 8 call")
    chair = next(chair for chair in play.state.chairs if chair.seat == 5)
    assert (chair.all_in, play.stack(5)) == (True, left)


@pytest.mark.rule("WP-3R1")
@pytest.mark.rule("LC-55")
def test_without_check_raises_who_checked_may_still_raise_on_the_next_street() -> None:
    values = {"betting__check_raise": False}
    play = at_street("LC", LC_6_12, "flop", {2: 300, 5: 300}, button=9, values=values)
    play.do("2 check, 5 bet 6")
    assert play.options() == {"fold", "call 6"}
    play.do("2 call").deal().do("2 bet 12, 5 raise 24")
    assert play.options() == {"fold", "call 12", "raise 36"}
