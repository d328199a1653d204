"""A leading role whose session breaks: its holder is told so, however it ends, and was not asked to stop."""

import asyncio

import psycopg
import pytest

from cardroom.adapters.bus import leading
from cardroom.adapters.bus.deadletters import schema_pool
from cardroom.adapters.bus.leading import LeadingSession, LeadLost
from cardroom.adapters.installation import Database

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(60)]


@pytest.mark.parametrize("cleaning_up_fails", [False, True])
async def test_who_leads_by_a_session_that_breaks_is_told(
    fresh_database: Database, monkeypatch: pytest.MonkeyPatch, cleaning_up_fails: bool
) -> None:
    monkeypatch.setattr(leading, "HEARTBEAT_SECONDS", 0.05)
    pool = schema_pool(fresh_database.service("house"), "house")
    session = LeadingSession(pool, "house")
    leads = asyncio.Event()

    async def follow() -> None:
        async with session.lead("publisher"):
            leads.set()
            try:
                await asyncio.Event().wait()
            finally:
                if cleaning_up_fails:
                    raise psycopg.OperationalError("the connection is lost")

    async def asked_to_stop() -> int:
        task = asyncio.current_task()
        assert task is not None
        with pytest.raises(LeadLost):
            await follow()
        return task.cancelling()

    holder = asyncio.create_task(asked_to_stop())
    try:
        await leads.wait()
        with psycopg.connect(fresh_database.admin_dsn, autocommit=True) as admin:
            admin.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory'"
                " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            )
        assert await holder == 0
    finally:
        holder.cancel()
        await session.close()
        await pool.close()
