"""The worked cases of absence, playing over and playing for others, played as written on the pure core."""

from typing import Any

import pytest

from cardroom.seating import commands as sc
from cardroom.seating import events as se
from cardroom.seating.here import INSTANT
from cardroom.seating.values import Deal
from tests.plugins.floor_world import (
    FOUR_EIGHT,
    SIX_TWELVE,
    FloorWorld,
    clean,
    clock,
    found,
    stud,
)
from tests.plugins.world import ROOM


def game(
    book: str, seats: Any = range(1, 10), terms: Any = SIX_TWELVE, at: str = "19:00"
) -> FloorWorld:
    w = FloorWorld(book, terms, at=at)
    w.open("t3", players={n: f"p{n}" for n in seats})
    return w


def pick_up(seat: int, dollars: int | None = None, reason: str = "") -> Any:
    cents = None if dollars is None else dollars * 100
    return sc.PickUpChips(room=ROOM, table="t3", seat=seat, chips_cents=cents, reason=reason)


def missed(w: FloorWorld, seat: int) -> Any:
    return w.seat(sc.NoteMissedBlind(room=ROOM, table="t3", seat=seat))


def due(w: FloorWorld) -> Any:
    return w.seating.events(se.PickUpDue)


# --- lobbying ---


@pytest.mark.rule("LC-TB", 1)
def test_lobbying_needs_nobodys_approval() -> None:
    w = game("LC")
    gone = found(
        w.seat(sc.LeaveTable(room=ROOM, table="t3", player_id="p4"), "dealer"), se.PlayerAway
    )
    assert gone.absence.since == clock("19:00")
    assert w.who("t3")[4] == "p4"


@pytest.mark.rule("LC-GL-lobby", 1)
def test_a_lobbying_player_keeps_the_seat_and_gets_no_hand() -> None:
    w = game("LC")
    w.away("t3", "p4")
    refusal = w.no_hand("t3", "p4", w.hand("t3", 20, 5, 6, 7))
    assert refusal.code == "PLAYER_AWAY"
    assert (w.who("t3")[4], w.seated("t3", 4).bought_cents) == ("p4", 10_000)


@pytest.mark.rule("LC-GL-hold-button", 1)
def test_who_is_absent_without_a_missed_blind_has_a_hold_button() -> None:
    w = game("LC")
    w.away("t3", "p6")
    assert (w.seated("t3", 6).hold_button, w.seated("t3", 6).missed_buttons) == (True, 0)
    missed(w, 6)
    assert (w.seated("t3", 6).hold_button, w.seated("t3", 6).missed_buttons) == (False, 1)


@pytest.mark.rule("LC-GL-missed-blind-button", 1)
def test_a_big_blind_that_goes_by_gives_a_missed_blind_button() -> None:
    from cardroom.adapters.bus.envelope import received
    from cardroom.api.tables.v1 import tables_events_pb2 as tables
    from cardroom.seating.inbox import from_tables

    w = game("LC")
    w.away("t3", "p6")
    told = tables.HandStarted(
        room=ROOM,
        table="t3",
        hand_number=31,
        button_seat=4,
        small_blind_seats=[5],
        big_blind_seats=[7],
        dealt_in=[tables.SeatPlayer(seat=n, player_id=f"p{n}") for n in (1, 2, 3, 4, 5, 7, 8, 9)],
        missed=[tables.MissedBlinds(seat=6, player_id="p6", big=True)],
    )
    for command in from_tables(received(told, source="tables", stream=f"table/{ROOM}/t3")):
        w.seat(command, "service")
    assert w.seated("t3", 6).missed_buttons == 1
    deal = w.table("t3").deal
    assert deal is not None
    assert deal.big == 7


@pytest.mark.rule("LC-97", 1)
def test_the_third_missed_blind_button_in_a_full_game_has_the_chips_picked_up() -> None:
    w = game("LC")
    w.absent("t3", 6, 30, missed=2)
    early = w.no(w.seat, pick_up(6, 215))
    assert (early.code, "LC-97" in early.rules) == ("PICK_UP_NOT_DUE", True)
    raised = found(missed(w, 6), se.PickUpDue)
    assert "LC-97" in raised.rules
    picked = w.seat(pick_up(6, 215))
    assert found(picked, se.ChipsPickedUp).chips_cents == 21_500
    assert found(picked, se.SeatOpened).seat == 6


