"""The command loop on the real PostgreSQL: group commit, idempotency, two processes, rights of the service role."""

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest

from cardroom.adapters.application import Application, Position, ShellSettings
from cardroom.adapters.installation import Database
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.kernel.clock import ManualClock
from cardroom.kernel.refusal import Refused
from tests.plugins.counting import (
    DECIDER,
    EVENING,
    NOTE_ROOM,
    Add,
    CloseDay,
    Move,
    Rack,
    asked,
    rack,
)

pytestmark = pytest.mark.postgres


def application(database: Database) -> Application:
    store = PostgresStore(database.service("counting"), "counting", eraser_dsn=database.eraser)
    settings = ShellSettings(conflict_attempts=50)
    return Application(DECIDER, store, ManualClock(EVENING), settings=settings)


@pytest.fixture
async def app(database: Database) -> AsyncIterator[Application]:
    async with application(database) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        yield app


async def test_commands_of_many_callers_share_commits_and_keep_their_own_outcomes(
    app: Application,
) -> None:
    outcomes = await asyncio.gather(
        *(app.submit(Add(rack=f"m{n % 16}", chips=n), asked(f"many {n}")) for n in range(320))
    )
    ids = [outcome.events[0].notification_id for outcome in outcomes]
    assert len(set(ids)) == 320
    log = await app.log(min(ids) - 1, 1000)
    assert {event.notification_id: event for event in log} == {
        outcome.events[0].notification_id: outcome.events[0] for outcome in outcomes
    }
    for n in range(16):
        state, version = await app.state(rack(f"m{n}"))
        assert (state.chips, version) == (sum(range(n, 320, 16)), 20)


async def test_an_event_reads_back_from_the_database_as_it_was_answered(
    app: Application, database: Database
) -> None:
    outcome = await app.submit(Move(source="x", target="y", chips=0), asked("move"))
    async with application(database) as fresh:
        assert await fresh.history("rack/r1/x") == [outcome.events[0]]
        again = await fresh.submit(Move(source="x", target="y", chips=0), asked("move"))
        assert (again.events, again.versions, again.repeated) == (
            outcome.events,
            outcome.versions,
            True,
        )
        with pytest.raises(Refused) as refused:
            await fresh.submit(Move(source="x", target="y", chips=1), asked("move"))
        assert refused.value.rules == ("CR-11",)


async def test_two_processes_on_one_hot_stream_lose_nothing(
    app: Application, database: Database
) -> None:
    async with application(database) as other:
        await asyncio.gather(
            *(
                each.submit(Add(rack="hot"), asked(f"hot {number} {n}"))
                for n in range(60)
                for number, each in enumerate((app, other))
            )
        )
    async with application(database) as fresh:
        assert await fresh.state(rack("hot")) == (Rack(chips=120), 120)


async def test_inbox_commands_and_position_are_one_transaction(app: Application) -> None:
    position = Position("house", 0, 5)
    with pytest.raises(Refused):
        await app.submit_all((Add(rack="i"), Add(rack="j", chips=-1)), asked("m5"), position)
    assert await app.store.position("house", 0) == 0
    await app.submit_all((Add(rack="i"), Add(rack="j")), asked("m5"), position)
    again = await app.submit_all((Add(rack="i"),), asked("m5 again"), position)
    assert again.events == ()
    assert await app.store.position("house", 0) == 5
    assert (await app.state(rack("i")))[1] == 1


async def test_day_bound_streams_are_found_by_their_stem(
    app: Application, database: Database
) -> None:
    drawer = rack("d", kind="drawer")
    async with application(database) as other:
        await app.submit(Add(rack="d", chips=40, kind="drawer"), asked("d1"))
        assert await other.state(drawer) == (Rack(chips=40), 1)
        await other.submit(CloseDay(drawer="d", gaming_day="2026-03-07"), asked("d2"))
        outcome = await app.submit(Add(rack="d", chips=2, kind="drawer"), asked("d3"))
    assert outcome.events[0].stream == "drawer/r1/d/2026-03-07"
    async with application(database) as fresh:
        assert await fresh.state(drawer) == (Rack(chips=42), 2)


async def test_watchers_see_what_another_process_commits(
    app: Application, database: Database
) -> None:
    changes = app.watch((rack("w"),))
    await anext(changes)
    async with application(database) as other:
        await other.submit(Add(rack="w", chips=3), asked("w1"))
    async with asyncio.timeout(10):
        assert await anext(changes) == (rack("w"), Rack(chips=3), 1)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM counting.events",
        "UPDATE counting.events SET topic = 'x'",
        "TRUNCATE counting.events",
        "DELETE FROM counting.requests",
        "UPDATE counting.requests SET outcome = ''",
        "DELETE FROM counting.keys",
        "UPDATE counting.keys SET wrapped = ''",
        "DELETE FROM counting.positions",
        "UPDATE counting.seals SET body = ''",
        "SELECT * FROM tables.events",
        "INSERT INTO counting.migrations VALUES (99, 'x', 'x')",
        "CREATE TABLE counting.mine (x int)",
        "ALTER TABLE counting.events DISABLE TRIGGER ALL",
    ],
)
async def test_the_service_role_may_not(database: Database, statement: str) -> None:
    async with await psycopg.AsyncConnection.connect(database.service("counting")) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await connection.execute(statement)


@pytest.mark.parametrize(
    ("role", "statement"),
    [
        ("audit", "INSERT INTO counting.events VALUES ('x', 1, 't', '')"),
        ("audit", "SELECT * FROM counting.keys"),
        ("audit", "SELECT * FROM counting.requests"),
        ("eraser", "SELECT wrapped FROM counting.keys"),
        ("eraser", "SELECT * FROM counting.events"),
        ("eraser", "DELETE FROM counting.events"),
    ],
)
async def test_audit_only_reads_and_the_eraser_only_deletes_keys(
    database: Database, role: str, statement: str
) -> None:
    async with await psycopg.AsyncConnection.connect(getattr(database, role)) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await connection.execute(statement)


async def test_nobody_connects_without_a_password(database: Database) -> None:
    wrong = psycopg.conninfo.make_conninfo(database.service("counting"), password="guess")
    with pytest.raises(psycopg.OperationalError, match="authentication failed"):
        await psycopg.AsyncConnection.connect(wrong)
