"""The command loop of one context: queue by key, decide, commit in groups, answer each caller."""

import asyncio
import os
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Self

import msgspec
import structlog

from cardroom.adapters.ending import ended
from cardroom.adapters.errors import Conflict, ConnectionLost, Overloaded, Unavailable
from cardroom.adapters.shell import metrics
from cardroom.adapters.shell.cache import Heads, Snapshot
from cardroom.adapters.shell.committing import Committing
from cardroom.adapters.shell.deciding import Deciding, Missing, stem_of
from cardroom.adapters.shell.entry import Entry
from cardroom.adapters.shell.following import follow_others
from cardroom.adapters.shell.lanes import Lanes
from cardroom.adapters.shell.loading import Loading
from cardroom.adapters.shell.requests import (
    Answer,
    Outcome,
    Request,
    StoredOutcome,
    check_request_id,
    digest_of,
    reused,
)
from cardroom.adapters.shell.timers import Overdue, Timers
from cardroom.adapters.shell.watching import Watches
from cardroom.adapters.store.codec import Codec
from cardroom.adapters.store.port import Position, Repeated, Store
from cardroom.adapters.store.vault import Vault
from cardroom.kernel.clock import Clock
from cardroom.kernel.decisions import Command, Decider
from cardroom.kernel.envelope import Recorded
from cardroom.kernel.refusal import Refused

__all__ = [
    "Answer",
    "Application",
    "Conflict",
    "ConnectionLost",
    "Outcome",
    "Overdue",
    "Overloaded",
    "Position",
    "Request",
    "ShellSettings",
    "Unavailable",
]

_log = structlog.get_logger("cardroom.application")
_OUTCOMES: Final = msgspec.msgpack.Decoder(StoredOutcome)


class ShellSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How the command loop behaves.

    Args:
        occurred_tolerance_seconds: how far a station's reported time may lie from the server's receipt.
        conflict_attempts: how often a command is decided again after another process was faster.
        cached_streams: stems kept in memory.
        waiting_limit: commands that may wait; more are turned away.
        batch_limit: commands that one transaction saves at most.
        remembered_requests: outcomes kept in memory for repeated requests.
        watch_limit: changes that wait for one watcher before it is dropped.
        settle_seconds: how long a caller waits for a lost connection to come back.
        poll_seconds: how often the log is looked at although nothing was notified.
        outage_seconds: after an outage longer than this, deadlines that passed wait for a floorperson.
        beat_seconds: how often the application notes that it runs.
    """

    occurred_tolerance_seconds: int = 300
    conflict_attempts: int = 8
    cached_streams: int = 20_000
    waiting_limit: int = 10_000
    batch_limit: int = 256
    remembered_requests: int = 4_096
    watch_limit: int = 256
    settle_seconds: float = 20.0
    poll_seconds: float = 2.0
    outage_seconds: int = 120
    beat_seconds: float = 5.0


class Application:
    """Runs one context's `Decider` on a `Store`.

    Use as an async context manager, or call `start` and `stop`. Commands of one key are decided one after the other
    against the state that includes what is pending, and saved as a prefix; commands of all keys share group commits.
    """

    def __init__(
        self,
        decider: Decider,
        store: Store,
        clock: Clock,
        *,
        settings: ShellSettings | None = None,
        vault: Vault | None = None,
        randomness: Callable[[int], bytes] = os.urandom,
    ) -> None:
        """Take the core and what it runs on.

        Args:
            decider: the context's functional core.
            store: its event store.
            clock: the process's clock.
            settings: how the loop behaves.
            vault: keys for confidential fields.
            randomness: source of the seeds of occasions and of nonces.
        """
        self.decider = decider
        self.context = decider.context
        self.store = store
        self.clock = clock
        self.settings = settings or ShellSettings()
        self.vault = vault
        self._digest_key = vault.digest_key if vault is not None else b""
        self._randomness = randomness
        self._aggregates = decider.aggregates
        self._heads = Heads(self.settings.cached_streams)
        codec = Codec(decider.events, randomness)
        self._loading = Loading(decider, store, codec, vault, self._heads)
        self._deciding = Deciding(
            decider,
            self._heads,
            codec,
            vault,
            timedelta(seconds=self.settings.occurred_tolerance_seconds),
        )
        self._lanes = Lanes()
        self._committing = Committing(self)
        self._watches = Watches(self.settings.watch_limit)
        self._timers = Timers(self)
        self._count = {
            outcome: metrics.COMMANDS.labels(self.context, outcome)
            for outcome in ("recorded", "repeated", "refused", "conflict", "failed")
        }
        self._count_events = metrics.EVENTS.labels(self.context)
        metrics.WAITING.labels(self.context).set_function(lambda: len(self._inflight))
        metrics.CACHED.labels(self.context).set_function(lambda: len(self._heads))
        self._inflight: dict[str, Entry] = {}
        self._remembered: OrderedDict[str, tuple[bytes, Outcome]] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._running = False
        self.seen = 0
        """Up to where the log is known to be in memory: own commits that follow it directly, and what was followed."""
        self._faulted = asyncio.Event()
        self.fault: BaseException | None = None
        """What stopped the loop, where something did; a process that sees it ends and is started again."""

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Open the store and take commands.

        Raises:
            Unavailable: the store cannot be reached.
        """
        await self.store.open()
        self.seen = await self.store.last_notification_id()
        await self._timers.open()
        self._running = True
        self._spawn(self._committing.run())
        self._spawn(follow_others(self, self._heads, self._watches, self._timers))
        self._spawn(self._timers.run())

    async def stop(self) -> None:
        """Finish what was decided, turn away what waits, and close the store."""
        self._running = False
        await self._committing.drain()
        for entry in self._lanes.drain():
            self.fail(entry, Unavailable(f"{self.context} is shutting down"))
        await ended(*self._tasks)
        self._watches.close("the application was stopped")
        await self.store.close()

    async def faulted(self) -> None:
        """Return when a fault stopped the loop, which `fault` then names; otherwise wait."""
        await self._faulted.wait()

    async def submit(
        self, command: Command, request: Request, answer: Answer | None = None
    ) -> Outcome:
        """Decide a command, save what it led to, and return the outcome.

        Args:
            command: one of the context's commands.
            request: who asks, under which id.
            answer: makes bytes of the decision that are kept with the outcome.

        Raises:
            Refused: the book or an invariant does not allow it; nothing was recorded. CR-11 where the request id came
                before with another content.
            Conflict: another process kept being faster.
            Unavailable: the store cannot be reached; the same request may be sent again.
            Overloaded: too many commands wait.
        """
        return await self._enter((command,), (self.decider.key(command),), request, answer)

    async def submit_all(
        self, commands: Sequence[Command], request: Request, tracking: Position | None = None
    ) -> Outcome:
        """Decide commands one after the other and save all of them with a position, or nothing.

        Args:
            commands: what an inbox's message means here; may be empty, then only the position moves.
            request: who asks, under which id.
            tracking: the message's position; where it is not above the stored one nothing happens.

        Raises:
            Refused: one of them was refused; nothing was recorded, the position did not move.
            Conflict: another process kept being faster.
            Unavailable: the store cannot be reached.
            Overloaded: too many commands wait.
        """
        keys = tuple(dict.fromkeys(self.decider.key(command) for command in commands))
        if tracking is not None:
            keys = (*keys, f"position {tracking.name}")
        return await self._enter(tuple(commands), keys, request, tracking=tracking)

    async def submit_due(self, command: Command, request: Request, at: datetime) -> Outcome:
        """Decide what a deadline asks for, on the deadline's own time; the timer loop calls it."""
        key = self.decider.key(command)
        return await self._enter((command,), (key,), request, effective_at=at)

    async def settle_timers(self) -> None:
        """Note that the application runs at the clock's instant, and fire every deadline that is due then.

        Raises:
            ConnectionLost: the store cannot be reached; what did not fire stays due.
        """
        await self._timers.beat()
        await self._timers.settle()

    async def overdue(self) -> list[Overdue]:
        """Return the deadlines that passed during an outage and wait for release, in order of time."""
        return await self._timers.overdue()

    async def release_overdue(
        self, request: Request, stems: Sequence[str] | None = None
    ) -> list[Outcome]:
        """Let held deadlines fire, in the name of the floorperson who releases them.

        Args:
            request: who releases, with the reason in `override_reason`.
            stems: whose deadlines; None for all.

        Raises:
            Refused: CR-9, no floorperson or no reason; CR-13, a stem holds no deadline that waits.
        """
        return await self._timers.release(request, stems)

    async def state(self, stem: str) -> tuple[Any, int]:
        """Return a stem's committed state and version (its aggregate's initial state and 0 where it has no event)."""
        snapshot = await self.snapshot(stem)
        return snapshot.state, snapshot.head.version

    async def snapshot(self, stem: str) -> Snapshot:
        """Return a stem's committed snapshot: state, current stream, version and own hash."""
        while (snapshot := self._heads.committed(stem)) is None:
            await self._loading.load((stem,))
        return snapshot

    async def history(self, stream: str, after: int = 0) -> list[Recorded]:
        """Return the events of a full stream id above a version, decoded."""
        stored = await self.store.load({stream: after})
        return await self._loading.decode(stored[stream])

    async def log(self, after: int, limit: int) -> list[Recorded]:
        """Return events of the whole log above a notification id, decoded, in order."""
        return await self._loading.decode(await self.store.log(after, limit))

    async def watch(self, stems: Iterable[str]) -> AsyncIterator[tuple[str, Any, int]]:
        """Yield (stem, state, version): first as each stands, then after each change.

        Raises:
            SlowReader: the reader did not keep up, or the application was stopped.
        """
        stems = tuple(stems)
        with self._watches.open(stems) as changes:
            for stem in stems:
                changes.first(stem, await self.snapshot(stem))
            while True:
                stem, snapshot = await changes.next()
                yield stem, snapshot.state, snapshot.head.version

    async def erase(self, subject: str) -> int:
        """Delete a subject's keys for good: its confidential fields read as None from now on, chains still verify.

        Returns:
            How many keys there were.
        """
        if self.vault is None:
            raise ValueError(f"{self.context} has no vault, so there is nothing to erase")
        count = await self.vault.erase(subject)
        self.forget_opened()
        return count

    def forget_opened(self) -> None:
        """Forget opened keys and every state read with them, so that the store is asked which keys still exist."""
        if self.vault is not None:
            self.vault.forget()
            self._heads.forgotten += 1
            self._heads.drop_all()
            self._remembered.clear()

    # --- the way of an entry -------------------------------------------------------------------------------------

    async def _enter(
        self,
        commands: tuple[Command, ...],
        keys: tuple[str, ...],
        request: Request,
        answer: Answer | None = None,
        tracking: Position | None = None,
        effective_at: datetime | None = None,
    ) -> Outcome:
        if not self._running:
            raise Unavailable(f"{self.context} is not running")
        check_request_id(request.request_id)
        digest = digest_of(commands, request, self._digest_key)
        earlier = self._inflight.get(request.request_id)
        if earlier is not None:
            if earlier.digest != digest:
                raise reused(request.request_id)
            return await earlier.join()
        remembered = self._remembered.get(request.request_id)
        if remembered is not None:
            if remembered[0] != digest:
                raise reused(request.request_id)
            return msgspec.structs.replace(remembered[1], repeated=True)
        if len(self._inflight) >= self.settings.waiting_limit:
            raise Overloaded(f"{len(self._inflight)} commands wait for {self.context} already")
        entry = Entry(
            commands,
            keys or (f"request {request.request_id}",),
            request,
            digest,
            self.clock.now(),
            self._randomness(32),
            answer,
            tracking,
            effective_at,
        )
        answered = entry.join()
        self._inflight[request.request_id] = entry
        self._lanes.add(entry)
        self.pump(entry.keys)
        return await answered

    def pump(self, keys: Iterable[str]) -> None:
        """Decide what can be decided now in the lanes of some keys."""
        for entry in self._lanes.ready(keys):
            try:
                decided = self._deciding.decide(entry)
            except Missing as missing:
                self._lanes.hold(entry)
                self._spawn(self._load_for(entry, missing))
            except Exception as error:  # noqa: BLE001 - it is handed to the caller
                self._lanes.done(entry)
                self.fail(entry, error)
            else:
                self._lanes.done(entry)
                entry.decided = decided
                for stem, snapshot in decided.snapshots.items():
                    self._heads.write(stem, snapshot)
                self._committing.add(entry)

    async def _load_for(self, entry: Entry, missing: Missing) -> None:
        try:
            if missing.stems:
                await self._loading.load(missing.stems)
            if missing.subjects and self.vault is not None:
                for subject in missing.subjects:
                    await self.vault.key_for(subject)
        except Exception as error:  # noqa: BLE001 - it is handed to the caller
            self._lanes.resume(entry.keys)
            self._lanes.remove(entry)
            self.fail(entry, error)
        else:
            self._lanes.resume(entry.keys)
        self.pump(entry.keys)

    # --- what committing reports ---------------------------------------------------------------------------------

    def committed(self, entry: Entry, notification_ids: Sequence[int]) -> None:
        """An entry was saved: move the cache on, tell the watchers, answer the caller."""
        decided = entry.decided
        assert decided is not None
        for stem, snapshot in decided.snapshots.items():
            self._heads.confirm(stem, snapshot)
            self._watches.changed(stem, snapshot)
            self._timers.changed(stem, snapshot.due_at)
        if notification_ids and notification_ids[0] == self.seen + 1:
            self.seen = notification_ids[-1]
        events = tuple(
            written.recorded(notification_id)
            for written, notification_id in zip(decided.events, notification_ids, strict=True)
        )
        self.succeed(entry, Outcome(events, decided.versions, decided.result))

    def withdraw(self, entries: Sequence[Entry], outdated: Iterable[str]) -> None:
        """Entries were not saved: take their writes out of the cache, with what is known to be outdated."""
        for entry in entries:
            assert entry.decided is not None
            self._heads.withdraw(entry.decided.snapshots)
            entry.decided = None
        self._heads.drop({stem_of(stream, self._aggregates) for stream in outdated})
        self._heads.drop(outdated)

    def decide_again(self, entries: Sequence[Entry]) -> None:
        """Queue withdrawn entries before all others of their keys, in the order of their decisions."""
        waiting = []
        for entry in entries:
            if entry.conflicts >= self.settings.conflict_attempts:
                self.fail(
                    entry,
                    Conflict(
                        f"another process changed the same streams {entry.conflicts} times while "
                        f"request {entry.request.request_id!r} was decided; ask again"
                    ),
                )
            else:
                waiting.append(entry)
        self._lanes.put_back(waiting)
        self.pump(dict.fromkeys(key for entry in entries for key in entry.keys))

    async def answer_repeated(self, entry: Entry, repeated: Repeated) -> None:
        """Answer an entry whose request id is stored already."""
        if repeated.digest != entry.digest:
            self.fail(entry, reused(entry.request.request_id))
            return
        self.succeed(entry, await self.stored_outcome(repeated))

    async def stored_outcome(self, repeated: Repeated) -> Outcome:
        """Return a stored outcome with its events read back."""
        stored = _OUTCOMES.decode(repeated.outcome)
        if not stored.events:
            return Outcome((), stored.versions, stored.result, repeated=True)
        first: dict[str, int] = {}
        for stream, version in stored.events:
            first[stream] = min(version, first.get(stream, version))
        loaded = await self.store.load({stream: least - 1 for stream, least in first.items()})
        wanted = [loaded[stream][version - first[stream]] for stream, version in stored.events]
        events = await self._loading.decode(wanted)
        return Outcome(tuple(events), stored.versions, stored.result, repeated=True)

    def succeed(self, entry: Entry, outcome: Outcome) -> None:
        """Answer a caller."""
        request_id = entry.request.request_id
        self._count["repeated" if outcome.repeated else "recorded"].inc()
        self._count_events.inc(0 if outcome.repeated else len(outcome.events))
        self._inflight.pop(request_id, None)
        self._remembered[request_id] = (entry.digest, outcome)
        if len(self._remembered) > self.settings.remembered_requests:
            self._remembered.popitem(last=False)
        entry.succeed(outcome)

    def fail(self, entry: Entry, error: BaseException) -> None:
        """Answer a caller with an error."""
        kind = (
            "refused"
            if isinstance(error, Refused)
            else "conflict"
            if isinstance(error, Conflict)
            else "failed"
        )
        self._count[kind].inc()
        self._inflight.pop(entry.request.request_id, None)
        entry.fail(error)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or task.exception() is None:
            return
        # A part of the loop failed in a way it does not know: nothing is decided on what may be wrong in memory.
        self.fault = task.exception()
        self._faulted.set()
        self._running = False
        _log.critical("the command loop stopped", context=self.context, exc_info=self.fault)
        for entry in list(self._inflight.values()):
            self.fail(
                entry,
                Unavailable(
                    f"{self.context} stopped after a fault; send it again with the same request_id "
                    "to learn what became of it"
                ),
            )
        self._committing.abandon()
        self._watches.close("the application stopped after a fault")
