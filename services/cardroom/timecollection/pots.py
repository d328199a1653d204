"""Potting for time: who agrees, which hand is the time pot, and what its winners pay (LC-147)."""

from datetime import datetime
from typing import Any

from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused
from cardroom.rulebook.model import ResolvedBook
from cardroom.timecollection import commands as c
from cardroom.timecollection import events as e
from cardroom.timecollection.collection import players, potting_seats
from cardroom.timecollection.folds import seat_of


def must_pot(state: e.CollectionState) -> None:
    """Refuse where nobody agreed to pot for time.

    Raises:
        Refused: CR-6, the table does not pot for time.
    """
    if not state.pot_for_time:
        raise Refused("NOT_POTTING", "CR-6", f"table {state.table} does not pot for time")


def agree(
    command: c.AgreePotForTime, state: e.CollectionState, rules: ResolvedBook, at: datetime
) -> tuple[Any, ...]:
    """Agree to pot for time where the book allows it (LC-147)."""
    if state.method != "time" or not rules.flag("collection.pot_for_time"):
        raise Refused(
            "NO_POT_FOR_TIME",
            rules.cite("collection.pot_for_time"),
            f"table {state.table} takes {state.method} collection; potting for time is "
            f"{'allowed' if rules.flag('collection.pot_for_time') else 'not allowed'} by the house",
        )
    for seat in command.seats:
        seat_of(state, seat)
    cited = rules.cite("collection.pot_for_time")
    return (e.PotForTimeAgreed(seats=command.seats, rules=cited, at=at),)


def start_time_pot(command: c.StartTimePot, state: e.CollectionState) -> tuple[Any, ...]:
    """Mark a hand that is dealt as the time pot; where its table told of it, it is marked already.

    A person's word goes before what a table told, which may tell of a hand only when it is over.
    """
    must_pot(state)
    if state.time_pot_dealt and state.time_pot_hand == command.hand_id:
        return ()
    if state.time_pot_dealt and not state.time_pot_told:
        raise Refused(
            "TIME_POT_RUNS", "CR-6", f"hand {state.time_pot_hand} is the time pot", field="hand_id"
        )
    if not potting_seats(state):
        raise Refused("NOTHING_OWED", "CR-6", "nobody who pots owes time now")
    return (e.TimePotStarted(hand_id=command.hand_id),)


def time_pot_begins(
    command: c.NoteHandDealt, state: e.CollectionState, now: datetime
) -> tuple[e.TimePotStarted, ...]:
    """Return that a hand is the time pot: the first one started after time is due and the agreement made (LC-147).

    Args:
        command: the hand that was dealt.
        state: the table's collection before it.
        now: when it is heard of, for a hand of which it is not said when it was dealt.
    """
    if not state.pot_for_time or state.time_pot_dealt or not potting_seats(state):
        return ()
    started = command.at or now
    if any(since is not None and started < since for since in _pots_from(state)):
        return ()
    return (e.TimePotStarted(hand_id=command.hand_id, told=True),)


def _pots_from(state: e.CollectionState) -> tuple[datetime | None, ...]:
    """Return the instants before which no hand was the time pot; in a game that has not begun time is due anyway."""
    due = state.last_due_at if state.began_at is not None else None
    return (due, state.potting_since)


def hand_ended(
    command: c.NoteHandEnded, state: e.CollectionState, rules: ResolvedBook, chip_cents: int
) -> tuple[Any, ...]:
    """Take the collection out of the time pot as its table tells who won it.

    Where nobody told it, or not how much each of several won, the pot waits for a person to say so. A pot that did not
    count, or does not cover the time, leaves the next one to be the time pot.
    """
    if not state.time_pot_dealt or state.time_pot_hand != command.hand_id:
        return ()
    cited = rules.cite("collection.pot_for_time")
    owed = sum(seat_of(state, seat).owes_cents for seat in potting_seats(state))
    if command.void or not owed:
        return (e.TimePotPassed(hand_id=command.hand_id, pot_cents=0, rules=cited),)
    won = [(one, one.cents) for one in command.winners]
    if len(won) == 1 and won[0][1] is None and not rules.cents("collection.time_pot_minimum"):
        won = [(won[0][0], owed)]  # who won it all pays it all, whatever it came to
    winners = tuple(
        c.PotWinner(seat=one.seat, cents=cents)
        for one, cents in won
        if cents and _pots(state, one.seat)
    )
    if not won or any(cents is None for _, cents in won):
        return ()
    pot = max(command.pot_cents or 0, sum(cents or 0 for _, cents in won))
    if winners and sum(one.cents for one in winners) < owed:
        return (e.TimePotPassed(hand_id=command.hand_id, pot_cents=pot, rules=("CR-8", *cited)),)
    return _out_of(command.hand_id, pot, winners, state, rules, chip_cents)


def _pots(state: e.CollectionState, seat: int) -> bool:
    """Whether somebody sits in a seat and pots with the others; the tables tell of seats and hands in one order."""
    return any(one.seat == seat and not one.pays_alone for one in state.seats)


