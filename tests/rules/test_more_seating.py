"""More examples of seats and lists: times at the boundary, who moves when, other numbers of players and names."""

from typing import Any

import pytest

from cardroom.kernel.refusal import Refused
from cardroom.seating import commands as sc
from cardroom.seating import events as se
from cardroom.waitlist import commands as wc
from cardroom.waitlist import events as we
from cardroom.waitlist.values import Answer
from tests.plugins.floor_world import (
    FOUR_EIGHT,
    SIX_TWELVE,
    TWENTY_FORTY,
    FloorWorld,
    clean,
    found,
    stud,
)
from tests.plugins.world import ROOM
from tests.rules.test_seating_absence import due
from tests.rules.test_seating_absence import game as absence_game
from tests.rules.test_seating_buyins import leaves, refused, take
from tests.rules.test_seating_buyins import running as buyin_game
from tests.rules.test_seating_moves import approve, two
from tests.rules.test_seating_moves import waiting as names_wait
from tests.rules.test_seating_seats import lock, running, waiting
from tests.rules.test_waitlist_cases import G, answer, feeder, high, main_seat_opens
from tests.rules.test_waitlist_cases import running as listed

# --- coming back, locks, absence: the second that decides ---


@pytest.mark.rule("LC-91")
@pytest.mark.rule("RC-G5")
@pytest.mark.rule("WP-2P5")
@pytest.mark.parametrize(
    ("book", "at", "bound"),
    [
        ("LC", "19:59:59", True),
        ("LC", "20:00", False),
        ("RC", "19:30", True),
        ("RC", "19:30:01", False),
        ("WP", "20:00", True),
        ("WP", "20:00:01", False),
        ("HG", "20:00", True),
    ],
)
def test_how_long_a_return_brings_back_what_was_taken(book: str, at: str, bound: bool) -> None:
    w = buyin_game(book, FOUR_EIGHT, buyin__maximum=0)
    take(w, "sam", 100)
    leaves(w, "sam", 300)
    w.time(at)
    if bound:
        assert refused(w, "sam", 299).options == ("$300 or more",)
        take(w, "sam", 300)
    else:
        take(w, "sam", 80)


@pytest.mark.rule("RC-T4")
@pytest.mark.rule("WP-2P20")
@pytest.mark.parametrize(
    ("book", "names", "at", "kept"),
    [
        ("RC", 0, "18:04:59", True),
        ("RC", 0, "18:05", False),
        ("RC", 3, "18:05", False),
        ("WP", 0, "19:30", True),
        ("WP", 1, "18:09:59", True),
        ("WP", 1, "18:10", False),
        ("LC", 1, "18:09:59", True),
        ("LC", 1, "18:10", False),
        ("HG", 1, "18:10", False),
    ],
)
def test_how_long_a_seat_stays_locked(book: str, names: int, at: str, kept: bool) -> None:
    w = running(book, at="18:00", seats=(1, 2, 3, 4, 5))
    w.once_round("t3", 2)
    w.seat(sc.OfferOpenSeat(room=ROOM, table="t3", seat=6))
    w.seat(lock("t3", 6, "w"))
    waiting(w, "t3", names)
    assert (w.time(at).table("t3").seats[5].lock is not None) is kept


@pytest.mark.rule("LC-99")
@pytest.mark.rule("RC-G6")
@pytest.mark.rule("WP-2P19")
@pytest.mark.parametrize(
    ("book", "terms", "at", "raised"),
    [
        ("RC", FOUR_EIGHT, "19:19:59", False),
        ("RC", FOUR_EIGHT, "19:20", True),
        ("RC", stud(4, 8), "19:20", True),
        ("WP", FOUR_EIGHT, "19:30", False),
        ("WP", FOUR_EIGHT, "19:30:01", True),
        ("HG", FOUR_EIGHT, "19:30:01", True),
        ("LC", stud(10, 20), "19:15", False),
        ("LC", stud(10, 20), "19:15:01", True),
        ("LC", SIX_TWELVE, "22:00", False),
    ],
)
def test_how_long_an_absence_may_last(book: str, terms: Any, at: str, raised: bool) -> None:
    w = absence_game(book, terms=terms)
    w.away("t3", "p5")
    assert bool(due(w.time(at))) is raised


