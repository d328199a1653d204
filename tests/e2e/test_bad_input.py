"""Whatever a caller gets wrong: the exact typed status, and nothing is recorded, at one running `serve all`."""

import asyncio
import time as clock
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from grpc import StatusCode

from cardroom.adapters.grpc.auth import TokenKeys, TokenMint
from cardroom.adapters.installation import Installation
from cardroom.api.audit.v1 import audit_service_pb2 as audit
from cardroom.api.audit.v1.audit_service_pb2_grpc import AuditServiceStub
from cardroom.api.cashier.v1 import cashier_service_pb2 as cashier
from cardroom.api.cashier.v1.cashier_service_pb2_grpc import CashierServiceStub
from cardroom.api.house.v1 import book_service_pb2 as books
from cardroom.api.house.v1 import house_service_pb2 as house
from cardroom.api.house.v1.book_service_pb2_grpc import BookServiceStub
from cardroom.api.house.v1.house_service_pb2_grpc import HouseServiceStub
from cardroom.api.jackpot.v1 import jackpot_service_pb2 as jackpot
from cardroom.api.jackpot.v1.jackpot_service_pb2_grpc import JackpotServiceStub
from cardroom.api.players.v1 import players_service_pb2 as players
from cardroom.api.players.v1.players_service_pb2_grpc import PlayersServiceStub
from cardroom.api.seating.v1 import seating_service_pb2 as seating
from cardroom.api.seating.v1.seating_service_pb2_grpc import SeatingServiceStub
from cardroom.api.tables.v1 import hands_service_pb2 as hands
from cardroom.api.tables.v1 import tables_service_pb2 as tables
from cardroom.api.tables.v1.hands_service_pb2_grpc import HandsServiceStub
from cardroom.api.tables.v1.tables_service_pb2_grpc import TablesServiceStub
from cardroom.api.timecollection.v1 import timecollection_service_pb2 as time
from cardroom.api.timecollection.v1.timecollection_service_pb2_grpc import TimeCollectionServiceStub
from cardroom.api.waitlist.v1 import waitlist_service_pb2 as waitlist
from cardroom.api.waitlist.v1.waitlist_service_pb2_grpc import WaitlistServiceStub
from cardroom.audit.reader import Reader
from cardroom.audit.servicer import LOGS
from cardroom.client import Client
from cardroom.client.errors import CallFailed
from cardroom.demo.closing import balance
from cardroom.demo.opening import GAMES, LARGE, LARGE_BUY_CENTS, SMALL, SMALL_BUY_CENTS, sign_up
from cardroom.demo.room import ROOM, Room
from tests.plugins.small_room import TABLE, small_room

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(180),
    pytest.mark.xdist_group("e2e"),
    pytest.mark.asyncio(loop_scope="module"),
]

CAGE, SEATS, HANDS = CashierServiceStub, SeatingServiceStub, HandsServiceStub
AT: dict[str, Any] = {"room": ROOM, "table": TABLE}
EMPTY, RACE = "t8", "t9"
READERS: dict[Room, Reader] = {}
NO_HAND = f"hand/{ROOM}/{TABLE}/000099"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def room(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Room]:
    async with small_room(tmp_path_factory.mktemp("bad-input") / "data") as opened:
        for table, game_id in ((EMPTY, SMALL), (RACE, LARGE)):
            request = seating.OpenTableRequest(room=ROOM, table=table, game_id=game_id)
            await opened.ask("floor", SEATS, "OpenTable", request)
        installation = Installation(opened.servers.directory)
        READERS[opened] = Reader(installation.database, installation.master_key)
        yield opened
        await READERS.pop(opened).close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def hand(room: Room) -> Any:
    """A hand before the flop: the blinds are posted, two hole cards of the first seat to act are known."""
    started = await room.ask("dealer", HandsServiceStub, "StartHand", hands.StartHandRequest(**AT))
    seat = started.hand.to_act_seat
    dealt = hands.NoteHoleCardsRequest(
        **AT, hand_id=started.hand.hand_id, hands=[hands.HoleCards(seat=seat, cards=["As", "Kd"])]
    )
    return (await room.ask("dealer", HandsServiceStub, "NoteHoleCards", dealt)).hand


