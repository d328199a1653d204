"""Who may call: tokens, roles, rooms, the person at a shared podium, and the security log."""

import asyncio
import time
from pathlib import Path
from typing import Any

import grpc
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from cardroom.adapters.grpc.auth import (
    ROLES,
    TokenKeys,
    TokenMint,
    TokenVerifier,
    Unauthenticated,
    key_id_of,
)
from cardroom.adapters.grpc.methods import Misdeclared, bind
from cardroom.adapters.grpc.people import Person, PersonCheck, badge_digest, pin_digest
from tests.plugins.grpc_trial import Trial, TrialServicer, change, failure, pb, trial

UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
DENIED = grpc.StatusCode.PERMISSION_DENIED


def claims(**other: Any) -> dict[str, Any]:
    now = int(time.time())
    good = {
        "sub": "eve",
        "aud": "cardroom",
        "roles": ["floor"],
        "rooms": ["*"],
        "iat": now,
        "exp": now + 60,
    }
    return {key: value for key, value in {**good, **other}.items() if value is not None}


def signed(key: Any, algorithm: str = "EdDSA", kid: str = "", **other: Any) -> str:
    return jwt.encode(claims(**other), key, algorithm, headers={"kid": kid} if kid else {})


async def test_a_good_token_names_actor_station_and_roles(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        got = await t.stub.Change(
            change(), metadata=t.bearer("floor", "brush", subject="maria", station="podium-1")
        )
    assert (got.actor, got.station, list(got.roles)) == ("maria", "podium-1", ["brush", "floor"])
    assert got.correlation_id == "r1"


def bad_tokens(t: Trial) -> dict[str, tuple[str, str]]:
    ours = t.keys.signing()
    kid = key_id_of(ours.public_key())
    other = Ed25519PrivateKey.generate()
    good = t.token()
    head, _, tail = good.split(".")
    stolen_body = signed(ours, kid=kid, roles=["admin"]).split(".")[1]
    public_as_secret = bytes(ours.public_key().public_bytes_raw())
    return {
        "expired": (signed(ours, kid=kid, exp=int(time.time()) - 1), "TOKEN_EXPIRED"),
        "another key under our name": (signed(other, kid=kid), "TOKEN_FORGED"),
        "another key under its own name": (
            signed(other, kid=key_id_of(other.public_key())),
            "TOKEN_KEY_UNKNOWN",
        ),
        "no key named": (signed(ours), "TOKEN_KEY_UNKNOWN"),
        "other claims under our signature": (f"{head}.{stolen_body}.{tail}", "TOKEN_FORGED"),
        "algorithm none": (signed(None, "none", kid), "TOKEN_ALGORITHM"),
        "algorithm HS256 with the public key": (
            signed(public_as_secret, "HS256", kid),
            "TOKEN_ALGORITHM",
        ),
        "another system's": (signed(ours, kid=kid, aud="laundry"), "TOKEN_MALFORMED"),
        "without an end": (signed(ours, kid=kid, exp=None), "TOKEN_MALFORMED"),
        "roles of a wrong kind": (signed(ours, kid=kid, roles="floor"), "TOKEN_MALFORMED"),
        "end of a wrong kind": (signed(ours, kid=kid, exp="tomorrow"), "TOKEN_MALFORMED"),
        "no JWT": ("abc", "TOKEN_MALFORMED"),
        "endless": ("a." * 2500, "TOKEN_MALFORMED"),
        "empty": ("", "TOKEN_MALFORMED"),
    }


async def test_bad_tokens_are_turned_away_and_noted(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        for name, (token, reason) in bad_tokens(t).items():
            got = await failure(
                t.stub.Change(change(), metadata=(("authorization", f"Bearer {token}"),))
            )
            assert (got.code, got.reason) == (UNAUTHENTICATED, reason), name
            assert t.denials.all[-1].reason == reason, name
            assert not token or token not in got.details
        for metadata in ((), (("authorization", "Basic YTpi"),)):
            got = await failure(t.stub.Change(change(), metadata=metadata))
            assert got.code == UNAUTHENTICATED
        assert t.servicer.calls == []
        assert t.denials.all[-2].reason == "TOKEN_MISSING"


async def test_a_remembered_token_still_ends(tmp_path: Path) -> None:
    keys = TokenKeys(tmp_path)
    keys.create_missing()
    now = [1_000_000.0]
    verifier = TokenVerifier(keys.verifying, lambda: now[0])
    token = TokenMint(keys.signing(), lambda: now[0]).token(
        "ann", ["floor"], rooms=["lucky"], valid_seconds=10
    )
    assert verifier.claims(token).sub == "ann"
    now[0] += 9.9
    assert verifier.claims(token).sub == "ann"
    now[0] += 0.1
    with pytest.raises(Unauthenticated, match="over"):
        verifier.claims(token)


async def test_tokens_of_a_replaced_key_stay_good_and_the_new_key_is_found(tmp_path: Path) -> None:
    keys = TokenKeys(tmp_path)
    keys.create_missing()
    now = [time.time()]
    verifier = TokenVerifier(keys.verifying, lambda: now[0])
    old = TokenMint(keys.signing()).token("ann", ["floor"], rooms=["*"])
    keys.replace_signing()
    new = TokenMint(keys.signing()).token("bob", ["floor"], rooms=["*"])
    now[0] += 5
    assert verifier.claims(new).sub == "bob"
    assert verifier.claims(old).sub == "ann"


def test_processes_that_start_together_share_one_key(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def start(_: int) -> str:
        keys = TokenKeys(tmp_path)
        keys.create_missing()
        return key_id_of(keys.signing().public_key())

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(start, range(16)))) == 1
    assert (tmp_path / "signing.pem").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"roles": ["king"]}, "'king'"),
        ({"roles": []}, "at least one role"),
        ({"rooms": []}, "at least one role"),
        ({"subject": "a b"}, "'a b'"),
        ({"valid_seconds": 0}, "valid_seconds"),
    ],
)
def test_a_malformed_token_is_not_minted(fields: dict[str, Any], part: str) -> None:
    mint = TokenMint(Ed25519PrivateKey.generate())
    with pytest.raises(ValueError, match=part):
        mint.token(**{"subject": "ann", "roles": ["floor"], "rooms": ["lucky"], **fields})


