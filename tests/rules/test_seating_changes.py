"""The worked cases of seat changes inside one game, played as written on the pure core."""

from typing import Any

import pytest

from cardroom.seating import commands as sc
from cardroom.seating import events as se
from cardroom.seating.values import EntryKind, LockKind
from tests.plugins.floor_world import (
    FOUR_EIGHT,
    SIX_TWELVE,
    TWENTY_FORTY,
    FloorWorld,
    clean,
    clock,
    found,
)
from tests.plugins.world import ROOM


def game(book: str, seats: Any, terms: Any = SIX_TWELVE, **more: Any) -> FloorWorld:
    w = FloorWorld(book, terms, **more)
    w.open("t3", players={n: f"p{n}" for n in seats})
    return w


def change(person: str, seat: int) -> Any:
    return sc.ChangeSeat(room=ROOM, table="t3", player_id=person, seat=seat)


def asks(person: str, seat: int = 0) -> Any:
    return sc.RequestSeatChange(room=ROOM, table="t3", player_id=person, seat=seat)


def assign(seat: int, **more: Any) -> Any:
    return sc.AssignOpenSeat(room=ROOM, table="t3", seat=seat, **more)


def leaves(w: FloorWorld, seat: int) -> None:
    person = w.who("t3")[seat]
    w.seat(sc.LeaveSeat(room=ROOM, table="t3", player_id=person, chips_cents=0))


@pytest.mark.rule("LC-88a", 1)
def test_moving_away_from_the_blinds_waits_as_many_hands_as_positions() -> None:
    w = game("LC", (1, 2, 3, 4, 5, 6, 7, 9))
    w.hand("t3", 1, 1, 2, 3)
    moved = found(w.seat(change("p5", 8)), se.SeatChanged)
    assert (moved.entry.kind, moved.entry.wait_hands) == (EntryKind.WAIT_HANDS, 3)
    w.sits("t3", 5, "new")
    hands = {2: 4, 3: 5, 4: 6}
    for number, big in hands.items():
        deal = w.hand("t3", number, big - 2, big - 1, big, dealt_in=(1, 2, 3, 4, 5, 6, 7, 9))
        refusal = w.no_hand("t3", "p5", deal)
        assert (refusal.code, refusal.rules) == ("POST_NEEDED", ("LC-88a",))
        assert "post $6" in refusal.options
        assert w.ask_hand("t3", "p5", deal, 600)
    deal = w.hand("t3", 5, 5, 6, 7, dealt_in=(1, 2, 3, 4, 5, 6, 7, 9))
    granted: Any = w.ask_hand("t3", "p5", deal)[0]
    assert granted.post_cents == 0


@pytest.mark.rule("LC-88a", 2)
def test_moving_toward_the_blinds_costs_nothing() -> None:
    w = game("LC", (1, 2, 3, 4, 6, 7, 8, 9))
    w.hand("t3", 1, 1, 2, 3)
    w.seat(change("p8", 5))
    granted: Any = w.ask_hand("t3", "p8", w.hand("t3", 2, 2, 3, 4))[0]
    assert granted.post_cents == 0


@pytest.mark.rule("LC-88b", 1)
def test_who_deals_off_comes_in_behind_the_button() -> None:
    w = game("LC", (1, 2, 3, 4, 5, 6, 8, 9))
    w.hand("t3", 1, 3, 4, 5)
    moved = found(w.seat(change("p3", 7)), se.SeatChanged)
    assert moved.entry.dealt_off
    assert w.seat(sc.ClaimFreeEntry(room=ROOM, table="t3", player_id="p3"))
    rest = (1, 2, 4, 5, 6, 8, 9)
    for number, button, small, big in ((2, 4, 5, 6), (3, 5, 6, 8), (4, 6, 8, 9)):
        w.hand("t3", number, button, small, big, dealt_in=rest)
    deal = w.hand("t3", 5, 8, 9, 1, dealt_in=rest)
    granted: Any = w.ask_hand("t3", "p3", deal)[0]
    assert granted.post_cents == 0