@pytest.mark.rule("LC-99")
@pytest.mark.parametrize(("at", "granted"), [("22:59:59", False), ("23:00", True)])
def test_four_hours_from_one_meal_to_the_next(at: str, granted: bool) -> None:
    w = absence_game("LC", terms=stud(10, 20))
    meal = sc.StartMealBreak(room=ROOM, table="t3", player_id="p5")
    w.seat(meal)
    w.time("19:30").seat(sc.ReturnToTable(room=ROOM, table="t3", player_id="p5"))
    w.time(at)
    if granted:
        w.seat(meal)
    else:
        assert w.no(w.seat, meal).code == "MEAL_BREAK_TOO_SOON"


@pytest.mark.rule("LC-97")
@pytest.mark.rule("LC-GL-hold-button")
@pytest.mark.parametrize(("before", "raised"), [(0, False), (1, False), (2, True)])
def test_the_third_missed_blind_button_and_none_before(before: int, raised: bool) -> None:
    w = absence_game("LC")
    w.absent("t3", 6, 5, missed=before)
    w.seat(sc.NoteMissedBlind(room=ROOM, table="t3", seat=6))
    assert bool(due(w)) is raised


# --- moving: up to which hand ---


def hands(w: FloorWorld, person: str, layouts: tuple[tuple[int, int, int], ...]) -> list[bool]:
    """Return into which of the coming hands a player may be dealt."""
    allowed = []
    for number, (button, small, big) in enumerate(layouts, 11):
        others = [n for n, who in w.who("t3").items() if who != person]
        deal = w.hand("t3", number, button, small, big, dealt_in=others)
        try:
            w.ask_hand("t3", person, deal)
            allowed.append("")
        except Refused as refusal:
            allowed.append(refusal.code)
    assert set(allowed) <= {"", "MUST_MOVE"}
    return [not code for code in allowed]


@pytest.mark.rule("LC-96")
@pytest.mark.parametrize(
    ("called_as", "allowed"),
    [
        ((3, 1, 2), [False, False]),  # on the button: that hand was the last
        ((2, 3, 1), [True, False]),  # in the small blind: through the button
        ((1, 2, 3), [True, True]),  # in the big blind
    ],
)
def test_three_handed_the_round_ends_with_the_button(
    called_as: tuple[int, int, int], allowed: list[bool]
) -> None:
    w = two("LC", SIX_TWELVE, seats=(1, 2, 3), there=(1,))
    button, small, big = called_as
    w.hand("t3", 10, button, small, big, over=False)
    w.seat(approve("p3", "t3", "t6", 5))
    order = [(button + n - 1) % 3 + 1 for n in (1, 2)]
    layouts = tuple((b, b % 3 + 1, (b + 1) % 3 + 1) for b in order)
    assert hands(w, "p3", layouts) == allowed


@pytest.mark.rule("WP-2S13")
@pytest.mark.parametrize(("names", "hands_before"), [(0, 8), (1, 8), (2, 2), (5, 2)])
def test_with_fewer_than_two_waiting_a_blind_may_play_on_to_the_next_big_blind(
    names: int, hands_before: int
) -> None:
    w = two("WP", FOUR_EIGHT)
    names_wait(w, names)
    w.hand("t3", 10, 1, 2, 3, over=False)
    w.seat(approve("p3", "t3", "t6", 9))
    layouts = tuple(((n % 9) + 1, (n + 1) % 9 + 1, (n + 2) % 9 + 1) for n in range(1, 10))
    allowed = hands(w, "p3", layouts)
    assert allowed.index(False) == hands_before


