"""Keeping seats for players: who may have which seat, for how long, and who gives it free."""

from datetime import datetime, timedelta

from cardroom.kernel.decisions import Decision, require_override
from cardroom.kernel.refusal import Refused
from cardroom.known.citing import stated
from cardroom.known.standing import Act, Standing
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.here import FLOOR, Here, check_standing
from cardroom.seating.opening import check_new_game_turn
from cardroom.seating.table import TableSeats, seats_stream
from cardroom.seating.values import Lock, LockKind, Seat, SeatRequest


def check_open(here: Here, seat: Seat, player_id: str) -> None:
    """Refuse a seat that is taken, kept for somebody else or reserved, naming who has it.

    Raises:
        Refused: see above.
    """
    if seat.seated is not None:
        away = " and is away; the chips are still there" if seat.seated.away else ""
        rules = stated(here.book, "RC-G8", "LC-23") if seat.seated.away else ("CR-7",)
        raise Refused(
            "SEAT_TAKEN",
            rules,
            f"{seat.seated.player_id} sits in seat {seat.number} of table {here.table.table}{away}",
            options=open_seats(here.table, player_id),
            field="seat",
        )
    if seat.lock is not None and seat.lock.player_id != player_id:
        raise Refused(
            "SEAT_LOCKED",
            here.book.cite("seating.lock_marker", "seating.lock_minutes"),
            f"seat {seat.number} of table {here.table.table} is locked for {seat.lock.player_id}",
            options=open_seats(here.table, player_id),
            field="seat",
        )
    if seat.reserved_for and seat.reserved_for != player_id:
        raise Refused(
            "SEAT_RESERVED",
            here.book.cite("seating.kept_for_cause"),
            f"management keeps seat {seat.number} for {seat.reserved_for}",
            options=open_seats(here.table, player_id),
            field="seat",
        )


def open_seats(table: TableSeats, player_id: str) -> tuple[str, ...]:
    """Return the seats that a player could have, in words."""
    free = [
        str(s.number)
        for s in table.seats
        if s.is_open
        and (s.lock is None or s.lock.player_id == player_id)
        and s.reserved_for in {"", player_id}
    ]
    return (f"open seats: {', '.join(free)}",) if free else ()


def requests_for(table: TableSeats, seat: int) -> tuple[SeatRequest, ...]:
    """Return the wishes of players in the game that an open seat would meet."""
    return tuple(r for r in table.requests if r.seat in {0, seat} and seat not in r.declined)


def check_apart(here: Here, player_id: str, standing: Standing | None) -> None:
    """Refuse to seat somebody at the table of a person from whom the house keeps them apart.

    Raises:
        Refused: see above.
    """
    for pair in standing.apart if standing else ():
        other = here.table.seat_of(pair.player_id)
        if other is not None:
            raise Refused(
                "KEPT_APART",
                pair.rules,
                f"{player_id} and {pair.player_id} (seat {other.number}) may not be at one table",
                options=("a seat at another table",),
                field="player_id",
            )


def check_game_bar(here: Here, player_id: str) -> None:
    """Refuse a game to somebody who refused its must-move not long ago.

    Raises:
        Refused: see above.
    """
    for presence in here.presences(player_id):
        for game_id, until, rules in presence.game_bars:
            if game_id == here.table.game_id and here.at < until:
                raise Refused(
                    "REFUSED_MUST_MOVE",
                    rules,
                    f"{player_id} refused a must-move and may play again at {until:%H:%M} UTC",
                    field="player_id",
                )


def _check_seated_first(here: Here, seat: Seat, kind: LockKind) -> None:
    if here.table.is_new or kind is not LockKind.NAME:
        return
    rules = here.book.cite("seating.in_game_first")
    asked = requests_for(here.table, seat.number)
    if asked and not seat.offered:
        refusal = Refused(
            "SEATED_FIRST",
            rules,
            f"{asked[0].player_id} in the game asked for seat {seat.number} and comes first",
            options=(f"assign seat {seat.number}", f"offer seat {seat.number} to those seated"),
            field="seat",
        )
        require_override(here.occasion, FLOOR, refusal)
    asks_round = here.book.choice("seating.newcomer_fixed_by") == "chips_down"
    if asks_round and here.table.waiting > 0 and not seat.offered and here.table.taken:
        refusal = Refused(
            "SEATED_NOT_ASKED",
            rules,
            f"those in the game were not asked whether they want seat {seat.number}",
            options=(f"offer seat {seat.number} to those seated",),
            field="seat",
        )
        require_override(here.occasion, FLOOR, refusal)


