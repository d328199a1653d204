"""From the events of a hand to what a hand history says was done, entries and amendments included.

What a move would read as is decided anew on the hand as it stood; where that brings other events than happened, an
amendment says the difference. So a record reads back as the same hand, and holds no more than it has to.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from cardroom.kernel.events import Event
from cardroom.poker.cards import UNKNOWN, known
from cardroom.poker.legal import WAGERS, Act
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import INITIAL, Hand, evolve
from cardroom.tables.hand_events import Phase, Source
from cardroom.tables.hand_rules import HandRules
from cardroom.tables.notation.entered import Entered, decided_by, past_of
from cardroom.tables.notation.entries import AFTER, PLACES, amendment_of, entry_of
from cardroom.tables.notation.moves import (
    Acted,
    Board,
    Dealt,
    Discarded,
    Move,
    Mucked,
    Shown,
    What,
)
from cardroom.tables.notation.reading import Sources, read


class Traits(NamedTuple):
    """What a format has actions for.

    Args:
        names_acts: whether an action is a check or a call, a bet or a raise, and what it added.
        unseen: cards dealt face down that nobody saw.
        exchanges: drawing and discarding.
        runs: boards after the first.
        shows_after_the_end: hands shown once the pots are pushed.
    """

    names_acts: bool
    unseen: bool
    exchanges: bool
    runs: bool
    shows_after_the_end: bool


class Written(NamedTuple):
    """A hand as a record tells it.

    Args:
        moves: what was done.
        standing: the hand before each of the moves.
        entries: what the format has no action for.
        amendments: what it leaves unsaid of its actions.
        sources: who told, where nothing else is said.
    """

    moves: tuple[Move, ...]
    standing: tuple[Hand, ...]
    entries: tuple[dict[str, Any], ...]
    amendments: tuple[dict[str, Any], ...]
    sources: Sources


class _Step(NamedTuple):
    """Moves that were written for one entry, the hand before it and the events it brought."""

    at: int
    used: int
    before: Hand
    commands: tuple[do.HandCommand, ...]
    events: tuple[Event, ...]


_ACTS: Final = {
    Act.FOLD: What.FOLD,
    Act.CHECK: What.CHECK,
    Act.CALL: What.CALL,
    Act.BRING_IN: What.BRING_IN,
    Act.BET: What.BET,
    Act.RAISE: What.RAISE,
    Act.COMPLETE: What.RAISE,
}
_UNNAMED: Final = {
    **_ACTS,
    **dict.fromkeys((Act.CHECK, Act.CALL), What.CHECK_OR_CALL),
    **dict.fromkeys(WAGERS, What.WAGER),
}


def written(state: Hand, rules: HandRules, traits: Traits) -> Written:
    """Return a hand as a record tells it.

    Args:
        state: the hand, with its history; what a rewind took back is left out.
        rules: of its book and game.
        traits: what the format has actions for.
    """
    past = past_of(state, rules)
    writer = _Writer(rules, traits, _sources(past))
    at = writer.deal(state, past)
    while at < len(past):
        at += writer.write(past, at)
    return writer.result()


def _sources(past: Sequence[Entered]) -> Sources:
    """Return who told most of a hand."""
    actions = Counter(
        entered.command.source
        for entered in past
        if isinstance(entered.command, do.ActionCommand | do.ShowHand)
    )
    cards = Counter(
        entered.command.source
        for entered in past
        if isinstance(entered.command, do.NoteHoleCards)
        for _ in entered.command.hands
    )
    return Sources(_most(actions), _most(cards))


def _most(counts: Counter[Source]) -> Source:
    return counts.most_common(1)[0][0] if counts else Source.RECORD


class _Writer:
    """Moves, entries and steps, in the order of what was entered."""

    def __init__(self, rules: HandRules, traits: Traits, sources: Sources) -> None:
        self.rules = rules
        self.variant = rules.variant
        self.traits = traits
        self.sources = sources
        self.moves: list[Move] = []
        self.standing: list[Hand] = []
        self.entries: list[dict[str, Any]] = []
        self.steps: list[_Step] = []
        self.noted: set[int] = set()
        self.dealt: dict[int, tuple[str, ...]] = {}
        self.told_later: set[int] = set()

    def deal(self, state: Hand, past: Sequence[Entered]) -> int:
        """Write the cards that a hand without upcards begins with, whenever they became known.

        Args:
            state: the hand at its end.
            past: what was entered.

        Returns:
            How much of the past came in with the deal; what was told later has an entry of its own.
        """
        if self.variant.stud:
            return 0
        for entered in past:
            if isinstance(entered.command, do.NoteHoleCards):
                for seat, cards in entered.command.hands:
                    if seat not in self.noted:
                        self.noted.add(seat)
                        if len(cards) == self.variant.streets[0].down and known(cards):
                            self.dealt[seat] = cards
        told, commands, events = self._told_at_once(past)
        hidden = (UNKNOWN,) * self.variant.streets[0].down
        moves = [
            Dealt(chair.seat, self.dealt.get(chair.seat, hidden))
            for chair in state.chairs
            if chair.seat and (self.traits.unseen or chair.seat in self.dealt)
        ]
        if moves:
            start = evolve(INITIAL, state.start)
            self._step(moves, past[0].before if past else start, commands, events)
        return told

    def _told_at_once(
        self, past: Sequence[Entered]
    ) -> tuple[int, tuple[do.HandCommand, ...], tuple[Event, ...]]:
        """Return how much of the past told cards first of all, in one entry as the deal would be read."""
        seats: list[int] = []
        commands: list[do.HandCommand] = []
        events: list[Event] = []
        for entered in past:
            note = entered.command
            if not isinstance(note, do.NoteHoleCards) or not self._plain(note, seats):
                break
            seats += [seat for seat, _ in note.hands]
            commands.append(note)
            events += entered.events
        return len(commands), tuple(commands), tuple(events)

    def _plain(self, note: do.NoteHoleCards, seats: Sequence[int]) -> bool:
        """Return whether cards told are read off the deal: whole hands, by who tells most, of seats not told before."""
        whole = all(self.dealt.get(seat) == cards for seat, cards in note.hands)
        first = not {seat for seat, _ in note.hands} & set(seats)
        return whole and first and note.source is self.sources.cards and not note.reconstructed

    def _as_dealt(self, note: do.NoteHoleCards) -> do.NoteHoleCards:
        """Return cards told later without those that stand in the deal."""
        hands = []
        for seat, cards in note.hands:
            stands = self.dealt.get(seat) == cards and seat not in self.told_later
            if stands:
                self.told_later.add(seat)
            hands.append((seat, () if stands else cards))
        return msgspec.structs.replace(note, hands=tuple(hands))

    def write(self, past: Sequence[Entered], at: int) -> int:
        """Write what was entered at an index; return how much of the past that was."""
        entered = past[at]
        if self._follows_at_the_end(past, at):
            return len(past) - at
        if isinstance(entered.command, do.NoteHoleCards):
            self.entries.append(entry_of(self._as_dealt(entered.command), len(self.moves)))
            return 1
        if self.variant.stud and isinstance(entered.command, do.DealStreet):
            return self._stud_street(past, at)
        moves = self._moves(entered)
        if moves is None:
            self.entries.append(entry_of(entered.command, len(self.moves)))
        else:
            self._step(moves, entered.before, (entered.command,), entered.events)
        return 1

    def _step(
        self,
        moves: Sequence[Move],
        before: Hand,
        commands: tuple[do.HandCommand, ...],
        events: tuple[Event, ...],
    ) -> None:
        self.steps.append(_Step(len(self.moves), len(moves), before, commands, events))
        self.moves += moves
        self.standing += [before] * len(moves)

    def _follows_at_the_end(self, past: Sequence[Entered], at: int) -> bool:
        """Return whether the rest is what comes by itself where a record leaves off at the showdown."""
        before = past[at].before
        if before.phase is not Phase.SHOWDOWN:
            return False
        rest = [event for entered in past[at:] for event in entered.events]
        if not isinstance(rest[0], ev.PotAwarded | ev.HandKilled):
            return False
        award = do.AwardPots(
            room=before.room, table=before.table, hand=before.hand, losers_killed=True
        )
        return decided_by((award,), before, self.rules) == tuple(rest)

    def _moves(self, entered: Entered) -> tuple[Move, ...] | None:
        """Return the moves of a command, None where the format has none."""
        event, before = entered.events[0], entered.before
        match event:
            case ev.StreetDealt():
                return self._board(event)
            case ev.ActionTaken():
                return (self._acted(event),)
            case ev.CardsExchanged() if self.traits.exchanges:
                gone = event.discarded or (UNKNOWN,) * event.count
                drawn = event.drawn or ()
                put_away = Discarded(event.seat, gone)
                return (put_away, Dealt(event.seat, drawn)) if known(drawn) else (put_away,)
            case ev.HandShown() if self.traits.shows_after_the_end or not before.over:
                return (self._shown(event, before),)
            case ev.HandMucked():
                return (Mucked(event.seat),)
            case _:
                return None

    def _acted(self, event: ev.ActionTaken) -> Acted:
        """Return an action as the format will read it again."""
        to_cents = event.to_cents if event.act in WAGERS else None
        if not self.traits.names_acts:
            return Acted(event.seat, _UNNAMED[event.act], to_cents)
        return Acted(event.seat, _ACTS[event.act], to_cents, event.added_cents, event.all_in)

    def _board(self, event: ev.StreetDealt) -> tuple[Move, ...] | None:
        """Return community cards, with the run that a record tells by how often it had the street before."""
        if event.run and not self.traits.runs:
            return None
        run = sum(isinstance(move, Board) and move.street == event.street for move in self.moves)
        return (Board(event.board, run, 1, event.street),)

    def _shown(self, event: ev.HandShown, before: Hand) -> Shown:
        """Return a hand shown: whole and in the order dealt where all of it is, hidden cards as `??`."""
        chair = next(chair for chair in before.chairs if chair.seat == event.seat)
        faces = set(event.cards) | set(chair.shown)
        if len(known(chair.down)) < len(chair.down) or len(chair.down) < len(faces):
            return Shown(event.seat, event.cards)
        down = tuple(card if card in faces else UNKNOWN for card in chair.down)
        if not self.variant.stud:
            return Shown(event.seat, down)
        first = self.variant.streets[0].down
        return Shown(event.seat, (*down[:first], *chair.up, *down[first:]))

    def _stud_street(self, past: Sequence[Entered], at: int) -> int:
        """Write a street of stud with the cards face down that were noted right after it."""
        entered = past[at]
        event = entered.events[0]
        assert isinstance(event, ev.StreetDealt)
        if event.community:
            self._step(
                (Board(event.board, street=event.street),),
                entered.before,
                (entered.command,),
                entered.events,
            )
            return 1
        street = self.variant.streets[event.street]
        down: dict[int, tuple[str, ...]] = {}
        commands, events, used = [entered.command], list(entered.events), 1
        then = past[at + 1] if at + 1 < len(past) else None
        if then is not None and isinstance(then.command, do.NoteHoleCards):
            down = self._with_the_street(then.command, event, street.down, entered.before)
        if down and then is not None:
            commands.append(then.command)
            events += then.events
            used = 2
        hidden = (UNKNOWN,) * street.down
        served = event.up or [(c.seat, "") for c in entered.before.chairs if c.live]
        moves = [
            Dealt(seat, (*down.get(seat, hidden), *((card,) if card else ())))
            for seat, card in served
        ]
        self._step(moves, entered.before, tuple(commands), tuple(events))
        return used

    def _with_the_street(
        self, note: do.NoteHoleCards, event: ev.StreetDealt, count: int, before: Hand
    ) -> dict[int, tuple[str, ...]]:
        """Return cards face down that go into the deal of a street, none where they became known otherwise."""
        served = [seat for seat, _ in event.up] or [c.seat for c in before.chairs if c.live]
        order = [seat for seat in served if seat in dict(note.hands)]
        plain = all(len(cards) == count and known(cards) for _, cards in note.hands)
        if not count or not plain or order != [seat for seat, _ in note.hands]:
            return {}
        return dict(note.hands)

    def result(self) -> Written:
        """Return what was written, with the amendments it needs."""
        stops = {entry[AFTER] for entry in self.entries}
        amendments = []
        for step in self.steps:
            later = [stop for stop in stops if stop > step.at]
            stop = min([step.at + step.used, *later])
            found = read(self.moves, step.at, stop, step.before, self.sources, self.told_later)
            if decided_by(found.commands, step.before, self.rules) == step.events:
                continue
            if len(found.commands) == len(step.commands):
                amendment = amendment_of(found.commands, step.commands, step.at + 1, step.used)
                if amendment.keys() - PLACES:
                    amendments.append(amendment)
        return Written(
            tuple(self.moves),
            tuple(self.standing),
            tuple(self.entries),
            tuple(amendments),
            self.sources,
        )
