"""The ledger when messages come in any order: given what was booked, when more is seen or asked, then the accounts."""

from typing import Any

import pytest

from cardroom.cashier import commands as c
from cardroom.cashier import ledger as books
from cardroom.cashier.core import DECIDER, ledger_stream
from cardroom.cashier.servicer import ledger_view
from cardroom.kernel.refusal import Refused
from tests.plugins.world import ROOM, World

T1, T3 = books.table_chips("t1"), books.table_chips("t3")
TWO: tuple[str, str] = ("Mae", "Ned")


def room(*, sold_cents: int = 0) -> World:
    """Open a room with $10,000 of chips, some of them sold."""
    world = World(DECIDER, "WP")
    world.do(c.OpenCage(room=ROOM, chips_cents=1_000_000, cash_cents=100_000))
    if sold_cents:
        sell(world, sold_cents)
    return world


def sell(world: World, cents: int) -> None:
    world.do(c.SellChips(room=ROOM, player_id="p1", cents=cents, cash_received_cents=cents))


def to_table(world: World, cents: int, table: str = "t3") -> None:
    world.do(c.NoteChipsToTable(room=ROOM, table=table, player_id="p1", cents=cents))


def from_table(world: World, cents: int, table: str = "t3") -> None:
    world.do(c.NoteChipsFromTable(room=ROOM, table=table, player_id="p1", cents=cents))


def drop(world: World, cents: int, hand: str = "", what: str = "time") -> None:
    world.do(c.NoteDrop(room=ROOM, table="t3", hand_id=hand, cents=cents, what=what))


def returned(world: World, cents: int, hand: str, what: str = "rake") -> None:
    world.do(c.NoteTakeReturned(room=ROOM, table="t3", hand_id=hand, cents=cents, what=what))


def count_box(world: World, cents: int) -> None:
    world.do(c.CountDrop(room=ROOM, table="t3", counted_cents=cents, counted_by=TWO))


def accounts(world: World) -> dict[str, int]:
    ledger: Any = world.state(ledger_stream(ROOM))
    assert books.totals(ledger) == {"chips": 0, "cash": 0}
    found = books.shown(ledger)
    assert sum(cents for name, cents in found.items() if name.startswith("chips/")) == 0
    return {name: cents for name, cents in found.items() if name.startswith("chips/")}


def test_time_booked_before_the_buy_in_is_explained_by_it() -> None:
    world = room(sold_cents=20_000)
    drop(world, 3500)
    early = accounts(world)
    assert (early[books.UNEXPLAINED_CHIPS], early[books.drop_chips("t3")]) == (-3500, 3500)
    assert T3 not in early
    to_table(world, 20_000)
    late = accounts(world)
    assert (late[T3], late[books.drop_chips("t3")]) == (16_500, 3500)
    assert books.UNEXPLAINED_CHIPS not in late


def test_a_buy_in_explains_only_as_much_as_it_is() -> None:
    world = room(sold_cents=2000)
    drop(world, 3500)
    to_table(world, 2000)
    assert accounts(world)[books.UNEXPLAINED_CHIPS] == -1500
    assert T3 not in accounts(world)


def test_a_move_whose_arrival_comes_before_its_departure() -> None:
    world = room(sold_cents=50_000)
    to_table(world, 50_000, "t1")
    to_table(world, 50_000, "t3")
    assert accounts(world)[books.UNEXPLAINED_CHIPS] == -50_000
    from_table(world, 50_000, "t1")
    found = accounts(world)
    assert found[T3] == 50_000
    assert {T1, books.PLAYERS_CHIPS, books.UNEXPLAINED_CHIPS}.isdisjoint(found)


def test_the_view_names_what_was_made_good_and_where() -> None:
    world = room()
    drop(world, 3500)
    view = ledger_view(world.state(ledger_stream(ROOM)))
    assert [(one.account, one.amount_cents) for one in view.made_good] == [(T3, 3500)]
    assert {one.account: one.amount_cents for one in view.balances}["chips/unexplained"] == -3500
    assert view.in_balance
    to_table(world, 3500)
    view = ledger_view(world.state(ledger_stream(ROOM)))
    assert [(one.account, one.amount_cents) for one in view.made_good] == [
        (books.PLAYERS_CHIPS, 3500)
    ]


