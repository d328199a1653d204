"""The occasion of a command: effective time, gaming day and offset of the room, override."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from cardroom.adapters.shell.requests import Request
from cardroom.kernel.clock import gaming_day_of
from cardroom.kernel.decisions import Occasion, Override
from cardroom.kernel.refusal import Refused

FLOOR_ROLES = frozenset({"floor", "shift_manager", "admin"})
"""Who may confirm a time out of tolerance and release deadlines after an outage."""

OLDEST_PAPER_DAYS = 366
"""How far back even a floorperson's word reaches: what is older is put right by an entry of today."""

HOUSE_KINDS = frozenset({"room", "game", "book"})
"""Kinds of streams that may be written before their room is known: the facts that make it known."""


def effective_time(request: Request, recorded_at: datetime, tolerance: timedelta) -> datetime:
    """Return the time a command is decided on.

    The station's reported time counts within the tolerance; before that only with a floorperson's word and reason.

    Args:
        request: with the reported time and the roles.
        recorded_at: the server's receipt.
        tolerance: how far a reported time may lie from the receipt.

    Raises:
        Refused: CR-4, the time has no offset, lies ahead of the server, lies back further than the tolerance and no
            floorperson confirms it with a reason, or lies back further than any paper is kept.
    """
    occurred = request.occurred_at
    if occurred is None:
        return recorded_at
    if occurred.tzinfo is None:
        raise Refused(
            "OCCURRED_AT_WITHOUT_OFFSET",
            "CR-4",
            f"occurred_at {occurred} has no offset from UTC",
            field="occurred_at",
        )
    occurred = occurred.astimezone(UTC)
    if occurred > recorded_at + tolerance:
        raise Refused(
            "OCCURRED_AT_AHEAD",
            "CR-4",
            f"occurred_at {occurred.isoformat()} lies ahead of the server's {recorded_at.isoformat()}",
            options=("leave occurred_at out",),
            field="occurred_at",
        )
    if occurred < recorded_at - timedelta(days=OLDEST_PAPER_DAYS):
        raise Refused(
            "OCCURRED_AT_TOO_OLD",
            "CR-4",
            f"occurred_at {occurred.isoformat()} lies more than {OLDEST_PAPER_DAYS} days back",
            options=("leave occurred_at out",),
            field="occurred_at",
        )
    confirmed = bool(request.roles & FLOOR_ROLES and request.override_reason.strip())
    if occurred < recorded_at - tolerance and not confirmed:
        raise Refused(
            "OCCURRED_AT_OUT_OF_TOLERANCE",
            "CR-4",
            f"occurred_at {occurred.isoformat()} lies more than {int(tolerance.total_seconds())} s "
            f"before the server's {recorded_at.isoformat()}",
            options=(
                "leave occurred_at out",
                "a floorperson sends it with a reason in override_reason",
            ),
            field="occurred_at",
        )
    return min(occurred, recorded_at)


def occasion_of(
    request: Request,
    at: datetime,
    recorded_at: datetime,
    day: tuple[str, int],
    seed: bytes,
) -> Occasion:
    """Put together what the core is told about when and by whom.

    Args:
        request: who asks.
        at: effective time.
        recorded_at: the server's receipt.
        day: gaming day and offset from UTC in minutes.
        seed: 32 bytes of server randomness.
    """
    return Occasion(
        at=at,
        recorded_at=recorded_at,
        gaming_day=day[0],
        utc_offset_minutes=day[1],
        actor=request.actor,
        roles=request.roles,
        station=request.station,
        override=Override(request.override_reason) if request.override_reason else None,
        seed=seed,
    )


def is_known(room: Any) -> bool:
    """Return whether the state of `room/<room>` says in which time zone the room lies."""
    return bool(getattr(room, "time_zone", ""))


def day_at(at: datetime, room: Any) -> tuple[str, int]:
    """Return gaming day and offset from UTC of an instant.

    Args:
        at: the instant.
        room: state of `room/<room>` with `time_zone` and `cut_over_minutes`; where it has none yet, or the command
            belongs to no room, the day is that of UTC.
    """
    minute = int(at.timestamp() // 60)
    if is_known(room):
        return _day_of_minute(minute, room.time_zone, room.cut_over_minutes)
    return _day_of_minute(minute, "UTC", 0)


@lru_cache(maxsize=4096)
def _day_of_minute(minute: int, time_zone: str, cut_over_minutes: int) -> tuple[str, int]:
    # A gaming day and an offset change on whole minutes only, in every zone since 1972.
    return gaming_day_of(datetime.fromtimestamp(minute * 60, UTC), time_zone, cut_over_minutes)
