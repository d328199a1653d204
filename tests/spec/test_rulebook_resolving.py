"""Which value a game is played under, what is cited for it, and that a digest names a content."""

import pickle
import subprocess
import sys
from datetime import UTC, datetime
from fractions import Fraction

import msgspec
import pytest

from cardroom.known.games import Form, Game, Structure
from cardroom.rulebook.catalogue import decisions
from cardroom.rulebook.loader import load_book
from cardroom.rulebook.model import Book, Kind, Overlay, ResolvedBook
from cardroom.rulebook.resolve import CannotResolve, completed, resolve
from tests.plugins.own_books import with_values

LOW = Game(
    game_id="8-16",
    name="8-16",
    form=Form.HOLDEM,
    structure=Structure.LIMIT,
    small_bet_cents=800,
    big_bet_cents=1600,
)
HIGH = msgspec.structs.replace(LOW, game_id="10-20", small_bet_cents=1000, big_bet_cents=2000)
FRACTION = "betting.all_in_full_bet_fraction"


@pytest.mark.rule("LC-HL")
def test_the_high_limit_begins_at_ten_dollars() -> None:
    book = load_book("LC")
    low, high = resolve(book, LOW), resolve(book, HIGH)
    assert (low.high_limit, high.high_limit) == (False, True)
    assert (low.ratio(FRACTION), high.ratio(FRACTION)) == (1, Fraction(1, 2))
    assert (low.cite(FRACTION), high.cite(FRACTION)[0]) == (("LC-66",), "LC-126a")


@pytest.mark.parametrize(
    "structure", [Structure.NO_LIMIT, Structure.POT_LIMIT, Structure.SPREAD_LIMIT]
)
def test_the_high_limit_is_for_limit_games(structure: Structure) -> None:
    game = msgspec.structs.replace(HIGH, structure=structure)
    assert resolve(load_book("LC"), game).high_limit is False


@pytest.mark.parametrize("name", ["RC", "HG", "WP"])
def test_a_book_without_a_tier_has_none(name: str) -> None:
    assert resolve(load_book(name), HIGH).high_limit is False


def test_a_room_may_move_the_high_limit() -> None:
    book = with_values(load_book("LC"), "OAK", {"game.high_limit_from": 800})
    assert resolve(book, LOW).cite(FRACTION)[0] == "LC-126a"
    never = with_values(load_book("LC"), "OAK", {"game.high_limit_from": 0})
    assert resolve(never, HIGH).high_limit is False


def test_a_rooms_own_value_holds_at_every_limit_unless_it_says_otherwise() -> None:
    plain = with_values(load_book("LC"), "OAK", {FRACTION: Fraction(3, 4)})
    assert resolve(plain, HIGH).ratio(FRACTION) == Fraction(3, 4)
    tiered = with_values(plain, "ELM", {FRACTION: Fraction(1, 3)}, high_limit=True)
    assert resolve(tiered, HIGH).ratio(FRACTION) == Fraction(1, 3)
    assert resolve(tiered, LOW).ratio(FRACTION) == Fraction(3, 4)


def test_silence_goes_down_the_chain() -> None:
    home = resolve(load_book("HG"))
    assert home.cite("betting.check_raise")[0].startswith(("HG-", "WP-"))
    assert home.choice("blinds.button_rule") == "dead"
    assert home.cite("blinds.button_rule") == ("WP-41b", "HG-X3")  # HG sends it on to WP
    assert resolve(load_book("RC")).cite("jackpot.drop") == ("CR-3",)


def test_table_before_game_before_room() -> None:
    book = with_values(load_book("LC"), "OAK", {"betting.cap_raises": 4})
    game = Overlay(scope="game", values={"betting.cap_raises": 5})
    assert resolve(book, LOW).count("betting.cap_raises") == 4
    assert resolve(book, LOW, overlay=game).count("betting.cap_raises") == 5
    at_table = resolve(book, LOW, {"betting.cap_raises": 6}, overlay=game)
    assert at_table.count("betting.cap_raises") == 6
    assert at_table.cite("betting.cap_raises") == ("OAK:table:betting.cap_raises",)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("house.smoking", "banned", "one value for the whole room"),
        ("betting.cap_raises", 2.5, "not a whole number"),
        ("betting.cap_raises", "3", "not a whole number"),
        ("betting.cap", 3, "not a decision"),
    ],
)
def test_an_overlay_is_checked(key: str, value: object, said: str) -> None:
    with pytest.raises(CannotResolve, match=said):
        resolve(load_book("LC"), LOW, {key: value})


