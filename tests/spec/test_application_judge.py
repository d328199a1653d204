"""Properties of what a batch may save, and of the queues by key."""

from datetime import UTC, datetime
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.adapters.shell.entry import Entry
from cardroom.adapters.shell.lanes import Lanes
from cardroom.adapters.shell.requests import Request
from cardroom.adapters.store.judge import absent, judge
from cardroom.adapters.store.port import (
    Accepted,
    Behind,
    Cascaded,
    Head,
    Outdated,
    Position,
    Proposal,
    Repeated,
    StoredEvent,
)

STREAMS = ("s", "t", "u")
HEADS = {"s": Head("s", 2, b"s2".ljust(32)), "t": Head("t", 1, b"t1".ljust(32))}


def state(stream: str, version: int, nonce: int) -> bytes:
    return f"{stream}{version}#{nonce}".encode().ljust(32)


@st.composite
def batches(draw: st.DrawFn) -> list[Proposal]:
    """Proposals as a loop would make them, most resting on what came before, some on what never was."""
    latest = dict(HEADS)
    batch = []
    for number in range(draw(st.integers(1, 12))):
        expected, events = [], []
        for stream in draw(st.sets(st.sampled_from(STREAMS), min_size=0, max_size=3)):
            head = latest.get(stream, absent(stream))
            if head.version and draw(st.integers(0, 5)) == 0:  # a stranger's event at that version
                head = Head(stream, head.version, b"stranger".ljust(32))
            expected.append(head)
            for _ in range(draw(st.integers(0, 2))):
                version = (
                    events[-1].version if events and events[-1].stream == stream else head.version
                ) + 1
                events.append(StoredEvent(stream, version, "t", state(stream, version, number)))
                latest[stream] = Head(stream, version, events[-1].state)
        position = draw(st.none() | st.integers(1, 6))
        batch.append(
            Proposal(
                keys=tuple(draw(st.sets(st.sampled_from("klm"), min_size=1, max_size=2))),
                request_id=draw(st.sampled_from(("", "old", *(f"q{n}" for n in range(9))))),
                digest=b"",
                outcome=b"",
                expected=tuple(expected),
                events=() if draw(st.booleans()) and not events else tuple(events),
                tracking=None if position is None else Position("house", 0, position),
                refusal=not events and draw(st.booleans()),
            )
        )
    return batch


@settings(deadline=None)
@given(batches())
def test_what_is_accepted_could_have_been_saved_one_after_the_other(batch: list[Proposal]) -> None:
    verdicts = judge(batch, HEADS, {"old": Repeated(b"d", b"o")}, {"house/0": 2}, {})
    heads, seen, position = dict(HEADS), {"old"}, 2
    for proposal, verdict in zip(batch, verdicts, strict=True):
        rests = all(
            heads.get(head.stream, absent(head.stream)) == head for head in proposal.expected
        )
        match verdict:
            case Accepted():
                assert rests
                assert proposal.request_id not in seen
                if proposal.refusal:
                    continue
                for event in proposal.events:
                    before = heads.get(event.stream)
                    assert event.version == (before.version if before else 0) + 1
                    heads[event.stream] = Head(event.stream, event.version, event.state[:32])
                if proposal.request_id:
                    seen.add(proposal.request_id)
                if proposal.tracking is not None:
                    assert proposal.tracking.notification_id > position
                    position = proposal.tracking.notification_id
            case Outdated(stems=stems):
                assert not rests
                assert stems
            case Repeated():
                assert proposal.request_id in seen
            case Behind(notification_id=stored):
                assert proposal.tracking is not None
                assert proposal.tracking.notification_id <= stored == position
            case Cascaded():
                pass


@settings(deadline=None)
@given(batches())
def test_each_key_saves_a_prefix(batch: list[Proposal]) -> None:
    verdicts = judge(batch, HEADS, {"old": Repeated(b"d", b"o")}, {"house/0": 2}, {})
    failed: set[str] = set()
    for proposal, verdict in zip(batch, verdicts, strict=True):
        behind_a_failure = not failed.isdisjoint(proposal.keys)
        if behind_a_failure:
            assert not isinstance(verdict, Accepted | Outdated)
        else:
            assert not isinstance(verdict, Cascaded)
        if not isinstance(verdict, Accepted):
            failed.update(proposal.keys)


def test_an_unborn_stem_that_somebody_gave_birth_to_is_outdated() -> None:
    event = StoredEvent("drawer/r1/d/2026-03-06", 1, "t", b"x".ljust(32))
    first = Proposal(("k",), "a", b"", b"", (), ("drawer/r1/d",), (event,))
    second = Proposal(("l",), "b", b"", b"", (), ("drawer/r1/d",), (event,))
    assert judge([first, second], {}, {}, {}, {}) == [Accepted(), Outdated(("drawer/r1/d",))]
    assert judge([first], {}, {}, {}, {"drawer/r1/d": "drawer/r1/d/2026-03-05"}) == [
        Outdated(("drawer/r1/d",))
    ]


def entry(number: int, keys: tuple[str, ...]) -> Entry:
    now = datetime(2026, 3, 7, tzinfo=UTC)
    return Entry((), keys, Request(str(number)), b"", now, b"", None, None)


@settings(deadline=None)
@given(
    st.lists(st.sets(st.sampled_from("klm"), min_size=1, max_size=3), min_size=1, max_size=15),
    st.integers(0, 2**32),
)
def test_each_key_decides_in_order_of_arrival_through_loading_and_putting_back(
    keys: list[set[str]], seed: int
) -> None:
    rng = Random(seed)
    lanes = Lanes()
    entries = [entry(number, tuple(sorted(names))) for number, names in enumerate(keys)]
    arriving, pending, held, settled = list(entries), [], [], []
    while len(settled) < len(entries):
        choice = rng.randrange(5)
        if choice == 0 and arriving:
            lanes.add(arriving.pop(0))
        elif choice == 1:
            for ready in lanes.ready("klm"):
                if rng.randrange(3) == 0:
                    lanes.hold(ready)
                    held.append(ready)
                else:
                    lanes.done(ready)
                    pending.append(ready)
        elif choice == 2 and held:
            lanes.resume(held.pop().keys)
        elif choice == 3 and pending:
            settled.append(pending.pop(0))  # the committer saves from the front
        elif choice == 4 and pending and rng.randrange(3) == 0:
            at = rng.randrange(len(pending))
            dirty, kept, pulled = set(pending[at].keys), [], []
            for waiting in pending[at:]:  # a failure pulls what stands behind it on its keys
                if dirty.isdisjoint(waiting.keys):
                    kept.append(waiting)
                else:
                    pulled.append(waiting)
                    dirty.update(waiting.keys)
            pending[at:] = kept
            lanes.put_back(pulled)
        assert lanes.waiting == len(entries) - len(arriving) - len(pending) - len(settled)
    for key in "klm":
        expected = [number for number, names in enumerate(keys) if key in names]
        assert [int(e.request.request_id) for e in settled if key in e.keys] == expected
    assert len(lanes) == 0
