"""Seals and verification on the real database: tampering by somebody with all rights is found and located."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardroom.adapters.application import Application
from cardroom.adapters.errors import IntegrityBroken
from cardroom.adapters.installation import Database
from cardroom.adapters.seals import AnchorFile, Sealer, read_public_key
from cardroom.adapters.store.port import Seal
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.adapters.verify import Report, verify_store
from cardroom.kernel.clock import ManualClock
from cardroom.kernel.envelope import own_hash
from tests.plugins.counting import DECIDER, EVENING, NOTE_ROOM, Add, CloseDay, asked

pytestmark = pytest.mark.postgres
KEY = bytes(range(32))


def query(database: Database, statement: str, *parameters: object) -> list[tuple]:
    with psycopg.connect(database.admin_dsn, options="-c search_path=counting") as connection:
        cursor = connection.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


async def verify(database: Database, anchors: Path) -> Report:
    store = PostgresStore(database.audit, "counting")
    await store.open()
    try:
        return await verify_store(
            "counting",
            store,
            AnchorFile(anchors, "counting").read(),
            read_public_key(anchors),
            DECIDER,
        )
    finally:
        await store.close()


@pytest.fixture
async def sealed(database: Database, tmp_path: Path) -> Path:
    """A log of 26 events in three seals, with a day carried forward; returns the anchors' folder."""
    tables = "events, requests, positions, due, liveness, keys, seals"
    query(database, f"TRUNCATE {tables} RESTART IDENTITY")
    store = PostgresStore(database.service("counting"), "counting")
    clock = ManualClock(EVENING)
    sealer = Sealer("counting", store, clock, KEY, AnchorFile(tmp_path, "counting"))
    async with Application(DECIDER, store, clock) as app:
        await sealer.start()
        await app.submit(NOTE_ROOM, asked("room"))
        for round_ in range(3):
            for n in range(7):
                await app.submit(Add(rack=f"t{n % 3}"), asked(f"{round_} {n}"))
            await app.submit(Add(rack="d", kind="drawer"), asked(f"d{round_}"))
            if round_ == 1:
                await app.submit(CloseDay(drawer="d", gaming_day="2026-03-07"), asked("close"))
            await sealer.seal()
        await sealer.stop()
    return tmp_path


async def test_an_untouched_log_is_intact(database: Database, sealed: Path) -> None:
    report = await verify(database, sealed)
    assert report.findings == ()
    assert (report.events, report.seals, report.anchored) == (27, 3, 3)
    assert (report.sealed_upto, report.unsealed_events, report.unsealed_since) == (27, 0, None)


async def test_the_unsealed_tail_is_told(database: Database, sealed: Path) -> None:
    store = PostgresStore(database.service("counting"), "counting")
    async with Application(DECIDER, store, ManualClock(EVENING)) as app:
        await app.submit(Add(), asked("tail 1"))
        await app.submit(Add(), asked("tail 2"))
    report = await verify(database, sealed)
    assert report.intact
    assert (report.unsealed_events, report.unsealed_since) == (2, EVENING)


async def test_names_that_look_like_days_are_names(database: Database, sealed: Path) -> None:
    store = PostgresStore(database.service("counting"), "counting")
    async with Application(DECIDER, store, ManualClock(EVENING)) as app:
        await app.submit(Add(rack="2026-03-06"), asked("one"))
        await app.submit(Add(rack="2026-03-07"), asked("two"))
    assert (await verify(database, sealed)).findings == ()


async def test_an_event_put_in_before_any_seal_is_not_sealed(
    database: Database, sealed: Path
) -> None:
    query(database, "TRUNCATE seals")
    (sealed / "counting.anchor").unlink()
    query(database, "UPDATE events SET notification_id = -5 WHERE notification_id = 1")
    report = await verify(database, sealed)
    assert (report.seals, report.unsealed_events) == (0, 27)


def forge(database: Database, number: int) -> None:
    """Change an event's bytes and give it a right hash of its own."""
    ((stream, version, topic, state),) = query(
        database,
        "SELECT originator_id, originator_version, topic, state FROM events WHERE notification_id=%s",
        number,
    )
    body = bytes(state)[32:].replace(b"floor-1", b"floor-2")
    forged = own_hash(stream, version, topic, body) + body
    query(database, "UPDATE events SET state=%s WHERE notification_id=%s", forged, number)


ROW = "SELECT originator_id, originator_version FROM events WHERE notification_id = %s"


