"""Worked cases of showdown.*, stud.showdown and hand.exposed_by_player that the floor rules on."""

import pytest

from cardroom.known.games import Form, Structure
from cardroom.tables.findings import ChipMove, Finding
from cardroom.tables.irregularities import exposed, showing
from cardroom.tables.irregularities.situation import Situation, judged
from cardroom.tables.table import Table
from tests.plugins.hand_play import IDS, READER, Play, at_street, game, hc, showdown, stud

LC_6_12 = game(6, 12, chip=2)
LC_STUD = game(10, 20, form=Form.STUD)
RC_4_8 = game(4, 8)
HG_2_4 = game(2, 4, chip="0.25")
WP_10_20 = game(10, 20)


def judge(play: Play, kind: str, **told: object) -> Finding:
    """Return the finding on something reported of a hand."""
    rule = {**exposed.RULES, **showing.RULES}[kind]
    situation = Situation(
        kind=kind,
        told={name: _plain(value) for name, value in told.items()},
        hand=play.state,
        table=Table(),
        rules=play.rules.book,
        reader=READER,
    )
    return judged(rule, situation)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(str(one) for one in value)
    return str(value)


# ----------------------------------------------------------------------- miscalls (cards_speak)


@pytest.mark.rule("LC-74", 2)
def test_a_deliberate_miscall_may_cost_the_pot() -> None:
    play = showdown("LC", LC_6_12, "Kd 9d 7s 4c 2h", {2: "Kh 9c", 6: "7h 7c"}, pot=120)
    play.do("6 muck").show(2)
    found = judge(play, "miscall", seat=2, deliberate=True, mucked=(6,))
    assert (found.remedy, found.rules[0]) == ("forfeit_pot", "LC-74")
    assert "$120" in found.says
    assert "discipline_only" in {choice.remedy for choice in found.choices}


@pytest.mark.rule("RC-D4f", 1)
def test_a_habit_of_miscalling_is_put_before_the_floor() -> None:
    play = showdown("RC", RC_4_8, "Ks 9s 4d 4h 2c", {3: "8s 8c", 5: "Ah Qh"}, pot=90)
    play.do("5 muck")
    found = judge(play, "miscall", seat=3, mucked=(5,), count=3)
    assert found.remedy == "floor_decides"
    offered = {choice.remedy: choice.rules for choice in found.choices}
    assert "RC-D4f" in offered["kill_hand"]
    assert offered["forfeit_pot"] == ("RC-S2a",)
    assert ("count", "3") in {(fact.name, fact.value) for fact in found.facts}


@pytest.mark.rule("RC-S2a", 1)
def test_a_deliberate_miscall_costs_the_pot() -> None:
    play = showdown("RC", RC_4_8, "Ks 9s 4d 4h 2c", {3: "Ah 7c", 5: "Qh Qd"}, pot=90)
    play.do("5 muck")
    found = judge(play, "miscall", seat=3, deliberate=True, mucked=(5,))
    assert (found.remedy, found.rules[0]) == ("forfeit_pot", "RC-S2a")
    assert found.chips == (ChipMove("seat:3", "seat:5", 9000),)
    assert "other_receiver" in {choice.remedy for choice in found.choices}
    assert "discipline_only" not in {choice.remedy for choice in found.choices}


@pytest.mark.rule("RC-S2a", 2)
def test_an_honest_miscall_costs_nothing() -> None:
    hands = {3: "Ah 7c", 5: "Qh Qd", 8: "Jh Jd"}
    play = showdown("RC", RC_4_8, "Ks 9s 4d 4h 2c", hands, pot=90)
    found = judge(play, "miscall", seat=3, deliberate=False)
    assert found.remedy == "cards_speak"
    assert play.show(3, 5, 8).award() == {5: 90}


@pytest.mark.rule("WP-3S2", 2)
def test_a_deliberate_miscall_is_proposed_to_cost_the_pot() -> None:
    play = showdown("WP", WP_10_20, "Kh 9h 4h 4s 2c", {7: "Kd 9s", 4: "Ah 7h"}, pot=96)
    play.do("4 muck").show(7)
    found = judge(play, "miscall", seat=7, deliberate=True, mucked=(4,))
    assert (found.remedy, found.rules[0]) == ("forfeit_pot", "WP-3S2")
    assert found.chips == (ChipMove("seat:7", "seat:4", 9600),)
    honest = judge(play, "miscall", seat=7, deliberate=False, mucked=(4,))
    assert honest.remedy == "cards_speak"
    unknown = judge(play, "miscall", seat=7, mucked=(4,))
    assert (unknown.remedy, unknown.missing) == ("fact_needed", ("deliberate",))


# ---------------------------------------------------------------------------- show one, show all


def _turn() -> Play:
    stacks = {2: 300, 3: 300, 5: 300, 8: 300}
    return at_street("LC", LC_6_12, "turn", stacks, button=1).do("2 check, 3 fold")


