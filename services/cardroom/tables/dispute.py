"""Disputes: a ruling asked for before the next deal, evidence, chips held meanwhile, the ruling and its appeal."""

from enum import StrEnum
from typing import Final

import msgspec

from cardroom.kernel.decisions import Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import Aggregate, StreamId, stream_id
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import chip_events as ce
from cardroom.tables import deal_events as de
from cardroom.tables import ruling_commands as rc
from cardroom.tables import table_events as tev
from cardroom.tables.hand_events import Source
from cardroom.tables.opening import FLOOR
from cardroom.tables.table import Table, each_once


class Phase(StrEnum):
    """Where a dispute stands."""

    NONE = "none"
    OPEN = "open"
    RULED = "ruled"
    APPEALED = "appealed"
    FINAL = "final"


class DisputeOpened(Event, frozen=True, tag="tables.DisputeOpened.v1"):
    """A ruling on a hand was asked for in time.

    Args:
        room: the room.
        table: the table.
        dispute: its id.
        hand: number of the hand.
        frame: how the hand was opened; holds the digest of the book it is decided under.
        asked_by: who asked.
        question: what is asked.
        turns_on_cards: whether it turns on the cards of the hand.
        pot_cents: the amount in dispute; None where not known.
        rules: rules the deadline rests on.
    """

    room: str
    table: str
    dispute: str
    hand: int
    frame: de.HandOpened
    asked_by: str
    question: str
    turns_on_cards: bool
    pot_cents: int | None
    rules: tuple[str, ...]


class EvidenceGiven(Event, frozen=True, tag="tables.EvidenceGiven.v1"):
    """What somebody saw or a camera shows."""

    number: int
    about: str
    says: str
    source: Source
    told_by: str


class PotImpounded(Event, frozen=True, tag="tables.PotImpounded.v1"):
    """The house holds the disputed chips while play goes on."""

    dispute: str
    cents: int
    reason: str
    rules: tuple[str, ...]


class DisputeRuled(Event, frozen=True, tag="tables.DisputeRuled.v1"):
    """A dispute was ruled on.

    Args:
        dispute: its id.
        decision: what was decided, in words.
        moves: (seat, cents added; negative: taken).
        house_cents: what the house put in of its own.
        awards: (seat, cents) of the chips the house held.
        away_cents: chips it held that go to players who no longer sit here, by way of the cage.
        reason: why.
        rules: rules it rests on.
        by: who ruled.
        final: whether no other ruling can follow.
    """

    dispute: str
    decision: str
    moves: tuple[tuple[int, int], ...]
    house_cents: int
    awards: tuple[tuple[int, int], ...]
    reason: str
    rules: tuple[str, ...]
    by: str
    final: bool
    away_cents: int = 0


class AppealAsked(Event, frozen=True, tag="tables.AppealAsked.v1"):
    """Another ruling was asked for.

    Args:
        asked_by: who asked.
        reason: why.
        granted: whether there is one; where not, the ruling stands and the attempt is on record.
        rules: rules it rests on.
    """

    asked_by: str
    reason: str
    granted: bool
    rules: tuple[str, ...]


class HandReconstructed(Event, frozen=True, tag="tables.HandReconstructed.v1"):
    """The stream of a hand that was only counted was begun, to be filled from what people and cameras saw."""

    hand: str


