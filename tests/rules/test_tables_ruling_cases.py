"""Worked cases of ruling.* and of claims for chips left on a table, played as written."""

from typing import Any

import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known import Form
from cardroom.tables import chip_events as ce
from cardroom.tables import commands as c
from cardroom.tables import deal_events as de
from cardroom.tables import dispute as d
from cardroom.tables import hand_commands as do
from cardroom.tables import notes_events as nev
from cardroom.tables import ruling_commands as rc
from cardroom.tables.findings import ChipMove
from cardroom.tables.hand_events import Source
from cardroom.tables.observations.observed import Did, Motion, Observed
from cardroom.tables.observing import Observe
from cardroom.tables.table import hand_in_progress
from tests.plugins.played_pots import acts, awarded, pot_of, shown
from tests.plugins.tables_world import LC_6_12, WP_4_8, WP_10_20, Felt, T, dealt, game
from tests.plugins.world import ROOM
from tests.rules.test_tables_care_cases import at_street, lives, turn

RC_6_12 = game(6, 12, (3, 6))
HG_2_4 = game(2, 4, (1, 2))


def dispute_of(felt: Felt, name: str = "d1") -> d.Dispute:
    return felt.world.state(d.dispute_id(ROOM, T, name))  # type: ignore[no-any-return]


def over(book: str, a_game: Any = WP_4_8, hands: int = 1) -> Felt:
    """A table whose last hand is over, its pot awarded."""
    felt = Felt(book, a_game)
    felt.draw(1)
    for _ in range(hands):
        felt.start()
        while felt.table.hand is not None:
            felt.play(do.Fold, felt.hand.to_act)
    return felt


def asks(felt: Felt, **more: Any) -> Any:
    fields = {"dispute": "d1", "asked_by": "seat:5", "question": "the hand was misread", **more}
    return felt.run(rc.OpenDispute, "dealer", hand=felt.table.last_hand, **fields)


def too_late(felt: Felt, **more: Any) -> Refused:
    fields = {"dispute": "d1", "asked_by": "seat:5", "question": "the hand was misread", **more}
    return felt.refused(rc.OpenDispute, "dealer", hand=felt.table.last_hand, **fields)


def ruled_dead(book: str, a_game: Any, seat: int) -> Felt:
    """A floorperson has ruled that a seat's hand is dead."""
    felt = turn(book, a_game, 2, seat, 8)
    felt.report("wrong_card_count", seat=seat, cards=3)
    felt.ruled()
    assert not lives(felt, seat)
    return felt


# ------------------------------------------------------------------------------- ruling.authority


@pytest.mark.rule("LC-8b", 1)
@pytest.mark.rule("RC-G18", 1)
@pytest.mark.rule("RC-D2", 1)
@pytest.mark.parametrize(("book", "rule"), [("LC", "LC-8b"), ("RC", "RC-G18"), ("RC", "RC-D2")])
def test_the_first_ruling_is_final(book: str, rule: str) -> None:
    felt = ruled_dead(book, LC_6_12, 4)
    with pytest.raises(Refused) as caught:
        felt.ruled("hand_live", "another floorperson thinks so")
    assert caught.value.code == "RULING_FINAL"
    assert rule in caught.value.rules
    assert not lives(felt, 4)
    felt.play(do.Check, felt.hand.to_act)


@pytest.mark.rule("RC-G18", 1)
def test_an_appeal_is_kept_on_record() -> None:
    felt = over("RC")
    asks(felt)
    felt.run(rc.RuleDispute, dispute="d1", decision="the award stands", reason="cards were read")
    felt.run(rc.AppealRuling, "dealer", dispute="d1", asked_by="seat:4", reason="unfair")
    asked = dispute_of(felt).appeals[-1]
    assert not asked.granted
    assert "RC-G18" in asked.rules
    with pytest.raises(Refused) as caught:
        felt.run(rc.RuleDispute, dispute="d1", decision="the other way", reason="appeal")
    assert caught.value.code == "RULING_FINAL"


