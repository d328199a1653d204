#!/usr/bin/env python3
"""Sets up everything the project's commands need, once, and again only where its inputs changed.

Runs with any Python 3.11 or later and nothing else. Several copies may run at the same time, and one may be killed at
any point: a file lock lets one work at a time, a step counts as done only when its stamp was written after it, and an
environment in which a step was broken off is made anew: pip takes a half installed package for a whole one.

Usage: setup.py [--venv DIR] [--without-evaluator]
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

OLDEST_PYTHON = (3, 11)
OLDEST_CARGO = (1, 85)
ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "infra" / "requirements.lock"


def need(condition: bool, sentence: str) -> None:
    """End with one sentence where a prerequisite is missing."""
    if not condition:
        sys.exit(f"cardroom: {sentence}")


def check_python() -> None:
    """Look for what the interpreter must bring; this file itself has to be readable for older ones."""
    need(
        sys.version_info >= OLDEST_PYTHON,
        f"needs Python 3.11 or later, {sys.executable} is {sys.version.split()[0]}; "
        "install one, or name it: make PYTHON=python3.11 ...",
    )
    need(
        importlib.util.find_spec("ensurepip") is not None,
        "needs Python's venv module; install it (Debian and Ubuntu: python3-venv) and run this again.",
    )


def check_rust() -> None:
    """Look for a Rust toolchain that can build the evaluator."""
    cargo = shutil.which("cargo")
    told = (
        subprocess.run([cargo, "--version"], capture_output=True, text=True, check=False).stdout
        if cargo
        else ""
    )
    found = re.match(r"cargo (\d+)\.(\d+)", told)
    version = tuple(map(int, found.groups())) if found else (0, 0)
    need(
        version >= OLDEST_CARGO,
        f"needs a Rust toolchain (cargo 1.85 or later) on the PATH, found {told.strip() or 'none'}; "
        "install it with rustup and run this again.",
    )
    need(
        any(map(shutil.which, ("cc", "gcc", "clang"))),
        "needs a C linker (cc) for Rust; install it (Debian and Ubuntu: gcc) and run this again.",
    )


def digest(paths: Iterable[Path]) -> str:
    """Hash names and contents of files, and of all files below folders."""
    out = hashlib.sha256(sys.version.encode())
    for path in paths:
        files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        for file in files:
            if any(
                part in {"target", "__pycache__"} or part.endswith(".so") for part in file.parts
            ):
                continue
            out.update(str(file.relative_to(ROOT)).encode())
            out.update(file.read_bytes())
    return out.hexdigest()


class Setup:
    """The steps, each with the files it depends on."""

    def __init__(self, venv: Path, lock: int) -> None:
        self.venv = venv
        self.lock = lock
        self.python = venv / "bin" / "python"
        self.stamps = venv / "stamps"
        self.place = self.stamps / "place"
        self.broken_off = self.stamps / "broken off"

    def step(
        self, name: str, inputs: Iterable[Path], done: Path | None, act: Callable[[], None]
    ) -> None:
        """Run a step unless its stamp says that it was done for the same inputs."""
        stamp, want = self.stamps / name, digest(inputs)
        if stamp.exists() and stamp.read_text() == want and (done is None or done.exists()):
            return
        print(f"cardroom: {name} ...", file=sys.stderr, flush=True)
        self.stamps.mkdir(parents=True, exist_ok=True)
        self.broken_off.touch()
        act()
        self.stamps.mkdir(parents=True, exist_ok=True)
        partial = stamp.with_suffix(f".{os.getpid()}")
        partial.write_text(want)
        partial.replace(stamp)
        self.broken_off.unlink(missing_ok=True)

    def run(self, *command: str | Path) -> None:
        """Run a command in the project's folder; end with its name where it fails."""
        # The command holds the lock too: where this script is killed, the next one waits for what it left running.
        result = subprocess.run(
            [str(part) for part in command], cwd=ROOT, check=False, pass_fds=(self.lock,)
        )
        if result.returncode > 0:  # it ended of itself and put back what it had begun
            self.broken_off.unlink(missing_ok=True)
        need(result.returncode == 0, f"set-up failed at: {' '.join(str(part) for part in command)}")

    def pip(self, *arguments: str | Path) -> None:
        """Run the environment's pip quietly."""
        self.run(
            self.python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *arguments
        )

    def make_venv(self) -> None:
        """Make the virtual environment, over the remains of a broken one."""
        self.run(sys.executable, "-m", "venv", "--clear", self.venv)
        self.stamps.mkdir()
        self.place.write_text(str(self.venv))

    def is_whole(self) -> bool:
        """Say whether no step was broken off in the environment, and it stands where it was made."""
        moved = self.place.exists() and self.place.read_text() != str(self.venv)
        return not moved and not self.broken_off.exists()

    def all(self, evaluator: bool) -> None:
        """Do every step that is due."""
        if not self.is_whole():
            (self.stamps / "environment").unlink(missing_ok=True)
        self.step("environment", [], self.python, self.make_venv)
        self.step(
            "Python packages",
            [LOCK],
            self.venv / "bin" / "pytest",
            lambda: self.pip("--require-hashes", "--no-deps", "-r", LOCK),
        )
        project = [ROOT / "pyproject.toml", ROOT / "hatch_build.py", ROOT / "protos"]
        self.step(
            "protos and the cardroom package",
            project,
            ROOT / "services" / "cardroom" / "api",
            lambda: self.pip("--no-deps", "--no-build-isolation", "-e", ROOT),
        )
        if evaluator:
            self.step(
                "evaluator (release build)",
                [ROOT / "evaluator-rs"],
                None,
                lambda: self.pip(
                    "--no-deps", "--no-build-isolation", "--force-reinstall", ROOT / "evaluator-rs"
                ),
            )


def main() -> None:
    """Check the prerequisites, take the lock, do the steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv")
    parser.add_argument("--without-evaluator", action="store_true")
    arguments = parser.parse_args()
    check_python()
    if not arguments.without_evaluator:
        check_rust()
    os.environ["PATH"] = f"{arguments.venv.resolve() / 'bin'}{os.pathsep}{os.environ['PATH']}"
    lock = ROOT / ".cache" / "setup.lock"
    lock.parent.mkdir(exist_ok=True)
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        Setup(arguments.venv.resolve(), handle.fileno()).all(
            evaluator=not arguments.without_evaluator
        )


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("cardroom: set-up was interrupted; run it again to go on.")
