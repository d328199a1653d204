"""The bus on Apache Kafka: one topic per context, positions in the consumers' own stores."""

import asyncio
import time
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from kafka import (
    ConsumerRebalanceListener,
    KafkaConsumer,
    KafkaProducer,
    TopicPartition,
)
from kafka.errors import KafkaError, KafkaTimeoutError

from cardroom.adapters.bus.inbox import Inbox
from cardroom.adapters.bus.lanes import Lanes
from cardroom.adapters.bus.metrics import alarm, log
from cardroom.adapters.bus.port import (
    DeadLetter,
    Delivery,
    Follower,
    Ledger,
    Publication,
)
from cardroom.adapters.bus.publisher import Publisher
from cardroom.adapters.bus.supervise import to_its_end
from cardroom.adapters.bus.topics import (
    BOOTSTRAP_SECONDS,
    METADATA_SECONDS,
    KafkaSettings,
    ensure_topics,
)
from cardroom.adapters.errors import Unavailable
from cardroom.adapters.store.port import Seal

SOURCE: Final = "source"
NOTIFICATION_ID: Final = "notification-id"
PREVIOUS_ID: Final = "previous-id"

ACKNOWLEDGE_SECONDS: Final = 10.0
CLOSE_SECONDS: Final = 2.0
POLL_MS: Final = 250
ANNOUNCE_SECONDS: Final = 1.0


class KafkaBus:
    """Publishers and consumers on one broker."""

    def __init__(self, settings: KafkaSettings) -> None:
        """Take the broker's settings; nothing connects before a follower runs."""
        self._settings = settings

    def publisher(self, publication: Publication, ledger: Ledger) -> Publisher:
        """Return what carries a context's log to its topic."""
        topic = self._settings.topic(publication.source)
        return Publisher(publication, ledger, TopicProducer(self._settings, topic), topic)

    def consumers(self, inbox: Inbox) -> Sequence[Follower]:
        """Return the inbox's one consumer, a member of the group that shares its partitions."""
        return [TopicFollower(inbox, self._settings)] if inbox.sources else []

    def announcer(self, ledger: Ledger, consumer: str) -> Follower | None:
        """Return what copies dead letters to their topic."""
        return Announcer(self._settings, ledger, consumer)


class TopicProducer:
    """An idempotent producer to one topic; acknowledged means on all replicas in sync."""

    def __init__(self, settings: KafkaSettings, topic: str) -> None:
        """Take the broker and the topic."""
        self._settings = settings
        self._topic = topic
        self._producer: KafkaProducer | None = None

    async def open(self) -> int:
        """Connect and return the topic's partition count."""
        return await asyncio.to_thread(self._open)

    async def send(self, deliveries: Sequence[Delivery]) -> None:
        """Send and wait for every acknowledgement."""
        await asyncio.to_thread(self._send, deliveries)

    async def close(self) -> None:
        """Drop what was not sent: it is sent again from the stored position."""
        producer, self._producer = self._producer, None
        if producer is not None:
            await asyncio.to_thread(_close, producer)

    def _open(self) -> int:
        ensure_topics(self._settings, {self._topic: self._settings.partitions})
        self._producer = KafkaProducer(
            **self._settings.connection(),
            enable_idempotence=True,
            acks="all",
            linger_ms=0,
            request_timeout_ms=int(ACKNOWLEDGE_SECONDS * 500),
            delivery_timeout_ms=int(ACKNOWLEDGE_SECONDS * 1000),
            max_block_ms=int(ACKNOWLEDGE_SECONDS * 1000),
            reconnect_backoff_max_ms=1000,
        )
        return self._settings.partitions

    def _send(self, deliveries: Sequence[Delivery]) -> None:
        producer = self._producer
        if producer is None:
            raise RuntimeError(f"the producer to {self._topic} is closed")
        sent = [
            producer.send(
                self._topic,
                key=delivery.key.encode(),
                value=delivery.data,
                partition=delivery.partition,
                headers=_headers(delivery),
            )
            for delivery in deliveries
        ]
        for future in sent:
            future.get(timeout=ACKNOWLEDGE_SECONDS)


