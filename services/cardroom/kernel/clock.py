"""The clock as a port, and the gaming day as a pure function of an instant and a room's settings."""

from datetime import UTC, datetime, time, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo


class Clock(Protocol):
    """Something that knows what time it is; only the shell holds one."""

    def now(self) -> datetime:
        """Return the present instant, UTC, timezone-aware."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the machine's present instant in UTC."""
        return datetime.now(UTC)


class ManualClock:
    """A clock that stands until it is moved, for tests and the demonstration."""

    def __init__(self, start: datetime) -> None:
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        """Return the instant it was last moved to."""
        return self._now

    def advance_to(self, at: datetime) -> None:
        """Move the clock forward.

        Raises:
            ValueError: the instant lies before the present one.
        """
        if at < self._now:
            raise ValueError(f"a clock does not go back: {at} lies before {self._now}")
        self._now = at.astimezone(UTC)


def gaming_day_of(at: datetime, time_zone: str, cut_over_minutes: int) -> tuple[str, int]:
    """Return the gaming day of an instant, and the room's offset from UTC then.

    Args:
        at: an aware instant.
        time_zone: the room's IANA zone.
        cut_over_minutes: minutes after local midnight at which the gaming day changes: when the room's clock first
            shows that time, or has been put forward over it. A gaming day never comes back.

    Returns:
        The gaming day as YYYY-MM-DD and the UTC offset in minutes.
    """
    local = at.astimezone(ZoneInfo(time_zone))
    offset = local.utcoffset() or timedelta()
    cut_over = timedelta(minutes=cut_over_minutes)
    day = (local.replace(tzinfo=None) - cut_over).date()
    if local.fold:
        # The hour runs for the second time: a day that began in its first run goes on.
        following = datetime.combine(day + timedelta(days=1), time(), local.tzinfo) + cut_over
        if following.astimezone(UTC) <= at:
            day = following.date()
    return day.isoformat(), int(offset.total_seconds() // 60)
