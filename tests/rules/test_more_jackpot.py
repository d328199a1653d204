"""More examples of the jackpot: tiers at their edges, other numbers of players, hands just in and just out."""

from typing import Any

import pytest

from cardroom.evaluator.native import NativeEvaluator
from cardroom.jackpot import commands as c
from cardroom.jackpot.core import claim_id_of, claim_stream
from cardroom.kernel.refusal import Refused
from tests.plugins.world import ROOM
from tests.rules.test_jackpot_cases import Room, bad_beat


def room(cents: int, unit_cents: int = 25, **values: Any) -> Room:
    return Room(NativeEvaluator(), cents, unit_cents, **values)


@pytest.mark.rule("HG-JT1")
@pytest.mark.rule("HG-JT2")
@pytest.mark.rule("HG-JT3")
@pytest.mark.rule("HG-J1a")
@pytest.mark.parametrize(
    ("jackpot", "dealt", "loser", "winner", "other", "kept"),
    [
        (25, 6, 0, 0, 0, 25),
        (4025, 5, 3200, 0, 0, 825),
        (9975, 9, 7975, 0, 0, 2000),
        (15050, 6, 10525, 3000, 0, 1525),
        (20000, 6, 14000, 4000, 0, 2000),
        (20025, 5, 10000, 4000, 1325, 2050),
        (50000, 9, 25000, 10000, 1425, 5025),
        (100050, 7, 50025, 20000, 4000, 10025),
    ],
)
def test_tiers_and_their_edges(
    jackpot: int, dealt: int, loser: int, winner: int, other: int, kept: int
) -> None:
    one = room(jackpot)
    paid = one.award(dealt_in=dealt, **bad_beat())
    assert (paid.get(3, 0), paid.get(5, 0)) == (loser, winner)
    others = [paid.get(seat, 0) for seat in range(1, dealt + 1) if seat not in (3, 5)]
    assert others == [other] * (dealt - 2)
    assert one.balance() == kept
    assert jackpot == sum(paid.values()) + kept


@pytest.mark.rule("HG-J0")
def test_a_payout_opens_the_next_jackpot_and_the_next_hand_adds_to_it() -> None:
    one = room(8400)
    one.award(**bad_beat())
    one.world.do(c.ConsiderHand(room=ROOM, facts=one.facts(pot_cents=1000, drop_cents=25)))
    assert one.balance() == 1725
    assert one.award(**bad_beat()) == {3: 1375}


@pytest.mark.rule("HG-J2")
@pytest.mark.rule("HG-J2b")
@pytest.mark.rule("HG-J3a")
@pytest.mark.rule("HG-J3b")
@pytest.mark.parametrize(
    ("board", "loser", "winner", "rule"),
    [
        ("AcAd3s3hKd", "AhKc", "3c3d", ""),  # aces full of kings, both cards play
        ("AcKd3s3hKs", "AhAs", "KcKh", ""),  # aces full of kings against kings
        ("AcAdKsKhQd", "AhQc", "KcKd", "HG-J3b"),  # better with the board's kings
        ("KcKd2s2h7d", "KhAs", "2c2d", "HG-J2"),  # kings full
        ("AsAdAcQhQs", "KhKd", "AhJs", "HG-J2b"),
        ("9s9h9d9c2d", "KhQd", "AcJd", "HG-J3a"),  # quads on the board
        ("5h6h7h2c2d", "2h2s", "8h9h", ""),  # four twos under a straight flush
        ("5h6h7h8hKd", "4h3h", "9hTh", "HG-J3a"),  # the 3h does not play
    ],
)
def test_hands_just_in_and_just_out(board: str, loser: str, winner: str, rule: str) -> None:
    one = room(10000)
    shown = {"board": board, "shown": {2: loser, 4: winner}}
    if not rule:
        assert one.award(**shown) == {2: 8000}
    else:
        assert rule in one.refused(**shown).rules


@pytest.mark.rule("HG-J2a")
@pytest.mark.parametrize(("loser", "good"), [("5c5dKh3s", True), ("QcJh4d4s", False)])
def test_omaha_takes_four_of_a_kind(loser: str, good: bool) -> None:
    one = room(10000)
    facts = {
        "form": "omaha",
        "dealt_in": 5,
        "board": "5s5hQdQs2c",
        "shown": {1: loser, 4: "QhQc9d8d" if good else "5c5dKh3s"},
    }
    if good:
        assert one.award(**facts) == {1: 8000}
    else:
        assert "HG-J2a" in one.refused(**facts).rules


@pytest.mark.rule("HG-J1b")
@pytest.mark.parametrize("form", ["five_card_draw", "stud", "razz", "lowball"])
def test_other_games_win_nothing(form: str) -> None:
    assert "HG-J1b" in room(10000).refused(form=form, **bad_beat()).rules


@pytest.mark.rule("HG-J3c")
@pytest.mark.parametrize(("pot", "good"), [(975, False), (1000, False), (1001, True), (1025, True)])
def test_the_pot_is_over_ten_dollars(pot: int, good: bool) -> None:
    one = room(10000)
    if good:
        assert one.award(pot_cents=pot, **bad_beat()) == {3: 8000}
    else:
        assert "HG-J3c" in one.refused(pot_cents=pot, **bad_beat()).rules


@pytest.mark.rule("HG-J4a")
def test_a_mucked_hand_does_not_stand_in_the_way_of_another() -> None:
    one = room(10000)
    paid = one.award(
        board="Ac2s2hJd7c",
        shown={3: "AsAh", 5: "2c2d", 6: "JsJh"},
        mucked_facing_action=(6,),
    )
    assert paid == {3: 8000}


@pytest.mark.rule("HG-J4")
def test_a_jackpot_void_for_talk_goes_on_for_the_next_hand() -> None:
    one = room(10000)
    claim = one.claim(**bad_beat())
    one.world.do(
        c.ReportTalk(room=ROOM, claim=claim, by_seat=3, words="jackpot!", about_jackpot=True)
    )
    one.world.do(c.RuleOnTalk(room=ROOM, claim=claim, void=True, reason="heard by all"))
    assert one.world.state(claim_stream(ROOM, claim)).phase == "refused"
    assert one.award(**bad_beat()) == {3: 8000}


@pytest.mark.rule("HG-G5")
def test_a_hand_counts_once_however_often_it_is_heard() -> None:
    one = room(6000)
    hand = one.facts(pot_cents=1000, drop_cents=25, **bad_beat())
    for _ in range(2):
        one.world.do(c.ConsiderHand(room=ROOM, facts=hand))
    assert one.balance() == 6025
    with pytest.raises(Refused):
        one.world.do(c.AwardJackpot(room=ROOM, claim=claim_id_of(hand.hand_id)))
