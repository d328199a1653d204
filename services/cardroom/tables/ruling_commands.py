"""Commands of what the floor rules on: the notes kept on a hand, and disputes."""

from cardroom.tables.commands import TableCommand
from cardroom.tables.hand_events import Source


class ReportIrregularity(TableCommand, frozen=True, kw_only=True, tag="ReportIrregularity"):
    """Report something that went wrong in a deal; the answer is a finding.

    Args:
        hand: number of the hand; 0 for the one in play.
        kind: which irregularity, lower_snake.
        told: (name, value): what is known of it; what the recorded hand shows need not be given.
        reported_by: who told: `dealer`, `seat:9`, `floor`, `camera` ...
        seen_at: when it was first seen, in words, where that was earlier.
        record: the offender's record as it stands, in words; shown beside the finding (ruling.intent_counts).
        source: who told.
        reconstructed: whether it is entered after the fact.
    """

    hand: int = 0
    kind: str
    told: tuple[tuple[str, str], ...] = ()
    reported_by: str = ""
    seen_at: str = ""
    record: str = ""
    source: Source = Source.DEALER
    reconstructed: bool = False


class AddFacts(TableCommand, frozen=True, kw_only=True, tag="AddFacts"):
    """Give further facts of an irregularity; a new finding follows."""

    hand: int
    irregularity: int
    told: tuple[tuple[str, str], ...]
    source: Source = Source.DEALER


class RuleOn(TableCommand, frozen=True, kw_only=True, tag="RuleOn"):
    """A floorperson confirms a finding or overrides it.

    Args:
        hand: number of the hand.
        irregularity: which one of the hand's, from 1.
        decision: `confirm`, the finding's remedy, or another remedy.
        reason: why; needed where it is another remedy.
    """

    hand: int
    irregularity: int
    decision: str
    reason: str = ""


class NoteFact(TableCommand, frozen=True, kw_only=True, tag="NoteFact"):
    """Tell a fact of a hand, during or after it; accounts that differ stand side by side.

    Args:
        hand: number of the hand.
        about: what it is about, for example `seat:5 cards`, `pot`, `action`.
        says: what is told.
        source: who or what told it.
        told_by: the person, seat or device.
        reconstructed: whether it is told after the fact.
        amends: number of the same teller's account that this one takes the place of; 0 for none.
    """

    hand: int
    about: str
    says: str
    source: Source
    told_by: str = ""
    reconstructed: bool = True
    amends: int = 0


class DisputeCommand(TableCommand, frozen=True, kw_only=True):
    """A command to one dispute.

    Args:
        dispute: its id.
    """

    dispute: str


class OpenDispute(DisputeCommand, frozen=True, kw_only=True, tag="OpenDispute"):
    """Ask for a ruling on a hand, before the next deal begins.

    Args:
        hand: number of the hand.
        asked_by: who asks: `seat:5`, a player, or another.
        question: what is asked.
        turns_on_cards: whether the question turns on the cards of the hand.
        pot_cents: the amount in dispute; None where not known.
    """

    hand: int
    asked_by: str
    question: str
    turns_on_cards: bool = False
    pot_cents: int | None = None


class AddEvidence(DisputeCommand, frozen=True, kw_only=True, tag="AddEvidence"):
    """Add what somebody saw or a camera shows.

    Args:
        about: what it is about.
        says: what it says.
        source: who or what.
        told_by: the person or device.
    """

    about: str
    says: str
    source: Source
    told_by: str = ""


class ImpoundPot(DisputeCommand, frozen=True, kw_only=True, tag="ImpoundPot"):
    """The house holds the disputed chips while play goes on.

    Args:
        sources: (seat, cents) of the stacks that hold them.
        reason: why the decision has to wait.
    """

    sources: tuple[tuple[int, int], ...]
    reason: str


class RuleDispute(DisputeCommand, frozen=True, kw_only=True, tag="RuleDispute"):
    """Rule on a dispute.

    Args:
        decision: what is decided, in words.
        moves: (seat, cents to be added; negative: taken), which add up to nothing with `house_cents`.
        house_cents: what the house puts in from its own account.
        awards: (seat, cents) of impounded chips.
        away_cents: impounded chips for players who no longer sit here, paid out at the cage.
        reason: why.
        rules: rules it rests on; empty for those of the finding.
    """

    decision: str
    moves: tuple[tuple[int, int], ...] = ()
    house_cents: int = 0
    awards: tuple[tuple[int, int], ...] = ()
    away_cents: int = 0
    reason: str
    rules: tuple[str, ...] = ()


class AppealRuling(DisputeCommand, frozen=True, kw_only=True, tag="AppealRuling"):
    """Ask for a dispute to be ruled on again.

    Args:
        asked_by: who asks.
        reason: why.
    """

    asked_by: str
    reason: str


class ReconstructHand(DisputeCommand, frozen=True, kw_only=True, tag="ReconstructHand"):
    """Fill a counted hand's stream from what people and cameras saw, so that it can be replayed and judged.

    Args:
        stacks: (seat, cents) before the hand, where known.
    """

    stacks: tuple[tuple[int, int], ...] = ()
