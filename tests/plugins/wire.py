"""Two small contexts on one database with a bus between them, in this process or (`python -m`) in one of its own.

The source counts chips in racks; every rack's change is published under the rack's key. The target counts the same
chips again, so that what arrived, how often and in which order can be read from its log.
"""

import asyncio
import json
import os
import random
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from subprocess import DEVNULL, PIPE, Popen
from typing import Any

from google.protobuf.message import Message
from google.protobuf.wrappers_pb2 import StringValue
from psycopg.pq import TransactionStatus

from cardroom.adapters.application import Application
from cardroom.adapters.bus.deadletters import PostgresLedger, schema_pool
from cardroom.adapters.bus.embedded import EmbeddedBus
from cardroom.adapters.bus.envelope import Received, key_by_table
from cardroom.adapters.bus.handlers import CommandHandler
from cardroom.adapters.bus.inbox import Inbox
from cardroom.adapters.bus.kafka import KafkaBus, TopicProducer
from cardroom.adapters.bus.port import Bus, Delivery, Publication
from cardroom.adapters.bus.publisher import Publisher
from cardroom.adapters.bus.sourcelog import StoreLog
from cardroom.adapters.bus.supervise import supervise
from cardroom.adapters.bus.topics import KafkaSettings
from cardroom.adapters.errors import ConnectionLost
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.kernel.clock import ManualClock
from cardroom.kernel.decisions import Command
from cardroom.kernel.envelope import Recorded
from tests.plugins.counting import DECIDER, EVENING, EVENTS, NOTE_ROOM, Add, Counted, asked

SOURCE = "counting"
TARGET = "seating"
DEADLINE_SECONDS = 30.0


@dataclass(frozen=True)
class Place:
    """Where the two contexts lie, and how they are connected."""

    source_dsn: str
    target_dsn: str
    bootstrap: str = ""
    prefix: str = "test"
    partitions: int = 8
    shuffle_seed: int | None = None

    @property
    def kafka(self) -> KafkaSettings:
        return KafkaSettings(
            bootstrap=self.bootstrap,
            prefix=self.prefix,
            partitions=self.partitions,
            session_seconds=6.0,
        )


def publish(recorded: Recorded) -> Message | None:
    """Publish every count of chips."""
    if not isinstance(recorded.event, Counted):
        return None
    name = recorded.stream.split("/")[2]
    return StringValue(value=f"{name} {recorded.event.chips}")


def count_again(message: Received) -> tuple[Command, ...]:
    """Count what was counted; racks named `quiet...` mean nothing here."""
    assert isinstance(message.payload, StringValue)
    name, chips = message.payload.value.split()
    return () if name.startswith("quiet") else (Add(rack=name, chips=int(chips)),)


async def until(true: Callable[[], Any], seconds: float = DEADLINE_SECONDS) -> None:
    """Wait until something is true; fail when it takes too long."""
    async with asyncio.timeout(seconds):
        while True:
            found = true()
            if asyncio.iscoroutine(found):
                found = await found
            if found:
                return
            await asyncio.sleep(0.005)


