"""BusService: what people do about messages that could not be handled."""

import hashlib
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

from google.protobuf.message import Message

from cardroom.adapters.bus.envelope import Unreadable, received_from
from cardroom.adapters.bus.handlers import ProjectionHandler
from cardroom.adapters.bus.inbox import Inbox
from cardroom.adapters.bus.port import DeadLetter
from cardroom.adapters.grpc.caller import present_caller
from cardroom.adapters.grpc.servicer import timestamp_of
from cardroom.api.bus.v1 import bus_service_pb2 as messages
from cardroom.api.bus.v1.bus_service_pb2_grpc import BusServiceServicer
from cardroom.kernel.refusal import Refused, Unknown

PAGE: int = 100

Reply = TypeVar("Reply", bound=Message)


class BusServicer(BusServiceServicer):
    """Serves the consumers of one process."""

    def __init__(self, inboxes: Iterable[Inbox]) -> None:
        """Take the consumers.

        Args:
            inboxes: inboxes and read models of the process.
        """
        self._inboxes = {inbox.name: inbox for inbox in inboxes}

    async def ListConsumers(self, request: Any, context: Any) -> Any:
        """Return the consumers of this process."""
        return messages.ListConsumersResponse(
            consumers=[
                messages.Consumer(
                    name=name,
                    sources=inbox.sources,
                    stopped_keys=len(await inbox.ledger.stopped_keys(name)),
                    read_model=isinstance(inbox.handler, ProjectionHandler),
                )
                for name, inbox in sorted(self._inboxes.items())
            ]
        )

    async def ListDeadLetters(self, request: Any, context: Any) -> Any:
        """Return a page of a consumer's unresolved messages."""
        inbox = self._inbox(request.consumer)
        size = request.page_size or PAGE
        found = await inbox.ledger.parked(inbox.name, size + 1, int(request.page_token or 0))
        page = found[:size]
        return messages.ListDeadLettersResponse(
            dead_letters=[_shown(letter) for letter in page],
            next_page_token=str(page[-1].dead_letter_id) if len(found) > size else "",
        )

    async def ReleaseKey(self, request: Any, context: Any) -> Any:
        """Handle a stopped key's messages in order."""
        inbox = self._inbox(request.consumer)

        async def release() -> messages.ReleaseKeyResponse:
            released = await inbox.release(
                request.source,
                request.ordering_key,
                actor=present_caller().subject,
                reason=request.reason,
            )
            return messages.ReleaseKeyResponse(handled=released.handled, failure=released.failure)

        return await self._once(inbox, request, messages.ReleaseKeyResponse, release)

    async def SkipMessage(self, request: Any, context: Any) -> Any:
        """Pass over the first message of a stopped key."""
        inbox = self._inbox(request.consumer)

        async def skip() -> messages.SkipMessageResponse:
            await inbox.skip(
                request.source,
                request.ordering_key,
                request.notification_id,
                actor=present_caller().subject,
                reason=request.reason,
            )
            return messages.SkipMessageResponse()

        return await self._once(inbox, request, messages.SkipMessageResponse, skip)

    async def RebuildReadModel(self, request: Any, context: Any) -> Any:
        """Empty a read model and build it again."""
        inbox = self._inbox(request.consumer)
        handler = inbox.handler
        if not isinstance(handler, ProjectionHandler):
            raise Refused(
                "NO_READ_MODEL",
                "CR-4",
                f"consumer is {inbox.name!r}: an application's history is never built again",
                options=sorted(
                    name
                    for name, one in self._inboxes.items()
                    if isinstance(one.handler, ProjectionHandler)
                ),
                field="consumer",
            )

        async def rebuild() -> messages.RebuildReadModelResponse:
            await handler.rebuild(inbox.name, actor=present_caller().subject, reason=request.reason)
            return messages.RebuildReadModelResponse()

        return await self._once(inbox, request, messages.RebuildReadModelResponse, rebuild)

    def _inbox(self, consumer: str) -> Inbox:
        inbox = self._inboxes.get(consumer)
        if inbox is None:
            raise Unknown("consumer", consumer, "consumer")
        return inbox

    async def _once(
        self,
        inbox: Inbox,
        request: Any,
        reply: type[Reply],
        act: Callable[[], Awaitable[Reply]],
    ) -> Reply:
        digest = hashlib.sha256(request.SerializeToString(deterministic=True)).digest()
        kept = await inbox.ledger.answer(request.request_id, digest)
        if kept is not None:
            return reply.FromString(kept)
        answer = await act()
        await inbox.ledger.keep_answer(request.request_id, digest, answer.SerializeToString())
        return answer


def _shown(letter: DeadLetter) -> messages.DeadLetter:
    try:
        event_topic = received_from(letter.envelope).event_topic
    except Unreadable:
        event_topic = ""
    shown = messages.DeadLetter(
        consumer=letter.consumer,
        source=letter.source,
        ordering_key=letter.key,
        notification_id=letter.notification_id,
        event_topic=event_topic,
        failed=letter.failed,
        reason=letter.reason,
    )
    if letter.parked_at is not None:
        shown.parked_at.CopyFrom(timestamp_of(letter.parked_at))
    return shown
