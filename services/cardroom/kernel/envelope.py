"""The stored form of an event: its own hash, then the envelope that holds it.

own hash = SHA-256 over the length-prefixed stream id, version, topic and envelope bytes. The envelope carries the
hash of the event before it in its stream, so a stream is a chain that can be verified from the stored bytes alone.
"""

import hashlib
import struct
from datetime import datetime

import msgspec

HASH_BYTES = 32
_NUMBER = struct.Struct(">Q").pack
NO_HASH = b"\x00" * HASH_BYTES
"""Previous hash of the first event of a stream that continues no other."""


class Envelope(msgspec.Struct, frozen=True, kw_only=True, gc=False, array_like=True):
    """What stands around an event in the store; written as a msgpack array in the order of these fields.

    The order never changes and a new field comes last with a default, so what reads less reads a prefix.

    Args:
        previous_hash: own hash of the event before it in the stream, 32 bytes.
        event: the event's msgpack bytes.
        recorded_at: when the server recorded it, UTC.
        occurred_at: when it happened as reported by the station, UTC; None where nobody said otherwise.
        gaming_day: the room's gaming day, as YYYY-MM-DD.
        utc_offset_minutes: the room's offset from UTC then.
        actor: who did it.
        roles: the roles the actor held.
        station: where it was entered.
        request_id: the command's idempotency key.
        causation_id: what caused the command: a published event's `context:notification id`, or empty.
        correlation_id: common to everything that goes back to one first command.
        override_reason: the reason given for going against the book, or empty.
        book_digest: digest of the resolved book it was decided under, or empty.
    """

    previous_hash: bytes
    event: msgspec.Raw
    recorded_at: datetime
    occurred_at: datetime | None
    gaming_day: str
    utc_offset_minutes: int
    actor: str
    roles: tuple[str, ...]
    station: str
    request_id: str
    causation_id: str
    correlation_id: str
    override_reason: str
    book_digest: str


def own_hash(stream: str, version: int, topic: str, envelope: bytes) -> bytes:
    """Return the hash that stands before an envelope in the store.

    Args:
        stream: full stream id, gaming day included.
        version: the event's version in its stream, from 1.
        topic: the event's topic.
        envelope: the envelope's msgpack bytes as stored.
    """
    parts = (stream.encode(), _NUMBER(version), topic.encode(), envelope)
    return hashlib.sha256(b"".join([_NUMBER(len(part)) + part for part in parts])).digest()


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """An event as read back from a store.

    Args:
        notification_id: position in its application's log, from 1; 0 where unknown.
        stream: full stream id.
        version: version in the stream, from 1.
        topic: its topic.
        own_hash: 32 bytes.
        envelope: what stands around it.
        event: the decoded event.
    """

    notification_id: int
    stream: str
    version: int
    topic: str
    own_hash: bytes
    envelope: Envelope
    event: object
