"""What the cashier books of what happened elsewhere: chips to and from tables, drops, time, jackpot shares."""

from cardroom.adapters.bus.envelope import Received
from cardroom.api.jackpot.v1 import jackpot_events_pb2 as jackpot
from cardroom.api.tables.v1 import tables_events_pb2 as tables
from cardroom.api.timecollection.v1 import timecollection_events_pb2 as time
from cardroom.cashier import commands as c
from cardroom.cashier import ledger as books
from cardroom.kernel.decisions import Command


def from_tables(message: Received) -> tuple[Command, ...]:
    """Book chips that came to tables, left them, or were taken from hands for the house."""
    room, cause = message.room, message.message_id
    match message.payload:
        case tables.TableSeatTaken() as sat:
            return _to_table(
                room, sat.table, sat.player_id, sat.stack_cents + sat.behind_cents, cause
            )
        case tables.TableChipsAdded() as added:
            return _to_table(
                room, added.table, added.player_id, added.cents - added.announced_cents, cause
            )
        case tables.TableSeatLeft() as left:
            return _from_table(room, left.table, left.player_id, left.stack_cents, cause)
        case tables.TableChipsRemoved() as removed if removed.purpose == "time":
            return ()  # booked from what timecollection publishes, into the drop box
        case tables.TableChipsRemoved() as removed:
            return _from_table(
                room, removed.table, removed.player_id, removed.cents, cause, removed.purpose
            )
        case tables.HandEnded() as ended if not ended.void:
            return tuple(_taken(room, ended, take, cause) for take in ended.taken if take.cents)
        case tables.HandReopened() as reopened:
            return tuple(
                c.NoteTakeReturned(
                    room=room,
                    table=reopened.table,
                    hand_id=reopened.hand_id,
                    cents=take.cents,
                    what=take.account,
                    cause=cause,
                )
                for take in reopened.taken
                if take.cents
            )
        case tables.TableStacksCounted() as counted if counted.difference_cents:
            return (
                c.NoteTableCount(
                    room=room,
                    table=counted.table,
                    change_cents=counted.difference_cents,
                    account=books.UNEXPLAINED_CHIPS,
                    reason="stacks counted",
                    cause=cause,
                ),
            )
        case tables.TableStacksCorrected() as corrected if corrected.house_cents:
            return (
                c.NoteTableCount(
                    room=room,
                    table=corrected.table,
                    change_cents=corrected.house_cents,
                    account=books.house_chips(corrected.account),
                    reason=corrected.cause,
                    rules=tuple(corrected.rules),
                    cause=cause,
                ),
            )
        case tables.TableClosed() as closed if closed.leftover_cents:
            return (
                c.NoteTableCount(
                    room=room,
                    table=closed.table,
                    change_cents=-closed.leftover_cents,
                    account=books.UNEXPLAINED_CHIPS,
                    reason=f"left on the closed table: {closed.reason}",
                    cause=cause,
                ),
            )
        case _:
            return ()


def _to_table(room: str, table: str, player: str, cents: int, cause: str) -> tuple[Command, ...]:
    if cents <= 0:
        return ()
    return (c.NoteChipsToTable(room=room, table=table, player_id=player, cents=cents, cause=cause),)


def _from_table(
    room: str, table: str, player: str, cents: int, cause: str, purpose: str = ""
) -> tuple[Command, ...]:
    if cents <= 0:
        return ()
    left = c.NoteChipsFromTable(
        room=room, table=table, player_id=player, cents=cents, cause=cause, purpose=purpose
    )
    return (left,)


def _taken(room: str, ended: tables.HandEnded, take: tables.HandTake, cause: str) -> Command:
    where = {"room": room, "table": ended.table, "hand_id": ended.hand_id, "cause": cause}
    if take.account == "jackpot":
        return c.NoteJackpotDrop(**where, cents=take.cents)
    return c.NoteDrop(**where, cents=take.cents, what=take.account)


def from_timecollection(message: Received) -> tuple[Command, ...]:
    """Book time into the drop box of its table."""
    room, cause = message.room, message.message_id
    match message.payload:
        case time.TimePaid() as paid:
            cents, hand = paid.amount_cents, ""
        case time.TimeTakenFromPot() as paid:
            cents, hand = paid.amount_cents, paid.hand_id
        case _:
            return ()
    return (
        c.NoteDrop(
            room=room, table=paid.table, hand_id=hand, cents=cents, what="time", cause=cause
        ),
    )


def from_jackpot(message: Received) -> tuple[Command, ...]:
    """Note what a jackpot owes each player."""
    match message.payload:
        case jackpot.JackpotWon() as won:
            return tuple(
                c.NotePayout(
                    room=message.room,
                    payout_id=f"{won.claim}.{share.seat}",
                    player_id=share.player_id,
                    cents=share.amount_cents,
                    reason=f"jackpot {won.pool}, {share.part}",
                    rules=tuple(won.rules),
                )
                for share in won.shares
            )
        case _:
            return ()
