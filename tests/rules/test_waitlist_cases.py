"""The worked cases of sign-up boards and must-move lists, played as written on the pure cores."""

from typing import Any

import pytest

from cardroom.seating import commands as sc
from cardroom.seating.values import EntryKind
from cardroom.waitlist import commands as wc
from cardroom.waitlist import events as we
from cardroom.waitlist.values import Answer
from tests.plugins.floor_world import (
    SIX_TWELVE,
    TWENTY_FORTY,
    FloorWorld,
    clean,
    clock,
    found,
    limit,
    stud,
)
from tests.plugins.world import ROOM

G = TWENTY_FORTY.game_id


def answer(world: FloorWorld, person: str, said: Answer, game: Any = None, seat: int = 0) -> Any:
    return world.list(
        wc.AnswerCall(
            room=ROOM,
            game_id=(game or world.games[0]).game_id,
            entry_id=world.entry(person, game),
            answer=said,
            locked_seat=seat,
        )
    )


def seat_opens(world: FloorWorld, table: str, seat: int, game: Any = None) -> Any:
    return world.list(
        wc.NoteSeatOpen(room=ROOM, game_id=(game or world.games[0]).game_id, table=table, seat=seat)
    )


def running(world: FloorWorld, table: str, players: tuple[str, ...] = (), game: Any = None) -> None:
    """Let a game run at a table as far as the lists know."""
    game_id = (game or world.games[0]).game_id
    world.list(wc.NoteTableOpened(room=ROOM, game_id=game_id, table=table, seats=9, running=True))
    for seat, person in enumerate(players, 1):
        sat = wc.NoteSeated(room=ROOM, game_id=game_id, table=table, seat=seat, player_id=person)
        world.list(sat)


def high(*games: Any, book: str = "LC", at: str = "18:00") -> FloorWorld:
    return FloorWorld(book, *(games or (TWENTY_FORTY,)), at=at)


# --- call-ins ---


@pytest.mark.rule("LC-136", 1)
def test_a_phoned_in_name_that_does_not_answer_goes_to_the_bottom() -> None:
    w = high()
    running(w, "t1")
    w.sign_up("ann", "bo")
    w.sign_up("lee", phone=True)
    w.time("18:05").sign_up("mel")
    w.time("18:30")
    for seat, person in ((1, "ann"), (2, "bo")):
        seat_opens(w, "t1", seat)
        w.list(wc.NoteSeated(room=ROOM, game_id=G, table="t1", seat=seat, player_id=person))
    seat_opens(w, "t1", 3)
    assert w.called() == ["lee"]
    rolled = found(answer(w, "lee", Answer.NO_ANSWER), we.NameRolled)
    assert (rolled.outcome, rolled.rules) == ("to_bottom", ("LC-136",))
    assert w.names() == ["mel", "lee"]
    assert w.board().names[1].arrive_by == clock("19:00")
    w.time("18:45").list(wc.ReportArrived(room=ROOM, game_id=G, entry_id=w.entry("lee")))
    assert w.names() == ["mel", "lee"]


@pytest.mark.rule("LC-136", 2)
def test_the_call_in_hour_ends_once_it_has_passed() -> None:
    w = high()
    w.sign_up("lee", phone=True)
    w.time("19:00").list(wc.ReportArrived(room=ROOM, game_id=G, entry_id=w.entry("lee")))
    assert w.names() == ["lee"]

    w = high()
    w.sign_up("lee", phone=True)
    w.sign_up("mel")
    w.time("19:01")
    removed = found(w.waitlist.events(), we.NameRemoved)
    assert (removed.reason, removed.rules) == ("call_in_expired", ("LC-136",))
    assert removed.at > clock("19:00")
    w.sign_up("lee")
    assert w.names() == ["mel", "lee"]


def test_a_name_whose_hour_is_up_is_gone_even_before_the_timer_says_so() -> None:
    w = high()
    w.sign_up("lee", phone=True)
    entry = w.entry("lee")
    for world in w.worlds:
        world.at = clock("19:01")
    refusal = w.no(w.list, wc.ReportArrived(room=ROOM, game_id=G, entry_id=entry))
    assert (refusal.code, refusal.rules) == ("CALL_IN_EXPIRED", ("LC-136",))
    w.sign_up("lee")
    assert [name.by_phone for name in w.board().names] == [False]


