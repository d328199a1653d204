"""What an action changes in a betting round, and how a round begins."""

import msgspec

from cardroom.poker.betting import (
    Bar,
    BettingRound,
    BettingRules,
    call_level,
    in_front,
    only_brought_in,
)
from cardroom.poker.chairs import LIVE, Chair, Chairs, clockwise_after

_replace = msgspec.structs.replace


def after_pass(
    betting: BettingRound, chair: Chair, chairs: Chairs, rules: BettingRules
) -> BettingRound:
    """Return the round after a check, call or fold.

    Args:
        betting: before it.
        chair: who acted, as after the action.
        chairs: everybody, as after the action.
        rules: what the book says.
    """
    seat = chair.seat
    waiting = tuple([one for one in betting.to_act if one != seat])
    to_act, lifted = _closing(waiting, betting, chairs, rules)
    if chair.fate is not LIVE:
        free = betting.folded_free if betting.level_cents else (*betting.folded_free, seat)
        return _replace(
            betting,
            to_act=to_act,
            cap_lifted=lifted,
            barred=_unbarred(betting, seat),
            folded_free=free,
            bring_in_seat=(to_act or (0,))[0]
            if betting.bring_in_seat == seat
            else betting.bring_in_seat,
        )
    return _replace(
        betting,
        acted=_noted(betting, seat, in_front(chair, betting)),
        checked=betting.checked if betting.level_cents else (*betting.checked, seat),
        barred=_unbarred(betting, seat),
        to_act=to_act,
        cap_lifted=lifted,
        opened_by=betting.opened_by or seat,
        last_by=seat,
    )


def _unbarred(betting: BettingRound, seat: int) -> tuple[Bar, ...]:
    if not betting.barred:
        return ()
    return tuple([bar for bar in betting.barred if bar.seat != seat or bar.whole_round])


def let_go(betting: BettingRound, seat: int, *, put_in: bool) -> BettingRound:
    """Return the round without what no longer holds anybody once a seat has acted.

    Args:
        betting: the round after the action.
        seat: who acted.
        put_in: whether it was a bet, call or raise, which sets everybody free (betting.out_of_turn_binding).
    """
    held = () if put_in else tuple([one for one in betting.held if one.seat != seat])
    return betting if held == betting.held else _replace(betting, held=held)


def after_wager(
    betting: BettingRound, chair: Chair, chairs: Chairs, rules: BettingRules
) -> BettingRound:
    """Return the round after a bet, raise, completion or all-in that went above the level.

    Args:
        betting: before it.
        chair: who wagered, as after the action.
        chairs: everybody, as after the action.
        rules: what the book says.
    """
    to_cents = in_front(chair, betting)
    measured = _limit_wager if rules.fixed else _open_wager
    full, raise_cents, counted, reopens, bet, upper = measured(betting, to_cents, rules)
    wagers = betting.wagers + counted
    seat = chair.seat
    goal = betting.base_cents + to_cents
    able = 0
    waiting: list[int] = []
    for other in clockwise_after(chairs, seat):
        if other.fate is LIVE and not other.all_in:
            able += 1
            if other.matched_cents < goal:
                waiting.append(other.seat)
    capped, lifted = betting.capped, betting.cap_lifted
    if betting.began_with >= 3:
        if rules.cap_raises and wagers > rules.cap_raises and not lifted:
            # The maker of the capping wager counts as one of those who are not all-in.
            capped = able + chair.all_in >= 3 or not rules.cap_lifts_heads_up
        lifted = lifted or (able <= 2 and rules.cap_lifts_heads_up and not capped)
    return _replace(
        betting,
        bet_cents=bet,
        upper_cents=upper,
        level_cents=to_cents,
        full_cents=full,
        raise_cents=raise_cents,
        wagers=wagers,
        capped=capped,
        cap_lifted=lifted,
        to_act=tuple(waiting),
        acted=((seat, to_cents),) if reopens else _noted(betting, seat, to_cents),
        bring_in_seat=0,
        opened_by=betting.opened_by or seat,
        last_by=seat,
        aggressor=seat,
        folded_free=(),
    )


