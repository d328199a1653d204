"""What a player may do in turn, with amounts and rules: the list that is offered, and that acts are checked by."""

from enum import StrEnum

import msgspec

from cardroom.kernel.money import dollars
from cardroom.poker.betting import (
    BettingRound,
    BettingRules,
    all_in_fits,
    call_level,
    in_front,
    only_brought_in,
    playable,
    span,
    targets,
    why_no_raise,
)
from cardroom.poker.chairs import Chair, Chairs


class Act(StrEnum):
    """An action in turn."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    COMPLETE = "complete"
    BRING_IN = "bring_in"


WAGERS = frozenset({Act.BET, Act.RAISE, Act.COMPLETE})
"""Actions that go above the highest wager."""


class Option(msgspec.Struct, frozen=True, gc=False):
    """One thing that a seat may do now.

    Args:
        seat: who.
        act: what.
        least_cents: least that is in front for the round then (fold and check: what is there already).
        most_cents: most that may be; None where the stack is not known.
        step_cents: what amounts between have to be multiples of; 0 where there is only one amount.
        all_in: whether `most_cents` takes every chip that plays.
        rules: ids it rests on.
    """

    seat: int
    act: Act
    least_cents: int
    most_cents: int | None
    step_cents: int
    all_in: bool
    rules: tuple[str, ...]

    def admits(self, to_cents: int) -> bool:
        """Return whether an amount in front is one that this option offers."""
        if to_cents < self.least_cents:
            return False
        if self.most_cents is not None:
            if to_cents > self.most_cents:
                return False
            if to_cents == self.most_cents:
                return True
        return to_cents == self.least_cents or (
            bool(self.step_cents) and to_cents % self.step_cents == 0
        )

    def words(self) -> str:
        """Say the option in words, amounts included."""
        name = self.act.value.replace("_", " ")
        tail = " (all-in)" if self.all_in and self.most_cents == self.least_cents else ""
        match self.act:
            case Act.FOLD | Act.CHECK:
                return name
            case Act.CALL | Act.BRING_IN | Act.BET:
                how = name
            case _:
                how = f"{name} to"
        if self.most_cents is None:
            return f"{how} {dollars(self.least_cents)} or more"
        if self.most_cents == self.least_cents:
            return f"{how} {dollars(self.least_cents)}{tail}"
        return f"{how} {dollars(self.least_cents)} up to {dollars(self.most_cents)}"


def options_in_turn(
    chair: Chair,
    chairs: Chairs,
    betting: BettingRound,
    rules: BettingRules,
    *,
    pot_cents: int,
    bring_in_cents: int = 0,
) -> tuple[Option, ...]:
    """Return what the player whose turn it is may do.

    Args:
        chair: who is to act.
        chairs: everybody dealt in.
        betting: the open round.
        rules: what the book says of betting.
        pot_cents: everything in the pots and in front of the players; asked only where the pot is the limit.
        bring_in_cents: the forced bring-in, where it is due from this player.
    """
    front = in_front(chair, betting)
    left = playable(chair, rules)
    most = None if left is None else front + left
    seat = chair.seat
    if betting.bring_in_seat == seat and not betting.level_cents:
        due = bring_in_cents if most is None else min(bring_in_cents, most)
        out = Option(seat, Act.FOLD, front, front, 0, False, rules.order_cites)
        return (
            *((out,) if betting.bring_in_may_fold else ()),
            Option(seat, Act.BRING_IN, due, due, 0, due == most, rules.amount_cites),
            *_wagers(chair, chairs, betting, rules, pot_cents, most, Act.COMPLETE, bring_in_cents),
        )
    fold = fold_option(chair, betting, rules)
    passing = passing_option(chair, chairs, betting, rules)
    if (most is not None and most <= betting.level_cents) or why_no_raise(
        chair, chairs, betting, rules
    ):
        return (fold, passing)
    if not betting.level_cents:
        act = Act.BET
    elif only_brought_in(betting) or (betting.full_cents < betting.level_cents and rules.fixed):
        act = Act.COMPLETE
    else:
        act = Act.RAISE
    return (
        fold,
        passing,
        *_wagers(chair, chairs, betting, rules, pot_cents, most, act, betting.level_cents),
    )


def fold_option(chair: Chair, betting: BettingRound, rules: BettingRules) -> Option:
    """Return the fold of the player whose turn it is, no bring-in being due from him."""
    front = in_front(chair, betting)
    return Option(chair.seat, Act.FOLD, front, front, 0, False, rules.order_cites)


def passing_option(
    chair: Chair, chairs: Chairs, betting: BettingRound, rules: BettingRules
) -> Option:
    """Return the check or call of the player whose turn it is, no bring-in being due from him."""
    front = in_front(chair, betting)
    level = call_level(chair, chairs, betting)
    if front >= level:
        return Option(chair.seat, Act.CHECK, front, front, 0, False, rules.order_cites)
    left = playable(chair, rules)
    if left is None or front + left > level:
        return Option(chair.seat, Act.CALL, level, level, 0, False, rules.amount_cites)
    to = front + left
    return Option(chair.seat, Act.CALL, to, to, 0, True, rules.amount_cites)


def _wagers(
    chair: Chair,
    chairs: Chairs,
    betting: BettingRound,
    rules: BettingRules,
    pot_cents: int,
    most: int | None,
    act: Act,
    above_cents: int,
) -> tuple[Option, ...]:
    """Return the bets, completions or raises open to a player who may make one."""
    seat = chair.seat
    cites = rules.min_raise_cites
    if act is Act.COMPLETE and betting.level_cents and not only_brought_in(betting):
        cites = rules.complete_cites
    if not rules.fixed:
        least, limit = span(chair, chairs, betting, rules, pot_cents)
        if most is None:
            return (Option(seat, act, least, limit, rules.chip_cents, False, cites),)
        top = most if limit is None else min(most, limit)
        if top >= least:
            return (Option(seat, act, least, top, rules.chip_cents, top == most, cites),)
        if most > above_cents:
            return (Option(seat, act, most, most, 0, True, rules.all_in_cites),)
        return ()
    found = [
        Option(seat, act, to, to, 0, to == most, cites)
        for to in targets(betting, rules)
        if most is None or most >= to
    ]
    if (
        most is not None
        and most > above_cents
        and all(option.least_cents != most for option in found)
        and (
            not found
            or betting.level_cents > betting.full_cents
            # With an open pair all that is left may be short of the upper limit only.
            or (betting.upper_cents and rules.open_pair_upper)
        )
        and all_in_fits(most, betting, rules, None)
    ):
        found.append(Option(seat, act, most, most, 0, True, rules.all_in_cites))
    return tuple(found)
