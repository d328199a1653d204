"""Players: records, bars, pairs kept apart, merges and erasure."""

from typing import Any

import msgspec
import pytest

from cardroom.kernel.events import topic_of
from cardroom.kernel.refusal import Refused
from cardroom.known.standing import Act, impediment_to
from cardroom.players import commands as pc
from cardroom.players import core
from cardroom.players import events as pe
from cardroom.players.player import Phase
from cardroom.players.publish import publish
from tests.plugins.conduct_world import Conduct
from tests.plugins.floor_world import GROUP, FloorWorld, clock, found
from tests.plugins.world import ROOM


def group(book: str = "LC") -> FloorWorld:
    w = FloorWorld(book)
    w.register("ann", "bo", "cy")
    return w


def bar(person: str, bar_id: str = "b1", **more: Any) -> pc.BarPlayer:
    return pc.BarPlayer(group=GROUP, player_id=person, bar_id=bar_id, room=ROOM, **more)


def test_an_id_is_used_once() -> None:
    w = group()
    again = pc.RegisterPlayer(group=GROUP, player_id="ann", full_name="X", board_name="x")
    assert w.no(w.player, again).rules == ("CR-7",)


@pytest.mark.parametrize(
    ("field", "value"), [("full_name", " "), ("board_name", ""), ("board_name", "x" * 25)]
)
def test_names_have_a_length(field: str, value: str) -> None:
    terms = {"full_name": "Ann", "board_name": "ann", field: value}
    asked = pc.RegisterPlayer(group=GROUP, player_id="zoe", **terms)
    refusal = group().no(group().player, asked)
    assert (refusal.rules, refusal.field) == (("CR-4",), field)


def test_whom_nobody_registered_is_not_known() -> None:
    w = group()
    for command in (bar("dee"), pc.ErasePlayer(group=GROUP, player_id="dee", reason="asked")):
        refusal = w.no(w.player, command)
        assert (refusal.code, refusal.rules) == ("PLAYER_UNKNOWN", ("CR-2",))


def test_a_bar_holds_until_its_end_and_no_longer_once_lifted() -> None:
    w = group()
    w.player(bar("ann", until=clock("21:00")), "shift_manager")
    standing = w.standing("ann")
    assert impediment_to(standing, Act.JOIN, clock("20:59")) is not None
    assert impediment_to(standing, Act.JOIN, clock("21:00")) is None
    w.player(pc.LiftBar(group=GROUP, player_id="ann", bar_id="b1", reason="talked"))
    assert impediment_to(w.standing("ann"), Act.SIT, clock("19:00")) is None
    again = pc.LiftBar(group=GROUP, player_id="ann", bar_id="b1", reason="twice")
    assert w.no(w.player, again).rules == ("CR-6",)


def test_an_end_in_the_past_is_refused() -> None:
    w = group()
    assert w.no(w.player, bar("ann", until=clock("18:00"))).field == "until"


def test_a_bar_names_the_rooms_that_are_to_act_on_it() -> None:
    w = group()
    barred = found(w.player(bar("ann"), "shift_manager"), pe.PlayerBarred)
    assert barred.rooms == (ROOM,)


def test_two_kept_apart_are_so_on_both_records_until_it_ends() -> None:
    w = group("RC")
    w.player(pc.KeepApart(group=GROUP, player_id="ann", other_id="bo", room=ROOM, reason="kin"))
    assert [a.player_id for a in w.standing("ann").apart] == ["bo"]
    assert [(a.player_id, a.rules) for a in w.standing("bo").apart] == [("ann", ("RC-G15",))]
    w.player(pc.EndApart(group=GROUP, player_id="bo", other_id="ann", reason="moved away"))
    assert w.standing("ann").apart == w.standing("bo").apart == ()


def test_two_records_of_one_person_are_merged_and_bars_follow() -> None:
    w = Conduct("WP")
    w.register("dup", "ann", "cal")
    w.report("profanity", "dup")
    w.player(bar("dup", incident_id="i1"), "shift_manager")
    w.player(pc.KeepApart(group=GROUP, player_id="dup", other_id="cal", room=ROOM, reason="kin"))
    w.player(pc.MergePlayers(group=GROUP, player_id="ann", from_id="dup", reason="one person"))
    kept = w.record("ann")
    assert [i.incident_id for i in kept.incidents] == ["i1"]
    assert [b.bar_id for b in kept.bars] == ["b1"]
    assert [a.player_id for a in w.standing("ann").apart] == ["cal"]
    old = w.record("dup")
    assert (old.phase, old.into_id, len(old.incidents)) == (Phase.MERGED, "ann", 1)
    refusal = w.no(w.player, bar("dup", "b2"))
    assert (refusal.code, refusal.options) == ("PLAYER_MERGED", ("ann",))
    assert w.no_join("ann").code == "BARRED"


