"""Whole cents, and dollars only where people read them."""

from cardroom.kernel.refusal import Refused


def dollars(cents: int) -> str:
    """Write cents as people read them: `$1,234.50`, `$40`, `-$2`."""
    sign, whole, part = "-" if cents < 0 else "", abs(cents) // 100, abs(cents) % 100
    return f"{sign}${whole:,}.{part:02d}" if part else f"{sign}${whole:,}"


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
