"""What happens to chairs: games opened, seats kept, taken, changed and asked for."""

from datetime import datetime

from cardroom.kernel.events import Event
from cardroom.seating.values import (
    Entry,
    Lock,
    SeatRequest,
)


class TableOpened(Event, frozen=True, tag="seating.TableOpened.v1"):
    """A game was opened at a table."""

    room: str
    table: str
    game_id: str
    at: datetime
    seats: int
    extra_seats: int
    order: tuple[str, ...]
    feeds: str
    by: str


class GameStarted(Event, frozen=True, tag="seating.GameStarted.v1"):
    """A new game began to deal."""

    room: str
    table: str
    game_id: str
    at: datetime


class NamesCalled(Event, frozen=True, tag="seating.NamesCalled.v1"):
    """The list called names for a new game, in list order."""

    player_ids: tuple[str, ...]


class NameUncalled(Event, frozen=True, tag="seating.NameUncalled.v1"):
    """A name called for the new game does not come; those after it move up."""

    player_id: str


class WaitingNoted(Event, frozen=True, tag="seating.WaitingNoted.v1"):
    """How many names wait for this game."""

    names: int
    at: datetime


class ArrivalNoted(Event, frozen=True, tag="seating.ArrivalNoted.v1"):
    """A called player reached the table."""

    player_id: str
    at: datetime


class SeatLocked(Event, frozen=True, tag="seating.SeatLocked.v1"):
    """A seat is kept for a player."""

    room: str
    table: str
    game_id: str
    seat: int
    lock: Lock
    by: str


class SeatUnlocked(Event, frozen=True, tag="seating.SeatUnlocked.v1"):
    """A lock ended without its player taking the seat."""

    room: str
    table: str
    game_id: str
    seat: int
    player_id: str
    at: datetime
    reason: str
    rules: tuple[str, ...]
    first_on_list: bool = False


class SeatReserved(Event, frozen=True, tag="seating.SeatReserved.v1"):
    """Management keeps a seat for a player for good cause."""

    room: str
    table: str
    game_id: str
    seat: int
    player_id: str
    cause: str


class ReservationEnded(Event, frozen=True, tag="seating.ReservationEnded.v1"):
    """A seat is no longer kept."""

    room: str
    table: str
    game_id: str
    seat: int


class SeatOffered(Event, frozen=True, tag="seating.SeatOffered.v1"):
    """Those in the game were asked whether one of them wants an open seat."""

    seat: int
    at: datetime


class SeatOpened(Event, frozen=True, tag="seating.SeatOpened.v1"):
    """A seat came open."""

    room: str
    table: str
    game_id: str
    seat: int
    at: datetime


class SeatRemoved(Event, frozen=True, tag="seating.SeatRemoved.v1"):
    """The extra chair of an overfull start was taken away."""

    seat: int
    rules: tuple[str, ...]


class SmokingSeatMarked(Event, frozen=True, tag="seating.SmokingSeatMarked.v1"):
    """A seat became a smoking seat."""

    seat: int


class PlayerSeated(Event, frozen=True, tag="seating.PlayerSeated.v1"):
    """A player sat down with chips."""

    room: str
    table: str
    game_id: str
    seat: int
    player_id: str
    at: datetime
    reason: str
    buy_in_cents: int
    least_cents: int
    full_cents: int
    entry: Entry
    missed_buttons: int
    rules: tuple[str, ...]
    standing_version: int
    from_table: str = ""
    entry_id: str = ""
    override_of: tuple[str, ...] = ()
    """Rules gone against by the floor; the envelope holds the reason."""


class PlayerLeft(Event, frozen=True, tag="seating.PlayerLeft.v1"):
    """A player gave up the seat."""

    room: str
    table: str
    game_id: str
    seat: int
    player_id: str
    at: datetime
    reason: str
    chips_cents: int | None
    players_before: int


class SeatChanged(Event, frozen=True, tag="seating.SeatChanged.v1"):
    """A player moved to another seat of the same table."""

    room: str
    table: str
    game_id: str
    player_id: str
    from_seat: int
    to_seat: int
    at: datetime
    entry: Entry
    rules: tuple[str, ...]
    lock_moves: bool = False
    """Whether the newcomer locked into the seat gets the seat given up."""


class SeatsSwapped(Event, frozen=True, tag="seating.SeatsSwapped.v1"):
    """Two players changed places, by agreement or because they sat wrongly."""

    room: str
    table: str
    seats: tuple[int, int]
    at: datetime
    entries: tuple[Entry, Entry]
    rules: tuple[str, ...]
    reason: str


class EntryChanged(Event, frozen=True, tag="seating.EntryChanged.v1"):
    """What a seated player must wait for or post is now this."""

    seat: int
    entry: Entry


class ChangeRequested(Event, frozen=True, tag="seating.ChangeRequested.v1"):
    """A player asked for another seat."""

    request: SeatRequest


class ChangeDeclined(Event, frozen=True, tag="seating.ChangeDeclined.v1"):
    """A player who had asked was offered a seat and did not want it."""

    player_id: str
    seat: int
    at: datetime
    cancelled: bool
