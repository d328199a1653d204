"""What published messages of other contexts do at a table, and what a table publishes."""

from typing import Any

import msgspec
import pytest
from google.protobuf.message import Message

from cardroom.adapters.bus.envelope import received
from cardroom.api.house.v1 import house_events_pb2 as house
from cardroom.api.house.v1 import house_types_pb2 as types
from cardroom.api.seating.v1 import seating_events_pb2 as seating
from cardroom.api.seating.v1 import seating_types_pb2 as seat_types
from cardroom.api.tables.v1 import tables_events_pb2 as pb
from cardroom.api.timecollection.v1 import timecollection_events_pb2 as time
from cardroom.api.waitlist.v1 import waitlist_events_pb2 as waitlist
from cardroom.kernel.envelope import NO_HASH, Envelope, Recorded
from cardroom.kernel.events import topic_of
from cardroom.tables import commands as c
from cardroom.tables import hand_commands as do
from cardroom.tables.events import EVENTS
from cardroom.tables.inbox import from_house, from_seating, from_timecollection, from_waitlist
from cardroom.tables.publish import publish
from cardroom.tables.seats import Arrival
from cardroom.tables.table import table_id
from tests.plugins.tables_world import LC_6_12, LC_20_40, WP_10_20, Felt, T, game
from tests.plugins.world import EVENING, ROOM

TEN_TWENTY = game(10, 20, (5, 10), chip=5)
AROUND = Envelope(
    recorded_at=EVENING,
    occurred_at=None,
    gaming_day="2026-03-06",
    utc_offset_minutes=0,
    actor="",
    roles=(),
    station="",
    request_id="",
    causation_id="",
    correlation_id="",
    override_reason="",
    book_digest="",
    previous_hash=NO_HASH,
    event=msgspec.Raw(b""),
)
POLICIES = {
    "house": from_house,
    "seating": from_seating,
    "timecollection": from_timecollection,
    "waitlist": from_waitlist,
}


def tell(felt: Felt, source: str, message: Message) -> None:
    """Let a table learn a message; nothing that is told as a fact is refused."""
    for command in POLICIES[source](received(message, source=source, stream=f"table/{ROOM}/{T}")):
        felt.do(command, "service", actor=source)


def at(**more: Any) -> dict[str, Any]:
    return {"room": ROOM, "table": T, **more}


def seated(seat: int, player: str, cents: int = 30000, kind: str = "new") -> Message:
    return seating.PlayerSeated(
        **at(seat=seat, player_id=player, buy_in_cents=cents, entry=seat_types.Entry(kind=kind))
    )


def published(felt: Felt) -> list[Message]:
    found = []
    for number, (stream, event) in enumerate(felt.world.log, 1):
        recorded = Recorded(
            notification_id=number,
            stream=stream,
            version=1,
            topic=topic_of(event),
            own_hash=b"",
            envelope=AROUND,
            event=event,
        )
        message = publish(recorded)
        if message is not None:
            found.append(message)
    return found


def test_seating_fills_the_seats() -> None:
    felt = Felt("LC", LC_6_12, ())
    for seat in (1, 4, 7):
        tell(felt, "seating", seated(seat, f"p{seat}"))
    tell(felt, "seating", seated(9, "p9", 6000, "free_until_second_pass"))
    assert felt.seat(9).arrival is Arrival.MUST_MOVE
    tell(felt, "seating", seated(4, "p4"))
    assert sorted(felt.table.seats) == [1, 4, 7, 9]
    tell(felt, "seating", seating.PlayerAway(**at(seat=4, player_id="p4")))
    assert not felt.seat(4).present
    tell(felt, "seating", seating.PlayerBack(**at(seat=4, player_id="p4")))
    tell(felt, "seating", seating.PlayerExcluded(**at(seat=4, player_id="p4")))
    assert felt.seat(4).excluded
    tell(felt, "seating", seating.PlayerReadmitted(**at(seat=4, player_id="p4")))
    tell(felt, "seating", seating.SeatChanged(**at(player_id="p4", from_seat=4, to_seat=5)))
    tell(felt, "seating", seating.SeatsSwapped(**at(seats=(5, 7))))
    assert (felt.seat(7).player, felt.seat(5).player) == ("p4", "p7")
    tell(felt, "seating", seating.ChipsBought(**at(seat=7, player_id="p4", amount_cents=100)))
    assert felt.seat(7).stack_cents == 30100
    tell(felt, "seating", seating.PlayerLeft(**at(seat=7, player_id="p4", chips_cents=30100)))
    tell(felt, "seating", seating.PlayerLeft(**at(seat=7, player_id="p4", chips_cents=30100)))
    assert 7 not in felt.table.seats


