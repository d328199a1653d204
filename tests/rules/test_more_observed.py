"""More examples of what players are seen to do: other amounts, seats, books and moments."""

import pytest

from cardroom.known.games import Form, Structure
from cardroom.tables.hand_events import Phase
from tests.plugins.hand_play import Play, at_street, game, stud
from tests.plugins.observing import back, enter, fact, moved, owed, saw

LC_3_6 = game(3, 6, blinds=(1, 3))
LC_6_12 = game(6, 12, chip=2, blinds=(2, 6))
LC_20_40 = game(20, 40, chip=5, blinds=(10, 20))
RC_4_8 = game(4, 8, blinds=(2, 4))
RC_6_12 = game(6, 12, blinds=(3, 6))
RC_1_2 = game(2, structure=Structure.NO_LIMIT, blinds=(1, 2))
HG_2_4 = game(2, 4, chip="0.25", blinds=(1, 2))
WP_4_8 = game(4, 8, blinds=(2, 4))
WP_10_20 = game(10, 20, blinds=(5, 10))
WP_NL = game(10, structure=Structure.NO_LIMIT, chip=5, blinds=(5, 10))


def street(book: str, a_game: object, name: str, *seats: int, do: str = "") -> Play:
    """Return a street with these seats in and some actions taken."""
    play = at_street(book, a_game, name, dict.fromkeys(seats, 300), button=max(seats))  # type: ignore[arg-type]
    return play.do(do) if do else play


# ------------------------------------------------------------------------------ one chip


@pytest.mark.rule("LC-56")
@pytest.mark.rule("RC-B12")
@pytest.mark.rule("WP-3R15")
@pytest.mark.rule("HG-B12")
@pytest.mark.parametrize(
    ("book", "a_game", "bet", "chip", "change"),
    [
        ("LC", LC_6_12, 6, "12", 6),
        ("LC", LC_6_12, 6, "25", 19),
        ("LC", LC_20_40, 20, "100", 80),
        ("RC", RC_6_12, 6, "25", 19),
        ("RC", RC_6_12, 6, "12", 6),
        ("WP", WP_NL, 30, "500", 470),
        ("HG", HG_2_4, 2, "5", 3),
    ],
)
def test_one_silent_chip_is_a_call_however_large(
    book: str, a_game: object, bet: int, chip: str, change: int
) -> None:
    play = at_street(book, a_game, "flop", {2: 900, 5: 900, 8: 900}, button=9)  # type: ignore[arg-type]
    play.do(f"2 bet {bet}")
    finding = saw(play, 5, f"put {chip}")
    assert finding.remedy == "call"
    assert moved(finding) == back(5, change)
    enter(play, finding)
    assert play.stack(5) == 900 - bet


@pytest.mark.rule("LC-56")
@pytest.mark.rule("HG-B12")
@pytest.mark.parametrize(("book", "a_game", "bet"), [("LC", LC_6_12, 6), ("HG", HG_2_4, 2)])
def test_a_raise_said_after_the_chip_was_let_go_comes_too_late(
    book: str, a_game: object, bet: int
) -> None:
    play = street(book, a_game, "flop", 2, 5, 8, do=f"2 bet {bet}")
    finding = saw(play, 5, "put 25; say raise")
    assert finding.remedy == "call"
    enter(play, finding)
    assert play.stack(5) == 300 - bet


@pytest.mark.rule("LC-56")
def test_one_chip_with_nothing_to_call_is_the_bet_of_the_round() -> None:
    play = street("LC", LC_6_12, "flop", 2, 5, 8)
    finding = saw(play, 2, "put 20")
    assert finding.remedy == "bet"
    assert moved(finding) == back(2, 14)


@pytest.mark.rule("WP-3R15")
def test_one_chip_facing_a_raise_is_a_call_of_the_raise() -> None:
    play = street("WP", WP_4_8, "turn", 2, 5, 8, do="2 bet 8, 5 raise 16")
    finding = saw(play, 8, "put 25")
    assert finding.remedy == "call"
    assert moved(finding) == back(8, 9)


# ------------------------------------------------------------------------------ words


