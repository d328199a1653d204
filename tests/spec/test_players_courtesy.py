"""Breaches of courtesy that the tables tell of, on the record of whoever is on the books."""

from datetime import UTC, datetime
from typing import Any

import pytest

from cardroom.adapters.bus.envelope import envelope_of, key_by_room, received, received_from
from cardroom.api.tables.v1 import tables_events_pb2 as tables
from cardroom.players import commands as pc
from cardroom.players import events as pe
from cardroom.players.inbox import from_tables
from cardroom.tables import hand_commands as do
from cardroom.tables.publish import publish
from tests.plugins.floor_world import GROUP, FloorWorld, _recorded
from tests.plugins.tables_world import Felt, T
from tests.plugins.world import ROOM
from tests.rules.test_tables_courtesy import flop

AT = datetime(2026, 3, 6, 20, 30, tzinfo=UTC)
HAND = f"hand/{ROOM}/t1/000012"


def tell(w: FloorWorld, message: Any, day: str = "2026-03-06") -> tuple[Any, ...]:
    told = received(
        message, source="tables", stream=f"notes/{ROOM}/t1/12", occurred_at=AT, gaming_day=day
    )
    return tuple(
        event
        for command in from_tables(told)
        for event in w.players.do(command, "service", actor="tables")
    )


def breach(player: str = "p5", hand: str = HAND, what: str = "folded_without_wager") -> Any:
    message = tables.CourtesyBreached(
        room=ROOM, table="t1", hand=hand, player_id=player, what=what, rules=["LC-60"]
    )
    message.occurred_at.FromDatetime(AT)
    return message


def withdrawn(player: str = "p5", hand: str = HAND) -> Any:
    return tables.CourtesyBreachWithdrawn(
        room=ROOM, table="t1", hand=hand, player_id=player, what="folded_without_wager"
    )


def books(book: str = "LC") -> FloorWorld:
    w = FloorWorld(book)
    w.register("p5", "p6")
    return w


@pytest.mark.rule("LC-60", 1)
def test_a_breach_told_by_the_tables_is_on_the_players_record() -> None:
    w = books()
    (reported,) = tell(w, breach())
    assert isinstance(reported, pe.ConductReported)
    incident = w.record("p5").incidents[-1]
    assert (incident.offence, incident.rules) == ("folded_without_wager", ("LC-60",))
    assert (incident.at, incident.gaming_day, incident.state) == (AT, "2026-03-06", "open")
    assert (incident.place.room, incident.place.table, incident.place.hand_id) == (ROOM, "t1", HAND)
    assert incident.choices == ("barred", "counsel", "dealt_out", "warning")
    assert w.standing("p5").open_incidents == 1
    assert not w.standing("p5").impediments


@pytest.mark.rule("LC-60", 2)
def test_the_third_of_a_night_shows_three_and_the_floor_may_sanction() -> None:
    w = books()
    tell(w, breach(hand=f"hand/{ROOM}/t1/000001"), "2026-03-05")
    counts = [tell(w, breach(hand=f"hand/{ROOM}/t1/00000{n}"))[0].tonight_count for n in (2, 3, 4)]
    assert counts == [1, 2, 3]
    counsel = pc.ApplySanction(
        group=GROUP,
        room=ROOM,
        player_id="p5",
        incident_id=w.record("p5").incidents[-1].incident_id,
        sanction="counsel",
    )
    (applied,) = w.player(counsel)
    assert {"LC-60", "LC-P-etiquette"} <= set(applied.rules)  # type: ignore[attr-defined]


def test_a_breach_told_twice_stands_once() -> None:
    w = books()
    tell(w, breach())
    assert tell(w, breach()) == ()
    assert len(w.record("p5").incidents) == 1


