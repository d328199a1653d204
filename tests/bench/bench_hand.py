"""Hands folded and played against PokerKit replaying the same ones.

Goals `fold_nlhe_vs_pokerkit`, `fold_o8_vs_pokerkit`, `fold_stud8_vs_pokerkit`, `play_nlhe_vs_pokerkit`, `legal_us`,
`showdown_six_o8_vs_pokerkit`, `state_kib`.

Run: `python -m tests.bench.bench_hand [hands] [rounds]`.
"""

import gc
import sys
import time
import warnings
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any, NamedTuple

import msgspec
import pokerkit

from cardroom.kernel.events import Event, EventTypes, topic_of
from cardroom.known.games import Form, Structure
from cardroom.poker.cards import DECK
from cardroom.poker.legal import WAGERS, Act, Option
from cardroom.tables.hand import INITIAL, Hand, evolve
from cardroom.tables.hand_commands import HandCommand
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_events import HAND_EVENTS, Phase, Post, PostKind
from cardroom.tables.hand_legal import legal
from cardroom.tables.hand_rules import HandRules
from cardroom.tables.notation.phh_export import export_phh
from tests.bench import report
from tests.plugins.hand_play import Play, blinds, game
from tests.plugins.hand_random import Dealer, Dealt, finish, taken

SEATS = 6
LONG = (
    (Form.HOLDEM, Structure.NO_LIMIT, 10),
    (Form.HOLDEM, Structure.LIMIT, 10),
    (Form.OMAHA_HIGH_LOW, Structure.LIMIT, 10),
    (Form.STUD_HIGH_LOW, Structure.LIMIT, 7),
)
"""Forms whose states are measured over hands of 100 events and more too, each with its largest table."""


class Played(NamedTuple):
    """One hand: its events, the commands that made them, and the same in PokerKit's hands."""

    events: tuple[Event, ...]
    commands: tuple[HandCommand, ...]
    rules: HandRules
    history: Any
    end: Hand


class _Recorder(Play):
    """A hand that keeps what was entered."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.entered: list[HandCommand] = []

    def enter(self, command: HandCommand) -> tuple[Event, ...]:
        """Decide, fold and keep a command."""
        events = super().enter(command)
        self.entered.append(command)
        return events


def played(
    form: Form,
    structure: Structure,
    seed: int,
    *,
    call_down: bool = False,
    raised: bool = False,
    players: int = SEATS,
) -> Played:
    """Play a random hand of deep stacks, so that both engines agree on what is legal.

    Args:
        form: the form.
        structure: the structure.
        seed: of the deck and the actions.
        call_down: everybody checks and calls to the showdown.
        raised: nobody folds and every other turn is a bet or raise where one is allowed: as long as hands get.
        players: how many are dealt in.
    """
    random = Random(seed)
    stud = form in {Form.STUD, Form.STUD_HIGH_LOW}
    limit = structure is Structure.LIMIT
    a_game = game(
        4,
        8 if limit else 0,
        form=form,
        structure=structure,
        blinds=() if stud else (2, 4),
        ante=1 if stud else 0,
        bring_in=2 if stud else 0,
    )
    seats = range(1, players + 1)
    posts = (
        tuple(Post(seat=seat, kind=PostKind.ANTE, ante_cents=100) for seat in seats)
        if stud
        else blinds((1, 2), (2, 4))
    )
    play = _Recorder(
        "WP", a_game, dict.fromkeys(seats, 400), button=0 if stud else players, posts=posts
    )
    deck = list(DECK)
    random.shuffle(deck)
    dealer = Dealer(
        Dealt("WP", form, structure, play, tuple(deck), (400,) * players, 1 if stud else 0)
    )
    dealer.hole_cards()
    while play.state.phase in {Phase.BETTING, Phase.DEALING}:
        if play.state.phase is Phase.DEALING:
            dealer.street()
            continue
        option = _raised(random, play) if raised else _drawn(random, play, call_down=call_down)
        play.enter(taken(option, _amount(random, option)))
    finish(dealer)
    history = pokerkit.HandHistory.loads(export_phh(play.state, play.rules))
    return Played(tuple(play.events), tuple(play.entered), play.rules, history, play.state)


def _raised(random: Random, play: Play) -> Option:
    options = [option for option in play.legal() if option.act is not Act.FOLD]
    wagers = [option for option in options if option.act in WAGERS]
    return wagers[0] if wagers and random.random() < 0.5 else options[0]


def _drawn(random: Random, play: Play, *, call_down: bool) -> Option:
    options = play.legal()
    calm = [option for option in options if option.act not in {Act.FOLD, *WAGERS}]
    betting = play.state.betting
    assert betting is not None
    wagers = [option for option in options if option.act in WAGERS]
    chance = random.random()
    if not call_down and wagers and betting.wagers < 3 and chance < 0.2:
        return wagers[0]
    # In the shape of recorded no-limit hands: most fold before the flop, and four of five hands are shown down.
    folds = 0.6 if betting.street == 0 else 0.05
    if not call_down and calm[0].act is Act.CALL and chance > 1 - folds:
        return options[0]
    return calm[0]


def _amount(random: Random, option: Option) -> int:
    if option.act not in WAGERS or option.most_cents is None or not option.step_cents:
        return option.least_cents
    top = min(option.most_cents, option.least_cents * 2)
    return option.least_cents + (random.randint(0, top - option.least_cents) // 100) * 100


def fold(hands: list[Played]) -> None:
    """Fold the stored events of hands to their end states."""
    for hand in hands:
        state = INITIAL
        for event in hand.events:
            state = evolve(state, event)


def play_again(hands: list[Played]) -> None:
    """Decide and fold hands from their commands, with full rule checks."""
    for hand in hands:
        state = evolve(INITIAL, hand.events[0])
        for command in hand.commands:
            for event in decide_hand(command, state, hand.rules):
                state = evolve(state, event)


def kit(hands: list[Played]) -> None:
    """Let PokerKit replay the same hands."""
    for hand in hands:
        for _ in hand.history:
            pass


def rate(work: Callable[[list[Played]], None], hands: list[Played], seconds: float = 0.25) -> float:
    """Return hands per second of processor time, over as many passes as fill the time.

    Everything here runs in one thread and waits for nothing, so processor time leaves out what the machine's other
    work takes.
    """
    gc.collect()
    done = 0
    started = time.process_time()
    while (spent := time.process_time() - started) < seconds:
        work(hands)
        done += len(hands)
    return done / spent


def measured(
    name: str,
    work: Callable[[list[Played]], None],
    hands: list[Played],
    rounds: int,
    goal: str,
) -> report.Row:
    """Return the row of a measurement beside PokerKit's, round by round."""
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(rate(work, hands))
        theirs.append(rate(kit, hands))
    return report.compared(name, "hands/s", ours, theirs, goal)