@pytest.mark.rule("WP-2D2", 1)
def test_the_shift_supervisors_word_is_final() -> None:
    felt = over("WP")
    asks(felt, pot_cents=6000)
    felt.run(rc.RuleDispute, dispute="d1", decision="to seat 3", reason="as read")
    felt.run(rc.AppealRuling, "dealer", dispute="d1", asked_by="seat:8", reason="a straight")
    assert dispute_of(felt).appeals[-1].granted
    assert felt.refused(c.StartShuffle).code == "DISPUTE_OPEN"
    felt.run(
        rc.RuleDispute,
        "shift_manager",
        dispute="d1",
        decision="to seat 8",
        moves=((3, -6000), (8, 6000)),
        reason="the cards",
    )
    felt.run(rc.AppealRuling, "dealer", dispute="d1", asked_by="seat:3", reason="no")
    asked = dispute_of(felt).appeals[-1]
    assert not asked.granted
    assert "WP-2D2" in asked.rules
    assert felt.seat(8).stack_cents == 36000


# ------------------------------------------------------------------------------ ruling.discretion


def overridden(
    book: str, a_game: Any, kind: str, seat: int, reason: str, rule: str, **facts: Any
) -> Felt:
    felt = turn(book, a_game, 2, 5, 8)
    found = felt.report(kind, seat=seat, **facts)
    assert found.remedy == "hand_dead"
    assert rule in found.rules
    with pytest.raises(Refused) as caught:
        felt.ruled("hand_live")
    assert caught.value.code == "OVERRIDE_REASON"
    assert any("hand_dead" in option for option in caught.value.options)
    felt.ruled("hand_live", reason)
    assert lives(felt, seat)
    event = felt.last(nev.Ruled)
    assert (event.proposed, event.ruling.decision) == ("hand_dead", "hand_live")
    assert rule in event.proposed_rules
    assert (event.ruling.reason, event.ruling.by) == (reason, "floor-1")
    return felt


@pytest.mark.rule("LC-P-spirit", 1)
@pytest.mark.rule("LC-8a", 1)
def test_lc_fairness_goes_before_the_letter() -> None:
    felt = overridden(
        "LC",
        LC_6_12,
        "taken_by_dealer",
        5,
        "unlisted policy: new player, dealer error",
        "LC-9",
        protected=False,
    )
    assert {"LC-P-spirit", "LC-8a"} <= set(felt.last(nev.Ruled).ruling.rules)
    felt.play(do.Check, felt.hand.to_act)


@pytest.mark.rule("RC-G17", 1)
@pytest.mark.rule("RC-G17", 2)
@pytest.mark.rule("RC-D1", 1)
def test_rc_special_circumstances() -> None:
    felt = pot_of("RC", RC_6_12, (2, 8), 90)
    felt.play(do.NoteHoleCards, hands=((2, ("Qs", "Td")), (8, ("9d", "9h"))))
    found = felt.report("dropped_card", seat=8, card="9d")
    assert found.remedy == "hand_dead"
    assert "RC-D4e" in found.rules
    with pytest.raises(Refused) as caught:
        felt.ruled("hand_live")
    assert caught.value.code == "OVERRIDE_REASON"
    assert any("hand_dead" in option for option in caught.value.options)
    felt.ruled("hand_live", "card knocked off by opponent")
    event = felt.last(nev.Ruled)
    assert (event.proposed, event.ruling.decision, event.ruling.by) == (
        "hand_dead",
        "hand_live",
        "floor-1",
    )
    assert "RC-D4e" in event.proposed_rules
    assert {"RC-G17", "RC-D1"} <= set(event.ruling.rules)
    assert shown(felt, {2: "Qs Td", 8: "9d 9h"}) == {8: 90}


@pytest.mark.rule("HG-G0", 1)
@pytest.mark.rule("HG-G0", 2)
def test_hg_the_host_rules_in_fairness() -> None:
    felt = overridden(
        "HG", HG_2_4, "touched_muck", 5, "pushed in by an opponent", "HG-D7", identifiable=True
    )
    assert "HG-G0" in felt.last(nev.Ruled).ruling.rules


