"""The receiving side: each message takes effect once, a gap stops its partition, a failure stops its key."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from psycopg import OperationalError
from psycopg_pool import PoolTimeout
from tenacity import AsyncRetrying, RetryCallState, wait_exponential_jitter

from cardroom.adapters.bus.envelope import Received, Unreadable, received_from
from cardroom.adapters.bus.metrics import EFFECT_SECONDS, HANDLED, PARKED, alarm, log
from cardroom.adapters.bus.port import DeadLetter, Delivery, Gap, Handler, Ledger, Rebuilt
from cardroom.adapters.errors import Conflict, ConnectionLost, Overloaded, Unavailable
from cardroom.adapters.store.port import Position
from cardroom.kernel.refusal import Refused

TRANSIENT: Final = (
    Conflict,
    ConnectionLost,
    Overloaded,
    Unavailable,
    OperationalError,
    PoolTimeout,
)
"""What passes by itself: the message is tried until it does, since parking it would need the same store."""

NOT_YET: Final = frozenset({"CR-2", "CR-14"})
"""Refusals that another context's message, still on its way, may turn: an unknown id, an answer not had in time."""

PATIENCE_SECONDS: Final = 30.0
"""How long a message so refused is tried before it is parked: after an outage another source may be far behind."""

CHECK_SECONDS: Final = 1.0

ATTEMPTS: Final = 3
"""How often a message is tried whose handler fails otherwise."""


@dataclass(frozen=True, slots=True)
class Released:
    """What a release did.

    Args:
        handled: how many parked messages took effect.
        failure: why the next one failed again, or empty.
    """

    handled: int
    failure: str


