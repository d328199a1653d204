"""What a context hands over so that a process can run it: one frozen value, stated in its `main.py` as `CONTEXT`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from cardroom.adapters.bus.envelope import OrderingKey, Publish, Received, key_by_room
from cardroom.adapters.grpc.people import People
from cardroom.adapters.installation import Database
from cardroom.adapters.settings import Settings
from cardroom.kernel.clock import Clock
from cardroom.kernel.decisions import Command, Decider

Policy = Callable[[Received], tuple[Command, ...]]
"""Pure: a published message of another context -> the commands it means here, saved together or not at all."""


class Peers(Protocol):
    """The other contexts of this installation, as a context's `ask.py` reaches them."""

    def channel(self, context: str) -> Any:
        """Return the open `grpc.aio.Channel` to a context; it carries this process's credentials.

        Raises:
            KeyError: the settings name no address for that context.
        """


class Projection(Protocol):
    """A read model: tables in the context's own schema, filled from published messages.

    The position is stored in the transaction of the rows, so each message counts once; rebuilding is `reset` followed
    by everything from the first message on.
    """

    name: str
    sources: tuple[str, ...]
    """Contexts whose messages it reads; may name its own."""

    async def reset(self, connection: AsyncConnection[TupleRow]) -> None:
        """Empty its tables, inside the caller's transaction."""

    async def apply(self, connection: AsyncConnection[TupleRow], message: Received) -> None:
        """Write what the message means into its tables, inside the caller's transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a running process gives to a context's servicers.

    Args:
        app: the context's `Application`, or None where it has no decider.
        peers: channels to the other contexts.
        database: connection pool in the context's own schema (psycopg `AsyncConnectionPool`), for read models.
        clock: the process's clock.
        settings: the process's settings.
        connections: connection strings of the installation's database, for the contexts that read the stores of
            others under the read-only role (audit, reporting).
    """

    app: Any
    peers: Peers
    database: AsyncConnectionPool[Any]
    clock: Clock
    settings: Settings
    connections: Database


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSpec:
    """One context as a process runs it.

    Args:
        name: the context's name, also its schema's and its log's.
        decider: its functional core; None for contexts that own no fact (reporting, audit).
        publish: stored event -> published message, or None where it stays inside; None: publishes nothing.
        ordering_key: stored event -> the key whose messages stay in order.
        inboxes: source context -> the policy that turns its messages into commands here.
        servicers: builds the gRPC servicers from the running parts.
        projections: its read models.
        people: who works here, for shared stations; the house alone knows.
    """

    name: str
    decider: Decider | None = None
    publish: Publish | None = None
    ordering_key: OrderingKey = key_by_room
    inboxes: Mapping[str, Policy] = field(default_factory=dict)
    servicers: Callable[[Parts], Sequence[Any]] = lambda parts: ()
    projections: tuple[Projection, ...] = ()
    people: Callable[[Parts], People] | None = None
