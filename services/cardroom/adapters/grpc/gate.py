"""The gate: one interceptor that every call passes, unary or streaming.

In this order: token, role, reading the bytes, declared constraints, room, person of a shared podium; then the
servicer; then whatever was raised becomes a status. It is one interceptor rather than five because each costs every
call a coroutine, and because the order is part of what it promises.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from typing import Any, Final

import grpc
import msgspec
from google.protobuf.message import DecodeError
from google.rpc import code_pb2
from grpc_status import rpc_status
from protovalidate import Validator

from cardroom.adapters.errors import SlowReader
from cardroom.adapters.grpc import caller as callers
from cardroom.adapters.grpc.admission import Admission
from cardroom.adapters.grpc.caller import Caller
from cardroom.adapters.grpc.errors import CallEnded, InvalidRequest, status_of
from cardroom.adapters.grpc.methods import MethodRule

Observe = Callable[[str, str, float], None]
"""`(path, status code's name, seconds)`, for metrics."""
Behaviour = Callable[..., Any]
ELSEWHERE_SECONDS: Final = 0.5
"""When a caller whose server goes down should try again."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much one server takes on.

    Args:
        default_deadline_seconds: for a unary call whose caller sets no deadline.
        longest_deadline_seconds: a unary call gets no more, whatever its caller asks for.
        longest_stream_seconds: a stream is ended after this time, with a request to resume.
        slow_reader_seconds: how long one message of a stream may wait for its reader.
        streams: open streams in all.
        streams_per_caller: open streams of one subject at one station.
        calls: calls in all, streams included; more are turned away.
        calls_per_connection: calls of one connection; more wait at the caller's end.
        message_bytes: largest request.
    """

    default_deadline_seconds: float = 10.0
    longest_deadline_seconds: float = 60.0
    longest_stream_seconds: float = 3600.0
    slow_reader_seconds: float = 10.0
    streams: int = 2000
    streams_per_caller: int = 50
    calls: int = 4000
    calls_per_connection: int = 1000
    message_bytes: int = 1 << 20


class Call:
    """One method as the gate wraps it: its path, its rule (None for health and reflection), its bytes' reader."""

    __slots__ = ("_read", "_validator", "path", "rule")

    def __init__(
        self,
        path: str,
        rule: MethodRule | None,
        read: Callable[[bytes], Any],
        validator: Validator,
    ) -> None:
        self.path = path
        self.rule = rule
        self._read = read
        self._validator = validator

    def request(self, raw: bytes) -> Any:
        """Read a request and hold it against its declared constraints.

        Raises:
            InvalidRequest: the bytes are no such message, or a constraint is broken.
        """
        try:
            request = self._read(raw)
        except DecodeError as fault:
            raise InvalidRequest([("", "encoding", "the bytes are not this request")]) from fault
        if self.rule is not None:
            violations = self._validator.collect_violations(request)
            if violations:
                raise InvalidRequest([_violation(each.proto) for each in violations])
        return request


def _violation(violation: Any) -> tuple[str, str, str]:
    path: list[str] = []
    for element in violation.field.elements if violation.field is not None else ():
        subscript = element.subscript
        path.append(
            element.field_name if subscript is None else f"{element.field_name}[{subscript.value}]"
        )
    return ".".join(path), violation.rule_id, violation.message


