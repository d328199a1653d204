"""The gRPC service of the lists."""

from typing import Any, Final, TypeVar

from google.protobuf.message import Message

from cardroom.adapters.application import Application
from cardroom.adapters.grpc.convert import struct_of
from cardroom.adapters.grpc.servicer import Servicer
from cardroom.adapters.grpc.watch import watch_views
from cardroom.api.waitlist.v1 import waitlist_service_pb2 as pb
from cardroom.api.waitlist.v1 import waitlist_service_pb2_grpc as pb_grpc
from cardroom.api.waitlist.v1 import waitlist_types_pb2 as types
from cardroom.kernel.decisions import Command
from cardroom.kernel.refusal import Unknown
from cardroom.kernel.streams import Streams
from cardroom.waitlist import commands as c
from cardroom.waitlist.ask import Others
from cardroom.waitlist.board import Board, board_stream
from cardroom.waitlist.lists import Lists, MustMove, lists_stream, mustmove_stream
from cardroom.waitlist.values import Answer
from cardroom.waitlist.views import board_message, must_move_message

C = TypeVar("C", bound=Command)

ANSWERS: Final = {
    types.CALL_ANSWER_COMING: Answer.COMING,
    types.CALL_ANSWER_GETTING_CHIPS: Answer.GETTING_CHIPS,
    types.CALL_ANSWER_DECLINED: Answer.DECLINED,
    types.CALL_ANSWER_NO_ANSWER: Answer.NO_ANSWER,
}


def _on_board(command: type[C], reply: type[Message]) -> Any:
    """Return the handler of an RPC that sends a command about a board and answers with the board after it."""

    async def handle(self: "WaitlistServicer", request: Any, context: Any) -> Any:
        given: dict[str, Any] = {}
        fields = request.DESCRIPTOR.fields_by_name
        if "players" in fields:
            given["players"] = tuple((one.entry_id, one.player_id) for one in request.players)
        asked: Any = struct_of(command, request, **given)
        return await self.answer_board(request, context, asked, reply)

    return handle


def _on_list(command: type[C], reply: type[Message]) -> Any:
    """Return the handler of an RPC that sends a command about a must-move list and answers with it."""

    async def handle(self: "WaitlistServicer", request: Any, context: Any) -> Any:
        stream = mustmove_stream(request.room, request.main)

        def view(streams: Streams) -> Any:
            state: MustMove = streams[stream]
            return reply(must_move=must_move_message(state, streams.version(stream)))

        asked: Any = struct_of(command, request)
        return await self.record(context, request, asked, reply, view)

    return handle


