"""The worked cases of moves to other tables and broken games, played as written on the pure core."""

from typing import Any

import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known import Form
from cardroom.seating import commands as sc
from cardroom.seating import events as se
from cardroom.seating.here import here_at
from cardroom.seating.moves import classed
from cardroom.seating.values import EntryKind, LockKind
from tests.plugins.floor_world import (
    FOUR_EIGHT,
    SIX_TWELVE,
    TWENTY_FORTY,
    FloorWorld,
    clean,
    found,
    limit,
    stud,
)
from tests.plugins.world import ROOM

TEN_TWENTY = limit(10, 20, (5, 10))
FORTY_EIGHTY = limit(40, 80, (20, 40))


def approve(person: str, table: str, to_table: str, seat: int) -> Any:
    return sc.ApproveTableChange(
        room=ROOM, table=table, player_id=person, to_table=to_table, to_seat=seat
    )


def move(
    person: str, table: str, to_table: str, seat: int, stack: int | None = None, **more: Any
) -> Any:
    return sc.MovePlayer(
        room=ROOM,
        table=table,
        player_id=person,
        to_table=to_table,
        to_seat=seat,
        stack_cents=stack,
        **{"standing": clean(person), **more},
    )


def two(
    book: str, game: Any, seats: Any = range(1, 10), there: Any = (1, 2, 3, 4), other: Any = None
) -> FloorWorld:
    """A game at t3 and one at t6, both running."""
    w = FloorWorld(book, game, *([other] if other else []))
    w.open("t3", game, players={n: f"p{n}" for n in seats})
    w.open("t6", other or game, players={n: f"q{n}" for n in there})
    if game.form is not Form.STUD:
        w.hand("t6", 1, 1, 2, 3)
    return w


def waiting(w: FloorWorld, names: int) -> None:
    w.seat(sc.NoteWaiting(room=ROOM, table="t3", names=names))


# --- table changes by choice ---


@pytest.mark.rule("LC-95", 1)
def test_every_table_change_needs_approval() -> None:
    w = two("LC", SIX_TWELVE)
    refusal = w.no(w.seat, move("p4", "t3", "t6", 5, 8000), "dealer")
    assert refusal.code == "FLOOR_APPROVAL_REQUIRED"
    assert "LC-95" in refusal.rules
    assert w.no(w.seat, approve("p4", "t3", "t6", 5), "dealer").rules == refusal.rules
    w.seat(approve("p4", "t3", "t6", 5), "floor")
    w.seat(move("p4", "t3", "t6", 5, 8000), "dealer")
    assert w.who("t6")[5] == "p4"


@pytest.mark.rule("LC-96", 1)
def test_a_table_change_takes_effect_at_once() -> None:
    w = two("LC", SIX_TWELVE)
    w.hand("t3", 10, 8, 9, 1, over=False)
    w.seat(approve("p5", "t3", "t6", 5))
    rest = (1, 2, 3, 4, 6, 7, 8, 9)
    refusal = w.no_hand("t3", "p5", w.hand("t3", 11, 9, 1, 2, dealt_in=rest))
    assert (refusal.code, refusal.rules) == ("MUST_MOVE", ("LC-96",))


@pytest.mark.rule("LC-96", 2)
def test_who_is_in_the_blinds_finishes_blinds_and_button() -> None:
    w = two("LC", SIX_TWELVE)
    w.hand("t3", 10, 3, 4, 5, over=False)
    w.seat(approve("p5", "t3", "t6", 5))
    assert w.ask_hand("t3", "p5", w.hand("t3", 11, 4, 5, 6))
    assert w.ask_hand("t3", "p5", w.hand("t3", 12, 5, 6, 7))
    rest = (1, 2, 3, 4, 6, 7, 8, 9)
    refusal = w.no_hand("t3", "p5", w.hand("t3", 13, 6, 7, 8, dealt_in=rest))
    assert refusal.rules == ("LC-96",)


