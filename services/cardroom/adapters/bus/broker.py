"""A Kafka broker without containers: jars from Maven, one KRaft node, stopped with whoever asked for it.

`KAFKA_BOOTSTRAP` names a broker that runs already; then nothing is started. `python -m cardroom.adapters.bus.broker
--folder FOLDER --owner PID` runs a broker for as long as the owner lives, even where the owner is killed.
"""

import argparse
import base64
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Final

import psutil

PROJECT: Final = Path(__file__).resolve().parents[4]
SETTINGS_FOLDER: Final = PROJECT / "infra" / "kafka"
BOOTSTRAP_VARIABLE: Final = "KAFKA_BOOTSTRAP"
STARTED: Final = "Kafka Server started"
START_SECONDS: Final = 60
STOP_SECONDS: Final = 15
JAVA_RELEASE_LEAST: Final = 17


class BrokerUnavailable(RuntimeError):  # noqa: N818 - it names the state of the machine
    """No broker can be run here; the message is one sentence that says what to install or look at."""


def configured_bootstrap() -> str | None:
    """Return the address in `KAFKA_BOOTSTRAP`, or None where a broker has to be started."""
    return os.environ.get(BOOTSTRAP_VARIABLE) or None


def missing_tools() -> str | None:
    """Return a sentence that says what to install, or None where a broker can be run."""
    java = shutil.which("java")
    if java is None:
        return f"Kafka needs a JDK {JAVA_RELEASE_LEAST} or newer: no `java` on the PATH"
    told = _run(java, "-version").stderr
    release = told.partition('"')[2].partition('"')[0]
    if not release.split(".")[0].isdigit() or int(release.split(".")[0]) < JAVA_RELEASE_LEAST:
        return (
            f"Kafka needs a JDK {JAVA_RELEASE_LEAST} or newer: `java` is {release or told.strip()}"
        )
    if shutil.which("mvn") is None and not _installed(_jars(default_cache())):
        return "Kafka's jars come from Maven: no `mvn` on the PATH"
    return None


def default_cache() -> Path:
    """Return the folder for what is fetched once: `CARDROOM_CACHE`, or `.cache` in the project."""
    return Path(os.environ.get("CARDROOM_CACHE") or PROJECT / ".cache")


