"""The worked cases of conduct under LC and RC, played as written on the cores."""

from typing import Any

import pytest

from cardroom.players import commands as pc
from cardroom.players import events as pe
from cardroom.players.values import Hold
from cardroom.seating import commands as sc
from cardroom.seating import events as se
from tests.plugins.conduct_world import Conduct
from tests.plugins.floor_world import FOUR_EIGHT, GROUP, clock, found
from tests.plugins.world import ROOM


def close(w: Conduct, person: str) -> Any:
    return pc.CloseIncident(group=GROUP, player_id=person, incident_id=w.last(person).incident_id)


def clear(w: Conduct, person: str) -> Any:
    return pc.ClearPlayer(group=GROUP, player_id=person, incident_id=w.last(person).incident_id)


# --- Lucky Chances ---


@pytest.mark.rule("LC-P-etiquette", 1)
def test_who_is_barred_is_dealt_out_and_kept_from_list_seat_and_chips() -> None:
    w = Conduct("LC", at="21:25")
    w.report("disturbance", "p4")
    assert w.last("p4").rules == ("LC-P-etiquette",)
    applied = w.time("21:30").sanction("p4", "barred")
    assert (applied.at, applied.sanction) == (clock("21:30"), "barred")
    w.pump()
    refusal = w.no_hand("t4", "p4", w.hand("t4", 2, 2, 3, 5))
    assert (refusal.code, "LC-P-etiquette" in refusal.rules) == ("BARRED", True)
    buying = w.no_buy("p4")
    w.seat(sc.LeaveSeat(room=ROOM, table="t4", player_id="p4", chips_cents=0))
    for refused in (w.no_join("p4"), w.no_lock("p4", 4), buying):
        assert (refused.code, "LC-P-etiquette" in refused.rules) == ("BARRED", True)


@pytest.mark.rule("LC-1", 1)
def test_bad_manners_are_never_closed_without_discipline() -> None:
    w = Conduct("LC", at="20:15")
    reported = w.report("throwing_cards", "p7", by="dealer")
    assert (reported.incident.rules, reported.incident.reported_by) == (("LC-1",), "dealer")
    refusal = w.no(w.player, close(w, "p7"))
    assert (refusal.code, refusal.rules) == ("DISCIPLINE_REQUIRED", ("LC-1",))
    w.sanction("p7", "warning")
    w.player(close(w, "p7"))
    assert w.last("p7").state == "closed"
    again = w.report("profanity", "p7")
    assert again.earlier == ("i1",)
    assert w.record("p7").incidents[0].sanction == "warning"


@pytest.mark.rule("LC-2", 1)
def test_a_player_leaves_whenever_he_likes_with_all_his_chips() -> None:
    w = Conduct("LC", at="20:05")
    left = w.seat(sc.LeaveSeat(room=ROOM, table="t4", player_id="p3", chips_cents=17_400))
    assert found(left, se.PlayerLeft).chips_cents == 17_400
    refusal = w.no(
        w.seat,
        sc.TakeSeat(
            room=ROOM,
            table="t4",
            seat=3,
            player_id="p3",
            buy_in_cents=6000,
            standing=w.standing("p3"),
        ),
        override="sits where he sat",
    )
    assert refusal.rules == ("LC-91",)


@pytest.mark.rule("LC-2", 2)
def test_criticizing_play_is_recorded_with_its_sanction() -> None:
    w = Conduct("LC")
    w.report("criticizing_play", "p8")
    assert w.sanction("p8", "counsel").rules[0] == "LC-2"
    assert w.last("p8").sanction == "counsel"
    assert w.record("p2").incidents == ()
    assert not w.last("p8").held


@pytest.mark.rule("LC-4", 1)
def test_who_tears_a_card_is_dealt_out_and_only_a_supervisor_clears() -> None:
    w = Conduct("LC")
    w.hand("t4", 30, 2, 3, 4, over=False)
    w.report("defaced_card", "p6", hand="30", deliberate=True)
    w.pump()
    for number in (31, 32):
        refusal = w.no_hand("t4", "p6", w.hand("t4", number, 3, 4, 5, dealt_in=(1, 2)))
        assert (refusal.code, refusal.rules) == ("DEALT_OUT_UNTIL_CLEARED", ("LC-4",))
    refusal = w.no(w.player, clear(w, "p6"), "floor")
    assert (refusal.code, refusal.rules) == ("NEEDS_SUPERVISOR", ("LC-4",))