def _check_needier(here: Here, player_id: str) -> None:
    """Send a new player to the game that needs one most, where like games run without must-move."""
    if here.book.choice("seating.new_player_to") != "most_needy_game":
        return
    like = here.like_tables()
    if any(t.feeds for t in like):
        return
    fewer = [
        t
        for t in like
        if t.table != here.table.table
        and t.player_count < here.table.player_count
        and any(s.is_open and s.lock is None for s in t.seats)
    ]
    if fewer:
        needy = min(fewer, key=lambda t: t.player_count)
        refusal = Refused(
            "NEEDIER_GAME",
            here.book.cite("seating.new_player_to"),
            f"table {needy.table} has {needy.player_count} players, "
            f"table {here.table.table} {here.table.player_count}",
            options=(f"a seat at table {needy.table}",),
            field="table",
        )
        require_override(here.occasion, FLOOR, refusal)


def lock_time(here: Here) -> tuple[datetime, bool, tuple[str, ...]]:
    """Return when a lock made now is up, whether only if somebody waits, and the rules behind it."""
    key = "seating.lock_minutes_new_game" if here.table.is_new else "seating.lock_minutes"
    minutes = here.book.minutes(key)
    return (
        here.at + timedelta(minutes=minutes),
        here.book.choice("seating.lock_expires") == "only_if_waiting",
        here.book.cite(key, "seating.lock_expires"),
    )


def lock_seat(here: Here, command: c.LockSeat) -> Decision:
    """Keep a seat for a player.

    Raises:
        Refused: the seat is taken or kept, others come first, the player is barred, kept apart, or needed elsewhere.
    """
    seat = here.seat(command.seat)
    check_open(here, seat, command.player_id)
    held = here.table.lock_of(command.player_id)
    if held is not None and held.number != seat.number:
        raise Refused(
            "HAS_LOCK",
            "CR-7",
            f"seat {held.number} is already kept for {command.player_id}",
            options=(f"release seat {held.number} first",),
            field="player_id",
        )
    if here.table.seat_of(command.player_id) is not None:
        raise Refused(
            "ALREADY_SEATED",
            here.book.cite("seating.one_seat_each"),
            f"{command.player_id} sits at this table; ask for a seat change",
            field="player_id",
        )
    check_game_bar(here, command.player_id)
    if held is None and seat.reserved_for != command.player_id:
        from_list = bool(command.entry_id) and "service" in here.occasion.roles
        check_new_game_turn(here, command.player_id, seat.number, from_list=from_list)
    if command.kind not in {LockKind.MUST_MOVE, LockKind.LOCKUP}:
        # The list's own orders come without a standing; it is asked when the player sits down.
        check_standing(command.standing, command.player_id, Act.SIT, here.occasion)
        check_apart(here, command.player_id, command.standing)
    if held is None:
        _check_seated_first(here, seat, command.kind)
        if command.kind is LockKind.NAME and not here.table.is_new:
            _check_needier(here, command.player_id)
    expires_at, only_if_waiting, rules = lock_time(here)
    if command.kind is LockKind.POT:
        rules = here.book.cite("seating.kept_for_cause")
    lock = Lock(
        player_id=command.player_id,
        kind=command.kind,
        since=held.lock.since if held and held.lock else here.at,
        expires_at=None if command.kind is LockKind.POT else expires_at,
        only_if_waiting=only_if_waiting,
        until_hand_ends_at=command.until_hand_ends_at,
        rules=rules,
        entry_id=command.entry_id,
    )
    if held is not None and held.lock is not None:
        lock = _renewed(held.lock, command)
    return here.on_table(
        e.SeatLocked(
            room=here.table.room,
            table=here.table.table,
            game_id=here.table.game_id,
            seat=seat.number,
            lock=lock,
            by=here.occasion.actor,
        )
    )


def _renewed(old: Lock, command: c.LockSeat) -> Lock:
    """Return a lock that its player marks or confirms; its time goes on running."""
    return Lock(
        player_id=old.player_id,
        kind=command.kind,
        since=old.since,
        expires_at=old.expires_at,
        only_if_waiting=old.only_if_waiting,
        until_hand_ends_at=old.until_hand_ends_at,
        until_hand=old.until_hand,
        rules=old.rules,
        entry_id=old.entry_id or command.entry_id,
    )


