"""Calling names for open seats and new games, and what becomes of those who answer or do not."""

from datetime import timedelta

from msgspec.structs import replace

from cardroom.kernel.decisions import Decision, require_override
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.rulebook.model import ResolvedBook
from cardroom.waitlist import commands as c
from cardroom.waitlist import events as e
from cardroom.waitlist.board import Board, evolve
from cardroom.waitlist.here import FLOOR, Here
from cardroom.waitlist.signup import expired
from cardroom.waitlist.values import Answer, BoardTable, Call, Name


def eligible(board: Board, table: str, seat: int) -> tuple[Name, ...]:
    """Return the names that may be called for a seat, first up first."""
    key = f"{table}/{seat}"
    return tuple(n for n in board.names if n.call is None and key not in n.passed_for)


def _called(here: Here, name: Name, call: Call) -> e.NameCalled:
    return e.NameCalled(
        room=here.room,
        game_id=here.game_id,
        entry_id=name.entry_id,
        player_id=name.player_id,
        call=call,
        rules=here.book.cite("seating.list_first"),
    )


def _open_seat(here: Here, table: str, seat: int) -> BoardTable:
    found = here.board.table(table)
    if found is None:
        raise Refused(
            "TABLE_UNKNOWN",
            "CR-2",
            f"table {table} does not spread {here.game_id}",
            field="table",
        )
    if seat not in found.open_seats:
        raise Refused(
            "SEAT_NOT_OPEN",
            "CR-6",
            f"seat {seat} of table {table} is not open",
            options=tuple(f"seat {number}" for number in found.open_seats),
            field="seat",
        )
    return found


def call_name(here: Here, command: c.CallName) -> Decision:
    """Call the next name for an open seat.

    Raises:
        Refused: nobody waits; a name out of order is asked for without the floor's word.
    """
    _open_seat(here, command.table, command.seat)
    standing = called_for(here.board, command.table, command.seat)
    if standing is not None:
        raise Refused(
            "SEAT_CALLED",
            "CR-7",
            f"{standing.player_id} was called for seat {command.seat}",
            options=("enter the answer", "drop the call"),
            field="seat",
        )
    waiting = eligible(here.board, command.table, command.seat)
    if not waiting:
        raise Refused("NOBODY_WAITS", "CR-6", f"nobody waits for {here.game_id}")
    name = waiting[0]
    if command.entry_id and command.entry_id != name.entry_id:
        asked = here.name(command.entry_id)
        refusal = Refused(
            "OUT_OF_ORDER",
            here.book.cite("seating.list_first"),
            f"{name.player_id} stands before {asked.player_id}",
            options=(f"call entry {name.entry_id}",),
            field="entry_id",
        )
        require_override(here.occasion, FLOOR, refusal)
        name = asked
    call = Call(table=command.table, seat=command.seat, at=here.at)
    return here.on_board(_called(here, name, call))


def called_for(board: Board, table: str, seat: int) -> Name | None:
    """Return the name whose call for a seat stands."""
    return next(
        (n for n in board.names if n.call and n.call.table == table and n.call.seat == seat), None
    )


def call_new_game(here: Here, command: c.CallNewGame) -> Decision:
    """Call as many names as a new game still has seats for, in list order.

    Raises:
        Refused: the table does not spread the game, or deals already.
    """
    table = here.board.table(command.table)
    if table is None:
        raise Refused(
            "TABLE_UNKNOWN",
            "CR-2",
            f"table {command.table} does not spread {here.game_id}",
            field="table",
        )
    if not table.starting:
        raise Refused("GAME_RUNS", "CR-6", f"the game at table {command.table} runs", field="table")
    return here.on_board(*new_game_calls(here, here.board, table))


def new_game_calls(here: Here, board: Board, table: BoardTable) -> tuple[Event, ...]:
    """Return the calls that fill a new game's seats."""
    called = sum(1 for n in board.names if n.call and n.call.table == table.table)
    places = len(table.open_seats) - called
    waiting = [n for n in eligible(board, table.table, 0) if n.going]
    return tuple(
        _called(here, name, Call(table=table.table, seat=0, at=here.at, new_game=True))
        for name in waiting[: max(0, places)]
    )


