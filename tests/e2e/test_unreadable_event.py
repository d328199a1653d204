"""An event that this release cannot read: told by name at the command line and by the API, apart from the chain."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import psycopg
import pytest
import pytest_asyncio
from google.protobuf.json_format import MessageToDict
from typer.testing import CliRunner

from cardroom.adapters.installation import Installation
from cardroom.api.audit.v1 import audit_service_pb2 as audit
from cardroom.api.audit.v1.audit_service_pb2_grpc import AuditServiceStub
from cardroom.cli.main import app
from cardroom.client import CallFailed
from cardroom.demo.opening import ROOM
from cardroom.kernel.envelope import HASH_BYTES, Envelope, own_hash
from tests.plugins.small_room import TABLE, small_room

pytestmark = [pytest.mark.postgres, pytest.mark.asyncio(loop_scope="module")]

TOPIC = "tables.SeatHeated.v1"


class Spoiled(NamedTuple):
    """A room whose table's stream ends with an event of a topic that nobody knows."""

    room: Any
    data: Path
    stream: str
    version: int


def spoil(data: Path) -> tuple[str, int]:
    """Append an event of an unknown topic, rightly hashed and linked, and return its place."""
    installation = Installation(data)
    try:
        database = installation.open(prepare=False)
        search = "-c search_path=tables"
        with psycopg.connect(database.admin_dsn, options=search) as connection:
            row = connection.execute(
                "SELECT originator_id, originator_version, state FROM events "
                "WHERE originator_id LIKE %s ORDER BY originator_id DESC, originator_version DESC",
                (f"table/{ROOM}/{TABLE}/%",),
            ).fetchone()
            assert row is not None
            stream, version, state = row[0], row[1] + 1, bytes(row[2])
            before = msgspec.msgpack.decode(state[HASH_BYTES:], type=Envelope)
            around = msgspec.structs.replace(before, previous_hash=state[:HASH_BYTES])
            body = msgspec.msgpack.encode(around)
            connection.execute(
                "INSERT INTO events (originator_id, originator_version, topic, state) "
                "VALUES (%s, %s, %s, %s)",
                (stream, version, TOPIC, own_hash(stream, version, TOPIC, body) + body),
            )
    finally:
        installation.close()
    return stream, version


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def spoiled(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Spoiled]:
    data = tmp_path_factory.mktemp("unreadable") / "data"
    async with small_room(data) as room:
        stream, version = await asyncio.to_thread(spoil, data)
        yield Spoiled(room, data, stream, version)


async def command(*words: str) -> Any:
    """Run `cardroom` and return what it said."""
    return await asyncio.to_thread(CliRunner().invoke, app, list(words))


async def test_the_command_line_names_it(spoiled: Spoiled) -> None:
    sentence = (
        f"{spoiled.stream} version {spoiled.version} ({TOPIC}) cannot be read: "
        "no event of tables in this release bears the topic"
    )
    listed = await command("audit", "records", spoiled.stream, "--data", str(spoiled.data))
    assert (listed.exit_code, listed.output.strip()) == (1, sentence)

    where = ("--data", str(spoiled.data), "--context", "tables")
    verified = await command("audit", "verify", *where)
    assert verified.exit_code == 1
    assert "intact, 1" in verified.output
    assert sentence in " ".join(verified.output.split())
    (report,) = json.loads((await command("audit", "verify", *where, "--json")).output)
    (finding,) = report["findings"]
    assert (finding["kind"], finding["stream"], finding["version"], finding["topic"]) == (
        "unreadable",
        spoiled.stream,
        spoiled.version,
        TOPIC,
    )


async def test_the_api_names_it(spoiled: Spoiled) -> None:
    request = audit.VerifyLogsRequest(contexts=["tables"])
    answer = await spoiled.room.ask("auditor", AuditServiceStub, "VerifyLogs", request)
    assert answer.intact
    assert not answer.readable
    (fault,) = answer.reports[0].faults
    told = MessageToDict(fault)
    assert told.pop("message").endswith("bears the topic")
    assert told == {
        "kind": "unreadable",
        "stream": spoiled.stream,
        "version": str(spoiled.version),
        "topic": TOPIC,
    }
    of_table = audit.GetStateAtRequest(room=ROOM, context="tables", stem=f"table/{ROOM}/{TABLE}")
    with pytest.raises(CallFailed, match=f"{spoiled.stream} version {spoiled.version} "):
        await spoiled.room.ask("auditor", AuditServiceStub, "GetStateAt", of_table)
