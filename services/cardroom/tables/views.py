"""Tables, hands, findings and disputes as the API shows them."""

from collections.abc import Iterable
from typing import Any, Final

from cardroom.api.tables.v1 import tables_events_pb2 as events_pb
from cardroom.api.tables.v1 import tables_types_pb2 as pb
from cardroom.kernel.refusal import Refused
from cardroom.known.wire import game_message
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.dispute import Dispute
from cardroom.tables.entry import terms
from cardroom.tables.findings import Entry, Finding
from cardroom.tables.hands import may_deal
from cardroom.tables.notes_events import HandNotes, Irregularity
from cardroom.tables.seats import Seat
from cardroom.tables.starting import Plan, base_positions, plan
from cardroom.tables.table import Table, hand_id

CAPTURES: Final = {
    "counted": pb.CAPTURE_COUNTED,
    "ruling_facts": pb.CAPTURE_RULING_FACTS,
    "every_action": pb.CAPTURE_EVERY_ACTION,
}


def amounts(pairs: Iterable[tuple[int, int | None]]) -> list[events_pb.SeatCents]:
    """Return seats with their amounts, those not known left out."""
    return [events_pb.SeatCents(seat=s, cents=cents) for s, cents in pairs if cents is not None]


def table_message(table: Table, rules: ResolvedBook | None, version: int = 0) -> pb.Table:
    """Return a table as the API shows it.

    Args:
        table: the table.
        rules: the book in force; None where it is not open.
        version: events in its present day's stream.
    """
    shown = pb.Table(
        room=table.room,
        table=table.table,
        open=table.is_open,
        book_digest=table.book_digest,
        seats=table.seat_count,
        capture=CAPTURES.get(table.capture, pb.CAPTURE_UNSPECIFIED),
        dealer=table.dealer,
        must_move_behind=table.must_move_behind,
        tournament=table.tournament,
        last_hand_number=table.last_hand,
        open_disputes=sorted(table.open_disputes),
        version=version,
    )
    if not table.is_open or rules is None:
        return shown
    shown.game.CopyFrom(game_message(table.the_game()))
    if table.called is not None:
        shown.called.CopyFrom(
            pb.CalledGame(
                name=table.called.name,
                statement=table.called.statement,
                from_hand=table.called.from_hand,
                seat=table.called.seat,
                rules=table.called.rules,
            )
        )
    if table.account_cents is not None:
        shown.account_cents = table.account_cents
    if table.hand is not None:
        shown.hand_id = hand_id(table.room, table.table, table.hand.number)
    if table.rotation is not None:
        shown.button_seat = table.rotation.button
        shown.blind_seats.extend(table.rotation.blinds)
    base = base_positions(table, rules)
    for seat in table.seats.values():
        shown.occupied.append(_seat(table, seat, rules, base))
    shown.boxed.extend(
        pb.BoxedSeat(seat=number, player_id=owner.player, stack_cents=owner.stack_cents)
        for number, owner in table.boxed.items()
    )
    shown.impounded_cents = sum(table.impounds.values())
    shown.next_hand.CopyFrom(_next_hand(table, rules))
    return shown


def _seat(table: Table, seat: Seat, rules: ResolvedBook, base: Any) -> pb.TableSeat:
    entry = terms(table, seat, rules, base)
    shown = pb.TableSeat(
        seat=seat.seat,
        player_id=seat.player,
        stack_cents=seat.stack_cents,
        behind_cents=seat.behind_cents,
        arriving_cents=seat.arriving_cents,
        pending_cents=seat.pending_cents,
        present=seat.present,
        arrival=f"ARRIVAL_{seat.arrival.name}",
        missed_big_blind=seat.missed_big,
        missed_small_blind=seat.missed_small,
        missed_button=seat.missed_button,
        wait_hands=seat.wait_hands,
        way_in=f"WAY_IN_{seat.way_in.name}",
        deals_in_free=entry.free,
        entry_reason=entry.code,
        entry_rules=entry.rules,
    )
    shown.ways_in.extend(
        pb.EntryWay(
            way_in=f"WAY_IN_{way.way.name}",
            cents=way.cents,
            live_cents=way.live_cents,
            open_now=way.open_now,
            closed_reason=way.closed_code,
            rules=way.rules,
        )
        for way in entry.ways
    )
    return shown


