"""A table and its hands: started, settled, counted, corrected, disputed; chips conserved after every command."""

from typing import Any

import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known import Structure
from cardroom.tables import chip_events as ce
from cardroom.tables import commands as c
from cardroom.tables import deal_events as de
from cardroom.tables import dispute as d
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as hev
from cardroom.tables import ruling_commands as rc
from cardroom.tables import table_events as tev
from cardroom.tables.hand_events import Phase, Source
from cardroom.tables.positions import Request, Rotation, advance
from tests.plugins.tables_world import LC_6_12, WP_10_20, Felt, T, game
from tests.plugins.world import ROOM

NL_1_2 = game(2, 0, (1, 2), structure=Structure.NO_LIMIT, seats=6, rake_cents=300)


def play(felt: Felt, cls: type[Any], seat: int = 0, *roles: str, **more: Any) -> Any:
    fields = {"seat": seat} if seat else {}
    hand = felt.hand.hand
    return felt.do(cls(room=ROOM, table=T, hand=hand, **fields, **more), *roles)


def headsup(**more: Any) -> Felt:
    felt = Felt("WP", NL_1_2, "1,2", stack=100, **more)
    felt.draw(1)
    return felt


def to_the_river(felt: Felt) -> None:
    felt.start()
    play(felt, do.Call, 1)
    play(felt, do.Check, 2)
    for cards in (("2c", "7d", "Jh"), ("4s",), ("9c",)):
        play(felt, do.DealStreet, board=cards)
        play(felt, do.Check, 2)
        play(felt, do.Check, 1)


def test_a_hand_is_started_in_its_own_stream_and_at_the_table_in_one_decision() -> None:
    felt = headsup()
    events = felt.run(c.StartHand)
    assert [type(event) for event in events] == [de.HandOpened, hev.HandStarted]
    assert events[0].book_digest == events[1].book_digest == felt.rules.digest
    assert felt.table.hand is not None
    assert felt.hand.to_act == 1


def test_settlement_updates_the_stacks_and_takes_the_rake() -> None:
    felt = headsup()
    to_the_river(felt)
    play(felt, do.ShowHand, 2, cards=("Js", "Jd"))
    play(felt, do.ShowHand, 1, cards=("Ah", "Kd"))
    play(felt, do.AwardPots, losers_killed=True)
    assert felt.hand.phase is Phase.SETTLED
    closed = felt.last(de.HandClosed)
    assert closed.taken == (de.Taken("rake", 300),)
    assert closed.pot_cents == 400
    assert [shown.seat for shown in closed.shown] == [1, 2] or closed.shown[0].seat in (1, 2)
    assert felt.seat(1).stack_cents == 9800
    assert felt.seat(2).stack_cents == 9900
    assert felt.table.account_cents == 19700
    assert felt.table.hand is None


def test_a_side_pot_with_one_player_left_is_his_although_he_throws_his_hand_away() -> None:
    felt = Felt("WP", NL_1_2, "1,2,3", stack=100)
    felt.run(c.CountStacks, stacks=((1, 10000), (2, 10000), (3, 5000)))
    felt.draw(1)
    felt.start()
    play(felt, do.RaiseTo, 1, to_cents=8000)
    play(felt, do.Call, 2)
    play(felt, do.Call, 3)
    play(felt, do.DealStreet, board=("2c", "7d", "Jh"))
    play(felt, do.Bet, 2, to_cents=2000)
    play(felt, do.Fold, 1)
    for card in ("4s", "9c"):
        play(felt, do.DealStreet, board=(card,))
    play(felt, do.MuckHand, 2)
    play(felt, do.ShowHand, 3, cards=("Ah", "Ad"))
    play(felt, do.AwardPots, losers_killed=True)
    assert felt.hand.phase is Phase.SETTLED
    assert felt.table.seats[2].stack_cents == 8000
    assert felt.table.seats[3].stack_cents == 14700