@pytest.mark.rule("LC-134", 1)
def test_a_change_of_limit_may_wait_for_the_big_blind() -> None:
    w = two("LC", TWENTY_FORTY, other=FORTY_EIGHTY)
    w.hand("t3", 10, 1, 2, 3, over=False)
    w.seat(approve("p6", "t3", "t6", 7))
    rest = (1, 2, 3, 4, 5, 7, 8, 9)
    for number, big in ((11, 4), (12, 5)):
        assert w.ask_hand("t3", "p6", w.hand("t3", number, big - 2, big - 1, big))
    lock = w.table("t6").seats[6].lock
    assert lock is not None
    assert (lock.player_id, lock.kind) == ("p6", LockKind.MOVE)
    refusal = w.no_hand("t3", "p6", w.hand("t3", 13, 4, 5, 6, dealt_in=rest))
    assert refusal.rules == ("LC-134",)
    short = w.no(w.seat, move("p6", "t3", "t6", 7, 39_900))
    assert short.code == "BELOW_MINIMUM_BUY_IN"
    w.seat(move("p6", "t3", "t6", 7, 40_000))
    deal = w.hand("t6", 2, 2, 3, 4)
    refusal = w.no_hand("t6", "p6", deal)
    assert refusal.options[:2] == ("post $40", "wait for the big blind")


@pytest.mark.rule("LC-134", 2)
def test_a_change_at_the_same_limit_does_not_wait() -> None:
    w = two("LC", TWENTY_FORTY)
    w.hand("t3", 10, 1, 2, 3, over=False)
    w.seat(approve("p6", "t3", "t6", 7))
    rest = (1, 2, 3, 4, 5, 7, 8, 9)
    refusal = w.no_hand("t3", "p6", w.hand("t3", 11, 2, 3, 4, dealt_in=rest))
    assert (refusal.code, refusal.rules) == ("MUST_MOVE", ("LC-96",))


@pytest.mark.rule("LC-GL-table-change", 1)
def test_a_move_to_a_game_of_the_same_kind_and_limit_is_a_table_change() -> None:
    w = two("LC", SIX_TWELVE, there=(1, 2), other=limit(3, 6, (1, 3)))
    w.open("t5", SIX_TWELVE)
    occasion: Any = None
    here = here_at(w.seating.streams, occasion, ROOM, "t3")
    assert classed(here, here_at(w.seating.streams, occasion, ROOM, "t5")) == "table_change"
    assert classed(here, here_at(w.seating.streams, occasion, ROOM, "t6")) == "game_change"


@pytest.mark.rule("WP-2S3", 2)
def test_a_move_that_leaves_the_shorter_game_is_refused() -> None:
    w = two("WP", FOUR_EIGHT, seats=range(1, 9), there=range(1, 8))
    refusal = w.no(w.seat, approve("p4", "t3", "t6", 9))
    assert (refusal.code, refusal.rules) == ("LEAVES_SHORTER_GAME", ("WP-2S3",))
    w = two("WP", FOUR_EIGHT, seats=range(1, 9), there=range(1, 7))
    w.seat(approve("p4", "t3", "t6", 9))


@pytest.mark.rule("WP-2S13", 1)
def test_with_names_waiting_one_who_took_a_blind_plays_through_the_button() -> None:
    w = two("WP", FOUR_EIGHT)
    waiting(w, 2)
    w.hand("t3", 1, 1, 2, 3, over=False)
    w.seat(approve("p3", "t3", "t6", 9))
    assert w.ask_hand("t3", "p3", w.hand("t3", 2, 2, 3, 4))
    assert w.ask_hand("t3", "p3", w.hand("t3", 3, 3, 4, 5))
    rest = (1, 2, 4, 5, 6, 7, 8, 9)
    refusal = w.no_hand("t3", "p3", w.hand("t3", 4, 4, 5, 6, dealt_in=rest))
    assert (refusal.code, refusal.rules) == ("MUST_MOVE", ("WP-2S13",))


@pytest.mark.rule("WP-2S13", 2)
def test_with_two_names_waiting_the_move_is_immediate_with_one_up_to_the_blind() -> None:
    w = two("WP", FOUR_EIGHT)
    waiting(w, 2)
    w.hand("t3", 1, 1, 2, 3, over=False)
    w.seat(approve("p7", "t3", "t6", 9))
    rest = (1, 2, 3, 4, 5, 6, 8, 9)
    refusal = w.no_hand("t3", "p7", w.hand("t3", 2, 2, 3, 4, dealt_in=rest))
    assert (refusal.code, refusal.rules) == ("MUST_MOVE", ("WP-2S13",))

    w = two("WP", FOUR_EIGHT)
    waiting(w, 1)
    w.hand("t3", 1, 1, 2, 3, over=False)
    w.seat(approve("p7", "t3", "t6", 9))
    for number, big in ((2, 4), (3, 5), (4, 6)):
        assert w.ask_hand("t3", "p7", w.hand("t3", number, big - 2, big - 1, big))
    assert w.no_hand("t3", "p7", w.hand("t3", 5, 5, 6, 7, dealt_in=rest)).code == "MUST_MOVE"


