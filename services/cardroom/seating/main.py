"""Seating as a process runs it: wiring only."""

from collections.abc import Sequence
from typing import Any, Final

from cardroom.adapters.context import ContextSpec, Parts
from cardroom.known.inbox import note_house
from cardroom.seating.ask import Players
from cardroom.seating.core import DECIDER
from cardroom.seating.inbox import from_players, from_tables, from_waitlist
from cardroom.seating.publish import publish
from cardroom.seating.servicer import AwayServicer, MovesServicer, SeatingServicer


def _servicers(parts: Parts) -> Sequence[Any]:
    players = Players(parts.peers)
    return tuple(
        service(parts.app, players) for service in (SeatingServicer, AwayServicer, MovesServicer)
    )


CONTEXT: Final = ContextSpec(
    name="seating",
    decider=DECIDER,
    publish=publish,
    inboxes={
        "house": note_house,
        "players": from_players,
        "tables": from_tables,
        "waitlist": from_waitlist,
    },
    servicers=_servicers,
)
