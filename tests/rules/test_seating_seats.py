"""The worked cases of seats, locks, new games, guests and pairs kept apart, played as written on the pure core."""

from typing import Any

import pytest

from cardroom.seating import commands as sc
from cardroom.seating import events as se
from cardroom.seating.values import LockKind
from tests.plugins.floor_world import (
    FOUR_EIGHT,
    SIX_TWELVE,
    TWENTY_FORTY,
    FloorWorld,
    clean,
    clock,
    found,
    limit,
)
from tests.plugins.world import ROOM

NINE = ("ann", "bo", "cy", "di", "ed", "fay", "gus", "hal", "ida")


def lock(table: str, seat: int, person: str, kind: LockKind = LockKind.NAME, **more: Any) -> Any:
    return sc.LockSeat(
        room=ROOM,
        table=table,
        seat=seat,
        player_id=person,
        kind=kind,
        **{"standing": clean(person), **more},
    )


def take(table: str, seat: int, person: str, cents: int, **more: Any) -> Any:
    return sc.TakeSeat(
        room=ROOM,
        table=table,
        seat=seat,
        player_id=person,
        buy_in_cents=cents,
        **{"standing": clean(person), **more},
    )


def seat_opens(w: FloorWorld, table: str, seat: int) -> None:
    person = w.who(table)[seat]
    w.seat(sc.LeaveSeat(room=ROOM, table=table, player_id=person, chips_cents=0))


def waiting(w: FloorWorld, table: str, names: int) -> None:
    w.seat(sc.NoteWaiting(room=ROOM, table=table, names=names))


def running(book: str, game: Any = SIX_TWELVE, at: str = "19:00", seats: Any = None) -> FloorWorld:
    """A game that has dealt its first hand."""
    w = FloorWorld(book, game, at=at)
    w.open("t3", players=seats or range(1, 10))
    w.hand("t3", 1, 1, 2, 3)
    return w


# --- guests ---


def guest(person: str, name: str, *objections: int) -> Any:
    return sc.AddGuest(
        room=ROOM, table="t3", player_id=person, guest_id=name, objections=objections
    )


@pytest.mark.rule("LC-3", 1)
def test_a_second_guest_is_refused() -> None:
    w = running("LC")
    w.seat(guest("p5", "bo"))
    refusal = w.no(w.seat, guest("p5", "cy"))
    assert (refusal.code, refusal.rules) == ("GUEST_LIMIT", ("LC-3",))
    assert "1 of 1" in refusal.message
    assert w.seated("t3", 5).guests == ("bo",)


@pytest.mark.rule("LC-3", 2)
def test_a_first_guest_is_welcome() -> None:
    w = running("LC")
    w.seat(guest("p5", "bo"))
    assert len(w.seated("t3", 5).guests) == 1


@pytest.mark.rule("WP-2P26", 1)
def test_one_objection_keeps_a_guest_out() -> None:
    w = running("WP")
    refusal = w.no(w.seat, guest("p7", "uma", 2))
    assert (refusal.code, refusal.rules) == ("GUEST_OBJECTED", ("WP-2P26",))
    w.seat(guest("p7", "uma"))
    assert w.seated("t3", 7).guests == ("uma",)
    w.seat(sc.RemoveGuest(room=ROOM, table="t3", player_id="p7", guest_id="uma"))
    assert w.seated("t3", 7).guests == ()


@pytest.mark.rule("WP-2P25", 1)
def test_somebody_who_brings_no_chips_does_not_sit_at_the_table() -> None:
    w = running("WP", seats=(1, 2, 3, 4, 5, 6, 7, 9))
    w.seat(lock("t3", 8, "uma"))
    refusal = w.no(w.seat, take("t3", 8, "uma", 0))
    assert (refusal.code, refusal.rules) == ("NOT_A_PLAYER", ("WP-2P25", "WP-3B1"))
    w.seat(guest("p7", "uma"))


@pytest.mark.rule("WP-1T1", 1)
def test_seats_beside_the_dealer_are_no_smoking_seats() -> None:
    w = running("WP")
    w.seat(sc.MarkSmokingSeat(room=ROOM, table="t3", seat=2))
    assert w.table("t3").seats[1].smoking
    for seat in (1, 9):
        refusal = w.no(w.seat, sc.MarkSmokingSeat(room=ROOM, table="t3", seat=seat))
        assert refusal.code == "BESIDE_DEALER"
        assert "WP-1T1" in refusal.rules


