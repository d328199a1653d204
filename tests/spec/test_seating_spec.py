"""Seating: given what was recorded, when a command comes, then events or a refusal; and what must always hold."""

from typing import Any

import msgspec
import pytest

from cardroom.kernel.events import topic_of
from cardroom.kernel.refusal import Refused
from cardroom.seating import commands as sc
from cardroom.seating import core
from cardroom.seating import events as se
from cardroom.seating.draws import from_seed
from cardroom.seating.table import evolve, seats_stream
from cardroom.seating.values import Deal
from cardroom.waitlist import commands as wc
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


def game(book: str = "LC", seats: Any = range(1, 6), at: str = "19:00") -> FloorWorld:
    w = FloorWorld(book, SIX_TWELVE, at=at)
    w.open("t3", players=seats)
    w.hand("t3", 1, 1, 2, 3)
    return w


def lock(seat: int, person: str, **more: Any) -> sc.LockSeat:
    return sc.LockSeat(
        room=ROOM,
        table="t3",
        seat=seat,
        player_id=person,
        **{"standing": clean(person), **more},
    )


def take(seat: int, person: str, **more: Any) -> sc.TakeSeat:
    return sc.TakeSeat(
        room=ROOM,
        table="t3",
        seat=seat,
        player_id=person,
        **{"standing": clean(person), "buy_in_cents": 6000, **more},
    )


def test_two_stations_seat_two_people_in_one_seat_and_one_is_told_who_sits_there() -> None:
    w = game()
    w.seat(lock(7, "ann"), "brush")
    w.seat(take(7, "ann"), "brush")
    refusal = w.no(w.seat, take(7, "bo"), "brush")
    assert refusal.code == "SEAT_TAKEN"
    assert "ann sits in seat 7" in refusal.message
    assert refusal.options == ("open seats: 6, 8, 9",)


def test_without_an_answer_from_players_nobody_is_seated_unless_the_floor_says_so() -> None:
    w = game()
    refusal = w.no(w.seat, lock(7, "ann", standing=None), "brush")
    assert (refusal.code, refusal.rules) == ("STANDING_UNKNOWN", ("CR-14",))
    refusal = w.no(w.seat, lock(7, "ann", standing=None), "brush", override="I know her")
    assert refusal.rules == ("CR-9",)
    w.seat(lock(7, "ann", standing=None), "floor", override="players is down; I know her")
    seated = found(
        w.seat(take(7, "ann", standing=None), "floor", override="players is down"),
        se.PlayerSeated,
    )
    assert seated.override_of == ("CR-14",)


def test_a_bar_is_not_overridden_at_the_table() -> None:
    w = game()
    refusal = w.no(
        w.seat,
        lock(7, "ann", standing=barred("ann", "LC-30")),
        "shift_manager",
        override="let her",
    )
    assert refusal.rules == ("LC-30",)


def test_the_floor_seats_somebody_without_an_assignment_and_it_is_on_record() -> None:
    w = game()
    seated = found(w.seat(take(6, "ann"), "floor", override="sat down"), se.PlayerSeated)
    assert "LC-95" in seated.override_of


@pytest.mark.parametrize("seat", [0, 10, 11, -1])
def test_a_seat_that_the_table_lacks_is_refused(seat: int) -> None:
    refusal = game().no(game().seat, lock(seat, "ann"))
    assert (refusal.code, refusal.rules, refusal.field) == ("SEAT_UNKNOWN", ("CR-4",), "seat")


def test_a_table_that_nobody_opened_is_not_known() -> None:
    w = game()
    refusal = w.no(w.seat, sc.LeaveSeat(room=ROOM, table="t9", player_id="p1"))
    assert (refusal.code, refusal.rules) == ("TABLE_UNKNOWN", ("CR-2",))


def test_messages_about_tables_elsewhere_mean_nothing() -> None:
    w = game()
    assert w.seat(sc.NoteHandEnd(room=ROOM, table="t9", number=4)) == ()
    assert w.seat(sc.NoteMissedBlind(room=ROOM, table="t9", seat=4)) == ()
    assert w.seat(sc.NoteWaiting(room=ROOM, table="t9", names=4)) == ()


