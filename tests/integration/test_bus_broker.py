"""The broker of tests and development: ends with its owner, and its absence is reported loudly."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from cardroom.adapters.bus.broker import (
    BrokerUnavailable,
    missing_tools,
    start_for_owner,
    stop_for_owner,
)
from tests.plugins.kafka import not_run
from tests.plugins.wire import until

ROOT = Path(__file__).resolve().parents[2]
TRIAL = "def test_needs_kafka(kafka):\n    raise AssertionError('not reached')\n"


@pytest.mark.kafka
def test_a_broker_ends_with_its_owner_even_where_that_is_killed(tmp_path: Path) -> None:
    reason = missing_tools()
    if reason is not None:
        not_run(reason)
    owner = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        start_for_owner(tmp_path / "kafka", owner.pid)
        keeper = psutil.Process(int((tmp_path / "kafka" / "pid").read_text()))
        (broker,) = keeper.children()
        owner.kill()
        owner.wait()
        asyncio.run(until(lambda: _ended(broker) and _ended(keeper)))
    finally:
        owner.kill()
        owner.wait()
        stop_for_owner(tmp_path / "kafka")


def _ended(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def run_trial(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a test that needs Kafka where there is neither a JDK nor a broker."""
    (tmp_path / "test_trial.py").write_text(TRIAL)
    kept = {name: value for name, value in os.environ.items() if name != "KAFKA_BOOTSTRAP"}
    kept.update(PATH=str(tmp_path), PYTHONPATH=str(ROOT), **environment)
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "tests.plugins.kafka"),
            *("-p", "no:cacheprovider", "-c", os.devnull, f"--rootdir={tmp_path}", str(tmp_path)),
        ],
        env=kept,
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )


def test_without_a_jdk_the_tests_are_reported_as_not_run(tmp_path: Path) -> None:
    run = run_trial(tmp_path, CI="")
    assert run.returncode == 0, run.stdout
    assert "KAFKA TESTS NOT RUN" in run.stdout
    assert "1 test(s): Skipped: Kafka tests not run: Kafka needs a JDK 17 or newer" in run.stdout


def test_in_ci_that_is_a_failure(tmp_path: Path) -> None:
    run = run_trial(tmp_path, CI="true")
    assert run.returncode == 1, run.stdout
    assert "which CI does not accept" in run.stdout


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert missing_tools() == "Kafka needs a JDK 17 or newer: no `java` on the PATH"
    java = tmp_path / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n")
    java.chmod(0o755)
    assert missing_tools() == "Kafka needs a JDK 17 or newer: `java` is 11.0.2"
    java.write_text("#!/bin/sh\necho 'openjdk version \"21\" 2023-09-19' >&2\n")
    monkeypatch.setenv("CARDROOM_CACHE", str(tmp_path / "cache"))
    assert missing_tools() == "Kafka's jars come from Maven: no `mvn` on the PATH"
    with pytest.raises(BrokerUnavailable, match="no `mvn`"):
        start_for_owner(tmp_path / "kafka", os.getpid())