async def recorded(room: Room) -> dict[str, int]:
    """Return the last place in each context's log."""
    reader = READERS[room]
    return {name: await (await reader.store(name)).last_notification_id() for name in LOGS}


async def settled(room: Room) -> dict[str, int]:
    """Return the same once nothing is on its way between contexts any more."""
    deadline = asyncio.get_running_loop().time() + 10
    before = await recorded(room)
    while asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(0.05)
        after = await recorded(room)
        if after == before:
            return after
        before = after
    raise AssertionError("events keep coming although nobody does anything")


class Wrong(NamedTuple):
    """One thing that a caller gets wrong: who asks what, and the answer."""

    who: str
    stub: type
    method: str
    request: Any
    code: StatusCode
    reason: str
    rule: str
    field: str = ""


def shown(failure: CallFailed) -> tuple[StatusCode, str, str, str]:
    """Return what a program can rely on in a failure."""
    return (
        failure.code,
        failure.reason,
        failure.metadata.get("rule", ""),
        failure.metadata.get("field", ""),
    )


async def check(room: Room, wrong: Wrong) -> CallFailed:
    """Make the call; it has to fail just so, and no log may have grown."""
    before = await settled(room)
    with pytest.raises(CallFailed) as caught:
        await room.ask(wrong.who, wrong.stub, wrong.method, wrong.request)
    assert shown(caught.value) == (wrong.code, wrong.reason, wrong.rule, wrong.field)
    assert caught.value.message
    assert await settled(room) == before
    return caught.value


INVALID, MISSING = StatusCode.INVALID_ARGUMENT, StatusCode.NOT_FOUND
REFUSED, STALE = StatusCode.FAILED_PRECONDITION, StatusCode.ABORTED
DENIED, NOBODY = StatusCode.PERMISSION_DENIED, StatusCode.UNAUTHENTICATED


def sale(**changed: Any) -> cashier.SellChipsRequest:
    """Return a good sale of chips, with something changed."""
    good = {"room": ROOM, "player_id": "p07", "amount_cents": 10_000, "cash_received_cents": 10_000}
    return cashier.SellChipsRequest(**{**good, **changed})


def sitting(**changed: Any) -> seating.TakeSeatRequest:
    """Return a request for a seat, with something changed."""
    good = {
        "room": ROOM,
        "table": EMPTY,
        "seat": 1,
        "player_id": "p07",
        "buy_in_cents": SMALL_BUY_CENTS,
    }
    return seating.TakeSeatRequest(**{**good, **changed})


