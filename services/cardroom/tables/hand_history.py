"""What a hand's state keeps of its past, for rewinds and corrections: the events after the first, as bytes.

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

PACKED_EACH: Final = 44
"""Versions between two packings: few enough to bound what lies uncompressed, more than most hands have events."""

encoded: Final = msgspec.msgpack.Encoder().encode
"""An event's bytes, as a cell keeps them."""

_EVENTS: Final = msgspec.msgpack.Decoder(reduce(or_, HAND_EVENTS))
_CELLS: Final = msgspec.msgpack.Decoder(list[tuple[int, bytes]])


def packed(history: Any) -> Any:
    """Return a history whose cells are all compressed.

    Args:
        history: the chain, its newest cells not compressed yet.
    """
    cells = []
    while history is not None and len(history) == 3:
        history, version, event = history
        cells.append((version, event))
    # A window of 4 KiB: with more, zlib takes its working memory from the system anew each time, which costs most.
    small = zlib.compressobj(1, zlib.DEFLATED, 12, 5)
    return (history, small.compress(encoded(cells)) + small.flush()) if cells else history


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
