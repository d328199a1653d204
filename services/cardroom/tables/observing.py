"""Observations in the notes on a hand: recorded as facts, judged, and entered where nobody has to confirm them."""

from cardroom.tables import commands as c
from cardroom.tables import ruling_commands as rc
from cardroom.tables.findings import Entry
from cardroom.tables.hand import Hand
from cardroom.tables.hand_events import Source
from cardroom.tables.notes import named_facts
from cardroom.tables.notes_events import HandNotes, Irregularity
from cardroom.tables.observations import KIND
from cardroom.tables.observations.observed import Observed, checked, facts_of, told
from cardroom.tables.observations.reading import pinned


class Observe(c.TableCommand, frozen=True, kw_only=True, tag="Observe"):
    """Report what a player was seen to do; what it means is worked out.

    Args:
        hand: number of the hand; 0 for the last one.
        observed: what was seen.
        reported_by: who told: `dealer`, `seat:9`, `floor`, `camera` ...
        seen_at: when it was first seen, in words, where that was earlier.
        record: the offender's record as it stands, in words.
        source: who or what told.
        reconstructed: whether it is entered after the fact.
    """

    hand: int = 0
    observed: Observed
    reported_by: str = ""
    seen_at: str = ""
    record: str = ""
    source: Source = Source.DEALER
    reconstructed: bool = False


def report_of(command: Observe | rc.ReportIrregularity, hand: Hand) -> rc.ReportIrregularity:
    """Return an observation as a report to the notes, with the point of the hand at which it began.

    Args:
        command: an observation, or a report of any kind, which is returned as it is where it is none.
        hand: the hand as recorded.

    Raises:
        Refused: CR-4, a fact cannot be read.
    """
    if isinstance(command, Observe):
        observed = checked(command.observed)
    elif command.kind == KIND:
        observed = told({fact.name: fact.value for fact in named_facts(command.told)})
    else:
        return command
    facts = facts_of(pinned(observed, hand))
    return rc.ReportIrregularity(
        room=command.room,
        table=command.table,
        hand=command.hand,
        kind=KIND,
        told=tuple((fact.name, fact.value) for fact in facts),
        reported_by=command.reported_by,
        seen_at=command.seen_at,
        record=command.record,
        source=command.source,
        reconstructed=command.reconstructed,
    )


def entered_at_once(before: HandNotes, found: Irregularity) -> tuple[Entry, ...]:
    """Return what a finding enters without a floorperson's word; nothing while another one waits for the floor.

    Args:
        before: the notes on the hand before it.
        found: the irregularity with its finding.
    """
    if not found.finding.binding or any(one.pending for one in before.irregularities):
        return ()
    return found.finding.entries