class Gate(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]
    """Wraps every handler of a server."""

    def __init__(
        self,
        rules: Mapping[str, MethodRule],
        admission: Admission,
        limits: Limits,
        observe: Observe | None = None,
    ) -> None:
        """Prepare to wrap.

        Args:
            rules: path -> what the protos declare.
            admission: who may call.
            limits: deadlines and streams.
            observe: told of every finished call.
        """
        self._rules = rules
        self._admission = admission
        self._limits = limits
        self._observe = observe
        self._wrapped: dict[str, Any] = {}
        self._validator = Validator()
        self._streams: dict[asyncio.Task[Any], str] = {}
        self._drained: set[asyncio.Task[Any]] = set()
        self._draining = False

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: Any,
    ) -> Any:
        """Return the wrapped handler of the method that is called, or None where there is no such method."""
        path: str = handler_call_details.method
        wrapped = self._wrapped.get(path)
        if wrapped is None:
            handler = await continuation(handler_call_details)
            if handler is None:
                return None
            wrapped = self._wrapped[path] = self._wrap(path, handler)
        return wrapped

    def end_streams(self) -> None:
        """End every open stream with a request to resume elsewhere, and admit no more."""
        self._draining = True
        for task in tuple(self._streams):
            self._drained.add(task)
            task.cancel()

    @property
    def open_streams(self) -> int:
        """How many streams are open now."""
        return len(self._streams)

    def _wrap(self, path: str, handler: Any) -> Any:
        call = Call(path, self._rules.get(path), handler.request_deserializer, self._validator)
        answer = handler.response_serializer
        if handler.unary_unary:
            wrapped = self._unary(call, handler.unary_unary)
            return grpc.unary_unary_rpc_method_handler(wrapped, None, answer)
        if handler.stream_unary:
            wrapped = self._stream_in(call, handler.stream_unary)
            return grpc.stream_unary_rpc_method_handler(wrapped, None, answer)
        if handler.unary_stream:
            wrapped = self._stream_out(call, handler.unary_stream)
            return grpc.unary_stream_rpc_method_handler(wrapped, None, answer)
        wrapped = self._stream_both(call, handler.stream_stream)
        return grpc.stream_stream_rpc_method_handler(wrapped, None, answer)

    def _unary(self, call: Call, behaviour: Behaviour) -> Behaviour:
        async def handle(raw: bytes, context: Any) -> Any:
            started = time.perf_counter()
            try:
                caller = await self._admission.admit(call.rule, call.path, context)
                request = self._request(call, raw, caller)
                seconds = self._seconds_allowed(context)
                if seconds is None:
                    answer = await behaviour(request, context)
                else:
                    async with asyncio.timeout(seconds):
                        answer = await behaviour(request, context)
            except Exception as fault:
                await self._fail(call, fault, context, started)
                raise
            if self._observe is not None:
                self._observe(call.path, "OK", time.perf_counter() - started)
            return answer

        return handle

    def _stream_in(self, call: Call, behaviour: Behaviour) -> Behaviour:
        async def handle(raws: AsyncIterator[bytes], context: Any) -> Any:
            async def run(caller: Caller | None) -> Any:
                return await behaviour(self._requests(call, raws, caller), context)

            return await self._stream(call, run, context)

        return handle

    def _stream_out(self, call: Call, behaviour: Behaviour) -> Behaviour:
        async def handle(raw: bytes, context: Any) -> None:
            async def run(caller: Caller | None) -> None:
                request = self._request(call, raw, caller)
                await self._write_all(behaviour(request, context), context)

            await self._stream(call, run, context)

        return handle

    def _stream_both(self, call: Call, behaviour: Behaviour) -> Behaviour:
        async def handle(raws: AsyncIterator[bytes], context: Any) -> None:
            async def run(caller: Caller | None) -> None:
                requests = self._requests(call, raws, caller)
                await self._write_all(behaviour(requests, context), context)

            await self._stream(call, run, context)

        return handle

    def _request(self, call: Call, raw: bytes, caller: Caller | None) -> Any:
        request = call.request(raw)
        if caller is not None and call.rule is not None:
            self._admission.check_rooms(call.rule, request, caller)
            if call.rule.changes_state and not caller.correlation_id:
                callers.enter(msgspec.structs.replace(caller, correlation_id=request.request_id))
        return request

    async def _requests(
        self, call: Call, raws: AsyncIterator[bytes], caller: Caller | None
    ) -> AsyncIterator[Any]:
        async for raw in raws:
            yield self._request(call, raw, caller)

    async def _stream(
        self, call: Call, run: Callable[[Caller | None], Awaitable[Any]], context: Any
    ) -> Any:
        started = time.perf_counter()
        task = asyncio.current_task()
        assert task is not None
        try:
            caller = await self._admission.admit(call.rule, call.path, context)
            with self._listed(task, caller, context):
                try:
                    answer = await self._until_its_end(run, caller)
                except asyncio.CancelledError:
                    if task not in self._drained:
                        raise  # the caller went away
                    self._drained.discard(task)
                    task.uncancel()
                    raise _draining() from None
                except Exception as fault:
                    # Said while the stream still counts: a reader that takes nothing holds up this too.
                    await self._fail(call, fault, context, started)
                    raise
        except Exception as fault:
            await self._fail(call, fault, context, started)
            raise
        if self._observe is not None:
            self._observe(call.path, "OK", time.perf_counter() - started)
        return answer

    async def _until_its_end(
        self, run: Callable[[Caller | None], Awaitable[Any]], caller: Caller | None
    ) -> Any:
        """Run a stream until it is done, too old, or its token is over."""
        longest = self._limits.longest_stream_seconds
        left = longest if caller is None else min(longest, self._admission.seconds_left(caller))
        try:
            async with asyncio.timeout(left) as limit:
                return await run(caller)
        except TimeoutError:
            if not limit.expired():
                raise
        if left < longest:
            raise CallEnded(
                code_pb2.UNAUTHENTICATED, "TOKEN_EXPIRED", "the token's time is over; get a new one"
            )
        raise CallEnded(
            code_pb2.UNAVAILABLE,
            "STREAM_TOO_OLD",
            f"a stream is ended after {longest:g} s; resume it from the last version seen",
            retry_seconds=0.1,
        )

    @contextmanager
    def _listed(
        self, task: asyncio.Task[Any], caller: Caller | None, context: Any
    ) -> Iterator[None]:
        if self._draining:
            raise _draining()
        owner = f"{caller.subject}@{caller.station}" if caller else str(context.peer())
        limits = self._limits
        own = sum(1 for each in self._streams.values() if each == owner)
        if len(self._streams) >= limits.streams or own >= limits.streams_per_caller:
            raise CallEnded(
                code_pb2.RESOURCE_EXHAUSTED,
                "TOO_MANY_STREAMS",
                f"at most {limits.streams_per_caller} open streams of one caller, "
                f"{limits.streams} in all",
                retry_seconds=5,
            )
        self._streams[task] = owner
        try:
            yield
        finally:
            del self._streams[task]

    async def _write_all(self, answers: Any, context: Any) -> None:
        if not hasattr(answers, "__aiter__"):
            await answers  # the servicer writes by itself (health)
            return
        async with aclosing(answers) as messages:
            async for message in messages:
                try:
                    async with asyncio.timeout(self._limits.slow_reader_seconds):
                        await context.write(message)
                except TimeoutError:
                    raise SlowReader from None

    def _seconds_allowed(self, context: Any) -> float | None:
        """Return the server's own limit on a unary call, or None where the caller's is tighter."""
        left = context.time_remaining()
        if left is None:
            return self._limits.default_deadline_seconds
        longest = self._limits.longest_deadline_seconds
        return longest if left > longest else None

    async def _fail(self, call: Call, fault: Exception, context: Any, started: float) -> None:
        if isinstance(fault, grpc.aio.AbortError):
            return  # the servicer answered by itself (health, reflection)
        rule = call.rule
        asked: Any = None if rule is None else rule.request_class.DESCRIPTOR
        status = status_of(fault, call.path, asked)
        self._admission.note_denial(call.path, fault, status, context)
        if self._observe is not None:
            name = code_pb2.Code.Name(status.code)
            self._observe(call.path, name, time.perf_counter() - started)
        await context.abort_with_status(rpc_status.to_status(status))


def _draining() -> CallEnded:
    return CallEnded(
        code_pb2.UNAVAILABLE,
        "DRAINING",
        "this server is going down; resume from the last version seen",
        retry_seconds=ELSEWHERE_SECONDS,
    )
