"""Inputs that broke other engines: side pots, returns, odd chips, raises, blinds, stud, showdowns."""

from decimal import Decimal

import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Structure
from cardroom.poker.chairs import Chair, Fate
from cardroom.poker.pots import Pot, layered, split, uncalled
from cardroom.poker.stud import board_strength, low_board_weakness
from cardroom.tables import hand_events as ev
from cardroom.tables.hand_events import Phase, Post, PostKind
from tests.plugins.hand_play import (
    IDS,
    READER,
    Play,
    at_street,
    blinds,
    cards_of,
    cents,
    game,
    hc,
    read,
    stud,
)

NL = game(2, structure=Structure.NO_LIMIT, blinds=(1, 2))
LIMIT = game(10, 20, blinds=(5, 10))
O8 = game(4, 8, form=Form.OMAHA_HIGH_LOW)


def chair(seat: int, dollars: float, *, live: bool = True) -> Chair:
    """Return a chair that has put this much in."""
    put_in = round(dollars * 100)
    fate = Fate.LIVE if live else Fate.FOLDED
    return Chair(
        seat=seat, player="p", stack_cents=0, matched_cents=put_in, put_in_cents=put_in, fate=fate
    )


# ------------------------------------------------------- A. side pots, folded players, eligibility


def test_an_all_in_seat_stays_in_the_pot_it_paid_when_nobody_bets_on() -> None:
    play = Play("WP", NL, {1: 10, 2: 100, 3: 100}, button=3, posts=blinds((1, 1), (2, 2)))
    play.do("3 raise 10, 1 allin, 2 call").deal("2c 7d 9h").check_around()
    play.deal("Jc").do("2 bet 20, 3 call").deal("3s").check_around()
    assert play.pots() == [(30, (1, 2, 3)), (40, (2, 3))]
    play.holds({1: "As Ad", 2: "Ks Kd", 3: "Qs Qd"})
    assert play.show(2, 3, 1).award() == {1: 30, 2: 40}


def test_whether_a_hand_can_win_is_asked_pot_by_pot() -> None:
    stacks = {1: 117, 2: 200, 3: 200, 4: 76, 5: 5, 6: 66, 7: 27}
    hands = {1: "Ah Kh", 2: "Qc Qd", 3: "Jc Jd", 4: "As Ks", 5: "2c 2d", 6: "9c 9d", 7: "3c 3d"}
    board = "2h 3h 4s 8c 9s"

    def shown(*, by_hand: bool) -> dict[int, Decimal]:
        ante = tuple(Post(seat=seat, kind=PostKind.ANTE, ante_cents=100) for seat in stacks)
        play = Play("WP", NL, stacks, button=7, posts=ante)
        play.do("1 allin, 2 call, 3 call, 4 allin, 5 allin, 6 allin, 7 allin")
        play.deal(board[:8]).check_around().deal("8c").check_around().deal("9s").check_around()
        play.holds(hands).show(2, 3, 1, 4, 6, 7, 5)
        if by_hand:
            for at in reversed(range(len(play.state.pots))):
                play.enter(hc.AwardPots(**IDS, pot=at, losers_killed=True))
            return play.won()
        return play.award()

    won = shown(by_hand=False)
    assert won == shown(by_hand=True)
    assert sum(won.values()) == 117 * 3 + 76 + 5 + 66 + 27


def test_a_short_stack_wins_at_most_its_amount_from_each() -> None:
    pots = layered((chair(1, 20), chair(2, 50), chair(3, 50), chair(4, 7, live=False)))
    assert pots == (Pot(6700, (1, 2, 3)), Pot(6000, (2, 3)))


def test_an_all_in_for_exactly_the_bet_leaves_no_empty_side_pot() -> None:
    play = at_street("WP", NL, "turn", {1: 20, 2: 100, 3: 100})
    play.do("1 allin, 2 call, 3 call")
    assert play.pots() == [(60, (1, 2, 3))]


