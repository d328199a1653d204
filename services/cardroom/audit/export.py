"""A hand from the store in a format that other programs read, with what was found and ruled at the table beside it."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from cardroom import known
from cardroom.audit.reader import Reader
from cardroom.audit.replay import replay_hand
from cardroom.kernel.envelope import Recorded
from cardroom.kernel.refusal import Unknown
from cardroom.tables.hand import Hand
from cardroom.tables.hand_rules import HandRules
from cardroom.tables.notation.about import About
from cardroom.tables.notation.ohh_export import export_ohh
from cardroom.tables.notation.phh_export import export_phh
from cardroom.tables.notes import notes_id

FORMATS: Final[dict[str, Callable[[Hand, HandRules, About], str]]] = {
    "phh": export_phh,
    "ohh": export_ohh,
}
"""The formats, by the name a file of each ends with."""


class Exported(NamedTuple):
    """A hand in a format.

    Args:
        text: of the record.
        file_name: a name for a file of it.
    """

    text: str
    file_name: str


async def export_hand(
    reader: Reader, hand_id: str, format_name: str, *, unshown: bool = False
) -> Exported:
    """Write a hand that is over.

    Args:
        reader: reads the stores.
        hand_id: the hand's stream.
        format_name: one of `FORMATS`.
        unshown: whether cards that were not shown are written.

    Raises:
        Unknown: CR-2, no such hand or format.
        Refused: CR-6, it is not over.
        IntegrityBroken: its stored bytes do not hold together.
    """
    if format_name not in FORMATS:
        raise Unknown("format", format_name, field="format")
    found = await replay_hand(reader, hand_id, unshown=unshown)
    hand = found.hand
    about = About(
        site=await _room_name(reader, hand.room),
        started_at=_began(found.records[0]),
        irregularities=await _irregularities(reader, hand),
    )
    text = FORMATS[format_name](hand, found.rules, about)
    return Exported(text, f"{hand_id.removeprefix('hand/').replace('/', '-')}.{format_name}")


def _began(first: Recorded) -> Any:
    around = first.envelope
    return (around.occurred_at or around.recorded_at).replace(microsecond=0)


async def _room_name(reader: Reader, room: str) -> str:
    stood = await reader.stood("tables", known.room_stream(room))
    name: str = stood.state.name
    return name


async def _irregularities(reader: Reader, hand: Hand) -> tuple[dict[str, Any], ...]:
    """Return what went wrong at the table during a hand, with findings and rulings, as plain tables."""
    try:
        stood = await reader.stood("tables", notes_id(hand.room, hand.table, hand.number))
    except Unknown:
        return ()  # most hands have nothing beside them
    return tuple(_told(msgspec.to_builtins(one)) for one in stood.state.irregularities)


def _told(value: Any) -> Any:
    """Return plain values without what was not told, which neither format has a word for."""
    if isinstance(value, dict):
        kept = {key: _told(one) for key, one in value.items()}
        return {key: one for key, one in kept.items() if one not in (None, "", [], {}, 0, False)}
    if isinstance(value, list | tuple):
        return [_told(one) for one in value]
    return value
