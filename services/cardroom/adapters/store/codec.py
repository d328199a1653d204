"""From events to stored bytes and back, confidential fields included."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, get_type_hints

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from cardroom.adapters.errors import EventUnreadable, IntegrityBroken
from cardroom.adapters.store.port import StoredEvent
from cardroom.kernel.envelope import HASH_BYTES, Envelope, Recorded, own_hash
from cardroom.kernel.events import Event, EventTypes, topic_of

KEY_ID_BYTES: Final = 16
_NONCE_BYTES: Final = 12
_ENVELOPES: Final = msgspec.msgpack.Decoder(Envelope)
_FIELDS: Final = msgspec.msgpack.Decoder(dict[str, msgspec.Raw])
_SEALED: Final = msgspec.msgpack.Decoder(bytes)
_FAULTS: Final = (msgspec.MsgspecError, LookupError, TypeError, ValueError)
"""What decoding, and upcasting of bytes that are none of the old topic's, may raise."""

Keys = Mapping[bytes, bytes | None]
"""Key id -> 32 key bytes, or None where the key is known to be gone."""


class Codec:
    """Encodes and decodes one context's events.

    A confidential field is stored as msgpack binary: key id, nonce, and AES-256-GCM ciphertext of the field's msgpack
    bytes, bound to the stream and the topic. The hash covers the ciphertext, so chains verify after
    the key is erased.
    """

    def __init__(self, types: EventTypes, nonce: Callable[[int], bytes] = os.urandom) -> None:
        """Take the event types and the source of nonces."""
        self.types = types
        self._nonce = nonce
        self._encoder = msgspec.msgpack.Encoder()
        self._sealed = {
            topic: _SealedEvent(topic, cls)
            for topic, cls in types.by_topic.items()
            if cls.confidential
        }
        self.confidential_topics = frozenset(self._sealed)
        self.plain_decoders = {
            topic: decoder
            for topic, decoder in types.decoders().items()
            if topic not in self._sealed
        }
        """Topic as stored -> decoder, for events that need neither key nor upcaster."""

    def encode_event(
        self, stream: str, event: Event, key: tuple[bytes, bytes] | None = None
    ) -> bytes:
        """Return an event's msgpack bytes, confidential fields encrypted.

        Args:
            stream: full stream id it is written to.
            event: the event.
            key: key id and key of the event's subject, where its class has confidential fields.
        """
        data = self._encoder.encode(event)
        if not event.confidential:
            return data
        if key is None:
            raise ValueError(f"{topic_of(event)} has confidential fields and no key was given")
        key_id, secret = key
        fields = _FIELDS.decode(data)
        for name in event.confidential:
            plain = fields.get(name)
            if plain is None or bytes(plain) == b"\xc0":
                continue
            nonce = self._nonce(_NONCE_BYTES)
            bound = _bound(stream, topic_of(event))
            sealed = key_id + nonce + AESGCM(secret).encrypt(nonce, bytes(plain), bound)
            fields[name] = msgspec.Raw(self._encoder.encode(sealed))
        return self._encoder.encode(fields)

    def store(self, stream: str, version: int, event: Event, envelope: Envelope) -> StoredEvent:
        """Return the stored form: own hash, then the envelope that holds the event's bytes.

        Args:
            stream: full stream id.
            version: version in the stream.
            event: the event, for its topic.
            envelope: what stands around it, with the bytes of `encode_event` in it.
        """
        topic = topic_of(event)
        body = self._encoder.encode(envelope)
        return StoredEvent(stream, version, topic, own_hash(stream, version, topic, body) + body)

    def key_ids(self, events: Iterable[StoredEvent]) -> set[bytes]:
        """Return the ids of the keys that decoding these events takes.

        Raises:
            EventUnreadable: an event's bytes are of another shape than its topic's.
        """
        found: set[bytes] = set()
        for stored in events:
            cls = self.types.by_topic.get(self._final_topic(stored.topic))
            if cls is None or not cls.confidential:
                continue
            try:
                event = _ENVELOPES.decode(stored.state[HASH_BYTES:]).event
                fields = _FIELDS.decode(self._event_bytes(stored.topic, event))
                sealed = [_sealed(fields.get(name)) for name in cls.confidential]
            except _FAULTS as fault:
                raise self._unreadable(
                    stored.stream, stored.version, stored.topic, fault
                ) from fault
            found.update(one[:KEY_ID_BYTES] for one in sealed if one is not None)
        return found

    def decode(self, stored: StoredEvent, keys: Keys | None = None) -> Recorded:
        """Verify an event's own hash and return it decoded.

        Args:
            stored: as read from the store.
            keys: keys for confidential fields; a field whose key is missing or gone reads as None.

        Raises:
            IntegrityBroken: the bytes do not carry their hash, or a ciphertext does not fit its key.
            EventUnreadable: the topic is none of this context's, or the bytes are of another shape.
        """
        hashed, body = stored.state[:HASH_BYTES], stored.state[HASH_BYTES:]
        if own_hash(stored.stream, stored.version, stored.topic, body) != hashed:
            raise IntegrityBroken(
                f"{stored.stream} version {stored.version}: the stored bytes do not carry their hash"
            )
        return self.read(stored, keys)

    def read(self, stored: StoredEvent, keys: Keys | None = None) -> Recorded:
        """Return an event decoded, its own hash not looked at.

        Args:
            stored: as read from the store.
            keys: keys for confidential fields; a field whose key is missing or gone reads as None.

        Raises:
            IntegrityBroken: a ciphertext does not fit its key.
            EventUnreadable: the topic is none of this context's, or the bytes are of another shape.
        """
        stream, version, topic = stored.stream, stored.version, stored.topic
        try:
            envelope = _ENVELOPES.decode(stored.state[HASH_BYTES:])
        except _FAULTS as fault:
            raise self._unreadable(stream, version, topic, fault) from fault
        event = self.decode_event(stream, version, topic, envelope.event, keys or {})
        return Recorded(
            notification_id=stored.notification_id,
            stream=stream,
            version=version,
            topic=topic,
            own_hash=stored.state[:HASH_BYTES],
            envelope=envelope,
            event=event,
        )

    def _final_topic(self, topic: str) -> str:
        while topic in self.types.upcasters:
            topic = self.types.upcasters[topic][0]
        return topic

    def decode_event(
        self, stream: str, version: int, topic: str, data: bytes | msgspec.Raw, keys: Keys
    ) -> Event:
        """Decode an event's stored bytes, confidential fields opened where their key is at hand.

        Args:
            stream: full stream id.
            version: version in the stream.
            topic: as stored.
            data: the event's msgpack bytes.
            keys: keys for confidential fields.

        Raises:
            IntegrityBroken: a ciphertext does not fit its key.
            EventUnreadable: the topic is none of this context's, or the bytes are of another shape.
        """
        try:
            sealed = self._sealed.get(self._final_topic(topic))
            if sealed is None:
                return self.types.decode(topic, data)
            return sealed.opened(stream, topic, self._event_bytes(topic, data), keys)
        except _FAULTS as fault:
            raise self._unreadable(stream, version, topic, fault) from fault

    def _unreadable(
        self, stream: str, version: int, topic: str, fault: Exception
    ) -> EventUnreadable:
        if self._final_topic(topic) not in self.types.by_topic:
            what = f"no event of {self.types.context} in this release bears the topic"
        elif isinstance(fault, msgspec.MsgspecError):
            what = str(fault)
        else:
            what = repr(fault)
        return EventUnreadable(stream, version, topic, what)

    def _event_bytes(self, topic: str, data: bytes | msgspec.Raw) -> bytes:
        while topic in self.types.upcasters:
            topic, upcast = self.types.upcasters[topic]
            data = upcast(bytes(data))
        return bytes(data)


