"""Random hands: a game, stacks and a deck, and entries drawn from what is legal.

Every choice of a hand is read from a tape of bytes. Hypothesis draws and shrinks the tape in one piece, which costs far
less than one draw for each choice; a zero means the plainest choice (check, call, deal on), so that a shrunk tape is a
plain hand. What fails tells its hand in words (`telling`).
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Game, Structure
from cardroom.poker.cards import DECK, RANKS, SUITS
from cardroom.poker.chairs import Fate
from cardroom.poker.legal import WAGERS, Act, Option
from cardroom.poker.variants import VARIANTS, Combine
from cardroom.tables import hand_events as ev
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_events import Phase, Post, PostKind
from cardroom.tables.hand_flow import free_seats
from tests.plugins.hand_play import IDS, Play, game, hc

BOARD_FORMS = (Form.HOLDEM, Form.OMAHA, Form.OMAHA_HIGH_LOW, Form.PINEAPPLE)
STUD_FORMS = (Form.STUD, Form.STUD_HIGH_LOW, Form.RAZZ)
DRAW_FORMS = (Form.FIVE_CARD_DRAW, Form.LOWBALL)
FORMS = BOARD_FORMS + STUD_FORMS + DRAW_FORMS
BOOKS = ("WP", "LC", "RC", "HG")
STRUCTURES = (Structure.LIMIT, Structure.NO_LIMIT, Structure.POT_LIMIT, Structure.SPREAD_LIMIT)
TAPE_BYTES = 320
SCALE = int(os.environ.get("PROPERTY_SCALE", "1"))
"""How many times as many hands as in an ordinary run: `PROPERTY_SCALE=20 make test ARGS=tests/property`."""
Choice = TypeVar("Choice")


class Tape:
    """Choices read off bytes, zeros once they have run out.

    Args:
        data: the bytes.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def __repr__(self) -> str:
        return f"Tape({self.data.rstrip(bytes(1))!r})"

    def below(self, count: int) -> int:
        """Return a number from 0 to `count` - 1."""
        number = 0
        room = 1
        while room < count:
            number = number << 8 | (self.data[self.at] if self.at < len(self.data) else 0)
            self.at += 1
            room <<= 8
        return number % count

    def between(self, least: int, most: int) -> int:
        """Return a number from `least` to `most`."""
        return least + self.below(most - least + 1)

    def pick(self, choices: Sequence[Choice]) -> Choice:
        """Return one of some choices, the plainest first."""
        return choices[self.below(len(choices))]

    def one_in(self, count: int) -> bool:
        """Return True once in `count` times."""
        return self.below(count) == count - 1


def many(count: int) -> int:
    """Return how many hands a property plays: as many as stated, or the multiple asked for in the environment."""
    return count * SCALE


def tapes(size: int = TAPE_BYTES) -> st.SearchStrategy[Tape]:
    """Return tapes of some bytes."""
    return st.binary(min_size=size, max_size=size).map(Tape)


class Dealt(NamedTuple):
    """A random hand before its first action.

    Args:
        book: whose rules.
        form: what is dealt.
        structure: how much may be bet.
        play: the hand, its forced bets in.
        deck: the cards in the order dealt.
        stacks: by seat from 1, in chips.
        ante: each player's, in chips.
        chip_cents: what a chip is worth.
        straddle: the straddle of the third seat, in chips; 0 for none.
        dead_ante: chips that the big blind puts in for all, counting toward no wager.
    """

    book: str
    form: Form
    structure: Structure
    play: Play
    deck: tuple[str, ...]
    stacks: tuple[int, ...]
    ante: int
    chip_cents: int = 100
    straddle: int = 0
    dead_ante: int = 0


SMALL, BIG, UPPER, BRING_IN = 2, 4, 8, 2
"""Blinds, bets and bring-in in chips; the least spread bet is the small blind."""