@pytest.mark.rule("LC-97", 2)
def test_in_a_game_that_is_not_full_only_on_request_of_a_seated_player() -> None:
    w = game("LC", (1, 2, 3, 4, 5, 6, 8))
    w.hand("t3", 1, 1, 2, 3)
    w.absent("t3", 6, 30, missed=2)
    missed(w, 6)
    assert due(w) == []
    assert w.no(w.seat, pick_up(6)).code == "PICK_UP_NOT_DUE"
    w.seat(sc.RequestSeatChange(room=ROOM, table="t3", player_id="p2", seat=6))
    assert len(due(w)) == 1
    w.seat(pick_up(6, 100))
    w.seat(sc.AssignOpenSeat(room=ROOM, table="t3", seat=6))
    assert w.who("t3")[6] == "p2"


def test_it_falls_due_as_well_when_the_game_fills() -> None:
    w = game("LC", (1, 2, 3, 4, 5, 6, 7, 8))
    w.hand("t3", 1, 1, 2, 3)
    w.absent("t3", 6, 30, missed=3)
    standing = clean("new")
    w.seat(sc.LockSeat(room=ROOM, table="t3", seat=9, player_id="new", standing=standing))
    w.seat(
        sc.TakeSeat(
            room=ROOM,
            table="t3",
            seat=9,
            player_id="new",
            buy_in_cents=6000,
            standing=standing,
        )
    )
    assert [event.seat for event in due(w)] == [6]


@pytest.mark.rule("LC-98", 1)
def test_repeated_lobbying_may_have_the_chips_picked_up_earlier_with_a_reason() -> None:
    w = game("LC", at="18:00")
    for start in ("18:00", "18:20", "18:40", "19:00"):
        w.time(start).away("t3", "p6")
        w.time(f"{start[:3]}{int(start[3:]) + 10}")
        w.seat(sc.ReturnToTable(room=ROOM, table="t3", player_id="p6"))
    w.time("19:20").away("t3", "p6")
    for _ in range(2):
        missed(w, 6)
    refusal = w.no(w.seat, pick_up(6, 90))
    assert (refusal.code, "LC-98" in refusal.rules) == ("PICK_UP_NOT_DUE", True)
    picked = found(w.seat(pick_up(6, 90, "repeated lobbying")), se.ChipsPickedUp)
    assert (picked.chips_cents, len(picked.absences), picked.rules) == (9000, 5, ("LC-98",))


@pytest.mark.rule("LC-99", 1)
def test_in_stud_an_absence_is_limited_to_fifteen_minutes() -> None:
    w = game("LC", terms=stud(10, 20), at="20:00")
    w.away("t3", "p5")
    w.time("20:15")
    assert due(w) == []
    w.time("20:16")
    (raised,) = due(w)
    assert raised.at == clock("20:15") + INSTANT
    assert "LC-99" in raised.rules


@pytest.mark.rule("LC-99", 2)
def test_a_meal_break_comes_once_in_four_hours() -> None:
    w = game("LC", terms=stud(10, 20), at="14:00")
    meal = sc.StartMealBreak(room=ROOM, table="t3", player_id="p5")
    w.seat(meal)
    w.time("14:30").seat(sc.ReturnToTable(room=ROOM, table="t3", player_id="p5"))
    refusal = w.time("17:40").no(w.seat, meal)
    assert (refusal.code, refusal.rules) == ("MEAL_BREAK_TOO_SOON", ("LC-99",))
    assert refusal.options == ("an ordinary absence",)
    granted = found(w.time("18:30").seat(meal), se.PlayerAway)
    assert granted.absence.overdue_from == clock("19:00") + INSTANT


@pytest.mark.rule("RC-G6", 1)
def test_after_twenty_minutes_the_floor_may_pick_up_and_nothing_goes_by_itself() -> None:
    w = game("RC", terms=FOUR_EIGHT, at="19:05")
    w.away("t3", "p7")
    assert due(w.time("19:24")) == []
    (raised,) = due(w.time("19:25"))
    assert (raised.seat, raised.at, raised.rules) == (7, clock("19:25"), ("RC-G6",))
    assert w.who("t3")[7] == "p7"


@pytest.mark.rule("RC-G6", 2)
def test_the_floor_picks_up_and_the_seat_is_offered_to_the_list() -> None:
    w = game("RC", terms=FOUR_EIGHT, at="19:05")
    w.hand("t3", 1, 1, 2, 3)
    w.pump()
    w.sign_up("v")
    w.away("t3", "p7")
    picked = w.time("19:27").seat(pick_up(7, 140))
    assert found(picked, se.ChipsPickedUp).chips_cents == 14_000
    w.pump()
    assert w.called() == ["v"]


