"""Bearer tokens: Ed25519 keys in the data directory, minting, and verification with a cache.

A token is a JWT signed with EdDSA: `sub` (who), `station` (where), `roles`, `rooms` (rooms and groups of rooms it
covers, `*` for all), `shared` (a podium several people use), `iat` and `exp`. The header's `kid` names the key, so
that keys can be replaced while tokens of the old one run out.
"""

import hashlib
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from cardroom.api.options.v1.options_pb2 import Role

ALGORITHM: Final = "EdDSA"
AUDIENCE: Final = "cardroom"
EVERY_ROOM: Final = "*"
ROLES: Final = frozenset(
    value.name.removeprefix("ROLE_").lower() for value in Role.DESCRIPTOR.values if value.number
)
"""The roles there are, as tokens and the log write them."""
LONGEST_TOKEN_BYTES: Final = 4096
CACHED_TOKENS: Final = 4096
KEYS_REREAD_SECONDS: Final = 5.0
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}\Z")


class Unauthenticated(Exception):  # noqa: N818 - an answer to the caller
    """The call carries no token that this server accepts.

    Args:
        reason: UPPER_SNAKE reason that programs can rely on, for example `TOKEN_EXPIRED`.
        message: one sentence; never holds the token.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Claims(msgspec.Struct, frozen=True, kw_only=True):
    """What a token says, signature verified.

    Args:
        sub: who bears it.
        station: the podium, tablet or process it was made for, or empty.
        roles: roles the bearer may use.
        rooms: rooms and groups of rooms it covers; `*` for all.
        shared: whether several people use the station, so that each act needs a person's PIN or badge.
        iat: when it was made, Unix seconds.
        exp: when it ends, Unix seconds.
    """

    sub: str
    roles: frozenset[str]
    rooms: frozenset[str]
    exp: int
    iat: int
    station: str = ""
    shared: bool = False


def key_id_of(key: Ed25519PublicKey) -> str:
    """Return the name under which a public key is filed: the head of its SHA-256."""
    raw = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
    return hashlib.sha256(raw).hexdigest()[:16]


class TokenKeys:
    """The key that signs tokens and all public keys that verify them, in one folder.

    `signing.pem` holds the private key (mode 0600); `public/<key id>.pem` every public key still accepted. A server
    that only verifies needs `public/` alone.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create_missing(self) -> None:
        """Make the signing key if there is none; of several processes starting at once, one key wins."""
        public = self.folder / "public"
        public.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self.folder / "signing.pem"
        if not path.exists():
            scratch = self.folder / f".signing-{secrets.token_hex(8)}"
            _write_private(scratch, Ed25519PrivateKey.generate())
            try:
                os.link(scratch, path)  # fails where another process was faster
            except FileExistsError:
                pass
            finally:
                scratch.unlink()
        self._publish()

    def replace_signing(self) -> None:
        """Sign with a new key from now on; tokens of the old one stay good until they end."""
        self.create_missing()
        scratch = self.folder / f".signing-{secrets.token_hex(8)}"
        _write_private(scratch, Ed25519PrivateKey.generate())
        scratch.replace(self.folder / "signing.pem")
        self._publish()

    def signing(self) -> Ed25519PrivateKey:
        """Return the key that signs.

        Raises:
            FileNotFoundError: this folder holds none.
            ValueError: the file holds another kind of key.
        """
        path = self.folder / "signing.pem"
        key = load_pem_private_key(path.read_bytes(), None)
        if not isinstance(key, Ed25519PrivateKey):
            raise ValueError(  # noqa: TRY004 - the file is at fault, not the call
                f"{path.name} holds no Ed25519 key"
            )
        return key

    def verifying(self) -> dict[str, Ed25519PublicKey]:
        """Return the public keys by key id.

        Raises:
            ValueError: a file holds another kind of key.
        """
        keys: dict[str, Ed25519PublicKey] = {}
        for path in sorted((self.folder / "public").glob("*.pem")):
            key = load_pem_public_key(path.read_bytes())
            if not isinstance(key, Ed25519PublicKey):
                raise ValueError(  # noqa: TRY004 - the file is at fault, not the call
                    f"{path.name} holds no Ed25519 key"
                )
            keys[key_id_of(key)] = key
        return keys

    def _publish(self) -> None:
        key = self.signing().public_key()
        path = self.folder / "public" / f"{key_id_of(key)}.pem"
        if not path.exists():
            scratch = path.with_name(f".{secrets.token_hex(8)}")
            scratch.write_bytes(key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
            scratch.replace(path)


def _write_private(path: Path, key: Ed25519PrivateKey) -> None:
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())


