"""Worked cases of exposed, boxed and foul cards, jokers, burns, boards, decks; played as written."""

from datetime import UTC, datetime, timedelta

import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known import Form, Structure
from cardroom.poker.variants import VARIANTS
from cardroom.tables import commands as c
from cardroom.tables import hand_commands as do
from cardroom.tables import table_events as tev
from cardroom.tables.hand_events import Phase
from cardroom.tables.hand_views import hand_message
from cardroom.tables.piles import last_stud_round
from tests.plugins.played_pots import acts, call_down, no_such_act, passive, pot_of, shown, won
from tests.plugins.tables_world import LC_6_12, LC_20_40, WP_4_8, WP_10_20, Felt, dealt, game
from tests.rules.test_tables_blinds_cases import options
from tests.rules.test_tables_misdeal_cases import (
    HG_2_4,
    LC_STUD,
    RC_4_8,
    WP_STUD,
    misdealt,
    returned,
)

STUB = "4c Jd Qs 3h 8d 2s"


def to_the_flop(felt: Felt, *seats: int, board: tuple[str, ...] = ("7c", "2d", "9s")) -> None:
    """Some seats see a flop for the least amount, the others fold."""
    while felt.hand.phase is Phase.BETTING:
        seat = felt.hand.to_act
        if seat in seats:
            try:
                felt.play(do.Check, seat)
            except Refused:
                felt.play(do.Call, seat)
        else:
            felt.play(do.Fold, seat)
    felt.play(do.DealStreet, board=board)


def close(felt: Felt, *seats: int) -> Felt:
    """Some seats close the first betting for the least amount, the others fold."""
    while felt.hand.phase is Phase.BETTING:
        seat = felt.hand.to_act
        passive(felt, seat) if seat in seats else felt.play(do.Fold, seat)
    return felt


def replaced_and_burned(
    felt: Felt, seat: int, holds: tuple[str, ...], burn: str, *, confirm: bool = True
) -> None:
    """Confirm that an exposed card is replaced; its player plays the other one, and it is the burn before the flop."""
    if confirm:
        felt.ruled()
    felt.play(do.NoteHoleCards, hands=((seat, holds),))
    while felt.hand.phase is Phase.BETTING:
        passive(felt, felt.hand.to_act)
    felt.play(do.DealStreet, board=("7c", "2d", "9s"), burned=burn)
    held = next(chair for chair in felt.hand.chairs if chair.seat == seat)
    assert (felt.hand.burns, held.down, held.live) == ((burn,), holds, True)


def turned(card: str) -> Felt:
    """Return a hand whose turn was just dealt, seats 2 and 5 in; nobody has bet on it."""
    felt = dealt("HG", HG_2_4, "1-7")
    to_the_flop(felt, 2, 5)
    acts(felt, "2 check, 5 check")
    felt.play(do.DealStreet, board=(card,))
    return felt


def corrected(felt: Felt, card: str) -> None:
    """Confirm that a burn is put right, deal the right turn instead, and the river."""
    felt.ruled()
    felt.play(do.RewindHand, to=felt.hand.version - 1, reason="the burn before the turn was wrong")
    felt.play(do.DealStreet, board=(card,), burned="4c")
    acts(felt, "2 check, 5 check")
    felt.play(do.DealStreet, board=("3h",), burned="Qs")


def all_in_on_the_flop() -> tuple[Felt, int]:
    """Return a hand with $37 in it, dealt to the river with two burns before the turn; its version before that."""
    felt = dealt("HG", HG_2_4, "1-7", stack=17, jackpot__offered=False)
    acts(felt, "4 raise 4, 5 fold, 6 fold, 7 fold, 1 raise 6, 2 fold, 3 fold, 4 raise 8, 1 call")
    felt.play(do.DealStreet, board=("7c", "2d", "9s"))
    acts(felt, "4 bet 2, 1 raise 4, 4 raise 6, 1 raise 8, 4 allin, 1 call")
    assert felt.hand.pot_cents == 3700
    before = felt.hand.version
    felt.play(do.DealStreet, board=("Qs",))
    felt.play(do.DealStreet, board=("8d",), burned="3h")
    return felt, before


def streets_of_stud(
    seats: tuple[int, ...],
    street: int,
    *,
    high: int = 0,
    closed: bool = False,
    to_fourth: tuple[int, ...] = (),
    bets: dict[int, int] | None = None,
    stack: int = 300,
) -> Felt:
    """Return eight-handed stud on a street, from 0, where some seats are left and one has the high board.

    Args:
        seats: who is left.
        street: the street reached.
        high: who gets aces; 0 for the first of them.
        closed: whether the betting of that street is over too.
        to_fourth: who folds on fourth street only.
        bets: street -> dollars that the first to act bets.
        stack: dollars that each has at the start.
    """
    felt = dealt("LC", LC_STUD, "1-8", stack=stack)
    high, bets = high or seats[0], bets or {}
    ups: tuple[str, ...] = ("8c", "9c", "Tc", "2c", "Jc", "Qc", "Kc", "7c")
    for at in range(street + 1):
        live = [chair.seat for chair in felt.hand.chairs if chair.live]
        if at:
            suit, ranks = "_dhs_"[at], "3456789T"
            ups = tuple(ranks[(seat + 3 * at) % 8] + suit for seat in range(1, 9))
        cards = tuple((s, f"A{'_dhs_'[at]}" if at and s == high else ups[s - 1]) for s in live)
        felt.play(do.DealStreet, **({"up": cards} if at < 4 else {}))
        if at == 0:
            felt.play(do.BringIn, 4)
        wager = bets.get(at, 0)
        stay = (*seats, *to_fourth) if at == 0 else seats
        while felt.hand.phase is Phase.BETTING and (at < street or closed):
            seat = felt.hand.to_act
            if seat not in stay:
                felt.play(do.Fold, seat)
            elif wager:
                acts(felt, f"{seat} bet {wager}")
                wager = 0
            else:
                passive(felt, seat)
    return felt


def last_card_exposed() -> Felt:
    """Return $160 of stud on seventh street, seat 5 high on sixth, seat 3 with $200 behind."""
    others = (1, 2, 4, 6, 7)
    felt = streets_of_stud((3, 5, 8), 4, high=5, to_fourth=others, bets={2: 20, 3: 20}, stack=245)
    assert (felt.hand.pot_cents, felt.hand.to_act) == (16000, 5)
    chair = next(chair for chair in felt.hand.chairs if chair.seat == 3)
    assert chair.stack_cents == 20000
    return felt


def wrong_back() -> Felt:
    """Return the hand of WP-3I3 as its betting before the flop is over: $65."""
    felt = dealt("WP", WP_10_20)
    acts(felt, "4 raise 20, 5 fold, 6 fold, 7 call, 8 fold, 9 fold, 1 fold, 2 fold, 3 call")
    return felt


