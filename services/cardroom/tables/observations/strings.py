"""Raises in more than one motion, chips cut out while looking round, and raises made by mistake."""

from cardroom.kernel.money import dollars
from cardroom.tables.findings import Choice, Finding
from cardroom.tables.observations.results import Comes, acted, entry_of, replays
from cardroom.tables.observations.spot import Spot

COUNTS = {1: "one_has_acted", 2: "two_have_acted", 3: "three_have_acted"}


def raised_in_pieces(spot: Spot, first: Comes, whole: Comes, forward_cents: int) -> Finding:
    """Return the finding on chips that went in in more than one motion, without a word before them.

    Args:
        spot: where the player stood.
        first: what the first motion came to.
        whole: what it would be if all counted.
        forward_cents: what lies in front with all of them.
    """
    rules = spot.cite("betting.no_string_raise", "betting.string_raise_called_by")
    return _string(spot, first, whole, forward_cents, rules)


def cut_and_looked(spot: Spot, first: Comes, whole: Comes, forward_cents: int | None) -> Finding:
    """Return the finding on a raise declared only after chips were cut out and the player had looked round.

    Args:
        spot: where the player stood.
        first: the call that was ready.
        whole: the raise that was declared.
        forward_cents: what lies in front; None where nobody counted it.
    """
    rules = spot.cite("betting.cut_and_look", "betting.no_string_raise")
    return _string(spot, first, whole, forward_cents, rules)


def _string(
    spot: Spot, first: Comes, whole: Comes, forward_cents: int | None, rules: tuple[str, ...]
) -> Finding:
    less = Comes(act=first.act, to_cents=first.to_cents, why="a string raise", rules=rules)
    reason, cites = unheard(spot)
    if reason:
        stands = Comes(
            act=whole.act,
            to_cents=whole.to_cents,
            why="which stands, no string raise having been called in time",
            rules=(*rules, *(rule for rule in cites if rule not in rules)),
        )
        says = f"seat {spot.seat}: a string raise after all"
        enters = () if spot.own else (entry_of(spot.seat, less), *replays(spot.unrecorded))
        undone = Choice("string_raise", says, rules, enters)
        return acted(spot, stands, forward_cents, reason=reason, binding=False, choices=(undone,))
    says = f"seat {spot.seat}: the raise to {dollars(whole.to_cents)} stands"
    enters = () if spot.own else (entry_of(spot.seat, whole), *replays(spot.unrecorded))
    return acted(
        spot,
        less,
        forward_cents,
        remedy="string_raise",
        choices=(Choice(whole.act, says, spot.cite("ruling.fairness_override"), enters),),
    )


def unheard(spot: Spot) -> tuple[str, tuple[str, ...]]:
    """Return why a string raise is not called off, empty where it is, and the rules behind it.

    Who may call it is a house decision (betting.string_raise_called_by), as is until when
    (betting.string_raise_stands_after).
    """
    limit = spot.book.count("betting.string_raise_stands_after")
    if limit and len({one.seat for one in spot.behind}) >= limit:
        reason = COUNTS.get(limit, f"{limit}_have_acted")
        return reason, spot.cite("betting.string_raise_stands_after")
    caller = spot.observed.called_by
    rules = spot.cite("betting.string_raise_called_by")
    by_dealer = spot.book.choice("betting.string_raise_called_by") == "dealer_or_live_hand"
    if caller.startswith("seat:"):
        seat = int(caller.removeprefix("seat:"))
        if spot.recorded and (not spot.live(seat) or seat == spot.seat):
            return "objector_has_no_live_hand", rules
        return "", ()
    if by_dealer:
        return "", ()
    return ("objector_has_no_live_hand" if caller else "nobody_called_it"), rules


def by_mistake(spot: Spot, raised: Comes, forward_cents: int) -> Finding:
    """Return the finding on chips for a raise that were put in by mistake, the player asking to withdraw it.

    Args:
        spot: where the player stood.
        raised: the raise that the chips came to.
        forward_cents: what lies in front.
    """
    rules = spot.cite("betting.inadvertent_raise_withdrawable")
    allowed = spot.book.flag("betting.inadvertent_raise_withdrawable")
    if not raised.wager or not allowed or spot.behind:
        reason = "action_behind" if allowed and spot.behind else "chips_released"
        cites = rules if allowed else spot.cite("betting.released_chips_bind")
        stands = Comes(
            act=raised.act,
            to_cents=raised.to_cents,
            why="which stands",
            rules=cites,
        )
        return acted(spot, stands, forward_cents, reason=reason, binding=False)
    call = Comes(
        act=spot.passing, to_cents=spot.call_cents, why="the raise being withdrawn", rules=rules
    )
    says = f"seat {spot.seat}: the raise to {dollars(raised.to_cents)} stands"
    enters = () if spot.own else (entry_of(spot.seat, raised),)
    return acted(
        spot,
        call,
        forward_cents,
        remedy="raise_withdrawn",
        binding=False,
        choices=(Choice(raised.act, says, spot.cite("betting.released_chips_bind"), enters),),
    )
