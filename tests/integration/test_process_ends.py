"""A process that is asked to stop ends, at whatever moment it is asked and whatever hangs."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from cardroom.adapters.installation import Installation
from cardroom.adapters.postgres import EmbeddedPostgres
from tests.plugins.wire import until

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(120)]

STOP_SECONDS = 3
"""For a process in which something hangs."""
DRAIN_SECONDS = 40
"""For one that has to drain, on a busy machine too."""


@pytest.fixture(scope="module")
def data_directory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="cardroom-ends-") as folder:
        data = Path(folder) / "data"
        with Installation(data):  # keeps the server running, so that each start below is quick
            yield data


@contextmanager
def serving(data: Path, context: str, stop_seconds: int) -> Iterator[subprocess.Popen[str]]:
    """Start `cardroom serve`; whatever still runs afterwards is killed."""
    environment = {
        **os.environ,
        "CARDROOM_DATA_DIRECTORY": str(data),
        "CARDROOM_GRPC__PORT": "0",
        "CARDROOM_LOG__FORMAT": "json",
        "CARDROOM_STOP_SECONDS": str(stop_seconds),
    }
    command = [sys.executable, "-m", "cardroom.cli.main", "serve", context]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


async def started(process: subprocess.Popen[str], data: Path, context: str) -> None:
    """Wait until a process says where it listens."""
    told = data / "run" / f"{context}.address"
    await until(lambda: told.exists() or process.poll() is not None)
    assert process.poll() is None


def servers_of(data: Path) -> list[psutil.Process]:
    """Return the database server's processes of a data directory."""
    main = psutil.Process(EmbeddedPostgres(data / "postgres").running_pid())
    return [main, *main.children(recursive=True)]


@pytest.mark.parametrize("seconds_after_start", [0.0, 0.1, 0.3])
def test_it_drains_right_after_it_has_started(
    data_directory: Path, seconds_after_start: float
) -> None:
    with serving(data_directory, "tables", DRAIN_SECONDS) as process:
        asyncio.run(started(process, data_directory, "tables"))
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(seconds_after_start)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=DRAIN_SECONDS)
    assert process.returncode == 0, said


def test_it_ends_though_the_database_hangs(data_directory: Path) -> None:
    with serving(data_directory, "house", STOP_SECONDS) as process:
        asyncio.run(started(process, data_directory, "house"))
        hanging = servers_of(data_directory)
        try:
            for one in hanging:
                one.suspend()
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=30)
        finally:
            for one in hanging:
                one.resume()
    assert process.returncode == 1, said
    assert f"did not drain in {STOP_SECONDS} s" in said


def test_a_second_signal_ends_it_at_once(data_directory: Path) -> None:
    with serving(data_directory, "house", STOP_SECONDS) as process:
        asyncio.run(started(process, data_directory, "house"))
        hanging = servers_of(data_directory)
        try:
            for one in hanging:
                one.suspend()
            process.send_signal(signal.SIGTERM)
            assert process.stderr is not None
            for line in process.stderr:
                if "asked to stop" in line:
                    break
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=30)
        finally:
            for one in hanging:
                one.resume()
    assert process.returncode == 1, said
    assert "asked to stop a second time" in said