def _seat_calls(here: Here, board: Board, table: BoardTable) -> tuple[Event, ...]:
    """Return the calls for the open seats of a running game; a call whose seat is gone goes to an open one."""
    events: list[Event] = []
    taken: set[str] = set()
    moving = here.mustmove(table.table) if _is_main(here, table.table) else None
    for seat in table.open_seats:
        if called_for(board, table.table, seat) is not None:
            continue
        if moving is not None and moving.called_for(seat) is not None:
            continue
        stray = next(
            (
                n
                for n in board.names
                if n.call
                and n.call.table == table.table
                and n.call.seat not in table.open_seats
                and n.call.answer in {"", Answer.GETTING_CHIPS.value}
                and n.entry_id not in taken
            ),
            None,
        )
        if stray is not None and stray.call is not None:
            taken.add(stray.entry_id)
            events.append(_called(here, stray, replace(stray.call, seat=seat, new_game=False)))
            continue
        waiting = [n for n in eligible(board, table.table, seat) if n.entry_id not in taken]
        if waiting:
            taken.add(waiting[0].entry_id)
            call = Call(table=table.table, seat=seat, at=here.at)
            events.append(_called(here, waiting[0], call))
    return tuple(events)


def calls_due(here: Here, board: Board) -> tuple[Event, ...]:
    """Return the calls that the board's open seats cause now.

    Seats of a main game are called from its must-move list first; that list's names are not on the board.
    """
    tables = [t for t in board.tables if not _fed(here, t.table)]
    if here.book.choice("seating.new_player_to") == "most_needy_game":
        tables.sort(key=lambda t: len(t.players))
    events: list[Event] = []
    for table in tables:
        found = (
            new_game_calls(here, board, table)
            if table.starting
            else _seat_calls(here, board, table)
        )
        events.extend(found)
        for event in found:
            board = evolve(board, event)
    return tuple(events)


def _is_main(here: Here, table: str) -> bool:
    return any(feeds == table for _, _, feeds in here.lists().tables)


def _fed(here: Here, table: str) -> bool:
    """Return whether a must-move game with names feeds a table."""
    return _is_main(here, table) and here.mustmove(table).next_up() is not None


def place_is_lost(book: ResolvedBook, seats: int, said_yes: int) -> bool:
    """Return whether declining a new or must-move game costs the place: too few seats would stay empty."""
    empty = seats - (said_yes + 1)
    return empty <= book.count("waitlist.decline_keeps_place_if_empty_over")


def _declined(here: Here, name: Name, call: Call) -> Decision:
    table = here.board.table(call.table)
    rules = here.book.cite("waitlist.decline_keeps_place_if_empty_over")
    new_or_must_move = call.new_game or (table is not None and table.feeds != "")
    if table is not None and new_or_must_move:
        yes = len({*table.said_yes, *table.players} - {name.player_id})
        if place_is_lost(here.book, table.seats, yes):
            removed = e.NameRemoved(
                room=here.room,
                game_id=here.game_id,
                entry_id=name.entry_id,
                player_id=name.player_id,
                at=here.at,
                reason="declined a new game",
                rules=rules,
                lockup_returned_cents=name.lockup_cents,
                table=name.call.table if name.call else "",
            )
            return here.on_board(removed)
    return here.on_board(_dropped(here, name, "declined", rules))


def _dropped(here: Here, name: Name, reason: str, rules: tuple[str, ...]) -> e.CallDropped:
    return e.CallDropped(
        room=here.room,
        game_id=here.game_id,
        entry_id=name.entry_id,
        player_id=name.player_id,
        at=here.at,
        reason=reason,
        rules=rules,
        table=name.call.table if name.call else "",
    )


