"""Between protobuf messages and the core's frozen values, where fields bear the same names on both sides."""

from datetime import datetime
from typing import Any, TypeVar

import msgspec
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from cardroom.adapters.grpc.servicer import instant_of

S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=Message)


def struct_of(cls: type[S], message: Any, **given: Any) -> S:
    """Build a frozen value from the fields of a message that bear its fields' names.

    Args:
        cls: the struct class, for example a command.
        message: the protobuf message.
        given: fields that are not taken from the message, for example nested values or others' names.

    Returns:
        The value; repeated fields as tuples, timestamps as instants, an optional field that is not set as None.

    Raises:
        Refused: CR-4, a timestamp is no instant.
    """
    by_name = message.DESCRIPTOR.fields_by_name
    values = dict(given)
    for name in cls.__struct_fields__:
        if name not in values and name in by_name:
            values[name] = _value(message, by_name[name])
    return cls(**values)


def _value(message: Any, field: Any) -> Any:
    found = getattr(message, field.name)
    if field.is_repeated:
        return tuple(found)
    if field.has_presence and not message.HasField(field.name):
        return None
    return instant_of(found, field.name) if isinstance(found, Timestamp) else found


def fill(message: M, value: msgspec.Struct, **given: Any) -> M:
    """Write the fields of a frozen value into the fields of a message that bear their names, and return it.

    Args:
        message: the protobuf message to fill.
        value: the struct; nested structs and tuples of structs fill nested messages.
        given: fields set otherwise; None leaves a field unset.
    """
    by_name = message.DESCRIPTOR.fields_by_name
    for name in by_name:
        if name in given:
            found = given[name]
        elif hasattr(value, name):
            found = getattr(value, name)
        else:
            continue
        if found is not None:
            _set(message, by_name[name], found)
    return message


def _set(message: Any, field: Any, found: Any) -> None:
    if field.is_repeated:
        target = getattr(message, field.name)
        for item in found:
            if isinstance(item, msgspec.Struct):
                fill(target.add(), item)
            else:
                target.append(item)
    elif isinstance(found, datetime):
        getattr(message, field.name).FromDatetime(found)
    elif isinstance(found, msgspec.Struct):
        fill(getattr(message, field.name), found).SetInParent()
    elif isinstance(found, Message):
        getattr(message, field.name).CopyFrom(found)
    else:
        setattr(message, field.name, found)
