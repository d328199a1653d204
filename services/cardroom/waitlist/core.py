"""What the lists decide: dispatch, the streams a command reads, facts from seating, and the turn of the day."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from cardroom import known
from cardroom.kernel.decisions import Decider, Decision, Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import StreamId, Streams
from cardroom.waitlist import calling, merging, mustmoving, signup
from cardroom.waitlist import commands as c
from cardroom.waitlist import events as e
from cardroom.waitlist.board import BOARD, Board, board_stream
from cardroom.waitlist.here import Here, Records, here_at
from cardroom.waitlist.lists import (
    LISTS,
    MUST_MOVE,
    Lists,
    MustMove,
    lists_stream,
    mustmove_stream,
)
from cardroom.waitlist.values import BoardTable

Handler = Callable[[Here, Any], Decision]
OfMain = Callable[[Streams, Occasion, Any], Decision]


def key(command: Any) -> str:
    """Return the ordering key: the room."""
    if isinstance(command, known.NoteHouse):
        return known.key(command)
    return str(command.room)


def reads(command: Any, streams: Streams) -> frozenset[StreamId]:
    """Return the streams a command is decided on: the boards it is about, the index, and the must-move lists."""
    if isinstance(command, known.NoteHouse):
        return known.reads(command, streams)
    room = command.room
    if isinstance(command, c.CloseDay):
        return frozenset({board_stream(room, command.game_id)})
    if isinstance(command, c.CloseMustMoveDay):
        return frozenset({mustmove_stream(room, command.main)})
    wanted: set[StreamId] = {lists_stream(room)}
    lists: Lists | None = streams.get(lists_stream(room))
    games = {command.game_id} if getattr(command, "game_id", "") else set()
    mains = {feeds for _, _, feeds in lists.tables if feeds} if lists else set()
    for field in ("main", "feeder", "table"):
        table = getattr(command, field, "")
        found = lists.table(table) if lists and table else None
        if found is not None:
            games.add(found[0])
        if table:
            mains.add(table)
    if isinstance(command, c.NoteTableOpened) and command.feeds:
        mains.add(command.feeds)
    if isinstance(command, c.StrikePlayer | c.MergeNames) and lists:
        games |= set(lists.games)
    for table, game_id, feeds in lists.tables if lists else ():
        if table in mains or feeds in mains:  # a game and the one it feeds may stand under two ids
            games.add(game_id)
    for game_id in games:
        wanted.add(board_stream(room, game_id))
        wanted |= known.game_streams(streams, room, game_id)
    return frozenset(wanted | {mustmove_stream(room, main) for main in mains})


def note_table_opened(here: Here, command: c.NoteTableOpened) -> Decision:
    """Note a game that seating opened; its list is called for it."""
    table = BoardTable(
        table=command.table,
        feeds=command.feeds,
        seats=command.seats,
        players=command.players,
        open_seats=command.open_seats if command.running else tuple(range(1, command.seats + 1)),
        starting=not command.running,
    )
    listed = (command.table, here.game_id, command.feeds)
    records: Records = [(here.stream, e.TableNoted(table=table, at=here.at))]
    if here.board.wait_reason:
        records.append((here.stream, e.WaitExplained(reason="", at=here.at)))
    if listed not in here.lists().tables:
        index = lists_stream(here.room)
        relisted = e.TableListed(table=listed[0], game_id=listed[1], feeds=listed[2])
        records.append((index, relisted))
    if command.feeds:
        state = here.mustmove(command.feeds)
        main = here.lists().table(command.feeds)
        if state.feeder != command.table:
            linked = e.MustMoveLinked(
                room=here.room,
                game_id=main[0] if main else here.game_id,
                main=command.feeds,
                feeder=command.table,
                at=here.at,
                by=here.occasion.actor,
                rules=here.book.cite("mustmove.same_game"),
            )
            records.append((mustmove_stream(here.room, command.feeds), linked))
    return (*records, *signup.listing(here))


def note_table_closed(here: Here, command: c.NoteTableClosed) -> Decision:
    """Note a game that seating closed or broke; what fed it, or it fed, is unlinked."""
    records: Records = []
    if here.board.table(command.table) is not None:
        gone = e.TableGone(table=command.table, at=here.at, reason=command.reason)
        records.append((here.stream, gone))
    for name in here.board.names:
        if name.call is not None and name.call.table == command.table:
            dropped = e.CallDropped(
                room=here.room,
                game_id=here.game_id,
                entry_id=name.entry_id,
                player_id=name.player_id,
                at=here.at,
                reason="the game closed",
                rules=here.book.cite("game.opened_by_management"),
            )
            records.append((here.stream, dropped))
    index = lists_stream(here.room)
    for table, game_id, feeds in here.lists().tables:
        if table == command.table:
            records.append((index, e.TableUnlisted(table=table)))
        if table == command.table and feeds:
            records.append(_unlinked(here, feeds, table, command.reason))
        if feeds == command.table:
            records.append((index, e.TableListed(table=table, game_id=game_id, feeds="")))
            records.append(_unlinked(here, command.table, table, command.reason))
    return tuple(records)


def _unlinked(here: Here, main: str, feeder: str, reason: str) -> tuple[StreamId, Event]:
    unlinked = e.MustMoveUnlinked(main=main, feeder=feeder, at=here.at, reason=reason)
    return (mustmove_stream(here.room, main), unlinked)


def note_seat_open(here: Here, command: c.NoteSeatOpen) -> Decision:
    """Note an open seat: a must-move player is called to it, or else the next name on the board."""
    noted = here.on_board(
        e.SeatNoted(table=command.table, seat=command.seat, is_open=True, at=here.at)
    )
    own = here.mustmove(command.table)
    if own.feeder:
        return (*noted, *mustmoving.main_seat_open(here, own, command.seat))
    return noted


def note_lock_expired(here: Here, command: c.NoteLockExpired) -> Decision:
    """A called player did not come in time: on the board as one who did not answer, off the must-move list."""
    name = here.board.name_of(command.player_id)
    if name is not None and name.call is not None and name.call.table == command.table:
        return calling.no_answer(here, name, name.call, came=False)
    own = here.mustmove(command.table)
    moving = own.name_of(command.player_id)
    if moving is None or not moving.called_seat:
        return ()
    removed = e.MoveNameRemoved(
        room=here.room,
        player_id=command.player_id,
        at=here.at,
        reason="did not come",
        rules=here.book.cite("mustmove.play_to_keep_place"),
    )
    return ((mustmove_stream(here.room, command.table), removed),)


def note_order_failed(here: Here, command: c.NoteOrderFailed) -> Decision:
    """A called must-move player could not be moved: the call is taken back, the place kept."""
    name = here.mustmove(command.table).name_of(command.player_id)
    if name is None or not name.called_seat:
        return ()
    dropped = e.MainCallDropped(player_id=command.player_id, at=here.at, reason=command.reason)
    return ((mustmove_stream(here.room, command.table), dropped),)


def note_seat_kept(here: Here, command: c.NoteSeatKept) -> Decision:
    """Note that a seat is kept for a player or was taken by one who changed seats."""
    return here.on_board(
        e.SeatNoted(table=command.table, seat=command.seat, is_open=False, at=here.at)
    )


def note_seated(here: Here, command: c.NoteSeated) -> Decision:
    """Note a player who sat down: off the board, and on the must-move list where the game is a feeder."""
    events: list[Event] = [
        e.SeatNoted(table=command.table, seat=command.seat, is_open=False, at=here.at),
        e.PlayerNoted(table=command.table, player_id=command.player_id, seated=True, at=here.at),
    ]
    name = here.board.name_of(command.player_id)
    if name is not None:
        events.append(
            e.NameRemoved(
                room=here.room,
                game_id=here.game_id,
                entry_id=name.entry_id,
                player_id=name.player_id,
                at=here.at,
                reason="seated",
                rules=(),
                lockup_returned_cents=name.lockup_cents,
                table=name.call.table if name.call else "",
            )
        )
    moved = mustmoving.sat_down(here, command.table, command.seat, command.player_id)
    return (*here.on_board(*events), *moved)


def note_left(here: Here, command: c.NoteLeft) -> Decision:
    """Note a player who gave up a seat."""
    left = e.PlayerNoted(table=command.table, player_id=command.player_id, seated=False, at=here.at)
    moving = mustmoving.stood_up(
        here,
        command.table,
        command.player_id,
        command.players_before,
        moved=command.moved,
    )
    return (*here.on_board(left), *moving)


def note_started(here: Here, command: c.NoteStarted) -> Decision:
    """Note that a new game deals."""
    return here.on_board(e.TableStarted(table=command.table))


def readmit(streams: Streams, _occasion: Occasion, command: c.ReadmitPlayer) -> Decision:
    """Let a player who was struck off stand on lists again."""
    lists: Lists = streams[lists_stream(command.room)]
    if command.player_id not in lists.struck:
        return ()
    return ((lists_stream(command.room), e.PlayerReadmitted(player_id=command.player_id)),)


def strike(streams: Streams, occasion: Occasion, command: c.StrikePlayer) -> Decision:
    """Take a player off every list of the room, and remember it for what seating told before it heard of the bar."""
    lists: Lists = streams[lists_stream(command.room)]
    struck = e.PlayerStruck(player_id=command.player_id, until=command.until, rules=command.rules)
    records: Records = [(lists_stream(command.room), struck)]
    for game_id in lists.games:
        board: Board = streams[board_stream(command.room, game_id)]
        name = board.name_of(command.player_id)
        if name is None or board.closed:
            continue
        removed = e.NameRemoved(
            room=command.room,
            game_id=game_id,
            entry_id=name.entry_id,
            player_id=name.player_id,
            at=occasion.at,
            reason="barred",
            rules=command.rules,
            lockup_returned_cents=name.lockup_cents,
            table=name.call.table if name.call else "",
        )
        records.append((board_stream(command.room, game_id), removed))
    for main in {feeds for _, _, feeds in lists.tables if feeds}:
        state: MustMove = streams[mustmove_stream(command.room, main)]
        if state.name_of(command.player_id) is None or state.closed:
            continue
        off = e.MoveNameRemoved(
            room=command.room,
            player_id=command.player_id,
            at=occasion.at,
            reason="barred",
            rules=command.rules,
        )
        records.append((mustmove_stream(command.room, main), off))
    return tuple(records)


def close_day(streams: Streams, command: c.CloseDay) -> Decision:
    """End a board's stream of this gaming day and carry the board into the next."""
    stream = board_stream(command.room, command.game_id)
    board: Board = streams[stream]
    if not board.room and not board.tables:
        return ()
    if board.closed:
        raise Refused("DAY_CLOSED", "CR-10", f"the day of board {command.game_id} is closed")
    carried = e.BoardCarried(
        gaming_day=command.gaming_day,
        room=command.room,
        game_id=command.game_id,
        names=board.names,
        bars=board.bars,
        tables=board.tables,
        next_ticket=board.next_ticket,
        tickets=board.tickets,
        wait_reason=board.wait_reason,
        wait_since=board.wait_since,
    )
    return ((stream, e.BoardClosed(gaming_day=command.gaming_day)), (stream, carried))


