"""Wiring of the reporting context."""

from typing import Final

from cardroom.adapters.context import ContextSpec
from cardroom.reporting.projections import DayFigures
from cardroom.reporting.servicer import ReportingServicer

CONTEXT: Final = ContextSpec(
    name="reporting",
    projections=(DayFigures(),),
    servicers=lambda parts: (ReportingServicer(parts.database),),
)
