"""The functional core of the tables context: which streams a command reads, and what it decides."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from cardroom import known
from cardroom.evaluator import NativeEvaluator
from cardroom.kernel.decisions import Command, Decider, Decision, Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Unknown
from cardroom.kernel.streams import Aggregate, StreamId, Streams
from cardroom.poker.reading import Reader
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import (
    button,
    chips,
    deck,
    dispute,
    hands,
    notes,
    opening,
    playing_over,
    sitting,
    taking,
)
from cardroom.tables import chip_events as ce
from cardroom.tables import commands as c
from cardroom.tables import deal_events as de
from cardroom.tables import ruling_commands as rc
from cardroom.tables import table_events as tev
from cardroom.tables.courtesy import breaches_found
from cardroom.tables.dispute import DISPUTE, Dispute, dispute_id
from cardroom.tables.events import EVENTS
from cardroom.tables.hand import INITIAL as NO_HAND
from cardroom.tables.hand import Hand
from cardroom.tables.hand import evolve as evolve_hand
from cardroom.tables.hand_clock import clock_due
from cardroom.tables.hand_commands import HAND_COMMANDS, HandCommand
from cardroom.tables.judging import judge_for
from cardroom.tables.listing import LISTING, TableListed, listing_id
from cardroom.tables.notes import NOTES, notes_id
from cardroom.tables.notes_events import HandNotes
from cardroom.tables.observing import Observe, entered_at_once, report_of
from cardroom.tables.playing import carry_out, decide_on_hand, enter_remedy, moved_back
from cardroom.tables.table import Table, hand_id, opened_table, table_id
from cardroom.tables.table_folds import TABLE
from cardroom.tables.table_folds import evolve as evolve_table

HAND: Final = Aggregate(kind="hand", initial=NO_HAND, evolve=evolve_hand, due=clock_due)

TABLE_COMMANDS: Final[tuple[type[Command], ...]] = (
    c.OpenTable,
    c.CloseTable,
    c.AskGameChange,
    c.ApproveGameChange,
    c.ApplyGameChange,
    c.NoteGameChange,
    c.CallGame,
    c.SetCapture,
    c.SetDealer,
    c.ChangeDeck,
    c.AskScramble,
    c.SitPlayer,
    c.LeaveSeat,
    c.ChangeSeat,
    c.SwapSeats,
    c.RenamePlayer,
    c.NoteMustMove,
    c.BeginPlayOver,
    c.EndPlayOver,
    c.NoteExclusion,
    c.NotePresence,
    c.AnnounceChips,
    c.AddChips,
    c.RemoveChips,
    c.CountStacks,
    c.CarryPot,
    c.DrawButton,
    c.PlaceButton,
    c.CorrectButton,
    c.ChooseWayIn,
    c.SanctionPosting,
    c.StartShuffle,
    c.NoteHandsMucked,
    c.StartHand,
    c.CountHand,
    c.CloseDay,
)
NOTES_COMMANDS: Final = (rc.ReportIrregularity, Observe, rc.AddFacts, rc.RuleOn, rc.NoteFact)
DISPUTE_COMMANDS: Final = (
    rc.OpenDispute,
    rc.AddEvidence,
    rc.ImpoundPot,
    rc.RuleDispute,
    rc.AppealRuling,
    rc.ReconstructHand,
)


def key(command: Any) -> str:
    """Return the ordering key: the table; house facts have their own."""
    if isinstance(command, known.NoteHouse):
        return known.key(command)
    return f"{command.room}/{command.table}"


def _book(streams: Streams, digest: str) -> frozenset[StreamId]:
    return frozenset({known.book_stream(digest)}) if digest else frozenset()


def reads(command: Any, streams: Streams) -> frozenset[StreamId]:
    """Return the streams that a command reads, as far as what is loaded tells."""
    if isinstance(command, known.NoteHouse):
        return known.reads(command, streams)
    stem = table_id(command.room, command.table)
    wanted = frozenset({stem, known.room_stream(command.room)})
    table: Table | None = streams.get(stem)
    if table is None:
        return wanted
    wanted |= _book(streams, table.book_digest)
    if not isinstance(command, HandCommand):
        wanted |= frozenset(taking.stems(table, streams.get))
    if table.last_frame is not None:
        wanted |= _book(streams, table.last_frame.book_digest)
    if isinstance(command, c.OpenTable | c.AskGameChange | c.NoteGameChange | c.CallGame):
        wanted |= known.game_streams(streams, command.room, command.game_id, command.table)
        wanted |= {listing_id(command.room)}
    if isinstance(command, HandCommand):
        wanted |= _reads_hand(command.room, command.table, hand_number(command.hand), streams)
    if isinstance(command, NOTES_COMMANDS):
        number = command.hand or table.last_hand
        if number:
            wanted |= _reads_hand(command.room, command.table, number, streams)
    if isinstance(command, rc.DisputeCommand):
        wanted |= _reads_dispute(command, streams)
    return wanted


def hand_number(hand: str) -> int:
    """Return the number at its table that a hand's id ends in.

    Raises:
        Unknown: CR-2, it is no hand's id.
    """
    last = hand.rpartition("/")[2]
    if not last.isdigit() or not 0 < int(last) < 1_000_000:
        raise Unknown("hand", hand, field="hand")
    return int(last)


def _reads_hand(room: str, table: str, number: int, streams: Streams) -> frozenset[StreamId]:
    stem = hand_id(room, table, number)
    wanted = frozenset({stem, notes_id(room, table, number)})
    hand: Hand | None = streams.get(stem)
    return wanted | (_book(streams, hand.book_digest) if hand else frozenset())


def _reads_dispute(command: rc.DisputeCommand, streams: Streams) -> frozenset[StreamId]:
    stem = dispute_id(command.room, command.table, command.dispute)
    wanted = frozenset({stem})
    state: Dispute | None = streams.get(stem)
    if state is None or state.frame is None:
        return wanted
    wanted |= _book(streams, state.frame.book_digest)
    if isinstance(command, rc.ReconstructHand):
        wanted |= {hand_id(command.room, command.table, state.hand)}
    return wanted


def _on(stem: StreamId, events: tuple[Event, ...]) -> Decision:
    return tuple((stem, event) for event in events)


TableRule = Callable[[Any, Table, ResolvedBook, Occasion], tuple[Event, ...]]

_AT_CLOSED_TABLE: Final[dict[type[Command], Callable[[Any, Table], tuple[Event, ...]]]] = {
    c.SetDealer: opening.set_dealer,
    c.NoteMustMove: opening.note_must_move,
    c.CloseTable: lambda _command, _table: (),
    c.RenamePlayer: lambda _command, _table: (),
    c.RemoveChips: chips.remove_late,
}
"""Facts that their owners tell before a table is opened, or after it was closed."""

_AT_TABLE: Final[dict[type[Command], TableRule]] = {
    c.CloseTable: lambda m, t, r, o: opening.close_table(m, t),
    c.ApproveGameChange: opening.change_game,
    c.ApplyGameChange: opening.change_game,
    c.SetCapture: lambda m, t, r, o: opening.set_capture(m, t),
    c.SetDealer: lambda m, t, r, o: opening.set_dealer(m, t),
    c.ChangeDeck: deck.change_deck,
    c.AskScramble: lambda m, t, r, o: deck.ask_scramble(m, t, r),
    c.SitPlayer: lambda m, t, r, o: sitting.sit_player(m, t, r),
    c.LeaveSeat: lambda m, t, r, o: sitting.leave_seat(m, t),
    c.ChangeSeat: lambda m, t, r, o: sitting.change_seat(m, t, r),
    c.SwapSeats: lambda m, t, r, o: sitting.swap_seats(m, t, r),
    c.NoteMustMove: lambda m, t, r, o: opening.note_must_move(m, t),
    c.RenamePlayer: lambda m, t, r, o: sitting.rename_player(m, t),
    c.BeginPlayOver: lambda m, t, r, o: playing_over.begin_play_over(m, t),
    c.EndPlayOver: lambda m, t, r, o: playing_over.end_play_over(m, t),
    c.NoteExclusion: lambda m, t, r, o: sitting.note_exclusion(m, t),
    c.NotePresence: lambda m, t, r, o: sitting.note_presence(m, t),
    c.AnnounceChips: lambda m, t, r, o: chips.announce_chips(m, t, r),
    c.AddChips: lambda m, t, r, o: chips.add_chips(m, t, r),
    c.RemoveChips: lambda m, t, r, o: chips.remove_chips(m, t, r),
    c.CountStacks: lambda m, t, r, o: chips.count_stacks(m, t),
    c.CarryPot: chips.carry_pot,
    c.DrawButton: button.draw_button,
    c.PlaceButton: lambda m, t, r, o: button.place_button(m, t),
    c.CorrectButton: lambda m, t, r, o: button.correct_button(m, t, r),
    c.ChooseWayIn: lambda m, t, r, o: sitting.choose_way_in(m, t, r),
    c.SanctionPosting: lambda m, t, r, o: sitting.sanction_posting(m, t, r),
    c.StartShuffle: lambda m, t, r, o: hands.start_shuffle(t, r, o.at.isoformat()),
    c.NoteHandsMucked: lambda m, t, r, o: (de.HandsMucked(hand=t.last_hand),),
    c.CountHand: lambda m, t, r, o: hands.decide_count(m, t, r),
}


def _waiting(table: Table, events: tuple[Event, ...], rules: ResolvedBook) -> tuple[Event, ...]:
    """What waited for the end of the hand that these events close."""
    for event in events:
        table = evolve_table(table, event)
    return sitting.after_the_hand(table, rules)


def _digest_of_counted(table: Table, number: int) -> str:
    """The book of a hand without a stream: that of the last hand where it is the one, else the table's present one."""
    frame = table.last_frame
    return frame.book_digest if frame and frame.hand == number else table.book_digest


