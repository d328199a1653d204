"""What happens to seats and to those in them. These are storage formats: a changed shape takes a new topic."""

from datetime import datetime

from cardroom import known
from cardroom.kernel.events import CarriedForward, Event, EventTypes
from cardroom.seating.seat_events import (
    ArrivalNoted,
    ChangeDeclined,
    ChangeRequested,
    EntryChanged,
    GameStarted,
    NamesCalled,
    NameUncalled,
    PlayerLeft,
    PlayerSeated,
    ReservationEnded,
    SeatChanged,
    SeatLocked,
    SeatOffered,
    SeatOpened,
    SeatRemoved,
    SeatReserved,
    SeatsSwapped,
    SeatUnlocked,
    SmokingSeatMarked,
    TableOpened,
    WaitingNoted,
)
from cardroom.seating.values import (
    Absence,
    Deal,
    Displaced,
    Exclusion,
    LimitChange,
    Move,
    PlayOver,
    Seat,
    SeatRequest,
    Substitute,
)


class HandNoted(Event, frozen=True, tag="seating.HandNoted.v1"):
    """A hand began."""

    deal: Deal
    dealt_in: tuple[int, ...]


class HandEndNoted(Event, frozen=True, tag="seating.HandEndNoted.v1"):
    """A hand ended."""

    number: int


class HandGranted(Event, frozen=True, tag="seating.HandGranted.v1"):
    """A player comes into the deal."""

    room: str
    table: str
    seat: int
    player_id: str
    hand: int
    post_cents: int
    dead_cents: int
    rules: tuple[str, ...]


class PlayerAway(Event, frozen=True, tag="seating.PlayerAway.v1"):
    """A player left the table for a time; chips and seat stay."""

    room: str
    table: str
    seat: int
    player_id: str
    absence: Absence
    hold_button: bool


class AbsenceNotified(Event, frozen=True, tag="seating.AbsenceNotified.v1"):
    """A player told the floor to be away until a time."""

    seat: int
    until: datetime


class AbsenceExtended(Event, frozen=True, tag="seating.AbsenceExtended.v1"):
    """The floor gave a longer absence."""

    seat: int
    overdue_from: datetime


class PlayerBack(Event, frozen=True, tag="seating.PlayerBack.v1"):
    """An absent player came back."""

    room: str
    table: str
    seat: int
    player_id: str
    at: datetime


class MissedButtonGiven(Event, frozen=True, tag="seating.MissedButtonGiven.v1"):
    """The big blind went by an absent player's seat."""

    seat: int
    count: int


class PickUpDue(Event, frozen=True, tag="seating.PickUpDue.v1"):
    """An absent player's chips may be picked up; nothing is removed by itself."""

    room: str
    table: str
    seat: int
    player_id: str
    at: datetime
    rules: tuple[str, ...]


class AbsencesReviewed(Event, frozen=True, tag="seating.AbsencesReviewed.v1"):
    """The floor looked at how often a player was away."""

    seat: int
    absences: int
    away_minutes: int
    pick_up_offered: tuple[str, ...]
    left_seated_reason: str


class ChipsPickedUp(Event, frozen=True, tag="seating.ChipsPickedUp.v1"):
    """A player's chips were taken off the table and are held for the player."""

    room: str
    table: str
    seat: int
    player_id: str
    at: datetime
    chips_cents: int | None
    rules: tuple[str, ...]
    absences: tuple[tuple[datetime, datetime], ...]
    reason: str


class GuestSeated(Event, frozen=True, tag="seating.GuestSeated.v1"):
    """A guest sits behind a player."""

    seat: int
    guest_id: str


class GuestLeft(Event, frozen=True, tag="seating.GuestLeft.v1"):
    """A guest is gone."""

    seat: int
    guest_id: str
    reason: str


class PlayOverChanged(Event, frozen=True, tag="seating.PlayOverChanged.v1"):
    """A play-over was permitted, boxed, begun or ended (None)."""

    room: str
    table: str
    seat: int
    play_over: PlayOver | None


class SubstituteChanged(Event, frozen=True, tag="seating.SubstituteChanged.v1"):
    """Somebody plays an absent player's chips, or stops (None)."""

    seat: int
    substitute: Substitute | None


class MoveDue(Event, frozen=True, tag="seating.MoveDue.v1"):
    """A player is to move or to leave."""

    room: str
    table: str
    seat: int
    player_id: str
    move: Move


class MoveCancelled(Event, frozen=True, tag="seating.MoveCancelled.v1"):
    """A player who was to move stays."""

    seat: int
    player_id: str
    reason: str


class ChipsBought(Event, frozen=True, tag="seating.ChipsBought.v1"):
    """A seated player adds chips."""

    room: str
    table: str
    seat: int
    player_id: str
    at: datetime
    amount_cents: int
    stack_before_cents: int
    short: bool
    full: bool
    as_new_player: bool
    rules: tuple[str, ...]