@pytest.mark.rule("LC-54")
def test_a_call_said_with_a_raise_in_hand_is_a_call() -> None:
    play = street("LC", LC_6_12, "turn", 2, 5, 8, do="2 bet 12")
    finding = saw(play, 5, "say call; put 2x12")
    assert finding.remedy == "call"
    assert moved(finding) == back(5, 12)


@pytest.mark.rule("LC-54")
@pytest.mark.rule("WP-3R8")
@pytest.mark.parametrize(("book", "a_game"), [("LC", LC_6_12), ("WP", WP_10_20)])
def test_a_check_said_with_a_wager_to_face_is_none(book: str, a_game: object) -> None:
    play = street(book, a_game, "flop", 2, 5, 8, do=f"2 bet {a_game.small_bet_cents // 100}")  # type: ignore[attr-defined]
    finding = saw(play, 5, "say check")
    assert finding.remedy == "facing_wager"
    assert play.state.to_act == 5


@pytest.mark.rule("HG-B7")
def test_a_bet_said_is_made_in_full() -> None:
    play = street("HG", HG_2_4, "turn", 2, 5, 8)
    finding = saw(play, 2, "say bet; put 1x2")
    assert finding.remedy == "bet"
    assert moved(finding) == owed(2, 2)
    enter(play, finding)
    assert play.stack(2) == 296


@pytest.mark.rule("RC-B6")
@pytest.mark.rule("HG-B7")
@pytest.mark.parametrize(("book", "a_game"), [("RC", RC_4_8), ("HG", HG_2_4)])
def test_a_fold_said_in_turn_binds_with_nothing_to_face(book: str, a_game: object) -> None:
    play = street(book, a_game, "flop", 2, 5, 8)
    finding = saw(play, 2, "say fold")
    assert finding.remedy == "fold"
    enter(play, finding)
    assert play.state.to_act == 5


@pytest.mark.rule("RC-B6")
def test_pass_facing_a_bet_is_a_fold() -> None:
    play = street("RC", RC_4_8, "flop", 2, 5, 8, do="2 bet 4")
    assert saw(play, 5, "say pass").remedy == "fold"


@pytest.mark.rule("RC-B6a")
def test_naming_the_third_bet_is_a_raise() -> None:
    play = street("RC", RC_6_12, "turn", 2, 5, 8, do="2 bet 12, 5 raise 24")
    finding = saw(play, 8, "say thirty-six")
    assert finding.remedy == "raise"
    enter(play, finding)
    assert play.stack(8) == 300 - 36


@pytest.mark.rule("RC-B6a")
def test_naming_what_is_to_be_called_is_a_call() -> None:
    play = street("RC", RC_6_12, "flop", 2, 5, 8, do="2 bet 6")
    assert saw(play, 5, "say six").remedy == "call"


@pytest.mark.rule("RC-B6a")
def test_naming_a_larger_amount_in_no_limit_is_that_raise() -> None:
    play = street("RC", RC_1_2, "flop", 2, 5, 8, do="2 bet 10")
    finding = saw(play, 5, "say forty")
    assert finding.remedy == "raise"
    enter(play, finding)
    assert play.stack(5) == 260


@pytest.mark.rule("WP-3R9")
@pytest.mark.rule("LC-59")
@pytest.mark.parametrize(("book", "a_game"), [("LC", LC_6_12), ("WP", WP_10_20)])
def test_a_tap_with_a_bet_to_face_is_no_action(book: str, a_game: object) -> None:
    play = street(book, a_game, "turn", 2, 5, 8, do=f"2 bet {a_game.big_bet_cents // 100}")  # type: ignore[attr-defined]
    finding = saw(play, 5, "tap")
    assert finding.remedy == "facing_wager"
    assert play.options() >= {"fold"}
    assert play.state.to_act == 5


# ------------------------------------------------------------------------------ bet and a half


