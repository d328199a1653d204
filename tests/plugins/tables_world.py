"""A table of the tables context in memory, for its specifications and worked cases."""

from typing import Any

import pytest

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.known import Form, Game, Structure
from cardroom.rulebook.calling import call_game
from cardroom.tables import commands as c
from cardroom.tables import deal_events as de
from cardroom.tables import hand_commands as do
from cardroom.tables import ruling_commands as rc
from cardroom.tables.button import LOW_FORMS
from cardroom.tables.core import DECIDER
from cardroom.tables.findings import Finding
from cardroom.tables.hand import Hand
from cardroom.tables.notes_events import HandNotes
from cardroom.tables.seats import Arrival, Seat, WayIn
from cardroom.tables.starting import Plan, plan
from cardroom.tables.table import Table, hand_id, table_id, unexplained_cents
from tests.plugins.world import ROOM, World

T = "t1"


def game(
    low: int,
    high: int = 0,
    blinds: tuple[int, ...] = (),
    *,
    form: Form = Form.HOLDEM,
    structure: Structure = Structure.LIMIT,
    seats: int = 9,
    chip: int = 1,
    collection: int = 0,
    ante: int = 0,
    bring_in: int = 0,
    game_id: str = "",
    **more: Any,
) -> Game:
    """Return a game; amounts in dollars."""
    return Game(
        game_id=game_id or f"{low}-{high}-{form.value}",
        name=f"{low}-{high} {form.value}",
        form=form,
        structure=structure,
        small_bet_cents=low * 100,
        big_bet_cents=high * 100,
        blinds_cents=tuple(blind * 100 for blind in blinds),
        seats=seats,
        chip_cents=chip * 100,
        button_collection_cents=collection * 100,
        ante_cents=ante * 100,
        bring_in_cents=bring_in * 100,
        **more,
    )


LC_3_6 = game(3, 6, (1, 3), chip=1, collection=3)
LC_6_12 = game(6, 12, (2, 6), chip=2, collection=4)
LC_20_40 = game(20, 40, (10, 20), chip=5, collection=5)
WP_10_20 = game(10, 20, (5, 10), chip=5)
WP_4_8 = game(4, 8, (2, 4), chip=1)


