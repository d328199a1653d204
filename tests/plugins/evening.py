"""House, players, lists and seating in one process on a real PostgreSQL, and a client that talks to them over gRPC."""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import grpc

from cardroom.adapters.grpc.auth import TokenKeys, TokenMint
from cardroom.adapters.process import Process
from cardroom.adapters.settings import ClockSettings, GrpcSettings, Settings
from cardroom.api.cashier.v1 import cashier_service_pb2_grpc as cashier_grpc
from cardroom.api.clock.v1 import clock_service_pb2_grpc as clock_grpc
from cardroom.api.house.v1 import house_service_pb2_grpc as house_grpc
from cardroom.api.house.v1 import house_types_pb2 as house_types
from cardroom.api.jackpot.v1 import jackpot_service_pb2_grpc as jackpot_grpc
from cardroom.api.players.v1 import players_service_pb2_grpc as players_grpc
from cardroom.api.seating.v1 import away_service_pb2_grpc as away_grpc
from cardroom.api.seating.v1 import moves_service_pb2_grpc as moves_grpc
from cardroom.api.seating.v1 import seating_service_pb2_grpc as seating_grpc
from cardroom.api.tables.v1 import hands_service_pb2_grpc as hands_grpc
from cardroom.api.tables.v1 import tables_service_pb2_grpc as tables_grpc
from cardroom.api.timecollection.v1 import timecollection_service_pb2_grpc as time_grpc
from cardroom.api.waitlist.v1 import waitlist_service_pb2_grpc as waitlist_grpc
from cardroom.cli.serve import load_contexts
from cardroom.client.errors import failure_of

NAMES = ("house", "players", "waitlist", "seating")
EVENING = datetime(2026, 3, 7, 3, 0, tzinfo=UTC)
"""19:00 on 6 March in the room."""


class Client:
    """Calls any RPC by its name, the first that has it of seating and the others, with a token of the roles given."""

    def __init__(self, channel: Any, mint: TokenMint) -> None:
        self._stubs: list[tuple[Any, Any]] = [
            (module, getattr(module, service)(channel))
            for module, service in (
                (house_grpc, "HouseServiceStub"),
                (players_grpc, "PlayersServiceStub"),
                (waitlist_grpc, "WaitlistServiceStub"),
                (seating_grpc, "SeatingServiceStub"),
                (away_grpc, "AwayServiceStub"),
                (moves_grpc, "MovesServiceStub"),
                (clock_grpc, "ClockServiceStub"),
                (tables_grpc, "TablesServiceStub"),
                (hands_grpc, "HandsServiceStub"),
                (time_grpc, "TimeCollectionServiceStub"),
                (jackpot_grpc, "JackpotServiceStub"),
                (cashier_grpc, "CashierServiceStub"),
            )
        ]
        self._mint = mint
        self._count = 0

    def bearer(self, *roles: str, station: str = "desk") -> tuple[tuple[str, str], ...]:
        token = self._mint.token("maria", roles or ("floor",), rooms=("*",), station=station)
        return (("authorization", f"Bearer {token}"),)

    def method(self, name: str, package: str = "") -> tuple[Any, Any]:
        """Return a stub's method and the class of its request."""
        for module, stub in self._stubs:
            if hasattr(stub, name) and package in module.__name__:
                messages = import_module(module.__name__.removesuffix("_grpc"))
                return getattr(stub, name), getattr(messages, f"{name}Request")
        raise KeyError(name)

    async def call(
        self, rpc: str, /, *roles: str, package: str = "", station: str = "desk", **fields: Any
    ) -> Any:
        method, request_class = self.method(rpc, package)
        if "request_id" in request_class.DESCRIPTOR.fields_by_name:
            self._count += 1
            fields.setdefault("request_id", f"evening-{self._count}")
        if "room" in request_class.DESCRIPTOR.fields_by_name:
            fields.setdefault("room", "lucky")
        if "group" in request_class.DESCRIPTOR.fields_by_name and rpc != "OpenRoom":
            fields.setdefault("group", "bay")
        metadata = self.bearer(*roles, station=station)
        return await method(request_class(**fields), metadata=metadata, timeout=20)

    async def refused(self, rpc: str, /, *roles: str, **fields: Any) -> Any:
        try:
            await self.call(rpc, *roles, **fields)
        except grpc.aio.AioRpcError as error:
            return failure_of(error)
        raise AssertionError(f"{rpc} was not refused")


@asynccontextmanager
async def evening_process(names: Sequence[str] = NAMES) -> AsyncIterator[tuple[Process, Client]]:
    """Run some contexts on a database of their own, and give a client."""
    known = load_contexts()
    with tempfile.TemporaryDirectory(prefix="cardroom-evening-") as folder:
        settings = Settings(
            data_directory=Path(folder) / "data",
            grpc=GrpcSettings(port=0, tls=False),
            clock=ClockSettings(kind="manual", start=EVENING),
        )
        specs = [known[name] for name in names]
        process = Process("all", specs, known, settings)
        await process.start()
        try:
            mint = TokenMint(TokenKeys(settings.data_directory / "tokens").signing())
            async with grpc.aio.insecure_channel(process.address) as channel:
                yield process, Client(channel, mint)
        finally:
            await process.stop()


async def eventually(
    condition: Callable[[], Awaitable[Any]], seconds: float = 15.0, what: str = ""
) -> Any:
    """Wait until a condition gives something, and return it."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            found = await condition()
        except grpc.aio.AioRpcError as error:
            if error.code() not in {
                grpc.StatusCode.NOT_FOUND,
                grpc.StatusCode.FAILED_PRECONDITION,
            }:
                raise
            found = None
        if found:
            return found
        await asyncio.sleep(0.02)  # the condition is in another process's store
    raise AssertionError(f"did not come about: {what or condition}")


async def open_room(client: Client, *people: str, book: str = "LC", **terms: Any) -> None:
    """Open the room with 20-40 hold'em, or with some terms other, and put people on the books."""
    await client.call(
        "OpenRoom",
        "admin",
        name="Lucky Chances",
        group="bay",
        time_zone="America/Los_Angeles",
        cut_over_minutes=360,
        standard_book=book,
    )
    await client.call("OfferGame", "admin", game=game(**terms))
    for person in people:
        await eventually(
            lambda person=person: client.call(
                "RegisterPlayer",
                player_id=person,
                full_name=f"{person.title()} Lovelace",
                board_name=person.title(),
                phone="555 0100",
                request_id=f"register-{person}",
            ),
            what="players know the room",
        )


def game(**change: Any) -> Any:
    """20-40 hold'em, or with some terms other."""
    terms: dict[str, Any] = {
        "game_id": "20-40-holdem",
        "name": "20-40 Hold'em",
        "form": house_types.FORM_HOLDEM,
        "structure": house_types.STRUCTURE_LIMIT,
        "small_bet_cents": 2000,
        "big_bet_cents": 4000,
        "blinds_cents": [1000, 2000],
        "seats": 9,
        "chip_cents": 500,
    }
    return house_types.Game(**(terms | change))