@pytest.mark.rule("WP-2S11")
def test_a_must_move_player_called_in_the_blinds_plays_up_to_the_next_big_blind() -> None:
    w = high(book="WP")
    feeder(w, ("cy", "al", "bo", "di"), {3: "cy", 1: "al", 2: "bo", 4: "di"})
    w.hand("t5", 20, 2, 3, 4, over=False)
    assert main_seat_opens(w, 5).player_id == "cy"
    for number, (button, small, big) in ((21, (3, 4, 1)), (22, (4, 1, 2))):
        assert w.ask_hand("t5", "cy", w.hand("t5", number, button, small, big))
    last = w.hand("t5", 23, 1, 2, 3, dealt_in=(1, 2, 4))
    assert w.no_hand("t5", "cy", last).rules == ("WP-2S11",)


@pytest.mark.rule("LC-139b")
def test_a_must_move_player_called_on_the_button_has_had_the_round() -> None:
    w = high()
    feeder(w, ("cy", "al", "bo"), {3: "cy", 1: "al", 2: "bo"})
    w.hand("t5", 20, 3, 1, 2, over=False)
    assert main_seat_opens(w, 5).player_id == "cy"
    following = w.hand("t5", 21, 1, 2, 3, dealt_in=(1, 2))
    assert w.no_hand("t5", "cy", following).code == "MUST_MOVE"


# --- lists ---


@pytest.mark.rule("LC-136")
@pytest.mark.parametrize(
    ("at", "there"), [("18:59:59", True), ("19:00", True), ("19:00:01", False)]
)
def test_the_last_second_of_the_call_in_hour(at: str, there: bool) -> None:
    w = high()
    w.sign_up("lee", phone=True)
    entry = w.entry("lee")
    w.time(at)
    assert (w.names() == ["lee"]) is there
    if there:
        w.list(wc.ReportArrived(room=ROOM, game_id=G, entry_id=entry))
        assert w.time("21:00").names() == ["lee"]


@pytest.mark.rule("LC-136")
@pytest.mark.rule("WP-2S2")
def test_who_has_arrived_is_passed_over_like_anybody_and_keeps_the_place() -> None:
    w = high()
    listed(w, "t1")
    w.sign_up("lee", phone=True)
    w.sign_up("mel")
    w.time("18:20").list(wc.ReportArrived(room=ROOM, game_id=G, entry_id=w.entry("lee")))
    w.list(wc.NoteSeatOpen(room=ROOM, game_id=G, table="t1", seat=3))
    rolled = found(answer(w, "lee", Answer.NO_ANSWER), we.NameRolled)
    assert rolled.outcome == "passed_over"
    assert w.names() == ["lee", "mel"]


@pytest.mark.rule("WP-2S10")
@pytest.mark.parametrize(
    ("seats", "yes", "keeps"),
    [(9, 4, True), (9, 5, False), (8, 3, True), (8, 4, False), (10, 5, True), (10, 6, False)],
)
def test_declining_a_new_game_by_the_seats_that_stay_empty(
    seats: int, yes: int, keeps: bool
) -> None:
    w = FloorWorld("WP", TWENTY_FORTY)
    listed(w, "t3")
    people = tuple(f"y{n}" for n in range(yes))
    w.sign_up(*people, "quy")
    w.list(wc.NoteTableOpened(room=ROOM, game_id=G, table="t5", seats=seats, feeds="t3"))
    for person in people:
        answer(w, person, Answer.COMING)
    answer(w, "quy", Answer.DECLINED)
    assert ("quy" in w.names()) is keeps


@pytest.mark.rule("LC-141")
@pytest.mark.parametrize(("players", "keeps"), [(3, True), (4, True), (5, False), (6, False)])
def test_four_or_fewer_keep_their_place(players: int, keeps: bool) -> None:
    w = high()
    names = ("ann", "bo", "cy", "di", "ed", "fay")[:players]
    feeder(w, names, dict(enumerate(names, 1)))
    w.seat(sc.LeaveSeat(room=ROOM, table="t5", player_id="bo", chips_cents=0))
    w.pump()
    assert (w.must_move("t3").name_of("bo") is not None) is keeps