def test_the_uncalled_part_goes_back_first_and_nets_sum_to_zero() -> None:
    chairs = (chair(1, 898.20), chair(2, 898.20), chair(3, 1203.60), chair(4, 2, live=False))
    assert uncalled(chairs) == (3, 30540)
    play = Play(
        "WP",
        game(2, structure=Structure.NO_LIMIT, chip="0.01"),
        {1: "898.20", 2: "898.20", 4: 50, 5: "1203.60"},
        button=2,
        posts=blinds(None, (4, 2)),
    )
    play.do("5 allin, 1 allin, 2 allin, 4 fold")
    assert play.stack(5) == Decimal("305.40")
    play.deal().deal().deal().show(5).award(winners=(5,))
    nets = {
        result.seat: (result.after_cents or 0) - (result.before_cents or 0)
        for result in play.state.results
    }
    assert nets == {1: -89820, 2: -89820, 4: -200, 5: 179840}


def test_a_folded_seat_never_receives_from_the_pot() -> None:
    play = Play("WP", NL, {1: 100, 2: 100, 3: 100}, button=3, posts=blinds((1, 1), (2, 2)))
    play.do("3 call, 1 fold, 2 check").deal().do("2 check, 3 bet 2, 2 fold")
    assert play.won() == {3: 5}
    assert play.stack(1) == 99


def test_each_pot_is_paid_once() -> None:
    play = at_street("WP", NL, "turn", {1: 20, 2: 60, 3: 100})
    play.do("1 allin, 2 allin, 3 call").deal().holds({1: "As Ad", 2: "Ks Kd", 3: "Qs Qd"})
    play.show(2, 3)
    play.enter(hc.AwardPots(**IDS, pot=1, losers_killed=False, winners=(2,)))
    assert play.refusal(hc.AwardPots(**IDS, pot=1, winners=(2,))).code == "NO_SUCH_POT"


def test_the_last_player_still_acts_against_an_all_in_on_a_later_street() -> None:
    play = at_street("WP", NL, "river", {1: 30, 2: 100})
    play.do("1 allin")
    assert play.state.to_act == 2
    assert play.options() == {"fold", "call 30"}


def test_high_and_low_are_found_pot_by_pot() -> None:
    ups = {1: "Ah 2h 3d 4c", 2: "Kh Kd 9c 9d", 3: "Qh Jd Tc 8d"}
    downs = {1: "5s 7s 8c", 2: "2c 7d 7h", 3: "9s Ks Qc"}
    form = game(10, 20, form=Form.STUD_HIGH_LOW)
    play = stud("WP", form, ups, 7, downs=downs, stacks={1: 20, 2: 200, 3: 200})
    play.do("2 bet 20, 3 raise 40, 1 allin, 2 call")
    assert play.pots() == [(60, (1, 2, 3)), (40, (2, 3))]
    won = play.show(3, 2, 1).award()
    # Seat 1 has the only low; the side pot has none and goes whole to seat 3's straight, which is the high of both.
    assert won == {1: 30, 3: 70}


# ------------------------------------------------------------ B. uncalled bets, what was put in


def test_a_bet_nobody_called_goes_back_before_the_pot_is_won() -> None:
    play = at_street("WP", LIMIT, "river", {2: 300, 5: 300}, button=1, pot=60)
    play.do("2 bet 20, 5 fold")
    kinds = [type(event) for event in play.events[-5:]]
    assert kinds == [
        ev.ActionTaken,
        ev.UncalledReturned,
        ev.BettingClosed,
        ev.PotAwarded,
        ev.HandSettled,
    ]
    assert play.won() == {2: 60}


def test_a_return_does_not_end_the_hand() -> None:
    play = at_street("WP", NL, "flop", {1: 50, 2: 100})
    play.do("1 check, 2 bet 100, 1 call")
    assert play.stack(2) == 50
    assert play.state.phase is Phase.DEALING


def test_what_was_lost_is_all_that_was_put_in() -> None:
    play = at_street("WP", NL, "river", {1: "31", 2: "100"}, pot=20)
    play.do("1 bet 31, 2 call").holds({1: "7c 2d", 2: "As Ad"})
    play.show(1, 2)
    play.award(winners=(2,))
    lost = next(result for result in play.state.results if result.seat == 1)
    assert (lost.put_in_cents, lost.won_cents, lost.after_cents) == (3100, 0, 0)


