"""The showdown: who shows in what order, who wins each pot, and how it is divided to the last odd chip."""

from collections.abc import Callable, Mapping

import msgspec

from cardroom.poker.betting import BettingRound
from cardroom.poker.cards import UNKNOWN, highest_by_suit, lowest_by_suit
from cardroom.poker.chairs import Chair, Chairs, clockwise_after
from cardroom.poker.highlow import Halves, HighLowRules, by_cards, by_declaration
from cardroom.poker.pots import Pot, split
from cardroom.poker.reading import Worth


class PotRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a book and a game say about dividing pots.

    Args:
        unit_cents: down to what an odd chip is broken.
        by_suit: tied hands get odd chips by their highest (low: lowest) card, not by position.
        odd_half: where the odd chip between the halves goes: `high`, `low` or `jackpot`.
        odd_tied_half: `as_tie`, or `jackpot` for the odd chips of a tied half.
        agreed_split: whether players may agree to divide a pot.
        push_bets: whether players may hand each other back wagers.
        unit_cites: rules behind it; the fields that follow likewise.
    """

    unit_cents: int
    by_suit: bool
    odd_half: str
    odd_tied_half: str
    agreed_split: bool
    push_bets: bool
    unit_cites: tuple[str, ...]
    tie_cites: tuple[str, ...]
    one_odd_cites: tuple[str, ...]
    half_cites: tuple[str, ...]
    tied_half_cites: tuple[str, ...]
    side_cites: tuple[str, ...]
    agreed_cites: tuple[str, ...]
    push_cites: tuple[str, ...]
    run_cites: tuple[str, ...]


class ShowRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a book says about showing.

    Args:
        last_to_act_first: after a checked or all-in last round the last to act shows first, not the first.
        side_pot_hidden: who is in for the main pot only may not show before the side pot is awarded.
        board_declared: who plays the board claims it by saying so before discarding; else by showing.
        any_seated_may_ask: any seated player may ask to see a called hand, not only those dealt in.
        mucked_may_be_asked: also one that is in the muck, while it can be identified.
        order_cites: rules behind it; the fields that follow likewise.
    """

    last_to_act_first: bool
    side_pot_hidden: bool
    board_declared: bool
    any_seated_may_ask: bool
    mucked_may_be_asked: bool
    order_cites: tuple[str, ...]
    aggressor_cites: tuple[str, ...]
    side_cites: tuple[str, ...]
    board_cites: tuple[str, ...]
    request_cites: tuple[str, ...]
    request_by_cites: tuple[str, ...]
    mucked_cites: tuple[str, ...]
    uncalled_cites: tuple[str, ...]
    all_cards_cites: tuple[str, ...]
    speak_cites: tuple[str, ...]
    killed_cites: tuple[str, ...]