@pytest.mark.rule("LC-88b", 2)
def test_who_did_not_play_the_button_has_not_dealt_off() -> None:
    w = game("LC", (1, 2, 3, 4, 5, 6, 8, 9))
    w.hand("t3", 1, 2, 3, 4)
    w.seat(change("p3", 7))
    refusal = w.no(w.seat, sc.ClaimFreeEntry(room=ROOM, table="t3", player_id="p3"))
    assert (refusal.code, refusal.rules) == ("NOT_DEALT_OFF", ("LC-88b",))


@pytest.mark.rule("LC-GL-deal-off", 1)
def test_a_move_right_after_the_button_is_classed_as_dealing_off() -> None:
    w = game("LC", (1, 2, 3, 4, 5, 6, 8, 9))
    w.hand("t3", 1, 3, 4, 5)
    moved = found(w.seat(change("p3", 7)), se.SeatChanged)
    assert (moved.to_seat, moved.entry.dealt_off) == (7, True)
    assert "LC-88b" in moved.rules


@pytest.mark.rule("LC-88c", 1)
def test_a_missed_blind_button_goes_along_and_costs_both_blinds_and_the_collection() -> None:
    w = FloorWorld("LC", SIX_TWELVE)
    w.open("t3", players={n: f"p{n}" for n in (1, 2, 3, 4, 6, 7, 8)})
    w.sits("t3", 5, "p5", missed=1)
    w.hand("t3", 1, 1, 2, 3, dealt_in=(1, 2, 3, 4))
    w.seat(change("p5", 9))
    deal = w.hand("t3", 2, 2, 3, 4, dealt_in=(1, 2, 3, 4))
    refusal = w.no_hand("t3", "p5", deal, 600)
    assert refusal.code == "POST_OTHER_AMOUNT"
    assert "LC-88c" in refusal.rules
    granted: Any = w.ask_hand("t3", "p5", deal, 1100)[0]
    assert (granted.post_cents, granted.dead_cents) == (1100, 500)
    as_big = w.hand("t3", 3, 7, 8, 9, dealt_in=(1, 2, 3, 4))
    assert w.ask_hand("t3", "p5", as_big)


@pytest.mark.rule("LC-88d", 1)
def test_players_who_swap_are_each_a_seat_changer() -> None:
    w = game("LC", range(1, 10), TWENTY_FORTY)
    w.hand("t3", 1, 1, 2, 3)
    swapped = found(w.seat(sc.SwapSeats(room=ROOM, table="t3", seats=(5, 8))), se.SeatsSwapped)
    assert swapped.rules == ("LC-88d",)
    assert (w.who("t3")[5], w.who("t3")[8]) == ("p8", "p5")
    rest = (1, 2, 3, 4, 6, 7, 9)
    second = w.hand("t3", 2, 2, 3, 4, dealt_in=rest)
    assert w.ask_hand("t3", "p8", second)
    for number, big in ((2, 4), (3, 5), (4, 6)):
        deal = w.hand("t3", number, big - 2, big - 1, big, dealt_in=rest)
        assert w.no_hand("t3", "p5", deal).rules == ("LC-88a",)
        granted: Any = w.ask_hand("t3", "p5", deal, 2000)[0]
        assert granted.dead_cents == 0
    assert w.ask_hand("t3", "p5", w.hand("t3", 5, 5, 6, 7, dealt_in=rest))


def two_who_ask(**joined: str) -> FloorWorld:
    w = FloorWorld("LC", SIX_TWELVE, at="19:00")
    w.open("t3", players={n: f"p{n}" for n in (1, 2, 4, 5, 7, 8, 9)})
    for person, since in joined.items():
        w.sits("t3", int(person[1:]), person, at=clock(since))
    w.hand("t3", 1, 1, 2, 4)
    w.time("19:02").seat(asks("p3", 1))
    w.time("19:05").seat(asks("p6", 1))
    leaves(w, 1)
    return w


