"""The pool: how much the jackpot is, what paid into it, and how an amount is divided."""

from fractions import Fraction
from typing import Final

import msgspec

from cardroom.jackpot.events import (
    ContributionAdded,
    PoolAdjusted,
    PoolListed,
    PoolOpened,
    PoolPaidOut,
    PoolReversed,
    RecordMerged,
    SeatPlayer,
    Share,
)
from cardroom.kernel.events import Event
from cardroom.kernel.streams import Aggregate
from cardroom.known.merged import with_merge
from cardroom.rulebook.model import ResolvedBook


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """A pool's state.

    Args:
        opened: whether it exists.
        balance_cents: the jackpot now.
        contributions: hand id -> cents, since the last award, for reversals.
    """

    opened: bool = False
    balance_cents: int = 0
    contributions: tuple[tuple[str, int], ...] = ()

    def contributed_cents(self, hand_id: str) -> int:
        """Return what a hand paid in since the last award."""
        return sum(cents for hand, cents in self.contributions if hand == hand_id)


class PoolList(msgspec.Struct, frozen=True, kw_only=True):
    """The room's pools, and what holds for all of them.

    Args:
        pools: each pool with the games that pay into it.
        merged: record that is no longer used -> the surviving one of the same person.
    """

    pools: tuple[tuple[str, tuple[str, ...]], ...] = ()
    merged: dict[str, str] = {}

    def pool_for(self, game_id: str) -> str | None:
        """Return the pool that a game pays into, the newest one where several name it."""
        for pool, games in reversed(self.pools):
            if not games or game_id in games:
                return pool
        return None


def evolve_pool(state: Pool, event: Event) -> Pool:
    """Fold one event into a pool."""
    match event:
        case PoolOpened():
            return Pool(opened=True, balance_cents=event.seed_cents)
        case ContributionAdded():
            cents = event.drop_cents + event.odd_cents
            return msgspec.structs.replace(
                state,
                balance_cents=state.balance_cents + cents,
                contributions=(*state.contributions, (event.hand_id, cents)),
            )
        case PoolAdjusted():
            return msgspec.structs.replace(
                state, balance_cents=state.balance_cents + event.change_cents
            )
        case PoolReversed():
            kept = tuple(entry for entry in state.contributions if entry[0] != event.hand_id)
            return msgspec.structs.replace(
                state, balance_cents=state.balance_cents - event.cents, contributions=kept
            )
        case PoolPaidOut():
            return msgspec.structs.replace(state, balance_cents=event.next_cents, contributions=())
    raise TypeError(f"a pool does not know {type(event).__name__}")


def evolve_list(state: PoolList, event: Event) -> PoolList:
    """Fold one event into the room's list of pools."""
    match event:
        case PoolListed():
            pools = (*state.pools, (event.pool, event.game_ids))
            return msgspec.structs.replace(state, pools=pools)
        case RecordMerged():
            merged = with_merge(state.merged, event.from_id, event.into_id)
            return msgspec.structs.replace(state, merged=merged)
    raise TypeError(f"a pool list does not know {type(event).__name__}")


POOL: Final = Aggregate("pool", Pool(), evolve_pool)
POOL_LIST: Final = Aggregate("pools", PoolList(), evolve_list)

TIERS: Final = ("jackpot.tier_3", "jackpot.tier_2", "jackpot.tier_1")
"""Highest first: the first tier whose amount the jackpot is over divides it."""


class Division(msgspec.Struct, frozen=True, kw_only=True):
    """How a jackpot is divided: the shares, what stays for the next one, and on which rules it rests."""

    tier: str
    shares: tuple[Share, ...]
    next_cents: int
    rules: tuple[str, ...]


def tier_of(jackpot_cents: int, rules: ResolvedBook) -> str:
    """Return the decision key of the tier that divides a jackpot of this size."""
    for key in TIERS[:-1]:
        tier = rules.table(key)
        if tier and jackpot_cents > int(tier["over"]):
            return key
    return TIERS[-1]


def divide(
    jackpot_cents: int,
    held_back_cents: int,
    *,
    losing: tuple[SeatPlayer, ...],
    winning: tuple[SeatPlayer, ...],
    others: tuple[SeatPlayer, ...],
    rules: ResolvedBook,
) -> Division:
    """Divide a jackpot by its tier; every payment is rounded down, what is left over stays.

    Args:
        jackpot_cents: the amount to divide, in cents.
        held_back_cents: part of the pool that is not divided and goes on, in cents.
        losing: the losing hands paid, equal parts.
        winning: the winning hands, equal parts.
        others: who shares the others' part, equal parts.
        rules: the hand's book.
    """
    key = tier_of(jackpot_cents, rules)
    tier = rules.table(key)
    unit = rules.cents("jackpot.rounding_unit")
    shares: list[Share] = []
    for part, seats in (("losing", losing), ("winning", winning), ("other", others)):
        ratio = Fraction(str(tier["others" if part == "other" else part]))
        if not seats or ratio == 0:
            continue
        each = int(jackpot_cents * ratio / len(seats)) // unit * unit
        shares += [
            Share(seat=seat.seat, player_id=seat.player_id, part=part, cents=each)
            for seat in seats
            if each
        ]
    paid = sum(share.cents for share in shares)
    return Division(
        tier=key,
        shares=tuple(shares),
        next_cents=jackpot_cents - paid + held_back_cents,
        rules=rules.cite(key, "jackpot.rounding_unit", "jackpot.others"),
    )
