"""Faults on the real database: kill -9 at every point, connections lost around COMMIT, the server killed under load."""

import asyncio
import signal
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cardroom.adapters.application import Application, ShellSettings
from cardroom.adapters.errors import ConnectionLost, Unavailable
from cardroom.adapters.installation import Database, Installation
from cardroom.adapters.postgres import kill_server
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.kernel.clock import ManualClock
from tests.integration.store_victim import KILL_POINTS
from tests.plugins.counting import DECIDER, EVENING, NOTE_ROOM, Add, Rack, asked, eventually, rack

pytestmark = pytest.mark.postgres
ROOT = Path(__file__).parents[2]


def application(
    database: Database, store: PostgresStore | None = None, **settings: Any
) -> Application:
    store = store or PostgresStore(database.service("counting"), "counting")
    return Application(DECIDER, store, ManualClock(EVENING), settings=ShellSettings(**settings))


async def victim(database: Database, *arguments: str) -> int:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.integration.store_victim",
        database.service("counting"),
        *arguments,
        cwd=ROOT,
    )
    return await process.wait()


@pytest.mark.parametrize("point", KILL_POINTS)
async def test_a_process_killed_at_any_point_leaves_a_command_done_once_or_not_at_all(
    database: Database, point: str
) -> None:
    async with application(database) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        before = (await app.state(rack("killed")))[0].chips

    assert await victim(database, point, "") == -signal.SIGKILL

    async with application(database) as app:
        done = (await app.state(rack("killed")))[0].chips - before
        assert done == (7 if point == "after the commit" else 0)
        # The caller never got an answer and asks again under the same id.
        outcome = await app.submit(Add(rack="killed", chips=7), asked(f"killed {point}"))
        assert outcome.repeated == (point == "after the commit")
        assert outcome.events[0].event.chips == 7
        assert (await app.state(rack("killed")))[0].chips == before + 7


async def test_two_processes_hammer_one_stream_and_lose_nothing(database: Database) -> None:
    async with application(database) as app:
        await app.submit(NOTE_ROOM, asked("room"))
    ends = await asyncio.gather(victim(database, "one", "150"), victim(database, "two", "150"))
    assert ends == [0, 0]
    async with application(database) as app:
        assert await app.state(rack("hammered")) == (Rack(chips=300), 300)


class Cutting(PostgresStore):
    """Has its own connection cut by the server at one point of the next commit."""

    def __init__(self, database: Database, point: str) -> None:
        super().__init__(database.service("counting"), "counting")
        self.database = database
        self.point = point

    async def cut(self, point: str) -> None:
        if self.point != point or self._writer is None:
            return
        self.point = ""
        backend = self._writer.info.backend_pid
        async with await psycopg.AsyncConnection.connect(self.database.admin_dsn) as admin:
            await admin.execute("SELECT pg_terminate_backend(%s, 5000)", (backend,))

    async def commit(self, batch: Any) -> Any:
        await self.cut("before")
        verdicts = await super().commit(batch)
        if self.point == "after":
            self.point = ""
            raise ConnectionLost("the answer to COMMIT never arrived")
        return verdicts

    async def _commit(self, writer: Any, batch: Any) -> Any:
        if self.point == "inside":  # one statement has no inside to be cut in
            return await self._commit_judged(writer, batch)
        return await super()._commit(writer, batch)

    async def _write(self, writer: Any, accepted: Any) -> Any:
        written = await super()._write(writer, accepted)
        await (await writer.execute("SELECT 1")).fetchone()  # the server has done what came before
        await self.cut("inside")
        return written


@pytest.mark.parametrize("point", ["before", "inside", "after"])
async def test_a_connection_lost_around_commit_is_resolved_by_request_id(
    database: Database, point: str
) -> None:
    store = Cutting(database, "")
    async with application(database, store) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        store.point = point
        name = f"cut{point}"
        outcomes = await asyncio.gather(
            *(app.submit(Add(rack=name, chips=n), asked(f"{name} {n}")) for n in range(1, 9))
        )
        assert store.point == ""
        assert await app.state(rack(name)) == (Rack(chips=36), 8)
        assert [outcome.events[0].version for outcome in outcomes] == list(range(1, 9))
        assert [outcome.events[0].event.chips for outcome in outcomes] == list(range(1, 9))


async def test_a_store_that_stays_away_is_told_and_the_request_can_be_sent_again(
    database: Database,
) -> None:
    class Away(PostgresStore):
        away = False

        async def commit(self, batch: Any) -> Any:
            if self.away:
                raise ConnectionLost("away")
            return await super().commit(batch)

        async def requests(self, request_ids: Any) -> Any:
            if self.away:
                raise ConnectionLost("away")
            return await super().requests(request_ids)

    store = Away(database.service("counting"), "counting")
    async with application(database, store, settle_seconds=0.2) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        await app.submit(Add(rack="away"), asked("away 1"))
        store.away = True
        results = await asyncio.gather(
            *(app.submit(Add(rack="away"), asked(f"away {n}")) for n in (2, 3)),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [Unavailable, Unavailable]
        store.away = False
        for n in (2, 3):
            await app.submit(Add(rack="away"), asked(f"away {n}"))
        assert await app.state(rack("away")) == (Rack(chips=3), 3)


@pytest.mark.slow
async def test_a_server_killed_under_load_loses_no_answered_command_and_doubles_none(
    tmp_path: Path,
) -> None:
    installation = Installation(tmp_path / "data", contexts=("counting",))
    database = await asyncio.to_thread(installation.open)
    assert installation.server is not None
    installation.server.supervise(every_seconds=0.2)
    answered: set[str] = set()
    stop = asyncio.Event()
    try:
        async with application(database, settle_seconds=60) as app:
            await app.submit(NOTE_ROOM, asked("room"))

            async def write(writer: int) -> None:
                number = 0
                while not stop.is_set():
                    request_id = f"{writer} {number}"
                    try:
                        await app.submit(Add(rack=f"k{writer % 4}"), asked(request_id))
                    except (Unavailable, ConnectionLost):
                        continue  # ask again under the same id
                    answered.add(request_id)
                    number += 1

            writers = [asyncio.create_task(write(writer)) for writer in range(8)]
            await eventually(lambda: len(answered) > 300)
            before = len(answered)
            kill_server(installation.server)
            await eventually(lambda: len(answered) > before + 300, seconds=60)
            stop.set()
            await asyncio.gather(*writers)
        async with application(database) as fresh:
            chips = [(await fresh.state(rack(f"k{n}"))) for n in range(4)]
        assert sum(version for _, version in chips) == len(answered)
        assert sum(state.chips for state, _ in chips) == len(answered)
    finally:
        await asyncio.to_thread(installation.close)
