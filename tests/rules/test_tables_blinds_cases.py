"""Worked cases of blinds.missed, blinds.new_player, blinds.post, blinds.straddle, blinds.chop and seat changes."""

from typing import Any

import msgspec
import pytest

from cardroom.evaluator import NativeEvaluator
from cardroom.kernel.refusal import Refused
from cardroom.known import Form
from cardroom.tables import commands as c
from cardroom.tables import deal_events as de
from cardroom.tables import hand_commands as do
from cardroom.tables import table_events as tev
from cardroom.tables.entry import terms
from cardroom.tables.hand_legal import legal
from cardroom.tables.hand_rules import hand_rules
from cardroom.tables.seats import Arrival, WayIn
from cardroom.tables.starting import base_positions
from tests.plugins.tables_world import (
    LC_3_6,
    LC_6_12,
    LC_20_40,
    WP_10_20,
    Felt,
    T,
    blinds_of,
    game,
    posts_of,
)
from tests.plugins.world import ROOM

POST, DEAL, WAIT, BUY, STRADDLE = (
    WayIn.POST,
    WayIn.DEAL_IN,
    WayIn.WAIT_FOR_BIG_BLIND,
    WayIn.BUY_BUTTON,
    WayIn.STRADDLE,
)
READER = NativeEvaluator()


def play(felt: Felt, cls: type[Any], seat: int = 0, **more: Any) -> Any:
    fields = {"seat": seat} if seat else {}
    return felt.do(cls(room=ROOM, table=T, hand=felt.hand.hand, **fields, **more))


def options(felt: Felt) -> dict[str, int]:
    """Return act -> dollars in front for whoever is to act."""
    found = legal(felt.hand, hand_rules(felt.rules, felt.hand.game, READER))
    return {option.act.value: option.least_cents // 100 for option in found}


def fold_to(felt: Felt, seat: int) -> None:
    """Everybody before a seat folds."""
    while felt.hand.to_act != seat:
        play(felt, do.Fold, felt.hand.to_act)


def until(felt: Felt, button: int) -> None:
    """Count hands until the button stands somewhere."""
    for _ in range(30):
        if felt.table.rotation is not None and felt.table.rotation.button == button:
            return
        felt.count()
    raise AssertionError(f"the button never came to seat {button}")


def until_next(felt: Felt, button: int) -> None:
    """Count hands until the next hand has the button somewhere."""
    for _ in range(30):
        if felt.next().button == button:
            return
        felt.count()
    raise AssertionError(f"the button is never due at seat {button}")


def out(felt: Felt) -> dict[int, str]:
    return {one.seat: one.reason for one in felt.next().left_out}


# --------------------------------------------------------------------------------- blinds.missed


def lc_missed(seat: int, button: int, a_game: Any = LC_6_12, **values: Any) -> Felt:
    """A running game: a seat was away while the blinds passed it, and is back; the next button is given."""
    felt = Felt("LC", a_game, **values)
    start = (seat - 4) % 9 + 1
    felt.stood(start, start % 9 + 1, (start + 1) % 9 + 1)
    felt.away(seat)
    for _ in range(40):
        felt.count()
        if felt.next().button == button and felt.seat(seat).missed:
            break
    felt.back(seat)
    return felt


@pytest.mark.rule("LC-5", 1)
def test_after_discipline_missed_blinds_are_owed_as_by_anybody() -> None:
    felt = Felt("LC", LC_6_12)
    felt.stood(3, 4, 5)
    felt.run(c.NoteExclusion, seat=6, excluded=True)
    for _ in range(2):
        felt.count()
    assert felt.seat(6).missed_big
    felt.run(c.NoteExclusion, seat=6, excluded=False)
    refusal = felt.no_way(6, DEAL)
    assert refusal.code == "MISSED_BLINDS"
    assert "wait for the big blind" in refusal.options
    assert "post $12 ($6 live, $6 dead)" in refusal.options
    assert "buy the button when in position" in refusal.options
    assert "straddle for $12 when one seat left of the big blind" in refusal.options


@pytest.mark.rule("LC-P-blinds", 1)
def test_abuse_takes_away_free_entry() -> None:
    felt = Felt("LC", LC_6_12, "1-6,8,9")
    felt.stood(1, 2, 3)
    felt.sit(7)
    felt.run(c.SanctionPosting, seat=7, remedy="must_post", reason="left before his blinds")
    refusal = felt.no_way(7, DEAL)
    assert refusal.code == "MUST_POST"
    assert "post $12 ($6 live, $6 dead)" in refusal.options
    assert "wait for the big blind" in refusal.options
    assert "LC-P-blinds" in refusal.rules


@pytest.mark.rule("LC-P-blinds", 2)
def test_abuse_has_the_chips_picked_up() -> None:
    felt = Felt("LC", LC_6_12)
    felt.run(c.LeaveSeat, seat=7)
    felt.sit(7, 84)
    felt.away(7)
    felt.run(c.SanctionPosting, seat=7, remedy="chips_picked_up", reason="left before his blinds")
    left = felt.last(tev.Left)
    assert (left.seat, left.stack_cents, left.reason) == (7, 8400, "picked_up")
    assert 7 not in felt.table.seats


@pytest.mark.rule("LC-40", 1)
def test_a_missed_blind_is_posted_with_the_small_one_and_the_collection() -> None:
    felt = lc_missed(7, 1)
    felt.way(7, POST)
    assert posts_of(felt.next(), 7) == (12, 6)
    assert blinds_of(felt.next()) == {2: ("small_blind", 2), 3: ("big_blind", 6)}
    felt.start()
    fold_to(felt, 7)
    assert "check" in options(felt)
    assert options(felt)["raise"] == 12
    assert not felt.seat(7).missed


@pytest.mark.rule("LC-40", 2)
def test_the_big_blind_alone_is_too_little() -> None:
    refusal = lc_missed(7, 1).no_way(7, POST, 6)
    assert refusal.code == "OWES_MORE"
    assert "$12" in refusal.message
    assert "LC-40" in refusal.rules


def lc_missed_button(**values: Any) -> Felt:
    felt = Felt("LC", LC_6_12, **values)
    felt.stood(4, 5, 6)
    felt.count()  # hand 20: button 5, big blind 7
    felt.count()  # hand 21: button 6, small blind 7
    felt.away(7)
    felt.count()
    felt.count()
    felt.back(7)
    return felt


@pytest.mark.rule("LC-41", 1)
def test_who_missed_only_the_button_posts_the_collection_live() -> None:
    felt = lc_missed_button()
    felt.way(7, POST)
    assert posts_of(felt.next(), 7) == (4, 4)
    felt.start()
    fold_to(felt, 7)
    assert options(felt) == {"fold": 4, "call": 6, "raise": 12}


TO_HOUSE = {"collection__posted_goes_to": "house"}


@pytest.mark.rule("LC-40")
def test_a_house_may_take_a_posted_collection_itself() -> None:
    felt = lc_missed(7, 1, **TO_HOUSE)
    felt.way(7, POST)
    assert posts_of(felt.next(), 7) == (12, 6)
    felt.start()
    (post,) = [one for one in felt.hand.posts if one.seat == 7]
    assert (post.live_cents, post.dead_cents, post.house_cents) == (600, 200, 400)
    fold_to(felt, 7)
    assert options(felt)["raise"] == 12
    assert taken(felt) == 800


@pytest.mark.rule("LC-41")
def test_a_posted_collection_is_live_though_the_house_takes_it() -> None:
    felt = lc_missed_button(**TO_HOUSE)
    felt.way(7, POST)
    felt.start()
    (post,) = [one for one in felt.hand.posts if one.seat == 7]
    assert (post.live_cents, post.dead_cents, post.house_cents) == (0, 0, 400)
    fold_to(felt, 7)
    assert options(felt) == {"fold": 4, "call": 6, "raise": 12}
    assert taken(felt) == 800


def taken(felt: Felt) -> int:
    """Fold the hand out and return what the house took of it as collection, in cents."""
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)
    return sum(one.cents for one in felt.last(de.HandClosed).taken if one.account == "collection")


