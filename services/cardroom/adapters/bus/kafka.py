"""The bus on Apache Kafka: one topic per context, positions in the consumers' own stores."""

import asyncio
import time
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
from cardroom.adapters.ending import ended
from cardroom.adapters.errors import Unavailable
from cardroom.adapters.store.port import Seal

SOURCE: Final = "source"
NOTIFICATION_ID: Final = "notification-id"
PREVIOUS_ID: Final = "previous-id"

ACKNOWLEDGE_SECONDS: Final = 10.0
CLOSE_SECONDS: Final = 2.0
POLL_MS: Final = 250
REBALANCE_SECONDS: Final = 60.0
"""How long a group waits for a member that lives and does not come to share out partitions anew."""
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

    The client tells of partitions gained and lost on the thread that also sends its heartbeats. Taking over partitions
    waits for the store, and giving them up for the message in hand; done there, either could outlast the session, and
    the group would take a member for dead that only was busy. So the client's listener notes what changed and holds
    gained partitions back, and the follower does the rest between two polls, while heartbeats go on.
    """

    def __init__(self, inbox: Inbox, settings: KafkaSettings) -> None:
        """Take the inbox and the broker."""
        self.name = f"{inbox.name} reads Kafka"
        self._inbox = inbox
        self._settings = settings
        self._sources = {settings.topic(source): source for source in inbox.sources}
        self._lanes = Lanes(inbox, self._settled)
        self._gained: set[TopicPartition] = set()
        self._takeover: asyncio.Task[dict[TopicPartition, int]] | None = None

    async def run(self) -> None:
        """Consume until cancelled."""
        self._lanes = Lanes(self._inbox, self._settled)
        self._gained = set()
        changes = _Changes()
        for source in self._inbox.sources:
            await self._inbox.begin(source)
        # One thread makes, polls and closes the consumer: it is not made to be shared.
        thread = ThreadPoolExecutor(1, thread_name_prefix=self.name)
        loop = asyncio.get_running_loop()
        connecting = loop.run_in_executor(thread, self._connect, changes)
        try:
            consumer = await to_its_end(connecting)
            while True:
                polling = loop.run_in_executor(thread, self._poll, consumer)
                polled = await to_its_end(polling)
                for lost, gained in changes.since_last():
                    await self._change(lost, gained)
                for partition, records in polled.items():
                    for record in records:
                        self._take(partition, record)
                begin = self._taken_over()
                if begin:
                    await to_its_end(loop.run_in_executor(thread, _seek, consumer, begin))
                self._lanes.check()
                await self._inbox.check_generation(*self._inbox.sources)
        finally:
            await self._drop_takeover()
            await self._lanes.close()
            if connecting.exception() is None:
                await to_its_end(loop.run_in_executor(thread, _leave, connecting.result()))
            thread.shutdown(wait=False)

    def _connect(self, changes: "_Changes") -> KafkaConsumer:
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
            max_poll_interval_ms=int(REBALANCE_SECONDS * 1000),
            reconnect_backoff_max_ms=1000,
            metadata_max_age_ms=10_000,
        )
        self._learn_partitions(consumer)
        consumer.subscribe(topics=list(self._sources), listener=_Assignments(consumer, changes))
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
        assigned, held = consumer.assignment(), consumer.paused()
        full = {named for named in assigned if named in self._gained or self._is_full(named)}
        if full - held:
            consumer.pause(*(full - held))
        if held - full:
            consumer.resume(*(held - full))
        polled: Mapping[TopicPartition, Sequence[Any]] = consumer.poll(timeout_ms=POLL_MS)
        return polled

    def _is_full(self, named: TopicPartition) -> bool:
        lane = self._lane(named)
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

    async def _change(self, lost: set[TopicPartition], gained: set[TopicPartition]) -> None:
        """Give partitions up, where the message in hand may end, and begin to take over others."""
        await self._drop_takeover()
        self._gained = (self._gained - lost) | gained
        await self._lanes.close([self._lane(named) for named in lost])
        if self._gained:
            self._takeover = asyncio.create_task(self._take_over(frozenset(self._gained)))

    async def _take_over(self, gained: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        """Load what was handled of partitions, and return where to read on."""
        begin: dict[TopicPartition, int] = {}
        for named in gained:
            source, partition = self._lane(named)
            await self._inbox.begin_partition(source, partition)
            marks = await self._inbox.ledger.marks(self._reading(source))
            begin[named] = marks.get(str(partition), 0)
        return begin

    def _taken_over(self) -> dict[TopicPartition, int]:
        """Open the lanes of partitions once they are taken over, and return where each begins.

        Raises:
            Exception: why they could not be; the client would read on from anywhere, so the follower ends.
        """
        if self._takeover is None or not self._takeover.done():
            return {}
        begin, self._takeover = self._takeover.result(), None
        self._lanes.open(self._lane(named) for named in begin)
        self._gained = set()
        return begin

    async def _drop_takeover(self) -> None:
        takeover, self._takeover = self._takeover, None
        if takeover is not None:
            await ended(takeover)

    def _lane(self, named: TopicPartition) -> tuple[str, int]:
        return self._sources[named.topic], named.partition


class _Changes:
    """Partitions lost and gained, in order, from the client's thread to the follower."""

    def __init__(self) -> None:
        self._noted: deque[tuple[set[TopicPartition], set[TopicPartition]]] = deque()

    def note(
        self, *, lost: Iterable[TopicPartition] = (), gained: Iterable[TopicPartition] = ()
    ) -> None:
        self._noted.append((set(lost), set(gained)))

    def since_last(self) -> Iterator[tuple[set[TopicPartition], set[TopicPartition]]]:
        """Give out what was noted since the last time."""
        while self._noted:
            yield self._noted.popleft()


class _Assignments(ConsumerRebalanceListener):  # type: ignore[misc]
    """Runs on the thread of the client's heartbeats, so it waits for nothing."""

    def __init__(self, consumer: KafkaConsumer, changes: _Changes) -> None:
        self._consumer = consumer
        self._changes = changes

    def on_partitions_assigned(self, assigned: Collection[TopicPartition]) -> None:
        self._consumer.pause(*assigned)
        self._changes.note(gained=assigned)

    def on_partitions_revoked(self, revoked: Collection[TopicPartition]) -> None:
        self._changes.note(lost=revoked)


def _seek(consumer: KafkaConsumer, begin: Mapping[TopicPartition, int]) -> None:
    """Read on where the store says; between two polls no partition comes or goes."""
    for named, offset in begin.items():
        consumer.seek(named, offset)


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
            await to_its_end(asyncio.ensure_future(asyncio.to_thread(self._publish, seal)))
        except KafkaError as failure:
            await self.close()  # a producer that failed may never take anything again
            raise Unavailable(f"the anchor topic does not take a seal: {failure!r}") from failure

    async def close(self) -> None:
        """Let go of the broker; a seal is sent again by a producer of its own."""
        producer, self._producer = self._producer, None
        if producer is not None:
            await asyncio.to_thread(_close, producer)

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
