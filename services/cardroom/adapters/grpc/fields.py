"""The request's own name for the field a refusal is about: a core says `player` where a request says `player_id`."""

from functools import lru_cache
from typing import Final

from google.protobuf.descriptor import Descriptor

ENDINGS: Final = ("_id", "_version", "_number", "_seat", "_cents", "s")
"""How requests lengthen the core's word, in the order in which they are tried."""
DEPTH: Final = 3


@lru_cache(maxsize=4096)
def field_of(message: Descriptor, name: str) -> str:
    """Return the field of a request that a core means.

    Args:
        message: the request's type.
        name: the field as the core names it, or a path that begins with a field of the request.

    Returns:
        The name itself where the request has it, else the request's longer word for it, else the path to it inside a
        nested message; empty where the request has nothing of the kind, then the caller did not get it wrong.
    """
    fields = message.fields_by_name
    if name.partition(".")[0].partition(":")[0].partition("[")[0] in fields:
        return name
    for ending in ENDINGS:
        if name + ending in fields:
            return name + ending
    inside = _inside(message, name, DEPTH)
    if inside:
        return inside
    akin = [one for one in fields if name in one.split("_") or f"{name}s" in one.split("_")]
    return akin[0] if akin else ""


def _inside(message: Descriptor, name: str, depth: int) -> str:
    for field in message.fields:
        nested = field.message_type
        if nested is None or depth == 0 or nested.full_name.startswith("google."):
            continue
        for word in (name, *(name + ending for ending in ENDINGS)):
            if word in nested.fields_by_name:
                return f"{field.name}.{word}"
        deeper = _inside(nested, name, depth - 1)
        if deeper:
            return f"{field.name}.{deeper}"
    return ""