@pytest.mark.rule("LC-41", 2)
def test_who_missed_only_the_button_is_not_dealt_in_for_nothing() -> None:
    refusal = lc_missed_button().no_way(7, DEAL)
    assert refusal.code == "COLLECTION_OWED"
    assert "LC-41" in refusal.rules
    assert "$4" in refusal.message


@pytest.mark.rule("LC-42", 1)
def test_a_broke_player_comes_back_as_a_new_one_after_one_pass() -> None:
    felt = broken_lc_player(1)
    felt.way(6, DEAL)
    assert posts_of(felt.next(), 6) == (0, 0)
    assert 6 in felt.next().dealt


@pytest.mark.rule("LC-42", 2)
def test_a_broke_player_posts_after_two_passes() -> None:
    refusal = broken_lc_player(2).no_way(6, DEAL)
    assert refusal.code == "MUST_POST_OR_WAIT"
    assert "post $12 ($6 live, $6 dead)" in refusal.options
    assert "LC-42" in refusal.rules


def broken_lc_player(passes: int) -> Felt:
    """Seat 6 goes broke in hand 30, both blinds pass it so often, and it is back with $60."""
    felt = Felt("LC", LC_6_12)
    felt.run(c.LeaveSeat, seat=6)
    felt.sit(6, 6)
    felt.stood(8, 9, 1)
    felt.count(stacks=((6, 0), *((s, 30000) for s in (1, 2, 3, 4, 5, 7, 8))))
    assert felt.seat(6).broke
    for _ in range(40):
        seat = felt.seat(6)
        if seat.passes_button >= passes:
            break
        felt.count()
    assert min(felt.seat(6).passes_big, felt.seat(6).passes_small) == passes
    felt.run(c.AddChips, seat=6, cents=6000)
    return felt


@pytest.mark.rule("LC-48", 1)
def test_blinds_missed_in_a_new_games_first_round_count() -> None:
    felt = Felt("LC", LC_6_12)
    felt.draw(2)
    felt.count()
    felt.away(7)
    while not felt.seat(7).missed_big:
        felt.count()
    felt.back(7)
    refusal = felt.no_way(7, DEAL)
    assert refusal.code == "MISSED_BLINDS"
    assert {"wait for the big blind", "post $12 ($6 live, $6 dead)"} <= set(refusal.options)


