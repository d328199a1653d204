"""What an inbox may rely on, the same on both buses: once in effect, in the order of each key."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from cardroom.adapters.bus.envelope import Received
from cardroom.adapters.installation import Database
from cardroom.kernel.decisions import Command
from cardroom.kernel.refusal import Refused
from tests.plugins.counting import Add
from tests.plugins.wire import SOURCE, TARGET, Place, Wire, count_again, died, process, until

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(90)]

NUMBERS = iter(range(1_000_000))


@pytest.fixture(params=["embedded", pytest.param("kafka", marks=pytest.mark.kafka)])
def place(request: pytest.FixtureRequest, fresh_database: Database) -> Iterator[Place]:
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


async def test_every_message_takes_effect_once_and_in_the_order_of_its_key(wire: Wire) -> None:
    wire.publish()
    wire.consume(wire.inbox())
    sent = await wire.count(*((name, n) for n in range(1, 31) for name in ("a", "b", "c")))
    await wire.arrived_as({name: list(range(1, 31)) for name in "abc"})
    causes = Counter(await wire.causes())
    assert causes == {f"{SOURCE}:{recorded.notification_id}": 1 for recorded in sent}


async def test_what_was_said_before_the_first_start_is_heard(wire: Wire) -> None:
    await wire.count(("a", 1), ("a", 2))
    wire.publish()
    wire.consume(wire.inbox())
    await wire.arrived_as({"a": [1, 2]})


async def test_a_restart_reads_on_without_doing_anything_twice(wire: Wire) -> None:
    wire.publish()
    for round_ in range(3):
        wire.consume(wire.inbox())
        await wire.count(("a", round_ + 1), ("quiet", 7), prefix=f"r{round_}-")
        await wire.arrived_as({"a": list(range(1, round_ + 2))})
        await wire.stop()
        wire.publish()


async def test_messages_without_effect_move_the_position_all_the_same(wire: Wire) -> None:
    wire.publish()
    wire.consume(wire.inbox())
    last = (await wire.count(("quiet", 1), ("quiet", 2)))[-1]

    async def settled() -> bool:
        return last.notification_id in (await wire.target_ledger.positions(SOURCE)).values()

    await until(settled)
    assert await wire.arrived() == {}


class Touchy:
    """Fails on some chips until it is mended."""

    def __init__(self, *bad: int) -> None:
        self.bad = set(bad)
        self.calls: Counter[int] = Counter()

    def __call__(self, message: Received) -> tuple[Command, ...]:
        for command in count_again(message):
            assert isinstance(command, Add)
            self.calls[command.chips] += 1
            if command.chips in self.bad:
                raise ValueError(f"{command.chips} chips cannot be counted")
        return count_again(message)


async def parked(wire: Wire) -> list[tuple[str, int, bool]]:
    letters = await wire.target_ledger.parked(TARGET, 100)
    return [(letter.key, letter.notification_id, letter.failed) for letter in letters]


async def test_a_poison_message_stops_its_key_and_no_other(wire: Wire) -> None:
    policy = Touchy(13)
    inbox = wire.inbox(policy)
    wire.publish()
    wire.consume(inbox)
    bad, behind = await wire.count(("a", 13), ("a", 1))
    await wire.count(("b", 2), ("c", 3))
    await wire.arrived_as({"b": [2], "c": [3]})
    await until(lambda: _has(wire, 2))
    assert await parked(wire) == [
        ("r1/a", bad.notification_id, True),
        ("r1/a", behind.notification_id, False),
    ]
    assert policy.calls[13] == 3  # tried three times, then parked

    policy.bad.clear()
    released = await inbox.release(SOURCE, "r1/a", actor="floor-1", reason="the count was mended")
    assert (released.handled, released.failure) == (2, "")
    await wire.arrived_as({"a": [13, 1], "b": [2], "c": [3]})
    await wire.count(("a", 4))
    await wire.arrived_as({"a": [13, 1, 4], "b": [2], "c": [3]})
    assert max(Counter(await wire.causes()).values()) == 1


async def _has(wire: Wire, count: int) -> bool:
    return len(await parked(wire)) == count


async def test_what_came_of_a_parked_message_stays_on_record(wire: Wire) -> None:
    policy = Touchy(13, 14)
    inbox = wire.inbox(policy)
    wire.publish()
    wire.consume(inbox)
    bad, also_bad, _ = await wire.count(("a", 13), ("a", 14), ("a", 1))
    await until(lambda: _has(wire, 3))

    failed = await inbox.release(SOURCE, "r1/a", actor="floor-1", reason="try it")
    assert failed.handled == 0
    assert "13 chips cannot be counted" in failed.failure
    with pytest.raises(Refused, match="first parked message") as wrong:
        await inbox.skip(SOURCE, "r1/a", also_bad.notification_id, actor="floor-1", reason="bad")
    assert wrong.value.rules == ("CR-1",)
    with pytest.raises(Refused, match="reason is empty"):
        await inbox.skip(SOURCE, "r1/a", bad.notification_id, actor="floor-1", reason=" ")
    await inbox.skip(SOURCE, "r1/a", bad.notification_id, actor="floor-1", reason="counted by hand")
    policy.bad.clear()
    await inbox.release(SOURCE, "r1/a", actor="floor-2", reason="mended")
    await wire.arrived_as({"a": [14, 1]})
    with pytest.raises(Refused, match="no parked message"):
        await inbox.release(SOURCE, "r1/a", actor="floor-2", reason="again")

    async with wire.target_pool.connection() as connection:
        cursor = await connection.execute(
            "SELECT resolution, actor, reason FROM dead_letter_resolutions ORDER BY dead_letter_id"
        )
        assert await cursor.fetchall() == [
            ("skipped", "floor-1", "counted by hand"),
            ("released", "floor-2", "mended"),
            ("released", "floor-2", "mended"),
        ]
        cursor = await connection.execute("SELECT actor, reason FROM dead_letter_failures")
        assert await cursor.fetchall() == [("floor-1", "ValueError: 13 chips cannot be counted")]


async def test_a_stopped_key_is_still_stopped_after_a_restart(wire: Wire) -> None:
    policy = Touchy(13)
    wire.publish()
    wire.consume(wire.inbox(policy))
    await wire.count(("a", 13))
    await until(lambda: _has(wire, 1))
    await wire.stop()
    wire.publish()
    inbox = wire.inbox(count_again)
    wire.consume(inbox)
    await wire.count(("a", 1), ("b", 2))
    await wire.arrived_as({"b": [2]})
    await until(lambda: _has(wire, 2))
    await inbox.release(SOURCE, "r1/a", actor="floor-1", reason="a new release counts it")
    await wire.arrived_as({"b": [2], "a": [13, 1]})


async def test_a_refused_command_parks_its_message_with_the_rule_and_is_not_tried_again(
    wire: Wire,
) -> None:
    calls: list[int] = []

    def too_many(message: Received) -> tuple[Command, ...]:
        calls.append(message.notification_id)
        return (Add(rack="a", chips=2_000_000),)

    wire.publish()
    wire.consume(wire.inbox(too_many))
    await wire.count(("a", 1))
    await until(lambda: _has(wire, 1))
    (letter,) = await wire.target_ledger.parked(TARGET, 10)
    assert letter.reason.startswith("RACK_RANGE (CR-8)")
    assert len(calls) == 1


async def test_a_slow_handler_holds_up_its_own_partition_only(wire: Wire) -> None:
    free = asyncio.Event()

    class Slow:
        async def submit_all(self, commands: Any, request: Any, tracking: Any = None) -> Any:
            if commands[0].rack == "late":
                await free.wait()
            return await wire.target.submit_all(commands, request, tracking)

    wire.publish()
    wire.consume(wire.inbox(app=Slow()))
    await wire.count(("late", 1), ("a", 2), ("b", 3), ("a", 4))
    await wire.arrived_as({"a": [2, 4], "b": [3]})
    free.set()
    await wire.arrived_as({"late": [1], "a": [2, 4], "b": [3]})


@pytest.mark.parametrize("when", ["before-commit", "after-commit"])
async def test_a_consumer_killed_around_its_commit_does_the_work_once(
    wire: Wire, when: str
) -> None:
    wire.publish()
    await wire.count(*((name, n) for n in range(1, 11) for name in ("a", "b")))
    for effect in (1, 3):
        with process("consumer", wire.place, when, effect) as child:
            await died(child)
    with process("consumer", wire.place):
        await wire.arrived_as({name: list(range(1, 11)) for name in "ab"})
    assert max(Counter(await wire.causes()).values()) == 1