class Dispute(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute as it stands."""

    room: str = ""
    table: str = ""
    dispute: str = ""
    phase: Phase = Phase.NONE
    hand: int = 0
    frame: de.HandOpened | None = None
    asked_by: str = ""
    question: str = ""
    pot_cents: int | None = None
    evidence: tuple[EvidenceGiven, ...] = ()
    impounded_cents: int = 0
    rulings: tuple[DisputeRuled, ...] = ()
    appeals: tuple[AppealAsked, ...] = ()
    reconstructed: bool = False


NO_DISPUTE: Final = Dispute()
DISPUTE_EVENTS: Final[tuple[type[Event], ...]] = (
    DisputeOpened,
    EvidenceGiven,
    PotImpounded,
    DisputeRuled,
    AppealAsked,
    HandReconstructed,
)


def dispute_id(room: str, table: str, dispute: str) -> StreamId:
    """Return the stream of a dispute."""
    return stream_id("dispute", room, table, dispute)


def evolve(state: Dispute, event: Event) -> Dispute:
    """Return the dispute after an event."""
    replace = msgspec.structs.replace
    match event:
        case DisputeOpened():
            return Dispute(
                room=event.room,
                table=event.table,
                dispute=event.dispute,
                phase=Phase.OPEN,
                hand=event.hand,
                frame=event.frame,
                asked_by=event.asked_by,
                question=event.question,
                pot_cents=event.pot_cents,
            )
        case EvidenceGiven():
            return replace(state, evidence=(*state.evidence, event))
        case PotImpounded():
            return replace(state, impounded_cents=state.impounded_cents + event.cents)
        case DisputeRuled():
            return replace(
                state,
                rulings=(*state.rulings, event),
                phase=Phase.FINAL if event.final else Phase.RULED,
                impounded_cents=0 if event.awards or event.away_cents else state.impounded_cents,
            )
        case AppealAsked():
            phase = Phase.APPEALED if event.granted else state.phase
            return replace(state, appeals=(*state.appeals, event), phase=phase)
        case HandReconstructed():
            return replace(state, reconstructed=True)
        case _:
            raise TypeError(f"{type(event).__name__} is no event of a dispute")


DISPUTE: Final = Aggregate(kind="dispute", initial=NO_DISPUTE, evolve=evolve)


def the_dispute(state: Dispute, dispute: str) -> Dispute:
    """Return a dispute that was opened (CR-2 otherwise)."""
    if state.phase is Phase.NONE:
        raise Unknown("dispute", dispute, field="dispute")
    return state


def next_deal_begun(table: Table, hand: int, rules: ResolvedBook) -> bool:
    """Whether the next deal has begun, as far as asking for a ruling on a hand goes."""
    if table.last_hand > hand:
        return True
    return rules.choice("ruling.request_deadline") == "first_riffle" and table.shuffling > hand


def open_dispute(
    command: rc.OpenDispute, state: Dispute, table: Table, rules: ResolvedBook
) -> tuple[DisputeOpened, tev.DisputeNoted]:
    """Open a dispute on the hand in play or the one just over.

    Raises:
        Refused: the next deal has begun (ruling.request_deadline), the hands are mucked and the question turns on
            them (ruling.card_question_deadline), CR-7 the id is used, CR-2 no such hand.
    """
    if state.phase is not Phase.NONE:
        raise Refused(
            "DISPUTE_EXISTS", "CR-7", f"dispute {command.dispute} exists", field="dispute"
        )
    if command.pot_cents is not None:
        check_cents(command.pot_cents, "pot_cents")
    frame = table.last_frame
    if not 1 <= command.hand <= table.last_hand:
        raise Unknown("hand", str(command.hand), field="hand")
    cited = rules.cite("ruling.request_deadline")
    if not table.is_open:
        raise Refused(
            "GAME_CLOSED",
            cited,
            f"the game at table {command.table} has closed; the result of hand {command.hand} stands",
            field="hand",
        )
    if next_deal_begun(table, command.hand, rules) or frame is None:
        raise Refused(
            "NEXT_HAND_BEGUN",
            cited,
            f"the deal after hand {command.hand} has begun; its result stands",
            field="hand",
        )
    card_rule = "ruling.card_question_deadline"
    mucked = table.mucked_hand >= command.hand
    if command.turns_on_cards and mucked and rules.choice(card_rule) == "hands_mucked":
        raise Refused(
            "HANDS_MUCKED",
            rules.cite(card_rule),
            f"the hands of hand {command.hand} are mucked; a question about the cards comes too late",
            field="turns_on_cards",
        )
    opened = DisputeOpened(
        room=command.room,
        table=command.table,
        dispute=command.dispute,
        hand=command.hand,
        frame=frame,
        asked_by=command.asked_by,
        question=command.question,
        turns_on_cards=command.turns_on_cards,
        pot_cents=command.pot_cents,
        rules=cited,
    )
    return opened, tev.DisputeNoted(dispute=command.dispute, hand=command.hand, holds_deal=True)


def add_evidence(command: rc.AddEvidence, state: Dispute) -> EvidenceGiven:
    """Record what somebody saw or a camera shows."""
    the_dispute(state, command.dispute)
    if not command.says.strip():
        raise Refused("EVIDENCE_EMPTY", "CR-4", "says is empty", field="says")
    return EvidenceGiven(
        number=len(state.evidence) + 1,
        about=command.about,
        says=command.says,
        source=command.source,
        told_by=command.told_by,
    )


def impound(
    command: rc.ImpoundPot,
    state: Dispute,
    table: Table,
    rules: ResolvedBook,
    occasion: Occasion,
) -> tuple[PotImpounded, tuple[ce.Impounded | tev.DisputeSettled, ...]]:
    """Hold the disputed chips, so that play can go on while the decision waits.

    Raises:
        Refused: the book knows no impounding (ruling.impound); CR-9, no floorperson; CR-6, a hand is in play or it was
            ruled on; CR-8, a stack does not hold as much.
    """
    the_dispute(state, command.dispute)
    cited = rules.cite("ruling.impound")
    if not rules.flag("ruling.impound"):
        raise Refused("NO_IMPOUND", cited, "the book does not let the house hold a pot")
    _floor(occasion, rules)
    if state.phase not in (Phase.OPEN, Phase.APPEALED) or table.hand is not None:
        raise Refused("TOO_LATE", "CR-6", "chips are held between hands, before the ruling")
    each_once(command.sources, "sources")
    for seat, cents in command.sources:
        check_cents(cents, "sources", least=1)
        stack = table.at(seat).stack_cents
        if stack is not None and stack < cents:
            raise Refused(
                "STACK_TOO_SMALL",
                "CR-8",
                f"seat {seat} holds {dollars(stack)}, not {dollars(cents)}",
                field="sources",
            )
    held = sum(cents for _, cents in command.sources)
    if not held:
        raise Refused("NOTHING_HELD", "CR-4", "sources name no chips", field="sources")
    out: list[ce.Impounded | tev.DisputeSettled] = [
        ce.Impounded(dispute=command.dispute, sources=command.sources)
    ]
    if rules.flag("ruling.timely_request_decided_late"):
        out.append(tev.DisputeSettled(dispute=command.dispute))
    return PotImpounded(
        dispute=command.dispute, cents=held, reason=command.reason, rules=cited
    ), tuple(out)


def _floor(occasion: Occasion, rules: ResolvedBook) -> None:
    if not occasion.roles & FLOOR:
        raise Refused(
            "FLOOR_NEEDED",
            (*rules.cite("ruling.floor_confirms"), "CR-9"),
            "a floorperson has to rule",
            options=("call the floor",),
        )


def rule_dispute(
    command: rc.RuleDispute,
    state: Dispute,
    table: Table,
    rules: ResolvedBook,
    occasion: Occasion,
) -> tuple[DisputeRuled, tuple[Event, ...]]:
    """Rule on a dispute and move the chips it decides about.

    Raises:
        Refused: CR-9, no floorperson or no reason; the ruling given is final; the chips do not add up (CR-8); a pot may
            not be rebuilt and moved (ruling.reconstruct_pot).
    """
    the_dispute(state, command.dispute)
    _floor(occasion, rules)
    if not command.reason.strip():
        raise Refused("REASON_MISSING", "CR-9", "a ruling needs its reason", field="reason")
    _check_may_rule(state, rules, occasion)
    _check_moves(command, state, table, rules)
    supervisor = "shift_manager" in occasion.roles
    first_is_final = rules.choice("ruling.final_authority") == "first_ruling"
    cited = command.rules or rules.cite("ruling.fairness_override")
    ruled = DisputeRuled(
        dispute=command.dispute,
        decision=command.decision,
        moves=command.moves,
        house_cents=command.house_cents,
        awards=command.awards,
        reason=command.reason,
        rules=cited,
        by=occasion.actor,
        final=first_is_final or supervisor,
        away_cents=command.away_cents,
    )
    out: list[Event] = []
    if command.moves or command.house_cents:
        out.append(
            ce.StacksCorrected(
                moves=command.moves,
                house_cents=command.house_cents,
                account="house",
                cause=f"dispute:{command.dispute}",
                rules=cited,
            )
        )
    if command.awards or command.away_cents:
        out.append(
            ce.ImpoundReleased(
                dispute=command.dispute, awards=command.awards, away_cents=command.away_cents
            )
        )
    if command.dispute in table.open_disputes:
        out.append(tev.DisputeSettled(dispute=command.dispute))
    return ruled, tuple(out)


def _check_may_rule(state: Dispute, rules: ResolvedBook, occasion: Occasion) -> None:
    if state.phase in (Phase.OPEN, Phase.APPEALED):
        if state.phase is Phase.APPEALED and "shift_manager" not in occasion.roles:
            raise Refused(
                "SUPERVISOR_NEEDED",
                (*rules.cite("ruling.final_authority"), "CR-9"),
                "an appealed ruling is the shift supervisor's",
            )
        return
    raise Refused(
        "RULING_FINAL",
        rules.cite("ruling.final_authority"),
        f"{state.rulings[-1].by} has ruled: {state.rulings[-1].decision}",
        options=() if state.phase is Phase.FINAL else ("appeal to the shift supervisor",),
    )


def _check_moves(
    command: rc.RuleDispute, state: Dispute, table: Table, rules: ResolvedBook
) -> None:
    each_once(command.moves, "moves")
    each_once(command.awards, "awards")
    total = sum(cents for _, cents in command.moves)
    if total != command.house_cents:
        raise Refused(
            "MOVES_UNBALANCED",
            "CR-8",
            f"moves add up to {total} cents where the house puts in {command.house_cents}",
            field="moves",
        )
    between_players = any(cents < 0 for _, cents in command.moves)
    if between_players and not rules.flag("ruling.reconstruct_pot"):
        raise Refused(
            "POT_STANDS",
            rules.cite("ruling.reconstruct_pot"),
            "a pot that was mixed with other chips is not rebuilt; the award stands",
            field="moves",
        )
    check_stacks(command.moves, table)
    for seat, cents in command.awards:
        table.at(seat)
        check_cents(cents, "awards", least=1)
    check_cents(command.away_cents, "away_cents")
    given = sum(cents for _, cents in command.awards) + command.away_cents
    if given != state.impounded_cents:
        raise Refused(
            "AWARDS_UNBALANCED" if given else "AWARDS_MISSING",
            "CR-8",
            f"the house holds {dollars(state.impounded_cents)} for this dispute, {dollars(given)} is awarded",
            options=(f"award {dollars(state.impounded_cents)}",),
            field="awards",
        )


def check_stacks(moves: tuple[tuple[int, int], ...], table: Table) -> None:
    """Refuse to move chips between stacks that do not hold them (CR-8), or in a hand that they play in (CR-6).

    Args:
        moves: (seat, cents to be added; negative: taken).
        table: the table.
    """
    for seat, cents in moves:
        stack = table.at(seat).stack_cents
        if stack is not None and stack + cents < 0:
            raise Refused(
                "STACK_TOO_SMALL", "CR-8", f"seat {seat} holds {dollars(stack)}", field="moves"
            )
        if table.hand is not None and seat in table.hand.dealt:
            raise Refused(
                "HAND_IN_PROGRESS", "CR-6", "stacks are put right between hands", field="moves"
            )


def appeal(
    command: rc.AppealRuling, state: Dispute, table: Table, rules: ResolvedBook
) -> tuple[AppealAsked, tuple[tev.DisputeNoted, ...]]:
    """Record that another ruling was asked for; where the ruling is final the attempt alone is on record.

    Raises:
        Refused: CR-6, it was not ruled on yet.
    """
    the_dispute(state, command.dispute)
    if not state.rulings:
        raise Refused("NOT_RULED_YET", "CR-6", "there is no ruling yet to appeal against")
    late = next_deal_begun(table, state.hand, rules)
    granted = state.phase is Phase.RULED and not late
    cited = rules.cite("ruling.request_deadline" if late else "ruling.final_authority")
    asked = AppealAsked(
        asked_by=command.asked_by, reason=command.reason, granted=granted, rules=cited
    )
    if not granted:
        return asked, ()
    return asked, (tev.DisputeNoted(dispute=command.dispute, hand=state.hand, holds_deal=True),)
