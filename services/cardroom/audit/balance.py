"""Every chip of a room, wherever it is: what the tables, the cashier and the jackpot hold against what was issued.

Each context conserves its own chips; here their stores are held against each other. A message that is still on its way
between two of them shows as a difference, so a check that does not hold is made again for a moment before it is
believed.
"""

import asyncio
from collections.abc import Iterable
from typing import Final

import msgspec

from cardroom.adapters.store.codec import Codec
from cardroom.audit.reader import Reader, decider_of
from cardroom.cashier import ledger as books
from cardroom.cashier.core import ledger_stream
from cardroom.cashier.events import JackpotFunded, LedgerState
from cardroom.jackpot.core import pools_of
from cardroom.jackpot.events import ContributionAdded
from cardroom.jackpot.pool import PoolList
from cardroom.kernel.events import topic_of
from cardroom.kernel.money import dollars
from cardroom.kernel.refusal import Unknown
from cardroom.poker.betting import in_front
from cardroom.tables.hand_state import Hand
from cardroom.tables.listing import Listing, listing_id
from cardroom.tables.table import Table, hand_id, table_id, unexplained_cents

SETTLE_SECONDS: Final = 3.0
PAUSE_SECONDS: Final = 0.1
PAGE: Final = 2_000
NAMED: Final = {
    books.CAGE_CHIPS: "cage",
    books.PLAYERS_CHIPS: "outstanding with players",
    books.jackpot_chips(): "jackpot",
    books.transit_chips(): "in transit with runners",
    books.TIPS: "tips",
    books.UNEXPLAINED_CHIPS: "unexplained",
}
"""Accounts of the ledger that are parts of their own, by what they are called."""


class Part(msgspec.Struct, frozen=True):
    """One place where chips are.

    Args:
        name: what it is called, for example `stacks` or `cage`.
        cents: what it holds; negative for what was found beyond what was issued.
        owner: the context whose store says so.
    """

    name: str
    cents: int
    owner: str


class TableChips(msgspec.Struct, frozen=True, kw_only=True):
    """The chips of one table, as the tables know them and as the cashier has booked them.

    Args:
        table: its id.
        booked_cents: by the cashier's ledger; below nothing where more was booked from it than to it.
        account_cents: by the table's account; None where something was never counted.
        stacks_cents: in front of players, wagers apart; None where a stack is not known.
        wagers_cents: wagered and not yet in a pot.
        pots_cents: in the pots of the hand in play.
        held_cents: carried to the next deal, impounded in a dispute, or on the table in no stack that was counted.
    """

    table: str
    booked_cents: int
    account_cents: int | None
    stacks_cents: int | None = None
    wagers_cents: int = 0
    pots_cents: int = 0
    held_cents: int = 0


