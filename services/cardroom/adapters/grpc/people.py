"""The person at a shared podium: a PIN or a badge beside the station's token, at each act.

PINs are kept as scrypt digests and come through a port; a PIN found right is remembered for a short while under a key
of this process, so that the slow digest is not worked out at each tap. Wrong PINs lock the person out for a while.
"""

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from typing import Final, Protocol

import msgspec
from google.rpc import code_pb2

from cardroom.adapters.grpc.auth import Unauthenticated
from cardroom.adapters.grpc.errors import CallEnded, PermissionDenied

REMEMBERED_SECONDS: Final = 60.0
WRONG_ALLOWED: Final = 5
LOCKED_SECONDS: Final = 60.0
LARGEST_TABLE: Final = 4096
_COST: Final = 2**14


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A member of staff as the gate needs to know them.

    Args:
        subject: how the log names them.
        roles: the roles they hold.
        pin_digest: `pin_digest(pin)`, or empty where they have no PIN.
    """

    subject: str
    roles: frozenset[str]
    pin_digest: str = ""


class People(Protocol):
    """Where the gate learns who works here; the house context's staff list answers it."""

    async def by_subject(self, subject: str) -> Person | None:
        """Return the person of that name, or None."""

    async def by_badge(self, badge_digest: str) -> Person | None:
        """Return the person whose badge has that digest (`badge_digest(number)`), or None."""


def pin_digest(pin: str, salt: bytes = b"") -> str:
    """Return what is stored in a PIN's place: salt and scrypt digest.

    Args:
        pin: 4 to 12 digits.
        salt: 16 bytes used for this PIN only; random where empty.

    Raises:
        ValueError: the PIN is not 4 to 12 digits.
    """
    if not (4 <= len(pin) <= 12 and pin.isascii() and pin.isdigit()):
        raise ValueError("a PIN is 4 to 12 digits")
    salt = salt or secrets.token_bytes(16)
    return f"scrypt${salt.hex()}${_scrypt(pin, salt).hex()}"


def badge_digest(number: str) -> str:
    """Return what is stored in a badge number's place; numbers are long and random, so it needs no salt."""
    return hashlib.sha256(b"cardroom badge\0" + number.encode()).hexdigest()


def _scrypt(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=_COST, r=8, p=1, dklen=32)


def _pin_fits(pin: str, digest: str) -> bool:
    scheme, salt, stored = digest.split("$")
    if scheme != "scrypt":
        raise ValueError(f"unknown PIN digest scheme {scheme!r}")
    return hmac.compare_digest(_scrypt(pin, bytes.fromhex(salt)).hex(), stored)


class PersonCheck:
    """Establishes the person of an act from what came beside the station's token."""

    def __init__(self, people: People, now: Callable[[], float] = time.monotonic) -> None:
        self._people = people
        self._now = now
        self._secret = secrets.token_bytes(32)
        self._right: dict[bytes, float] = {}
        self._wrong: dict[str, tuple[int, float]] = {}

    async def person(self, subject: str, pin: str, badge: str) -> Person:
        """Return the person.

        Args:
            subject: who they say they are; empty with a badge.
            pin: their PIN, or empty.
            badge: their badge's number, or empty.

        Raises:
            PermissionDenied: PERSON_NEEDED, nobody was named.
            Unauthenticated: PIN_WRONG or BADGE_UNKNOWN.
            CallEnded: PIN_LOCKED, too many wrong PINs.
        """
        if badge:
            found = await self._people.by_badge(badge_digest(badge))
            if found is None:
                raise Unauthenticated("BADGE_UNKNOWN", "the badge is not known")
            return found
        if not subject or not pin:
            raise PermissionDenied(
                "PERSON_NEEDED", "this station is shared: an act needs a person's badge or PIN"
            )
        self._refuse_locked(subject)
        found = await self._people.by_subject(subject)
        if found is None or not await self._fits(found, pin):
            self._count_wrong(subject)
            raise Unauthenticated("PIN_WRONG", "the PIN is not that person's")
        self._wrong.pop(subject, None)
        return found

    async def _fits(self, person: Person, pin: str) -> bool:
        if not person.pin_digest:
            return False
        proof = f"{person.subject}\0{person.pin_digest}\0{pin}".encode()
        remembered = hashlib.blake2b(proof, key=self._secret, digest_size=32).digest()
        if self._right.get(remembered, 0.0) > self._now():
            return True
        if not await asyncio.to_thread(_pin_fits, pin, person.pin_digest):
            return False
        _make_room(self._right)
        self._right[remembered] = self._now() + REMEMBERED_SECONDS
        return True

    def _refuse_locked(self, subject: str) -> None:
        count, until = self._wrong.get(subject, (0, 0.0))
        left = until - self._now()
        if count >= WRONG_ALLOWED and left > 0:
            raise CallEnded(
                code_pb2.RESOURCE_EXHAUSTED,
                "PIN_LOCKED",
                "too many wrong PINs; wait, or use a badge",
                retry_seconds=left,
            )

    def _count_wrong(self, subject: str) -> None:
        count, until = self._wrong.pop(subject, (0, 0.0))
        if until <= self._now():
            count = 0
        _make_room(self._wrong)
        self._wrong[subject] = (count + 1, self._now() + LOCKED_SECONDS)


def _make_room(table: dict[bytes, float] | dict[str, tuple[int, float]]) -> None:
    if len(table) >= LARGEST_TABLE:
        del table[next(iter(table))]  # type: ignore[arg-type]
