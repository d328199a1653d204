"""Watch streams: first the present view, then one after each change, resumable, never buffered without bound."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from google.protobuf.message import Message

from cardroom.adapters.ending import ended

M = TypeVar("M", bound=Message)
Stems = Sequence[str] | Callable[[Mapping[str, Any]], Sequence[str]]
"""The stems to watch, or a function from the states known so far to them (a table's present hand)."""
View = Callable[[Mapping[str, Any], Mapping[str, int]], M | None]
"""`(states by stem, versions by stem) -> the message that shows them`, or None where there is nothing to show."""


class Watchable(Protocol):
    """The part of `Application` that a watch needs."""

    def watch(self, stems: Sequence[str]) -> AsyncIterator[tuple[str, Any, int]]:
        """Yield (stem, state, version): first as each stands, then after each change."""


async def watch_views(
    app: Watchable, stems: Stems, view: View[M], resume_token: str = ""
) -> AsyncIterator[M]:
    """Yield the present view, then a new one whenever it has changed.

    Changes that come faster than the reader takes them are shown together: the reader always gets the newest view, and
    what waits for it is one view. Each message's field `resume_token` is set; it names the view's content, so a caller
    that comes back with the last one it got is sent nothing that it has seen.

    Args:
        app: the context's application.
        stems: what to watch.
        view: makes the response message; may raise `Unknown`, for example where a stem's version is 0.
        resume_token: the token of the last message the caller has, or empty.

    Raises:
        SlowReader: the application could not hand its changes over.
    """
    following = _Following(app)
    shown = resume_token
    try:
        while True:
            wanted = stems(following.states) if callable(stems) else stems
            if not following.follow(wanted):
                await following.changed()
                continue
            message = view(following.states, following.versions)
            if message is not None and (token := token_of(message)) != shown:
                shown = token
                cast: Any = message
                cast.resume_token = token
                yield message
            await following.changed()
    finally:
        await following.stop()


def token_of(message: Any) -> str:
    """Return the resume token of a view: a digest of everything else in it."""
    message.ClearField("resume_token")
    content = message.SerializeToString(deterministic=True)
    return hashlib.blake2b(content, digest_size=12).hexdigest()


class _Following:
    """The newest state of each stem that is watched; one task per stem keeps it."""

    def __init__(self, app: Watchable) -> None:
        self._app = app
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._wake = asyncio.Event()
        self._fault: BaseException | None = None
        self.states: dict[str, Any] = {}
        self.versions: dict[str, int] = {}

    def follow(self, stems: Sequence[str]) -> bool:
        """Watch just these stems from now on; say whether the state of each is known."""
        for stem in self._tasks.keys() - set(stems):
            self._tasks.pop(stem).cancel()
            self.states.pop(stem, None)
            self.versions.pop(stem, None)
        for stem in stems:
            if stem not in self._tasks:
                self._tasks[stem] = asyncio.create_task(self._keep(stem))
        return all(stem in self.states for stem in stems)

    async def changed(self) -> None:
        """Wait for a change that came since this was called last."""
        await self._wake.wait()
        self._wake.clear()
        if self._fault is not None:
            raise self._fault

    async def stop(self) -> None:
        """End all watching."""
        await ended(*self._tasks.values())

    async def _keep(self, stem: str) -> None:
        try:
            async for _, state, version in self._app.watch((stem,)):
                if self._tasks.get(stem) is asyncio.current_task():
                    self.states[stem] = state
                    self.versions[stem] = version
                    self._wake.set()
        except Exception as fault:  # noqa: BLE001 - it is raised to the reader
            self._fault = fault
            self._wake.set()
