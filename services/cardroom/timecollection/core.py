"""The decider of timecollection: one collection a table, ordered by table."""

from datetime import timedelta
from typing import Any, Final, assert_never

import msgspec

from cardroom import known
from cardroom.kernel.decisions import Command, Decider, Decision, Occasion, require_override
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import StreamId, Streams, stream_id
from cardroom.known.games import Game
from cardroom.rulebook.model import ResolvedBook
from cardroom.timecollection import commands as c
from cardroom.timecollection import events as e
from cardroom.timecollection.collection import (
    COLLECTION,
    awaits_first_hand,
    fall_due,
    first_due,
    legal,
    method_of,
    method_options,
    owed_in_advance,
    players,
    waived,
    why_no_courtesy,
    why_not_dealt_in,
)
from cardroom.timecollection.folds import evolve, seat_of
from cardroom.timecollection.pots import (
    agree,
    award_time_pot,
    hand_ended,
    hand_reopened,
    must_pot,
    start_time_pot,
    time_pot_begins,
)
from cardroom.timecollection.seats import (
    absence_heard,
    carry,
    note_away,
    note_left,
    note_seat,
    note_swap,
    rename,
)

Asked = (
    c.OpenCollection
    | c.CloseCollection
    | c.NoteSeat
    | c.NoteLeft
    | c.NoteSwap
    | c.CarryTime
    | c.RenameRecord
    | c.NoteMustMove
    | c.NoteAway
    | c.NoteWaiting
    | c.Elapse
    | c.PayTime
    | c.DeferTime
    | c.NoteHandDealt
    | c.NoteHandEnded
    | c.NoteHandReopened
    | c.NoteBroken
    | c.AgreePotForTime
    | c.EndPotForTime
    | c.OptOut
    | c.StartTimePot
    | c.AwardTimePot
    | c.SetClock
    | c.ConvertCollection
    | c.NoteGame
    | c.CloseDay
)

COMMANDS: Final[tuple[type[Command], ...]] = (*Asked.__args__, known.NoteHouse)
FLOOR: Final = frozenset({"floor", "shift_manager"})


def collection_stream(room: str, table: str) -> StreamId:
    """Return the stem of a table's collection."""
    return stream_id("collection", room, table)


def key(command: Any) -> str:
    """Order commands by table; facts of the house by room."""
    if isinstance(command, known.NoteHouse):
        return command.room
    return f"{command.room}/{command.table}"


def reads(command: Any, streams: Streams) -> frozenset[StreamId]:
    """Name the collection, its game and that game's book."""
    if isinstance(command, known.NoteHouse):
        return known.reads(command, streams)
    stream = collection_stream(command.room, command.table)
    state: e.CollectionState | None = streams.get(stream)
    game_id = (
        command.game_id
        if isinstance(command, c.OpenCollection | c.NoteGame)
        else (state.game_id if state else "")
    )
    wanted = {stream}
    if game_id:
        wanted |= known.game_streams(streams, command.room, game_id, command.table)
    if isinstance(command, c.CarryTime):
        wanted.add(collection_stream(command.room, command.to_table))
    return frozenset(wanted)


def decide(command: Any, streams: Streams, occasion: Occasion) -> Decision:
    """Decide one command.

    Raises:
        Refused: the book or an invariant does not allow it.
    """
    if isinstance(command, known.NoteHouse):
        return known.decide(command, streams)
    asked: Asked = command
    stream = collection_stream(asked.room, asked.table)
    state: e.CollectionState = streams[stream]
    heard = getattr(asked, "heard", False)
    if isinstance(asked, c.OpenCollection):
        if heard and state.open:
            return ()
        return _on(stream, open_collection(asked, state, streams, occasion))
    if isinstance(asked, c.CarryTime):
        return carried_over(asked, streams)
    if isinstance(asked, c.RenameRecord):
        return _on(stream, rename(asked, state))
    if heard and isinstance(asked, c.NoteMustMove | c.NoteWaiting):
        return _on(stream, note_lists(asked, state))  # the table may be heard of later
    if not state.open:
        if heard and isinstance(asked, c.NoteAway):
            return _on(stream, absence_heard(asked, state))
        if heard:
            return ()
        raise Unknown("collection of table", asked.table, "table")
    if isinstance(asked, c.NoteGame):
        return _on(stream, change_game(asked, state, streams, occasion))
    game = known.game_of(streams, asked.room, state.game_id)
    rules = known.rules_of(streams, asked.room, state.game_id, asked.table)
    return _on(stream, _decide_open(asked, state, game, rules, occasion))


