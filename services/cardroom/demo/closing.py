"""The last acts: everybody leaves, the cage is counted, the gaming day closes, the log is verified."""

from typing import Any, Final

from cardroom.api.audit.v1 import audit_service_pb2 as audit
from cardroom.api.audit.v1.audit_service_pb2_grpc import AuditServiceStub
from cardroom.api.cashier.v1 import cashier_service_pb2 as cashier
from cardroom.api.cashier.v1.cashier_service_pb2_grpc import CashierServiceStub
from cardroom.api.reporting.v1 import reporting_service_pb2 as reporting
from cardroom.api.reporting.v1.reporting_service_pb2_grpc import ReportingServiceStub
from cardroom.api.seating.v1 import seating_service_pb2 as seating
from cardroom.api.seating.v1.seating_service_pb2_grpc import SeatingServiceStub
from cardroom.api.timecollection.v1 import timecollection_service_pb2 as time
from cardroom.api.timecollection.v1.timecollection_service_pb2_grpc import TimeCollectionServiceStub
from cardroom.api.waitlist.v1 import waitlist_service_pb2 as waitlist
from cardroom.api.waitlist.v1.waitlist_service_pb2_grpc import WaitlistServiceStub
from cardroom.demo.opening import CASH_CENTS, CHIPS_CENTS, LARGE, SMALL, table_view
from cardroom.demo.room import ROOM, Room
from cardroom.kernel.money import dollars

TABLES: Final = ("t1", "t2", "t3")
NEXT_DAY: Final = "2026-03-07"
TODAY: Final = "2026-03-06"


async def ledger(room: Room) -> Any:
    """Read the ledger."""
    request = cashier.GetLedgerRequest(room=ROOM)
    return (await room.ask("cage", CashierServiceStub, "GetLedger", request)).ledger


async def balances(room: Room) -> dict[str, int]:
    """Read every account of the ledger that holds something."""
    return {one.account: one.amount_cents for one in (await ledger(room)).balances}


async def everybody_leaves(room: Room) -> None:
    """Pick up every stack, leave, and cash out."""
    story = room.story
    story.act("Everybody leaves")
    for table in TABLES:
        occupied = (await table_view(room, table)).table.occupied
        stacks = await _stacks(room, table, occupied)
        for player_id, cents in stacks.items():
            leave = seating.LeaveSeatRequest(
                room=ROOM, table=table, player_id=player_id, chips_cents=cents
            )
            await room.soon("brush", SeatingServiceStub, "LeaveSeat", leave)
        await _table_is_empty(room, table)
        close = seating.CloseTableRequest(room=ROOM, table=table)
        await room.soon("floor", SeatingServiceStub, "CloseTable", close)
        story.tell(f"{table}: {len(stacks)} players leave with {dollars(sum(stacks.values()))}")
    left = (await balances(room)).get("chips/players", 0)
    redeem = cashier.RedeemChipsRequest(room=ROOM, player_id="everybody", amount_cents=left)
    await room.ask("cage", CashierServiceStub, "RedeemChips", redeem)
    story.tell(f"the cage pays out {dollars(left)}", f"ledger/{ROOM}")


async def _table_is_empty(room: Room, table: str) -> None:
    account = f"chips/table/{table}"
    await room.until(
        f"{account} to be empty", lambda: balances(room), lambda found: not found.get(account)
    )


async def _stacks(room: Room, table: str, occupied: Any) -> dict[str, int]:
    """Return what each player of a table leaves with; a table that only counts hands counts its stacks now."""
    if all(seat.HasField("stack_cents") for seat in occupied):
        return {seat.player_id: seat.stack_cents for seat in occupied}
    await _all_booked(room, table)
    on_table = (await balances(room))[f"chips/table/{table}"]
    each = on_table // len(occupied) // 100 * 100
    stacks = {seat.player_id: each for seat in occupied}
    stacks[occupied[0].player_id] += on_table - each * len(occupied)
    return stacks


async def _all_booked(room: Room, table: str) -> None:
    """Wait until the cage has booked all time taken at a table, and agrees with the tables about every chip."""
    request = time.GetCollectionRequest(room=ROOM, table=table)
    found = await room.ask("floor", TimeCollectionServiceStub, "GetCollection", request)
    taken_cents, box = found.collection.collected_cents, f"chips/drop/{table}"
    await room.until(
        f"{box} to hold {dollars(taken_cents)} of time",
        lambda: balances(room),
        lambda held: held.get(box, 0) >= taken_cents,
    )
    await balance(room)


