"""The table as it stands: a frozen state, the ids of its streams, and what can be read off it."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import StreamId, stream_id
from cardroom.known.games import Game
from cardroom.tables import deal_events as de
from cardroom.tables import table_events as ev
from cardroom.tables.positions import Rotation
from cardroom.tables.seats import Seat


class Before(msgspec.Struct, frozen=True, kw_only=True):
    """What a hand that turns out void is dealt again from: button, blinds and how each player stood."""

    rotation: Rotation | None
    first_button: int
    hands_this_game: int
    revolution_done: bool
    blinds_passed: frozenset[int]
    correction: tuple[int, tuple[int, ...]] | None
    carried_cents: int
    missed_collections: dict[int, int]
    seats: dict[int, Seat]
    deck_use: ev.DeckUse = ev.DeckUse()


class RunningHand(msgspec.Struct, frozen=True, kw_only=True):
    """The hand that is being played, as the table keeps it.

    Args:
        number: its number.
        dealt: seats that got a hand.
        dead_cents: missed collections and chips carried from the deal before that lie in its pot.
        before: what it is dealt again from, should it turn out void.
    """

    number: int
    dealt: frozenset[int]
    dead_cents: int = 0
    before: Before | None = None


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table as it stands.

    Args:
        room: the room.
        table: the table's id.
        is_open: whether it is open; a table that never was, or was closed, takes only `OpenTable`.
        game: what is played from the next hand on.
        book_digest: the resolved book in force from the next hand on.
        seat_count: number of seats.
        capture: `counted`, `ruling_facts` or `every_action`.
        dealer: who deals; empty where nobody does.
        must_move_behind: whether a must-move game feeds it.
        feeder_linked: whether the lists told so; they may tell it before the table is opened.
        tournament: name of the tournament it belongs to, whose points all amounts are then; empty for cash games.
        seats: occupied seats by number.
        account_cents: chips that must be on the table by all that came and went; None where something is not known.
        common_cents: those of them that stand in stacks nobody counted; None where the account is not known.
        carried_cents: chips in the middle that wait for the next deal.
        impounds: dispute -> chips the house holds.
        rotation: where button and blinds stood on the last hand; None before a game's first hand.
        first_button: seat that drew the first button; 0 before the draw.
        correction: (button, blinds) to be played on the next hand instead of the usual ones.
        last_hand: number of the last hand, 0 before the first.
        last_frame: how that hand was opened; None before the first.
        last_closed: how the last hand that is over ended; None before the first.
        hands_this_game: how many hands were started since the button was drawn.
        revolution_done: whether the button has gone once fully round since then.
        blinds_passed: seats that the blinds have passed since then.
        hand: the hand in play.
        shuffling: number of the hand for which the shuffle has begun; 0 where none has.
        leaving: seats of the hand in play whose players have left, with the reason.
        taken_along: chips that these took along, by seat, where they were counted.
        sitting: who has sat down in such a seat.
        boxed: seats that are played over, as their own players have them.
        overs: playing over that begins or ends when the hand in play is over, by seat.
        moving: seat of the hand in play -> the seat its player has taken.
        known_as: record that is no longer used -> the record under which its player sits here.
        closing: why the table closes once the hand in play is over and nobody sits there; None where it does not.
        mucked_hand: number of the last hand whose cards have all gone into the muck.
        asked_game: a change of game that waits for approval.
        called: how the game was called and what was stated with it; None where nobody called it.
        deck_at_hand: number of the first hand with the present deck.
        deck_use: how far that deck has gone round the table.
        setup_at: when the last setup came, as text of an instant; empty where none has.
        scrambles: (seat, hand) at which each player last asked for a scramble.
        open_disputes: dispute -> whether the next deal waits for it.
    """

    room: str = ""
    table: str = ""
    is_open: bool = False
    game: Game | None = None
    book_digest: str = ""
    seat_count: int = 0
    capture: str = ""
    dealer: str = ""
    must_move_behind: bool = False
    feeder_linked: bool = False
    tournament: str = ""
    seats: dict[int, Seat] = {}
    account_cents: int | None = 0
    common_cents: int | None = 0
    carried_cents: int = 0
    impounds: dict[str, int] = {}
    rotation: Rotation | None = None
    first_button: int = 0
    correction: tuple[int, tuple[int, ...]] | None = None
    last_hand: int = 0
    last_frame: de.HandOpened | None = None
    last_closed: de.HandClosed | None = None
    hands_this_game: int = 0
    revolution_done: bool = False
    blinds_passed: frozenset[int] = frozenset()
    hand: RunningHand | None = None
    shuffling: int = 0
    leaving: dict[int, str] = {}
    taken_along: dict[int, int] = {}
    sitting: tuple[ev.Sat, ...] = ()
    boxed: dict[int, Seat] = {}
    overs: dict[int, ev.PlayOverNoted] = {}
    moving: dict[int, int] = {}
    known_as: dict[str, str] = {}
    closing: str | None = None
    mucked_hand: int = 0
    asked_game: ev.GameChangeAsked | None = None
    called: ev.GameCalled | None = None
    deck_at_hand: int = 1
    deck_use: ev.DeckUse = ev.DeckUse()
    setup_at: str = ""
    scrambles: tuple[tuple[int, int], ...] = ()
    open_disputes: dict[str, bool] = {}

    def the_game(self) -> Game:
        """Return the game; only an open table has one."""
        assert self.game is not None
        return self.game

    def at(self, seat: int) -> Seat:
        """Return who sits in a seat.

        Raises:
            Refused: CR-4, the table has no such seat; CR-2, nobody sits there.
        """
        self.check_seat(seat)
        if seat not in self.seats:
            raise Refused("SEAT_EMPTY", "CR-2", f"nobody sits in seat {seat}", field="seat")
        return self.seats[seat]

    def check_seat(self, seat: int, field: str = "seat") -> None:
        """Refuse a seat that the table does not have (CR-4)."""
        if not 1 <= seat <= self.seat_count:
            raise Refused(
                "SEAT_OUT_OF_RANGE",
                "CR-4",
                f"{field} is {seat}: table {self.table} has seats 1 to {self.seat_count}",
                field=field,
            )

    def seat_of(self, player: str) -> Seat | None:
        """Return where a player sits, None where he does not sit here."""
        now = self.known_as.get(player, player)
        return next((seat for seat in self.seats.values() if seat.player == now), None)

    @property
    def stacks_known(self) -> bool:
        """Whether every stack on the table is known."""
        return all(
            seat.stack_cents is not None for seat in (*self.seats.values(), *self.boxed.values())
        )

    @property
    def boxed_cents(self) -> int:
        """What lies under boxes, as far as it is known."""
        return sum((seat.stack_cents or 0) + seat.pending_cents for seat in self.boxed.values())