def lc_high_broke() -> Felt:
    felt = Felt("LC", LC_20_40, "1-9", stack=1000)
    felt.run(c.LeaveSeat, seat=5)
    felt.sit(5, 20)
    felt.stood(9, 1, 2)
    rest = tuple((s, 100000) for s in (1, 2, 3, 4, 6, 7, 8, 9))
    felt.count(stacks=((5, 0), *rest))  # hand 1: button 1, blinds 2 and 3
    return felt


@pytest.mark.rule("LC-129", 1)
def test_high_limit_a_broke_player_owes_what_he_missed() -> None:
    felt = lc_high_broke()
    for _ in range(4):
        felt.count()  # big blind past 5, small blind past 5, button past 5
    assert (felt.seat(5).missed_big, felt.seat(5).missed_small) == (True, True)
    felt.run(c.AddChips, seat=5, cents=30000)
    refusal = felt.no_way(5, DEAL)
    assert "post $35 ($20 live, $15 dead)" in refusal.options
    assert "wait for the big blind" in refusal.options
    assert "LC-129" in refusal.rules


@pytest.mark.rule("LC-129", 2)
def test_high_limit_nothing_is_owed_where_no_blind_passed() -> None:
    felt = lc_high_broke()
    felt.run(c.AddChips, seat=5, cents=30000)
    assert 5 in felt.next().dealt


def wp_missed(seat: int = 6, next_button: int = 7) -> Felt:
    felt = Felt("WP", WP_10_20)
    felt.stood(1, 2, 3)
    felt.away(seat)
    while not (felt.seat(seat).missed_big and felt.next().button == next_button):
        felt.count()
    felt.back(seat)
    return felt


@pytest.mark.rule("WP-49", 1)
def test_all_missed_blinds_are_posted_the_big_one_live() -> None:
    felt = wp_missed()
    felt.way(6, POST, 15)
    found = felt.next()
    assert (found.button, blinds_of(found)) == (7, {8: ("small_blind", 5), 9: ("big_blind", 10)})
    assert posts_of(found, 6) == (15, 10)
    felt.start()
    assert felt.hand.pot_cents == 3000
    while felt.hand.to_act != 6:
        play(felt, do.Fold, felt.hand.to_act)
    assert options(felt)["raise"] == 20
    assert "check" in options(felt)


@pytest.mark.rule("WP-49", 2)
def test_part_of_what_was_missed_is_refused_and_waiting_costs_nothing_more() -> None:
    felt = wp_missed()
    refusal = felt.no_way(6, POST, 10)
    assert refusal.code == "OWES_MORE"
    assert "WP-49" in refusal.rules
    felt.way(6, WAIT)
    assert 6 not in felt.next().dealt
    while blinds_of(felt.next()).get(6, ("", 0))[0] != "big_blind":
        felt.count()
    assert posts_of(felt.next(), 6) == (10, 10)


@pytest.mark.rule("WP-49", 3)
def test_a_lone_small_blind_is_live() -> None:
    felt = Felt("WP", WP_10_20)
    felt.stood(3, 4, 5)
    felt.count()  # big blind 6
    felt.away(6)
    felt.count()
    until_next(felt, 7)
    felt.back(6)
    assert (felt.seat(6).missed_big, felt.seat(6).missed_small) == (False, True)
    felt.way(6, POST, 5)
    assert posts_of(felt.next(), 6) == (5, 5)
    felt.start()
    while felt.hand.to_act != 6:
        play(felt, do.Fold, felt.hand.to_act)
    assert options(felt) == {"fold": 5, "call": 10, "raise": 20}


@pytest.mark.rule("WP-411", 1)
def test_a_broke_player_owes_the_blinds_missed_meanwhile() -> None:
    felt = Felt("WP", WP_10_20)
    felt.run(c.LeaveSeat, seat=6)
    felt.sit(6, 10)
    felt.stood(2, 3, 4)
    rest = tuple((s, 30000) for s in (1, 2, 3, 4, 5, 7, 8, 9))
    felt.count(stacks=((6, 0), *rest))  # big blind 5
    until_next(felt, 7)
    felt.run(c.AddChips, seat=6, cents=20000)
    assert felt.no_way(6, POST, 10).code == "OWES_MORE"
    felt.way(6, POST, 15)
    assert posts_of(felt.next(), 6) == (15, 10)


@pytest.mark.rule("WP-411", 2)
def test_a_broke_player_who_missed_no_blind_owes_nothing() -> None:
    felt = Felt("WP", WP_10_20)
    felt.run(c.LeaveSeat, seat=6)
    felt.sit(6, 10)
    felt.stood(9, 1, 2)
    rest = tuple((s, 30000) for s in (1, 2, 3, 4, 5, 7, 8, 9))
    felt.count(stacks=((6, 0), *rest))  # big blind 3
    felt.run(c.AddChips, seat=6, cents=20000)
    assert 6 in felt.next().dealt
    assert posts_of(felt.next(), 6) == (0, 0)


@pytest.mark.rule("WP-412a", 1)
def test_who_drew_for_the_button_is_active() -> None:
    felt = Felt("WP", WP_10_20)
    felt.draw(2)
    felt.away(6)
    while not (felt.seat(6).missed_big and felt.seat(6).missed_small and felt.next().button == 7):
        felt.count()
    felt.back(6)
    assert felt.no_way(6, POST, 10).code == "OWES_MORE"
    felt.way(6, POST, 15)


# ----------------------------------------------------------------------------- blinds.new_player


