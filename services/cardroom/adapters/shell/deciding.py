"""Running the functional core on the states at hand: reads until fixpoint, decide, encode, fold."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, Final, cast

import msgspec

from cardroom.adapters.shell.cache import Heads, Snapshot
from cardroom.adapters.shell.entry import Decided, Entry, Written
from cardroom.adapters.shell.occasions import (
    HOUSE_KINDS,
    day_at,
    effective_time,
    is_known,
    occasion_of,
)
from cardroom.adapters.shell.requests import StoredOutcome
from cardroom.adapters.store.codec import Codec
from cardroom.adapters.store.judge import absent
from cardroom.adapters.store.port import Head, Proposal, StoredEvent
from cardroom.adapters.store.vault import Vault
from cardroom.kernel.decisions import Command, Decider, Decision, Occasion
from cardroom.kernel.envelope import Envelope
from cardroom.kernel.events import CarriedForward, Event
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import Aggregate, StreamId, Streams, kind_of, stream_id

_ENCODER: Final = msgspec.msgpack.Encoder()
_DAY_CHARACTERS: Final = len("/YYYY-MM-DD")
DAYS_AHEAD: Final = 31
"""How far ahead a gaming day may be opened: the longest that a house stays closed, and less than a mistyped year."""


class Missing(Exception):  # noqa: N818 - it says what the decision waits for
    """Stems or subjects' keys must be loaded before the decision can be made."""

    def __init__(self, stems: Iterable[str] = (), subjects: Iterable[str] = ()) -> None:
        super().__init__()
        self.stems = frozenset(stems)
        self.subjects = frozenset(subjects)


class Working:
    """One entry's view while it is decided: what it read, and what its own earlier commands wrote."""

    __slots__ = ("events", "expected", "stored", "unborn", "written")

    def __init__(self) -> None:
        self.expected: dict[str, Head] = {}
        self.unborn: list[str] = []
        self.written: dict[str, Snapshot] = {}
        self.events: list[Written] = []
        self.stored: list[StoredEvent] = []