@pytest.mark.rule("RC-G6a", 1)
def test_frequent_absence_is_shown_and_the_floor_decides() -> None:
    w = game("RC", terms=FOUR_EIGHT, at="18:00")
    for start, end in (("18:00", "18:15"), ("18:20", "18:38"), ("18:45", "19:00")):
        w.time(start).away("t3", "p3")
        w.time(end).seat(sc.ReturnToTable(room=ROOM, table="t3", player_id="p3"))
    review = sc.ReviewAbsences(room=ROOM, table="t3", seat=3)
    shown = found(w.time("19:05").seat(review), se.AbsencesReviewed)
    assert (shown.absences, shown.away_minutes) == (3, 48)
    assert shown.pick_up_offered == ("RC-G6a",)
    left = sc.ReviewAbsences(room=ROOM, table="t3", seat=3, left_seated_reason="was ill")
    assert found(w.seat(left), se.AbsencesReviewed).left_seated_reason == "was ill"
    picked = found(w.seat(pick_up(3, 95, "away most of the hour")), se.ChipsPickedUp)
    assert (picked.chips_cents, picked.rules) == (9500, ("RC-G6a",))


@pytest.mark.rule("WP-2P19", 1)
def test_thirty_minutes_exactly_is_not_too_long() -> None:
    w = game("WP", terms=FOUR_EIGHT, at="14:00")
    w.away("t3", "p5")
    assert due(w.time("14:30")) == []
    (raised,) = due(w.time("14:31"))
    assert (raised.at, raised.rules) == (clock("14:30") + INSTANT, ("WP-2P19",))
    picked = w.seat(pick_up(5, 180), "floor")
    assert found(picked, se.SeatOpened).seat == 5


@pytest.mark.rule("WP-2P19", 2)
def test_telling_the_floor_beforehand_lengthens_an_absence() -> None:
    w = game("WP", terms=FOUR_EIGHT, at="13:58")
    w.seat(sc.NotifyAbsence(room=ROOM, table="t3", player_id="p5", until=clock("15:00")))
    w.time("14:00").away("t3", "p5")
    assert due(w.time("14:31")) == []
    assert [event.at for event in due(w.time("15:01"))] == [clock("15:00") + INSTANT]


def test_with_three_away_and_a_list_each_may_lose_the_seat_only_past_the_limit() -> None:
    w = game("WP", terms=FOUR_EIGHT, at="14:00")
    for person in ("p1", "p2"):
        w.away("t3", person)
    w.time("14:20").away("t3", "p3")
    assert [event.seat for event in due(w.time("14:35"))] == [1, 2]
    w.seat(sc.ReturnToTable(room=ROOM, table="t3", player_id="p1"))
    assert w.no(w.seat, pick_up(1, 100)).code == "PICK_UP_NOT_DUE"
    w.seat(pick_up(2, 100))
    assert w.no(w.seat, pick_up(3, 100)).code == "PICK_UP_NOT_DUE"


# --- playing over and playing for others ---


@pytest.mark.rule("LC-23", 1)
@pytest.mark.rule("LC-GL-play-over", 1)
def test_playing_over_is_not_allowed() -> None:
    w = game("LC")
    w.hand("t3", 1, 1, 2, 3)
    w.pump()
    w.sign_up("ann", "bo")
    w.absent("t3", 4, 10, missed=1)
    for run in (
        sc.AllowPlayOver(room=ROOM, table="t3", seat=4, player_id="ann"),
        sc.PlayOverSeat(room=ROOM, table="t3", seat=4, player_id="ann", buy_in_cents=6000),
    ):
        refusal = w.no(w.seat, run)
        assert (refusal.code, refusal.rules) == ("NO_PLAYING_OVER", ("LC-23", "LC-GL-play-over"))
    assert (w.who("t3")[4], w.names()) == ("p4", ["ann", "bo"])


@pytest.mark.rule("RC-G8", 1)
def test_nobody_is_seated_where_anothers_chips_are() -> None:
    w = game("RC", terms=FOUR_EIGHT)
    w.absent("t3", 5, 12)
    refusal = w.no(
        w.seat,
        sc.LockSeat(room=ROOM, table="t3", seat=5, player_id="w", standing=clean("w")),
    )
    assert (refusal.code, refusal.rules) == ("SEAT_TAKEN", ("RC-G8",))
    w.seat(pick_up(5, 85, "frequent absence"))
    w.seat(sc.LockSeat(room=ROOM, table="t3", seat=5, player_id="w", standing=clean("w")))


