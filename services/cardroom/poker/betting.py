"""A betting round: who is to act, what it costs, who may raise, by how much, and what a wager changes.

All amounts are what a player has in front for the round after the action, in cents. The round is a frozen value that
travels in the events, so that a fold of them needs none of these rules.
"""

import msgspec

from cardroom.known.games import Structure
from cardroom.poker.chairs import LIVE, Chair, Chairs


class BettingRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a book and a game say about betting, read once.

    Args:
        structure: limit, spread limit, pot limit or no limit.
        chip_cents: wagers are multiples of it; less does not play.
        least_bet_cents: spread, pot and no limit: the least bet; limit: the lower bet.
        most_bet_cents: spread: the most that may be bet or raised by; limit: the upper bet.
        cap_raises: limit: raises after the bet in a round that three or more begin; 0 for no cap.
        cap_lifts_heads_up: whether falling to two players before the cap lifts it.
        full_part: numerator and denominator of the part of a full wager that makes an all-in count as one.
        over_short_to_multiple: whether a raise over a counted short all-in goes to the next regular multiple.
        short_all_ins_accumulate: whether short all-ins add up to reopen the betting.
        check_raise: whether who checked may raise later in the round.
        open_pair_upper: whether an open pair on fourth street lets players bet the upper limit.
        cap_cites: rules the cap rests on; the fields that follow likewise for theirs.
    """

    structure: Structure
    chip_cents: int
    least_bet_cents: int
    most_bet_cents: int
    cap_raises: int
    cap_lifts_heads_up: bool
    full_part: tuple[int, int]
    over_short_to_multiple: bool
    short_all_ins_accumulate: bool
    check_raise: bool
    open_pair_upper: bool
    cap_cites: tuple[str, ...]
    lift_cites: tuple[str, ...]
    all_in_cites: tuple[str, ...]
    reopen_cites: tuple[str, ...]
    complete_cites: tuple[str, ...]
    min_raise_cites: tuple[str, ...]
    check_raise_cites: tuple[str, ...]
    open_pair_cites: tuple[str, ...]
    order_cites: tuple[str, ...]
    amount_cites: tuple[str, ...]

    @property
    def fixed(self) -> bool:
        """Whether amounts are fixed (limit)."""
        return self.structure is Structure.LIMIT


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    """A seat may not bet or raise at its next turn.

    Args:
        seat: whose.
        code: reason for programs.
        why: the sentence.
        rules: ids it rests on.
        whole_round: whether it holds for the rest of the round.
    """

    seat: int
    code: str
    why: str
    rules: tuple[str, ...]
    whole_round: bool = False


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat did before its turn, and is held to unless somebody bets, calls or raises before it comes.

    Args:
        seat: whose.
        act: name of the action.
        to_cents: what the player has in front for the round then.
        rules: ids it rests on.
    """

    seat: int
    act: str
    to_cents: int
    rules: tuple[str, ...]


class BettingRound(msgspec.Struct, frozen=True, kw_only=True, gc=False, array_like=True):
    """One betting round as it stands.

    Stored with every action, so it is stored by position: a new field comes last and has a default.

    Args:
        street: index of the street in the form's streets.
        bet_cents: limit: the fixed bet; otherwise the least bet.
        upper_cents: limit stud with an open pair: the upper limit, while it is a choice; else 0.
        base_cents: what each live player had matched before the round; in front is what goes beyond it.
        level_cents: the highest wager, which a call has to meet.
        full_cents: the level that full bets and raises have reached, short all-ins left out.
        raise_cents: the least full raise.
        wagers: bets and raises that count toward the cap.
        began_with: players not all-in when it began.
        capped: whether the cap was reached.
        cap_lifted: whether the round fell to two players before the cap.
        to_act: seats yet to act, the next first.
        acted: (seat, level it met) of those who have acted since the last full wager, which opens it to all again.
        checked: seats that checked.
        barred: seats that may not bet or raise at their next turn, and why.
        held: what seats did before their turn and are held to when it comes.
        bring_in_seat: the seat that has to bring it in or open for more, 0 once it has.
        bring_in_may_fold: whether that seat may fold instead, the low hand being all-in or its card exposed.
        opened_by: the first seat that acted and stayed in, 0 before.
        last_by: the last seat that acted and stayed in, 0 before.
        aggressor: the last seat to bet or raise, 0 while nobody has.
        folded_free: seats that folded with no wager to face, until somebody wagers (stud.fold_without_bet).
    """

    street: int
    bet_cents: int
    upper_cents: int = 0
    base_cents: int = 0
    level_cents: int = 0
    full_cents: int = 0
    raise_cents: int = 0
    wagers: int = 0
    began_with: int = 0
    capped: bool = False
    cap_lifted: bool = False
    to_act: tuple[int, ...] = ()
    acted: tuple[tuple[int, int], ...] = ()
    checked: tuple[int, ...] = ()
    barred: tuple[Bar, ...] = ()
    held: tuple[Held, ...] = ()
    bring_in_seat: int = 0
    bring_in_may_fold: bool = False
    opened_by: int = 0
    last_by: int = 0
    aggressor: int = 0
    folded_free: tuple[int, ...] = ()


