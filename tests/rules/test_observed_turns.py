"""Worked cases of betting.out_of_turn, betting.time_called and betting.undercall in all four books."""

import pytest

from cardroom.tables.hand_events import Phase, Post, PostKind
from tests.plugins.hand_play import Play, at_street, blinds, game
from tests.plugins.observing import back, enter, fact, moved, saw

LC_6_12 = game(6, 12, chip=2, blinds=(2, 6))
RC_4_8 = game(4, 8, blinds=(2, 4))
RC_6_12 = game(6, 12, blinds=(3, 6))
HG_2_4 = game(2, 4, chip="0.25", blinds=(1, 2))
WP_4_8 = game(4, 8, blinds=(2, 4))
WP_10_20 = game(10, 20, blinds=(5, 10))


def street(book: str, a_game: object, name: str, *seats: int, do: str = "") -> Play:
    """Return a street with these seats in and some actions taken."""
    play = at_street(book, a_game, name, dict.fromkeys(seats, 200), button=max(seats))  # type: ignore[arg-type]
    return play.do(do) if do else play


# ------------------------------------------------------------------ out of turn


@pytest.mark.rule("LC-50", 1)
def test_a_bet_out_of_turn_does_not_bind() -> None:
    play = street("LC", LC_6_12, "flop", 2, 5, 7, 9, do="2 check")
    finding = saw(play, 7, "put 2x3", deliberate=False)
    assert (finding.remedy, finding.binding, finding.rules) == ("not_binding", False, ("LC-50",))
    assert moved(finding) == back(7, 6)
    enter(play, finding)
    assert play.state.to_act == 5
    play.do("5 check")
    assert play.options() == {"fold", "check", "bet 6"}
    play = street("LC", LC_6_12, "flop", 2, 5, 7, 9, do="2 check")
    enter(play, saw(play, 7, "put 2x3", deliberate=False))
    play.do("5 bet 6")
    assert play.options() == {"fold", "call 6", "raise 12"}


@pytest.mark.rule("LC-50", 2)
def test_on_purpose_it_costs_the_raise() -> None:
    play = street("LC", LC_6_12, "flop", 2, 5, 7, 9, do="2 check")
    finding = saw(play, 7, "put 2x3", deliberate=True)
    assert (finding.remedy, finding.binding) == ("not_binding", False)
    assert finding.rules == ("LC-50",)
    assert [choice.remedy for choice in finding.choices] == ["options_kept"]
    enter(play, finding)
    play.do("5 bet 6")
    refused = play.refused("7 raise 12")
    assert (refused.code, refused.rules) == ("OPTIONS_LIMITED_DELIBERATE_OUT_OF_TURN", ("LC-50",))
    assert play.options() == {"fold", "call 6"}
    play.do("7 call, 9 raise 12, 2 fold, 5 raise 18")
    assert play.options() == {"fold", "call 12"}


@pytest.mark.rule("LC-53", 1)
def test_a_round_begun_by_three_is_no_heads_up_round() -> None:
    play = street("LC", LC_6_12, "turn", 2, 5, 8, do="2 fold")
    finding = saw(play, 8, "put 2x6", deliberate=False)
    assert (finding.remedy, finding.rules) == ("not_binding", ("LC-50",))
    assert moved(finding) == back(8, 12)
    enter(play, finding)
    assert play.state.to_act == 5
    assert play.options() == {"fold", "check", "bet 12"}


@pytest.mark.rule("LC-53a", 1)
def test_heads_up_a_check_behind_a_check_out_of_turn_ends_the_round() -> None:
    play = street("LC", LC_6_12, "turn", 2, 8)
    finding = saw(play, 8, "tap")
    assert finding.remedy == "check_stands"
    assert "LC-53a" in finding.rules
    enter(play, finding)
    play.do("2 check")
    assert play.state.phase is Phase.DEALING
    play.deal()
    assert play.state.to_act == 2


@pytest.mark.rule("LC-53a", 2)
def test_heads_up_who_checked_out_of_turn_may_not_raise() -> None:
    play = street("LC", LC_6_12, "turn", 2, 8)
    enter(play, saw(play, 8, "say check"))
    play.do("2 bet 12")
    refused = play.refused("8 raise 24")
    assert refused.code == "CHECKED_OUT_OF_TURN"
    assert "LC-53a" in refused.rules
    assert play.options() == {"fold", "call 12"}


