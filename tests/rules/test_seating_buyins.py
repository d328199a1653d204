"""The worked cases of buy-ins, returns and chips taken along, played as written on the pure core."""

from typing import Any

import pytest

from cardroom.seating import commands as sc
from cardroom.seating import events as se
from cardroom.seating.values import EntryKind
from tests.plugins.floor_world import (
    FOUR_EIGHT,
    SIX_TWELVE,
    TWENTY_FORTY,
    FloorWorld,
    clean,
    found,
    limit,
)
from tests.plugins.world import ROOM

TEN_TWENTY = limit(10, 20, (5, 10))
THIRTY_SIXTY = limit(30, 60, (15, 30))


def take(w: FloorWorld, person: str, dollars: int, table: str = "t3", seat: int = 9) -> Any:
    standing = clean(person)
    w.seat(
        sc.LockSeat(room=ROOM, table=table, seat=seat, player_id=person, standing=standing),
        override="set-up",
    )
    return w.seat(
        sc.TakeSeat(
            room=ROOM,
            table=table,
            seat=seat,
            player_id=person,
            buy_in_cents=dollars * 100,
            standing=standing,
        )
    )


def refused(w: FloorWorld, person: str, dollars: int, seat: int = 9) -> Any:
    return w.no(lambda cents: take(w, person, cents, seat=seat), dollars)


def running(book: str, *games: Any, at: str = "19:00", **values: Any) -> FloorWorld:
    w = FloorWorld(book, *games, at=at, **values)
    w.open("t3", players={n: f"p{n}" for n in range(1, 6)})
    w.hand("t3", 1, 1, 2, 3)
    return w


def leaves(w: FloorWorld, person: str, dollars: int | None, table: str = "t3") -> Any:
    cents = None if dollars is None else dollars * 100
    return w.seat(sc.LeaveSeat(room=ROOM, table=table, player_id=person, chips_cents=cents))


def buys(person: str, dollars: int, stack: int, **more: Any) -> Any:
    return sc.BuyChips(
        room=ROOM,
        player_id=person,
        amount_cents=dollars * 100,
        stack_cents=stack * 100,
        **{"table": "t3", "standing": clean(person), **more},
    )


# --- full and short buy-ins ---


@pytest.mark.rule("RC-N1", 1)
def test_exactly_ten_times_the_minimum_bet_is_a_full_buy_in() -> None:
    seated = found(take(running("RC", FOUR_EIGHT), "w", 40), se.PlayerSeated)
    assert (seated.buy_in_cents, seated.least_cents, seated.rules) == (4000, 4000, ("RC-N1",))


@pytest.mark.rule("RC-N1", 2)
def test_a_dollar_less_is_refused() -> None:
    refusal = refused(running("RC", FOUR_EIGHT), "w", 39)
    assert (refusal.code, refusal.rules) == ("BELOW_MINIMUM_BUY_IN", ("RC-N1",))
    assert refusal.options == ("$40 or more",)


@pytest.mark.rule("RC-N2", 1)
def test_one_short_buy_is_allowed_after_a_full_one() -> None:
    w = running("RC", FOUR_EIGHT)
    take(w, "p", 40)
    bought = found(w.seat(buys("p", 15, 12)), se.ChipsBought)
    assert (bought.short, bought.rules) == (True, ("RC-N2",))


@pytest.mark.rule("RC-N2", 2)
def test_a_second_short_buy_is_refused_and_half_a_buy_in_is_not_short() -> None:
    w = running("RC", FOUR_EIGHT)
    take(w, "p", 40)
    w.seat(buys("p", 15, 12))
    refusal = w.no(w.seat, buys("p", 12, 9))
    assert (refusal.code, refusal.rules) == ("SHORT_BUY_USED", ("RC-N2",))
    assert refusal.options == ("$20 or more",)
    assert not found(w.seat(buys("p", 20, 9)), se.ChipsBought).short


def test_a_full_buy_in_gives_the_right_to_a_short_one_anew() -> None:
    w = running("RC", FOUR_EIGHT)
    take(w, "p", 40)
    w.seat(buys("p", 15, 12))
    w.seat(buys("p", 40, 0))
    assert found(w.seat(buys("p", 15, 12)), se.ChipsBought).short


@pytest.mark.rule("RC-N4", 1)
def test_who_lost_all_chips_needs_a_full_buy_in() -> None:
    w = running("RC", FOUR_EIGHT)
    take(w, "p", 40, seat=6)
    refusal = w.no(w.seat, buys("p", 15, 0))
    assert (refusal.code, refusal.rules) == ("FULL_BUY_IN_NEEDED", ("RC-N4", "RC-N1"))
    assert refusal.options == ("$40 or more",)