def show_order(
    chairs: Chairs,
    betting: BettingRound | None,
    rules: ShowRules,
    *,
    first: int,
    last_street: bool,
    last_acted: int,
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return in what order the live players show, and the rules it rests on.

    Args:
        chairs: everybody dealt in.
        betting: the last round in which somebody acted, None where nobody ever did.
        rules: what the book says.
        first: the seat that would act first on the last round: left of the button, in stud the high board.
        last_street: whether that round was the last street's.
        last_acted: the last live seat to act, on whatever round; 0 where none did, or the book does not ask.
    """
    live = tuple(chair for chair in chairs if chair.live)
    starter, cites = first, rules.order_cites
    if betting is not None and last_street and betting.aggressor:
        starter, cites = betting.aggressor, rules.aggressor_cites
    elif rules.last_to_act_first:
        starter = last_acted or first
    elif betting is not None and last_street and betting.opened_by:
        starter = betting.opened_by
    order = clockwise_after(chairs, starter)
    order = order[-1:] + order[:-1] if order[-1].seat == starter else order
    seats = [chair.seat for chair in order if chair.live]
    # Whoever contests a side pot shows before those who are in for the pots below it only.
    tops = {chair.seat: chair.matched_cents for chair in live}
    if len(set(tops.values())) > 1:
        seats.sort(key=lambda seat: -tops[seat])
        cites = tuple(dict.fromkeys((*cites, *rules.side_cites)))
    return tuple(seats), cites


class Division(msgspec.Struct, frozen=True):
    """How a pot is divided.

    Args:
        shares: (seat, cents, part, run, odd chip in it).
        jackpot_cents: odd chips that go to the jackpot.
        rules: ids it rests on.
    """

    shares: tuple[tuple[int, int, str, int, bool], ...]
    jackpot_cents: int
    rules: tuple[str, ...]


Winners = Callable[[int], Halves]
"""From a run's index to who wins what on that board."""


def winners_by_cards(
    seats: tuple[int, ...],
    worths: Mapping[int, Worth],
    high_low: HighLowRules | None,
    ways: Mapping[int, str] | None,
) -> Halves:
    """Return who wins a pot by the cards on one board.

    Args:
        seats: those who contest it.
        worths: what their hands make on this board.
        high_low: rules of a high-low form, None where one ranking takes all.
        ways: declarations, None where the cards speak.
    """
    if high_low is None:
        best = max(worths[seat].high for seat in seats)
        return Halves(tuple(seat for seat in seats if worths[seat].high == best), ())
    if ways is None:
        return by_cards(seats, worths)
    return by_declaration(seats, worths, ways, tie_keeps_win=high_low.tie_keeps_win)


def divide(
    pot: Pot,
    net_cents: int,
    runs: int,
    winners: Winners,
    chairs: Chairs,
    rules: PotRules,
    *,
    low_form: bool,
) -> Division:
    """Divide a pot among its winners.

    Args:
        pot: the pot.
        net_cents: what is in it after rake and drop.
        runs: over how many boards it is divided.
        winners: who wins on each.
        chairs: everybody dealt in, for positions and cards.
        rules: what the book says.
        low_form: whether the only ranking is a low one (razz, lowball).
    """
    if runs == 1:
        amounts = [net_cents]
    else:
        amounts = [cents for _, cents, _ in split(net_cents, tuple(range(runs)), rules.unit_cents)]
    shares: list[tuple[int, int, str, int, bool]] = []
    jackpot = 0
    cites: dict[str, None] = {}
    if runs > 1:
        cites.update(dict.fromkeys(rules.run_cites))
    had: frozenset[int] = frozenset()
    for run, cents in enumerate(amounts):
        halves = winners(run)
        if not halves.low or (halves.high == halves.low and len(halves.high) == 1):
            parts = [("whole", cents, halves.high, low_form)]
        else:
            high, low, over = _halve(cents, rules)
            if over or high != low:
                cites.update(dict.fromkeys(rules.half_cites))
            jackpot += over
            parts = [("high", high, halves.high, False), ("low", low, halves.low, True)]
        for part, amount, seats, low_side in parts:
            got, odd_out, used = _shares(part, amount, seats, low_side, chairs, rules, had)
            jackpot += odd_out
            cites.update(dict.fromkeys(used))
            had |= frozenset(seat for seat, _, odd in got if odd)
            shares.extend((seat, share, part, run, odd) for seat, share, odd in got if share)
    return Division(tuple(shares), jackpot, tuple(cites))


def _halve(cents: int, rules: PotRules) -> tuple[int, int, int]:
    """Return high half, low half and what goes to the jackpot."""
    even = cents // (2 * rules.unit_cents) * rules.unit_cents
    left = cents - 2 * even
    match rules.odd_half:
        case "low":
            return even, even + left, 0
        case "jackpot":
            return even, even, left
        case _:
            return even + left, even, 0


def _shares(
    part: str,
    cents: int,
    seats: tuple[int, ...],
    low_side: bool,
    chairs: Chairs,
    rules: PotRules,
    had: frozenset[int],
) -> tuple[tuple[tuple[int, int, bool], ...], int, tuple[str, ...]]:
    """Return shares of one part, what goes to the jackpot, and the rules used."""
    if len(seats) == 1:
        return ((seats[0], cents, False),), 0, ()
    if part != "whole" and rules.odd_tied_half == "jackpot":
        each = cents // (len(seats) * rules.unit_cents) * rules.unit_cents
        over = cents - each * len(seats)
        used = rules.tied_half_cites if over else ()
        return tuple((seat, each, False) for seat in seats), over, used
    order = odd_chip_order(seats, chairs, rules, low_side=low_side)
    got = split(cents, order, rules.unit_cents, had)
    if not any(odd for _, _, odd in got):
        return got, 0, ()
    return got, 0, (*rules.unit_cites, *rules.tie_cites, *rules.one_odd_cites)


def odd_chip_order(
    seats: tuple[int, ...], chairs: Chairs, rules: PotRules, *, low_side: bool
) -> tuple[int, ...]:
    """Return tied seats in the order in which they have a claim to an odd chip.

    Args:
        seats: the tied seats.
        chairs: everybody dealt in, clockwise from the left of the button or dealer.
        rules: what the book says.
        low_side: whether they tied for a low.
    """
    tied = [chair for chair in chairs if chair.seat in seats]
    if rules.by_suit and all(cards_of_hand(chair) for chair in tied):
        if low_side:
            tied.sort(key=lambda chair: lowest_by_suit(cards_of_hand(chair)))
        else:
            tied.sort(key=lambda chair: highest_by_suit(cards_of_hand(chair)), reverse=True)
    return tuple(chair.seat for chair in tied)


def cards_of_hand(chair: Chair) -> tuple[str, ...]:
    """Return the player's own cards, empty where one of them is not known."""
    held = chair.down + chair.up
    return () if UNKNOWN in held else held
