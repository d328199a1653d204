"""Carries a context's log to a broker: at least once, in the order of each key, every message naming the one before."""

import asyncio
from collections.abc import Sequence
from typing import Final, Protocol

from cardroom.adapters.bus.metrics import HANDLED, LAG
from cardroom.adapters.bus.port import Delivery, Ledger, MisfitTopic, Publication
from cardroom.adapters.bus.sourcelog import POLL_SECONDS

BATCH: Final = 500
_LOG: Final = "log"
_COUNT: Final = "partitions"


class Producer(Protocol):
    """The broker's side of a publisher; made anew after every failure."""

    async def open(self) -> int:
        """Connect, make sure that the topic exists, and return its partition count."""

    async def send(self, deliveries: Sequence[Delivery]) -> None:
        """Send messages in order and return when all are acknowledged; raises where one is not."""

    async def close(self) -> None:
        """Let go of the broker."""


class Publisher:
    """Follows one context's log; one process at a time does.

    It stores its position after the broker has acknowledged. If it dies in between, the same messages are sent again
    with the same ids and the same predecessors, and every inbox skips them. A send that failed proves nothing, so after
    a failure it starts over from the stored position with a new producer.
    """

    def __init__(
        self, publication: Publication, ledger: Ledger, producer: Producer, topic: str
    ) -> None:
        """Take the log, the context's ledger, and the way to the broker.

        Args:
            publication: the context's log and how an event becomes a message.
            ledger: keeps what was sent.
            producer: sends to `topic`.
            topic: the topic's name, part of the name under which positions are kept.
        """
        self.name = f"publisher of {publication.source}"
        self._publication = publication
        self._ledger = ledger
        self._producer = producer
        self._sent = f"sent:{topic}"

    async def run(self) -> None:
        """Publish until cancelled.

        Raises:
            MisfitTopic: the topic has another partition count than its positions were kept for.
        """
        async with self._ledger.lead(self.name):
            try:
                await self._publish(await self._producer.open())
            finally:
                await self._producer.close()

    async def rewind(self, after: int) -> None:
        """Send everything above a notification id again, for a topic that lost messages or is new.

        Raises:
            ValueError: the id lies beyond what was sent.
        """
        async with self._ledger.lead(self.name):
            marks = await self._ledger.marks(self._sent)
            upto = marks.get(_LOG, 0)
            if not 0 <= after <= upto:
                raise ValueError(f"after is {after}: from 0 to {upto}, the last id that was sent")
            partitions = marks.get(_COUNT, 0)
            previous: dict[int, int] = {}
            position = 0
            while position < after:
                events = await self._publication.log.read(position, BATCH)
                for recorded in events:
                    position = recorded.notification_id
                    if position > after:
                        break
                    delivery = self._publication.delivery(recorded, partitions, previous)
                    if delivery is not None:
                        previous[delivery.partition] = delivery.notification_id
            kept = {str(partition): previous.get(partition, 0) for partition in range(partitions)}
            await self._ledger.set_marks(self._sent, {**kept, _LOG: after})

    async def _publish(self, partitions: int) -> None:
        marks = await self._ledger.marks(self._sent)
        if marks.setdefault(_COUNT, partitions) != partitions:
            raise MisfitTopic(
                f"{self._sent}: the topic has {partitions} partitions, positions were kept for {marks[_COUNT]}; "
                "changing the count is a migration"
            )
        after = marks.get(_LOG, 0)
        previous = {int(name): upto for name, upto in marks.items() if name.isdecimal()}
        async with self._publication.log.follow() as woken:
            while True:
                woken.clear()
                events = await self._publication.log.read(after, BATCH)
                if not events:
                    LAG.labels(self.name).set(0)
                    await wait_for(woken, POLL_SECONDS)
                    continue
                LAG.labels(self.name).set(len(events))
                deliveries = []
                for recorded in events:
                    delivery = self._publication.delivery(recorded, partitions, previous)
                    if delivery is not None:
                        previous[delivery.partition] = delivery.notification_id
                        deliveries.append(delivery)
                if deliveries:
                    await self._producer.send(deliveries)
                    HANDLED.labels(self.name, self._publication.source, "sent").inc(len(deliveries))
                after = events[-1].notification_id
                sent = {str(partition): upto for partition, upto in previous.items()}
                await self._ledger.set_marks(self._sent, {**sent, _LOG: after, _COUNT: partitions})


async def wait_for(woken: asyncio.Event, seconds: float) -> None:
    """Wait until something may have been committed, but look all the same after some seconds."""
    try:
        async with asyncio.timeout(seconds):
            await woken.wait()
    except TimeoutError:
        return