@pytest.mark.parametrize("number", [1, 5, 10, 27])
async def test_changed_bytes_are_found(database: Database, sealed: Path, number: int) -> None:
    query(
        database,
        "UPDATE events SET state = set_byte(state, 100, 255 - get_byte(state, 100)) "
        "WHERE notification_id = %s",
        number,
    )
    (stream, version) = query(database, ROW, number)[0]
    finding = (await verify(database, sealed)).findings[0]
    assert (finding.kind, finding.notification_id) == ("changed", number)
    assert (finding.stream, finding.version) == (stream, version)


@pytest.mark.parametrize("number", [2, 10, 27])
async def test_a_forged_event_with_a_right_hash_is_found(
    database: Database, sealed: Path, number: int
) -> None:
    forge(database, number)
    findings = (await verify(database, sealed)).findings
    assert ("changed", number) in {(found.kind, found.notification_id) for found in findings}
    assert len(findings) <= 2  # it, and at most the event after it in its stream


@pytest.mark.parametrize("column", ["topic", "originator_id"])
async def test_a_changed_topic_or_stream_is_found(
    database: Database, sealed: Path, column: str
) -> None:
    query(database, f"UPDATE events SET {column} = {column} || 'x' WHERE notification_id = %s", 12)
    findings = (await verify(database, sealed)).findings
    assert ("changed", 12) in {(found.kind, found.notification_id) for found in findings}


@pytest.mark.parametrize("numbers", [(1,), (13,), (27,), (11, 12, 13), tuple(range(20, 28))])
async def test_lost_events_are_found(
    database: Database, sealed: Path, numbers: tuple[int, ...]
) -> None:
    query(database, "DELETE FROM events WHERE notification_id = ANY(%s)", list(numbers))
    lost = {
        f.notification_id for f in (await verify(database, sealed)).findings if f.kind == "lost"
    }
    assert lost == set(numbers)


@pytest.mark.parametrize("number", [-5, 0, 3])
async def test_an_inserted_event_is_found(database: Database, sealed: Path, number: int) -> None:
    if number == 3:  # room for it: as a rolled back transaction leaves it
        query(database, "UPDATE events SET notification_id = 1000 WHERE notification_id = 3")
    body = bytes(query(database, "SELECT state FROM events WHERE notification_id = 2")[0][0])[32:]
    state = own_hash("rack/r1/new", 1, "counting.Counted.v1", body) + body
    query(
        database,
        "INSERT INTO events VALUES ('rack/r1/new', 1, 'counting.Counted.v1', %s, %s)",
        state,
        number,
    )
    findings = (await verify(database, sealed)).findings
    inserted = [
        f for f in findings if f.kind in {"inserted", "changed"} and f.stream == "rack/r1/new"
    ]
    assert [f.notification_id for f in inserted] == [number]


async def test_events_that_changed_places_in_the_log_are_found(
    database: Database, sealed: Path
) -> None:
    for old, new in ((5, 1000), (14, 5), (1000, 14)):
        query(
            database, "UPDATE events SET notification_id = %s WHERE notification_id = %s", new, old
        )
    findings = (await verify(database, sealed)).findings
    moved = {(f.notification_id, f.message.split()[-1]) for f in findings if f.kind == "moved"}
    assert moved == {(5, "14"), (14, "5")}


async def test_events_that_changed_places_in_their_stream_are_found(
    database: Database, sealed: Path
) -> None:
    for old, new in ((2, 1000), (3, 2), (1000, 3)):
        query(
            database,
            "UPDATE events SET originator_version = %s "
            "WHERE originator_version = %s AND originator_id = 'rack/r1/t0'",
            new,
            old,
        )
    findings = (await verify(database, sealed)).findings
    assert {(f.stream, f.version) for f in findings if f.kind == "changed"} == {
        ("rack/r1/t0", 2),
        ("rack/r1/t0", 3),
    }


async def test_a_broken_carry_forward_is_found(database: Database, sealed: Path) -> None:
    query(database, "DELETE FROM events WHERE originator_id = 'drawer/r1/d/2026-03-06'")
    kinds = {
        (f.kind, f.stream) for f in (await verify(database, sealed)).findings if f.kind != "lost"
    }
    assert kinds == {("chain", "drawer/r1/d/2026-03-07")}


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_a_lost_or_changed_seal_is_found(
    database: Database, sealed: Path, number: int
) -> None:
    query(database, "UPDATE seals SET body = body || '\\x00' WHERE number = %s", number)
    finding = (await verify(database, sealed)).findings[0]
    assert (finding.kind, finding.seal) == ("seal", number)
    query(database, "DELETE FROM seals WHERE number = %s", number)
    finding = (await verify(database, sealed)).findings[0]
    assert (finding.kind, finding.seal) == ("seal", number)


