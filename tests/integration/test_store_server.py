"""The embedded server: set up, adopted, supervised, left; through kill -9 of its owner and beside a second copy."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from cardroom.adapters.installation import Installation
from cardroom.adapters.migrations import MigrationFailed, folder, migrate, read_migrations
from cardroom.adapters.postgres import EmbeddedPostgres, PostgresFailed, kill_server

pytestmark = pytest.mark.postgres

OWNER_SCRIPT = """
import sys, time
from pathlib import Path
from cardroom.adapters.postgres import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]))
server.start()
print("started", flush=True)
time.sleep(600)
"""


def wait_for(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def answers(server: EmbeddedPostgres) -> bool:
    try:
        with psycopg.connect(server.dsn(), connect_timeout=2) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A server's directory, set up once, in a folder with a space in its name."""
    directory = tmp_path_factory.mktemp("with space") / "pg"
    with EmbeddedPostgres(directory):
        pass
    return directory


@pytest.fixture
def server(prepared: Path) -> Iterator[EmbeddedPostgres]:
    server = EmbeddedPostgres(prepared)
    yield server
    server.stop()
    assert server.running_pid() is None


def owner(directory: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER_SCRIPT, str(directory)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    return process


def test_who_comes_second_uses_the_running_server_and_who_leaves_last_stops_it(
    server: EmbeddedPostgres, prepared: Path
) -> None:
    server.start()
    pid = server.running_pid()
    second = EmbeddedPostgres(prepared)
    second.start()
    assert second.running_pid() == pid
    server.stop()
    assert answers(second)
    second.stop()
    assert second.running_pid() is None


def test_the_server_survives_its_owners_kill_and_the_next_one_adopts_it(
    server: EmbeddedPostgres, prepared: Path
) -> None:
    process = owner(prepared)
    pid = server.running_pid()
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert server.running_pid() == pid
    server.start()
    assert server.running_pid() == pid
    assert answers(server)
    server.stop()  # the dead owner does not count as a user any more
    assert server.running_pid() is None


def test_a_second_copy_keeps_the_server_when_the_first_is_killed(
    server: EmbeddedPostgres, prepared: Path
) -> None:
    process = owner(prepared)
    server.start()
    process.kill()
    process.wait()
    assert answers(server)


def test_a_killed_server_is_started_again_by_its_supervisor(server: EmbeddedPostgres) -> None:
    server.start()
    server.supervise(every_seconds=0.05)
    pid = server.running_pid()
    kill_server(server)
    wait_for(lambda: server.running_pid() not in {None, pid} and answers(server))


def test_a_stale_pid_file_that_names_another_process_does_not_stop_a_start(
    server: EmbeddedPostgres, prepared: Path
) -> None:
    pid_file = prepared / "data" / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{prepared / 'data'}\n1\n5432\n/nowhere\n\n1 1\nready\n")
    assert server.running_pid() is None
    server.start()
    assert answers(server)


def test_a_set_up_that_was_killed_halfway_is_done_again(tmp_path: Path) -> None:
    server = EmbeddedPostgres(tmp_path / "pg")
    for leftover in ("data.new", "data"):
        (tmp_path / "pg" / leftover).mkdir(parents=True)
        (tmp_path / "pg" / leftover / "half").touch()
    with server:
        assert answers(server)


def test_a_path_too_long_for_a_socket_works(tmp_path: Path) -> None:
    directory = tmp_path / ("long" * 20) / "pg"
    with EmbeddedPostgres(directory) as server:
        assert answers(server)
        assert len(str(server.socket_directory)) < 100
    assert not server.socket_directory.exists()


def test_a_socket_folder_that_somebody_else_made_is_not_used(tmp_path: Path) -> None:
    server = EmbeddedPostgres(tmp_path / ("long" * 20) / "pg")
    server.socket_directory.symlink_to(tmp_path)
    try:
        with pytest.raises(PostgresFailed, match="remove it"):
            server.start()
    finally:
        server.socket_directory.unlink()


def test_every_role_needs_its_password_and_no_network_port_is_open(
    server: EmbeddedPostgres,
) -> None:
    server.start()
    with pytest.raises(psycopg.OperationalError, match="authentication failed"):
        psycopg.connect(server.dsn(password="guess"))
    with psycopg.connect(server.dsn()) as connection:
        shown = {
            name: connection.execute(f"SHOW {name}").fetchone()
            for name in ("listen_addresses", "fsync", "data_checksums", "password_encryption")
        }
        rules = connection.execute("SELECT DISTINCT auth_method FROM pg_hba_file_rules").fetchall()
    assert shown == {
        "listen_addresses": ("",),
        "fsync": ("on",),
        "data_checksums": ("on",),
        "password_encryption": ("scram-sha-256",),
    }
    assert rules == [("scram-sha-256",)]
    assert (server.directory / "superuser.secret").stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become another user")
def test_it_works_for_a_user_who_is_not_root(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for folder_ in (home, *home.parents):
        if folder_ != folder_.parent:
            folder_.chmod(folder_.stat().st_mode | 0o055)
    os.chown(home, 65534, 65534)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            with EmbeddedPostgres(home / "pg") as server:
                status = 0 if answers(server) else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (home / "pg" / "data").stat().st_uid == 65534


def test_an_installation_is_prepared_once_and_opened_again(tmp_path: Path) -> None:
    with Installation(tmp_path / "data", contexts=("counting",)) as installation:
        first = installation.master_key, installation.seal_key, installation.database.owner
        assert installation.database.prepare(("counting",)) == []
    with Installation(tmp_path / "data", contexts=("counting",)) as installation:
        again = installation.master_key, installation.seal_key, installation.database.owner
        assert again == first
        owner = installation.database.owner
        migrations = read_migrations(folder())

        changed = [migrations[0]._replace(sql="SELECT 1"), *migrations[1:]]
        with pytest.raises(MigrationFailed, match=r"0001_events\.sql was changed"):
            migrate(owner, ("counting",), changed)
        with pytest.raises(MigrationFailed, match="this release knows"):
            migrate(owner, ("counting",), migrations[:-1])
        number = len(migrations) + 1
        broken = migrations[0]._replace(
            number=number,
            name=f"{number:04}_broken.sql",
            sql="CREATE TABLE half (); SELECT nothing",
        )
        with pytest.raises(MigrationFailed, match="broken"):
            migrate(owner, ("counting",), [*migrations, broken])
        with psycopg.connect(owner) as connection:
            (found,) = connection.execute("SELECT to_regclass('counting.half')").fetchone() or ()
        assert found is None


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["1_x.sql"], "is named"),
        (["0001_a.sql", "0003_b.sql"], "without gaps"),
        (["0001_a.sql", "0001_b.sql"], "without gaps"),
        ([], "without gaps"),
    ],
)
def test_migration_files_are_numbered(tmp_path: Path, names: list[str], says: str) -> None:
    for name in names:
        (tmp_path / name).write_text("SELECT 1")
    with pytest.raises(MigrationFailed, match=says):
        read_migrations(tmp_path)
