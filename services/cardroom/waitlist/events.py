"""What happens to the lists. These are storage formats: a changed shape takes a new topic and an upcaster."""

from datetime import datetime

from cardroom import known
from cardroom.kernel.events import CarriedForward, Event, EventTypes
from cardroom.waitlist.values import BoardTable, Call, ListBar, MoveName, Name


class NameAdded(Event, frozen=True, tag="waitlist.NameAdded.v1"):
    """A name went on the board."""

    room: str
    game_id: str
    name: Name
    position: int
    rules: tuple[str, ...]
    standing_version: int
    override_of: tuple[str, ...] = ()


class NameArrived(Event, frozen=True, tag="waitlist.NameArrived.v1"):
    """A phoned-in player is here."""

    room: str
    game_id: str
    entry_id: str
    player_id: str
    at: datetime


class NameCalled(Event, frozen=True, tag="waitlist.NameCalled.v1"):
    """A name was called for a seat or a new game."""

    room: str
    game_id: str
    entry_id: str
    player_id: str
    call: Call
    rules: tuple[str, ...]


class CallAnswered(Event, frozen=True, tag="waitlist.CallAnswered.v1"):
    """Somebody called is coming, or gets chips first and keeps the turn for a while."""

    room: str
    game_id: str
    entry_id: str
    player_id: str
    answer: str
    at: datetime
    until: datetime | None
    seat: int = 0


class NameRolled(Event, frozen=True, tag="waitlist.NameRolled.v1"):
    """A name was called and nobody answered; where it stands now."""

    room: str
    game_id: str
    entry_id: str
    player_id: str
    at: datetime
    outcome: str
    ticket: int
    rules: tuple[str, ...]
    table: str = ""


class CallDropped(Event, frozen=True, tag="waitlist.CallDropped.v1"):
    """A called player does not take the seat and keeps the place."""

    room: str
    game_id: str
    entry_id: str
    player_id: str
    at: datetime
    reason: str
    rules: tuple[str, ...]
    table: str = ""


class NameRemoved(Event, frozen=True, tag="waitlist.NameRemoved.v1"):
    """A name came off the board."""

    room: str
    game_id: str
    entry_id: str
    player_id: str
    at: datetime
    reason: str
    rules: tuple[str, ...]
    lockup_returned_cents: int = 0
    table: str = ""


class GoingSet(Event, frozen=True, tag="waitlist.GoingSet.v1"):
    """The owner of a name means to play, or is only interested."""

    entry_id: str
    going: bool
    at: datetime


class LeavingNoted(Event, frozen=True, tag="waitlist.LeavingNoted.v1"):
    """A player told the list-person of leaving the area."""

    entry_id: str
    at: datetime


class LockupTaken(Event, frozen=True, tag="waitlist.LockupTaken.v1"):
    """A player put down money so that the seat is locked up when the name comes up."""

    room: str
    entry_id: str
    player_id: str
    amount_cents: int
    at: datetime
    rules: tuple[str, ...]


class LockupReturned(Event, frozen=True, tag="waitlist.LockupReturned.v1"):
    """The money of a lock-up was given back."""

    room: str
    entry_id: str
    player_id: str
    amount_cents: int
    at: datetime


class SeatLockedUp(Event, frozen=True, tag="waitlist.SeatLockedUp.v1"):
    """A called player with a lock-up did not answer, and the seat is locked for the player."""

    room: str
    game_id: str
    entry_id: str
    player_id: str
    table: str
    seat: int
    at: datetime
    rules: tuple[str, ...]


class SignUpBarred(Event, frozen=True, tag="waitlist.SignUpBarred.v1"):
    """A player may neither sign up for the game nor play it for a while."""

    room: str
    game_id: str
    bar: ListBar


class TableNoted(Event, frozen=True, tag="waitlist.TableNoted.v1"):
    """A table spreads the game."""

    table: BoardTable
    at: datetime