class Difference(msgspec.Struct, frozen=True):
    """Two stores that do not say the same.

    Args:
        what: what was held against each other.
        cents: by how much they differ.
        message: one sentence with both amounts.
    """

    what: str
    cents: int
    message: str


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict: parts, tables, and what differs.

    Args:
        issued_cents: all chips the house issued.
        parts: where they are; their sum is what was issued.
        tables: every table that holds or held chips.
        differences: empty where the room is in balance.
    """

    issued_cents: int
    parts: tuple[Part, ...]
    tables: tuple[TableChips, ...]
    differences: tuple[Difference, ...]

    @property
    def holds(self) -> bool:
        """Whether every chip is accounted for."""
        return not self.differences


async def check_balance(
    reader: Reader, room: str, *, settle_seconds: float = SETTLE_SECONDS
) -> Balance:
    """Hold the stores of a room against each other.

    Args:
        reader: reads the stores.
        room: the room.
        settle_seconds: how long messages that are on their way may take to arrive.

    Raises:
        Unknown: CR-2, the room has no cage.
        IntegrityBroken: stored bytes do not hold together.
    """
    until = asyncio.get_running_loop().time() + settle_seconds
    while True:
        found = await _balance(reader, room)
        if found.holds or asyncio.get_running_loop().time() >= until:
            return found
        await asyncio.sleep(PAUSE_SECONDS)


async def _balance(reader: Reader, room: str) -> Balance:
    ledger: LedgerState = (await reader.stood("cashier", ledger_stream(room))).state
    tables = [await _table(reader, room, name, ledger) for name in await _tables(reader, room)]
    shown = tuple(one for one in tables if one.booked_cents or one.account_cents)
    parts = (*_on_tables(shown), *_off_tables(ledger))
    issued = books.issued_cents(ledger)
    differences = [
        *_of_ledger(ledger),
        *(difference for one in shown for difference in _of_table(one)),
        *await _of_jackpot(reader, room),
        *_of_strays(ledger, tables),
    ]
    total = sum(part.cents for part in parts)
    if total != issued:
        message = f"all parts hold {dollars(total)}, issued were {dollars(issued)}"
        differences.append(Difference("room", total - issued, message))
    return Balance(issued_cents=issued, parts=parts, tables=shown, differences=tuple(differences))


async def _tables(reader: Reader, room: str) -> tuple[str, ...]:
    try:
        listing: Listing = (await reader.stood("tables", listing_id(room))).state
    except Unknown:  # no table was ever opened
        return ()
    return listing.tables


async def _table(reader: Reader, room: str, name: str, ledger: LedgerState) -> TableChips:
    table: Table = (await reader.stood("tables", table_id(room, name))).state
    booked = books.booked(ledger, books.table_chips(name))
    if table.tournament:  # its chips are points
        return TableChips(table=name, booked_cents=booked, account_cents=0)
    carried = table.carried_cents + sum(table.impounds.values()) + table.boxed_cents
    if table.hand is not None and table.last_frame is not None:
        carried += table.last_frame.missed_house_cents  # set aside until the hand is over
    chips = TableChips(
        table=name, booked_cents=booked, account_cents=table.account_cents if table.is_open else 0
    )
    if not table.is_open or unexplained_cents(table) is None:
        return chips
    seats = {number: seat.stack_cents for number, seat in table.seats.items()}
    pending = sum(seat.pending_cents for seat in table.seats.values())
    wagers = pots = 0
    if table.hand is not None:
        hand: Hand = (await reader.stood("tables", hand_id(room, name, table.hand.number))).state
        seats.update({chair.seat: chair.stack_cents for chair in hand.chairs if chair.seat})
        wagers = _wagers(hand)
        pots = _in_the_middle(hand) - wagers
    stacks = [cents for cents in seats.values() if cents is not None]
    return msgspec.structs.replace(
        chips,
        stacks_cents=sum(stacks) + pending if len(stacks) == len(seats) else None,
        wagers_cents=wagers,
        pots_cents=pots,
        held_cents=carried + (table.common_cents or 0),
    )


def _wagers(hand: Hand) -> int:
    if hand.betting is None:
        return 0
    return sum(in_front(chair, hand.betting) for chair in hand.chairs if chair.seat)


def _in_the_middle(hand: Hand) -> int:
    """Return wagers and pots, with what the dealer has set aside for the house until the hand is over."""
    aside = sum(rake + drop for _, rake, drop in hand.taken) + hand.jackpot_odd_cents
    return hand.pot_cents + aside + sum(chair.house_cents for chair in hand.chairs)


def _on_tables(tables: Iterable[TableChips]) -> tuple[Part, ...]:
    """Return what lies on tables, by the tables' word where they know it and the cashier's where they do not."""
    found = {"stacks": 0, "wagers": 0, "pots": 0, "held at tables": 0, "on tables, not counted": 0}
    for one in tables:
        if one.stacks_cents is None:
            known = max(0, one.booked_cents) if one.account_cents is None else one.account_cents
            found["on tables, not counted"] += known
            continue
        found["stacks"] += one.stacks_cents
        found["wagers"] += one.wagers_cents
        found["pots"] += one.pots_cents
        found["held at tables"] += one.held_cents
    return tuple(Part(name, cents, "tables") for name, cents in found.items())


def _off_tables(ledger: LedgerState) -> tuple[Part, ...]:
    """Return what the cashier's other accounts of chips hold."""
    found = dict.fromkeys((*NAMED.values(), "drop", "house at tables", "other accounts"), 0)
    for account, cents in books.shown(ledger).items():
        if account == books.ISSUED or not account.startswith("chips/"):
            continue
        if account in NAMED:
            found[NAMED[account]] += cents
        elif account.startswith(books.drop_chips("")):
            found["drop"] += cents
        elif account.startswith(books.HOUSE_CHIPS):
            found["house at tables"] += cents
        elif not account.startswith(books.table_chips("")):
            found["other accounts"] += cents
    return tuple(Part(name, cents, "cashier") for name, cents in found.items())


