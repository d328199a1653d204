"""Which proposals of a batch may be saved: the rule that every store applies under its lock, as a pure function."""

from collections.abc import Mapping, Sequence

from cardroom.adapters.store.port import (
    Accepted,
    Behind,
    Cascaded,
    Head,
    Outdated,
    Proposal,
    Repeated,
    Verdict,
)
from cardroom.kernel.envelope import HASH_BYTES, NO_HASH


def judge(
    batch: Sequence[Proposal],
    heads: Mapping[str, Head],
    requests: Mapping[str, Repeated],
    positions: Mapping[str, int],
    born: Mapping[str, str],
) -> list[Verdict]:
    """Return a verdict for each proposal, in order; `Accepted` carries no notification ids yet.

    A proposal is saved whole or not at all. It is outdated when any stream it rests on has another head than it saw,
    be that in the store or through a proposal accepted before it; version and hash are compared, so that a stranger's
    event at the expected version does not pass. After a failure the later proposals of its keys are not saved either.

    Args:
        batch: proposals in the order of their decisions.
        heads: heads of the named streams that have events.
        requests: stored requests among the batch's ids.
        positions: stored positions by name.
        born: unborn stems that have a stream after all.
    """
    heads, requests, positions, born = dict(heads), dict(requests), dict(positions), dict(born)
    failed: set[str] = set()
    verdicts: list[Verdict] = []
    for proposal in batch:
        verdict = _verdict(proposal, heads, requests, positions, born, failed)
        if isinstance(verdict, Accepted):
            _apply(proposal, heads, requests, positions, born)
        else:
            failed.update(proposal.keys)
        verdicts.append(verdict)
    return verdicts


def as_if_undisturbed(batch: Sequence[Proposal]) -> dict[str, Head] | None:
    """Return the heads under which all of a batch may be saved, or None where no heads would do.

    What one process decides alone fits together; only what others did in between can be wrong about it. So a store
    may save the batch at once if these heads stand, and has to judge only if they do not.

    Args:
        batch: proposals in the order of their decisions.
    """
    heads: dict[str, Head] = {}
    written: set[str] = set()
    for proposal in batch:
        if proposal.refusal and proposal.tracking is not None:
            return None  # it must not be told as handled, nor as refused, before the position is looked at
        for expected in proposal.expected:
            if expected.stream not in written:
                heads.setdefault(expected.stream, expected)
        written.update(event.stream for event in proposal.events)
        written.update(proposal.unborn)
    verdicts = judge(
        batch, {name: head for name, head in heads.items() if head.version}, {}, {}, {}
    )
    return heads if all(isinstance(verdict, Accepted) for verdict in verdicts) else None


def _verdict(
    proposal: Proposal,
    heads: Mapping[str, Head],
    requests: Mapping[str, Repeated],
    positions: Mapping[str, int],
    born: Mapping[str, str],
    failed: set[str],
) -> Verdict:
    repeated = requests.get(proposal.request_id)
    if repeated is not None:
        return repeated
    tracking = proposal.tracking
    if tracking is not None:
        position = positions.get(tracking.name, 0)
        if tracking.notification_id <= position:
            return Behind(position)
    if not failed.isdisjoint(proposal.keys):
        return Cascaded()
    outdated = [
        expected.stream
        for expected in proposal.expected
        if heads.get(expected.stream) != expected and (expected.version or expected.stream in heads)
    ]
    outdated += [stem for stem in proposal.unborn if stem in born]
    return Outdated(tuple(outdated)) if outdated else Accepted()


def _apply(
    proposal: Proposal,
    heads: dict[str, Head],
    requests: dict[str, Repeated],
    positions: dict[str, int],
    born: dict[str, str],
) -> None:
    if proposal.refusal:
        return
    for event in proposal.events:
        head = heads.get(event.stream)
        if event.version != (head.version if head else 0) + 1:
            raise ValueError(
                f"{event.stream} version {event.version} does not follow its predecessor"
            )
        heads[event.stream] = Head(event.stream, event.version, event.state[:HASH_BYTES])
    for stem in proposal.unborn:
        for event in proposal.events:
            if event.stream.startswith(stem + "/"):
                born[stem] = event.stream
    if proposal.request_id:
        requests[proposal.request_id] = Repeated(proposal.digest, proposal.outcome)
    if proposal.tracking is not None:
        positions[proposal.tracking.name] = proposal.tracking.notification_id


def absent(stream: str) -> Head:
    """Return the head of a stream without events."""
    return Head(stream, 0, NO_HASH)
