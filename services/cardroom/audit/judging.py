"""Judging again: today's engine on a hand's recorded facts, under the book that it pinned or under another.

Replay folds what was decided then; this decides it anew from what was entered, and tells each difference.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

import msgspec

from cardroom import known
from cardroom.audit.reader import Reader
from cardroom.evaluator.native import NativeEvaluator
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.rulebook.catalogue import book_ids
from cardroom.rulebook.loader import load_book
from cardroom.rulebook.model import ResolvedBook
from cardroom.rulebook.resolve import resolve
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, evolve, history_of
from cardroom.tables.hand_commands import HandCommand
from cardroom.tables.hand_correct import entered_again
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_rules import HandRules, hand_rules
from cardroom.tables.hand_state import INITIAL
from cardroom.tables.table import Table, hand_id, table_id

MOST_HANDS: Final = 500
"""Hands of one request at most."""


class Differs(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is decided otherwise today.

    Args:
        version: version in the hand's stream of the recorded event; that of its entry where nothing was recorded.
        event: which event it is about, by its class.
        field: which of its fields; empty where a whole event is decided today or then only, or the entry is refused.
        recorded: what was decided then, as JSON; empty for nothing.
        today: what is decided today, as JSON, or why it is refused; empty for nothing.
        rules: ids a refusal rests on.
    """

    version: int
    event: str
    field: str = ""
    recorded: str = ""
    today: str = ""
    rules: tuple[str, ...] = ()


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A hand judged again.

    Args:
        hand: the hand as recorded.
        differences: in the order of its events; after an entry that is refused today nothing more can be judged.
    """

    hand: Hand
    differences: tuple[Differs, ...]


def judged_again(hand: Hand, pinned: HandRules, today: HandRules) -> Judged:
    """Decide what was entered in a hand anew and compare.

    Args:
        hand: as recorded, with what counts of it.
        pinned: of the book it was played under, which tell what was entered.
        today: of the book to judge by.
    """
    entries = history_of(hand)
    now = INITIAL
    found: list[Differs] = []
    for version, command, recorded in entered_again(entries, hand, pinned):
        if command is None:
            decided = tuple(event for _, event in recorded)
        else:
            try:
                decided = decide_hand(command, now, today)
            except Refused as refused:
                found.append(_refused(version, command, refused))
                break
            found += _compared(version, recorded, decided)
        for event in decided:
            now = evolve(now, event)
    return Judged(hand=hand, differences=tuple(found))


def _refused(version: int, command: HandCommand, refused: Refused) -> Differs:
    return Differs(
        version=version,
        event=type(command).__name__,
        recorded="accepted",
        today=f"refused, {refused.code}: {refused.message}",
        rules=refused.rules,
    )


def _compared(
    version: int,
    recorded: Sequence[tuple[int, Event]],
    decided: Sequence[Event],
) -> Iterator[Differs]:
    for then, again in zip_longest(recorded, decided):
        at = version if then is None else then[0]
        if then is None or again is None or type(then[1]) is not type(again):
            if then is not None:
                yield Differs(version=at, event=type(then[1]).__name__, recorded=_said(then[1]))
            if again is not None:
                yield Differs(version=at, event=type(again).__name__, today=_said(again))
            continue
        for field in again.__struct_fields__:
            was, is_now = getattr(then[1], field), getattr(again, field)
            if was != is_now:
                yield Differs(
                    version=at,
                    event=type(again).__name__,
                    field=field,
                    recorded=_said(was),
                    today=_said(is_now),
                )


def _said(value: Any) -> str:
    return msgspec.json.encode(value).decode()


async def judge_hands(
    reader: Reader, room: str, table: str, first: int = 0, last: int = 0, book: str = ""
) -> tuple[Judged, ...]:
    """Judge the finished hands of a table again.

    Args:
        reader: reads the stores.
        room: the room.
        table: the table.
        first: number of the first hand; 0 for the table's first.
        last: number of the last one; 0 for the table's last.
        book: judge by this book: one of the four by id, or the digest of a book in force here; empty: by the book that
            each hand pinned.

    Raises:
        Unknown: CR-2, no such table or book.
        Refused: CR-4, the numbers name no hand, or too many.
        IntegrityBroken: stored bytes do not hold together.
        EventUnreadable: an event's topic or shape is none that this release knows.
    """
    stood: Table = (await reader.stood("tables", table_id(room, table))).state
    numbers = _numbers(first, last, stood.last_hand)
    streams = [hand_id(room, table, number) for number in numbers]
    states = await reader.states("tables", streams, subjects=streams)
    books: dict[str, ResolvedBook] = {}
    judged = []
    for stream in streams:
        hand: Hand = states[stream]
        if not hand.over or not isinstance(history_of(hand)[0][1], ev.HandStarted):
            continue
        for digest in {hand.book_digest, book} - books.keys() - set(book_ids()) - {""}:
            books[digest] = await _stored_book(reader, digest)
        pinned = hand_rules(books[hand.book_digest], hand.game, NativeEvaluator())
        today = pinned
        if book in book_ids():
            today = hand_rules(resolve(load_book(book), hand.game), hand.game, NativeEvaluator())
        elif book:
            today = hand_rules(books[book], hand.game, NativeEvaluator())
        judged.append(judged_again(hand, pinned, today))
    return tuple(judged)


def _numbers(first: int, last: int, greatest: int) -> range:
    if not (first or last or greatest):
        return range(0)
    first, last = first or 1, last or greatest
    if not 1 <= first <= last <= greatest:
        raise Refused(
            "HAND_NUMBERS",
            "CR-4",
            f"first_hand {first} and last_hand {last}: the table has hands 1 to {greatest}",
            field="first_hand",
        )
    if last - first >= MOST_HANDS:
        raise Refused(
            "TOO_MANY_HANDS",
            "CR-4",
            f"last_hand is {last}: at most {MOST_HANDS} hands are judged at once",
            field="last_hand",
        )
    return range(first, last + 1)


async def _stored_book(reader: Reader, digest: str) -> ResolvedBook:
    try:
        stood = await reader.stood("tables", known.book_stream(digest))
    except Unknown:
        raise Unknown("book", digest, field="book") from None
    book: ResolvedBook = stood.state
    return book
