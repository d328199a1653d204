"""A hand works with none, some or all cards, stacks and actions known; what decides and is unknown is asked for."""

from decimal import Decimal
from typing import Any

import pytest

from cardroom.known.games import Form, Structure
from cardroom.tables import hand_events as ev
from cardroom.tables.hand_events import Capture, Known, Source
from tests.plugins.hand_play import IDS, Play, at_street, blinds, game, hc, showdown

NL = game(2, structure=Structure.NO_LIMIT, blinds=(1, 2))
LIMIT = game(10, 20, blinds=(5, 10))
COUNTED = Capture(cards=Known.NONE, stacks=Known.NONE, actions=Known.NONE)


def unknown_stacks() -> Play:
    """Return a hand of three whose chips nobody counted."""
    stacks: dict[int, Any] = {1: None, 2: None, 3: 100}
    return Play("WP", NL, stacks, button=3, posts=blinds((1, 1), (2, 2)))


def test_an_unknown_stack_has_no_upper_bound_and_stays_unknown() -> None:
    play = unknown_stacks().do("3 call")
    assert play.options() == {"fold", "call 1", "raise 4+"}
    play.do("1 raise 5000, 2 fold")
    assert play.stack(1) is None
    assert play.options() == {"fold", "call 98"}


def test_an_all_in_of_an_unknown_stack_asks_for_its_amount() -> None:
    play = unknown_stacks().do("3 call")
    assert (play.refused("1 allin").code, play.refused("1 allin").rules) == (
        "STACK_UNKNOWN",
        ("CR-12",),
    )
    play.do("1 allin 60, 2 fold, 3 call")
    play.deal().deal().deal()
    assert play.pots() == [(122, (1, 3))]
    results = play.show(1, 3).award(winners=(1,))
    assert results == {1: 122}
    settled = {result.seat: result for result in play.state.results}
    assert (settled[1].before_cents, settled[1].after_cents, settled[1].won_cents) == (
        None,
        None,
        12200,
    )
    assert settled[3].after_cents == 4000


def test_an_all_in_short_of_a_call_of_an_unknown_stack() -> None:
    play = unknown_stacks().do("3 raise 50, 1 allin 20, 2 fold")
    assert play.pots() == [(42, (1, 3))]


def test_the_winner_is_found_when_the_shown_cards_decide() -> None:
    play = at_street("WP", LIMIT, "river", {2: 300, 5: 300}, pot=40, board="As Kd 7h 4c 2s")
    play.check_around()
    play.do("2 show AhKh, 5 show QcQd")
    assert play.award() == {2: 40}


def test_a_pot_whose_cards_are_not_known_is_awarded_by_the_dealer() -> None:
    play = at_street("WP", LIMIT, "river", {2: 300, 5: 300}, pot=40).check_around().show(2, 5)
    refused = play.refusal(hc.AwardPots(**IDS, losers_killed=True))
    assert refused.code == "WINNER_UNKNOWN"
    assert refused.rules[0] == "CR-12"
    assert "2, 5" in refused.message
    assert play.award(winners=(5,)) == {5: 40}
    awarded = next(event for event in play.events if isinstance(event, ev.PotAwarded))
    assert awarded.by_dealer


def test_the_dealers_word_does_not_go_against_cards_that_lie_there() -> None:
    hands = {2: "Ah Kh", 5: "Qc Qd"}
    play = showdown("WP", LIMIT, "As Kd 7h 4c 2s", hands, pot=40).show(2, 5)
    refused = play.refusal(hc.AwardPots(**IDS, winners=(5,), losers_killed=True))
    assert (refused.code, refused.rules) == ("CARDS_SPEAK", ("WP-3S2",))


def test_known_hands_among_unknown_ones_still_speak() -> None:
    stacks = {2: 300, 5: 300, 7: 300}
    play = at_street("WP", LIMIT, "river", stacks, pot=40, board="As Kd 7h 4c 2s").check_around()
    play.do("2 show AhKh, 5 show QcQd").show(7)
    refused = play.refusal(hc.AwardPots(**IDS, winners=(5,), losers_killed=True))
    assert refused.code == "CARDS_SPEAK"
    assert play.award(winners=(7,)) == {7: 40}


def test_a_hand_of_one_tap_ends_by_who_took_the_pot() -> None:
    stacks: dict[int, Any] = {1: None, 2: None, 3: None}
    play = Play("WP", NL, stacks, button=3, capture=COUNTED)
    play.enter(hc.NoteWinner(**IDS, seats=(2,), source=Source.DEALER))
    assert play.state.over
    results = {result.seat: result for result in play.state.results}
    assert (results[2].won_cents, results[1].won_cents) == (None, 0)
    assert play.refusal(hc.NoteWinner(**IDS, seats=(2,))).code == "HAND_OVER"


def test_a_counted_pot_is_known() -> None:
    stacks: dict[int, Any] = {1: None, 2: None}
    play = Play("WP", NL, stacks, button=1, capture=COUNTED)
    assert play.refusal(hc.NoteWinner(**IDS, seats=())).rules == ("CR-12",)
    play.enter(hc.NoteWinner(**IDS, seats=(2,), pot_cents=4500))
    assert play.state.results[0].won_cents in {0, 4500}
    assert sum(result.won_cents or 0 for result in play.state.results) == 4500


