"""The gRPC service of reporting."""

from datetime import date
from typing import Any

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from cardroom.api.reporting.v1 import reporting_service_pb2 as pb
from cardroom.api.reporting.v1.reporting_service_pb2_grpc import ReportingServiceServicer
from cardroom.kernel.refusal import Refused

Pool = AsyncConnectionPool[AsyncConnection[Any]]


class ReportingServicer(ReportingServiceServicer):
    """Answers from the read models."""

    def __init__(self, database: Pool) -> None:
        """Take the pool of connections in reporting's own schema."""
        self._database = database

    async def GetDayFigures(
        self, request: pb.GetDayFiguresRequest, context: Any
    ) -> pb.GetDayFiguresResponse:
        """Read the figures of a gaming day.

        Raises:
            Refused: CR-4, the gaming day is no day of the calendar.
        """
        try:
            day = date.fromisoformat(request.gaming_day)
        except ValueError as fault:
            message = f"gaming_day is {request.gaming_day!r}: {fault}"
            raise Refused("DAY_MALFORMED", "CR-4", message, field="gaming_day") from fault
        async with self._database.connection() as connection:
            rows = await connection.execute(
                "SELECT figure, table_id, amount FROM day_figures WHERE room = %s AND gaming_day = %s "
                "ORDER BY figure, table_id",
                (request.room, day),
            )
            figures = [
                pb.Figure(figure=name, table=table, amount=amount)
                async for name, table, amount in rows
            ]
        return pb.GetDayFiguresResponse(figures=figures)
