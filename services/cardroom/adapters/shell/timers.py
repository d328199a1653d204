"""Deadlines: fired when they are due, held after an outage until a floorperson releases them.

Each stem's earliest deadline lies in a table that changes with the events, so a start needs to look at no other stem.
What is due is asked of the state itself, right before it is fired.
"""

import asyncio
import hashlib
import heapq
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import msgspec
import structlog

from cardroom.adapters.errors import (
    Conflict,
    ConnectionLost,
    IntegrityBroken,
    Overloaded,
    Unavailable,
)
from cardroom.adapters.shell import metrics
from cardroom.adapters.shell.cache import Snapshot
from cardroom.adapters.shell.occasions import FLOOR_ROLES
from cardroom.adapters.shell.requests import Outcome, Request
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import kind_of

if TYPE_CHECKING:
    from cardroom.adapters.application import Application

TIMER: Final = "timer"
"""The actor of deadlines that fire by themselves."""

_log = structlog.get_logger("cardroom.timers")
_ENCODER: Final = msgspec.msgpack.Encoder()
_LOOK_SECONDS: Final = 0.25
_AGAIN_SECONDS: Final = 1.0
_EARLIEST: Final = datetime.min.replace(tzinfo=UTC)


class Overdue(msgspec.Struct, frozen=True):
    """A deadline that passed during an outage and waits for release.

    Args:
        stem: whose it is.
        at: when it was due.
        command: what will be done.
    """

    stem: str
    at: datetime
    command: Any