def test_a_merged_persons_bar_reaches_the_lists_under_the_surviving_record() -> None:
    w = Conduct("WP")
    w.register("dup", "ann")
    w.joins("ann")
    w.player(bar("dup"), "shift_manager")
    w.player(pc.MergePlayers(group=GROUP, player_id="ann", from_id="dup", reason="one person"))
    w.pump()
    assert w.names() == []


def test_erasure_takes_the_names_and_leaves_the_bars() -> None:
    w = group()
    w.player(bar("ann"), "shift_manager")
    w.player(pc.ErasePlayer(group=GROUP, player_id="ann", reason="asked for it"))
    record = w.record("ann")
    assert (record.phase, record.full_name, record.phone) == (Phase.ERASED, None, None)
    assert impediment_to(w.standing("ann"), Act.JOIN, w.at) is not None


def test_a_legal_hold_keeps_a_record_whole() -> None:
    w = group()
    w.player(pc.PlaceLegalHold(group=GROUP, player_id="ann", reason="case 7"))
    erase = pc.ErasePlayer(group=GROUP, player_id="ann", reason="asked for it")
    assert w.no(w.player, erase).code == "LEGAL_HOLD"
    w.player(pc.LiftLegalHold(group=GROUP, player_id="ann", reason="case closed"))
    w.player(erase)


def test_a_suspension_needs_its_end_and_a_warning_has_none() -> None:
    w = Conduct("WP")
    w.report("stalling", "p3")
    assert w.no(w.player, w.sanctioning("p3", "suspension")).code == "UNTIL_NEEDED"
    ended = w.sanctioning("p3", "warning", until=clock("21:00"))
    assert w.no(w.player, ended).code == "UNTIL_UNUSED"


def test_an_offence_nobody_knows_is_refused_with_those_there_are() -> None:
    w = Conduct("WP")
    refusal = w.no(w.player, w.reporting("whistling", "p3"))
    assert (refusal.rules, refusal.field) == (("CR-4",), "offence")
    assert "stalling" in refusal.options


def test_one_report_against_several_is_recorded_for_all_or_for_none() -> None:
    w = Conduct("WP")
    with pytest.raises(Refused) as refused:
        w.report("check_agreement", "p3", "stranger")
    assert refused.value.rules == ("CR-2",)
    assert w.record("p3").incidents == ()


def test_what_is_published_names_nobody() -> None:
    from tests.plugins.floor_world import _recorded

    w = Conduct("WP")
    w.report("disturbance", "p3", notes="loud")
    w.player(bar("p4"), "shift_manager")
    for number, (stream, event) in enumerate(w.players.log, 1):
        message = publish(_recorded(number, stream, event, w.at))
        if message is not None:
            assert "P3" not in str(message)
            assert "P4" not in str(message)


def test_every_stored_event_reads_back_as_it_was() -> None:
    w = Conduct("LC")
    w.report("defaced_card", "p3", deliberate=True)
    w.sanction("p3", "warning")
    w.player(bar("p4"), "shift_manager")
    w.player(pc.MergePlayers(group=GROUP, player_id="p5", from_id="p4", reason="one"))
    for _, event in w.players.log:
        data = msgspec.msgpack.encode(event)
        assert core.DECIDER.events.decode(topic_of(event), data) == event


def test_a_request_is_closed_without_discipline_where_manners_were_not_the_matter() -> None:
    w = Conduct("LC")
    w.report("rack_on_table", "p9")
    closed = pc.CloseIncident(group=GROUP, player_id="p9", incident_id="i1", reason="complied")
    w.player(closed)
    assert w.last("p9").state == "closed"


def test_lifting_one_bar_does_not_deal_in_whom_another_keeps_out() -> None:
    w = Conduct("LC")
    w.report("defaced_card", "p6", deliberate=True)
    w.player(bar("p6"), "shift_manager")
    w.pump()
    lift = pc.LiftBar(group=GROUP, player_id="p6", bar_id="b1", reason="talked")
    assert found(w.player(lift), pe.BarLifted).still_held
    w.pump()
    assert w.seated("t4", 6).exclusion is not None
    clear = pc.ClearPlayer(group=GROUP, player_id="p6", incident_id="i1")
    assert not found(w.player(clear, "shift_manager"), pe.PlayerCleared).still_held
    w.pump()
    assert w.seated("t4", 6).exclusion is None


def test_a_suspension_that_is_over_deals_the_person_in_by_itself() -> None:
    w = Conduct("WP")
    w.report("stalling", "p3")
    w.sanction("p3", "suspension", until=clock("20:00"))
    w.pump()
    assert w.seated("t4", 3).exclusion is not None
    assert w.time("20:00").seated("t4", 3).exclusion is None
