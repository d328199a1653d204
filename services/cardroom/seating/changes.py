"""Seat changes within one game: requests, who comes first, and what the mover must wait for."""

from cardroom.kernel.decisions import Decision
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.draws import check_cards, high_card
from cardroom.seating.entry import entry_after_change
from cardroom.seating.here import Here
from cardroom.seating.locks import check_open, opened, requests_for
from cardroom.seating.values import LockKind, Move, MoveKind, MoveWhen, Seat, Seated, SeatRequest


def request_change(here: Here, command: c.RequestSeatChange) -> Decision:
    """Ask for another seat.

    Raises:
        Refused: the newcomer in that seat is fixed there.
    """
    own, _ = here.seated(command.player_id)
    request = SeatRequest(player_id=command.player_id, seat=command.seat, at=here.at)
    records: list[Event] = [e.ChangeRequested(request=request)]
    if command.seat:
        seat = here.seat(command.seat)
        if seat.number == own.number:
            raise Refused("OWN_SEAT", "CR-4", "the player sits there", field="seat")
        _check_newcomer(here, seat)
        records.extend(_pick_up_on_request(here, seat))
    return here.on_table(*records)


def _pick_up_on_request(here: Here, seat: Seat) -> tuple[Event, ...]:
    """An absent player with all missed-blind buttons may lose the seat once somebody asks for it."""
    seated = seat.seated
    if seated is None or seated.away is None or seated.pick_up_rules or here.is_stud:
        return ()
    if here.book.choice("seating.away_measure") != "missed_big_blinds":
        return ()
    if seated.missed_buttons < here.book.count("seating.away_missed_buttons"):
        return ()
    return (
        e.PickUpDue(
            room=here.table.room,
            table=here.table.table,
            seat=seat.number,
            player_id=seated.player_id,
            at=here.at,
            rules=here.book.cite("seating.away_missed_buttons", "seating.away_not_full"),
        ),
    )


def is_fixed(here: Here, seat: Seat) -> bool:
    """Return whether a newcomer in or for a seat can no longer be made to take another."""
    if seat.seated is not None:
        return True
    if seat.lock is None:
        return False
    marked = seat.lock.kind is LockKind.MARKER
    return marked and here.book.choice("seating.newcomer_fixed_by") == "marker_or_chips"


def _check_newcomer(here: Here, seat: Seat) -> None:
    """Refuse a wish for a seat in which somebody who just came in is fixed."""
    newcomer = seat.seated is not None and _just_came(here, seat.seated)
    if newcomer or (seat.seated is None and is_fixed(here, seat)):
        who = seat.seated.player_id if seat.seated else seat.lock.player_id if seat.lock else ""
        raise Refused(
            "NEWCOMER_FIXED",
            here.book.cite("seating.newcomer_fixed_by", "seating.prior_request_beats_newcomer"),
            f"{who} is fixed in seat {seat.number} and cannot be made to move",
            options=("ask for any other seat",),
            field="seat",
        )


def _just_came(here: Here, seated: Seated) -> bool:
    deal = here.table.deal
    return deal is None or seated.entry.after_hand == deal.number


def _candidates(here: Here, seat: Seat) -> list[SeatRequest]:
    asked = list(requests_for(here.table, seat.number))
    lock = seat.lock
    if lock is not None and is_fixed(here, seat):
        if not here.book.flag("seating.prior_request_beats_newcomer"):
            return []
        asked = [r for r in asked if r.seat == seat.number and r.at < lock.since]
    return [r for r in asked if here.table.seat_of(r.player_id)]


def _first(
    here: Here, asked: list[SeatRequest], command: c.AssignOpenSeat
) -> tuple[str, Event | None]:
    """Return the player who comes first by the book, and the draw that settled it where one did."""
    best = asked
    for way in here.book.order("seating.seat_change_priority"):
        if len(best) == 1:
            break
        if way == "asked_first" and not command.order_unknown:
            first = min(r.at for r in best)
            best = [r for r in best if r.at == first]
        elif way == "longest_in_game":
            since = {r.player_id: here.seated(r.player_id)[1].since for r in best}
            longest = min(since.values())
            best = [r for r in best if since[r.player_id] == longest]
        elif way == "draw":
            return _drawn(here, best, command)
    if len(best) > 1:
        return _drawn(here, best, command)
    return best[0].player_id, None


