"""Seals: signed checkpoints over the log, kept in the store and in an anchor outside the database."""

import asyncio
import base64
import binascii
import errno
import hashlib
import json
import os
from collections.abc import Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final, Protocol

import msgspec
import structlog
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from cardroom.adapters.ending import ended
from cardroom.adapters.errors import ConnectionLost, IntegrityBroken, Unavailable
from cardroom.adapters.shell import metrics
from cardroom.adapters.store.port import Seal, Store, StoredEvent
from cardroom.kernel.clock import Clock
from cardroom.kernel.envelope import HASH_BYTES, NO_HASH

MARK_BYTES: Final = 8
"""How much of each event's own hash a checkpoint carries, to say which event it is that differs."""

EVENTS_PER_CHECKPOINT: Final = 20_000
PUBLIC_KEY_FILE: Final = "seal.pub"

_log = structlog.get_logger("cardroom.seals")
_ENCODER: Final = msgspec.msgpack.Encoder()

SEALS_AT_ONCE: Final = 500


class SecondAnchor(Protocol):
    """One more anchor than the file, for example a Kafka topic."""

    async def publish(self, seal: Seal) -> None:
        """Take a seal; the same may come again.

        Raises:
            Unavailable: it cannot be taken now.
        """

    async def close(self) -> None:
        """Let go of what it holds."""


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """What is signed.

    Args:
        application: whose log.
        number: from 1, without gaps.
        after_id: last notification id of the checkpoint before, 0 for the first.
        last_id: last notification id it covers.
        ids: first and last of each run of notification ids that exist between the two (rollbacks leave gaps).
        marks: the first bytes of each event's own hash, in the order of the log.
        root: Merkle root over notification ids and own hashes.
        previous: SHA-256 of the body of the checkpoint before, zeros for the first.
        sealed_at: when, UTC.
    """

    application: str
    number: int
    after_id: int
    last_id: int
    ids: tuple[tuple[int, int], ...]
    marks: bytes
    root: bytes
    previous: bytes
    sealed_at: datetime

    def expected(self) -> dict[int, bytes]:
        """Return the mark of each notification id it covers."""
        ids = [number for first, last in self.ids for number in range(first, last + 1)]
        return {
            number: self.marks[place * MARK_BYTES : (place + 1) * MARK_BYTES]
            for place, number in enumerate(ids)
        }


CHECKPOINTS: Final = msgspec.msgpack.Decoder(Checkpoint)


def merkle_root(events: Sequence[tuple[int, bytes]]) -> bytes:
    """Return the Merkle root over (notification id, own hash) in the order of the log.

    Leaves and inner nodes are hashed under different prefixes; an odd node goes up as it is.
    """
    level = [
        hashlib.sha256(
            b"\x00" + notification_id.to_bytes(8, "big", signed=True) + own_hash
        ).digest()
        for notification_id, own_hash in events
    ]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        above = [hashlib.sha256(b"\x01" + left + right).digest() for left, right in pairs]
        level = above if len(level) % 2 == 0 else [*above, level[-1]]
    return level[0] if level else NO_HASH


def checkpoint_of(
    application: str,
    before: tuple[Checkpoint, bytes] | None,
    events: Sequence[StoredEvent],
    sealed_at: datetime,
) -> Checkpoint:
    """Return the checkpoint of what came since the one before.

    Args:
        application: whose log.
        before: the checkpoint before and its body, None for the first.
        events: in the order of the log, at least one.
        sealed_at: when.
    """
    runs: list[tuple[int, int]] = []
    for event in events:
        number = event.notification_id
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    hashes = [(event.notification_id, event.state[:HASH_BYTES]) for event in events]
    return Checkpoint(
        application=application,
        number=before[0].number + 1 if before else 1,
        after_id=before[0].last_id if before else 0,
        last_id=events[-1].notification_id,
        ids=tuple(runs),
        marks=b"".join(own_hash[:MARK_BYTES] for _, own_hash in hashes),
        root=merkle_root(hashes),
        previous=hashlib.sha256(before[1]).digest() if before else NO_HASH,
        sealed_at=sealed_at,
    )


def sign(checkpoint: Checkpoint, key: Ed25519PrivateKey) -> Seal:
    """Return a checkpoint with its signature."""
    body = _ENCODER.encode(checkpoint)
    return Seal(checkpoint.number, body, key.sign(body))


