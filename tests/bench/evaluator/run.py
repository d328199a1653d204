"""The evaluator beside its public peers: `make bench-evaluator`, or `python -m tests.bench.evaluator.run`.

Sets up an environment of its own with the peers from PyPI, the evaluator and calls that do nothing (all optimised),
measures in interleaved rounds, runs the native part by criterion, prints everything and adds the `eval_*` rows to
`build/bench.json`. `--keep` writes the results to `docs/evaluator-results.md` as well.
"""

import argparse
import json
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

from tests.bench.report import REPORT, ROOT, Row, alone, write

HERE: Final = Path(__file__).parent
ENVIRONMENT: Final = ROOT / "build" / "bench-evaluator"
RUST: Final = ROOT / "evaluator-rs"
RESULTS: Final = ROOT / "docs" / "evaluator-results.md"
IMPORTS: Final = 15


def environment() -> Path:
    """Return the Python of the peers' environment, made and brought up to date."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", str(HERE / "peers.txt")], check=True)
    again = [*pip, "--force-reinstall", "--no-deps", str(RUST), str(RUST / "floor")]
    subprocess.run(again, check=True)
    return python


def measured(python: Path, rounds: int) -> dict[str, Any]:
    """Return what the worker measured."""
    done = subprocess.run(
        [python, HERE / "worker.py", str(rounds)], check=True, stdout=subprocess.PIPE, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def import_ms(python: Path) -> float:
    """Return the median time of the import with a first evaluation, in a fresh process each."""
    code = (
        "from time import perf_counter_ns as now; start = now(); import cardroom_evaluator as e;"
        "e.evaluate('AsKsQsJsTs'); print(now() - start)"
    )
    runs = [
        subprocess.run([python, "-c", code], check=True, stdout=subprocess.PIPE, text=True).stdout
        for _ in range(IMPORTS)
    ]
    return median(map(int, runs)) / 1e6


def native() -> dict[str, float]:
    """Return the median nanoseconds an element of every criterion measurement."""
    subprocess.run(
        [
            "cargo",
            "bench",
            "--quiet",
            "--bench",
            "native",
            "--",
            "--measurement-time",
            "1",
            "--warm-up-time",
            "0.3",
        ],
        cwd=RUST / "bench",
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    found = {}
    for estimates in sorted(
        (RUST / "bench" / "target" / "criterion").glob("*/*/new/estimates.json")
    ):
        benchmark = json.loads((estimates.parent / "benchmark.json").read_text())
        elements = benchmark["throughput"]["Elements"]
        name = f"{benchmark['group_id']}/{benchmark['function_id']}"
        found[name] = json.loads(estimates.read_text())["median"]["point_estimate"] / elements
    return found


def faster(name: str, unit: str, ours: Sequence[float], theirs: Sequence[float], goal: str) -> Row:
    """Return how many times faster we are: the median of the rounds' own ratios."""
    ratios = [their / our for our, their in zip(ours, theirs, strict=True)]
    return Row(name, median(ours), unit, median(theirs), median(ratios), goal)


