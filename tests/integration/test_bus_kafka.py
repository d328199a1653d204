"""What only Kafka can do to us: a publisher that dies, a broker that restarts, duplicates, gaps, rebalances."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType

from cardroom.adapters.bus.broker import Broker
from cardroom.adapters.bus.inbox import Inbox
from cardroom.adapters.bus.kafka import TopicProducer
from cardroom.adapters.bus.metrics import ALARMS
from cardroom.adapters.bus.port import MisfitTopic, partition_of
from cardroom.adapters.bus.publisher import Publisher
from cardroom.adapters.bus.topics import ensure_topics
from cardroom.adapters.installation import Database
from tests.plugins.kafka import KafkaTopics
from tests.plugins.wire import SOURCE, TARGET, Place, Wire, died, process, until

pytestmark = [pytest.mark.postgres, pytest.mark.kafka, pytest.mark.timeout(120)]

NUMBERS = iter(range(1_000_000))


@pytest.fixture
def place(fresh_database: Database, kafka: KafkaTopics) -> Place:
    dsns = (fresh_database.service(SOURCE), fresh_database.service(TARGET))
    return Place(*dsns, kafka.bootstrap, f"{kafka.prefix}-{next(NUMBERS)}")


@pytest.fixture
async def wire(place: Place) -> AsyncIterator[Wire]:
    async with Wire(place).open() as wire:
        yield wire


def publisher(wire: Wire) -> Publisher:
    topic = wire.place.kafka.topic(SOURCE)
    return Publisher(
        wire.publication, wire.source_ledger, TopicProducer(wire.place.kafka, topic), topic
    )


def alarms(who: str, kind: str) -> float:
    return ALARMS.labels(who, kind)._value.get()


async def records(wire: Wire, topic: str, partitions: int) -> list[tuple[int, dict[str, str]]]:
    """Return (partition, headers) of everything on a topic."""

    def read() -> list[tuple[int, dict[str, str]]]:
        consumer = KafkaConsumer(
            bootstrap_servers=wire.place.bootstrap, group_id=None, enable_auto_commit=False
        )
        every = [TopicPartition(topic, number) for number in range(partitions)]
        consumer.assign(every)
        ends = consumer.end_offsets(every)
        consumer.seek_to_beginning(*every)
        found = []
        while any(consumer.position(one) < ends[one] for one in every):
            for polled in consumer.poll(timeout_ms=200).values():
                found += [
                    (record.partition, {name: value.decode() for name, value in record.headers})
                    for record in polled
                ]
        consumer.close()
        return found

    return await asyncio.to_thread(read)


async def test_a_publisher_killed_between_produce_and_position_costs_a_duplicate_not_an_effect(
    wire: Wire,
) -> None:
    sent = await wire.count(*((name, n) for n in range(1, 4) for name in ("a", "b")))
    for _ in range(2):
        with process("publisher", wire.place, "after-produce") as child:
            await died(child)
    wire.publish()
    wire.consume(wire.inbox())
    await wire.count(("a", 9))
    await wire.arrived_as({"a": [1, 2, 3, 9], "b": [1, 2, 3]})
    assert max(Counter(await wire.causes()).values()) == 1

    on_topic = await records(wire, wire.place.kafka.topic(SOURCE), wire.place.partitions)
    times = Counter(int(headers["notification-id"]) for _, headers in on_topic)
    assert [times[recorded.notification_id] for recorded in sent] == [3] * len(sent)
    before: dict[tuple[int, str], set[str]] = {}
    for partition, headers in on_topic:
        named = before.setdefault((partition, headers["notification-id"]), set())
        named.add(headers["previous-id"])
    assert all(len(named) == 1 for named in before.values())  # each time the same predecessor


async def test_the_broker_may_be_killed_and_come_back(
    fresh_database: Database, own_broker: Broker
) -> None:
    dsns = (fresh_database.service(SOURCE), fresh_database.service(TARGET))
    async with Wire(Place(*dsns, own_broker.bootstrap, "cardroom")).open() as wire:
        wire.publish()
        wire.consume(wire.inbox())
        await wire.count(("a", 1), ("b", 1))
        await wire.arrived_as({"a": [1], "b": [1]})
        await asyncio.to_thread(own_broker.kill)
        await wire.count(("a", 2), ("b", 2))
        await asyncio.to_thread(own_broker.start)
        await wire.count(("a", 3), ("b", 3))
        await wire.arrived_as({"a": [1, 2, 3], "b": [1, 2, 3]}, 60)
        assert max(Counter(await wire.causes()).values()) == 1


async def test_stopping_is_prompt_while_the_broker_is_away(
    fresh_database: Database, own_broker: Broker
) -> None:
    dsns = (fresh_database.service(SOURCE), fresh_database.service(TARGET))
    async with Wire(Place(*dsns, own_broker.bootstrap, "cardroom")).open() as wire:
        wire.publish()
        wire.consume(wire.inbox())
        await wire.count(("a", 1))
        await wire.arrived_as({"a": [1]})
        await asyncio.to_thread(own_broker.kill)
        await wire.count(("a", 2))
        async with asyncio.timeout(20):
            await wire.stop()
        await asyncio.to_thread(own_broker.start)
        wire.publish()
        wire.consume(wire.inbox())
        await wire.arrived_as({"a": [1, 2]}, 60)


async def test_a_gap_stops_its_partition_with_an_alarm_until_the_message_is_sent_again(
    wire: Wire,
) -> None:
    assert partition_of("r1/a", 8) != partition_of("r1/b", 8)
    topic = wire.place.kafka.topic(SOURCE)
    _, lost, _, _ = await wire.count(("a", 1), ("a", 2), ("a", 3), ("b", 4))
    producer = TopicProducer(wire.place.kafka, topic)
    partitions = await producer.open()
    previous: dict[int, int] = {}
    for recorded in await wire.publication.log.read(0, 100):
        delivery = wire.publication.delivery(recorded, partitions, previous)
        if delivery is None:
            continue
        previous[delivery.partition] = delivery.notification_id
        if recorded.notification_id != lost.notification_id:
            await producer.send([delivery])
    await producer.close()

    halted = alarms(TARGET, "partition_halted")
    wire.consume(wire.inbox())
    await wire.arrived_as({"a": [1], "b": [4]})
    await until(lambda: alarms(TARGET, "partition_halted") > halted)
    wire.publish()  # starts at the beginning of the log: what was lost comes again, and all else with it
    await wire.arrived_as({"a": [1, 2, 3], "b": [4]})
    assert max(Counter(await wire.causes()).values()) == 1


async def test_a_rewound_publisher_sends_the_same_messages_and_nothing_happens_twice(
    wire: Wire,
) -> None:
    first, *_ = await wire.count(("a", 1), ("b", 2), ("a", 3))
    wire.publish()
    wire.consume(wire.inbox())
    await wire.arrived_as({"a": [1, 3], "b": [2]})
    await wire.stop()
    with pytest.raises(ValueError, match="the last id that was sent"):
        await publisher(wire).rewind(10_000)
    await publisher(wire).rewind(first.notification_id)
    wire.publish()
    wire.consume(wire.inbox())
    await wire.count(("a", 4))
    await wire.arrived_as({"a": [1, 3, 4], "b": [2]})
    on_topic = await records(wire, wire.place.kafka.topic(SOURCE), wire.place.partitions)
    assert (
        Counter(int(headers["notification-id"]) for _, headers in on_topic)[first.notification_id]
        == 1
    )
    assert len(on_topic) == 6


async def test_a_second_process_takes_over_partitions_and_none_is_handled_twice(wire: Wire) -> None:
    racks = [f"k{number}" for number in range(16)]
    wire.publish()
    wire.consume(wire.inbox())
    await wire.count(*((rack, 1) for rack in racks))
    await wire.arrived_as({rack: [1] for rack in racks})
    with process("consumer", wire.place):
        await until(lambda: _members(wire) == 2)
        await wire.count(*((rack, n) for n in (2, 3) for rack in racks))
        await wire.arrived_as({rack: [1, 2, 3] for rack in racks})
    await wire.count(
        *((rack, 4) for rack in racks)
    )  # the other process was killed: its share comes back
    await wire.arrived_as({rack: [1, 2, 3, 4] for rack in racks})
    assert max(Counter(await wire.causes()).values()) == 1


class SlowToTakeOver(Inbox):
    """Takes longer to take over its first partition than a silent member may stay in the group."""

    def __init__(self, inbox: Inbox, seconds: float) -> None:
        super().__init__(inbox.name, inbox.handler, inbox.ledger)
        self.taken: list[int] = []
        self._seconds = seconds

    async def begin_partition(self, source: str, partition: int) -> None:
        self.taken.append(partition)
        if len(self.taken) == 1:
            await asyncio.sleep(self._seconds)
        await super().begin_partition(source, partition)


async def test_who_takes_long_to_take_over_partitions_stays_in_the_group(wire: Wire) -> None:
    inbox = SlowToTakeOver(wire.inbox(), wire.place.kafka.session_seconds + 1.0)
    wire.publish()
    wire.consume(inbox)
    await wire.count(("a", 1), ("b", 1))
    await until(lambda: inbox.taken)
    joined = _member_ids(wire)
    await wire.arrived_as({"a": [1], "b": [1]})
    assert len(joined) == 1
    assert _member_ids(wire) == joined
    assert sorted(inbox.taken) == [*range(wire.place.partitions)]


async def test_a_message_that_takes_long_does_not_keep_others_from_joining(wire: Wire) -> None:
    held = asyncio.Event()

    class Slow:
        """Takes its time over the first message."""

        async def submit_all(self, *args: Any, **named: Any) -> Any:
            if not held.is_set():
                held.set()
                await asyncio.sleep(wire.place.kafka.session_seconds + 1.0)
            return await wire.target.submit_all(*args, **named)

    wire.publish()
    wire.consume(wire.inbox(app=Slow()))
    await wire.count(("a", 1))
    await held.wait()
    joined = _member_ids(wire)
    wire.consume(wire.inbox())
    await until(lambda: _members(wire) == 2)
    assert joined < _member_ids(wire)
    await wire.count(("b", 1))
    await wire.arrived_as({"a": [1], "b": [1]})
    assert max(Counter(await wire.causes()).values()) == 1


def _member_ids(wire: Wire) -> set[str]:
    return {member["member_id"] for member in _group(wire)["members"]}


def _members(wire: Wire) -> int:
    described = _group(wire)
    return len(described["members"]) if described["group_state"] == "Stable" else 0


def _group(wire: Wire) -> dict[str, Any]:
    admin = KafkaAdminClient(bootstrap_servers=wire.place.bootstrap)
    try:
        group = f"{wire.place.prefix}.{TARGET}"
        return admin.describe_groups([group])[group]  # type: ignore[no-any-return]
    finally:
        admin.close()


async def test_dead_letters_stand_on_their_topic_with_the_reason(wire: Wire) -> None:
    def fail(message: object) -> tuple[()]:
        raise ValueError("cannot be counted")

    wire.publish()
    wire.consume(wire.inbox(fail))
    announcer = wire.bus.announcer(wire.target_ledger, TARGET)
    assert announcer is not None
    wire.run(announcer)
    bad, behind = await wire.count(("a", 1), ("a", 2))

    async def announced() -> bool:
        letters = await wire.target_ledger.parked(TARGET, 10)
        return len(letters) == 2 and not await wire.target_ledger.unannounced(10)

    await until(announced)
    on_topic = await records(wire, wire.place.kafka.dead_letter_topic, 1)
    assert [
        (said["consumer"], said["source"], int(said["notification-id"]), said["failed"])
        for _, said in on_topic
    ] == [
        (TARGET, SOURCE, bad.notification_id, "true"),
        (TARGET, SOURCE, behind.notification_id, "false"),
    ]
    assert on_topic[0][1]["reason"] == "ValueError: cannot be counted"


async def test_a_record_that_no_publisher_wrote_is_passed_over_with_an_alarm(wire: Wire) -> None:
    topic = wire.place.kafka.topic(SOURCE)
    ensure_topics(wire.place.kafka, {topic: wire.place.partitions})
    stranger = KafkaProducer(bootstrap_servers=wire.place.bootstrap)
    stranger.send(topic, key=b"r1/a", value=b"hello", partition=partition_of("r1/a", 8)).get(10)
    stranger.close()
    who = f"{TARGET} reads Kafka"
    before = alarms(who, "foreign_record")
    wire.publish()
    wire.consume(wire.inbox())
    await wire.count(("a", 1))
    await wire.arrived_as({"a": [1]})
    assert alarms(who, "foreign_record") == before + 1


async def test_another_partition_count_is_refused(wire: Wire) -> None:
    wire.publish()
    wire.consume(wire.inbox())
    await wire.count(("a", 1))
    await wire.arrived_as({"a": [1]})
    topic = wire.place.kafka.topic(SOURCE)
    other = replace(wire.place.kafka, partitions=3)
    with pytest.raises(MisfitTopic, match="has 8 partitions, the settings say 3"):
        ensure_topics(other, {topic: 3})


async def test_topics_keep_everything(wire: Wire) -> None:
    topic = wire.place.kafka.topic(SOURCE)
    ensure_topics(wire.place.kafka, {topic: wire.place.partitions})
    admin = KafkaAdminClient(bootstrap_servers=wire.place.bootstrap)
    try:
        described = admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, topic)])
    finally:
        admin.close()
    kept = described["topic"][topic]
    assert kept["retention.ms"]["value"] == "-1"
