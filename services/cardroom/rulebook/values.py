"""Reading one value of a decision: from what a file or a request gives to the plain form, or what is wrong with it."""

import json
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from cardroom.rulebook.model import COUNT_MOST, Decision, Kind

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+\Z")
_FRACTION: Final = re.compile(r"\d{1,9}/\d{1,9}\Z", re.ASCII)


class NotAllowed(ValueError):  # noqa: N818 - names what is so
    """A value that a decision may not have.

    Args:
        reason: what is wrong with it, in words.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def plain(decision: Decision, value: Any) -> Any:
    """Return a value in plain form if the decision may have it.

    Args:
        decision: the decision.
        value: what was given: TOML or JSON kinds, decimals exact (`Decimal`), a ratio also as `Fraction` or text.

    Raises:
        NotAllowed: the value is of the wrong type, out of range or names what the decision does not know.
    """
    match decision.type:
        case Kind.BOOL:
            if not isinstance(value, bool):
                raise NotAllowed(f"{_type_of(value)} is not true or false")
            return value
        case Kind.RATIO:
            return _ratio(value)
        case Kind.CHOICE:
            if not isinstance(value, str) or value not in decision.values:
                raise NotAllowed("it is none of the values that this decision knows")
            return value
        case Kind.SET | Kind.ORDER:
            return _listed(decision, value)
        case Kind.TABLE:
            return _table(decision, value)
        case _:
            return _whole(decision.type, value)


def _type_of(value: Any) -> str:
    names = {bool: "a yes or no", int: "a whole number", Decimal: "a decimal", str: "text"}
    names |= {list: "a list", tuple: "a list", dict: "a table"}
    return names.get(type(value), f"a {type(value).__name__}")


def _whole(kind: Kind, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotAllowed(f"{_type_of(value)} is not a whole number")
    if value < 0:
        raise NotAllowed("it is below 0")
    if value > COUNT_MOST:
        raise NotAllowed(f"it is over {COUNT_MOST:,}, the most that {kind} may be")
    return value


def _ratio(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | Decimal | Fraction | str):
        raise NotAllowed(f"{_type_of(value)} is not a decimal")
    if isinstance(value, str) and not _FRACTION.match(value):
        raise NotAllowed("text is not a decimal")
    try:
        exact = Fraction(value)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise NotAllowed("it is not a decimal") from None
    if not 0 <= exact <= 1:
        raise NotAllowed("it is not from 0 to 1")
    if exact.denominator > COUNT_MOST:
        raise NotAllowed("it has too many decimals")
    return f"{exact.numerator}/{exact.denominator}"


def _listed(decision: Decision, value: Any) -> list[str]:
    if not isinstance(value, list | tuple | frozenset | set):
        raise NotAllowed(f"{_type_of(value)} is not a list")
    given = list(value)
    strange = [member for member in given if member not in decision.values]
    if strange:
        raise NotAllowed(f"{strange[0]!r} is none of the members that this decision knows")
    twice = [member for at, member in enumerate(given) if member in given[:at]]
    if twice:
        raise NotAllowed(f"{twice[0]!r} stands in it twice")
    return sorted(given) if decision.type is Kind.SET else given


def _table(decision: Decision, value: Any) -> dict[str, int | str]:
    if not isinstance(value, dict):
        raise NotAllowed(f"{_type_of(value)} is not a table")
    if not value and decision.may_be_empty:
        return {}
    missing = [name for name in decision.fields if name not in value]
    if missing:
        raise NotAllowed(f"it lacks {', '.join(missing)}")
    if not value:
        raise NotAllowed("it is empty")
    out: dict[str, int | str] = {}
    for name, part in value.items():
        kind = decision.field_type(name)
        if kind is None:
            raise NotAllowed(f"it has no field {name!r}")
        try:
            out[name] = _ratio(part) if kind is Kind.RATIO else _whole(kind, part)
        except NotAllowed as error:
            raise NotAllowed(f"{name} = {part}: {error.reason}") from None
    total = sum((Fraction(out[name]) for name in decision.shares), Fraction())
    if decision.shares and total != 1:
        raise NotAllowed(f"{', '.join(decision.shares)} add up to {_decimal(total)}, not to 1")
    return out


def _decimal(exact: Fraction) -> str:
    """Write a part of 1 as a decimal where it has a short one, else as a fraction."""
    short = 10**6 % exact.denominator == 0
    return f"{Decimal(exact.numerator) / Decimal(exact.denominator)}" if short else str(exact)


def written(decision: Decision, value: Any) -> str:
    """Return a value in plain form as a book file would write it.

    Args:
        decision: the decision.
        value: its value in plain form.
    """
    match decision.type:
        case Kind.RATIO:
            return _written_ratio(value)
        case Kind.TABLE:
            parts = (
                f"{name if _BARE.match(name) else json.dumps(name)} = "
                f"{_written_ratio(part) if decision.field_type(name) is Kind.RATIO else part}"
                for name, part in value.items()
            )
            return f"{{ {', '.join(parts)} }}" if value else "{}"
        case _:
            return json.dumps(value)


def _written_ratio(value: str) -> str:
    text = _decimal(Fraction(value))
    return json.dumps(text) if "/" in text else text
