"""What a remedy enters in the record of a hand: from its entries to commands, and to the events they bring."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.tables import hand_commands as do
from cardroom.tables.findings import Entry
from cardroom.tables.hand import Hand, evolve
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_events import Source
from cardroom.tables.hand_rules import HandRules

_PLAIN: Final[dict[str, type[do.ActionCommand]]] = {
    "fold": do.Fold,
    "check": do.Check,
    "call": do.Call,
    "bring_in": do.BringIn,
}
_WITH_AMOUNT: Final[dict[str, Any]] = {
    "bet": do.Bet,
    "raise": do.RaiseTo,
    "complete": do.RaiseTo,
    "all_in": do.AllIn,
}


def command_for(
    entry: Entry, hand: Hand, rules: tuple[str, ...], source: Source = Source.DEALER
) -> do.HandCommand:
    """Return the command that makes an entry of a remedy.

    Args:
        entry: what is to be entered.
        hand: the hand.
        rules: ids the remedy rests on.
        source: who told what it rests on.
    """
    ids: dict[str, Any] = {"room": hand.room, "table": hand.table, "hand": hand.hand}
    if entry.kind == "rewind":
        return do.RewindHand(**ids, to=entry.to, reason=entry.why)
    said = {**ids, "seat": entry.seat, "rules": rules, "source": source}
    match entry.kind:
        case "act" if entry.act in _PLAIN:
            return _PLAIN[entry.act](**said)
        case "act":
            made: do.HandCommand = _WITH_AMOUNT[entry.act](**said, to_cents=entry.cents)
            return made
        case "stand":
            return do.StandAsMade(**said, act=entry.act, to_cents=entry.cents or 0)
        case "hold":
            return do.HoldToAction(**said, act=entry.act, to_cents=entry.cents or 0)
        case "bar":
            return do.BarRaise(
                **said, code=entry.code, why=entry.why, whole_round=entry.whole_round
            )
        case "pass_over":
            return do.PassOver(**said, acted=entry.seats)
        case "leave_in":
            return do.LeaveChipsIn(**said, cents=entry.cents or 0)
        case "dead":
            return do.RuleHandDead(**said)
    raise LookupError(f"{entry.kind!r} is no kind of entry")


Decide = Callable[[do.HandCommand, Hand, HandRules], tuple[Event, ...]]


def entered(
    entries: tuple[Entry, ...],
    hand: Hand,
    game: HandRules,
    rules: tuple[str, ...],
    source: Source = Source.DEALER,
    *,
    decide: Decide = decide_hand,
) -> tuple[Event, ...]:
    """Return the events of the hand that a remedy's entries bring, in order.

    Args:
        entries: what is to be entered.
        hand: the hand.
        game: rules of its book and game.
        rules: ids the remedy rests on.
        source: who told what it rests on.
        decide: decides each command.

    Raises:
        Refused: an entry does not stand.
    """
    events: list[Event] = []
    for entry in entries:
        for event in decide(command_for(entry, hand, rules, source), hand, game):
            events.append(event)
            hand = evolve(hand, event)
    return tuple(events)


class Followed(msgspec.Struct, frozen=True):
    """How far entries can be made.

    Args:
        hand: the hand after those that stand.
        done: how many do.
        refused: why the next one does not, None where all do.
    """

    hand: Hand
    done: int
    refused: Refused | None


def follow(
    entries: tuple[Entry, ...], hand: Hand, game: HandRules, rules: tuple[str, ...]
) -> Followed:
    """Return how far entries can be made one after the other.

    Args:
        entries: what is to be entered.
        hand: the hand.
        game: rules of its book and game.
        rules: ids the remedy rests on.
    """
    for at, entry in enumerate(entries):
        try:
            events = decide_hand(command_for(entry, hand, rules), hand, game)
        except Refused as refused:
            return Followed(hand, at, refused)
        for event in events:
            hand = evolve(hand, event)
    return Followed(hand, len(entries), None)
