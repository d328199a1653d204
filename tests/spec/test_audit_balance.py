"""Every chip held against what was issued: what agrees, and each way in which stores can disagree."""

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from cardroom.audit import balance
from cardroom.audit.balance import check_balance
from cardroom.cashier.events import LedgerState
from cardroom.jackpot.pool import PoolList
from cardroom.kernel.refusal import Unknown
from cardroom.tables.listing import Listing
from cardroom.tables.table import Table
from tests.plugins.tables_world import LC_6_12, Felt

BALANCES = {
    "chips/issued": -1_000_000,
    "chips/cage": 909_000,
    "chips/table/t1": 90_000,
    "chips/drop/t1": 600,
    "chips/jackpot": 400,
}


class Stores:
    """Answers like the reader of the stores, from states made up here."""

    def __init__(self, table: Table, balances: dict[str, int]) -> None:
        self.states: dict[str, Any] = {
            "ledger/r": LedgerState(opened=True, room="r", balances=balances),
            "tablelist/r": Listing(("t1",)),
            "table/r/t1": table,
            "pools/r": PoolList(),
        }

    async def stood(self, _context: str, stem: str) -> Any:
        if stem not in self.states:
            raise Unknown("stream", stem)
        return SimpleNamespace(state=self.states[stem])


@pytest.fixture(autouse=True)
def booked(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(_reader: Any, _room: str) -> int:
        return 0

    monkeypatch.setattr(balance, "_booked_for_jackpots", nothing)


def three_seated() -> Table:
    return Felt("LC", LC_6_12, (1, 4, 7)).table


async def found(table: Table, **changed: int) -> balance.Balance:
    balances = {**BALANCES, **{name.replace("__", "/"): cents for name, cents in changed.items()}}
    return await check_balance(Stores(table, balances), "r", settle_seconds=0)  # type: ignore[arg-type]


async def test_all_parts_are_what_was_issued() -> None:
    verdict = await found(three_seated())
    assert verdict.holds
    assert verdict.issued_cents == 1_000_000
    parts = {part.name: part.cents for part in verdict.parts if part.cents}
    assert parts == {"stacks": 90_000, "cage": 909_000, "drop": 600, "jackpot": 400}


async def test_a_table_that_the_cashier_has_otherwise() -> None:
    verdict = await found(three_seated(), chips__table__t1=89_000, chips__cage=910_000)
    assert [(one.what, one.cents) for one in verdict.differences] == [
        ("table t1", 1000),
        ("room", 1000),
    ]
    assert "$900, by the cashier's $890" in verdict.differences[0].message


async def test_a_closed_table_that_gave_more_than_was_booked_to_it() -> None:
    verdict = await found(Table(), chips__table__t1=-700, chips__cage=999_700)
    assert [(one.what, one.cents) for one in verdict.differences] == [("table t1", 700)]
    assert "holds $0, by the cashier's -$7" in verdict.differences[0].message
    parts = {part.name: part.cents for part in verdict.parts if part.cents}
    assert parts == {"cage": 999_700, "drop": 600, "jackpot": 400, "unexplained": -700}


async def test_a_ledger_that_does_not_sum_to_nothing() -> None:
    verdict = await found(three_seated(), chips__cage=909_100)
    assert [(one.what, one.cents) for one in verdict.differences] == [
        ("ledger of chips", 100),
        ("room", 100),
    ]


async def test_stacks_that_do_not_come_to_the_account() -> None:
    table = three_seated()
    richer = msgspec.structs.replace(table.seats[4], stack_cents=30_500)
    table = msgspec.structs.replace(table, seats={**table.seats, 4: richer})
    verdict = await found(table)
    assert {one.what: one.cents for one in verdict.differences} == {
        "stacks of t1": 500,
        "room": 500,
    }


async def test_chips_at_a_table_that_was_never_opened() -> None:
    verdict = await found(three_seated(), chips__table__t9=500, chips__cage=908_500)
    assert {one.what: one.cents for one in verdict.differences} == {
        "chips/table/t9": 500,
        "room": -500,
    }


async def test_a_table_that_never_counted_is_taken_from_the_books() -> None:
    table = three_seated()
    unseen = msgspec.structs.replace(table.seats[4], stack_cents=None)
    table = msgspec.structs.replace(
        table, seats={**table.seats, 4: unseen}, account_cents=None, common_cents=None
    )
    verdict = await found(table)
    assert verdict.holds
    parts = {part.name: part.cents for part in verdict.parts if part.cents}
    assert parts["on tables, not counted"] == 90_000


async def test_a_room_without_a_cage() -> None:
    stores = Stores(three_seated(), {})
    del stores.states["ledger/r"]
    with pytest.raises(Unknown):
        await check_balance(stores, "r", settle_seconds=0)  # type: ignore[arg-type]
