"""Worked cases of showdown.* in the home game's book, and of its ranking of hands."""

from decimal import Decimal

import pytest

from cardroom.known.games import Form
from tests.plugins.hand_play import IDS, READER, cards_of, game, hc, read, showdown

HG_2_4 = game(2, 4, chip="0.25")
HG_OMAHA = game(2, 4, form=Form.OMAHA, chip="0.25")
HG_O8 = game(2, 4, form=Form.OMAHA_HIGH_LOW, chip="0.25")


@pytest.mark.rule("HG-G9", 1)
def test_a_hand_is_worth_more_than_was_said() -> None:
    hands = {3: "Qc Tc", 6: "Ks 8h"}
    assert read("HG", HG_2_4, "Kc 8c 5c 2s 3d", hands, pot=18) == {3: 18}


@pytest.mark.rule("HG-G9", 2)
def test_a_hand_is_worth_less_than_was_said() -> None:
    hands = {3: "Qc Tc", 6: "Ks 9h"}
    assert read("HG", HG_2_4, "Kc 8c 5d 2s 3d", hands, pot=18) == {6: 18}


@pytest.mark.rule("HG-G10", 1)
def test_six_hands_in_order() -> None:
    hands = [
        "8c 7c 6d 5c 4s",
        "4c 4d 4h 9s Qd",
        "3c 3d 2h 2s 9d",
        "2c 2d 9h 8s 5d",
        "Ac Kd Qh Js 9c",
        "10d 7d 6s 5h 3h",
    ]
    worths = [READER.high(cards_of(hand)) for hand in hands]
    assert worths == sorted(worths, reverse=True)
    assert len(set(worths)) == 6


@pytest.mark.rule("HG-G10a", 1)
def test_five_of_a_kind() -> None:
    five_kings = READER.wild_high(cards_of("Kc Kd Kh"), 2)
    assert five_kings > READER.high(cards_of("9s 8s 7s 6s 5s"))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        pytest.param(
            "6h 5h 4h 3h 2h", "Ac Ad Ah As Kd", marks=pytest.mark.rule("HG-G10b", 1), id="b"
        ),
        pytest.param(
            "2c 2d 2h 2s 7d", "Ac Ad Ah Kc Kd", marks=pytest.mark.rule("HG-G10c", 1), id="c"
        ),
        pytest.param(
            "2c 2d 2h 3c 3d", "As Qs 9s 8s 4s", marks=pytest.mark.rule("HG-G10d", 1), id="d"
        ),
        pytest.param(
            "7d 5d 4d 3d 2d", "As Kc Qd Jh 10c", marks=pytest.mark.rule("HG-G10e", 1), id="e"
        ),
        pytest.param(
            "6c 5d 4h 3s 2c", "Ac Ad Ah Kc Qd", marks=pytest.mark.rule("HG-G10f", 1), id="f"
        ),
        pytest.param(
            "2c 2d 2h 9s 4c", "Ac Ad Kc Kd Qs", marks=pytest.mark.rule("HG-G10g", 1), id="g"
        ),
        pytest.param(
            "3c 3d 2c 2d 9h", "Ac Ad Kc Qd Js", marks=pytest.mark.rule("HG-G10h", 1), id="h"
        ),
        pytest.param(
            "2c 2d 7h 5s 3c", "Ac Kd Qh Js 9c", marks=pytest.mark.rule("HG-G10i", 1), id="i"
        ),
        pytest.param(
            "Ah 9c 7d 4s 2c", "Kh Qc Jd 9s 8c", marks=pytest.mark.rule("HG-G10j", 1), id="j"
        ),
    ],
)
def test_ranking_of_hands(better: str, worse: str) -> None:
    assert READER.high(cards_of(better)) > READER.high(cards_of(worse))


