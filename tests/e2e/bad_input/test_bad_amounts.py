"""Amounts, seats and books that cannot be: the field and the rule are named, for a book the line and the key."""

import pytest

from cardroom.api.cashier.v1 import cashier_service_pb2 as cashier
from cardroom.api.house.v1 import book_service_pb2 as books
from cardroom.api.house.v1.book_service_pb2_grpc import BookServiceStub
from cardroom.api.seating.v1 import seating_service_pb2 as seating
from cardroom.api.tables.v1 import tables_service_pb2 as tables
from cardroom.api.tables.v1.tables_service_pb2_grpc import TablesServiceStub
from cardroom.demo.room import ROOM, Room
from tests.plugins.bad_input import (
    AT,
    CAGE,
    INVALID,
    REFUSED,
    SEATS,
    Wrong,
    check,
    sale,
    sitting,
)
from tests.plugins.small_room import TABLE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(180),
    pytest.mark.xdist_group("e2e"),
    pytest.mark.asyncio(loop_scope="package"),
]


BROKEN_BOOK = b'[book]\nid = "OWN"\ntitle = "X"\nbased_on = "LC"\n\n[jackpot]\nofferd = true\n'
NEGATIVE_BOOK = b'[book]\nid = "OWN"\ntitle = "X"\nbased_on = "LC"\n\n[jackpot]\ndrop = -100\n'
FRACTION_BOOK = b'[book]\nid = "OWN"\ntitle = "X"\nbased_on = "LC"\n\n[jackpot]\ndrop = 99.5\n'


def book(content: bytes) -> books.ChangeBookRequest:
    """Return a change of the room's book."""
    return books.ChangeBookRequest(room=ROOM, book_file=content, reason="a new drop")


MONEY = {
    "negative": Wrong(
        "cage",
        CAGE,
        "SellChips",
        sale(amount_cents=-1),
        INVALID,
        "REQUEST_INVALID",
        "CR-4",
        "amount_cents",
    ),
    "beyond all chips of the world": Wrong(
        "cage",
        CAGE,
        "SellChips",
        sale(amount_cents=2**62),
        INVALID,
        "REQUEST_INVALID",
        "CR-4",
        "amount_cents",
    ),
    "less cash than chips": Wrong(
        "cage",
        CAGE,
        "SellChips",
        sale(cash_received_cents=1),
        REFUSED,
        "CASH_FIRST",
        "CR-3",
        "cash_received_cents",
    ),
    "more chips than the cage holds": Wrong(
        "cage",
        CAGE,
        "SellChips",
        sale(amount_cents=10**11, cash_received_cents=10**11),
        REFUSED,
        "ACCOUNT_SHORT",
        "CR-8",
    ),
    "cashing out chips that nobody holds": Wrong(
        "cage",
        CAGE,
        "RedeemChips",
        cashier.RedeemChipsRequest(room=ROOM, player_id="p07", amount_cents=10**9),
        REFUSED,
        "ACCOUNT_SHORT",
        "CR-8",
    ),
    "a negative buy-in": Wrong(
        "brush",
        SEATS,
        "TakeSeat",
        sitting(buy_in_cents=-5),
        INVALID,
        "REQUEST_INVALID",
        "CR-4",
        "buy_in_cents",
    ),
    "leaving with more than the table saw": Wrong(
        "brush",
        SEATS,
        "LeaveSeat",
        seating.LeaveSeatRequest(**AT, player_id="p01", chips_cents=-1),
        INVALID,
        "REQUEST_INVALID",
        "CR-4",
        "chips_cents",
    ),
    "a drop that is not there": Wrong(
        "cage",
        CAGE,
        "CountDrop",
        cashier.CountDropRequest(
            room=ROOM, table=TABLE, counted_cents=100, counted_by=["Mae", "Ned"]
        ),
        REFUSED,
        "COUNT_DIFFERS",
        "CR-8",
        "reason",
    ),
    "an adjustment between cash and chips": Wrong(
        "manager",
        CAGE,
        "AdjustAccounts",
        cashier.AdjustAccountsRequest(
            room=ROOM,
            from_account="cash/cage",
            to_account="chips/cage",
            amount_cents=100,
            reason="slip",
        ),
        REFUSED,
        "ACCOUNTS_DIFFER",
        "CR-8",
    ),
    "an adjustment that nobody explains": Wrong(
        "manager",
        CAGE,
        "AdjustAccounts",
        cashier.AdjustAccountsRequest(
            room=ROOM, from_account="chips/cage", to_account="chips/players", amount_cents=100
        ),
        INVALID,
        "REQUEST_INVALID",
        "CR-4",
        "reason",
    ),
}


SEAT_CASES = {
    "beyond every table": Wrong(
        "brush", SEATS, "TakeSeat", sitting(seat=99), INVALID, "REQUEST_INVALID", "CR-4", "seat"
    ),
    "negative": Wrong(
        "brush", SEATS, "TakeSeat", sitting(seat=-1), INVALID, "REQUEST_INVALID", "CR-4", "seat"
    ),
    "beyond this table": Wrong(
        "brush", SEATS, "TakeSeat", sitting(seat=9), INVALID, "SEAT_UNKNOWN", "CR-4", "seat"
    ),
    "taken": Wrong(
        "brush",
        SEATS,
        "TakeSeat",
        sitting(table=TABLE, seat=2),
        REFUSED,
        "SEAT_TAKEN",
        "CR-7",
        "seat",
    ),
    "a player seated twice": Wrong(
        "brush",
        SEATS,
        "TakeSeat",
        sitting(seat=1, player_id="p02"),
        REFUSED,
        "ALREADY_SEATED",
        "CR-3",
        "player_id",
    ),
    "at the table, beyond it": Wrong(
        "floor",
        TablesServiceStub,
        "SitPlayer",
        tables.SitPlayerRequest(**AT, seat=10, player_id="p07"),
        INVALID,
        "SEAT_OUT_OF_RANGE",
        "CR-4",
        "seat",
    ),
}


@pytest.mark.parametrize("name", MONEY)
async def test_money(room: Room, name: str) -> None:
    await check(room, MONEY[name])


@pytest.mark.parametrize("name", SEAT_CASES)
async def test_seats(room: Room, name: str) -> None:
    await check(room, SEAT_CASES[name])


@pytest.mark.parametrize(
    ("content", "line", "key"),
    [
        (BROKEN_BOOK, 7, "jackpot.offerd"),
        (NEGATIVE_BOOK, 7, "jackpot.drop"),
        (FRACTION_BOOK, 7, "jackpot.drop"),
        (b"\xff\xfe[", 1, "the file"),
        (b"[book\n", 1, "[book"),
    ],
)
async def test_a_bad_book_is_refused_with_line_and_key(
    room: Room, content: bytes, line: int, key: str
) -> None:
    field = f"book_file:{line}:{key}"
    wrong = Wrong(
        "manager",
        BookServiceStub,
        "ChangeBook",
        book(content),
        INVALID,
        "REQUEST_INVALID",
        "CR-4",
        field,
    )
    assert field in (await check(room, wrong)).message
