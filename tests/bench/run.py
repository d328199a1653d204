"""Runs every benchmark, one after the other, each in a process of its own, and prints the whole report at the end.

Each measurement is a ratio to a reference of the same run, taken in turns with it; nothing here judges absolute times.
Usage: python -m tests.bench.run [NAME ...], a name being the part of a file's name after `bench_`.
"""

import json
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bench.report import REPORT

HERE = Path(__file__).parent


def main(wanted: list[str]) -> int:
    """Run the benchmarks and print the report; returns how many failed to run."""
    known = {path.stem.removeprefix("bench_"): path for path in sorted(HERE.glob("bench_*.py"))}
    unknown = set(wanted) - set(known)
    if unknown:
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}: one of {', '.join(known)}")
    failed = 0
    for name in wanted or known:
        print(f"--- {name}", flush=True)
        command = [sys.executable, "-m", f"tests.bench.bench_{name}"]
        failed += subprocess.run(command, cwd=HERE.parents[1], check=False).returncode != 0
    show()
    return failed


def show() -> None:
    """Print the report."""
    if not REPORT.exists():
        return
    content = json.loads(REPORT.read_text())
    table = Table("name", "value", "unit", "reference", "ratio", "goal")
    for row in sorted(content["rows"], key=lambda row: row["name"]):
        cells = (
            row["name"],
            row["value"],
            row["unit"],
            row["reference"],
            row["ratio"],
            row["goal"],
        )
        table.add_row(*("" if cell is None else str(cell) for cell in cells))
    console = Console(width=140)
    console.print(table)
    for key, value in content.items():
        if key != "rows":
            console.print(f"{key}: {value}", highlight=False)


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