def test_a_hand_is_noted_once() -> None:
    w = game()
    before = len(w.seating.log)
    w.hand("t3", 1, 1, 2, 3, over=False)
    assert len(w.seating.log) == before


def test_what_the_lists_want_and_cannot_have_is_on_record() -> None:
    w = game()
    order = sc.FollowMustMove(room=ROOM, table="t3", player_id="nobody", to_table="t3", to_seat=7)
    failed = found(w.seat(order, "service"), se.ListOrderFailed)
    assert (failed.order, failed.code) == ("OrderMustMove", "NOT_SEATED")


def test_the_day_closes_and_the_table_goes_on_as_it_was() -> None:
    w = game()
    w.seat(lock(7, "ann"))
    w.away("t3", "p4")
    w.seat(sc.RequestSeatChange(room=ROOM, table="t3", player_id="p2", seat=8))
    before = w.table("t3")
    closed, carried = w.seat(sc.CloseDay(room=ROOM, table="t3", gaming_day="2026-03-07"))
    assert isinstance(closed, se.SeatsClosed)
    assert isinstance(carried, se.SeatsCarried)
    assert w.table("t3") == before
    assert evolve(core.SEATS.initial, carried) == before


def test_nothing_happens_on_a_closed_day() -> None:
    w = game()
    w.given("t3", se.SeatsClosed(gaming_day="2026-03-07"))
    refusal = w.no(w.seat, lock(7, "ann"))
    assert refusal.rules == ("CR-10",)


def test_every_stored_event_reads_back_as_it_was() -> None:
    w = game()
    w.seat(lock(7, "ann"))
    w.seat(take(7, "ann"))
    w.away("t3", "p4")
    for _, event in w.seating.log:
        data = msgspec.msgpack.encode(event)
        assert core.DECIDER.events.decode(topic_of(event), data) == event


def test_merged_records_bring_their_return_window_along() -> None:
    w = game()
    w.seat(sc.LeaveSeat(room=ROOM, table="t3", player_id="p5", chips_cents=50_000))
    merged = sc.MergePresence(room=ROOM, from_id="p5", into_id="sam")
    assert w.seat(merged)
    assert w.seat(merged) == ()
    w.seat(lock(7, "sam"))
    refusal = w.time("19:30").no(w.seat, take(7, "sam"))
    assert (refusal.rules, refusal.options) == (("LC-91",), ("$500 or more",))


def test_one_person_under_two_records_holds_one_seat() -> None:
    w = game()
    w.seat(sc.MergePresence(room=ROOM, from_id="p5", into_id="sam"))
    refusal = w.no(w.seat, take(7, "sam"), override="set-up")
    assert refusal.code == "ALREADY_SEATED"
    assert "table t3 seat 5" in refusal.message


def test_who_plays_over_holds_a_seat_until_it_ends() -> None:
    w = FloorWorld("WP", FOUR_EIGHT)
    w.open("t3", players=range(1, 6))
    w.open("t4", players={1: "q1"})
    w.absent("t3", 4, 5)
    w.seat(sc.AllowPlayOver(room=ROOM, table="t3", seat=4, player_id="sam"))
    w.seat(sc.PlaceBox(room=ROOM, table="t3", seat=4))
    w.seat(
        sc.PlayOverSeat(
            room=ROOM,
            table="t3",
            seat=4,
            player_id="sam",
            buy_in_cents=8000,
            standing=clean("sam"),
        )
    )
    assert w.presence("sam").table == "t3"
    w.seat(sc.ReturnToTable(room=ROOM, table="t3", player_id="p4"))
    assert w.presence("sam").table == ""
    assert w.presence("p4").table == "t3"


def test_a_server_draw_is_the_same_for_the_same_seed_and_has_no_card_twice() -> None:
    seed = b"\x01" * 32
    assert from_seed(seed, 52) == from_seed(seed, 52)
    assert len(set(from_seed(seed, 52))) == 52
    assert from_seed(seed, 5) != from_seed(b"\x02" * 32, 5)


