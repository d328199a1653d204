"""Commands of one hand. A hand is started by the table's own command; these are what may follow."""

from datetime import datetime

from cardroom.kernel.decisions import Command
from cardroom.tables.hand_events import Source


class HandCommand(Command, frozen=True, kw_only=True):
    """A command to one hand.

    Args:
        room: the room.
        table: the table.
        hand: the hand's id.
        after: version of the last event of the hand the caller saw, where that matters; 0 where it does not.
    """

    room: str
    table: str
    hand: str
    after: int = 0


class SeatCommand(HandCommand, frozen=True, kw_only=True):
    """A command about one seat.

    Args:
        seat: whose.
        source: who told.
        reconstructed: entered after the fact.
    """

    seat: int
    source: Source = Source.DEALER
    reconstructed: bool = False


class ActionCommand(SeatCommand, frozen=True, kw_only=True):
    """An action of a player.

    Args:
        rules: ids of the book that a doubtful action was read by; empty for a plain one.
    """

    rules: tuple[str, ...] = ()


class Fold(ActionCommand, frozen=True, tag="Fold"):
    """Give the hand up."""


class Check(ActionCommand, frozen=True, tag="Check"):
    """Pass with nothing to call."""


class Call(ActionCommand, frozen=True, tag="Call"):
    """Meet the highest wager, or put in all that is left where that is less."""


class Bet(ActionCommand, frozen=True, tag="Bet"):
    """Open the betting.

    Args:
        to_cents: what the player has in front for the round then.
    """

    to_cents: int


class RaiseTo(ActionCommand, frozen=True, tag="RaiseTo"):
    """Raise, or complete a short wager or the bring-in.

    Args:
        to_cents: what the player has in front for the round then.
    """

    to_cents: int


class AllIn(ActionCommand, frozen=True, tag="AllIn"):
    """Put in every chip that plays: a call, bet or raise, as it comes out.

    Args:
        to_cents: what the player has in front then; asked for only where the stack is not known.
    """

    to_cents: int | None = None


class BringIn(ActionCommand, frozen=True, tag="BringIn"):
    """Put in the forced bring-in (stud)."""


class NoteHoleCards(HandCommand, frozen=True, tag="NoteHoleCards"):
    """Enter cards dealt face down to one seat or to several.

    Args:
        hands: (seat, its cards dealt since the last entry), `??` for a card not seen.
        source: who told.
        reconstructed: entered after the fact.
    """

    hands: tuple[tuple[int, tuple[str, ...]], ...]
    source: Source = Source.DEALER
    reconstructed: bool = False


class DealStreet(HandCommand, frozen=True, tag="DealStreet"):
    """Enter the next street's cards.

    Args:
        board: community cards, `??` where not known; empty where none were read.
        up: seat -> upcard (stud); may be empty where none were read.
        burned: the burn card where it was seen.
        run: which board, from 0, where it is dealt more than once.
        community: stud: the deck is short and one card is dealt for all.
        opener: seat that opens, where upcards that decide it are not known or do not count; 0 otherwise.
        opener_may_fold: stud: whether the opener may fold instead of bringing it in (stud.exposed_low_brings_in).
    """

    board: tuple[str, ...] = ()
    up: tuple[tuple[int, str], ...] = ()
    burned: str = ""
    run: int = 0
    community: bool = False
    opener: int = 0
    opener_may_fold: bool = False


class Exchange(SeatCommand, frozen=True, tag="Exchange"):
    """Draw, stand pat or discard.

    Args:
        count: cards put away.
        discarded: which, as far as seen.
        drawn: what came for them, as far as seen.
    """

    count: int
    discarded: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()


class TakeRake(HandCommand, frozen=True, tag="TakeRake"):
    """Take the house's share out of a pot.

    Args:
        rake_cents: for the house.
        jackpot_drop_cents: for the jackpot.
        pot: index of the pot.
    """

    rake_cents: int = 0
    jackpot_drop_cents: int = 0
    pot: int = 0


