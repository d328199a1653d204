"""Random requests for any RPC: seeded, valid-looking, and as far as can be within the declared constraints."""

import importlib
import pkgutil
import random
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from google.protobuf import symbol_database
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from protovalidate import Validator

import cardroom.api

REPAIRS: Final = 12
DEPTH: Final = 4
CARDS: Final = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
AMOUNTS: Final = (0, 1, 50, 100, 200, 400, 600, 1200, 20_000, 100_000, 10_000_000)
NUMBERS: Final = (0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 30, 52, 60, 255, 1440)
EXTREMES: Final = (-1, -100, 2**31 - 1, 2**53 + 1, 2**62)
WORDS: Final = (
    "",
    "x",
    "ok",
    "é",
    "a b",
    "a/b",
    "all in",
    "raise",
    "0",
    "'; --",
    "\U0001f0a1",
    "long" * 40,
)


def services() -> Iterator[ServiceDescriptor]:
    """Yield every service of the published language."""
    for module in pkgutil.walk_packages(cardroom.api.__path__, "cardroom.api."):
        if module.name.endswith("_service_pb2"):
            file = importlib.import_module(module.name).DESCRIPTOR
            yield from file.services_by_name.values()


def class_of(method: MethodDescriptor) -> type[Message]:
    """Return the class of an RPC's requests."""
    return symbol_database.Default().GetSymbol(method.input_type.full_name)


class RandomRequests:
    """Makes requests from a seed.

    Args:
        seed: the same seed makes the same requests (request ids apart).
        names: field name -> values that exist in the room, tried before others.
        now: about when `occurred_at` and other instants lie.
    """

    def __init__(self, seed: int, names: dict[str, tuple[str, ...]], now: datetime) -> None:
        self._chance = random.Random(seed)
        self._names = names
        self._now = now
        self._validator = Validator()

    def request(self, method: MethodDescriptor) -> Message:
        """Return a request; where it can be had in some tries, one that keeps the declared constraints."""
        request = class_of(method)()
        self._fill(request, DEPTH)
        for _ in range(REPAIRS):
            broken = {
                violation.proto.field.elements[0].field_name
                for violation in self._validator.collect_violations(request)
                if violation.proto.field.elements
            }
            if not broken:
                break
            for name in broken:
                request.ClearField(name)
                self._set(request, request.DESCRIPTOR.fields_by_name[name], DEPTH, sane=True)
        return request

    def _fill(self, message: Message, depth: int, *, sane: bool = False) -> None:
        groups = message.DESCRIPTOR.oneofs
        chosen = {self._chance.choice(group.fields).name for group in groups}
        for field in message.DESCRIPTOR.fields:
            alternative = field.containing_oneof
            if alternative is not None and field.name not in chosen:
                continue
            real = alternative is not None and len(alternative.fields) > 1
            if real or self._chance.random() < 0.85 or field.name in {"room", "group"}:
                self._set(message, field, depth, sane=sane)

    def _set(self, message: Any, field: FieldDescriptor, depth: int, *, sane: bool = False) -> None:
        count = self._chance.choice((0, 1, 1, 2, 3, 5)) if field.is_repeated else 1
        for _ in range(count):
            if field.message_type is not None:
                self._set_message(message, field, depth, sane=sane)
                continue
            value = self._scalar(field, sane=sane)
            if field.is_repeated:
                getattr(message, field.name).append(value)
            else:
                setattr(message, field.name, value)

    def _set_message(self, message: Any, field: FieldDescriptor, depth: int, *, sane: bool) -> None:
        kind: Any = field.message_type
        if kind.GetOptions().map_entry:
            key, value = kind.fields_by_name["key"], kind.fields_by_name["value"]
            if value.message_type is None:
                getattr(message, field.name)[self._scalar(key, sane=sane)] = self._scalar(
                    value, sane=sane
                )
            return
        if depth == 0:
            return
        held = getattr(message, field.name)
        held = held.add() if field.is_repeated else held
        if kind.full_name == "google.protobuf.Timestamp":
            held.FromDatetime(
                self._now + timedelta(minutes=self._chance.choice((-100, -3, 0, 1, 600)))
            )
            if not sane and self._chance.random() < 0.1:
                held.seconds = self._chance.choice((-62_135_596_800, 253_402_300_799, 0, 2**62))
        elif not kind.full_name.startswith("google."):
            held.SetInParent()
            self._fill(held, depth - 1, sane=sane)

    def _scalar(self, field: FieldDescriptor, *, sane: bool) -> Any:
        chance = self._chance
        match field.cpp_type:
            case FieldDescriptor.CPPTYPE_BOOL:
                return chance.random() < 0.5
            case FieldDescriptor.CPPTYPE_ENUM:
                numbers = [value.number for value in field.enum_type.values]
                return chance.choice(numbers if chance.random() < 0.95 or sane else [99])
            case FieldDescriptor.CPPTYPE_STRING if field.type == FieldDescriptor.TYPE_BYTES:
                return chance.choice((b"", b"\x00\xff", b'title = "x"\n', chance.randbytes(32)))
            case FieldDescriptor.CPPTYPE_STRING:
                return self._text(field.name, sane=sane)
            case FieldDescriptor.CPPTYPE_DOUBLE | FieldDescriptor.CPPTYPE_FLOAT:
                return chance.choice((0.0, -1.5, 1e300, float("nan")))
        unsigned = field.cpp_type in {
            FieldDescriptor.CPPTYPE_UINT32,
            FieldDescriptor.CPPTYPE_UINT64,
        }
        wide = field.cpp_type in {FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64}
        pool = AMOUNTS if field.name.endswith("_cents") else NUMBERS
        if not sane and chance.random() < 0.08:
            pool = EXTREMES
        elif "seat" in field.name:
            pool = NUMBERS[:8]
        value = chance.choice(pool)
        value = abs(value) if unsigned else value
        return value if wide else max(-(2**31), min(value, 2**31 - 1))

    def _text(self, name: str, *, sane: bool) -> str:
        chance = self._chance
        if name == "request_id":
            return uuid.UUID(int=chance.getrandbits(128)).hex
        known = self._names.get(name, ())
        if not known:
            for ending, values in self._names.items():
                if name.endswith(ending):
                    known = values
                    break
        if known and chance.random() < 0.85:
            return chance.choice(known)
        if "card" in name or name in {"board", "burns", "burn"}:
            return chance.choice(CARDS)
        if "day" in name and chance.random() < 0.9:
            return chance.choice(("2026-03-06", "2026-03-07", "2026-02-30", "9999-12-31"))
        if sane:
            return chance.choice(("x", "a-1", "t1", "2026-03-07", "12"))
        return chance.choice(WORDS)
