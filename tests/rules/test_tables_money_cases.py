"""Worked cases of collection.button, game.limit_change, buyin.*, chips.* and game.structure, played as written."""

from typing import Any

import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known import Form, Structure
from cardroom.known.buyins import full_buy_in_cents
from cardroom.known.chips import playing_chip_cents
from cardroom.poker.chairs import chair_at
from cardroom.tables import commands as c
from cardroom.tables import deal_events as de
from cardroom.tables import hand_commands as do
from cardroom.tables import table_events as tev
from cardroom.tables.core import DECIDER
from cardroom.tables.hand_events import Phase
from tests.plugins.floor_world import limit
from tests.plugins.played_pots import acts, breaches, shown
from tests.plugins.tables_world import (
    LC_3_6,
    LC_6_12,
    LC_20_40,
    WP_10_20,
    Felt,
    blinds_of,
    dealt,
    game,
    posts_of,
)
from tests.plugins.world import ROOM, World
from tests.rules.test_seating_buyins import leaves, running, take
from tests.rules.test_seating_buyins import refused as returns_short
from tests.rules.test_tables_blinds_cases import fold_to, options
from tests.rules.test_tables_care_cases import at_street, passive

WP_6_12 = game(6, 12, (3, 6))
RC_6_12 = game(6, 12, (3, 6))
RC_NL = game(2, 0, (1, 2), structure=Structure.NO_LIMIT)
WP_NL = game(5, 0, (2, 5), structure=Structure.NO_LIMIT)


def fields(*seats: int) -> tuple[int, ...]:
    return seats


def stack(felt: Felt, seat: int) -> int:
    """Return a stack at the table in dollars."""
    cents = felt.seat(seat).stack_cents
    assert cents is not None
    return cents // 100


def in_play(felt: Felt, seat: int) -> int:
    """Return what a seat has left in the hand in play, in dollars."""
    chair = chair_at(felt.hand.chairs, seat)
    assert chair is not None
    assert chair.stack_cents is not None
    return chair.stack_cents // 100


def put_in(felt: Felt, seat: int) -> int:
    chair = chair_at(felt.hand.chairs, seat)
    assert chair is not None
    return chair.put_in_cents // 100


def with_stack(felt: Felt, seat: int, dollars: int) -> None:
    """Give a seat another stack before the game."""
    if seat in felt.table.seats:
        felt.run(c.LeaveSeat, seat=seat)
    felt.sit(seat, dollars)


def plays(found: Any, dollars: int, *rules: str) -> None:
    assert found.remedy == "plays"
    assert found.chips[0].cents == dollars * 100
    assert set(rules) <= set(found.rules)


def everything_goes_in(felt: Felt, seat: int) -> None:
    """A seat and the one before the button bet and raise as the book allows, until the seat's chips are all in."""
    boards = iter((("2c", "7d", "Jh"), ("4s",), ("9c",)))
    other = 0
    while in_play(felt, seat):
        if felt.hand.phase is not Phase.BETTING:
            felt.play(do.DealStreet, board=next(boards))
            continue
        acting = felt.hand.to_act
        other = other or (0 if acting == seat else acting)
        if acting not in (seat, other):
            felt.play(do.Fold, acting)
            continue
        offered = options(felt)
        wager = next((act for act in ("bet", "raise") if act in offered), "")
        if wager:
            command = do.Bet if wager == "bet" else do.RaiseTo
            felt.play(command, acting, to_cents=offered[wager] * 100)
        else:
            passive(felt, (acting,))


# ------------------------------------------------------------------------------ collection.button


def collecting(book: str, a_game: Any, button: int = 3) -> Felt:
    return dealt(book, a_game, button=button, stack=300)


@pytest.mark.rule("LC-46", 1)
def test_the_live_collection_counts_toward_a_call() -> None:
    felt = collecting("LC", LC_6_12)
    fold_to(felt, 3)
    before = in_play(felt, 3)
    felt.play(do.Call, 3)
    assert before - in_play(felt, 3) == 2
    felt.play(do.Fold, 4)
    felt.play(do.Check, 5)
    assert felt.hand.pot_cents == 1000
    assert sum(chair.house_cents for chair in felt.hand.chairs) == 400


@pytest.mark.rule("LC-46", 2)
def test_the_live_collection_counts_toward_a_raise() -> None:
    felt = collecting("LC", LC_6_12)
    fold_to(felt, 3)
    before = in_play(felt, 3)
    felt.play(do.RaiseTo, 3, to_cents=1200)
    assert before - in_play(felt, 3) == 8


@pytest.mark.rule("LC-69", 1)
def test_the_collection_comes_before_the_wager() -> None:
    felt = Felt("LC", LC_20_40)
    with_stack(felt, 3, 20)
    felt.draw(3)
    refusal = felt.refused(c.StartHand, unpaid=(3,))
    assert refusal.code == "COLLECTION_FIRST"
    felt.start()
    assert in_play(felt, 3) == 15
    assert felt.hand.posts[0].house_cents == 500


