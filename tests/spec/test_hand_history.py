"""What a hand keeps of its past: every event that counts, in little room, the same after rewinds."""

from functools import reduce

import pytest

from cardroom.kernel.events import Event
from cardroom.tables import hand_history
from cardroom.tables.hand import INITIAL, Hand, at_version, evolve, history_of
from tests.plugins.hand_play import IDS, Play, at_street, game, hc


@pytest.fixture(autouse=True, params=["large table", "small table"])
def _packed_often(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a hand of some thirty events be packed and compressed more than once."""
    if request.param == "large table":
        monkeypatch.setattr(hand_history, "SMALL_TABLE", 2)
    monkeypatch.setattr(hand_history, "PACKED_EACH", 8)
    monkeypatch.setattr(hand_history, "COMPRESSED_EACH", 16)


def long_hand() -> Play:
    """Return a limit hand that many play to the river, its early events packed more than once."""
    play = at_street("WP", game(10, 20), "flop", dict.fromkeys(range(1, 7), 900), button=6)
    for cards in ("5h", "6h", ""):
        play.do("1 bet " + ("10" if cards == "5h" else "20"))
        for seat in range(2, 7):
            play.do(f"{seat} call")
        if cards:
            play.deal(cards)
    assert len(play.events) >= 32
    return play


def folded(events: list[Event]) -> Hand:
    """Return the fold of events."""
    return reduce(evolve, events, INITIAL)


def test_every_event_that_counts_is_kept_with_its_version() -> None:
    play = long_hand()
    assert history_of(play.state) == tuple(enumerate(play.events, 1))


def test_the_hand_at_a_version_is_the_fold_up_to_it() -> None:
    play = long_hand()
    for version in range(1, len(play.events) + 1):
        assert at_version(play.state, version) == folded(play.events[:version])


def test_a_rewind_far_back_and_another_leave_what_counts() -> None:
    play = long_hand()
    before = history_of(play.state)
    to = 21
    play.enter(hc.RewindHand(**IDS, to=to, reason="entered at the wrong table"))
    assert history_of(play.state) == before[:to]
    seat = play.state.to_act
    play.do(f"{seat} fold")
    again = play.state.version
    assert history_of(play.state)[:-1] == before[:to]
    assert history_of(play.state)[-1][0] == again
    play.enter(hc.RewindHand(**IDS, to=to, reason="nor did that player fold"))
    assert history_of(play.state) == before[:to]
    assert play.state.to_act == seat
    assert folded(play.events) == play.state
