"""Pots: layers by what each live player matched, what comes back uncalled, and who contests what."""

import msgspec

from cardroom.poker.chairs import LIVE, Chair, Chairs


class Pot(msgspec.Struct, frozen=True, gc=False):
    """The main pot or a side pot.

    Args:
        cents: what lies in it.
        seats: the live seats that contest it, clockwise from the first left of the button.
    """

    cents: int
    seats: tuple[int, ...]


def uncalled(chairs: Chairs) -> tuple[int, int]:
    """Return the seat whose wager went beyond what anybody else put up, and by how much; (0, 0) where none did.

    The excess goes back before any pot is won: nobody called it.
    """
    best: Chair | None = None
    second = 0
    for chair in chairs:
        if best is None or chair.matched_cents > best.matched_cents:
            if best is not None:
                second = best.matched_cents
            best = chair
        elif chair.matched_cents > second:
            second = chair.matched_cents
    if best is None or not best.live or best.matched_cents == second:
        return 0, 0
    # A live collection went to the house: of what counts, only what lies there can come back.
    cents = min(best.matched_cents - second, best.put_in_cents)
    return (best.seat, cents) if cents else (0, 0)


def layered(chairs: Chairs) -> tuple[Pot, ...]:
    """Return the pots, main pot first, none of them empty.

    Each live player's matched chips are a layer's top; a layer takes from everybody what they put in between its
    bottom and its top. Dead money lies in the main pot. What folded players put in above every live hand goes to the
    highest layer. A live collection is the first of what its player matched, and the house's: the layers lack it from
    the bottom up. Rule: constant pots.side_pots.
    """
    tops = sorted({chair.matched_cents for chair in chairs if chair.fate is LIVE})
    dead = 0
    for chair in chairs:
        dead += chair.dead_cents
    if len(tops) == 1:
        cents = dead
        for chair in chairs:
            cents += chair.put_in_cents
        seats = tuple([chair.seat for chair in chairs if chair.fate is LIVE])
        return (Pot(cents, seats),) if cents else ()
    pots: list[Pot] = []
    below = 0
    for at, top in enumerate(tops):
        last = at == len(tops) - 1
        cents = dead if not pots else 0
        dead = 0 if not pots else dead
        for chair in chairs:
            held = chair.matched_cents
            bottom = max(below, held - chair.put_in_cents)
            cents += max(0, (held if last else min(held, top)) - bottom)
        seats = tuple(chair.seat for chair in chairs if chair.live and chair.matched_cents >= top)
        if cents:
            pots.append(Pot(cents, seats))
        below = top
    return tuple(pots)


def split(
    cents: int, order: tuple[int, ...], unit_cents: int, had: frozenset[int] = frozenset()
) -> tuple[tuple[int, int, bool], ...]:
    """Divide an amount among tied seats, odd chips one at a time.

    Args:
        cents: what is divided.
        order: the tied seats in the order in which they have a claim to an odd chip.
        unit_cents: the unit down to which it is broken (pots.odd_chip_unit).
        had: seats that already have an odd chip of this pot and yield to those who have none (WP-3T4).

    Returns:
        (seat, cents, whether an odd chip is in it) in the order given. Chips are conserved: what is left below one
        unit goes with the first odd chip.
    """
    each = cents // (len(order) * unit_cents) * unit_cents
    left = cents - each * len(order)
    extra = dict.fromkeys(order, 0)
    claim = [seat for seat in order if seat not in had] + [seat for seat in order if seat in had]
    small = left % unit_cents
    for at, seat in enumerate(claim):
        if left <= 0:
            break
        chip = min(left, unit_cents)
        if at == 0 and small and left > unit_cents:
            chip = unit_cents + small
        extra[seat] += chip
        left -= chip
    return tuple((seat, each + extra[seat], extra[seat] > 0) for seat in order)


def total(chairs: Chairs) -> int:
    """Return everything in the pots and in front of the players, the house's collection left out."""
    return sum(chair.put_in_cents + chair.dead_cents for chair in chairs)
