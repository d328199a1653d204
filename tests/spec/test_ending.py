"""Ending what runs: a task that loses a cancellation is ended all the same."""

import asyncio

import pytest

from cardroom.adapters import ending


async def test_a_task_that_swallows_a_cancellation_is_cancelled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ending, "AGAIN_SECONDS", 0.01)
    swallowed = 0

    async def stubborn() -> None:
        nonlocal swallowed
        while swallowed < 3:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                swallowed += 1
        await asyncio.Event().wait()

    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    async with asyncio.timeout(10):
        await ending.ended(task)
    assert swallowed == 3
    assert task.cancelled()


async def test_a_task_may_clean_up_before_it_is_over() -> None:
    cleaned = False

    async def tidy() -> None:
        nonlocal cleaned
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.01)
            cleaned = True

    task = asyncio.create_task(tidy())
    await asyncio.sleep(0)
    await ending.ended(task)
    assert cleaned


async def test_what_a_task_raised_stays_with_it() -> None:
    async def failing() -> None:
        raise ValueError("broken")

    task = asyncio.create_task(failing())
    await asyncio.wait((task,))
    await ending.ended(task)
    with pytest.raises(ValueError, match="broken"):
        await task
