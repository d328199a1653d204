"""The inbox without any transport: given these deliveries, these effects; nothing twice, nothing lost."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from google.protobuf.wrappers_pb2 import StringValue

from cardroom.adapters.application import Application, Request
from cardroom.adapters.bus.embedded import EmbeddedBus
from cardroom.adapters.bus.envelope import Received, envelope_of, key_by_table
from cardroom.adapters.bus.handlers import CommandHandler
from cardroom.adapters.bus.inbox import Inbox
from cardroom.adapters.bus.memory import MemoryLedger
from cardroom.adapters.bus.port import Bus, Delivery, Gap, Publication
from cardroom.adapters.bus.sourcelog import StoreLog
from cardroom.adapters.errors import Unavailable
from cardroom.adapters.store.memory import MemoryStore, MemoryTables
from cardroom.kernel.clock import ManualClock
from cardroom.kernel.decisions import Command
from cardroom.kernel.envelope import NO_HASH, Envelope, Recorded
from cardroom.kernel.refusal import Refused, Unknown
from tests.plugins.counting import DECIDER, EVENING, EVENTS, NOTE_ROOM, Add, Counted, asked
from tests.plugins.wire import count_again, publish, until

SOURCE = "counting"


class Target:
    """An application in memory and its inbox."""

    def __init__(self, policy: Callable[[Received], tuple[Command, ...]] = count_again) -> None:
        self.tables = MemoryTables()
        self.app = Application(DECIDER, MemoryStore(self.tables), ManualClock(EVENING))
        self.ledger = MemoryLedger(self.tables)
        self.inbox = self.restarted(policy)

    def restarted(
        self, policy: Callable[[Received], tuple[Command, ...]] = count_again, app: Any = None
    ) -> Inbox:
        handler = CommandHandler(app or self.app, {SOURCE: policy})
        return Inbox(
            "seating", handler, self.ledger, least_wait_seconds=0.001, patience_seconds=0.05
        )

    async def counted(self) -> list[tuple[str, int]]:
        return [
            (recorded.stream.split("/")[2], recorded.event.chips)
            for recorded in await self.app.log(0, 1000)
            if isinstance(recorded.event, Counted)
        ]


@pytest.fixture
async def target() -> AsyncIterator[Target]:
    target = Target()
    async with target.app:
        await target.app.submit(NOTE_ROOM, asked("room"))
        await target.inbox.begin(SOURCE)
        yield target


def message(number: int, name: str = "a", chips: int = 1, previous: int | None = None) -> Delivery:
    around = Envelope(
        recorded_at=EVENING,
        occurred_at=None,
        gaming_day="2026-03-06",
        utc_offset_minutes=-480,
        actor="floor-1",
        roles=(),
        station="",
        request_id="r",
        causation_id="",
        correlation_id="c",
        override_reason="",
        book_digest="",
        previous_hash=NO_HASH,
        event=msgspec.Raw(b"\x80"),
    )
    recorded = Recorded(
        notification_id=number,
        stream=f"rack/r1/{name}",
        version=1,
        topic="counting.Counted.v1",
        own_hash=NO_HASH,
        envelope=around,
        event=None,
    )
    payload = StringValue(value=f"{name} {chips}")
    return Delivery(
        source=SOURCE,
        partition=0,
        notification_id=number,
        previous_id=previous,
        key=f"r1/{name}",
        data=envelope_of(SOURCE, recorded, f"r1/{name}", payload).SerializeToString(),
        mark=number,
    )


async def test_a_message_that_comes_again_has_no_second_effect(target: Target) -> None:
    for number in (3, 5, 3, 5, 4, 6):
        await target.inbox.receive(message(number, chips=number))
    assert await target.counted() == [("a", 3), ("a", 5), ("a", 6)]
    again = target.restarted()
    await again.begin(SOURCE)
    await again.receive(message(6, chips=6))
    await again.receive(message(7, chips=7))
    assert await target.counted() == [("a", 3), ("a", 5), ("a", 6), ("a", 7)]


async def test_two_inboxes_that_both_believe_to_own_a_partition_do_the_work_once(
    target: Target,
) -> None:
    other = target.restarted()
    await other.begin(SOURCE)
    await target.inbox.receive(message(3))
    await other.receive(message(3))
    await other.receive(message(4, chips=2))
    await target.inbox.receive(message(4, chips=2))
    assert await target.counted() == [("a", 1), ("a", 2)]


async def test_a_gap_is_told_and_moves_nothing(target: Target) -> None:
    await target.inbox.receive(message(3, previous=0))
    with pytest.raises(Gap, match="message 9 follows 7, but only what came up to 3 was handled"):
        await target.inbox.receive(message(9, previous=7))
    assert target.inbox.position(SOURCE, 0) == 3
    await target.inbox.receive(message(7, previous=3))
    await target.inbox.receive(message(9, previous=7))
    assert len(await target.counted()) == 3


async def test_a_key_stops_in_order_and_is_released_in_order(target: Target) -> None:
    bad = {13}

    def touchy(received: Received) -> tuple[Command, ...]:
        commands = count_again(received)
        if any(isinstance(one, Add) and one.chips in bad for one in commands):
            raise ValueError("cannot be counted")
        return commands

    inbox = target.restarted(touchy)
    await inbox.begin(SOURCE)
    for number, (name, chips) in enumerate([("a", 13), ("b", 1), ("a", 2), ("b", 3)], 1):
        await inbox.receive(message(number, name, chips))
    assert await target.counted() == [("b", 1), ("b", 3)]
    assert [letter.failed for letter in target.ledger.letters] == [True, False]
    released = await inbox.release(SOURCE, "r1/a", actor="maria", reason="try")
    assert (released.handled, released.failure) == (0, "ValueError: cannot be counted")
    bad.clear()
    assert (await inbox.release(SOURCE, "r1/a", actor="maria", reason="mended")).handled == 2
    await inbox.receive(message(5, "a", 4))
    assert [chips for name, chips in await target.counted() if name == "a"] == [13, 2, 4]
    assert target.ledger.failures == [(1, "maria", "ValueError: cannot be counted")]


async def test_a_failed_message_is_not_parked_by_who_lost_the_partition(target: Target) -> None:
    def fail(received: Received) -> tuple[Command, ...]:
        raise ValueError("cannot be counted")

    zombie = target.restarted(fail)
    await zombie.begin(SOURCE)
    await target.inbox.receive(message(3))
    await zombie.receive(message(3))
    assert target.ledger.letters == []


async def test_what_is_not_known_yet_is_waited_for(target: Target) -> None:
    calls: list[int] = []

    def early(received: Received) -> tuple[Command, ...]:
        calls.append(received.notification_id)
        if len(calls) < 4:
            raise Unknown("room", "r1", "room")
        return count_again(received)

    inbox = target.restarted(early)
    await inbox.begin(SOURCE)
    await inbox.receive(message(3))
    assert await target.counted() == [("a", 1)]
    assert target.ledger.letters == []


async def test_what_stays_unknown_is_parked_in_the_end(target: Target) -> None:
    def never(received: Received) -> tuple[Command, ...]:
        raise Unknown("room", "r9", "room")

    inbox = target.restarted(never)
    await inbox.begin(SOURCE)
    await inbox.receive(message(3))
    assert target.ledger.letters[0].reason == "ROOM_UNKNOWN (CR-2): room 'r9' is not known"


async def test_a_store_that_is_away_is_waited_for_and_parks_nothing(target: Target) -> None:
    class Away:
        left = 5

        async def submit_all(self, commands: Any, request: Request, tracking: Any = None) -> Any:
            self.left -= 1
            if self.left > 0:
                raise Unavailable("the store is away")
            return await target.app.submit_all(commands, request, tracking)

    inbox = target.restarted(app=Away())
    await inbox.begin(SOURCE)
    await inbox.receive(message(3))
    assert await target.counted() == [("a", 1)]
    assert target.ledger.letters == []


async def test_bytes_that_are_no_envelope_are_parked_with_the_reason(target: Target) -> None:
    await target.inbox.receive(replace(message(3), data=b"\xff"))
    await target.inbox.receive(replace(message(4, "b"), notification_id=5))
    reasons = [letter.reason for letter in target.ledger.letters]
    assert reasons[0].startswith("Unreadable: not an envelope")
    assert reasons[1] == "Unreadable: the envelope says counting:4, the transport counting:5"


async def test_a_reason_is_asked_for(target: Target) -> None:
    with pytest.raises(Refused, match="reason is empty"):
        await target.inbox.release(SOURCE, "r1/a", actor="maria", reason="")


async def test_the_embedded_bus_runs_on_stores_in_memory(target: Target) -> None:
    source = Application(DECIDER, MemoryStore(), ManualClock(EVENING))
    async with source:
        await source.submit(NOTE_ROOM, asked("room"))
        publication = Publication(
            source=SOURCE,
            log=StoreLog(SOURCE, source.store, EVENTS, poll_seconds=0.05),
            publish=publish,
            ordering_key=key_by_table,
        )
        bus: Bus = EmbeddedBus(
            {SOURCE: publication}, partitions=64, shuffle=random.Random(3), poll_seconds=0.05
        )
        (follower,) = bus.consumers(target.inbox)
        running = asyncio.create_task(follower.run())
        for number in range(1, 21):
            for name in ("a", "b", "c"):
                await source.submit(Add(rack=name, chips=number), asked(f"{name}{number}"))

        async def all_there() -> bool:
            return len(await target.counted()) == 60

        await until(all_there)
        for name in ("a", "b", "c"):
            found = [chips for rack, chips in await target.counted() if rack == name]
            assert found == list(range(1, 21))
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
