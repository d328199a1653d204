"""The jackpot's worked cases, played as written on the pure core."""

from typing import Any

import msgspec
import pytest

from cardroom.evaluator.native import NativeEvaluator
from cardroom.evaluator.reference import ReferenceEvaluator
from cardroom.jackpot import commands as c
from cardroom.jackpot import events as e
from cardroom.jackpot.core import claim_id_of, claim_stream, decider, pool_stream
from cardroom.kernel.refusal import Refused
from cardroom.known import Form, Game, Structure
from tests.plugins.world import ROOM, World


@pytest.fixture(params=[NativeEvaluator, ReferenceEvaluator], ids=["native", "reference"])
def evaluator(request: pytest.FixtureRequest) -> Any:
    return request.param()


class Room:
    """A home-game room with one jackpot pool of a given size."""

    def __init__(
        self, evaluator: Any, jackpot_cents: int, unit_cents: int = 25, **values: Any
    ) -> None:
        self.world = World(decider(evaluator), "HG", jackpot__rounding_unit=unit_cents, **values)
        self.rules = self.world.offer(
            Game(
                game_id="he",
                name="Hold'em",
                form=Form.HOLDEM,
                structure=Structure.NO_LIMIT,
                small_bet_cents=100,
            )
        )
        self.world.do(c.OpenPool(room=ROOM, pool="main", game_ids=(), seed_cents=jackpot_cents))
        self.hands = 0

    def balance(self) -> int:
        return int(self.world.state(pool_stream(ROOM, "main")).balance_cents)

    def facts(
        self,
        *,
        dealt_in: int = 6,
        seated: int = 0,
        pot_cents: int = 3400,
        form: str = "holdem",
        board: str = "",
        shown: dict[int, str] | None = None,
        drop_cents: int = 0,
        **more: Any,
    ) -> e.HandFacts:
        self.hands += 1
        seats = tuple(e.SeatPlayer(seat=s, player_id=f"p{s}") for s in range(1, dealt_in + 1))
        extra = tuple(
            e.SeatPlayer(seat=s, player_id=f"p{s}") for s in range(dealt_in + 1, seated + 1)
        )
        return e.HandFacts(
            hand_id=f"hand/{ROOM}/t1/{self.hands}",
            table="t1",
            game_id="he",
            form=form,
            dealt_in=seats,
            seated=seats + extra,
            board=board,
            shown=tuple(
                e.ShownHand(seat=seat, cards=cards) for seat, cards in (shown or {}).items()
            ),
            pot_cents=pot_cents,
            drop_cents=drop_cents,
            book_digest=self.rules.digest,
            **more,
        )

    def claim(self, **facts: Any) -> str:
        hand = self.facts(**facts)
        self.world.do(c.OpenClaim(room=ROOM, facts=hand))
        return claim_id_of(hand.hand_id)

    def award(self, **facts: Any) -> dict[int, int]:
        claim = self.claim(**facts)
        self.world.do(c.AwardJackpot(room=ROOM, claim=claim))
        state = self.world.state(claim_stream(ROOM, claim))
        paid = sum(share.cents for share in state.shares)
        awarded = self.world.events(e.JackpotAwarded)[-1]
        assert awarded.jackpot_cents == paid + self.balance()
        return {share.seat: share.cents for share in state.shares}

    def refused(self, **facts: Any) -> Refused:
        claim = self.claim(**facts)
        before = self.balance()
        with pytest.raises(Refused) as caught:
            self.world.do(c.AwardJackpot(room=ROOM, claim=claim))
        assert self.balance() == before
        return caught.value


def bad_beat(loser: int = 3, winner: int = 5) -> dict[str, Any]:
    return {"board": "Ac2s2hJd7c", "shown": {loser: "AsAh", winner: "2c2d"}}


# ------------------------------------------------------------------------------------------- contributions


def test_the_drop_of_a_hand_goes_into_the_pool_once(evaluator: Any) -> None:
    room = Room(evaluator, 6000)
    hand = room.facts(form="five_card_draw", pot_cents=2650, drop_cents=25)
    room.world.do(c.ConsiderHand(room=ROOM, facts=hand))
    room.world.do(c.ConsiderHand(room=ROOM, facts=hand))  # heard twice, counted once
    assert room.balance() == 6025


def test_a_hand_without_drop_leaves_the_pool_as_it_is(evaluator: Any) -> None:
    room = Room(evaluator, 6000)
    assert room.world.do(c.ConsiderHand(room=ROOM, facts=room.facts(pot_cents=975))) == ()
    assert room.balance() == 6000


