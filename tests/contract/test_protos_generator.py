"""The generator: only what has changed is written, leftovers go, a bad proto is named and harms nothing else."""

import shutil
from pathlib import Path

import pytest
from hatch_build import ROOT, generate, is_current, outputs_of

GOOD = 'syntax = "proto3";\npackage {name}.v1;\nmessage Thing {{ string {field} = 1; }}\n'


def write(root: Path, name: str, field: str = "name") -> Path:
    path = root / "protos" / "cardroom" / "api" / name / "v1" / f"{name}.proto"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(GOOD.format(name=name, field=field))
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "services").mkdir()
    write(tmp_path, "one")
    write(tmp_path, "two")
    assert generate(tmp_path) == 2
    return tmp_path


def made(root: Path) -> dict[str, int]:
    api = root / "services" / "cardroom" / "api"
    return {path.name: path.stat().st_mtime_ns for path in api.rglob("*.py")}


def test_everything_declared_is_made_and_current(root: Path) -> None:
    assert is_current(root)
    assert all((root / "services" / path).is_file() for path in outputs_of(root))
    assert not list((root / "services").glob("protos-*"))


def test_only_what_changed_is_written(root: Path) -> None:
    before = made(root)
    write(root, "two", "title")
    assert not is_current(root)
    generate(root)
    after = made(root)
    assert is_current(root)
    assert {name for name in after if after[name] != before[name]} == {"two_pb2.py"}


def test_leftovers_of_a_removed_proto_go(root: Path) -> None:
    shutil.rmtree(root / "protos" / "cardroom" / "api" / "two")
    assert not is_current(root)
    generate(root)
    assert set(made(root)) == {"__init__.py", "one_pb2.py", "one_pb2_grpc.py"}
    assert not list((root / "services" / "cardroom" / "api" / "two").rglob("*.py"))
    assert is_current(root)


def test_a_missing_output_is_made_again(root: Path) -> None:
    (root / "services" / "cardroom" / "api" / "one" / "v1" / "one_pb2.py").unlink()
    assert not is_current(root)
    generate(root)
    assert is_current(root)


def test_a_bad_proto_is_named_and_the_others_are_made(root: Path) -> None:
    bad = write(root, "bad")
    bad.write_text("message {")
    write(root, "three")
    with pytest.raises(RuntimeError, match="cardroom/api/bad/v1"):
        generate(root)
    assert "three_pb2.py" in made(root)
    assert not is_current(root)
    bad.unlink()
    generate(root)
    assert is_current(root)


def test_the_projects_own_protos_have_a_package_each() -> None:
    for path in (ROOT / "protos" / "cardroom").rglob("*.proto"):
        package = ".".join(path.relative_to(ROOT / "protos").parts[:-1])
        assert f"package {package};" in path.read_text()
