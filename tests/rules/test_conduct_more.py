"""The worked cases of conduct under HG and WP, played as written on the cores."""

import pytest

from cardroom.seating import commands as sc
from cardroom.seating import events as se
from cardroom.tables.hand_events import Phase
from cardroom.tables.observations.observed import Chips, Did, Motion, Observed
from cardroom.tables.observing import Observe
from tests.plugins.conduct_world import Conduct
from tests.plugins.floor_world import FOUR_EIGHT, clock, found, limit
from tests.plugins.played_pots import acts, breaches, pot_of, shown, won
from tests.plugins.tables_world import WP_4_8, WP_10_20, Felt, dealt
from tests.plugins.world import ROOM
from tests.rules.test_tables_blinds_cases import options
from tests.rules.test_tables_care_cases import at_street, lives

TEN_TWENTY = limit(10, 20, (5, 10))
OFFERED = ("barred", "suspension", "warning")


@pytest.mark.rule("HG-B8", 1)
def test_acting_out_of_turn_on_purpose_is_counted() -> None:
    w = Conduct("HG")
    w.report("deliberate_out_of_turn", "p5", deliberate=True)
    again = w.report("deliberate_out_of_turn", "p5", deliberate=True)
    assert (again.incident.rules, again.tonight_count) == (("HG-B8",), 2)


@pytest.mark.rule("WP-1C0", 1)
def test_who_breaks_the_code_may_be_kept_out_for_good() -> None:
    w = Conduct("WP", FOUR_EIGHT)
    w.register("ana")
    w.seat(sc.LeaveSeat(room=ROOM, table="t4", player_id="p9", chips_cents=0))
    w.report("threat", "ana")
    w.bars("ana", incident="i1")
    w.time("19:00", day=2)
    for refusal in (w.no_join("ana"), w.no_lock("ana"), w.no_buy_of("ana")):
        assert refusal.code == "BARRED"
        assert {"WP-1C0", "WP-1C2"} <= set(refusal.rules)
        assert "incident i1" in refusal.message
    assert w.names() == []


@pytest.mark.rule("WP-1C0", 2)
def test_an_incident_alone_bars_nobody_and_is_seen_beside_the_name() -> None:
    w = Conduct("WP", FOUR_EIGHT)
    w.register("bo")
    w.report("profanity", "bo")
    w.joins("bo")
    (name,) = w.board().names
    assert (name.player_id, name.open_incidents) == ("bo", 1)


@pytest.mark.rule("WP-1C1", 1)
def test_colluders_are_barred_dealt_out_and_cashed_out() -> None:
    w = Conduct("WP", TEN_TWENTY)
    w.report("collusion", "p2", "p7", hand="118")
    for person in ("p2", "p7"):
        incident = w.last(person)
        assert (incident.rules, incident.place.hand_id) == (("WP-1C1",), "118")
        w.bars(person, incident=incident.incident_id)
    deal = w.hand("t4", 119, 3, 4, 5, dealt_in=(1, 3, 4, 5, 6, 8, 9))
    for person, seat in (("p2", 2), ("p7", 7)):
        assert w.no_hand("t4", person, deal).code == "BARRED"
        assert found(w.cash_out(seat, 250), se.ChipsPickedUp).chips_cents == 25_000
        assert w.no_join(person).code == "BARRED"
        assert w.no_lock(person, seat).code == "BARRED"


@pytest.mark.rule("WP-1C2", 1)
def test_who_threatens_leaves_every_list() -> None:
    w = Conduct("WP")
    w.register("n1", "n2", "cy", "n4")
    for person in ("n1", "n2", "cy", "n4"):
        w.joins(person)
    reported = w.report("threat", "cy")
    assert reported.incident.rules == ("WP-1C2",)
    w.bars("cy", incident=reported.incident.incident_id)
    assert w.names() == ["n1", "n2", "n4"]
    assert w.no_join("cy").code == "BARRED"


