"""What pots pay into the jackpot, from the hand at the table to the pool: the worked cases of the contribution."""

from typing import Any

import msgspec
import pytest

from cardroom.adapters.bus.envelope import received
from cardroom.api.tables.v1 import tables_events_pb2 as pb
from cardroom.evaluator.native import NativeEvaluator
from cardroom.jackpot import commands as jc
from cardroom.jackpot.core import decider, pool_stream
from cardroom.jackpot.inbox import from_tables
from cardroom.kernel.envelope import Recorded
from cardroom.kernel.refusal import Refused
from cardroom.known import Form, Game, Structure
from cardroom.tables import commands as c
from cardroom.tables import deal_events as de
from cardroom.tables import hand_commands as do
from cardroom.tables.playing import rules_at
from cardroom.tables.publish import publish
from tests.plugins.tables_world import Felt, T, game
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
) -> de.HandClosed:
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
    found = felt.last(de.HandClosed)
    assert isinstance(found, de.HandClosed)
    assert found.pot_cents == cents
    assert [one.seat for one in found.won] == [WINNER]
    return found


def paid(found: de.HandClosed) -> tuple[int, int | None]:
    """Return what went to the jackpot and what seat 4 got."""
    drop = sum(one.cents for one in found.taken if one.account == "jackpot")
    return drop, found.won[0].cents


class Jackpot:
    """A pool of the home game that hears of hands as they closed at the table."""

    def __init__(self, cents: int) -> None:
        self.world = World(decider(NativeEvaluator()), "HG")
        for form in (Form.HOLDEM, Form.FIVE_CARD_DRAW):
            self.world.offer(quarters(form))
        self.world.do(jc.OpenPool(room=ROOM, pool="main", game_ids=(), seed_cents=cents))
        self.hands = 0

    def hear(self, found: de.HandClosed) -> int:
        """Let the pool hear what the table publishes of a hand; returns what the jackpot is then."""
        self.hands += 1
        told = publish(
            Recorded(
                notification_id=self.hands,
                stream=f"table/{ROOM}/{T}",
                version=self.hands,
                topic="",
                own_hash=b"",
                envelope=Any,
                event=msgspec.structs.replace(found, hand=self.hands),
            )
        )
        assert told is not None
        message = received(told, source="tables", stream=f"table/{ROOM}/{T}")
        for command in from_tables(message):
            self.world.do(command)
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


@pytest.mark.rule("HG-G5a", 1)
def test_a_tournament_pays_nothing_into_the_jackpot() -> None:
    found = closed(4000, tournament="sunday")
    assert (found.taken, found.won[0].cents) == ((), 4000)
    jackpot = Jackpot(6000)
    assert jackpot.hear(found) == 6000
    assert jackpot.hear(closed(4000)) == 6025


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


def test_a_tournament_pays_neither_drop_nor_collection_however_they_are_entered() -> None:
    drawn = msgspec.structs.replace(quarters(), button_collection_cents=25, rake_cents=25)
    felt = Felt("HG", drawn, (3, 4), stack=100, tournament="sunday")
    felt.draw(3)
    felt.start()
    assert sum(chair.house_cents for chair in felt.hand.chairs) == 0
    with pytest.raises(Refused) as caught:
        felt.play(do.TakeRake, rake_cents=25, jackpot_drop_cents=25)
    assert "HG-G5a" in caught.value.rules
    felt.play(do.Fold, felt.hand.to_act)
    assert felt.last(de.HandClosed).taken == ()
    felt.run(c.SetCapture, capture="counted")
    refusal = felt.refused(c.CountHand, jackpot_drop_cents=25)
    assert "HG-G5a" in refusal.rules
    felt.run(c.CountHand)
    assert felt.last(de.HandClosed).taken == ()


def test_points_of_a_tournament_are_told_to_nobody_as_money() -> None:
    felt = Felt("HG", quarters(), (3, 4), stack=100, tournament="sunday")
    felt.run(c.AddChips, seat=3, cents=10000)
    felt.run(c.RemoveChips, seat=3, cents=25, purpose="tip")
    felt.run(c.CountStacks, stacks=((3, 19000),))
    felt.leave(3, 4)
    felt.run(c.CloseTable)
    told = []
    for stream, event in felt.world.log:
        recorded = Recorded(
            notification_id=1,
            stream=stream,
            version=1,
            topic="",
            own_hash=b"",
            envelope=Any,
            event=event,
        )
        message = publish(recorded)
        if message is not None:
            told.append(message)
    assert {type(message) for message in told} == {
        pb.TableOpened,
        pb.TableSeatTaken,
        pb.TableSeatLeft,
        pb.TableClosed,
    }
    assert told[0].tournament == "sunday"
    amounts = ("stack_cents", "behind_cents", "leftover_cents")
    assert not any(getattr(message, name, 0) for message in told for name in amounts)


@pytest.mark.parametrize(
    ("tournament", "half", "tied"), [("", "jackpot", "jackpot"), ("s", "high", "as_tie")]
)
def test_the_odd_chip_of_a_tournament_stays_in_the_game(
    tournament: str, half: str, tied: str
) -> None:
    felt = Felt("HG", quarters(Form.OMAHA_HIGH_LOW), (3, 4), tournament=tournament)
    felt.draw(3)
    pots = rules_at(felt.table, felt.start(), felt.rules, NativeEvaluator()).pots
    assert (pots.odd_half, pots.odd_tied_half) == (half, tied)
