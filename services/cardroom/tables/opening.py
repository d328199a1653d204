"""Opening and closing a table, changing its game, capture level, dealer and deck; the end of its gaming day."""

from cardroom.kernel.decisions import Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Stale
from cardroom.known.games import Game
from cardroom.rulebook.calling import call_game, games_are_called
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import commands as c
from cardroom.tables import table_events as ev
from cardroom.tables.called import called_with
from cardroom.tables.starting import base_positions
from cardroom.tables.table import Table, unexplained_cents

CAPTURES = ("counted", "ruling_facts", "every_action")
FLOOR = frozenset({"floor", "shift_manager", "admin"})
MOST_SEATS = 10

Events = tuple[Event, ...]


def check_capture(capture: str) -> None:
    """Refuse a capture level that does not exist (CR-4)."""
    if capture not in CAPTURES:
        raise Refused(
            "CAPTURE_UNKNOWN",
            "CR-4",
            f"capture is {capture!r}: one of {', '.join(CAPTURES)}",
            options=CAPTURES,
            field="capture",
        )


def open_table(command: c.OpenTable, table: Table, game: Game, rules: ResolvedBook) -> Events:
    """Open a table for a game.

    Raises:
        Refused: CR-7, it is open already; CR-4, the seats or the capture level are none; its rules were not stated
            where the book does not have the game.
    """
    if table.is_open and command.as_fact:
        return ()
    if table.is_open:
        raise Refused("TABLE_OPEN", "CR-7", f"table {command.table} is open already", field="table")
    check_capture(command.capture)
    called: Events = ()
    if not command.as_fact:
        called = called_with(game, command.stated_rules, rules, table.last_hand + 1)
    seats = command.seats or game.seats
    if not 2 <= seats <= MOST_SEATS:
        raise Refused(
            "SEATS_OUT_OF_RANGE", "CR-4", f"seats is {seats}: 2 to {MOST_SEATS}", field="seats"
        )
    return (
        ev.Opened(
            room=command.room,
            table=command.table,
            game=game,
            book_digest=game.book_digest,
            seats=seats,
            capture=command.capture,
            must_move_behind=command.must_move_behind or table.feeder_linked,
            tournament=command.tournament,
        ),
        *called,
    )


def between_hands(table: Table, what: str) -> None:
    """Refuse something that has to wait for the end of the hand (CR-6)."""
    if table.hand is not None:
        raise Refused(
            "HAND_IN_PROGRESS",
            "CR-6",
            f"{what} waits for the end of hand {table.hand.number}",
        )


def close_table(command: c.CloseTable, table: Table) -> Events:
    """Close a table nobody sits at any more; told as a fact, it closes when the hand is over and everybody has left.

    Raises:
        Refused: CR-6, a hand is in play or somebody sits there; CR-8, the house holds chips of a disputed pot.
    """
    if command.as_fact and (table.hand is not None or table.seats or table.impounds):
        return () if table.closing is not None else (ev.ClosingNoted(reason=command.reason),)
    between_hands(table, "closing the table")
    if table.seats:
        raise Refused(
            "TABLE_OCCUPIED",
            "CR-6",
            f"table {table.table} still has players in seats {', '.join(map(str, table.seats))}",
            options=("let every player leave first",),
        )
    if table.impounds:
        raise Refused(
            "CHIPS_IMPOUNDED",
            "CR-8",
            f"the house still holds chips for {', '.join(table.impounds)}",
            options=("rule on the dispute first",),
        )
    return (ev.Closed(reason=command.reason, leftover_cents=table.account_cents or 0),)


def needs_approval(table: Table, game: Game, rules: ResolvedBook, *, called: bool = False) -> bool:
    """Whether a change of game needs the house's word.

    Args:
        table: the table.
        game: what it is to play.
        rules: the book in force.
        called: whether the dealer calls it, to whom the book leaves the form.
    """
    now = table.the_game()
    match rules.choice("game.limit_change_approval"):
        case "none":
            return False
        case "any_change":
            return True
        case _:
            same_form = called or game.form == now.form
            same = same_form and game.structure == now.structure
            return not same or game.small_bet_cents > now.small_bet_cents


