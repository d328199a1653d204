"""A room's own book, made of another by some values set otherwise, as a room's file would make it."""

from collections.abc import Mapping
from typing import Any

from cardroom.rulebook.model import Book, Layer, Row, own_rule
from cardroom.rulebook.values import plain


def with_values(
    book: Book, book_id: str, values: Mapping[str, Any], *, high_limit: bool = False
) -> Book:
    """Return a book that sets some decisions otherwise than the one it is based on.

    Args:
        book: what it is based on.
        book_id: the new book's id.
        values: decision -> value.
        high_limit: whether the values are for the high limit only.
    """
    rows: dict[str, tuple[Row, ...]] = {
        key: (Row(value=plain(book.decisions[key], value), rules=(own_rule(book_id, key),)),)
        for key, value in values.items()
    }
    layer = Layer(
        id=book_id,
        title=book_id,
        rows={} if high_limit else rows,
        high_limit=rows if high_limit else {},
    )
    return Book(
        layers=(layer, *book.layers),
        decisions=book.decisions,
        constants=book.constants,
        texts=book.texts,
    )
