"""Certificates and tokens as an installation makes them."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from cryptography import x509
from typer.testing import CliRunner

from cardroom.adapters.grpc import certificates as module
from cardroom.adapters.grpc.certificates import Certificates
from cardroom.cli.main import build
from tests.plugins.grpc_trial import change, failure, pb_grpc, trial


async def test_processes_of_one_installation_trust_each_other(tmp_path: Path) -> None:
    house, other = Certificates(tmp_path / "house"), Certificates(tmp_path / "other")
    async with trial(tmp_path, tls=house.issue("seating")) as t:

        async def call(tls: module.Tls) -> str:
            credentials = tls.channel_credentials()
            async with grpc.aio.secure_channel(t.server.address, credentials) as channel:
                stub = pb_grpc.TrialServiceStub(channel)
                answer = await stub.Change(change(), metadata=t.bearer(), timeout=5)
                return str(answer.actor)

        assert await call(house.issue("waitlist")) == "ann"
        got = await failure(call(other.issue("waitlist")))
        assert got.code == grpc.StatusCode.UNAVAILABLE


def test_a_certificate_stands_until_it_is_soon_over_or_hosts_are_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = Certificates(tmp_path)

    def serial() -> int:
        content = house.issue("seating", hosts).certificate.read_bytes()
        return x509.load_pem_x509_certificate(content).serial_number

    hosts = ("localhost", "10.0.0.7")
    first = serial()
    assert serial() == first
    hosts = ("localhost", "10.0.0.7", "floor.example")
    second = serial()
    assert second != first
    monkeypatch.setattr(module, "RENEWED_DAYS_BEFORE", module.CERTIFICATE_DAYS + 1)
    assert serial() != second


def test_processes_that_start_together_share_one_authority(tmp_path: Path) -> None:
    def issue(number: int) -> bytes:
        return Certificates(tmp_path).issue(f"p{number % 4}").authority.read_bytes()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(issue, range(16)))) == 1
    for key in tmp_path.glob("*.key"):
        assert stat.S_IMODE(key.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["", "../x", "a b", "authority", "-x"])
def test_a_name_that_is_no_files_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="cannot name a certificate"):
        Certificates(tmp_path).issue(name)


def test_the_command_token_mints_checks_and_replaces(tmp_path: Path) -> None:
    run = CliRunner()
    app = build()
    where = ["--data-directory", str(tmp_path)]
    minted = run.invoke(
        app, ["token", "mint", "maria", "--role", "floor", "--room", "lucky", *where]
    )
    assert minted.exit_code == 0, minted.output
    token = minted.stdout.strip()
    shown = run.invoke(app, ["token", "check", token, *where])
    assert "subject  maria" in shown.stdout
    assert "roles    floor" in shown.stdout
    assert run.invoke(app, ["token", "replace-key", *where]).exit_code == 0
    assert run.invoke(app, ["token", "check", "-", *where], input=token).exit_code == 0
    forged = run.invoke(app, ["token", "check", token[:-4] + "AAAA", *where])
    assert forged.exit_code == 1
    assert "TOKEN_FORGED" in forged.output
    wrong = run.invoke(app, ["token", "mint", "x", "--role", "king", "--room", "l", *where])
    assert wrong.exit_code == 1
    assert "role 'king' is none of" in wrong.output
