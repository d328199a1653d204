"""Names of nothing that there is, and calls before what they need has happened."""

from typing import Any

import pytest

from cardroom.api.audit.v1 import audit_service_pb2 as audit
from cardroom.api.audit.v1.audit_service_pb2_grpc import AuditServiceStub
from cardroom.api.cashier.v1 import cashier_service_pb2 as cashier
from cardroom.api.house.v1 import house_service_pb2 as house
from cardroom.api.house.v1.house_service_pb2_grpc import HouseServiceStub
from cardroom.api.jackpot.v1 import jackpot_service_pb2 as jackpot
from cardroom.api.jackpot.v1.jackpot_service_pb2_grpc import JackpotServiceStub
from cardroom.api.players.v1 import players_service_pb2 as players
from cardroom.api.players.v1.players_service_pb2_grpc import PlayersServiceStub
from cardroom.api.seating.v1 import seating_service_pb2 as seating
from cardroom.api.tables.v1 import hands_service_pb2 as hands
from cardroom.api.tables.v1 import tables_service_pb2 as tables
from cardroom.api.tables.v1.tables_service_pb2_grpc import TablesServiceStub
from cardroom.api.timecollection.v1 import timecollection_service_pb2 as time
from cardroom.api.timecollection.v1.timecollection_service_pb2_grpc import TimeCollectionServiceStub
from cardroom.api.waitlist.v1 import waitlist_service_pb2 as waitlist
from cardroom.api.waitlist.v1.waitlist_service_pb2_grpc import WaitlistServiceStub
from cardroom.demo.opening import SMALL
from cardroom.demo.room import ROOM, Room
from tests.plugins.bad_input import (
    AT,
    CAGE,
    DENIED,
    HANDS,
    MISSING,
    NO_HAND,
    REFUSED,
    SEATS,
    Wrong,
    check,
    sale,
    sitting,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(180),
    pytest.mark.xdist_group("e2e"),
    pytest.mark.asyncio(loop_scope="package"),
]


def shift(**changed: Any) -> cashier.CloseShiftRequest:
    """Return the closing of the shift."""
    return cashier.CloseShiftRequest(**{"room": ROOM, "shift": "night", **changed})


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
    "a game called where the book has none called": Wrong(
        "dealer",
        TablesServiceStub,
        "CallGame",
        tables.CallGameRequest(**AT, game_id=SMALL),
        REFUSED,
        "GAMES_NOT_CALLED",
        "LC-12",
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


@pytest.mark.parametrize("name", UNKNOWN)
async def test_unknown_ids(room: Room, name: str) -> None:
    await check(room, UNKNOWN[name])


@pytest.mark.parametrize("name", ORDER)
async def test_out_of_order(room: Room, name: str) -> None:
    await check(room, ORDER[name])
