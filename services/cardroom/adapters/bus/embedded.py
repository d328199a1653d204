"""The bus without a broker: consumers read the source contexts' logs, in one process or in several on one database."""

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from cardroom.adapters.bus.inbox import Inbox
from cardroom.adapters.bus.lanes import Lanes
from cardroom.adapters.bus.port import PARTITIONS, Delivery, Follower, Ledger, Publication
from cardroom.adapters.bus.publisher import wait_for
from cardroom.adapters.bus.sourcelog import POLL_SECONDS
from cardroom.kernel.envelope import Recorded

BATCH: Final = 500
SETTLE_SECONDS: Final = 1.0
"""How often it is stored where to read on; after a crash what came since is read again and skipped."""


class EmbeddedBus:
    """Consumers follow the logs themselves; nothing is published and nothing can be lost on the way."""

    def __init__(
        self,
        publications: Mapping[str, Publication],
        *,
        partitions: int = PARTITIONS,
        shuffle: random.Random | None = None,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        """Take what each context publishes.

        Args:
            publications: source context -> its log and how it is published.
            partitions: partitions that keys fall into.
            shuffle: for tests: order of messages of different partitions is drawn anew in every batch.
            poll_seconds: how often a log is looked at although nothing was notified.
        """
        self._publications = dict(publications)
        self._partitions = partitions
        self._shuffle = shuffle
        self._poll_seconds = poll_seconds

    def publisher(self, publication: Publication, ledger: Ledger) -> Follower | None:
        """Return None: consumers read the log themselves."""
        return None

    def consumers(self, inbox: Inbox) -> Sequence[Follower]:
        """Return one follower per source.

        Raises:
            KeyError: the inbox listens to a context whose log is not at hand.
        """
        return [
            LogFollower(
                inbox,
                self._publications[source],
                partitions=self._partitions,
                shuffle=self._shuffle,
                poll_seconds=self._poll_seconds,
            )
            for source in inbox.sources
        ]

    def announcer(self, ledger: Ledger, consumer: str) -> Follower | None:
        """Return None: dead letters stand in their table."""
        return None


class LogFollower:
    """Reads one source's log for one inbox; only one process at a time does."""

    def __init__(
        self,
        inbox: Inbox,
        publication: Publication,
        *,
        partitions: int,
        shuffle: random.Random | None,
        poll_seconds: float,
    ) -> None:
        self.name = f"{inbox.name} reads {publication.source}"
        self._inbox = inbox
        self._publication = publication
        self._partitions = partitions
        self._shuffle = shuffle
        self._poll_seconds = poll_seconds

    async def run(self) -> None:
        """Follow the log until cancelled."""
        async with self._inbox.ledger.lead(f"read {self._inbox.name} {self._publication.source}"):
            await self._follow()

    async def _follow(self) -> None:
        source, ledger = self._publication.source, self._inbox.ledger
        await self._inbox.begin(source)
        reading = f"{self._inbox.handler.tracked(source)}:read"
        stored = after = (await ledger.marks(reading)).get("log", 0)
        stored_at = time.monotonic()
        lanes = Lanes(self._inbox, _nothing)
        try:
            async with self._publication.log.follow() as woken:
                while True:
                    woken.clear()
                    events = await self._publication.log.read(after, BATCH)
                    for delivery in self._deliveries(events):
                        lane = (source, delivery.partition)
                        if not lanes.is_open(lane):
                            lanes.open([lane])
                        await lanes.room(lane)
                        lanes.put(delivery)
                    if events:
                        after = events[-1].notification_id
                    lanes.check()
                    await self._inbox.check_generation(source)
                    due = time.monotonic() - stored_at > SETTLE_SECONDS
                    if due and stored < after and lanes.is_idle:
                        await self._inbox.settle_all(source)
                        await ledger.set_marks(reading, {"log": after})
                        stored, stored_at = after, time.monotonic()
                    if not events:
                        await wait_for(woken, self._poll_seconds)
        finally:
            await lanes.close()

    def _deliveries(self, events: Sequence[Recorded]) -> Iterable[Delivery]:
        found = [
            delivery
            for recorded in events
            if (delivery := self._publication.delivery(recorded, self._partitions, None))
            is not None
        ]
        return found if self._shuffle is None else shuffled_across(found, self._shuffle)


def shuffled_across(found: Sequence[Delivery], chance: random.Random) -> list[Delivery]:
    """Return messages in another order that keeps the order inside each partition."""
    partitions = [delivery.partition for delivery in found]
    chance.shuffle(partitions)
    waiting: dict[int, list[Delivery]] = {}
    for delivery in reversed(found):
        waiting.setdefault(delivery.partition, []).append(delivery)
    return [waiting[partition].pop() for partition in partitions]


async def _nothing(source: str, partition: int, mark: int) -> None:
    """The log's reader stores where to read on for all partitions at once."""