async def test_seals_and_events_cut_off_together_are_found_by_the_anchor(
    database: Database, sealed: Path
) -> None:
    query(database, "DELETE FROM seals WHERE number = 3")
    query(database, "DELETE FROM events WHERE notification_id > 19")
    report = await verify(database, sealed)
    assert {f.notification_id for f in report.findings if f.kind == "lost"} == set(range(20, 28))
    assert "seal 3 was lost from the store" in {f.message.split(";")[0] for f in report.findings}


async def test_seals_made_again_under_another_key_are_found(
    database: Database, sealed: Path, tmp_path: Path
) -> None:
    query(database, "TRUNCATE seals")
    store = PostgresStore(database.service("counting"), "counting")
    await store.open()
    forger = tmp_path / "forger"
    sealer = Sealer(
        "counting", store, ManualClock(EVENING), bytes(32), AnchorFile(forger, "counting")
    )
    await sealer.start()
    await sealer.stop()
    await store.close()
    kinds = {finding.kind for finding in (await verify(database, sealed)).findings}
    assert kinds == {"seal"}
    # Without the anchor, under the true key: the forged seals do not verify.
    (sealed / "counting.anchor").unlink()
    (finding,) = (await verify(database, sealed)).findings
    assert "signature" in finding.message


async def test_sealing_refuses_to_go_on_from_a_store_that_lost_what_the_anchor_has(
    database: Database, sealed: Path
) -> None:
    query(database, "DELETE FROM seals WHERE number = 3")
    store = PostgresStore(database.service("counting"), "counting")
    await store.open()
    sealer = Sealer("counting", store, ManualClock(EVENING), KEY, AnchorFile(sealed, "counting"))
    with pytest.raises(IntegrityBroken, match="seal 3"):
        await sealer.start()
    await store.close()


async def test_an_anchor_that_a_crash_left_behind_or_tore_is_brought_up_to_date(
    database: Database, sealed: Path
) -> None:
    path = sealed / "counting.anchor"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1][:40])
    store = PostgresStore(database.service("counting"), "counting")
    await store.open()
    sealer = Sealer("counting", store, ManualClock(EVENING), KEY, AnchorFile(sealed, "counting"))
    await sealer.catch_up()
    await store.close()
    assert [seal.number for seal in AnchorFile(sealed, "counting").read()] == [1, 2, 3]
    assert (await verify(database, sealed)).intact


async def test_a_seal_that_the_anchor_did_not_take_is_not_left_out_of_it(
    database: Database, sealed: Path
) -> None:
    class FullDisk(AnchorFile):
        full = True

        def append(self, seals: Sequence[Seal]) -> None:
            if self.full:
                raise OSError("no space left on device")
            super().append(seals)

    anchor = FullDisk(sealed, "counting")
    store = PostgresStore(database.service("counting"), "counting")
    async with Application(DECIDER, store, ManualClock(EVENING)) as app:
        sealer = Sealer("counting", store, ManualClock(EVENING), KEY, anchor)
        for n in range(2):
            await app.submit(Add(), asked(f"full {n}"))
            with pytest.raises(OSError, match="no space"):
                await sealer.seal()
        anchor.full = False
        await app.submit(Add(), asked("room again"))
        await sealer.seal()
    assert [seal.number for seal in anchor.read()] == [1, 2, 3, 4, 5]
    assert (await verify(database, sealed)).findings == ()


async def test_two_processes_seal_one_log_without_a_fork(database: Database, sealed: Path) -> None:
    async with (
        Application(
            DECIDER, PostgresStore(database.service("counting"), "counting"), ManualClock(EVENING)
        ) as one,
        Application(
            DECIDER, PostgresStore(database.service("counting"), "counting"), ManualClock(EVENING)
        ) as two,
    ):
        sealers = [
            Sealer("counting", app.store, app.clock, KEY, AnchorFile(sealed, "counting"))
            for app in (one, two)
        ]
        for n in range(10):
            await one.submit(Add(), asked(f"seal {n}"))
            await asyncio.gather(*(sealer.seal() for sealer in sealers))
    assert (await verify(database, sealed)).intact
    assert Ed25519PrivateKey.from_private_bytes(KEY).public_key() == read_public_key(sealed)