@pytest.mark.rule("LC-70", 1)
def test_who_cannot_pay_the_collection_is_passed_over_and_plays_the_next_hand() -> None:
    felt = Felt("LC", LC_6_12)
    with_stack(felt, 4, 2)
    felt.stood(3, 4, 5)
    found = felt.next()
    assert found.button == 5
    assert 4 not in found.dealt
    assert {out.seat: out.reason for out in found.left_out} == {4: "COLLECTION_SHORT"}
    felt.count(stacks=tuple((s, 30000) for s in (1, 2, 3, 5, 6, 7, 8, 9)))
    felt.run(c.CountStacks, stacks=((4, 200),))
    assert not felt.seat(4).missed
    found = felt.next()
    assert (found.button, 4 in found.dealt) == (6, True)
    assert posts_of(found, 4) == (0, 0)


@pytest.mark.rule("LC-130", 1)
def test_a_dead_collection_is_no_part_of_the_wager() -> None:
    felt = collecting("LC", LC_20_40)
    fold_to(felt, 3)
    assert options(felt)["call"] == 20
    before = in_play(felt, 3)
    felt.play(do.Call, 3)
    assert before - in_play(felt, 3) == 20
    assert 300 - in_play(felt, 3) == 25


@pytest.mark.rule("LC-131", 1)
def test_a_missed_collection_is_taken_when_the_button_passes() -> None:
    felt = Felt("LC", LC_20_40, stack=400)
    felt.stood(2, 3, 4)
    felt.away(5)
    while felt.next().missed_collections == ():
        felt.count()
    found = felt.next()
    assert found.button == 6
    assert found.missed_collections == ((5, 500),)
    felt.start()
    assert stack(felt, 5) == 395
    blinds = sum(cents for _, cents in blinds_of(found).values())
    assert felt.hand.pot_cents == 500 + blinds * 100
    assert felt.hand.posts[0].house_cents == 500
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)
    felt.count()
    assert felt.seat(5).collection_taken


@pytest.mark.rule("LC-131")
@pytest.mark.parametrize("void", [False, True])
def test_a_house_may_take_a_missed_collection_itself(void: bool) -> None:
    felt = Felt("LC", LC_20_40, stack=400, collection__posted_goes_to="house")
    felt.stood(2, 3, 4)
    felt.away(5)
    while felt.next().missed_collections == ():
        felt.count()
    blinds = sum(cents for _, cents in blinds_of(felt.next()).values())
    felt.start()
    assert stack(felt, 5) == 395
    assert felt.hand.pot_cents == blinds * 100
    if void:
        felt.play(do.VoidHand, reason="misdeal", rules=())
        assert (stack(felt, 5), felt.last(de.HandClosed).taken) == (400, ())
        return
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)
    assert felt.last(de.HandClosed).taken == (de.Taken("collection", 1000),)
    assert stack(felt, 5) == 395


@pytest.mark.rule("LC-131", 2)
def test_a_main_game_always_counts_as_full() -> None:
    reduced = {"collection__amount_not_full": 400, "collection__amount": 500}
    felt = Felt("LC", LC_20_40, "1-7", stack=120, must_move_behind=True, **reduced)
    felt.stood(2, 3, 4)
    felt.away(5)
    while felt.next().missed_collections == ():
        felt.count()
    assert felt.next().missed_collections == ((5, 500),)
    felt.start()
    assert stack(felt, 5) == 115


@pytest.mark.rule("LC-GL-collection-on-the-button", 1)
def test_the_button_alone_pays() -> None:
    felt = collecting("LC", LC_6_12)
    assert [(post.seat, post.house_cents) for post in felt.hand.posts if post.house_cents] == [
        (3, 400)
    ]
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)
    assert felt.last(de.HandClosed).taken == (de.Taken("collection", 400),)


# ------------------------------------------------------------------------------ game.limit_change

TEN_TWENTY = game(10, 20, (5, 10), chip=5)


def changing(book: str = "LC", a_game: Any = LC_6_12, **more: Any) -> Felt:
    felt = Felt(book, a_game, **more)
    felt.world.offer(TEN_TWENTY)
    felt.draw(1)
    felt.run(c.AskGameChange, "dealer", game_id=TEN_TWENTY.game_id)
    return felt


@pytest.mark.rule("LC-12", 1)
def test_a_change_waits_for_the_floor() -> None:
    felt = changing()
    refusal = felt.refused(c.ApplyGameChange, "dealer", game_id=TEN_TWENTY.game_id)
    assert refusal.code == "FLOOR_APPROVAL_REQUIRED"
    assert refusal.rules == ("LC-12",)
    assert felt.start().game.game_id == LC_6_12.game_id
    assert felt.table.asked_game is not None


@pytest.mark.rule("LC-12", 2)
def test_an_approved_change_holds_from_the_next_hand() -> None:
    felt = changing()
    felt.run(c.ApproveGameChange, game_id=TEN_TWENTY.game_id)
    assert felt.last(tev.GameChanged).approved_by == "floor-1"
    assert felt.start().game.game_id == TEN_TWENTY.game_id


@pytest.mark.rule("LC-37", 1)
def test_players_in_the_game_go_on_with_what_they_have() -> None:
    felt = Felt("LC", LC_6_12)
    with_stack(felt, 2, 44)
    felt.world.offer(TEN_TWENTY)
    felt.draw(1)
    felt.run(c.AskGameChange, game_id=TEN_TWENTY.game_id)
    felt.run(c.ApproveGameChange, game_id=TEN_TWENTY.game_id)
    assert 2 in felt.last(tev.GameChanged).grandfathered
    felt.start()
    assert in_play(felt, 2) + put_in(felt, 2) == 44


