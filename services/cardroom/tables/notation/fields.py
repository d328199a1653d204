"""Reading fields of a record that comes from anywhere: each is there and of its kind, or is refused by name."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, TypeVar

import msgspec

from cardroom.kernel.refusal import Refused

MOST_CENTS: Final = 10**15
"""More chips than any table holds; an amount beyond it is no amount."""

Kind = TypeVar("Kind")


def malformed(field: str, value: Any, asked: str) -> Refused:
    """Return the refusal of a field.

    Args:
        field: its name.
        value: what stands there; None where nothing does.
        asked: what should.
    """
    what = "is missing" if value is None else f"is {_short(value)}"
    code = "FIELD_MISSING" if value is None else "FIELD_MALFORMED"
    return Refused(code, "CR-4", f"{field} {what}: {asked}", (asked,), field=field)


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else shown[:77] + "..."


def cents(value: Any, field: str) -> int:
    """Return an amount of a record, in dollars there, in cents.

    Raises:
        Refused: CR-4, it is no amount, or is finer than a cent.
    """
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise _no_amount(value, field)
    amount = Decimal(value)
    if not amount.is_finite() or not 0 <= amount <= MOST_CENTS // 100:
        raise _no_amount(value, field)
    scaled = amount * 100
    if scaled != scaled.to_integral_value():
        raise _no_amount(value, field)
    return int(scaled)


def _no_amount(value: Any, field: str) -> Refused:
    asked = "an amount in dollars, in whole cents, not negative"
    return Refused(
        "AMOUNT_MALFORMED", "CR-4", f"{field}: {_short(value)} is no amount", (asked,), field
    )


def listed(fields: Mapping[str, Any], name: str, field: str = "") -> list[Any]:
    """Return a list that must be there.

    Raises:
        Refused: CR-4, it is not.
    """
    value = fields.get(name)
    if not isinstance(value, list):
        raise malformed(field or name, value, "a list")
    return value


def tables(fields: Mapping[str, Any], name: str, field: str = "") -> list[Mapping[str, Any]]:
    """Return a list of tables that must be there.

    Raises:
        Refused: CR-4, it is not, or something else stands in it.
    """
    found = listed(fields, name, field)
    for at, value in enumerate(found):
        if not isinstance(value, dict):
            raise malformed(f"{field or name}[{at}]", value, "a table of fields")
    return found


def text(fields: Mapping[str, Any], name: str, default: str | None = None, field: str = "") -> str:
    """Return a text.

    Args:
        fields: where it stands.
        name: its name there.
        default: what holds where it is absent; None where it must be there.
        field: its full name, for a refusal.

    Raises:
        Refused: CR-4, it is none, or holds what no text of ours can.
    """
    value = fields.get(name, default)
    if not isinstance(value, str):
        raise malformed(field or name, value, "a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise malformed(field or name, ascii(value), "a text in Unicode") from None
    return value


def whole(fields: Mapping[str, Any], name: str, default: int | None = None, field: str = "") -> int:
    """Return a whole number, from 0 to a billion.

    Raises:
        Refused: CR-4, it is none.
    """
    value = fields.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 10**9:
        raise malformed(field or name, value, "a whole number, 0 or more")
    return value


def convert(value: Any, kind: type[Kind], field: str) -> Kind:
    """Return a value of a user field as what it stands for.

    Raises:
        Refused: CR-4, it is none.
    """
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, ValueError, OverflowError) as problem:
        raise malformed(field, value, f"{kind.__name__}, and {problem}") from problem
