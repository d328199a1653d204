"""Schemas, roles and tables: plain numbered SQL files, applied in order, recorded with their checksums."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import psycopg
from psycopg.sql import SQL, Identifier, Literal

OWNER: Final = "cardroom_owner"
AUDIT: Final = "cardroom_audit"
ERASER: Final = "cardroom_eraser"
_LOCK: Final = 0x63617264726F6F6D  # "cardroom", one migration at a time per database
_LEAST_SERVER: Final = 170000
_FILE_NAME: Final = re.compile(r"(\d{4})_[a-z0-9_]+\.sql\Z")


class MigrationFailed(Exception):  # noqa: N818 - it names what happened
    """A migration cannot be applied; the message names the file and the reason."""


class Migration(NamedTuple):
    """One numbered file.

    Args:
        number: from 1, without gaps.
        name: the file's name.
        sql: its text.
    """

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """Return the digest under which it is recorded."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def folder() -> Path:
    """Return the folder of the project's migrations, in a checkout or in an installed distribution."""
    installed = Path(__file__).parent / "sql"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "infra" / "migrations"


def read_migrations(path: Path) -> list[Migration]:
    """Return the migrations of a folder in order.

    Raises:
        MigrationFailed: a name is malformed, or a number is missing or borne twice.
    """
    found = []
    for file in sorted(path.glob("*.sql")):
        match = _FILE_NAME.match(file.name)
        if not match:
            raise MigrationFailed(f"{file.name}: a migration is named NNNN_what_it_does.sql")
        found.append(Migration(int(match[1]), file.name, file.read_text()))
    numbers = [migration.number for migration in found]
    if not found or numbers != list(range(1, len(found) + 1)):
        raise MigrationFailed(
            f"{path}: migrations are numbered from 1 without gaps, found {numbers}"
        )
    return found


def service_role(context: str) -> str:
    """Return the role under which a context's process works."""
    return f"cardroom_{context}"


def ensure_roles(dsn: str, passwords: Mapping[str, str]) -> None:
    """Create roles where missing and set their passwords; takes an administrator's connection.

    Args:
        dsn: where, as a role that may create roles.
        passwords: role -> password.

    Raises:
        MigrationFailed: the server is older than this release needs.
    """
    with psycopg.connect(dsn) as connection:
        if connection.info.server_version < _LEAST_SERVER:
            raise MigrationFailed(
                f"PostgreSQL {connection.info.server_version // 10000} is too old: 17 or newer, "
                "for the right MAINTAIN"
            )
        # Roles belong to the whole server, so its first database is where the lock is held.
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        rows = connection.execute("SELECT rolname FROM pg_roles").fetchall()
        existing = {row[0] for row in rows}
        for role, password in passwords.items():
            verb = SQL("ALTER ROLE") if role in existing else SQL("CREATE ROLE")
            connection.execute(
                SQL("{} {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT PASSWORD {}").format(
                    verb, Identifier(role), Literal(password)
                )
            )


def all_roles(contexts: Iterable[str]) -> list[str]:
    """Return the roles an installation has."""
    return [OWNER, AUDIT, ERASER, *(service_role(context) for context in contexts)]


def ensure_schemas(dsn: str, contexts: Iterable[str]) -> None:
    """Create the contexts' schemas, owned by the owner role, where missing; takes a superuser's connection."""
    with psycopg.connect(dsn) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        for context in contexts:
            connection.execute(
                SQL("CREATE SCHEMA IF NOT EXISTS {} AUTHORIZATION {}").format(
                    Identifier(context), Identifier(OWNER)
                )
            )


def migrate(dsn: str, contexts: Iterable[str], migrations: Sequence[Migration]) -> list[str]:
    """Apply what is missing to each context's schema, as the owner role.

    Args:
        dsn: where, as the owner role.
        contexts: schemas to bring up to date.
        migrations: all migrations, in order.

    Returns:
        What was applied, as `context: file name`.

    Raises:
        MigrationFailed: a file that was applied has changed since, the schema is newer than this release, or a
            statement fails; the schema is then as it was.
    """
    applied = []
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        for context in contexts:
            applied += _migrate_schema(connection, context, migrations)
    return applied


def check_migrated(dsn: str, contexts: Iterable[str], migrations: Sequence[Migration]) -> None:
    """Check that each context's schema is at this release's last migration; changes nothing.

    Args:
        dsn: where, as a role that may read the schemas' lists of migrations.
        contexts: schemas to look at.
        migrations: all migrations, in order.

    Raises:
        MigrationFailed: a schema is missing, older or newer, or a file that was applied has changed since.
    """
    with psycopg.connect(dsn) as connection:
        for context in contexts:
            listed = SQL("{}.migrations").format(Identifier(context))
            found = connection.execute("SELECT to_regclass(%s)", (listed.as_string(),)).fetchone()
            if found is None or found[0] is None:
                raise MigrationFailed(
                    f"the database has no schema {context} of this installation: another database is named, or it "
                    "was never served"
                )
            count = _applied(connection, context, migrations)
            if count < len(migrations):
                raise MigrationFailed(
                    f"schema {context} is at migration {count}, this release needs {len(migrations)}: serve it once "
                    "with this release, which applies what is missing"
                )


def _applied(
    connection: psycopg.Connection[tuple[object, ...]],
    context: str,
    migrations: Sequence[Migration],
) -> int:
    """Return how many migrations a schema has, each held against its file."""
    rows = connection.execute(
        SQL("SELECT number, checksum FROM {}.migrations ORDER BY number").format(
            Identifier(context)
        )
    ).fetchall()
    if len(rows) > len(migrations):
        raise MigrationFailed(
            f"schema {context} is at migration {len(rows)}, this release knows {len(migrations)}: run the release "
            "that made it, or a newer one"
        )
    for migration, row in zip(migrations, rows, strict=False):
        if row[1] != migration.checksum:
            raise MigrationFailed(
                f"{migration.name} was changed after it was applied to schema {context}"
            )
    return len(rows)


def _migrate_schema(
    connection: psycopg.Connection[tuple[object, ...]],
    context: str,
    migrations: Sequence[Migration],
) -> list[str]:
    applied = []
    schema = Identifier(context)
    connection.execute(
        SQL(
            "CREATE TABLE IF NOT EXISTS {}.migrations (number integer PRIMARY KEY, name text NOT NULL, "
            "checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())"
        ).format(schema)
    )
    for migration in migrations[_applied(connection, context, migrations) :]:
        try:
            with connection.transaction():
                connection.execute(SQL("SET LOCAL search_path TO {}").format(schema))
                connection.execute(migration.sql.encode())
                connection.execute(
                    SQL(
                        "INSERT INTO {}.migrations (number, name, checksum) VALUES (%s, %s, %s)"
                    ).format(schema),
                    (migration.number, migration.name, migration.checksum),
                )
        except psycopg.Error as error:
            raise MigrationFailed(f"{migration.name} in schema {context}: {error}") from error
        applied.append(f"{context}: {migration.name}")
    return applied