@pytest.mark.rule("LC-61")
@pytest.mark.rule("HG-B11")
@pytest.mark.rule("WP-3R14")
@pytest.mark.rule("RC-B9")
@pytest.mark.parametrize(
    ("book", "a_game", "name", "do", "chips", "remedy", "over"),
    [
        ("LC", LC_6_12, "flop", "2 bet 6", "1x8", "call", 2),
        ("LC", LC_6_12, "flop", "2 bet 6", "1x9", "raise", -3),
        ("LC", LC_20_40, "turn", "2 bet 40", "5x12", "raise", -20),
        ("LC", LC_20_40, "turn", "2 bet 40", "5x11", "call", 15),
        ("HG", HG_2_4, "turn", "2 bet 4", "0.25x24", "raise", -2),
        ("HG", HG_2_4, "turn", "2 bet 4", "0.25x23", "call", 1.75),
        ("WP", WP_10_20, "flop", "2 bet 10", "1x15", "raise", -5),
        ("WP", WP_10_20, "flop", "2 bet 10", "1x14", "call", 4),
        ("RC", RC_6_12, "flop", "2 bet 6", "1x11", "call", 5),
        ("RC", RC_6_12, "flop", "2 bet 6", "1x12", "raise", 0),
    ],
)
def test_silent_chips_around_the_measure(
    book: str, a_game: object, name: str, do: str, chips: str, remedy: str, over: float
) -> None:
    play = street(book, a_game, name, 2, 5, 8, do=do)
    finding = saw(play, 5, f"put {chips}")
    assert finding.remedy == remedy
    wanted = back(5, over) if over > 0 else owed(5, -over) if over else []
    assert moved(finding) == wanted


@pytest.mark.rule("LC-61")
@pytest.mark.rule("WP-3R14")
@pytest.mark.parametrize(("chips", "remedy"), [("1x34", "call"), ("1x35", "raise")])
def test_the_half_is_measured_over_the_raise_that_is_faced(chips: str, remedy: str) -> None:
    # The flop stands at 30 after a raise and a re-raise; a further raise is to 40.
    play = street("WP", WP_10_20, "flop", 1, 2, 5, 8, do="1 bet 10, 2 raise 20, 5 raise 30")
    assert saw(play, 8, f"put {chips}").remedy == remedy


@pytest.mark.rule("LC-61")
@pytest.mark.parametrize(("chips", "remedy"), [("1x8", "call"), ("1x9", "raise")])
def test_what_lies_in_front_already_counts_toward_the_bet(chips: str, remedy: str) -> None:
    play = street("LC", LC_6_12, "flop", 2, 5, 8, do="2 bet 6, 5 call, 8 raise 12")
    # Seat 2 has 6 in front: six more call, nine more are half a raise.
    assert saw(play, 2, f"put {chips}").remedy == remedy


@pytest.mark.rule("LC-62")
def test_a_fold_counts_among_the_two_who_acted() -> None:
    play = street("LC", LC_6_12, "flop", 2, 5, 8, 9, do="2 bet 6")
    version = play.state.version
    play.do("5 raise 12, 8 fold, 9 call")
    finding = saw(play, 5, "put 6; put 6", called_by="seat:2", after=version)
    assert (finding.remedy, fact(finding, "reason")) == ("raise", "two_have_acted")


@pytest.mark.rule("LC-62")
def test_one_caller_behind_is_asked_again() -> None:
    play = street("LC", LC_6_12, "flop", 2, 5, 8, 9, do="2 bet 6")
    version = play.state.version
    play.do("5 raise 12, 8 call")
    finding = saw(play, 5, "put 6; put 6", called_by="seat:9", after=version)
    assert finding.remedy == "string_raise"
    enter(play, finding)
    assert play.state.to_act == 8
    assert play.options() == {"fold", "call 6", "raise 12"}


@pytest.mark.rule("WP-3R14")
@pytest.mark.rule("HG-B11")
@pytest.mark.parametrize(("book", "a_game", "bet"), [("WP", WP_10_20, 10), ("HG", HG_2_4, 2)])
def test_elsewhere_the_dealer_may_call_it_and_one_who_acted_makes_it_stand(
    book: str, a_game: object, bet: int
) -> None:
    play = street(book, a_game, "flop", 2, 5, 8, 9, do=f"2 bet {bet}")
    motions = f"put 1x{bet}; put 1x{bet}"
    assert saw(play, 5, motions, called_by="dealer").remedy == "string_raise"
    version = play.state.version
    play.do(f"5 raise {2 * bet}, 8 call")
    finding = saw(play, 5, motions, called_by="seat:9", after=version)
    assert (finding.remedy, fact(finding, "reason")) == ("raise", "one_has_acted")


