"""What the house records. These are storage formats: a new shape gets a new topic and an upcaster."""

from datetime import datetime
from typing import Final

from cardroom.house.values import Dealing, Down, Hours, Station
from cardroom.kernel.events import Event, EventTypes
from cardroom.known.games import Game, Room
from cardroom.rulebook.model import Overlay


class RoomListed(Event, frozen=True, tag="house.RoomListed.v1"):
    """A room stands in the list of this installation's rooms.

    Args:
        room: its id.
        group: the group of rooms that shares players.
    """

    room: str
    group: str


class RoomOpened(Event, frozen=True, tag="house.RoomOpened.v1"):
    """A room exists, with the book in force.

    Args:
        room: the whole of it.
    """

    room: Room


class RoomChanged(Event, frozen=True, tag="house.RoomChanged.v1"):
    """A room is otherwise than before: its name, zone, cut-over or book.

    Args:
        room: the whole of it.
        reason: why.
    """

    room: Room
    reason: str = ""


class GameListed(Event, frozen=True, tag="house.GameListed.v1"):
    """A game stands in its room's list.

    Args:
        game_id: its id.
    """

    game_id: str


class GameOffered(Event, frozen=True, tag="house.GameOffered.v1"):
    """The room offers a game.

    Args:
        game: the whole of it, with the digest of its book.
        overlay: what it sets otherwise than the room's book.
        hours: when it is meant to run.
    """

    game: Game
    overlay: Overlay
    hours: tuple[Hours, ...] = ()


class GameChanged(Event, frozen=True, tag="house.GameChanged.v1"):
    """A game's terms are otherwise than before; hands under way end under the old ones.

    Args:
        game: the whole of it, with the digest of its book.
        overlay: what it sets otherwise than the room's book.
        hours: when it is meant to run.
        reason: why.
    """

    game: Game
    overlay: Overlay
    hours: tuple[Hours, ...] = ()
    reason: str = ""


class GameBookChanged(Event, frozen=True, tag="house.GameBookChanged.v1"):
    """Another book is in force for a game, from its next hand on.

    Args:
        game: the whole of it, with the new digest.
        version: the version of the room's book that it was resolved from.
    """

    game: Game
    version: int


class GameWithdrawn(Event, frozen=True, tag="house.GameWithdrawn.v1"):
    """The room offers a game no longer; what has begun is played to its end.

    Args:
        game: the whole of it.
        reason: why.
    """

    game: Game
    reason: str


class VariationListed(Event, frozen=True, tag="house.VariationListed.v1"):
    """A table stands in its room's list of those that have, or had, something posted.

    Args:
        table: which.
    """

    table: str


class VariationPosted(Event, frozen=True, tag="house.VariationPosted.v1"):
    """A table plays by what is posted there, from its next hand on.

    Args:
        table: which.
        overlay: what it sets otherwise than room and game.
        books: game -> digest of the book in force for it at this table.
        reason: why.
    """

    table: str
    overlay: Overlay
    books: dict[str, str]
    reason: str = ""


class VariationResolved(Event, frozen=True, tag="house.VariationResolved.v1"):
    """Room or game are under another book, and so is the table with what is posted there.

    Args:
        table: which.
        books: game -> digest of the book in force for it at this table.
    """

    table: str
    books: dict[str, str]


class VariationLifted(Event, frozen=True, tag="house.VariationLifted.v1"):
    """A table plays by its game's book again, from its next hand on.

    Args:
        table: which.
        reason: why.
    """

    table: str
    reason: str = ""


class BookLoaded(Event, frozen=True, tag="house.BookLoaded.v1"):
    """A version of the room's book is known, with everything it rests on.

    Args:
        room: the room.
        version: counted from 1 within the room.
        book_id: the book's id.
        title: its title.
        effective_at: from when it is in force, UTC.
        content: the book's canonical content.
        reason: why it changes.
    """

    room: str
    version: int
    book_id: str
    title: str
    effective_at: datetime
    content: bytes
    reason: str = ""