@pytest.mark.rule("HG-H0a", 1)
def test_both_play_the_royal_flush_on_the_board() -> None:
    hands = {3: "7h 7c", 5: "2d 3d"}
    play = showdown("HG", HG_2_4, "As Ks Qs Js 10s", hands, pot="18.50")
    for seat in hands:
        play.enter(hc.SayBoardPlays(**IDS, seat=seat))
    assert play.award() == {3: Decimal("9.25"), 5: Decimal("9.25")}


@pytest.mark.rule("HG-H0a", 2)
def test_best_five_of_board_and_hole_cards() -> None:
    hands = {3: "Kh 2s", 5: "Qd Js"}
    assert read("HG", HG_2_4, "Ac Kd 9s 9h 4c", hands, pot=15) == {3: 15}


@pytest.mark.rule("HG-H6", 1)
def test_playing_the_board_is_said_before_discarding() -> None:
    hands = {3: "9c 9d", 5: "2d 3d"}
    play = showdown("HG", HG_2_4, "As Ks Qs Js 10s", hands, pot="18.50").show(3)
    play.do("5 muck")
    refused = play.refusal(hc.SayBoardPlays(**IDS, seat=5))
    assert (refused.code, refused.rules) == ("THROWN_AWAY_BEFORE", ("HG-H6",))
    assert play.award() == {3: Decimal("18.50")}


@pytest.mark.rule("HG-H6", 2)
def test_said_in_time_the_board_plays() -> None:
    hands = {3: "9c 9d", 5: "2d 3d"}
    play = showdown("HG", HG_2_4, "As Ks Qs Js 10s", hands, pot="18.50").show(3)
    play.enter(hc.SayBoardPlays(**IDS, seat=5))
    play.do("5 muck")
    assert play.award() == {3: Decimal("9.25"), 5: Decimal("9.25")}


@pytest.mark.rule("HG-O1", 1)
def test_omaha_is_two_and_three() -> None:
    hands = {2: "As 2h 3h 4h", 5: "10h 9h 4d 3c"}
    assert read("HG", HG_OMAHA, "Ks Qs Js 10s 9d", hands, pot=20) == {5: 20}


@pytest.mark.rule("HG-O1", 2)
def test_an_omaha_flush_takes_two_of_the_suit() -> None:
    hands = {1: "Qh Jh 5s 5c", 6: "10h As Kd 8s"}
    assert read("HG", HG_OMAHA, "Ah Kh 7h 4c 2d", hands, pot=16) == {1: 16}


@pytest.mark.rule("HG-O2", 1)
def test_all_four_cards_are_shown() -> None:
    hands = {4: "10h 9h 4d 3c", 5: "2c 2h 3s 3d"}
    play = showdown("HG", HG_OMAHA, "Ks Qs Js 8c 2d", hands, pot=22)
    play.do("4 show 10h9h")
    refused = play.refusal(hc.AwardPots(**IDS, winners=(4,)))
    assert refused.code == "ALL_CARDS_MUST_BE_SHOWN"
    assert "HG-O2" in refused.rules


@pytest.mark.rule("HG-O2", 2)
def test_then_the_pot_is_awarded() -> None:
    hands = {4: "10h 9h 4d 3c", 5: "2c 2h 3s 3d"}
    play = showdown("HG", HG_OMAHA, "Ks Qs Js 8c 2d", hands, pot=22)
    play.do("4 show 10h9h4d3c, 5 muck")
    assert play.award() == {4: 22}


@pytest.mark.rule("HG-L1a", 1)
def test_no_award_until_all_have_shown_or_mucked() -> None:
    hands = {2: "Kh Kc Qs Jd", 4: "Ah 2d 9c 9d"}
    play = showdown("HG", HG_O8, "3c 6d 8h Kd Ks", hands, pot=24).show(2)
    assert play.refusal(hc.AwardPots(**IDS)).code == "ALL_CARDS_MUST_BE_SHOWN"
    play.show(4)
    assert play.award() == {2: 12, 4: 12}
