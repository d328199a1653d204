"""The state of one hand."""

from typing import Any, Final

import msgspec

from cardroom.known.games import Form, Game, Structure
from cardroom.poker.betting import BettingRound
from cardroom.poker.chairs import Chairs
from cardroom.poker.pots import Pot
from cardroom.tables import hand_events as ev
from cardroom.tables.hand_events import Capture, Phase, SeatResult, Share

NO_GAME: Final = Game(
    game_id="", name="", form=Form.HOLDEM, structure=Structure.LIMIT, small_bet_cents=0
)


class Ending(msgspec.Struct, frozen=True, gc=False):
    """What is recorded of a hand's showdown and end.

    Args:
        sealed: (seat, chips in the fist or None) of a declaring game.
        ways: (seat, way) once declared.
        said_board: seats that said that they play the board.
        unseen: (seat, lies in the muck, can be identified) of hands thrown away at the showdown.
        asked: (asker, seat) of hands asked for.
        awarded: indexes of the pots pushed.
        shares: what was pushed to whom, in order.
        jackpot_odd_cents: odd chips that went to the jackpot.
        winners: who took the pot of a hand whose actions are not entered.
        results: how it ended; empty before.
        house_cents: rake and collection once settled.
    """

    sealed: tuple[tuple[int, int | None], ...] = ()
    ways: tuple[tuple[int, str], ...] = ()
    said_board: tuple[int, ...] = ()
    unseen: tuple[tuple[int, bool, bool], ...] = ()
    asked: tuple[tuple[int, int], ...] = ()
    awarded: tuple[int, ...] = ()
    shares: tuple[Share, ...] = ()
    jackpot_odd_cents: int = 0
    winners: tuple[int, ...] = ()
    results: tuple[SeatResult, ...] = ()
    house_cents: int = 0


NO_START: Final = ev.HandStarted(
    hand="",
    room="",
    table="",
    number=0,
    book_digest="",
    engine="",
    game=NO_GAME,
    small_bet_cents=0,
    big_bet_cents=0,
    button_seat=0,
    seats=(),
    posts=(),
    capture=Capture(),
    betting=None,
    phase=Phase.NONE,
)
NO_ENDING: Final = Ending()


class Hand(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One hand as it stands. What its first event fixed and what its ending brought are read through it.

    Args:
        start: the event it began with.
        version: events in its stream so far, rewound ones included.
        phase: what comes now.
        chairs: those dealt in, clockwise from the first left of the button.
        street: index of the street dealt last, -1 before the first of stud.
        boards: community cards of each run; one unless run more than once.
        burns: burn cards that were seen.
        betting: the round that is open, or the last one.
        betting_over: whether no betting can follow.
        clock: the clock that runs on a player, if any.
        pots: main pot first, as of the last round that closed.
        order: seats that exchange, declare or show, in order, where that is due.
        taken: (pot, rake, jackpot drop) taken out so far.
        showdown: whether hands are compared.
        ending: what the showdown and the end brought.
        history: the events that count after the first, newest first, as `tables.hand_history` keeps them.
    """

    start: ev.HandStarted = NO_START
    version: int = 0
    phase: Phase = Phase.NONE
    chairs: Chairs = ()
    street: int = 0
    boards: tuple[tuple[str, ...], ...] = ((),)
    burns: tuple[str, ...] = ()
    betting: BettingRound | None = None
    betting_over: bool = False
    clock: ev.Clock | None = None
    pots: tuple[Pot, ...] = ()
    order: tuple[int, ...] = ()
    taken: tuple[tuple[int, int, int], ...] = ()
    showdown: bool = False
    ending: Ending = NO_ENDING
    history: Any = None

    @property
    def hand(self) -> str:
        """Its id; empty before it started."""
        return self.start.hand

    @property
    def room(self) -> str:
        """The room."""
        return self.start.room

    @property
    def table(self) -> str:
        """The table."""
        return self.start.table

    @property
    def number(self) -> int:
        """Count of hands at the table."""
        return self.start.number

    @property
    def book_digest(self) -> str:
        """The resolved book it is played under."""
        return self.start.book_digest

    @property
    def engine(self) -> str:
        """Version of the engine that decided it."""
        return self.start.engine

    @property
    def game(self) -> Game:
        """The game."""
        return self.start.game

    @property
    def small_bet_cents(self) -> int:
        """Lower or least bet of this hand."""
        return self.start.small_bet_cents

    @property
    def big_bet_cents(self) -> int:
        """Upper bet of this hand."""
        return self.start.big_bet_cents

    @property
    def button_seat(self) -> int:
        """Where the button is, 0 in stud."""
        return self.start.button_seat

    @property
    def capture(self) -> Capture:
        """What is entered."""
        return self.start.capture

    @property
    def posts(self) -> tuple[ev.Post, ...]:
        """What was put up before the cards."""
        return self.start.posts

    @property
    def sealed(self) -> tuple[tuple[int, int | None], ...]:
        """(seat, chips in the fist or None) of a declaring game."""
        return self.ending.sealed

    @property
    def ways(self) -> tuple[tuple[int, str], ...]:
        """(seat, way) once declared."""
        return self.ending.ways

    @property
    def said_board(self) -> tuple[int, ...]:
        """Seats that said that they play the board."""
        return self.ending.said_board

    @property
    def unseen(self) -> tuple[tuple[int, bool, bool], ...]:
        """(seat, lies in the muck, can be identified) of hands thrown away at the showdown."""
        return self.ending.unseen

    @property
    def asked(self) -> tuple[tuple[int, int], ...]:
        """(asker, seat) of hands asked for."""
        return self.ending.asked

    @property
    def awarded(self) -> tuple[int, ...]:
        """Indexes of the pots pushed."""
        return self.ending.awarded

    @property
    def shares(self) -> tuple[Share, ...]:
        """What was pushed to whom, in order."""
        return self.ending.shares

    @property
    def jackpot_odd_cents(self) -> int:
        """Odd chips that went to the jackpot."""
        return self.ending.jackpot_odd_cents

    @property
    def winners(self) -> tuple[int, ...]:
        """Who took the pot of a hand whose actions are not entered."""
        return self.ending.winners

    @property
    def results(self) -> tuple[SeatResult, ...]:
        """How it ended; empty before."""
        return self.ending.results

    @property
    def house_cents(self) -> int:
        """Rake and collection once settled."""
        return self.ending.house_cents

    @property
    def to_act(self) -> int:
        """The seat whose turn it is, 0 where it is nobody's."""
        if self.phase is Phase.BETTING and self.betting is not None and self.betting.to_act:
            return self.betting.to_act[0]
        return 0

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.phase is Phase.SETTLED or self.phase is Phase.VOID

    @property
    def pot_cents(self) -> int:
        """Everything in the pots and in front of the players that has not been pushed or taken."""
        cents = -self.ending.jackpot_odd_cents
        for chair in self.chairs:
            cents += chair.put_in_cents + chair.dead_cents
        for _, rake, drop in self.taken:
            cents -= rake + drop
        for share in self.ending.shares:
            cents -= share.cents
        return cents


INITIAL: Final = Hand()
"""The state before any event."""
