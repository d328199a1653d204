"""One queue and one worker per partition: order inside, none across, and bounded memory."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from cardroom.adapters.bus.inbox import Inbox
from cardroom.adapters.bus.metrics import HALTED, alarm, log
from cardroom.adapters.bus.port import Delivery, Gap
from cardroom.adapters.ending import ended

SETTLE_SECONDS: Final = 1.0
"""How often it is stored where to read on; after a crash what came since is read again and skipped."""

DEPTH: Final = 256
"""Messages of one partition that may wait in memory before its transport holds back."""

Lane = tuple[str, int]
"""Source and partition."""

Settled = Callable[[str, int, int], Awaitable[None]]
"""`(source, partition, mark)`: everything up to the mark is handled and its position stored."""


class _Worker:
    def __init__(self) -> None:
        self.queue: asyncio.Queue[Delivery | None] = asyncio.Queue()
        self.halted = False
        self.mark: int | None = None
        self.settled_at = 0.0
        self.task: asyncio.Task[None] | None = None


class Lanes:
    """Feeds an inbox from a transport, partition by partition."""

    def __init__(self, inbox: Inbox, settled: Settled) -> None:
        """Take the inbox, and what stores where to read on."""
        self._inbox = inbox
        self._settled = settled
        self._workers: dict[Lane, _Worker] = {}
        self._moved = asyncio.Event()
        self._unhandled = 0
        self._failure: BaseException | None = None

    def open(self, lanes: Iterable[Lane]) -> None:
        """Start workers for partitions that are read from now on."""
        for lane in lanes:
            worker = self._workers[lane] = _Worker()
            worker.task = asyncio.create_task(self._work(lane, worker), name=f"lane {lane}")
            worker.task.add_done_callback(self._note_end)

    async def close(self, lanes: Iterable[Lane] | None = None, grace_seconds: float = 2.0) -> None:
        """Stop workers: the message in hand may end, what waits is read again by whoever comes next."""
        chosen = list(self._workers) if lanes is None else [*lanes]
        workers = [worker for lane in chosen if (worker := self._workers.pop(lane, None))]
        for worker in workers:
            self._drop_waiting(worker)
            worker.queue.put_nowait(None)
        tasks = [worker.task for worker in workers if worker.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=grace_seconds)
            await ended(*tasks)
        self._tell_halted()

    def is_open(self, lane: Lane) -> bool:
        """Return whether a partition is read here."""
        return lane in self._workers

    def full(self, lane: Lane) -> bool:
        """Return whether a partition takes no more for now."""
        return self._workers[lane].queue.qsize() >= DEPTH

    def put(self, delivery: Delivery) -> None:
        """Queue a message; one of a partition that is not read here (any more) is left to its new reader.

        Raises:
            Exception: whatever ended a worker; the transport gives up and is started again.
        """
        self.check()
        worker = self._workers.get((delivery.source, delivery.partition))
        if worker is not None:
            worker.queue.put_nowait(delivery)
            self._unhandled += 1

    def check(self) -> None:
        """Raise what ended a worker, if anything did."""
        if self._failure is not None:
            raise self._failure

    async def room(self, lane: Lane) -> None:
        """Wait until a partition takes more."""
        while self.is_open(lane) and self.full(lane):
            self.check()
            self._moved.clear()
            await self._moved.wait()
        self.check()

    @property
    def is_idle(self) -> bool:
        """Return whether all that was put is handled (or dropped with its partition)."""
        return self._unhandled == 0

    async def _work(self, lane: Lane, worker: _Worker) -> None:
        while (delivery := await self._next(lane, worker)) is not None:
            try:
                await self._inbox.receive(delivery)
            except Gap as gap:
                self._halt(lane, worker, gap)
                continue
            finally:
                self._unhandled -= 1
                self._moved.set()
            self._resume(lane, worker)
            worker.mark = delivery.mark
        await self._settle(lane, worker)

    async def _next(self, lane: Lane, worker: _Worker) -> Delivery | None:
        """Return the next message; while there is none, store where to read on."""
        if worker.mark is not None:
            wait_seconds = worker.settled_at + SETTLE_SECONDS - time.monotonic()
            try:
                async with asyncio.timeout(max(0.0, wait_seconds)):
                    return await worker.queue.get()
            except TimeoutError:
                await self._settle(lane, worker)
        return await worker.queue.get()

    async def _settle(self, lane: Lane, worker: _Worker) -> None:
        if worker.mark is not None:
            await self._inbox.settle(*lane)
            await self._settled(*lane, worker.mark)
            worker.mark, worker.settled_at = None, time.monotonic()

    def _halt(self, lane: Lane, worker: _Worker, gap: Gap) -> None:
        """Let pass what does not follow: whoever sends the missing message sends what comes after it again."""
        if not worker.halted:
            worker.halted = True
            self._tell_halted()
            alarm(self._inbox.name, "partition_halted", lane=lane, gap=str(gap))

    def _resume(self, lane: Lane, worker: _Worker) -> None:
        if worker.halted:
            worker.halted = False
            self._tell_halted()
            log.info("partition_resumed", who=self._inbox.name, lane=lane)

    def _drop_waiting(self, worker: _Worker) -> None:
        while not worker.queue.empty():
            if worker.queue.get_nowait() is not None:
                self._unhandled -= 1

    def _note_end(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and task.exception() is not None:
            self._failure = task.exception()
        self._moved.set()

    def _tell_halted(self) -> None:
        HALTED.labels(self._inbox.name).set(sum(one.halted for one in self._workers.values()))
