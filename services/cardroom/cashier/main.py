"""Wiring of the cashier context."""

from typing import Final

from cardroom.adapters.context import ContextSpec
from cardroom.cashier.core import DECIDER
from cardroom.cashier.inbox import from_jackpot, from_tables, from_timecollection
from cardroom.cashier.publish import publish
from cardroom.cashier.servicer import CashierServicer
from cardroom.known.inbox import merge_records, note_house

CONTEXT: Final = ContextSpec(
    name="cashier",
    decider=DECIDER,
    publish=publish,
    inboxes={
        "house": note_house,
        "tables": from_tables,
        "timecollection": from_timecollection,
        "jackpot": from_jackpot,
        "players": merge_records,
    },
    servicers=lambda parts: (CashierServicer(parts.app),),
)
