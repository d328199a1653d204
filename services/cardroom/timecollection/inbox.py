"""What timecollection learns from the tables and the waiting list."""

from cardroom.adapters.bus.envelope import Received
from cardroom.api.tables.v1 import tables_events_pb2 as tables
from cardroom.kernel.decisions import Command
from cardroom.timecollection import commands as c


def from_tables(message: Received) -> tuple[Command, ...]:
    """Turn what the tables publish into what this context notes."""
    room = message.room
    match message.payload:
        case tables.TableOpened() as opened:
            return (
                c.OpenCollection(room=room, table=opened.table, game_id=opened.game_id, heard=True),
            )
        case tables.TableClosed() as closed:
            return (c.CloseCollection(room=room, table=closed.table, heard=True),)
        case tables.TableGameChanged() as changed:
            return (
                c.NoteGame(room=room, table=changed.table, game_id=changed.game_id, heard=True),
            )
        case tables.TableSeatTaken() as sat:
            player = sat.player_id
            return (
                c.NoteSeat(room=room, table=sat.table, seat=sat.seat, player_id=player, heard=True),
            )
        case tables.TableSeatLeft() as left:
            return (c.NoteLeft(room=room, table=left.table, seat=left.seat, heard=True),)
        case tables.HandStarted() as started:
            return (
                c.NoteHandDealt(
                    room=room,
                    table=started.table,
                    hand_id=started.hand_id,
                    seats=tuple(seat.seat for seat in started.dealt_in),
                    big_blind_seat=started.big_blind_seats[0] if started.big_blind_seats else 0,
                    button_collection_seat=started.collection_seat,
                    button_collection_cents=started.collection_cents,
                    heard=True,
                ),
            )
        case _:
            return ()