def _on(stream: StreamId, events: tuple[Any, ...]) -> Decision:
    return tuple((stream, event) for event in events)


def _decide_open(
    asked: Any, state: e.CollectionState, game: Game, rules: ResolvedBook, occasion: Occasion
) -> tuple[Any, ...]:
    match asked:
        case c.CloseCollection():
            return (e.CollectionClosed(unpaid_cents=sum(one.owes_cents for one in state.seats)),)
        case c.NoteSeat():
            return note_seat(asked, state, game, rules, occasion)
        case c.NoteSwap():
            return note_swap(asked, state)
        case c.NoteLeft():
            return note_left(asked, state, rules)
        case c.NoteAway():
            return note_away(asked, state, rules)
        case c.NoteWaiting() | c.NoteMustMove():
            return note_lists(asked, state)
        case c.Elapse():
            return elapse(asked, state, game, rules)
        case c.PayTime():
            return pay(asked, state)
        case c.DeferTime():
            refusal = why_no_courtesy(state, asked.seat, game, rules)
            if refusal is not None:
                raise refusal
            cited = rules.cite(
                "collection.time_courtesy_button", "collection.time_courtesy_max_waiting"
            )
            return (e.TimeDeferred(seat=asked.seat, rules=cited),)
        case c.NoteHandDealt():
            return hand_dealt(asked, state, rules, occasion)
        case c.NoteHandEnded():
            return hand_ended(asked, state, rules, game.chip_cents)
        case c.NoteHandReopened():
            return hand_reopened(asked, state, rules)
        case c.NoteBroken():
            ended = state.broken_at is not None and asked.at <= state.broken_at
            return () if ended else (e.GameBroken(at=asked.at),)
        case c.AgreePotForTime():
            return agree(asked, state, rules, occasion.at)
        case c.EndPotForTime():
            must_pot(state)
            return (e.PotForTimeEnded(),)
        case c.OptOut():
            must_pot(state)
            seat_of(state, asked.seat)
            return (e.OptedOut(seat=asked.seat, from_next=state.time_pot_dealt),)
        case c.StartTimePot():
            return start_time_pot(asked, state)
        case c.AwardTimePot():
            return award_time_pot(asked, state, rules, game.chip_cents)
        case c.SetClock():
            return set_clock(asked, state, rules, occasion)
        case c.ConvertCollection():
            return convert(asked, state, rules, occasion)
        case c.CloseDay():
            return (
                e.CollectionDayClosed(collected_cents=state.collected_cents),
                e.CollectionCarriedForward(gaming_day=asked.gaming_day, state=_next_day(state)),
            )
        case _:
            assert_never(asked)


def _next_day(state: e.CollectionState) -> e.CollectionState:
    return msgspec.structs.replace(state, collected_cents=0, departed=(), arriving=())


def note_lists(
    command: c.NoteWaiting | c.NoteMustMove, state: e.CollectionState
) -> tuple[Any, ...]:
    """Record how many names wait for the table's game, or that the table is a must-move game."""
    match command:
        case c.NoteWaiting():
            count = check_cents(command.waiting_count, "waiting_count")
            if count == state.waiting_count:
                return ()
            return (e.WaitingNoted(waiting_count=count),)
        case c.NoteMustMove():
            if command.must_move == state.must_move:
                return ()
            return (e.MustMoveNoted(must_move=command.must_move),)


def carried_over(command: c.CarryTime, streams: Streams) -> Decision:
    """Let what a player owes at one table be owed at the table to which the player moved."""
    from_stream = collection_stream(command.room, command.table)
    to_stream = collection_stream(command.room, command.to_table)
    left: e.CollectionState = streams[from_stream]
    if not left.game_id or command.to_table == command.table:
        return ()
    rules = known.rules_of(streams, command.room, left.game_id, command.table)
    moved = carry(command, left, streams[to_stream], rules)
    if moved is None:
        return ()
    away, along = moved
    return ((from_stream, away), (to_stream, along))


def open_collection(
    command: c.OpenCollection, state: e.CollectionState, streams: Streams, occasion: Occasion
) -> tuple[Any, ...]:
    """Begin a table's collection under its game's book; time is taken in advance, before the first hand (WP-2P2)."""
    if state.open:
        raise Refused(
            "COLLECTION_OPEN",
            "CR-7",
            f"table {command.table} has a collection already",
            field="table",
        )
    game = known.game_of(streams, command.room, command.game_id)
    rules = known.rules_of(streams, command.room, command.game_id, command.table)
    method, amount = method_of(game)
    minutes = rules.minutes("collection.time_minutes")
    return (
        e.CollectionOpened(
            room=command.room,
            table=command.table,
            game_id=command.game_id,
            method=method,
            amount_cents=amount,
            period_minutes=minutes,
            opened_at=occasion.at,
            due_at=command.first_due_at if method == "time" else None,
            must_move=command.must_move or state.must_move,
            rules=rules.cite(
                "collection.method", "collection.time_minutes", "collection.time_in_advance"
            ),
        ),
    )


