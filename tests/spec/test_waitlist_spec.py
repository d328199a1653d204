"""The lists: what situations of real rooms come to, and what must always hold."""

from typing import Any

import msgspec
import pytest

from cardroom.kernel.events import topic_of
from cardroom.kernel.refusal import Refused
from cardroom.known.standing import Standing
from cardroom.seating import commands as sc
from cardroom.waitlist import commands as wc
from cardroom.waitlist import core
from cardroom.waitlist import events as we
from cardroom.waitlist.board import evolve
from cardroom.waitlist.values import Answer
from cardroom.waitlist.views import why_waiting
from tests.plugins.floor_world import (
    FOUR_EIGHT,
    SIX_TWELVE,
    TWENTY_FORTY,
    FloorWorld,
    barred,
    clean,
    clock,
    found,
)
from tests.plugins.world import ROOM


def floor(book: str = "LC", at: str = "19:00") -> FloorWorld:
    return FloorWorld(book, TWENTY_FORTY, at=at)


def sits(w: FloorWorld, table: str, seat: int, person: str) -> None:
    standing = clean(person)
    lock = sc.LockSeat(room=ROOM, table=table, seat=seat, player_id=person, standing=standing)
    w.seat(lock, override="set-up")
    w.seat(
        sc.TakeSeat(
            room=ROOM,
            table=table,
            seat=seat,
            player_id=person,
            buy_in_cents=40_000,
            standing=standing,
        )
    )


def chain(w: FloorWorld) -> None:
    """A full main game t1, fed by t2, fed by t3."""
    w.open("t1", players={n: f"m{n}" for n in range(1, 10)})
    w.open("t2", feeds="t1")
    w.open("t3", feeds="t2")
    w.pump()
    for seat, person in ((1, "ann"), (2, "bo")):
        sits(w, "t2", seat, person)
    for seat, person in ((1, "cy"), (2, "di")):
        sits(w, "t3", seat, person)
    for table in ("t1", "t2", "t3"):
        w.hand(table, 1, 1, 2, 1)
    w.pump()


def leaves(w: FloorWorld, table: str, person: str) -> None:
    w.seat(sc.LeaveSeat(room=ROOM, table=table, player_id=person, chips_cents=0))
    w.pump()


def moves(w: FloorWorld, person: str, table: str, to_table: str, to_seat: int) -> None:
    w.seat(
        sc.MovePlayer(
            room=ROOM,
            table=table,
            player_id=person,
            to_table=to_table,
            to_seat=to_seat,
            stack_cents=40_000,
        )
    )
    w.pump()


def answered(w: FloorWorld, person: str, said: Answer, **more: Any) -> Any:
    return w.list(
        wc.AnswerCall(
            room=ROOM,
            game_id=w.games[0].game_id,
            entry_id=w.entry(person),
            answer=said,
            **more,
        )
    )


# --- must-move situations ---


def test_the_first_on_the_list_who_would_rather_stay_moves_or_leaves() -> None:
    w = floor()
    chain(w)
    leaves(w, "t1", "m4")
    assert w.must_move("t1").called_for(4)
    ask = wc.PassMove(room=ROOM, main="t1", player_id="ann")
    refusal = w.no(w.list, ask, "floor")
    assert (refusal.code, refusal.options) == ("MUST_MOVE", ("move", "decline and leave"))
    w.list(wc.DeclineMove(room=ROOM, main="t1", player_id="ann"))
    w.pump()
    move = w.seated("t2", 1).move
    assert move is not None
    assert move.kind == "leave"
    called = w.must_move("t1").called_for(4)
    assert called is not None
    assert called.player_id == "bo"


def test_a_room_that_goes_down_the_list_to_a_volunteer_records_who_decided() -> None:
    w = floor()
    chain(w)
    leaves(w, "t1", "m4")
    w.list(wc.PassMove(room=ROOM, main="t1", player_id="ann"), "floor", override="bo volunteers")
    called = w.must_move("t1").called_for(4)
    assert called is not None
    assert called.player_id == "bo"
    assert [n.player_id for n in w.must_move("t1").names] == ["ann", "bo"]