@pytest.mark.rule("LC-4", 2)
def test_the_shift_manager_clears_and_missed_blinds_are_owed() -> None:
    w = Conduct("LC")
    w.report("defaced_card", "p6", hand="30", deliberate=True)
    w.pump()
    rest = (1, 2, 3, 4, 5, 7, 8, 9)
    w.hand("t4", 35, 5, 7, 8, dealt_in=rest)
    w.seat(sc.NoteMissedBlind(room=ROOM, table="t4", seat=6))
    w.player(clear(w, "p6"), "shift_manager")
    w.pump()
    deal = w.hand("t4", 36, 7, 8, 9, dealt_in=rest)
    refusal = w.no_hand("t4", "p6", deal)
    assert "LC-40" in refusal.rules
    assert w.ask_hand("t4", "p6", deal, 1100)


@pytest.mark.rule("LC-6", 1)
def test_who_is_barefoot_is_not_seated_until_it_is_remedied() -> None:
    w = Conduct("LC", at="19:40")
    w.register("mo")
    w.joins("mo")
    w.report("questionable_dress", "mo", consequence=Hold.NOT_SEATED)
    w.seat(sc.LeaveSeat(room=ROOM, table="t4", player_id="p9", chips_cents=0))
    w.time("19:50").pump()
    assert w.called() == ["mo"]
    refusal = w.no_lock("mo")
    assert (refusal.code, refusal.rules) == ("NOT_SEATED_UNTIL_REMEDIED", ("LC-6",))
    w.player(clear(w, "mo"), "floor")
    locked = sc.LockSeat(room=ROOM, table="t4", seat=9, player_id="mo", standing=w.standing("mo"))
    assert w.seat(locked, override="offered round")


@pytest.mark.rule("LC-10", 1)
def test_advice_while_hands_are_live_is_an_offence() -> None:
    w = Conduct("LC")
    reported = w.report("advice_during_live_hand", "p4", hand="12", hands_live=True)
    assert (reported.incident.rules, reported.incident.place.hand_id) == (("LC-10",), "12")
    assert w.sanction("p4", "warning").sanction == "warning"
    assert w.record("p5").incidents == ()


@pytest.mark.rule("LC-10", 2)
def test_talking_about_a_hand_that_is_over_is_none() -> None:
    w = Conduct("LC")
    refusal = w.no(w.player, w.reporting("advice_during_live_hand", "p4", hands_live=False))
    assert (refusal.code, refusal.rules) == ("NO_LIVE_HAND", ("LC-10",))


def test_a_report_asks_for_the_fact_that_decides() -> None:
    w = Conduct("LC")
    refusal = w.no(w.player, w.reporting("advice_during_live_hand", "p4"))
    assert (refusal.code, refusal.field) == ("FACT_NEEDED", "facts.hands_live")
    assert refusal.rules == ("CR-12", "LC-10")


@pytest.mark.rule("LC-11", 1)
def test_another_language_during_a_hand_is_recorded_against_both() -> None:
    w = Conduct("LC")
    w.report("foreign_language", "p2", "p6", hand="18", hand_in_progress=True)
    for person in ("p2", "p6"):
        incident = w.last(person)
        assert (incident.rules, incident.place.hand_id) == (("LC-11",), "18")


@pytest.mark.rule("LC-11", 2)
def test_between_hands_any_language_is_free() -> None:
    w = Conduct("LC")
    report = w.reporting("foreign_language", "p2", "p6", hand_in_progress=False)
    refusal = w.no(w.player, report)
    assert (refusal.code, refusal.rules) == ("NO_HAND_IN_PROGRESS", ("LC-11",))
    assert w.record("p2").incidents == w.record("p6").incidents == ()


@pytest.mark.rule("LC-13", 1)
def test_playing_from_a_rack_comes_with_a_request_and_is_shown_again() -> None:
    w = Conduct("LC")
    reported = w.report("rack_on_table", "p9", by="dealer")
    assert reported.incident.rules == ("LC-13",)
    assert reported.incident.instruction == "take the chips out of the rack"
    assert w.report("rack_on_table", "p9").earlier == ("i1",)