@pytest.mark.rule("WP-2S13", 3)
def test_in_stud_a_mover_plays_one_more_hand_when_nobody_waits() -> None:
    for names, allowed in ((1, 12), (0, 13)):
        w = two("WP", stud(10, 20))
        waiting(w, names)
        w.hand("t3", 12, over=False)
        w.seat(approve("p4", "t3", "t6", 9))
        for number in (13, 14):
            deal = w.hand("t3", number, dealt_in=(1, 2))
            if number <= allowed:
                assert w.ask_hand("t3", "p4", deal)
            else:
                assert w.no_hand("t3", "p4", deal).rules == ("WP-2S13",)


# --- forced moves ---


def breaks(
    w: FloorWorld, table: str = "t3", stacks: dict[str, int] | None = None, **more: Any
) -> Any:
    return w.seat(
        sc.BreakTable(
            room=ROOM,
            table=table,
            reason="short",
            stacks=tuple((stacks or {}).items()),
            **more,
        )
    )


def draw(w: FloorWorld, cards: dict[str, str], *seats: tuple[str, int]) -> Any:
    return w.seat(
        sc.DrawForSeats(room=ROOM, table="t3", cards=tuple(cards.items()), seats=tuple(seats))
    )


@pytest.mark.rule("LC-90", 1)
def test_a_forced_mover_at_low_limit_is_a_new_player_and_posts_nothing() -> None:
    w = two("LC", SIX_TWELVE, seats=(1,), there=(1, 2, 4, 5, 9))
    breaks(w, stacks={"p1": 6000})
    w.seat(move("p1", "t3", "t6", 3))
    deal = w.hand("t6", 2, 9, 1, 2)
    granted: Any = w.ask_hand("t6", "p1", deal)[0]
    assert (granted.post_cents, w.seated("t6", 3).entry.kind) == (0, EntryKind.NEW)
    assert "LC-90" in granted.rules


@pytest.mark.rule("LC-90", 2)
def test_a_forced_mover_at_high_limit_posts_as_a_new_player() -> None:
    w = two("LC", TWENTY_FORTY, seats=(1,), there=(1, 2, 3, 4, 5))
    breaks(w, stacks={"p1": 30_000})
    w.seat(move("p1", "t3", "t6", 7))
    deal = w.hand("t6", 2, 1, 2, 3)
    refusal = w.no_hand("t6", "p1", deal)
    assert (refusal.code, refusal.rules) == ("POST_NEEDED", ("LC-127",))
    granted: Any = w.ask_hand("t6", "p1", deal, 2000)[0]
    assert granted.dead_cents == 0


@pytest.mark.rule("LC-142", 1)
def test_missed_blind_buttons_do_not_go_along_to_the_main_game() -> None:
    w = FloorWorld("LC", TWENTY_FORTY)
    w.open("t3", players={n: f"p{n}" for n in range(1, 9)})
    w.open("t5", feeds="t3")
    w.sits("t5", 4, "ed", missed=2)
    w.sits("t5", 5, "al")
    w.seat(sc.OrderMustMove(room=ROOM, table="t5", player_id="ed", to_table="t3", to_seat=9))
    w.hand("t3", 1, 1, 2, 3)
    w.seat(move("ed", "t5", "t3", 9, 30_000))
    assert w.seated("t3", 9).missed_buttons == 0
    granted: Any = w.ask_hand("t3", "ed", w.hand("t3", 2, 2, 3, 4))[0]
    assert granted.post_cents == 0


# --- broken games ---


@pytest.mark.rule("LC-92", 1)
def test_players_of_a_short_game_cut_for_a_seat_at_a_lower_limit() -> None:
    w = FloorWorld("LC", TWENTY_FORTY, TEN_TWENTY)
    w.open("t3", players={1: "ann", 2: "bo", 3: "cy", 4: "di"})
    w.open("t6", TEN_TWENTY, players={n: f"q{n}" for n in range(1, 9)})
    cut = sc.CutForSeat(
        room=ROOM,
        table="t3",
        to_table="t6",
        to_seat=9,
        cards=(("ann", "9d"), ("bo", "Js"), ("cy", "Jh")),
    )
    drawn = found(w.seat(cut), se.DrawHeld)
    assert (drawn.winner, [who for who, _ in drawn.cards]) == ("bo", ["ann", "bo", "cy"])
    assert "LC-28" in drawn.rules
    lock = w.table("t6").seats[8].lock
    assert lock is not None
    assert lock.player_id == "bo"
    assert set(w.who("t3").values()) == {"ann", "bo", "cy", "di"}


