"""Starts the processes of an installation for the evening, and stops, kills and restarts them."""

import asyncio
import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, Self

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from cardroom.adapters.grpc.auth import TokenKeys, TokenMint
from cardroom.adapters.grpc.certificates import Certificates
from cardroom.adapters.installation import CONTEXTS
from cardroom.adapters.process import ALL
from cardroom.client import Client

START_SECONDS: Final = 120.0
STOP_SECONDS: Final = 20.0
TRIES: Final = 20
PORTS: Final = range(20_000, 32_000)
"""Below those that the kernel gives to connections: a process that is down finds its port free when it comes back."""


class ServerFailed(Exception):  # noqa: N818 - it names what happened
    """A process ended or did not answer in time; the message carries the end of its log."""


def free_port_range(count: int) -> int:
    """Return the first of so many neighbouring ports that nothing listens on now.

    Raises:
        ServerFailed: none was found in some tries.
    """
    for _ in range(TRIES):
        first = random.randrange(PORTS.start, PORTS.stop - count)  # noqa: S311 - it guards nothing
        if all(_is_free(port) for port in range(first, first + count)):
            return first
    raise ServerFailed(f"no {count} neighbouring free ports were found")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class Servers:
    """The processes of one installation on this machine.

    Args:
        directory: its data directory, made where missing.
        together: all contexts in one process, or each in one of its own.
        start: where the manual clock of every process begins.
        environment: more settings, as environment variables.
    """

    def __init__(
        self,
        directory: Path,
        *,
        together: bool = True,
        start: datetime,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.directory = directory
        self.names: Sequence[str] = (ALL,) if together else CONTEXTS
        self._first_port = free_port_range(len(CONTEXTS) + 1)
        self._started: dict[str, subprocess.Popen[bytes]] = {}
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("CARDROOM_")},
            "CARDROOM_DATA_DIRECTORY": str(directory),
            "CARDROOM_GRPC__PORT": str(self._first_port),
            "CARDROOM_CLOCK__KIND": "manual",
            "CARDROOM_CLOCK__START": start.isoformat(),
            "CARDROOM_LOG__FORMAT": "json",
            "CARDROOM_SEALS__EVERY_SECONDS": "1",
            "GRPC_ENABLE_FORK_SUPPORT": "0",
            **(environment or {}),
        }

    async def __aenter__(self) -> Self:
        try:
            # The first process prepares the data directory; the others find it ready.
            for name in self.names:
                self.launch(name)
            await asyncio.gather(*(self.ready(name) for name in self.names))
        except BaseException:
            await self.stop()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def address(self, name: str) -> str:
        """Return where a process listens."""
        offset = 0 if name == ALL else 1 + CONTEXTS.index(name)
        return f"127.0.0.1:{self._first_port + offset}"

    @property
    def addresses(self) -> str | dict[str, str]:
        """Return the addresses as `cardroom.client.Client` takes them."""
        if ALL in self.names:
            return self.address(ALL)
        return {name: self.address(name) for name in self.names}

    def log_path(self, name: str) -> Path:
        """Return where a process writes its log."""
        return self.directory / "log" / f"{name}.log"

    def launch(self, name: str) -> None:
        """Start one process."""
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self.log_path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as log:
            self._started[name] = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                [sys.executable, "-m", "cardroom.demo.leashed", str(os.getpid()), name],
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C reaches the script, which stops them in order
            )

    async def ready(self, name: str) -> None:
        """Wait until a process answers that it serves.

        Raises:
            ServerFailed: it ended, or did not in time.
        """
        deadline = asyncio.get_running_loop().time() + START_SECONDS
        while asyncio.get_running_loop().time() < deadline:
            if self._started[name].poll() is not None:
                raise ServerFailed(f"{name} ended at its start:\n{self.end_of_log(name)}")
            if await self._serving(name):
                return
            await asyncio.sleep(0.05)
        raise ServerFailed(f"{name} did not answer in {START_SECONDS} s:\n{self.end_of_log(name)}")

    async def _serving(self, name: str) -> bool:
        credentials = self.credentials()
        if credentials is None:
            return False
        async with grpc.aio.secure_channel(self.address(name), credentials) as channel:
            try:
                stub = health_pb2_grpc.HealthStub(channel)
                answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=1.0)
            except grpc.aio.AioRpcError:
                return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)

    def credentials(self) -> grpc.ChannelCredentials | None:
        """Return what a client needs for TLS, or None while the installation has no certificates yet."""
        folder = self.directory / "tls"
        if not any(folder.glob("*")):
            return None
        issued = Certificates(folder).issue("evening", ("localhost",))
        return issued.channel_credentials()

    def end_of_log(self, name: str, lines: int = 30) -> str:
        """Return the last lines of a process's log."""
        path = self.log_path(name)
        if not path.exists():
            return "(no log)"
        return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])

    def kill(self, name: str) -> None:
        """Kill a process without warning."""
        process = self._started.pop(name)
        process.kill()
        process.wait()

    async def restart(self, name: str) -> None:
        """Start a process again and wait until it serves."""
        self.launch(name)
        await self.ready(name)

    async def stop(self) -> None:
        """Ask every process to drain, and kill those that do not end in time."""
        for process in self._started.values():
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self._started.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(process.wait, STOP_SECONDS)
            if process.poll() is None:
                process.kill()
                process.wait()
        self._started.clear()

    def client(
        self, subject: str, roles: Sequence[str], rooms: Sequence[str], station: str
    ) -> Client:
        """Return a client with a token of its own.

        Args:
            subject: who.
            roles: their roles.
            rooms: rooms and groups of rooms the token is for.
            station: where.
        """
        return self._client(self.addresses, subject, roles, rooms, station)

    def client_of(self, name: str, subject: str, roles: Sequence[str]) -> Client:
        """Return a client of one process, whatever the service (the clock stands in every process)."""
        return self._client(self.address(name), subject, roles, ("*",), "clock")

    def _client(
        self,
        addresses: str | dict[str, str],
        subject: str,
        roles: Sequence[str],
        rooms: Sequence[str],
        station: str,
    ) -> Client:
        keys = TokenKeys(self.directory / "tokens")
        token = TokenMint(keys.signing()).token(
            subject, list(roles), rooms=list(rooms), station=station
        )
        return Client(
            addresses,
            token,
            credentials=self.credentials(),
            attempt_seconds=10.0,
            total_seconds=START_SECONDS,  # a process may be starting
        )
