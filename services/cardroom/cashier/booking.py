"""Booking what other contexts saw happen to chips, and counting drop boxes."""

from typing import Any

from cardroom.cashier import commands as c
from cardroom.cashier import events as e
from cardroom.cashier import ledger as books
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused
from cardroom.known.merged import MergeRecords, record_now


def noted(
    command: c.NoteChipsToTable | c.NoteChipsFromTable | c.NoteDrop | c.NoteJackpotDrop,
) -> Any:
    """Book what other contexts saw happen to chips: it happened, whatever the books say that the place held."""
    table = books.table_chips(command.table)
    cents = check_cents(command.cents, "cents", least=1)
    match command:
        case c.NoteChipsToTable():
            return e.ChipsBroughtToTable(
                legs=_seen(books.PLAYERS_CHIPS, table, cents),
                table=command.table,
                player_id=command.player_id,
                cents=cents,
                cause=command.cause,
            )
        case c.NoteChipsFromTable():
            return e.ChipsTakenFromTable(
                legs=_seen(
                    table,
                    books.TIPS if command.purpose == "tip" else books.PLAYERS_CHIPS,
                    cents,
                ),
                table=command.table,
                player_id=command.player_id,
                cents=cents,
                purpose=command.purpose,
                cause=command.cause,
            )
        case c.NoteDrop():
            return e.DropTaken(
                legs=_seen(table, books.drop_chips(command.table), cents),
                table=command.table,
                hand_id=command.hand_id,
                cents=cents,
                what=command.what,
                cause=command.cause,
            )
        case c.NoteJackpotDrop():
            return e.JackpotFunded(
                legs=_seen(table, books.jackpot_chips(), cents),
                table=command.table,
                hand_id=command.hand_id,
                cents=cents,
                cause=command.cause,
            )


def merged(command: MergeRecords, ledger: e.LedgerState) -> tuple[e.RecordMerged, ...]:
    """Let what a person has and owes under a merged record go on under the surviving one."""
    into = record_now(ledger.merged, command.into_id)
    if record_now(ledger.merged, command.from_id) == into:
        return ()
    old, new = books.credit_cash(command.from_id), books.credit_cash(into)
    owed = books.booked(ledger, old)
    legs = books.conserved((e.Leg(old, -owed), e.Leg(new, owed))) if owed else ()
    return (e.RecordMerged(legs=legs, from_id=command.from_id, into_id=into),)


def take_returned(command: c.NoteTakeReturned, ledger: e.LedgerState) -> e.TakeReturned:
    """Book what went back to a table from its box, or from the jackpot's account; a counted box gives from the cage."""
    cents = check_cents(command.cents, "cents", least=1)
    table = books.table_chips(command.table)
    if command.what == "jackpot":
        legs = _seen(books.jackpot_chips(), table, cents)
    else:
        from_box = min(cents, books.in_box(ledger, command.table, command.hand_id))
        box = books.drop_chips(command.table)
        legs = _seen(box, table, from_box) if from_box else ()
        if cents > from_box:
            legs += _seen(books.CAGE_CHIPS, table, cents - from_box)
    return e.TakeReturned(
        legs=legs,
        table=command.table,
        hand_id=command.hand_id,
        cents=cents,
        what=command.what,
        cause=command.cause,
    )


def table_counted(command: c.NoteTableCount) -> e.TableCounted:
    """Book chips of a table that were found or missing, or that a ruling moved out of or into the house's account."""
    table, other = books.table_chips(command.table), command.account
    if command.change_cents > 0:
        legs = _seen(other, table, command.change_cents)
    else:
        legs = _seen(table, other, -command.change_cents)
    return e.TableCounted(
        legs=legs,
        table=command.table,
        change_cents=command.change_cents,
        reason=command.reason,
        rules=command.rules,
        cause=command.cause,
    )


def _seen(source: str, target: str, cents: int) -> tuple[e.Leg, ...]:
    """Move what was seen to move; messages come in any order, so what the source holds decides nothing."""
    return books.conserved(books.move(source, target, cents))


def count_drop(command: c.CountDrop, ledger: e.LedgerState) -> e.DropCounted:
    """Count a drop box into the cage; two people count, and a difference needs a reason."""
    account = books.drop_chips(command.table)
    expected = books.balance(ledger, account)
    counted = check_cents(command.counted_cents, "counted_cents")
    if len(set(command.counted_by)) < 2:
        raise Refused(
            "TWO_COUNT",
            "CR-9",
            "counted_by names fewer than two people; two count a drop box",
            field="counted_by",
        )
    if counted != expected and not command.reason.strip():
        raise Refused(
            "COUNT_DIFFERS",
            "CR-8",
            f"counted {dollars(counted)}, the books have {dollars(expected)}: a difference needs a reason",
            options=("count again", "give the reason"),
            field="reason",
        )
    legs: list[e.Leg] = []
    if expected:
        legs += books.move(account, books.CAGE_CHIPS, expected)
    if counted > expected:
        legs += books.move(books.UNEXPLAINED_CHIPS, books.CAGE_CHIPS, counted - expected)
    elif counted < expected:
        legs += books.move(books.CAGE_CHIPS, books.UNEXPLAINED_CHIPS, expected - counted)
    return e.DropCounted(
        legs=books.require(ledger, legs),
        table=command.table,
        expected_cents=expected,
        counted_cents=counted,
        counted_by=command.counted_by,
        reason=command.reason,
    )
