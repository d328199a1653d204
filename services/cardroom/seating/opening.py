"""Opening and closing games, new-game order, and the turn of the gaming day."""

from cardroom import known
from cardroom.kernel.decisions import Decision, Occasion, require_override
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import Streams
from cardroom.known.citing import stated
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.here import FLOOR, Here
from cardroom.seating.presence import Floor, floor_stream
from cardroom.seating.table import Phase, TableSeats, seats_stream


def open_table(streams: Streams, occasion: Occasion, command: c.OpenTable) -> Decision:
    """Open a game at a table.

    Raises:
        Refused: only management opens games; the table is in use; too many extra players.
    """
    game = known.game_of(streams, command.room, command.game_id)
    book = known.rules_of(streams, command.room, command.game_id, command.table)
    if not occasion.roles & FLOOR:
        raise Refused(
            "NOT_MANAGEMENT",
            book.cite("game.opened_by_management"),
            "only management decides whether and when a game opens",
            options=("ask the floor",),
        )
    stream = seats_stream(command.room, command.table)
    state: TableSeats = streams[stream]
    if state.phase is Phase.OPEN:
        raise Refused(
            "TABLE_IN_USE",
            "CR-7",
            f"table {command.table} spreads {state.game_id}",
            field="table",
        )
    if state.phase is Phase.BROKEN and any(d.seat_given[1] for d in state.displaced):
        raise Refused(
            "TABLE_BREAKING",
            "CR-6",
            f"players of table {command.table} still go to seats they drew",
            options=("move them first",),
            field="table",
        )
    if command.feeds:
        _check_main(streams, command)
    most = book.count("game.extra_players_at_start")
    if not 0 <= command.extra_seats <= most:
        raise Refused(
            "TOO_MANY_EXTRA",
            book.cite("game.extra_players_at_start"),
            f"{command.extra_seats} players more than the usual {game.seats} are asked for; "
            f"at most {most}",
            options=(f"open with up to {game.seats + most} players",),
            field="extra_seats",
        )
    opened = e.TableOpened(
        room=command.room,
        table=command.table,
        game_id=command.game_id,
        at=occasion.at,
        seats=game.seats,
        extra_seats=command.extra_seats,
        order=command.order,
        feeds=command.feeds,
        by=occasion.actor,
    )
    floor: Floor = streams[floor_stream(command.room)]
    listed = (command.table, command.game_id, command.feeds)
    if listed in floor.tables:
        return ((stream, opened),)
    listing = e.TableListed(table=listed[0], game_id=listed[1], feeds=listed[2])
    return ((stream, opened), (floor_stream(command.room), listing))


def _check_main(streams: Streams, command: c.OpenTable) -> None:
    """Refuse to feed a table that does not run a game of the same type and limit."""
    main: TableSeats = streams[seats_stream(command.room, command.feeds)]
    book = known.rules_of(streams, command.room, command.game_id, command.table)
    if main.phase is Phase.OPEN:
        runs = known.game_of(streams, command.room, main.game_id).stakes
        same = runs == known.game_of(streams, command.room, command.game_id).stakes
    else:
        same = False
    if not same:
        spread = main.game_id or "no game"
        raise Refused(
            "NOT_SAME_GAME",
            book.cite("mustmove.same_game"),
            f"table {command.feeds} spreads {spread}, not {command.game_id}",
            options=("feed a running game of the same type and limit",),
            field="feeds",
        )


def note_called(here: Here, command: c.NoteCalled) -> Decision:
    """Note which names the list called for the new game."""
    return here.on_table(e.NamesCalled(player_ids=command.player_ids))


def note_uncalled(here: Here, command: c.NoteUncalled) -> Decision:
    """Note that a called name does not come."""
    if command.player_id not in here.table.order:
        return ()
    return here.on_table(e.NameUncalled(player_id=command.player_id))


def note_waiting(here: Here, command: c.NoteWaiting) -> Decision:
    """Note how many names wait for the game."""
    if command.names == here.table.waiting:
        return ()
    return here.on_table(e.WaitingNoted(names=command.names, at=here.at))


def arrive(here: Here, command: c.ArriveAtTable) -> Decision:
    """Note that a called player reached the table."""
    if any(player == command.player_id for player, _ in here.table.arrivals):
        return ()
    return here.on_table(e.ArrivalNoted(player_id=command.player_id, at=here.at))


