"""The room that all modules here get wrong, and a hand in play in it."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from cardroom.adapters.installation import Installation
from cardroom.api.seating.v1 import seating_service_pb2 as seating
from cardroom.api.tables.v1 import hands_service_pb2 as hands
from cardroom.api.tables.v1.hands_service_pb2_grpc import HandsServiceStub
from cardroom.audit.reader import Reader
from cardroom.demo.opening import LARGE, SMALL
from cardroom.demo.room import ROOM, Room
from tests.plugins.bad_input import (
    AT,
    EMPTY,
    RACE,
    READERS,
    SEATS,
)
from tests.plugins.small_room import small_room


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def room(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Room]:
    async with small_room(tmp_path_factory.mktemp("bad-input") / "data") as opened:
        for table, game_id in ((EMPTY, SMALL), (RACE, LARGE)):
            request = seating.OpenTableRequest(room=ROOM, table=table, game_id=game_id)
            await opened.ask("floor", SEATS, "OpenTable", request)
        installation = Installation(opened.servers.directory)
        READERS[opened] = Reader(installation.database, installation.master_key)
        yield opened
        await READERS.pop(opened).close()


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def hand(room: Room) -> Any:
    """A hand before the flop: the blinds are posted, two hole cards of the first seat to act are known."""
    started = await room.ask("dealer", HandsServiceStub, "StartHand", hands.StartHandRequest(**AT))
    seat = started.hand.to_act_seat
    dealt = hands.NoteHoleCardsRequest(
        **AT, hand_id=started.hand.hand_id, hands=[hands.HoleCards(seat=seat, cards=["As", "Kd"])]
    )
    return (await room.ask("dealer", HandsServiceStub, "NoteHoleCards", dealt)).hand