def close_mustmove_day(streams: Streams, command: c.CloseMustMoveDay) -> Decision:
    """End a must-move list's stream of this gaming day and carry it into the next."""
    stream = mustmove_stream(command.room, command.main)
    state: MustMove = streams[stream]
    if not state.main:
        return ()
    if state.closed:
        raise Refused("DAY_CLOSED", "CR-10", f"the day of list {command.main} is closed")
    carried = e.MustMoveCarried(
        gaming_day=command.gaming_day,
        room=state.room,
        game_id=state.game_id,
        main=state.main,
        feeder=state.feeder,
        names=state.names,
        open_seats=state.open_seats,
    )
    return ((stream, e.MustMoveClosed(gaming_day=command.gaming_day)), (stream, carried))


HANDLERS: Final[Mapping[type, Handler]] = {
    c.SignUp: signup.sign_up,
    c.ReportArrived: signup.arrived,
    c.ExpireCallIn: signup.expire_call_in,
    c.RemoveName: signup.remove,
    c.SetGoing: signup.set_going,
    c.NoteLeaving: signup.note_leaving,
    c.LeaveLockup: signup.leave_lockup,
    c.ReturnLockup: signup.return_lockup,
    c.PlaceFirst: signup.place_first,
    c.NoteWaitReason: signup.explain,
    c.CallName: calling.call_name,
    c.CallNewGame: calling.call_new_game,
    c.AnswerCall: calling.answer,
    c.DropCall: calling.drop_call,
    c.ExpireTurn: calling.expire_turn,
    c.NoteTableOpened: note_table_opened,
    c.NoteTableClosed: note_table_closed,
    c.NoteSeatOpen: note_seat_open,
    c.NoteSeatKept: note_seat_kept,
    c.NoteLockExpired: note_lock_expired,
    c.NoteOrderFailed: note_order_failed,
    c.NoteSeated: note_seated,
    c.NoteLeft: note_left,
    c.NoteStarted: note_started,
    c.NoteRenamed: merging.note_renamed,
}
"""Command -> the function that decides it on the board it names."""

