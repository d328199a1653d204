"""Who may call: token, role, person of a shared podium, rooms; and the note in the security log where not."""

import time
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import unquote

from google.rpc import code_pb2
from google.rpc.status_pb2 import Status

from cardroom.adapters.grpc import caller as callers
from cardroom.adapters.grpc.auth import EVERY_ROOM, Claims, TokenVerifier, Unauthenticated
from cardroom.adapters.grpc.caller import Caller
from cardroom.adapters.grpc.denials import Denial, SecurityLog
from cardroom.adapters.grpc.errors import PermissionDenied
from cardroom.adapters.grpc.methods import MethodRule
from cardroom.adapters.grpc.people import PersonCheck
from cardroom.client.channel import CORRELATION

OPEN: Final = "/grpc.health.v1.Health/"
"""Needs no token, so that probes can ask. Every other method without a rule (reflection) takes any valid token."""
LONGEST_ID: Final = 128

AUTHORIZATION: Final = "authorization"
PERSON: Final = "cardroom-person"
PIN: Final = "cardroom-pin"
BADGE: Final = "cardroom-badge"
CAUSATION: Final = "cardroom-causation-id"
_BEARER: Final = "bearer "
_DENIED: Final = (code_pb2.UNAUTHENTICATED, code_pb2.PERMISSION_DENIED)


class Admission:
    """Decides from the metadata of a call who makes it and whether they may."""

    def __init__(
        self,
        verifier: TokenVerifier,
        security: SecurityLog,
        people: PersonCheck | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Prepare to admit.

        Args:
            verifier: verifies tokens.
            security: where denied calls are noted.
            people: the staff's PINs and badges; without it shared stations cannot act.
            now: the time against which tokens end, Unix seconds.
        """
        self._verifier = verifier
        self._security = security
        self._people = people
        self._now = now

    async def admit(self, rule: MethodRule | None, path: str, context: Any) -> Caller | None:
        """Return the caller, noted for the rest of the call; None for the open service.

        Raises:
            Unauthenticated: no good token, or a wrong PIN or badge.
            PermissionDenied: not the role, or nobody named at a shared station.
            CallEnded: too many wrong PINs.
        """
        if rule is None and path.startswith(OPEN):
            return None
        metadata: dict[str, Any] = dict(context.invocation_metadata())
        claims = self._verifier.claims(_bearer_token(metadata.get(AUTHORIZATION)))
        caller = _caller_of(claims, metadata)
        callers.enter(caller)
        if rule is None:
            return caller
        if claims.shared and rule.changes_state:
            caller = await self._person_of(caller, metadata)
            callers.enter(caller)
        if rule.roles and rule.roles.isdisjoint(caller.roles):
            raise PermissionDenied(
                "ROLE_MISSING",
                f"{path} takes one of the roles {', '.join(sorted(rule.roles))}; "
                f"{caller.subject} has {', '.join(sorted(caller.roles)) or 'none here'}",
            )
        return caller

    def check_rooms(self, rule: MethodRule, request: Any, caller: Caller) -> None:
        """Hold the rooms that a request names against the token's.

        Raises:
            PermissionDenied: one of them is not covered, or none is named by a token that does not cover all.
        """
        if not rule.scope_paths or EVERY_ROOM in caller.rooms:
            return
        rooms = rule.scopes_of(request)
        if not rooms:
            raise PermissionDenied(
                "ROOM_NOT_COVERED", "the request names no room, and the token does not cover all"
            )
        for room in sorted(rooms):
            if room not in caller.rooms:
                raise PermissionDenied("ROOM_NOT_COVERED", f"the token does not cover {room!r}")

    def seconds_left(self, caller: Caller) -> float:
        """Return how long the caller's token is still good."""
        return max(0.0, caller.expires_at - self._now())

    def note_denial(self, path: str, fault: Exception, status: Status, context: Any) -> None:
        """Note a call in the security log if it was denied for who made it."""
        reason = getattr(fault, "reason", None) or getattr(fault, "code", "")
        if status.code not in _DENIED and reason != "PIN_LOCKED":
            return
        try:
            caller = callers.present_caller()
        except LookupError:
            caller = None
        self._security.denied(
            Denial(
                method=path,
                reason=str(reason),
                message=status.message,
                peer=str(context.peer()),
                subject=caller.subject if caller else "",
                station=caller.station if caller else "",
                roles=caller.roles if caller else frozenset(),
            )
        )

    async def _person_of(self, caller: Caller, metadata: dict[str, Any]) -> Caller:
        if self._people is None:
            raise PermissionDenied(
                "PERSON_NEEDED", "this station is shared, and this server knows no staff"
            )
        person = await self._people.person(
            _text(metadata, PERSON), _text(metadata, PIN), _text(metadata, BADGE)
        )
        return Caller(
            subject=person.subject,
            station=caller.station or caller.subject,
            roles=person.roles & caller.roles,
            rooms=caller.rooms,
            expires_at=caller.expires_at,
            correlation_id=caller.correlation_id,
            causation_id=caller.causation_id,
        )


def _bearer_token(value: Any) -> str:
    if not value:
        raise Unauthenticated(
            "TOKEN_MISSING", "the call carries no token: metadata `authorization: Bearer <token>`"
        )
    if not isinstance(value, str) or value[: len(_BEARER)].lower() != _BEARER:
        raise Unauthenticated("TOKEN_MALFORMED", "authorization is not of the form Bearer <token>")
    return value[len(_BEARER) :]


def _caller_of(claims: Claims, metadata: dict[str, Any]) -> Caller:
    return Caller(
        subject=claims.sub,
        station=claims.station,
        roles=claims.roles,
        rooms=claims.rooms,
        expires_at=claims.exp,
        correlation_id=_correlation_id(metadata),
        causation_id=_text(metadata, CAUSATION) if "service" in claims.roles else "",
    )


def _text(metadata: dict[str, Any], name: str) -> str:
    value = metadata.get(name, "")
    return value if isinstance(value, str) and len(value) <= LONGEST_ID else ""


def _correlation_id(metadata: dict[str, Any]) -> str:
    value = metadata.get(CORRELATION, "")
    text = unquote(value) if isinstance(value, str) else ""
    return text if len(text) <= LONGEST_ID else ""
