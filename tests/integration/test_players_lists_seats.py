"""Players, lists and seating as served: names at rest, erasure, watches, repeats, bad input, and a silent neighbour."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
import pytest_asyncio

from cardroom.adapters.process import Process
from cardroom.api.seating.v1 import seating_types_pb2 as seats
from cardroom.api.waitlist.v1 import waitlist_service_pb2 as waitlist
from tests.plugins.evening import Client, evening_process, eventually, open_room

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.timeout(180),
    pytest.mark.asyncio(loop_scope="module"),
]
GAME = "20-40-holdem"
PEOPLE = ("ann", "bo", "cy", "di", "ed", "fay", "gus")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running() -> AsyncIterator[tuple[Process, Client]]:
    async with evening_process() as (process, client):
        await open_room(client, *PEOPLE)
        await eventually(lambda: sign_up(client, "ann", request_id="first"))
        await client.call("OpenTable", "floor", table="t1", game_id=GAME)
        yield process, client


async def sign_up(client: Client, person: str, **more: Any) -> Any:
    fields = {"game_id": GAME, "entry_id": f"e-{person}", "player_id": person}
    return await client.call("SignUp", "brush", **{**fields, **more})


def app(process: Process, context: str) -> Any:
    found = process.contexts[context].app
    assert found is not None
    return found


async def test_names_and_phones_lie_in_the_store_as_ciphertext_only(
    running: tuple[Process, Client],
) -> None:
    process, _ = running
    for context in ("players", "waitlist", "seating"):
        stored = await app(process, context).store.log(0, 10_000)
        assert stored
        assert not [event for event in stored if b"Lovelace" in event.state]
        assert not [event for event in stored if b"555 0100" in event.state]


async def test_a_player_is_found_by_a_part_of_the_name(running: tuple[Process, Client]) -> None:
    _, client = running
    found = await client.call("FindPlayers", "brush", query="lovel", page_size=2)
    assert [p.player_id for p in found.players] == ["ann", "bo"]
    more = await client.call(
        "FindPlayers", "brush", query="lovel", page_size=9, page_token=found.next_page_token
    )
    assert [p.player_id for p in more.players][:2] == ["cy", "di"]
    wrong = await client.refused("FindPlayers", "brush", query="lovel", page_token="zzz")
    assert "page_token" in str(wrong)


async def test_a_dealer_sees_no_records_but_may_ask_a_standing(
    running: tuple[Process, Client],
) -> None:
    _, client = running
    with pytest.raises(grpc.aio.AioRpcError) as denied:
        await client.call("GetPlayer", "dealer", player_id="bo")
    assert denied.value.code() is grpc.StatusCode.PERMISSION_DENIED
    told = await client.call("CheckStanding", "dealer", player_id="bo")
    assert told.standing.player_id == "bo"
    reported = await client.call(
        "ReportConduct",
        "dealer",
        incident_id="i1",
        player_ids=["bo"],
        offence="splashing",
        place={"room": "lucky", "table": "t1", "seat": 4},
    )
    assert not reported.players[0].HasField("full_name")


async def test_erasure_takes_the_names_and_the_chain_still_holds(
    running: tuple[Process, Client],
) -> None:
    process, client = running
    await client.call("BarPlayer", "floor", player_id="gus", bar_id="b9", reason="left a mess")
    await client.call("ErasePlayer", "admin", player_id="gus", reason="asked for it")
    shown = (await client.call("GetPlayer", "floor", player_id="gus")).player
    assert (shown.phase, shown.HasField("full_name")) == ("erased", False)
    again = await client.call("FindPlayers", "brush", query="gus")
    assert list(again.players) == []
    history = await app(process, "players").history("player/bay/gus")
    assert history[0].event.full_name is None
    barred = await client.call("CheckStanding", "floor", player_id="gus")
    assert barred.standing.impediments[0].code == "BARRED"


async def test_the_same_request_gets_the_same_answer_and_another_content_none(
    running: tuple[Process, Client],
) -> None:
    _, client = running
    first = await sign_up(client, "bo", request_id="twice")
    again = await sign_up(client, "bo", request_id="twice")
    assert first == again
    other = await client.refused(
        "SignUp", "brush", game_id=GAME, entry_id="x", player_id="cy", request_id="twice"
    )
    assert other.rules == ("CR-11",)


async def test_a_board_is_watched_from_where_it_stands(running: tuple[Process, Client]) -> None:
    _, client = running
    method, _ = client.method("WatchBoard")
    request = waitlist.WatchBoardRequest(room="lucky", game_id=GAME)
    stream = method(request, metadata=client.bearer("display"), timeout=30)
    first = await stream.read()
    assert {"Ann"} <= {name.board_name for name in first.board.names}
    await sign_up(client, "cy")
    async with asyncio.timeout(10):
        while True:
            shown = await stream.read()
            if "Cy" in {name.board_name for name in shown.board.names}:
                break
    assert "Lovelace" not in str(shown)
    assert shown.resume_token
    stream.cancel()


@pytest.mark.parametrize(
    ("rpc", "fields"),
    [
        ("TakeSeat", {"table": "t1", "seat": 1, "player_id": "ann", "buy_in_cents": -1}),
        ("TakeSeat", {"table": "t1", "seat": 12, "player_id": "ann", "buy_in_cents": 1}),
        ("LockSeat", {"table": "t 1", "seat": 1, "player_id": "ann"}),
        ("SignUp", {"game_id": "20-40 Hold'em", "entry_id": "e", "player_id": "ann"}),
        ("SwapSeats", {"table": "t1", "seats": [1]}),
    ],
)
async def test_bad_input_is_refused_field_by_field(
    running: tuple[Process, Client], rpc: str, fields: dict[str, Any]
) -> None:
    _, client = running
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await client.call(rpc, "floor", **fields)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("rpc", "fields", "code"),
    [
        ("GetTable", {"table": "t99"}, "TABLE_UNKNOWN"),
        ("GetBoard", {"game_id": "none"}, "BOARD_UNKNOWN"),
        ("GetPlayer", {"player_id": "nobody"}, "PLAYER_UNKNOWN"),
        ("SignUp", {"game_id": GAME, "entry_id": "e1", "player_id": "nobody"}, "PLAYER_UNKNOWN"),
    ],
)
async def test_what_is_not_known_is_named(
    running: tuple[Process, Client], rpc: str, fields: dict[str, Any], code: str
) -> None:
    _, client = running
    refusal = await client.refused(rpc, "floor", **fields)
    assert (refusal.reason, refusal.rules) == (code, ("CR-2",))


async def test_seats_and_buy_ins_are_offered_before_anybody_sits(
    running: tuple[Process, Client],
) -> None:
    _, client = running
    offer = await client.call("CheckSeat", "brush", table="t1", player_id="fay")
    assert (offer.least_cents, offer.full_cents) == (20_000, 20_000)
    assert "LC-35" in offer.rules
    called = await client.call("CheckSeat", "brush", table="t1", player_id="ann")
    assert [seat.seat for seat in called.seats if seat.free] == list(range(1, 10))
    await client.call("LockSeat", "brush", table="t1", seat=1, player_id="ann")
    await client.call("TakeSeat", "brush", table="t1", seat=1, player_id="ann", buy_in_cents=20_000)
    where = await client.call("GetPresence", "brush", player_id="ann")
    assert (where.table, where.seat) == ("t1", 1)
    await client.call("LeaveSeat", "dealer", table="t1", player_id="ann", chips_cents=34_000)
    back = await client.call("CheckSeat", "brush", table="t1", player_id="ann")
    assert (back.least_cents, list(back.rules)) == (34_000, ["LC-91"])
    deal = seats.Deal(number=1, button=1, small=2, big=3)
    dealing = await client.call("CheckDealing", "dealer", table="t1", deal=deal)
    assert list(dealing.left_out) == []


async def test_without_players_only_the_floor_signs_somebody_up() -> None:
    async with evening_process(("house", "waitlist", "seating")) as (_, client):
        await open_room(client)
        fields = {"game_id": GAME, "entry_id": "e1", "player_id": "ann"}

        async def refused() -> Any:
            found = await client.refused("SignUp", "brush", **fields)
            return found if "CR-14" in found.rules else None

        refusal = await eventually(refused, what="the lists know the game")
        assert (refusal.reason, "the floor overrides" in str(refusal.options)) == (
            "STANDING_UNKNOWN",
            True,
        )
        answer = await client.call(
            "SignUp", "floor", **fields, override_reason="players is down; I know her"
        )
        assert [name.player_id for name in answer.board.names] == ["ann"]
