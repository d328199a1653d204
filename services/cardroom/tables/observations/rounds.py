"""Questions that rules ask of the actions of a hand: how many, which were wagers, who opened, who broke custom."""

from collections.abc import Iterable

import msgspec

from cardroom.poker.legal import WAGERS, Act
from cardroom.tables.hand import Hand, history_of
from cardroom.tables.hand_events import ActionTaken, StreetDealt


def actions(hand: Hand) -> tuple[ActionTaken, ...]:
    """Return the actions of a hand: posts, collections and the forced bring-in are none (betting.actions).

    Args:
        hand: the hand.
    """
    return tuple(
        event
        for _, event in history_of(hand)
        if isinstance(event, ActionTaken) and event.act is not Act.BRING_IN
    )


def round_actions(hand: Hand) -> tuple[ActionTaken, ...]:
    """Return the actions since the last street was dealt.

    Args:
        hand: the hand.
    """
    found: list[ActionTaken] = []
    for _, event in history_of(hand):
        if isinstance(event, StreetDealt):
            found.clear()
        elif isinstance(event, ActionTaken):
            found.append(event)
    return tuple(found)


def wagers(hand: Hand) -> tuple[ActionTaken, ...]:
    """Return the bets and raises since the last street was dealt; checks, calls and folds are none.

    Args:
        hand: the hand.
    """
    return tuple(event for event in round_actions(hand) if event.act in WAGERS)


def opener(hand: Hand) -> int:
    """Return the seat that made the first voluntary bet of the hand, 0 where there is none; a bring-in is forced.

    Args:
        hand: the hand.
    """
    return next((event.seat for event in actions(hand) if event.act in WAGERS), 0)


class Breach(msgspec.Struct, frozen=True):
    """A breach of courtesy noted with an action.

    Args:
        hand: the hand's id.
        seat: whose action.
        player: the player's id.
        rules: ids it breaks.
    """

    hand: str
    seat: int
    player: str
    rules: tuple[str, ...]


def courtesy_breaches(hands: Iterable[Hand], rules: tuple[str, ...]) -> tuple[Breach, ...]:
    """Return the folds without a wager to face that a book minds (betting.fold_without_wager), in order.

    Args:
        hands: the hands looked at, a player's of one night perhaps.
        rules: ids behind the decision in their book.
    """
    return tuple(
        Breach(hand.hand, event.seat, chair.player, event.rules)
        for hand in hands
        for event in actions(hand)
        if event.act is Act.FOLD and set(rules) & set(event.rules)
        for chair in hand.chairs
        if chair.seat == event.seat
    )