def test_rake_that_a_small_main_pot_does_not_hold_is_taken_out_of_the_side_pot() -> None:
    # Given a rake of $5, and a seat all-in for the $1 of its small blind,
    felt = Felt(
        "WP", game(2, 0, (1, 2), structure=Structure.NO_LIMIT, seats=6, rake_cents=500), "1,2,3"
    )
    felt.run(c.CountStacks, stacks=((1, 10000), (2, 100), (3, 10000)))
    felt.draw(1)
    felt.start()
    play(felt, do.Call, 1)
    play(felt, do.Check, 3)
    for cards in (("2c", "7d", "Jh"), ("4s",), ("9c",)):
        play(felt, do.DealStreet, board=cards)
        play(felt, do.Bet, 3, to_cents=400)
        play(felt, do.Call, 1)
    assert [pot.cents for pot in felt.hand.pots] == [300, 2600]
    # when the pots are pushed, then $3 are out of the main pot and $2 out of the side pot.
    play(felt, do.ShowHand, 3, cards=("Js", "Jd"))
    play(felt, do.MuckHand, 1)
    play(felt, do.MuckHand, 2)
    play(felt, do.AwardPots, losers_killed=True)
    assert felt.last(de.HandClosed).taken == (de.Taken("rake", 500),)
    assert felt.hand.taken == ((0, 300, 0), (1, 200, 0))
    assert felt.seat(3).stack_cents == 10000 - 1400 + 2400


def test_no_flop_no_drop() -> None:
    felt = headsup()
    felt.start()
    play(felt, do.Fold, 1)
    assert felt.last(de.HandClosed).taken == ()
    assert (felt.seat(1).stack_cents, felt.seat(2).stack_cents) == (9900, 10100)


def test_a_pot_won_on_the_flop_pays_the_drop() -> None:
    felt = headsup()
    felt.start()
    play(felt, do.Call, 1)
    play(felt, do.Check, 2)
    play(felt, do.DealStreet, board=("2c", "7d", "Jh"))
    play(felt, do.Bet, 2, to_cents=400)
    play(felt, do.Fold, 1)
    assert felt.last(de.HandClosed).taken == (de.Taken("rake", 300),)
    assert (felt.seat(1).stack_cents, felt.seat(2).stack_cents) == (9800, 9900)


def test_a_newcomer_beside_one_player_gets_the_big_blind() -> None:
    felt = Felt("HG", NL_1_2, "2,5", stack=100)
    felt.draw(5)
    felt.start()
    play(felt, do.Fold, felt.hand.to_act)
    assert felt.table.rotation is not None
    assert felt.table.rotation.blinds[-1] == 2
    felt.sit(1)
    felt.run(c.LeaveSeat, seat=2)
    felt.start()
    assert felt.table.rotation.blinds == (5, 1)
    assert {chair.seat for chair in felt.hand.chairs} == {1, 5}


def test_moving_button_where_everyone_posted_the_big_blind_before() -> None:
    found = advance(
        Request(
            rule="moving",
            seats=9,
            last=Rotation(button=3, blinds=(2, 5), posted_big=(3, 4, 5)),
            first_button=5,
            playing=frozenset({3, 4, 5}),
        )
    )
    assert found is not None
    assert found.button == 4
    assert found.posts == ((4, 0), (5, 0), (3, 1))


def test_no_second_hand_while_one_is_in_play() -> None:
    felt = headsup()
    felt.start()
    assert felt.refused(c.StartHand).code == "HAND_IN_PROGRESS"


def test_a_stale_hand_number_is_refused() -> None:
    assert headsup().refused(c.StartHand, hand=7).rules == ("CR-1",)


def test_a_player_who_leaves_in_his_hand_gives_up_his_seat_when_it_is_over() -> None:
    felt = headsup()
    felt.sit(3, 100)
    felt.start()
    seat = next(s for s in (1, 2, 3) if s == felt.hand.to_act)
    player = felt.seat(seat).player
    play(felt, do.Fold, seat)
    felt.run(c.LeaveSeat, seat=seat, player=player, as_fact=True, reason="left")
    assert seat in felt.table.seats
    felt.run(c.SitPlayer, seat=seat, player="new", stack_cents=5000)
    while felt.table.hand is not None:
        play(felt, do.Fold, felt.hand.to_act)
    assert felt.seat(seat).player == "new"
    assert felt.last(tev.Left).player == player


def test_chips_bought_in_a_hand_play_from_the_next() -> None:
    felt = Felt("RC", game(6, 12, (2, 6), chip=2), "1-3", stack=100)
    felt.draw(1)
    felt.start()
    felt.run(c.AddChips, seat=1, cents=6000)
    assert felt.seat(1).pending_cents == 6000
    while felt.table.hand is not None:
        play(felt, do.Fold, felt.hand.to_act)
    assert felt.seat(1).stack_cents == 16000


def test_a_misdeal_returns_everything_and_the_same_button_is_dealt_again() -> None:
    felt = headsup()
    felt.start()
    play(felt, do.VoidHand, 0, "floor", reason="two cards exposed", rules=("WP-3M1b",))
    closed = felt.last(de.HandClosed)
    assert closed.void
    assert closed.taken == ()
    assert felt.seat(1).stack_cents == felt.seat(2).stack_cents == 10000
    assert felt.next().button == 1