class _SealedEvent:
    """How an event class with confidential fields is read: first with ciphertext in them, then opened."""

    def __init__(self, topic: str, cls: type[Event]) -> None:
        hints = get_type_hints(cls, include_extras=True)
        self._cls = cls
        self._names = cls.__struct_fields__
        self._fields = {
            name: msgspec.msgpack.Decoder(hints[name]).decode for name in cls.confidential
        }
        as_stored = msgspec.defstruct(
            cls.__name__,
            [(name, bytes | None if name in self._fields else hints[name]) for name in self._names],
            tag=topic,
            frozen=True,
            kw_only=True,
        )
        self._decode = msgspec.msgpack.Decoder(as_stored).decode

    def opened(self, stream: str, topic: str, data: bytes, keys: Keys) -> Event:
        """Decode an event; a field whose key is missing or gone reads as None."""
        stored = self._decode(data)
        values = {name: getattr(stored, name) for name in self._names}
        for name, decode in self._fields.items():
            sealed = values[name]
            key = None if sealed is None else keys.get(sealed[:KEY_ID_BYTES])
            if sealed is None or key is None:
                values[name] = None
                continue
            try:
                plain = _cipher(key).decrypt(
                    sealed[KEY_ID_BYTES : KEY_ID_BYTES + _NONCE_BYTES],
                    sealed[KEY_ID_BYTES + _NONCE_BYTES :],
                    _bound(stream, topic),
                )
            except InvalidTag as broken:
                raise IntegrityBroken(
                    f"{stream}: field {name} of a {topic} does not fit its key"
                ) from broken
            try:
                values[name] = decode(plain)
            except msgspec.MsgspecError:  # whose text could tell what is confidential
                raise ValueError(f"field {name} is of another shape") from None
        return self._cls(**values)


@lru_cache(maxsize=4096)
def _cipher(key: bytes) -> AESGCM:
    """Return the cipher of a key; setting one up costs more than opening a field."""
    return AESGCM(key)


def verify_chain(
    stream: str, events: Sequence[Recorded], version: int, previous: bytes | None
) -> None:
    """Check that decoded events follow each other and what stands before them.

    Args:
        stream: full stream id.
        events: in order of version.
        version: version of the event before the first.
        previous: its own hash; None where the first event continues a stream of the day before.

    Raises:
        IntegrityBroken: a version is missing, or a link does not hold.
    """
    for recorded in events:
        version += 1
        if recorded.version != version:
            raise IntegrityBroken(f"{stream}: version {version} is missing")
        if previous is not None and recorded.envelope.previous_hash != previous:
            raise IntegrityBroken(f"{stream} version {version} does not name the event before it")
        previous = recorded.own_hash


def _bound(stream: str, topic: str) -> bytes:
    return f"{stream}\x00{topic}".encode()


def _sealed(raw: Any) -> bytes | None:
    if raw is None or bytes(raw) == b"\xc0":
        return None
    return _SEALED.decode(raw)
