"""What the lists make of players' and seating's messages in either order."""

from datetime import datetime, timedelta

import pytest
from google.protobuf.message import Message
from msgspec.structs import replace

from cardroom.adapters.bus.envelope import received
from cardroom.api.players.v1 import players_events_pb2 as players
from cardroom.api.players.v1 import players_types_pb2 as types
from cardroom.api.seating.v1 import seating_events_pb2 as seating
from cardroom.waitlist.inbox import from_players, from_seating
from tests.plugins.floor_world import GROUP, FloorWorld
from tests.plugins.world import ROOM


def tell(world: FloorWorld, source: str, message: Message, number: int = 1) -> None:
    policy = {"players": from_players, "seating": from_seating}[source]
    for command in policy(received(message, source=source, notification_id=number)):
        world.list(command, "service", actor=source)


def barred(person: str, until: datetime | None = None) -> players.PlayerBarred:
    bar = types.Bar(code="BARRED", rules=["LC-1"])
    if until is not None:
        bar.until.FromDatetime(until)
    return players.PlayerBarred(group=GROUP, player_id=person, bar=bar, rooms=[ROOM])


def forfeited(world: FloorWorld, person: str) -> seating.SeatUnlocked:
    """Seating gave a kept seat up and puts its player first on the list."""
    return seating.SeatUnlocked(
        room=ROOM,
        table="t1",
        game_id=world.games[0].game_id,
        seat=4,
        player_id=person,
        reason="forfeited",
        first_on_list=True,
    )


@pytest.mark.parametrize("bar_first", [False, True])
def test_a_barred_player_is_on_no_list_whichever_word_comes_first(bar_first: bool) -> None:
    world = FloorWorld("LC")
    words = [("seating", forfeited(world, "ann")), ("players", barred("ann"))]
    for source, message in reversed(words) if bar_first else words:
        tell(world, source, message)
    assert world.names() == []
    tell(world, "seating", forfeited(world, "bo"), 2)
    assert world.names() == ["bo"]


def test_who_is_let_in_again_is_placed_first_again() -> None:
    world = FloorWorld("LC")
    tell(world, "players", barred("ann"))
    lifted = players.BarLifted(group=GROUP, player_id="ann", rooms=[ROOM])
    still = players.BarLifted(group=GROUP, player_id="ann", rooms=[ROOM], still_held=True)
    tell(world, "players", still)
    tell(world, "seating", forfeited(world, "ann"))
    assert world.names() == []
    tell(world, "players", lifted)
    tell(world, "seating", forfeited(world, "ann"), 2)
    assert world.names() == ["ann"]


def test_a_bar_that_ended_by_itself_keeps_nobody_off() -> None:
    world = FloorWorld("LC")
    tell(world, "players", barred("ann", world.at + timedelta(minutes=30)))
    tell(world, "seating", forfeited(world, "ann"))
    assert world.names() == []
    world.time("19:31")
    tell(world, "seating", forfeited(world, "ann"), 2)
    assert world.names() == ["ann"]


def test_the_floor_may_place_whom_it_likes() -> None:
    world = FloorWorld("LC")
    tell(world, "players", barred("ann"))
    (command,) = from_seating(received(forfeited(world, "ann"), source="seating"))
    world.list(replace(command, heard=False), "floor")
    assert world.names() == ["ann"]
