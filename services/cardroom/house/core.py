"""The house's decider: which streams a command reads, and what it decides; all commands of a room in one order."""

from typing import Any, Final

import msgspec

from cardroom.house import commands as c
from cardroom.house import events as e
from cardroom.house import variation
from cardroom.house.books import (
    BOOKS,
    Books,
    books_stream,
    effective_instant,
    new_contents,
    read_overlay,
    version_at,
    work_out,
)
from cardroom.house.game import (
    GAME,
    GameState,
    check_game,
    check_hours,
    game_stream,
    offered,
)
from cardroom.house.room import (
    ROOM,
    ROOMS,
    RoomState,
    check_room,
    opened,
    room_stream,
    rooms_stream,
)
from cardroom.house.staff import STAFF, StaffCommand, staff_stream
from cardroom.house.staff import decide as decide_staff
from cardroom.kernel.decisions import Decider, Decision, Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Stale, Unknown
from cardroom.kernel.streams import StreamId, Streams
from cardroom.known.chips import playing_chip_cents
from cardroom.known.games import Game, Room
from cardroom.rulebook.model import Book, ResolvedBook

Written = list[tuple[StreamId, Event]]


def key(command: Any) -> str:
    """Order all commands of a room."""
    return str(command.room)


def reads(command: Any, streams: Streams) -> frozenset[StreamId]:
    """Name the streams that a command needs, as far as what is loaded tells."""
    room = room_stream(command.room)
    match command:
        case c.OpenRoom():
            return frozenset({room, rooms_stream(), books_stream(command.room)})
        case c.ChangeRoom():
            return frozenset({room})
        case c.OfferGame() | c.ChangeGame():
            game = game_stream(command.room, command.game.game_id)
            posted = variation.streams_of(streams, command.room)
            return frozenset({room, game, books_stream(command.room)} | posted)
        case c.LiftVariation():
            return frozenset({room, variation.variation_stream(command.room, command.table)})
        case c.WithdrawGame():
            return frozenset({room, game_stream(command.room, command.game_id)})
        case c.ChangeBook() | c.WithdrawBook() | c.ReviewBooks() | c.PostVariation():
            state: RoomState | None = streams.get(room)
            games = state.games if state else ()
            wanted = {room, books_stream(command.room)}
            if isinstance(command, c.PostVariation):
                wanted.add(variation.variation_stream(command.room, command.table))
            wanted |= variation.streams_of(streams, command.room)
            return frozenset(wanted | {game_stream(command.room, g) for g in games})
        case _:
            return frozenset({room, staff_stream(command.room)})


def decide(command: Any, streams: Streams, occasion: Occasion) -> Decision:
    """Decide one command.

    Raises:
        Refused: an invariant does not allow it.
    """
    match command:
        case c.OpenRoom():
            return _open_room(command, streams, occasion)
        case c.ChangeRoom():
            return _change_room(command, streams)
        case c.OfferGame():
            return _offer(command, streams, occasion)
        case c.ChangeGame():
            return _change_game(command, streams, occasion)
        case c.WithdrawGame():
            return _withdraw(command, streams)
        case c.PostVariation():
            _room(streams, command.room)
            return variation.post(command, streams, occasion)
        case c.LiftVariation():
            _room(streams, command.room)
            return variation.lift(command, streams)
        case c.ChangeBook():
            return _change_book(command, streams, occasion)
        case c.WithdrawBook():
            return _withdraw_book(command, streams)
        case c.ReviewBooks():
            return _review(command, streams)
        case _:
            return _staff(command, streams, occasion)


def _room(streams: Streams, room: str) -> Room:
    return opened(streams[room_stream(room)], room)


def _book(data: bytes) -> Book:
    try:
        return Book.from_content(data)
    except msgspec.DecodeError as error:
        raise Refused(
            "BOOK_MALFORMED", "CR-4", f"book is no content of a book: {error}", field="book"
        ) from None


def _open_room(command: c.OpenRoom, streams: Streams, occasion: Occasion) -> Decision:
    state: RoomState = streams[room_stream(command.room)]
    if state.room is not None:
        raise Refused("ROOM_EXISTS", "CR-7", f"room {command.room!r} is open already", field="room")
    book = _book(command.book)
    resolved = work_out(book, None, at=occasion.at)
    room = check_room(
        Room(
            room=command.room,
            name=command.name,
            group=command.group,
            time_zone=command.time_zone,
            cut_over_minutes=command.cut_over_minutes,
            book_digest=resolved.digest,
        )
    )
    books = books_stream(command.room)
    return (
        (rooms_stream(), e.RoomListed(room=command.room, group=command.group)),
        (
            books,
            e.BookLoaded(
                room=command.room,
                version=1,
                book_id=book.id,
                title=book.title,
                effective_at=occasion.at,
                content=command.book,
            ),
        ),
        (books, e.BooksReviewed(at=occasion.at, version=1)),
        (books, e.BookResolved(digest=resolved.digest, content=resolved.content())),
        (room_stream(command.room), e.RoomOpened(room=room)),
    )