@pytest.mark.rule("LC-53b", 1)
def test_heads_up_a_bet_out_of_turn_may_be_sent_back() -> None:
    play = street("LC", LC_6_12, "turn", 2, 8)
    asked = saw(play, 8, "put 2x6")
    assert (asked.remedy, asked.missing) == ("fact_needed", ("opponent_wants",))
    finding = saw(play, 8, "put 2x6", opponent_wants="take_back")
    assert finding.remedy == "take_back"
    assert "LC-53b" in finding.rules
    assert moved(finding) == back(8, 12)
    enter(play, finding)
    assert play.options() == {"fold", "check", "bet 12"}
    play.do("2 check")
    assert play.options() == {"fold", "check", "bet 12"}


@pytest.mark.rule("LC-53b", 2)
def test_heads_up_a_bet_out_of_turn_may_be_raised() -> None:
    play = street("LC", LC_6_12, "turn", 2, 8)
    finding = saw(play, 8, "put 2x6", opponent_wants="stand")
    enter(play, finding)
    assert play.options() == {"fold", "call 12", "raise 24"}
    play.do("2 raise 24")
    assert play.state.to_act == 8
    assert play.options() == {"fold", "call 12", "raise 36"}


@pytest.mark.rule("RC-B7b", 1)
def test_a_turn_is_forfeited_once_three_have_acted() -> None:
    play = street("RC", RC_6_12, "flop", 2, 3, 4, 5, 6, do="2 bet 6")
    finding = saw(play, 3, "", "4 call, 5 call, 6 fold")
    assert (finding.remedy, finding.binding, finding.rules) == ("hand_dead", False, ("RC-B7b",))
    assert [choice.remedy for choice in finding.choices] == ["right_kept"]
    enter(play, finding)
    assert play.state.phase is Phase.DEALING
    assert play.pots() == [(18, (2, 4, 5))]


@pytest.mark.rule("RC-B7b", 2)
def test_two_acting_behind_forfeit_nothing() -> None:
    play = street("RC", RC_6_12, "flop", 2, 3, 4, 5, 6, do="2 bet 6")
    finding = saw(play, 3, "", "4 call, 5 call", asks="act")
    assert (finding.remedy, finding.rules) == ("right_kept", ("RC-B7b",))
    assert moved(finding) == [*back(4, 6), *back(5, 6)]
    assert "seats 4 and 5 acted too soon and are asked again" in finding.steps
    enter(play, finding)
    assert play.state.to_act == 3
    assert play.options() == {"fold", "call 6", "raise 12"}


@pytest.mark.rule("RC-B7c", 1)
def test_nobody_loses_the_right_while_the_player_in_front_has_not_acted() -> None:
    play = street("RC", RC_6_12, "flop", 2, 3, 4, 5, 6, 7, do="2 bet 6")
    finding = saw(play, 4, "", "5 call, 6 call, 7 call", asks="act")
    assert finding.remedy == "right_kept"
    assert "RC-B7c" in finding.rules
    assert moved(finding) == [*back(5, 6), *back(6, 6), *back(7, 6)]
    first = saw(play, 3, "say time", "5 call, 6 call, 7 call", time_after=0)
    assert first.remedy == "right_kept"
    assert "RC-B7a" in first.rules
    enter(play, finding)
    assert play.state.to_act == 3
    play.do("3 call")
    assert play.state.to_act == 4
    assert play.options() == {"fold", "call 6", "raise 12"}


@pytest.mark.rule("HG-B8a", 1)
def test_a_check_out_of_turn_costs_the_raise() -> None:
    play = street("HG", HG_2_4, "flop", 1, 2, 3)
    finding = saw(play, 3, "tap")
    assert finding.remedy == "held_if_unchanged"
    assert "HG-B8a" in finding.rules
    enter(play, finding)
    play.do("1 bet 2, 2 fold")
    refused = play.refused("3 raise 4")
    assert refused.code == "CHECKED_OUT_OF_TURN"
    assert "HG-B8a" in refused.rules
    assert play.options() == {"fold", "call 2"}


@pytest.mark.rule("HG-B8a", 2)
def test_after_a_check_out_of_turn_only_a_check_is_open() -> None:
    play = street("HG", HG_2_4, "flop", 1, 2, 3)
    enter(play, saw(play, 3, "tap"))
    play.do("1 check, 2 check")
    refused = play.refused("3 bet 2")
    assert refused.code == "HELD_TO_ACTION"
    assert set(refused.rules) == {"HG-B8a", "HG-B8b", "HG-B8c"}
    assert play.options() == {"check"}
    play.do("3 check")
    assert play.state.phase is Phase.DEALING


