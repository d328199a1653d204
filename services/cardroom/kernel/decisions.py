"""Commands, the occasion they come on, and what a context hands to the shell so that the shell can run it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, ClassVar

import msgspec

from cardroom.kernel.events import Event, EventTypes
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import Aggregate, StreamId, Streams

Decision = tuple[tuple[StreamId, Event], ...]
"""What a decision records: events by stream stem, in order, saved together or not at all."""


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """A request of one context; subclasses name themselves by `tag` and carry `room` (or `group` for players).

    A class whose commands carry facts that were read from another context for the decision lists those fields in
    `facts_read` (they allow None): they are no part of what the caller asked, so a request that is sent again is the
    same request although the facts read for it have changed meanwhile.
    """

    facts_read: ClassVar[tuple[str, ...]] = ()


class Override(msgspec.Struct, frozen=True):
    """A floorperson's word against the book, where the book leaves it to the floor.

    Args:
        reason: why, in words; never empty.
    """

    reason: str


class Occasion(msgspec.Struct, frozen=True, kw_only=True):
    """When and by whom a command is decided; the shell brings it, the core never looks for it.

    Args:
        at: effective time in UTC: the server's receipt, or the station's time within the set tolerance.
        recorded_at: the server's receipt in UTC.
        gaming_day: the room's gaming day at `at`, as YYYY-MM-DD.
        utc_offset_minutes: the room's offset from UTC at `at`.
        actor: subject of the token, or `timer`, or the context whose event caused it.
        roles: roles the actor holds here.
        station: the podium, tablet or process.
        override: given where the actor asks to go against the book.
        seed: 32 bytes of server randomness, for draws; recorded by the event that uses it.
    """

    at: datetime
    recorded_at: datetime
    gaming_day: str
    utc_offset_minutes: int = 0
    actor: str = ""
    roles: frozenset[str] = frozenset()
    station: str = ""
    override: Override | None = None
    seed: bytes = b""


def require_override(occasion: Occasion, roles: frozenset[str], refusal: Refused) -> Override:
    """Return the override if a person of the right role gave one with a reason; raise the refusal otherwise.

    Args:
        occasion: who asks.
        roles: the roles that may go against the book here.
        refusal: what the book says without an override.

    Raises:
        Refused: `refusal` where no override was given, CR-9 where role or reason is missing.
    """
    override = occasion.override
    if override is None:
        raise refusal
    if not occasion.roles & roles:
        raise Refused(
            "OVERRIDE_ROLE",
            "CR-9",
            f"going against {', '.join(refusal.rules)} takes one of: {', '.join(sorted(roles))}",
        )
    if not override.reason.strip():
        raise Refused(
            "OVERRIDE_REASON",
            "CR-9",
            "an override needs a reason in words",
            field="override.reason",
        )
    return override


class Decider(msgspec.Struct, frozen=True):
    """All that the shell needs to run one context.

    Args:
        context: its name, also the name of its schema.
        events: the event types it stores.
        aggregates: kind -> how it is folded.
        key: `(command) -> ordering key`; commands of one key are decided one after the other.
        reads: `(command, streams loaded so far) -> stems still wanted or already loaded`; asked again until it names
            nothing new, so that what was loaded may tell what else is needed.
        decide: `(command, streams, occasion) -> Decision`; raises `Refused`.
        commands: the command classes it accepts.
        book_digest: `(command, streams) -> digest of the book it was decided under`, or "" where none applies.
    """

    context: str
    events: EventTypes
    aggregates: Mapping[str, Aggregate]
    key: Callable[[Any], str]
    reads: Callable[[Any, Streams], frozenset[StreamId]]
    decide: Callable[[Any, Streams, Occasion], Decision]
    commands: tuple[type[Command], ...]
    book_digest: Callable[[Any, Streams], str] | None = None
