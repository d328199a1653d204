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
    evolve,
    fall_due,
    legal,
    method_options,
    players,
    potting_seats,
    seat_of,
    short_handed_call,
    why_no_courtesy,
    why_not_dealt_in,
)

Asked = (
    c.OpenCollection
    | c.CloseCollection
    | c.NoteSeat
    | c.NoteLeft
    | c.NoteAway
    | c.NoteWaiting
    | c.Elapse
    | c.PayTime
    | c.DeferTime
    | c.NoteHandDealt
    | c.AgreePotForTime
    | c.EndPotForTime
    | c.OptOut
    | c.StartTimePot
    | c.AwardTimePot
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
        wanted |= known.game_streams(streams, command.room, game_id)
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
    if not state.open:
        if heard:
            return ()
        raise Unknown("collection of table", asked.table, "table")
    if isinstance(asked, c.NoteGame):
        return _on(stream, change_game(asked, state, streams, occasion))
    game = known.game_of(streams, asked.room, state.game_id)
    rules = known.rules_of(streams, asked.room, state.game_id)
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
            return note_seat(asked, state, game, occasion)
        case c.NoteLeft():
            return note_left(asked, state, rules)
        case c.NoteAway():
            return note_away(asked, state, rules)
        case c.NoteWaiting():
            count = check_cents(asked.waiting_count, "waiting_count")
            if count == state.waiting_count:
                return ()
            return (e.WaitingNoted(waiting_count=count),)
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
            return hand_dealt(asked, state, occasion)
        case c.AgreePotForTime():
            return agree(asked, state, rules)
        case c.EndPotForTime():
            _must_pot(state)
            return (e.PotForTimeEnded(),)
        case c.OptOut():
            _must_pot(state)
            seat_of(state, asked.seat)
            return (e.OptedOut(seat=asked.seat, from_next=state.time_pot_dealt),)
        case c.StartTimePot():
            return start_time_pot(asked, state)
        case c.AwardTimePot():
            return award_time_pot(asked, state, rules)
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
    return msgspec.structs.replace(state, collected_cents=0)


def open_collection(
    command: c.OpenCollection, state: e.CollectionState, streams: Streams, occasion: Occasion
) -> tuple[Any, ...]:
    """Begin a table's collection under its game's book."""
    if state.open:
        raise Refused(
            "COLLECTION_OPEN",
            "CR-7",
            f"table {command.table} has a collection already",
            field="table",
        )
    game = known.game_of(streams, command.room, command.game_id)
    rules = known.rules_of(streams, command.room, command.game_id)
    method, amount = method_of(game)
    minutes = rules.minutes("collection.time_minutes")
    first = command.first_due_at or occasion.at + timedelta(minutes=minutes)
    return (
        e.CollectionOpened(
            room=command.room,
            table=command.table,
            game_id=command.game_id,
            method=method,
            amount_cents=amount,
            period_minutes=minutes,
            opened_at=occasion.at,
            due_at=first if method == "time" else None,
            must_move=command.must_move,
            rules=rules.cite("collection.method", "collection.time_minutes"),
        ),
    )


def method_of(game: Game) -> tuple[str, int]:
    """Return how a game pays the house and how much, from its settings."""
    if game.time_collection_cents:
        return "time", game.time_collection_cents
    if game.button_collection_cents:
        return "button", game.button_collection_cents
    return "none", 0


def change_game(
    command: c.NoteGame, state: e.CollectionState, streams: Streams, occasion: Occasion
) -> tuple[Any, ...]:
    """Go on with another game at the table; a time clock that runs goes on running."""
    if command.game_id == state.game_id:
        return ()
    game = known.game_of(streams, command.room, command.game_id)
    rules = known.rules_of(streams, command.room, command.game_id)
    method, amount = method_of(game)
    due_at = None
    if method == "time":
        due_at = state.due_at or occasion.at + timedelta(minutes=state.period_minutes)
    return (
        e.GameChanged(
            game_id=command.game_id,
            method=method,
            amount_cents=amount,
            due_at=due_at,
            rules=rules.cite("collection.method"),
        ),
    )


def note_seat(
    command: c.NoteSeat, state: e.CollectionState, game: Game, occasion: Occasion
) -> tuple[Any, ...]:
    """Record that a player sat down; sitting down again in the same seat is the same fact.

    Raises:
        Refused: CR-4, the game has no such seat; what the tables tell may lie beyond, where a table has extra seats.
    """
    if not command.heard and not 1 <= command.seat <= game.seats:
        raise Refused(
            "SEAT_OUT_OF_RANGE",
            "CR-4",
            f"seat {command.seat}: the table has 1 to {game.seats}",
            field="seat",
        )
    for one in state.seats:
        if one.seat == command.seat and one.player_id == command.player_id:
            return ()
    return (e.SeatOccupied(seat=command.seat, player_id=command.player_id, since=occasion.at),)


def note_left(
    command: c.NoteLeft, state: e.CollectionState, rules: ResolvedBook
) -> tuple[Any, ...]:
    """Record that a player left, and call the floor where the game is short-handed now (LC-145)."""
    if command.heard and not _sits_there(state, command.seat, command.player_id):
        return ()
    seat = seat_of(state, command.seat)
    vacated = e.SeatVacated(seat=command.seat, unpaid_cents=seat.owes_cents)
    call = short_handed_call(state, evolve(state, vacated), rules)
    return (vacated, call) if call else (vacated,)


def _sits_there(state: e.CollectionState, seat: int, player_id: str) -> bool:
    return any(one.seat == seat and player_id in ("", one.player_id) for one in state.seats)


def note_away(
    command: c.NoteAway, state: e.CollectionState, rules: ResolvedBook
) -> tuple[Any, ...]:
    """Record that a player went away or came back; a game can get short-handed by it (LC-145)."""
    if command.heard and not _sits_there(state, command.seat, command.player_id):
        return ()
    if seat_of(state, command.seat).away == command.away:
        return ()
    noted = e.AwayNoted(seat=command.seat, away=command.away)
    call = short_handed_call(state, evolve(state, noted), rules)
    return (noted, call) if call else (noted,)


def elapse(
    command: c.Elapse, state: e.CollectionState, game: Game, rules: ResolvedBook
) -> tuple[Any, ...]:
    """Let time fall due; a game converted while short-handed goes back to the button once it is not (LC-144)."""
    if state.due_at != command.at or state.method != "time":
        return ()
    below = rules.count("collection.convert_to_time_below")
    if method_of(game)[0] != "button" or not below or players(state) < below:
        return (fall_due(state, rules),)
    return (
        e.MethodChanged(
            method="button",
            amount_cents=game.button_collection_cents,
            due_at=None,
            reason=f"{players(state)} play at the end of the paid period",
            rules=rules.cite("collection.convert_to_time_below"),
        ),
    )


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
    command: c.NoteHandDealt, state: e.CollectionState, occasion: Occasion
) -> tuple[Any, ...]:
    """Record hands played on courtesy and collections taken on the button; what was dealt was dealt.

    A courtesy that reached the big blind, or that let a hand go by, is over: it does not start anew behind it.
    """
    out: list[Any] = []
    if state.began_at is None:
        out.append(e.FirstHandNoted(hand_id=command.hand_id, at=occasion.at))
    for one in state.seats:
        if not one.courtesy or not one.owes_cents:
            continue
        if one.seat in command.seats:
            out.append(e.CourtesyHandPlayed(seat=one.seat, hand_id=command.hand_id))
        if one.seat not in command.seats or one.seat == command.big_blind_seat:
            out.append(e.CourtesyEnded(seat=one.seat, hand_id=command.hand_id))
    if command.button_collection_cents:
        out.append(
            e.ButtonCollectionNoted(
                hand_id=command.hand_id,
                seat=command.button_collection_seat,
                cents=check_cents(command.button_collection_cents, "button_collection_cents"),
            )
        )
    return tuple(out)