@pytest.mark.rule("HG-G5a")
def test_a_tournament_gives_nothing_and_wins_nothing(evaluator: Any) -> None:
    room = Room(evaluator, 6000)
    refusal = room.refused(tournament=True, pot_cents=4000, **bad_beat())
    assert "HG-G5a" in refusal.rules
    assert room.balance() == 6000


def test_the_jackpot_is_the_sum_of_the_quarters(evaluator: Any) -> None:
    room = Room(evaluator, 6225)
    for pot, drop in ((1200, 25), (975, 0), (1000, 25), (3150, 25)):
        room.world.do(c.ConsiderHand(room=ROOM, facts=room.facts(pot_cents=pot, drop_cents=drop)))
    assert room.balance() == 6300


@pytest.mark.rule("HG-J0", 2)
def test_what_a_payout_keeps_back_opens_the_next_jackpot(evaluator: Any) -> None:
    room = Room(evaluator, 8400)
    assert sum(room.award(**bad_beat()).values()) == 6700
    assert room.balance() == 1700


def test_odd_amounts_of_high_low_pots_are_part_of_the_jackpot(evaluator: Any) -> None:
    room = Room(evaluator, 1000)
    room.world.do(
        c.ConsiderHand(room=ROOM, facts=room.facts(pot_cents=1300, drop_cents=25, odd_cents=25))
    )
    assert room.balance() == 1050


def test_a_contribution_can_be_taken_back_when_its_hand_is_ruled_otherwise(evaluator: Any) -> None:
    room = Room(evaluator, 1000)
    hand = room.facts(drop_cents=25)
    room.world.do(c.ConsiderHand(room=ROOM, facts=hand))
    room.world.do(
        c.ReverseContribution(room=ROOM, pool="main", hand_id=hand.hand_id, reason="misdeal")
    )
    assert room.balance() == 1000


# ------------------------------------------------------------------------------------------- payouts


@pytest.mark.rule("HG-JT1", 1)
def test_up_to_a_hundred_pays_four_fifths_to_the_loser(evaluator: Any) -> None:
    room = Room(evaluator, 8400)
    assert room.award(**bad_beat()) == {3: 6700}
    assert room.balance() == 1700


@pytest.mark.rule("HG-JT1", 2)
def test_exactly_a_hundred_is_still_the_first_tier(evaluator: Any) -> None:
    room = Room(evaluator, 10000)
    assert room.award(**bad_beat()) == {3: 8000}
    assert room.balance() == 2000


@pytest.mark.rule("HG-JT2", 1)
def test_over_a_hundred_pays_loser_and_winner(evaluator: Any) -> None:
    room = Room(evaluator, 17350)
    assert room.award(**bad_beat()) == {3: 12125, 5: 3450}
    assert room.balance() == 1775


@pytest.mark.rule("HG-JT2", 2)
def test_the_first_amount_over_a_hundred(evaluator: Any) -> None:
    room = Room(evaluator, 10025)
    assert room.award(**bad_beat()) == {3: 7000, 5: 2000}
    assert room.balance() == 1025


@pytest.mark.rule("HG-JT2", 3)
def test_a_rounding_unit_of_a_cent_leaves_nothing_over(evaluator: Any) -> None:
    room = Room(evaluator, 17350, unit_cents=1)
    assert room.award(**bad_beat()) == {3: 12145, 5: 3470}
    assert room.balance() == 1735


@pytest.mark.rule("HG-JT3", 1)
def test_over_two_hundred_pays_the_others_dealt_in(evaluator: Any) -> None:
    room = Room(evaluator, 20025)
    assert room.award(**bad_beat()) == {3: 10000, 5: 4000, 1: 1000, 2: 1000, 4: 1000, 6: 1000}
    assert room.balance() == 2025


@pytest.mark.rule("HG-JT3", 2)
def test_eight_dealt_in_share_in_six_parts(evaluator: Any) -> None:
    room = Room(evaluator, 31275)
    paid = room.award(dealt_in=8, **bad_beat())
    assert (paid[3], paid[5]) == (15625, 6250)
    assert [paid[seat] for seat in (1, 2, 4, 6, 7, 8)] == [1025] * 6
    assert room.balance() == 3250


@pytest.mark.rule("HG-JT3", 3)
@pytest.mark.rule("HG-J2a", 1)
def test_an_omaha_bad_beat_with_five_dealt_in(evaluator: Any) -> None:
    room = Room(evaluator, 25000)
    paid = room.award(
        dealt_in=5,
        form="omaha",
        pot_cents=2650,
        board="5s5hQdQs2c",
        shown={1: "5c5dKh3s", 4: "QcQh9d8d"},
    )
    assert paid == {1: 12500, 4: 5000, 2: 1650, 3: 1650, 5: 1650}
    assert room.balance() == 2550