class LimitChangeProposed(Event, frozen=True, tag="seating.LimitChangeProposed.v1"):
    """A change of the game was proposed."""

    game_id: str
    raises: bool


class LimitChangeObjected(Event, frozen=True, tag="seating.LimitChangeObjected.v1"):
    """A player does not want the change."""

    player_id: str


class LimitChangeDropped(Event, frozen=True, tag="seating.LimitChangeDropped.v1"):
    """The proposal came to nothing."""

    rules: tuple[str, ...]


class GameChanged(Event, frozen=True, tag="seating.GameChanged.v1"):
    """The table plays another game from its next hand."""

    room: str
    table: str
    from_game_id: str
    game_id: str
    at: datetime
    rules: tuple[str, ...]
    seats: int
    players: tuple[str, ...]
    open_seats: tuple[int, ...]
    grandfathered: tuple[str, ...] = ()
    """Players who go on with the chips they have, the limit having gone up."""


class FullBuyInDue(Event, frozen=True, tag="seating.FullBuyInDue.v1"):
    """The limit went up, and a player with less than its full buy-in is dealt in once that is made up.

    Args:
        full_cents: the full buy-in.
    """

    room: str
    table: str
    seat: int
    player_id: str
    full_cents: int
    rules: tuple[str, ...]


class FullBuyInMet(Event, frozen=True, tag="seating.FullBuyInMet.v1"):
    """A player has the full buy-in of a raised limit.

    Args:
        excluded: whether something else still keeps the player from being dealt in.
    """

    room: str
    table: str
    seat: int
    player_id: str
    excluded: bool


class ListOrderFailed(Event, frozen=True, tag="seating.ListOrderFailed.v1"):
    """What the lists wanted could not be done; they take it back, and the floor sees it."""

    room: str
    table: str
    game_id: str
    player_id: str
    order: str
    to_table: str
    seat: int
    at: datetime
    code: str
    rules: tuple[str, ...]
    message: str


class PlayerExcluded(Event, frozen=True, tag="seating.PlayerExcluded.v1"):
    """A seated player may not be dealt in."""

    room: str
    table: str
    seat: int
    player_id: str
    exclusion: Exclusion


class PlayerReadmitted(Event, frozen=True, tag="seating.PlayerReadmitted.v1"):
    """A seated player may be dealt in again."""

    room: str
    table: str
    seat: int
    player_id: str


class TableBroken(Event, frozen=True, tag="seating.TableBroken.v1"):
    """A game ended while its players wanted seats elsewhere."""

    room: str
    table: str
    game_id: str
    at: datetime
    reason: str
    players: tuple[Displaced, ...]


class DisplacedMoved(Event, frozen=True, tag="seating.DisplacedMoved.v1"):
    """A player of a broken game got a seat elsewhere."""

    player_id: str
    to_table: str


class DrawHeld(Event, frozen=True, tag="seating.DrawHeld.v1"):
    """Cards settled something: the button, a seat, or who moves."""

    room: str
    table: str
    purpose: str
    at: datetime
    cards: tuple[tuple[str, str], ...]
    """Seat number or player id, and the card."""
    winner: str
    rules: tuple[str, ...]
    seed: str = ""
    """The server's seed in hex where no cards were drawn by hand."""


class SeatOrderSet(Event, frozen=True, tag="seating.SeatOrderSet.v1"):
    """In what order the players of a broken game get seats, and which they got."""

    room: str
    table: str
    game_id: str
    at: datetime
    order: tuple[str, ...]
    given: tuple[tuple[str, str, int], ...]
    """Player, table, seat."""
    seats_suffice: bool
    without_seat: tuple[str, ...]
    rules: tuple[str, ...]


class TableClosed(Event, frozen=True, tag="seating.TableClosed.v1"):
    """Management closed the game and nobody sits there."""

    room: str
    table: str
    game_id: str
    at: datetime
    by: str


class SeatsClosed(Event, frozen=True, tag="seating.SeatsClosed.v1"):
    """The table's stream ends with the gaming day."""

    gaming_day: str


class SeatsCarried(CarriedForward, frozen=True, tag="seating.SeatsCarried.v1"):
    """The table goes on into the next gaming day as it stood."""

    room: str
    table: str
    phase: str
    game_id: str
    usual_seats: int
    opened_at: datetime | None
    feeds: str
    waiting: int
    seats: tuple[Seat, ...]
    requests: tuple[SeatRequest, ...]
    deal: Deal | None
    displaced: tuple[Displaced, ...]
    order: tuple[str, ...] = ()
    arrivals: tuple[tuple[str, datetime], ...] = ()
    hand_live: bool = False
    limit_change: LimitChange | None = None
    seats_sufficed: bool = False
    first_button: int = 0
    round_done: bool = False


class SatDown(Event, frozen=True, tag="seating.SatDown.v1"):
    """The player holds a seat."""

    room: str
    table: str
    seat: int
    at: datetime


