"""More examples of seat changes: positions moved, empty seats on the way, the new game, in seating and at the table."""

import pytest

from cardroom.seating import events as se
from cardroom.seating.values import EntryKind
from cardroom.tables import commands as c
from cardroom.tables.seats import WayIn
from tests.plugins.floor_world import found
from tests.plugins.tables_world import LC_6_12, WP_4_8, WP_10_20, Felt, blinds_of, posts_of
from tests.rules.test_seating_changes import change, game


@pytest.mark.rule("LC-88a")
@pytest.mark.parametrize(
    ("there", "to_seat", "hands"),
    [
        ((1, 2, 3, 4, 5, 6, 7, 9), 8, 3),
        ((1, 2, 3, 4, 5, 7, 9), 8, 2),  # seat 6 is empty
        ((1, 2, 3, 4, 5, 9), 8, 1),  # seats 6 and 7 are
        ((1, 2, 3, 4, 5, 6, 7, 8), 9, 4),
    ],
)
def test_positions_moved_skip_empty_seats(there: tuple[int, ...], to_seat: int, hands: int) -> None:
    w = game("LC", there)
    w.hand("t3", 1, 1, 2, 3)
    moved = found(w.seat(change("p5", to_seat)), se.SeatChanged)
    assert (moved.entry.kind, moved.entry.wait_hands) == (EntryKind.WAIT_HANDS, hands)

    felt = Felt("LC", LC_6_12, there)
    felt.stood(1, 2, 3)
    felt.run(c.ChangeSeat, seat=5, to_seat=to_seat)
    assert felt.seat(to_seat).wait_hands == hands


@pytest.mark.rule("LC-88a")
def test_three_positions_are_three_hands_at_the_table() -> None:
    felt = Felt("LC", LC_6_12, "1-7,9")
    felt.stood(9, 1, 2)
    felt.count()  # hand 1: button 1, small blind 2, big blind 3
    felt.run(c.ChangeSeat, seat=5, to_seat=8)
    felt.sit(5, 60, player="new")
    for big in (4, 5, 6):
        seen = felt.next()
        assert blinds_of(seen)[big][0] == "big_blind"
        assert 8 not in seen.dealt
        felt.count()
    seen = felt.next()
    assert blinds_of(seen)[7][0] == "big_blind"
    assert 8 in seen.dealt
    assert posts_of(seen, 8) == (0, 0)


@pytest.mark.rule("LC-88a")
def test_the_wait_ends_when_the_big_blind_reaches_the_seat() -> None:
    felt = Felt("LC", LC_6_12, "1,2,3,4,5")
    felt.stood(5, 1, 2)
    felt.count()  # big blind 3
    felt.run(c.ChangeSeat, seat=5, to_seat=7)
    felt.leave(4)
    seen = felt.next()
    assert blinds_of(seen)[7] == ("big_blind", 6)


@pytest.mark.rule("RC-T8")
@pytest.mark.parametrize("to_seat", [4, 8])
def test_a_seat_changer_posts_or_waits_wherever_he_moved_also_in_a_new_game(to_seat: int) -> None:
    felt = Felt("RC", WP_4_8, "1-3,5-7,9")
    felt.draw(9)
    felt.count()
    felt.run(c.ChangeSeat, seat=6, to_seat=to_seat)
    if to_seat == 4:  # the next big blind is due there
        assert blinds_of(felt.next())[3][0] == "big_blind"
        felt.count()
        assert blinds_of(felt.next())[4] == ("big_blind", 4)
        return
    assert 8 not in felt.next().dealt
    felt.way(8, WayIn.POST, 4)
    assert posts_of(felt.next(), 8) == (4, 4)


@pytest.mark.rule("RC-T8")
def test_moving_toward_the_blinds_is_no_free_hand_there() -> None:
    felt = Felt("RC", WP_4_8, "1-4,6-9")
    felt.stood(9, 1, 2)
    felt.count()  # button 1, small blind 2, big blind 3
    felt.run(c.ChangeSeat, seat=8, to_seat=5)
    seen = felt.next()
    assert blinds_of(seen)[4][0] == "big_blind"
    assert 5 not in seen.dealt


@pytest.mark.rule("WP-413")
def test_players_away_are_no_active_positions() -> None:
    felt = Felt("WP", WP_10_20, "1-7,9")
    felt.stood(1, 2, 3)
    felt.away(6)
    felt.run(c.ChangeSeat, seat=5, to_seat=8)
    assert felt.seat(8).wait_hands == 1
