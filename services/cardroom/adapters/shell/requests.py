"""What a caller brings beside the command, and what comes back."""

from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import blake2b

import msgspec

from cardroom.kernel.decisions import Command, Decision
from cardroom.kernel.envelope import Recorded
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import Streams

Answer = Callable[[Decision, Streams], bytes]
"""`(decision, streams after it) -> bytes` kept with the outcome, so that a repeated request gets the same answer."""


class Request(msgspec.Struct, frozen=True):
    """Who asks, when, and under which id.

    Args:
        request_id: idempotency key: the same id with the same command gets the stored outcome again.
        actor: subject of the token, or `timer`, or the context whose event caused it.
        roles: roles the actor holds here.
        station: the podium, tablet or process.
        occurred_at: when it happened, as reported; None where the server's receipt is the time.
        override_reason: a floorperson's reason for going against the book, or for a time out of tolerance.
        causation_id: what caused the command, as `context:notification id`, or empty.
        correlation_id: common to everything that goes back to one first command; the request id where empty.
    """

    request_id: str
    actor: str = ""
    roles: frozenset[str] = frozenset()
    station: str = ""
    occurred_at: datetime | None = None
    override_reason: str = ""
    causation_id: str = ""
    correlation_id: str = ""


class Outcome(msgspec.Struct, frozen=True):
    """What a command led to.

    Args:
        events: what was recorded, in order.
        versions: version of each stem it wrote to, after it.
        result: what the caller's `answer` made of it, or empty.
        repeated: whether this is the stored outcome of an earlier call with the same id.
    """

    events: tuple[Recorded, ...] = ()
    versions: dict[str, int] = {}
    result: bytes = b""
    repeated: bool = False


class StoredOutcome(msgspec.Struct, frozen=True, array_like=True):
    """An outcome as the request table keeps it: the events by name, they lie in the event table.

    Args:
        events: stream and version of each event, in order.
        versions: as in `Outcome`.
        result: as in `Outcome`.
    """

    events: tuple[tuple[str, int], ...]
    versions: dict[str, int]
    result: bytes


_ENCODER = msgspec.msgpack.Encoder()


def digest_of(commands: Sequence[Command], request: Request, key: bytes = b"") -> bytes:
    """Return the digest that tells whether a request id comes with the same content again.

    Args:
        commands: what is asked.
        request: by whom.
        key: secret where commands may hold personal data: a plain digest would tell a guessed name from a wrong one,
            also after the name itself was erased. At most 64 bytes.
    """
    asked = tuple(_asked(command) for command in commands)
    content = _ENCODER.encode((asked, request.actor, request.override_reason, request.occurred_at))
    return blake2b(content, key=key, digest_size=32).digest()


def _asked(command: Command) -> Command:
    """Return a command without the facts that were read for it, which its caller did not send."""
    read = [name for name in command.facts_read if name in command.__struct_fields__]
    return msgspec.structs.replace(command, **dict.fromkeys(read)) if read else command


def check_request_id(request_id: str) -> None:
    """Raise `Refused` (CR-4) where a request id is empty, too long or not printable."""
    if not request_id or len(request_id) > 128 or not request_id.isprintable():
        raise Refused(
            "REQUEST_ID_MALFORMED",
            "CR-4",
            f"request_id is {request_id[:140]!r}: 1 to 128 printable characters",
            field="request_id",
        )


def reused(request_id: str) -> Refused:
    """Return the refusal of a request id that came before with another content."""
    return Refused(
        "REQUEST_ID_REUSED",
        "CR-11",
        f"request_id {request_id!r} came before with another content",
        options=("send a new request_id",),
        field="request_id",
    )
