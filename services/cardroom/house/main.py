"""The house as a process runs it: wiring only."""

from typing import Final

from cardroom.adapters.context import ContextSpec
from cardroom.house.core import DECIDER
from cardroom.house.publish import publish
from cardroom.house.servicer import BookServicer, HouseServicer, StaffServicer
from cardroom.house.servicer.people import StaffList

CONTEXT: Final = ContextSpec(
    name="house",
    decider=DECIDER,
    publish=publish,
    servicers=lambda parts: (
        HouseServicer(parts.app),
        BookServicer(parts.app),
        StaffServicer(parts.app),
    ),
    people=lambda parts: StaffList(parts.app),
)
