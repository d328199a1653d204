"""The double-entry ledger of a room: accounts, the fold, and the equality that every entry keeps.

Chip accounts say where chips are; `chips/issued` is their contra account, so all chip accounts together are nothing
and `-chips/issued` is what was issued. Cash accounts likewise, with `cash/outside` (the customers' money) and
`cash/float` (what the house put in) on the other side.

What other contexts saw happen arrives in any order: chips may be booked out of a table before they are booked to it.
So the state keeps what was booked, which may be below nothing for a while, and a place is shown to hold nothing then:
what more has left it stands in the unexplained account until chips come that explain it. The outcome is the same in any
order (ADR 10).
"""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from cardroom.cashier import events as e
from cardroom.kernel.events import Event
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import Aggregate
from cardroom.known.merged import record_now, under_now, with_merge

CAGE_CHIPS: Final = "chips/cage"
PLAYERS_CHIPS: Final = "chips/players"
ISSUED: Final = "chips/issued"
UNEXPLAINED_CHIPS: Final = "chips/unexplained"
TIPS: Final = "chips/tips"
HOUSE_CHIPS: Final = "chips/house/"
CAGE_CASH: Final = "cash/cage"
OUTSIDE_CASH: Final = "cash/outside"
CREDIT_CASH: Final = "cash/credit/"
FLOAT_CASH: Final = "cash/float"
UNEXPLAINED_CASH: Final = "cash/unexplained"
CONTRA: Final = frozenset({ISSUED, OUTSIDE_CASH, FLOAT_CASH, UNEXPLAINED_CASH, UNEXPLAINED_CHIPS})
"""Contra accounts; the accounts of `HOUSE_CHIPS` are contra accounts too."""


def table_chips(table: str) -> str:
    """Return the account of the chips in play on a table."""
    return f"chips/table/{table}"


def drop_chips(table: str) -> str:
    """Return the account of a table's drop box."""
    return f"chips/drop/{table}"


def jackpot_chips() -> str:
    """Return the account of the chips that belong to the jackpots."""
    return "chips/jackpot"


def house_chips(account: str) -> str:
    """Return an account of the house's own chips on tables: what rulings made it pay or take."""
    return f"{HOUSE_CHIPS}{account or 'rulings'}"


def may_go_below_nothing(account: str) -> bool:
    """Say whether an account is a contra account; every other one is a place that holds what it holds."""
    return account in CONTRA or account.startswith(HOUSE_CHIPS)


def credit_cash(player_id: str) -> str:
    """Return the account of what a player owes for chips sold on credit."""
    return f"{CREDIT_CASH}{player_id}"


def account_now(state: e.LedgerState, account: str) -> str:
    """Return the account that is meant: a person's own goes by the record that counts."""
    if not account.startswith(CREDIT_CASH):
        return account
    return credit_cash(record_now(state.merged, account.removeprefix(CREDIT_CASH)))


def transit_chips() -> str:
    """Return the account of chips under way with runners."""
    return "chips/transit"


def move(source: str, target: str, cents: int) -> tuple[e.Leg, ...]:
    """Return the two legs that move cents from one account to another of the same class.

    Raises:
        Refused: CR-4, the accounts are of different classes, malformed, or the amount is no amount.
    """
    for account in (source, target):
        if account.partition("/")[0] not in {"chips", "cash"} or not account.partition("/")[2]:
            raise Refused(
                "ACCOUNT_UNKNOWN",
                "CR-4",
                f"account {account!r}: chips/... or cash/...",
                field="account",
            )
    if source.partition("/")[0] != target.partition("/")[0] or source == target:
        raise Refused(
            "ACCOUNTS_DIFFER", "CR-8", f"{source} to {target}: chips move to chips and cash to cash"
        )
    check_cents(cents, "cents", least=1)
    return e.Leg(source, -cents), e.Leg(target, cents)