EMPTY: Final = Table()


def table_id(room: str, table: str) -> StreamId:
    """Return the stem of a table's stream."""
    return stream_id("table", room, table)


def hand_id(room: str, table: str, number: int) -> StreamId:
    """Return the stream of a hand, by its number at its table."""
    return stream_id("hand", room, table, f"{number:06d}")


def opened_table(table: Table, name: str) -> Table:
    """Return a table that is open.

    Raises:
        Refused: CR-2, it never was opened; CR-6, it is closed.
    """
    if not table.table:
        raise Unknown("table", name, field="table")
    if not table.is_open:
        raise Refused("TABLE_CLOSED", "CR-6", f"table {name} is closed", field="table")
    return table


def change(state: Any, **fields: Any) -> Any:
    """Return a frozen value with some fields changed."""
    return msgspec.structs.replace(state, **fields)


def with_seats(table: Table, *seats: Seat, **fields: Any) -> Table:
    """Return a table with some seats and fields changed."""
    merged = dict(sorted({**table.seats, **{seat.seat: seat for seat in seats}}.items()))
    return change(table, seats=merged, **fields)  # type: ignore[no-any-return]


def plus(amount: int | None, more: int | None) -> int | None:
    """Add amounts of which either may be unknown."""
    return None if amount is None or more is None else amount + more


def each_once(amounts: Iterable[tuple[int, int]], field: str) -> None:
    """Refuse amounts by seat that name a seat twice (CR-4): each is checked against the stack on its own."""
    seats = [seat for seat, _ in amounts]
    twice = sorted({seat for seat in seats if seats.count(seat) > 1})
    if twice:
        raise Refused(
            "SEAT_NAMED_TWICE", "CR-4", f"{field} names seat {twice[0]} twice", field=field
        )


def hand_in_progress(table: Table) -> int:
    """Return the number of the hand in progress, from its shuffle to its winner; 0 between hands."""
    return table.shuffling or (table.hand.number if table.hand else 0)


def unexplained_cents(table: Table) -> int | None:
    """Return chips on the table beyond its account: 0 by conservation, None where not everything is known."""
    if table.account_cents is None or table.common_cents is None:
        return None
    stacks = sum((seat.stack_cents or 0) + seat.pending_cents for seat in table.seats.values())
    dead = table.hand.dead_cents if table.hand else 0
    on_table = (
        stacks
        + table.boxed_cents
        + table.common_cents
        + table.carried_cents
        + sum(table.impounds.values())
        + dead
    )
    return on_table - table.account_cents