def over(**more: Any) -> Any:
    return sc.PlayOverSeat(
        room=ROOM,
        table="t3",
        seat=4,
        player_id="sam",
        buy_in_cents=12_000,
        standing=clean("sam"),
        **more,
    )


@pytest.mark.rule("WP-2P11", 1)
def test_playing_over_takes_the_floors_permission_and_a_box() -> None:
    w = game("WP")
    w.absent("t3", 4, 10)
    w.seat(sc.AllowPlayOver(room=ROOM, table="t3", seat=4, player_id="sam"), "floor")
    refusal = w.no(w.seat, over())
    assert (refusal.code, refusal.rules) == ("NO_BOX", ("WP-2P11",))
    w.seat(sc.PlaceBox(room=ROOM, table="t3", seat=4))
    w.seat(over())
    playing = w.seated("t3", 4).play_over
    assert playing is not None
    assert (playing.player_id, playing.playing, playing.buy_in_cents) == ("sam", True, 12_000)
    assert w.seated("t3", 4).player_id == "p4"
    w.seat(sc.ReturnToTable(room=ROOM, table="t3", player_id="p4"))
    assert w.seated("t3", 4).play_over is None


@pytest.mark.rule("WP-2P11", 2)
def test_the_absent_players_word_does_not_replace_the_floors() -> None:
    w = game("WP")
    w.absent("t3", 4, 10)
    w.seat(sc.PlaceBox(room=ROOM, table="t3", seat=4))
    refusal = w.no(w.seat, over(owner_consents=True))
    assert (refusal.code, refusal.rules) == ("FLOOR_PERMISSION_NEEDED", ("WP-2P11",))


@pytest.mark.rule("RC-G12", 1)
def test_anothers_chips_are_played_for_one_round_at_most() -> None:
    w = game("RC", (1, 2, 3, 4, 5, 6, 7, 8), FOUR_EIGHT)
    w.hand("t3", 49, 2, 3, 4)
    w.away("t3", "p6")
    fifty = Deal(number=50, button=3, small=4, big=5)
    w.seat(
        sc.RegisterSubstitute(room=ROOM, table="t3", seat=6, player_id="q", deal=fifty), "dealer"
    )
    everybody = range(1, 9)
    for number in range(50, 58):
        button = (number - 50 + 2) % 8 + 1
        deal = w.hand("t3", number, button, button % 8 + 1, (button + 1) % 8 + 1, everybody)
        assert w.ask_hand("t3", "p6", deal)
    last = Deal(number=58, button=3, small=4, big=5)
    refusal = w.no_hand("t3", "p6", last)
    assert (refusal.code, refusal.rules) == ("SUBSTITUTE_OVER", ("RC-G12",))
    again = sc.RegisterSubstitute(room=ROOM, table="t3", seat=6, player_id="r", deal=last)
    assert w.no(w.seat, again).code == "SUBSTITUTE_OVER"


def give(**more: Any) -> Any:
    return sc.TransferSeat(
        room=ROOM,
        table="t3",
        player_id="p5",
        to_player_id="friend",
        buy_in_cents=6000,
        chips_cents=8800,
        standing=clean("friend"),
        **more,
    )


@pytest.mark.rule("LC-25", 1)
def test_a_seat_is_not_given_to_a_friend_without_the_floor() -> None:
    w = game("LC")
    w.hand("t3", 1, 1, 2, 3)
    w.pump()
    w.sign_up("n1", "n2", "n3")
    refusal = w.no(w.seat, give(), "dealer")
    assert refusal.code == "FLOOR_APPROVAL_REQUIRED"
    assert "LC-25" in refusal.rules
    w.seat(sc.LeaveSeat(room=ROOM, table="t3", player_id="p5", chips_cents=8800))
    w.pump()
    assert w.called() == ["n1"]


@pytest.mark.rule("LC-25", 2)
def test_with_the_floors_approval_the_friend_sits_as_a_new_player() -> None:
    w = game("LC")
    w.hand("t3", 1, 1, 2, 3)
    seated = found(w.seat(give(), "floor"), se.PlayerSeated)
    assert (seated.player_id, seated.seat, seated.buy_in_cents) == ("friend", 5, 6000)
    assert seated.entry.kind == "new"
    assert w.presence("p5").table == ""
