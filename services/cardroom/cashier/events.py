"""What the cashier context records. Storage formats: never edited, only followed by a new topic.

Every event that moves value is a `Moved`: its legs sum to nothing within the chip accounts and within the cash
accounts, so chips and cash are each conserved by every single event.
"""

import msgspec

from cardroom.kernel.events import CarriedForward, Event, EventTypes
from cardroom.known import EVENT_TYPES as KNOWN_EVENT_TYPES


class Leg(msgspec.Struct, frozen=True):
    """One side of an entry: an account, and by how many cents it changes."""

    account: str
    cents: int


class Moved(Event, frozen=True, kw_only=True):
    """Value moved between accounts.

    Args:
        legs: the accounts and their changes.
        rules: the rules it rests on.
        cause: what caused it: another context's event, or empty where a person asked.
    """

    legs: tuple[Leg, ...]
    rules: tuple[str, ...] = ()
    cause: str = ""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A check taken at a table: no chips before it is processed (LC-29)."""

    check_id: str
    player_id: str
    cents: int
    table: str = ""
    processed: bool = False
    delivered: bool = False


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """Chips under way to a player by a runner."""

    run_id: str
    runner: str
    player_id: str
    table: str
    cents: int


class Payout(msgspec.Struct, frozen=True, kw_only=True):
    """What the house owes a player, for example a share of a jackpot."""

    payout_id: str
    player_id: str
    cents: int
    account: str
    reason: str
    rules: tuple[str, ...] = ()


class Take(msgspec.Struct, frozen=True):
    """How many cents of what was taken from a hand lie in its table's drop box."""

    hand_id: str
    cents: int


class LedgerState(msgspec.Struct, frozen=True, kw_only=True):
    """The whole ledger of a room; carried forward at the end of a gaming day.

    Args:
        opened: whether the cage has opened.
        room: the room.
        banker: player who keeps the bank, where the house has no cage of its own (HG-G1).
        balances: account -> cents booked to it less cents booked from it; below nothing where more left it.
        checks: checks not yet delivered.
        runs: chips under way.
        payouts: what is owed and not paid.
        bought: player id -> cents bought this session, for the exception of HG-G2a.
        sold_cents: chips sold this session.
        redeemed_cents: chips handed in this session.
        shift: id of the open shift, empty where none is.
        last_takes: table -> what of its last hand's drop lies in its box.
        merged: record that is no longer used -> the surviving one of the same person.
    """

    opened: bool = False
    room: str = ""
    banker: str = ""
    balances: dict[str, int] = {}
    checks: tuple[Check, ...] = ()
    runs: tuple[Run, ...] = ()
    payouts: tuple[Payout, ...] = ()
    bought: dict[str, int] = {}
    sold_cents: int = 0
    redeemed_cents: int = 0
    shift: str = ""
    last_takes: dict[str, Take] = {}
    merged: dict[str, str] = {}


class BankerAppointed(Event, frozen=True, tag="cashier.BankerAppointed.v1"):
    """A player took over the bank."""

    player_id: str
    rules: tuple[str, ...]


class CageOpened(Moved, frozen=True, tag="cashier.CageOpened.v1"):
    """The cage opened with its chips and its cash."""

    room: str


class ShiftOpened(Event, frozen=True, tag="cashier.ShiftOpened.v1"):
    """A cashier took over the cage."""

    shift: str
    cashier: str


class ShiftClosed(Moved, frozen=True, tag="cashier.ShiftClosed.v1"):
    """A shift was counted out; a difference is booked to an account of its own with its reason."""

    shift: str
    expected_cash_cents: int
    counted_cash_cents: int
    expected_chips_cents: int
    counted_chips_cents: int
    reason: str


class ChipsSold(Moved, frozen=True, tag="cashier.ChipsSold.v1"):
    """Chips were sold for cash."""

    player_id: str
    cents: int
    by: str


class ChipsRedeemed(Moved, frozen=True, tag="cashier.ChipsRedeemed.v1"):
    """Chips were handed in and paid out; odd chips may be worth more or less than their face (HG-G8)."""

    player_id: str
    handed_in_cents: int
    paid_cents: int


class OddChipsWon(Event, frozen=True, tag="cashier.OddChipsWon.v1"):
    """The odd chips of a session were dealt for, one card a chip; the highest single card took them all."""

    pooled_cents: int
    winner: str
    card: str
    rules: tuple[str, ...]


class CheckTaken(Event, frozen=True, tag="cashier.CheckTaken.v1"):
    """A player wrote a check."""

    check: Check


class CheckProcessed(Event, frozen=True, tag="cashier.CheckProcessed.v1"):
    """A check was processed."""

    check_id: str


class CheckReturned(Event, frozen=True, tag="cashier.CheckReturned.v1"):
    """A check was not honoured; no chips are given for it."""

    check_id: str
    reason: str


class CheckChipsDelivered(Moved, frozen=True, tag="cashier.CheckChipsDelivered.v1"):
    """The chips for a processed check were given out."""

    check_id: str
    player_id: str
    cents: int


class RunnerSent(Moved, frozen=True, tag="cashier.RunnerSent.v1"):
    """A runner left the cage with chips for a player at a table."""

    run: Run