def _must_pot(state: e.CollectionState) -> None:
    if not state.pot_for_time:
        raise Refused("NOT_POTTING", "CR-6", f"table {state.table} does not pot for time")


def agree(
    command: c.AgreePotForTime, state: e.CollectionState, rules: ResolvedBook
) -> tuple[Any, ...]:
    """Agree to pot for time where the book allows it (LC-147)."""
    if state.method != "time" or not rules.flag("collection.pot_for_time"):
        raise Refused(
            "NO_POT_FOR_TIME",
            rules.cite("collection.pot_for_time"),
            f"table {state.table} takes {state.method} collection; potting for time is "
            f"{'allowed' if rules.flag('collection.pot_for_time') else 'not allowed'} by the house",
        )
    for seat in command.seats:
        seat_of(state, seat)
    return (e.PotForTimeAgreed(seats=command.seats, rules=rules.cite("collection.pot_for_time")),)


def start_time_pot(command: c.StartTimePot, state: e.CollectionState) -> tuple[Any, ...]:
    """Mark a hand that is dealt as the time pot."""
    _must_pot(state)
    if state.time_pot_dealt:
        raise Refused(
            "TIME_POT_RUNS", "CR-6", f"hand {state.time_pot_hand} is the time pot", field="hand_id"
        )
    if not potting_seats(state):
        raise Refused("NOTHING_OWED", "CR-6", "nobody who pots owes time now")
    return (e.TimePotStarted(hand_id=command.hand_id),)


