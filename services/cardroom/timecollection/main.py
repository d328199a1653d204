"""Wiring of the timecollection context."""

from typing import Final

from cardroom.adapters.bus.envelope import key_by_table
from cardroom.adapters.context import ContextSpec
from cardroom.known.inbox import note_house
from cardroom.timecollection.core import DECIDER
from cardroom.timecollection.inbox import from_seating, from_tables, from_waitlist
from cardroom.timecollection.publish import publish
from cardroom.timecollection.servicer import TimeCollectionServicer

CONTEXT: Final = ContextSpec(
    name="timecollection",
    decider=DECIDER,
    publish=publish,
    ordering_key=key_by_table,
    inboxes={
        "house": note_house,
        "tables": from_tables,
        "seating": from_seating,
        "waitlist": from_waitlist,
    },
    servicers=lambda parts: (TimeCollectionServicer(parts.app),),
)