def dealt(
    tape: Tape,
    *,
    books: Sequence[str] = BOOKS,
    forms: Sequence[Form] = FORMS,
    structures: Sequence[Structure] = STRUCTURES,
    most_seats: int = 10,
    values: dict[str, Any] | None = None,
    houses: bool = False,
) -> Dealt:
    """Return a hand with its forced bets in.

    Args:
        tape: the choices.
        books: whose rules.
        forms: what may be dealt.
        structures: how much may be bet.
        most_seats: how many players at most; never more than the form serves.
        values: decisions set otherwise for this table.
        houses: whether to draw decisions that houses set otherwise.
    """
    form = tape.pick(forms)
    structure = tape.pick(structures)
    book = tape.pick(books)
    variant = VARIANTS[form]
    count = tape.between(2, min(most_seats, variant.most_seats))
    if tape.below(2):
        count = min(count, 4)  # fewer players leave more hands that reach the river
    chip_cents = tape.pick((100, 100, 50, 25))
    ante = int(variant.stud or tape.below(3) == 2)
    extra = 0 if variant.stud else tape.below(8)
    straddle = 2 * BIG if extra == 6 and count > 2 else 0
    dead_ante = 3 if extra == 7 and not ante else 0
    return set_up(
        book,
        form,
        structure,
        stacks_of(tape, count),
        shuffled(tape, variant.dealt(0)[0] or 1),
        ante=ante,
        chip_cents=chip_cents,
        straddle=straddle,
        dead_ante=dead_ante,
        values=house(tape, form) if houses else values,
    )


def house(tape: Tape, form: Form) -> dict[str, Any]:
    """Return decisions that a house may set otherwise: declaring in high-low, no check-raise, odd chips."""
    values: dict[str, Any] = {}
    if VARIANTS[form].high_low and tape.below(2):
        values["highlow__mode"] = "declare"
        if tape.below(2):
            values["highlow__declare_method"] = "spoken_in_turn"
        if tape.below(2):
            values["highlow__bet_after_declare"] = True
        if tape.below(2):
            values["highlow__both_ways_tie"] = tape.pick(
                ("must_win_both", "keep_win_and_share_tie")
            )
    if tape.one_in(4):
        values["betting__check_raise"] = False
    return values


def set_up(
    book: str,
    form: Form,
    structure: Structure,
    stacks: tuple[int, ...],
    deck: tuple[str, ...] = DECK,
    *,
    ante: int = 0,
    chip_cents: int = 100,
    straddle: int = 0,
    dead_ante: int = 0,
    values: dict[str, Any] | None = None,
) -> Dealt:
    """Return a hand of seats 1 to the last, which has the button; amounts as in `Dealt`."""
    a_game = game_of(form, structure, chip_cents, ante)
    play = Play(
        book,
        a_game,
        {seat: Decimal(stack * chip_cents) / 100 for seat, stack in enumerate(stacks, 1)},
        button=0 if VARIANTS[form].stud else len(stacks),
        posts=posts_of(a_game, len(stacks), straddle * chip_cents, dead_ante * chip_cents),
        values=values,
    )
    return Dealt(book, form, structure, play, deck, stacks, ante, chip_cents, straddle, dead_ante)


def stacks_of(tape: Tape, count: int) -> tuple[int, ...]:
    """Return stacks in chips: deep ones, short ones, or a mixture in which many are all-in at once."""
    kind = tape.below(4)
    spans = ((100, 400), (1, 250), (1, 40), (3, 90))
    least, most = spans[kind]
    return tuple(tape.between(least, most) for _ in range(count))


def game_of(form: Form, structure: Structure, chip_cents: int, ante: int) -> Game:
    """Return a game whose bets are these chips."""
    chip = Decimal(chip_cents) / 100
    stud = VARIANTS[form].stud
    spread = structure is Structure.SPREAD_LIMIT
    return game(
        (SMALL if spread else BIG) * chip,
        UPPER * chip if spread or structure is Structure.LIMIT else 0,
        form=form,
        structure=structure,
        chip=chip,
        ante=ante * chip,
        bring_in=BRING_IN * chip if stud else 0,
        blinds=() if stud else (SMALL * chip, BIG * chip),
    )


def posts_of(
    a_game: Game, count: int, straddle_cents: int, dead_ante_cents: int
) -> tuple[Post, ...]:
    """Return the forced bets of a hand that is dealt from seat 1 on, the button in the last seat."""
    seats = range(1, count + 1)
    ante_cents = a_game.ante_cents
    posts = [
        Post(seat=seat, kind=PostKind.ANTE, ante_cents=ante_cents) for seat in seats if ante_cents
    ]
    if a_game.blinds_cents:
        small, big = (2, 1) if count == 2 else (1, 2)
        if dead_ante_cents:
            posts.append(Post(seat=big, kind=PostKind.ANTE, dead_cents=dead_ante_cents))
        for seat, kind, cents in zip(
            (small, big),
            (PostKind.SMALL_BLIND, PostKind.BIG_BLIND),
            a_game.blinds_cents,
            strict=True,
        ):
            posts.append(Post(seat=seat, kind=kind, live_cents=cents))
    if straddle_cents:
        posts.append(Post(seat=3, kind=PostKind.STRADDLE, live_cents=straddle_cents))
    return tuple(posts)


