"""A table's collection: its deadlines, and the predicates that decisions and offers share."""

from datetime import datetime, timedelta
from typing import Any, Final

from cardroom.kernel.money import dollars
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import Aggregate
from cardroom.known.games import Form, Game
from cardroom.rulebook.model import ResolvedBook
from cardroom.timecollection import commands as c
from cardroom.timecollection import events as e
from cardroom.timecollection.folds import evolve, seat_of

STUD_FORMS: Final = (Form.STUD, Form.STUD_HIGH_LOW, Form.RAZZ)


def players(state: e.CollectionState) -> int:
    """Count the players at the table, those away not counted."""
    return sum(not one.away for one in state.seats)


def potting_seats(state: e.CollectionState) -> tuple[int, ...]:
    """Return the seats whose time the winner of the time pot pays."""
    return tuple(one.seat for one in state.seats if one.owes_cents and not one.pays_alone)


def due(state: e.CollectionState) -> tuple[tuple[Any, Any], ...]:
    """Return when the next period begins, as a command of the timer."""
    if not state.open or state.method != "time" or state.due_at is None:
        return ()
    return ((state.due_at, c.Elapse(room=state.room, table=state.table, at=state.due_at)),)


COLLECTION: Final = Aggregate("collection", e.CollectionState(), evolve, day_bound=True, due=due)


def awaits_first_hand(state: e.CollectionState) -> bool:
    """Whether a time game has not begun, so that its first period is paid in advance of the first hand."""
    return state.open and state.method == "time" and state.began_at is None and state.due_at is None


def method_of(game: Game) -> tuple[str, int]:
    """Return how a game pays the house and how much, from its settings."""
    if game.time_collection_cents:
        return "time", game.time_collection_cents
    if game.button_collection_cents:
        return "button", game.button_collection_cents
    return "none", 0


def amount_now(state: e.CollectionState, game: Game) -> int:
    """Return what a period that begins now costs a player, in cents: by the game's present terms.

    What fell due stays as it was. An amount that a floorperson set holds, whatever the terms are.
    """
    method, amount = method_of(game)
    return amount if method == state.method and not state.converted else state.amount_cents


def owed_in_advance(
    state: e.CollectionState,
    seat: int,
    player_id: str,
    rules: ResolvedBook,
    at: datetime,
    amount_cents: int,
) -> e.TimeDueInAdvance:
    """Return that a player of a game that has not begun owes its first period (WP-2P2)."""
    return e.TimeDueInAdvance(
        seat=seat,
        player_id=player_id,
        at=at,
        amount_cents=amount_cents,
        waiting_count=state.waiting_count,
        rules=rules.cite("collection.time_in_advance", "collection.time_minutes"),
    )


def waived(state: e.CollectionState, rules: ResolvedBook) -> tuple[e.TimeWaived, ...]:
    """Return that what was owed in advance is owed no more, where anything was."""
    owing = tuple(one for one in state.seats if one.owes_cents)
    if not owing:
        return ()
    return (
        e.TimeWaived(
            seats=tuple(one.seat for one in owing),
            cents=sum(one.owes_cents for one in owing),
            rules=rules.cite("collection.method", "collection.time_in_advance"),
        ),
    )


def first_due(state: e.CollectionState, rules: ResolvedBook, at: datetime) -> e.TimeFellDue:
    """Return that everybody at a game that plays already owes the first period of a clock that starts."""
    assert state.due_at is not None
    return e.TimeFellDue(
        at=at,
        amount_cents=state.amount_cents,
        owing_seats=tuple(one.seat for one in state.seats),
        exempt_seats=(),
        next_due_at=state.due_at,
        rules=rules.cite("collection.time_in_advance", "collection.time_minutes"),
        waiting_count=state.waiting_count,
    )


def fall_due(state: e.CollectionState, game: Game, rules: ResolvedBook) -> e.TimeFellDue:
    """Work out who owes time when a period begins, and how much by the terms in force then (LC-146, WP-2P2)."""
    assert state.due_at is not None
    assert state.last_due_at is not None
    most = rules.count("collection.time_new_player_exempt_max_waiting")
    # Those who sat down for the game's first hand began the game: they are not new to it.
    began = state.began_at or state.due_at - timedelta(minutes=state.period_minutes)
    period = timedelta(minutes=rules.minutes("collection.time_minutes"))
    new_after = max(state.last_due_at, began)
    may_exempt = state.waiting_count <= most
    exempt = tuple(one.seat for one in state.seats if may_exempt and one.since > new_after)
    amount = amount_now(state, game)
    raised = ("collection.time_in_advance",) if amount != state.amount_cents else ()
    return e.TimeFellDue(
        at=state.due_at,
        amount_cents=amount,
        owing_seats=tuple(one.seat for one in state.seats if one.seat not in exempt),
        exempt_seats=exempt,
        next_due_at=state.due_at + period,
        rules=rules.cite(
            "collection.time_minutes",
            "collection.time_new_player_exempt_max_waiting",
            *raised,
        ),
        waiting_count=state.waiting_count,
    )