# ------------------------------------------------------------------------------ deal.exposed_card


@pytest.mark.rule("LC-115", 1)
def test_a_flashed_card_becomes_the_burn() -> None:
    felt = dealt("LC", LC_6_12)
    found = felt.report("exposed_card", seat=6, nth=1, card="Kd", top_card="3c", flashed=True)
    assert found.remedy == "replace_card"
    assert "LC-115" in found.rules
    assert ("place", "5") in {(fact.name, fact.value) for fact in found.facts}
    assert "Kd for 3c" in found.says
    assert "burn no other before the next cards" in found.steps
    felt.ruled()
    close(felt, 2, 3)
    felt.play(do.DealStreet, board=("9s", "8s", "7d"), burned="Kd")
    assert (felt.hand.boards[0], felt.hand.burns) == (("9s", "8s", "7d"), ("Kd",))


@pytest.mark.rule("LC-117", 1)
def test_an_exposed_low_hole_card_passes_the_bring_in_on() -> None:
    felt = dealt("LC", LC_STUD, (1, 3, 5, 6))
    found = felt.report("exposed_card", seat=3, nth=2, card="2c", card_kind="hole")
    assert found.remedy == "card_stays_up"
    assert "LC-117" in found.rules
    assert any("second lowest" in step for step in found.steps)
    felt.ruled()
    upcards = ((1, "8c"), (3, "2c"), (5, "4d"), (6, "Ts"))
    felt.play(do.DealStreet, up=upcards, opener=5)
    assert felt.hand.to_act == 5
    felt.play(do.BringIn, 5)
    assert felt.hand.pot_cents == 4 * 200 + 300


@pytest.mark.rule("LC-117", 2)
def test_an_exposed_high_hole_card_changes_no_bring_in() -> None:
    felt = dealt("LC", LC_STUD, (1, 3, 5, 6))
    found = felt.report("exposed_card", seat=3, nth=2, card="Jh", card_kind="hole")
    assert any("if it is low" in step for step in found.steps)
    assert any("next card face down" in step for step in found.steps)
    felt.ruled()
    upcards = ((1, "8c"), (3, "Jh"), (5, "4d"), (6, "Ts"))
    felt.play(do.DealStreet, up=upcards)
    assert felt.hand.to_act == 5