def test_a_smoke_free_house_has_no_smoking_seats() -> None:
    w = running("LC")
    refusal = w.no(w.seat, sc.MarkSmokingSeat(room=ROOM, table="t3", seat=4))
    assert refusal.code == "SMOKING_BANNED"


# --- locks ---


@pytest.mark.rule("LC-GL-lock", 1)
def test_a_locked_seat_is_not_anothers_to_sit_in() -> None:
    w = running("LC", at="20:00", seats=(1, 2, 3, 4, 5))
    w.seat(lock("t3", 6, "ann"))
    refusal = w.time("20:01").no(w.seat, take("t3", 6, "bo", 6000))
    assert refusal.code == "SEAT_LOCKED"
    assert "ann" in refusal.message


@pytest.mark.rule("LC-88f", 1)
def test_an_open_seat_is_offered_to_those_seated_first() -> None:
    w = running("LC")
    waiting(w, "t3", 3)
    seat_opens(w, "t3", 4)
    refusal = w.no(w.seat, lock("t3", 4, "ann"))
    assert (refusal.code, refusal.rules) == ("SEATED_NOT_ASKED", ("LC-88f",))
    w.seat(sc.OfferOpenSeat(room=ROOM, table="t3", seat=4))
    w.seat(sc.ChangeSeat(room=ROOM, table="t3", player_id="p7", seat=4))
    refusal = w.no(w.seat, lock("t3", 7, "ann"))
    assert refusal.code == "SEATED_NOT_ASKED"
    w.seat(sc.OfferOpenSeat(room=ROOM, table="t3", seat=7))
    locked = found(w.seat(lock("t3", 7, "ann")), se.SeatLocked)
    assert (locked.seat, locked.lock.player_id) == (7, "ann")


@pytest.mark.rule("LC-88f", 2)
def test_once_the_newcomers_chips_are_down_the_seat_is_the_newcomers() -> None:
    w = running("LC")
    waiting(w, "t3", 1)
    seat_opens(w, "t3", 4)
    w.seat(sc.OfferOpenSeat(room=ROOM, table="t3", seat=4))
    w.seat(lock("t3", 4, "ann"))
    w.seat(take("t3", 4, "ann", 10_000))
    change = sc.RequestSeatChange(room=ROOM, table="t3", player_id="p2", seat=4)
    refusal = w.no(w.seat, change)
    assert (refusal.code, refusal.rules) == ("NEWCOMER_FIXED", ("LC-88f",))


def test_a_lock_alone_does_not_fix_a_newcomer_where_only_chips_do() -> None:
    w = running("LC")
    seat_opens(w, "t3", 4)
    w.seat(lock("t3", 4, "ann"))
    w.seat(sc.RequestSeatChange(room=ROOM, table="t3", player_id="p2", seat=4))
    w.seat(sc.AssignOpenSeat(room=ROOM, table="t3", seat=4))
    assert w.who("t3")[4] == "p2"
    kept = w.table("t3").seats[1].lock
    assert kept is not None
    assert kept.player_id == "ann"


@pytest.mark.rule("RC-T4", 1)
def test_a_lock_lasts_five_minutes() -> None:
    w = running("RC", at="18:00", seats=(1, 2, 3, 4, 5))
    w.seat(lock("t3", 6, "w"))
    assert w.time("18:04:59").table("t3").seats[5].lock is not None
    w.time("18:05:00")
    unlocked = found(w.seating.events(), se.SeatUnlocked)
    assert (unlocked.reason, unlocked.rules, unlocked.at) == (
        "expired",
        ("RC-T4",),
        clock("18:05"),
    )
    assert found(w.seating.events(), se.SeatOpened).seat == 6
    w.seat(lock("t3", 6, "v"))