@pytest.mark.rule("LC-37", 2)
def test_the_higher_buy_in_holds_from_then_on() -> None:
    felt = changing()
    felt.run(c.ApproveGameChange, game_id=TEN_TWENTY.game_id)
    felt.count(stacks=((2, 0), *((s, 30000) for s in (1, 3, 4, 5, 6, 7, 8, 9))))
    felt.run(c.AddChips, seat=2, cents=6000)
    assert felt.seat(2).short_buy_ins == 1
    assert felt.refused(c.AddChips, seat=2, cents=9000).code == "CONSECUTIVE_SHORT_BUY_IN"


# ---------------------------------------------------------------------------------------- buyin.*


def entering(book: str, a_game: Any, seat: int = 4) -> Felt:
    felt = Felt(book, a_game, tuple(s for s in range(1, 10) if s != seat))
    felt.sit(seat, 0)
    return felt


@pytest.mark.rule("LC-26d", 1)
def test_an_undeclared_buy_in_plays_the_least() -> None:
    felt = dealt("LC", LC_6_12)
    plays(felt.report("undeclared_buy_in", seat=9, brought_cents=20000), 60, "LC-26d")


@pytest.mark.rule("LC-35", 1)
def test_a_new_player_makes_the_full_buy_in() -> None:
    felt = entering("LC", LC_6_12)
    refusal = felt.refused(c.AddChips, seat=4, cents=5800)
    assert refusal.code == "BELOW_FULL_BUY_IN"
    assert "LC-35" in refusal.rules
    assert "$60" in refusal.message
    felt.run(c.AddChips, seat=4, cents=6000)
    assert stack(felt, 4) == 60


@pytest.mark.rule("LC-GL-buy-in", 1)
def test_a_20_40_game_takes_200() -> None:
    felt = Felt("LC", LC_20_40)
    assert full_buy_in_cents(felt.game, felt.rules) == 20000


@pytest.mark.rule("WP-3B1", 1)
def test_wp_ten_times_the_largest_bet() -> None:
    felt = entering("WP", WP_6_12)
    refusal = felt.refused(c.AddChips, seat=4, cents=11900)
    assert "WP-3B1" in refusal.rules
    assert "$120" in refusal.message
    felt.run(c.AddChips, seat=4, cents=12000)


@pytest.mark.rule("WP-3B1", 2)
def test_wp_the_house_may_set_another_figure() -> None:
    felt = Felt(
        "WP",
        game(4, 8, (2, 4)),
        "1-3",
        buyin__full_of="fixed_amount",
        buyin__full_amount=4000,
    )
    felt.sit(4, 0)
    felt.run(c.AddChips, seat=4, cents=4000)


@pytest.mark.rule("LC-36", 1)
def test_two_short_buy_ins_in_a_row_are_refused() -> None:
    felt = entering("LC", LC_6_12, 3)
    felt.run(c.AddChips, seat=3, cents=6000)
    felt.run(c.CountStacks, stacks=((3, 2200),))
    felt.run(c.AddChips, seat=3, cents=4000)
    refusal = felt.refused(c.AddChips, seat=3, cents=3000)
    assert refusal.code == "CONSECUTIVE_SHORT_BUY_IN"
    assert "LC-36" in refusal.rules


@pytest.mark.rule("LC-36", 2)
def test_a_full_buy_in_gives_the_right_anew() -> None:
    felt = entering("LC", LC_6_12, 3)
    for cents in (6000, 4000, 6000, 2000):
        felt.run(c.AddChips, seat=3, cents=cents)


@pytest.mark.rule("LC-GL-short-buy-in", 1)
def test_an_add_on_below_the_full_amount_is_short() -> None:
    felt = Felt("LC", LC_6_12)
    event = felt.run(c.AddChips, seat=3, cents=5800)[0]
    assert event.short


@pytest.mark.rule("WP-3B2", 1)
def test_wp_one_short_buy_in_a_stay() -> None:
    felt = entering("WP", WP_6_12)
    felt.run(c.AddChips, seat=4, cents=12000)
    felt.run(c.CountStacks, stacks=((4, 0),))
    felt.run(c.AddChips, seat=4, cents=6000)
    felt.run(c.CountStacks, stacks=((4, 0),))
    refusal = felt.refused(c.AddChips, seat=4, cents=6000)
    assert refusal.code == "SHORT_BUY_IN_USED"
    assert "$120 or more" in refusal.options
    felt.run(c.AddChips, seat=4, cents=12000)


@pytest.mark.rule("WP-3B2", 2)
def test_wp_chips_are_added_between_hands_in_any_amount() -> None:
    felt = Felt("WP", WP_6_12)
    with_stack(felt, 1, 35)
    felt.draw(1)
    felt.start()
    refusal = felt.refused(c.AddChips, seat=1, cents=500)
    assert refusal.code == "HAND_IN_PROGRESS"
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)
    before = stack(felt, 1)
    event = felt.run(c.AddChips, seat=1, cents=500)[0]
    assert stack(felt, 1) == before + 5
    assert not event.short


# ------------------------------------------------------------------------------------- chips.cash


@pytest.mark.rule("LC-24", 1)
def test_cash_does_not_play() -> None:
    felt = Felt("LC", LC_6_12)
    with_stack(felt, 2, 30)
    felt.draw(9)
    felt.start()
    found = felt.report("cash_on_table", seat=2, cash_cents=10000, announced=False)
    plays(found, 30, "LC-24")
    felt.ruled()
    everything_goes_in(felt, 2)
    assert (put_in(felt, 2), in_play(felt, 2)) == (30, 0)