@pytest.mark.rule("WP-2S1", 1)
def test_a_house_without_call_ins_takes_a_name_only_in_person() -> None:
    game = limit(4, 8, (2, 4))
    w = FloorWorld("WP", game, at="17:00")
    w.sign_up("n1", "n2", "n3", "n4")
    w.time("18:00")
    refusal = w.no(w.list, w.sign("walt", phone=True))
    assert (refusal.code, refusal.rules) == ("NOT_PRESENT", ("WP-2S1",))
    w.time("18:10").sign_up("xia")
    w.time("18:20").sign_up("walt")
    assert w.names()[4:] == ["xia", "walt"]


# --- the board ---


@pytest.mark.rule("LC-GL-waiting-list", 1)
def test_a_name_called_for_one_game_keeps_its_place_for_another() -> None:
    three_six = limit(3, 6, (1, 3))
    w = FloorWorld("LC", SIX_TWELVE, three_six)
    running(w, "t1")
    w.sign_up("ann")
    w.time("19:02").sign_up("bo")
    w.time("19:05").sign_up("ann", game=three_six)
    w.time("19:10")
    seat_opens(w, "t1", 4)
    assert w.called() == ["ann"]
    assert w.names(three_six) == ["ann"]
    assert w.called(three_six) == []


@pytest.mark.rule("WP-2S2", 1)
def test_a_lock_up_keeps_a_seat_and_a_name_that_does_not_answer_is_passed_over() -> None:
    w = FloorWorld("WP", SIX_TWELVE, at="19:30")
    w.open("t1", players=range(1, 10))
    w.hand("t1", 1, 1, 2, 3)
    w.pump()
    w.sign_up("yas", "zed", "abe", "bud")
    w.pump()
    w.list(wc.NoteLeaving(room=ROOM, game_id="6-12", entry_id=w.entry("yas")))
    w.list(wc.LeaveLockup(room=ROOM, game_id="6-12", entry_id=w.entry("yas"), amount_cents=2000))
    w.time("20:00")
    for seat in (4, 5):
        w.seat(sc.LeaveSeat(room=ROOM, table="t1", player_id=f"p{seat}", chips_cents=0))
    w.pump()
    assert w.called() == ["yas", "zed"]
    answer(w, "yas", Answer.NO_ANSWER)
    rolled = found(answer(w, "zed", Answer.NO_ANSWER), we.NameRolled)
    assert (rolled.outcome, rolled.rules) == ("passed_over", ("WP-2S2",))
    w.pump()
    lock = w.table("t1").seats[3].lock
    assert lock is not None
    assert (lock.player_id, lock.expires_at) == ("yas", clock("20:10"))
    assert lock.only_if_waiting
    calls = {n.player_id: n.call.seat for n in w.board().names if n.call}
    assert calls["abe"] == 5
    assert w.names() == ["yas", "zed", "abe", "bud"]


@pytest.mark.rule("WP-2S2", 2)
def test_a_lock_up_of_another_amount_is_refused() -> None:
    w = FloorWorld("WP")
    w.sign_up("yas")
    refusal = w.no(
        w.list,
        wc.LeaveLockup(room=ROOM, game_id="6-12", entry_id=w.entry("yas"), amount_cents=1000),
    )
    assert (refusal.code, refusal.rules) == ("LOCKUP_AMOUNT", ("WP-2S2",))
    assert refusal.options == ("$20",)


# --- must-move: linking and order ---


@pytest.mark.rule("LC-137", 1)
def test_only_games_of_one_type_and_limit_are_linked() -> None:
    omaha = limit(20, 40, (10, 20), "20-40-omaha", form="omaha")
    w = high(TWENTY_FORTY, omaha)
    running(w, "t3", tuple(f"m{n}" for n in range(9)))
    running(w, "t5")
    running(w, "t8", game=omaha)
    linked = found(w.list(wc.LinkMustMove(room=ROOM, feeder="t5", main="t3")), we.MustMoveLinked)
    assert (linked.feeder, linked.main, linked.rules) == ("t5", "t3", ("LC-137",))
    refusal = w.no(w.list, wc.LinkMustMove(room=ROOM, feeder="t8", main="t3"))
    assert (refusal.code, refusal.rules) == ("NOT_SAME_GAME", ("LC-137",))


