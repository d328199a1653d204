"""More examples of declaring high-low, of spread and pot limit, and of what the floor rules on at the showdown."""

from decimal import Decimal
from typing import Any

import pytest

from cardroom.known.games import Form, Structure
from cardroom.tables.findings import ChipMove, Finding
from cardroom.tables.irregularities import exposed, showing
from cardroom.tables.irregularities.situation import Situation, judged
from cardroom.tables.table import Table
from tests.plugins.hand_play import (
    IDS,
    READER,
    Play,
    at_street,
    blinds,
    cards_of,
    game,
    hc,
    showdown,
    stud,
)

D = Decimal
O8 = game(2, 4, form=Form.OMAHA_HIGH_LOW, chip="0.25")
BOARD = "3c 6d 8h Kd Ks"
CHIPS = {"low": 1, "high": 2, "both": 3, "none": 0}
LC_6_12 = game(6, 12, chip=2)
RC_4_8 = game(4, 8)
HG_2_4 = game(2, 4, chip="0.25")
WP_10_20 = game(10, 20)
STUD = game(10, 20, form=Form.STUD)


def declared(
    pot: str, kept: dict[int, str], ways: dict[int, str], **values: Any
) -> tuple[dict[int, Any], int]:
    """Return what each seat wins, having kept two cards and declared, and what goes to the jackpot in cents."""
    fillers = iter(cards_of("2c 3d 3h 4c 4d 5c 5d 5h"))
    play = at_street(
        "HG",
        O8,
        "river",
        dict.fromkeys(kept, 300),
        pot=pot,
        board=BOARD,
        values={"highlow__mode": "declare", **values},
    ).check_around()
    for seat, cards in kept.items():
        gone = (next(fillers), next(fillers))
        play.enter(hc.NoteHoleCards(**IDS, hands=((seat, (*cards_of(cards), *gone)),)))
        play.enter(hc.PutAway(**IDS, seat=seat, cards=gone))
        play.enter(hc.SealDeclaration(**IDS, seat=seat, chips=CHIPS[ways[seat]]))
    play.enter(hc.RevealDeclarations(**IDS))
    return play.show(*kept).award(), play.state.jackpot_odd_cents


# ------------------------------------------------------------------------------ declaring


@pytest.mark.rule("HG-L2g")
@pytest.mark.rule("HG-L2h")
def test_both_ways_and_beaten_in_one_wins_nothing() -> None:
    kept = {2: "Ac 4h", 4: "Ah 2d", 5: "Qh Jh"}
    assert declared("30", kept, {2: "both", 4: "low", 5: "high"}) == ({4: 15, 5: 15}, 0)


@pytest.mark.rule("HG-L2g")
def test_both_ways_and_beaten_high_leaves_the_low_to_the_next() -> None:
    kept = {2: "Ac 2h", 4: "Ah 9d", 5: "8d 8s"}
    assert declared("30", kept, {2: "both", 4: "low", 5: "high"}) == ({4: 15, 5: 15}, 0)


@pytest.mark.rule("HG-L2f")
def test_nobody_low_the_best_high_takes_all() -> None:
    kept = {2: "As 2s", 4: "Ah 4h", 5: "8d 8s"}
    assert declared("30.25", kept, {2: "high", 4: "high", 5: "high"}) == ({5: D("30.25")}, 0)


@pytest.mark.rule("HG-L2e")
def test_nobody_high_the_best_low_takes_all() -> None:
    kept = {2: "As 4s", 5: "8d 8s"}
    assert declared("12", kept, {2: "low", 5: "low"}) == ({2: 12}, 0)


@pytest.mark.rule("HG-L2h")
def test_two_who_go_both_ways_and_tie_both_share_all() -> None:
    kept = {2: "As 2s", 4: "Ah 2d", 5: "Qh Jh"}
    assert declared("30", kept, {2: "both", 4: "both", 5: "high"}) == ({2: 15, 4: 15}, 0)