class Inbox:
    """One consumer's messages: an application's inbox, or a read model.

    The transports call `begin` for a partition that they start to read, then `receive` for its messages one after the
    other, and `settle` before they store where to read on.
    """

    def __init__(
        self,
        name: str,
        handler: Handler,
        ledger: Ledger,
        *,
        transient: Callable[[BaseException], bool] = lambda failure: isinstance(failure, TRANSIENT),
        least_wait_seconds: float = 0.05,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        """Take what a message becomes, and where positions and dead letters are kept.

        Args:
            name: the consumer's name, for example `seating` or `seating.openings`.
            handler: gives a message its effect.
            ledger: positions and dead letters.
            transient: whether a failure passes by itself.
            least_wait_seconds: the first wait before a message is tried again.
            patience_seconds: how long a message is tried that is refused for what may still come from elsewhere.
        """
        self.name = name
        self.handler = handler
        self.ledger = ledger
        self._transient = transient
        self._least_wait_seconds = least_wait_seconds
        self._patience_seconds = patience_seconds
        self._checked_at: dict[str, float] = {}
        self._positions: dict[tuple[str, int], int] = {}
        self._unsettled: set[tuple[str, int]] = set()
        self._stopped: set[tuple[str, str]] = set()

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the contexts it listens to."""
        return self.handler.sources

    async def begin(self, source: str) -> None:
        """Load what was handled from the store, in place of what this process remembers.

        Raises:
            Unavailable: the store cannot be reached.
        """
        await self.handler.begin(source)
        stored = await self.ledger.positions(self.handler.tracked(source))
        for known in [lane for lane in self._positions if lane[0] == source]:
            self._forget(known)
        self._positions.update({(source, part): upto for part, upto in stored.items()})
        await self._load_stopped()

    async def begin_partition(self, source: str, partition: int) -> None:
        """Load what was handled of one partition, where a transport takes over single ones."""
        stored = await self.ledger.positions(self.handler.tracked(source))
        self._forget((source, partition))
        self._positions[source, partition] = stored.get(partition, 0)
        await self._load_stopped()

    async def check_generation(self, *sources: str) -> None:
        """Look now and then whether the read model was emptied.

        Args:
            sources: those that the caller follows.

        Raises:
            Rebuilt: it was; the follower starts again.
        """
        for source in sources:
            if time.monotonic() - self._checked_at.get(source, 0.0) > CHECK_SECONDS:
                self._checked_at[source] = time.monotonic()
                await self.handler.check(source)

    def position(self, source: str, partition: int) -> int:
        """Return the id up to which a partition was handled."""
        return self._positions.get((source, partition), 0)

    async def receive(self, delivery: Delivery) -> None:
        """Handle one message: skip it, give it its effect, or park it.

        Raises:
            Gap: the message before it in its partition never came; the position stays.
        """
        lane = (delivery.source, delivery.partition)
        position = self._positions.get(lane, 0)
        if delivery.notification_id <= position:
            self._count(delivery, "skipped")
            return
        if delivery.previous_id is not None and delivery.previous_id > position:
            raise Gap(delivery, position)
        if (delivery.source, delivery.key) not in self._stopped or not await self._behind(delivery):
            await self._effect(delivery)
        self._positions[lane] = delivery.notification_id

    async def settle(self, source: str, partition: int) -> None:
        """Store the position of messages without effect, so that reading on behind them is safe."""
        lane = (source, partition)
        if lane in self._unsettled:
            await self.ledger.advance(self._tracking(source, partition, self._positions[lane]))
            self._unsettled.discard(lane)

    async def settle_all(self, source: str) -> None:
        """Store the positions of all partitions of a source whose last messages had no effect."""
        for named, partition in [lane for lane in self._unsettled if lane[0] == source]:
            await self.settle(named, partition)

    async def release(self, source: str, key: str, *, actor: str, reason: str) -> Released:
        """Give a stopped key's parked messages their effects in order, and let the key go on.

        Args:
            source: the publishing application.
            key: the stopped key.
            actor: who asks.
            reason: why it should work now; stays on record.

        Raises:
            Refused: CR-2 nothing is parked there, CR-4 the reason is empty.
        """
        _require_reason(reason)
        handled, failure = 0, ""
        async with self.ledger.held(self.name, source, key) as held:
            letter = await held.first()
            if letter is None:
                raise _nothing_parked(source, key)
            while letter is not None:
                try:
                    async with held.transaction():
                        await self.handler.replay(received_from(letter.envelope), held.connection)
                        await held.resolve(letter, "released", actor, reason)
                except Exception as failed:  # noqa: BLE001 - any failure keeps the key stopped
                    failure = _words(failed)
                    await held.note_failure(letter, actor, failure)
                    alarm(self.name, "release_failed", source=source, key=key, failure=failure)
                    break
                handled += 1
                letter = await held.first()
        await self._load_stopped()
        log.info(
            "key_released", who=self.name, source=source, key=key, handled=handled, actor=actor
        )
        return Released(handled, failure)

    async def skip(
        self, source: str, key: str, notification_id: int, *, actor: str, reason: str
    ) -> None:
        """Pass over the first parked message of a key; what waits behind it stays until it is released.

        Args:
            source: the publishing application.
            key: the stopped key.
            notification_id: the message's id, so that nobody skips one that they did not look at.
            actor: who asks.
            reason: why it may be passed over; stays on record.

        Raises:
            Refused: CR-2 nothing is parked there, CR-1 another message is first, CR-4 the reason is empty.
        """
        _require_reason(reason)
        async with self.ledger.held(self.name, source, key) as held:
            letter = await held.first()
            if letter is None:
                raise _nothing_parked(source, key)
            if letter.notification_id != notification_id:
                raise Refused(
                    "NOT_FIRST_PARKED",
                    "CR-1",
                    f"notification_id is {notification_id}: the first parked message of key {key!r} is "
                    f"{letter.notification_id}",
                    options=(str(letter.notification_id),),
                    field="notification_id",
                )
            await held.resolve(letter, "skipped", actor, reason)
        await self._load_stopped()
        log.info(
            "message_skipped", who=self.name, message=f"{source}:{notification_id}", actor=actor
        )

    async def _effect(self, delivery: Delivery) -> None:
        position = self._tracking(delivery.source, delivery.partition, delivery.notification_id)
        begun = time.perf_counter()
        try:
            stored = await self._try(delivery, position)
        except Rebuilt:
            raise
        except Exception as failure:  # noqa: BLE001 - whatever it is, the message is kept and the key stops
            await self._park(delivery, position, failure)
            return
        EFFECT_SECONDS.labels(self.name, delivery.source).observe(time.perf_counter() - begun)
        lane = (delivery.source, delivery.partition)
        if stored:
            self._unsettled.discard(lane)
        else:
            self._unsettled.add(lane)
        self._count(delivery, "handled" if stored else "without_effect")

    async def _try(self, delivery: Delivery, position: Position) -> bool:
        message = received_from(delivery.data)
        if (message.source, message.notification_id) != (delivery.source, delivery.notification_id):
            raise Unreadable(
                f"the envelope says {message.message_id}, the transport "
                f"{delivery.source}:{delivery.notification_id}"
            )
        handled: bool = await AsyncRetrying(
            retry=self._again,
            wait=wait_exponential_jitter(
                multiplier=self._least_wait_seconds, max=5.0, jitter=self._least_wait_seconds
            ),
            before_sleep=lambda state: self._tell_retry(message, state),
            reraise=True,
        )(self.handler.handle, message, position)
        return handled

    def _again(self, state: RetryCallState) -> bool:
        failure = state.outcome.exception() if state.outcome else None
        if not isinstance(failure, Exception):
            return False
        if self._transient(failure):
            return True
        if isinstance(failure, Refused) and not NOT_YET.isdisjoint(failure.rules):
            return (state.seconds_since_start or 0.0) < self._patience_seconds
        return not isinstance(failure, Refused | Rebuilt) and state.attempt_number < ATTEMPTS

    def _tell_retry(self, message: Received, state: RetryCallState) -> None:
        failure = state.outcome.exception() if state.outcome else None
        kind = (
            "store_unavailable" if failure and self._transient(failure) else "message_tried_again"
        )
        alarm(
            self.name,
            kind,
            message=message.message_id,
            attempt=state.attempt_number,
            failure=repr(failure),
        )

    async def _park(self, delivery: Delivery, position: Position, failure: Exception) -> None:
        reason = _words(failure)
        parked = await self.ledger.park(
            self._letter(delivery, failed=True, reason=reason), position
        )
        if not parked:
            self._count(delivery, "skipped")
            return
        self._stopped.add((delivery.source, delivery.key))
        self._unsettled.discard((delivery.source, delivery.partition))
        PARKED.labels(self.name).set(len(self._stopped))
        self._count(delivery, "parked")
        alarm(
            self.name,
            "key_stopped",
            message=f"{delivery.source}:{delivery.notification_id}",
            key=delivery.key,
            reason=reason,
            exc_info=failure,
        )

    async def _behind(self, delivery: Delivery) -> bool:
        """Park a message of a stopped key behind the others; False where the key was released meanwhile."""
        position = self._tracking(delivery.source, delivery.partition, delivery.notification_id)
        letter = self._letter(delivery, failed=False, reason="waits behind a message that failed")
        if await self.ledger.park_behind(letter, position):
            self._unsettled.discard((delivery.source, delivery.partition))
            self._count(delivery, "parked")
            return True
        await self._load_stopped()
        return False

    async def _load_stopped(self) -> None:
        self._stopped = await self.ledger.stopped_keys(self.name)
        PARKED.labels(self.name).set(len(self._stopped))

    def _forget(self, lane: tuple[str, int]) -> None:
        self._positions.pop(lane, None)
        self._unsettled.discard(lane)

    def _tracking(self, source: str, partition: int, notification_id: int) -> Position:
        return Position(self.handler.tracked(source), partition, notification_id)

    def _letter(self, delivery: Delivery, *, failed: bool, reason: str) -> DeadLetter:
        return DeadLetter(
            consumer=self.name,
            source=delivery.source,
            partition=delivery.partition,
            notification_id=delivery.notification_id,
            key=delivery.key,
            envelope=delivery.data,
            failed=failed,
            reason=reason,
        )

    def _count(self, delivery: Delivery, outcome: str) -> None:
        HANDLED.labels(self.name, delivery.source, outcome).inc()


def _words(failure: Exception) -> str:
    if isinstance(failure, Refused):
        return f"{failure.code} ({', '.join(failure.rules)}): {failure.message}"
    return f"{type(failure).__name__}: {failure}"


def _require_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused("REASON_MISSING", "CR-4", "reason is empty: say in words why", field="reason")


def _nothing_parked(source: str, key: str) -> Refused:
    return Refused(
        "KEY_NOT_STOPPED", "CR-2", f"key {key!r} of {source} has no parked message", field="key"
    )
