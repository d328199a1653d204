"""What only the embedded bus does: no order across keys, one reader at a time, a log watched by polling too."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace

import psycopg
import pytest

from cardroom.adapters.bus.embedded import shuffled_across
from cardroom.adapters.bus.port import Delivery
from cardroom.adapters.installation import Database
from tests.plugins.counting import Counted
from tests.plugins.wire import SOURCE, TARGET, Place, Wire, process, until

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(60)]


@pytest.fixture
def place(fresh_database: Database) -> Place:
    return Place(fresh_database.service(SOURCE), fresh_database.service(TARGET))


@pytest.fixture
async def wire(place: Place) -> AsyncIterator[Wire]:
    async with Wire(place).open() as wire:
        yield wire


def delivery(partition: int, number: int) -> Delivery:
    return Delivery(
        source="s",
        partition=partition,
        notification_id=number,
        previous_id=None,
        key=f"k{partition}",
        data=b"",
        mark=number,
    )


def test_shuffling_keeps_the_order_inside_a_partition_and_no_other() -> None:
    sent = [delivery(number % 5, number) for number in range(100)]
    drawn = shuffled_across(sent, random.Random(7))
    assert drawn != sent
    assert sorted(drawn, key=lambda one: one.mark) == sent
    for partition in range(5):
        assert [one for one in drawn if one.partition == partition] == [
            one for one in sent if one.partition == partition
        ]


async def test_a_handler_sees_keys_in_another_order_in_test_mode(place: Place) -> None:
    async with Wire(replace(place, partitions=1024, shuffle_seed=5)).open() as wire:
        racks = [f"k{number}" for number in range(40)]
        await wire.count(*((rack, n) for n in (1, 2, 3) for rack in racks))
        wire.consume(wire.inbox())
        await wire.arrived_as({rack: [1, 2, 3] for rack in racks})
        order = [
            recorded.stream.split("/")[2]
            for recorded in await wire.target.log(0, 1000)
            if isinstance(recorded.event, Counted)
        ]
        assert order != racks * 3


async def test_of_two_processes_one_reads_and_the_other_takes_over_when_it_is_killed(
    wire: Wire,
) -> None:
    with process("consumer", wire.place) as first:
        await wire.count(("a", 1))
        await wire.arrived_as({"a": [1]})
        with process("consumer", wire.place):
            await wire.count(("a", 2))
            await wire.arrived_as({"a": [1, 2]})
            first.kill()
            await wire.count(("a", 3))
            await wire.arrived_as({"a": [1, 2, 3]})
    assert max(Counter(await wire.causes()).values()) == 1


async def test_followers_survive_the_loss_of_every_connection(
    wire: Wire, fresh_database: Database
) -> None:
    wire.consume(wire.inbox())
    await wire.count(("a", 1))
    await wire.arrived_as({"a": [1]})
    with psycopg.connect(fresh_database.admin_dsn, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND usename = %s",
            (f"cardroom_{TARGET}",),
        )
    await wire.count(("a", 2))
    await wire.arrived_as({"a": [1, 2]})
    assert max(Counter(await wire.causes()).values()) == 1


async def test_a_crashed_follower_is_started_again_with_an_alarm(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cardroom.adapters.bus.metrics import ALARMS

    who = f"{TARGET} reads {SOURCE}"
    before = ALARMS.labels(who, "follower_restarted")._value.get()
    failures = iter([OSError("the log cannot be read"), OSError("still not")])
    read = wire.publication.log.read

    async def sometimes(after: int, limit: int) -> object:
        failure = next(failures, None)
        if failure is not None:
            raise failure
        return await read(after, limit)

    monkeypatch.setattr(wire.publication.log, "read", sometimes)
    wire.consume(wire.inbox())
    await wire.count(("a", 1))
    await wire.arrived_as({"a": [1]})
    assert ALARMS.labels(who, "follower_restarted")._value.get() == before + 2


async def test_stopping_is_prompt_while_a_message_is_in_hand(wire: Wire) -> None:
    begun = asyncio.Event()

    class Slow:
        async def submit_all(self, commands: object, request: object, tracking: object) -> None:
            begun.set()
            await asyncio.sleep(60)

    wire.consume(wire.inbox(app=Slow()))
    await wire.count(("a", 1))
    await begun.wait()
    async with asyncio.timeout(10):
        await wire.stop()
    wire.consume(wire.inbox())
    await until(lambda: _arrived(wire, {"a": [1]}))


async def _arrived(wire: Wire, wanted: dict[str, list[int]]) -> bool:
    return await wire.arrived() == wanted
