"""Positions and dead letters in memory, for specifications and simulation; nothing survives the process."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from cardroom.adapters.bus.port import DeadLetter
from cardroom.adapters.shell.requests import reused
from cardroom.adapters.store.memory import MemoryTables
from cardroom.adapters.store.port import Position


class MemoryLedger:
    """A `Ledger` on the tables of a `MemoryStore`; several on the same tables are several processes."""

    def __init__(self, tables: MemoryTables) -> None:
        """Take the tables that also hold the application's positions."""
        self._tables = tables
        self.letters: list[DeadLetter] = []
        self.resolutions: dict[int, tuple[str, str, str]] = {}
        """Dead-letter id -> (resolution, actor, reason)."""
        self.failures: list[tuple[int, str, str]] = []
        """(dead-letter id, actor, reason) of releases that failed."""
        self._announced: set[int] = set()
        self._answers: dict[str, tuple[bytes, bytes]] = {}
        self._keys: dict[tuple[str, str, str], asyncio.Lock] = {}
        self._roles: dict[str, asyncio.Lock] = {}

    async def positions(self, source: str) -> dict[int, int]:
        """Return partition -> handled up to."""
        stored = await self.marks(source)
        return {int(name): upto for name, upto in stored.items() if name.isdecimal()}

    async def advance(self, position: Position) -> None:
        """Store a position unless a higher one is stored."""
        self._advance(position)

    async def marks(self, name: str) -> dict[str, int]:
        """Return what is stored under `name/...`."""
        prefix = f"{name}/"
        return {
            stored[len(prefix) :]: upto
            for stored, upto in self._tables.positions.items()
            if stored.startswith(prefix)
        }

    async def set_marks(self, name: str, marks: Mapping[str, int]) -> None:
        """Store where to read on."""
        self._tables.positions.update({f"{name}/{part}": upto for part, upto in marks.items()})

    async def stopped_keys(self, consumer: str) -> set[tuple[str, str]]:
        """Return the (source, key) pairs that have unresolved messages."""
        return {(letter.source, letter.key) for letter in self._open(consumer)}

    async def park(self, letter: DeadLetter, position: Position) -> bool:
        """Park a failed message and move the position."""
        async with self._lock(letter.consumer, letter.source, letter.key):
            return self._park(letter, position)

    async def park_behind(self, letter: DeadLetter, position: Position) -> bool:
        """Park a message behind others of its key; False where none is parked there."""
        async with self._lock(letter.consumer, letter.source, letter.key):
            if (letter.source, letter.key) not in await self.stopped_keys(letter.consumer):
                return False
            self._park(letter, position)
            return True

    async def parked(self, consumer: str, limit: int, after: int = 0) -> list[DeadLetter]:
        """Return the unresolved messages of a consumer above a dead-letter id, oldest first."""
        return [one for one in self._open(consumer) if one.dead_letter_id > after][:limit]

    async def answer(self, request_id: str, digest: bytes) -> bytes | None:
        """Return what was answered to a request, or None where it is new."""
        kept = self._answers.get(request_id)
        if kept is not None and kept[0] != digest:
            raise reused(request_id)
        return None if kept is None else kept[1]

    async def keep_answer(self, request_id: str, digest: bytes, answer: bytes) -> None:
        """Keep what was answered to a request."""
        self._answers.setdefault(request_id, (digest, answer))

    @asynccontextmanager
    async def held(self, consumer: str, source: str, key: str) -> AsyncIterator["HeldInMemory"]:
        """Lock a stopped key."""
        async with self._lock(consumer, source, key):
            yield HeldInMemory(self, consumer, source, key)

    async def unannounced(self, limit: int) -> list[DeadLetter]:
        """Return dead letters that were not announced."""
        return [one for one in self.letters if one.dead_letter_id not in self._announced][:limit]

    async def announced(self, letters: Sequence[DeadLetter]) -> None:
        """Note that they were announced."""
        self._announced.update(letter.dead_letter_id for letter in letters)

    @asynccontextmanager
    async def lead(self, role: str) -> AsyncIterator[None]:
        """Be the only one in a role."""
        async with self._roles.setdefault(role, asyncio.Lock()):
            yield

    def _advance(self, position: Position) -> bool:
        if self._tables.positions.get(position.name, 0) >= position.notification_id:
            return False
        self._tables.positions[position.name] = position.notification_id
        return True

    def _park(self, letter: DeadLetter, position: Position) -> bool:
        if not self._advance(position):
            return False
        self.letters.append(replace(letter, dead_letter_id=len(self.letters) + 1))
        return True

    def _open(self, consumer: str) -> list[DeadLetter]:
        return [
            one
            for one in self.letters
            if one.consumer == consumer and one.dead_letter_id not in self.resolutions
        ]

    def _lock(self, consumer: str, source: str, key: str) -> asyncio.Lock:
        return self._keys.setdefault((consumer, source, key), asyncio.Lock())


class HeldInMemory:
    """A stopped key under lock."""

    connection = None

    def __init__(self, ledger: MemoryLedger, consumer: str, source: str, key: str) -> None:
        self._ledger = ledger
        self._consumer = consumer
        self._named = (source, key)

    async def first(self) -> DeadLetter | None:
        """Return the first parked message, or None where none is left."""
        parked = self._ledger._open(self._consumer)
        return next((one for one in parked if (one.source, one.key) == self._named), None)

    async def resolve(self, letter: DeadLetter, resolution: str, actor: str, reason: str) -> None:
        """Note that a message was released or skipped."""
        self._ledger.resolutions[letter.dead_letter_id] = (resolution, actor, reason)

    async def note_failure(self, letter: DeadLetter, actor: str, reason: str) -> None:
        """Note that a release failed."""
        self._ledger.failures.append((letter.dead_letter_id, actor, reason))

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """Nothing in memory is undone: what fails raises before it notes anything."""
        yield