@pytest.mark.rule("WP-1C3", 1)
def test_a_second_outburst_shows_the_warning_and_the_choices() -> None:
    w = Conduct("WP", at="18:00")
    w.report("profanity", "p4")
    w.sanction("p4", "warning")
    again = w.time("19:00").report("profanity", "p4", by="dealer")
    assert (again.incident.rules, again.incident.choices) == (("WP-1C3",), OFFERED)
    (shown,) = again.earlier
    earlier = w.record("p4").incident(shown)
    assert earlier is not None
    assert (earlier.sanctioned_at, earlier.place.table) == (clock("18:00"), "t4")
    w.pump()
    assert w.seated("t4", 4).exclusion is None


@pytest.mark.rule("WP-1C4", 1)
def test_two_who_shout_are_both_warned_and_play_on() -> None:
    w = Conduct("WP")
    w.report("disturbance", "p3", "p8", hand="77")
    for person in ("p3", "p8"):
        w.sanction(person, "warning")
        incident = w.last(person)
        assert (incident.rules, incident.place.hand_id, incident.sanction) == (
            ("WP-1C4",),
            "77",
            "warning",
        )
    w.pump()
    deal = w.hand("t4", 78, 3, 4, 5)
    assert w.ask_hand("t4", "p3", deal)
    assert w.ask_hand("t4", "p8", deal)


@pytest.mark.rule("WP-1C5", 1)
def test_torn_cards_call_for_a_new_deck_at_once() -> None:
    w = Conduct("WP")
    reported = w.report("defaced_card", "p6", by="dealer", deliberate=True)
    assert reported.incident.rules == ("WP-1C5",)
    assert reported.incident.instruction == "the deck is to be replaced"
    assert not reported.incident.held


@pytest.mark.rule("WP-1C6", 1)
def test_a_bar_ends_on_its_day() -> None:
    w = Conduct("WP")
    w.register("eli")
    reported = w.report("property_damage", "eli")
    assert reported.incident.rules == ("WP-1C6",)
    w.bars("eli", incident=reported.incident.incident_id, until=clock("00:00", day=87))
    refusal = w.time("23:59", day=86).no_join("eli")
    assert (refusal.code, "2026-06-01" in refusal.message) == ("BARRED", True)
    w.time("00:00", day=87).joins("eli")
    assert w.names() == ["eli"]


@pytest.mark.rule("WP-1C7", 1)
def test_the_chips_of_one_who_is_away_are_held_for_cash_out() -> None:
    w = Conduct("WP")
    w.away("t4", "p5")
    reported = w.report("illegal_substance", "p5")
    assert reported.incident.rules == ("WP-1C7",)
    w.bars("p5", incident=reported.incident.incident_id)
    assert w.no_hand("t4", "p5", w.hand("t4", 2, 2, 3, 4)).code == "BARRED"
    assert found(w.cash_out(5, 310), se.ChipsPickedUp).chips_cents == 31_000
    assert w.no_lock("p5", 5).code == "BARRED"


@pytest.mark.rule("WP-1C8", 1)
def test_the_next_seat_goes_to_the_second_name() -> None:
    w = Conduct("WP", TEN_TWENTY)
    w.register("gus", "hal")
    for person in ("gus", "hal"):
        w.joins(person)
    reported = w.report("weapon", "gus")
    assert reported.incident.rules == ("WP-1C8",)
    w.bars("gus", incident=reported.incident.incident_id)
    w.seat(sc.LeaveSeat(room=ROOM, table="t4", player_id="p9", chips_cents=0))
    w.pump()
    assert (w.names(), w.called()) == (["hal"], ["hal"])


@pytest.mark.rule("WP-1E0", 1)
def test_a_suspension_ends_at_its_time_and_missed_blinds_are_owed() -> None:
    w = Conduct("WP", at="20:00")
    w.report("splashing", "p5")
    w.sanction("p5", "suspension", until=clock("21:00"))
    w.pump()
    rest = (1, 2, 3, 4, 6, 7, 8, 9)
    refusal = w.time("20:30").no_hand("t4", "p5", w.hand("t4", 2, 2, 3, 4, dealt_in=rest))
    assert (refusal.code, "21:00" in refusal.message) == ("SUSPENDED", True)
    assert {"WP-1E2", "WP-1E0"} <= set(refusal.rules)
    w.seat(sc.NoteMissedBlind(room=ROOM, table="t4", seat=5))
    deal = w.hand("t4", 3, 7, 8, 9, dealt_in=rest)
    w.time("21:00")
    owed = w.no_hand("t4", "p5", deal)
    assert "WP-49" in owed.rules
    assert w.ask_hand("t4", "p5", deal, 800)


