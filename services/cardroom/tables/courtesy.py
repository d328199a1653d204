"""Breaches of courtesy in the actions of a hand: noted beside it as they are entered, taken off where they were not."""

from typing import Final

from cardroom.kernel.decisions import Decision
from cardroom.kernel.events import Event
from cardroom.poker.legal import Act
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.hand import Hand, evolve
from cardroom.tables.hand_events import ActionTaken, EntryCorrected, HandRewound
from cardroom.tables.notes import notes_id
from cardroom.tables.notes_events import (
    CourtesyBreached,
    CourtesyBreachWithdrawn,
    HandNotes,
)
from cardroom.tables.observations.rounds import actions

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
    noted = {one.seat: one for one in notes.breaches}
    stem = notes_id(hand.room, hand.table, hand.number)
    withdrawn = tuple(
        CourtesyBreachWithdrawn(seat=seat, player=one.player, what=one.what)
        for seat, one in noted.items()
        if seat not in found
    )
    new = tuple(one for seat, one in found.items() if seat not in noted)
    return tuple((stem, event) for event in (*withdrawn, *new))


def _may_change(event: Event) -> bool:
    """Whether an event may bring a breach or take one back."""
    if isinstance(event, ActionTaken):
        return event.act is Act.FOLD and bool(event.rules)
    return isinstance(event, HandRewound | EntryCorrected)
