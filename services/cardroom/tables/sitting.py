"""Who sits where: sitting down, leaving, changing seats, being away, and how a player comes in."""

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused, Stale
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import commands as c
from cardroom.tables import table_events as ev
from cardroom.tables.chips import announced_plays
from cardroom.tables.entry import terms
from cardroom.tables.playing_over import after_the_hand as over_after_the_hand
from cardroom.tables.playing_over import lifted, owner_of
from cardroom.tables.positions import between, distance
from cardroom.tables.seats import Arrival, Seat, WayIn
from cardroom.tables.starting import base_positions
from cardroom.tables.straddling import check_straddle
from cardroom.tables.table import Table
from cardroom.tables.table_folds import evolve

Events = tuple[Event, ...]


def sit_player(command: c.SitPlayer, table: Table, rules: ResolvedBook) -> Events:
    """Record that a player sat down.

    Raises:
        Refused: CR-4, no such seat or a negative amount; CR-7, somebody else sits there, or he sits elsewhere here.
    """
    table.check_seat(command.seat)
    if command.stack_cents is not None:
        check_cents(command.stack_cents, "stack_cents")
    check_cents(command.announced_cents, "announced_cents")
    if not command.player:
        raise Refused("PLAYER_MISSING", "CR-4", "player is empty", field="player")
    sat = ev.Sat(
        seat=command.seat,
        player=command.player,
        stack_cents=command.stack_cents,
        arrival=command.arrival,
        announced_cents=command.announced_cents,
        announced_play=bool(command.announced_cents)
        and announced_plays(table, rules, command.consented_by),
        source=command.source,
    )
    taken = table.seats.get(command.seat)
    if taken is not None:
        if taken.player == command.player or _yet_to_sit(table, command.player) is not None:
            return ()
        given_up = command.seat in table.leaving or command.seat in table.moving
        if given_up and command.seat not in {one.seat for one in table.sitting}:
            return (ev.SittingNoted(sat=sat),)
        raise Refused(
            "SEAT_TAKEN",
            "CR-7",
            f"player {taken.player} sits in seat {command.seat}",
            field="seat",
        )
    elsewhere = table.seat_of(command.player)
    if elsewhere is not None:
        raise Refused(
            "SITS_ELSEWHERE",
            "CR-7",
            f"player {command.player} sits in seat {elsewhere.seat} of this table",
            field="player",
        )
    return (sat,)


def _who(table: Table, seat: int, player: str) -> Seat:
    """Return the seat if the player whom the caller saw there still sits there (CR-1)."""
    found = table.at(seat)
    if player and found.player != player:
        raise Stale(f"player {found.player}, not {player}, sits in seat {seat} now", field="player")
    return found


def _dealt(table: Table, seat: int) -> bool:
    return table.hand is not None and seat in table.hand.dealt


def _yet_to_sit(table: Table, player: str) -> ev.Sat | None:
    """Return what is known of a player who sat down in a seat that is given up only when the hand is over."""
    return next((sat for sat in table.sitting if player and sat.player == player), None)


def _still_waiting(sat: ev.Sat, **news: bool | int) -> Events:
    """Return that something is otherwise with a player who waits for a seat; nothing where it is not."""
    changed = msgspec.structs.replace(sat, **news)
    return () if changed == sat else (ev.SittingNoted(sat=changed),)


def _boxed(owner: Seat, *, present: bool, excluded: bool) -> Events:
    """Return that something is otherwise with a player whose seat is played over; nothing where it is not."""
    if (owner.present, owner.excluded) == (present, excluded):
        return ()
    noted = ev.BoxedNoted(seat=owner.seat, player=owner.player, present=present, excluded=excluded)
    return (noted,)


def _by_player(table: Table, seat: int, player: str) -> int:
    """Return the seat a fact is about: where its player sits here, whatever seat its teller saw him in."""
    there = table.seat_of(player) if player else None
    return there.seat if there is not None else seat