@pytest.mark.rule("LC-24", 2)
def test_chips_ordered_and_announced_play_behind() -> None:
    felt = Felt("LC", LC_6_12)
    with_stack(felt, 2, 30)
    felt.run(c.AnnounceChips, seat=2, cents=10000, consented_by="floor-1")
    felt.draw(1)
    felt.start()
    assert in_play(felt, 2) + put_in(felt, 2) == 130


@pytest.mark.rule("LC-GL-money-plays", 1)
def test_money_plays_when_announced() -> None:
    felt = Felt("LC", LC_6_12)
    with_stack(felt, 2, 30)
    felt.draw(9)
    felt.start()
    told = {"seat": 2, "cash_cents": 10000}
    plays(felt.report("cash_on_table", announced=True, **told), 130, "LC-GL-money-plays")
    felt.ruled()
    plays(felt.report("cash_on_table", announced=False, **told), 30)


@pytest.mark.rule("RC-G4b", 1)
@pytest.mark.rule("RC-G4b", 2)
def test_rc_cash_never_plays() -> None:
    felt = Felt("RC", RC_NL, "1-5")
    with_stack(felt, 5, 20)
    felt.draw(4)
    felt.start()
    plays(felt.report("cash_on_table", seat=5, chips_cents=2000, cash_cents=10000), 20, "RC-G4b")
    felt.ruled()
    felt.play(do.Fold, 2)
    felt.play(do.Fold, 3)
    felt.play(do.Fold, 4)
    with pytest.raises(Refused):
        felt.play(do.RaiseTo, 5, to_cents=6000)
    felt.play(do.AllIn, 5)
    assert put_in(felt, 5) == 20


@pytest.mark.rule("WP-2P3", 1)
def test_wp_unnoticed_cash_plays_when_nobody_in_the_pot_objects() -> None:
    felt = Felt("WP", WP_NL)
    with_stack(felt, 4, 40)
    felt.draw(9)
    felt.start()
    acts(felt, "3 fold")
    found = felt.report("cash_on_table", seat=4, cash_cents=10000, objected=False)
    plays(found, 140, "WP-2P3")
    assert "change the cash to chips after the hand" in found.steps


@pytest.mark.rule("WP-2P3", 2)
def test_wp_an_objection_in_the_pot_keeps_it_out() -> None:
    felt = Felt("WP", WP_NL)
    with_stack(felt, 4, 40)
    felt.draw(9)
    felt.start()
    acts(felt, "3 fold")
    plays(felt.report("cash_on_table", seat=4, cash_cents=10000, objected=True), 40, "WP-2P3")
    felt.ruled()
    acts(felt, "4 allin")
    assert put_in(felt, 4) == 40


# ----------------------------------------------------------------------------- chips.denomination


@pytest.mark.rule("LC-14", 1)
def test_coloring_up_changes_no_stack() -> None:
    felt = Felt("LC", LC_6_12)
    with_stack(felt, 4, 180)
    felt.draw(1)
    felt.start()
    fold_to(felt, 5)
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)
    found = felt.report("color_up", seat=4)
    assert found.remedy == "stands"
    assert found.rules == ("LC-14",)
    felt.ruled()
    assert stack(felt, 4) == 180


@pytest.mark.rule("LC-14", 2)
def test_coloring_up_that_disrupts_is_refused() -> None:
    assert dealt("LC", LC_6_12).report("color_up", seat=4, disruptive=True).remedy == (
        "request_refused"
    )


@pytest.mark.rule("LC-67", 1)
@pytest.mark.rule("LC-67", 2)
@pytest.mark.parametrize(("a_game", "has", "all_in"), [(LC_20_40, 37, 35), (LC_6_12, 43, 42)])
def test_only_common_chips_play(a_game: Any, has: int, all_in: int) -> None:
    felt = Felt("LC", a_game, "2-4")
    with_stack(felt, 4, has)
    felt.draw(2)
    felt.start()
    boards = iter((("2c", "7d", "Jh"), ("4s",), ("9c",)))
    felt.play(do.Fold, 2)
    while put_in(felt, 4) < all_in:
        if felt.hand.phase is not Phase.BETTING:
            felt.play(do.DealStreet, board=next(boards))
            continue
        offered, seat = options(felt), felt.hand.to_act
        if "raise" in offered or "bet" in offered:
            act = do.RaiseTo if "raise" in offered else do.Bet
            amount = offered.get("raise", offered.get("bet", 0))
            felt.play(act, seat, to_cents=amount * 100)
        else:
            felt.play(do.Call, seat)
    chair = chair_at(felt.hand.chairs, 4)
    assert chair is not None
    assert chair.all_in
    assert (put_in(felt, 4), in_play(felt, 4)) == (all_in, has - all_in)


@pytest.mark.rule("RC-B5", 1)
def test_rc_chips_below_the_blinds_do_not_play() -> None:
    felt = Felt("RC", game(10, 20, (5, 10), chip=5))
    with_stack(felt, 2, 50)
    felt.draw(9)
    felt.start()
    found = felt.report("small_chips", seat=2, small_cents=500)
    plays(found, 45, "RC-B5")
    felt.ruled()
    everything_goes_in(felt, 2)
    assert (put_in(felt, 2), in_play(felt, 2)) == (50, 0)


