"""Games that end, and broken games: who draws for seats elsewhere, and what becomes of seats drawn for the absent."""

from cardroom.kernel.decisions import Decision
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import StreamId
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.draws import check_cards, from_seed, high_card, normal
from cardroom.seating.here import Here
from cardroom.seating.locks import check_open, drop_other_lock, lock_time
from cardroom.seating.sitting import leave_events, moves_cancelled, release_kept
from cardroom.seating.table import Phase
from cardroom.seating.values import Displaced, Lock, LockKind


def close_table(here: Here, command: c.CloseTable) -> Decision:
    """Close a game at which nobody sits any more.

    Raises:
        Refused: only management closes games; somebody still sits there.
    """
    if not here.by_floor():
        raise Refused(
            "NOT_MANAGEMENT",
            here.book.cite("game.opened_by_management"),
            "only management decides when a game closes",
        )
    if here.table.taken:
        raise Refused(
            "STILL_SEATED",
            "CR-6",
            f"{here.table.player_count} players still sit at table {command.table}",
            options=("let them leave", "break the game"),
        )
    closed = e.TableClosed(
        room=command.room,
        table=command.table,
        game_id=here.table.game_id,
        at=here.at,
        by=here.occasion.actor,
    )
    return (*moves_cancelled(here, "the game closed"), (here.stream, closed))


def break_table(here: Here, command: c.BreakTable) -> Decision:
    """End a game whose players look for seats elsewhere.

    Raises:
        Refused: the floor does this; a hand is live; the player named as the cause does not play here.
    """
    if not here.by_floor():
        raise Refused(
            "NOT_MANAGEMENT",
            here.book.cite("game.opened_by_management"),
            "only management decides when a game closes",
        )
    if here.table.hand_live:
        raise Refused("HAND_LIVE", "CR-6", "the hand in progress is finished first")
    if command.refused_blind_by:
        here.seated(command.refused_blind_by, "refused_blind_by")
    stacks = dict(command.stacks)
    players = tuple(
        Displaced(
            player_id=s.seated.player_id,
            since=s.seated.since,
            away=s.seated.away is not None,
            missed_buttons=s.seated.missed_buttons,
            hold_button=s.seated.hold_button,
            chips_cents=stacks.get(s.seated.player_id),
            broke_it=s.seated.player_id == command.refused_blind_by,
        )
        for s in here.table.taken
        if s.seated
    )
    broken = e.TableBroken(
        room=here.table.room,
        table=here.table.table,
        game_id=here.table.game_id,
        at=here.at,
        reason=command.reason,
        players=players,
    )
    records: list[tuple[StreamId, Event]] = []
    for seat in here.table.taken:
        assert seat.seated is not None
        cents = stacks.get(seat.seated.player_id)
        leaving = leave_events(
            here, seat, seat.seated, "broken_game", cents, moved=True, opens=False
        )
        records.extend(one for one in leaving if not isinstance(one[1], e.SeatRemoved))
        records.extend(release_kept(here, seat.seated.player_id, seat.seated.move))
    records.extend(moves_cancelled(here, "the game broke"))
    records.append((here.stream, broken))
    return tuple(records)


def excluded_from_draw(here: Here, player: Displaced, players: int) -> Refused | None:
    """Return why a player of a broken game has no part in the draw, or None."""
    book = here.book
    elsewhere = here.presence(player.player_id)
    if elsewhere.table:
        return Refused(
            "ALREADY_SEATED",
            book.cite("seating.one_seat_each"),
            f"{player.player_id} already sits at table {elsewhere.table} seat {elsewhere.seat}",
            field="cards",
        )
    if player.broke_it and book.flag("seating.game_breaker_loses_draw"):
        short = players < book.count("game.short_handed_below")
        if not short:
            return Refused(
                "BROKE_THE_GAME",
                book.cite("seating.game_breaker_loses_draw", "game.short_handed_below"),
                f"{player.player_id} broke a game of {players} by refusing the blind",
                field="cards",
            )
    if player.away and (player.missed_buttons or player.hold_button):
        whom = book.choice("seating.broken_game_draw_for_absent")
        if whom == "only_without_buttons":
            kind = "missed-blind" if player.missed_buttons else "hold"
            return Refused(
                "NOT_DRAWN_FOR",
                book.cite("seating.broken_game_draw_for_absent"),
                f"{player.player_id} is absent with a {kind} button and is not drawn for",
                field="cards",
            )
    return None


