"""Worked cases of betting.turn, and of the clock (betting.time_called), in all four books."""

from datetime import UTC, datetime, timedelta

import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form
from cardroom.poker.legal import Act
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as ev
from cardroom.tables.hand_clock import check_in_time, clock_due
from cardroom.tables.observations.rounds import (
    actions,
    opener,
    wagers,
)
from tests.plugins.hand_play import IDS, Play, at_street, blinds, command, game, stud
from tests.plugins.observing import back, enter, fact, moved, saw

LC_6_12 = game(6, 12, chip=2, blinds=(2, 6))
LC_STUD = game(3, 6, form=Form.STUD, ante="0.5", bring_in=1, chip="0.5")
RC_4_8 = game(4, 8, blinds=(2, 4))
RC_6_12 = game(6, 12, blinds=(3, 6))
RC_LOWBALL = game(6, 12, form=Form.LOWBALL, blinds=(3, 6))
HG_2_4 = game(2, 4, chip="0.25", blinds=(1, 2))
WP_BIG = game(50, 100, blinds=(25, 50))
NINE = datetime(2025, 3, 7, 21, 0, tzinfo=UTC)


def flop(book: str, a_game: object, *seats: int, do_first: str = "", **values: bool) -> Play:
    """Return a flop with these seats in and some actions taken."""
    play = at_street(
        book, a_game, "flop", dict.fromkeys(seats, 200), button=max(seats), values=values or None
    )  # type: ignore[arg-type]
    return play.do(do_first) if do_first else play


@pytest.mark.rule("LC-55", 1)
def test_check_and_raise_is_allowed() -> None:
    play = flop("LC", LC_6_12, 2, 5, 8, do_first="2 check, 5 bet 6, 8 fold")
    play.do("2 raise 12")
    assert play.state.betting.level_cents == 1200


@pytest.mark.rule("LC-55", 2)
def test_a_posted_notice_bars_check_and_raise() -> None:
    play = flop("LC", LC_6_12, 2, 5, do_first="2 check, 5 bet 6", betting__check_raise=False)
    assert play.refused("2 raise 12").code == "CHECK_RAISE_NOT_ALLOWED"
    assert play.options() == {"fold", "call 6"}
    finding = saw(play, 2, "say raise; put 2x6")
    assert finding.remedy == "call"
    assert moved(finding) == back(2, 6)


@pytest.mark.rule("LC-59", 1)
def test_a_tap_in_turn_is_a_check() -> None:
    play = flop("LC", LC_6_12, 4, 7)
    finding = saw(play, 4, "tap")
    assert (finding.remedy, finding.binding, finding.rules) == ("check", True, ("LC-59",))
    enter(play, finding)
    assert play.state.to_act == 7


@pytest.mark.rule("LC-59", 2)
def test_a_tap_out_of_turn_is_no_check() -> None:
    play = flop("LC", LC_6_12, 2, 4, 7)
    finding = saw(play, 4, "tap")
    assert (finding.remedy, finding.rules) == ("not_binding", ("LC-50",))
    enter(play, finding)
    assert play.state.to_act == 2
    assert all(event.seat != 4 for event in actions(play.state) if event.betting.street == 1)


@pytest.mark.rule("LC-60", 1)
def test_a_fold_without_a_wager_is_noted() -> None:
    play = flop("LC", LC_6_12, 2, 5, 8, do_first="2 check")
    finding = saw(play, 5, "throw")
    assert (finding.remedy, finding.binding, finding.rules) == ("fold", True, ("LC-60",))
    assert fact(finding, "reason") == "folded_without_wager"
    enter(play, finding)
    assert play.state.to_act == 8


@pytest.mark.rule("LC-GL-action", 1)
def test_posts_are_no_actions() -> None:
    play = Play("LC", LC_6_12, {4: 60, 5: 60, 6: 60, 7: 60}, button=3, posts=blinds((4, 2), (5, 6)))
    assert actions(play.state) == ()
    play.do("6 fold")
    assert [event.act for event in actions(play.state)] == [Act.FOLD]


