"""Each variant of the decisions about what people did, in any room's book; amounts, words and facts that differ."""

from decimal import Decimal
from typing import Any

import pytest

from cardroom.known.games import Form, Structure
from cardroom.tables.observations.words import Declaration, Said, declared
from tests.plugins.hand_play import Play, at_street, blinds, game, stud
from tests.plugins.observing import back, enter, fact, moved, owed, saw

LIMIT = game(10, 20, blinds=(5, 10))
NO_LIMIT = game(2, structure=Structure.NO_LIMIT, blinds=(1, 2))
POT_LIMIT = game(2, structure=Structure.POT_LIMIT, blinds=(1, 2))
SPREAD = game(2, 10, structure=Structure.SPREAD_LIMIT, blinds=(1, 2))
STUD = game(3, 6, form=Form.STUD, ante="0.5", bring_in=1, chip="0.5")


def turn(book: str, form: Any, *seats: int, acts: str = "", **values: Any) -> Play:
    """Return a turn of these seats under a book with some decisions set otherwise."""
    named = {f"betting__{name}": value for name, value in values.items()}
    stacks = dict.fromkeys(seats or (2, 5, 8), 300)
    play = at_street(book, form, "turn", stacks, button=1, values=named or None)
    return play.do(acts) if acts else play


# ------------------------------------------------------------------ string raises


def test_a_house_may_ask_for_the_whole_raise_in_hand() -> None:
    play = turn("WP", LIMIT, acts="2 bet 20", silent_raise_fraction=Decimal("1.0"))
    assert saw(play, 5, "put 10x3").remedy == "call"
    assert saw(play, 5, "put 10x4").remedy == "raise"


@pytest.mark.parametrize(("after", "stands"), [(1, True), (2, False)])
def test_a_string_raise_stands_after_as_many_as_the_house_says(after: int, stands: bool) -> None:
    play = turn(
        "LC", LIMIT, 2, 5, 8, acts="2 bet 20, 5 raise 40, 8 fold", string_raise_stands_after=after
    )
    finding = saw(play, 5, "put 20; put 20", called_by="seat:2")
    assert finding.remedy == ("raise" if stands else "string_raise")
    assert fact(finding, "reason") == ("one_has_acted" if stands else "")
    if not stands:
        assert "seat 8 acts again" in finding.steps
        enter(play, finding)
        assert play.state.to_act == 8


def test_where_the_dealer_may_call_it_his_report_is_enough() -> None:
    play = turn("LC", LIMIT, acts="2 bet 20", string_raise_called_by="dealer_or_live_hand")
    assert saw(play, 5, "put 20; put 20").remedy == "string_raise"
    play = turn("WP", LIMIT, acts="2 bet 20", string_raise_called_by="live_hand")
    finding = saw(play, 5, "put 20; put 20")
    assert (finding.remedy, finding.binding) == ("raise", False)
    assert [choice.remedy for choice in finding.choices] == ["string_raise"]
    enter(play, finding, "string_raise")
    assert play.state.betting.level_cents == 2000


def test_the_word_after_the_chips_makes_no_raise() -> None:
    play = turn("WP", LIMIT, acts="2 bet 20")
    finding = saw(play, 5, "put 20; say raise", called_by="seat:8")
    assert finding.remedy == "string_raise"
    assert moved(finding) == []
    assert saw(play, 5, "put 20; say call").remedy == "call"


def test_a_second_motion_that_only_completes_the_call_is_no_string_raise() -> None:
    play = turn("WP", LIMIT, acts="2 bet 20")
    finding = saw(play, 5, "put 10; put 10", aware=True)
    assert (finding.remedy, moved(finding)) == ("call", [])


def test_a_bet_in_two_motions_is_the_first_one() -> None:
    play = turn("WP", NO_LIMIT)
    finding = saw(play, 2, "put 5x4; put 5x4", called_by="dealer")
    assert finding.remedy == "string_raise"
    assert moved(finding) == back(2, 20)
    enter(play, finding)
    assert play.state.betting.level_cents == 2000


