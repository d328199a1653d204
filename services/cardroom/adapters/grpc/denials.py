"""The security log: every call that is turned away for who makes it."""

from typing import Protocol

import msgspec
import structlog


class Denial(msgspec.Struct, frozen=True, kw_only=True):
    """A call turned away before it reached its servicer.

    Args:
        method: full path of the RPC.
        reason: UPPER_SNAKE, for example `TOKEN_EXPIRED`, `ROLE_MISSING`, `PIN_WRONG`.
        message: what the caller was told.
        peer: the network address it came from.
        subject: who the token says it is, or empty where there was no good token.
        station: where, or empty.
        roles: the roles the caller had.
    """

    method: str
    reason: str
    message: str
    peer: str
    subject: str = ""
    station: str = ""
    roles: frozenset[str] = frozenset()


class SecurityLog(Protocol):
    """Where denials go; must not block."""

    def denied(self, denial: Denial) -> None:
        """Note a denied call."""


class LoggedDenials:
    """Writes denials to the structured log under `cardroom.security`."""

    def __init__(self) -> None:
        self._log = structlog.get_logger("cardroom.security")

    def denied(self, denial: Denial) -> None:
        """Note a denied call."""
        self._log.warning(
            "call denied",
            method=denial.method,
            reason=denial.reason,
            message=denial.message,
            peer=denial.peer,
            subject=denial.subject,
            station=denial.station,
            roles=sorted(denial.roles),
        )