OF_ROOM: Final[Mapping[type, OfMain]] = {
    c.LinkMustMove: mustmoving.link,
    c.UnlinkMustMove: mustmoving.unlink,
    c.CallToMain: mustmoving.call_to_main,
    c.DeclineMove: mustmoving.decline,
    c.PassMove: mustmoving.pass_move,
    c.StrikePlayer: strike,
    c.ReadmitPlayer: readmit,
    c.MergeNames: merging.merge,
}
"""Command -> the function that decides it on the room's lists."""


def _with_calls(streams: Streams, occasion: Occasion, decision: Decision) -> Decision:
    """Add the calls that open seats cause after a decision, and how many names wait then."""
    touched = list(dict.fromkeys(stem for stem, _ in decision if stem.startswith("board/")))
    records = list(decision)
    for stem in touched:
        _, room, game_id = stem.split("/")
        before: Board = streams[stem]
        after = streams.evolved(tuple(records))
        here = here_at(after, occasion, room, game_id)
        calls = calling.calls_due(here, here.board)
        records.extend((stem, event) for event in calls)
        board: Board = after.evolved(tuple((stem, event) for event in calls))[stem]
        tables = tuple(t.table for t in board.tables)
        if board.waiting != before.waiting or tables != tuple(t.table for t in before.tables):
            changed = e.WaitingChanged(
                room=room, game_id=game_id, names=board.waiting, tables=tables
            )
            records.append((stem, changed))
    return tuple(records)


