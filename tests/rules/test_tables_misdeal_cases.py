"""Worked cases of deal.misdeal, deal.extra_card, deal.short_card and deal.wrong_recipient, played as written."""

import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known import Form, Game
from cardroom.tables import commands as c
from cardroom.tables import deal_events as de
from cardroom.tables import hand_commands as do
from cardroom.tables import ruling_commands as rc
from cardroom.tables.findings import ChipMove, Finding
from cardroom.tables.hand_events import Phase
from cardroom.tables.seats import Arrival
from tests.plugins.played_pots import passive
from tests.plugins.tables_world import LC_6_12, LC_20_40, WP_4_8, Felt, dealt, game
from tests.rules.test_tables_blinds_cases import options

RC_4_8 = game(4, 8, (2, 4))
HG_2_4 = game(2, 4, (1, 2))
LC_STUD = game(10, 20, form=Form.STUD, ante=2, bring_in=3, seats=8)
WP_STUD = game(10, 20, form=Form.STUD, ante=1, bring_in=3, seats=8)
LC_OMAHA = game(6, 12, (2, 6), form=Form.OMAHA, chip=2)


def returned(found: Finding) -> dict[int, int]:
    """Return seat -> dollars that go back."""
    return {
        int(one.target.removeprefix("seat:")): one.cents // 100
        for one in found.chips
        if one.source == "pot"
    }


def fold(felt: Felt, *seats: int) -> None:
    for seat in seats:
        felt.play(do.Fold, seat)


def call(felt: Felt, *seats: int) -> None:
    for seat in seats:
        felt.play(do.Call, seat)


def misdealt(found: Finding, rule: str) -> None:
    assert found.remedy == "misdeal"
    assert rule in found.rules
    assert any("only a floorperson" in step for step in found.steps)


def played_out(found: Finding, rule: str) -> None:
    assert found.remedy == "play_out"
    assert rule in found.rules


def all_back(felt: Felt) -> bool:
    """Whether the hand is void and everybody has what he had."""
    stacks = {seat.stack_cents for seat in felt.table.seats.values()}
    return bool(felt.last(de.HandClosed).void) and stacks == {30000}


def redealt(felt: Felt, button: int) -> None:
    """Confirm a misdeal: everything goes back, and it is dealt again with the same button and blinds."""
    before = felt.hand.posts
    felt.ruled()
    assert all_back(felt)
    again = felt.start()
    assert (again.button_seat, again.posts) == (
        0 if felt.hand.game.form is Form.STUD else button,
        before,
    )


def burned_before_the_flop(felt: Felt, card: str) -> None:
    """Confirm that an extra card is the burn, and play to the flop."""
    felt.ruled()
    while felt.hand.phase is Phase.BETTING:
        passive(felt, felt.hand.to_act)
    felt.play(do.DealStreet, board=("2c", "7d", "Jh"), burned=card)
    assert felt.hand.burns == (card,)
    assert {sum(one.live for one in felt.hand.chairs)} == {len(felt.hand.chairs)}


# ----------------------------------------------------------------------------------- deal.misdeal


@pytest.mark.rule("LC-103", 1)
def test_only_a_floorperson_calls_a_misdeal() -> None:
    felt = dealt("LC", LC_6_12)
    with pytest.raises(Refused) as caught:
        felt.play(do.VoidHand, 0, "dealer", reason="exposed", rules=("LC-104f",))
    assert caught.value.code == "FLOOR_NEEDED"
    misdealt(felt.report("exposed_card", place=1), "LC-104f")
    with pytest.raises(Refused):
        felt.ruled("confirm", "", "dealer")
    felt.ruled()
    assert felt.last(de.HandClosed).void


@pytest.mark.rule("LC-103", 2)
def test_action_before_the_count_was_right_may_be_withdrawn() -> None:
    felt = dealt("LC", LC_6_12)
    felt.play(do.RaiseTo, 4, to_cents=1200)
    found = felt.report("action_before_count", seat=4)
    assert found.remedy == "action_withdrawn"
    assert "LC-103" in found.rules
    felt.ruled()
    assert (felt.hand.to_act, felt.hand.pot_cents) == (4, 800)
    assert options(felt) == {"fold": 0, "call": 6, "raise": 12}
    felt.play(do.RaiseTo, 4, to_cents=1200)
    felt.play(do.Fold, 5)
    assert felt.report("action_before_count", seat=4).remedy == "stands"


