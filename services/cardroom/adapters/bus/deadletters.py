"""Positions and dead letters in a context's own schema on PostgreSQL."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, LiteralString

from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Composed, Identifier
from psycopg_pool import AsyncConnectionPool

from cardroom.adapters.bus.leading import LeadingSession, lock_number
from cardroom.adapters.bus.port import DeadLetter
from cardroom.adapters.shell.requests import reused
from cardroom.adapters.store.port import Position

Connection = AsyncConnection[Any]

_TABLES: Final = (
    "events",
    "positions",
    "dead_letters",
    "dead_letter_resolutions",
    "dead_letter_failures",
    "dead_letter_announcements",
    "open_dead_letters",
    "unannounced_dead_letters",
    "requests",
)

CONNECTION_SECONDS: Final = 10.0
"""How long one waits for a connection of the pool."""


def schema_pool(dsn: str, schema: str, *, size: int = 6) -> AsyncConnectionPool[Any]:
    """Return a pool, not yet open, of connections that commit each statement and look into a context's schema.

    Args:
        dsn: connection string of the context's service role.
        schema: the context's schema.
        size: connections at most.
    """
    options = f"-c search_path={schema} -c timezone=UTC"
    return AsyncConnectionPool(
        make_conninfo(dsn, options=options, application_name=f"cardroom {schema} bus"),
        min_size=1,
        max_size=size,
        open=False,
        timeout=CONNECTION_SECONDS,
        # The driver doubles its pauses until then; who asks afterwards makes it begin at the shortest again.
        reconnect_timeout=CONNECTION_SECONDS,
        kwargs={"autocommit": True},
    )


class PostgresLedger:
    """Positions and dead letters of one context."""

    def __init__(
        self, pool: AsyncConnectionPool[Any], schema: str, *, stores_events: bool = True
    ) -> None:
        """Take the pool, opened by its owner.

        Args:
            pool: as `schema_pool` makes it.
            schema: the context's schema.
            stores_events: whether an application appends to the schema's log; parking then waits for its commits.
        """
        self._pool = pool
        self._schema = schema
        self._stores_events = stores_events
        self._names = {name: Identifier(schema, name) for name in _TABLES}
        self._session = LeadingSession(pool, schema)

    async def close(self) -> None:
        """Give up all leading roles."""
        await self._session.close()

    async def positions(self, source: str) -> dict[int, int]:
        """Return partition -> handled up to."""
        return {
            int(name): upto for name, upto in (await self.marks(source)).items() if name.isdecimal()
        }

    async def advance(self, position: Position) -> None:
        """Store a position unless a higher one is stored."""
        async with self._pool.connection() as connection:
            await self.advance_in(connection, position)

    async def advance_in(self, connection: Connection, position: Position) -> bool:
        """Move a position forward in the caller's transaction; False where it is not above the stored one."""
        cursor = await connection.execute(
            self._sql(
                "INSERT INTO {positions} AS p (application_name, notification_id) VALUES (%s, %s) "
                "ON CONFLICT (application_name) DO UPDATE SET notification_id = EXCLUDED.notification_id "
                "WHERE p.notification_id < EXCLUDED.notification_id RETURNING notification_id"
            ),
            (position.name, position.notification_id),
        )
        return await cursor.fetchone() is not None

    async def marks(self, name: str) -> dict[str, int]:
        """Return what is stored under `name/...`."""
        prefix = f"{name}/"
        rows = await self._rows(
            "SELECT application_name, notification_id FROM {positions} "
            "WHERE starts_with(application_name, %s)",
            (prefix,),
        )
        return {stored[len(prefix) :]: upto for stored, upto in rows}

    async def set_marks(self, name: str, marks: Mapping[str, int]) -> None:
        """Store where to read on, or what was sent, in one transaction."""
        async with self._pool.connection() as connection:
            await connection.execute(
                self._sql(
                    "INSERT INTO {positions} (application_name, notification_id) "
                    "SELECT * FROM unnest(%s::text[], %s::bigint[]) ON CONFLICT (application_name) "
                    "DO UPDATE SET notification_id = EXCLUDED.notification_id"
                ),
                ([f"{name}/{part}" for part in marks], list(marks.values())),
            )

    async def generation(self, name: str) -> int:
        """Return how often a read model was rebuilt, from 0."""
        return (await self.marks("generation")).get(name, 0)

    async def ensure_generation(self, name: str) -> None:
        """Make the row that `generation_in` holds."""
        async with self._pool.connection() as connection:
            await connection.execute(
                self._sql("INSERT INTO {positions} VALUES (%s, 0) ON CONFLICT DO NOTHING"),
                (f"generation/{name}",),
            )

    async def generation_in(self, connection: Connection, name: str) -> int:
        """Return how often a read model was rebuilt, and hold a rebuild off until the caller's transaction ends."""
        cursor = await connection.execute(
            self._sql(
                "SELECT notification_id FROM {positions} WHERE application_name = %s FOR SHARE"
            ),
            (f"generation/{name}",),
        )
        row = await cursor.fetchone()
        if row is None:
            raise LookupError(f"the generation of {name} was never looked at")
        return int(row[0])

    async def begin_generation(
        self, connection: Connection, name: str, consumer: str, actor: str, reason: str
    ) -> None:
        """Let a read model's next build begin, whose positions bear another name, in the caller's transaction."""
        await connection.execute(
            self._sql(
                "INSERT INTO {positions} AS p (application_name, notification_id) VALUES (%s, 1) "
                "ON CONFLICT (application_name) DO UPDATE SET notification_id = p.notification_id + 1"
            ),
            (f"generation/{name}",),
        )
        await connection.execute(
            self._sql(
                "INSERT INTO {dead_letter_resolutions} (dead_letter_id, resolution, actor, reason) "
                "SELECT dead_letter_id, 'skipped', %s, %s FROM {open_dead_letters} WHERE consumer = %s"
            ),
            (actor, reason, consumer),
        )

    async def stopped_keys(self, consumer: str) -> set[tuple[str, str]]:
        """Return the (source, key) pairs that have unresolved messages."""
        rows = await self._rows(
            "SELECT DISTINCT source, ordering_key FROM {open_dead_letters} WHERE consumer = %s",
            (consumer,),
        )
        return {(source, key) for source, key in rows}

    async def park(self, letter: DeadLetter, position: Position) -> bool:
        """Park a failed message and move the position, in one transaction."""
        async with self._pool.connection() as connection, connection.transaction():
            await self._lock_key(connection, letter.consumer, letter.source, letter.key)
            return await self._park(connection, letter, position)

    async def park_behind(self, letter: DeadLetter, position: Position) -> bool:
        """Park a message behind others of its key, in one transaction; False where none is parked there."""
        async with self._pool.connection() as connection, connection.transaction():
            await self._lock_key(connection, letter.consumer, letter.source, letter.key)
            if await self._first(connection, letter.consumer, letter.source, letter.key) is None:
                return False
            await self._park(connection, letter, position)
            return True

    async def parked(self, consumer: str, limit: int, after: int = 0) -> list[DeadLetter]:
        """Return the unresolved messages of a consumer above a dead-letter id, oldest first."""
        rows = await self._rows(
            "SELECT * FROM {open_dead_letters} WHERE consumer = %s AND dead_letter_id > %s "
            "ORDER BY dead_letter_id LIMIT %s",
            (consumer, after, limit),
        )
        return [_letter(row) for row in rows]

    @asynccontextmanager
    async def held(self, consumer: str, source: str, key: str) -> AsyncIterator["HeldRow"]:
        """Lock a stopped key until the context ends; each resolution is committed on its own."""
        async with self._pool.connection() as connection:
            lock = (lock_number(self._schema, consumer, source, key),)
            await connection.execute("SELECT pg_advisory_lock(%s)", lock)
            try:
                yield HeldRow(self, connection, consumer, source, key)
            finally:
                await connection.execute("SELECT pg_advisory_unlock(%s)", lock)

    async def answer(self, request_id: str, digest: bytes) -> bytes | None:
        """Return what was answered to a request about dead letters, or None where it is new.

        Raises:
            Refused: CR-11, the request id came with another content.
        """
        rows = await self._rows(
            "SELECT digest, outcome FROM {requests} WHERE request_id = %s", (f"bus {request_id}",)
        )
        if not rows:
            return None
        if bytes(rows[0][0]) != digest:
            raise reused(request_id)
        return bytes(rows[0][1])

    async def keep_answer(self, request_id: str, digest: bytes, answer: bytes) -> None:
        """Keep what was answered to a request."""
        async with self._pool.connection() as connection:
            await connection.execute(
                self._sql("INSERT INTO {requests} VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"),
                (f"bus {request_id}", digest, answer),
            )

    async def unannounced(self, limit: int) -> list[DeadLetter]:
        """Return dead letters that the dead-letter topic does not have yet."""
        rows = await self._rows(
            "SELECT * FROM {unannounced_dead_letters} ORDER BY dead_letter_id LIMIT %s",
            (limit,),
        )
        return [_letter(row) for row in rows]

    async def announced(self, letters: Sequence[DeadLetter]) -> None:
        """Put on record that the dead-letter topic has them."""
        async with self._pool.connection() as connection:
            await connection.execute(
                self._sql(
                    "INSERT INTO {dead_letter_announcements} (dead_letter_id) SELECT unnest(%s::bigint[]) "
                    "ON CONFLICT DO NOTHING"
                ),
                ([letter.dead_letter_id for letter in letters],),
            )

    @asynccontextmanager
    async def lead(self, role: str) -> AsyncIterator[None]:
        """Be the only process in a role; waits for its turn.

        Raises:
            LeadLost: the session that holds the role broke.
        """
        async with self._session.lead(role):
            yield

    async def _park(self, connection: Connection, letter: DeadLetter, position: Position) -> bool:
        if self._stores_events:
            # The application's commits judge positions under this lock; parking must not slip between.
            await connection.execute(self._sql("LOCK TABLE {events} IN EXCLUSIVE MODE"))
        if not await self.advance_in(connection, position):
            return False
        await connection.execute(
            self._sql(
                "INSERT INTO {dead_letters} (consumer, source, partition, notification_id, ordering_key, "
                "envelope, failed, reason) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"
            ),
            (
                letter.consumer,
                letter.source,
                letter.partition,
                letter.notification_id,
                letter.key,
                letter.envelope,
                letter.failed,
                letter.reason,
            ),
        )
        return True

    async def _first(
        self, connection: Connection, consumer: str, source: str, key: str
    ) -> DeadLetter | None:
        cursor = await connection.execute(
            self._sql(
                "SELECT * FROM {open_dead_letters} WHERE consumer = %s AND source = %s AND ordering_key = %s "
                "ORDER BY dead_letter_id LIMIT 1"
            ),
            (consumer, source, key),
        )
        row = await cursor.fetchone()
        return None if row is None else _letter(row)

    async def _lock_key(self, connection: Connection, consumer: str, source: str, key: str) -> None:
        await connection.execute(
            "SELECT pg_advisory_xact_lock(%s)", (lock_number(self._schema, consumer, source, key),)
        )

    async def _rows(self, text: LiteralString, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        async with self._pool.connection() as connection:
            cursor = await connection.execute(self._sql(text), values)
            rows: list[tuple[Any, ...]] = await cursor.fetchall()
            return rows

    def _sql(self, text: LiteralString) -> Composed:
        return SQL(text).format(**self._names)


class HeldRow:
    """A stopped key under lock."""

    def __init__(
        self, ledger: PostgresLedger, connection: Connection, consumer: str, source: str, key: str
    ) -> None:
        self.connection = connection
        self._ledger = ledger
        self._key = (consumer, source, key)

    async def first(self) -> DeadLetter | None:
        """Return the first parked message, or None where none is left."""
        return await self._ledger._first(self.connection, *self._key)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """Do several things in one transaction."""
        async with self.connection.transaction():
            yield

    async def resolve(self, letter: DeadLetter, resolution: str, actor: str, reason: str) -> None:
        """Put on record that a message was released or skipped."""
        await self.connection.execute(
            self._ledger._sql(
                "INSERT INTO {dead_letter_resolutions} (dead_letter_id, resolution, actor, reason) "
                "VALUES (%s, %s, %s, %s)"
            ),
            (letter.dead_letter_id, resolution, actor, reason),
        )

    async def note_failure(self, letter: DeadLetter, actor: str, reason: str) -> None:
        """Put on record that a release failed."""
        await self.connection.execute(
            self._ledger._sql(
                "INSERT INTO {dead_letter_failures} (dead_letter_id, actor, reason) VALUES (%s, %s, %s)"
            ),
            (letter.dead_letter_id, actor, reason),
        )


def _letter(row: tuple[Any, ...]) -> DeadLetter:
    return DeadLetter(
        dead_letter_id=row[0],
        consumer=row[1],
        source=row[2],
        partition=row[3],
        notification_id=row[4],
        key=row[5],
        envelope=bytes(row[6]),
        failed=row[7],
        reason=row[8],
        parked_at=row[9],
    )