def shift(**changed: Any) -> cashier.CloseShiftRequest:
    """Return the closing of the shift."""
    return cashier.CloseShiftRequest(**{"room": ROOM, "shift": "night", **changed})


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
UNKNOWN = {
    "room": Wrong(
        "cage", CAGE, "SellChips", sale(room="nowhere"), DENIED, "ROOM_NOT_COVERED", "CR-9"
    ),
    "table at seating": Wrong(
        "brush", SEATS, "TakeSeat", sitting(table="t77"), MISSING, "TABLE_UNKNOWN", "CR-2", "table"
    ),
    "table at tables": Wrong(
        "floor",
        TablesServiceStub,
        "GetTable",
        tables.GetTableRequest(room=ROOM, table="t77"),
        MISSING,
        "TABLE_UNKNOWN",
        "CR-2",
        "table",
    ),
    "player": Wrong(
        "brush",
        PlayersServiceStub,
        "GetPlayer",
        players.GetPlayerRequest(group="river", player_id="p99"),
        MISSING,
        "PLAYER_UNKNOWN",
        "CR-2",
        "player_id",
    ),
    "player signing up": Wrong(
        "brush",
        WaitlistServiceStub,
        "SignUp",
        waitlist.SignUpRequest(room=ROOM, game_id=SMALL, entry_id="e9", player_id="p99"),
        MISSING,
        "PLAYER_UNKNOWN",
        "CR-2",
        "player_id",
    ),
    "player leaving": Wrong(
        "brush",
        SEATS,
        "LeaveSeat",
        seating.LeaveSeatRequest(**AT, player_id="p99"),
        REFUSED,
        "NOT_SEATED",
        "CR-6",
        "player_id",
    ),
    "game": Wrong(
        "brush",
        WaitlistServiceStub,
        "SignUp",
        waitlist.SignUpRequest(room=ROOM, game_id="1-2", entry_id="e9", player_id="p10"),
        MISSING,
        "GAME_UNKNOWN",
        "CR-2",
        "game_id",
    ),
    "game at house": Wrong(
        "manager",
        HouseServiceStub,
        "GetGame",
        house.GetGameRequest(room=ROOM, game_id="1-2"),
        MISSING,
        "GAME_UNKNOWN",
        "CR-2",
        "game_id",
    ),
    "entry": Wrong(
        "brush",
        WaitlistServiceStub,
        "RemoveName",
        waitlist.RemoveNameRequest(room=ROOM, game_id=SMALL, entry_id="e9"),
        MISSING,
        "LIST_ENTRY_UNKNOWN",
        "CR-2",
        "entry_id",
    ),
    "hand": Wrong(
        "dealer",
        HANDS,
        "GetHand",
        hands.GetHandRequest(**AT, hand_id=NO_HAND),
        MISSING,
        "HAND_UNKNOWN",
        "CR-2",
        "hand_id",
    ),
    "hand acted in": Wrong(
        "dealer",
        HANDS,
        "TakeAction",
        hands.TakeActionRequest(**AT, hand_id=NO_HAND, seat=1, action=hands.ACTION_FOLD),
        MISSING,
        "HAND_UNKNOWN",
        "CR-2",
        "hand_id",
    ),
    "hand replayed": Wrong(
        "auditor",
        AuditServiceStub,
        "ReplayHand",
        audit.ReplayHandRequest(room=ROOM, hand_id=NO_HAND),
        MISSING,
        "HAND_UNKNOWN",
        "CR-2",
        "hand_id",
    ),
    "hand exported": Wrong(
        "auditor",
        AuditServiceStub,
        "ExportHand",
        audit.ExportHandRequest(room=ROOM, hand_id=NO_HAND, format=audit.HAND_FORMAT_PHH),
        MISSING,
        "HAND_UNKNOWN",
        "CR-2",
        "hand_id",
    ),
    "payout": Wrong(
        "cage",
        CAGE,
        "PayOut",
        cashier.PayOutRequest(room=ROOM, payout_id="x"),
        MISSING,
        "PAYOUT_UNKNOWN",
        "CR-2",
        "payout_id",
    ),
    "claim": Wrong(
        "floor",
        JackpotServiceStub,
        "GetClaim",
        jackpot.GetClaimRequest(room=ROOM, claim="x"),
        MISSING,
        "CLAIM_UNKNOWN",
        "CR-2",
        "claim",
    ),
    "pool": Wrong(
        "floor",
        JackpotServiceStub,
        "GetPool",
        jackpot.GetPoolRequest(room=ROOM, pool="x"),
        MISSING,
        "JACKPOT_POOL_UNKNOWN",
        "CR-2",
        "pool",
    ),
    "collection": Wrong(
        "dealer",
        TimeCollectionServiceStub,
        "PayTime",
        time.PayTimeRequest(room=ROOM, table="t77", seat=1, amount_cents=100),
        MISSING,
        "COLLECTION_OF_TABLE_UNKNOWN",
        "CR-2",
        "table",
    ),
    "stream": Wrong(
        "auditor",
        AuditServiceStub,
        "ListRecords",
        audit.ListRecordsRequest(room=ROOM, context="tables", stem=f"table/{ROOM}/t77"),
        MISSING,
        "STREAM_UNKNOWN",
        "CR-2",
        "stem",
    ),
    "stream of another room": Wrong(
        "auditor",
        AuditServiceStub,
        "ListRecords",
        audit.ListRecordsRequest(room=ROOM, context="tables", stem="table/other/t1"),
        MISSING,
        "STREAM_UNKNOWN",
        "CR-2",
        "stem",
    ),
    "context": Wrong(
        "auditor",
        AuditServiceStub,
        "ListRecords",
        audit.ListRecordsRequest(room=ROOM, context="kitchen", stem=f"table/{ROOM}/t1"),
        MISSING,
        "CONTEXT_UNKNOWN",
        "CR-2",
        "context",
    ),
}
ORDER = {
    "a shift opened twice": Wrong(
        "cage",
        CAGE,
        "OpenShift",
        cashier.OpenShiftRequest(room=ROOM, shift="late"),
        REFUSED,
        "SHIFT_OPEN",
        "CR-7",
        "shift",
    ),
    "a shift closed that is not open": Wrong(
        "cage", CAGE, "CloseShift", shift(shift="late"), REFUSED, "SHIFT_NOT_OPEN", "CR-6", "shift"
    ),
    "a cage opened twice": Wrong(
        "manager",
        CAGE,
        "OpenCage",
        cashier.OpenCageRequest(room=ROOM, chips_cents=100, cash_cents=100),
        REFUSED,
        "CAGE_OPEN",
        "CR-7",
        "room",
    ),
    "a room opened twice": Wrong(
        "admin",
        HouseServiceStub,
        "OpenRoom",
        house.OpenRoomRequest(
            room=ROOM, name="X", group="river", time_zone="UTC", standard_book="LC"
        ),
        REFUSED,
        "ROOM_EXISTS",
        "CR-7",
        "room",
    ),
    "a pool opened twice": Wrong(
        "manager",
        JackpotServiceStub,
        "OpenPool",
        jackpot.OpenPoolRequest(room=ROOM, pool="main"),
        REFUSED,
        "POOL_EXISTS",
        "CR-7",
        "pool",
    ),
    "a table opened twice": Wrong(
        "floor",
        SEATS,
        "OpenTable",
        seating.OpenTableRequest(**AT, game_id=SMALL),
        REFUSED,
        "TABLE_IN_USE",
        "CR-7",
        "table",
    ),
    "a table closed under its players": Wrong(
        "floor",
        SEATS,
        "CloseTable",
        seating.CloseTableRequest(**AT),
        REFUSED,
        "STILL_SEATED",
        "CR-6",
    ),
    "a name signed up twice": Wrong(
        "brush",
        WaitlistServiceStub,
        "SignUp",
        waitlist.SignUpRequest(room=ROOM, game_id=SMALL, entry_id="e9", player_id="p07"),
        REFUSED,
        "ALREADY_LISTED",
        "CR-7",
        "player_id",
    ),
    "an arrival of one who did not phone": Wrong(
        "brush",
        WaitlistServiceStub,
        "ReportArrived",
        waitlist.ReportArrivedRequest(room=ROOM, game_id=SMALL, entry_id=f"{SMALL}.p07"),
        REFUSED,
        "NOT_PHONED_IN",
        "CR-6",
        "entry_id",
    ),
}