@pytest.mark.rule("LC-39", 1)
def test_a_new_player_is_dealt_in_without_a_post() -> None:
    felt = Felt("LC", LC_6_12, "1-6,8,9")
    felt.stood(2, 3, 4)
    felt.count()  # hand 10: button 3
    felt.sit(7, 60)
    felt.way(7, DEAL)
    found = felt.next()
    assert blinds_of(found) == {5: ("small_blind", 2), 6: ("big_blind", 6)}
    assert posts_of(found, 7) == (0, 0)
    felt.start()
    assert felt.hand.to_act == 7
    assert options(felt)["call"] == 6


@pytest.mark.rule("LC-39", 2)
def test_a_new_player_passed_twice_posts_or_waits() -> None:
    felt = Felt("LC", LC_6_12, "1-6,8,9")
    felt.stood(2, 3, 4)
    felt.sit(7, 60)
    felt.away(7)
    while felt.seat(7).passes_button < 1:
        felt.count()
    felt.back(7)
    assert felt.way(7, DEAL)
    felt.away(7)
    while felt.seat(7).passes_button < 2:
        felt.count()
    felt.back(7)
    refusal = felt.no_way(7, DEAL)
    assert refusal.code == "MUST_POST_OR_WAIT"
    assert set(refusal.options) == {
        "wait for the big blind",
        "post $12 ($6 live, $6 dead)",
        "buy the button when in position",
        "straddle for $12 when one seat left of the big blind",
    }


@pytest.mark.rule("LC-127", 1)
def test_high_limit_a_newcomer_posts_the_big_blind() -> None:
    felt = Felt("LC", LC_20_40, "1-5,7-9", stack=1000)
    felt.stood(1, 2, 3)
    felt.sit(6, 1000)
    refusal = felt.no_way(6, DEAL)
    assert set(refusal.options) == {
        "post $20",
        "wait for the big blind",
        "buy the button when in position",
        "straddle for $40 when one seat left of the big blind",
    }
    assert "LC-127" in refusal.rules
    felt.way(6, POST, 20)
    assert posts_of(felt.next(), 6) == (20, 20)


@pytest.mark.rule("LC-127", 2)
def test_high_limit_a_newcomer_passed_twice_has_a_missed_blind_button() -> None:
    felt = Felt("LC", LC_20_40, "1-5,7-9", stack=1000)
    felt.stood(1, 2, 3)
    felt.sit(6, 0)
    felt.away(6)
    while min(felt.seat(6).passes_big, felt.seat(6).passes_small) < 2 or 6 in near(felt):
        felt.count()
    felt.run(c.AddChips, seat=6, cents=30000)
    felt.back(6)
    refusal = felt.no_way(6, POST, 20)
    assert "$35" in refusal.message
    ways = {way.words() for way in _ways(felt, 6)}
    assert ways == {
        "wait for the big blind",
        "post $35 ($20 live, $15 dead)",
        "buy the button when in position",
    }


def near(felt: Felt) -> tuple[int, ...]:
    """The seats that the big blind comes to on the next hand."""
    assert felt.table.rotation is not None
    big = felt.table.rotation.blinds[-1]
    return (big % 9 + 1,)


def _ways(felt: Felt, seat: int) -> Any:
    base = base_positions(felt.table, felt.rules)
    return terms(felt.table, felt.seat(seat), felt.rules, base).ways


@pytest.mark.rule("LC-140", 1)
def test_a_must_move_player_comes_in_free() -> None:
    felt = Felt("LC", LC_20_40, "1-5,7-9", stack=1000)
    felt.stood(1, 2, 3)
    felt.sit(6, 1000, Arrival.MUST_MOVE)
    felt.way(6, DEAL)
    assert posts_of(felt.next(), 6) == (0, 0)
    assert 6 in felt.next().dealt


@pytest.mark.rule("LC-140", 2)
def test_a_must_move_player_passed_twice_owes_a_round() -> None:
    felt = Felt("LC", LC_20_40, "1-5,7-9", stack=1000)
    felt.stood(1, 2, 3)
    felt.sit(6, 0, Arrival.MUST_MOVE)
    felt.away(6)
    while felt.seat(6).passes_button < 1:
        felt.count()
    assert felt.way(6, DEAL)
    while felt.seat(6).passes_button < 2:
        felt.count()
    felt.run(c.AddChips, seat=6, cents=30000)
    felt.back(6)
    refusal = felt.no_way(6, DEAL)
    assert "post $35 ($20 live, $15 dead)" in refusal.options
    assert "wait for the big blind" in refusal.options


@pytest.mark.rule("WP-44", 1)
def test_a_new_player_who_says_nothing_is_left_out() -> None:
    felt = Felt("WP", WP_10_20, "1-7,9")
    felt.stood(9, 1, 2)
    felt.sit(8)
    assert out(felt) == {8: "NEW_PLAYER_MUST_POST_OR_WAIT"}


@pytest.mark.rule("WP-44a", 1)
def test_a_new_player_may_wait_for_the_big_blind() -> None:
    felt = Felt("WP", WP_10_20, "1-5,7-9")
    felt.stood(1, 2, 3)
    felt.sit(6)
    felt.way(6, WAIT)
    for big in (4, 5):
        found = felt.next()
        assert blinds_of(found)[big] == ("big_blind", 10)
        assert 6 not in found.dealt
        felt.count()
    found = felt.next()
    assert blinds_of(found)[6] == ("big_blind", 10)
    assert posts_of(found, 6) == (10, 10)


