"""Who may straddle the coming hand, and what a straddle comes to."""

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Game
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.entry import straddle_cents, straddle_seat
from cardroom.tables.positions import Positions, next_in
from cardroom.tables.seats import Seat
from cardroom.tables.table import Table


def check_straddle(
    table: Table, rules: ResolvedBook, seat: Seat, cents: int, base: Positions | None, *, kill: bool
) -> int:
    """Return what a straddle comes to if one may be put up in this seat for the coming hand.

    Raises:
        Refused: the book or game has no straddle, another was put up, the seat or the amount is wrong, or the pot is
            a kill pot (blinds.straddle*).
    """
    game: Game = table.the_game()
    if table.hand is not None and table.shuffling <= table.hand.number and not table.shuffling:
        raise Refused(
            "CARDS_ALREADY_DEALT",
            rules.cite("blinds.straddle_terms", "blinds.straddle"),
            "a straddle goes up before the deal; the cards are out",
            field="seat",
        )
    if not rules.flag("blinds.straddle"):
        raise Refused(
            "NO_STRADDLE_IN_THIS_GAME",
            rules.cite("blinds.straddle"),
            f"{game.name} is not specified for straddles",
            field="way_in",
        )
    if kill:
        raise Refused(
            "NO_STRADDLE_IN_KILL_POT",
            rules.cite("blinds.straddle_terms"),
            "a kill pot takes no straddle",
            field="way_in",
        )
    others = [one for one in table.seats.values() if one.straddle_cents and one.seat != seat.seat]
    if len(others) >= rules.count("blinds.straddles_per_hand"):
        raise Refused(
            "ONE_STRADDLE_PER_HAND",
            rules.cite("blinds.straddles_per_hand"),
            f"seat {others[0].seat} straddles the coming hand already",
            field="way_in",
        )
    due = straddle_cents(game, rules) << len(others)
    where = rules.choice("blinds.straddle_position")
    allowed: set[int] = set()
    if base is not None:
        if where != "button":
            last = others[-1].seat if others else None
            left = (
                next_in(last, base.dealt | {seat.seat}, table.seat_count)
                if last
                else straddle_seat(table, rules, base, seat.seat)
            )
            allowed |= {left} if left else set()
        if where != "left_of_big_blind":
            allowed.add(base.button)
    if seat.seat not in allowed:
        raise Refused(
            "NOT_IN_STRADDLE_POSITION",
            rules.cite("blinds.straddle_position"),
            f"seat {seat.seat} may not straddle the coming hand",
            options=[f"seat {number}" for number in sorted(allowed)],
            field="seat",
        )
    if cents and cents != due:
        raise Refused(
            "STRADDLE_NOT_DOUBLE_BIG_BLIND",
            rules.cite("blinds.straddle_multiple"),
            f"a straddle here is {due} cents, not {cents}",
            options=[f"{due} cents"],
            field="cents",
        )
    return due