@pytest.mark.rule("RC-T4", 2)
def test_a_lock_holds_until_its_time_is_up() -> None:
    w = running("RC", at="18:00", seats=(1, 2, 3, 4, 5))
    w.seat(lock("t3", 6, "w"))
    refusal = w.time("18:04:30").no(w.seat, lock("t3", 6, "v"))
    assert refusal.code == "SEAT_LOCKED"
    assert "RC-T4" in refusal.rules


@pytest.mark.rule("RC-T6", 1)
def test_a_marker_locks_a_seat() -> None:
    w = running("RC", at="18:00", seats=(1, 2, 3, 4, 5))
    w.seat(lock("t3", 6, "w", LockKind.MARKER))
    refusal = w.time("18:02").no(w.seat, lock("t3", 6, "v"))
    assert refusal.code == "SEAT_LOCKED"
    assert "RC-T6" in refusal.rules


def release(seat: int, by: str = "") -> Any:
    return sc.ReleaseLock(room=ROOM, table="t3", seat=seat, by_player=by)


@pytest.mark.rule("RC-T7", 1)
def test_a_dealer_cannot_unlock_a_seat() -> None:
    w = running("RC", at="18:00", seats=(1, 2, 3))
    w.seat(lock("t3", 6, "w"))
    refusal = w.time("18:01").no(w.seat, release(6), "dealer")
    assert refusal.code == "NOT_YOUR_LOCK"
    assert "RC-T7" in refusal.rules
    assert w.seat(release(6, "w"), "dealer")


@pytest.mark.rule("RC-T7", 2)
def test_the_floor_unlocks_a_seat() -> None:
    w = running("RC", at="18:00", seats=(1, 2, 3))
    w.seat(lock("t3", 6, "w"))
    w.time("18:01").seat(release(6), "floor")
    assert w.table("t3").seats[5].lock is None
    w.seat(lock("t3", 6, "v"))


@pytest.mark.rule("WP-2P20", 1)
def test_in_a_new_game_a_lock_up_of_five_minutes_is_picked_up_if_anybody_waits() -> None:
    w = FloorWorld("WP", SIX_TWELVE, at="16:00")
    w.open("t3")
    waiting(w, "t3", 1)
    w.seat(lock("t3", 3, "sam"))
    assert w.time("16:04:59").table("t3").seats[2].lock is not None
    w.time("16:05:00")
    unlocked = found(w.seating.events(), se.SeatUnlocked)
    assert (unlocked.at, unlocked.rules) == (clock("16:05"), ("WP-2P20",))
    w.seat(lock("t3", 3, "tia"))


@pytest.mark.rule("WP-2P20", 2)
def test_a_lock_up_stands_while_nobody_waits() -> None:
    w = running("WP", at="16:00", seats=(1, 2, 3, 4, 5))
    w.seat(lock("t3", 7, "sam"))
    w.time("16:25")
    assert w.table("t3").seats[6].lock is not None
    waiting(w, "t3", 1)
    w.time("16:25")
    assert w.table("t3").seats[6].lock is None
    assert found(w.seating.events(), se.SeatUnlocked).at <= clock("16:25")


# --- permission, two seats, pairs ---


@pytest.mark.rule("WP-2P10", 1)
def test_nobody_takes_a_seat_that_was_not_assigned() -> None:
    w = running("WP", seats=(1, 2, 3))
    refusal = w.no(w.seat, take("t3", 6, "rae", 12_000))
    assert (refusal.code, refusal.rules) == ("NO_PERMISSION", ("WP-2P10",))
    w.seat(lock("t3", 6, "rae"))
    w.seat(take("t3", 6, "rae", 12_000))
    assert w.who("t3")[6] == "rae"


@pytest.mark.rule("WP-2S4", 1)
def test_nobody_holds_seats_in_two_games() -> None:
    other = limit(10, 20)
    w = FloorWorld("WP", FOUR_EIGHT, other)
    w.open("t1", players={3: "bea"})
    w.open("t6", other)
    refusal = w.no(w.seat, take("t6", 5, "bea", 20_000))
    assert (refusal.code, refusal.rules) == ("ALREADY_SEATED", ("WP-2S4",))
    assert "table t1 seat 3" in refusal.message


