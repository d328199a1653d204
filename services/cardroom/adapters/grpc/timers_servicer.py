"""TimersService: deadlines that passed during an outage, listed and released."""

from collections.abc import Mapping
from typing import Any

from cardroom.adapters.application import Application
from cardroom.adapters.grpc.caller import present_caller
from cardroom.adapters.grpc.servicer import timestamp_of
from cardroom.adapters.shell.requests import Request
from cardroom.api.timers.v1 import timers_service_pb2 as pb
from cardroom.api.timers.v1.timers_service_pb2_grpc import TimersServiceServicer
from cardroom.kernel.refusal import Unknown


class TimersServicer(TimersServiceServicer):
    """Serves the deadlines of the contexts that run in this process."""

    def __init__(self, apps: Mapping[str, Application]) -> None:
        """Take the applications by context.

        Args:
            apps: those of this process.
        """
        self._apps = apps

    async def ListOverdue(
        self, request: pb.ListOverdueRequest, context: Any
    ) -> pb.ListOverdueResponse:
        """List what waits in a room."""
        found = [
            (overdue.at, name, overdue)
            for name, app in self._apps.items()
            for overdue in await app.overdue()
            if _of_room(overdue.stem, request.room)
        ]
        return pb.ListOverdueResponse(
            deadlines=[
                pb.OverdueDeadline(
                    context=name,
                    stem=overdue.stem,
                    due_at=timestamp_of(at),
                    action=type(overdue.command).__name__,
                )
                for at, name, overdue in sorted(
                    found, key=lambda one: (one[0], one[1], one[2].stem)
                )
            ]
        )

    async def ReleaseOverdue(
        self, request: pb.ReleaseOverdueRequest, context: Any
    ) -> pb.ReleaseOverdueResponse:
        """Release what waits, in the caller's name; releasing again what has fired releases nothing.

        Raises:
            Unknown: CR-2, no such context runs here.
            Refused: CR-9 role or reason, CR-13 a stem holds nothing that waits.
        """
        app = self._apps.get(request.context)
        if app is None:
            raise Unknown("context of this process", request.context, field="context")
        caller = present_caller()
        waiting = {one.stem for one in await app.overdue() if _of_room(one.stem, request.room)}
        stems = sorted(set(request.stems) or waiting)
        if not stems:
            return pb.ReleaseOverdueResponse()
        await app.release_overdue(
            Request(
                request_id=request.request_id,
                actor=caller.subject,
                roles=caller.roles,
                station=caller.station,
                override_reason=request.reason,
                correlation_id=caller.correlation_id,
            ),
            stems,
        )
        return pb.ReleaseOverdueResponse(stems=stems)


def _of_room(stem: str, room: str) -> bool:
    return stem.split("/")[1:2] == [room]