def after_bring_in(
    betting: BettingRound, chair: Chair, chairs: Chairs, rules: BettingRules, bring_in_cents: int
) -> BettingRound:
    """Return the round after the forced bring-in, which is no bet: a call has to meet its full amount.

    Args:
        betting: before it.
        chair: who brought it in, as after the action.
        chairs: everybody, as after the action.
        rules: what the book says.
        bring_in_cents: the nominal bring-in, though its maker be all-in for less.
    """
    waiting = tuple(
        other.seat
        for other in clockwise_after(chairs, chair.seat)
        if other.can_bet and other.seat != chair.seat
    )
    after = _replace(
        betting,
        level_cents=bring_in_cents,
        acted=_noted(betting, chair.seat, in_front(chair, betting)),
        bring_in_seat=0,
        opened_by=chair.seat,
        last_by=chair.seat,
    )
    to_act, lifted = _closing(waiting, after, chairs, rules)
    return _replace(after, to_act=to_act, cap_lifted=lifted)


def _limit_wager(
    betting: BettingRound, to_cents: int, rules: BettingRules
) -> tuple[int, int, int, int, int, int]:
    """Return full level, least raise, wagers counted, whether it opens to all, bet and upper limit after a wager."""
    bet, upper, full = betting.bet_cents, betting.upper_cents, betting.full_cents
    if upper and rules.open_pair_upper and to_cents >= full + upper:
        return to_cents, upper, 1, 1, upper, 0
    numerator, denominator = rules.full_part
    whole = (to_cents - full) // bet
    if whole >= 1:
        rest = to_cents - full - whole * bet
        counts = bool(rest) and rest * denominator >= numerator * bet
        reached = full + whole * bet
        if counts:
            reached = reached + bet if rules.over_short_to_multiple else to_cents
        # An all-in between the two limits that an open pair offers is one wager, short of the upper.
        wagers = 1 if upper and rules.open_pair_upper else whole + counts
        return reached, bet, wagers, 1, bet, upper
    alone = (to_cents - betting.level_cents) * denominator >= numerator * bet
    together = (to_cents - full) * denominator >= numerator * bet
    if alone or (together and rules.short_all_ins_accumulate):
        reached = full + bet if rules.over_short_to_multiple else to_cents
        return reached, bet, 1, int(alone), bet, upper
    return full, bet, 0, 0, bet, upper


def _open_wager(
    betting: BettingRound, to_cents: int, rules: BettingRules
) -> tuple[int, int, int, int, int, int]:
    """Return the same as `_limit_wager` for structures without fixed amounts."""
    least = betting.raise_cents
    bet = betting.bet_cents
    # What completes a bring-in is a bet, and as such the least that it may be raised by.
    added = to_cents if only_brought_in(betting) else to_cents - betting.level_cents
    if added >= least:
        return to_cents, added, 1, 1, bet, 0
    numerator, denominator = rules.full_part
    if added * denominator >= numerator * least:
        return to_cents, least, 1, 1, bet, 0
    together = (to_cents - betting.full_cents) * denominator >= numerator * least
    if together and rules.short_all_ins_accumulate:
        return to_cents, least, 1, 0, bet, 0
    return betting.full_cents, least, 0, 0, bet, 0


def _noted(betting: BettingRound, seat: int, met: int) -> tuple[tuple[int, int], ...]:
    return (*[acted for acted in betting.acted if acted[0] != seat], (seat, met))