THREE_QUALIFY = {
    "board": "8s8h9s9hTs",
    "shown": {1: "JsQs", 3: "9d9c", 6: "8d8c"},
    "pot_cents": 4800,
}


@pytest.mark.rule("HG-JT4", 1)
def test_only_the_best_losing_hand_is_paid_as_such(evaluator: Any) -> None:
    room = Room(evaluator, 24000)
    paid = room.award(dealt_in=7, **THREE_QUALIFY)
    assert (paid[3], paid[1]) == (12000, 4800)
    assert [paid[seat] for seat in (2, 4, 5, 6, 7)] == [950] * 5
    assert room.balance() == 2450


@pytest.mark.rule("HG-JT4", 2)
def test_the_second_losing_hand_gets_nothing_at_the_first_tier(evaluator: Any) -> None:
    room = Room(evaluator, 8400)
    assert room.award(dealt_in=6, **THREE_QUALIFY) == {3: 6700}
    assert room.balance() == 1700


def test_a_house_may_let_both_losing_hands_share(evaluator: Any) -> None:
    room = Room(evaluator, 8400, jackpot__second_losing_hand="share")
    assert room.award(dealt_in=6, **THREE_QUALIFY) == {3: 3350, 6: 3350}


@pytest.mark.rule("HG-J1a", 1)
def test_players_sitting_out_get_nothing(evaluator: Any) -> None:
    room = Room(evaluator, 25000)
    paid = room.award(seated=8, **bad_beat())
    assert paid == {3: 12500, 5: 5000, 1: 1250, 2: 1250, 4: 1250, 6: 1250}
    assert room.balance() == 2500


def test_a_house_may_pay_everybody_seated(evaluator: Any) -> None:
    room = Room(evaluator, 25000, jackpot__others="seated")
    paid = room.award(seated=8, **bad_beat())
    assert set(paid) == set(range(1, 9))


# ------------------------------------------------------------------------------------------- qualification


@pytest.mark.rule("HG-J1", 1)
def test_four_dealt_in_are_too_few(evaluator: Any) -> None:
    room = Room(evaluator, 10000)
    refusal = room.refused(dealt_in=4, **bad_beat())
    assert "HG-J1" in refusal.rules
    assert "4 dealt in, at least 5" in refusal.message


@pytest.mark.rule("HG-J1", 2)
def test_five_dealt_in_are_enough(evaluator: Any) -> None:
    room = Room(evaluator, 10000)
    assert room.award(dealt_in=5, **bad_beat()) == {3: 8000}
    assert room.balance() == 2000


@pytest.mark.rule("HG-J1b", 1)
def test_stud_pays_in_but_cannot_win(evaluator: Any) -> None:
    room = Room(evaluator, 8400)
    refusal = room.refused(
        form="stud", pot_cents=2650, shown={1: "7c7d7h7sKd2c3c", 2: "QcQdQhQs4d5c8c"}
    )
    assert "HG-J1b" in refusal.rules


@pytest.mark.rule("HG-J2", 1)
def test_aces_full_is_the_least_in_holdem(evaluator: Any) -> None:
    room = Room(evaluator, 10000)
    assert room.award(**bad_beat()) == {3: 8000}


@pytest.mark.rule("HG-J2", 2)
def test_kings_full_is_below_aces_full(evaluator: Any) -> None:
    refusal = Room(evaluator, 10000).refused(board="KcKsAc4d7h", shown={2: "KdAs", 6: "AhAd"})
    assert "HG-J2" in refusal.rules


@pytest.mark.rule("HG-J2a", 2)
def test_aces_full_is_not_enough_in_omaha(evaluator: Any) -> None:
    refusal = Room(evaluator, 10000).refused(
        form="omaha", dealt_in=5, board="AsAh9s9h3d", shown={2: "Ad3cKc4c", 5: "9c9dJh2h"}
    )
    assert "HG-J2a" in refusal.rules


@pytest.mark.rule("HG-J2b", 1)
def test_three_aces_on_the_board_bar_aces_full(evaluator: Any) -> None:
    refusal = Room(evaluator, 10000).refused(
        dealt_in=8, board="AsAdAc7h2s", shown={3: "KhKd", 8: "AhQs"}
    )
    assert "HG-J2b" in refusal.rules


