"""The stored form, byte for byte: what is on disks for ever must not change under it."""

from datetime import UTC, datetime

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from cardroom.adapters.errors import EventUnreadable, IntegrityBroken
from cardroom.adapters.seals import checkpoint_of, merkle_root, opened, sign
from cardroom.adapters.store.codec import Codec, verify_chain
from cardroom.adapters.store.memory import MemoryStore, MemoryTables
from cardroom.adapters.store.port import StoredEvent
from cardroom.adapters.store.reading import fold_verified
from cardroom.adapters.verify import Verifier
from cardroom.kernel.envelope import HASH_BYTES, NO_HASH, Envelope, Recorded, own_hash
from cardroom.kernel.events import Event, EventTypes
from tests.plugins.counting import DECIDER, EVENTS, Counted, Labelled

ENVELOPE = Envelope(
    recorded_at=datetime(2026, 3, 7, 4, 0, 1, tzinfo=UTC),
    occurred_at=datetime(2026, 3, 7, 4, 0, tzinfo=UTC),
    gaming_day="2026-03-06",
    utc_offset_minutes=-480,
    actor="dealer-7",
    roles=("dealer",),
    station="t5",
    request_id="q1",
    causation_id="",
    correlation_id="q1",
    override_reason="",
    book_digest="",
    previous_hash=NO_HASH,
    event=msgspec.Raw(msgspec.msgpack.encode(Counted(chips=5))),
)


def stored() -> StoredEvent:
    return Codec(EVENTS).store("rack/r1/a", 1, Counted(chips=5), ENVELOPE)


def test_the_bytes_of_an_event_are_these() -> None:
    state = stored().state
    assert state[:32].hex() == "e01f15269522f25480aa5a151b0589a18e5abb3971ea92f1f80493ab2cc9e61f"
    assert state[32:] == bytes.fromhex(
        "9ec420000000000000000000000000000000000000000000000000000000000000000083a4747970"
        "65b3636f756e74696e672e436f756e7465642e7631a5636869707305a473656564c400d6ff69aba2"
        "c1d6ff69aba2c0aa323032362d30332d3036d1fe20a86465616c65722d3791a66465616c6572a274"
        "35a27131a0a27131a0a0"
    )


def test_they_read_back_as_they_were() -> None:
    recorded = Codec(EVENTS).decode(stored())
    assert recorded.event == Counted(chips=5)
    assert recorded.envelope == ENVELOPE


@pytest.mark.parametrize("place", [0, 31, 32, 80, -1])
def test_any_changed_byte_is_noticed(place: int) -> None:
    event = stored()
    state = bytearray(event.state)
    state[place] ^= 1
    with pytest.raises(IntegrityBroken):
        Codec(EVENTS).decode(msgspec.structs.replace(event, state=bytes(state)))


@pytest.mark.parametrize("field", ["stream", "version", "topic"])
def test_bytes_in_another_place_are_noticed(field: str) -> None:
    other = {"stream": "rack/r1/b", "version": 2, "topic": "counting.Counted.v2"}[field]
    with pytest.raises(IntegrityBroken):
        Codec(EVENTS).decode(msgspec.structs.replace(stored(), **{field: other}))


class Poured(Event, frozen=True, tag="old.Poured.v2"):
    cents: int


def test_an_old_topic_reads_as_the_one_that_follows_it() -> None:
    def to_cents(data: bytes) -> bytes:
        fields = msgspec.msgpack.decode(data)
        return msgspec.msgpack.encode({"type": "old.Poured.v2", "cents": fields["dollars"] * 100})

    class PouredOnce(Event, frozen=True, tag="old.Poured.v1"):
        dollars: int

    before = Codec(EventTypes("old", (PouredOnce,)))
    data = before.encode_event("s", PouredOnce(dollars=4))
    event = before.store(
        "s", 1, PouredOnce(dollars=4), msgspec.structs.replace(ENVELOPE, event=msgspec.Raw(data))
    )
    after = Codec(EventTypes("old", (Poured,), {"old.Poured.v1": ("old.Poured.v2", to_cents)}))
    assert after.decode(event).event == Poured(cents=400)
    assert after.decode(event).topic == "old.Poured.v1"  # what is stored stays what it is


