"""Wiring of the jackpot context."""

from cardroom.adapters.bus.envelope import key_by_room
from cardroom.adapters.context import ContextSpec, Parts
from cardroom.evaluator.native import NativeEvaluator
from cardroom.jackpot.core import decider
from cardroom.jackpot.inbox import from_tables
from cardroom.jackpot.publish import publish
from cardroom.jackpot.servicer import JackpotServicer
from cardroom.known.inbox import merge_records, note_house


def servicers(parts: Parts) -> list[JackpotServicer]:
    """Build the servicer on the running parts."""
    return [JackpotServicer(parts.app)]


CONTEXT = ContextSpec(
    name="jackpot",
    decider=decider(NativeEvaluator()),
    publish=publish,
    ordering_key=key_by_room,
    inboxes={"house": note_house, "players": merge_records, "tables": from_tables},
    servicers=servicers,
)
