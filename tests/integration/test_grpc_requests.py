"""What a caller can get wrong, and what it gets back: one typed status for each, never INTERNAL or UNKNOWN."""

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from hypothesis import given, settings
from hypothesis import strategies as st
from psycopg import OperationalError
from psycopg_pool import PoolTimeout

from cardroom.adapters.errors import (
    Conflict,
    ConnectionLost,
    EventUnreadable,
    IntegrityBroken,
    Overloaded,
    Unavailable,
)
from cardroom.adapters.grpc.errors import DETAIL_BYTES, InvalidRequest, status_of
from cardroom.adapters.grpc.gate import Limits
from cardroom.client.errors import CallInvalid, CallRefused
from cardroom.kernel.refusal import INVARIANTS, Refused, Stale, Unknown
from tests.plugins.grpc_trial import change, failure, pb, trial

Code = grpc.StatusCode


@pytest.mark.parametrize(
    ("fields", "at", "constraint"),
    [
        ({"request_id": ""}, "request_id", "string.min_len"),
        ({"request_id": "x" * 129}, "request_id", "string.max_len"),
        ({"seat": 0}, "seat", "int32.gte_lte"),
        ({"seat": 11}, "seat", "int32.gte_lte"),
        ({"amount_cents": -1}, "amount_cents", "int64.gte"),
        ({"chips": [{"value_cents": 5}, {"value_cents": 0}]}, "chips[1].value_cents", "int64.gt"),
    ],
)
async def test_a_broken_constraint_names_its_field(
    tmp_path: Path, fields: dict[str, Any], at: str, constraint: str
) -> None:
    async with trial(tmp_path) as t:
        got = await failure(t.stub.Change(change(**fields), metadata=t.bearer()))
        assert t.servicer.calls == []
    assert got.code == Code.INVALID_ARGUMENT
    assert isinstance(got.made, CallInvalid)
    (violation,) = got.made.violations
    assert (violation.field, violation.constraint) == (at, constraint)
    assert got.made.metadata == {"field": at, "rule": "CR-4"}


