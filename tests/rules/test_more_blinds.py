"""More examples of posting, missing and buying: boundaries of passes, other stakes, other books."""

import pytest

from cardroom.known import Game
from cardroom.tables import commands as c
from cardroom.tables.entry import Terms, terms
from cardroom.tables.seats import Arrival, WayIn
from cardroom.tables.starting import base_positions
from tests.plugins.tables_world import (
    LC_3_6,
    LC_6_12,
    LC_20_40,
    WP_4_8,
    WP_10_20,
    Felt,
    blinds_of,
    game,
    posts_of,
)

RC_4_8 = game(4, 8, (2, 4))
HG_2_4 = game(2, 4, (1, 2))
LC_40_80 = game(40, 80, (20, 40), chip=5, collection=6)
LC_10_20 = game(10, 20, (5, 10), chip=5, collection=4)


def asks(felt: Felt, seat: int) -> Terms:
    return terms(felt.table, felt.seat(seat), felt.rules, base_positions(felt.table, felt.rules))


def post(felt: Felt, seat: int) -> tuple[int, int]:
    """Return what a seat would post now, and how much of it is live, in dollars."""
    way = asks(felt, seat).way(WayIn.POST)
    assert way is not None
    return way.cents // 100, way.live_cents // 100


def until(felt: Felt, button: int) -> None:
    """Deal until the coming hand has the button somewhere."""
    for _ in range(20):
        if felt.next().button == button:
            return
        felt.count()
    raise AssertionError(f"the button never comes to seat {button}")


def broke(felt: Felt, seat: int) -> None:
    """Let a player lose all chips in a hand that was counted."""
    felt.count()
    felt.run(c.CountStacks, stacks=((seat, 0),))


# --------------------------------------------------------------------------------- missed both blinds


