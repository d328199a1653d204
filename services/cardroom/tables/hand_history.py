"""What a hand's state keeps of its past, for rewinds and corrections: recent events as they are, older ones packed.

A chain of cells, newest first: `(what came before, version, event)`. Every `PACKED_EACH` versions the events before are
put into one text of bytes, `(what came before, bytes)`, since a long hand's events take several times the room of what
they say. Packing depends on the versions alone, so that the same events always fold to the same state.
"""

from functools import reduce
from operator import or_
from typing import Any, Final

import msgspec

from cardroom.kernel.events import Event
from cardroom.tables.hand_events import HAND_EVENTS

PACKED_EACH: Final = 24
"""Versions between two packings: few enough to bound what lies unpacked, enough that short hands pay nothing."""

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(
    tuple[list[int], list[reduce(or_, HAND_EVENTS)]]  # type: ignore[misc]
)


def packed(history: Any) -> Any:
    """Return a history whose events all lie packed.

    Args:
        history: the chain, its newest cells unpacked.
    """
    versions, events = [], []
    cell = history
    while cell is not None and len(cell) == 3:
        cell, version, event = cell
        versions.append(version)
        events.append(event)
    return (cell, _ENCODER.encode((versions, events)))


def entries_of(history: Any) -> tuple[tuple[int, Event], ...]:
    """Return the events of a history, oldest first, each with its version in the stream."""
    found: list[tuple[int, Event]] = []
    cell = history
    while cell is not None:
        if len(cell) == 3:
            cell, version, event = cell
            found.append((version, event))
        else:
            cell, older = cell
            versions, events = _DECODER.decode(older)
            found.extend(zip(versions, events, strict=True))
    return tuple(reversed(found))