def change_game(
    command: c.NoteGame, state: e.CollectionState, streams: Streams, occasion: Occasion
) -> tuple[Any, ...]:
    """Go on with another game at the table; a time clock that runs goes on running.

    Where none runs, time is taken in advance: at once in a game that has begun, else before its first hand.
    """
    if command.game_id == state.game_id:
        return ()
    game = known.game_of(streams, command.room, command.game_id)
    rules = known.rules_of(streams, command.room, command.game_id, command.table)
    method, amount = method_of(game)
    began, starts = state.began_at is not None, method == "time" and state.method != "time"
    due_at = state.due_at if method == "time" else None
    if starts and began:
        due_at = occasion.at + timedelta(minutes=rules.minutes("collection.time_minutes"))
    changed = e.GameChanged(
        game_id=command.game_id,
        method=method,
        amount_cents=amount,
        due_at=due_at,
        rules=rules.cite("collection.method"),
    )
    if awaits_first_hand(state) and method != "time":
        return (changed, *waived(state, rules))
    if not starts or not amount:
        return (changed,)
    after = evolve(state, changed)
    if began:
        return (changed, first_due(after, rules, occasion.at))
    owed = [
        owed_in_advance(after, one.seat, one.player_id, rules, occasion.at, amount)
        for one in after.seats
    ]
    return (changed, *owed)


def elapse(
    command: c.Elapse, state: e.CollectionState, game: Game, rules: ResolvedBook
) -> tuple[Any, ...]:
    """Let time fall due by the terms in force then, or go over to the method that the game has by them.

    A game converted while short-handed goes back to the button once it is not (LC-144).
    """
    if state.due_at != command.at or state.method != "time":
        return ()
    method, amount = method_of(game)
    below = rules.count("collection.convert_to_time_below")
    cited, reason = rules.cite("collection.method"), "the game's terms have changed"
    if state.converted:
        if method != "button" or not below or players(state) < below:
            return (fall_due(state, game, rules),)
        cited = rules.cite("collection.convert_to_time_below")
        reason = f"{players(state)} play at the end of the paid period"
    elif method == "time":
        return (fall_due(state, game, rules),)
    changed = e.MethodChanged(
        method=method, amount_cents=amount, due_at=None, reason=reason, rules=cited, of_game=True
    )
    return (changed,)


def pay(command: c.PayTime, state: e.CollectionState) -> tuple[Any, ...]:
    """Take what a seat owes: the whole of it, neither more nor less."""
    seat = seat_of(state, command.seat)
    check_cents(command.cents, "cents", least=1)
    if command.cents != seat.owes_cents:
        raise Refused(
            "AMOUNT_NOT_OWED",
            "CR-4",
            f"cents is {command.cents}: seat {command.seat} owes {dollars(seat.owes_cents)}",
            options=(f"pay {dollars(seat.owes_cents)}",) if seat.owes_cents else (),
            field="cents",
        )
    return (e.TimePaid(seat=command.seat, player_id=seat.player_id, cents=command.cents),)


def hand_dealt(
    command: c.NoteHandDealt, state: e.CollectionState, rules: ResolvedBook, occasion: Occasion
) -> tuple[Any, ...]:
    """Record hands played on courtesy and collections taken on the button; what was dealt was dealt.

    A courtesy that reached the big blind, or that let a hand go by, is over: it does not start anew behind it.
    """
    out: list[Any] = []
    of_game_before = (
        command.at is not None and state.broken_at is not None and command.at <= state.broken_at
    )
    if state.began_at is None and not of_game_before:
        period = timedelta(minutes=rules.minutes("collection.time_minutes"))
        next_due_at = occasion.at + period if awaits_first_hand(state) else None
        out.append(
            e.FirstHandNoted(hand_id=command.hand_id, at=occasion.at, next_due_at=next_due_at)
        )
    for one in state.seats:
        if not one.courtesy or not one.owes_cents:
            continue
        if one.seat in command.seats:
            out.append(e.CourtesyHandPlayed(seat=one.seat, hand_id=command.hand_id))
        if one.seat not in command.seats or one.seat == command.big_blind_seat:
            out.append(e.CourtesyEnded(seat=one.seat, hand_id=command.hand_id))
    out += time_pot_begins(command, state, occasion.at)
    if command.button_collection_cents:
        out.append(
            e.ButtonCollectionNoted(
                hand_id=command.hand_id,
                seat=command.button_collection_seat,
                cents=check_cents(command.button_collection_cents, "button_collection_cents"),
            )
        )
    return tuple(out)


