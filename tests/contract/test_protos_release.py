"""The published language: lint, no break against the last release, and that a break would be seen."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RELEASED = ROOT / "tests" / "contract" / "protos" / "released.binpb"
BROKEN = 100
"""buf's exit status where something is found."""


def buf(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("buf")
    return subprocess.run(
        [str(program), *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


def test_protos_pass_lint() -> None:
    done = buf(ROOT / "protos", "lint")
    assert done.returncode == 0, done.stdout + done.stderr


def test_protos_break_nothing_that_was_released() -> None:
    done = buf(ROOT / "protos", "breaking", "--against", str(RELEASED))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "old", "new", "finding"),
    [
        (
            "cardroom/api/clock/v1/clock_service.proto",
            "google.protobuf.Timestamp to = 2",
            "int64 to = 2",
            'Field "2" with name "to"',
        ),
        (
            "cardroom/api/clock/v1/clock_service.proto",
            "google.protobuf.Timestamp now = 1;",
            "",
            'Previously present field "1" with name "now"',
        ),
        (
            "cardroom/api/clock/v1/clock_service.proto",
            "rpc GetTime(GetTimeRequest) returns (GetTimeResponse)",
            "rpc GetTime(GetTimeRequest) returns (stream GetTimeResponse)",
            "GetTime",
        ),
        (
            "cardroom/api/options/v1/options.proto",
            "ROLE_CAGE = 5;",
            "ROLE_CAGE = 55;",
            'Previously present enum value "5"',
        ),
        (
            "cardroom/api/common/v1/refusal.proto",
            "repeated string rules = 2;",
            "repeated string rules = 12;",
            'Previously present field "2" with name "rules"',
        ),
    ],
)
def test_a_deliberate_break_is_seen(
    tmp_path: Path, name: str, old: str, new: str, finding: str
) -> None:
    protos = tmp_path / "protos"
    shutil.copytree(ROOT / "protos", protos)
    text = (protos / name).read_text()
    assert old in text
    (protos / name).write_text(text.replace(old, new))
    done = buf(protos, "breaking", "--against", str(RELEASED))
    assert done.returncode == BROKEN, done.stdout + done.stderr
    assert finding in done.stdout
