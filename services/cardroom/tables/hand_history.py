"""What a hand's state keeps of its past, for rewinds and corrections: the events after the first.

A chain of cells, newest first: `(what came before, version, event)`. Events take several times the room of what they
say, the more the more players there are, so that every so many versions those before are packed into one cell of
bytes, `(what came before, bytes)`; those of a long hand are compressed. When that happens depends on the versions and
the number of players alone, so that the same events always fold to the same state.
"""

import zlib
from functools import reduce
from operator import or_
from typing import Any, Final

import msgspec

from cardroom.kernel.events import Event
from cardroom.tables.hand_events import HAND_EVENTS

LOOKED_AT_EACH: Final = 4
"""Versions between two calls of `packed`; at a large table so many lie unpacked at most."""
PACKED_EACH: Final = 16
"""As much at a small table, where they take less room."""
SMALL_TABLE: Final = 6
"""Players at most of a small table."""
COMPRESSED_EACH: Final = 48
"""Versions between two compressions: few enough to bound what lies packed, more than most hands have events."""

_encode: Final = msgspec.msgpack.Encoder().encode
_ENTRIES: Final = msgspec.msgpack.Decoder(
    list[tuple[int, reduce(or_, HAND_EVENTS)]]  # type: ignore[misc]
)
_PACKS: Final = msgspec.msgpack.Decoder(list[bytes])
_COMPRESSED: Final = b"\x00"
"""What compressed bytes begin with: msgpack of a list never does."""


def packed(history: Any, version: int, players: int) -> Any:
    """Return a history whose older cells are packed, where it is time for that.

    Args:
        history: the chain before an event is added.
        version: the version of that event, divisible by `LOOKED_AT_EACH`.
        players: how many were dealt in.
    """
    if players <= SMALL_TABLE and version % PACKED_EACH:
        return history
    entries = []
    while history is not None and len(history) == 3:
        history, at, event = history
        entries.append((at, event))
    history = (history, _encode(entries))
    return history if version % COMPRESSED_EACH else _compressed(history)


def _compressed(history: Any) -> Any:
    packs = []
    while history is not None and not history[1].startswith(_COMPRESSED):
        history, pack = history
        packs.append(pack)
    # A window of 4 KiB: with more, zlib takes its working memory from the system anew each time, which costs most.
    small = zlib.compressobj(1, zlib.DEFLATED, 12, 5)
    return (history, _COMPRESSED + small.compress(_encode(packs)) + small.flush())


def entries_of(history: Any) -> tuple[tuple[int, Event], ...]:
    """Return the events of a history, oldest first, each with its version in the stream."""
    found: list[tuple[int, Event]] = []
    while history is not None:
        if len(history) == 3:
            history, version, event = history
            found.append((version, event))
            continue
        history, data = history
        packs = _PACKS.decode(zlib.decompress(data[1:])) if data.startswith(_COMPRESSED) else [data]
        for pack in packs:
            found += _ENTRIES.decode(pack)
    return tuple(reversed(found))
