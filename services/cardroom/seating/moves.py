"""Moves to another table: by choice, by must-move, out of a broken game; when they fall due and with what chips."""

from cardroom.kernel.decisions import Decision, require_override
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused
from cardroom.known.standing import Act
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.buyin import Least, check_buy_in, check_most, full_buy_in
from cardroom.seating.entry import entry_of_newcomer
from cardroom.seating.here import FLOOR, Here, check_standing
from cardroom.seating.locks import check_apart, check_open, drop_other_lock
from cardroom.seating.sitting import check_one_seat, leave_events, release_kept, seat_events
from cardroom.seating.table import Phase
from cardroom.seating.values import (
    Displaced,
    Lock,
    LockKind,
    Move,
    MoveKind,
    MoveWhen,
    Seat,
    Seated,
)


def classed(here: Here, there: Here) -> str:
    """Return `table_change` for games of one kind and limit, else `game_change`."""
    return "table_change" if here.stakes == there.stakes else "game_change"


def _in_blinds(here: Here, seat: int) -> bool:
    deal = here.table.deal
    return deal is not None and seat in {deal.small, deal.big}


def _on_button(here: Here, seat: int) -> bool:
    return here.table.deal is not None and here.table.deal.button == seat


def _after_hand(here: Here) -> int:
    return here.table.deal.number if here.table.deal else 0


def _big(here: Here) -> int:
    return here.table.deal.big if here.table.deal else 0


def change_when(here: Here, there: Here, seat: int) -> tuple[MoveWhen, int, tuple[str, ...]]:
    """Return until when a player who changes table by choice may play here, stud hands, and the rules."""
    book = here.book
    if here.is_stud:
        rules = book.cite("seating.table_change_stud_hands")
        hands = 0 if here.table.waiting else book.count("seating.table_change_stud_hands")
        return MoveWhen.HANDS, hands, rules
    same = classed(here, there) == "table_change"
    if not same and book.choice("seating.table_change_other_limit") == "until_big_blind":
        return MoveWhen.TO_BIG_BLIND, 0, book.cite("seating.table_change_other_limit")
    finish = book.choice("seating.table_change_finish")
    rules = book.cite("seating.table_change_timing")
    if book.choice("seating.table_change_timing") == "until_big_blind_unless_waiting":
        rules = book.cite("seating.table_change_timing", "seating.table_change_immediate_at")
        if here.table.waiting < book.count("seating.table_change_immediate_at"):
            return MoveWhen.TO_BIG_BLIND, 0, rules
    if finish == "through_button" and _on_button(here, seat):
        return MoveWhen.AT_ONCE, 0, book.cite("seating.table_change_finish")
    if finish == "through_button" and _in_blinds(here, seat):
        return MoveWhen.THROUGH_BUTTON, 0, book.cite("seating.table_change_finish")
    if finish == "blinds_only" and _in_blinds(here, seat):
        return MoveWhen.BLINDS_ONLY, 0, book.cite("seating.table_change_finish")
    return MoveWhen.AT_ONCE, 0, rules


def must_move_when(here: Here, seat: int) -> tuple[MoveWhen, int, tuple[str, ...]]:
    """Return until when a player called to the main game may play in the must-move game."""
    book = here.book
    if here.is_stud:
        return MoveWhen.HANDS, book.count("mustmove.stud_hands"), book.cite("mustmove.stud_hands")
    if book.choice("mustmove.move_timing") == "until_big_blind":
        return MoveWhen.TO_BIG_BLIND, 0, book.cite("mustmove.move_timing")
    if book.flag("mustmove.finish_blinds_and_button"):
        rules = book.cite("mustmove.finish_blinds_and_button")
        if _on_button(here, seat):  # the hand in which the call came is the last of the round
            return MoveWhen.AT_ONCE, 0, rules
        if _in_blinds(here, seat):
            return MoveWhen.THROUGH_BUTTON, 0, rules
    return MoveWhen.AT_ONCE, 0, book.cite("mustmove.move_timing")


def _check_balance(here: Here, there: Here) -> None:
    if classed(here, there) != "table_change" or not here.book.flag("seating.table_change_balance"):
        return
    if here.table.feeds or there.table.feeds:
        return
    old, new = here.table.player_count - 1, there.table.player_count + 1
    if old < new:
        refusal = Refused(
            "LEAVES_SHORTER_GAME",
            here.book.cite("seating.table_change_balance"),
            f"the move would leave table {here.table.table} with {old} players against {new}",
            field="to_table",
        )
        require_override(here.occasion, FLOOR, refusal)