@pytest.mark.rule("LC-104", 1)
def test_one_action_leaves_a_misdeal_open() -> None:
    felt = dealt("LC", LC_6_12)
    fold(felt, 4)
    found = felt.report("wrong_card_count", seat=7, cards=1, players=2)
    misdealt(found, "LC-104c")
    assert returned(found) == {2: 2, 3: 6}
    felt.ruled()
    assert felt.next().button == 1
    assert felt.seat(2).stack_cents == felt.seat(3).stack_cents == 30000


@pytest.mark.rule("LC-104", 2)
def test_two_actions_close_it() -> None:
    felt = dealt("LC", LC_6_12)
    fold(felt, 4)
    call(felt, 5)
    for seat in (7, 8):
        found = felt.report("wrong_card_count", seat=seat, cards=1, players=2)
        assert found.remedy == "deal_top_card"
        assert "LC-108a" in found.rules
        felt.ruled()


@pytest.mark.rule("LC-104a", 1)
def test_a_missing_cut() -> None:
    felt = dealt("LC", LC_20_40)
    found = felt.report("not_shuffled_or_cut")
    misdealt(found, "LC-104a")
    assert returned(found) == {2: 10, 3: 20}
    redealt(felt, 1)


@pytest.mark.rule("LC-104b", 1)
def test_the_first_card_went_wrong() -> None:
    felt = dealt("LC", LC_6_12)
    misdealt(felt.report("first_card_to_wrong_player"), "LC-104b")
    felt.ruled("play_out", "agreed")
    fold(felt, 4, 5)
    played_out(felt.report("first_card_to_wrong_player"), "LC-104")
    felt.ruled()
    fold(felt, 6)
    assert not felt.hand.over


@pytest.mark.rule("LC-104c", 1)
def test_two_wrong_counts() -> None:
    felt = dealt("LC", LC_OMAHA)
    found = felt.report("wrong_card_count", seat=3, cards=5, players=2)
    misdealt(found, "LC-104c")
    redealt(felt, 1)


@pytest.mark.rule("LC-104c", 2)
def test_one_wrong_count_is_put_right() -> None:
    felt = dealt("LC", LC_OMAHA)
    found = felt.report("wrong_card_count", seat=3, cards=5)
    assert found.remedy == "random_card_becomes_burn"
    assert "LC-107a" in found.rules
    assert any("expose it; it is the burn card" in step for step in found.steps)
    felt.ruled()
    fold(felt, 4)


@pytest.mark.rule("LC-104d", 1)
def test_two_extra_cards_that_cannot_be_put_right() -> None:
    felt = dealt("LC", LC_6_12)
    asked = felt.report("extra_cards", count=2)
    assert asked.remedy == "fact_needed"
    assert asked.missing == ("correctable",)
    told = (("correctable", "no"),)
    felt.run(rc.AddFacts, "dealer", hand=1, irregularity=1, told=told)
    misdealt(felt.notes.irregularities[0].finding, "LC-104d")
    redealt(felt, 1)
    assert felt.report("extra_cards", count=2, correctable=True).remedy == "put_back"
    felt.ruled()
    fold(felt, 4)


@pytest.mark.rule("LC-104e", 1)
def test_a_button_out_of_position_before_any_action() -> None:
    felt = dealt("LC", LC_6_12, button=5)
    found = felt.report("button_out_of_position", right_button=4)
    misdealt(found, "LC-104e")
    assert returned(found) == {6: 2, 7: 6}
    assert any("seat 4" in step for step in found.steps)
    felt.ruled()
    assert all_back(felt)
    felt.run(c.PlaceButton, button=4, blinds=(5, 6), reason="it was out of position")
    assert felt.seat(6).stack_cents == felt.seat(7).stack_cents == 30000


@pytest.mark.rule("LC-104e", 2)
def test_one_action_is_enough_against_a_wrong_button() -> None:
    felt = dealt("LC", LC_6_12, button=5)
    fold(felt, 8)
    found = felt.report("button_out_of_position", right_button=4)
    played_out(found, "LC-104e")
    felt.ruled()
    fold(felt, 9)
    assert felt.hand.button_seat == 5