def feeder(w: FloorWorld, order: tuple[str, ...], seats: dict[int, str]) -> None:
    """Sign names up, open a must-move game with them at t5, and let them sit in the order of `seats`."""
    w.open("t3", players=range(1, 10))
    w.once_round("t3")
    w.pump()
    w.sign_up(*order)
    w.open("t5", feeds="t3")
    w.pump()
    for seat, person in seats.items():
        take(w, "t5", seat, person)
    w.pump()


def take(w: FloorWorld, table: str, seat: int, person: str, cents: int = 40_000) -> Any:
    standing = clean(person)
    lock = sc.LockSeat(room=ROOM, table=table, seat=seat, player_id=person, standing=standing)
    w.seat(lock, override="set-up")
    return w.seat(
        sc.TakeSeat(
            room=ROOM,
            table=table,
            seat=seat,
            player_id=person,
            buy_in_cents=cents,
            standing=standing,
        )
    )


def main_seat_opens(w: FloorWorld, seat: int) -> Any:
    w.seat(sc.LeaveSeat(room=ROOM, table="t3", player_id=w.who("t3")[seat], chips_cents=0))
    w.pump()
    return w.must_move("t3").called_for(seat)


@pytest.mark.rule("LC-138", 1)
def test_the_must_move_list_keeps_the_order_of_the_waiting_list() -> None:
    w = high()
    names = ("ann", "bo", "cy", "di", "ed", "fay")
    feeder(w, names, {1: "cy", 2: "fay", 3: "ann", 4: "ed", 5: "bo", 6: "di"})
    w.sign_up("gus")
    take(w, "t5", 7, "gus")
    w.pump()
    assert [n.player_id for n in w.must_move("t3").names] == [*names, "gus"]
    assert main_seat_opens(w, 4).player_id == "ann"


@pytest.mark.rule("WP-2S9", 1)
def test_list_order_and_not_seat_order_decides_who_moves() -> None:
    w = high(book="WP")
    names = ("lea", "moe", "ned", "ola", "pat")
    feeder(w, names, {4: "lea", 1: "moe", 2: "ned", 7: "ola", 3: "pat"})
    for seat, person in zip((4, 5, 6, 7, 8), names, strict=True):
        assert main_seat_opens(w, seat).player_id == person


@pytest.mark.rule("WP-2S9", 2)
def test_who_refuses_the_move_is_out_and_barred_for_an_hour() -> None:
    w = FloorWorld("WP", TWENTY_FORTY, at="13:30")
    feeder(w, ("lea", "moe"), {4: "lea", 1: "moe"})
    w.hand("t5", 1, 0, 4, 1)
    assert main_seat_opens(w, 4).player_id == "lea"
    w.time("14:00").list(wc.DeclineMove(room=ROOM, main="t3", player_id="lea"))
    w.pump()
    called = w.must_move("t3").called_for(4)
    assert called is not None
    assert called.player_id == "moe"
    move = w.seated("t5", 4).move
    assert move is not None
    assert (move.kind, move.when, move.rules) == ("leave", "at_once", ("WP-2S9",))
    w.seat(sc.LeaveSeat(room=ROOM, table="t5", player_id="lea", chips_cents=17_000))
    w.pump()
    w.time("14:59")
    refusal = w.no(w.list, w.sign("lea"))
    assert (refusal.code, refusal.rules) == ("REFUSED_MUST_MOVE", ("WP-2S9",))
    w.sign_up("nat")
    w.time("15:00").sign_up("lea")
    assert w.names()[-1] == "lea"


