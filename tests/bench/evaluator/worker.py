"""Measures the evaluator and its peers in interleaved rounds; runs in the peers' environment.

Times are those of the thread, so that other programs count only by what they do to caches and clocks. Prints one JSON
object: for each case the nanoseconds (or, for batches, the millions of hands a second) of every round. Every round
measures every case, so that a slow spell of the machine meets all.
"""

import array
import json
import random
import sys
from collections.abc import Callable
from importlib.metadata import version
from itertools import pairwise
from time import thread_time_ns
from typing import Any

import cardroom_evaluator as ours
import eval7
import evaluator_floor as floor
import phevaluator
import pkrbot
import pokerkit
import treys

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 9
HANDS = 2000
BATCH = 1 << 20
CASE_SECONDS = 0.03

RANKS, SUITS = "23456789TJQKA", "cdhs"


def text_of(card: int) -> str:
    return RANKS[card // 4] + SUITS[card % 4]


def deals(count: int, cards: int) -> list[list[int]]:
    dealer = random.Random(cards)
    return [dealer.sample(range(52), cards) for _ in range(count)]


SEVENS, NINES = deals(HANDS, 7), deals(HANDS, 9)
TREYS = treys.Evaluator()


def pokerkit_hand(text: str) -> Any:
    return pokerkit.StandardHighHand.from_game(text[10:], text[:10])


# Name -> function, and the arguments of its calls. Objects are made beforehand, as a program that keeps them would.
CASES: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
    "floor_bytes": (floor.take_bytes, [bytes(hand) for hand in SEVENS]),
    "floor_text": (floor.take_text, ["".join(map(text_of, hand)) for hand in SEVENS]),
    "bytes7": (ours.evaluate, [bytes(hand) for hand in SEVENS]),
    "text7": (ours.evaluate, ["".join(map(text_of, hand)) for hand in SEVENS]),
    "ints7": (ours.evaluate_ints, SEVENS),
    "best_five": (ours.best_five, [bytes(hand) for hand in SEVENS]),
    "omaha_bytes": (ours.omaha_high, [bytes(hand) for hand in NINES]),
    "omaha_low_bytes": (ours.omaha_low, [bytes(hand) for hand in NINES]),
    "board_bytes": (ours.Board(bytes(SEVENS[0][:5])).evaluate, [bytes(SEVENS[0][5:])] * HANDS),
    "phevaluator_ints": (phevaluator.evaluate_cards, SEVENS),
    "phevaluator_text": (
        phevaluator.evaluate_cards,
        [[*map(text_of, hand)] for hand in SEVENS],
    ),
    "phevaluator_omaha": (phevaluator.evaluate_omaha_cards, NINES),
    "eval7": (eval7.evaluate, [[eval7.Card(text_of(card)) for card in hand] for hand in SEVENS]),
    "pkrbot": (pkrbot.evaluate, [[pkrbot.Card(text_of(card)) for card in hand] for hand in SEVENS]),
    "treys": (
        lambda hand: TREYS.evaluate(hand[:5], hand[5:]),
        [[treys.Card.new(text_of(card)) for card in hand] for hand in SEVENS],
    ),
    "pokerkit_best_five": (pokerkit_hand, ["".join(map(text_of, hand)) for hand in SEVENS[:50]]),
}
# Cases whose function takes the cards as arguments of their own.
SPREAD = {"ints7", "phevaluator_ints", "phevaluator_text", "phevaluator_omaha"}
# Peers that number hands the other way round.
LOWER_IS_BETTER = {"phevaluator_ints", "treys"}


def check_peers() -> None:
    """Stop unless the peers order the hands as we do: a fast wrong answer is no reference."""
    mine = [ours.evaluate(bytes(hand)) for hand in SEVENS]
    for name in ("phevaluator_ints", "eval7", "pkrbot", "treys"):
        function, arguments = CASES[name]
        sign = -1 if name in LOWER_IS_BETTER else 1
        values = (function(*hand) if name in SPREAD else function(hand) for hand in arguments)
        theirs = [sign * int(value) for value in values]
        pairs = sorted(set(zip(mine, theirs, strict=True)))
        if any(low[0] == high[0] or low[1] >= high[1] for low, high in pairwise(pairs)):
            raise SystemExit(f"{name} orders hands otherwise: no comparison")


