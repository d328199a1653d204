"""Entering a recorded hand command by command, so that whatever is illegal in it is refused by the rule it breaks."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.money import dollars
from cardroom.kernel.refusal import Refused
from cardroom.known.games import Game
from cardroom.poker.reading import Reader
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables import hand_commands as do
from cardroom.tables.hand import INITIAL, Hand, evolve
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_events import ActionTaken, Phase
from cardroom.tables.hand_legal import legal
from cardroom.tables.hand_rules import HandRules, hand_rules
from cardroom.tables.hand_start import HandSetup, start_hand
from cardroom.tables.notation.about import About
from cardroom.tables.notation.entries import Extras, amended, command_from
from cardroom.tables.notation.fields import malformed
from cardroom.tables.notation.moves import Acted, Dealt, Move
from cardroom.tables.notation.reading import Sources, read

BookFor = Callable[[Game], ResolvedBook]
"""From a game to the book in force for it."""


class Imported(msgspec.Struct, frozen=True):
    """A recorded hand, entered.

    Args:
        events: its events, `HandStarted` first.
        hand: the state at the end.
        commands: what was entered after the start.
        rules: of the book it was judged by, and its game.
        about: what the record says around the hand.
    """

    events: tuple[Event, ...]
    hand: Hand
    commands: tuple[do.HandCommand, ...]
    rules: HandRules
    about: About


class Place(NamedTuple):
    """Where something stands in a record: in words, and by field."""

    words: str
    field: str


class Replay:
    """A hand being entered."""

    def __init__(self, setup: HandSetup, book_for: BookFor, reader: Reader) -> None:
        """Start the hand.

        Args:
            setup: who is dealt in and what is due.
            book_for: the book it is played under.
            reader: the evaluator.

        Raises:
            Refused: the setup cannot be dealt.
        """
        self.rules: HandRules = hand_rules(book_for(setup.game), setup.game, reader)
        self.ids: dict[str, Any] = {
            "room": setup.room,
            "table": setup.table,
            "hand": setup.hand,
        }
        self.events: list[Event] = []
        self.commands: list[do.HandCommand] = []
        self.hand = INITIAL
        self.told_later: dict[int, tuple[str, ...]] = {}
        self._record(start_hand(setup, self.rules))

    def _record(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self.hand = evolve(self.hand, event)
        self.events.extend(events)

    def play(
        self,
        moves: Sequence[Move],
        places: Sequence[Place],
        extras: Extras,
        sources: Sources,
        end: Place,
    ) -> None:
        """Enter moves, entries and what follows at the end.

        Args:
            moves: what the record says was done.
            places: where it says so.
            extras: its entries and amendments.
            sources: who told.
            end: the end of the record.

        Raises:
            Refused: the record is illegal somewhere; the place, the rule and what was expected are named.
        """
        at = 0
        self._deal_told_later(moves, extras)
        while at < len(moves):
            self._enter_due(extras, at)
            at += self._move(moves, places, at, extras, sources)
        self._enter_due(extras, len(moves))
        self.finish(end)

    def _deal_told_later(self, moves: Sequence[Move], extras: Extras) -> None:
        """Note the cards that stand in the deal though an entry says that they became known later."""
        if not self.rules.variant.stud:
            for move in moves:
                if not isinstance(move, Dealt):
                    break
                if move.seat in extras.told_later:
                    self.told_later[move.seat] = move.cards

    def _enter_due(self, extras: Extras, at: int) -> None:
        for index, entry in extras.due(at):
            field = f"{extras.names[0]}[{index}]"
            command = command_from(entry, self.ids, field)
            if isinstance(command, do.NoteHoleCards):
                command = self._with_deal(command, field)
            self.enter(command, Place(f"entry {index + 1} {entry['enter']}", field))

    def _with_deal(self, note: do.NoteHoleCards, field: str) -> do.NoteHoleCards:
        hands = []
        for seat, cards in note.hands:
            told = cards or self.told_later.get(seat, ())
            if not told:
                raise malformed(
                    f"{field}.hands", seat, "cards, or a seat whose cards stand in the deal"
                )
            hands.append((seat, told))
        return msgspec.structs.replace(note, hands=tuple(hands))

    def _move(
        self,
        moves: Sequence[Move],
        places: Sequence[Place],
        at: int,
        extras: Extras,
        sources: Sources,
    ) -> int:
        place = places[at]
        try:
            stop = extras.stop_after(at, len(moves))
            found = read(moves, at, stop, self.hand, sources, self.told_later)
        except Refused as refused:
            raise self._refusal(refused, place) from refused
        commands = found.commands
        if at in extras.amendments:
            index, amendment = extras.amendments[at]
            commands = amended(commands, amendment, self.ids, f"{extras.names[1]}[{index}]")
        for command in commands:
            try:
                before = len(self.events)
                self.decide(command, moves[at], place)
            except Refused as refused:
                of = _told_at(moves, at, found.used, command, refused)
                raise self._refusal(refused, places[of]) from refused
            self._check_added(moves[at], before, place)
        return found.used

    def decide(self, command: do.HandCommand, move: Move, place: Place) -> None:
        """Decide a command that a move reads as; a format may have more to do."""
        del move, place
        self._decide(command)

    def _decide(self, command: do.HandCommand) -> None:
        events = decide_hand(command, self.hand, self.rules)
        self.commands.append(command)
        self._record(events)

    def _check_added(self, move: Move, before: int, place: Place) -> None:
        """Refuse a call or bring-in that the record has at another amount than it comes to."""
        if not isinstance(move, Acted) or move.added_cents is None:
            return
        taken = next((e for e in self.events[before:] if isinstance(e, ActionTaken)), None)
        if taken is None or taken.added_cents == move.added_cents:
            return
        act = taken.act.value.replace("_", " ")
        costs = f"a {act} of {dollars(taken.added_cents)}"
        raise Refused(
            "AMOUNT_NOT_ALLOWED",
            self.rules.betting.amount_cites,
            f"{place.words}: {dollars(move.added_cents)} is not what the {act} costs. Expected: {costs}.",
            (costs,),
            place.field,
        )

    def enter(self, command: do.HandCommand, place: Place) -> None:
        """Decide a command of the record.

        Args:
            command: what the record says was done.
            place: where.

        Raises:
            Refused: the record is illegal there; the place, the rule and what was expected are named.
        """
        try:
            self._decide(command)
        except Refused as refused:
            raise self._refusal(refused, place) from refused

    def _refusal(self, refused: Refused, place: Place) -> Refused:
        """Return a refusal with its place in the record and what was expected there."""
        expected = refused.options or self.expected()
        return Refused(
            refused.code,
            refused.rules,
            f"{place.words}: {refused.message}. Expected: {'; '.join(expected)}.",
            expected,
            place.field,
        )

    def expected(self) -> tuple[str, ...]:
        """Say what may come now."""
        hand, streets = self.hand, self.rules.variant.streets
        waiting = ", ".join(str(seat) for seat in hand.order)
        match hand.phase:
            case Phase.BETTING:
                options = legal(hand, self.rules)
                return tuple(f"seat {hand.to_act} to {option.words()}" for option in options)
            case Phase.DEALING:
                street = streets[min(hand.street + 1, len(streets) - 1)]
                asked = f"{street.board} board, {street.down} down, {street.up} up"
                return (f"the cards of the {street.name}, {asked}, none that lies elsewhere",)
            case Phase.EXCHANGING:
                return (f"seats {waiting} to draw or discard in this order",)
            case Phase.DECLARING:
                return (f"the declarations of seats {waiting}",)
            case Phase.SHOWDOWN:
                return (f"seats {waiting} to show their cards or to muck, or the pots",)
            case _:
                return ("nothing more: the hand is over",)

    def finish(self, end: Place) -> None:
        """Push the pots where the record leaves off at the showdown.

        Raises:
            Refused: CR-6, the hand is not over.
        """
        if self.hand.phase is Phase.SHOWDOWN:
            self.enter(do.AwardPots(**self.ids, losers_killed=True), end)
        if not self.hand.over:
            waiting = (
                f"seat {self.hand.to_act} is to act" if self.hand.to_act else self.hand.phase.value
            )
            refused = Refused(
                "HAND_NOT_FINISHED", "CR-6", f"the hand is not over: {waiting}", self.expected()
            )
            raise self._refusal(refused, end)

    def result(self, about: About) -> Imported:
        """Return the hand as entered.

        Args:
            about: what the record says around it.
        """
        return Imported(tuple(self.events), self.hand, tuple(self.commands), self.rules, about)


_HANDS: Final = re.compile(r"hands\[(\d+)\]")


def _told_at(
    moves: Sequence[Move], at: int, count: int, command: do.HandCommand, refused: Refused
) -> int:
    """Return the index of the move at fault among those that were read together."""
    if count == 1:
        return at
    if isinstance(command, do.NoteHoleCards):
        found = _HANDS.search(refused.field)
        if found is not None:
            seat = command.hands[int(found[1])][0]
            return next(
                (
                    index
                    for index in range(at, at + count)
                    if isinstance(move := moves[index], Dealt) and move.seat == seat
                ),
                at,
            )
    for index in reversed(range(at, at + count)):
        move = moves[index]
        if isinstance(move, Dealt) and any(card in refused.message for card in move.cards):
            return index
    return at


def differing(field: str, recorded: Any, found: Any, rules: Sequence[str]) -> Refused:
    """Return the refusal of a recorded result that is not the hand's.

    Args:
        field: where it stands.
        recorded: the recorded value.
        found: what the hand comes to.
        rules: ids it rests on.
    """
    return Refused(
        "RESULT_DIFFERS",
        rules,
        f"{field}: recorded as {recorded}. Expected: {found}.",
        (str(found),),
        field=field,
    )
