"""Pots gathered and divided one chip at a time, as a dealer might with all the time in the world: an oracle.

Nothing here knows how the poker package reckons; amounts are in chips.
"""

from collections.abc import Iterable, Mapping, Sequence

Pots = list[tuple[int, frozenset[int]]]


def gathered(
    matched: Mapping[int, int], put_in: Mapping[int, int], live: frozenset[int], dead: int
) -> tuple[Pots, tuple[int, int]]:
    """Return the pots, main pot first, and the seat whose last chips nobody called, with how many.

    Args:
        matched: seat -> chips that count toward the wagers.
        put_in: seat -> those of them that lie in the pots; what the house holds of them is what was put up first.
        live: seats that can still win.
        dead: chips in the main pot that count toward no wager.
    """
    heights = sorted(matched.values())
    back, seat = 0, 0
    if len(heights) > 1 and heights[-1] > heights[-2]:
        (seat,) = [one for one, chips in matched.items() if chips == heights[-1]]
        if seat in live:
            back = min(heights[-1] - heights[-2], put_in[seat])
    left = {one: chips - (back if one == seat else 0) for one, chips in matched.items()}
    found: list[list[object]] = [[dead, live]] if dead else []
    for level in range(1, max(left.values(), default=0) + 1):
        contest = frozenset(one for one in live if left[one] >= level)
        if not contest:
            contest = found[-1][1] if found else live  # type: ignore[assignment]
        if not found or found[-1][1] != contest:
            found.append([0, contest])
        for one, chips in put_in.items():
            if matched[one] - chips < level <= left[one]:
                found[-1][0] += 1  # type: ignore[operator]
    pots = [(int(chips), seats) for chips, seats in found if chips]  # type: ignore[call-overload]
    return pots, (seat if back else 0, back)


def dealt_out(chips: int, order: Sequence[int], had: Iterable[int] = ()) -> dict[int, int]:
    """Return who gets how many of a part's chips, given out one by one, round by round.

    Args:
        chips: how many.
        order: who shares them, who has the first claim to an odd chip first.
        had: those among them who have had an odd chip of this pot and yield to who has not.
    """
    got = dict.fromkeys(order, 0)
    while chips >= len(order):
        for seat in order:
            got[seat] += 1
        chips -= len(order)
    claims = [seat for seat in order if seat not in had] + [seat for seat in order if seat in had]
    for seat in claims[:chips]:
        got[seat] += 1
    return got


def divided(
    chips: int, high: Sequence[int], low: Sequence[int] = (), *, odd_half_high: bool = True
) -> dict[int, int]:
    """Return who gets how many chips of a pot that high and low share, the odd chip of the halves going to one side.

    Args:
        chips: how many.
        high: who ties for high, or for all of it; first claim to an odd chip first.
        low: who ties for low; empty where nobody has one.
        odd_half_high: whether the odd chip between the halves is the high side's.
    """
    if not low or (list(high) == list(low) and len(high) == 1):
        return dealt_out(chips, high)
    small = chips // 2
    high_chips = chips - small if odd_half_high else small
    first = dealt_out(high_chips, high)
    each = high_chips // len(high)
    had = [seat for seat in high if first[seat] > each] if len(high) > 1 else []
    second = dealt_out(chips - high_chips, low, had)
    return {seat: first.get(seat, 0) + second.get(seat, 0) for seat in dict.fromkeys((*high, *low))}
