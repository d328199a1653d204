"""The deadlines that a table holds, and how its stream is folded."""

from datetime import datetime
from typing import Any

from cardroom.kernel.streams import Aggregate
from cardroom.seating import commands as c
from cardroom.seating.table import Phase, TableSeats, evolve


def due(state: TableSeats) -> tuple[tuple[datetime, Any], ...]:
    """Return the deadlines that a table holds: locks, absences, and suspensions of those seated."""
    if state.phase is not Phase.OPEN:
        return ()
    found: list[tuple[datetime, Any]] = []
    for seat in state.seats:
        lock = seat.lock
        counts = lock is not None and (not lock.only_if_waiting or state.waiting > 0)
        if lock is not None and lock.expires_at is not None and counts:
            command = c.ExpireLock(
                room=state.room,
                table=state.table,
                seat=seat.number,
                player_id=lock.player_id,
            )
            found.append((lock.expires_at, command))
        exclusion = seat.seated.exclusion if seat.seated else None
        if seat.seated and exclusion and exclusion.until is not None:
            again = c.ReadmitPlayer(room=state.room, player_id=seat.seated.player_id)
            found.append((exclusion.until, again))
        away = seat.seated.away if seat.seated else None
        if seat.seated and away and away.overdue_from is not None and not away.raised:
            late = c.RaiseAbsence(
                room=state.room,
                table=state.table,
                seat=seat.number,
                player_id=seat.seated.player_id,
            )
            found.append((away.overdue_from, late))
    return tuple(found)


SEATS = Aggregate(kind="seats", initial=TableSeats(), evolve=evolve, day_bound=True, due=due)