@pytest.mark.rule("LC-92", 2)
def test_five_players_are_no_short_game() -> None:
    w = FloorWorld("LC", TWENTY_FORTY, TEN_TWENTY)
    w.open("t3", players=range(1, 6))
    w.open("t6", TEN_TWENTY)
    cut = sc.CutForSeat(room=ROOM, table="t3", to_table="t6", to_seat=9, cards=(("p1", "9d"),))
    refusal = w.no(w.seat, cut)
    assert refusal.code == "NOT_SHORT_HANDED"
    assert "LC-92" in refusal.rules


def kim(players: int) -> FloorWorld:
    w = FloorWorld("LC", SIX_TWELVE)
    w.open("t3", players={n: f"p{n}" for n in range(2, players + 1)})
    w.sits("t3", 1, "kim")
    w.open("t6", players={n: f"q{n}" for n in range(1, 9)})
    breaks(w, refused_blind_by="kim")
    return w


@pytest.mark.rule("LC-93", 1)
def test_who_broke_a_game_of_five_has_no_part_in_the_draw() -> None:
    w = kim(5)
    cards = {"p2": "2c", "p3": "3c", "p4": "4c", "p5": "5c"}
    with pytest.raises(Refused) as refused:
        draw(w, {**cards, "kim": "As"}, ("t6", 9))
    assert refused.value.code == "BROKE_THE_GAME"
    assert "LC-93" in refused.value.rules
    ordered = found(draw(w, cards, ("t6", 9)), se.SeatOrderSet)
    assert ordered.order == ("p5", "p4", "p3", "p2")


@pytest.mark.rule("LC-93", 2)
def test_who_broke_a_short_game_draws_like_the_others() -> None:
    w = kim(4)
    cards = {"p2": "2c", "p3": "3c", "p4": "4c", "kim": "As"}
    ordered = found(draw(w, cards, ("t6", 9)), se.SeatOrderSet)
    assert ordered.order[0] == "kim"


def seven(missed: int) -> FloorWorld:
    w = FloorWorld("LC", SIX_TWELVE)
    names = {1: "ann", 2: "bo", 3: "cy", 4: "di", 5: "ed", 6: "fay", 7: "gus"}
    w.open("t3", players=names)
    w.open("t6", players={n: f"q{n}" for n in range(1, 8)})
    w.absent("t3", 4, 20, missed=missed)
    return w


@pytest.mark.rule("LC-94a", 1)
def test_the_players_of_a_broken_game_draw_and_who_has_buttons_is_left_out() -> None:
    w = seven(1)
    gone = se.PlayerAway(
        room=ROOM,
        table="t3",
        seat=3,
        player_id="cy",
        absence=w.seated("t3", 4).away or pytest.fail("di is away"),
        hold_button=False,
    )
    w.given("t3", gone)
    breaks(w)
    cards = {"ann": "Kd", "bo": "9s", "cy": "Kh", "ed": "5c", "fay": "Jc", "gus": "2h"}
    ordered = found(draw(w, cards, ("t6", 8), ("t6", 9)), se.SeatOrderSet)
    assert ordered.order == ("cy", "ann", "fay", "bo", "ed", "gus")
    assert ordered.given == (("cy", "t6", 8), ("ann", "t6", 9))
    assert ordered.without_seat == ("fay", "bo", "ed", "gus")
    assert "LC-94a" in ordered.rules


@pytest.mark.rule("LC-94a", 2)
def test_an_absent_player_with_a_hold_button_is_not_drawn_for() -> None:
    w = seven(0)
    breaks(w)
    with pytest.raises(Refused) as refused:
        draw(w, {"ann": "Kd", "di": "As"}, ("t6", 8))
    assert (refused.value.code, refused.value.rules) == ("NOT_DRAWN_FOR", ("LC-94a",))


@pytest.mark.rule("LC-94b", 1)
def test_missed_blind_buttons_go_along_when_there_are_seats_for_all() -> None:
    w = FloorWorld("LC", SIX_TWELVE)
    w.open("t3", players={1: "ann", 2: "bo", 3: "cy", 4: "di"})
    w.open("t6", players={n: f"q{n}" for n in range(1, 6)})
    w.hand("t6", 1, 1, 2, 3)
    w.absent("t3", 4, 20, missed=2)
    breaks(w, stacks={"ann": 6000, "bo": 6000, "cy": 6000, "di": 6000})
    draw(w, {"ann": "Kd", "bo": "9s", "cy": "Kh"}, *(("t6", n) for n in (6, 7, 8, 9)))
    given = {"cy": 6, "ann": 7, "bo": 8, "di": 9}
    for person, seat in given.items():
        w.seat(move(person, "t3", "t6", seat))
    assert (w.seated("t6", 9).missed_buttons, w.table("t6").is_full) == (2, True)
    assert w.seated("t6", 9).away is not None
    missed = w.seat(sc.NoteMissedBlind(room=ROOM, table="t6", seat=9))
    assert found(missed, se.MissedButtonGiven).count == 3
    assert found(missed, se.PickUpDue).rules == ("LC-97", "LC-GL-hold-button")


