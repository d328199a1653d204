"""Both stores give the same verdicts and keep the same: random batches, with strangers between them."""

import asyncio
import itertools
from collections.abc import Sequence
from random import Random

import pytest

from cardroom.adapters.installation import Database
from cardroom.adapters.store.judge import absent
from cardroom.adapters.store.memory import MemoryStore
from cardroom.adapters.store.port import Accepted, Head, Position, Proposal, Store, StoredEvent
from cardroom.adapters.store.postgres import PostgresStore
from tests.plugins.counting import EVENING

pytestmark = pytest.mark.postgres


class Proposer:
    """Makes proposals as two processes would that know of each other only sometimes."""

    def __init__(self, run: int, rng: Random) -> None:
        self.run = run
        self.rng = rng
        self.known: dict[str, Head] = {}
        self.days: dict[str, str] = {}
        self.number = itertools.count()

    def stream(self, name: str) -> str:
        return f"rack/{self.run}/{name}"

    def batch(self) -> list[Proposal]:
        return [self.proposal() for _ in range(self.rng.randrange(1, 6))]

    def proposal(self) -> Proposal:
        rng, number = self.rng, next(self.number)
        expected, events = [], []
        for name in rng.sample("abc", rng.randrange(3)):
            stream = self.stream(name)
            head = self.known.get(stream, absent(stream))
            expected.append(head)
            for version in range(head.version + 1, head.version + 1 + rng.randrange(3)):
                events.append(self.event(stream, version, number))
        unborn = []
        if rng.randrange(3) == 0:
            stem = self.stream(rng.choice("xy"))
            if stem in self.days:
                stream = self.days[stem]
                head = self.known[stream]
                expected.append(head)
            else:
                unborn.append(stem)
                stream, head = f"{stem}/2026-03-0{rng.randrange(1, 4)}", absent(stem)
            events.append(self.event(stream, head.version + 1, number))
            if unborn and rng.randrange(2):
                self.days[stem] = stream
        refusal = not events and rng.randrange(2) == 0
        for event in events:
            self.known[event.stream] = Head(event.stream, event.version, event.state[:32])
        position = Position(f"s{self.run}", rng.randrange(2), rng.randrange(1, 9))
        return Proposal(
            keys=tuple(rng.sample("klm", rng.randrange(1, 3))),
            request_id=f"{self.run} {rng.randrange(60)}",
            digest=bytes([number % 256]),
            outcome=bytes([number % 256, 1]),
            expected=tuple(expected),
            unborn=tuple(unborn),
            events=tuple(events),
            due=((self.stream("a"), EVENING if rng.randrange(2) else None),) if events else (),
            tracking=position if rng.randrange(4) == 0 else None,
            refusal=refusal,
        )

    @staticmethod
    def event(stream: str, version: int, number: int) -> StoredEvent:
        return StoredEvent(stream, version, "t", f"{stream} {version} {number}".encode().ljust(40))

    def learn(
        self, batch: Sequence[Proposal], heads: dict[str, Head], days: dict[str, str]
    ) -> None:
        """See the store as it is, as after a reload."""
        self.known = dict(heads)
        self.days = dict(days)


async def both(database: Database) -> tuple[MemoryStore, PostgresStore]:
    postgres = PostgresStore(database.service("counting"), "counting")
    await postgres.open()
    return MemoryStore(), postgres


async def contents(store: Store, proposer: Proposer) -> object:
    stems = [proposer.stream(name) for name in "xy"]
    days = await store.current_days(stems)
    streams = [proposer.stream(name) for name in "abc"]
    streams += [f"{stem}/2026-03-0{day}" for stem in stems for day in (1, 2, 3)]
    events = await store.load(dict.fromkeys(streams, 0))
    requests = await store.requests([f"{proposer.run} {n}" for n in range(60)])
    positions = [await store.position(f"s{proposer.run}", partition) for partition in (0, 1)]
    due = {entry.stem: entry.at for entry in await store.due_times()}
    plain = {
        stream: [(event.version, event.topic, event.state) for event in found]
        for stream, found in events.items()
    }
    return days, plain, requests, positions, due.get(proposer.stream("a"))


async def test_both_stores_judge_and_keep_alike(database: Database) -> None:
    memory, postgres = await both(database)
    accepted = other = 0
    for run in range(60):
        proposers = [Proposer(run, Random(run)), Proposer(run, Random(run + 1000))]
        rng = Random(run + 5000)
        for _ in range(12):
            proposer = rng.choice(proposers)
            batch = proposer.batch()
            one, two = await asyncio.gather(memory.commit(batch), postgres.commit(batch))
            for left, right in zip(one, two, strict=True):
                if isinstance(left, Accepted):
                    assert isinstance(right, Accepted)
                    assert len(left.notification_ids) == len(right.notification_ids)
                    accepted += 1
                else:
                    assert left == right
                    other += 1
            if rng.randrange(2):
                heads = await memory.heads(list(memory.tables.streams))
                stems = [proposer.stream(name) for name in "xy"]
                proposer.learn(batch, heads, await memory.current_days(stems))
        assert await contents(memory, proposers[0]) == await contents(postgres, proposers[0])
    await postgres.close()
    assert accepted > 200
    assert other > 200


async def test_notification_ids_name_the_events_they_are_given_for(database: Database) -> None:
    _, postgres = await both(database)
    events = [
        tuple(StoredEvent(f"ids/{n}", v, "t", f"{n}{v}".encode().ljust(32)) for v in range(1, n))
        for n in range(1, 5)
    ]
    batch = [
        Proposal((f"k{n}",), f"ids {n}", b"", b"", (absent(f"ids/{n + 1}"),), (), events[n])
        for n in range(4)
    ]
    verdicts = await postgres.commit(batch)
    for proposal, verdict in zip(batch, verdicts, strict=True):
        assert isinstance(verdict, Accepted)
        for event, number in zip(proposal.events, verdict.notification_ids, strict=True):
            (stored,) = await postgres.log(number - 1, 1)
            assert (stored.stream, stored.version, stored.state) == (
                event.stream,
                event.version,
                event.state,
            )
    await postgres.close()