def test_a_broken_games_players_leave_before_it_is_broken() -> None:
    w = game(seats=(1, 2, 3))
    events = w.seat(sc.BreakTable(room=ROOM, table="t3", reason="short", stacks=(("p1", 5000),)))
    left = [event for event in events if isinstance(event, se.PlayerLeft)]
    assert [(event.player_id, event.chips_cents) for event in left] == [
        ("p1", 5000),
        ("p2", None),
        ("p3", None),
    ]
    assert {w.presence(f"p{n}").table for n in (1, 2, 3)} == {""}
    again = sc.CloseTable(room=ROOM, table="t3")
    assert found(w.seat(again), se.TableClosed).table == "t3"


def test_a_timer_that_comes_late_does_nothing() -> None:
    w = game("RC", at="18:00")
    w.seat(lock(6, "w"))
    w.seat(sc.ReleaseLock(room=ROOM, table="t3", seat=6, by_player="w"))
    w.seat(lock(6, "v"))
    for world in w.worlds:
        world.at = clock("18:05")
    assert w.seat(sc.ExpireLock(room=ROOM, table="t3", seat=6, player_id="w")) == ()


def test_the_version_of_a_stream_counts_its_events() -> None:
    w = game()
    version = w.seating.streams.version(seats_stream(ROOM, "t3"))
    w.seat(lock(7, "ann"))
    assert w.seating.streams.version(seats_stream(ROOM, "t3")) == version + 1


def test_a_move_that_was_not_approved_names_what_is_missing() -> None:
    w = game()
    w.open("t6", players={1: "q"})
    with pytest.raises(Refused) as refused:
        w.seat(
            sc.MovePlayer(
                room=ROOM,
                table="t3",
                player_id="p1",
                to_table="t6",
                to_seat=3,
                stack_cents=6000,
            )
        )
    assert refused.value.options == ("have the change approved",)


def test_what_is_offered_at_a_table_is_what_is_accepted() -> None:
    from cardroom.kernel.decisions import Occasion
    from cardroom.seating.here import here_at
    from cardroom.seating.legal import legal

    w = game(seats=(1, 2, 3, 4, 5))
    w.seat(lock(7, "ann"))
    w.seat(sc.LeaveSeat(room=ROOM, table="t3", player_id="p5", chips_cents=50_000))
    occasion = Occasion(at=w.at, recorded_at=w.at, gaming_day="", roles=frozenset({"brush"}))
    here = here_at(w.seating.streams, occasion, ROOM, "t3")
    offer = legal(here, "p5", clean("p5"))
    assert offer.least is not None
    assert (offer.least.cents, offer.least.rules) == (50_000, ("LC-91",))
    assert [one.seat for one in offer.seats if one.refusal is None] == [5, 6, 8, 9]
    for one in offer.seats:
        if one.refusal is None:
            continue
        refusal = w.no(w.seat, lock(one.seat, "p5"), "brush")
        assert (refusal.code, refusal.rules) == (one.refusal.code, one.refusal.rules)
    assert legal(here, "p1", None).changes


def test_who_refused_a_must_move_is_kept_from_the_game_too() -> None:
    w = game()
    w.seat(
        sc.BarFromGame(
            room=ROOM, player_id="lea", game_id="6-12", until=clock("20:00"), rules=("WP-2S9",)
        )
    )
    refusal = w.time("19:59").no(w.seat, lock(7, "lea"))
    assert (refusal.code, refusal.rules) == ("REFUSED_MUST_MOVE", ("WP-2S9",))
    w.time("20:00").seat(lock(7, "lea"))


