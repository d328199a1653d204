"""The published client and calls between contexts, against servers that fail, restart and refuse."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from cardroom.adapters.errors import Conflict, Overloaded
from cardroom.adapters.grpc.ask import AskFailed, AskRefused, PeerChannels, ServiceToken, ask
from cardroom.adapters.grpc.auth import TokenKeys, TokenMint, TokenVerifier
from cardroom.adapters.grpc.people import PersonCheck
from cardroom.client import (
    CallDenied,
    CallFailed,
    CallInvalid,
    CallRefused,
    CallUnavailable,
    Client,
)
from cardroom.kernel.refusal import Refused
from tests.integration.test_grpc_tokens import Staff
from tests.plugins.grpc_trial import Trial, change, pb, pb_grpc, trial, until

Stub = pb_grpc.TrialServiceStub


def client_of(t: Trial, *roles: str, **more: Any) -> Client:
    return Client(t.server.address, t.token(*roles), **more)


async def test_a_change_gets_one_request_id_over_all_attempts(tmp_path: Path) -> None:
    async with trial(tmp_path) as t, client_of(t) as client:
        faults = [Conflict("busy"), Overloaded("full"), TimeoutError()]

        def fail_first(request: Any) -> None:
            if faults:
                raise faults.pop(0)

        t.servicer.behave = fail_first
        request = change(request_id="")
        got = await client.call(client.stub(Stub).Change, request)
        ids = {call.request_id for call in t.servicer.calls}
    assert got.actor == "ann"
    assert len(t.servicer.calls) == 4
    assert len(ids) == 1
    assert len(ids.pop()) == 32
    assert request.request_id == ""


async def test_an_answer_that_does_not_come_is_asked_for_again(tmp_path: Path) -> None:
    async with trial(tmp_path) as t, client_of(t, attempt_seconds=0.1) as client:
        t.servicer.behave = lambda request: (
            asyncio.sleep(10) if len(t.servicer.calls) == 1 else None
        )
        got = await client.call(client.stub(Stub).Change, change())
        assert got.actor == "ann"
        assert len(t.servicer.calls) == 2


async def test_patience_ends(tmp_path: Path) -> None:
    async with trial(tmp_path) as t, client_of(t) as client:

        def fail(request: Any) -> None:
            raise Overloaded("full")

        t.servicer.behave = fail
        with pytest.raises(CallUnavailable) as caught:
            await client.call(client.stub(Stub).Change, change(), total_seconds=0.3)
        assert caught.value.reason == "OVERLOADED"
        assert len(t.servicer.calls) >= 2


@pytest.mark.parametrize(
    ("fault", "fields", "roles", "expected"),
    [
        (Refused("SEAT_TAKEN", "LC-7", "taken", ("seat 4",)), {}, ("floor",), CallRefused),
        (None, {"seat": 12}, ("floor",), CallInvalid),
        (None, {}, ("display",), CallDenied),
        (ValueError("ours"), {}, ("floor",), CallFailed),
    ],
)
async def test_what_cannot_pass_is_not_tried_again(
    tmp_path: Path, fault: Exception | None, fields: Any, roles: Any, expected: Any
) -> None:
    async with trial(tmp_path) as t, client_of(t, *roles) as client:

        def fail(request: Any) -> None:
            if fault is not None:
                raise fault

        t.servicer.behave = fail
        with pytest.raises(expected) as caught:
            await client.call(client.stub(Stub).Change, change(**fields))
        assert type(caught.value) is expected
        assert len(t.servicer.calls) <= 1


async def test_a_call_waits_for_a_server_that_is_just_restarting(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        address, token = t.server.address, t.token()
        await t.server.stop()
        async with Client(address, token) as client:
            calling = asyncio.ensure_future(client.call(client.stub(Stub).Change, change()))
            await asyncio.sleep(0)
            async with trial(tmp_path, address=address) as again:
                assert (await calling).actor == "ann"
                assert len(again.servicer.calls) == 1


async def test_a_watch_goes_on_over_a_restart_without_repeating_itself(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        address = t.server.address
        await t.servicer.watched.set("lucky", "five names")
        async with Client(address, t.token("display")) as client:
            request = pb.WatchRoomRequest(room="lucky")
            views = client.watch(client.stub(Stub).WatchRoom, request)
            assert (await anext(views)).view == "five names"
            await t.server.stop()
            async with trial(tmp_path, address=address) as again:
                await again.servicer.watched.set("lucky", "five names")
                coming = asyncio.ensure_future(anext(views))
                await until(lambda: again.servicer.watched.watchers == 1, 10)
                await again.servicer.watched.set("lucky", "six names")
                assert (await coming).view == "six names"
                await views.aclose()
                await until(lambda: again.servicer.watched.watchers == 0)


async def test_a_watch_renews_its_token(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        minted = []

        def token() -> str:
            minted.append(t.token("display", valid_seconds=1 if not minted else 60))
            return minted[-1]

        async with Client(t.server.address, token) as client:
            request = pb.WatchRoomRequest(room="lucky")
            views = client.watch(client.stub(Stub).WatchRoom, request)
            await anext(views)
            coming = asyncio.ensure_future(anext(views))
            await until(lambda: len(minted) == 2)
            await t.servicer.watched.set("lucky", "six names")
            assert (await coming).view == "six names"
            await views.aclose()


async def test_a_watch_that_is_refused_says_so(tmp_path: Path) -> None:
    async with trial(tmp_path) as t, client_of(t, "dealer") as client:
        with pytest.raises(CallDenied):
            await anext(
                client.watch(client.stub(Stub).WatchRoom, pb.WatchRoomRequest(room="lucky"))
            )


async def test_a_person_acts_at_a_shared_podium(tmp_path: Path) -> None:
    async with trial(tmp_path, people=PersonCheck(Staff())) as t:
        token = t.token("floor", subject="podium-1", shared=True)
        async with Client(t.server.address, token) as podium:
            with pytest.raises(CallDenied):
                await podium.call(podium.stub(Stub).Change, change())
            maria = podium.acting("maria", pin="4711", correlation_id="dispute 7ü")
            got = await maria.call(maria.stub(Stub).Change, change())
    assert (got.actor, got.station, got.correlation_id) == ("maria", "podium-1", "dispute 7ü")


async def test_addresses_by_context() -> None:
    async with Client({"seating": "127.0.0.1:1"}, "token") as client:
        with pytest.raises(KeyError, match="trial"):
            client.stub(Stub)


# Calls between contexts.


def peers_of(t: Trial) -> PeerChannels:
    return PeerChannels({"trial": t.server.address}, ServiceToken(t.mint, "seating"))


async def test_a_process_asks_in_its_own_name(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        peers = peers_of(t)
        stub = Stub(peers.channel("trial"))
        got = await ask(stub.Change, change(), context="trial", question="Change", seconds=2)
        assert (got.actor, got.station) == ("service:seating", "seating")
        with pytest.raises(KeyError):
            peers.channel("players")
        await peers.close()


async def test_a_peer_that_does_not_answer_is_a_refusal_of_cr_14(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        peers = peers_of(t)
        stub = Stub(peers.channel("trial"))
        t.servicer.behave = lambda request: asyncio.sleep(10)
        started = time.monotonic()
        with pytest.raises(AskFailed) as caught:
            await ask(stub.Change, change(), context="trial", question="Change", seconds=0.1)
        assert time.monotonic() - started < 5
        assert (caught.value.code, caught.value.rules) == ("TRIAL_DID_NOT_ANSWER", ("CR-14",))
        await t.server.stop()
        with pytest.raises(AskFailed):
            await ask(stub.Change, change(), context="trial", question="Change", seconds=0.1)
        await peers.close()


async def test_a_peers_refusal_comes_through_with_its_rules(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        peers = peers_of(t)
        stub = Stub(peers.channel("trial"))

        def refuse(request: Any) -> None:
            raise Refused("SEAT_LOCKED", ("LC-9", "CR-6"), "locked", ("seat 4",), "seat")

        t.servicer.behave = refuse
        with pytest.raises(AskRefused) as caught:
            await ask(stub.Change, change(), context="trial", question="Change", seconds=2)
        refused = caught.value
        assert (refused.code, refused.rules) == ("SEAT_LOCKED", ("LC-9", "CR-6"))
        assert (refused.options, refused.field) == (("seat 4",), "seat")
        await peers.close()


async def test_a_peers_own_fault_is_a_failure(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        peers = peers_of(t)
        stub = Stub(peers.channel("trial"))

        def fail(request: Any) -> None:
            raise ValueError("ours")

        t.servicer.behave = fail
        with pytest.raises(AskFailed, match="INTERNAL"):
            await ask(stub.Change, change(), context="trial", question="Change", seconds=2)
        await peers.close()


async def test_the_correlation_id_goes_along(tmp_path: Path) -> None:
    async with trial(tmp_path / "a") as behind, trial(tmp_path / "b") as front:
        peers = peers_of(behind)
        stub = Stub(peers.channel("trial"))

        async def pass_on() -> None:
            await ask(stub.Change, change(request_id="r2"), context="t", question="C", seconds=2)

        front.servicer.behave = lambda request: pass_on()
        await front.stub.Change(
            change(), metadata=(*front.bearer(), ("cardroom-correlation-id", "evening-1"))
        )
        # Metadata holds ASCII only; a request id that stands in for a missing correlation id holds anything.
        odd = ("r9", "Träume ٣ 🂡", "two\nlines", "100% a/b ")
        for request_id in odd:
            await front.stub.Change(change(request_id=request_id), metadata=front.bearer())
        assert behind.servicer.correlations == ["evening-1", *odd]
        await peers.close()


def test_a_service_token_is_made_anew_in_time(tmp_path: Path) -> None:
    keys = TokenKeys(tmp_path)
    keys.create_missing()
    now = [1_000_000.0]
    token = ServiceToken(TokenMint(keys.signing(), lambda: now[0]), "seating", lambda: now[0])
    verifier = TokenVerifier(keys.verifying, lambda: now[0])
    first = token()
    now[0] += 2900
    assert token() == first
    for _ in range(10):
        now[0] += 900
        assert verifier.claims(token()).roles == {"service"}
    assert token() != first