class BookWithdrawn(Event, frozen=True, tag="house.BookWithdrawn.v1"):
    """A version that was to take effect later will not.

    Args:
        version: which.
        reason: why.
    """

    version: int
    reason: str


class BooksReviewed(Event, frozen=True, tag="house.BooksReviewed.v1"):
    """The books were gone through at an instant at which something of them changes.

    Args:
        at: the instant, UTC.
        version: the version in force then.
    """

    at: datetime
    version: int


class BookResolved(Event, frozen=True, tag="house.BookResolved.v1"):
    """The book that some game, or the room itself, is under was worked out.

    Args:
        digest: SHA-256 of the content, in hex.
        content: the resolved book's canonical content.
    """

    digest: str
    content: bytes


class StaffJoined(Event, frozen=True, tag="house.StaffJoined.v1"):
    """Somebody works in the room, or does so again.

    Args:
        staff_id: how the log names them.
        roles: the roles they hold.
    """

    staff_id: str
    roles: tuple[str, ...]


class StaffRolesChanged(Event, frozen=True, tag="house.StaffRolesChanged.v1"):
    """A member of staff holds other roles.

    Args:
        staff_id: who.
        roles: the roles they hold now.
    """

    staff_id: str
    roles: tuple[str, ...]


class CredentialsSet(Event, frozen=True, tag="house.CredentialsSet.v1"):
    """A member of staff has a badge or a PIN; what was set before no longer holds.

    Args:
        key_id: owns the key under which the PIN's digest is stored: `room/staff id`.
        staff_id: who.
        badge_digest: digest of the badge's number, or empty.
        pin_digest: salt and digest of the PIN, empty where there is none.
    """

    confidential = ("pin_digest",)
    subject = "key_id"

    key_id: str
    staff_id: str
    badge_digest: str
    pin_digest: str | None


class StaffLeft(Event, frozen=True, tag="house.StaffLeft.v1"):
    """Somebody works in the room no longer.

    Args:
        staff_id: who.
        reason: why.
    """

    staff_id: str
    reason: str


class StationSet(Event, frozen=True, tag="house.StationSet.v1"):
    """A station stands in the room, or otherwise than before.

    Args:
        station: the whole of it.
    """

    station: Station


class StationRemoved(Event, frozen=True, tag="house.StationRemoved.v1"):
    """A station is gone.

    Args:
        station_id: which.
    """

    station_id: str


class LineUpPlanned(Event, frozen=True, tag="house.LineUpPlanned.v1"):
    """Who is to deal where, and when; replaces the plan that stood.

    Args:
        downs: the plan, in order of time.
    """

    downs: tuple[Down, ...]


class DealerPushed(Event, frozen=True, tag="house.DealerPushed.v1"):
    """A dealer sat down at a table.

    Args:
        dealing: who, where, since when.
        relieved: the dealer who got up, empty where the box was empty.
        came_from: the table that the dealer left without a relief, empty where none.
    """

    dealing: Dealing
    relieved: str = ""
    came_from: str = ""


class DealerRelieved(Event, frozen=True, tag="house.DealerRelieved.v1"):
    """A dealer got up and nobody sat down.

    Args:
        table: where.
        dealer: who.
    """

    table: str
    dealer: str


EVENTS: Final = EventTypes(
    "house",
    (
        RoomListed,
        RoomOpened,
        RoomChanged,
        GameListed,
        GameOffered,
        GameChanged,
        GameBookChanged,
        GameWithdrawn,
        VariationListed,
        VariationPosted,
        VariationResolved,
        VariationLifted,
        BookLoaded,
        BookWithdrawn,
        BooksReviewed,
        BookResolved,
        StaffJoined,
        StaffRolesChanged,
        CredentialsSet,
        StaffLeft,
        StationSet,
        StationRemoved,
        LineUpPlanned,
        DealerPushed,
        DealerRelieved,
    ),
)
