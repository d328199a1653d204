"""What is recorded at a table of each deal: its shuffle, the frame it was dealt in, and how it ended."""

import msgspec

from cardroom.kernel.events import Event
from cardroom.known.games import Form, Game
from cardroom.tables.hand_events import Post, SeatDealt
from cardroom.tables.positions import Rotation


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
