"""gRPC, command loop and PostgreSQL together: idempotency, refusals, watches, a store that goes away."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from cardroom.adapters.application import Application
from cardroom.adapters.grpc.watch import watch_views
from cardroom.adapters.installation import Database
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.client import CallInvalid, CallRefused, Client
from cardroom.kernel.clock import ManualClock
from tests.plugins.counting import DECIDER, EVENING, NOTE_ROOM, Add, asked, rack
from tests.plugins.grpc_trial import TrialServicer, change, failure, pb, pb_grpc, trial

pytestmark = pytest.mark.postgres
Code = grpc.StatusCode
Stub = pb_grpc.TrialServiceStub


class RackServicer(TrialServicer):
    """`Change` puts chips (`amount_cents` of them) into the rack `table`; `WatchRoom` shows one rack."""

    def __init__(self, app: Application) -> None:
        super().__init__()
        self.app = app

    async def Change(self, request: Any, context: Any) -> Any:
        def answer(decision: Any, streams: Any) -> bytes:
            chips = streams[rack(request.table, request.room)].chips
            return pb.ChangeResponse(actor=f"{chips} chips").SerializeToString()

        command = Add(room=request.room, rack=request.table, chips=request.amount_cents)
        outcome = await self.submit(context, request, command, answer)
        return pb.ChangeResponse.FromString(outcome.result)

    async def WatchRoom(self, request: Any, context: Any) -> AsyncIterator[Any]:
        stem = rack(request.room)

        def view(states: Any, versions: Any) -> Any:
            return pb.WatchRoomResponse(version=versions[stem], view=f"{states[stem].chips} chips")

        async for each in watch_views(self.app, (stem,), view, request.resume_token):
            yield each


@pytest.fixture
async def app(database: Database) -> AsyncIterator[Application]:
    store = PostgresStore(database.service("counting"), "counting")
    async with Application(DECIDER, store, ManualClock(EVENING)) as app:
        await app.submit(NOTE_ROOM, asked("room"))
        yield app


def put(request_id: str, table: str, chips: int, **other: Any) -> Any:
    return change(request_id=request_id, room="r1", table=table, amount_cents=chips, **other)


async def test_a_repeated_request_gets_the_first_answer_and_changes_nothing(
    app: Application, tmp_path: Path
) -> None:
    async with trial(tmp_path, servicer=RackServicer(app)) as t:
        bearer = t.bearer("floor", station="podium-1")
        first = await t.stub.Change(put("a1", "a", 5), metadata=bearer)
        await t.stub.Change(put("a2", "a", 2), metadata=bearer)
        again = await t.stub.Change(put("a1", "a", 5), metadata=bearer)
        assert first.actor == again.actor == "5 chips"
        state, version = await app.state(rack("a"))
        assert (state.chips, version) == (7, 2)
        (recorded, _) = await app.history("rack/r1/a")
        around = recorded.envelope
        assert (around.actor, around.station, around.roles) == ("ann", "podium-1", ("floor",))
        assert (around.request_id, around.correlation_id) == ("a1", "a1")


@pytest.mark.parametrize(
    "other",
    [{"amount_cents": 6}, {"override_reason": "because"}, {"occurred_at": {"seconds": 1}}],
)
async def test_a_request_id_with_other_content_is_refused(
    app: Application, tmp_path: Path, other: Any
) -> None:
    async with trial(tmp_path, servicer=RackServicer(app)) as t:
        name = "b" + next(iter(other))
        await t.stub.Change(put(name, name, 5), metadata=t.bearer())
        changed = put(name, name, 5)
        changed.MergeFrom(pb.ChangeRequest(**other))
        got = await failure(t.stub.Change(changed, metadata=t.bearer()))
        assert got.code == Code.INVALID_ARGUMENT
        assert got.made.rules == ("CR-11",)
        assert got.made.field == "request_id"
        other_person = t.bearer(subject="bob")
        got = await failure(t.stub.Change(put(name, name, 5), metadata=other_person))
        assert got.made.rules == ("CR-11",)
        assert (await app.state(rack(name)))[1] == 1


async def test_refusals_of_the_core_arrive_typed(app: Application, tmp_path: Path) -> None:
    async with (
        trial(tmp_path, servicer=RackServicer(app)) as t,
        Client(t.server.address, t.token()) as client,
    ):
        stub = client.stub(Stub)
        with pytest.raises(CallRefused) as caught:
            await client.call(stub.Change, put("", "c", 2_000_000))
        assert caught.value.code == Code.FAILED_PRECONDITION
        assert (caught.value.reason, caught.value.rules) == ("RACK_RANGE", ("CR-8",))
        with pytest.raises(CallRefused) as caught:
            await client.call(stub.Change, change(room="nowhere", table="c"))
        assert (caught.value.code, caught.value.rules) == (Code.NOT_FOUND, ("CR-2",))
        with pytest.raises(CallRefused) as caught:
            await client.call(stub.Change, put("", "no such name", 1))
        assert (caught.value.code, caught.value.rules) == (Code.INVALID_ARGUMENT, ("CR-4",))
        with pytest.raises(CallInvalid):
            await client.call(stub.Change, put("", "c", -1))


async def test_many_clients_at_one_table_lose_nothing(app: Application, tmp_path: Path) -> None:
    async with trial(tmp_path, servicer=RackServicer(app)) as t:
        async with Client(t.server.address, t.token(), attempt_seconds=0.2) as client:
            method = client.stub(Stub).Change
            answers = await asyncio.gather(
                *(client.call(method, put(f"d{n}", "d", 1)) for n in range(300))
            )
        assert {answer.actor for answer in answers} == {f"{n} chips" for n in range(1, 301)}
        assert (await app.state(rack("d")))[1] == 300


async def test_a_watch_shows_what_is_committed(app: Application, tmp_path: Path) -> None:
    async with (
        trial(tmp_path, servicer=RackServicer(app)) as t,
        Client(t.server.address, t.token()) as client,
    ):
        stub = client.stub(Stub)
        views = client.watch(stub.WatchRoom, pb.WatchRoomRequest(room="e"))
        assert (await anext(views)).view == "0 chips"
        await client.call(stub.Change, put("", "e", 3))
        view = await anext(views)
        assert (view.version, view.view) == (1, "3 chips")
        await views.aclose()


async def test_a_caller_that_goes_away_leaves_its_command_to_be_finished(
    app: Application, tmp_path: Path
) -> None:
    async with trial(tmp_path, servicer=RackServicer(app)) as t:
        call = t.stub.Change(put("f1", "f", 4), metadata=t.bearer(), timeout=0.001)
        got = await failure(call)
        assert got.code == Code.DEADLINE_EXCEEDED
        again = await t.stub.Change(put("f1", "f", 4), metadata=t.bearer())
        assert again.actor == "4 chips"
        assert (await app.state(rack("f")))[1] == 1


async def test_an_application_that_stops_is_unavailable_until_the_next_one(
    app: Application, database: Database, tmp_path: Path
) -> None:
    async with trial(tmp_path, servicer=RackServicer(app)) as t:
        await app.stop()
        got = await failure(t.stub.Change(put("g1", "g", 1), metadata=t.bearer()))
        assert (got.code, got.reason) == (Code.UNAVAILABLE, "STORE_UNAVAILABLE")
        assert got.made.passing
        store = PostgresStore(database.service("counting"), "counting")
        async with Application(DECIDER, store, ManualClock(EVENING)) as later:
            t.servicer.app = later
            answer = await t.stub.Change(put("g1", "g", 1), metadata=t.bearer())
            assert answer.actor == "1 chips"