@pytest.mark.parametrize("name", MONEY)
async def test_money(room: Room, name: str) -> None:
    await check(room, MONEY[name])


@pytest.mark.parametrize("name", SEAT_CASES)
async def test_seats(room: Room, name: str) -> None:
    await check(room, SEAT_CASES[name])


@pytest.mark.parametrize("name", UNKNOWN)
async def test_unknown_ids(room: Room, name: str) -> None:
    await check(room, UNKNOWN[name])


@pytest.mark.parametrize("name", ORDER)
async def test_out_of_order(room: Room, name: str) -> None:
    await check(room, ORDER[name])


# --- books: the file, the line and the key are named -----------------------------------------------------------------


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


# --- a hand: turns, phases, cards, versions --------------------------------------------------------------------------


def action(hand: Any, seat: int, **more: Any) -> hands.TakeActionRequest:
    return hands.TakeActionRequest(
        **{**AT, "hand_id": hand.hand_id, "seat": seat, "action": hands.ACTION_CALL, **more}
    )


def others_of(hand: Any) -> list[int]:
    return [chair.seat for chair in hand.chairs if chair.seat != hand.to_act_seat]


async def test_out_of_turn(room: Room, hand: Any) -> None:
    request = action(hand, others_of(hand)[0])
    await check(
        room, Wrong("dealer", HANDS, "TakeAction", request, REFUSED, "OUT_OF_TURN", "CR-3", "seat")
    )


