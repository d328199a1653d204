"""A hand and PokerKit's (0.7) of the same game, cards and actions, side by side.

PokerKit counts whole chips; amounts are compared in chips.
"""

from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import pokerkit
from pokerkit import Automation, BettingStructure, Deck, Mode, Opening, Street

from cardroom.known.games import Form, Structure
from cardroom.poker.betting import in_front
from cardroom.poker.chairs import Chair
from cardroom.poker.legal import WAGERS, Act, Option
from cardroom.tables import hand_events as ev
from tests.plugins.hand_random import BIG, BRING_IN, SMALL, UPPER, Dealer, Dealt, taken

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
    Automation.RUNOUT_COUNT_SELECTION,
)
PRIMES = dict(zip("23456789TJQKA", (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41), strict=True))
CODES = {card: (PRIMES[repr(card)[0]], 1 << "cdhs".index(repr(card)[1])) for card in Deck.STANDARD}


class Table:
    """One of PokerKit's kinds of hand, each of its entries asked for once.

    PokerKit reads every five cards anew for every question, which takes most of a hand's time. Here each of its
    entries is asked for once and the best five are found among those; what ranks above what stays PokerKit's.

    Args:
        kind: PokerKit's class of the hand.
        own: how many hole cards count, where just so many do; else 0.
    """

    def __init__(self, kind: Any, own: int = 0) -> None:
        self.kind = kind
        self.own = own
        self.entries: dict[tuple[int, bool], int | None] = {}
        self.best = lru_cache(maxsize=1024)(self._best)

    def from_game(self, hole_cards: Any, board_cards: Any = ()) -> int:
        """Return how strong a hand is, higher better, as PokerKit's State asks it.

        Raises:
            ValueError: the cards make no such hand.
        """
        best = self.best(tuple(hole_cards), tuple(board_cards))
        if best is None:
            raise ValueError("no such hand")
        return best

    def _best(self, hole: tuple[Any, ...], board: tuple[Any, ...]) -> int | None:
        if self.own:
            fives = (
                pair + three
                for pair in combinations(hole, self.own)
                for three in combinations(board, 3)
            )
        else:
            fives = combinations(hole + board, 5)  # type: ignore[assignment]
        made = [strength for five in fives if (strength := self._strength(five)) is not None]
        return max(made, default=None)

    def _strength(self, five: tuple[Any, ...]) -> int | None:
        product, suited = 1, 15
        for card in five:
            prime, suit = CODES[card]
            product *= prime
            suited &= suit
        key = (product, bool(suited))
        if key not in self.entries:
            entry = self.kind.lookup.get_entry_or_none(five)
            index = None if entry is None else entry.index
            self.entries[key] = -index if index is not None and self.kind.low else index
        return self.entries[key]


HIGH = Table(pokerkit.StandardHighHand)
LOW = Table(pokerkit.RegularLowHand)
HANDS: dict[Form, tuple[Table, ...]] = {
    Form.HOLDEM: (HIGH,),
    Form.OMAHA: (Table(pokerkit.OmahaHoldemHand, 2),),
    Form.OMAHA_HIGH_LOW: (
        Table(pokerkit.OmahaHoldemHand, 2),
        Table(pokerkit.OmahaEightOrBetterLowHand, 2),
    ),
    Form.STUD: (HIGH,),
    Form.STUD_HIGH_LOW: (HIGH, Table(pokerkit.EightOrBetterLowHand)),
    Form.RAZZ: (LOW,),
    Form.FIVE_CARD_DRAW: (HIGH,),
    Form.LOWBALL: (LOW,),
}
"""The forms that PokerKit's parts can play; it has no discard without a draw (pineapple)."""
STRUCTURES = {
    Structure.NO_LIMIT: BettingStructure.NO_LIMIT,
    Structure.POT_LIMIT: BettingStructure.POT_LIMIT,
    Structure.LIMIT: BettingStructure.FIXED_LIMIT,
}
"""PokerKit has no spread limit."""
RAISES, DRAW_RAISES = 3, 4
"""Raises after the bet that WP allows in a round of three or more; games of two rounds have one more (WP-3R3b)."""


def streets_of(hand: Dealt) -> tuple[Street, ...]:
    """Return PokerKit's streets of a form; the blind or straddle counts as bet and raise toward the cap."""
    limit = hand.structure is Structure.LIMIT
    upper = UPPER if limit else BIG
    draw_game = hand.form in {Form.FIVE_CARD_DRAW, Form.LOWBALL}
    raises = DRAW_RAISES if draw_game else RAISES
    cap = raises + 1 if limit and len(hand.stacks) > 2 else None
    posted = 2 if hand.straddle else 1

    def street(
        down: tuple[bool, ...],
        board: int,
        opening: Opening,
        bet: int,
        counted: int = 0,
        *,
        draw: bool = False,
        burn: bool = True,
    ) -> Street:
        left = None if cap is None else cap - counted
        return Street(burn, down, board, draw, opening, bet, left)

    if draw_game:
        return (
            street((False,) * 5, 0, Opening.POSITION, BIG, posted, burn=False),
            street((), 0, Opening.POSITION, upper, draw=True, burn=False),
        )
    if hand.form in {Form.STUD, Form.STUD_HIGH_LOW, Form.RAZZ}:
        razz = hand.form is Form.RAZZ
        opens = Opening.LOW_HAND if razz else Opening.HIGH_HAND
        brings_in = Opening.HIGH_CARD if razz else Opening.LOW_CARD
        return (
            street((False, False, True), 0, brings_in, BIG, burn=False),
            street((True,), 0, opens, BIG),
            street((True,), 0, opens, upper),
            street((True,), 0, opens, upper),
            street((False,), 0, opens, upper),
        )
    held = 2 if hand.form is Form.HOLDEM else 4
    return (
        street((False,) * held, 0, Opening.POSITION, BIG, posted, burn=False),
        street((), 3, Opening.POSITION, BIG),
        street((), 1, Opening.POSITION, upper),
        street((), 1, Opening.POSITION, upper),
    )


