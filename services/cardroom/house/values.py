"""The values of the house that its events and commands share."""

from datetime import datetime
from enum import StrEnum

import msgspec


class Hours(msgspec.Struct, frozen=True, kw_only=True):
    """When a game is meant to run, in the room's local time.

    Args:
        weekday: 0 for Monday to 6 for Sunday: the gaming day on which it begins.
        opens_minutes: minutes after local midnight of that day.
        closes_minutes: minutes after local midnight of that day; over 1440 where it runs past midnight.
    """

    weekday: int
    opens_minutes: int
    closes_minutes: int


class StationKind(StrEnum):
    """What a station is for."""

    PODIUM = "podium"
    TABLET = "tablet"
    KIOSK = "kiosk"
    CAGE = "cage"
    DISPLAY = "display"
    DEVICE = "device"


class Station(msgspec.Struct, frozen=True, kw_only=True):
    """A place or device from which the room is worked.

    Args:
        station_id: the room's id of it; a token names it.
        kind: what it is for.
        table: the table it stands at, empty where none.
        shared: whether several people use it, so that each act needs a PIN or badge.
    """

    station_id: str
    kind: StationKind
    table: str = ""
    shared: bool = False


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who works in the room; no name is kept here.

    Args:
        staff_id: how the log names them, the subject of their token.
        roles: the roles they hold.
        active: whether they work here now.
        badge_digest: digest of their badge's number, empty where they have none.
        pin_digest: salt and digest of their PIN; None where they have none or its key is gone.
    """

    staff_id: str
    roles: tuple[str, ...]
    active: bool = True
    badge_digest: str = ""
    pin_digest: str | None = None


class Down(msgspec.Struct, frozen=True, kw_only=True):
    """A planned stretch of one dealer at one table.

    Args:
        table: the table.
        dealer: the dealer's staff id.
        starts_at: from when, UTC.
        ends_at: until when, UTC.
    """

    table: str
    dealer: str
    starts_at: datetime
    ends_at: datetime


class Dealing(msgspec.Struct, frozen=True, kw_only=True):
    """Who deals at a table now.

    Args:
        table: the table.
        dealer: the dealer's staff id.
        since: from when, UTC.
    """

    table: str
    dealer: str
    since: datetime
