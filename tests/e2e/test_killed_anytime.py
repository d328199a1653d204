"""The evening goes on while its processes are killed at any moment: no chip and no event is lost, none comes twice."""

import asyncio
import importlib
import io
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from rich.console import Console

from cardroom.adapters.bus.envelope import received
from cardroom.adapters.installation import CONTEXTS, Installation
from cardroom.adapters.postgres import EmbeddedPostgres, kill_server
from cardroom.adapters.shell.requests import StoredOutcome
from cardroom.adapters.store.codec import Codec
from cardroom.adapters.store.port import Repeated
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.api.bus.v1 import bus_service_pb2 as bus
from cardroom.api.bus.v1.bus_service_pb2_grpc import BusServiceStub
from cardroom.api.reporting.v1 import reporting_service_pb2 as reporting
from cardroom.api.reporting.v1.reporting_service_pb2_grpc import ReportingServiceStub
from cardroom.audit.reader import Reader, decider_of
from cardroom.client.client import with_request_id
from cardroom.demo import closing, evening
from cardroom.demo.room import ROOM, TIME_ZONE, Room
from cardroom.demo.servers import START_SECONDS, Servers
from cardroom.demo.story import Story
from cardroom.reporting.figures import added_by
from cardroom.reporting.projections import DayFigures

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("e2e")]

POSTGRES = "postgres"
OWNERS = tuple(name for name in CONTEXTS if name not in {"reporting", "audit"})
CALM_SECONDS = (0.3, 2.0)
"""How long everything runs between a process being back and the next kill: least and most."""
MOST_KILLS = 4


class EndangeredRoom(Room):
    """The room's people, who note what was acknowledged; the clock does not move while something is being killed."""

    def __init__(self, servers: Servers) -> None:
        super().__init__(servers, Story(Console(file=io.StringIO()), TIME_ZONE), evening.START)
        self.killing = asyncio.Lock()
        self.acknowledged: list[tuple[str, str, str]] = []

    async def ask(self, who: str, stub: type, method: str, request: Any) -> Any:
        request = with_request_id(request)
        answer = await super().ask(who, stub, method, request)
        if "request_id" in request.DESCRIPTOR.fields_by_name:
            context = request.DESCRIPTOR.full_name.split(".")[2]
            self.acknowledged.append((context, method, request.request_id))
        return answer

    async def advance_to(self, at: Any, **but: Any) -> None:
        # A manual clock stands in the process's memory; the machine's clock does not die with a process.
        async with self.killing:
            await super().advance_to(at, **but)
            self.servers.environment["CARDROOM_CLOCK__START"] = at.isoformat()


