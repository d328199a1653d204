"""The cashier's decider: one ledger a room, every command of a room in order."""

from typing import Any, Final, assert_never

import msgspec

from cardroom import known
from cardroom.cashier import booking, sales, tournament
from cardroom.cashier import commands as c
from cardroom.cashier import events as e
from cardroom.cashier import ledger as books
from cardroom.kernel.decisions import Command, Decider, Decision, Occasion, require_override
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import StreamId, Streams, stream_id
from cardroom.known.merged import MergeRecords, under_now
from cardroom.rulebook.model import ResolvedBook

TournamentAsked = c.StartTournament | c.BeginTournamentLevel | c.TournamentBuyIn | c.ColorUp
LedgerAsked = (
    c.AppointBanker
    | c.OpenCage
    | c.OpenShift
    | c.CloseShift
    | c.SellChips
    | c.RedeemChips
    | c.SettleOddChips
    | c.AcceptCheck
    | c.ProcessCheck
    | c.ReturnCheck
    | c.DeliverCheckChips
    | c.SendRunner
    | c.RunnerArrives
    | c.NoteChipsToTable
    | c.NoteChipsFromTable
    | c.NoteTableCount
    | c.NoteDrop
    | c.NoteJackpotDrop
    | c.NoteTakeReturned
    | c.CountDrop
    | c.NotePayout
    | MergeRecords
    | c.PayOut
    | c.Adjust
    | c.CloseBank
    | c.CloseDay
)
COMMANDS: Final[tuple[type[Command], ...]] = (
    *LedgerAsked.__args__,
    *TournamentAsked.__args__,
    known.NoteHouse,
)
HEARD: Final = (
    c.NoteChipsToTable,
    c.NoteChipsFromTable,
    c.NoteTableCount,
    c.NoteDrop,
    c.NoteJackpotDrop,
    c.NoteTakeReturned,
    c.NotePayout,
    MergeRecords,
)
"""What other contexts saw: booked even while the cage is closed, for it happened."""
MANAGERS: Final = frozenset({"shift_manager", "admin"})


def ledger_stream(room: str) -> StreamId:
    """Return the stem of a room's ledger."""
    return stream_id("ledger", room)


def tournament_stream(room: str, name: str) -> StreamId:
    """Return a tournament's stream."""
    return stream_id("tournament", room, name)


def key(command: Any) -> str:
    """Order all cashier commands of a room."""
    return str(command.room)


def reads(command: Any, streams: Streams) -> frozenset[StreamId]:
    """Name the ledger, the room's book and, where one is meant, the tournament."""
    if isinstance(command, known.NoteHouse):
        return known.reads(command, streams)
    wanted = known.game_streams(streams, command.room) | {ledger_stream(command.room)}
    if isinstance(command, TournamentAsked):
        wanted |= {tournament_stream(command.room, command.tournament)}
    return wanted


def decide(command: Any, streams: Streams, occasion: Occasion) -> Decision:
    """Decide one command.

    Raises:
        Refused: the book or an invariant does not allow it.
    """
    if isinstance(command, known.NoteHouse):
        return known.decide(command, streams)
    rules = known.rules_of(streams, command.room)
    ledger: e.LedgerState = streams[ledger_stream(command.room)]
    command = under_now(command, ledger.merged)
    if isinstance(command, TournamentAsked):
        return _tournament(command, streams, ledger, rules)
    stream = ledger_stream(command.room)
    return tuple((stream, event) for event in _ledger(command, ledger, rules, occasion))


def _must_be_open(ledger: e.LedgerState, room: str) -> None:
    if not ledger.opened:
        raise Refused(
            "CAGE_CLOSED", "CR-6", f"the cage of room {room!r} has not opened", ("open the cage",)
        )


