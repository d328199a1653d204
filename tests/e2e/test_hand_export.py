"""Hands of a running room written as PHH and OHH, over the API and by the command line, and read again."""

import asyncio
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from typer.testing import CliRunner

from cardroom.api.audit.v1 import audit_service_pb2 as audit
from cardroom.api.audit.v1.audit_service_pb2_grpc import AuditServiceStub
from cardroom.api.tables.v1 import hands_service_pb2 as hands
from cardroom.api.tables.v1.hands_service_pb2_grpc import HandsServiceStub
from cardroom.cli.main import app
from cardroom.demo.hands import Dealing, recorded_hands
from cardroom.demo.room import ROOM, Room
from cardroom.rulebook.loader import load_book
from cardroom.rulebook.resolve import resolve
from cardroom.tables.notation import ohh, phh
from tests.plugins.hand_play import READER
from tests.plugins.small_room import TABLE, small_room

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(180),
    pytest.mark.xdist_group("e2e"),
    pytest.mark.asyncio(loop_scope="module"),
]


class Played:
    """A room in which one hand was played to its showdown and one is under way."""

    def __init__(self, room: Room, data: Path, hand: Any) -> None:
        self.room = room
        self.data = data
        self.hand = hand

    async def exported(self, role: str, hand_format: Any) -> Any:
        """Return the answer to an export."""
        request = audit.ExportHandRequest(room=ROOM, hand_id=self.hand.hand_id, format=hand_format)
        return await self.room.ask(role, AuditServiceStub, "ExportHand", request)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def played(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Played]:
    data = tmp_path_factory.mktemp("hand-export") / "data"
    async with small_room(data) as room:
        recorded = next(one for one in recorded_hands() if any(" sm " in a for a in one.actions))
        hand = await Dealing(room, TABLE).play(recorded)
        yield Played(room, data, hand)


def house_rules() -> Path:
    """Return the file of the room's book."""
    return Path(str(files("cardroom.demo").joinpath("house_rules.toml")))


def book_for(a_game: Any) -> Any:
    """Return the room's book for a game."""
    return resolve(load_book(house_rules()), game=a_game)


def read_again(text: str, name: str) -> Any:
    """Return the hand of a text."""

    if name == "phh":
        return phh.import_phh(phh.hands_of(text)[0][1], book_for, READER)
    return ohh.import_ohh(ohh.hands_of(text)[0], book_for, READER)


@pytest.mark.parametrize(
    ("name", "hand_format"),
    [("phh", audit.HAND_FORMAT_PHH), ("ohh", audit.HAND_FORMAT_OHH)],
)
@pytest.mark.parametrize("role", ["auditor", "floor"])
async def test_a_hand_goes_out_and_reads_as_it_was_played(
    played: Played, role: str, name: str, hand_format: Any
) -> None:
    answer = await played.exported(role, hand_format)
    assert answer.file_name.endswith(f".{name}")
    found = read_again(answer.text, name)
    told = [(one.seat, one.before_cents, one.after_cents) for one in played.hand.results]
    assert [(one.seat, one.before_cents, one.after_cents) for one in found.hand.results] == told
    assert found.hand.boards[0] == tuple(played.hand.board)
    assert found.about.site
    assert found.about.started_at is not None
    assert found.about.book == played.hand.book_digest
    unshown = [chair.seat for chair in found.hand.chairs if chair.down and not chair.tabled]
    assert bool(unshown) == (role == "auditor"), "cards that were not shown are the auditor's"


async def test_the_command_line_writes_the_same_and_checks_it(
    played: Played, tmp_path: Path
) -> None:
    answer = await played.exported("auditor", audit.HAND_FORMAT_PHH)
    where = [ROOM, TABLE, str(played.hand.hand_number), "--data", str(played.data), "--unshown"]
    runner = CliRunner()
    written = await asyncio.to_thread(runner.invoke, app, ["hand", "export", *where])
    assert written.exit_code == 0, written.output
    assert written.output == answer.text
    file = tmp_path / answer.file_name
    file.write_text(answer.text)
    checked = await asyncio.to_thread(
        runner.invoke, app, ["hand", "check", str(file), "--book", str(house_rules())]
    )
    assert checked.exit_code == 0, checked.output
    assert "1 hands, 1 stand by RIVER, 0 refused" in checked.output


async def test_a_hand_under_way_is_not_written(played: Played) -> None:
    start = hands.StartHandRequest(room=ROOM, table=TABLE)
    begun = (await played.room.ask("dealer", HandsServiceStub, "StartHand", start)).hand
    request = audit.ExportHandRequest(
        room=ROOM, hand_id=begun.hand_id, format=audit.HAND_FORMAT_OHH
    )
    failed = await played.room.refused(
        "auditor", AuditServiceStub, "ExportHand", request, "a hand under way written"
    )
    assert (failed.reason, failed.rules) == ("HAND_NOT_OVER", ("CR-6",))


async def test_a_hand_is_judged_again(played: Played) -> None:
    request = audit.JudgeHandsRequest(room=ROOM, table=TABLE)
    judged = (await played.room.ask("auditor", AuditServiceStub, "JudgeHands", request)).hands
    assert [one.hand_id for one in judged] == [played.hand.hand_id]
    assert judged[0].book_digest == played.hand.book_digest
    assert not judged[0].differences
    beyond = audit.JudgeHandsRequest(room=ROOM, table=TABLE, first_hand=99)
    failed = await played.room.refused(
        "auditor", AuditServiceStub, "JudgeHands", beyond, "hands that were never dealt"
    )
    assert (failed.reason, failed.rules) == ("HAND_NUMBERS", ("CR-4",))
    by_another = audit.JudgeHandsRequest(room=ROOM, table=TABLE, book="ZZ")
    failed = await played.room.refused(
        "auditor", AuditServiceStub, "JudgeHands", by_another, "a book that is not known"
    )
    assert failed.rules == ("CR-2",)


async def test_the_command_line_judges_again(played: Played) -> None:
    runner = CliRunner()
    where = ["audit", "judge", ROOM, TABLE, "--data", str(played.data)]
    same = await asyncio.to_thread(runner.invoke, app, where)
    assert same.exit_code == 0, same.output
    assert "1 hands judged again, 0 decided otherwise" in same.output
    other = await asyncio.to_thread(runner.invoke, app, [*where, "--book", "HG"])
    assert other.exit_code == 1, other.output
    assert "1 decided otherwise" in other.output