class Killer:
    """Kills a process, or the database server, at moments drawn from a seed, and sees to it that it runs again."""

    def __init__(self, room: EndangeredRoom, seed: int) -> None:
        self._room = room
        self._chance = random.Random(seed)
        self.killed: list[str] = []

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Kill until the block is left; what was killed last runs again then.

        Raises:
            ServerFailed: what was killed did not come back.
        """
        work = asyncio.create_task(self._work())
        try:
            yield
        finally:
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work

    async def _work(self) -> None:
        names = self._room.servers.names
        for _ in range(MOST_KILLS):
            await asyncio.sleep(self._chance.uniform(*CALM_SECONDS))
            # The database server dies once in a while: every process has to come back from it.
            victim = POSTGRES if self._chance.random() < 0.25 else self._chance.choice(names)
            kill = asyncio.create_task(self._kill(victim))
            try:
                await asyncio.shield(kill)
            except asyncio.CancelledError:
                await kill  # what is being killed comes back first
                raise

    async def _kill(self, victim: str) -> None:
        servers = self._room.servers
        async with self._room.killing:
            self.killed.append(victim)
            if victim == POSTGRES:
                await self._kill_postgres()
                return
            servers.kill(victim)
            await servers.restart(victim)

    async def _kill_postgres(self) -> None:
        """Kill the database server; one of the processes, which watch it, starts it again."""
        server = EmbeddedPostgres(self._room.servers.directory.resolve() / "postgres")
        dead = server.running_pid()
        kill_server(server)
        async with asyncio.timeout(START_SECONDS):
            while not await asyncio.to_thread(answers, server, dead):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)


def answers(server: EmbeddedPostgres, dead: int | None) -> bool:
    """Return whether another server than the dead one takes connections; one that is starting may still give up."""
    if server.running_pid() == dead:
        return False
    try:
        psycopg.connect(server.dsn("postgres"), connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


async def play_under_kills(servers: Servers, seed: int) -> EndangeredRoom:
    """Play the whole evening while the killer is at work; returns the room."""
    room = EndangeredRoom(servers)
    killer = Killer(room, seed)
    try:
        async with killer.at_work():
            await evening.play_acts(room)
        assert len(killer.killed) >= 2, killer.killed
        await nothing_is_lost(room)
    except BaseException as fault:
        fault.add_note(f"--kill-seed {seed}; killed so far: {', '.join(killer.killed)}")
        raise
    finally:
        await room.close()
    return room


async def nothing_is_lost(room: EndangeredRoom) -> None:
    """Chips, logs, messages and read models are as if nothing had been killed."""
    await closing.balance(room)
    await closing.verify(room)
    await no_key_stands_still(room)
    await figures_equal_a_rebuild(room)
    await acknowledged_is_stored_once(room)


async def no_key_stands_still(room: Room) -> None:
    """No consumer of any process has parked a message."""
    for name in room.servers.names:
        client = room.servers.client_of(name, "floor", ("admin", "floor"))
        try:
            stub = client.stub(BusServiceStub)
            found = await client.call(stub.ListConsumers, bus.ListConsumersRequest())
        finally:
            await client.close()
        assert [one.name for one in found.consumers if one.stopped_keys] == []


async def figures_equal_a_rebuild(room: Room) -> None:
    """What was added up through all kills is what the logs add up to, and so is what is added up again."""
    request = reporting.GetDayFiguresRequest(room=ROOM, gaming_day=closing.TODAY)

    async def figures() -> tuple[dict[tuple[str, str], int], dict[tuple[str, str], int]]:
        found = await room.ask("manager", ReportingServiceStub, "GetDayFigures", request)
        told = {(one.figure, one.table): one.amount for one in found.figures}
        # Read after them each time: a context that was killed last may still be handling what it had missed.
        return told, await figures_of_the_logs(room)

    def as_the_logs(found: tuple[dict[tuple[str, str], int], dict[tuple[str, str], int]]) -> bool:
        return found[0] == found[1]

    await room.until("figures to come to what the logs add up to", figures, as_the_logs)
    name = room.servers.names[0] if len(room.servers.names) == 1 else "reporting"
    client = room.servers.client_of(name, "admin", ("admin",))
    try:
        rebuild = bus.RebuildReadModelRequest(consumer="reporting.day_figures", reason="compared")
        await client.call(client.stub(BusServiceStub).RebuildReadModel, rebuild)
    finally:
        await client.close()
    await room.until("figures built again to come to the same", figures, as_the_logs)


async def figures_of_the_logs(room: Room) -> dict[tuple[str, str], int]:
    """Add up the day's figures from what every log has published."""
    installation = Installation(room.servers.directory)
    reader = Reader(installation.database, installation.master_key)
    found: Counter[tuple[str, str]] = Counter()
    try:
        for source in DayFigures.sources:
            publish = importlib.import_module(f"cardroom.{source}.main").CONTEXT.publish
            for recorded in await whole_log(reader, source):
                message = publish(recorded)
                if message is None or recorded.envelope.gaming_day != closing.TODAY:
                    continue
                for added in added_by(received(message, source=source, stream=recorded.stream)):
                    found[added.figure, added.table] += added.amount
    finally:
        await reader.close()
    return dict(found)


async def acknowledged_is_stored_once(room: EndangeredRoom) -> None:
    """Every acknowledged request has its outcome, and the log holds the events this names, and no others of it."""
    installation = Installation(room.servers.directory)
    reader = Reader(installation.database, installation.master_key)
    try:
        for context in OWNERS:
            asked = {id_: method for owner, method, id_ in room.acknowledged if owner == context}
            logged: dict[str, list[tuple[str, int]]] = {}
            for event in await whole_log(reader, context):
                place = (event.stream, event.version)
                logged.setdefault(event.envelope.request_id, []).append(place)
            outcomes = await stored_outcomes(installation, context, list(asked))
            for request_id, method in asked.items():
                kept = msgspec.msgpack.decode(outcomes[request_id].outcome, type=StoredOutcome)
                assert list(kept.events) == logged.get(request_id, []), (method, request_id)
    finally:
        await reader.close()


async def stored_outcomes(
    installation: Installation, context: str, request_ids: list[str]
) -> dict[str, Repeated]:
    """Read a context's table of requests; only its own role may."""
    store = PostgresStore(installation.database.service(context), context, readers=1)
    await store.open()
    try:
        return await store.requests(request_ids)
    finally:
        await store.close()


async def whole_log(reader: Reader, context: str) -> list[Any]:
    """Return every event of a context, decoded but for what is confidential."""
    store, codec = await reader.store(context), Codec(decider_of(context).events)
    found: list[Any] = []
    while page := await store.log(found[-1].notification_id if found else 0, 1000):
        found += [codec.decode(one, {}) for one in page]
    return found


async def test_one_process_is_killed_at_any_moment(tmp_path: Path, kill_seed: int) -> None:
    async with Servers(tmp_path / "data", start=evening.START) as servers:
        await play_under_kills(servers, kill_seed)


async def test_each_context_is_killed_at_any_moment(tmp_path: Path, kill_seed: int) -> None:
    async with Servers(tmp_path / "data", together=False, start=evening.START) as servers:
        await play_under_kills(servers, kill_seed)