async def test_a_bet_below_the_least(room: Room, hand: Any) -> None:
    request = action(hand, hand.to_act_seat, action=hands.ACTION_RAISE_TO, to_cents=601)
    refused = await check(
        room,
        Wrong(
            "dealer",
            HANDS,
            "TakeAction",
            request,
            REFUSED,
            "AMOUNT_NOT_ALLOWED",
            "CR-3",
            "to_cents",
        ),
    )
    assert refused.options  # type: ignore[attr-defined]


async def test_a_negative_bet(room: Room, hand: Any) -> None:
    request = action(hand, hand.to_act_seat, action=hands.ACTION_RAISE_TO, to_cents=-600)
    wrong = Wrong(
        "dealer", HANDS, "TakeAction", request, INVALID, "REQUEST_INVALID", "CR-4", "to_cents"
    )
    await check(room, wrong)


async def test_a_seat_that_was_not_dealt_in(room: Room, hand: Any) -> None:
    await check(
        room,
        Wrong(
            "dealer",
            HANDS,
            "TakeAction",
            action(hand, 9),
            MISSING,
            "SEAT_NOT_DEALT_IN",
            "CR-2",
            "seat",
        ),
    )


def told(hand: Any, *held: list[str]) -> Any:
    """Cards of the next seats to act, after the one whose cards are known."""
    return hands.NoteHoleCardsRequest(
        **AT,
        hand_id=hand.hand_id,
        hands=[
            hands.HoleCards(seat=seat, cards=cards)
            for seat, cards in zip(others_of(hand), held, strict=False)
        ],
    )


async def test_a_card_dealt_twice(room: Room, hand: Any) -> None:
    for wrong, field in (
        (told(hand, ["As", "2c"]), "hands[0].cards"),
        (told(hand, ["2c", "2c"]), "hands[0].cards"),
        (told(hand, ["2c", "3c"], ["4c", "2c"]), "hands[1].cards"),
    ):
        await check(
            room,
            Wrong("dealer", HANDS, "NoteHoleCards", wrong, REFUSED, "CARD_TWICE", "CR-5", field),
        )


async def test_the_cards_of_a_seat_told_twice(room: Room, hand: Any) -> None:
    twice = told(hand, ["2c", "3c"])
    twice.hands.append(hands.HoleCards(seat=twice.hands[0].seat, cards=["4c", "5c"]))
    await check(
        room,
        Wrong(
            "dealer",
            HANDS,
            "NoteHoleCards",
            twice,
            INVALID,
            "SEAT_TWICE",
            "CR-4",
            "hands[1].seat",
        ),
    )


async def test_a_card_that_does_not_exist(room: Room, hand: Any) -> None:
    wrong = Wrong(
        "dealer",
        HANDS,
        "NoteHoleCards",
        told(hand, ["1x", "2c"]),
        INVALID,
        "REQUEST_INVALID",
        "CR-4",
        "hands[0].cards[0]",
    )
    await check(room, wrong)


