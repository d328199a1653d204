"""The one table from what can go wrong to the status a caller gets.

Nothing a caller can cause ends as INTERNAL or UNKNOWN; what does is a fault of ours, is logged with its traceback and
named to the caller by an incident id only.
"""

import secrets
from collections.abc import Iterable
from typing import Any, Final

import structlog
from google.protobuf.any_pb2 import Any as PackedAny
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.rpc import code_pb2
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from psycopg import OperationalError

from cardroom.adapters.errors import (
    Conflict,
    ConnectionLost,
    EventUnreadable,
    IntegrityBroken,
    Overloaded,
    SlowReader,
    Unavailable,
)
from cardroom.adapters.grpc.auth import Unauthenticated
from cardroom.adapters.grpc.fields import field_of
from cardroom.api.common.v1.refusal_pb2 import Refusal
from cardroom.kernel.refusal import Refused

DOMAIN: Final = "cardroom"
DETAIL_BYTES: Final = 4096
"""How large a status may get: it travels in HTTP/2 trailers, for which clients allow 8 KiB in all."""
LONGEST_MESSAGE: Final = 600
"""In bytes: the message travels twice, once with each byte outside ASCII written as three."""
LONGEST_FIELD: Final = 200
PACKING_BYTES: Final = 128
"""What one more detail costs besides its content: its type's name and the lengths."""

log = structlog.get_logger("cardroom.grpc")

CODE_OF_INVARIANT: Final = {
    "CR-1": code_pb2.ABORTED,
    "CR-2": code_pb2.NOT_FOUND,
    "CR-4": code_pb2.INVALID_ARGUMENT,
    "CR-9": code_pb2.PERMISSION_DENIED,
    "CR-11": code_pb2.INVALID_ARGUMENT,
    "CR-14": code_pb2.UNAVAILABLE,
}
"""Invariants whose refusal is not FAILED_PRECONDITION; decided by the first rule that a refusal names."""

SHELL_FAULTS: Final[dict[type[Exception], tuple[int, str, str, str]]] = {
    Conflict: (
        code_pb2.ABORTED,
        "CONFLICT",
        "CR-1",
        "another process kept writing to the same streams; nothing was recorded, ask again",
    ),
    Overloaded: (
        code_pb2.RESOURCE_EXHAUSTED,
        "OVERLOADED",
        "",
        "too many commands wait already; nothing was recorded, ask again later",
    ),
    SlowReader: (
        code_pb2.RESOURCE_EXHAUSTED,
        "SLOW_READER",
        "",
        "the watch was read too slowly and has been dropped; resume it from the last version seen",
    ),
    Unavailable: (
        code_pb2.UNAVAILABLE,
        "STORE_UNAVAILABLE",
        "",
        "the store cannot be reached; asking again with the same request id is safe",
    ),
    ConnectionLost: (
        code_pb2.UNAVAILABLE,
        "CONNECTION_LOST",
        "",
        "whether it was recorded is not known; asking again with the same request id is safe",
    ),
}
"""What the shell raises besides refusals: code, reason, rule, sentence."""


