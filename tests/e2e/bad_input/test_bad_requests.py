"""Requests repeated, tokens that do not do, and two stations in one instant."""

import asyncio
import time as clock

import pytest

from cardroom.adapters.grpc.auth import TokenKeys, TokenMint
from cardroom.api.cashier.v1 import cashier_service_pb2 as cashier
from cardroom.api.tables.v1 import tables_service_pb2 as tables
from cardroom.api.tables.v1.tables_service_pb2_grpc import TablesServiceStub
from cardroom.client import Client
from cardroom.client.errors import CallFailed
from cardroom.demo.closing import balance
from cardroom.demo.opening import LARGE, LARGE_BUY_CENTS, sign_up
from cardroom.demo.room import ROOM, Room
from tests.plugins.bad_input import (
    CAGE,
    DENIED,
    INVALID,
    NOBODY,
    RACE,
    REFUSED,
    SEATS,
    Wrong,
    check,
    sale,
    settled,
    shown,
    sitting,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(180),
    pytest.mark.xdist_group("e2e"),
    pytest.mark.asyncio(loop_scope="package"),
]


async def test_a_request_id_repeated(room: Room) -> None:
    """The same payload gets the same answer and changes nothing; another one is refused."""
    request = sale(request_id="sale-1", player_id="p08")
    first = await room.ask("cage", CAGE, "SellChips", request)
    before = await settled(room)
    assert await room.ask("cage", CAGE, "SellChips", request) == first
    assert await settled(room) == before
    other = sale(
        request_id="sale-1", player_id="p08", amount_cents=20_000, cash_received_cents=20_000
    )
    wrong = Wrong(
        "cage", CAGE, "SellChips", other, INVALID, "REQUEST_ID_REUSED", "CR-11", "request_id"
    )
    await check(room, wrong)


async def test_the_same_request_at_the_same_instant(room: Room) -> None:
    request = sale(request_id="sale-2", player_id="p08")
    answers = await asyncio.gather(
        *(room.ask("cage", CAGE, "SellChips", request) for _ in range(8))
    )
    assert all(answer == answers[0] for answer in answers)
    balances = {one.account: one.amount_cents for one in answers[0].ledger.balances}
    again = await room.ask("cage", CAGE, "GetLedger", cashier.GetLedgerRequest(room=ROOM))
    assert {one.account: one.amount_cents for one in again.ledger.balances} == balances


def forged(room: Room) -> str:
    """Return a token of a key that this installation does not know, under the name of one it knows."""
    good = TokenMint(TokenKeys(room.servers.directory / "tokens").signing())
    token = good.token("cage", ["cage"], rooms=[ROOM])
    head, claims, signature = token.split(".")
    return ".".join((head, claims, ("A" if signature[0] != "A" else "B") + signature[1:]))


TOKENS = {
    "none": (lambda room: "", NOBODY, "TOKEN_MALFORMED", ""),
    "no token at all": (lambda room: "x.y", NOBODY, "TOKEN_MALFORMED", ""),
    "forged": (forged, NOBODY, "TOKEN_FORGED", ""),
    "expired": (
        lambda room: minted(room, ("cage",), (ROOM,), past=True),
        NOBODY,
        "TOKEN_EXPIRED",
        "",
    ),
    "of another room": (
        lambda room: minted(room, ("cage",), ("other",)),
        DENIED,
        "ROOM_NOT_COVERED",
        "CR-9",
    ),
    "of another role": (
        lambda room: minted(room, ("dealer", "display", "brush"), (ROOM,)),
        DENIED,
        "ROLE_MISSING",
        "CR-9",
    ),
}


def minted(
    room: Room, roles: tuple[str, ...], rooms: tuple[str, ...], *, past: bool = False
) -> str:
    """Return a token of the installation's own key, good now or over since yesterday."""
    keys = TokenKeys(room.servers.directory / "tokens")
    mint = TokenMint(keys.signing(), (lambda: 1_700_000_000.0) if past else clock.time)
    return mint.token("somebody", roles, rooms=rooms)


@pytest.mark.parametrize("name", TOKENS)
async def test_tokens(room: Room, name: str) -> None:
    make, code, reason, rule = TOKENS[name]
    before = await settled(room)
    client = Client(room.servers.addresses, make(room), credentials=room.servers.credentials())
    try:
        with pytest.raises(CallFailed) as caught:
            await client.call(client.stub(CAGE).SellChips, sale())
    finally:
        await client.close()
    assert shown(caught.value) == (code, reason, rule, "")
    assert await settled(room) == before


async def test_two_people_in_one_seat_in_the_same_instant(room: Room) -> None:
    """One of them sits; the other is told that the seat is taken; one event is recorded, not two."""
    people = ("p10", "p11")
    for person in people:
        await sign_up(room, LARGE, person)
    calls = [
        sitting(
            table=RACE,
            seat=1,
            player_id=person,
            buy_in_cents=LARGE_BUY_CENTS,
            entry_id=f"{LARGE}.{person}",
        )
        for person in people
    ]
    for call in calls:
        call.override_reason = "they want to sit together"
    came = await asyncio.gather(
        *(
            room.ask(who, SEATS, "TakeSeat", call)
            for who, call in zip(("floor", "manager"), calls, strict=True)
        ),
        return_exceptions=True,
    )
    failures = [one for one in came if isinstance(one, BaseException)]
    assert len(failures) == 1, came
    assert isinstance(failures[0], CallFailed)
    assert shown(failures[0]) == (REFUSED, "SEAT_TAKEN", "CR-7", "seat")
    view = await room.until(
        "the seat",
        lambda: room.ask(
            "floor", TablesServiceStub, "GetTable", tables.GetTableRequest(room=ROOM, table=RACE)
        ),
        lambda found: found.table.occupied,
    )
    assert len(view.table.occupied) == 1


async def test_one_player_in_two_seats_in_the_same_instant(room: Room) -> None:
    calls = [
        sitting(table=RACE, seat=seat, player_id="p12", buy_in_cents=LARGE_BUY_CENTS)
        for seat in (3, 4)
    ]
    for call in calls:
        call.override_reason = "he may choose"
    came = await asyncio.gather(
        *(room.ask("floor", SEATS, "TakeSeat", call) for call in calls), return_exceptions=True
    )
    failures = [one for one in came if isinstance(one, BaseException)]
    assert len(failures) == 1, came
    assert isinstance(failures[0], CallFailed)
    assert failures[0].reason == "ALREADY_SEATED"


async def test_at_the_end_every_chip_is_where_it_was(room: Room) -> None:
    await balance(room)
