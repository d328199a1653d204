"""The native evaluator and the plain Python reference give the same answer to every question."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.evaluator import NativeEvaluator
from cardroom.evaluator.port import BEST_LOW, FIVE_ACES, Game, Prefer, Qualifier
from cardroom.evaluator.reference import ReferenceEvaluator

NATIVE = NativeEvaluator()
REFERENCE = ReferenceEvaluator()
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
SMALL_DECK = [rank + suit for rank in "A2378K" for suit in "cdhs"]

decks = st.sampled_from([DECK, DECK, SMALL_DECK]).flatmap(st.permutations)
counts = st.integers(5, 7)
board_counts = st.integers(3, 5)
qualifiers = st.sampled_from(get_args(Qualifier))
preferences = st.sampled_from(get_args(Prefer))
games = st.sampled_from(get_args(Game))


@given(decks, counts)
def test_high(deck, count):
    assert NATIVE.high(deck[:count]) == REFERENCE.high(deck[:count])


@given(decks, counts, qualifiers)
def test_low(deck, count, qualifier):
    assert NATIVE.low(deck[:count], qualifier) == REFERENCE.low(deck[:count], qualifier)


@given(decks, board_counts, qualifiers)
def test_omaha(deck, count, qualifier):
    board, hole = deck[:count], deck[count : count + 4]
    assert NATIVE.omaha_high(board, hole) == REFERENCE.omaha_high(board, hole)
    low = NATIVE.omaha_low(board, hole, qualifier)
    assert low == REFERENCE.omaha_low(board, hole, qualifier)


@given(decks, counts, st.integers(0, 2), preferences)
def test_best_five(deck, count, own, prefer):
    board, hole = deck[: count - own], deck[count - own : count]
    best = NATIVE.best_five(board, hole, prefer)
    assert best == REFERENCE.best_five(board, hole, prefer)
    assert len(best.cards) == 5
    assert REFERENCE.high(best.cards) == best.strength


@given(decks, board_counts)
def test_omaha_best_five(deck, count):
    board, hole = deck[:count], deck[count : count + 4]
    best = NATIVE.omaha_best_five(board, hole)
    assert best == REFERENCE.omaha_best_five(board, hole)
    assert len(set(best.cards) & set(hole)) == 2
    assert REFERENCE.high(best.cards) == best.strength


@given(decks, board_counts)
def test_hole_play(deck, count):
    board, hole = deck[:count], deck[count : count + 2]
    play = NATIVE.hole_play(board, hole)
    assert play == REFERENCE.hole_play(board, hole)
    assert play.both_can_play or not play.both_needed


@settings(max_examples=10, deadline=None)
@given(decks, board_counts)
def test_best_possible(deck, count):
    board = deck[:count]
    for game in ("holdem", "omaha"):
        assert NATIVE.best_possible(board, game) == REFERENCE.best_possible(board, game)


@settings(max_examples=25, deadline=None)
@given(decks, counts, st.integers(0, 2))
def test_wild(deck, count, wilds):
    naturals = deck[: count - wilds]
    assert NATIVE.wild_high(naturals, wilds) == REFERENCE.wild_high(naturals, wilds)


@settings(deadline=None)
@given(decks, games, st.integers(1, 6), qualifiers, preferences)
def test_showdown(deck, game, players, qualifier, prefer):
    kind = game.split("_")[0]
    own = {"holdem": 2, "omaha": 4, "stud": 6, "razz": 7, "draw": 5, "lowball": 5}[kind]
    on_board = {"holdem": 5, "omaha": 4, "stud": 1}.get(kind, 0)
    players = min(players, (len(deck) - on_board) // own)
    board = deck[:on_board]
    starts = range(on_board, on_board + own * players, own)
    hands = [deck[start : start + own] for start in starts]
    native = NATIVE.showdown(game, board, hands, qualifier, prefer)
    assert native == REFERENCE.showdown(game, board, hands, qualifier, prefer)


def test_words_of_every_strength():
    for strength in range(1, FIVE_ACES + 1):
        assert NATIVE.describe(strength) == REFERENCE.describe(strength)
        assert NATIVE.category(strength) == REFERENCE.category(strength)
    assert len({NATIVE.describe(at) for at in range(1, FIVE_ACES + 1)}) == FIVE_ACES
    for strength in range(1, BEST_LOW + 1):
        assert NATIVE.describe_low(strength) == REFERENCE.describe_low(strength)
    assert len({NATIVE.describe_low(at) for at in range(1, BEST_LOW + 1)}) == BEST_LOW


@pytest.mark.parametrize("evaluator", [NATIVE, REFERENCE], ids=["native", "reference"])
@pytest.mark.parametrize(
    "cards",
    [["As"] * 5, ["As", "Kd", "Qh", "Jc"], ["As", "Kd", "Qh", "Jc", "1s"], DECK[:8]],
    ids=["twice", "four", "no card", "eight"],
)
def test_bad_cards_are_refused_alike(evaluator, cards):
    with pytest.raises(ValueError, match=r"card|given"):
        evaluator.high(cards)