def timed_loop(arity: int) -> Callable[[Callable[..., Any], list[Any], int], float]:
    """Return the loop that calls with so many arguments, written out: unpacking is no part of a call."""
    names = ", ".join(f"card{place}" for place in range(arity))
    target = names if arity > 1 else "card0"
    source = f"""
def timed(function, arguments, passes):
    started = now()
    for _ in range(passes):
        for {target} in arguments:
            function({names})
    called = now()
    for _ in range(passes):
        for {target} in arguments:
            pass
    return (2 * called - started - now()) / (passes * len(arguments))
"""
    space: dict[str, Any] = {"now": thread_time_ns}
    exec(source, space)
    timed: Callable[[Callable[..., Any], list[Any], int], float] = space["timed"]
    return timed


TIMED = {arity: timed_loop(arity) for arity in (1, 7, 9)}


def call_ns(name: str, passes: int) -> float:
    """Return what a call costs the processor, less the loop around it; waiting for others is left out."""
    function, arguments = CASES[name]
    arity = len(arguments[0]) if name in SPREAD else 1
    return TIMED[arity](function, arguments, passes)


def passes_of(name: str) -> int:
    """Return how many passes take about the time of one case."""
    return max(1, round(CASE_SECONDS * 1e9 / (call_ns(name, 1) * len(CASES[name][1]))))


def grid(width: int) -> memoryview:
    dealer = random.Random(width)
    deck = list(range(52))
    flat = bytearray()
    for _ in range(BATCH):
        flat += bytes(dealer.sample(deck, width))
    return memoryview(flat).cast("B", shape=[BATCH, width])


class Batches:
    """The batch calls on a million hands, by path; rates in millions of hands a second."""

    def __init__(self) -> None:
        sevens, nines = grid(7), grid(9)
        high, low = array.array("H", bytes(2 * BATCH)), array.array("H", bytes(2 * BATCH))
        self.cases: dict[str, Callable[[], object]] = {}
        for path in ours.batch_paths():
            self.cases |= {
                f"batch7_{path}": lambda path=path: ours.evaluate_batch(sevens, high, path=path),
                f"omaha_{path}": lambda path=path: ours.omaha_batch(nines, high, path=path),
                f"omaha_high_low_{path}": lambda path=path: ours.omaha_batch(
                    nines, high, low, path=path
                ),
            }

    def rates(self) -> dict[str, float]:
        """Return the best of a few runs of each: the first brings the arrays near."""
        return {name: max(self._rate(case) for _ in range(4)) for name, case in self.cases.items()}

    def _rate(self, case: Callable[[], object]) -> float:
        started = thread_time_ns()
        case()
        return BATCH * 1e3 / (thread_time_ns() - started)


def calibration() -> dict[str, float]:
    """Nanoseconds of a multiplication and of a near load, each waiting for the one before."""
    steps = 4_000_000
    found = {}
    for name in ("multiply_chain", "table_walk"):
        started = thread_time_ns()
        getattr(floor, name)(steps)
        found[name] = (thread_time_ns() - started) / steps
    return found


def main() -> None:
    check_peers()
    passes = {name: passes_of(name) for name in CASES}
    batches = Batches()
    batches.rates()
    rounds: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        figures = (
            {name: call_ns(name, passes[name]) for name in CASES} | batches.rates() | calibration()
        )
        for name, figure in figures.items():
            rounds.setdefault(name, []).append(figure)
    peers = ("phevaluator", "eval7", "treys", "pkrbot", "pokerkit", "cardroom-evaluator")
    json.dump(
        {
            "rounds": rounds,
            "versions": {peer: version(peer) for peer in peers},
            "paths": ours.batch_paths(),
            "table_bytes": ours.TABLE_BYTES,
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