class Timers:
    """The timer loop of one application."""

    def __init__(self, application: "Application") -> None:
        self._app = application
        self._outage = timedelta(seconds=application.settings.outage_seconds)
        self._due: dict[str, datetime] = {}
        self._heap: list[tuple[datetime, str]] = []
        self._released: dict[str, datetime] = {}
        self._held_until: datetime | None = None
        self._waiting: dict[str, datetime] = {}
        self._spent: dict[str, tuple[str, int, bytes]] = {}
        self._retry_at: dict[str, float] = {}
        self._wake = asyncio.Event()
        self._firing = asyncio.Lock()
        self._beaten = 0.0
        self._failing_since: datetime | None = None

    async def open(self) -> None:
        """Read the deadlines, and hold those that passed if the application was away for too long."""
        store, now = self._app.store, self._app.clock.now()
        liveness = await store.liveness()
        self._held_until = liveness.held_until
        if liveness.alive_at is not None and now - liveness.alive_at > self._outage:
            self._hold(now, liveness.alive_at)
        await self.beat()
        for entry in await store.due_times():
            if entry.released_until is not None:
                self._released[entry.stem] = entry.released_until
            self.changed(entry.stem, entry.at)

    def changed(self, stem: str, at: datetime | None) -> None:
        """Take note of a stem's earliest deadline; None where it holds none any more."""
        if at is None:
            self._due.pop(stem, None)
            self._waiting.pop(stem, None)
            self._spent.pop(stem, None)
            return
        if self._due.get(stem) != at or stem in self._spent:
            self._due[stem] = at
            heapq.heappush(self._heap, (at, stem))
            self._wake.set()

    async def run(self) -> None:
        """Fire deadlines as they come due, and beat, until cancelled."""
        looked = self._time()
        while True:
            now = self._time()
            if now - looked > self._outage.total_seconds():
                self._hold(self._app.clock.now(), None)  # the process stood still
            looked = now
            try:
                if now - self._beaten >= self._app.settings.beat_seconds:
                    await self.beat()
                await self.settle()
            except (ConnectionLost, Unavailable) as error:
                self._failing_since = self._failing_since or self._app.clock.now()
                _log.warning("timers wait for the store", reason=str(error))
                await asyncio.sleep(_AGAIN_SECONDS)
            await self._sleep()

    async def beat(self) -> None:
        """Note that the application runs; after too long without the store, hold what passed meanwhile."""
        at, since = self._app.clock.now(), self._failing_since
        if since is not None and at - since > self._outage:
            self._hold(at, since)
        await self._app.store.beat(at, self._held_until)
        self._beaten, self._failing_since = self._time(), None

    async def settle(self) -> None:
        """Fire everything that is due now; returns when nothing is."""
        async with self._firing:
            while (stem := self._next()) is not None:
                try:
                    await self._fire(stem)
                except BaseException:
                    # It was taken out before it fired; whoever asks next finds it again.
                    self._put_back(stem)
                    raise

    def _time(self) -> float:
        # The loop's time, not the clock's: how long this process itself ran or stood still.
        return asyncio.get_running_loop().time()

    def _next(self) -> str | None:
        now = self._app.clock.now()
        while self._heap:
            at, stem = self._heap[0]
            if self._due.get(stem) != at:
                heapq.heappop(self._heap)
            elif at > now:
                return None
            else:
                heapq.heappop(self._heap)
                return stem
        return None

    def _put_back(self, stem: str) -> None:
        if stem in self._due:
            heapq.heappush(self._heap, (self._due[stem], stem))

    async def _sleep(self) -> None:
        self._wake.clear()
        seconds = _LOOK_SECONDS
        if self._heap:
            until = (self._heap[0][0] - self._app.clock.now()).total_seconds()
            seconds = min(max(until, 0.0), _LOOK_SECONDS)
        for stem, at in list(self._retry_at.items()):
            if at <= self._time():
                del self._retry_at[stem]
                self._put_back(stem)
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            return

    # --- firing --------------------------------------------------------------------------------------------------

    async def _fire(self, stem: str) -> None:
        now = self._app.clock.now()
        fired: set[tuple[datetime, bytes]] = set()
        while True:
            try:
                snapshot = await self._app.snapshot(stem)
            except IntegrityBroken:
                _log.exception("a deadline waits until its stream was looked at", stem=stem)
                return
            free = [
                entry for entry in self._of(stem, snapshot) if not self._is_held(stem, entry[0])
            ]
            due = [entry for entry in free if entry[0] <= now]
            if not due:
                self._look_again(stem, snapshot, free)
                return
            at, command = due[0]
            mark = (snapshot.head.stream, snapshot.head.version, _ENCODER.encode(command))
            if self._spent.get(stem) == mark:
                return
            if (at, mark[2]) in fired:
                # It recorded something and still stands: firing it for ever would fill the log.
                _log.error("a deadline does not go away when it fires", stem=stem, at=at)
                self._spent[stem] = mark
                return
            fired.add((at, mark[2]))
            if not await self._submit(stem, at, command, mark, Request("", TIMER, station=TIMER)):
                return

    async def _submit(
        self, stem: str, at: datetime, command: Any, mark: tuple[str, int, bytes], request: Request
    ) -> bool:
        named = msgspec.structs.replace(request, request_id=_request_id(mark))
        try:
            await self._app.submit_due(command, named, at)
        except (Conflict, ConnectionLost, Overloaded, Unavailable) as error:
            _log.warning("a deadline is tried again", stem=stem, at=at, reason=str(error))
            self._retry_at[stem] = self._time() + _AGAIN_SECONDS
            return False
        except Refused as refusal:
            _log.error("a deadline was refused", stem=stem, at=at, refusal=repr(refusal))
        except Exception:  # noqa: BLE001 - logged with its traceback; other deadlines go on
            _log.exception("a deadline could not be decided", stem=stem, at=at)
        # Where it changed nothing it is not tried again before the stem changes.
        self._spent[stem] = mark
        return True

    def _of(self, stem: str, snapshot: Snapshot) -> list[tuple[datetime, Any]]:
        due = self._app.decider.aggregates[kind_of(stem)].due
        if due is None:
            return []
        return sorted(due(snapshot.state), key=lambda entry: entry[0])

    def _look_again(
        self, stem: str, snapshot: Snapshot, free: Sequence[tuple[datetime, Any]]
    ) -> None:
        held = [at for at, _ in self._of(stem, snapshot) if self._is_held(stem, at)]
        if held:
            self._waiting[stem] = held[0]
        else:
            self._waiting.pop(stem, None)
        metrics.HELD.labels(self._app.context).set(len(self._waiting))
        if free:
            # Behind a held deadline a later one may be free; the table only knows the earliest.
            self._due[stem] = free[0][0]
            heapq.heappush(self._heap, (free[0][0], stem))

    # --- after an outage -----------------------------------------------------------------------------------------

    def _hold(self, until: datetime, since: datetime | None) -> None:
        self._held_until = until
        _log.warning(
            "deadlines that passed during an outage wait for release", until=until, since=since
        )

    def _is_held(self, stem: str, at: datetime) -> bool:
        held_until = self._held_until
        return (
            held_until is not None and at <= held_until and at > self._released.get(stem, _EARLIEST)
        )

    async def overdue(self) -> list[Overdue]:
        """Return the deadlines that wait for release, in order of time."""
        found = []
        for stem in list(self._due):
            for at, command in self._of(stem, await self._app.snapshot(stem)):
                if self._is_held(stem, at):
                    found.append(Overdue(stem, at, command))
        return sorted(found, key=lambda overdue: (overdue.at, overdue.stem))

    async def release(self, request: Request, stems: Sequence[str] | None) -> list[Outcome]:
        """Let held deadlines fire, in the name of who releases them.

        Raises:
            Refused: CR-9, who asks is no floorperson or gives no reason; CR-13, a stem holds no such deadline.
        """
        if not request.roles & FLOOR_ROLES or not request.override_reason.strip():
            raise Refused(
                "RELEASE_ROLE",
                ("CR-9", "CR-13"),
                f"releasing deadlines takes a reason and one of: {', '.join(sorted(FLOOR_ROLES))}",
                field="override_reason",
            )
        held = await self.overdue()
        waiting = {overdue.stem for overdue in held}
        for stem in stems or ():
            if stem not in waiting:
                raise Refused(
                    "NOTHING_HELD",
                    "CR-13",
                    f"{stem!r} holds no deadline that waits for release",
                    options=sorted(waiting),
                    field="stems",
                )
        chosen = [overdue for overdue in held if stems is None or overdue.stem in stems]
        if not chosen or self._held_until is None:
            return []
        await self._app.store.release(
            sorted({overdue.stem for overdue in chosen}), self._held_until
        )
        outcomes = []
        async with self._firing:
            for overdue in chosen:
                outcome = await self._release_one(overdue, request)
                if outcome is not None:
                    outcomes.append(outcome)
            for overdue in chosen:
                self._released[overdue.stem] = self._held_until
                heapq.heappush(self._heap, (overdue.at, overdue.stem))
                self._due.setdefault(overdue.stem, overdue.at)
        self._wake.set()
        return outcomes

    async def _release_one(self, overdue: Overdue, request: Request) -> Outcome | None:
        snapshot = await self._app.snapshot(overdue.stem)
        if (overdue.at, overdue.command) not in self._of(overdue.stem, snapshot):
            return None  # one released before it settled this one
        mark = (snapshot.head.stream, snapshot.head.version, _ENCODER.encode(overdue.command))
        named = msgspec.structs.replace(
            request,
            request_id=_request_id(mark),
            correlation_id=request.correlation_id or request.request_id,
            occurred_at=None,
        )
        return await self._app.submit_due(overdue.command, named, overdue.at)


def _request_id(mark: tuple[str, int, bytes]) -> str:
    # Two processes that fire the same deadline of the same version ask under one id, and it happens once.
    return f"{TIMER} {hashlib.sha256(_ENCODER.encode(mark)).hexdigest()[:40]}"