def shuffled(tape: Tape, first: int) -> tuple[str, ...]:
    """Return a deck: well shuffled, of few ranks first, or one in which hands dealt in turn are alike and tie.

    Args:
        tape: the choices.
        first: how many cards each player is dealt at first.
    """
    random = Random(tape.below(1 << 24))
    kind = tape.below(4)
    deck = list(DECK)
    random.shuffle(deck)
    if kind < 2:
        return tuple(deck)
    ranks = list(RANKS)
    random.shuffle(ranks)
    if kind == 2:
        few = set(ranks[:7])
        return tuple(sorted(deck, key=lambda card: card[0] not in few))
    alike = [
        rank + suit
        for at in range(0, len(ranks), first)
        for suit in SUITS
        for rank in ranks[at : at + first]
    ]
    return tuple(alike)


class Dealer:
    """Deals from a random deck and enters every card."""

    def __init__(self, hand: Dealt) -> None:
        self.hand = hand
        self.play = hand.play
        self.deck = list(hand.deck)

    def take(self, count: int) -> tuple[str, ...]:
        """Return the next cards of the deck."""
        taken, self.deck = tuple(self.deck[:count]), self.deck[count:]
        return taken

    def hole_cards(self) -> None:
        """Deal everybody's first cards (stud deals with the street)."""
        variant = self.play.rules.variant
        if not variant.stud:
            down = variant.streets[0].down
            self.note({chair.seat: self.take(down) for chair in self.play.state.chairs})

    def note(self, hands: dict[int, tuple[str, ...]]) -> None:
        """Enter cards dealt face down."""
        told = tuple((seat, cards) for seat, cards in hands.items() if cards)
        if told:
            self.play.enter(hc.NoteHoleCards(**IDS, hands=told))

    def street(self) -> None:
        """Deal the next street; one card for all where the deck is short for the last of stud."""
        play = self.play
        variant = play.rules.variant
        if len(play.state.boards) > 1:
            self.next_run()
            return
        street = variant.streets[play.state.street + 1]
        live = [chair.seat for chair in play.state.chairs if chair.live]
        # Who folded with no wager to face is dealt to until there is one, where the book says so.
        free = free_seats(play.state, play.rules)
        served = [chair.seat for chair in play.state.chairs if chair.live or chair.seat in free]
        if variant.stud and len(live) * street.down + len(served) * street.up > len(self.deck):
            assert not street.up, "the deck is short before the last street"
            play.enter(hc.DealStreet(**IDS, board=self.take(1), community=True))
            return
        down = {seat: self.take(street.down) for seat in live} if variant.stud else {}
        up = tuple((seat, self.take(1)[0]) for seat in served) if street.up else ()
        play.enter(hc.DealStreet(**IDS, board=self.take(street.board), up=up))
        self.note(down)

    def next_run(self) -> None:
        """Deal the next cards of the first board that is behind, where the board is dealt more than once."""
        boards = self.play.state.boards
        run = min(range(len(boards)), key=lambda at: (len(boards[at]), at))
        count = 1 if boards[run] else 3
        self.play.enter(hc.DealStreet(**IDS, board=self.take(count), run=run))

    def exchange(self, count: int) -> None:
        """Let the next player draw or discard."""
        play = self.play
        seat = play.state.order[0]
        rule = play.rules.variant.streets[play.state.street + 1].exchange
        assert rule is not None
        chair = next(chair for chair in play.state.chairs if chair.seat == seat)
        count = max(rule.least, min(rule.most, count))
        if rule.replaced:
            count = min(count, len(self.deck))
        gone = chair.down[:count]
        drawn = self.take(count) if rule.replaced else ()
        play.enter(hc.Exchange(**IDS, seat=seat, count=count, discarded=gone, drawn=drawn))