def _sits(table: Table, seat: int, player: str) -> bool:
    """Whether a player sits in a seat; any player, where none is named."""
    there = table.seats.get(seat)
    return there is not None and player in ("", there.player)


def not_in_hand(table: Table, seat: int, what: str) -> None:
    """Refuse something that has to wait while the seat has a hand (CR-6)."""
    if table.hand is not None and seat in table.hand.dealt:
        raise Refused(
            "HAND_IN_PROGRESS",
            "CR-6",
            f"seat {seat} was dealt into hand {table.hand.number}; {what} waits for its end",
            field="seat",
        )


def leave_seat(command: c.LeaveSeat, table: Table) -> Events:
    """Record that a player left with his chips; who was dealt in gives up his seat when the hand is over.

    Raises:
        Refused: CR-2, nobody sits there; CR-1, somebody else does; CR-8, another amount than the table holds for him is
            taken along, where it is typed in.
    """
    if _yet_to_sit(table, command.player) is not None:
        return (ev.SittingEnded(player=command.player),)
    owner = owner_of(table, command.player)
    if owner is not None:
        under = None if owner.stack_cents is None else owner.stack_cents + owner.pending_cents
        return (
            gone(
                owner, under if command.stack_cents is None else command.stack_cents, command.reason
            ),
        )
    number = _by_player(table, command.seat, command.player) if command.as_fact else command.seat
    if command.as_fact and not _sits(table, number, command.player):
        return ()
    seat = _who(table, number, command.player)
    if command.stack_cents is not None:
        check_cents(command.stack_cents, "stack_cents")
    if _dealt(table, number):
        if number in table.leaving:
            return ()
        counted = command.stack_cents if command.as_fact else None
        leaving = ev.LeavingNoted(
            seat=number, player=seat.player, reason=command.reason, stack_cents=counted
        )
        return (leaving,)
    known = None if seat.stack_cents is None else seat.stack_cents + seat.pending_cents
    told = command.stack_cents
    if known is not None and told not in (None, known) and not command.as_fact:
        raise Refused(
            "STACK_DIFFERS",
            "CR-8",
            f"seat {seat.seat} holds {dollars(known)}, not {dollars(told or 0)}",
            options=(f"take along {dollars(known)}", "count the stack first"),
            field="stack_cents",
        )
    left = gone(seat, known if told is None else told, command.reason)
    under_box = lifted(table, number)
    return (left, *under_box, *(() if under_box else _closing(evolve(table, left))))


def gone(seat: Seat, stack_cents: int | None, reason: str) -> ev.Left:
    """Return the event of a player leaving with some chips.

    Args:
        seat: where he sat.
        stack_cents: what he took along; None where nobody counted it.
        reason: why.
    """
    known = (seat.stack_cents or 0) + seat.pending_cents
    return ev.Left(
        seat=seat.seat,
        player=seat.player,
        stack_cents=stack_cents,
        reason=reason,
        from_common_cents=(stack_cents or 0) - known,
    )


def after_the_hand(table: Table, rules: ResolvedBook) -> Events:
    """Return what waited for the end of a hand: players who left, took other seats or sat down meanwhile.

    Args:
        table: the table, its hand closed.
        rules: the book in force.
    """
    done: list[Event] = []

    def then(*events: Event) -> None:
        nonlocal table
        for event in events:
            done.append(event)
            table = evolve(table, event)

    for number, reason in table.leaving.items():
        seat = table.seats[number]
        known = None if seat.stack_cents is None else seat.stack_cents + seat.pending_cents
        then(gone(seat, table.taken_along.get(number, known), reason), *lifted(table, number))
    waiting = dict(table.moving)
    while waiting:
        free = [number for number, to in waiting.items() if to not in table.seats]
        if not free:
            first = next((one for one, to in waiting.items() if to in waiting), None)
            if first is None:
                break
            second = waiting.pop(first)
            then(_exchanged(table, (first, second), rules))
            further = waiting.pop(second)
            if (
                further != first
            ):  # three or more in a ring: who had to make room goes on from the other's seat
                waiting[first] = further
            continue
        to_seat = waiting.pop(free[0])
        then(_changed(table, table.seats[free[0]], to_seat, rules))
    for number in tuple(table.overs):
        then(*over_after_the_hand(table, number))
    for sat in table.sitting:
        if sat.seat not in table.seats:
            then(sat)
    then(*_closing(table))
    return tuple(done)


