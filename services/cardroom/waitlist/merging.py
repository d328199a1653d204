"""Two records of one person on the lists: names, must-move names and bars go on under the surviving one."""

from typing import Any

from msgspec.structs import replace

from cardroom.kernel.decisions import Decision, Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.streams import Streams
from cardroom.known.merged import record_now, under_now
from cardroom.waitlist import commands as c
from cardroom.waitlist import events as e
from cardroom.waitlist.board import Board, board_stream
from cardroom.waitlist.here import Here, Records
from cardroom.waitlist.lists import Lists, MustMove, lists_stream, mustmove_stream
from cardroom.waitlist.values import Name


def merge(streams: Streams, occasion: Occasion, command: c.MergeNames) -> Decision:
    """Let one person's names go on under the surviving record; of two on one board the higher stays."""
    index = lists_stream(command.room)
    lists: Lists = streams[index]
    records: Records = []
    if lists.merged.get(command.from_id) != record_now(lists.merged, command.into_id):
        merged = e.RecordMerged(from_id=command.from_id, into_id=command.into_id)
        records.append((index, merged))
    for game_id in lists.games:
        stream = board_stream(command.room, game_id)
        board: Board = streams[stream]
        if board.closed:
            continue
        for event in (
            *_names(board, game_id, command, occasion),
            *_bars(board, game_id, command, occasion),
        ):
            records.append((stream, event))
    for main in {feeds for _, _, feeds in lists.tables if feeds}:
        stream = mustmove_stream(command.room, main)
        state: MustMove = streams[stream]
        if not state.closed:
            moved = _move_names(state, occasion, command.room, command.from_id, command.into_id)
            records.extend((stream, event) for event in moved)
    return tuple(records)


def as_known(command: Any, streams: Streams) -> Any:
    """Return a command of the people here with the records that count, where it names merged ones.

    What seating tells of seats goes by the records that it keeps there, until it tells that they are renamed.
    """
    lists: Lists | None = streams.get(lists_stream(command.room))
    if lists is None:
        return command
    match command:
        case c.SignUp():
            told = command.standing.player_id if command.standing else command.player_id
            return replace(command, player_id=record_now(lists.merged, told))
        case c.PlaceFirst():
            names = tuple((entry, record_now(lists.merged, who)) for entry, who in command.players)
            return replace(command, players=names)
        case c.DeclineMove() | c.PassMove():
            state: MustMove = streams[mustmove_stream(command.room, command.main)]
            if state.name_of(command.player_id) is None:
                return under_now(command, lists.merged)
            return command
        case _:
            return command


def _names(
    board: Board, game_id: str, command: c.MergeNames, occasion: Occasion
) -> tuple[Event, ...]:
    old, new = board.name_of(command.from_id), board.name_of(command.into_id)
    if old is None:
        return ()
    merged = e.NameMerged(entry_id=old.entry_id, from_id=command.from_id, into_id=command.into_id)
    if new is None:
        return (merged,)
    lower = max(old, new, key=lambda n: n.ticket)
    removed = _removed(command.room, game_id, lower, occasion, "one person", ("CR-7",))
    return (removed,) if lower is old else (removed, merged)


def _removed(
    room: str, game_id: str, name: Name, occasion: Occasion, reason: str, rules: tuple[str, ...]
) -> e.NameRemoved:
    return e.NameRemoved(
        room=room,
        game_id=game_id,
        entry_id=name.entry_id,
        player_id=name.player_id,
        at=occasion.at,
        reason=reason,
        rules=rules,
        lockup_returned_cents=name.lockup_cents,
        table=name.call.table if name.call else "",
    )


def _bars(
    board: Board, game_id: str, command: c.MergeNames, occasion: Occasion
) -> tuple[Event, ...]:
    """Return the bars of the old record that still hold, under the surviving one."""
    until = max(
        (bar.until for bar in board.bars if bar.player_id == command.into_id), default=occasion.at
    )
    return tuple(
        e.SignUpBarred(
            room=command.room, game_id=game_id, bar=replace(bar, player_id=command.into_id)
        )
        for bar in board.bars
        if bar.player_id == command.from_id and bar.until > until
    )


def _move_names(
    state: MustMove, occasion: Occasion, room: str, from_id: str, into_id: str
) -> tuple[Event, ...]:
    """Return what lets a must-move name go on; of two the one that was there under the surviving record stays."""
    if state.name_of(from_id) is None:
        return ()
    if state.name_of(into_id) is None:
        return (e.MoveNameMerged(from_id=from_id, into_id=into_id),)
    twice = e.MoveNameRemoved(
        room=room, player_id=from_id, at=occasion.at, reason="one person", rules=("CR-7",)
    )
    return (twice,)


def note_renamed(here: Here, command: c.NoteRenamed) -> Decision:
    """Note that who sits at a table, and on its must-move list, goes on under the surviving record."""
    table = here.board.table(command.table)
    records: Records = []
    if table is not None and command.from_id in (*table.players, *table.said_yes):
        renamed = e.PlayerRenamed(
            table=command.table, from_id=command.from_id, into_id=command.into_id
        )
        records.append((here.stream, renamed))
    waits = here.board.name_of(command.into_id)
    if command.seated and waits is not None:
        off = _removed(here.room, here.game_id, waits, here.occasion, "seated", ())
        records.append((here.stream, off))
    found = here.lists().table(command.table)
    if found is not None and found[1]:
        state = here.mustmove(found[1])
        moved = _move_names(state, here.occasion, here.room, command.from_id, command.into_id)
        stream = mustmove_stream(here.room, found[1])
        records.extend((stream, event) for event in moved)
    return tuple(records)