class RunnerArrived(Moved, frozen=True, tag="cashier.RunnerArrived.v1"):
    """The runner handed the chips over."""

    run_id: str
    player_id: str
    table: str
    cents: int


class ChipsBroughtToTable(Moved, frozen=True, tag="cashier.ChipsBroughtToTable.v1"):
    """A player put chips on a table."""

    table: str
    player_id: str
    cents: int


class ChipsTakenFromTable(Moved, frozen=True, tag="cashier.ChipsTakenFromTable.v1"):
    """Chips left a table with a player, or for a purpose such as a tip."""

    table: str
    player_id: str
    cents: int
    purpose: str = ""


class TableCounted(Moved, frozen=True, tag="cashier.TableCounted.v1"):
    """Chips of a table were found, missing, or moved by a ruling; the other side is an account of its own."""

    table: str
    change_cents: int
    reason: str


class DropTaken(Moved, frozen=True, tag="cashier.DropTaken.v1"):
    """A hand's rake or collection, or time, went into a table's drop box."""

    table: str
    hand_id: str
    cents: int
    what: str


class JackpotFunded(Moved, frozen=True, tag="cashier.JackpotFunded.v1"):
    """A hand's contribution went to a jackpot's account."""

    table: str
    hand_id: str
    cents: int


class TakeReturned(Moved, frozen=True, tag="cashier.TakeReturned.v1"):
    """What the house had taken from a hand went back to its table, because the hand was taken up again."""

    table: str
    hand_id: str
    cents: int
    what: str


class DropCounted(Moved, frozen=True, tag="cashier.DropCounted.v1"):
    """A drop box was counted and its chips went to the cage; a difference is booked with its reason."""

    table: str
    expected_cents: int
    counted_cents: int
    counted_by: tuple[str, ...]
    reason: str


class PayoutOwed(Event, frozen=True, tag="cashier.PayoutOwed.v1"):
    """The house owes a player."""

    payout: Payout


class PayoutPaid(Moved, frozen=True, tag="cashier.PayoutPaid.v1"):
    """What was owed was paid in chips."""

    payout_id: str
    player_id: str
    cents: int


class Adjusted(Moved, frozen=True, tag="cashier.Adjusted.v1"):
    """An account was put right by hand, for a named cause."""

    reason: str


class BankClosed(Moved, frozen=True, tag="cashier.BankClosed.v1"):
    """The banker's cash was counted; a shortfall is charged to the banker and everybody is paid (HG-G1a)."""

    owed_cents: int
    counted_cash_cents: int
    shortfall_cents: int
    surplus_cents: int
    banker: str


class RecordMerged(Moved, frozen=True, tag="cashier.RecordMerged.v1"):
    """A record was merged into another of the same person: what is owed to and by the one goes on under the other."""

    from_id: str
    into_id: str


class TournamentStarted(Event, frozen=True, tag="cashier.TournamentStarted.v1"):
    """A tournament opened for buy-ins."""

    tournament: str
    rebuy: bool
    fee_cents: int
    starting_chips: int
    rules: tuple[str, ...]


class TournamentLevelBegan(Event, frozen=True, tag="cashier.TournamentLevelBegan.v1"):
    """The next level of a tournament began."""

    level: int


class TournamentBoughtIn(Event, frozen=True, tag="cashier.TournamentBoughtIn.v1"):
    """A player paid the tournament's fee and got its starting chips."""

    player_id: str
    fee_cents: int
    chips: int
    rules: tuple[str, ...]


class ColoredUp(Event, frozen=True, tag="cashier.ColoredUp.v1"):
    """Odd low chips were taken out of a tournament by cards."""

    color: str
    pooled_chips: int
    new_chips: tuple[tuple[str, int], ...]
    rules: tuple[str, ...]


class TournamentFeeTaken(Moved, frozen=True, tag="cashier.TournamentFeeTaken.v1"):
    """The cash of a tournament fee came to the cage."""

    tournament: str
    player_id: str


class LedgerDayClosed(Event, frozen=True, tag="cashier.LedgerDayClosed.v1"):
    """The gaming day ended in the ledger; the room's chips and cash then."""

    chips_issued_cents: int
    cash_cents: int


class LedgerCarriedForward(CarriedForward, frozen=True, tag="cashier.LedgerCarriedForward.v1"):
    """What goes on in the next gaming day."""

    state: LedgerState


EVENTS = EventTypes(
    "cashier",
    (
        *KNOWN_EVENT_TYPES,
        BankerAppointed,
        CageOpened,
        ShiftOpened,
        ShiftClosed,
        ChipsSold,
        ChipsRedeemed,
        OddChipsWon,
        CheckTaken,
        CheckProcessed,
        CheckReturned,
        CheckChipsDelivered,
        RunnerSent,
        RunnerArrived,
        ChipsBroughtToTable,
        ChipsTakenFromTable,
        TableCounted,
        DropTaken,
        JackpotFunded,
        TakeReturned,
        DropCounted,
        PayoutOwed,
        PayoutPaid,
        Adjusted,
        BankClosed,
        RecordMerged,
        TournamentStarted,
        TournamentLevelBegan,
        TournamentBoughtIn,
        ColoredUp,
        TournamentFeeTaken,
        LedgerDayClosed,
        LedgerCarriedForward,
    ),
)
