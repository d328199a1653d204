"""Worked cases of highlow.declare and highlow.split."""

from decimal import Decimal

import pytest

from cardroom.known.games import Form
from tests.plugins.hand_play import IDS, Play, at_street, cards_of, game, hc, read, showdown, stud

O8 = game(2, 4, form=Form.OMAHA_HIGH_LOW, chip="0.25")
BOARD = "3c 6d 8h Kd Ks"
DECLARE = {"highlow__mode": "declare"}
CHIPS = {"low": 1, "high": 2, "both": 3}
D = Decimal


def declaring(pot: str, seats: tuple[int, ...] = (2, 4, 5)) -> Play:
    """Return a declaring Omaha hand with its river betting over."""
    play = at_street(
        "HG", O8, "river", dict.fromkeys(seats, 300), pot=pot, board=BOARD, values=DECLARE
    )
    return play.check_around()


def put_away(play: Play, seat: int, cards: str = "?? ??") -> None:
    """Let a seat put two cards away."""
    play.enter(hc.PutAway(**IDS, seat=seat, cards=cards_of(cards)))


def seal(play: Play, **chips: int) -> None:
    """Let seats close their fists: `s2=3` is three chips in the fist of seat 2."""
    for seat, count in chips.items():
        play.enter(hc.SealDeclaration(**IDS, seat=int(seat[1:]), chips=count))


def declared(pot: str, kept: dict[int, str], ways: dict[int, str], away: str = "") -> dict[int, D]:
    """Return what each seat wins, having kept two cards and declared."""
    fillers = iter(cards_of(away or "2c 3d 3h 4c 4d 5c 5d 5h"))
    play = declaring(pot, tuple(kept))
    for seat, cards in kept.items():
        gone = (next(fillers), next(fillers))
        play.enter(hc.NoteHoleCards(**IDS, hands=((seat, (*cards_of(cards), *gone)),)))
        play.enter(hc.PutAway(**IDS, seat=seat, cards=gone))
    seal(play, **{f"s{seat}": CHIPS[way] for seat, way in ways.items()})
    play.enter(hc.RevealDeclarations(**IDS))
    return play.show(*kept).award()


# -------------------------------------------------------------------------------------- declare


@pytest.mark.rule("HG-L2", 1)
def test_declarations_come_before_the_award() -> None:
    refused = declaring("24").refusal(hc.AwardPots(**IDS))
    assert refused.code == "DECLARATIONS_FIRST"
    assert "2, 4, 5" in refused.message


@pytest.mark.rule("HG-L2a", 1)
def test_not_while_the_last_round_is_open() -> None:
    stacks = {2: 300, 4: 300, 5: 300}
    play = at_street("HG", O8, "river", stacks, pot=10, board=BOARD, values=DECLARE)
    play.do("2 bet 4, 4 call")
    refused = play.refusal(hc.SealDeclaration(**IDS, seat=4, chips=1))
    assert refused.code == "BETTING_STILL_OPEN"
    assert "HG-L2a" in refused.rules


@pytest.mark.rule("HG-L2a", 2)
def test_accepted_once_the_river_is_complete() -> None:
    play = declaring("24")
    put_away(play, 4)
    seal(play, s4=1)
    assert dict(play.state.sealed) == {4: 1}


@pytest.mark.rule("HG-L2b", 1)
def test_nobody_reveals_before_all_have_sealed() -> None:
    play = declaring("24")
    for seat in (2, 5):
        put_away(play, seat)
    seal(play, s2=3, s5=2)
    refused = play.refusal(hc.RevealDeclarations(**IDS))
    assert refused.code == "NOT_ALL_SEALED"
    assert "HG-L2b" in refused.rules
    assert "seats 4" in refused.message


@pytest.mark.rule("HG-L2b", 2)
def test_declarations_are_fixed_once_opened() -> None:
    play = declaring("24")
    for seat in (2, 4, 5):
        put_away(play, seat)
    seal(play, s2=3, s4=2)
    seal(play, s4=1, s5=2)
    play.enter(hc.RevealDeclarations(**IDS))
    refused = play.refusal(hc.SealDeclaration(**IDS, seat=4, chips=2))
    assert refused.code == "DECLARATIONS_FIXED"
    assert "HG-L2b" in refused.rules


@pytest.mark.rule("HG-L2c", 1)
def test_two_cards_are_put_away_first() -> None:
    refused = declaring("24").refusal(hc.SealDeclaration(**IDS, seat=4, chips=1))
    assert refused.code == "CARDS_PUT_AWAY_FIRST"
    assert "HG-L2c" in refused.rules


@pytest.mark.rule("HG-L2c", 2)
def test_cards_put_away_do_not_count() -> None:
    won = declared("20", {4: "As 2s", 5: "Qh Jh"}, {4: "both", 5: "high"}, "Kc 8c 4c 4d")
    assert won == {4: 20}
    # With kings full seat 4 would beat an ace-high flush of nobody; against queens full it must not count.
    won = declared("20", {4: "As 2s", 5: "8d 8s"}, {4: "both", 5: "high"}, "Kc 8c 4c 4d")
    assert won == {5: 20}