@pytest.mark.rule("WP-2D1", 1)
def test_wp_a_medical_emergency() -> None:
    felt = overridden(
        "WP", WP_10_20, "taken_by_dealer", 5, "medical emergency", "WP-3I2", protected=False
    )
    assert "WP-2D1" in felt.last(nev.Ruled).ruling.rules


@pytest.mark.rule("WP-2D8", 1)
def test_wp_the_offenders_record_is_shown_beside_the_same_remedy() -> None:
    findings = []
    for record in ("first day, 0 incidents", "3 incidents of WP-1E1 this month"):
        felt = at_street(dealt("WP", WP_10_20, button=9), (2, 5, 8), 1)
        assert felt.hand.to_act == 2
        checked = Observed(seat=5, motions=(Motion(did=Did.TAP),), in_turn=False)
        felt.do(Observe(room=ROOM, table=T, observed=checked, record=record), "dealer")
        noted = felt.notes.irregularities[-1]
        findings.append(noted.finding)
        assert noted.record == record
        assert "WP-3R10" in noted.finding.rules
        felt.ruled("warning", "as the record stands")
        ruled = felt.last(nev.Ruled)
        assert (ruled.record, ruled.ruling.reason) == (record, "as the record stands")
    assert findings[0] == findings[1]


# ------------------------------------------------------- ruling.error_report, ruling.reconstruct


@pytest.mark.rule("WP-3S3", 1)
@pytest.mark.rule("LC-7", 1)
@pytest.mark.parametrize(
    ("book", "due", "short", "rule"), [("WP", 2000, 500, "WP-3S3"), ("LC", 600, 200, "LC-7")]
)
def test_anybody_may_report_a_short_pot(book: str, due: int, short: int, rule: str) -> None:
    a_game = LC_6_12 if book == "LC" else WP_10_20
    felt = at_street(dealt(book, a_game, button=9), (2, 6, 8), 1 if book == "LC" else 2)
    acts(felt, f"2 bet {due // 100}, 6 call")
    felt.run(
        rc.ReportIrregularity,
        "dealer",
        kind="short_pot",
        told=(("seat", "6"), ("put_in_cents", str(due - short))),
        reported_by="seat:9",
        source=Source.PLAYER,
    )
    found = felt.notes.irregularities[-1].finding
    assert found.remedy == "add_chips"
    assert found.chips == (ChipMove("seat:6", "pot", short),)
    assert rule in found.rules
    assert {fact.name: fact.value for fact in found.facts}["due_cents"] == str(due)
    felt.ruled()
    before = felt.hand.pot_cents
    acts(felt, "8 call")
    assert felt.hand.pot_cents == before + due


