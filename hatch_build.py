"""Build hook: compile every proto below `protos/` into `services/`, next to the code that imports it."""

from importlib.resources import files
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent


def generate(root: Path = ROOT) -> int:
    """Compile the protos and return how many there were.

    Args:
        root: the project's folder.

    Raises:
        RuntimeError: protoc refused one of the files (its own message is on stderr).
    """
    from grpc_tools import protoc

    protos = sorted(
        str(path.relative_to(root / "protos")) for path in (root / "protos").rglob("*.proto")
    )
    out = str(root / "services")
    arguments = [
        "protoc",
        f"-I{root / 'protos'}",
        f"-I{files('grpc_tools') / '_proto'}",
        f"--python_out={out}",
        f"--pyi_out={out}",
        f"--grpc_python_out={out}",
        *protos,
    ]
    if protos and protoc.main(arguments) != 0:
        raise RuntimeError("protoc refused the protos")
    return len(protos)


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs the generator before hatchling collects files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate the published language's Python."""
        generate(Path(self.root))


if __name__ == "__main__":
    generate()
