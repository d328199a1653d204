"""What the timecollection context can be asked to do.

`heard` marks what another context told: a fact that this collection has no use for is passed over, not refused.
"""

from datetime import datetime

import msgspec

from cardroom.kernel.decisions import Command


class OpenCollection(Command, frozen=True, tag="OpenCollection"):
    """Begin a table's collection; method and amounts come from its game and book.

    Args:
        first_due_at: time games: when time first falls due, where the room keeps a clock of its own; None means in
            advance, before the game's first hand.
        must_move: whether the table is a must-move game.
    """

    room: str
    table: str
    game_id: str
    first_due_at: datetime | None = None
    must_move: bool = False
    heard: bool = False


class CloseCollection(Command, frozen=True, tag="CloseCollection"):
    """The table's game broke."""

    room: str
    table: str
    heard: bool = False


class NoteSeat(Command, frozen=True, tag="NoteSeat"):
    """A player sat down."""

    room: str
    table: str
    seat: int
    player_id: str
    heard: bool = False


class NoteLeft(Command, frozen=True, tag="NoteLeft"):
    """A player left the seat; what is told of somebody who sits elsewhere by now changes nothing."""

    room: str
    table: str
    seat: int
    player_id: str = ""
    heard: bool = False


class NoteSwap(Command, frozen=True, tag="NoteSwap"):
    """Two players changed places."""

    room: str
    table: str
    seats: tuple[int, int]
    heard: bool = True


class CarryTime(Command, frozen=True, tag="CarryTime"):
    """A player moved from this table to a seat of another one."""

    room: str
    table: str
    player_id: str
    to_table: str
    to_seat: int
    heard: bool = True


class RenameRecord(Command, frozen=True, tag="RenameRecord"):
    """Who sits here, or left from here, has another record, which is the one that counts."""

    room: str
    table: str
    player_id: str
    into_id: str
    heard: bool = True


class NoteMustMove(Command, frozen=True, tag="NoteMustMove"):
    """The table is a must-move game, or is one no longer."""

    room: str
    table: str
    must_move: bool
    heard: bool = True


class NoteAway(Command, frozen=True, tag="NoteAway"):
    """A player went away or came back."""

    room: str
    table: str
    seat: int
    away: bool
    player_id: str = ""
    heard: bool = False


class NoteWaiting(Command, frozen=True, tag="NoteWaiting"):
    """So many names wait for the game."""

    room: str
    table: str
    waiting_count: int
    heard: bool = False


class Elapse(Command, frozen=True, tag="Elapse"):
    """The time collection of the period that began at `at` falls due."""

    room: str
    table: str
    at: datetime


class PayTime(Command, frozen=True, tag="PayTime"):
    """A seat pays what it owes."""

    room: str
    table: str
    seat: int
    cents: int


class DeferTime(Command, frozen=True, tag="DeferTime"):
    """A player asks to go on unpaid by the book's courtesy."""

    room: str
    table: str
    seat: int


class NoteHandDealt(Command, frozen=True, tag="NoteHandDealt"):
    """A hand was dealt to these seats; `big_blind_seat` is 0 in games without blinds, `at` None for now."""

    room: str
    table: str
    hand_id: str
    seats: tuple[int, ...]
    big_blind_seat: int = 0
    button_collection_seat: int = 0
    button_collection_cents: int = 0
    at: datetime | None = None
    heard: bool = False


class NoteHandEnded(Command, frozen=True, tag="NoteHandEnded"):
    """A hand is over, as its table tells; `winners` is empty where it did not tell them.

    Args:
        void: it did not count and the chips went back.
        pot_cents: the pot before anything was taken; None where not counted.
        winners: who won, by seat, with how much.
    """

    room: str
    table: str
    hand_id: str
    void: bool = False
    pot_cents: int | None = None
    winners: tuple["ToldWinner", ...] = ()
    heard: bool = True


class NoteHandReopened(Command, frozen=True, tag="NoteHandReopened"):
    """A hand that was over goes on, an entry of it having been wrong; what was told of its end no longer holds."""

    room: str
    table: str
    hand_id: str
    heard: bool = True


class NoteBroken(Command, frozen=True, tag="NoteBroken"):
    """The table's game broke at `at`."""

    room: str
    table: str
    at: datetime
    heard: bool = True


class AgreePotForTime(Command, frozen=True, tag="AgreePotForTime"):
    """The players of these seats agree to pot for time."""

    room: str
    table: str
    seats: tuple[int, ...]


class EndPotForTime(Command, frozen=True, tag="EndPotForTime"):
    """The players give up potting for time."""

    room: str
    table: str


class OptOut(Command, frozen=True, tag="OptOut"):
    """A player announces to pay alone."""

    room: str
    table: str
    seat: int


class StartTimePot(Command, frozen=True, tag="StartTimePot"):
    """A hand is dealt as the time pot."""

    room: str
    table: str
    hand_id: str


class PotWinner(msgspec.Struct, frozen=True, kw_only=True):
    """A winner of a pot, by seat, with what was won in cents."""

    seat: int
    cents: int


class ToldWinner(msgspec.Struct, frozen=True, kw_only=True):
    """A winner of a hand as its table tells, with what was won in cents; None where the pot was not counted."""

    seat: int
    cents: int | None = None


class AwardTimePot(Command, frozen=True, tag="AwardTimePot"):
    """The time pot was won; the collection comes out of it."""

    room: str
    table: str
    hand_id: str
    pot_cents: int
    winners: tuple[PotWinner, ...]


class SetClock(Command, frozen=True, tag="SetClock"):
    """Let the next period fall due at an instant, where the room keeps a clock of its own."""

    room: str
    table: str
    next_due_at: datetime
    reason: str = ""


class ConvertCollection(Command, frozen=True, tag="ConvertCollection"):
    """Change the method of a table's collection."""

    room: str
    table: str
    method: str
    amount_cents: int
    reason: str = ""


class NoteGame(Command, frozen=True, tag="NoteGame"):
    """From the next hand on another game holds at the table."""

    room: str
    table: str
    game_id: str
    heard: bool = False


class CloseDay(Command, frozen=True, tag="CloseDay"):
    """The gaming day ends; `gaming_day` is the one that begins."""

    room: str
    table: str
    gaming_day: str
