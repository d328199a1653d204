"""A room's own book file: what it may say, and how its faults are named."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.rulebook.loader import BookRefused, BookUnknown, load_book, read_book
from cardroom.rulebook.positions import Lines
from cardroom.rulebook.resolve import resolve

HEAD = '[book]\nid = "OAK"\ntitle = "Oak Room"\nbased_on = "LC"\n'


def faults(text: str) -> list[str]:
    with pytest.raises(BookRefused) as caught:
        read_book(text.encode(), "oak.toml")
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[betting]\ncap_rases = 4\n",
            "oak.toml:6: betting.cap_rases = 4: unknown key; allowed: perhaps betting.cap_raises",
        ),
        ("[beting]\ncap_raises = 4\n", "oak.toml:5: beting: no such family of decisions"),
        (
            "[betting]\ncap_raises = -1\n",
            "oak.toml:6: betting.cap_raises = -1: it is below 0; allowed: a whole number, 0 or more",
        ),
        ("[betting]\ncap_raises = 3.5\n", "oak.toml:6: betting.cap_raises = 3.5: a decimal is not"),
        ("[betting]\ncap_raises = true\n", "betting.cap_raises = true: a yes or no is not a whole"),
        ('[betting]\ncap_raises = "3"\n', 'betting.cap_raises = "3": text is not a whole number'),
        ("[betting]\ncap_raises = 9999999999999\n", "it is over 1,000,000,000,000"),
        ("[betting]\ncheck_raise = 1\n", "a whole number is not true or false"),
        ("[betting]\nsilent_raise_fraction = 1.5\n", "it is not from 0 to 1"),
        ("[betting]\nsilent_raise_fraction = nan\n", "it is not a decimal"),
        ("[betting]\nsilent_raise_fraction = inf\n", "it is not a decimal"),
        ('[betting]\nsilent_raise_fraction = "half"\n', "text is not a decimal"),
        ('[betting]\nsilent_raise_fraction = "1/0"\n', "it is not a decimal"),
        ('[betting]\nforward_motion = "perhaps"\n', 'allowed: one of "never_binds", "may_bind"'),
        ('[betting]\nout_of_turn_bars_raise = "call"\n', "text is not a list"),
        ('[betting]\nout_of_turn_bars_raise = ["call", "fold"]\n', "'fold' is none of the members"),
        ('[betting]\nout_of_turn_bars_raise = ["call", "call"]\n', "'call' stands in it twice"),
        ("[betting]\ncap_raises = { rules = [] }\n", "the value is missing; allowed: value = a whole"),
        ("[betting]\ncap_raises = { value = 3, note = 1 }\n", "betting.cap_raises.note = 1: unknown"),
        ('[betting]\ncap_raises = { value = 3, rules = ["LC-999"] }\n', '"LC-999": no such rule'),
        ("[betting]\ncap_raises = { value = 3, rules = 49 }\n", "it is not a list of rule ids"),
        ("[betting]\ncap_raises = { value = 3, from = 2026-01-01 }\n", "its offset from UTC"),
        (
            "[betting]\ncap_raises = [{ value = 3 }, { value = 4 }]\n",
            "oak.toml:6: betting.cap_raises[2]: it does not say from when",
        ),
        (
            "[betting]\ncap_raises = [\n  { value = 3, from = 2026-02-01T00:00:00Z },\n"
            "  { value = 4, from = 2026-01-01T00:00:00Z },\n]\n",
            "oak.toml:8: betting.cap_raises[2] = 2026-01-01T00:00:00+00:00: it is not later",
        ),
        ("[betting]\nbetting = 3\n", "betting.betting = 3: unknown key"),
        ("betting = 3\n", "oak.toml:5: book.betting = 3: unknown key"),
        ('[high_limit.betting]\ncap_raises = 3\n', "it does not differ between limits"),
        ("[high_limit]\nbetting = 3\n", "high_limit.betting = 3: it is not a table"),
        ('[buyin]\nfull_of = "fixed_amount"\n', "it needs buyin.full_amount, which no book states"),
        ("[jackpot]\ntier_2 = { over = 1 }\n", "it lacks losing, winning, others, kept"),
        (
            "[jackpot]\n\ntier_2 = { over = 1, losing = 0.9, winning = 0.2, others = 0.0, kept = 0.0 }",
            "oak.toml:7: jackpot.tier_2 = { over = 1, losing = 0.9",
        ),
        ("[jackpot]\ntier_1 = {}\n", "it lacks over"),
        ("[chips]\ncash_colors = { red = 5.5 }\n", "red = 5.5: a decimal is not a whole number"),
        ('[[rule]]\nid = "LC-1"\nsays = "x"\n', "it is not an id of this book"),
        ('[[rule]]\nid = "OAK-1"\n', "rule[1].says: it is missing"),
        ('[[rule]]\nid = "OAK-1"\nsays = "x"\nkind = "law"\n', "no such kind; allowed: enforced"),
        ('[[rule]]\nid = "OAK-1"\nsays = "x"\ncolour = "red"\n', "rule[1].colour"),
        (
            '[[rule]]\nid = "OAK-1"\nsays = "x"\n[[rule]]\nid = "OAK-1"\nsays = "y"\n',
            'oak.toml:9: rule[2].id = "OAK-1": this id is used twice',
        ),
        ('[[rule]]\nid = "OAK-1"\nsays = "x"\nrelated = ["OAK-2"]\n', "no such rule"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_line_key_value_and_what_is_allowed(text: str, expected: str) -> None:
    assert any(expected in fault for fault in faults(HEAD + text)), faults(HEAD + text)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("", "oak.toml:1: book: the table is missing"),
        ('[book]\ntitle = "x"\nbased_on = "LC"\n', "book.id: it is missing"),
        ('[book]\nid = "LC"\ntitle = "x"\nbased_on = "LC"\n', "this id is taken"),
        ('[book]\nid = "CR"\ntitle = "x"\nbased_on = "LC"\n', "this id is taken"),
        ('[book]\nid = "oak room"\ntitle = "x"\nbased_on = "LC"\n', "it is not a book's id"),
        ('[book]\nid = "OAK"\ntitle = "x"\n', 'book.based_on: it is missing; allowed: one of "HG"'),
        ('[book]\nid = "OAK"\ntitle = "x"\nbased_on = "XX"\n', 'book.based_on = "XX": no such book'),
        ('[book]\nid = "OAK"\ntitle = " "\nbased_on = "LC"\n', "book.title"),
        (HEAD + "effective = 2026-01-01\n", "oak.toml:5: book.effective = 2026-01-01"),
        (HEAD + "efective = 1\n", "oak.toml:5: book.efective = 1: unknown key; allowed: id, title"),
        ('book = "OAK"\n', "it is not a table"),
        ("[book\n", "oak.toml:1: [book: Expected ']'"),
        ("[a]\nx = 1\nx = 2\n", "oak.toml:3: x = 2: Cannot overwrite a value"),
    ],
)  # fmt: skip
def test_a_wrong_head_is_named(head: str, expected: str) -> None:
    assert any(expected in fault for fault in faults(head)), faults(head)


def test_all_faults_come_at_once_in_the_order_of_the_file() -> None:
    found = faults(HEAD + "[betting]\ncap_raises = -1\n[button]\nx = 1\n[buyin]\nmaximum = 0.5\n")
    assert [fault.split(":")[1] for fault in found] == ["6", "8", "10"]


def test_bytes_that_are_not_text_are_refused() -> None:
    with pytest.raises(BookRefused, match=r"oak.toml:2: .*not UTF-8"):
        read_book(b"[book]\n\xff", "oak.toml")
    with pytest.raises(BookRefused, match="at most 1,000,000"):
        read_book(b"#" * 1_000_001, "oak.toml")
    with pytest.raises(BookRefused):
        read_book(b"a = " + b"[" * 5000, "oak.toml")


def test_an_unknown_name_is_no_book(tmp_path: Path) -> None:
    with pytest.raises(BookUnknown, match="it is one of HG, LC, RC, WP"):
        load_book("XX")
    with pytest.raises(BookUnknown):
        load_book(tmp_path / "missing.toml")


def test_a_rooms_own_file_overlays_its_book(tmp_path: Path) -> None:
    path = tmp_path / "oak.toml"
    path.write_text(
        HEAD
        + "effective = 2026-01-01T04:00:00-08:00\n"
        + '[betting]\ncap_raises = { value = 4, rules = ["OAK-1"] }\ncheck_raise = false\n'
        + '[[rule]]\nid = "OAK-1"\nsays = "Four raises."\nrelated = ["LC-49"]\n'
    )
    book = load_book(path)
    rules = resolve(book)
    assert (rules.count("betting.cap_raises"), rules.cite("betting.cap_raises")) == (4, ("OAK-1",))
    assert rules.cite("betting.check_raise") == ("OAK:betting.check_raise",)
    assert rules.cite("betting.forward_motion") == ("LC-52",)  # from the book it is based on
    assert rules.texts["OAK-1"].says == "Four raises."
    assert book.layers[0].effective == datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_a_dated_value_changes_at_its_instant() -> None:
    book = read_book(
        (HEAD + "[betting]\ncap_raises = [{ value = 4, from = 2026-03-01T12:00:00Z },\n"
         "  { value = 5, from = 2026-04-01T12:00:00Z }]\n").encode(),
        "oak.toml",
    )  # fmt: skip
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    before = datetime(2026, 3, 1, 11, 59, 59, tzinfo=UTC)
    assert resolve(book, at=before).cite("betting.cap_raises") == ("LC-49", "LC-GL-cap")
    assert resolve(book, at=at).count("betting.cap_raises") == 4
    assert resolve(book).count("betting.cap_raises") == 5
    assert book.instants() == (at, datetime(2026, 4, 1, 12, tzinfo=UTC))


def test_windows_line_ends_and_a_quoted_key_are_read() -> None:
    text = (HEAD + "[betting]\n'cap_raises' = 4\n").replace("\n", "\r\n")
    assert resolve(read_book(text.encode(), "oak.toml")).count("betting.cap_raises") == 4


def test_lines_are_found_behind_every_kind_of_value() -> None:
    text = (
        'a = """\nx = 1\n"""\n'  # 1
        "b = '''\n[t]\n'''\n"  # 4
        'c = [\n  1, # [\n  "]",\n  { d = 1, "e.f" = 2 },\n]\n'  # 7
        "[t.u]\n"  # 12
        "v = 2026-01-01T00:00:00Z # x = 1\n"  # 13
        "[[l]]\nm = 1\n"  # 14
        "[[l]]\nm.n = 1.5\n"  # 16
    )
    lines = Lines(text)
    assert lines.line(("a",)) == 1
    assert lines.line(("b",)) == 4
    assert lines.line(("c", 2, "e.f")) == 10
    assert lines.line(("t", "u", "v")) == 13
    assert lines.line(("l", 0, "m")) == 15
    assert lines.line(("l", 1, "m", "n")) == 17
    assert lines.line(("l", 1, "unknown")) == 16
    assert lines.line(("nothing",)) == 1


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="[]{}=\"'#,.\n ab1-:TZ\\", max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(BookRefused) as caught:
        read_book(text.encode(), "any.toml")
    assert all(problem.line >= 1 for problem in caught.value.problems)


def test_a_file_of_nothing_but_faults_is_refused_by_its_first_hundred() -> None:
    text = HEAD_OF_MANY + "[seating]\n" + "".join(f"k{n} = 1\n" for n in range(60_000))
    with pytest.raises(BookRefused) as caught:
        read_book(text.encode(), "own.toml")
    problems = caught.value.problems
    assert len(problems) == 101
    assert [one.line for one in problems[:100]] == list(range(7, 107))
    assert problems[-1].message == "it has more than these 100 faults"


def test_a_byte_order_mark_before_the_text_is_passed_over() -> None:
    assert read_book(("\ufeff" + HEAD_OF_MANY).encode(), "own.toml").id == "OWN"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (".".join("a" * 5000) + " = 1\n", 1, "it is nested too deep"),
        (f"[seating]\nlock_minutes = {'9' * 5000}\n", 7, "a number has thousands of digits"),
        ("[seating]\n" + "k" * 900_000 + " = 1\n", 7, "unknown key"),
        ("x" * 900_000, 6, "Expected '=' after a key in a key/value pair"),
    ],
)
def test_what_is_out_of_all_bounds_is_a_fault_like_any_other(
    text: str, line: int, message: str
) -> None:
    with pytest.raises(BookRefused) as caught:
        read_book((HEAD_OF_MANY + text).encode(), "own.toml")
    (problem,) = caught.value.problems
    assert (problem.line, problem.message) == (line, message)
    assert len(problem.key) <= 120


def test_an_instant_outside_the_calendar_is_named() -> None:
    head = HEAD_OF_MANY.replace("2026-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00")
    with pytest.raises(BookRefused, match=r"own.toml:5: book.effective.*outside the calendar"):
        read_book(head.encode(), "own.toml")


HEAD_OF_MANY = (
    '[book]\nid = "OWN"\ntitle = "Own"\nbased_on = "LC"\neffective = 2026-01-01T00:00:00Z\n'
)
