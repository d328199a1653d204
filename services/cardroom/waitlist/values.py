"""Values of the lists."""

from datetime import datetime
from enum import StrEnum

import msgspec


class Answer(StrEnum):
    """What somebody whose name was called says."""

    COMING = "coming"
    GETTING_CHIPS = "getting_chips"
    DECLINED = "declined"
    NO_ANSWER = "no_answer"


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A name that was called.

    Args:
        table: for which table.
        seat: for which seat; 0 for any of a new game.
        at: when.
        new_game: whether a new or must-move game is being started.
        answer: the last answer; empty before one.
        until: until when the turn is kept for somebody who gets chips.
    """

    table: str
    seat: int
    at: datetime
    new_game: bool = False
    answer: str = ""
    until: datetime | None = None


class Name(msgspec.Struct, frozen=True, kw_only=True):
    """One name on a board.

    Args:
        entry_id: its id.
        player_id: whose.
        ticket: its place: lower is higher up; it follows the player to a must-move list.
        added_at: when it was added.
        by_phone: whether it was phoned in.
        arrive_by: until when a phoned-in player must have arrived; None once there.
        going: whether the player said to play if a game starts.
        call: the call that stands.
        rolled: how often it was called without an answer.
        lockup_cents: what was put down for a lock-up; 0 where nothing.
        leaving_noted: whether the player told the list-person of leaving the area.
        open_incidents: incidents that awaited a decision when the name was added.
        passed_for: open seats (`table/seat`) for which it was called in vain.
    """

    entry_id: str
    player_id: str
    ticket: int
    added_at: datetime
    by_phone: bool = False
    arrive_by: datetime | None = None
    going: bool = True
    call: Call | None = None
    rolled: int = 0
    lockup_cents: int = 0
    leaving_noted: bool = False
    open_incidents: int = 0
    passed_for: tuple[str, ...] = ()


class ListBar(msgspec.Struct, frozen=True, kw_only=True):
    """A player who may not sign up for a game for a while."""

    player_id: str
    since: datetime
    until: datetime
    rules: tuple[str, ...]


class BoardTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table that spreads the board's game.

    Args:
        table: which.
        feeds: the main table it feeds, or empty.
        seats: its seats.
        players: who sits there, in order of sitting down.
        open_seats: seats that nobody has or is called for.
        starting: whether it has not yet been dealt to and takes names for a new game.
        said_yes: players who said they would play in the new game.
    """

    table: str
    feeds: str
    seats: int
    players: tuple[str, ...] = ()
    open_seats: tuple[int, ...] = ()
    starting: bool = True
    said_yes: tuple[str, ...] = ()


class MoveName(msgspec.Struct, frozen=True, kw_only=True):
    """One name on a must-move list.

    Args:
        player_id: whose.
        ticket: the place on the original waiting list.
        seated_at: when the player sat down in the feeder.
        playing: whether the player still plays there.
        called_seat: the main-game seat the player was called to; 0 where not called.
        declined: whether the player refused the move.
        passed: whether the floor let the player pass once.
    """

    player_id: str
    ticket: int
    seated_at: datetime
    playing: bool = True
    called_seat: int = 0
    declined: bool = False
    passed: bool = False