class StoodUp(Event, frozen=True, tag="seating.StoodUp.v1"):
    """The player holds no seat; what was taken off the table must be brought back for a while."""

    room: str
    table: str
    at: datetime
    stakes: str
    chips_cents: int | None
    moved: bool


class GameBarred(Event, frozen=True, tag="seating.GameBarred.v1"):
    """The player may not play a game for a while, having refused a must-move."""

    game_id: str
    until: datetime
    rules: tuple[str, ...]


class RecordRenamed(Event, frozen=True, tag="seating.RecordRenamed.v1"):
    """A record was merged into another of the same person: what the table keeps under the one is now under the other.

    Args:
        player_id: the record that is no longer used.
        into_id: the surviving record.
        seat: where the person sits; 0 where the table only keeps the name: a lock, a draw, a wish.
    """

    room: str
    table: str
    game_id: str
    player_id: str
    into_id: str
    seat: int
    at: datetime


class RecordReplaced(Event, frozen=True, tag="seating.RecordReplaced.v1"):
    """The person has another record, which is the one that counts."""

    into_id: str


class PresenceAbsorbed(Event, frozen=True, tag="seating.PresenceAbsorbed.v1"):
    """Another record turned out to be this person: what was done under it counts for this one."""

    from_id: str


class RulesAccepted(Event, frozen=True, tag="seating.RulesAccepted.v1"):
    """By sitting down the player took the house's rules as they are."""

    player_id: str
    book_digest: str
    rules: tuple[str, ...]


class TableListed(Event, frozen=True, tag="seating.TableListed.v1"):
    """The room has a table by this name."""

    table: str
    game_id: str
    feeds: str


EVENTS = EventTypes(
    "seating",
    (
        TableOpened,
        GameStarted,
        NamesCalled,
        NameUncalled,
        WaitingNoted,
        ArrivalNoted,
        SeatLocked,
        SeatUnlocked,
        SeatReserved,
        ReservationEnded,
        SeatOffered,
        SeatOpened,
        SeatRemoved,
        SmokingSeatMarked,
        PlayerSeated,
        PlayerLeft,
        SeatChanged,
        SeatsSwapped,
        EntryChanged,
        ChangeRequested,
        ChangeDeclined,
        HandNoted,
        HandEndNoted,
        HandGranted,
        PlayerAway,
        AbsenceNotified,
        AbsenceExtended,
        PlayerBack,
        MissedButtonGiven,
        PickUpDue,
        AbsencesReviewed,
        ChipsPickedUp,
        GuestSeated,
        GuestLeft,
        PlayOverChanged,
        SubstituteChanged,
        MoveDue,
        MoveCancelled,
        ChipsBought,
        LimitChangeProposed,
        LimitChangeObjected,
        LimitChangeDropped,
        GameChanged,
        FullBuyInDue,
        FullBuyInMet,
        ListOrderFailed,
        PlayerExcluded,
        PlayerReadmitted,
        TableBroken,
        DisplacedMoved,
        DrawHeld,
        SeatOrderSet,
        TableClosed,
        SeatsClosed,
        SeatsCarried,
        SatDown,
        StoodUp,
        GameBarred,
        RecordRenamed,
        RecordReplaced,
        PresenceAbsorbed,
        RulesAccepted,
        TableListed,
        *known.EVENT_TYPES,
    ),
)

__all__ = [
    "EVENTS",
    "AbsenceExtended",
    "AbsenceNotified",
    "AbsencesReviewed",
    "ArrivalNoted",
    "ChangeDeclined",
    "ChangeRequested",
    "ChipsBought",
    "ChipsPickedUp",
    "DisplacedMoved",
    "DrawHeld",
    "EntryChanged",
    "FullBuyInDue",
    "FullBuyInMet",
    "GameBarred",
    "GameChanged",
    "GameStarted",
    "GuestLeft",
    "GuestSeated",
    "HandEndNoted",
    "HandGranted",
    "HandNoted",
    "LimitChangeDropped",
    "LimitChangeObjected",
    "LimitChangeProposed",
    "ListOrderFailed",
    "MissedButtonGiven",
    "MoveCancelled",
    "MoveDue",
    "NameUncalled",
    "NamesCalled",
    "PickUpDue",
    "PlayOverChanged",
    "PlayerAway",
    "PlayerBack",
    "PlayerExcluded",
    "PlayerLeft",
    "PlayerReadmitted",
    "PlayerSeated",
    "PresenceAbsorbed",
    "RecordRenamed",
    "RecordReplaced",
    "ReservationEnded",
    "RulesAccepted",
    "SatDown",
    "SeatChanged",
    "SeatLocked",
    "SeatOffered",
    "SeatOpened",
    "SeatOrderSet",
    "SeatRemoved",
    "SeatReserved",
    "SeatUnlocked",
    "SeatsCarried",
    "SeatsClosed",
    "SeatsSwapped",
    "SmokingSeatMarked",
    "StoodUp",
    "SubstituteChanged",
    "TableBroken",
    "TableClosed",
    "TableListed",
    "TableOpened",
    "WaitingNoted",
]
