"""A store in memory, for specifications and simulation: PostgreSQL's verdicts, and nothing survives the process."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from datetime import datetime

import msgspec

from cardroom.adapters.store.judge import judge
from cardroom.adapters.store.port import (
    ERASED,
    Accepted,
    DueEntry,
    Head,
    Liveness,
    Proposal,
    Repeated,
    Seal,
    StoredEvent,
    SubjectKey,
    Verdict,
    Whole,
    position_name,
)
from cardroom.kernel.envelope import HASH_BYTES


class MemoryTables:
    """What a database would hold; several `MemoryStore`s on one are several processes on one schema."""

    def __init__(self) -> None:
        self.log: list[StoredEvent] = []
        self.streams: dict[str, list[StoredEvent]] = {}
        self.requests: dict[str, Repeated] = {}
        self.positions: dict[str, int] = {}
        self.due: dict[str, DueEntry] = {}
        self.keys: dict[bytes, SubjectKey] = {}
        self.seals: list[Seal] = []
        self.liveness = Liveness(None, None)
        self.followers: list[asyncio.Queue[str]] = []

    def notify(self, note: str) -> None:
        """Wake everybody who follows the log."""
        for notes in self.followers:
            notes.put_nowait(note)

    def head(self, stream: str) -> Head | None:
        """Return a stream's head, or None where it has no events."""
        events = self.streams.get(stream)
        if not events:
            return None
        return Head(stream, events[-1].version, events[-1].state[:HASH_BYTES])


