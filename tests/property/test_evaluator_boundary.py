"""Whatever Python hands over, the native evaluator answers on its scale or refuses in words."""

import array

import cardroom_evaluator as rust
import pytest
from hypothesis import given
from hypothesis import strategies as st

REFUSALS = (TypeError, ValueError, OverflowError)

numbers = st.one_of(st.integers(0, 51), st.integers(0, 255))
card_bytes = st.lists(numbers, max_size=12).map(bytes)
letters = st.text(alphabet="23456789TJQKAcdhs", max_size=24)
anything = st.one_of(
    card_bytes,
    letters,
    st.text(max_size=20),
    st.none(),
    st.integers(),
    st.floats(),
    st.lists(st.integers(), max_size=7),
    card_bytes.map(bytearray),
    card_bytes.map(memoryview),
)


def answer(call, *arguments, **named):
    """Return what the call gives, None if it refuses with a sentence."""
    given_back, said = answer_and_words(call, *arguments, **named)
    assert said is None or said.strip()
    return given_back


def answer_and_words(call, *arguments, **named):
    """Return what the call gives, or None and the words of its refusal."""
    try:
        return call(*arguments, **named), None
    except REFUSALS as refusal:
        return None, str(refusal)


def is_hand(cards, counts):
    return len(cards) in counts and len(set(cards)) == len(cards) and max(cards) < 52


@given(card_bytes)
def test_right_bytes_are_answered_and_wrong_ones_refused(cards):
    strength = answer(rust.evaluate, cards)
    assert (strength is not None) == is_hand(cards, {5, 6, 7})
    assert strength is None or 1 <= strength <= rust.BEST_NATURAL
    high = answer(rust.omaha_high, cards)
    assert (high is not None) == is_hand(cards, {7, 8, 9})
    for qualifier in ("none", "eight_or_better"):
        low = answer(rust.low, cards, qualifier)
        assert low is None or 0 <= low <= rust.BEST_LOW
    assert answer(rust.evaluate_ints, *cards) == strength
    assert answer(rust.omaha_high_ints, *cards) == high


@given(letters)
def test_text_is_read_as_its_cards(text):
    cards = [text[at : at + 2] for at in range(0, len(text), 2)]
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    named = [deck.index(card) if card in deck else 255 for card in cards]
    assert answer(rust.evaluate, text) == answer(rust.evaluate, bytes(named))


@given(anything, anything, st.integers(), st.text(max_size=8))
def test_nothing_but_answers_and_refusals(cards, hole, number, name):
    for call in (rust.evaluate, rust.omaha_high, rust.omaha_low, rust.best_five):
        answer(call, cards)
    answer(rust.omaha_best_five, cards)
    answer(rust.omaha_low_best_five, cards, name)
    answer(rust.low, cards, name)
    answer(rust.low_best_five, cards, name, name, number)
    answer(rust.best_five, cards, prefer="board", hole_count=number)
    answer(rust.evaluate_wild, cards, min(number, 2))
    for call in (rust.describe, rust.describe_low, rust.category):
        answer(call, number)
    board = answer(rust.Board, cards)
    if board is not None:
        for ask in (board.evaluate, board.omaha, board.low, board.with_both, board.hole_play):
            answer(ask, hole)
    answer(rust.showdown, name, cards, [hole, cards])
    answer(rust.showdown, "stud_high_low", b"", [hole, cards])
    answer(rust.evaluate_batch, cards, hole)
    answer(rust.holdem_tables, cards, hole, array.array("H", [0]))


@pytest.mark.parametrize("path", rust.batch_paths())
@given(
    rows=st.lists(st.lists(numbers, min_size=9, max_size=9), min_size=1, max_size=140),
    kind=st.sampled_from(["B", "H", "b"]),
    spare=st.integers(-1, 1),
)
def test_batches_answer_or_refuse_as_single_calls_do(path, rows, kind, spare):
    flat = b"".join(bytes(row) for row in rows)
    view = memoryview(flat).cast(kind, shape=[len(rows), 9]) if kind != "H" else None
    cards = array.array("H", list(flat)) if view is None else view
    out = array.array("H", [0] * (len(rows) + spare))
    singles = [answer(rust.omaha_high, bytes(row)) for row in rows]
    _, refusal = answer_and_words(rust.omaha_batch, cards, out, path=path)
    if refusal is None:
        assert list(out) == singles
    elif kind == "B" and spare == 0:
        assert f"row {singles.index(None)}:" in refusal