async def test_every_role_but_those_declared_is_denied(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        for role in sorted(ROLES):
            call = t.stub.Change(change(), metadata=t.bearer(role))
            if role in ("floor", "service"):
                await call
                continue
            got = await failure(call)
            assert (got.code, got.reason) == (DENIED, "ROLE_MISSING"), role
            assert got.made.metadata["rule"] == "CR-9"
            assert t.denials.all[-1].roles == {role}
            assert t.denials.all[-1].subject == "ann"


async def test_a_role_is_needed_before_the_request_is_read(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        raw = t.channel.unary_unary("/trial.v1.TrialService/Change")
        got = await failure(raw(b"\xff\xff", metadata=t.bearer("display")))
    assert got.code == DENIED


async def test_streams_of_requests_need_the_role_too(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        for method in (t.stub.Feed, t.stub.Talk):
            call = method(iter([pb.FeedRequest(room="lucky")]), metadata=t.bearer("floor"))
            if method is t.stub.Talk:
                call = anext(aiter(call))
            got = await failure(call)
            assert got.code == DENIED


@pytest.mark.parametrize("room", ["bay", "luck", "lucky2", "*"])
async def test_a_token_covers_its_rooms_only(tmp_path: Path, room: str) -> None:
    async with trial(tmp_path) as t:
        bearer = t.bearer("floor", rooms=["lucky", "west"])
        await t.stub.Change(change(room="lucky"), metadata=bearer)
        await t.stub.Look(pb.LookRequest(place={"room": "west"}), metadata=bearer)
        for call in (
            t.stub.Change(change(room=room), metadata=bearer),
            t.stub.Look(pb.LookRequest(place={"room": room}), metadata=bearer),
            t.stub.Look(pb.LookRequest(), metadata=bearer),
        ):
            got = await failure(call)
            assert (got.code, got.reason) == (DENIED, "ROOM_NOT_COVERED")
        assert len(t.servicer.calls) == 1


class Staff:
    """Two people, one of whom has a badge."""

    def __init__(self) -> None:
        self.digest = pin_digest("4711")

    async def by_subject(self, subject: str) -> Person | None:
        if subject == "maria":
            return Person(
                subject="maria", roles=frozenset({"floor", "cage"}), pin_digest=self.digest
            )
        return None

    async def by_badge(self, digest: str) -> Person | None:
        if digest == badge_digest("B-99-1234567"):
            return Person(subject="joe", roles=frozenset({"dealer"}))
        return None


async def test_a_shared_podium_acts_in_the_name_of_the_person(tmp_path: Path) -> None:
    clock = [0.0]
    async with trial(tmp_path, people=PersonCheck(Staff(), lambda: clock[0])) as t:
        podium = t.bearer("floor", "brush", subject="podium-1", station="podium-1", shared=True)

        def act(**named: str) -> Any:
            extra = tuple((f"cardroom-{name}", value) for name, value in named.items())
            return t.stub.Change(change(), metadata=podium + extra)

        got = await act(person="maria", pin="4711")
        assert (got.actor, got.station, list(got.roles)) == ("maria", "podium-1", ["floor"])
        await t.stub.Look(pb.LookRequest(place={"room": "lucky"}), metadata=podium)
        for named, code, reason in (
            ({}, DENIED, "PERSON_NEEDED"),
            ({"person": "maria"}, DENIED, "PERSON_NEEDED"),
            ({"person": "maria", "pin": "0000"}, UNAUTHENTICATED, "PIN_WRONG"),
            ({"person": "nobody", "pin": "4711"}, UNAUTHENTICATED, "PIN_WRONG"),
            ({"badge": "B-00"}, UNAUTHENTICATED, "BADGE_UNKNOWN"),
            ({"badge": "B-99-1234567"}, DENIED, "ROLE_MISSING"),
        ):
            refused = await failure(act(**named))
            assert (refused.code, refused.reason) == (code, reason), named
            assert t.denials.all[-1].reason == reason
        assert t.denials.all[-1].subject == "joe"
        assert len(t.servicer.calls) == 1


async def test_wrong_pins_lock_the_person_out_for_a_while(tmp_path: Path) -> None:
    clock = [0.0]
    async with trial(tmp_path, people=PersonCheck(Staff(), lambda: clock[0])) as t:
        podium = t.bearer("floor", subject="podium-1", shared=True)

        def act(pin: str) -> Any:
            named = (("cardroom-person", "maria"), ("cardroom-pin", pin))
            return t.stub.Change(change(), metadata=podium + named)

        for _ in range(5):
            assert (await failure(act("0000"))).reason == "PIN_WRONG"
        locked = await failure(act("4711"))
        assert (locked.code, locked.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "PIN_LOCKED")
        assert t.denials.all[-1].reason == "PIN_LOCKED"
        clock[0] += 61
        assert (await act("4711")).actor == "maria"


async def test_a_changed_pin_is_not_remembered(tmp_path: Path) -> None:
    staff = Staff()
    check = PersonCheck(staff)
    assert (await check.person("maria", "4711", "")).subject == "maria"
    staff.digest = pin_digest("0815")
    with pytest.raises(Unauthenticated):
        await check.person("maria", "4711", "")
    assert (await check.person("maria", "0815", "")).subject == "maria"


async def test_a_stream_ends_with_its_token(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        bearer = t.bearer("display", valid_seconds=2)
        call = t.stub.WatchRoom(pb.WatchRoomRequest(room="lucky"), metadata=bearer)
        assert (await call.read()).version == 0
        async with asyncio.timeout(5):
            got = await failure(call.read())
    assert (got.code, got.reason) == (UNAUTHENTICATED, "TOKEN_EXPIRED")
    assert t.servicer.watched.watchers == 0


async def test_a_servicer_that_lacks_an_rpc_is_not_served() -> None:
    class Half(TrialServicer):
        Look = TrialServicer.__mro__[2].Look  # the generated one, which answers UNIMPLEMENTED

    with pytest.raises(Misdeclared, match=r"lacks trial.v1.TrialService.Look"):
        bind(Half())
    with pytest.raises(Misdeclared, match="extends no generated servicer"):
        bind(object())
