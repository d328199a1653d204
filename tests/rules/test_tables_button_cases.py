"""Worked cases of button.move, game.button_draw, game.start and blinds.buy_button, played as written."""

import pytest

from cardroom.known import Form
from cardroom.tables import commands as c
from cardroom.tables.button import high_card
from cardroom.tables.seats import WayIn
from tests.plugins.tables_world import (
    LC_3_6,
    LC_6_12,
    LC_20_40,
    WP_10_20,
    Felt,
    blinds_of,
    game,
    posts_of,
)

SB, BB, MB = "small_blind", "big_blind", "middle_blind"


def frame(felt: Felt) -> tuple[int, dict[int, tuple[str, int]], int]:
    """Play a hand; return the button, the blinds and the first to act."""
    found = felt.next()
    order = found.dealt
    after = found.first_after
    first = next(
        seat for seat in sorted(order, key=lambda s: (s - after - 1) % felt.table.seat_count)
    )
    felt.count()
    return found.button, blinds_of(found), first


# --------------------------------------------------------------------------------- button.move


@pytest.mark.rule("LC-44", 1)
def test_forward_moving_button_jumps_a_quitter_and_keeps_two_blinds() -> None:
    felt = Felt("LC", LC_6_12)
    felt.stood(1, 2, 3)
    felt.leave(2)
    assert frame(felt) == (3, {4: (SB, 2), 5: (BB, 6)}, 6)


@pytest.mark.rule("LC-44", 2)
def test_a_player_ready_for_the_big_blind_is_dealt_in_where_the_button_ends_up() -> None:
    felt = Felt("LC", LC_6_12)
    felt.stood(3, 4, 5)
    felt.away(5)
    while felt.count().button != 2:
        pass  # hand 9: button 2, small blind 3, big blind 4
    assert felt.seat(5).missed
    felt.back(5)
    felt.way(5, WayIn.WAIT_FOR_BIG_BLIND)
    felt.leave(4)
    found = felt.next()
    assert found.button == 3
    assert posts_of(found, 5) == (2, 2)
    assert blinds_of(found) == {5: (SB, 2), 6: (BB, 6)}


@pytest.mark.rule("RC-I1", 1)
def test_a_button_out_of_position_goes_back_to_the_seat_passed_over() -> None:
    felt = Felt("RC", game(4, 8, (2, 4)))
    felt.stood(3, 4, 5)
    felt.run(c.PlaceButton, button=4, blinds=(5, 6), reason="before the mistake")
    felt.count()  # button 5, blinds 6 and 7, by mistake for 4
    felt.run(c.CorrectButton, right_button=4)
    found = felt.next()
    assert found.button == 4
    assert blinds_of(found) == {5: (SB, 2), 6: (BB, 4)}
    assert "RC-I1" in felt.world.log[-1][1].rules  # type: ignore[attr-defined]


@pytest.mark.rule("WP-3I1", 1)
def test_a_misplaced_button_is_put_right_so_that_each_has_every_position_once() -> None:
    felt = Felt("WP", WP_10_20, "1-6")
    felt.stood(1, 2, 3)
    felt.run(c.PlaceButton, button=2, blinds=(3, 4), reason="before the mistake")
    assert frame(felt)[0] == 3
    felt.run(c.CorrectButton, right_button=2)
    assert frame(felt)[:2] == (2, {3: (SB, 5), 4: (BB, 10)})
    assert frame(felt)[:2] == (4, {5: (SB, 5), 6: (BB, 10)})
    assert frame(felt)[:2] == (5, {6: (SB, 5), 1: (BB, 10)})
    assert frame(felt)[:2] == (6, {1: (SB, 5), 2: (BB, 10)})


@pytest.mark.rule("WP-4-0", 1)
def test_blinds_first_card_and_first_action_are_left_of_the_button() -> None:
    felt = Felt("WP", WP_10_20)
    felt.stood(3, 4, 5)
    found = felt.next()
    assert found.button == 4
    assert blinds_of(found) == {5: (SB, 5), 6: (BB, 10)}
    assert (found.dealt[0], found.dealt[-1]) == (5, 4)
    assert frame(felt)[2] == 7
    assert felt.next().button == 5


@pytest.mark.rule("WP-4-0", 2)
def test_three_blinds_stand_left_of_the_button_smallest_first() -> None:
    felt = Felt("WP", game(20, 40, (5, 10, 20), chip=5))
    felt.stood(3, 4, 5, 6)
    assert frame(felt) == (4, {5: (SB, 5), 6: (MB, 10), 7: (BB, 20)}, 8)