def test_winnings_equal_the_pot_less_rake() -> None:
    play = at_street("WP", O8, "river", {1: 50, 2: 50}, pot=40, board="3c 6d 8h Kd Ks")
    play.holds({1: "Kh Kc Qs Jd", 2: "7c 7d Th Td"})
    play.do("1 bet 8, 2 call")
    play.enter(hc.TakeRake(**IDS, rake_cents=300, jackpot_drop_cents=100))
    assert play.show(1, 2).award() == {1: 56 - 4}


# ---------------------------------------------------------------------- C. odd chips and splits


@pytest.mark.parametrize("units", range(1, 40))
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_split_conserves_chips_and_gives_nobody_two_odd_ones(units: int, count: int) -> None:
    order = tuple(range(1, count + 1))
    got = split(units * 25, order, 25)
    assert sum(share for _, share, _ in got) == units * 25
    shares = [share for _, share, _ in got]
    assert max(shares) - min(shares) <= 25
    assert shares == sorted(shares, reverse=True)


def test_two_odd_chips_go_to_two_players_each_pot_apart() -> None:
    won = read(
        "WP", LIMIT, "As Ks Qs Js Ts", {2: "2c 3d", 5: "4c 5d", 8: "6c 7d"}, pot=101, button=6
    )
    assert won == {8: 34, 2: 34, 5: 33}


def test_the_award_lists_every_winner_and_share() -> None:
    play = at_street("WP", LIMIT, "river", {2: 50, 5: 50}, pot=41, board="As Ks Qs Js Ts")
    play.holds({2: "2c 3d", 5: "4c 5d"}).check_around().show(2, 5).award()
    awarded = next(event for event in play.events if isinstance(event, ev.PotAwarded))
    assert [(share.seat, share.cents, share.odd) for share in awarded.shares] == [
        (2, 2100, True),
        (5, 2000, False),
    ]


# ------------------------------------------------- D. raise sizes, short all-ins, re-opening, cap


def test_a_stack_between_call_and_least_raise_may_go_all_in_and_does_not_reopen() -> None:
    play = at_street("WP", NL, "flop", {1: 200, 2: 60, 3: 200})
    play.do("1 bet 40, 2 allin, 3 call")
    assert play.options() == {"fold", "call 20"}


def test_least_raise_is_the_highest_bet_and_the_last_full_increment() -> None:
    play = Play("WP", NL, {1: 100, 2: 100, 3: 100}, button=3, posts=blinds((1, 1), (2, 2)))
    play.do("3 raise 6, 1 fold")
    assert play.options() == {"fold", "call 4", "raise 10-100"}


def test_nine_over_a_bet_of_five_is_refused() -> None:
    play = at_street("WP", game(5, structure=Structure.NO_LIMIT), "flop", {1: 100, 2: 100})
    play.do("1 bet 5")
    assert play.refused("2 raise 9").code == "AMOUNT_NOT_ALLOWED"
    play.do("2 raise 10")


def test_a_full_raise_reopens_for_the_first_bettor() -> None:
    play = at_street("WP", NL, "flop", {1: 100, 2: 100})
    play.do("1 bet 10, 2 raise 30")
    assert play.options() == {"fold", "call 20", "raise 50-100"}


def test_no_raise_when_nobody_can_call_more() -> None:
    play = at_street("WP", NL, "flop", {1: 640, 2: 910, 3: 2190})
    play.do("1 allin, 2 allin")
    assert play.options() == {"fold", "call 910"}
    assert play.refused("3 raise 2190").code == "NOBODY_CAN_CALL_MORE"


def test_a_capped_round_offers_no_raise_and_says_why() -> None:
    play = at_street("WP", LIMIT, "turn", {1: 300, 2: 300, 3: 300})
    play.do("1 bet 20, 2 raise 40, 3 raise 60, 1 raise 80")
    assert play.options() == {"fold", "call 40"}
    assert play.refused("2 raise 100").code == "CAP_REACHED"


def test_short_all_ins_that_come_to_a_full_raise_reopen() -> None:
    stacks = {1: 1000, 2: 125, 3: 1000, 4: 200, 5: 1000}
    play = at_street("WP", game(100, structure=Structure.NO_LIMIT), "flop", stacks)
    play.do("1 bet 100, 2 allin, 3 call, 4 allin, 5 call")
    assert play.options() == {"fold", "call 100", "raise 300-1000"}
    play.do("1 call")
    assert play.options() == {"fold", "call 75"}