@pytest.mark.rule("LC-104f", 1)
def test_the_second_card_face_up() -> None:
    felt = dealt("LC", LC_6_12)
    misdealt(felt.report("exposed_card", seat=3, nth=1, card="8h"), "LC-104f")
    redealt(felt, 1)


@pytest.mark.rule("LC-104f", 2)
def test_the_third_card_face_up() -> None:
    felt = dealt("LC", LC_6_12)
    found = felt.report("exposed_card", seat=4, nth=1, card="8h")
    assert found.remedy == "replace_card"
    assert "LC-115" in found.rules
    assert ("place", "3") in {(fact.name, fact.value) for fact in found.facts}
    felt.ruled()
    call(felt, 4)


@pytest.mark.rule("LC-104g", 1)
def test_two_cards_face_up() -> None:
    felt = dealt("LC", LC_OMAHA)
    assert felt.report("exposed_card", place=7).remedy == "replace_card"
    felt.ruled()
    misdealt(felt.report("exposed_card", place=22), "LC-104g")
    redealt(felt, 1)


@pytest.mark.rule("LC-104h", 1)
def test_an_entitled_player_passed_over() -> None:
    felt = dealt("LC", LC_6_12, "1-4,6-9")
    felt.sit(5)
    call(felt, 4)
    misdealt(felt.report("player_dealt_out", seat=5), "LC-104h")
    felt.ruled()
    assert all_back(felt)


@pytest.mark.rule("LC-104h", 2)
def test_who_was_neither_there_nor_posted_has_no_misdeal() -> None:
    felt = dealt("LC", LC_6_12, "1-4,6-9")
    felt.sit(5)
    felt.away(5)
    call(felt, 4)
    found = felt.report("player_dealt_out", seat=5)
    assert found.remedy == "stands"
    assert "LC-104h" in found.rules
    felt.ruled()
    fold(felt, 6)


@pytest.mark.rule("LC-104i", 1)
def test_stud_the_very_first_card() -> None:
    felt = dealt("LC", LC_STUD, "1-8")
    found = felt.report("exposed_card", seat=1, nth=1, card_kind="hole")
    misdealt(found, "LC-104i")
    assert returned(found) == dict.fromkeys(range(1, 9), 2)
    with pytest.raises(Refused):
        felt.ruled("confirm", "", "dealer")
    felt.ruled()
    assert all_back(felt)


@pytest.mark.rule("LC-104i", 2)
def test_stud_another_hole_card_stays_up() -> None:
    felt = dealt("LC", LC_STUD, "1-8")
    found = felt.report("exposed_card", seat=2, nth=1, card_kind="hole")
    assert found.remedy == "card_stays_up"
    assert "LC-117" in found.rules
    assert "deal its next card face down" in found.steps
    felt.ruled()
    assert not felt.hand.over


@pytest.mark.rule("LC-GL-substantial-action", 1)
def test_one_raise_is_no_substantial_action() -> None:
    felt = dealt("LC", LC_6_12, button=3)
    felt.play(do.RaiseTo, 6, to_cents=1200)
    found = felt.report("first_card_to_wrong_player")
    misdealt(found, "LC-104")
    assert [(fact.name, fact.value) for fact in found.facts] == [("acted_count", "1")]
    redealt(felt, 3)


@pytest.mark.rule("RC-M1", 1)
def test_rc_first_card() -> None:
    felt = dealt("RC", RC_4_8)
    found = felt.report("exposed_card", seat=2, nth=1)
    misdealt(found, "RC-M1")
    felt.ruled()
    again = felt.next()
    assert (again.button, [(one.seat, one.cents) for one in again.forced]) == (
        1,
        [(2, 200), (3, 400)],
    )
    assert all_back(felt)


@pytest.mark.rule("RC-M2", 1)
def test_rc_two_exposed() -> None:
    felt = dealt("RC", RC_4_8)
    assert felt.report("exposed_card", seat=5, nth=1).remedy == "replace_card"
    felt.ruled()
    misdealt(felt.report("exposed_card", seat=7, nth=2), "RC-M2")
    redealt(felt, 1)


@pytest.mark.rule("RC-M3", 1)
def test_rc_two_extra_cards() -> None:
    felt = dealt("RC", RC_4_8)
    misdealt(felt.report("extra_cards", count=2), "RC-M3")
    redealt(felt, 1)


