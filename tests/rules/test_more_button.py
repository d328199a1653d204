"""More examples of button and blinds: several who join or leave at once, and short tables."""

import pytest

from cardroom.tables import commands as c
from cardroom.tables.positions import Positions, Request, Rotation, advance
from cardroom.tables.seats import WayIn
from tests.plugins.tables_world import (
    LC_6_12,
    LC_20_40,
    WP_10_20,
    Felt,
    blinds_of,
    game,
    posts_of,
)
from tests.rules.test_tables_button_cases import BB, MB, SB, frame


def standing(
    rule: str, button: int, blinds: tuple[int, ...], playing: set[int], seats: int = 9
) -> Positions:
    ask = Request(
        rule=rule,
        seats=seats,
        last=Rotation(button=button, blinds=blinds, posted_big=blinds[-1:]),
        first_button=button,
        playing=frozenset(playing),
        blinds=len(blinds),
    )
    found = advance(ask)
    assert found is not None
    return found


# --------------------------------------------------------------------------------- two who leave at once


@pytest.mark.rule("LC-44")
@pytest.mark.parametrize(
    ("leaving", "button", "small", "big"),
    [
        ((2,), 3, 4, 5),
        ((3,), 2, 4, 5),
        ((2, 3), 4, 5, 6),
        ((1, 2), 3, 4, 5),
        ((3, 4), 2, 5, 6),
        ((2, 3, 4), 5, 6, 1),
    ],
)
def test_forward_moving_has_one_small_and_one_big_blind_whoever_leaves(
    leaving: tuple[int, ...], button: int, small: int, big: int
) -> None:
    felt = Felt("LC", LC_6_12, "1-6")
    felt.stood(1, 2, 3)
    felt.leave(*leaving)
    assert frame(felt)[:2] == (button, {small: (SB, 2), big: (BB, 6)})


@pytest.mark.rule("WP-41b")
@pytest.mark.parametrize("book", ["WP", "HG", "RC"])
def test_small_blind_and_the_player_behind_the_big_blind_leave_together(book: str) -> None:
    felt = Felt(book, WP_10_20, "1-6")
    felt.stood(1, 2, 3)
    felt.leave(2, 4)
    assert frame(felt)[:2] == (2, {3: (SB, 5), 5: (BB, 10)})
    assert frame(felt)[:2] == (3, {5: (SB, 5), 6: (BB, 10)})
    assert frame(felt)[:2] == (5, {6: (SB, 5), 1: (BB, 10)})


@pytest.mark.rule("WP-41b")
def test_big_blind_and_the_one_behind_it_leave_together() -> None:
    felt = Felt("WP", WP_10_20, "1-7")
    felt.stood(1, 2, 3)
    felt.leave(3, 4)
    assert frame(felt)[:2] == (2, {5: (BB, 10)})
    assert frame(felt)[:2] == (3, {5: (SB, 5), 6: (BB, 10)})
    assert frame(felt)[:2] == (5, {6: (SB, 5), 7: (BB, 10)})


@pytest.mark.rule("WP-41b")
def test_three_blinds_under_the_dead_button() -> None:
    felt = Felt("WP", game(20, 40, (5, 10, 20), chip=5), "1-7")
    felt.stood(1, 2, 3, 4)
    felt.leave(2, 4)
    assert frame(felt)[:2] == (2, {3: (SB, 5), 5: (BB, 20)})
    assert frame(felt)[:2] == (3, {5: (MB, 10), 6: (BB, 20)})
    assert frame(felt)[:2] == (4, {5: (SB, 5), 6: (MB, 10), 7: (BB, 20)})


@pytest.mark.rule("WP-41a")
def test_moving_button_both_blinds_leave() -> None:
    felt = Felt("WP", WP_10_20, "1-6", blinds__button_rule="moving")
    felt.stood(1, 2, 3)
    felt.leave(2, 3)
    assert frame(felt)[:2] == (4, {4: (BB, 10), 5: (BB, 10), 6: (BB, 10)})
    assert frame(felt)[:2] == (5, {4: (SB, 5), 5: (SB, 5), 6: (SB, 5), 1: (BB, 10)})
    assert frame(felt)[:2] == (6, {1: (SB, 5), 4: (BB, 10)})


