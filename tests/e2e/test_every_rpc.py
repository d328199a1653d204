"""Every RPC of every service, with nothing, with every role and at random: a typed answer, never a fault of ours."""

import asyncio
import importlib
import random
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
import pytest_asyncio
from google.protobuf.descriptor import MethodDescriptor

from cardroom.adapters.grpc.auth import ROLES
from cardroom.api.audit.v1 import audit_service_pb2 as audit
from cardroom.api.audit.v1.audit_service_pb2_grpc import AuditServiceStub
from cardroom.api.tables.v1 import hands_service_pb2 as hands
from cardroom.api.tables.v1.hands_service_pb2_grpc import HandsServiceStub
from cardroom.client import Client
from cardroom.client.errors import CallFailed, failure_of
from cardroom.demo.evening import START
from cardroom.demo.opening import LARGE, SMALL
from cardroom.demo.room import GROUP, ROOM, Room
from tests.plugins.random_requests import RandomRequests, class_of, services
from tests.plugins.small_room import TABLE, small_room

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(240),
    pytest.mark.xdist_group("e2e"),
    pytest.mark.asyncio(loop_scope="module"),
]

AT_ONCE = 8
TIMES = 6
WATCH_SECONDS = 0.3
SEED = 20260306
OURS = frozenset(
    {
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.DATA_LOSS,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }
)
RULED = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.PERMISSION_DENIED,
    }
)
HAND = f"hand/{ROOM}/{TABLE}/000001"
NAMES = {
    "room": (ROOM,),
    "group": (GROUP,),
    "table": (TABLE, "t2"),
    "game_id": (SMALL, LARGE),
    "player_id": ("p01", "p02", "p03", "p07", "p10", "p18"),
    "entry_id": (f"{SMALL}.p07", f"{SMALL}.p08", f"{SMALL}.p09"),
    "hand_id": (HAND,),
    "pool": ("main",),
    "shift": ("night",),
    "main": (TABLE,),
    "dispute": ("d1", "d2"),
    "stem": (f"ledger/{ROOM}", f"table/{ROOM}/{TABLE}", f"board/{ROOM}/{SMALL}", HAND),
    "context": ("tables", "cashier", "seating", "waitlist", "jackpot"),
    "claim": (HAND.replace("/", "."),),
    "consumer": ("cashier", "seating", "waitlist", "reporting.day_figures"),
    "source": ("tables", "seating"),
    "reason": ("because",),
    "override_reason": ("", "the floor says so"),
    "rules": ("LC-8", "LC-66a", "CR-1"),
    "bar_id": ("bar-1",),
    "time_zone": ("America/Los_Angeles", "Mars/Base"),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def room(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Room]:
    async with small_room(tmp_path_factory.mktemp("every-rpc") / "data") as opened:
        start = hands.StartHandRequest(room=ROOM, table=TABLE)
        await opened.ask("dealer", HandsServiceStub, "StartHand", start)
        yield opened


METHODS = [method for service in services() for method in service.methods]


def stub_of(client: Client, method: MethodDescriptor) -> Any:
    """Return the method of the generated stub that calls an RPC."""
    file = method.containing_service.file
    module = importlib.import_module(file.name.replace("/", ".").replace(".proto", "_pb2_grpc"))
    return getattr(
        client.stub(getattr(module, f"{method.containing_service.name}Stub")), method.name
    )


async def answer(client: Client, method: MethodDescriptor, request: Any) -> CallFailed | None:
    """Call an RPC once; returns how it failed. A stream's first message is enough."""
    call = stub_of(client, method)(request, timeout=20)
    try:
        if not method.server_streaming:
            await call
            return None
        try:
            async with asyncio.timeout(WATCH_SECONDS):
                async for _ in call:
                    break
        except TimeoutError:
            pass
        call.cancel()
    except grpc.aio.AioRpcError as error:
        return failure_of(error)
    return None


def faults(method: MethodDescriptor, failure: CallFailed | None) -> list[str]:
    """Return what is wrong with an answer, whatever was asked."""
    if failure is None:
        return []
    found = []
    if failure.code in OURS or not failure.reason:
        found.append("it is a fault of ours")
    if failure.code in RULED and not failure.metadata.get("rule"):
        found.append("it names no rule")
    head = failure.metadata.get("field", "").split(".")[0].split("[")[0].split(":")[0]
    names = {*method.input_type.fields_by_name, *method.input_type.oneofs_by_name}
    if head and head not in names:
        found.append(f"the request has no field {head}")
    return [f"{method.full_name}: {failure}: {fault}" for fault in found]


async def all_at_once(calls: list[Any]) -> list[Any]:
    """Await calls, some at a time."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(call: Any) -> Any:
        async with gate:
            return await call

    return await asyncio.gather(*map(one, calls))


@pytest.mark.parametrize("role", sorted(ROLES))
async def test_every_rpc_with_an_empty_request(room: Room, role: str) -> None:
    client = room.servers.client("somebody", (role,), ("*",), "desk")
    try:
        failures = await all_at_once(
            [answer(client, method, class_of(method)()) for method in METHODS]
        )
    finally:
        await client.close()
    found = [
        fault
        for method, failure in zip(METHODS, failures, strict=True)
        for fault in faults(method, failure)
    ]
    assert found == []


async def test_every_rpc_at_random(room: Room) -> None:
    make = RandomRequests(SEED, NAMES, START)
    client = room.servers.client("somebody", tuple(sorted(ROLES)), ("*",), "desk")
    # A clock in another century would make everything after it out of date.
    methods = [method for method in METHODS if method.name != "Advance"] * TIMES
    random.Random(SEED).shuffle(methods)

    async def call(method: MethodDescriptor) -> list[str]:
        request = make.request(method)
        found = faults(method, await answer(client, method, request))
        return [f"{fault}\n{request}" for fault in found]

    try:
        found = await all_at_once([call(method) for method in methods])
    finally:
        await client.close()
    assert [fault for each in found for fault in each] == []
    verified = await room.ask("auditor", AuditServiceStub, "VerifyLogs", audit.VerifyLogsRequest())
    assert verified.intact