def _next_hand(table: Table, rules: ResolvedBook) -> pb.NextHand:
    try:
        may_deal(table, rules, 0)
        found: Plan = plan(table, rules)
    except Refused as refusal:
        return pb.NextHand(refused=refusal.message, rules=refusal.rules)
    return pb.NextHand(
        button_seat=found.button,
        dealt_seats=found.dealt,
        posts=[
            pb.PostDue(
                seat=one.seat,
                kind=one.kind,
                cents=one.cents,
                live_cents=one.live_cents,
                rules=one.rules,
            )
            for one in found.forced
        ],
        left_out=[
            events_pb.SeatLeftOut(
                seat=out.seat,
                player_id=table.seats[out.seat].player,
                reason=out.reason,
                rules=out.rules,
            )
            for out in found.left_out
        ],
        rules=found.rules,
    )


def finding_message(finding: Finding) -> pb.Finding:
    """Return a finding as the API shows it."""
    return pb.Finding(
        remedy=finding.remedy,
        says=finding.says,
        rules=finding.rules,
        seats=finding.seats,
        steps=finding.steps,
        chips=[
            pb.ChipMove(source=one.source, target=one.target, cents=one.cents)
            for one in finding.chips
        ],
        facts=[pb.NamedFact(name=fact.name, value=fact.value) for fact in finding.facts],
        missing=finding.missing,
        choices=[
            pb.Choice(
                remedy=one.remedy,
                says=one.says,
                rules=one.rules,
                entries=[_remedy_entry(entry) for entry in one.entries],
            )
            for one in finding.choices
        ],
        binding=finding.binding,
        plays_on=finding.plays_on,
        entries=[_remedy_entry(entry) for entry in finding.entries],
    )


def _remedy_entry(entry: Entry) -> pb.RemedyEntry:
    return pb.RemedyEntry(
        kind=entry.kind,
        seat=entry.seat,
        act=entry.act,
        cents=entry.cents,
        seats=entry.seats,
        code=entry.code,
        why=entry.why,
        whole_round=entry.whole_round,
        to_version=entry.to,
    )


def irregularity_message(number: int, one: Irregularity) -> pb.Irregularity:
    """Return one of a hand's irregularities as the API shows it."""
    return pb.Irregularity(
        irregularity=number,
        kind=one.kind,
        facts=[pb.NamedFact(name=fact.name, value=fact.value) for fact in one.facts],
        finding=finding_message(one.finding),
        rulings=[
            pb.Ruling(
                decision=ruling.decision,
                confirmed=ruling.confirmed,
                reason=ruling.reason,
                rules=ruling.rules,
                by=ruling.by,
            )
            for ruling in one.rulings
        ],
        reported_by=one.reported_by,
        delayed=one.delayed,
        offender_record=one.record,
    )


def irregularities(notes: HandNotes) -> list[pb.Irregularity]:
    """Return all irregularities of a hand as the API shows them."""
    return [irregularity_message(at, one) for at, one in enumerate(notes.irregularities, 1)]


def notes_message(hand: str, notes: HandNotes) -> pb.HandNotes:
    """Return what stands beside a hand as the API shows it."""
    return pb.HandNotes(
        hand_id=hand,
        irregularities=irregularities(notes),
        accounts=[
            pb.Account(
                account=account.number,
                about=account.about,
                says=account.says,
                source=f"SOURCE_{account.source.name}",
                told_by=account.told_by,
                reconstructed=account.reconstructed,
                amends=account.amends,
            )
            for account in notes.accounts
        ],
        conflicts=notes.conflicts(),
        courtesy_breaches=[
            pb.CourtesyBreach(seat=one.seat, player_id=one.player, what=one.what, rules=one.rules)
            for one in notes.breaches
        ],
    )


def dispute_message(state: Dispute) -> pb.Dispute:
    """Return a dispute as the API shows it."""
    return pb.Dispute(
        room=state.room,
        table=state.table,
        dispute=state.dispute,
        phase=state.phase.value,
        hand_id=hand_id(state.room, state.table, state.hand),
        book_digest=state.frame.book_digest if state.frame else "",
        asked_by=state.asked_by,
        question=state.question,
        pot_cents=state.pot_cents,
        evidence=[
            pb.DisputeEvidence(
                number=one.number,
                about=one.about,
                says=one.says,
                source=f"SOURCE_{one.source.name}",
                told_by=one.told_by,
            )
            for one in state.evidence
        ],
        impounded_cents=state.impounded_cents,
        rulings=[
            pb.DisputeDecision(
                decision=one.decision,
                moves=amounts(one.moves),
                house_cents=one.house_cents,
                awards=amounts(one.awards),
                reason=one.reason,
                rules=one.rules,
                by=one.by,
                final=one.final,
            )
            for one in state.rulings
        ],
        appeals=[
            pb.Appeal(
                asked_by=one.asked_by, reason=one.reason, granted=one.granted, rules=one.rules
            )
            for one in state.appeals
        ],
        reconstructed=state.reconstructed,
    )