def ask_game_change(
    command: c.AskGameChange, table: Table, game: Game, rules: ResolvedBook
) -> Events:
    """Record that players ask for another limit or game.

    Raises:
        Refused: as many object as the book lets stop a change (game.limit_change_blocking_objections).
    """
    called_with(game, command.stated_rules, rules, table.last_hand + 1)
    for seat in command.objecting:
        table.at(seat)
    short = rules.count("game.limit_change_short_max")
    key = "game.limit_change_blocking_objections"
    if short and len(table.seats) <= short:
        key = "game.limit_change_blocking_objections_short"
    blocking = rules.count(key)
    if blocking and len(set(command.objecting)) >= blocking:
        raise Refused(
            "LIMIT_CHANGE_OBJECTED",
            rules.cite(key),
            f"{len(set(command.objecting))} players object; {blocking} stop a change",
            field="objecting",
        )
    return (
        ev.GameChangeAsked(
            game=game,
            book_digest=game.book_digest,
            objecting=command.objecting,
            needs_approval=needs_approval(table, game, rules),
            rules=rules.cite("game.limit_change_approval"),
            stated_rules=command.stated_rules,
        ),
    )


def change_game(
    command: c.ApproveGameChange | c.ApplyGameChange,
    table: Table,
    rules: ResolvedBook,
    occasion: Occasion,
) -> Events:
    """Let a change that was asked for take effect with the next hand.

    Raises:
        Refused: CR-1, another change or none is asked for; the book asks for a floorperson's word and this is none.
    """
    asked = table.asked_game
    if asked is None or asked.game.game_id != command.game_id:
        raise Stale(f"no change to {command.game_id!r} is asked for now", field="game_id")
    game = asked.game
    approved = isinstance(command, c.ApproveGameChange) and bool(occasion.roles & FLOOR)
    cited = rules.cite("game.limit_change_approval")
    if not approved and needs_approval(table, game, rules):
        raise Refused(
            "FLOOR_APPROVAL_REQUIRED",
            cited,
            f"the change to {game.name} needs a floorperson's approval",
            options=("a floorperson approves it",),
        )
    between_hands(table, "a change of game")
    return (
        changed(table, game, occasion.actor if approved else "", cited, rules),
        *called_with(game, asked.stated_rules, rules, table.last_hand + 1),
    )


def changed(
    table: Table,
    game: Game,
    approved_by: str,
    cited: tuple[str, ...],
    rules: ResolvedBook,
) -> ev.GameChanged:
    """Return the event of a table playing another game from its next hand.

    Args:
        table: the table.
        game: what it is to play.
        approved_by: who approved it; empty where none is needed.
        cited: rules it rests on.
        rules: the book in force.
    """
    grandfathered: tuple[int, ...] = ()
    key = "buyin.grandfathered_on_limit_increase"
    if game.small_bet_cents > table.the_game().small_bet_cents and rules.flag(key):
        grandfathered = tuple(table.seats)
        cited = (*cited, *rules.cite(key))
    return ev.GameChanged(
        game=game,
        book_digest=game.book_digest,
        approved_by=approved_by,
        grandfathered=grandfathered,
        rules=cited,
    )


def call_next_game(
    command: c.CallGame, table: Table, game: Game, rules: ResolvedBook, occasion: Occasion
) -> Events:
    """Record that the dealer called a game: the next hand is dealt in it, and those after it until another is called.

    Raises:
        Refused: CR-6, a hand is in play; the book does not leave the game to the dealer, another player deals next, or
            the house has to approve the higher limit or another structure (game.limit_change_approval); the game is not
            called as the book asks (game.other_games_stated).
    """
    between_hands(table, "calling a game")
    cited = rules.cite("game.limit_change_approval")
    by_floor = bool(occasion.roles & FLOOR)
    if not games_are_called(rules):
        raise Refused(
            "GAMES_NOT_CALLED",
            cited,
            "the book does not leave the game to the dealer: a change is asked for by the players",
            options=(f"ask for a change to {game.name}",),
        )
    called = call_game(rules, game.form, command.name, command.statement)
    if command.seat:
        _check_deals_next(table, command.seat, rules, called.rules)
    if not by_floor and needs_approval(table, game, rules, called=True):
        raise Refused(
            "FLOOR_APPROVAL_REQUIRED",
            cited,
            f"{game.name} is over the limit of the table or of another structure: that needs approval",
            options=("a floorperson approves the change", "call a game within the limit"),
            field="game_id",
        )
    said = ev.GameCalled(
        name=called.name,
        statement=called.statement,
        from_hand=table.last_hand + 1,
        seat=command.seat,
        rules=called.rules,
    )
    if game == table.the_game():
        return (said,)
    return (changed(table, game, occasion.actor if by_floor else "", called.rules, rules), said)


