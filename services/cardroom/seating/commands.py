"""What can be asked of seating."""

from datetime import datetime
from typing import ClassVar

from cardroom.kernel.decisions import Command
from cardroom.known.standing import Standing
from cardroom.seating.values import Deal, LockKind


class OfTable(Command, frozen=True):
    """A command about one table."""

    facts_read: ClassVar[tuple[str, ...]] = ("standing",)

    room: str
    table: str


class OpenTable(OfTable, frozen=True, tag="OpenTable"):
    """Open a game at a table; only management does."""

    game_id: str
    extra_seats: int = 0
    order: tuple[str, ...] = ()
    feeds: str = ""


class CloseTable(OfTable, frozen=True, tag="CloseTable"):
    """Close a game at which nobody sits any more."""


class NoteCalled(OfTable, frozen=True, tag="NoteCalled"):
    """The list called names for a new game."""

    player_ids: tuple[str, ...]


class NoteUncalled(OfTable, frozen=True, tag="NoteUncalled"):
    """A name called for a new game does not come."""

    player_id: str


class NoteWaiting(OfTable, frozen=True, tag="NoteWaiting"):
    """So many names wait for this game."""

    names: int


class ArriveAtTable(OfTable, frozen=True, tag="ArriveAtTable"):
    """A called player reached the table."""

    player_id: str


class LockSeat(OfTable, frozen=True, tag="LockSeat"):
    """Keep a seat for a player."""

    seat: int
    player_id: str
    kind: LockKind = LockKind.NAME
    entry_id: str = ""
    standing: Standing | None = None
    until_hand_ends_at: str = ""


class ReleaseLock(OfTable, frozen=True, tag="ReleaseLock"):
    """Give a kept seat free; the player it is kept for, or the floor, may."""

    seat: int
    by_player: str = ""


class ExpireLock(OfTable, frozen=True, tag="ExpireLock"):
    """The time of a lock is up."""

    seat: int
    player_id: str


class ReserveSeat(OfTable, frozen=True, tag="ReserveSeat"):
    """Keep a seat for a player for good cause; an empty player ends it."""

    seat: int
    player_id: str
    cause: str


class OfferOpenSeat(OfTable, frozen=True, tag="OfferOpenSeat"):
    """Ask those in the game whether one wants an open seat."""

    seat: int


class TakeSeat(OfTable, frozen=True, tag="TakeSeat"):
    """Sit down in a seat kept for the player, with chips."""

    seat: int
    player_id: str
    buy_in_cents: int
    standing: Standing | None = None
    entry_id: str = ""


class LeaveSeat(OfTable, frozen=True, tag="LeaveSeat"):
    """Leave the game with what is in front of the player."""

    player_id: str
    chips_cents: int | None = None


class TransferSeat(OfTable, frozen=True, tag="TransferSeat"):
    """Give the seat to another person, who comes in as a new player."""

    player_id: str
    to_player_id: str
    buy_in_cents: int
    chips_cents: int | None = None
    standing: Standing | None = None


class CorrectSeats(OfTable, frozen=True, tag="CorrectSeats"):
    """Put right that two players sat in each other's seats."""

    seats: tuple[int, int]
    reason: str


class RequestSeatChange(OfTable, frozen=True, tag="RequestSeatChange"):
    """Ask for another seat of the table; 0 is any."""

    player_id: str
    seat: int


class DeclineSeat(OfTable, frozen=True, tag="DeclineSeat"):
    """A player who asked for a change does not want the seat offered."""

    player_id: str
    seat: int
    cancel: bool = False


class AssignOpenSeat(OfTable, frozen=True, tag="AssignOpenSeat"):
    """Give an open seat to the player in the game who comes first."""

    seat: int
    cards: tuple[tuple[str, str], ...] = ()
    order_unknown: bool = False


class ChangeSeat(OfTable, frozen=True, tag="ChangeSeat"):
    """Move to another seat of the table."""

    player_id: str
    seat: int


class GrantSeatChange(OfTable, frozen=True, tag="GrantSeatChange"):
    """Grant another seat; a player in the blinds may finish them first."""

    player_id: str
    seat: int


class SwapSeats(OfTable, frozen=True, tag="SwapSeats"):
    """Two players change places by agreement."""

    seats: tuple[int, int]


class RequestHand(OfTable, frozen=True, tag="RequestHand"):
    """Ask to be dealt into the coming hand."""

    player_id: str
    deal: Deal
    post_cents: int = 0
    standing: Standing | None = None


