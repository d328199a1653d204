"""The gRPC service of tables."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from cardroom import known
from cardroom.adapters.grpc.caller import present_caller
from cardroom.adapters.grpc.servicer import M, Servicer
from cardroom.adapters.grpc.watch import watch_views
from cardroom.api.tables.v1 import tables_service_pb2 as pb
from cardroom.api.tables.v1 import tables_service_pb2_grpc as pb_grpc
from cardroom.kernel.refusal import Unknown
from cardroom.kernel.streams import Streams
from cardroom.poker.reading import Reader
from cardroom.tables import commands as c
from cardroom.tables import taking
from cardroom.tables.hand_rules import hand_rules
from cardroom.tables.hand_views import hand_message
from cardroom.tables.listing import Listing, listing_id
from cardroom.tables.reading import arrival_of, capture_of, cards, maybe, pairs, source_of, way_of
from cardroom.tables.table import Table, hand_id, table_id
from cardroom.tables.views import table_message

MOST_ON_PAGE = 200


class TablesServicer(Servicer, pb_grpc.TablesServiceServicer):
    """Answers `TablesService`."""

    app: Any

    def __init__(self, app: Any, reader: Reader) -> None:
        super().__init__(app)
        self.reader = reader

    async def _recorded(
        self, context: Any, request: Any, command: c.TableCommand, reply: type[M]
    ) -> M:
        def view(streams: Streams) -> M:
            table: Table = streams[table_id(request.room, request.table)]
            rules = streams.get(known.book_stream(table.book_digest)) if table.is_open else None
            # Every answer of a table's command has one field, which the type of messages in general does not tell.
            answer: Any = reply
            shown: M = answer(table=table_message(table, rules))
            return shown

        return await self.record(context, request, command, reply, view)

    async def _shown(self, room: str, name: str) -> Any:
        table: Table
        table, version = await self.app.state(table_id(room, name))
        if not table.table:
            raise Unknown("table", name, field="table")
        rules = None
        if table.is_open:
            table = await self._as_it_goes_on(table)
            rules, _ = await self.app.state(known.book_stream(table.book_digest))
        return table_message(table, rules, version)

    async def _as_it_goes_on(self, table: Table) -> Table:
        """Return an open table as its next command finds it."""
        states: dict[str, Any] = {}
        while missing := [stem for stem in taking.stems(table, states.get) if stem not in states]:
            for stem in missing:
                states[stem], _ = await self.app.state(stem)
        return taking.as_it_goes_on(table, states.get)

    async def GetTable(self, request: pb.GetTableRequest, context: Any) -> pb.GetTableResponse:
        """Return a table."""
        return pb.GetTableResponse(table=await self._shown(request.room, request.table))

    async def ListTables(
        self, request: pb.ListTablesRequest, context: Any
    ) -> pb.ListTablesResponse:
        """List the tables of a room."""
        listing: Listing
        listing, _ = await self.app.state(listing_id(request.room))
        names = [name for name in listing.tables if name > request.page_token]
        size = min(request.page_size or 50, MOST_ON_PAGE)
        shown = []
        for name in names[:size]:
            table = await self._shown(request.room, name)
            if table.open or not request.open_only:
                shown.append(table)
        following = names[size - 1] if len(names) > size else ""
        return pb.ListTablesResponse(tables=shown, next_page_token=following)

    async def WatchTable(
        self, request: pb.WatchTableRequest, context: Any
    ) -> AsyncIterator[pb.WatchTableResponse]:
        """Show a table and its hand in play, then every change."""
        stem = table_id(request.room, request.table)

        def stems(states: Mapping[str, Any]) -> Sequence[str]:
            table: Table | None = states.get(stem)
            if table is None:
                return (stem,)
            wanted: list[str] = [stem, *taking.stems(table, states.get)]
            if table.is_open:
                wanted.append(known.book_stream(table.book_digest))
            if table.last_frame is not None:
                wanted.append(hand_id(table.room, table.table, table.last_hand))
                wanted.append(known.book_stream(table.last_frame.book_digest))
            return tuple(dict.fromkeys(wanted))

        def view(
            states: Mapping[str, Any], versions: Mapping[str, int]
        ) -> pb.WatchTableResponse | None:
            table: Table = states[stem]
            if not table.table:
                raise Unknown("table", request.table, field="table")
            table = taking.as_it_goes_on(table, states.get)
            rules = states.get(known.book_stream(table.book_digest)) if table.is_open else None
            shown = pb.WatchTableResponse(table=table_message(table, rules, versions[stem]))
            if table.last_frame is not None:
                hand = states[hand_id(table.room, table.table, table.last_hand)]
                if hand.hand:
                    book = states[known.book_stream(hand.book_digest)]
                    game_rules = hand_rules(book, hand.game, self.reader)
                    shown.hand.CopyFrom(hand_message(hand, game_rules))
            return shown

        async for message in watch_views(self.app, stems, view, request.resume_token):
            yield message

    async def OpenTable(self, request: pb.OpenTableRequest, context: Any) -> pb.OpenTableResponse:
        """Open a table."""
        command = c.OpenTable(
            room=request.room,
            table=request.table,
            game_id=request.game_id,
            capture=capture_of(request.capture),
            seats=request.seats,
            must_move_behind=request.must_move_behind,
            stated_rules=request.stated_rules,
            tournament=request.tournament,
        )
        return await self._recorded(context, request, command, pb.OpenTableResponse)

    async def CloseTable(
        self, request: pb.CloseTableRequest, context: Any
    ) -> pb.CloseTableResponse:
        """Close a table."""
        command = c.CloseTable(room=request.room, table=request.table, reason=request.reason)
        return await self._recorded(context, request, command, pb.CloseTableResponse)

    async def SitPlayer(self, request: pb.SitPlayerRequest, context: Any) -> pb.SitPlayerResponse:
        """Record that a player sat down."""
        command = c.SitPlayer(
            room=request.room,
            table=request.table,
            seat=request.seat,
            player=request.player_id,
            stack_cents=maybe(request, "stack_cents"),
            arrival=arrival_of(request.arrival),
            announced_cents=request.announced_cents,
            consented_by=request.consented_by,
            source=present_caller().subject,
        )
        return await self._recorded(context, request, command, pb.SitPlayerResponse)

    async def LeaveSeat(self, request: pb.LeaveSeatRequest, context: Any) -> pb.LeaveSeatResponse:
        """Record that a player left."""
        command = c.LeaveSeat(
            room=request.room,
            table=request.table,
            seat=request.seat,
            player=request.player_id,
            stack_cents=maybe(request, "stack_cents"),
            reason=request.reason,
        )
        return await self._recorded(context, request, command, pb.LeaveSeatResponse)

    async def ChangeSeat(
        self, request: pb.ChangeSeatRequest, context: Any
    ) -> pb.ChangeSeatResponse:
        """Record that a player took another seat."""
        command = c.ChangeSeat(
            room=request.room,
            table=request.table,
            seat=request.seat,
            to_seat=request.to_seat,
            player=request.player_id,
        )
        return await self._recorded(context, request, command, pb.ChangeSeatResponse)

    async def NotePresence(
        self, request: pb.NotePresenceRequest, context: Any
    ) -> pb.NotePresenceResponse:
        """Record that a player left his chair or came back."""
        command = c.NotePresence(
            room=request.room,
            table=request.table,
            seat=request.seat,
            present=request.present,
            player=request.player_id,
            source=present_caller().subject,
        )
        return await self._recorded(context, request, command, pb.NotePresenceResponse)

    async def AnnounceChips(
        self, request: pb.AnnounceChipsRequest, context: Any
    ) -> pb.AnnounceChipsResponse:
        """Record chips that are on their way."""
        command = c.AnnounceChips(
            room=request.room,
            table=request.table,
            seat=request.seat,
            cents=request.cents,
            consented_by=request.consented_by,
            told_table=not request.table_not_told,
        )
        return await self._recorded(context, request, command, pb.AnnounceChipsResponse)

    async def AddChips(self, request: pb.AddChipsRequest, context: Any) -> pb.AddChipsResponse:
        """Record chips that came to a stack."""
        command = c.AddChips(
            room=request.room,
            table=request.table,
            seat=request.seat,
            cents=request.cents,
            announced=request.announced,
            money_left_cents=maybe(request, "money_left_cents"),
            restored=request.restored,
        )
        return await self._recorded(context, request, command, pb.AddChipsResponse)

    async def RemoveChips(
        self, request: pb.RemoveChipsRequest, context: Any
    ) -> pb.RemoveChipsResponse:
        """Take chips off a stack."""
        command = c.RemoveChips(
            room=request.room,
            table=request.table,
            seat=request.seat,
            cents=request.cents,
            purpose=request.purpose,
        )
        return await self._recorded(context, request, command, pb.RemoveChipsResponse)

    async def CountStacks(
        self, request: pb.CountStacksRequest, context: Any
    ) -> pb.CountStacksResponse:
        """Enter counted stacks."""
        command = c.CountStacks(
            room=request.room,
            table=request.table,
            stacks=pairs(request.stacks),
            source=source_of(request.source),
        )
        return await self._recorded(context, request, command, pb.CountStacksResponse)

    async def DrawButton(
        self, request: pb.DrawButtonRequest, context: Any
    ) -> pb.DrawButtonResponse:
        """Enter the draw for the button, or draw."""
        command = c.DrawButton(room=request.room, table=request.table, cards=cards(request.cards))
        return await self._recorded(context, request, command, pb.DrawButtonResponse)

    async def PlaceButton(
        self, request: pb.PlaceButtonRequest, context: Any
    ) -> pb.PlaceButtonResponse:
        """Say where button and blinds stood."""
        command = c.PlaceButton(
            room=request.room,
            table=request.table,
            button=request.button_seat,
            blinds=tuple(request.blind_seats),
            reason=request.reason,
        )
        return await self._recorded(context, request, command, pb.PlaceButtonResponse)

    async def CorrectButton(
        self, request: pb.CorrectButtonRequest, context: Any
    ) -> pb.CorrectButtonResponse:
        """Report a button out of position."""
        command = c.CorrectButton(
            room=request.room, table=request.table, right_button=request.right_button_seat
        )
        return await self._recorded(context, request, command, pb.CorrectButtonResponse)

    async def ChooseWayIn(
        self, request: pb.ChooseWayInRequest, context: Any
    ) -> pb.ChooseWayInResponse:
        """Say how a player comes in."""
        command = c.ChooseWayIn(
            room=request.room,
            table=request.table,
            seat=request.seat,
            way=way_of(request.way_in),
            cents=request.cents,
            from_seat=request.from_seat,
            kill=request.kill,
        )
        return await self._recorded(context, request, command, pb.ChooseWayInResponse)

    async def SanctionPosting(
        self, request: pb.SanctionPostingRequest, context: Any
    ) -> pb.SanctionPostingResponse:
        """Take away a player's free entry."""
        command = c.SanctionPosting(
            room=request.room,
            table=request.table,
            seat=request.seat,
            remedy=request.remedy,
            reason=request.reason,
        )
        return await self._recorded(context, request, command, pb.SanctionPostingResponse)

    async def AskGameChange(
        self, request: pb.AskGameChangeRequest, context: Any
    ) -> pb.AskGameChangeResponse:
        """Ask for another game."""
        command = c.AskGameChange(
            room=request.room,
            table=request.table,
            game_id=request.game_id,
            objecting=tuple(request.objecting_seats),
            stated_rules=request.stated_rules,
        )
        return await self._recorded(context, request, command, pb.AskGameChangeResponse)

    async def ApproveGameChange(
        self, request: pb.ApproveGameChangeRequest, context: Any
    ) -> pb.ApproveGameChangeResponse:
        """Approve a change of game."""
        command = c.ApproveGameChange(
            room=request.room, table=request.table, game_id=request.game_id
        )
        return await self._recorded(context, request, command, pb.ApproveGameChangeResponse)

    async def ApplyGameChange(
        self, request: pb.ApplyGameChangeRequest, context: Any
    ) -> pb.ApplyGameChangeResponse:
        """Apply a change that needs nobody's word."""
        command = c.ApplyGameChange(room=request.room, table=request.table, game_id=request.game_id)
        return await self._recorded(context, request, command, pb.ApplyGameChangeResponse)

    async def CallGame(self, request: pb.CallGameRequest, context: Any) -> pb.CallGameResponse:
        """Call the game of the coming hands."""
        command = c.CallGame(
            room=request.room,
            table=request.table,
            game_id=request.game_id,
            name=request.name,
            statement=request.statement,
            seat=request.seat,
        )
        return await self._recorded(context, request, command, pb.CallGameResponse)

    async def SetCapture(
        self, request: pb.SetCaptureRequest, context: Any
    ) -> pb.SetCaptureResponse:
        """Change the capture level."""
        command = c.SetCapture(
            room=request.room, table=request.table, capture=capture_of(request.capture)
        )
        return await self._recorded(context, request, command, pb.SetCaptureResponse)

    async def SetDealer(self, request: pb.SetDealerRequest, context: Any) -> pb.SetDealerResponse:
        """Say who deals."""
        command = c.SetDealer(room=request.room, table=request.table, dealer=request.dealer)
        return await self._recorded(context, request, command, pb.SetDealerResponse)

    async def ChangeDeck(
        self, request: pb.ChangeDeckRequest, context: Any
    ) -> pb.ChangeDeckResponse:
        """Bring another deck into use."""
        command = c.ChangeDeck(
            room=request.room,
            table=request.table,
            reason=request.reason,
            deck=request.deck,
            seat=request.seat,
            back_colors=tuple(request.back_colors),
        )
        return await self._recorded(context, request, command, pb.ChangeDeckResponse)

    async def AskScramble(
        self, request: pb.AskScrambleRequest, context: Any
    ) -> pb.AskScrambleResponse:
        """Ask for a bigger scramble."""
        command = c.AskScramble(room=request.room, table=request.table, seat=request.seat)
        return await self._recorded(context, request, command, pb.AskScrambleResponse)

    async def StartShuffle(
        self, request: pb.StartShuffleRequest, context: Any
    ) -> pb.StartShuffleResponse:
        """Record the first riffle."""
        command = c.StartShuffle(room=request.room, table=request.table)
        return await self._recorded(context, request, command, pb.StartShuffleResponse)

    async def CloseDay(self, request: pb.CloseDayRequest, context: Any) -> pb.CloseDayResponse:
        """Close the table's gaming day."""
        command = c.CloseDay(room=request.room, table=request.table, gaming_day=request.gaming_day)
        return await self._recorded(context, request, command, pb.CloseDayResponse)

    async def SwapSeats(self, request: pb.SwapSeatsRequest, context: Any) -> pb.SwapSeatsResponse:
        """Record that two players changed places."""
        command = c.SwapSeats(
            room=request.room, table=request.table, seats=(request.first_seat, request.second_seat)
        )
        return await self._recorded(context, request, command, pb.SwapSeatsResponse)

    async def CarryPot(self, request: pb.CarryPotRequest, context: Any) -> pb.CarryPotResponse:
        """Keep chips of a void deal in the middle for the next."""
        command = c.CarryPot(
            room=request.room,
            table=request.table,
            sources=pairs(request.sources),
            reason=request.reason,
        )
        return await self._recorded(context, request, command, pb.CarryPotResponse)

    async def NoteHandsMucked(
        self, request: pb.NoteHandsMuckedRequest, context: Any
    ) -> pb.NoteHandsMuckedResponse:
        """Record that all cards are in the muck."""
        command = c.NoteHandsMucked(room=request.room, table=request.table)
        return await self._recorded(context, request, command, pb.NoteHandsMuckedResponse)