def test_a_wrong_entry_is_taken_back_and_counts_no_more() -> None:
    w = books()
    tell(w, breach())
    (taken_back,) = tell(w, withdrawn())
    assert isinstance(taken_back, pe.ConductWithdrawn)
    assert tell(w, withdrawn()) == ()
    assert w.record("p5").incidents[0].state == "withdrawn"
    assert w.standing("p5").open_incidents == 0
    close = pc.CloseIncident(
        group=GROUP, player_id="p5", incident_id=taken_back.incident_id, reason="x"
    )
    assert w.no(w.player, close).code == "INCIDENT_WITHDRAWN"
    (again,) = tell(w, breach())  # the hand was played on, and the fold came after all
    assert (again.tonight_count, again.earlier) == (1, ())
    assert [i.state for i in w.record("p5").incidents] == ["withdrawn", "open"]
    assert len({i.incident_id for i in w.record("p5").incidents}) == 2
    tell(w, withdrawn())
    assert [i.state for i in w.record("p5").incidents] == ["withdrawn", "withdrawn"]


def test_it_goes_on_the_surviving_record() -> None:
    w = books()
    w.register("p7")
    for into, old in (("p6", "p5"), ("p7", "p6")):
        w.player(pc.MergePlayers(group=GROUP, player_id=into, from_id=old, reason="one"))
    tell(w, breach("p5"))
    assert [i.offence for i in w.record("p7").incidents] == ["folded_without_wager"]
    assert w.record("p5").incidents == ()
    tell(w, withdrawn("p5"))
    assert w.record("p7").incidents[0].state == "withdrawn"


def test_of_somebody_who_is_not_on_the_books_nothing_is_kept_here() -> None:
    w = books()
    assert tell(w, breach("walk-in")) == ()
    assert tell(w, withdrawn("walk-in")) == ()


def test_an_erased_record_keeps_it_under_the_bare_id() -> None:
    w = books()
    w.player(pc.ErasePlayer(group=GROUP, player_id="p5", reason="asked"), "admin")
    tell(w, breach())
    assert len(w.record("p5").incidents) == 1


def test_a_kind_that_is_not_known_yet_is_bad_manners_with_its_name() -> None:
    w = books()
    tell(w, breach(what="celebrated_too_long"))
    incident = w.record("p5").incidents[0]
    assert (incident.offence, incident.facts.notes) == ("bad_manners", "celebrated_too_long")


def test_a_long_name_of_a_hand_still_makes_an_id() -> None:
    w = books()
    tell(w, breach(hand=f"hand/{ROOM}/{'x' * 60}/000001"))
    assert len(w.record("p5").incidents[0].incident_id) <= 64


@pytest.mark.parametrize(("book", "rules"), [("LC", ("LC-60",)), ("WP", None), ("RC", None)])
def test_the_floor_may_report_it_where_the_book_minds_it(
    book: str, rules: tuple[str, ...] | None
) -> None:
    w = books(book)
    report = pc.ReportConduct(
        group=GROUP,
        incident_id="i1",
        player_ids=("p5",),
        offence="folded_without_wager",
        place=pc.Place(room=ROOM),
    )
    if rules is None:
        assert w.no(w.player, report).code == "FOLDING_FREE"
        return
    w.player(report)
    assert w.record("p5").incidents[0].rules == rules


@pytest.mark.rule("LC-60", 1)
def test_from_the_fold_at_the_table_to_the_record_and_off_it() -> None:
    felt = flop()
    before = felt.hand.version
    felt.play(do.Fold, 5)
    w = books()
    events = carried(w, felt)
    assert [type(event) for event in events] == [pe.ConductReported]
    incident = w.record("p5").incidents[-1]
    assert (incident.offence, incident.rules, incident.place.table) == (
        "folded_without_wager",
        ("LC-60",),
        T,
    )
    felt.play(do.RewindHand, to=before, reason="seat 8 folded, not seat 5")
    carried(w, felt)
    assert [i.state for i in w.record("p5").incidents] == ["withdrawn"]


def carried(w: FloorWorld, felt: Felt) -> list[Any]:
    """Carry what a table published to players."""
    found: list[Any] = []
    for number, (stream, event) in enumerate(felt.world.log, 1):
        recorded = _recorded(number, stream, event, AT)
        message = publish(recorded)
        if message is None:
            continue
        sent = envelope_of("tables", recorded, key_by_room(recorded), message)
        for command in from_tables(received_from(sent.SerializeToString())):
            found += w.players.do(command, "service", actor="tables")
    return found