def _closing(table: Table) -> Events:
    """Return the end of a table whose game is over, once nobody sits there and nothing is in dispute."""
    if table.closing is None or table.hand is not None or table.seats or table.impounds:
        return ()
    return (ev.Closed(reason=table.closing, leftover_cents=table.account_cents or 0),)


def _wait_for(table: Table, seat: Seat, to_seat: int, rules: ResolvedBook) -> int:
    """Return how many hands a seat-changer waits, as the book counts (seating.seat_change_wait).

    One for each position moved away from the big blind, empty seats skipped and the new seat included; or one for each
    active player passed on the way; or until the big blind comes, wherever he moved.
    """
    rotation = table.rotation
    if rotation is None or not rotation.blinds:
        return 0
    big = rotation.blinds[-1]
    seats = table.seat_count
    if rules.choice("seating.seat_change_wait") == "until_big_blind":
        return seats
    away = distance(big, to_seat, seats) > distance(big, seat.seat, seats)
    if not away:
        return 0
    passed_over = [table.seats[n] for n in between(seat.seat, to_seat, seats) if n in table.seats]
    if rules.choice("seating.seat_change_wait") == "positions_moved":
        return len(passed_over) + 1
    return sum(1 for one in passed_over if one.present and one.has_chips)


def change_seat(command: c.ChangeSeat, table: Table, rules: ResolvedBook) -> Events:
    """Record that a player took another seat, and on what terms he goes on; in his hand it waits for its end.

    Raises:
        Refused: CR-7, the other seat is taken; CR-2, nobody sits there.
    """
    waiting = _yet_to_sit(table, command.player)
    if waiting is not None:
        table.check_seat(command.to_seat, "to_seat")
        return _still_waiting(waiting, seat=command.to_seat)
    number = _by_player(table, command.seat, command.player) if command.as_fact else command.seat
    seat = _who(table, number, command.player)
    table.check_seat(command.to_seat, "to_seat")
    leaving = command.to_seat in table.leaving or command.to_seat in table.moving
    if command.to_seat in table.seats and not leaving:
        raise Refused(
            "SEAT_TAKEN",
            "CR-7",
            f"player {table.seats[command.to_seat].player} sits in seat {command.to_seat}",
            field="to_seat",
        )
    if _dealt(table, number) or leaving:
        return (ev.MovingNoted(seat=number, player=seat.player, to_seat=command.to_seat),)
    return (_changed(table, seat, command.to_seat, rules),)


def _changed(table: Table, seat: Seat, to_seat: int, rules: ResolvedBook) -> ev.SeatChanged:
    """Return the event of a seat change, with the terms on which its player goes on."""
    grace = (
        rules.flag("blinds.new_game_grace")
        and rules.choice("seating.seat_change_wait") != "until_big_blind"
        and not table.revolution_done
        and to_seat not in table.blinds_passed
    )
    on_button = table.rotation is not None and table.rotation.button == seat.seat
    played_button = on_button and seat.played and not seat.missed
    arrival, wait, keeps = seat.arrival, 0, True
    cited = rules.cite("seating.seat_change_wait", "seating.missed_blinds_stay")
    if grace:
        cited = rules.cite("blinds.new_game_grace")
    else:
        wait = _wait_for(table, seat, to_seat, rules)
        if played_button and rules.flag("seating.deal_off_free"):
            arrival, keeps = Arrival.DEALT_OFF, False
            cited = rules.cite("seating.deal_off_free")
        elif not seat.played and wait:
            wait = 0  # who has had no hand here has no position to keep
    return ev.SeatChanged(
        seat=seat.seat,
        to_seat=to_seat,
        arrival=arrival,
        wait_hands=wait,
        keeps_standing=keeps,
        rules=cited,
    )