def test_a_raise_by_mistake_stays_where_the_house_allows_no_withdrawal() -> None:
    play = turn("WP", LIMIT, acts="2 bet 20")
    finding = saw(play, 5, "put 10x4", asks="withdraw")
    assert (finding.remedy, fact(finding, "reason")) == ("raise", "chips_released")
    play = turn("WP", LIMIT, acts="2 bet 20", inadvertent_raise_withdrawable=True)
    assert saw(play, 5, "put 10x4", asks="withdraw").remedy == "raise_withdrawn"
    declared_one = saw(play, 5, "say raise; put 10x4", asks="withdraw")
    assert (declared_one.remedy, fact(declared_one, "reason")) == ("raise", "declared_raise")


# ------------------------------------------------------------------ chips and amounts


@pytest.mark.parametrize(
    ("chips", "remedy", "returned"),
    [("25x2", "raise", 0), ("5x5", "call", 5), ("50", "call", 30), ("10x2", "call", 0)],
)
def test_in_no_limit_less_than_a_raise_is_the_smaller_action(
    chips: str, remedy: str, returned: int
) -> None:
    play = turn("WP", NO_LIMIT, acts="2 bet 20")
    finding = saw(play, 5, f"put {chips}")
    assert finding.remedy == remedy
    assert moved(finding) == (back(5, returned) if returned else [])
    if chips == "5x5":
        assert not finding.binding
        assert [choice.remedy for choice in finding.choices] == ["raise"]
        enter(play, finding, "raise")
        assert play.state.betting.level_cents == 4000


def test_one_chip_opens_for_what_it_is_worth_where_amounts_are_free() -> None:
    play = turn("WP", NO_LIMIT)
    enter(play, saw(play, 2, "put 25"))
    assert play.state.betting.level_cents == 2500
    play = turn("WP", LIMIT)
    finding = saw(play, 2, "put 100")
    assert (finding.remedy, moved(finding)) == ("bet", back(2, 80))


@pytest.mark.parametrize(("form", "most"), [(SPREAD, 10), (POT_LIMIT, 0)])
def test_a_bet_above_the_most_is_the_most(form: Any, most: int) -> None:
    play = turn("WP", form, 2, 5)
    finding = saw(play, 2, "say bet 90")
    enter(play, finding)
    limit = most or 2
    assert play.state.betting.level_cents == limit * 100


def test_every_chip_is_all_in_though_it_is_no_full_raise() -> None:
    play = at_street("WP", LIMIT, "turn", {2: 300, 5: 25, 8: 300}, button=1).do("2 bet 20")
    finding = saw(play, 5, "put 5x5")
    assert (finding.remedy, finding.binding) == ("raise", True)
    enter(play, finding)
    assert play.events[-1].all_in
    short = at_street("WP", LIMIT, "turn", {2: 300, 5: 15, 8: 300}, button=1).do("2 bet 20")
    finding = saw(short, 5, "say all in")
    assert finding.remedy == "call"
    enter(short, finding)
    assert short.stack(5) == 0


def test_a_raise_that_is_not_open_is_a_call() -> None:
    play = turn("WP", LIMIT, acts="2 bet 20, 5 raise 40, 8 raise 60, 2 raise 80")
    finding = saw(play, 5, "say raise; put 20x3")
    assert finding.remedy == "call"
    assert "WP-3R3a" in finding.rules
    assert moved(finding) == back(5, 20)
    assert saw(play, 5, "put 20x3").remedy == "call"


def test_a_bring_in_that_is_too_small_is_brought_up_and_half_a_bet_completes() -> None:
    play = stud("WP", STUD, {4: "2c", 5: "9d", 7: "Kh"}, street=3)
    finding = saw(play, 4, "put 0.5")
    assert (finding.remedy, moved(finding)) == ("bring_in", owed(4, 0.5))
    assert saw(play, 4, "put 1").remedy == "bring_in"
    finding = saw(play, 4, "put 1x2")
    assert (finding.remedy, moved(finding)) == ("complete", owed(4, 1))
    enter(play, finding)
    assert play.state.betting.level_cents == 300
    assert saw(play, 5, "put 5").remedy == "call"


def test_chips_that_nobody_told_apart_are_asked_for() -> None:
    play = turn("WP", LIMIT, acts="2 bet 20")
    assert saw(play, 5, "put =20").remedy == "call"
    assert saw(play, 5, "put =50").missing == ("chips",)
    assert saw(play, 5, "put").missing == ("chips",)


