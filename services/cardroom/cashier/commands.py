"""What the cashier context can be asked to do."""

import msgspec

from cardroom.kernel.decisions import Command


class AppointBanker(Command, frozen=True, tag="AppointBanker"):
    """Appoint the player who keeps the bank."""

    room: str
    player_id: str


class OpenCage(Command, frozen=True, tag="OpenCage"):
    """Open the cage with so many chips and so much cash."""

    room: str
    chips_cents: int
    cash_cents: int


class OpenShift(Command, frozen=True, tag="OpenShift"):
    """A cashier takes over the cage."""

    room: str
    shift: str


class CloseShift(Command, frozen=True, tag="CloseShift"):
    """Count the cage out; a difference needs a reason."""

    room: str
    shift: str
    counted_cash_cents: int
    counted_chips_cents: int
    reason: str = ""


class SellChips(Command, frozen=True, tag="SellChips"):
    """Sell chips.

    Args:
        player_id: the buyer.
        cents: chips asked for.
        cash_received_cents: money handed over.
        seller: player id of the seller where a player keeps the bank.
        chips_in_front_cents: chips the buyer has on the table; None where unknown.
        money_left_cents: all the money the buyer has, as declared; None where not said.
    """

    room: str
    player_id: str
    cents: int
    cash_received_cents: int
    seller: str = ""
    chips_in_front_cents: int | None = None
    money_left_cents: int | None = None


class RedeemChips(Command, frozen=True, tag="RedeemChips"):
    """Hand chips in for cash."""

    room: str
    player_id: str
    cents: int


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    """What a player hands in at the end of a session, with the cards dealt for the odd chips."""

    player_id: str
    cents: int
    cards: tuple[str, ...] = ()


class SettleOddChips(Command, frozen=True, tag="SettleOddChips"):
    """End the session: everybody hands in, odd chips are dealt for with one card each."""

    room: str
    holdings: tuple[Holding, ...]
    odd_chip_cents: int


class AcceptCheck(Command, frozen=True, tag="AcceptCheck"):
    """A player writes a check at a table or at the cage."""

    room: str
    check_id: str
    player_id: str
    cents: int
    table: str = ""


class ProcessCheck(Command, frozen=True, tag="ProcessCheck"):
    """A check has been processed."""

    room: str
    check_id: str


class ReturnCheck(Command, frozen=True, tag="ReturnCheck"):
    """A check is not honoured."""

    room: str
    check_id: str
    reason: str


class DeliverCheckChips(Command, frozen=True, tag="DeliverCheckChips"):
    """Give out the chips for a processed check."""

    room: str
    check_id: str


class SendRunner(Command, frozen=True, tag="SendRunner"):
    """Send a runner to a table with chips bought for cash."""

    room: str
    run_id: str
    runner: str
    player_id: str
    table: str
    cents: int
    cash_received_cents: int


class RunnerArrives(Command, frozen=True, tag="RunnerArrives"):
    """The runner hands the chips over."""

    room: str
    run_id: str


class NoteChipsToTable(Command, frozen=True, tag="NoteChipsToTable"):
    """A player put chips on a table, as seating or tables published."""

    room: str
    table: str
    player_id: str
    cents: int
    cause: str = ""


class NoteChipsFromTable(Command, frozen=True, tag="NoteChipsFromTable"):
    """Chips left a table with a player, or for a purpose such as a tip, as tables published."""

    room: str
    table: str
    player_id: str
    cents: int
    cause: str = ""
    purpose: str = ""


class NoteTableCount(Command, frozen=True, tag="NoteTableCount"):
    """A count of a table's stacks found chips (positive) or missed some, or a ruling moved chips of the house."""

    room: str
    table: str
    change_cents: int
    account: str
    reason: str
    rules: tuple[str, ...] = ()
    cause: str = ""


class NoteDrop(Command, frozen=True, tag="NoteDrop"):
    """A hand's rake or collection, or time, went into the drop box."""

    room: str
    table: str
    hand_id: str
    cents: int
    what: str
    cause: str = ""


class NoteJackpotDrop(Command, frozen=True, tag="NoteJackpotDrop"):
    """A hand paid into the jackpot."""

    room: str
    table: str
    hand_id: str
    cents: int
    cause: str = ""


class NoteTakeReturned(Command, frozen=True, tag="NoteTakeReturned"):
    """A settled hand was taken up again, and the house gave back what it had taken from it."""

    room: str
    table: str
    hand_id: str
    cents: int
    what: str
    cause: str = ""


class CountDrop(Command, frozen=True, tag="CountDrop"):
    """Count a table's drop box; two people count, a difference needs a reason."""

    room: str
    table: str
    counted_cents: int
    counted_by: tuple[str, ...]
    reason: str = ""


class NotePayout(Command, frozen=True, tag="NotePayout"):
    """The house owes a player a share of a jackpot."""

    room: str
    payout_id: str
    player_id: str
    cents: int
    reason: str
    rules: tuple[str, ...] = ()


class PayOut(Command, frozen=True, tag="PayOut"):
    """Pay what is owed, in chips."""

    room: str
    payout_id: str


class Adjust(Command, frozen=True, tag="Adjust"):
    """Move value between two accounts by hand, for a named cause."""

    room: str
    from_account: str
    to_account: str
    cents: int
    reason: str


class CloseBank(Command, frozen=True, tag="CloseBank"):
    """Count the banker's cash at the end of the session, jackpot money in it."""

    room: str
    counted_cash_cents: int


class StartTournament(Command, frozen=True, tag="StartTournament"):
    """Open a tournament for buy-ins."""

    room: str
    tournament: str
    rebuy: bool
    fee_cents: int


class BeginTournamentLevel(Command, frozen=True, tag="BeginTournamentLevel"):
    """Begin the next level of a tournament."""

    room: str
    tournament: str


class TournamentBuyIn(Command, frozen=True, tag="TournamentBuyIn"):
    """Buy in to a tournament for its fee."""

    room: str
    tournament: str
    player_id: str
    cash_received_cents: int


class ColorUp(Command, frozen=True, tag="ColorUp"):
    """Take odd low chips out of a tournament by cards.

    Args:
        color: the chip taken out.
        to_color: the chip that replaces it.
        leftovers: player, number of odd chips and the cards dealt for them, one a chip.
    """

    room: str
    tournament: str
    color: str
    to_color: str
    leftovers: tuple[Holding, ...]


class CloseDay(Command, frozen=True, tag="CloseDay"):
    """The gaming day ends; `gaming_day` is the one that begins."""

    room: str
    gaming_day: str
