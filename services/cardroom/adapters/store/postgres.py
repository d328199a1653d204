"""The store on PostgreSQL: group commits on a connection of its own, reads on a small pool."""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import psycopg
import psycopg_pool
import structlog
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow
from psycopg.types.numeric import Int8

from cardroom.adapters.errors import ConnectionLost, Unavailable
from cardroom.adapters.store import sql
from cardroom.adapters.store.bulk import BulkReader
from cardroom.adapters.store.judge import as_if_undisturbed, judge
from cardroom.adapters.store.listening import Listening
from cardroom.adapters.store.port import (
    ERASED,
    Accepted,
    DueEntry,
    Head,
    Liveness,
    Proposal,
    Repeated,
    Seal,
    StoredEvent,
    SubjectKey,
    Verdict,
    Whole,
    position_name,
)

_log = structlog.get_logger("cardroom.store")
_NO_LIMIT: Final = 2**62
CONNECTION_SECONDS: Final = 10.0
"""How long a reader waits for a connection of the pool."""


class PostgresStore:
    """A `Store` in one schema of a database that the migrations have prepared."""

    def __init__(
        self,
        dsn: str,
        schema: str,
        *,
        eraser_dsn: str = "",
        readers: int = 4,
        writes: bool = True,
        lock_timeout_seconds: int = 10,
    ) -> None:
        """Take where the store lies.

        Args:
            dsn: connection string of the context's own role.
            schema: the context's schema.
            eraser_dsn: connection string of the role that may delete keys; needed for `erase_subject` only.
            readers: connections for reading.
            writes: whether a connection for writing is kept ready; who only reads spares the server one.
            lock_timeout_seconds: how long a commit waits for another process's.
        """
        # The tables grow under prepared statements whose plans were made when they were empty; index scans only.
        options = (
            f"-c search_path={schema} -c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan "
            f"-c lock_timeout={lock_timeout_seconds}s -c timezone=UTC"
        )
        self._readers = readers
        self._writes = writes
        self.schema = schema
        self.channel = f"{schema}_events"
        self.instance = secrets.token_hex(8)
        self._dsn = make_conninfo(
            dsn,
            options=options,
            application_name=f"cardroom {schema}",
            # A machine that vanished is noticed within half a minute, not after hours.
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
            tcp_user_timeout=20_000,
        )
        self._eraser_dsn = eraser_dsn and make_conninfo(eraser_dsn, options=options)
        self._writer: AsyncConnection[TupleRow] | None = None
        self._bulk = BulkReader(self._dsn)
        self._pool = psycopg_pool.AsyncConnectionPool(
            self._dsn,
            min_size=1,
            max_size=readers,
            open=False,
            timeout=CONNECTION_SECONDS,
            # The driver doubles its pauses until then; who asks afterwards makes it begin at the shortest again.
            reconnect_timeout=CONNECTION_SECONDS,
            kwargs={"autocommit": True, "prepare_threshold": 0},
            check=None,
        )

    async def open(self) -> None:
        """Connect.

        Raises:
            Unavailable: the server does not answer, or refuses the role.
        """
        try:
            if self._writes:
                self._writer = await self._connect()
            await self._pool.open(wait=not self._writes, timeout=10.0)
        except psycopg.Error as error:
            raise Unavailable(f"the store {self.schema} cannot be reached: {error}") from error

    async def close(self) -> None:
        """Let go of every connection."""
        if self._writer is not None:
            await self._writer.close()
            self._writer = None
        await self._bulk.close()
        await self._pool.close()

    async def _connect(self) -> AsyncConnection[TupleRow]:
        return await AsyncConnection.connect(
            self._dsn, autocommit=True, prepare_threshold=0, connect_timeout=10
        )

    # --- group commit --------------------------------------------------------------------------------------------

    async def commit(self, batch: Sequence[Proposal]) -> list[Verdict]:
        """Save what can be saved of a batch in one transaction and return a verdict for each proposal.

        Raises:
            ConnectionLost: the connection broke; some or none of it may be saved.
            Unavailable: the lock could not be had in time; nothing was saved.
        """
        if self._writer is None or self._writer.closed:
            try:
                self._writer = await self._connect()
            except psycopg.OperationalError as error:
                raise ConnectionLost(str(error)) from error
        writer = self._writer
        try:
            return await self._commit(writer, batch)
        except psycopg.errors.LockNotAvailable as error:
            await writer.close()
            raise Unavailable(f"the store {self.schema} is busy: {error}") from error
        except psycopg.OperationalError as error:
            await writer.close()
            raise ConnectionLost(str(error)) from error
        except BaseException:
            # The server takes back what was not committed; this connection's state is not worth saving.
            await writer.close()
            raise

    async def _commit(
        self, writer: AsyncConnection[TupleRow], batch: Sequence[Proposal]
    ) -> list[Verdict]:
        assumed = as_if_undisturbed(batch)
        if assumed is not None:
            cursor = await writer.execute(sql.APPEND, self._append_parameters(batch, assumed))
            done, first, last = await cursor.fetchone() or (False, None, None)
            if done:
                return _numbered(batch, [Accepted()] * len(batch), first, last)
        return await self._commit_judged(writer, batch)

    async def _commit_judged(
        self, writer: AsyncConnection[TupleRow], batch: Sequence[Proposal]
    ) -> list[Verdict]:
        """Find out proposal by proposal what may be saved, and save that."""
        async with writer.pipeline():
            await writer.execute("BEGIN")
            await writer.execute(sql.LOCK)
            verdicts = await self._judge(writer, batch)
            accepted = [
                proposal
                for proposal, verdict in zip(batch, verdicts, strict=True)
                if isinstance(verdict, Accepted) and not proposal.refusal
            ]
            if not accepted:
                # Nothing was written; a ROLLBACK would make the driver forget its prepared statements.
                await writer.execute("COMMIT")
                return verdicts
            written = await self._write(writer, accepted)
            await writer.execute("COMMIT")
            first, last, _, _ = await written.fetchone() or (None, None, 0, None)
        return _numbered(batch, verdicts, first, last)

    def _append_parameters(
        self, batch: Sequence[Proposal], assumed: Mapping[str, Head]
    ) -> tuple[Any, ...]:
        events = [event for proposal in batch for event in proposal.events]
        written = [proposal for proposal in batch if not proposal.refusal and proposal.request_id]
        due = {stem: at for proposal in batch for stem, at in proposal.due}
        firsts: dict[str, Int8] = {}
        lasts: dict[str, Int8] = {}
        for proposal in batch:
            tracking = proposal.tracking
            if tracking is not None:
                number = Int8(tracking.notification_id)
                firsts.setdefault(tracking.name, number)
                if not proposal.refusal:
                    lasts[tracking.name] = number
        return (
            list(assumed),
            [Int8(head.version) for head in assumed.values()],
            [head.own_hash for head in assumed.values()],
            list({stem for proposal in batch for stem in proposal.unborn}),
            [event.stream for event in events],
            [Int8(event.version) for event in events],
            [event.topic for event in events],
            [event.state for event in events],
            [proposal.request_id for proposal in batch if proposal.request_id],
            [proposal.request_id for proposal in written],
            [proposal.digest for proposal in written],
            [proposal.outcome for proposal in written],
            list(due),
            list(due.values()),
            list(lasts),
            [firsts[name] for name in lasts],
            list(lasts.values()),
            self.channel,
            self.instance,
        )

    async def _judge(
        self, writer: AsyncConnection[TupleRow], batch: Sequence[Proposal]
    ) -> list[Verdict]:
        streams = {expected.stream for proposal in batch for expected in proposal.expected}
        stems = {stem for proposal in batch for stem in proposal.unborn}
        names = {proposal.tracking.name for proposal in batch if proposal.tracking is not None}
        ids = [proposal.request_id for proposal in batch if proposal.request_id]
        heads = await writer.execute(sql.HEADS, (list(streams),), binary=True) if streams else None
        days = await writer.execute(sql.CURRENT_DAYS, (list(stems),)) if stems else None
        places = await writer.execute(sql.POSITIONS, (list(names),)) if names else None
        requests = await writer.execute(sql.REQUESTS, (ids,), binary=True)
        stored = {row[0]: Repeated(row[1], row[2]) for row in await requests.fetchall()}
        return judge(
            batch,
            {row[0]: Head(*row) for row in await heads.fetchall()} if heads else {},
            stored,
            dict(await places.fetchall()) if places else {},
            dict(await days.fetchall()) if days else {},
        )

    async def _write(
        self, writer: AsyncConnection[TupleRow], accepted: Sequence[Proposal]
    ) -> psycopg.AsyncCursor[TupleRow]:
        events = [event for proposal in accepted for event in proposal.events]
        asked = [proposal for proposal in accepted if proposal.request_id]
        written = await writer.execute(
            sql.WRITE,
            (
                [event.stream for event in events],
                [Int8(event.version) for event in events],
                [event.topic for event in events],
                [event.state for event in events],
                [proposal.request_id for proposal in asked],
                [proposal.digest for proposal in asked],
                [proposal.outcome for proposal in asked],
                self.channel,
                self.instance,
            ),
        )
        due = {stem: at for proposal in accepted for stem, at in proposal.due}
        if due:
            await writer.execute(sql.DUE, (list(due), list(due.values())))
        tracked = {
            proposal.tracking.name: Int8(proposal.tracking.notification_id)
            for proposal in accepted
            if proposal.tracking is not None
        }
        if tracked:
            await writer.execute(sql.TRACK, (list(tracked), list(tracked.values())))
        return written

    # --- reading -------------------------------------------------------------------------------------------------

    async def _rows(self, query: str, *parameters: Any) -> list[TupleRow]:
        # After a restart of the server every pooled connection is broken and found out one by one; reading is repeated.
        for attempt in range(self._readers + 1):
            try:
                async with self._pool.connection() as connection:
                    cursor = await connection.execute(query, parameters, binary=True)
                    return await cursor.fetchall()
            except psycopg_pool.PoolTimeout as error:
                raise self._lost("read", error) from error
            except psycopg.OperationalError as error:
                if attempt == self._readers:
                    raise self._lost("read", error) from error
        raise AssertionError("unreachable")

    async def _do(self, query: str, *parameters: Any) -> int:
        try:
            async with self._pool.connection() as connection:
                return (await connection.execute(query, parameters)).rowcount
        except (psycopg.OperationalError, psycopg_pool.PoolTimeout) as error:
            raise self._lost("written", error) from error

    def _lost(self, what: str, error: Exception) -> ConnectionLost:
        return ConnectionLost(f"the store {self.schema} cannot be {what}: {error}")

    async def heads(self, streams: Sequence[str]) -> dict[str, Head]:
        """Return the heads of those streams that have events."""
        return {row[0]: Head(*row) for row in await self._rows(sql.HEADS, list(streams))}

    async def load(self, after: Mapping[str, int]) -> dict[str, list[StoredEvent]]:
        """Return each named stream's events above a version, in order of version."""
        found: dict[str, list[StoredEvent]] = {stream: [] for stream in after}
        if after:
            versions = [Int8(version) for version in after.values()]
            for row in await self._rows(sql.LOAD, list(after), versions):
                found[row[0]].append(StoredEvent(*row))
        return found

    async def whole(self, streams: Sequence[str]) -> AsyncGenerator[list[Whole], None]:
        """Yield those of the named streams that have events, some at a time."""
        try:
            async with contextlib.aclosing(self._bulk.read(streams)) as chunks:
                async for some in chunks:
                    yield some
        except psycopg.OperationalError as error:
            raise self._lost("read", error) from error

    async def current_days(self, stems: Sequence[str]) -> dict[str, str]:
        """Return the greatest `stem/YYYY-MM-DD` stream of each stem that has one."""
        return {row[0]: row[1] for row in await self._rows(sql.CURRENT_DAYS, list(stems))}

    async def requests(self, request_ids: Sequence[str]) -> dict[str, Repeated]:
        """Return what is stored under request ids."""
        rows = await self._rows(sql.REQUESTS, list(request_ids))
        return {row[0]: Repeated(row[1], row[2]) for row in rows}

    async def position(self, source: str, partition: int | str) -> int:
        """Return how far a source's partition was handled, 0 where it never was."""
        rows = await self._rows(sql.POSITION, position_name(source, partition))
        return int(rows[0][0]) if rows else 0

    async def log(self, after: int, limit: int, upto: int | None = None) -> list[StoredEvent]:
        """Return events above a notification id, in the order of the log."""
        rows = await self._rows(
            sql.LOG, Int8(after), Int8(_NO_LIMIT if upto is None else upto), Int8(limit)
        )
        return [StoredEvent(*row) for row in rows]

    async def last_notification_id(self) -> int:
        """Return the log's last notification id, 0 where it is empty."""
        return int((await self._rows(sql.LAST_ID))[0][0])

    async def changes(self, poll_seconds: float, *, own: bool = True) -> AsyncIterator[str]:
        """Yield whenever something was committed: the id of the instance that did it, "" on each poll, or `ERASED`.

        A notification may be lost with the connection, so the log is polled as well.
        """
        while True:
            try:
                async with await self._connect() as connection:
                    await connection.execute(f'LISTEN "{self.channel}"')
                    listening = Listening(connection, "" if own else self.instance)
                    try:
                        yield ERASED  # so much may have been missed while nobody listened
                        while True:
                            for instance in await listening.next(poll_seconds) or ("",):
                                yield instance
                    finally:
                        listening.close()
            except psycopg.OperationalError as error:
                _log.warning("listening was interrupted", schema=self.schema, error=str(error))
                await asyncio.sleep(min(poll_seconds, 1.0))

    # --- deadlines, keys, seals ----------------------------------------------------------------------------------

    async def due_times(self) -> list[DueEntry]:
        """Return all stems that hold a deadline."""
        return [DueEntry(*row) for row in await self._rows(sql.DUE_TIMES)]

    async def release(self, stems: Sequence[str], until: datetime) -> None:
        """Let deadlines of stems up to an instant fire although they are held."""
        await self._do(sql.RELEASE, until, list(stems))

    async def liveness(self) -> Liveness:
        """Return the last beat and what is held."""
        rows = await self._rows(sql.LIVENESS)
        return Liveness(*rows[0]) if rows else Liveness(None, None)

    async def beat(self, alive_at: datetime, held_until: datetime | None) -> None:
        """Store a beat."""
        await self._do(sql.BEAT, alive_at, held_until)

    async def subject_keys(self, subjects: Sequence[str]) -> dict[str, SubjectKey]:
        """Return the keys of subjects; those that have none, or none any more, are missing."""
        rows = await self._rows(sql.SUBJECT_KEYS, list(subjects))
        return {row[1]: SubjectKey(*row) for row in rows}

    async def keys(self, key_ids: Sequence[bytes]) -> dict[bytes, SubjectKey]:
        """Return keys by id; those that were erased are missing."""
        return {row[0]: SubjectKey(*row) for row in await self._rows(sql.KEYS, list(key_ids))}

    async def add_key(self, key: SubjectKey) -> SubjectKey:
        """Store a subject's first key; returns the one that stands if another process was faster."""
        await self._do(sql.ADD_KEY, key.key_id, key.subject, key.wrapped)
        standing = (await self.subject_keys([key.subject])).get(key.subject)
        if standing is None:
            raise Unavailable(f"the key of {key.subject} was erased while it was made; ask again")
        return standing

    async def erase_subject(self, subject: str) -> int:
        """Delete all keys of a subject, under the role that may, and return how many there were.

        Raises:
            PermissionError: this process was not given that role.
        """
        if not self._eraser_dsn:
            raise PermissionError(f"this process may not erase keys of {self.schema}")
        async with await AsyncConnection.connect(self._eraser_dsn, autocommit=True) as eraser:
            count = (await eraser.execute(sql.ERASE, (subject,))).rowcount
            await eraser.execute("SELECT pg_notify(%s, %s)", (self.channel, ERASED))
            return count

    async def last_seal(self) -> Seal | None:
        """Return the newest seal."""
        rows = await self._rows(sql.LAST_SEAL)
        return Seal(*rows[0]) if rows else None

    async def seals(self, after: int, limit: int) -> list[Seal]:
        """Return seals above a number, in order."""
        return [Seal(*row) for row in await self._rows(sql.SEALS, Int8(after), Int8(limit))]

    async def add_seal(self, seal: Seal) -> bool:
        """Store a seal; False where one of that number exists."""
        return await self._do(sql.ADD_SEAL, seal.number, seal.body, seal.signature) == 1


def _numbered(
    batch: Sequence[Proposal], verdicts: list[Verdict], first: int | None, last: int | None
) -> list[Verdict]:
    """Give each accepted proposal the notification ids of its events, which follow each other under the lock."""
    following = first or 0
    for place, proposal in enumerate(batch):
        size = len(proposal.events)
        if isinstance(verdicts[place], Accepted) and size:
            verdicts[place] = Accepted(tuple(range(following, following + size)))
            following += size
    if following and last != following - 1:
        raise AssertionError(f"notification ids {first} to {last} for {following} events")
    return verdicts