@pytest.mark.rule("HG-J2b", 2)
def test_quads_under_three_aces_on_the_board_qualify(evaluator: Any) -> None:
    room = Room(evaluator, 8400)
    assert room.award(board="AsAdAc9h9s", shown={1: "9d9c", 6: "AhKd"}) == {1: 6700}
    assert room.balance() == 1700


@pytest.mark.rule("HG-J3", 1)
@pytest.mark.rule("HG-J3a", 1)
def test_the_winner_has_to_use_both_hole_cards_too(evaluator: Any) -> None:
    refusal = Room(evaluator, 10000).refused(board="7s7h7dAc3d", shown={4: "AhAs", 6: "7c2h"})
    assert {"HG-J3", "HG-J3a"} <= set(refusal.rules)
    assert "winning_both_hole_cards" in refusal.message
    assert "losing" not in refusal.message


@pytest.mark.rule("HG-J3a", 2)
def test_a_kicker_that_plays_is_a_hole_card_used(evaluator: Any) -> None:
    room = Room(evaluator, 6275)
    assert room.award(board="AsAdAc9h9s", shown={1: "9d9c", 6: "AhKd"}) == {1: 5000}
    assert room.balance() == 1275


def test_a_house_may_not_count_a_kicker(evaluator: Any) -> None:
    room = Room(evaluator, 6275, jackpot__kicker_counts_as_playing=False)
    refusal = room.refused(board="AsAdAc9h9s", shown={1: "9d9c", 6: "AhKd"})
    assert "winning_both_hole_cards" in refusal.message


@pytest.mark.rule("HG-J3b", 1)
def test_a_hand_that_is_not_its_holders_best_does_not_count(evaluator: Any) -> None:
    refusal = Room(evaluator, 10000).refused(board="AsAc9hThTd", shown={2: "Ad9d", 5: "TcTs"})
    assert "HG-J3b" in refusal.rules


@pytest.mark.rule("HG-J3b", 2)
def test_both_hole_cards_in_the_best_hand_qualify(evaluator: Any) -> None:
    room = Room(evaluator, 8400)
    assert room.award(dealt_in=7, board="8s8hAcAdKd", shown={1: "AhKh", 7: "8c8d"}) == {1: 6700}
    assert room.balance() == 1700


@pytest.mark.rule("HG-J3c", 1)
def test_a_pot_of_exactly_ten_is_not_over_ten(evaluator: Any) -> None:
    refusal = Room(evaluator, 10000).refused(pot_cents=1000, **bad_beat())
    assert "HG-J3c" in refusal.rules


@pytest.mark.rule("HG-J3c", 2)
def test_the_pot_is_measured_before_the_quarter(evaluator: Any) -> None:
    room = Room(evaluator, 9975)
    assert room.award(pot_cents=1025, **bad_beat()) == {3: 7975}
    room = Room(evaluator, 10000)
    assert room.award(pot_cents=1025, **bad_beat()) == {3: 8000}
    assert room.balance() == 2000


@pytest.mark.rule("HG-J4a", 1)
def test_a_hand_mucked_facing_action_does_not_qualify(evaluator: Any) -> None:
    refusal = Room(evaluator, 10000).refused(
        board="Ac2s2hJd7c", shown={5: "2c2d"}, mucked_facing_action=(3,)
    )
    assert "HG-J4a" in refusal.rules
    assert "seat 3" in refusal.message


@pytest.mark.rule("HG-J4a", 2)
def test_hands_shown_down_qualify(evaluator: Any) -> None:
    room = Room(evaluator, 10000)
    assert room.award(pot_cents=4600, **bad_beat()) == {3: 8000}
    assert room.balance() == 2000


# ------------------------------------------------------------------------------------------- talk


@pytest.mark.rule("HG-J4", 1)
def test_talk_about_the_jackpot_voids_it_once_the_floor_confirms(evaluator: Any) -> None:
    room = Room(evaluator, 10000)
    claim = room.claim(dealt_in=8, **bad_beat())
    (talk,) = room.world.do(
        c.ReportTalk(
            room=ROOM,
            claim=claim,
            by_seat=8,
            words="this could be the bad beat",
            about_jackpot=True,
        )
    )
    assert talk.proposes_void
    assert talk.rules == ("HG-J4",)
    with pytest.raises(Refused, match="has to rule on it first"):
        room.world.do(c.AwardJackpot(room=ROOM, claim=claim))
    room.world.do(c.RuleOnTalk(room=ROOM, claim=claim, void=True, reason="heard by the dealer"))
    with pytest.raises(Refused):
        room.world.do(c.AwardJackpot(room=ROOM, claim=claim))
    assert room.balance() == 10000


