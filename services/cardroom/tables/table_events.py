"""What is recorded of a table: its opening, its seats and chips, button and blinds, and each hand's frame."""

import msgspec

from cardroom.kernel.events import CarriedForward, Event
from cardroom.known.games import Form, Game
from cardroom.tables.hand_events import Post, SeatDealt
from cardroom.tables.positions import Rotation
from cardroom.tables.seats import Arrival, Seat, WayIn


class Opened(Event, frozen=True, tag="tables.TableOpened.v1"):
    """A table was opened.

    Args:
        room: the room.
        table: the table's id.
        game: what is played.
        book_digest: the resolved book in force from the first hand.
        seats: number of seats.
        capture: capture level.
        must_move_behind: whether a must-move game feeds it.
        tournament: name of the tournament it is opened for, whose points its chips are; empty for cash games.
    """

    room: str
    table: str
    game: Game
    book_digest: str
    seats: int
    capture: str
    must_move_behind: bool = False
    tournament: str = ""


class Closed(Event, frozen=True, tag="tables.TableClosed.v1"):
    """A table was closed; nobody sits there any more.

    Args:
        reason: why.
        leftover_cents: chips on the table that nobody's account explains; 0 where all is accounted for.
        tournament: whose points the amounts are; empty where they are money.
    """

    reason: str
    leftover_cents: int = 0
    tournament: str = ""


class GameChangeAsked(Event, frozen=True, tag="tables.GameChangeAsked.v1"):
    """Players asked for another limit or game.

    Args:
        game: what they ask for.
        book_digest: its resolved book.
        objecting: seats that object.
        needs_approval: whether the book asks for the house's word.
        rules: rules it rests on.
        stated_rules: how the game is played, where the book does not have it.
    """

    game: Game
    book_digest: str
    objecting: tuple[int, ...]
    needs_approval: bool
    rules: tuple[str, ...]
    stated_rules: str = ""


class GameChanged(Event, frozen=True, tag="tables.GameChanged.v1"):
    """From the next hand on another game, limit or book holds.

    Args:
        game: what is played from now on.
        book_digest: its resolved book.
        approved_by: who approved it; empty where none is needed.
        grandfathered: seats that may go on below the new buy-in.
        rules: rules it rests on.
    """

    game: Game
    book_digest: str
    approved_by: str
    grandfathered: tuple[int, ...]
    rules: tuple[str, ...]


class BookTaken(Event, frozen=True, tag="tables.BookTaken.v1"):
    """From the next hand on the table plays by what the house has in force for its game now, or has posted there.

    Args:
        game: the game with its present terms.
        book_digest: digest of the resolved book.
    """

    game: Game
    book_digest: str


class GameCalled(Event, frozen=True, tag="tables.GameCalled.v1"):
    """What is dealt was called: the game's name, and its rules where the book does not have it.

    Args:
        name: as called.
        statement: the rules stated with it, which govern its hands; empty where those of the book hold.
        from_hand: number of the first hand dealt in it.
        seat: the player who called it; 0 for the house.
        rules: rules it rests on.
    """

    name: str
    statement: str
    from_hand: int
    seat: int = 0
    rules: tuple[str, ...] = ()


class CaptureChanged(Event, frozen=True, tag="tables.CaptureChanged.v1"):
    """From the next hand on another capture level holds."""

    capture: str


class DealerChanged(Event, frozen=True, tag="tables.DealerChanged.v1"):
    """Another dealer sat down at the table; empty: nobody deals."""

    dealer: str


class DeckChanged(Event, frozen=True, tag="tables.DeckChanged.v1"):
    """Another deck came into use.

    Args:
        reason: `requested`, `defective`, `setup` or `house`.
        setup: whether a whole new setup (two decks of different backs) was brought.
        deck: which deck, for example the color of its back.
        at_hand: number of the next hand.
        rules: rules it rests on.
    """

    reason: str
    setup: bool
    deck: str
    at_hand: int
    at: str
    rules: tuple[str, ...]


class DeckUse(msgspec.Struct, frozen=True, kw_only=True):
    """How far the deck in use has gone round the table.

    Args:
        button: where the button stood on its first hand; 0 before it, and in games without a button.
        players: how many were dealt in on its first hand; 0 before it.
        hands: hands dealt from it.
        rounds: how often the button has come back to that seat, or gone past it, on a hand that was dealt.
    """

    button: int = 0
    players: int = 0
    hands: int = 0
    rounds: int = 0


class ScrambleAsked(Event, frozen=True, tag="tables.ScrambleAsked.v1"):
    """A player asked for a bigger scramble or a longer shuffle."""

    seat: int
    at_hand: int
    rules: tuple[str, ...]