def _order(here: Here, command: c.DrawForSeats) -> tuple[tuple[str, ...], dict[str, str], str]:
    """Return the order of seating, the cards drawn, and the seed where the server drew."""
    players = here.table.displaced
    by_id = {d.player_id: d for d in players}
    present = sum(1 for d in players if not d.away)
    for player_id, _ in command.cards:
        if player_id not in by_id:
            raise Refused("NOT_DISPLACED", "CR-2", f"{player_id} did not play here", field="cards")
        refusal = excluded_from_draw(here, by_id[player_id], present)
        if refusal is not None:
            raise refusal
    drawing = [d.player_id for d in players if excluded_from_draw(here, d, present) is None]
    if here.book.choice("seating.broken_game_order") == "time_in_game":
        ordered = sorted(drawing, key=lambda name: (by_id[name].since, name))
        return tuple(ordered), {}, ""
    cards, seed = dict(command.cards), ""
    if not cards:
        seed = here.occasion.seed.hex()
        drawn = from_seed(here.occasion.seed, len(drawing))
        cards = dict(zip(drawing, drawn, strict=True))
    missing = [name for name in drawing if name not in cards]
    if missing:
        raise Refused(
            "DRAW_INCOMPLETE",
            ("CR-12", *here.book.cite("seating.broken_game_order")),
            f"no card is given for {', '.join(missing)}; the floor draws for the absent",
            field="cards",
        )
    check_cards(cards.values())
    return high_card(cards), {who: normal(card) for who, card in cards.items()}, seed


def draw_for_seats(here: Here, command: c.DrawForSeats) -> Decision:
    """Set the order in which players of a broken game get seats, and give the open ones.

    Raises:
        Refused: a player has no part in the draw; a card is missing or twice; a seat named is not open.
    """
    if here.table.phase is not Phase.BROKEN:
        raise Refused("NOT_BROKEN", "CR-6", f"the game at table {here.table.table} runs")
    if any(d.drawn for d in here.table.displaced):
        raise Refused("DRAWN", "CR-7", "the draw was held")
    order, cards, seed = _order(here, command)
    rules = here.book.cite("seating.broken_game_order", "game.suit_order")
    given: list[tuple[str, str, int]] = []
    by_id = {d.player_id: d for d in here.table.displaced}
    kept: list[tuple[StreamId, Event]] = []
    seats = list(command.seats)
    without: list[str] = []
    for player_id in order:
        if not seats or (by_id[player_id].away and not _keeps_for_absent(here)):
            without.append(player_id)
            continue
        table, number = seats.pop(0)
        there = here.elsewhere(table)
        check_open(there, there.seat(number), player_id)
        given.append((player_id, table, number))
        kept.extend(drop_other_lock(there, player_id, number))
        kept.append((there.stream, _kept(here, there, by_id[player_id], number)))
    suffice = len(command.seats) >= len(here.table.displaced)
    ordered = e.SeatOrderSet(
        room=here.table.room,
        table=here.table.table,
        game_id=here.table.game_id,
        at=here.at,
        order=order,
        given=tuple(given),
        seats_suffice=suffice,
        without_seat=tuple(without),
        rules=rules,
    )
    records: list[tuple[StreamId, Event]] = []
    if cards:
        drawn = e.DrawHeld(
            room=here.table.room,
            table=here.table.table,
            purpose="broken game",
            at=here.at,
            cards=tuple(cards.items()),
            winner=order[0] if order else "",
            rules=rules,
            seed=seed,
        )
        records.append((here.stream, drawn))
    return (*records, (here.stream, ordered), *kept)