@pytest.mark.rule("HG-B8b", 1)
def test_a_bet_out_of_turn_binds_when_nobody_in_between_acted() -> None:
    play = street("HG", HG_2_4, "flop", 2, 3, 5)
    version = play.state.version
    play.do("2 check")
    finding = saw(play, 3, "say bet", after=version)
    assert (finding.remedy, finding.binding, finding.rules) == ("binding", False, ("HG-B8b",))
    assert [choice.remedy for choice in finding.choices] == ["not_binding"]
    enter(play, finding)
    assert play.state.to_act == 5
    assert play.state.betting.level_cents == 200


@pytest.mark.rule("HG-B8b", 2)
def test_a_bet_out_of_turn_does_not_bind_once_somebody_bet() -> None:
    play = street("HG", HG_2_4, "flop", 2, 3, 5)
    version = play.state.version
    play.do("2 bet 2")
    finding = saw(play, 3, "say bet", after=version)
    assert (finding.remedy, finding.rules) == ("not_binding", ("HG-B8b",))
    assert finding.entries == ()
    assert play.options() == {"fold", "call 2", "raise 4"}


@pytest.mark.rule("HG-B8c", 1)
def test_a_call_out_of_turn_never_becomes_a_raise() -> None:
    play = street("HG", HG_2_4, "flop", 2, 3, 4, 5, do="2 bet 2")
    finding = saw(play, 5, "put 1x2")
    assert "HG-B8c" in finding.rules
    enter(play, finding)
    play.do("3 fold, 4 fold")
    refused = play.refused("5 raise 4")
    assert "HG-B8c" in refused.rules
    play.do("5 call")
    assert play.stack(5) == 198
    play = street("HG", HG_2_4, "flop", 2, 3, 4, 5, do="2 bet 2")
    enter(play, saw(play, 5, "put 1x2"))
    play.do("3 call, 4 fold")
    refused = play.refused("5 raise 4")
    assert (refused.code, play.options()) == ("CALLED_OUT_OF_TURN", {"fold", "call 2"})


@pytest.mark.rule("HG-B9a", 1)
def test_a_player_behind_one_who_thinks_loses_nothing() -> None:
    play = street("HG", HG_2_4, "flop", 1, 2, 3, 4, 5, 6, 7, do="1 bet 2")
    finding = saw(play, 3, "", "4 call, 5 call, 6 fold, 7 call")
    assert finding.remedy == "right_kept"
    assert "HG-B9a" in finding.rules
    enter(play, finding)
    assert play.state.to_act == 2
    play.do("2 call")
    assert play.state.to_act == 3
    assert play.options() == {"fold", "call 2", "raise 4"}


@pytest.mark.rule("WP-3R10", 1)
def test_who_checked_out_of_turn_may_only_call() -> None:
    play = street("WP", WP_4_8, "flop", 2, 5, 8, do="2 check")
    finding = saw(play, 8, "tap")
    assert finding.rules == ("WP-3R10",)
    enter(play, finding)
    play.do("5 bet 4")
    enter(play, saw(play, 2, "throw"))
    refused = play.refused("8 raise 8")
    assert (refused.code, refused.rules) == ("CHECKED_OUT_OF_TURN", ("WP-3R10",))
    assert play.options() == {"fold", "call 4"}


@pytest.mark.rule("WP-3R10", 2)
def test_a_bet_out_of_turn_binds_unless_the_action_changed() -> None:
    play = street("WP", WP_4_8, "turn", 2, 5, 8, do="2 check")
    version = play.state.version
    play.do("5 check")
    finding = saw(play, 8, "put 4x2", after=version)
    assert (finding.remedy, finding.binding) == ("binding", False)
    enter(play, finding)
    assert play.state.betting.level_cents == 800
    play = street("WP", WP_4_8, "turn", 2, 5, 8, do="2 check")
    version = play.state.version
    play.do("5 bet 8")
    finding = saw(play, 8, "put 4x2", after=version)
    assert finding.remedy == "not_binding"
    assert moved(finding) == back(8, 8)
    enter(play, finding)
    assert play.state.to_act == 8
    assert play.options() == {"fold", "call 8", "raise 16"}


# ------------------------------------------------------------------ passed over, time called


