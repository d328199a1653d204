"""The cashier's gRPC service."""

from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, TypeVar

from google.protobuf.message import Message

from cardroom import known
from cardroom.adapters.grpc.convert import fill, struct_of
from cardroom.adapters.grpc.servicer import Servicer
from cardroom.adapters.grpc.watch import watch_views
from cardroom.api.cashier.v1 import cashier_service_pb2 as pb
from cardroom.api.cashier.v1.cashier_service_pb2_grpc import CashierServiceServicer
from cardroom.cashier import commands as c
from cardroom.cashier import events as e
from cardroom.cashier import ledger as books
from cardroom.cashier.core import ledger_stream
from cardroom.cashier.sales import count_chips
from cardroom.kernel.decisions import Command
from cardroom.kernel.refusal import Unknown
from cardroom.kernel.streams import Streams

M = TypeVar("M", bound=Message)


def holdings_of(messages: Iterable[pb.Holding]) -> tuple[c.Holding, ...]:
    """Read what players hand in, with their cards."""
    return tuple(struct_of(c.Holding, message, cents=message.amount_cents) for message in messages)


def ledger_view(state: e.LedgerState) -> pb.Ledger:
    """Show a ledger: every account that holds something, and whether the books are right."""
    return fill(
        pb.Ledger(),
        state,
        balances=_amounts(books.shown(state)),
        made_good=_amounts(books.made_good(state)),
        checks=[fill(pb.Check(amount_cents=check.cents), check) for check in state.checks],
        runs=[fill(pb.Run(amount_cents=run.cents), run) for run in state.runs],
        payouts=[fill(pb.Payout(amount_cents=owed.cents), owed) for owed in state.payouts],
        issued_cents=books.issued_cents(state),
        in_balance=not any(books.totals(state).values()),
    )


def _amounts(found: Mapping[str, int]) -> list[pb.Balance]:
    return [pb.Balance(account=name, amount_cents=cents) for name, cents in sorted(found.items())]