class Sat(Event, frozen=True, tag="tables.PlayerSat.v1"):
    """A player sat down, a physical fact.

    Args:
        seat: where.
        player: who.
        stack_cents: chips put on the table; None where not known.
        arrival: how he came to the seat.
        announced_cents: chips bought and on their way.
        announced_play: whether these play before they arrive.
        source: `seating`, or who typed it in.
        present: whether he is in his chair.
        excluded: whether he may not be dealt in for a time.
        tournament: whose points the amounts are; empty where they are money.
    """

    seat: int
    player: str
    stack_cents: int | None
    arrival: Arrival
    announced_cents: int = 0
    announced_play: bool = False
    source: str = ""
    present: bool = True
    excluded: bool = False
    tournament: str = ""


class Left(Event, frozen=True, tag="tables.PlayerLeft.v1"):
    """A player left the table with his chips.

    Args:
        seat: where he sat.
        player: who.
        stack_cents: chips he takes along; None where nobody counted them.
        reason: why.
        from_common_cents: how much of it the table did not know to be his.
        tournament: whose points the amounts are; empty where they are money.
    """

    seat: int
    player: str
    stack_cents: int | None
    reason: str = ""
    from_common_cents: int = 0
    tournament: str = ""


class SeatChanged(Event, frozen=True, tag="tables.SeatChanged.v1"):
    """A player took another seat at the table.

    Args:
        seat: where he sat.
        to_seat: where he sits.
        arrival: on what terms he comes in: `seat_change`, `dealt_off`, or as before.
        wait_hands: hands he has to wait unless he posts.
        rules: rules it rests on.
    """

    seat: int
    to_seat: int
    arrival: Arrival
    wait_hands: int
    keeps_standing: bool
    rules: tuple[str, ...]


class PlayerRenamed(Event, frozen=True, tag="tables.PlayerRenamed.v1"):
    """A player's record was merged into another; what was recorded before keeps the old one.

    Args:
        seat: where he sits or is about to.
        player: the record that is no longer used.
        into: the surviving record.
    """

    seat: int
    player: str
    into: str


class PresenceNoted(Event, frozen=True, tag="tables.PresenceNoted.v1"):
    """A player left his chair or came back to it."""

    seat: int
    present: bool
    source: str = ""


class ExclusionNoted(Event, frozen=True, tag="tables.ExclusionNoted.v1"):
    """A player may not be dealt in for a time, or may again."""

    seat: int
    excluded: bool


class LeavingNoted(Event, frozen=True, tag="tables.LeavingNoted.v1"):
    """A player who is in the hand in play left; his seat is given up when it is over.

    Args:
        seat: where he sat.
        player: who.
        reason: why.
        stack_cents: chips he took along, as counted when he left; None where nobody counted them.
    """

    seat: int
    player: str
    reason: str
    stack_cents: int | None = None


class MovingNoted(Event, frozen=True, tag="tables.MovingNoted.v1"):
    """A player of the hand in play took another seat; it is his when the hand is over."""

    seat: int
    player: str
    to_seat: int


class ClosingNoted(Event, frozen=True, tag="tables.ClosingNoted.v1"):
    """The table's game is over; the table closes when the hand in play has ended and everybody has left."""

    reason: str


class SittingNoted(Event, frozen=True, tag="tables.SittingNoted.v1"):
    """Somebody sat down in a seat that is given up when the hand in play is over, or what is known of it changed."""

    sat: Sat


class SittingEnded(Event, frozen=True, tag="tables.SittingEnded.v1"):
    """Somebody who waited for a seat to be given up went away again, with what he had brought."""

    player: str


class SeatsSwapped(Event, frozen=True, tag="tables.SeatsSwapped.v1"):
    """Two players changed places.

    Args:
        seats: the two seats.
        wait_hands: hands that each has to wait where he now sits, in the order of `seats`.
        rules: rules it rests on.
    """

    seats: tuple[int, int]
    wait_hands: tuple[int, int]
    rules: tuple[str, ...]


class ChipsAnnounced(Event, frozen=True, tag="tables.ChipsAnnounced.v1"):
    """A player bought chips that are on their way.

    Args:
        seat: whose.
        cents: how much.
        plays: whether they play before they are here.
        consented_by: who of the house consented; empty where nobody.
        rules: rules it rests on.
        player: who.
        tournament: whose points the amounts are; empty where they are money.
    """

    seat: int
    cents: int
    plays: bool
    consented_by: str
    rules: tuple[str, ...]
    player: str = ""
    tournament: str = ""