class Deciding:
    """Decides entries of one context against the cache; does no I/O."""

    def __init__(
        self,
        decider: Decider,
        heads: Heads,
        codec: Codec,
        vault: Vault | None,
        tolerance: timedelta,
    ) -> None:
        """Take the core and what it works on.

        Args:
            decider: the context's functional core.
            heads: the cache.
            codec: encodes events.
            vault: keys for confidential fields; None where the context has none.
            tolerance: how far a reported time may lie from the server's receipt.
        """
        self._decider = decider
        self._aggregates = decider.aggregates
        self._heads = heads
        self._codec = codec
        self._vault = vault
        self._tolerance = tolerance

    def decide(self, entry: Entry) -> Decided:
        """Return what an entry's commands come to on the latest states.

        Raises:
            Missing: something must be loaded first; ask again then.
        """
        work = Working()
        try:
            at = entry.effective_at or effective_time(
                entry.request, entry.recorded_at, self._tolerance
            )
            result = b""
            for command in entry.commands:
                decision, streams = self._one(entry, command, at, work)
                if entry.answer is not None:
                    result = entry.answer(decision, streams.evolved(decision))
        except Refused as refusal:
            return self._refused(entry, work, refusal)
        return self._accepted(entry, work, result)

    def _one(
        self, entry: Entry, command: Command, at: datetime, work: Working
    ) -> tuple[Decision, Streams]:
        room = getattr(command, "room", "") if "room" in self._aggregates else ""
        room_stem = _room_stem(room) if room else None
        streams = self._streams(command, room_stem, work)
        day = day_at(at, None if room_stem is None else streams[room_stem])
        occasion = occasion_of(entry.request, at, entry.recorded_at, day, entry.seed)
        decision = self._decider.decide(command, streams, occasion)
        if room_stem is not None and not is_known(streams[room_stem]):
            occasion = self._making_known(room, room_stem, streams, decision, occasion)
        if decision:
            digest = self._decider.book_digest
            book = digest(command, streams) if digest is not None else ""
            self._record(entry, decision, occasion, book, work)
        return decision, streams

    def _making_known(
        self,
        room: str,
        room_stem: StreamId,
        streams: Streams,
        decision: Decision,
        occasion: Occasion,
    ) -> Occasion:
        """Return the occasion in the room that a decision makes known; refuse what needs the room before that."""
        state = streams.evolved(decision)[room_stem]
        if not is_known(state) and any(kind_of(stem) not in HOUSE_KINDS for stem, _ in decision):
            raise Unknown("room", room, "room")
        gaming_day, offset = day_at(occasion.at, state)
        return msgspec.structs.replace(occasion, gaming_day=gaming_day, utc_offset_minutes=offset)

    def _streams(self, command: Command, room_stem: StreamId | None, work: Working) -> Streams:
        reads = self._decider.reads
        loaded: dict[StreamId, Any] = {}
        versions: dict[StreamId, int] = {}
        streams = Streams(self._aggregates, loaded, versions)
        while True:
            wanted = reads(command, streams)
            if room_stem is not None:
                wanted = wanted | {room_stem}
            fresh = wanted - loaded.keys()
            if not fresh:
                return streams
            snapshots = self._read(fresh, work)
            for stem, snapshot in snapshots.items():
                loaded[cast(StreamId, stem)] = snapshot.state
                versions[cast(StreamId, stem)] = snapshot.head.version
            streams = Streams(self._aggregates, loaded, versions)

    def _read(self, stems: Iterable[str], work: Working) -> dict[str, Snapshot]:
        found: dict[str, Snapshot] = {}
        missing: list[str] = []
        for stem in stems:
            snapshot = work.written.get(stem)
            if snapshot is None:
                snapshot = self._heads.latest(stem)
                if snapshot is None:
                    missing.append(stem)
                    continue
                self._rest_on(stem, snapshot, work)
            found[stem] = snapshot
        if missing:
            raise Missing(missing)
        return found

    def _rest_on(self, stem: str, snapshot: Snapshot, work: Working) -> None:
        if snapshot.head.version == 0 and self._aggregates[kind_of(stem)].day_bound:
            if stem not in work.unborn:
                work.unborn.append(stem)
        else:
            work.expected[snapshot.head.stream] = snapshot.head

    def _record(
        self, entry: Entry, decision: Decision, occasion: Occasion, book: str, work: Working
    ) -> None:
        request = entry.request
        occurred = entry.effective_at or request.occurred_at
        around = Envelope(
            recorded_at=entry.recorded_at,
            occurred_at=occurred.astimezone(UTC) if occurred is not None else None,
            gaming_day=occasion.gaming_day,
            utc_offset_minutes=occasion.utc_offset_minutes,
            actor=request.actor,
            roles=tuple(sorted(request.roles)),
            station=request.station,
            request_id=request.request_id,
            causation_id=request.causation_id,
            correlation_id=request.correlation_id or request.request_id,
            override_reason=request.override_reason,
            book_digest=book,
            previous_hash=b"",
            event=msgspec.Raw(b""),
        )
        for stem, event in decision:
            aggregate = self._aggregates[kind_of(stem)]
            snapshot = self._read((stem,), work)[stem]
            stream, version = self._place(stem, aggregate, snapshot, event, occasion, work)
            data = self._codec.encode_event(stream, event, self._key(event))
            envelope = msgspec.structs.replace(
                around, previous_hash=snapshot.head.own_hash, event=msgspec.Raw(data)
            )
            stored = self._codec.store(stream, version, event, envelope)
            head = Head(stream, version, stored.state[:32])
            state = aggregate.evolve(snapshot.state, event)
            work.written[stem] = Snapshot(head, state, earliest(aggregate, state))
            work.stored.append(stored)
            work.events.append(
                Written(stream, version, stored.topic, head.own_hash, envelope, event)
            )

    def _place(
        self,
        stem: str,
        aggregate: Aggregate,
        snapshot: Snapshot,
        event: Event,
        occasion: Occasion,
        work: Working,
    ) -> tuple[str, int]:
        head = snapshot.head
        if not aggregate.day_bound:
            return stem, head.version + 1
        if isinstance(event, CarriedForward):
            _check_day(event.gaming_day, occasion.gaming_day)
            stream = f"{stem}/{event.gaming_day}"
            if head.version and stream <= head.stream:
                raise Refused(
                    "GAMING_DAY_CLOSED",
                    "CR-10",
                    f"{head.stream} cannot be carried forward to {event.gaming_day}: that day has "
                    "begun already",
                    field="gaming_day",
                )
            work.expected[stream] = absent(stream)
            return stream, 1
        if head.version == 0:
            return f"{stem}/{occasion.gaming_day}", 1
        return head.stream, head.version + 1

    def _key(self, event: Event) -> tuple[bytes, bytes] | None:
        if not event.confidential:
            return None
        if self._vault is None:
            raise ValueError(f"{type(event).__name__} is confidential and the shell has no vault")
        subject = str(getattr(event, event.subject))
        held = self._vault.held(subject)
        if held is None:
            raise Missing(subjects=(subject,))
        return held

    def _refused(self, entry: Entry, work: Working, refusal: Refused) -> Decided:
        proposal = Proposal(
            keys=entry.keys,
            request_id=entry.request.request_id,
            digest=entry.digest,
            outcome=b"",
            expected=tuple(work.expected.values()),
            unborn=tuple(work.unborn),
            tracking=entry.tracking,
            refusal=True,
        )
        return Decided(proposal, refusal=refusal)

    def _accepted(self, entry: Entry, work: Working, result: bytes) -> Decided:
        versions = {stem: snapshot.head.version for stem, snapshot in work.written.items()}
        outcome = StoredOutcome(
            tuple((event.stream, event.version) for event in work.events), versions, result
        )
        proposal = Proposal(
            keys=entry.keys,
            request_id=entry.request.request_id,
            digest=entry.digest,
            outcome=_ENCODER.encode(outcome),
            expected=tuple(work.expected.values()),
            unborn=tuple(work.unborn),
            events=tuple(work.stored),
            due=self._due_changes(work),
            tracking=entry.tracking,
        )
        return Decided(proposal, tuple(work.events), work.written, versions, result)

    def _due_changes(self, work: Working) -> tuple[tuple[str, datetime | None], ...]:
        changes = []
        for stem, snapshot in work.written.items():
            before = self._heads.latest(stem)
            if before is None or before.due_at != snapshot.due_at:
                changes.append((stem, snapshot.due_at))
        return tuple(changes)


