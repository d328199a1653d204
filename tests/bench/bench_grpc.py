"""A durable command through gRPC against an empty call on the same server, with the same clients and interceptors.

Goals `grpc_durable_vs_echo` and `grpc_durable_p99_vs_p50`.

16 clients, each on a connection of its own, each waiting for its answer; each client's commands go to a table of
its own. The server is a process of its own, its store is PostgreSQL with fsync on. Every call bears a token and
passes role, constraints and room; every command is hashed, bears a request id and is answered when it is committed.

Run: `python -m tests.bench.bench_grpc [seconds per round] [rounds] [profile]`.
"""

import asyncio
import cProfile
import json
import os
import pstats
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import grpc

from cardroom.adapters.application import Application
from cardroom.adapters.grpc.auth import TokenKeys, TokenMint, TokenVerifier
from cardroom.adapters.grpc.server import ServerSettings, serve
from cardroom.adapters.heap import settle_heap
from cardroom.adapters.installation import Installation
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.kernel.clock import SystemClock
from tests.bench import report
from tests.plugins.counting import DECIDER, NOTE_ROOM, Add, asked
from tests.plugins.grpc_trial import TrialServicer, pb, pb_grpc

CLIENTS = 16


class BenchServicer(TrialServicer):
    """`Change` puts a chip into the rack of a table and answers when that is committed."""

    def __init__(self, app: Application) -> None:
        super().__init__()
        self.app = app

    async def Change(self, request: Any, context: Any) -> Any:
        command = Add(room=request.room, rack=request.table)
        outcome = await self.submit(context, request, command)
        version = outcome.versions[f"rack/{request.room}/{request.table}"]
        return pb.ChangeResponse(actor=str(version))


async def serve_until_told(folder: Path, dsn: str) -> None:
    """Serve on a free port, print the address, and stop on SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    keys = TokenKeys(folder)
    async with Application(DECIDER, PostgresStore(dsn, "counting"), SystemClock()) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        server = await serve(
            [BenchServicer(app)],
            verifier=TokenVerifier(keys.verifying),
            settings=ServerSettings(drain_seconds=0.5),
        )
        settle_heap()
        print(f"address {server.address}", flush=True)
        await stop.wait()
        await server.stop()


class Clients:
    """16 connections to one server."""

    def __init__(self, address: str, token: str) -> None:
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._channels = [
            grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
            for _ in range(CLIENTS)
        ]
        self._stubs = [pb_grpc.TrialServiceStub(channel) for channel in self._channels]

    async def close(self) -> None:
        for channel in self._channels:
            await channel.close()

    async def echoes(self, seconds: float) -> list[float]:
        """Return the time each empty call took."""
        request = pb.TouchRequest()

        async def call(client: int, number: int) -> None:
            await self._stubs[client].Touch(request, metadata=self._metadata, timeout=10)

        return await self._run(seconds, call)

    async def commands(self, seconds: float, tag: str) -> list[float]:
        """Return the time each durable command took."""

        async def call(client: int, number: int) -> None:
            request = pb.ChangeRequest(
                request_id=f"{tag}-{client}-{number}",
                room="r1",
                table=f"t{client}",
                seat=3,
                amount_cents=400,
            )
            await self._stubs[client].Change(request, metadata=self._metadata, timeout=10)

        return await self._run(seconds, call)

    async def _run(self, seconds: float, call: Any) -> list[float]:
        until = time.perf_counter() + seconds
        took: list[float] = []

        async def work(client: int) -> None:
            number = 0
            while (begun := time.perf_counter()) < until:
                await call(client, number)
                took.append(time.perf_counter() - begun)
                number += 1

        await asyncio.gather(*(work(client) for client in range(CLIENTS)))
        return took


async def measure(address: str, token: str, seconds: float, rounds: int) -> None:
    """Measure round by round, interleaved, and write the rows."""
    clients = Clients(address, token)
    await clients.echoes(0.5)
    await clients.commands(0.5, "warm")
    durable: list[float] = []
    empty: list[float] = []
    latencies: list[float] = []
    for number in range(rounds):
        empty.append(len(await clients.echoes(seconds)) / seconds)
        took = await clients.commands(seconds, f"r{number}")
        durable.append(len(took) / seconds)
        latencies.extend(took)
    await clients.close()
    p99 = quantiles(latencies, n=100)[-1] * 1000
    p50 = median(latencies) * 1000
    report.write(
        report.compared("grpc_durable_vs_echo", "commands/s", durable, empty, "ratio >= 0.5"),
        report.Row("grpc_durable_p99_vs_p50", p99, "ms", p50, p99 / p50, "ratio < 10"),
    )


def main(seconds: float, rounds: int, *, profile: bool = False) -> None:
    """Start PostgreSQL and the server, measure, and stop both."""
    with (
        tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder,
        Installation(Path(folder) / "data", contexts=("counting",)) as installation,
    ):
        keys = TokenKeys(Path(folder) / "tokens")
        keys.create_missing()
        token = TokenMint(keys.signing()).token("bench", ["floor"], rooms=["r1"], station="t1")
        told = {"folder": str(keys.folder), "dsn": installation.database.service("counting")}
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.bench_grpc", "serve", *(["profile"] * profile)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            server.stdin.write(json.dumps(told))
            server.stdin.close()
            for line in server.stdout:
                if line.startswith("address "):
                    break
            else:
                raise SystemExit("the server did not start")
            asyncio.run(measure(line.split()[1], token, seconds, rounds))
        finally:
            server.send_signal(signal.SIGTERM)
            print(server.stdout.read(), end="")
            server.wait(10)


def serve_main(*, profile: bool) -> None:
    """Be the server; where asked, say at the end where the time went."""
    told = json.load(sys.stdin)
    work = serve_until_told(Path(told["folder"]), told["dsn"])
    if not profile:
        asyncio.run(work)
        return
    profiler = cProfile.Profile()
    profiler.runcall(asyncio.run, work)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(45)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    profiled = "profile" in arguments
    figures = [float(each) for each in arguments if each.replace(".", "").isdigit()]
    if "serve" in arguments:
        serve_main(profile=profiled)
    else:
        main(
            figures[0] if figures else 0.5,
            int(figures[1]) if len(figures) > 1 else 12,
            profile=profiled,
        )
