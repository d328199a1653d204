"""Random evenings at a table: chips conserved, blinds as each button rule has them, offers and acceptance the same."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardroom.evaluator import NativeEvaluator
from cardroom.kernel.decisions import Occasion
from cardroom.kernel.refusal import Refused
from cardroom.poker.legal import Act
from cardroom.tables import commands as c
from cardroom.tables import hand_commands as do
from cardroom.tables.core import DECIDER
from cardroom.tables.entry import terms
from cardroom.tables.hand_events import Phase
from cardroom.tables.hand_legal import legal
from cardroom.tables.hand_rules import hand_rules
from cardroom.tables.seats import WayIn
from cardroom.tables.starting import base_positions
from cardroom.tables.table import EMPTY, unexplained_cents
from cardroom.tables.table_folds import evolve
from tests.plugins.tables_world import LC_6_12, LC_20_40, WP_10_20, Felt

READER = NativeEvaluator()
GAMES = {"LC": LC_6_12, "LC_high": LC_20_40, "WP": WP_10_20, "RC": WP_10_20, "HG": WP_10_20}
RANKS, SUITS = "23456789TJQKA", "cdhs"
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)
OPERATIONS = ("sit", "leave", "away", "back", "way", "hand", "count", "chips", "change", "capture")


def attempt(felt: Felt, cls: type[Any], **fields: Any) -> bool:
    """Run a command that may be refused; a refusal records nothing."""
    before = len(felt.world.log)
    try:
        felt.run(cls, "floor", **fields)
    except Refused:
        return len(felt.world.log) != before
    return True


def play_out(felt: Felt, data: st.DataObject) -> None:
    """Play the hand in play to its end by random legal actions."""
    deck = iter(CARDS)
    for _ in range(200):
        hand = felt.hand
        if hand.over:
            return
        if hand.phase is Phase.BETTING:
            options = legal(hand, hand_rules(felt.rules, hand.game, READER))
            assert options
            option = data.draw(st.sampled_from(options))
            take(felt, option)
        elif hand.phase is Phase.DEALING:
            due = 3 if hand.street == 0 else 1
            felt.play(do.DealStreet, board=tuple(next(deck) for _ in range(due)))
        else:
            live = [chair.seat for chair in hand.chairs if chair.live]
            winner = data.draw(st.sampled_from(live))
            show(felt, live, winner, deck)
    raise AssertionError("the hand never ended")


def take(felt: Felt, option: Any) -> None:
    match option.act:
        case Act.FOLD:
            felt.play(do.Fold, option.seat)
        case Act.CHECK:
            felt.play(do.Check, option.seat)
        case Act.CALL:
            felt.play(do.Call, option.seat)
        case Act.BET:
            felt.play(do.Bet, option.seat, to_cents=option.least_cents)
        case _:
            felt.play(do.RaiseTo, option.seat, to_cents=option.least_cents)


def show(felt: Felt, live: list[int], winner: int, deck: Any) -> None:
    """Bring the showdown to its end: one shows, the others throw their hands away."""
    for seat in [one for one in felt.hand.order if one in live] or live:
        if felt.hand.over:
            return
        if seat == winner:
            felt.play(do.ShowHand, seat, cards=(next(deck), next(deck)))
        else:
            felt.play(do.MuckHand, seat)
    if not felt.hand.over:
        felt.play(do.AwardPots, losers_killed=True)


def offered_is_accepted(felt: Felt) -> None:
    """Every way in that is offered for the coming hand is accepted, every other one refused."""
    table = felt.table
    base = base_positions(table, felt.rules)
    for number, seat in table.seats.items():
        entry = terms(table, seat, felt.rules, base)
        for way in entry.ways:
            if way.way in (WayIn.STRADDLE, WayIn.WAIT_FOR_BIG_BLIND) or seat.stack_cents == 0:
                continue
            command = c.ChooseWayIn(room="r1", table="t1", seat=number, way=way.way)
            try:
                decision = DECIDER.decide(command, felt.world.streams, _occasion(felt))
            except Refused:
                assert not way.open_now
            else:
                assert way.open_now
                assert decision[0][1].cents == way.cents  # type: ignore[attr-defined]


def _occasion(felt: Felt) -> Any:

    return Occasion(
        at=felt.world.at, recorded_at=felt.world.at, gaming_day="2026-03-06", actor="test"
    )


def blinds_are_right(felt: Felt) -> None:
    """Each button rule's blinds, on the hand that was just opened."""
    frame = felt.table.last_frame
    if frame is None or any(
        post.kind.value == "big_blind" and post.dead_cents for post in frame.posts
    ):
        return
    big = [post for post in frame.posts if post.kind.value == "big_blind"]
    small = [post for post in frame.posts if post.kind.value == "small_blind"]
    rule = felt.rules.choice("blinds.button_rule")
    dealt = {one.seat for one in frame.dealt}
    bought = not big and not small
    assert {post.seat for post in frame.posts} <= dealt
    if bought:
        return
    if rule == "moving":
        assert big
        assert not {post.seat for post in big} & {post.seat for post in small}
    else:
        assert len(big) == 1
        assert len(small) <= 1
        assert rule == "dead" or len(small) == 1
    if rule != "dead":
        assert frame.button in dealt


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(book=st.sampled_from(sorted(GAMES)), data=st.data())
def test_an_evening_conserves_chips(book: str, data: st.DataObject) -> None:
    felt = Felt(book.partition("_")[0], GAMES[book], "1-5")
    felt.draw(data.draw(st.integers(1, 5)))
    arrivals = 0
    for _ in range(data.draw(st.integers(3, 14))):
        operation = data.draw(st.sampled_from(OPERATIONS))
        seat = data.draw(st.integers(1, 9))
        match operation:
            case "sit":
                arrivals += 1
                attempt(
                    felt,
                    c.SitPlayer,
                    seat=seat,
                    player=f"n{arrivals}",
                    stack_cents=data.draw(st.sampled_from((None, 700, 20000))),
                )
            case "leave":
                attempt(felt, c.LeaveSeat, seat=seat)
            case "away" | "back":
                attempt(felt, c.NotePresence, seat=seat, present=operation == "back")
            case "way":
                attempt(
                    felt, c.ChooseWayIn, seat=seat, way=data.draw(st.sampled_from(tuple(WayIn)))
                )
            case "chips":
                attempt(
                    felt,
                    c.AddChips,
                    seat=seat,
                    cents=data.draw(st.sampled_from((500, 6000, 40000))),
                )
            case "change":
                attempt(felt, c.ChangeSeat, seat=seat, to_seat=data.draw(st.integers(1, 9)))
            case "capture":
                attempt(
                    felt,
                    c.SetCapture,
                    capture=data.draw(st.sampled_from(("counted", "every_action"))),
                )
            case "count":
                stacks = tuple((number, 9000) for number in felt.table.seats)
                if data.draw(st.booleans()) and stacks:
                    attempt(felt, c.CountStacks, stacks=stacks)
                elif attempt(felt, c.CountHand):
                    blinds_are_right(felt)
            case _:
                if attempt(felt, c.StartHand):
                    blinds_are_right(felt)
                    play_out(felt, data)
                    blinds_are_right(felt)
        offered_is_accepted(felt)
        assert unexplained_cents(felt.table) in (0, None)
    folded = EMPTY
    for stream, event in felt.world.log:
        if stream.startswith("table/"):
            folded = evolve(folded, event)
    assert folded == felt.table
