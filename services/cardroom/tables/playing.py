"""Commands of the hand in play, and of hands looked at again: what they record in the hand and at its table."""

from typing import Final

from cardroom.kernel.decisions import Decision, Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Stale
from cardroom.poker.reading import Reader
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import hand_commands as do
from cardroom.tables.findings import Ruling
from cardroom.tables.hand import Hand
from cardroom.tables.hand import evolve as evolve_hand
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_rules import hand_rules
from cardroom.tables.hands import settled
from cardroom.tables.notes_events import HandNotes
from cardroom.tables.opening import FLOOR
from cardroom.tables.table import Table, hand_id, table_id

FLOOR_ONLY: Final = (do.VoidHand, do.RuleHandDead)
"""Only a floorperson may call a misdeal or rule a hand dead."""
FREE_WHILE_PENDING: Final = (
    do.VoidHand,
    do.RuleHandDead,
    do.RewindHand,
    do.CorrectEntry,
    do.NoteHoleCards,
)


def decide_on_hand(
    command: do.HandCommand,
    table: Table,
    hand: Hand,
    notes: HandNotes,
    rules: ResolvedBook,
    occasion: Occasion,
    reader: Reader,
) -> Decision:
    """Return what a command of a hand records, the table's part of a settlement included.

    Raises:
        Refused: the hand's own rules; CR-1, the hand went on since the caller saw it; only a floorperson may do it; an
            irregularity waits for a floorperson's word (ruling.floor_confirms).
    """
    if command.after and command.after != hand.version:
        raise Stale(
            f"hand {hand.number} is at event {hand.version}, not {command.after}", field="after"
        )
    if isinstance(command, FLOOR_ONLY) and not occasion.roles & FLOOR:
        raise Refused(
            "FLOOR_NEEDED",
            (*rules.cite("ruling.floor_confirms"), "CR-9"),
            "only a floorperson may do this",
            options=("report the irregularity", "call the floor"),
        )
    live = table.hand is not None and table.hand.number == hand.number
    if live and not isinstance(command, FREE_WHILE_PENDING):
        check_nothing_pending(notes, rules)
    events = decide_hand(command, hand, hand_rules(rules, hand.game, reader))
    return with_table(table, hand, events, rules)


def check_nothing_pending(notes: HandNotes, rules: ResolvedBook) -> None:
    """Refuse to go on while an irregularity waits for a floorperson (ruling.floor_confirms)."""
    for number, one in enumerate(notes.irregularities, 1):
        if one.pending:
            raise Refused(
                "FLOOR_NEEDED",
                (*rules.cite("ruling.floor_confirms"), *one.finding.rules),
                f"irregularity {number} waits for the floor: {one.finding.says}",
                options=(f"confirm {one.finding.remedy}", "override with a reason"),
            )


def with_table(
    table: Table, hand: Hand, events: tuple[Event, ...], rules: ResolvedBook
) -> Decision:
    """Return a hand's events, and the table's event where they end the hand in play."""
    stem = hand_id(hand.room, hand.table, hand.number)
    decision: Decision = tuple((stem, event) for event in events)
    after = hand
    for event in events:
        after = evolve_hand(after, event)
    closed = settled(table, after, rules.cite("collection.method"))
    if closed is None:
        return decision
    return (*decision, (table_id(hand.room, hand.table), closed))


def carry_out(
    ruling: Ruling,
    notes: HandNotes,
    irregularity: int,
    table: Table,
    hand: Hand,
    rules: ResolvedBook,
    reader: Reader,
) -> Decision:
    """Return what a ruling does to the hand in play: a misdeal voids it, a dead hand is killed.

    Everything else a ruling asks for (cards moved, chips added) is done at the table and entered as it is done.
    """
    live = table.hand is not None and table.hand.number == hand.number
    if not live or not hand.hand or hand.over:
        return ()
    game = hand_rules(rules, hand.game, reader)
    finding = notes.irregularities[irregularity - 1].finding
    if ruling.decision in ("misdeal", "void_hand"):
        command: do.HandCommand = do.VoidHand(
            room=hand.room,
            table=hand.table,
            hand=hand.hand,
            reason=ruling.reason or finding.says,
            rules=ruling.rules,
        )
        return with_table(table, hand, decide_hand(command, hand, game), rules)
    if ruling.decision == "hand_dead":
        events: tuple[Event, ...] = ()
        at = hand
        for seat in finding.seats:
            if at.over:
                break
            command = do.RuleHandDead(
                room=hand.room, table=hand.table, hand=hand.hand, seat=seat, rules=ruling.rules
            )
            new = decide_hand(command, at, game)
            for event in new:
                at = evolve_hand(at, event)
            events += new
        return with_table(table, hand, events, rules)
    return ()
