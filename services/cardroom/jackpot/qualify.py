"""Whether a hand wins the jackpot: each condition of the book, by name, with its rule and the values that decided."""

from typing import Final

import msgspec

from cardroom.evaluator.port import Evaluator
from cardroom.jackpot.events import Condition, HandFacts, SeatPlayer, ShownHand
from cardroom.kernel.money import dollars
from cardroom.known.games import JACKPOT_GAMES
from cardroom.rulebook.model import ResolvedBook

QUALIFYING_FORMS: Final = {form.value: game for form, game in JACKPOT_GAMES.items()}
"""The member of `jackpot.games` that a form belongs to, by the form's name."""

LEAST: Final = {
    "full_house": "2c2d2h3c3d",
    "aces_full": "AcAdAh2c2d",
    "quads": "2c2d2h2s3c",
    "straight_flush": "As2s3s4s5s",
}
"""The lowest hand of each minimum."""

LOWEST_QUADS: Final = LEAST["quads"]


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A shown hand with its strengths.

    Args:
        hand: the hand.
        best: strength of the best five cards the player can make.
        counted: strength of the hand that counts for the jackpot.
        both_play: whether both hole cards play in the sense of the book.
    """

    hand: ShownHand
    best: int
    counted: int
    both_play: bool


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome: all conditions, and the seats to pay where they hold."""

    conditions: tuple[Condition, ...]
    qualifies: bool
    losing_seats: tuple[int, ...]
    winning_seats: tuple[int, ...]


def split(cards: str) -> tuple[str, ...]:
    """Split a run of two-character cards."""
    return tuple(cards[i : i + 2] for i in range(0, len(cards), 2))


def _judge(
    hand: ShownHand, board: str, game: str, rules: ResolvedBook, evaluator: Evaluator
) -> Judged:
    hole, community = split(hand.cards), split(board)
    if game == "omaha":
        best = evaluator.omaha_high(community, hole)
        return Judged(hand=hand, best=best, counted=best, both_play=True)
    if game == "stud":
        best = evaluator.high(hole)
        return Judged(hand=hand, best=best, counted=best, both_play=True)
    play = evaluator.hole_play(community, hole)
    counted = play.with_both if rules.flag("jackpot.both_hole_cards") else play.strength
    plays = play.both_can_play
    if plays and not rules.flag("jackpot.kicker_counts_as_playing"):
        plays = play.both_needed and _no_kicker(community, hole, evaluator)
    return Judged(hand=hand, best=play.strength, counted=counted, both_play=plays)


def _no_kicker(board: tuple[str, ...], hole: tuple[str, ...], evaluator: Evaluator) -> bool:
    """Say whether no hole card is in the best hand as a kicker: a single card beside a pair, trips or quads."""
    ranks = [card[0] for card in evaluator.best_five(board, hole, "hole").cards]
    grouped = max(ranks.count(rank) for rank in ranks) > 1
    return not grouped or all(ranks.count(card[0]) > 1 for card in hole)


def judge(facts: HandFacts, rules: ResolvedBook, evaluator: Evaluator) -> Verdict:
    """Judge a hand's facts under its book.

    Args:
        facts: the settled hand.
        rules: the hand's pinned book.
        evaluator: hand strengths, higher is better.

    Returns:
        Every condition with its outcome; `qualifies` only where all are met.
    """
    conditions = list(_about_the_hand(facts, rules))
    game = QUALIFYING_FORMS.get(facts.form, "")
    if game not in rules.members("jackpot.games"):
        return Verdict(
            conditions=tuple(conditions), qualifies=False, losing_seats=(), winning_seats=()
        )
    judged = [
        _judge(hand, facts.board, game, rules, evaluator)
        for hand in facts.shown
        if _complete(hand, facts, game)
    ]
    top = max((one.best for one in judged), default=0)
    winners = [one for one in judged if one.best == top]
    losers = sorted((one for one in judged if one.best < top), key=lambda one: -one.counted)
    if not losers:
        mucked = ", ".join(str(seat) for seat in facts.mucked_facing_action)
        detail = "no hand lost at a showdown with its cards shown"
        if mucked:
            detail += f"; mucked facing action: seat {mucked}"
        conditions.append(
            Condition(
                name="losing_hand_shown",
                met=False,
                rules=rules.cite("jackpot.mucked_hand"),
                detail=detail,
            )
        )
        return Verdict(
            conditions=tuple(conditions), qualifies=False, losing_seats=(), winning_seats=()
        )
    tests = {one.hand.seat: _about_the_loser(one, facts, game, rules, evaluator) for one in losers}
    good = [one for one in losers if all(test.met for test in tests[one.hand.seat])]
    shown = good[0] if good else losers[0]
    conditions += tests[shown.hand.seat]
    if "winning" in rules.members("jackpot.conditions_apply_to"):
        for one in winners:
            conditions += _plays_and_is_best(one, game, "winning", rules)
    if rules.choice("jackpot.second_losing_hand") == "best_only":
        good = [one for one in good if one.counted == good[0].counted]
    return Verdict(
        conditions=tuple(conditions),
        qualifies=all(condition.met for condition in conditions),
        losing_seats=tuple(one.hand.seat for one in good),
        winning_seats=tuple(one.hand.seat for one in winners),
    )