class Closed(msgspec.Struct, frozen=True):
    """Why a player may not bet or raise.

    Args:
        code: reason for programs.
        why: the sentence.
        rules: ids it rests on.
    """

    code: str
    why: str
    rules: tuple[str, ...]


def in_front(chair: Chair, betting: BettingRound) -> int:
    """Return what of a player's chips counts in this round, in cents."""
    front = chair.matched_cents - betting.base_cents
    return front if front > 0 else 0


def playable(chair: Chair, rules: BettingRules) -> int | None:
    """Return the chips a player can still wager, whole chips that play only; None where the stack is not known."""
    stack = chair.stack_cents
    return None if stack is None else stack - stack % rules.chip_cents


def call_level(chair: Chair, chairs: Chairs, betting: BettingRound) -> int:
    """Return what a player has to have in front to call.

    Where nobody else can bet any more, that is no more than the highest of them has in.
    """
    highest = 0
    for other in chairs:
        if other.fate is LIVE and other.seat != chair.seat:
            if not other.all_in:
                return betting.level_cents
            highest = max(highest, in_front(other, betting))
    return min(betting.level_cents, highest)


def why_no_raise(
    chair: Chair, chairs: Chairs, betting: BettingRound, rules: BettingRules
) -> Closed | None:
    """Return why a player whose turn it is may not bet or raise, None where he may.

    The amounts are another matter: see `targets` and `span`.
    """
    if betting.capped:
        return Closed("CAP_REACHED", "the raising is capped", rules.cap_cites)
    for bar in betting.barred:
        if bar.seat == chair.seat:
            return Closed(bar.code, bar.why, bar.rules)
    if not rules.check_raise and betting.level_cents and chair.seat in betting.checked:
        return Closed(
            "CHECK_RAISE_NOT_ALLOWED",
            "check-raising is not allowed in this game",
            rules.check_raise_cites,
        )
    for seat, met in betting.acted:
        if seat == chair.seat:
            numerator, denominator = rules.full_part
            unit = betting.bet_cents if rules.fixed else betting.raise_cents
            faced = betting.level_cents - met
            if not rules.short_all_ins_accumulate or faced * denominator < numerator * unit:
                return Closed(
                    "ACTION_ONLY",
                    "the player has acted and no full bet or raise has come since",
                    rules.reopen_cites,
                )
    for other in chairs:
        if other.fate is LIVE and not other.all_in and other.seat != chair.seat:
            stack = other.stack_cents
            if stack is None or in_front(other, betting) + stack > betting.level_cents:
                return None
    return Closed(
        "NOBODY_CAN_CALL_MORE",
        "no other player in the hand has chips to call more",
        rules.all_in_cites,
    )


def targets(betting: BettingRound, rules: BettingRules) -> tuple[int, ...]:
    """Return the amounts a full bet, completion or raise may go to in a limit round."""
    over = betting.full_cents
    if betting.upper_cents and rules.open_pair_upper:
        return (over + betting.bet_cents, over + betting.upper_cents)
    return (over + betting.bet_cents,)


def only_brought_in(betting: BettingRound) -> bool:
    """Return whether nothing but a bring-in short of a full bet is in: it is completed to the bet, not raised."""
    return not betting.aggressor and betting.level_cents < betting.bet_cents


def span(
    chair: Chair, chairs: Chairs, betting: BettingRound, rules: BettingRules, pot_cents: int
) -> tuple[int, int | None]:
    """Return least and most that a full bet or raise may go to where amounts are not fixed.

    Args:
        chair: who bets.
        chairs: everybody dealt in.
        betting: the round.
        rules: what the book says.
        pot_cents: everything in the pots and in front of the players.

    Returns:
        Least and most in front, in cents; most is None where it is all the player has.
    """
    least = betting.level_cents + betting.raise_cents
    if only_brought_in(betting):
        least = betting.bet_cents
    match rules.structure:
        case Structure.SPREAD_LIMIT:
            return least, betting.level_cents + rules.most_bet_cents
        case Structure.POT_LIMIT:
            call = betting.level_cents - in_front(chair, betting)
            most = betting.level_cents + pot_cents + call
            return least, max(least, most)
        case _:
            return least, None


def all_in_fits(
    to_cents: int, betting: BettingRound, rules: BettingRules, most: int | None
) -> bool:
    """Return whether a player may put in all that is left as a wager of this size, above the call.

    Args:
        to_cents: what the player would have in front.
        betting: the round.
        rules: what the book says.
        most: the most that may be wagered (`span`); unused in limit.
    """
    if not rules.fixed:
        return most is None or to_cents <= most
    amounts = targets(betting, rules)
    action_only = rules.full_part == (1, 1) and betting.aggressor
    if action_only and betting.level_cents > betting.full_cents:
        # Under the action-only rule an all-in over a short one may pass the completed amount, short of the next:
        # it completes and leaves an action-only rest (LC-66 as read in its ambiguity).
        return to_cents < amounts[-1] + betting.bet_cents
    return to_cents <= amounts[-1]
