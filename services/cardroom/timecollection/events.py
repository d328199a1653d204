"""What the timecollection context records. Storage formats: never edited, only followed by a new topic."""

from datetime import datetime

import msgspec

from cardroom.kernel.events import CarriedForward, Event, EventTypes
from cardroom.known import EVENT_TYPES as KNOWN_EVENT_TYPES


class SeatState(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as the collection sees it.

    Args:
        seat: its number.
        player_id: who sits there, empty where unknown.
        since: when the player sat down, UTC.
        away: whether the player is away from the table.
        owes_cents: time that fell due and is not paid.
        courtesy: whether the player may play on unpaid until `courtesy` ends.
        courtesy_hands: stud: unpaid hands already dealt.
        courtesy_ended: the courtesy for what is owed is used up.
        pays_alone: announced before the time pot not to take part in it.
        pays_alone_next: announced too late for the time pot under way; counts from the next one.
        exempt: a new player who need not pay the period under way.
    """

    seat: int
    player_id: str
    since: datetime
    away: bool = False
    owes_cents: int = 0
    courtesy: bool = False
    courtesy_hands: int = 0
    courtesy_ended: bool = False
    pays_alone: bool = False
    pays_alone_next: bool = False
    exempt: bool = False


class CollectionState(msgspec.Struct, frozen=True, kw_only=True):
    """All that goes on to the next gaming day.

    Args:
        last_due_at: when the period under way began, UTC; first, when the collection was opened.
        began_at: when the game's first hand under this collection was dealt, UTC.
        broken_at: when the table's last game broke, UTC.
        due_at: when the next period begins, UTC; None while a time game waits for its first hand.
        departed: who left, as they stood, so that what moves to another table with them can be found.
        arriving: who comes from another table and was not yet heard to sit, with what holds of them here.
        absent: players heard to be away before they were heard to sit.
        waiting_count: how many names wait for the game now.
        waiting_when_due: how many waited when time fell due; the courtesy goes by that number.
        converted: a floorperson set method and amount, which hold whatever the game's own terms are.
        potting_since: when the players agreed to pot for time, UTC.
        time_pot_told: the table told of the time pot under way; a person may say that another hand is it.
        time_taken_hand: the hand of which the last time pot's winners paid.
    """

    open: bool = False
    room: str = ""
    table: str = ""
    game_id: str = ""
    method: str = "none"
    amount_cents: int = 0
    period_minutes: int = 30
    due_at: datetime | None = None
    last_due_at: datetime | None = None
    began_at: datetime | None = None
    broken_at: datetime | None = None
    waiting_when_due: int = 0
    seats: tuple[SeatState, ...] = ()
    waiting_count: int = 0
    must_move: bool = False
    pot_for_time: bool = False
    time_pot_hand: str = ""
    time_pot_dealt: bool = False
    converted: bool = False
    potting_since: datetime | None = None
    time_pot_told: bool = False
    time_taken_hand: str = ""
    collected_cents: int = 0
    departed: tuple[SeatState, ...] = ()
    arriving: tuple[SeatState, ...] = ()
    absent: tuple[str, ...] = ()


class CollectionOpened(Event, frozen=True, tag="timecollection.CollectionOpened.v1"):
    """A table's collection began with a method, an amount and a period."""

    room: str
    table: str
    game_id: str
    method: str
    amount_cents: int
    period_minutes: int
    opened_at: datetime
    due_at: datetime | None
    must_move: bool
    rules: tuple[str, ...]


class CollectionClosed(Event, frozen=True, tag="timecollection.CollectionClosed.v1"):
    """The table's game broke; what was owed is waived or stays on record."""

    unpaid_cents: int


class SeatOccupied(Event, frozen=True, tag="timecollection.SeatOccupied.v1"):
    """A player sat down."""

    seat: int
    player_id: str
    since: datetime


class SeatVacated(Event, frozen=True, tag="timecollection.SeatVacated.v1"):
    """A player left the seat; an unpaid courtesy leaves nothing owed."""

    seat: int
    unpaid_cents: int


class SeatsSwapped(Event, frozen=True, tag="timecollection.SeatsSwapped.v1"):
    """Two players changed places; what each owes goes along."""

    seats: tuple[int, int]


class TimeCarriedAway(Event, frozen=True, tag="timecollection.TimeCarriedAway.v1"):
    """A player moved to another table, and what the player owes here is owed there."""

    seat: int
    player_id: str
    to_table: str
    owes_cents: int


class TimeBroughtAlong(Event, frozen=True, tag="timecollection.TimeBroughtAlong.v1"):
    """A player came from another table: not new, owing what was owed there.

    Args:
        seat: the player's seat here, with all that holds of it from now on.
        from_table: where the player came from.
        rules: the rules it rests on.
    """

    seat: SeatState
    from_table: str
    rules: tuple[str, ...]


class RecordRenamed(Event, frozen=True, tag="timecollection.RecordRenamed.v1"):
    """Who sits here, or left from here, has another record, which is the one that counts."""

    player_id: str
    into_id: str


class MustMoveNoted(Event, frozen=True, tag="timecollection.MustMoveNoted.v1"):
    """The table is a must-move game, or is one no longer."""

    must_move: bool


class AwayNoted(Event, frozen=True, tag="timecollection.AwayNoted.v1"):
    """A player went away from the table or came back."""

    seat: int
    away: bool


class AbsenceHeard(Event, frozen=True, tag="timecollection.AbsenceHeard.v1"):
    """A player who was not yet heard to sit here went away from the table, or came back."""

    player_id: str
    away: bool


class WaitingNoted(Event, frozen=True, tag="timecollection.WaitingNoted.v1"):
    """So many names wait for the game."""

    waiting_count: int


class TimeFellDue(Event, frozen=True, tag="timecollection.TimeFellDue.v1"):
    """A period began: who owes how much, who is exempt, and when the next one falls due."""

    at: datetime
    amount_cents: int
    owing_seats: tuple[int, ...]
    exempt_seats: tuple[int, ...]
    next_due_at: datetime
    rules: tuple[str, ...]
    waiting_count: int = 0


class TimeDueInAdvance(Event, frozen=True, tag="timecollection.TimeDueInAdvance.v1"):
    """A player of a game that has not begun owes its first period, before the first hand is dealt."""

    seat: int
    player_id: str
    at: datetime
    amount_cents: int
    waiting_count: int
    rules: tuple[str, ...]


class TimePaid(Event, frozen=True, tag="timecollection.TimePaid.v1"):
    """A seat paid its time."""

    seat: int
    player_id: str
    cents: int


class TimeDeferred(Event, frozen=True, tag="timecollection.TimeDeferred.v1"):
    """A player goes on unpaid by the book's courtesy."""

    seat: int
    rules: tuple[str, ...]


class CourtesyHandPlayed(Event, frozen=True, tag="timecollection.CourtesyHandPlayed.v1"):
    """A seat was dealt a hand unpaid."""

    seat: int
    hand_id: str


class CourtesyEnded(Event, frozen=True, tag="timecollection.CourtesyEnded.v1"):
    """A hand was dealt past a seat on courtesy, or its big blind came: it pays before it plays on."""

    seat: int
    hand_id: str


class FirstHandNoted(Event, frozen=True, tag="timecollection.FirstHandNoted.v1"):
    """The game's first hand was dealt; who sits down from now on is a new player.

    Args:
        hand_id: the hand.
        at: when, UTC.
        next_due_at: when the second period begins, UTC; None where no clock starts by it.
    """

    hand_id: str
    at: datetime
    next_due_at: datetime | None = None


class TimeWaived(Event, frozen=True, tag="timecollection.TimeWaived.v1"):
    """What was owed in advance is owed no more: the game did not begin as a time game."""

    seats: tuple[int, ...]
    cents: int
    rules: tuple[str, ...]


class GameBroken(Event, frozen=True, tag="timecollection.GameBroken.v1"):
    """The game broke: its clock stops, and the next game at the table pays before its own first hand."""

    at: datetime


class PotForTimeAgreed(Event, frozen=True, tag="timecollection.PotForTimeAgreed.v1"):
    """The players agreed that the winner of the time pot pays the collection."""

    seats: tuple[int, ...]
    rules: tuple[str, ...]
    at: datetime | None = None


class PotForTimeEnded(Event, frozen=True, tag="timecollection.PotForTimeEnded.v1"):
    """The agreement ended; everybody pays alone from now on."""


class OptedOut(Event, frozen=True, tag="timecollection.OptedOut.v1"):
    """A player pays alone; `from_next` says that the present time pot still counts that player in."""

    seat: int
    from_next: bool


class TimePotStarted(Event, frozen=True, tag="timecollection.TimePotStarted.v1"):
    """A hand was dealt as the time pot; `told` where its table told of it and no person said so."""

    hand_id: str
    told: bool = False


class TimePotPassed(Event, frozen=True, tag="timecollection.TimePotPassed.v1"):
    """The pot was too small, went to players who pay alone, or did not count: the next one is the time pot."""

    hand_id: str
    pot_cents: int
    rules: tuple[str, ...]


class WinnerShare(msgspec.Struct, frozen=True, kw_only=True):
    """What one winner of the time pot pays of the collection."""

    seat: int
    player_id: str
    cents: int


class TimeTakenFromPot(Event, frozen=True, tag="timecollection.TimeTakenFromPot.v1"):
    """The winner or winners of the time pot paid for the seats that potted."""

    hand_id: str
    cents: int
    for_seats: tuple[int, ...]
    paid_by: tuple[WinnerShare, ...]
    rules: tuple[str, ...]


class FloorCalled(Event, frozen=True, tag="timecollection.FloorCalled.v1"):
    """A floorperson is needed: for a short-handed must-move game, or a time pot that was settled anew."""

    reason: str
    players: int
    options: tuple[str, ...]
    rules: tuple[str, ...]


class MethodChanged(Event, frozen=True, tag="timecollection.MethodChanged.v1"):
    """The table's collection changed its method; `of_game` where it goes by its game's own terms from then on."""

    method: str
    amount_cents: int
    due_at: datetime | None
    reason: str
    rules: tuple[str, ...]
    of_game: bool = False


class ClockSet(Event, frozen=True, tag="timecollection.ClockSet.v1"):
    """The next period falls due at an instant that a floorperson set."""

    next_due_at: datetime
    reason: str
    rules: tuple[str, ...]


class GameChanged(Event, frozen=True, tag="timecollection.GameChanged.v1"):
    """Another game holds at the table, with its own method and amount."""

    game_id: str
    method: str
    amount_cents: int
    due_at: datetime | None
    rules: tuple[str, ...]


class ButtonCollectionNoted(Event, frozen=True, tag="timecollection.ButtonCollectionNoted.v1"):
    """A hand's collection was taken on the button."""

    hand_id: str
    seat: int
    cents: int


class CollectionDayClosed(Event, frozen=True, tag="timecollection.CollectionDayClosed.v1"):
    """The gaming day ended for this table's collection."""

    collected_cents: int


class CollectionCarriedForward(
    CarriedForward, frozen=True, tag="timecollection.CollectionCarriedForward.v1"
):
    """What goes on in the next gaming day."""

    state: CollectionState


EVENTS = EventTypes(
    "timecollection",
    (
        *KNOWN_EVENT_TYPES,
        CollectionOpened,
        CollectionClosed,
        SeatOccupied,
        SeatVacated,
        SeatsSwapped,
        TimeCarriedAway,
        TimeBroughtAlong,
        RecordRenamed,
        MustMoveNoted,
        AwayNoted,
        AbsenceHeard,
        WaitingNoted,
        TimeFellDue,
        TimeDueInAdvance,
        TimePaid,
        TimeDeferred,
        CourtesyHandPlayed,
        CourtesyEnded,
        FirstHandNoted,
        TimeWaived,
        GameBroken,
        PotForTimeAgreed,
        PotForTimeEnded,
        OptedOut,
        TimePotStarted,
        TimePotPassed,
        TimeTakenFromPot,
        FloorCalled,
        MethodChanged,
        ClockSet,
        GameChanged,
        ButtonCollectionNoted,
        CollectionDayClosed,
        CollectionCarriedForward,
    ),
)
