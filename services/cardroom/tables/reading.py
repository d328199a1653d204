"""Small readings that the tables' servicers share: optional fields, sources, ways in."""

from collections.abc import Iterable
from typing import Any

from cardroom.api.tables.v1 import tables_events_pb2 as events_pb
from cardroom.api.tables.v1 import tables_types_pb2 as pb
from cardroom.tables.hand_events import Source
from cardroom.tables.seats import Arrival, WayIn


def maybe(request: Any, field: str) -> Any:
    """Return an optional field's value, None where it is absent."""
    return getattr(request, field) if request.HasField(field) else None


def source_of(value: int) -> Source:
    """Return who told a fact; the dealer where nobody is named."""
    name = pb.Source.Name(value) if value in pb.Source.values() else "SOURCE_UNSPECIFIED"
    short = name.removeprefix("SOURCE_")
    return Source.DEALER if short == "UNSPECIFIED" else Source[short]


def arrival_of(value: int) -> Arrival:
    """Return how a player came to his seat; new where nobody says."""
    name = pb.Arrival.Name(value) if value in pb.Arrival.values() else "ARRIVAL_UNSPECIFIED"
    short = name.removeprefix("ARRIVAL_")
    return Arrival.NEW if short == "UNSPECIFIED" else Arrival[short]


def way_of(value: int) -> WayIn:
    """Return how a player wants to come in."""
    return WayIn[pb.WayIn.Name(value).removeprefix("WAY_IN_")]


def capture_of(value: int) -> str:
    """Return a capture level's name."""
    return pb.Capture.Name(value).removeprefix("CAPTURE_").lower()


def pairs(amounts: Iterable[events_pb.SeatCents]) -> tuple[tuple[int, int], ...]:
    """Return seats and amounts."""
    return tuple((one.seat, one.cents) for one in amounts)


def cards(given: Iterable[pb.SeatCard]) -> tuple[tuple[int, str], ...]:
    """Return seats and cards."""
    return tuple((one.seat, one.card) for one in given)
