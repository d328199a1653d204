"""A hand replayed from the store to any of its events, under the book that it pinned."""

from typing import NamedTuple

from cardroom import known
from cardroom.audit.reader import Reader
from cardroom.evaluator.native import NativeEvaluator
from cardroom.kernel.envelope import Recorded
from cardroom.kernel.refusal import Unknown
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.hand import Hand
from cardroom.tables.hand_rules import HandRules, hand_rules


class Replayed(NamedTuple):
    """A hand at one of its events, the rules it was played under, and its records."""

    hand: Hand
    rules: HandRules
    records: tuple[Recorded, ...]
    last_version: int


async def replay_hand(
    reader: Reader, hand_id: str, version: int = 0, *, unshown: bool = False
) -> Replayed:
    """Fold a hand's stored events and read the book that its first event pins.

    Args:
        reader: reads the stores.
        hand_id: the hand's stream.
        version: after so many of its events; 0 for all.
        unshown: whether cards that were not shown are opened; those of a hand under way never are.

    Raises:
        Unknown: CR-2, no such hand.
        Refused: CR-4, it has fewer events.
        IntegrityBroken: its stored bytes do not hold together.
    """
    if not hand_id.startswith("hand/"):
        raise Unknown("hand", hand_id, field="hand_id")
    try:
        whole = await reader.stood("tables", hand_id)
    except Unknown:
        raise Unknown("hand", hand_id, field="hand_id") from None
    finished: Hand = whole.state
    stood = await reader.stood(
        "tables", hand_id, version=version, confidential=unshown and finished.over
    )
    hand: Hand = stood.state
    book = await reader.stood("tables", known.book_stream(hand.book_digest))
    resolved: ResolvedBook = book.state
    rules = hand_rules(resolved, hand.game, NativeEvaluator())
    return Replayed(hand, rules, stood.records, len(whole.records))
