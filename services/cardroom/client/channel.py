"""A channel whose every call carries a token and what else belongs to it."""

from collections.abc import Callable, Iterable
from typing import Any, Final
from urllib.parse import quote

import grpc

Metadata = Iterable[tuple[str, str]]

OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.enable_retries", 0),  # retries are ours: same request id, one deadline over all
)


CORRELATION: Final = "cardroom-correlation-id"


def correlation_entry(correlation_id: str) -> tuple[str, str]:
    """Return a correlation id as metadata, which takes printable ASCII only: all else is percent-encoded."""
    return CORRELATION, quote(correlation_id, safe=":/@+=")


def open_channel(address: str, credentials: grpc.ChannelCredentials | None = None) -> Any:
    """Open a channel.

    Args:
        address: `host:port` or `unix:<path>`.
        credentials: TLS; None connects in the clear.
    """
    if credentials is None:
        return grpc.aio.insecure_channel(address, options=OPTIONS)
    return grpc.aio.secure_channel(address, credentials, options=OPTIONS)


class CarryingChannel:
    """What a generated stub takes for a channel: adds metadata to each call.

    Client interceptors of grpc.aio would do the same at the price of a task per call.
    """

    def __init__(self, channel: Any, carry: Callable[[], Metadata]) -> None:
        """Wrap a channel.

        Args:
            channel: a `grpc.aio.Channel`.
            carry: the metadata of the next call.
        """
        self._channel = channel
        self._carry = carry

    def unary_unary(self, *args: Any, **kwargs: Any) -> Any:
        """Return the callable of a unary method."""
        return self._carrying(self._channel.unary_unary(*args, **kwargs))

    def unary_stream(self, *args: Any, **kwargs: Any) -> Any:
        """Return the callable of a method with a stream of responses."""
        return self._carrying(self._channel.unary_stream(*args, **kwargs))

    def stream_unary(self, *args: Any, **kwargs: Any) -> Any:
        """Return the callable of a method with a stream of requests."""
        return self._carrying(self._channel.stream_unary(*args, **kwargs))

    def stream_stream(self, *args: Any, **kwargs: Any) -> Any:
        """Return the callable of a method with streams both ways."""
        return self._carrying(self._channel.stream_stream(*args, **kwargs))

    def _carrying(self, method: Any) -> Any:
        def call(request: Any = None, *, metadata: Metadata = (), **kwargs: Any) -> Any:
            return method(request, metadata=(*self._carry(), *metadata), **kwargs)

        return call
