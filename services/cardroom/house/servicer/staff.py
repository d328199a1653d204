"""The gRPC service of staff, stations and the dealer line-up."""

import hashlib
from collections.abc import Iterable
from typing import Any, TypeVar

from google.protobuf.message import Message

from cardroom.adapters.grpc.people import badge_digest, pin_digest
from cardroom.adapters.grpc.servicer import Servicer, instant_of
from cardroom.api.house.v1 import house_types_pb2 as types
from cardroom.api.house.v1 import staff_service_pb2 as pb
from cardroom.api.house.v1 import staff_service_pb2_grpc as pb_grpc
from cardroom.api.options.v1.options_pb2 import Role
from cardroom.house import commands as c
from cardroom.house.events import DealerPushed, DealerRelieved
from cardroom.house.room import opened, room_stream
from cardroom.house.servicer.people import StaffList
from cardroom.house.staff import Staff, staff_stream
from cardroom.house.values import Down, Station, StationKind
from cardroom.house.views import (
    dealing_message,
    down_message,
    member_message,
    page,
    station_message,
)
from cardroom.kernel.decisions import Command, Decision
from cardroom.kernel.streams import Streams

M = TypeVar("M", bound=Message)


class StaffServicer(Servicer, pb_grpc.StaffServiceServicer):
    """Answers `StaffService`."""

    app: Any

    async def AddStaff(  # noqa: N802
        self, request: pb.AddStaffRequest, context: Any
    ) -> pb.AddStaffResponse:
        """Somebody begins to work in the room."""
        command = c.AddStaff(
            room=request.room, staff_id=request.staff_id, roles=_roles(request.roles)
        )
        return await self._member(request, context, command, pb.AddStaffResponse)

    async def ChangeStaffRoles(  # noqa: N802
        self, request: pb.ChangeStaffRolesRequest, context: Any
    ) -> pb.ChangeStaffRolesResponse:
        """Give a member of staff other roles."""
        command = c.ChangeStaffRoles(
            room=request.room, staff_id=request.staff_id, roles=_roles(request.roles)
        )
        return await self._member(request, context, command, pb.ChangeStaffRolesResponse)

    async def SetCredentials(  # noqa: N802
        self, request: pb.SetCredentialsRequest, context: Any
    ) -> pb.SetCredentialsResponse:
        """Give a member of staff a badge or a PIN."""
        # A salt of this request's own, so that a repeated request comes to the same digest.
        owner = f"{request.room}\0{request.staff_id}\0{request.request_id}"
        salt = hashlib.sha256(owner.encode()).digest()[:16]
        command = c.SetCredentials(
            room=request.room,
            staff_id=request.staff_id,
            badge_digest=badge_digest(request.badge) if request.badge else "",
            pin_digest=pin_digest(request.pin, salt) if request.pin else "",
        )
        return await self._member(request, context, command, pb.SetCredentialsResponse)

    async def RemoveStaff(  # noqa: N802
        self, request: pb.RemoveStaffRequest, context: Any
    ) -> pb.RemoveStaffResponse:
        """Somebody ends to work in the room."""
        command = c.RemoveStaff(room=request.room, staff_id=request.staff_id, reason=request.reason)
        return await self._member(request, context, command, pb.RemoveStaffResponse)

    async def ListStaff(  # noqa: N802
        self, request: pb.ListStaffRequest, context: Any
    ) -> pb.ListStaffResponse:
        """List the staff of a room."""
        staff = await self._staff(request.room)
        members = sorted(staff.members.items())
        shown, following = page(members, request.page_size, request.page_token)
        return pb.ListStaffResponse(
            members=[member_message(one) for one in shown], next_page_token=following
        )

    async def FindStaff(  # noqa: N802
        self, request: pb.FindStaffRequest, context: Any
    ) -> pb.FindStaffResponse:
        """Say who stands behind a subject or badge, to Cardroom's own processes."""
        people = StaffList(self.app)
        if request.WhichOneof("by") == "subject":
            person = await people.by_subject(request.subject)
        else:
            person = await people.by_badge(request.badge_digest)
        if person is None:
            return pb.FindStaffResponse()
        return pb.FindStaffResponse(
            subject=person.subject, roles=sorted(person.roles), pin_digest=person.pin_digest
        )

    async def SetStation(  # noqa: N802
        self, request: pb.SetStationRequest, context: Any
    ) -> pb.SetStationResponse:
        """Add a station or change it."""
        given = request.station
        kind = types.StationKind.Name(given.kind).removeprefix("STATION_KIND_")
        station = Station(
            station_id=given.station_id,
            kind=StationKind[kind],
            table=given.table,
            shared=given.shared,
        )

        def view(streams: Streams) -> pb.SetStationResponse:
            staff: Staff = streams[staff_stream(request.room)]
            return pb.SetStationResponse(station=station_message(staff.stations[given.station_id]))

        command = c.SetStation(room=request.room, station=station)
        return await self.record(context, request, command, pb.SetStationResponse, view)

    async def RemoveStation(  # noqa: N802
        self, request: pb.RemoveStationRequest, context: Any
    ) -> pb.RemoveStationResponse:
        """Remove a station."""
        command = c.RemoveStation(room=request.room, station_id=request.station_id)
        await self.submit(context, request, command)
        return pb.RemoveStationResponse()

    async def ListStations(  # noqa: N802
        self, request: pb.ListStationsRequest, context: Any
    ) -> pb.ListStationsResponse:
        """List the stations of a room."""
        staff = await self._staff(request.room)
        return pb.ListStationsResponse(
            stations=[station_message(one) for _, one in sorted(staff.stations.items())]
        )

    async def PlanLineUp(  # noqa: N802
        self, request: pb.PlanLineUpRequest, context: Any
    ) -> pb.PlanLineUpResponse:
        """Say who is to deal where, and when."""
        downs = tuple(
            Down(
                table=one.table,
                dealer=one.dealer,
                starts_at=instant_of(one.starts_at, "downs.starts_at"),
                ends_at=instant_of(one.ends_at, "downs.ends_at"),
            )
            for one in request.downs
        )

        def view(streams: Streams) -> pb.PlanLineUpResponse:
            staff: Staff = streams[staff_stream(request.room)]
            return pb.PlanLineUpResponse(downs=[down_message(one) for one in staff.plan])

        command = c.PlanLineUp(room=request.room, downs=downs)
        return await self.record(context, request, command, pb.PlanLineUpResponse, view)

    async def PushDealer(  # noqa: N802
        self, request: pb.PushDealerRequest, context: Any
    ) -> pb.PushDealerResponse:
        """A dealer sits down at a table and relieves whoever deals there."""

        def answer(decision: Decision, _streams: Streams) -> bytes:
            ((_, event),) = decision
            assert isinstance(event, DealerPushed)
            response = pb.PushDealerResponse(
                dealing=dealing_message(event.dealing), relieved=event.relieved
            )
            return response.SerializeToString()

        command = c.PushDealer(room=request.room, table=request.table, dealer=request.dealer)
        outcome = await self.submit(context, request, command, answer)
        return pb.PushDealerResponse.FromString(outcome.result)

    async def RelieveDealer(  # noqa: N802
        self, request: pb.RelieveDealerRequest, context: Any
    ) -> pb.RelieveDealerResponse:
        """The dealer of a table gets up and nobody sits down."""

        def answer(decision: Decision, _streams: Streams) -> bytes:
            ((_, event),) = decision
            assert isinstance(event, DealerRelieved)
            return pb.RelieveDealerResponse(dealer=event.dealer).SerializeToString()

        command = c.RelieveDealer(room=request.room, table=request.table)
        outcome = await self.submit(context, request, command, answer)
        return pb.RelieveDealerResponse.FromString(outcome.result)

    async def GetLineUp(  # noqa: N802
        self, request: pb.GetLineUpRequest, context: Any
    ) -> pb.GetLineUpResponse:
        """Return who deals where now, and the plan."""
        staff = await self._staff(request.room)
        return pb.GetLineUpResponse(
            dealing=[dealing_message(one) for _, one in sorted(staff.dealing.items())],
            downs=[down_message(one) for one in staff.plan],
        )

    async def _staff(self, room: str) -> Staff:
        state, _ = await self.app.state(room_stream(room))
        opened(state, room)
        staff: Staff
        staff, _ = await self.app.state(staff_stream(room))
        return staff

    async def _member(self, request: Any, context: Any, command: Command, reply: type[M]) -> M:
        def view(streams: Streams) -> M:
            staff: Staff = streams[staff_stream(request.room)]
            answer: Any = reply()
            answer.member.CopyFrom(member_message(staff.members[request.staff_id]))
            shown: M = answer
            return shown

        return await self.record(context, request, command, reply, view)


def _roles(roles: Iterable[int]) -> tuple[str, ...]:
    known = {value.number: value.name for value in Role.DESCRIPTOR.values}
    return tuple(known.get(role, str(role)).removeprefix("ROLE_").lower() for role in roles)
