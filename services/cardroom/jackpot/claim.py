"""A claim on the jackpot: the hand's facts, what the book makes of them, talk that may void it, and how it ended."""

from enum import StrEnum
from typing import Final

import msgspec

from cardroom.jackpot.events import (
    ClaimEvaluated,
    ClaimOpened,
    ClaimRefused,
    Condition,
    FactsCorrected,
    HandFacts,
    JackpotAwarded,
    Share,
    TalkReported,
    TalkRuled,
)
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import Aggregate


class Phase(StrEnum):
    """Where a claim stands."""

    NONE = "none"
    OPEN = "open"
    AWARDED = "awarded"
    REFUSED = "refused"


class Talk(msgspec.Struct, frozen=True, kw_only=True):
    """Reported talk: who, what, and the floor's word on it (None while it waits)."""

    by_seat: int
    words: str
    proposes_void: bool
    rules: tuple[str, ...]
    void: bool | None = None


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A claim's state."""

    phase: Phase = Phase.NONE
    pool: str = ""
    facts: HandFacts | None = None
    conditions: tuple[Condition, ...] = ()
    qualifies: bool = False
    losing_seats: tuple[int, ...] = ()
    winning_seats: tuple[int, ...] = ()
    talk: tuple[Talk, ...] = ()
    shares: tuple[Share, ...] = ()

    @property
    def hand(self) -> HandFacts:
        """Return the facts of an opened claim."""
        assert self.facts is not None, "a claim opens with its facts"
        return self.facts

    def failed(self) -> tuple[Condition, ...]:
        """Return every condition that does not hold."""
        return tuple(condition for condition in self.conditions if not condition.met)


def evolve(state: Claim, event: Event) -> Claim:
    """Fold one event into a claim."""
    replace = msgspec.structs.replace
    match event:
        case ClaimOpened():
            return Claim(phase=Phase.OPEN, pool=event.pool, facts=event.facts)
        case FactsCorrected():
            return replace(state, facts=event.facts)
        case ClaimEvaluated():
            return replace(
                state,
                conditions=event.conditions,
                qualifies=event.qualifies,
                losing_seats=event.losing_seats,
                winning_seats=event.winning_seats,
            )
        case TalkReported():
            talk = Talk(
                by_seat=event.by_seat,
                words=event.words,
                proposes_void=event.proposes_void,
                rules=event.rules,
                void=None if event.proposes_void else False,
            )
            return replace(state, talk=(*state.talk, talk))
        case TalkRuled():
            ruled = tuple(
                replace(talk, void=event.void) if talk.void is None else talk for talk in state.talk
            )
            return replace(state, talk=ruled)
        case ClaimRefused():
            return replace(state, phase=Phase.REFUSED)
        case JackpotAwarded():
            return replace(state, phase=Phase.AWARDED, shares=event.shares)
    raise TypeError(f"a claim does not know {type(event).__name__}")


CLAIM: Final = Aggregate("claim", Claim(), evolve)


def must_be_open(state: Claim, claim: str) -> None:
    """Raise unless the claim is open.

    Raises:
        Refused: CR-2 no such claim, CR-6 it has ended.
    """
    if state.phase is Phase.NONE:
        raise Refused("CLAIM_UNKNOWN", "CR-2", f"claim {claim!r} is not known", field="claim")
    if state.phase is not Phase.OPEN:
        raise Refused(
            "CLAIM_ENDED", "CR-6", f"claim {claim!r} is {state.phase.value}", field="claim"
        )


def why_not_awarded(state: Claim) -> Refused | None:
    """Return what stands against an award now, or None: the one predicate of `legal` and of `decide`."""
    waiting = [talk for talk in state.talk if talk.void is None]
    if waiting:
        return Refused(
            "TALK_NOT_RULED",
            waiting[0].rules,
            f"seat {waiting[0].by_seat} is said to have spoken of the jackpot ({waiting[0].words!r}); "
            "the floor has to rule on it first",
            options=("rule on the talk: void", "rule on the talk: not void"),
        )
    void = [talk for talk in state.talk if talk.void]
    if void:
        return Refused("JACKPOT_VOID", void[0].rules, "the jackpot was ruled void for this hand")
    failed = state.failed()
    if failed:
        return Refused(
            "NOT_QUALIFIED",
            tuple(dict.fromkeys(rule for condition in failed for rule in condition.rules)),
            "; ".join(f"{condition.name}: {condition.detail}" for condition in failed),
            options=("refuse the claim",),
        )
    if not state.qualifies:
        return Refused(
            "NOT_EVALUATED", "CR-12", "the facts of the hand are not complete enough to judge it"
        )
    return None


def legal(state: Claim) -> tuple[str, ...]:
    """List what may be done with a claim now."""
    if state.phase is not Phase.OPEN:
        return ()
    offered = ["correct the facts", "report talk"]
    against = why_not_awarded(state)
    if against is None:
        offered.append("award the jackpot")
    elif against.code == "TALK_NOT_RULED":
        offered.append("rule on the talk")
    else:
        offered.append("refuse the claim")
    return tuple(offered)