class CashierServicer(Servicer, CashierServiceServicer):
    """Turns requests into commands; the rules are in the core."""

    async def _record(self, context: Any, request: Any, command: Command, reply: type[M]) -> M:
        def view(streams: Streams) -> M:
            return reply(ledger=ledger_view(streams[ledger_stream(request.room)]))

        return await self.record(context, request, command, reply, view)

    async def AppointBanker(
        self, request: pb.AppointBankerRequest, context: Any
    ) -> pb.AppointBankerResponse:
        """Appoint the banker."""
        command = struct_of(c.AppointBanker, request)
        return await self._record(context, request, command, pb.AppointBankerResponse)

    async def OpenCage(self, request: pb.OpenCageRequest, context: Any) -> pb.OpenCageResponse:
        """Open the cage."""
        command = struct_of(c.OpenCage, request)
        return await self._record(context, request, command, pb.OpenCageResponse)

    async def OpenShift(self, request: pb.OpenShiftRequest, context: Any) -> pb.OpenShiftResponse:
        """Open a shift."""
        command = struct_of(c.OpenShift, request)
        return await self._record(context, request, command, pb.OpenShiftResponse)

    async def CloseShift(
        self, request: pb.CloseShiftRequest, context: Any
    ) -> pb.CloseShiftResponse:
        """Count a shift out."""
        command = struct_of(c.CloseShift, request)
        return await self._record(context, request, command, pb.CloseShiftResponse)

    async def SellChips(self, request: pb.SellChipsRequest, context: Any) -> pb.SellChipsResponse:
        """Sell chips."""
        command = struct_of(c.SellChips, request, cents=request.amount_cents)
        return await self._record(context, request, command, pb.SellChipsResponse)

    async def RedeemChips(
        self, request: pb.RedeemChipsRequest, context: Any
    ) -> pb.RedeemChipsResponse:
        """Pay chips out."""
        command = struct_of(c.RedeemChips, request, cents=request.amount_cents)
        return await self._record(context, request, command, pb.RedeemChipsResponse)

    async def SettleOddChips(
        self, request: pb.SettleOddChipsRequest, context: Any
    ) -> pb.SettleOddChipsResponse:
        """End a session and settle odd chips."""
        command = struct_of(c.SettleOddChips, request, holdings=holdings_of(request.holdings))
        return await self._record(context, request, command, pb.SettleOddChipsResponse)

    async def AcceptCheck(
        self, request: pb.AcceptCheckRequest, context: Any
    ) -> pb.AcceptCheckResponse:
        """Take a check."""
        command = struct_of(c.AcceptCheck, request, cents=request.amount_cents)
        return await self._record(context, request, command, pb.AcceptCheckResponse)

    async def ProcessCheck(
        self, request: pb.ProcessCheckRequest, context: Any
    ) -> pb.ProcessCheckResponse:
        """Mark a check as processed."""
        command = struct_of(c.ProcessCheck, request)
        return await self._record(context, request, command, pb.ProcessCheckResponse)

    async def ReturnCheck(
        self, request: pb.ReturnCheckRequest, context: Any
    ) -> pb.ReturnCheckResponse:
        """Mark a check as not honoured."""
        command = struct_of(c.ReturnCheck, request)
        return await self._record(context, request, command, pb.ReturnCheckResponse)

    async def DeliverCheckChips(
        self, request: pb.DeliverCheckChipsRequest, context: Any
    ) -> pb.DeliverCheckChipsResponse:
        """Give out the chips of a processed check."""
        command = struct_of(c.DeliverCheckChips, request)
        return await self._record(context, request, command, pb.DeliverCheckChipsResponse)

    async def SendRunner(
        self, request: pb.SendRunnerRequest, context: Any
    ) -> pb.SendRunnerResponse:
        """Send a runner."""
        command = struct_of(c.SendRunner, request, cents=request.amount_cents)
        return await self._record(context, request, command, pb.SendRunnerResponse)

    async def ConfirmRun(
        self, request: pb.ConfirmRunRequest, context: Any
    ) -> pb.ConfirmRunResponse:
        """Confirm that a runner arrived."""
        command = struct_of(c.RunnerArrives, request)
        return await self._record(context, request, command, pb.ConfirmRunResponse)

    async def CountDrop(self, request: pb.CountDropRequest, context: Any) -> pb.CountDropResponse:
        """Count a drop box."""
        command = struct_of(c.CountDrop, request)
        return await self._record(context, request, command, pb.CountDropResponse)

    async def PayOut(self, request: pb.PayOutRequest, context: Any) -> pb.PayOutResponse:
        """Pay what is owed."""
        command = struct_of(c.PayOut, request)
        return await self._record(context, request, command, pb.PayOutResponse)

    async def AdjustAccounts(
        self, request: pb.AdjustAccountsRequest, context: Any
    ) -> pb.AdjustAccountsResponse:
        """Put accounts right by hand."""
        command = struct_of(c.Adjust, request, cents=request.amount_cents)
        return await self._record(context, request, command, pb.AdjustAccountsResponse)

    async def CloseBank(self, request: pb.CloseBankRequest, context: Any) -> pb.CloseBankResponse:
        """Count the banker's cash."""
        command = struct_of(c.CloseBank, request)
        return await self._record(context, request, command, pb.CloseBankResponse)

    async def StartTournament(
        self, request: pb.StartTournamentRequest, context: Any
    ) -> pb.StartTournamentResponse:
        """Open a tournament."""
        command = struct_of(c.StartTournament, request)
        return await self._record(context, request, command, pb.StartTournamentResponse)

    async def BeginTournamentLevel(
        self, request: pb.BeginTournamentLevelRequest, context: Any
    ) -> pb.BeginTournamentLevelResponse:
        """Begin the next level."""
        command = struct_of(c.BeginTournamentLevel, request)
        return await self._record(context, request, command, pb.BeginTournamentLevelResponse)

    async def BuyIntoTournament(
        self, request: pb.BuyIntoTournamentRequest, context: Any
    ) -> pb.BuyIntoTournamentResponse:
        """Sell starting chips."""
        command = struct_of(c.TournamentBuyIn, request)
        return await self._record(context, request, command, pb.BuyIntoTournamentResponse)

    async def ColorUp(self, request: pb.ColorUpRequest, context: Any) -> pb.ColorUpResponse:
        """Color up."""
        command = struct_of(c.ColorUp, request, leftovers=holdings_of(request.leftovers))
        return await self._record(context, request, command, pb.ColorUpResponse)

    async def CloseDay(self, request: pb.CloseDayRequest, context: Any) -> pb.CloseDayResponse:
        """Close the gaming day."""
        command = struct_of(c.CloseDay, request)
        return await self._record(context, request, command, pb.CloseDayResponse)

    async def GetLedger(self, request: pb.GetLedgerRequest, context: Any) -> pb.GetLedgerResponse:
        """Read the ledger."""
        state, _ = await self.app.state(ledger_stream(request.room))
        return pb.GetLedgerResponse(ledger=ledger_view(state))

    async def CountChips(
        self, request: pb.CountChipsRequest, context: Any
    ) -> pb.CountChipsResponse:
        """Say what counted chips are worth."""
        room, _ = await self.app.state(known.room_stream(request.room))
        if room is None:
            raise Unknown("room", request.room, "room")
        rules, _ = await self.app.state(known.book_stream(room.book_digest))
        colors: dict[str, int] = {}
        for entry in request.colors:
            colors[entry.color] = colors.get(entry.color, 0) + entry.count
        return pb.CountChipsResponse(worth_cents=count_chips(colors, request.tournament, rules))

    async def WatchLedger(
        self, request: pb.WatchLedgerRequest, context: Any
    ) -> AsyncIterator[pb.WatchLedgerResponse]:
        """Stream the ledger."""
        stem = ledger_stream(request.room)

        def view(states: Mapping[str, Any], versions: Mapping[str, int]) -> pb.WatchLedgerResponse:
            if not versions[stem]:
                raise Unknown("ledger of room", request.room, "room")
            return pb.WatchLedgerResponse(ledger=ledger_view(states[stem]))

        async for message in watch_views(self.app, (stem,), view, request.resume_token):
            yield message