def test_only_a_floorperson_voids_a_hand() -> None:
    felt = headsup()
    felt.start()
    with pytest.raises(Refused) as caught:
        play(felt, do.VoidHand, 0, "dealer", reason="exposed", rules=("WP-3M1b",))
    assert caught.value.code == "FLOOR_NEEDED"


def test_a_wrong_award_is_rewound_and_the_table_follows() -> None:
    felt = headsup()
    to_the_river(felt)
    version = felt.hand.version
    play(felt, do.ShowHand, 2, cards=("Js", "Jd"))
    play(felt, do.ShowHand, 1, cards=("Ah", "Kd"))
    play(felt, do.AwardPots, losers_killed=True)
    play(felt, do.RewindHand, to=version, reason="seat 1 showed Jc Tc")
    assert felt.table.hand is not None
    assert felt.seat(1).stack_cents == 10000
    play(felt, do.ShowHand, 2, cards=("Qs", "Qd"))
    play(felt, do.ShowHand, 1, cards=("Jc", "Jd"))
    play(felt, do.AwardPots, losers_killed=True)
    assert (felt.seat(1).stack_cents, felt.seat(2).stack_cents) == (9900, 9800)


def test_a_hand_whose_chips_were_played_on_is_not_rewound() -> None:
    felt = headsup()
    felt.start()
    play(felt, do.Fold, 1)
    first = felt.hand.hand
    felt.start()
    with pytest.raises(Refused) as caught:
        felt.do(do.RewindHand(room=ROOM, table=T, hand=first, to=1, reason="late"))
    assert caught.value.code == "HAND_PLAYED_ON"


# -------------------------------------------------------------------------------- counted tables


def test_counting_takes_one_tap_and_leaves_the_stacks_unknown() -> None:
    felt = Felt("LC", LC_6_12, "1-9", stack=100, capture="counted")
    felt.draw(1)
    felt.run(c.CountHand)
    table = felt.table
    assert table.last_hand == 1
    assert all(seat.stack_cents is None for seat in table.seats.values())
    assert table.common_cents == table.account_cents == 90000 - 400
    assert felt.last(de.HandClosed).taken == (de.Taken("collection", 400),)


def test_counted_stacks_show_what_is_missing() -> None:
    felt = Felt("LC", LC_6_12, "1-2", stack=100, capture="counted")
    felt.draw(1)
    felt.run(c.CountHand)
    felt.run(c.CountStacks, stacks=((1, 12000), (2, 7000)))
    assert felt.last(ce.StacksCounted).difference_cents == -600
    assert felt.table.account_cents == 19000


def test_a_dealer_says_who_was_really_dealt_in() -> None:
    felt = Felt("WP", WP_10_20, "1-4", capture="counted")
    felt.draw(1)
    frame = felt.run(c.CountHand, dealt=(1, 2, 4), button=1)[0]
    assert {one.seat for one in frame.dealt} == {1, 2, 4}
    assert felt.refused(c.CountHand, dealt=(1, 1)).code == "SEATS_MALFORMED"


def test_capture_changes_between_hands() -> None:
    felt = Felt("WP", WP_10_20, "1-4", capture="counted")
    felt.draw(1)
    assert felt.refused(c.StartHand).code == "TABLE_COUNTS"
    felt.run(c.CountHand)
    felt.run(c.SetCapture, capture="every_action")
    hand = felt.start()
    assert hand.number == 2
    assert felt.table.hand is not None
    assert hand.capture.stacks is hev.Known.NONE


# -------------------------------------------------------------------------------------- disputes


def disputed() -> Felt:
    felt = headsup()
    to_the_river(felt)
    play(felt, do.ShowHand, 2, cards=("Js", "Jd"))
    play(felt, do.ShowHand, 1, cards=("Ah", "Kd"))
    play(felt, do.AwardPots, losers_killed=True)
    felt.run(
        rc.OpenDispute, dispute="d1", hand=1, asked_by="seat:1", question="misread", pot_cents=400
    )
    return felt


def test_a_dispute_holds_the_next_deal_until_it_is_ruled_on() -> None:
    felt = disputed()
    assert felt.refused(c.StartShuffle).code == "DISPUTE_OPEN"
    assert felt.refused(c.StartHand).code == "DISPUTE_OPEN"
    felt.run(
        rc.AddEvidence,
        dispute="d1",
        about="pot",
        says="seat 1 had a straight",
        source=Source.CAMERA,
    )
    felt.run(
        rc.RuleDispute,
        dispute="d1",
        decision="the pot is moved",
        moves=((2, -100), (1, 100)),
        reason="the tape shows it",
    )
    assert (felt.seat(1).stack_cents, felt.seat(2).stack_cents) == (9900, 9800)
    felt.run(c.StartShuffle)
    felt.start()


