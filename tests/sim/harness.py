"""Deterministic simulation: real applications on stores in memory, virtual time, seeded faults and crashes.

One seed gives one run, event for event: time is virtual, nothing touches threads or sockets, and every choice comes
from one generator.
"""

import asyncio
import selectors
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from random import Random
from typing import Any, TypeVar

from cardroom.adapters.application import Application, ShellSettings
from cardroom.adapters.errors import Conflict, ConnectionLost, Unavailable
from cardroom.adapters.store.memory import MemoryStore, MemoryTables
from cardroom.adapters.store.port import Proposal, Verdict
from cardroom.kernel.clock import ManualClock
from cardroom.kernel.decisions import Decider
from tests.plugins.counting import EVENING

Result = TypeVar("Result")


class _Instant(selectors.SelectSelector):
    """Never waits: what the loop would wait for is added to its virtual time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("the simulation stands still: every task waits for another")
            self.now += max(timeout, 0.0)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only when nothing else is to be done."""

    def __init__(self) -> None:
        self._instant = _Instant()
        super().__init__(self._instant)

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._instant.now


def run_virtually(work: Callable[[], Awaitable[Result]]) -> Result:
    """Run a coroutine function to its end on virtual time."""

    async def main() -> Result:
        return await work()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main())


class Crash(Exception):  # noqa: N818 - it names what happened
    """The process that was asked is dead."""


class FaultyStore(MemoryStore):
    """Loses connections before, after and long before a commit takes effect; asks its process to crash around it."""

    def __init__(self, tables: MemoryTables, process: "Process", rng: Random, rate: float) -> None:
        super().__init__(tables, process.name)
        self._process = process
        self._rng = rng
        self._rate = rate

    async def commit(self, batch: Sequence[Proposal]) -> list[Verdict]:
        """Commit, or fail in one of the ways a real database fails."""
        await self._linger()
        if self._rng.random() >= self._rate:
            verdicts = await super().commit(batch)
            await self._linger()
            return verdicts
        match self._rng.choice(("before", "after", "late", "crash before", "crash after")):
            case "before":
                raise ConnectionLost("lost before the commit")
            case "after":
                await super().commit(batch)
                raise ConnectionLost("lost after the commit")
            case "late":
                self._process.world.spawn(self._commit_late(batch))
                raise ConnectionLost("lost while the server still works on it")
            case "crash before":
                await self._process.crash_from_inside()
            case "crash after":
                await super().commit(batch)
                await self._process.crash_from_inside()
        raise AssertionError("a crashed process goes on")

    async def _commit_late(self, batch: Sequence[Proposal]) -> None:
        await asyncio.sleep(self._rng.random() * 0.2)
        await super().commit(batch)

    async def _linger(self) -> None:
        for _ in range(self._rng.randrange(4)):
            await asyncio.sleep(0)


class Process:
    """One process of a context: runs an application, crashes, and is started again."""

    def __init__(self, world: "World", name: str) -> None:
        self.world = world
        self.name = name
        self.crashes = 0
        self._dead = asyncio.Event()
        self.app: Application | None = None

    async def start(self) -> None:
        """Start a fresh application on what the tables hold."""
        world = self.world
        store = FaultyStore(world.tables, self, world.rng, world.fault_rate)
        self._dead = asyncio.Event()
        app = Application(
            world.decider,
            store,
            world.clock,
            settings=ShellSettings(conflict_attempts=20, settle_seconds=5.0),
            randomness=world.rng.randbytes,
        )
        await app.start()
        self.app = app

    async def crash_from_inside(self) -> None:
        """Die in the middle of a commit: everything in memory is gone, nobody is answered."""
        self.world.spawn(self.crash())
        await asyncio.Event().wait()

    async def crash(self) -> None:
        """Die, and start again a little later."""
        app, self.app = self.app, None
        if app is None:
            return
        self.crashes += 1
        self._dead.set()
        for task in list(app._tasks):
            task.cancel()
        await asyncio.sleep(self.world.rng.random() * 0.5)
        await self.start()

    async def ask(self, work: Callable[[Application], Awaitable[Result]]) -> Result:
        """Ask the process; raises `Crash` where it is dead or dies before it answers."""
        if self.app is None:
            raise Crash(self.name)
        answer = asyncio.ensure_future(work(self.app))
        dead = asyncio.ensure_future(self._dead.wait())
        await asyncio.wait({answer, dead}, return_when=asyncio.FIRST_COMPLETED)
        dead.cancel()
        if answer.done():
            return answer.result()
        answer.cancel()
        raise Crash(self.name)


class World:
    """Several processes of one context on the same tables."""

    def __init__(
        self, decider: Decider, seed: int, *, processes: int = 2, fault_rate: float = 0.15
    ) -> None:
        self.decider = decider
        self.rng = Random(seed)
        self.fault_rate = fault_rate
        self.tables = MemoryTables()
        self.clock = ManualClock(EVENING)
        self.processes = [Process(self, f"p{number}") for number in range(processes)]
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Any) -> None:
        """Run something beside everything else; its failure fails the run."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)

    async def start(self) -> None:
        """Start every process."""
        for process in self.processes:
            await process.start()

    async def insist(self, work: Callable[[Application], Awaitable[Result]]) -> Result:
        """Ask one process after the other, with the same request, until one answers."""
        for _ in range(500):
            process = self.rng.choice(self.processes)
            try:
                return await process.ask(work)
            except (Crash, ConnectionLost, Unavailable, Conflict):
                await asyncio.sleep(self.rng.random() * 0.1)
        raise AssertionError("nobody answered 500 times")

    def let_time_pass(self, seconds: float) -> None:
        """Move the clock of every process."""
        self.clock.advance_to(self.clock.now() + timedelta(seconds=seconds))

    async def stop(self) -> None:
        """End every process and raise what failed beside them."""
        self.fault_rate = 0.0
        await asyncio.sleep(2.0)
        for process in self.processes:
            if process.app is not None:
                process.app.store._rate = 0.0  # type: ignore[attr-defined]
                await process.app.stop()
        for task in self._tasks:
            if task.done() and not task.cancelled():
                task.result()