@pytest.mark.rule("LC-15", 1)
def test_a_side_bet_is_recorded_against_both_and_enters_nothing() -> None:
    w = Conduct("LC")
    w.report("side_bet", "p1", "p2", by="dealer")
    for person in ("p1", "p2"):
        assert w.last(person).rules == ("LC-15",)
        assert w.last(person).expected_pot_cents is None


@pytest.mark.rule("LC-16", 1)
def test_a_splashed_pot_is_told_what_the_middle_must_hold() -> None:
    w = Conduct("LC")
    reported = w.report(
        "splashing", "p6", by="dealer", middle_cents=3200, thrown_cents=600, in_front_cents=600
    )
    assert reported.incident.rules == ("LC-16",)
    assert reported.incident.expected_middle_cents == 3800
    assert reported.incident.expected_pot_cents == 4400


@pytest.mark.rule("LC-19", 1)
def test_a_guest_in_the_dealers_chair_is_reported_against_the_host() -> None:
    w = Conduct("LC")
    reported = w.report("dealer_chair", "p2")
    assert reported.incident.rules == ("LC-19",)
    assert reported.incident.place.hand_id == ""


@pytest.mark.rule("LC-30", 1)
def test_whom_the_house_refuses_is_off_the_list_and_stays_off() -> None:
    w = Conduct("LC", at="17:50")
    w.register("ann", "bo", "dee")
    for person in ("ann", "bo", "dee"):
        w.joins(person)
    w.time("18:00").bars("dee")
    assert w.names() == ["ann", "bo"]
    w.time("18:01").seat(sc.LeaveSeat(room=ROOM, table="t4", player_id="p9", chips_cents=0))
    w.pump()
    assert w.called() == ["ann"]
    refusal = w.time("18:30").no_join("dee")
    assert (refusal.code, refusal.rules) == ("BARRED", ("LC-30",))
    bar = w.record("dee").bars[0]
    lift = pc.LiftBar(group=GROUP, player_id="dee", bar_id=bar.bar_id, reason="talked")
    w.player(lift, "shift_manager")
    w.joins("dee")
    assert w.names()[-1] == "dee"


@pytest.mark.rule("LC-31", 1)
def test_a_refusal_of_alcohol_is_looked_up_and_touches_nothing_else() -> None:
    w = Conduct("LC", at="22:00")
    refused = found(
        w.player(pc.RefuseService(group=GROUP, player_id="p9", room=ROOM)), pe.ServiceRefused
    )
    assert refused.rules == ("LC-31",)
    assert w.time("22:30").record("p9").services_refused == (("alcohol", clock("22:00")),)
    assert w.standing("p9").impediments == ()


# --- Rancho's ---


@pytest.mark.rule("RC-G3", 1)
def test_a_rack_on_the_felt_is_an_incident_with_an_instruction() -> None:
    w = Conduct("RC")
    reported = w.report("rack_on_table", "p4", by="dealer")
    assert reported.incident.rules == ("RC-G3",)
    assert reported.incident.instruction == "take the chips out of the rack"
    assert reported.tonight_count == 1


@pytest.mark.rule("RC-G9", 1)
def test_hidden_cards_are_to_be_brought_into_view_and_counted() -> None:
    w = Conduct("RC")
    first = w.report("cards_hidden", "p8")
    assert (first.incident.rules, first.incident.instruction) == (
        ("RC-G9",),
        "bring the cards into view",
    )
    assert not first.incident.held
    assert w.report("cards_hidden", "p8").tonight_count == 2


