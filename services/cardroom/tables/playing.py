"""Commands of the hand in play, and of hands looked at again: what they record in the hand and at its table."""

from typing import Final

import msgspec

from cardroom.kernel.decisions import Decision, Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Stale
from cardroom.known.games import JACKPOT_GAMES
from cardroom.poker.pots import uncalled
from cardroom.poker.reading import Reader
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import hand_commands as do
from cardroom.tables.chip_events import StacksCorrected
from cardroom.tables.courtesy import with_courtesy
from cardroom.tables.deal_events import HandReopened
from cardroom.tables.dispute import check_stacks
from cardroom.tables.entering import entered
from cardroom.tables.findings import Entry, Finding, Ruling
from cardroom.tables.hand import Hand
from cardroom.tables.hand import evolve as evolve_hand
from cardroom.tables.hand_clock import check_in_time
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_events import (
    EntryCorrected,
    HandRewound,
    Known,
    Phase,
    PotAwarded,
    Source,
)
from cardroom.tables.hand_rules import HandRules, hand_rules
from cardroom.tables.hands import check_no_tournament, settled
from cardroom.tables.notes_events import HandNotes, Ruled
from cardroom.tables.opening import FLOOR
from cardroom.tables.ruling_commands import RuleOn
from cardroom.tables.sitting import after_the_hand
from cardroom.tables.table import Table, hand_id, table_id
from cardroom.tables.table_folds import evolve as evolve_table

FLOOR_ONLY: Final = (
    do.VoidHand,
    do.RuleHandDead,
    do.StandAsMade,
    do.HoldToAction,
    do.BarRaise,
    do.PassOver,
    do.LeaveChipsIn,
)
"""Only a floorperson may call a misdeal, rule a hand dead, or decide what becomes of a turn."""
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
    if isinstance(command, do.ExpireClock):
        waits = any(one.pending for one in notes.irregularities)
        command = msgspec.structs.replace(command, floor_at_table=waits)
    elif live and not isinstance(command, FREE_WHILE_PENDING):
        check_nothing_pending(notes, rules)
    if isinstance(command, do.TakeRake):
        check_no_tournament(table, rules)
    if isinstance(command, do.CallClock):
        command = msgspec.structs.replace(command, at=occasion.at)
    if isinstance(command, FLOOR_ONLY) and not command.rules:
        command = msgspec.structs.replace(command, rules=rules.cite("ruling.fairness_override"))
    game = rules_at(table, hand, rules, reader)
    check_in_time(hand, command, occasion.at, game)
    events = decide_hand(command, hand, game)
    if live:
        events = _with_the_drop(command, hand, events, game, table)
    return _recorded(table, hand, events, notes, rules)


def rules_at(table: Table, hand: Hand, rules: ResolvedBook, reader: Reader) -> HandRules:
    """Return the rules of a hand; odd chips of a tournament go to no jackpot (jackpot.drop_games).

    Args:
        table: the table.
        hand: the hand.
        rules: its book.
        reader: the evaluator.
    """
    game = hand_rules(rules, hand.game, reader)
    if not table.tournament:
        return game
    half = "high" if game.pots.odd_half == "jackpot" else game.pots.odd_half
    pots = msgspec.structs.replace(game.pots, odd_half=half, odd_tied_half="as_tie")
    return msgspec.structs.replace(game, pots=pots)


def drop_of(hand: Hand, pot_cents: int, rules: ResolvedBook) -> tuple[int, int]:
    """Return rake and jackpot drop that a pot of some size pays, in cents.

    The game's own amounts; the book's jackpot drop where the game names none (jackpot.drop). Where the book offers a
    jackpot it says which pots pay: of which games (jackpot.drop_games), and from which size on (jackpot.drop_min_pot),
    on whatever round they are won. Else a hand that ends before the second round pays nothing: no flop, no drop.
    """
    before_the_flop = hand.street == 0
    drop = 0 if before_the_flop else hand.game.jackpot_drop_cents
    if rules.flag("jackpot.offered"):
        pays = pot_cents >= rules.cents("jackpot.drop_min_pot") and (
            rules.choice("jackpot.drop_games") == "all_cash_games"
            or JACKPOT_GAMES.get(hand.game.form) in rules.members("jackpot.games")
        )
        drop = (hand.game.jackpot_drop_cents or rules.cents("jackpot.drop")) if pays else 0
    rake = 0 if before_the_flop else min(hand.game.rake_cents, pot_cents)
    return rake, min(drop, pot_cents - rake)