@pytest.mark.rule("RC-N4", 2)
def test_who_rebought_lets_the_blinds_pass_and_comes_in_behind_the_button() -> None:
    w = FloorWorld("RC", FOUR_EIGHT)
    w.open("t3", players={n: f"p{n}" for n in range(1, 10)})
    w.hand("t3", 1, 3, 4, 5)
    bought = found(w.seat(buys("p6", 40, 0)), se.ChipsBought)
    assert bought.as_new_player
    assert w.seated("t3", 6).entry.kind is EntryKind.NEW
    rest = (1, 2, 3, 4, 5, 7, 8, 9)
    for number, button, small, big in ((2, 4, 5, 7), (3, 5, 7, 8)):
        w.hand("t3", number, button, small, big, dealt_in=rest)
    deal = w.hand("t3", 4, 7, 8, 9, dealt_in=rest)
    granted: Any = w.ask_hand("t3", "p6", deal)[0]
    assert granted.post_cents == 0


def test_a_house_with_a_maximum_refuses_what_would_pass_it() -> None:
    w = running("HG", FOUR_EIGHT)
    refusal = refused(w, "w", 51)
    assert (refusal.code, refusal.rules) == ("ABOVE_MAXIMUM_BUY_IN", ("HG-G2",))
    take(w, "w", 50)
    refusal = w.no(w.seat, buys("w", 20, 40))
    assert refusal.options == ("at most $10",)


# --- coming back ---


@pytest.mark.rule("LC-91", 1)
def test_who_comes_back_within_the_hour_brings_what_was_taken_off() -> None:
    w = running("LC", SIX_TWELVE)
    take(w, "sam", 100)
    leaves(w, "sam", 340)
    refusal = refused(w.time("19:59"), "sam", 200)
    assert (refusal.code, refusal.rules) == ("BELOW_MINIMUM_BUY_IN", ("LC-91",))
    assert refusal.options == ("$340 or more",)
    take(w, "sam", 340)


@pytest.mark.rule("LC-91", 2)
def test_after_an_hour_the_ordinary_buy_in_applies() -> None:
    w = running("LC", SIX_TWELVE)
    take(w, "sam", 100)
    leaves(w, "sam", 340)
    assert found(take(w.time("20:00"), "sam", 60), se.PlayerSeated).least_cents == 6000


@pytest.mark.rule("RC-G5", 1)
def test_within_thirty_minutes_no_less_than_the_amount_cashed_out() -> None:
    w = running("RC", FOUR_EIGHT, at="20:00")
    take(w, "sam", 100)
    leaves(w, "sam", 312)
    refusal = refused(w.time("20:25"), "sam", 200)
    assert (refusal.rules, refusal.options) == (("RC-G5",), ("$312 or more",))
    take(w, "sam", 312)


@pytest.mark.rule("RC-G5", 2)
def test_after_the_window_only_the_full_buy_in() -> None:
    w = running("RC", FOUR_EIGHT, at="20:00")
    take(w, "sam", 100)
    leaves(w, "sam", 312)
    assert found(take(w.time("20:31"), "sam", 40), se.PlayerSeated).rules == ("RC-N1",)


def test_the_last_minute_of_an_inclusive_window_still_counts() -> None:
    w = running("RC", FOUR_EIGHT, at="20:00")
    take(w, "sam", 100)
    leaves(w, "sam", 312)
    assert refused(w.time("20:30"), "sam", 200).rules == ("RC-G5",)


@pytest.mark.parametrize(
    ("minutes", "window", "allowed"),
    [(40, 60, False), (70, 60, True), (70, 120, False), (110, 120, False), (121, 120, True)],
)
def test_a_room_sets_how_long_a_return_must_restore_what_was_removed(
    minutes: int, window: int, allowed: bool
) -> None:
    w = running("WP", FOUR_EIGHT, seating__return_window_minutes=window)
    take(w, "sam", 100)
    leaves(w, "sam", 900)
    w.time(f"{19 + minutes // 60}:{minutes % 60:02d}")
    if allowed:
        take(w, "sam", 200)
    else:
        assert refused(w, "sam", 200).options == ("$900 or more",)