def no_answer(here: Here, name: Name, call: Call, *, came: bool = True) -> Decision:
    """Return what becomes of a called name whose owner does not answer.

    Args:
        here: the board.
        name: the name.
        call: its call.
        came: False where the seat was kept and its time is up, so that a lock-up does not keep it again.
    """
    if came and name.lockup_cents and name.leaving_noted and call.seat:
        return here.on_board(
            e.SeatLockedUp(
                room=here.room,
                game_id=here.game_id,
                entry_id=name.entry_id,
                player_id=name.player_id,
                table=call.table,
                seat=call.seat,
                at=here.at,
                rules=here.book.cite("waitlist.lockup_amount"),
            )
        )
    phoned = name.arrive_by is not None
    key = "waitlist.call_in_no_answer" if phoned else "waitlist.no_answer"
    outcome, rules = here.book.choice(key), here.book.cite(key)
    if outcome == "struck":
        removed = e.NameRemoved(
            room=here.room,
            game_id=here.game_id,
            entry_id=name.entry_id,
            player_id=name.player_id,
            at=here.at,
            reason="no answer",
            rules=rules,
            lockup_returned_cents=name.lockup_cents,
            table=name.call.table if name.call else "",
        )
        return here.on_board(removed)
    return here.on_board(
        e.NameRolled(
            room=here.room,
            game_id=here.game_id,
            entry_id=name.entry_id,
            player_id=name.player_id,
            at=here.at,
            outcome=outcome,
            ticket=here.board.next_ticket if outcome == "to_bottom" else name.ticket,
            rules=rules,
            table=call.table,
        )
    )


def _called_name(here: Here, entry_id: str) -> tuple[Name, Call]:
    name = here.name(entry_id)
    if name.call is None:
        raise Refused("NOT_CALLED", "CR-6", f"entry {entry_id} was not called", field="entry_id")
    return name, name.call


def answer(here: Here, command: c.AnswerCall) -> Decision:
    """Enter what a called player says.

    Raises:
        Refused: the name was not called; the phoned-in time is up; no seat is kept for somebody who comes.
    """
    name, call = _called_name(here, command.entry_id)
    if expired(here, name):
        return here.on_board(
            e.NameRemoved(
                room=here.room,
                game_id=here.game_id,
                entry_id=name.entry_id,
                player_id=name.player_id,
                at=here.at,
                reason="call_in_expired",
                rules=here.book.cite("waitlist.call_in_minutes"),
                lockup_returned_cents=name.lockup_cents,
                table=name.call.table if name.call else "",
            )
        )
    if command.answer is Answer.DECLINED:
        return _declined(here, name, call)
    if command.answer is Answer.NO_ANSWER:
        return no_answer(here, name, call)
    until = None
    if command.answer is Answer.GETTING_CHIPS:
        until = here.at + timedelta(minutes=here.book.minutes("seating.lock_minutes"))
    elif not call.new_game and not command.locked_seat:
        raise Refused(
            "SEAT_NOT_KEPT",
            "CR-12",
            "whether seating kept the seat was not given",
            options=("lock the seat first",),
            field="locked_seat",
        )
    answered = e.CallAnswered(
        room=here.room,
        game_id=here.game_id,
        entry_id=name.entry_id,
        player_id=name.player_id,
        answer=command.answer.value,
        at=here.at,
        until=until,
        seat=command.locked_seat,
    )
    events: list[Event] = [answered]
    table = here.board.table(call.table)
    if call.new_game and table is not None and name.player_id not in table.said_yes:
        events.append(e.SaidYes(table=call.table, player_id=name.player_id))
    return here.on_board(*events)


def drop_call(here: Here, command: c.DropCall) -> Decision:
    """Take a call back; the player keeps the place and is not called again for that seat."""
    name, _ = _called_name(here, command.entry_id)
    if not command.reason.strip():
        raise Refused("REASON_NEEDED", "CR-4", "say why the call is dropped", field="reason")
    return here.on_board(_dropped(here, name, command.reason, ()))


def expire_turn(here: Here, command: c.ExpireTurn) -> Decision:
    """End the turn of somebody who did not come back with chips in time."""
    name = here.board.name(command.entry_id)
    if name is None or name.call is None or name.call.until is None:
        return ()
    if here.at <= name.call.until:
        return ()
    return no_answer(here, name, name.call)