async def test_every_broken_field_is_named_at_once(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        wrong = change(request_id="", seat=99, amount_cents=-5)
        got = await failure(t.stub.Change(wrong, metadata=t.bearer()))
    assert [each.field for each in got.made.violations] == ["request_id", "seat", "amount_cents"]


async def test_unknown_fields_are_passed_over(tmp_path: Path) -> None:
    later = (
        change().SerializeToString() + b"\xa2\x06\x03new"
    )  # field 100, as a later release may send
    async with trial(tmp_path) as t:
        raw = t.channel.unary_unary("/trial.v1.TrialService/Change")
        answer = pb.ChangeResponse.FromString(await raw(later, metadata=t.bearer()))
    assert answer.actor == "ann"


async def test_an_unknown_method_is_unimplemented(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        for path in ("/trial.v1.TrialService/Steal", "/nothing.v1.NoService/Look"):
            got = await failure(t.channel.unary_unary(path)(b"", metadata=t.bearer()))
            assert got.code == Code.UNIMPLEMENTED


async def test_an_oversized_message_is_refused(tmp_path: Path) -> None:
    async with trial(tmp_path, limits=Limits(message_bytes=10_000)) as t:
        got = await failure(
            t.stub.Change(change(override_reason="x" * 20_000), metadata=t.bearer())
        )
        assert got.code == Code.RESOURCE_EXHAUSTED
        assert not got.made.passing
        assert t.servicer.calls == []


@pytest.mark.parametrize(("seconds", "nanos"), [(2**60, 0), (-(2**60), 0), (5, -1), (5, 10**9)])
async def test_an_instant_out_of_range_is_an_invalid_argument(
    tmp_path: Path, seconds: int, nanos: int
) -> None:
    async with trial(tmp_path) as t:
        wrong = change(occurred_at={"seconds": seconds, "nanos": nanos})
        got = await failure(t.stub.Change(wrong, metadata=t.bearer()))
    assert (got.code, got.made.field) == (Code.INVALID_ARGUMENT, "occurred_at")


async def test_the_reported_instant_arrives_to_the_microsecond(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        got = await t.stub.Change(
            change(occurred_at={"seconds": 1_000_000_000, "nanos": 123_456_000}),
            metadata=t.bearer(),
        )
    assert got.occurred_at == "2001-09-09T01:46:40.123456+00:00"


CODES = {
    "CR-1": Code.ABORTED,
    "CR-2": Code.NOT_FOUND,
    "CR-4": Code.INVALID_ARGUMENT,
    "CR-9": Code.PERMISSION_DENIED,
    "CR-11": Code.INVALID_ARGUMENT,
    "CR-14": Code.UNAVAILABLE,
}


@pytest.mark.parametrize("rule", [*INVARIANTS, "LC-66a"])
async def test_a_refusal_arrives_whole(tmp_path: Path, rule: str) -> None:
    async with trial(tmp_path) as t:

        def refuse(request: Any) -> None:
            raise Refused(
                "SEAT_TAKEN", (rule, "LC-7"), "seat 3 is taken — é", ("seat 4", "seat 9"), "seat"
            )

        t.servicer.behave = refuse
        got = await failure(t.stub.Change(change(), metadata=t.bearer()))
        denied = [denial.reason for denial in t.denials.all]
    assert got.code == CODES.get(rule, Code.FAILED_PRECONDITION)
    assert isinstance(got.made, CallRefused)
    assert got.made.reason == "SEAT_TAKEN"
    assert got.made.rules == (rule, "LC-7")
    assert got.made.options == ("seat 4", "seat 9")
    assert got.made.message == "seat 3 is taken — é"
    assert (got.made.field, got.made.metadata["rule"]) == ("seat", rule)
    assert denied == (["SEAT_TAKEN"] if rule == "CR-9" else [])


@pytest.mark.parametrize(
    ("fault", "code", "reason", "passing"),
    [
        (Unknown("table", "t9", "table"), Code.NOT_FOUND, "TABLE_UNKNOWN", False),
        (Stale("the seat has changed", "seat"), Code.ABORTED, "STALE", False),
        (Conflict("busy"), Code.ABORTED, "CONFLICT", True),
        (Overloaded("full"), Code.RESOURCE_EXHAUSTED, "OVERLOADED", True),
        (Unavailable("down"), Code.UNAVAILABLE, "STORE_UNAVAILABLE", True),
        (ConnectionLost("broken"), Code.UNAVAILABLE, "CONNECTION_LOST", True),
        (OperationalError("server closed"), Code.UNAVAILABLE, "CONNECTION_LOST", True),
        (PoolTimeout("none free"), Code.UNAVAILABLE, "CONNECTION_LOST", True),
        (TimeoutError(), Code.DEADLINE_EXCEEDED, "DEADLINE", True),
        (
            EventUnreadable("rack/r1/a", 2, "counting.Gone.v1", "no event bears it"),
            Code.DATA_LOSS,
            "EVENT_UNREADABLE",
            False,
        ),
        (IntegrityBroken("x"), Code.DATA_LOSS, "INTEGRITY_BROKEN", False),
        (ZeroDivisionError("pin 4711"), Code.INTERNAL, "INCIDENT", False),
    ],
)
async def test_what_the_shell_raises_has_its_status(
    tmp_path: Path, fault: Exception, code: Any, reason: str, passing: bool
) -> None:
    async with trial(tmp_path) as t:

        def fail(request: Any) -> None:
            raise fault

        t.servicer.behave = fail
        got = await failure(t.stub.Change(change(), metadata=t.bearer()))
    assert (got.code, got.reason, got.made.passing) == (code, reason, passing)
    assert "4711" not in got.details
    if code in (Code.INTERNAL, Code.DATA_LOSS):
        assert got.made.metadata["incident"] in got.details


@pytest.mark.parametrize("count", [0, 10, 500])
def test_a_status_fits_into_trailers(count: int) -> None:
    options = [f"option {number} of many, with its amount of $1,234" for number in range(count)]
    status = status_of(Refused("MANY", "LC-1", "x" * 5000, options, "seat"), "m")
    assert status.ByteSize() <= DETAIL_BYTES
    invalid = status_of(InvalidRequest([("f" * 900, "c" * 900, "m" * 900)] * (count + 1)), "m")
    assert invalid.ByteSize() <= DETAIL_BYTES
    info = ErrorInfo()
    status.details[0].Unpack(info)
    assert info.reason == "MANY"


async def test_options_left_out_are_counted(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:

        def refuse(request: Any) -> None:
            raise Refused("MANY", "LC-1", "choose", [f"seat {n}" for n in range(2000)])

        t.servicer.behave = refuse
        got = await failure(t.stub.Change(change(), metadata=t.bearer()))
    assert 100 < len(got.made.options) < 2000


async def test_the_servers_deadline_holds_where_the_caller_sets_none(tmp_path: Path) -> None:
    limits = Limits(default_deadline_seconds=0.05, longest_deadline_seconds=0.1)
    async with trial(tmp_path, limits=limits) as t:
        t.servicer.behave = lambda request: asyncio.sleep(30)
        async with asyncio.timeout(5):
            for seconds in (None, 20.0):
                got = await failure(t.stub.Change(change(), metadata=t.bearer(), timeout=seconds))
                assert (got.code, got.reason) == (Code.DEADLINE_EXCEEDED, "DEADLINE")


async def test_the_callers_deadline_ends_the_handler(tmp_path: Path) -> None:
    ended = asyncio.Event()

    async def wait() -> None:
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()

    async with trial(tmp_path) as t:
        t.servicer.behave = lambda request: wait()
        got = await failure(t.stub.Change(change(), metadata=t.bearer(), timeout=0.1))
        assert got.code == Code.DEADLINE_EXCEEDED
        async with asyncio.timeout(5):
            await ended.wait()


async def test_more_calls_than_the_server_takes_are_turned_away(tmp_path: Path) -> None:
    go = asyncio.Event()
    async with trial(tmp_path, limits=Limits(calls=4)) as t:
        t.servicer.behave = lambda request: go.wait()
        calls = [
            asyncio.ensure_future(t.stub.Change(change(request_id=f"r{n}"), metadata=t.bearer()))
            for n in range(12)
        ]
        done, _ = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED, timeout=5)
        assert done
        go.set()
        answers = await asyncio.gather(*calls, return_exceptions=True)
    refused = [each for each in answers if isinstance(each, grpc.aio.AioRpcError)]
    assert {each.code() for each in refused} == {Code.RESOURCE_EXHAUSTED}
    assert len(answers) - len(refused) >= 4


ALLOWED = {Code.INVALID_ARGUMENT, Code.FAILED_PRECONDITION, Code.PERMISSION_DENIED}


async def test_no_bytes_make_the_server_fail(tmp_path: Path) -> None:
    """Any bytes at any method give an answer or a typed refusal, and the server goes on."""
    async with trial(tmp_path) as t:
        bearer = t.bearer("floor", "integration", "display")
        loop = asyncio.get_running_loop()

        async def send(kind: str, raw: bytes) -> Code | None:
            try:
                if kind == "Change":
                    await t.channel.unary_unary("/trial.v1.TrialService/Change")(
                        raw, metadata=bearer
                    )
                elif kind == "Feed":
                    await t.channel.stream_unary("/trial.v1.TrialService/Feed")(
                        iter([raw]), metadata=bearer
                    )
                else:
                    call = t.channel.stream_stream("/trial.v1.TrialService/Talk")(
                        iter([raw]), metadata=bearer
                    )
                    async for _ in call:
                        pass
            except grpc.aio.AioRpcError as error:
                return error.code()
            return None

        valid = change(override_reason="é", chips=[{"value_cents": 100}]).SerializeToString()
        mutated = st.tuples(
            st.integers(0, len(valid) - 1), st.binary(max_size=6), st.integers(0, 8)
        ).map(lambda m: valid[: m[0]] + m[1] + valid[m[0] + m[2] :])

        @settings(max_examples=150, deadline=None, database=None)
        @given(
            st.sampled_from(["Change", "Feed", "Talk"]), st.one_of(st.binary(max_size=64), mutated)
        )
        def run(kind: str, raw: bytes) -> None:
            code = asyncio.run_coroutine_threadsafe(send(kind, raw), loop).result(10)
            assert code is None or code in ALLOWED

        await asyncio.to_thread(run)
        assert (await t.stub.Change(change(), metadata=bearer)).actor == "ann"
