"""Loading stems from the store into the cache: current day, verified chain, fold."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from cardroom.adapters.shell.cache import Heads, Snapshot
from cardroom.adapters.shell.deciding import earliest
from cardroom.adapters.store.codec import Codec, verify_chain
from cardroom.adapters.store.judge import absent
from cardroom.adapters.store.port import Head, Store, StoredEvent
from cardroom.adapters.store.vault import Vault
from cardroom.kernel.decisions import Decider
from cardroom.kernel.envelope import NO_HASH, Recorded
from cardroom.kernel.refusal import Unknown
from cardroom.kernel.streams import kind_of

_ATTEMPTS: Final = 5
"""How often what other processes overtook is read again; beyond that the version check finds out."""


class Loading:
    """Reads one context's streams and folds them."""

    def __init__(
        self, decider: Decider, store: Store, codec: Codec, vault: Vault | None, heads: Heads
    ) -> None:
        """Take the core, the store, and the cache to fill."""
        self._aggregates = decider.aggregates
        self._store = store
        self._codec = codec
        self._vault = vault
        self._heads = heads

    async def load(self, stems: Iterable[str]) -> None:
        """Put stems into the cache; those that have no event yet get their initial state.

        Raises:
            IntegrityBroken: a stream's stored bytes do not hold together.
            Unknown: CR-2, a stem's kind is none of this context's.
        """
        stems = list(stems)
        for stem in stems:
            if kind_of(stem) not in self._aggregates:
                raise Unknown("kind of stream", stem)
        attempts = 0
        while True:
            foreign, forgotten = self._heads.foreign, self._heads.forgotten
            snapshots = await self._read(stems)
            attempts += 1
            behind = foreign != self._heads.foreign and attempts < _ATTEMPTS
            if not behind and forgotten == self._heads.forgotten:
                break
        for stem, snapshot in snapshots.items():
            self._heads.put(stem, snapshot)

    async def _read(self, stems: Sequence[str]) -> dict[str, Snapshot]:
        bound = [stem for stem in stems if self._aggregates[kind_of(stem)].day_bound]
        days = await self._store.current_days(bound) if bound else {}
        while True:
            streams = {stem: days.get(stem, stem) for stem in stems}
            loaded = await self._store.load(
                {stream: 0 for stem, stream in streams.items() if stem not in bound or stem in days}
            )
            later = await self._store.current_days(bound) if bound else {}
            if later == days:
                break
            # A day was closed in between: what was read is its end, and nothing may be written behind that.
            days = later
        return {
            stem: self._fold(stem, stream, await self.decode(loaded.get(stream, ())))
            for stem, stream in streams.items()
        }

    async def decode(self, events: Sequence[StoredEvent]) -> list[Recorded]:
        """Return events decoded and their own hashes verified, confidential fields opened where the key exists."""
        if self._vault is None:
            return [self._codec.decode(stored) for stored in events]
        if self._codec.confidential_topics:
            await self._vault.open(self._codec.key_ids(events))
        return [self._codec.decode(stored, self._vault.opened) for stored in events]

    def _fold(self, stem: str, stream: str, events: Sequence[Recorded]) -> Snapshot:
        aggregate = self._aggregates[kind_of(stem)]
        verify_chain(stream, events, 0, None if aggregate.day_bound else NO_HASH)
        state: Any = aggregate.initial
        for recorded in events:
            state = aggregate.evolve(state, recorded.event)
        head = Head(stream, events[-1].version, events[-1].own_hash) if events else absent(stream)
        return Snapshot(head, state, earliest(aggregate, state))
