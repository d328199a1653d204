"""Players as a process runs it: wiring only."""

from typing import Final

from cardroom.adapters.context import ContextSpec
from cardroom.players.core import DECIDER
from cardroom.players.inbox import from_house, from_tables
from cardroom.players.publish import publish
from cardroom.players.servicer import PlayersServicer

CONTEXT: Final = ContextSpec(
    name="players",
    decider=DECIDER,
    publish=publish,
    inboxes={"house": from_house, "tables": from_tables},
    servicers=lambda parts: (PlayersServicer(parts.app),),
)
"""Ordered by the group of rooms, the second part of its streams."""
