"""What a message becomes: commands to an application, or rows of a read model."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from cardroom.adapters.bus.deadletters import PostgresLedger
from cardroom.adapters.bus.envelope import Received
from cardroom.adapters.bus.port import Rebuilt
from cardroom.adapters.context import Policy, Projection
from cardroom.adapters.shell.requests import Request
from cardroom.adapters.store.port import Position
from cardroom.kernel.decisions import Command


class Application(Protocol):
    """The part of the shell that an inbox needs."""

    async def submit_all(
        self, commands: Sequence[Command], request: Request, tracking: Position | None = None
    ) -> Any:
        """Decide and save all commands and the position in one transaction, or nothing."""


def request_for(message: Received) -> Request:
    """Return the request that a message's commands come with.

    They are decided at the time of receipt; a policy that needs the time or the gaming day of the cause carries it in
    its commands.
    """
    return Request(
        request_id=message.message_id,
        actor=message.source,
        station="bus",
        causation_id=message.message_id,
        correlation_id=message.correlation_id or message.message_id,
    )


class CommandHandler:
    """Turns messages into commands by the context's pure policies."""

    def __init__(self, app: Application, policies: Mapping[str, Policy]) -> None:
        """Take the application and source context -> policy."""
        self._app = app
        self._policies = dict(policies)
        self.sources = tuple(self._policies)

    def tracked(self, source: str) -> str:
        """Return the source itself: the application's own positions."""
        return source

    async def begin(self, source: str) -> None:
        """Nothing to get ready."""

    async def check(self, source: str) -> None:
        """An application's history is never emptied."""

    async def handle(self, message: Received, position: Position) -> bool:
        """Submit the commands together with the position."""
        commands = self._policies[message.source](message)
        if not commands:
            return False
        await self._app.submit_all(commands, request_for(message), tracking=position)
        return True

    async def replay(self, message: Received, connection: Any) -> None:
        """Submit the commands of a parked message; its request id keeps a repeat from counting twice."""
        commands = self._policies[message.source](message)
        if commands:
            await self._app.submit_all(commands, request_for(message))


class ProjectionHandler:
    """Writes a read model's rows and its position in one transaction."""

    def __init__(
        self, pool: AsyncConnectionPool[Any], ledger: PostgresLedger, projection: Projection
    ) -> None:
        """Take the pool and the ledger of the context's schema, and the read model."""
        self._pool = pool
        self._ledger = ledger
        self._projection = projection
        self._name = f"projection:{projection.name}"
        self._generations: dict[str, int] = {}
        self.sources = projection.sources

    def tracked(self, source: str) -> str:
        """Return a name of the read model's own and of this build of it: each build begins at the beginning."""
        return f"{self._name}:{self._generations.get(source, 0)}:{source}"

    async def begin(self, source: str) -> None:
        """Note which build of the read model the source's follower works for from now on."""
        await self._ledger.ensure_generation(self._name)
        self._generations[source] = await self._ledger.generation(self._name)

    async def check(self, source: str) -> None:
        """Raise `Rebuilt` where it was built again since."""
        if await self._ledger.generation(self._name) != self._generations.get(source, 0):
            raise Rebuilt(f"{self._name} is built again from the first message")

    async def handle(self, message: Received, position: Position) -> bool:
        """Apply the message unless another process was faster."""
        async with self._pool.connection() as connection, connection.transaction():
            generation = await self._ledger.generation_in(connection, self._name)
            if generation != self._generations.get(message.source, 0):
                raise Rebuilt(f"{self._name} is built again from the first message")
            if await self._ledger.advance_in(connection, position):
                await self._projection.apply(connection, message)
        return True

    async def replay(self, message: Received, connection: AsyncConnection[TupleRow]) -> None:
        """Apply a parked message in the transaction that resolves it."""
        await self._projection.apply(connection, message)

    async def rebuild(self, consumer: str, *, actor: str, reason: str) -> None:
        """Empty the read model; whoever follows for it starts again from the first message.

        Args:
            consumer: the name of its inbox, whose parked messages are passed over.
            actor: who asks.
            reason: why; stays on record with the parked messages.
        """
        async with self._pool.connection() as connection, connection.transaction():
            await self._ledger.begin_generation(connection, self._name, consumer, actor, reason)
            await self._projection.reset(connection)