def test_the_draw_that_seating_held_gives_the_button() -> None:
    felt = Felt("LC", LC_6_12, (1, 4))
    cards = [seat_types.DrawnCard(who="1", card="Kc"), seat_types.DrawnCard(who="4", card="Kh")]
    held = seating.DrawHeld(**at(purpose="button", cards=cards))
    tell(felt, "seating", held)
    assert felt.table.first_button == 4
    felt.start()
    tell(felt, "seating", held)


def test_who_leaves_with_another_amount_than_the_table_knew_leaves_a_gap_on_record() -> None:
    felt = Felt("LC", LC_6_12, (1, 4))
    tell(felt, "seating", seating.PlayerLeft(**at(seat=4, player_id="p4", chips_cents=29500)))
    assert felt.table.account_cents == 30500
    assert felt.table.common_cents == 500


def test_a_dealer_takes_the_table_and_is_relieved() -> None:
    felt = Felt("LC", LC_6_12, (1, 4))
    pushed = house.DealerPushed(room=ROOM, dealing=types.Dealing(table=T, dealer="dora"))
    tell(felt, "house", pushed)
    assert felt.table.dealer == "dora"
    tell(felt, "house", house.DealerRelieved(room=ROOM, table=T, dealer="dora"))
    assert felt.table.dealer == ""


def test_a_dealer_pushed_to_a_table_before_it_opens_deals_there_when_it_does() -> None:
    felt = Felt("LC", LC_6_12, ())
    dealing = types.Dealing(table="t9", dealer="dora")
    tell(felt, "house", house.DealerPushed(room=ROOM, dealing=dealing))
    opened = seating.TableOpened(room=ROOM, table="t9", game_id=LC_6_12.game_id, seats=9)
    tell(felt, "seating", opened)
    table = felt.world.state(table_id(ROOM, "t9"))
    assert table.is_open
    assert table.dealer == "dora"


def test_a_dealer_stays_at_a_table_that_closes_until_relieved() -> None:
    felt = Felt("LC", LC_6_12, ())
    pushed = house.DealerPushed(room=ROOM, dealing=types.Dealing(table=T, dealer="dora"))
    for source, message in (
        ("seating", seating.TableClosed(**at())),
        ("house", pushed),
        ("seating", seating.TableOpened(**at(game_id=LC_6_12.game_id, seats=9))),
    ):
        tell(felt, source, message)
    assert felt.table.dealer == "dora"


def left_on_the_table(felt: Felt) -> int:
    """What the cashier is told of: what was left when the table closed, and what was over or short."""
    found = published(felt)
    closed = sum(one.leftover_cents for one in found if isinstance(one, pb.TableClosed))
    counted = [one.difference_cents for one in found if isinstance(one, pb.TableStacksCounted)]
    return closed - sum(counted)


@pytest.mark.parametrize("late", [False, True])
def test_time_paid_before_a_table_closed_is_none_of_what_was_left_on_it(late: bool) -> None:
    felt = Felt("WP", WP_10_20, (1,))
    paid = ("timecollection", time.TimePaid(**at(seat=1, player_id="p1", amount_cents=700)))
    gone = (
        ("seating", seating.PlayerLeft(**at(seat=1, player_id="p1", chips_cents=29300))),
        ("seating", seating.TableClosed(**at())),
    )
    for source, message in (*gone, paid) if late else (paid, *gone):
        tell(felt, source, message)
    assert not felt.table.is_open
    assert left_on_the_table(felt) == 0


@pytest.mark.parametrize("in_hand", [False, True])
def test_time_paid_leaves_the_stack(in_hand: bool) -> None:
    felt = Felt("WP", WP_10_20, (1, 4, 7))
    felt.draw(1)
    if in_hand:
        felt.start()
    for seat in (1, 4):
        tell(
            felt,
            "timecollection",
            time.TimePaid(**at(seat=seat, player_id=f"p{seat}", amount_cents=700)),
        )
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)
    assert felt.table.account_cents == 90000 - 1400
    assert sum(seat.stack_cents or 0 for seat in felt.table.seats.values()) == 90000 - 1400


