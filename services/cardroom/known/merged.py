"""Records that were merged: who names one of them means the person, whose surviving record counts."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec

from cardroom.kernel.decisions import Command

T = TypeVar("T")
PERSONS: Final = frozenset({"player_id", "player_ids", "seller", "banker", "winner"})
"""Fields that name people, in commands and in what they hold."""


def record_now(merged: Mapping[str, str], record: str) -> str:
    """Return the record that counts.

    Args:
        merged: record that is no longer used -> the surviving one.
        record: a player id.
    """
    return merged.get(record, record)


def with_merge(merged: Mapping[str, str], from_id: str, into_id: str) -> dict[str, str]:
    """Return the merged records with one more, in whichever order merges of one person are heard.

    Args:
        merged: record that is no longer used -> the surviving one.
        from_id: the record that is no longer used.
        into_id: the record it was merged into.
    """
    into = record_now(merged, into_id)
    older = {old: into if now == from_id else now for old, now in merged.items()}
    return older if into == from_id else {**older, from_id: into}


def under_now(value: T, merged: Mapping[str, str]) -> T:
    """Return a value with the records that count wherever it names people, at any depth.

    Args:
        value: a struct, a tuple of them, or anything else, which is returned as it is.
        merged: record that is no longer used -> the surviving one.
    """
    return _under(value, merged) if merged else value


def _under(value: Any, merged: Mapping[str, str]) -> Any:
    if isinstance(value, tuple):
        return tuple(_under(one, merged) for one in value)
    if not isinstance(value, msgspec.Struct):
        return value
    changed = {
        name: _named(now, merged) if name in PERSONS else _under(now, merged)
        for name in value.__struct_fields__
        if (now := getattr(value, name)) is not None
    }
    same = all(getattr(value, name) == now for name, now in changed.items())
    return value if same else msgspec.structs.replace(value, **changed)


def _named(value: Any, merged: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return record_now(merged, value)
    return tuple(dict.fromkeys(record_now(merged, one) for one in value))


class MergeRecords(Command, frozen=True, tag="MergeRecords"):
    """A record was merged into another of the same person."""

    room: str
    from_id: str
    into_id: str
