"""Build hook: compile every proto below `protos/` into `services/`, next to the code that imports it.

Run as a script it does the same (`make protos`); with `--check` it only says whether what is there is current.
The files are compiled in a folder of their own and moved into place one by one, so that a process that imports
the generated packages meanwhile never reads half a file; what no proto gives any more is removed.
"""

import hashlib
import shutil
import sys
import tempfile
from importlib.metadata import version as version_of
from importlib.resources import files
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
GENERATED = ("cardroom/api", "buf")
"""Folders below `services/` that hold generated files only."""
STAMP = "cardroom/api/.stamp"


def protos_of(root: Path) -> list[Path]:
    """List the proto files, relative to `protos/`, in order."""
    return sorted(path.relative_to(root / "protos") for path in (root / "protos").rglob("*.proto"))


def stamp_of(root: Path) -> str:
    """Return the digest of all that decides what is generated: protos, this file, the compiler's version."""
    digest = hashlib.sha256(version_of("grpcio-tools").encode())
    digest.update(Path(__file__).read_bytes())
    for proto in protos_of(root):
        content = (root / "protos" / proto).read_bytes()
        digest.update(f"\0{proto.as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def outputs_of(root: Path) -> set[Path]:
    """Return the generated files that the protos call for, relative to `services/`."""
    modules = {
        proto.with_name(proto.stem + suffix)
        for proto in protos_of(root)
        for suffix in ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py")
    }
    return modules | _package_files(modules)


def _package_files(modules: set[Path]) -> set[Path]:
    """Return the `__init__.py` of each package below `cardroom`, so that tools see them as parts of it."""
    own = Path("cardroom")
    folders = {parent for module in modules for parent in module.parents if own in parent.parents}
    return {folder / "__init__.py" for folder in folders}


def is_current(root: Path = ROOT) -> bool:
    """Say whether the generated files are those of the present protos, no more and no fewer."""
    services = root / "services"
    stamp = services / STAMP
    return (
        stamp.is_file()
        and stamp.read_text() == stamp_of(root)
        and _present(services) == outputs_of(root)
    )


def generate(root: Path = ROOT) -> int:
    """Compile the protos and return how many there were.

    Args:
        root: the project's folder.

    Raises:
        RuntimeError: protoc refused a file (its own message is on stderr); the packages that compile are in place.
    """
    if is_current(root):
        return len(protos_of(root))
    stamp = stamp_of(root)
    services = root / "services"
    packages: dict[Path, list[Path]] = {}
    for proto in protos_of(root):
        packages.setdefault(proto.parent, []).append(proto)
    refused: list[Path] = []
    with tempfile.TemporaryDirectory(prefix="protos-", dir=services) as scratch:
        for package, protos in packages.items():
            if not _compile(root, protos, Path(scratch)):
                refused.append(package)
        for file in _package_files(
            {path.relative_to(scratch) for path in Path(scratch).rglob("*.py")}
        ):
            (Path(scratch) / file).write_text('"""Generated."""\n')
        _move_changed(Path(scratch), services)
    if refused:
        names = ", ".join(package.as_posix() for package in refused)
        raise RuntimeError(f"protoc refused protos/: {names}")
    for leftover in _present(services) - outputs_of(root):
        (services / leftover).unlink(missing_ok=True)
    (services / STAMP).parent.mkdir(parents=True, exist_ok=True)
    (services / STAMP).write_text(stamp)
    return len(protos_of(root))


def _compile(root: Path, protos: list[Path], out: Path) -> bool:
    from grpc_tools import protoc

    arguments = [
        "protoc",
        f"-I{root / 'protos'}",
        f"-I{files('grpc_tools') / '_proto'}",
        f"--python_out={out}",
        f"--pyi_out={out}",
        f"--grpc_python_out={out}",
        *(proto.as_posix() for proto in protos),
    ]
    return bool(protoc.main(arguments) == 0)


def _move_changed(scratch: Path, services: Path) -> None:
    for made in sorted(path for path in scratch.rglob("*") if path.is_file()):
        target = services / made.relative_to(scratch)
        if target.is_file() and target.read_bytes() == made.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, target)


def _present(services: Path) -> set[Path]:
    return {
        path.relative_to(services)
        for folder in GENERATED
        for path in (services / folder).rglob("*")
        if path.is_file() and path.suffix in (".py", ".pyi")
    }


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs the generator before hatchling collects files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate the published language's Python."""
        generate(Path(self.root))


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        if not is_current():
            sys.exit("the generated protos are out of date: run `make protos`")
    else:
        try:
            generate()
        except RuntimeError as refusal:
            sys.exit(str(refusal))
