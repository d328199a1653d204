"""Commands of tables, of the notes kept on their hands, and of disputes. Hands have their own in hand_commands."""

from cardroom.kernel.decisions import Command
from cardroom.tables.hand_events import Source
from cardroom.tables.seats import Arrival, WayIn


class TableCommand(Command, frozen=True, kw_only=True):
    """A command to one table.

    Args:
        room: the room.
        table: the table's id.
    """

    room: str
    table: str


class OpenTable(TableCommand, frozen=True, kw_only=True, tag="OpenTable"):
    """Open a table for a game.

    Args:
        game_id: the game.
        capture: `counted`, `ruling_facts` or `every_action`.
        seats: number of seats; 0 for as many as the game has.
        must_move_behind: whether a must-move game feeds it.
        as_fact: whether its owner tells it as a fact, which changes nothing where the table is open already.
        stated_rules: how the game is played, where the book does not have it.
        tournament: name of the tournament it is opened for; empty for cash games.
    """

    game_id: str
    capture: str = "ruling_facts"
    seats: int = 0
    must_move_behind: bool = False
    stated_rules: str = ""
    tournament: str = ""
    as_fact: bool = False


class CloseTable(TableCommand, frozen=True, kw_only=True, tag="CloseTable"):
    """Close a table nobody sits at any more.

    Args:
        reason: why.
        as_fact: whether its owner tells it as a fact, which changes nothing where the table is closed already.
    """

    reason: str = ""
    as_fact: bool = False


class AskGameChange(TableCommand, frozen=True, kw_only=True, tag="AskGameChange"):
    """Players ask for another limit or game at their table.

    Args:
        game_id: what they ask for.
        objecting: seats that object.
        stated_rules: how the game is played, where the book does not have it.
    """

    game_id: str
    objecting: tuple[int, ...] = ()
    stated_rules: str = ""


class ApproveGameChange(TableCommand, frozen=True, kw_only=True, tag="ApproveGameChange"):
    """A floorperson lets the change that was asked for take effect with the next hand.

    Args:
        game_id: the game asked for, as the floorperson saw it.
    """

    game_id: str


class ApplyGameChange(TableCommand, frozen=True, kw_only=True, tag="ApplyGameChange"):
    """Let a change that needs nobody's word take effect with the next hand."""

    game_id: str


class NoteGameChange(TableCommand, frozen=True, kw_only=True, tag="NoteGameChange"):
    """Seating tells that the table plays another game from its next hand."""

    game_id: str


class CallGame(TableCommand, frozen=True, kw_only=True, tag="CallGame"):
    """The dealer calls the game of the coming hands, where the book leaves that to him (game.other_games_stated).

    Args:
        game_id: the game called, one of the room's.
        name: what it was called; empty: by the name of its form.
        statement: its rules, where the book does not have it.
        seat: the player who deals and calls; 0 for the house's dealer.
    """

    game_id: str
    name: str = ""
    statement: str = ""
    seat: int = 0


class SetCapture(TableCommand, frozen=True, kw_only=True, tag="SetCapture"):
    """Change the capture level from the next hand on."""

    capture: str


class SetDealer(TableCommand, frozen=True, kw_only=True, tag="SetDealer"):
    """Say who deals; empty: nobody.

    Args:
        dealer: who.
        as_fact: whether its owner tells it as a fact, which changes nothing where no such table is open.
    """

    dealer: str
    as_fact: bool = False


class ChangeDeck(TableCommand, frozen=True, kw_only=True, tag="ChangeDeck"):
    """Bring another deck into use.

    Args:
        reason: `requested`, `defective`, `setup` or `house`.
        deck: which, for example the color of its back.
        seat: who asked; 0 where nobody did.
        back_colors: a setup: the colors of its decks' backs.
    """

    reason: str
    deck: str = ""
    seat: int = 0
    back_colors: tuple[str, ...] = ()


class AskScramble(TableCommand, frozen=True, kw_only=True, tag="AskScramble"):
    """A player asks for a bigger scramble or a longer shuffle."""

    seat: int


class SitPlayer(TableCommand, frozen=True, kw_only=True, tag="SitPlayer"):
    """A player sat down: a physical fact, told by seating or typed in.

    Args:
        seat: where.
        player: who.
        stack_cents: chips he put on the table; None where not known.
        arrival: how he came to the seat.
        announced_cents: chips he bought that are on their way.
        consented_by: who of the house let announced chips play.
        source: `seating`, or who typed it in.
    """

    seat: int
    player: str
    stack_cents: int | None = None
    arrival: Arrival = Arrival.NEW
    announced_cents: int = 0
    consented_by: str = ""
    source: str = ""


