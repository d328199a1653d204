"""One real PostgreSQL per test run, shared by all workers, and a fresh database per test module.

Ask for `database` (module scope): `PostgresStore(database.service("tables"), "tables")`.
"""

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cardroom.adapters.installation import CONTEXTS, Database, Installation

TEMPROOT = "PYTEST_DEBUG_TEMPROOT"
SCHEMAS = (*CONTEXTS, "counting")
"""Every context's schema, and one for tests of the store itself."""


def pytest_configure(config: pytest.Config) -> None:
    """Give each run temporary folders of its own.

    pytest closes the folder that all runs of a user share to everybody else whenever a run begins. As root the servers
    of a run belong to a system user, and would lose their data under them as soon as a second run starts.
    """
    if hasattr(config, "workerinput") or config.option.basetemp or TEMPROOT in os.environ:
        return
    folder = tempfile.mkdtemp(prefix="cardroom-pytest-")
    os.environ[TEMPROOT] = folder
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.fixture(scope="session")
def postgres_installation(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Installation]:
    """The run's server, with a prepared template database; the first worker makes it, the last one stops it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    installation = Installation(shared / "postgres-of-this-run", contexts=SCHEMAS)
    with _one_at_a_time(shared / "postgres.lock"):
        installation.open()
    try:
        yield installation
    finally:
        installation.close()


@pytest.fixture(scope="module")
def database(
    postgres_installation: Installation, request: pytest.FixtureRequest
) -> Iterator[Database]:
    """A fresh database with every context's schema, migrated, for the tests of one module."""
    name = re.sub(r"\W", "_", request.module.__name__)[-40:]
    name = f"{name}_{os.getpid()}"
    template = postgres_installation.database
    clone = template.clone(name)
    yield clone
    server = make_conninfo(template.admin_dsn, dbname="postgres")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


class _one_at_a_time:  # noqa: N801 - reads as what it does
    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT)
        fcntl.flock(self._handle, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)