def rows(found: dict[str, Any], native_ns: dict[str, float], imported_ms: float) -> list[Row]:
    """Return the rows of the report."""
    rounds: dict[str, list[float]] = found["rounds"]
    unit = "ns/call"
    floor = [our / low for our, low in zip(rounds["bytes7"], rounds["floor_bytes"], strict=True)]
    best = [five / one for five, one in zip(rounds["best_five"], rounds["bytes7"], strict=True)]
    path = found["paths"][-1]
    goal7 = {"avx512": "2.5 x OMPEval", "avx2": "1.5 x OMPEval"}.get(path, "none")
    high, both = rounds[f"omaha_{path}"], rounds[f"omaha_high_low_{path}"]
    halves = [low / one for low, one in zip(both, high, strict=True)]
    evaluate_ns = native_ns["one_by_one/evaluate"]
    five_ns = native_ns["one_by_one/best_five"]
    return [
        faster(
            "eval_bytes7_vs_phevaluator",
            unit,
            rounds["bytes7"],
            rounds["phevaluator_ints"],
            "ratio >= 24",
        ),
        faster("eval_bytes7_vs_eval7", unit, rounds["bytes7"], rounds["eval7"], "ratio >= 14"),
        faster("eval_bytes7_vs_treys", unit, rounds["bytes7"], rounds["treys"], "ratio >= 240"),
        faster("eval_bytes7_vs_pkrbot", unit, rounds["bytes7"], rounds["pkrbot"], "ratio >= 3"),
        faster(
            "eval_str7_vs_phevaluator",
            unit,
            rounds["text7"],
            rounds["phevaluator_text"],
            "ratio >= 60",
        ),
        faster(
            "eval_ints7_vs_phevaluator",
            unit,
            rounds["ints7"],
            rounds["phevaluator_ints"],
            "ratio >= 13",
        ),
        Row(
            "eval_bytes7_vs_floor",
            median(rounds["bytes7"]),
            unit,
            median(rounds["floor_bytes"]),
            median(floor),
            "ratio <= 1.25",
        ),
        faster(
            "eval_omaha_bytes_vs_phevaluator",
            unit,
            rounds["omaha_bytes"],
            rounds["phevaluator_omaha"],
            "ratio >= 20",
        ),
        faster(
            "eval_best5_vs_pokerkit",
            unit,
            rounds["best_five"],
            rounds["pokerkit_best_five"],
            "ratio >= 2500",
        ),
        Row("eval_best5_vs_eval", five_ns, "ns", evaluate_ns, five_ns / evaluate_ns, "ratio <= 3"),
        Row(
            "eval_best5_vs_eval_python",
            median(rounds["best_five"]),
            unit,
            median(rounds["bytes7"]),
            median(best),
            "ratio <= 3",
        ),
        alone(
            "eval_batch7_mps", "M hands/s", median(rounds[f"batch7_{path}"]), f"{goal7} ({path})"
        ),
        alone("eval_omaha_batch_mps", "M hands/s", median(high), f"30 x PHEvaluator ({path})"),
        Row(
            "eval_omaha_high_low_batch_mps",
            median(both),
            "M hands/s",
            median(high),
            median(halves),
            "ratio >= 0.25",
        ),
        *(
            alone(
                f"eval_batch7_{other}_mps", "M hands/s", median(rounds[f"batch7_{other}"]), "beside"
            )
            for other in found["paths"][:-1]
        ),
        alone(
            "eval_calibration_multiply_ns",
            "ns/step",
            median(rounds["multiply_chain"]),
            "to compare days",
        ),
        alone(
            "eval_calibration_walk_ns", "ns/step", median(rounds["table_walk"]), "to compare days"
        ),
        alone("eval_import_ms", "ms", imported_ms, "< 5"),
        alone("eval_tables_mb", "MB", found["table_bytes"] / 1e6, "< 2.5"),
    ]


def keep(found: dict[str, Any], native_ns: dict[str, float], shown: Sequence[Row]) -> None:
    """Write the results of this run into the documentation."""
    report = json.loads(REPORT.read_text())
    machine = report["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    text = [
        "# Results of a benchmark run\n",
        "Written by `python -m tests.bench.evaluator.run --keep`; medians of interleaved rounds.\n",
        f"Machine: {machine['processor']}, {machine['cores']} cores, {machine['system']};"
        f" Python {report['python']}; load {os.getloadavg()[0]:.1f} at the end.",
        f"Versions: {versions}. Batch paths: {', '.join(found['paths'])}.\n",
        "| figure | value | unit | reference | ratio | goal |",
        "|---|---|---|---|---|---|",
    ]
    for row in shown:
        reference = "" if row.reference is None else f"{row.reference:,.1f}"
        ratio = "" if row.ratio is None else f"{row.ratio:,.2f}"
        text.append(
            f"| {row.name} | {row.value:,.2f} | {row.unit} | {reference} | {ratio} | {row.goal} |"
        )
    text += [
        "\nNative, by criterion:\n",
        "| measurement | ns a hand | M hands/s |",
        "|---|---|---|",
    ]
    text += [f"| {name} | {ns:.2f} | {1e3 / ns:,.1f} |" for name, ns in native_ns.items()]
    RESULTS.write_text("\n".join(text) + "\n")


def main(arguments: Sequence[str]) -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description="The evaluator beside its public peers.")
    parser.add_argument("--rounds", type=int, default=9, help="interleaved rounds, default 9")
    parser.add_argument("--keep", action="store_true", help=f"write {RESULTS.relative_to(ROOT)}")
    options = parser.parse_args(arguments)
    python = environment()
    found = measured(python, options.rounds)
    imported_ms = import_ms(python)
    native_ns = native()
    shown = rows(found, native_ns, imported_ms)
    write(*shown)
    for name, ns in native_ns.items():
        print(f"native {name:32} {ns:8.2f} ns {1e3 / ns:10,.1f} M/s")
    print("peers:", ", ".join(f"{name} {number}" for name, number in found["versions"].items()))
    print("paths:", ", ".join(found["paths"]))
    if options.keep:
        keep(found, native_ns, shown)


if __name__ == "__main__":
    main(sys.argv[1:])