class MemoryStore:
    """A `Store` on `MemoryTables`."""

    def __init__(self, tables: MemoryTables | None = None, instance: str = "") -> None:
        """Take the tables (fresh ones if none are given) and this instance's id."""
        self.tables = tables or MemoryTables()
        self.instance = instance

    async def open(self) -> None:
        """Nothing to connect."""

    async def close(self) -> None:
        """Nothing to let go of."""

    async def commit(self, batch: Sequence[Proposal]) -> list[Verdict]:
        """Judge a batch and keep what was accepted."""
        await asyncio.sleep(0)
        tables = self.tables
        named = {expected.stream for proposal in batch for expected in proposal.expected}
        heads = {stream: head for stream in named if (head := tables.head(stream)) is not None}
        stems = [stem for proposal in batch for stem in proposal.unborn]
        asked = await self.requests([proposal.request_id for proposal in batch])
        verdicts = judge(batch, heads, asked, tables.positions, await self.current_days(stems))
        for number, (proposal, verdict) in enumerate(zip(batch, verdicts, strict=True)):
            if isinstance(verdict, Accepted) and not proposal.refusal:
                verdicts[number] = Accepted(self._keep(proposal))
        tables.notify(self.instance)
        return verdicts

    def _keep(self, proposal: Proposal) -> tuple[int, ...]:
        tables = self.tables
        ids = []
        for event in proposal.events:
            kept = msgspec.structs.replace(event, notification_id=len(tables.log) + 1)
            tables.log.append(kept)
            tables.streams.setdefault(event.stream, []).append(kept)
            ids.append(kept.notification_id)
        if proposal.request_id:
            tables.requests[proposal.request_id] = Repeated(proposal.digest, proposal.outcome)
        for stem, at in proposal.due:
            before = tables.due.get(stem)
            tables.due[stem] = DueEntry(stem, at, before.released_until if before else None)
        if proposal.tracking is not None:
            tables.positions[proposal.tracking.name] = proposal.tracking.notification_id
        return tuple(ids)

    async def heads(self, streams: Sequence[str]) -> dict[str, Head]:
        """Return the heads of those streams that have events."""
        return {stream: head for stream in streams if (head := self.tables.head(stream))}

    async def load(self, after: Mapping[str, int]) -> dict[str, list[StoredEvent]]:
        """Return each named stream's events above a version."""
        await asyncio.sleep(0)
        return {
            stream: self.tables.streams.get(stream, [])[version:]
            for stream, version in after.items()
        }

    async def whole(self, streams: Sequence[str]) -> AsyncGenerator[list[Whole], None]:
        """Yield those of the named streams that have events, one at a time."""
        for stream in streams:
            events = (await self.load({stream: 0}))[stream]
            if events:
                yield [
                    Whole(
                        stream,
                        [event.version for event in events],
                        " ".join(event.topic for event in events),
                        [len(event.state) for event in events],
                        b"".join(event.state for event in events),
                    )
                ]

    async def current_days(self, stems: Sequence[str]) -> dict[str, str]:
        """Return the greatest day stream of each stem that has one."""
        found: dict[str, str] = {}
        for stem in stems:
            days = [
                stream
                for stream in self.tables.streams
                if stream.startswith(stem + "/") and "/" not in stream[len(stem) + 1 :]
            ]
            if days:
                found[stem] = max(days)
        return found

    async def requests(self, request_ids: Sequence[str]) -> dict[str, Repeated]:
        """Return what is stored under request ids."""
        stored = self.tables.requests
        return {
            request_id: stored[request_id] for request_id in request_ids if request_id in stored
        }

    async def position(self, source: str, partition: int | str) -> int:
        """Return how far a source's partition was handled."""
        return self.tables.positions.get(position_name(source, partition), 0)

    async def log(self, after: int, limit: int, upto: int | None = None) -> list[StoredEvent]:
        """Return events above a notification id."""
        end = len(self.tables.log) if upto is None else min(upto, len(self.tables.log))
        after = max(after, 0)
        return self.tables.log[after : min(after + limit, end)]

    async def last_notification_id(self) -> int:
        """Return the log's last notification id."""
        return len(self.tables.log)

    async def changes(self, poll_seconds: float, *, own: bool = True) -> AsyncIterator[str]:
        """Yield whenever something was committed: by whom, "" on each poll, or `ERASED`."""
        notes: asyncio.Queue[str] = asyncio.Queue()
        self.tables.followers.append(notes)
        try:
            yield ""
            while True:
                try:
                    async with asyncio.timeout(poll_seconds):
                        note = await notes.get()
                except TimeoutError:
                    note = ""
                if own or note != self.instance:
                    yield note
        finally:
            self.tables.followers.remove(notes)

    async def due_times(self) -> list[DueEntry]:
        """Return all stems that hold a deadline."""
        return [entry for entry in self.tables.due.values() if entry.at is not None]

    async def release(self, stems: Sequence[str], until: datetime) -> None:
        """Let deadlines of stems up to an instant fire although they are held."""
        for stem in stems:
            entry = self.tables.due[stem]
            self.tables.due[stem] = DueEntry(stem, entry.at, until)

    async def liveness(self) -> Liveness:
        """Return the last beat and what is held."""
        return self.tables.liveness

    async def beat(self, alive_at: datetime, held_until: datetime | None) -> None:
        """Store a beat."""
        self.tables.liveness = Liveness(alive_at, held_until)

    async def subject_keys(self, subjects: Sequence[str]) -> dict[str, SubjectKey]:
        """Return the keys of subjects."""
        return {key.subject: key for key in self.tables.keys.values() if key.subject in subjects}

    async def keys(self, key_ids: Sequence[bytes]) -> dict[bytes, SubjectKey]:
        """Return keys by id."""
        return {key_id: key for key_id in key_ids if (key := self.tables.keys.get(key_id))}

    async def add_key(self, key: SubjectKey) -> SubjectKey:
        """Store a subject's first key."""
        standing = (await self.subject_keys([key.subject])).get(key.subject)
        if standing is not None:
            return standing
        self.tables.keys[key.key_id] = key
        return key

    async def erase_subject(self, subject: str) -> int:
        """Delete all keys of a subject."""
        gone = [key_id for key_id, key in self.tables.keys.items() if key.subject == subject]
        for key_id in gone:
            del self.tables.keys[key_id]
        self.tables.notify(ERASED)
        return len(gone)

    async def last_seal(self) -> Seal | None:
        """Return the newest seal."""
        return self.tables.seals[-1] if self.tables.seals else None

    async def seals(self, after: int, limit: int) -> list[Seal]:
        """Return seals above a number."""
        return self.tables.seals[after : after + limit]

    async def add_seal(self, seal: Seal) -> bool:
        """Store a seal; False where one of that number exists."""
        if seal.number != len(self.tables.seals) + 1:
            return False
        self.tables.seals.append(seal)
        return True