def test_a_dispute_after_the_riffle_comes_too_late() -> None:
    felt = headsup()
    felt.start()
    play(felt, do.Fold, 1)
    felt.run(c.StartShuffle)
    refusal = felt.refused(
        rc.OpenDispute, dispute="d1", hand=1, asked_by="seat:1", question="misread"
    )
    assert refusal.code == "NEXT_HAND_BEGUN"
    assert "WP-2D5" in refusal.rules


def test_impounded_chips_let_play_go_on_and_come_back_by_the_ruling() -> None:
    felt = disputed()
    felt.run(rc.ImpoundPot, dispute="d1", sources=((2, 100),), reason="the tape is fetched")
    assert felt.table.impounds == {"d1": 100}
    felt.start()
    felt.run(
        rc.RuleDispute, dispute="d1", decision="to seat 1", awards=((1, 100),), reason="the tape"
    )
    assert felt.table.impounds == {}
    play(felt, do.Fold, felt.hand.to_act)
    assert sum(seat.stack_cents or 0 for seat in felt.table.seats.values()) == 19700


def test_no_seat_is_charged_twice_in_one_list() -> None:
    felt = disputed()
    for refused in (
        lambda: felt.run(
            rc.ImpoundPot, dispute="d1", sources=((1, 6000), (1, 6000)), reason="the tape"
        ),
        lambda: felt.run(
            rc.RuleDispute,
            dispute="d1",
            decision="to 2",
            moves=((1, -6000), (1, -6000), (2, 12000)),
            reason="tape",
        ),
        lambda: felt.run(c.CountStacks, stacks=((1, 9000), (1, 9000))),
    ):
        with pytest.raises(Refused) as info:
            refused()
        assert info.value.code == "SEAT_NAMED_TWICE"


def test_a_counted_hand_is_reconstructed_and_played_through() -> None:
    felt = Felt("WP", NL_1_2, "1,2", stack=100, capture="counted")
    felt.draw(1)
    felt.run(c.CountHand)
    felt.run(rc.OpenDispute, dispute="d1", hand=1, asked_by="seat:2", question="who won")
    felt.run(rc.ReconstructHand, dispute="d1", stacks=((1, 10000), (2, 10000)))
    assert felt.hand.capture.actions is hev.Known.SOME
    told = {"reconstructed": True, "source": Source.CAMERA}
    play(felt, do.Call, 1, **told)
    play(felt, do.Check, 2, **told)
    play(felt, do.DealStreet, board=("2c", "7d", "Jh"))
    assert felt.hand.to_act == 2
    assert felt.table.hand is None
    assert felt.world.state(d.dispute_id(ROOM, T, "d1")).reconstructed


# ------------------------------------------------------------------------------------- the day


def test_the_day_is_closed_with_what_goes_on() -> None:
    felt = headsup()
    felt.start()
    assert felt.refused(c.CloseDay, gaming_day="2026-03-07").code == "HAND_IN_PROGRESS"
    play(felt, do.Fold, 1)
    before = felt.table
    events = felt.run(c.CloseDay, gaming_day="2026-03-07")
    assert [type(event) for event in events] == [tev.DayClosed, tev.TableCarried]
    after = felt.table
    assert (after.seats, after.last_hand, after.rotation) == (
        before.seats,
        before.last_hand,
        before.rotation,
    )
    assert after.account_cents == before.account_cents
    felt.start()


def test_accounts_that_differ_stand_side_by_side() -> None:
    felt = headsup()
    felt.start()
    for who, says in (("seat:1", "two pair"), ("seat:2", "a straight")):
        felt.run(
            rc.NoteFact, hand=1, about="seat:1 hand", says=says, source=Source.PLAYER, told_by=who
        )
    assert felt.notes.conflicts() == ("seat:1 hand",)
    felt.run(
        rc.NoteFact,
        hand=1,
        about="seat:1 hand",
        says="a straight",
        source=Source.PLAYER,
        told_by="seat:1",
        amends=1,
    )
    assert felt.notes.conflicts() == ()
    assert len(felt.notes.accounts) == 3
    refusal = felt.refused(
        rc.NoteFact,
        hand=1,
        about="x",
        says="y",
        source=Source.PLAYER,
        told_by="seat:1",
        amends=2,
    )
    assert refusal.code == "ACCOUNT_OF_ANOTHER"
