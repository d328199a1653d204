"""Sitting down, leaving, giving a seat away, and putting right who sits where."""

from cardroom.kernel.decisions import Decision, require_override
from cardroom.kernel.events import Event
from cardroom.kernel.money import check_cents
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import StreamId
from cardroom.known.citing import stated
from cardroom.known.standing import Act, Standing
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.buyin import Least, check_buy_in, full_buy_in, least_to_sit
from cardroom.seating.entry import entry_after_change, entry_of_newcomer
from cardroom.seating.here import FLOOR, Here, check_standing
from cardroom.seating.locks import check_apart, check_game_bar, check_open, opened
from cardroom.seating.merging import second_seat
from cardroom.seating.presence import Floor, floor_stream
from cardroom.seating.table import Phase, TableSeats, seats_stream
from cardroom.seating.values import Entry, LockKind, Move, PlayOver, Seat, Seated

Records = list[tuple[StreamId, Event]]


def check_one_seat(here: Here, player_id: str) -> None:
    """Refuse a second seat in the room, naming the first.

    Raises:
        Refused: the player sits somewhere already.
    """
    for presence in here.presences(player_id):
        if presence.table:
            raise Refused(
                "ALREADY_SEATED",
                here.book.cite("seating.one_seat_each"),
                f"{player_id} already sits at table {presence.table} seat {presence.seat}",
                options=("leave that seat first", "ask for a table change"),
                field="player_id",
            )


def seat_events(
    here: Here,
    seat: Seat,
    player_id: str,
    *,
    reason: str,
    cents: int,
    least: Least,
    entry: Entry,
    standing: Standing | None,
    missed_buttons: int = 0,
    from_table: str = "",
    entry_id: str = "",
    override_of: tuple[str, ...] = (),
) -> Records:
    """Return what is recorded when somebody sits down."""
    table = here.table
    records: Records = [
        (
            here.stream,
            e.PlayerSeated(
                room=table.room,
                table=table.table,
                game_id=table.game_id,
                seat=seat.number,
                player_id=player_id,
                at=here.at,
                reason=reason,
                buy_in_cents=cents,
                least_cents=least.cents,
                full_cents=full_buy_in(here.game, here.book).cents,
                entry=entry,
                missed_buttons=missed_buttons,
                rules=least.rules,
                standing_version=standing.version if standing else 0,
                from_table=from_table,
                entry_id=entry_id,
                override_of=override_of,
            ),
        ),
        (
            here.presence_stream(player_id),
            e.SatDown(room=table.room, table=table.table, seat=seat.number, at=here.at),
        ),
    ]
    if here.presence(player_id).accepted_book != here.book.digest:
        accepted = e.RulesAccepted(
            player_id=player_id,
            book_digest=here.book.digest,
            rules=stated(here.book, "RC-G16", "WP-2P10"),
        )
        records.append((here.presence_stream(player_id), accepted))
    records.extend((here.stream, event) for event in pick_ups_when_full(here, seat.number))
    return records


def pick_ups_when_full(here: Here, filling: int) -> tuple[Event, ...]:
    """Return the pick-ups that fall due because the game fills with the seat now taken."""
    if here.book.choice("seating.away_measure") != "missed_big_blinds" or here.is_stud:
        return ()
    if here.table.player_count + 1 < here.table.usual_seats:
        return ()
    allowed = here.book.count("seating.away_missed_buttons")
    rules = here.book.cite("seating.away_missed_buttons", "seating.away_not_full")
    return tuple(
        e.PickUpDue(
            room=here.table.room,
            table=here.table.table,
            seat=s.number,
            player_id=s.seated.player_id,
            at=here.at,
            rules=rules,
        )
        for s in here.table.taken
        if s.seated
        and s.number != filling
        and s.seated.away is not None
        and s.seated.missed_buttons >= allowed
        and not s.seated.pick_up_rules
    )


