"""An installation's data directory: secrets, the embedded server or an external one, and its prepared database."""

import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self

import psycopg
from psycopg.conninfo import make_conninfo

from cardroom.adapters.migrations import (
    AUDIT,
    ERASER,
    OWNER,
    all_roles,
    check_migrated,
    ensure_roles,
    ensure_schemas,
    folder,
    migrate,
    read_migrations,
    service_role,
)
from cardroom.adapters.postgres import DATABASE, EmbeddedPostgres, PostgresFailed

CONTEXTS: Final = (
    "house",
    "players",
    "waitlist",
    "seating",
    "tables",
    "timecollection",
    "jackpot",
    "cashier",
    "reporting",
    "audit",
)
"""The contexts of an installation; each has a schema and a role of its own."""


class NoInstallation(Exception):  # noqa: N818 - it names what is the matter
    """A directory holds no installation; the message says what to name instead."""


class Secrets:
    """Secret files of a data directory, made at first use and readable by their owner alone."""

    def __init__(self, directory: Path) -> None:
        """Take the folder; it is made where missing."""
        self.directory = directory

    def bytes_of(self, name: str, size: int = 32) -> bytes:
        """Return a secret of random bytes, made at first use.

        Raises:
            ValueError: the file has another size.
        """
        content = bytes.fromhex(self._text(name, secrets.token_hex(size)))
        if len(content) != size:
            raise ValueError(f"{self.directory / name}: {len(content)} bytes, expected {size}")
        return content

    def passwords(self, roles: Sequence[str]) -> dict[str, str]:
        """Return a password for each role, made at first use."""
        return {role: self._text(f"role_{role}", secrets.token_urlsafe(24)) for role in roles}

    def _text(self, name: str, fresh: str) -> str:
        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self.directory / name
        if not path.exists():
            # Written aside and linked, so that of two processes starting together one wins and both read the same.
            aside = self.directory / f".{name}.{os.getpid()}.{secrets.token_hex(4)}"
            with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
                out.write(fresh + "\n")
                out.flush()
                os.fsync(out.fileno())
            try:
                os.link(aside, path)
            except FileExistsError:
                pass
            finally:
                aside.unlink()
        return path.read_text().strip()


class Database:
    """Connection strings of one prepared database."""

    def __init__(self, admin_dsn: str, passwords: dict[str, str]) -> None:
        """Take the administrator's connection string and the roles' passwords."""
        self.admin_dsn = admin_dsn
        self._passwords = passwords

    def _as(self, role: str) -> str:
        return make_conninfo(self.admin_dsn, user=role, password=self._passwords[role])

    def service(self, context: str) -> str:
        """Return the connection string of a context's own role."""
        return self._as(service_role(context))

    @property
    def owner(self) -> str:
        """Return the connection string of the role that owns schemas and applies migrations."""
        return self._as(OWNER)

    @property
    def audit(self) -> str:
        """Return the connection string of the read-only role."""
        return self._as(AUDIT)

    @property
    def eraser(self) -> str:
        """Return the connection string of the role that may delete keys."""
        return self._as(ERASER)

    def prepare(self, contexts: Sequence[str], migrations: Path | None = None) -> list[str]:
        """Create roles and schemas where missing and apply migrations; returns what was applied.

        Raises:
            MigrationFailed: a migration cannot be applied.
        """
        ensure_roles(self.admin_dsn, {role: self._passwords[role] for role in all_roles(contexts)})
        ensure_schemas(self.admin_dsn, contexts)
        return migrate(self.owner, contexts, read_migrations(migrations or folder()))

    def check(self, contexts: Sequence[str]) -> None:
        """Check that every context's schema is at this release's last migration; changes nothing.

        Raises:
            MigrationFailed: one is not.
        """
        check_migrated(self.admin_dsn, contexts, read_migrations(folder()))

    def clone(self, name: str) -> "Database":
        """Create a database as a copy of this one; nobody may be connected to this one meanwhile."""
        server = make_conninfo(self.admin_dsn, dbname="postgres")
        here = psycopg.conninfo.conninfo_to_dict(self.admin_dsn)["dbname"]
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{here}" STRATEGY wal_log')
        return Database(make_conninfo(self.admin_dsn, dbname=name), self._passwords)


class Installation:
    """A data directory with everything that a process needs to begin; a context manager around the server's use."""

    def __init__(
        self, directory: Path, *, admin_dsn: str = "", contexts: Sequence[str] = CONTEXTS
    ) -> None:
        """Take the directory and, where PostgreSQL is not the embedded one, how to reach it.

        Args:
            directory: data directory; made where missing.
            admin_dsn: connection string of an external server's administrator; empty for the embedded server.
            contexts: schemas to prepare.
        """
        self.directory = directory.expanduser().resolve()
        self.contexts = tuple(contexts)
        self.secrets = Secrets(self.directory / "secrets")
        self._external = admin_dsn
        self.server = None if admin_dsn else EmbeddedPostgres(self.directory / "postgres")

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def stands(self) -> bool:
        """Return whether an installation was prepared in the directory."""
        prepared = (self.secrets.directory / f"role_{OWNER}").exists()
        return prepared and (self.server is None or self.server.exists)

    @property
    def master_key(self) -> bytes:
        """Return the key under which subjects' keys are wrapped."""
        return self.secrets.bytes_of("master_key")

    @property
    def database(self) -> Database:
        """Return the installation's database."""
        dsn = self._external or (self.server.dsn(DATABASE) if self.server else "")
        return Database(dsn, self.secrets.passwords(all_roles(self.contexts)))

    @property
    def seal_key(self) -> bytes:
        """Return the Ed25519 private key that signs seals."""
        return self.secrets.bytes_of("seal_key")

    def open(self, *, prepare: bool = True) -> Database:
        """Start or adopt the embedded server, prepare the database, and return it.

        Args:
            prepare: make what is missing, create roles and schemas and apply migrations; without it the installation
                is taken as it stands.

        Raises:
            NoInstallation: nothing was ever prepared here, and nothing may be.
            PostgresFailed: the server does not come up, cannot be reached, or lacks the database or a right.
            MigrationFailed: a migration cannot be applied, or was not where nothing may be prepared; a schema is of a
                newer release.
        """
        if prepare:
            self.directory.mkdir(parents=True, exist_ok=True)
        elif not self.stands:
            raise NoInstallation(
                f"{self.directory} holds no installation: name its data directory, by option, settings file or "
                "CARDROOM_DATA_DIRECTORY"
            )
        if self.server is not None:
            self.server.start()
        database = self.database
        try:
            if prepare:
                database.prepare(self.contexts)
            else:
                database.check(self.contexts)
        except psycopg.Error as fault:
            raise PostgresFailed(f"the database cannot be used: {_reason(fault)}") from fault
        return database

    def close(self) -> None:
        """Leave the embedded server; the last of its users stops it."""
        if self.server is not None:
            self.server.stop()


def _reason(fault: psycopg.Error) -> str:
    """Return what the server or its library said, in one line and without the connection string."""
    if fault.sqlstate is None and isinstance(fault, psycopg.ProgrammingError):
        return "database.dsn is no connection string"  # the library's sentence repeats it, password and all
    lines = [line.strip() for line in str(fault).splitlines() if line.strip()]
    return lines[0] if lines else repr(fault)