def test_the_third_game_feeds_the_second_and_the_second_the_main() -> None:
    w = floor()
    chain(w)
    assert [n.player_id for n in w.must_move("t1").names] == ["ann", "bo"]
    assert [n.player_id for n in w.must_move("t2").names] == ["cy", "di"]
    leaves(w, "t1", "m4")
    moves(w, "ann", "t2", "t1", 4)
    called = w.must_move("t2").called_for(1)
    assert called is not None
    assert called.player_id == "cy"
    moves(w, "cy", "t3", "t2", 1)
    assert [n.player_id for n in w.must_move("t1").names] == ["bo", "cy"]
    assert [n.player_id for n in w.must_move("t2").names] == ["di"]


def test_a_game_cannot_feed_what_feeds_it() -> None:
    w = floor()
    chain(w)
    w.open("t4")
    w.pump()
    with pytest.raises(Refused) as refused:
        w.list(wc.LinkMustMove(room=ROOM, main="t3", feeder="t1"))
    assert refused.value.code == "CIRCLE"


def test_sitting_down_in_a_feeder_is_what_puts_a_name_on_the_list() -> None:
    w = floor()
    chain(w)
    sits(w, "t2", 7, "walk-in")
    w.pump()
    names = [n.player_id for n in w.must_move("t1").names]
    assert names == ["ann", "bo", "walk-in"]


def test_players_of_a_running_game_are_listed_when_it_becomes_a_feeder() -> None:
    w = floor()
    w.open("t1", players={n: f"m{n}" for n in range(1, 10)})
    w.open("t2")
    w.pump()
    w.sign_up("ann", "bo", "cy")
    for seat, person in ((5, "cy"), (6, "ann")):
        sits(w, "t2", seat, person)
    w.pump()
    w.list(wc.LinkMustMove(room=ROOM, main="t1", feeder="t2"))
    assert [n.player_id for n in w.must_move("t1").names] == ["ann", "cy"]


def test_a_called_player_who_quits_makes_room_for_the_next() -> None:
    w = floor("WP")
    chain(w)
    leaves(w, "t1", "m4")
    leaves(w, "t2", "ann")
    kept = w.table("t1").seats[3].lock
    assert kept is not None
    assert kept.player_id == "bo"
    called = w.must_move("t1").called_for(4)
    assert called is not None
    assert called.player_id == "bo"


def test_who_kept_the_place_and_does_not_come_in_time_loses_it() -> None:
    w = floor()
    chain(w)
    leaves(w, "t2", "ann")
    assert [(n.player_id, n.playing) for n in w.must_move("t1").names] == [
        ("ann", False),
        ("bo", True),
    ]
    w.sign_up("x")
    w.pump()
    leaves(w, "t1", "m4")
    kept = w.table("t1").seats[3].lock
    assert kept is not None
    assert (kept.player_id, kept.kind) == ("ann", "must_move")
    w.seat(sc.NoteWaiting(room=ROOM, table="t1", names=1))
    w.time("19:10").pump()
    called = w.must_move("t1").called_for(4)
    assert called is not None
    assert called.player_id == "bo"
    assert w.must_move("t1").name_of("ann") is None


# --- the board ---


def test_one_player_stands_on_a_board_once() -> None:
    w = floor()
    w.sign_up("ann", "bo")
    refusal = w.no(w.list, w.sign("bo"))
    assert (refusal.code, refusal.rules) == ("ALREADY_LISTED", ("CR-7",))
    assert "number 2" in refusal.message


def test_a_barred_person_is_refused_and_nobody_overrides_it_here() -> None:
    w = floor()
    asked = w.sign("dee", standing=barred("dee", "LC-30"))
    assert w.no(w.list, asked, "floor", override="old friend").rules == ("LC-30",)


def test_without_an_answer_from_players_only_the_floor_signs_somebody_up() -> None:
    w = floor()
    asked = wc.SignUp(room=ROOM, game_id="20-40", entry_id="e1", player_id="ann")
    assert w.no(w.list, asked, "brush").rules == ("CR-14",)
    added = found(w.list(asked, "floor", override="players is down"), we.NameAdded)
    assert added.override_of == ("CR-14",)


