"""Keeps followers running: one that fails is started again after a growing wait, with an alarm each time."""

import asyncio
import time
from collections.abc import Iterable
from typing import Final, TypeVar

import psycopg
from tenacity import AsyncRetrying, RetryCallState, wait_exponential_jitter

from cardroom.adapters.bus.leading import LeadLost
from cardroom.adapters.bus.metrics import alarm, log
from cardroom.adapters.bus.port import Follower, Rebuilt
from cardroom.adapters.ending import ended
from cardroom.adapters.errors import ConnectionLost, Unavailable

Result = TypeVar("Result")

HEALTHY_SECONDS: Final = 30.0
"""One that ran this long before it failed starts again from the shortest wait."""
AWAY: Final = (psycopg.OperationalError, ConnectionLost, LeadLost, Unavailable)
"""Failures of a store, not of the follower: it is looked for again soon, so that nothing waits once it is back."""
AWAY_SECONDS: Final = 1.0
"""The longest wait for a store that is away."""


async def supervise(
    follower: Follower, *, least_seconds: float = 0.2, most_seconds: float = 15.0
) -> None:
    """Run a follower until cancelled; start it again whenever it fails or ends.

    Args:
        follower: what to run.
        least_seconds: the first wait.
        most_seconds: the longest wait; a store that is away is looked for every `AWAY_SECONDS` at least.
    """

    def tell(state: RetryCallState) -> None:
        failure = state.outcome.exception() if state.outcome else None
        if isinstance(failure, Rebuilt):
            log.info("follower_begins_again", who=follower.name, reason=str(failure))
            return
        alarm(
            follower.name,
            "follower_restarted",
            attempt=state.attempt_number,
            wait_seconds=round(state.upcoming_sleep, 2),
            failure=repr(failure),
            exc_info=failure,
        )

    growing = wait_exponential_jitter(
        multiplier=least_seconds, max=most_seconds, jitter=least_seconds
    )

    def wait(state: RetryCallState) -> float:
        failure = state.outcome.exception() if state.outcome else None
        seconds = growing(state)
        return min(seconds, AWAY_SECONDS) if isinstance(failure, AWAY) else seconds

    begun = time.monotonic()

    async def once() -> None:
        nonlocal begun
        begun = time.monotonic()
        try:
            await follower.run()
        except Exception as failure:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                # It was asked to stop and failed while it cleaned up; it must not be started again for that.
                log.warning(
                    "follower_stopped_with_failure", who=follower.name, failure=repr(failure)
                )
                raise asyncio.CancelledError from failure
            raise
        raise RuntimeError(f"{follower.name} ended although nobody stopped it")

    while True:
        await AsyncRetrying(
            wait=wait,
            stop=lambda _state: time.monotonic() - begun > HEALTHY_SECONDS,
            before_sleep=tell,
            retry_error_callback=tell,
        )(once)
        await asyncio.sleep(least_seconds)


async def supervise_all(followers: Iterable[Follower], *, least_seconds: float = 0.2) -> None:
    """Run followers side by side until cancelled; the end of one, however it came, leaves the others alone.

    Args:
        followers: what to run.
        least_seconds: the first wait before one is started again.
    """

    def begin(follower: Follower) -> "asyncio.Task[None]":
        work = supervise(follower, least_seconds=least_seconds)
        return asyncio.create_task(work, name=follower.name)

    running = {begin(one): one for one in followers}
    try:
        while running:
            over, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in over:
                # A cancellation meant for something inside a follower can come out of it.
                follower = running.pop(task)
                failure = None if task.cancelled() else task.exception()
                alarm(follower.name, "follower_restarted", failure=repr(failure), exc_info=failure)
                await asyncio.sleep(least_seconds)
                running[begin(follower)] = follower
    finally:
        await ended(*running)


async def to_its_end(work: "asyncio.Future[Result]") -> Result:
    """Wait for a thread's work even where the waiter is cancelled: a blocking call cannot be stopped."""
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait([work])
        raise
