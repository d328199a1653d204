"""Read models: each message counts once in them, and one call builds them again."""

from collections.abc import AsyncIterator, Iterator

import psycopg
import pytest
from google.protobuf.wrappers_pb2 import StringValue
from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from cardroom.adapters.bus.envelope import Received
from cardroom.adapters.bus.handlers import ProjectionHandler
from cardroom.adapters.bus.inbox import Inbox
from cardroom.adapters.installation import Database
from tests.plugins.wire import SOURCE, TARGET, Place, Wire, until

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(90)]

NUMBERS = iter(range(1_000_000))


@pytest.fixture(params=["embedded", pytest.param("kafka", marks=pytest.mark.kafka)])
def place(request: pytest.FixtureRequest, fresh_database: Database) -> Iterator[Place]:
    with psycopg.connect(fresh_database.owner, autocommit=True) as connection:
        connection.execute(
            "CREATE TABLE seating.chips_counted (rack text PRIMARY KEY, chips bigint, times bigint)"
        )
        connection.execute(
            "GRANT SELECT, INSERT, UPDATE, TRUNCATE ON seating.chips_counted TO cardroom_seating"
        )
    dsns = (fresh_database.service(SOURCE), fresh_database.service(TARGET))
    if request.param == "embedded":
        yield Place(*dsns)
    else:
        kafka = request.getfixturevalue("kafka")
        yield Place(*dsns, kafka.bootstrap, f"{kafka.prefix}-{next(NUMBERS)}")


@pytest.fixture
async def wire(place: Place) -> AsyncIterator[Wire]:
    async with Wire(place).open() as wire:
        yield wire


class ChipsCounted:
    name = "chips_counted"
    sources = (SOURCE,)

    def __init__(self, factor: int = 1) -> None:
        self.factor = factor
        self.bad: set[str] = set()

    async def reset(self, connection: AsyncConnection[TupleRow]) -> None:
        await connection.execute("TRUNCATE chips_counted")

    async def apply(self, connection: AsyncConnection[TupleRow], message: Received) -> None:
        assert isinstance(message.payload, StringValue)
        rack, chips = message.payload.value.split()
        await connection.execute(
            "INSERT INTO chips_counted AS c VALUES (%s, %s, 1) ON CONFLICT (rack) DO UPDATE "
            "SET chips = c.chips + excluded.chips, times = c.times + 1",
            (rack, int(chips) * self.factor),
        )
        if rack in self.bad:
            raise ValueError(f"{rack} cannot be counted")


def read_model(wire: Wire, projection: ChipsCounted) -> tuple[ProjectionHandler, Inbox]:
    handler = ProjectionHandler(wire.target_pool, wire.target_ledger, projection)
    return handler, Inbox(
        f"{TARGET}.{projection.name}", handler, wire.target_ledger, least_wait_seconds=0.001
    )


async def rows(wire: Wire) -> dict[str, tuple[int, int]]:
    async with wire.target_pool.connection() as connection:
        cursor = await connection.execute("SELECT rack, chips, times FROM chips_counted")
        return {rack: (chips, times) for rack, chips, times in await cursor.fetchall()}


async def test_a_read_model_counts_each_message_once_and_is_built_again_by_one_call(
    wire: Wire,
) -> None:
    projection = ChipsCounted()
    handler, inbox = read_model(wire, projection)
    wire.publish()
    wire.consume(inbox)
    await wire.count(("a", 1), ("b", 2), ("a", 3))
    first = {"a": (4, 2), "b": (2, 1)}
    await until(lambda: _are(wire, first))

    projection.factor = 10
    await handler.rebuild(inbox.name, actor="floor-1", reason="tens are counted now")
    await until(lambda: _are(wire, {"a": (40, 2), "b": (20, 1)}))
    await wire.count(("b", 5))
    await until(lambda: _are(wire, {"a": (40, 2), "b": (70, 2)}))
    assert await wire.arrived() == {}  # the application's own inbox is another consumer


async def _are(wire: Wire, wanted: dict[str, tuple[int, int]]) -> bool:
    return await rows(wire) == wanted


async def test_a_message_that_fails_leaves_no_half_row_and_a_rebuild_passes_over_it(
    wire: Wire,
) -> None:
    projection = ChipsCounted()
    projection.bad = {"a"}
    handler, inbox = read_model(wire, projection)
    wire.publish()
    wire.consume(inbox)
    await wire.count(("a", 1), ("b", 2))

    async def parked() -> bool:
        return len(await wire.target_ledger.parked(inbox.name, 10)) == 1

    await until(parked)
    await until(lambda: _are(wire, {"b": (2, 1)}))
    projection.bad.clear()
    await handler.rebuild(inbox.name, actor="floor-1", reason="it counts now")
    await until(lambda: _are(wire, {"a": (1, 1), "b": (2, 1)}))
    assert await wire.target_ledger.parked(inbox.name, 10) == []


async def test_a_released_message_writes_its_row_once(wire: Wire) -> None:
    projection = ChipsCounted()
    projection.bad = {"a"}
    _, inbox = read_model(wire, projection)
    wire.publish()
    wire.consume(inbox)
    await wire.count(("a", 1), ("a", 2))

    async def parked() -> bool:
        return len(await wire.target_ledger.parked(inbox.name, 10)) == 2

    await until(parked)
    projection.bad.clear()
    await inbox.release(SOURCE, "r1/a", actor="floor-1", reason="it counts now")
    assert await rows(wire) == {"a": (3, 2)}
    await wire.count(("a", 4))
    await until(lambda: _are(wire, {"a": (7, 3)}))