def oracle(hand: Dealt) -> Any:
    """Return PokerKit's state of a hand, forced bets in."""
    stud = hand.form in {Form.STUD, Form.STUD_HIGH_LOW, Form.RAZZ}
    blinds = {0: SMALL, 1: BIG, 2: hand.straddle}
    antes: Any = {1: hand.dead_ante} if hand.dead_ante else hand.ante
    return pokerkit.State(
        AUTOMATIONS,
        Deck.STANDARD,
        HANDS[hand.form],
        streets_of(hand),
        STRUCTURES[hand.structure],
        not hand.dead_ante,
        antes,
        0 if stud else {seat: cents for seat, cents in blinds.items() if cents},
        BRING_IN if stud else 0,
        hand.stacks,
        len(hand.stacks),
        mode=Mode.CASH_GAME,
    )


class Offer(NamedTuple):
    """What the player in turn may do, in chips added (call) or in front (wagers); None where it is not open."""

    call: int | None
    least: int | None
    most: int | None
    fold: bool


class Twin(Dealer):
    """A hand and PokerKit's, dealt alike."""

    def __init__(self, hand: Dealt) -> None:
        super().__init__(hand)
        self.chip = hand.chip_cents
        self.kit = oracle(hand)
        self.drawn: list[tuple[int, tuple[str, ...]]] = []

    def hole_cards(self) -> None:
        """Deal everybody's first cards in both."""
        super().hole_cards()
        if not self.play.rules.variant.stud:
            for chair in self.play.state.chairs:
                self.kit.deal_hole("".join(chair.down), player_index=chair.seat - 1)

    def street(self) -> None:
        """Deal the next street in both."""
        play, kit = self.play, self.kit
        before = {chair.seat: len(chair.down) + len(chair.up) for chair in play.state.chairs}
        lying = len(play.state.boards[0])
        super().street()
        if kit.can_burn_card("??"):
            kit.burn_card("??")
        board = play.state.boards[0][lying:]
        if board:
            kit.deal_board("".join(board))
            return
        for chair in play.state.chairs:
            new = cards_since(chair, before[chair.seat])
            if new and chair.live:
                kit.deal_hole("".join(new), player_index=chair.seat - 1)

    def exchange(self, count: int) -> None:
        """Let the next player draw in both; PokerKit deals the cards once all have put theirs away."""
        play, kit = self.play, self.kit
        seat = play.state.order[0]
        assert kit.stand_patter_or_discarder_index == seat - 1, "another player is to draw"
        super().exchange(count)
        done = [one for one in play.events[-2:] if isinstance(one, ev.CardsExchanged)][-1]
        kit.stand_pat_or_discard("".join(done.discarded or ()))
        self.drawn.append((seat, done.drawn or ()))
        if not done.order:
            for drawer, cards in self.drawn:
                if cards:
                    kit.deal_hole("".join(cards), player_index=drawer - 1)

    @property
    def deck_short(self) -> bool:
        """Whether one card for all is due on the last street, which PokerKit deals out of the muck instead."""
        variant = self.play.rules.variant
        live = sum(chair.live for chair in self.play.state.chairs)
        return (
            variant.stud
            and self.play.state.street + 2 == len(variant.streets)
            and (live > len(self.deck))
        )

    def ours(self) -> Offer:
        """Return what we offer the player in turn."""
        play = self.play
        options = {option.act: option for option in play.legal()}
        betting = play.state.betting
        assert betting is not None
        chair = next(one for one in play.state.chairs if one.seat == play.state.to_act)
        call = None
        for act in (Act.CALL, Act.CHECK, Act.BRING_IN):
            if act in options:
                call = (options[act].least_cents - in_front(chair, betting)) // self.chip
        wagers = [option for option in play.legal() if option.act in WAGERS]
        if not wagers:
            return Offer(call, None, None, Act.FOLD in options)
        most = wagers[-1].most_cents
        assert most is not None
        return Offer(
            call, wagers[0].least_cents // self.chip, most // self.chip, Act.FOLD in options
        )

    def theirs(self) -> Offer:
        """Return what PokerKit offers the player in turn."""
        kit = self.kit
        call = (
            kit.effective_bring_in_amount if kit.bring_in_status else kit.checking_or_calling_amount
        )
        least = kit.min_completion_betting_or_raising_to_amount
        most = None if least is None else kit.max_completion_betting_or_raising_to_amount
        return Offer(call, least, most, not kit.bring_in_status)

    def act(self, option: Option, to_cents: int) -> None:
        """Take an action in both."""
        self.play.enter(taken(option, to_cents))
        kit = self.kit
        match option.act:
            case Act.FOLD:
                kit.fold()
            case Act.CHECK | Act.CALL:
                kit.check_or_call()
            case Act.BRING_IN:
                kit.post_bring_in()
            case _:
                kit.complete_bet_or_raise_to(to_cents // self.chip)

    def show_all(self) -> None:
        """Turn up in PokerKit every hand whose turn it is to be shown."""
        kit = self.kit
        while kit.showdown_index is not None and kit.can_show_or_muck_hole_cards():
            kit.show_or_muck_hole_cards(True)


def cards_since(chair: Chair, before: int) -> tuple[str, ...]:
    """Return the cards a player was dealt on a street of stud: two down and one up, then one up, at last one down."""
    if not before:
        return chair.down + chair.up
    if len(chair.down) + len(chair.up) == before:
        return ()
    return chair.down[-1:] if before == 6 else chair.up[-1:]
