"""The bounded cache of stream heads: what is committed, and what pending decisions have made of it."""

from collections.abc import Iterable
from datetime import datetime
from itertools import islice
from typing import Any

from cardroom.adapters.store.port import Head


class Snapshot:
    """A stem's state at one version of its current stream; never changed once made."""

    __slots__ = ("due_at", "head", "state")

    def __init__(self, head: Head, state: Any, due_at: datetime | None) -> None:
        self.head = head
        self.state = state
        self.due_at = due_at


class CachedStem:
    """A stem in the cache: its committed snapshot, its latest one, and how many pending entries wrote to it."""

    __slots__ = ("committed", "latest", "pending")

    def __init__(self, committed: Snapshot) -> None:
        self.committed = committed
        self.latest = committed
        self.pending = 0


class Heads:
    """Stems by name, least recently used first out; a stem with pending writes stays."""

    def __init__(self, limit: int) -> None:
        """Take the number of stems to keep."""
        self._limit = limit
        self._stems: dict[str, CachedStem] = {}
        self.foreign = 0
        """Grows whenever other processes' events were taken note of: what was read before may be behind."""
        self.forgotten = 0
        """Grows whenever keys may have been erased: what was read before may hold what nobody may read any more."""

    def __len__(self) -> int:
        return len(self._stems)

    def __contains__(self, stem: str) -> bool:
        return stem in self._stems

    def latest(self, stem: str) -> Snapshot | None:
        """Return a stem's snapshot with all pending decisions in it, or None where it is not loaded."""
        cached = self._stems.pop(stem, None)
        if cached is None:
            return None
        self._stems[stem] = cached
        return cached.latest

    def committed(self, stem: str) -> Snapshot | None:
        """Return a stem's committed snapshot, or None where it is not loaded."""
        cached = self._stems.get(stem)
        return None if cached is None else cached.committed

    def put(self, stem: str, snapshot: Snapshot) -> None:
        """Take in a loaded stem; one that is there already stays, it is at least as new."""
        if stem not in self._stems:
            self._stems[stem] = CachedStem(snapshot)
            if len(self._stems) > self._limit:
                self._evict()

    def write(self, stem: str, snapshot: Snapshot) -> None:
        """Make a pending decision's snapshot the latest."""
        cached = self._stems[stem]
        cached.latest = snapshot
        cached.pending += 1

    def confirm(self, stem: str, snapshot: Snapshot) -> None:
        """A pending write was committed."""
        cached = self._stems[stem]
        cached.committed = snapshot
        cached.pending -= 1

    def withdraw(self, stems: Iterable[str]) -> None:
        """Pending writes were not committed: go back to what is."""
        for stem in stems:
            cached = self._stems[stem]
            cached.pending -= 1
            cached.latest = cached.committed

    def drop(self, stems: Iterable[str]) -> None:
        """Forget stems that are known to be outdated, except where writes are pending (those find out themselves)."""
        for stem in stems:
            cached = self._stems.get(stem)
            if cached is not None and cached.pending == 0:
                del self._stems[stem]

    def drop_all(self) -> None:
        """Forget every stem without pending writes."""
        self.drop(list(self._stems))

    def _evict(self) -> None:
        idle = (stem for stem, cached in self._stems.items() if cached.pending == 0)
        for stem in list(islice(idle, len(self._stems) - self._limit)):
            del self._stems[stem]