@pytest.mark.rule("WP-44b", 1)
def test_a_new_player_posts_the_big_blind() -> None:
    felt = Felt("WP", WP_10_20, "1-7,9")
    felt.stood(9, 1, 2)
    felt.sit(8)
    assert felt.no_way(8, POST, 5).code == "OWES_MORE"
    felt.way(8, POST, 10)
    assert posts_of(felt.next(), 8) == (10, 10)


@pytest.mark.rule("WP-44b", 2)
def test_in_lowball_a_new_player_posts_twice_the_big_blind() -> None:
    felt = Felt("WP", game(10, 20, (5, 10), form=Form.LOWBALL, seats=8), "1-7")
    felt.stood(7, 1, 2)
    felt.sit(8)
    assert felt.no_way(8, POST, 10).code == "OWES_MORE"
    felt.way(8, POST, 20)


@pytest.mark.rule("WP-45", 1)
def test_a_new_player_passed_once_has_missed_no_blind() -> None:
    felt = Felt("WP", WP_10_20, "1-5,7-9")
    felt.stood(1, 2, 3)
    felt.sit(6)
    felt.away(6)
    until_next(felt, 7)
    felt.back(6)
    felt.way(6, POST)
    assert posts_of(felt.next(), 6) == (10, 10)


@pytest.mark.rule("WP-46", 1)
def test_who_plays_over_is_a_new_player() -> None:
    felt = Felt("WP", WP_10_20)
    felt.stood(9, 1, 2)
    felt.run(c.LeaveSeat, seat=6)
    felt.sit(6, 200, Arrival.PLAY_OVER, player="sam")
    assert felt.no_way(6, DEAL).code == "NEW_PLAYER_MUST_POST_OR_WAIT"
    felt.way(6, POST, 10)
    assert 6 in felt.next().dealt


@pytest.mark.rule("WP-47", 1)
def test_nobody_comes_in_between_button_and_big_blind() -> None:
    felt = Felt("WP", WP_10_20, "1,3-9")
    felt.stood(9, 1, 3)
    felt.sit(2)
    found = felt.next()
    assert (found.button, list(blinds_of(found))) == (1, [3, 4])
    refusal = felt.no_way(2, POST, 10)
    assert refusal.code == "BETWEEN_BUTTON_AND_BIG_BLIND"
    assert "WP-47" in refusal.rules
    felt.count()
    felt.way(2, POST, 10)
    assert 2 in felt.next().dealt


@pytest.mark.rule("WP-47", 2)
def test_blinds_are_not_made_up_between_button_and_big_blind() -> None:
    felt = Felt("WP", WP_10_20)
    felt.stood(2, 3, 4)
    felt.away(5)
    found = felt.next()
    assert (found.button, blinds_of(found)[4][0], blinds_of(found)[6][0]) == (
        3,
        "small_blind",
        "big_blind",
    )
    felt.count()
    felt.back(5)
    found = felt.next()
    assert (found.button, list(blinds_of(found))) == (4, [6, 7])
    assert felt.no_way(5, POST, 15).code == "BETWEEN_BUTTON_AND_BIG_BLIND"
    felt.count()
    assert felt.next().button == 6
    felt.way(5, POST, 15)


def new_game() -> Felt:
    felt = Felt("WP", WP_10_20, (1, 3, 5, 6, 7, 9))
    felt.draw(3)
    felt.count()
    return felt


@pytest.mark.rule("WP-412b", 1)
def test_a_new_game_lets_in_whom_no_blind_has_passed() -> None:
    felt = new_game()
    felt.sit(2)
    found = felt.next()
    assert (found.button, list(blinds_of(found))) == (5, [6, 7])
    assert 2 in found.dealt
    assert posts_of(found, 2) == (0, 0)


@pytest.mark.rule("WP-412b", 2)
def test_a_new_game_asks_a_post_where_a_blind_has_passed() -> None:
    felt = new_game()
    for _ in range(3):
        felt.count()
    assert felt.table.rotation is not None
    assert felt.table.rotation.button == 7
    felt.sit(8)
    found = felt.next()
    assert (found.button, list(blinds_of(found))) == (9, [1, 3])
    refusal = felt.no_way(8, DEAL)
    assert "post $10" in refusal.options
    felt.way(8, POST, 10)
    assert 8 in felt.next().dealt


# ------------------------------------------------------------------------- seating.seat_change


@pytest.mark.rule("WP-412c", 1)
def test_in_a_new_game_a_seat_no_blind_has_passed_costs_nothing() -> None:
    felt = new_game()
    felt.run(c.ChangeSeat, seat=7, to_seat=8)
    found = felt.next()
    assert 8 in found.dealt
    assert blinds_of(found)[8] == ("big_blind", 10)
    assert posts_of(found, 8) == (10, 10)


@pytest.mark.rule("WP-412c", 2)
def test_in_a_new_game_moving_away_from_the_blinds_costs_nothing() -> None:
    felt = new_game()
    felt.run(c.ChangeSeat, seat=7, to_seat=2)
    assert 2 in felt.next().dealt
    assert posts_of(felt.next(), 2) == (0, 0)