class ChipsArrived(Event, frozen=True, tag="tables.ChipsArrived.v1"):
    """Chips came to a player's stack.

    Args:
        seat: whose; 0 where the buyer sits nowhere at the table, so that they are on it in no stack.
        player: who.
        cents: how much.
        announced_cents: how much of it had been announced.
        counted_before_cents: how much of it the stack held already, because it played before it was here.
        from_next_hand: whether they play from the next hand only.
        short: whether the purchase counts as a short buy-in.
        full: whether it counts as a full one.
        restored: whether chips taken along for safety were put back.
        rules: rules it rests on.
        tournament: whose points the amounts are; empty where they are money.
    """

    seat: int
    player: str
    cents: int
    announced_cents: int = 0
    counted_before_cents: int = 0
    from_next_hand: bool = False
    short: bool = False
    full: bool = False
    restored: bool = False
    rules: tuple[str, ...] = ()
    tournament: str = ""


class ChipsRemoved(Event, frozen=True, tag="tables.ChipsRemoved.v1"):
    """Chips were taken off a stack for something other than a wager.

    Args:
        seat: whose.
        player: who.
        cents: how much.
        purpose: `house_purchases`, `safekeeping_while_away`, `picked_up`, `tip`, `change`.
        rules: rules it rests on.
        from_next_hand: whether the stack is with a hand, so that it shows only when that is over.
        from_common_cents: how much of it the table does not know to come out of that stack.
        tournament: whose points the amounts are; empty where they are money.
    """

    seat: int
    player: str
    cents: int
    purpose: str
    rules: tuple[str, ...]
    from_next_hand: bool = False
    from_common_cents: int = 0
    tournament: str = ""


class TakenBeforeClosing(Event, frozen=True, tag="tables.TakenBeforeClosing.v1"):
    """Chips that went off a table before it was closed were told only afterwards: as much less was left on it.

    Args:
        player: whose they were.
        cents: how much.
        purpose: what for, for example `time`.
    """

    player: str
    cents: int
    purpose: str


class StacksCounted(Event, frozen=True, tag="tables.StacksCounted.v1"):
    """Stacks were counted.

    Args:
        stacks: (seat, cents) of those counted.
        difference_cents: chips found (positive) or missing against the table's account once every stack is known.
        source: who counted: dealer, floor, camera.
        tournament: whose points the amounts are; empty where they are money.
    """

    stacks: tuple[tuple[int, int], ...]
    difference_cents: int
    source: str
    tournament: str = ""


class StacksCorrected(Event, frozen=True, tag="tables.StacksCorrected.v1"):
    """Chips moved between stacks, or between a stack and the house, by a ruling.

    Args:
        moves: (seat, cents to be added; negative: taken).
        house_cents: what the house puts in (positive) or takes; the moves and this add up to nothing.
        account: the house's account.
        cause: the dispute, finding or correction behind it.
        rules: rules it rests on.
        tournament: whose points the amounts are; empty where they are money.
    """

    moves: tuple[tuple[int, int], ...]
    house_cents: int
    account: str
    cause: str
    rules: tuple[str, ...]
    tournament: str = ""


class ButtonDrawn(Event, frozen=True, tag="tables.ButtonDrawn.v1"):
    """The button of a new game was drawn for; those who drew are active in the game from now on.

    Args:
        cards: (seat, card drawn).
        button: seat that has the button.
        rules: rules it rests on.
    """

    cards: tuple[tuple[int, str], ...]
    button: int
    rules: tuple[str, ...]


class ButtonPlaced(Event, frozen=True, tag="tables.ButtonPlaced.v1"):
    """Where button and blinds stand was typed in, at a table that was running before it was opened here."""

    rotation: Rotation
    reason: str


class ButtonCorrected(Event, frozen=True, tag="tables.ButtonCorrected.v1"):
    """The button was out of position on an earlier hand; the next hand is played where it should have been.

    Args:
        hand: number of the hand on which it was wrong.
        button: seat of the button on the next hand.
        blinds: seats of the blinds on the next hand, smallest first.
        rules: rules it rests on.
    """

    hand: int
    button: int
    blinds: tuple[int, ...]
    rules: tuple[str, ...]


class WayInChosen(Event, frozen=True, tag="tables.WayInChosen.v1"):
    """A player said how he wants to come in.

    Args:
        seat: whose.
        way: how.
        cents: what he puts up at the next hand.
        live_cents: how much of it counts as his wager.
        rules: rules it rests on.
    """

    seat: int
    way: WayIn
    cents: int
    live_cents: int
    rules: tuple[str, ...]