def decide(command: Any, streams: Streams, occasion: Occasion) -> Decision:
    """Decide a command of the lists.

    Raises:
        Refused: what the book or an invariant does not allow.
    """
    match command:
        case known.NoteHouse():
            return known.decide(command, streams)
        case c.CloseDay():
            return close_day(streams, command)
        case c.CloseMustMoveDay():
            return close_mustmove_day(streams, command)
    command = merging.as_known(command, streams)
    if type(command) in OF_ROOM:
        decision = OF_ROOM[type(command)](streams, occasion, command)
    else:
        here = here_at(streams, occasion, command.room, command.game_id)
        decision = HANDLERS[type(command)](here, command)
    return _with_calls(streams, occasion, decision)


def book_digest(command: Any, streams: Streams) -> str:
    """Return the digest of the book in force for the game a command is about, or ""."""
    game_id = getattr(command, "game_id", "")
    if not game_id and hasattr(command, "main"):
        lists: Lists | None = streams.get(lists_stream(command.room))
        found = lists.table(command.main) if lists else None
        game_id = found[0] if found else ""
    return known.digest_of(streams, command.room, game_id) if game_id else ""


DECIDER = Decider(
    context="waitlist",
    events=e.EVENTS,
    aggregates={"board": BOARD, "mustmove": MUST_MOVE, "lists": LISTS, **known.AGGREGATES},
    key=key,
    reads=reads,
    decide=decide,
    commands=(*c.COMMANDS, known.NoteHouse),
    book_digest=book_digest,
)
"""All that the shell needs to run the lists."""