class TableGone(Event, frozen=True, tag="waitlist.TableGone.v1"):
    """A table spreads the game no more."""

    table: str
    at: datetime
    reason: str


class TableStarted(Event, frozen=True, tag="waitlist.TableStarted.v1"):
    """A new game dealt its first hand and takes no names for a start any more."""

    table: str


class SeatNoted(Event, frozen=True, tag="waitlist.SeatNoted.v1"):
    """A seat came open, or was taken or kept."""

    table: str
    seat: int
    is_open: bool
    at: datetime


class PlayerNoted(Event, frozen=True, tag="waitlist.PlayerNoted.v1"):
    """A player sat down at, or left, a table of the game."""

    table: str
    player_id: str
    seated: bool
    at: datetime


class SaidYes(Event, frozen=True, tag="waitlist.SaidYes.v1"):
    """A called player will play in the new game."""

    table: str
    player_id: str


class WaitingChanged(Event, frozen=True, tag="waitlist.WaitingChanged.v1"):
    """How many names wait for the game's tables without having been called."""

    room: str
    game_id: str
    names: int
    tables: tuple[str, ...]


class NameMerged(Event, frozen=True, tag="waitlist.NameMerged.v1"):
    """A name goes on under the surviving record of its owner."""

    entry_id: str
    from_id: str
    into_id: str


class PlayerRenamed(Event, frozen=True, tag="waitlist.PlayerRenamed.v1"):
    """Who sits at a table has another record, which is the one that counts."""

    table: str
    from_id: str
    into_id: str


class MoveNameMerged(Event, frozen=True, tag="waitlist.MoveNameMerged.v1"):
    """A must-move name goes on under the surviving record of its owner."""

    from_id: str
    into_id: str


class WaitExplained(Event, frozen=True, tag="waitlist.WaitExplained.v1"):
    """Why names wait although tables stand empty; empty once that is over."""

    reason: str
    at: datetime


class BoardClosed(Event, frozen=True, tag="waitlist.BoardClosed.v1"):
    """The board's stream ends with the gaming day."""

    gaming_day: str


class BoardCarried(CarriedForward, frozen=True, tag="waitlist.BoardCarried.v1"):
    """The board goes on into the next gaming day as it stood."""

    room: str
    game_id: str
    names: tuple[Name, ...]
    bars: tuple[ListBar, ...]
    tables: tuple[BoardTable, ...]
    next_ticket: int
    tickets: tuple[tuple[str, int], ...]
    wait_reason: str
    wait_since: datetime | None


class MustMoveLinked(Event, frozen=True, tag="waitlist.MustMoveLinked.v1"):
    """A must-move game feeds a main game."""

    room: str
    game_id: str
    main: str
    feeder: str
    at: datetime
    by: str
    rules: tuple[str, ...]


class MustMoveUnlinked(Event, frozen=True, tag="waitlist.MustMoveUnlinked.v1"):
    """The game feeds the other no more."""

    main: str
    feeder: str
    at: datetime
    reason: str


class MoveNameAdded(Event, frozen=True, tag="waitlist.MoveNameAdded.v1"):
    """Sitting down in the feeder put a name on the must-move list."""

    name: MoveName
    rules: tuple[str, ...]


class MoveNameKept(Event, frozen=True, tag="waitlist.MoveNameKept.v1"):
    """A player stopped playing in a short feeder and keeps the place."""

    room: str
    player_id: str
    at: datetime
    players: int
    rules: tuple[str, ...]


class MoveNameRemoved(Event, frozen=True, tag="waitlist.MoveNameRemoved.v1"):
    """A name came off the must-move list."""

    room: str
    player_id: str
    at: datetime
    reason: str
    rules: tuple[str, ...]


class CalledToMain(Event, frozen=True, tag="waitlist.CalledToMain.v1"):
    """A must-move player was called to the main game."""

    room: str
    game_id: str
    player_id: str
    feeder: str
    main: str
    seat: int
    at: datetime
    playing: bool
    rules: tuple[str, ...]