@pytest.mark.rule("WP-3R7", 1)
def test_wp_small_chips_are_changed_between_deals() -> None:
    felt = Felt("WP", game(4, 8, (2, 4)))
    with_stack(felt, 6, 49)
    felt.draw(1)
    felt.start()
    plays(felt.report("small_chips", seat=6, small_cents=600), 43, "WP-3R7")
    felt.ruled()
    found = felt.report("small_chips", seat=6, exchange=True)
    assert found.remedy == "request_refused"
    felt.ruled()
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)
    assert felt.report("small_chips", seat=6, exchange=True).remedy == "stands"


@pytest.mark.rule("WP-3R7", 2)
def test_wp_an_all_in_takes_every_playing_chip() -> None:
    felt = Felt("WP", game(4, 8, (2, 4)))
    with_stack(felt, 6, 43)
    felt.draw(9)
    felt.start()
    found = felt.report("small_chips", seat=6, kept_cents=100)
    assert found.remedy == "request_refused"
    assert "$43" in found.says
    assert "WP-3R7" in found.rules
    felt.ruled()
    everything_goes_in(felt, 6)
    assert (put_in(felt, 6), in_play(felt, 6)) == (43, 0)


# ------------------------------------------------------------------------------- chips.in_transit


@pytest.mark.rule("LC-26c", 1)
def test_chips_on_their_way_play_with_consent() -> None:
    felt = Felt("LC", LC_6_12, "1-3")
    with_stack(felt, 2, 40)
    felt.run(c.AnnounceChips, seat=2, cents=20000, consented_by="floor-1")
    assert stack(felt, 2) == 240
    felt.draw(1)
    felt.start()
    acts(felt, "1 fold, 2 raise 12, 3 raise 18, 2 call")
    felt.play(do.DealStreet, board=("2c", "7d", "Jh"))
    acts(felt, "2 bet 6, 3 raise 12, 2 raise 18, 3 raise 24, 2 call")
    felt.play(do.DealStreet, board=("4s",))
    acts(felt, "2 check, 3 check")
    felt.play(do.DealStreet, board=("9c",))
    acts(felt, "2 check, 3 check")
    assert put_in(felt, 2) == 42
    assert shown(felt, {3: "Js Jd", 2: "Qs Td"}) == {3: 84}
    assert stack(felt, 2) == 198
    felt.run(c.AddChips, seat=2, cents=20000, announced=True)
    assert stack(felt, 2) == 198
    assert felt.seat(2).behind_cents == 0


@pytest.mark.rule("LC-26c", 2)
def test_chips_nobody_was_told_of_do_not_play() -> None:
    felt = Felt("LC", LC_6_12)
    with_stack(felt, 2, 40)
    felt.run(c.AnnounceChips, seat=2, cents=20000, consented_by="floor-1", told_table=False)
    assert stack(felt, 2) == 40
    felt.draw(9)
    felt.start()
    everything_goes_in(felt, 2)
    assert (put_in(felt, 2), in_play(felt, 2)) == (40, 0)
    felt.run(c.AddChips, seat=2, cents=20000, announced=True)
    assert felt.seat(2).pending_cents == 20000


@pytest.mark.rule("LC-26c", 3)
def test_chips_may_be_lent_to_who_awaits_his_own() -> None:
    felt = Felt("LC", LC_6_12)
    felt.draw(9)
    felt.count()
    with_stack(felt, 2, 0)
    with_stack(felt, 5, 100)
    felt.run(c.AnnounceChips, seat=2, cents=20000, consented_by="floor-1")
    found = felt.report("pass_chips", seat=5, to_seat=2, cents=6000)
    assert found.remedy == "allowed"
    assert "nobody's stake changes" in found.says
    assert "on delivery give $60 to seat 5" in found.steps
    felt.ruled()
    assert (stack(felt, 2), stack(felt, 5)) == (200, 100)


@pytest.mark.rule("LC-GL-play-behind", 1)
def test_nothing_on_the_way_is_nothing_behind() -> None:
    felt = Felt("LC", LC_6_12)
    with_stack(felt, 2, 40)
    felt.draw(9)
    felt.start()
    found = felt.report("play_behind", seat=2, cents=20000)
    assert found.remedy == "request_refused"
    felt.ruled()
    everything_goes_in(felt, 2)
    assert put_in(felt, 2) == 40


@pytest.mark.rule("WP-2P6", 1)
def test_wp_announced_chips_play() -> None:
    felt = Felt("WP", WP_NL)
    with_stack(felt, 9, 0)
    with_stack(felt, 2, 900)
    felt.run(c.AnnounceChips, seat=9, cents=60000)
    felt.draw(9)
    felt.start()
    while felt.hand.to_act != 9:
        felt.play(do.Fold, felt.hand.to_act)
    acts(felt, "9 allin, 1 fold, 2 call")
    assert (put_in(felt, 9), put_in(felt, 2)) == (600, 600)


@pytest.mark.rule("WP-2P6", 2)
def test_wp_unannounced_chips_play_the_least() -> None:
    found = dealt("WP", WP_NL).report(
        "undeclared_buy_in", seat=9, brought_cents=60000, least_cents=20000
    )
    plays(found, 200, "WP-2P6")