class AgreeRuns(HandCommand, frozen=True, tag="AgreeRuns"):
    """Deal the rest of the board more than once.

    Args:
        times: how many boards.
        seats: who agreed.
    """

    times: int
    seats: tuple[int, ...]


class PutAway(SeatCommand, frozen=True, tag="PutAway"):
    """Declaring: put away the cards that will not count.

    Args:
        cards: which, `??` where not seen.
    """

    cards: tuple[str, ...]


class SealDeclaration(SeatCommand, frozen=True, tag="SealDeclaration"):
    """Declaring: hold a closed fist over the table.

    Args:
        chips: how many are in it; None while only the player knows.
    """

    chips: int | None = None


class RevealDeclarations(HandCommand, frozen=True, tag="RevealDeclarations"):
    """Declaring: all fists open on the dealer's word.

    Args:
        chips: (seat, chips) for those whose count was not known before.
    """

    chips: tuple[tuple[int, int], ...] = ()


class DeclareAloud(SeatCommand, frozen=True, tag="DeclareAloud"):
    """Declaring in turn: say which way the hand goes.

    Args:
        way: `high`, `low` or `both`.
    """

    way: str


class ShowHand(SeatCommand, frozen=True, tag="ShowHand"):
    """Turn cards face up at the showdown, or once no betting can follow.

    Args:
        cards: those turned up now; empty for all that are known.
    """

    cards: tuple[str, ...] = ()


class SayBoardPlays(SeatCommand, frozen=True, tag="SayBoardPlays"):
    """Say that one plays the board."""


class MuckHand(SeatCommand, frozen=True, tag="MuckHand"):
    """Throw the hand away at the showdown.

    Args:
        in_muck: whether it has gone into the muck.
        identifiable: whether it can still be told from the other cards.
    """

    in_muck: bool = True
    identifiable: bool = True


class KillHand(SeatCommand, frozen=True, tag="KillHand"):
    """The dealer kills a losing hand."""


class RuleHandDead(SeatCommand, frozen=True, tag="RuleHandDead"):
    """A floorperson's ruling makes a hand dead; its wagers stay in.

    Args:
        rules: ids the ruling rests on.
    """

    rules: tuple[str, ...]


class StandAsMade(ActionCommand, frozen=True, tag="StandAsMade"):
    """Enter an action that the book would not have offered but that stands: out of turn, or of no proper amount.

    Args:
        act: `fold`, `check`, `call`, `bet`, `raise`, or `all_in` for all-in with what is in front, whatever is behind.
        to_cents: what the player has in front for the round then.
        rules: ids it stands by; never empty.
    """

    act: str
    to_cents: int


class HoldToAction(ActionCommand, frozen=True, tag="HoldToAction"):
    """Hold a player to what was done before the turn, unless somebody bets, calls or raises before it comes.

    Args:
        act: `check`, `call`, `bet` or `raise`.
        to_cents: what the player has in front for the round then.
        rules: ids it rests on; never empty.
    """

    act: str
    to_cents: int


class BarRaise(ActionCommand, frozen=True, tag="BarRaise"):
    """Bar a player from betting and raising at the next turn.

    Args:
        code: reason for programs.
        why: the sentence.
        rules: ids it rests on; never empty.
        whole_round: for the rest of the round.
    """

    code: str
    why: str
    whole_round: bool = False


class PassOver(ActionCommand, frozen=True, tag="PassOver"):
    """Let the turn of a player come after those who acted behind.

    Args:
        acted: seats that acted meanwhile, the first that did first.
        rules: ids it rests on; never empty.
    """

    acted: tuple[int, ...]


class LeaveChipsIn(ActionCommand, frozen=True, tag="LeaveChipsIn"):
    """Chips that a player put in stay in, though they are no action yet.

    Args:
        cents: how much.
        rules: ids it rests on; never empty.
    """

    cents: int


class CallClock(SeatCommand, frozen=True, tag="CallClock"):
    """Put the clock on the player whose turn it is.

    Args:
        at: when, in UTC; None for the time of the command.
    """

    at: datetime | None = None