def convert(
    command: c.ConvertCollection, state: e.CollectionState, rules: ResolvedBook, occasion: Occasion
) -> tuple[Any, ...]:
    """Change a table's method where the book lets a floorperson do so (LC-144).

    A clock that starts by it takes the first period in advance; one that runs goes on running.
    """
    amount = check_cents(command.amount_cents, "amount_cents")
    if command.method not in {"button", "time", "none"}:
        raise Refused(
            "METHOD_UNKNOWN",
            "CR-4",
            f"method is {command.method!r}: button, time or none",
            field="method",
        )
    reason = command.reason
    cited = rules.cite("collection.convert_to_time_below")
    if command.method not in method_options(state, rules):
        below = rules.count("collection.convert_to_time_below")
        refusal = Refused(
            "NOT_SHORT_HANDED",
            cited,
            f"{players(state)} players: conversion to {command.method} is for fewer than {below}"
            if below
            else f"the house does not convert {state.method} collection to {command.method}",
            options=tuple(
                f"convert to {method}"
                for method in method_options(state, rules)
                if method != state.method
            ),
            field="method",
        )
        reason = require_override(occasion, FLOOR, refusal).reason
    starts = command.method == "time" and state.method != "time"
    due_at = state.due_at if command.method == "time" else None
    if starts:
        due_at = occasion.at + timedelta(minutes=rules.minutes("collection.time_minutes"))
    changed = e.MethodChanged(
        method=command.method, amount_cents=amount, due_at=due_at, reason=reason, rules=cited
    )
    if awaits_first_hand(state) and command.method != "time":
        return (changed, *waived(state, rules))
    if not starts:
        return (changed,)
    return (changed, first_due(evolve(state, changed), rules, occasion.at))


def set_clock(
    command: c.SetClock, state: e.CollectionState, rules: ResolvedBook, occasion: Occasion
) -> tuple[Any, ...]:
    """Let the next period fall due when a floorperson says, as in rooms that collect on the hour.

    In a game that has not begun nothing is owed in advance then, which is for the floor to say, with a reason.

    Raises:
        Refused: CR-6, the table has no time collection; CR-4, the instant is over; the book takes time in advance.
    """
    if state.method != "time":
        raise Refused("NOT_A_TIME_GAME", "CR-6", f"table {state.table} takes {state.method}")
    if command.next_due_at <= occasion.at:
        raise Refused(
            "DUE_IN_THE_PAST",
            "CR-4",
            f"next_due_at is {command.next_due_at.isoformat()}, which is over",
            field="next_due_at",
        )
    cited, reason = rules.cite("collection.time_minutes"), command.reason
    if not awaits_first_hand(state):
        return (e.ClockSet(next_due_at=command.next_due_at, reason=reason, rules=cited),)
    cited = rules.cite("collection.time_in_advance", "collection.time_minutes")
    refusal = Refused(
        "TIME_IN_ADVANCE",
        cited,
        "time is taken before the first hand of the game",
        options=("collect it now", "the floor overrides with a reason"),
        field="next_due_at",
    )
    reason = require_override(occasion, FLOOR, refusal).reason
    clock = e.ClockSet(next_due_at=command.next_due_at, reason=reason, rules=cited)
    return (clock, *waived(state, rules))


def book_digest(command: Any, streams: Streams) -> str:
    """Return the digest of the book in force for the table's game."""
    if isinstance(command, known.NoteHouse):
        return ""
    state: e.CollectionState = streams[collection_stream(command.room, command.table)]
    game_id = command.game_id if isinstance(command, c.OpenCollection) else state.game_id
    return known.digest_of(streams, command.room, game_id, command.table) if game_id else ""


DECIDER: Final = Decider(
    context="timecollection",
    events=e.EVENTS,
    aggregates={COLLECTION.kind: COLLECTION, **known.AGGREGATES},
    key=key,
    reads=reads,
    decide=decide,
    commands=COMMANDS,
    book_digest=book_digest,
)

__all__ = ["DECIDER", "collection_stream", "legal", "why_not_dealt_in"]
