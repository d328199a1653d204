"""The import rules that the linter's contracts cannot say: what the pure modules of a context may import."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SERVICES = ROOT / "services" / "cardroom"
CONTEXTS = (
    "house",
    "players",
    "waitlist",
    "seating",
    "tables",
    "timecollection",
    "jackpot",
    "cashier",
)
SHELL = {
    "app",
    "inbox",
    "ask",
    "publish",
    "projections",
    "servicer",
    "main",
    "views",
    "wire",
    "reading",
    "directory",
}
"""Modules of a context that may do I/O or speak protobuf, also as `..._servicer`, `..._views`, `wire_...`."""

VALUES = {
    "abc", "base64", "bisect", "collections", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools",
    "hashlib", "heapq", "hmac", "itertools", "json", "math", "msgspec", "operator", "re", "string", "struct", "tomllib",
    "types", "typing", "unicodedata", "zlib", "zoneinfo", "__future__",
}  # fmt: skip
"""Standard value modules and msgspec: nothing here reads a clock, randomness, a file or a socket."""

BELOW = ("kernel", "known", "rulebook", "poker", "evaluator")
BANNED_CALLS = {"now", "utcnow", "today"}


def is_shell(path: Path) -> bool:
    return any(
        part in SHELL or part.endswith(("_servicer", "_views")) or part.startswith("wire_")
        for part in path.with_suffix("").parts
    )


def pure_modules() -> list[Path]:
    found = [path for name in ("kernel", "poker") for path in (SERVICES / name).rglob("*.py")]
    for context in CONTEXTS:
        for path in (SERVICES / context).rglob("*.py"):
            if not is_shell(path.relative_to(SERVICES / context)):
                found.append(path)
    return sorted(found)


def imports(tree: ast.AST) -> list[str]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where a name comes from"
            found.append(node.module or "")
    return found


def allowed(module: str, own: str) -> bool:
    first, _, rest = module.partition(".")
    if first != "cardroom":
        return first in VALUES
    owner = rest.partition(".")[0]
    return not rest or owner in BELOW or owner == own


@pytest.mark.parametrize("path", pure_modules(), ids=lambda path: str(path.relative_to(SERVICES)))
def test_a_pure_module_imports_values_only(path: Path) -> None:
    own = path.relative_to(SERVICES).parts[0]
    module = ast.parse(path.read_text(encoding="utf-8"))
    wrong = [name for name in imports(module) if not allowed(name, own)]
    assert wrong == []


@pytest.mark.parametrize(
    "path",
    # kernel/clock.py is where the machine's clock is wrapped for the shell
    [path for path in pure_modules() if path.name != "clock.py"],
    ids=lambda path: str(path.relative_to(SERVICES)),
)
def test_a_pure_module_reads_no_clock(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [
        node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in BANNED_CALLS
    ]
    assert calls == []


def test_generated_code_is_imported_by_the_shell_only() -> None:
    may = {"adapters", "client", "cli", "audit", "reporting", "demo"}
    wrong = [
        str(path.relative_to(SERVICES))
        for path in SERVICES.rglob("*.py")
        if "api" not in path.relative_to(SERVICES).parts
        and "cardroom.api" in path.read_text(encoding="utf-8")
        and not is_shell(path.relative_to(SERVICES))
        and not may & set(path.relative_to(SERVICES).parts)
    ]
    assert wrong == []
