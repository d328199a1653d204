"""The Python face of the native evaluator: forms of input, batches, and what it refuses."""

import array
import ctypes
import random
import subprocess
import sys
import threading
from contextlib import suppress

import cardroom_evaluator as rust
import pytest

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
ROYAL = "AsKsQsJsTs"


def grid(rows, *shape):
    """Return rows of card numbers as a view of that shape."""
    return memoryview(b"".join(bytes(row) for row in rows)).cast("B", shape=list(shape))


def numbers(count):
    return array.array("H", [0] * count)


def shaped(out, *shape):
    return memoryview(out).cast("B").cast("H", shape=list(shape))


def deals(count, cards, seed):
    dealer = random.Random(seed)
    return [dealer.sample(range(52), cards) for _ in range(count)]


def test_the_same_hand_as_bytes_text_and_ints():
    for hand in deals(200, 7, 1):
        text = "".join(DECK[card] for card in hand)
        for count in (5, 6, 7):
            strength = rust.evaluate(bytes(hand[:count]))
            assert rust.evaluate(text[: 2 * count]) == strength
            assert rust.evaluate_ints(*hand[:count]) == strength
    for hand in deals(200, 9, 2):
        text = "".join(DECK[card] for card in hand)
        assert rust.omaha_high(text) == rust.omaha_high(bytes(hand)) == rust.omaha_high_ints(*hand)


def test_a_board_answers_as_the_whole_hand_does():
    for hand in deals(200, 9, 3):
        board = rust.Board(bytes(hand[:5]))
        assert board.cards == bytes(hand[:5])
        assert board.evaluate(bytes(hand[5:7])) == rust.evaluate(bytes(hand[:7]))
        assert board.omaha(bytes(hand[5:])) == rust.omaha_high(bytes(hand))
        assert board.omaha_low(bytes(hand[5:])) == rust.omaha_low(bytes(hand))
        for qualifier in ("none", "eight_or_better"):
            low = rust.low(bytes(hand[:7]), qualifier)
            assert board.low(bytes(hand[5:7]), qualifier) == low


def test_the_scale_is_the_documented_one():
    assert rust.evaluate(ROYAL) == rust.BEST_NATURAL == 7462
    assert rust.evaluate("2c3d4h5s7c") == 1
    assert rust.low("5c4d3h2sAc", "none") == rust.BEST_LOW == 6175
    assert rust.low("8c7d6h5s4c", "eight_or_better") == rust.WORST_EIGHT == 6120
    assert rust.low("9c4d3h2sAc", "eight_or_better") == 0
    assert rust.evaluate_wild("", 5) == rust.FIVE_ACES == 7475


@pytest.mark.parametrize("path", rust.batch_paths())
@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 1024, 2500])
def test_batches_give_what_single_calls_give(path, count):
    sevens, nines = deals(count, 7, count), deals(count, 9, count + 1)
    out, low = numbers(count), numbers(count)
    rust.evaluate_batch(grid(sevens, count, 7) if count else empty(7), out, path=path)
    assert list(out) == [rust.evaluate(bytes(hand)) for hand in sevens]
    rust.omaha_batch(grid(nines, count, 9) if count else empty(9), out, path=path)
    high = [rust.omaha_high(bytes(hand)) for hand in nines]
    assert list(out) == high
    rust.omaha_batch(grid(nines, count, 9) if count else empty(9), out, low, path=path)
    assert list(out) == high
    assert list(low) == [rust.omaha_low(bytes(hand)) for hand in nines]


def empty(width):
    """Return an array of no rows: a view of bytes cannot be cast to one, a slice of rows can."""
    return memoryview(bytes(width)).cast("B", shape=[1, width])[:0]


def test_a_batch_of_lows():
    hands = deals(500, 7, 4)
    out = numbers(500)
    for qualifier in ("none", "eight_or_better"):
        rust.low_batch(grid(hands, 500, 7), out, qualifier)
        assert list(out) == [rust.low(bytes(hand), qualifier) for hand in hands]


@pytest.mark.parametrize("path", rust.batch_paths())
@pytest.mark.parametrize(("tables", "players"), [(1, 1), (40, 9), (300, 6)])
def test_batches_of_tables(path, tables, players):
    dealt = deals(tables, 5 + 4 * players, 5)
    boards = grid([row[:5] for row in dealt], tables, 5)
    four = grid([row[5:] for row in dealt], tables, players, 4)
    two = grid([row[5 : 5 + 2 * players] for row in dealt], tables, players, 2)
    out, low = numbers(tables * players), numbers(tables * players)
    rust.holdem_tables(boards, two, shaped(out, tables, players), path=path)
    seats = [(row, seat) for row in dealt for seat in range(players)]
    boards_of = [rust.Board(bytes(row[:5])) for row, _ in seats]
    hole_of = [bytes(row[5 + 2 * seat : 7 + 2 * seat]) for row, seat in seats]
    assert list(out) == [b.evaluate(h) for b, h in zip(boards_of, hole_of, strict=True)]
    rust.omaha_tables(
        boards, four, shaped(out, tables, players), shaped(low, tables, players), path=path
    )
    hole_of = [bytes(row[5 + 4 * seat : 9 + 4 * seat]) for row, seat in seats]
    assert list(out) == [b.omaha(h) for b, h in zip(boards_of, hole_of, strict=True)]
    assert list(low) == [b.omaha_low(h) for b, h in zip(boards_of, hole_of, strict=True)]