# -------------------------------------------------------- chips.in_view, ownership, rack, stakes


@pytest.mark.rule("WP-2P18", 1)
@pytest.mark.rule("LC-26e", 1)
@pytest.mark.rule("RC-G9a", 1)
@pytest.mark.parametrize(
    ("book", "rule", "dollars"),
    [("WP", "WP-2P18", 450), ("LC", "LC-26e", 144), ("RC", "RC-G9a", 235)],
)
def test_everybody_may_see_an_opponents_chips(book: str, rule: str, dollars: int) -> None:
    felt = Felt(book, game(4, 8, (2, 4)))
    with_stack(felt, 6, dollars)
    felt.draw(1)
    felt.start()
    found = felt.report("stack_asked", seat=6, hidden=True)
    assert found.remedy == "view_granted"
    assert f"${dollars}" in found.says
    assert rule in found.rules
    assert found.steps == ("seat 6 uncovers its chips",)
    assert breaches(felt) == [("p6", "chip_obstruction")]
    felt.fold_to(6)
    assert in_play(felt, 6) == dollars


@pytest.mark.rule("WP-2P9", 1)
def test_wp_nobody_plays_anothers_chips() -> None:
    found = dealt("WP", WP_10_20).report("play_anothers_chips", seat=4)
    assert found.remedy == "request_refused"
    assert "WP-2P9" in found.rules


@pytest.mark.rule("WP-2P7", 1)
def test_wp_chips_in_a_rack_are_noted() -> None:
    felt = Felt("WP", WP_10_20)
    with_stack(felt, 2, 400)
    felt.draw(9)
    felt.start()
    found = felt.report("chips_in_rack", seat=2)
    assert found.rules == ("WP-2P7",)
    assert "the chips count" in found.says
    assert breaches(felt) == [("p2", "rack_on_table")]
    assert felt.notes.breaches[0].rules == ("WP-2P7",)
    felt.play(do.Fold, felt.hand.to_act)
    assert in_play(felt, 2) + put_in(felt, 2) == 400


@pytest.mark.rule("LC-20", 1)
def test_foreign_chips_do_not_play() -> None:
    felt = Felt("LC", LC_6_12)
    with_stack(felt, 2, 40)
    felt.draw(9)
    felt.start()
    found = felt.report("cash_on_table", seat=2, cash_cents=10000, foreign=True)
    plays(found, 40, "LC-20")
    felt.ruled()
    everything_goes_in(felt, 2)
    assert put_in(felt, 2) == 40


@pytest.mark.rule("LC-20", 2)
def test_foreign_chips_are_no_buy_in() -> None:
    assert entering("LC", LC_6_12).refused(c.AddChips, seat=4, cents=4000).code == (
        "BELOW_FULL_BUY_IN"
    )


@pytest.mark.rule("LC-GL-foreign-chips", 1)
def test_a_stack_with_foreign_chips() -> None:
    found = dealt("LC", LC_6_12).report(
        "cash_on_table", seat=2, chips_cents=9600, cash_cents=2500, foreign=True
    )
    plays(found, 96)


@pytest.mark.rule("LC-26", 1)
def test_table_stakes_cap_a_call() -> None:
    felt = Felt("LC", LC_6_12)
    with_stack(felt, 5, 20)
    felt.draw(9)
    felt.start()
    at_street(felt, (2, 5), 2)
    felt.play(do.Bet, 2, to_cents=1200)
    felt.play(do.AllIn, 5)
    assert put_in(felt, 5) == 20
    assert felt.hand.pots[0].cents <= 4600


@pytest.mark.rule("LC-26a", 1)
def test_chips_bought_in_a_hand_count_from_the_next() -> None:
    felt = Felt("LC", LC_6_12)
    with_stack(felt, 5, 30)
    felt.draw(9)
    felt.start()
    at_street(felt, (2, 5), 1)
    felt.run(c.AddChips, seat=5, cents=6000)
    assert in_play(felt, 5) + put_in(felt, 5) == 30
    while felt.table.hand is not None:
        passive(felt, (2,)) if felt.hand.phase is Phase.BETTING else felt.play(
            do.DealStreet, board=("4s",)
        )
    assert stack(felt, 5) == 30 - 6 + 60


@pytest.mark.rule("LC-26b", 1)
def test_chips_stay_on_the_table_but_for_house_purchases() -> None:
    felt = Felt("LC", LC_6_12)
    with_stack(felt, 3, 310)
    refusal = felt.refused(c.RemoveChips, seat=3, cents=10000, purpose="pocket")
    assert refusal.code == "TABLE_STAKES"
    assert "LC-26b" in refusal.rules
    felt.run(c.RemoveChips, seat=3, cents=1200, purpose="house_purchases")
    assert stack(felt, 3) == 298


@pytest.mark.rule("LC-26b", 2)
def test_chips_are_not_passed() -> None:
    found = dealt("LC", LC_3_6).report("pass_chips", seat=3, to_seat=4, cents=100)
    assert found.remedy == "request_refused"
    assert "LC-26b" in found.rules