class WaitlistServicer(Servicer, pb_grpc.WaitlistServiceServicer):
    """Answers `WaitlistService`."""

    app: Any

    def __init__(self, app: Application, others: Others) -> None:
        """Keep the application and the way to other contexts.

        Args:
            app: the application of the lists.
            others: tells who may sign up, and keeps seats.
        """
        super().__init__(app)
        self.others = others

    ReportArrived = _on_board(c.ReportArrived, pb.ReportArrivedResponse)
    SetGoing = _on_board(c.SetGoing, pb.SetGoingResponse)
    RemoveName = _on_board(c.RemoveName, pb.RemoveNameResponse)
    CallName = _on_board(c.CallName, pb.CallNameResponse)
    CallNewGame = _on_board(c.CallNewGame, pb.CallNewGameResponse)
    DropCall = _on_board(c.DropCall, pb.DropCallResponse)
    NoteLeaving = _on_board(c.NoteLeaving, pb.NoteLeavingResponse)
    LeaveLockup = _on_board(c.LeaveLockup, pb.LeaveLockupResponse)
    ReturnLockup = _on_board(c.ReturnLockup, pb.ReturnLockupResponse)
    PlaceFirst = _on_board(c.PlaceFirst, pb.PlaceFirstResponse)
    NoteWaitReason = _on_board(c.NoteWaitReason, pb.NoteWaitReasonResponse)
    CloseDay = _on_board(c.CloseDay, pb.CloseDayResponse)
    LinkMustMove = _on_list(c.LinkMustMove, pb.LinkMustMoveResponse)
    UnlinkMustMove = _on_list(c.UnlinkMustMove, pb.UnlinkMustMoveResponse)
    CallToMain = _on_list(c.CallToMain, pb.CallToMainResponse)
    DeclineMove = _on_list(c.DeclineMove, pb.DeclineMoveResponse)
    PassMove = _on_list(c.PassMove, pb.PassMoveResponse)
    CloseMustMoveDay = _on_list(c.CloseMustMoveDay, pb.CloseMustMoveDayResponse)

    async def SignUp(self, request: pb.SignUpRequest, context: Any) -> pb.SignUpResponse:
        """Put a name on the board, with what players say of its owner."""
        standing = await self.others.standing(request.room, request.player_id)
        # A name that does not say otherwise is of somebody who means to play.
        going = request.going if request.HasField("going") else True
        command = struct_of(c.SignUp, request, standing=standing, going=going)
        answer: pb.SignUpResponse = await self.answer_board(
            request, context, command, pb.SignUpResponse
        )
        return answer

    async def AnswerCall(
        self, request: pb.AnswerCallRequest, context: Any
    ) -> pb.AnswerCallResponse:
        """Enter what a called player says; for one who comes seating keeps the seat first."""
        said, locked = ANSWERS[request.answer], 0
        if said is Answer.COMING:
            locked = await self._lock(request)
        command = c.AnswerCall(
            room=request.room,
            game_id=request.game_id,
            entry_id=request.entry_id,
            answer=said,
            locked_seat=locked,
        )
        answer: pb.AnswerCallResponse = await self.answer_board(
            request, context, command, pb.AnswerCallResponse
        )
        return answer

    async def _lock(self, request: pb.AnswerCallRequest) -> int:
        """Have seating keep the seat that a called player takes, and return it; 0 for a new game's free choice.

        An answer that was entered before under the same request id keeps its seat, so asking again is harmless.
        """
        board: Board
        board, _ = await self.app.state(board_stream(request.room, request.game_id))
        name = board.name(request.entry_id)
        if name is None or name.call is None:
            return int(request.seat)
        seat = int(request.seat) or name.call.seat
        if seat:
            await self.others.lock_seat(
                request.room,
                name.call.table,
                seat,
                name.player_id,
                name.entry_id,
                request.request_id,
            )
        return seat

    async def answer_board(
        self, request: Any, context: Any, command: Command, reply: type[Message]
    ) -> Any:
        """Send a command about a board through the shell and answer with the board after it."""
        stream = board_stream(request.room, request.game_id)

        def view(streams: Streams) -> Any:
            return reply(board=board_message(streams[stream], streams.version(stream)))

        return await self.record(context, request, command, reply, view)

    async def GetBoard(self, request: pb.GetBoardRequest, context: Any) -> pb.GetBoardResponse:
        """Return a game's board."""
        return pb.GetBoardResponse(board=await self._board(request.room, request.game_id))

    async def ListBoards(
        self, request: pb.ListBoardsRequest, context: Any
    ) -> pb.ListBoardsResponse:
        """List the room's boards."""
        lists: Lists
        lists, _ = await self.app.state(lists_stream(request.room))
        boards = [await self._board(request.room, game_id) for game_id in lists.games]
        return pb.ListBoardsResponse(boards=boards)

    async def _board(self, room: str, game_id: str) -> types.Board:
        board: Board
        board, version = await self.app.state(board_stream(room, game_id))
        if not version:
            raise Unknown("board", game_id, "game_id")
        people = tuple(name.player_id for name in board.names)
        return board_message(board, version, await self.others.board_names(room, people))

    async def WatchBoard(self, request: pb.WatchBoardRequest, context: Any) -> Any:
        """Show a game's board, and again after each change."""
        stream = board_stream(request.room, request.game_id)
        names: dict[str, str] = {}

        def view(states: Any, versions: Any) -> pb.WatchBoardResponse:
            if not versions[stream]:
                raise Unknown("board", request.game_id, "game_id")
            board: Board = states[stream]
            shown = board_message(board, versions[stream], names)
            return pb.WatchBoardResponse(board=shown)

        board: Board
        board, _ = await self.app.state(stream)
        names.update(await self._names(request.room, board, names))
        async for shown in watch_views(self.app, (stream,), view, request.resume_token):
            missing = [n for n in shown.board.names if n.player_id not in names]
            if missing:
                people = tuple(n.player_id for n in missing)
                names.update(await self.others.board_names(request.room, people))
                for name in missing:
                    name.board_name = names.get(name.player_id, name.player_id)
            yield shown

    async def _names(self, room: str, board: Board, known: dict[str, str]) -> dict[str, str]:
        people = tuple(n.player_id for n in board.names if n.player_id not in known)
        return await self.others.board_names(room, people)

    async def GetMustMove(
        self, request: pb.GetMustMoveRequest, context: Any
    ) -> pb.GetMustMoveResponse:
        """Return a main game's must-move list."""
        state: MustMove
        state, version = await self.app.state(mustmove_stream(request.room, request.main))
        if not state.main:
            raise Unknown("must-move list", request.main, "main")
        return pb.GetMustMoveResponse(must_move=must_move_message(state, version))
