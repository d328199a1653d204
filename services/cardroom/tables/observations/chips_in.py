"""Chips let go in turn without a word: one oversized chip, a bet plus half, a short wager, a plain one."""

from cardroom.kernel.money import dollars
from cardroom.poker.betting import Closed
from cardroom.poker.legal import Option
from cardroom.tables.irregularities.situation import Needed
from cardroom.tables.observations.results import Comes
from cardroom.tables.observations.spot import Spot


def silent(spot: Spot, total_cents: int, count: int | None) -> Comes:
    """Return what chips put in silently, in one motion, come to.

    Args:
        spot: where the player stood.
        total_cents: what then lies in front.
        count: how many chips it was; None where nobody told.

    Raises:
        Needed: how many chips it was decides and was not told.
    """
    if total_cents == spot.most_cents and count != 1:
        return _every_chip(spot, total_cents)
    if total_cents < spot.call_cents:
        return _short_call(spot, total_cents)
    if not spot.level_cents and spot.passing != "bring_in":
        return opening(spot, total_cents)
    if total_cents <= spot.call_cents:
        return _passing(spot, "as much as it takes", ("betting.released_chips_bind",), plain=True)
    if count is None:
        raise Needed(
            ("chips",),
            "one oversized chip is only a call, several may be a raise",
            spot.cite("betting.one_chip_is_call"),
        )
    if count == 1:
        return _passing(
            spot, "one chip put in without a word", ("betting.one_chip_is_call",), plain=None
        )
    return _above(spot, total_cents)


def _passing(spot: Spot, why: str, keys: tuple[str, ...], *, plain: bool | None) -> Comes:
    rules = spot.cite(keys[0], *keys[1:])
    return Comes(
        act=spot.passing, to_cents=spot.call_cents, why=why, rules=rules, plain=bool(plain)
    )


def _every_chip(spot: Spot, total_cents: int) -> Comes:
    """Return what all a player's chips come to."""
    rules = spot.cite("betting.all_in_may_be_short")
    if total_cents <= spot.call_cents:
        return Comes(act=spot.passing, to_cents=total_cents, why="all-in", rules=rules, plain=True)
    for option in spot.wagers:
        if option.admits(total_cents):
            return Comes(
                act=option.act.value, to_cents=total_cents, why="all-in", rules=rules, plain=True
            )
    return _above(spot, total_cents) if spot.level_cents else opening(spot, total_cents)


def _short_call(spot: Spot, total_cents: int) -> Comes:
    """Return a call that is too small, to be made complete."""
    return Comes(
        act=spot.passing,
        to_cents=spot.call_cents,
        why=f"{dollars(total_cents)} is too little and is brought up",
        rules=spot.cite("betting.short_wager_completed", "betting.released_chips_bind"),
        short=True,
    )


def _above(spot: Spot, total_cents: int) -> Comes:
    """Return what several chips above the call come to."""
    closed = spot.closed
    if spot.recorded and not spot.wagers:
        why, rules = _closed(spot, closed)
        return Comes(act=spot.passing, to_cents=spot.call_cents, why=why, rules=rules)
    least = _least(spot)
    if spot.fixed:
        return _half_a_raise(spot, total_cents, least)
    if total_cents >= least:
        return _proper(spot, total_cents, "chips put in in one motion")
    raised = Comes(
        act=spot.wager,
        to_cents=least,
        why="brought up to the least raise",
        rules=spot.cite("betting.min_raise", "betting.short_wager_completed"),
    )
    return Comes(
        act=spot.passing,
        to_cents=spot.call_cents,
        why=f"{dollars(total_cents)} is no raise, and what is unclear is the smaller action",
        rules=spot.cite("betting.min_raise", "betting.released_chips_bind"),
        other=raised,
    )


def _closed(spot: Spot, closed: Closed | None) -> tuple[str, tuple[str, ...]]:
    if closed is None:
        return "there is nothing left to raise with", spot.cite("betting.released_chips_bind")
    return closed.why, closed.rules


def _least(spot: Spot) -> int:
    least = spot.least_cents
    if least is None:
        raise Needed(
            ("raise_to_cents",),
            "what a bet or raise goes to",
            spot.cite("betting.silent_raise_fraction", "betting.min_raise"),
        )
    return least


def _half_a_raise(spot: Spot, total_cents: int, least: int) -> Comes:
    """Return what silent chips are in limit: a raise from some part of it on, else a call."""
    rules = spot.cite("betting.silent_raise_fraction", "betting.no_string_raise")
    part = spot.book.ratio("betting.silent_raise_fraction")
    below = spot.call_cents if spot.passing == "bring_in" else spot.level_cents
    needed = (least - below) * part.numerator
    if (total_cents - below) * part.denominator < needed:
        return Comes(
            act=spot.passing,
            to_cents=spot.call_cents,
            why=f"{dollars(total_cents)} is not enough of a raise, what is over goes back",
            rules=rules,
        )
    to_cents = max(
        (one.least_cents for one in spot.wagers if one.least_cents <= total_cents), default=least
    )
    exact = to_cents == total_cents
    why = (
        "the full amount"
        if exact
        else f"{dollars(total_cents)} is enough of a raise and is made right"
    )
    return Comes(act=spot.wager, to_cents=to_cents, why=why, rules=rules, plain=exact)


def opening(spot: Spot, total_cents: int) -> Comes:
    """Return what chips come to where nobody has bet.

    Args:
        spot: where the player stood.
        total_cents: what then lies in front.
    """
    least = _least(spot)
    if total_cents < least:
        return Comes(
            act=spot.wager,
            to_cents=least,
            why=f"{dollars(total_cents)} is too little and is brought up",
            rules=spot.cite("betting.short_wager_completed", "betting.released_chips_bind"),
            short=True,
        )
    if spot.fixed:
        amounts = [one.least_cents for one in spot.wagers if one.least_cents <= total_cents]
        to_cents = max(amounts, default=least)
        exact = to_cents == total_cents
        why = "the full amount" if exact else "the bet of the round, what is over goes back"
        return Comes(
            act=spot.wager,
            to_cents=to_cents,
            why=why,
            rules=spot.cite("betting.released_chips_bind"),
            plain=True,
        )
    return _proper(spot, total_cents, "chips let go")


def _proper(spot: Spot, total_cents: int, why: str) -> Comes:
    """Return a wager where amounts are free: the nearest proper amount."""
    return proper(spot, total_cents, why, "betting.released_chips_bind")


def proper(spot: Spot, total_cents: int, why: str, *keys: str) -> Comes:
    """Return a bet or raise of some amount where amounts are free, the nearest proper one where it has to be rounded.

    Args:
        spot: where the player stood.
        total_cents: what the wager would go to.
        why: how it was read.
        keys: decisions or constants it rests on.
    """
    option = next((one for one in spot.wagers), None)
    if option is None or option.admits(total_cents):
        return Comes(
            act=spot.wager, to_cents=total_cents, why=why, rules=spot.cite(*keys), plain=True
        )
    to_cents = _nearest(option, total_cents)
    return Comes(
        act=spot.wager,
        to_cents=to_cents,
        why=f"{dollars(total_cents)} is made the nearest proper amount",
        rules=spot.cite("betting.short_wager_completed", *keys),
    )


def _nearest(option: Option, total_cents: int) -> int:
    step = option.step_cents or 1
    rounded = (2 * total_cents + step) // (2 * step) * step
    if option.most_cents is not None:
        rounded = min(rounded, option.most_cents)
    return max(rounded, option.least_cents)
