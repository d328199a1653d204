"""From a recorded event to the published envelope, and from the envelope to what a policy reads."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from google.protobuf import symbol_database
from google.protobuf.message import DecodeError, Message
from google.protobuf.timestamp_pb2 import Timestamp

from cardroom.api.bus.v1.envelope_pb2 import Envelope
from cardroom.kernel.envelope import Recorded

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

Publish = Callable[[Recorded], Message | None]
"""A context's pure mapping of a stored event to the message it publishes, or None where it stays inside."""

OrderingKey = Callable[[Recorded], str]
"""The key whose messages stay in order: the key under which the context queues the commands of that stream."""


class Unreadable(Exception):  # noqa: N818 - it names the state of the message
    """The bytes are no envelope, or the envelope lacks what every envelope has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A published message as a policy or a read model sees it.

    Args:
        source: the application whose log it comes from.
        notification_id: its position in that log, from 1.
        key: its ordering key.
        event_topic: topic of the stored event.
        stream: stream of the stored event, gaming day included.
        version: version of the event in its stream, from 1.
        room: second part of the stream id (the group of rooms for players).
        gaming_day: the room's gaming day, as YYYY-MM-DD.
        utc_offset_minutes: the room's offset from UTC then.
        occurred_at: when it happened, UTC.
        recorded_at: when the source recorded it, UTC.
        causation_id: what caused it, or empty.
        correlation_id: common to everything that goes back to one first command.
        payload: the published message; a `google.protobuf.Any` where this process does not know its type (a newer
            release of the source publishes it), so that a policy's default arm passes over it.
    """

    source: str
    notification_id: int
    key: str
    event_topic: str
    stream: str
    version: int
    room: str
    gaming_day: str
    utc_offset_minutes: int = 0
    occurred_at: datetime
    recorded_at: datetime
    causation_id: str = ""
    correlation_id: str = ""
    payload: Message

    @property
    def message_id(self) -> str:
        """Return `source:notification id`, the causation id of whatever this message causes."""
        return f"{self.source}:{self.notification_id}"


def key_by_room(recorded: Recorded) -> str:
    """Return `room`, the second part of the stream id: house, waitlist, seating, cashier (the group for players)."""
    return recorded.stream.split("/")[1]


def key_by_table(recorded: Recorded) -> str:
    """Return `room/name`, the second and third part of the stream id: tables, timecollection; a pool of jackpot."""
    return "/".join(recorded.stream.split("/")[1:3])


def envelope_of(source: str, recorded: Recorded, key: str, payload: Message) -> Envelope:
    """Put a published message into its envelope.

    Args:
        source: the publishing application.
        recorded: the stored event it was made from.
        key: the ordering key.
        payload: the context's published message.
    """
    around = recorded.envelope
    envelope = Envelope(
        source=source,
        notification_id=recorded.notification_id,
        ordering_key=key,
        event_topic=recorded.topic,
        stream=recorded.stream,
        version=recorded.version,
        room=recorded.stream.split("/")[1],
        gaming_day=around.gaming_day,
        utc_offset_minutes=around.utc_offset_minutes,
        occurred_at=_timestamp(around.occurred_at or around.recorded_at),
        recorded_at=_timestamp(around.recorded_at),
        causation_id=around.causation_id,
        correlation_id=around.correlation_id,
    )
    envelope.payload.Pack(payload, deterministic=True)
    return envelope


def received_from(data: bytes) -> Received:
    """Read an envelope's bytes.

    Raises:
        Unreadable: they are no envelope, or source, notification id, ordering key or payload is missing.
    """
    try:
        envelope = Envelope.FromString(data)
    except DecodeError as broken:
        raise Unreadable(f"not an envelope: {broken}") from broken
    for field in ("source", "notification_id", "ordering_key"):
        if not getattr(envelope, field):
            raise Unreadable(f"the envelope's {field} is missing")
    if not envelope.HasField("payload"):
        raise Unreadable("the envelope's payload is missing")
    return Received(
        source=envelope.source,
        notification_id=envelope.notification_id,
        key=envelope.ordering_key,
        event_topic=envelope.event_topic,
        stream=envelope.stream,
        version=envelope.version,
        room=envelope.room,
        gaming_day=envelope.gaming_day,
        utc_offset_minutes=envelope.utc_offset_minutes,
        occurred_at=_datetime(envelope.occurred_at),
        recorded_at=_datetime(envelope.recorded_at),
        causation_id=envelope.causation_id,
        correlation_id=envelope.correlation_id,
        payload=_payload(envelope),
    )


def _payload(envelope: Envelope) -> Message:
    name = envelope.payload.TypeName()
    try:
        message: Message = symbol_database.Default().GetSymbol(name)()
    except KeyError:
        return envelope.payload
    try:
        message.ParseFromString(envelope.payload.value)
    except DecodeError as broken:
        raise Unreadable(f"the payload is no {name}: {broken}") from broken
    return message


def _timestamp(at: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(at)
    return stamp


def _datetime(stamp: Timestamp) -> datetime:
    return stamp.ToDatetime(tzinfo=UTC)


def received(
    payload: Message,
    *,
    source: str,
    notification_id: int = 1,
    stream: str = "room/lucky",
    key: str = "",
    occurred_at: datetime = EPOCH,
    gaming_day: str = "1970-01-01",
    event_topic: str = "",
    version: int = 1,
) -> Received:
    """Build a message as a policy would receive it: for specifications of policies and read models.

    Args:
        payload: the published message.
        source: the publishing application.
        notification_id: its position in that application's log.
        stream: the stored event's stream; its second part becomes the room.
        key: the ordering key; the room where empty.
        occurred_at: when it happened; also when it was recorded.
        gaming_day: the room's gaming day.
        event_topic: topic of the stored event.
        version: the event's version in its stream.
    """
    room = stream.split("/")[1]
    return Received(
        source=source,
        notification_id=notification_id,
        key=key or room,
        event_topic=event_topic,
        stream=stream,
        version=version,
        room=room,
        gaming_day=gaming_day,
        occurred_at=occurred_at,
        recorded_at=occurred_at,
        payload=payload,
    )