@pytest.mark.rule("LC-51", 1)
def test_the_right_to_raise_is_lost_after_three() -> None:
    play = street("LC", LC_6_12, "flop", 2, 4, 5, 7, 9, do="2 check")
    finding = saw(play, 4, "say raise", "5 check, 7 bet 6, 9 call", asks="act")
    assert (finding.remedy, finding.binding, finding.rules) == ("right_lost", False, ("LC-51",))
    enter(play, finding)
    play.do("2 call")
    assert play.state.to_act == 4
    assert play.options() == {"fold", "call 6"}
    assert play.refused("4 raise 12").code == "RIGHT_TO_ACT_LOST"


@pytest.mark.rule("LC-51", 2)
def test_calling_time_keeps_the_right() -> None:
    play = street("LC", LC_6_12, "flop", 2, 4, 5, 7, 9, do="2 check")
    finding = saw(play, 4, "say time", "5 check, 7 bet 6")
    assert (finding.remedy, finding.rules) == ("right_kept", ("LC-51",))
    assert moved(finding) == back(7, 6)
    enter(play, finding)
    assert play.state.to_act == 4
    assert play.options() == {"fold", "check", "bet 6"}


@pytest.mark.rule("RC-B7a", 1)
def test_time_stops_the_action() -> None:
    play = street("RC", RC_6_12, "flop", 2, 3, 4, 5, do="2 bet 6")
    finding = saw(play, 3, "say time", "4 call")
    assert finding.remedy == "right_kept"
    assert "RC-B7a" in finding.rules
    assert moved(finding) == back(4, 6)
    enter(play, finding)
    assert play.state.to_act == 3
    assert play.options() == {"fold", "call 6", "raise 12"}


@pytest.mark.rule("HG-B9", 1)
def test_the_right_to_act_may_be_ruled_lost() -> None:
    play = street("HG", HG_2_4, "flop", 2, 3, 4, 5, 6, do="2 bet 2")
    finding = saw(play, 3, "", "4 call, 5 fold, 6 call")
    assert (finding.remedy, finding.binding, finding.rules) == ("hand_dead", False, ("HG-B9",))
    enter(play, finding)
    assert play.pots() == [(6, (2, 4, 6))]


@pytest.mark.rule("HG-B9", 2)
def test_two_behind_do_not_cost_the_right() -> None:
    play = street("HG", HG_2_4, "flop", 2, 3, 4, 5, 6, do="2 bet 2")
    finding = saw(play, 3, "", "4 call, 5 fold")
    assert (finding.remedy, finding.rules) == ("right_kept", ("HG-B9",))
    enter(play, finding)
    assert play.options() == {"fold", "call 2", "raise 4"}


def nine_handed() -> Play:
    seats = dict.fromkeys(range(1, 10), 300)
    posts: tuple[Post, ...] = blinds((1, 5), (2, 10))
    assert posts[1].kind is PostKind.BIG_BLIND
    return Play("WP", WP_10_20, seats, button=9, posts=posts)


@pytest.mark.rule("WP-3R11", 1)
def test_facing_the_big_blind_the_hand_is_out_of_play() -> None:
    play = nine_handed()
    finding = saw(play, 3, "", "4 fold, 5 call, 6 call", asks="act")
    assert (finding.remedy, finding.binding, finding.rules) == ("hand_dead", False, ("WP-3R11",))
    enter(play, finding)
    assert play.state.to_act == 7


@pytest.mark.rule("WP-3R11", 2)
@pytest.mark.parametrize(
    ("behind", "time_after"), [("4 fold, 5 call", None), ("4 fold, 5 call, 6 call", 0)]
)
def test_before_the_third_or_with_time_called_the_right_is_kept(
    behind: str, time_after: int | None
) -> None:
    play = nine_handed()
    finding = saw(play, 3, "", behind, asks="act", time_after=time_after)
    assert (finding.remedy, finding.rules) == ("right_kept", ("WP-3R11",))
    enter(play, finding)
    assert play.state.to_act == 3
    assert play.options() == {"fold", "call 10", "raise 20"}


@pytest.mark.rule("WP-3R11", 3)
def test_who_waits_for_the_player_in_front_keeps_the_right() -> None:
    play = nine_handed()
    behind = "5 call, 6 call, 7 fold"
    finding = saw(play, 4, "", behind, asks="act")
    assert (finding.remedy, finding.rules) == ("right_kept", ("WP-3R11",))
    assert fact(finding, "reason") == "seat_in_front_had_not_acted"
    front = saw(play, 3, "", behind)
    assert front.remedy == "hand_dead"
    enter(play, front)
    assert play.state.to_act == 4
    assert play.options() == {"fold", "call 10", "raise 20"}


