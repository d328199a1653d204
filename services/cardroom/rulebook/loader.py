"""Loading a house book: one of the four that come with the project, or a room's own file."""

from pathlib import Path

from cardroom.rulebook.catalogue import book_ids, packaged_book
from cardroom.rulebook.model import Book
from cardroom.rulebook.reader import BookRefused, Problem, read_book

__all__ = ["BookRefused", "BookUnknown", "Problem", "book_ids", "load_book", "read_book"]


class BookUnknown(LookupError):  # noqa: N818
    """No book of this id comes with the project."""

    def __init__(self, book_id: str) -> None:
        super().__init__(
            f"no book {book_id!r}: it is one of {', '.join(book_ids())}, or the path of a room's own file"
        )


def load_book(source: str | Path) -> Book:
    """Return a book: one of the four by id, or a room's own from its file.

    Args:
        source: `LC`, `RC`, `HG`, `WP`, or the path of a TOML file.

    Raises:
        BookUnknown: a name that is neither an id nor an existing file.
        BookRefused: the file has faults; it lists all of them.
    """
    if isinstance(source, str) and source in book_ids():
        return packaged_book(source)
    path = Path(source)
    if not path.is_file():
        raise BookUnknown(str(source))
    return read_book(path.read_bytes(), path.name)
