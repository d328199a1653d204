"""What seating decides: dispatch, the streams a command reads, exclusions, and what hands do to seats."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from cardroom import known
from cardroom.kernel.decisions import Decider, Decision, Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import StreamId, Streams
from cardroom.seating import (
    away,
    broken,
    buyin,
    changes,
    draws,
    entry,
    guests,
    limits,
    locks,
    merging,
    moves,
    opening,
    sitting,
)
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.deadlines import SEATS
from cardroom.seating.here import Here, here_at, player_ids_of
from cardroom.seating.presence import (
    FLOOR,
    PRESENCE,
    Floor,
    Presence,
    floor_stream,
    presence_stream,
)
from cardroom.seating.table import Phase, TableSeats, seats_stream
from cardroom.seating.values import Exclusion

Handler = Callable[[Here, Any], Decision]


def key(command: Any) -> str:
    """Return the ordering key: the room."""
    if isinstance(command, known.NoteHouse):
        return known.key(command)
    return str(command.room)


def _of_table(streams: Streams, room: str, table: str) -> set[StreamId]:
    """Return a table's stream and, once it is loaded, those of its game."""
    stream = seats_stream(room, table)
    wanted = {stream}
    state: TableSeats | None = streams.get(stream)
    if state is not None and state.game_id:
        wanted |= known.game_streams(streams, room, state.game_id, table)
    return wanted


def _occupants(streams: Streams, command: Any) -> set[str]:
    """Return the players in the seats that a command names, or all of the table where it concerns all."""
    state: TableSeats | None = streams.get(seats_stream(command.room, command.table))
    if state is None:
        return set()
    taken = [s for s in state.taken if s.seated]
    if isinstance(command, c.BreakTable):
        return {s.seated.player_id for s in taken if s.seated}
    if isinstance(command, c.DrawForSeats):
        return {d.player_id for d in state.displaced}
    if isinstance(command, c.AssignOpenSeat):
        return {r.player_id for r in state.requests}
    seats = getattr(command, "seats", ())
    named = {getattr(command, "seat", 0), *(n for n in seats if isinstance(n, int))}
    found = {s.seated.player_id for s in taken if s.seated and s.number in named}
    if isinstance(command, c.ReturnToTable | c.LeaveSeat | c.PickUpChips | c.EndPlayOver):
        over = (s.seated.play_over for s in taken if s.seated)
        found |= {one.player_id for one in over if one is not None and one.player_id}
    return found


def _proposed_game(streams: Streams, room: str, table: str) -> frozenset[StreamId]:
    """Return the game that a table is to play, with its book."""
    state: TableSeats | None = streams.get(seats_stream(room, table))
    if state is None or state.limit_change is None:
        return frozenset()
    return known.game_streams(streams, room, state.limit_change.game_id, table)


WHOLE_ROOM: Final = (
    c.LockSeat,
    c.FollowLock,
    c.MovePlayer,
    c.NoteHandEnd,
    c.DrawForSeats,
    c.BreakTable,
    c.CloseTable,
)
"""Commands that look at the room's other tables."""


def reads(command: Any, streams: Streams) -> frozenset[StreamId]:
    """Return the streams a command is decided on, as far as what is loaded tells."""
    if isinstance(command, known.NoteHouse):
        return known.reads(command, streams)
    room = command.room
    people = player_ids_of(command)
    wanted: set[StreamId] = set()
    if isinstance(command, c.MergePresence):
        both = {presence_stream(room, one) for one in (command.from_id, command.into_id)}
        return frozenset(both | _whole_room(streams, room))
    if isinstance(command, c.BarFromGame):
        return frozenset({presence_stream(room, command.player_id)})
    if isinstance(command, c.ExcludePlayer | c.ReadmitPlayer):
        here: Presence | None = streams.get(presence_stream(room, command.player_id))
        if here is not None and here.table:
            wanted |= _of_table(streams, room, here.table)
    else:
        wanted |= _of_table(streams, room, command.table)
        people |= _occupants(streams, command)
    if isinstance(command, c.OpenTable | c.ProposeLimitChange):
        wanted |= known.game_streams(streams, room, command.game_id, command.table)
    if isinstance(command, c.ApproveLimitChange | c.ChangeLimit):
        wanted |= _proposed_game(streams, room, command.table)
    if isinstance(command, c.OpenTable):
        wanted.add(floor_stream(room))
    if isinstance(command, WHOLE_ROOM):
        wanted |= _whole_room(streams, room)
    to_table = getattr(command, "to_table", "") or getattr(command, "feeds", "")
    if to_table:
        wanted |= _of_table(streams, room, to_table)
    if isinstance(command, LEAVING):
        wanted |= _move_goals(streams, command)
    if isinstance(command, c.ReleaseLock):
        wanted |= _mover(streams, command)
    for player in tuple(people):
        known_as: Presence | None = streams.get(presence_stream(room, player))
        while known_as is not None and known_as.into_id:
            people.add(known_as.into_id)
            known_as = streams.get(presence_stream(room, known_as.into_id))
        for other in known_as.absorbed if known_as else ():
            people.add(other)
            sits: Presence | None = streams.get(presence_stream(room, other))
            if sits is not None and sits.table:
                wanted |= _of_table(streams, room, sits.table)
    return frozenset(wanted | {presence_stream(room, player) for player in people})


