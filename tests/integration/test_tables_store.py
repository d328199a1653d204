"""Tables on the real PostgreSQL: two streams in one commit, a restart, unshown cards as ciphertext, the day's close."""

import asyncio
from datetime import timedelta
from typing import Any

import msgspec
import psycopg
import pytest

from cardroom import known
from cardroom.adapters.application import Application, Request
from cardroom.adapters.installation import Database
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.adapters.store.vault import Vault
from cardroom.kernel.clock import ManualClock
from cardroom.kernel.refusal import Refused
from cardroom.known import Room
from cardroom.rulebook.loader import load_book
from cardroom.rulebook.resolve import resolve
from cardroom.tables import commands as c
from cardroom.tables import hand_commands as do
from cardroom.tables.core import DECIDER
from cardroom.tables.hand import Hand
from cardroom.tables.hand_events import Phase
from cardroom.tables.table import Table, hand_id, table_id, unexplained_cents
from tests.plugins.tables_world import WP_10_20
from tests.plugins.world import EVENING, ROOM

pytestmark = pytest.mark.postgres


def application(database: Database, clock: ManualClock | None = None) -> Application:
    store = PostgresStore(database.service("tables"), "tables", eraser_dsn=database.eraser)
    vault = Vault(store, b"k" * 32)
    return Application(DECIDER, store, clock or ManualClock(EVENING), vault=vault)


class Caller:
    """Sends commands under ids of its own."""

    def __init__(self, app: Application, name: str) -> None:
        self.app = app
        self.name = name
        self.count = 0

    async def do(self, command: Any) -> Any:
        self.count += 1
        return await self.app.submit(
            command,
            Request(
                request_id=f"{self.name}-{self.count}", actor="dora", roles=frozenset({"floor"})
            ),
        )

    async def learn(self) -> None:
        book = resolve(load_book("WP"), game=WP_10_20)
        room = Room(
            room=ROOM,
            name="The Room",
            group="g1",
            time_zone="America/Los_Angeles",
            cut_over_minutes=360,
            book_digest=book.digest,
        )
        game = msgspec.structs.replace(WP_10_20, book_digest=book.digest)
        facts = (
            known.BookNoted(digest=book.digest, content=book.content()),
            known.RoomNoted(room=room),
            known.GameNoted(room=ROOM, game=game),
        )
        await self.do(known.NoteHouse(room=ROOM, facts=facts))

    async def open(self, table: str) -> None:
        where: dict[str, Any] = {"room": ROOM, "table": table}
        await self.do(c.OpenTable(**where, game_id=WP_10_20.game_id, capture="every_action"))
        for seat in (2, 5, 8):
            await self.do(c.SitPlayer(**where, seat=seat, player=f"p{seat}", stack_cents=30000))
        cards = ((2, "Kd"), (5, "Kh"), (8, "3c"))
        await self.do(c.DrawButton(**where, cards=cards))

    async def play(self, table: str) -> str:
        where: dict[str, Any] = {"room": ROOM, "table": table}
        await self.do(c.StartHand(**where))
        stem = hand_id(ROOM, table, (await self.table(table)).last_hand)
        where["hand"] = stem
        hand = await self.hand(stem)
        first = hand.to_act
        await self.do(do.NoteHoleCards(**where, hands=((first, ("As", "Ah")),)))
        while not (hand := await self.hand(stem)).over:
            await self.do(do.Fold(**where, seat=hand.to_act))
        return stem

    async def table(self, name: str) -> Table:
        state, _ = await self.app.state(table_id(ROOM, name))
        return state  # type: ignore[no-any-return]

    async def hand(self, stem: str) -> Hand:
        state, _ = await self.app.state(stem)
        return state  # type: ignore[no-any-return]


async def test_hands_at_many_tables_survive_a_restart(fresh_database: Database) -> None:
    names = [f"t{number}" for number in range(1, 5)]
    async with application(fresh_database) as app:
        caller = Caller(app, "house")
        await caller.learn()
        callers = [Caller(app, name) for name in names]
        await asyncio.gather(*(one.open(name) for one, name in zip(callers, names, strict=True)))
        stems = await asyncio.gather(
            *(one.play(name) for one, name in zip(callers, names, strict=True))
        )
        before = [await caller.table(name) for name in names]
    async with application(fresh_database) as again:
        caller = Caller(again, "again")
        for name, stem, stood in zip(names, stems, before, strict=True):
            table = await caller.table(name)
            assert replaced(table) == replaced(stood)
            assert unexplained_cents(table) == 0
            assert sum(seat.stack_cents or 0 for seat in table.seats.values()) == 90000
            hand = await caller.hand(stem)
            assert hand.phase is Phase.SETTLED
            assert sum(result.after_cents or 0 for result in hand.results) == 90000
        await caller.play("t1")


def replaced(table: Table) -> Any:
    """A table without what only the running process keeps."""
    return msgspec.structs.replace(table, hand=None)


async def test_unshown_cards_lie_in_the_store_as_ciphertext(fresh_database: Database) -> None:
    async with application(fresh_database) as app:
        caller = Caller(app, "one")
        await caller.learn()
        await caller.open("t1")
        stem = await caller.play("t1")
        entries = await app.history(stem)
        noted = next(one for one in entries if one.topic == "tables.HoleCardsNoted.v1")
        assert noted.event.cards == (("As", "Ah"),)  # type: ignore[attr-defined]
    with psycopg.connect(fresh_database.admin_dsn) as connection:
        connection.execute("SET search_path TO tables")
        names = connection.execute(
            "SELECT table_name FROM information_schema.columns "
            "WHERE table_schema = 'tables' AND column_name = 'state'"
        ).fetchall()
        stored = b"".join(
            bytes(row[0])
            for (name,) in names
            for row in connection.execute(f'SELECT state FROM tables."{name}"').fetchall()
        )
    assert b"every_action" in stored  # what is not confidential is there to read
    assert b"\xa2As\xa2Ah" not in stored


async def test_the_day_closes_and_the_table_goes_on(fresh_database: Database) -> None:
    clock = ManualClock(EVENING)
    async with application(fresh_database, clock) as app:
        caller = Caller(app, "one")
        await caller.learn()
        await caller.open("t1")
        await caller.play("t1")
        before = await caller.table("t1")
        clock.advance_to(EVENING + timedelta(hours=24))
        where: dict[str, Any] = {"room": ROOM, "table": "t1"}
        outcome = await caller.do(c.CloseDay(**where, gaming_day="2026-03-07"))
        assert [one.topic for one in outcome.events] == [
            "tables.TableDayClosed.v1",
            "tables.TableCarriedForward.v1",
        ]
        assert outcome.events[0].stream != outcome.events[1].stream
        after = await caller.table("t1")
        assert after.seats == before.seats
        assert after.rotation == before.rotation
        stem = await caller.play("t1")
        assert stem.endswith("000002")


async def test_a_refused_command_leaves_nothing(fresh_database: Database) -> None:
    async with application(fresh_database) as app:
        caller = Caller(app, "one")
        await caller.learn()
        await caller.open("t1")
        last = len(await app.log(0, 1000))
        with pytest.raises(Refused):
            await caller.do(c.SitPlayer(room=ROOM, table="t1", seat=2, player="x"))
        assert len(await app.log(0, 1000)) == last