def taken(option: Option, to_cents: int) -> hc.HandCommand:
    """Return the command that takes an option with an amount."""
    said: dict[str, Any] = {**IDS, "seat": option.seat}
    match option.act:
        case Act.FOLD:
            return hc.Fold(**said)
        case Act.CHECK:
            return hc.Check(**said)
        case Act.CALL:
            return hc.Call(**said)
        case Act.BRING_IN:
            return hc.BringIn(**said)
        case Act.BET:
            return hc.Bet(**said, to_cents=to_cents)
        case _:
            return hc.RaiseTo(**said, to_cents=to_cents)


def amount(tape: Tape, option: Option) -> int:
    """Return an amount that an option admits: the least, the most, a little more than the least, or any."""
    most = option.most_cents
    if most is None:
        most = option.least_cents + 40 * (option.step_cents or 1)
    if option.act not in WAGERS or option.least_cents == most or not option.step_cents:
        return option.least_cents
    span = (most - option.least_cents) // option.step_cents
    match tape.below(8):
        case 0 | 1 | 2:
            return option.least_cents
        case 3:
            return most
        case 4 | 5:
            return option.least_cents + tape.below(min(span, 8) + 1) * option.step_cents
        case _:
            return option.least_cents + tape.below(span + 1) * option.step_cents


TEMPERS = ((20, 26, 29), (12, 24, 30), (8, 22, 26), (6, 28, 31))
"""Of 32: below the first they check or call, below the second wager, below the third fold, else go all the way."""


def chosen(tape: Tape, options: Sequence[Option], temper: int) -> tuple[Option, int]:
    """Return an option and an amount, drawn after a temper.

    Args:
        tape: the choices.
        options: what is legal.
        temper: index in `TEMPERS`.
    """
    calm, bold, out = TEMPERS[temper]
    roll = tape.below(32)
    passing = next(one for one in options if one.act not in WAGERS and one.act is not Act.FOLD)
    wagers = [one for one in options if one.act in WAGERS]
    if wagers and (calm <= roll < bold or roll >= out):
        option = wagers[tape.below(len(wagers))] if len(wagers) > 1 else wagers[0]
        if roll >= out and option.most_cents is not None:
            return option, option.most_cents
        return option, amount(tape, option)
    if bold <= roll < out:
        for option in options:
            if option.act is Act.FOLD:
                return option, option.least_cents
    return passing, passing.least_cents


def step(tape: Tape, dealer: Dealer, temper: int) -> bool:
    """Enter one thing at random; False when the hand is at its declaring, its showdown or over."""
    play = dealer.play
    phase = play.state.phase
    if phase is Phase.BETTING:
        play.enter(taken(*chosen(tape, play.legal(), temper)))
    elif phase is Phase.DEALING:
        dealer.street()
    elif phase is Phase.EXCHANGING:
        dealer.exchange(tape.below(4))
    else:
        return False
    return True


def played(tape: Tape, hand: Dealt, *, astray: bool = False) -> Dealer:
    """Play a hand to its end: everybody declares and shows, the pots are pushed.

    Args:
        tape: the choices.
        hand: the hand.
        astray: whether rake, rulings, further runs and thrown-away hands come in between.
    """
    dealer = Dealer(hand)
    dealer.hole_cards()
    temper = tape.below(len(TEMPERS))
    while True:
        if astray and tape.one_in(16):
            stray(tape, dealer)
        if not step(tape, dealer, temper):
            if dealer.play.state.phase is not Phase.DECLARING:
                break
            declare(tape, dealer)
    finish(dealer, tape if astray else None)
    return dealer


def stray(tape: Tape, dealer: Dealer) -> None:
    """Enter something beside the actions, where it may be now: rake, a ruling, further runs, a chop."""
    play = dealer.play
    state = play.state
    live = [chair.seat for chair in state.chairs if chair.live]
    chip = state.game.chip_cents
    options: list[hc.HandCommand] = [
        hc.TakeRake(**IDS, rake_cents=chip, jackpot_drop_cents=chip * tape.below(2)),
        hc.AgreeRuns(**IDS, times=tape.between(2, 3), seats=tuple(live)),
        hc.ChopBlinds(**IDS),
    ]
    if live:
        options.append(hc.RuleHandDead(**IDS, seat=tape.pick(live), rules=("CR-6",)))
    command = tape.pick(options)
    if accepted(play, command):
        play.enter(command)


def accepted(play: Play, command: hc.HandCommand) -> bool:
    """Whether a command is accepted now; nothing is recorded. A refusal has to name its rules."""
    refused: Refused | None = None
    try:
        decide_hand(command, play.state, play.rules)
    except Refused as refusal:
        refused = refusal
    assert refused is None or refused.rules, f"{command} is refused without a rule"
    return refused is None


