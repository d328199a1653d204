"""Reading another context's streams: stored bytes verified, chain checked, events decoded and folded."""

import importlib
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from cardroom.adapters.context import ContextSpec
from cardroom.adapters.errors import EventUnreadable
from cardroom.adapters.installation import CONTEXTS, Database
from cardroom.adapters.store.codec import Codec, verify_chain
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.adapters.store.reading import fold_verified
from cardroom.adapters.store.vault import Vault
from cardroom.kernel.decisions import Decider
from cardroom.kernel.envelope import NO_HASH, Recorded
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import kind_of


class Stood(NamedTuple):
    """A stream folded up to one of its events."""

    state: Any
    records: tuple[Recorded, ...]


@lru_cache(maxsize=32)
def decider_of(context: str) -> Decider:
    """Return a context's functional core.

    Raises:
        Unknown: CR-2, there is no such context, or it owns no events.
    """
    if context not in CONTEXTS:
        raise Unknown("context", context, field="context")
    spec: ContextSpec = importlib.import_module(f"cardroom.{context}.main").CONTEXT
    if spec.decider is None:
        raise Unknown("event log of context", context, field="context")
    return spec.decider


class Reader:
    """Reads any context's streams under the audit role."""

    def __init__(self, database: Database, master_key: bytes) -> None:
        """Take the installation's database and the key under which subjects' keys are wrapped.

        Args:
            database: connection strings; only the audit role's is used.
            master_key: opens cards for those who may see them.
        """
        self._database = database
        self._master_key = master_key
        self._stores: dict[str, PostgresStore] = {}

    async def close(self) -> None:
        """Let go of every connection."""
        for store in self._stores.values():
            await store.close()
        self._stores.clear()

    async def store(self, context: str) -> PostgresStore:
        """Return the read-only store of a context, opened at first use."""
        if context not in self._stores:
            store = PostgresStore(self._database.audit, context, readers=2, writes=False)
            await store.open()
            self._stores[context] = store
        return self._stores[context]

    async def records(
        self, context: str, stem: str, gaming_day: str = "", *, confidential: bool = False
    ) -> tuple[Recorded, ...]:
        """Return every event of a stream, with its chain verified.

        Args:
            context: whose store.
            stem: the stream without its gaming day.
            gaming_day: which day of a stream that closes with it; the newest where empty.
            confidential: whether confidential fields are opened.

        Raises:
            Unknown: CR-2, no such context, kind of stream or stream.
            IntegrityBroken: the stored bytes do not hold together.
            EventUnreadable: an event's topic or shape is none that this release knows.
        """
        decider = decider_of(context)
        aggregate = decider.aggregates.get(kind_of(stem))
        if aggregate is None:
            raise Unknown("kind of stream", kind_of(stem), field="stem")
        store = await self.store(context)
        stream = stem
        if aggregate.day_bound:
            days = {} if gaming_day else await store.current_days([stem])
            stream = f"{stem}/{gaming_day}" if gaming_day else days.get(stem, stem)
        elif gaming_day:
            message = (
                f"gaming_day is {gaming_day!r}: a {aggregate.kind} does not close with the day"
            )
            raise Refused("DAY_NOT_BOUND", "CR-4", message, field="gaming_day")
        stored = (await store.load({stream: 0})).get(stream, [])
        if not stored:
            raise Unknown("stream", stream, field="stem")
        codec = Codec(decider.events)
        keys: dict[bytes, bytes | None] = {}
        if confidential:
            vault = Vault(store, self._master_key)
            await vault.open(codec.key_ids(stored))
            keys = vault.opened
        found = [codec.decode(event, keys) for event in stored]
        verify_chain(stream, found, 0, None if aggregate.day_bound else NO_HASH)
        return tuple(found)

    async def states(
        self, context: str, streams: Sequence[str], subjects: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Return how many streams of one context stand, read in bulk and verified.

        Args:
            context: whose store.
            streams: full stream ids.
            subjects: whose confidential fields are opened.

        Raises:
            IntegrityBroken: stored bytes do not hold together.
            EventUnreadable: an event's topic or shape is none that this release knows.
        """
        decider, store = decider_of(context), await self.store(context)
        vault = Vault(store, self._master_key)
        await vault.open_of(subjects)
        codec = Codec(decider.events)
        return await fold_verified(store, codec, streams, decider.aggregates, vault.opened)

    async def stood(
        self,
        context: str,
        stem: str,
        gaming_day: str = "",
        *,
        at: datetime | None = None,
        version: int = 0,
        confidential: bool = False,
    ) -> Stood:
        """Return how a stream stood at an instant, or after so many of its events.

        Args:
            context: whose store.
            stem: the stream without its gaming day.
            gaming_day: which day of a stream that closes with it; the newest where empty.
            at: events recorded up to here; None for all.
            version: events up to here; 0 for all.
            confidential: whether confidential fields are opened.

        Raises:
            Unknown: CR-2, no such stream.
            Refused: CR-4, it has fewer events, or none had been recorded by then.
            EventUnreadable: an event cannot be read, or does not fit what stands before it.
        """
        records = await self.records(context, stem, gaming_day, confidential=confidential)
        if version > len(records):
            message = f"at_version is {version}: the stream has {len(records)} events"
            raise Refused("VERSION_OUT_OF_RANGE", "CR-4", message, field="at_version")
        chosen: Sequence[Recorded] = records[:version] if version else records
        if at is not None:
            chosen = [record for record in chosen if record.envelope.recorded_at <= at]
            if not chosen:
                raise Refused(
                    "NOTHING_YET",
                    "CR-4",
                    f"nothing was recorded in it by {at.isoformat()}",
                    field="at",
                )
        aggregate = decider_of(context).aggregates[kind_of(stem)]
        state = aggregate.initial
        for record in chosen:
            try:
                state = aggregate.evolve(state, record.event)
            except Exception as fault:  # whatever a core trips over is a fault of the event
                what = f"it does not fit what stands before it: {fault!r}"
                raise EventUnreadable(record.stream, record.version, record.topic, what) from fault
        return Stood(state, tuple(chosen))
