"""The lists as a process runs them: wiring only."""

from typing import Final

from cardroom.adapters.context import ContextSpec
from cardroom.known.inbox import note_house
from cardroom.waitlist.ask import Others
from cardroom.waitlist.core import DECIDER
from cardroom.waitlist.inbox import from_players, from_seating
from cardroom.waitlist.publish import publish
from cardroom.waitlist.servicer import WaitlistServicer

CONTEXT: Final = ContextSpec(
    name="waitlist",
    decider=DECIDER,
    publish=publish,
    inboxes={
        "house": note_house,
        "players": from_players,
        "seating": from_seating,
    },
    servicers=lambda parts: (WaitlistServicer(parts.app, Others(parts.peers)),),
)
