"""Rooms and games between our values and the published language."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar

from cardroom.api.house.v1 import house_types_pb2 as pb
from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Game, Room, Structure

_E = TypeVar("_E", bound=StrEnum)

_FORMS: Final[dict[int, Form]] = {pb.Form.Value(f"FORM_{one.name}"): one for one in Form}
_STRUCTURES: Final[dict[int, Structure]] = {
    pb.Structure.Value(f"STRUCTURE_{one.name}"): one for one in Structure
}
_PLAIN: Final = (
    "game_id",
    "name",
    "small_bet_cents",
    "big_bet_cents",
    "ante_cents",
    "bring_in_cents",
    "seats",
    "chip_cents",
    "button_collection_cents",
    "time_collection_cents",
    "rake_cents",
    "jackpot_drop_cents",
    "book_digest",
    "offered",
)
"""Fields of a game that are the same on both sides."""


def room_message(room: Room) -> pb.Room:
    """Return a room as it is published."""
    return pb.Room(
        room=room.room,
        name=room.name,
        group=room.group,
        time_zone=room.time_zone,
        cut_over_minutes=room.cut_over_minutes,
        book_digest=room.book_digest,
    )


def room_from(message: pb.Room) -> Room:
    """Return a published room as our value."""
    return Room(
        room=message.room,
        name=message.name,
        group=message.group,
        time_zone=message.time_zone,
        cut_over_minutes=message.cut_over_minutes,
        book_digest=message.book_digest,
    )


def game_message(game: Game) -> pb.Game:
    """Return a game as it is published."""
    return pb.Game(
        form=f"FORM_{game.form.name}",
        structure=f"STRUCTURE_{game.structure.name}",
        blinds_cents=game.blinds_cents,
        **{name: getattr(game, name) for name in _PLAIN},
    )


def game_from(message: pb.Game) -> Game:
    """Return a game as our value.

    Raises:
        Refused: CR-4, its form or structure is none that this release knows.
    """
    return Game(
        form=_known(_FORMS, message.form, "game.form"),
        structure=_known(_STRUCTURES, message.structure, "game.structure"),
        blinds_cents=tuple(message.blinds_cents),
        **{name: getattr(message, name) for name in _PLAIN},
    )


def _known(members: Mapping[int, _E], number: int, field: str) -> _E:
    if number not in members:
        raise Refused(
            "VALUE_UNKNOWN",
            "CR-4",
            f"{field} is {number}: one of {', '.join(one.value for one in members.values())}",
            field=field,
        )
    return members[number]
