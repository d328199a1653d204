"""Start, health, reflection, mutual TLS, the manual clock, and what a server refuses to start with."""

import asyncio
import datetime as dt
import tempfile
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from cardroom.adapters.grpc.auth import TokenKeys
from cardroom.adapters.grpc.clock import ClockServicer
from cardroom.adapters.grpc.methods import Misdeclared
from cardroom.adapters.grpc.server import Tls
from cardroom.api.clock.v1 import clock_service_pb2 as clock_pb
from cardroom.api.clock.v1.clock_service_pb2_grpc import ClockServiceStub
from cardroom.kernel.clock import ManualClock
from tests.plugins.grpc_trial import SERVICE, TrialServicer, change, failure, pb_grpc, trial

Code = grpc.StatusCode
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def test_health_answers_without_a_token(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        health = health_pb2_grpc.HealthStub(t.channel)
        for service in ("", SERVICE):
            got = await health.Check(health_pb2.HealthCheckRequest(service=service))
            assert got.status == SERVING
        await t.server.set_serving(False, SERVICE)
        got = await health.Check(health_pb2.HealthCheckRequest(service=SERVICE))
        assert got.status == NOT_SERVING
        unknown = await failure(health.Check(health_pb2.HealthCheckRequest(service="casino")))
        assert unknown.code == Code.NOT_FOUND
        raw = t.channel.unary_unary("/grpc.health.v1.Health/Check")
        assert (await failure(raw(b"\xff"))).code == Code.INVALID_ARGUMENT


async def test_a_drain_turns_probes_away(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        health = health_pb2_grpc.HealthStub(t.channel)
        watch = health.Watch(health_pb2.HealthCheckRequest(service=SERVICE))
        assert (await watch.read()).status == SERVING
        stopping = asyncio.ensure_future(t.server.stop())
        assert (await watch.read()).status == NOT_SERVING
        assert (await failure(watch.read())).code == Code.UNAVAILABLE
        await stopping


async def test_reflection_tells_bearers_of_a_token_what_is_offered(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        stub = reflection_pb2_grpc.ServerReflectionStub(t.channel)

        async def ask(request: Any, **more: Any) -> Any:
            call = stub.ServerReflectionInfo(iter([request]), **more)
            return await call.read()

        listing = reflection_pb2.ServerReflectionRequest(list_services="")
        refused = await failure(ask(listing))
        assert refused.code == Code.UNAUTHENTICATED
        got = await ask(listing, metadata=t.bearer("display"))
        names = {service.name for service in got.list_services_response.service}
        assert {SERVICE, "grpc.health.v1.Health"} <= names
        symbol = reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICE)
        got = await ask(symbol, metadata=t.bearer("display"))
        (raw,) = got.file_descriptor_response.file_descriptor_proto[:1]
        assert FileDescriptorProto.FromString(raw).package == "trial.v1"


async def test_an_address_in_use_is_an_error(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        with pytest.raises(OSError, match="cannot listen"):
            async with trial(tmp_path, address=t.server.address):
                pass


async def test_a_unix_socket_serves_too(tmp_path: Path) -> None:
    # The path of a socket has at most 107 characters; a test's own folder may have a longer one.
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        async with trial(tmp_path, address=f"unix:{short}/cardroom.sock") as t:
            assert (await t.stub.Change(change(), metadata=t.bearer())).actor == "ann"


async def test_one_service_is_not_served_twice(tmp_path: Path) -> None:
    with pytest.raises(Misdeclared, match="two servicers"):
        async with trial(tmp_path, extra=[TrialServicer()]):
            pass


START = dt.datetime(2026, 5, 1, 20, 0, tzinfo=dt.UTC)


async def test_the_manual_clock_moves_and_answers_when_timers_have_fired(tmp_path: Path) -> None:
    clock = ManualClock(START)
    fired: list[dt.datetime] = []

    async def settle() -> None:
        fired.append(clock.now())

    async with trial(tmp_path, extra=[ClockServicer(clock, settle)]) as t:
        stub = ClockServiceStub(t.channel)
        got = await stub.GetTime(clock_pb.GetTimeRequest(), metadata=t.bearer("display"))
        assert got.now.ToDatetime(dt.UTC) == START
        later = START + dt.timedelta(hours=1)
        ahead = clock_pb.AdvanceRequest(request_id="a1")
        ahead.to.FromDatetime(later)
        for _ in range(2):
            got = await stub.Advance(ahead, metadata=t.bearer("admin"))
            assert got.now.ToDatetime(dt.UTC) == later
        assert fired == [START, later, later]
        back = clock_pb.AdvanceRequest(request_id="a2")
        back.to.FromDatetime(START)
        refused = await failure(stub.Advance(back, metadata=t.bearer("admin")))
        assert (refused.code, refused.reason) == (Code.FAILED_PRECONDITION, "CLOCK_GOES_BACK")
        refused = await failure(stub.Advance(ahead, metadata=t.bearer("floor")))
        assert refused.code == Code.PERMISSION_DENIED


async def test_without_a_manual_clock_there_is_no_clock_service(tmp_path: Path) -> None:
    async with trial(tmp_path) as t:
        got = await failure(
            ClockServiceStub(t.channel).GetTime(
                clock_pb.GetTimeRequest(), metadata=t.bearer("admin")
            )
        )
    assert got.code == Code.UNIMPLEMENTED


class Authority:
    """A certificate authority of the test."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.certificate = self._certificate(self.name, self.key.public_key(), authority=True)
        self.path = folder / f"{name}.pem"
        self.path.write_bytes(self.certificate.public_bytes(Encoding.PEM))

    def issue(self, name: str) -> Tls:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        certificate = self._certificate(subject, key.public_key(), authority=False)
        paths = (self.folder / f"{name}.crt", self.folder / f"{name}.key")
        paths[0].write_bytes(certificate.public_bytes(Encoding.PEM))
        paths[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return Tls(certificate=paths[0], key=paths[1], authority=self.path)

    def _certificate(self, subject: x509.Name, key: Any, *, authority: bool) -> x509.Certificate:
        now = dt.datetime.now(dt.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self.name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(minutes=1))
            .not_valid_after(now + dt.timedelta(hours=1))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        )
        return builder.sign(self.key, SHA256())


async def test_mutual_tls_takes_callers_of_the_authority_only(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "house")
    stranger = Authority(tmp_path, "stranger")
    async with trial(tmp_path, tls=authority.issue("server"), address="localhost:0") as t:

        async def call(credentials: grpc.ChannelCredentials | None) -> Any:
            opened = (
                grpc.aio.insecure_channel(t.server.address)
                if credentials is None
                else grpc.aio.secure_channel(t.server.address, credentials)
            )
            async with opened as channel:
                stub = pb_grpc.TrialServiceStub(channel)
                return await stub.Change(change(), metadata=t.bearer(), timeout=5)

        assert (await call(authority.issue("waitlist").channel_credentials())).actor == "ann"
        eve = stranger.issue("eve")
        without = grpc.ssl_channel_credentials(authority.path.read_bytes())
        foreign = grpc.ssl_channel_credentials(
            authority.path.read_bytes(),
            eve.key.read_bytes(),
            eve.certificate.read_bytes(),
        )
        for credentials in (without, foreign, None):
            assert (await failure(call(credentials))).code == Code.UNAVAILABLE


def test_a_key_of_another_kind_signs_no_tokens(tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    (tmp_path / "signing.pem").write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    with pytest.raises(ValueError, match="Ed25519"):
        TokenKeys(tmp_path).signing()
