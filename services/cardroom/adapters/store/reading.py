"""Reading streams in bulk, verified: what judging many hands again starts from."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from typing import Any, Final

import msgspec
from cardroom_evaluator.chain import chained_events

from cardroom.adapters.errors import EventUnreadable, IntegrityBroken
from cardroom.adapters.store.codec import Codec, Keys
from cardroom.adapters.store.port import Store, Whole
from cardroom.kernel.envelope import HASH_BYTES, NO_HASH, Envelope, own_hash
from cardroom.kernel.streams import Aggregate, kind_of

_ENVELOPES: Final = msgspec.msgpack.Decoder(Envelope).decode


async def fold_verified(
    store: Store,
    codec: Codec,
    streams: Sequence[str],
    aggregates: Mapping[str, Aggregate],
    keys: Keys | None = None,
) -> dict[str, Any]:
    """Read whole streams, verify own hashes and chains, and fold each to its end.

    Of each envelope only the link and the event are read, and some streams are folded while the next are fetched.

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
        EventUnreadable: an event's topic or shape is none that this release knows.
    """
    states = {stream: aggregates[kind_of(stream)].initial for stream in streams}
    async with aclosing(store.whole(streams)) as chunks:
        async for some in chunks:
            with _collecting_later():
                for whole in some:
                    aggregate = aggregates[kind_of(whole.stream)]
                    states[whole.stream] = _folded(whole, aggregate, codec, keys or {})
    return states


@contextmanager
def _collecting_later() -> Iterator[None]:
    """Put the garbage collector off: a fold makes no cycles, and each collection would look through all new states."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _folded(whole: Whole, aggregate: Aggregate, codec: Codec, keys: Keys) -> Any:
    stream, versions, joined, sizes, stored = whole
    previous = None if aggregate.day_bound else NO_HASH
    topics = joined.split(" ")
    events = chained_events(stream, previous, versions, topics, sizes, stored)
    if events is None:
        raise _broken(whole, previous)
    state, evolve, plain = aggregate.initial, aggregate.evolve, codec.plain_decoders
    for version, topic, data in zip(versions, topics, events, strict=True):
        decode = plain.get(topic)
        if decode is None:
            event = codec.decode_event(stream, version, topic, data, keys)
        else:
            try:
                event = decode(data)
            except msgspec.MsgspecError as fault:
                raise EventUnreadable(stream, version, topic, str(fault)) from fault
        state = evolve(state, event)
    return state


def _broken(whole: Whole, previous: bytes | None) -> IntegrityBroken:
    """Say what is wrong with a stream whose chain does not hold."""
    stream = whole.stream
    for version, event in enumerate(whole.events(), 1):
        hashed, body = event.state[:HASH_BYTES], event.state[HASH_BYTES:]
        if event.version != version:
            return IntegrityBroken(f"{stream}: version {version} is missing")
        if own_hash(stream, version, event.topic, body) != hashed:
            return IntegrityBroken(
                f"{stream} version {version}: the stored bytes do not carry their hash"
            )
        try:
            link = _ENVELOPES(body).previous_hash
        except msgspec.MsgspecError as error:
            return IntegrityBroken(f"{stream} version {version} holds no envelope: {error}")
        if previous is not None and link != previous:
            return IntegrityBroken(f"{stream} version {version} does not name the event before it")
        previous = hashed
    return IntegrityBroken(f"{stream}: its chain does not hold")
