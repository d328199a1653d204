"""What a published message adds to the figures of its gaming day; pure but for reading protobuf."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from cardroom.adapters.bus.envelope import Received
from cardroom.api.cashier.v1 import cashier_events_pb2 as cashier
from cardroom.api.jackpot.v1 import jackpot_events_pb2 as jackpot
from cardroom.api.tables.v1 import tables_events_pb2 as tables
from cardroom.api.timecollection.v1 import timecollection_events_pb2 as time


class Added(NamedTuple):
    """So much more of a figure, at a table or, with an empty table, in the room."""

    table: str
    figure: str
    amount: int


def _hand_ended(message: tables.HandEnded) -> list[Added]:
    table = message.table
    if message.void:
        return [Added(table, "hands_void", 1)]
    added = [Added(table, "hands", 1), Added(table, "hands_counted_only", int(message.counted))]
    added += [Added(table, f"{take.account}_cents", take.cents) for take in message.taken]
    if message.HasField("pot_cents"):
        added += [Added(table, "pots_cents", message.pot_cents), Added(table, "hands_with_pot", 1)]
    return added


def _hand_reopened(message: tables.HandReopened) -> list[Added]:
    back = [Added(message.table, f"{take.account}_cents", -take.cents) for take in message.taken]
    return [Added(message.table, "hands", -1), Added(message.table, "hands_reopened", 1), *back]


def _drop_counted(message: cashier.DropCounted) -> list[Added]:
    difference = message.counted_cents - message.expected_cents
    return [
        Added(message.table, "drop_counted_cents", message.counted_cents),
        Added(message.table, "drop_difference_cents", difference),
    ]


def _redeemed(message: cashier.ChipsRedeemed) -> list[Added]:
    return [
        Added("", "chips_redeemed_cents", message.handed_in_cents),
        Added("", "cash_paid_cents", message.paid_cents),
    ]


def _seat_taken(message: tables.TableSeatTaken) -> list[Added]:
    return [
        Added(message.table, "players_seated", 1),
        Added(message.table, "brought_to_table_cents", message.stack_cents + message.behind_cents),
    ]


FIGURES: Final[dict[type[Any], Callable[[Any], list[Added]]]] = {
    tables.HandEnded: _hand_ended,
    tables.HandReopened: _hand_reopened,
    tables.TableSeatTaken: _seat_taken,
    tables.TableSeatLeft: lambda m: [Added(m.table, "taken_from_table_cents", m.stack_cents)],
    tables.IrregularityReported: lambda m: [Added(m.table, "irregularities", 1)],
    tables.FindingRuled: lambda m: [
        Added(m.table, "rulings", 1),
        Added(m.table, "overrides", int(not m.confirmed)),
    ],
    tables.DisputeOpened: lambda m: [Added(m.table, "disputes", 1)],
    time.TimePaid: lambda m: [Added(m.table, "time_cents", m.amount_cents)],
    time.TimeTakenFromPot: lambda m: [Added(m.table, "time_cents", m.amount_cents)],
    jackpot.JackpotFunded: lambda m: [Added("", "jackpot_in_cents", m.drop_cents + m.odd_cents)],
    jackpot.JackpotWon: lambda m: [
        Added("", "jackpot_won_cents", sum(s.amount_cents for s in m.shares))
    ],
    cashier.ChipsSold: lambda m: [Added("", "chips_sold_cents", m.amount_cents)],
    cashier.ChipsRedeemed: _redeemed,
    cashier.PayoutPaid: lambda m: [Added("", "payouts_paid_cents", m.amount_cents)],
    cashier.DropCounted: _drop_counted,
}
"""Published message -> what it adds; messages of other kinds add nothing."""


def added_by(message: Received) -> list[Added]:
    """Return what a message adds to the figures of its gaming day."""
    adds = FIGURES.get(type(message.payload))
    return [added for added in adds(message.payload) if added.amount] if adds else []
