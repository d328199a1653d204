"""Keys per subject: made at first use, wrapped under the master key, gone for good when erased."""

import hmac
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from cardroom.adapters.errors import IntegrityBroken
from cardroom.adapters.store.codec import KEY_ID_BYTES
from cardroom.adapters.store.port import Store, SubjectKey

_NONCE_BYTES: Final = 12


class Vault:
    """Opens and makes subjects' keys for one application; holds what it opened until told to forget."""

    def __init__(
        self, store: Store, master_key: bytes, randomness: Callable[[int], bytes] = os.urandom
    ) -> None:
        """Take the store of the wrapped keys and the master key.

        Args:
            store: where the wrapped keys lie.
            master_key: 32 bytes, from the settings or the data directory.
            randomness: source of key bytes.

        Raises:
            ValueError: the master key is not 32 bytes.
        """
        if len(master_key) != 32:
            raise ValueError(f"the master key has {len(master_key)} bytes, it takes 32")
        self._store = store
        self._master = AESGCM(master_key)
        self.digest_key = hmac.digest(master_key, b"cardroom request digests", "sha256")
        """Keys the digests of commands, which may hold personal data."""
        self._randomness = randomness
        self.opened: dict[bytes, bytes | None] = {}
        """Key id -> key, or None where it was erased; for `Codec.decode`."""
        self._by_subject: dict[str, tuple[bytes, bytes]] = {}

    def held(self, subject: str) -> tuple[bytes, bytes] | None:
        """Return key id and key of a subject if they are at hand without asking the store."""
        return self._by_subject.get(subject)

    async def key_for(self, subject: str) -> tuple[bytes, bytes]:
        """Return key id and key of a subject, making the key if there is none."""
        stored = (await self._store.subject_keys([subject])).get(subject)
        if stored is None:
            key_id, key = self._randomness(KEY_ID_BYTES), self._randomness(32)
            nonce = self._randomness(_NONCE_BYTES)
            wrapped = nonce + self._master.encrypt(nonce, key, _bound(key_id, subject))
            stored = await self._store.add_key(SubjectKey(key_id, subject, wrapped))
        held = (stored.key_id, self._unwrap(stored))
        self._by_subject[subject] = held
        self.opened[held[0]] = held[1]
        return held

    async def open(self, key_ids: Iterable[bytes]) -> None:
        """Make keys ready for decoding; those that were erased are noted as gone."""
        missing = [key_id for key_id in key_ids if key_id not in self.opened]
        if not missing:
            return
        found = await self._store.keys(missing)
        for key_id in missing:
            stored = found.get(key_id)
            self.opened[key_id] = None if stored is None else self._unwrap(stored)

    async def open_of(self, subjects: Sequence[str]) -> None:
        """Make the keys of subjects ready for decoding, as far as they have any; none is made."""
        for stored in (await self._store.subject_keys(subjects)).values():
            if stored.key_id not in self.opened:
                self.opened[stored.key_id] = self._unwrap(stored)

    async def erase(self, subject: str) -> int:
        """Delete a subject's keys for good and forget them; returns how many there were."""
        count = await self._store.erase_subject(subject)
        self.forget()
        return count

    def forget(self) -> None:
        """Drop every opened key, so that the store is asked again which still exist."""
        self.opened.clear()
        self._by_subject.clear()

    def _unwrap(self, stored: SubjectKey) -> bytes:
        nonce, sealed = stored.wrapped[:_NONCE_BYTES], stored.wrapped[_NONCE_BYTES:]
        try:
            return self._master.decrypt(nonce, sealed, _bound(stored.key_id, stored.subject))
        except InvalidTag as broken:
            raise IntegrityBroken(
                f"the key {stored.key_id.hex()} does not open under this master key"
            ) from broken


def _bound(key_id: bytes, subject: str) -> bytes:
    return key_id + subject.encode()
