"""Folding, noting and looking up the facts of the house. Pure; every context's core uses it."""

import hashlib
from datetime import datetime
from typing import Final

import msgspec

from cardroom.kernel.clock import gaming_day_of
from cardroom.kernel.decisions import Command, Decision
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import Aggregate, StreamId, Streams, kind_of, stream_id
from cardroom.known.events import BookNoted, GameNoted, HouseFact, RoomNoted, VariationNoted
from cardroom.known.games import Game, Room, Variation
from cardroom.rulebook.model import ResolvedBook


class NoteHouse(Command, frozen=True, tag="NoteHouse"):
    """Store facts that the house published; what is known already is not recorded again.

    Args:
        room: the room whose facts they are.
        facts: in the order in which the house recorded them.
    """

    room: str
    facts: tuple[HouseFact, ...]


def room_stream(room: str) -> StreamId:
    """Return the stream that holds a room: `room/<room>`."""
    return stream_id("room", room)


def game_stream(room: str, game_id: str) -> StreamId:
    """Return the stream that holds a game: `game/<room>/<game_id>`."""
    return stream_id("game", room, game_id)


def variation_stream(room: str, table: str) -> StreamId:
    """Return the stream that holds what is posted at a table: `variation/<room>/<table>`."""
    return stream_id("variation", room, table)


def book_stream(digest: str) -> StreamId:
    """Return the stream that holds a resolved book: `book/<digest>`; equal content is one book in every room."""
    return stream_id("book", digest)


def _evolve_room(_state: Room | None, event: RoomNoted) -> Room:
    return event.room


def _evolve_game(_state: Game | None, event: GameNoted) -> Game:
    return event.game


def _evolve_variation(_state: Variation, event: VariationNoted) -> Variation:
    return event.variation


def _evolve_book(_state: ResolvedBook | None, event: BookNoted) -> ResolvedBook:
    return ResolvedBook.from_content(event.content)


ROOM: Final = Aggregate(kind="room", initial=None, evolve=_evolve_room)
GAME: Final = Aggregate(kind="game", initial=None, evolve=_evolve_game)
BOOK: Final = Aggregate(kind="book", initial=None, evolve=_evolve_book)
VARIATION: Final = Aggregate(kind="variation", initial=Variation(), evolve=_evolve_variation)
AGGREGATES: Final = {aggregate.kind: aggregate for aggregate in (ROOM, GAME, BOOK, VARIATION)}
"""What a context adds to its aggregates, by kind."""


def key(command: NoteHouse) -> str:
    """Return the ordering key of noting facts: the room."""
    return command.room


def reads(command: NoteHouse, streams: Streams) -> frozenset[StreamId]:
    """Return the streams that noting these facts reads."""
    del streams  # the facts name them all
    return frozenset(_stream_of(fact) for fact in command.facts)


def decide(command: NoteHouse, streams: Streams) -> Decision:
    """Record those facts that are not known yet.

    Raises:
        Refused: CR-4, a fact is of another room, or a book's content does not have the digest it is filed under.
    """
    noted: list[tuple[StreamId, HouseFact]] = []
    states = {stream: streams[stream] for stream in reads(command, streams)}
    for fact in command.facts:
        _check(fact, command.room)
        stream = _stream_of(fact)
        if not _is_known(fact, states[stream]):
            noted.append((stream, fact))
            states[stream] = AGGREGATES[kind_of(stream)].evolve(states[stream], fact)
    return tuple(noted)


def game_streams(
    streams: Streams, room: str, game_id: str = "", table: str = ""
) -> frozenset[StreamId]:
    """Return the streams that `room_of`, `game_of` and `rules_of` need, as far as what is loaded tells.

    Args:
        streams: what is loaded so far; the book's stream is named once the game (or room) that pins it is loaded.
        room: the room's id.
        game_id: the game's id; empty for the room alone.
        table: the table at which it is played; empty where that does not matter.
    """
    stems = {room_stream(room)}
    if game_id:
        stems.add(game_stream(room, game_id))
    if table:
        stems.add(variation_stream(room, table))
    digest = digest_of(streams, room, game_id, table)
    if digest:
        stems.add(book_stream(digest))
    return frozenset(stems)