def _whole_room(streams: Streams, room: str) -> set[StreamId]:
    """Return the list of the room's tables, and the tables."""
    wanted: set[StreamId] = {floor_stream(room)}
    floor: Floor | None = streams.get(floor_stream(room))
    for table, _, _ in floor.tables if floor else ():
        wanted |= _of_table(streams, room, table)
    return wanted


def _mover(streams: Streams, command: c.ReleaseLock) -> set[StreamId]:
    """Return the presence of the player for whom a seat is kept, and the table from which the player moves."""
    state: TableSeats | None = streams.get(seats_stream(command.room, command.table))
    seat = state.seat(command.seat) if state else None
    if seat is None or seat.lock is None:
        return set()
    stream = presence_stream(command.room, seat.lock.player_id)
    found: Presence | None = streams.get(stream)
    if found is None or not found.table:
        return {stream}
    return {stream, *_of_table(streams, command.room, found.table)}


LEAVING: Final = (
    c.ApproveTableChange,
    c.OrderMustMove,
    c.FollowMustMove,
    c.CancelMove,
    c.OrderLeave,
    c.FollowLeave,
    c.LeaveSeat,
    c.TransferSeat,
    c.PickUpChips,
    c.BreakTable,
)
"""Commands that may give a seat free that is kept elsewhere."""


def _move_goals(streams: Streams, command: Any) -> set[StreamId]:
    """Return the tables to which players of a table are to move, with their games."""
    state: TableSeats | None = streams.get(seats_stream(command.room, command.table))
    wanted: set[StreamId] = set()
    for seat in state.taken if state else ():
        move = seat.seated.move if seat.seated else None
        if move is not None and move.to_table:
            wanted |= _of_table(streams, command.room, move.to_table)
    return wanted


def note_hand(here: Here, command: c.NoteHand) -> Decision:
    """Note a hand that began, and what it does to seats kept for absent players of a broken game."""
    deal = here.table.deal
    if deal is not None and command.deal.number <= deal.number:
        return ()
    events: list[Event] = [e.HandNoted(deal=command.deal, dealt_in=_still_there(here, command))]
    if deal is None:
        started = e.GameStarted(
            room=command.room, table=command.table, game_id=here.table.game_id, at=here.at
        )
        events.append(started)
    return (
        *here.on_table(*events),
        *locks.locks_ended_by_hand(here, command.deal.number, command.deal.big),
    )


def _still_there(here: Here, command: c.NoteHand) -> tuple[int, ...]:
    """Return the seats dealt in whose players sit there still."""
    if not command.players:
        return command.dealt_in
    sitting = {seat.number: seat.seated.player_id for seat in here.table.taken if seat.seated}
    dealt = zip(command.dealt_in, command.players, strict=True)
    return tuple(seat for seat, player_id in dealt if sitting.get(seat) == player_id)


def note_hand_end(here: Here, command: c.NoteHandEnd) -> Decision:
    """Note a hand that ended, and free seats elsewhere that were kept for its length."""
    deal = here.table.deal
    if deal is None or command.number != deal.number or not here.table.hand_live:
        return ()
    ended = here.on_table(e.HandEndNoted(number=command.number))
    floor: Floor = here.streams[floor_stream(command.room)]
    freed: list[tuple[StreamId, Event]] = []
    for table, _, _ in floor.tables:
        state: TableSeats = here.streams[seats_stream(command.room, table)]
        if state.phase is Phase.OPEN and table != command.table:
            freed.extend(locks.locks_ended_at(here.elsewhere(table), command.table))
    return (*ended, *freed)


