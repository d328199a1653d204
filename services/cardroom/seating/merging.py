"""Two records of one person: where the one sits or is kept a seat, the other does from now on."""

from typing import Any, Final

import msgspec

from cardroom.kernel.decisions import Decision, Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.streams import StreamId, Streams
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.here import PERSONS, Here, here_at
from cardroom.seating.presence import Floor, Presence, floor_stream, presence_stream
from cardroom.seating.renaming import named
from cardroom.seating.table import Phase, TableSeats, seats_stream
from cardroom.seating.values import Exclusion

SEATED_TWICE: Final = "SEATED_TWICE"
"""Why one of two seats that one person turned out to hold is not dealt in."""


def merge_presence(streams: Streams, occasion: Occasion, command: c.MergePresence) -> Decision:
    """Let what a person did under another record count, and what is kept for it hold, under the surviving one.

    A person who turned out to sit under both records keeps both seats for now: nobody is moved by a clerk's work. The
    seat under the old record is not dealt in, and is to be given up; once the other one is left it goes on as the
    person's.
    """
    stream = presence_stream(command.room, command.into_id)
    surviving: Presence = streams[stream]
    old: Presence = streams[presence_stream(command.room, command.from_id)]
    records: list[tuple[StreamId, Event]] = [
        (stream, e.PresenceAbsorbed(from_id=other))
        for other in (command.from_id, *old.absorbed)
        if other not in surviving.absorbed
    ]
    if old.into_id != command.into_id:
        replaced = e.RecordReplaced(into_id=command.into_id)
        records.append((presence_stream(command.room, command.from_id), replaced))
    floor: Floor = streams[floor_stream(command.room)]
    for table, _, _ in floor.tables:
        state: TableSeats = streams[seats_stream(command.room, table)]
        if state.phase in (Phase.IDLE, Phase.DAY_CLOSED) or not named(state, command.from_id):
            continue
        here = here_at(streams, occasion, command.room, table, broken=True)
        if old.table == table and surviving.table:
            records.extend(_kept_out(here, command.from_id))
        else:
            records.extend(under(here, old, command.from_id, command.into_id))
    return tuple(records)


def as_known(command: Any, streams: Streams) -> Any:
    """Return a command with the records that count, where it names people by records that were merged.

    Others may hear of a merge later than seating. A second seat that its person still has goes by the old record.
    """

    def now(record: str) -> str:
        found: Presence = streams[presence_stream(command.room, record)]
        return now(found.into_id) if found.into_id and not found.table else record

    changed: dict[str, Any] = {
        name: now(value) for name in PERSONS if (value := getattr(command, name, ""))
    }
    if people := getattr(command, "player_ids", ()):
        changed["player_ids"] = tuple(dict.fromkeys(now(one) for one in people))
    same = all(getattr(command, name) == value for name, value in changed.items())
    return command if same else msgspec.structs.replace(command, **changed)


def _kept_out(here: Here, player_id: str) -> Decision:
    """Return that a second seat of a person is not dealt in."""
    seat = here.table.seat_of(player_id)
    if seat is None or seat.seated is None or seat.seated.exclusion is not None:
        return ()
    return here.on_table(
        e.PlayerExcluded(
            room=here.table.room,
            table=here.table.table,
            seat=seat.number,
            player_id=player_id,
            exclusion=Exclusion(
                code=SEATED_TWICE, rules=here.book.cite("seating.one_seat_each"), must_leave=True
            ),
        )
    )


def under(here: Here, old: Presence, player_id: str, into_id: str) -> Decision:
    """Return what lets a table's seat, or what it keeps for a name, go on under the surviving record."""
    sits = old.table == here.table.table
    renamed = e.RecordRenamed(
        room=here.table.room,
        table=here.table.table,
        game_id=here.table.game_id,
        player_id=player_id,
        into_id=into_id,
        seat=old.seat if sits else 0,
        at=here.at,
    )
    if not sits:
        return here.on_table(renamed)
    stood = e.StoodUp(
        room=here.table.room,
        table=here.table.table,
        at=here.at,
        stakes=here.stakes,
        chips_cents=None,
        moved=True,
    )
    sat = e.SatDown(
        room=here.table.room, table=here.table.table, seat=old.seat, at=old.since or here.at
    )
    return (
        (here.stream, renamed),
        (here.presence_stream(player_id), stood),
        (here.presence_stream(into_id), sat),
    )


def second_seat(here: Here, player_id: str) -> Decision:
    """Return what lets a person's second seat go on as the only one, the first being left."""
    room = here.table.room
    for record in here.presence(player_id).absorbed:
        old: Presence = here.streams[presence_stream(room, record)]
        if not old.table:
            continue
        there = here_at(here.streams, here.occasion, room, old.table)
        seat = there.table.seat_of(record)
        if seat is None or seat.seated is None:
            continue
        admitted: tuple[Event, ...] = ()
        if seat.seated.exclusion is not None and seat.seated.exclusion.code == SEATED_TWICE:
            admitted = (
                e.PlayerReadmitted(room=room, table=old.table, seat=seat.number, player_id=record),
            )
        return (*there.on_table(*admitted), *under(there, old, record, player_id))
    return ()