@pytest.mark.rule("LC-139a", 1)
def test_who_refuses_may_play_up_to_the_big_blind_and_signs_up_an_hour_later() -> None:
    w = FloorWorld("LC", TWENTY_FORTY, at="20:45")
    feeder(w, ("bo", "al", "cy", "di", "ed", "fa"), {5: "bo", 1: "al", 2: "cy", 3: "di", 4: "ed"})
    w.hand("t5", 20, 4, 5, 1, over=False)
    bo = main_seat_opens(w, 4)
    assert bo.player_id == "bo"
    w.list(wc.DeclineMove(room=ROOM, main="t3", player_id="bo"))
    w.pump()
    called = w.must_move("t3").called_for(4)
    assert called is not None
    assert called.player_id == "al"
    for number, small, big in ((21, 1, 2), (22, 2, 3), (23, 3, 4)):
        deal = w.hand("t5", number, big - 2, small, big)
        assert w.ask_hand("t5", "bo", deal)
    as_big = w.hand("t5", 24, 3, 4, 5, dealt_in=(1, 2, 3, 4))
    refusal = w.no_hand("t5", "bo", as_big)
    assert (refusal.code, "LC-139a" in refusal.rules) == ("MUST_MOVE", True)
    w.time("21:10").seat(sc.LeaveSeat(room=ROOM, table="t5", player_id="bo", chips_cents=9000))
    w.pump()
    w.time("22:05")
    assert w.no(w.list, w.sign("bo")).rules == ("LC-139a",)
    w.time("22:10").sign_up("bo")
    assert w.names()[-1] == "bo"


# --- must-move: when the move takes place ---


@pytest.mark.rule("LC-139", 1)
@pytest.mark.rule("LC-GL-must-move-game", 1)
def test_a_called_player_gets_no_further_hand() -> None:
    w = high()
    feeder(w, ("ann", "bo", "cy", "di"), {6: "ann", 1: "bo", 2: "cy", 3: "di"})
    w.hand("t5", 20, 1, 2, 3, over=False)
    called = main_seat_opens(w, 4)
    assert called.player_id == "ann"
    next_hand = w.hand("t5", 21, 2, 3, 6, dealt_in=(1, 2, 3))
    refusal = w.no_hand("t5", "ann", next_hand)
    assert (refusal.code, refusal.rules) == ("MUST_MOVE", ("LC-139",))
    w.seat(
        sc.MovePlayer(
            room=ROOM, table="t5", player_id="ann", to_table="t3", to_seat=4, stack_cents=20_000
        )
    )
    assert w.who("t3")[4] == "ann"


@pytest.mark.rule("LC-139b", 1)
def test_a_player_called_in_the_blinds_finishes_them_and_the_button() -> None:
    w = high()
    feeder(w, ("cy", "al", "bo", "di"), {3: "cy", 1: "al", 2: "bo", 4: "di"})
    w.hand("t5", 20, 2, 3, 4, over=False)
    assert main_seat_opens(w, 5).player_id == "cy"
    button = w.hand("t5", 21, 3, 4, 1)
    assert w.ask_hand("t5", "cy", button)
    after = w.hand("t5", 22, 4, 1, 2, dealt_in=(1, 2, 4))
    refusal = w.no_hand("t5", "cy", after)
    assert (refusal.code, refusal.rules) == ("MUST_MOVE", ("LC-139b",))
    lock = w.table("t3").seats[4].lock
    assert lock is not None
    assert (lock.player_id, lock.expires_at) == ("cy", None)


@pytest.mark.rule("WP-2S11", 1)
def test_a_called_player_may_play_up_to_the_big_blind_and_comes_in_as_a_new_player() -> None:
    game = limit(10, 20, (5, 10))
    w = FloorWorld("WP", game)
    names = tuple(f"q{n}" for n in range(1, 10))
    feeder(w, ("ned", *names[:5], *names[6:]), {6: "ned"})
    for seat in (1, 2, 3, 4, 5, 7, 8, 9):
        take(w, "t5", seat, f"q{seat}")
    w.pump()
    w.hand("t5", 1, 1, 2, 3, over=False)
    assert main_seat_opens(w, 4).player_id == "ned"
    for number, big in ((2, 4), (3, 5)):
        deal = w.hand("t5", number, big - 2, big - 1, big)
        assert w.ask_hand("t5", "ned", deal)
    deal = w.hand("t5", 4, 4, 5, 6, dealt_in=(1, 2, 3))
    refusal = w.no_hand("t5", "ned", deal)
    assert (refusal.code, refusal.rules) == ("MUST_MOVE", ("WP-2S11",))
    w.seat(
        sc.MovePlayer(
            room=ROOM, table="t5", player_id="ned", to_table="t3", to_seat=4, stack_cents=20_000
        )
    )
    assert w.seated("t3", 4).entry.kind is EntryKind.NEW
    there = w.hand("t3", 11, 8, 9, 1)
    refusal = w.no_hand("t3", "ned", there)
    assert refusal.options[:2] == ("post $10", "wait for the big blind")
    granted: Any = w.ask_hand("t3", "ned", there, 1000)[0]
    assert (granted.post_cents, granted.dead_cents) == (1000, 0)


