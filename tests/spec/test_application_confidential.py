"""Confidential fields: ciphertext in the store, plain to who holds the key, None once it is erased."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest

from cardroom.adapters.application import Application
from cardroom.adapters.errors import IntegrityBroken
from cardroom.adapters.seals import AnchorFile, Sealer, read_public_key
from cardroom.adapters.store.codec import Codec
from cardroom.adapters.store.memory import MemoryStore, MemoryTables
from cardroom.adapters.store.vault import Vault
from cardroom.adapters.verify import verify_store
from cardroom.kernel.clock import ManualClock
from tests.plugins.counting import (
    DECIDER,
    EVENING,
    EVENTS,
    NOTE_ROOM,
    Label,
    Labelled,
    asked,
    eventually,
    rack,
)

MASTER = bytes(range(32))


@pytest.fixture
def tables() -> MemoryTables:
    return MemoryTables()


def application(tables: MemoryTables, master: bytes = MASTER, name: str = "one") -> Application:
    store = MemoryStore(tables, name)
    return Application(DECIDER, store, ManualClock(EVENING), vault=Vault(store, master))


@pytest.fixture
async def app(tables: MemoryTables) -> AsyncIterator[Application]:
    async with application(tables) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        for number, name in enumerate(("Ada", "Bob", "Eve")):
            player_id = f"p{number % 2 + 1}"
            await app.submit(Label(player_id=player_id, name=name), asked(f"label {number}"))
        yield app


async def test_names_are_read_by_who_holds_the_key_and_lie_nowhere_in_the_clear(
    app: Application, tables: MemoryTables
) -> None:
    assert (await app.state(rack("a")))[0].names == ("Ada", "Bob", "Eve")
    async with application(tables, name="two") as other:
        assert (await other.state(rack("a")))[0].names == ("Ada", "Bob", "Eve")
    stored = msgspec.msgpack.encode([event.state for event in tables.log])
    stored += msgspec.msgpack.encode([(r.digest, r.outcome) for r in tables.requests.values()])
    for name in (b"Ada", b"Bob", b"Eve"):
        assert name not in stored
    assert len(tables.keys) == 2


async def test_equal_names_do_not_look_alike(app: Application, tables: MemoryTables) -> None:
    await app.submit(Label(player_id="p1", name="Ada"), asked("again"))
    first, second = tables.log[1].state[-60:], tables.log[4].state[-60:]
    assert first != second


async def test_erasure_leaves_none_and_a_log_that_verifies(
    app: Application, tables: MemoryTables, tmp_path
) -> None:
    sealer = Sealer("counting", app.store, app.clock, bytes(32), AnchorFile(tmp_path, "counting"))
    await sealer.start()
    await sealer.stop()

    assert await app.erase("p1") == 1
    assert await app.erase("p1") == 0
    assert (await app.state(rack("a")))[0].names == (None, "Bob", None)
    history = await app.history("rack/r1/a")
    assert history[0].event == Labelled(player_id="p1", name=None)

    report = await verify_store(
        "counting", app.store, sealer._anchor.read(), read_public_key(tmp_path), DECIDER
    )
    assert report.intact

    # What is noted about the person later lies under a new key.
    await app.submit(Label(player_id="p1", name="Zoe"), asked("later"))
    async with application(tables, name="two") as other:
        assert (await other.state(rack("a")))[0].names == (None, "Bob", None, "Zoe")


async def test_erasure_reaches_other_processes(app: Application, tables: MemoryTables) -> None:
    async with application(tables, name="two") as other:
        assert (await other.state(rack("a")))[0].names == ("Ada", "Bob", "Eve")
        await app.erase("p1")

        async def gone() -> bool:
            return (await other.state(rack("a")))[0].names == (None, "Bob", None)

        await eventually(gone)


async def test_a_state_that_was_being_read_while_keys_were_erased_is_read_again(
    tables: MemoryTables,
) -> None:
    class Slow(MemoryStore):
        reading = asyncio.Event()
        go_on = asyncio.Event()

        async def load(self, after):  # type: ignore[no-untyped-def]
            loaded = await super().load(after)
            self.reading.set()
            await self.go_on.wait()
            return loaded

    async with application(tables) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        await app.submit(Label(player_id="p1", name="Ada"), asked("label"))
        store = Slow(tables, "slow")
        async with Application(
            DECIDER, store, ManualClock(EVENING), vault=Vault(store, MASTER)
        ) as slow:
            await slow.vault.key_for("p1")
            read = asyncio.create_task(slow.state(rack("a")))
            await store.reading.wait()
            await app.erase("p1")
            await eventually(lambda: slow.vault.opened == {})
            store.go_on.set()
            assert (await read)[0].names == (None,)


async def test_a_process_without_the_vault_reads_none(
    app: Application, tables: MemoryTables
) -> None:
    async with Application(DECIDER, MemoryStore(tables, "x"), ManualClock(EVENING)) as blind:
        assert (await blind.state(rack("a")))[0].names == (None, None, None)
        with pytest.raises(ValueError, match="confidential"):
            await blind.submit(Label(player_id="p1", name="Zoe"), asked("later"))


async def test_another_master_key_opens_nothing(app: Application, tables: MemoryTables) -> None:
    async with application(tables, bytes(32), "two") as other:
        with pytest.raises(IntegrityBroken, match="master key"):
            await other.state(rack("a"))


async def test_a_ciphertext_put_elsewhere_does_not_open(
    app: Application, tables: MemoryTables
) -> None:
    assert app.vault is not None
    held = app.vault.held("p1")
    codec = Codec(EVENTS)
    event = Labelled(player_id="p1", name="Ada")
    data = codec.encode_event("rack/r1/other", event, held)
    envelope = msgspec.structs.replace(
        codec.decode(tables.log[1]).envelope, event=msgspec.Raw(data)
    )
    stored = codec.store("rack/r1/a", 2, event, envelope)  # bound to another stream
    with pytest.raises(IntegrityBroken, match="does not fit its key"):
        codec.decode(stored, app.vault.opened)


def test_an_absent_value_stays_absent() -> None:
    codec = Codec(EVENTS)
    data = codec.encode_event("s", Labelled(player_id="p1", name=None), (bytes(16), bytes(32)))
    assert EVENTS.decode("counting.Labelled.v1", data) == Labelled(player_id="p1", name=None)


def test_a_master_key_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="takes 32"):
        Vault(MemoryStore(), b"short")
