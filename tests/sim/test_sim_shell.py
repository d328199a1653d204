"""The command loop under crashes, lost connections and several processes: nothing lost, twice or forked."""

import asyncio
from collections import defaultdict
from datetime import timedelta
from functools import cache
from random import Random

from cardroom.adapters.application import Outcome, Position
from cardroom.adapters.store.codec import Codec, verify_chain
from cardroom.kernel.envelope import NO_HASH
from cardroom.kernel.refusal import Refused
from tests.plugins.counting import (
    DECIDER,
    EVENING,
    EVENTS,
    NOTE_ROOM,
    Add,
    CloseDay,
    Counted,
    DrawerCarried,
    Move,
    Remind,
    Reminded,
    asked,
)
from tests.sim.harness import World, run_virtually

CLIENTS = 6
COMMANDS = 25
MESSAGES = 20
RACKS = ("a", "b", "c")


class Evening:
    """What the clients did and were answered."""

    def __init__(self, seed: int) -> None:
        self.world = World(DECIDER, seed)
        self.answered: dict[str, Outcome] = {}
        self.refused: set[str] = set()
        self.days = 6
        self.reminders: set[tuple[str, object]] = set()

    async def run(self) -> "Evening":
        world = self.world
        await world.start()
        await world.insist(lambda app: app.submit(NOTE_ROOM, asked("room")))
        await asyncio.gather(
            *(self.client(number, Random(world.rng.random())) for number in range(CLIENTS)),
            self.inbox("left"),
            self.inbox("right"),
            self.time(),
            self.trouble(),
        )
        await world.stop()
        return self

    async def client(self, number: int, rng: Random) -> None:
        for step in range(COMMANDS):
            command = self.choose(rng, number, step)
            request_id = f"{number} {step}"
            try:
                outcome = await self.world.insist(
                    lambda app: app.submit(command, asked(request_id))  # noqa: B023
                )
            except Refused:
                self.refused.add(request_id)
            else:
                self.answered[request_id] = outcome

    def choose(self, rng: Random, number: int, step: int) -> object:
        match rng.randrange(10):
            case 0 | 1 | 2:
                source, target = rng.sample(RACKS, 2)
                return Move(source=source, target=target, chips=rng.randrange(1, 9))
            case 3:
                self.days += 1
                return CloseDay(
                    drawer="d", gaming_day=f"2026-{3 + self.days // 28:02}-{1 + self.days % 28:02}"
                )
            case 4:
                return Add(rack="d", kind="drawer", chips=rng.randrange(1, 5))
            case 5:
                at = self.world.clock.now() + timedelta(seconds=rng.randrange(60))
                self.reminders.add((f"t{number}", at))
                return Remind(rack=f"t{number}", at=at)
            case _:
                return Add(rack=rng.choice(RACKS), chips=rng.randrange(-4, 8))

    async def inbox(self, name: str) -> None:
        for message in range(1, MESSAGES + 1):
            await self.handle(name, message)

    async def handle(self, name: str, message: int) -> None:
        commands = (Add(rack="i"), Add(rack="j"))
        position = Position("house", 0, message)
        await self.world.insist(
            lambda app: app.submit_all(commands, asked(f"{name} {message}"), position)
        )

    async def time(self) -> None:
        for _ in range(40):
            await asyncio.sleep(0.1)
            self.world.let_time_pass(3)

    async def trouble(self) -> None:
        for _ in range(4):
            await asyncio.sleep(self.world.rng.random() * 0.5)
            await self.world.rng.choice(self.world.processes).crash()


@cache
def evening(seed: int) -> Evening:
    return run_virtually(Evening(seed).run)


def test_every_answer_is_in_the_log_once_and_only_what_was_accepted(seed: int) -> None:
    played = evening(seed)
    tables, codec = played.world.tables, Codec(EVENTS)
    log = [codec.decode(stored) for stored in tables.log]
    by_request = defaultdict(list)
    for recorded in log:
        by_request[recorded.envelope.request_id].append(recorded)

    assert len(played.answered) + len(played.refused) == CLIENTS * COMMANDS
    for request_id, outcome in played.answered.items():
        assert tuple(by_request[request_id]) == outcome.events
    assert played.refused.isdisjoint(by_request)
    assert played.refused.isdisjoint(tables.requests)
    expected = {
        *played.answered,
        "room",
        *(f"{inbox} {n}" for inbox in ("left", "right") for n in range(1, MESSAGES + 1)),
    }
    assert {name for name in by_request if not name.startswith("timer")} <= expected
    assert [event.notification_id for event in log] == list(range(1, len(log) + 1))


def test_streams_are_unbroken_chains_and_no_rack_ever_fell_below_zero(seed: int) -> None:
    tables, codec = evening(seed).world.tables, Codec(EVENTS)
    chips: dict[str, int] = defaultdict(int)
    heads: dict[str, bytes] = {}
    carried = 0
    for stream in sorted(tables.streams):
        events = [codec.decode(stored) for stored in tables.streams[stream]]
        stem = stream.rsplit("/", 1)[0] if stream.startswith("drawer") else stream
        first = events[0]
        goes_on = isinstance(first.event, DrawerCarried) and stem in heads
        verify_chain(stream, events, 0, heads[stem] if goes_on else NO_HASH)
        heads[stem] = events[-1].own_hash
        for recorded in events:
            match recorded.event:
                case Counted(chips=more):
                    chips[stem] += more
                    assert chips[stem] >= 0
                case DrawerCarried(chips=found):
                    carried += 1
                    assert found == chips[stem]
                case _:
                    pass
    # Messages count once although two inboxes, several processes and many retries handled them.
    assert chips["rack/r1/i"] == chips["rack/r1/j"] == MESSAGES
    assert tables.positions == {"house/0": MESSAGES}


def test_what_a_client_did_stands_in_the_log_in_the_clients_order(seed: int) -> None:
    played = evening(seed)
    codec = Codec(EVENTS)
    steps: dict[str, list[int]] = defaultdict(list)
    for stored in played.world.tables.log:
        client, _, step = codec.decode(stored).envelope.request_id.partition(" ")
        if client.isdigit():
            steps[client].append(int(step))
    for client, found in steps.items():
        assert found == sorted(found), client


def test_a_deadline_fires_at_most_once_on_its_own_time(seed: int) -> None:
    played = evening(seed)
    codec = Codec(EVENTS)
    fired = [
        (recorded.stream.rsplit("/", 1)[1], recorded.event.at)
        for recorded in map(codec.decode, played.world.tables.log)
        if isinstance(recorded.event, Reminded)
    ]
    assert set(fired) <= played.reminders
    assert len(fired) == len(set(fired))
    assert all(at >= EVENING for _, at in fired)


def test_one_seed_is_one_run(seed: int) -> None:
    again = run_virtually(Evening(seed).run)
    assert again.world.tables.log == evening(seed).world.tables.log


def test_the_faults_do_happen() -> None:
    crashes = sum(
        process.crashes for seed in range(1, 6) for process in evening(seed).world.processes
    )
    assert crashes > 20
