"""One player's presence in a room (one seat at a time, the return window) and the room's list of tables."""

from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from cardroom.kernel.streams import Aggregate, StreamId, stream_id
from cardroom.seating import events as e


class Quit(msgspec.Struct, frozen=True, kw_only=True):
    """A game left with chips.

    Args:
        stakes: kind and limit of the game.
        at: when.
        chips_cents: what was taken off the table; None where not counted.
    """

    stakes: str
    at: datetime
    chips_cents: int | None


class Presence(msgspec.Struct, frozen=True, kw_only=True):
    """Where a player is in a room.

    Args:
        table: the table at which the player holds a seat, or empty.
        seat: that seat.
        since: since when.
        quits: the last game left at each stakes.
        accepted_book: digest of the book last accepted by sitting down.
        absorbed: other records of the same person.
        into_id: the record of the person that counts, where this one was merged; else empty.
        game_bars: games that the player may not play, until when, and the rules.
    """

    table: str = ""
    seat: int = 0
    since: datetime | None = None
    quits: tuple[Quit, ...] = ()
    accepted_book: str = ""
    absorbed: tuple[str, ...] = ()
    into_id: str = ""
    game_bars: tuple[tuple[str, datetime, tuple[str, ...]], ...] = ()


def presence_stream(room: str, player_id: str) -> StreamId:
    """Return the stream of a player's presence in a room."""
    return stream_id("presence", room, player_id)


def evolve(state: Presence, event: Any) -> Presence:
    """Return a player's presence after an event."""
    match event:
        case e.SatDown():
            return replace(state, table=event.table, seat=event.seat, since=event.at)
        case e.StoodUp(moved=True):
            return replace(state, table="", seat=0, since=None)
        case e.StoodUp():
            last = Quit(stakes=event.stakes, at=event.at, chips_cents=event.chips_cents)
            others = tuple(q for q in state.quits if q.stakes != event.stakes)
            return replace(state, table="", seat=0, since=None, quits=(*others, last))
        case e.GameBarred():
            kept = tuple(b for b in state.game_bars if b[0] != event.game_id)
            bar = (event.game_id, event.until, event.rules)
            return replace(state, game_bars=(*kept, bar))
        case e.PresenceAbsorbed(from_id=from_id):
            return replace(state, absorbed=(*state.absorbed, from_id))
        case e.RecordReplaced(into_id=into_id):
            return replace(state, into_id=into_id)
        case e.RulesAccepted(book_digest=digest):
            return replace(state, accepted_book=digest)
        case _:
            raise TypeError(f"a presence holds no {type(event).__name__}")


PRESENCE = Aggregate(kind="presence", initial=Presence(), evolve=evolve)


class Floor(msgspec.Struct, frozen=True, kw_only=True):
    """The tables of a room.

    Args:
        tables: table -> game last opened there, and the main table it feeds or empty.
    """

    tables: tuple[tuple[str, str, str], ...] = ()


def floor_stream(room: str) -> StreamId:
    """Return the stream that lists a room's tables."""
    return stream_id("floor", room)


def evolve_floor(state: Floor, event: Any) -> Floor:
    """Return the list of tables after an event."""
    match event:
        case e.TableListed():
            others = tuple(t for t in state.tables if t[0] != event.table)
            return Floor(tables=(*others, (event.table, event.game_id, event.feeds)))
        case _:
            raise TypeError(f"the list of tables holds no {type(event).__name__}")


FLOOR = Aggregate(kind="floor", initial=Floor(), evolve=evolve_floor)