def test_half_a_raise_reopens_in_limit_only() -> None:
    limit = at_street("WP", LIMIT, "turn", {1: 300, 2: 30, 3: 300})
    limit.do("1 bet 20, 2 allin, 3 call")
    assert "raise 50" in limit.options()
    no_limit = at_street("WP", NL, "turn", {1: 300, 2: 30, 3: 300})
    no_limit.do("1 bet 20, 2 allin, 3 call")
    assert no_limit.options() == {"fold", "call 10"}


# ------------------------------------------------------ E. button, blinds, straddles, antes


def test_heads_up_the_small_blind_is_on_the_button_and_acts_first_then_last() -> None:
    play = Play("WP", NL, {4: 100, 7: 100}, button=7, posts=blinds((7, 1), (4, 2)))
    assert play.state.to_act == 7
    play.do("7 call, 4 check").deal()
    assert play.state.to_act == 4


def test_the_same_when_three_become_two() -> None:
    play = Play("WP", NL, {2: 100, 5: 100, 8: 100}, button=8, posts=blinds((2, 1), (5, 2)))
    play.do("8 fold, 2 call, 5 check").deal()
    assert play.state.to_act == 2


def test_the_big_blind_keeps_the_option_when_the_small_blind_calls() -> None:
    play = Play("WP", NL, {1: 100, 2: 100, 3: 100}, button=3, posts=blinds((1, 1), (2, 2)))
    play.do("3 fold, 1 call")
    assert play.options() == {"fold", "check", "raise 4-100"}


def test_heads_up_against_a_big_blind_with_exactly_the_blind() -> None:
    a_game = game(20, structure=Structure.NO_LIMIT)
    play = Play("WP", a_game, {1: 20, 2: 500}, button=2, posts=blinds((2, 10), (1, 20)))
    assert play.state.to_act == 2
    assert play.options() == {"fold", "call 10"}


def test_an_ante_comes_before_the_blind() -> None:
    ante = tuple(Post(seat=seat, kind=PostKind.ANTE, ante_cents=2000) for seat in (1, 2, 3))
    a_game = game(10, structure=Structure.NO_LIMIT)
    play = Play(
        "WP", a_game, {1: 19, 2: 300, 3: 300}, button=3, posts=(*ante, *blinds((1, 5), (2, 10)))
    )
    assert play.stack(1) == 0
    play.do("3 call, 2 check").deal().check_around().deal().check_around().deal().check_around()
    assert play.pots() == [(57, (1, 2, 3)), (22, (2, 3))]


def test_others_call_the_full_blind_though_its_poster_is_short() -> None:
    a_game = game(20, structure=Structure.NO_LIMIT)
    play = Play("WP", a_game, {1: 300, 2: 15, 3: 300}, button=3, posts=blinds((1, 10), (2, 20)))
    assert play.options() == {"fold", "call 20", "raise 40-300"}
    play.do("3 call, 1 call")
    assert play.pots() == [(45, (1, 2, 3)), (10, (1, 3))]


def test_posts_carry_their_kind() -> None:
    straddle = Post(seat=3, kind=PostKind.STRADDLE, live_cents=400)
    posts = (*blinds((1, 1), (2, 2)), straddle)
    play = Play("LC", NL, {1: 100, 2: 100, 3: 100, 4: 100}, button=4, posts=posts)
    assert play.state.to_act == 4
    assert [post.kind for post in play.state.posts] == [
        PostKind.SMALL_BLIND,
        PostKind.BIG_BLIND,
        PostKind.STRADDLE,
    ]
    play.do("4 call, 1 call, 2 call")
    assert play.options() == {"fold", "check", "raise 8-100"}


