"""Random hands written as PHH, as OHH and as stored bytes, and read again: the same hands."""

import json
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.kernel.events import EventTypes, topic_of
from cardroom.kernel.refusal import Refused
from cardroom.poker.cards import known
from cardroom.tables.hand import INITIAL, Hand, evolve
from cardroom.tables.hand_events import HAND_EVENTS, Phase
from cardroom.tables.hand_rules import HandRules
from cardroom.tables.notation import ohh, phh
from cardroom.tables.notation.about import About
from cardroom.tables.notation.codes import BET_TYPES, GAME_TYPES, VARIANT_CODES
from cardroom.tables.notation.ohh_export import export_ohh
from cardroom.tables.notation.phh_export import export_phh
from cardroom.tables.notation.replay import BookFor, Imported
from tests.plugins.hand_play import READER, resolved
from tests.plugins.hand_random import FORMS, STRUCTURES, Tape, dealt, played, tapes, telling
from tests.plugins.hand_records import Record, outcome

TYPES = EventTypes("tables", HAND_EVENTS)
LONG_TAPE = 900
ABOUT = About(
    site="The Lucky Room",
    started_at=datetime(2026, 11, 29, 12, 30, 15, tzinfo=UTC),
    irregularities=({"rule": "LC-12", "says": "the raise stands"},),
)


def read_phh(text: str, book_for: BookFor) -> Imported:
    """Read the one hand of a PHH text."""
    ((_, fields),) = phh.hands_of(text)
    return phh.import_phh(fields, book_for, READER)


def read_ohh(text: str, book_for: BookFor) -> Imported:
    """Read the one hand of an OHH text."""
    (fields,) = ohh.hands_of(text)
    return ohh.import_ohh(fields, book_for, READER)


Writes = Callable[[Hand, HandRules, About], str]
Reads = Callable[[str, BookFor], Imported]
FORMATS: list[tuple[Writes, Reads]] = [(export_phh, read_phh), (export_ohh, read_ohh)]
both_formats = pytest.mark.parametrize(
    ("write", "read"), [pytest.param(*pair, id=pair[0].__name__[-3:]) for pair in FORMATS]
)


def standing(state: Hand) -> Hand:
    """Return a hand without what tells how it came to stand so."""
    return msgspec.structs.replace(state, version=0, history=None)


def check_round_trip(state: Hand, rules: HandRules, book_for: BookFor, format_: Any) -> str:
    """Write a hand and read it again: the same events count, it stands the same, the text is the same to the byte."""
    write, read = format_
    text: str = write(state, rules, ABOUT)
    again = read(text, book_for)
    assert outcome(again.hand) == outcome(state), text
    assert standing(again.hand) == standing(state), text
    assert write(again.hand, again.rules, again.about) == text
    assert again.about.irregularities == ABOUT.irregularities
    return text


@both_formats
@settings(max_examples=300, deadline=None)
@given(tape=tapes())
def test_a_random_hand_of_every_form_and_structure_round_trips(
    write: Writes, read: Reads, tape: Tape
) -> None:
    hand = dealt(tape)
    play = played(tape, hand).play
    with telling(play):
        check_round_trip(
            play.state, play.rules, lambda a_game: resolved(hand.book, a_game), (write, read)
        )


@both_formats
@settings(max_examples=300, deadline=None)
@given(tape=tapes(LONG_TAPE))
def test_a_random_hand_with_all_that_a_room_adds_round_trips(
    write: Writes, read: Reads, tape: Tape
) -> None:
    record = Record(tape).play()
    if record.hand.over:
        check_round_trip(record.hand, record.rules, record.book_for, (write, read))


@both_formats
@settings(max_examples=150, deadline=None)
@given(tape=tapes(LONG_TAPE))
def test_a_hand_whose_unshown_cards_are_kept_back_round_trips(
    write: Writes, read: Reads, tape: Tape
) -> None:
    hand = dealt(tape)
    play = played(tape, hand).play
    folded = INITIAL
    for event in play.events:
        kept_back = dict.fromkeys(type(event).confidential)
        folded = evolve(folded, msgspec.structs.replace(event, **kept_back))
    text = write(folded, play.rules, ABOUT)
    found = read(text, lambda a_game: resolved(hand.book, a_game))
    assert found.hand.results == folded.results
    assert write(found.hand, found.rules, found.about) == text
    shown = {card for result in folded.results for card in result.shown}
    held = {card for chair in found.hand.chairs for card in known(chair.down)}
    assert held <= shown, "no card is written that was not shown"