def _check_day(gaming_day: str, present: str) -> None:
    """Refuse to carry a stream into what is no day, or into one so far off that nothing could go on before it."""
    try:
        day = date.fromisoformat(gaming_day)
    except ValueError:
        day = None
    if day is None or day.isoformat() != gaming_day:
        raise Refused(
            "GAMING_DAY_MALFORMED",
            "CR-4",
            f"gaming_day is {gaming_day!r}: it takes a day of the calendar as YYYY-MM-DD",
            field="gaming_day",
        )
    ahead = day - date.fromisoformat(present)
    if ahead.days > DAYS_AHEAD:
        raise Refused(
            "GAMING_DAY_FAR_OFF",
            "CR-4",
            f"gaming_day is {gaming_day}: at most {DAYS_AHEAD} days after the present one, {present}",
            field="gaming_day",
        )


@lru_cache(maxsize=1024)
def _room_stem(room: str) -> StreamId:
    return stream_id("room", room)


def earliest(aggregate: Aggregate, state: Any) -> datetime | None:
    """Return the earliest deadline that a state holds, or None."""
    if aggregate.due is None:
        return None
    return min((at for at, _ in aggregate.due(state)), default=None)


def stem_of(stream: str, aggregates: Any) -> str:
    """Return the stem of a full stream id: without the gaming day where the kind is day-bound."""
    aggregate = aggregates.get(kind_of(stream))
    if aggregate is not None and aggregate.day_bound:
        return stream[:-_DAY_CHARACTERS]
    return stream
