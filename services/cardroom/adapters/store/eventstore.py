"""A context's store as an application of the event store library: same tables, same stored form, synchronous.

The command loop writes through `PostgresStore`, which groups commits. This is the same store in the library's own
terms, for what the library is good at: notification logs, subscriptions across processes, and its own test cases.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import (
    InfrastructureFactory,
    IntegrityError,
    JSONTranscoder,
    Mapper,
    ProcessRecorder,
)
from eventsourcing.persistence import StoredEvent as LibraryEvent
from eventsourcing.postgres import (
    PostgresApplicationRecorder,
    PostgresDatastore,
    PostgresFactory,
    PostgresProcessRecorder,
)
from eventsourcing.utils import Environment
from psycopg import Cursor
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow

from cardroom.adapters.store.codec import Codec, Keys
from cardroom.adapters.store.port import StoredEvent
from cardroom.kernel.envelope import Envelope
from cardroom.kernel.events import Event, EventTypes

EVENTS_TABLE: Final = "events"
POSITIONS_TABLE: Final = "positions"
_HEADS: Final = """
SELECT originator_id, max(originator_version) AS version FROM {table}
WHERE originator_id = ANY(%s) GROUP BY originator_id"""


class LoggedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event with what stands around it, under the names that the library asks for.

    Args:
        originator_id: full stream id.
        originator_version: version in the stream.
        envelope: what stands around it; its previous hash names the event before.
        event: the event itself.
    """

    originator_id: str
    originator_version: int
    envelope: Envelope
    event: Event


class EnvelopeMapper(Mapper[str]):
    """Maps `LoggedEvent` to stored bytes (own hash, then msgpack envelope) and back; topics are the events' tags."""

    def __init__(
        self,
        codec: Codec,
        key_of: Callable[[str], tuple[bytes, bytes] | None] = lambda subject: None,
        keys: Keys | None = None,
    ) -> None:
        """Take the codec and, for confidential fields, the keys.

        Args:
            codec: of the context's event types.
            key_of: subject -> key id and key, for writing.
            keys: key id -> key, for reading.
        """
        super().__init__(JSONTranscoder())
        self._codec = codec
        self._key_of = key_of
        self._keys = keys or {}

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> LibraryEvent:
        """Return the stored form of a `LoggedEvent`."""
        logged = cast(LoggedEvent, domain_event)
        event = logged.event
        key = self._key_of(str(getattr(event, event.subject))) if event.confidential else None
        stream, version = logged.originator_id, logged.originator_version
        data = self._codec.encode_event(stream, event, key)
        envelope = msgspec.structs.replace(logged.envelope, event=msgspec.Raw(data))
        stored = self._codec.store(stream, version, event, envelope)
        return LibraryEvent(
            originator_id=stream,
            originator_version=version,
            topic=stored.topic,
            state=stored.state,
        )

    def to_domain_event(self, stored_event: LibraryEvent) -> DomainEventProtocol[str]:
        """Return the `LoggedEvent` of stored bytes, its own hash verified.

        Raises:
            IntegrityBroken: the bytes do not carry their hash.
        """
        recorded = self._codec.decode(
            StoredEvent(
                str(stored_event.originator_id),
                stored_event.originator_version,
                stored_event.topic,
                stored_event.state,
            ),
            self._keys,
        )
        logged = LoggedEvent(
            originator_id=recorded.stream,
            originator_version=recorded.version,
            envelope=recorded.envelope,
            event=cast(Event, recorded.event),
        )
        return cast("DomainEventProtocol[str]", logged)


