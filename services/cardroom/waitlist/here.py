"""What a decision about the lists looks at: a board, its book, the occasion, and other streams by name."""

from datetime import datetime
from typing import Final

import msgspec

from cardroom import known
from cardroom.kernel.decisions import Decision, Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import StreamId, Streams
from cardroom.rulebook.model import ResolvedBook
from cardroom.waitlist.board import Board, board_stream
from cardroom.waitlist.lists import Lists, MustMove, lists_stream, mustmove_stream
from cardroom.waitlist.values import Name

FLOOR: Final = frozenset({"floor", "shift_manager"})
"""Roles that may go against the book where the book leaves it to the floor."""

Records = list[tuple[StreamId, Event]]


class Here(msgspec.Struct, frozen=True):
    """One game's board at one occasion.

    Args:
        streams: everything loaded.
        occasion: when and by whom.
        room: the room.
        game_id: the game.
        board: its board.
        book: the book in force for the game.
    """

    streams: Streams
    occasion: Occasion
    room: str
    game_id: str
    board: Board
    book: ResolvedBook

    @property
    def at(self) -> datetime:
        """The effective time."""
        return self.occasion.at

    @property
    def stream(self) -> StreamId:
        """The board's stream."""
        return board_stream(self.room, self.game_id)

    def on_board(self, *events: Event) -> Decision:
        """Return a decision that records events on the board's stream."""
        return tuple((self.stream, event) for event in events)

    def name(self, entry_id: str) -> Name:
        """Return a name of the board.

        Raises:
            Refused: CR-2, no such entry stands on it.
        """
        found = self.board.name(entry_id)
        if found is None:
            raise Unknown("list entry", entry_id, "entry_id")
        return found

    def lists(self) -> Lists:
        """Return the room's index of boards and tables."""
        found: Lists = self.streams[lists_stream(self.room)]
        return found

    def mustmove(self, main: str) -> MustMove:
        """Return the must-move list of a main game."""
        found: MustMove = self.streams[mustmove_stream(self.room, main)]
        return found

    def by_floor(self) -> bool:
        """Whether a floorperson or the shift manager acts."""
        return bool(self.occasion.roles & FLOOR)


def here_at(streams: Streams, occasion: Occasion, room: str, game_id: str) -> Here:
    """Return a game's board as a decision sees it.

    Raises:
        Refused: CR-2 no such game, CR-10 the board's day is closed.
    """
    book = known.rules_of(streams, room, game_id)
    board: Board = streams[board_stream(room, game_id)]
    if board.closed:
        raise Refused("DAY_CLOSED", "CR-10", f"the day of board {game_id} is closed")
    return Here(streams, occasion, room, game_id, board, book)
