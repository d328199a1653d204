"""The store as the shell sees it: what is proposed, what became of it, and what can be read back."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

import msgspec

ERASED = "erased"
"""What `changes` yields where keys may have been erased, in place of an instance's id."""


class Position(msgspec.Struct, frozen=True):
    """How far a source's messages were handled.

    Args:
        source: the publishing application.
        partition: the partition of its topic, or the embedded follower's.
        notification_id: the last one handled.
    """

    source: str
    partition: int | str
    notification_id: int

    @property
    def name(self) -> str:
        """Return the name the position is stored under."""
        return position_name(self.source, self.partition)


def position_name(source: str, partition: int | str) -> str:
    """Return the name under which a source's and partition's position is stored."""
    return f"{source}/{partition}"


class StoredEvent(msgspec.Struct, frozen=True, gc=False):
    """An event as it lies in the store.

    Args:
        stream: full stream id.
        version: version in the stream, from 1.
        topic: its topic.
        state: own hash (32 bytes), then the envelope's bytes.
        notification_id: position in the application's log, from 1; 0 before it is stored.
    """

    stream: str
    version: int
    topic: str
    state: bytes
    notification_id: int = 0


class Whole(NamedTuple):
    """A whole stream as it lies in the store, in few parts: for reading much at once.

    Args:
        stream: full stream id.
        versions: of each event, in order.
        topics: of each event, separated by blanks.
        sizes: bytes of each state.
        states: the states, one after the other.
    """

    stream: str
    versions: list[int]
    topics: str
    sizes: list[int]
    states: bytes

    def events(self) -> Iterator[StoredEvent]:
        """Yield the events one by one."""
        first = 0
        topics = self.topics.split(" ")
        for version, topic, size in zip(self.versions, topics, self.sizes, strict=True):
            yield StoredEvent(self.stream, version, topic, self.states[first : first + size])
            first += size


class Head(msgspec.Struct, frozen=True):
    """The last event of a stream: its version and own hash; version 0 and `NO_HASH` where there is none."""

    stream: str
    version: int
    own_hash: bytes


class DueEntry(msgspec.Struct, frozen=True):
    """The earliest deadline that a stem's state holds.

    Args:
        stem: stream stem.
        at: the instant, or None where the state holds none.
        released_until: deadlines of this stem up to here were released after an outage.
    """

    stem: str
    at: datetime | None
    released_until: datetime | None = None


class Proposal(msgspec.Struct, frozen=True):
    """One command's (or one inbox message's) share of a batch.

    Args:
        keys: ordering keys; where one proposal of a key fails, the later ones of the key fail with it.
        request_id: idempotency key; empty where only a position moves.
        digest: digest of the command.
        outcome: stored form of the outcome.
        expected: heads of every stream the decision rests on.
        unborn: stems of day-bound kinds that had no stream of any day.
        events: what is to be written, in order.
        due: the deadlines of the stems that changed.
        tracking: the position that moves with it.
        refusal: nothing is written; the proposal only asks whether what it was refused on still holds.
    """

    keys: tuple[str, ...]
    request_id: str
    digest: bytes
    outcome: bytes
    expected: tuple[Head, ...]
    unborn: tuple[str, ...] = ()
    events: tuple[StoredEvent, ...] = ()
    due: tuple[tuple[str, datetime | None], ...] = ()
    tracking: Position | None = None
    refusal: bool = False


class Accepted(msgspec.Struct, frozen=True):
    """It is saved (or, for a refusal, what it rests on holds).

    Args:
        notification_ids: of its events, in order.
    """

    notification_ids: tuple[int, ...] = ()


class Outdated(msgspec.Struct, frozen=True):
    """It rests on heads that are no longer so; nothing of it was saved.

    Args:
        stems: streams (or unborn stems) whose head is another.
    """

    stems: tuple[str, ...]


class Cascaded(msgspec.Struct, frozen=True):
    """A proposal of the same key before it failed; nothing of it was saved."""


class Repeated(msgspec.Struct, frozen=True):
    """The request id was stored before.

    Args:
        digest: digest of the command it came with then.
        outcome: the outcome stored then.
    """

    digest: bytes
    outcome: bytes


class Behind(msgspec.Struct, frozen=True):
    """The position is not above the stored one: the message was handled before.

    Args:
        notification_id: the stored position.
    """

    notification_id: int


