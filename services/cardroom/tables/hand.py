"""The state of one hand and how its events fold. No house rule is applied here: the events carry the outcomes."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from cardroom.kernel.events import Event
from cardroom.known.games import Form, Game, Structure
from cardroom.poker.betting import BettingRound
from cardroom.poker.cards import UNKNOWN
from cardroom.poker.chairs import Chair, Chairs, Fate, after_action
from cardroom.poker.legal import Act
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
        history: the events that count, newest first, each with its version and what came before it.
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


def evolve(state: Hand, event: Event) -> Hand:
    """Return the hand after an event.

    Args:
        state: before it.
        event: one of `HAND_EVENTS`.
    """
    version = state.version + 1
    kind = type(event)
    if isinstance(event, ev.ActionTaken):
        clock = state.clock
        return _replace(
            state,
            version=version,
            history=(state.history, version, event),
            betting=event.betting,
            chairs=after_action(
                state.chairs, event.seat, event.added_cents, event.act is Act.FOLD, event.all_in
            ),
            clock=None if clock is not None and clock.seat == event.seat else clock,
        )
    change = _CHANGES.get(kind)
    if change is not None:
        changes = change(state, event)
        changes["version"] = version
        changes["history"] = (state.history, version, event)
        return _replace(state, **changes)
    if isinstance(event, ev.HandStarted):
        return _started(event, version)
    if isinstance(event, ev.HandRewound | ev.EntryCorrected):
        return _replace(at_version(state, event.to), version=version, clock=None)
    raise TypeError(f"{kind.__name__} is no event of a hand")


_replace = msgspec.structs.replace


def history_of(state: Hand) -> tuple[tuple[int, Event], ...]:
    """Return the events that count, oldest first, each with its version in the stream."""
    found: list[tuple[int, Event]] = []
    cell = state.history
    while cell is not None:
        cell, version, event = cell
        found.append((version, event))
    return tuple(reversed(found))


def at_version(state: Hand, to: int) -> Hand:
    """Return the hand as it stood after the event of a version that still counts.

    Args:
        state: the hand now.
        to: version in the stream; events that a rewind took back have none that counts.
    """
    earlier = INITIAL
    for version, event in history_of(state):
        if version > to:
            break
        earlier = _replace(evolve(earlier, event), version=version)
        earlier = _replace(earlier, history=_renumbered(earlier.history, version))
    return earlier


def _renumbered(cell: Any, version: int) -> Any:
    return None if cell is None else (cell[0], version, cell[2])


def _started(event: ev.HandStarted, version: int) -> Hand:
    chip = event.game.chip_cents
    chairs = []
    for dealt in event.seats:
        stack, live, ante, dead, house, counted = dealt.stack_cents, 0, 0, 0, 0, 0
        for post in event.posts:
            if post.seat == dealt.seat:
                live += post.live_cents
                ante += post.ante_cents
                dead += post.dead_cents
                house += post.house_cents
                counted += post.house_cents if post.house_live else 0
        if stack is not None:
            stack -= live + ante + dead + house
        chairs.append(
            Chair(
                seat=dealt.seat,
                player=dealt.player,
                stack_cents=stack,
                matched_cents=live + ante + counted,
                put_in_cents=live + ante,
                dead_cents=dead,
                house_cents=house,
                all_in=stack is not None and stack < chip,
            )
        )
    if event.carried_cents:
        # Nobody's chair: it holds the dead money, in seat 0, and never plays.
        chairs.append(
            Chair(
                seat=0,
                player="",
                stack_cents=0,
                dead_cents=event.carried_cents,
                fate=Fate.DEAD,
                all_in=True,
            )
        )
    return Hand(
        start=event,
        version=version,
        phase=event.phase,
        chairs=tuple(chairs),
        street=-1 if event.betting is None else event.betting.street,
        betting=event.betting,
        history=(None, version, event),
    )


def _with_chair(chairs: Chairs, seat: int, **changes: Any) -> Chairs:
    changed = list(chairs)
    for at, chair in enumerate(chairs):
        if chair.seat == seat:
            changed[at] = _replace(chair, **changes)
            break
    return tuple(changed)


def _chair(state: Hand, seat: int) -> Chair:
    for chair in state.chairs:
        if chair.seat == seat:
            return chair
    raise LookupError(f"hand {state.hand}: seat {seat} was not dealt in")


def _hole_cards_noted(state: Hand, event: ev.HoleCardsNoted) -> dict[str, Any]:
    cards = event.cards
    if cards is None:
        return {}
    changed = list(state.chairs)
    for at, chair in enumerate(state.chairs):
        if chair.seat == event.seat:
            down = chair.down
            if UNKNOWN in down:
                # Cards told later take the places of cards that were dealt unseen.
                down = _without(down, (UNKNOWN,) * min(down.count(UNKNOWN), len(cards)))
            changed[at] = _replace(chair, down=down + cards)
            break
    return {"chairs": tuple(changed)}


def _street_dealt(state: Hand, event: ev.StreetDealt) -> dict[str, Any]:
    changes: dict[str, Any] = {
        "street": event.street,
        "betting": event.betting or state.betting,
        "phase": event.phase,
        "order": event.show_order,
    }
    if event.phase is Phase.SHOWDOWN:
        changes["showdown"] = changes["betting_over"] = True
    if event.board:
        boards = state.boards
        changes["boards"] = (
            *boards[: event.run],
            boards[event.run] + event.board,
            *boards[event.run + 1 :],
        )
    if event.burned:
        changes["burns"] = (*state.burns, event.burned)
    if event.up:
        dealt = dict(event.up)
        changes["chairs"] = tuple(
            [
                _replace(chair, up=(*chair.up, dealt[chair.seat])) if chair.seat in dealt else chair
                for chair in state.chairs
            ]
        )
    return changes


def _turn_ruled(_state: Hand, event: ev.TurnRuled) -> dict[str, Any]:
    return {"betting": event.betting}


def _clock_called(_state: Hand, event: ev.ClockCalled) -> dict[str, Any]:
    return {"clock": event.clock}


def _clock_expired(_state: Hand, _event: ev.ClockExpired) -> dict[str, Any]:
    return {"clock": None}


def _chips_left_in(state: Hand, event: ev.ChipsLeftIn) -> dict[str, Any]:
    return {
        "chairs": after_action(state.chairs, event.seat, event.cents, folded=False, all_in=False)
    }


def _uncalled_returned(state: Hand, event: ev.UncalledReturned) -> dict[str, Any]:
    chair = _chair(state, event.seat)
    stack = chair.stack_cents
    return {
        "chairs": _with_chair(
            state.chairs,
            event.seat,
            stack_cents=None if stack is None else stack + event.cents,
            matched_cents=chair.matched_cents - event.cents,
            put_in_cents=chair.put_in_cents - event.cents,
            all_in=False,
        )
    }


def _betting_closed(_state: Hand, event: ev.BettingClosed) -> dict[str, Any]:
    changes: dict[str, Any] = {
        "pots": event.pots,
        "phase": event.phase,
        "order": event.order,
        "betting_over": event.betting_over,
    }
    if event.phase is Phase.SHOWDOWN and event.order:
        changes["showdown"] = True
    return changes


def _without(cards: tuple[str, ...], gone: tuple[str, ...]) -> tuple[str, ...]:
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
        elif UNKNOWN in left:
            left.remove(UNKNOWN)
    return tuple(left)


def _cards_exchanged(state: Hand, event: ev.CardsExchanged) -> dict[str, Any]:
    chair = _chair(state, event.seat)
    gone = event.discarded if event.discarded is not None else (UNKNOWN,) * event.count
    drawn = event.drawn or ()
    chairs = _with_chair(
        state.chairs,
        event.seat,
        down=_without(chair.down, gone) + drawn,
        put_away=chair.put_away + gone,
    )
    changes: dict[str, Any] = {"chairs": chairs, "order": event.order, "phase": event.phase}
    if event.betting is not None:
        changes["betting"] = event.betting
        changes["street"] = event.betting.street
    return changes


def _rake_taken(state: Hand, event: ev.RakeTaken) -> dict[str, Any]:
    entry = (event.pot, event.rake_cents, event.jackpot_drop_cents)
    return {"taken": (*state.taken, entry)}


def _runs_agreed(state: Hand, event: ev.RunsAgreed) -> dict[str, Any]:
    return {"boards": state.boards[:1] * event.times}


def _cards_put_away(state: Hand, event: ev.CardsPutAway) -> dict[str, Any]:
    chair = _chair(state, event.seat)
    gone = event.cards if event.cards is not None else (UNKNOWN,) * event.count
    return {
        "chairs": _with_chair(
            state.chairs,
            event.seat,
            down=_without(chair.down, gone),
            put_away=chair.put_away + gone,
        )
    }


def _declaration_sealed(state: Hand, event: ev.DeclarationSealed) -> dict[str, Any]:
    others = tuple(entry for entry in state.sealed if entry[0] != event.seat)
    sealed = (*others, (event.seat, event.chips))
    return {"ending": _replace(state.ending, sealed=sealed)}


def _declarations_revealed(state: Hand, event: ev.DeclarationsRevealed) -> dict[str, Any]:
    changes: dict[str, Any] = {
        "ending": _replace(state.ending, ways=event.ways),
        "order": event.order,
        "phase": event.phase,
    }
    if event.phase is Phase.SHOWDOWN:
        changes["showdown"] = changes["betting_over"] = True
    if event.betting is not None:
        changes["betting"] = event.betting
    return changes


def _hand_shown(state: Hand, event: ev.HandShown) -> dict[str, Any]:
    chair = _chair(state, event.seat)
    down = chair.down
    for card in event.cards:
        if card != UNKNOWN and card not in down and card not in chair.up:
            down = (*_without(down, (UNKNOWN,)), card)
    return {
        "chairs": _with_chair(
            state.chairs,
            event.seat,
            down=down,
            shown=chair.shown + event.cards,
            tabled=event.tabled or chair.tabled,
        ),
        "order": tuple(seat for seat in state.order if seat != event.seat)
        if event.tabled
        else state.order,
    }


def _board_played(state: Hand, event: ev.BoardPlayed) -> dict[str, Any]:
    said = (*state.said_board, event.seat)
    return {"ending": _replace(state.ending, said_board=said)}


def _hand_mucked(state: Hand, event: ev.HandMucked) -> dict[str, Any]:
    return {
        "chairs": _with_chair(state.chairs, event.seat, fate=Fate.MUCKED),
        "order": tuple(seat for seat in state.order if seat != event.seat),
        "ending": _replace(
            state.ending,
            unseen=(*state.unseen, (event.seat, event.in_muck, event.identifiable)),
        ),
    }


def _hand_killed(state: Hand, event: ev.HandKilled) -> dict[str, Any]:
    fate = Fate.DEAD if event.by_ruling else Fate.KILLED
    changes: dict[str, Any] = {
        "clock": None,
        "chairs": _with_chair(state.chairs, event.seat, fate=fate),
        "order": tuple(seat for seat in state.order if seat != event.seat),
    }
    if event.betting is not None:
        changes["betting"] = event.betting
    return changes


def _hand_requested(state: Hand, event: ev.HandRequested) -> dict[str, Any]:
    return {
        "chairs": _with_chair(
            state.chairs, event.seat, fate=Fate.LIVE if event.live else Fate.KILLED
        ),
        "order": tuple(seat for seat in state.order if seat != event.seat),
        "ending": _replace(state.ending, asked=(*state.asked, (event.asked_by, event.seat))),
    }


def _pot_awarded(state: Hand, event: ev.PotAwarded) -> dict[str, Any]:
    won: dict[int, int] = {}
    for share in event.shares:
        won[share.seat] = won.get(share.seat, 0) + share.cents
    chairs = tuple(
        [
            _replace(chair, stack_cents=chair.stack_cents + won[chair.seat])
            if chair.seat in won and chair.stack_cents is not None
            else chair
            for chair in state.chairs
        ]
    )
    return {
        "chairs": chairs,
        "ending": _replace(
            state.ending,
            awarded=(*state.awarded, event.pot),
            shares=state.shares + event.shares,
            jackpot_odd_cents=state.jackpot_odd_cents + event.jackpot_odd_cents,
        ),
    }


def _given_back(state: Hand, returns: tuple[tuple[int, int], ...]) -> Chairs:
    back = dict(returns)
    return tuple(
        [
            _replace(
                chair,
                stack_cents=None
                if chair.stack_cents is None
                else chair.stack_cents + back.get(chair.seat, 0),
                matched_cents=0,
                put_in_cents=0,
                dead_cents=0,
            )
            for chair in state.chairs
        ]
    )


def _blinds_chopped(state: Hand, event: ev.BlindsChopped) -> dict[str, Any]:
    return {"chairs": _given_back(state, event.returns), "pots": (), "order": ()}


def _winner_noted(state: Hand, event: ev.WinnerNoted) -> dict[str, Any]:
    return {"ending": _replace(state.ending, winners=event.seats)}


def _hand_settled(state: Hand, event: ev.HandSettled) -> dict[str, Any]:
    house_cents = event.rake_cents + event.collection_cents
    return {
        "phase": Phase.SETTLED,
        "ending": _replace(state.ending, results=event.results, house_cents=house_cents),
        "order": (),
    }


def _hand_voided(state: Hand, event: ev.HandVoided) -> dict[str, Any]:
    return {
        "phase": Phase.VOID,
        "chairs": _given_back(state, event.returns),
        "pots": (),
        "order": (),
    }


_CHANGES: Final[dict[type[Event], Callable[[Hand, Any], dict[str, Any]]]] = {
    ev.HoleCardsNoted: _hole_cards_noted,
    ev.StreetDealt: _street_dealt,
    ev.TurnRuled: _turn_ruled,
    ev.ChipsLeftIn: _chips_left_in,
    ev.ClockCalled: _clock_called,
    ev.ClockExpired: _clock_expired,
    ev.UncalledReturned: _uncalled_returned,
    ev.BettingClosed: _betting_closed,
    ev.CardsExchanged: _cards_exchanged,
    ev.RakeTaken: _rake_taken,
    ev.RunsAgreed: _runs_agreed,
    ev.CardsPutAway: _cards_put_away,
    ev.DeclarationSealed: _declaration_sealed,
    ev.DeclarationsRevealed: _declarations_revealed,
    ev.HandShown: _hand_shown,
    ev.BoardPlayed: _board_played,
    ev.HandMucked: _hand_mucked,
    ev.HandKilled: _hand_killed,
    ev.HandRequested: _hand_requested,
    ev.PotAwarded: _pot_awarded,
    ev.BlindsChopped: _blinds_chopped,
    ev.WinnerNoted: _winner_noted,
    ev.HandSettled: _hand_settled,
    ev.HandVoided: _hand_voided,
}
