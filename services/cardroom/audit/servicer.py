"""The gRPC service of audit."""

from typing import Any

import msgspec
from google.protobuf.json_format import ParseDict
from google.protobuf.struct_pb2 import Struct

from cardroom.adapters.grpc.caller import present_caller
from cardroom.adapters.grpc.convert import fill
from cardroom.adapters.grpc.servicer import instant_of
from cardroom.adapters.installation import Database
from cardroom.adapters.settings import Settings
from cardroom.api.audit.v1 import audit_service_pb2 as pb
from cardroom.api.audit.v1.audit_service_pb2_grpc import AuditServiceServicer
from cardroom.audit.balance import Balance, check_balance
from cardroom.audit.export import export_hand
from cardroom.audit.judging import Judged, judge_hands
from cardroom.audit.logs import LOGS, verify_logs
from cardroom.audit.reader import Reader
from cardroom.audit.replay import replay_hand
from cardroom.kernel.envelope import Recorded
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.tables.hand_views import SEES_ALL, hand_message

PAGE = 200


def plain(value: Any) -> Struct:
    """Return a frozen value as a protobuf struct: bytes in hex, whole numbers beyond 2^53 as text."""
    found = Struct()
    ParseDict(_exact(msgspec.to_builtins(value, str_keys=True, builtin_types=(bytes,))), found)
    return found


