"""Supervised followers: whatever ends one, it is started again and the others go on."""

import asyncio
from collections.abc import Callable

import psycopg
import pytest

from cardroom.adapters.bus import leading, supervise
from cardroom.adapters.bus.supervise import supervise_all

Fault = Callable[[], BaseException]


class Noted:
    """A follower that ends in a fault at its first run and then runs on."""

    def __init__(self, name: str, fault: Fault | None = None) -> None:
        self.name = name
        self.begun = 0
        self.running = asyncio.Event()
        self._fault = fault

    async def run(self) -> None:
        self.begun += 1
        if self._fault is not None and self.begun == 1:
            raise self._fault()
        self.running.set()
        await asyncio.Event().wait()


@pytest.mark.parametrize(
    "fault",
    [
        asyncio.CancelledError,
        lambda: ValueError("broken"),
        lambda: leading.LeadLost("the session broke"),
    ],
    ids=["a cancellation meant for something inside", "a fault", "the lead lost"],
)
async def test_one_that_ends_is_started_again_and_the_others_go_on(fault: Fault) -> None:
    faulty, sound = Noted("faulty", fault), Noted("sound")
    work = asyncio.create_task(supervise_all([faulty, sound], least_seconds=0.01))
    async with asyncio.timeout(20):
        await faulty.running.wait()
    assert (faulty.begun, sound.begun) == (2, 1)
    assert not work.done()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work


@pytest.mark.parametrize(
    "fault",
    [
        lambda: psycopg.OperationalError("the server is starting up"),
        lambda: leading.LeadLost("the session broke"),
    ],
    ids=["the store cannot be reached", "the lead lost"],
)
async def test_a_store_that_is_away_makes_no_wait_grow(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervise, "AWAY_SECONDS", 0.01)
    follower = Noted("follower", fault)
    work = asyncio.create_task(supervise_all([follower], least_seconds=3600.0))
    async with asyncio.timeout(20):
        await follower.running.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work


async def test_all_end_when_asked_to() -> None:
    followers = [Noted("one"), Noted("two")]
    work = asyncio.create_task(supervise_all(followers))
    async with asyncio.timeout(20):
        for one in followers:
            await one.running.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert [one.begun for one in followers] == [1, 1]
    names = {task.get_name() for task in asyncio.all_tasks()}
    assert not names & {"one", "two"}
