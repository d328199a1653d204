"""What timecollection learns from the tables, from seating and from the waiting lists."""

from cardroom.adapters.bus.envelope import Received
from cardroom.api.seating.v1 import seating_events_pb2 as seating
from cardroom.api.tables.v1 import tables_events_pb2 as tables
from cardroom.api.waitlist.v1 import waitlist_events_pb2 as waitlist
from cardroom.kernel.decisions import Command
from cardroom.timecollection import commands as c


def from_tables(message: Received) -> tuple[Command, ...]:
    """Turn what the tables publish into what this context notes."""
    room = message.room
    match message.payload:
        case tables.TableOpened() as opened if not opened.tournament:
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
            return (
                c.NoteLeft(
                    room=room,
                    table=left.table,
                    seat=left.seat,
                    player_id=left.player_id,
                    heard=True,
                ),
            )
        case tables.TableSeatChanged() as moved:
            return (c.NoteSwap(room=room, table=moved.table, seats=(moved.seat, moved.to_seat)),)
        case tables.TableSeatsSwapped() as swapped:
            first, second = swapped.seats
            return (c.NoteSwap(room=room, table=swapped.table, seats=(first, second)),)
        case tables.TableSeatRenamed() as renamed:
            return (
                c.RenameRecord(
                    room=room,
                    table=renamed.table,
                    player_id=renamed.player_id,
                    into_id=renamed.into_id,
                ),
            )
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
                    at=message.occurred_at,
                    heard=True,
                ),
            )
        case tables.HandEnded() as ended:
            return (
                c.NoteHandEnded(
                    room=room,
                    table=ended.table,
                    hand_id=ended.hand_id,
                    void=ended.void,
                    pot_cents=ended.pot_cents if ended.HasField("pot_cents") else None,
                    winners=tuple(
                        c.ToldWinner(
                            seat=one.seat,
                            cents=one.cents if one.HasField("cents") else None,
                        )
                        for one in ended.won
                    ),
                ),
            )
        case tables.HandReopened() as again:
            return (c.NoteHandReopened(room=room, table=again.table, hand_id=again.hand_id),)
        case _:
            return ()


def from_seating(message: Received) -> tuple[Command, ...]:
    """Turn what seating tells of moves to other tables and of players away into what this context notes.

    Seats taken, left, changed and swapped come from the tables, in one order with the hands.
    """
    match message.payload:
        case seating.PlayerSeated() as seated:
            # Who sits down is there; word of an earlier absence that came late ends with it.
            there = c.NoteAway(
                room=seated.room,
                table=seated.table,
                seat=seated.seat,
                away=False,
                player_id=seated.player_id,
                heard=True,
            )
            if not seated.from_table:
                return (there,)
            carried = c.CarryTime(
                room=seated.room,
                table=seated.from_table,
                player_id=seated.player_id,
                to_table=seated.table,
                to_seat=seated.seat,
            )
            return (carried, there)
        case seating.TableBroken() as broken:
            return (c.NoteBroken(room=broken.room, table=broken.table, at=message.occurred_at),)
        case seating.RecordRenamed() as renamed:
            return (
                c.RenameRecord(
                    room=renamed.room,
                    table=renamed.table,
                    player_id=renamed.player_id,
                    into_id=renamed.into_id,
                ),
            )
        case seating.PlayerAway() | seating.PlayerBack() as told:
            return (
                c.NoteAway(
                    room=told.room,
                    table=told.table,
                    seat=told.seat,
                    away=isinstance(told, seating.PlayerAway),
                    player_id=told.player_id,
                    heard=True,
                ),
            )
        case _:
            return ()


def from_waitlist(message: Received) -> tuple[Command, ...]:
    """Turn how many names wait for a game, and which games feed others, into what the tables' collections note."""
    match message.payload:
        case waitlist.MustMoveLinked() as linked:
            return (c.NoteMustMove(room=linked.room, table=linked.feeder, must_move=True),)
        case waitlist.MustMoveUnlinked() as unlinked:
            return (c.NoteMustMove(room=unlinked.room, table=unlinked.feeder, must_move=False),)
        case waitlist.WaitingChanged() as waiting:
            return tuple(
                c.NoteWaiting(
                    room=waiting.room, table=table, waiting_count=waiting.names, heard=True
                )
                for table in waiting.tables
            )
        case _:
            return ()