@pytest.mark.rule("LC-123", 1)
def test_an_exposed_last_card_may_be_declared_all_in() -> None:
    felt = last_card_exposed()
    found = felt.report("exposed_card", seat=3, card="Ac", card_kind="last")
    assert "LC-123" in found.rules
    assert "high on sixth opens" in found.says
    assert [choice.remedy for choice in found.choices] == ["all_in_without_more"]
    felt.ruled("all_in_without_more", "seat 3 declared it before any action")
    acts(felt, "5 bet 20, 8 call")
    pots = [(pot.cents // 100, sorted(pot.seats)) for pot in felt.hand.pots]
    assert pots == [(160, [3, 5, 8]), (40, [5, 8])]
    assert felt.hand.phase is Phase.SHOWDOWN
    chair = next(chair for chair in felt.hand.chairs if chair.seat == 3)
    assert (chair.all_in, chair.stack_cents) == (True, 20000)
    assert no_such_act(felt, "3 check").code
    hands = {5: "Kh Kd Qd", 8: "2s 2h 2d", 3: "Qh Qs Ac"}
    assert sum(shown(felt, hands).values()) == 200
    assert felt.seat(3).stack_cents == 20000


@pytest.mark.rule("LC-123", 2)
def test_the_declaration_comes_before_the_action() -> None:
    felt = last_card_exposed()
    acts(felt, "5 bet 20")
    acts(felt, "8 call")
    found = felt.report("exposed_card", seat=3, card="Ac", card_kind="last", declares_all_in=True)
    assert found.remedy == "request_refused"
    assert "folds, calls or raises" in found.says
    assert ("action_begun", "yes") in {(fact.name, fact.value) for fact in found.facts}
    felt.ruled()
    assert options(felt)["call"] == 20
    assert options(felt)["raise"] == 40


@pytest.mark.rule("LC-125", 1)
def test_a_stud_hole_card_off_the_table_is_exposed() -> None:
    felt = dealt("LC", LC_STUD, "1-8")
    found = felt.report("exposed_card", by="off_table", seat=6, nth=2, card="2d", card_kind="hole")
    assert found.remedy == "card_stays_up"
    assert {"LC-125", "LC-117"} <= set(found.rules)
    felt.ruled()
    ups = ("8c", "9c", "Tc", "3c", "Jc", "2d", "Kc", "Ac")
    felt.play(do.DealStreet, up=tuple(enumerate(ups, 1)), opener=4)
    assert felt.hand.to_act == 4


@pytest.mark.rule("LC-125", 2)
def test_a_stud_upcard_off_the_table_plays() -> None:
    felt = streets_of_stud((3, 6), 2)
    held = next(chair.up for chair in felt.hand.chairs if chair.seat == 6)[-1]
    found = felt.report("exposed_card", by="off_table", seat=6, card=held, card_kind="up")
    assert found.remedy == "stands"
    assert found.rules == ("LC-125",)
    felt.ruled()
    assert next(chair.up for chair in felt.hand.chairs if chair.seat == 6)[-1] == held


@pytest.mark.rule("RC-I9", 1)
def test_rc_an_exposed_card_is_replaced_by_the_burn() -> None:
    felt = dealt("RC", RC_4_8)
    found = felt.report("exposed_card", seat=5, nth=1, card="9d", top_card="Qc")
    assert found.remedy == "replace_card"
    assert "RC-I9" in found.rules
    assert "9d for Qc" in found.says
    replaced_and_burned(felt, 5, ("2s", "Qc"), "9d")


@pytest.mark.rule("RC-I10", 1)
def test_rc_a_flashed_card_is_exposed() -> None:
    felt = dealt("RC", RC_4_8)
    found = felt.report("exposed_card", seat=8, nth=2, card="4s", top_card="Jd", flashed=True)
    assert "RC-I10" in found.rules
    assert "4s for Jd" in found.says
    replaced_and_burned(felt, 8, ("2s", "Jd"), "4s")


@pytest.mark.rule("HG-H1a", 1)
def test_hg_another_exposed_card_is_replaced() -> None:
    felt = dealt("HG", HG_2_4, "1-7")
    found = felt.report("exposed_card", seat=5, nth=2, card="Jh", top_card="4c")
    assert found.remedy == "replace_card"
    assert "Jh for 4c" in found.says
    replaced_and_burned(felt, 5, ("2s", "4c"), "Jh")


@pytest.mark.rule("HG-H1a", 2)
def test_hg_it_may_not_be_kept() -> None:
    felt = dealt("HG", HG_2_4, "1-7")
    assert felt.report("exposed_card", seat=5, nth=2, card="Jh").remedy == "replace_card"
    felt.ruled()
    found = felt.report("keep_exposed_card", seat=5, card="Jh")
    assert found.remedy == "request_refused"
    assert "HG-H1a" in found.rules
    felt.ruled()
    replaced_and_burned(felt, 5, ("2s", "4c"), "Jh", confirm=False)


@pytest.mark.rule("WP-3I12", 1)
def test_who_looked_first_may_not_claim_an_exposed_card() -> None:
    felt = dealt("WP", WP_4_8)
    found = felt.report("exposed_card", seat=6, nth=2, flashed=True, looked=False)
    assert found.remedy == "replace_card"
    assert "WP-3I12" in found.rules
    felt.ruled()
    felt = dealt("WP", WP_4_8)
    found = felt.report("exposed_card", seat=6, nth=2, flashed=True, looked=True)
    assert found.remedy == "request_refused"
    assert "WP-3I12" in found.rules
    felt.ruled()
    felt.fold_to(6)
    acts(felt, "6 call")


@pytest.mark.rule("WP-3I12", 2)
def test_a_card_its_player_turned_plays_one_off_the_table_is_exposed() -> None:
    felt = dealt("WP", WP_4_8)
    found = felt.report("exposed_card", by="player", seat=6)
    assert found.remedy == "stands"
    felt.ruled()
    found = felt.report("exposed_card", by="off_table", seat=2, nth=2, card="9d", top_card="Qc")
    assert found.remedy == "replace_card"
    replaced_and_burned(felt, 2, ("2s", "Qc"), "9d")


@pytest.mark.rule("WP-3I13", 1)
def test_the_player_has_no_option() -> None:
    felt = dealt("WP", WP_4_8)
    assert felt.report("exposed_card", seat=4, nth=2, card="Ah").remedy == "replace_card"
    felt.ruled()
    found = felt.report("keep_exposed_card", seat=4, card="Ah")
    assert found.remedy == "request_refused"
    assert "WP-3I13" in found.rules
    felt.ruled()
    replaced_and_burned(felt, 4, ("2s", "4c"), "Ah", confirm=False)


@pytest.mark.rule("WP-3I14", 1)
def test_a_card_dropped_by_its_player_plays() -> None:
    felt = dealt("WP", WP_4_8)
    found = felt.report("dropped_card", seat=9, card="Qc")
    assert found.remedy == "hand_live"
    assert "must be played" in found.says
    assert found.rules == ("WP-3I14",)
    felt.ruled()
    felt.play(do.NoteHoleCards, hands=((9, ("2s", "Qc")),))
    felt.fold_to(9)
    acts(felt, "9 call")


# ------------------------------------------------------------------------------------- deal.boxed


@pytest.mark.rule("LC-106", 1)
def test_five_boxed_cards_void_the_hand() -> None:
    felt = dealt("LC", LC_6_12, "3,8,9", button=9)
    acts(felt, "9 fold, 3 call, 8 check")
    felt.play(do.DealStreet, board=("7c", "2d", "9s"))
    acts(felt, "3 check, 8 check")
    felt.play(do.DealStreet, board=("4h",))
    acts(felt, "3 bet 12, 8 call")
    for _ in range(4):
        assert felt.report("boxed_card").remedy == "scrap"
        felt.ruled()
    found = felt.report("boxed_card")
    assert found.remedy == "void_hand"
    assert "LC-106" in found.rules
    assert returned(found) == {3: 18, 8: 18}
    felt.ruled()
    assert felt.seat(3).stack_cents == felt.seat(8).stack_cents == 30000


@pytest.mark.rule("LC-106", 2)
def test_boxed_cards_in_the_unused_stub_change_nothing() -> None:
    felt = dealt("LC", LC_6_12, "3,8,9", button=9)
    acts(felt, "9 fold, 3 call, 8 check")
    for board in (("7c", "2d", "9s"), ("4h",), ("5s",)):
        felt.play(do.DealStreet, board=board)
        if len(board) == 3 or board == ("4h",):
            acts(felt, "3 check, 8 check")
    found = felt.report("boxed_card", count=6)
    assert found.remedy == "stands"
    felt.ruled()
    acts(felt, "3 bet 12")


@pytest.mark.rule("LC-109", 1)
def test_a_boxed_card_is_blank_paper() -> None:
    felt = dealt("LC", LC_6_12)
    found = felt.report("boxed_card", seat=3, card="5d", next_card="Jh")
    assert found.remedy == "scrap"
    assert "LC-109" in found.rules
    assert "deal Jh in its place to seat 3" in found.steps
    felt.ruled()
    felt.play(do.NoteHoleCards, hands=((3, ("Ac", "Jh")), (4, ("Kc", "2s"))))
    exposed = felt.report("exposed_card", seat=9, nth=1)
    assert exposed.remedy == "replace_card", "a boxed card is no exposed one"


@pytest.mark.rule("LC-GL-boxed-card", 1)
def test_boxed_cards_are_counted() -> None:
    felt = dealt("LC", LC_6_12)
    found = felt.report("boxed_card")
    assert found.says.startswith("boxed card 1 of this hand")
    assert "LC-109" in found.rules
    felt.ruled()
    assert felt.report("boxed_card").says.startswith("boxed card 2 of this hand")


@pytest.mark.rule("RC-M8", 1)
def test_rc_two_boxed_cards() -> None:
    felt = dealt("RC", RC_4_8)
    assert felt.report("boxed_card").remedy == "scrap"
    felt.ruled()
    misdealt(felt.report("boxed_card"), "RC-M8")
    felt.ruled()
    assert felt.next().button == 1


@pytest.mark.rule("RC-M8", 2)
@pytest.mark.rule("RC-I4", 1)
def test_rc_one_boxed_card_is_ignored() -> None:
    for seat in (5, 7):
        felt = dealt("RC", RC_4_8)
        found = felt.report("boxed_card", seat=seat, card="5d", next_card="Kc")
        assert found.remedy == "scrap"
        assert "RC-I4" in found.rules
        assert f"deal Kc in its place to seat {seat}" in found.steps
        felt.ruled()
        felt.play(do.NoteHoleCards, hands=((seat, ("2s", "Kc")),))
        felt.fold_to(seat)
        acts(felt, f"{seat} call")


@pytest.mark.rule("WP-3I7", 1)
def test_a_boxed_card_noticed_at_once() -> None:
    found = dealt("WP", WP_4_8, button=9).report("boxed_card", seat=5)
    assert "deal the next card in its place to seat 5" in found.steps


@pytest.mark.rule("WP-3I7", 2)
def test_a_boxed_card_noticed_late_is_replaced_after_the_round() -> None:
    found = dealt("WP", WP_4_8, button=9).report("boxed_card", seat=5, mixed=True)
    assert any(step.startswith("finish the round") for step in found.steps)


# -------------------------------------------------------------------------------------- deal.burn


@pytest.mark.rule("LC-22", 1)
def test_undealt_cards_are_not_shown() -> None:
    felt = dealt("LC", LC_6_12)
    to_the_flop(felt, 2, 3)
    acts(felt, "2 check, 3 check")
    felt.play(do.DealStreet, board=("4s",))
    acts(felt, "2 bet 12, 3 fold")
    assert felt.hand.over
    found = felt.report("show_undealt_card", seat=7)
    assert found.remedy == "request_refused"
    assert found.rules == ("LC-22",)
    felt.ruled()
    assert len(felt.hand.boards[0]) == 4


@pytest.mark.rule("WP-2P23", 1)
def test_wp_the_next_card_is_not_shown() -> None:
    felt = pot_of("WP", WP_4_8, (6, 8), 54, street=2, closed=False)
    acts(felt, "6 bet 8, 8 fold")
    assert won(felt) == {6: 54}
    found = felt.report("show_undealt_card", seat=2)
    assert found.remedy == "request_refused"
    assert "WP-2P23" in found.rules
    felt.ruled()
    assert len(felt.hand.boards[0]) == 4


@pytest.mark.rule("LC-122", 1)
def test_stud_a_missing_burn_is_shifted() -> None:
    felt = streets_of_stud((2, 4, 6), 2)
    found = felt.report("burn_error", burned=0, dealt="9d Jc 5s", next_card="Ah")
    assert found.remedy == "shift_cards"
    assert "9d becomes the burn card" in found.says
    assert "Jc, 5s, Ah" in found.says
    assert found.rules == ("LC-122",)


@pytest.mark.rule("LC-122", 2)
def test_stud_a_missing_burn_on_the_last_card_stands() -> None:
    felt = streets_of_stud((2, 4, 6), 4)
    found = felt.report("burn_error", burned=0, correctable=False)
    assert found.remedy == "stands"
    assert "everyone keeps the last card" in found.says
    felt.ruled()
    acts(felt, f"{felt.hand.to_act} bet 20")


@pytest.mark.rule("LC-GL-burn-card", 1)
@pytest.mark.rule("LC-GL-street", 1)
def test_three_burns_and_the_turn_is_fourth_street() -> None:
    felt = dealt("LC", LC_6_12)
    to_the_flop(felt, 2, 3)
    felt.play(do.Check, 2)
    felt.play(do.Check, 3)
    felt.play(do.DealStreet, board=("4s",))
    assert VARIANTS[Form.HOLDEM].streets[felt.hand.street].name == "turn"
    felt.play(do.Bet, 2, to_cents=1200)
    felt.play(do.Call, 3)
    felt.play(do.DealStreet, board=("9c",))
    burned = 52 - 9 * 2 - 5 - hand_message(felt.hand, None).stub_cards
    assert burned == 3


@pytest.mark.rule("HG-H4", 1)
def test_two_burns_before_the_flop_are_put_right() -> None:
    felt = close(dealt("HG", HG_2_4, "1-7"), 2, 5)
    found = felt.report("burn_error", burned=2, stub="2c 7d Kh 9s 4c Jd", exposed=False)
    assert found.remedy == "correct_burn"
    assert "burn 2c" in found.says
    assert "7d Kh 9s" in found.says
    assert "HG-H4" in found.rules
    felt.ruled()
    felt.play(do.DealStreet, board=("7d", "Kh", "9s"), burned="2c")
    assert felt.hand.boards[0] == ("7d", "Kh", "9s")


@pytest.mark.rule("HG-H4", 2)
def test_an_unburned_flop_that_was_exposed_is_reshuffled() -> None:
    felt = close(dealt("HG", HG_2_4, "1-7"), 2, 5)
    before = felt.hand.version
    felt.play(do.DealStreet, board=("2c", "7d", "Kh"))
    found = felt.report("burn_error", burned=0, stub="2c 7d Kh 9s 4c Jd")
    assert found.remedy == "reshuffle"
    assert ("exposed", "yes") in {(fact.name, fact.value) for fact in found.facts}
    felt.ruled()
    felt.play(do.RewindHand, to=before, reason="the flop came without a burn")
    felt.play(do.DealStreet, board=("Kh", "3d", "3s"))
    assert felt.hand.boards[0] == ("Kh", "3d", "3s")


@pytest.mark.rule("HG-H5", 1)
def test_two_burns_before_the_turn() -> None:
    felt = turned("Qs")
    found = felt.report("burn_error", burned=2, stub=STUB)
    assert found.remedy == "correct_burn"
    assert found.says == "burn 4c, the card is Jd"
    assert "the next burn is Qs, then 3h" in found.steps
    corrected(felt, "Jd")
    assert felt.hand.boards[0][3:] == ("Jd", "3h")


@pytest.mark.rule("HG-H5", 2)
def test_no_burn_before_the_turn() -> None:
    felt = turned("4c")
    found = felt.report("burn_error", burned=0, stub=STUB)
    assert found.says == "burn 4c, the card is Jd"
    assert "the next burn is Qs, then 3h" in found.steps
    corrected(felt, "Jd")
    assert felt.hand.boards[0][3:] == ("Jd", "3h")


@pytest.mark.rule("HG-H5a", 1)
@pytest.mark.rule("HG-H5b", 1)
def test_a_card_that_was_bet_on_stands_and_the_river_is_the_same() -> None:
    felt = turned("Qs")
    acts(felt, "2 bet 4")
    found = felt.report("burn_error", burned=2, stub=STUB)
    assert found.remedy == "board_stands"
    assert "HG-H5a" in found.rules
    assert "burn Jd, then deal 3h" in found.says
    felt.ruled()
    acts(felt, "5 call")
    felt.play(do.DealStreet, board=("3h",), burned="Jd")
    assert felt.hand.boards[0][3:] == ("Qs", "3h")
    assert felt.hand.burns == ("Jd",)


@pytest.mark.rule("HG-H5b", 2)
def test_without_a_burn_two_are_burned_for_the_river() -> None:
    felt = turned("4c")
    acts(felt, "2 check, 5 check")
    found = felt.report("burn_error", burned=0, stub=STUB)
    assert found.remedy == "board_stands"
    assert "burn Jd and Qs, then deal 3h" in found.says
    felt.ruled()
    felt.play(do.DealStreet, board=("3h",), burned="Jd")
    assert felt.hand.boards[0][3:] == ("4c", "3h")


@pytest.mark.rule("HG-H5c", 1)
def test_all_in_a_burn_is_put_right_until_the_award() -> None:
    felt, before = all_in_on_the_flop()
    found = felt.report("burn_error", burned=2, street="turn", stub=STUB)
    assert found.remedy == "correct_burn"
    assert found.says == "burn 4c, the card is Jd"
    assert "then 3h" in found.steps[1]
    felt.ruled()
    felt.play(do.RewindHand, to=before, reason="the turn came after two burns")
    felt.play(do.DealStreet, board=("Jd",), burned="4c")
    felt.play(do.DealStreet, board=("3h",), burned="Qs")
    assert shown(felt, {1: "As Ah", 4: "Qc Qh"}) == {1: 37}
    pushed, _ = all_in_on_the_flop()
    assert shown(pushed, {1: "As Ah", 4: "Qc Qh"}) == {4: 37}
    found = pushed.report("burn_error", burned=2, street="turn", stub=STUB)
    assert found.remedy == "board_stands"


@pytest.mark.rule("LC-GL-stub", 1)
def test_the_stub_is_what_was_not_dealt() -> None:
    felt = dealt("LC", LC_6_12)
    to_the_flop(felt, 2, 3)
    assert hand_message(felt.hand, None).stub_cards == 30


def test_how_many_cards_a_stud_hand_has_taken_does_not_follow_from_its_street() -> None:
    assert not hand_message(dealt("LC", LC_STUD, "1-8").hand, None).HasField("stub_cards")


# --------------------------------------------------------- deal.flop_count, deal.premature_board


@pytest.mark.rule("LC-114", 1)
def test_a_flop_of_four_goes_back_whole() -> None:
    felt = close(dealt("LC", LC_20_40), 2, 3)
    assert hand_message(felt.hand, None).stub_cards == 34
    found = felt.report("flop_count", cards="Ah Td 5c 3h")
    assert found.remedy == "redeal_flop"
    assert "LC-114" in found.rules
    assert "put all 4 cards back and reshuffle the stub" in found.steps
    assert "leave the burn card where it is and burn no other" in found.steps
    felt.ruled()
    felt.play(do.DealStreet, board=("Ah", "Ks", "2h"), burned="6s")
    assert hand_message(felt.hand, None).stub_cards == 30
    assert felt.hand.burns == ("6s",)


@pytest.mark.rule("HG-H3", 1)
def test_hg_a_flop_of_four_is_dealt_again() -> None:
    felt = dealt("HG", HG_2_4, "1-7")
    acts(felt, "4 call, 5 call, 6 fold, 7 fold, 1 fold, 2 fold, 3 check")
    assert felt.hand.pot_cents == 700
    found = felt.report("flop_count", cards="2c 9d Ks 5h")
    assert found.remedy == "redeal_flop"
    assert "HG-H3" in found.rules
    assert any("all 4 cards back" in step for step in found.steps)
    felt.ruled()
    felt.play(do.DealStreet, board=("5h", "8d", "Tc"))
    assert (felt.hand.pot_cents, len(felt.hand.boards[0])) == (700, 3)


@pytest.mark.rule("LC-110", 1)
def test_a_premature_flop() -> None:
    felt = dealt("LC", LC_6_12, button=9)
    while felt.hand.to_act != 8:
        felt.play(do.Fold, felt.hand.to_act)
    assert felt.hand.to_act == 8
    found = felt.report("premature_cards", card="Ks 7d 2h")
    assert found.remedy == "card_taken_back"
    assert "LC-110" in found.rules
    assert "deal a new flop without a burn" in found.steps
    assert any("stays burned" in step for step in found.steps)
    felt.ruled()
    assert felt.hand.to_act == 8
    acts(felt, "8 call, 9 fold, 1 fold, 2 check")
    felt.play(do.DealStreet, board=("Ks", "4d", "9h"), burned="4c")
    assert hand_message(felt.hand, None).stub_cards == 30


@pytest.mark.rule("LC-111", 1)
def test_a_premature_turn() -> None:
    felt = dealt("LC", LC_6_12)
    to_the_flop(felt, 2, 6)
    acts(felt, "2 check")
    assert hand_message(felt.hand, None).stub_cards == 30
    found = felt.report("premature_cards", card="9h")
    assert "LC-111" in found.rules
    assert found.steps == (
        "put 9h aside and finish the betting",
        "burn the next card; the one after it is the turn",
        "after the turn betting reshuffle the stub with 9h, without burns and discards",
        "deal the river without a burn",
    )
    felt.ruled()
    acts(felt, "6 check")
    felt.play(do.DealStreet, board=("2s",), burned="Kd")
    acts(felt, "2 check, 6 check")
    felt.play(do.DealStreet, board=("9h",))
    assert felt.hand.boards[0][3:] == ("2s", "9h")


@pytest.mark.rule("LC-112", 1)
def test_a_premature_river() -> None:
    felt = dealt("LC", LC_6_12)
    to_the_flop(felt, 2, 3)
    acts(felt, "2 check, 3 check")
    felt.play(do.DealStreet, board=("4s",))
    assert hand_message(felt.hand, None).stub_cards == 28
    acts(felt, "2 check, 3 bet 12")
    found = felt.report("premature_cards", card="Qc")
    assert "LC-112" in found.rules
    assert "reshuffle the stub with Qc, without burns and discards" in found.steps
    assert "deal the river without a burn" in found.steps
    felt.ruled()
    acts(felt, "2 call")
    felt.play(do.DealStreet, board=("Qc",))
    assert hand_message(felt.hand, None).stub_cards == 26


@pytest.mark.rule("LC-121", 1)
def test_stud_premature_cards_take_a_round_with_them() -> None:
    felt = streets_of_stud((2, 4, 5, 8), 1)
    found = felt.report("premature_cards", seats=(2,))
    assert found.remedy == "round_removed"
    assert "LC-121" in found.rules
    assert found.says.startswith("4 cards leave play")
    assert "remove one more for each of seats 4, 5 and 8" in found.steps
    felt.ruled()
    while felt.hand.phase is Phase.BETTING:
        passive(felt, felt.hand.to_act)
    felt.play(do.DealStreet, up=((2, "3h"), (4, "4h"), (5, "5h"), (8, "7h")))
    assert felt.hand.street == 2


@pytest.mark.rule("LC-121", 2)
def test_stud_who_holds_seven_cards_calls_or_folds() -> None:
    felt = streets_of_stud((3, 5, 8), 3)
    assert felt.hand.to_act == 3
    acts(felt, "3 check")
    found = felt.report("premature_cards", seats=(3,), looked=True)
    assert found.remedy == "card_kept"
    felt.ruled()
    acts(felt, "5 bet 20, 8 fold")
    refusal = no_such_act(felt, "3 raise 40")
    assert "LC-121" in refusal.rules
    assert set(options(felt)) == {"fold", "call"}
    acts(felt, "3 call")


@pytest.mark.rule("RC-I11", 1)
def test_rc_a_premature_turn_does_not_play() -> None:
    felt = dealt("RC", game(6, 12, (3, 6)))
    to_the_flop(felt, 2, 5, 7)
    acts(felt, "2 bet 6, 5 call")
    found = felt.report("premature_cards", card="5h")
    assert "does not play" in found.says
    assert "RC-I11" in found.rules
    felt.ruled()
    assert (felt.hand.to_act, options(felt)["call"], options(felt)["raise"]) == (7, 6, 12)
    acts(felt, "7 fold")
    assert felt.hand.boards[0] == ("7c", "2d", "9s")


@pytest.mark.rule("WP-3I15", 1)
def test_wp_a_premature_card_does_not_play_though_the_last_folds() -> None:
    felt = dealt("WP", WP_4_8)
    to_the_flop(felt, 2, 5, 8)
    acts(felt, "2 bet 4, 5 call")
    found = felt.report("premature_cards", card="7h")
    assert "even if who had not acted now folds" in found.says
    assert "WP-3I15" in found.rules
    felt.ruled()
    pot = felt.hand.pot_cents
    acts(felt, "8 fold")
    assert (felt.hand.pot_cents, felt.hand.boards[0]) == (pot, ("7c", "2d", "9s"))


# ------------------------------------------------------------------------------- deal.fouled_deck


@pytest.mark.rule("LC-105", 1)
def test_a_joker_fouls_the_deck() -> None:
    felt = dealt("LC", game(20, 40, (10, 20), chip=5), "1-4", button=1)
    felt.play(do.Call, 4)
    felt.play(do.Fold, 1)
    felt.play(do.Call, 2)
    felt.play(do.Check, 3)
    felt.play(do.DealStreet, board=("2c", "7d", "Jh"))
    felt.play(do.Check, 2)
    felt.play(do.Bet, 3, to_cents=2000)
    felt.play(do.Call, 4)
    felt.play(do.Fold, 2)
    found = felt.report("joker", where="board")
    assert found.remedy == "void_hand"
    assert "LC-105" in found.rules
    assert returned(found) == {2: 20, 3: 40, 4: 40}
    felt.ruled()
    assert {seat.stack_cents for seat in felt.table.seats.values()} == {30000}


@pytest.mark.rule("RC-I3", 1)
def test_rc_a_foreign_back_voids_the_action() -> None:
    felt = dealt("RC", game(6, 12, (3, 6)))
    to_the_flop(felt, 3, 5, 7)
    assert felt.hand.pot_cents == 2100
    found = felt.report("foul_card", what="wrong_back", where="board")
    assert found.remedy == "void_hand"
    assert "RC-I3" in found.rules
    assert returned(found) == {2: 3, 3: 6, 5: 6, 7: 6}
    felt.ruled()
    assert {seat.stack_cents for seat in felt.table.seats.values()} == {30000}


@pytest.mark.rule("RC-I3a", 1)
def test_rc_who_bets_a_fouled_hand_is_dead() -> None:
    felt = dealt("RC", game(6, 12, (3, 6)), "2,5,8", button=8)
    acts(felt, "8 call, 2 call, 5 raise 12, 8 call, 2 call")
    felt.play(do.DealStreet, board=("2c", "7d", "Jh"))
    acts(felt, "2 bet 6, 5 raise 12, 8 call, 2 call")
    felt.play(do.DealStreet, board=("4s",))
    acts(felt, "2 bet 12, 5 call, 8 call")
    call_down(felt, "9c")
    assert felt.hand.pot_cents == 10800
    found = felt.report("foul_card", what="wrong_back", where="hand", seat=5)
    assert found.remedy == "hand_dead"
    assert "RC-I3a" in found.rules
    assert "$36 stays" in found.says
    felt.ruled()
    assert shown(felt, {2: "Js Jd", 8: "As Kd"}) == {2: 108}


@pytest.mark.rule("RC-I3b", 1)
def test_rc_a_foul_card_in_the_stub_changes_nothing() -> None:
    felt = pot_of("RC", game(6, 12, (3, 6)), (2, 6), 96)
    assert shown(felt, {2: "As Ad", 6: "Ks Kd"}) == {2: 96}
    stack = felt.seat(2).stack_cents
    found = felt.report("foul_card", what="wrong_back", where="stub")
    assert found.remedy == "stands"
    assert "RC-I3b" in found.rules
    assert "change the deck for the next hand" in found.steps
    felt.ruled()
    assert felt.seat(2).stack_cents == stack
    felt.run(c.ChangeDeck, reason="defective")


@pytest.mark.rule("WP-3I3", 1)
def test_wp_a_wrong_back_in_play_voids_the_action() -> None:
    felt = wrong_back()
    found = felt.report("foul_card", what="wrong_back", where="board")
    assert found.remedy == "void_hand"
    assert returned(found) == {2: 5, 3: 20, 4: 20, 7: 20}
    felt.ruled()
    assert {seat.stack_cents for seat in felt.table.seats.values()} == {30000}


@pytest.mark.rule("WP-3I3", 2)
def test_wp_a_wrong_back_in_the_stub_changes_nothing() -> None:
    felt = wrong_back()
    felt.play(do.DealStreet, board=("2c", "7d", "Jh"))
    call_down(felt, "4s 9c")
    found = felt.report("foul_card", what="wrong_back", where="stub")
    assert found.remedy == "stands"
    assert "WP-3I3" in found.rules
    felt.ruled()
    assert shown(felt, {3: "Js Jd", 4: "As Kd", 7: "Qs Td"}) == {3: 65}


@pytest.mark.rule("WP-3I4", 1)
def test_wp_a_duplicate_card_returns_everything() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    felt.fold_to(6)
    acts(felt, "6 raise 8, 7 fold, 8 fold, 9 call, 1 fold, 2 call")
    felt.play(do.DealStreet, board=("2c", "7d", "Jh"))
    acts(felt, "2 check, 6 bet 4, 9 fold, 2 raise 8, 6 call")
    felt.play(do.DealStreet, board=("9d",))
    assert felt.hand.pot_cents == 4200
    found = felt.report("foul_card", what="duplicate", where="hand", seat=6)
    assert found.remedy == "void_hand"
    assert returned(found) == {1: 2, 2: 16, 6: 16, 9: 8}
    assert "change the deck" in found.steps
    felt.ruled()
    assert {seat.stack_cents for seat in felt.table.seats.values()} == {30000}


@pytest.mark.rule("WP-3I5", 1)
def test_wp_who_knew_and_kept_silent_may_lose_his_refund() -> None:
    felt = dealt("WP", WP_10_20, button=1)
    felt.fold_to(6)
    acts(felt, "6 call, 7 fold, 8 fold, 9 fold, 1 fold, 2 fold, 3 check")
    felt.play(do.DealStreet, board=("2c", "7d", "Jh"))
    acts(felt, "3 bet 10, 6 call")
    felt.play(do.DealStreet, board=("9d",))
    acts(felt, "3 check, 6 bet 20, 3 raise 40, 6 call")
    call_down(felt, "Ks")
    found = felt.report("foul_card", what="duplicate", where="board", knew=False)
    assert returned(found) == {2: 5, 3: 60, 6: 60}
    felt.ruled("play_on", "the floor asks seat 3 first")
    found = felt.report("foul_card", what="duplicate", where="board", knew=True, knowing_seat=3)
    assert returned(found) == {2: 5, 6: 60}
    assert "seat 3 stay for the next deal" in found.says
    assert [choice.remedy for choice in found.choices] == ["void_hand"]
    felt.ruled()
    assert felt.seat(6).stack_cents == felt.seat(2).stack_cents == 30000
    felt.run(c.CarryPot, sources=((3, 6000),), reason="seat 3 knew of the duplicate")
    felt.start()
    assert felt.hand.pot_cents == 6000 + 1500


@pytest.mark.rule("WP-3I10", 1)
@pytest.mark.rule("RC-I7", 1)
@pytest.mark.parametrize(("book", "rule"), [("WP", "WP-3I10"), ("RC", "RC-I7")])
def test_a_missing_card_undoes_nothing(book: str, rule: str) -> None:
    felt = pot_of(book, WP_4_8, (3, 8), 72)
    assert shown(felt, {3: "As Ad", 8: "Ks Kd"}) == {3: 72}
    stack = felt.seat(3).stack_cents
    found = felt.report("missing_card", card="7c")
    assert found.remedy == "stands"
    assert found.rules == (rule,)
    assert "7c" in found.says
    felt.ruled()
    assert felt.seat(3).stack_cents == stack
    felt.run(c.ChangeDeck, reason="defective")
    felt.start()


# ------------------------------------------------------------------------------------- deal.joker


@pytest.mark.rule("RC-I5", 1)
def test_rc_a_joker_in_the_deck_is_scrap() -> None:
    felt = dealt("RC", RC_4_8)
    found = felt.report("joker", where="deck", seat=6)
    assert found.remedy == "scrap"
    assert "no misdeal" in found.says
    felt.ruled()
    felt.fold_to(6)
    acts(felt, "6 call")


@pytest.mark.rule("RC-I5a", 1)
def test_rc_a_joker_before_acting_is_replaced() -> None:
    felt = dealt("RC", RC_4_8)
    found = felt.report("joker", where="hand", seat=6)
    assert found.remedy == "replace_card"
    assert "RC-I5a" in found.rules
    felt.ruled()
    felt.fold_to(6)
    felt.play(do.Call, 6)


@pytest.mark.rule("RC-I5b", 1)
def test_rc_acting_on_a_joker_kills_the_hand() -> None:
    felt = dealt("RC", RC_4_8)
    to_the_flop(felt, 3, 4, 5, 6, 2)
    acts(felt, "2 check")
    assert felt.hand.pot_cents == 2000
    found = felt.report("joker", where="hand", seat=6)
    assert found.remedy == "hand_dead"
    assert "RC-I5b" in found.rules
    assert "$4 stays" in found.says
    felt.ruled()
    assert felt.hand.pot_cents == 2000


@pytest.mark.rule("RC-I6", 1)
@pytest.mark.rule("HG-D5", 1)
@pytest.mark.rule("WP-3D1e", 1)
@pytest.mark.parametrize(("book", "rule"), [("RC", "RC-I6"), ("HG", "HG-D5"), ("WP", "WP-3D1e")])
def test_not_having_looked_is_no_excuse(book: str, rule: str) -> None:
    felt = dealt(book, WP_4_8)
    to_the_flop(felt, 2, 3, 4)
    pot = felt.hand.pot_cents
    found = felt.report("joker", where="hand", seat=4)
    assert found.remedy == "hand_dead"
    assert rule in found.rules
    assert "no excuse" in found.says
    felt.ruled()
    assert felt.hand.pot_cents == pot
    assert not next(chair.live for chair in felt.hand.chairs if chair.seat == 4)


@pytest.mark.rule("WP-3I8", 1)
def test_wp_a_joker_is_replaced_and_the_calls_stand() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    felt.play(do.Call, 3)
    felt.play(do.Call, 4)
    found = felt.report("joker", where="hand", seat=5)
    assert found.remedy == "replace_card"
    assert found.chips == ()
    felt.ruled()
    assert felt.hand.pot_cents == 600 + 800
    felt.play(do.Call, 5)


@pytest.mark.rule("WP-3I8", 2)
def test_wp_a_joker_acted_on_kills_the_hand() -> None:
    felt = dealt("WP", WP_4_8, button=9)
    for seat in (3, 4, 5):
        felt.play(do.Call, seat)
    found = felt.report("joker", where="hand", seat=5)
    assert found.remedy == "hand_dead"
    assert "WP-3I8" in found.rules
    felt.ruled()
    assert felt.hand.pot_cents == 600 + 1200
    assert felt.hand.to_act == 6


@pytest.mark.rule("WP-3I9", 1)
def test_wp_checking_blind_takes_the_risk() -> None:
    felt = dealt("WP", WP_10_20, "1-2", button=1)
    felt.play(do.Call, 1)
    felt.play(do.Check, 2)
    felt.play(do.DealStreet, board=("2c", "7d", "Jh"))
    found = felt.report("joker", where="hand", seat=2)
    assert found.remedy == "hand_dead"
    assert "WP-3I9" in found.rules
    assert "$10 stays" in found.says
    felt.ruled()
    assert won(felt) == {1: 20}


# ------------------------------------------------------- deal.not_enough_cards, deal.run_multiple


@pytest.mark.rule("LC-124", 1)
def test_one_card_for_eight_is_a_community_card() -> None:
    felt = streets_of_stud(tuple(range(1, 9)), 3, closed=True)
    found = felt.report("not_enough_cards")
    assert found.remedy == "community_card"
    assert found.rules == ("LC-124",)
    assert found.says.startswith("1 cards in the stub for 8 players")
    assert found.steps[0] == "shuffle the stub with the burns (4 cards), cut and burn one"
    assert "the high hand on sixth street opens" in found.steps
    felt.ruled()
    high = felt.hand.betting.opened_by if felt.hand.betting else 0
    felt.play(do.DealStreet, board=("2h",), community=True)
    assert felt.hand.to_act == high


@pytest.mark.rule("LC-124", 2)
def test_the_last_card_is_mixed_with_the_burns() -> None:
    felt = streets_of_stud((1, 2, 3, 4, 5, 6), 3, closed=True, to_fourth=(7, 8))
    found = felt.report("not_enough_cards")
    assert found.remedy == "mix_last_card"
    assert found.steps == (
        "deal 4 cards to the first 4 players",
        "mix the last card with the 3 burns (4 cards), cut and burn one",
        "deal 2 of the remaining 3 to the last 2 players",
    )
    felt.ruled()
    felt.play(do.DealStreet)
    assert felt.hand.boards[0] == ()


def test_as_many_cards_as_players_are_dealt_without_a_burn() -> None:
    assert last_stud_round(5, 5, 3) == (("deal a card to each player without a burn",), False)
    assert last_stud_round(8, 4, 3)[1]


@pytest.mark.rule("WP-2P15", 1)
def test_the_board_is_run_twice_where_all_agree() -> None:
    plo = game(5, 0, (2, 5), form=Form.OMAHA, structure=Structure.POT_LIMIT)
    felt = dealt("WP", plo, "4,8", button=4)
    acts(felt, "4 raise 15, 8 raise 45, 4 raise 135, 8 call")
    felt.play(do.DealStreet, board=("2c", "7d", "Jh"))
    acts(felt, "8 bet 165")
    acts(felt, "4 call")
    assert felt.hand.pot_cents == 60000
    assert felt.hand.betting_over
    found = felt.report("run_it_more_than_once", times=2)
    assert found.remedy == "run_it"
    assert "WP-2P15" in found.rules
    felt.ruled()
    felt.play(do.AgreeRuns, times=2, seats=(4, 8))
    for run, board in enumerate((("Ad", "3s"), ("Kd", "5s"))):
        for card in board:
            felt.play(do.DealStreet, board=(card,), run=run)
    assert shown(felt, {4: "As Ac 8h 9h", 8: "Ks Kc 8d 9d"}) == {4: 300, 8: 300}


@pytest.mark.rule("WP-2P15", 2)
def test_a_limit_game_is_dealt_once_and_nobody_four_times() -> None:
    felt = dealt("WP", WP_10_20, "4,8", button=4, stack=45)
    acts(felt, "4 raise 20, 8 raise 30, 4 raise 40, 8 allin")
    acts(felt, "4 allin") if felt.hand.to_act == 4 else None
    found = felt.report("run_it_more_than_once", times=2)
    assert found.remedy == "request_refused"
    assert "limit game is dealt once" in found.says
    plo = game(5, 0, (2, 5), form=Form.OMAHA, structure=Structure.POT_LIMIT)
    found = dealt("WP", plo, "4,8", button=4).report("run_it_more_than_once", times=4)
    assert found.remedy == "request_refused"
    assert "at most 3" in found.says


# ------------------------------------------------------------------------------------ deck.change


def setup_at(book: str, minutes: int) -> Felt:
    felt = Felt(book, LC_6_12 if book == "LC" else WP_4_8)
    felt.world.at = datetime(2026, 3, 6, 20, 0, tzinfo=UTC)
    felt.run(c.ChangeDeck, reason="setup", back_colors=("red", "blue"))
    felt.world.at += timedelta(minutes=minutes)
    return felt


@pytest.mark.rule("LC-21", 1)
@pytest.mark.rule("RC-G10", 1)
@pytest.mark.rule("WP-2P21", 1)
@pytest.mark.parametrize(("book", "rule"), [("LC", "LC-21"), ("RC", "RC-G10"), ("WP", "WP-2P21")])
def test_a_deck_stays_for_a_full_round(book: str, rule: str) -> None:
    felt = Felt(book, LC_6_12)
    felt.draw(3)
    for _ in range(8):
        felt.count()
        refusal = felt.refused(c.ChangeDeck, reason="requested", seat=5)
        assert refusal.code == "DECK_TOO_NEW"
        assert rule in refusal.rules
    felt.count()
    felt.run(c.ChangeDeck, reason="requested", seat=5)
    assert felt.refused(c.ChangeDeck, reason="requested", seat=5).code == "DECK_TOO_NEW"


@pytest.mark.rule("LC-21", 2)
@pytest.mark.rule("RC-G10a", 1)
@pytest.mark.rule("RC-G10a", 2)
@pytest.mark.parametrize(("book", "rule"), [("LC", "LC-21"), ("RC", "RC-G10a")])
def test_a_setup_comes_once_in_half_an_hour(book: str, rule: str) -> None:
    felt = setup_at(book, 29)
    refusal = felt.refused(c.ChangeDeck, reason="setup", back_colors=("red", "blue"))
    assert refusal.code == "SETUP_TOO_SOON"
    assert rule in refusal.rules
    assert "20:30" in refusal.message
    setup_at(book, 30).run(c.ChangeDeck, reason="setup", back_colors=("red", "blue"))


@pytest.mark.rule("LC-GL-setup", 1)
def test_a_setup_is_two_decks_of_different_backs() -> None:
    refusal = Felt("LC", LC_6_12).refused(c.ChangeDeck, reason="setup", back_colors=("red", "red"))
    assert refusal.code == "SETUP_MALFORMED"
    assert refusal.rules == ("LC-GL-setup",)


@pytest.mark.rule("WP-2P21", 2)
def test_wp_a_setup_stays_an_hour_unless_the_cards_stick() -> None:
    colors = {"back_colors": ("red", "blue")}
    assert setup_at("WP", 59).refused(c.ChangeDeck, reason="setup", **colors).code == (
        "SETUP_TOO_SOON"
    )
    setup_at("WP", 60).run(c.ChangeDeck, reason="setup", **colors)
    felt = setup_at("WP", 20)
    felt.run(c.ChangeDeck, reason="defective")
    assert felt.last(tev.DeckChanged).reason == "defective"


@pytest.mark.rule("RC-G11", 1)
@pytest.mark.rule("RC-G11", 2)
def test_one_scramble_request_a_player_and_round() -> None:
    felt = Felt("RC", RC_4_8)
    felt.draw(1)
    felt.run(c.AskScramble, seat=4)
    for _ in range(4):
        felt.count()
    refusal = felt.refused(c.AskScramble, seat=4)
    assert refusal.code == "SCRAMBLE_USED"
    assert "RC-G11" in refusal.rules
    felt.run(c.AskScramble, seat=7)


def test_stud_forms_know_their_own_exposed_cards() -> None:
    found = dealt("WP", WP_STUD, "1-8").report("exposed_card", seat=2, place=3, card_kind="hole")
    assert found.remedy == "card_stays_up"
