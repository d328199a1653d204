"""What a decision about one table looks at: its seats, its game and book, the occasion, and other streams by name."""

from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from cardroom import known
from cardroom.kernel.decisions import Decision, Occasion, require_override
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import StreamId, Streams
from cardroom.known import Form, Game
from cardroom.known.standing import Act, Standing, impediment_to
from cardroom.rulebook.model import ResolvedBook
from cardroom.seating.presence import Floor, Presence, floor_stream, presence_stream
from cardroom.seating.table import Phase, TableSeats, seats_stream
from cardroom.seating.values import Seat, Seated

FLOOR: Final = frozenset({"floor", "shift_manager"})
"""Roles that may go against the book where the book leaves it to the floor, and that approve."""
STUDS: Final = frozenset({Form.STUD, Form.STUD_HIGH_LOW, Form.RAZZ})
PERSONS: Final = ("player_id", "to_player_id", "by_player")
"""Fields of commands that name a person."""
INSTANT: Final = timedelta(microseconds=1)
"""The least time by which an instant lies past a limit."""


class Here(msgspec.Struct, frozen=True):
    """One table at one occasion.

    Args:
        streams: everything loaded.
        occasion: when and by whom.
        table: the table's seats.
        game: the game it spreads.
        book: the book in force for that game.
    """

    streams: Streams
    occasion: Occasion
    table: TableSeats
    game: Game
    book: ResolvedBook

    @property
    def at(self) -> datetime:
        """The effective time."""
        return self.occasion.at

    @property
    def stream(self) -> StreamId:
        """The stream of the table's seats."""
        return seats_stream(self.table.room, self.table.table)

    @property
    def is_stud(self) -> bool:
        """Whether the game has no button."""
        return self.game.form in STUDS

    @property
    def stakes(self) -> str:
        """Kind and limit of the game, for the return window."""
        return self.game.stakes

    def presence(self, player_id: str) -> Presence:
        """Return where a player is in the room."""
        found: Presence = self.streams[presence_stream(self.table.room, player_id)]
        return found

    def presences(self, player_id: str) -> tuple[Presence, ...]:
        """Return where a player is in the room under each record of the person."""
        own = self.presence(player_id)
        room = self.table.room
        return (own, *(self.streams[presence_stream(room, other)] for other in own.absorbed))

    def presence_stream(self, player_id: str) -> StreamId:
        """Return the stream of a player's presence."""
        return presence_stream(self.table.room, player_id)

    def on_table(self, *events: Event) -> Decision:
        """Return a decision that records events on the table's stream."""
        return tuple((self.stream, event) for event in events)

    def seat(self, number: int, field: str = "seat") -> Seat:
        """Return a seat of the table.

        Raises:
            Refused: CR-4, the table has no such seat.
        """
        seat = self.table.seat(number)
        if seat is None or seat.removed:
            chairs = [s for s in self.table.seats if not s.removed]
            raise Refused(
                "SEAT_UNKNOWN",
                "CR-4",
                f"table {self.table.table} has seats 1 to {len(chairs)}, not {number}",
                field=field,
            )
        return seat

    def seated(self, player_id: str, field: str = "player_id") -> tuple[Seat, Seated]:
        """Return the seat in which a player sits, and the player in it.

        Raises:
            Refused: CR-6, the player does not sit at this table.
        """
        seat = self.table.seat_of(player_id)
        if seat is None or seat.seated is None:
            raise Refused(
                "NOT_SEATED",
                "CR-6",
                f"player {player_id} does not sit at table {self.table.table}",
                field=field,
            )
        return seat, seat.seated

    def occupant(self, number: int) -> tuple[Seat, Seated]:
        """Return a seat and who sits there.

        Raises:
            Refused: CR-4 no such seat, CR-6 nobody sits there.
        """
        seat = self.seat(number)
        if seat.seated is None:
            raise Refused("SEAT_EMPTY", "CR-6", f"nobody sits in seat {number}", field="seat")
        return seat, seat.seated

    def elsewhere(self, table: str) -> "Here":
        """Return another table of the room at the same occasion.

        Raises:
            Refused: CR-6, no game runs there.
        """
        return here_at(self.streams, self.occasion, self.table.room, table, "to_table")

    def like_tables(self) -> tuple[TableSeats, ...]:
        """Return the open tables of the room that spread a game of this type and limit, this one included."""
        floor: Floor = self.streams[floor_stream(self.table.room)]
        found = []
        for table, _, _ in floor.tables:
            state: TableSeats | None = self.streams.get(seats_stream(self.table.room, table))
            if state and state.phase is Phase.OPEN and self._is_like(state.game_id):
                found.append(state)
        return tuple(found)

    def _is_like(self, game_id: str) -> bool:
        if game_id == self.table.game_id:
            return True
        return known.game_of(self.streams, self.table.room, game_id).stakes == self.stakes

    def by_floor(self) -> bool:
        """Whether a floorperson or the shift manager acts."""
        return bool(self.occasion.roles & FLOOR)


def here_at(
    streams: Streams,
    occasion: Occasion,
    room: str,
    table: str,
    field: str = "table",
    *,
    broken: bool = False,
) -> Here:
    """Return an open table as a decision sees it.

    Args:
        streams: everything loaded.
        occasion: when and by whom.
        room: the room.
        table: the table.
        field: the request field that names it.
        broken: whether a game that broke will do.

    Raises:
        Refused: CR-2 no such table, CR-6 no game runs there, CR-10 its day is closed.
    """
    state: TableSeats = streams[seats_stream(room, table)]
    if state.phase is Phase.IDLE:
        if not state.table:
            raise Unknown("table", table, field)
        raise Refused("TABLE_IDLE", "CR-6", f"no game runs at table {table}", field=field)
    if state.phase is Phase.DAY_CLOSED:
        raise Refused("DAY_CLOSED", "CR-10", f"the day of table {table} is closed", field=field)
    if state.phase is Phase.BROKEN and not broken:
        raise Refused(
            "GAME_BROKEN",
            "CR-6",
            f"the game at table {table} broke",
            options=("move its players", "open a new game there"),
            field=field,
        )
    game = known.game_of(streams, room, state.game_id, table)
    book = known.rules_of(streams, room, state.game_id, table)
    return Here(streams, occasion, state, game, book)


def check_standing(
    standing: Standing | None, player_id: str, act: Act, occasion: Occasion
) -> tuple[str, ...]:
    """Return the rules that the floor went against in letting a person act; empty where nothing stands in the way.

    Args:
        standing: what players answered; None where no answer came.
        player_id: who wants to act.
        act: what.
        occasion: when, by whom.

    Raises:
        Refused: the person may not, or CR-14 nobody could tell and the floor did not take it upon itself.
    """
    if standing is None:
        refusal = Refused(
            "STANDING_UNKNOWN",
            "CR-14",
            f"players did not say in time whether {player_id} may {act.value.replace('_', ' ')}",
            options=("try again", "the floor overrides with a reason"),
            field="player_id",
        )
        require_override(occasion, FLOOR, refusal)
        return refusal.rules
    barred = impediment_to(standing, act, occasion.at)
    if barred is not None:
        raise barred
    return ()


def player_ids_of(command: Any) -> set[str]:
    """Return the players that a command names."""
    named = {value for name in PERSONS if (value := getattr(command, name, ""))}
    return named | set(getattr(command, "player_ids", ()))