@pytest.mark.rule("LC-GL-call", 1)
def test_a_call_matches_the_wager_faced() -> None:
    play = Play("LC", LC_6_12, {4: 60, 5: 60, 6: 60, 7: 60}, button=3, posts=blinds((4, 2), (5, 6)))
    play.do("6 raise 12, 7 raise 18, 4 fold")
    finding = saw(play, 5, "say call")
    enter(play, finding)
    called = actions(play.state)[-1]
    assert (called.act, called.added_cents) == (Act.CALL, 1200)


@pytest.mark.rule("LC-GL-check-raise", 1)
def test_a_check_of_another_round_is_no_check_raise() -> None:
    play = at_street(
        "LC",
        LC_6_12,
        "flop",
        {2: 200, 5: 200},
        button=1,
        values={"betting__check_raise": False},
    )
    play.do("2 check, 5 check").deal()
    # Seat 2 is first on the turn and has not acted when seat 5 bets: out of turn, heads-up, and it stands.
    enter(play, saw(play, 5, "put 2x6", opponent_wants="stand"))
    play.do("2 raise 24")
    assert play.state.betting.level_cents == 2400


@pytest.mark.rule("LC-GL-facing-a-bet", 1)
def test_who_faces_a_bet_cannot_check() -> None:
    play = flop("LC", LC_6_12, 2, 5, do_first="2 bet 6")
    assert play.refused("5 check").code == "CANNOT_CHECK"
    finding = saw(play, 5, "say check")
    assert finding.remedy == "facing_wager"
    assert fact(finding, "reason") == "facing_wager"
    assert play.options() == {"fold", "call 6", "raise 12"}


@pytest.mark.rule("LC-GL-opener", 1)
def test_the_opener_bets_of_his_own_accord() -> None:
    play = stud("LC", LC_STUD, {4: "2c", 5: "9d", 7: "Kh"}, street=3)
    play.do("4 bringin, 5 call, 7 complete 3")
    assert opener(play.state) == 7


@pytest.mark.rule("LC-GL-wager", 1)
def test_bets_and_raises_are_wagers() -> None:
    play = flop("LC", LC_6_12, 2, 5, 8, do_first="2 bet 6, 5 call, 8 raise 12, 2 call, 5 fold")
    assert len(wagers(play.state)) == 2


@pytest.mark.rule("RC-B1", 1)
def test_check_raising_is_allowed() -> None:
    play = flop("RC", RC_6_12, 2, 5, do_first="2 check, 5 bet 6, 2 raise 12")
    assert play.state.betting.level_cents == 1200


@pytest.mark.rule("RC-B1", 2)
def test_a_listed_form_of_lowball_bars_check_raising() -> None:
    play = Play(
        "RC",
        RC_LOWBALL,
        {2: 200, 5: 200, 7: 200},
        button=7,
        posts=blinds((2, 3), (5, 6)),
        values={"betting__check_raise": False},
    )
    play.check_around()
    for seat in (2, 5, 7):
        play.enter(do.Exchange(**IDS, seat=seat, count=0))
    play.do("2 check, 5 bet 12, 7 fold")
    refused = play.refused("2 raise 24")
    assert refused.code == "CHECK_RAISE_NOT_ALLOWED"
    assert play.options() == {"fold", "call 12"}
    finding = saw(play, 2, "say raise")
    assert finding.remedy == "call"
    assert finding.rules == refused.rules


@pytest.mark.rule("RC-B7", 1)
def test_chips_out_of_turn_go_back() -> None:
    play = at_street("RC", RC_4_8, "turn", {3: 100, 5: 100, 7: 100}, button=1)
    finding = saw(play, 5, "put 4x2")
    assert (finding.remedy, finding.binding, finding.rules) == ("not_binding", True, ("RC-B7",))
    assert moved(finding) == back(5, 8)
    enter(play, finding)
    assert play.state.to_act == 3
    assert play.options() == {"fold", "check", "bet 8"}
    play.do("3 check")
    assert play.options() == {"fold", "check", "bet 8"}


