"""Stored hands read back from PostgreSQL, verified and folded, against PokerKit replaying the same hands.

Goal `replay_read_verify_fold_vs_pokerkit`. Hands of about 17 actions lie in the tables' schema as their service stores
them, hole cards encrypted; each round reads all of them, verifies every own hash and every link, opens the cards,
decodes and folds, in one process. Both are timed by the wall: waiting for the database is part of it.

Run: `python -m tests.bench.bench_replay [hands] [rounds]`.
"""

import asyncio
import gc
import itertools
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from statistics import mean

import msgspec
import psycopg

from cardroom.adapters.installation import Installation
from cardroom.adapters.store.codec import Codec
from cardroom.adapters.store.port import StoredEvent
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.adapters.store.reading import fold_verified
from cardroom.kernel.envelope import NO_HASH, Envelope
from cardroom.known.games import Form, Structure
from cardroom.tables.main import DECIDER
from tests.bench import report
from tests.bench.bench_hand import Played, kit, played

KEY = (b"k" * 16, b"s" * 32)
KEYS = {KEY[0]: KEY[1]}
AT = datetime(2026, 3, 6, 20, 15, tzinfo=UTC)


def actions_in(hand: Played) -> int:
    """Return how many actions a hand has."""
    return sum(type(event).__name__ == "ActionTaken" for event in hand.events)


def about_17_actions() -> Iterator[Played]:
    """Yield random hands of 15 to 19 actions."""
    for seed in itertools.count():
        hand = played(Form.HOLDEM, Structure.NO_LIMIT, seed)
        if 15 <= actions_in(hand) <= 19:
            yield hand


def stored(hand: Played, number: int, codec: Codec) -> list[StoredEvent]:
    """Return a hand's events as the store holds them, chained."""
    stream, previous, out = f"hand/r1/t1/{number:06}", NO_HASH, []
    for version, event in enumerate(hand.events, 1):
        around = Envelope(
            recorded_at=AT,
            occurred_at=None,
            gaming_day="2026-03-06",
            utc_offset_minutes=-480,
            actor="dealer-7",
            roles=("dealer",),
            station="tablet-t1",
            request_id=f"request-{number}-{version}",
            causation_id="",
            correlation_id=f"request-{number}-1",
            override_reason="",
            book_digest=hand.end.book_digest,
            previous_hash=previous,
            event=msgspec.Raw(codec.encode_event(stream, event, KEY)),
        )
        out.append(codec.store(stream, version, event, around))
        previous = out[-1].state[:32]
    return out


async def measure(count: int, rounds: int) -> None:
    """Store the hands, measure round by round, write the row."""
    warnings.simplefilter("ignore", UserWarning)
    hands = list(islice(about_17_actions(), count))
    codec = Codec(DECIDER.events, os.urandom)
    rows = [event for number, hand in enumerate(hands, 1) for event in stored(hand, number, codec)]
    with (
        tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder,
        Installation(Path(folder) / "data", contexts=("tables",)) as installation,
    ):
        database = installation.database
        with psycopg.connect(database.owner) as owner, owner.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO tables.events (originator_id, originator_version, topic, state) VALUES (%s, %s, %s, %s)",
                [(row.stream, row.version, row.topic, row.state) for row in rows],
            )
        store = PostgresStore(database.audit, "tables")
        await store.open()
        try:
            streams = sorted({row.stream for row in rows})
            ends = await fold_verified(store, codec, streams, DECIDER.aggregates, KEYS)
            assert [ends[stream].results for stream in streams] == [
                hand.end.results for hand in hands
            ]
            ours, theirs = [], []
            for _ in range(rounds):
                gc.collect()
                started = time.perf_counter()
                await fold_verified(store, codec, streams, DECIDER.aggregates, KEYS)
                ours.append(len(hands) / (time.perf_counter() - started))
                started = time.perf_counter()
                kit(hands)
                theirs.append(len(hands) / (time.perf_counter() - started))
        finally:
            await store.close()
    actions = mean(actions_in(hand) for hand in hands)
    report.write(
        report.compared(
            "replay_read_verify_fold_vs_pokerkit", "hands/s", ours, theirs, "ratio >= 20"
        ),
        report.alone("replay_actions_per_hand", "actions", actions, "about 17"),
    )


if __name__ == "__main__":
    asyncio.run(
        measure(
            int(sys.argv[1]) if len(sys.argv) > 1 else 400,
            int(sys.argv[2]) if len(sys.argv) > 2 else 5,
        )
    )
