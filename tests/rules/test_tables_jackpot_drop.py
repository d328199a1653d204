"""What pots pay into the jackpot, from the hand at the table to the pool: the worked cases of the contribution."""

import msgspec
import pytest

from cardroom.evaluator.native import NativeEvaluator
from cardroom.jackpot import commands as jc
from cardroom.jackpot import events as je
from cardroom.jackpot.core import decider, pool_stream
from cardroom.known import Form, Game, Structure
from cardroom.tables import hand_commands as do
from cardroom.tables import table_events as tev
from tests.plugins.tables_world import Felt, game
from tests.plugins.world import ROOM, World

WINNER = 4


def quarters(form: Form = Form.HOLDEM) -> Game:
    """A no-limit cash game with blinds of a quarter and a half dollar."""
    return msgspec.structs.replace(
        game(1, form=form, structure=Structure.NO_LIMIT),
        chip_cents=25,
        small_bet_cents=50,
        blinds_cents=(25, 50),
    )


def closed(
    cents: int, *, form: Form = Form.HOLDEM, book: str = "HG", flop: bool = True, **values: object
) -> tev.HandClosed:
    """Play a hand whose final pot is so many cents and that seat 4, the big blind, wins; return how it closed."""
    dead = 25 if cents // 25 % 2 else 0  # a small blind that folds makes an odd number of quarters
    each = (cents - dead) // 2
    felt = Felt(book, quarters(form), (3, 4, 5) if dead else (3, 4), stack=100, **values)
    felt.draw(5 if dead else 3)
    felt.start()
    felt.play(do.RaiseTo, felt.hand.to_act, to_cents=each)
    if dead:
        felt.play(do.Fold, 3)
    if flop:
        felt.play(do.Call, WINNER)
        felt.play(do.DealStreet, board=("2c", "7d", "Jh"))
        if felt.hand.to_act != WINNER:
            felt.play(do.Check, felt.hand.to_act)
        felt.play(do.Bet, WINNER, to_cents=50)
    else:
        felt.play(do.RaiseTo, WINNER, to_cents=each * 2)
    felt.play(do.Fold, felt.hand.to_act)
    found = felt.last(tev.HandClosed)
    assert isinstance(found, tev.HandClosed)
    assert found.pot_cents == cents
    assert [one.seat for one in found.won] == [WINNER]
    return found


def paid(found: tev.HandClosed) -> tuple[int, int | None]:
    """Return what went to the jackpot and what seat 4 got."""
    drop = sum(one.cents for one in found.taken if one.account == "jackpot")
    return drop, found.won[0].cents


class Jackpot:
    """A pool of the home game that hears of hands as they closed at the table."""

    def __init__(self, cents: int) -> None:
        self.world = World(decider(NativeEvaluator()), "HG")
        self.digest = self.world.offer(quarters()).digest
        self.world.do(jc.OpenPool(room=ROOM, pool="main", game_ids=(), seed_cents=cents))
        self.hands = 0

    def hear(self, found: tev.HandClosed) -> int:
        """Let the pool hear of a hand; returns what the jackpot is then."""
        self.hands += 1
        drop, _ = paid(found)
        facts = je.HandFacts(
            hand_id=f"hand/{ROOM}/t1/{self.hands}",
            table="t1",
            game_id=quarters().game_id,
            form=found.form.value,
            pot_cents=found.pot_cents or 0,
            drop_cents=drop,
            book_digest=self.digest,
        )
        self.world.do(jc.ConsiderHand(room=ROOM, facts=facts))
        return int(self.world.state(pool_stream(ROOM, "main")).balance_cents)


@pytest.mark.rule("HG-G5", 1)
def test_a_pot_of_exactly_ten_pays_a_quarter() -> None:
    assert paid(closed(1000)) == (25, 975)


@pytest.mark.rule("HG-G5", 2)
def test_a_pot_under_ten_pays_nothing() -> None:
    assert paid(closed(975)) == (0, 975)


@pytest.mark.rule("HG-G5")
def test_a_pot_won_before_the_flop_pays_like_any_other() -> None:
    assert paid(closed(1000, flop=False)) == (25, 975)
    assert paid(closed(975, flop=False)) == (0, 975)


@pytest.mark.rule("HG-G5a", 2)
def test_a_draw_game_pays_although_it_can_never_win() -> None:
    found = closed(2650, form=Form.FIVE_CARD_DRAW, flop=False)
    assert paid(found) == (25, 2625)
    assert Jackpot(6000).hear(found) == 6025


def test_a_house_may_let_only_the_eligible_games_pay() -> None:
    only = {"jackpot__drop_games": "eligible_games_only"}
    assert paid(closed(2650, form=Form.FIVE_CARD_DRAW, flop=False, **only)) == (0, 2650)
    assert paid(closed(2650, flop=False, **only)) == (25, 2625)


def test_a_house_without_a_jackpot_takes_no_drop() -> None:
    assert paid(closed(2650, book="WP")) == (0, 2650)


@pytest.mark.rule("HG-J0", 1)
def test_the_jackpot_is_the_sum_of_what_the_hands_paid() -> None:
    jackpot = Jackpot(6225)
    assert [jackpot.hear(closed(cents)) for cents in (1200, 975, 1000, 3150)] == [
        6250,
        6250,
        6275,
        6300,
    ]