@pytest.mark.rule("LC-139a")
@pytest.mark.rule("WP-2S9")
@pytest.mark.parametrize("book", ["LC", "WP"])
@pytest.mark.parametrize(("at", "barred"), [("21:59:59", True), ("22:00", False)])
def test_an_hour_after_a_refused_move(book: str, at: str, barred: bool) -> None:
    w = FloorWorld(book, TWENTY_FORTY, at="20:45")
    feeder(w, ("bo", "al"), {5: "bo", 1: "al"})
    w.hand("t5", 20, 4, 5, 1, over=False)
    assert main_seat_opens(w, 4).player_id == "bo"
    w.list(wc.DeclineMove(room=ROOM, main="t3", player_id="bo"))
    w.pump()
    w.time("21:00").seat(sc.LeaveSeat(room=ROOM, table="t5", player_id="bo", chips_cents=9000))
    w.pump()
    w.time(at)
    if barred:
        assert w.no(w.list, w.sign("bo")).code == "REFUSED_MUST_MOVE"
    else:
        w.sign_up("bo")


@pytest.mark.rule("LC-36")
@pytest.mark.rule("RC-N2")
@pytest.mark.rule("WP-3B2")
@pytest.mark.parametrize(
    ("book", "buys", "good"),
    [
        ("LC", ((59, 20), (59, 20)), (True, False)),
        ("LC", ((59, 20), (60, 20), (1, 20)), (True, True, True)),
        ("RC", ((29, 20), (29, 20)), (True, False)),
        ("RC", ((29, 20), (30, 20), (29, 20)), (True, True, False)),
        ("RC", ((29, 20), (60, 20), (29, 20)), (True, True, True)),
        ("WP", ((10, 20), (10, 20)), (True, True)),
        ("WP", ((100, 0), (100, 0)), (True, False)),
    ],
)
def test_short_buys_in_a_row(
    book: str, buys: tuple[tuple[int, int], ...], good: tuple[bool, ...]
) -> None:
    w = buyin_game(book, SIX_TWELVE)
    take(w, "sam", 120)
    for (dollars, stack), allowed in zip(buys, good, strict=True):
        command = sc.BuyChips(
            room=ROOM,
            table="t3",
            player_id="sam",
            amount_cents=dollars * 100,
            stack_cents=stack * 100,
            standing=clean("sam"),
        )
        if allowed:
            assert found(w.seat(command), se.ChipsBought)
        else:
            assert w.no(w.seat, command).code == "SHORT_BUY_USED"


@pytest.mark.rule("RC-G13")
@pytest.mark.rule("RC-G13a")
@pytest.mark.rule("WP-2P16")
@pytest.mark.parametrize(
    ("book", "players", "objecting", "leaving", "blocked"),
    [
        ("RC", 6, (2,), (), False),
        ("RC", 6, (2, 3), (), True),
        ("RC", 5, (2,), (), True),
        ("RC", 4, (), (), False),
        ("RC", 9, (2, 3), (3,), False),  # who left objects no more
        ("RC", 6, (2,), (5,), True),  # five are left
        ("WP", 9, (2,), (), False),
        ("WP", 3, (2,), (), False),
        ("WP", 3, (1, 2), (), True),
        ("HG", 9, (1, 2), (), True),
    ],
)
def test_how_many_objections_stop_a_change_of_limit(
    book: str, players: int, objecting: tuple[int, ...], leaving: tuple[int, ...], blocked: bool
) -> None:
    w = FloorWorld(book, FOUR_EIGHT, SIX_TWELVE)
    w.open("t3", players=range(1, players + 1))
    w.seat(sc.ProposeLimitChange(room=ROOM, table="t3", game_id=SIX_TWELVE.game_id))
    for seat in objecting:
        w.seat(sc.ObjectToLimitChange(room=ROOM, table="t3", player_id=f"p{seat}"))
    for seat in leaving:
        leaves(w, f"p{seat}", 0)
    approve_it = sc.ApproveLimitChange(room=ROOM, table="t3")
    if blocked:
        assert w.no(w.seat, approve_it).code == "LIMIT_CHANGE_BLOCKED"
    else:
        assert found(w.seat(approve_it), se.GameChanged).game_id == SIX_TWELVE.game_id