@pytest.mark.rule("LC-40")
@pytest.mark.rule("LC-127")
@pytest.mark.rule("RC-T3")
@pytest.mark.rule("WP-49")
@pytest.mark.parametrize(
    ("book", "a_game", "due"),
    [
        ("LC", LC_3_6, (7, 3)),
        ("LC", LC_6_12, (12, 6)),
        ("LC", LC_10_20, (19, 10)),
        ("LC", LC_40_80, (66, 40)),
        ("RC", RC_4_8, (6, 4)),
        ("HG", HG_2_4, (3, 2)),
        ("WP", WP_4_8, (6, 4)),
    ],
)
def test_what_is_due_for_a_missed_round(book: str, a_game: Game, due: tuple[int, int]) -> None:
    felt = Felt(book, a_game, stack=40)
    felt.stood(9, 1, 2)
    felt.away(6)
    until(felt, 7)
    felt.run(c.NotePresence, seat=6, present=True)
    if felt.seat(6).collection_taken:  # high limit: the button went by and the collection was taken
        due = (due[0] - a_game.button_collection_cents // 100, due[1])
    assert post(felt, 6) == due


@pytest.mark.rule("WP-49")
@pytest.mark.parametrize(("book", "due"), [("WP", (5, 5)), ("HG", (5, 5)), ("RC", (15, 10))])
def test_a_missed_small_blind_alone(book: str, due: tuple[int, int]) -> None:
    felt = Felt(book, game(10, 20, (5, 10), chip=5))
    felt.stood(3, 4, 5)
    felt.count()  # big blind 6
    felt.away(6)
    until(felt, 7)
    felt.back(6)
    assert post(felt, 6) == due


@pytest.mark.rule("WP-49")
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_no_more_than_one_round_is_owed(rounds: int) -> None:
    felt = Felt("WP", WP_10_20)
    felt.stood(3, 4, 5)
    felt.away(6)
    for _ in range(8 * rounds):
        felt.count()
    until(felt, 7)
    felt.back(6)
    assert post(felt, 6) == (15, 10)


# --------------------------------------------------------------------------------- newcomers


@pytest.mark.rule("LC-39")
@pytest.mark.parametrize(("passes", "free"), [(0, True), (1, True), (2, False), (3, False)])
def test_how_often_the_button_may_pass_a_newcomer(passes: int, free: bool) -> None:
    felt = Felt("LC", LC_6_12, "1-6,8,9")
    felt.stood(1, 2, 3)
    felt.sit(7, 60)
    felt.away(7)
    while felt.seat(7).passes_button < passes:
        felt.count()
    until(felt, 2 if passes else felt.next().button)
    felt.back(7)
    entry = asks(felt, 7)
    assert entry.free is free
    if not free:
        assert post(felt, 7) == (12, 6)
        assert entry.code == "MUST_POST_OR_WAIT"


@pytest.mark.rule("WP-45")
@pytest.mark.parametrize("book", ["WP", "HG"])
@pytest.mark.parametrize(("passes", "due"), [(1, 10), (2, 15)])
def test_how_often_the_button_may_pass_one_who_has_to_post(
    book: str, passes: int, due: int
) -> None:
    felt = Felt(book, WP_10_20, "1-6,8,9")
    felt.draw(1)
    for _ in range(9):
        felt.count()  # no new game any more
    felt.sit(7)
    felt.away(7)
    while felt.seat(7).passes_button < passes:
        felt.count()
    felt.back(7)
    assert post(felt, 7) == (due, 10)


@pytest.mark.rule("LC-127")
@pytest.mark.parametrize(("passes", "due"), [(0, 40), (1, 40), (2, 66)])
def test_a_high_limit_newcomer_until_the_blinds_passed_twice(passes: int, due: int) -> None:
    felt = Felt("LC", LC_40_80, "1-6,8,9", stack=500)
    felt.stood(1, 2, 3)
    felt.sit(7, None)
    felt.away(7)
    while min(felt.seat(7).passes_big, felt.seat(7).passes_small) < passes:
        felt.count()
    felt.back(7)
    taken = 6 if felt.seat(7).collection_taken else 0
    assert post(felt, 7) == (due - taken, 40)


@pytest.mark.rule("LC-140")
@pytest.mark.parametrize(("passes", "free"), [(0, True), (1, True), (2, False)])
def test_a_must_move_mover_until_the_second_pass(passes: int, free: bool) -> None:
    felt = Felt("LC", LC_20_40, "1-5,7-9")
    felt.stood(1, 2, 3)
    felt.sit(6, None, Arrival.MUST_MOVE)
    felt.away(6)
    while felt.seat(6).passes_button < passes:
        felt.count()
    felt.back(6)
    assert asks(felt, 6).free is free


@pytest.mark.rule("LC-90")
@pytest.mark.rule("RC-T10")
@pytest.mark.parametrize(
    ("book", "a_game", "free"),
    [
        ("LC", LC_6_12, True),
        ("LC", LC_20_40, False),
        ("RC", RC_4_8, True),
        ("WP", WP_4_8, False),
        ("HG", HG_2_4, False),
    ],
)
def test_who_was_forced_over_comes_in_as_the_book_says(book: str, a_game: Game, free: bool) -> None:
    felt = Felt(book, a_game, "1-5,7-9")
    felt.stood(9, 1, 2)
    for _ in range(9):
        felt.count()
    until(felt, 7)
    felt.sit(6, None, Arrival.FORCED)
    assert asks(felt, 6).free is free


# --------------------------------------------------------------------------------- broke


@pytest.mark.rule("LC-42")
@pytest.mark.rule("LC-129")
@pytest.mark.rule("RC-N4")
@pytest.mark.rule("WP-411")
@pytest.mark.parametrize(
    ("book", "a_game", "passes", "due"),
    [
        ("LC", LC_6_12, 1, 0),
        ("LC", LC_6_12, 2, 12),
        ("LC", LC_3_6, 1, 0),
        ("LC", LC_20_40, 0, 0),
        ("LC", LC_20_40, 1, 35),
        ("RC", RC_4_8, 1, 0),
        ("WP", WP_10_20, 0, 0),
        ("WP", WP_10_20, 1, 15),
        ("HG", HG_2_4, 1, 3),
    ],
)
def test_coming_back_broke(book: str, a_game: Game, passes: int, due: int) -> None:
    felt = Felt(book, a_game, stack=40)
    felt.stood(1, 2, 3)
    broke(felt, 6)
    while min(felt.seat(6).passes_big, felt.seat(6).passes_small) < passes:
        felt.count()
    if passes:
        until(felt, 7)
    felt.run(c.AddChips, seat=6, cents=40_00 if book == "HG" else 400_00)
    entry = asks(felt, 6)
    assert entry.free is (due == 0)
    if due:
        assert post(felt, 6)[0] == due


# --------------------------------------------------------------------------------- buying the button


@pytest.mark.rule("LC-43")
@pytest.mark.rule("LC-GL-buy-the-button")
@pytest.mark.parametrize(
    ("a_game", "cents", "live"), [(LC_3_6, 4, 3), (LC_6_12, 8, 6), (LC_20_40, 30, 20)]
)
def test_the_button_is_bought_for_both_blinds_and_is_the_buyers_next(
    a_game: Game, cents: int, live: int
) -> None:
    felt = Felt("LC", a_game, "1-7,9")
    felt.stood(6, 7, 9)
    felt.sit(8)
    felt.way(8, WayIn.BUY_BUTTON, cents)
    bought = felt.next()
    assert bought.button == 7
    assert posts_of(bought, 8) == (cents, live)
    assert blinds_of(bought) == {}
    felt.count()
    following = felt.next()
    assert following.button == 8
    assert [seat for seat, (kind, _) in blinds_of(following).items() if kind == "small_blind"] == [
        9
    ]


@pytest.mark.rule("LC-43")
@pytest.mark.parametrize("book", ["WP", "RC", "HG"])
def test_other_books_sell_no_button(book: str) -> None:
    felt = Felt(book, WP_10_20, "1-7,9")
    felt.stood(6, 7, 9)
    felt.sit(8)
    assert asks(felt, 8).way(WayIn.BUY_BUTTON) is None


# --------------------------------------------------------------------------------- straddles


@pytest.mark.rule("LC-47")
@pytest.mark.rule("WP-415")
@pytest.mark.parametrize(
    ("book", "a_game", "seat", "dollars", "code"),
    [
        ("LC", LC_3_6, 6, 6, ""),
        ("LC", LC_40_80, 6, 80, ""),
        ("LC", LC_3_6, 6, 7, "STRADDLE_NOT_DOUBLE_BIG_BLIND"),
        ("LC", LC_3_6, 7, 6, "NOT_IN_STRADDLE_POSITION"),
        ("WP", WP_4_8, 6, 8, "NO_STRADDLE_IN_THIS_GAME"),
        ("RC", RC_4_8, 6, 8, "NO_STRADDLE_IN_THIS_GAME"),
        ("HG", HG_2_4, 6, 4, "NO_STRADDLE_IN_THIS_GAME"),
    ],
)
def test_straddles(book: str, a_game: Game, seat: int, dollars: int, code: str) -> None:
    felt = Felt(book, a_game)
    felt.stood(2, 3, 4)  # the coming hand: button 3, small blind 4, big blind 5
    if code:
        assert felt.no_way(seat, WayIn.STRADDLE, dollars).code == code
    else:
        felt.way(seat, WayIn.STRADDLE, dollars)
        assert felt.next().first_after == seat


# --------------------------------------------------------------------------------- the last money


@pytest.mark.rule("HG-G2a")
@pytest.mark.parametrize(
    ("cents", "left", "allowed"),
    [(600, 600, True), (400, 600, True), (600, 400, False), (600, 1000, False), (999, 999, True)],
)
def test_the_last_money_tops_up_a_stack(cents: int, left: int, allowed: bool) -> None:
    felt = Felt("HG", HG_2_4, "1-4", stack=20)
    told = {"seat": 2, "cents": cents, "money_left_cents": left}
    if allowed:
        felt.run(c.AddChips, **told)
        assert felt.seat(2).stack_cents == 2000 + cents
    else:
        felt.refused(c.AddChips, **told)
