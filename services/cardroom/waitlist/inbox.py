"""What the lists learn from others: seats and games from seating, bars and merged records from players."""

from datetime import UTC

from cardroom.adapters.bus.envelope import Received
from cardroom.api.players.v1 import players_events_pb2 as players
from cardroom.api.seating.v1 import seating_events_pb2 as seating
from cardroom.kernel.decisions import Command
from cardroom.waitlist import commands as c

MOVES = frozenset({"must_move", "moved"})
"""Reasons for leaving a seat that take a player to the main game."""


def from_players(message: Received) -> tuple[Command, ...]:
    """Take barred people off every list, and let one person's names go on under the surviving record.

    Args:
        message: a published message whose source is players.
    """
    match message.payload:
        case players.PlayerBarred() as barred:
            until = (
                barred.bar.until.ToDatetime(tzinfo=UTC) if barred.bar.HasField("until") else None
            )
            return tuple(
                c.StrikePlayer(
                    room=room,
                    player_id=barred.player_id,
                    rules=tuple(barred.bar.rules),
                    until=until,
                )
                for room in barred.rooms
            )
        case players.BarLifted() | players.PlayerCleared() as free if not free.still_held:
            return tuple(
                c.ReadmitPlayer(room=room, player_id=free.player_id) for room in free.rooms
            )
        case players.RecordMerged() as merged:
            return tuple(
                c.MergeNames(room=room, from_id=merged.player_id, into_id=merged.into_id)
                for room in merged.rooms
            )
        case _:
            return ()


def _first(message: Received, room: str, game_id: str, names: tuple[str, ...], why: str) -> Command:
    entries = tuple((f"first.{message.notification_id}.{n}", name) for n, name in enumerate(names))
    return c.PlaceFirst(room=room, game_id=game_id, players=entries, reason=why, heard=True)


def _games(message: Received) -> tuple[Command, ...]:
    """Return what opened, started, changed, broken and closed games mean."""
    match message.payload:
        case seating.TableOpened() as opened:
            return (
                c.NoteTableOpened(
                    room=opened.room,
                    game_id=opened.game_id,
                    table=opened.table,
                    seats=opened.seats + opened.extra_seats,
                    feeds=opened.feeds,
                ),
            )
        case seating.GameStarted() as started:
            return (c.NoteStarted(room=started.room, game_id=started.game_id, table=started.table),)
        case seating.GameChanged() as changed:
            return (
                c.NoteTableClosed(
                    room=changed.room,
                    game_id=changed.from_game_id,
                    table=changed.table,
                    reason="game changed",
                ),
                c.NoteTableOpened(
                    room=changed.room,
                    game_id=changed.game_id,
                    table=changed.table,
                    seats=changed.seats,
                    players=tuple(changed.players),
                    open_seats=tuple(changed.open_seats),
                    running=True,
                ),
            )
        case seating.TableBroken() | seating.TableClosed() as gone:
            return (
                c.NoteTableClosed(
                    room=gone.room,
                    game_id=gone.game_id,
                    table=gone.table,
                    reason="broken" if isinstance(gone, seating.TableBroken) else "closed",
                ),
            )
        case seating.SeatOrderSet() as ordered if ordered.without_seat:
            names = tuple(ordered.without_seat)
            return (_first(message, ordered.room, ordered.game_id, names, "game broken"),)
        case _:
            return ()


def from_seating(message: Received) -> tuple[Command, ...]:
    """Note seats, players and games; open seats cause calls.

    Args:
        message: a published message whose source is seating.
    """
    match message.payload:
        case seating.SeatOpened() | seating.ReservationEnded() as seat:
            return (
                c.NoteSeatOpen(
                    room=seat.room, game_id=seat.game_id, table=seat.table, seat=seat.seat
                ),
            )
        case seating.SeatLocked() as locked:
            return (
                c.NoteSeatKept(
                    room=locked.room,
                    game_id=locked.game_id,
                    table=locked.table,
                    seat=locked.seat,
                    player_id=locked.lock.player_id,
                ),
            )
        case seating.SeatReserved() as reserved:
            return (
                c.NoteSeatKept(
                    room=reserved.room,
                    game_id=reserved.game_id,
                    table=reserved.table,
                    seat=reserved.seat,
                    player_id=reserved.player_id,
                ),
            )
        case seating.SeatUnlocked() as unlocked if unlocked.first_on_list:
            return (
                _first(
                    message,
                    unlocked.room,
                    unlocked.game_id,
                    (unlocked.player_id,),
                    "seat forfeited",
                ),
            )
        case seating.SeatUnlocked(reason="expired") as unlocked:
            return (
                c.NoteLockExpired(
                    room=unlocked.room,
                    game_id=unlocked.game_id,
                    table=unlocked.table,
                    seat=unlocked.seat,
                    player_id=unlocked.player_id,
                ),
            )
        case seating.ListOrderFailed(order="OrderMustMove") as failed:
            return (
                c.NoteOrderFailed(
                    room=failed.room,
                    game_id=failed.game_id,
                    table=failed.to_table,
                    player_id=failed.player_id,
                    reason=failed.message,
                ),
            )
        case seating.ListOrderFailed(order="LockSeat") as failed:
            return (
                c.NoteLockExpired(
                    room=failed.room,
                    game_id=failed.game_id,
                    table=failed.table,
                    seat=failed.seat,
                    player_id=failed.player_id,
                ),
            )
        case seating.PlayerSeated() as seated:
            return (
                c.NoteSeated(
                    room=seated.room,
                    game_id=seated.game_id,
                    table=seated.table,
                    seat=seated.seat,
                    player_id=seated.player_id,
                    from_table=seated.from_table,
                    moved=seated.reason in MOVES,
                ),
            )
        case seating.PlayerLeft() as left:
            return (
                c.NoteLeft(
                    room=left.room,
                    game_id=left.game_id,
                    table=left.table,
                    player_id=left.player_id,
                    players_before=left.players_before,
                    moved=left.reason in MOVES,
                ),
            )
        case seating.RecordRenamed() as renamed:
            return (
                c.NoteRenamed(
                    room=renamed.room,
                    game_id=renamed.game_id,
                    table=renamed.table,
                    from_id=renamed.player_id,
                    into_id=renamed.into_id,
                    seated=renamed.seat > 0,
                ),
            )
        case seating.SeatChanged() as changed:
            return (
                c.NoteSeatKept(
                    room=changed.room,
                    game_id=changed.game_id,
                    table=changed.table,
                    seat=changed.to_seat,
                    player_id=changed.player_id,
                ),
            )
        case _:
            return _games(message)