HAND = bytes([51, 46, 41, 36, 3, 8, 13])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: rust.evaluate(HAND[:4]), ValueError, "4 cards given: there must be 5 to 7"),
        (lambda: rust.evaluate(HAND + b"\0"), ValueError, "8 cards given: there must be 5 to 7"),
        (lambda: rust.evaluate(b""), ValueError, "0 cards given"),
        (lambda: rust.evaluate(HAND[:6] + b"\x34"), ValueError, "card 6 is 52: a card is 0"),
        (lambda: rust.evaluate(HAND[:6] + b"\xff"), ValueError, "card 6 is 255: a card is 0"),
        (lambda: rust.evaluate(HAND[:6] + HAND[:1]), ValueError, "card 6, As, occurs twice"),
        (lambda: rust.evaluate("AsKsQsJs1s"), ValueError, 'card 4 is "1s": a card is a rank'),
        (lambda: rust.evaluate("AsKsQsJsT"), ValueError, 'card 4 is "T": a card is a rank'),
        (lambda: rust.evaluate("As Ks Qs Js Ts"), ValueError, 'card 1 is " K"'),
        (lambda: rust.evaluate("\ud800"), ValueError, "surrogates not allowed"),
        (lambda: rust.evaluate("♠" * 5), ValueError, 'card 0 is "♠♠": a card is a rank'),
        (lambda: rust.evaluate(None), TypeError, "cards are NoneType: they must be bytes or str"),
        (lambda: rust.evaluate([1, 2]), TypeError, "cards are list: they must be bytes or str"),
        (lambda: rust.evaluate(bytearray(HAND)), TypeError, "cards are bytearray"),
        (lambda: rust.evaluate_ints(1, 2, 3, 4, 52), ValueError, "card 4 is 52"),
        (lambda: rust.evaluate_ints(1, 2, 3, 4, -1), ValueError, "card 4 is -1"),
        (lambda: rust.evaluate_ints(1, 2, 3, 4, 1 << 80), ValueError, "card 4 is 1208925"),
        (lambda: rust.evaluate_ints(1, 2, 3, 4, 4), ValueError, "card 4, 3c, occurs twice"),
        (lambda: rust.evaluate_ints(1, 2, 3, 4, 5.0), TypeError, "float"),
        (lambda: rust.omaha_high(HAND[:6]), ValueError, "6 cards of board and hole given"),
        (lambda: rust.low(HAND, "nine"), ValueError, 'qualifier is "nine"'),
        (lambda: rust.best_five(HAND, "suit"), ValueError, 'prefer is "suit"'),
        (lambda: rust.best_five(HAND, "hole", 8), ValueError, "8 hole cards given"),
        (lambda: rust.evaluate_wild(HAND[:3], 1), ValueError, "4 cards and wild cards given"),
        (lambda: rust.evaluate_wild(b"", -1), OverflowError, "negative"),
        (lambda: rust.describe(0), ValueError, "strength is 0: it must be 1 to 7475"),
        (lambda: rust.describe(7476), ValueError, "strength is 7476"),
        (lambda: rust.category(0), ValueError, "strength is 0"),
        (lambda: rust.describe_low(6176), ValueError, "it must be 1 to 6175"),
        (lambda: rust.Board("AsKs"), ValueError, "2 board cards given: there must be 3 to 5"),
        (lambda: rust.Board("AsKsQs").evaluate("AsKd"), ValueError, "card 0, As, occurs twice"),
        (lambda: rust.Board("AsKsQs").evaluate("2c"), ValueError, "1 hole cards given"),
        (lambda: rust.showdown("chess", "", []), ValueError, 'game is "chess": it must be one of'),
        (lambda: rust.showdown("holdem", "AsKsQs", []), ValueError, "0 hands given"),
        (
            lambda: rust.showdown("holdem", "AsKsQs", ["2c3c", "2d3c"]),
            ValueError,
            "hand 1: card 1, 3c, occurs twice",
        ),
        (
            lambda: rust.showdown("draw", "", ["2c3c4c5c"]),
            ValueError,
            "hand 0: 4 cards given: there must be 5",
        ),
    ],
)
def test_wrong_input_is_refused_in_words(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert message in str(caught.value)


ROWS = grid([HAND, HAND], 2, 7)
OTHER_ORDER = "__ctype_be__" if sys.byteorder == "little" else "__ctype_le__"
OtherOrder = getattr(ctypes.c_uint16, OTHER_ORDER) * 2


@pytest.mark.parametrize(
    ("cards", "out", "error", "message"),
    [
        (ROWS, numbers(3), ValueError, "out has shape [3]: it must be (2)"),
        (memoryview(HAND), numbers(1), ValueError, "cards has shape [7]: it must be (any, 7)"),
        (ROWS, shaped(numbers(2), 2, 1), ValueError, "out has shape [2, 1]"),
        (ROWS, array.array("I", [0, 0]), TypeError, "out must be an array of uint16"),
        (ROWS, OtherOrder(0, 0), TypeError, "out must be an array of uint16"),
        (ROWS, memoryview(OtherOrder(0, 0)), TypeError, "its byte order is not the machine's"),
        (ROWS, memoryview(bytes(4)).cast("H"), ValueError, "out cannot be written to"),
        (array.array("H", [0] * 7), numbers(1), TypeError, "cards must be an array of uint8"),
        (None, numbers(1), TypeError, "cards must be an array of uint8"),
        (ROWS, [0, 0], TypeError, "out must be an array of uint16"),
        (ROWS[::-1], numbers(2), ValueError, "cards must be contiguous"),
        (
            grid([HAND, HAND[::-1], HAND[:6] + b"\x3f"], 3, 7),
            numbers(3),
            ValueError,
            "row 2: card 6",
        ),
        (
            grid([HAND, HAND[:6] + HAND[:1]], 2, 7),
            numbers(2),
            ValueError,
            "row 1: card 6, As, occurs",
        ),
    ],
)
@pytest.mark.parametrize("path", rust.batch_paths())
def test_wrong_arrays_are_refused_in_words(path, cards, out, error, message):
    with pytest.raises(error) as caught:
        rust.evaluate_batch(cards, out, path=path)
    assert message in str(caught.value)


def test_results_are_not_written_over_cards():
    memory = bytearray(28)
    cards = memoryview(memory)[:14].cast("B", shape=[2, 7])
    with pytest.raises(ValueError, match="out and cards share memory"):
        rust.evaluate_batch(cards, memoryview(memory)[12:16].cast("H"))
    same = numbers(2)
    with pytest.raises(ValueError, match="low_out and out share memory"):
        rust.omaha_batch(grid(deals(2, 9, 0), 2, 9), same, same)


def test_what_an_index_raises_is_not_swallowed():
    class Broken:
        def __index__(self):
            raise LookupError("no such card")

    with pytest.raises(LookupError, match="no such card"):
        rust.evaluate_ints(1, 2, 3, 4, Broken())  # type: ignore[arg-type]


@pytest.mark.parametrize("path", rust.batch_paths())
def test_cards_that_change_meanwhile_are_answered_or_refused(path):
    """The stub forbids it; whoever does it gets numbers without meaning or a refusal, no failure."""
    count = 1_500_000
    cards, out, done = bytearray(HAND * count), numbers(count), threading.Event()
    view = memoryview(cards).cast("B", shape=[count, 7])
    at = 7 * (count - 9)

    def change():
        # Late in the batch: by then this thread runs, and a second look finds another card.
        while not done.is_set():
            cards[at] = 255
            cards[at] = HAND[0]

    changing = threading.Thread(target=change)
    changing.start()
    try:
        for _ in range(20):
            with suppress(ValueError):
                rust.evaluate_batch(view, out, path=path)
    finally:
        done.set()
        changing.join()


def test_an_unknown_path_is_refused():
    with pytest.raises(ValueError, match='path is "mmx": this machine has scalar'):
        rust.evaluate_batch(ROWS, numbers(2), path="mmx")


def test_two_players_with_one_card_are_refused_by_table_and_player():
    dealt = deals(3, 9, 6)
    dealt[2][7] = dealt[2][5]
    boards = grid([row[:5] for row in dealt], 3, 5)
    holes = grid([row[5:] for row in dealt], 3, 2, 2)
    for path in rust.batch_paths():
        with pytest.raises(ValueError, match="row 2, player 1: card 0"):
            rust.holdem_tables(boards, holes, shaped(numbers(6), 3, 2), path=path)


def test_objects_are_frozen_and_final():
    board = rust.Board("AsKsQs")
    with pytest.raises(AttributeError):
        board.cards = b""  # type: ignore[misc]
    with pytest.raises(TypeError):
        type("Other", (rust.Board,), {})
    assert repr(board) == "Board('AsKsQs')"
    assert board.hole_play("JsTs") == board.hole_play("TsJs")


def test_import_needs_nothing_but_itself():
    code = (
        "import sys; before = set(sys.modules); import cardroom_evaluator as e;"
        "e.evaluate('AsKsQsJsTs'); print(*sorted(set(sys.modules) - before))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(found.stdout.split()) == {"cardroom_evaluator", "cardroom_evaluator._native"}
