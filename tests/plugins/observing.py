"""What players are seen to do, written in short, for worked cases and properties of observations.

Motions are parted by `;`: `say raise`, `mouth raise`, `tap`, `put 1x9` (nine chips of a dollar, in one motion),
`put 5x2+1x3`, `put 20` (one chip), `put =9` (nine dollars, chips not told apart), `hold 12`, `back`,
`pull 200`, `cut 12`, `pause`, `throw`.
"""

from typing import Any

from cardroom.kernel.events import Event
from cardroom.tables.entering import entered
from cardroom.tables.findings import Entry, Finding
from cardroom.tables.observations import observe
from cardroom.tables.observations.observed import (
    Act,
    Chips,
    Did,
    Motion,
    Observed,
    facts_of,
    told,
)
from cardroom.tables.observations.reading import pinned
from tests.plugins.hand_play import Play, cents

VERBS = {
    "say": Did.SAY,
    "mouth": Did.MOUTH,
    "tap": Did.TAP,
    "put": Did.RELEASE,
    "hold": Did.HOLD_OUT,
    "back": Did.DRAW_BACK,
    "pull": Did.PULL_IN,
    "cut": Did.CUT,
    "pause": Did.PAUSE,
    "throw": Did.THROW_CARDS,
}


def motion(words: str) -> Motion:
    """Return a motion written in short."""
    verb, _, rest = words.strip().partition(" ")
    did = VERBS[verb]
    if did in {Did.SAY, Did.MOUTH}:
        return Motion(did=did, words=rest)
    if rest.startswith("="):
        return Motion(did=did, cents=cents(rest[1:]))
    if not rest:
        return Motion(did=did)
    piles = []
    for pile in rest.split("+"):
        denomination, _, count = pile.partition("x")
        piles.append(Chips(cents(denomination), int(count or 1)))
    return Motion(did=did, chips=tuple(piles))


def act(words: str) -> Act:
    """Return what another player did: `5 call`, `7 bet 6`, `9 raise 24`."""
    seat, verb, *amount = words.split()
    return Act(seat=int(seat), act=verb, to_cents=cents(amount[0]) if amount else None)


def seen(seat: int, motions: str = "", behind: str = "", **facts: Any) -> Observed:
    """Return an observation: motions and what others did, written in short, and further facts."""
    return Observed(
        seat=seat,
        motions=tuple(motion(one) for one in motions.split(";") if one.strip()),
        behind=tuple(act(one) for one in behind.split(",") if one.strip()),
        **facts,
    )


def saw(play: Play, seat: int, motions: str = "", behind: str = "", **facts: Any) -> Finding:
    """Return the finding on what a seat was seen to do, the facts having gone through text and back."""
    observed = pinned(seen(seat, motions, behind, **facts), play.state)
    again = told({fact.name: fact.value for fact in facts_of(observed)})
    assert again == observed
    finding = observe(again, play.state, play.rules)
    assert finding.rules
    assert finding.says
    return finding


def enter(play: Play, finding: Finding, choice: str = "") -> tuple[Event, ...]:
    """Enter a finding as it is confirmed, or another remedy that was chosen."""
    entries: tuple[Entry, ...] = finding.entries
    rules = finding.rules
    if choice:
        chosen = next(one for one in finding.choices if one.remedy == choice)
        entries, rules = chosen.entries, chosen.rules
    events = entered(entries, play.state, play.rules, rules)
    return play._record(events)


def fact(finding: Finding, name: str) -> str:
    """Return a fact that a finding depends on, empty where it does not."""
    return next((one.value for one in finding.facts if one.name == name), "")


def moved(finding: Finding) -> list[tuple[str, str, float]]:
    """Return the chips that a finding moves, in dollars."""
    return [(move.source, move.target, move.cents / 100) for move in finding.chips]


def back(seat: int, dollars: float) -> list[tuple[str, str, float]]:
    """Return chips that go back to a seat, as `moved` gives them."""
    return [("pot", f"seat:{seat}", dollars)]


def owed(seat: int, dollars: float) -> list[tuple[str, str, float]]:
    """Return chips that a seat still has to put in, as `moved` gives them."""
    return [(f"seat:{seat}", "pot", dollars)]