def separated(book: str, rule: str, first: str, second: str) -> FloorWorld:
    w = FloorWorld(book, FOUR_EIGHT)
    w.open("t3", players={1: first, **{n: f"p{n}" for n in (2, 3, 4, 5, 7, 8, 9)}})
    w.open("t4", players={n: f"q{n}" for n in range(1, 10)})
    for table in ("t3", "t4"):
        w.hand(table, 1, 1, 2, 3)
    refusal = w.no(w.seat, lock("t3", 6, second, standing=clean(second, first, rules=(rule,))))
    assert (refusal.code, refusal.rules) == ("KEPT_APART", (rule,))
    assert first in refusal.message
    return w


@pytest.mark.rule("RC-G15", 1)
def test_two_people_kept_apart_do_not_share_a_table() -> None:
    w = separated("RC", "RC-G15", "p", "q")
    w.sign_up("q", "eva", game=FOUR_EIGHT)
    assert w.names() == ["q", "eva"]
    seat_opens(w, "t4", 9)
    w.seat(lock("t4", 9, "q", standing=clean("q", "p", rules=("RC-G15",))))


@pytest.mark.rule("WP-2S5", 1)
def test_the_next_name_gets_the_seat_and_the_one_kept_apart_stays_first() -> None:
    w = separated("WP", "WP-2S5", "cal", "dot")
    w.pump()
    w.sign_up("dot", "eva", game=FOUR_EIGHT)
    assert w.called() == ["dot"]
    from cardroom.waitlist import commands as wc

    w.list(
        wc.DropCall(room=ROOM, game_id="4-8", entry_id=w.entry("dot"), reason="kept apart from cal")
    )
    assert w.called() == ["eva"]
    w.seat(lock("t3", 6, "eva"))
    w.seat(take("t3", 6, "eva", 8000))
    w.pump()
    assert w.names() == ["dot"]
    seat_opens(w, "t4", 9)
    w.pump()
    assert w.called() == ["dot"]
    w.seat(lock("t4", 9, "dot", standing=clean("dot", "cal", rules=("WP-2S5",))))


# --- new games ---


def new_game(book: str, order: tuple[str, ...], game: Any = TWENTY_FORTY) -> FloorWorld:
    w = FloorWorld(book, game, at="12:00")
    w.open("t5", order=order)
    return w


def arrives(w: FloorWorld, *people: str) -> None:
    for person in people:
        w.seat(sc.ArriveAtTable(room=ROOM, table="t5", player_id=person))


@pytest.mark.rule("LC-87", 1)
def test_in_a_new_game_the_first_to_arrive_chooses() -> None:
    w = new_game("LC", (*NINE, "jo"))
    arrives(w, "cy")
    w.seat(lock("t5", 5, "cy"))
    arrives(w.time("12:01"), "ann")
    refusal = w.no(w.seat, lock("t5", 5, "ann"))
    assert refusal.code == "SEAT_LOCKED"
    assert "cy" in refusal.message
    assert refusal.options == ("open seats: 1, 2, 3, 4, 6, 7, 8, 9",)
    w.seat(lock("t5", 6, "ann"))


@pytest.mark.rule("LC-87", 2)
def test_called_names_come_before_somebody_who_is_not_on_the_list() -> None:
    w = new_game("LC", (*NINE, "jo"))
    for seat, person in enumerate(NINE[:7], 1):
        arrives(w, person)
        w.seat(lock("t5", seat, person))
    refusal = w.no(w.seat, lock("t5", 9, "zed"))
    assert (refusal.code, refusal.rules) == ("LIST_FIRST", ("LC-87",))
    assert refusal.options == ("hal", "ida", "jo")


@pytest.mark.rule("RC-T1", 1)
def test_the_board_chooses_seats_in_its_order() -> None:
    w = new_game("RC", ("a", "b", "c", "d"), FOUR_EIGHT)
    refusal = w.no(w.seat, lock("t5", 3, "b"))
    assert (refusal.code, refusal.rules) == ("NOT_FIRST_CHOICE", ("RC-T1",))
    assert w.table("t5").seats[2].lock is None


@pytest.mark.rule("RC-T1", 2)
def test_a_chosen_seat_is_not_to_be_chosen_again() -> None:
    w = new_game("RC", ("a", "b", "c", "d"), FOUR_EIGHT)
    w.seat(lock("t5", 3, "a"))
    refusal = w.no(w.seat, lock("t5", 3, "b"))
    assert refusal.code == "SEAT_LOCKED"
    assert refusal.options == ("open seats: 1, 2, 4, 5, 6, 7, 8, 9",)


