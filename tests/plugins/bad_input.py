"""One thing that a caller gets wrong, at a running room: the call has to fail just so, and nothing may be recorded."""

import asyncio
from typing import Any, NamedTuple

import pytest
from grpc import StatusCode

from cardroom.api.cashier.v1 import cashier_service_pb2 as cashier
from cardroom.api.cashier.v1.cashier_service_pb2_grpc import CashierServiceStub
from cardroom.api.seating.v1 import seating_service_pb2 as seating
from cardroom.api.seating.v1.seating_service_pb2_grpc import SeatingServiceStub
from cardroom.api.tables.v1.hands_service_pb2_grpc import HandsServiceStub
from cardroom.audit.reader import Reader
from cardroom.audit.servicer import LOGS
from cardroom.client.errors import CallFailed
from cardroom.demo.opening import SMALL_BUY_CENTS
from cardroom.demo.room import ROOM, Room
from tests.plugins.small_room import TABLE

CAGE, SEATS, HANDS = CashierServiceStub, SeatingServiceStub, HandsServiceStub
AT: dict[str, Any] = {"room": ROOM, "table": TABLE}
EMPTY, RACE = "t8", "t9"
READERS: dict[Room, Reader] = {}
NO_HAND = f"hand/{ROOM}/{TABLE}/000099"


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