def _check_deals_next(table: Table, seat: int, rules: ResolvedBook, cited: tuple[str, ...]) -> None:
    """Refuse a call of somebody who does not deal the next hand, where the button is known."""
    table.at(seat)
    found = base_positions(table, rules)
    if found is not None and found.button != seat:
        raise Refused(
            "NOT_THE_DEALER",
            cited,
            f"seat {found.button} deals the next hand and calls its game, not seat {seat}",
            options=(f"seat {found.button} calls",),
            field="seat",
        )


def note_game_change(table: Table, game: Game, rules: ResolvedBook) -> Events:
    """Record that the table plays another game from its next hand, as seating tells."""
    if table.the_game() == game:
        return ()
    cited = rules.cite("game.limit_change_approval")
    return (changed(table, game, "seating", cited, rules),)


def set_capture(command: c.SetCapture, table: Table) -> Events:
    """Change the capture level from the next hand on."""
    check_capture(command.capture)
    if command.capture == table.capture:
        return ()
    return (ev.CaptureChanged(capture=command.capture),)


def set_dealer(command: c.SetDealer, table: Table) -> Events:
    """Say who deals."""
    return () if command.dealer == table.dealer else (ev.DealerChanged(dealer=command.dealer),)


def note_must_move(command: c.NoteMustMove, table: Table) -> Events:
    """Record that a must-move game feeds the table's game, or does so no longer; it counts from the next hand."""
    now = command.must_move_behind
    if table.must_move_behind == now and table.feeder_linked == now:
        return ()
    return (ev.MustMoveNoted(must_move_behind=now),)


def close_day(command: c.CloseDay, table: Table, occasion: Occasion) -> Events:
    """Close the gaming day: the closing fact, then what goes on into the next day.

    Raises:
        Refused: CR-6, a hand is in play; CR-4, the day named does not come after the present one.
    """
    between_hands(table, "closing the gaming day")
    if command.gaming_day <= occasion.gaming_day and command.gaming_day != occasion.gaming_day:
        raise Refused(
            "GAMING_DAY_PAST",
            "CR-4",
            f"gaming_day is {command.gaming_day}: it lies before {occasion.gaming_day}",
            field="gaming_day",
        )
    gap = unexplained_cents(table)
    assert gap in (0, None), f"table {table.table} holds {gap} cents beyond its account"
    return (
        ev.DayClosed(next_gaming_day=command.gaming_day),
        ev.TableCarried(
            gaming_day=command.gaming_day,
            room=table.room,
            table=table.table,
            is_open=table.is_open,
            game=table.game,
            book_digest=table.book_digest,
            seat_count=table.seat_count,
            capture=table.capture,
            dealer=table.dealer,
            must_move_behind=table.must_move_behind,
            feeder_linked=table.feeder_linked,
            seats=tuple(table.seats.values()),
            boxed=tuple(table.boxed.values()),
            account_cents=table.account_cents,
            common_cents=table.common_cents,
            carried_cents=table.carried_cents,
            impounds=tuple(table.impounds.items()),
            rotation=table.rotation,
            first_button=table.first_button,
            last_hand=table.last_hand,
            last_frame=table.last_frame,
            last_closed=table.last_closed,
            shuffling=table.shuffling,
            mucked_hand=table.mucked_hand,
            hands_this_game=table.hands_this_game,
            revolution_done=table.revolution_done,
            blinds_passed=tuple(sorted(table.blinds_passed)),
            deck_at_hand=table.deck_at_hand,
            deck_use=table.deck_use,
            setup_at=table.setup_at,
            open_disputes=tuple(table.open_disputes.items()),
            called=table.called,
            tournament=table.tournament,
        ),
    )