def award_time_pot(
    command: c.AwardTimePot, state: e.CollectionState, rules: ResolvedBook
) -> tuple[Any, ...]:
    """Take the collection of all who pot from the winners of the time pot (LC-147)."""
    if not state.time_pot_dealt or state.time_pot_hand != command.hand_id:
        raise Refused(
            "NOT_THE_TIME_POT",
            "CR-6",
            f"hand {command.hand_id} is not the time pot",
            field="hand_id",
        )
    if not command.winners:
        raise Refused("NO_WINNER", "CR-12", "the time pot's winners are not given", field="winners")
    pot = check_cents(command.pot_cents, "pot_cents")
    if pot < rules.cents("collection.time_pot_minimum"):
        cited = rules.cite("collection.time_pot_minimum")
        return (e.TimePotPassed(hand_id=command.hand_id, pot_cents=pot, rules=cited),)
    seats = potting_seats(state)
    total = sum(seat_of(state, seat).owes_cents for seat in seats)
    if total > pot:
        raise Refused(
            "POT_TOO_SMALL",
            "CR-8",
            f"the pot of {dollars(pot)} does not cover {dollars(total)} time",
        )
    each, odd = divmod(total, len(command.winners))
    paid_by = tuple(
        e.WinnerShare(
            seat=winner.seat,
            player_id=seat_of(state, winner.seat).player_id,
            cents=each + (1 if place < odd else 0),
        )
        for place, winner in enumerate(command.winners)
    )
    return (
        e.TimeTakenFromPot(
            hand_id=command.hand_id,
            cents=total,
            for_seats=seats,
            paid_by=paid_by,
            rules=rules.cite("collection.pot_for_time"),
        ),
    )


def convert(
    command: c.ConvertCollection, state: e.CollectionState, rules: ResolvedBook, occasion: Occasion
) -> tuple[Any, ...]:
    """Change a table's method where the book lets a floorperson do so (LC-144)."""
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
    due_at = (
        occasion.at + timedelta(minutes=state.period_minutes) if command.method == "time" else None
    )
    return (
        e.MethodChanged(
            method=command.method, amount_cents=amount, due_at=due_at, reason=reason, rules=cited
        ),
    )


def book_digest(command: Any, streams: Streams) -> str:
    """Return the digest of the book in force for the table's game."""
    if isinstance(command, known.NoteHouse):
        return ""
    state: e.CollectionState = streams[collection_stream(command.room, command.table)]
    game_id = command.game_id if isinstance(command, c.OpenCollection) else state.game_id
    return known.digest_of(streams, command.room, game_id) if game_id else ""


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
