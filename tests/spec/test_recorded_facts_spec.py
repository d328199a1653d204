"""Facts of irregularities that a hand's record holds: taken from it, and shown beside what is told otherwise."""

from cardroom.tables import hand_commands as do
from cardroom.tables.findings import Finding
from cardroom.tables.notes_events import IrregularityReported
from cardroom.tables.ruling_commands import AddFacts, ReportIrregularity, RuleOn
from tests.plugins.played_pots import pot_of
from tests.plugins.tables_world import LC_6_12, WP_4_8, Felt, dealt, game

HG_2_4 = game(2, 4, (1, 2))


def facts(found: Finding) -> dict[str, str]:
    return {fact.name: fact.value for fact in found.facts}


def on_the_turn(*acts: str) -> Felt:
    felt = dealt("HG", HG_2_4, (2, 5), button=5)
    felt.play(do.Call, 5)
    felt.play(do.Check, 2)
    felt.play(do.DealStreet, board=("7c", "2d", "9s"))
    felt.play(do.Check, 2)
    felt.play(do.Check, 5)
    felt.play(do.DealStreet, board=("Qs",))
    if "bet" in acts:
        felt.play(do.Bet, 2, to_cents=400)
    return felt


def test_the_street_and_its_betting_come_from_the_record() -> None:
    found = on_the_turn().report("burn_error", burned=2, stub="4c Jd Qs 3h")
    assert found.remedy == "correct_burn"
    found = on_the_turn("bet").report("burn_error", burned=2, stub="4c Jd Qs 3h")
    assert found.remedy == "board_stands"
    assert facts(found)["betting_begun"] == "yes"
    assert not any(name.endswith("_recorded") for name in facts(found))


def test_what_is_told_against_the_record_stands_beside_it() -> None:
    found = on_the_turn("bet").report("burn_error", burned=2, betting_begun=False)
    assert found.remedy == "correct_burn"
    told = facts(found)
    assert (told["betting_begun"], told["betting_begun_recorded"]) == ("no", "yes")
    assert [choice.remedy for choice in found.choices] == ["board_stands"]
    assert not found.binding


def test_the_floor_may_go_by_the_record() -> None:
    felt = dealt("LC", LC_6_12)
    felt.play(do.Call, 4)
    found = felt.report("wrong_card_count", seat=4, cards=3, player_acted=False)
    assert found.remedy == "random_card_becomes_burn"
    assert [choice.remedy for choice in found.choices] == ["hand_dead"]
    felt.ruled("hand_dead", "the raise of seat 4 is on the record")
    assert [chair.live for chair in felt.hand.chairs if chair.seat == 4] == [False]


def test_a_fact_told_as_recorded_is_told_once() -> None:
    felt = dealt("WP", WP_4_8)
    felt.play(do.Call, 4)
    found = felt.report("exposed_card", place=12, exposed=2, acted_count=1)
    assert found.remedy == "misdeal"
    assert facts(found) == {"acted_count": "1"}


def test_a_place_in_the_deal_told_beside_the_card_it_was() -> None:
    found = dealt("WP", WP_4_8, button=9).report("exposed_card", seat=2, nth=1, place=12)
    told = facts(found)
    assert (told["place"], told["place_recorded"]) == ("12", "2")
    assert [choice.remedy for choice in found.choices] == ["misdeal"]


def test_reports_of_one_deal_are_counted() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    assert felt.report("exposed_card", seat=5, nth=1).remedy == "replace_card"
    again = felt.report("exposed_card", seat=5, nth=1, card="Kd")
    assert again.remedy == "replace_card", "the same card told again is no second one"
    assert felt.report("exposed_card", by="player", seat=6, nth=1).remedy == "stands"
    assert felt.report("exposed_card", seat=3, nth=2).remedy == "misdeal"


def test_facts_given_later_are_judged_on_what_was_reported_before_them() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    felt.report("boxed_card", seat=4)
    felt.run(AddFacts, "dealer", hand=1, irregularity=1, told=(("card", "5d"),))
    assert felt.notes.irregularities[0].finding.remedy == "scrap"
    assert felt.report("boxed_card", seat=8).remedy == "misdeal"


def test_of_a_counted_hand_the_facts_are_asked_for() -> None:
    felt = Felt("HG", HG_2_4, "1-5", capture="counted")
    felt.draw(1)
    felt.count()
    assert felt.report("burn_error", burned=2).missing == ("street",)
    asked = felt.report("burn_error", burned=2, street="turn")
    assert asked.missing == ("all_in",)
    asked = felt.report("burn_error", burned=2, street="turn", all_in=False)
    assert asked.missing == ("betting_begun",)
    felt.run(AddFacts, "dealer", hand=1, irregularity=3, told=(("betting_begun", "no"),))
    assert felt.notes.irregularities[2].finding.remedy == "correct_burn"
    assert felt.report("exposed_hand", seat=2).missing == ("players",)
    assert felt.report("announced_fold", seat=2).missing == ("facing_wager",)
    gone = felt.report("not_seated", seat=2, action_reached=True, deal_complete=True)
    assert gone.missing == ("seated",)


def test_conduct_is_on_record_once_its_finding_is_confirmed() -> None:
    felt = dealt("LC", LC_6_12)
    felt.report("out_of_view", seat=8)
    assert felt.notes.breaches == ()
    felt.ruled()
    (one,) = felt.notes.breaches
    assert (one.player, one.what, one.rules) == ("p8", "cards_hidden", ("LC-26f",))
    felt.report("out_of_view", seat=8)
    felt.ruled()
    assert felt.notes.breaches == (one,), "once in a hand"


def test_conduct_is_not_on_record_where_the_floor_rules_otherwise() -> None:
    felt = dealt("LC", LC_6_12)
    felt.report("touched_muck", seat=7, thrown=True, identifiable=True)
    felt.ruled("hand_live", "an opponent knocked them over")
    assert felt.notes.breaches == ()


def test_chips_go_from_stack_to_stack_while_the_next_deal_has_not_begun() -> None:
    felt = dealt("WP", WP_4_8, (2, 4), button=4)
    felt.play(do.Call, 4)
    felt.play(do.Fold, 2)
    found = felt.report("wrong_award", seat=4, to_seat=2)
    assert (found.remedy, found.chips[0].cents) == ("move_pot", 800)
    assert felt.refused(RuleOn, hand=1, irregularity=1, decision="").code == "OVERRIDE_REASON"
    before = felt.seat(2).stack_cents
    felt.ruled()
    assert felt.seat(2).stack_cents == (before or 0) - 800
    felt.start()
    late = (("seat", "4"), ("to_seat", "2"))
    felt.run(ReportIrregularity, "dealer", hand=1, kind="wrong_award", told=late)
    noted = felt.last(IrregularityReported)
    assert (noted.finding.remedy, noted.finding.chips) == ("stands", ())


def test_a_hand_that_a_ruling_ends_pays_the_drop_like_any_other() -> None:
    drops = []
    for by_ruling in (True, False):
        felt = pot_of("HG", HG_2_4, (2, 5), 30, closed=False)
        if by_ruling:
            felt.report("touched_muck", seat=5, identifiable=True)
            felt.ruled()
        else:
            felt.play(do.RuleHandDead, 5, rules=("HG-D7",))
        assert felt.hand.over
        drops.append(felt.hand.taken)
    assert drops[0] == drops[1] != ()