def _with_the_drop(
    command: do.HandCommand,
    hand: Hand,
    events: tuple[Event, ...],
    game: HandRules,
    table: Table,
) -> tuple[Event, ...]:
    """Take rake and drop out of the pot before it is pushed, where the dealer has not entered it himself.

    A tournament's pots pay neither (jackpot.drop_games).
    """
    if table.tournament:
        return events
    awards = [event for event in events if isinstance(event, PotAwarded)]
    if not awards or hand.taken or hand.awarded or hand.capture.actions is Known.NONE:
        return events
    rake, drop = drop_of(hand, sum(award.cents for award in awards), game.book)
    if not rake + drop:
        return events
    taken: list[Event] = []
    after = hand
    for at, holds in enumerate(_holdings(hand)):
        take = do.TakeRake(
            room=hand.room,
            table=hand.table,
            hand=hand.hand,
            rake_cents=min(rake, holds),
            jackpot_drop_cents=min(drop, max(0, holds - rake)),
            pot=at,
        )
        if not take.rake_cents + take.jackpot_drop_cents:
            continue
        rake, drop = rake - take.rake_cents, drop - take.jackpot_drop_cents
        for event in decide_hand(take, after, game):
            taken.append(event)
            after = evolve_hand(after, event)
    again = msgspec.structs.replace(command, after=0)
    return (*taken, *decide_hand(again, after, game))


def _holdings(hand: Hand) -> tuple[int, ...]:
    """Return what rake can be taken of, in cents: each pot of a showdown, else all that was called."""
    if hand.phase is Phase.SHOWDOWN:
        return tuple(pot.cents for pot in hand.pots)
    return (hand.pot_cents - uncalled(hand.chairs)[1],)


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


def reopened(table: Table, hand: Hand) -> HandReopened:
    """Return the table's event of a hand that goes on again because an entry of it was wrong.

    Raises:
        Refused: CR-6, its chips have been played on: another hand was dealt, or a player of it has left.
    """
    closed = table.last_closed
    frame = table.last_frame
    there = {seat.player for seat in table.seats.values()}
    gone = [player for _, player in closed.dealt if player not in there] if closed else []
    if (
        closed is None
        or frame is None
        or table.hand is not None
        or closed.hand != hand.number
        or table.last_hand != hand.number
        or gone
    ):
        raise Refused(
            "HAND_PLAYED_ON",
            "CR-6",
            f"hand {hand.number} is over and its chips have been played on",
            options=("open a dispute and rule on it", "note what is known of it"),
        )
    before = {one.seat: one.stack_cents for one in frame.dealt}
    return HandReopened(
        hand=hand.number,
        game_id=closed.game_id,
        changes=tuple(
            (seat, None if cents is None or before[seat] is None else (before[seat] or 0) - cents)
            for seat, cents in closed.stacks
        ),
        dealt=tuple(seat for seat, _ in closed.dealt),
        taken=closed.taken,
        dead_cents=sum(cents for _, cents in frame.missed_collections),
    )


def _recorded(
    table: Table, hand: Hand, events: tuple[Event, ...], notes: HandNotes, rules: ResolvedBook
) -> Decision:
    """Return a hand's events, what they change beside it, and the table's event where they end the hand in play."""
    return (
        *_with_table(table, hand, events, rules),
        *with_courtesy(hand, events, notes, rules),
    )


