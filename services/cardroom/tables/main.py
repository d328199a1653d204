"""The tables as a process runs them: wiring only."""

from typing import Final

from cardroom.adapters.bus.envelope import key_by_table
from cardroom.adapters.context import ContextSpec, Parts
from cardroom.evaluator import NativeEvaluator
from cardroom.tables.core import DECIDER
from cardroom.tables.hands_servicer import HandsServicer
from cardroom.tables.inbox import from_house, from_seating, from_timecollection, from_waitlist
from cardroom.tables.publish import publish
from cardroom.tables.rulings_servicer import RulingsServicer
from cardroom.tables.tables_servicer import TablesServicer

READER: Final = NativeEvaluator()


def servicers(parts: Parts) -> tuple[TablesServicer, HandsServicer, RulingsServicer]:
    """Build the servicers on the running parts."""
    return (
        TablesServicer(parts.app, READER),
        HandsServicer(parts.app, READER),
        RulingsServicer(parts.app, READER),
    )


CONTEXT: Final = ContextSpec(
    name="tables",
    decider=DECIDER,
    publish=publish,
    ordering_key=key_by_table,
    inboxes={
        "house": from_house,
        "seating": from_seating,
        "timecollection": from_timecollection,
        "waitlist": from_waitlist,
    },
    servicers=servicers,
)