def _unlocked(
    here: Here, seat: Seat, lock: Lock, reason: str, rules: tuple[str, ...], first: bool = False
) -> e.SeatUnlocked:
    return e.SeatUnlocked(
        room=here.table.room,
        table=here.table.table,
        game_id=here.table.game_id,
        seat=seat.number,
        player_id=lock.player_id,
        at=here.at,
        reason=reason,
        rules=rules,
        first_on_list=first,
    )


def opened(here: Here, seat: int) -> e.SeatOpened:
    """Return the event that tells others of an open seat."""
    return e.SeatOpened(
        room=here.table.room,
        table=here.table.table,
        game_id=here.table.game_id,
        seat=seat,
        at=here.at,
    )


def drop_other_lock(here: Here, player_id: str, seat: int) -> Decision:
    """Return what gives another seat free that is kept here for a player who gets this one."""
    held = here.table.lock_of(player_id)
    if held is None or held.lock is None or held.number == seat:
        return ()
    rules = here.book.cite("seating.lock_marker")
    return here.on_table(
        _unlocked(here, held, held.lock, "another seat", rules), opened(here, held.number)
    )


def release(here: Here, command: c.ReleaseLock) -> Decision:
    """Give a kept seat free.

    Raises:
        Refused: only the player it is kept for, or the floor, may.
    """
    seat = here.seat(command.seat)
    if seat.lock is None:
        raise Refused("NOT_LOCKED", "CR-6", f"seat {seat.number} is not locked", field="seat")
    rules = here.book.cite("seating.lock_marker")
    if command.by_player != seat.lock.player_id and not here.by_floor():
        raise Refused(
            "NOT_YOUR_LOCK",
            rules,
            f"only {seat.lock.player_id} or the floor can unlock seat {seat.number}",
            field="by_player",
        )
    freed = here.on_table(
        _unlocked(here, seat, seat.lock, "released", rules), opened(here, seat.number)
    )
    return (*freed, *_stays(here, seat.lock.player_id))


def _stays(here: Here, player_id: str) -> Decision:
    """Return what lets a player stay whose seat at this table is no longer kept."""
    presence = here.presence(player_id)
    if not presence.table or presence.table == here.table.table:
        return ()
    stream = seats_stream(here.table.room, presence.table)
    state: TableSeats = here.streams[stream]
    seat = state.seat_of(player_id)
    move = seat.seated.move if seat and seat.seated else None
    if seat is None or move is None or move.to_table != here.table.table:
        return ()
    stays = e.MoveCancelled(seat=seat.number, player_id=player_id, reason="seat given free")
    return ((stream, stays),)


def lock_is_over(table: TableSeats, lock: Lock, at: datetime) -> bool:
    """Return whether a lock is to be picked up at an instant."""
    if lock.expires_at is None or at < lock.expires_at:
        return False
    return table.waiting > 0 or not lock.only_if_waiting


def expire(here: Here, command: c.ExpireLock) -> Decision:
    """Pick up a lock whose time is over; one that was taken or renewed meanwhile stays."""
    seat = here.seat(command.seat)
    lock = seat.lock
    if lock is None or lock.player_id != command.player_id:
        return ()
    if not lock_is_over(here.table, lock, here.at):
        return ()
    return here.on_table(
        _unlocked(here, seat, lock, "expired", lock.rules), opened(here, seat.number)
    )


def locks_ended_by_hand(here: Here, number: int, big: int) -> Decision:
    """Return what a beginning hand does to seats kept for absent players of a broken game."""
    events: list[e.SeatUnlocked | e.SeatOpened] = []
    for seat in here.table.seats:
        lock = seat.lock
        if lock is None or lock.kind is not LockKind.DRAWN:
            continue
        over = number > lock.until_hand if lock.until_hand else bool(big) and big == seat.number
        if over:
            events.append(_unlocked(here, seat, lock, "forfeited", lock.rules, first=True))
            events.append(opened(here, seat.number))
    return here.on_table(*events)


def locks_ended_at(here: Here, table: str) -> Decision:
    """Return what the end of a hand elsewhere does to seats kept for a player busy with it."""
    events: list[e.SeatUnlocked | e.SeatOpened] = []
    for seat in here.table.seats:
        if seat.lock is not None and seat.lock.until_hand_ends_at == table:
            events.append(_unlocked(here, seat, seat.lock, "hand ended", seat.lock.rules))
            events.append(opened(here, seat.number))
    return here.on_table(*events)
