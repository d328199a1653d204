"""Processes as they are served: two small contexts in one process and in two, on both buses, behind the real gate."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from kafka import KafkaConsumer
from typer.testing import CliRunner

from cardroom.adapters.bus.broker import free_ports
from cardroom.adapters.bus.envelope import Received, key_by_table
from cardroom.adapters.context import ContextSpec
from cardroom.adapters.grpc.auth import TokenKeys, TokenMint
from cardroom.adapters.grpc.certificates import Certificates
from cardroom.adapters.process import ALL, Process, address_of
from cardroom.adapters.settings import BusSettings, GrpcSettings, Settings, load_settings
from cardroom.api.bus.v1 import bus_service_pb2 as messages
from cardroom.api.bus.v1.bus_service_pb2_grpc import BusServiceStub
from cardroom.cli.main import app
from cardroom.kernel.decisions import Command
from tests.plugins.counting import DECIDER, NOTE_ROOM, Add, asked, rack
from tests.plugins.wire import count_again, publish, until

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(120)]

BAD_CHIPS = 13
MENDED = asyncio.Event()


def count_what_can_be_counted(message: Received) -> tuple[Command, ...]:
    commands = count_again(message)
    if not MENDED.is_set() and any(isinstance(c, Add) and c.chips == BAD_CHIPS for c in commands):
        raise ValueError("13 chips cannot be counted")
    return commands


SOURCE = ContextSpec(name="tables", decider=DECIDER, publish=publish, ordering_key=key_by_table)
TARGET = ContextSpec(name="seating", decider=DECIDER, inboxes={"tables": count_what_can_be_counted})
KNOWN = {"tables": SOURCE, "seating": TARGET}


@pytest.fixture(scope="module")
def data_directory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="cardroom-process-") as folder:
        yield Path(folder)


@pytest.fixture(params=["embedded", pytest.param("kafka", marks=pytest.mark.kafka)])
def settings(request: pytest.FixtureRequest, data_directory: Path) -> Settings:
    bus = BusSettings()
    if request.param == "kafka":
        kafka = request.getfixturevalue("kafka")
        bus = BusSettings(kind="kafka", bootstrap=kafka.bootstrap, prefix=kafka.prefix)
    first = free_ports(1)[0] % 40_000 + 20_000
    return Settings(
        data_directory=data_directory / request.param, bus=bus, grpc=GrpcSettings(port=first)
    )


@asynccontextmanager
async def served(name: str, settings: Settings, *specs: ContextSpec) -> AsyncIterator[Process]:
    process = Process(name, specs, KNOWN, settings)
    await process.start()
    try:
        yield process
    finally:
        await process.stop()


async def count(process: Process, name: str, chips: int, request_id: str) -> None:
    app = process.contexts["tables"].app
    assert app is not None
    await app.submit(NOTE_ROOM, asked("room"))
    await app.submit(Add(rack=name, chips=chips), asked(request_id))


async def know_the_room(process: Process) -> None:
    app = process.contexts["seating"].app
    assert app is not None
    await app.submit(NOTE_ROOM, asked("room"))


async def holds(process: Process, name: str, chips: int) -> None:
    app = process.contexts["seating"].app
    assert app is not None

    async def is_so() -> bool:
        state, _ = await app.state(rack(name))
        return bool(state.chips == chips)

    await until(is_so)


@asynccontextmanager
async def bus_service(settings: Settings, address: str, *roles: str) -> AsyncIterator[Any]:
    """A client with a certificate and a token of its own."""
    tls = Certificates(settings.data_directory / "tls").issue("podium")
    token = TokenMint(TokenKeys(settings.data_directory / "tokens").signing()).token(
        "maria", roles, rooms=("*",)
    )
    async with grpc.aio.secure_channel(address, tls.channel_credentials()) as channel:
        stub = BusServiceStub(channel)

        class Calls:
            def __getattr__(self, name: str) -> Any:
                async def call(request: Any) -> Any:
                    metadata = (("authorization", f"Bearer {token}"),)
                    return await getattr(stub, name)(request, metadata=metadata, timeout=10)

                return call

        yield Calls()


async def test_one_process_serves_both_contexts_and_starts_again_where_it_stopped(
    settings: Settings,
) -> None:
    told = settings.data_directory / "run" / "all.address"
    for round_ in (1, 2):
        async with served(ALL, settings, SOURCE, TARGET) as process:
            await know_the_room(process)
            assert told.read_text().strip() == process.address
            await count(process, "once", 5, f"round {round_}")
            await holds(process, "once", 5 * round_)
        assert not told.exists()


async def test_two_processes_hear_of_each_other_and_one_outlives_the_other(
    settings: Settings,
) -> None:
    async with served("tables", settings, SOURCE) as tables:
        async with served("seating", settings, TARGET) as seating:
            assert tables.address == address_of(settings, "tables")
            assert seating.address == address_of(settings, "seating")
            await know_the_room(seating)
            await count(tables, "two", 1, "two-1")
            await holds(seating, "two", 1)
        await count(tables, "two", 2, "two-2")  # nobody listens now
        async with served("seating", settings, TARGET) as seating:
            await holds(seating, "two", 3)


async def test_a_stopped_key_is_seen_and_released_through_the_gate(settings: Settings) -> None:
    MENDED.clear()
    async with served(ALL, settings, SOURCE, TARGET) as process:
        await know_the_room(process)
        await count(process, "parked", BAD_CHIPS, "parked-1")
        await count(process, "parked", 2, "parked-2")
        request = messages.ListDeadLettersRequest(consumer="seating")
        async with bus_service(settings, process.address, "shift_manager") as bus:

            async def parked() -> bool:
                return len((await bus.ListDeadLetters(request)).dead_letters) == 2

            await until(parked)
            page = await bus.ListDeadLetters(
                messages.ListDeadLettersRequest(consumer="seating", page_size=1)
            )
            (first,) = page.dead_letters
            assert (first.ordering_key, first.failed) == ("r1/parked", True)
            assert first.event_topic == "counting.Counted.v1"
            assert first.reason == "ValueError: 13 chips cannot be counted"
            request.page_token = page.next_page_token
            (second,) = (await bus.ListDeadLetters(request)).dead_letters
            assert not second.failed
            (consumer,) = (await bus.ListConsumers(messages.ListConsumersRequest())).consumers
            assert (consumer.name, consumer.stopped_keys) == ("seating", 1)

            MENDED.set()
            release = messages.ReleaseKeyRequest(
                request_id=f"release-{settings.bus.kind}",
                consumer="seating",
                source="tables",
                ordering_key="r1/parked",
                reason="it can be counted now",
            )
            assert (await bus.ReleaseKey(release)).handled == 2
            assert (await bus.ReleaseKey(release)).handled == 2  # the same answer again
            await holds(process, "parked", 15)
            release.request_id += "-other"
            with pytest.raises(grpc.aio.AioRpcError) as nothing:
                await bus.ReleaseKey(release)
            assert "KEY_NOT_STOPPED" in str(nothing.value.trailing_metadata())
        async with bus_service(settings, process.address, "brush") as bus:
            with pytest.raises(grpc.aio.AioRpcError) as denied:
                await bus.ReleaseKey(release)
            assert denied.value.code() == grpc.StatusCode.PERMISSION_DENIED


async def test_a_process_that_fails_to_start_leaves_nothing_running(
    settings: Settings, data_directory: Path
) -> None:
    async with served(ALL, settings, SOURCE, TARGET) as process:
        taken = int(process.address.rpartition(":")[2])
        other = Settings(
            data_directory=settings.data_directory, grpc=GrpcSettings(port=taken), bus=settings.bus
        )
        second = Process(ALL, (replace(SOURCE),), KNOWN, other)
        with pytest.raises(OSError, match="cannot listen"):
            await second.start()
        await know_the_room(process)
        await count(process, "still", 4, "still-1")
        await holds(process, "still", 4)


def rewind(monkeypatch: pytest.MonkeyPatch, settings: Settings, *words: str) -> tuple[int, str]:
    """Run `cardroom bus rewind` on the two small contexts and return its status and what it said."""
    monkeypatch.setattr("cardroom.cli.serve.load_contexts", lambda: KNOWN)
    monkeypatch.setattr("cardroom.adapters.process.LEAD_SECONDS", 1.0)
    given = {
        "CARDROOM_DATA_DIRECTORY": str(settings.data_directory),
        "CARDROOM_BUS__KIND": settings.bus.kind,
        "CARDROOM_BUS__BOOTSTRAP": settings.bus.bootstrap,
        "CARDROOM_BUS__PREFIX": settings.bus.prefix,
    }
    run = CliRunner().invoke(app, ["bus", "rewind", *words], env=given, catch_exceptions=False)
    return run.exit_code, run.output.strip()


async def test_the_command_rewinds_a_publisher_that_does_not_run(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def asked_to_rewind(*words: str) -> tuple[int, str]:
        return await asyncio.to_thread(rewind, monkeypatch, settings, *words)

    async with served(ALL, settings, SOURCE, TARGET) as process:
        await know_the_room(process)
        await count(process, "again", 4, "rewind-1")
        await holds(process, "again", 4)
        if settings.bus.kind == "kafka":
            status, said = await asked_to_rewind("tables", "--after", "0")
            assert (status, said) == (1, "a process publishes for tables: stop it first")
    status, said = await asked_to_rewind("tables", "--after", "0")
    if settings.bus.kind == "embedded":
        assert (status, said) == (
            1,
            "bus.kind is embedded: consumers read the log itself, nothing is sent",
        )
        return
    assert (status, said) == (0, "tables sends everything above 0 again when it is served")
    status, said = await asked_to_rewind("tables", "--after", "999999")
    assert status == 1
    assert "999999" in said
    assert await asked_to_rewind("seating", "--after", "0") == (1, "seating publishes nothing")
    status, said = await asked_to_rewind("roulette", "--after", "0")
    assert (status, said) == (2, "'roulette' is no context: tables, seating")

    async with served(ALL, settings, SOURCE, TARGET) as process:
        await count(process, "again", 5, "rewind-2")
        await holds(process, "again", 9)  # what came again was known
    consumer = KafkaConsumer(
        f"{settings.bus.prefix}.tables.v1",
        bootstrap_servers=settings.bus.bootstrap,
        auto_offset_reset="earliest",
        consumer_timeout_ms=1000,
    )
    sent = await asyncio.to_thread(
        lambda: [dict(one.headers)["notification-id"] for one in consumer]
    )
    await asyncio.to_thread(consumer.close)
    times = Counter(sent)
    assert sorted(set(times.values())) == [1, 2]
    assert [number for number, seen in times.items() if seen == 1] == [max(times, key=int)]


def test_the_command_serves_until_it_is_asked_to_stop(data_directory: Path) -> None:
    environment = {
        **os.environ,
        "CARDROOM_DATA_DIRECTORY": str(data_directory / "command"),
        "CARDROOM_GRPC__PORT": "0",
        "CARDROOM_LOG__FORMAT": "json",
    }
    told = data_directory / "command" / "run" / "house.address"
    with subprocess.Popen(
        [sys.executable, "-m", "cardroom.cli.main", "serve", "house"],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        asyncio.run(until(lambda: told.exists() or process.poll() is not None))
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 0, said
    assert '"process started"' in said
    assert not told.exists()


def test_an_unknown_context_is_named(data_directory: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "cardroom.cli.main", "serve", "roulette"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "'roulette' is no context" in run.stderr


def test_ports_of_single_contexts_follow_that_of_the_installation() -> None:
    settings = load_settings()
    ports = {
        int(address_of(settings, name).rpartition(":")[2]) - settings.grpc.port
        for name in (ALL, "house", "players")
    }
    assert ports == {0, 1, 2}
