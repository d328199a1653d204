"""What the jackpot context can be asked to do."""

from cardroom.jackpot.events import HandFacts
from cardroom.kernel.decisions import Command


class OpenPool(Command, frozen=True, tag="OpenPool"):
    """Open a pool for some games, with an amount the house puts in."""

    room: str
    pool: str
    game_ids: tuple[str, ...]
    seed_cents: int = 0


class ConsiderHand(Command, frozen=True, tag="ConsiderHand"):
    """Take a settled hand's contribution and, where a strong hand lost, open a claim."""

    room: str
    facts: HandFacts


class OpenClaim(Command, frozen=True, tag="OpenClaim"):
    """Open a claim by hand, for a table that only counts its hands."""

    room: str
    facts: HandFacts


class CorrectFacts(Command, frozen=True, tag="CorrectFacts"):
    """Put the facts of an open claim right."""

    room: str
    claim: str
    facts: HandFacts
    reason: str


class ReportTalk(Command, frozen=True, tag="ReportTalk"):
    """Report that somebody spoke during the hand; `about_jackpot` says what the reporter heard."""

    room: str
    claim: str
    by_seat: int
    words: str
    about_jackpot: bool


class RuleOnTalk(Command, frozen=True, tag="RuleOnTalk"):
    """Decide whether the talk voids the jackpot."""

    room: str
    claim: str
    void: bool
    reason: str


class AwardJackpot(Command, frozen=True, tag="AwardJackpot"):
    """Divide the jackpot for a claim that qualifies."""

    room: str
    claim: str


class RefuseClaim(Command, frozen=True, tag="RefuseClaim"):
    """End a claim that does not qualify."""

    room: str
    claim: str


class NoteReopened(Command, frozen=True, tag="NoteReopened"):
    """A settled hand was taken up again: what it paid in goes back until it is settled anew."""

    room: str
    game_id: str
    hand_id: str


class AdjustPool(Command, frozen=True, tag="AdjustPool"):
    """Change a pool by hand, for a named cause."""

    room: str
    pool: str
    change_cents: int
    reason: str


class ReverseContribution(Command, frozen=True, tag="ReverseContribution"):
    """Take back what a hand paid in, because the hand was ruled otherwise."""

    room: str
    pool: str
    hand_id: str
    reason: str