class Wire:
    """The two applications and what runs between them."""

    def __init__(self, place: Place, target_store: PostgresStore | None = None) -> None:
        self.place = place
        self.source = Application(
            DECIDER, PostgresStore(place.source_dsn, SOURCE), ManualClock(EVENING)
        )
        self.target = Application(
            DECIDER, target_store or PostgresStore(place.target_dsn, TARGET), ManualClock(EVENING)
        )
        self.source_pool = schema_pool(place.source_dsn, SOURCE)
        self.target_pool = schema_pool(place.target_dsn, TARGET)
        self.source_ledger = PostgresLedger(self.source_pool, SOURCE)
        self.target_ledger = PostgresLedger(self.target_pool, TARGET)
        self.publication = Publication(
            source=SOURCE,
            log=StoreLog(SOURCE, self.source.store, EVENTS, poll_seconds=0.2),
            publish=publish,
            ordering_key=key_by_table,
        )
        self.running: list[asyncio.Task[None]] = []

    @property
    def bus(self) -> Bus:
        if self.place.bootstrap:
            return KafkaBus(self.place.kafka)
        seed = self.place.shuffle_seed
        return EmbeddedBus(
            {SOURCE: self.publication},
            partitions=self.place.partitions,
            shuffle=None if seed is None else random.Random(seed),
            poll_seconds=0.2,
        )

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Wire"]:
        await self.source_pool.open()
        await self.target_pool.open()
        async with self.source, self.target:
            for app in (self.source, self.target):
                await app.submit(NOTE_ROOM, asked("room"))
            try:
                yield self
            finally:
                await self.stop()
                await self.source_ledger.close()
                await self.target_ledger.close()
        await self.source_pool.close()
        await self.target_pool.close()

    def inbox(
        self, policy: Callable[[Received], tuple[Command, ...]] = count_again, app: Any = None
    ) -> Inbox:
        handler = CommandHandler(app or self.target, {SOURCE: policy})
        return Inbox(TARGET, handler, self.target_ledger, least_wait_seconds=0.001)

    def publish(self) -> None:
        """Start the publisher, where this bus has one."""
        publisher = self.bus.publisher(self.publication, self.source_ledger)
        if publisher is not None:
            self.run(publisher)

    def consume(self, inbox: Inbox) -> None:
        """Start what feeds an inbox."""
        for follower in self.bus.consumers(inbox):
            self.run(follower)

    def run(self, follower: Any) -> None:
        """Run a follower under supervision."""
        self.running.append(asyncio.create_task(supervise(follower, least_seconds=0.05)))

    async def stop(self) -> None:
        """Stop all followers."""
        running, self.running = self.running, []
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def count(self, *counts: tuple[str, int], prefix: str = "") -> list[Recorded]:
        """Count chips in the source, one command after the other."""
        recorded: list[Recorded] = []
        for number, (name, chips) in enumerate(counts):
            outcome = await self.source.submit(
                Add(rack=name, chips=chips), asked(f"{prefix}{name}-{chips}-{number}")
            )
            recorded += outcome.events
        return recorded

    async def arrived(self) -> dict[str, list[int]]:
        """Return what the target counted, per rack in order."""
        found: dict[str, list[int]] = {}
        for recorded in await self.target.log(0, 100_000):
            if isinstance(recorded.event, Counted):
                found.setdefault(recorded.stream.split("/")[2], []).append(recorded.event.chips)
        return found

    async def causes(self) -> list[str]:
        """Return the causation ids of what the target counted."""
        return [
            recorded.envelope.causation_id
            for recorded in await self.target.log(0, 100_000)
            if isinstance(recorded.event, Counted)
        ]

    async def arrived_as(
        self, wanted: dict[str, list[int]], seconds: float = DEADLINE_SECONDS
    ) -> None:
        """Wait until exactly this arrived."""

        async def is_so() -> bool:
            try:
                return await self.arrived() == wanted
            except ConnectionLost:  # a test may have cut it
                return False

        try:
            await until(is_so, seconds)
        except TimeoutError:
            raise AssertionError(f"{await self.arrived()} arrived, wanted {wanted}") from None


# --- a process of its own, which may be told when to die ----------------------------------------------------------


class DyingStore(PostgresStore):
    """Kills its process between the work and the commit, or just after the commit."""

    def __init__(self, dsn: str, schema: str, *, when: str, on_effect: int) -> None:
        super().__init__(dsn, schema)
        self._when = when
        self._effects_left = on_effect

    async def commit(self, batch: Any) -> Any:
        if any(proposal.tracking for proposal in batch):
            self._effects_left -= 1
        if self._effects_left <= 0 and self._when == "before-commit":
            await self._work_without_commit(batch)
        verdicts = await super().commit(batch)
        if self._effects_left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return verdicts

    async def _work_without_commit(self, batch: Any) -> None:
        connection = await self._connect()
        await connection.execute("BEGIN")
        await self._commit(connection, batch)
        assert connection.info.transaction_status == TransactionStatus.INTRANS
        os.kill(os.getpid(), signal.SIGKILL)


class DyingProducer(TopicProducer):
    """Kills its process after the broker has acknowledged, before the position is stored."""

    async def send(self, deliveries: Sequence[Delivery]) -> None:
        await super().send(deliveries)
        os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def process(role: str, place: Place, when: str = "", on_effect: int = 1) -> Iterator[Popen[bytes]]:
    """Run the wire in a process of its own: `publisher` or `consumer`; it is killed at the end if it still runs."""
    told = json.dumps({"place": asdict(place), "role": role, "when": when, "on_effect": on_effect})
    child = Popen([sys.executable, "-m", __name__], stdin=PIPE, stdout=DEVNULL, stderr=None)
    assert child.stdin is not None
    child.stdin.write(told.encode())
    child.stdin.close()
    try:
        yield child
    finally:
        child.kill()
        child.wait()


async def died(child: Popen[bytes]) -> None:
    """Wait until a process was killed, by itself or by others."""
    await until(lambda: child.poll() is not None)
    assert child.returncode == -signal.SIGKILL


async def _main() -> None:
    told = json.load(sys.stdin)
    place = Place(**told["place"])
    store = None
    if told["role"] == "consumer" and told["when"]:
        store = DyingStore(place.target_dsn, TARGET, when=told["when"], on_effect=told["on_effect"])
    wire = Wire(place, store)
    async with wire.open():
        if told["role"] == "publisher":
            topic = place.kafka.topic(SOURCE)
            producer = DyingProducer if told["when"] else TopicProducer
            await supervise(
                Publisher(wire.publication, wire.source_ledger, producer(place.kafka, topic), topic)
            )
        else:
            wire.consume(wire.inbox())
            await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_main())
