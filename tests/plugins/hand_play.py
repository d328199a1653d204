"""One hand played in dollars under a book, for specifications, worked cases and properties of hands."""

from decimal import Decimal
from functools import cache
from typing import Any

import pytest

from cardroom.evaluator import NativeEvaluator
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Game, Structure
from cardroom.poker.betting import in_front
from cardroom.poker.cards import cards_of
from cardroom.poker.chairs import chair_at
from cardroom.poker.legal import Act, Option
from cardroom.rulebook.catalogue import decisions
from cardroom.rulebook.loader import load_book
from cardroom.rulebook.model import Book, ResolvedBook
from cardroom.rulebook.resolve import Overlay, resolve
from cardroom.rulebook.schema import Per
from cardroom.tables import hand_commands as hc
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import INITIAL, Hand, evolve
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_events import Capture, Phase, Post, PostKind, SeatDealt
from cardroom.tables.hand_legal import legal
from cardroom.tables.hand_rules import HandRules, hand_rules
from cardroom.tables.hand_start import HandSetup, start_hand
from tests.plugins.own_books import with_values

READER = NativeEvaluator()
IDS: dict[str, Any] = {"room": "r", "table": "t1", "hand": "h1"}
EVERYTHING = Capture()
FILLER = 10
"""The seat that brings the money of earlier streets and folds."""

Dollars = int | str | Decimal


@cache
def book(name: str) -> Book:
    """Return one of the four books."""
    return load_book(name)


def cents(dollars: Dollars) -> int:
    """Return an amount of dollars in cents."""
    return int(Decimal(str(dollars)) * 100)


def game(
    low: Dollars,
    high: Dollars = 0,
    *,
    form: Form = Form.HOLDEM,
    structure: Structure = Structure.LIMIT,
    chip: Dollars = 1,
    blinds: tuple[Dollars, ...] = (),
    ante: Dollars = 0,
    bring_in: Dollars = 0,
) -> Game:
    """Return a game; amounts in dollars."""
    return Game(
        game_id="g",
        name="a game",
        form=form,
        structure=structure,
        small_bet_cents=cents(low),
        big_bet_cents=cents(high),
        blinds_cents=tuple(cents(blind) for blind in blinds),
        chip_cents=cents(chip),
        ante_cents=cents(ante),
        bring_in_cents=cents(bring_in),
    )


def resolved(name: str, a_game: Game, **values: Any) -> ResolvedBook:
    """Return a book resolved for a game, with values of the table or the room (`betting__check_raise=False`)."""
    named = {key.replace("__", "."): value for key, value in values.items()}
    room = {key: value for key, value in named.items() if decisions()[key].per is Per.BOOK}
    table = {key: value for key, value in named.items() if key not in room}
    house = with_values(book(name), "OWN", room) if room else book(name)
    return resolve(
        house, game=a_game, table=Overlay(scope="table", values=table) if table else None
    )


@cache
def rules_of(name: str, a_game: Game, values: tuple[tuple[str, Any], ...] = ()) -> HandRules:
    """Return the rules of a game's hands under a book, with values of the table or the room."""
    return hand_rules(resolved(name, a_game, **dict(values)), a_game, READER)


