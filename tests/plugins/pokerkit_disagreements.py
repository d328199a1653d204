"""Where PokerKit (0.7) and the books differ, and the rule that decides: the whole list.

Each entry says in which states it may show, so narrowly that any other difference in such a state still fails, and
plays one hand that shows it. A difference that no entry explains is a fault of ours or a new entry.
"""

from collections.abc import Callable
from typing import NamedTuple

from cardroom.known.games import Form, Structure
from cardroom.poker.betting import BettingRound
from cardroom.poker.cards import DECK
from cardroom.poker.legal import WAGERS, Act
from cardroom.tables.hand_events import ActionTaken
from tests.plugins.hand_random import BIG, BRING_IN, UPPER, Dealt, set_up
from tests.plugins.pokerkit_twin import Offer, Twin


class Example(NamedTuple):
    """A hand that shows a difference.

    Args:
        hand: makes the hand.
        script: the actions, amounts in chips in front; `pass 3` checks or calls three times; streets are dealt as they
            come due.
        ours: what is then offered, the chips at the end, or what comes next in words.
        theirs: the same by PokerKit.
    """

    hand: Callable[[], Dealt]
    script: str
    ours: Offer | tuple[int, ...] | str
    theirs: Offer | tuple[int, ...] | str


class Disagreement(NamedTuple):
    """One known difference.

    Args:
        name: what it is about.
        means: what the book says and what PokerKit does.
        rules: ids of the book that decide.
        applies: whether it explains a difference between two offers.
        example: a hand that shows it.
        parts: whether the two hands hold other chips from there on, so that nothing more can be compared.
    """

    name: str
    means: str
    rules: tuple[str, ...]
    applies: Callable[[Twin, Offer, Offer], bool]
    example: Example
    parts: bool = False


def _betting(twin: Twin) -> BettingRound:
    betting = twin.play.state.betting
    assert betting is not None
    return betting