@pytest.mark.rule("LC-GL-go-broke", 1)
def test_a_chip_that_does_not_play_does_not_save_from_going_broke() -> None:
    felt = Felt("LC", LC_6_12, "1-5")
    with_stack(felt, 5, 7)
    felt.draw(1)
    felt.start()
    felt.play(do.Fold, 4)
    felt.play(do.AllIn, 5)
    felt.play(do.Fold, 1)
    felt.play(do.Fold, 2)
    for cards in (("2c", "7d", "Jh"), ("4s",), ("9c",)):
        felt.play(do.DealStreet, board=cards)
    felt.play(do.ShowHand, 3, cards=("Js", "Jd"))
    felt.play(do.ShowHand, 5, cards=("Ah", "Kd"))
    felt.play(do.AwardPots, losers_killed=True)
    assert felt.seat(5).broke
    assert stack(felt, 5) == 1


@pytest.mark.rule("RC-G4", 1)
def test_rc_pending_chips_do_not_play() -> None:
    felt = Felt("RC", RC_6_12)
    with_stack(felt, 3, 19)
    felt.draw(9)
    felt.start()
    at_street(felt, (2, 3), 2)
    felt.run(c.AddChips, seat=3, cents=10000)
    felt.play(do.Bet, 2, to_cents=1200)
    felt.play(do.Call, 3)
    felt.play(do.DealStreet, board=("9c",))
    felt.play(do.Bet, 2, to_cents=1200)
    felt.play(do.Call, 3)
    assert put_in(felt, 3) == 19
    assert felt.seat(3).pending_cents == 10000


@pytest.mark.rule("RC-G4", 2)
def test_rc_a_raise_beyond_the_stack_is_refused() -> None:
    felt = Felt("RC", RC_NL, "1-5")
    with_stack(felt, 5, 60)
    felt.draw(2)
    felt.start()
    with pytest.raises(Refused):
        felt.play(do.RaiseTo, 5, to_cents=7500)
    felt.play(do.AllIn, 5)
    assert put_in(felt, 5) == 60


@pytest.mark.rule("RC-G4a", 1)
def test_rc_nothing_is_taken_off_the_table() -> None:
    felt = Felt("RC", game(4, 8, (2, 4)))
    refusal = felt.refused(c.RemoveChips, seat=6, cents=8000, purpose="safekeeping_while_away")
    assert refusal.code == "TABLE_STAKES"
    assert "RC-G4a" in refusal.rules


@pytest.mark.rule("RC-G4a", 2)
def test_rc_a_player_cashes_out_entirely() -> None:
    felt = Felt("RC", game(4, 8, (2, 4)))
    with_stack(felt, 6, 180)
    felt.leave(6)
    assert felt.last(tev.Left).stack_cents == 18000
    assert 6 not in felt.table.seats


@pytest.mark.rule("WP-2P5", 1)
def test_wp_nothing_is_pocketed() -> None:
    refusal = Felt("WP", WP_10_20).refused(c.RemoveChips, seat=3, cents=20000, purpose="pocket")
    assert "WP-2P5" in refusal.rules


@pytest.mark.rule("WP-2P5", 2)
def test_wp_chips_taken_along_for_safety_are_all_put_back() -> None:
    felt = Felt("WP", WP_10_20)
    with_stack(felt, 3, 500)
    felt.draw(1)
    felt.run(c.RemoveChips, seat=3, cents=50000, purpose="safekeeping_while_away")
    felt.away(3)
    felt.count()
    felt.back(3)
    felt.run(c.AddChips, seat=3, cents=30000, restored=True)
    assert {out.seat: out.reason for out in felt.next().left_out}[3] == "CHIPS_NOT_RESTORED"
    assert felt.seat(3).safe_cents == 20000
    felt.run(c.AddChips, seat=3, cents=20000, restored=True)
    assert felt.seat(3).safe_cents == 0


@pytest.mark.rule("WP-2P5", 3)
def test_wp_a_return_within_the_hour_brings_the_amount_back() -> None:
    floor = running("WP", limit(10, 20, (5, 10)), at="14:00")
    take(floor, "sam", 450)
    leaves(floor, "sam", 450)
    floor.time("15:00")
    refusal = returns_short(floor, "sam", 200)
    assert refusal.options == ("$450 or more",)
    assert "WP-2P5" in refusal.rules
    floor.time("15:01")
    take(floor, "sam", 200)


# -------------------------------------------------------------------------- game.structure, other


@pytest.mark.rule("HG-H0", 1)
def test_no_turn_before_the_flop_betting_is_over() -> None:
    felt = at_street(dealt("HG", game(2, 4, (1, 2)), "1-7", button=1), (2, 5), 1)
    felt.play(do.Bet, 2, to_cents=200)
    with pytest.raises(Refused) as caught:
        felt.play(do.DealStreet, board=("4s",))
    assert "seat 5" in str(caught.value)


@pytest.mark.rule("HG-H0", 2)
def test_the_turn_makes_four_board_cards() -> None:
    felt = at_street(dealt("HG", game(2, 4, (1, 2)), "1-7", button=1), (2, 5), 2)
    assert len(felt.hand.boards[0]) == 4
    assert felt.hand.phase is Phase.BETTING


OMAHA = game(2, 4, (1, 2), form=Form.OMAHA)


def omaha_hand(cards: int) -> Felt:
    felt = dealt("HG", OMAHA, "1-6", button=1)
    deck = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    held = tuple((seat, tuple(deck.pop() for _ in range(cards))) for seat in range(1, 7))
    felt.play(do.NoteHoleCards, hands=held)
    while felt.hand.phase is Phase.BETTING:
        passive(felt, (2, 3))
    return felt