@pytest.mark.rule("LC-88e", 1)
def test_an_open_seat_goes_to_whoever_asked_first() -> None:
    w = two_who_ask(p6="14:10", p3="15:00")
    moved = found(w.seat(assign(1)), se.SeatChanged)
    assert (moved.player_id, "LC-88e" in moved.rules) == ("p3", True)


@pytest.mark.rule("LC-88e", 2)
def test_failing_that_to_whoever_has_been_in_the_game_longest() -> None:
    w = two_who_ask(p6="14:10", p3="15:00")
    moved = found(w.seat(assign(1, order_unknown=True)), se.SeatChanged)
    assert moved.player_id == "p6"


def test_failing_that_by_a_draw_of_cards() -> None:
    w = two_who_ask(p6="14:10", p3="14:10")
    refusal = w.no(w.seat, assign(1, order_unknown=True))
    assert refusal.code == "DRAW_NEEDED"
    cards = (("p3", "9h"), ("p6", "9s"))
    moved = w.seat(assign(1, order_unknown=True, cards=cards))
    assert found(moved, se.DrawHeld).winner == "p6"
    assert w.who("t3")[1] == "p6"


@pytest.mark.rule("LC-135", 1)
def test_seat_changes_are_allowed_in_a_short_game() -> None:
    w = game("LC", (1, 3, 6, 8), TWENTY_FORTY)
    w.hand("t3", 1, 8, 1, 3)
    moved = found(w.seat(change("p6", 5)), se.SeatChanged)
    assert moved.entry.kind is EntryKind.PLAYING
    assert w.ask_hand("t3", "p6", w.hand("t3", 2, 1, 3, 5))


def lock(seat: int, person: str, kind: LockKind = LockKind.NAME) -> Any:
    return sc.LockSeat(
        room=ROOM,
        table="t3",
        seat=seat,
        player_id=person,
        kind=kind,
        standing=clean(person),
    )


@pytest.mark.rule("RC-T5", 1)
def test_a_player_in_the_game_comes_before_the_list() -> None:
    w = game("RC", range(1, 10), FOUR_EIGHT)
    w.hand("t3", 1, 1, 3, 4)
    w.seat(asks("p2", 8))
    leaves(w, 8)
    refusal = w.no(w.seat, lock(8, "v"))
    assert (refusal.code, refusal.rules) == ("SEATED_FIRST", ("RC-T5",))
    w.seat(assign(8))
    assert w.who("t3")[8] == "p2"
    w.seat(lock(2, "v"))


@pytest.mark.rule("RC-T5", 2)
def test_several_who_want_one_seat_draw_for_it() -> None:
    w = game("RC", range(1, 10), FOUR_EIGHT)
    w.hand("t3", 1, 1, 3, 4)
    w.seat(asks("p2", 8))
    w.time("19:10").seat(asks("p5", 8))
    leaves(w, 8)
    w.seat(assign(8, cards=(("p2", "9c"), ("p5", "Kd"))))
    assert w.who("t3")[8] == "p5"
    assert w.who("t3")[2] == "p2"


@pytest.mark.rule("RC-T8", 1)
def test_a_change_takes_effect_at_once_and_the_mover_posts_or_waits() -> None:
    w = game("RC", (1, 2, 3, 4, 5, 6, 7), FOUR_EIGHT)
    w.hand("t3", 30, 3, 4, 5)
    grant = sc.GrantSeatChange(room=ROOM, table="t3", player_id="p2", seat=8)
    assert found(w.seat(grant), se.SeatChanged).to_seat == 8
    deal = w.hand("t3", 31, 4, 5, 6, dealt_in=(1, 3, 4, 5, 6, 7))
    refusal = w.no_hand("t3", "p2", deal)
    assert (refusal.code, refusal.rules) == ("POST_NEEDED", ("RC-T8",))
    granted: Any = w.ask_hand("t3", "p2", deal, 400)[0]
    assert (granted.post_cents, granted.dead_cents) == (400, 0)
    assert w.ask_hand("t3", "p2", w.hand("t3", 33, 6, 7, 8, dealt_in=(1, 3, 4, 5, 6, 7)))