def _exact(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _exact(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_exact(item) for item in value]
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return str(value)
    return value


def record_message(recorded: Recorded) -> pb.Record:
    """Show an event as it stands in the store."""
    around = recorded.envelope
    shown = pb.Record(
        stream=recorded.stream,
        version=recorded.version,
        notification_id=recorded.notification_id,
        topic=recorded.topic,
        gaming_day=around.gaming_day,
        utc_offset_minutes=around.utc_offset_minutes,
        actor=around.actor,
        roles=around.roles,
        station=around.station,
        request_id=around.request_id,
        causation_id=around.causation_id,
        correlation_id=around.correlation_id,
        override_reason=around.override_reason,
        book_digest=around.book_digest,
        own_hash=recorded.own_hash.hex(),
        previous_hash=around.previous_hash.hex(),
        event=plain(recorded.event),
    )
    shown.recorded_at.FromDatetime(around.recorded_at)
    if around.occurred_at is not None:
        shown.occurred_at.FromDatetime(around.occurred_at)
    return shown


def balance_message(balance: Balance) -> pb.CheckBalanceResponse:
    """Show where a room's chips are."""
    return fill(pb.CheckBalanceResponse(holds=balance.holds), balance)


def judged_message(judged: Judged) -> pb.JudgedHand:
    """Return a hand judged again as a message."""
    hand = judged.hand
    return pb.JudgedHand(
        hand_id=hand.hand,
        book_digest=hand.book_digest,
        engine=hand.engine,
        differences=[fill(pb.Differs(), one) for one in judged.differences],
    )


def _in_room(room: str, stem: str) -> None:
    """Raise unless a stream is of the room that the caller's token was held against.

    Raises:
        Unknown: CR-2, it is another room's, or shared content that has no room.
    """
    parts = stem.split("/")
    if len(parts) < 2 or (parts[1] != room and parts[0] != "book"):
        raise Unknown("stream", stem, field="stem")


class AuditServicer(AuditServiceServicer):
    """Answers from the stores alone."""

    def __init__(self, reader: Reader, database: Database, settings: Settings) -> None:
        """Take what reads.

        Args:
            reader: reads streams under the audit role.
            database: for verification under the same role.
            settings: where the anchors lie.
        """
        self._reader = reader
        self._database = database
        self._settings = settings

    async def ReplayHand(
        self, request: pb.ReplayHandRequest, context: Any
    ) -> pb.ReplayHandResponse:
        """Replay a hand to one of its events."""
        if request.hand_id.split("/")[1:2] != [request.room]:
            raise Unknown("hand", request.hand_id, field="hand_id")
        unshown = bool(present_caller().roles & SEES_ALL)
        found = await replay_hand(
            self._reader, request.hand_id, request.at_version, unshown=unshown
        )
        hand = hand_message(
            found.hand,
            found.rules,
            last_version=found.last_version,
            unshown=unshown,
            entries=found.records,
        )
        return pb.ReplayHandResponse(hand=hand, book_title=found.rules.book.title)

    async def ExportHand(
        self, request: pb.ExportHandRequest, context: Any
    ) -> pb.ExportHandResponse:
        """Write a hand in a format that other programs read."""
        if request.hand_id.split("/")[1:2] != [request.room]:
            raise Unknown("hand", request.hand_id, field="hand_id")
        unshown = bool(present_caller().roles & SEES_ALL)
        name = pb.HandFormat.Name(request.format).removeprefix("HAND_FORMAT_").lower()
        found = await export_hand(self._reader, request.hand_id, name, unshown=unshown)
        return pb.ExportHandResponse(text=found.text, file_name=found.file_name)

    async def JudgeHands(
        self, request: pb.JudgeHandsRequest, context: Any
    ) -> pb.JudgeHandsResponse:
        """Judge finished hands of a table again."""
        judged = await judge_hands(
            self._reader,
            request.room,
            request.table,
            request.first_hand,
            request.last_hand,
            request.book,
        )
        return pb.JudgeHandsResponse(hands=map(judged_message, judged))

    async def ListRecords(
        self, request: pb.ListRecordsRequest, context: Any
    ) -> pb.ListRecordsResponse:
        """List a stream's records."""
        _in_room(request.room, request.stem)
        after = _page(request.page_token)
        size = request.page_size or PAGE
        cards = request.context == "tables" and bool(present_caller().roles & SEES_ALL)
        records = await self._reader.records(
            request.context, request.stem, request.gaming_day, confidential=cards
        )
        page = records[after : after + size]
        more = str(after + size) if after + size < len(records) else ""
        return pb.ListRecordsResponse(records=map(record_message, page), next_page_token=more)

    async def GetStateAt(
        self, request: pb.GetStateAtRequest, context: Any
    ) -> pb.GetStateAtResponse:
        """Fold a stream to how it stood."""
        _in_room(request.room, request.stem)
        stood = await self._reader.stood(
            request.context,
            request.stem,
            request.gaming_day,
            at=instant_of(request.at, "at") if request.HasField("at") else None,
            version=request.at_version,
        )
        return pb.GetStateAtResponse(
            version=len(stood.records),
            last=record_message(stood.records[-1]),
            state=plain(stood.state),
        )

    async def CheckBalance(
        self, request: pb.CheckBalanceRequest, context: Any
    ) -> pb.CheckBalanceResponse:
        """Say where every chip of a room is."""
        return balance_message(await check_balance(self._reader, request.room))

    async def VerifyLogs(
        self, request: pb.VerifyLogsRequest, context: Any
    ) -> pb.VerifyLogsResponse:
        """Verify logs against chains, seals and anchors."""
        contexts = tuple(request.contexts) or LOGS
        for name in contexts:
            if name not in LOGS:
                raise Unknown("event log of context", name, field="contexts")
        reports = await verify_logs(self._database, contexts, self._settings.anchor_directory)
        shown = [
            pb.LogReport(
                context=report.application,
                events=report.events,
                seals=report.seals,
                anchored=report.anchored,
                unsealed_events=report.unsealed_events,
                intact=report.intact,
                readable=report.readable,
                faults=[
                    pb.Fault(
                        kind=fault.kind,
                        message=fault.message,
                        stream=fault.stream,
                        version=fault.version,
                        topic=fault.topic,
                    )
                    for fault in report.findings
                ],
            )
            for report in reports
        ]
        return pb.VerifyLogsResponse(
            reports=shown,
            intact=all(report.intact for report in reports),
            readable=all(report.readable for report in reports),
        )


def _page(token: str) -> int:
    if not token:
        return 0
    if not token.isdecimal():
        raise Refused(
            "PAGE_TOKEN_MALFORMED",
            "CR-4",
            f"page_token is {token!r}: not one we gave",
            field="page_token",
        )
    return int(token)
