"""A small service of the tests, served by the real server: its protos are compiled when this module is imported."""

import asyncio
import atexit
import contextlib
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
from grpc_tools import protoc

from cardroom.adapters.grpc.auth import TokenKeys, TokenMint, TokenVerifier
from cardroom.adapters.grpc.caller import present_caller
from cardroom.adapters.grpc.denials import Denial
from cardroom.adapters.grpc.gate import Limits
from cardroom.adapters.grpc.server import Server, ServerSettings, Tls, serve
from cardroom.adapters.grpc.servicer import Servicer, shell_request
from cardroom.adapters.grpc.watch import watch_views

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = tempfile.TemporaryDirectory(prefix="trial-protos-")
atexit.register(SCRATCH.cleanup)


def compile_protos(source: Path, out: Path) -> None:
    """Compile all protos below a folder that may import the project's."""
    arguments = [
        "protoc",
        f"-I{source}",
        f"-I{ROOT / 'protos'}",
        f"-I{files('grpc_tools') / '_proto'}",
        f"--python_out={out}",
        f"--grpc_python_out={out}",
        *(str(path) for path in sorted(source.rglob("*.proto"))),
    ]
    assert protoc.main(arguments) == 0


compile_protos(Path(__file__).parent / "trial_protos", Path(SCRATCH.name))
sys.path.insert(0, SCRATCH.name)

from trial.v1 import trial_service_pb2 as pb  # noqa: E402
from trial.v1 import trial_service_pb2_grpc as pb_grpc  # noqa: E402

SERVICE = "trial.v1.TrialService"


class Watched:
    """Stems whose states the test sets; stands in for the part of `Application` that a watch needs."""

    def __init__(self) -> None:
        self.states: dict[str, tuple[Any, int]] = {}
        self.watchers = 0
        self._changed = asyncio.Condition()

    async def set(self, stem: str, state: Any) -> None:
        async with self._changed:
            self.states[stem] = (state, self.states.get(stem, (None, 0))[1] + 1)
            self._changed.notify_all()

    async def watch(self, stems: Sequence[str]) -> AsyncIterator[tuple[str, Any, int]]:
        (stem,) = stems
        self.watchers += 1
        seen = -1
        try:
            while True:
                async with self._changed:
                    while self._version(stem) == seen:
                        await self._changed.wait()
                    state, seen = self.states.get(stem, (None, 0))
                yield stem, state, seen
        finally:
            self.watchers -= 1

    def _version(self, stem: str) -> int:
        return self.states.get(stem, (None, 0))[1]


class TrialServicer(Servicer, pb_grpc.TrialServiceServicer):
    """Says who called; `behave` may raise or wait first."""

    def __init__(self) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self.watched = Watched()
        self.behave: Callable[[Any], Any] = lambda request: None
        self.calls: list[Any] = []
        self.correlations: list[str] = []

    async def Change(self, request: Any, context: Any) -> Any:
        self.calls.append(request)
        self.correlations.append(present_caller().correlation_id)
        waiting = self.behave(request)
        if waiting is not None:
            await waiting
        asked = shell_request(request)
        return pb.ChangeResponse(
            actor=asked.actor,
            station=asked.station,
            roles=sorted(asked.roles),
            occurred_at=asked.occurred_at.isoformat() if asked.occurred_at else "",
            correlation_id=asked.correlation_id,
        )

    async def Look(self, request: Any, context: Any) -> Any:
        return pb.LookResponse(seen=request.place.room)

    async def Touch(self, request: Any, context: Any) -> Any:
        return pb.TouchResponse()

    async def WatchRoom(self, request: Any, context: Any) -> AsyncIterator[Any]:
        def view(states: Any, versions: Any) -> Any:
            text = str(states[request.room] or "")
            return pb.WatchRoomResponse(version=versions[request.room], view=text)

        async for each in watch_views(self.watched, (request.room,), view, request.resume_token):
            yield each

    async def Feed(self, requests: Any, context: Any) -> Any:
        count = 0
        async for _ in requests:
            count += 1
        return pb.FeedResponse(count=count)

    async def Talk(self, requests: Any, context: Any) -> AsyncIterator[Any]:
        async for request in requests:
            yield pb.TalkResponse(room=request.room)


class Denials:
    """Keeps denials for the test to look at."""

    def __init__(self) -> None:
        self.all: list[Denial] = []

    def denied(self, denial: Denial) -> None:
        self.all.append(denial)


class Trial:
    """A running server with the trial service, and what a test needs to call it."""

    def __init__(self, server: Server, keys: TokenKeys, servicer: Any, denials: Denials) -> None:
        self.server = server
        self.keys = keys
        self.servicer = servicer
        self.denials = denials
        self.mint = TokenMint(keys.signing())
        self.channel: Any = grpc.aio.insecure_channel(server.address)
        self.stub = pb_grpc.TrialServiceStub(self.channel)

    def token(
        self, *roles: str, subject: str = "ann", rooms: Sequence[str] = ("*",), **more: Any
    ) -> str:
        return self.mint.token(subject, roles or ("floor",), rooms=rooms, **more)

    def bearer(self, *roles: str, **more: Any) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token(*roles, **more)}"),)


@contextlib.asynccontextmanager
async def trial(
    folder: Path,
    *,
    limits: Limits | None = None,
    tls: Tls | None = None,
    servicer: Any = None,
    extra: Sequence[Any] = (),
    drain_seconds: float = 2.0,
    address: str = "127.0.0.1:0",
    **serving: Any,
) -> AsyncIterator[Trial]:
    """Serve the trial service for the time of an `async with`."""
    keys = TokenKeys(folder / "tokens")
    keys.create_missing()
    servicer = servicer or TrialServicer()
    denials = Denials()
    server = await serve(
        [servicer, *extra],
        verifier=TokenVerifier(keys.verifying),
        settings=ServerSettings(
            address=address, limits=limits or Limits(), tls=tls, drain_seconds=drain_seconds
        ),
        security=denials,
        **serving,
    )
    running = Trial(server, keys, servicer, denials)
    try:
        yield running
    finally:
        await running.channel.close()
        await server.stop()


async def failure(call: Any) -> SimpleNamespace:
    """Await a call that must fail and return its status and details."""
    from cardroom.client.errors import failure_of

    try:
        await call
    except grpc.aio.AioRpcError as error:
        made = failure_of(error)
        return SimpleNamespace(
            code=error.code(), details=error.details(), made=made, reason=made.reason
        )
    raise AssertionError("the call succeeded")


async def until(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - the condition is not ours to signal
            await asyncio.sleep(0.005)


def change(**fields: Any) -> Any:
    """Return a good `ChangeRequest`, with some fields other than usual."""
    return pb.ChangeRequest(**{"request_id": "r1", "room": "lucky", "seat": 3, **fields})
