"""What integration tests share."""

import secrets
from collections.abc import Iterator

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from cardroom.adapters.installation import Database, Installation


@pytest.fixture
def fresh_database(postgres_installation: Installation) -> Iterator[Database]:
    """A database of the test's own, with every context's schema."""
    name = f"fresh_{secrets.token_hex(6)}"
    template = postgres_installation.database
    yield template.clone(name)
    server = make_conninfo(template.admin_dsn, dbname="postgres")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
