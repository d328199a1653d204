"""The facts of the house as other contexts store them."""

from typing import Final, TypeAlias

from cardroom.kernel.events import Event
from cardroom.known.games import Game, Room, Variation


class RoomNoted(Event, frozen=True, tag="known.RoomNoted.v1"):
    """A room is known, or known otherwise than before.

    Args:
        room: the whole of it.
    """

    room: Room


class GameNoted(Event, frozen=True, tag="known.GameNoted.v1"):
    """A game that a room offers is known, or known otherwise than before.

    Args:
        room: the room's id.
        game: the whole of it, with the digest of the book in force.
    """

    room: str
    game: Game


class BookNoted(Event, frozen=True, tag="known.BookNoted.v1"):
    """The content behind a book's digest is known; it never changes.

    Args:
        digest: SHA-256 of the content, in hex.
        content: the resolved book's canonical content.
    """

    digest: str
    content: bytes


class VariationNoted(Event, frozen=True, tag="known.VariationNoted.v1"):
    """By which books a table plays where something is posted there is known, or known otherwise than before.

    Args:
        room: the room's id.
        variation: the whole of it.
    """

    room: str
    variation: Variation


HouseFact: TypeAlias = RoomNoted | GameNoted | BookNoted | VariationNoted

EVENT_TYPES: Final[tuple[type[Event], ...]] = (RoomNoted, GameNoted, BookNoted, VariationNoted)
"""What a context adds to the events it stores."""
