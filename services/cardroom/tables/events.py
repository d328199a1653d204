"""The events that the tables context stores."""

from typing import Final

from cardroom import known
from cardroom.kernel.events import EventTypes
from cardroom.tables import notes_events
from cardroom.tables.dispute import DISPUTE_EVENTS
from cardroom.tables.hand_events import HAND_EVENTS
from cardroom.tables.listing import TableListed
from cardroom.tables.table_folds import TABLE_EVENTS

NOTES_EVENTS: Final = (
    notes_events.IrregularityReported,
    notes_events.FindingRevised,
    notes_events.Ruled,
    notes_events.AccountGiven,
    notes_events.CourtesyBreached,
    notes_events.CourtesyBreachWithdrawn,
)

EVENTS: Final = EventTypes(
    "tables",
    (TableListed, *TABLE_EVENTS, *HAND_EVENTS, *NOTES_EVENTS, *DISPUTE_EVENTS, *known.EVENT_TYPES),
)