def room_of(streams: Streams, room: str) -> Room:
    """Return a room.

    Raises:
        Unknown: CR-2, no such room.
    """
    found: Room | None = streams[room_stream(room)]
    if found is None:
        raise Unknown("room", room, field="room")
    return found


def game_of(streams: Streams, room: str, game_id: str, table: str = "") -> Game:
    """Return a game of a room; at a table where something is posted, with the digest of the book in force there.

    Raises:
        Unknown: CR-2, no such game there.
    """
    found: Game | None = streams[game_stream(room, game_id)]
    if found is None:
        raise Unknown("game", game_id, field="game_id")
    if not table:
        return found
    posted: Variation = streams[variation_stream(room, table)]
    digest = posted.digest_for(game_id)
    return msgspec.structs.replace(found, book_digest=digest) if digest else found


def book(streams: Streams, digest: str) -> ResolvedBook:
    """Return the book of a digest, such as one that a hand pinned; name `book_stream(digest)` in `reads`.

    Raises:
        Unknown: CR-2, its content is not known here.
    """
    found: ResolvedBook | None = streams[book_stream(digest)] if digest else None
    if found is None:
        raise Unknown("book", digest, field="book_digest")
    return found


def rules_of(streams: Streams, room: str, game_id: str = "", table: str = "") -> ResolvedBook:
    """Return the book in force for a game; name `game_streams` in `reads`.

    Args:
        streams: the loaded states.
        room: the room's id.
        game_id: the game's id; empty for the room's own book, for what no game decides (cage, conduct, jackpot).
        table: the table at which it is played, where something else may be posted; empty where that does not matter.

    Raises:
        Unknown: CR-2, no such room or game, or its book's content is not known yet.
    """
    known = game_of(streams, room, game_id, table) if game_id else room_of(streams, room)
    return book(streams, known.book_digest)


def digest_of(streams: Streams, room: str, game_id: str = "", table: str = "") -> str:
    """Return the digest of the book in force for a game (or the room), at a table, or "" where none is loaded."""
    posted: Variation | None = streams.get(variation_stream(room, table)) if table else None
    if posted is not None and (digest := posted.digest_for(game_id)):
        return digest
    stem = game_stream(room, game_id) if game_id else room_stream(room)
    found: Game | Room | None = streams.get(stem)
    return found.book_digest if found else ""


def gaming_day_in(room: Room, at: datetime) -> tuple[str, int]:
    """Return the room's gaming day at an instant (YYYY-MM-DD) and its offset from UTC in minutes."""
    return gaming_day_of(at, room.time_zone, room.cut_over_minutes)


def _stream_of(fact: HouseFact) -> StreamId:
    match fact:
        case RoomNoted(room=room):
            return room_stream(room.room)
        case GameNoted(room=name, game=game):
            return game_stream(name, game.game_id)
        case VariationNoted(room=name, variation=variation):
            return variation_stream(name, variation.table)
        case BookNoted(digest=digest):
            return book_stream(digest)


def _is_known(fact: HouseFact, state: Room | Game | Variation | ResolvedBook | None) -> bool:
    match fact:
        case RoomNoted(room=room):
            return state == room
        case GameNoted(game=game):
            return state == game
        case VariationNoted(variation=variation):
            return state == variation
        case BookNoted():
            return state is not None


def _check(fact: HouseFact, room: str) -> None:
    match fact:
        case RoomNoted(room=named) if named.room != room:
            raise Refused(
                "ROOM_OTHER",
                "CR-4",
                f"a fact of room {named.room!r} came for {room!r}",
                field="room",
            )
        case GameNoted(room=name) if name != room:
            raise Refused(
                "ROOM_OTHER", "CR-4", f"a game of room {name!r} came for {room!r}", field="room"
            )
        case VariationNoted(room=name) if name != room:
            raise Refused(
                "ROOM_OTHER", "CR-4", f"a table of room {name!r} came for {room!r}", field="room"
            )
        case BookNoted(digest=digest, content=content):
            found = hashlib.sha256(content).hexdigest()
            if found != digest:
                raise Refused(
                    "BOOK_DIGEST",
                    "CR-4",
                    f"a book's content has the digest {found}, not {digest} as it says",
                    field="facts.digest",
                )
        case _:
            pass
