"""The client: stubs by context, calls that are safe to retry, watches that resume."""

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final, Self

import grpc

from cardroom.client.channel import (
    CarryingChannel,
    Metadata,
    correlation_entry,
    open_channel,
)
from cardroom.client.errors import CallDenied, CallFailed, CallUnavailable, failure_of

ATTEMPT_SECONDS: Final = 5.0
TOTAL_SECONDS: Final = 30.0
FIRST_PAUSE_SECONDS: Final = 0.05
LONGEST_PAUSE_SECONDS: Final = 2.0
EVERY_CONTEXT: Final = "*"


def new_request_id() -> str:
    """Return a request id that no one has used."""
    return uuid.uuid4().hex


class Client:
    """A connection to a room's services.

    Use as an async context manager. `stub(SeatingServiceStub)` gives a stub whose calls carry the token; `call` adds
    deadline, request id and retries; `watch` follows a `Watch*` method over restarts.
    """

    def __init__(
        self,
        addresses: str | Mapping[str, str],
        token: str | Callable[[], str],
        *,
        credentials: grpc.ChannelCredentials | None = None,
        attempt_seconds: float = ATTEMPT_SECONDS,
        total_seconds: float = TOTAL_SECONDS,
    ) -> None:
        """Name the servers; nothing is connected until the first call.

        Args:
            addresses: one address for all contexts, or context -> address (`*` for all others).
            token: the bearer token, or a function that returns the present one.
            credentials: TLS; None connects in the clear.
            attempt_seconds: deadline of one attempt.
            total_seconds: how long a call goes on trying, and a watch tries to come back.
        """
        self._addresses = {EVERY_CONTEXT: addresses} if isinstance(addresses, str) else addresses
        self._token = token
        self._credentials = credentials
        self.attempt_seconds = attempt_seconds
        self.total_seconds = total_seconds
        self._channels: dict[str, Any] = {}
        self._stubs: dict[type, Any] = {}
        self._extra: tuple[tuple[str, str], ...] = ()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all channels; calls under way are cancelled."""
        channels = tuple(self._channels.values())
        self._channels.clear()
        self._stubs.clear()
        for channel in channels:
            await channel.close()

    def acting(
        self, person: str = "", *, pin: str = "", badge: str = "", correlation_id: str = ""
    ) -> "Client":
        """Return a client on the same channels whose calls name the person at a shared podium.

        Args:
            person: who acts, with `pin`.
            pin: their PIN.
            badge: or their badge's number.
            correlation_id: common to all that belongs together.
        """
        other = Client(
            self._addresses,
            self._token,
            credentials=self._credentials,
            attempt_seconds=self.attempt_seconds,
            total_seconds=self.total_seconds,
        )
        other._channels = self._channels
        named = {
            "cardroom-person": person,
            "cardroom-pin": pin,
            "cardroom-badge": badge,
            **dict([correlation_entry(correlation_id)]),
        }
        other._extra = tuple((name, value) for name, value in named.items() if value)
        return other

    def stub(self, stub_class: type) -> Any:
        """Return a stub of a generated class, on the channel of its context.

        Raises:
            KeyError: no address was given for its context.
        """
        stub = self._stubs.get(stub_class)
        if stub is None:
            context = stub_class.__module__.removeprefix("cardroom.api.").partition(".")[0]
            carrying = CarryingChannel(self._channel(context), self._metadata)
            stub = self._stubs[stub_class] = stub_class(carrying)
        return stub

    async def call(self, method: Any, request: Any, *, total_seconds: float | None = None) -> Any:
        """Call a unary method and return its response.

        A request with an empty `request_id` gets one. Where no answer comes, or one that may pass, the same request
        is sent again until `total_seconds` are over, so a change is made once however often it is sent.

        Args:
            method: a stub's method, for example `client.stub(SeatingServiceStub).TakeSeat`.
            request: its request message; not changed.
            total_seconds: other than the client's.

        Raises:
            CallRefused: the book or an invariant does not allow it.
            CallInvalid: the request breaks a declared constraint.
            CallDenied: token, role, room or person.
            CallUnavailable: no answer in time.
            CallFailed: a fault of the server's own.
        """
        request = with_request_id(request)
        patience = Patience(self.total_seconds if total_seconds is None else total_seconds)
        while True:
            seconds = min(self.attempt_seconds, patience.left)
            try:
                return await method(request, timeout=seconds)
            except grpc.aio.AioRpcError as error:
                failure = failure_of(error)
            if not failure.passing or not await patience.pause(failure):
                raise failure from None

    async def watch(self, method: Any, request: Any) -> AsyncIterator[Any]:
        """Yield the messages of a `Watch*` method; after an interruption go on from the last one.

        Args:
            method: a stub's method.
            request: its request message, with a `resume_token` field; not changed.

        Raises:
            CallUnavailable: the server stayed away for longer than `total_seconds`.
            CallFailed: as with `call`.
        """
        resuming = type(request)()
        resuming.CopyFrom(request)
        patience = Patience(self.total_seconds)
        while True:
            stream = method(resuming)
            try:
                async for message in stream:
                    resuming.resume_token = message.resume_token
                    patience = Patience(self.total_seconds)
                    yield message
            except grpc.aio.AioRpcError as error:
                failure = failure_of(error)
            else:
                return
            finally:
                stream.cancel()
            renewed = (
                isinstance(failure, CallDenied)
                and failure.reason == "TOKEN_EXPIRED"
                and callable(self._token)
            )
            if not (failure.passing or renewed) or not await patience.pause(failure):
                raise failure from None

    def _channel(self, context: str) -> Any:
        address = self._addresses.get(context) or self._addresses.get(EVERY_CONTEXT)
        if address is None:
            raise KeyError(f"no address was given for {context}")
        channel = self._channels.get(address)
        if channel is None:
            channel = self._channels[address] = open_channel(address, self._credentials)
        return channel

    def _metadata(self) -> Metadata:
        token = self._token() if callable(self._token) else self._token
        return (("authorization", f"Bearer {token}"), *self._extra)


class Patience:
    """How long to go on trying, with pauses that grow and are spread at random."""

    def __init__(self, total_seconds: float) -> None:
        """Start counting."""
        self._now = asyncio.get_running_loop().time
        self._until = self._now() + total_seconds
        self._pause = FIRST_PAUSE_SECONDS

    @property
    def left(self) -> float:
        """Seconds left."""
        return max(0.001, self._until - self._now())

    async def pause(self, failure: CallFailed) -> bool:
        """Wait before the next attempt; False where no time is left for one."""
        spread = random.uniform(0.5, 1.0)  # noqa: S311 - it spreads retries, it guards nothing
        seconds = max(failure.retry_seconds, self._pause) * spread
        if self._now() + seconds >= self._until:
            return False
        await asyncio.sleep(seconds)
        self._pause = min(self._pause * 2, LONGEST_PAUSE_SECONDS)
        return True


def with_request_id(request: Any) -> Any:
    """Return the request, or a copy of it with a new request id where it has an empty one."""
    if "request_id" not in request.DESCRIPTOR.fields_by_name or request.request_id:
        return request
    copy = type(request)()
    copy.CopyFrom(request)
    copy.request_id = new_request_id()
    return copy


__all__ = ["CallUnavailable", "Client", "Patience", "new_request_id", "with_request_id"]
