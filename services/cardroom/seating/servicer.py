"""The gRPC services of seating."""

from typing import Any, Final, TypeVar

from google.protobuf.message import Message

from cardroom.adapters.application import Application
from cardroom.adapters.grpc.caller import present_caller
from cardroom.adapters.grpc.convert import fill, struct_of
from cardroom.adapters.grpc.servicer import Servicer
from cardroom.adapters.grpc.watch import watch_views
from cardroom.api.seating.v1 import away_service_pb2 as away_pb
from cardroom.api.seating.v1 import away_service_pb2_grpc as away_grpc
from cardroom.api.seating.v1 import moves_service_pb2 as moves_pb
from cardroom.api.seating.v1 import moves_service_pb2_grpc as moves_grpc
from cardroom.api.seating.v1 import seating_service_pb2 as pb
from cardroom.api.seating.v1 import seating_service_pb2_grpc as pb_grpc
from cardroom.api.seating.v1 import seating_types_pb2 as types
from cardroom.kernel.decisions import Command, Occasion
from cardroom.kernel.refusal import Unknown
from cardroom.kernel.streams import Streams
from cardroom.seating import commands as c
from cardroom.seating.ask import Players
from cardroom.seating.core import DECIDER
from cardroom.seating.here import here_at
from cardroom.seating.legal import legal
from cardroom.seating.merging import as_known
from cardroom.seating.presence import Floor, Presence, floor_stream, presence_stream
from cardroom.seating.table import TableSeats, seats_stream
from cardroom.seating.values import Deal, LockKind
from cardroom.seating.views import dealing_message, offer_message, table_message

C = TypeVar("C", bound=Command)

LOCK_KINDS: Final = {
    types.SEAT_LOCK_KIND_UNSPECIFIED: LockKind.NAME,
    types.SEAT_LOCK_KIND_NAME: LockKind.NAME,
    types.SEAT_LOCK_KIND_MARKER: LockKind.MARKER,
    types.SEAT_LOCK_KIND_POT: LockKind.POT,
    types.SEAT_LOCK_KIND_MUST_MOVE: LockKind.MUST_MOVE,
}


class OfSeating(Servicer):
    """What the services of seating share."""

    app: Any

    def __init__(self, app: Application, players: Players) -> None:
        """Keep the application and the way to players.

        Args:
            app: the application of seating.
            players: tells whether a person may sit.
        """
        super().__init__(app)
        self.players = players


def _nested(request: Any) -> dict[str, Any]:
    """Return the values of a request that are no plain fields."""
    fields = request.DESCRIPTOR.fields_by_name
    given: dict[str, Any] = {}
    if "deal" in fields:
        given["deal"] = struct_of(Deal, request.deal)
    if "kind" in fields:
        given["kind"] = LOCK_KINDS[request.kind]
    if "stacks" in fields:
        given["stacks"] = tuple((s.player_id, s.chips_cents) for s in request.stacks)
    if "cards" in fields and fields["cards"].message_type is not None:
        given["cards"] = tuple((drawn.who, drawn.card) for drawn in request.cards)
    if "seats" in fields and fields["seats"].message_type is not None:
        given["seats"] = tuple((at.table, at.seat) for at in request.seats)
    return given


def on_table(command: type[C], reply: type[Message], standing_of: str = "") -> Any:
    """Return the handler of an RPC that sends a command about a table and answers with the table after it.

    Args:
        command: the command class; its fields are taken from the request's fields of the same names.
        reply: the response class, with a field `table`.
        standing_of: the request field that names the person whose standing the command carries in.
    """

    async def handle(self: OfSeating, request: Any, context: Any) -> Any:
        given = _nested(request)
        if standing_of:
            person = getattr(request, standing_of)
            given["standing"] = await self.players.standing(request.room, person)
        stream = seats_stream(request.room, request.table)

        def view(streams: Streams) -> Any:
            return reply(table=table_message(streams[stream], streams.version(stream)))

        asked: Any = struct_of(command, request, **given)
        return await self.record(context, request, asked, reply, view)

    return handle


