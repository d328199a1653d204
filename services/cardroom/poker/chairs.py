"""A player's place in one hand: chips put in and left, and the cards."""

from enum import StrEnum

import msgspec


class Fate(StrEnum):
    """What became of a hand."""

    LIVE = "live"
    FOLDED = "folded"
    MUCKED = "mucked"
    """Thrown away unshown at the showdown."""
    KILLED = "killed"
    """A losing or asked-for hand that the dealer killed."""
    DEAD = "dead"
    """Ruled dead."""


LIVE = Fate.LIVE
"""The fate that the hot paths compare with."""


class Chair(msgspec.Struct, frozen=True, gc=False):
    """One player dealt into a hand.

    Args:
        seat: number at the table.
        player: the player's id.
        stack_cents: chips left; None where nobody told us how many there are.
        matched_cents: what counts toward the wagers of the hand so far, antes included.
        put_in_cents: what of it lies in the pots (a live collection counts but is the house's).
        dead_cents: what lies in the main pot without counting toward any wager.
        house_cents: what the house took as collection.
        fate: what became of the hand.
        all_in: whether no more chips that play are left.
        down: cards face down so far, `??` where not known.
        up: cards face up so far.
        shown: cards turned up by the player, in the order shown.
        tabled: whether every card of the hand lies face up.
        put_away: cards discarded, or put away before declaring.
    """

    seat: int
    player: str
    stack_cents: int | None
    matched_cents: int = 0
    put_in_cents: int = 0
    dead_cents: int = 0
    house_cents: int = 0
    fate: Fate = Fate.LIVE
    all_in: bool = False
    down: tuple[str, ...] = ()
    up: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    tabled: bool = False
    put_away: tuple[str, ...] = ()

    @property
    def live(self) -> bool:
        """Whether the hand can still win."""
        return self.fate is LIVE

    @property
    def can_bet(self) -> bool:
        """Whether the player is in the hand and has chips to act with."""
        return self.fate is LIVE and not self.all_in


Chairs = tuple[Chair, ...]
"""The players dealt in, clockwise from the first left of the button (stud: of the dealer)."""


def chair_at(chairs: Chairs, seat: int) -> Chair | None:
    """Return the chair of a seat, None where nobody in it was dealt in: seat 0 only holds money carried over."""
    for chair in chairs:
        if chair.seat == seat:
            return chair if seat else None
    return None


def clockwise_after(chairs: Chairs, seat: int) -> Chairs:
    """Return the chairs clockwise from the one after a seat, the seat's own last."""
    for at, chair in enumerate(chairs, 1):
        if chair.seat == seat:
            return chairs[at:] + chairs[:at]
    later = sum(1 for chair in chairs if chair.seat < seat)
    ordered = tuple(sorted(chairs, key=lambda chair: chair.seat))
    return ordered[later:] + ordered[:later]


def after_action(
    chairs: Chairs,
    seat: int,
    added_cents: int,
    folded: bool,
    all_in: bool,
) -> Chairs:
    """Return the chairs after a player acted.

    Args:
        chairs: before.
        seat: who.
        added_cents: chips put in.
        folded: whether the hand was given up.
        all_in: whether no chips that play are left.
    """
    if not (added_cents or folded or all_in):
        return chairs
    changed = list(chairs)
    for at, chair in enumerate(chairs):
        if chair.seat == seat:
            if folded:
                changed[at] = _replace(chair, fate=_FOLDED)
            else:
                stack = chair.stack_cents
                changed[at] = _replace(
                    chair,
                    stack_cents=None if stack is None else stack - added_cents,
                    matched_cents=chair.matched_cents + added_cents,
                    put_in_cents=chair.put_in_cents + added_cents,
                    all_in=all_in,
                )
            break
    return tuple(changed)


_FOLDED = Fate.FOLDED
_replace = msgspec.structs.replace
