"""What the bus asks of a store and of a handler, and what its two implementations have in common."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from kafka.partitioner import murmur2

from cardroom.adapters.bus.envelope import OrderingKey, Publish, Received, envelope_of
from cardroom.adapters.store.port import Position
from cardroom.kernel.envelope import Recorded

if TYPE_CHECKING:
    from cardroom.adapters.bus.inbox import Inbox

PARTITIONS: Final = 8
"""Partitions of a context's topic, and of the embedded bus; changing the count is a migration."""


class Gap(Exception):  # noqa: N818 - it names what was found
    """A message names a predecessor that never came; nothing of the partition is handled until that one is there."""

    def __init__(self, delivery: "Delivery", position: int) -> None:
        super().__init__(
            f"{delivery.source} partition {delivery.partition}: message {delivery.notification_id} follows "
            f"{delivery.previous_id}, but only what came up to {position} was handled"
        )


class Rebuilt(Exception):  # noqa: N818 - it names what happened
    """A read model was emptied; its followers start again from the first message."""


class MisfitTopic(Exception):  # noqa: N818 - it names what was found
    """A topic's partition count is not the one its positions were kept for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One message as a transport hands it over, before its envelope is read.

    Args:
        source: the publishing application.
        partition: the partition that its key falls into.
        notification_id: its position in the source's log.
        previous_id: the id before it in this partition, 0 for the first; None where the transport reads the log itself
            and therefore cannot lose one.
        key: its ordering key.
        data: the envelope's bytes.
        mark: where to read on in the transport once it is handled: an offset, or a notification id.
    """

    source: str
    partition: int
    notification_id: int
    previous_id: int | None
    key: str
    data: bytes
    mark: int


@lru_cache(maxsize=16_384)
def partition_of(key: str, partitions: int) -> int:
    """Return the partition of a key, the same on both buses, so that positions stay right when the bus changes."""
    return int(murmur2(key.encode()) & 0x7FFFFFFF) % partitions


class SourceLog(Protocol):
    """The notification log of one context, read only."""

    async def read(self, after: int, limit: int) -> Sequence[Recorded]:
        """Return events above a notification id, in order, at most `limit`; confidential fields read as None."""

    async def last_id(self) -> int:
        """Return the log's last notification id, 0 where it is empty."""

    def follow(self) -> AbstractAsyncContextManager[asyncio.Event]:
        """Give an event that is set whenever something may have been committed; a reader clears it, then reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What one context tells the others: its log, and how an event of it becomes a message.

    Args:
        source: the context.
        log: its notification log.
        publish: stored event -> published message, or None where it stays inside.
        ordering_key: stored event -> the key whose messages stay in order.
    """

    source: str
    log: SourceLog
    publish: Publish
    ordering_key: OrderingKey

    def delivery(
        self, recorded: Recorded, partitions: int, previous: Mapping[int, int] | None
    ) -> Delivery | None:
        """Return the message of an event, or None where it stays inside.

        Args:
            recorded: the event.
            partitions: how many partitions there are.
            previous: partition -> id of the last message in it; None where the log itself is read, which loses none.
        """
        payload = self.publish(recorded)
        if payload is None:
            return None
        key = self.ordering_key(recorded)
        partition = partition_of(key, partitions)
        return Delivery(
            source=self.source,
            partition=partition,
            notification_id=recorded.notification_id,
            previous_id=None if previous is None else previous.get(partition, 0),
            key=key,
            data=envelope_of(self.source, recorded, key, payload).SerializeToString(
                deterministic=True
            ),
            mark=recorded.notification_id,
        )