def test_a_book_is_not_in_force_before_its_time() -> None:
    with pytest.raises(CannotResolve, match="takes effect at 1999-01-01"):
        resolve(load_book("LC"), at=datetime(1998, 12, 31, tzinfo=UTC))


def test_every_accessor_gives_its_type() -> None:
    book = resolve(load_book("HG"))
    assert book.flag("betting.check_raise") in {True, False}
    assert book.count("betting.cap_raises") == 3
    assert book.cents("jackpot.drop") == 25
    assert book.minutes("collection.time_minutes") == 30
    assert book.seconds("betting.clock_seconds") == 60
    assert book.ratio("betting.silent_raise_fraction") == Fraction(1, 2)
    assert book.choice("highlow.mode") == "cards_speak"
    assert isinstance(book.members("betting.out_of_turn_bars_raise"), frozenset)
    assert book.table("jackpot.tier_2")["losing"] == Fraction(7, 10)
    assert book.table("jackpot.tier_2")["over"] == 10000
    (order,) = (key for key in book.keys() if decisions()[key].type is Kind.ORDER)  # noqa: SIM118
    assert isinstance(book.order(order), tuple)
    with pytest.raises(KeyError):
        book.flag("betting.cap_raises")
    with pytest.raises(KeyError):
        book.value("betting.nothing")
    with pytest.raises(TypeError):
        book.table("jackpot.tier_2")["over"] = 1  # type: ignore[index]


def test_no_float_anywhere() -> None:
    for name in ("LC", "RC", "HG", "WP"):
        book = resolve(load_book(name), HIGH)
        for key in book.keys():  # noqa: SIM118
            value = book.value(key)
            parts = value.values() if decisions()[key].type is Kind.TABLE else (value,)
            assert not any(isinstance(part, float) for part in parts), key


def test_citing_several_at_once() -> None:
    book = resolve(load_book("LC"), LOW)
    assert book.cite("betting.no_string_raise", "betting.silent_raise_fraction") == ("LC-61",)
    assert book.cite("jackpot.drop", "betting.one_chip_is_call") == ("LC-56",)
    assert book.cite("jackpot.drop", "jackpot.pot_over") == ("CR-3",)
    with pytest.raises(KeyError):
        book.cite("betting.nothing")


@pytest.mark.parametrize("name", ["LC", "RC", "HG", "WP"])
def test_content_goes_out_and_comes_back(name: str) -> None:
    book = resolve(load_book(name), HIGH)
    again = ResolvedBook.from_content(book.content())
    assert (again, again.digest, again.content()) == (book, book.digest, book.content())
    assert all(again.value(key) == book.value(key) for key in book.keys())  # noqa: SIM118
    assert all(again.cite(key) == book.cite(key) for key in book.keys())  # noqa: SIM118
    assert pickle.loads(pickle.dumps(book)) == book
    stored = Book.from_content(load_book(name).content())
    assert resolve(stored, HIGH) == book


def test_the_digest_names_the_content() -> None:
    book = load_book("LC")
    assert resolve(book, LOW) == resolve(book, msgspec.structs.replace(LOW, game_id="other"))
    assert resolve(book, LOW) != resolve(book, HIGH)
    assert resolve(book, LOW) != resolve(with_values(book, "OAK", {"betting.cap_raises": 4}), LOW)


def test_a_book_of_an_earlier_day_gets_todays_defaults_for_judging_again() -> None:
    today = load_book("LC")
    kept = {key: one for key, one in today.decisions.items() if key != "jackpot.drop"}
    then = resolve(msgspec.structs.replace(today, decisions=kept), LOW)
    with pytest.raises(KeyError):
        then.cents("jackpot.drop")
    again = completed(then, today.decisions, today.constants)
    assert (again.cents("jackpot.drop"), again.cite("jackpot.drop")) == (25, ("CR-3",))
    assert again == resolve(today, LOW)
    assert completed(again, today.decisions, today.constants) is again


def test_the_digest_is_the_same_in_every_process() -> None:
    code = (
        "from cardroom.rulebook.loader import load_book;"
        "from cardroom.rulebook.resolve import resolve;"
        "import hashlib;b=load_book('LC');"
        "print(resolve(b).digest, hashlib.sha256(b.content()).hexdigest())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1