@pytest.mark.rule("LC-128")
@pytest.mark.rule("WP-41a")
def test_everyone_left_has_posted_the_big_blind() -> None:
    """Five players lose both blinds: all three left post a big one; then the larger blind comes first."""
    felt = Felt("LC", LC_20_40, "1-5")
    felt.stood(1, 2, 3)
    felt.leave(2, 3)
    assert frame(felt)[:2] == (4, {4: (BB, 20), 5: (BB, 20), 1: (BB, 20)})
    assert frame(felt)[:2] == (5, {5: (SB, 10), 1: (SB, 10), 4: (BB, 20)})
    assert frame(felt)[:2] == (1, {4: (SB, 10), 5: (BB, 20)})


@pytest.mark.rule("LC-128")
def test_the_button_leaves_and_make_up_blinds_go_on_as_usual() -> None:
    felt = Felt("LC", LC_20_40, "1-8")
    felt.stood(1, 2, 3)
    felt.leave(1)
    assert frame(felt) == (2, {3: (SB, 10), 4: (BB, 20)}, 5)


@pytest.mark.rule("LC-128")
def test_small_blind_and_next_big_blind_leave_together() -> None:
    felt = Felt("LC", LC_20_40, "1-8")
    felt.stood(1, 2, 3)
    felt.leave(2, 4)
    assert frame(felt) == (3, {3: (SB, 10), 5: (BB, 20), 6: (BB, 20)}, 7)
    assert frame(felt) == (5, {5: (SB, 10), 6: (SB, 10), 7: (BB, 20)}, 8)
    assert frame(felt) == (6, {7: (SB, 10), 8: (BB, 20)}, 1)


# --------------------------------------------------------------------------------- two who join at once


@pytest.mark.rule("LC-39")
@pytest.mark.rule("LC-44")
def test_two_newcomers_behind_the_button_send_the_blinds_back_and_pass_nobody() -> None:
    felt = Felt("LC", LC_6_12, "1,4-9")
    felt.stood(1, 4, 5)
    felt.away(7)
    felt.sit(2, 60)
    felt.sit(3, 60)
    assert frame(felt)[:2] == (2, {3: (SB, 2), 4: (BB, 6)})
    assert not felt.seat(7).missed
    assert frame(felt)[:2] == (3, {4: (SB, 2), 5: (BB, 6)})
    assert not felt.seat(7).missed
    assert frame(felt)[:2] == (4, {5: (SB, 2), 6: (BB, 6)})
    assert frame(felt)[:2] == (5, {6: (SB, 2), 8: (BB, 6)})
    assert felt.seat(7).missed_big


@pytest.mark.rule("WP-47")
@pytest.mark.rule("WP-44b")
def test_newcomers_post_at_once_behind_the_button_and_past_the_big_blind() -> None:
    felt = Felt("WP", WP_10_20, "1,3-6,8")
    felt.stood(1, 3, 4)
    felt.sit(2)
    felt.sit(7)
    felt.way(2, WayIn.POST, 10)
    felt.way(7, WayIn.POST, 10)
    found = felt.next()
    assert set(found.dealt) == {1, 2, 3, 4, 5, 6, 7, 8}
    assert posts_of(found, 2) == posts_of(found, 7) == (10, 10)


@pytest.mark.rule("WP-47")
@pytest.mark.parametrize(("seat", "open_now"), [(2, True), (4, True), (6, False), (1, True)])
def test_no_post_from_the_button_up_to_the_big_blind(seat: int, open_now: bool) -> None:
    """The coming hand has its button at 5, small blind 7 and big blind 8."""
    felt = Felt("WP", WP_10_20, tuple(n for n in (1, 2, 3, 5, 7, 8) if n != seat))
    felt.stood(9, 3, 5)
    felt.count()
    felt.sit(seat)
    if open_now:
        felt.way(seat, WayIn.POST, 10)
        assert posts_of(felt.next(), seat) == (10, 10)
    else:
        assert felt.no_way(seat, WayIn.POST, 10).code == "BETWEEN_BUTTON_AND_BIG_BLIND"


# --------------------------------------------------------------------------------- two and three players