def why_no_courtesy(
    state: e.CollectionState, seat: int, game: Game, rules: ResolvedBook
) -> Refused | None:
    """Return why a player may not go on unpaid, or None where the book gives the courtesy."""
    one = seat_of(state, seat)
    if not one.owes_cents:
        return Refused("NOTHING_OWED", "CR-6", f"seat {seat} owes no time", field="seat")
    if one.courtesy:
        return Refused(
            "COURTESY_TAKEN", "CR-6", f"seat {seat} goes on unpaid already", field="seat"
        )
    most = rules.count("collection.time_courtesy_max_waiting")
    if state.waiting_when_due > most:
        return Refused(
            "PLAYERS_WAITING",
            rules.cite("collection.time_courtesy_max_waiting"),
            f"{state.waiting_when_due} wait for the game as time falls due: "
            f"{dollars(one.owes_cents)} is due from seat {seat} now",
            options=(f"pay {dollars(one.owes_cents)}",),
        )
    if game.form in STUD_FORMS:
        given, basis = (
            rules.count("collection.time_courtesy_stud_hands") > 0,
            "collection.time_courtesy_stud_hands",
        )
    else:
        given, basis = (
            rules.choice("collection.time_courtesy_button") != "none",
            "collection.time_courtesy_button",
        )
    if one.courtesy_ended:
        return Refused(
            "COURTESY_USED",
            rules.cite(basis),
            f"seat {seat} has played its hands on unpaid time",
            options=(f"pay {dollars(one.owes_cents)}", "be left out"),
        )
    if not given:
        return Refused("NO_COURTESY", rules.cite(basis), "the house gives no hand on unpaid time")
    return None


def why_not_dealt_in(
    state: e.CollectionState, seat: int, game: Game, rules: ResolvedBook, *, big_blind: bool
) -> Refused | None:
    """Return why a seat may not be dealt into the next hand, or None.

    Args:
        state: the table's collection.
        seat: the seat.
        game: its game.
        rules: the book in force.
        big_blind: whether the big blind falls on the seat in that hand.
    """
    one = seat_of(state, seat)
    if not one.owes_cents or (state.pot_for_time and not one.pays_alone):
        return None
    unpaid = Refused(
        "COLLECTION_UNPAID",
        rules.cite("collection.time_in_advance", "collection.time_courtesy_button"),
        f"seat {seat} owes {dollars(one.owes_cents)} time",
        options=(f"pay {dollars(one.owes_cents)}", "be left out"),
        field="seat",
    )
    if not one.courtesy:
        return unpaid
    if game.form in STUD_FORMS:
        return (
            unpaid
            if one.courtesy_hands >= rules.count("collection.time_courtesy_stud_hands")
            else None
        )
    return unpaid if big_blind else None


def method_options(state: e.CollectionState, rules: ResolvedBook) -> tuple[str, ...]:
    """Return the collection methods a floorperson may choose now (LC-144)."""
    below = rules.count("collection.convert_to_time_below")
    options = [state.method]
    if state.method == "button" and players(state) < below:
        options.append("time")
    return tuple(options)


def short_handed_call(
    before: e.CollectionState, state: e.CollectionState, rules: ResolvedBook
) -> e.FloorCalled | None:
    """Return the call for the floor when a must-move game on button collection gets short-handed (LC-145).

    Args:
        before: the collection before a player left or went away.
        state: the collection after it.
        rules: the book in force.
    """
    count, least = players(state), rules.count("game.short_handed_below")
    gets_short = count < least <= players(before)
    if not (state.open and state.must_move and state.method == "button" and gets_short):
        return None
    return e.FloorCalled(
        reason="must-move game short-handed",
        players=count,
        options=tuple(
            "stay on button collection" if o == "button" else "convert to time"
            for o in method_options(state, rules)
        ),
        rules=rules.cite(
            "collection.mustmove_short",
            "game.short_handed_below",
            "collection.convert_to_time_below",
        ),
    )


def legal(state: e.CollectionState, game: Game, rules: ResolvedBook) -> tuple[str, ...]:
    """List what may be done at a table's collection now, with amounts."""
    offered = []
    for one in state.seats:
        if one.owes_cents:
            offered.append(f"seat {one.seat}: pay {dollars(one.owes_cents)}")
            if why_no_courtesy(state, one.seat, game, rules) is None:
                offered.append(f"seat {one.seat}: go on unpaid by courtesy")
    if state.method == "time" and rules.flag("collection.pot_for_time"):
        offered.append("end potting for time" if state.pot_for_time else "agree to pot for time")
    offered += [
        f"convert to {method}" for method in method_options(state, rules) if method != state.method
    ]
    return tuple(offered)
