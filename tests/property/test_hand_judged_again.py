"""Hands judged again: under the book they pinned nothing differs; under another just what that book decides."""

from hypothesis import given, settings

from cardroom.audit.judging import judged_again
from cardroom.tables.hand import history_of
from tests.plugins.hand_play import at_street, game, rules_of
from tests.plugins.hand_random import Tape, dealt, many, played, tapes, telling

HANDS = 500


@settings(max_examples=many(HANDS), deadline=None)
@given(tape=tapes())
def test_nothing_differs_under_the_book_that_a_hand_pinned(tape: Tape) -> None:
    hand = dealt(tape, houses=True)
    with telling(hand.play):
        played(tape, hand, astray=True)
        again = judged_again(hand.play.state, hand.play.rules, hand.play.rules)
        assert again.differences == ()


def test_what_another_book_refuses_is_told_with_its_rules() -> None:
    six_twelve = game(6, 12, blinds=(2, 6), chip=1)
    play = at_street("WP", six_twelve, "flop", {2: 100, 3: 9, 5: 100}, button=1)
    play.do("2 bet 6, 3 allin, 5 raise 15, 2 call")
    pinned = play.rules
    assert judged_again(play.state, pinned, pinned).differences == ()
    differences = judged_again(play.state, pinned, rules_of("LC", six_twelve)).differences
    last = differences[-1]
    assert (last.event, last.recorded) == ("RaiseTo", "accepted")
    assert last.today.startswith("refused, ")
    assert "LC-66" in last.rules
    entered = next(
        v for v, event in history_of(play.state) if getattr(event, "to_cents", 0) == 1500
    )
    assert last.version == entered