def test_what_waits_for_its_explanation_goes_on_to_the_next_day() -> None:
    world = room(sold_cents=20_000)
    drop(world, 3500)
    world.do(c.CloseDay(room=ROOM, gaming_day="2026-03-07"))
    to_table(world, 20_000)
    assert accounts(world)[T3] == 16_500
    assert books.UNEXPLAINED_CHIPS not in accounts(world)


def test_what_is_asked_for_is_refused_where_the_place_does_not_hold_it() -> None:
    world = room()
    to_table(world, 700)
    sell(world, 1000)
    redeem = c.RedeemChips(room=ROOM, player_id="p1", cents=1000)
    with pytest.raises(Refused, match=r"chips/players holds \$3, \$10 is asked of it") as caught:
        world.do(redeem)
    assert caught.value.rules == ("CR-8",)
    adjust = c.Adjust(
        room=ROOM,
        from_account=books.UNEXPLAINED_CHIPS,
        to_account=books.PLAYERS_CHIPS,
        cents=700,
        reason="kept from last week",
    )
    world.do(adjust, "shift_manager")
    world.do(redeem)
    assert accounts(world)[books.UNEXPLAINED_CHIPS] == -700


def test_a_refusal_says_what_left_an_account_unbooked() -> None:
    world = room()
    to_table(world, 700)
    with pytest.raises(Refused, match=r"holds \$0, \$5 is asked of it; \$7 left it that nobody"):
        world.do(c.RedeemChips(room=ROOM, player_id="p1", cents=500))


def test_a_count_of_the_cage_is_the_truth() -> None:
    world = room(sold_cents=1_000_000)
    to_table(world, 1_000_000)
    drop(world, 400, "h1", "rake")
    count_box(world, 400)
    world.do(c.OpenShift(room=ROOM, shift="s1"))
    returned(world, 400, "h1")
    returned(
        world, 400, "h1"
    )  # the box was counted: the cage gives, more than the books have there
    assert accounts(world)[books.UNEXPLAINED_CHIPS] == -400
    counted = c.CloseShift(
        room=ROOM,
        shift="s1",
        counted_cash_cents=1_100_000,
        counted_chips_cents=100,
        reason="one chip in the drawer",
    )
    world.do(counted)
    assert accounts(world)[books.CAGE_CHIPS] == 100


@pytest.mark.parametrize("time_first", [True, False])
def test_a_take_goes_back_from_the_box_its_hand_still_lies_in(time_first: bool) -> None:
    world = room(sold_cents=20_000)
    to_table(world, 20_000)
    drop(world, 400, "h1", "rake")
    if time_first:
        drop(world, 3500)
    returned(world, 400, "h1")
    if not time_first:
        drop(world, 3500)
    found = accounts(world)
    assert (found[books.drop_chips("t3")], found[T3]) == (3500, 16_500)
    assert found[books.CAGE_CHIPS] == 980_000


@pytest.mark.parametrize("time_first", [True, False])
def test_a_take_goes_back_from_the_cage_whatever_else_the_counted_box_got(time_first: bool) -> None:
    world = room(sold_cents=20_000)
    to_table(world, 20_000)
    drop(world, 400, "h1", "rake")
    count_box(world, 400)
    if time_first:
        drop(world, 3500)
    returned(world, 400, "h1")
    if not time_first:
        drop(world, 3500)
    found = accounts(world)
    assert (found[books.drop_chips("t3")], found[T3]) == (3500, 16_500)
    assert found[books.CAGE_CHIPS] == 980_000


def test_a_hand_that_is_over_again_lies_in_the_box_again() -> None:
    world = room(sold_cents=20_000)
    to_table(world, 20_000)
    drop(world, 400, "h1", "rake")
    count_box(world, 400)
    returned(world, 400, "h1")
    drop(world, 300, "h1", "rake")
    returned(world, 300, "h1")
    found = accounts(world)
    assert books.drop_chips("t3") not in found
    assert (found[T3], found[books.CAGE_CHIPS]) == (20_000, 980_000)
