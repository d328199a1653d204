"""The base of every context's servicer: from a protobuf request to a command on its way through the shell."""

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from cardroom.adapters.grpc.caller import Caller, present_caller
from cardroom.adapters.shell.requests import Answer, Outcome, Request
from cardroom.kernel.decisions import Command, Decision
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import Streams

M = TypeVar("M", bound=Message)

EARLIEST_SECONDS = 0  # 1970-01-01
LATEST_SECONDS = 32_503_679_999  # 2999-12-31: days and deadlines reckoned from an instant stay within the calendar


class Submits(Protocol):
    """The part of `Application` that a servicer needs."""

    async def submit(
        self, command: Command, request: Request, answer: Answer | None = None
    ) -> Outcome:
        """Decide a command and record what it led to."""

    async def state(self, stem: str) -> tuple[Any, int]:
        """Return a stem's state and version."""

    def watch(self, stems: Sequence[str]) -> AsyncIterator[tuple[str, Any, int]]:
        """Yield (stem, state, version): first as each stands, then after each change."""


class Servicer:
    """Base class: `class SeatingServicer(Servicer, seating_pb2_grpc.SeatingServiceServicer)`.

    Whatever a method raises becomes a status by the table in `errors`: a servicer neither aborts nor catches.
    """

    def __init__(self, app: Submits) -> None:
        """Keep the context's application.

        Args:
            app: the shell's `Application` of the context.
        """
        self.app = app

    async def submit(
        self, context: Any, request: Message, command: Command, answer: Answer | None = None
    ) -> Outcome:
        """Send a command through the shell under the request's id and the caller's name.

        Args:
            context: the call's servicer context.
            request: the protobuf request; `request_id` and, where it has them, `occurred_at` and `override_reason`
                are taken from it.
            command: what it means.
            answer: bytes kept with the outcome, so that a repeated request gets the same answer.

        Raises:
            Refused: by the context's core, or CR-4 for an `occurred_at` that is no instant.
        """
        return await self.app.submit(command, shell_request(request), answer)

    async def record(
        self,
        context: Any,
        request: Message,
        command: Command,
        reply: type[M],
        view: Callable[[Streams], M],
    ) -> M:
        """Send a command through the shell and answer with a view of the states after it; a repeat gets the same.

        Args:
            context: the call's servicer context.
            request: the protobuf request.
            command: what it means.
            reply: the response class.
            view: makes the response from the states after the decision.
        """

        def answer(_decision: Decision, streams: Streams) -> bytes:
            return bytes(view(streams).SerializeToString())

        outcome = await self.submit(context, request, command, answer)
        return reply.FromString(outcome.result)


def shell_request(request: Any) -> Request:
    """Return what the shell needs to know about a call beside its command.

    Args:
        request: the protobuf request of a state-changing call.

    Raises:
        Refused: CR-4, `occurred_at` is no instant.
        LookupError: no call is being answered.
    """
    caller: Caller = present_caller()
    fields = request.DESCRIPTOR.fields_by_name
    occurred_at = None
    if "occurred_at" in fields and request.HasField("occurred_at"):
        occurred_at = instant_of(request.occurred_at, "occurred_at")
    return Request(
        request_id=request.request_id,
        actor=caller.subject,
        roles=caller.roles,
        station=caller.station,
        occurred_at=occurred_at,
        override_reason=request.override_reason if "override_reason" in fields else "",
        causation_id=caller.causation_id,
        correlation_id=caller.correlation_id,
    )


def instant_of(timestamp: Timestamp, field: str) -> datetime:
    """Return a protobuf timestamp as an aware datetime in UTC, to the microsecond.

    Args:
        timestamp: as received.
        field: the request field it stands in, for the refusal.

    Raises:
        Refused: CR-4, outside the years 1970 to 2999 or with nanoseconds out of range.
    """
    seconds, nanos = timestamp.seconds, timestamp.nanos
    if not EARLIEST_SECONDS <= seconds <= LATEST_SECONDS or not 0 <= nanos < 1_000_000_000:
        raise Refused(
            "TIMESTAMP_OUT_OF_RANGE",
            "CR-4",
            f"{field} is {seconds} s and {nanos} ns: an instant of the years 1970 to 2999",
            field=field,
        )
    return timestamp.ToDatetime(tzinfo=UTC)


def timestamp_of(at: datetime) -> Timestamp:
    """Return an aware datetime as a protobuf timestamp."""
    timestamp = Timestamp()
    timestamp.FromDatetime(at)
    return timestamp
