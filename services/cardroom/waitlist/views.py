"""Boards and must-move lists as messages. They carry board names at most."""

from collections.abc import Mapping

from cardroom.adapters.grpc.convert import fill
from cardroom.api.waitlist.v1 import waitlist_types_pb2 as pb
from cardroom.waitlist.board import Board
from cardroom.waitlist.lists import MustMove

NO_NAMES: Mapping[str, str] = {}


def why_waiting(board: Board) -> str:
    """Say why names wait, or nothing where none waits in vain.

    Args:
        board: the board; what the floor said comes first.
    """
    if board.waiting == 0:
        return ""
    if board.wait_reason:
        return board.wait_reason
    if not board.tables:
        going = sum(1 for name in board.names if name.going)
        return f"no game is open; {going} of {len(board.names)} names are going"
    if not any(table.open_seats for table in board.tables):
        return "all seats are taken"
    return "open seats are being called"


def board_message(board: Board, version: int, names: Mapping[str, str] = NO_NAMES) -> pb.Board:
    """Return a board as anybody may see it.

    Args:
        board: the board.
        version: of its stream.
        names: player id -> board name, where players said.
    """
    shown = []
    for name in board.names:
        board_name = names.get(name.player_id, name.player_id)
        shown.append(fill(pb.Name(), name, board_name=board_name))
    return fill(
        pb.Board(),
        board,
        names=shown,
        version=version,
        waiting_because=why_waiting(board),
    )


def must_move_message(state: MustMove, version: int) -> pb.MustMoveList:
    """Return a must-move list as anybody may see it."""
    return fill(pb.MustMoveList(), state, version=version)