def test_chips_that_nobody_counted_are_not_taken_for_none() -> None:
    w = running("LC", SIX_TWELVE)
    take(w, "sam", 100)
    leaves(w, "sam", None)
    refusal = refused(w, "sam", 60)
    assert (refusal.code, "CR-12" in refusal.rules) == ("CHIPS_TAKEN_UNKNOWN", True)


# --- chips taken along ---


def two(book: str, game: Any, other: Any = None, there: int = 4) -> FloorWorld:
    w = FloorWorld(book, game, *([other] if other else []))
    w.open("t3", game, players={1: "bo", 2: "al"})
    w.open("t6", other or game, players={n: f"q{n}" for n in range(1, there + 1)})
    w.hand("t6", 1, 1, 2, 3)
    return w


def breaks(w: FloorWorld, **stacks: int) -> None:
    counted = tuple((person, dollars * 100) for person, dollars in stacks.items())
    w.seat(sc.BreakTable(room=ROOM, table="t3", reason="short", stacks=counted))


def move(person: str, dollars: int | None = None, bring: int = 0, table: str = "t3") -> Any:
    return sc.MovePlayer(
        room=ROOM,
        table=table,
        player_id=person,
        to_table="t6",
        to_seat=8,
        stack_cents=None if dollars is None else dollars * 100,
        bring_cents=bring * 100,
        standing=clean(person),
    )


@pytest.mark.rule("LC-38", 1)
def test_who_is_forced_over_plays_on_with_a_short_stack() -> None:
    w = two("LC", SIX_TWELVE)
    breaks(w, bo=22)
    seated = found(w.seat(move("bo")), se.PlayerSeated)
    assert (seated.buy_in_cents, seated.reason) == (2200, "broken_game")
    assert "LC-38" in seated.rules


def changes(w: FloorWorld, person: str = "bo") -> None:
    w.seat(
        sc.ApproveTableChange(room=ROOM, table="t3", player_id=person, to_table="t6", to_seat=8),
        override="keeps the game alive",
    )


@pytest.mark.rule("LC-38", 2)
def test_who_changes_by_choice_brings_the_minimum() -> None:
    w = two("LC", SIX_TWELVE)
    changes(w)
    refusal = w.no(w.seat, move("bo", 22))
    assert refusal.code == "BELOW_MINIMUM_BUY_IN"
    assert {"LC-38", "LC-89"} <= set(refusal.rules)
    assert found(w.seat(move("bo", 22, 60)), se.PlayerSeated).buy_in_cents == 6000


@pytest.mark.rule("LC-89", 1)
def test_a_broken_games_player_may_go_to_a_lower_limit_short() -> None:
    w = two("LC", TWENTY_FORTY, TEN_TWENTY)
    breaks(w, bo=70)
    seated = found(w.seat(move("bo")), se.PlayerSeated)
    assert (seated.buy_in_cents, "LC-89" in seated.rules) == (7000, True)


@pytest.mark.rule("LC-89", 2)
def test_a_higher_limit_takes_its_full_buy_in() -> None:
    w = two("LC", TWENTY_FORTY, THIRTY_SIXTY)
    breaks(w, bo=250)
    refusal = w.no(w.seat, move("bo"))
    assert refusal.code == "BELOW_MINIMUM_BUY_IN"
    assert "LC-89" in refusal.rules
    assert "$50 short" in refusal.message


def main_game(fay: str) -> FloorWorld:
    w = FloorWorld("LC", TWENTY_FORTY)
    w.open("t6", players={n: f"q{n}" for n in range(1, 8)})
    w.open("t3", players={1: fay}, feeds="t6")
    w.seat(sc.OrderMustMove(room=ROOM, table="t3", player_id=fay, to_table="t6", to_seat=8))
    return w


@pytest.mark.rule("LC-143", 1)
def test_who_moves_up_with_more_brings_the_minimum_at_least() -> None:
    w = main_game("fay")
    refusal = w.no(w.seat, move("fay", 540, 150))
    assert (refusal.code, refusal.options) == ("BELOW_MINIMUM_BUY_IN", ("$200 or more",))
    assert "LC-143" in refusal.rules
    assert found(w.seat(move("fay", 540, 200)), se.PlayerSeated).buy_in_cents == 20_000


@pytest.mark.rule("LC-143", 2)
def test_who_moves_up_with_less_moves_with_what_there_is() -> None:
    w = main_game("gus")
    assert found(w.seat(move("gus", 120)), se.PlayerSeated).buy_in_cents == 12_000


