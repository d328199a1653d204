"""Reading streams in bulk, verified: what replay, audit and read models start from."""

from collections.abc import Mapping, Sequence

from cardroom.adapters.store.codec import Codec, Keys, verify_chain
from cardroom.adapters.store.port import Store
from cardroom.kernel.envelope import NO_HASH, Recorded
from cardroom.kernel.streams import Aggregate, kind_of


async def read_verified(
    store: Store,
    codec: Codec,
    streams: Sequence[str],
    aggregates: Mapping[str, Aggregate],
    keys: Keys | None = None,
) -> dict[str, list[Recorded]]:
    """Read whole streams by one query, verify own hashes and chains, and decode them.

    Args:
        store: where they lie.
        codec: of the context's event types.
        streams: full stream ids; for a day-bound kind with the day.
        aggregates: by kind, to know which streams go on from a day before.
        keys: key id -> key for confidential fields; they read as None without.

    Returns:
        Each stream's events in order; empty for one that has none.

    Raises:
        IntegrityBroken: stored bytes do not carry their hash, or a chain has a hole or a false link.
    """
    loaded = await store.load(dict.fromkeys(streams, 0))
    found: dict[str, list[Recorded]] = {}
    for stream, stored in loaded.items():
        recorded = [codec.decode(event, keys) for event in stored]
        goes_on = aggregates[kind_of(stream)].day_bound
        verify_chain(stream, recorded, 0, None if goes_on else NO_HASH)
        found[stream] = recorded
    return found