@pytest.mark.rule("RC-E0", 1)
def test_expulsion_cashes_out_once_no_hand_is_live_and_clears_the_lists() -> None:
    w = Conduct("RC", FOUR_EIGHT)
    w.register("ann")
    w.joins("ann")
    w.report("profanity", "p3")
    w.sanction("p3", "warning")
    w.hand("t4", 2, 2, 3, 4, over=False)
    w.report("profanity", "p3")
    assert w.sanction("p3", "barred").sanction == "barred"
    w.pump()
    pick = sc.PickUpChips(room=ROOM, table="t4", seat=3, chips_cents=21_000)
    assert w.no(w.seat, pick).code == "HAND_LIVE"
    w.seat(sc.NoteHandEnd(room=ROOM, table="t4", number=2))
    picked = w.cash_out(3, 210)
    assert found(picked, se.ChipsPickedUp).chips_cents == 21_000
    assert found(picked, se.SeatOpened).seat == 3
    refusal = w.no_join("p3")
    assert "RC-E0" in refusal.rules
    bar = w.record("p3").bars[0]
    w.player(
        pc.LiftBar(group=GROUP, player_id="p3", bar_id=bar.bar_id, reason="served"),
        "shift_manager",
    )
    w.joins("p3")


def test_a_barred_player_leaves_every_list() -> None:
    w = Conduct("RC", FOUR_EIGHT)
    w.register("ann", "zoe")
    for person in ("ann", "zoe"):
        w.joins(person)
    w.report("profanity", "zoe")
    w.sanction("zoe", "barred")
    w.pump()
    assert w.names() == ["ann"]


@pytest.mark.rule("RC-E0", 2)
def test_a_warning_is_counted_and_shown_with_the_next_report() -> None:
    w = Conduct("RC")
    w.report("splashing", "p2")
    assert w.sanction("p2", "warning").tonight_count == 1
    w.pump()
    assert w.who("t4")[2] == "p2"
    assert w.report("splashing", "p2").earlier == ("i1",)
    assert w.record("p2").incidents[0].sanction == "warning"


OFFERED = ("barred", "warning")


@pytest.mark.rule("RC-E1", 1)
def test_acting_out_of_turn_on_purpose() -> None:
    w = Conduct("RC", FOUR_EIGHT)
    reported = w.report("deliberate_out_of_turn", "p5", by="dealer", deliberate=True)
    assert (reported.incident.rules, reported.incident.choices) == (("RC-E1",), OFFERED)
    accident = w.reporting("deliberate_out_of_turn", "p5", deliberate=False)
    assert w.no(w.player, accident).code == "NOT_DELIBERATE"


@pytest.mark.rule("RC-E2", 1)
def test_a_splashed_pot_is_counted_down() -> None:
    w = Conduct("RC")
    reported = w.report(
        "splashing", "p4", by="dealer", middle_cents=5400, thrown_cents=1200, in_front_cents=0
    )
    assert (reported.incident.rules, reported.incident.expected_middle_cents) == (
        ("RC-E2",),
        6600,
    )


@pytest.mark.rule("RC-E3", 1)
def test_an_agreement_to_check_down_is_recorded_against_both() -> None:
    w = Conduct("RC")
    w.report("check_agreement", "p4", "p6")
    for person in ("p4", "p6"):
        assert (w.last(person).rules, w.last(person).choices) == (("RC-E3",), OFFERED)
        assert not w.last(person).held


@pytest.mark.rule("RC-E4", 1)
def test_revealing_a_hand_when_all_in_is_an_offence() -> None:
    w = Conduct("RC")
    reported = w.report("hand_revealed", "p1", by="dealer", betting_open=True, subject_all_in=True)
    assert (reported.incident.rules, reported.incident.held) == (("RC-E4",), False)
    not_in = w.reporting("hand_revealed", "p1", betting_open=True, subject_all_in=False)
    assert w.no(w.player, not_in).code == "NOT_ALL_IN"


@pytest.mark.rule("RC-E5", 1)
def test_stalling_shows_the_recorded_times() -> None:
    w = Conduct("RC", FOUR_EIGHT)
    reported = w.report("stalling", "p9", seconds=(90, 95, 92, 101))
    assert (reported.incident.rules, reported.incident.facts.seconds) == (
        ("RC-E5",),
        (90, 95, 92, 101),
    )
    assert reported.incident.choices == OFFERED


@pytest.mark.rule("RC-E6", 1)
def test_a_discard_into_the_rack_and_one_that_leaves_the_table() -> None:
    w = Conduct("RC")
    reported = w.report("bad_discard", "p7", by="dealer", card_left_table=False)
    assert (reported.incident.rules, reported.incident.also) == (("RC-E6",), ())
    off = w.report("bad_discard", "p7", by="dealer", card_left_table=True)
    assert off.incident.also == ("RC-X3",)