@pytest.mark.rule("LC-77", 1)
def test_cards_shown_to_a_player_out_of_the_hand_wait() -> None:
    play = _turn()
    found = judge(play, "cards_shown", seat=5, shown_to=3)
    assert (found.remedy, found.rules) == ("show_after_hand", ("LC-77",))
    play.do("5 bet 12, 8 fold, 2 fold")
    assert judge(play, "cards_shown", seat=5, shown_to=3).remedy == "show_now"


@pytest.mark.rule("LC-77", 2)
def test_cards_shown_to_an_active_player_are_shown_to_all() -> None:
    found = judge(_turn(), "cards_shown", seat=5, shown_to=8)
    assert (found.remedy, found.rules) == ("show_now", ("LC-77",))


@pytest.mark.rule("WP-3S6", 1)
def test_shown_in_mid_deal_the_rest_see_them_when_it_is_over() -> None:
    play = at_street("WP", WP_10_20, "flop", {3: 300, 4: 300, 6: 300, 8: 300}, button=1)
    play.do("3 check, 4 fold, 6 check, 8 fold").deal().do("3 check")
    found = judge(play, "cards_shown", seat=3, shown_to=4)
    assert (found.remedy, found.rules) == ("show_after_hand", ("WP-3S6",))
    play.do("6 bet 20, 3 fold")
    assert judge(play, "cards_shown", seat=3, shown_to=4).remedy == "show_now"


@pytest.mark.rule("WP-3S6", 2)
def test_shown_after_the_award_everybody_may_see() -> None:
    play = at_street("WP", WP_10_20, "river", {3: 300, 4: 300}, button=1, pot=30)
    play.do("3 bet 20, 4 fold")
    assert judge(play, "cards_shown", seat=3, shown_to=4).remedy == "show_now"


# -------------------------------------------------------------------------------- stud.showdown


def _heads_up() -> Play:
    ups = {2: "Ks Kh 4d 9c", 5: "9s 8h 2d 3c"}
    return stud("LC", LC_STUD, ups, 7, pot=140).do("2 bet 20")


@pytest.mark.rule("LC-102a", 1)
def test_lifted_upcards_that_induced_a_fold_kill_the_hand() -> None:
    play = _heads_up()
    assert play.state.pot_cents == 16000
    found = judge(play, "upcards_handled", seat=5, how="lifted", induced=True)
    assert (found.remedy, found.rules[0]) == ("hand_dead", "LC-102a")
    assert found.chips == (ChipMove("pot", "seat:2", 2000), ChipMove("pot", "seat:2", 14000))


@pytest.mark.rule("LC-102a", 2)
def test_lifted_after_check_check_the_floor_may_still_kill() -> None:
    ups = {2: "Ks Kh 4d 9c", 5: "9s 8h 2d 3c"}
    play = stud("LC", LC_STUD, ups, 7, pot=140).do("2 check, 5 check")
    found = judge(play, "upcards_handled", seat=5, how="lifted")
    assert found.remedy == "hand_live"
    assert [choice.remedy for choice in found.choices] == ["hand_dead"]
    assert "LC-102a" in found.rules


@pytest.mark.rule("LC-102b", 1)
def test_an_upcard_turned_down_once_a_bet_is_in_kills() -> None:
    ups = {3: "Ks Kh 4d 9c", 6: "9s 8h 2d 3c"}
    play = stud("LC", LC_STUD, ups, 7, pot=140).do("3 bet 20, 6 call")
    found = judge(play, "upcards_handled", seat=6, how="turned_down")
    assert (found.remedy, found.rules[0]) == ("hand_dead", "LC-102b")
    assert found.chips == (ChipMove("pot", "seat:3", 18000),)


@pytest.mark.rule("LC-102b", 2)
def test_with_no_bet_it_does_not() -> None:
    play = stud("LC", LC_STUD, {3: "Ks Kh 4d 9c", 6: "9s 8h 2d 3c"}, 7, pot=140)
    found = judge(play, "upcards_handled", seat=6, how="turned_down")
    assert found.remedy == "hand_live"
    assert [choice.rules for choice in found.choices] == [("LC-102a",)]


@pytest.mark.rule("LC-102d", 2)
def test_a_lost_card_is_proposed_to_kill_the_hand() -> None:
    play = stud("LC", LC_STUD, {2: "4d Qc 7s 4c", 6: "2h 5h 9h Kh"}, 7, pot=220).check_around()
    found = judge(play, "cards_counted", seat=6, cards=6, dealt=7)
    assert (found.remedy, found.rules[0]) == ("hand_dead", "LC-102d")
    assert [choice.remedy for choice in found.choices] == ["hand_live"]


@pytest.mark.rule("LC-102e", 1)
def test_more_than_seven_cards_forfeit_everything() -> None:
    play = stud("LC", LC_STUD, {2: "4d Qc 7s 4c", 4: "2h 5h 9h Kh"}, 7, pot=90)
    play.do("2 bet 20, 4 call")
    found = judge(play, "cards_counted", seat=4, cards=8)
    assert found.remedy == "hand_dead"
    assert "LC-102e" in found.rules
    assert not found.chips
    play.enter(hc.RuleHandDead(**IDS, seat=4, rules=found.rules))
    assert play.won() == {2: 130}


