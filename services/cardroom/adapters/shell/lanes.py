"""The command queues by ordering key: one decision at a time per key, in order of arrival."""

from collections import deque
from collections.abc import Iterable, Iterator

from cardroom.adapters.shell.entry import Entry


class _Lane:
    __slots__ = ("entries", "loading")

    def __init__(self) -> None:
        self.entries: deque[Entry] = deque()
        self.loading = False


class Lanes:
    """Queues of entries by key; an entry of several keys waits until it is first in all of them."""

    def __init__(self) -> None:
        self._lanes: dict[str, _Lane] = {}
        self.waiting = 0
        """Entries that wait for their decision."""

    def __len__(self) -> int:
        return len(self._lanes)

    def add(self, entry: Entry) -> None:
        """Queue an entry behind all others of its keys."""
        for key in entry.keys:
            lane = self._lanes.get(key)
            if lane is None:
                lane = self._lanes[key] = _Lane()
            lane.entries.append(entry)
        self.waiting += 1

    def put_back(self, entries: Iterable[Entry]) -> None:
        """Queue entries, given in the order of their decisions, before all others of their keys."""
        for entry in reversed(list(entries)):
            for key in entry.keys:
                lane = self._lanes.setdefault(key, _Lane())
                lane.entries.appendleft(entry)
            self.waiting += 1

    def ready(self, keys: Iterable[str]) -> Iterator[Entry]:
        """Yield entries that may be decided now; each stays first until `done` or `hold` is called for it."""
        todo = list(keys)
        while todo:
            lane = self._lanes.get(todo[-1])
            if lane is None or lane.loading or not self._first_everywhere(lane.entries[0]):
                todo.pop()
                continue
            entry = lane.entries[0]
            yield entry
            todo.extend(key for key in entry.keys if key not in todo)

    def done(self, entry: Entry) -> None:
        """Take a decided entry off its lanes."""
        for key in entry.keys:
            lane = self._lanes[key]
            lane.entries.popleft()
            if not lane.entries:
                del self._lanes[key]
        self.waiting -= 1

    def remove(self, entry: Entry) -> None:
        """Take an entry off its lanes, wherever it stands in them."""
        for key in entry.keys:
            lane = self._lanes[key]
            lane.entries.remove(entry)
            if not lane.entries:
                del self._lanes[key]
        self.waiting -= 1

    def hold(self, entry: Entry) -> None:
        """Stop an entry's lanes while something is loaded for it."""
        for key in entry.keys:
            self._lanes[key].loading = True

    def resume(self, keys: Iterable[str]) -> None:
        """Let lanes go on after loading."""
        for key in keys:
            lane = self._lanes.get(key)
            if lane is not None:
                lane.loading = False

    def drain(self) -> list[Entry]:
        """Take every waiting entry off, in no particular order across keys."""
        entries = {id(entry): entry for lane in self._lanes.values() for entry in lane.entries}
        self._lanes.clear()
        self.waiting = 0
        return list(entries.values())

    def _first_everywhere(self, entry: Entry) -> bool:
        for key in entry.keys:
            lane = self._lanes[key]
            if lane.loading or lane.entries[0] is not entry:
                return False
        return True
