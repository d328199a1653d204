"""A room, and the list of all rooms of the installation."""

from typing import Final, assert_never
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from cardroom.house.events import GameListed, RoomChanged, RoomListed, RoomOpened, VariationListed
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import Aggregate, StreamId, stream_id
from cardroom.known.games import Room

MINUTES_OF_DAY: Final = 24 * 60
LONGEST_NAME: Final = 80


class RoomState(msgspec.Struct, frozen=True):
    """A room as the house knows it.

    Args:
        room: its facts; None before it is opened.
        games: ids of the games it ever offered, in order.
        varied: tables that have, or had, something posted.
    """

    room: Room | None = None
    games: tuple[str, ...] = ()
    varied: tuple[str, ...] = ()

    @property
    def time_zone(self) -> str:
        """IANA zone, empty before it is opened; the shell reckons gaming days by it."""
        return self.room.time_zone if self.room else ""

    @property
    def cut_over_minutes(self) -> int:
        """Minutes after local midnight at which the gaming day changes."""
        return self.room.cut_over_minutes if self.room else 0


class Rooms(msgspec.Struct, frozen=True):
    """All rooms of the installation, with their groups.

    Args:
        rooms: (room, group) in the order in which they were opened.
    """

    rooms: tuple[tuple[str, str], ...] = ()


def room_stream(room: str) -> StreamId:
    """Return the stream of a room."""
    return stream_id("room", room)


def rooms_stream() -> StreamId:
    """Return the stream that lists all rooms."""
    return stream_id("rooms", "all")


def evolve_room(
    state: RoomState, event: RoomOpened | RoomChanged | GameListed | VariationListed
) -> RoomState:
    """Fold a room's events."""
    match event:
        case RoomOpened(room=room) | RoomChanged(room=room):
            return RoomState(room, state.games, state.varied)
        case GameListed(game_id=game_id):
            return RoomState(state.room, (*state.games, game_id), state.varied)
        case VariationListed(table=table):
            return RoomState(state.room, state.games, (*state.varied, table))
        case _:
            assert_never(event)


def evolve_rooms(state: Rooms, event: RoomListed) -> Rooms:
    """Fold the list of rooms."""
    return Rooms((*state.rooms, (event.room, event.group)))


ROOM: Final = Aggregate(kind="room", initial=RoomState(), evolve=evolve_room)
ROOMS: Final = Aggregate(kind="rooms", initial=Rooms(), evolve=evolve_rooms)


def opened(state: RoomState, room: str) -> Room:
    """Return the facts of a room that is open.

    Raises:
        Unknown: CR-2, there is no such room.
    """
    if state.room is None:
        raise Unknown("room", room, "room")
    return state.room


def check_room(room: Room) -> Room:
    """Return a room whose facts are in order.

    Raises:
        Refused: CR-4, a name is empty or too long, the zone is none, or the cut-over is no minute of a day.
    """
    check_name(room.name, "name")
    stream_id("group", room.group)
    try:
        ZoneInfo(room.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Refused(
            "TIME_ZONE_UNKNOWN",
            "CR-4",
            f"time_zone is {room.time_zone!r}: it is no IANA zone such as America/Los_Angeles",
            field="time_zone",
        ) from None
    if not 0 <= room.cut_over_minutes < MINUTES_OF_DAY:
        raise Refused(
            "CUT_OVER_OUT_OF_RANGE",
            "CR-4",
            f"cut_over_minutes is {room.cut_over_minutes}: 0 to {MINUTES_OF_DAY - 1} after midnight",
            field="cut_over_minutes",
        )
    return room


def check_name(name: str, field: str) -> None:
    """Refuse a name that is empty, too long or not printable (CR-4)."""
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refused(
            "NAME_MALFORMED",
            "CR-4",
            f"{field} is {name[: LONGEST_NAME + 20]!r}: 1 to {LONGEST_NAME} printable characters",
            field=field,
        )