def chain(*versions: int) -> list[Recorded]:
    codec, previous, found = Codec(EVENTS), NO_HASH, []
    for version in versions:
        envelope = msgspec.structs.replace(ENVELOPE, previous_hash=previous)
        found.append(codec.decode(codec.store("s", version, Counted(chips=5), envelope)))
        previous = found[-1].own_hash
    return found


def test_a_chain_holds_link_by_link() -> None:
    whole = chain(1, 2, 3)
    verify_chain("s", whole, 0, NO_HASH)
    verify_chain("s", whole[1:], 1, whole[0].own_hash)
    with pytest.raises(IntegrityBroken, match="version 2 is missing"):
        verify_chain("s", [whole[0], whole[2]], 0, NO_HASH)
    with pytest.raises(IntegrityBroken, match="version 1 does not name"):
        verify_chain("s", whole, 0, bytes([1]) * 32)
    with pytest.raises(IntegrityBroken, match="version 2 does not name"):
        verify_chain("s", [whole[0], chain(5, 2)[1]], 0, NO_HASH)


def test_the_root_tells_order_and_number() -> None:
    leaves = [(number, bytes([number]) * 32) for number in range(1, 8)]
    root = merkle_root(leaves)
    assert root.hex() == "05d18519945ad6640f94329a6ffd1cc3115dd8edf29dad5ff600f5a2ba6a97b4"
    assert merkle_root(leaves[::-1]) != root
    assert merkle_root(leaves[:-1]) != root
    assert merkle_root([(number + 1, own_hash) for number, own_hash in leaves]) != root
    # An inner node cannot pass for a leaf, nor a shorter log for a longer one.
    assert len({merkle_root(leaves[:count]) for count in range(8)}) == 8


def test_a_seal_opens_under_its_key_only() -> None:
    key, other = (Ed25519PrivateKey.from_private_bytes(bytes([n]) * 32) for n in (1, 2))
    event = msgspec.structs.replace(stored(), notification_id=4)
    checkpoint = checkpoint_of("counting", None, [event], ENVELOPE.recorded_at)
    seal = sign(checkpoint, key)
    assert opened(seal, key.public_key()) == checkpoint
    assert opened(seal, other.public_key()) is None
    assert opened(msgspec.structs.replace(seal, number=2), key.public_key()) is None
    assert checkpoint.expected() == {4: event.state[:8]}


FOLDED = {"rack": DECIDER.aggregates["rack"]}


async def fold(*events: StoredEvent) -> object:
    store = MemoryStore(MemoryTables(), "m")
    for event in events:
        store.tables.streams.setdefault("rack/r1/a", []).append(event)
    return (await fold_verified(store, Codec(EVENTS), ["rack/r1/a"], FOLDED))["rack/r1/a"]


async def test_folding_from_stored_bytes_finds_what_is_not_as_it_was_stored() -> None:
    good = stored()
    assert await fold(good) == DECIDER.aggregates["rack"].evolve(
        FOLDED["rack"].initial, Counted(chips=5)
    )
    replace = msgspec.structs.replace
    for place in (0, 40, -1):
        changed = bytearray(good.state)
        changed[place] ^= 1
        with pytest.raises(IntegrityBroken, match="do not carry their hash"):
            await fold(replace(good, state=bytes(changed)))
    with pytest.raises(IntegrityBroken, match="do not carry their hash"):
        await fold(replace(good, topic="counting.Labelled.v1"))
    with pytest.raises(IntegrityBroken, match="version 1 is missing"):
        await fold(replace(good, version=2))
    unlinked = Codec(EVENTS).store("rack/r1/a", 2, Counted(chips=5), ENVELOPE)
    with pytest.raises(IntegrityBroken, match="does not name the event before it"):
        await fold(good, unlinked)
    body = msgspec.msgpack.encode("no envelope")
    hashed = own_hash("rack/r1/a", 1, good.topic, body)
    with pytest.raises(IntegrityBroken, match="version 1 holds no envelope"):
        await fold(replace(good, state=hashed + body))


