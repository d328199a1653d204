"""The gRPC server of a process: its servicers behind the gate, health, reflection, drain."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, cast

import grpc
import msgspec
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from cardroom.adapters.grpc.admission import Admission
from cardroom.adapters.grpc.auth import TokenVerifier
from cardroom.adapters.grpc.denials import LoggedDenials, SecurityLog
from cardroom.adapters.grpc.gate import Gate, Limits, Observe
from cardroom.adapters.grpc.methods import bind_all
from cardroom.adapters.grpc.people import PersonCheck

log = structlog.get_logger("cardroom.grpc")

OVERALL: Final = ""
"""Health's name for the server as a whole."""


class Tls(msgspec.Struct, frozen=True, kw_only=True):
    """Certificates in PEM files, for mutual TLS.

    Args:
        certificate: this process's certificate chain.
        key: its private key.
        authority: the authority whose certificates the other side must bear.
    """

    certificate: Path
    key: Path
    authority: Path

    def server_credentials(self, *, require_client: bool = True) -> grpc.ServerCredentials:
        """Return what a server listens with.

        Args:
            require_client: whether callers need a certificate too (between processes: yes).
        """
        return grpc.ssl_server_credentials(
            [(self.key.read_bytes(), self.certificate.read_bytes())],
            self.authority.read_bytes() if require_client else None,
            require_client,
        )

    def channel_credentials(self) -> grpc.ChannelCredentials:
        """Return what a caller connects with."""
        return grpc.ssl_channel_credentials(
            self.authority.read_bytes(), self.key.read_bytes(), self.certificate.read_bytes()
        )


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How one process serves.

    Args:
        address: `host:port`, port 0 for any free one, or `unix:<path>`.
        limits: deadlines, streams, sizes.
        tls: certificates; None listens in the clear and is for one machine only.
        reflection: whether the server tells bearers of a token what it offers.
        notice_seconds: how long before a drain probes hear of it, so that callers are sent elsewhere first.
        drain_seconds: how long calls that run may take to end when the server stops.
    """

    address: str = "127.0.0.1:0"
    limits: Limits = Limits()
    tls: Tls | None = None
    reflection: bool = True
    notice_seconds: float = 0.1
    drain_seconds: float = 5.0


class Server:
    """A running gRPC server; made by `serve`."""

    def __init__(
        self,
        server: Any,
        gate: Gate,
        statuses: Any,
        services: tuple[str, ...],
        address: str,
        settings: ServerSettings,
    ) -> None:
        self._server = server
        self._gate = gate
        self._statuses = statuses
        self._settings = settings
        self._stopped = False
        self.services = services
        self.address = address
        """Where it listens, the port that was free filled in."""

    async def set_serving(self, serving: bool, service: str = OVERALL) -> None:
        """Tell health probes whether a service can do its work (its store is reachable, its inbox runs)."""
        status = health_pb2.HealthCheckResponse
        await self._statuses.set(service, status.SERVING if serving else status.NOT_SERVING)

    async def stop(self) -> None:
        """Drain: turn probes away, end streams with a request to resume, let calls that run end, then close."""
        if self._stopped:
            return
        self._stopped = True
        await self._statuses.enter_graceful_shutdown()
        await asyncio.sleep(self._settings.notice_seconds)
        self._gate.end_streams()
        await self._server.stop(self._settings.drain_seconds)
        log.info("server stopped", address=self.address)

    async def wait(self) -> None:
        """Wait until the server has stopped."""
        await self._server.wait_for_termination()

    @property
    def open_streams(self) -> int:
        """How many streams are open now."""
        return self._gate.open_streams


async def serve(
    servicers: Iterable[Any],
    *,
    verifier: TokenVerifier,
    settings: ServerSettings | None = None,
    security: SecurityLog | None = None,
    people: PersonCheck | None = None,
    observe: Observe | None = None,
) -> Server:
    """Start a server.

    Args:
        servicers: each extends one generated servicer class, and usually `Servicer`.
        verifier: verifies tokens; there is no way to serve without.
        settings: address, limits, certificates.
        security: where denied calls are noted, beside the structured log.
        people: the staff's PINs and badges, for shared stations.
        observe: told of every finished call: path, status, seconds.

    Raises:
        Misdeclared: an RPC lacks its roles, or a servicer lacks an RPC.
        OSError: the address cannot be listened at.
    """
    settings = settings or ServerSettings()
    bound = bind_all(servicers)
    rules = {rule.path: rule for _, each in bound for rule in each.methods}
    admission = Admission(verifier, security or LoggedDenials(), people)
    gate = Gate(rules, admission, settings.limits, observe)
    server = grpc.aio.server(
        interceptors=(gate,),
        options=_options(settings.limits),
        maximum_concurrent_rpcs=settings.limits.calls,
    )
    for servicer, each in bound:
        each.register(servicer, server)
    statuses: Any = cast("Any", health).aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(statuses, server)
    services = tuple(each.service for _, each in bound)
    for name in (OVERALL, *services):
        await statuses.set(name, health_pb2.HealthCheckResponse.SERVING)
    if settings.reflection:
        offered = (*services, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(offered, server)
    address = _listen(server, settings)
    await server.start()
    log.info("server started", address=address, services=services)
    return Server(server, gate, statuses, services, address, settings)


def _listen(server: Any, settings: ServerSettings) -> str:
    address = settings.address
    try:
        if settings.tls is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, settings.tls.server_credentials())
    except RuntimeError as fault:
        raise OSError(f"cannot listen at {address}: {fault}") from fault
    if address.startswith("unix:"):
        return address
    return f"{address.rpartition(':')[0]}:{port}"


def _options(limits: Limits) -> list[tuple[str, int]]:
    return [
        ("grpc.max_receive_message_length", limits.message_bytes),
        ("grpc.so_reuseport", 0),  # a second server on the same port is a mistake, not a pool
        # The server pings a silent client every 30 s and gives it 10 s, so that dead watchers go.
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        # Clients may ping as often as every 5 s, also between calls, without being called abusive.
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
        ("grpc.http2.max_ping_strikes", 0),
        ("grpc.max_concurrent_streams", limits.calls_per_connection),
    ]