def test_pictures_without_sound_leave_open_what_was_said() -> None:
    play = turn("WP", LIMIT, acts="2 bet 20")
    assert saw(play, 5, "put 100", heard=False).missing == ("words",)
    assert saw(play, 5, "put 20", heard=False).remedy == "call"


# ------------------------------------------------------------------ words


@pytest.mark.parametrize(
    ("words", "remedy", "level"),
    [
        ("raise to 50", "raise", 50),
        ("raise 50", "raise", 50),
        ("raise by 50", "raise", 70),
        ("raise 30", "raise", 50),
        ("raise to 30", "raise", 40),
        ("fifty", "raise", 50),
        ("twenty", "call", 20),
        ("thirty", "call", 20),
        ("all in", "raise", 300),
        ("call, and raise 50", "call", 20),
    ],
)
def test_amounts_declared_in_no_limit(words: str, remedy: str, level: int) -> None:
    play = turn("WP", NO_LIMIT, acts="2 bet 20")
    finding = saw(play, 5, f"say {words}")
    assert finding.remedy == remedy
    enter(play, finding)
    assert play.state.betting.level_cents == level * 100


def test_a_raise_declared_without_an_amount_is_made_with_the_chips_or_asked_for() -> None:
    play = turn("WP", NO_LIMIT, acts="2 bet 20")
    assert saw(play, 5, "say raise").missing == ("amount",)
    finding = saw(play, 5, "say raise; put 25x3")
    enter(play, finding)
    assert play.state.betting.level_cents == 7500
    play = turn("WP", NO_LIMIT, acts="2 bet 20")
    finding = saw(play, 5, "say raise; put 5x5")
    assert moved(finding) == owed(5, 15)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("I raise", Declaration(Said.RAISE)),
        ("Raise it to $24", Declaration(Said.RAISE, 2400, by=False)),
        ("make it two hundred fifty", Declaration(Said.AMOUNT, 25000)),
        ("a thousand two hundred", Declaration(Said.AMOUNT, 120000)),
        ("12.50", Declaration(Said.AMOUNT, 1250)),
        ("All-in!", Declaration(Said.ALL_IN)),
        ("hold on", Declaration(Said.TIME)),
        ("one moment please", Declaration(Said.TIME)),
        ("I don't raise", Declaration(Said.NOTHING)),
        ("nice hand", Declaration(Said.NOTHING)),
        ("1,200", Declaration(Said.AMOUNT, 120000)),
    ],
)
def test_what_words_declare(words: str, meant: Declaration) -> None:
    assert declared(words) == meant


def test_naming_another_amount_in_limit_is_the_smaller_action() -> None:
    play = turn("RC", LIMIT, acts="2 bet 20")
    finding = saw(play, 5, "say thirty")
    assert (finding.remedy, finding.binding) == ("call", False)
    assert [choice.remedy for choice in finding.choices] == ["raise"]
    assert saw(play, 5, "say twenty").remedy == "call"
    assert saw(play, 5, "say pass").remedy == "fold"


def test_a_fold_declared_without_a_wager_is_noted_where_the_book_minds_it() -> None:
    play = turn("LC", game(6, 12, chip=2, blinds=(2, 6)))
    enter(play, saw(play, 2, "say fold"))
    assert play.events[-1].rules == ("LC-54", "LC-60")


# ------------------------------------------------------------------ undercalls and short bets


@pytest.mark.parametrize("choice", ["must_call", "complete_or_forfeit"])
def test_an_undercall_with_action_behind_is_what_the_house_says(choice: str) -> None:
    acts = "2 bet 20, 5 raise 40"
    play = turn("WP", LIMIT, 2, 5, 8, 9, acts=acts, undercall_action_behind=choice)
    finding = saw(play, 8, "put 20", "9 call", aware=False)
    assert finding.remedy == choice
    enter(play, finding)
    assert play.state.to_act == (2 if choice == "must_call" else 8)