@pytest.mark.rule("RC-T9", 1)
def test_the_floor_draws_for_the_absent() -> None:
    w = FloorWorld("RC", FOUR_EIGHT)
    w.open("t3", players={1: "p", 2: "q", 3: "r"})
    w.open("t6")
    w.absent("t3", 2, 5)
    breaks(w)
    ordered = found(draw(w, {"p": "8d", "q": "Kc", "r": "8s"}), se.SeatOrderSet)
    assert (ordered.order, "RC-T9" in ordered.rules) == (("q", "r", "p"), True)


@pytest.mark.rule("WP-2S14", 1)
def test_a_seat_drawn_for_an_absent_player_is_kept_until_the_big_blind() -> None:
    w = FloorWorld("WP", SIX_TWELVE)
    w.open("t3", players={1: "val", 2: "wes", 3: "xen", 4: "yul"})
    w.open("t6", players={n: f"q{n}" for n in (1, 2, 3, 4, 5, 6, 9)})
    w.hand("t6", 1, 2, 3, 4)
    w.pump()
    w.absent("t3", 2, 5)
    breaks(w)
    cards = {"val": "Ks", "wes": "Kd", "xen": "9c", "yul": "4h"}
    ordered = found(draw(w, cards, ("t6", 8), ("t6", 7)), se.SeatOrderSet)
    assert ordered.given == (("val", "t6", 8), ("wes", "t6", 7))
    w.pump()
    assert w.names() == ["xen", "yul"]
    for number, big in ((2, 5), (3, 6)):
        w.hand("t6", number, big - 2, big - 1, big)
        assert w.table("t6").seats[6].lock is not None
    w.hand("t6", 4, 5, 6, 7)
    forfeited = found(w.seating.events(), se.SeatUnlocked)
    assert (forfeited.player_id, forfeited.first_on_list) == ("wes", True)
    assert forfeited.rules == ("WP-2S14",)
    w.pump()
    assert w.names() == ["wes", "xen", "yul"]


@pytest.mark.rule("WP-2S14", 2)
def test_in_stud_it_is_kept_for_two_hands() -> None:
    for back_during, seated in ((202, True), (203, False)):
        w = FloorWorld("WP", stud(10, 20))
        w.open("t3", players={1: "val", 2: "wes"})
        w.open("t6", players={1: "q1", 2: "q2"})
        w.hand("t6", 200)
        w.absent("t3", 2, 5)
        breaks(w, stacks={"wes": 30_000, "val": 30_000})
        draw(w, {"val": "2c", "wes": "Kd"}, ("t6", 7))
        for number in range(201, back_during + 1):
            w.hand("t6", number)
        lock = w.table("t6").seats[6].lock
        assert (lock is not None) == seated
        if not seated:
            forfeited = found(w.seating.events(), se.SeatUnlocked)
            assert (forfeited.player_id, forfeited.first_on_list) == ("wes", True)


def test_players_of_a_frozen_game_go_ahead_of_newcomers_on_the_list_of_their_limit() -> None:
    w = FloorWorld("WP", FOUR_EIGHT)
    w.open("t3", players={1: "ann", 2: "bo"})
    w.open("t6", players={n: f"q{n}" for n in range(1, 10)})
    w.hand("t6", 1, 1, 2, 3)
    w.pump()
    w.sign_up("new")
    breaks(w)
    draw(w, {"ann": "2c", "bo": "Kd"})
    w.pump()
    assert w.names() == ["bo", "ann", "new"]


def test_the_server_draws_from_a_seed_that_is_on_record() -> None:
    w = FloorWorld("RC", FOUR_EIGHT)
    w.open("t3", players={1: "p", 2: "q", 3: "r"})
    breaks(w)
    drawn = found(draw(w, {}), se.DrawHeld)
    from cardroom.seating.draws import from_seed

    assert tuple(card for _, card in drawn.cards) == from_seed(bytes.fromhex(drawn.seed), 3)
    assert len({card for _, card in drawn.cards}) == 3
