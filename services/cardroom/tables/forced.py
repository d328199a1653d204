"""Chips that players put up before the cards: antes, blinds, posts of who comes in, straddles, collections."""

from collections.abc import Iterable

import msgspec

from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.deal_events import Passed
from cardroom.tables.entry import (
    Terms,
    collection_cents,
    full_collection_cents,
)
from cardroom.tables.positions import (
    Positions,
)
from cardroom.tables.seats import Seat, WayIn
from cardroom.tables.table import Table


class Forced(msgspec.Struct, frozen=True, kw_only=True):
    """Chips that somebody puts up before the cards.

    Args:
        seat: who.
        kind: `ante`, `small_blind`, `middle_blind`, `big_blind`, `post`, `straddle`, `kill`, `collection` or
            `missed_collection`.
        cents: how much.
        live_cents: how much of it counts as his wager.
        house_cents: how much of it the house takes at once.
        owed_cents: the full amount that was due.
        owed_live_cents: how much of that counts as his wager.
        owed_house_cents: how much of that the house takes.
        rules: rules it rests on.
    """

    seat: int
    kind: str
    cents: int
    live_cents: int
    house_cents: int = 0
    owed_cents: int = 0
    owed_live_cents: int = 0
    owed_house_cents: int = 0
    rules: tuple[str, ...] = ()


def candidates(table: Table) -> tuple[Seat, ...]:
    """Return the seats whose players are in their chairs with chips that play."""
    return tuple(
        seat for seat in table.seats.values() if _may_be_dealt(seat) and in_the_deal(table, seat)
    )


def _may_be_dealt(seat: Seat) -> bool:
    return seat.present and not seat.excluded and seat.has_chips and not seat.safe_cents


def in_the_deal(table: Table, seat: Seat) -> bool:
    """Whether he may get a hand as far as a carried pot goes: only those dealt into the deal before may."""
    closed = table.last_closed
    if not table.carried_cents or closed is None:
        return True
    return any(player == seat.player for _, player in closed.dealt)


def antes(table: Table, dealt: Iterable[int], rules: ResolvedBook) -> tuple[Forced, ...]:
    """Return the antes of those dealt in, none in games without."""
    ante = table.the_game().ante_cents
    if not ante:
        return ()
    return tuple(
        _forced(table, seat, "ante", ante, ante, rules.cite("blinds.structure")) for seat in dealt
    )


def playable_cents(stack_cents: int, chip_cents: int) -> int:
    """Return how much of a short stack plays: whole playing chips only."""
    return stack_cents - stack_cents % chip_cents


def _forced(
    table: Table,
    seat: int,
    kind: str,
    cents: int,
    live_cents: int,
    rules: tuple[str, ...],
    house_cents: int = 0,
    already_cents: int = 0,
) -> Forced:
    """What a player puts up: all that is due, or what he has of it in playing chips."""
    stack = table.seats[seat].stack_cents
    has = cents if stack is None else max(0, stack - already_cents)
    paid = cents if has >= cents else playable_cents(has, table.the_game().chip_cents)
    return Forced(
        seat=seat,
        kind=kind,
        cents=paid,
        live_cents=min(live_cents, paid),
        house_cents=min(house_cents, paid),
        owed_cents=cents,
        owed_live_cents=live_cents,
        owed_house_cents=house_cents,
        rules=rules,
    )


def _blind_kind(index: int, count: int) -> str:
    if index == count - 1:
        return "big_blind"
    return "small_blind" if index == 0 else "middle_blind"


def collections(table: Table, rules: ResolvedBook, found: Positions) -> list[Forced]:
    """Return the collection that the button pays if it is dealt in; it may be live (collection.button_live)."""
    cents = collection_cents(table, rules)
    payer = found.button
    if not cents or payer not in found.dealt:
        return []
    live = cents if rules.flag("collection.button_live") else 0
    return [
        _forced(
            table,
            payer,
            "collection",
            cents,
            live,
            rules.cite("collection.method", "collection.button_live"),
            house_cents=cents,
        )
    ]


def _already(forced: Iterable[Forced], seat: int) -> int:
    return sum(one.cents for one in forced if one.seat == seat)


def blinds(
    table: Table, rules: ResolvedBook, found: Positions, before: list[Forced]
) -> list[Forced]:
    """Return the blinds of the hand, after what these seats have put up already."""
    game = table.the_game()
    amounts = sorted(game.blinds_cents)
    return [
        _forced(
            table,
            seat,
            _blind_kind(index, len(amounts)),
            amounts[index],
            amounts[index],
            rules.cite("blinds.live", "blinds.structure"),
            already_cents=_already(before, seat),
        )
        for seat, index in found.posts
    ]


def entry_posts(
    table: Table,
    rules: ResolvedBook,
    found: Positions,
    entries: dict[int, Terms],
    buyer: int,
    before: list[Forced],
) -> list[Forced]:
    """Posts of those who come in by one; whoever is in the blinds posts his blind and nothing else."""
    posting = {seat for seat, _ in found.posts}
    made = []
    for number, entry in sorted(entries.items()):
        if number not in found.dealt or number in posting:
            continue
        if entry.free and number != buyer:
            continue
        seat = table.seats[number]
        way = entry.way(WayIn.BUY_BUTTON if number == buyer else seat.way_in)
        if way is None or way.way is WayIn.STRADDLE or not way.cents:
            continue
        made.append(
            _forced(
                table,
                number,
                "button_bought" if number == buyer else "post",
                way.cents,
                way.live_cents,
                way.rules,
                house_cents=way.house_cents,
                already_cents=_already(before, number),
            )
        )
    return made


def straddles(
    table: Table, rules: ResolvedBook, found: Positions, before: list[Forced]
) -> list[Forced]:
    """Return the straddles of those dealt in, after what these seats have put up already."""
    made = []
    for seat in candidates(table):
        if not seat.straddle_cents or seat.seat not in found.dealt:
            continue
        made.append(
            _forced(
                table,
                seat.seat,
                "straddle",
                seat.straddle_cents,
                seat.straddle_cents,
                rules.cite("blinds.straddle", "blinds.straddle_multiple"),
                already_cents=_already(before, seat.seat),
            )
        )
    return made


def missed_collections(
    table: Table, rules: ResolvedBook, went: Passed
) -> tuple[tuple[int, int], ...]:
    """Collections taken at once from absent players who missed blinds, when the button passes their seats."""
    if rules.choice("collection.missed_taken") != "when_button_passes":
        return ()
    full = full_collection_cents(table, rules)
    taken = []
    for number in went.button:
        seat = table.seats[number]
        missed = seat.missed or number in went.big or number in went.small
        if not full or not missed or seat.collection_taken or not seat.has_chips:
            continue
        cents = full if seat.stack_cents is None else min(full, seat.stack_cents)
        taken.append((number, cents))
    return tuple(taken)