@pytest.mark.rule("WP-413", 1)
def test_a_seat_changer_waits_the_positions_he_moved_or_posts() -> None:
    felt = Felt("WP", WP_10_20, "1-7,9")
    felt.stood(1, 2, 3)
    felt.run(c.ChangeSeat, seat=5, to_seat=8)
    assert felt.seat(8).wait_hands == 2
    for big in (4, 6):
        found = felt.next()
        assert blinds_of(found)[big][0] == "big_blind"
        assert 8 not in found.dealt
        felt.count()
    found = felt.next()
    assert blinds_of(found)[7][0] == "big_blind"
    assert 8 in found.dealt
    assert posts_of(found, 8) == (0, 0)
    felt = Felt("WP", WP_10_20, "1-7,9")
    felt.stood(1, 2, 3)
    felt.run(c.ChangeSeat, seat=5, to_seat=8)
    felt.way(8, POST, 10)
    assert posts_of(felt.next(), 8) == (10, 10)


@pytest.mark.rule("WP-413", 2)
def test_moving_closer_to_the_big_blind_costs_nothing() -> None:
    felt = Felt("WP", WP_10_20, "1-5,7-9")
    felt.stood(1, 2, 3)
    felt.run(c.ChangeSeat, seat=8, to_seat=6)
    assert 6 in felt.next().dealt
    assert posts_of(felt.next(), 6) == (0, 0)


@pytest.mark.rule("WP-414", 1)
def test_who_deals_off_comes_in_behind_the_button() -> None:
    felt = Felt("WP", WP_10_20, "1-8")
    felt.stood(4, 5, 6)
    felt.count()  # hand 20: button 5
    felt.run(c.ChangeSeat, seat=5, to_seat=9)
    seen = []
    for _ in range(4):
        found = felt.next()
        seen.append((found.button, 9 in found.dealt))
        last = found
        felt.count()
    assert seen == [(6, False), (7, False), (8, False), (1, True)]
    assert posts_of(last, 9) == (0, 0)


# ----------------------------------------------------------------------------------- blinds.post


@pytest.mark.rule("LC-45", 1)
def test_the_big_blind_keeps_his_option() -> None:
    felt = Felt("LC", LC_6_12)
    felt.stood(2, 3, 4)
    felt.start()
    fold_to(felt, 8)
    play(felt, do.Call, 8)
    fold_to(felt, 5)
    assert options(felt)["raise"] == 12
    assert "check" in options(felt)


@pytest.mark.rule("LC-45", 2)
def test_the_big_blind_does_not_raise_over_a_cap() -> None:
    felt = Felt("LC", LC_6_12)
    felt.stood(2, 3, 4)
    felt.start()
    play(felt, do.RaiseTo, 6, to_cents=1200)
    play(felt, do.Fold, 7)
    play(felt, do.RaiseTo, 8, to_cents=1800)
    for seat in (9, 1):
        play(felt, do.Fold, seat)
    play(felt, do.RaiseTo, 2, to_cents=2400)
    for seat in (3, 4):
        play(felt, do.Fold, seat)
    with pytest.raises(Refused) as caught:
        play(felt, do.RaiseTo, 5, to_cents=3000)
    assert caught.value.code in ("CAPPED", "CAP_REACHED")
    assert {"fold", "call"} == set(options(felt))
    assert options(felt)["call"] == 24


@pytest.mark.rule("LC-68", 1)
def test_a_short_blind_plays_in_whole_chips() -> None:
    felt = Felt("LC", LC_6_12)
    felt.run(c.LeaveSeat, seat=5)
    felt.stood(2, 3, 4)
    felt.sit(5, 5)
    felt.way(5, WAIT)
    felt.start()
    post = next(one for one in felt.hand.posts if one.seat == 5)
    assert post.live_cents == 400
    chair = next(one for one in felt.hand.chairs if one.seat == 5)
    assert chair.all_in
    assert options(felt)["call"] == 6


@pytest.mark.rule("LC-128", 1)
def test_make_up_blinds_after_the_small_blind_quits() -> None:
    felt = Felt("LC", LC_20_40, "1-8", stack=1000)
    felt.draw(1)
    felt.count()
    felt.leave(2)
    found = felt.next()
    assert found.button == 3
    assert blinds_of(found) == {
        3: ("small_blind", 10),
        4: ("big_blind", 20),
        5: ("big_blind", 20),
    }
    felt.start()
    assert felt.hand.to_act == 6
    felt = Felt("LC", LC_20_40, "1-8", stack=1000)
    felt.draw(1)
    felt.count()
    felt.leave(2)
    felt.count()
    found = felt.next()
    assert found.button == 4
    assert blinds_of(found) == {
        4: ("small_blind", 10),
        5: ("small_blind", 10),
        6: ("big_blind", 20),
    }
    felt.start()
    assert felt.hand.to_act == 7


@pytest.mark.rule("LC-128", 2)
@pytest.mark.rule("LC-GL-trailing-blind", 1)
def test_make_up_blinds_after_both_blinds_quit() -> None:
    felt = Felt("LC", LC_20_40, "1-9", stack=1000)
    felt.draw(1)
    felt.count()
    felt.leave(2, 3)
    found = felt.next()
    assert found.button == 4
    assert blinds_of(found) == dict.fromkeys((4, 5, 6), ("big_blind", 20))
    assert found.first_after == 6
    felt.count()
    found = felt.next()
    assert found.button == 5
    assert blinds_of(found) == {
        4: ("small_blind", 10),
        5: ("small_blind", 10),
        6: ("small_blind", 10),
        7: ("big_blind", 20),
    }
    assert found.first_after == 7
    felt.count()
    found = felt.next()
    assert (found.button, blinds_of(found)) == (
        6,
        {7: ("small_blind", 10), 8: ("big_blind", 20)},
    )