def _ledger(
    command: Any, ledger: e.LedgerState, rules: ResolvedBook, occasion: Occasion
) -> tuple[Any, ...]:
    asked: LedgerAsked = command
    if not isinstance(asked, c.OpenCage | c.AppointBanker):
        refusal = sales.bank_refusal(ledger, "", rules) if isinstance(asked, c.SellChips) else None
        if refusal is not None:
            raise refusal
        if not isinstance(asked, HEARD):
            _must_be_open(ledger, asked.room)
    match asked:
        case c.AppointBanker():
            return (e.BankerAppointed(player_id=asked.player_id, rules=rules.cite("cashier.bank")),)
        case c.OpenCage():
            return (open_cage(asked, ledger),)
        case c.OpenShift():
            if ledger.shift:
                raise Refused(
                    "SHIFT_OPEN", "CR-7", f"shift {ledger.shift!r} is open", field="shift"
                )
            return (e.ShiftOpened(shift=asked.shift, cashier=occasion.actor),)
        case c.CloseShift():
            return (close_shift(asked, ledger),)
        case c.SellChips():
            return sales.sell(ledger, asked, rules, occasion.actor)
        case c.RedeemChips():
            check_cents(asked.cents, "cents", least=1)
            return sales.redeem(ledger, asked, rules)
        case c.SettleOddChips():
            return sales.settle_odd_chips(ledger, asked, rules)
        case c.AcceptCheck() | c.ProcessCheck() | c.ReturnCheck() | c.DeliverCheckChips():
            return (check(asked, ledger, rules),)
        case c.SendRunner() | c.RunnerArrives():
            return (runner(asked, ledger),)
        case c.NoteChipsToTable() | c.NoteChipsFromTable() | c.NoteDrop() | c.NoteJackpotDrop():
            return (booking.noted(asked),)
        case c.NoteTakeReturned():
            return (booking.take_returned(asked, ledger),)
        case MergeRecords():
            return booking.merged(asked, ledger)
        case c.NoteTableCount():
            return (booking.table_counted(asked),)
        case c.CountDrop():
            return (booking.count_drop(asked, ledger),)
        case c.NotePayout() | c.PayOut():
            return (payout(asked, ledger),)
        case c.Adjust():
            return (adjust(asked, ledger, occasion),)
        case c.CloseBank():
            return sales.close_bank(ledger, asked, rules)
        case c.CloseDay():
            cash = books.balance(ledger, books.CAGE_CASH)
            return (
                e.LedgerDayClosed(chips_issued_cents=books.issued_cents(ledger), cash_cents=cash),
                e.LedgerCarriedForward(
                    gaming_day=asked.gaming_day,
                    state=msgspec.structs.replace(
                        ledger, bought={}, sold_cents=0, redeemed_cents=0
                    ),
                ),
            )
        case _:
            assert_never(asked)


def open_cage(command: c.OpenCage, ledger: e.LedgerState) -> e.CageOpened:
    """Open the cage once; its chips are all the chips issued."""
    if ledger.opened:
        raise Refused(
            "CAGE_OPEN", "CR-7", f"the cage of room {command.room!r} is open", field="room"
        )
    legs: list[e.Leg] = []
    if check_cents(command.chips_cents, "chips_cents"):
        legs += books.move(books.ISSUED, books.CAGE_CHIPS, command.chips_cents)
    if check_cents(command.cash_cents, "cash_cents"):
        legs += books.move(books.FLOAT_CASH, books.CAGE_CASH, command.cash_cents)
    return e.CageOpened(legs=books.require(ledger, legs), room=command.room)


def close_shift(command: c.CloseShift, ledger: e.LedgerState) -> e.ShiftClosed:
    """Count a shift out; what is over or short goes to an account of its own, with the reason."""
    if ledger.shift != command.shift:
        raise Refused(
            "SHIFT_NOT_OPEN", "CR-6", f"shift {command.shift!r} is not open", field="shift"
        )
    cash, chips = books.balance(ledger, books.CAGE_CASH), books.balance(ledger, books.CAGE_CHIPS)
    legs: list[e.Leg] = []
    for counted, expected, place, over in (
        (
            check_cents(command.counted_cash_cents, "counted_cash_cents"),
            cash,
            books.CAGE_CASH,
            books.UNEXPLAINED_CASH,
        ),
        (
            check_cents(command.counted_chips_cents, "counted_chips_cents"),
            chips,
            books.CAGE_CHIPS,
            books.UNEXPLAINED_CHIPS,
        ),
    ):
        # The count is the truth: it also ends the wait for what would explain a place that gave more than it had.
        change = 0 if counted == expected else counted - books.booked(ledger, place)
        if change > 0:
            legs += books.move(over, place, change)
        elif change < 0:
            legs += books.move(place, over, -change)
    if legs and not command.reason.strip():
        raise Refused(
            "COUNT_DIFFERS",
            "CR-8",
            f"counted {dollars(command.counted_cash_cents)} cash and {dollars(command.counted_chips_cents)} chips; "
            f"the books have {dollars(cash)} and {dollars(chips)}: a difference needs a reason",
            options=("count again", "give the reason"),
            field="reason",
        )
    return e.ShiftClosed(
        legs=books.require(ledger, legs),
        shift=command.shift,
        expected_cash_cents=cash,
        counted_cash_cents=command.counted_cash_cents,
        expected_chips_cents=chips,
        counted_chips_cents=command.counted_chips_cents,
        reason=command.reason,
    )