class MoveDeclined(Event, frozen=True, tag="waitlist.MoveDeclined.v1"):
    """A player refused to move and has to leave the feeder."""

    room: str
    player_id: str
    feeder: str
    at: datetime
    rules: tuple[str, ...]


class MovePassed(Event, frozen=True, tag="waitlist.MovePassed.v1"):
    """The floor let a player stay for now; the place on the list is kept."""

    room: str
    player_id: str
    feeder: str
    at: datetime
    rules: tuple[str, ...]


class MainCallDropped(Event, frozen=True, tag="waitlist.MainCallDropped.v1"):
    """A call to the main game came to nothing; the name keeps its place."""

    player_id: str
    at: datetime
    reason: str


class MainSeatWaits(Event, frozen=True, tag="waitlist.MainSeatWaits.v1"):
    """A main-game seat is open with nobody on the must-move list, or is no longer."""

    seat: int
    is_open: bool


class MustMoveClosed(Event, frozen=True, tag="waitlist.MustMoveClosed.v1"):
    """The must-move list's stream ends with the gaming day."""

    gaming_day: str


class MustMoveCarried(CarriedForward, frozen=True, tag="waitlist.MustMoveCarried.v1"):
    """The must-move list goes on into the next gaming day as it stood."""

    room: str
    game_id: str
    main: str
    feeder: str
    names: tuple[MoveName, ...]
    open_seats: tuple[int, ...]


class BoardListed(Event, frozen=True, tag="waitlist.BoardListed.v1"):
    """The room has a board for a game."""

    game_id: str


class TableListed(Event, frozen=True, tag="waitlist.TableListed.v1"):
    """A table spreads a game, and feeds another or not."""

    table: str
    game_id: str
    feeds: str


class TableUnlisted(Event, frozen=True, tag="waitlist.TableUnlisted.v1"):
    """A table spreads no game any more."""

    table: str


class RecordMerged(Event, frozen=True, tag="waitlist.RecordMerged.v1"):
    """A record was merged into another of the same person: who names it from now on means the other."""

    from_id: str
    into_id: str


class PlayerStruck(Event, frozen=True, tag="waitlist.PlayerStruck.v1"):
    """A barred player stands on no list of the room.

    Args:
        player_id: who.
        until: when the bar ends by itself; None where somebody has to lift it.
        rules: what the bar rests on.
    """

    player_id: str
    until: datetime | None
    rules: tuple[str, ...]


class PlayerReadmitted(Event, frozen=True, tag="waitlist.PlayerReadmitted.v1"):
    """A player who was struck off may stand on lists again."""

    player_id: str


EVENTS = EventTypes(
    "waitlist",
    (
        NameAdded,
        NameArrived,
        NameCalled,
        CallAnswered,
        NameRolled,
        CallDropped,
        NameRemoved,
        GoingSet,
        LeavingNoted,
        LockupTaken,
        LockupReturned,
        SeatLockedUp,
        SignUpBarred,
        TableNoted,
        TableGone,
        TableStarted,
        SeatNoted,
        PlayerNoted,
        SaidYes,
        WaitingChanged,
        NameMerged,
        PlayerRenamed,
        MoveNameMerged,
        WaitExplained,
        BoardClosed,
        BoardCarried,
        MustMoveLinked,
        MustMoveUnlinked,
        MoveNameAdded,
        MoveNameKept,
        MoveNameRemoved,
        CalledToMain,
        MoveDeclined,
        MovePassed,
        MainCallDropped,
        MainSeatWaits,
        MustMoveClosed,
        MustMoveCarried,
        BoardListed,
        TableListed,
        TableUnlisted,
        RecordMerged,
        PlayerStruck,
        PlayerReadmitted,
        *known.EVENT_TYPES,
    ),
)