# ---------------------------------------------------------------------- hand.exposed_by_player


@pytest.mark.rule("LC-76", 1)
def test_exposing_is_always_improper_and_the_hand_lives() -> None:
    found = judge(_turn(), "exposed_hand", seat=8)
    assert (found.remedy, found.rules) == ("incident", ("LC-76",))
    assert "exposed_cards" in found.steps[0]
    assert judge(_turn(), "cards_shown", seat=8, shown_to=2).remedy == "show_now"


@pytest.mark.rule("LC-83", 1)
def test_a_dropped_card_stops_play_until_it_is_shown() -> None:
    play = at_street("LC", LC_6_12, "turn", {3: 300, 5: 300, 9: 300}, button=1).do("3 bet 12")
    found = judge(play, "dropped_card", seat=9, card="7d")
    assert (found.remedy, found.rules) == ("floor_decides", ("LC-83",))
    assert found.steps[0] == "stop play"
    assert "every player" in found.steps[2]
    assert [choice.remedy for choice in found.choices] == ["hand_live", "hand_dead"]
    assert "LC-85c" in found.choices[1].rules
    assert play.options() == {"fold", "call 12", "raise 24"}


@pytest.mark.rule("LC-83", 2)
def test_picked_up_the_card_is_first_offered_as_dead() -> None:
    play = at_street("LC", LC_6_12, "turn", {3: 300, 5: 300, 9: 300}, button=1).do("3 bet 12")
    found = judge(play, "dropped_card", seat=9, picked_up=True)
    assert [choice.remedy for choice in found.choices] == ["hand_dead", "hand_live"]
    assert any("picked up" in step for step in found.steps)


@pytest.mark.rule("LC-118", 1)
def test_a_hole_card_the_stud_player_exposed_plays() -> None:
    play = Play("LC", LC_STUD, {2: 300, 4: 300, 6: 300})
    found = judge(play, "exposed_card", seat=4, by="player", card="9h")
    assert found.remedy == "stands"
    play.holds({4: "2c 9h"})
    play.enter(hc.DealStreet(**IDS, up=((2, "Kd"), (4, "Qs"), (6, "3c"))))
    chair = next(chair for chair in play.state.chairs if chair.seat == 4)
    assert (chair.down, chair.up) == (("2c", "9h"), ("Qs",))


@pytest.mark.rule("RC-E4", 1)
def test_who_is_all_in_may_not_show() -> None:
    no_limit = game(5, structure=Structure.NO_LIMIT)
    play = at_street("RC", no_limit, "flop", {1: 40, 4: 300, 6: 300}).do("1 allin, 4 call, 6 call")
    play.deal().do("4 check")
    found = judge(play, "exposed_hand", seat=1)
    assert (found.remedy, found.rules) == ("incident", ("RC-E4",))
    assert play.options() == {"fold", "check", "bet 5-260"}
    assert judge(play, "exposed_hand", seat=4).remedy == "hand_live"


@pytest.mark.rule("RC-I10a", 1)
def test_a_card_flashed_by_a_player_plays() -> None:
    play = Play("RC", RC_4_8, dict.fromkeys(range(1, 10), 100), button=1)
    found = judge(play, "exposed_card", seat=4, by="player", card="10c")
    assert (found.remedy, found.rules) == ("stands", ("RC-I10", "RC-I10a"))


@pytest.mark.rule("HG-D3a", 1)
def test_against_one_opponent_cards_may_be_shown() -> None:
    play = at_street("HG", HG_2_4, "turn", {2: 100, 5: 100}, button=1).do("2 bet 4")
    found = judge(play, "exposed_hand", seat=5)
    assert found.remedy == "hand_live"
    assert "HG-D3a" in found.rules
    assert play.options() == {"fold", "call 4", "raise 8"}
    three = at_street("HG", HG_2_4, "turn", {2: 100, 5: 100, 7: 100}, button=1)
    assert judge(three, "exposed_hand", seat=5).remedy == "hand_dead"


@pytest.mark.rule("WP-1E6", 1)
def test_telling_in_a_pot_of_three_is_an_incident() -> None:
    play = at_street("WP", WP_10_20, "flop", {2: 300, 4: 300, 6: 300}, button=1)
    found = judge(play, "exposed_hand", seat=2)
    assert (found.remedy, found.rules) == ("incident", ("WP-1E6",))


@pytest.mark.rule("WP-1E6", 2)
def test_telling_heads_up_is_none() -> None:
    play = at_street("WP", WP_10_20, "river", {2: 300, 4: 300}, button=1)
    play.do("2 check, 4 bet 20")
    assert judge(play, "exposed_hand", seat=2).remedy == "hand_live"
