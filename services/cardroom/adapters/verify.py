"""Verification: finds and locates change, loss, insertion and reordering, from stored bytes, seals and an anchor."""

import hashlib
import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from cardroom.adapters.errors import IntegrityBroken
from cardroom.adapters.seals import MARK_BYTES, Checkpoint, merkle_root, opened
from cardroom.adapters.store.codec import Codec
from cardroom.adapters.store.port import Seal, Store, StoredEvent
from cardroom.kernel.decisions import Decider
from cardroom.kernel.envelope import HASH_BYTES, NO_HASH, own_hash
from cardroom.kernel.streams import kind_of

_DAY: Final = re.compile(r"/\d{4}-\d{2}-\d{2}\Z")
_PAGE: Final = 5_000
_BEFORE_ALL: Final = -(2**62)
"""Below every number that somebody could have given to an event he put in."""


class _Links(msgspec.Struct, frozen=True, array_like=True):
    """What of an envelope verification looks at: its first three fields."""

    previous_hash: bytes
    event: msgspec.Raw
    recorded_at: datetime


_LINKS: Final = msgspec.msgpack.Decoder(_Links)


class Finding(msgspec.Struct, frozen=True):
    """One thing that is not as it was recorded or sealed.

    Args:
        kind: `changed`, `lost`, `inserted`, `moved`, `chain` (a stream's events do not follow each other), `seal` or
            `unreadable` (it stands as it was recorded, and this release cannot read it).
        message: what and where, in one sentence.
        notification_id: position in the log, 0 where it has none.
        stream: full stream id, or empty where it is not known.
        version: version in the stream, 0 where it is not known.
        seal: number of the seal that shows it, 0 where the event's own bytes do.
        topic: of the event as stored, or empty where it is not known.
    """

    kind: str
    message: str
    notification_id: int = 0
    stream: str = ""
    version: int = 0
    seal: int = 0
    topic: str = ""


class Report(msgspec.Struct, frozen=True):
    """What verification came to.

    Args:
        application: whose log.
        findings: in the order of the log; empty where all is as it was.
        events: how many were read.
        seals: how many seals stand.
        anchored: how many of them the anchor has.
        sealed_upto: last notification id that is sealed.
        unsealed_events: how many came after it.
        unsealed_since: when the first of those was recorded; None where there is none.
    """

    application: str
    findings: tuple[Finding, ...]
    events: int
    seals: int
    anchored: int
    sealed_upto: int
    unsealed_events: int
    unsealed_since: datetime | None

    @property
    def intact(self) -> bool:
        """Return whether every event and seal stands as it was recorded."""
        return all(finding.kind == "unreadable" for finding in self.findings)

    @property
    def readable(self) -> bool:
        """Return whether this release can read every event whose bytes were not changed."""
        return all(finding.kind != "unreadable" for finding in self.findings)


