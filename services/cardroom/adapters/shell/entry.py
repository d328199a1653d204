"""A command on its way through the shell, and what its decision came to."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from cardroom.adapters.shell.cache import Snapshot
from cardroom.adapters.shell.requests import Answer, Outcome, Request
from cardroom.adapters.store.port import Position, Proposal
from cardroom.kernel.decisions import Command
from cardroom.kernel.envelope import Envelope, Recorded
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused


class Written:
    """One event of a decision, ready to be stored."""

    __slots__ = ("envelope", "event", "own_hash", "stream", "topic", "version")

    def __init__(
        self,
        stream: str,
        version: int,
        topic: str,
        own_hash: bytes,
        envelope: Envelope,
        event: Event,
    ) -> None:
        self.stream = stream
        self.version = version
        self.topic = topic
        self.own_hash = own_hash
        self.envelope = envelope
        self.event = event

    def recorded(self, notification_id: int) -> Recorded:
        """Return it as it reads back from the store."""
        return Recorded(
            notification_id=notification_id,
            stream=self.stream,
            version=self.version,
            topic=self.topic,
            own_hash=self.own_hash,
            envelope=self.envelope,
            event=self.event,
        )


class Decided:
    """What a decision came to: the proposal for the store, and what the shell needs once it is saved."""

    __slots__ = ("events", "proposal", "refusal", "result", "snapshots", "versions")

    def __init__(
        self,
        proposal: Proposal,
        events: tuple[Written, ...] = (),
        snapshots: dict[str, Snapshot] | None = None,
        versions: dict[str, int] | None = None,
        result: bytes = b"",
        refusal: Refused | None = None,
    ) -> None:
        self.proposal = proposal
        self.events = events
        self.snapshots = snapshots or {}
        self.versions = versions or {}
        self.result = result
        self.refusal = refusal


class Entry:
    """One command (or one inbox message's commands) from submission to answer."""

    __slots__ = (
        "_waiting",
        "answer",
        "commands",
        "conflicts",
        "decided",
        "digest",
        "effective_at",
        "keys",
        "recorded_at",
        "request",
        "seed",
        "tracking",
    )

    def __init__(
        self,
        commands: Sequence[Command],
        keys: tuple[str, ...],
        request: Request,
        digest: bytes,
        recorded_at: datetime,
        seed: bytes,
        answer: Answer | None,
        tracking: Position | None,
        effective_at: datetime | None = None,
    ) -> None:
        self.commands = commands
        self.keys = keys
        self.request = request
        self.digest = digest
        self.recorded_at = recorded_at
        self.seed = seed
        self._waiting: list[asyncio.Future[Outcome]] = []
        self.answer = answer
        self.tracking = tracking
        self.effective_at = effective_at
        self.conflicts = 0
        self.decided: Decided | None = None

    def join(self) -> "asyncio.Future[Outcome]":
        """Return a future of the answer; each caller has its own, so that one may go away without the others."""
        waiting: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        return waiting

    def succeed(self, outcome: Outcome) -> None:
        """Answer everybody who waits and is still there."""
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(outcome)

    def fail(self, error: BaseException) -> None:
        """Answer everybody who waits and is still there with an error."""
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_exception(error)
