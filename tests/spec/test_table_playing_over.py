"""Playing over as seating tells it: who plays over is dealt in with chips of his own, the owner's lie boxed."""

from typing import Any

import pytest
from google.protobuf.message import Message

from cardroom.adapters.bus.envelope import received
from cardroom.api.seating.v1 import seating_events_pb2 as seating
from cardroom.api.seating.v1 import seating_types_pb2 as types
from cardroom.kernel.envelope import Recorded
from cardroom.tables import commands as c
from cardroom.tables import hand_commands as do
from cardroom.tables import table_events as tev
from cardroom.tables.entry import terms
from cardroom.tables.inbox import from_seating
from cardroom.tables.publish import publish
from cardroom.tables.starting import base_positions
from tests.plugins.tables_world import WP_10_20, Felt, T
from tests.plugins.world import ROOM

AT = {"room": ROOM, "table": T}
PIA, SAM = "p4", "sam"


def tell(felt: Felt, message: Message) -> None:
    for command in from_seating(received(message, source="seating", stream=f"table/{ROOM}/{T}")):
        felt.do(command, "service", actor="seating")


def over(**more: Any) -> seating.PlayOverChanged:
    sam = types.PlayOver(player_id=SAM, allowed_by="floor-1", **more)
    return seating.PlayOverChanged(**AT, seat=4, play_over=sam)


PLAYS = over(boxed=True, playing=True, buy_in_cents=40000)
ENDS = seating.PlayOverChanged(**AT, seat=4)


def running() -> Felt:
    felt = Felt("WP", WP_10_20, (1, 4, 6, 8), stack=200)
    felt.draw(1)
    felt.start()
    finish(felt)
    return felt


def finish(felt: Felt) -> None:
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)


def told(felt: Felt) -> list[Any]:
    messages = []
    for stream, event in felt.world.log:
        recorded = Recorded(
            notification_id=1,
            stream=stream,
            version=1,
            topic="",
            own_hash=b"",
            envelope=Any,
            event=event,
        )
        messages.append(publish(recorded))
    return [one for one in messages if one is not None]


@pytest.mark.rule("WP-2P11", 1)
def test_who_plays_over_comes_in_as_a_new_player_and_the_owners_chips_lie_apart() -> None:
    felt = running()
    tell(felt, seating.PlayerAway(**AT, seat=4, player_id=PIA))
    tell(felt, over())
    tell(felt, over(boxed=True))
    assert felt.seat(4).player == PIA
    before = felt.table.account_cents
    stack = felt.seat(4).stack_cents
    tell(felt, PLAYS)
    assert (felt.seat(4).player, felt.seat(4).stack_cents) == (SAM, 40000)
    assert felt.table.boxed[4].stack_cents == stack
    assert felt.table.account_cents == before + 40000
    entry = terms(felt.table, felt.seat(4), felt.rules, base_positions(felt.table, felt.rules))
    assert entry.free or "WP-46" in entry.rules
    taken = [one for one in told(felt) if type(one).__name__ == "TableSeatTaken"][-1]
    assert (taken.player_id, taken.stack_cents) == (SAM, 40000)


def test_when_it_ends_the_owner_has_his_seat_and_chips_again() -> None:
    felt = running()
    felt.away(4)
    before = (felt.table.account_cents, felt.seat(4).stack_cents)
    tell(felt, PLAYS)
    tell(felt, seating.PlayerBack(**AT, seat=4, player_id=PIA))
    assert felt.seat(4).player == SAM
    tell(felt, ENDS)
    assert (felt.table.account_cents, felt.seat(4).stack_cents) == before
    assert (felt.seat(4).player, felt.seat(4).present) == (PIA, True)
    left, back = told(felt)[-2:]
    assert (left.player_id, left.stack_cents) == (SAM, 40000)
    assert (back.player_id, back.HasField("stack_cents")) == (PIA, False)


def test_in_a_hand_it_waits_for_the_end() -> None:
    felt = running()
    felt.start()
    assert felt.table.hand is not None
    assert 4 in felt.table.hand.dealt
    tell(felt, PLAYS)
    assert felt.seat(4).player == PIA
    finish(felt)
    assert felt.seat(4).player == SAM
    tell(felt, ENDS)
    felt.start()
    tell(felt, PLAYS)
    tell(felt, ENDS)  # taken back before it came about
    finish(felt)
    assert felt.seat(4).player == PIA
    assert felt.table.overs == {}


def test_an_owner_who_leaves_takes_what_lies_under_the_box() -> None:
    felt = running()
    felt.away(4)
    tell(felt, PLAYS)
    under = felt.table.boxed[4].stack_cents
    tell(felt, seating.PlayerLeft(**AT, seat=4, player_id=PIA))
    assert felt.last(tev.Left).stack_cents == under
    assert (felt.table.boxed, felt.seat(4).player) == ({}, SAM)
    tell(felt, ENDS)
    assert 4 not in felt.table.seats


def test_an_owner_may_leave_while_the_end_waits_for_the_hand() -> None:
    felt = running()
    felt.away(4)
    tell(felt, PLAYS)
    felt.start()
    while 4 not in felt.table.hand.dealt:
        finish(felt)
        felt.start()
    tell(felt, ENDS)
    tell(felt, seating.PlayerLeft(**AT, seat=4, player_id=PIA))
    finish(felt)
    assert 4 not in felt.table.seats
    assert felt.table.overs == {}


def test_a_box_outlasts_the_gaming_day_and_counts() -> None:
    felt = running()
    felt.away(4)
    tell(felt, PLAYS)
    felt.run(c.CountStacks, stacks=((4, 39000),))
    felt.run(c.CloseDay, gaming_day="2026-03-07")
    assert felt.table.boxed[4].player == PIA
    felt.leave(4)
    assert felt.seat(4).player == PIA