@pytest.mark.rule("WP-41", 1)
@pytest.mark.parametrize("rule", ["dead", "moving"])
def test_in_a_round_each_seat_has_each_position_once(rule: str) -> None:
    felt = Felt("WP", WP_10_20, "1-6", blinds__button_rule=rule)
    felt.draw(1)
    seen = [frame(felt)[:2] for _ in range(6)]
    assert [button for button, _ in seen] == [1, 2, 3, 4, 5, 6]
    small = [[s for s, (kind, _) in blinds.items() if kind == SB] for _, blinds in seen]
    big = [[s for s, (kind, _) in blinds.items() if kind == BB] for _, blinds in seen]
    assert small == [[2], [3], [4], [5], [6], [1]]
    assert big == [[3], [4], [5], [6], [1], [2]]


@pytest.mark.rule("WP-41a", 1)
def test_moving_button_after_the_small_blind_leaves() -> None:
    felt = Felt("WP", WP_10_20, "1-6", blinds__button_rule="moving")
    felt.draw(1)
    felt.count()
    felt.leave(2)
    assert frame(felt) == (3, {3: (SB, 5), 4: (BB, 10), 5: (BB, 10)}, 6)
    assert frame(felt) == (4, {4: (SB, 5), 5: (SB, 5), 6: (BB, 10)}, 1)
    assert frame(felt)[:2] == (5, {6: (SB, 5), 1: (BB, 10)})


@pytest.mark.rule("WP-41a", 2)
def test_moving_button_after_the_big_blind_leaves() -> None:
    felt = Felt("WP", WP_10_20, "1-6", blinds__button_rule="moving")
    felt.draw(1)
    felt.count()
    felt.leave(3)
    assert frame(felt) == (2, {4: (BB, 10), 5: (BB, 10)}, 6)
    assert frame(felt) == (4, {4: (SB, 5), 5: (SB, 5), 6: (BB, 10)}, 1)
    assert frame(felt)[:2] == (5, {6: (SB, 5), 1: (BB, 10)})


@pytest.mark.rule("WP-41b", 1)
def test_dead_button_after_the_small_blind_leaves() -> None:
    felt = Felt("WP", WP_10_20, "1-6")
    felt.draw(1)
    felt.count()
    felt.leave(2)
    assert frame(felt)[:2] == (2, {3: (SB, 5), 4: (BB, 10)})
    assert frame(felt)[:2] == (3, {4: (SB, 5), 5: (BB, 10)})


@pytest.mark.rule("WP-41b", 2)
def test_dead_button_after_the_big_blind_leaves() -> None:
    felt = Felt("WP", WP_10_20, "1-6")
    felt.draw(1)
    felt.count()
    felt.leave(3)
    assert frame(felt)[:2] == (2, {4: (BB, 10)})
    assert frame(felt)[:2] == (3, {4: (SB, 5), 5: (BB, 10)})
    assert frame(felt)[:2] == (4, {5: (SB, 5), 6: (BB, 10)})


@pytest.mark.rule("WP-41b", 3)
def test_dead_button_after_both_blinds_leave() -> None:
    felt = Felt("WP", WP_10_20, "1-6")
    felt.draw(1)
    felt.count()
    felt.leave(2, 3)
    found = felt.next()
    assert found.dealt[-1] == 1
    assert frame(felt)[:2] == (2, {4: (BB, 10)})
    assert felt.next().dealt[-1] == 1
    assert frame(felt)[:2] == (3, {4: (SB, 5), 5: (BB, 10)})
    assert frame(felt)[:2] == (4, {5: (SB, 5), 6: (BB, 10)})


@pytest.mark.rule("WP-43", 1)
def test_heads_up_the_button_posts_the_small_blind() -> None:
    felt = Felt("WP", WP_10_20, "3,7")
    felt.draw(3)
    hand = felt.start()
    assert [(post.seat, post.live_cents) for post in hand.posts] == [(3, 500), (7, 1000)]
    assert hand.to_act == 3
    felt = Felt("WP", WP_10_20, "3,7")
    felt.draw(3)
    felt.count()
    assert frame(felt)[:2] == (7, {7: (SB, 5), 3: (BB, 10)})


# ----------------------------------------------------------------------------- blinds.buy_button


@pytest.mark.rule("LC-43", 1)
def test_the_button_is_bought_from_the_small_blind_position() -> None:
    felt = Felt("LC", LC_6_12)
    felt.stood(2, 3, 4)
    felt.away(5)
    felt.count()  # hand 50: button 3, small blind 4, big blind 6
    assert felt.table.rotation is not None
    assert felt.table.rotation.blinds == (4, 6)
    felt.back(5)
    assert felt.seat(5).missed_big
    felt.way(5, WayIn.BUY_BUTTON)
    found = felt.next()
    assert found.button == 4
    assert posts_of(found, 5) == (8, 6)
    assert blinds_of(found) == {}
    hand = felt.start()
    assert hand.to_act == 6
    felt = Felt("LC", LC_6_12)
    felt.stood(2, 3, 4)
    felt.away(5)
    felt.count()
    felt.back(5)
    felt.way(5, WayIn.BUY_BUTTON)
    felt.count()
    assert frame(felt)[:2] == (5, {6: (SB, 2), 7: (BB, 6)})


