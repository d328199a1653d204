"""Every form of poker the books know, in each structure: what is dealt, who opens, what it costs, what wins."""

from typing import Any

import pytest

from cardroom.known.games import Form, Structure
from cardroom.poker.variants import VARIANTS
from cardroom.tables.hand import INITIAL, evolve
from cardroom.tables.hand_events import (
    HAND_EVENTS,
    ActionTaken,
    EntryCorrected,
    HandRewound,
    HandStarted,
    Phase,
    Post,
    PostKind,
    SeatDealt,
)
from cardroom.tables.hand_fold import CHANGES
from cardroom.tables.hand_legal import legal
from cardroom.tables.hand_rules import hand_rules
from cardroom.tables.hand_start import HandSetup, start_hand
from tests.plugins.hand_play import (
    IDS,
    READER,
    Play,
    at_street,
    blinds,
    cards_of,
    game,
    hc,
    resolved,
    stud,
)

LIMIT = game(4, 8, blinds=(2, 4))


def test_every_form_has_its_row() -> None:
    assert set(VARIANTS) == set(Form)


def test_holdem_is_two_hole_cards_and_a_board_of_three_one_and_one() -> None:
    streets = VARIANTS[Form.HOLDEM].streets
    assert [(street.down, street.board) for street in streets] == [(2, 0), (0, 3), (0, 1), (0, 1)]
    play = at_street("HG", LIMIT, "flop", {1: 50, 2: 50})
    play.do("1 bet 4")
    refused = play.refusal(hc.DealStreet(**IDS, board=("As",)))
    assert refused.code == "STREET_NOT_DUE"
    assert "seat 2 is to act" in refused.message
    play.do("2 call")
    assert play.refusal(hc.DealStreet(**IDS, board=("As", "Ks"))).code == "BOARD_COUNT"
    play.deal("As").check_around()
    assert play.state.phase is Phase.DEALING


def test_limit_bets_the_upper_limit_from_the_turn() -> None:
    play = at_street("WP", LIMIT, "turn", {1: 50, 2: 50})
    assert play.options() == {"fold", "check", "bet 8"}


def test_spread_limit_bets_within_the_spread_and_at_least_the_last_raise() -> None:
    spread = game(2, 10, structure=Structure.SPREAD_LIMIT)
    play = at_street("WP", spread, "flop", {1: 100, 2: 100, 3: 100})
    assert play.options() == {"fold", "check", "bet 2-10"}
    play.do("1 bet 6")
    assert play.options() == {"fold", "call 6", "raise 12-16"}
    assert play.refused("2 raise 10").code == "AMOUNT_NOT_ALLOWED"
    assert play.refused("2 raise 17").code == "AMOUNT_NOT_ALLOWED"


def test_pot_limit_raises_up_to_the_pot_after_calling() -> None:
    pot_limit = game(2, structure=Structure.POT_LIMIT, blinds=(1, 2))
    play = Play("WP", pot_limit, {1: 100, 2: 100, 3: 100}, button=3, posts=blinds((1, 1), (2, 2)))
    assert play.options() == {"fold", "call 2", "raise 4-7"}
    play.do("3 raise 7")
    # Pot 10, the call is 6: the raise may be 16 more than 7.
    assert play.options() == {"fold", "call 6", "raise 12-23"}


def test_amounts_are_multiples_of_the_chip_but_for_an_all_in() -> None:
    no_limit = game(10, structure=Structure.NO_LIMIT, chip=5)
    play = at_street("WP", no_limit, "flop", {1: 103, 2: 103})
    assert play.options() == {"fold", "check", "bet 10-100"}
    assert play.refused("1 bet 12").code == "AMOUNT_NOT_ALLOWED"
    play.do("1 allin")
    assert play.stack(1) == 3


def test_pineapple_discards_one_before_the_flop() -> None:
    play = Play("WP", game(4, 8, form=Form.PINEAPPLE), {1: 50, 2: 50}, button=2)
    play.holds({1: "As Ad 2c", 2: "Ks Kd 3c"}).check_around()
    assert play.state.phase is Phase.EXCHANGING
    assert play.refusal(hc.DealStreet(**IDS)).code == "STREET_NOT_DUE"
    two = hc.Exchange(**IDS, seat=1, count=2, discarded=("2c", "As"))
    assert play.refusal(two).code == "EXCHANGE_COUNT"
    for seat, card in ((1, "2c"), (2, "3c")):
        play.enter(hc.Exchange(**IDS, seat=seat, count=1, discarded=(card,)))
    play.deal("Ah Kh 9d").check_around().deal("8d").check_around().deal("7d").do("1 bet 8, 2 call")
    assert play.show(1, 2).award() == {1: 16}


@pytest.mark.parametrize(("form", "winner"), [(Form.FIVE_CARD_DRAW, 1), (Form.LOWBALL, 2)])
def test_draw_games_draw_once_and_bet_the_upper_limit_after_it(form: Form, winner: int) -> None:
    play = Play(
        "WP", game(4, 8, form=form), {1: 50, 2: 50, 3: 50}, button=3, posts=blinds((1, 2), (2, 4))
    )
    play.holds({1: "As Ad Kc 7h 2d", 2: "Ac 2h 3d 4s Kd", 3: "9c 9h 8d 5d 4d"})
    play.do("3 fold, 1 call, 2 check")
    assert play.state.order == (1, 2)
    late = hc.Exchange(**IDS, seat=2, count=0)
    assert play.refusal(late).code == "OUT_OF_TURN"
    wrong = hc.Exchange(**IDS, seat=1, count=1, discarded=("Qs",))
    assert play.refusal(wrong).rules == ("CR-5",)
    play.enter(hc.Exchange(**IDS, seat=1, count=1, discarded=("2d",), drawn=("Ah",)))
    play.enter(hc.Exchange(**IDS, seat=2, count=1, discarded=("Kd",), drawn=("6s",)))
    assert play.options() == {"fold", "check", "bet 8"}
    play.do("1 bet 8, 2 call")
    assert play.show(1, 2).award() == {winner: 24}