class PermissionDenied(Exception):  # noqa: N818 - an answer to the caller
    """The token is good, but does not carry this call.

    Args:
        reason: `ROLE_MISSING`, `ROOM_NOT_COVERED` or `PERSON_NEEDED`, for programs.
        message: one sentence.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class InvalidRequest(Exception):  # noqa: N818 - an answer to the caller
    """The request cannot be read or breaks its declared constraints.

    Args:
        violations: (field, constraint id, sentence) for each; the field is empty where no one field is at fault.
    """

    def __init__(self, violations: Iterable[tuple[str, str, str]]) -> None:
        self.violations = tuple(violations)
        super().__init__("; ".join(f"{field or 'request'}: {m}" for field, _, m in self.violations))


class CallEnded(Exception):  # noqa: N818 - an answer to the caller
    """The server ends the call for a reason of its own: drain, deadline, limits, a token that ran out.

    Args:
        code: google.rpc code.
        reason: UPPER_SNAKE reason for programs.
        message: one sentence.
        retry_seconds: when asking again makes sense, 0 where the caller must judge.
    """

    def __init__(self, code: int, reason: str, message: str, retry_seconds: float = 0) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.retry_seconds = retry_seconds


def status_of(fault: BaseException, method: str, request: Descriptor | None = None) -> Status:
    """Return the status that a caller gets for what was raised.

    Args:
        fault: what the gate or a servicer raised.
        method: full name of the RPC, for the log.
        request: type of the request, in whose words a refusal names the field at fault; None keeps the core's word.
    """
    match fault:
        case Refused():
            field = field_of(request, fault.field) if request and fault.field else fault.field
            return _refused(fault, field)
        case InvalidRequest():
            return _invalid(fault)
        case Unauthenticated():
            return _status(code_pb2.UNAUTHENTICATED, fault.reason, str(fault))
        case PermissionDenied():
            return _status(code_pb2.PERMISSION_DENIED, fault.reason, str(fault), rule="CR-9")
        case CallEnded():
            status = _status(fault.code, fault.reason, str(fault))
            if fault.retry_seconds:
                _add_retry(status, fault.retry_seconds)
            return status
        case TimeoutError():
            return _status(
                code_pb2.DEADLINE_EXCEEDED,
                "DEADLINE",
                "not answered in time; it may still be recorded, ask again with the same request id",
            )
        case EventUnreadable():
            incident = _incident(fault, method)
            return _status(
                code_pb2.DATA_LOSS,
                "EVENT_UNREADABLE",
                f"{_shorten(str(fault))}; incident {incident}",
                incident=incident,
            )
        case IntegrityBroken():
            incident = _incident(fault, method)
            return _status(
                code_pb2.DATA_LOSS,
                "INTEGRITY_BROKEN",
                f"stored events fail verification and are not used; incident {incident}",
                incident=incident,
            )
    if isinstance(fault, OperationalError):  # from who reads a table without the shell
        fault = ConnectionLost(str(fault))
    for kind, (code, reason, rule, message) in SHELL_FAULTS.items():
        if isinstance(fault, kind):
            return _status(code, reason, message, rule=rule)
    incident = _incident(fault, method)
    return _status(
        code_pb2.INTERNAL,
        "INCIDENT",
        f"an error of the server's own, filed as incident {incident}",
        incident=incident,
    )


def _incident(fault: BaseException, method: str) -> str:
    incident = secrets.token_hex(6)
    log.error("incident", incident=incident, method=method, exc_info=fault)
    return incident


def _refused(refused: Refused, field: str) -> Status:
    code = CODE_OF_INVARIANT.get(refused.rules[0], code_pb2.FAILED_PRECONDITION)
    message = _shorten(refused.message)
    metadata = {"rule": refused.rules[0]}
    if len(refused.rules) > 1:
        metadata["rules"] = ",".join(refused.rules)
    if field:
        metadata["field"] = field
    status = _status(code, refused.code, message, **metadata)
    if code == code_pb2.INVALID_ARGUMENT and field:
        violation = BadRequest.FieldViolation(field=field, description=message, reason=refused.code)
        _add(status, BadRequest(field_violations=[violation]))
    refusal = Refusal(code=refused.code, rules=refused.rules, message=message, field=field)
    room = DETAIL_BYTES - status.ByteSize() - refusal.ByteSize() - PACKING_BYTES
    for at, option in enumerate(refused.options):
        room -= len(option.encode()) + 4
        if room < 0:
            refusal.options_left_out = len(refused.options) - at
            break
        refusal.options.append(option)
    _add(status, refusal)
    return status


def _invalid(fault: InvalidRequest) -> Status:
    first = fault.violations[0][0] if fault.violations else ""
    status = _status(
        code_pb2.INVALID_ARGUMENT,
        "REQUEST_INVALID",
        str(fault),
        rule="CR-4",
        field=_shorten(first, LONGEST_FIELD),
    )
    bad = BadRequest()
    room = DETAIL_BYTES - status.ByteSize() - PACKING_BYTES
    for field, constraint, sentence in fault.violations:
        violation = BadRequest.FieldViolation(
            field=_shorten(field, LONGEST_FIELD),
            reason=_shorten(constraint, LONGEST_FIELD),
            description=_shorten(sentence),
        )
        room -= violation.ByteSize() + 4
        if room < 0:
            break
        bad.field_violations.append(violation)
    _add(status, bad)
    return status


def _status(code: int, reason: str, message: str, **metadata: str) -> Status:
    kept = {name: value for name, value in metadata.items() if value}
    status = Status(code=code, message=_shorten(message))
    _add(status, ErrorInfo(reason=reason, domain=DOMAIN, metadata=kept))
    return status


def _add_retry(status: Status, seconds: float) -> None:
    info = RetryInfo()
    info.retry_delay.FromMilliseconds(round(seconds * 1000))
    _add(status, info)


def _add(status: Status, detail: Message) -> None:
    packed: Any = PackedAny()
    packed.Pack(detail)
    status.details.append(packed)


def _shorten(text: str, most_bytes: int = LONGEST_MESSAGE) -> str:
    encoded = text.encode(errors="replace")
    if len(encoded) <= most_bytes:
        return text
    return encoded[: most_bytes - 3].decode(errors="ignore") + "…"