def opened(seal: Seal, key: Ed25519PublicKey) -> Checkpoint | None:
    """Return a seal's checkpoint, or None where the signature or the body is not what it must be."""
    try:
        key.verify(seal.signature, seal.body)
        checkpoint = CHECKPOINTS.decode(seal.body)
    except (InvalidSignature, msgspec.DecodeError):
        return None
    return checkpoint if checkpoint.number == seal.number else None


class AnchorFile:
    """An append-only file of one application's seals, one JSON line each, on another disk than the database."""

    def __init__(self, directory: Path, application: str) -> None:
        """Name the folder and the application."""
        self.path = directory / f"{application}.anchor"
        self.published_path = directory / f"{application}.published"

    def read(self) -> list[Seal]:
        """Return the seals in the order in which they were written; a line torn by a crash is passed over."""
        if not self.path.exists():
            return []
        seals = []
        for line in self.path.read_bytes().splitlines():
            try:
                entry = json.loads(line)
                body = base64.b64decode(entry["body"], validate=True)
                signature = base64.b64decode(entry["signature"], validate=True)
                seals.append(Seal(int(entry["number"]), body, signature))
            except (ValueError, KeyError, TypeError, binascii.Error):
                continue
        return seals

    def append(self, seals: Sequence[Seal]) -> None:
        """Write seals at the end and make sure that they are on the disk."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = b"".join(
            json.dumps(
                {
                    "number": seal.number,
                    "body": base64.b64encode(seal.body).decode(),
                    "signature": base64.b64encode(seal.signature).decode(),
                }
            ).encode()
            + b"\n"
            for seal in seals
        )
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            whole = b"\n" + lines if torn else lines
            if os.write(handle, whole) != len(whole):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
            os.fsync(handle)
        finally:
            os.close(handle)

    def published(self) -> int:
        """Return up to which number the second anchor has every seal; 0 where nothing says so."""
        if not self.published_path.exists():
            return 0
        text = self.published_path.read_text().strip()
        return int(text) if text.isdecimal() else 0

    def note_published(self, number: int) -> None:
        """Write down up to which number the second anchor has every seal."""
        partial = self.published_path.with_suffix(".partial")
        partial.write_text(f"{number}\n")
        partial.replace(self.published_path)


class Sealer:
    """Seals one application's log while it runs."""

    def __init__(
        self,
        application: str,
        store: Store,
        clock: Clock,
        key: bytes,
        anchor: AnchorFile,
        *,
        every_seconds: float = 5.0,
        second: SecondAnchor | None = None,
    ) -> None:
        """Take the log, the key and the anchor.

        Args:
            application: the context's name.
            store: its store, opened by its owner.
            clock: the process's clock.
            key: Ed25519 private key, 32 bytes.
            anchor: the file outside the database.
            every_seconds: how often a checkpoint is made while there is activity.
            second: one more anchor; it is brought up to date from the store whenever it can be reached.
        """
        self._application = application
        self._store = store
        self._clock = clock
        self._key = Ed25519PrivateKey.from_private_bytes(key)
        self._anchor = anchor
        self._every_seconds = every_seconds
        self._second = second
        self._second_fails = False
        self._task: asyncio.Task[None] | None = None
        self._anchor_behind = False
        self._unsealed = metrics.UNSEALED.labels(application)
        self._unpublished = metrics.UNPUBLISHED_SEALS.labels(application)

    async def start(self) -> None:
        """Bring the anchor up to date and seal from now on.

        Raises:
            IntegrityBroken: store and anchor disagree.
        """
        self._write_public_key()
        await self.catch_up()
        self._task = asyncio.create_task(self._run(), name=f"seal {self._application}")

    async def stop(self) -> None:
        """Seal what is left and end."""
        try:
            if self._task is not None:
                await ended(self._task)
                self._task = None
                await self.seal()
                if not self._second_fails:  # else stopping would wait for what does not answer
                    await self.publish()
        except Unavailable as error:
            _log.warning("seals wait", application=self._application, reason=str(error))
        finally:
            if self._second is not None:
                await self._second.close()

    async def catch_up(self) -> None:
        """Append to the anchor what the store has and it lacks, as after a crash between the two.

        Raises:
            IntegrityBroken: the anchor has a seal that the store lost, or has otherwise.
        """
        anchored = {seal.number: seal for seal in await asyncio.to_thread(self._anchor.read)}
        last = max(anchored, default=0)
        whole = next(number for number in count(1) if number not in anchored) - 1
        if last:
            stored = await self._store.seals(last - 1, 1)
            if not stored or stored[0] != anchored[last]:
                raise IntegrityBroken(
                    f"{self._application}: seal {last} stands in {self._anchor.path} and is missing or "
                    "another in the store; run `cardroom audit verify`"
                )
        while page := await self._store.seals(whole, SEALS_AT_ONCE):
            if missing := [seal for seal in page if seal.number not in anchored]:
                self._anchor_behind = True
                await asyncio.to_thread(self._anchor.append, missing)
            whole = page[-1].number
        self._anchor_behind = False

    async def publish(self) -> int:
        """Send the second anchor, in order, every seal that it is not known to have; return how many were sent.

        What it has is noted beside the anchor file after it was sent, so after a crash in between a seal comes twice.

        Raises:
            Unavailable: it cannot be reached; what is left is sent when this is called again.
        """
        if self._second is None:
            return 0
        newest = await self._store.last_seal()
        last = newest.number if newest is not None else 0
        upto = await asyncio.to_thread(self._anchor.published)
        sent = 0
        self._second_fails = True
        self._unpublished.set(max(0, last - upto))
        while upto < last and (page := await self._store.seals(upto, SEALS_AT_ONCE)):
            for seal in page:
                await self._second.publish(seal)
                upto, sent = seal.number, sent + 1
                await asyncio.to_thread(self._anchor.note_published, upto)
            self._unpublished.set(max(0, last - upto))
        self._second_fails = False
        return sent

    async def seal(self) -> list[Seal]:
        """Seal what came since the last checkpoint and return the new seals, none where nothing came."""
        if self._anchor_behind:
            # Its disk was full perhaps, or the store was lost: no seal may be left out.
            await self.catch_up()
        made = []
        while (seal := await self._seal_once()) is not None:
            made.append(seal)
        return made

    async def _seal_once(self) -> Seal | None:
        last = await self._store.last_seal()
        before = None if last is None else (CHECKPOINTS.decode(last.body), last.body)
        after = before[0].last_id if before else 0
        upto = await self._store.last_notification_id()
        self._unsealed.set(upto - after)
        if upto <= after:
            return None
        events = await self._store.log(after, EVENTS_PER_CHECKPOINT, upto)
        if not events:
            return None
        checkpoint = checkpoint_of(self._application, before, events, self._clock.now())
        seal = sign(checkpoint, self._key)
        # A connection lost on the way leaves open whether it was stored; the next round makes up for it if it was.
        self._anchor_behind = True
        if not await self._store.add_seal(seal):
            return None  # another process sealed first; it writes the anchor too, unless it dies before
        await asyncio.to_thread(self._anchor.append, [seal])
        self._anchor_behind = False
        self._unsealed.set(upto - checkpoint.last_id)
        return seal

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._every_seconds)
            try:
                await self.seal()
                await self.publish()
            except (ConnectionLost, Unavailable, OSError) as error:
                _log.warning("sealing waits", application=self._application, reason=str(error))
            except Exception:  # noqa: BLE001 - logged with its traceback; the unsealed tail grows and is measured
                _log.exception("sealing failed", application=self._application)

    def _write_public_key(self) -> None:
        folder = self._anchor.path.parent
        folder.mkdir(parents=True, exist_ok=True)
        path, public = folder / PUBLIC_KEY_FILE, self._key.public_key().public_bytes_raw().hex()
        if path.exists():
            if path.read_text().strip() != public:
                raise IntegrityBroken(f"{path} holds another key than this installation seals with")
            return
        path.write_text(public + "\n")


def read_public_key(directory: Path) -> Ed25519PublicKey:
    """Return the key that an anchor folder's seals verify under.

    Raises:
        FileNotFoundError: the folder has none.
        ValueError: the file is no such key.
    """
    text = (directory / PUBLIC_KEY_FILE).read_text().strip()
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))
