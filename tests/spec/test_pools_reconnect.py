"""Pools of connections look for a server that was away soon after it is back, however long it was."""

import pytest
from psycopg_pool import AsyncConnectionPool
from psycopg_pool.base import AttemptWithBackoff

from cardroom.adapters.bus.deadletters import schema_pool
from cardroom.adapters.store.postgres import PostgresStore

SOON_SECONDS = 5.0


def store_pool() -> AsyncConnectionPool:
    return PostgresStore("dbname=nowhere", "counting")._pool


def bus_pool() -> AsyncConnectionPool:
    return schema_pool("dbname=nowhere", "counting")


@pytest.mark.parametrize("made", [store_pool, bus_pool])
async def test_no_pause_between_attempts_is_long(made) -> None:  # type: ignore[no-untyped-def]
    pool = made()
    attempt, now, pauses = AttemptWithBackoff(timeout=pool.reconnect_timeout), 0.0, []
    while not attempt.time_to_give_up(now):
        attempt.update_delay(now)
        pauses.append(attempt.delay)
        now += attempt.delay
    assert max(pauses) <= SOON_SECONDS
    # Who waits for a connection has an attempt to hope for until his own time is over.
    assert now >= pool.timeout