class ExpireClock(SeatCommand, frozen=True, tag="ExpireClock"):
    """The clock on a player has run out.

    Args:
        due_at: when it ran out, in UTC.
        floor_at_table: whether an irregularity waits for the floor, so that nothing follows by itself.
    """

    due_at: datetime
    floor_at_table: bool = False


class AskToSee(HandCommand, frozen=True, tag="AskToSee"):
    """Ask to see a called hand.

    Args:
        asked_by: the seat that asks.
        seat: whose hand.
        asker_seated: whether the one who asks sits at the table now.
        privilege_withdrawn: whether the right was taken away from the one who asks.
    """

    asked_by: int
    seat: int
    asker_seated: bool = True
    privilege_withdrawn: bool = False


class AwardPots(HandCommand, frozen=True, tag="AwardPots"):
    """Push the pots.

    Args:
        pot: index of one pot; None for all that are left.
        losers_killed: the dealer has killed every losing hand that was still on the table.
        winners: seats the dealer gives it to, where cards that decide are not known.
        low_winners: the same for the low half.
        agreed: seats that agreed to divide it, which most books refuse.
    """

    pot: int | None = None
    losers_killed: bool = False
    winners: tuple[int, ...] = ()
    low_winners: tuple[int, ...] = ()
    agreed: tuple[int, ...] = ()


class ChopBlinds(HandCommand, frozen=True, tag="ChopBlinds"):
    """The blinds take their bets back, all others having folded."""


class PushBets(HandCommand, frozen=True, tag="PushBets"):
    """Players ask to hand each other back wagers (saving, potting out).

    Args:
        returns: (seat, cents) each would take back.
    """

    returns: tuple[tuple[int, int], ...]


class AskRefund(SeatCommand, frozen=True, tag="AskRefund"):
    """A player asks for wagers of the hand back, finding that they could not win (stud: beaten on board).

    Args:
        cents: how much.
    """

    cents: int


class NoteWinner(HandCommand, frozen=True, tag="NoteWinner"):
    """Enter who took the pot of a hand whose actions are not entered.

    Args:
        seats: the winners.
        pot_cents: how much it was; None where nobody counted it.
        source: who told.
    """

    seats: tuple[int, ...]
    pot_cents: int | None = None
    source: Source = Source.DEALER


class VoidHand(HandCommand, frozen=True, tag="VoidHand"):
    """Void the hand, all chips going back: a misdeal or a fouled deck, once ruled so.

    Args:
        reason: why.
        rules: ids the ruling rests on.
        collection_returned: whether the collection goes back too.
    """

    reason: str
    rules: tuple[str, ...]
    collection_returned: bool = True


class RewindHand(HandCommand, frozen=True, tag="RewindHand"):
    """Go on from an earlier point of the hand.

    Args:
        to: version in the hand's stream of the last event that still counts.
        reason: why.
    """

    to: int
    reason: str


class CorrectEntry(HandCommand, frozen=True, tag="CorrectEntry"):
    """Replace a wrong entry and enter what followed it anew.

    Args:
        entry: version in the hand's stream of the entry that was wrong.
        corrected: the command that should have been entered; None to take the entry out.
        reason: why.
    """

    entry: int
    corrected: HandCommand | None
    reason: str


HAND_COMMANDS: tuple[type[HandCommand], ...] = (
    Fold,
    Check,
    Call,
    Bet,
    RaiseTo,
    AllIn,
    BringIn,
    NoteHoleCards,
    DealStreet,
    Exchange,
    TakeRake,
    AgreeRuns,
    PutAway,
    SealDeclaration,
    RevealDeclarations,
    DeclareAloud,
    ShowHand,
    SayBoardPlays,
    MuckHand,
    KillHand,
    RuleHandDead,
    StandAsMade,
    HoldToAction,
    BarRaise,
    PassOver,
    LeaveChipsIn,
    CallClock,
    ExpireClock,
    AskToSee,
    AwardPots,
    ChopBlinds,
    PushBets,
    AskRefund,
    NoteWinner,
    VoidHand,
    RewindHand,
    CorrectEntry,
)
"""The command classes of a hand."""
