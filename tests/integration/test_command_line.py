"""The command line where something is in the way: one sentence that names it, never a traceback."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cardroom.cli.bus import TOKEN_VARIABLE
from cardroom.cli.main import app

pytestmark = pytest.mark.timeout(120)

TRACED = re.compile(r"import time:.*\| +(\S+)\n")


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory that cannot be made, because a file stands in its way."""
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "data"
    monkeypatch.setenv("CARDROOM_DATA_DIRECTORY", str(folder))
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    return folder


def told(*words: str) -> tuple[int, str]:
    """Return the exit status and what the command said; a fault that it let through is raised."""
    run = CliRunner().invoke(app, list(words), catch_exceptions=False)
    return run.exit_code, run.output.strip()


@pytest.mark.parametrize(
    "words",
    [
        ("consumers",),
        ("dead-letters", "seating"),
        ("release", "seating", "tables", "k", "--reason", "r"),
        ("skip", "seating", "tables", "k", "1", "--reason", "r"),
        ("rebuild", "reporting.x", "--reason", "r"),
    ],
)
@pytest.mark.parametrize("value", [None, "", " "])
def test_without_a_token_the_variable_and_how_to_make_one_are_named(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], value: str | None
) -> None:
    if value is not None:
        monkeypatch.setenv(TOKEN_VARIABLE, value)
    status, said = told("bus", *words)
    assert status == 1
    assert said.startswith("CARDROOM_TOKEN is not set: export CARDROOM_TOKEN=$(cardroom token mint")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("bus", "consumers"), 1),
        (("bus", "rewind", "tables", "--after", "1"), 1),
        (("token", "mint", "maria", "--role", "floor", "--room", "*"), 1),
        (("token", "replace-key"), 1),
        (("serve", "house"), 1),
        (("audit", "verify"), 2),
        (("audit", "records", "hand/lucky/t1/000001"), 2),
        (("audit", "balance", "lucky"), 2),
        (("hand", "export", "lucky", "t1", "1"), 2),
    ],
)
def test_an_installation_that_is_not_there_is_named(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], status: int
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "x.y.z")
    if words[:2] == ("bus", "rewind"):
        monkeypatch.setenv("CARDROOM_BUS__KIND", "kafka")
        monkeypatch.setenv("CARDROOM_BUS__BOOTSTRAP", "127.0.0.1:1")
    found, said = told(*words)
    assert found == status
    assert str(nowhere) in said
    assert len(said.splitlines()) == 1


def test_every_commands_setting_that_is_wrong_is_named(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDROOM_GRPC__PORT", "many")
    monkeypatch.setenv(TOKEN_VARIABLE, "x.y.z")
    for words in (
        ("bus", "consumers"),
        ("bus", "rewind", "tables", "--after", "1"),
        ("token", "mint", "maria", "--role", "floor", "--room", "*"),
        ("hand", "export", "lucky", "t1", "1"),
        ("serve", "house"),
    ):
        status, said = told(*words)
        assert status in {1, 2}
        assert "grpc.port is 'many'" in said


@pytest.mark.parametrize(
    ("words", "module"),
    [
        (("serve", "all"), "typer.main"),
        (("serve", "all"), "cardroom.kernel.refusal"),
        (("serve", "all"), "cardroom.house.core"),
        (("demo",), "rich.console"),
        (("demo",), "grpc"),
    ],
)
def test_ctrl_c_while_modules_load_is_one_line(
    tmp_path: Path, words: tuple[str, ...], module: str
) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "cardroom.cli", *words]
    environment = {**os.environ, "CARDROOM_DATA_DIRECTORY": str(tmp_path / "data")}
    with subprocess.Popen(
        command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None
        for line in running.stderr:
            traced = TRACED.fullmatch(line)
            if traced and traced[1] == module:
                break
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    said = [line for line in err.splitlines() if line and not line.startswith("import time:")]
    assert (running.returncode, said) == (130, ["cardroom: interrupted"])
    assert out.strip() == ""
