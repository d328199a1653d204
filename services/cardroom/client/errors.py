"""What a call can come back with, as typed exceptions made from the status and its details."""

from typing import Any, Final

import grpc
import msgspec
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from grpc_status import rpc_status

from cardroom.api.common.v1.refusal_pb2 import Refusal

_PASSING: Final = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    }
)
_FINAL_REASONS: Final = frozenset({"PIN_LOCKED"})
_TRANSPORT: Final = frozenset({grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN})
"""What the transport says when a server dies in the middle of a call; ours come with an ErrorInfo."""


class Violation(msgspec.Struct, frozen=True):
    """One field that a request got wrong.

    Args:
        field: its path in the request, or empty.
        constraint: id of the constraint or code of the refusal.
        message: one sentence.
    """

    field: str
    constraint: str
    message: str


class CallFailed(Exception):  # noqa: N818 - base of the outcomes below, and itself the server's own fault
    """A call did not succeed.

    Args:
        code: the gRPC status.
        reason: UPPER_SNAKE reason for programs; empty where the status came from the transport.
        message: one sentence.
        metadata: further facts, for example `incident`.
        retry_seconds: when the server thinks asking again makes sense, 0 where it did not say.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        metadata: dict[str, str] | None = None,
        retry_seconds: float = 0.0,
    ) -> None:
        super().__init__(
            f"{code.name} {reason}: {message}" if reason else f"{code.name}: {message}"
        )
        self.code = code
        self.reason = reason
        self.message = message
        self.metadata = metadata or {}
        self.retry_seconds = retry_seconds

    @property
    def passing(self) -> bool:
        """Whether the same request, under the same request id, may succeed later."""
        if self.code in _PASSING:
            # Without a reason the transport refused: a message too large stays too large.
            too_large = self.code == grpc.StatusCode.RESOURCE_EXHAUSTED and "larger" in self.message
            return self.reason not in _FINAL_REASONS and not too_large
        return self.reason == "CONFLICT" or (self.code in _TRANSPORT and not self.reason)


class CallUnavailable(CallFailed):
    """No answer was to be had in time; whether a change was recorded is known by asking again with its request id."""


class CallDenied(CallFailed):
    """The token, the role, the room or the person was not good enough."""


class CallInvalid(CallFailed):
    """The request breaks declared constraints; `violations` names each field."""

    violations: tuple[Violation, ...] = ()


class CallRefused(CallFailed):
    """The house book or an invariant does not allow it; nothing was recorded.

    Attributes:
        rules: ids of the rules it rests on.
        options: what would be accepted now.
        field: the request field at fault, or empty.
    """

    rules: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    field: str = ""


def failure_of(error: Any) -> CallFailed:
    """Make the typed exception from a `grpc.aio.AioRpcError`."""
    code: grpc.StatusCode = error.code()
    message = str(error.details() or "")
    info, refusal, bad, retry = ErrorInfo(), Refusal(), BadRequest(), RetryInfo()
    for packed in _details(error):
        for detail in (info, refusal, bad, retry):
            if packed.Is(detail.DESCRIPTOR):
                packed.Unpack(detail)
    cls = _class_of(code, refused=bool(refusal.code))
    failure = cls(
        code,
        info.reason,
        message,
        dict(info.metadata),
        retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9,
    )
    if isinstance(failure, CallRefused):
        failure.rules = tuple(refusal.rules)
        failure.options = tuple(refusal.options)
        failure.field = refusal.field
    if isinstance(failure, CallInvalid):
        failure.violations = tuple(
            Violation(each.field, each.reason, each.description) for each in bad.field_violations
        )
    return failure


def _details(error: Any) -> tuple[Any, ...]:
    try:
        status = rpc_status.from_call(error)
    except ValueError:  # the status details contradict the status: not one of ours
        return ()
    return tuple(status.details) if status is not None else ()


def _class_of(code: grpc.StatusCode, *, refused: bool) -> type[CallFailed]:
    if refused:
        return CallRefused
    match code:
        case grpc.StatusCode.UNAUTHENTICATED | grpc.StatusCode.PERMISSION_DENIED:
            return CallDenied
        case grpc.StatusCode.INVALID_ARGUMENT:
            return CallInvalid
        case _ if code in _PASSING:
            return CallUnavailable
    return CallFailed
