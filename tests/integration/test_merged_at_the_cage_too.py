"""A merged record through players, jackpot and cage: who is asked under the surviving record is owed and paid."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from cardroom.api.jackpot.v1 import jackpot_service_pb2 as pb
from tests.plugins.evening import Client, evening_process, eventually, open_room

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(120)]

GAME = "20-40-holdem"
CONTEXTS = ("house", "players", "jackpot", "cashier")


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with evening_process(CONTEXTS) as (_, running):
        await open_room(running, "cy", "dup", book="HG")
        yield running


def bad_beat(number: int, digest: str) -> pb.HandFacts:
    """Return a hand in which aces full of `dup` lost to quads."""
    seats = [
        pb.SeatPlayer(seat=seat, player_id="dup" if seat == 3 else f"p{seat}")
        for seat in range(1, 7)
    ]
    return pb.HandFacts(
        hand_id=f"hand/lucky/t1/{number}",
        table="t1",
        game_id=GAME,
        form="holdem",
        dealt_in=seats,
        seated=seats,
        board="Ac2s2hJd7c",
        shown=[pb.ShownHand(seat=3, cards="AsAh"), pb.ShownHand(seat=5, cards="2c2d")],
        pot_cents=3400,
        book_digest=digest,
    )


async def test_jackpot_shares_are_owed_to_the_surviving_record(client: Client) -> None:
    room = await client.call("GetGame", "floor", game_id=GAME)
    digest = room.game.game.book_digest
    await eventually(
        lambda: client.call("OpenCage", "shift_manager", chips_cents=1_000_000, cash_cents=100_000),
        what="the cage knows the room",
    )
    await client.call("OpenPool", "shift_manager", pool="main", seed_cents=8000)
    claims = [
        (
            await eventually(
                lambda number=number: client.call(
                    "OpenClaim",
                    "floor",
                    facts=bad_beat(number, digest),
                    request_id=f"claim-{number}",
                ),
                what="the jackpot knows the book",
            )
        ).claim.claim
        for number in (1, 2)
    ]
    await client.call("AwardJackpot", "shift_manager", claim=claims[0])

    async def owed(count: int) -> Any:
        payouts = (await client.call("GetLedger", "cage")).ledger.payouts
        return [one.player_id for one in payouts] if len(payouts) == count else None

    assert await eventually(lambda: owed(1), what="the cage owes the share") == ["dup"]
    await client.call("MergePlayers", "admin", player_id="cy", from_id="dup", reason="one person")

    async def both_know() -> bool:
        claim = (await client.call("GetClaim", "floor", claim=claims[1])).claim
        return await owed(1) == ["cy"] and claim.facts.dealt_in[2].player_id == "cy"

    await eventually(both_know, what="cage and jackpot know the record")
    before = (await client.call("GetClaim", "floor", claim=claims[0])).claim
    assert [share.player_id for share in before.shares] == ["cy"]
    awarded = (await client.call("AwardJackpot", "shift_manager", claim=claims[1])).claim
    assert [share.player_id for share in awarded.shares] == ["cy"]
    assert await eventually(lambda: owed(2), what="both shares are owed") == ["cy", "cy"]
    paid = await client.call("PayOut", "cage", payout_id=f"{claims[0]}.3")
    assert [one.player_id for one in paid.ledger.payouts] == ["cy"]