def swap_seats(command: c.SwapSeats, table: Table, rules: ResolvedBook) -> Events:
    """Record that two players changed places; told as a fact in a hand, it waits for the hand's end.

    Raises:
        Refused: CR-2, nobody sits there; CR-6, one of them is in the hand in play.
    """
    first, second = (table.at(number) for number in command.seats)
    if command.as_fact and any(_dealt(table, seat.seat) for seat in (first, second)):
        return tuple(
            ev.MovingNoted(seat=seat.seat, player=seat.player, to_seat=other.seat)
            for seat, other in ((first, second), (second, first))
        )
    for seat in (first, second):
        not_in_hand(table, seat.seat, "changing seats")
    return (_exchanged(table, command.seats, rules),)


def _exchanged(table: Table, seats: tuple[int, int], rules: ResolvedBook) -> ev.SeatsSwapped:
    """Return the event of an exchange; each is treated as one who changed seats (seating.swap)."""
    first, second = (table.seats[number] for number in seats)
    return ev.SeatsSwapped(
        seats=seats,
        wait_hands=(
            _wait_for(table, first, second.seat, rules),
            _wait_for(table, second, first.seat, rules),
        ),
        rules=rules.cite("seating.swap", "seating.seat_change_wait"),
    )


def rename_player(command: c.RenamePlayer, table: Table) -> Events:
    """Record that a player goes on under another record; where he does not sit under the old one nothing changes."""
    waiting = _yet_to_sit(table, command.player)
    there = (*table.seats.values(), *table.boxed.values())
    seat = next((one for one in there if one.player == command.player), None)
    number = seat.seat if seat else (waiting.seat if waiting else 0)
    if not number:
        return ()
    return (ev.PlayerRenamed(seat=number, player=command.player, into=command.into),)


def note_exclusion(command: c.NoteExclusion, table: Table) -> Events:
    """Record that a player may not be dealt in for a time, or may again."""
    waiting = _yet_to_sit(table, command.player)
    if waiting is not None:
        return _still_waiting(waiting, excluded=command.excluded)
    owner = owner_of(table, command.player)
    if owner is not None:
        return _boxed(owner, present=owner.present, excluded=command.excluded)
    number = _by_player(table, command.seat, command.player) if command.as_fact else command.seat
    if command.as_fact and not _sits(table, number, command.player):
        return ()
    seat = _who(table, number, command.player)
    if seat.excluded == command.excluded:
        return ()
    return (ev.ExclusionNoted(seat=number, excluded=command.excluded),)


def note_presence(command: c.NotePresence, table: Table) -> Events:
    """Record that a player left his chair or came back."""
    waiting = _yet_to_sit(table, command.player)
    if waiting is not None:
        return _still_waiting(waiting, present=command.present)
    owner = owner_of(table, command.player)
    if owner is not None:
        return _boxed(owner, present=command.present, excluded=owner.excluded)
    number = _by_player(table, command.seat, command.player) if command.as_fact else command.seat
    if command.as_fact and not _sits(table, number, command.player):
        return ()
    seat = _who(table, number, command.player)
    if seat.present == command.present:
        return ()
    return (ev.PresenceNoted(seat=number, present=command.present, source=command.source),)