class Felt:
    """One table under a book, driven as a dealer and a floorperson would."""

    def __init__(
        self,
        book: str = "WP",
        a_game: Game = WP_10_20,
        seats: str | tuple[int, ...] = "1-9",
        *,
        stack: int | None = 300,
        capture: str = "every_action",
        must_move_behind: bool = False,
        stated_rules: str | None = None,
        tournament: str = "",
        **values: Any,
    ) -> None:
        self.world = World(DECIDER, book, **values)
        self.rules = self.world.offer(a_game)
        self.game = a_game
        self.do(
            c.OpenTable(
                room=ROOM,
                table=T,
                game_id=a_game.game_id,
                capture=capture,
                must_move_behind=must_move_behind,
                stated_rules=self._stated() if stated_rules is None else stated_rules,
                tournament=tournament,
            )
        )
        for seat in numbers(seats):
            self.sit(seat, stack)

    def _stated(self) -> str:
        """Say how the game is played where its book has games called and does not have this one."""
        try:
            call_game(self.rules, self.game.form)
        except Refused:
            return "as everybody here knows it"
        return ""

    # ------------------------------------------------------------------ doing

    def do(self, command: Any, *roles: str, override: str = "", actor: str = "floor-1") -> Any:
        """Run a command; chips are conserved after each."""
        events = self.world.do(command, *roles, override=override, actor=actor)
        gap = unexplained_cents(self.table)
        assert gap in (0, None), f"{gap} cents are unexplained after {type(command).__name__}"
        return events

    def run(self, cls: type[Any], *roles: str, **fields: Any) -> Any:
        """Build a command of this table and run it."""
        return self.do(cls(room=ROOM, table=T, **fields), *roles)

    def refused(self, cls: type[Any], *roles: str, **fields: Any) -> Refused:
        """Run a command that is refused and return why; nothing is recorded."""
        before = len(self.world.log)
        with pytest.raises(Refused) as caught:
            self.run(cls, *roles, **fields)
        assert len(self.world.log) == before
        return caught.value

    def sit(
        self, seat: int, dollars: int | None = 300, arrival: Arrival = Arrival.NEW, **more: Any
    ) -> None:
        """Seat a player `p<seat>`."""
        cents = None if dollars is None else dollars * 100
        player = more.pop("player", f"p{seat}")
        self.run(c.SitPlayer, seat=seat, player=player, stack_cents=cents, arrival=arrival, **more)

    def away(self, *seats: int) -> None:
        """Players leave their chairs."""
        for seat in seats:
            self.run(c.NotePresence, seat=seat, present=False)

    def back(self, *seats: int) -> None:
        """Players come back to their chairs."""
        for seat in seats:
            self.run(c.NotePresence, seat=seat, present=True)

    def leave(self, *seats: int) -> None:
        """Players leave the table."""
        for seat in seats:
            self.run(c.LeaveSeat, seat=seat)

    def way(self, seat: int, way: WayIn, dollars: int = 0, **more: Any) -> Any:
        """A player says how he comes in."""
        return self.run(c.ChooseWayIn, seat=seat, way=way, cents=dollars * 100, **more)

    def no_way(self, seat: int, way: WayIn, dollars: int = 0, **more: Any) -> Refused:
        """A player is refused the way in he wants."""
        return self.refused(c.ChooseWayIn, seat=seat, way=way, cents=dollars * 100, **more)

    def stood(self, button: int, *blinds: int) -> None:
        """Say where button and blinds stood on the last hand; everybody there played it."""
        self.run(c.PlaceButton, button=button, blinds=blinds, reason="the game was running")

    def draw(self, button: int) -> None:
        """Give a seat the first button by a draw of everybody there."""
        low = self.game.form in LOW_FORMS and self.rules.choice("button.first_by") == "draw_by_game"
        ranks = "KQJT98765" if low else "23456789T"
        others = [seat for seat in self.table.seats if seat != button]
        cards = [(button, "2s" if low else "As")]
        cards += [(seat, ranks[at % 9] + "cdh"[at // 9]) for at, seat in enumerate(others)]
        self.run(c.DrawButton, cards=tuple(cards))

    def count(self, **more: Any) -> de.HandOpened:
        """Count a hand and return its frame; a table that records is switched for it."""
        if self.table.capture != "counted":
            self.run(c.SetCapture, capture="counted")
        stacks = tuple(
            (number, seat.stack_cents)
            for number, seat in self.table.seats.items()
            if seat.stack_cents is not None
        )
        frame = self.run(c.CountHand, **more)[0]
        assert isinstance(frame, de.HandOpened)
        if stacks and "stacks" not in more:
            here = tuple((s, cents) for s, cents in stacks if s in self.table.seats)
            self.run(c.CountStacks, stacks=here)
        return frame

    def start(self, **more: Any) -> Hand:
        """Start a hand and return it."""
        if self.table.capture == "counted":
            self.run(c.SetCapture, capture="every_action")
        self.run(c.StartHand, **more)
        return self.hand

    def report(self, kind: str, **facts: Any) -> Finding:
        """Report an irregularity of the last hand and return the finding; facts in plain values."""
        told = tuple((name, _plain(value)) for name, value in facts.items())
        self.run(rc.ReportIrregularity, "dealer", kind=kind, told=told)
        return self.notes.irregularities[-1].finding

    def ruled(self, decision: str = "confirm", reason: str = "", *roles: str) -> Any:
        """Rule on the last irregularity."""
        number = len(self.notes.irregularities)
        hand = self.table.last_hand
        return self.run(
            rc.RuleOn,
            *roles,
            hand=hand,
            irregularity=number,
            decision=decision,
            reason=reason,
        )

    def play(self, cls: type[Any], seat: int = 0, *roles: str, **more: Any) -> Any:
        """Run a command of the hand in play."""
        fields = {"seat": seat} if seat else {}
        return self.do(cls(room=ROOM, table=T, hand=self.hand.hand, **fields, **more), *roles)

    def fold_to(self, seat: int) -> None:
        """Everybody before a seat folds."""
        while self.hand.to_act != seat:
            self.play(do.Fold, self.hand.to_act)

    # ------------------------------------------------------------------ seeing

    @property
    def table(self) -> Table:
        return self.world.state(table_id(ROOM, T))  # type: ignore[no-any-return]

    @property
    def hand(self) -> Hand:
        stem = hand_id(ROOM, T, self.table.last_hand)
        return self.world.state(stem)  # type: ignore[no-any-return]

    @property
    def notes(self) -> HandNotes:
        return self.world.state(f"notes/{ROOM}/{T}/{self.table.last_hand:06d}")  # type: ignore[no-any-return]

    def seat(self, number: int) -> Seat:
        return self.table.seats[number]

    def next(self) -> Plan:
        """Return the next hand as it would be dealt now."""
        return plan(self.table, self.rules)

    def last(self, kind: type[Event]) -> Any:
        return self.world.events(kind)[-1]


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def dealt(
    book: str,
    a_game: Game,
    seats: str | tuple[int, ...] = "1-9",
    button: int = 1,
    **more: Any,
) -> Felt:
    """Return a table with a hand in play and the button somewhere."""
    felt = Felt(book, a_game, seats, **more)
    if a_game.blinds_cents:
        felt.draw(button)
    felt.start()
    return felt


def numbers(seats: str | tuple[int, ...]) -> tuple[int, ...]:
    """Return seat numbers from `1-9` or `1,3,5`."""
    if not isinstance(seats, str):
        return seats
    found: list[int] = []
    for part in seats.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return tuple(found)


def blinds_of(found: Plan) -> dict[int, tuple[str, int]]:
    """Return seat -> (kind, dollars) of the blinds of a hand, collections and posts left out."""
    return {
        one.seat: (one.kind, one.cents // 100) for one in found.forced if one.kind.endswith("blind")
    }


def posts_of(found: Plan, seat: int) -> tuple[int, int]:
    """Return what a seat puts up in all, and how much of it is live, in dollars."""
    mine = [one for one in found.forced if one.seat == seat]
    return sum(one.cents for one in mine) // 100, sum(one.live_cents for one in mine) // 100
