#!/usr/bin/env python3
"""Print which rules and worked cases of the catalogue have a passing test.

Usage: rule_coverage.py [JUNIT.xml ...] [--missing] [--service NAME] [--book ID] [--min PERCENT]

Reads `build/junit.xml` unless told otherwise. A test says what it shows by `@pytest.mark.rule("LC-66a", 1)`; the report
carries it as the property `rule` = "LC-66a#1". Only passed tests count, and a case counts only if no test that bears it
failed, broke or was skipped. An id or a case number that the catalogue lacks is an error.
"""

import argparse
import sys
import tomllib
import xml.etree.ElementTree as ET  # the report is this project's own
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "tests" / "rules" / "catalogue"


def catalogue() -> dict[str, dict[str, Any]]:
    """Return every rule by id."""
    return {
        rule["id"]: rule
        for path in sorted(CATALOGUE.glob("*.toml"))
        for rule in tomllib.loads(path.read_text(encoding="utf-8")).get("rule", [])
    }


def shown(paths: list[Path]) -> tuple[set[str], set[str]]:
    """Return the marks of tests that passed (and nowhere failed), and of those that did not."""
    passed: set[str] = set()
    failed: set[str] = set()
    for path in paths:
        for case in ET.parse(path).getroot().iter("testcase"):
            marks = {p.get("value", "") for p in case.iter("property") if p.get("name") == "rule"}
            bad = any(case.find(tag) is not None for tag in ("failure", "error", "skipped"))
            (failed if bad else passed).update(marks)
    return passed - failed, failed


def unknown(marks: set[str], rules: dict[str, dict[str, Any]]) -> list[str]:
    """Return the marks that name no rule, or no case of it."""
    wrong = []
    for mark in sorted(marks):
        rule_id, _, number = mark.partition("#")
        cases = len(rules[rule_id].get("case", [])) if rule_id in rules else -1
        if cases < 0 or (number and not (number.isdigit() and 1 <= int(number) <= cases)):
            wrong.append(mark)
    return wrong


def main() -> int:
    """Print the table; return 1 where a mark is unknown or the share is under the minimum."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reports", nargs="*", type=Path)
    parser.add_argument("--missing", action="store_true", help="list what no passing test shows")
    parser.add_argument("--service", help="only rules of this service")
    parser.add_argument("--book", help="only rules of this book")
    parser.add_argument(
        "--min", type=float, default=0.0, help="exit 1 below this percentage of cases"
    )
    args = parser.parse_args()
    reports = args.reports or [ROOT / "build" / "junit.xml"]
    absent = [str(path) for path in reports if not path.is_file()]
    if absent:
        print(
            f"no report {', '.join(absent)}: run the tests with --junitxml first", file=sys.stderr
        )
        return 2

    rules = catalogue()
    passed, failed = shown(reports)
    rows: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    missing = []
    for rule_id, rule in rules.items():
        book = rule_id.partition("-")[0]
        if args.service not in {None, rule["service"]} or args.book not in {None, book}:
            continue
        cases = [f"{rule_id}#{n}" for n in range(1, len(rule.get("case", [])) + 1)]
        done = [case for case in cases if case in passed]
        row = rows[book, rule["service"]]
        row[0] += bool(done) or rule_id in passed or (not cases and rule["kind"] == "text")
        row[1] += 1
        row[2] += len(done)
        row[3] += len(cases)
        missing += [case for case in cases if case not in passed]

    for (book, service), row in sorted(rows.items()):
        print(f"{book:4} {service:15} rules {row[0]:4}/{row[1]:<4} cases {row[2]:4}/{row[3]:<4}")
    total = [sum(row[i] for row in rows.values()) for i in range(4)]
    share = 100.0 * total[2] / max(total[3], 1)
    if args.missing:
        print("missing:", " ".join(missing))
    wrong = unknown(passed | failed, rules)
    if wrong:
        print("not in the catalogue:", " ".join(wrong))
    print(f"rules {total[0]}/{total[1]}, worked cases {total[2]}/{total[3]} = {share:.1f} %")
    return 1 if wrong or share < args.min else 0


if __name__ == "__main__":
    sys.exit(main())
