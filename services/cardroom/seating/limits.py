"""Changes of a table's game or limit: proposals, objections, approval."""

from cardroom import known
from cardroom.kernel.decisions import Decision
from cardroom.kernel.events import Event
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.buyin import Least, full_buy_in
from cardroom.seating.here import Here
from cardroom.seating.values import LimitChange, Seat


def propose(here: Here, command: c.ProposeLimitChange) -> Decision:
    """Propose another game for the table.

    Raises:
        Refused: it is the game played there.
    """
    other = known.game_of(here.streams, here.table.room, command.game_id)
    if command.game_id == here.table.game_id:
        raise Refused("SAME_GAME", "CR-7", "the table plays that game", field="game_id")
    raises = max(other.small_bet_cents, other.big_bet_cents) > max(
        here.game.small_bet_cents, here.game.big_bet_cents
    )
    return here.on_table(e.LimitChangeProposed(game_id=command.game_id, raises=raises))


def _proposed(here: Here) -> LimitChange:
    if here.table.limit_change is None:
        raise Refused("NOTHING_PROPOSED", "CR-6", "no change of limit is proposed")
    return here.table.limit_change


def object_to(here: Here, command: c.ObjectToLimitChange) -> Decision:
    """Note that a player of the game objects."""
    here.seated(command.player_id)
    if command.player_id in _proposed(here).objections:
        return ()
    return here.on_table(e.LimitChangeObjected(player_id=command.player_id))


def _check_objections(here: Here, change: LimitChange) -> None:
    book, players = here.book, here.table.player_count
    short_most = book.count("game.limit_change_short_max")
    key = "game.limit_change_blocking_objections"
    keys: tuple[str, ...] = (key,)
    if players <= short_most:
        key = "game.limit_change_blocking_objections_short"
        keys = (key, "game.limit_change_short_max")
    blocking = book.count(key)
    objecting = [one for one in change.objections if here.table.seat_of(one) is not None]
    if blocking and len(objecting) >= blocking:
        raise Refused(
            "LIMIT_CHANGE_BLOCKED",
            book.cite(*keys),
            f"{len(objecting)} of {players} players object; {blocking} stop the change",
            options=(f"the game stays {here.table.game_id}",),
        )


def _changed(
    here: Here, change: LimitChange, stacks: tuple[tuple[str, int], ...], rules: tuple[str, ...]
) -> Decision:
    """Return the change, and who may go on with less than the new buy-in or has to make it up first."""
    grandfathered: tuple[str, ...] = ()
    due: tuple[Event, ...] = ()
    now = known.game_of(here.streams, here.table.room, change.game_id)
    book = known.rules_of(here.streams, here.table.room, change.game_id, here.table.table)
    full = full_buy_in(now, book)
    if change.raises and full.cents > full_buy_in(here.game, here.book).cents:
        cited = here.book.cite("buyin.grandfathered_on_limit_increase")
        rules = (*rules, *(rule for rule in cited if rule not in rules))
        if here.book.flag("buyin.grandfathered_on_limit_increase"):
            grandfathered = tuple(s.seated.player_id for s in here.table.taken if s.seated)
        else:
            due = _full_due(here, full, dict(stacks), cited)
    event: Event = e.GameChanged(
        room=here.table.room,
        table=here.table.table,
        from_game_id=here.table.game_id,
        game_id=change.game_id,
        at=here.at,
        rules=rules,
        seats=len([s for s in here.table.seats if not s.removed]),
        players=tuple(s.seated.player_id for s in here.table.taken if s.seated),
        open_seats=tuple(s.number for s in here.table.seats if s.is_open and s.lock is None),
        grandfathered=grandfathered,
    )
    return here.on_table(event, *due)


def _full_due(
    here: Here, full: Least, stacks: dict[str, int], rules: tuple[str, ...]
) -> tuple[Event, ...]:
    """Return who has less than the full buy-in of the new limit.

    Raises:
        Refused: CR-12, what somebody has was not told; CR-4, a stack is no amount.
    """
    due = []
    for seat in here.table.taken:
        assert seat.seated is not None
        player = seat.seated.player_id
        if player not in stacks:
            raise Refused(
                "STACK_UNKNOWN",
                ("CR-12", *rules),
                f"the new limit asks for {dollars(full.cents)} at once; count what {player} has",
                options=("give the stack of each player",),
                field="stacks",
            )
        if check_cents(stacks[player], "stacks") < full.cents:
            due.append(full_due(here, seat, full.cents, rules))
    return tuple(due)


def full_due(here: Here, seat: Seat, cents: int, rules: tuple[str, ...]) -> e.FullBuyInDue:
    """Return that a player needs the full buy-in of a raised limit before the next hand."""
    assert seat.seated is not None
    return e.FullBuyInDue(
        room=here.table.room,
        table=here.table.table,
        seat=seat.number,
        player_id=seat.seated.player_id,
        full_cents=cents,
        rules=rules,
    )


def approve(here: Here, command: c.ApproveLimitChange) -> Decision:
    """Approve the change, which holds from the next hand.

    Raises:
        Refused: only management approves; too many objections; CR-12, what a player has decides and was not told.
    """
    change = _proposed(here)
    rules = here.book.cite("game.limit_change_approval", "game.limit_change_blocking_objections")
    if not here.by_floor():
        raise Refused(
            "NOT_MANAGEMENT", here.book.cite("game.limit_change_approval"), "management approves"
        )
    _check_objections(here, change)
    return _changed(here, change, command.stacks, rules)


def change(here: Here, command: c.ChangeLimit) -> Decision:
    """Put a change in force without management's approval, where the book needs none.

    Raises:
        Refused: the book needs it; too many objections; CR-12, what a player has decides and was not told.
    """
    proposed = _proposed(here)
    approval = here.book.choice("game.limit_change_approval")
    rules = here.book.cite("game.limit_change_approval")
    if approval == "any_change" or (approval == "raise_only" and proposed.raises):
        raise Refused(
            "APPROVAL_NEEDED",
            rules,
            "this change of limit needs management's approval",
            options=("have management approve it",),
        )
    _check_objections(here, proposed)
    return _changed(here, proposed, command.stacks, rules)
