"""The gRPC service of players."""

from typing import Any, Final, TypeVar

import msgspec
from google.protobuf.message import Message

from cardroom import known
from cardroom.adapters.application import Application
from cardroom.adapters.grpc.caller import present_caller
from cardroom.adapters.grpc.convert import struct_of
from cardroom.adapters.grpc.errors import InvalidRequest
from cardroom.adapters.grpc.servicer import Servicer
from cardroom.api.players.v1 import players_service_pb2 as pb
from cardroom.api.players.v1 import players_service_pb2_grpc as pb_grpc
from cardroom.api.players.v1 import players_types_pb2 as types
from cardroom.kernel.refusal import Unknown
from cardroom.kernel.streams import Streams
from cardroom.known import Room
from cardroom.players import commands as c
from cardroom.players.directory import Directory
from cardroom.players.player import Phase, Player, player_stream, standing_of
from cardroom.players.values import ConductFacts, Hold, Place
from cardroom.players.views import player_message, standing_message

C = TypeVar("C", bound=msgspec.Struct)
PAGE: Final = 50
HOLDS: Final = {
    types.CONDUCT_HOLD_UNSPECIFIED: Hold.NONE,
    types.CONDUCT_HOLD_DEALT_OUT: Hold.DEALT_OUT,
    types.CONDUCT_HOLD_NOT_SEATED: Hold.NOT_SEATED,
}


def _changing(command: type[C], reply: type[Message]) -> Any:
    """Return the handler of an RPC that sends a command about one player and answers with the record after it."""

    async def handle(self: "PlayersServicer", request: Any, context: Any) -> Any:
        stream = player_stream(request.group, request.player_id)
        roles = present_caller().roles

        def view(streams: Streams) -> Any:
            shown = player_message(streams[stream], streams.version(stream), roles)
            return reply(player=shown)

        asked: Any = struct_of(command, request)
        return await self.record(context, request, asked, reply, view)

    return handle


class PlayersServicer(Servicer, pb_grpc.PlayersServiceServicer):
    """Answers `PlayersService`."""

    app: Any

    def __init__(self, app: Application) -> None:
        """Keep the application and open its directory.

        Args:
            app: the application of players.
        """
        super().__init__(app)
        self._directory = Directory(app)

    RegisterPlayer = _changing(c.RegisterPlayer, pb.RegisterPlayerResponse)
    ChangeDetails = _changing(c.ChangeDetails, pb.ChangeDetailsResponse)
    ApplySanction = _changing(c.ApplySanction, pb.ApplySanctionResponse)
    CloseIncident = _changing(c.CloseIncident, pb.CloseIncidentResponse)
    ClearPlayer = _changing(c.ClearPlayer, pb.ClearPlayerResponse)
    BarPlayer = _changing(c.BarPlayer, pb.BarPlayerResponse)
    LiftBar = _changing(c.LiftBar, pb.LiftBarResponse)
    RefuseService = _changing(c.RefuseService, pb.RefuseServiceResponse)
    RestoreService = _changing(c.RestoreService, pb.RestoreServiceResponse)
    KeepApart = _changing(c.KeepApart, pb.KeepApartResponse)
    EndApart = _changing(c.EndApart, pb.EndApartResponse)
    MergePlayers = _changing(c.MergePlayers, pb.MergePlayersResponse)
    PlaceLegalHold = _changing(c.PlaceLegalHold, pb.PlaceLegalHoldResponse)
    LiftLegalHold = _changing(c.LiftLegalHold, pb.LiftLegalHoldResponse)

    async def ReportConduct(
        self, request: pb.ReportConductRequest, context: Any
    ) -> pb.ReportConductResponse:
        """Report an act of one or several persons."""
        command = c.ReportConduct(
            group=request.group,
            incident_id=request.incident_id,
            player_ids=tuple(request.player_ids),
            offence=request.offence,
            place=struct_of(Place, request.place),
            facts=struct_of(ConductFacts, request.facts),
            consequence=HOLDS[request.consequence],
            host_id=request.host_id,
        )
        streams_of = [player_stream(request.group, one) for one in request.player_ids]
        roles = present_caller().roles

        def view(streams: Streams) -> pb.ReportConductResponse:
            return pb.ReportConductResponse(
                players=[player_message(streams[s], streams.version(s), roles) for s in streams_of]
            )

        return await self.record(context, request, command, pb.ReportConductResponse, view)

    async def ErasePlayer(
        self, request: pb.ErasePlayerRequest, context: Any
    ) -> pb.ErasePlayerResponse:
        """Erase what names a person: the fact first, then the key.

        A repeat of the request after a failure in between destroys the key.
        """
        stream = player_stream(request.group, request.player_id)
        roles = present_caller().roles

        def view(streams: Streams) -> pb.ErasePlayerResponse:
            shown = player_message(streams[stream], streams.version(stream), roles)
            return pb.ErasePlayerResponse(player=shown)

        command = struct_of(c.ErasePlayer, request)
        answer = await self.record(context, request, command, pb.ErasePlayerResponse, view)
        await self.app.erase(request.player_id)
        return answer

    async def GetPlayer(self, request: pb.GetPlayerRequest, context: Any) -> pb.GetPlayerResponse:
        """Return a record."""
        player, version = await self._record(request.group, request.player_id)
        shown = player_message(player, version, present_caller().roles)
        return pb.GetPlayerResponse(player=shown)

    async def FindPlayers(
        self, request: pb.FindPlayersRequest, context: Any
    ) -> pb.FindPlayersResponse:
        """Find records by a part of a name or a phone."""
        found = await self._directory.find(request.group, request.query)
        if request.page_token and request.page_token not in found:
            raise InvalidRequest(
                [("page_token", "CR-4", "the page token belongs to another search")]
            )
        start = found.index(request.page_token) if request.page_token else 0
        end = start + (request.page_size or PAGE)
        roles, players = present_caller().roles, []
        for player_id in found[start:end]:
            player, version = await self._record(request.group, player_id)
            players.append(player_message(player, version, roles))
        following = found[end] if end < len(found) else ""
        return pb.FindPlayersResponse(players=players, next_page_token=following)

    async def CheckStanding(
        self, request: pb.CheckStandingRequest, context: Any
    ) -> pb.CheckStandingResponse:
        """Tell what keeps a person from something; of a merged record the surviving one is asked."""
        group = await self._group(request.room)
        player, version = await self._record(group, request.player_id)
        while player.phase is Phase.MERGED:
            player, version = await self._record(group, player.into_id)
        standing = standing_of(player, version, self.app.clock.now())
        return pb.CheckStandingResponse(standing=standing_message(standing))

    async def ListBoardNames(
        self, request: pb.ListBoardNamesRequest, context: Any
    ) -> pb.ListBoardNamesResponse:
        """Return what may stand on public boards."""
        group = await self._group(request.room)
        names = {}
        for player_id in request.player_ids:
            player, _ = await self.app.state(player_stream(group, player_id))
            if player.board_name:
                names[player_id] = player.board_name
        return pb.ListBoardNamesResponse(names=names)

    async def _group(self, room: str) -> str:
        state: Room | None
        state, _ = await self.app.state(known.room_stream(room))
        if state is None:
            raise Unknown("room", room, "room")
        return state.group

    async def _record(self, group: str, player_id: str) -> tuple[Player, int]:
        player: Player
        player, version = await self.app.state(player_stream(group, player_id))
        if player.phase is Phase.UNKNOWN:
            raise Unknown("player", player_id, "player_id")
        return player, version
