"""Questions that rules ask of the actions of a hand: how many, which were wagers and who opened."""

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