def test_a_seat_asked_for_before_beats_a_newcomer_who_sat_down_in_it() -> None:
    w = game("WP", range(1, 10))
    w.seat(sc.RequestSeatChange(room=ROOM, table="t3", player_id="p2", seat=6))
    w.time("19:10").seat(sc.LeaveSeat(room=ROOM, table="t3", player_id="p6", chips_cents=0))
    assign = sc.AssignOpenSeat(room=ROOM, table="t3", seat=6)
    w.seat(lock(6, "rex"), override="nobody heard p2")
    w.seat(take(6, "rex", buy_in_cents=12_000))
    swapped = found(w.seat(assign), se.SeatsSwapped)
    assert swapped.rules == ("WP-2S12",)
    assert (w.who("t3")[6], w.who("t3")[2]) == ("p2", "rex")
    assert (w.presence("rex").seat, w.presence("p2").seat) == (2, 6)


def test_where_chips_fix_a_newcomer_an_earlier_request_does_not_beat_them() -> None:
    w = game("LC", range(1, 10))
    w.seat(sc.RequestSeatChange(room=ROOM, table="t3", player_id="p2", seat=6))
    w.time("19:10").seat(sc.LeaveSeat(room=ROOM, table="t3", player_id="p6", chips_cents=0))
    w.seat(lock(6, "rex"), override="nobody heard p2")
    w.seat(take(6, "rex"))
    refusal = w.no(w.seat, sc.AssignOpenSeat(room=ROOM, table="t3", seat=6))
    assert refusal.code == "SEAT_TAKEN"


def test_a_house_that_allows_two_rounds_counts_them() -> None:
    w = FloorWorld("RC", FOUR_EIGHT, seating__play_for_absent_rounds=2)
    w.open("t3", players=range(1, 4))
    w.hand("t3", 1, 3, 1, 2)
    w.away("t3", "p2")
    first = sc.RegisterSubstitute(
        room=ROOM,
        table="t3",
        seat=2,
        player_id="q",
        deal=Deal(number=2, button=1, small=2, big=3),
    )
    w.seat(first)
    for number, button in ((2, 1), (3, 2), (4, 3), (5, 1), (6, 2), (7, 3)):
        deal = w.hand("t3", number, button, button % 3 + 1, (button + 1) % 3 + 1, (1, 2, 3))
        assert w.ask_hand("t3", "p2", deal)
    eighth = Deal(number=8, button=1, small=2, big=3)
    assert w.no_hand("t3", "p2", eighth).code == "SUBSTITUTE_OVER"


def test_a_name_that_does_not_come_no_longer_holds_up_the_order_of_the_board() -> None:
    w = FloorWorld("RC", FOUR_EIGHT)
    w.sign_up("a", "b")
    w.open("t3")
    w.pump()
    assert w.no(w.seat, lock(3, "b")).code == "NOT_FIRST_CHOICE"
    w.list(wc.RemoveName(room=ROOM, game_id="4-8", entry_id=w.entry("a"), reason="left"))
    w.pump()
    w.seat(lock(3, "b"))


def test_a_game_feeds_only_one_of_its_own_kind() -> None:
    w = FloorWorld("LC", SIX_TWELVE, TWENTY_FORTY)
    w.open("t3")
    feed = sc.OpenTable(room=ROOM, table="t5", game_id="20-40", feeds="t3")
    refusal = w.no(w.seat, feed)
    assert (refusal.code, refusal.rules) == ("NOT_SAME_GAME", ("LC-137",))


def test_the_absent_do_not_make_a_game_long_enough_to_punish_its_breaker() -> None:
    w = game("LC", (1, 2, 3, 4, 5))
    w.absent("t3", 5, 10)
    w.open("t6", players={n: f"q{n}" for n in range(1, 9)})
    w.seat(sc.BreakTable(room=ROOM, table="t3", reason="refused blind", refused_blind_by="p1"))
    cards = tuple((f"p{n}", card) for n, card in ((1, "As"), (2, "2c"), (3, "3c"), (4, "4c")))
    drawn = w.seat(sc.DrawForSeats(room=ROOM, table="t3", cards=cards, seats=(("t6", 9),)))
    assert found(drawn, se.SeatOrderSet).order[0] == "p1"


