"""An external database that is missing, not ours, or of another release: one sentence, and nothing is changed."""

import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from typer.testing import CliRunner

from cardroom.adapters.bus.broker import free_ports
from cardroom.adapters.installation import Installation
from cardroom.adapters.migrations import folder, read_migrations
from cardroom.cli.main import app

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(120)]

SERVE = ("serve", "house")
VERIFY = ("audit", "verify")
COMMANDS = [(SERVE, 1), (VERIFY, 2)]
LAST = len(read_migrations(folder()))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """A server of this module's own: each test's installation sets the roles' passwords of its server."""
    with Installation(tmp_path_factory.mktemp("external") / "server", contexts=()) as installation:
        yield installation


@pytest.fixture
def dsn(server: Installation) -> Iterator[str]:
    """An empty database on it."""
    admin = make_conninfo(server.database.admin_dsn, dbname="postgres")
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("CREATE DATABASE external")
        yield make_conninfo(admin, dbname="external")
        connection.execute("DROP DATABASE external WITH (FORCE)")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def said(data: Path, dsn: str, *words: str) -> tuple[int, str]:
    """Return a command's status and its one sentence."""
    given = {"CARDROOM_DATA_DIRECTORY": str(data), "CARDROOM_DATABASE__DSN": dsn}
    run = CliRunner().invoke(app, list(words), env=given, catch_exceptions=False)
    lines = run.output.strip().splitlines()
    assert len(lines) == 1, run.output
    for word in re.findall(r"password=(\S+)", dsn):
        assert word not in run.output
    return run.exit_code, lines[0]


def prepared(data: Path, dsn: str) -> None:
    with Installation(data, admin_dsn=dsn):
        pass


@pytest.mark.parametrize(("words", "status"), COMMANDS)
def test_a_database_that_is_missing_is_named(
    dsn: str, data: Path, words: tuple[str, ...], status: int
) -> None:
    prepared(data, dsn)
    found, sentence = said(data, make_conninfo(dsn, dbname="nowhere"), *words)
    assert found == status
    assert "the database cannot be used" in sentence
    assert 'database "nowhere" does not exist' in sentence


@pytest.mark.parametrize(("words", "status"), COMMANDS)
def test_a_server_that_does_not_answer_is_named(
    dsn: str, data: Path, words: tuple[str, ...], status: int
) -> None:
    prepared(data, dsn)
    port = free_ports(1)[0]
    found, sentence = said(data, f"host=127.0.0.1 port={port} dbname=x", *words)
    assert found == status
    assert f"port {port} failed" in sentence


def test_what_is_no_connection_string_is_not_repeated(dsn: str, data: Path) -> None:
    found, sentence = said(data, "password=of-ours and more", *SERVE)
    assert found == 1
    assert sentence.endswith("the database cannot be used: database.dsn is no connection string")


def test_a_role_without_the_right_is_named(dsn: str, data: Path) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS weak")
        connection.execute("CREATE ROLE weak LOGIN PASSWORD 'weak-word'")
    found, sentence = said(data, make_conninfo(dsn, user="weak", password="weak-word"), *SERVE)
    assert found == 1
    assert "permission denied" in sentence


@pytest.mark.parametrize(("words", "status"), COMMANDS)
def test_a_schema_of_a_newer_release_is_left_alone(
    dsn: str, data: Path, words: tuple[str, ...], status: int
) -> None:
    prepared(data, dsn)
    with psycopg.connect(dsn) as connection:
        connection.execute(
            "INSERT INTO house.migrations (number, name, checksum) VALUES (%s, 'later', 'x')",
            (LAST + 1,),
        )
    found, sentence = said(data, dsn, *words)
    assert found == status
    assert (
        f"schema house is at migration {LAST + 1}, this release knows {LAST}: run the release"
        in sentence
    )


def test_a_schema_of_an_older_release_is_not_read_as_it_is(dsn: str, data: Path) -> None:
    prepared(data, dsn)
    with psycopg.connect(dsn) as connection:
        connection.execute("DELETE FROM tables.migrations WHERE number = %s", (LAST,))
    found, sentence = said(data, dsn, *VERIFY)
    assert found == 2
    assert f"schema tables is at migration {LAST - 1}, this release needs {LAST}" in sentence


def test_an_empty_database_is_not_taken_for_the_installations(dsn: str, data: Path) -> None:
    prepared(data, dsn)
    found, sentence = said(data, make_conninfo(dsn, dbname="postgres"), *VERIFY)
    assert found == 2
    assert "the database has no schema house of this installation" in sentence