def _change_room(command: c.ChangeRoom, streams: Streams) -> Decision:
    before = _room(streams, command.room)
    given = {
        name: value
        for name in ("name", "time_zone", "cut_over_minutes")
        if (value := getattr(command, name)) is not None
    }
    room = check_room(msgspec.structs.replace(before, **given))
    if room == before:
        raise Refused("NOTHING_CHANGED", "CR-7", f"room {command.room!r} is as given already")
    return ((room_stream(command.room), e.RoomChanged(room=room, reason=command.reason)),)


def _terms(
    command: c.OfferGame | c.ChangeGame, streams: Streams, occasion: Occasion
) -> tuple[Game, Any, tuple[e.BookResolved, ...], Written]:
    """Check a game's terms and work out the book that it will be under, at tables that post something too."""
    books: Books = streams[books_stream(command.room)]
    current = books.current()
    if current is None:
        raise Unknown("book", command.room, "room")
    check_hours(command.hours)
    overlay = read_overlay(current.book, command.overlay)
    asked = msgspec.structs.replace(command.game, book_digest="", offered=True)
    by_the_book = asked.chip_cents == 0
    game = check_game(msgspec.structs.replace(asked, chip_cents=1) if by_the_book else asked)
    at = max(occasion.at, books.reviewed_at)
    resolved = work_out(current.book, game, overlay, at)
    if by_the_book:
        chip_cents = playing_chip_cents(game, resolved)
        game = check_game(msgspec.structs.replace(game, chip_cents=chip_cents))
    game = msgspec.structs.replace(game, book_digest=resolved.digest)
    posted, changed = variation.worked_out_again(
        current.book, [(game, overlay)], streams, command.room, at
    )
    return game, overlay, new_contents(books, (resolved, *posted)), changed


def _offer(command: c.OfferGame, streams: Streams, occasion: Occasion) -> Decision:
    _room(streams, command.room)
    stream = game_stream(command.room, command.game.game_id)
    state: GameState = streams[stream]
    if state.game is not None:
        raise Refused(
            "GAME_EXISTS",
            "CR-7",
            f"game {command.game.game_id!r} is known already",
            options=("change the game", "offer it under another id"),
            field="game.game_id",
        )
    game, overlay, contents, posted = _terms(command, streams, occasion)
    books = books_stream(command.room)
    return (
        *((books, content) for content in contents),
        (room_stream(command.room), e.GameListed(game_id=game.game_id)),
        (stream, e.GameOffered(game=game, overlay=overlay, hours=command.hours)),
        *posted,
    )


def _change_game(command: c.ChangeGame, streams: Streams, occasion: Occasion) -> Decision:
    _room(streams, command.room)
    stream = game_stream(command.room, command.game.game_id)
    state: GameState = streams[stream]
    before = offered(state, command.game.game_id)
    version = streams.version(stream)
    if command.expected_version and command.expected_version != version:
        raise Stale(
            f"game {before.game_id!r} is at version {version}, not {command.expected_version}",
            "expected_version",
        )
    if command.game.form is not before.form:
        raise Refused(
            "OTHER_FORM",
            "CR-4",
            f"game {before.game_id!r} is {before.form.value}; it cannot become {command.game.form.value}",
            options=("offer another game",),
            field="game.form",
        )
    game, overlay, contents, posted = _terms(command, streams, occasion)
    if (game, overlay, command.hours) == (before, state.overlay, state.hours):
        raise Refused("NOTHING_CHANGED", "CR-7", f"game {before.game_id!r} is as given already")
    changed = e.GameChanged(game=game, overlay=overlay, hours=command.hours, reason=command.reason)
    books = books_stream(command.room)
    return (*((books, content) for content in contents), (stream, changed), *posted)


def _withdraw(command: c.WithdrawGame, streams: Streams) -> Decision:
    _room(streams, command.room)
    stream = game_stream(command.room, command.game_id)
    game = offered(streams[stream], command.game_id)
    if not game.offered:
        raise Refused(
            "GAME_WITHDRAWN",
            "CR-7",
            f"game {command.game_id!r} is withdrawn already",
            field="game_id",
        )
    if not command.reason.strip():
        raise Refused("REASON_MISSING", "CR-9", "withdrawing a game needs a reason", field="reason")
    gone = msgspec.structs.replace(game, offered=False)
    return ((stream, e.GameWithdrawn(game=gone, reason=command.reason)),)