@pytest.mark.rule("WP-2S11", 2)
def test_in_stud_a_called_player_plays_one_more_hand() -> None:
    w = FloorWorld("WP", stud(10, 20))
    feeder(w, ("ned", "al", "bo"), {6: "ned", 1: "al", 2: "bo"})
    w.hand("t5", 40, over=False)
    assert main_seat_opens(w, 4).player_id == "ned"
    assert w.ask_hand("t5", "ned", w.hand("t5", 41))
    refusal = w.no_hand("t5", "ned", w.hand("t5", 42, dealt_in=(1, 2)))
    assert (refusal.code, refusal.rules) == ("MUST_MOVE", ("WP-2S11",))


# --- must-move: keeping and losing the place ---


@pytest.mark.rule("LC-141", 1)
def test_who_stops_playing_in_a_game_of_five_loses_the_place() -> None:
    w = high()
    names = ("ann", "bo", "cy", "di", "ed")
    feeder(w, names, dict(enumerate(names, 1)))
    w.seat(sc.LeaveSeat(room=ROOM, table="t5", player_id="bo", chips_cents=0))
    w.pump()
    assert [n.player_id for n in w.must_move("t3").names] == ["ann", "cy", "di", "ed"]
    removed = found(w.waitlist.events(), we.MoveNameRemoved)
    assert removed.rules == ("LC-141",)


@pytest.mark.rule("LC-141", 2)
def test_who_stops_playing_in_a_game_of_four_keeps_place_and_rights() -> None:
    w = high()
    names = ("ann", "cy", "di", "ed")
    feeder(w, names, dict(enumerate(names, 1)))
    w.seat(sc.LeaveSeat(room=ROOM, table="t5", player_id="di", chips_cents=0))
    w.pump()
    kept = found(w.waitlist.events(), we.MoveNameKept)
    assert (kept.players, kept.rules) == (4, ("LC-141",))
    for seat, person, old in ((4, "ann", 1), (5, "cy", 2)):
        assert main_seat_opens(w, seat).player_id == person
        w.seat(
            sc.MovePlayer(
                room=ROOM,
                table="t5",
                player_id=person,
                to_table="t3",
                to_seat=seat,
                stack_cents=20_000,
            )
        )
        w.pump()
        assert old not in w.who("t5")
    called = main_seat_opens(w, 6)
    assert (called.player_id, called.playing) == ("di", False)
    w.seat(
        sc.TakeSeat(
            room=ROOM,
            table="t3",
            seat=6,
            player_id="di",
            buy_in_cents=20_000,
            standing=clean("di"),
        )
    )
    deal = w.hand("t3", 11, 7, 8, 9)
    granted: Any = w.ask_hand("t3", "di", deal)[0]
    assert (granted.post_cents, granted.rules) == (0, ("LC-140", "LC-141"))


@pytest.mark.rule("WP-2S10", 1)
def test_declining_a_new_game_that_would_be_nearly_full_costs_the_place() -> None:
    w = declining(5)
    gone = found(answer(w, "quy", Answer.DECLINED), we.NameRemoved)
    assert gone.rules == ("WP-2S10",)
    assert "quy" not in w.names()


@pytest.mark.rule("WP-2S10", 2)
def test_declining_a_new_game_with_room_left_keeps_the_place() -> None:
    w = declining(4)
    kept = found(answer(w, "quy", Answer.DECLINED), we.CallDropped)
    assert kept.rules == ("WP-2S10",)
    assert w.names()[-1] == "quy"


def declining(yes: int) -> FloorWorld:
    """A must-move game is being started; some have said yes and Quy was offered a seat."""
    w = FloorWorld("WP", TWENTY_FORTY)
    running(w, "t3")
    people = tuple(f"y{n}" for n in range(yes))
    w.sign_up(*people, "quy")
    w.list(wc.NoteTableOpened(room=ROOM, game_id=G, table="t5", seats=9, feeds="t3"))
    for person in people:
        answer(w, person, Answer.COMING)
    assert "quy" in w.called()
    return w
