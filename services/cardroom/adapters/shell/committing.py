"""The committer: takes what was decided, saves it in groups, and settles what failed."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import structlog

from cardroom.adapters.errors import ConnectionLost, Unavailable
from cardroom.adapters.shell import metrics
from cardroom.adapters.shell.entry import Entry
from cardroom.adapters.shell.requests import Outcome
from cardroom.adapters.store.port import Accepted, Behind, Outdated, Repeated, Verdict

if TYPE_CHECKING:
    from cardroom.adapters.application import Application

_log = structlog.get_logger("cardroom.committing")

TURNS_TO_GATHER: Final = 3
"""From the socket to its decision a gRPC call takes as many turns of the event loop."""

GATHER_SECONDS: Final = 0.010
"""How long a group waits at most for callers who were here a moment ago."""


class Committing:
    """One per application; at most one batch is under way while lanes go on deciding."""

    def __init__(self, application: "Application") -> None:
        self._app = application
        self._pending: list[Entry] = []
        self._wanted = 1
        self._wake = asyncio.Event()
        self._callers = 0
        self._saved_seconds = 0.0
        context = application.context
        self._batches = metrics.BATCH.labels(context)
        self._seconds = metrics.COMMIT_SECONDS.labels(context)
        self._conflicts = metrics.CONFLICTS.labels(context)
        self._lost = metrics.LOST.labels(context)
        self._idle = asyncio.Event()
        self._idle.set()

    def add(self, entry: Entry) -> None:
        """Take a decided entry; entries are saved in the order in which they were added."""
        self._pending.append(entry)
        self._idle.clear()
        if len(self._pending) >= self._wanted:
            self._wake.set()

    async def drain(self) -> None:
        """Wait until nothing is pending."""
        await self._idle.wait()

    def abandon(self) -> None:
        """Forget what is pending; whoever waited for it was told."""
        self._pending = []
        self._idle.set()

    async def run(self) -> None:
        """Commit batch after batch until cancelled."""
        while True:
            if not self._pending:
                self._idle.set()
                await self._until(1)
            await self._gather()
            limit = self._app.settings.batch_limit
            batch, self._pending = self._pending[:limit], self._pending[limit:]
            if batch:
                await self._commit(batch)

    async def _gather(self) -> None:
        """Let a group grow: a commit costs the same for one entry as for many, and so does a turn of the loop.

        Callers who were answered a moment ago are about to ask again; those who do it together are read, saved and
        answered together from then on. They are waited for while the next one comes sooner than a commit would be
        done. A caller who is alone waits for nobody.
        """
        # Requests that arrived together are decided in the next few turns of the loop; they save together too.
        for _ in range(TURNS_TO_GATHER):
            await asyncio.sleep(0)
        wanted = min(self._callers, self._app.settings.batch_limit)
        loop = asyncio.get_running_loop()
        last = loop.time() + GATHER_SECONDS
        seen = 0
        while seen < len(self._pending) < wanted and (left := last - loop.time()) > 0:
            seen = len(self._pending)
            timer = loop.call_later(min(self._saved_seconds, left), self._wake.set)
            await self._until(wanted)
            timer.cancel()

    async def _until(self, wanted: int) -> None:
        """Wait until as many entries are pending, or until somebody wakes the committer."""
        self._wanted = wanted
        self._wake.clear()
        await self._wake.wait()

    async def _commit(self, batch: list[Entry]) -> None:
        self._batches.observe(len(batch))
        started = asyncio.get_running_loop().time()
        try:
            verdicts = await self._app.store.commit(
                [entry.decided.proposal for entry in batch if entry.decided is not None]
            )
        except ConnectionLost as lost:
            self._lost.inc()
            _log.warning("connection lost while committing", entries=len(batch), error=str(lost))
            await self._settle(batch)
            return
        except Exception as error:  # noqa: BLE001 - no caller may be left waiting
            _log.exception("a batch could not be committed", entries=len(batch))
            self._give_up(batch, error)
            return
        self._saved_seconds = asyncio.get_running_loop().time() - started
        self._seconds.observe(self._saved_seconds)
        self._callers = len(batch) + len(self._pending)
        await self._report(batch, verdicts)

    async def _report(self, batch: Sequence[Entry], verdicts: Sequence[Verdict]) -> None:
        again: list[Entry] = []
        withdrawn: list[Entry] = []
        outdated: list[str] = []
        answers = []
        for entry, verdict in zip(batch, verdicts, strict=True):
            assert entry.decided is not None
            if isinstance(verdict, Accepted):
                if entry.decided.refusal is not None:
                    self._app.fail(entry, entry.decided.refusal)
                else:
                    self._app.committed(entry, verdict.notification_ids)
                continue
            withdrawn.append(entry)
            if isinstance(verdict, Repeated | Behind):
                # Another process did it, so what this one holds of those streams is behind.
                outdated.extend(head.stream for head in entry.decided.proposal.expected)
            if isinstance(verdict, Repeated):
                answers.append((entry, verdict))
            elif isinstance(verdict, Behind):
                self._app.succeed(entry, Outcome(repeated=True))
            else:
                if isinstance(verdict, Outdated):
                    entry.conflicts += 1
                    self._conflicts.inc()
                    outdated.extend(verdict.stems)
                again.append(entry)
        if withdrawn:
            self._retry(withdrawn, again, outdated)
        for entry, repeated in answers:
            try:
                await self._app.answer_repeated(entry, repeated)
            except Exception as error:  # noqa: BLE001 - it is handed to the caller
                self._app.fail(entry, error)

    def _retry(
        self, withdrawn: Sequence[Entry], again: Iterable[Entry], outdated: Sequence[str]
    ) -> None:
        # What was decided meanwhile on top of a failure is decided again too, in the same order.
        dirty_keys = {key for entry in withdrawn for key in entry.keys}
        dirty_stems = {
            stem
            for entry in withdrawn
            if entry.decided is not None
            for stem in entry.decided.snapshots
        }
        kept: list[Entry] = []
        pulled: list[Entry] = []
        for entry in self._pending:
            assert entry.decided is not None
            stems = entry.decided.snapshots.keys()
            if dirty_keys.isdisjoint(entry.keys) and dirty_stems.isdisjoint(stems):
                kept.append(entry)
            else:
                pulled.append(entry)
                dirty_keys.update(entry.keys)
                dirty_stems.update(stems)
        self._pending = kept
        self._app.withdraw([*withdrawn, *pulled], outdated)
        self._app.decide_again([*again, *pulled])

    async def _settle(self, batch: list[Entry]) -> None:
        """Find out by request id what of a batch was saved, when the connection broke on the way."""
        ids = [entry.request.request_id for entry in batch]
        stored: dict[str, Repeated] | None = None
        try:
            async with asyncio.timeout(self._app.settings.settle_seconds):
                while stored is None:
                    try:
                        stored = await self._app.store.requests(ids)
                    except (ConnectionLost, Unavailable):
                        await asyncio.sleep(0.05)
        except TimeoutError:
            self._give_up(
                batch,
                Unavailable(
                    "the store was lost while this was being saved; send it again with the same "
                    "request_id to learn what became of it"
                ),
            )
            return
        verdicts: list[Verdict] = []
        for entry in batch:
            assert entry.decided is not None
            repeated = stored.get(entry.request.request_id)
            streams = tuple(head.stream for head in entry.decided.proposal.expected)
            verdicts.append(repeated or Outdated(streams))
        await self._report(batch, verdicts)

    def _give_up(self, batch: Sequence[Entry], error: Exception) -> None:
        streams = [
            head.stream
            for entry in batch
            if entry.decided is not None
            for head in entry.decided.proposal.expected
        ]
        for entry in batch:
            self._app.fail(entry, error)
        self._retry(batch, (), streams)