@pytest.mark.rule("HG-L2h")
def test_where_both_have_to_be_won_a_tie_loses_all() -> None:
    kept = {2: "As 2s", 4: "Ah 2d", 5: "Qh Jh"}
    ways = {2: "both", 4: "low", 5: "high"}
    won = declared("30", kept, ways, highlow__both_ways_tie="must_win_both")
    assert won == ({4: 15, 5: 15}, 0)


@pytest.mark.rule("HG-L2i")
@pytest.mark.rule("HG-L2j")
def test_odd_quarters_of_a_declared_pot_go_to_the_jackpot() -> None:
    kept = {2: "As 2s", 4: "Ah 2d", 5: "Qh Jh"}
    # 30.75: halves of 15.25 and 0.25 over; the low of 15.25 is 7.50 each and 0.25 over.
    won = declared("30.75", kept, {2: "both", 4: "low", 5: "high"})
    assert won == ({2: D("22.75"), 4: D("7.50")}, 50)


@pytest.mark.rule("HG-L2b")
def test_no_chip_and_four_chips_are_no_declaration() -> None:
    play = at_street(
        "HG", O8, "river", {2: 30, 4: 30}, pot=10, board=BOARD, values={"highlow__mode": "declare"}
    ).check_around()
    play.enter(hc.PutAway(**IDS, seat=2, cards=cards_of("?? ??")))
    for chips in (0, 4):
        refused = play.refusal(hc.SealDeclaration(**IDS, seat=2, chips=chips))
        assert refused.code == "NO_DECLARATION"


# ------------------------------------------------------------------------------ spread and pot limit


@pytest.mark.rule("WP-3R6")
@pytest.mark.rule("RC-B4")
@pytest.mark.parametrize("book", ["LC", "RC", "HG", "WP"])
def test_in_spread_limit_a_raise_is_at_least_the_bet_and_at_most_the_spread(book: str) -> None:
    spread = game(2, 10, structure=Structure.SPREAD_LIMIT)
    play = at_street(book, spread, "flop", {1: 100, 2: 100, 3: 100})
    assert play.options() == {"fold", "check", "bet 2-10"}
    play.do("1 bet 4")
    assert play.options() == {"fold", "call 4", "raise 8-14"}
    play.do("2 raise 13")
    assert play.options() == {"fold", "call 13", "raise 22-23"}


@pytest.mark.rule("LC-GL-cap")
@pytest.mark.rule("WP-3R3a")
@pytest.mark.parametrize("book", ["LC", "RC", "HG", "WP"])
def test_spread_limit_has_the_cap_of_limit(book: str) -> None:
    spread = game(2, 10, structure=Structure.SPREAD_LIMIT)
    play = at_street(book, spread, "flop", {1: 100, 2: 100, 3: 100})
    play.do("1 bet 2, 2 raise 4, 3 raise 8, 1 raise 12")
    assert play.refused("2 raise 20").code == "CAP_REACHED"


@pytest.mark.rule("WP-3R6")
def test_pot_limit_after_a_call_and_a_short_stack() -> None:
    pot_limit = game(5, structure=Structure.POT_LIMIT, blinds=(2, 5))
    stacks = {1: 500, 2: 500, 3: 500, 4: 500}
    play = Play("WP", pot_limit, stacks, button=1, posts=blinds((2, 2), (3, 5)))
    play.do("4 call")
    # 12 lie in front; seat 1 calls 5, which makes 17, and raises by that.
    assert play.options() == {"fold", "call 5", "raise 10-22"}
    play.do("1 call, 2 call")
    assert play.options() == {"fold", "check", "raise 10-25"}


@pytest.mark.rule("WP-3R2")
@pytest.mark.rule("HG-B2")
@pytest.mark.parametrize("book", ["LC", "RC", "HG", "WP"])
def test_pot_limit_has_no_cap(book: str) -> None:
    play = at_street(book, game(1, structure=Structure.POT_LIMIT), "flop",
                     {1: 9000, 2: 9000, 3: 9000}, pot=20)  # fmt: skip
    play.do("1 bet 1, 2 raise 2, 3 raise 3, 1 raise 4, 2 raise 5, 3 raise 6, 1 raise 7")
    assert play.state.to_act == 2


# ------------------------------------------------------------------------------ rulings