def legal_us(hands: list[Played], rounds: int) -> float:
    """Return the median time of `legal` for a six-handed no-limit state, in microseconds."""
    states: list[tuple[Hand, HandRules]] = []
    for hand in hands:
        state = INITIAL
        for event in hand.events:
            state = evolve(state, event)
            if state.to_act:
                states.append((state, hand.rules))
    times = []
    for _ in range(rounds):
        for state, rules in states:
            started = time.perf_counter_ns()
            legal(state, rules)
            times.append(time.perf_counter_ns() - started)
    return median(times) / 1000


def state_kib(hands: list[Played]) -> tuple[float, float]:
    """Return the memory that a hand state read from a store holds when it is largest, in KiB: median and largest.

    History included, and nothing shared with other hands: every event is decoded anew, as after a restart.
    """
    types = EventTypes("tables", HAND_EVENTS)
    sizes = []
    for hand in hands:
        state, largest = INITIAL, 0
        for event in hand.events:
            state = evolve(state, types.decode(topic_of(event), msgspec.msgpack.encode(event)))
            largest = max(largest, _size(state, set()))
        sizes.append(largest / 1024)
    return median(sizes), max(sizes)


def _size(value: Any, seen: set[int]) -> int:
    if id(value) in seen or value is None:
        return 0
    seen.add(id(value))
    size = sys.getsizeof(value)
    fields = getattr(value, "__struct_fields__", ())
    if fields:
        return size + sum(_size(getattr(value, name), seen) for name in fields)
    if isinstance(value, tuple | list | frozenset):
        return size + sum(_size(one, seen) for one in value)
    return size


def main(count: int = 150, rounds: int = 7) -> None:
    """Measure and report."""
    warnings.simplefilter("ignore", UserWarning)
    holdem = [played(Form.HOLDEM, Structure.NO_LIMIT, seed) for seed in range(count)]
    few = max(10, count // 5)
    omaha = [played(Form.OMAHA_HIGH_LOW, Structure.LIMIT, seed) for seed in range(few)]
    stud = [played(Form.STUD_HIGH_LOW, Structure.LIMIT, seed) for seed in range(few)]
    down = [
        played(Form.OMAHA_HIGH_LOW, Structure.LIMIT, seed, call_down=True)
        for seed in range(few // 2)
    ]
    for hands in (holdem, omaha, stud, down):
        fold(hands)
    usual, largest = state_kib([*holdem, *omaha, *stud])
    long = [
        played(form, structure, seed, raised=True, players=players)
        for form, structure, most in LONG
        for players in (2, SEATS, most)
        for seed in range(few // 4)
    ]
    _, longest = state_kib(long)
    report.write(
        measured("fold_nlhe_vs_pokerkit", fold, holdem, rounds, "ratio >= 30"),
        measured("fold_o8_vs_pokerkit", fold, omaha, rounds, "ratio >= 50"),
        measured("fold_stud8_vs_pokerkit", fold, stud, rounds, "ratio >= 50"),
        measured("play_nlhe_vs_pokerkit", play_again, holdem, rounds, "ratio >= 8"),
        measured("showdown_six_o8_vs_pokerkit", play_again, down, rounds, "ratio >= 100"),
        report.alone("legal_us", "us", legal_us(holdem, rounds), "< 20"),
        report.alone("state_kib", "KiB", usual, "< 32"),
        report.alone("state_kib_largest", "KiB", largest, "shown beside state_kib"),
        report.alone("state_kib_long_hands", "KiB", longest, "shown beside state_kib"),
    )


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