def _keeps_for_absent(here: Here) -> bool:
    if here.is_stud:
        return here.book.count("seating.broken_game_absent_stud_hands") > 0
    return here.book.choice("seating.broken_game_absent_seat") != "not_kept"


def _kept(here: Here, there: Here, player: Displaced, number: int) -> e.SeatLocked:
    """Return the lock of a seat won in the draw; an absent player's ends with the big blind or after some hands."""
    kind, until_hand, rules = LockKind.MOVE, 0, here.book.cite("seating.broken_game_order")
    expires_at, only_if_waiting, _ = lock_time(there)
    if player.away:
        kind = LockKind.DRAWN
        rules = here.book.cite("seating.broken_game_absent_seat")
        if here.is_stud:
            rules = here.book.cite("seating.broken_game_absent_stud_hands")
            last = there.table.deal.number if there.table.deal else 0
            until_hand = last + here.book.count("seating.broken_game_absent_stud_hands")
    return e.SeatLocked(
        room=there.table.room,
        table=there.table.table,
        game_id=there.table.game_id,
        seat=number,
        lock=Lock(
            player_id=player.player_id,
            kind=kind,
            since=here.at,
            expires_at=None if player.away else expires_at,
            only_if_waiting=only_if_waiting,
            until_hand=until_hand,
            rules=rules,
        ),
        by=here.occasion.actor,
    )


def cut_for_seat(here: Here, command: c.CutForSeat) -> Decision:
    """Let the players of a short game cut for one seat at the next lower limit.

    Raises:
        Refused: the game is not short; somebody who cut does not play here; the seat is not open.
    """
    short = here.book.count("game.short_handed_below")
    rules = here.book.cite("game.short_handed_below", "game.suit_order")
    if not here.by_floor():
        raise Refused("NEEDS_FLOOR", rules, "a floorperson offers the cut")
    if here.table.present_count >= short:
        raise Refused(
            "NOT_SHORT_HANDED",
            here.book.cite("game.short_handed_below"),
            f"{here.table.present_count} players are no short game (fewer than {short})",
            options=("an ordinary game change",),
        )
    there = here.elsewhere(command.to_table)
    check_open(there, there.seat(command.to_seat, "to_seat"), "")
    if there.game.small_bet_cents >= here.game.small_bet_cents:
        raise Refused("NOT_LOWER", rules, "the cut is for seats at a lower limit", field="to_table")
    cards = dict(command.cards)
    for player_id in cards:
        here.seated(player_id, "cards")
    if not cards:
        raise Refused("DRAW_INCOMPLETE", ("CR-12", *rules), "nobody cut", field="cards")
    check_cards(cards.values())
    winner = high_card(cards)[0]
    drawn = e.DrawHeld(
        room=here.table.room,
        table=here.table.table,
        purpose=f"table {command.to_table} seat {command.to_seat}",
        at=here.at,
        cards=tuple((who, normal(card)) for who, card in cards.items()),
        winner=winner,
        rules=rules,
    )
    expires_at, only_if_waiting, _ = lock_time(there)
    lock = Lock(
        player_id=winner,
        kind=LockKind.MOVE,
        since=here.at,
        expires_at=expires_at,
        only_if_waiting=only_if_waiting,
        rules=rules,
    )
    locked = e.SeatLocked(
        room=there.table.room,
        table=there.table.table,
        game_id=there.table.game_id,
        seat=command.to_seat,
        lock=lock,
        by=here.occasion.actor,
    )
    dropped = drop_other_lock(there, winner, command.to_seat)
    return ((here.stream, drawn), *dropped, (there.stream, locked))