class Verifier:
    """Checks one application's log, fed in the order of notification ids; pure over stored bytes."""

    def __init__(
        self,
        application: str,
        stored_seals: Sequence[Seal],
        anchor: Sequence[Seal],
        key: Ed25519PublicKey,
        decider: Decider,
    ) -> None:
        """Take the seals; where the anchor has one, it counts, not the store's.

        Args:
            application: whose log.
            stored_seals: the store's, by number.
            anchor: the anchor's, by number; empty where none is given: then the store's seals are all there is.
            key: what they verify under.
            decider: the application's core, for the events it reads and for the kinds of streams that close with the
                gaming day; of others a name may well look like a day.
        """
        self._application = application
        self._codec = Codec(decider.events)
        kinds = decider.aggregates.values()
        self._day_bound = frozenset(aggregate.kind for aggregate in kinds if aggregate.day_bound)
        self._findings: list[Finding] = []
        self._anchored = len({seal.number for seal in anchor})
        self._checkpoints = self._open(stored_seals, anchor, key)
        self._sealed_upto = self._checkpoints[-1].last_id if self._checkpoints else 0
        self._marks: dict[int, tuple[int, bytes]] = {}
        for checkpoint in self._checkpoints:
            for number, mark in checkpoint.expected().items():
                self._marks[number] = (checkpoint.number, mark)
        self._suspects: dict[int, list[StoredEvent]] = {}
        self._place = 0
        self._window: list[StoredEvent] = []
        self._heads: dict[str, tuple[int, bytes]] = {}
        self._days: dict[str, str] = {}
        self._events = 0
        self._unsealed = 0
        self._unsealed_since: datetime | None = None

    def feed(self, events: Iterable[StoredEvent]) -> None:
        """Check the next events of the log."""
        for event in events:
            self._events += 1
            links = self._check_bytes(event)
            if links is not None:
                self._check_chain(event, links)
                self._check_readable(event)
            if event.notification_id > self._sealed_upto or not self._checkpoints:
                self._unsealed += 1
                if links is not None and self._unsealed_since is None:
                    self._unsealed_since = links.recorded_at
                continue
            while event.notification_id > self._checkpoints[self._place].last_id:
                self._close_window()
            checkpoint = self._checkpoints[self._place]
            if checkpoint.number > 1 and event.notification_id <= checkpoint.after_id:
                self._unsealed += (
                    1  # the seal that covered it is lost, which is a finding of its own
                )
                continue
            self._window.append(event)

    def finish(self) -> Report:
        """Close the last window and return the report."""
        while self._place < len(self._checkpoints):
            self._close_window()
        self._locate()
        order = sorted(self._findings, key=lambda finding: (finding.notification_id, finding.seal))
        return Report(
            application=self._application,
            findings=tuple(order),
            events=self._events,
            seals=len(self._checkpoints),
            anchored=self._anchored,
            sealed_upto=self._sealed_upto,
            unsealed_events=self._unsealed,
            unsealed_since=self._unsealed_since,
        )

    # --- seals ---------------------------------------------------------------------------------------------------

    def _open(
        self, stored: Sequence[Seal], anchor: Sequence[Seal], key: Ed25519PublicKey
    ) -> list[Checkpoint]:
        in_store = {seal.number: seal for seal in stored}
        in_anchor: dict[int, Seal] = {}
        for written in anchor:
            if in_anchor.setdefault(written.number, written) != written:
                self._bad_seal(written.number, "stands twice in the anchor, with two contents")
        last = max((*in_store, *in_anchor), default=0)
        checkpoints: list[Checkpoint] = []
        previous = NO_HASH
        for number in range(1, last + 1):
            seal = in_anchor.get(number) or in_store.get(number)
            if in_anchor.get(number) is not None and in_anchor[number] != in_store.get(number):
                what = "has another content in" if number in in_store else "was lost from"
                self._bad_seal(number, f"{what} the store; the anchor's counts")
            elif number not in in_anchor and in_anchor and number < max(in_anchor):
                self._bad_seal(number, "was lost from the anchor; the store's counts")
            if seal is None:
                self._bad_seal(number, "was lost from the store, and no anchor has it")
                continue
            checkpoint = opened(seal, key)
            if checkpoint is None:
                self._bad_seal(number, "does not carry its signature")
                continue
            self._check_link(checkpoint, checkpoints, previous)
            previous = hashlib.sha256(seal.body).digest()
            checkpoints.append(checkpoint)
        return checkpoints

    def _check_link(
        self, checkpoint: Checkpoint, before: Sequence[Checkpoint], previous: bytes
    ) -> None:
        if checkpoint.application != self._application:
            self._bad_seal(checkpoint.number, f"belongs to {checkpoint.application}")
        follows = before[-1].number + 1 if before else 1
        if checkpoint.number == follows and (
            checkpoint.previous != previous
            or checkpoint.after_id != (before[-1].last_id if before else 0)
        ):
            self._bad_seal(checkpoint.number, "does not name the seal before it")

    def _bad_seal(self, number: int, message: str) -> None:
        self._findings.append(Finding("seal", f"seal {number} {message}", seal=number))

    # --- events --------------------------------------------------------------------------------------------------

    def _check_bytes(self, event: StoredEvent) -> _Links | None:
        hashed, body = event.state[:HASH_BYTES], event.state[HASH_BYTES:]
        if own_hash(event.stream, event.version, event.topic, body) != hashed:
            self._add(
                "changed", event, "does not carry its own hash: bytes, topic or place were changed"
            )
            return None
        try:
            return _LINKS.decode(body)
        except msgspec.DecodeError:
            self._add("changed", event, "has an envelope that cannot be read")
            return None

    def _check_chain(self, event: StoredEvent, links: _Links) -> None:
        stream, version = event.stream, event.version
        head = self._heads.get(stream)
        self._heads[stream] = (version, event.state[:HASH_BYTES])
        if head is None:
            self._check_first(event, links)
            return
        if version != head[0] + 1:
            lost = version > head[0]
            what = f"follows version {head[0]}" + (": those between are missing" if lost else "")
            self._add("chain", event, what)
        elif links.previous_hash != head[1]:
            self._add("chain", event, "does not name the event before it in its stream")

    def _check_readable(self, event: StoredEvent) -> None:
        """Read an event as replay would, confidential fields closed."""
        try:
            self._codec.read(event)
        except IntegrityBroken as unreadable:
            self._findings.append(
                Finding(
                    "unreadable",
                    str(unreadable),
                    event.notification_id,
                    event.stream,
                    event.version,
                    topic=event.topic,
                )
            )

    def _check_first(self, event: StoredEvent, links: _Links) -> None:
        if event.version != 1:
            self._add("chain", event, "is the first of its stream: those before it are missing")
            return
        expected = NO_HASH
        if kind_of(event.stream) in self._day_bound and _DAY.search(event.stream):
            stem = event.stream[: -len("/YYYY-MM-DD")]
            before = self._days.get(stem)
            self._days[stem] = event.stream
            if before is not None:
                expected = self._heads[before][1]
        if links.previous_hash != expected:
            self._add("chain", event, "does not name what its stream goes on from")

    def _add(self, kind: str, event: StoredEvent, what: str) -> None:
        message = f"{event.stream} version {event.version} (number {event.notification_id}) {what}"
        self._findings.append(
            Finding(
                kind,
                message,
                event.notification_id,
                event.stream,
                event.version,
                topic=event.topic,
            )
        )

    # --- what the seals say --------------------------------------------------------------------------------------

    def _close_window(self) -> None:
        checkpoint, window = self._checkpoints[self._place], self._window
        self._place += 1
        self._window = []
        hashes = [(event.notification_id, event.state[:HASH_BYTES]) for event in window]
        if merkle_root(hashes) == checkpoint.root:
            for event in window:
                self._marks.pop(event.notification_id, None)
            return
        self._suspects[checkpoint.number] = window

    def _locate(self) -> None:
        """Name the events behind each checkpoint whose root is another, across checkpoints where events moved."""
        actual = {
            event.notification_id: event for window in self._suspects.values() for event in window
        }
        sealed_at = {mark: number for number, (_, mark) in self._marks.items()}
        found_at = {event.state[:MARK_BYTES]: number for number, event in actual.items()}
        for seal_number, window in self._suspects.items():
            count = len(self._findings)
            for event in window:
                self._compare(event, seal_number, sealed_at)
            self._missing(seal_number, actual, found_at)
            if len(self._findings) == count and not self._named(window):
                message = f"seal {seal_number} has another root than the events it covers"
                self._findings.append(Finding("changed", message, seal=seal_number))

    def _compare(
        self, event: StoredEvent, seal_number: int, sealed_at: Mapping[bytes, int]
    ) -> None:
        mark = event.state[:MARK_BYTES]
        expected = self._marks.get(event.notification_id)
        if expected is not None and expected[1] == mark:
            return
        home = sealed_at.get(mark)
        if home is not None:
            kind, what = "moved", f"was sealed as number {home}"
        elif expected is None:
            kind, what = "inserted", f"is not among what seal {seal_number} covers"
        else:
            kind, what = "changed", f"is another than what seal {seal_number} covers"
        message = f"{event.stream} version {event.version} (number {event.notification_id}) {what}"
        self._findings.append(
            Finding(
                kind,
                message,
                event.notification_id,
                event.stream,
                event.version,
                seal_number,
                event.topic,
            )
        )

    def _missing(
        self,
        seal_number: int,
        actual: Mapping[int, StoredEvent],
        found_at: Mapping[bytes, int],
    ) -> None:
        for number, (seal, mark) in self._marks.items():
            if seal == seal_number and number not in actual and mark not in found_at:
                message = f"number {number}, covered by seal {seal_number}, is missing"
                self._findings.append(Finding("lost", message, number, seal=seal_number))

    def _named(self, window: Sequence[StoredEvent]) -> bool:
        numbers = {event.notification_id for event in window}
        return any(finding.notification_id in numbers for finding in self._findings)


async def verify_store(
    application: str,
    store: Store,
    anchor: Sequence[Seal],
    key: Ed25519PublicKey,
    decider: Decider,
) -> Report:
    """Verify one application's whole log.

    Args:
        application: the context's name.
        store: its store; the read-only role is enough.
        anchor: the anchor's seals; without them loss of the newest seals together with their events is not found.
        key: what seals verify under.
        decider: its core.
    """
    seals: list[Seal] = []
    async for page in _pages(store):
        seals += page
    verifier = Verifier(application, seals, anchor, key, decider)
    after = _BEFORE_ALL
    while events := await store.log(after, _PAGE):
        verifier.feed(events)
        after = events[-1].notification_id
    return verifier.finish()


async def _pages(store: Store) -> AsyncIterator[list[Seal]]:
    after = 0
    while page := await store.seals(after, 1_000):
        yield page
        after = page[-1].number