def _of_ledger(ledger: LedgerState) -> list[Difference]:
    return [
        Difference(f"ledger of {kind}", cents, f"the accounts of {kind} sum to {dollars(cents)}")
        for kind, cents in books.totals(ledger).items()
        if cents
    ]


def _of_table(one: TableChips) -> list[Difference]:
    """Return where a table differs from the cashier's books, or from the chips it can name."""
    if one.account_cents is None:
        return []
    found = []
    apart = one.account_cents - one.booked_cents
    if apart:
        message = (
            f"by its own account table {one.table} holds {dollars(one.account_cents)}, "
            f"by the cashier's {dollars(one.booked_cents)}"
        )
        found.append(Difference(f"table {one.table}", apart, message))
    if one.stacks_cents is not None:
        named = one.stacks_cents + one.wagers_cents + one.pots_cents + one.held_cents
        if named != one.account_cents:
            message = (
                f"stacks, wagers and pots at table {one.table} come to {dollars(named)}, "
                f"its account to {dollars(one.account_cents)}"
            )
            found.append(Difference(f"stacks of {one.table}", named - one.account_cents, message))
    return found


def _of_strays(ledger: LedgerState, tables: Iterable[TableChips]) -> list[Difference]:
    """Return chips booked on tables that the tables have never heard of."""
    heard = {books.table_chips(one.table) for one in tables}
    return [
        Difference(account, cents, f"{account} holds {dollars(cents)} at a table nobody opened")
        for account, cents in ledger.balances.items()
        if account.startswith(books.table_chips("")) and account not in heard and cents
    ]


async def _of_jackpot(reader: Reader, room: str) -> list[Difference]:
    """Return by how much what the pools took in differs from what the cashier booked for them."""
    paid_in = 0
    for pool in await _pools(reader, room):
        records = await reader.records("jackpot", f"pool/{room}/{pool}")
        paid_in += sum(
            record.event.drop_cents + record.event.odd_cents
            for record in records
            if isinstance(record.event, ContributionAdded)
        )
    booked = await _booked_for_jackpots(reader, room)
    if paid_in == booked:
        return []
    message = f"hands paid {dollars(paid_in)} into the pools, the cashier booked {dollars(booked)} for them"
    return [Difference("jackpot", paid_in - booked, message)]


async def _pools(reader: Reader, room: str) -> tuple[str, ...]:
    try:
        found: PoolList = (await reader.stood("jackpot", pools_of(room))).state
    except Unknown:  # the room never had a jackpot
        return ()
    return tuple(pool for pool, _ in found.pools)


async def _booked_for_jackpots(reader: Reader, room: str) -> int:
    """Return what the ledger, on all its days, has booked from hands into the jackpot's account, in cents."""
    store, codec = await reader.store("cashier"), Codec(decider_of("cashier").events)
    topic, stem = topic_of(JackpotFunded), f"{ledger_stream(room)}/"
    booked, after = 0, 0
    while page := await store.log(after, PAGE):
        after = page[-1].notification_id
        for stored in page:
            if stored.topic != topic or not stored.stream.startswith(stem):
                continue
            event = codec.decode(stored, {}).event
            assert isinstance(event, JackpotFunded)
            booked += sum(leg.cents for leg in event.legs if leg.account == books.jackpot_chips())
    return booked