@pytest.mark.rule("WP-2S7", 1)
def test_of_two_who_arrive_together_the_one_higher_on_the_list_chooses() -> None:
    w = new_game("WP", ("fin", "gil", "hope"))
    arrives(w.time("12:00:10"), "hope")
    arrives(w.time("12:00:30"), "gil", "fin")
    w.seat(lock("t5", 5, "hope"))
    refusal = w.no(w.seat, lock("t5", 3, "gil"))
    assert (refusal.code, refusal.rules) == ("NOT_FIRST_CHOICE", ("WP-2S7",))
    w.seat(lock("t5", 3, "fin"))
    w.seat(lock("t5", 4, "gil"))


@pytest.mark.rule("WP-2S7", 2)
def test_a_seat_is_kept_for_a_player_busy_elsewhere_and_for_good_cause() -> None:
    w = FloorWorld("WP", TWENTY_FORTY, at="12:00")
    w.open("t1", players={1: "ike", 2: "p2", 3: "p3"})
    w.hand("t1", 7, 1, 2, 3, over=False)
    w.open("t5", order=("ike", "june", "kit"))
    w.seat(lock("t5", 7, "ike", LockKind.POT, until_hand_ends_at="t1"))
    w.seat(sc.ReserveSeat(room=ROOM, table="t5", seat=5, player_id="june", cause="poor eyesight"))
    arrives(w, "kit")
    busy = w.no(w.seat, lock("t5", 7, "kit"))
    assert (busy.code, "ike" in busy.message) == ("SEAT_LOCKED", True)
    kept = w.no(w.seat, lock("t5", 5, "kit"))
    assert (kept.code, kept.rules) == ("SEAT_RESERVED", ("WP-2S7",))
    w.seat(lock("t5", 2, "kit"))
    w.seat(sc.NoteHandEnd(room=ROOM, table="t1", number=7))
    assert w.table("t5").seats[6].lock is None


@pytest.mark.rule("WP-2S8", 1)
def test_the_extra_chair_goes_when_somebody_quits() -> None:
    w = FloorWorld("WP", FOUR_EIGHT)
    w.open("t5", players=range(1, 11), extra_seats=1)
    w.hand("t5", 1, 1, 2, 3)
    left = w.seat(sc.LeaveSeat(room=ROOM, table="t5", player_id="p6", chips_cents=0))
    removed = found(left, se.SeatRemoved)
    assert (removed.seat, removed.rules) == (6, ("WP-2S8",))
    assert not [event for event in left if isinstance(event, se.SeatOpened)]
    left = w.seat(sc.LeaveSeat(room=ROOM, table="t5", player_id="p2", chips_cents=0))
    assert found(left, se.SeatOpened).seat == 2


def opening(table: str, game: str, extra: int = 0) -> Any:
    return sc.OpenTable(room=ROOM, table=table, game_id=game, extra_seats=extra)


@pytest.mark.rule("WP-2S8", 2)
def test_a_game_does_not_start_with_two_players_too_many() -> None:
    w = FloorWorld("WP", FOUR_EIGHT)
    refusal = w.no(w.seat, opening("t5", "4-8", 2))
    assert (refusal.code, refusal.rules) == ("TOO_MANY_EXTRA", ("WP-2S8",))
    assert refusal.options == ("open with up to 10 players",)


@pytest.mark.rule("RC-G1", 1)
def test_a_player_opens_no_table() -> None:
    w = FloorWorld("RC", FOUR_EIGHT)
    w.sign_up("a", "b", "c", "d", "e", "f")
    refusal = w.no(w.seat, opening("t5", "4-8"), "display")
    assert (refusal.code, refusal.rules) == ("NOT_MANAGEMENT", ("RC-G1",))
    assert w.names() == ["a", "b", "c", "d", "e", "f"]