Verdict = Accepted | Outdated | Cascaded | Repeated | Behind


class SubjectKey(msgspec.Struct, frozen=True):
    """A stored key, wrapped under the master key.

    Args:
        key_id: 16 bytes.
        subject: whose it is.
        wrapped: nonce and ciphertext.
    """

    key_id: bytes
    subject: str
    wrapped: bytes


class Seal(msgspec.Struct, frozen=True):
    """A stored checkpoint.

    Args:
        number: from 1.
        body: the signed bytes (msgpack of `seals.Checkpoint`).
        signature: Ed25519 over the body.
    """

    number: int
    body: bytes
    signature: bytes


class Liveness(msgspec.Struct, frozen=True):
    """When the application was last known to run, and up to where deadlines are held.

    Args:
        alive_at: the last beat; None before the first.
        held_until: deadlines up to here wait for release; None where none are held.
    """

    alive_at: datetime | None
    held_until: datetime | None


class Store(Protocol):
    """One application's events, requests, positions, deadlines, keys and seals."""

    instance: str
    """Names this process among several on one schema; `changes` yields it."""

    async def open(self) -> None:
        """Connect; raises `Unavailable` where that cannot be done."""

    async def close(self) -> None:
        """Let go of every connection."""

    async def commit(self, batch: Sequence[Proposal]) -> list[Verdict]:
        """Save what can be saved of a batch in one transaction and return a verdict for each proposal.

        Raises:
            ConnectionLost: the connection broke; some or none of it may be saved. Ask `requests`.
        """

    async def heads(self, streams: Sequence[str]) -> dict[str, Head]:
        """Return the heads of those streams that have events."""

    async def load(self, after: Mapping[str, int]) -> dict[str, list[StoredEvent]]:
        """Return each named stream's events above a version, in order of version."""

    def whole(self, streams: Sequence[str]) -> AsyncGenerator[list[Whole], None]:
        """Yield those of the named streams that have events, some at a time.

        For reading much at once: while what is yielded is worked on, the next is fetched.
        """

    async def current_days(self, stems: Sequence[str]) -> dict[str, str]:
        """Return the greatest `stem/YYYY-MM-DD` stream of each stem that has one."""

    async def requests(self, request_ids: Sequence[str]) -> dict[str, Repeated]:
        """Return what is stored under request ids."""

    async def position(self, source: str, partition: int | str) -> int:
        """Return how far a source's partition was handled, 0 where it never was."""

    async def log(self, after: int, limit: int, upto: int | None = None) -> list[StoredEvent]:
        """Return events above a notification id, in the order of the log."""

    async def last_notification_id(self) -> int:
        """Return the log's last notification id, 0 where it is empty."""

    def changes(self, poll_seconds: float, *, own: bool = True) -> AsyncIterator[str]:
        """Yield whenever something was committed: the id of the instance that did it, "" on each poll, or `ERASED`.

        Args:
            poll_seconds: how long nothing may be heard before it is yielded that something may have been missed.
            own: whether what this instance committed is told too.
        """

    async def due_times(self) -> list[DueEntry]:
        """Return all stems that hold a deadline."""

    async def release(self, stems: Sequence[str], until: datetime) -> None:
        """Let deadlines of stems up to an instant fire although they are held."""

    async def liveness(self) -> Liveness:
        """Return the last beat and what is held."""

    async def beat(self, alive_at: datetime, held_until: datetime | None) -> None:
        """Store a beat."""

    async def subject_keys(self, subjects: Sequence[str]) -> dict[str, SubjectKey]:
        """Return the keys of subjects; those that have none, or none any more, are missing."""

    async def keys(self, key_ids: Sequence[bytes]) -> dict[bytes, SubjectKey]:
        """Return keys by id; those that were erased are missing."""

    async def add_key(self, key: SubjectKey) -> SubjectKey:
        """Store a subject's first key; returns the one that stands if another process was faster."""

    async def erase_subject(self, subject: str) -> int:
        """Delete all keys of a subject and return how many there were."""

    async def last_seal(self) -> Seal | None:
        """Return the newest seal."""

    async def seals(self, after: int, limit: int) -> list[Seal]:
        """Return seals above a number, in order."""

    async def add_seal(self, seal: Seal) -> bool:
        """Store a seal; False where one of that number exists."""