def _drawn(here: Here, best: list[SeatRequest], command: c.AssignOpenSeat) -> tuple[str, Event]:
    rules = here.book.cite("seating.seat_change_priority", "game.suit_order")
    names = [r.player_id for r in best]
    cards = {player: card for player, card in command.cards if player in names}
    missing = [name for name in names if name not in cards]
    if missing:
        raise Refused(
            "DRAW_NEEDED",
            ("CR-12", *rules),
            f"{', '.join(names)} draw for seat {command.seat}; no card is given for "
            f"{', '.join(missing)}",
            options=("give a card for each of them",),
            field="cards",
        )
    check_cards(cards.values())
    winner = high_card(cards)[0]
    return winner, e.DrawHeld(
        room=here.table.room,
        table=here.table.table,
        purpose=f"seat {command.seat}",
        at=here.at,
        cards=tuple(cards.items()),
        winner=winner,
        rules=rules,
    )


def assign_open_seat(here: Here, command: c.AssignOpenSeat) -> Decision:
    """Give an open seat to the player in the game who comes first.

    Raises:
        Refused: nobody in the game asked for it in time, or a draw is needed first.
    """
    seat = here.seat(command.seat)
    if seat.seated is not None:
        return _give_back(here, seat, seat.seated)
    asked = _candidates(here, seat)
    rules = here.book.cite("seating.seat_change_priority")
    if not asked:
        raise Refused(
            "NOBODY_ASKED",
            here.book.cite("seating.in_game_first"),
            f"nobody in the game has a claim to seat {seat.number}",
            options=("give it to the next name on the list",),
            field="seat",
        )
    winner, draw = _first(here, asked, command)
    moved = _change(here, winner, seat, (*rules,))
    return (*(here.on_table(draw) if draw else ()), *moved)


def _give_back(here: Here, seat: Seat, newcomer: Seated) -> Decision:
    """Give a seat that a newcomer took to the player who had asked for that very one before; they change places.

    Raises:
        Refused: the occupant is no newcomer, the book lets the newcomer keep it, or nobody had asked.
    """
    rules = here.book.cite("seating.prior_request_beats_newcomer")
    asked = [
        r
        for r in requests_for(here.table, seat.number)
        if r.seat == seat.number and r.at < newcomer.since and here.table.seat_of(r.player_id)
    ]
    beats = here.book.flag("seating.prior_request_beats_newcomer")
    if not asked or not beats or not _just_came(here, newcomer):
        check_open(here, seat, "")
    first = min(asked, key=lambda r: r.at)
    own, _ = here.seated(first.player_id)
    swapped = e.SeatsSwapped(
        room=here.table.room,
        table=here.table.table,
        seats=(own.number, seat.number),
        at=here.at,
        entries=(entry_after_change(here, own.number, seat.number), newcomer.entry),
        rules=rules,
        reason="asked for before the newcomer came",
    )

    def sat(number: int) -> e.SatDown:
        return e.SatDown(room=here.table.room, table=here.table.table, seat=number, at=here.at)

    return (
        (here.stream, swapped),
        (here.presence_stream(first.player_id), sat(seat.number)),
        (here.presence_stream(newcomer.player_id), sat(own.number)),
    )


def _change(here: Here, player_id: str, seat: Seat, rules: tuple[str, ...]) -> Decision:
    own, _ = here.seated(player_id)
    entry = entry_after_change(here, own.number, seat.number)
    lock_moves = seat.lock is not None and seat.lock.player_id != player_id
    changed = e.SeatChanged(
        room=here.table.room,
        table=here.table.table,
        game_id=here.table.game_id,
        player_id=player_id,
        from_seat=own.number,
        to_seat=seat.number,
        at=here.at,
        entry=entry,
        rules=tuple(dict.fromkeys((*rules, *entry.rules))),
        lock_moves=lock_moves,
    )
    sat = e.SatDown(room=here.table.room, table=here.table.table, seat=seat.number, at=here.at)
    records = [(here.stream, changed), (here.presence_stream(player_id), sat)]
    if not lock_moves:
        return (*records, (here.stream, opened(here, own.number)))
    return tuple(records)