@pytest.mark.rule("RC-M4", 1)
def test_rc_button_out_of_position() -> None:
    felt = dealt("RC", RC_4_8, button=3)
    found = felt.report("button_out_of_position", right_button=2)
    misdealt(found, "RC-M4")
    assert any("seat 2" in step for step in found.steps)
    felt.ruled()
    assert all_back(felt)


@pytest.mark.rule("RC-M5", 1)
def test_rc_first_card_to_the_wrong_player() -> None:
    felt = dealt("RC", RC_4_8)
    misdealt(felt.report("first_card_to_wrong_player"), "RC-M5")
    redealt(felt, 1)


@pytest.mark.rule("RC-M6", 1)
def test_rc_out_of_sequence() -> None:
    felt = dealt("RC", RC_4_8)
    misdealt(felt.report("out_of_sequence"), "RC-M6")
    redealt(felt, 1)


@pytest.mark.rule("RC-M7", 1)
def test_rc_player_passed_over() -> None:
    felt = dealt("RC", RC_4_8, "1-5,7-9")
    felt.sit(6)
    misdealt(felt.report("player_dealt_out", seat=6), "RC-M7")
    felt.ruled()
    assert all_back(felt)


@pytest.mark.rule("RC-M7", 2)
def test_rc_absent_player_passed_over() -> None:
    felt = dealt("RC", RC_4_8, "1-5,7-9")
    felt.sit(6)
    felt.away(6)
    found = felt.report("player_dealt_out", seat=6)
    assert found.remedy == "stands"
    felt.ruled()
    assert 6 not in {chair.seat for chair in felt.hand.chairs}
    fold(felt, felt.hand.to_act)


@pytest.mark.rule("HG-H1", 1)
def test_hg_second_card() -> None:
    felt = dealt("HG", HG_2_4, "1-7")
    misdealt(felt.report("exposed_card", seat=3, nth=1), "HG-H1")
    redealt(felt, 1)


@pytest.mark.rule("HG-H1", 2)
def test_hg_third_card() -> None:
    felt = dealt("HG", HG_2_4, "1-7")
    found = felt.report("exposed_card", seat=4, nth=1)
    assert found.remedy == "replace_card"
    assert "HG-H1a" in found.rules
    felt.ruled()
    call(felt, 4)


@pytest.mark.rule("HG-H1b", 1)
def test_hg_two_exposed() -> None:
    felt = dealt("HG", HG_2_4, "1-7")
    assert felt.report("exposed_card", place=4).remedy == "replace_card"
    felt.ruled()
    misdealt(felt.report("exposed_card", place=9), "HG-H1b")
    redealt(felt, 1)


@pytest.mark.rule("HG-H2a", 1)
def test_hg_two_extra() -> None:
    felt = dealt("HG", HG_2_4, "1-7")
    misdealt(felt.report("extra_cards", count=2), "HG-H2a")
    redealt(felt, 1)


@pytest.mark.rule("HG-O3", 2)
def test_omaha_follows_the_rules_of_holdem() -> None:
    omaha = game(2, 4, (1, 2), form=Form.OMAHA)
    felt = dealt("HG", omaha, "1-6")
    misdealt(felt.report("exposed_card", seat=2, nth=1), "HG-H1")
    redealt(felt, 1)


@pytest.mark.rule("WP-3M1", 1)
def test_wp_one_action_leaves_a_misdeal_open() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    call(felt, 3)
    assert felt.report("exposed_card", seat=5, nth=1).remedy == "replace_card"
    felt.ruled()
    found = felt.report("exposed_card", seat=3, nth=2)
    misdealt(found, "WP-3M1b")
    assert returned(found) == {1: 2, 2: 4, 3: 4}
    redealt(felt, 9)


@pytest.mark.rule("WP-3M1", 2)
def test_wp_two_actions_close_it() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    call(felt, 3)
    fold(felt, 4)
    assert felt.report("exposed_card", seat=5, nth=1).remedy == "replace_card"
    felt.ruled()
    played_out(felt.report("exposed_card", seat=3, nth=2), "WP-3M1")
    felt.ruled()
    assert felt.hand.pot_cents == 1000
    fold(felt, 5)


@pytest.mark.rule("WP-3M1a", 1)
def test_wp_second_card() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    found = felt.report("exposed_card", seat=2, nth=1)
    misdealt(found, "WP-3M1a")
    assert returned(found) == {1: 2, 2: 4}
    redealt(felt, 9)