def choose_way_in(command: c.ChooseWayIn, table: Table, rules: ResolvedBook) -> Events:
    """Record how a player comes in on the next hand.

    Raises:
        Refused: his terms do not allow that way, or another amount is due; another player would pay it.
    """
    seat = table.at(command.seat)
    check_cents(command.cents, "cents")
    if command.from_seat and command.from_seat != command.seat:
        raise Refused(
            "POSTING_FOR_ANOTHER",
            rules.cite("chips.no_passing"),
            f"seat {command.from_seat} may not post for seat {command.seat}",
            options=(f"seat {command.seat} posts from its own stack",),
            field="from_seat",
        )
    base = base_positions(table, rules)
    entry = terms(table, seat, rules, base)
    if command.way is WayIn.STRADDLE:
        if not entry.free and entry.way(WayIn.STRADDLE) is None:
            raise entry.refusal(table, seat)
        cents = check_straddle(table, rules, seat, command.cents, base, kill=command.kill)
        return (_chosen(seat, WayIn.STRADDLE, cents, cents, rules.cite("blinds.straddle")),)
    if command.way in (WayIn.WAIT_FOR_BIG_BLIND, WayIn.WAIT_FOR_BUTTON, WayIn.UNSAID):
        return (_chosen(seat, command.way, 0, 0, rules.cite("blinds.wait_for_big_blind")),)
    if command.way is WayIn.DEAL_IN:
        if not entry.free and entry.way(WayIn.DEAL_IN) is None:
            raise entry.refusal(table, seat)
        return (_chosen(seat, WayIn.DEAL_IN, 0, 0, entry.rules),)
    return (_posting(command, table, seat, rules),)


def _posting(
    command: c.ChooseWayIn, table: Table, seat: Seat, rules: ResolvedBook
) -> ev.WayInChosen:
    entry = terms(table, seat, rules, base_positions(table, rules))
    way = entry.way(command.way)
    if way is None:
        if entry.free:
            return _chosen(seat, WayIn.DEAL_IN, 0, 0, entry.rules)
        raise entry.refusal(table, seat)
    if not way.open_now:
        raise Refused(
            way.closed_code,
            way.rules,
            f"seat {seat.seat} may not {way.words()} on the coming hand",
            options=[one.words() for one in entry.ways if one.open_now],
            field="way_in",
        )
    if command.cents and command.cents != way.cents:
        raise Refused(
            "OWES_MORE" if command.cents < way.cents else "OWES_LESS",
            way.rules,
            f"seat {seat.seat} owes {dollars(way.cents)}, not {dollars(command.cents)}",
            options=[one.words() for one in entry.ways],
            field="cents",
        )
    if seat.stack_cents is not None and seat.stack_cents == 0:
        raise Refused("NO_CHIPS", "CR-8", f"seat {seat.seat} has no chips to post", field="seat")
    return _chosen(seat, command.way, way.cents, way.live_cents, way.rules)


def _chosen(
    seat: Seat, way: WayIn, cents: int, live_cents: int, rules: tuple[str, ...]
) -> ev.WayInChosen:
    return ev.WayInChosen(seat=seat.seat, way=way, cents=cents, live_cents=live_cents, rules=rules)


def sanction_posting(command: c.SanctionPosting, table: Table, rules: ResolvedBook) -> Events:
    """Record what the floor does to a player who exploits the posting rules.

    Raises:
        Refused: the book does not give the floor that remedy (blinds.abuse_remedies); CR-9, no reason.
    """
    seat = table.at(command.seat)
    allowed = rules.members("blinds.abuse_remedies")
    cited = rules.cite("blinds.abuse_remedies")
    if command.remedy not in allowed:
        raise Refused(
            "REMEDY_NOT_GIVEN",
            cited,
            f"the book gives no remedy {command.remedy!r} for abuse of the posting rules",
            options=sorted(allowed),
            field="remedy",
        )
    if not command.reason.strip():
        raise Refused("REASON_MISSING", "CR-9", "a sanction needs its reason", field="reason")
    if command.remedy == "must_post":
        return (ev.PostingSanctioned(seat=seat.seat, reason=command.reason, rules=cited),)
    not_in_hand(table, command.seat, "picking up the chips")
    known = None if seat.stack_cents is None else seat.stack_cents + seat.pending_cents
    return (gone(seat, known, "picked_up"),)