def _closing(
    to_act: tuple[int, ...], betting: BettingRound, chairs: Chairs, rules: BettingRules
) -> tuple[tuple[int, ...], bool]:
    """Return who is left to act, nobody left to bet against struck out, and whether the cap is lifted."""
    live = able = 0
    alone = None
    for chair in chairs:
        if chair.fate is LIVE:
            live += 1
            if not chair.all_in:
                able += 1
                alone = chair
    lifted = betting.cap_lifted or (
        able <= 2 and rules.cap_lifts_heads_up and not betting.capped and betting.began_with >= 3
    )
    if live < 2 or alone is None:
        return (), lifted
    if able == 1 and to_act:
        owes = in_front(alone, betting) < call_level(alone, chairs, betting)
        return ((alone.seat,) if owes else ()), lifted
    return to_act, lifted


def begin(
    chairs: Chairs,
    rules: BettingRules,
    *,
    street: int,
    first: int,
    bet_cents: int,
    upper_cents: int = 0,
    folded_free: tuple[int, ...] = (),
) -> BettingRound:
    """Return a round without forced bets.

    Args:
        chairs: everybody dealt in.
        rules: what the book says.
        street: index of the street.
        first: the seat that acts first if it can; otherwise the next one clockwise that can.
        bet_cents: limit: the bet of the round; otherwise the least bet.
        upper_cents: the upper limit where an open pair makes it a choice, else 0.
        folded_free: seats that folded with no wager made since.
    """
    able = _able_from(chairs, first)
    base = max([chair.matched_cents for chair in chairs if chair.fate is LIVE], default=0)
    return _opened(
        BettingRound(
            street=street,
            bet_cents=bet_cents,
            upper_cents=upper_cents,
            base_cents=base,
            raise_cents=bet_cents,
            began_with=len(able),
            to_act=able,
            folded_free=folded_free,
        ),
        chairs,
        rules,
    )


def _able_from(chairs: Chairs, first: int) -> tuple[int, ...]:
    """Return the seats that can bet, clockwise from one of those dealt in, itself the first."""
    order = clockwise_after(chairs, first)
    return tuple(
        [
            chair.seat
            for chair in (*order[-1:], *order[:-1])
            if chair.fate is LIVE and not chair.all_in
        ]
    )


def _opened(betting: BettingRound, chairs: Chairs, rules: BettingRules) -> BettingRound:
    """Return a round that begins, without whom nobody can bet against."""
    to_act, _ = _closing(betting.to_act, betting, chairs, rules)
    return betting if to_act == betting.to_act else _replace(betting, to_act=to_act)


def begin_forced(
    chairs: Chairs,
    rules: BettingRules,
    *,
    first: int,
    level_cents: int,
    bet_cents: int,
    wagers: int,
    base_cents: int,
    bring_in_due: bool = False,
    opener_may_fold: bool = False,
) -> BettingRound:
    """Return the first round, in which blinds, straddles or a bring-in are due or posted.

    Args:
        chairs: everybody, as after the posts.
        rules: what the book says.
        first: the seat that acts first if it can.
        level_cents: what a call has to meet: the nominal blind or straddle though its poster be short; 0 in stud.
        bet_cents: limit: the bet of the round; otherwise the least bet or raise.
        wagers: what of the posts counts as bet and raises.
        base_cents: the ante each had to put in before.
        bring_in_due: whether the opener has to bring it in (stud).
        opener_may_fold: whether the opener may fold instead; so may the next where the opener is all-in.
    """
    able = _able_from(chairs, first)
    full = level_cents if level_cents >= bet_cents or not rules.fixed else 0
    return _opened(
        BettingRound(
            street=0,
            bet_cents=bet_cents,
            base_cents=base_cents,
            level_cents=level_cents,
            full_cents=full,
            raise_cents=bet_cents if rules.fixed else max(bet_cents, level_cents),
            wagers=wagers,
            began_with=len(able),
            to_act=able,
            bring_in_seat=able[0] if bring_in_due and able else 0,
            bring_in_may_fold=opener_may_fold or (bring_in_due and first not in able),
        ),
        chairs,
        rules,
    )
