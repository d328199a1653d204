"""High-low: who wins which half, by the cards alone or by declaration."""

from collections.abc import Mapping

import msgspec

from cardroom.poker.reading import Worth


class HighLowRules(msgspec.Struct, frozen=True, kw_only=True):
    """What a book and a game say about high-low.

    Args:
        declare: players declare before showing.
        qualifier: `none` or `eight_or_better`.
        in_turn: declarations are spoken in turn, not made with chips.
        chips: chips in the fist -> way.
        bet_after_declare: another round of betting follows.
        tie_keeps_win: who goes both ways and ties one keeps the other half.
        mode_cites: rules behind the mode; the fields that follow likewise.
    """

    declare: bool
    qualifier: str
    in_turn: bool
    chips: tuple[tuple[int, str], ...]
    bet_after_declare: bool
    tie_keeps_win: bool
    mode_cites: tuple[str, ...]
    qualifier_cites: tuple[str, ...]
    declare_cites: tuple[str, ...]
    chips_cites: tuple[str, ...]
    tie_cites: tuple[str, ...]
    halves_cites: tuple[str, ...]


class Halves(msgspec.Struct, frozen=True):
    """Who wins what of a pot.

    Args:
        high: seats that share the high half, or the whole where `low` is empty.
        low: seats that share the low half.
    """

    high: tuple[int, ...]
    low: tuple[int, ...]


def by_cards(seats: tuple[int, ...], worths: Mapping[int, Worth]) -> Halves:
    """Return who wins each half where the cards speak; without a qualifying low the high takes all."""
    return Halves(_best_high(seats, worths), _best_low(seats, worths))


def by_declaration(
    seats: tuple[int, ...],
    worths: Mapping[int, Worth],
    ways: Mapping[int, str],
    *,
    tie_keeps_win: bool,
) -> Halves:
    """Return who wins each half among players who declared.

    Who goes both ways and is beaten outright in one gets nothing, and the halves go to the best of the others; a tie
    is not being beaten (HG-L2h). Where nobody is left in a direction the other direction takes the whole pot; where
    nobody's declaration stands in either (both ways and beaten, low without a qualifying one, no declaration at all)
    the cards decide among those who declared, or among all where none did.

    Args:
        seats: those who contest the pot.
        worths: what their hands make.
        ways: `high`, `low` or `both` by seat; any other has no claim.
        tie_keeps_win: whether a both-ways player keeps the half won when tying for the other.
    """
    out: frozenset[int] = frozenset()
    claiming = tuple(seat for seat in seats if ways.get(seat) in {"high", "low", "both"})
    while True:
        high_side = tuple(s for s in claiming if ways[s] in {"high", "both"} and s not in out)
        low_side = tuple(s for s in claiming if ways[s] in {"low", "both"} and s not in out)
        high = _best_high(high_side, worths)
        low = _best_low(low_side, worths)
        beaten = frozenset(
            seat
            for seat in claiming
            if ways[seat] == "both"
            and seat not in out
            and (
                seat not in high
                or seat not in low
                or (not tie_keeps_win and (len(high) > 1 or len(low) > 1))
            )
        )
        if not beaten:
            break
        out |= beaten
    if high or low:
        return Halves(high, low) if high else Halves(low, ())
    return by_cards(claiming or seats, worths)


def _best_high(seats: tuple[int, ...], worths: Mapping[int, Worth]) -> tuple[int, ...]:
    best = max((worths[seat].high for seat in seats), default=0)
    return tuple(seat for seat in seats if worths[seat].high == best)


def _best_low(seats: tuple[int, ...], worths: Mapping[int, Worth]) -> tuple[int, ...]:
    best = max((worths[seat].low for seat in seats), default=0)
    return tuple(seat for seat in seats if best and worths[seat].low == best)