@pytest.mark.rule("WP-3S3", 2)
@pytest.mark.rule("LC-7", 2)
@pytest.mark.parametrize(("book", "cents", "rule"), [("WP", 7200, "WP-3S3"), ("LC", 9600, "LC-7")])
def test_a_pot_about_to_go_wrong_is_held(book: str, cents: int, rule: str) -> None:
    felt = pot_of(book, LC_6_12, (3, 5), cents // 100, board="Ks 9d 8c 7h 2c")
    first, second = felt.hand.order
    held = {3: ("Kh", "9c"), 5: ("Jd", "Td")}
    felt.play(do.ShowHand, first, cards=held[first])
    felt.play(do.ShowHand, second, cards=held[second])
    found = felt.report("wrong_award", seat=5, to_seat=3)
    assert found.remedy == "award_held"
    assert rule in found.rules
    assert found.chips == (ChipMove("pot", "seat:5", cents),)
    felt.ruled()
    assert awarded(felt) == {5: cents // 100}


@pytest.mark.rule("WP-2D6", 1)
def test_a_pot_is_rebuilt_from_the_betting() -> None:
    felt = Felt("WP", WP_4_8)
    felt.draw(1)
    felt.start()
    act = felt.play
    act(do.Call, 4)
    act(do.RaiseTo, 5, to_cents=800)
    for seat in (6, 7, 8, 9, 1, 2):
        act(do.Fold, seat)
    act(do.Call, 3)
    act(do.Call, 4)
    act(do.DealStreet, board=("2c", "7d", "Jh"))
    act(do.Check, 3)
    act(do.Bet, 4, to_cents=400)
    act(do.Call, 5)
    act(do.Fold, 3)
    act(do.DealStreet, board=("4s",))
    act(do.Bet, 4, to_cents=800)
    act(do.RaiseTo, 5, to_cents=1600)
    act(do.Call, 4)
    act(do.DealStreet, board=("9c",))
    act(do.Check, 4)
    act(do.Check, 5)
    act(do.ShowHand, 4, cards=("Js", "Jd"))
    act(do.ShowHand, 5, cards=("Qs", "Td"))
    act(do.AwardPots, losers_killed=True)
    assert felt.last(de.HandClosed).won[0].seat == 4
    stacks = {seat: felt.seat(seat).stack_cents or 0 for seat in (4, 5)}
    found = felt.report("wrong_award", seat=5, to_seat=4)
    assert found.remedy == "move_pot"
    assert found.chips == (ChipMove("seat:4", "seat:5", 6600),)
    assert found.rules == ("WP-2D6",)
    felt.ruled()
    assert felt.seat(4).stack_cents == stacks[4] - 6600
    assert felt.seat(5).stack_cents == stacks[5] + 6600
    moved = felt.last(ce.StacksCorrected)
    assert (moved.cause, moved.rules) == ("irregularity:1:1", ("WP-2D6",))


# ------------------------------------------------------------------ ruling.impound and liability


@pytest.mark.rule("WP-2D7", 1)
def test_an_impounded_pot_does_not_play() -> None:
    felt = over("WP", WP_10_20)
    felt.run(c.CountStacks, stacks=((3, 29500), (6, 40000)))
    asks(felt, pot_cents=24000)
    felt.run(rc.ImpoundPot, dispute="d1", sources=((3, 24000),), reason="the tape")
    assert felt.seat(3).stack_cents == 5500
    assert dispute_of(felt).phase is d.Phase.OPEN
    assert dispute_of(felt).impounded_cents == 24000
    felt.run(c.StartShuffle)
    felt.start()
    assert next(one for one in felt.hand.chairs if one.seat == 3).stack_cents in (5500, 5000, 4500)
    felt.run(
        rc.RuleDispute,
        "shift_manager",
        dispute="d1",
        decision="to seat 3",
        awards=((3, 24000),),
        reason="the tape",
    )
    assert felt.seat(3).pending_cents == 24000
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)
    assert (felt.seat(3).stack_cents or 0) >= 24000 + 4500


@pytest.mark.rule("WP-2D7", 2)
def test_part_of_a_pot_is_held() -> None:
    felt = over("WP", WP_10_20)
    asks(felt, pot_cents=6000)
    felt.run(rc.ImpoundPot, dispute="d1", sources=((5, 6000),), reason="the side pot")
    assert felt.table.impounds == {"d1": 6000}
    refusal = felt.refused(
        rc.RuleDispute, dispute="d1", decision="to 8", awards=((8, 5000),), reason="tape"
    )
    assert refusal.code == "AWARDS_UNBALANCED"
    felt.run(rc.RuleDispute, dispute="d1", decision="to 8", awards=((8, 6000),), reason="tape")
    assert felt.seat(8).stack_cents == 36000


@pytest.mark.rule("WP-2D4", 1)
def test_no_claim_for_a_ruling_in_good_faith() -> None:
    felt = pot_of("WP", WP_4_8, (2, 7), 80)
    assert shown(felt, {2: "As Ad", 7: "Ks Kd"}) == {2: 80}
    felt.start()
    before = {number: seat.stack_cents for number, seat in felt.table.seats.items()}
    found = felt.report("claim_on_house", cause="ruling", good_faith=True, claimed_cents=8000)
    assert found.remedy == "claim_denied"
    assert "WP-2D4" in found.rules
    assert found.chips == ()
    felt.ruled()
    assert {number: seat.stack_cents for number, seat in felt.table.seats.items()} == before
    found = felt.report("claim_on_house", cause="ruling", good_faith=False)
    assert found.remedy == "floor_decides"


@pytest.mark.rule("WP-2P4", 1)
def test_no_claim_for_chips_left_on_the_table() -> None:
    found = dealt("WP", WP_10_20).report(
        "claim_on_house",
        cause="chips_left_on_table",
        recorded_cents=27500,
        found_cents=21500,
        claimed_cents=6000,
    )
    assert found.remedy == "claim_denied"
    assert "WP-2P4" in found.rules
    assert {fact.name: fact.value for fact in found.facts}["recorded_cents"] == "27500"


# ------------------------------------------------------------------------------ ruling.time_limit


@pytest.mark.rule("LC-8c", 1)
@pytest.mark.rule("RC-G14", 2)
@pytest.mark.rule("WP-2D5", 1)
@pytest.mark.parametrize("book", ["LC", "RC", "WP"])
def test_before_the_riffle_a_ruling_may_be_asked_for(book: str) -> None:
    felt = over(book, LC_6_12)
    asks(felt)
    assert dispute_of(felt).phase is d.Phase.OPEN
    assert felt.refused(c.StartShuffle).code == "DISPUTE_OPEN"


@pytest.mark.rule("LC-8c", 2)
@pytest.mark.rule("RC-G14", 1)
@pytest.mark.rule("WP-2D5", 2)
@pytest.mark.parametrize(("book", "rule"), [("LC", "LC-8c"), ("RC", "RC-G14"), ("WP", "WP-2D5")])
def test_after_the_riffle_the_result_stands(book: str, rule: str) -> None:
    felt = over(book, LC_6_12)
    felt.run(c.StartShuffle)
    refusal = too_late(felt)
    assert refusal.code == "NEXT_HAND_BEGUN"
    assert rule in refusal.rules


@pytest.mark.rule("LC-GL-hand", 1)
def test_a_hand_runs_from_its_shuffle_to_its_winner() -> None:
    felt = over("LC", LC_6_12, hands=7)
    assert hand_in_progress(felt.table) == 0
    felt.run(c.StartShuffle)
    assert hand_in_progress(felt.table) == 8
    felt.start()
    assert hand_in_progress(felt.table) == 8


@pytest.mark.rule("RC-D3", 1)
def test_rc_no_question_about_cards_once_the_hands_are_mucked() -> None:
    felt = over("RC", LC_6_12)
    felt.run(c.NoteHandsMucked)
    refusal = too_late(felt, turns_on_cards=True)
    assert refusal.code == "HANDS_MUCKED"
    assert "RC-D3" in refusal.rules
    asks(felt, turns_on_cards=False)


@pytest.mark.rule("RC-D3", 2)
def test_rc_while_the_hands_are_there_they_are_read() -> None:
    felt = pot_of("RC", RC_6_12, (3, 5), 72, board="2h 7h Jh 4s 9c")
    first, second = felt.hand.order
    held = {3: ("Js", "Jd"), 5: ("Ah", "Kh")}
    felt.play(do.ShowHand, first, cards=held[first])
    felt.play(do.ShowHand, second, cards=held[second])
    felt.run(
        rc.OpenDispute,
        "dealer",
        dispute="d1",
        hand=1,
        asked_by="seat:5",
        question="seat 5 has a flush",
        turns_on_cards=True,
    )
    found = felt.report("wrong_award", seat=5, to_seat=3)
    assert found.remedy == "award_held"
    felt.ruled()
    assert awarded(felt) == {5: 72}


@pytest.mark.rule("WP-2D3", 1)
def test_wp_a_delayed_report_is_marked_and_the_short_call_stands() -> None:
    felt = turn("WP", WP_10_20, 4, 6)
    acts(felt, "4 bet 20, 6 call")
    felt.play(do.DealStreet, board=("9c",))
    felt.run(
        rc.ReportIrregularity,
        "dealer",
        kind="short_pot",
        told=(
            ("seat", "6"),
            ("due_cents", "2000"),
            ("put_in_cents", "1500"),
            ("betting_complete", "yes"),
        ),
        reported_by="seat:9",
        seen_at="turn, seat 6's call",
        source=Source.PLAYER,
    )
    event = felt.last(nev.IrregularityReported)
    assert event.delayed
    assert (event.seen_at, event.hand_version) == ("turn, seat 6's call", felt.hand.version)
    assert event.finding.remedy == "stands"
    assert "$15" in event.finding.says
    felt.ruled()
    assert felt.hand.to_act == 4


def test_impounded_chips_of_a_player_who_left_go_to_the_cage() -> None:
    felt = over("WP", WP_10_20)
    asks(felt, pot_cents=6000)
    felt.run(rc.ImpoundPot, dispute="d1", sources=((5, 6000),), reason="the tape")
    felt.leave(8)
    refusal = felt.refused(rc.RuleDispute, dispute="d1", decision="to 8", reason="the tape")
    assert refusal.code == "AWARDS_MISSING"
    felt.run(rc.RuleDispute, dispute="d1", decision="to 8", away_cents=6000, reason="the tape")
    assert felt.table.impounds == {}
    assert felt.last(ce.ImpoundReleased).away_cents == 6000


def test_no_ruling_once_the_game_has_closed() -> None:
    felt = over("WP")
    felt.leave(*tuple(felt.table.seats))
    felt.run(c.CloseTable, reason="broke")
    refusal = too_late(felt)
    assert refusal.code == "GAME_CLOSED"
    assert "WP-2D5" in refusal.rules


def test_a_hand_is_judged_under_the_book_it_was_played_under() -> None:
    felt = over("LC", LC_6_12)
    high = game(20, 40, (10, 20), chip=5)
    felt.world.offer(high)
    felt.run(c.AskGameChange, game_id=high.game_id)
    felt.run(c.ApproveGameChange, game_id=high.game_id)
    assert felt.table.book_digest != felt.rules.digest
    asks(felt)
    opened = felt.last(d.DisputeOpened)
    assert opened.frame.book_digest == felt.rules.digest
    found = felt.report("refund_asked", seat=5)
    assert found.rules == ("LC-5",)
    assert felt.last(nev.IrregularityReported).book_digest == felt.rules.digest


def test_the_house_pays_from_an_account_of_its_own() -> None:
    felt = over("WP")
    asks(felt)
    refusal = felt.refused(
        rc.RuleDispute, dispute="d1", decision="pay", moves=((5, 4000),), reason="skipped"
    )
    assert refusal.code == "MOVES_UNBALANCED"
    felt.run(
        rc.RuleDispute,
        dispute="d1",
        decision="the room pays the skipped player",
        moves=((5, 4000),),
        house_cents=4000,
        reason="surveillance confirms the skip",
    )
    event = felt.last(ce.StacksCorrected)
    assert (event.house_cents, event.account) == (4000, "house")
    assert felt.seat(5).stack_cents == 34000


@pytest.mark.rule("RC-S2")
@pytest.mark.parametrize(
    ("values", "remedy"),
    [({}, "hand_dead"), ({"showdown__lowball_calls_bind": False}, "cards_speak")],
)
def test_a_call_at_lowball_binds_where_another_hand_went_because_of_it(
    values: dict[str, bool], remedy: str
) -> None:
    lowball = game(4, 8, (2, 4), form=Form.LOWBALL)
    felt = dealt("RC", lowball, (3, 5), 3, **values)
    found = felt.report("miscall", seat=3, deliberate=False, mucked=(5,))
    assert found.remedy == remedy
    assert "RC-S2" in found.rules
    assert felt.report("miscall", seat=3, deliberate=False).remedy == "cards_speak"
    assert felt.report("miscall", seat=3, deliberate=True, mucked=(5,)).remedy == "forfeit_pot"