def _complete(hand: ShownHand, facts: HandFacts, game: str) -> bool:
    """Say whether all cards are known; a hand with unknown cards cannot be compared."""
    own = {"holdem": 2, "omaha": 4, "stud": 7}[game]
    return (
        hand.seat not in facts.mucked_facing_action
        and len(split(hand.cards)) == own
        and (game == "stud" or len(split(facts.board)) == 5)
    )


def _about_the_hand(facts: HandFacts, rules: ResolvedBook) -> tuple[Condition, ...]:
    least, dealt = rules.count("jackpot.min_dealt_in"), len(facts.dealt_in)
    game = QUALIFYING_FORMS.get(facts.form, facts.form)
    over = rules.cents("jackpot.pot_over")
    before = rules.choice("jackpot.pot_measured") == "before_drop"
    pot = facts.pot_cents - (0 if before else facts.drop_cents)
    return (
        Condition(
            name="offered",
            met=rules.flag("jackpot.offered"),
            rules=rules.cite("jackpot.offered"),
            detail="the room has a jackpot"
            if rules.flag("jackpot.offered")
            else "the room has no jackpot",
        ),
        Condition(
            name="cash_game",
            met=not facts.tournament,
            rules=rules.cite("jackpot.drop_games"),
            detail="a cash game"
            if not facts.tournament
            else "tournaments have no part in the jackpot",
        ),
        Condition(
            name="eligible_game",
            met=game in rules.members("jackpot.games"),
            rules=rules.cite("jackpot.games"),
            detail=f"{facts.form}; eligible: {', '.join(sorted(rules.members('jackpot.games')))}",
        ),
        Condition(
            name="min_dealt_in",
            met=dealt >= least,
            rules=rules.cite("jackpot.min_dealt_in"),
            detail=f"{dealt} dealt in, at least {least} needed",
        ),
        Condition(
            name="pot_over",
            met=pot > over,
            rules=rules.cite("jackpot.pot_over", "jackpot.pot_measured"),
            detail=f"pot {dollars(pot)} {'before' if before else 'after'} the drop, must be over {dollars(over)}",
        ),
        Condition(
            name="deck_whole",
            met=not facts.deck_fouled,
            rules=rules.cite("jackpot.mucked_hand"),
            detail="the deck was found wrong"
            if facts.deck_fouled
            else "no fault of the deck is on record",
        ),
    )


def _about_the_loser(
    one: Judged, facts: HandFacts, game: str, rules: ResolvedBook, evaluator: Evaluator
) -> tuple[Condition, ...]:
    key = "jackpot.min_losing_omaha" if game == "omaha" else "jackpot.min_losing_holdem"
    least = rules.choice(key)
    seat = one.hand.seat
    conditions = [
        Condition(
            name="min_losing_hand",
            met=one.counted >= evaluator.high(split(LEAST[least])),
            rules=rules.cite(key),
            detail=f"seat {seat} has {evaluator.describe(one.counted)}; least: {least.replace('_', ' ')}",
        )
    ]
    if game == "holdem" and rules.flag("jackpot.three_aces_on_board_bars_aces_full"):
        board_aces = sum(card[0] == "A" for card in split(facts.board))
        aces_full = (
            evaluator.high(split(LEAST["aces_full"]))
            <= one.counted
            < evaluator.high(split(LOWEST_QUADS))
        )
        conditions.append(
            Condition(
                name="three_aces_on_board",
                met=not (board_aces >= 3 and aces_full),
                rules=rules.cite("jackpot.three_aces_on_board_bars_aces_full"),
                detail=f"aces on the board: {board_aces}; seat {seat} has {evaluator.describe(one.counted)}",
            )
        )
    if "losing" in rules.members("jackpot.conditions_apply_to"):
        conditions += _plays_and_is_best(one, game, "losing", rules)
    return tuple(conditions)


def _plays_and_is_best(
    one: Judged, game: str, side: str, rules: ResolvedBook
) -> tuple[Condition, ...]:
    if game != "holdem":
        return ()
    conditions = []
    seat = one.hand.seat
    if rules.flag("jackpot.both_hole_cards"):
        conditions.append(
            Condition(
                name=f"{side}_both_hole_cards",
                met=one.both_play
                or (
                    not rules.flag("jackpot.best_hand")
                    and rules.flag("jackpot.kicker_counts_as_playing")
                ),
                rules=rules.cite(
                    "jackpot.conditions_apply_to",
                    "jackpot.both_hole_cards",
                    "jackpot.kicker_counts_as_playing",
                ),
                detail=f"seat {seat} ({one.hand.cards}): both hole cards {'play' if one.both_play else 'do not play'}",
            )
        )
    if rules.flag("jackpot.best_hand"):
        conditions.append(
            Condition(
                name=f"{side}_best_hand",
                met=one.counted == one.best,
                rules=rules.cite("jackpot.conditions_apply_to", "jackpot.best_hand"),
                detail=f"seat {seat}: what counts is {'' if one.counted == one.best else 'not '}its best hand",
            )
        )
    return tuple(conditions)


def others_of(
    facts: HandFacts, paid: frozenset[int], rules: ResolvedBook
) -> tuple[SeatPlayer, ...]:
    """Return who shares the others' part of an award (`jackpot.others`)."""
    pool = facts.seated if rules.choice("jackpot.others") == "seated" else facts.dealt_in
    return tuple(seat for seat in pool if seat.seat not in paid)