class TopicFollower:
    """Feeds one inbox from its sources' topics.

    The group only shares out partitions. Where to read on, and what was handled, stand in the consumer's own store, so
    a message that comes twice, through a rebalance or a publisher that died, is skipped by its id.
    """

    def __init__(self, inbox: Inbox, settings: KafkaSettings) -> None:
        """Take the inbox and the broker."""
        self.name = f"{inbox.name} reads Kafka"
        self._inbox = inbox
        self._settings = settings
        self._sources = {settings.topic(source): source for source in inbox.sources}
        self.broken: Exception | None = None
        """Why taking over partitions failed, told from the consumer's thread."""
        self._lanes = Lanes(inbox, self._settled)
        self._paused: set[TopicPartition] = set()

    async def run(self) -> None:
        """Consume until cancelled."""
        self.broken = None
        self._lanes = Lanes(self._inbox, self._settled)
        self._paused = set()
        for source in self._inbox.sources:
            await self._inbox.begin(source)
        # One thread makes, polls and closes the consumer: it is not made to be shared.
        thread = ThreadPoolExecutor(1, thread_name_prefix=self.name)
        loop = asyncio.get_running_loop()
        connecting = loop.run_in_executor(thread, self._connect, loop)
        try:
            consumer = await to_its_end(connecting)
            while True:
                polled = loop.run_in_executor(thread, self._poll, consumer)
                for partition, records in (await to_its_end(polled)).items():
                    for record in records:
                        self._take(partition, record)
                if self.broken is not None:
                    raise self.broken
                self._lanes.check()
                await self._inbox.check_generation(*self._inbox.sources)
        finally:
            await self._lanes.close()
            if connecting.exception() is None:
                await to_its_end(loop.run_in_executor(thread, _leave, connecting.result()))
            thread.shutdown(wait=False)

    def _connect(self, loop: asyncio.AbstractEventLoop) -> KafkaConsumer:
        ensure_topics(self._settings, dict.fromkeys(self._sources, self._settings.partitions))
        consumer = KafkaConsumer(
            **self._settings.connection(),
            group_id=f"{self._settings.prefix}.{self._inbox.name}",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            max_poll_records=500,
            fetch_max_wait_ms=POLL_MS,
            session_timeout_ms=int(self._settings.session_seconds * 1000),
            heartbeat_interval_ms=int(self._settings.session_seconds * 1000 / 3),
            reconnect_backoff_max_ms=1000,
            metadata_max_age_ms=10_000,
        )
        self._learn_partitions(consumer)
        consumer.subscribe(topics=list(self._sources), listener=_Assignments(self, consumer, loop))
        return consumer

    def _learn_partitions(self, consumer: KafkaConsumer) -> None:
        """Wait until the client knows every partition: one it learns of while it joins may never be assigned."""
        deadline = time.monotonic() + BOOTSTRAP_SECONDS
        for topic in self._sources:
            while len(consumer.partitions_for_topic(topic)) != self._settings.partitions:
                if time.monotonic() > deadline:
                    consumer.close(autocommit=False, timeout_ms=int(CLOSE_SECONDS * 1000))
                    raise KafkaTimeoutError(f"the broker does not tell all partitions of {topic}")
                time.sleep(METADATA_SECONDS)
                consumer.topics()

    def _poll(self, consumer: KafkaConsumer) -> Mapping[TopicPartition, Sequence[Any]]:
        assigned = consumer.assignment()
        full = {named for named in assigned if self._is_full(named)}
        held = self._paused & assigned
        if full - held:
            consumer.pause(*(full - held))
        if held - full:
            consumer.resume(*(held - full))
        self._paused = full
        polled: Mapping[TopicPartition, Sequence[Any]] = consumer.poll(timeout_ms=POLL_MS)
        return polled

    def _is_full(self, named: TopicPartition) -> bool:
        lane = (self._sources[named.topic], named.partition)
        return self._lanes.is_open(lane) and self._lanes.full(lane)

    def _take(self, named: TopicPartition, record: Any) -> None:
        source = self._sources[named.topic]
        try:
            delivery = _delivery(source, record)
        except (AttributeError, KeyError, ValueError) as failure:
            # It stays in the topic; were it a damaged message of ours, the next one would show the gap.
            alarm(
                self.name,
                "foreign_record",
                topic=named.topic,
                partition=named.partition,
                offset=record.offset,
                failure=repr(failure),
            )
            return
        self._lanes.put(delivery)

    async def _settled(self, source: str, partition: int, mark: int) -> None:
        await self._inbox.ledger.set_marks(self._reading(source), {str(partition): mark})

    def _reading(self, source: str) -> str:
        return f"{self._inbox.handler.tracked(source)}:offset:{self._settings.topic(source)}"

    async def assigned(self, taken: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        """Take over partitions: load what was handled and return where to read on."""
        begin: dict[TopicPartition, int] = {}
        for named in taken:
            source = self._sources[named.topic]
            await self._inbox.begin_partition(source, named.partition)
            marks = await self._inbox.ledger.marks(self._reading(source))
            begin[named] = marks.get(str(named.partition), 0)
        self._lanes.open((self._sources[named.topic], named.partition) for named in taken)
        return begin

    async def revoked(self, lost: Collection[TopicPartition]) -> None:
        """Give partitions up: the message in hand may end."""
        await self._lanes.close([(self._sources[named.topic], named.partition) for named in lost])


class _Assignments(ConsumerRebalanceListener):  # type: ignore[misc]
    """Runs on the consumer's thread; the follower's part runs on the event loop."""

    def __init__(
        self, follower: TopicFollower, consumer: KafkaConsumer, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._follower = follower
        self._consumer = consumer
        self._loop = loop

    def on_partitions_assigned(self, assigned: Collection[TopicPartition]) -> None:
        begin = asyncio.run_coroutine_threadsafe(self._follower.assigned(assigned), self._loop)
        try:
            for named, offset in begin.result(ACKNOWLEDGE_SECONDS).items():
                self._consumer.seek(named, offset)
        except Exception as failure:
            # The client would read on from anywhere; the follower must end instead.
            self._follower.broken = failure
            raise

    def on_partitions_revoked(self, revoked: Collection[TopicPartition]) -> None:
        ended = asyncio.run_coroutine_threadsafe(self._follower.revoked(revoked), self._loop)
        ended.result(ACKNOWLEDGE_SECONDS)


class Announcer:
    """Copies dead letters to their topic, for the systems that watch it; the table stays the truth."""

    def __init__(self, settings: KafkaSettings, ledger: Ledger, consumer: str) -> None:
        """Take the broker and the ledger of the context."""
        self.name = f"dead letters of {consumer}"
        self._settings = settings
        self._ledger = ledger

    async def run(self) -> None:
        """Announce until cancelled."""
        async with self._ledger.lead(self.name):
            producer: KafkaProducer | None = None
            try:
                while True:
                    letters = await self._ledger.unannounced(100)
                    if letters:
                        producer = producer or await asyncio.to_thread(self._open)
                        await asyncio.to_thread(self._send, producer, letters)
                        await self._ledger.announced(letters)
                    else:
                        await asyncio.sleep(ANNOUNCE_SECONDS)
            finally:
                if producer is not None:
                    await asyncio.to_thread(_close, producer)

    def _open(self) -> KafkaProducer:
        ensure_topics(self._settings, {self._settings.dead_letter_topic: 1})
        return KafkaProducer(**self._settings.connection(), enable_idempotence=True, acks="all")

    def _send(self, producer: KafkaProducer, letters: Sequence[DeadLetter]) -> None:
        topic = self._settings.dead_letter_topic
        sent = [
            producer.send(
                topic, key=letter.key.encode(), value=letter.envelope, headers=_reasons(letter)
            )
            for letter in letters
        ]
        for future in sent:
            future.get(timeout=ACKNOWLEDGE_SECONDS)


class AnchorTopic:
    """One more anchor for a context's seals, outside its database."""

    def __init__(self, settings: KafkaSettings, context: str) -> None:
        """Take the broker and whose seals they are."""
        self._settings = settings
        self._context = context
        self._producer: KafkaProducer | None = None

    async def publish(self, seal: Seal) -> None:
        """Send a seal and wait for its acknowledgement; the same seal may come again.

        Raises:
            Unavailable: the broker does not take it.
        """
        try:
            await asyncio.to_thread(self._publish, seal)
        except KafkaError as failure:
            raise Unavailable(f"the anchor topic does not take a seal: {failure!r}") from failure

    def _publish(self, seal: Seal) -> None:
        topic = self._settings.anchor_topic
        if self._producer is None:
            ensure_topics(self._settings, {topic: 1})
            self._producer = KafkaProducer(
                **self._settings.connection(), enable_idempotence=True, acks="all"
            )
        sent = self._producer.send(
            topic,
            key=self._context.encode(),
            value=seal.body,
            headers=[("number", str(seal.number).encode()), ("signature", seal.signature)],
        )
        sent.get(timeout=ACKNOWLEDGE_SECONDS)


def _close(producer: KafkaProducer) -> None:
    """Close a producer, whatever it has not sent: that is sent again from the stored position."""
    try:
        producer.close(timeout=CLOSE_SECONDS)
    except KafkaError as failure:
        # The client leaves its sender running then, which would go on sending beside the next producer.
        log.warning("producer_closed_by_force", reason=repr(failure))
        producer._sender.force_close()


def _leave(consumer: KafkaConsumer) -> None:
    """Leave the group; a broker that does not answer finds out by itself."""
    try:
        consumer.close(autocommit=False, timeout_ms=int(CLOSE_SECONDS * 1000))
    except KafkaError as failure:
        log.warning("consumer_left_without_a_word", reason=repr(failure))


def _headers(delivery: Delivery) -> list[tuple[str, bytes]]:
    return [
        (SOURCE, delivery.source.encode()),
        (NOTIFICATION_ID, str(delivery.notification_id).encode()),
        (PREVIOUS_ID, str(delivery.previous_id).encode()),
    ]


def _reasons(letter: DeadLetter) -> list[tuple[str, bytes]]:
    return [
        ("consumer", letter.consumer.encode()),
        (SOURCE, letter.source.encode()),
        (NOTIFICATION_ID, str(letter.notification_id).encode()),
        ("failed", b"true" if letter.failed else b"false"),
        ("reason", letter.reason.encode()),
    ]


def _delivery(source: str, record: Any) -> Delivery:
    headers = dict(record.headers)
    said = headers[SOURCE].decode()
    if said != source:
        raise ValueError(f"the source header says {said!r}")
    return Delivery(
        source=source,
        partition=record.partition,
        notification_id=int(headers[NOTIFICATION_ID]),
        previous_id=int(headers[PREVIOUS_ID]),
        key=record.key.decode(),
        data=record.value,
        mark=record.offset + 1,
    )