def _due(here: Here, seat: Seat, seated: Seated, move: Move) -> e.MoveDue:
    return e.MoveDue(
        room=here.table.room,
        table=here.table.table,
        seat=seat.number,
        player_id=seated.player_id,
        move=move,
    )


def _keep(there: Here, seat: Seat, player_id: str, rules: tuple[str, ...]) -> e.SeatLocked:
    return e.SeatLocked(
        room=there.table.room,
        table=there.table.table,
        game_id=there.table.game_id,
        seat=seat.number,
        lock=Lock(player_id=player_id, kind=LockKind.MOVE, since=there.at, rules=rules),
        by=there.occasion.actor,
    )


def approve_change(here: Here, command: c.ApproveTableChange) -> Decision:
    """Approve a table or game change; the seat there is kept meanwhile.

    Raises:
        Refused: no floorperson approves, the seat is not to be had, or the old game would be the shorter one.
    """
    seat, seated = here.seated(command.player_id)
    there = here.elsewhere(command.to_table)
    if not here.by_floor():
        raise Refused(
            "FLOOR_APPROVAL_REQUIRED",
            here.book.cite("seating.floor_permission"),
            "every table change needs a floorperson's approval",
            options=("ask the floor",),
        )
    goal = there.seat(command.to_seat, "to_seat")
    check_open(there, goal, command.player_id)
    _check_balance(here, there)
    when, hands, rules = change_when(here, there, seat.number)
    move = Move(
        kind=MoveKind.TABLE_CHANGE,
        to_table=command.to_table,
        to_seat=command.to_seat,
        when=when,
        after_hand=_after_hand(here),
        big_at_call=_big(here),
        hands=hands,
        rules=rules,
        approved_by=here.occasion.actor,
    )
    return (
        *release_kept(here, command.player_id, seated.move),
        (here.stream, _due(here, seat, seated, move)),
        *drop_other_lock(there, command.player_id, goal.number),
        (there.stream, _keep(there, goal, command.player_id, rules)),
    )


def order_must_move(here: Here, command: c.OrderMustMove) -> Decision:
    """Keep a main-game seat for a must-move player and say until when the player may stay.

    Raises:
        Refused: the seat is not to be had, or the tables are not linked.
    """
    seat, seated = here.seated(command.player_id)
    there = here.elsewhere(command.to_table)
    goal = there.seat(command.to_seat, "to_seat")
    check_open(there, goal, command.player_id)
    when, hands, rules = must_move_when(here, seat.number)
    move = Move(
        kind=MoveKind.MUST_MOVE,
        to_table=command.to_table,
        to_seat=command.to_seat,
        when=when,
        after_hand=_after_hand(here),
        big_at_call=_big(here),
        hands=hands,
        rules=rules,
        approved_by=here.occasion.actor,
    )
    return (
        *release_kept(here, command.player_id, seated.move),
        (here.stream, _due(here, seat, seated, move)),
        *drop_other_lock(there, command.player_id, goal.number),
        (there.stream, _keep(there, goal, command.player_id, rules)),
    )


def cancel_move(here: Here, command: c.CancelMove) -> Decision:
    """Let a player stay who was to move.

    Raises:
        Refused: the floor does this, with a reason; no move is due.
    """
    seat, seated = here.seated(command.player_id)
    if not here.by_floor():
        raise Refused("NEEDS_FLOOR", "CR-9", "a floorperson lets a player stay")
    if not command.reason.strip():
        raise Refused("REASON_NEEDED", "CR-9", "say why the player stays", field="reason")
    if seated.move is None:
        raise Refused(
            "NO_MOVE_DUE", "CR-6", f"{command.player_id} is to move nowhere", field="player_id"
        )
    stays = e.MoveCancelled(
        seat=seat.number, player_id=command.player_id, reason=command.reason.strip()
    )
    return ((here.stream, stays), *release_kept(here, command.player_id, seated.move))


