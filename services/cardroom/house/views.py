"""The house's states as its API shows them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from cardroom.adapters.grpc.servicer import timestamp_of
from cardroom.api.house.v1 import house_types_pb2 as pb
from cardroom.house.books import Books, BookVersion, books_stream
from cardroom.house.game import GameState, game_stream, offered
from cardroom.house.room import RoomState, opened, room_stream
from cardroom.house.values import Dealing, Down, Hours, Member, Station
from cardroom.house.variation import Variation, variation_stream
from cardroom.kernel.streams import StreamId
from cardroom.known.games import Game
from cardroom.known.wire import game_message, room_message
from cardroom.rulebook.catalogue import decisions
from cardroom.rulebook.explain import Explanation
from cardroom.rulebook.model import ResolvedBook
from cardroom.rulebook.values import plain, written

PAGE_SIZE: Final = 100
_T = TypeVar("_T")


def page(items: Sequence[tuple[str, _T]], size: int, token: str) -> tuple[list[_T], str]:
    """Return a page of items and the token of the next, empty on the last.

    Args:
        items: (id, item) in a lasting order.
        size: at most this many; 0 for the usual number.
        token: id of the last item of the page before; empty for the first page.
    """
    ids = [name for name, _ in items]
    start = ids.index(token) + 1 if token in ids else 0
    end = start + (size or PAGE_SIZE)
    following = ids[end - 1] if end < len(ids) else ""
    return [item for _, item in items[start:end]], following


def offered_game(game: Game, state: GameState, version: int) -> pb.OfferedGame:
    """Return a game with its overrides, hours and version."""
    overrides = {
        key: written(decisions()[key], value) for key, value in state.overlay.values.items()
    }
    return pb.OfferedGame(
        game=game_message(game),
        overrides=overrides,
        hours=[hours_message(one) for one in state.hours],
        version=version,
    )


def hours_message(hours: Hours) -> pb.Hours:
    """Return the hours of a game."""
    return pb.Hours(
        weekday=hours.weekday,
        opens_minutes=hours.opens_minutes,
        closes_minutes=hours.closes_minutes,
    )


def book_version(version: BookVersion, state: Books) -> pb.BookVersion:
    """Return one version of a room's book."""
    return pb.BookVersion(
        version=version.version,
        book_id=version.book.id,
        title=version.book.title,
        effective_at=timestamp_of(version.effective_at),
        in_force=version.version == state.in_force,
    )


def book_values(book: ResolvedBook) -> list[pb.BookValue]:
    """Return every decision of a resolved book, as a book file would write it."""
    known = decisions()
    return [
        pb.BookValue(
            key=key,
            value=written(known[key], plain(known[key], as_given(book.value(key)))),
            rules=book.cite(key),
        )
        for key in book.keys()  # noqa: SIM118 - a book is no mapping
        if key in known
    ]


def as_given(value: object) -> object:
    """Return a typed value in the kinds that a book file gives (a read-only table becomes a plain one)."""
    return dict(value) if hasattr(value, "items") else value  # type: ignore[call-overload]


def rule_decisions(told: Explanation) -> list[pb.RuleDecision]:
    """Return the decisions that a rule fixes, with every book's value."""
    return [
        pb.RuleDecision(
            key=fixed.decision.key,
            means=fixed.decision.means,
            values=[
                pb.RuleValue(
                    book=value.book,
                    value=written(fixed.decision, value.value),
                    rules=value.rules or ("CR-3",),
                )
                for value in fixed.values
            ],
        )
        for fixed in told.fixes
    ]


def variation_message(table: str, state: Variation, version: int) -> pb.TableVariation:
    """Return what is posted at a table, with the books in force there."""
    return pb.TableVariation(
        table=table,
        overrides={
            key: written(decisions()[key], value) for key, value in state.overlay.values.items()
        },
        books=[
            pb.GameBook(game_id=game_id, book_digest=digest)
            for game_id, digest in sorted(state.books.items())
        ],
        reason=state.reason,
        version=version,
    )


def house_stems(room: str, states: Mapping[str, Any]) -> tuple[StreamId, ...]:
    """Return the stems that a view of a room shows, as far as what is known tells."""
    found: RoomState | None = states.get(room_stream(room))
    if found is None:
        return (room_stream(room),)
    return (
        room_stream(room),
        books_stream(room),
        *(game_stream(room, game_id) for game_id in found.games),
        *(variation_stream(room, table) for table in found.varied),
    )


def house_message(room: str, states: Mapping[str, Any], versions: Mapping[str, int]) -> pb.House:
    """Return a room with its games, its books and what its tables post.

    Args:
        room: the room.
        states: states by stem, those of `house_stems`.
        versions: versions by stem.
    """
    found: RoomState = states[room_stream(room)]
    books: Books = states[books_stream(room)]
    games = []
    for game_id in found.games:
        stem = game_stream(room, game_id)
        games.append(offered_game(offered(states[stem], game_id), states[stem], versions[stem]))
    posted = []
    for table in found.varied:
        stem = variation_stream(room, table)
        if states[stem].posted:
            posted.append(variation_message(table, states[stem], versions[stem]))
    return pb.House(
        room=room_message(opened(found, room)),
        games=games,
        books=[book_version(one, books) for one in books.versions],
        variations=posted,
    )


def member_message(member: Member) -> pb.StaffMember:
    """Return a member of staff, without what proves who they are."""
    return pb.StaffMember(
        staff_id=member.staff_id,
        roles=member.roles,
        active=member.active,
        has_badge=bool(member.badge_digest),
        has_pin=bool(member.pin_digest),
    )


def station_message(station: Station) -> pb.Station:
    """Return a station."""
    return pb.Station(
        station_id=station.station_id,
        kind=f"STATION_KIND_{station.kind.name}",
        table=station.table,
        shared=station.shared,
    )


def dealing_message(dealing: Dealing) -> pb.Dealing:
    """Return who deals at a table."""
    return pb.Dealing(table=dealing.table, dealer=dealing.dealer, since=timestamp_of(dealing.since))


def down_message(down: Down) -> pb.Down:
    """Return a planned stretch."""
    return pb.Down(
        table=down.table,
        dealer=down.dealer,
        starts_at=timestamp_of(down.starts_at),
        ends_at=timestamp_of(down.ends_at),
    )
