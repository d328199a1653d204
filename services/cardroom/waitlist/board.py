"""One game's board: the state, how events change it, and its deadlines."""

from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from cardroom.kernel.streams import Aggregate, StreamId, stream_id
from cardroom.waitlist import commands as c
from cardroom.waitlist import events as e
from cardroom.waitlist.values import BoardTable, ListBar, Name

INSTANT: Final = timedelta(microseconds=1)
"""The least time by which an instant lies past a limit."""


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """The list for one game.

    Args:
        room: its room; empty before the first event.
        game_id: its game.
        names: the names, first up first.
        bars: players who may not sign up for a while.
        tables: tables that spread the game.
        next_ticket: the ticket of the next name.
        tickets: player -> ticket of the last name, for must-move lists.
        wait_reason: why names wait although tables stand empty, or empty.
        wait_since: since when.
        closed: whether its day is closed.
    """

    room: str = ""
    game_id: str = ""
    names: tuple[Name, ...] = ()
    bars: tuple[ListBar, ...] = ()
    tables: tuple[BoardTable, ...] = ()
    next_ticket: int = 1
    tickets: tuple[tuple[str, int], ...] = ()
    wait_reason: str = ""
    wait_since: datetime | None = None
    closed: bool = False

    def name(self, entry_id: str) -> Name | None:
        """Return a name by its entry."""
        return next((n for n in self.names if n.entry_id == entry_id), None)

    def name_of(self, player_id: str) -> Name | None:
        """Return a player's name."""
        return next((n for n in self.names if n.player_id == player_id), None)

    def table(self, table: str) -> BoardTable | None:
        """Return a table that spreads the game."""
        return next((t for t in self.tables if t.table == table), None)

    @property
    def waiting(self) -> int:
        """How many names wait without having been called."""
        return sum(1 for n in self.names if n.call is None)

    @property
    def first_ticket(self) -> int:
        """The lowest ticket on the board, or the next one where it is empty."""
        return min((n.ticket for n in self.names), default=self.next_ticket)


def board_stream(room: str, game_id: str) -> StreamId:
    """Return the stream of a game's board."""
    return stream_id("board", room, game_id)


def _sorted(names: tuple[Name, ...]) -> tuple[Name, ...]:
    return tuple(sorted(names, key=lambda n: n.ticket))


def _with_name(board: Board, entry_id: str, **changes: Any) -> Board:
    names = tuple(replace(n, **changes) if n.entry_id == entry_id else n for n in board.names)
    return replace(board, names=_sorted(names))


def _with_table(board: Board, table: str, **changes: Any) -> Board:
    return replace(
        board,
        tables=tuple(replace(t, **changes) if t.table == table else t for t in board.tables),
    )


def _added(board: Board, event: e.NameAdded) -> Board:
    tickets = {**dict(board.tickets), event.name.player_id: event.name.ticket}
    return replace(
        board,
        room=event.room,
        game_id=event.game_id,
        names=_sorted((*board.names, event.name)),
        next_ticket=max(board.next_ticket, event.name.ticket + 1),
        tickets=tuple(tickets.items()),
    )


def _rolled(board: Board, event: e.NameRolled) -> Board:
    name = board.name(event.entry_id)
    if name is None or name.call is None:
        raise ValueError(f"{event.entry_id} was not called")
    seat = f"{name.call.table}/{name.call.seat}"
    passed = () if event.outcome == "to_bottom" else (*name.passed_for, seat)
    board = _with_name(
        board,
        event.entry_id,
        call=None,
        rolled=name.rolled + 1,
        ticket=event.ticket,
        passed_for=passed,
    )
    tickets = {**dict(board.tickets), name.player_id: event.ticket}
    return replace(
        board,
        next_ticket=max(board.next_ticket, event.ticket + 1),
        tickets=tuple(tickets.items()),
    )


def _dropped(board: Board, event: e.CallDropped) -> Board:
    name = board.name(event.entry_id)
    if name is None or name.call is None:
        raise ValueError(f"{event.entry_id} was not called")
    seat = f"{name.call.table}/{name.call.seat}"
    return _with_name(board, event.entry_id, call=None, passed_for=(*name.passed_for, seat))


def _seat(board: Board, event: e.SeatNoted) -> Board:
    table = board.table(event.table)
    if table is None:
        return board
    seats = {*table.open_seats} - {event.seat} | ({event.seat} if event.is_open else set())
    board = _with_table(board, event.table, open_seats=tuple(sorted(seats)))
    if event.is_open:
        return board
    key = f"{event.table}/{event.seat}"
    names = tuple(
        replace(n, passed_for=tuple(p for p in n.passed_for if p != key)) for n in board.names
    )
    return replace(board, names=names)


def _player(board: Board, event: e.PlayerNoted) -> Board:
    table = board.table(event.table)
    if table is None:
        return board
    others = tuple(p for p in table.players if p != event.player_id)
    players = (*others, event.player_id) if event.seated else others
    return _with_table(board, event.table, players=players)