def running(w: FloorWorld) -> None:
    w.open("t1", players=range(1, 10))
    w.hand("t1", 1, 1, 2, 3)
    w.pump()


def test_who_buys_chips_keeps_the_turn_for_a_while() -> None:
    w = floor()
    running(w)
    w.sign_up("ann", "bo")
    leaves(w, "t1", "p4")
    assert w.called() == ["ann"]
    kept = found(answered(w, "ann", Answer.GETTING_CHIPS), we.CallAnswered)
    assert kept.until == clock("19:10")
    assert w.time("19:10").called() == ["ann"]
    w.time("19:11")
    assert w.called() == ["bo"]
    assert w.names() == ["ann", "bo"]


def test_who_comes_back_with_chips_in_time_takes_the_seat() -> None:
    w = floor()
    running(w)
    w.sign_up("ann", "bo")
    leaves(w, "t1", "p4")
    answered(w, "ann", Answer.GETTING_CHIPS)
    answered(w.time("19:08"), "ann", Answer.COMING, locked_seat=4)
    assert w.time("19:30").called() == ["ann"]


def test_who_said_to_come_and_does_not_is_as_one_who_did_not_answer() -> None:
    w = FloorWorld("WP", FOUR_EIGHT)
    running(w)
    w.sign_up("ann", "bo")
    w.pump()
    leaves(w, "t1", "p4")
    standing = clean("ann")
    w.seat(sc.LockSeat(room=ROOM, table="t1", seat=4, player_id="ann", standing=standing))
    answered(w, "ann", Answer.COMING, locked_seat=4)
    w.pump()
    w.time("19:10").pump()
    assert w.names() == ["ann", "bo"]
    assert w.called() == ["bo"]


def test_coming_without_a_kept_seat_is_refused() -> None:
    w = floor()
    running(w)
    w.sign_up("ann")
    leaves(w, "t1", "p4")
    with pytest.raises(Refused) as refused:
        answered(w, "ann", Answer.COMING)
    assert refused.value.code == "SEAT_NOT_KEPT"


def test_the_board_says_why_names_wait_and_since_when() -> None:
    w = floor()
    w.sign_up(*(f"n{n}" for n in range(15)))
    assert why_waiting(w.board()) == "no game is open; 15 of 15 names are going"
    told = wc.NoteWaitReason(room=ROOM, game_id="20-40", reason="no dealer before 20:00")
    w.time("19:20").list(told)
    assert why_waiting(w.board()) == "no dealer before 20:00"
    assert w.board().wait_since == clock("19:20")
    w.open("t1")
    w.pump()
    assert w.board().wait_reason == ""


def test_names_that_are_only_interested_are_not_called_to_a_new_game() -> None:
    w = floor()
    w.list(
        wc.SignUp(
            room=ROOM,
            game_id="20-40",
            entry_id="e1",
            player_id="maybe",
            going=False,
            standing=clean("maybe"),
        )
    )
    w.sign_up("ann")
    assert why_waiting(w.board()) == "no game is open; 1 of 2 names are going"
    w.open("t1")
    w.pump()
    assert w.called() == ["ann"]
    w.list(wc.SetGoing(room=ROOM, game_id="20-40", entry_id="e1", going=True))
    assert w.called() == ["maybe", "ann"]


def test_a_seat_changer_moves_the_call_to_the_seat_that_is_left() -> None:
    w = FloorWorld("WP", FOUR_EIGHT)
    running(w)
    w.sign_up("ann")
    w.seat(sc.RequestSeatChange(room=ROOM, table="t1", player_id="p7", seat=4))
    leaves(w, "t1", "p4")
    w.seat(sc.AssignOpenSeat(room=ROOM, table="t1", seat=4))
    w.pump()
    (name,) = w.board().names
    assert name.call is not None
    assert name.call.seat == 7


def test_ids_and_not_words_name_a_game() -> None:
    w = floor()
    for wrong in ("20-40 ", "20-40 Hold'em", ""):
        with pytest.raises(Refused) as refused:
            w.list(
                wc.SignUp(
                    room=ROOM, game_id=wrong, entry_id="e", player_id="a", standing=clean("a")
                )
            )
        assert refused.value.rules in {("CR-4",), ("CR-2",)}


