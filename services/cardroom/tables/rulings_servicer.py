"""The gRPC service of irregularities, findings, rulings and disputes."""

from typing import Any, TypeVar

from google.protobuf.message import Message

from cardroom import known
from cardroom.adapters.grpc.servicer import Servicer
from cardroom.api.tables.v1 import rulings_service_pb2 as pb
from cardroom.api.tables.v1 import rulings_service_pb2_grpc as pb_grpc
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import Streams
from cardroom.poker.reading import Reader
from cardroom.tables import commands as c
from cardroom.tables import ruling_commands as rc
from cardroom.tables.dispute import Dispute, dispute_id, the_dispute
from cardroom.tables.hand import Hand
from cardroom.tables.hand_rules import hand_rules
from cardroom.tables.hand_views import hand_message
from cardroom.tables.irregularities import RULES
from cardroom.tables.notes import notes_id
from cardroom.tables.notes_events import HandNotes
from cardroom.tables.observations.observed import Act, Chips, Did, Motion, Observed
from cardroom.tables.observing import Observe
from cardroom.tables.reading import maybe, pairs, source_of
from cardroom.tables.table import Table, hand_id, table_id
from cardroom.tables.views import dispute_message, irregularity_message, notes_message

R = TypeVar("R", bound=Message)


def _motion(given: pb.Motion) -> Motion:
    if given.did not in set(Did):
        raise Refused(
            "MOTION_UNKNOWN",
            "CR-4",
            f"motions.did is {given.did!r}: no such motion",
            options=[did.value for did in Did],
            field="motions.did",
        )
    return Motion(
        did=Did(given.did),
        words=given.words,
        chips=tuple(Chips(one.denomination_cents, one.count) for one in given.chips),
        cents=maybe(given, "cents"),
    )


def observed_of(request: pb.ObserveRequest) -> Observed:
    """Return what somebody saw as the core reads it.

    Raises:
        Refused: CR-4, a motion that does not exist.
    """
    return Observed(
        seat=request.seat,
        motions=tuple(_motion(one) for one in request.motions),
        after=request.after_version,
        in_turn=maybe(request, "in_turn"),
        heard=not request.not_heard,
        aware=maybe(request, "aware"),
        deliberate=maybe(request, "deliberate"),
        behind=tuple(
            Act(seat=one.seat, act=one.act, to_cents=maybe(one, "to_cents"))
            for one in request.behind
        ),
        caused=maybe(request, "caused"),
        called_by=request.called_by,
        asks=request.asks,
        opponent_wants=request.opponent_wants,
        time_after=maybe(request, "time_after"),
        in_muck=maybe(request, "in_muck"),
        cards=tuple(request.cards),
        in_front_cents=maybe(request, "in_front_cents"),
        facing_cents=maybe(request, "facing_cents"),
        raise_to_cents=maybe(request, "raise_to_cents"),
        raises=maybe(request, "raises"),
    )