def _with_table(
    table: Table, hand: Hand, events: tuple[Event, ...], rules: ResolvedBook
) -> Decision:
    stem = hand_id(hand.room, hand.table, hand.number)
    at_table = table_id(hand.room, hand.table)
    decision: Decision = tuple((stem, event) for event in events)
    if hand.over and any(isinstance(event, HandRewound | EntryCorrected) for event in events):
        again = reopened(table, hand)
        decision = (*decision, (at_table, again))
        table = evolve_table(table, again)
    after = hand
    for event in events:
        after = evolve_hand(after, event)
    closed = settled(table, after, rules.cite("collection.method"))
    if closed is None:
        return decision
    waiting = after_the_hand(evolve_table(table, closed), rules)
    return (*decision, (at_table, closed), *((at_table, event) for event in waiting))


def enter_remedy(
    entries: tuple[Entry, ...],
    cited: tuple[str, ...],
    source: Source,
    table: Table,
    hand: Hand,
    notes: HandNotes,
    rules: ResolvedBook,
    reader: Reader,
) -> Decision:
    """Return what the entries of a remedy record in the hand in play, and at its table.

    Args:
        entries: what is to be entered.
        cited: ids the remedy rests on.
        source: who told what it rests on.
        table: the table.
        hand: the hand.
        notes: what stands beside it.
        rules: its book.
        reader: the evaluator.

    Raises:
        Refused: an entry does not stand, the hand having gone on.
    """
    live = table.hand is not None and table.hand.number == hand.number
    if not entries or not live or not hand.hand or hand.over:
        return ()

    def decide(command: do.HandCommand, at: Hand, game: HandRules) -> tuple[Event, ...]:
        return _with_the_drop(command, at, decide_hand(command, at, game), game, table)

    game = rules_at(table, hand, rules, reader)
    events = entered(entries, hand, game, cited, source, decide=decide)
    return _recorded(table, hand, events, notes, rules)


def moved_back(
    finding: Finding, command: RuleOn, ruled: Ruled, table: Table, hand: Hand
) -> tuple[StacksCorrected, ...]:
    """Return the chips that a confirmed finding moves from stack to stack once its hand is over.

    Args:
        finding: what was proposed.
        command: the floorperson's word.
        ruled: what is recorded of it.
        table: the table.
        hand: the hand.

    Raises:
        Refused: CR-8, a stack does not hold them; CR-6, it plays in a hand now.
    """
    if not ruled.ruling.confirmed or not hand.over:
        return ()
    moves: dict[int, int] = {}
    for one in finding.chips:
        ends = (one.source.removeprefix("seat:"), one.target.removeprefix("seat:"))
        if not all(end.isdigit() for end in ends):
            continue
        source, target = map(int, ends)
        moves[source] = moves.get(source, 0) - one.cents
        moves[target] = moves.get(target, 0) + one.cents
    changed = tuple((seat, cents) for seat, cents in moves.items() if cents)
    if not changed:
        return ()
    check_stacks(changed, table)
    cause = f"irregularity:{hand.number}:{command.irregularity}"
    return (
        StacksCorrected(
            moves=changed, house_cents=0, account="house", cause=cause, rules=ruled.ruling.rules
        ),
    )


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
    game = rules_at(table, hand, rules, reader)
    finding = notes.irregularities[irregularity - 1].finding
    entries = finding.entries if ruling.confirmed else ()
    for choice in finding.choices:
        if not ruling.confirmed and choice.remedy == ruling.decision:
            entries = choice.entries
    if entries:
        return enter_remedy(entries, ruling.rules, Source.FLOOR, table, hand, notes, rules, reader)
    if ruling.decision in ("misdeal", "void_hand"):
        command: do.HandCommand = do.VoidHand(
            room=hand.room,
            table=hand.table,
            hand=hand.hand,
            reason=ruling.reason or finding.says,
            rules=ruling.rules,
        )
        return _recorded(table, hand, decide_hand(command, hand, game), notes, rules)
    if ruling.decision == "hand_dead":
        events: tuple[Event, ...] = ()
        at = hand
        for seat in finding.seats:
            if at.over:
                break
            command = do.RuleHandDead(
                room=hand.room, table=hand.table, hand=hand.hand, seat=seat, rules=ruling.rules
            )
            new = _with_the_drop(command, at, decide_hand(command, at, game), game, table)
            for event in new:
                at = evolve_hand(at, event)
            events += new
        return _recorded(table, hand, events, notes, rules)
    return ()
