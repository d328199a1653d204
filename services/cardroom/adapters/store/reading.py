"""Reading streams in bulk, verified: what replay, audit and read models start from."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import msgspec

from cardroom.adapters.errors import IntegrityBroken
from cardroom.adapters.store.codec import Codec, Keys, verify_chain
from cardroom.adapters.store.port import Row, Store
from cardroom.kernel.envelope import HASH_BYTES, NO_HASH, Link, Recorded, hashes_of
from cardroom.kernel.streams import Aggregate, kind_of

_LINKS: Final = msgspec.msgpack.Decoder(Link).decode
_STREAM: Final = itemgetter(0)


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


async def fold_verified(
    store: Store,
    codec: Codec,
    streams: Sequence[str],
    aggregates: Mapping[str, Aggregate],
    keys: Keys | None = None,
) -> dict[str, Any]:
    """Read whole streams by one query, verify own hashes and chains, and fold each to its end.

    As `read_verified`, for those who want the states alone: of each envelope only the link and the event are decoded.

    Args:
        store: where they lie.
        codec: of the context's event types.
        streams: full stream ids; for a day-bound kind with the day.
        aggregates: by kind.
        keys: key id -> key for confidential fields; they read as None without.

    Returns:
        Each stream's state; its aggregate's initial state for one that has no event.

    Raises:
        IntegrityBroken: stored bytes do not carry their hash, or a chain has a hole or a false link.
    """
    states = {stream: aggregates[kind_of(stream)].initial for stream in streams}
    for stream, stored in groupby(await store.rows(streams), _STREAM):
        states[stream] = _folded(stream, stored, aggregates[kind_of(stream)], codec, keys or {})
    return states


def _folded(
    stream: str, stored: Iterable[Row], aggregate: Aggregate, codec: Codec, keys: Keys
) -> Any:
    state, evolve, plain = aggregate.initial, aggregate.evolve, codec.plain_decoders
    own = hashes_of(stream)
    previous: bytes | None = None if aggregate.day_bound else NO_HASH
    for version, (_, at, topic, content, _) in enumerate(stored, 1):
        hashed, body = content[:HASH_BYTES], content[HASH_BYTES:]
        if at != version:
            raise IntegrityBroken(f"{stream}: version {version} is missing")
        if own(version, topic, body) != hashed:
            raise IntegrityBroken(
                f"{stream} version {version}: the stored bytes do not carry their hash"
            )
        link = _LINKS(body)
        if previous is not None and link.previous_hash != previous:
            raise IntegrityBroken(f"{stream} version {version} does not name the event before it")
        previous = hashed
        decode = plain.get(topic)
        event = (
            decode(link.event)
            if decode is not None
            else codec.decode_event(stream, topic, link.event, keys)
        )
        state = evolve(state, event)
    return state
