"""Lanes of an inbox: closing them ends every worker, also one whose cancellation was lost."""

import asyncio
from typing import Any, cast

import pytest

from cardroom.adapters import ending
from cardroom.adapters.bus.inbox import Inbox
from cardroom.adapters.bus.lanes import Lanes
from cardroom.adapters.bus.port import Delivery


class Swallowing:
    """An inbox in which a library swallows the first cancellation."""

    name = "swallowing"

    def __init__(self) -> None:
        self.receiving = asyncio.Event()

    async def receive(self, _delivery: Delivery) -> None:
        self.receiving.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.Event().wait()


async def nothing(*_: Any) -> None:
    return


async def test_a_worker_whose_cancellation_was_lost_is_cancelled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ending, "AGAIN_SECONDS", 0.01)
    inbox = Swallowing()
    lanes = Lanes(cast(Inbox, inbox), nothing)
    lanes.open([("seating", 0)])
    lanes.put(
        Delivery(
            source="seating",
            partition=0,
            notification_id=1,
            previous_id=None,
            key="t1",
            data=b"",
            mark=1,
        )
    )
    async with asyncio.timeout(20):
        await inbox.receiving.wait()
        await lanes.close(grace_seconds=0.0)
    assert not lanes.is_open(("seating", 0))