def test_an_undercall_that_was_entered_as_a_call_is_entered_anew() -> None:
    play = turn("RC", LIMIT, 2, 5, 8, 9, acts="2 bet 20, 5 raise 40, 8 call, 9 call")
    finding = saw(play, 8, "put 20", aware=False, asks="take_back")
    assert finding.remedy == "complete_or_forfeit"
    enter(play, finding)
    assert play.state.to_act == 8
    assert play.options() == {"fold", "call 20"}
    play = turn("RC", LIMIT, 2, 5, 8, 9, acts="2 bet 20, 5 raise 40, 8 call")
    finding = saw(play, 8, "put 20", aware=False, asks="take_back")
    assert finding.remedy == "may_take_back"
    enter(play, finding)
    assert play.options() == {"fold", "call 40", "raise 60"}


def test_one_who_knew_of_the_raise_completes_the_call() -> None:
    play = turn("WP", LIMIT, acts="2 bet 20, 5 raise 40")
    finding = saw(play, 8, "put 20", aware=True)
    assert (finding.remedy, moved(finding)) == ("call", owed(8, 20))


def test_a_raise_of_a_short_bet_is_brought_up_with_it() -> None:
    play = turn("WP", LIMIT, 2, 5, 8, 9)
    finding = saw(play, 2, "put 5x2", "5 raise 20, 8 call")
    assert (finding.remedy, finding.binding) == ("bet", False)
    enter(play, finding)
    assert play.state.betting.level_cents == 4000
    assert play.state.to_act == 9
    assert play.stack(8) == 260


def test_a_bet_declared_with_a_bet_to_face_is_the_smaller_action() -> None:
    play = turn("WP", LIMIT, acts="2 bet 20")
    finding = saw(play, 5, "say bet")
    assert (finding.remedy, finding.binding) == ("call", False)
    assert [choice.remedy for choice in finding.choices] == ["raise"]
    play = turn("WP", NO_LIMIT, acts="2 bet 20")
    assert saw(play, 5, "say bet 60").remedy == "raise"


@pytest.mark.parametrize(
    ("until", "behind", "remedy"),
    [
        ("next_player_acts", "", "bet"),
        ("next_player_acts", "5 call", "stands"),
        ("round_complete", "5 call", "bet"),
        ("round_complete", "5 call, 8 fold", "stands"),
        ("hand_complete", "5 call, 8 fold", "bet"),
    ],
)
def test_a_short_bet_is_brought_up_as_long_as_the_house_says(
    until: str, behind: str, remedy: str
) -> None:
    play = turn("WP", LIMIT, short_wager_correction_until=until)
    finding = saw(play, 2, "put 5x2", behind)
    assert finding.remedy == remedy
    enter(play, finding)
    bettor = next(chair for chair in play.state.chairs if chair.seat == 2)
    assert bettor.matched_cents == (2000 if remedy == "bet" else 1000)


# ------------------------------------------------------------------ forward motion, turns


@pytest.mark.parametrize(
    ("choice", "behind", "remedy"),
    [
        ("never_binds", "5 fold", "no_wager"),
        ("may_bind", "", "bet"),
        ("may_bind_if_it_induced_action", "", "no_wager"),
        ("may_bind_if_it_induced_action", "5 fold", "bet"),
    ],
)
def test_a_forward_motion_is_what_the_house_says(choice: str, behind: str, remedy: str) -> None:
    play = turn("WP", LIMIT, forward_motion=choice)
    finding = saw(play, 2, "hold 10x2; back", behind)
    assert (finding.remedy, finding.binding) == (remedy, False)
    other = "bet" if remedy == "no_wager" else "no_wager"
    assert [one.remedy for one in finding.choices] == [other]
    assert saw(play, 2, "hold 10x2; put 10x2").remedy == "bet"


def test_what_did_not_cause_the_others_to_act_does_not_bind() -> None:
    play = turn("WP", LIMIT)
    assert saw(play, 2, "hold 10x2; back", "5 fold", caused=False).remedy == "no_wager"


def test_where_nothing_bars_it_a_check_out_of_turn_costs_nothing() -> None:
    play = turn("WP", LIMIT, out_of_turn_bars_raise=(), out_of_turn_binding="never")
    finding = saw(play, 8, "tap")
    assert (finding.remedy, finding.entries) == ("not_binding", ())
    play.do("2 bet 20, 5 fold, 8 raise 40")


