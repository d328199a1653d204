"""A small room on real servers, opened through the public API: one game under way at one table."""

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from rich.console import Console

from cardroom.demo import night, opening
from cardroom.demo.evening import START
from cardroom.demo.room import TIME_ZONE, Room
from cardroom.demo.servers import Servers
from cardroom.demo.story import Story

TABLE: Final = "t1"
SEATED: Final = ("p01", "p02", "p03", "p04", "p05", "p06")


@asynccontextmanager
async def small_room(
    directory: Path, *, together: bool = True, environment: dict[str, str] | None = None
) -> AsyncIterator[Room]:
    """Start an installation and open a room in it: six seated at `t1`, the button drawn, no hand yet.

    Args:
        directory: its data directory.
        together: all contexts in one process, or each in one of its own.
        environment: more settings.
    """
    async with Servers(
        directory, together=together, start=START, environment=environment
    ) as servers:
        room = Room(servers, Story(Console(file=io.StringIO(), width=160), TIME_ZONE), START)
        try:
            await open_small_room(room)
            yield room
        finally:
            await room.close()


async def open_small_room(room: Room) -> None:
    """Open the room and start its game."""
    await opening.open_the_room(room)
    await opening.names_sign_up(room)
    await opening.start_game(room, TABLE, opening.SMALL, SEATED, opening.SMALL_BUY_CENTS)
    await opening.draw_button(room, TABLE, ("4c", "9d", "Kh", "2s", "Jc", "7d"))
    await night.record_every_action(room, TABLE)
