"""Following other processes: no event of theirs is passed over, whatever order notifications are handled in."""

import asyncio
from collections.abc import AsyncIterator

from cardroom.adapters.application import Application, ShellSettings
from cardroom.adapters.store.memory import MemoryStore, MemoryTables
from cardroom.kernel.clock import ManualClock
from tests.plugins.counting import DECIDER, EVENING, NOTE_ROOM, Add, Rack, asked, eventually, rack


class Held(MemoryStore):
    """Hands over notifications only when the test says so."""

    def __init__(self, tables: MemoryTables, instance: str) -> None:
        super().__init__(tables, instance)
        self.notes: asyncio.Queue[str] = asyncio.Queue()
        self.handled = 0

    async def changes(self, poll_seconds: float, *, own: bool = True) -> AsyncIterator[str]:
        while True:
            note = await self.notes.get()
            if own or note != self.instance:
                yield note
            self.handled += 1


async def test_an_own_notification_does_not_hide_anothers_event() -> None:
    tables, clock = MemoryTables(), ManualClock(EVENING)
    store = Held(tables, "one")
    async with (
        Application(DECIDER, store, clock) as one,
        Application(DECIDER, MemoryStore(tables, "two"), clock) as two,
    ):
        await one.submit(NOTE_ROOM, asked("room"))
        watch = one.watch((rack("a"),))
        assert await anext(watch) == (rack("a"), Rack(), 0)
        await one.submit(Add(rack="b"), asked("q1"))
        await two.submit(Add(rack="a", chips=5), asked("q2"))
        # Both are committed before the first notification, of the own commit, is handled.
        store.notes.put_nowait("one")
        await eventually(lambda: store.handled == 1)
        store.notes.put_nowait("two")
        async with asyncio.timeout(5):
            assert await anext(watch) == (rack("a"), Rack(chips=5), 1)


async def test_own_events_that_are_read_again_outdate_nothing() -> None:
    tables, clock = MemoryTables(), ManualClock(EVENING)
    store = Held(tables, "one")
    settings = ShellSettings(cached_streams=1_000)
    async with Application(DECIDER, store, clock, settings=settings) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        app.seen = 0  # as after a gap in the ids, which a transaction that was rolled back leaves
        for number in range(3):
            await app.submit(Add(rack="a"), asked(f"q{number}"))
        loads = 0
        load = store.load

        async def counted(after: object) -> object:
            nonlocal loads
            loads += 1
            return await load(after)  # type: ignore[arg-type]

        store.load = counted  # type: ignore[method-assign,assignment]
        store.notes.put_nowait("")
        await eventually(lambda: app.seen == 4)
        assert await app.state(rack("a")) == (Rack(chips=3), 3)
        assert loads == 0