def test_every_form_and_structure_has_a_name() -> None:
    pairs = {(form, structure) for form in FORMS for structure in STRUCTURES}
    assert set(VARIANT_CODES.values()) == pairs
    assert (
        {(form, structure) for form in GAME_TYPES.values() for structure in BET_TYPES.values()}
    ) == pairs


@settings(max_examples=100, deadline=None)
@given(tape=tapes(LONG_TAPE))
def test_stored_events_fold_to_the_same_hand(tape: Tape) -> None:
    record = Record(tape).play()
    folded = INITIAL
    for event in record.events:
        stored = msgspec.msgpack.encode(event)
        folded = evolve(folded, TYPES.decode(topic_of(event), stored))
    assert folded == record.hand


def check_cited(refused: Refused) -> None:
    """Check that a refusal says why, and by which rules."""
    assert refused.rules, refused
    assert refused.message, refused


def check_refusal(refused: Refused) -> None:
    """Check that a refusal names its place, its rules and what was expected."""
    check_cited(refused)
    assert refused.field, refused
    assert refused.options or "xpected" in refused.message, refused


CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def mutated(actions: list[str], tape: Tape) -> list[str]:
    """Return actions of which one is wrong: another player, amount or card, doubled, left out, or out of order."""
    at = tape.below(len(actions))
    words = actions[at].split()
    changed = list(actions)
    match tape.below(7):
        case 0:
            seats = [f"p{number}" for number in range(1, 11)]
            changed[at] = " ".join(tape.pick(seats) if word[:1] == "p" else word for word in words)
        case 1:
            amount = tape.pick(("0", "0.5", "1", "3", "7", "99999", "12.34", "-4", "x"))
            changed[at] = f"{words[0]} cbr {amount}"
        case 2 if words[-1] not in {"f", "cc", "pb", "sm", "sd"}:
            changed[at] = " ".join([*words[:-1], tape.pick(CARDS) + words[-1][2:]])
        case 3:
            del changed[at]
        case 4:
            changed.insert(at, actions[at])
        case 5:
            changed[at] = f"{words[0]} {tape.pick(('f', 'cc', 'pb', 'sm', 'sd', 'jumps', ''))}"
        case _:
            changed.append(tape.pick((actions[at], "p1 f", "p2 cc", "d db 2c", "p1 cbr 8")))
    return changed


@settings(max_examples=400, deadline=None)
@given(tape=tapes())
def test_a_phh_hand_with_a_wrong_action_is_refused_or_legal(tape: Tape) -> None:
    hand = dealt(tape)
    play = played(tape, hand).play

    def book_for(a_game: Any) -> Any:
        return resolved(hand.book, a_game)

    ((_, fields),) = phh.hands_of(export_phh(play.state, play.rules, ABOUT))
    changed = {**fields, "actions": mutated(list(fields["actions"]), tape)}
    for name in ("finishing_stacks", "_cardroom"):
        if tape.below(2):
            changed.pop(name, None)
    if "_cardroom" in changed:
        changed["_cardroom"] = {
            name: value
            for name, value in changed["_cardroom"].items()
            if name not in {"pots", "uncalled"}
        }
    try:
        found = phh.import_phh(changed, book_for, READER)
    except Refused as refused:
        check_refusal(refused)
        return
    text = export_phh(found.hand, found.rules, found.about)
    again = read_phh(text, book_for)
    assert standing(again.hand) == standing(found.hand), text
    assert export_phh(again.hand, again.rules, again.about) == text


@settings(max_examples=400, deadline=None)
@given(tape=tapes())
def test_an_ohh_hand_with_a_wrong_action_is_refused_or_legal(tape: Tape) -> None:
    hand = dealt(tape)
    play = played(tape, hand).play

    def book_for(a_game: Any) -> Any:
        return resolved(hand.book, a_game)

    fields = dict(ohh.hands_of(export_ohh(play.state, play.rules, ABOUT))[0])
    street = tape.pick(fields["rounds"])
    actions: list[Any] = street["actions"]
    if actions:
        at = tape.below(len(actions))
        action = dict(actions[at])
        match tape.below(6):
            case 0:
                action["player_id"] = tape.between(0, 11)
                actions[at] = action
            case 1:
                action["amount"] = Decimal(tape.pick(("0", "1", "2.5", "777", "-1", "0.001")))
                actions[at] = action
            case 2:
                action["cards"] = [tape.pick(CARDS) for _ in action.get("cards", ())]
                actions[at] = action
            case 3:
                del actions[at]
            case 4:
                actions.insert(at, action)
            case _:
                action["action"] = tape.pick((*ohh.POSTS, *ohh.ACTIONS, "Shows Cards", "Jumps"))
                actions[at] = action
    if tape.below(2):
        fields["_cardroom"] = {
            name: value
            for name, value in fields["_cardroom"].items()
            if name not in {"pots", "uncalled"}
        }
    try:
        found = ohh.import_ohh(fields, book_for, READER)
    except Refused as refused:
        check_refusal(refused)
        return
    text = export_ohh(found.hand, found.rules, found.about)
    again = read_ohh(text, book_for)
    assert standing(again.hand) == standing(found.hand), text
    assert export_ohh(again.hand, again.rules, again.about) == text


