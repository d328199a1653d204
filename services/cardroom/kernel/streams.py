"""Stream ids and the loaded states that a decision reads.

A stream id is `kind/room/name...`: the kind says which aggregate folds it, the room comes second so that every id
carries it (`table/lucky/t5`, `hand/lucky/t5/000123`, `player/group1/p77`). Kinds that close with the gaming day are
written under `stem/YYYY-MM-DD`; the core only ever names the stem, the shell finds the current day's stream.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NewType

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused

StreamId = NewType("StreamId", str)

_PART: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}\Z")


def stream_id(kind: str, *parts: str) -> StreamId:
    """Join a kind and its parts to a stream id.

    Args:
        kind: the aggregate's kind, for example `table`.
        parts: room first, then the names below it.

    Raises:
        Refused: CR-4, a part is empty or has characters an id may not have.
    """
    for part in parts:
        if not _PART.match(part):
            raise Refused(
                "ID_MALFORMED",
                "CR-4",
                f"{part!r} cannot be part of a {kind} id: letters, digits and _.:- only, at most 64, no space",
            )
    return StreamId("/".join((kind, *parts)))


def kind_of(stream: str) -> str:
    """Return the kind, the first part of a stream id."""
    return stream.partition("/")[0]


class Aggregate(msgspec.Struct, frozen=True):
    """How one kind of stream is folded.

    Args:
        kind: first part of its stream ids.
        initial: the state before any event; frozen.
        evolve: `(state, event) -> state`, pure, applies no house rule.
        day_bound: whether the stream closes with the gaming day and is carried forward.
        due: `(state) -> ((instant in UTC, command), ...)`, the deadlines the state holds.
    """

    kind: str
    initial: Any
    evolve: Callable[[Any, Any], Any]
    day_bound: bool = False
    due: Callable[[Any], tuple[tuple[Any, Any], ...]] | None = None


class Streams:
    """The states a decision reads, by stem; asking for one that was not named in `reads` is a programming error."""

    __slots__ = ("_aggregates", "_loaded", "_versions")

    def __init__(
        self,
        aggregates: Mapping[str, Aggregate],
        loaded: Mapping[StreamId, Any],
        versions: Mapping[StreamId, int] | None = None,
    ) -> None:
        self._aggregates = aggregates
        self._loaded = dict(loaded)
        self._versions = dict(versions or {})

    def __contains__(self, stream: StreamId) -> bool:
        return stream in self._loaded

    def __getitem__(self, stream: StreamId) -> Any:
        """Return the state of a loaded stream (its aggregate's initial state where it has no event yet)."""
        return self._loaded[stream]

    def get(self, stream: StreamId) -> Any | None:
        """Return the state if it is loaded, else None: for `reads`, which is asked again after each load."""
        return self._loaded.get(stream)

    def version(self, stream: StreamId) -> int:
        """Return how many events the stream has (its current day's stream for a day-bound kind)."""
        return self._versions.get(stream, 0)

    def evolved(self, decision: "tuple[tuple[StreamId, Event], ...]") -> "Streams":
        """Return the states after a decision, for property tests and for decisions in several steps."""
        loaded, versions = dict(self._loaded), dict(self._versions)
        for stream, event in decision:
            aggregate = self._aggregates[kind_of(stream)]
            loaded[stream] = aggregate.evolve(loaded.get(stream, aggregate.initial), event)
            versions[stream] = versions.get(stream, 0) + 1
        return Streams(self._aggregates, loaded, versions)