def change_seat(here: Here, command: c.ChangeSeat) -> Decision:
    """Move to another seat; being short-handed is no ground for refusing.

    Raises:
        Refused: the seat is taken or fixed for a newcomer, or another player in the game comes first.
    """
    seat = here.seat(command.seat)
    here.seated(command.player_id)
    if seat.lock is None or seat.seated is not None or is_fixed(here, seat):
        check_open(here, seat, command.player_id)
    others = [r for r in _candidates(here, seat) if r.player_id != command.player_id]
    mine = next((r for r in here.table.requests if r.player_id == command.player_id), None)
    if others and (mine is None or others[0].at < mine.at):
        raise Refused(
            "ASKED_BEFORE",
            here.book.cite("seating.seat_change_priority"),
            f"{others[0].player_id} asked for seat {seat.number} before",
            options=(f"assign seat {seat.number}",),
            field="seat",
        )
    return _change(here, command.player_id, seat, here.book.cite("seating.in_game_first"))


def grant_change(here: Here, command: c.GrantSeatChange) -> Decision:
    """Grant another seat; one who is in the blinds may finish them before moving.

    Raises:
        Refused: the seat is not to be had.
    """
    seat = here.seat(command.seat)
    own, player = here.seated(command.player_id)
    deal = here.table.deal
    if player.move is not None and player.move.kind is not MoveKind.SEAT_CHANGE:
        raise Refused(
            "MOVE_DUE",
            player.move.rules or ("CR-6",),
            f"{command.player_id} is to go to table {player.move.to_table or 'none'}",
            options=("cancel that move first",),
            field="player_id",
        )
    check_open(here, seat, command.player_id)
    if deal is None or own.number not in {deal.small, deal.big}:
        return change_seat(
            here,
            c.ChangeSeat(
                room=command.room,
                table=command.table,
                player_id=command.player_id,
                seat=command.seat,
            ),
        )
    finish = here.book.choice("seating.table_change_finish")
    through = MoveWhen.THROUGH_BUTTON if finish == "through_button" else MoveWhen.BLINDS_ONLY
    move = Move(
        kind=MoveKind.SEAT_CHANGE,
        to_table=here.table.table,
        to_seat=seat.number,
        when=through,
        after_hand=deal.number,
        big_at_call=deal.big,
        rules=here.book.cite("seating.table_change_finish"),
        approved_by=here.occasion.actor,
    )
    due = e.MoveDue(
        room=here.table.room,
        table=here.table.table,
        seat=own.number,
        player_id=command.player_id,
        move=move,
    )
    return here.on_table(due)


def offer_open_seat(here: Here, command: c.OfferOpenSeat) -> Decision:
    """Ask those in the game whether one of them wants an open seat.

    Raises:
        Refused: the seat is not open.
    """
    seat = here.seat(command.seat)
    if seat.seated is not None:
        check_open(here, seat, "")
    return here.on_table(e.SeatOffered(seat=seat.number, at=here.at))


def decline(here: Here, command: c.DeclineSeat) -> Decision:
    """Note that a player who asked for a change does not want the seat offered.

    The wish keeps its place unless the floor cancels it.

    Raises:
        Refused: the player had no wish on record.
    """
    if not any(r.player_id == command.player_id for r in here.table.requests):
        raise Refused(
            "NO_REQUEST", "CR-6", f"{command.player_id} asked for no seat", field="player_id"
        )
    if command.cancel and not here.by_floor():
        raise Refused("NEEDS_FLOOR", "CR-9", "the floor cancels a request", field="cancel")
    return here.on_table(
        e.ChangeDeclined(
            player_id=command.player_id,
            seat=command.seat,
            at=here.at,
            cancelled=command.cancel,
        )
    )