class SeatingServicer(OfSeating, pb_grpc.SeatingServiceServicer):
    """Answers `SeatingService`."""

    OpenTable = on_table(c.OpenTable, pb.OpenTableResponse)
    CloseTable = on_table(c.CloseTable, pb.CloseTableResponse)
    ArriveAtTable = on_table(c.ArriveAtTable, pb.ArriveAtTableResponse)
    LockSeat = on_table(c.LockSeat, pb.LockSeatResponse, "player_id")
    ReleaseLock = on_table(c.ReleaseLock, pb.ReleaseLockResponse)
    ReserveSeat = on_table(c.ReserveSeat, pb.ReserveSeatResponse)
    OfferOpenSeat = on_table(c.OfferOpenSeat, pb.OfferOpenSeatResponse)
    TakeSeat = on_table(c.TakeSeat, pb.TakeSeatResponse, "player_id")
    LeaveSeat = on_table(c.LeaveSeat, pb.LeaveSeatResponse)
    TransferSeat = on_table(c.TransferSeat, pb.TransferSeatResponse, "to_player_id")
    CorrectSeats = on_table(c.CorrectSeats, pb.CorrectSeatsResponse)
    RequestSeatChange = on_table(c.RequestSeatChange, pb.RequestSeatChangeResponse)
    DeclineSeat = on_table(c.DeclineSeat, pb.DeclineSeatResponse)
    AssignOpenSeat = on_table(c.AssignOpenSeat, pb.AssignOpenSeatResponse)
    ChangeSeat = on_table(c.ChangeSeat, pb.ChangeSeatResponse)
    GrantSeatChange = on_table(c.GrantSeatChange, pb.GrantSeatChangeResponse)
    SwapSeats = on_table(c.SwapSeats, pb.SwapSeatsResponse)
    RequestHand = on_table(c.RequestHand, pb.RequestHandResponse)
    ClaimFreeEntry = on_table(c.ClaimFreeEntry, pb.ClaimFreeEntryResponse)
    BuyChips = on_table(c.BuyChips, pb.BuyChipsResponse, "player_id")
    MarkSmokingSeat = on_table(c.MarkSmokingSeat, pb.MarkSmokingSeatResponse)

    async def GetTable(self, request: pb.GetTableRequest, context: Any) -> pb.GetTableResponse:
        """Return a table."""
        return pb.GetTableResponse(table=await self._table(request.room, request.table))

    async def ListTables(
        self, request: pb.ListTablesRequest, context: Any
    ) -> pb.ListTablesResponse:
        """List the room's tables."""
        floor: Floor
        floor, _ = await self.app.state(floor_stream(request.room))
        tables = [await self._table(request.room, table) for table, _, _ in floor.tables]
        return pb.ListTablesResponse(tables=tables)

    async def WatchTable(self, request: pb.WatchTableRequest, context: Any) -> Any:
        """Show a table, and again after each change."""
        stream = seats_stream(request.room, request.table)

        def view(states: Any, versions: Any) -> pb.WatchTableResponse:
            state: TableSeats = states[stream]
            if not state.table:
                raise Unknown("table", request.table, "table")
            return pb.WatchTableResponse(table=table_message(state, versions[stream]))

        async for shown in watch_views(self.app, (stream,), view, request.resume_token):
            yield shown

    async def GetPresence(
        self, request: pb.GetPresenceRequest, context: Any
    ) -> pb.GetPresenceResponse:
        """Tell where a player sits and which games were left."""
        presence: Presence
        presence, _ = await self.app.state(presence_stream(request.room, request.player_id))
        while presence.into_id and not presence.table:  # a merged record tells of its person
            presence, _ = await self.app.state(presence_stream(request.room, presence.into_id))
        answer = pb.GetPresenceResponse(table=presence.table, seat=presence.seat)
        for left in presence.quits:
            fill(answer.left_games.add(), left)
        return answer

    async def CheckSeat(self, request: pb.CheckSeatRequest, context: Any) -> pb.CheckSeatResponse:
        """Tell which seats a person may have at a table, and how much may and must be bought in."""
        standing = await self.players.standing(request.room, request.player_id)
        asked = c.LockSeat(
            room=request.room, table=request.table, seat=1, player_id=request.player_id
        )
        streams = await self._streams(asked)
        here = here_at(streams, self._occasion(), request.room, request.table)
        player_id = as_known(asked, streams).player_id
        return offer_message(legal(here, player_id, standing))

    def _occasion(self) -> Occasion:
        now = self.app.clock.now()
        roles = present_caller().roles
        return Occasion(at=now, recorded_at=now, gaming_day="", roles=roles)

    async def CheckDealing(
        self, request: pb.CheckDealingRequest, context: Any
    ) -> pb.CheckDealingResponse:
        """Tell who may be dealt into a hand as far as seats are concerned, and what is posted."""
        asked = c.NoteWaiting(room=request.room, table=request.table, names=0)
        streams = await self._streams(asked)
        here = here_at(streams, self._occasion(), request.room, request.table)
        return dealing_message(here, struct_of(Deal, request.deal))

    async def _table(self, room: str, table: str) -> types.Table:
        state: TableSeats
        state, version = await self.app.state(seats_stream(room, table))
        if not state.table:
            raise Unknown("table", table, "table")
        return table_message(state, version)

    async def _streams(self, command: Command) -> Streams:
        """Return the committed states that a command would be decided on."""
        loaded: dict[Any, Any] = {}
        versions: dict[Any, int] = {}
        while True:
            streams = Streams(DECIDER.aggregates, loaded, versions)
            fresh = DECIDER.reads(command, streams) - loaded.keys()
            if not fresh:
                return streams
            for stem in fresh:
                loaded[stem], versions[stem] = await self.app.state(stem)