class PostingSanctioned(Event, frozen=True, tag="tables.PostingSanctioned.v1"):
    """The floor took away a player's free entry for abuse of the posting rules."""

    seat: int
    reason: str
    rules: tuple[str, ...]


class ShuffleStarted(Event, frozen=True, tag="tables.ShuffleStarted.v1"):
    """The first riffle for a hand; questions about the hand before end here."""

    hand: int
    at: str


class HandsMucked(Event, frozen=True, tag="tables.HandsMucked.v1"):
    """All cards of a hand have gone into the muck; questions that turn on them end here in some books."""

    hand: int


class Passed(msgspec.Struct, frozen=True, kw_only=True):
    """Seats without a hand that button and blinds went past between two hands."""

    button: tuple[int, ...] = ()
    small: tuple[int, ...] = ()
    big: tuple[int, ...] = ()


class LeftOut(msgspec.Struct, frozen=True):
    """A player who is there and gets no hand.

    Args:
        seat: where he sits.
        reason: UPPER_SNAKE reason.
        rules: rules it rests on.
    """

    seat: int
    reason: str
    rules: tuple[str, ...]


class HandOpened(Event, frozen=True, tag="tables.HandOpened.v1"):
    """A hand was started: its frame, as the table keeps it.

    Args:
        hand: its number at this table.
        game: what is played.
        book_digest: the resolved book that holds for the hand to its end.
        small_bet_cents: the hand's lower or least bet.
        big_bet_cents: the hand's upper bet.
        button: seat of the button; 0 in games without one.
        posts: what was due before the cards; who was short put up what he had.
        rotation: what the table remembers of button and blinds.
        dealt: who gets a hand, clockwise from the first card, with his chips in play.
        absent: (seat, player) of those at the table who get no hand.
        left_out: who is there and gets no hand.
        passed: seats without a hand that button and blinds went past.
        missed_collections: (seat, cents) taken from absent players' stacks, into the pot or for the house.
        carried_cents: chips from the deal before that lie in its pot.
        corrects: whether this is a hand played where the button should have stood before.
        rules: rules that button, blinds and entries rest on.
        called: what its game was called, where it was.
        stated_rules: the rules stated with that, which govern the hand.
        missed_to_house: whether the house takes the missed collections.
    """

    hand: int
    game: Game
    book_digest: str
    small_bet_cents: int
    big_bet_cents: int
    button: int
    posts: tuple[Post, ...]
    rotation: Rotation
    dealt: tuple[SeatDealt, ...]
    absent: tuple[tuple[int, str], ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    passed: Passed = Passed()
    missed_collections: tuple[tuple[int, int], ...] = ()
    carried_cents: int = 0
    corrects: bool = False
    rules: tuple[str, ...] = ()
    called: str = ""
    stated_rules: str = ""
    missed_to_house: bool = False

    @property
    def missed_house_cents(self) -> int:
        """What of the missed collections the house takes."""
        return sum(cents for _, cents in self.missed_collections) if self.missed_to_house else 0

    @property
    def dead_cents(self) -> int:
        """What of the missed collections lies in the pot."""
        return sum(cents for _, cents in self.missed_collections) - self.missed_house_cents


class Taken(msgspec.Struct, frozen=True):
    """Chips that the house takes out of a hand.

    Args:
        account: `collection`, `rake` or `jackpot`.
        cents: how much.
        jackpot: which jackpot, where the account is `jackpot`; empty elsewhere.
    """

    account: str
    cents: int


class Shown(msgspec.Struct, frozen=True):
    """Cards of a hand that lay face up at the end.

    Args:
        seat: whose.
        cards: the whole hand.
    """

    seat: int
    cards: tuple[str, ...]


class Won(msgspec.Struct, frozen=True):
    """What a seat won; None where the pot was not counted."""

    seat: int
    cents: int | None


class HandClosed(Event, frozen=True, tag="tables.HandClosed.v1"):
    """A hand was over: the stacks as they stand, what the house took, and what others need to know of it.

    Args:
        hand: its number.
        game_id: its game.
        form: what was dealt.
        book_digest: the book it was played under.
        stacks: (seat, cents; None where nobody counted them).
        taken: what the house took out.
        jackpot_odd_cents: odd chips among what went to the jackpot.
        dealt: who got a hand.
        seated: who sat at the table.
        board: community cards.
        shown: hands live at the end and tabled.
        folded_facing_wager: seats that gave up their hand facing a wager.
        pot_cents: all pots together, uncalled bets returned, before anything was taken; None where not known.
        won: who won how much.
        broke: seats that have no chips left that play.
        showdown: whether hands were compared.
        counted: whether only the hand's frame was recorded.
        void: whether the hand was void and everything went back.
        rules: rules that what was taken rests on.
        tournament: whose points the amounts are; empty where they are money.
    """

    hand: int
    game_id: str
    form: Form
    book_digest: str
    stacks: tuple[tuple[int, int | None], ...]
    taken: tuple[Taken, ...] = ()
    jackpot_odd_cents: int = 0
    dealt: tuple[tuple[int, str], ...] = ()
    seated: tuple[tuple[int, str], ...] = ()
    board: tuple[str, ...] = ()
    shown: tuple[Shown, ...] = ()
    folded_facing_wager: tuple[int, ...] = ()
    pot_cents: int | None = None
    won: tuple[Won, ...] = ()
    broke: tuple[int, ...] = ()
    showdown: bool = False
    counted: bool = False
    void: bool = False
    rules: tuple[str, ...] = ()
    tournament: str = ""


class ChipsCarried(Event, frozen=True, tag="tables.ChipsCarried.v1"):
    """Chips of a void deal stay in the middle for the next, in which only those dealt into it get a hand.

    Args:
        hand: number of the deal.
        sources: (seat, cents) taken from stacks they had gone back to.
        rules: rules it rests on.
    """

    hand: int
    sources: tuple[tuple[int, int], ...]
    rules: tuple[str, ...]


class HandReopened(Event, frozen=True, tag="tables.HandReopened.v1"):
    """A hand that was over goes on, an entry of it having been wrong: its chips are in play again.

    Args:
        hand: its number.
        game_id: its game.
        changes: (seat, cents by which the stack goes back to what it was before the hand; None where not known).
        dealt: seats that got a hand.
        taken: what the house had taken and gives back for now.
        dead_cents: missed collections that lie in its pot.
    """

    hand: int
    game_id: str
    changes: tuple[tuple[int, int | None], ...]
    dealt: tuple[int, ...]
    taken: tuple[Taken, ...]
    dead_cents: int


class DisputeNoted(Event, frozen=True, tag="tables.DisputeNoted.v1"):
    """A dispute about a hand was opened: the next deal waits where the book says so."""

    dispute: str
    hand: int
    holds_deal: bool


class DisputeSettled(Event, frozen=True, tag="tables.DisputeSettled.v1"):
    """A dispute no longer holds the next deal: it was ruled on, or its chips are held by the house."""

    dispute: str


class ImpoundReleased(Event, frozen=True, tag="tables.ImpoundReleased.v1"):
    """Chips that the house held for a dispute went to those it was ruled for.

    Args:
        dispute: the dispute.
        awards: (seat, cents) given back to stacks.
        away_cents: what went to players who no longer sit here, by way of the cage.
        tournament: whose points the amounts are; empty where they are money.
    """

    dispute: str
    awards: tuple[tuple[int, int], ...]
    away_cents: int = 0
    tournament: str = ""


class Impounded(Event, frozen=True, tag="tables.Impounded.v1"):
    """The house holds chips of a disputed pot.

    Args:
        dispute: the dispute.
        sources: (seat, cents) taken from stacks that hold the disputed pot.
    """

    dispute: str
    sources: tuple[tuple[int, int], ...]


class DayClosed(Event, frozen=True, tag="tables.TableDayClosed.v1"):
    """The table's gaming day ended; it goes on under the next."""

    next_gaming_day: str


class TableCarried(CarriedForward, frozen=True, tag="tables.TableCarriedForward.v1"):
    """What of a table goes on into the next gaming day.

    Args:
        room: the room.
        table: the table's id.
        is_open: whether it goes on; the rest stands only where it does.
    """

    room: str
    table: str
    is_open: bool
    game: Game | None = None
    book_digest: str = ""
    seat_count: int = 0
    capture: str = ""
    dealer: str = ""
    must_move_behind: bool = False
    seats: tuple[Seat, ...] = ()
    common_cents: int | None = 0
    carried_cents: int = 0
    rotation: Rotation | None = None
    first_button: int = 0
    last_hand: int = 0
    last_frame: HandOpened | None = None
    last_closed: HandClosed | None = None
    shuffling: int = 0
    mucked_hand: int = 0
    hands_this_game: int = 0
    revolution_done: bool = False
    blinds_passed: tuple[int, ...] = ()
    deck_at_hand: int = 0
    deck_use: DeckUse = DeckUse()
    setup_at: str = ""
    account_cents: int | None = 0
    impounds: tuple[tuple[str, int], ...] = ()
    open_disputes: tuple[tuple[str, bool], ...] = ()
    called: GameCalled | None = None
    tournament: str = ""
