"""Breaches of courtesy in a hand: those in its actions as they are entered, others as their finding is confirmed.

Those in the actions are taken off again where they turn out to be wrong entries.
"""

from typing import Final

from cardroom.kernel.decisions import Decision
from cardroom.kernel.events import Event
from cardroom.poker.legal import Act
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.findings import Finding
from cardroom.tables.hand import Hand, evolve
from cardroom.tables.hand_events import ActionTaken, EntryCorrected, HandRewound
from cardroom.tables.notes import notes_id
from cardroom.tables.notes_events import (
    CourtesyBreached,
    CourtesyBreachWithdrawn,
    HandNotes,
)
from cardroom.tables.observations.rounds import actions
from cardroom.tables.table import Table

FOLDED: Final = "folded_without_wager"


def courtesy_breaches(hand: Hand, rules: ResolvedBook) -> tuple[CourtesyBreached, ...]:
    """Return the folds without a wager to face that a book minds (betting.fold_without_wager), in order.

    Args:
        hand: the hand, with every action that counts.
        rules: its book.
    """
    if rules.choice("betting.fold_without_wager") != "breach_of_courtesy":
        return ()
    cited = rules.cite("betting.fold_without_wager")
    players = {chair.seat: chair.player for chair in hand.chairs}
    return tuple(
        CourtesyBreached(seat=event.seat, player=players[event.seat], what=FOLDED, rules=cited)
        for event in actions(hand)
        if event.act is Act.FOLD and set(cited) & set(event.rules)
    )


def with_courtesy(
    hand: Hand, events: tuple[Event, ...], notes: HandNotes, rules: ResolvedBook
) -> Decision:
    """Return what a hand's new events change in the breaches noted beside it.

    Args:
        hand: the hand before them.
        events: what is recorded in it.
        notes: what stands beside it.
        rules: its book.
    """
    if not any(_may_change(event) for event in events):
        return ()
    for event in events:
        hand = evolve(hand, event)
    found = {one.seat: one for one in courtesy_breaches(hand, rules)}
    noted = {one.seat: one for one in notes.breaches if one.what == FOLDED}
    stem = notes_id(hand.room, hand.table, hand.number)
    withdrawn = tuple(
        CourtesyBreachWithdrawn(seat=seat, player=one.player, what=one.what)
        for seat, one in noted.items()
        if seat not in found
    )
    new = tuple(one for seat, one in found.items() if seat not in noted)
    return tuple((stem, event) for event in (*withdrawn, *new))


def breaches_found(
    finding: Finding, table: Table, hand: Hand, notes: HandNotes
) -> tuple[CourtesyBreached, ...]:
    """Return what a finding that holds puts on players' records, as far as it does not stand there.

    Args:
        finding: what a floorperson confirmed, or what takes effect by itself.
        table: the table.
        hand: the hand as recorded.
        notes: what stands beside it.
    """
    players = {seat.seat: seat.player for seat in table.seats.values()}
    players |= {chair.seat: chair.player for chair in hand.chairs}
    stand = {(one.seat, one.what) for one in notes.breaches}
    return tuple(
        CourtesyBreached(seat=one.seat, player=players[one.seat], what=one.what, rules=one.rules)
        for one in finding.conduct
        if one.seat in players and (one.seat, one.what) not in stand
    )


def _may_change(event: Event) -> bool:
    """Whether an event may bring a breach or take one back."""
    if isinstance(event, ActionTaken):
        return event.act is Act.FOLD and bool(event.rules)
    return isinstance(event, HandRewound | EntryCorrected)
