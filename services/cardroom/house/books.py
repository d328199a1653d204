"""The versions of a room's book: which is in force, which come later, and what was worked out from them."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final, assert_never

import msgspec

from cardroom.house.commands import ReviewBooks
from cardroom.house.events import BookLoaded, BookResolved, BooksReviewed, BookWithdrawn
from cardroom.house.game import NO_OVERLAY
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import Aggregate, StreamId, stream_id
from cardroom.known.games import Game
from cardroom.rulebook.model import Book, Overlay, ResolvedBook
from cardroom.rulebook.resolve import CannotResolve, check_overlay, resolve

EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)


class BookVersion(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a room's book.

    Args:
        version: counted from 1 within the room.
        effective_at: from when it is in force, UTC.
        book: the book with everything it rests on.
    """

    version: int
    effective_at: datetime
    book: Book


class Books(msgspec.Struct, frozen=True, kw_only=True):
    """The books of a room.

    Args:
        room: the room, empty before the first book.
        loaded: how many versions there were ever.
        versions: the one in force and those that come later, in the order in which they take effect.
        in_force: number of the version in force, 0 before the first.
        reviewed_at: the last instant at which the books were gone through.
        resolved: digest -> content of every book worked out for the room.
    """

    room: str = ""
    loaded: int = 0
    versions: tuple[BookVersion, ...] = ()
    in_force: int = 0
    reviewed_at: datetime = EARLIEST
    resolved: dict[str, bytes] = {}

    def current(self) -> BookVersion | None:
        """Return the version in force."""
        return next((one for one in self.versions if one.version == self.in_force), None)


def books_stream(room: str) -> StreamId:
    """Return the stream of a room's books."""
    return stream_id("books", room)


def evolve(state: Books, event: BookLoaded | BookWithdrawn | BooksReviewed | BookResolved) -> Books:
    """Fold the books' events."""
    match event:
        case BookLoaded():
            added = BookVersion(
                version=event.version,
                effective_at=event.effective_at,
                book=Book.from_content(event.content),
            )
            ordered = sorted(
                (*state.versions, added), key=lambda one: (one.effective_at, one.version)
            )
            return msgspec.structs.replace(
                state, room=event.room, loaded=event.version, versions=tuple(ordered)
            )
        case BookWithdrawn():
            kept = tuple(one for one in state.versions if one.version != event.version)
            return msgspec.structs.replace(state, versions=kept)
        case BooksReviewed():
            later = tuple(
                one
                for one in state.versions
                if one.version == event.version or one.effective_at > event.at
            )
            return msgspec.structs.replace(
                state, versions=later, in_force=event.version, reviewed_at=event.at
            )
        case BookResolved():
            resolved = {**state.resolved, event.digest: event.content}
            return msgspec.structs.replace(state, resolved=resolved)
        case _:
            assert_never(event)


def due(state: Books) -> tuple[tuple[datetime, ReviewBooks], ...]:
    """Return the next instant at which something of the books changes, with the command for it."""
    instants = [one.effective_at for one in state.versions if one.version != state.in_force]
    if current := state.current():
        instants += [at for at in current.book.instants() if at > state.reviewed_at]
    return tuple((at, ReviewBooks(room=state.room, at=at)) for at in sorted(instants)[:1])


def version_at(state: Books, at: datetime) -> BookVersion | None:
    """Return the version that is in force at an instant: the last to take effect by then."""
    effective = [one for one in state.versions if one.effective_at <= at]
    return effective[-1] if effective else None


def effective_instant(book: Book, asked: datetime | None, at: datetime) -> datetime:
    """Return from when a book that is loaded now is in force.

    Args:
        book: the book.
        asked: what the caller asked for; None for as soon as may be.
        at: now.

    Raises:
        Refused: CR-4, the instant lies in the past, or before the one that the book's own file names.
    """
    own = book.layers[0].effective or EARLIEST
    if asked is None:
        return max(at, own)
    if asked < at:
        raise Refused(
            "EFFECTIVE_IN_THE_PAST",
            "CR-4",
            f"effective_at is {asked.isoformat()}, which is over; what was decided stays decided",
            options=("leave effective_at out for now",),
            field="effective_at",
        )
    if asked < own:
        raise Refused(
            "EFFECTIVE_BEFORE_THE_BOOK",
            "CR-4",
            f"effective_at is {asked.isoformat()}, but book {book.id} itself begins {own.isoformat()}",
            field="effective_at",
        )
    return asked


def work_out(
    book: Book,
    game: Game | None,
    overlay: Overlay = NO_OVERLAY,
    at: datetime | None = None,
    table: Overlay | None = None,
) -> ResolvedBook:
    """Resolve a book for a game, or for the room itself; at a table, with what is posted there.

    Raises:
        Refused: CR-4, game or table set something that they may not set, or the book is not yet in force.
    """
    try:
        return resolve(book, game, table, overlay=overlay, at=at)
    except CannotResolve as error:
        raise _refused(error) from None


def read_overlay(book: Book, values: Mapping[str, object], scope: str = "game") -> Overlay:
    """Return what a game, or a table, sets otherwise than its room's book, checked.

    Raises:
        Refused: CR-4, a decision is unknown, one for the whole room, or may not have the value.
    """
    try:
        return check_overlay(book, scope, values)
    except CannotResolve as error:
        raise _refused(error) from None


def new_contents(state: Books, books: Iterable[ResolvedBook]) -> tuple[BookResolved, ...]:
    """Return an event for each book whose content the room does not have yet."""
    fresh = {book.digest: book for book in books if book.digest not in state.resolved}
    return tuple(
        BookResolved(digest=digest, content=book.content()) for digest, book in fresh.items()
    )


def _refused(error: CannotResolve) -> Refused:
    field = f"overlay.{error.key}" if error.key else "book"
    return Refused("BOOK_VALUE_NOT_ALLOWED", "CR-4", error.message, field=field)


BOOKS: Final = Aggregate(kind="books", initial=Books(), evolve=evolve, due=due)
