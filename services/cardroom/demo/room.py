"""The room's people at their stations, each with a token of their own, and the calls they make."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from datetime import datetime, timedelta
from typing import Any, Final

from google.protobuf.timestamp_pb2 import Timestamp

from cardroom.api.clock.v1.clock_service_pb2 import AdvanceRequest
from cardroom.api.clock.v1.clock_service_pb2_grpc import ClockServiceStub
from cardroom.client import CallRefused, Client
from cardroom.client.errors import CallFailed
from cardroom.demo.servers import Servers
from cardroom.demo.story import Story

ROOM: Final = "lucky"
TIME_ZONE: Final = "America/Los_Angeles"
GROUP: Final = "river"
PATIENCE_SECONDS: Final = 90.0
"""How long news may take from one context to another; a machine under load takes many times the usual."""

STAFF: Final = {
    "admin": (("admin",), "office"),
    "manager": (("shift_manager", "floor"), "floor-desk"),
    "floor": (("floor",), "floor-desk"),
    "brush": (("brush",), "podium"),
    "dealer": (("dealer",), "tablet-t1"),
    "cage": (("cage",), "cage-1"),
    "auditor": (("auditor", "surveillance"), "audit-desk"),
}
"""Who works tonight: roles and station."""


def stamp(at: datetime) -> Timestamp:
    """Return an instant as a protobuf timestamp."""
    found = Timestamp()
    found.FromDatetime(at)
    return found


class NotInTime(Exception):  # noqa: N818 - it names what happened
    """Something that other contexts had to learn first did not happen in time."""


class Room:
    """Clients of everybody who works in the room, the clock, and the story."""

    def __init__(self, servers: Servers, story: Story, start: datetime) -> None:
        """Take the running servers and where to tell the story."""
        self.servers = servers
        self.story = story
        self.now = start
        story.at = start
        self._clients: dict[str, Client] = {}

    async def close(self) -> None:
        """Close every connection."""
        for client in self._clients.values():
            await client.close()
        self._clients.clear()

    def client(self, who: str) -> Client:
        """Return somebody's client."""
        if who not in self._clients:
            roles, station = STAFF[who]
            self._clients[who] = self.servers.client(who, roles, (ROOM, GROUP), station)
        return self._clients[who]

    async def ask(self, who: str, stub: type, method: str, request: Any) -> Any:
        """Make a call in somebody's name.

        Args:
            who: one of `STAFF`.
            stub: the generated stub class.
            method: the RPC's name.
            request: its request.

        Raises:
            CallFailed: it did not succeed.
        """
        client = self.client(who)
        return await client.call(getattr(client.stub(stub), method), request)

    async def refused(
        self, who: str, stub: type, method: str, request: Any, what: str
    ) -> CallFailed:
        """Make a call that has to be refused, tell so, and return the refusal.

        Raises:
            AssertionError: it was accepted.
        """
        try:
            await self.ask(who, stub, method, request)
        except CallFailed as failure:
            self.story.refused(what, failure)
            return failure
        raise AssertionError(f"{method} was accepted: {what}")

    async def soon(self, who: str, stub: type, method: str, request: Any) -> Any:
        """Make a call that other contexts' news must reach first: ask again while it is refused for that.

        Raises:
            CallRefused: it is refused after a while too.
        """
        deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
        while True:
            try:
                return await self.ask(who, stub, method, request)
            except CallRefused:
                if asyncio.get_running_loop().time() > deadline:
                    raise
            await asyncio.sleep(0.02)

    async def until(
        self, what: str, read: Callable[[], Awaitable[Any]], good: Callable[[Any], bool]
    ) -> Any:
        """Read until what other contexts publish has arrived.

        Args:
            what: what is waited for, for the failure's sentence.
            read: reads it.
            good: says whether it is there.

        Raises:
            NotInTime: it did not arrive.
        """
        deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
        seen: Any = None
        while asyncio.get_running_loop().time() < deadline:
            try:
                seen = await read()
            except CallRefused as refusal:
                seen = refusal
            else:
                if good(seen):
                    return seen
            await asyncio.sleep(0.02)
        raise NotInTime(f"{what}: {seen}")

    async def wait(self, minutes: float) -> None:
        """Let time pass in every process; deadlines fire on the way."""
        await self.advance_to(self.now + timedelta(minutes=minutes))

    async def advance_to(self, at: datetime, *, but: Collection[str] = ()) -> None:
        """Move every process's clock.

        Args:
            at: to this instant.
            but: processes that do not run now.
        """
        self.now = at
        self.story.at = at
        for name in self.servers.names:
            if name in but:
                continue
            client = self.servers.client_of(name, "clock", ("admin",))
            try:
                request = AdvanceRequest(to=stamp(at))
                await client.call(client.stub(ClockServiceStub).Advance, request)
            finally:
                await client.close()