def hand_reopened(
    command: c.NoteHandReopened, state: e.CollectionState, rules: ResolvedBook
) -> tuple[e.FloorCalled, ...]:
    """Call the floor where the time was taken from a pot that is settled anew: it may have another winner now."""
    if not command.hand_id or state.time_taken_hand != command.hand_id:
        return ()
    return (
        e.FloorCalled(
            reason=f"the time pot of hand {command.hand_id} is settled anew; its time was taken",
            players=players(state),
            options=("let it stand", "correct the stacks"),
            rules=rules.cite("collection.pot_for_time"),
        ),
    )


def award_time_pot(
    command: c.AwardTimePot, state: e.CollectionState, rules: ResolvedBook, chip_cents: int
) -> tuple[Any, ...]:
    """Take the collection of all who pot from the winners of the time pot who pot themselves (LC-147).

    Who pays alone is never charged from a pot: where only such players won it, the next pot is the time pot.

    Args:
        command: the pot and its winners.
        state: the table's collection.
        rules: the book in force.
        chip_cents: the smallest chip that plays, in cents.
    """
    if not state.time_pot_dealt or state.time_pot_hand != command.hand_id:
        raise Refused(
            "NOT_THE_TIME_POT",
            "CR-6",
            f"hand {command.hand_id} is not the time pot",
            field="hand_id",
        )
    pot = _checked_pot(command, state)
    return _out_of(command.hand_id, pot, command.winners, state, rules, chip_cents)


def _out_of(
    hand_id: str,
    pot: int,
    winners: tuple[c.PotWinner, ...],
    state: e.CollectionState,
    rules: ResolvedBook,
    chip_cents: int,
) -> tuple[e.TimePotPassed | e.TimeTakenFromPot, ...]:
    if pot < rules.cents("collection.time_pot_minimum"):
        cited = rules.cite("collection.time_pot_minimum")
        return (e.TimePotPassed(hand_id=hand_id, pot_cents=pot, rules=cited),)
    paying = tuple(one for one in winners if not seat_of(state, one.seat).pays_alone)
    cited = rules.cite("collection.pot_for_time")
    if not paying:
        return (e.TimePotPassed(hand_id=hand_id, pot_cents=pot, rules=cited),)
    seats = potting_seats(state)
    total = sum(seat_of(state, seat).owes_cents for seat in seats)
    won = sum(one.cents for one in paying)
    if total > won:
        raise Refused(
            "POT_TOO_SMALL",
            ("CR-8", *cited),
            f"the {dollars(won)} won by those who pot do not cover {dollars(total)} time",
            options=("let everybody pay alone", "let the next pot be the time pot"),
            field="winners",
        )
    shares = shares_of(total, tuple(one.cents for one in paying), chip_cents)
    paid_by = tuple(
        e.WinnerShare(seat=one.seat, player_id=seat_of(state, one.seat).player_id, cents=cents)
        for one, cents in zip(paying, shares, strict=True)
        if cents
    )
    return (
        e.TimeTakenFromPot(
            hand_id=hand_id, cents=total, for_seats=seats, paid_by=paid_by, rules=cited
        ),
    )


def _checked_pot(command: c.AwardTimePot, state: e.CollectionState) -> int:
    """Return the pot, its winners being seated players who won no more than it, each named once."""
    if not command.winners:
        raise Refused("NO_WINNER", "CR-12", "the time pot's winners are not given", field="winners")
    pot = check_cents(command.pot_cents, "pot_cents")
    won = 0
    for place, one in enumerate(command.winners):
        seat_of(state, one.seat)
        won += check_cents(one.cents, f"winners[{place}].cents", least=1)
    if len({one.seat for one in command.winners}) != len(command.winners):
        raise Refused("WINNER_TWICE", "CR-4", "a seat is named twice", field="winners")
    if won > pot:
        raise Refused(
            "MORE_WON_THAN_THE_POT",
            "CR-8",
            f"the winners got {dollars(won)} of a pot of {dollars(pot)}",
            field="winners",
        )
    return pot


def shares_of(total_cents: int, won_cents: tuple[int, ...], chip_cents: int) -> tuple[int, ...]:
    """Split the time among the winners of a pot as if it had been taken before the pot was divided.

    Each pays in proportion to what was won. Shares are whole chips; chips over go to those whose exact share lies
    farthest above, the first named winner first; what is no whole chip is paid by the one who pays most.

    Args:
        total_cents: what is to be paid; no more than was won.
        won_cents: what each won, each above 0.
        chip_cents: the smallest chip, in cents.

    Returns:
        What each pays; together the whole, and nobody more than was won.
    """
    won = sum(won_cents)
    chips, rest = divmod(total_cents, chip_cents)
    exact = [divmod(chips * one, won) for one in won_cents]
    shares = [whole * chip_cents for whole, _ in exact]
    over = chips - sum(whole for whole, _ in exact)
    for place in sorted(range(len(exact)), key=lambda at: -exact[at][1])[:over]:
        shares[place] += chip_cents
    most = max(range(len(shares)), key=lambda at: (won_cents[at] - shares[at], -at))
    shares[most] += rest
    return _within(shares, won_cents)


def _within(shares: list[int], won_cents: tuple[int, ...]) -> tuple[int, ...]:
    """Move what a rounded share takes over what was won to winners who have something left."""
    over = 0
    for place, (share, won) in enumerate(zip(shares, won_cents, strict=True)):
        over += max(0, share - won)
        shares[place] = min(share, won)
    for place, won in enumerate(won_cents):
        taken = min(over, won - shares[place])
        shares[place] += taken
        over -= taken
    return tuple(shares)
