"""Calls to other contexts: channels with this process's own token, a deadline for each, a typed failure."""

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import grpc

from cardroom.adapters.grpc import caller as callers
from cardroom.adapters.grpc.auth import TokenMint
from cardroom.client.channel import (
    CarryingChannel,
    Metadata,
    correlation_entry,
    open_channel,
)
from cardroom.client.errors import CallRefused, failure_of
from cardroom.kernel.refusal import Refused

TOKEN_SECONDS: Final = 3600
RENEWED_SECONDS_BEFORE: Final = 600


class AskFailed(Refused):
    """Another context gave no usable answer in time (CR-14).

    A context's `ask.py` states for each question what follows: most let it refuse the act, some go on without.

    Args:
        context: who was asked.
        question: the method's name.
        why: status and sentence.
    """

    def __init__(self, context: str, question: str, why: str) -> None:
        super().__init__(
            f"{context.upper()}_DID_NOT_ANSWER",
            "CR-14",
            f"{context} gave no answer to {question} in time: {why}",
        )
        self.context = context


class AskRefused(Refused):
    """Another context refused what it was asked to do; its code, rules, options and field stand as they came."""


class ServiceToken:
    """The token of this process, made anew in time."""

    def __init__(self, mint: TokenMint, process: str, now: Callable[[], float] = time.time) -> None:
        """Take what makes it.

        Args:
            mint: signs it.
            process: this process's name.
            now: Unix seconds.
        """
        self._mint = mint
        self._process = process
        self._now = now
        self._token = ""
        self._renew_at = 0.0

    def __call__(self) -> str:
        """Return a token that is good for some minutes at least."""
        if self._now() >= self._renew_at:
            self._token = self._mint.service_token(self._process, TOKEN_SECONDS)
            self._renew_at = self._now() + TOKEN_SECONDS - RENEWED_SECONDS_BEFORE
        return self._token


class PeerChannels:
    """The other contexts of this installation (`Peers`)."""

    def __init__(
        self,
        addresses: Mapping[str, str],
        token: Callable[[], str],
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        """Name the peers; nothing is connected until the first call.

        Args:
            addresses: context -> address.
            token: this process's present token, usually a `ServiceToken`.
            credentials: TLS; None connects in the clear.
        """
        self._addresses = dict(addresses)
        self._token = token
        self._credentials = credentials
        self._channels: dict[str, Any] = {}

    def channel(self, context: str) -> Any:
        """Return the channel to a context, for its generated stubs; calls carry token and correlation id.

        Raises:
            KeyError: no address is known for that context.
        """
        address = self._addresses[context]
        opened = self._channels.get(address)
        if opened is None:
            opened = self._channels[address] = open_channel(address, self._credentials)
        return CarryingChannel(opened, self._metadata)

    async def close(self) -> None:
        """Close all channels."""
        channels = tuple(self._channels.values())
        self._channels.clear()
        for channel in channels:
            await channel.close()

    def _metadata(self) -> Metadata:
        carried = [("authorization", f"Bearer {self._token()}")]
        correlation_id = callers.present_correlation_id()
        if correlation_id:
            carried.append(correlation_entry(correlation_id))
        return carried


async def ask(method: Any, request: Any, *, context: str, question: str, seconds: float) -> Any:
    """Ask another context and return its answer.

    Args:
        method: a stub's unary method on a channel of `PeerChannels`.
        request: the request message; a question that changes something bears a request id derived from its cause, so
            that asking again does nothing twice.
        context: who is asked, for the failure.
        question: the method's name, for the failure.
        seconds: deadline; a peer that is just starting is waited for within it.

    Raises:
        AskRefused: it refused, with rules.
        AskFailed: CR-14, no usable answer in time.
    """
    try:
        return await method(request, timeout=seconds, wait_for_ready=True)
    except grpc.aio.AioRpcError as error:
        failure = failure_of(error)
    if isinstance(failure, CallRefused) and "CR-14" not in failure.rules:
        raise AskRefused(
            failure.reason, failure.rules, failure.message, failure.options, failure.field
        )
    raise AskFailed(context, question, str(failure))
