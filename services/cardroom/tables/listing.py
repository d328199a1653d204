"""The list of a room's tables, so that they can be listed."""

from typing import Final

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.streams import Aggregate, StreamId, stream_id


class TableListed(Event, frozen=True, tag="tables.TableListed.v1"):
    """The room has a table by this name."""

    table: str


class Listing(msgspec.Struct, frozen=True):
    """The tables that a room has ever had, in order of their names."""

    tables: tuple[str, ...] = ()


def evolve(listing: Listing, event: TableListed) -> Listing:
    """Return the list with one more table."""
    return Listing(tuple(sorted({*listing.tables, event.table})))


def listing_id(room: str) -> StreamId:
    """Return the stream of a room's list of tables."""
    return stream_id("tablelist", room)


LISTING: Final = Aggregate(kind="tablelist", initial=Listing(), evolve=evolve)
