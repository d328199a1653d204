"""What a table posts otherwise than its room and game: checked, worked out for every game, worked out again."""

from datetime import datetime
from typing import Final, assert_never

import msgspec

from cardroom.house import commands as c
from cardroom.house.books import Books, books_stream, new_contents, read_overlay, work_out
from cardroom.house.events import (
    VariationLifted,
    VariationListed,
    VariationPosted,
    VariationResolved,
)
from cardroom.house.game import GameState, game_stream
from cardroom.house.room import RoomState, room_stream
from cardroom.kernel.decisions import Decision, Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Stale, Unknown
from cardroom.kernel.streams import Aggregate, StreamId, Streams, stream_id
from cardroom.known.games import Game
from cardroom.rulebook.model import Book, Overlay, ResolvedBook

NOTHING_POSTED: Final = Overlay(scope="table")


class Variation(msgspec.Struct, frozen=True):
    """What a table posts.

    Args:
        overlay: what it sets otherwise than room and game; without values where nothing is posted.
        books: game -> digest of the book in force for it at this table.
        reason: why it was posted.
    """

    overlay: Overlay = NOTHING_POSTED
    books: dict[str, str] = {}
    reason: str = ""

    @property
    def posted(self) -> bool:
        """Whether anything is posted now."""
        return bool(self.overlay.values)


def variation_stream(room: str, table: str) -> StreamId:
    """Return the stream of what a table posts."""
    return stream_id("variation", room, table)


def evolve(
    state: Variation, event: VariationPosted | VariationResolved | VariationLifted
) -> Variation:
    """Fold what happens to a table's variation."""
    match event:
        case VariationPosted():
            return Variation(event.overlay, event.books, event.reason)
        case VariationResolved():
            return msgspec.structs.replace(state, books=event.books)
        case VariationLifted():
            return Variation()
        case _:
            assert_never(event)


VARIATION: Final = Aggregate(kind="variation", initial=Variation(), evolve=evolve)


def streams_of(streams: Streams, room: str) -> frozenset[StreamId]:
    """Return the streams of what the room's tables post, as far as what is loaded tells."""
    state: RoomState | None = streams.get(room_stream(room))
    return (
        frozenset(variation_stream(room, table) for table in state.varied) if state else frozenset()
    )


def post(command: c.PostVariation, streams: Streams, occasion: Occasion) -> Decision:
    """Post what a table sets otherwise.

    Raises:
        Refused: CR-4, a decision is unknown, one for the whole room, or may not have the value; nothing is set; CR-7,
            just that is posted; CR-1, another version than the caller saw.
    """
    books: Books = streams[books_stream(command.room)]
    current = books.current()
    if current is None:
        raise Unknown("book", command.room, "room")
    stream = variation_stream(command.room, command.table)
    state: Variation = streams[stream]
    version = streams.version(stream)
    if command.expected_version and command.expected_version != version:
        raise Stale(
            f"table {command.table!r} is at version {version}, not {command.expected_version}",
            "expected_version",
        )
    if not command.overlay:
        raise Refused(
            "NOTHING_SET",
            "CR-4",
            "overlay sets nothing",
            options=("lift what is posted",),
            field="overlay",
        )
    overlay = read_overlay(current.book, command.overlay, "table")
    if overlay == state.overlay:
        raise Refused("NOTHING_CHANGED", "CR-7", f"that is posted at table {command.table!r}")
    at = max(occasion.at, books.reviewed_at)
    resolved = {
        game_id: work_out(current.book, held.game, held.overlay, at, overlay)
        for game_id, held in _games(streams, command.room)
    }
    room: RoomState = streams[room_stream(command.room)]
    listed = () if command.table in room.varied else (VariationListed(table=command.table),)
    posted = VariationPosted(
        table=command.table,
        overlay=overlay,
        books={game_id: book.digest for game_id, book in resolved.items()},
        reason=command.reason,
    )
    contents = new_contents(books, resolved.values())
    return (
        *((books_stream(command.room), content) for content in contents),
        *((room_stream(command.room), event) for event in listed),
        (stream, posted),
    )


def _games(streams: Streams, room: str) -> list[tuple[str, GameState]]:
    state: RoomState = streams[room_stream(room)]
    return [(game_id, streams[game_stream(room, game_id)]) for game_id in state.games]


def lift(command: c.LiftVariation, streams: Streams) -> Decision:
    """Let a table play by its game's book again.

    Raises:
        Refused: CR-6, nothing is posted there.
    """
    stream = variation_stream(command.room, command.table)
    if not streams[stream].posted:
        raise Refused(
            "NOTHING_POSTED", "CR-6", f"nothing is posted at table {command.table!r}", field="table"
        )
    return ((stream, VariationLifted(table=command.table, reason=command.reason)),)


def check(book: Book, streams: Streams, room: str) -> None:
    """Refuse a book under which what a table posts could not stand (CR-4)."""
    for _, _, state in _posted(streams, room):
        read_overlay(book, state.overlay.values, "table")


def _posted(streams: Streams, room: str) -> list[tuple[StreamId, str, Variation]]:
    found: RoomState = streams[room_stream(room)]
    stems = [(variation_stream(room, table), table) for table in found.varied]
    return [(stem, table, streams[stem]) for stem, table in stems if streams[stem].posted]


def worked_out_again(
    book: Book, games: list[tuple[Game, Overlay]], streams: Streams, room: str, at: datetime
) -> tuple[list[ResolvedBook], list[tuple[StreamId, Event]]]:
    """Return the books of tables that post something, for games under another book or on other terms, and what changes.

    Args:
        book: the room's book.
        games: games with what each sets otherwise.
        streams: the loaded states.
        room: the room.
        at: the instant at which they are to hold.
    """
    contents: list[ResolvedBook] = []
    changed: list[tuple[StreamId, Event]] = []
    for stem, table, state in _posted(streams, room):
        resolved = {
            game.game_id: work_out(book, game, overlay, at, state.overlay)
            for game, overlay in games
        }
        digests = state.books | {game_id: one.digest for game_id, one in resolved.items()}
        if digests != state.books:
            contents += resolved.values()
            changed.append((stem, VariationResolved(table=table, books=digests)))
    return contents, changed
