"""What happens to a player's record. These are storage formats: a changed shape takes a new topic and an upcaster."""

from datetime import datetime
from typing import ClassVar

from cardroom import known
from cardroom.kernel.events import Event, EventTypes
from cardroom.players.values import Bar, Incident


class PlayerRegistered(Event, frozen=True, tag="players.PlayerRegistered.v1"):
    """A person came on the books; what names the person is kept under the person's own key."""

    confidential: ClassVar[tuple[str, ...]] = ("full_name", "board_name", "phone")
    subject: ClassVar[str] = "player_id"

    player_id: str
    at: datetime
    full_name: str | None
    board_name: str | None
    phone: str | None


class DetailsChanged(Event, frozen=True, tag="players.DetailsChanged.v1"):
    """Names or phone were put right."""

    confidential: ClassVar[tuple[str, ...]] = ("full_name", "board_name", "phone")
    subject: ClassVar[str] = "player_id"

    player_id: str
    full_name: str | None
    board_name: str | None
    phone: str | None


class ConductReported(Event, frozen=True, tag="players.ConductReported.v1"):
    """An incident went on the record, with what it is under the book and what may be done about it."""

    player_id: str
    incident: Incident
    tonight_count: int
    earlier: tuple[str, ...] = ()
    """Ids of earlier incidents of this person that are shown with it."""
    rooms: tuple[str, ...] = ()


class SanctionApplied(Event, frozen=True, tag="players.SanctionApplied.v1"):
    """The house chose what follows from an incident."""

    player_id: str
    incident_id: str
    sanction: str
    at: datetime
    gaming_day: str
    rules: tuple[str, ...]
    until: datetime | None
    by: str
    reason: str
    tonight_count: int
    """How many sanctions of this kind the person has this gaming day, this one counted."""
    rooms: tuple[str, ...] = ()


class ConductWithdrawn(Event, frozen=True, tag="players.ConductWithdrawn.v1"):
    """What was reported had been a wrong entry: it stays readable and counts no more."""

    incident_id: str
    at: datetime
    by: str


class IncidentClosed(Event, frozen=True, tag="players.IncidentClosed.v1"):
    """An incident needs nothing more."""

    incident_id: str
    at: datetime
    by: str
    reason: str


class PlayerCleared(Event, frozen=True, tag="players.PlayerCleared.v1"):
    """What kept the person from being dealt in or seated was put right."""

    player_id: str
    incident_id: str
    at: datetime
    by: str
    note: str
    still_held: bool = False
    """Whether something else still keeps the person from being dealt in."""
    rooms: tuple[str, ...] = ()


class PlayerBarred(Event, frozen=True, tag="players.PlayerBarred.v1"):
    """The house refuses its services to the person."""

    player_id: str
    bar: Bar
    rooms: tuple[str, ...] = ()


class BarLifted(Event, frozen=True, tag="players.BarLifted.v1"):
    """A bar or suspension ended before its time."""

    player_id: str
    bar_id: str
    at: datetime
    by: str
    reason: str
    still_held: bool = False
    """Whether something else still keeps the person from being dealt in."""
    rooms: tuple[str, ...] = ()


class ServiceRefused(Event, frozen=True, tag="players.ServiceRefused.v1"):
    """One service, such as alcohol, is refused to the person."""

    service: str
    at: datetime
    rules: tuple[str, ...]


class ServiceRestored(Event, frozen=True, tag="players.ServiceRestored.v1"):
    """A refused service is offered again."""

    service: str
    at: datetime


class KeptApart(Event, frozen=True, tag="players.KeptApart.v1"):
    """The person may not share a table with another."""

    other_id: str
    rules: tuple[str, ...]
    reason: str


class ApartEnded(Event, frozen=True, tag="players.ApartEnded.v1"):
    """The two may share a table again."""

    other_id: str
    reason: str


class RecordMerged(Event, frozen=True, tag="players.RecordMerged.v1"):
    """The record turned out to be of a person who has another; it stays readable."""

    player_id: str
    into_id: str
    at: datetime
    by: str
    reason: str
    rooms: tuple[str, ...] = ()


class RecordAbsorbed(Event, frozen=True, tag="players.RecordAbsorbed.v1"):
    """Another record of the same person was merged into this one, with what stood on it."""

    from_id: str
    at: datetime
    incidents: tuple[Incident, ...]
    bars: tuple[Bar, ...]
    apart: tuple[tuple[str, tuple[str, ...]], ...]
    services_refused: tuple[tuple[str, datetime], ...]
    legal_hold: str


class LegalHoldPlaced(Event, frozen=True, tag="players.LegalHoldPlaced.v1"):
    """The record must be kept whole."""

    reason: str


class LegalHoldLifted(Event, frozen=True, tag="players.LegalHoldLifted.v1"):
    """The record may be erased again."""

    reason: str


class PlayerErased(Event, frozen=True, tag="players.PlayerErased.v1"):
    """The person's key is to be destroyed; bars and incidents stay under the bare id."""

    player_id: str
    at: datetime
    by: str
    reason: str


class RoomJoined(Event, frozen=True, tag="players.RoomJoined.v1"):
    """A room shares the players of the group."""

    room: str


EVENTS = EventTypes(
    "players",
    (
        PlayerRegistered,
        DetailsChanged,
        ConductReported,
        SanctionApplied,
        ConductWithdrawn,
        IncidentClosed,
        PlayerCleared,
        PlayerBarred,
        BarLifted,
        ServiceRefused,
        ServiceRestored,
        KeptApart,
        ApartEnded,
        RecordMerged,
        RecordAbsorbed,
        LegalHoldPlaced,
        LegalHoldLifted,
        PlayerErased,
        RoomJoined,
        *known.EVENT_TYPES,
    ),
)
