"""Deadlines, confidential fields, erasure and bulk reading on the real database; an external server by its DSN."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cardroom.adapters.application import Application
from cardroom.adapters.errors import IntegrityBroken, Unavailable
from cardroom.adapters.installation import Database, Installation
from cardroom.adapters.store.bulk import FIRST_STREAMS
from cardroom.adapters.store.codec import Codec
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.adapters.store.reading import fold_verified
from cardroom.adapters.store.vault import Vault
from cardroom.kernel.clock import ManualClock
from cardroom.kernel.refusal import Refused
from tests.plugins.counting import (
    DECIDER,
    EVENING,
    EVENTS,
    NOTE_ROOM,
    Add,
    Label,
    Remind,
    asked,
    eventually,
    rack,
)

pytestmark = pytest.mark.postgres
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _emptied(database: Database) -> None:
    with psycopg.connect(database.admin_dsn) as admin:
        admin.execute(
            "TRUNCATE counting.events, counting.requests, counting.due, counting.liveness, "
            "counting.keys RESTART IDENTITY"
        )


@pytest.fixture
def start(database: Database) -> Callable[..., Application]:
    def make(clock: ManualClock, *, eraser: str = database.eraser) -> Application:
        store = PostgresStore(database.service("counting"), "counting", eraser_dsn=eraser)
        return Application(DECIDER, store, clock, vault=Vault(store, bytes(32)))

    return make


async def test_deadlines_survive_a_restart_and_wait_after_an_outage(
    start: Callable[..., Application],
) -> None:
    clock = ManualClock(EVENING)
    async with start(clock) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        for name, minutes in (("a", 1), ("b", 20), ("c", 90)):
            await app.submit(Remind(rack=name, at=EVENING + minutes * MINUTE), asked(name))
        clock.advance_to(EVENING + MINUTE)

        async def fired() -> bool:
            return bool((await app.state(rack("a")))[0].reminded)

        await eventually(fired)
    clock.advance_to(EVENING + 60 * MINUTE)
    async with start(clock) as app:
        await app.settle_timers()
        assert [found.stem for found in await app.overdue()] == [rack("b")]
    async with start(clock) as app:  # another restart does not let it loose
        await app.settle_timers()
        assert (await app.state(rack("b")))[0].reminded == ()
        (outcome,) = await app.release_overdue(asked("r", override_reason="paper entered"))
        assert outcome.events[0].envelope.occurred_at == EVENING + 20 * MINUTE
        clock.advance_to(EVENING + 90 * MINUTE)
        await app.settle_timers()
        assert len((await app.state(rack("c")))[0].reminded) == 1
    async with start(clock) as app:
        assert await app.overdue() == []


async def test_erasure_deletes_the_key_under_a_role_of_its_own(
    start: Callable[..., Application], database: Database
) -> None:
    async with start(ManualClock(EVENING)) as app, start(ManualClock(EVENING), eraser="") as other:
        await app.submit(NOTE_ROOM, asked("room"))
        await app.submit(Label(player_id="p1", name="Ada Lovelace"), asked("l1"))
        await other.submit(Label(player_id="p1", name="Ada King"), asked("l2"))
        await app.submit(Label(player_id="p2", name="Bob"), asked("l3"))
        assert (await app.state(rack("a")))[0].names == ("Ada Lovelace", "Ada King", "Bob")
        with pytest.raises(PermissionError):
            await other.erase("p1")

        assert await app.erase("p1") == 1
        assert (await app.state(rack("a")))[0].names == (None, None, "Bob")

        async def gone() -> bool:
            return (await other.state(rack("a")))[0].names == (None, None, "Bob")

        await eventually(gone)
    with psycopg.connect(database.admin_dsn) as admin:
        dump = str(admin.execute("SELECT * FROM counting.events").fetchall())
        dump += str(admin.execute("SELECT * FROM counting.requests").fetchall())
    assert "Ada" not in dump
    assert "Bob" not in dump


async def test_streams_are_read_in_bulk_and_a_broken_one_is_not_used(
    start: Callable[..., Application], database: Database
) -> None:
    async with start(ManualClock(EVENING)) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        for n in range(9):
            await app.submit(Add(rack=f"r{n % 3}"), asked(f"{n}"))
        streams = [rack(f"r{n}") for n in range(4)]
        folded = await fold_verified(app.store, Codec(EVENTS), streams, DECIDER.aggregates)
        assert folded == {stream: (await app.state(stream))[0] for stream in streams}
    with psycopg.connect(database.admin_dsn) as admin:
        admin.execute(
            "DELETE FROM counting.events WHERE originator_id = %s AND originator_version = 2",
            (streams[1],),
        )
    async with start(ManualClock(EVENING)) as app:
        with pytest.raises(IntegrityBroken, match="version 2 is missing"):
            await app.submit(Add(rack="r1"), asked("after"))
        with pytest.raises(IntegrityBroken):
            await fold_verified(app.store, Codec(EVENTS), streams, DECIDER.aggregates)
        await app.submit(Add(rack="r2"), asked("other streams go on"))


async def test_bulk_reading_goes_on_after_it_was_left_and_after_a_lost_connection(
    start: Callable[..., Application], database: Database
) -> None:
    count = 8 * FIRST_STREAMS + 3
    streams = [rack(f"b{n:03}") for n in range(count)]
    async with start(ManualClock(EVENING)) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        await asyncio.gather(
            *(app.submit(Add(rack=f"b{n:03}", chips=n + 1), asked(f"b{n}")) for n in range(count))
        )
        held = {stream: n + 1 for n, stream in enumerate(streams)}

        async def read() -> dict[str, int]:
            states = await fold_verified(app.store, Codec(EVENTS), streams, DECIDER.aggregates)
            return {stream: state.chips for stream, state in states.items()}

        assert await read() == held
        async with aclosing(app.store.whole(streams)) as chunks:
            async for some in chunks:
                assert [whole.stream for whole in some] == streams[:FIRST_STREAMS]
                break  # the next are being fetched
        reading = [asyncio.create_task(read()) for _ in range(3)]
        await asyncio.sleep(0)
        reading[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading[0]
        assert await asyncio.gather(*reading[1:]) == [held, held]
        with psycopg.connect(database.admin_dsn, autocommit=True) as admin:
            ended = admin.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE application_name = 'cardroom counting'"
            ).fetchall()
        assert len(ended) > 1
        assert await read() == held


async def test_a_store_that_cannot_be_reached_is_told_at_the_start(database: Database) -> None:
    dsn = make_conninfo(database.service("counting"), host="/nowhere")
    with pytest.raises(Unavailable, match="counting"):
        await Application(DECIDER, PostgresStore(dsn, "counting"), ManualClock(EVENING)).start()


async def test_an_external_server_is_prepared_and_used_by_its_dsn(
    postgres_installation: Installation, tmp_path: Path
) -> None:
    assert postgres_installation.server is not None
    server = postgres_installation.server
    with psycopg.connect(server.dsn("postgres"), autocommit=True) as admin:
        admin.execute("CREATE DATABASE external")
        admin.execute("CREATE ROLE house_dba LOGIN CREATEROLE PASSWORD 'x' SUPERUSER")
    dsn = make_conninfo(server.dsn("external"), user="house_dba", password="x")
    # Roles belong to the whole server, and the run's other tests know their passwords: this one keeps to them.
    external = Installation(tmp_path, admin_dsn=dsn, contexts=("counting",))
    external.secrets.directory = postgres_installation.secrets.directory
    with external as installation:
        store = PostgresStore(installation.database.service("counting"), "counting")
        async with Application(DECIDER, store, ManualClock(EVENING)) as app:
            await app.submit(NOTE_ROOM, asked("room"))
            with pytest.raises(Refused):
                await app.submit(Add(chips=-1), asked("q"))
            await app.submit(Add(), asked("q"))
    assert not (tmp_path / "postgres").exists()
    with psycopg.connect(server.dsn("postgres"), autocommit=True) as admin:
        admin.execute("DROP DATABASE external")
        admin.execute("DROP ROLE house_dba")
