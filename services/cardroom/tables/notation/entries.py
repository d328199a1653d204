"""Entries that a format has no action for, and what it leaves unsaid of an action: both as plain tables.

An entry `{after_actions = 5, enter = "TakeRake", rake_cents = 300}` was made after the first five actions of the
record. An amendment `{action = 6, source = "floor"}` says of the sixth action what the format cannot; with `enter` it
was another command than the action reads as.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from cardroom.tables import hand_commands as do
from cardroom.tables.notation.fields import malformed, whole

BARRED: Final = frozenset({do.CorrectEntry, do.RewindHand})
"""Commands that change what was entered before; a record holds what counted in the end."""
COMMANDS: Final[dict[str, type[do.HandCommand]]] = {
    str(command.__struct_config__.tag): command
    for command in do.HAND_COMMANDS
    if command not in BARRED
}
"""What may be entered, by name."""
AFTER: Final = "after_actions"
"""How many actions of the record an entry follows."""
PLACES: Final = frozenset({"action", "actions"})
"""What an amendment says of its place."""
_IDS: Final = ("type", "room", "table", "hand", "after")


def said(command: do.HandCommand) -> dict[str, Any]:
    """Return what a command says, without ids and without what holds anyway."""
    plain: dict[str, Any] = msgspec.to_builtins(command)
    defaults = dict(
        zip(
            command.__struct_fields__[-len(command.__struct_defaults__) :]
            if command.__struct_defaults__
            else (),
            command.__struct_defaults__,
            strict=True,
        )
    )
    return {
        name: value
        for name, value in plain.items()
        if name not in _IDS
        and (name not in defaults or getattr(command, name) != defaults[name])
        and value is not None
    }


def name_of(command: do.HandCommand) -> str:
    """Return the name a command is entered by."""
    return str(type(command).__struct_config__.tag)


def entry_of(command: do.HandCommand, at: int) -> dict[str, Any]:
    """Return the entry of a command that follows so many actions."""
    return {AFTER: at, "enter": name_of(command), **said(command)}


def command_from(entry: Mapping[str, Any], ids: Mapping[str, Any], field: str) -> do.HandCommand:
    """Return the command of an entry.

    Raises:
        Refused: CR-4, it is none.
    """
    plain = {name: value for name, value in entry.items() if name not in {AFTER, "enter"}}
    return _made(entry.get("enter"), plain, ids, field)


def _made(
    name: Any, plain: Mapping[str, Any], ids: Mapping[str, Any], field: str
) -> do.HandCommand:
    kind = COMMANDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise malformed(f"{field}.enter", name, f"one of {', '.join(sorted(COMMANDS))}")
    strange = [key for key in plain if key not in kind.__struct_fields__ or key in _IDS]
    if strange:
        raise malformed(f"{field}.{strange[0]}", plain[strange[0]], f"no such part of {name}")
    try:
        return msgspec.convert({**plain, **ids, "type": name}, kind)
    except (msgspec.ValidationError, ValueError, OverflowError) as problem:
        raise malformed(field, dict(plain), f"{name}, and {problem}") from problem


def amendment_of(
    read: Sequence[do.HandCommand], made: Sequence[do.HandCommand], action: int, count: int
) -> dict[str, Any]:
    """Return what has to be said of an action for its reading to become the commands that were made.

    Args:
        read: the reading.
        made: what was entered, of the same number.
        action: number of the action, from 1.
        count: how many actions it is together with those that follow.
    """
    found: dict[str, Any] = {"action": action, **({"actions": count} if count > 1 else {})}
    for one, other in zip(read, made, strict=True):
        before, after = msgspec.to_builtins(one), msgspec.to_builtins(other)
        if type(one) is not type(other):
            found["enter"] = name_of(other)
            before = {key: before.get(key, _default(type(other), key)) for key in after}
        found.update(
            {
                name: value
                for name, value in after.items()
                if name not in _IDS and before[name] != value and value is not None
            }
        )
    return found


def _default(kind: type[do.HandCommand], name: str) -> Any:
    for field in msgspec.structs.fields(kind):
        if field.name == name and field.default is not msgspec.NODEFAULT:
            return msgspec.to_builtins(field.default)
    return None


def amended(
    read: Sequence[do.HandCommand],
    amendment: Mapping[str, Any],
    ids: Mapping[str, Any],
    field: str,
) -> tuple[do.HandCommand, ...]:
    """Return the commands that an amendment makes of a reading.

    Raises:
        Refused: CR-4, it fits none of them, or would change whose action it is.
    """
    plain = {name: value for name, value in amendment.items() if name not in {*PLACES, "enter"}}
    if plain.keys() & {"seat", "hands", *_IDS}:
        raise malformed(
            field, dict(amendment), "whose action it is, and its cards, the action itself says"
        )
    if "enter" in amendment:
        if len(read) != 1:
            raise malformed(field, dict(amendment), "an action that reads as one command")
        kind = COMMANDS.get(str(amendment["enter"]))
        fields = kind.__struct_fields__ if kind is not None else ()
        kept = {key: value for key, value in msgspec.to_builtins(read[0]).items() if key in fields}
        kept = {key: value for key, value in kept.items() if key not in _IDS}
        return (_made(amendment["enter"], {**kept, **plain}, ids, field),)
    result = []
    used: set[str] = set()
    for command in read:
        changes = {name: plain[name] for name in plain if name in command.__struct_fields__}
        used.update(changes)
        kept = {k: v for k, v in msgspec.to_builtins(command).items() if k not in _IDS}
        result.append(_made(name_of(command), {**kept, **changes}, ids, field))
    for name in plain.keys() - used:
        raise malformed(f"{field}.{name}", plain[name], "a part of what the action reads as")
    return tuple(result)


class Extras:
    """Entries and amendments of a record under way."""

    def __init__(
        self,
        entries: Sequence[Mapping[str, Any]],
        amendments: Sequence[Mapping[str, Any]],
        names: tuple[str, str],
        actions: int,
    ) -> None:
        """Take them as the record has them.

        Args:
            entries: in order.
            amendments: by rising number of the action.
            names: of the two fields, for refusals.
            actions: how many actions the record has.

        Raises:
            Refused: CR-4, a place is none of the record's, or out of order.
        """
        self.names = names
        self.entries = list(enumerate(entries))
        self.amendments: dict[int, tuple[int, Mapping[str, Any]]] = {}
        self.told_later: set[int] = set()
        before = 0
        for at, entry in self.entries:
            place = whole(entry, AFTER, field=f"{names[0]}[{at}].{AFTER}")
            if not before <= place <= actions:
                raise malformed(
                    f"{names[0]}[{at}].{AFTER}", place, f"in order, and at most {actions} actions"
                )
            before = place
            if entry.get("enter") == "NoteHoleCards":
                self.told_later |= _without_cards(entry.get("hands"))
        for at, amendment in enumerate(amendments):
            action = whole(amendment, "action", field=f"{names[1]}[{at}].action")
            if not 1 <= action <= actions or action - 1 in self.amendments:
                raise malformed(f"{names[1]}[{at}].action", action, f"1 to {actions}, each once")
            whole(amendment, "actions", 1, f"{names[1]}[{at}].actions")
            self.amendments[action - 1] = (at, amendment)

    def due(self, at: int) -> list[tuple[int, Mapping[str, Any]]]:
        """Take out the entries that come before an action, by its index."""
        found = []
        while self.entries and self.entries[0][1][AFTER] <= at:
            found.append(self.entries.pop(0))
        return found

    def stop_after(self, at: int, count: int) -> int:
        """Return the index up to which actions may be read together with the one at an index."""
        if at in self.amendments:
            together = whole(self.amendments[at][1], "actions", 1)
            return min(count, at + max(1, together))
        stops: list[int] = [entry[AFTER] for _, entry in self.entries if entry[AFTER] > at]
        stops += [action for action in self.amendments if action > at]
        return min([count, *stops])


def _without_cards(hands: Any) -> set[int]:
    """Return the seats that an entry tells the cards of by the deal they stand in."""
    pairs = hands if isinstance(hands, list) else []
    return {
        pair[0]
        for pair in pairs
        if isinstance(pair, list) and len(pair) == 2 and not pair[1] and isinstance(pair[0], int)
    }
