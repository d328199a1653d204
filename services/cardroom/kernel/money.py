"""Whole cents, and dollars only where people read or type them."""

import re

from cardroom.kernel.refusal import Refused

_DOLLARS = re.compile(r"\$?(\d{1,12})(?:\.(\d{1,2}))?\Z")


def dollars(cents: int) -> str:
    """Write cents as people read them: `$1,234.50`, `$40`, `-$2`."""
    sign, whole, part = "-" if cents < 0 else "", abs(cents) // 100, abs(cents) % 100
    return f"{sign}${whole:,}.{part:02d}" if part else f"{sign}${whole:,}"


def cents_of(text: str, field: str = "") -> int:
    """Read an amount typed in dollars, such as `40`, `$12.5` or `0.25`.

    Raises:
        Refused: CR-4, not a plain non-negative amount of at most two decimals.
    """
    match = _DOLLARS.match(text.strip().replace(",", ""))
    if not match:
        raise Refused(
            "AMOUNT_MALFORMED",
            "CR-4",
            f"{text!r} is not an amount in dollars and cents",
            field=field,
        )
    return int(match[1]) * 100 + int((match[2] or "0").ljust(2, "0"))


def check_cents(value: int, field: str, *, least: int = 0) -> int:
    """Return an amount in cents if it is a whole number of at least `least`.

    Raises:
        Refused: CR-4, it is not.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise Refused(
            "AMOUNT_OUT_OF_RANGE",
            "CR-4",
            f"{field} is {value!r}: whole cents, at least {least}",
            field=field,
        )
    return value
