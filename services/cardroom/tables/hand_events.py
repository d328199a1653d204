"""Events of one hand's stream, `hand/<room>/<table>/<hand>`.

These are storage formats: a new shape gets a new topic. Each event carries what the rules made of it (whose turn,
which pots, who gets what), so that a fold needs no rule. Stacks, cards and amounts nobody told us are None or `??`.
"""

from datetime import datetime
from enum import StrEnum

import msgspec

from cardroom.kernel.events import Event
from cardroom.known.games import Game
from cardroom.poker.betting import Bar, BettingRound, Held
from cardroom.poker.legal import Act
from cardroom.poker.pots import Pot


class Source(StrEnum):
    """Who or what told a fact."""

    DEALER = "dealer"
    PLAYER = "player"
    FLOOR = "floor"
    CAMERA = "camera"
    DEVICE = "device"
    RECORD = "record"
    """A hand history that was imported."""


class Known(StrEnum):
    """How much of a kind of fact a hand's capture level gives."""

    NONE = "none"
    SOME = "some"
    ALL = "all"


class Capture(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What is entered for a hand.

    Args:
        cards: hole cards.
        stacks: chips in front of the players.
        actions: every action, or only the outcome (`counted`, `ruling facts`).
    """

    cards: Known = Known.SOME
    stacks: Known = Known.ALL
    actions: Known = Known.ALL


class PostKind(StrEnum):
    """Why chips were put up before the cards."""

    ANTE = "ante"
    SMALL_BLIND = "small_blind"
    BIG_BLIND = "big_blind"
    THIRD_BLIND = "third_blind"
    MISSED_BLINDS = "missed_blinds"
    NEW_PLAYER = "new_player"
    STRADDLE = "straddle"
    BUTTON_STRADDLE = "button_straddle"
    KILL = "kill"
    COLLECTION = "collection"


class Post(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Chips a seat put up before the cards.

    Args:
        seat: whose.
        kind: why.
        live_cents: counts toward the wager of the first round and lies in the pot.
        dead_cents: lies in the main pot and counts toward nothing (a dead small blind, one player's ante for all).
        ante_cents: lies in the pot and is matched by everybody's ante, outside the wager of the first round.
        house_cents: taken by the house (collection).
        house_live: whether `house_cents` counts toward the wager of the first round (collection.button_live).
    """

    seat: int
    kind: PostKind
    live_cents: int = 0
    dead_cents: int = 0
    ante_cents: int = 0
    house_cents: int = 0
    house_live: bool = False


class SeatDealt(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A player who is dealt in.

    Args:
        seat: number at the table.
        player: the player's id, or a name that stands for it in an imported hand.
        stack_cents: chips before any post; None where not known.
    """

    seat: int
    player: str
    stack_cents: int | None


class Phase(StrEnum):
    """Where a hand stands."""

    NONE = "none"
    """No hand was started under this id."""
    DEALING = "dealing"
    """The next street's cards are due."""
    BETTING = "betting"
    EXCHANGING = "exchanging"
    """Players draw or discard."""
    DECLARING = "declaring"
    """High-low: players put cards away and declare."""
    SHOWDOWN = "showdown"
    SETTLED = "settled"
    VOID = "void"
    """Misdealt or voided: the chips went back."""


class HandStarted(Event, frozen=True, gc=False, tag="tables.HandStarted.v1"):
    """Cards are in the air: who is dealt in, who posted what, whose turn it is.

    Args:
        hand: the hand's id, unique in its room; also owns the key of its unshown cards.
        room: the room.
        table: the table.
        number: count of hands at the table.
        book_digest: digest of the resolved book the hand is played under to its end.
        engine: version of the rules engine that decides it.
        game: the game as offered.
        small_bet_cents: this hand's lower or least bet (a kill raises it).
        big_bet_cents: this hand's upper bet.
        button_seat: where the button is, though nobody sits there; 0 in stud (the dealer's left opens the deal).
        seats: those dealt in, clockwise from the first left of the button.
        posts: in the order posted, as they were put up (short where the stack was).
        capture: what will be entered.
        betting: the first round with the forced bets in; None where it waits for upcards.
        phase: what comes now.
        carried_cents: dead money in the pot that none of those dealt in put there: chips left from the deal before,
            collections taken from absent players' stacks.
    """

    hand: str
    room: str
    table: str
    number: int
    book_digest: str
    engine: str
    game: Game
    small_bet_cents: int
    big_bet_cents: int
    button_seat: int
    seats: tuple[SeatDealt, ...]
    posts: tuple[Post, ...]
    capture: Capture
    betting: BettingRound | None
    phase: Phase
    carried_cents: int = 0


class HoleCardsNoted(Event, frozen=True, gc=False, tag="tables.HoleCardsNoted.v1"):
    """Cards dealt face down to some seats, as far as somebody or something saw them.

    Args:
        hand: the hand.
        seats: whose, in the order told.
        cards: those dealt now to each of the seats, `??` for one not seen; None once the hand's key is gone.
        source: who told.
        reconstructed: entered after the fact.
    """

    confidential = ("cards",)
    subject = "hand"

    hand: str
    seats: tuple[int, ...]
    cards: tuple[tuple[str, ...], ...] | None
    source: Source = Source.DEALER
    reconstructed: bool = False


class StreetDealt(Event, frozen=True, gc=False, tag="tables.StreetDealt.v1"):
    """The next street's cards lie on the table.

    Args:
        street: index in the form's streets.
        board: community cards dealt, `??` where not known.
        up: (seat, card) for each upcard.
        burned: the burn card where it was seen, "" where not.
        run: which run of the board, from 0, where it is dealt more than once.
        community: whether `board` is stud's one card for all, the deck being short (stud.not_enough_cards).
        opener: seat named as opener with the cards, 0 where the cards told it.
        opener_may_fold: whether it was named as one that may fold instead of bringing it in.
        betting: the round that begins; None where no betting follows.
        phase: what comes now.
        show_order: who shows, in order, where the showdown begins.
        rules: ids the opener rests on.
    """

    street: int
    board: tuple[str, ...] = ()
    up: tuple[tuple[int, str], ...] = ()
    burned: str = ""
    run: int = 0
    community: bool = False
    opener: int = 0
    opener_may_fold: bool = False
    betting: BettingRound | None = None
    phase: Phase = Phase.BETTING
    show_order: tuple[int, ...] = ()
    rules: tuple[str, ...] = ()


class ActionTaken(Event, frozen=True, gc=False, tag="tables.ActionTaken.v1"):
    """A player acted.

    Args:
        seat: who.
        act: what it was.
        added_cents: chips put in now.
        to_cents: what the player has in front for the round.
        all_in: whether that was every chip that plays.
        betting: the round as it stands after it.
        source: who told.
        reconstructed: entered after the fact.
        rules: ids of the book that a doubtful action was read by; empty for a plain one.
        as_made: whether the book would not have offered it, and it stands (out of turn, no proper amount).
    """

    seat: int
    act: Act
    added_cents: int
    to_cents: int
    all_in: bool
    betting: BettingRound
    source: Source = Source.DEALER
    reconstructed: bool = False
    rules: tuple[str, ...] = ()
    as_made: bool = False


class TurnRuled(Event, frozen=True, tag="tables.TurnRuled.v1"):
    """What a player may do at a coming turn was limited, or the turn comes later.

    Args:
        seat: whose turn.
        betting: the round as it stands after it.
        rules: ids it rests on.
        bar: why the player may not bet or raise then.
        held: what the player is held to.
        passed_over: seats that acted meanwhile, where the turn comes after theirs.
    """

    seat: int
    betting: BettingRound
    rules: tuple[str, ...]
    bar: Bar | None = None
    held: Held | None = None
    passed_over: tuple[int, ...] = ()


class ChipsLeftIn(Event, frozen=True, tag="tables.ChipsLeftIn.v1"):
    """Chips that a player put in stay in, though they are no action yet: what is called or lost is still open.

    Args:
        seat: whose.
        cents: how much.
        rules: ids it rests on.
    """

    seat: int
    cents: int
    rules: tuple[str, ...]


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """The clock that runs on a player.

    Args:
        seat: whose.
        due_at: when it runs out, in UTC; an action at that instant is in time.
    """

    seat: int
    due_at: datetime


class ClockCalled(Event, frozen=True, tag="tables.ClockCalled.v1"):
    """The clock was put on the player whose turn it is.

    Args:
        clock: whose, and when it runs out.
        seconds: how long the book gives.
        rules: ids it rests on.
        source: who told.
    """

    clock: Clock
    seconds: int
    rules: tuple[str, ...]
    source: Source = Source.DEALER


class ClockExpired(Event, frozen=True, tag="tables.ClockExpired.v1"):
    """The clock on a player ran out without an action.

    Args:
        seat: whose.
        due_at: when, in UTC.
        dead: whether the player faced a wager, so that the hand is dead; it is killed by the event that follows.
        rules: ids it rests on.
    """

    seat: int
    due_at: datetime
    dead: bool
    rules: tuple[str, ...]


class UncalledReturned(Event, frozen=True, gc=False, tag="tables.UncalledReturned.v1"):
    """What nobody called went back before any pot was won.

    Args:
        seat: to whom.
        cents: how much.
        rules: ids it rests on.
    """

    seat: int
    cents: int
    rules: tuple[str, ...]


class BettingClosed(Event, frozen=True, gc=False, tag="tables.BettingClosed.v1"):
    """A betting round is over and the wagers are gathered into the pots.

    Args:
        street: index of the street.
        pots: main pot first.
        phase: what comes now.
        order: seats in the order in which they exchange cards, declare or show, where that comes now.
        betting_over: whether no betting can follow in this hand.
        rules: ids the order rests on.
    """

    street: int
    pots: tuple[Pot, ...]
    phase: Phase
    order: tuple[int, ...] = ()
    betting_over: bool = False
    rules: tuple[str, ...] = ()


class CardsExchanged(Event, frozen=True, gc=False, tag="tables.CardsExchanged.v1"):
    """A player drew or discarded.

    Args:
        hand: the hand.
        seat: who.
        count: how many cards were put away.
        discarded: which, as far as seen; None once the hand's key is gone.
        drawn: what came for them (empty for a discard).
        order: seats still to do so.
        phase: what comes now.
        betting: the round that begins when all have.
    """

    confidential = ("discarded", "drawn")
    subject = "hand"

    hand: str
    seat: int
    count: int
    discarded: tuple[str, ...] | None
    drawn: tuple[str, ...] | None
    order: tuple[int, ...]
    phase: Phase
    betting: BettingRound | None = None


class RakeTaken(Event, frozen=True, tag="tables.RakeTaken.v1"):
    """The dealer took the house's share out of the pot.

    Args:
        rake_cents: for the house.
        jackpot_drop_cents: for the jackpot.
        pot: index of the pot it comes out of; the main pot is 0.
    """

    rake_cents: int
    jackpot_drop_cents: int
    pot: int = 0


class RunsAgreed(Event, frozen=True, tag="tables.RunsAgreed.v1"):
    """All in the pot agreed to deal the rest of the board more than once.

    Args:
        times: how many boards there will be.
        seats: who agreed.
        rules: ids it rests on.
    """

    times: int
    seats: tuple[int, ...]
    rules: tuple[str, ...]


class CardsPutAway(Event, frozen=True, tag="tables.CardsPutAway.v1"):
    """A player of a declaring game put away the cards that will not count.

    Args:
        hand: the hand.
        seat: who.
        count: how many.
        cards: which, as far as seen; None once the hand's key is gone.
    """

    confidential = ("cards",)
    subject = "hand"

    hand: str
    seat: int
    count: int
    cards: tuple[str, ...] | None


class DeclarationSealed(Event, frozen=True, tag="tables.DeclarationSealed.v1"):
    """A player holds a closed fist over the table.

    Args:
        hand: the hand.
        seat: who.
        chips: how many are in it; None while only the player knows, or once the hand's key is gone.
    """

    confidential = ("chips",)
    subject = "hand"

    hand: str
    seat: int
    chips: int | None


class DeclarationsRevealed(Event, frozen=True, tag="tables.DeclarationsRevealed.v1"):
    """All fists opened together, or the last player has declared aloud.

    Args:
        ways: (seat, `high`, `low`, `both`, or `none` where the chips were no declaration).
        order: who shows, in order.
        rules: ids it rests on.
        betting: a further round of betting, where the house plays one (highlow.bet_after_declare).
        phase: what comes now.
    """

    ways: tuple[tuple[int, str], ...]
    order: tuple[int, ...]
    rules: tuple[str, ...]
    betting: BettingRound | None = None
    phase: Phase = Phase.SHOWDOWN


class HandShown(Event, frozen=True, gc=False, tag="tables.HandShown.v1"):
    """Cards were turned face up by their player.

    Args:
        seat: whose.
        cards: those turned up now.
        tabled: whether every card of the hand now lies face up.
        source: who told.
    """

    seat: int
    cards: tuple[str, ...]
    tabled: bool
    source: Source = Source.DEALER


class BoardPlayed(Event, frozen=True, tag="tables.BoardPlayed.v1"):
    """A player said, before throwing the cards away, that the board plays (showdown.play_board).

    Args:
        seat: who.
        rules: ids it rests on.
    """

    seat: int
    rules: tuple[str, ...]


class HandMucked(Event, frozen=True, tag="tables.HandMucked.v1"):
    """A player threw the cards away at the showdown without showing them all.

    Args:
        seat: who.
        in_muck: whether they have gone into the muck.
        identifiable: whether they can still be told from the other cards.
    """

    seat: int
    in_muck: bool = True
    identifiable: bool = True


class HandKilled(Event, frozen=True, gc=False, tag="tables.HandKilled.v1"):
    """The dealer killed a hand.

    Args:
        seat: whose.
        rules: ids it rests on.
        by_ruling: ruled dead, not beaten or folded.
        betting: the round without the seat, where one is open.
    """

    seat: int
    rules: tuple[str, ...]
    by_ruling: bool = False
    betting: BettingRound | None = None


class HandRequested(Event, frozen=True, tag="tables.HandRequested.v1"):
    """Somebody asked to see a called hand.

    Args:
        asked_by: the seat that asked.
        seat: the hand asked for.
        live: whether the hand is live (the winner asked) or dead.
        rules: ids it rests on.
    """

    asked_by: int
    seat: int
    live: bool
    rules: tuple[str, ...]


class Share(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What one seat gets of one pot.

    Args:
        seat: who.
        cents: how much.
        part: `whole`, `high` or `low`.
        run: which board, from 0.
        odd: whether an odd chip is in it.
    """

    seat: int
    cents: int
    part: str = "whole"
    run: int = 0
    odd: bool = False


class PotAwarded(Event, frozen=True, gc=False, tag="tables.PotAwarded.v1"):
    """A pot was pushed.

    Args:
        pot: index of the pot, 0 the main pot.
        cents: what lay in it.
        rake_cents: what the house took of it.
        jackpot_drop_cents: what the jackpot's drop took of it.
        jackpot_odd_cents: odd chips that went to the jackpot (home game).
        shares: who got what; rake, drop, odd chips and shares add up to `cents`.
        by_dealer: awarded on the dealer's word, the cards that decide not being known.
        rules: ids it rests on.
    """

    pot: int
    cents: int
    rake_cents: int
    jackpot_drop_cents: int
    jackpot_odd_cents: int
    shares: tuple[Share, ...]
    by_dealer: bool
    rules: tuple[str, ...]


class BlindsChopped(Event, frozen=True, tag="tables.BlindsChopped.v1"):
    """Folded to the blinds, who took their bets back: no pot, no winner.

    Args:
        returns: (seat, cents) taken back.
        rules: ids it rests on.
    """

    returns: tuple[tuple[int, int], ...]
    rules: tuple[str, ...]


class WinnerNoted(Event, frozen=True, tag="tables.WinnerNoted.v1"):
    """Who took the pot of a hand whose actions were not entered.

    Args:
        seats: the winners.
        pot_cents: how much it was; None where nobody counted it.
        source: who told.
    """

    seats: tuple[int, ...]
    pot_cents: int | None
    source: Source = Source.DEALER


class SeatResult(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """How a hand ended for one seat.

    Args:
        seat: who.
        player: the player's id.
        before_cents: chips before any post; None where not known.
        after_cents: chips at the end; None where not known.
        put_in_cents: chips of the seat that stayed in the pots, dead money included, uncalled chips not.
        house_cents: collection paid.
        won_cents: chips pushed to the seat; None where the pot was not counted.
        shown: cards lying face up at the end (stud: its upcards too).
        tabled: whether the whole hand lay face up.
        in_to_the_end: whether the hand was live when the betting ended.
    """

    seat: int
    player: str
    before_cents: int | None
    after_cents: int | None
    put_in_cents: int
    house_cents: int
    won_cents: int | None
    shown: tuple[str, ...] = ()
    tabled: bool = False
    in_to_the_end: bool = False


class HandSettled(Event, frozen=True, gc=False, tag="tables.HandSettled.v1"):
    """Every pot is pushed; the hand is over.

    Args:
        hand: the hand.
        results: one for each seat dealt in, in the order of `HandStarted.seats`.
        board: community cards of the first board.
        rake_cents: taken out of the pots by the house.
        collection_cents: paid to the house before the cards.
        jackpot_drop_cents: taken out of the pots for the jackpot.
        jackpot_odd_cents: odd chips that go to the jackpot.
        showdown: whether hands were compared.
    """

    hand: str
    results: tuple[SeatResult, ...]
    board: tuple[str, ...]
    rake_cents: int
    collection_cents: int
    jackpot_drop_cents: int
    jackpot_odd_cents: int
    showdown: bool


class HandVoided(Event, frozen=True, tag="tables.HandVoided.v1"):
    """The hand does not count: a misdeal or a fouled deck. Chips go back to those who put them in.

    Args:
        hand: the hand.
        returns: (seat, cents) for each seat that had put something in, the collection included where it goes back.
        reason: why.
        rules: ids it rests on.
    """

    hand: str
    returns: tuple[tuple[int, int], ...]
    reason: str
    rules: tuple[str, ...]


class HandRewound(Event, frozen=True, tag="tables.HandRewound.v1"):
    """The hand goes on from an earlier point; what came after it stays in the log but no longer counts.

    Args:
        to: version in the hand's stream of the last event that still counts.
        reason: why.
    """

    to: int
    reason: str


class EntryCorrected(Event, frozen=True, tag="tables.EntryCorrected.v1"):
    """A wrong entry is replaced: like a rewind to before it, and the events that follow enter it and the rest anew.

    Args:
        entry: version in the hand's stream of the entry that was wrong.
        to: version of the last event that still counts.
        reason: why.
    """

    entry: int
    to: int
    reason: str


HAND_EVENTS: tuple[type[Event], ...] = (
    HandStarted,
    HoleCardsNoted,
    StreetDealt,
    ActionTaken,
    TurnRuled,
    ChipsLeftIn,
    ClockCalled,
    ClockExpired,
    UncalledReturned,
    BettingClosed,
    CardsExchanged,
    RakeTaken,
    RunsAgreed,
    CardsPutAway,
    DeclarationSealed,
    DeclarationsRevealed,
    HandShown,
    BoardPlayed,
    HandMucked,
    HandKilled,
    HandRequested,
    PotAwarded,
    BlindsChopped,
    WinnerNoted,
    HandSettled,
    HandVoided,
    HandRewound,
    EntryCorrected,
)
"""The event classes of a hand's stream, for the tables context's EventTypes."""
