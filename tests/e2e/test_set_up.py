"""What a newcomer meets: a missing prerequisite is one sentence, and a killed script leaves nothing running."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 40.0
SCRIPT = """
import asyncio, sys
from pathlib import Path
from cardroom.demo.evening import START
from cardroom.demo.servers import Servers

async def main() -> None:
    async with Servers(Path(sys.argv[1]), start=START):
        print("ready", flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""

STEPS = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, "tools")
import setup as set_up

at = set_up.Setup(Path(sys.argv[1]), 0)

def make() -> None:
    at.python.parent.mkdir(parents=True, exist_ok=True)
    at.python.touch()
    at.place.write_text(str(at.venv))

acts = {
    "done": lambda: None,
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "failed": lambda: at.run("false"),
    "child killed": lambda: at.run("sh", "-c", "kill -9 $$"),
}
if sys.argv[2] != "look":
    at.step("environment", [], at.python, make)
    at.step("packages", [], None, acts[sys.argv[2]])
print("whole" if at.is_whole() else "to be made anew")
"""

pytestmark = [pytest.mark.timeout(120), pytest.mark.xdist_group("e2e")]


def test_without_cargo_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, "tools/setup.py", "--venv", str(tmp_path / "venv")],
        cwd=ROOT,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 1
    assert found.stderr.count("\n") == 1
    assert "needs a Rust toolchain (cargo 1.85 or later)" in found.stderr
    assert "rustup" in found.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize("python", ["old", "none"])
def test_without_python_one_sentence_says_what_to_install(tmp_path: Path, python: str) -> None:
    fake = tmp_path / "old"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    found = subprocess.run(
        ["make", "--no-print-directory", "setup", f"PYTHON={tmp_path / python}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode != 0
    ours = [line for line in found.stderr.splitlines() if not line.startswith("make")]
    assert len(ours) == 1
    assert ours[0].startswith("cardroom: needs Python 3.11 or later")


@pytest.mark.parametrize(("home", "kept"), [("writable", ""), ("/proc", f"{ROOT}/.cache/cargo")])
def test_crates_are_kept_in_the_project_where_the_home_folder_cannot_be_written(
    tmp_path: Path, home: str, kept: str
) -> None:
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\n[ "$1" = -c ] || echo "CARGO_HOME=$CARGO_HOME"\n')
    python.chmod(0o755)
    (tmp_path / "writable").mkdir()
    around = {name: value for name, value in os.environ.items() if name != "CARGO_HOME"}
    found = subprocess.run(
        ["make", "--no-print-directory", "setup", f"PYTHON={python}"],
        cwd=ROOT,
        env={**around, "HOME": str(tmp_path / home)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == f"CARGO_HOME={kept}\n"


def steps(venv: Path, act: str) -> str:
    """Run two steps of the set-up in a process of their own and return what it says of the environment."""
    command = [sys.executable, "-c", STEPS, str(venv), act]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, pass_fds=(0,)
    ).stdout.strip()


@pytest.mark.parametrize(
    ("act", "left"),
    [
        ("done", "whole"),
        ("failed", "whole"),
        ("killed", "to be made anew"),
        ("child killed", "to be made anew"),
    ],
)
def test_an_environment_in_which_a_step_was_broken_off_is_made_anew(
    tmp_path: Path, act: str, left: str
) -> None:
    steps(tmp_path / "venv", act)
    assert steps(tmp_path / "venv", "look") == left


def test_an_environment_that_was_moved_is_made_anew(tmp_path: Path) -> None:
    assert steps(tmp_path / "venv", "done") == "whole"
    (tmp_path / "venv").rename(tmp_path / "elsewhere")
    assert steps(tmp_path / "elsewhere", "look") == "to be made anew"


def running_in(directory: Path) -> list[psutil.Process]:
    """Return the processes that name a folder in their command line or their environment's data directory."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if any(str(directory) in word for word in process.info["cmdline"] or ()):
            found.append(process)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_script_that_ends_leaves_nothing_running(tmp_path: Path, number: int) -> None:
    data = tmp_path / "data"
    script = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(data)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert script.stdout is not None
    assert script.stdout.readline() == b"ready\n"
    started = [*psutil.Process(script.pid).children(recursive=True), *running_in(data)]
    assert any("postgres" in process.name() for process in started)
    script.send_signal(number)
    script.wait()
    script.stdout.close()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline and any(alive(process) for process in started):
        time.sleep(0.05)
    assert [process for process in started if alive(process)] == []
    assert running_in(data) == []


def alive(process: psutil.Process) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