class ClaimFreeEntry(OfTable, frozen=True, tag="ClaimFreeEntry"):
    """Claim to have dealt off, and so to come in behind the button for nothing."""

    player_id: str


class NoteHand(OfTable, frozen=True, tag="NoteHand"):
    """A hand began.

    Args:
        deal: its number, button and blinds.
        dealt_in: the seats dealt in.
        players: who was dealt in, in the order of `dealt_in`; empty where not known. A seat may have changed hands
            while the word of the hand was on its way, and who sits there now was not dealt in.
    """

    deal: Deal
    dealt_in: tuple[int, ...]
    players: tuple[str, ...] = ()


class NoteHandEnd(OfTable, frozen=True, tag="NoteHandEnd"):
    """A hand ended."""

    number: int


class NoteMissedBlind(OfTable, frozen=True, tag="NoteMissedBlind"):
    """The big blind went by an absent player's seat."""

    seat: int
    player_id: str = ""


class LeaveTable(OfTable, frozen=True, tag="LeaveTable"):
    """Be away from the table for a time."""

    player_id: str


class NotifyAbsence(OfTable, frozen=True, tag="NotifyAbsence"):
    """Tell the floor, before leaving, until when one will be away."""

    player_id: str
    until: datetime


class StartMealBreak(OfTable, frozen=True, tag="StartMealBreak"):
    """Take a meal break announced to the floor."""

    player_id: str


class ReturnToTable(OfTable, frozen=True, tag="ReturnToTable"):
    """Come back to the table."""

    player_id: str


class ExtendAbsence(OfTable, frozen=True, tag="ExtendAbsence"):
    """Give an absent player more time."""

    player_id: str
    until: datetime


class RaiseAbsence(OfTable, frozen=True, tag="RaiseAbsence"):
    """The time of an absence is up."""

    seat: int
    player_id: str


class ReviewAbsences(OfTable, frozen=True, tag="ReviewAbsences"):
    """Look at how often a player was away."""

    seat: int
    left_seated_reason: str = ""


class PickUpChips(OfTable, frozen=True, tag="PickUpChips"):
    """Take a player's chips off the table and open the seat."""

    seat: int
    chips_cents: int | None = None
    reason: str = ""


class AddGuest(OfTable, frozen=True, tag="AddGuest"):
    """Let a guest sit behind a player."""

    player_id: str
    guest_id: str
    objections: tuple[int, ...] = ()


class RemoveGuest(OfTable, frozen=True, tag="RemoveGuest"):
    """A guest leaves or is told to."""

    player_id: str
    guest_id: str
    reason: str = ""


class AllowPlayOver(OfTable, frozen=True, tag="AllowPlayOver"):
    """Permit somebody to play in an absent player's seat."""

    seat: int
    player_id: str


class PlaceBox(OfTable, frozen=True, tag="PlaceBox"):
    """Lay the play-over box over an absent player's chips."""

    seat: int


class PlayOverSeat(OfTable, frozen=True, tag="PlayOverSeat"):
    """Sit down in an absent player's seat with chips of one's own."""

    seat: int
    player_id: str
    buy_in_cents: int
    owner_consents: bool = False
    standing: Standing | None = None


class EndPlayOver(OfTable, frozen=True, tag="EndPlayOver"):
    """Stop playing in an absent player's seat."""

    seat: int
    chips_cents: int | None = None


class RegisterSubstitute(OfTable, frozen=True, tag="RegisterSubstitute"):
    """Somebody is to play an absent player's chips."""

    seat: int
    player_id: str
    deal: Deal


class ApproveTableChange(OfTable, frozen=True, tag="ApproveTableChange"):
    """Approve that a player moves to another table, and keep the seat there."""

    player_id: str
    to_table: str
    to_seat: int


class OrderMustMove(OfTable, frozen=True, tag="OrderMustMove"):
    """A must-move player is called to the main game."""

    player_id: str
    to_table: str
    to_seat: int


class OrderLeave(OfTable, frozen=True, tag="OrderLeave"):
    """A must-move player refused to move and has to leave."""

    player_id: str


class CancelMove(OfTable, frozen=True, tag="CancelMove"):
    """Let a player stay who was to move; the seat kept elsewhere is given free."""

    player_id: str
    reason: str


class FollowMustMove(OfTable, frozen=True, tag="FollowMustMove"):
    """The list called a must-move player to the main game; where it cannot be, that is put on record."""

    player_id: str
    to_table: str
    to_seat: int