@pytest.mark.rule("WP-1E0", 2)
def test_a_fine_is_no_sanction_of_this_house() -> None:
    w = Conduct("WP")
    w.report("chip_obstruction", "p2")
    refusal = w.no(w.player, w.sanctioning("p2", "fine"))
    assert (refusal.code, refusal.rules) == ("SANCTION_NOT_ALLOWED", ("WP-1E0",))
    assert refusal.options == OFFERED


@pytest.mark.rule("WP-1E1", 1)
def test_the_earlier_acts_out_of_turn_are_attached() -> None:
    w = Conduct("WP", FOUR_EIGHT)
    reported = w.report(
        "deliberate_out_of_turn",
        "p8",
        deliberate=True,
        acts=("hand 41 action 6", "hand 52 action 3"),
    )
    assert reported.incident.rules == ("WP-1E1",)
    assert reported.incident.facts.acts == ("hand 41 action 6", "hand 52 action 3")
    assert w.sanction("p8", "warning").sanction == "warning"


@pytest.mark.rule("WP-1E2", 1)
def test_the_pot_expected_after_a_splash_is_shown() -> None:
    w = Conduct("WP", TEN_TWENTY)
    reported = w.report(
        "splashing", "p6", by="dealer", middle_cents=7000, thrown_cents=2000, in_front_cents=2000
    )
    assert (reported.incident.rules, reported.incident.expected_pot_cents) == (("WP-1E2",), 11_000)


@pytest.mark.rule("WP-1E3", 1)
def test_an_agreement_to_check_down_binds_nobody() -> None:
    w = Conduct("WP")
    w.report("check_agreement", "p5", "p8", by="dealer")
    for person in ("p5", "p8"):
        assert (w.last(person).rules, w.last(person).held) == (("WP-1E3",), False)


@pytest.mark.rule("WP-1E4", 1)
def test_reading_out_a_hand_that_is_not_tabled_is_improper() -> None:
    w = Conduct("WP")
    assert w.report("reading_hand_aloud", "p5", hand_tabled=False).incident.rules == ("WP-1E4",)
    tabled = w.reporting("reading_hand_aloud", "p5", hand_tabled=True)
    assert w.no(w.player, tabled).code == "HAND_TABLED"


@pytest.mark.rule("WP-1E5", 1)
def test_telling_somebody_to_show_is_improper() -> None:
    assert Conduct("WP").report("telling_to_show", "p9").incident.rules == ("WP-1E5",)


@pytest.mark.rule("WP-1E6", 1)
def test_disclosing_a_hand_with_three_in_is_improper() -> None:
    w = Conduct("WP")
    reported = w.report("hand_revealed", "p2", betting_open=True, players_in_hand=3)
    assert (reported.incident.rules, reported.incident.held) == (("WP-1E6",), False)


@pytest.mark.rule("WP-1E6", 2)
def test_heads_up_it_is_not_but_it_may_be_judged_otherwise() -> None:
    w = Conduct("WP")
    heads_up = w.reporting("hand_revealed", "p4", betting_open=True, players_in_hand=2)
    refusal = w.no(w.player, heads_up)
    assert (refusal.code, refusal.rules) == ("HEADS_UP", ("WP-1E6",))
    assert w.record("p4").incidents == ()
    assert w.report("influencing_play", "p4").incident.rules == ("WP-1E10",)


@pytest.mark.rule("WP-1E7", 1)
def test_stalling_has_the_times_attached() -> None:
    w = Conduct("WP")
    reported = w.report("stalling", "p6", seconds=(70, 85, 90))
    assert (reported.incident.rules, reported.incident.facts.seconds) == (("WP-1E7",), (70, 85, 90))
    w.sanction("p6", "warning")


@pytest.mark.rule("WP-1E8", 1)
def test_throwing_a_discard_at_the_rack_is_improper() -> None:
    assert Conduct("WP").report("bad_discard", "p7").incident.rules == ("WP-1E8",)


