"""What the house has in force for a table now, taken with its next hand: terms, book, and what is posted there."""

from collections.abc import Callable
from typing import Any

import msgspec

from cardroom import known
from cardroom.kernel.streams import StreamId
from cardroom.tables import table_events as ev
from cardroom.tables.table import Table
from cardroom.tables.table_folds import evolve

Get = Callable[[StreamId], Any]
"""Stem -> its state, None where it is not loaded."""


def stems(table: Table, get: Get) -> tuple[StreamId, ...]:
    """Return the stems that say what the house has in force for an open table, as far as what is loaded tells."""
    if not table.is_open or table.game is None:
        return ()
    wanted = (
        known.game_stream(table.room, table.game.game_id),
        known.variation_stream(table.room, table.table),
    )
    game = _present(table, get)
    return wanted if game is None else (*wanted, known.book_stream(game.book_digest))


def _present(table: Table, get: Get) -> known.Game | None:
    """Return the table's game with its present terms and the digest of the book in force here."""
    name = table.the_game().game_id
    game: known.Game | None = get(known.game_stream(table.room, name))
    posted: known.Variation | None = get(known.variation_stream(table.room, table.table))
    digest = posted.digest_for(name) if posted else ""
    return msgspec.structs.replace(game, book_digest=digest) if game and digest else game


def taken(table: Table, get: Get) -> tuple[ev.BookTaken, ...]:
    """Return that the house has something else in force for the table now; a hand in play ends as it began."""
    if not table.is_open or table.game is None or table.hand is not None:
        return ()
    game = _present(table, get)
    if game is None or (game, game.book_digest) == (table.game, table.book_digest):
        return ()
    if get(known.book_stream(game.book_digest)) is None:
        return ()  # its content is still on its way
    return (ev.BookTaken(game=game, book_digest=game.book_digest),)


def as_it_goes_on(table: Table, get: Get) -> Table:
    """Return a table as its next command finds it."""
    for event in taken(table, get):
        table = evolve(table, event)
    return table