def test_seats_changed_in_a_hand_change_when_it_is_over() -> None:
    felt = Felt("WP", WP_10_20, "1-5")
    felt.draw(1)
    felt.start()
    tell(felt, "seating", seating.PlayerLeft(**at(seat=4, player_id="p4", chips_cents=30000)))
    tell(felt, "seating", seating.SeatChanged(**at(player_id="p5", from_seat=5, to_seat=4)))
    tell(felt, "seating", seated(5, "new"))
    tell(felt, "seating", seating.PlayerAway(**at(seat=5, player_id="new")))
    assert felt.seat(4).player == "p4"
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)
    assert [felt.seat(number).player for number in (4, 5)] == ["p5", "new"]
    assert not felt.table.moving
    assert not felt.table.leaving


def in_a_hand() -> Felt:
    """Five play a hand; p4 has left in it, and somebody new waits for the seat."""
    felt = Felt("WP", WP_10_20, "1-5")
    felt.draw(1)
    felt.start()
    tell(felt, "seating", seating.PlayerLeft(**at(seat=4, player_id="p4", chips_cents=30000)))
    tell(felt, "seating", seated(4, "new", 20000))
    return felt


def finish(felt: Felt) -> None:
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)


def test_chips_bought_by_somebody_who_waits_for_a_leavers_seat_are_the_buyers() -> None:
    felt = in_a_hand()
    tell(felt, "seating", seating.ChipsBought(**at(seat=4, player_id="new", amount_cents=5000)))
    assert felt.seat(4).pending_cents == 0
    before = felt.table.account_cents
    finish(felt)
    assert (felt.seat(4).player, felt.seat(4).stack_cents) == ("new", 25000)
    left = [one for one in published(felt) if isinstance(one, pb.TableSeatLeft)]
    assert before == 150000
    assert felt.table.account_cents == 150000 - left[0].stack_cents + 25000


def test_chips_bought_follow_their_buyer_to_a_seat_that_is_not_free_yet() -> None:
    felt = Felt("WP", WP_10_20, "1-5")
    felt.draw(1)
    felt.start()
    tell(felt, "seating", seating.PlayerLeft(**at(seat=4, player_id="p4", chips_cents=30000)))
    tell(felt, "seating", seating.SeatChanged(**at(player_id="p5", from_seat=5, to_seat=4)))
    tell(felt, "seating", seating.ChipsBought(**at(seat=4, player_id="p5", amount_cents=5000)))
    assert (felt.seat(4).pending_cents, felt.seat(5).pending_cents) == (0, 5000)
    finish(felt)
    assert felt.seat(4).player == "p5"
    assert felt.seat(4).pending_cents == 0


def test_chips_bought_by_somebody_who_sits_nowhere_lie_on_the_table_in_no_stack() -> None:
    felt = Felt("WP", WP_10_20, (1, 4))
    tell(felt, "seating", seating.ChipsBought(**at(seat=4, player_id="ghost", amount_cents=5000)))
    assert felt.seat(4).stack_cents == 30000
    assert (felt.table.account_cents, felt.table.common_cents) == (65000, 5000)
    added = published(felt)[-1]
    assert isinstance(added, pb.TableChipsAdded)
    assert (added.player_id, added.cents) == ("ghost", 5000)


@pytest.mark.parametrize("consented_by", ["floor-1", ""])
def test_announced_chips_are_told_once_whether_they_play_before_they_are_here_or_not(
    consented_by: str,
) -> None:
    felt = Felt("LC", LC_6_12, (1, 2))
    before, account = len(published(felt)), felt.table.account_cents
    felt.run(c.AnnounceChips, seat=2, cents=10000, consented_by=consented_by)
    felt.run(c.AddChips, seat=2, cents=15000, announced=True)
    told = [one for one in published(felt)[before:] if isinstance(one, pb.TableChipsAdded)]
    assert {one.player_id for one in told} == {felt.seat(2).player}
    assert sum(one.cents - one.announced_cents for one in told) == 15000
    assert felt.table.account_cents == account + 15000


def test_who_goes_away_while_waiting_for_a_seat_is_away_in_it() -> None:
    felt = in_a_hand()
    tell(felt, "seating", seating.PlayerAway(**at(seat=4, player_id="new")))
    tell(felt, "seating", seating.PlayerExcluded(**at(seat=4, player_id="new")))
    finish(felt)
    assert not felt.seat(4).present
    assert felt.seat(4).excluded