def check(
    command: c.AcceptCheck | c.ProcessCheck | c.ReturnCheck | c.DeliverCheckChips,
    ledger: e.LedgerState,
    rules: ResolvedBook,
) -> Any:
    """Take, process, return a check, or give its chips out; none before it is processed (LC-29)."""
    known_checks = {one.check_id: one for one in ledger.checks}
    if isinstance(command, c.AcceptCheck):
        if command.check_id in known_checks:
            raise Refused(
                "CHECK_TWICE",
                "CR-7",
                f"check {command.check_id!r} was taken already",
                field="check_id",
            )
        cents = check_cents(command.cents, "cents", least=1)
        taken = e.Check(
            check_id=command.check_id, player_id=command.player_id, cents=cents, table=command.table
        )
        return e.CheckTaken(check=taken)
    found = known_checks.get(command.check_id)
    if found is None:
        raise Unknown("check", command.check_id, "check_id")
    match command:
        case c.ProcessCheck():
            if found.processed:
                raise Refused(
                    "CHECK_PROCESSED",
                    "CR-7",
                    f"check {command.check_id!r} is processed",
                    field="check_id",
                )
            return e.CheckProcessed(check_id=command.check_id)
        case c.ReturnCheck():
            return e.CheckReturned(check_id=command.check_id, reason=command.reason)
        case c.DeliverCheckChips():
            cited = rules.cite("cashier.check_first")
            if not found.processed:
                raise Refused(
                    "CHECK_NOT_PROCESSED",
                    cited,
                    f"check {command.check_id!r} of {dollars(found.cents)} is not processed",
                    options=("process the check",),
                    field="check_id",
                )
            legs = (
                *books.move(books.CAGE_CHIPS, books.PLAYERS_CHIPS, found.cents),
                *books.move(books.OUTSIDE_CASH, "cash/checks", found.cents),
            )
            return e.CheckChipsDelivered(
                legs=books.require(ledger, legs),
                check_id=found.check_id,
                player_id=found.player_id,
                cents=found.cents,
                rules=cited,
            )


def runner(command: c.SendRunner | c.RunnerArrives, ledger: e.LedgerState) -> Any:
    """Send chips to a table by a runner, or take note that they arrived with the player."""
    if isinstance(command, c.SendRunner):
        if any(run.run_id == command.run_id for run in ledger.runs):
            raise Refused(
                "RUN_TWICE", "CR-7", f"run {command.run_id!r} is under way", field="run_id"
            )
        cents = check_cents(command.cents, "cents", least=1)
        if command.cash_received_cents != cents:
            raise Refused(
                "CASH_FIRST",
                "CR-8",
                f"{dollars(cents)} of chips go out for {dollars(cents)} cash",
                field="cash_received_cents",
            )
        run = e.Run(
            run_id=command.run_id,
            runner=command.runner,
            player_id=command.player_id,
            table=command.table,
            cents=cents,
        )
        legs = (
            *books.move(books.CAGE_CHIPS, books.transit_chips(), cents),
            *books.move(books.OUTSIDE_CASH, books.CAGE_CASH, cents),
        )
        return e.RunnerSent(legs=books.require(ledger, legs), run=run)
    for run in ledger.runs:
        if run.run_id == command.run_id:
            legs = books.move(books.transit_chips(), books.PLAYERS_CHIPS, run.cents)
            return e.RunnerArrived(
                legs=books.require(ledger, legs),
                run_id=run.run_id,
                player_id=run.player_id,
                table=run.table,
                cents=run.cents,
            )
    raise Unknown("run", command.run_id, "run_id")