def _change_book(command: c.ChangeBook, streams: Streams, occasion: Occasion) -> Decision:
    _room(streams, command.room)
    stream = books_stream(command.room)
    state: Books = streams[stream]
    book = _book(command.book)
    now = max(occasion.at, state.reviewed_at)  # a station's time may lie behind the last change
    effective_at = effective_instant(book, command.effective_at, now)
    _check_games(book, command.room, streams)
    loaded = e.BookLoaded(
        room=command.room,
        version=state.loaded + 1,
        book_id=book.id,
        title=book.title,
        effective_at=effective_at,
        content=command.book,
        reason=command.reason,
    )
    if effective_at > now:
        return ((stream, loaded),)
    after = streams.evolved(((stream, loaded),))
    review = c.ReviewBooks(room=command.room, at=now)
    return ((stream, loaded), *_review(review, after))


def _check_games(book: Book, room: str, streams: Streams) -> None:
    """Refuse a book under which a game's own settings could not stand."""
    for game_id in streams[room_stream(room)].games:
        state: GameState = streams[game_stream(room, game_id)]
        read_overlay(book, state.overlay.values)
        work_out(book, state.game, state.overlay)
    variation.check(book, streams, room)


def _withdraw_book(command: c.WithdrawBook, streams: Streams) -> Decision:
    _room(streams, command.room)
    stream = books_stream(command.room)
    state: Books = streams[stream]
    if all(one.version != command.version for one in state.versions):
        raise Unknown("book version", str(command.version), "version")
    if command.version == state.in_force:
        raise Refused(
            "BOOK_IN_FORCE",
            "CR-6",
            f"version {command.version} is in force",
            options=("put another book in force",),
            field="version",
        )
    if not command.reason.strip():
        raise Refused("REASON_MISSING", "CR-9", "calling off a book needs a reason", field="reason")
    return ((stream, e.BookWithdrawn(version=command.version, reason=command.reason)),)


def _review(command: c.ReviewBooks, streams: Streams) -> Decision:
    """Bring into force what is due by an instant, and pin the new book on room and games."""
    room = _room(streams, command.room)
    stream = books_stream(command.room)
    state: Books = streams[stream]
    version = version_at(state, command.at)
    if version is None or (command.at <= state.reviewed_at and version.version == state.in_force):
        return ()
    of_room = work_out(version.book, None, at=command.at)
    contents: list[ResolvedBook] = [of_room]
    changed: Written = []
    if of_room.digest != room.book_digest:
        pinned = msgspec.structs.replace(room, book_digest=of_room.digest)
        changed.append(
            (room_stream(command.room), e.RoomChanged(room=pinned, reason="book in force"))
        )
    games: list[tuple[Game, Any]] = []
    for game_id in streams[room_stream(command.room)].games:
        at_game = game_stream(command.room, game_id)
        held: GameState = streams[at_game]
        game = offered(held, game_id)
        games.append((game, held.overlay))
        resolved = work_out(version.book, game, held.overlay, command.at)
        if resolved.digest != game.book_digest:
            contents.append(resolved)
            pinned_game = msgspec.structs.replace(game, book_digest=resolved.digest)
            changed.append((at_game, e.GameBookChanged(game=pinned_game, version=version.version)))
    posted, at_tables = variation.worked_out_again(
        version.book, games, streams, command.room, command.at
    )
    contents += posted
    changed += at_tables
    return (
        (stream, e.BooksReviewed(at=command.at, version=version.version)),
        *((stream, content) for content in new_contents(state, contents)),
        *changed,
    )


def _staff(command: StaffCommand, streams: Streams, occasion: Occasion) -> Decision:
    _room(streams, command.room)
    stream = staff_stream(command.room)
    return ((stream, decide_staff(command, streams[stream], occasion)),)


def book_digest(command: Any, streams: Streams) -> str:
    """Return the digest of the room's book as it stands before the command."""
    state: RoomState | None = streams.get(room_stream(command.room))
    return state.room.book_digest if state and state.room else ""


DECIDER: Final = Decider(
    context="house",
    events=e.EVENTS,
    aggregates={one.kind: one for one in (ROOM, ROOMS, GAME, BOOKS, STAFF, variation.VARIATION)},
    key=key,
    reads=reads,
    decide=decide,
    commands=c.COMMANDS,
    book_digest=book_digest,
)
"""All that the shell needs to run the house."""