def declare(tape: Tape, dealer: Dealer) -> None:
    """Let everybody put cards away and declare, with chips or aloud."""
    play = dealer.play
    rules = play.rules
    for chair in play.state.chairs:
        if chair.live and rules.variant.combine is Combine.TWO_AND_THREE:
            first = tape.below(3)
            gone = chair.down[first : first + 2]
            play.enter(hc.PutAway(**IDS, seat=chair.seat, cards=gone))
    if rules.high_low.in_turn:
        while play.state.phase is Phase.DECLARING:
            waiting = [seat for seat in play.state.order if seat not in dict(play.state.sealed)]
            way = tape.pick(("high", "low", "both"))
            play.enter(hc.DeclareAloud(**IDS, seat=waiting[0], way=way))
        return
    for chair in play.state.chairs:
        if chair.live:
            fist = tape.pick(rules.high_low.chips)[0]
            play.enter(hc.SealDeclaration(**IDS, seat=chair.seat, chips=fist))
    play.enter(hc.RevealDeclarations(**IDS))


def finish(dealer: Dealer, tape: Tape | None = None) -> None:
    """Show every live hand and push the pots.

    Args:
        dealer: of the hand.
        tape: choices of hands thrown away instead; everybody shows without.
    """
    play = dealer.play
    if play.state.phase is Phase.SHOWDOWN:
        # Side pots first: some books keep those who are in for the main pot only hidden until then.
        for at in reversed(range(len(play.state.pots))):
            for seat in play.state.order:
                if seat in play.state.pots[at].seats:
                    if tape is not None and tape.one_in(6):
                        play.enter(hc.MuckHand(**IDS, seat=seat))
                    else:
                        play.show(seat)
            pot = play.state.pots[at]
            forfeited = all(
                chair.fate is Fate.DEAD for chair in play.state.chairs if chair.seat in pot.seats
            )
            play.enter(
                hc.AwardPots(
                    **IDS, pot=at, losers_killed=True, winners=pot.seats[:1] if forfeited else ()
                )
            )
    assert play.state.over


@contextmanager
def telling(*plays: Play) -> Iterator[None]:
    """Add the story of hands to what fails within."""
    try:
        yield
    except Exception as problem:
        for play in plays:
            problem.add_note(story(play))
        raise


def story(play: Play) -> str:
    """Return a hand in words: the game, the seats, and what was entered, with what followed by itself."""
    start = play.events[0]
    assert isinstance(start, ev.HandStarted)
    a_game = start.game
    lines = [
        f"{play.rules.book.book} {a_game.structure.value} {a_game.form.value}, bets "
        f"{a_game.small_bet_cents}/{a_game.big_bet_cents}, chip {a_game.chip_cents}, "
        f"bring-in {a_game.bring_in_cents}, button {start.button_seat}; in cents",
        "stacks " + ", ".join(f"{one.seat}: {one.stack_cents}" for one in start.seats),
        *(
            f"{post.seat} posts {post.kind.value} live {post.live_cents} ante {post.ante_cents} dead {post.dead_cents}"
            for post in start.posts
        ),
    ]
    lines += [_said(event) for event in play.events[1:]]
    return "\n".join(line for line in lines if line)


def _said(event: Any) -> str:
    match event:
        case ev.ActionTaken():
            tail = " all-in" if event.all_in else ""
            return f"{event.seat} {event.act.value} {event.to_cents}{tail}"
        case ev.HoleCardsNoted():
            hands = zip(event.seats, event.cards or (), strict=True)
            return "dealt " + ", ".join(f"{seat}: {' '.join(cards)}" for seat, cards in hands)
        case ev.StreetDealt():
            up = ", ".join(f"{seat}: {card}" for seat, card in event.up)
            return f"street {event.street} run {event.run}: {' '.join(event.board)}{up}"
        case ev.BettingClosed():
            return f"pots {[(pot.cents, pot.seats) for pot in event.pots]}, {event.phase.value}"
        case ev.PotAwarded():
            shares = [(one.seat, one.cents, one.part, one.run, one.odd) for one in event.shares]
            return f"pot {event.pot} of {event.cents}: {shares}"
        case ev.HandSettled():
            return f"ends {[(one.seat, one.after_cents) for one in event.results]}"
        case _:
            return f"{event!r}"
