"""Chains verified in Rust hold exactly where those verified in Python do, and give the same events."""

import msgspec
import pytest
from cardroom_evaluator.chain import chained_events
from hypothesis import given
from hypothesis import strategies as st

from cardroom.kernel.envelope import HASH_BYTES, NO_HASH, own_hash

STREAM = "hand/r1/t1/000001"
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=300)
    | st.binary(max_size=300)
    | st.datetimes(timezones=st.none()),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=40), inner),
    max_leaves=30,
)
EVENTS = st.lists(st.tuples(st.sampled_from(("a.B.v1", "a.Č.v1")), VALUES), max_size=6)


def stored(events: list[tuple[str, object]]) -> tuple[list[bytes], list[bytes]]:
    """Return events' bytes, and their stored forms chained in Python."""
    previous, data, states = NO_HASH, [], []
    for version, (topic, event) in enumerate(events, 1):
        data.append(msgspec.msgpack.encode(event))
        body = msgspec.msgpack.encode((previous, event, "dealer", None))
        previous = own_hash(STREAM, version, topic, body)
        states.append(previous + body)
    return data, states


def verified(
    topics: list[str], states: list[bytes], previous: bytes | None = NO_HASH
) -> list[bytes] | None:
    """Verify in Rust what was chained in Python."""
    versions = list(range(1, len(states) + 1))
    sizes = [len(state) for state in states]
    return chained_events(STREAM, previous, versions, topics, sizes, b"".join(states))


@given(EVENTS)
def test_an_unbroken_chain_gives_its_events(events: list[tuple[str, object]]) -> None:
    data, states = stored(events)
    assert verified([topic for topic, _ in events], states) == data


@given(EVENTS.filter(bool), st.data())
def test_a_changed_byte_anywhere_breaks_it(
    events: list[tuple[str, object]], data: st.DataObject
) -> None:
    _, states = stored(events)
    at = data.draw(st.integers(0, len(states) - 1))
    place = data.draw(st.integers(0, len(states[at]) - 1))
    changed = bytearray(states[at])
    changed[place] ^= data.draw(st.integers(1, 255))
    states[at] = bytes(changed)
    assert verified([topic for topic, _ in events], states) is None


@given(st.lists(st.just(("a.B.v1", 7)), min_size=2, max_size=5), st.data())
def test_what_is_left_out_or_out_of_order_breaks_it(
    events: list[tuple[str, object]], data: st.DataObject
) -> None:
    _, states = stored(events)
    first = data.draw(st.integers(0, len(states) - 2))
    swapped = [*states[:first], states[first + 1], states[first], *states[first + 2 :]]
    assert verified(["a.B.v1"] * len(states), swapped) is None
    shorter = states[:first] + states[first + 1 :]
    assert verified(["a.B.v1"] * len(shorter), shorter) is None


def test_the_hash_before_the_first_event_counts_where_it_is_given() -> None:
    _, states = stored([("a.B.v1", 7)])
    assert verified(["a.B.v1"], states, None) == [b"\x07"]
    assert verified(["a.B.v1"], states, b"\x01" * HASH_BYTES) is None


def test_what_is_no_stream_at_all_is_told() -> None:
    _, states = stored([("a.B.v1", 7)])
    size, state = len(states[0]), states[0]
    for wrong, error in (
        ((STREAM, b"\x00", [1], ["a.B.v1"], [size], state), ValueError),
        ((STREAM, NO_HASH, [1, 2], ["a.B.v1"], [size], state), ValueError),
        ((STREAM, NO_HASH, [1], ["a.B.v1"], [size + 1], state), ValueError),
        ((STREAM, NO_HASH, [1], ["a.B.v1"], [size], state + b"x"), ValueError),
        ((STREAM, NO_HASH, [-1], ["a.B.v1"], [size], state), OverflowError),
        ((STREAM, NO_HASH, [1], [b"a.B.v1"], [size], state), TypeError),
    ):
        with pytest.raises(error):
            chained_events(*wrong)  # type: ignore[arg-type]