@pytest.mark.rule("LC-133", 1)
def test_high_limit_heads_up() -> None:
    felt = Felt("LC", LC_20_40, "2,7", stack=1000)
    felt.draw(7)
    felt.start()
    assert [(p.seat, p.live_cents) for p in felt.hand.posts if p.live_cents] == [
        (7, 1000),
        (2, 2000),
    ]
    assert felt.hand.to_act == 7
    assert options(felt) == {"fold": 10, "call": 20, "raise": 40}
    play(felt, do.Call, 7)
    play(felt, do.Check, 2)
    play(felt, do.DealStreet, board=("2c", "7d", "Jh"))
    assert felt.hand.to_act == 2


@pytest.mark.rule("LC-GL-big-blind", 1)
def test_a_straddle_does_not_raise_the_big_blind() -> None:
    felt = lc_missed(9, 3)
    felt.way(6, STRADDLE, 12)
    felt.way(9, POST)
    found = felt.next()
    assert posts_of(found, 9) == (12, 6)
    felt.start()
    while felt.hand.to_act != 9:
        play(felt, do.Fold, felt.hand.to_act)
    assert options(felt)["call"] == 12


@pytest.mark.rule("LC-GL-small-blind", 1)
def test_the_small_blind_completes() -> None:
    felt = Felt("LC", LC_6_12)
    felt.stood(2, 3, 4)
    felt.start()
    fold_to(felt, 4)
    before = next(one for one in felt.hand.chairs if one.seat == 4)
    play(felt, do.Call, 4)
    after = next(one for one in felt.hand.chairs if one.seat == 4)
    assert (before.stack_cents or 0) - (after.stack_cents or 0) == 400


@pytest.mark.rule("LC-GL-live-blind", 1)
def test_a_live_blind_may_raise() -> None:
    felt = Felt("LC", LC_20_40, "1-4", stack=1000)
    felt.draw(1)
    felt.start()
    while felt.hand.to_act != 3:
        play(felt, do.Call, felt.hand.to_act)
    assert options(felt)["raise"] == 40
    assert "check" in options(felt)


@pytest.mark.rule("HG-H0b", 1)
def test_antes_and_blinds_together() -> None:
    quarter = msgspec.structs.replace(
        game(2, 4, (1, 2), game_id="antes"), ante_cents=25, chip_cents=25
    )
    felt = Felt("HG", quarter, "1-6")
    felt.draw(1)
    felt.start()
    assert felt.hand.pot_cents == 450


@pytest.mark.rule("HG-H0b", 2)
def test_two_blinds_are_the_usual_set_up() -> None:
    felt = Felt("HG", game(2, 4, (1, 2)), "1-6")
    assert felt.rules.choice("blinds.structure") == "two_blinds"
    felt.draw(1)
    assert len(blinds_of(felt.next())) == 2


@pytest.mark.rule("WP-2P13", 1)
def test_nobody_posts_for_another() -> None:
    felt = Felt("WP", game(10, 20, form=Form.STUD, ante=1, bring_in=3, seats=8), "1-3,5")
    felt.sit(4, 0)
    refusal = felt.no_way(4, POST, 1, from_seat=5)
    assert refusal.code == "POSTING_FOR_ANOTHER"
    assert "WP-2P13" in refusal.rules
    assert 4 not in felt.next().dealt


@pytest.mark.rule("WP-42", 1)
def test_a_poster_may_raise_at_his_first_turn() -> None:
    felt = Felt("WP", WP_10_20, "1-7,9")
    felt.stood(9, 1, 2)
    felt.sit(8)
    felt.way(8, POST, 10)
    felt.start()
    fold_to(felt, 8)
    assert options(felt)["raise"] == 20
    play(felt, do.Check, 8)
    fold_to(felt, 2)
    assert options(felt) == {"fold": 5, "call": 10, "raise": 20}
    play(felt, do.Call, 2)
    assert options(felt)["raise"] == 20
    assert "check" in options(felt)


@pytest.mark.rule("WP-42", 2)
def test_a_dead_collection_is_no_part_of_a_bet() -> None:
    felt = Felt("WP", game(10, 20, (5, 10), collection=3))
    felt.stood(9, 1, 2)
    felt.start()
    play(felt, do.Call, 4)
    fold_to(felt, 1)
    assert options(felt) == {"fold": 0, "call": 10, "raise": 20}


@pytest.mark.rule("WP-48", 1)
def test_the_big_blind_is_the_opening_bet() -> None:
    felt = Felt("WP", WP_10_20)
    felt.stood(9, 1, 2)
    felt.start()
    with pytest.raises(Refused):
        play(felt, do.Check, 4)
    play(felt, do.Call, 4)
    play(felt, do.Fold, 5)
    play(felt, do.Call, 6)
    fold_to(felt, 3)
    assert options(felt)["raise"] == 20
    assert "check" in options(felt)