def test_a_check_out_of_turn_with_a_bet_to_face_is_none_but_costs_the_raise() -> None:
    play = turn("WP", LIMIT, acts="2 bet 20")
    finding = saw(play, 8, "tap")
    assert finding.remedy == "not_binding"
    enter(play, finding)
    play.do("5 call")
    assert play.refused("8 raise 40").code == "CHECKED_OUT_OF_TURN"
    assert play.options() == {"fold", "call 20"}


def test_any_book_may_let_the_opponent_choose_heads_up() -> None:
    play = turn("WP", LIMIT, 2, 8, out_of_turn_heads_up="opponent_chooses")
    assert saw(play, 8, "tap").remedy == "check_stands"
    version = play.state.version
    play.do("2 bet 20")
    late = saw(play, 8, "tap", after=version)
    enter(play, late)
    assert play.options() == {"fold", "call 20"}
    play = turn("LC", LIMIT, 2, 8, out_of_turn_heads_up="as_multiway")
    assert saw(play, 8, "tap").remedy == "not_binding"


@pytest.mark.parametrize(
    ("loss", "acts", "remedy"),
    [
        ("dead_or_check", "2 bet 20", "hand_dead"),
        ("dead_or_check", "2 check", "taken_to_have_checked"),
        ("no_bet_or_raise", "2 bet 20", "right_lost"),
        ("no_bet_or_raise", "2 check", "right_lost"),
    ],
)
def test_losing_the_right_to_act_costs_what_the_house_says(
    loss: str, acts: str, remedy: str
) -> None:
    play = turn(
        "WP", LIMIT, 2, 3, 5, 8, acts=acts, right_to_act_loss=loss, right_to_act_lost_after=2
    )
    behind = "5 call, 8 call" if "bet" in acts else "5 check, 8 check"
    finding = saw(play, 3, "", behind, asks="act")
    assert (finding.remedy, finding.binding) == (remedy, False)
    enter(play, finding)
    if loss == "no_bet_or_raise" and "bet" in acts:
        assert play.state.to_act == 3
        assert play.options() == {"fold", "call 20"}
    else:
        assert play.state.to_act == 0


def test_cards_thrown_after_a_call_are_for_the_floor() -> None:
    play = turn("WP", LIMIT, acts="2 bet 20")
    finding = saw(play, 5, "say call; put 20; throw")
    assert (finding.remedy, finding.binding) == ("call", False)
    assert finding.steps[-1] == "seat 5 threw its cards away after that: rule on the hand"
    enter(play, finding, "fold")
    assert play.state.to_act == 8
    play = turn("WP", LIMIT, acts="2 bet 20")
    assert saw(play, 5, "say fold; throw").binding


def test_a_turn_told_otherwise_than_recorded_is_asked_for() -> None:
    play = turn("WP", LIMIT)
    finding = saw(play, 5, "put 10x2", in_turn=True)
    assert (finding.remedy, finding.missing) == ("fact_needed", ("after", "in_turn"))
    assert saw(play, 5, "put 10x2", in_turn=False).remedy == "held_if_unchanged"
    assert saw(play, 2, "put 10x2", in_turn=True).remedy == "bet"


def test_who_already_acted_gets_his_chips_back() -> None:
    play = turn("WP", LIMIT, acts="2 check")
    finding = saw(play, 2, "put 10x2")
    assert (finding.remedy, finding.binding) == ("already_acted", True)
    assert moved(finding) == back(2, 20)
    assert saw(play.do("5 bet 20, 8 fold, 2 fold"), 5, "put 10").remedy == "no_action"


def test_the_big_blind_with_the_option() -> None:
    play = Play("WP", LIMIT, {1: 300, 2: 300, 3: 300}, button=3, posts=blinds((1, 5), (2, 10)))
    play.do("3 call, 1 call")
    assert saw(play, 2, "put 5x2").remedy == "raise"
    assert saw(play, 2, "put 1x4").remedy == "check"
    assert saw(play, 2, "tap").remedy == "check"
    assert saw(play, 2, "say raise").remedy == "raise"