@pytest.mark.rule("WP-3M1a", 2)
def test_wp_third_card() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    found = felt.report("exposed_card", seat=3, nth=1)
    assert found.remedy == "replace_card"
    assert "WP-3I12" in found.rules or "WP-3I13" in found.rules
    felt.ruled()
    call(felt, 3)


@pytest.mark.rule("WP-3M1b", 1)
def test_wp_two_exposed() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    assert felt.report("exposed_card", seat=5, nth=1).remedy == "replace_card"
    felt.ruled()
    found = felt.report("exposed_card", seat=3, nth=2)
    misdealt(found, "WP-3M1b")
    redealt(felt, 9)


@pytest.mark.rule("WP-3M1c", 1)
def test_wp_two_boxed_cards() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    assert felt.report("boxed_card", seat=4).remedy == "scrap"
    felt.ruled()
    misdealt(felt.report("boxed_card", seat=8), "WP-3M1c")
    redealt(felt, 9)


@pytest.mark.rule("WP-3M1d", 1)
def test_wp_two_extra_cards() -> None:
    one = dealt("WP", WP_4_8, button=9)
    found = one.report("extra_cards", count=1, seat=1)
    assert found.remedy == "extra_card_becomes_burn"
    assert "WP-3I11" in found.rules
    burned_before_the_flop(one, "6d")
    felt = dealt("WP", WP_4_8, button=9)
    misdealt(felt.report("extra_cards", count=2), "WP-3M1d")
    redealt(felt, 9)


@pytest.mark.rule("WP-3M1f", 1)
def test_wp_out_of_order() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    misdealt(felt.report("out_of_sequence"), "WP-3M1f")
    redealt(felt, 9)


@pytest.mark.rule("WP-3M1f", 2)
def test_wp_a_replacement_is_not_out_of_order() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    assert felt.report("exposed_card", seat=6, nth=2).remedy == "replace_card"
    felt.ruled()
    assert felt.report("out_of_sequence", seat=6).remedy == "stands"
    felt.ruled()
    call(felt, 3)


@pytest.mark.rule("WP-3M1g", 1)
def test_wp_button_in_the_wrong_place() -> None:
    felt = dealt("WP", WP_4_8, button=8)
    call(felt, 2)
    found = felt.report("button_out_of_position", right_button=9)
    misdealt(found, "WP-3M1g")
    assert returned(found) == {9: 2, 1: 4, 2: 4}
    felt.ruled()
    assert all_back(felt)
    felt.run(c.PlaceButton, button=8, blinds=(9, 1), reason="the button belongs on seat 9")


@pytest.mark.rule("WP-3M1h", 1)
def test_wp_first_card_to_the_wrong_position() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    misdealt(felt.report("first_card_to_wrong_player"), "WP-3M1h")
    redealt(felt, 9)


def stud_hand(*acts: type[do.SeatCommand]) -> Felt:
    felt = dealt("WP", WP_STUD, "1-8")
    ups = ("8c", "9c", "Tc", "2c", "Jc", "Qc", "Kc", "Ac")
    felt.play(do.DealStreet, up=tuple(enumerate(ups, 1)))
    felt.play(do.BringIn, 4)
    for seat, act in enumerate(acts, 5):
        felt.play(act, seat)
    return felt


@pytest.mark.rule("WP-3M2", 1)
def test_stud_two_actions_after_the_bring_in() -> None:
    felt = stud_hand(do.Call, do.Fold)
    found = felt.report("wrong_card_count", seat=7, cards=2, in_sequence=False)
    assert found.remedy == "hand_dead"
    assert "WP-3M2" in found.rules
    felt.ruled()
    assert felt.hand.pot_cents == 1400


@pytest.mark.rule("WP-3M2", 2)
def test_stud_the_bring_in_and_one_action_do_not_suffice() -> None:
    felt = stud_hand(do.Call)
    found = felt.report("wrong_card_count", seat=7, cards=2, in_sequence=False)
    misdealt(found, "WP-3M1e")
    assert returned(found) == {1: 1, 2: 1, 3: 1, 4: 4, 5: 4, 6: 1, 7: 1, 8: 1}
    felt.ruled()
    assert all_back(felt)


# -------------------------------------------------------------------------------- deal.extra_card


