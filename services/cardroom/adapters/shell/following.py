"""Noticing what other processes on the same schema do: outdated stems go, watchers and timers are told."""

from typing import TYPE_CHECKING

import structlog

from cardroom.adapters.errors import ConnectionLost, IntegrityBroken, Unavailable
from cardroom.adapters.shell.cache import Heads
from cardroom.adapters.shell.deciding import stem_of
from cardroom.adapters.shell.timers import Timers
from cardroom.adapters.shell.watching import Watches
from cardroom.adapters.store.port import ERASED, StoredEvent
from cardroom.kernel.streams import kind_of

if TYPE_CHECKING:
    from cardroom.adapters.application import Application

_log = structlog.get_logger("cardroom.following")
_PAGE = 500


async def follow_others(
    application: "Application", heads: Heads, watches: Watches, timers: Timers
) -> None:
    """Follow the store's log until cancelled, from `application.seen` on.

    What this process wrote itself is in memory already, so it does not hear of itself.

    Args:
        application: whose store.
        heads: its cache.
        watches: its watchers.
        timers: its timer loop.
    """
    store = application.store
    async for instance in store.changes(application.settings.poll_seconds, own=False):
        if instance == ERASED:
            application.forget_opened()
        try:
            last = await store.last_notification_id()
            if last > application.seen:
                await _refresh(application, heads, watches, timers, (application.seen, last))
            application.seen = max(application.seen, last)
        except (ConnectionLost, Unavailable) as error:
            _log.warning("following waits for the store", reason=str(error))


async def _refresh(
    application: "Application",
    heads: Heads,
    watches: Watches,
    timers: Timers,
    span: tuple[int, int],
) -> None:
    after, upto = span
    heads.foreign += 1
    aggregates = application.decider.aggregates
    while after < upto:
        events = await application.store.log(after, _PAGE, upto)
        if not events:
            return
        after = events[-1].notification_id
        touched: dict[str, StoredEvent] = {
            stem_of(stored.stream, aggregates): stored for stored in events
        }
        for stem, stored in touched.items():
            snapshot = heads.committed(stem)
            # A later day's stream sorts after that of the day before.
            if snapshot is not None and (
                (snapshot.head.stream, snapshot.head.version) < (stored.stream, stored.version)
            ):
                heads.drop((stem,))
        for stem in touched:
            aggregate = aggregates.get(kind_of(stem))
            timed = aggregate is not None and aggregate.due is not None
            if timed or watches.watched((stem,)):
                try:
                    snapshot = await application.snapshot(stem)
                except IntegrityBroken:
                    _log.exception("a stream that another process wrote is broken", stem=stem)
                    continue
                timers.changed(stem, snapshot.due_at)
                watches.changed(stem, snapshot)