class ChainRecorder(PostgresProcessRecorder):
    """The library's recorder, refusing a version that does not follow its predecessor.

    The table alone would accept a hole. A stream may begin with version 0 or 1. A lost connection is reported, never
    answered by writing again: what was committed just before it was lost would look like a conflict.
    """

    def __init__(
        self,
        datastore: PostgresDatastore,
        *,
        events_table_name: str = EVENTS_TABLE,
        tracking_table_name: str = POSITIONS_TABLE,
    ) -> None:
        """Take the datastore and the names of its tables."""
        if datastore.enable_db_functions:
            raise ValueError("database functions lose positions and the order of the log")
        super().__init__(
            datastore,
            events_table_name=events_table_name,
            tracking_table_name=tracking_table_name,
        )
        self.channel_name = f"{datastore.schema}_{events_table_name}"

    def insert_events(
        self, stored_events: Sequence[LibraryEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        """Insert events (and a position) in one transaction, once.

        Raises:
            IntegrityError: a version does not follow its predecessor, or the position is not above the stored one.
            OperationalError: the connection was lost; what became of it must be looked up.
        """
        once = PostgresApplicationRecorder.insert_events.__wrapped__
        return cast("Sequence[int] | None", once(self, stored_events, **kwargs))

    def _insert_events(
        self,
        curs: Cursor[DictRow],
        stored_events: Sequence[LibraryEvent],
        **kwargs: Any,
    ) -> None:
        # Here an exception takes the whole transaction back; raised where the events are inserted it would be kept
        # until after the commit, and the position would stay.
        if stored_events:
            self._lock_table(curs)
            self._refuse_holes(curs, stored_events)
        super()._insert_events(curs, stored_events, **kwargs)

    def _refuse_holes(self, curs: Cursor[DictRow], events: Sequence[LibraryEvent]) -> None:
        query = _HEADS.format(table=f'"{self.datastore.schema}"."{self.events_table_name}"')
        streams = list({str(event.originator_id) for event in events})
        curs.execute(query.encode(), (streams,), prepare=True)
        heads = {row["originator_id"]: row["version"] for row in curs.fetchall()}
        for event in events:
            stream, version = str(event.originator_id), event.originator_version
            head = heads.get(stream)
            if version not in ((0, 1) if head is None else (head + 1,)):
                raise IntegrityError(
                    f"{stream}: version {version} does not follow "
                    f"{'an empty stream' if head is None else f'version {head}'}"
                )
            heads[stream] = version


class ChainFactory(PostgresFactory):
    """Builds recorders on the migrated tables; never creates one."""

    process_recorder_class = ChainRecorder

    def process_recorder(self) -> ProcessRecorder:
        """Return the recorder of the events table with the positions table beside it."""
        return ChainRecorder(self.datastore)


class EventLog(Application[str]):
    """One context's store as the library's application: save, read streams, follow the notification log."""

    def __init__(
        self,
        dsn: str,
        types: EventTypes,
        key_of: Callable[[str], tuple[bytes, bytes] | None] = lambda subject: None,
        keys: Keys | None = None,
    ) -> None:
        """Connect to a context's schema.

        Args:
            dsn: connection string of the context's role, or of the read-only one.
            types: the context's event types; its name is the schema's.
            key_of: subject -> key id and key, for writing confidential fields.
            keys: key id -> key, for reading them.
        """
        self._types = types
        self._key_of = key_of
        self._keys = keys
        super().__init__(environment(dsn, types.context))

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        """Return the factory of chain recorders."""
        return ChainFactory(env)

    def construct_mapper(self) -> EnvelopeMapper:
        """Return the mapper of the stored form."""
        return EnvelopeMapper(Codec(self._types), self._key_of, self._keys)

    def construct_recorder(self) -> ProcessRecorder:
        """Return the recorder that stores positions together with events."""
        return self.factory.process_recorder()


def environment(dsn: str, schema: str) -> dict[str, str]:
    """Return the library's settings for a context's schema.

    Args:
        dsn: connection string.
        schema: the context's schema.
    """
    parts = conninfo_to_dict(dsn)
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": str(parts["dbname"]),
        "POSTGRES_HOST": str(parts["host"]),
        "POSTGRES_PORT": str(parts.get("port") or 5432),
        "POSTGRES_USER": str(parts["user"]),
        "POSTGRES_PASSWORD": str(parts["password"]),
        "POSTGRES_SCHEMA": schema,
        "POSTGRES_POOL_SIZE": "1",
        "POSTGRES_MAX_OVERFLOW": "16",
        "POSTGRES_LOCK_TIMEOUT": "10",
        "ORIGINATOR_ID_TYPE": "text",
        "CREATE_TABLE": "n",
    }
