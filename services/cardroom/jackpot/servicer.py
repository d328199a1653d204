"""The jackpot's gRPC service."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, TypeVar

from google.protobuf.message import Message

from cardroom.adapters.grpc.convert import fill, struct_of
from cardroom.adapters.grpc.servicer import Servicer
from cardroom.adapters.grpc.watch import watch_views
from cardroom.api.jackpot.v1 import jackpot_service_pb2 as pb
from cardroom.api.jackpot.v1.jackpot_service_pb2_grpc import JackpotServiceServicer
from cardroom.jackpot import commands as c
from cardroom.jackpot import events as e
from cardroom.jackpot.claim import Claim, Phase, legal
from cardroom.jackpot.core import claim_id_of, claim_stream, pool_stream, pools_of
from cardroom.jackpot.pool import Pool, PoolList
from cardroom.kernel.decisions import Command
from cardroom.kernel.refusal import Unknown
from cardroom.kernel.streams import Streams
from cardroom.known.merged import under_now

M = TypeVar("M", bound=Message)


def facts_of(message: pb.HandFacts) -> e.HandFacts:
    """Read the facts of a hand from a request."""
    return struct_of(
        e.HandFacts,
        message,
        dealt_in=tuple(struct_of(e.SeatPlayer, seat) for seat in message.dealt_in),
        seated=tuple(struct_of(e.SeatPlayer, seat) for seat in message.seated),
        shown=tuple(struct_of(e.ShownHand, hand) for hand in message.shown),
    )


def claim_view(claim_id: str, claim: Claim, merged: Mapping[str, str]) -> pb.Claim:
    """Show a claim with its conditions and what may be done now, its people under the records that count."""
    claim = under_now(claim, merged)
    return fill(
        pb.Claim(claim=claim_id),
        claim,
        phase=claim.phase.value,
        shares=[
            pb.Share(seat=s.seat, player_id=s.player_id, part=s.part, amount_cents=s.cents)
            for s in claim.shares
        ],
        options=legal(claim),
    )


def pool_view(name: str, pool: Pool, pools: PoolList) -> pb.Pool:
    """Show a pool."""
    games = dict(pools.pools).get(name, ())
    return pb.Pool(pool=name, game_ids=games, balance_cents=pool.balance_cents)


class JackpotServicer(Servicer, JackpotServiceServicer):
    """Turns requests into commands; the rules are in the core."""

    async def _on_claim(
        self, context: Any, request: Any, command: Command, claim_id: str, reply: type[M]
    ) -> M:
        def view(streams: Streams) -> M:
            claim: Claim = streams[claim_stream(request.room, claim_id)]
            listed: PoolList = streams[pools_of(request.room)]
            return reply(claim=claim_view(claim_id, claim, listed.merged))

        return await self.record(context, request, command, reply, view)

    async def _on_pool(self, context: Any, request: Any, command: Command, reply: type[M]) -> M:
        def view(streams: Streams) -> M:
            pool = streams[pool_stream(request.room, request.pool)]
            return reply(pool=pool_view(request.pool, pool, streams[pools_of(request.room)]))

        return await self.record(context, request, command, reply, view)

    async def OpenPool(self, request: pb.OpenPoolRequest, context: Any) -> pb.OpenPoolResponse:
        """Open a pool."""
        command = struct_of(c.OpenPool, request)
        return await self._on_pool(context, request, command, pb.OpenPoolResponse)

    async def AdjustPool(
        self, request: pb.AdjustPoolRequest, context: Any
    ) -> pb.AdjustPoolResponse:
        """Change a pool by hand."""
        command = struct_of(c.AdjustPool, request)
        return await self._on_pool(context, request, command, pb.AdjustPoolResponse)

    async def ReverseContribution(
        self, request: pb.ReverseContributionRequest, context: Any
    ) -> pb.ReverseContributionResponse:
        """Take back what a hand paid in."""
        command = struct_of(c.ReverseContribution, request)
        reply = pb.ReverseContributionResponse
        return await self._on_pool(context, request, command, reply)

    async def OpenClaim(self, request: pb.OpenClaimRequest, context: Any) -> pb.OpenClaimResponse:
        """Open a claim by hand."""
        command = struct_of(c.OpenClaim, request, facts=facts_of(request.facts))
        claim_id = claim_id_of(request.facts.hand_id)
        return await self._on_claim(context, request, command, claim_id, pb.OpenClaimResponse)

    async def CorrectClaimFacts(
        self, request: pb.CorrectClaimFactsRequest, context: Any
    ) -> pb.CorrectClaimFactsResponse:
        """Put the facts of a claim right."""
        command = struct_of(c.CorrectFacts, request, facts=facts_of(request.facts))
        reply = pb.CorrectClaimFactsResponse
        return await self._on_claim(context, request, command, request.claim, reply)

    async def ReportTalk(
        self, request: pb.ReportTalkRequest, context: Any
    ) -> pb.ReportTalkResponse:
        """Report talk during the hand."""
        command = struct_of(c.ReportTalk, request)
        return await self._on_claim(context, request, command, request.claim, pb.ReportTalkResponse)

    async def RuleOnTalk(
        self, request: pb.RuleOnTalkRequest, context: Any
    ) -> pb.RuleOnTalkResponse:
        """Decide whether talk voids the jackpot."""
        command = struct_of(c.RuleOnTalk, request)
        return await self._on_claim(context, request, command, request.claim, pb.RuleOnTalkResponse)

    async def AwardJackpot(
        self, request: pb.AwardJackpotRequest, context: Any
    ) -> pb.AwardJackpotResponse:
        """Divide the jackpot."""
        command = struct_of(c.AwardJackpot, request)
        return await self._on_claim(
            context, request, command, request.claim, pb.AwardJackpotResponse
        )

    async def RefuseClaim(
        self, request: pb.RefuseClaimRequest, context: Any
    ) -> pb.RefuseClaimResponse:
        """End a claim that does not qualify."""
        command = struct_of(c.RefuseClaim, request)
        return await self._on_claim(
            context, request, command, request.claim, pb.RefuseClaimResponse
        )

    async def GetClaim(self, request: pb.GetClaimRequest, context: Any) -> pb.GetClaimResponse:
        """Read a claim."""
        state, _ = await self.app.state(claim_stream(request.room, request.claim))
        if state.phase is Phase.NONE:
            raise Unknown("claim", request.claim, "claim")
        listed, _ = await self.app.state(pools_of(request.room))
        return pb.GetClaimResponse(claim=claim_view(request.claim, state, listed.merged))

    async def GetPool(self, request: pb.GetPoolRequest, context: Any) -> pb.GetPoolResponse:
        """Read a pool."""
        return pb.GetPoolResponse(pool=await self._pool(request.room, request.pool))

    async def _pool(self, room: str, name: str) -> pb.Pool:
        pool, version = await self.app.state(pool_stream(room, name))
        if not version:
            raise Unknown("jackpot pool", name, "pool")
        pools, _ = await self.app.state(pools_of(room))
        return pool_view(name, pool, pools)

    async def ListPools(self, request: pb.ListPoolsRequest, context: Any) -> pb.ListPoolsResponse:
        """List a room's pools."""
        pools, _ = await self.app.state(pools_of(request.room))
        return pb.ListPoolsResponse(
            pools=[await self._pool(request.room, name) for name, _ in pools.pools]
        )

    async def WatchPool(
        self, request: pb.WatchPoolRequest, context: Any
    ) -> AsyncIterator[pb.WatchPoolResponse]:
        """Stream a pool."""
        pool_at, list_at = pool_stream(request.room, request.pool), pools_of(request.room)

        def view(states: Mapping[str, Any], versions: Mapping[str, int]) -> pb.WatchPoolResponse:
            if not versions[pool_at]:
                raise Unknown("jackpot pool", request.pool, "pool")
            return pb.WatchPoolResponse(
                pool=pool_view(request.pool, states[pool_at], states[list_at])
            )

        async for message in watch_views(self.app, (pool_at, list_at), view, request.resume_token):
            yield message
