"""The whole evening over the public API: in one process on the embedded bus, and with a process a context on Kafka."""

import asyncio
import io
import re
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import Result
from rich.console import Console
from typer.testing import CliRunner

from cardroom.api.timecollection.v1 import timecollection_service_pb2 as time
from cardroom.api.timecollection.v1.timecollection_service_pb2_grpc import TimeCollectionServiceStub
from cardroom.api.timers.v1 import timers_service_pb2 as timers
from cardroom.api.timers.v1.timers_service_pb2_grpc import TimersServiceStub
from cardroom.cli.main import app
from cardroom.client import Client
from cardroom.demo.evening import START, play_evening
from cardroom.demo.night import count_hand
from cardroom.demo.room import GROUP, ROOM, Room
from cardroom.demo.servers import Servers
from tests.plugins.kafka import KafkaTopics

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.xdist_group("e2e")]


ID = re.compile(rf"\b[a-z]+/(?:{ROOM}|{GROUP})/[\w./-]*\w")


def quiet() -> Console:
    return Console(file=io.StringIO(), width=160)


async def test_the_evening_in_one_process(tmp_path: Path) -> None:
    async with Servers(tmp_path / "data", start=START) as servers:
        console = quiet()
        story = await play_evening(servers, console)
        told = set(ID.findall(console.file.getvalue()))
        assert len({stream.partition("/")[0] for stream in told}) >= 10
        for stream in sorted(told):
            found = await asyncio.to_thread(look_up, stream, tmp_path / "data")
            assert found.exit_code == 0, f"{stream}: {found.output}"
            assert found.output.startswith("   1 2026-03-0")
    assert "every stored event is as it was recorded" in story.lines
    assert sum(line.startswith("refused:") for line in story.lines) == 2


def look_up(stream: str, data: Path) -> Result:
    """Run `cardroom audit records` on an id that the story tells."""
    return CliRunner().invoke(app, ["audit", "records", stream, "--data", str(data)])


class Outage:
    """Kills processes on the way, keeps on paper what happens meanwhile, and types it in afterwards."""

    def __init__(self, servers: Servers) -> None:
        self.servers = servers
        self.released: list[str] = []

    async def between(self, act: str, room: Room) -> None:
        if act == "two hands":
            await self._tables_die_between_hands(room)
        if act == "time game":
            await self._timecollection_is_down_over_a_deadline(room)

    async def _tables_die_between_hands(self, room: Room) -> None:
        """Nothing that was answered is lost; the next hand begins where the last one ended."""
        self.servers.kill("tables")
        await self.servers.restart("tables")

    async def _timecollection_is_down_over_a_deadline(self, room: Room) -> None:
        """Time fell due while the process was down: it is listed, held, and released by the floor."""
        self.servers.kill("timecollection")
        paid_on_paper = room.now + timedelta(minutes=31)
        # The table plays on; its hand reaches timecollection by the bus once that runs again.
        await room.advance_to(paid_on_paper, but=("timecollection",))
        await count_hand(room, "t3")
        self.servers.environment["CARDROOM_CLOCK__START"] = room.now.isoformat()
        await self.servers.restart("timecollection")
        client = self.servers.client_of("timecollection", "floor", ("floor",))
        try:
            await self._release(client)
        finally:
            await client.close()
        get = time.GetCollectionRequest(room=ROOM, table="t3")
        found = await room.ask("floor", TimeCollectionServiceStub, "GetCollection", get)
        assert [seat.owes_cents for seat in found.collection.seats] == [700] * 5
        for seat in found.collection.seats:
            pay = time.PayTimeRequest(
                room=ROOM, table="t3", seat=seat.seat, amount_cents=seat.owes_cents
            )
            pay.occurred_at.FromDatetime(room.now - timedelta(minutes=1))
            await room.ask("dealer", TimeCollectionServiceStub, "PayTime", pay)

    async def _release(self, client: Client) -> None:
        stub = client.stub(TimersServiceStub)
        held = await client.call(stub.ListOverdue, timers.ListOverdueRequest(room=ROOM))
        assert [(one.stem, one.action) for one in held.deadlines] == [
            (f"collection/{ROOM}/t3", "Elapse")
        ]
        release = timers.ReleaseOverdueRequest(
            room=ROOM, context="timecollection", reason="the paper is entered"
        )
        released = await client.call(stub.ReleaseOverdue, release)
        self.released += released.stems


@pytest.mark.kafka
async def test_the_evening_with_a_process_for_every_context(
    tmp_path: Path, kafka: KafkaTopics
) -> None:
    environment = {
        "CARDROOM_BUS__KIND": "kafka",
        "CARDROOM_BUS__BOOTSTRAP": kafka.bootstrap,
        "CARDROOM_BUS__PREFIX": kafka.prefix,
        "CARDROOM_BUS__PARTITIONS": "2",
    }
    servers = Servers(tmp_path / "data", together=False, start=START, environment=environment)
    outage = Outage(servers)
    async with servers:
        story = await play_evening(servers, quiet(), outage.between)
    assert outage.released == [f"collection/{ROOM}/t3"]
    assert "every stored event is as it was recorded" in story.lines