def payout(command: c.NotePayout | c.PayOut, ledger: e.LedgerState) -> Any:
    """Take note of what the house owes, or pay it in chips."""
    if isinstance(command, c.NotePayout):
        owed = e.Payout(
            payout_id=command.payout_id,
            player_id=command.player_id,
            cents=check_cents(command.cents, "cents", least=1),
            account=books.jackpot_chips(),
            reason=command.reason,
            rules=command.rules,
        )
        return e.PayoutOwed(payout=owed)
    for owed in ledger.payouts:
        if owed.payout_id == command.payout_id:
            # The jackpot's own chips pay first; a pool that the house seeded is paid from the cage for the rest.
            from_pool = min(owed.cents, books.balance(ledger, owed.account))
            legs: list[e.Leg] = []
            if from_pool:
                legs += books.move(owed.account, books.PLAYERS_CHIPS, from_pool)
            if owed.cents > from_pool:
                legs += books.move(books.CAGE_CHIPS, books.PLAYERS_CHIPS, owed.cents - from_pool)
            return e.PayoutPaid(
                legs=books.require(ledger, legs),
                payout_id=owed.payout_id,
                player_id=owed.player_id,
                cents=owed.cents,
                rules=owed.rules,
            )
    raise Unknown("payout", command.payout_id, "payout_id")


def adjust(command: c.Adjust, ledger: e.LedgerState, occasion: Occasion) -> e.Adjusted:
    """Put an account right by hand: a shift manager's act, with its cause."""
    if not occasion.roles & MANAGERS:
        refusal = Refused("ADJUST_ROLE", "CR-9", "an adjustment is a shift manager's act")
        require_override(occasion, MANAGERS, refusal)
    if not command.reason.strip():
        raise Refused("REASON_MISSING", "CR-9", "an adjustment names its cause", field="reason")
    source, target = (
        books.account_now(ledger, one) for one in (command.from_account, command.to_account)
    )
    legs = books.require(ledger, books.move(source, target, command.cents))
    return e.Adjusted(legs=legs, reason=command.reason)


def _tournament(
    command: TournamentAsked, streams: Streams, ledger: e.LedgerState, rules: ResolvedBook
) -> Decision:
    stream = tournament_stream(command.room, command.tournament)
    state = tournament.under_records(streams[stream], ledger.merged)
    match command:
        case c.StartTournament():
            return ((stream, tournament.start(state, command, rules)),)
        case c.BeginTournamentLevel():
            if not state.started:
                raise Unknown("tournament", command.tournament, "tournament")
            return ((stream, e.TournamentLevelBegan(level=state.level + 1)),)
        case c.TournamentBuyIn():
            _must_be_open(ledger, command.room)
            bought = tournament.buy_in(state, command, rules)
            out: list[tuple[StreamId, Any]] = [(stream, bought)]
            if bought.fee_cents:
                legs = books.require(
                    ledger, books.move(books.OUTSIDE_CASH, books.CAGE_CASH, bought.fee_cents)
                )
                fee = e.TournamentFeeTaken(
                    legs=legs, tournament=command.tournament, player_id=command.player_id
                )
                out.append((ledger_stream(command.room), fee))
            return tuple(out)
        case c.ColorUp():
            return ((stream, tournament.color_up(state, command, rules)),)


def book_digest(command: Any, streams: Streams) -> str:
    """Return the digest of the room's own book."""
    if isinstance(command, known.NoteHouse):
        return ""
    return known.digest_of(streams, command.room)


DECIDER: Final = Decider(
    context="cashier",
    events=e.EVENTS,
    aggregates={
        books.LEDGER.kind: books.LEDGER,
        tournament.TOURNAMENT.kind: tournament.TOURNAMENT,
        **known.AGGREGATES,
    },
    key=key,
    reads=reads,
    decide=decide,
    commands=COMMANDS,
    book_digest=book_digest,
)