def order_leave(here: Here, command: c.OrderLeave) -> Decision:
    """A player who refused to move has to leave, at once or when the big blind comes; the kept seat is given free."""
    seat, seated = here.seated(command.player_id)
    book, old = here.book, seated.move
    to_big = book.flag("mustmove.refusal_play_to_big_blind") and not here.is_stud
    move = Move(
        kind=MoveKind.LEAVE,
        when=MoveWhen.TO_BIG_BLIND if to_big else MoveWhen.AT_ONCE,
        after_hand=old.after_hand if old else _after_hand(here),
        big_at_call=old.big_at_call if old else _big(here),
        rules=book.cite("mustmove.refusal_means_leaving", "mustmove.refusal_play_to_big_blind"),
        approved_by=here.occasion.actor,
    )
    records: Decision = ((here.stream, _due(here, seat, seated, move)),)
    return (*records, *release_kept(here, command.player_id, old))


def _seat_open_at_old_limit(here: Here) -> bool:
    return any(
        seat.is_open and seat.lock is None
        for table in here.like_tables()
        if table.table != here.table.table
        for seat in table.seats
    )


def may_keep_stack(here: Here, there: Here, kind: str) -> bool:
    """Return whether somebody forced over may play on with a stack below the buy-in.

    Args:
        here: the game left.
        there: the game joined.
        kind: must_move, broken_game or forced.
    """
    rule = there.book.choice("buyin.forced_transfer_keeps_stack")
    same = here.stakes == there.stakes
    if rule == "any_limit" or same:
        return True
    if rule == "same_or_lower_limit" and kind == "broken_game":
        lower = there.game.small_bet_cents <= here.game.small_bet_cents
        return lower and not _seat_open_at_old_limit(here)
    return False


def bring_least(here: Here, there: Here, kind: str, stack_cents: int) -> Least:
    """Return the least that somebody who moves must bring of a stack."""
    full = full_buy_in(there.game, there.book)
    if kind == "must_move":
        whole = not there.book.flag("mustmove.may_pocket_excess")
        least = stack_cents if whole else min(stack_cents, full.cents)
        rules = there.book.cite("mustmove.may_pocket_excess", "buyin.forced_transfer_keeps_stack")
        return Least(least, rules, "what a moved player brings")
    if kind in {"broken_game", "forced"} and may_keep_stack(here, there, kind):
        rules = there.book.cite("buyin.forced_transfer_keeps_stack")
        return Least(min(stack_cents, full.cents), rules, "what the player has")
    rules = there.book.cite("buyin.voluntary_change")
    return Least(full.cents, (*rules, *(r for r in full.rules if r not in rules)), full.why)


def _brought(
    here: Here, there: Here, command: c.MovePlayer, kind: str, stack: int | None
) -> tuple[int, Least]:
    if command.stack_cents is not None:
        stack = check_cents(command.stack_cents, "stack_cents")
    if stack is None:
        raise Refused(
            "STACK_UNKNOWN",
            ("CR-12", *there.book.cite("buyin.forced_transfer_keeps_stack")),
            f"how much {command.player_id} has is not known; count it",
            field="stack_cents",
        )
    least = bring_least(here, there, kind, stack)
    bring = command.bring_cents or stack
    if bring > stack and kind == "must_move":
        raise Refused(
            "MORE_THAN_STACK",
            "CR-8",
            f"{dollars(bring)} is more than the stack of {dollars(stack)}",
            options=("add chips after the move",),
            field="bring_cents",
        )
    if least.cents == stack and kind in {"broken_game", "forced", "must_move"}:
        if bring < least.cents:
            check_buy_in(there, least, bring)
    else:
        check_buy_in(there, least, bring)
    if bring > stack:
        check_most(there, 0, bring, "bring_cents")
    return bring, least


def move_player(here: Here, command: c.MovePlayer) -> Decision:
    """Carry out a move to a seat kept for the player at another table.

    Raises:
        Refused: no floorperson approved it; the seat is not kept; the chips are too few.
    """
    if here.table.phase is Phase.BROKEN:
        return _from_broken(here, command)
    seat, seated = here.seated(command.player_id)
    move = seated.move
    kept = None
    if move is not None and move.to_table == command.to_table:
        # A player of that game may have changed seats meanwhile; the seat kept is the one that counts.
        kept = here.elsewhere(command.to_table).table.lock_of(command.player_id)
    if move is None or kept is None or kept.number != command.to_seat:
        raise Refused(
            "FLOOR_APPROVAL_REQUIRED",
            here.book.cite("seating.floor_permission"),
            f"no floorperson approved that {command.player_id} moves to table "
            f"{command.to_table} seat {command.to_seat}",
            options=(f"seat {kept.number}",) if kept else ("have the change approved",),
            field="player_id",
        )
    there = here.elsewhere(command.to_table)
    goal = there.seat(command.to_seat, "to_seat")
    check_open(there, goal, command.player_id)
    check_apart(there, command.player_id, command.standing)
    kind = move.kind.value
    bring, least = _brought(here, there, command, kind, None)
    carried = 0
    if kind == "must_move" and there.book.flag("mustmove.missed_blinds_carried"):
        carried = seated.missed_buttons
    leaving = leave_events(here, seat, seated, kind, command.stack_cents, moved=True)
    coming = seat_events(
        there,
        goal,
        command.player_id,
        reason=kind,
        cents=bring,
        least=least,
        entry=entry_of_newcomer(there, goal, kind),
        standing=command.standing,
        missed_buttons=carried,
        from_table=here.table.table,
    )
    return (*leaving, *coming)