@pytest.mark.rule("WP-4-0", 3)
def test_no_cards_before_the_blind_is_posted() -> None:
    felt = Felt("WP", WP_10_20)
    felt.stood(3, 4, 5)
    refusal = felt.refused(c.StartHand, unposted=(6,))
    assert refusal.code == "BLIND_NOT_POSTED"
    assert "WP-4-0" in refusal.rules


# ------------------------------------------------------------------------------- blinds.straddle


def straddling(a_game: Any = LC_6_12) -> Felt:
    felt = Felt("LC", a_game)
    felt.stood(2, 3, 4)
    return felt


@pytest.mark.rule("LC-47", 1)
def test_a_straddle_acts_last() -> None:
    felt = straddling()
    felt.way(6, STRADDLE, 12)
    felt.start()
    assert felt.hand.to_act == 7
    assert options(felt)["call"] == 12
    play(felt, do.Call, 7)
    while felt.hand.to_act != 6:
        play(felt, do.Fold, felt.hand.to_act)
    assert options(felt)["raise"] == 18
    assert "check" in options(felt)


@pytest.mark.rule("LC-47", 2)
def test_one_straddle_a_hand() -> None:
    felt = straddling()
    felt.way(6, STRADDLE, 12)
    assert felt.no_way(7, STRADDLE, 24).code == "ONE_STRADDLE_PER_HAND"


@pytest.mark.rule("LC-47", 3)
def test_a_straddle_is_twice_the_big_blind() -> None:
    refusal = straddling().no_way(6, STRADDLE, 18)
    assert refusal.code == "STRADDLE_NOT_DOUBLE_BIG_BLIND"
    assert "1200" in refusal.message


@pytest.mark.rule("LC-47", 4)
def test_no_straddle_in_a_kill_pot() -> None:
    assert straddling().no_way(6, STRADDLE, kill=True).code == "NO_STRADDLE_IN_KILL_POT"


@pytest.mark.rule("LC-GL-live-straddle", 1)
def test_no_straddle_once_the_cards_are_out() -> None:
    felt = straddling(LC_3_6)
    felt.start()
    assert felt.no_way(6, STRADDLE, 6).code == "CARDS_ALREADY_DEALT"


@pytest.mark.rule("WP-415", 1)
def test_no_straddle_where_the_game_is_not_specified_for_it() -> None:
    felt = Felt("WP", WP_10_20)
    felt.stood(9, 1, 2)
    assert felt.no_way(4, STRADDLE, 20).code == "NO_STRADDLE_IN_THIS_GAME"
    felt = Felt("WP", WP_10_20, blinds__straddle=True)
    felt.stood(9, 1, 2)
    felt.way(4, STRADDLE, 20)
    felt.start()
    assert felt.hand.to_act == 5


# ----------------------------------------------------------------------------------- blinds.chop


@pytest.mark.rule("LC-18", 1)
def test_the_blinds_chop_and_the_collection_stays() -> None:
    felt = Felt("LC", LC_6_12)
    felt.stood(2, 3, 4)
    felt.start()
    fold_to(felt, 4)
    play(felt, do.ChopBlinds)
    assert felt.seat(4).stack_cents == felt.seat(5).stack_cents == 30000
    assert felt.seat(3).stack_cents == 29600
    assert felt.last(de.HandClosed).taken == (de.Taken("collection", 400),)


@pytest.mark.rule("LC-18", 2)
def test_no_chop_once_somebody_is_in() -> None:
    felt = Felt("LC", LC_6_12)
    felt.stood(2, 3, 4)
    felt.start()
    fold_to(felt, 8)
    play(felt, do.Call, 8)
    fold_to(felt, 4)
    with pytest.raises(Refused) as caught:
        play(felt, do.ChopBlinds)
    assert "LC-18" in caught.value.rules


@pytest.mark.rule("LC-GL-split-blinds", 1)
def test_split_blinds_are_returned() -> None:
    felt = Felt("LC", LC_3_6)
    felt.stood(2, 3, 4)
    felt.start()
    fold_to(felt, 4)
    play(felt, do.ChopBlinds)
    assert felt.hand.over
    assert felt.seat(4).stack_cents == felt.seat(5).stack_cents == 30000


@pytest.mark.rule("WP-2P14", 1)
def test_the_blinds_take_their_bets_back() -> None:
    felt = Felt("WP", WP_10_20, "1-9")
    felt.stood(9, 1, 2)
    felt.start()
    fold_to(felt, 2)
    play(felt, do.ChopBlinds)
    assert felt.hand.over
    assert felt.seat(2).stack_cents == felt.seat(3).stack_cents == 30000


@pytest.mark.rule("WP-2P14", 2)
def test_a_pot_is_not_split_by_agreement() -> None:
    felt = Felt("WP", WP_10_20, "1-3")
    felt.draw(1)
    felt.start()
    play(felt, do.Fold, 1)
    play(felt, do.Call, 2)
    play(felt, do.Check, 3)
    for cards in (("2c", "7d", "Jh"), ("4s",), ("9c",)):
        play(felt, do.DealStreet, board=cards)
        if len(cards) > 1 or cards == ("4s",):
            play(felt, do.Check, 2)
            play(felt, do.Check, 3)
    play(felt, do.Check, 2)
    play(felt, do.Check, 3)
    with pytest.raises(Refused) as caught:
        play(felt, do.AwardPots, agreed=(2, 3))
    assert "WP-2P14" in caught.value.rules