class LeaveSeat(TableCommand, frozen=True, kw_only=True, tag="LeaveSeat"):
    """A player left the table with his chips.

    Args:
        seat: where he sat.
        player: who, where the caller knows it.
        stack_cents: what he took along; None: what the table knows.
        reason: why.
        as_fact: whether its owner tells it as a fact: in his hand it waits for the hand's end, and what he took along
            stands though the table knew otherwise.
    """

    seat: int
    player: str = ""
    stack_cents: int | None = None
    reason: str = ""
    as_fact: bool = False


class ChangeSeat(TableCommand, frozen=True, kw_only=True, tag="ChangeSeat"):
    """A player took another seat at the table.

    Args:
        seat: where he sat.
        to_seat: where he sits now.
        player: who, where the caller knows it.
        as_fact: whether its owner tells it as a fact: who is still on the way to `seat` goes to the other instead.
    """

    seat: int
    to_seat: int
    player: str = ""
    as_fact: bool = False


class SwapSeats(TableCommand, frozen=True, kw_only=True, tag="SwapSeats"):
    """Two players changed places.

    Args:
        seats: theirs.
        as_fact: whether its owner tells it as a fact: in a hand it waits for the hand's end.
    """

    seats: tuple[int, int]
    as_fact: bool = False


class RenamePlayer(TableCommand, frozen=True, kw_only=True, tag="RenamePlayer"):
    """A player's record was merged into another, which is the one that counts; where he does not sit nothing changes.

    Args:
        player: the record that is no longer used.
        into: the surviving record.
        as_fact: whether its owner tells it as a fact, which means nothing at a table that is not open.
    """

    player: str
    into: str
    as_fact: bool = False


class NoteMustMove(TableCommand, frozen=True, kw_only=True, tag="NoteMustMove"):
    """The lists tell that a must-move game feeds the table's game, or does so no longer.

    Args:
        must_move_behind: whether one does.
        as_fact: always, for the lists may know of it before the table is open here.
    """

    must_move_behind: bool
    as_fact: bool = True


class BeginPlayOver(TableCommand, frozen=True, kw_only=True, tag="BeginPlayOver"):
    """Seating tells that somebody sat down in an absent player's seat, over chips that are boxed.

    Args:
        seat: where.
        player: who plays over.
        stack_cents: chips he put on the table.
    """

    seat: int
    player: str
    stack_cents: int


class EndPlayOver(TableCommand, frozen=True, kw_only=True, tag="EndPlayOver"):
    """Seating tells that nobody plays over a seat any more."""

    seat: int


class NoteExclusion(TableCommand, frozen=True, kw_only=True, tag="NoteExclusion"):
    """A player may not be dealt in for a time, or may again; `as_fact` as in `NotePresence`."""

    seat: int
    excluded: bool
    player: str = ""
    as_fact: bool = False


class NotePresence(TableCommand, frozen=True, kw_only=True, tag="NotePresence"):
    """A player left his chair or came back to it.

    Args:
        seat: where he sits.
        present: whether he is in his chair now.
        player: who the teller believes sits there.
        source: who told it.
        as_fact: whether its owner tells it as a fact, which changes nothing where he does not sit there.
    """

    seat: int
    present: bool
    player: str = ""
    source: str = ""
    as_fact: bool = False


class AnnounceChips(TableCommand, frozen=True, kw_only=True, tag="AnnounceChips"):
    """A player says how many chips he is buying; they are on their way.

    Args:
        seat: whose.
        cents: how much.
        consented_by: who of the house let them play; empty where nobody was asked.
        told_table: whether the other players were told.
    """

    seat: int
    cents: int
    consented_by: str = ""
    told_table: bool = True


class AddChips(TableCommand, frozen=True, kw_only=True, tag="AddChips"):
    """Chips came to a player's stack: a purchase, a top-up, or chips that were announced.

    Args:
        seat: whose.
        cents: how much.
        announced: whether they were announced before.
        checked: whether another context has checked the purchase under the book already (seating).
        player: who bought them, where the caller knows it: they are his wherever he sits, or is about to sit.
        money_left_cents: what the player has left to buy with, where that matters; None where not known.
        restored: whether they are chips that he took along for safety.
    """

    seat: int
    cents: int
    announced: bool = False
    checked: bool = False
    money_left_cents: int | None = None
    restored: bool = False
    player: str = ""


class RemoveChips(TableCommand, frozen=True, kw_only=True, tag="RemoveChips"):
    """Chips are to be taken off a stack for something other than a wager.

    Args:
        seat: whose.
        cents: how much.
        purpose: `house_purchases`, `safekeeping_while_away`, `picked_up`, `tip`, `time` or another.
        player: who, where the caller knows it.
        as_fact: whether its owner tells it as a fact: they are gone, whatever the table knows of the stack.
    """

    seat: int
    cents: int
    purpose: str
    player: str = ""
    as_fact: bool = False


