"""Evenings of the demonstration stay until the next one, however they ended."""

import subprocess
import sys
from pathlib import Path

import pytest

from cardroom.adapters.postgres import EmbeddedPostgres
from cardroom.demo.kept import FolderTaken, kept_folder

LEFT_RUNNING = """
import os, sys
from pathlib import Path
from cardroom.adapters.postgres import EmbeddedPostgres
EmbeddedPostgres(Path(sys.argv[1])).start()
os._exit(0)
"""


def test_an_evening_stays_until_the_next_one(tmp_path: Path) -> None:
    with kept_folder(tmp_path) as first:
        first.mkdir()
    assert first.exists()
    with kept_folder(tmp_path) as second:
        assert not first.parent.exists()
        assert second.parent.exists()


def test_an_evening_under_way_is_left_alone(tmp_path: Path) -> None:
    with kept_folder(tmp_path) as first, kept_folder(tmp_path) as second:
        assert first != second
        assert first.parent.exists()


@pytest.mark.postgres
@pytest.mark.timeout(120)
def test_what_a_killed_evening_left_running_is_stopped_and_removed(tmp_path: Path) -> None:
    with kept_folder(tmp_path) as killed:
        server = EmbeddedPostgres(killed / "postgres")
        subprocess.run([sys.executable, "-c", LEFT_RUNNING, str(server.directory)], check=True)
        assert server.running_pid() is not None
        assert not server.in_use
    with server, kept_folder(tmp_path):
        assert server.in_use
        assert killed.parent.exists()  # somebody looks something up in it
    subprocess.run([sys.executable, "-c", LEFT_RUNNING, str(server.directory)], check=True)
    with kept_folder(tmp_path):
        assert server.running_pid() is None
        assert not killed.parent.exists()


def test_another_users_folder_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(FolderTaken, match="belongs to user"), kept_folder(tmp_path / "link"):
        pass
