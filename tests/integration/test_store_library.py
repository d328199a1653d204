"""The event store library's own test cases, run on our recorder under the service role, and what ours adds."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, ClassVar
from uuid import uuid4

import msgspec
import psycopg
import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent, Tracking
from eventsourcing.tests.persistence import (
    AggregateRecorderTestCase,
    ApplicationRecorderTestCase,
    NonInterleavingNotificationIDsBaseCase,
    ProcessRecorderTestCase,
    TrackingRecorderTestCase,
)
from eventsourcing.utils import Environment

from cardroom.adapters.application import Application
from cardroom.adapters.installation import Database
from cardroom.adapters.store.eventstore import (
    ChainFactory,
    EventLog,
    LoggedEvent,
    environment,
)
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.kernel.clock import ManualClock
from cardroom.kernel.envelope import NO_HASH, Envelope
from tests.plugins.counting import DECIDER, EVENING, EVENTS, NOTE_ROOM, Add, Counted, asked

pytestmark = pytest.mark.postgres


class _OnOurRecorder:
    """Gives the library's cases our recorder on emptied tables, connected as the context's service role."""

    database: ClassVar[Database]
    _factories: list[ChainFactory]

    @pytest.fixture(autouse=True)
    def _tables(self, database: Database) -> Iterator[None]:
        with psycopg.connect(database.owner) as owner:
            owner.execute("TRUNCATE counting.events, counting.positions RESTART IDENTITY")
        type(self).database = database
        self._factories = []
        yield
        for factory in self._factories:
            factory.close()

    def new_originator_id(self) -> str:
        return f"rack/r1/{uuid4()}"

    def create_recorder(self) -> Any:
        env = Environment("", environment(self.database.service("counting"), "counting"))
        factory = ChainFactory(env)
        self._factories.append(factory)
        return factory.process_recorder()


class TestAggregateRecorder(_OnOurRecorder, AggregateRecorderTestCase):
    def create_recorder(self) -> Any:
        recorder = super().create_recorder()
        insert = recorder.insert_events

        def without_ids(events: Any, **kwargs: Any) -> None:
            insert(events, **kwargs)

        recorder.insert_events = without_ids
        return recorder


class TestApplicationRecorder(_OnOurRecorder, ApplicationRecorderTestCase):
    EXPECT_CONTIGUOUS_NOTIFICATION_IDS = False

    def test_insert_subscribe(self) -> None:
        super().optional_test_insert_subscribe()


class TestTrackingRecorder(_OnOurRecorder, TrackingRecorderTestCase):
    pass


class TestProcessRecorder(_OnOurRecorder, ProcessRecorderTestCase):
    pass


class TestNonInterleavingNotificationIds(_OnOurRecorder, NonInterleavingNotificationIDsBaseCase):
    insert_num = 1000


class TestOurs(_OnOurRecorder):
    @pytest.mark.parametrize("versions", [[2], [1, 3], [1, 2, 2], [2, 1], [-1], [0, 2]])
    def test_a_version_must_follow_its_predecessor(self, versions: list[int]) -> None:
        recorder = self.create_recorder()
        with pytest.raises(IntegrityError):
            recorder.insert_events([StoredEvent("s", version, "t", b"") for version in versions])
        assert recorder.select_events("s") == []

    def test_a_hole_is_refused_in_a_stream_that_exists_and_the_position_stays(self) -> None:
        recorder = self.create_recorder()
        recorder.insert_events([StoredEvent("s", 1, "t", b"")])
        with pytest.raises(IntegrityError, match="version 3 does not follow version 1"):
            recorder.insert_events([StoredEvent("s", 3, "t", b"")], tracking=Tracking("house/0", 4))
        assert recorder.max_tracking_id("house/0") is None


def _logged(version: int, previous: bytes, chips: int) -> LoggedEvent:
    return LoggedEvent(
        originator_id="rack/r1/lib",
        originator_version=version,
        event=Counted(chips=chips),
        envelope=Envelope(
            recorded_at=datetime(2026, 3, 7, tzinfo=UTC),
            occurred_at=None,
            gaming_day="2026-03-06",
            utc_offset_minutes=-480,
            actor="floor-1",
            roles=("floor",),
            station="",
            request_id=f"lib {version}",
            causation_id="",
            correlation_id="",
            override_reason="",
            book_digest="",
            previous_hash=previous,
            event=msgspec.Raw(b""),
        ),
    )


async def test_what_the_library_saves_the_loop_reads_and_the_other_way_round(
    database: Database,
) -> None:
    log = EventLog(database.service("counting"), EVENTS)
    try:
        log.save(_logged(1, NO_HASH, 5))
        (stored,) = log.recorder.select_events("rack/r1/lib")
        log.save(_logged(2, stored.state[:32], 6))

        store = PostgresStore(database.service("counting"), "counting")
        async with Application(DECIDER, store, ManualClock(EVENING)) as app:
            await app.submit(NOTE_ROOM, asked("room"))
            assert (await app.state("rack/r1/lib"))[0].chips == 11
            outcome = await app.submit(Add(rack="lib", chips=7), asked("q"))

        events = list(log.events.get("rack/r1/lib"))
        assert [event.originator_version for event in events] == [1, 2, 3]
        assert events[2].event == outcome.events[0].event
        assert log.notification_log.select(start=None, limit=10)[-1].originator_version == 3
    finally:
        log.close()