def chained(*bodies: tuple[str, bytes]) -> list[StoredEvent]:
    """Return events of one stream, with right hashes and links, whatever their topics and event bytes are."""
    found: list[StoredEvent] = []
    for version, (topic, data) in enumerate(bodies, 1):
        previous = found[-1].state[:HASH_BYTES] if found else NO_HASH
        around = msgspec.structs.replace(ENVELOPE, previous_hash=previous, event=msgspec.Raw(data))
        body = msgspec.msgpack.encode(around)
        state = own_hash("rack/r1/a", version, topic, body) + body
        found.append(StoredEvent("rack/r1/a", version, topic, state, version))
    return found


COUNTED = "counting.Counted.v1", msgspec.msgpack.encode(Counted(chips=5))
ODD = [
    ("counting.Gone.v1", COUNTED[1], "no event of counting in this release bears the topic"),
    ("counting.Counted.v1", msgspec.msgpack.encode([5]), "Expected `object`, got `array`"),
    (
        "counting.Counted.v1",
        msgspec.msgpack.encode({"type": "counting.Counted.v1", "chips": "five"}),
        "Expected `int`, got `str`",
    ),
    (
        "counting.Labelled.v1",
        msgspec.msgpack.encode({"type": "counting.Labelled.v1", "player_id": "p", "name": "Ada"}),
        "Expected `bytes | null`, got `str`",
    ),
]


@pytest.mark.parametrize(("topic", "data", "fault"), ODD)
async def test_an_event_that_cannot_be_read_is_named_and_its_chain_judged_apart(
    topic: str, data: bytes, fault: str
) -> None:
    events = chained(COUNTED, (topic, data), COUNTED)

    async def decode() -> object:
        return Codec(EVENTS).decode(events[1])

    for read in (decode, lambda: fold(*events)):
        with pytest.raises(EventUnreadable, match="rack/r1/a version 2") as caught:
            await read()
        unreadable = caught.value
        assert (unreadable.stream, unreadable.version, unreadable.topic) == (
            "rack/r1/a",
            2,
            topic,
        )
        assert fault in unreadable.fault

    key = Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key()
    verifier = Verifier("counting", [], [], key, DECIDER)
    verifier.feed(events)
    report = verifier.finish()
    (finding,) = report.findings
    assert (finding.kind, finding.stream, finding.version) == ("unreadable", "rack/r1/a", 2)
    assert finding.topic == topic
    assert fault in finding.message
    assert report.intact
    assert not report.readable


async def test_a_chain_is_judged_beyond_an_event_that_cannot_be_read() -> None:
    first, unknown, last = chained(COUNTED, ("counting.Gone.v1", COUNTED[1]), COUNTED)
    torn = msgspec.structs.replace(last, state=chained(COUNTED)[0].state)
    verifier = Verifier(
        "counting", [], [], Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key(), DECIDER
    )
    verifier.feed([first, unknown, torn])
    report = verifier.finish()
    assert [finding.kind for finding in report.findings] == ["unreadable", "changed"]
    assert not report.intact
    assert not report.readable


async def test_a_field_that_does_not_fit_tells_no_secret() -> None:
    key = (b"k" * 16, bytes(32))
    sealed = Codec(EVENTS).encode_event("rack/r1/a", Labelled(player_id="p", name="Ada"), key)
    fields = msgspec.msgpack.decode(sealed)
    nonce = bytes(12)
    secret = AESGCM(key[1]).encrypt(
        nonce, msgspec.msgpack.encode(4711), b"rack/r1/a\x00counting.Labelled.v1"
    )
    fields["name"] = key[0] + nonce + secret
    (event,) = chained(("counting.Labelled.v1", msgspec.msgpack.encode(fields)))
    with pytest.raises(EventUnreadable, match="field name is of another shape") as caught:
        Codec(EVENTS).decode(event, {key[0]: key[1]})
    assert caught.value.__cause__ is not None
    assert caught.value.__cause__.__cause__ is None