def _from_broken(here: Here, command: c.MovePlayer) -> Decision:
    player = next((d for d in here.table.displaced if d.player_id == command.player_id), None)
    if player is None:
        raise Refused(
            "NOT_DISPLACED",
            "CR-6",
            f"{command.player_id} did not play in the broken game at table {here.table.table}",
            field="player_id",
        )
    check_one_seat(here, command.player_id)
    there = here.elsewhere(command.to_table)
    goal = there.seat(command.to_seat, "to_seat")
    check_open(there, goal, command.player_id)
    held = goal.lock is not None and goal.lock.player_id == command.player_id
    if not held and not here.by_floor():
        raise Refused(
            "NO_PERMISSION",
            here.book.cite("seating.floor_permission"),
            f"seat {goal.number} of table {command.to_table} was not given to {command.player_id}",
            field="to_seat",
        )
    if command.standing is not None:
        check_standing(command.standing, command.player_id, Act.SIT, here.occasion)
    check_apart(there, command.player_id, command.standing)
    bring, least = _brought(here, there, command, "broken_game", player.chips_cents)
    carried, due = _carried_buttons(here, there, player, goal)
    coming = seat_events(
        there,
        goal,
        command.player_id,
        reason="broken_game",
        cents=bring,
        least=least,
        entry=entry_of_newcomer(there, goal, "broken_game"),
        standing=command.standing,
        missed_buttons=carried,
        from_table=here.table.table,
    )
    gone = (here.stream, e.DisplacedMoved(player_id=command.player_id, to_table=command.to_table))
    return (gone, *coming, *due)


def _carried_buttons(
    here: Here, there: Here, player: Displaced, goal: Seat
) -> tuple[int, Decision]:
    """Return the missed-blind buttons that go along; an absent player arrives absent."""
    rule = here.book.choice("seating.broken_game_missed_blinds")
    carries = rule == "carried_if_seats_suffice" and here.table.seats_sufficed
    count = player.missed_buttons if carries else 0
    if not player.away:
        return count, ()
    absence = player.absence_at(there.at)
    away = e.PlayerAway(
        room=there.table.room,
        table=there.table.table,
        seat=goal.number,
        player_id=player.player_id,
        absence=absence,
        hold_button=count == 0,
    )
    return count, ((there.stream, away),)


def force_change(here: Here, command: c.ForceTableChange) -> Decision:
    """Move a player whose game was changed, as one from a broken game.

    Raises:
        Refused: the floor does this; the seat is not to be had; the chips are too few.
    """
    if not here.by_floor():
        raise Refused(
            "FLOOR_APPROVAL_REQUIRED",
            here.book.cite("seating.floor_permission"),
            "a floorperson moves players whose game is changed",
        )
    seat, seated = here.seated(command.player_id)
    there = here.elsewhere(command.to_table)
    goal = there.seat(command.to_seat, "to_seat")
    check_open(there, goal, command.player_id)
    check_apart(there, command.player_id, command.standing)
    plain = c.MovePlayer(
        room=command.room,
        table=command.table,
        player_id=command.player_id,
        to_table=command.to_table,
        to_seat=command.to_seat,
        stack_cents=command.stack_cents,
    )
    bring, least = _brought(here, there, plain, "forced", None)
    leaving = leave_events(here, seat, seated, "forced", command.stack_cents, moved=True)
    coming = seat_events(
        there,
        goal,
        command.player_id,
        reason="forced",
        cents=bring,
        least=least,
        entry=entry_of_newcomer(there, goal, "forced"),
        standing=command.standing,
        from_table=here.table.table,
    )
    return (*leaving, *coming)