class AwayServicer(OfSeating, away_grpc.AwayServiceServicer):
    """Answers `AwayService`."""

    LeaveTable = on_table(c.LeaveTable, away_pb.LeaveTableResponse)
    NotifyAbsence = on_table(c.NotifyAbsence, away_pb.NotifyAbsenceResponse)
    StartMealBreak = on_table(c.StartMealBreak, away_pb.StartMealBreakResponse)
    ReturnToTable = on_table(c.ReturnToTable, away_pb.ReturnToTableResponse)
    ExtendAbsence = on_table(c.ExtendAbsence, away_pb.ExtendAbsenceResponse)
    ReviewAbsences = on_table(c.ReviewAbsences, away_pb.ReviewAbsencesResponse)
    PickUpChips = on_table(c.PickUpChips, away_pb.PickUpChipsResponse)
    AddGuest = on_table(c.AddGuest, away_pb.AddGuestResponse)
    RemoveGuest = on_table(c.RemoveGuest, away_pb.RemoveGuestResponse)
    AllowPlayOver = on_table(c.AllowPlayOver, away_pb.AllowPlayOverResponse)
    PlaceBox = on_table(c.PlaceBox, away_pb.PlaceBoxResponse)
    PlayOverSeat = on_table(c.PlayOverSeat, away_pb.PlayOverSeatResponse, "player_id")
    EndPlayOver = on_table(c.EndPlayOver, away_pb.EndPlayOverResponse)
    RegisterSubstitute = on_table(c.RegisterSubstitute, away_pb.RegisterSubstituteResponse)


class MovesServicer(OfSeating, moves_grpc.MovesServiceServicer):
    """Answers `MovesService`."""

    ApproveTableChange = on_table(c.ApproveTableChange, moves_pb.ApproveTableChangeResponse)
    OrderMustMove = on_table(c.OrderMustMove, moves_pb.OrderMustMoveResponse)
    OrderLeave = on_table(c.OrderLeave, moves_pb.OrderLeaveResponse)
    CancelMove = on_table(c.CancelMove, moves_pb.CancelMoveResponse)
    MovePlayer = on_table(c.MovePlayer, moves_pb.MovePlayerResponse, "player_id")
    ForceTableChange = on_table(c.ForceTableChange, moves_pb.ForceTableChangeResponse, "player_id")
    BreakTable = on_table(c.BreakTable, moves_pb.BreakTableResponse)
    DrawForSeats = on_table(c.DrawForSeats, moves_pb.DrawForSeatsResponse)
    CutForSeat = on_table(c.CutForSeat, moves_pb.CutForSeatResponse)
    DrawForButton = on_table(c.DrawForButton, moves_pb.DrawForButtonResponse)
    DealForMove = on_table(c.DealForMove, moves_pb.DealForMoveResponse)
    ProposeLimitChange = on_table(c.ProposeLimitChange, moves_pb.ProposeLimitChangeResponse)
    ObjectToLimitChange = on_table(c.ObjectToLimitChange, moves_pb.ObjectToLimitChangeResponse)
    ApproveLimitChange = on_table(c.ApproveLimitChange, moves_pb.ApproveLimitChangeResponse)
    ChangeLimit = on_table(c.ChangeLimit, moves_pb.ChangeLimitResponse)
    CloseDay = on_table(c.CloseDay, moves_pb.CloseDayResponse)