class TokenMint:
    """Makes tokens."""

    def __init__(self, key: Ed25519PrivateKey, now: Callable[[], float] = time.time) -> None:
        self._key = key
        self._key_id = key_id_of(key.public_key())
        self._now = now

    def token(
        self,
        subject: str,
        roles: Iterable[str],
        *,
        rooms: Iterable[str],
        station: str = "",
        shared: bool = False,
        valid_seconds: int = 12 * 3600,
    ) -> str:
        """Make a token.

        Args:
            subject: who bears it, for example `maria` or `service:seating`.
            roles: roles of `ROLES`.
            rooms: rooms and groups of rooms it covers; `*` for all.
            station: the podium, tablet or process it is for.
            shared: whether each act needs a person's PIN or badge beside it.
            valid_seconds: how long it is good.

        Raises:
            ValueError: a role is none of `ROLES`, a name is malformed, or there is no role or room.
        """
        chosen, covered = sorted(set(roles)), sorted(set(rooms))
        for role in chosen:
            if role not in ROLES:
                raise ValueError(f"role {role!r} is none of: {', '.join(sorted(ROLES))}")
        for field, names in (("subject", [subject]), ("room", covered), ("station", [station])):
            for name in names:
                if not _NAME.match(name) and not (
                    (field == "room" and name == EVERY_ROOM) or (field == "station" and not name)
                ):
                    raise ValueError(
                        f"{field} {name!r}: letters, digits and _.:@- only, at most 128"
                    )
        if not chosen or not covered:
            raise ValueError("a token needs at least one role and one room (or *)")
        if valid_seconds <= 0:
            raise ValueError(
                f"valid_seconds is {valid_seconds}: a token must be good for some time"
            )
        now = int(self._now())
        claims: dict[str, object] = {
            "sub": subject,
            "aud": AUDIENCE,
            "roles": chosen,
            "rooms": covered,
            "iat": now,
            "exp": now + valid_seconds,
        }
        if station:
            claims["station"] = station
        if shared:
            claims["shared"] = True
        return jwt.encode(claims, self._key, ALGORITHM, headers={"kid": self._key_id})

    def service_token(self, process: str, valid_seconds: int = 24 * 3600) -> str:
        """Make the token with which one of Cardroom's own processes calls another.

        Args:
            process: the process's name, usually its context's.
            valid_seconds: how long it is good; `PeerChannels` mints a new one in time.
        """
        return self.token(
            f"service:{process}",
            ("service",),
            rooms=(EVERY_ROOM,),
            station=process,
            valid_seconds=valid_seconds,
        )


class TokenVerifier:
    """Verifies tokens; what was verified once is remembered, its end is looked at each time."""

    def __init__(
        self,
        keys: Callable[[], dict[str, Ed25519PublicKey]],
        now: Callable[[], float] = time.time,
    ) -> None:
        """Prepare to verify.

        Args:
            keys: reads the public keys, for example `TokenKeys(folder).verifying`; asked again when a token names a
                key that is not known, at most every few seconds.
            now: the time against which a token ends, Unix seconds.
        """
        self._read_keys = keys
        self._now = now
        self._keys = keys()
        self._keys_read_at = now()
        self._verified: dict[str, Claims] = {}

    def claims(self, token: str) -> Claims:
        """Return what a token says.

        Raises:
            Unauthenticated: it is malformed, forged, of another algorithm or key, not for this system, or over.
        """
        claims = self._verified.get(token)
        if claims is None:
            claims = self._verify(token)
            if len(self._verified) >= CACHED_TOKENS:
                self._verified.pop(next(iter(self._verified)))
            self._verified[token] = claims
        if claims.exp <= self._now():
            self._verified.pop(token, None)
            raise Unauthenticated("TOKEN_EXPIRED", "the token's time is over; get a new one")
        return claims

    def _verify(self, token: str) -> Claims:
        if len(token) > LONGEST_TOKEN_BYTES:
            raise Unauthenticated("TOKEN_MALFORMED", "the token is too long")
        try:
            header = jwt.get_unverified_header(token)
        except jwt.PyJWTError as fault:
            raise Unauthenticated("TOKEN_MALFORMED", "the token is no JWT") from fault
        if header.get("alg") != ALGORITHM:
            raise Unauthenticated("TOKEN_ALGORITHM", f"tokens are signed with {ALGORITHM} only")
        key = self._key(str(header.get("kid", "")))
        if key is None:
            raise Unauthenticated("TOKEN_KEY_UNKNOWN", "the token names a key that is not known")
        try:
            payload = jwt.decode(
                token,
                key,
                algorithms=[ALGORITHM],
                audience=AUDIENCE,
                options={
                    "require": ["exp", "iat", "sub"],
                    "verify_exp": False,
                    "verify_iat": False,
                },
            )
            claims = msgspec.convert(payload, Claims)
        except jwt.InvalidSignatureError as fault:
            raise Unauthenticated("TOKEN_FORGED", "the token's signature is not good") from fault
        except (jwt.PyJWTError, msgspec.ValidationError) as fault:
            raise Unauthenticated("TOKEN_MALFORMED", f"the token's claims: {fault}") from fault
        if not _NAME.match(claims.sub):
            raise Unauthenticated("TOKEN_MALFORMED", "the token's claims: sub is malformed")
        return claims

    def _key(self, key_id: str) -> Ed25519PublicKey | None:
        if key_id not in self._keys and self._now() - self._keys_read_at >= KEYS_REREAD_SECONDS:
            self._keys = self._read_keys()
            self._keys_read_at = self._now()
        return self._keys.get(key_id)