async def count_the_cage(room: Room) -> None:
    """Count drop boxes and cage; the books have to be right to the cent."""
    story = room.story
    story.act("The cage is counted")
    await balance(room)
    for account, cents in (await balances(room)).items():
        if account.startswith("chips/drop/"):
            table = account.rpartition("/")[2]
            count = cashier.CountDropRequest(
                room=ROOM, table=table, counted_cents=cents, counted_by=["Mae", "Ned"]
            )
            await room.ask("cage", CashierServiceStub, "CountDrop", count)
            story.tell(f"the box of {table} holds {dollars(cents)}")
    found = await balances(room)
    shift = cashier.CloseShiftRequest(
        room=ROOM,
        shift="night",
        counted_cash_cents=found["cash/cage"],
        counted_chips_cents=found["chips/cage"],
    )
    await room.ask("cage", CashierServiceStub, "CloseShift", shift)
    end = await ledger(room)
    rows = [(one.account, dollars(one.amount_cents)) for one in end.balances]
    story.table("The ledger at the end of the night", ("account", "holds"), rows)
    in_play = {
        one.account: one.amount_cents
        for one in end.balances
        if one.account.startswith(
            ("chips/table/", "chips/players", "chips/unexplained", "chips/house")
        )
    }
    if not end.in_balance or in_play or end.issued_cents != CHIPS_CENTS:
        raise AssertionError(f"the cage does not balance: {rows}")
    won = found["cash/cage"] - CASH_CENTS
    trend = "up" if won >= 0 else "down"
    story.tell(
        f"every chip of {dollars(CHIPS_CENTS)} is accounted for; "
        f"the cash is {trend} {dollars(abs(won))}"
    )


async def balance(room: Room) -> Any:
    """Hold tables, cashier and jackpot against each other, once what is on its way between them has arrived.

    Raises:
        NotInTime: a chip is missing, or one too many, and stays so.
    """
    request = audit.CheckBalanceRequest(room=ROOM)
    return await room.until(
        "every chip to be accounted for",
        lambda: room.ask("auditor", AuditServiceStub, "CheckBalance", request),
        lambda found: found.holds,
    )


async def tell_balance(room: Room) -> None:
    """Tell where every chip of the room is."""
    found = await balance(room)
    rows = [(part.name, dollars(part.cents), part.owner) for part in found.parts if part.cents]
    head = ("where", "holds", "by the store of")
    room.story.table(f"Every chip of {dollars(found.issued_cents)}", head, rows)


async def close_the_day(room: Room) -> None:
    """Close the gaming day of everything that closes with it, and show its figures."""
    story = room.story
    story.act("The gaming day closes")
    day: dict[str, Any] = {"room": ROOM, "gaming_day": NEXT_DAY}
    for game_id in (SMALL, LARGE):
        closed = waitlist.CloseDayRequest(**day, game_id=game_id)
        await room.ask("manager", WaitlistServiceStub, "CloseDay", closed)
    await room.ask("manager", CashierServiceStub, "CloseDay", cashier.CloseDayRequest(**day))
    story.tell("boards and ledger close and are carried forward", f"ledger/{ROOM}/{NEXT_DAY}")
    request = reporting.GetDayFiguresRequest(room=ROOM, gaming_day=TODAY)
    figures = await room.until(
        "the day's figures",
        lambda: room.ask("manager", ReportingServiceStub, "GetDayFigures", request),
        lambda found: any(one.figure == "drop_counted_cents" for one in found.figures),
    )
    rows = [(one.figure, one.table, f"{one.amount:,}") for one in figures.figures]
    story.table("The day's figures", ("figure", "table", "amount"), rows)


async def judge_again(room: Room) -> None:
    """Judge every recorded hand of the night again by today's engine.

    Raises:
        AssertionError: something is decided otherwise than it was.
    """
    story = room.story
    story.act("The hands are judged again")
    for table in TABLES:
        request = audit.JudgeHandsRequest(room=ROOM, table=table)
        judged = await room.ask("auditor", AuditServiceStub, "JudgeHands", request)
        differing = [one for one in judged.hands if one.differences]
        if differing:
            raise AssertionError(f"decided otherwise today: {differing}")
        if judged.hands:
            story.tell(f"{table}: {len(judged.hands)} hands, each decided today as it was then")


async def verify(room: Room) -> None:
    """Verify every log against its hash chains, seals and anchors, once all of it is sealed.

    Raises:
        AssertionError: something is not as it was recorded.
    """
    story = room.story
    story.act("The log is verified")
    found = await room.until(
        "every event to be sealed",
        lambda: room.ask("auditor", AuditServiceStub, "VerifyLogs", audit.VerifyLogsRequest()),
        lambda seen: not seen.intact or not any(one.unsealed_events for one in seen.reports),
    )
    rows = [
        (
            report.context,
            report.events,
            report.seals,
            report.anchored,
            report.unsealed_events,
            "intact" if not report.faults else "; ".join(fault.message for fault in report.faults),
        )
        for report in found.reports
    ]
    head = ("log", "events", "seals", "anchored", "unsealed", "verdict")
    story.table("Hash chains, seals and anchors", head, rows)
    if not (found.intact and found.readable):
        raise AssertionError("the log is not as it was recorded, or cannot be read")
    story.tell("every stored event is as it was recorded")
