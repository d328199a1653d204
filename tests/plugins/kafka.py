"""One real Kafka broker for a whole test run, shared by all workers; fresh topics for every module.

The first test that asks starts it, under a file lock; the run's main process stops it, and should that process be
killed, the broker's keeper ends with it. Where no broker can be run the tests are reported as not run, and loudly;
with CI=true that is a failure.
"""

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaAdminClient

from cardroom.adapters.bus.broker import (
    Broker,
    configured_bootstrap,
    default_cache,
    install,
    locked,
    missing_tools,
    start_for_owner,
    stop_for_owner,
)

NOT_RUN = "Kafka tests not run"


@dataclass(frozen=True)
class KafkaTopics:
    """A broker, and a prefix that no other module's topics have."""

    bootstrap: str
    prefix: str


class Run:
    """What the processes of one test run share: a folder, and the main process's id."""

    def __init__(self, folder: Path, owner: int) -> None:
        self.folder = folder
        self.owner = owner


RUN = pytest.StashKey[Run]()


def pytest_configure(config: pytest.Config) -> None:
    given = getattr(config, "workerinput", {}).get("kafka_run")
    if given:
        config.stash[RUN] = Run(Path(given[0]), given[1])
    else:
        config.stash[RUN] = Run(Path(tempfile.mkdtemp(prefix="cardroom-kafka-")), os.getpid())


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    run = node.config.stash[RUN]
    node.workerinput["kafka_run"] = (str(run.folder), run.owner)


def pytest_unconfigure(config: pytest.Config) -> None:
    run = config.stash.get(RUN, None)
    if run is not None and run.owner == os.getpid():
        stop_for_owner(run.folder)
        shutil.rmtree(run.folder, ignore_errors=True)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = {
        str(report.longrepr[2])
        for report in skipped
        if isinstance(report.longrepr, tuple) and NOT_RUN in str(report.longrepr[2])
    }
    count = sum(NOT_RUN in str(report.longrepr) for report in skipped)
    if reasons:
        terminalreporter.section("KAFKA TESTS NOT RUN", sep="!", red=True, bold=True)
        for reason in sorted(reasons):
            terminalreporter.write_line(f"{count} test(s): {reason}", red=True)


def not_run(reason: str) -> None:
    """Report the asking test as not run; as failed where CI=true."""
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(f"{NOT_RUN}, which CI does not accept: {reason}", pytrace=False)
    pytest.skip(f"{NOT_RUN}: {reason}")


@pytest.fixture(scope="session")
def kafka_bootstrap(request: pytest.FixtureRequest) -> str:
    """Give the address of the run's broker, starting it where this is the first test to ask."""
    given = configured_bootstrap()
    if given:
        return given
    reason = missing_tools()
    if reason is not None:
        not_run(reason)
    run = request.config.stash[RUN]
    with locked(run.folder / "lock"):
        told = run.folder / "bootstrap"
        return told.read_text() if told.exists() else start_for_owner(run.folder, run.owner)


@pytest.fixture(scope="module")
def kafka(kafka_bootstrap: str) -> Iterator[KafkaTopics]:
    """Give the broker with a prefix for this module's topics; a broker that outlives the run is left as it was."""
    topics = KafkaTopics(kafka_bootstrap, f"test-{uuid.uuid4().hex[:12]}")
    yield topics
    if configured_bootstrap() is None:
        return
    admin = KafkaAdminClient(bootstrap_servers=topics.bootstrap)
    try:
        mine = [name for name in admin.list_topics() if name.startswith(topics.prefix)]
        if mine:
            admin.delete_topics(mine)
    finally:
        admin.close()


@pytest.fixture
def own_broker(tmp_path: Path) -> Iterator[Broker]:
    """Give a broker of the test's own, for tests that stop, kill and restart it."""
    reason = missing_tools()
    if reason is not None:
        not_run(reason)
    broker = Broker.create(tmp_path / "kafka", install(default_cache()))
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()