def judge(play: Play, kind: str, **told: object) -> Finding:
    """Return the finding on something reported of a hand."""
    rule = {**exposed.RULES, **showing.RULES}[kind]
    situation = Situation(
        kind=kind,
        told={name: _plain(value) for name, value in told.items()},
        hand=play.state,
        table=Table(),
        rules=play.rules.book,
        reader=READER,
    )
    return judged(rule, situation)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(str(one) for one in value)
    return str(value)


@pytest.mark.rule("LC-102a")
def test_lifted_facing_a_bet_without_moving_anybody_the_hand_lives() -> None:
    ups = {2: "Ks Kh 4d 9c", 5: "9s 8h 2d 3c"}
    play = stud("LC", STUD, ups, 7, pot=140).do("2 bet 20")
    found = judge(play, "upcards_handled", seat=5, how="lifted", induced=False)
    assert (found.remedy, found.rules[0]) == ("hand_live", "LC-102a")
    assert [choice.remedy for choice in found.choices] == ["hand_dead"]


@pytest.mark.rule("LC-102a")
def test_lifted_after_bet_and_call_the_hand_lives() -> None:
    ups = {2: "Ks Kh 4d 9c", 5: "9s 8h 2d 3c"}
    play = stud("LC", STUD, ups, 7, pot=140).do("2 bet 20, 5 call")
    assert judge(play, "upcards_handled", seat=5, how="lifted").remedy == "hand_live"


@pytest.mark.rule("LC-102b")
@pytest.mark.parametrize(("book", "remedy"), [("LC", "hand_dead"), ("WP", "hand_live")])
def test_the_bettor_who_turns_an_upcard_down(book: str, remedy: str) -> None:
    ups = {3: "Ks Kh 4d 9c", 6: "9s 8h 2d 3c"}
    play = stud(book, STUD, ups, 7, pot=140).do("3 bet 20")
    assert judge(play, "upcards_handled", seat=3, how="turned_down").remedy == remedy


@pytest.mark.rule("LC-102b")
def test_a_bet_on_an_earlier_street_is_none_on_this_one() -> None:
    ups = {3: "Ks Kh 4d 9c", 6: "9s 8h 2d 3c"}
    play = stud("LC", STUD, ups, 6, pot=140).do("3 bet 20, 6 call")
    play.enter(hc.DealStreet(**IDS))
    assert judge(play, "upcards_handled", seat=6, how="turned_down").remedy == "hand_live"


@pytest.mark.rule("LC-102d")
@pytest.mark.rule("LC-102e")
@pytest.mark.parametrize(
    ("cards", "dealt", "remedy"), [(5, 7, "hand_dead"), (8, 8, "hand_dead"), (7, 7, "hand_live")]
)
def test_cards_counted_at_a_stud_showdown(cards: int, dealt: int, remedy: str) -> None:
    play = stud("LC", STUD, {2: "4d Qc 7s 4c", 6: "2h 5h 9h Kh"}, 7, pot=220).check_around()
    assert judge(play, "cards_counted", seat=6, cards=cards, dealt=dealt).remedy == remedy


@pytest.mark.rule("LC-74")
def test_a_deliberate_miscall_with_another_hand_left() -> None:
    hands = {2: "Kh 9c", 6: "7h 7c", 8: "4d 4h"}
    play = showdown("LC", LC_6_12, "Kd 9d 7s 4c 2h", hands, pot=90)
    play.do("6 muck").show(2, 8)
    found = judge(play, "miscall", seat=2, deliberate=True, mucked=(6,))
    assert found.remedy == "forfeit_pot"
    assert found.chips == (ChipMove("seat:2", "seat:8", 9000),)


@pytest.mark.rule("LC-74")
def test_a_deliberate_miscall_that_moved_nobody_costs_nothing() -> None:
    play = showdown("LC", LC_6_12, "Kd 9d 7s 4c 2h", {2: "Kh 9c", 6: "7h 7c"}, pot=90)
    assert judge(play, "miscall", seat=2, deliberate=True).remedy == "cards_speak"