def take_seat(here: Here, command: c.TakeSeat) -> Decision:
    """Sit down in a seat kept for the player.

    Raises:
        Refused: taken or kept for another (naming who), not assigned, barred, kept apart, too little or too much.
    """
    seat, player = here.seat(command.seat), command.player_id
    check_one_seat(here, player)
    check_open(here, seat, player)
    check_game_bar(here, player)
    gone_against: tuple[str, ...] = ()
    if seat.lock is None and seat.reserved_for != player:
        rules = here.book.cite("seating.floor_permission")
        refusal = Refused(
            "NO_PERMISSION",
            rules,
            f"seat {seat.number} was not assigned to {player}",
            options=(f"have seat {seat.number} locked first",),
            field="seat",
        )
        require_override(here.occasion, FLOOR, refusal)
        gone_against = rules
    gone_against += check_standing(command.standing, player, Act.SIT, here.occasion)
    check_apart(here, player, command.standing)
    check_standing(command.standing, player, Act.BUY_IN, here.occasion)
    least = least_to_sit(here, player)
    check_buy_in(here, least, command.buy_in_cents)
    moving = seat.lock is not None and seat.lock.kind is LockKind.MUST_MOVE
    reason = "must_move" if moving else "new"
    return tuple(
        seat_events(
            here,
            seat,
            player,
            reason=reason,
            cents=command.buy_in_cents,
            least=least,
            entry=entry_of_newcomer(here, seat, reason),
            standing=command.standing,
            entry_id=command.entry_id or (seat.lock.entry_id if seat.lock else ""),
            override_of=gone_against,
        )
    )


def leave_events(
    here: Here,
    seat: Seat,
    seated: Seated,
    reason: str,
    chips_cents: int | None,
    *,
    moved: bool = False,
    opens: bool = True,
) -> Records:
    """Return what is recorded when somebody gives up a seat."""
    table = here.table
    records: Records = [
        (
            here.stream,
            e.PlayerLeft(
                room=table.room,
                table=table.table,
                game_id=table.game_id,
                seat=seat.number,
                player_id=seated.player_id,
                at=here.at,
                reason=reason,
                chips_cents=chips_cents,
                players_before=table.player_count,
            ),
        ),
        (
            here.presence_stream(seated.player_id),
            e.StoodUp(
                room=table.room,
                table=table.table,
                at=here.at,
                stakes=here.stakes,
                chips_cents=chips_cents,
                moved=moved,
            ),
        ),
    ]
    chairs = [s for s in table.seats if not s.removed]
    if len(chairs) > table.usual_seats:
        rules = here.book.cite("game.extra_players_at_start")
        records.append((here.stream, e.SeatRemoved(seat=seat.number, rules=rules)))
    elif opens:
        records.append((here.stream, opened(here, seat.number)))
    return records


def play_over_event(here: Here, seat: Seat, play_over: PlayOver | None) -> e.PlayOverChanged:
    """Return the event that sets or ends a play-over."""
    return e.PlayOverChanged(
        room=here.table.room,
        table=here.table.table,
        seat=seat.number,
        play_over=play_over,
    )


def over_events(here: Here, seat: Seat, seated: Seated, chips_cents: int | None) -> Decision:
    """Return what ends a play-over: the player who played over stands up with the own chips."""
    now = seated.play_over
    if now is None:
        return ()
    ended = (here.stream, play_over_event(here, seat, None))
    if not now.playing:
        return (ended,)
    stood = e.StoodUp(
        room=here.table.room,
        table=here.table.table,
        at=here.at,
        stakes=here.stakes,
        chips_cents=chips_cents,
        moved=False,
    )
    return (ended, (here.presence_stream(now.player_id), stood))


def release_kept(here: Here, player_id: str, move: Move | None) -> Decision:
    """Return what gives the seat free that was kept elsewhere for a player who does not move there."""
    if move is None or not move.to_table or move.to_table == here.table.table:
        return ()
    goal: TableSeats = here.streams[seats_stream(here.table.room, move.to_table)]
    if goal.phase is not Phase.OPEN:
        return ()
    there = here.elsewhere(move.to_table)
    kept = there.table.lock_of(player_id)
    if kept is None or kept.lock is None:
        return ()
    unlocked = e.SeatUnlocked(
        room=there.table.room,
        table=there.table.table,
        game_id=there.table.game_id,
        seat=kept.number,
        player_id=player_id,
        at=here.at,
        reason="not moving",
        rules=move.rules,
    )
    reopened = e.SeatOpened(
        room=there.table.room,
        table=there.table.table,
        game_id=there.table.game_id,
        seat=kept.number,
        at=here.at,
    )
    return ((there.stream, unlocked), (there.stream, reopened))


def moves_cancelled(here: Here, reason: str) -> Decision:
    """Return what becomes of players elsewhere who were to move to a game that ends: they stay."""
    floor: Floor = here.streams[floor_stream(here.table.room)]
    records: Records = []
    for table, _, _ in floor.tables:
        state: TableSeats = here.streams[seats_stream(here.table.room, table)]
        if state.phase is not Phase.OPEN or table == here.table.table:
            continue
        for seat in state.taken:
            move = seat.seated.move if seat.seated else None
            if seat.seated and move is not None and move.to_table == here.table.table:
                stays = e.MoveCancelled(
                    seat=seat.number, player_id=seat.seated.player_id, reason=reason
                )
                records.append((seats_stream(here.table.room, table), stays))
    return tuple(records)


