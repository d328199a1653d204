"""Watchers of stems: the newest state first, then every change, dropped with a reason when they do not keep up."""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from cardroom.adapters.errors import SlowReader
from cardroom.adapters.shell.cache import Snapshot


class Changes:
    """One watcher's bounded queue."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: deque[tuple[str, Snapshot]] = deque()
        self._seen: dict[str, tuple[str, int]] = {}
        self._dropped = ""
        self._wake = asyncio.Event()

    def first(self, stem: str, snapshot: Snapshot) -> None:
        """Queue a stem as it stands, unless a change was queued already."""
        if stem not in self._seen:
            self.offer(stem, snapshot)

    def offer(self, stem: str, snapshot: Snapshot) -> None:
        """Queue a change; one that is not newer than what was queued is passed over."""
        place = (snapshot.head.stream, snapshot.head.version)
        # A day's stream id sorts after that of the day before, so the pair grows over the close of a day too.
        if self._dropped or (stem in self._seen and place <= self._seen[stem]):
            return
        if len(self._waiting) >= self._limit:
            self.drop(f"the reader did not keep up: {self._limit} changes were waiting")
            return
        self._seen[stem] = place
        self._waiting.append((stem, snapshot))
        self._wake.set()

    def drop(self, reason: str) -> None:
        """End the watch; what waits is not delivered."""
        self._waiting.clear()
        self._dropped = reason
        self._wake.set()

    async def next(self) -> tuple[str, Snapshot]:
        """Return the next change.

        Raises:
            SlowReader: the watch was ended, with the reason.
        """
        while not self._waiting:
            if self._dropped:
                raise SlowReader(self._dropped)
            self._wake.clear()
            await self._wake.wait()
        return self._waiting.popleft()


class Watches:
    """All watchers of one application."""

    def __init__(self, limit: int) -> None:
        """Take the number of changes that may wait for one watcher."""
        self._limit = limit
        self._by_stem: dict[str, list[Changes]] = {}

    @contextmanager
    def open(self, stems: Iterable[str]) -> Iterator[Changes]:
        """Watch stems for the time of a `with`."""
        stems = tuple(dict.fromkeys(stems))
        changes = Changes(self._limit)
        for stem in stems:
            self._by_stem.setdefault(stem, []).append(changes)
        try:
            yield changes
        finally:
            for stem in stems:
                watchers = self._by_stem[stem]
                watchers.remove(changes)
                if not watchers:
                    del self._by_stem[stem]

    def watched(self, stems: Iterable[str]) -> list[str]:
        """Return those of some stems that somebody watches."""
        return [stem for stem in stems if stem in self._by_stem]

    def changed(self, stem: str, snapshot: Snapshot) -> None:
        """Tell the watchers of a stem."""
        for changes in self._by_stem.get(stem, ()):
            changes.offer(stem, snapshot)

    def close(self, reason: str) -> None:
        """End every watch."""
        for watchers in self._by_stem.values():
            for changes in watchers:
                changes.drop(reason)