@pytest.mark.rule("LC-107a", 1)
@pytest.mark.rule("LC-IR", 1)
def test_a_third_card_at_random_is_the_burn_and_the_floor_confirms() -> None:
    felt = dealt("LC", LC_6_12)
    found = felt.report("wrong_card_count", seat=5, cards=3)
    assert found.remedy == "random_card_becomes_burn"
    assert "LC-107a" in found.rules
    assert any("burn no other" in step for step in found.steps)
    with pytest.raises(Refused) as caught:
        felt.play(do.Fold, felt.hand.to_act)
    assert "LC-IR" in caught.value.rules
    with pytest.raises(Refused):
        felt.ruled("confirm", "", "dealer")
    felt.ruled()
    felt.play(do.Fold, felt.hand.to_act)


@pytest.mark.rule("LC-107a", 2)
def test_posting_is_not_acting() -> None:
    felt = dealt("LC", LC_6_12)
    call(felt, 4, 5)
    found = felt.report("wrong_card_count", seat=3, cards=3)
    assert found.remedy == "random_card_becomes_burn"
    felt.ruled()
    fold(felt, 6, 7, 8, 9, 1, 2)
    felt.play(do.Check, 3)


@pytest.mark.rule("LC-107b", 1)
def test_a_third_card_after_acting_kills_the_hand() -> None:
    felt = dealt("LC", LC_6_12, button=2)
    call(felt, 5)
    fold(felt, 6, 7)
    found = felt.report("wrong_card_count", seat=5, cards=3)
    assert (found.remedy, found.seats) == ("hand_dead", (5,))
    assert "LC-107b" in found.rules
    assert "$6 stays" in found.says
    assert any("burn card" in step for step in found.steps)
    pot = felt.hand.pot_cents
    felt.ruled()
    assert (felt.hand.pot_cents, felt.hand.to_act) == (pot, 8)


@pytest.mark.rule("LC-107c", 1)
def test_a_third_card_after_the_flop_kills_the_hand() -> None:
    felt = dealt("LC", LC_6_12, button=2)
    call(felt, 5)
    fold(felt, 6, 7)
    call(felt, 8)
    fold(felt, 9, 1, 2)
    call(felt, 3)
    felt.play(do.Check, 4)
    felt.play(do.DealStreet, board=("2c", "7d", "Jh"))
    felt.play(do.Check, 3)
    felt.play(do.Check, 4)
    felt.play(do.Bet, 5, to_cents=600)
    felt.play(do.RaiseTo, 8, to_cents=1200)
    before = felt.hand.pot_cents
    found = felt.report("wrong_card_count", seat=5, cards=3)
    assert found.remedy == "hand_dead"
    assert "LC-107c" in found.rules
    assert not any("burn card" in step for step in found.steps)
    felt.ruled()
    assert felt.hand.pot_cents == before


@pytest.mark.rule("RC-I8", 1)
def test_rc_an_extra_card_is_the_burn() -> None:
    felt = dealt("RC", RC_4_8)
    found = felt.report("extra_cards", seat=2)
    assert found.remedy == "extra_card_becomes_burn"
    assert "RC-I8" in found.rules
    burned_before_the_flop(felt, "6h")


@pytest.mark.rule("HG-H2", 1)
def test_hg_an_extra_card_is_the_burn() -> None:
    felt = dealt("HG", HG_2_4, "1-7")
    found = felt.report("extra_cards", seat=2)
    assert found.remedy == "extra_card_becomes_burn"
    assert "HG-H2" in found.rules
    burned_before_the_flop(felt, "6d")


@pytest.mark.rule("WP-3I11", 1)
def test_wp_an_extra_card_is_the_burn() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    found = felt.report("extra_cards", seat=1)
    assert found.remedy == "extra_card_becomes_burn"
    assert "WP-3I11" in found.rules
    burned_before_the_flop(felt, "6d")


# -------------------------------------------------------------------------------- deal.short_card


@pytest.mark.rule("LC-108a", 1)
def test_a_short_hand_gets_the_top_card() -> None:
    felt = dealt("LC", LC_OMAHA)
    found = felt.report("wrong_card_count", seat=7, cards=3, top_card="Qd")
    assert found.remedy == "deal_top_card"
    assert "LC-108a" in found.rules
    assert "Qd" in found.says
    felt.ruled()
    felt.play(do.NoteHoleCards, hands=((7, ("2s", "3s", "4s", "Qd")),))
    fold(felt, 4, 5, 6)
    call(felt, 7)