def test_out_of_order_takes_the_floors_word() -> None:
    w = floor()
    running(w)
    w.list(wc.NoteSeatOpen(room=ROOM, game_id="20-40", table="t1", seat=4))
    w.sign_up("ann")
    drop = wc.DropCall(
        room=ROOM, game_id="20-40", entry_id=w.entry("ann"), reason="at the restaurant"
    )
    w.list(drop)
    w.sign_up("bo", "cy")
    assert w.called() == ["bo"]
    w.list(wc.DropCall(room=ROOM, game_id="20-40", entry_id=w.entry("bo"), reason="same"))
    assert w.called() == ["cy"]


def test_two_records_of_one_person_keep_the_higher_name() -> None:
    w = floor()
    w.sign_up("old", "x", "new")
    merge = wc.MergeNames(room=ROOM, from_id="old", into_id="new")
    w.list(merge)
    assert w.names() == ["new", "x"]
    assert w.list(merge) == ()


def test_the_day_closes_and_the_board_goes_on_as_it_was() -> None:
    w = floor()
    running(w)
    w.sign_up("ann", "bo")
    before = w.board()
    closed, carried = w.list(wc.CloseDay(room=ROOM, game_id="20-40", gaming_day="2026-03-07"))
    assert isinstance(closed, we.BoardClosed)
    assert evolve(core.BOARD.initial, carried) == before == w.board()


def test_a_must_move_list_is_carried_into_the_next_day() -> None:
    w = floor()
    chain(w)
    before = w.must_move("t1")
    w.list(wc.CloseMustMoveDay(room=ROOM, main="t1", gaming_day="2026-03-07"))
    assert w.must_move("t1") == before


def test_every_stored_event_reads_back_as_it_was() -> None:
    w = floor()
    chain(w)
    w.sign_up("ann2")
    for _, event in w.waitlist.log:
        data = msgspec.msgpack.encode(event)
        assert core.DECIDER.events.decode(topic_of(event), data) == event


def test_a_standing_keeps_nobody_from_what_it_does_not_name() -> None:
    w = floor()
    w.list(w.sign("ann", standing=Standing(player_id="ann", open_incidents=2)))
    assert w.board().names[0].open_incidents == 2


def test_a_lock_up_is_given_back_with_the_name() -> None:
    w = FloorWorld("WP", SIX_TWELVE)
    w.sign_up("yas")
    entry = w.entry("yas")
    w.list(wc.LeaveLockup(room=ROOM, game_id="6-12", entry_id=entry, amount_cents=2000))
    removed = found(
        w.list(wc.RemoveName(room=ROOM, game_id="6-12", entry_id=entry, reason="went home")),
        we.NameRemoved,
    )
    assert removed.lockup_returned_cents == 2000


def test_a_must_mover_follows_when_the_seat_kept_for_him_changes() -> None:
    w = floor("WP")
    chain(w)
    w.seat(sc.RequestSeatChange(room=ROOM, table="t1", player_id="m7", seat=4))
    leaves(w, "t1", "m4")
    w.seat(sc.AssignOpenSeat(room=ROOM, table="t1", seat=4))
    w.pump()
    kept = w.table("t1").seats[6].lock
    assert kept is not None
    assert kept.player_id == "ann"
    moves(w, "ann", "t2", "t1", 7)
    assert w.who("t1")[7] == "ann"
    assert [n.player_id for n in w.must_move("t1").names] == ["bo"]


def test_a_call_that_seating_cannot_follow_is_taken_back() -> None:
    w = floor("WP")
    chain(w)
    leaves(w, "t1", "m4")
    assert w.must_move("t1").called_for(4)
    w.list(
        wc.NoteOrderFailed(
            room=ROOM, game_id="20-40", table="t1", player_id="ann", reason="seat taken"
        )
    )
    assert w.must_move("t1").called_for(4) is None
    assert [n.player_id for n in w.must_move("t1").names] == ["ann", "bo"]