def test_blinds_chopped_are_an_event_without_a_winner() -> None:
    play = Play("WP", LIMIT, {1: 100, 2: 100, 3: 100}, button=3, posts=blinds((1, 5), (2, 10)))
    assert play.refusal(hc.ChopBlinds(**IDS)).code == "CHOP_NOT_OPEN"
    play.do("3 fold")
    play.enter(hc.ChopBlinds(**IDS))
    assert play.state.over
    assert not play.state.shares
    assert [play.stack(seat) for seat in (1, 2, 3)] == [100, 100, 100]
    assert not any(isinstance(event, ev.PotAwarded) for event in play.events)


def test_no_chop_once_another_has_put_something_in() -> None:
    play = Play("WP", LIMIT, {1: 100, 2: 100, 3: 100}, button=3, posts=blinds((1, 5), (2, 10)))
    play.do("3 call")
    assert play.refusal(hc.ChopBlinds(**IDS)).code == "CHOP_NOT_OPEN"
    dead = Post(seat=3, kind=PostKind.MISSED_BLINDS, dead_cents=500)
    play = Play(
        "WP", LIMIT, {1: 100, 2: 100, 3: 100}, button=3, posts=(*blinds((1, 5), (2, 10)), dead)
    )
    play.do("3 fold")
    assert play.refusal(hc.ChopBlinds(**IDS)).code == "POT_ENTERED"


# ------------------------------------------------------------------ F. stud, high-low, ranking


def test_completing_sets_the_bet_and_the_bring_in_does_not_shrink_it() -> None:
    razz = game(4, 8, form=Form.RAZZ, bring_in=2, ante=1)
    antes = tuple(Post(seat=seat, kind=PostKind.ANTE, ante_cents=100) for seat in (1, 2, 3))
    play = Play("WP", razz, {1: 100, 2: 100, 3: 100}, posts=antes)
    play.enter(hc.DealStreet(**IDS, up=((1, "Kd"), (2, "4c"), (3, "5c"))))
    assert play.state.to_act == 1
    play.do("1 bringin, 2 complete 4")
    assert play.options() == {"fold", "call 4", "raise 8"}
    play.do("3 raise 8")
    assert play.state.pot_cents == cents(3 + 2 + 4 + 8)


def test_two_deuces_the_lower_suit_brings_it_in() -> None:
    form = game(4, 8, form=Form.STUD, bring_in=2)
    play = Play("WP", form, {1: 100, 2: 100, 3: 100})
    play.enter(hc.DealStreet(**IDS, up=((1, "2d"), (2, "2s"), (3, "2c"))))
    assert play.state.to_act == 3


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Qs 6h Qd 6s", "Kh Ah Ac 2c"),
        ("2s 2h 2d 3s", "As Ah Kd Ks"),
        ("As Ah", "Ks Kh"),
        ("As Kh 3d", "As Kh 2d"),
        ("3s 3h 3d 3c", "As Ah Ad Kc"),
    ],
)
def test_high_boards_go_by_pairs_before_ranks(higher: str, lower: str) -> None:
    assert board_strength(cards_of(higher)) > board_strength(cards_of(lower))


def test_low_boards_go_by_no_pair_before_ranks_with_aces_low() -> None:
    assert low_board_weakness(cards_of("Kd Qd Jd Td")) < low_board_weakness(cards_of("2d 2c Ah 3h"))
    assert low_board_weakness(cards_of("Ad 8c")) < low_board_weakness(cards_of("2d 8h"))
    assert low_board_weakness(cards_of("2d 2c 3h 3s")) > low_board_weakness(cards_of("Kd Kc Qh Js"))


def test_who_is_left_of_an_all_in_low_card_may_fold_or_bring_it_in() -> None:
    form = game(4, 8, form=Form.STUD, bring_in=2, ante=1)
    antes = tuple(Post(seat=seat, kind=PostKind.ANTE, ante_cents=100) for seat in (1, 2, 3))
    play = Play("WP", form, {1: 1, 2: 100, 3: 100}, posts=antes)
    play.enter(hc.DealStreet(**IDS, up=((1, "2d"), (2, "9s"), (3, "Kc"))))
    assert play.options() == {"fold", "bring in 2", "complete 4"}
    play.do("2 fold")
    assert play.state.betting_over


