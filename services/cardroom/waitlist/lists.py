"""A main game's must-move list, and the room's index of boards and tables."""

from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from cardroom.kernel.streams import Aggregate, StreamId, stream_id
from cardroom.known.merged import with_merge
from cardroom.waitlist import events as e
from cardroom.waitlist.values import MoveName


class MustMove(msgspec.Struct, frozen=True, kw_only=True):
    """The must-move list of one main game.

    Args:
        room: its room; empty before the first link.
        game_id: the game both tables spread.
        main: the main game's table.
        feeder: the must-move game's table; empty while none feeds it.
        names: the names, first to move first.
        open_seats: main-game seats open with nobody called for them.
        closed: whether its day is closed.
    """

    room: str = ""
    game_id: str = ""
    main: str = ""
    feeder: str = ""
    names: tuple[MoveName, ...] = ()
    open_seats: tuple[int, ...] = ()
    closed: bool = False

    def name_of(self, player_id: str) -> MoveName | None:
        """Return a player's name on the list."""
        return next((n for n in self.names if n.player_id == player_id), None)

    def next_up(self) -> MoveName | None:
        """Return the first name that may be called."""
        free = (n for n in self.names if not n.called_seat and not n.declined and not n.passed)
        return next(free, None)

    def called_for(self, seat: int) -> MoveName | None:
        """Return the name that is called for a main-game seat."""
        return next((n for n in self.names if n.called_seat == seat and not n.declined), None)


def mustmove_stream(room: str, main: str) -> StreamId:
    """Return the stream of a main game's must-move list."""
    return stream_id("mustmove", room, main)


def _with_name(state: MustMove, whose: str, **changes: Any) -> MustMove:
    names = tuple(replace(n, **changes) if n.player_id == whose else n for n in state.names)
    return replace(state, names=names)


def evolve(state: MustMove, event: Any) -> MustMove:
    """Return a must-move list after an event."""
    match event:
        case e.MustMoveLinked():
            return replace(
                state,
                room=event.room,
                game_id=event.game_id,
                main=event.main,
                feeder=event.feeder,
            )
        case e.MustMoveUnlinked():
            return replace(state, feeder="", names=())
        case e.MoveNameAdded(name=name):
            others = tuple(n for n in state.names if n.player_id != name.player_id)
            return replace(state, names=tuple(sorted((*others, name), key=lambda n: n.ticket)))
        case e.MoveNameKept():
            return _with_name(state, event.player_id, playing=False, called_seat=0)
        case e.MoveNameRemoved():
            kept = tuple(n for n in state.names if n.player_id != event.player_id)
            return replace(state, names=kept)
        case e.MoveNameMerged():
            return _with_name(state, event.from_id, player_id=event.into_id)
        case e.CalledToMain():
            seats = tuple(s for s in state.open_seats if s != event.seat)
            state = replace(state, open_seats=seats)
            return _with_name(state, event.player_id, called_seat=event.seat)
        case e.MoveDeclined():
            return _with_name(state, event.player_id, declined=True, called_seat=0)
        case e.MovePassed():
            return _with_name(state, event.player_id, passed=True, called_seat=0)
        case e.MainCallDropped():
            return _with_name(state, event.player_id, called_seat=0)
        case e.MainSeatWaits():
            seats = tuple(s for s in state.open_seats if s != event.seat)
            names = state.names
            if not event.is_open:
                names = tuple(replace(n, passed=False) for n in names)
            return replace(
                state,
                open_seats=(*seats, event.seat) if event.is_open else seats,
                names=names,
            )
        case e.MustMoveClosed():
            return replace(state, closed=True)
        case e.MustMoveCarried():
            return MustMove(
                room=event.room,
                game_id=event.game_id,
                main=event.main,
                feeder=event.feeder,
                names=event.names,
                open_seats=event.open_seats,
            )
        case _:
            raise TypeError(f"a must-move list holds no {type(event).__name__}")


MUST_MOVE = Aggregate(kind="mustmove", initial=MustMove(), evolve=evolve, day_bound=True)


class Lists(msgspec.Struct, frozen=True, kw_only=True):
    """The room's boards and tables.

    Args:
        games: games that have a board.
        tables: table -> game spread there, and the main table it feeds or empty.
        struck: barred players -> when the bar ends by itself; None where somebody has to lift it.
        merged: record that is no longer used -> the surviving one of the same person.
    """

    games: tuple[str, ...] = ()
    tables: tuple[tuple[str, str, str], ...] = ()
    struck: dict[str, datetime | None] = {}
    merged: dict[str, str] = {}

    def is_struck(self, player_id: str, at: datetime) -> bool:
        """Whether a player is barred from the room's lists at an instant."""
        until = self.struck.get(player_id)
        return player_id in self.struck and (until is None or at < until)

    def table(self, table: str) -> tuple[str, str] | None:
        """Return game and main table of a table, None where it spreads nothing."""
        return next(((game, feeds) for name, game, feeds in self.tables if name == table), None)


def lists_stream(room: str) -> StreamId:
    """Return the stream that lists a room's boards and tables."""
    return stream_id("lists", room)


def evolve_lists(state: Lists, event: Any) -> Lists:
    """Return the index after an event."""
    match event:
        case e.BoardListed(game_id=game_id):
            return replace(state, games=(*state.games, game_id))
        case e.TableListed():
            others = tuple(t for t in state.tables if t[0] != event.table)
            return replace(state, tables=(*others, (event.table, event.game_id, event.feeds)))
        case e.TableUnlisted():
            return replace(state, tables=tuple(t for t in state.tables if t[0] != event.table))
        case e.RecordMerged():
            return replace(state, merged=with_merge(state.merged, event.from_id, event.into_id))
        case e.PlayerStruck():
            return replace(state, struck={**state.struck, event.player_id: event.until})
        case e.PlayerReadmitted():
            left = {one: until for one, until in state.struck.items() if one != event.player_id}
            return replace(state, struck=left)
        case _:
            raise TypeError(f"the index of lists holds no {type(event).__name__}")


LISTS = Aggregate(kind="lists", initial=Lists(), evolve=evolve_lists)