def conserved(legs: Iterable[e.Leg]) -> tuple[e.Leg, ...]:
    """Return the legs of what happened: the entry conserves each class, whatever its places were thought to hold."""
    legs = tuple(legs)
    for kind in ("chips", "cash"):
        total = sum(leg.cents for leg in legs if leg.account.startswith(kind))
        assert total == 0, f"an entry of {kind} sums to {total}"
    return legs


def require(state: e.LedgerState, legs: Iterable[e.Leg]) -> tuple[e.Leg, ...]:
    """Return the legs of what is asked for, if the entry conserves each class and no place gives more than it holds.

    Raises:
        Refused: CR-8, a place does.
    """
    legs = conserved(legs)
    after: dict[str, int] = {}
    for leg in legs:
        after[leg.account] = after.get(leg.account, booked(state, leg.account)) + leg.cents
    for account, cents in after.items():
        before = booked(state, account)
        if cents < 0 and cents < before and not may_go_below_nothing(account):
            raise _short(account, before, before - cents)
    return legs


def _short(account: str, before: int, asked: int) -> Refused:
    owed = f"; {dollars(-before)} left it that nobody booked to it" if before < 0 else ""
    return Refused(
        "ACCOUNT_SHORT",
        "CR-8",
        f"{account} holds {dollars(max(0, before))}, {dollars(asked)} is asked of it{owed}",
        options=("book what brought the rest", "a shift manager adjusts it, with the cause"),
    )


def evolve(state: e.LedgerState, event: Event) -> e.LedgerState:
    """Fold one event into the ledger."""
    if isinstance(event, e.LedgerCarriedForward):
        return event.state
    if isinstance(event, e.Moved):
        balances = dict(state.balances)
        for leg in event.legs:
            balances[leg.account] = balances.get(leg.account, 0) + leg.cents
        state = msgspec.structs.replace(
            state, balances={account: cents for account, cents in balances.items() if cents}
        )
    return _noted(_in_boxes(state, event), event)


def _in_boxes(state: e.LedgerState, event: Event) -> e.LedgerState:
    """Follow how much of each table's last hand lies in its box: only the last hand can be taken up again."""
    last = dict(state.last_takes)
    match event:
        case e.DropTaken() if event.hand_id and event.what != "time":
            before = last.get(event.table, e.Take("", 0))
            held = before.cents if before.hand_id == event.hand_id else 0
            last[event.table] = e.Take(event.hand_id, held + event.cents)
        case e.TakeReturned() if event.table in last:
            box = drop_chips(event.table)
            given = sum(leg.cents for leg in event.legs if leg.account == box)
            last[event.table] = e.Take(last[event.table].hand_id, last[event.table].cents + given)
        case e.DropCounted():
            last.pop(event.table, None)
        case _:
            return state
    return msgspec.structs.replace(state, last_takes=last)


