"""Worked cases of the rules that stand above the services: which rules hold where, what is called, who has the word."""

from typing import Any

import msgspec
import pytest

from cardroom.kernel.refusal import Refused
from cardroom.known.games import Form, Game, Structure
from cardroom.poker.betting import BettingRound
from cardroom.poker.chairs import Chair, Chairs
from cardroom.poker.highlow import Halves
from cardroom.poker.legal import Act, options_in_turn
from cardroom.poker.pots import Pot
from cardroom.poker.rounds import after_wager, begin
from cardroom.poker.showdown import divide
from cardroom.rulebook.explain import explain, search
from cardroom.rulebook.loader import load_book
from cardroom.rulebook.resolve import resolve
from cardroom.seating import commands as seating
from cardroom.seating.core import DECIDER as SEATING
from cardroom.tables.hand_rules import HandRules, hand_rules
from tests.plugins.world import ROOM, World

NO_READER: Any = None  # these cases settle nothing by cards


def limit_game(low_cents: int, chip_cents: int, form: Form = Form.HOLDEM) -> Game:
    return Game(
        game_id="g1",
        name="the game",
        form=form,
        structure=Structure.LIMIT,
        small_bet_cents=low_cents,
        big_bet_cents=2 * low_cents,
        blinds_cents=(low_cents // 2, low_cents),
        chip_cents=chip_cents,
    )


def rules_for(book: str, game: Game) -> HandRules:
    return hand_rules(resolve(load_book(book), game), game, NO_READER)


def wager(
    betting: BettingRound, chairs: Chairs, seat: int, cents: int, rules: HandRules, *, all_in: bool
) -> tuple[BettingRound, Chairs]:
    def paid(chair: Chair) -> Chair:
        if chair.seat != seat:
            return chair
        left = 0 if all_in else (chair.stack_cents or 0) - cents
        return msgspec.structs.replace(
            chair, stack_cents=left, matched_cents=cents, put_in_cents=cents, all_in=all_in
        )

    after = tuple(paid(chair) for chair in chairs)
    wagering = next(chair for chair in after if chair.seat == seat)
    return after_wager(betting, wagering, after, rules.betting), after


def flop_bet_then_all_in_for_one_and_a_half(bet_cents: int, chip_cents: int) -> dict[Act, Any]:
    rules = rules_for("LC", limit_game(bet_cents, chip_cents))
    chairs: Chairs = tuple(Chair(seat, f"p{seat}", 100 * bet_cents) for seat in (1, 2, 3, 4))
    betting = begin(chairs, rules.betting, street=1, first=1, bet_cents=bet_cents)
    betting, chairs = wager(betting, chairs, 1, bet_cents, rules, all_in=False)
    all_in_cents = bet_cents * 3 // 2
    betting, chairs = wager(betting, chairs, 2, all_in_cents, rules, all_in=True)
    asking = chairs[2]
    assert betting.to_act[0] == asking.seat
    options = options_in_turn(
        asking, chairs, betting, rules.betting, pot_cents=bet_cents + all_in_cents
    )
    return {option.act: option for option in options}


@pytest.mark.rule("LC-HL", 1)
def test_the_high_limit_rules_hold_from_10_20_up_and_not_below() -> None:
    high = flop_bet_then_all_in_for_one_and_a_half(1000, 100)
    assert set(high) == {Act.FOLD, Act.CALL, Act.RAISE}
    assert high[Act.CALL].least_cents == 1500
    assert (high[Act.RAISE].least_cents, high[Act.RAISE].most_cents) == (2500, 2500)
    assert "LC-126a" in rules_for("LC", limit_game(1000, 100)).betting.reopen_cites

    low = flop_bet_then_all_in_for_one_and_a_half(800, 200)
    assert set(low) == {Act.FOLD, Act.CALL, Act.COMPLETE}
    assert low[Act.CALL].least_cents == 1200
    assert (low[Act.COMPLETE].least_cents, low[Act.COMPLETE].most_cents) == (1600, 1600)
    assert not low[Act.COMPLETE].admits(2000)
    low_cites = rules_for("LC", limit_game(800, 200)).betting.reopen_cites
    assert "LC-66" in low_cites
    assert not any(rule.startswith("LC-126") for rule in low_cites)


@pytest.mark.rule("HG-X3", 1)
def test_the_odd_quarter_of_a_high_only_pot_goes_as_roberts_rules_have_it() -> None:
    rules = rules_for("HG", limit_game(200, 25))
    button = 4
    order = sorted(range(1, 9), key=lambda seat: (seat - button - 1) % 8)
    chairs = tuple(Chair(seat, f"p{seat}", 5000) for seat in order)
    division = divide(
        Pot(2275, (6, 2)),
        2275,
        1,
        lambda _run: Halves((2, 6), ()),
        chairs,
        rules.pots,
        low_form=False,
    )
    assert {seat: cents for seat, cents, *_ in division.shares} == {6: 1150, 2: 1125}
    assert "HG-X3" in division.rules  # the document sends the question on
    assert any(rule.startswith("WP-") for rule in division.rules)  # and Robert's Rules answer it


@pytest.mark.rule("HG-X3", 2)
def test_roberts_rules_come_in_only_where_the_document_is_silent() -> None:
    home = load_book("HG")
    found = [text.id for text in search("raises", home)]
    assert found.index("HG-B3a") < min(
        at for at, rule in enumerate(found) if rule.startswith("WP-")
    )
    assert resolve(home).cite("betting.cap_raises") == ("HG-B3a",)
    told = explain("HG-B3a", home)
    assert told.text is not None
    values = {value.book: value.source for value in told.fixes[0].values}
    assert values["HG"] == "HG"


@pytest.mark.rule("WP-1T0", 1)
def test_where_smoking_is_banned_no_seat_is_a_smoking_seat() -> None:
    world = World(SEATING, "WP", house__smoking="banned")
    game = limit_game(1000, 500)
    world.offer(game)
    world.do(seating.OpenTable(room=ROOM, table="t3", game_id=game.game_id))
    for seat in range(1, game.seats + 1):
        with pytest.raises(Refused) as caught:
            world.do(seating.MarkSmokingSeat(room=ROOM, table="t3", seat=seat))
        assert caught.value.code == "SMOKING_BANNED"


@pytest.mark.rule("WP-1T0")
def test_where_smoking_is_restricted_seats_away_from_the_dealer_may_be() -> None:
    world = World(SEATING, "WP")
    game = limit_game(1000, 500)
    world.offer(game)
    world.do(seating.OpenTable(room=ROOM, table="t3", game_id=game.game_id))
    assert len(world.do(seating.MarkSmokingSeat(room=ROOM, table="t3", seat=4))) == 1