class RulingsServicer(Servicer, pb_grpc.RulingsServiceServicer):
    """Answers `RulingsService`."""

    app: Any

    def __init__(self, app: Any, reader: Reader) -> None:
        super().__init__(app)
        self.reader = reader

    async def _irregularity(
        self, context: Any, request: Any, command: c.TableCommand, reply: type[R], number: int = 0
    ) -> R:
        def view(streams: Streams) -> R:
            table: Table = streams[table_id(request.room, request.table)]
            hand = request.hand_number or table.last_hand
            notes: HandNotes = streams[notes_id(request.room, request.table, hand)]
            at = number or len(notes.irregularities)
            made: Any = reply
            shown: R = made(
                irregularity=irregularity_message(at, notes.irregularities[at - 1]),
                hand_id=hand_id(request.room, request.table, hand),
            )
            return shown

        return await self.record(context, request, command, reply, view)

    async def ReportIrregularity(
        self, request: pb.ReportIrregularityRequest, context: Any
    ) -> pb.ReportIrregularityResponse:
        """Report an irregularity; answer with the finding."""
        command = rc.ReportIrregularity(
            room=request.room,
            table=request.table,
            hand=request.hand_number,
            kind=request.kind,
            told=tuple((fact.name, fact.value) for fact in request.facts),
            reported_by=request.reported_by,
            seen_at=request.seen_at,
            record=request.offender_record,
            source=source_of(request.source),
            reconstructed=request.reconstructed,
        )
        return await self._irregularity(context, request, command, pb.ReportIrregularityResponse)

    async def Observe(self, request: pb.ObserveRequest, context: Any) -> pb.ObserveResponse:
        """Report what a player was seen to do; answer with what it means."""
        command = Observe(
            room=request.room,
            table=request.table,
            hand=request.hand_number,
            observed=observed_of(request),
            reported_by=request.reported_by,
            seen_at=request.seen_at,
            record=request.offender_record,
            source=source_of(request.source),
            reconstructed=request.reconstructed,
        )
        return await self._irregularity(context, request, command, pb.ObserveResponse)

    async def ListMotions(
        self, request: pb.ListMotionsRequest, context: Any
    ) -> pb.ListMotionsResponse:
        """List the motions that an observation can name."""
        return pb.ListMotionsResponse(motions=[did.value for did in Did])

    async def AddFacts(self, request: pb.AddFactsRequest, context: Any) -> pb.AddFactsResponse:
        """Give further facts; answer with the new finding."""
        command = rc.AddFacts(
            room=request.room,
            table=request.table,
            hand=request.hand_number,
            irregularity=request.irregularity,
            told=tuple((fact.name, fact.value) for fact in request.facts),
            source=source_of(request.source),
        )
        return await self._irregularity(
            context, request, command, pb.AddFactsResponse, request.irregularity
        )

    async def RuleOnFinding(
        self, request: pb.RuleOnFindingRequest, context: Any
    ) -> pb.RuleOnFindingResponse:
        """Confirm a finding or override it."""
        command = rc.RuleOn(
            room=request.room,
            table=request.table,
            hand=request.hand_number,
            irregularity=request.irregularity,
            decision=request.decision,
            reason=request.reason,
        )
        return await self._irregularity(
            context, request, command, pb.RuleOnFindingResponse, request.irregularity
        )

    async def NoteFact(self, request: pb.NoteFactRequest, context: Any) -> pb.NoteFactResponse:
        """Tell a fact of a hand."""
        command = rc.NoteFact(
            room=request.room,
            table=request.table,
            hand=request.hand_number,
            about=request.about,
            says=request.says,
            source=source_of(request.source),
            told_by=request.told_by,
            reconstructed=not request.live,
            amends=request.amends,
        )

        def view(streams: Streams) -> pb.NoteFactResponse:
            table: Table = streams[table_id(request.room, request.table)]
            number = request.hand_number or table.last_hand
            stem = hand_id(request.room, request.table, number)
            notes = streams[notes_id(request.room, request.table, number)]
            return pb.NoteFactResponse(notes=notes_message(stem, notes))

        return await self.record(context, request, command, pb.NoteFactResponse, view)

    async def GetHandNotes(
        self, request: pb.GetHandNotesRequest, context: Any
    ) -> pb.GetHandNotesResponse:
        """Return what stands beside a hand."""
        table: Table
        table, _ = await self.app.state(table_id(request.room, request.table))
        number = request.hand_number or table.last_hand
        if not 1 <= number <= table.last_hand:
            raise Unknown("hand", str(request.hand_number), field="hand_number")
        notes, _ = await self.app.state(notes_id(request.room, request.table, number))
        stem = hand_id(request.room, request.table, number)
        return pb.GetHandNotesResponse(notes=notes_message(stem, notes))

    async def ListIrregularityKinds(
        self, request: pb.ListIrregularityKindsRequest, context: Any
    ) -> pb.ListIrregularityKindsResponse:
        """List the kinds of irregularity that can be reported."""
        return pb.ListIrregularityKindsResponse(kinds=sorted(RULES))

    async def _dispute(
        self, context: Any, request: Any, command: rc.DisputeCommand, reply: type[R]
    ) -> R:
        def view(streams: Streams) -> R:
            state: Dispute = streams[dispute_id(request.room, request.table, request.dispute)]
            made: Any = reply
            shown: R = made(dispute=dispute_message(state))
            return shown

        return await self.record(context, request, command, reply, view)

    async def OpenDispute(
        self, request: pb.OpenDisputeRequest, context: Any
    ) -> pb.OpenDisputeResponse:
        """Ask for a ruling on a hand before the next deal."""
        command = rc.OpenDispute(
            room=request.room,
            table=request.table,
            dispute=request.dispute,
            hand=request.hand_number,
            asked_by=request.asked_by,
            question=request.question,
            turns_on_cards=request.turns_on_cards,
            pot_cents=maybe(request, "pot_cents"),
        )
        return await self._dispute(context, request, command, pb.OpenDisputeResponse)

    async def AddEvidence(
        self, request: pb.AddEvidenceRequest, context: Any
    ) -> pb.AddEvidenceResponse:
        """Add what somebody saw or a camera shows."""
        command = rc.AddEvidence(
            room=request.room,
            table=request.table,
            dispute=request.dispute,
            about=request.about,
            says=request.says,
            source=source_of(request.source),
            told_by=request.told_by,
        )
        return await self._dispute(context, request, command, pb.AddEvidenceResponse)

    async def ImpoundPot(
        self, request: pb.ImpoundPotRequest, context: Any
    ) -> pb.ImpoundPotResponse:
        """Hold the disputed chips while play goes on."""
        command = rc.ImpoundPot(
            room=request.room,
            table=request.table,
            dispute=request.dispute,
            sources=pairs(request.sources),
            reason=request.reason,
        )
        return await self._dispute(context, request, command, pb.ImpoundPotResponse)

    async def RuleDispute(
        self, request: pb.RuleDisputeRequest, context: Any
    ) -> pb.RuleDisputeResponse:
        """Rule on a dispute."""
        command = rc.RuleDispute(
            room=request.room,
            table=request.table,
            dispute=request.dispute,
            decision=request.decision,
            moves=pairs(request.moves),
            house_cents=request.house_cents,
            awards=pairs(request.awards),
            away_cents=request.away_cents,
            reason=request.reason,
            rules=tuple(request.rules),
        )
        return await self._dispute(context, request, command, pb.RuleDisputeResponse)

    async def AppealRuling(
        self, request: pb.AppealRulingRequest, context: Any
    ) -> pb.AppealRulingResponse:
        """Ask for a dispute to be ruled on again."""
        command = rc.AppealRuling(
            room=request.room,
            table=request.table,
            dispute=request.dispute,
            asked_by=request.asked_by,
            reason=request.reason,
        )
        return await self._dispute(context, request, command, pb.AppealRulingResponse)

    async def ReconstructHand(
        self, request: pb.ReconstructHandRequest, context: Any
    ) -> pb.ReconstructHandResponse:
        """Begin the record of a hand that was only counted."""
        command = rc.ReconstructHand(
            room=request.room,
            table=request.table,
            dispute=request.dispute,
            stacks=pairs(request.stacks),
        )

        def view(streams: Streams) -> pb.ReconstructHandResponse:
            state: Dispute = streams[dispute_id(request.room, request.table, request.dispute)]
            hand: Hand = streams[hand_id(state.room, state.table, state.hand)]
            book = streams[known.book_stream(hand.book_digest)]
            rules = hand_rules(book, hand.game, self.reader)
            return pb.ReconstructHandResponse(
                dispute=dispute_message(state), hand=hand_message(hand, rules)
            )

        return await self.record(context, request, command, pb.ReconstructHandResponse, view)

    async def GetDispute(
        self, request: pb.GetDisputeRequest, context: Any
    ) -> pb.GetDisputeResponse:
        """Return a dispute."""
        state, _ = await self.app.state(dispute_id(request.room, request.table, request.dispute))
        return pb.GetDisputeResponse(dispute=dispute_message(the_dispute(state, request.dispute)))