@pytest.mark.rule("LC-108b", 1)
def test_a_short_hand_that_acted_is_dead() -> None:
    felt = dealt("LC", LC_6_12, button=6)
    felt.play(do.RaiseTo, 9, to_cents=1200)
    call(felt, 1, 2)
    found = felt.report("wrong_card_count", seat=9, cards=1)
    assert found.remedy == "hand_dead"
    assert "LC-108b" in found.rules
    assert "$12 stays" in found.says
    felt.ruled()
    assert felt.hand.pot_cents == 3 * 1200 + 800
    assert options(felt)["call"] == 12


@pytest.mark.rule("WP-3M1e", 1)
def test_the_last_card_in_proper_order_is_dealt() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    asked = felt.report("wrong_card_count", seat=9, cards=1)
    assert asked.missing == ("in_sequence",)
    told = (("in_sequence", "yes"),)
    felt.run(rc.AddFacts, "dealer", hand=1, irregularity=1, told=told)
    found = felt.notes.irregularities[0].finding
    assert found.remedy == "deal_top_card"
    assert "WP-3M1e" in found.rules
    felt.ruled()
    call(felt, 3)


@pytest.mark.rule("WP-3M1e", 2)
def test_a_skipped_seat_makes_a_misdeal() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    found = felt.report("wrong_card_count", seat=4, cards=1, in_sequence=False)
    misdealt(found, "WP-3M1e")
    redealt(felt, 9)


# --------------------------------------------------------------------------- deal.wrong_recipient


def unentitled(book: str = "LC", a_game: Game = LC_6_12) -> Felt:
    return dealt(book, a_game, button=9)


@pytest.mark.rule("LC-113", 1)
def test_a_seat_changer_dealt_in_by_mistake_has_a_dead_hand() -> None:
    felt = unentitled()
    call(felt, 3)
    found = felt.report("unentitled_hand", seat=4, why="seat_change")
    assert found.remedy == "hand_dead"
    assert "LC-113" in found.rules
    felt.ruled()
    assert felt.hand.to_act == 5


@pytest.mark.rule("LC-113", 2)
def test_a_seat_changer_who_acted_plays_and_waits_afterwards() -> None:
    felt = unentitled()
    call(felt, 3)
    felt.play(do.RaiseTo, 4, to_cents=1200)
    found = felt.report("unentitled_hand", seat=4, why="seat_change")
    assert found.remedy == "hand_live"
    assert "stays due" in found.says
    felt.ruled()
    assert felt.hand.to_act == 5
    assert options(felt)["call"] == 12


@pytest.mark.rule("LC-116", 1)
def test_a_stud_player_without_cards_gets_the_ante_back() -> None:
    felt = dealt("LC", LC_STUD, "1-8")
    ups = ("8c", "9c", "Tc", "2c", "Jc", "Qc", "Kc", "7c")
    felt.play(do.DealStreet, up=tuple(enumerate(ups, 1)))
    felt.play(do.BringIn, 4)
    assert felt.hand.pot_cents == 1900
    found = felt.report("player_dealt_out", seat=6)
    assert found.remedy == "ante_returned"
    assert found.rules == ("LC-116",)
    assert "$2" in found.says
    assert found.chips == (ChipMove("pot", "seat:6", 200),)


@pytest.mark.rule("LC-119", 1)
def test_a_hole_card_at_an_empty_seat_is_dead() -> None:
    found = dealt("LC", LC_STUD, (1, 2, 4, 5)).report(
        "unentitled_hand", seat=3, why="empty_seat", card_kind="hole", correctable=False
    )
    assert found.remedy == "card_dead"
    assert found.rules == ("LC-119",)


@pytest.mark.rule("LC-119", 2)
def test_upcards_at_an_empty_seat_are_shifted() -> None:
    found = dealt("LC", LC_STUD, (1, 2, 4, 5)).report(
        "unentitled_hand", seat=3, why="empty_seat", card_kind="up"
    )
    assert found.remedy == "shift_cards"
    assert "no further" in found.says


@pytest.mark.rule("LC-132a", 1)
def test_a_new_player_who_looked_plays_and_posts_later() -> None:
    felt = unentitled("LC", LC_20_40)
    found = felt.report("unentitled_hand", seat=6, why="new_unposted", looked=True)
    assert found.remedy == "hand_live"
    assert "LC-132a" in found.rules
    assert "$20" in found.says
    felt.ruled()
    felt.fold_to(6)
    call(felt, 6)