async def test_the_next_street_too_early(room: Room, hand: Any) -> None:
    flop = hands.DealStreetRequest(**AT, hand_id=hand.hand_id, board=["2c", "3c", "4c"])
    await check(room, Wrong("dealer", HANDS, "DealStreet", flop, REFUSED, "STREET_NOT_DUE", "CR-6"))


async def test_an_award_before_the_showdown(room: Room, hand: Any) -> None:
    award = hands.AwardPotsRequest(**AT, hand_id=hand.hand_id)
    await check(
        room, Wrong("dealer", HANDS, "AwardPots", award, REFUSED, "SHOWDOWN_NOT_REACHED", "CR-6")
    )


async def test_another_hand_while_one_runs(room: Room, hand: Any) -> None:
    start = hands.StartHandRequest(**AT)
    await check(
        room, Wrong("dealer", HANDS, "StartHand", start, REFUSED, "HAND_IN_PROGRESS", "CR-6")
    )


async def test_a_stale_version(room: Room, hand: Any) -> None:
    request = action(hand, hand.to_act_seat, after_version=1)
    await check(
        room, Wrong("dealer", HANDS, "TakeAction", request, STALE, "STALE", "CR-1", "after_version")
    )


async def test_a_stale_game(room: Room) -> None:
    request = house.ChangeGameRequest(room=ROOM, game=GAMES[0], expected_version=99)
    wrong = Wrong(
        "admin", HouseServiceStub, "ChangeGame", request, STALE, "STALE", "CR-1", "expected_version"
    )
    await check(room, wrong)


async def test_an_action_before_any_hand(room: Room) -> None:
    request = hands.TakeActionRequest(
        room=ROOM, table=EMPTY, hand_id=f"hand/{ROOM}/{EMPTY}/000001", seat=1, action=1
    )
    wrong = Wrong(
        "dealer", HANDS, "TakeAction", request, MISSING, "HAND_UNKNOWN", "CR-2", "hand_id"
    )
    await check(room, wrong)


# --- request ids -----------------------------------------------------------------------------------------------------


async def test_a_request_id_repeated(room: Room) -> None:
    """The same payload gets the same answer and changes nothing; another one is refused."""
    request = sale(request_id="sale-1", player_id="p08")
    first = await room.ask("cage", CAGE, "SellChips", request)
    before = await settled(room)
    assert await room.ask("cage", CAGE, "SellChips", request) == first
    assert await settled(room) == before
    other = sale(
        request_id="sale-1", player_id="p08", amount_cents=20_000, cash_received_cents=20_000
    )
    wrong = Wrong(
        "cage", CAGE, "SellChips", other, INVALID, "REQUEST_ID_REUSED", "CR-11", "request_id"
    )
    await check(room, wrong)


async def test_the_same_request_at_the_same_instant(room: Room) -> None:
    request = sale(request_id="sale-2", player_id="p08")
    answers = await asyncio.gather(
        *(room.ask("cage", CAGE, "SellChips", request) for _ in range(8))
    )
    assert all(answer == answers[0] for answer in answers)
    balances = {one.account: one.amount_cents for one in answers[0].ledger.balances}
    again = await room.ask("cage", CAGE, "GetLedger", cashier.GetLedgerRequest(room=ROOM))
    assert {one.account: one.amount_cents for one in again.ledger.balances} == balances


# --- tokens ----------------------------------------------------------------------------------------------------------


def forged(room: Room) -> str:
    """Return a token of a key that this installation does not know, under the name of one it knows."""
    good = TokenMint(TokenKeys(room.servers.directory / "tokens").signing())
    token = good.token("cage", ["cage"], rooms=[ROOM])
    head, claims, signature = token.split(".")
    return ".".join((head, claims, ("A" if signature[0] != "A" else "B") + signature[1:]))