@pytest.mark.rule("LC-43", 2)
def test_the_button_is_not_sold_elsewhere() -> None:
    felt = Felt("LC", LC_6_12)
    felt.stood(2, 3, 4)
    felt.away(5)
    felt.count()
    felt.away(8)
    while felt.count().button != 3 or not felt.seat(8).missed:
        pass
    felt.back(8)
    refusal = felt.no_way(8, WayIn.BUY_BUTTON)
    assert refusal.code == "NOT_IN_SMALL_BLIND_POSITION"
    assert "LC-43" in refusal.rules


@pytest.mark.rule("LC-GL-buy-the-button", 1)
def test_a_new_player_buys_the_button() -> None:
    felt = Felt("LC", LC_3_6, "1-7,9")
    felt.stood(6, 7, 9)
    felt.sit(8)
    felt.way(8, WayIn.BUY_BUTTON)
    found = felt.next()
    assert found.button == 7
    assert posts_of(found, 8) == (4, 3)
    felt.count()
    assert frame(felt)[:2] == (8, {9: (SB, 1), 1: (BB, 3)})


# ------------------------------------------------------------------------------ game.button_draw


@pytest.mark.rule("LC-28", 1)
def test_equal_ranks_are_settled_by_suit() -> None:
    felt = Felt("LC", LC_6_12, "1-5")
    felt.run(c.DrawButton, cards=((1, "Qd"), (2, "Kc"), (3, "7s"), (4, "Kh"), (5, "2c")))
    assert felt.table.first_button == 4
    assert "LC-28" in felt.world.log[-1][1].rules  # type: ignore[attr-defined]


@pytest.mark.rule("LC-86", 1)
def test_a_new_game_draws_for_the_button() -> None:
    felt = Felt("LC", LC_20_40, (1, 2, 4, 5, 7, 9))
    cards = ((1, "Kc"), (2, "5d"), (4, "Kh"), (5, "9s"), (7, "Qs"), (9, "2c"))
    felt.run(c.DrawButton, cards=cards)
    assert felt.table.first_button == 4
    assert felt.next().button == 4


@pytest.mark.rule("LC-86", 2)
def test_no_first_hand_without_a_draw() -> None:
    felt = Felt("LC", LC_6_12, "1-7")
    refusal = felt.refused(c.StartHand)
    assert refusal.code == "BUTTON_NOT_DRAWN"
    assert refusal.rules == ("LC-86",)


@pytest.mark.rule("HG-G7", 1)
def test_the_first_deal_goes_by_high_card() -> None:
    felt = Felt("HG", game(2, 4, (1, 2)), "1-4")
    felt.run(c.DrawButton, cards=((1, "Kd"), (2, "Ac"), (3, "Ad"), (4, "Qs")))
    assert felt.table.first_button == 3


@pytest.mark.rule("HG-G7", 2)
def test_four_aces_rank_by_suit() -> None:
    cards = ((1, "Ac"), (2, "As"), (3, "Ah"), (4, "Ad"))
    order = []
    while cards:
        best = high_card(cards)
        order.append(best)
        cards = tuple(card for card in cards if card[0] != best)
    assert order == [2, 3, 4, 1]
    felt = Felt("HG", game(2, 4, (1, 2)), "1-4")
    felt.run(c.DrawButton, cards=((1, "Ac"), (2, "As"), (3, "Ah"), (4, "Ad")))
    assert felt.table.first_button == 2


def test_a_low_game_draws_low_where_the_book_says_so() -> None:
    felt = Felt("WP", game(4, 8, (2, 4), form=Form.LOWBALL, seats=8), "1-3")
    felt.run(c.DrawButton, cards=((1, "Kd"), (2, "3c"), (3, "3s")))
    assert felt.table.first_button == 3


@pytest.mark.rule("WP-412", 1)
def test_the_first_revolution_is_complete_when_the_button_is_back() -> None:
    felt = Felt("WP", WP_10_20, (1, 3, 5, 6, 7, 9))
    felt.draw(3)
    buttons = [frame(felt)[0] for _ in range(6)]
    assert buttons == [3, 5, 6, 7, 9, 1]
    assert not felt.table.revolution_done
    assert frame(felt)[0] == 3
    assert felt.table.revolution_done
    felt.sit(2)
    assert [out.reason for out in felt.next().left_out] == ["NEW_PLAYER_MUST_POST_OR_WAIT"]
