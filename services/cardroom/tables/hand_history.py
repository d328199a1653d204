"""What a hand's state keeps of its past, for rewinds and corrections: its events as bytes.

A chain of cells, newest first: `(what came before, version, event)`, each event as its msgpack bytes, since as objects
they take several times the room of what they say. Those of a long hand would still add up, so every `PACKED_EACH`
versions all that came before becomes one compressed cell, `(what came before, bytes)`. Packing depends on the versions
alone, so that the same events always fold to the same state.
"""

import zlib
from functools import reduce
from operator import or_
from typing import Any, Final

import msgspec

from cardroom.kernel.events import Event
from cardroom.tables.hand_events import HAND_EVENTS

PACKED_EACH: Final = 40
"""Versions between two packings: few enough to bound what lies uncompressed, more than most hands have events."""

_encode: Final = msgspec.msgpack.Encoder().encode
_EVENTS: Final = msgspec.msgpack.Decoder(reduce(or_, HAND_EVENTS))
_CELLS: Final = msgspec.msgpack.Decoder(list[tuple[int, bytes]])


def remembered(history: Any, version: int, event: Event) -> Any:
    """Return a history with one more event.

    Args:
        history: the chain so far.
        version: the event's version in the stream.
        event: the event.
    """
    return (history if version % PACKED_EACH else _packed(history), version, _encode(event))


def _packed(history: Any) -> Any:
    cells = []
    while history is not None and len(history) == 3:
        history, version, event = history
        cells.append((version, event))
    return (history, zlib.compress(_encode(cells), 1)) if cells else history


def entries_of(history: Any) -> tuple[tuple[int, Event], ...]:
    """Return the events of a history, oldest first, each with its version in the stream."""
    found: list[tuple[int, bytes]] = []
    while history is not None:
        if len(history) == 3:
            history, version, event = history
            found.append((version, event))
        else:
            history, older = history
            found += _CELLS.decode(zlib.decompress(older))
    return tuple([(version, _EVENTS.decode(event)) for version, event in reversed(found)])