def _noted(state: e.LedgerState, event: Event) -> e.LedgerState:
    replace = msgspec.structs.replace
    match event:
        case e.BankerAppointed():
            return replace(state, banker=event.player_id)
        case e.CageOpened():
            return replace(state, opened=True, room=event.room)
        case e.ShiftOpened():
            return replace(state, shift=event.shift)
        case e.ShiftClosed():
            return replace(state, shift="")
        case e.ChipsSold():
            return _sold(state, event.player_id, event.cents)
        case e.ChipsRedeemed():
            return replace(state, redeemed_cents=state.redeemed_cents + event.handed_in_cents)
        case e.CheckTaken():
            return replace(state, checks=(*state.checks, event.check))
        case e.CheckProcessed():
            done = tuple(
                replace(c, processed=True) if c.check_id == event.check_id else c
                for c in state.checks
            )
            return replace(state, checks=done)
        case e.CheckReturned():
            return replace(
                state, checks=tuple(c for c in state.checks if c.check_id != event.check_id)
            )
        case e.CheckChipsDelivered():
            left = tuple(c for c in state.checks if c.check_id != event.check_id)
            return _sold(replace(state, checks=left), event.player_id, event.cents)
        case e.RunnerSent():
            return _sold(
                replace(state, runs=(*state.runs, event.run)), event.run.player_id, event.run.cents
            )
        case e.RunnerArrived():
            return replace(
                state, runs=tuple(run for run in state.runs if run.run_id != event.run_id)
            )
        case e.PayoutOwed():
            return replace(state, payouts=(*state.payouts, event.payout))
        case e.PayoutPaid():
            owed = tuple(p for p in state.payouts if p.payout_id != event.payout_id)
            return replace(state, payouts=owed)
        case e.RecordMerged():
            return _merged(state, event)
        case e.BankClosed():
            return replace(state, bought={}, sold_cents=0, redeemed_cents=0)
        case (
            e.ChipsBroughtToTable()
            | e.ChipsTakenFromTable()
            | e.TableCounted()
            | e.DropTaken()
            | e.JackpotFunded()
            | e.TakeReturned()
            | e.DropCounted()
            | e.Adjusted()
            | e.TournamentFeeTaken()
            | e.OddChipsWon()
            | e.LedgerDayClosed()
        ):
            return state
    raise TypeError(f"the ledger does not know {type(event).__name__}")


def _merged(state: e.LedgerState, event: e.RecordMerged) -> e.LedgerState:
    """Keep what stood under a record under the surviving one; what both bought this session is one person's."""
    merged = with_merge(state.merged, event.from_id, event.into_id)
    bought: dict[str, int] = {}
    for player_id, cents in state.bought.items():
        now = merged.get(player_id, player_id)
        bought[now] = bought.get(now, 0) + cents
    return msgspec.structs.replace(under_now(state, merged), merged=merged, bought=bought)


def _sold(state: e.LedgerState, player_id: str, cents: int) -> e.LedgerState:
    bought = {**state.bought, player_id: state.bought.get(player_id, 0) + cents}
    return msgspec.structs.replace(state, bought=bought, sold_cents=state.sold_cents + cents)


def booked(state: e.LedgerState, account: str) -> int:
    """Return what was booked to an account less what was booked from it, in cents; below nothing where more left it."""
    return state.balances.get(account, 0)


def made_good(state: e.LedgerState) -> dict[str, int]:
    """Return by account what left it beyond what was booked to it, in cents; the unexplained account stands in."""
    return {
        account: -cents
        for account, cents in state.balances.items()
        if cents < 0 and not may_go_below_nothing(account)
    }


def shown(state: e.LedgerState) -> dict[str, int]:
    """Return what each account holds, in cents: no place less than nothing, the unexplained account the difference."""
    stood_in = made_good(state)
    found = {account: cents for account, cents in state.balances.items() if account not in stood_in}
    for account, cents in stood_in.items():
        contra = UNEXPLAINED_CASH if account.startswith("cash/") else UNEXPLAINED_CHIPS
        found[contra] = found.get(contra, 0) - cents
    return {account: cents for account, cents in found.items() if cents}


def balance(state: e.LedgerState, account: str) -> int:
    """Return what an account holds, in cents."""
    return shown(state).get(account, 0)


def in_box(state: e.LedgerState, table: str, hand_id: str) -> int:
    """Return how much of what a hand's drop put into its table's box is there still, in cents."""
    last = state.last_takes.get(table)
    return last.cents if last is not None and last.hand_id == hand_id else 0


def issued_cents(state: e.LedgerState) -> int:
    """Return all chips issued, in cents."""
    return -booked(state, ISSUED)


def totals(state: e.LedgerState) -> dict[str, int]:
    """Return the sum of each class of accounts; both are nothing as long as the books are right."""
    return {
        kind: sum(
            cents for account, cents in state.balances.items() if account.startswith(f"{kind}/")
        )
        for kind in ("chips", "cash")
    }


LEDGER: Final[Any] = Aggregate("ledger", e.LedgerState(), evolve, day_bound=True)