@pytest.mark.rule("RC-N3", 1)
def test_a_must_move_stack_plays_as_it_is() -> None:
    w = FloorWorld("RC", FOUR_EIGHT)
    w.open("t6", players={n: f"q{n}" for n in range(1, 8)})
    w.open("t3", players={1: "p"}, feeds="t6")
    w.seat(sc.OrderMustMove(room=ROOM, table="t3", player_id="p", to_table="t6", to_seat=8))
    seated = found(w.seat(move("p", 26)), se.PlayerSeated)
    assert (seated.buy_in_cents, "RC-N3" in seated.rules) == (2600, True)


@pytest.mark.rule("RC-N3", 2)
def test_a_broken_games_stack_plays_as_it_is() -> None:
    w = two("RC", FOUR_EIGHT)
    breaks(w, bo=11)
    assert found(w.seat(move("bo")), se.PlayerSeated).buy_in_cents == 1100


@pytest.mark.rule("RC-N3a", 1)
def test_a_change_by_choice_takes_a_minimum_buy_in() -> None:
    w = two("RC", FOUR_EIGHT)
    changes(w)
    refusal = w.no(w.seat, move("bo", 26))
    assert "RC-N3a" in refusal.rules
    assert "$14 short" in refusal.message


@pytest.mark.rule("WP-3B3", 1)
def test_a_must_move_stack_below_the_buy_in_is_no_short_one() -> None:
    w = FloorWorld("WP", SIX_TWELVE)
    w.open("t6", players={n: f"q{n}" for n in range(1, 8)})
    w.open("t3", players={1: "ned"}, feeds="t6")
    w.seat(sc.OrderMustMove(room=ROOM, table="t3", player_id="ned", to_table="t6", to_seat=8))
    seated = found(w.seat(move("ned", 75)), se.PlayerSeated)
    assert (seated.buy_in_cents, "WP-3B3" in seated.rules) == (7500, True)
    bought = found(w.seat(buys("ned", 40, 0, table="t6")), se.ChipsBought)
    assert bought.short  # the one short buy-in that a player has is still to be had


@pytest.mark.rule("WP-3B3", 2)
def test_who_changes_to_another_game_of_the_limit_brings_the_full_buy_in() -> None:
    w = two("WP", SIX_TWELVE)
    changes(w)
    refusal = w.no(w.seat, move("bo", 75))
    assert "WP-3B3" in refusal.rules
    assert "$45 short" in refusal.message
    assert found(w.seat(move("bo", 75, 120)), se.PlayerSeated).buy_in_cents == 12_000


@pytest.mark.rule("RC-T10", 1)
def test_a_broken_games_player_does_not_post() -> None:
    w = two("RC", FOUR_EIGHT, there=7)
    breaks(w, bo=11)
    w.seat(move("bo"))
    granted: Any = w.ask_hand("t6", "bo", w.hand("t6", 2, 4, 5, 6))[0]
    assert (granted.post_cents, "RC-T10" in granted.rules) == (0, True)


def forced(w: FloorWorld, dollars: int) -> Any:
    return w.seat(
        sc.ForceTableChange(
            room=ROOM,
            table="t3",
            player_id="bo",
            to_table="t6",
            to_seat=8,
            stack_cents=dollars * 100,
            standing=clean("bo"),
        )
    )


def changed_game(new: Any) -> FloorWorld:
    w = FloorWorld("RC", FOUR_EIGHT, new)
    w.open("t3", FOUR_EIGHT, players={1: "bo", 2: "al"})
    w.open("t6", FOUR_EIGHT, players={n: f"q{n}" for n in range(1, 8)})
    w.hand("t6", 1, 1, 2, 3)
    w.seat(sc.ProposeLimitChange(room=ROOM, table="t3", game_id=new.game_id))
    w.seat(sc.ApproveLimitChange(room=ROOM, table="t3"))
    return w


@pytest.mark.rule("RC-T11", 1)
def test_a_limit_increase_counts_as_a_broken_game() -> None:
    w = changed_game(limit(8, 16, (4, 8)))
    seated = found(forced(w, 30), se.PlayerSeated)
    assert (seated.buy_in_cents, "RC-T11" in seated.rules) == (3000, True)
    granted: Any = w.ask_hand("t6", "bo", w.hand("t6", 2, 4, 5, 6))[0]
    assert granted.post_cents == 0


@pytest.mark.rule("RC-T11", 2)
def test_a_change_of_game_counts_as_a_broken_game() -> None:
    w = changed_game(limit(4, 8, (2, 4), "4-8-omaha", form="omaha"))
    assert found(forced(w, 22), se.PlayerSeated).buy_in_cents == 2200
