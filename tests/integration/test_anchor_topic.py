"""The anchor topic on a real broker: whatever happens to the broker, every seal comes to stand on it."""

import asyncio
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from kafka import KafkaConsumer, TopicPartition

from cardroom.adapters.application import Application
from cardroom.adapters.bus.broker import Broker
from cardroom.adapters.bus.kafka import AnchorTopic
from cardroom.adapters.bus.topics import KafkaSettings
from cardroom.adapters.errors import Unavailable
from cardroom.adapters.seals import AnchorFile, Sealer, opened
from cardroom.adapters.store.memory import MemoryStore, MemoryTables
from cardroom.adapters.store.port import Seal
from cardroom.kernel.clock import ManualClock
from tests.plugins.counting import DECIDER, EVENING, NOTE_ROOM, Add, asked
from tests.plugins.wire import until

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(120)]
KEY = bytes(range(32))
PUBLIC_KEY = Ed25519PrivateKey.from_private_bytes(KEY).public_key()


def on_topic(settings: KafkaSettings, context: str) -> list[Seal]:
    """Return a context's seals as they stand on the topic, in its order."""
    consumer = KafkaConsumer(
        bootstrap_servers=settings.bootstrap, group_id=None, enable_auto_commit=False
    )
    try:
        part = TopicPartition(settings.anchor_topic, 0)
        consumer.assign([part])
        end = consumer.end_offsets([part])[part]
        consumer.seek_to_beginning(part)
        found = []
        while consumer.position(part) < end:
            for records in consumer.poll(timeout_ms=200).values():
                for record in records:
                    headers = dict(record.headers)
                    if record.key == context.encode():
                        number = int(headers["number"])
                        found.append(Seal(number, record.value, headers["signature"]))
        return found
    finally:
        consumer.close()


async def numbers(settings: KafkaSettings) -> list[int]:
    """Return the numbers of the seals on the topic, each checked against its signature."""
    seals = await asyncio.to_thread(on_topic, settings, "counting")
    for seal in seals:
        checkpoint = opened(seal, PUBLIC_KEY)
        assert checkpoint is not None
        assert checkpoint.number == seal.number
    return [seal.number for seal in seals]


async def test_seals_that_the_topic_did_not_take_are_sent_when_it_can_be_reached(
    own_broker: Broker, tmp_path: Path
) -> None:
    settings = KafkaSettings(bootstrap=own_broker.bootstrap)
    anchor = AnchorFile(tmp_path, "counting")
    store = MemoryStore(MemoryTables(), "m")

    def sealer(every_seconds: float = 3600) -> Sealer:
        second = AnchorTopic(settings, "counting")
        clock = ManualClock(EVENING)
        return Sealer(
            "counting", store, clock, KEY, anchor, every_seconds=every_seconds, second=second
        )

    async with Application(DECIDER, store, ManualClock(EVENING)) as app:
        first = sealer()
        await first.start()
        await app.submit(NOTE_ROOM, asked("room"))
        await first.seal()
        assert await first.publish() == 1
        assert await first.publish() == 0

        await asyncio.to_thread(own_broker.kill)
        for n in range(2):
            await app.submit(Add(), asked(f"away {n}"))
            await first.seal()
            with pytest.raises(Unavailable, match="anchor topic"):
                await first.publish()
        await first.stop()
        assert [seal.number for seal in anchor.read()] == [1, 2, 3]
        assert anchor.published() == 1

        # A process that starts while the broker is away serves, and makes up for it once the broker is back.
        second = sealer(every_seconds=0.05)
        await second.start()
        await asyncio.to_thread(own_broker.start)
        await until(lambda: anchor.published() == 3, 60)
        assert await numbers(settings) == [1, 2, 3]
        await app.submit(Add(), asked("back"))
        await second.stop()
        assert await numbers(settings) == [1, 2, 3, 4]

        # Where nothing says what the topic has, all of it is sent again.
        anchor.published_path.unlink()
        third = sealer()
        await third.start()
        await third.stop()
        assert await numbers(settings) == [1, 2, 3, 4, 1, 2, 3, 4]


async def test_a_hole_that_another_process_left_in_the_file_is_filled(tmp_path: Path) -> None:
    class FullDisk(AnchorFile):
        def append(self, seals: object) -> None:
            raise OSError("no space left on device")

    store = MemoryStore(MemoryTables(), "m")
    async with Application(DECIDER, store, ManualClock(EVENING)) as app:
        clock = ManualClock(EVENING)
        anchor = AnchorFile(tmp_path, "counting")
        one = Sealer("counting", store, clock, KEY, FullDisk(tmp_path, "counting"))
        two = Sealer("counting", store, clock, KEY, anchor)
        await app.submit(NOTE_ROOM, asked("room"))
        await two.seal()
        await app.submit(Add(), asked("one"))
        with pytest.raises(OSError, match="no space"):
            await one.seal()
        await app.submit(Add(), asked("two"))
        await two.seal()
        assert [seal.number for seal in anchor.read()] == [1, 3]
        await two.catch_up()
        assert sorted(seal.number for seal in anchor.read()) == [1, 2, 3]