@pytest.mark.rule("LC-63")
def test_elsewhere_a_mistaken_raise_stands() -> None:
    play = street("WP", WP_10_20, "turn", 2, 5, 8, do="2 bet 20")
    finding = saw(play, 5, "put 10x4", asks="withdraw")
    assert finding.remedy == "raise"


# ------------------------------------------------------------------------------ forward motion


@pytest.mark.rule("HG-B10")
@pytest.mark.rule("WP-3R13")
@pytest.mark.parametrize(
    ("book", "a_game", "chips"), [("HG", HG_2_4, "2x2"), ("WP", WP_4_8, "4x2"), ("RC", RC_4_8, "4x2")]
)  # fmt: skip
def test_a_motion_that_moved_nobody_binds_nobody(book: str, a_game: object, chips: str) -> None:
    play = street(book, a_game, "turn", 3, 4, 6)
    finding = saw(play, 3, f"hold {chips}; back")
    assert finding.remedy == "no_wager"


@pytest.mark.rule("LC-52")
def test_a_motion_with_a_bet_to_face_may_be_a_call() -> None:
    play = street("LC", LC_6_12, "river", 2, 5, 8, do="2 bet 12")
    finding = saw(play, 5, "hold 2x6; back")
    assert (finding.remedy, finding.rules) == ("call", ("LC-52",))


# ------------------------------------------------------------------------------ short wagers


@pytest.mark.rule("LC-57")
def test_a_short_call_of_a_raise_that_is_known_is_made_complete() -> None:
    play = street("LC", LC_6_12, "flop", 2, 5, 8, do="2 bet 6, 5 raise 12")
    finding = saw(play, 8, "put 2x4", aware=True)
    assert finding.remedy == "call"
    assert moved(finding) == owed(8, 4)


@pytest.mark.rule("LC-57")
@pytest.mark.rule("RC-B11")
def test_a_short_bet_that_is_all_in_is_not_brought_up() -> None:
    play = at_street("LC", LC_6_12, "turn", {4: 8, 8: 100}, button=1)
    finding = saw(play, 4, "put 2x4")
    assert finding.remedy == "bet"
    assert moved(finding) == []
    enter(play, finding)
    assert play.options() == {"fold", "call 8"}


@pytest.mark.rule("WP-3R16")
@pytest.mark.parametrize(("chips", "to"), [("50+1x4", 50), ("50+5", 60), ("50+1x6", 60)])
def test_half_way_between_two_amounts_is_rounded_up(chips: str, to: int) -> None:
    tens = game(10, structure=Structure.NO_LIMIT, chip=10, blinds=(10, 10))
    play = street("WP", tens, "flop", 4, 6, 8)
    finding = saw(play, 4, f"put {chips}")
    enter(play, finding)
    assert play.stack(4) == 300 - to


@pytest.mark.rule("WP-3R16")
def test_a_lower_bet_and_raise_on_the_river_are_brought_up() -> None:
    play = street("WP", WP_4_8, "river", 2, 5, 8)
    finding = saw(play, 2, "put 4x1", "5 call")
    assert finding.remedy == "bet"
    enter(play, finding)
    assert (play.stack(2), play.stack(5)) == (292, 292)
    play.do("8 raise 16, 2 call")
    assert play.options() == {"fold", "call 8", "raise 24"}


@pytest.mark.rule("WP-3R16")
@pytest.mark.parametrize("book", ["WP", "LC", "HG", "RC"])
def test_a_short_bring_in_is_brought_up(book: str) -> None:
    small = game(10, 20, form=Form.STUD, bring_in=3)
    play = stud(book, small, {2: "2c", 5: "Kd", 7: "9h"}, 3)
    finding = saw(play, 2, "put 1x2")
    assert finding.remedy == "bring_in"
    assert moved(finding) == owed(2, 1)


# ------------------------------------------------------------------------------ undercalls


@pytest.mark.rule("WP-3R12")
@pytest.mark.parametrize(("book", "a_game", "bet"), [("HG", HG_2_4, 2), ("WP", WP_10_20, 10)])
def test_who_missed_two_raises_may_take_it_back(book: str, a_game: object, bet: int) -> None:
    do = f"1 bet {bet}, 2 raise {2 * bet}, 5 raise {3 * bet}"
    play = street(book, a_game, "flop", 1, 2, 5, 8, 9, do=do)
    finding = saw(play, 8, f"put 1x{bet}", aware=False)
    assert (finding.remedy, finding.rules[0]) == ("may_take_back", "WP-3R12")
    enter(play, finding)
    assert play.options() == {"fold", f"call {3 * bet}", f"raise {4 * bet}"}