@pytest.mark.rule("WP-1E9", 1)
def test_stacks_that_hide_the_board_and_a_refusal_to_restack() -> None:
    w = Conduct("WP")
    reported = w.report("chip_obstruction", "p9", notes="asked to restack and refused")
    assert reported.incident.rules == ("WP-1E9",)
    assert reported.incident.facts.notes == "asked to restack and refused"
    assert w.sanction("p9", "warning").sanction == "warning"


@pytest.mark.rule("WP-1E10", 1)
def test_a_remark_that_could_sway_the_play_counts_out_of_the_pot_too() -> None:
    assert Conduct("WP").report("influencing_play", "p1").incident.rules == ("WP-1E10",)


@pytest.mark.rule("WP-1T2", 1)
def test_a_cigar_is_improper_even_in_a_smoking_seat() -> None:
    w = Conduct("WP")
    w.seat(sc.MarkSmokingSeat(room=ROOM, table="t4", seat=4))
    assert w.report("cigar_or_pipe", "p4", by="dealer").incident.rules == ("WP-1T2",)
    w.sanction("p4", "warning")


@pytest.mark.rule("WP-1T3", 1)
def test_a_guest_who_smokes_is_named_with_the_host() -> None:
    w = Conduct("WP")
    w.register("iva")
    w.seat(sc.AddGuest(room=ROOM, table="t4", player_id="p4", guest_id="iva"))
    reported = w.report("guest_smoking", "iva", host="p4", by="dealer")
    assert (reported.incident.rules, reported.incident.host_id) == (("WP-1T3",), "p4")
    w.seat(sc.RemoveGuest(room=ROOM, table="t4", player_id="p4", guest_id="iva", reason="smoked"))
    assert w.seated("t4", 4).guests == ()


@pytest.mark.rule("WP-2P8", 1)
def test_advice_is_recorded_against_guest_and_player() -> None:
    w = Conduct("WP")
    w.register("owen")
    w.report("advice_during_live_hand", "owen", "p5", host="p5", hands_live=True)
    assert w.last("owen").rules == w.last("p5").rules == ("WP-2P8",)


@pytest.mark.rule("WP-2P17", 1)
def test_cards_in_the_lap_are_to_be_brought_into_view() -> None:
    w = Conduct("WP")
    reported = w.report("cards_hidden", "p8")
    assert (reported.incident.rules, reported.incident.instruction) == (
        ("WP-2P17",),
        "bring the cards into view",
    )
    w.sanction("p8", "warning")
    assert w.record("p9").incidents == ()


@pytest.mark.rule("WP-2P22", 1)
def test_looking_through_the_muck_is_improper() -> None:
    w = Conduct("WP")
    assert w.report("looking_through_muck", "p3", hand="61").incident.rules == ("WP-2P22",)
    assert w.sanction("p3", "warning").rules[0] == "WP-2P22"


@pytest.mark.rule("WP-2P24", 1)
def test_reading_is_noted_and_stopped_once_it_delays_the_game() -> None:
    w = Conduct("WP")
    first = w.report("reading_at_table", "p2", delay_seen=False)
    assert (first.incident.rules, first.incident.instruction) == (("WP-2P24",), "")
    second = w.report("reading_at_table", "p2", delay_seen=True, by="dealer")
    assert second.incident.instruction == "stop reading"


@pytest.mark.rule("WP-2P27", 1)
def test_another_language_is_an_incident_only_while_a_deal_goes_on() -> None:
    w = Conduct("WP")
    w.report("foreign_language", "p4", "p5", hand="33", hand_in_progress=True)
    assert w.last("p4").rules == w.last("p5").rules == ("WP-2P27",)
    between = w.reporting("foreign_language", "p4", "p5", hand_in_progress=False)
    assert w.no(w.player, between).code == "NO_HAND_IN_PROGRESS"
    assert len(w.record("p4").incidents) == 1


# ------------------------------------------------------------ what becomes of the hand meanwhile


def street(at: int, *seats: int) -> Felt:
    """Return a $10-20 hand on a street, some seats left."""
    return at_street(dealt("WP", WP_10_20, button=9), seats, at)


@pytest.mark.rule("WP-1E6", 1)
def test_a_hand_told_of_with_three_in_stays_live_and_is_on_record() -> None:
    felt = street(1, 2, 4, 6)
    told = felt.report("exposed_hand", seat=2)
    assert (told.remedy, told.rules) == ("incident", ("WP-1E6",))
    felt.ruled()
    assert lives(felt, 2)
    assert breaches(felt) == [("p2", "hand_revealed")]
    acts(felt, "2 bet 10, 4 call")


