"""What seating learns from others: who may no longer play, how hands go, and what the lists want."""

from datetime import UTC

from cardroom.adapters.bus.envelope import Received
from cardroom.api.players.v1 import players_events_pb2 as players
from cardroom.api.tables.v1 import tables_events_pb2 as tables
from cardroom.api.waitlist.v1 import waitlist_events_pb2 as waitlist
from cardroom.kernel.decisions import Command
from cardroom.seating import commands as c
from cardroom.seating.values import Deal, LockKind


def from_players(message: Received) -> tuple[Command, ...]:
    """Deal barred people out in every room of the group, and let them in again.

    Args:
        message: a published message whose source is players.
    """
    match message.payload:
        case players.PlayerBarred() as barred:
            until = (
                barred.bar.until.ToDatetime(tzinfo=UTC) if barred.bar.HasField("until") else None
            )
            return tuple(
                c.ExcludePlayer(
                    room=room,
                    player_id=barred.player_id,
                    code=barred.bar.code,
                    rules=tuple(barred.bar.rules),
                    until=until,
                    must_leave=barred.bar.code == "BARRED",
                )
                for room in barred.rooms
            )
        case players.PlayerDealtOut() as out:
            return tuple(
                c.ExcludePlayer(
                    room=room,
                    player_id=out.player_id,
                    code="DEALT_OUT_UNTIL_CLEARED",
                    rules=tuple(out.rules),
                    must_leave=False,
                )
                for room in out.rooms
            )
        case players.RecordMerged() as merged:
            return tuple(
                c.MergePresence(room=room, from_id=merged.player_id, into_id=merged.into_id)
                for room in merged.rooms
            )
        case players.BarLifted() | players.PlayerCleared() as free if not free.still_held:
            return tuple(
                c.ReadmitPlayer(room=room, player_id=free.player_id) for room in free.rooms
            )
        case _:
            return ()


def from_tables(message: Received) -> tuple[Command, ...]:
    """Note hands and the blinds that went by absent players; tables that seating does not run are passed over.

    Args:
        message: a published message whose source is tables.
    """
    match message.payload:
        case tables.HandStarted() as hand:
            deal = Deal(
                number=hand.hand_number,
                button=hand.button_seat,
                small=hand.small_blind_seats[0] if hand.small_blind_seats else 0,
                big=hand.big_blind_seats[-1] if hand.big_blind_seats else 0,
            )
            noted = c.NoteHand(
                room=hand.room,
                table=hand.table,
                deal=deal,
                dealt_in=tuple(one.seat for one in hand.dealt_in),
                players=tuple(one.player_id for one in hand.dealt_in),
            )
            missed = tuple(
                c.NoteMissedBlind(
                    room=hand.room, table=hand.table, seat=one.seat, player_id=one.player_id
                )
                for one in hand.missed
                if one.big
            )
            return (noted, *missed)
        case tables.HandEnded() as hand:
            return (c.NoteHandEnd(room=hand.room, table=hand.table, number=hand.hand_number),)
        case _:
            return ()


def from_waitlist(message: Received) -> tuple[Command, ...]:
    """Carry out what the lists want: names called to a new game, must-moves, lock-ups.

    Args:
        message: a published message whose source is waitlist.
    """
    match message.payload:
        case waitlist.NameCalled() as called if called.call.new_game:
            return (
                c.NoteCalled(
                    room=called.room,
                    table=called.call.table,
                    player_ids=(called.player_id,),
                ),
            )
        case waitlist.CallDropped() | waitlist.NameRolled() | waitlist.NameRemoved() as gone:
            if not gone.table:
                return ()
            return (c.NoteUncalled(room=gone.room, table=gone.table, player_id=gone.player_id),)
        case waitlist.SignUpBarred() as barred:
            return (
                c.BarFromGame(
                    room=barred.room,
                    player_id=barred.bar.player_id,
                    game_id=barred.game_id,
                    until=barred.bar.until.ToDatetime(tzinfo=UTC),
                    rules=tuple(barred.bar.rules),
                ),
            )
        case waitlist.WaitingChanged() as waiting:
            return tuple(
                c.NoteWaiting(room=waiting.room, table=table, names=waiting.names)
                for table in waiting.tables
            )
        case waitlist.CalledToMain() as called:
            if called.playing:
                return (
                    c.FollowMustMove(
                        room=called.room,
                        table=called.feeder,
                        player_id=called.player_id,
                        to_table=called.main,
                        to_seat=called.seat,
                    ),
                )
            return (
                c.FollowLock(
                    room=called.room,
                    table=called.main,
                    seat=called.seat,
                    player_id=called.player_id,
                    kind=LockKind.MUST_MOVE,
                ),
            )
        case waitlist.MoveDeclined() as declined:
            return (
                c.FollowLeave(
                    room=declined.room, table=declined.feeder, player_id=declined.player_id
                ),
            )
        case waitlist.SeatLockedUp() as locked:
            return (
                c.FollowLock(
                    room=locked.room,
                    table=locked.table,
                    seat=locked.seat,
                    player_id=locked.player_id,
                    kind=LockKind.LOCKUP,
                    entry_id=locked.entry_id,
                ),
            )
        case _:
            return ()
