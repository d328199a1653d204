"""Whatever is asked in whatever order: nobody sits twice, lists and seats agree, and what is offered is accepted."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.kernel.events import topic_of
from cardroom.kernel.refusal import Refused
from cardroom.seating import commands as sc
from cardroom.seating import core as seating_core
from cardroom.seating.entry import entry_dues, left_out
from cardroom.seating.here import here_at
from cardroom.seating.table import Phase
from cardroom.seating.values import Deal, EntryKind
from cardroom.waitlist import commands as wc
from cardroom.waitlist import core as waitlist_core
from cardroom.waitlist.values import Answer
from tests.plugins.floor_world import FOUR_EIGHT, FloorWorld, clean, clock
from tests.plugins.world import ROOM

PEOPLE = tuple(f"p{n}" for n in range(12))
TABLES = ("t1", "t2")
GAME = FOUR_EIGHT.game_id

step = st.tuples(
    st.sampled_from(
        (
            "sign",
            "remove",
            "answer",
            "lock",
            "take",
            "sit",
            "sit",
            "sit",
            "leave",
            "change",
            "ask",
            "assign",
            "away",
            "back",
            "hand",
            "approve",
            "move",
            "open",
            "break",
            "draw",
            "time",
            "swap",
            "decline",
            "pick_up",
            "missed",
            "release",
            "stay",
            "grant",
        )
    ),
    st.integers(0, 11),
    st.integers(1, 9),
    st.sampled_from(TABLES),
)


OF_SEATED = frozenset(
    {
        "leave",
        "change",
        "ask",
        "away",
        "back",
        "approve",
        "move",
        "decline",
        "pick_up",
        "missed",
        "stay",
        "grant",
    }
)
"""Steps that are of somebody who sits at the table, where anybody does."""


class Evening:
    """A floor on which anything may be asked."""

    def __init__(self, book: str) -> None:
        self.w = FloorWorld(book, FOUR_EIGHT, at="12:00")
        self.minute = 0
        self.entries = 0
        self.refusals: list[Refused] = []
        for table in TABLES:
            self.w.seat(sc.OpenTable(room=ROOM, table=table, game_id=GAME))
        self.w.pump()
        self.w.list(wc.LinkMustMove(room=ROOM, main="t1", feeder="t2"))

    def asked(self, what: str, who: int, seat: int, table: str) -> tuple[Any, Any] | None:
        """Return the world to ask and the command, or None where the step is none."""
        w, person = self.w, PEOPLE[who]
        here = sorted(w.who(table).values())
        if what in OF_SEATED and here:
            person = here[who % len(here)]
        if what in {"break", "open", "draw"} and who % 4:
            return None
        at: dict[str, Any] = {"room": ROOM, "table": table}
        standing = clean(person)
        other = TABLES[1 - TABLES.index(table)]
        name = w.board().name_of(person)
        entry = name.entry_id if name else "e0"
        self.entries += 1
        answers = tuple(Answer)
        board = {"room": ROOM, "game_id": GAME, "entry_id": entry}
        last = w.table(table).deal
        commands: dict[str, tuple[Any, Any]] = {
            "sign": (
                w.list,
                wc.SignUp(
                    **{**board, "entry_id": f"e{self.entries}"}, player_id=person, standing=standing
                ),
            ),
            "remove": (w.list, wc.RemoveName(**board, reason="home")),
            "answer": (w.list, wc.AnswerCall(**board, answer=answers[seat % 4], locked_seat=seat)),
            "lock": (w.seat, sc.LockSeat(**at, seat=seat, player_id=person, standing=standing)),
            "take": (
                w.seat,
                sc.TakeSeat(
                    **at, seat=seat, player_id=person, buy_in_cents=8000, standing=standing
                ),
            ),
            "leave": (w.seat, sc.LeaveSeat(**at, player_id=person, chips_cents=seat * 1000)),
            "change": (w.seat, sc.ChangeSeat(**at, player_id=person, seat=seat)),
            "ask": (w.seat, sc.RequestSeatChange(**at, player_id=person, seat=seat % 9)),
            "assign": (
                w.seat,
                sc.AssignOpenSeat(**at, seat=seat, cards=(("p0", "As"), ("p1", "2c"))),
            ),
            "away": (w.seat, sc.LeaveTable(**at, player_id=person)),
            "back": (w.seat, sc.ReturnToTable(**at, player_id=person)),
            "hand": (
                w.seat,
                sc.NoteHand(**at, deal=next_deal(w, table), dealt_in=dealt_in(w, table)),
            ),
            "approve": (
                w.seat,
                sc.ApproveTableChange(**at, player_id=person, to_table=other, to_seat=seat),
            ),
            "move": (
                w.seat,
                sc.MovePlayer(
                    **at,
                    player_id=person,
                    to_table=other,
                    to_seat=seat,
                    stack_cents=9000,
                    standing=standing,
                ),
            ),
            "open": (w.seat, sc.OpenTable(**at, game_id=GAME)),
            "break": (w.seat, sc.BreakTable(**at, reason="short")),
            "draw": (w.seat, sc.DrawForSeats(**at, seats=((other, seat),))),
            "swap": (w.seat, sc.SwapSeats(**at, seats=(seat, seat % 9 + 1))),
            "decline": (w.list, wc.DeclineMove(room=ROOM, main="t1", player_id=person)),
            "pick_up": (
                w.seat,
                sc.PickUpChips(**at, seat=seat, chips_cents=100, reason="often away"),
            ),
            "release": (w.seat, sc.ReleaseLock(**at, seat=seat)),
            "stay": (w.seat, sc.CancelMove(**at, player_id=person, reason="changed his mind")),
            "grant": (w.seat, sc.GrantSeatChange(**at, player_id=person, seat=seat)),
            "missed": (w.seat, sc.NoteMissedBlind(**at, seat=seat)),
        }
        if what == "time":
            self.minute += seat * 3
            w.time(f"{12 + self.minute // 60}:{self.minute % 60:02d}")
            return None
        if what == "sit":
            lock = sc.LockSeat(**at, seat=seat, player_id=person, standing=standing)
            self.attempt(w.seat, lock)
            what = "take"
        if what in {"move", "swap", "pick_up", "missed"}:
            return self.aimed(what, person, seat, at, commands)
        if what == "hand" and (w.table(table).phase is not Phase.OPEN or w.table(table).hand_live):
            if last is not None:
                w.seat(sc.NoteHandEnd(**at, number=last.number))
            return None
        return commands[what]

    def run(self, what: str, who: int, seat: int, table: str) -> None:
        asked = self.asked(what, who, seat, table)
        if asked is not None:
            self.attempt(*asked)
        self.w.pump()

    def attempt(self, world: Any, command: Any) -> None:
        try:
            over = "" if isinstance(command, wc.SignUp) else "busy night"
            world(command, "floor", override=over)
        except Refused as refusal:
            self.refusals.append(refusal)

    def aimed(
        self, what: str, person: str, seat: int, at: dict[str, Any], commands: Any
    ) -> tuple[Any, Any]:
        """Return a step aimed at where the person sits or is to move to."""
        w = self.w
        own = w.table(at["table"]).seat_of(person)
        if own is None or own.seated is None:
            return commands[what]  # type: ignore[no-any-return]
        move = own.seated.move
        if what == "move" and move is not None and move.to_table:
            kept = w.table(move.to_table).lock_of(person)
            return w.seat, sc.MovePlayer(
                **at,
                player_id=person,
                to_table=move.to_table,
                to_seat=kept.number if kept else move.to_seat,
                stack_cents=9000,
                standing=clean(person),
            )
        if what == "swap":
            taken = [s.number for s in w.table(at["table"]).taken]
            return w.seat, sc.SwapSeats(**at, seats=(own.number, taken[seat % len(taken)]))
        if what == "pick_up":
            return w.seat, sc.PickUpChips(**at, seat=own.number, chips_cents=9, reason="away")
        if what == "missed":
            return w.seat, sc.NoteMissedBlind(**at, seat=own.number)
        return commands[what]  # type: ignore[no-any-return]


def dealt_in(w: FloorWorld, table: str) -> tuple[int, ...]:
    if w.table(table).phase is not Phase.OPEN:
        return ()
    here = here_at(w.seating.streams, _occasion(w), ROOM, table)
    out = left_out(here, next_deal(w, table))
    return tuple(
        s.number
        for s in w.table(table).taken
        if s.seated and s.number not in out and s.seated.entry.kind is EntryKind.PLAYING
    )


def next_deal(w: FloorWorld, table: str) -> Deal:
    state = w.table(table)
    taken = [s.number for s in state.taken] or [1]
    number = state.deal.number + 1 if state.deal else 1
    button = taken[number % len(taken)]
    return Deal(
        number=number,
        button=button,
        small=taken[(number + 1) % len(taken)],
        big=taken[(number + 2) % len(taken)],
    )


def _occasion(w: FloorWorld) -> Any:
    from cardroom.kernel.decisions import Occasion

    return Occasion(at=w.at, recorded_at=w.at, gaming_day="2026-03-06")


def check(w: FloorWorld) -> None:
    sitting = [s.seated.player_id for t in TABLES for s in w.table(t).taken if s.seated]
    assert max(Counter(sitting).values(), default=0) <= 1
    for table in TABLES:
        for number, person in w.who(table).items():
            presence = w.presence(person)
            assert (presence.table, presence.seat) == (table, number)
        for seat in w.table(table).taken:
            move = seat.seated.move if seat.seated else None
            if move is not None and move.to_table and move.to_table != table:
                assert w.table(move.to_table).lock_of(seat.seated.player_id) is not None
        movers = {
            s.seated.player_id
            for other in TABLES
            for s in w.table(other).taken
            if s.seated and s.seated.move and s.seated.move.to_table == table
        }
        for seat in w.table(table).seats:
            lasting = seat.lock is not None and seat.lock.expires_at is None
            if seat.lock is not None and lasting and seat.lock.kind == "move":
                assert seat.lock.player_id in movers
        kept = [s.lock.player_id for s in w.table(table).seats if s.lock]
        assert len(kept) == len(set(kept))
        assert not set(kept) & set(w.who(table).values())
    board = w.board()
    people = [n.player_id for n in board.names]
    assert len(people) == len(set(people))
    assert [n.ticket for n in board.names] == sorted(n.ticket for n in board.names)
    assert not set(people) & set(sitting)
    for table in board.tables:
        assert set(table.players) == set(w.who(table.table).values())
        assert not set(table.open_seats) & set(w.who(table.table))
    for seat in {n.call.seat for n in board.names if n.call and n.call.seat}:
        assert 1 <= seat <= 9


def check_offers(w: FloorWorld) -> None:
    """What CheckDealing offers is what RequestHand accepts."""
    for table in TABLES:
        if w.table(table).phase is not Phase.OPEN:
            continue
        deal = next_deal(w, table)
        here = here_at(w.seating.streams, _occasion(w), ROOM, table)
        for number in left_out(here, deal):
            with pytest.raises(Refused):
                w.ask_hand(table, w.who(table)[number], deal)
        for due in entry_dues(here, deal):
            if due.must_wait:
                with pytest.raises(Refused):
                    w.ask_hand(table, due.player_id, deal, due.post.cents)
                continue
            wrong = due.post.cents + 100
            with pytest.raises(Refused):
                w.ask_hand(table, due.player_id, deal, wrong)
            assert w.ask_hand(table, due.player_id, deal, due.post.cents)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(("LC", "RC", "WP")), st.lists(step, min_size=10, max_size=60))
def test_whatever_is_asked_seats_and_lists_stay_sound(book: str, steps: list[Any]) -> None:
    evening = Evening(book)
    for one in steps:
        evening.run(*one)
        check(evening.w)
    check_offers(evening.w)
    assert all(refusal.rules and refusal.message for refusal in evening.refusals)
    for world, core in (
        (evening.w.seating, seating_core),
        (evening.w.waitlist, waitlist_core),
    ):
        for _, event in world.log:
            data = msgspec.msgpack.encode(event)
            assert core.DECIDER.events.decode(topic_of(event), data) == event
    assert evening.w.at >= clock("12:00")