@pytest.mark.rule("WP-3R12")
def test_the_home_game_follows_with_action_behind() -> None:
    play = street("HG", HG_2_4, "turn", 2, 5, 8, 9, do="2 bet 4, 5 raise 8")
    finding = saw(play, 8, "put 1x4", "9 fold", aware=False)
    assert finding.remedy == "must_call"
    enter(play, finding)
    assert play.stack(8) == 292


@pytest.mark.rule("LC-58")
def test_a_call_said_unaware_does_not_bind_while_nobody_has_acted() -> None:
    play = street("LC", LC_6_12, "turn", 2, 5, 7, 9, do="2 bet 12, 5 raise 24")
    finding = saw(play, 7, "say call", aware=False)
    assert finding.remedy == "may_take_back"
    enter(play, finding)
    assert play.state.to_act == 7
    assert {"fold", "call 24"} <= play.options()


@pytest.mark.rule("LC-58a")
def test_a_fold_behind_is_action_too() -> None:
    play = street("LC", LC_6_12, "turn", 2, 5, 7, 9, do="2 bet 12, 5 raise 24")
    finding = saw(play, 7, "put 2x6", "9 fold", aware=False)
    assert finding.remedy == "complete_or_forfeit"
    enter(play, finding)
    assert play.options() == {"fold", "call 12"}


# ------------------------------------------------------------------------------ out of turn


@pytest.mark.rule("LC-50")
def test_a_call_out_of_turn_does_not_bind_either() -> None:
    play = street("LC", LC_6_12, "turn", 2, 5, 8, do="2 bet 12")
    finding = saw(play, 8, "put 2x6", deliberate=False)
    assert finding.remedy == "not_binding"
    assert moved(finding) == back(8, 12)
    enter(play, finding)
    play.do("5 fold")
    assert play.options() == {"fold", "call 12", "raise 24"}


@pytest.mark.rule("LC-53b")
def test_heads_up_a_bet_out_of_turn_may_be_called() -> None:
    play = street("LC", LC_6_12, "river", 2, 8)
    enter(play, saw(play, 8, "put 2x6", opponent_wants="stand"))
    play.do("2 call")
    assert play.state.phase is Phase.SHOWDOWN


@pytest.mark.rule("LC-53a")
def test_heads_up_the_checker_out_of_turn_may_call_a_bet() -> None:
    play = street("LC", LC_6_12, "flop", 2, 8)
    enter(play, saw(play, 8, "tap"))
    play.do("2 bet 6, 8 call")
    assert play.state.phase is Phase.DEALING


@pytest.mark.rule("RC-B7")
def test_heads_up_in_ranchos_club_is_as_multiway() -> None:
    play = street("RC", RC_4_8, "turn", 2, 8)
    finding = saw(play, 8, "put 4x2")
    assert (finding.remedy, moved(finding)) == ("not_binding", back(8, 8))
    enter(play, finding)
    play.do("2 check")
    assert play.options() == {"fold", "check", "bet 8"}


@pytest.mark.rule("WP-3R10")
def test_a_call_in_between_frees_who_acted_out_of_turn() -> None:
    play = street("WP", WP_4_8, "turn", 2, 5, 8, do="2 bet 8")
    version = play.state.version
    play.do("5 call")
    finding = saw(play, 8, "put 4x2", after=version)
    assert finding.remedy == "not_binding"
    play = street("WP", WP_4_8, "turn", 2, 5, 8, do="2 bet 8")
    version = play.state.version
    play.do("5 fold")
    finding = saw(play, 8, "put 4x2", after=version)
    assert finding.remedy == "binding"


@pytest.mark.rule("WP-3R10")
def test_the_right_to_raise_is_lost_for_one_turn_only() -> None:
    play = street("WP", WP_4_8, "flop", 2, 5, 8, do="2 check")
    enter(play, saw(play, 8, "tap"))
    play.do("5 bet 4, 8 call, 2 raise 8, 5 call")
    assert play.options() == {"fold", "call 4", "raise 12"}