def leave_seat(here: Here, command: c.LeaveSeat) -> Decision:
    """Leave the game, whenever the player likes."""
    seat, seated = here.seated(command.player_id)
    if command.chips_cents is not None:
        check_cents(command.chips_cents, "chips_cents")
    over = over_events(here, seat, seated, None)
    leaving = leave_events(here, seat, seated, "left", command.chips_cents)
    kept = release_kept(here, command.player_id, seated.move)
    return (*over, *leaving, *kept, *second_seat(here, command.player_id))


def transfer_seat(here: Here, command: c.TransferSeat) -> Decision:
    """Give the seat to another person.

    Raises:
        Refused: no floorperson approves; the other person may not sit or brings too little.
    """
    rules = stated(here.book, "LC-25", *here.book.cite("seating.floor_permission"))
    if not here.by_floor():
        raise Refused(
            "FLOOR_APPROVAL_REQUIRED",
            rules,
            "a seat goes to the next name on the list unless a floorperson approves otherwise",
            options=("ask the floor",),
        )
    seat, seated = here.seated(command.player_id)
    other = command.to_player_id
    check_one_seat(here, other)
    check_standing(command.standing, other, Act.SIT, here.occasion)
    check_apart(here, other, command.standing)
    least = least_to_sit(here, other)
    check_buy_in(here, least, command.buy_in_cents)
    leaving = leave_events(here, seat, seated, "gave seat away", command.chips_cents, opens=False)
    leaving = [record for record in leaving if not isinstance(record[1], e.SeatRemoved)]
    coming = seat_events(
        here,
        seat,
        other,
        reason="transfer",
        cents=command.buy_in_cents,
        least=least,
        entry=entry_of_newcomer(here, seat, "new"),
        standing=command.standing,
    )
    return (*leaving, *coming, *release_kept(here, command.player_id, seated.move))


def correct_seats(here: Here, command: c.CorrectSeats) -> Decision:
    """Put right that two players sat in each other's seats; a hand played so stands.

    Raises:
        Refused: only the floor does, with a reason, for two taken seats.
    """
    if not here.by_floor():
        raise Refused("NEEDS_FLOOR", "CR-9", "the floor puts right who sits where")
    if not command.reason.strip():
        raise Refused("REASON_NEEDED", "CR-9", "say in words what happened", field="reason")
    one, other = (here.occupant(number)[1] for number in command.seats)
    if command.seats[0] == command.seats[1]:
        raise Refused("SAME_SEAT", "CR-4", "two different seats are needed", field="seats")
    return (
        (
            here.stream,
            e.SeatsSwapped(
                room=here.table.room,
                table=here.table.table,
                seats=command.seats,
                at=here.at,
                entries=(one.entry, other.entry),
                rules=here.book.cite("seating.floor_permission"),
                reason=command.reason,
            ),
        ),
        (
            here.presence_stream(one.player_id),
            _sat(here, command.seats[1]),
        ),
        (
            here.presence_stream(other.player_id),
            _sat(here, command.seats[0]),
        ),
    )


def _sat(here: Here, seat: int) -> e.SatDown:
    return e.SatDown(room=here.table.room, table=here.table.table, seat=seat, at=here.at)


def swap_seats(here: Here, command: c.SwapSeats) -> Decision:
    """Let two players change places by agreement; each is treated as a seat-changer.

    Raises:
        Refused: the seats are not both taken, or are one.
    """
    first, second = command.seats
    if first == second:
        raise Refused("SAME_SEAT", "CR-4", "two different seats are needed", field="seats")
    one, other = here.occupant(first)[1], here.occupant(second)[1]
    entries = (entry_after_change(here, first, second), entry_after_change(here, second, first))
    swapped = e.SeatsSwapped(
        room=here.table.room,
        table=here.table.table,
        seats=command.seats,
        at=here.at,
        entries=entries,
        rules=here.book.cite("seating.swap"),
        reason="agreed",
    )
    return (
        (here.stream, swapped),
        (here.presence_stream(one.player_id), _sat(here, second)),
        (here.presence_stream(other.player_id), _sat(here, first)),
    )