class FollowLeave(OfTable, frozen=True, tag="FollowLeave"):
    """The list had a must-move player refuse; where the player is gone already, nothing follows."""

    player_id: str


class FollowLock(OfTable, frozen=True, tag="FollowLock"):
    """The list wants a seat kept; where it cannot be, that is put on record."""

    seat: int
    player_id: str
    kind: LockKind
    entry_id: str = ""


class MovePlayer(OfTable, frozen=True, tag="MovePlayer"):
    """Carry out a move that was approved, ordered or drawn, with the chips taken along."""

    player_id: str
    to_table: str
    to_seat: int
    stack_cents: int | None = None
    bring_cents: int = 0
    standing: Standing | None = None


class ForceTableChange(OfTable, frozen=True, tag="ForceTableChange"):
    """Move a player whose game was changed to another table, as one from a broken game."""

    player_id: str
    to_table: str
    to_seat: int
    stack_cents: int
    standing: Standing | None = None


class BuyChips(OfTable, frozen=True, tag="BuyChips"):
    """Add chips to the stack of a seated player."""

    player_id: str
    amount_cents: int
    stack_cents: int
    last_money: bool = False
    standing: Standing | None = None


class BreakTable(OfTable, frozen=True, tag="BreakTable"):
    """The game ends and its players look for seats elsewhere."""

    reason: str
    refused_blind_by: str = ""
    stacks: tuple[tuple[str, int], ...] = ()


class DrawForSeats(OfTable, frozen=True, tag="DrawForSeats"):
    """Draw for the order in which players of a broken game get seats; players and cards.

    Without cards the server draws; `drawn_by_floor` names the absent ones for whom the floor drew.
    """

    cards: tuple[tuple[str, str], ...] = ()
    seats: tuple[tuple[str, int], ...] = ()


class CutForSeat(OfTable, frozen=True, tag="CutForSeat"):
    """Players of a short game cut cards for one seat in another game."""

    to_table: str
    to_seat: int
    cards: tuple[tuple[str, str], ...]


class DrawForButton(OfTable, frozen=True, tag="DrawForButton"):
    """Draw for the button of a new game; seats and cards, or the server draws."""

    cards: tuple[tuple[str, str], ...] = ()


class DealForMove(OfTable, frozen=True, tag="DealForMove"):
    """Deal a card to each player to settle who moves; cards as they come off the deck."""

    cards: tuple[str, ...] = ()


class ProposeLimitChange(OfTable, frozen=True, tag="ProposeLimitChange"):
    """Propose another game for the table."""

    game_id: str


class ObjectToLimitChange(OfTable, frozen=True, tag="ObjectToLimitChange"):
    """A player does not want the change."""

    player_id: str


class ApproveLimitChange(OfTable, frozen=True, tag="ApproveLimitChange"):
    """Management approves the change, which takes force with the next hand; `stacks` names what players have."""

    stacks: tuple[tuple[str, int], ...] = ()


class ChangeLimit(OfTable, frozen=True, tag="ChangeLimit"):
    """Put a change in force without management's approval; `stacks` names what players have."""

    stacks: tuple[tuple[str, int], ...] = ()


class MarkSmokingSeat(OfTable, frozen=True, tag="MarkSmokingSeat"):
    """Make a seat a smoking seat."""

    seat: int


class ExcludePlayer(Command, frozen=True, tag="ExcludePlayer"):
    """A person may no longer play; dealt out at once, and out of the seat where the house wants it."""

    room: str
    player_id: str
    code: str
    rules: tuple[str, ...]
    until: datetime | None = None
    must_leave: bool = True


class ReadmitPlayer(Command, frozen=True, tag="ReadmitPlayer"):
    """A person may play again."""

    room: str
    player_id: str


class BarFromGame(Command, frozen=True, tag="BarFromGame"):
    """A player who refused a must-move may not play that game for a while."""

    room: str
    player_id: str
    game_id: str
    until: datetime
    rules: tuple[str, ...]


class MergePresence(Command, frozen=True, tag="MergePresence"):
    """Two records turned out to be one person."""

    room: str
    from_id: str
    into_id: str


class CloseDay(OfTable, frozen=True, tag="CloseDay"):
    """End the table's stream of this gaming day and carry it into the next."""

    gaming_day: str


COMMANDS: tuple[type[Command], ...] = tuple(
    value
    for value in tuple(globals().values())
    if isinstance(value, type) and issubclass(value, Command) and value not in {Command, OfTable}
)