def test_who_leaves_while_waiting_for_a_seat_never_sits_there() -> None:
    felt = in_a_hand()
    tell(felt, "seating", seating.PlayerLeft(**at(seat=4, player_id="new", chips_cents=20000)))
    finish(felt)
    assert 4 not in felt.table.seats


def test_who_waits_for_a_seat_and_takes_another_sits_there() -> None:
    felt = in_a_hand()
    tell(felt, "seating", seating.SeatChanged(**at(player_id="new", from_seat=4, to_seat=8)))
    finish(felt)
    assert felt.seat(8).player == "new"
    assert 4 not in felt.table.seats


@pytest.mark.parametrize("away", [False, True])
def test_who_changed_seats_in_a_hand_leaves_or_goes_away_from_the_old_one(away: bool) -> None:
    felt = Felt("WP", WP_10_20, "1-5")
    felt.draw(1)
    felt.start()
    tell(felt, "seating", seating.SeatChanged(**at(player_id="p5", from_seat=5, to_seat=8)))
    if away:
        tell(felt, "seating", seating.PlayerAway(**at(seat=8, player_id="p5")))
    else:
        tell(felt, "seating", seating.PlayerLeft(**at(seat=8, player_id="p5", chips_cents=30000)))
    finish(felt)
    assert 5 not in felt.table.seats
    if away:
        assert not felt.seat(8).present
    else:
        assert 8 not in felt.table.seats


def test_who_changes_seats_twice_in_a_hand_ends_in_the_last() -> None:
    felt = Felt("WP", WP_10_20, "1-5")
    felt.draw(1)
    felt.start()
    tell(felt, "seating", seating.SeatChanged(**at(player_id="p5", from_seat=5, to_seat=8)))
    tell(felt, "seating", seating.SeatChanged(**at(player_id="p5", from_seat=8, to_seat=7)))
    finish(felt)
    assert felt.seat(7).player == "p5"
    assert {5, 8}.isdisjoint(felt.table.seats)


def changed(player: str, seat: int, to_seat: int) -> Message:
    return seating.SeatChanged(**at(player_id=player, from_seat=seat, to_seat=to_seat))


def test_who_takes_the_old_seat_again_in_the_same_hand_stays_there() -> None:
    felt = Felt("WP", WP_10_20, "1-5")
    felt.draw(1)
    felt.start()
    tell(felt, "seating", changed("p5", 5, 8))
    tell(felt, "seating", changed("p5", 8, 5))
    finish(felt)
    assert felt.seat(5).player == "p5"
    assert not felt.table.moving


def test_three_who_change_seats_in_a_ring_during_a_hand() -> None:
    felt = Felt("WP", WP_10_20, "1-5")
    felt.draw(1)
    felt.start()
    for player, seat, to_seat in (("p2", 2, 7), ("p3", 3, 2), ("p4", 4, 3), ("p2", 7, 4)):
        tell(felt, "seating", changed(player, seat, to_seat))
    finish(felt)
    assert {seat: one.player for seat, one in felt.table.seats.items()} == {
        1: "p1",
        2: "p3",
        3: "p4",
        4: "p2",
        5: "p5",
    }
    assert not felt.table.moving


@pytest.mark.parametrize("time_first", [False, True])
def test_who_leaves_in_a_hand_leaves_with_what_was_counted_then(time_first: bool) -> None:
    felt = Felt("WP", WP_10_20, "1-5")
    felt.draw(1)
    felt.start()
    tell(felt, "seating", seating.PlayerLeft(**at(seat=4, player_id="p4", chips_cents=29300)))
    paid = time.TimePaid(**at(seat=4, player_id="p4", amount_cents=700))
    if time_first:
        tell(felt, "timecollection", paid)
    finish(felt)
    if not time_first:
        tell(felt, "timecollection", paid)
    (left,) = (one for one in published(felt) if isinstance(one, pb.TableSeatLeft))
    assert left.stack_cents == 29300
    assert felt.table.common_cents == 0
    assert not felt.table.taken_along


@pytest.mark.parametrize("time_first", [False, True])
def test_time_paid_leaves_the_payers_stack_though_the_change_of_seats_comes_later(
    time_first: bool,
) -> None:
    felt = Felt("WP", WP_10_20, (1, 4))
    changed = seating.SeatChanged(**at(player_id="p4", from_seat=4, to_seat=5))
    paid = time.TimePaid(**at(seat=5, player_id="p4", amount_cents=700))
    for source, message in sorted(
        (("seating", changed), ("timecollection", paid)), reverse=time_first
    ):
        tell(felt, source, message)
    assert felt.seat(5).stack_cents == 29300
    assert felt.table.common_cents == 0