def test_razz_the_high_card_brings_it_in_and_the_low_board_opens() -> None:
    razz = game(4, 8, form=Form.RAZZ, bring_in=1)
    play = stud("WP", razz, {2: "Kd 2c", 5: "3c 4d", 7: "Ah 9h"}, 3)
    assert play.state.to_act == 2
    play.check_around()
    play.enter(hc.DealStreet(**IDS, up=((2, "2c"), (5, "4d"), (7, "9h"))))
    assert play.state.to_act == 5


def test_stud_high_low_has_no_upper_limit_for_an_open_pair() -> None:
    form = game(4, 8, form=Form.STUD_HIGH_LOW)
    play = stud("WP", form, {2: "Kd Kc", 5: "3c 4d"}, 4)
    assert play.options() == {"fold", "check", "bet 4"}


def test_a_short_deck_of_stud_deals_one_card_for_all() -> None:
    form = game(4, 8, form=Form.STUD)
    ups = {2: "Kd 2c 5h 9c", 5: "3c 4d 8h Jc"}
    play = stud("LC", form, ups, 6, downs={2: "As Ks", 5: "3d 3h"}, pot=20).check_around()
    early = stud("LC", form, ups, 5)
    early.check_around()
    community = hc.DealStreet(**IDS, board=("Kh",), community=True)
    assert early.refusal(community).code == "NO_COMMUNITY_CARD"
    play.enter(community)
    play.check_around()
    assert play.show(2, 5).award() == {2: 20}


def test_a_kill_doubles_the_bets_and_the_killer_acts_in_turn() -> None:
    rules = hand_rules(resolved("LC", LIMIT), LIMIT, READER)
    kill = Post(seat=3, kind=PostKind.KILL, live_cents=800)
    setup = HandSetup(
        hand="h1",
        room="r",
        table="t1",
        number=1,
        game=LIMIT,
        button_seat=4,
        seats=tuple(
            SeatDealt(seat=seat, player=f"p{seat}", stack_cents=20000) for seat in (1, 2, 3, 4)
        ),
        posts=(*blinds((1, 2), (2, 4)), kill),
        small_bet_cents=800,
        big_bet_cents=1600,
    )
    state = INITIAL
    for event in start_hand(setup, rules):
        state = evolve(state, event)
    assert state.to_act == 3
    words = [option.words() for option in legal(state, rules)]
    assert words == ["fold", "check", "raise to $16"]


def test_three_blinds_the_biggest_sets_the_level() -> None:
    posts = (
        *blinds((1, 1), (2, 2)),
        Post(seat=3, kind=PostKind.THIRD_BLIND, live_cents=400),
    )
    stacks = dict.fromkeys((1, 2, 3, 4), 100)
    play = Play("WP", LIMIT, stacks, button=4, posts=posts)
    assert play.state.to_act == 4
    assert play.options() == {"fold", "call 4", "raise 8"}
    play.do("4 call, 1 call, 2 call")
    assert play.options() == {"fold", "check", "raise 8"}


def test_antes_alone_open_left_of_the_button() -> None:
    antes = tuple(Post(seat=seat, kind=PostKind.ANTE, ante_cents=100) for seat in (1, 2, 3))
    play = Play("WP", game(4, 8, ante=1), {1: 50, 2: 50, 3: 50}, button=2, posts=antes)
    assert play.state.to_act == 3
    assert play.options() == {"fold", "check", "bet 4"}


def test_a_big_blind_ante_is_dead_money_of_the_main_pot() -> None:
    ante = Post(seat=2, kind=PostKind.ANTE, dead_cents=400)
    no_limit = game(4, structure=Structure.NO_LIMIT)
    stacks: dict[int, Any] = {1: 100, 2: 100, 3: 6}
    play = Play("WP", no_limit, stacks, button=3, posts=(ante, *blinds((1, 2), (2, 4))))
    play.do("3 allin, 1 call, 2 raise 20, 1 call")
    assert play.pots() == [(22, (1, 2, 3)), (28, (1, 2))]


def test_posts_of_a_returning_player_are_live_and_dead() -> None:
    posts = (
        *blinds((1, 2), (2, 4)),
        Post(seat=4, kind=PostKind.MISSED_BLINDS, live_cents=400, dead_cents=200),
    )
    play = Play("WP", LIMIT, dict.fromkeys((1, 2, 3, 4, 5), 100), button=5, posts=posts)
    play.do("3 fold")
    assert play.options() == {"fold", "check", "raise 8"}
    play.do("4 check, 5 fold, 1 fold, 2 check")
    assert play.pots() == [(12, (2, 4))]


def test_ten_are_dealt_holdem_and_eight_stud() -> None:
    for form, most in ((Form.HOLDEM, 10), (Form.STUD, 8)):
        stacks = dict.fromkeys(range(1, most + 1), 50)
        play = Play("WP", game(4, 8, form=form), stacks, button=1)
        assert len(play.state.chairs) == most


def test_cards_read_as_people_write_them() -> None:
    assert cards_of("10h 9D, ks??") == ("Th", "9d", "Ks", "??")


def test_every_event_of_a_hand_folds() -> None:
    folded = {*CHANGES, HandStarted, ActionTaken, HandRewound, EntryCorrected}
    assert set(HAND_EVENTS) == folded