_OF_CHIPS: Final = (
    tev.Closed,
    tev.Sat,
    tev.Left,
    tev.PlayOverBegan,
    tev.PlayOverEnded,
    ce.ChipsAnnounced,
    ce.ChipsArrived,
    ce.ChipsRemoved,
    ce.StacksCounted,
    ce.StacksCorrected,
    ce.ImpoundReleased,
    de.HandClosed,
)
"""Events of a table whose amounts others would take for money."""


def _in_points(decision: Decision, tournament: str) -> Decision:
    """Mark what a tournament's table records of its chips: they are points, and no money."""
    if not tournament:
        return decision
    return tuple(
        (stream, msgspec.structs.replace(event, tournament=tournament))
        if isinstance(event, _OF_CHIPS)
        else (stream, event)
        for stream, event in decision
    )


class _Core:
    """Decides commands with an evaluator."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def decide(self, command: Any, streams: Streams, occasion: Occasion) -> Decision:
        """Return what a command records, or raise `Refused`."""
        if isinstance(command, known.NoteHouse):
            return known.decide(command, streams)
        table: Table = streams[table_id(command.room, command.table)]
        return _in_points(self._decide(command, streams, occasion), table.tournament)

    def _decide(self, command: Any, streams: Streams, occasion: Occasion) -> Decision:
        stem = table_id(command.room, command.table)
        known.room_of(streams, command.room)
        table: Table = streams[stem]
        if isinstance(command, c.OpenTable):
            game = known.game_of(streams, command.room, command.game_id, command.table)
            rules = known.rules_of(streams, command.room, command.game_id, command.table)
            opened = _on(stem, opening.open_table(command, table, game, rules))
            names = listing_id(command.room)
            if command.table in streams[names].tables:
                return opened
            return (*opened, (names, TableListed(table=command.table)))
        if isinstance(command, c.CloseDay):
            return _on(stem, opening.close_day(command, table, occasion))
        if isinstance(command, HandCommand):
            return self._on_hand(command, streams, occasion)
        if isinstance(command, NOTES_COMMANDS):
            return self._on_notes(command, streams, occasion)
        if isinstance(command, rc.DisputeCommand):
            return self._on_dispute(command, streams, occasion)
        if not table.is_open and getattr(command, "as_fact", False):
            closed = _AT_CLOSED_TABLE.get(type(command))
            if closed is not None:
                return _on(stem, closed(command, table))
        table = opened_table(table, command.table)
        taken = taking.taken(table, streams.get)
        table = taking.as_it_goes_on(table, streams.get)
        return (*_on(stem, taken), *self._at_table(command, table, streams, occasion))

    def _at_table(
        self, command: Any, table: Table, streams: Streams, occasion: Occasion
    ) -> Decision:
        stem = table_id(command.room, command.table)
        rules = known.book(streams, table.book_digest)
        if isinstance(command, c.StartHand):
            return hands.decide_start(command, table, rules, self.reader)
        if isinstance(command, c.NoteGameChange):
            game = known.game_of(streams, command.room, command.game_id, command.table)
            known.rules_of(streams, command.room, command.game_id, command.table)
            return _on(stem, opening.note_game_change(table, game, rules))
        if isinstance(command, c.AskGameChange):
            game = known.game_of(streams, command.room, command.game_id, command.table)
            return _on(stem, opening.ask_game_change(command, table, game, rules))
        if isinstance(command, c.CallGame):
            game = known.game_of(streams, command.room, command.game_id, command.table)
            return _on(stem, opening.call_next_game(command, table, game, rules, occasion))
        events = _AT_TABLE[type(command)](command, table, rules, occasion)
        if isinstance(command, c.CountHand):
            events = (*events, *_waiting(table, events, rules))
        return _on(stem, events)

    def _on_hand(self, command: HandCommand, streams: Streams, occasion: Occasion) -> Decision:
        table: Table = streams[table_id(command.room, command.table)]
        number = hand_number(command.hand)
        hand: Hand = streams[hand_id(command.room, command.table, number)]
        if not hand.hand:
            raise Unknown("hand", command.hand, field="hand")
        rules = known.book(streams, hand.book_digest)
        pending: HandNotes = streams[notes_id(command.room, command.table, number)]
        return decide_on_hand(command, table, hand, pending, rules, occasion, self.reader)

    def _on_notes(self, command: Any, streams: Streams, occasion: Occasion) -> Decision:
        stem = table_id(command.room, command.table)
        table: Table = streams[stem]
        number = command.hand or table.last_hand
        if not 1 <= number <= table.last_hand:
            raise Unknown("hand", str(command.hand), field="hand")
        record = notes_id(command.room, command.table, number)
        state: HandNotes = streams[record]
        hand: Hand = streams[hand_id(command.room, command.table, number)]
        if isinstance(command, rc.NoteFact):
            return _on(record, notes.note_fact(command, state))
        digest = hand.book_digest or _digest_of_counted(table, number)
        rules = known.book(streams, digest)
        if isinstance(command, rc.RuleOn):
            ruled = notes.rule(command, state, rules, occasion)
            done = carry_out(
                ruled.ruling, state, command.irregularity, table, hand, rules, self.reader
            )
            proposed = state.irregularities[command.irregularity - 1].finding
            held = ruled.ruling.confirmed
            conduct = breaches_found(proposed, table, hand, state) if held else ()
            moved = moved_back(proposed, command, ruled, table, hand)
            return (*_on(record, (ruled, *conduct)), *done, *_on(stem, moved))
        earlier = state.irregularities
        if isinstance(command, rc.AddFacts):
            earlier = earlier[: command.irregularity - 1]
        judge = judge_for(table, hand, rules, self.reader, earlier)
        if isinstance(command, rc.AddFacts):
            noted = notes.add_facts(command, state, judge)
            at = command.irregularity
        else:
            reported = report_of(command, hand)
            noted = notes.report(reported, state, judge, digest, hand.version)
            at = len(state.irregularities) + 1
        after = state
        for event in noted:
            after = notes.evolve(after, event)
        found = after.irregularities[at - 1]
        others = msgspec.structs.replace(
            state,
            irregularities=tuple(
                one for number, one in enumerate(state.irregularities, 1) if number != at
            ),
        )
        entries = entered_at_once(others, found)
        done = enter_remedy(
            entries, found.finding.rules, command.source, table, hand, state, rules, self.reader
        )
        conduct = breaches_found(found.finding, table, hand, state) if found.finding.binding else ()
        return (*_on(record, (*noted, *conduct)), *done)

    def _on_dispute(
        self, command: rc.DisputeCommand, streams: Streams, occasion: Occasion
    ) -> Decision:
        stem = table_id(command.room, command.table)
        record = dispute_id(command.room, command.table, command.dispute)
        table: Table = streams[stem]
        state: Dispute = streams[record]
        if isinstance(command, rc.OpenDispute):
            frame = table.last_frame
            if frame is None:
                raise Unknown("hand", str(command.hand), field="hand")
            pinned = known.book(streams, frame.book_digest)
            opened, noted = dispute.open_dispute(command, state, table, pinned)
            return ((record, opened), (stem, noted))
        state = dispute.the_dispute(state, command.dispute)
        assert state.frame is not None
        rules = known.book(streams, state.frame.book_digest)
        match command:
            case rc.AddEvidence():
                return ((record, dispute.add_evidence(command, state)),)
            case rc.ImpoundPot():
                held, moved = dispute.impound(command, state, table, rules, occasion)
                return ((record, held), *_on(stem, moved))
            case rc.RuleDispute():
                ruled, chips_moved = dispute.rule_dispute(command, state, table, rules, occasion)
                return ((record, ruled), *_on(stem, chips_moved))
            case rc.AppealRuling():
                asked, held_up = dispute.appeal(command, state, table, rules)
                return ((record, asked), *_on(stem, held_up))
            case rc.ReconstructHand():
                hand: Hand = streams[hand_id(command.room, command.table, state.hand)]
                return hands.decide_reconstruct(command, state, hand, rules, self.reader)
            case _:
                raise TypeError(f"{type(command).__name__} is no command of a dispute")


def book_digest(command: Any, streams: Streams) -> str:
    """Return the digest of the book that a command was decided under, "" where none applies."""
    if isinstance(command, known.NoteHouse):
        return ""
    if isinstance(command, c.OpenTable):
        return known.digest_of(streams, command.room, command.game_id, command.table)
    if isinstance(command, HandCommand):
        hand: Hand = streams[hand_id(command.room, command.table, hand_number(command.hand))]
        return hand.book_digest
    if isinstance(command, rc.DisputeCommand):
        state: Dispute = streams[dispute_id(command.room, command.table, command.dispute)]
        if state.frame is not None:
            return state.frame.book_digest
    table: Table = streams[table_id(command.room, command.table)]
    return taking.as_it_goes_on(table, streams.get).book_digest


def decider(reader: Reader) -> Decider:
    """Return the context's core with an evaluator.

    Args:
        reader: what reads hands.
    """
    return Decider(
        context="tables",
        events=EVENTS,
        aggregates={
            aggregate.kind: aggregate for aggregate in (TABLE, HAND, NOTES, DISPUTE, LISTING)
        }
        | known.AGGREGATES,
        key=key,
        reads=reads,
        decide=_Core(reader).decide,
        commands=(
            *TABLE_COMMANDS,
            *HAND_COMMANDS,
            *NOTES_COMMANDS,
            *DISPUTE_COMMANDS,
            known.NoteHouse,
        ),
        book_digest=book_digest,
    )


DECIDER: Final = decider(NativeEvaluator())