class CountStacks(TableCommand, frozen=True, kw_only=True, tag="CountStacks"):
    """Enter stacks that were counted.

    Args:
        stacks: (seat, cents).
        source: who counted.
    """

    stacks: tuple[tuple[int, int], ...]
    source: Source = Source.DEALER


class DrawButton(TableCommand, frozen=True, kw_only=True, tag="DrawButton"):
    """Enter the cards drawn for the button of a new game, or have the server draw them.

    Args:
        cards: (seat, card); empty: drawn by the server from its committed seed.
        as_fact: whether its owner tells it as a fact, which changes nothing where the game has begun.
    """

    cards: tuple[tuple[int, str], ...] = ()
    as_fact: bool = False


class PlaceButton(TableCommand, frozen=True, kw_only=True, tag="PlaceButton"):
    """Say where button and blinds stood on the last hand of a game that was running before it was opened here.

    Args:
        button: seat of the button.
        blinds: seats of the blinds, smallest first.
        reason: why it is typed in.
    """

    button: int
    blinds: tuple[int, ...]
    reason: str


class CorrectButton(TableCommand, frozen=True, kw_only=True, tag="CorrectButton"):
    """Report that the button was out of position on the last hand.

    Args:
        right_button: seat where it should have been.
    """

    right_button: int


class ChooseWayIn(TableCommand, frozen=True, kw_only=True, tag="ChooseWayIn"):
    """A player says how he wants to come in on the next hand, or straddles.

    Args:
        seat: whose.
        way: how.
        cents: what he offers to put up; 0 for what is due.
        from_seat: whose chips pay it; 0 for his own.
        kill: whether the coming hand is a kill pot.
    """

    seat: int
    way: WayIn
    cents: int = 0
    from_seat: int = 0
    kill: bool = False


class SanctionPosting(TableCommand, frozen=True, kw_only=True, tag="SanctionPosting"):
    """The floor takes away the free entry of a player who exploits the posting rules.

    Args:
        seat: whose.
        remedy: `must_post` or `chips_picked_up`.
        reason: what he did.
    """

    seat: int
    remedy: str
    reason: str


class CarryPot(TableCommand, frozen=True, kw_only=True, tag="CarryPot"):
    """A floorperson keeps chips of a void deal in the middle for the next (deal.knowing_freeroll).

    Args:
        sources: (seat, cents) of stacks they had gone back to.
        reason: why.
    """

    sources: tuple[tuple[int, int], ...]
    reason: str


class StartShuffle(TableCommand, frozen=True, kw_only=True, tag="StartShuffle"):
    """The first riffle for the next hand."""


class NoteHandsMucked(TableCommand, frozen=True, kw_only=True, tag="NoteHandsMucked"):
    """All cards of the last hand have gone into the muck."""


class StartHand(TableCommand, frozen=True, kw_only=True, tag="StartHand"):
    """Start the next hand: button, seats dealt in, posts and collection follow from the table and its book.

    Args:
        hand: its number as the caller expects it; 0 where he does not say.
        kill_seat: whose win makes this a kill pot; 0 where it is none.
        kill_cents: what that seat posts.
        small_bet_cents: the hand's lower bet, where a kill raises it; 0 for the game's.
        big_bet_cents: the hand's upper bet likewise.
        unposted: seats that have not put up what is due, where the dealer says so.
        unpaid: seats that want to play without paying the collection.
    """

    hand: int = 0
    kill_seat: int = 0
    kill_cents: int = 0
    small_bet_cents: int = 0
    big_bet_cents: int = 0
    unposted: tuple[int, ...] = ()
    unpaid: tuple[int, ...] = ()


class CountHand(TableCommand, frozen=True, kw_only=True, tag="CountHand"):
    """Count a hand at a counted table: one tap; what differs from the expected is stated.

    Args:
        hand: its number as the caller expects it; 0 where he does not say.
        button: seat of the button; 0 for where it is due.
        dealt: seats dealt in; empty for those due a hand.
        rake_cents: taken for the house; None for the game's.
        jackpot_drop_cents: taken for the jackpot; None for the game's.
        collection_cents: paid on the button; None for what is due.
        stacks: (seat, cents) where stacks were counted after it.
    """

    hand: int = 0
    button: int = 0
    dealt: tuple[int, ...] = ()
    rake_cents: int | None = None
    jackpot_drop_cents: int | None = None
    collection_cents: int | None = None
    stacks: tuple[tuple[int, int], ...] = ()


class CloseDay(TableCommand, frozen=True, kw_only=True, tag="CloseDay"):
    """Close the table's gaming day.

    Args:
        gaming_day: the gaming day that begins, as YYYY-MM-DD.
    """

    gaming_day: str