class Handler(Protocol):
    """What becomes of a message in one context: commands to its application, or rows of a read model."""

    sources: tuple[str, ...]

    def tracked(self, source: str) -> str:
        """Return the name under which this handler's positions in a source are kept."""

    async def begin(self, source: str) -> None:
        """Get ready to handle a source's messages from what is stored."""

    async def check(self, source: str) -> None:
        """Raise `Rebuilt` where everything is to be handled again from the first message."""

    async def handle(self, message: Received, position: Position) -> bool:
        """Give the message its effect and store the position in the same transaction.

        Returns:
            Whether there was an effect; without one the position is not stored, the inbox does it later.
        """

    async def replay(self, message: Received, connection: Any) -> None:
        """Give a parked message its effect; a second time has none.

        Args:
            message: the message.
            connection: in whose transaction the message is marked as resolved.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """A message that could not be handled, or that waits behind such a one.

    Args:
        dead_letter_id: its number in the consumer's schema; 0 before it is stored.
        consumer: the inbox or read model.
        source: the publishing application.
        partition: its partition.
        notification_id: its position in the source's log.
        key: its ordering key.
        envelope: its bytes.
        failed: whether it failed itself; False for one that waits behind.
        reason: why it stands here.
        parked_at: since when, UTC; None before it is stored.
    """

    dead_letter_id: int = 0
    consumer: str
    source: str
    partition: int
    notification_id: int
    key: str
    envelope: bytes
    failed: bool
    reason: str
    parked_at: datetime | None = None


class HeldKey(Protocol):
    """A stopped key under lock: nobody else parks or releases on it meanwhile."""

    connection: Any

    async def first(self) -> DeadLetter | None:
        """Return the first parked message, or None where none is left."""

    async def resolve(self, letter: DeadLetter, resolution: str, actor: str, reason: str) -> None:
        """Put on record that a message was released or skipped."""

    async def note_failure(self, letter: DeadLetter, actor: str, reason: str) -> None:
        """Put on record that a release failed."""

    def transaction(self) -> AbstractAsyncContextManager[None]:
        """Do several things in one transaction."""


class Ledger(Protocol):
    """Positions and dead letters of one context, in its own schema."""

    async def positions(self, source: str) -> dict[int, int]:
        """Return partition -> handled up to, for the partitions that have a position."""

    async def advance(self, position: Position) -> None:
        """Store the position of messages without effect, unless a higher one is stored."""

    async def marks(self, name: str) -> dict[str, int]:
        """Return what was stored under a name by `set_marks`."""

    async def set_marks(self, name: str, marks: Mapping[str, int]) -> None:
        """Store where to read on."""

    async def stopped_keys(self, consumer: str) -> set[tuple[str, str]]:
        """Return the (source, key) pairs that have parked messages."""

    async def park(self, letter: DeadLetter, position: Position) -> bool:
        """Park a failed message and move the position; False where another process was past it."""

    async def park_behind(self, letter: DeadLetter, position: Position) -> bool:
        """Park a message behind others of its key and move the position; False where none is parked there."""

    async def parked(self, consumer: str, limit: int, after: int = 0) -> list[DeadLetter]:
        """Return the unresolved messages of a consumer above a dead-letter id, oldest first."""

    async def answer(self, request_id: str, digest: bytes) -> bytes | None:
        """Return what was answered to a request about dead letters, or None where it is new.

        Raises:
            Refused: CR-11, the request id came with another content.
        """

    async def keep_answer(self, request_id: str, digest: bytes, answer: bytes) -> None:
        """Keep what was answered to a request."""

    def held(self, consumer: str, source: str, key: str) -> AbstractAsyncContextManager[HeldKey]:
        """Lock a stopped key."""

    async def unannounced(self, limit: int) -> list[DeadLetter]:
        """Return dead letters that the dead-letter topic does not have yet."""

    async def announced(self, letters: Sequence[DeadLetter]) -> None:
        """Put on record that the dead-letter topic has them."""

    def lead(self, role: str) -> AbstractAsyncContextManager[None]:
        """Be the only process in a role for as long as it lasts; waits for its turn."""


class Follower(Protocol):
    """Something that runs until it is cancelled, and raises when it cannot go on."""

    name: str

    async def run(self) -> None:
        """Follow."""


class Bus(Protocol):
    """The port: who runs what so that messages get from the logs to the handlers."""

    def publisher(self, publication: Publication, ledger: Ledger) -> Follower | None:
        """Return what carries a context's log out, or None where consumers read the log themselves."""

    def consumers(self, inbox: "Inbox") -> Sequence[Follower]:
        """Return what feeds an inbox."""

    def announcer(self, ledger: Ledger, consumer: str) -> Follower | None:
        """Return what copies dead letters to a topic, or None where there is none."""
