"""Random hands: a game, stacks and a deck, and actions drawn from what is legal."""

from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st

from cardroom.known.games import Form, Structure
from cardroom.poker.cards import DECK
from cardroom.poker.legal import WAGERS, Act, Option
from cardroom.poker.variants import VARIANTS
from cardroom.tables.hand_events import Phase, Post, PostKind
from tests.plugins.hand_play import IDS, Play, game, hc

BOARD_FORMS = (Form.HOLDEM, Form.OMAHA, Form.OMAHA_HIGH_LOW, Form.PINEAPPLE)
STUD_FORMS = (Form.STUD, Form.STUD_HIGH_LOW, Form.RAZZ)
DRAW_FORMS = (Form.FIVE_CARD_DRAW, Form.LOWBALL)


class Dealt(NamedTuple):
    """A random hand before its first action."""

    book: str
    form: Form
    structure: Structure
    play: Play
    deck: tuple[str, ...]
    stacks: tuple[int, ...]
    ante: int


@st.composite
def dealt_hands(
    draw: Any,
    *,
    books: tuple[str, ...] = ("LC", "RC", "HG", "WP"),
    forms: tuple[Form, ...] = BOARD_FORMS + STUD_FORMS + DRAW_FORMS,
    structures: tuple[Structure, ...] = tuple(Structure),
    least_stack: int = 1,
    most_stack: int = 400,
    most_seats: int = 9,
    antes: bool = True,
) -> Dealt:
    """Return a hand of any form with its forced bets in; amounts in whole dollars."""
    name = draw(st.sampled_from(books))
    form = draw(st.sampled_from(forms))
    structure = draw(st.sampled_from(structures))
    variant = VARIANTS[form]
    count = draw(
        st.integers(2, min(most_seats, variant.most_seats, 6 if form in DRAW_FORMS else 9))
    )
    stacks = tuple(
        draw(st.lists(st.integers(least_stack, most_stack), min_size=count, max_size=count))
    )
    ante = draw(st.sampled_from((0, 1))) if antes else 0
    limit = structure is Structure.LIMIT
    a_game = game(
        2 if structure is Structure.SPREAD_LIMIT else 4,
        8 if limit or structure is Structure.SPREAD_LIMIT else 0,
        form=form,
        structure=structure,
        ante=1 if variant.stud else ante,
        bring_in=2 if variant.stud and limit else 0,
        blinds=() if variant.stud else (2, 4),
    )
    seats = range(1, count + 1)
    posts = [
        Post(seat=seat, kind=PostKind.ANTE, ante_cents=a_game.ante_cents)
        for seat in seats
        if a_game.ante_cents
    ]
    if not variant.stud:
        small, big = (2, 1) if count == 2 else (1, 2)
        posts.append(Post(seat=small, kind=PostKind.SMALL_BLIND, live_cents=200))
        posts.append(Post(seat=big, kind=PostKind.BIG_BLIND, live_cents=400))
    play = Play(
        name,
        a_game,
        dict(zip(seats, stacks, strict=True)),
        button=0 if variant.stud else count,
        posts=tuple(posts),
    )
    shuffled = list(DECK)
    Random(draw(st.integers(0, 2**32))).shuffle(shuffled)
    deck = tuple(shuffled)
    return Dealt(name, form, structure, play, deck, stacks, a_game.ante_cents // 100)


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

    def note(self, held: dict[int, tuple[str, ...]]) -> None:
        """Enter cards dealt face down, seat by seat; nothing where none were dealt."""
        if any(held.values()):
            self.play.enter(hc.NoteHoleCards(**IDS, hands=tuple(held.items())))

    def street(self) -> None:
        """Deal the next street."""
        play = self.play
        variant = play.rules.variant
        street = variant.streets[play.state.street + 1]
        live = [chair.seat for chair in play.state.chairs if chair.live]
        down = {seat: self.take(street.down) for seat in live} if variant.stud else {}
        short = variant.stud and len(self.deck) < len(live) * street.up
        assert not short
        up = tuple((seat, self.take(1)[0]) for seat in live) if street.up else ()
        play.enter(hc.DealStreet(**IDS, board=self.take(street.board), up=up))
        self.note(down)

    def exchange(self, count: int) -> None:
        """Let the next player draw or discard."""
        play = self.play
        seat = play.state.order[0]
        rule = play.rules.variant.streets[play.state.street + 1].exchange
        assert rule is not None
        chair = next(chair for chair in play.state.chairs if chair.seat == seat)
        count = max(rule.least, min(rule.most, count))
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


def amount(draw: Any, option: Option) -> int:
    """Return an amount that an option admits."""
    assert option.most_cents is not None
    if option.least_cents == option.most_cents or not option.step_cents:
        return option.most_cents if option.act in WAGERS else option.least_cents
    span = (option.most_cents - option.least_cents) // option.step_cents
    steps = draw(st.one_of(st.integers(0, min(span, 8)), st.integers(0, span)))
    if draw(st.integers(0, 9)) == 0:
        return option.most_cents
    return option.least_cents + steps * option.step_cents


def finish(dealer: Dealer) -> None:
    """Show every live hand and push the pots."""
    play = dealer.play
    if play.state.phase is Phase.SHOWDOWN:
        # Side pots first: some books keep those who are in for the main pot only hidden until then.
        for at in reversed(range(len(play.state.pots))):
            for seat in play.state.order:
                if seat in play.state.pots[at].seats:
                    play.show(seat)
            play.enter(hc.AwardPots(**IDS, pot=at, losers_killed=True))
    assert play.state.over
