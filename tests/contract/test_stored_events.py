"""What releases before have stored: a sample of every event type decodes, and a whole evening's log verifies and folds.

Files below `stored/` are written once, by `tools/sample_events.py`, and never edited: they are what databases hold.
"""

import base64
import gzip
import importlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from cardroom.adapters.store.codec import Codec, verify_chain
from cardroom.adapters.store.port import StoredEvent
from cardroom.kernel.decisions import Decider
from cardroom.kernel.envelope import NO_HASH
from cardroom.kernel.events import topic_of
from cardroom.kernel.streams import kind_of

STORED = Path(__file__).parent / "stored"
CONTEXTS = (
    "house",
    "players",
    "waitlist",
    "seating",
    "tables",
    "timecollection",
    "jackpot",
    "cashier",
)
SAMPLES = sorted(STORED.glob("*/*.json"))
EVENINGS = sorted(STORED.glob("evening-*.jsonl.gz"))


def decider_of(context: str) -> Decider:
    decider: Decider = importlib.import_module(f"cardroom.{context}.main").CONTEXT.decider
    return decider


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_decodes_to_what_it_was(path: Path) -> None:
    content = json.loads(path.read_text())
    types = decider_of(path.parent.name).events
    event = types.decode(content["topic"], base64.b64decode(content["msgpack"]))
    if content["topic"] in types.by_topic:
        assert topic_of(event) == content["topic"]


@pytest.mark.parametrize("context", CONTEXTS)
def test_every_event_type_has_a_sample(context: str) -> None:
    have = {path.stem for path in SAMPLES if path.parent.name == context}
    missing = sorted(set(decider_of(context).events.by_topic) - have)
    assert missing == [], "run tools/sample_events.py before a release"


def evening(path: Path) -> dict[str, list[StoredEvent]]:
    found: dict[str, list[StoredEvent]] = defaultdict(list)
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        context, stream, version, topic, state = json.loads(line)
        found[context].append(StoredEvent(stream, version, topic, base64.b64decode(state)))
    return found


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.stem)
def test_a_stored_evening_verifies_and_folds(path: Path) -> None:
    folded: dict[str, Any] = {}
    for context, events in evening(path).items():
        decider = decider_of(context)
        codec = Codec(decider.events)
        streams: dict[str, list[StoredEvent]] = defaultdict(list)
        for event in events:
            streams[event.stream].append(event)
        for stream, stored in streams.items():
            aggregate = decider.aggregates[kind_of(stream)]
            records = [codec.decode(event) for event in stored]
            verify_chain(stream, records, 0, None if aggregate.day_bound else NO_HASH)
            state = aggregate.initial
            for record in records:
                state = aggregate.evolve(state, record.event)
            folded[f"{context}:{stream}"] = state
    balances = [
        state.balances for name, state in folded.items() if name.startswith("cashier:ledger/")
    ]
    assert balances
    for held in balances:
        assert sum(cents for account, cents in held.items() if account.startswith("chips/")) == 0
    hands = [state for name, state in folded.items() if name.startswith("tables:hand/")]
    assert hands
    assert all(hand.over for hand in hands)
