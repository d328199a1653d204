"""The published envelope: what goes in comes out, and what is no envelope says why."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from google.protobuf.any_pb2 import Any
from google.protobuf.wrappers_pb2 import StringValue

from cardroom.adapters.bus.envelope import (
    Unreadable,
    envelope_of,
    key_by_room,
    key_by_table,
    received,
    received_from,
)
from cardroom.adapters.bus.port import partition_of
from cardroom.api.bus.v1.envelope_pb2 import Envelope as Published
from cardroom.kernel.envelope import NO_HASH, Envelope, Recorded

AT = datetime(2026, 3, 7, 4, 0, 0, 123456, tzinfo=UTC)


def recorded(occurred_at: datetime | None = None) -> Recorded:
    around = Envelope(
        recorded_at=AT,
        occurred_at=occurred_at,
        gaming_day="2026-03-06",
        utc_offset_minutes=-480,
        actor="floor-1",
        roles=("floor",),
        station="podium",
        request_id="r-1",
        causation_id="seating:3",
        correlation_id="first",
        override_reason="",
        book_digest="",
        previous_hash=NO_HASH,
        event=msgspec.Raw(b"\x80"),
    )
    return Recorded(
        notification_id=12,
        stream="table/lucky/t5/2026-03-06",
        version=4,
        topic="tables.HandEnded.v1",
        own_hash=NO_HASH,
        envelope=around,
        event=None,
    )


def test_an_envelope_reads_back() -> None:
    sent = envelope_of("tables", recorded(), "lucky/t5", StringValue(value="ended"))
    message = received_from(sent.SerializeToString())
    assert message.payload == StringValue(value="ended")
    assert (message.source, message.notification_id, message.key) == ("tables", 12, "lucky/t5")
    assert (message.stream, message.version) == ("table/lucky/t5/2026-03-06", 4)
    assert (message.room, message.gaming_day, message.utc_offset_minutes) == (
        "lucky",
        "2026-03-06",
        -480,
    )
    assert (message.occurred_at, message.recorded_at) == (AT, AT)
    assert (message.message_id, message.causation_id, message.correlation_id) == (
        "tables:12",
        "seating:3",
        "first",
    )
    assert message.event_topic == "tables.HandEnded.v1"


def test_the_time_a_station_reported_is_when_it_happened() -> None:
    earlier = AT - timedelta(minutes=3)
    sent = envelope_of("tables", recorded(earlier), "lucky/t5", StringValue(value="x"))
    message = received_from(sent.SerializeToString())
    assert (message.occurred_at, message.recorded_at) == (earlier, AT)


def test_the_same_event_gives_the_same_bytes() -> None:
    sent = {
        envelope_of("tables", recorded(), "k", StringValue(value="x")).SerializeToString(
            deterministic=True
        )
        for _ in range(3)
    }
    assert len(sent) == 1


def test_a_payload_of_an_unknown_type_stays_closed() -> None:
    sent = envelope_of("tables", recorded(), "k", StringValue(value="x"))
    sent.payload.type_url = "type.googleapis.com/cardroom.api.tables.v9.FromALaterRelease"
    message = received_from(sent.SerializeToString())
    assert isinstance(message.payload, Any)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda sent: sent.ClearField("source"), "source is missing"),
        (lambda sent: sent.ClearField("notification_id"), "notification_id is missing"),
        (lambda sent: sent.ClearField("ordering_key"), "ordering_key is missing"),
        (lambda sent: sent.ClearField("payload"), "payload is missing"),
        (lambda sent: setattr(sent.payload, "value", b"\xff"), "the payload is no google"),
    ],
)
def test_what_is_missing_is_named(change: object, said: str) -> None:
    sent = envelope_of("tables", recorded(), "k", StringValue(value="x"))
    change(sent)  # type: ignore[operator]
    with pytest.raises(Unreadable, match=said):
        received_from(sent.SerializeToString())


def test_other_bytes_are_no_envelope() -> None:
    with pytest.raises(Unreadable, match="not an envelope"):
        received_from(b"\xff\xff\xff")
    assert Published.FromString(b"").source == ""


def test_keys_come_from_the_stream() -> None:
    assert key_by_room(recorded()) == "lucky"
    assert key_by_table(recorded()) == "lucky/t5"


def test_the_partition_of_a_key_never_changes() -> None:
    # A change would move keys between partitions, and every stored position with them.
    assert [partition_of(key, 8) for key in ("r1/a", "r1/b", "lucky", "lucky/t5")] == [6, 7, 1, 7]


def test_a_message_for_a_specification_has_what_a_policy_reads() -> None:
    message = received(StringValue(value="x"), source="tables", stream="table/lucky/t5")
    assert (message.room, message.key, message.message_id) == ("lucky", "lucky", "tables:1")