def exclude(streams: Streams, occasion: Occasion, command: c.ExcludePlayer) -> Decision:
    """Deal a person out at once; nothing where the person sits nowhere. Who plays over a seat stands up."""
    presence: Presence = streams[presence_stream(command.room, command.player_id)]
    here = _at_presence(streams, occasion, command.room, presence)
    if here is None:
        return ()
    seat = here.table.seat_of(command.player_id)
    if seat is None:
        return _stand_up(here, presence)
    exclusion = Exclusion(
        code=command.code,
        rules=command.rules,
        until=command.until,
        must_leave=command.must_leave,
    )
    return here.on_table(
        e.PlayerExcluded(
            room=command.room,
            table=presence.table,
            seat=seat.number,
            player_id=command.player_id,
            exclusion=exclusion,
        )
    )


def _at_presence(
    streams: Streams, occasion: Occasion, room: str, presence: Presence
) -> Here | None:
    """Return the running table at which a person is, or None."""
    if not presence.table:
        return None
    state: TableSeats = streams[seats_stream(room, presence.table)]
    if state.phase is not Phase.OPEN:
        return None
    return here_at(streams, occasion, room, presence.table)


def _stand_up(here: Here, presence: Presence) -> Decision:
    seat = here.table.seat(presence.seat)
    if seat is None or seat.seated is None:
        return ()
    return sitting.over_events(here, seat, seat.seated, None)


def readmit(streams: Streams, occasion: Occasion, command: c.ReadmitPlayer) -> Decision:
    """Let a person be dealt in again."""
    presence: Presence = streams[presence_stream(command.room, command.player_id)]
    here = _at_presence(streams, occasion, command.room, presence)
    seat = here.table.seat_of(command.player_id) if here else None
    if here is None or seat is None or seat.seated is None or seat.seated.exclusion is None:
        return ()
    admitted = e.PlayerReadmitted(
        room=command.room,
        table=presence.table,
        seat=seat.number,
        player_id=command.player_id,
    )
    if not seat.seated.full_due:
        return here.on_table(admitted)
    full = buyin.full_buy_in(here.game, here.book).cents
    return here.on_table(admitted, limits.full_due(here, seat, full, seat.seated.full_due))


def follow(here: Here, command: Any) -> Decision:
    """Do what the list wants, or put on record why it cannot be; a message is never refused."""
    order: c.OfTable
    match command:
        case c.FollowMustMove():
            order = struct_like(c.OrderMustMove, command)
        case c.FollowLeave():
            order = struct_like(c.OrderLeave, command)
        case _:
            order = struct_like(c.LockSeat, command)
    try:
        return HANDLERS[type(order)](here, order)
    except Refused as refusal:
        return here.on_table(
            e.ListOrderFailed(
                room=command.room,
                table=command.table,
                game_id=here.table.game_id,
                player_id=command.player_id,
                order=type(order).__name__,
                to_table=getattr(command, "to_table", ""),
                seat=getattr(command, "to_seat", 0) or getattr(command, "seat", 0),
                at=here.at,
                code=refusal.code,
                rules=refusal.rules,
                message=refusal.message,
            )
        )


def struct_like(cls: type[c.OfTable], command: Any) -> c.OfTable:
    """Return a command with the fields of another."""
    return cls(**{name: getattr(command, name) for name in command.__struct_fields__})


OF_BROKEN: Final = (c.MovePlayer, c.DrawForSeats, c.CloseTable)
"""Commands about a table whose game broke."""

NOTES: Final = (
    c.NoteHand,
    c.NoteHandEnd,
    c.NoteMissedBlind,
    c.NoteWaiting,
    c.NoteCalled,
    c.NoteUncalled,
    c.FollowMustMove,
    c.FollowLeave,
    c.FollowLock,
)
"""Commands that come from others' messages: about a table where no game runs they mean nothing."""

