"""Ending what runs: tasks until they are over, and a process within a limit whatever hangs in it."""

import asyncio
import os
import threading
from typing import Any, Final

import structlog

log = structlog.get_logger("cardroom.process")

AGAIN_SECONDS: Final = 5.0
"""How long a cancelled task may take to clean up before it is cancelled again."""
ENDED_HARD: Final = 1
"""Exit status of a process that did not drain."""


async def ended(*tasks: "asyncio.Task[Any]") -> None:
    """Cancel tasks and return when each is over; what they raised stays with them.

    A cancellation can be lost: a library that cleans up after a timeout or another cancellation may swallow it. So
    a task that goes on is cancelled again.

    Args:
        tasks: what to end; those that are over already cost nothing.
    """
    waiting = {task for task in tasks if not task.done()}
    while waiting:
        for task in waiting:
            task.cancel()
        _, waiting = await asyncio.wait(waiting, timeout=AGAIN_SECONDS)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # asked for, so that asyncio does not complain of one that nobody looked at


def end_within(seconds: float, process: str) -> None:
    """Let this process end after some seconds at the latest, drained or not.

    Nothing is lost by a hard end: what was acknowledged is committed, and the next start goes on from there. A process
    that never ends would keep its successor from its port and its partitions.

    Args:
        seconds: how long draining may take.
        process: its name, for the log.
    """
    limit = threading.Timer(seconds, end_now, (process, f"it did not drain in {seconds:g} s"))
    limit.daemon = True
    limit.start()


def end_now(process: str, why: str) -> None:
    """End this process without draining."""
    log.error("ended hard", process=process, reason=why)
    os._exit(ENDED_HARD)