@pytest.mark.rule("HG-O0", 1)
def test_no_omaha_flop_before_four_hole_cards() -> None:
    with pytest.raises(Refused) as caught:
        omaha_hand(3).play(do.DealStreet, board=("2c", "3c", "4c"))
    assert "4" in str(caught.value)


@pytest.mark.rule("HG-O0", 2)
def test_an_omaha_flop_after_four_hole_cards() -> None:
    felt = omaha_hand(4)
    felt.play(do.DealStreet, board=("2c", "3c", "4c"))
    assert len(felt.hand.boards[0]) == 3


@pytest.mark.rule("HG-O3", 1)
def test_the_board_cannot_be_played_in_omaha() -> None:
    felt = dealt("HG", OMAHA, "3,5", button=3)
    held = ((3, ("2d", "3d", "6h", "7h")), (5, ("9c", "8d", "4h", "2c")))
    felt.play(do.NoteHoleCards, hands=held)
    for board in ((), ("As", "Ks", "Qs"), ("Js",), ("Ts",)):
        if board:
            felt.play(do.DealStreet, board=board)
        while felt.hand.phase is Phase.BETTING:
            passive(felt, (3, 5))
    with pytest.raises(Refused) as caught:
        felt.play(do.SayBoardPlays, 5)
    assert "HG-O3" in caught.value.rules or "HG-O1" in caught.value.rules
    for seat in felt.hand.order:
        felt.play(do.ShowHand, seat)
    felt.play(do.AwardPots, losers_killed=True)
    assert {won.seat for won in felt.last(de.HandClosed).won} == {5}


@pytest.mark.rule("RC-G7", 1)
def test_rc_one_player_to_a_hand() -> None:
    felt = at_street(dealt("RC", game(4, 8, (2, 4)), button=9), (2, 5), 1)
    acts(felt, "2 check, 5 bet 4")
    found = felt.report("acted_for_another", seat=2, by="Q", acted=True)
    assert found.remedy == "request_refused"
    assert found.rules == ("RC-G7",)
    felt.ruled()
    assert felt.hand.to_act == 2
    assert (options(felt)["call"], options(felt)["raise"]) == (4, 8)


@pytest.mark.rule("RC-G7", 2)
def test_rc_advice_is_an_incident() -> None:
    felt = at_street(dealt("RC", game(4, 8, (2, 4)), button=9), (2, 5), 2)
    acts(felt, "2 check, 5 bet 8")
    found = felt.report("acted_for_another", seat=2, by="Q", acted=False)
    assert found.remedy == "incident"
    assert found.rules == ("RC-G7",)
    assert "recorded against Q" in found.says
    assert set(options(felt)) == {"fold", "call", "raise"}
    acts(felt, "2 fold")


@pytest.mark.rule("LC-5", 2)
def test_nothing_is_refunded_after_discipline() -> None:
    found = dealt("LC", LC_6_12).report("refund_asked", seat=6, after_discipline=True)
    assert found.remedy == "request_refused"
    assert found.rules == ("LC-5",)


def test_a_room_is_named_in_every_table_stream() -> None:
    assert all(
        f"/{ROOM}" in stream or "book" in stream for stream, _ in dealt("LC", LC_6_12).world.log
    )


# ------------------------------------------------------------------------------ the chip that plays


@pytest.mark.rule("LC-67")
@pytest.mark.rule("WP-3R7")
@pytest.mark.rule("RC-B5")
@pytest.mark.parametrize(
    ("book", "a_game", "cents", "values"),
    [
        ("LC", game(3, 6, (1, 3)), 100, {}),
        ("LC", game(4, 8, (2, 4)), 100, {}),
        ("LC", game(6, 12, (2, 6)), 200, {}),
        ("LC", game(8, 16, (4, 8)), 200, {}),
        ("LC", game(20, 40, (10, 20)), 500, {}),
        ("WP", game(4, 8, (2, 4), collection=1), 100, {}),
        ("WP", game(10, 20, (5, 10)), 500, {}),
        ("WP", game(10, 20, (5, 10), collection=4), 100, {}),
        ("WP", game(10, 20, (5, 10), collection=4), 500, {"chips__fee_only_chips_play": False}),
        ("RC", game(10, 20, (5, 10), collection=4), 500, {}),
        ("HG", game(1, 2, (1, 2)), 25, {}),
        ("WP", game(3, 6, ante=1, form=Form.STUD, bring_in=2), 100, {}),
    ],
)
def test_the_smallest_chip_that_plays_is_the_books(
    book: str, a_game: Any, cents: int, values: dict[str, Any]
) -> None:
    rules = World(DECIDER, book, **values).offer(a_game)
    assert playing_chip_cents(a_game, rules) == cents


# ---------------------------------------------------------------------------------- pots.insurance


@pytest.mark.rule("WP-2P15")
def test_insurance_on_a_pot_is_not_allowed() -> None:
    found = dealt("WP", WP_10_20).report("insurance_asked", seat=4, from_seat=8)
    assert (found.remedy, found.rules) == ("request_refused", ("WP-2P15",))


def test_a_house_may_let_players_insure_a_pot() -> None:
    felt = dealt("WP", WP_10_20, pots__insurance=True)
    assert felt.report("insurance_asked", seat=4, from_seat=8).remedy == "stands"
