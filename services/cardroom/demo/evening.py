"""The evening from the first act to the last, as one script over the public API."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Final

from rich.console import Console

from cardroom.demo import closing, night, opening
from cardroom.demo.hands import recorded_hands
from cardroom.demo.room import TIME_ZONE, Room
from cardroom.demo.servers import Servers
from cardroom.demo.story import Story

START: Final = datetime(2026, 3, 7, 3, 0, tzinfo=UTC)
"""Seven in the evening of 6 March 2026 in the room."""

Between = Callable[[str, Room], Awaitable[None]]
"""What to do after an act, by its name: for tests that let something happen on the way."""


async def nothing(_act: str, _room: Room) -> None:
    """Go on with the next act."""


async def play_evening(servers: Servers, console: Console, between: Between = nothing) -> Story:
    """Play the evening against running servers.

    Args:
        servers: the room's processes.
        console: where the story is told.
        between: called after each act.

    Raises:
        AssertionError: something came out otherwise than it must.
        CallFailed: a call was refused that must not be.
        NotInTime: what one context published did not reach another.
    """
    story = Story(console, TIME_ZONE)
    room = Room(servers, story, START)
    try:
        await play_acts(room, between)
    finally:
        await room.close()
    return story


async def play_acts(room: Room, between: Between = nothing) -> None:
    """Play every act in a room.

    Args:
        room: its people and its clock.
        between: called after each act.

    Raises:
        AssertionError, CallFailed, NotInTime: as with `play_evening`.
    """
    await opening.open_the_room(room)
    await opening.names_sign_up(room)
    await between("signed up", room)
    room.story.act("The first game")
    players = ("p01", "p02", "p03", "p04", "p05", "p06")
    await opening.start_game(room, "t1", opening.SMALL, players, opening.SMALL_BUY_CENTS)
    await opening.draw_button(room, "t1", ("4c", "9d", "Kh", "2s", "Jc", "7d"))
    await night.record_every_action(room, "t1")
    recorded = recorded_hands()
    await night.play_hands(room, "t1", recorded[:2])
    await between("two hands", room)
    beaten, disputed = await night.play_hands(room, "t1", recorded[2:])
    await night.dispute_recorded_hand(room, disputed)
    await night.hit_the_jackpot(room, beaten.hand_id)
    await between("jackpot", room)
    await night.open_must_move(room)
    await between("must-move", room)
    await night.open_time_game(room)
    await between("time game", room)
    await night.collect_time(room)
    await night.dispute_counted_hand(room)
    await between("disputes", room)
    await closing.everybody_leaves(room)
    await closing.count_the_cage(room)
    await closing.tell_balance(room)
    await closing.close_the_day(room)
    await closing.judge_again(room)
    await closing.verify(room)
