"""A context's notification log as many followers of one process read it: each commit is fetched and decoded once."""

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from operator import attrgetter
from typing import Final

from cardroom.adapters.bus.metrics import alarm
from cardroom.adapters.ending import ended
from cardroom.adapters.store.codec import Codec
from cardroom.adapters.store.port import Store
from cardroom.kernel.envelope import Recorded
from cardroom.kernel.events import EventTypes

BATCH: Final = 500
RECENT: Final = 4_000
"""Events of a log kept in memory for followers that are up to date."""

POLL_SECONDS: Final = 1.0
"""How often a log is looked at although nothing was notified: a lost notification costs no more than this."""

_notification_id: Final = attrgetter("notification_id")


class StoreLog:
    """Reads a store's log; confidential fields stay closed, for this log is read in order to be published."""

    def __init__(
        self, name: str, store: Store, types: EventTypes, *, poll_seconds: float = POLL_SECONDS
    ) -> None:
        """Take the log's store, opened by its owner.

        Args:
            name: the context's name.
            store: its store; one that may only read is enough.
            types: its event types.
            poll_seconds: how often the log is looked at although nothing was notified.
        """
        self.name = name
        self._store = store
        self._codec = Codec(types)
        self._poll_seconds = poll_seconds
        self._recent: list[Recorded] = []
        self._complete_after = 0
        self._followers: set[asyncio.Event] = set()
        self._watching: asyncio.Task[None] | None = None

    async def read(self, after: int, limit: int) -> Sequence[Recorded]:
        """Return events above a notification id, in order, at most `limit`."""
        if self._recent and after >= self._complete_after:
            begin = bisect_right(self._recent, after, key=_notification_id)
            return self._recent[begin : begin + limit]
        return await self._fetch(after, limit)

    async def last_id(self) -> int:
        """Return the log's last notification id."""
        return await self._store.last_notification_id()

    @asynccontextmanager
    async def follow(self) -> AsyncIterator[asyncio.Event]:
        """Give an event that is set whenever something may have been committed."""
        woken = asyncio.Event()
        self._followers.add(woken)
        if self._watching is None:
            self._watching = asyncio.create_task(self._watch(), name=f"watch {self.name}")
        try:
            yield woken
        finally:
            self._followers.discard(woken)
            if not self._followers and self._watching is not None:
                watching, self._watching = self._watching, None
                await ended(watching)

    async def _fetch(self, after: int, limit: int) -> list[Recorded]:
        return [self._codec.decode(stored) for stored in await self._store.log(after, limit)]

    async def _watch(self) -> None:
        while True:
            try:
                await self._watch_once()
            except Exception as failure:  # noqa: BLE001 - followers go on by polling; the alarm tells
                alarm(
                    f"log of {self.name}", "log_unwatched", failure=repr(failure), exc_info=failure
                )
                self._recent.clear()
                self._wake()
                await asyncio.sleep(self._poll_seconds)

    async def _watch_once(self) -> None:
        self._recent.clear()
        seen = self._complete_after = await self._store.last_notification_id()
        self._wake()
        async for _ in self._store.changes(self._poll_seconds):
            while events := await self._fetch(seen, BATCH):
                seen = events[-1].notification_id
                self._recent.extend(events)
                if len(self._recent) > 2 * RECENT:
                    self._complete_after = self._recent[-RECENT - 1].notification_id
                    del self._recent[:-RECENT]
                self._wake()

    def _wake(self) -> None:
        for woken in self._followers:
            woken.set()
