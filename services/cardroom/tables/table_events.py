"""What is recorded of a table: its opening, its seats and chips, button and blinds, and each hand's frame."""

import msgspec

from cardroom.kernel.events import CarriedForward, Event
from cardroom.known.games import Game
from cardroom.tables.deal_events import HandClosed, HandOpened
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


class MustMoveNoted(Event, frozen=True, tag="tables.MustMoveNoted.v1"):
    """The lists told that a must-move game feeds the table's game, or does so no longer.

    Args:
        must_move_behind: whether one does.
    """

    must_move_behind: bool


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


class PlayOverBegan(Event, frozen=True, tag="tables.PlayOverBegan.v1"):
    """Somebody sat down in an absent player's seat with chips of his own; the absent player's are boxed, out of play.

    Args:
        seat: where.
        player: who plays over.
        stack_cents: chips he put on the table; None where not known.
        tournament: whose points the amounts are; empty where they are money.
    """

    seat: int
    player: str
    stack_cents: int | None
    tournament: str = ""


class PlayOverEnded(Event, frozen=True, tag="tables.PlayOverEnded.v1"):
    """Who played over stood up with his chips.

    Args:
        seat: where he sat.
        player: who.
        stack_cents: chips he takes along; None where nobody counted them.
        tournament: whose points the amounts are; empty where they are money.
    """

    seat: int
    player: str
    stack_cents: int | None
    tournament: str = ""


class PlayOverNoted(Event, frozen=True, tag="tables.PlayOverNoted.v1"):
    """Playing over began or ended in a seat that has a hand; it comes about when the hand is over.

    Args:
        seat: where.
        player: who plays over; empty where it ends.
        stack_cents: chips he put on the table.
    """

    seat: int
    player: str = ""
    stack_cents: int | None = None


class BoxLifted(Event, frozen=True, tag="tables.BoxLifted.v1"):
    """The box was taken off the chips of an absent player, whose seat is his own again."""

    seat: int
    player: str


class BoxedNoted(Event, frozen=True, tag="tables.BoxedNoted.v1"):
    """What is known of a player whose seat is played over changed.

    Args:
        seat: his.
        player: who.
        present: whether he is there.
        excluded: whether he may not be dealt in for a time.
    """

    seat: int
    player: str
    present: bool
    excluded: bool


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


class DisputeNoted(Event, frozen=True, tag="tables.DisputeNoted.v1"):
    """A dispute about a hand was opened: the next deal waits where the book says so."""

    dispute: str
    hand: int
    holds_deal: bool


class DisputeSettled(Event, frozen=True, tag="tables.DisputeSettled.v1"):
    """A dispute no longer holds the next deal: it was ruled on, or its chips are held by the house."""

    dispute: str


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
    feeder_linked: bool = False
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
    boxed: tuple[Seat, ...] = ()
    tournament: str = ""
