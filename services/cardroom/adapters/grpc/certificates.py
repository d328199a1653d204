"""Certificates for mutual TLS, from a small authority in the data directory.

`authority.pem` and `authority.key` are made at the first start; each process and station is issued its own certificate
there. A house with an authority of its own puts its files in their place: what is there is used as it is.
"""

import fcntl
import ipaddress
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from cardroom.adapters.grpc.server import Tls

AUTHORITY_DAYS: Final = 3650
CERTIFICATE_DAYS: Final = 397
RENEWED_DAYS_BEFORE: Final = 120
LOCAL_NAMES: Final = ("localhost", "127.0.0.1", "::1")
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}\Z")


class Certificates:
    """The authority of one installation and the certificates it has issued."""

    def __init__(self, folder: Path) -> None:
        """Name the folder, usually `tls` in the data directory."""
        self.folder = folder
        self._authority = folder / "authority.pem"
        self._authority_key = folder / "authority.key"

    def issue(self, name: str, hosts: Iterable[str] = LOCAL_NAMES) -> Tls:
        """Return a process's or station's certificate, issued now if there is none or its time is soon over.

        Args:
            name: the process or station, for example `seating`.
            hosts: host names and addresses under which it is reached.

        Raises:
            ValueError: the name cannot be a file's.
            FileNotFoundError: the authority's key is kept elsewhere, so nothing can be issued here.
        """
        if not _NAME.match(name) or name == "authority":
            raise ValueError(f"{name!r} cannot name a certificate: a-z, 0-9 and _.-, at most 64")
        tls = Tls(
            certificate=self.folder / f"{name}.pem",
            key=self.folder / f"{name}.key",
            authority=self._authority,
        )
        wanted = frozenset(hosts)
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._alone():
            if not self._authority.exists():
                self._create_authority()
            if not self._is_good(tls, wanted):
                self._issue(name, wanted, tls)
        return tls

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other processes that start at the same time out."""
        with (self.folder / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _create_authority(self) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = _name_of(f"Cardroom authority {secrets.token_hex(4)}")
        certificate = (
            _builder(name, name, key, key, AUTHORITY_DAYS)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs_certificates=True), critical=True)
            .sign(key, SHA256())
        )
        _write(self._authority_key, _pem_of(key), 0o600)
        _write(self._authority, certificate.public_bytes(Encoding.PEM), 0o644)

    def _is_good(self, tls: Tls, hosts: frozenset[str]) -> bool:
        if not tls.certificate.exists() or not tls.key.exists():
            return False
        certificate = x509.load_pem_x509_certificate(tls.certificate.read_bytes())
        authority = x509.load_pem_x509_certificate(self._authority.read_bytes())
        left = certificate.not_valid_after_utc - datetime.now(UTC)
        return (
            certificate.issuer == authority.subject
            and left > timedelta(days=RENEWED_DAYS_BEFORE)
            and hosts <= _hosts_of(certificate)
        )

    def _issue(self, name: str, hosts: frozenset[str], tls: Tls) -> None:
        signer = load_pem_private_key(self._authority_key.read_bytes(), None)
        if not isinstance(signer, ec.EllipticCurvePrivateKey):
            raise ValueError(  # noqa: TRY004 - the file is at fault, not the call
                f"{self._authority_key.name} holds no elliptic-curve key"
            )
        authority = x509.load_pem_x509_certificate(self._authority.read_bytes())
        key = ec.generate_private_key(ec.SECP256R1())
        purposes = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
        names = [_general_name(host) for host in sorted(hosts)]
        certificate = (
            _builder(_name_of(name), authority.subject, key, signer, CERTIFICATE_DAYS)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage(purposes), critical=False)
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .sign(signer, SHA256())
        )
        _write(tls.key, _pem_of(key), 0o600)
        _write(tls.certificate, certificate.public_bytes(Encoding.PEM), 0o644)


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    days: int,
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False
        )
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name_of(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _hosts_of(certificate: x509.Certificate) -> frozenset[str]:
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    addresses = (str(address) for address in names.get_values_for_type(x509.IPAddress))
    return frozenset((*names.get_values_for_type(x509.DNSName), *addresses))


def _pem_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _write(path: Path, content: bytes, mode: int) -> None:
    scratch = path.with_name(f".{secrets.token_hex(8)}")
    with os.fdopen(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)