@pytest.mark.rule("RC-B7", 2)
def test_a_tap_in_turn_passes_the_action() -> None:
    play = at_street("RC", RC_4_8, "turn", {3: 100, 4: 100, 6: 100}, button=1)
    finding = saw(play, 3, "tap")
    assert (finding.remedy, finding.binding) == ("check", True)
    assert "RC-B7" in finding.rules
    enter(play, finding)
    assert play.state.to_act == 4


@pytest.mark.rule("HG-B1", 1)
def test_the_home_game_allows_check_raising() -> None:
    play = flop("HG", HG_2_4, 2, 5, do_first="2 check, 5 bet 2, 2 raise 4")
    assert play.state.betting.level_cents == 400


# ------------------------------------------------------------------ the clock


def on_the_clock(play: Play, seat: int, at: datetime) -> ev.ClockCalled:
    """Put the clock on a seat."""
    called = play.enter(do.CallClock(**IDS, seat=seat, at=at))[0]
    assert isinstance(called, ev.ClockCalled)
    return called


def expire(play: Play) -> ev.ClockExpired:
    """Let the clock run out."""
    ((_, due),) = clock_due(play.state)
    expired = play.enter(due)[0]
    assert isinstance(expired, ev.ClockExpired)
    return expired


@pytest.mark.rule("HG-D6", 1)
def test_a_hand_facing_a_wager_is_dead_when_the_clock_runs_out() -> None:
    play = at_street("HG", HG_2_4, "river", {3: 50, 5: 50, 7: 50}, button=1).do("3 bet 4")
    called = on_the_clock(play, 5, NINE + timedelta(minutes=10))
    assert called.seconds == 60
    ((at, _),) = clock_due(play.state)
    assert at == NINE + timedelta(minutes=11)
    expired = expire(play)
    assert expired.dead
    assert "HG-D6" in expired.rules
    assert play.state.to_act == 7


@pytest.mark.rule("HG-D6", 2)
def test_an_action_in_time_stops_the_clock() -> None:
    play = at_street("HG", HG_2_4, "river", {3: 50, 5: 50, 7: 50}, button=1).do("3 bet 4")
    on_the_clock(play, 5, NINE + timedelta(minutes=10))
    check_in_time(
        play.state, command("5 call"), NINE + timedelta(minutes=10, seconds=59), play.rules
    )
    play.do("5 call")
    assert play.state.clock is None
    assert clock_due(play.state) == ()


@pytest.mark.rule("WP-3D1f", 1)
def test_at_the_very_second_it_is_in_time_and_later_it_is_not() -> None:
    play = at_street("WP", WP_BIG, "turn", {2: 500, 6: 500, 8: 500}, button=1).do("2 bet 100")
    on_the_clock(play, 6, NINE)
    call = command("6 call")
    check_in_time(play.state, call, NINE + timedelta(minutes=1), play.rules)
    with pytest.raises(Refused) as late:
        check_in_time(play.state, call, NINE + timedelta(minutes=1, seconds=1), play.rules)
    assert late.value.code == "CLOCK_EXPIRED"
    assert "WP-3D1f" in late.value.rules
    assert expire(play).dead
    play.refusal(call)
    assert play.state.to_act == 8


@pytest.mark.rule("WP-3D1f", 2)
def test_without_a_bet_to_face_the_hand_lives() -> None:
    play = at_street("WP", WP_BIG, "turn", {6: 500, 8: 500}, button=1)
    on_the_clock(play, 6, NINE)
    expired = expire(play)
    assert not expired.dead
    assert play.state.to_act == 6
    play.do("6 check")