HANDLERS: Final[Mapping[type, Handler]] = {
    c.CloseTable: broken.close_table,
    c.NoteCalled: opening.note_called,
    c.NoteUncalled: opening.note_uncalled,
    c.NoteWaiting: opening.note_waiting,
    c.ArriveAtTable: opening.arrive,
    c.ReserveSeat: opening.reserve,
    c.MarkSmokingSeat: opening.mark_smoking,
    c.LockSeat: locks.lock_seat,
    c.ReleaseLock: locks.release,
    c.ExpireLock: locks.expire,
    c.TakeSeat: sitting.take_seat,
    c.LeaveSeat: sitting.leave_seat,
    c.TransferSeat: sitting.transfer_seat,
    c.CorrectSeats: sitting.correct_seats,
    c.SwapSeats: sitting.swap_seats,
    c.OfferOpenSeat: changes.offer_open_seat,
    c.RequestSeatChange: changes.request_change,
    c.DeclineSeat: changes.decline,
    c.AssignOpenSeat: changes.assign_open_seat,
    c.ChangeSeat: changes.change_seat,
    c.GrantSeatChange: changes.grant_change,
    c.RequestHand: entry.request_hand,
    c.ClaimFreeEntry: entry.claim_free_entry,
    c.NoteHand: note_hand,
    c.NoteHandEnd: note_hand_end,
    c.NoteMissedBlind: away.note_missed_blind,
    c.LeaveTable: away.leave_table,
    c.NotifyAbsence: away.notify,
    c.StartMealBreak: away.meal_break,
    c.ReturnToTable: away.return_to_table,
    c.ExtendAbsence: away.extend,
    c.RaiseAbsence: away.raise_absence,
    c.ReviewAbsences: away.review,
    c.PickUpChips: away.pick_up,
    c.AddGuest: guests.add_guest,
    c.RemoveGuest: guests.remove_guest,
    c.AllowPlayOver: guests.allow_play_over,
    c.PlaceBox: guests.place_box,
    c.PlayOverSeat: guests.play_over,
    c.EndPlayOver: guests.end_play_over,
    c.RegisterSubstitute: guests.register_substitute,
    c.ApproveTableChange: moves.approve_change,
    c.OrderMustMove: moves.order_must_move,
    c.CancelMove: moves.cancel_move,
    c.OrderLeave: moves.order_leave,
    c.FollowMustMove: follow,
    c.FollowLeave: follow,
    c.FollowLock: follow,
    c.MovePlayer: moves.move_player,
    c.ForceTableChange: moves.force_change,
    c.BuyChips: buyin.buy_chips,
    c.BreakTable: broken.break_table,
    c.DrawForSeats: broken.draw_for_seats,
    c.CutForSeat: broken.cut_for_seat,
    c.DrawForButton: draws.draw_for_button,
    c.DealForMove: draws.deal_for_move,
    c.ProposeLimitChange: limits.propose,
    c.ObjectToLimitChange: limits.object_to,
    c.ApproveLimitChange: limits.approve,
    c.ChangeLimit: limits.change,
}
"""Command -> the function that decides it on the table it names."""


def decide(command: Any, streams: Streams, occasion: Occasion) -> Decision:
    """Decide a command of seating.

    Raises:
        Refused: what the book or an invariant does not allow.
    """
    match command:
        case known.NoteHouse():
            return known.decide(command, streams)
        case c.OpenTable():
            return opening.open_table(streams, occasion, command)
        case c.CloseDay():
            return opening.close_day(streams, command)
        case c.ExcludePlayer():
            return exclude(streams, occasion, command)
        case c.ReadmitPlayer():
            return readmit(streams, occasion, command)
        case c.MergePresence():
            return merging.merge_presence(streams, occasion, command)
        case c.BarFromGame():
            barred = e.GameBarred(game_id=command.game_id, until=command.until, rules=command.rules)
            return ((presence_stream(command.room, command.player_id), barred),)
        case _:
            if isinstance(command, NOTES) and not _runs(streams, command):
                return ()
            command = merging.as_known(command, streams)
            of_broken = isinstance(command, OF_BROKEN)
            here = here_at(streams, occasion, command.room, command.table, broken=of_broken)
            return HANDLERS[type(command)](here, command)


def _runs(streams: Streams, command: Any) -> bool:
    state: TableSeats = streams[seats_stream(command.room, command.table)]
    return state.phase is Phase.OPEN


def book_digest(command: Any, streams: Streams) -> str:
    """Return the digest of the book in force at the table a command is about, or ""."""
    if isinstance(command, known.NoteHouse):
        return ""
    if isinstance(command, c.OpenTable):
        return known.digest_of(streams, command.room, command.game_id, command.table)
    table = getattr(command, "table", "")
    if isinstance(command, c.MergePresence | c.BarFromGame):
        return ""
    if not table:
        presence: Presence | None = streams.get(presence_stream(command.room, command.player_id))
        table = presence.table if presence else ""
    state: TableSeats | None = streams.get(seats_stream(command.room, table)) if table else None
    if state is None or not state.game_id:
        return ""
    return known.digest_of(streams, command.room, state.game_id, table)


DECIDER = Decider(
    context="seating",
    events=e.EVENTS,
    aggregates={"seats": SEATS, "presence": PRESENCE, "floor": FLOOR, **known.AGGREGATES},
    key=key,
    reads=reads,
    decide=decide,
    commands=(*c.COMMANDS, known.NoteHouse),
    book_digest=book_digest,
)
"""All that the shell needs to run seating."""