@pytest.mark.rule("WP-43")
@pytest.mark.rule("LC-133")
@pytest.mark.parametrize("leaving", [1, 2, 3])
@pytest.mark.parametrize("book", ["WP", "LC", "RC", "HG"])
def test_down_to_two_nobody_has_the_big_blind_twice(book: str, leaving: int) -> None:
    felt = Felt(book, WP_10_20, "1-3")
    felt.stood(1, 2, 3)
    felt.leave(leaving)
    button, blinds, _ = frame(felt)
    big = next(seat for seat, (kind, _) in blinds.items() if kind == BB)
    assert big == (1 if leaving != 1 else 2)
    assert (button, blinds[button][0]) != (big, BB)
    assert frame(felt)[0] == big


@pytest.mark.rule("WP-41")
@pytest.mark.rule("WP-43")
def test_up_to_three_the_button_may_stay_where_the_small_blind_was() -> None:
    felt = Felt("WP", WP_10_20, "1,4")
    felt.stood(1, 1, 4)
    felt.sit(6)
    assert frame(felt)[:2] == (1, {4: (SB, 5), 6: (BB, 10)})
    assert frame(felt)[:2] == (4, {6: (SB, 5), 1: (BB, 10)})


@pytest.mark.rule("WP-43")
def test_two_players_of_a_game_with_three_blinds() -> None:
    found = standing("dead", 1, (2, 3, 4), {1, 2})
    assert (found.button, dict(found.posts)) == (2, {1: 2, 2: 1})


# --------------------------------------------------------------------------------- a new game


@pytest.mark.rule("WP-412b")
@pytest.mark.rule("WP-412")
def test_a_seat_between_the_first_button_and_small_blind_was_passed_by_no_blind() -> None:
    felt = Felt("WP", WP_10_20, "1,3,5-7,9")
    felt.draw(3)
    assert frame(felt)[:2] == (3, {5: (SB, 5), 6: (BB, 10)})
    felt.sit(4)
    assert 4 in felt.next().dealt
    assert posts_of(felt.next(), 4) == (0, 0)


@pytest.mark.rule("WP-412b")
def test_once_the_button_has_gone_round_a_newcomer_posts() -> None:
    felt = Felt("WP", WP_10_20, "1-6")
    felt.draw(1)
    for _ in range(6):
        frame(felt)
    felt.sit(8)
    found = felt.next()
    assert 8 not in found.dealt or 8 in blinds_of(found)


@pytest.mark.rule("LC-70")
@pytest.mark.parametrize(("dollars", "button"), [(3, 4), (4, 3), (5, 3)])
def test_who_has_exactly_the_collection_has_the_button(dollars: int, button: int) -> None:
    felt = Felt("LC", LC_6_12, "1,2,4-9", stack=100)
    felt.sit(3, dollars)
    felt.stood(2, 3, 4)
    felt.run(c.PlaceButton, button=2, blinds=(3, 4), reason="the game was running")
    assert felt.next().button == button


@pytest.mark.rule("LC-70")
def test_three_handed_who_cannot_pay_the_collection_sits_out_his_button_and_plays_the_next() -> (
    None
):
    felt = Felt("LC", LC_6_12, "1,2", stack=100)
    felt.sit(3, 3)
    felt.stood(2, 3, 1)
    seen = felt.next()
    assert set(seen.dealt) == {1, 2}
    assert seen.button == 1
    assert blinds_of(seen) == {1: (SB, 2), 2: (BB, 6)}
    assert [(out.seat, out.reason) for out in seen.left_out] == [(3, "COLLECTION_SHORT")]
    felt.count()
    assert set(felt.next().dealt) == {1, 2, 3}


@pytest.mark.rule("LC-70")
def test_two_in_a_row_who_cannot_pay_are_both_passed_over() -> None:
    felt = Felt("LC", LC_6_12, "1,2,5-9", stack=100)
    felt.sit(3, 3)
    felt.sit(4, 2)
    felt.stood(2, 3, 4)
    seen = felt.next()
    assert seen.button == 5
    assert {3, 4}.isdisjoint(seen.dealt)
    felt.count()
    assert {3, 4} <= set(felt.next().dealt)
