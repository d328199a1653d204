"""One person through every context: changed seats, merged records and a move to another table, in a time game."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from cardroom.api.tables.v1 import hands_service_pb2 as hands
from cardroom.api.tables.v1 import tables_types_pb2 as types
from tests.plugins.evening import (
    EVENING,
    Client,
    evening_process,
    eventually,
    game,
    open_room,
)

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(180)]

GAME = "20-40-holdem"
CONTEXTS = ("house", "players", "waitlist", "seating", "tables", "timecollection")
TIME_CENTS = 700


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with evening_process(CONTEXTS) as (_, running):
        await open_room(running, "ann", "bo", "cy", "dup", "ed", time_collection_cents=TIME_CENTS)
        yield running


async def sit(client: Client, table: str, seat: int, person: str) -> None:
    await eventually(
        lambda: client.call(
            "LockSeat",
            "floor",
            table=table,
            seat=seat,
            player_id=person,
            override_reason="set-up",
            request_id=f"lock-{person}",
        )
    )
    await client.call(
        "TakeSeat", "floor", table=table, seat=seat, player_id=person, buy_in_cents=40_000
    )


async def owed(client: Client, table: str) -> dict[int, tuple[str, int]]:
    found = await client.call("GetCollection", "floor", table=table)
    return {one.seat: (one.player_id, one.owes_cents) for one in found.collection.seats}


async def seated(client: Client, table: str) -> dict[int, tuple[str, int]]:
    """Return seat -> player and stack, as the table itself has it."""
    found = await client.call("GetTable", "floor", table=table, package="tables")
    return {one.seat: (one.player_id, one.stack_cents) for one in found.table.occupied}


async def come_to(read: Any, wanted: dict[int, tuple[str, int]], what: str) -> None:
    async def there() -> bool:
        return bool(await read() == wanted)

    await eventually(there, what=what)


async def test_time_follows_the_player_through_swap_merge_and_move(client: Client) -> None:
    for table in ("t1", "t2"):
        await client.call("OpenTable", "floor", table=table, game_id=GAME)
    for seat, person in ((1, "ann"), (2, "bo"), (3, "dup")):
        await sit(client, "t1", seat, person)
    await sit(client, "t2", 1, "ed")
    at_first = {1: ("ann", 700), 2: ("bo", 700), 3: ("dup", 700)}
    await come_to(lambda: owed(client, "t1"), at_first, "time is owed in advance")

    await client.call("PayTime", "dealer", table="t1", seat=1, amount_cents=TIME_CENTS)
    await client.call("SwapSeats", "floor", table="t1", seats=[1, 2])
    swapped = {1: ("bo", 700), 2: ("ann", 0), 3: ("dup", 700)}
    await come_to(lambda: owed(client, "t1"), swapped, "who paid is who swapped")

    await client.call("MergePlayers", "admin", player_id="cy", from_id="dup", reason="one person")
    merged = {1: ("bo", 700), 2: ("ann", 0), 3: ("cy", 700)}
    await come_to(lambda: owed(client, "t1"), merged, "the collection knows the record")
    stacks = {1: ("bo", 40_000), 2: ("ann", 39_300), 3: ("cy", 40_000)}
    await come_to(lambda: seated(client, "t1"), stacks, "the table knows the record")
    shown = (await client.call("GetTable", "floor", table="t1")).table
    assert shown.seats[2].seated.player_id == "cy"
    found = await client.call("GetPresence", "floor", player_id="dup")
    assert (found.table, found.seat) == ("t1", 3)
    offered = await client.call("CheckSeat", "floor", table="t1", player_id="dup")
    assert offered == await client.call("CheckSeat", "floor", table="t1", player_id="cy")
    refused = await client.refused("SignUp", "brush", game_id=GAME, entry_id="e", player_id="dup")
    assert refused.reason == "ALREADY_PLAYING"  # who names the old record means the person

    await client.call(
        "ApproveTableChange",
        "floor",
        table="t1",
        player_id="cy",
        to_table="t2",
        to_seat=5,
        override_reason="set-up",
    )
    await client.call(
        "MovePlayer",
        "floor",
        table="t1",
        player_id="cy",
        to_table="t2",
        to_seat=5,
        stack_cents=40_000,
    )
    await come_to(
        lambda: owed(client, "t2"), {1: ("ed", 700), 5: ("cy", 700)}, "what is owed went along"
    )
    await come_to(lambda: owed(client, "t1"), {1: ("bo", 700), 2: ("ann", 0)}, "and left t1")
    await eventually(
        lambda: client.call(
            "PayTime", "dealer", table="t2", seat=5, amount_cents=TIME_CENTS, request_id="pay-cy"
        )
    )
    await come_to(
        lambda: seated(client, "t2"), {1: ("ed", 40_000), 5: ("cy", 39_300)}, "paid from the stack"
    )


async def test_what_is_posted_at_a_table_holds_there_in_every_context(client: Client) -> None:
    for table in ("t1", "t2"):
        await client.call("OpenTable", "floor", table=table, game_id=GAME)
    posted = await client.call(
        "PostTableVariation",
        "floor",
        table="t1",
        overrides={"buyin.maximum": "50_000", "collection.time_minutes": "20"},
        reason="short sessions",
    )
    (book,) = posted.variation.books

    async def digest(table: str) -> str:
        found = await client.call("GetTable", "floor", table=table, package="tables")
        return str(found.table.book_digest)

    async def known_there() -> bool:
        return await digest("t1") == book.book_digest

    await eventually(known_there, what="the table plays by what is posted")
    assert await digest("t2") != book.book_digest
    sit_down = {"seat": 1, "buy_in_cents": 60_000}
    for table, person in (("t1", "ann"), ("t2", "bo")):
        await eventually(
            lambda table=table, person=person: client.call(
                "LockSeat",
                "floor",
                table=table,
                seat=1,
                player_id=person,
                override_reason="set-up",
                request_id=f"lock-{person}",
            )
        )
    refused = await client.refused("TakeSeat", "floor", table="t1", player_id="ann", **sit_down)
    assert (refused.reason, refused.rules) == (
        "ABOVE_MAXIMUM_BUY_IN",
        ("LC:table:buyin.maximum",),
    )
    await client.call("TakeSeat", "floor", table="t2", player_id="bo", **sit_down)


async def test_the_table_knows_whether_a_must_move_game_feeds_it(client: Client) -> None:
    async def fed() -> bool:
        found = await client.call("GetTable", "floor", table="t1", package="tables")
        return bool(found.table.must_move_behind)

    await client.call("OpenTable", "floor", table="t1", game_id=GAME)
    await client.call("OpenTable", "floor", table="t2", game_id=GAME, feeds="t1")
    await eventually(fed, what="the lists' link is known at the main game")
    await client.call("UnlinkMustMove", "floor", main="t1", reason="the feeder is a main game now")

    async def alone() -> bool:
        return not await fed()

    await eventually(alone, what="so is that it is gone")


async def test_who_names_a_merged_record_to_the_lists_means_the_person(client: Client) -> None:
    await client.call("MergePlayers", "admin", player_id="cy", from_id="dup", reason="one person")
    signed = await eventually(
        lambda: client.call(
            "SignUp", "brush", game_id=GAME, entry_id="e1", player_id="dup", request_id="sign-up"
        ),
        what="the lists know the game",
    )
    assert [name.player_id for name in signed.board.names] == ["cy"]
    for person in ("dup", "cy"):
        refused = await client.refused(
            "SignUp", "brush", game_id=GAME, entry_id="e2", player_id=person
        )
        assert refused.reason == "ALREADY_LISTED"


async def test_the_winner_of_the_time_pot_pays_the_time_as_the_table_tells_it(
    client: Client,
) -> None:
    await client.call("OpenTable", "floor", table="t1", game_id=GAME)
    for seat, person in ((1, "ann"), (2, "bo"), (3, "cy")):
        await sit(client, "t1", seat, person)
    due = {1: ("ann", 700), 2: ("bo", 700), 3: ("cy", 700)}
    await come_to(lambda: owed(client, "t1"), due, "time is owed in advance")
    stacks = {1: ("ann", 40_000), 2: ("bo", 40_000), 3: ("cy", 40_000)}
    await come_to(lambda: seated(client, "t1"), stacks, "all sit at the table")
    await client.call("AgreePotForTime", "floor", table="t1", seats=[1, 2, 3])
    await client.call("SetCapture", "floor", table="t1", capture=types.CAPTURE_EVERY_ACTION)
    drawn = [types.SeatCard(seat=s, card=card) for s, card in ((1, "Kd"), (2, "9h"), (3, "3c"))]
    await client.call("DrawButton", "floor", package="tables", table="t1", cards=drawn)
    hand = (await client.call("StartHand", "dealer", table="t1")).hand

    async def act(seat: int, action: int, **more: Any) -> Any:
        done = await client.call(
            "TakeAction",
            "dealer",
            table="t1",
            hand_id=hand.hand_id,
            seat=seat,
            action=action,
            **more,
        )
        return done.hand

    winner = hand.to_act_seat
    hand = await act(winner, hands.ACTION_RAISE_TO, to_cents=4000)
    for _ in range(2):
        hand = await act(hand.to_act_seat, hands.ACTION_FOLD)
    paid = {1: ("ann", 0), 2: ("bo", 0), 3: ("cy", 0)}
    await come_to(lambda: owed(client, "t1"), paid, "the time is taken out of the pot")

    async def taken() -> bool:
        found = await seated(client, "t1")
        return found[winner][1] == 43_000 - 3 * TIME_CENTS

    await eventually(taken, what="the winner's stack paid for all three")
    found = await client.call("GetCollection", "floor", table="t1")
    assert (found.collection.collected_cents, found.collection.time_pot_hand) == (2100, "")


async def test_a_changed_fee_is_in_force_at_a_running_table_from_the_next_due_time(
    client: Client,
) -> None:
    await client.call("OpenTable", "floor", table="t1", game_id=GAME)
    await sit(client, "t1", 1, "ann")
    await come_to(lambda: owed(client, "t1"), {1: ("ann", 700)}, "time is owed in advance")
    due = EVENING + timedelta(minutes=40)
    await client.call(
        "SetTimeClock", "floor", table="t1", next_due_at=due, override_reason="on the hour"
    )
    await client.call(
        "ChangeGame", "shift_manager", game=game(time_collection_cents=900), reason="season"
    )
    assert await owed(client, "t1") == {1: ("ann", 0)}
    tables = (f"t{number}" for number in range(2, 1000))

    async def heard() -> bool:
        table = next(tables)
        await client.call("OpenTable", "floor", table=table, game_id=GAME)
        found = await eventually(lambda: client.call("GetCollection", "floor", table=table))
        return bool(found.collection.amount_cents == 900)

    await eventually(heard, what="a table opened now has the new fee")
    await client.call("Advance", "admin", to=due)
    await come_to(lambda: owed(client, "t1"), {1: ("ann", 900)}, "the new fee fell due")