@pytest.mark.rule("HG-B8c")
def test_a_call_out_of_turn_is_no_raise_though_another_raised() -> None:
    play = street("HG", HG_2_4, "turn", 2, 3, 4, 5, do="2 bet 4")
    enter(play, saw(play, 5, "put 1x4"))
    play.do("3 raise 8, 4 fold")
    assert play.options() == {"fold", "call 8"}


@pytest.mark.rule("HG-B8a")
def test_a_check_out_of_turn_costs_nothing_in_ranchos_club() -> None:
    play = street("RC", RC_4_8, "flop", 1, 2, 3)
    enter(play, saw(play, 3, "tap"))
    play.do("1 bet 4, 2 fold")
    assert play.options() == {"fold", "call 4", "raise 8"}


# ------------------------------------------------------------------------------ passed over


@pytest.mark.rule("LC-51")
def test_with_no_wager_to_face_he_is_taken_to_have_checked() -> None:
    play = street("LC", LC_6_12, "flop", 2, 4, 5, 7, 9, do="2 check")
    finding = saw(play, 4, "", "5 check, 7 check, 9 check", asks="act")
    assert finding.rules == ("LC-51",)
    enter(play, finding)
    assert play.state.phase is Phase.DEALING


@pytest.mark.rule("RC-B7b")
@pytest.mark.rule("WP-3R11")
@pytest.mark.rule("HG-B9")
@pytest.mark.parametrize(("book", "a_game"), [("RC", RC_4_8), ("WP", WP_10_20), ("HG", HG_2_4)])
def test_with_no_wager_to_face_the_right_lost_is_a_check(book: str, a_game: object) -> None:
    play = street(book, a_game, "flop", 2, 3, 4, 5, 6, do="2 check")
    finding = saw(play, 3, "", "4 check, 5 check, 6 check")
    assert finding.remedy == "taken_to_have_checked"
    enter(play, finding)
    assert play.state.phase is Phase.DEALING


@pytest.mark.rule("RC-B7b")
def test_more_than_three_behind_forfeit_too() -> None:
    play = street("RC", RC_4_8, "turn", 2, 3, 4, 5, 6, 7, do="2 bet 8")
    finding = saw(play, 3, "", "4 call, 5 fold, 6 fold, 7 call")
    assert finding.remedy == "hand_dead"


@pytest.mark.rule("RC-B7c")
def test_a_player_in_front_who_folded_is_not_in_front() -> None:
    # Seat 4's nearest live neighbour is seat 2, who has acted: the right can be lost.
    play = street("RC", RC_4_8, "flop", 2, 3, 4, 5, 6, 7, do="2 bet 4, 3 fold")
    finding = saw(play, 4, "", "5 call, 6 call, 7 call")
    assert finding.remedy == "hand_dead"


@pytest.mark.rule("LC-51")
@pytest.mark.rule("RC-B7b")
@pytest.mark.parametrize(("book", "a_game", "bet"), [("LC", LC_6_12, 6), ("RC", RC_4_8, 4)])
def test_two_players_who_act_three_times_are_two(book: str, a_game: object, bet: int) -> None:
    play = street(book, a_game, "flop", 2, 4, 5, do="2 check")
    behind = f"5 bet {bet}, 2 raise {2 * bet}, 5 call"
    finding = saw(play, 4, "", behind, asks="act")
    assert finding.remedy == "right_kept"


@pytest.mark.rule("LC-51")
def test_time_called_before_the_third_keeps_the_right_though_more_act() -> None:
    play = street("LC", LC_6_12, "flop", 2, 4, 5, 7, 8, 9, do="2 check")
    behind = "5 check, 7 bet 6, 8 fold, 9 call"
    assert saw(play, 4, "say time", behind, time_after=2).remedy == "right_kept"
    assert saw(play, 4, "say time", behind, time_after=3).remedy == "right_lost"


@pytest.mark.rule("LC-62")
def test_one_player_who_acted_twice_is_one() -> None:
    play = street("LC", LC_6_12, "flop", 2, 5, do="2 bet 6")
    version = play.state.version
    play.do("5 raise 12, 2 raise 18, 5 raise 24, 2 raise 30")
    finding = saw(play, 5, "put 6; put 6", called_by="seat:2", after=version)
    assert finding.remedy == "string_raise"
