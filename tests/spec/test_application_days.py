"""A day that another process closes while it is being read: what comes next goes into the day after."""

import asyncio
from collections.abc import AsyncIterator, Mapping

from cardroom.adapters.application import Application
from cardroom.adapters.store.memory import MemoryStore, MemoryTables
from cardroom.adapters.store.port import StoredEvent
from cardroom.kernel.clock import ManualClock
from tests.plugins.counting import DECIDER, EVENING, NOTE_ROOM, Add, CloseDay, asked

TODAY, TOMORROW = "drawer/r1/d/2026-03-06", "drawer/r1/d/2026-03-07"


class Overtaken(MemoryStore):
    """Lets another process close the day between finding it and reading it; word of that is still to come."""

    def __init__(self, tables: MemoryTables) -> None:
        super().__init__(tables, "overtaken")
        self.stranger: Application | None = None

    async def changes(self, poll_seconds: float, *, own: bool = True) -> AsyncIterator[str]:
        yield ""
        await asyncio.Event().wait()

    async def load(self, after: Mapping[str, int]) -> dict[str, list[StoredEvent]]:
        stranger, self.stranger = self.stranger, None
        if TODAY in after and stranger is not None:
            await stranger.submit(CloseDay(drawer="d", gaming_day="2026-03-07"), asked("close"))
        return await super().load(after)


async def test_a_day_closed_while_it_is_read_is_not_written_to() -> None:
    tables, clock = MemoryTables(), ManualClock(EVENING)
    store = Overtaken(tables)
    async with (
        Application(DECIDER, MemoryStore(tables, "stranger"), clock) as stranger,
        Application(DECIDER, store, clock) as app,
    ):
        await stranger.submit(NOTE_ROOM, asked("room"))
        await stranger.submit(Add(rack="d", kind="drawer", chips=4), asked("four"))
        await app.state("room/r1")
        store.stranger = stranger
        outcome = await app.submit(Add(rack="d", kind="drawer", chips=1), asked("one more"))
        assert [event.stream for event in outcome.events] == [TOMORROW]
        assert [len(tables.streams[stream]) for stream in (TODAY, TOMORROW)] == [2, 2]
        assert (await app.state("drawer/r1/d"))[0].chips == 5