@pytest.mark.rule("RC-T8", 2)
def test_who_is_in_the_blinds_finishes_them_first() -> None:
    w = game("RC", (1, 2, 3, 4, 5, 6, 7), FOUR_EIGHT)
    w.hand("t3", 31, 7, 1, 2, over=False)
    grant = sc.GrantSeatChange(room=ROOM, table="t3", player_id="p2", seat=8)
    due = found(w.seat(grant), se.MoveDue)
    assert (due.move.when, due.move.rules) == ("blinds_only", ("RC-T8",))
    assert w.ask_hand("t3", "p2", w.hand("t3", 32, 1, 2, 3))
    refusal = w.no_hand("t3", "p2", w.hand("t3", 33, 2, 3, 4, dealt_in=(1, 3, 4)))
    assert refusal.code == "MUST_MOVE"
    w.seat(change("p2", 8))
    assert w.who("t3")[8] == "p2"


@pytest.mark.rule("WP-2S12", 1)
def test_the_earliest_request_wins_and_the_seat_left_goes_to_the_list() -> None:
    w = FloorWorld("WP", FOUR_EIGHT, at="13:00")
    w.open("t3", players={n: f"p{n}" for n in range(1, 10)})
    w.hand("t3", 1, 1, 3, 4)
    w.time("13:01").seat(asks("p8"))
    w.time("13:05").seat(asks("p2", 6))
    w.time("13:30")
    leaves(w, 6)
    w.seat(assign(6))
    assert w.who("t3")[6] == "p8"
    assert w.no(w.seat, assign(8)).code == "NOBODY_ASKED"
    w.seat(lock(8, "rex"))


@pytest.mark.rule("WP-2S12", 2)
def test_a_marker_fixes_a_newcomer_unless_that_very_seat_was_asked_for_before() -> None:
    w = game("WP", range(1, 10), FOUR_EIGHT)
    w.hand("t3", 1, 1, 3, 4)
    leaves(w, 6)
    w.seat(lock(6, "rex", LockKind.MARKER))
    refusal = w.time("19:05").no(w.seat, asks("p2", 6))
    assert (refusal.code, refusal.rules) == ("NEWCOMER_FIXED", ("WP-2S12",))

    w = game("WP", range(1, 10), FOUR_EIGHT)
    w.hand("t3", 1, 1, 3, 4)
    w.seat(asks("p2", 6))
    leaves(w.time("19:05"), 6)
    w.seat(lock(6, "rex", LockKind.MARKER))
    w.seat(assign(6))
    assert w.who("t3")[6] == "p2"
    kept = w.table("t3").seats[1].lock
    assert kept is not None
    assert kept.player_id == "rex"


# --- situations ---


def test_who_declines_an_open_seat_keeps_the_place_in_the_order_of_requests() -> None:
    w = game("WP", range(1, 10), FOUR_EIGHT)
    w.hand("t3", 1, 1, 3, 4)
    w.seat(asks("p2"))
    w.time("19:05").seat(asks("p5"))
    leaves(w, 8)
    w.seat(sc.DeclineSeat(room=ROOM, table="t3", player_id="p2", seat=8))
    w.seat(assign(8))
    assert w.who("t3")[8] == "p5"
    leaves(w, 9)
    w.seat(assign(9))
    assert w.who("t3")[9] == "p2"


def test_the_floor_may_cancel_the_request_of_one_who_declines() -> None:
    w = game("WP", range(1, 10), FOUR_EIGHT)
    w.seat(asks("p2"))
    cancel = sc.DeclineSeat(room=ROOM, table="t3", player_id="p2", seat=8, cancel=True)
    assert w.no(w.seat, cancel, "dealer").code == "NEEDS_FLOOR"
    w.seat(cancel, "floor")
    assert w.table("t3").requests == ()