@pytest.mark.rule("LC-132b", 1)
def test_a_new_player_who_did_not_look_is_dead_and_owes_nothing() -> None:
    felt = unentitled("LC", LC_20_40)
    found = felt.report("unentitled_hand", seat=6, why="new_unposted", looked=False)
    assert found.remedy == "hand_dead"
    assert "nothing is owed" in found.says
    felt.ruled()
    assert not felt.hand.over
    assert 6 not in {one.seat for one in felt.hand.chairs if one.live}
    assert felt.seat(6).stack_cents == 30000


@pytest.mark.rule("WP-3M1i", 1)
def test_cards_to_an_empty_seat() -> None:
    felt = dealt("WP", WP_4_8, (1, 2, 3, 4, 5, 7, 8, 9), button=9)
    call(felt, 3)
    found = felt.report("unentitled_hand", seat=6, why="empty_seat")
    misdealt(found, "WP-3M1i")
    assert returned(found) == {1: 2, 2: 4, 3: 4}
    redealt(felt, 9)


@pytest.mark.rule("WP-3M1i", 2)
def test_cards_to_a_player_who_waits() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    misdealt(felt.report("unentitled_hand", seat=7, why="waits"), "WP-3M1i")
    redealt(felt, 9)


@pytest.mark.rule("WP-3M1j", 1)
def test_wp_an_entitled_player_dealt_out() -> None:
    felt = dealt("WP", WP_4_8, "1-4,6-9", button=9)
    felt.sit(5)
    misdealt(felt.report("player_dealt_out", seat=5), "WP-3M1j")
    felt.ruled()
    assert all_back(felt)


@pytest.mark.rule("WP-3M1j", 2)
def test_wp_an_absent_player_dealt_out() -> None:
    felt = dealt("WP", WP_4_8, "1-4,6-9", button=9)
    felt.sit(5)
    felt.away(5)
    felt.back(5)
    found = felt.report("player_dealt_out", seat=5, present=False)
    assert found.remedy == "stands"
    assert [choice.remedy for choice in found.choices] == ["misdeal"], "he sits there by now"
    felt.ruled()
    call(felt, 3)


@pytest.mark.rule("WP-410", 1)
def test_one_who_owes_and_looked_without_acting_is_dead() -> None:
    felt = dealt("WP", game(10, 20, (5, 10)), button=1)
    call(felt, 4, 5)
    found = felt.report("unentitled_hand", seat=6, why="owes_blinds", looked=True)
    assert found.remedy == "hand_dead"
    assert "WP-410" in found.rules
    assert "stays due" in found.says
    felt.ruled()
    assert (felt.hand.pot_cents, felt.hand.to_act) == (3500, 7)


@pytest.mark.rule("WP-410", 2)
def test_one_who_owes_and_acted_is_live() -> None:
    felt = dealt("WP", game(10, 20, (5, 10)), button=1)
    call(felt, 4, 5, 6)
    found = felt.report("unentitled_hand", seat=6, why="owes_blinds")
    assert found.remedy == "hand_live"
    assert "what is owed stays due" in found.says
    felt.ruled()
    assert (felt.hand.pot_cents, felt.hand.to_act) == (4500, 7)


@pytest.mark.rule("WP-3I6", 1)
def test_only_those_of_the_deal_before_play_for_a_carried_pot() -> None:
    felt = Felt("WP", WP_4_8, (1, 2, 3, 5, 6, 8))
    felt.draw(1)
    felt.start()
    felt.play(do.VoidHand, 0, "floor", reason="fouled deck", rules=("WP-3I5",))
    felt.run(c.CarryPot, sources=((3, 6000),), reason="he knew of the duplicate")
    felt.sit(7)
    felt.sit(4, arrival=Arrival.DREW)
    found = felt.next()
    assert set(found.dealt) == {1, 2, 3, 5, 6, 8}
    assert {(one.seat, one.reason) for one in found.left_out} == {
        (4, "NOT_IN_PREVIOUS_DEAL"),
        (7, "NOT_IN_PREVIOUS_DEAL"),
    }
    felt.start()
    assert felt.hand.pot_cents == 6000 + 600
