"""What a correction has to name, what it brings, and when it is refused."""

import pytest

from cardroom.tables import hand_events as ev
from cardroom.tables.hand import history_of
from tests.plugins.hand_play import IDS, Play, at_street, game, hc

LIMIT = game(10, 20)


def turn() -> Play:
    """Return the turn with a bet and a raise in."""
    play = at_street("WP", LIMIT, "turn", {2: 300, 5: 300, 8: 300}, button=1)
    return play.do("2 bet 20, 5 raise 40, 8 fold")


def version_of(play: Play, seat: int, act: str) -> int:
    """Return the version of a seat's last action of a kind."""
    return next(
        version
        for version, event in reversed(history_of(play.state))
        if isinstance(event, ev.ActionTaken) and event.seat == seat and event.act.value == act
    )


def test_a_rewind_goes_on_from_the_earlier_point_and_keeps_the_log() -> None:
    play = turn()
    raised = version_of(play, 5, "raise")
    logged = len(play.events)
    play.enter(hc.RewindHand(**IDS, to=raised - 1, reason="seat 5 only called"))
    assert play.state.to_act == 5
    assert len(play.events) == logged + 1
    play.do("5 call, 8 fold")
    assert play.state.pot_cents == 4000
    assert play.state.version == len(play.events)


def test_a_corrected_entry_enters_what_followed_anew() -> None:
    play = turn()
    raised = version_of(play, 5, "raise")
    right = hc.Call(**IDS, seat=5)
    events = play.enter(
        hc.CorrectEntry(**IDS, entry=raised, corrected=right, reason="seat 5 only called")
    )
    assert isinstance(events[0], ev.EntryCorrected)
    assert (events[0].entry, events[0].to) == (raised, raised - 1)
    assert play.state.pot_cents == 4000
    assert [chair.seat for chair in play.state.chairs if chair.live] == [2, 5]


def test_an_entry_may_be_taken_out() -> None:
    play = at_street("WP", LIMIT, "turn", {2: 300, 5: 300}, button=1)
    play.enter(hc.NoteHoleCards(**IDS, hands=((2, ("As", "Ad")),)))
    noted = play.state.version
    play.do("2 check")
    play.enter(hc.CorrectEntry(**IDS, entry=noted, corrected=None, reason="another seat's cards"))
    assert next(chair for chair in play.state.chairs if chair.seat == 2).down == ()
    assert play.state.to_act == 5


def test_a_later_entry_that_does_not_stand_is_named() -> None:
    play = turn()
    bet = version_of(play, 2, "bet")
    refused = play.refusal(
        hc.CorrectEntry(**IDS, entry=bet, corrected=hc.Check(**IDS, seat=2), reason="a check")
    )
    assert refused.code == "LATER_ENTRY_DOES_NOT_STAND"
    assert "RaiseTo is refused" in refused.message
    assert refused.options


@pytest.mark.parametrize(
    ("asked", "code", "rule"),
    [
        (hc.RewindHand(**IDS, to=999, reason="wrong"), "ENTRY_UNKNOWN", "CR-2"),
        (hc.RewindHand(**IDS, to=1, reason=" "), "REASON_MISSING", "CR-9"),
        (
            hc.CorrectEntry(**IDS, entry=1, corrected=None, reason="wrong"),
            "ENTRY_UNKNOWN",
            "CR-2",
        ),
        (
            hc.CorrectEntry(**IDS, entry=999, corrected=None, reason="wrong"),
            "ENTRY_UNKNOWN",
            "CR-2",
        ),
    ],
)
def test_a_correction_names_an_entry_and_a_reason(
    asked: hc.HandCommand, code: str, rule: str
) -> None:
    refused = turn().refusal(asked)
    assert (refused.code, refused.rules) == (code, (rule,))


def test_what_followed_by_itself_is_corrected_by_its_entry() -> None:
    play = at_street("WP", LIMIT, "turn", {2: 300, 5: 300}, button=1)
    closed = next(
        version for version, event in history_of(play.state) if isinstance(event, ev.BettingClosed)
    )
    refused = play.refusal(
        hc.CorrectEntry(**IDS, entry=closed, corrected=None, reason="no such thing")
    )
    assert refused.code == "NOT_AN_ENTRY"


def test_a_settled_hand_may_be_reopened_by_a_rewind() -> None:
    play = at_street("WP", LIMIT, "river", {2: 300, 5: 300}, button=1, pot=40)
    play.do("2 bet 20, 5 fold")
    folded = version_of(play, 5, "fold")
    play.enter(hc.RewindHand(**IDS, to=folded - 1, reason="seat 5 called"))
    assert play.state.to_act == 5
    play.do("5 call")
    assert play.state.pot_cents == 8000


def test_a_rewound_entry_cannot_be_named_again() -> None:
    play = turn()
    raised = version_of(play, 5, "raise")
    play.enter(hc.RewindHand(**IDS, to=raised - 1, reason="seat 5 only called"))
    refused = play.refusal(hc.RewindHand(**IDS, to=raised, reason="no"))
    assert refused.code == "ENTRY_UNKNOWN"