def test_a_game_that_seating_changed_is_dealt_from_the_next_hand() -> None:
    felt = Felt("LC", LC_6_12)
    felt.world.offer(TEN_TWENTY)
    felt.draw(1)
    felt.start()
    told = seating.GameChanged(**at(from_game_id=LC_6_12.game_id, game_id=TEN_TWENTY.game_id))
    tell(felt, "seating", told)
    tell(felt, "seating", told)
    assert felt.hand.game.game_id == LC_6_12.game_id
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)
    assert felt.start().game.game_id == TEN_TWENTY.game_id


def test_time_paid_by_somebody_who_has_left_is_a_gap_on_record() -> None:
    felt = Felt("WP", WP_10_20, (1, 4))
    felt.leave(4)
    paid = time.TimeTakenFromPot(
        **at(paid_by=[time.TimeShare(seat=4, player_id="p4", amount_cents=500)])
    )
    tell(felt, "timecollection", paid)
    assert felt.table.common_cents == -500


def test_what_is_published_carries_no_unshown_card() -> None:
    felt = Felt("LC", LC_6_12)
    felt.draw(3)
    felt.start()
    felt.play(do.NoteHoleCards, hands=((6, ("As", "Ah")),))
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)
    messages = published(felt)
    kinds = [type(one).__name__ for one in messages]
    assert kinds[0] == "TableOpened"
    assert kinds.count("TableSeatTaken") == 9
    assert kinds[-2:] == ["HandStarted", "HandEnded"]
    assert all(b"As" not in one.SerializeToString() for one in messages)
    ended = messages[-1]
    assert isinstance(ended, pb.HandEnded)
    assert [(take.account, take.cents) for take in ended.taken] == [("collection", 400)]
    assert len(ended.folded_facing_wager) == 8


def test_every_topic_is_of_this_context() -> None:
    assert {topic.partition(".")[0] for topic in EVENTS.by_topic} == {"tables", "known"}


def linked(felt: Felt, *, main: str = T, feeder: str = "t9") -> None:
    tell(felt, "waitlist", waitlist.MustMoveLinked(room=ROOM, main=main, feeder=feeder))


def unlinked(felt: Felt) -> None:
    tell(felt, "waitlist", waitlist.MustMoveUnlinked(room=ROOM, main=T, feeder="t9"))


def three_of_nine() -> Felt:
    """Seat three in a game that pays less on the button while it is not full."""
    return Felt(
        "LC",
        LC_20_40,
        "1-3",
        stack=1000,
        collection__amount_not_full=400,
        collection__amount=500,
    )


def paid_on_the_button(felt: Felt) -> int:
    felt.start()
    return sum(post.house_cents for post in felt.hand.posts)


@pytest.mark.rule("LC-131", 2)
def test_a_main_game_counts_as_full_while_a_must_move_game_feeds_it() -> None:
    felt = three_of_nine()
    felt.draw(1)
    assert paid_on_the_button(felt) == 400
    linked(felt)  # in a hand: its collection is paid
    finish(felt)
    assert paid_on_the_button(felt) == 500
    unlinked(felt)
    finish(felt)
    assert paid_on_the_button(felt) == 400


def test_a_link_told_twice_is_one_fact_and_one_of_another_table_none() -> None:
    felt = three_of_nine()
    linked(felt, main="t8", feeder=T)
    assert not felt.table.must_move_behind
    linked(felt)
    before = len(felt.world.log)
    linked(felt)
    assert len(felt.world.log) == before


@pytest.mark.parametrize("closed_before", [False, True])
def test_a_link_that_is_heard_before_the_table_opens_holds_there(closed_before: bool) -> None:
    felt = three_of_nine()
    if closed_before:
        for seat in (1, 2, 3):
            felt.run(c.LeaveSeat, seat=seat)
        felt.run(c.CloseTable)
        linked(felt)
    else:
        linked(felt)
        for seat in (1, 2, 3):
            felt.run(c.LeaveSeat, seat=seat)
        felt.run(c.CloseTable)
    felt.run(c.CloseDay, gaming_day="2026-03-07")
    assert felt.table.feeder_linked
    felt.run(c.OpenTable, game_id=felt.game.game_id, capture="every_action")
    assert felt.table.must_move_behind
    unlinked(felt)
    assert not felt.table.must_move_behind