ODD: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 10**30)
    | st.decimals(allow_nan=True)
    | st.text(max_size=12)
    | st.sampled_from(["p1 f", "d dh p1 AsKs", "d db 2c3c4c", "Fold", "Post BB", "NT", "Holdem"]),
    lambda inside: (
        st.lists(inside, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "at",
                    "action",
                    "actions",
                    "enter",
                    "after_actions",
                    "seat",
                    "hands",
                    "cards",
                    "amount",
                    "player_id",
                    "id",
                    "street",
                    "posts",
                    "game",
                    "form",
                    "chip_cents",
                ]
            ),
            inside,
            max_size=5,
        )
    ),
    max_leaves=8,
)


def plain_hand(tape: Tape, write: Writes) -> tuple[str, str]:
    """Return the book and the text of a random hand."""
    hand = dealt(tape)
    play = played(tape, hand).play
    return hand.book, write(play.state, play.rules, ABOUT)


@settings(max_examples=300, deadline=None)
@given(tape=tapes(), data=st.data())
def test_any_value_in_any_phh_field_is_read_or_refused(tape: Tape, data: st.DataObject) -> None:
    book, text = plain_hand(tape, export_phh)
    fields: dict[str, Any] = tomllib.loads(text, parse_float=Decimal)
    inside = tape.below(2) and fields.get("_cardroom", {})
    among = inside or fields
    among[data.draw(st.sampled_from(sorted(among)))] = data.draw(ODD)
    try:
        phh.import_phh(fields, lambda a_game: resolved(book, a_game), READER)
    except Refused as refused:
        check_cited(refused)


@settings(max_examples=300, deadline=None)
@given(tape=tapes(), data=st.data())
def test_any_value_in_any_ohh_field_is_read_or_refused(tape: Tape, data: st.DataObject) -> None:
    book, text = plain_hand(tape, export_ohh)
    fields: dict[str, Any] = json.loads(text, parse_float=Decimal)["ohh"]
    places = [fields, fields["_cardroom"], *fields["rounds"], *fields["players"], *fields["pots"]]
    places += [action for street in fields["rounds"] for action in street["actions"]]
    among = data.draw(st.sampled_from(places))
    among[data.draw(st.sampled_from(sorted(among)))] = data.draw(ODD)
    try:
        ohh.import_ohh(fields, lambda a_game: resolved(book, a_game), READER)
    except Refused as refused:
        check_cited(refused)


@pytest.mark.parametrize("read", [phh.hands_of, ohh.hands_of], ids=["phh", "ohh"])
@settings(max_examples=300, deadline=None)
@given(text=st.text() | st.text(alphabet='[]{}",:=\n 1e9.-#nfi'))
def test_any_text_is_read_or_refused(read: Callable[[str], Any], text: str) -> None:
    try:
        read(text)
    except Refused as refused:
        check_cited(refused)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (phh.hands_of, "a = " + "[" * 100_000),
        (ohh.hands_of, "[" * 100_000),
        (ohh.hands_of, '{"ohh": ' * 50_000),
        (phh.hands_of, "a = 1e9999999999999999999"),
        (ohh.hands_of, '{"ohh": {"a": 1e9999999999999999999}}'),
        (ohh.hands_of, '{"ohh": {"a": ' + "9" * 5000 + "}}"),
        (phh.hands_of, "a = " + "9" * 5000),
        (ohh.hands_of, '{"ohh": {"a": NaN}}'),
    ],
    ids=range(8),
)
def test_extreme_texts_are_read_or_refused(read: Callable[[str], Any], text: str) -> None:
    try:
        read(text)
    except Refused as refused:
        check_cited(refused)


def test_a_hand_under_way_has_no_end() -> None:
    record = Record(Tape(b""))
    assert record.hand.phase is Phase.BETTING
    with pytest.raises(Refused):
        export_phh(record.hand, record.rules)