@pytest.mark.rule("RC-E7", 1)
def test_towers_of_chips_are_to_be_restacked() -> None:
    w = Conduct("RC")
    reported = w.report("chip_obstruction", "p1", by="dealer")
    assert (reported.incident.rules, reported.incident.instruction) == (
        ("RC-E7",),
        "restack the chips",
    )


@pytest.mark.rule("RC-E8", 1)
def test_influencing_play_counts_also_out_of_the_hand() -> None:
    w = Conduct("RC")
    reported = w.report("influencing_play", "p8", players_in_hand=2)
    assert reported.incident.rules == ("RC-E8",)


@pytest.mark.rule("RC-E9", 1)
def test_a_second_profanity_shows_the_earlier_warning() -> None:
    w = Conduct("RC", at="19:10")
    w.report("profanity", "p5")
    w.sanction("p5", "warning")
    again = w.time("20:40").report("profanity", "p5", by="dealer")
    assert (again.incident.rules, again.earlier) == (("RC-E9",), ("i1",))
    earlier = w.record("p5").incidents[0]
    assert (earlier.sanction, earlier.sanctioned_at) == ("warning", clock("19:10"))
    assert w.sanction("p5", "warning").tonight_count == 2


@pytest.mark.rule("RC-E10", 1)
def test_a_foreign_language_is_an_offence_only_during_a_hand() -> None:
    w = Conduct("RC")
    w.report("foreign_language", "p3", "p4", hand="12", hand_in_progress=True)
    assert w.last("p3").rules == w.last("p4").rules == ("RC-E10",)
    between = w.reporting("foreign_language", "p3", "p4", hand_in_progress=False)
    assert w.no(w.player, between).rules == ("RC-E10",)
    assert len(w.record("p3").incidents) == 1


@pytest.mark.rule("RC-E11", 1)
def test_shouting_about_a_ruling_is_a_disturbance() -> None:
    w = Conduct("RC")
    reported = w.report("disturbance", "p4")
    assert (reported.incident.rules, reported.incident.choices) == (("RC-E11",), OFFERED)


@pytest.mark.rule("RC-X0", 1)
def test_a_grave_offence_needs_no_warning_before() -> None:
    w = Conduct("RC")
    reported = w.report("threat", "p6")
    assert reported.incident.bar_at_once
    w.sanction("p6", "barred")
    w.pump()
    picked = w.cash_out(6, 330)
    assert found(picked, se.ChipsPickedUp).chips_cents == 33_000
    assert 6 not in w.who("t4")
    refusal = w.no_join("p6")
    assert {"RC-X1", "RC-E0"} <= set(refusal.rules)


@pytest.mark.rule("RC-X1", 1)
def test_for_a_threat_immediate_expulsion_is_offered_and_less_is_on_record() -> None:
    w = Conduct("RC")
    reported = w.report("threat", "p2")
    assert (reported.incident.rules, reported.incident.bar_at_once) == (("RC-X1",), True)
    applied = w.sanction("p2", "warning", reason="was shoved first")
    assert (applied.sanction, applied.reason) == ("warning", "was shoved first")


@pytest.mark.rule("RC-X2", 1)
def test_ripping_cards_offers_expulsion_and_a_new_deck() -> None:
    w = Conduct("RC")
    reported = w.report("defaced_card", "p5", hand="40", deliberate=True, by="dealer")
    assert (reported.incident.rules, reported.incident.bar_at_once) == (("RC-X2",), True)
    assert reported.incident.instruction == "the deck is to be replaced"


@pytest.mark.rule("RC-X3", 1)
def test_throwing_cards_off_the_table_offers_expulsion() -> None:
    w = Conduct("RC")
    reported = w.report("throwing_cards", "p7", by="dealer", card_left_table=True)
    assert (reported.incident.rules, reported.incident.bar_at_once) == (("RC-X3",), True)


@pytest.mark.rule("RC-B13", 1)
def test_a_side_bet_is_void_and_counted() -> None:
    w = Conduct("RC")
    w.report("side_bet", "p4", "p6", by="dealer")
    for person in ("p4", "p6"):
        assert w.last(person).rules == ("RC-B13",)
    assert w.report("side_bet", "p4", "p6").tonight_count == 2
