"""What a record says around the hand itself."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What is told around a hand.

    Args:
        site: the room's name, as the world knows it.
        started_at: when the hand began, in UTC; None where not known.
        currency: of the chips.
        hero: the seat whose view it is, 0 for nobody's.
        book: digest of the book that the record says the hand was played under; empty where it says none.
        irregularities: what went wrong at the table during the hand, with findings and rulings, as plain tables.
        phh_fields: of the PHH record that was read, all but those that make the hand: an export in the same format
            writes them as they stood there; None for a hand that comes from no such record.
        ohh_fields: the same of an OHH record.
    """

    site: str = ""
    started_at: datetime | None = None
    currency: str = "USD"
    hero: int = 0
    book: str = ""
    irregularities: tuple[Mapping[str, Any], ...] = ()
    phh_fields: Mapping[str, Any] | None = None
    ohh_fields: Mapping[str, Any] | None = None