def test_who_plays_over_and_is_barred_stands_up() -> None:
    w = FloorWorld("WP", FOUR_EIGHT)
    w.open("t3", players=range(1, 6))
    w.absent("t3", 4, 5)
    w.seat(sc.AllowPlayOver(room=ROOM, table="t3", seat=4, player_id="sam"))
    w.seat(sc.PlaceBox(room=ROOM, table="t3", seat=4))
    w.seat(
        sc.PlayOverSeat(
            room=ROOM,
            table="t3",
            seat=4,
            player_id="sam",
            buy_in_cents=8000,
            standing=clean("sam"),
        )
    )
    w.seat(sc.ExcludePlayer(room=ROOM, player_id="sam", code="BARRED", rules=("WP-1C0",)))
    assert w.seated("t3", 4).play_over is None
    assert w.presence("sam").table == ""


def test_a_reserved_seat_is_nobodys_call() -> None:
    w = game("WP", range(1, 9))
    w.pump()
    reserve = sc.ReserveSeat(room=ROOM, table="t3", seat=9, player_id="june", cause="poor eyesight")
    w.seat(reserve)
    w.pump()
    w.sign_up("kit")
    assert w.called() == []
    w.seat(sc.ReserveSeat(room=ROOM, table="t3", seat=9, player_id="", cause=""))
    w.pump()
    assert w.called() == ["kit"]


def test_a_main_game_that_closes_lets_those_who_were_to_move_stay() -> None:
    w = game("WP", (1,))
    w.open("t5", players={1: "ann", 2: "bo"}, feeds="t3")
    w.seat(sc.OrderMustMove(room=ROOM, table="t5", player_id="ann", to_table="t3", to_seat=4))
    w.seat(sc.LeaveSeat(room=ROOM, table="t3", player_id="p1", chips_cents=0))
    w.seat(sc.CloseTable(room=ROOM, table="t3"))
    assert w.seated("t5", 1).move is None
    w.seat(sc.LeaveSeat(room=ROOM, table="t5", player_id="ann", chips_cents=6000))


def test_who_was_to_move_to_a_game_that_is_gone_still_leaves() -> None:
    w = game("WP", (1,))
    w.open("t5", players={1: "ann", 2: "bo"}, feeds="t3")
    w.seat(sc.OrderMustMove(room=ROOM, table="t5", player_id="ann", to_table="t3", to_seat=4))
    w.given("t3", se.SeatsClosed(gaming_day="2026-03-07"))
    w.seat(sc.LeaveSeat(room=ROOM, table="t5", player_id="ann", chips_cents=6000))
    assert w.presence("ann").table == ""


def test_the_floor_lets_a_player_stay_and_the_kept_seat_is_free_again() -> None:
    w = game("WP", range(1, 8))
    w.open("t6", players={1: "q"})
    w.seat(sc.ApproveTableChange(room=ROOM, table="t3", player_id="p4", to_table="t6", to_seat=5))
    stay = sc.CancelMove(room=ROOM, table="t3", player_id="p4", reason="changed his mind")
    assert w.no(w.seat, stay, "dealer").code == "NEEDS_FLOOR"
    w.seat(stay)
    assert w.seated("t3", 4).move is None
    assert w.table("t6").seats[4].lock is None
    assert w.no(w.seat, stay).code == "NO_MOVE_DUE"


def test_giving_a_kept_seat_free_lets_its_player_stay() -> None:
    w = game("WP", range(1, 8))
    w.open("t6", players={1: "q"})
    w.seat(sc.ApproveTableChange(room=ROOM, table="t3", player_id="p4", to_table="t6", to_seat=5))
    w.seat(sc.ReleaseLock(room=ROOM, table="t6", seat=5))
    assert w.seated("t3", 4).move is None


def test_a_request_sent_again_is_the_same_although_the_standing_read_for_it_has_changed() -> None:
    from cardroom.adapters.shell.requests import Request, digest_of

    asked = Request(request_id="r1", actor="maria")
    first = digest_of((take(7, "ann"),), asked)
    again = digest_of((take(7, "ann", standing=barred("ann", "LC-30")),), asked)
    other = digest_of((take(8, "ann"),), asked)
    assert first == again
    assert first != other