def _wagers(twin: Twin) -> list[tuple[int, bool]]:
    """Return what each wager of the open round added to the level, in chips, and whether it was all-in."""
    betting = _betting(twin)
    found: list[tuple[int, bool]] = []
    level = None
    for event in reversed(twin.play.events):
        if not isinstance(event, ActionTaken):
            continue
        if event.betting.street != betting.street:
            break
        if event.act in WAGERS:
            if level is not None:
                found[-1] = (level - event.to_cents, found[-1][1])
            found.append((event.to_cents, event.all_in))
            level = event.to_cents
    forced = _forced_cents(twin)
    if found:
        found[-1] = (found[-1][0] - forced, found[-1][1])
    return [(cents // twin.chip, all_in) for cents, all_in in reversed(found)]


def _forced_cents(twin: Twin) -> int:
    """Return what had to be called in the open round before anybody wagered."""
    hand = twin.hand
    if _betting(twin).street:
        return 0
    if twin.play.rules.variant.stud:
        brought = any(
            isinstance(event, ActionTaken) and event.act is Act.BRING_IN
            for event in twin.play.events
        )
        return BRING_IN * twin.chip if brought else 0
    return max(BIG, hand.straddle) * twin.chip


def _short(twin: Twin) -> list[int]:
    """Return where among the wagers of the round the short all-ins stand."""
    size = _betting(twin).bet_cents // twin.chip
    found = []
    for at, (added, all_in) in enumerate(_wagers(twin)):
        if all_in and added < size:
            found.append(at)
        elif not twin.play.rules.betting.fixed:
            size = max(size, added)
    return found


def _big_bet(twin: Twin) -> bool:
    return not twin.play.rules.betting.fixed


def _short_forced(twin: Twin, ours: Offer, theirs: Offer) -> bool:
    betting = _betting(twin)
    kits = max(twin.kit.bets)
    return not betting.aggressor and kits < betting.level_cents // twin.chip


def _over_straddle(twin: Twin, ours: Offer, theirs: Offer) -> bool:
    betting = _betting(twin)
    sizes = [added for added, _ in _wagers(twin)]
    return (
        _big_bet(twin)
        and bool(twin.hand.straddle)
        and betting.street == 0
        and max(sizes, default=0) < twin.hand.straddle
        and ours.call == theirs.call
        and (ours.least is None or theirs.least is None or ours.least >= theirs.least)
    )


def _cap_lifted(twin: Twin, ours: Offer, theirs: Offer) -> bool:
    betting = _betting(twin)
    return (
        twin.play.rules.betting.fixed
        and theirs == ours._replace(least=None, most=None)
        and (betting.began_with < 3 or betting.cap_lifted)
    )


def _cap_counts(twin: Twin, ours: Offer, theirs: Offer) -> bool:
    return (
        twin.play.rules.betting.fixed
        and theirs == ours._replace(least=None, most=None)
        and bool(_short(twin))
    )


def _short_wager(twin: Twin, ours: Offer, theirs: Offer) -> bool:
    return (
        twin.play.rules.betting.fixed
        and bool(_short(twin))
        and (ours.call, ours.fold) == (theirs.call, theirs.fold)
    )


def _first_short(twin: Twin, ours: Offer, theirs: Offer) -> bool:
    return (
        _big_bet(twin)
        and _short(twin)[:1] == [0]
        and ours == theirs._replace(least=None, most=None)
    )


def _counted_on(twin: Twin, ours: Offer, theirs: Offer) -> bool:
    return (
        _big_bet(twin)
        and len(_short(twin)) > 1
        and ours.least is not None
        and theirs == ours._replace(least=None, most=None)
    )


def _open_pair(twin: Twin, ours: Offer, theirs: Offer) -> bool:
    betting = _betting(twin)
    fourth = twin.play.rules.variant.stud and betting.street == 1
    upper = bool(betting.upper_cents) or betting.bet_cents == UPPER * twin.chip
    return fourth and twin.play.rules.betting.fixed and upper and ours.call == theirs.call


def _bring_in_all_in(twin: Twin, ours: Offer, theirs: Offer) -> bool:
    return (
        bool(twin.kit.bring_in_status)
        and ours.least is None
        and theirs.most is not None
        and theirs.most <= BRING_IN
    )


def _bring_in_passes(twin: Twin, ours: Offer, theirs: Offer) -> bool:
    return bool(twin.kit.bring_in_status) and ours == theirs._replace(fold=True)


def _completion(twin: Twin, ours: Offer, theirs: Offer) -> bool:
    betting = _betting(twin)
    return (
        _big_bet(twin)
        and twin.play.rules.variant.stud
        and betting.street == 0
        and bool(_forced_cents(twin))
        and bool(betting.aggressor)
        and theirs.least is not None
        and (
            ours == theirs._replace(least=None, most=None)
            or (ours.least is not None and 0 < ours.least - theirs.least <= BRING_IN)
        )
    )


def _never(_twin: Twin, _ours: Offer, _theirs: Offer) -> bool:
    return False


def _hand(
    form: Form, structure: Structure, stacks: tuple[int, ...], cards: str = "", **more: int
) -> Callable[[], Dealt]:
    """Return a maker of a hand whose deck begins with cards."""
    first = tuple(cards.split())
    deck = first + tuple(card for card in DECK if card not in first)
    return lambda: set_up("WP", form, structure, stacks, deck, **more)


HOLDEM, STUD = Form.HOLDEM, Form.STUD
LIMIT, NO_LIMIT = Structure.LIMIT, Structure.NO_LIMIT

DISAGREEMENTS: tuple[Disagreement, ...] = (
    Disagreement(
        "short forced bet",
        "A call meets the full blind, straddle or bring-in though its poster is all-in for less; PokerKit asks for no "
        "more than the highest that really lies there.",
        ("LC-68", "WP-3R6"),
        _short_forced,
        Example(
            _hand(HOLDEM, NO_LIMIT, (100, 3, 100)),
            "",
            Offer(4, 8, 100, fold=True),
            Offer(3, 7, 100, fold=True),
        ),
        parts=True,
    ),
    Disagreement(
        "raise over a straddle",
        "A straddle is the bet that a raise is measured by: over 8 the least raise goes to 16; by PokerKit, "
        "which measures by the least bet of the round, to 12.",
        ("WP-3R6",),
        _over_straddle,
        Example(
            _hand(HOLDEM, NO_LIMIT, (100, 100, 100, 100), straddle=8),
            "",
            Offer(8, 16, 100, fold=True),
            Offer(8, 12, 100, fold=True),
        ),
    ),
    Disagreement(
        "no cap for two",
        "Two who are not all-in have no cap, nor has a round that falls to two before it is capped; PokerKit counts in "
        "every round of a hand begun by three or more.",
        ("WP-3R3", "WP-3R4"),
        _cap_lifted,
        Example(
            _hand(HOLDEM, LIMIT, (100, 100, 100)),
            "3 fold, 1 call 4, 2 check, 1 bet 4, 2 raise 8, 1 raise 12, 2 raise 16",
            Offer(4, 20, 20, fold=True),
            Offer(4, None, None, fold=True),
        ),
    ),
    Disagreement(
        "short wagers and the cap",
        "An all-in short of half a bet is no raise and does not count toward the cap; PokerKit counts every wager.",
        ("WP-3R5", "WP-3R3"),
        _cap_counts,
        Example(
            _hand(HOLDEM, LIMIT, (100, 100, 100, 9, 10, 100)),
            "3 raise 8, 4 raise 9, 5 raise 10",
            Offer(10, 14, 14, fold=True),
            Offer(10, None, None, fold=True),
        ),
    ),
    Disagreement(
        "short all-in in limit",
        "An all-in short of half a bet is completed to the full bet, one of half a bet or more counts as a full bet "
        "and opens the raising to all; PokerKit always adds a bet on top, and opens it only by a full one.",
        ("WP-3R5",),
        _short_wager,
        Example(
            _hand(HOLDEM, LIMIT, (100, 100, 5, 100)),
            "3 raise 5",
            Offer(5, 8, 8, fold=True),
            Offer(5, 9, 9, fold=True),
        ),
    ),
    Disagreement(
        "first wager short",
        "A short all-in is no full wager, be it the first of the round: who has acted may only call it; PokerKit takes "
        "the first wager of a round for full whatever its size.",
        ("WP-3R5", "WP-3R6"),
        _first_short,
        Example(
            _hand(HOLDEM, NO_LIMIT, (100, 100, 100, 6)),
            "3 call 4, 4 raise 6, 1 call 6, 2 call 6",
            Offer(2, None, None, fold=True),
            Offer(2, 10, 100, fold=True),
        ),
    ),
    Disagreement(
        "short all-ins counted on",
        "All that came since a player acted counts together, however many short all-ins it was; PokerKit counts anew "
        "once they have come to a full raise.",
        ("WP-3R5",),
        _counted_on,
        Example(
            _hand(HOLDEM, NO_LIMIT, (100, 100, 100, 100, 9, 12, 13)),
            "3 raise 8, 4 call 8, 5 raise 9, 6 raise 12, 7 raise 13, 1 fold, 2 fold",
            Offer(5, 17, 100, fold=True),
            Offer(5, None, None, fold=True),
        ),
    ),
    Disagreement(
        "open pair",
        "An open pair on fourth street opens the upper limit, after which every raise is at the upper limit; PokerKit "
        "knows no such option.",
        ("LC-100",),
        _open_pair,
        Example(
            _hand(STUD, LIMIT, (100, 100), "2c 3c 4c 5d 7h 9s 7d 8s", ante=1),
            "1 bring_in 2, 2 call 2",
            Offer(0, 4, 8, fold=True),
            Offer(0, 4, 4, fold=True),
        ),
    ),
    Disagreement(
        "bring-in of every chip",
        "A bring-in that takes every chip is no completion; PokerKit lets it be called one.",
        ("WP-3R6",),
        _bring_in_all_in,
        Example(
            _hand(STUD, LIMIT, (2, 100), "3c 4c 5d 6h 2c 9s", ante=1),
            "",
            Offer(1, None, None, fold=False),
            Offer(1, 1, 1, fold=False),
        ),
    ),
    Disagreement(
        "bring-in passed on",
        "Where the low hand is all-in for its ante the next player may bring it in, or fold; PokerKit forces him to.",
        ("LC-101",),
        _bring_in_passes,
        Example(
            _hand(STUD, LIMIT, (1, 100, 100), "3c 4c 5d 6h 7d 8d 2c 9s Ts", ante=1),
            "",
            Offer(2, 4, 4, fold=True),
            Offer(2, 4, 4, fold=False),
        ),
    ),
    Disagreement(
        "size of a completion",
        "What completes a bring-in is a bet of its whole amount, and the least raise over it is as much; PokerKit "
        "measures it by what it goes beyond the bring-in.",
        ("WP-3R6",),
        _completion,
        Example(
            _hand(STUD, NO_LIMIT, (100, 100, 100), "3c 4c 5d 6h 7d 8d 2c 9s Ts", ante=1),
            "1 bring_in 2, 2 complete 10",
            Offer(10, 20, 99, fold=True),
            Offer(10, 18, 99, fold=True),
        ),
    ),
    Disagreement(
        "odd chips",
        "Odd chips go one to a player, from the left of the button; PokerKit hands all that is left over to the first.",
        ("WP-3T4", "WP-3T5a"),
        _never,
        Example(
            _hand(HOLDEM, NO_LIMIT, (10, 10, 10, 8), "Ac Kc Ad Kd Ah Kh 2c 3d Qs Js 9s 4d 5h"),
            "3 raise 10, 4 call 8, 1 call 10, 2 call 10",
            (13, 13, 12, 0),
            (14, 12, 12, 0),
        ),
    ),
    Disagreement(
        "low in some pots only",
        "High and low are found pot by pot among its own players, and without a qualifying low the high takes all; "
        "PokerKit halves every pot of a hand in which any player has a low.",
        ("WP-3T5d",),
        _never,
        Example(
            _hand(
                Form.OMAHA_HIGH_LOW,
                NO_LIMIT,
                (10, 20, 30, 30),
                "Ac 2c 9d 9h Kh Ks Th Tc Qs Qc Ts Td Jh Js 9c 9s 4d 5s 8d Kd Qh",
            ),
            "3 raise 30, 4 call 30, 1 call 10, 2 call 20",
            (20, 50, 20, 0),
            (20, 43, 27, 0),
        ),
    ),
    Disagreement(
        "odd chips of each pot",
        "Main and side pots are split apart, each with its own odd chip; PokerKit kills the losers first and takes "
        "pots together that the same players contest.",
        ("WP-3T5d",),
        _never,
        Example(
            _hand(
                Form.OMAHA_HIGH_LOW,
                NO_LIMIT,
                (100, 30, 5, 30, 100, 100),
                "2d 2h 3d 3h Kh Ks Th Tc Jh Js 9c 9s Ac 2c 9d 9h 6c 6d 7c 7d 5c 5d 5h 8c 4d 5s 8s Kd Qh",
            ),
            "3 raise 5, 4 call 5, 5 call 5, 6 raise 10, 1 fold, 2 raise 30, 4 call 30, 5 fold, 6 fold",
            (98, 42, 0, 40, 95, 90),
            (98, 41, 0, 41, 95, 90),
        ),
    ),
    Disagreement(
        "nobody left to bet against",
        "Who alone has chips left, and owes nothing, is not asked: nobody could call his bet; PokerKit has him check.",
        ("WP-3R7",),
        _never,
        Example(
            _hand(HOLDEM, NO_LIMIT, (100, 100, 10)),
            "3 raise 10, 1 call 10, 2 call 10, 1 fold",
            "nobody acts",
            "2 acts",
        ),
    ),
    Disagreement(
        "short deck",
        "Where the stub is short for the last cards of stud, one card is dealt for all; PokerKit deals "
        "out of the muck.",
        ("LC-124",),
        _never,
        Example(
            _hand(STUD, LIMIT, (100,) * 8, ante=1),
            "pass 8, pass 8, pass 8, fold, pass 7",
            "one card for all",
            "a card each",
        ),
    ),
)
"""Every known difference between the books and PokerKit."""


def explained(twin: Twin, ours: Offer, theirs: Offer) -> Disagreement | None:
    """Return the entry that explains why two offers differ, None where none does."""
    for entry in DISAGREEMENTS:
        if entry.applies(twin, ours, theirs):
            return entry
    return None