@pytest.mark.rule("RC-D4f")
def test_two_miscalls_are_no_habit_yet() -> None:
    play = showdown("RC", RC_4_8, "Kd 9d 7s 4c 2h", {2: "Kh 9c", 6: "7h 7c"}, pot=90)
    play.do("6 muck")
    found = judge(play, "miscall", seat=2, mucked=(6,), count=2)
    assert (found.remedy, found.missing) == ("fact_needed", ("deliberate",))


@pytest.mark.rule("LC-77")
@pytest.mark.rule("WP-3S6")
@pytest.mark.parametrize("book", ["LC", "WP", "HG"])
def test_shown_to_an_all_in_player_is_shown_to_all(book: str) -> None:
    play = at_street(book, WP_10_20, "flop", {2: 10, 5: 300, 8: 300}, button=1)
    play.do("2 bet 10, 5 call, 8 call").deal()
    assert judge(play, "cards_shown", seat=5, shown_to=2).remedy == "show_now"


@pytest.mark.rule("HG-D3a")
@pytest.mark.parametrize(
    ("ring", "seats", "remedy"),
    [(True, (2, 5), "hand_live"), (False, (2, 5), "hand_dead"), (True, (2, 5, 7), "hand_dead")],
)
def test_one_opponent_in_a_ring_game_only(ring: bool, seats: tuple[int, ...], remedy: str) -> None:
    play = at_street("HG", HG_2_4, "turn", dict.fromkeys(seats, 100), button=1)
    assert judge(play, "exposed_hand", seat=5, ring=ring).remedy == remedy


@pytest.mark.rule("HG-D3a")
def test_an_all_in_opponent_counts_too() -> None:
    play = at_street("HG", HG_2_4, "flop", {2: 2, 5: 100, 7: 100}, button=1)
    play.do("2 bet 2, 5 call, 7 call").deal()
    assert judge(play, "exposed_hand", seat=5).remedy == "hand_dead"
    play.do("5 check, 7 bet 4, 5 fold")
    assert judge(play, "exposed_hand", seat=7).remedy == "hand_live"


@pytest.mark.rule("LC-118")
@pytest.mark.rule("RC-I10a")
@pytest.mark.parametrize("book", ["LC", "RC", "HG", "WP"])
@pytest.mark.parametrize("form", [Form.HOLDEM, Form.STUD])
def test_a_card_its_player_exposed_plays_in_every_book(book: str, form: Form) -> None:
    play = Play(book, game(10, 20, form=form), {2: 300, 4: 300, 6: 300}, button=6)
    found = judge(play, "exposed_card", seat=4, by="player", card="9h")
    assert found.remedy == "stands"


@pytest.mark.rule("LC-83")
def test_a_dropped_card_of_a_stud_player() -> None:
    play = stud("LC", STUD, {2: "4d Qc", 6: "2h 5h"}, 4)
    found = judge(play, "dropped_card", seat=2, card="Qc")
    assert (found.remedy, [one.remedy for one in found.choices]) == (
        "floor_decides",
        ["hand_live", "hand_dead"],
    )


@pytest.mark.rule("HG-D3a")
def test_before_the_first_act_a_shown_card_is_a_flashed_one() -> None:
    stacks = {1: 100, 2: 100, 3: 100}
    play = Play("HG", HG_2_4, stacks, button=1, posts=blinds((2, 1), (3, 2)))
    assert judge(play, "exposed_hand", seat=2).remedy == "hand_live"
    play.do("1 call")
    assert judge(play, "exposed_hand", seat=2).remedy == "hand_dead"


@pytest.mark.rule("RC-D4f")
@pytest.mark.rule("RC-S2a")
def test_a_single_deliberate_miscall_offers_the_kill_too() -> None:
    play = showdown("RC", RC_4_8, "Kd 9d 7s 4c 2h", {2: "Kh 9c", 6: "7h 7c"}, pot=90)
    play.do("6 muck")
    found = judge(play, "miscall", seat=2, deliberate=True, mucked=(6,), count=1)
    assert found.remedy == "forfeit_pot"
    offered = {choice.remedy: choice.rules for choice in found.choices}
    assert "RC-D4f" in offered["kill_hand"]
