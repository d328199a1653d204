"""The command loop on PostgreSQL against one INSERT and COMMIT per event.

Goals `store_append_vs_insert` and `hot_stream_vs_insert`.

Run: `python -m tests.bench.bench_store [seconds per round] [rounds]`.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

import psycopg

from cardroom.adapters.application import Application, Request
from cardroom.adapters.installation import Database, Installation
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.kernel.clock import SystemClock
from tests.bench import report
from tests.plugins.counting import DECIDER, NOTE_ROOM, Add, asked

WRITERS = 16
_INSERT = (
    "INSERT INTO plain (originator_id, originator_version, topic, state) VALUES (%b, %b, %b, %b)"
)


async def commands_per_second(app: Application, seconds: float, racks: int, tag: str) -> float:
    """Return how many commands 16 writers get answered per second, each waiting for its answer."""
    stop = time.perf_counter() + seconds
    done = 0

    async def write(writer: int) -> None:
        nonlocal done
        number = 0
        while time.perf_counter() < stop:
            number += 1
            request = Request(f"{tag} {writer} {number}", "dealer-1", frozenset({"dealer"}), "t1")
            await app.submit(Add(rack=f"s{writer % racks}"), request)
            done += 1

    started = time.perf_counter()
    await asyncio.gather(*(write(writer) for writer in range(WRITERS)))
    return done / (time.perf_counter() - started)


async def inserts_per_second(database: Database, state: bytes, seconds: float, tag: str) -> float:
    """Return how many events 16 connections save per second, one INSERT and COMMIT each."""
    connections = [
        await psycopg.AsyncConnection.connect(
            database.owner, autocommit=True, prepare_threshold=0, options="-c search_path=counting"
        )
        for _ in range(WRITERS)
    ]
    stop = time.perf_counter() + seconds
    done = 0

    async def write(writer: int) -> None:
        nonlocal done
        number = 0
        while time.perf_counter() < stop:
            number += 1
            await connections[writer].execute(
                _INSERT, (f"{tag}/{writer}", number, "counting.Counted.v1", state)
            )
            done += 1

    started = time.perf_counter()
    await asyncio.gather(*(write(writer) for writer in range(WRITERS)))
    rate = done / (time.perf_counter() - started)
    for connection in connections:
        await connection.close()
    return rate


async def measure(seconds: float, rounds: int) -> None:
    """Measure all three rates round by round and write the rows."""
    with (
        tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder,
        Installation(Path(folder) / "data", contexts=("counting",)) as installation,
    ):
        database = installation.database
        with psycopg.connect(database.owner) as owner:
            owner.execute("CREATE TABLE counting.plain (LIKE counting.events INCLUDING ALL)")
        store = PostgresStore(database.service("counting"), "counting")
        async with Application(DECIDER, store, SystemClock()) as app:
            await app.submit(NOTE_ROOM, asked("room"))
            await commands_per_second(app, 0.3, WRITERS, "warm")
            state = (await store.load({"rack/r1/s0": 0}))["rack/r1/s0"][0].state
            spread, hot, plain = [], [], []
            for number in range(rounds):
                tag = f"{number}"
                plain.append(await inserts_per_second(database, state, seconds, tag))
                spread.append(await commands_per_second(app, seconds, WRITERS, f"s{tag}"))
                hot.append(await commands_per_second(app, seconds, 1, f"h{tag}"))
    report.write(
        report.compared("store_append_vs_insert", "commands/s", spread, plain, "ratio >= 0.5"),
        report.compared("hot_stream_vs_insert", "commands/s", hot, plain, "ratio >= 0.3"),
    )


if __name__ == "__main__":
    asyncio.run(
        measure(
            float(sys.argv[1]) if len(sys.argv) > 1 else 1.0,
            int(sys.argv[2]) if len(sys.argv) > 2 else 5,
        )
    )
