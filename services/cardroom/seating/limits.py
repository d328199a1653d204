"""Changes of a table's game or limit: proposals, objections, approval."""

from cardroom import known
from cardroom.kernel.decisions import Decision
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.here import Here
from cardroom.seating.values import LimitChange


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


def _changed(here: Here, change: LimitChange, rules: tuple[str, ...]) -> Decision:
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
    )
    return here.on_table(event)


def approve(here: Here, command: c.ApproveLimitChange) -> Decision:
    """Approve the change, which holds from the next hand.

    Raises:
        Refused: only management approves; too many objections.
    """
    del command
    change = _proposed(here)
    rules = here.book.cite("game.limit_change_approval", "game.limit_change_blocking_objections")
    if not here.by_floor():
        raise Refused(
            "NOT_MANAGEMENT", here.book.cite("game.limit_change_approval"), "management approves"
        )
    _check_objections(here, change)
    return _changed(here, change, rules)


def change(here: Here, command: c.ChangeLimit) -> Decision:
    """Put a change in force without management's approval, where the book needs none.

    Raises:
        Refused: the book needs it; too many objections.
    """
    del command
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
    return _changed(here, proposed, rules)
