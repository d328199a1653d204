"""The clock on a player: put on at a player's turn, stopped by an action, and what follows when it runs out."""

from datetime import datetime, timedelta

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.poker.betting import call_level, in_front
from cardroom.poker.chairs import chair_at
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, evolve
from cardroom.tables.hand_events import Clock
from cardroom.tables.hand_extras import rule_hand_dead
from cardroom.tables.hand_rules import HandRules

SECONDS = "betting.clock_seconds"
EXPIRY = "betting.clock_expiry"


def call_clock(state: Hand, command: do.CallClock, rules: HandRules) -> tuple[Event, ...]:
    """Return the event that puts the clock on a player; how long it runs is the book's (betting.clock_seconds).

    Args:
        state: the hand.
        command: on whom, and when.
        rules: of its book and game.

    Raises:
        Refused: it is not the player's turn; a clock runs already; CR-12, no time is given.
    """
    cites = rules.book.cite(SECONDS, EXPIRY)
    if not state.to_act or state.to_act != command.seat:
        who = f"seat {state.to_act}" if state.to_act else "nobody"
        raise Refused(
            "NOT_TO_ACT",
            cites,
            f"seat {command.seat} is not to act: {who} is",
            options=[f"seat {state.to_act}"] if state.to_act else [],
            field="seat",
        )
    if state.clock is not None:
        raise Refused(
            "CLOCK_RUNNING",
            cites,
            f"the clock on seat {state.clock.seat} runs until {state.clock.due_at.isoformat()}",
        )
    if command.at is None:
        raise Refused("TIME_MISSING", "CR-12", "at: when the clock was called", field="at")
    seconds = rules.book.seconds(SECONDS)
    clock = Clock(seat=command.seat, due_at=command.at + timedelta(seconds=seconds))
    return (ev.ClockCalled(clock=clock, seconds=seconds, rules=cites, source=command.source),)


def expire_clock(state: Hand, command: do.ExpireClock, rules: HandRules) -> tuple[Event, ...]:
    """Return what follows when the clock has run out: the hand is dead if it faces a wager.

    Args:
        state: the hand.
        command: whose clock.
        rules: of its book and game.

    Raises:
        Refused: CR-6, no such clock runs.
    """
    clock = state.clock
    if clock is None or clock.seat != command.seat or clock.due_at != command.due_at:
        raise Refused(
            "NO_CLOCK", "CR-6", f"no such clock runs on seat {command.seat}", field="seat"
        )
    cites = rules.book.cite(EXPIRY, SECONDS)
    dead = _facing(state, command.seat) and not command.floor_at_table
    expired = ev.ClockExpired(seat=command.seat, due_at=clock.due_at, dead=dead, rules=cites)
    if not dead:
        return (expired,)
    kill = do.RuleHandDead(
        room=command.room,
        table=command.table,
        hand=command.hand,
        seat=command.seat,
        rules=cites,
    )
    return (expired, *rule_hand_dead(evolve(state, expired), kill, rules))


def _facing(state: Hand, seat: int) -> bool:
    chair = chair_at(state.chairs, seat)
    betting = state.betting
    if chair is None or betting is None:
        return False
    return in_front(chair, betting) < call_level(chair, state.chairs, betting)


def check_in_time(state: Hand, command: do.HandCommand, at: datetime, rules: HandRules) -> None:
    """Refuse an action of a player whose clock has run out; one at the very instant is in time.

    Args:
        state: the hand.
        command: what is asked.
        at: when, in UTC.
        rules: of its book and game.

    Raises:
        Refused: it comes too late.
    """
    clock = state.clock
    if (
        clock is None
        or not isinstance(command, do.ActionCommand)
        or command.seat != clock.seat
        or at <= clock.due_at
    ):
        return
    raise Refused(
        "CLOCK_EXPIRED",
        rules.book.cite(EXPIRY, SECONDS),
        f"seat {clock.seat}: the clock ran out at {clock.due_at.isoformat()}",
        field="seat",
    )


def clock_due(state: Hand) -> tuple[tuple[datetime, do.ExpireClock], ...]:
    """Return when the clock of a hand runs out, and the command that says so."""
    clock = state.clock
    if clock is None or state.over:
        return ()
    command = do.ExpireClock(
        room=state.room,
        table=state.table,
        hand=state.hand,
        seat=clock.seat,
        due_at=clock.due_at,
    )
    return ((clock.due_at, command),)
