"""What can be asked of the lists."""

from datetime import datetime
from typing import ClassVar

from cardroom.kernel.decisions import Command
from cardroom.known.standing import Standing
from cardroom.waitlist.values import Answer


class OfBoard(Command, frozen=True):
    """A command about one game's board."""

    facts_read: ClassVar[tuple[str, ...]] = ("standing",)

    room: str
    game_id: str


class SignUp(OfBoard, frozen=True, tag="SignUp"):
    """Put a name on the board."""

    entry_id: str
    player_id: str
    by_phone: bool = False
    going: bool = True
    standing: Standing | None = None


class ReportArrived(OfBoard, frozen=True, tag="ReportArrived"):
    """A phoned-in player is here."""

    entry_id: str


class ExpireCallIn(OfBoard, frozen=True, tag="ExpireCallIn"):
    """The time of a phoned-in name is up."""

    entry_id: str


class SetGoing(OfBoard, frozen=True, tag="SetGoing"):
    """Whether the owner of a name means to play if a game starts; others are only interested."""

    entry_id: str
    going: bool


class RemoveName(OfBoard, frozen=True, tag="RemoveName"):
    """Take a name off the board."""

    entry_id: str
    reason: str


class CallName(OfBoard, frozen=True, tag="CallName"):
    """Call the next name for an open seat; a given entry against the order takes the floor's word."""

    table: str
    seat: int
    entry_id: str = ""


class CallNewGame(OfBoard, frozen=True, tag="CallNewGame"):
    """Call as many names as a new game has seats for."""

    table: str


class AnswerCall(OfBoard, frozen=True, tag="AnswerCall"):
    """What a called player says, or that nobody answered; `locked_seat` where seating kept a seat for the player."""

    entry_id: str
    answer: Answer
    locked_seat: int = 0


class DropCall(OfBoard, frozen=True, tag="DropCall"):
    """A called player cannot have this seat and keeps the place."""

    entry_id: str
    reason: str


class ExpireTurn(OfBoard, frozen=True, tag="ExpireTurn"):
    """The time of somebody who gets chips is up."""

    entry_id: str


class NoteLeaving(OfBoard, frozen=True, tag="NoteLeaving"):
    """A player tells of leaving the area."""

    entry_id: str


class LeaveLockup(OfBoard, frozen=True, tag="LeaveLockup"):
    """Put money down for a lock-up."""

    entry_id: str
    amount_cents: int


class ReturnLockup(OfBoard, frozen=True, tag="ReturnLockup"):
    """Give the money of a lock-up back."""

    entry_id: str


class PlaceFirst(OfBoard, frozen=True, tag="PlaceFirst"):
    """Put players of a broken or frozen game before newcomers, in the order given.

    Where seating tells it (`heard`), it may not yet have known of a bar: who was struck off meanwhile is passed over.
    """

    players: tuple[tuple[str, str], ...]
    """Entry id and player id."""
    reason: str
    very_first: bool = False
    heard: bool = False


class NoteWaitReason(OfBoard, frozen=True, tag="NoteWaitReason"):
    """Say why names wait although tables stand empty; empty ends it."""

    reason: str


class StrikePlayer(Command, frozen=True, tag="StrikePlayer"):
    """Take a player off every list of the room, until some instant or until let in again."""

    room: str
    player_id: str
    rules: tuple[str, ...]
    until: datetime | None = None


class ReadmitPlayer(Command, frozen=True, tag="ReadmitPlayer"):
    """Let a player who was struck off stand on lists again."""

    room: str
    player_id: str


class MergeNames(Command, frozen=True, tag="MergeNames"):
    """Two records turned out to be one person: the earlier name stays, under the surviving record."""

    room: str
    from_id: str
    into_id: str


class NoteRenamed(OfBoard, frozen=True, tag="NoteRenamed"):
    """What seating keeps at a table under one record is now under another of the same person."""

    table: str
    from_id: str
    into_id: str
    seated: bool


class NoteTableOpened(OfBoard, frozen=True, tag="NoteTableOpened"):
    """Seating opened the game at a table."""

    table: str
    seats: int
    feeds: str = ""
    players: tuple[str, ...] = ()
    open_seats: tuple[int, ...] = ()
    running: bool = False


class NoteTableClosed(OfBoard, frozen=True, tag="NoteTableClosed"):
    """Seating closed or broke the game at a table."""

    table: str
    reason: str


class NoteSeatOpen(OfBoard, frozen=True, tag="NoteSeatOpen"):
    """A seat came open at a table."""

    table: str
    seat: int


class NoteSeatKept(OfBoard, frozen=True, tag="NoteSeatKept"):
    """A seat is kept for a player."""

    table: str
    seat: int
    player_id: str


class NoteLockExpired(OfBoard, frozen=True, tag="NoteLockExpired"):
    """The time of a kept seat was up before its player came."""

    table: str
    seat: int
    player_id: str


class NoteOrderFailed(OfBoard, frozen=True, tag="NoteOrderFailed"):
    """Seating could not move a called must-move player."""

    table: str
    player_id: str
    reason: str


class NoteSeated(OfBoard, frozen=True, tag="NoteSeated"):
    """A player sat down."""

    table: str
    seat: int
    player_id: str
    from_table: str = ""
    moved: bool = False


class NoteLeft(OfBoard, frozen=True, tag="NoteLeft"):
    """A player gave up a seat."""

    table: str
    player_id: str
    players_before: int
    moved: bool = False


class NoteStarted(OfBoard, frozen=True, tag="NoteStarted"):
    """A new game began to deal."""

    table: str


class LinkMustMove(Command, frozen=True, tag="LinkMustMove"):
    """Make one running game feed another."""

    room: str
    feeder: str
    main: str


class UnlinkMustMove(Command, frozen=True, tag="UnlinkMustMove"):
    """End that one game feeds another."""

    room: str
    main: str
    reason: str


class CallToMain(Command, frozen=True, tag="CallToMain"):
    """Call the next must-move player to a main-game seat."""

    room: str
    main: str
    seat: int


class DeclineMove(Command, frozen=True, tag="DeclineMove"):
    """A called must-move player refuses to move."""

    room: str
    main: str
    player_id: str


class PassMove(Command, frozen=True, tag="PassMove"):
    """Let a called must-move player stay and go down the list; only on the floor's word."""

    room: str
    main: str
    player_id: str


class CloseDay(OfBoard, frozen=True, tag="CloseDay"):
    """End the board's stream of this gaming day and carry it into the next."""

    gaming_day: str


class CloseMustMoveDay(Command, frozen=True, tag="CloseMustMoveDay"):
    """End a must-move list's stream of this gaming day and carry it into the next."""

    room: str
    main: str
    gaming_day: str


COMMANDS: tuple[type[Command], ...] = tuple(
    value
    for value in tuple(globals().values())
    if isinstance(value, type) and issubclass(value, Command) and value not in {Command, OfBoard}
)
