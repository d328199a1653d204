"""The published Python client: channels, tokens, retries under one request id, deadlines, watches that resume."""

import os

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")  # see cardroom.adapters.grpc

from cardroom.client.client import Client, new_request_id
from cardroom.client.errors import (
    CallDenied,
    CallFailed,
    CallInvalid,
    CallRefused,
    CallUnavailable,
    Violation,
)

__all__ = [
    "CallDenied",
    "CallFailed",
    "CallInvalid",
    "CallRefused",
    "CallUnavailable",
    "Client",
    "Violation",
    "new_request_id",
]
