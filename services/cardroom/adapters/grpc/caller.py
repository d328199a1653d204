"""Who makes the present call, as the gate established it."""

from contextvars import ContextVar
from typing import Final

import msgspec


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """The authenticated caller of one call.

    Args:
        subject: the acting person, integration or process; on a shared podium the person of the PIN or badge.
        station: where the call was made.
        roles: roles the caller may use in this call.
        rooms: rooms and groups of rooms the token covers; `*` for all.
        expires_at: when the token ends, Unix seconds.
        correlation_id: common to everything that goes back to one first command; given by the caller, or empty.
        causation_id: the published event that caused the call; taken from Cardroom's own processes only.
    """

    subject: str
    station: str
    roles: frozenset[str]
    rooms: frozenset[str]
    expires_at: int
    correlation_id: str = ""
    causation_id: str = ""

    def covers(self, room: str) -> bool:
        """Say whether the token covers a room or a group of rooms."""
        return room in self.rooms or "*" in self.rooms


_CALLER: Final[ContextVar[Caller]] = ContextVar("cardroom-caller")
enter = _CALLER.set
"""For the gate: note who calls, for the rest of this call's task."""


def present_caller() -> Caller:
    """Return the caller of the call that is being answered.

    Raises:
        LookupError: no call is being answered, or it needs no token (health).
    """
    return _CALLER.get()


def present_correlation_id() -> str:
    """Return the correlation id of the call that is being answered, or "" where there is none."""
    caller = _CALLER.get(None)
    return caller.correlation_id if caller is not None else ""
