"""What the house may be asked to do."""

from datetime import datetime
from typing import Any, Final

import msgspec

from cardroom.house.values import Down, Hours, Station
from cardroom.kernel.decisions import Command
from cardroom.known.games import Game


class OpenRoom(Command, frozen=True, tag="OpenRoom"):
    """Make a room known.

    Args:
        room: its id.
        name: its name.
        group: the group of rooms that shares players; fixed from then on.
        time_zone: IANA zone.
        cut_over_minutes: minutes after local midnight at which the gaming day changes.
        book: content of the book in force (`Book.content()`).
    """

    room: str
    name: str
    group: str
    time_zone: str
    cut_over_minutes: int
    book: bytes


class ChangeRoom(Command, frozen=True, tag="ChangeRoom"):
    """Change a room's name, zone or cut-over; None leaves it as it is.

    Args:
        room: its id.
        name: its name.
        time_zone: IANA zone.
        cut_over_minutes: minutes after local midnight at which the gaming day changes.
        reason: why.
    """

    room: str
    name: str | None = None
    time_zone: str | None = None
    cut_over_minutes: int | None = None
    reason: str = ""


class OfferGame(Command, frozen=True, tag="OfferGame"):
    """Offer a game.

    Args:
        room: the room.
        game: its terms; digest and `offered` are worked out here.
        overlay: decision -> value that it sets otherwise than the room's book.
        hours: when it is meant to run.
    """

    room: str
    game: Game
    overlay: dict[str, Any] = msgspec.field(default_factory=dict)
    hours: tuple[Hours, ...] = ()


class ChangeGame(Command, frozen=True, tag="ChangeGame"):
    """Change a game's terms, or offer a withdrawn one again.

    Args:
        room: the room.
        game: all of its terms; the form of poker stays.
        overlay: decision -> value that it sets otherwise than the room's book; replaces the one that stood.
        hours: when it is meant to run.
        expected_version: version of the game that the caller saw, 0 where it does not matter.
        reason: why.
    """

    room: str
    game: Game
    overlay: dict[str, Any] = msgspec.field(default_factory=dict)
    hours: tuple[Hours, ...] = ()
    expected_version: int = 0
    reason: str = ""


class WithdrawGame(Command, frozen=True, tag="WithdrawGame"):
    """Offer a game no longer.

    Args:
        room: the room.
        game_id: which.
        reason: why.
    """

    room: str
    game_id: str
    reason: str


class PostVariation(Command, frozen=True, tag="PostVariation"):
    """Let one table play by what is posted there, from its next hand on.

    Args:
        room: the room.
        table: which.
        overlay: decision -> value that it sets otherwise than room and game; replaces the one that stood.
        expected_version: version of the variation that the caller saw, 0 where it does not matter.
        reason: why.
    """

    room: str
    table: str
    overlay: dict[str, Any]
    expected_version: int = 0
    reason: str = ""


class LiftVariation(Command, frozen=True, tag="LiftVariation"):
    """Let a table play by its game's book again, from its next hand on.

    Args:
        room: the room.
        table: which.
        reason: why.
    """

    room: str
    table: str
    reason: str = ""


class ChangeBook(Command, frozen=True, tag="ChangeBook"):
    """Put another book, or another version of it, in force.

    Args:
        room: the room.
        book: the book's content (`Book.content()`).
        effective_at: from when, UTC; None for now, or for the instant that the book itself names.
        reason: why.
    """

    room: str
    book: bytes
    effective_at: datetime | None = None
    reason: str = ""


class WithdrawBook(Command, frozen=True, tag="WithdrawBook"):
    """Call off a version that has not taken effect.

    Args:
        room: the room.
        version: which.
        reason: why.
    """

    room: str
    version: int
    reason: str


class ReviewBooks(Command, frozen=True, tag="ReviewBooks"):
    """A version or a dated value takes effect; issued by the timer.

    Args:
        room: the room.
        at: the instant, UTC.
    """

    room: str
    at: datetime


class AddStaff(Command, frozen=True, tag="AddStaff"):
    """Somebody begins to work in the room.

    Args:
        room: the room.
        staff_id: the subject of their token.
        roles: the roles they hold.
    """

    room: str
    staff_id: str
    roles: tuple[str, ...]


class ChangeStaffRoles(Command, frozen=True, tag="ChangeStaffRoles"):
    """Give a member of staff other roles.

    Args:
        room: the room.
        staff_id: who.
        roles: all the roles they are to hold.
    """

    room: str
    staff_id: str
    roles: tuple[str, ...]


class SetCredentials(Command, frozen=True, tag="SetCredentials"):
    """Give a member of staff a badge or a PIN; each replaces the one before, empty takes it away.

    Args:
        room: the room.
        staff_id: who.
        badge_digest: digest of the badge's number.
        pin_digest: salt and digest of the PIN.
    """

    room: str
    staff_id: str
    badge_digest: str
    pin_digest: str


class RemoveStaff(Command, frozen=True, tag="RemoveStaff"):
    """Somebody ends to work in the room.

    Args:
        room: the room.
        staff_id: who.
        reason: why.
    """

    room: str
    staff_id: str
    reason: str


class SetStation(Command, frozen=True, tag="SetStation"):
    """Add a station or change it.

    Args:
        room: the room.
        station: the whole of it.
    """

    room: str
    station: Station


class RemoveStation(Command, frozen=True, tag="RemoveStation"):
    """Remove a station.

    Args:
        room: the room.
        station_id: which.
    """

    room: str
    station_id: str


class PlanLineUp(Command, frozen=True, tag="PlanLineUp"):
    """Say who is to deal where, and when; replaces the plan that stood.

    Args:
        room: the room.
        downs: the plan.
    """

    room: str
    downs: tuple[Down, ...]


class PushDealer(Command, frozen=True, tag="PushDealer"):
    """A dealer sits down at a table and relieves whoever deals there.

    Args:
        room: the room.
        table: the table.
        dealer: the dealer's staff id.
    """

    room: str
    table: str
    dealer: str


class RelieveDealer(Command, frozen=True, tag="RelieveDealer"):
    """The dealer of a table gets up and nobody sits down.

    Args:
        room: the room.
        table: the table.
    """

    room: str
    table: str


COMMANDS: Final[tuple[type[Command], ...]] = (
    OpenRoom,
    ChangeRoom,
    OfferGame,
    ChangeGame,
    WithdrawGame,
    PostVariation,
    LiftVariation,
    ChangeBook,
    WithdrawBook,
    ReviewBooks,
    AddStaff,
    ChangeStaffRoles,
    SetCredentials,
    RemoveStaff,
    SetStation,
    RemoveStation,
    PlanLineUp,
    PushDealer,
    RelieveDealer,
)