def check_new_game_turn(
    here: Here, player_id: str, seat: int, *, from_list: bool = False
) -> tuple[str, ...]:
    """Refuse a seat in a new game to somebody whose turn it is not.

    Args:
        here: the table.
        player_id: who wants a seat.
        seat: which.
        from_list: whether the lists themselves ask, whose message that the name was called may still be on its way;
            the player then stands behind those who are known to be called.

    Returns:
        Rules the floor went against; empty where none.

    Raises:
        Refused: names on the list come first, or another has the first choice.
    """
    table, book = here.table, here.book
    if not table.is_new or not table.order:
        return ()
    placed = {s.seated.player_id for s in table.taken if s.seated}
    placed |= {s.lock.player_id for s in table.seats if s.lock}
    ahead = [name for name in table.order if name not in placed and name != player_id]
    if player_id not in table.order:
        by_arrival = book.choice("seating.new_game_seat_choice") == "arrival"
        if not ahead or (from_list and by_arrival):
            return ()
        refusal = Refused(
            "LIST_FIRST",
            book.cite("seating.list_first"),
            f"{len(ahead)} called names come before a player who is not on the list",
            options=ahead[:3],
            field="player_id",
        )
        require_override(here.occasion, FLOOR, refusal)
        return refusal.rules
    rules = book.cite("seating.new_game_seat_choice")
    if book.choice("seating.new_game_seat_choice") == "list_order":
        first = next(name for name in table.order if name not in placed)
        if first == player_id:
            return ()
        refusal = Refused(
            "NOT_FIRST_CHOICE",
            rules,
            f"{first} stands before {player_id} on the board and chooses first",
            options=(f"wait until {first} has chosen",),
            field="player_id",
        )
        require_override(here.occasion, FLOOR, refusal)
        return refusal.rules
    arrived = dict(table.arrivals)
    mine = arrived.get(player_id, here.at)
    for name in ahead:
        theirs = arrived.get(name)
        if theirs is None or theirs > mine:
            continue
        if theirs < mine or table.order.index(name) < table.order.index(player_id):
            raise Refused(
                "NOT_FIRST_CHOICE",
                rules,
                f"{name} reached the table first, or together and stands higher on the list; "
                f"seat {seat} is {name}'s to choose",
                options=(f"wait until {name} has chosen",),
                field="player_id",
            )
    return ()


def reserve(here: Here, command: c.ReserveSeat) -> Decision:
    """Keep a seat for a player for good cause, or give it free again.

    Raises:
        Refused: management does that, with a cause, for an open seat.
    """
    seat = here.seat(command.seat)
    rules = here.book.cite("seating.kept_for_cause")
    if not here.by_floor():
        raise Refused("NOT_MANAGEMENT", rules, "management keeps seats for good cause")
    at = {
        "room": here.table.room,
        "table": here.table.table,
        "game_id": here.table.game_id,
    }
    if not command.player_id:
        return here.on_table(e.ReservationEnded(**at, seat=seat.number))
    if not command.cause.strip():
        raise Refused("CAUSE_NEEDED", rules, "a kept seat needs its cause in words", field="cause")
    if not seat.is_open or seat.lock:
        raise Refused("SEAT_TAKEN", "CR-6", f"seat {seat.number} is not open", field="seat")
    return here.on_table(
        e.SeatReserved(**at, seat=seat.number, player_id=command.player_id, cause=command.cause)
    )


def mark_smoking(here: Here, command: c.MarkSmokingSeat) -> Decision:
    """Make a seat a smoking seat.

    Raises:
        Refused: the house bans smoking, or the seat is beside the dealer.
    """
    seat, book = here.seat(command.seat), here.book
    smoking = book.choice("house.smoking")
    rules = stated(book, "WP-1T1", *book.cite("house.smoking"))
    if smoking == "banned":
        raise Refused("SMOKING_BANNED", book.cite("house.smoking"), "no seat may be a smoking seat")
    chairs = [s.number for s in here.table.seats if not s.removed]
    if smoking == "restricted" and seat.number in {chairs[0], chairs[-1]}:
        raise Refused(
            "BESIDE_DEALER",
            rules,
            f"seat {seat.number} is beside the dealer and stays a nonsmoking seat",
            field="seat",
        )
    return here.on_table(e.SmokingSeatMarked(seat=seat.number))


def close_day(streams: Streams, command: c.CloseDay) -> Decision:
    """End a table's stream of this gaming day and carry the table into the next."""
    stream = seats_stream(command.room, command.table)
    state: TableSeats = streams[stream]
    if not state.table:
        return ()
    if state.phase is Phase.DAY_CLOSED:
        raise Refused("DAY_CLOSED", "CR-10", f"the day of table {command.table} is closed")
    carried = e.SeatsCarried(
        gaming_day=command.gaming_day,
        room=state.room,
        table=state.table,
        phase=state.phase.value,
        game_id=state.game_id,
        usual_seats=state.usual_seats,
        opened_at=state.opened_at,
        feeds=state.feeds,
        waiting=state.waiting,
        seats=state.seats,
        requests=state.requests,
        deal=state.deal,
        displaced=state.displaced,
        order=state.order,
        arrivals=state.arrivals,
        hand_live=state.hand_live,
        limit_change=state.limit_change,
        seats_sufficed=state.seats_sufficed,
        first_button=state.first_button,
        round_done=state.round_done,
    )
    return ((stream, e.SeatsClosed(gaming_day=command.gaming_day)), (stream, carried))
