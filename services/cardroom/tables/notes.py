"""The notes kept on a hand: reporting an irregularity, ruling on its finding, telling what one saw."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from cardroom.kernel.decisions import Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import Aggregate, StreamId, stream_id
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import notes_events as ev
from cardroom.tables import ruling_commands as rc
from cardroom.tables.findings import Fact, Finding, ruling_on
from cardroom.tables.notes_events import HandNotes, Irregularity
from cardroom.tables.opening import FLOOR

Events = tuple[Event, ...]
NO_NOTES: Final = HandNotes()
Judge = Callable[[str, tuple[Fact, ...]], Finding]
"""(kind, facts) -> finding; the caller binds table, hand and book."""


def notes_id(room: str, table: str, number: int) -> StreamId:
    """Return the stream of the notes on a hand."""
    return stream_id("notes", room, table, f"{number:06d}")


def _replaced(notes: HandNotes, number: int, **fields: Any) -> tuple[Irregularity, ...]:
    found = list(notes.irregularities)
    found[number - 1] = msgspec.structs.replace(found[number - 1], **fields)
    return tuple(found)


def evolve(notes: HandNotes, event: Event) -> HandNotes:
    """Return the notes after an event."""
    match event:
        case ev.IrregularityReported():
            added = Irregularity(
                kind=event.kind,
                facts=event.facts,
                finding=event.finding,
                reported_by=event.reported_by,
                delayed=event.delayed,
                record=event.record,
            )
            return msgspec.structs.replace(notes, irregularities=(*notes.irregularities, added))
        case ev.FindingRevised():
            revised = _replaced(notes, event.number, facts=event.facts, finding=event.finding)
            return msgspec.structs.replace(notes, irregularities=revised)
        case ev.Ruled():
            before = notes.irregularities[event.number - 1].rulings
            ruled = _replaced(notes, event.number, rulings=(*before, event.ruling))
            return msgspec.structs.replace(notes, irregularities=ruled)
        case ev.AccountGiven():
            return msgspec.structs.replace(notes, accounts=(*notes.accounts, event))
        case ev.CourtesyBreached():
            return msgspec.structs.replace(notes, breaches=(*notes.breaches, event))
        case ev.CourtesyBreachWithdrawn():
            others = tuple(
                one for one in notes.breaches if (one.seat, one.what) != (event.seat, event.what)
            )
            return msgspec.structs.replace(notes, breaches=others)
        case _:
            raise TypeError(f"{type(event).__name__} is no event of a hand's notes")


NOTES: Final = Aggregate(kind="notes", initial=NO_NOTES, evolve=evolve)


def the_irregularity(notes: HandNotes, number: int) -> Irregularity:
    """Return one of a hand's irregularities.

    Raises:
        Unknown: CR-2, it has no such one.
    """
    if not 1 <= number <= len(notes.irregularities):
        raise Unknown("irregularity", str(number), field="irregularity")
    return notes.irregularities[number - 1]


def named_facts(given: tuple[tuple[str, str], ...]) -> tuple[Fact, ...]:
    """Return facts by name.

    Raises:
        Refused: CR-4, a fact without a name, or given twice.
    """
    names = [name for name, _ in given]
    if not all(names) or len(set(names)) < len(names):
        raise Refused(
            "FACTS_MALFORMED", "CR-4", "every fact has a name, and comes once", field="facts"
        )
    return tuple(Fact(name, value) for name, value in given)


def report(
    command: rc.ReportIrregularity,
    notes: HandNotes,
    judge: Judge,
    book_digest: str,
    hand_version: int,
) -> Events:
    """Record an irregularity with its finding."""
    facts = named_facts(command.told)
    return (
        ev.IrregularityReported(
            number=len(notes.irregularities) + 1,
            kind=command.kind,
            facts=facts,
            finding=judge(command.kind, facts),
            book_digest=book_digest,
            hand_version=hand_version,
            reported_by=command.reported_by,
            seen_at=command.seen_at,
            delayed=bool(command.seen_at),
            record=command.record,
            source=command.source,
            reconstructed=command.reconstructed,
        ),
    )


def add_facts(command: rc.AddFacts, notes: HandNotes, judge: Judge) -> Events:
    """Record further facts of an irregularity, and the finding that follows from all of them."""
    before = the_irregularity(notes, command.irregularity)
    if before.rulings:
        raise Refused(
            "RULED_ALREADY",
            "CR-6",
            f"irregularity {command.irregularity} was ruled on: {before.rulings[-1].decision}",
            field="irregularity",
        )
    merged = {fact.name: fact for fact in (*before.facts, *named_facts(command.told))}
    facts = tuple(merged.values())
    return (
        ev.FindingRevised(
            number=command.irregularity,
            facts=facts,
            finding=judge(before.kind, facts),
            source=command.source,
        ),
    )


def rule(command: rc.RuleOn, notes: HandNotes, rules: ResolvedBook, occasion: Occasion) -> ev.Ruled:
    """Record a floorperson's word on a finding.

    Raises:
        Refused: no floorperson rules (ruling.floor_confirms); a remedy other than the proposed one without a reason;
            it was ruled on and the ruling is final (ruling.final_authority).
    """
    found = the_irregularity(notes, command.irregularity)
    if not occasion.roles & FLOOR:
        raise Refused(
            "FLOOR_NEEDED",
            (*rules.cite("ruling.floor_confirms"), "CR-9"),
            f"a floorperson has to confirm or override: {found.finding.says}",
            options=("call the floor",),
        )
    if found.rulings:
        check_ruled_again(rules, occasion, tuple(ruling.by for ruling in found.rulings))
    ruling = ruling_on(
        found.finding,
        command.decision,
        command.reason,
        occasion.actor,
        rules.cite("ruling.fairness_override"),
    )
    return ev.Ruled(
        number=command.irregularity,
        ruling=ruling,
        proposed=found.finding.remedy,
        proposed_rules=found.finding.rules,
        record=found.record,
    )


def check_ruled_again(rules: ResolvedBook, occasion: Occasion, by: tuple[str, ...]) -> None:
    """Refuse another ruling where the one given is final (ruling.final_authority)."""
    cited = rules.cite("ruling.final_authority")
    supervisor = "shift_manager" in occasion.roles
    if rules.choice("ruling.final_authority") == "first_ruling" or not supervisor or len(by) > 1:
        raise Refused("RULING_FINAL", cited, f"{by[-1]} has ruled; the ruling is final")


def note_fact(command: rc.NoteFact, notes: HandNotes) -> Events:
    """Record what somebody or something told of a hand.

    Raises:
        Refused: CR-4, subject or words are empty; CR-2, it amends no account of the same teller.
    """
    if not command.about.strip() or not command.says.strip():
        raise Refused("ACCOUNT_EMPTY", "CR-4", "say what it is about and what", field="says")
    if command.amends:
        old = next((one for one in notes.accounts if one.number == command.amends), None)
        same = old is not None and (old.source, old.told_by) == (command.source, command.told_by)
        if not same:
            raise Refused(
                "ACCOUNT_OF_ANOTHER",
                "CR-2",
                f"account {command.amends} is none of {command.told_by or command.source.value}",
                field="amends",
            )
    return (
        ev.AccountGiven(
            number=len(notes.accounts) + 1,
            about=command.about,
            says=command.says,
            source=command.source,
            told_by=command.told_by,
            reconstructed=command.reconstructed,
            amends=command.amends,
        ),
    )