def install(cache: Path) -> Path:
    """Fetch the broker's jars once; safe while another process does the same.

    Args:
        cache: folder that keeps them.

    Returns:
        The folder of the jars.

    Raises:
        BrokerUnavailable: Maven is missing or failed; its own words are in the message.
    """
    jars = _jars(cache)
    with locked(cache / "kafka.lock"):
        if _installed(jars):
            return jars
        pom = SETTINGS_FOLDER / "pom.xml"
        partial = jars.with_name(jars.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        maven = shutil.which("mvn")
        if maven is None:
            raise BrokerUnavailable("Kafka's jars come from Maven: no `mvn` on the PATH")
        goal = ["dependency:copy-dependencies", "-DincludeScope=runtime"]
        run = _run(maven, "-q", "-B", "-f", str(pom), *goal, f"-DoutputDirectory={partial}")
        if run.returncode != 0:
            raise BrokerUnavailable(f"Maven could not fetch Kafka: {run.stdout}{run.stderr}"[:2000])
        partial.rename(jars)
    return jars


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock file, shared by all processes of this machine."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@dataclass
class Broker:
    """One broker and its folder; `stop` and `start` keep the data, so a restart finds its topics again."""

    folder: Path
    jars: Path
    port: int
    controller_port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def bootstrap(self) -> str:
        """Return the address clients connect to."""
        return f"127.0.0.1:{self.port}"

    @classmethod
    def create(cls, folder: Path, jars: Path) -> "Broker":
        """Choose free ports, write the settings and format the storage.

        Raises:
            BrokerUnavailable: Kafka's storage tool refused.
        """
        port, controller_port = free_ports(2)
        broker = cls(folder.resolve(), jars, port, controller_port)
        broker.folder.mkdir(parents=True, exist_ok=True)
        settings = Template((SETTINGS_FOLDER / "server.properties").read_text()).substitute(
            port=port, controller_port=controller_port, data=broker.folder / "data"
        )
        broker._settings.write_text(settings)
        cluster = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        tool = broker._java("kafka.tools.StorageTool", "format", "--standalone")
        run = _run(*tool, f"--cluster-id={cluster}", "-c", str(broker._settings))
        if run.returncode != 0:
            raise BrokerUnavailable(f"Kafka's storage could not be formatted: {run.stderr}"[:2000])
        return broker

    def start(self) -> None:
        """Start the broker and return when it serves.

        Raises:
            BrokerUnavailable: it ended or did not serve in time; the end of its log is in the message.
        """
        log = self.folder / "broker.log"
        with log.open("ab") as out:
            begin = out.tell()
            self.process = subprocess.Popen(  # noqa: S603 - the project's own command
                self._java("kafka.Kafka", str(self._settings)),
                stdout=out,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
            )
        deadline = time.monotonic() + START_SECONDS
        while True:
            with log.open("rb") as written:
                written.seek(begin)
                text = written.read().decode(errors="replace")
            if STARTED in text:
                return
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise BrokerUnavailable(f"Kafka did not start: {text[-2000:]}")
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop the broker in good order, or by force where it does not end in time."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self.process = None

    def kill(self) -> None:
        """End the broker at once, as a power cut would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    @property
    def _settings(self) -> Path:
        return self.folder / "server.properties"

    def _java(self, main: str, *arguments: str) -> list[str]:
        quick = ["-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
        return ["java", *quick, "-cp", f"{self.jars}/*", main, *arguments]


def free_ports(count: int) -> list[int]:
    """Return ports of the loopback address that nobody listens on just now."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def start_for_owner(folder: Path, owner: int) -> str:
    """Run a broker in a process of its own that ends with its owner, and return its address.

    Args:
        folder: where the broker keeps settings, data and logs.
        owner: process id after whose end the broker stops.

    Raises:
        BrokerUnavailable: it could not be started; the reason is in the message.
    """
    reason = missing_tools()
    if reason is not None:
        raise BrokerUnavailable(reason)
    install(default_cache())
    folder.mkdir(parents=True, exist_ok=True)
    told = folder / "bootstrap"
    told.unlink(missing_ok=True)
    with (folder / "owner.log").open("ab") as log:
        keeper = subprocess.Popen(  # noqa: S603 - this module
            [sys.executable, "-m", __spec__.name, "--folder", str(folder), "--owner", str(owner)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    (folder / "pid").write_text(str(keeper.pid))
    deadline = time.monotonic() + START_SECONDS
    while not told.exists():
        if keeper.poll() is not None or time.monotonic() > deadline:
            text = (folder / "owner.log").read_text()
            raise BrokerUnavailable(f"Kafka did not start: {text[-2000:]}")
        time.sleep(0.05)
    return told.read_text()


def stop_for_owner(folder: Path) -> None:
    """Stop the broker that `start_for_owner` started in this folder, and wait for its end."""
    pid = folder / "pid"
    if not pid.exists():
        return
    try:
        keeper = psutil.Process(int(pid.read_text()))
        if str(folder) not in keeper.cmdline():
            return  # the id went to another process meanwhile
    except psutil.NoSuchProcess:
        return
    keeper.terminate()
    psutil.wait_procs([keeper], timeout=STOP_SECONDS + 5)


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed commands


def _jars(cache: Path) -> Path:
    return cache / "kafka-4.4.0"


def _installed(jars: Path) -> bool:
    return any(jars.glob("kafka_2.13-*.jar"))


def _keep(folder: Path, owner: int) -> None:
    """Run a broker until the owner is gone or a signal asks for the end."""
    alive = psutil.Process(owner)
    asked: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _frame: asked.append(received))
    broker = Broker.create(folder / "broker", install(default_cache()))
    broker.start()
    try:
        partial = folder / "bootstrap.partial"
        partial.write_text(broker.bootstrap)
        partial.rename(folder / "bootstrap")
        while not asked and alive.is_running() and broker.process and broker.process.poll() is None:
            time.sleep(0.2)
    finally:
        broker.stop()
        shutil.rmtree(folder / "broker" / "data", ignore_errors=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Run a broker for as long as its owner lives.")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--owner", type=int, required=True)
    given = parser.parse_args()
    _keep(given.folder, given.owner)
