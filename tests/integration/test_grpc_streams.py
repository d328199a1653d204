"""Watches: snapshot, changes, resuming, slow and vanished readers, limits, drain."""

import asyncio
from pathlib import Path
from typing import Any

import grpc

from cardroom.adapters.errors import SlowReader
from cardroom.adapters.grpc.gate import Limits
from cardroom.adapters.grpc.watch import watch_views
from tests.plugins.grpc_trial import TrialServicer, Watched, change, failure, pb, trial, until

Code = grpc.StatusCode
ROOM = "lucky"


def watching(t: Any, token: str = "", **more: Any) -> Any:
    return t.stub.WatchRoom(
        pb.WatchRoomRequest(room=ROOM, resume_token=token), metadata=t.bearer("display", **more)
    )


async def test_first_the_snapshot_then_each_change(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        await t.servicer.watched.set(ROOM, "five names")
        call = watching(t)
        first = await call.read()
        assert (first.version, first.view) == (1, "five names")
        await t.servicer.watched.set(ROOM, "six names")
        second = await call.read()
        assert (second.version, second.view) == (2, "six names")
        assert second.resume_token != first.resume_token
        call.cancel()


async def test_a_resumed_watch_sends_nothing_that_was_seen(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        await t.servicer.watched.set(ROOM, "five names")
        call = watching(t)
        seen = (await call.read()).resume_token
        call.cancel()
        again = watching(t, seen)
        reading = asyncio.ensure_future(again.read())
        await until(lambda: t.servicer.watched.watchers == 1)
        await t.servicer.watched.set(ROOM, "six names")
        assert (await reading).view == "six names"
        again.cancel()
        changed_meanwhile = watching(t, seen)
        assert (await changed_meanwhile.read()).view == "six names"
        changed_meanwhile.cancel()


async def test_a_client_that_goes_away_stops_the_watch(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        call = watching(t)
        await call.read()
        assert (t.servicer.watched.watchers, t.server.open_streams) == (1, 1)
        call.cancel()
        await until(lambda: t.servicer.watched.watchers == 0)
        await until(lambda: t.server.open_streams == 0)


async def test_changes_faster_than_the_reader_are_shown_together() -> None:
    watched = Watched()

    def view(states: Any, versions: Any) -> Any:
        return pb.WatchRoomResponse(version=versions[ROOM], view=str(states[ROOM]))

    views = watch_views(watched, (ROOM,), view)
    assert (await anext(views)).version == 0
    for number in range(1000):
        await watched.set(ROOM, number)
        if number % 100 == 0:
            await asyncio.sleep(0)
    seen = []
    async with asyncio.timeout(5):
        while not seen or seen[-1] != "999":
            seen.append((await anext(views)).view)
    await views.aclose()
    assert len(seen) < 50
    assert watched.watchers == 0


async def test_stems_may_follow_from_states() -> None:
    """A table's watch moves on from hand to hand."""
    watched = Watched()
    await watched.set("table", "hand1")
    await watched.set("hand1", "flop")
    await watched.set("hand2", "preflop")

    def stems(states: Any) -> tuple[str, ...]:
        return ("table", states["table"]) if "table" in states else ("table",)

    def view(states: Any, versions: Any) -> Any:
        return pb.WatchRoomResponse(view=f"{states['table']}: {states[states['table']]}")

    views = watch_views(watched, stems, view)
    assert (await anext(views)).view == "hand1: flop"
    await watched.set("table", "hand2")
    assert (await anext(views)).view == "hand2: preflop"
    assert watched.watchers == 2
    await views.aclose()
    assert watched.watchers == 0


async def test_a_fault_of_the_application_ends_the_watch(tmp_path: Path) -> None:
    class Dropping(Watched):
        async def watch(self, stems: Any) -> Any:
            yield stems[0], "as it stands", 1
            raise SlowReader("256 changes were waiting")

    servicer = TrialServicer()
    servicer.watched = Dropping()
    async with trial(tmp_path, servicer=servicer) as t:
        call = watching(t)
        got = await failure(_read_all(call))
    assert (got.code, got.reason) == (Code.RESOURCE_EXHAUSTED, "SLOW_READER")


async def _read_all(call: Any) -> list[Any]:
    return [message async for message in call]


async def test_a_slow_reader_is_dropped_with_a_reason(tmp_path: Path) -> None:
    closed = asyncio.Event()
    made = 0

    class Flood(TrialServicer):
        async def WatchRoom(self, request: Any, context: Any) -> Any:
            nonlocal made
            try:
                while True:
                    made += 1
                    yield pb.WatchRoomResponse(version=made, view="x" * 60_000)
            finally:
                closed.set()

    async with trial(tmp_path, servicer=Flood(), limits=Limits(slow_reader_seconds=0.3)) as t:
        call = watching(t)
        assert (await call.read()).version == 1
        async with asyncio.timeout(10):
            await closed.wait()
        stood_at = made
        got = await failure(_drain(call))
        assert (got.code, got.reason) == (Code.RESOURCE_EXHAUSTED, "SLOW_READER")
        await until(lambda: t.server.open_streams == 0)
    assert made == stood_at
    assert made < 1000  # what the transport buffers, not what the servicer could make


async def _drain(call: Any) -> None:
    while await call.read() is not grpc.aio.EOF:
        pass


async def test_open_streams_are_limited_per_caller_and_in_all(tmp_path: Path) -> None:
    async with trial(tmp_path, limits=Limits(streams=3, streams_per_caller=2)) as t:
        mine = [watching(t) for _ in range(2)]
        for call in mine:
            await call.read()
        got = await failure(watching(t).read())
        assert (got.code, got.reason) == (Code.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS")
        other = watching(t, subject="wall-2")
        await other.read()
        got = await failure(watching(t, subject="wall-3").read())
        assert got.reason == "TOO_MANY_STREAMS"
        mine[0].cancel()
        await until(lambda: t.server.open_streams == 2)
        await (again := watching(t)).read()
        for call in (*mine, other, again):
            call.cancel()


async def test_an_old_stream_is_asked_to_resume(tmp_path: Path) -> None:
    async with trial(tmp_path, limits=Limits(longest_stream_seconds=0.1)) as t:
        got = await failure(_read_all(watching(t)))
    assert (got.code, got.reason) == (Code.UNAVAILABLE, "STREAM_TOO_OLD")
    assert got.made.retry_seconds > 0


async def test_a_drain_ends_streams_with_a_reason_and_lets_calls_end(tmp_path: Path) -> None:
    go = asyncio.Event()
    async with trial(tmp_path) as t:
        t.servicer.behave = lambda request: go.wait()
        call = watching(t)
        await call.read()
        changing = asyncio.ensure_future(t.stub.Change(change(), metadata=t.bearer()))
        await until(lambda: len(t.servicer.calls) == 1)
        stopping = asyncio.ensure_future(t.server.stop())
        got = await failure(call.read())
        assert (got.code, got.reason) == (Code.UNAVAILABLE, "DRAINING")
        go.set()
        assert (await changing).actor == "ann"
        await stopping
        late = await failure(t.stub.Change(change(), metadata=t.bearer()))
        assert late.code == Code.UNAVAILABLE
        assert t.servicer.watched.watchers == 0


async def test_streams_of_requests_are_validated_one_by_one(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        bearer = t.bearer("integration", rooms=[ROOM])
        requests = [pb.FeedRequest(room=ROOM)] * 3
        assert (await t.stub.Feed(iter(requests), metadata=bearer)).count == 3
        got = await failure(
            t.stub.Feed(iter([*requests, pb.FeedRequest(room="")]), metadata=bearer)
        )
        assert got.made.violations[0].field == "room"
        talk = t.stub.Talk(metadata=bearer)
        await talk.write(pb.TalkRequest(room=ROOM))
        assert (await talk.read()).room == ROOM
        await talk.write(pb.TalkRequest(room="bay"))
        got = await failure(talk.read())
        assert got.reason == "ROOM_NOT_COVERED"