def test_a_hand_whose_actions_are_entered_is_not_ended_by_word() -> None:
    play = at_street("WP", LIMIT, "river", {2: 300, 5: 300})
    assert play.refusal(hc.NoteWinner(**IDS, seats=(2,))).code == "ACTIONS_DECIDE"


@pytest.mark.parametrize("cards", [("As", "Kd"), ("Ah", "Ah"), ("Qc", "7h")])
def test_a_card_in_two_places_is_refused(cards: tuple[str, str]) -> None:
    play = at_street("WP", LIMIT, "flop", {2: 300, 5: 300}, board="As Kd 7h")
    refused = play.refusal(hc.NoteHoleCards(**IDS, hands=((2, cards),)))
    assert (refused.code, refused.rules) == ("CARD_TWICE", ("CR-5",))
    play.holds({2: "Qh Qd"})
    assert play.refusal(hc.NoteHoleCards(**IDS, hands=((5, ("Qh", "2c")),))).rules == ("CR-5",)
    assert play.refusal(hc.NoteHoleCards(**IDS, hands=((2, ("2c",)),))).code == "HOLE_CARD_COUNT"


def test_facts_may_be_added_after_the_hand_with_their_source() -> None:
    play = at_street("WP", LIMIT, "river", {2: 300, 5: 300}, pot=40, board="As Kd 7h 4c 2s")
    play.do("2 bet 20, 5 fold")
    noted = hc.NoteHoleCards(
        **IDS, hands=((5, ("Qh", "Qd")),), source=Source.CAMERA, reconstructed=True
    )
    event = play.enter(noted)[0]
    assert isinstance(event, ev.HoleCardsNoted)
    assert (event.source, event.reconstructed) == (Source.CAMERA, True)
    assert play.refusal(hc.NoteHoleCards(**IDS, hands=((2, ("Qh", "3c")),))).rules == ("CR-5",)


def test_cards_seen_later_take_the_places_of_unseen_ones() -> None:
    play = at_street("WP", LIMIT, "flop", {2: 300, 5: 300})
    play.holds({2: "?? Qd"}).holds({2: "Qh"})
    chair = next(chair for chair in play.state.chairs if chair.seat == 2)
    assert sorted(chair.down) == ["Qd", "Qh"]


def test_an_opener_that_unknown_upcards_decide_is_asked_for() -> None:
    play = Play("WP", game(4, 8, form=Form.STUD, bring_in=2), {1: 100, 2: 100, 3: 100})
    unread = hc.DealStreet(**IDS, up=((1, "2d"), (2, "Ks")))
    assert (play.refusal(unread).code, play.refusal(unread).rules) == ("OPENER_UNKNOWN", ("CR-12",))
    play.enter(hc.DealStreet(**IDS, up=((1, "2d"), (2, "Ks")), opener=3))
    assert play.options() == {"bring in 2", "complete 4"}


def test_every_card_entered_makes_the_next_street_wait_for_them() -> None:
    capture = Capture(cards=Known.ALL)
    play = Play(
        "WP", LIMIT, {1: 100, 2: 100}, button=2, posts=blinds((2, 5), (1, 10)), capture=capture
    )
    play.do("2 call, 1 check")
    assert play.refusal(hc.DealStreet(**IDS)).code == "HOLE_CARDS_MISSING"
    play.holds({1: "As Ad", 2: "?? ??"}).deal()


def test_half_a_hand_of_hole_cards_makes_the_flop_wait() -> None:
    omaha = game(10, 20, form=Form.OMAHA, blinds=(5, 10))
    play = Play("HG", omaha, {1: 100, 2: 100}, button=2, posts=blinds((2, 5), (1, 10)))
    play.do("2 call, 1 check").holds({1: "As Ad 2c"})
    refused = play.refusal(hc.DealStreet(**IDS))
    assert refused.code == "HOLE_CARDS_MISSING"
    assert "3 of 4" in refused.message


def test_chips_come_out_right_with_some_stacks_unknown() -> None:
    play = unknown_stacks().do("3 raise 10, 1 fold, 2 call").deal().check_around()
    play.deal().check_around().deal().check_around().show(2, 3)
    assert play.award(winners=(3,)) == {3: 21}
    assert play.stack(3) == Decimal(111)


def test_a_voided_hand_gives_everything_back() -> None:
    posts = blinds((1, 5), (2, 10))
    play = Play("WP", LIMIT, {1: 100, 2: 100, 3: 100}, button=3, posts=posts).do("3 raise 20")
    play.enter(hc.VoidHand(**IDS, reason="fouled deck", rules=("WP-3I3",)))
    assert [play.stack(seat) for seat in (1, 2, 3)] == [100, 100, 100]
    assert play.refused("1 call").code == "HAND_OVER"
    assert play.refusal(hc.VoidHand(**IDS, reason="again", rules=("WP-3I3",))).code == "CANNOT_VOID"


def test_a_stale_entry_is_refused() -> None:
    play = at_street("WP", LIMIT, "river", {2: 300, 5: 300})
    seen = play.state.version
    play.do("2 check")
    late = hc.Check(**IDS, seat=5, after=seen)
    assert play.refusal(late).rules == ("CR-1",)
    play.enter(hc.Check(**IDS, seat=5, after=seen + 1))