@pytest.mark.rule("HG-L2d", 1)
def test_chips_say_which_way() -> None:
    play = declaring("30")
    for seat in (2, 4, 5):
        put_away(play, seat)
    seal(play, s2=3, s4=1, s5=2)
    play.enter(hc.RevealDeclarations(**IDS))
    assert dict(play.state.ways) == {2: "both", 4: "low", 5: "high"}


@pytest.mark.rule("HG-L2e", 1)
def test_one_chip_competes_for_low_only() -> None:
    won = declared("30", {4: "Ah 2d", 5: "Qh Jh"}, {4: "low", 5: "high"})
    assert won == {4: 15, 5: 15}


@pytest.mark.rule("HG-L2f", 1)
def test_two_chips_compete_for_high_only() -> None:
    kept = {2: "As 2s", 5: "Qh Jh", 7: "Ac 4h"}
    won = declared("30", kept, {2: "high", 5: "high", 7: "low"})
    assert won == {2: 15, 7: 15}


@pytest.mark.rule("HG-L2g", 1)
def test_three_chips_and_both_won_take_all() -> None:
    kept = {2: "As 2s", 4: "Ah 4d", 5: "Qh Jh"}
    won = declared("30.25", kept, {2: "both", 4: "low", 5: "high"}, "2c 3d 3h 4c 5s 5c")
    assert won == {2: D("30.25")}


# ---------------------------------------------------------------------------------------- split


@pytest.mark.rule("HG-L1", 1)
def test_no_declaring_where_the_cards_talk() -> None:
    hands = {2: "Kh Kc Qs Jd", 4: "Ah 2d 9c 9d", 5: "Ac 4h Th Td"}
    play = showdown("HG", O8, BOARD, hands, pot=24)
    refused = play.refusal(hc.SealDeclaration(**IDS, seat=4, chips=1))
    assert (refused.code, refused.rules) == ("NO_DECLARING", ("HG-L1", "HG-L1a"))


@pytest.mark.rule("HG-L1b", 1)
def test_highest_and_lowest_halve_the_pot() -> None:
    hands = {2: "Kh Kc Qs Jd", 4: "Ah 2d 9c 9d"}
    assert read("HG", O8, BOARD, hands, pot=24) == {2: 12, 4: 12}


@pytest.mark.rule("HG-L1b", 2)
def test_the_lower_low_wins() -> None:
    hands = {2: "Kh Kc Qs Jd", 4: "Ah 2d 9c 9d", 5: "Ac 4h Th Td"}
    assert read("HG", O8, BOARD, hands, pot=24) == {2: 12, 4: 12}


@pytest.mark.rule("HG-L1c", 1)
def test_a_tied_half_is_divided() -> None:
    hands = {2: "Kh Kc Qs Jd", 4: "Ah 2d Jc 9d", 7: "Ac 2h Qc Th"}
    assert read("HG", O8, BOARD, hands, pot=24) == {2: 12, 4: 6, 7: 6}


@pytest.mark.rule("HG-L2h", 1)
def test_win_one_way_and_tie_the_other() -> None:
    kept = {2: "As 2s", 4: "Ah 2d", 5: "Qh Jh"}
    won = declared("30", kept, {2: "both", 4: "low", 5: "high"}, "2c 3d 3h 4c 5s 5c")
    assert won == {2: D("22.50"), 4: D("7.50")}


@pytest.mark.rule("HG-L2h", 2)
def test_tie_high_and_win_low() -> None:
    kept = {2: "Ac 2c", 4: "Ah 4d", 6: "As 2h"}
    won = declared("24", kept, {2: "both", 4: "low", 6: "high"}, "2s 3d 3h 4c 5s 5c")
    assert won == {2: 18, 6: 6}


@pytest.mark.rule("WP-3T5c", 1)
def test_odd_chips_of_omaha_high_low() -> None:
    o8 = game(4, 8, form=Form.OMAHA_HIGH_LOW)
    hands = {7: "Kh Kc Qs Jd", 1: "Ah 2d 9c 9d", 6: "Ac 2h Th Td"}
    assert read("WP", o8, BOARD, hands, pot=99, button=4) == {7: 50, 6: 25, 1: 24}


@pytest.mark.rule("WP-3T5c", 2)
def test_odd_chips_of_stud_high_low() -> None:
    play = stud(
        "WP",
        game(10, 20, form=Form.STUD_HIGH_LOW),
        {3: "6s 7d 8h 9c", 6: "6h 7c 8s 9d", 8: "Ac 3d 4h 5c"},
        7,
        downs={3: "10s Kd 2d", 6: "10h Kh 3s", 8: "8c Qs Qd"},
        pot=141,
    )
    play.check_around()
    assert play.show(3, 6, 8).award() == {6: 36, 3: 35, 8: 70}