def test_two_in_each_others_seats_are_put_right_and_both_facts_stay() -> None:
    w = game("WP", range(1, 10), FOUR_EIGHT)
    w.hand("t3", 1, 1, 3, 4)
    put_right = sc.CorrectSeats(
        room=ROOM, table="t3", seats=(5, 6), reason="sat in each other's seats for hand 1"
    )
    assert w.no(w.seat, put_right, "dealer").code == "NEEDS_FLOOR"
    swapped = found(w.seat(put_right), se.SeatsSwapped)
    assert "hand 1" in swapped.reason
    assert (w.who("t3")[5], w.presence("p5").seat) == ("p6", 6)
    assert w.table("t3").deal is not None  # the hand that was played stands


@pytest.mark.rule("WP-413")
def test_a_seat_nearer_the_blinds_costs_nothing_and_a_farther_one_waits_out_the_distance() -> None:
    w = game("WP", (1, 2, 3, 4, 5, 6, 7, 9), FOUR_EIGHT)
    w.once_round("t3")
    farther = found(w.seat(change("p5", 8)), se.SeatChanged)
    assert (farther.entry.kind, farther.entry.place) == (EntryKind.SAME_PLACE, 0)
    rest = (1, 2, 3, 4, 6, 7, 9)
    for number, small, big in ((20, 3, 4), (21, 4, 6)):
        deal = w.hand("t3", number, small - 1, small, big, dealt_in=rest)
        assert w.no_hand("t3", "p5", deal).rules == ("WP-413",)
        assert w.ask_hand("t3", "p5", deal, 400)
    assert w.ask_hand("t3", "p5", w.hand("t3", 22, 4, 6, 7, dealt_in=rest))

    w = game("WP", (1, 2, 3, 4, 5, 7, 8, 9), FOUR_EIGHT)
    w.once_round("t3")
    nearer = found(w.seat(change("p8", 6)), se.SeatChanged)
    assert nearer.entry.kind is EntryKind.PLAYING


def test_who_was_next_for_the_big_blind_and_moves_away_waits_for_it() -> None:
    w = game("WP", (1, 2, 3, 4, 5, 7, 8), FOUR_EIGHT)
    w.once_round("t3")
    moved = found(w.seat(change("p4", 9)), se.SeatChanged)
    assert moved.entry.place == -1
    rest = (1, 2, 3, 5, 7, 8)
    assert w.no_hand("t3", "p4", w.hand("t3", 20, 5, 7, 8, dealt_in=rest)).code == "POST_NEEDED"
    assert w.ask_hand("t3", "p4", w.hand("t3", 21, 7, 8, 9, dealt_in=rest))


@pytest.mark.rule("WP-412c")
def test_in_a_new_game_a_seat_that_no_blind_has_passed_costs_nothing() -> None:
    w = game("WP", (1, 2, 3, 4, 5, 7, 8), FOUR_EIGHT)
    w.hand("t3", 1, 1, 2, 3)
    free = found(w.seat(change("p4", 9)), se.SeatChanged)
    assert (free.entry.kind, "WP-412c" in free.rules) == (EntryKind.PLAYING, True)
    assert w.ask_hand("t3", "p4", w.hand("t3", 2, 2, 3, 5, dealt_in=(1, 2, 3, 5, 7, 8)))


def test_a_book_that_has_seat_changers_wait_gives_them_no_grace_in_a_new_game() -> None:
    w = game("RC", (1, 2, 3, 4, 5, 7, 8), FOUR_EIGHT)
    w.hand("t3", 1, 1, 2, 3)
    moved = found(w.seat(change("p4", 9)), se.SeatChanged)
    assert moved.entry.kind is EntryKind.UNTIL_BIG_BLIND
