"""An evening's seating over gRPC on a real PostgreSQL: sign-ups, a game, calls, seats, a must-move, the day's end."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from cardroom.api.seating.v1 import seating_types_pb2 as seats
from cardroom.api.waitlist.v1 import waitlist_types_pb2 as lists
from tests.plugins.evening import EVENING, Client, evening_process, eventually, open_room

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.timeout(180),
]

GAME = "20-40-holdem"
PEOPLE = ("ann", "bo", "cy", "di", "ed", "fay", "gus", "hal")


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with evening_process() as (_, running):
        await open_room(running, *PEOPLE, "lee", "zed")
        yield running


async def sign_up(client: Client, person: str, **more: Any) -> Any:
    return await client.call(
        "SignUp", "brush", game_id=GAME, entry_id=f"e-{person}", player_id=person, **more
    )


async def board(client: Client) -> Any:
    return (await client.call("GetBoard", "display", game_id=GAME)).board


async def table(client: Client, name: str) -> Any:
    return (await client.call("GetTable", "display", table=name)).table


async def test_an_evening_of_sign_ups_seats_and_a_must_move(client: Client) -> None:
    await _names_sign_up(client)
    await _a_game_starts(client)
    await _two_stations_want_one_seat(client)
    await _a_must_move_game_opens(client)
    await _the_day_closes(client)


async def _names_sign_up(client: Client) -> None:
    for person in PEOPLE[:4]:
        await eventually(lambda person=person: sign_up(client, person, request_id=f"s-{person}"))
    phoned = await sign_up(client, "lee", by_phone=True)
    name = phoned.board.names[-1]
    assert (name.player_id, name.arrive_by.seconds) == ("lee", int(EVENING.timestamp()) + 3600)

    twice = await client.refused("SignUp", "brush", game_id=GAME, entry_id="again", player_id="bo")
    assert (twice.reason, twice.rules) == ("ALREADY_LISTED", ("CR-7",))

    await client.call("BarPlayer", "shift_manager", player_id="zed", bar_id="b1", reason="rude")
    barred = await client.refused("SignUp", "brush", game_id=GAME, entry_id="z", player_id="zed")
    assert (barred.reason, barred.rules) == ("BARRED", ("LC-30",))

    shown = await board(client)
    assert [n.board_name for n in shown.names] == ["Ann", "Bo", "Cy", "Di", "Lee"]
    assert "Lovelace" not in str(shown)
    assert shown.waiting_because == "no game is open; 5 of 5 names are going"


async def _a_game_starts(client: Client) -> None:
    refused = await client.refused("OpenTable", "brush", table="t3", game_id=GAME)
    assert refused.reason == "NOT_MANAGEMENT"
    await client.call("OpenTable", "floor", table="t3", game_id=GAME)
    called = await eventually(lambda: _called(client, "t3", 5), what="the list is called")
    assert called == ["ann", "bo", "cy", "di", "lee"]
    for number, person in enumerate(PEOPLE[:4], 1):
        await client.call(
            "AnswerCall",
            "brush",
            game_id=GAME,
            entry_id=f"e-{person}",
            answer=lists.CALL_ANSWER_COMING,
            seat=number,
        )
    short = await client.refused(
        "TakeSeat", "brush", table="t3", seat=1, player_id="ann", buy_in_cents=19_900
    )
    assert (short.reason, "LC-35" in short.rules) == ("BELOW_MINIMUM_BUY_IN", True)
    for number, person in enumerate(PEOPLE[:4], 1):
        await _sit(client, "t3", number, person, 40_000)
    drawn = [
        seats.DrawnCard(who=str(seat), card=card)
        for seat, card in ((1, "Kh"), (2, "9s"), (3, "Ks"), (4, "Qd"))
    ]
    await client.call("DrawForButton", "dealer", table="t3", cards=drawn)
    left = await eventually(lambda: _names(client, ["lee"]), what="the seated come off the board")
    assert left


async def _two_stations_want_one_seat(client: Client) -> None:
    await sign_up(client, "ed")
    await sign_up(client, "fay")
    await eventually(lambda: _called(client, "t3", 3), what="ed and fay are called")
    await eventually(lambda: _known_to_be_called(client, "t3", "fay"), what="seating knows")
    locks = [
        client.call("LockSeat", "brush", table="t3", seat=7, player_id=person, station=station)
        for person, station in (("ed", "podium-1"), ("fay", "podium-2"))
    ]
    answers = await asyncio.gather(*locks, return_exceptions=True)
    failures = [answer for answer in answers if isinstance(answer, Exception)]
    assert len(failures) == 1
    has_it = (await table(client, "t3")).seats[6].lock.player_id
    assert has_it in str(failures[0])
    await _sit(client, "t3", 7, has_it, 20_000)
    other = "fay" if has_it == "ed" else "ed"
    taken = await client.refused(
        "TakeSeat", "brush", table="t3", seat=7, player_id=other, buy_in_cents=20_000
    )
    assert (taken.reason, has_it in taken.message) == ("SEAT_TAKEN", True)
    await client.call("LockSeat", "brush", table="t3", seat=8, player_id=other)
    await _sit(client, "t3", 8, other, 20_000)


async def _a_must_move_game_opens(client: Client) -> None:
    await client.call("OpenTable", "floor", table="t5", game_id=GAME, feeds="t3")
    for person in ("gus", "hal"):
        await sign_up(client, person)
    await eventually(lambda: _known_to_be_called(client, "t5", "hal"), what="seating knows")
    for seat, person in ((4, "hal"), (2, "gus")):
        await client.call("LockSeat", "brush", table="t5", seat=seat, player_id=person)
        await _sit(client, "t5", seat, person, 20_000)
    order = await eventually(lambda: _must_move(client, 2), what="the feeder's players are listed")
    assert order == ["gus", "hal"]

    await client.call("LeaveSeat", "dealer", table="t3", player_id="cy", chips_cents=52_000)
    kept = await eventually(lambda: _kept_for(client, "t3", 3), what="the main seat is kept")
    assert kept == "gus"
    not_called = await client.refused(
        "MovePlayer",
        "dealer",
        table="t5",
        player_id="hal",
        to_table="t3",
        to_seat=3,
        stack_cents=20_000,
    )
    assert not_called.reason == "FLOOR_APPROVAL_REQUIRED"
    await client.call(
        "MovePlayer",
        "dealer",
        table="t5",
        player_id="gus",
        to_table="t3",
        to_seat=3,
        stack_cents=26_500,
    )
    main = await table(client, "t3")
    assert (main.seats[2].seated.player_id, main.seats[2].seated.bought_cents) == ("gus", 26_500)
    order = await eventually(lambda: _must_move(client, 1), what="gus is off the list")
    assert order == ["hal"]

    back = await client.refused("SignUp", "brush", game_id=GAME, entry_id="x", player_id="zed")
    assert back.reason == "BARRED"


async def _the_day_closes(client: Client) -> None:
    to = Timestamp()
    to.FromSeconds(int(EVENING.timestamp()) + 3601)
    await client.call("Advance", "admin", to=to)
    late = await client.refused("ReportArrived", "brush", game_id=GAME, entry_id="e-lee")
    assert late.reason == "LIST_ENTRY_UNKNOWN"  # the hour was up and the name came off
    for name in ("t3", "t5"):
        closed = await client.call(
            "CloseDay",
            "shift_manager",
            package="seating",
            table=name,
            gaming_day="2026-03-07",
        )
        assert closed.table.phase == "open"
    await client.call(
        "CloseDay", "shift_manager", package="waitlist", game_id=GAME, gaming_day="2026-03-07"
    )
    main = await table(client, "t3")
    assert sum(1 for seat in main.seats if seat.HasField("seated")) == 6


async def _sit(client: Client, name: str, seat: int, person: str, cents: int) -> None:
    await client.call(
        "TakeSeat", "brush", table=name, seat=seat, player_id=person, buy_in_cents=cents
    )


async def _called(client: Client, name: str, least: int) -> list[str]:
    shown = await board(client)
    called = [n.player_id for n in shown.names if n.HasField("call") and n.call.table == name]
    return called if len(called) >= least else []


async def _known_to_be_called(client: Client, name: str, person: str) -> bool:
    return person in (await table(client, name)).order


async def _names(client: Client, wanted: list[str]) -> bool:
    return [n.player_id for n in (await board(client)).names] == wanted


async def _must_move(client: Client, count: int) -> list[str]:
    listed = (await client.call("GetMustMove", "display", main="t3")).must_move
    names = [n.player_id for n in listed.names]
    return names if len(names) == count else []


async def _kept_for(client: Client, name: str, seat: int) -> str:
    shown = (await table(client, name)).seats[seat - 1]
    return str(shown.lock.player_id) if shown.HasField("lock") else ""