TOKENS = {
    "none": (lambda room: "", NOBODY, "TOKEN_MALFORMED", ""),
    "no token at all": (lambda room: "x.y", NOBODY, "TOKEN_MALFORMED", ""),
    "forged": (forged, NOBODY, "TOKEN_FORGED", ""),
    "expired": (
        lambda room: minted(room, ("cage",), (ROOM,), past=True),
        NOBODY,
        "TOKEN_EXPIRED",
        "",
    ),
    "of another room": (
        lambda room: minted(room, ("cage",), ("other",)),
        DENIED,
        "ROOM_NOT_COVERED",
        "CR-9",
    ),
    "of another role": (
        lambda room: minted(room, ("dealer", "display", "brush"), (ROOM,)),
        DENIED,
        "ROLE_MISSING",
        "CR-9",
    ),
}


def minted(
    room: Room, roles: tuple[str, ...], rooms: tuple[str, ...], *, past: bool = False
) -> str:
    """Return a token of the installation's own key, good now or over since yesterday."""
    keys = TokenKeys(room.servers.directory / "tokens")
    mint = TokenMint(keys.signing(), (lambda: 1_700_000_000.0) if past else clock.time)
    return mint.token("somebody", roles, rooms=rooms)


@pytest.mark.parametrize("name", TOKENS)
async def test_tokens(room: Room, name: str) -> None:
    make, code, reason, rule = TOKENS[name]
    before = await settled(room)
    client = Client(room.servers.addresses, make(room), credentials=room.servers.credentials())
    try:
        with pytest.raises(CallFailed) as caught:
            await client.call(client.stub(CAGE).SellChips, sale())
    finally:
        await client.close()
    assert shown(caught.value) == (code, reason, rule, "")
    assert await settled(room) == before


# --- two stations at once --------------------------------------------------------------------------------------------


async def test_two_people_in_one_seat_in_the_same_instant(room: Room) -> None:
    """One of them sits; the other is told that the seat is taken; one event is recorded, not two."""
    people = ("p10", "p11")
    for person in people:
        await sign_up(room, LARGE, person)
    calls = [
        sitting(
            table=RACE,
            seat=1,
            player_id=person,
            buy_in_cents=LARGE_BUY_CENTS,
            entry_id=f"{LARGE}.{person}",
        )
        for person in people
    ]
    for call in calls:
        call.override_reason = "they want to sit together"
    came = await asyncio.gather(
        *(
            room.ask(who, SEATS, "TakeSeat", call)
            for who, call in zip(("floor", "manager"), calls, strict=True)
        ),
        return_exceptions=True,
    )
    failures = [one for one in came if isinstance(one, BaseException)]
    assert len(failures) == 1, came
    assert isinstance(failures[0], CallFailed)
    assert shown(failures[0]) == (REFUSED, "SEAT_TAKEN", "CR-7", "seat")
    view = await room.until(
        "the seat",
        lambda: room.ask(
            "floor", TablesServiceStub, "GetTable", tables.GetTableRequest(room=ROOM, table=RACE)
        ),
        lambda found: found.table.occupied,
    )
    assert len(view.table.occupied) == 1


async def test_one_player_in_two_seats_in_the_same_instant(room: Room) -> None:
    calls = [
        sitting(table=RACE, seat=seat, player_id="p12", buy_in_cents=LARGE_BUY_CENTS)
        for seat in (3, 4)
    ]
    for call in calls:
        call.override_reason = "he may choose"
    came = await asyncio.gather(
        *(room.ask("floor", SEATS, "TakeSeat", call) for call in calls), return_exceptions=True
    )
    failures = [one for one in came if isinstance(one, BaseException)]
    assert len(failures) == 1, came
    assert isinstance(failures[0], CallFailed)
    assert failures[0].reason == "ALREADY_SEATED"


async def test_at_the_end_every_chip_is_where_it_was(room: Room) -> None:
    await balance(room)
