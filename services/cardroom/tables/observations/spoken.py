"""What a player declares in turn binds: the chips are settled to the words."""

from cardroom.kernel.money import dollars
from cardroom.tables.findings import Finding
from cardroom.tables.irregularities.situation import Needed
from cardroom.tables.observations.chips_in import proper
from cardroom.tables.observations.results import Comes, acted, finding
from cardroom.tables.observations.spot import Spot
from cardroom.tables.observations.words import Declaration, Said

BINDS = "betting.declaration_in_turn_binds"


def meant(spot: Spot, said: Declaration, forward_cents: int | None) -> Comes | None:
    """Return the action that words declare; None where it is a check that is not open.

    Args:
        spot: where the player stood.
        said: what was declared.
        forward_cents: what lies in front with the chips let go; None where none were, or nobody counted them.

    Raises:
        Needed: a raise without an amount in a game without fixed ones.
    """
    rules = spot.cite(BINDS)
    match said.said:
        case Said.FOLD:
            return _fold(spot, rules)
        case Said.PASS if spot.facing:
            return _fold(spot, rules)
        case Said.CHECK | Said.PASS:
            if spot.facing:
                return None
            return Comes(act="check", to_cents=spot.front_cents, why="as declared", rules=rules)
        case Said.CALL:
            return Comes(act=spot.passing, to_cents=spot.call_cents, why="as declared", rules=rules)
        case Said.ALL_IN:
            return _all_in(spot, forward_cents)
        case Said.AMOUNT:
            return _named(spot, said.cents or 0)
        case _:
            return _wager(spot, said, forward_cents)


def _fold(spot: Spot, rules: tuple[str, ...]) -> Comes:
    if spot.facing:
        rules = spot.cite(BINDS, "hand.fold_facing_bet")
    return Comes(act="fold", to_cents=spot.front_cents, why="as declared", rules=rules)


def _no_wager(spot: Spot) -> Comes:
    """Return the call that a declared raise is where none is open."""
    why, rules = "nothing is left to raise with", spot.cite(BINDS)
    if spot.closed is not None:
        why, rules = spot.closed.why, spot.closed.rules
    return Comes(act=spot.passing, to_cents=spot.call_cents, why=why, rules=rules)


def _all_in(spot: Spot, forward_cents: int | None) -> Comes:
    rules = spot.cite(BINDS, "betting.all_in_may_be_short")
    most = spot.most_cents if spot.most_cents is not None else forward_cents
    if most is None:
        raise Needed(("stack",), "what all-in comes to", rules)
    if most <= spot.call_cents:
        return Comes(act=spot.passing, to_cents=most, why="all-in as declared", rules=rules)
    open_ones = [one for one in spot.wagers if one.admits(most)]
    if not open_ones and spot.wagers:
        to_cents = max(one.most_cents or one.least_cents for one in spot.wagers)
        why = f"as declared, but no more than {dollars(to_cents)} may be wagered"
        return Comes(act=spot.wager, to_cents=to_cents, why=why, rules=rules)
    if not open_ones and spot.recorded:
        return _no_wager(spot)
    return Comes(act=spot.wager, to_cents=most, why="all-in as declared", rules=rules)


def _wager(spot: Spot, said: Declaration, forward_cents: int | None) -> Comes:
    """Return the bet or raise that was declared."""
    if spot.recorded and not spot.wagers:
        return _no_wager(spot)
    least = spot.least_cents
    rules = spot.cite(BINDS)
    if least is None:
        raise Needed(("raise_to_cents",), "what a bet or raise goes to", rules)
    if said.said is Said.BET and spot.facing and said.cents is None:
        why = "a bet was declared with a bet to face, and what is unclear is the smaller action"
        raised = Comes(act=spot.wager, to_cents=least, why="as it may be meant", rules=rules)
        return Comes(act=spot.passing, to_cents=spot.call_cents, why=why, rules=rules, other=raised)
    if spot.fixed:
        to_cents = _fixed_amount(spot, said, forward_cents, least)
        return Comes(act=spot.wager, to_cents=to_cents, why="as declared", rules=rules)
    if said.cents is None:
        if forward_cents is None or forward_cents <= spot.front_cents:
            raise Needed(("amount",), "what the declared raise goes to", rules)
        asked = forward_cents
    else:
        asked = said.cents + (spot.level_cents if said.by else 0)
    if asked < least:
        added = spot.level_cents + (said.cents or 0)
        if said.by is None and said.cents is not None and added >= least:
            return proper(spot, added, "the amount named comes on top of the wager faced", BINDS)
        why = f"{dollars(asked)} is brought up to the least that may be wagered"
        return Comes(
            act=spot.wager, to_cents=least, why=why, rules=spot.cite(BINDS, "betting.min_raise")
        )
    return proper(spot, asked, "as declared", BINDS)


def _fixed_amount(spot: Spot, said: Declaration, forward_cents: int | None, least: int) -> int:
    """Return the fixed amount declared: of two open ones the one that was named or put in."""
    meant_cents = said.cents if said.cents is not None else forward_cents
    amounts = [one.least_cents for one in spot.wagers if one.least_cents <= (meant_cents or 0)]
    return max(amounts, default=least)


def _named(spot: Spot, cents: int) -> Comes:
    """Return what naming an amount comes to: a raise where it is a proper one."""
    rules = spot.cite("betting.amount_named_is_raise", BINDS)
    least = spot.least_cents
    closed = spot.recorded and not spot.wagers
    if not closed and least is None:
        raise Needed(("raise_to_cents",), "whether the amount named is a proper raise", rules)
    if not closed and least is not None and cents >= least:
        if not spot.fixed:
            return proper(
                spot, cents, "the amount was named", "betting.amount_named_is_raise", BINDS
            )
        if cents == least or any(one.least_cents == cents for one in spot.wagers):
            return Comes(act=spot.wager, to_cents=cents, why="the amount was named", rules=rules)
    if not spot.level_cents and least is not None:
        why = f"{dollars(cents)} was named, the bet is {dollars(least)}"
        return Comes(act=spot.wager, to_cents=least, why=why, rules=rules)
    if closed or least is None or cents <= spot.call_cents:
        why = f"{dollars(cents)} was named, no raise"
        return Comes(act=spot.passing, to_cents=spot.call_cents, why=why, rules=rules)
    why = f"{dollars(cents)} is no proper raise, and what is unclear is the smaller action"
    raised = Comes(act=spot.wager, to_cents=least, why="made the proper amount", rules=rules)
    return Comes(act=spot.passing, to_cents=spot.call_cents, why=why, rules=rules, other=raised)


def spoken(spot: Spot, said: Declaration, forward_cents: int | None) -> Finding:
    """Return the finding on words in turn.

    Args:
        spot: where the player stood.
        said: what was declared before any chip was let go.
        forward_cents: what lies in front with the chips let go; None where none were.
    """
    comes = meant(spot, said, forward_cents)
    if comes is None:
        return finding(
            spot,
            "facing_wager",
            f"seat {spot.seat} cannot check: there is {dollars(spot.level_cents)} to call; it acts again",
            spot.cite(BINDS, "betting.order"),
            binding=True,
            reason="facing_wager",
        )
    reason = "" if comes.act == "fold" else f"declared_{comes.act}"
    return acted(spot, comes, forward_cents, reason=reason)