@pytest.mark.rule("RC-G1", 2)
def test_the_floor_opens_a_table_and_the_list_is_asked_in_order() -> None:
    w = FloorWorld("RC", FOUR_EIGHT)
    w.sign_up("a", "b", "c", "d", "e", "f")
    opened = found(w.seat(opening("t5", "4-8"), "floor"), se.TableOpened)
    assert (opened.table, opened.game_id) == ("t5", "4-8")
    w.pump()
    assert w.called() == ["a", "b", "c", "d", "e", "f"]
    assert w.table("t5").order == ("a", "b", "c", "d", "e", "f")


@pytest.mark.rule("WP-2P1", 1)
def test_a_dealer_opens_no_game_and_the_floor_does() -> None:
    w = FloorWorld("WP", FOUR_EIGHT)
    w.sign_up(*(f"n{n}" for n in range(8)))
    refusal = w.no(w.seat, opening("t1", "4-8"), "dealer", actor="max")
    assert (refusal.code, refusal.rules) == ("NOT_MANAGEMENT", ("WP-2P1",))
    w.seat(opening("t1", "4-8"), "floor", actor="nia")
    w.pump()
    assert len(w.called()) == 8


@pytest.mark.rule("WP-2S3", 1)
def test_a_new_player_goes_to_the_game_that_needs_one_most() -> None:
    w = FloorWorld("WP", FOUR_EIGHT)
    w.open("t1", players={n: f"p{n}" for n in range(1, 9)})
    w.open("t2", players={n: f"q{n}" for n in range(1, 7)})
    for table in ("t1", "t2"):
        w.hand(table, 1, 1, 2, 3)
    refusal = w.no(w.seat, lock("t1", 9, "new"))
    assert (refusal.code, refusal.rules) == ("NEEDIER_GAME", ("WP-2S3",))
    assert refusal.options == ("a seat at table t2",)
    w.seat(lock("t2", 7, "new"))


@pytest.mark.rule("RC-G16", 1)
def test_who_is_barred_by_management_does_not_sign_up() -> None:
    from cardroom.players import commands as pc
    from tests.plugins.floor_world import GROUP

    w = FloorWorld("RC", SIX_TWELVE)
    w.register("p")
    w.player(
        pc.BarPlayer(
            group=GROUP, player_id="p", bar_id="b", room=ROOM, reason="management decision"
        ),
        "shift_manager",
    )
    refusal = w.no(w.list, w.sign("p", standing=w.standing("p")))
    assert (refusal.code, refusal.rules) == ("BARRED", ("RC-G16",))


@pytest.mark.rule("RC-G16", 2)
def test_sitting_down_accepts_the_rules_in_force() -> None:
    w = running("RC", FOUR_EIGHT, seats=(1, 2, 3))
    w.seat(lock("t3", 4, "w"))
    accepted = found(w.seat(take("t3", 4, "w", 4000)), se.RulesAccepted)
    assert (accepted.player_id, accepted.rules) == ("w", ("RC-G16",))
    assert accepted.book_digest == w.rules.digest


@pytest.mark.rule("RC-T3", 1)
def test_a_locked_seat_that_the_button_passed_owes_the_blinds() -> None:
    w = FloorWorld("RC", FOUR_EIGHT)
    w.open("t5", players=(1, 2, 3, 4, 5, 7, 8))
    w.seat(lock("t5", 6, "w"))
    w.hand("t5", 1, 5, 7, 8)
    w.hand("t5", 2, 7, 8, 1)
    w.seat(take("t5", 6, "w", 4000))
    deal = w.hand("t5", 3, 8, 1, 2)
    refusal = w.no_hand("t5", "w", deal)
    assert "RC-T3" in refusal.rules
    granted: Any = w.ask_hand("t5", "w", deal, 600)[0]
    assert granted.post_cents == 600


@pytest.mark.rule("RC-T3", 2)
def test_a_locked_seat_taken_before_the_first_hand_owes_nothing() -> None:
    w = FloorWorld("RC", FOUR_EIGHT)
    w.open("t5", players=(1, 2, 3, 4, 5, 7))
    w.seat(lock("t5", 6, "w"))
    w.seat(take("t5", 6, "w", 4000))
    deal = w.hand("t5", 1, 5, 6, 7)
    granted: Any = w.ask_hand("t5", "w", deal)[0]
    assert granted.post_cents == 0