# ------------------------------------------------------------------ undercalls


@pytest.mark.rule("LC-58", 1)
def test_one_unaware_of_the_raise_acts_again() -> None:
    play = street("LC", LC_6_12, "flop", 2, 5, 7, 9, do="2 bet 6, 5 raise 12")
    assert saw(play, 7, "put 2x3").missing == ("aware",)
    finding = saw(play, 7, "put 2x3", aware=False)
    assert (finding.remedy, finding.binding, finding.rules) == ("may_take_back", False, ("LC-58",))
    assert moved(finding) == back(7, 6)
    enter(play, finding)
    assert play.state.to_act == 7
    assert {"fold", "call 12"} <= play.options()


@pytest.mark.rule("LC-58a", 1)
def test_with_action_behind_he_completes_or_forfeits() -> None:
    play = street("LC", LC_6_12, "flop", 2, 5, 7, 9, do="2 bet 6, 5 raise 12")
    finding = saw(play, 7, "put 2x3", "9 call", aware=False, asks="take_back")
    assert (finding.remedy, finding.binding) == ("complete_or_forfeit", False)
    assert "LC-58a" in finding.rules
    assert fact(finding, "reason") == "action_behind"
    assert moved(finding) == []
    enter(play, finding)
    assert play.state.to_act == 7
    assert play.options() == {"fold", "call 6"}
    play.do("7 fold, 2 call")
    assert play.pots() == [(42, (2, 5, 9))]


@pytest.mark.rule("LC-58b", 1)
def test_a_call_declared_has_to_be_made_once_somebody_acted() -> None:
    play = street("LC", LC_6_12, "flop", 2, 5, 7, 9, do="2 bet 6, 5 raise 12")
    finding = saw(play, 7, "say call", "9 call", aware=False)
    assert (finding.remedy, finding.binding) == ("must_call", False)
    assert "LC-58b" in finding.rules
    enter(play, finding)
    assert (play.stack(7), play.stack(9)) == (188, 188)
    assert play.state.to_act == 2


@pytest.mark.rule("RC-B8", 1)
def test_chips_may_be_taken_back_while_nobody_has_acted() -> None:
    play = street("RC", RC_4_8, "turn", 1, 2, 4, 5, do="1 bet 8, 2 raise 16")
    finding = saw(play, 4, "put 4x2", aware=False, asks="take_back")
    assert (finding.remedy, finding.rules) == ("may_take_back", ("RC-B8",))
    assert moved(finding) == back(4, 8)
    enter(play, finding)
    assert play.options() == {"fold", "call 16", "raise 24"}


@pytest.mark.rule("RC-B8", 2)
def test_chips_stay_once_somebody_has_acted() -> None:
    play = street("RC", RC_4_8, "turn", 1, 2, 4, 5, do="1 bet 8, 2 raise 16")
    finding = saw(play, 4, "put 4x2", "5 fold", aware=False, asks="take_back")
    assert (finding.remedy, finding.rules) == ("complete_or_forfeit", ("RC-B8",))
    assert moved(finding) == []
    enter(play, finding)
    assert play.state.to_act == 4
    assert play.options() == {"fold", "call 8"}
    play.do("4 call")
    assert play.stack(4) == 184


@pytest.mark.rule("WP-3R12", 1)
def test_money_put_in_unaware_may_be_taken_back() -> None:
    play = street("WP", WP_10_20, "flop", 2, 5, 8, 9, do="2 bet 10, 5 raise 20")
    finding = saw(play, 8, "put 5x2", aware=False)
    assert (finding.remedy, finding.rules) == ("may_take_back", ("WP-3R12",))
    assert moved(finding) == back(8, 10)
    enter(play, finding)
    assert play.options() == {"fold", "call 20", "raise 30"}


@pytest.mark.rule("WP-3R12", 2)
def test_with_action_after_it_the_money_is_brought_up() -> None:
    play = street("WP", WP_10_20, "flop", 2, 5, 8, 9, do="2 bet 10, 5 raise 20")
    finding = saw(play, 8, "put 5x2", "9 call", aware=False)
    assert (finding.remedy, finding.binding) == ("must_call", False)
    assert {"WP-3R12", "WP-3R16"} <= set(finding.rules)
    enter(play, finding)
    assert (play.stack(8), play.stack(9)) == (180, 180)
    assert play.state.to_act == 2