def test_the_host_may_decide_against_the_void_with_a_reason(evaluator: Any) -> None:
    room = Room(evaluator, 10000)
    claim = room.claim(dealt_in=8, **bad_beat())
    room.world.do(
        c.ReportTalk(room=ROOM, claim=claim, by_seat=8, words="bad beat", about_jackpot=True)
    )
    with pytest.raises(Refused, match="needs a reason"):
        room.world.do(c.RuleOnTalk(room=ROOM, claim=claim, void=False, reason=" "))
    room.world.do(
        c.RuleOnTalk(room=ROOM, claim=claim, void=False, reason="said after the award was clear")
    )
    room.world.do(c.AwardJackpot(room=ROOM, claim=claim))
    assert room.balance() == 2000


@pytest.mark.rule("HG-J4", 2)
def test_other_talk_changes_nothing(evaluator: Any) -> None:
    room = Room(evaluator, 10000)
    claim = room.claim(dealt_in=8, **bad_beat())
    room.world.do(
        c.ReportTalk(room=ROOM, claim=claim, by_seat=8, words="nice hand", about_jackpot=False)
    )
    room.world.do(c.AwardJackpot(room=ROOM, claim=claim))
    state = room.world.state(claim_stream(ROOM, claim))
    assert [(share.seat, share.cents) for share in state.shares] == [(3, 8000)]


# ------------------------------------------------------------------------------------------- beyond the cases


def test_every_failed_condition_is_named(evaluator: Any) -> None:
    """A deck a card short, a pot too small, three dealt in: each stands in the answer."""
    refusal = Room(evaluator, 10000).refused(
        dealt_in=3,
        pot_cents=900,
        deck_fouled=True,
        board="Ac2s2hJd7c",
        shown={1: "AsAh", 2: "2c2d"},
    )
    for name in ("min_dealt_in", "pot_over", "deck_whole"):
        assert name in refusal.message


def test_a_strong_loser_opens_a_claim_by_itself_even_where_the_hand_fails(evaluator: Any) -> None:
    room = Room(evaluator, 10000)
    hand = room.facts(dealt_in=4, board="Ac2s2hJd7c", shown={3: "AsAh", 4: "2c2d"}, drop_cents=25)
    room.world.do(c.ConsiderHand(room=ROOM, facts=hand))
    claim = room.world.state(claim_stream(ROOM, claim_id_of(hand.hand_id)))
    assert [condition.name for condition in claim.failed()] == ["min_dealt_in"]


def test_corrected_facts_are_judged_again(evaluator: Any) -> None:
    room = Room(evaluator, 10000)
    hand = room.facts(dealt_in=4, board="Ac2s2hJd7c", shown={3: "AsAh", 4: "2c2d"})
    room.world.do(c.OpenClaim(room=ROOM, facts=hand))
    claim = claim_id_of(hand.hand_id)
    fifth = e.SeatPlayer(seat=5, player_id="p5")
    better = msgspec.structs.replace(
        hand, dealt_in=(*hand.dealt_in, fifth), seated=(*hand.seated, fifth)
    )
    room.world.do(
        c.CorrectFacts(room=ROOM, claim=claim, facts=better, reason="camera: seat 5 had cards")
    )
    room.world.do(c.AwardJackpot(room=ROOM, claim=claim))
    assert room.balance() == 2000


def test_an_award_is_paid_once(evaluator: Any) -> None:
    room = Room(evaluator, 10000)
    claim = room.claim(**bad_beat())
    room.world.do(c.AwardJackpot(room=ROOM, claim=claim))
    with pytest.raises(Refused, match="is awarded"):
        room.world.do(c.AwardJackpot(room=ROOM, claim=claim))
    assert room.balance() == 2000


def test_a_hand_settled_anew_is_judged_anew_and_pays_in_once(evaluator: Any) -> None:
    room = Room(evaluator, 10000)
    hand = room.facts(drop_cents=25, **bad_beat())
    room.world.do(c.ConsiderHand(room=ROOM, facts=hand))
    room.world.do(c.NoteReopened(room=ROOM, game_id="he", hand_id=hand.hand_id))
    assert room.balance() == 10000
    small = msgspec.structs.replace(hand, pot_cents=900, drop_cents=0)
    room.world.do(c.ConsiderHand(room=ROOM, facts=small))
    claim = room.world.state(claim_stream(ROOM, claim_id_of(hand.hand_id)))
    assert [condition.name for condition in claim.failed()] == ["pot_over"]
    assert room.balance() == 10000