@pytest.mark.rule("WP-1E6", 2)
def test_a_hand_told_of_heads_up_is_not_on_record() -> None:
    felt = street(3, 2, 4)
    acts(felt, "2 check, 4 bet 20")
    assert felt.report("exposed_hand", seat=2).remedy == "hand_live"
    felt.ruled()
    assert breaches(felt) == []
    assert options(felt)["call"] == 20


@pytest.mark.rule("WP-1E2", 1)
def test_a_splashed_call_is_booked_for_what_it_was() -> None:
    felt = pot_of("WP", WP_10_20, (3, 6), 70, street=2, closed=False)
    acts(felt, "3 bet 20, 6 call")
    assert felt.hand.pot_cents == 11000


@pytest.mark.rule("WP-1E3", 1)
def test_who_agreed_to_check_may_still_bet() -> None:
    felt = street(1, 5, 8)
    acts(felt, "5 check, 8 bet 10")
    assert options(felt)["raise"] == 20
    acts(felt, "5 raise 20")


@pytest.mark.rule("WP-1E4", 1)
def test_a_hand_read_out_is_read_as_it_lies_once_tabled() -> None:
    felt = pot_of("WP", WP_10_20, (3, 4), 160, board="8c 9d Th 2s 2d")
    assert shown(felt, {3: "Ah As", 4: "Js 7s"}) == {4: 160}


@pytest.mark.rule("WP-1E8", 1)
def test_a_discard_thrown_at_the_rack_is_a_fold() -> None:
    felt = street(1, 2, 7)
    acts(felt, "2 bet 10")
    thrown = Observed(seat=7, motions=(Motion(did=Did.THROW_CARDS),))
    felt.run(Observe, "dealer", observed=thrown)
    assert not lives(felt, 7)
    assert set(won(felt)) == {2}


@pytest.mark.rule("WP-1E10", 1)
def test_the_betting_goes_on_after_a_remark() -> None:
    felt = street(1, 3, 5)
    assert not lives(felt, 1)
    assert felt.hand.to_act == 3
    acts(felt, "3 bet 10, 5 call")


@pytest.mark.rule("WP-2P8", 1)
def test_a_call_that_was_advised_stands() -> None:
    felt = street(3, 3, 5)
    acts(felt, "3 bet 20, 5 call")
    told = felt.report("acted_for_another", seat=5, by="Owen", acted=False)
    assert (told.remedy, told.rules) == ("incident", ("WP-2P8",))
    assert felt.hand.phase is Phase.SHOWDOWN
    seated = street(3, 3, 5)
    acts(seated, "3 bet 20")
    seated.report("acted_for_another", seat=5, by="seat:9", acted=False)
    assert breaches(seated) == [("p9", "advice_during_live_hand")]
    acts(seated, "5 call")


@pytest.mark.rule("WP-2P17", 1)
def test_cards_in_the_lap_are_live_and_the_fold_behind_them_stands() -> None:
    felt = at_street(dealt("WP", WP_10_20, button=7), (3, 8, 9), 1)
    acts(felt, "8 check, 9 fold")
    told = felt.report("out_of_view", seat=8)
    assert (told.remedy, told.rules) == ("hand_live", ("WP-2P17",))
    felt.ruled()
    assert (lives(felt, 8), lives(felt, 9)) == (True, False)
    assert breaches(felt) == [("p8", "cards_hidden")]


@pytest.mark.rule("WP-1E1", 1)
def test_what_becomes_of_a_bet_out_of_turn_is_another_rule() -> None:
    felt = at_street(dealt("WP", WP_4_8, button=9), (2, 5, 8), 2)
    acts(felt, "2 check")
    pushed = Motion(did=Did.RELEASE, chips=(Chips(denomination_cents=400, count=2),))
    felt.run(Observe, "dealer", observed=Observed(seat=8, motions=(pushed,), in_turn=False))
    told = felt.notes.irregularities[-1].finding
    assert "WP-3R10" in told.rules
    assert "WP-1E1" not in told.rules