@pytest.mark.parametrize(
    ("hand", "board", "beats"),
    [
        ("As Ks 5d 7c", "Ts 7d 8h 4s 2c", "Qh Jd 9c 6d"),
        ("2d 4c Kc Kh", "3d 6d Td Jd Ad", "5s Tc 8c 8h"),
    ],
)
def test_omaha_reads_exactly_two_and_three(hand: str, board: str, beats: str) -> None:
    assert READER.omaha_high(cards_of(board), cards_of(hand)) > 0
    assert READER.omaha_high(cards_of(board), cards_of(beats)) > 0


def test_the_flush_on_the_board_ties_but_for_a_card_that_plays() -> None:
    board = cards_of("3d 6d Td Jd Ad")
    assert READER.high((*cards_of("2d 4c"), *board)) == READER.high((*cards_of("5s Tc"), *board))


def test_a_wheel_straight_flush_beats_a_straight() -> None:
    assert READER.high(cards_of("Ad 2d 3d 4d 5d")) > READER.high(cards_of("Ac Kd Qh Js Tc"))


# ------------------------------------------------------------- G. showdown, run-outs, membership


def test_two_boards_from_one_flop_share_the_pot_and_one_rake() -> None:
    a_game = game(2, structure=Structure.POT_LIMIT, form=Form.OMAHA)
    play = at_street("WP", a_game, "flop", {4: 170, 8: 170}, button=8, pot=60, board="2c 7d Th")
    play.holds({4: "As Ac 3h 4h", 8: "Td 9d 5s 6s"})
    play.do("4 bet 60, 8 raise 170, 4 call")
    assert play.refusal(hc.AgreeRuns(**IDS, times=4, seats=(4, 8))).code == "TOO_MANY_RUNS"
    assert play.refusal(hc.AgreeRuns(**IDS, times=2, seats=(4,))).code == "NOT_ALL_AGREED"
    play.enter(hc.AgreeRuns(**IDS, times=2, seats=(4, 8)))
    play.enter(hc.TakeRake(**IDS, rake_cents=400))
    for run, cards in ((0, "Jc"), (0, "Js"), (1, "Tc"), (1, "2d")):
        play.enter(hc.DealStreet(**IDS, board=(cards,), run=run))
    assert play.show(4, 8).award() == {4: 198, 8: 198}
    assert {(share.seat, share.run) for share in play.state.shares} == {(4, 0), (8, 1)}


def test_a_limit_game_is_dealt_once() -> None:
    play = at_street("WP", LIMIT, "flop", {4: 20, 8: 20}, button=8)
    play.do("4 bet 10, 8 raise 20, 4 allin")
    refused = play.refusal(hc.AgreeRuns(**IDS, times=2, seats=(4, 8)))
    assert (refused.code, refused.rules) == ("RUNS_NOT_IN_THIS_STRUCTURE", ("WP-2P15",))


def test_membership_is_fixed_at_the_deal() -> None:
    play = at_street("WP", LIMIT, "river", {2: 300, 5: 300}, button=1)
    for command in (hc.Check(**IDS, seat=7), hc.NoteHoleCards(**IDS, hands=((7, ("As", "Ad")),))):
        assert play.refusal(command).code == "SEAT_NOT_DEALT_IN"


def test_a_history_is_what_the_events_say() -> None:
    play = at_street("WP", LIMIT, "river", {2: 300, 5: 300}, button=1, pot=40).check_around()
    play.holds({2: "As Ad", 5: "Ks Kd"}).show(2).do("5 muck").award()
    results = {result.seat: result for result in play.state.results}
    assert results[2].shown == ("As", "Ad")
    assert results[5].shown == ()
    assert results[5].player == "p5"


def test_a_setup_that_cannot_be_dealt_is_refused() -> None:
    for stacks, code in (
        ({1: 100}, "PLAYERS_OUT_OF_RANGE"),
        ({1: 100, 2: 0}, "AMOUNT_OUT_OF_RANGE"),
    ):
        with pytest.raises(Refused) as caught:
            Play("WP", NL, dict(stacks), button=1)
        assert caught.value.code == code
    with pytest.raises(Refused) as caught:
        Play("WP", NL, {1: 100, 2: 100}, button=1, posts=blinds((1, 1), (5, 2)))
    assert caught.value.code == "POST_WITHOUT_SEAT"
