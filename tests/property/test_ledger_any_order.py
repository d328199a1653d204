"""Whatever order the messages of tables and timecollection come in, the ledger ends with the same accounts."""

from collections import defaultdict
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.cashier import commands as c
from cardroom.cashier import ledger as books
from cardroom.cashier.core import DECIDER, ledger_stream
from cardroom.kernel.decisions import Command
from tests.plugins.world import ROOM, World

TABLES = ("t1", "t2")
cents = st.integers(min_value=1, max_value=500_00)
tables = st.sampled_from(TABLES)
seen = st.one_of(
    st.builds(
        c.NoteChipsToTable, room=st.just(ROOM), table=tables, player_id=st.just("p"), cents=cents
    ),
    st.builds(
        c.NoteChipsFromTable,
        room=st.just(ROOM),
        table=tables,
        player_id=st.just("p"),
        cents=cents,
        purpose=st.sampled_from(("", "tip")),
    ),
    st.builds(
        c.NoteDrop,
        room=st.just(ROOM),
        table=tables,
        hand_id=st.just(""),
        cents=cents,
        what=st.just("time"),
    ),
    st.builds(
        c.NoteJackpotDrop, room=st.just(ROOM), table=tables, hand_id=st.just(""), cents=cents
    ),
    st.builds(
        c.NoteTableCount,
        room=st.just(ROOM),
        table=tables,
        change_cents=st.one_of(cents, cents.map(lambda n: -n)),
        account=st.sampled_from((books.UNEXPLAINED_CHIPS, books.house_chips(""))),
        reason=st.just("counted"),
    ),
)
hand = st.tuples(tables, cents, st.booleans())
"""A hand's table, its rake, and whether it was taken up again."""


def movements_of(hands: list[tuple[str, int, bool]]) -> list[Command]:
    """What one table's key carries of its hands, in the order in which a table publishes it."""
    found: list[Command] = []
    for number, (table, rake_cents, again) in enumerate(hands):
        where: dict[str, Any] = {"room": ROOM, "table": table, "hand_id": f"{table}.{number}"}
        found.append(c.NoteDrop(**where, cents=rake_cents, what="rake"))
        if again:
            found.append(c.NoteTakeReturned(**where, cents=rake_cents, what="rake"))
            found.append(c.NoteDrop(**where, cents=rake_cents, what="rake"))
    return found


def ledger_after(commands: list[Command]) -> Any:
    world = World(DECIDER, "WP")
    world.do(c.OpenCage(room=ROOM, chips_cents=1_000_000, cash_cents=100_000))
    for number, command in enumerate(commands):
        world.do(command)
        ledger = world.state(ledger_stream(ROOM))
        assert books.totals(ledger) == {"chips": 0, "cash": 0}
        assert sum(books.shown(ledger).values()) == 0
        assert all(
            held >= 0
            for account, held in books.shown(ledger).items()
            if not books.may_go_below_nothing(account)
        ), command
        if number == len(commands) // 2:
            world.do(c.CloseDay(room=ROOM, gaming_day="2026-03-07"))
    return world.state(ledger_stream(ROOM))


@settings(deadline=None)
@given(st.lists(seen, max_size=12), st.lists(hand, max_size=5), st.data())
def test_any_order_of_what_was_seen_gives_the_same_ledger(
    others: list[Command], hands: list[tuple[str, int, bool]], data: st.DataObject
) -> None:
    # Messages of a table's hands keep their order; everything else comes at any moment.
    by_table: dict[str, list[Command]] = defaultdict(list)
    for command in movements_of(hands):
        by_table[command.table].append(command)  # type: ignore[attr-defined]
    lanes = [list(lane) for lane in by_table.values()] + [[one] for one in others]
    told = [command for lane in lanes for command in lane]
    turns = data.draw(st.permutations([number for number, lane in enumerate(lanes) for _ in lane]))
    waiting = [iter(lane) for lane in lanes]
    heard = [next(waiting[number]) for number in turns]
    first, second = ledger_after(told), ledger_after(heard)
    assert books.shown(first) == books.shown(second)
    assert first == second