def _renamed(board: Board, event: e.PlayerRenamed) -> Board:
    def now(players: tuple[str, ...]) -> tuple[str, ...]:
        changed = (event.into_id if one == event.from_id else one for one in players)
        return tuple(dict.fromkeys(changed))

    table = board.table(event.table)
    tickets = dict(board.tickets)
    if event.from_id in tickets:
        tickets.setdefault(event.into_id, tickets.pop(event.from_id))
    board = replace(board, tickets=tuple(tickets.items()))
    if table is None:
        return board
    return _with_table(board, event.table, players=now(table.players), said_yes=now(table.said_yes))


def _called(board: Board, event: e.NameCalled) -> Board:
    return _with_name(board, event.entry_id, call=event.call)


def _answered(board: Board, event: e.CallAnswered) -> Board:
    name = board.name(event.entry_id)
    if name is None or name.call is None:
        raise ValueError(f"{event.entry_id} was not called")
    call = replace(
        name.call,
        answer=event.answer,
        until=event.until,
        seat=event.seat or name.call.seat,
    )
    return _with_name(board, event.entry_id, call=call, arrive_by=None)


def _locked_up(board: Board, event: e.SeatLockedUp) -> Board:
    name = board.name(event.entry_id)
    if name is None or name.call is None:
        raise ValueError(f"{event.entry_id} was not called")
    call = replace(name.call, answer="locked_up", seat=event.seat)
    return _with_name(board, event.entry_id, call=call)


def _carried(event: e.BoardCarried) -> Board:
    return Board(
        room=event.room,
        game_id=event.game_id,
        names=event.names,
        bars=event.bars,
        tables=event.tables,
        next_ticket=event.next_ticket,
        tickets=event.tickets,
        wait_reason=event.wait_reason,
        wait_since=event.wait_since,
    )


def _on_name(board: Board, event: Any) -> Board | None:
    match event:
        case e.NameAdded():
            return _added(board, event)
        case e.NameArrived():
            return _with_name(board, event.entry_id, arrive_by=None)
        case e.NameCalled():
            return _called(board, event)
        case e.CallAnswered():
            return _answered(board, event)
        case e.NameRolled():
            return _rolled(board, event)
        case e.CallDropped():
            return _dropped(board, event)
        case e.NameRemoved():
            kept = tuple(n for n in board.names if n.entry_id != event.entry_id)
            return replace(board, names=kept)
        case e.PlayerRenamed():
            return _renamed(board, event)
        case e.NameMerged():
            return _with_name(board, event.entry_id, player_id=event.into_id)
        case e.GoingSet():
            return _with_name(board, event.entry_id, going=event.going)
        case e.LeavingNoted():
            return _with_name(board, event.entry_id, leaving_noted=True)
        case e.LockupTaken():
            return _with_name(board, event.entry_id, lockup_cents=event.amount_cents)
        case e.LockupReturned():
            return _with_name(board, event.entry_id, lockup_cents=0)
        case e.SeatLockedUp():
            return _locked_up(board, event)
        case _:
            return None


def evolve(board: Board, event: Any) -> Board:
    """Return the board after an event."""
    named = _on_name(board, event)
    if named is not None:
        return named
    match event:
        case e.SignUpBarred(bar=bar):
            return replace(board, bars=(*board.bars, bar))
        case e.TableNoted(table=table):
            others = tuple(t for t in board.tables if t.table != table.table)
            return replace(board, tables=(*others, table))
        case e.TableGone(table=table):
            return replace(board, tables=tuple(t for t in board.tables if t.table != table))
        case e.TableStarted(table=table):
            return _with_table(board, table, starting=False)
        case e.SeatNoted():
            return _seat(board, event)
        case e.PlayerNoted():
            return _player(board, event)
        case e.SaidYes():
            starting = board.table(event.table)
            yes = (*starting.said_yes, event.player_id) if starting else ()
            return _with_table(board, event.table, said_yes=yes)
        case e.WaitExplained():
            since = event.at if event.reason else None
            return replace(board, wait_reason=event.reason, wait_since=since)
        case e.WaitingChanged():
            return board
        case e.BoardClosed():
            return replace(board, closed=True)
        case e.BoardCarried():
            return _carried(event)
        case _:
            raise TypeError(f"a board holds no {type(event).__name__}")


def due(board: Board) -> tuple[tuple[datetime, Any], ...]:
    """Return the deadlines that a board holds: phoned-in names and turns kept for players who get chips."""
    if board.closed:
        return ()
    found: list[tuple[datetime, Any]] = []
    for name in board.names:
        if name.arrive_by is not None:
            late = c.ExpireCallIn(room=board.room, game_id=board.game_id, entry_id=name.entry_id)
            found.append((name.arrive_by + INSTANT, late))
        if name.call is not None and name.call.until is not None:
            over = c.ExpireTurn(room=board.room, game_id=board.game_id, entry_id=name.entry_id)
            found.append((name.call.until + INSTANT, over))
    return tuple(found)


BOARD = Aggregate(kind="board", initial=Board(), evolve=evolve, day_bound=True, due=due)
