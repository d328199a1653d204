"""The gRPC service of timecollection."""

from typing import Any, TypeVar

from google.protobuf.message import Message

from cardroom import known
from cardroom.adapters.grpc.convert import fill, struct_of
from cardroom.adapters.grpc.servicer import Servicer, instant_of
from cardroom.api.timecollection.v1 import timecollection_service_pb2 as pb
from cardroom.api.timecollection.v1.timecollection_service_pb2_grpc import (
    TimeCollectionServiceServicer,
)
from cardroom.kernel.decisions import Command
from cardroom.kernel.refusal import Unknown
from cardroom.kernel.streams import Streams
from cardroom.known import Game
from cardroom.rulebook.model import ResolvedBook
from cardroom.timecollection import commands as c
from cardroom.timecollection import events as e
from cardroom.timecollection.collection import legal, why_not_dealt_in
from cardroom.timecollection.core import collection_stream

M = TypeVar("M", bound=Message)


def collection_view(state: e.CollectionState, game: Game, rules: ResolvedBook) -> pb.Collection:
    """Show a table's collection and what may be done now."""
    return fill(pb.Collection(), state, options=legal(state, game, rules) if state.open else ())


class TimeCollectionServicer(Servicer, TimeCollectionServiceServicer):
    """Turns requests into commands; the rules are in the core."""

    async def _record(self, context: Any, request: Any, command: Command, reply: type[M]) -> M:
        def view(streams: Streams) -> M:
            state: e.CollectionState = streams[collection_stream(request.room, request.table)]
            game = known.game_of(streams, request.room, state.game_id)
            rules = known.rules_of(streams, request.room, state.game_id, request.table)
            return reply(collection=collection_view(state, game, rules))

        return await self.record(context, request, command, reply, view)

    async def _open(self, room: str, table: str) -> tuple[e.CollectionState, Game, ResolvedBook]:
        state, _ = await self.app.state(collection_stream(room, table))
        if not state.open:
            raise Unknown("collection of table", table, "table")
        game, _ = await self.app.state(known.game_stream(room, state.game_id))
        posted, _ = await self.app.state(known.variation_stream(room, table))
        digest = posted.digest_for(state.game_id) or game.book_digest
        rules, _ = await self.app.state(known.book_stream(digest))
        return state, game, rules

    async def OpenCollection(
        self, request: pb.OpenCollectionRequest, context: Any
    ) -> pb.OpenCollectionResponse:
        """Begin a table's collection."""
        command = struct_of(c.OpenCollection, request)
        return await self._record(context, request, command, pb.OpenCollectionResponse)

    async def CloseCollection(
        self, request: pb.CloseCollectionRequest, context: Any
    ) -> pb.CloseCollectionResponse:
        """End a table's collection."""
        command = struct_of(c.CloseCollection, request)
        return await self._record(context, request, command, pb.CloseCollectionResponse)

    async def NoteSeat(self, request: pb.NoteSeatRequest, context: Any) -> pb.NoteSeatResponse:
        """Type in that a player sat down."""
        return await self._record(
            context, request, struct_of(c.NoteSeat, request), pb.NoteSeatResponse
        )

    async def NoteLeft(self, request: pb.NoteLeftRequest, context: Any) -> pb.NoteLeftResponse:
        """Type in that a player left."""
        return await self._record(
            context, request, struct_of(c.NoteLeft, request), pb.NoteLeftResponse
        )

    async def NoteAway(self, request: pb.NoteAwayRequest, context: Any) -> pb.NoteAwayResponse:
        """Type in that a player went away or came back."""
        return await self._record(
            context, request, struct_of(c.NoteAway, request), pb.NoteAwayResponse
        )

    async def NoteWaiting(
        self, request: pb.NoteWaitingRequest, context: Any
    ) -> pb.NoteWaitingResponse:
        """Type in how many names wait."""
        command = struct_of(c.NoteWaiting, request)
        return await self._record(context, request, command, pb.NoteWaitingResponse)

    async def PayTime(self, request: pb.PayTimeRequest, context: Any) -> pb.PayTimeResponse:
        """Take the time a seat owes."""
        command = struct_of(c.PayTime, request, cents=request.amount_cents)
        return await self._record(context, request, command, pb.PayTimeResponse)

    async def DeferTime(self, request: pb.DeferTimeRequest, context: Any) -> pb.DeferTimeResponse:
        """Let a player go on unpaid by courtesy."""
        return await self._record(
            context, request, struct_of(c.DeferTime, request), pb.DeferTimeResponse
        )

    async def AgreePotForTime(
        self, request: pb.AgreePotForTimeRequest, context: Any
    ) -> pb.AgreePotForTimeResponse:
        """Agree to pot for time."""
        command = struct_of(c.AgreePotForTime, request)
        return await self._record(context, request, command, pb.AgreePotForTimeResponse)

    async def EndPotForTime(
        self, request: pb.EndPotForTimeRequest, context: Any
    ) -> pb.EndPotForTimeResponse:
        """End potting for time."""
        command = struct_of(c.EndPotForTime, request)
        return await self._record(context, request, command, pb.EndPotForTimeResponse)

    async def OptOut(self, request: pb.OptOutRequest, context: Any) -> pb.OptOutResponse:
        """Let a player pay alone."""
        return await self._record(context, request, struct_of(c.OptOut, request), pb.OptOutResponse)

    async def StartTimePot(
        self, request: pb.StartTimePotRequest, context: Any
    ) -> pb.StartTimePotResponse:
        """Mark a hand as the time pot."""
        command = struct_of(c.StartTimePot, request)
        return await self._record(context, request, command, pb.StartTimePotResponse)

    async def AwardTimePot(
        self, request: pb.AwardTimePotRequest, context: Any
    ) -> pb.AwardTimePotResponse:
        """Take the collection out of the time pot."""
        winners = tuple(
            c.PotWinner(seat=winner.seat, cents=winner.won_cents) for winner in request.winners
        )
        command = struct_of(c.AwardTimePot, request, winners=winners)
        return await self._record(context, request, command, pb.AwardTimePotResponse)

    async def ConvertCollection(
        self, request: pb.ConvertCollectionRequest, context: Any
    ) -> pb.ConvertCollectionResponse:
        """Change a table's method."""
        command = struct_of(c.ConvertCollection, request)
        return await self._record(context, request, command, pb.ConvertCollectionResponse)

    async def SetTimeClock(
        self, request: pb.SetTimeClockRequest, context: Any
    ) -> pb.SetTimeClockResponse:
        """Say when the next period falls due."""
        due = instant_of(request.next_due_at, "next_due_at")
        command = struct_of(c.SetClock, request, next_due_at=due)
        return await self._record(context, request, command, pb.SetTimeClockResponse)

    async def CloseDay(self, request: pb.CloseDayRequest, context: Any) -> pb.CloseDayResponse:
        """Close the gaming day of a table's collection."""
        return await self._record(
            context, request, struct_of(c.CloseDay, request), pb.CloseDayResponse
        )

    async def GetCollection(
        self, request: pb.GetCollectionRequest, context: Any
    ) -> pb.GetCollectionResponse:
        """Read a table's collection."""
        state, game, rules = await self._open(request.room, request.table)
        return pb.GetCollectionResponse(collection=collection_view(state, game, rules))

    async def CheckDealIn(
        self, request: pb.CheckDealInRequest, context: Any
    ) -> pb.CheckDealInResponse:
        """Say whether a seat may be dealt into the next hand."""
        state, game, rules = await self._open(request.room, request.table)
        against = why_not_dealt_in(state, request.seat, game, rules, big_blind=request.big_blind)
        if against is None:
            return pb.CheckDealInResponse(may_be_dealt_in=True)
        return pb.CheckDealInResponse(
            reason=against.message, rules=against.rules, options=against.options
        )