class Play:
    """A hand under way. Actions are written `2 bet 12`, `5 raise 24`, `8 fold`, `3 allin`, `4 check`."""

    def __init__(
        self,
        name: str,
        a_game: Game,
        stacks: dict[int, Dollars | None],
        *,
        button: int = 0,
        posts: tuple[Post, ...] = (),
        capture: Capture = EVERYTHING,
        first: int = 0,
        values: dict[str, Any] | None = None,
    ) -> None:
        self.rules = rules_of(name, a_game, tuple((values or {}).items()))
        self.events: list[Event] = []
        self.state: Hand = INITIAL
        self._record(
            start_hand(
                HandSetup(
                    hand="h1",
                    room="r",
                    table="t1",
                    number=1,
                    game=a_game,
                    button_seat=button,
                    seats=tuple(
                        SeatDealt(
                            seat=seat,
                            player=f"p{seat}",
                            stack_cents=None if stack is None else cents(stack),
                        )
                        for seat, stack in stacks.items()
                    ),
                    posts=posts,
                    capture=capture,
                    first_seat=first,
                ),
                self.rules,
            )
        )

    def _record(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        for event in events:
            before = chips(self.state)
            self.state = evolve(self.state, event)
            if before is not None and not isinstance(event, ev.HandRewound | ev.EntryCorrected):
                assert chips(self.state) == before, f"{event} changed the chips in the hand"
        self.events.extend(events)
        return events

    def enter(self, command: hc.HandCommand) -> tuple[Event, ...]:
        """Decide and fold a command."""
        return self._record(decide_hand(command, self.state, self.rules))

    def do(self, script: str) -> "Play":
        """Take the actions of a script, parted by commas."""
        for words in script.split(","):
            self.enter(command(words))
        return self

    def refused(self, words: str) -> Refused:
        """Return the refusal of an action."""
        return self.refusal(command(words))

    def refusal(self, asked: hc.HandCommand) -> Refused:
        """Return the refusal of a command."""
        with pytest.raises(Refused) as caught:
            decide_hand(asked, self.state, self.rules)
        assert caught.value.rules
        return caught.value

    def legal(self) -> tuple[Option, ...]:
        """Return the options of the seat in turn."""
        return legal(self.state, self.rules)

    def options(self) -> set[str]:
        """Return the options in turn in words; a call by what is added, wagers by what is then in front."""
        betting = self.state.betting
        assert betting is not None
        found: set[str] = set()
        for option in self.legal():
            chair = chair_at(self.state.chairs, option.seat)
            assert chair is not None
            front = in_front(chair, betting)
            match option.act:
                case Act.FOLD | Act.CHECK:
                    found.add(option.act.value)
                case Act.CALL:
                    found.add(f"call {(option.least_cents - front) / 100:g}")
                case _:
                    most = option.most_cents
                    span = f"{option.least_cents / 100:g}"
                    if most is None:
                        span += "+"
                    elif most != option.least_cents:
                        span += f"-{most / 100:g}"
                    found.add(f"{option.act.value.replace('_', ' ')} {span}")
        return found

    def deal(self, board: str = "", **more: Any) -> "Play":
        """Deal the next street."""
        self.enter(hc.DealStreet(**IDS, board=cards_of(board), **more))
        return self

    def holds(self, hands: dict[int, str]) -> "Play":
        """Enter hole cards."""
        held = tuple((seat, cards_of(cards)) for seat, cards in hands.items())
        if held:
            self.enter(hc.NoteHoleCards(**IDS, hands=held))
        return self

    def show(self, *seats: int) -> "Play":
        """Let seats table their hands."""
        for seat in seats:
            self.enter(hc.ShowHand(**IDS, seat=seat))
        return self

    def award(self, **more: Any) -> dict[int, Dollars]:
        """Push what is left, the dealer having killed the losers; return what each seat won, in dollars."""
        self.enter(hc.AwardPots(**IDS, losers_killed=True, **more))
        return self.won()

    def won(self) -> dict[int, Any]:
        """Return what each seat was pushed so far, in dollars."""
        found: dict[int, int] = {}
        for share in self.state.shares:
            found[share.seat] = found.get(share.seat, 0) + share.cents
        return {seat: Decimal(amount) / 100 for seat, amount in sorted(found.items())}

    def pots(self) -> list[tuple[Any, tuple[int, ...]]]:
        """Return the pots in dollars with the seats that contest them, in order of seat."""
        return [
            (Decimal(pot.cents) / 100, tuple(sorted(seat for seat in pot.seats)))
            for pot in self.state.pots
        ]

    def stack(self, seat: int) -> Any:
        """Return a seat's chips in dollars."""
        chair = chair_at(self.state.chairs, seat)
        assert chair is not None
        return None if chair.stack_cents is None else Decimal(chair.stack_cents) / 100

    def check_around(self) -> "Play":
        """Let everybody check (stud: bring in and call) until the round is over."""
        while self.state.phase is Phase.BETTING:
            seat = self.state.to_act
            acts = {option.act for option in self.legal()}
            if Act.CHECK in acts:
                self.enter(hc.Check(**IDS, seat=seat))
            elif Act.BRING_IN in acts:
                self.enter(hc.BringIn(**IDS, seat=seat))
            else:
                self.enter(hc.Call(**IDS, seat=seat))
        return self


def chips(state: Hand) -> int | None:
    """Return all chips of a hand, None where a stack is not known or no hand was started."""
    if not state.chairs or any(chair.stack_cents is None for chair in state.chairs):
        return None
    if state.phase is Phase.VOID:
        back = sum(chair.stack_cents or 0 for chair in state.chairs)
        before = sum(dealt.stack_cents or 0 for dealt in state.start.seats)
        kept = sum(chair.house_cents for chair in state.chairs)
        return back + kept if back + kept == before else back
    held = sum((chair.stack_cents or 0) + chair.house_cents for chair in state.chairs)
    taken = sum(rake + drop for _, rake, drop in state.taken)
    return held + state.pot_cents + taken + state.jackpot_odd_cents


def command(words: str) -> hc.HandCommand:
    """Return the command of an action in words."""
    seat, verb, *amount = words.split()
    said: dict[str, Any] = {**IDS, "seat": int(seat)}
    wagers = verb in {"bet", "raise", "complete", "allin"}
    to_cents = cents(amount[0]) if amount and wagers else None
    match verb:
        case "fold":
            return hc.Fold(**said)
        case "check":
            return hc.Check(**said)
        case "call":
            return hc.Call(**said)
        case "bet":
            return hc.Bet(**said, to_cents=to_cents)
        case "raise" | "complete":
            return hc.RaiseTo(**said, to_cents=to_cents)
        case "allin":
            return hc.AllIn(**said, to_cents=to_cents)
        case "bringin":
            return hc.BringIn(**said)
        case "show":
            return hc.ShowHand(**said, cards=cards_of(" ".join(amount)))
        case "muck":
            return hc.MuckHand(**said)
        case "kill":
            return hc.KillHand(**said)
        case _:
            raise ValueError(f"{verb!r} is no action of a script")


def blinds(small: tuple[int, Dollars] | None, big: tuple[int, Dollars]) -> tuple[Post, ...]:
    """Return small and big blind by seat."""
    posts = []
    if small:
        posts.append(Post(seat=small[0], kind=PostKind.SMALL_BLIND, live_cents=cents(small[1])))
    posts.append(Post(seat=big[0], kind=PostKind.BIG_BLIND, live_cents=cents(big[1])))
    return tuple(posts)


def at_street(
    name: str,
    a_game: Game,
    street: str,
    stacks: dict[int, Dollars | None],
    *,
    button: int = 9,
    pot: Dollars = 0,
    board: str = "",
    values: dict[str, Any] | None = None,
) -> Play:
    """Return a button game as the betting of a street begins, with these stacks behind and this much in the pot.

    The money of earlier streets comes from one more seat, which folds; on the first round nobody posts.

    Args:
        name: the book.
        a_game: the game.
        street: name of the street.
        stacks: seat -> dollars behind.
        button: the button's seat.
        pot: dollars in the pot.
        board: community cards so far; unknown ones where none are given.
        values: decisions set otherwise for this table.
    """
    filled = cents(pot)
    posts = (Post(seat=FILLER, kind=PostKind.ANTE, dead_cents=filled),) if filled else ()
    seats: dict[int, Dollars | None] = dict(stacks)
    if filled:
        seats[FILLER] = Decimal(filled) / 100 + 1
    play = Play(name, a_game, seats, button=button, posts=posts, values=values)
    cards = list(cards_of(board))
    streets = play.rules.variant.streets
    names = [one.name for one in streets]
    for at in range(names.index(street) + 1):
        if at:
            play.check_around()
            count = streets[at].board
            play.enter(hc.DealStreet(**IDS, board=tuple(cards[:count])))
            del cards[:count]
        if filled and play.state.phase is Phase.BETTING and _in(play, FILLER):
            _fold_filler(play)
    return play


def _in(play: Play, seat: int) -> bool:
    chair = chair_at(play.state.chairs, seat)
    return chair is not None and chair.live


def _fold_filler(play: Play) -> None:
    """Have the seat that brought the money folded, whoever acts before it having checked."""
    first = play.state.to_act
    if first != FILLER:
        play.enter(hc.RuleHandDead(**IDS, seat=FILLER, rules=("CR-6",)))
    else:
        play.enter(hc.Fold(**IDS, seat=FILLER))


def showdown(
    name: str,
    a_game: Game,
    board: str,
    hands: dict[int, str],
    *,
    pot: Dollars,
    button: int = 9,
    values: dict[str, Any] | None = None,
) -> Play:
    """Return a button game at its showdown: board and hands known, nobody having shown, checked on the river."""
    last = {4: "river", 5: "river"}.get(len(cards_of(board)), "river")
    play = at_street(
        name,
        a_game,
        last,
        dict.fromkeys(hands, 500),
        button=button,
        pot=pot,
        board=board,
        values=values,
    )
    play.holds(hands)
    return play.check_around()


def read(
    name: str,
    a_game: Game,
    board: str,
    hands: dict[int, str],
    *,
    pot: Dollars,
    button: int = 9,
    values: dict[str, Any] | None = None,
) -> dict[int, Any]:
    """Return what each seat wins when all hands are shown and read, in dollars."""
    play = showdown(name, a_game, board, hands, pot=pot, button=button, values=values)
    return play.show(*hands).award()


def stud(
    name: str,
    a_game: Game,
    ups: dict[int, str],
    street: int = 4,
    *,
    downs: dict[int, str] | None = None,
    stacks: dict[int, Dollars] | None = None,
    pot: Dollars = 0,
    values: dict[str, Any] | None = None,
) -> Play:
    """Return a stud game as the betting of a street (3 to 7) begins, checked and called so far.

    Args:
        name: the book.
        a_game: the game; without bring-in the earlier streets leave nothing in the pot.
        ups: seat -> upcards from third street on.
        street: which street.
        downs: seat -> hole cards, the last dealt on seventh street.
        stacks: seat -> dollars at the start.
        pot: dollars put in as antes by one more seat, which folds.
        values: decisions set otherwise for this table.
    """
    filled = cents(pot)
    posts = (Post(seat=FILLER, kind=PostKind.ANTE, dead_cents=filled),) if filled else ()
    seats: dict[int, Dollars | None] = {seat: (stacks or {}).get(seat, 500) for seat in ups}
    if filled:
        seats[FILLER] = Decimal(filled) / 100 + 1
    play = Play(name, a_game, seats, posts=posts, values=values)
    if filled:
        play.enter(hc.RuleHandDead(**IDS, seat=FILLER, rules=("CR-6",)))
    for at in range(3, street + 1):
        if at > 3:
            play.check_around()
        if at < 7:
            live = [chair.seat for chair in play.state.chairs if chair.live]
            up = tuple((seat, cards_of(ups[seat])[at - 3]) for seat in live)
            play.enter(hc.DealStreet(**IDS, up=up))
        else:
            play.enter(hc.DealStreet(**IDS))
    if downs:
        play.holds(downs)
    return play
