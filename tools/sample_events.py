#!/usr/bin/env python3
"""Writes a stored sample of every event type that has none yet; samples that exist are never touched.

With `--evening DATA` it also writes the whole log of an installation (an evening of `cardroom demo --data DATA`) as
`evening-<release>.jsonl.gz`, bytes as stored.

Each sample is one JSON file `tests/contract/stored/<context>/<topic>.json` with the event's msgpack bytes as this
release writes them. `tests/contract/test_stored_events.py` decodes every one with every later release.
"""

import asyncio
import base64
import gzip
import importlib
import json
import sys
import types
import typing
from datetime import UTC, date, datetime
from enum import Enum
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from cardroom.adapters.installation import Installation
from cardroom.adapters.store.postgres import PostgresStore
from cardroom.kernel.events import Event, topic_of

STORED = Path(__file__).resolve().parent.parent / "tests" / "contract" / "stored"
CONTEXTS = (
    "house",
    "players",
    "waitlist",
    "seating",
    "tables",
    "timecollection",
    "jackpot",
    "cashier",
)
AT = datetime(2026, 3, 6, 20, 15, tzinfo=UTC)


def sample(kind: Any, depth: int = 0) -> Any:
    """Return a value of a type: each field filled, nested values once."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return sample(arguments[0], depth)
    if origin is typing.Literal:
        return arguments[0]
    if origin in (typing.Union, types.UnionType):
        chosen = [one for one in arguments if one is not type(None)]
        if depth > 4 and len(chosen) < len(arguments):
            return None
        return sample(chosen[0], depth)
    if origin in (tuple, frozenset, list, set):
        inner = [one for one in arguments if one is not Ellipsis]
        if len(inner) == len(arguments) and origin is tuple:
            return tuple(sample(one, depth + 1) for one in inner)
        return origin((sample(inner[0], depth + 1),)) if depth <= 4 else origin(())
    if origin is dict or (origin and issubclass(origin, typing.Mapping)):
        return {sample(arguments[0], depth + 1): sample(arguments[1], depth + 1)}
    return plain(kind, depth)


def plain(kind: Any, depth: int) -> Any:
    """Return a value of a class."""
    known: dict[Any, Any] = {
        str: "sample",
        int: 7,
        bool: True,
        bytes: b"\x01\x02",
        datetime: AT,
        date: AT.date(),
        Fraction: Fraction(1, 2),
    }
    if kind in known:
        return known[kind]
    if kind is Any or isinstance(kind, typing.TypeVar):
        return "sample"
    if isinstance(kind, typing.TypeAliasType if hasattr(typing, "TypeAliasType") else ()):  # type: ignore[arg-type]
        return sample(kind.__value__, depth)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        hints = typing.get_type_hints(kind, include_extras=True)
        return kind(**{name: sample(hints[name], depth + 1) for name in kind.__struct_fields__})
    raise TypeError(f"no sample for {kind!r}")


def main() -> None:
    """Write what is missing and say how many."""
    written = 0
    for context in CONTEXTS:
        types_of = importlib.import_module(f"cardroom.{context}.main").CONTEXT.decider.events
        for topic, cls in sorted(types_of.by_topic.items()):
            path = STORED / context / f"{topic}.json"
            if path.exists():
                continue
            event: Event = sample(cls)
            assert topic_of(event) == topic
            data = msgspec.msgpack.encode(event)
            types_of.decode(topic, data)
            path.parent.mkdir(parents=True, exist_ok=True)
            content = {
                "topic": topic,
                "event": msgspec.to_builtins(event, str_keys=True),
                "msgpack": base64.b64encode(data).decode(),
            }
            path.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n")
            written += 1
    print(f"{written} samples written")
    if "--evening" in sys.argv:
        asyncio.run(write_evening(Path(sys.argv[sys.argv.index("--evening") + 1])))


async def write_evening(data: Path) -> None:
    """Write every stored event of an installation, once for each release."""
    path = STORED / f"evening-{version('cardroom')}.jsonl.gz"
    if path.exists():
        sys.exit(f"{path.name} exists; it is never written again")
    lines = []
    with Installation(data) as installation:
        for context in CONTEXTS:
            store = PostgresStore(installation.database.audit, context)
            await store.open()
            try:
                for event in await store.log(0, 1_000_000):
                    state = base64.b64encode(event.state).decode()
                    lines.append(
                        json.dumps([context, event.stream, event.version, event.topic, state])
                    )
            finally:
                await store.close()
    path.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    print(f"{len(lines)} events of the evening written")


if __name__ == "__main__":
    sys.exit(main())
