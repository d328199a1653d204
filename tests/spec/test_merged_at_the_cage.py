"""Merged records at the cage and in the jackpot: who is owed, owes or wins is the person, under the surviving one."""

from typing import Any

import pytest

from cardroom.adapters.bus.envelope import received
from cardroom.api.players.v1 import players_events_pb2 as players
from cardroom.cashier import commands as cage
from cardroom.cashier import core as cashier
from cardroom.cashier import events as cage_events
from cardroom.cashier import ledger as books
from cardroom.evaluator.native import NativeEvaluator
from cardroom.jackpot import commands as jp
from cardroom.jackpot import core as jackpot
from cardroom.jackpot import events as e
from cardroom.jackpot.servicer import claim_view
from cardroom.kernel.refusal import Refused
from cardroom.known import Form, Game, Structure
from cardroom.known.inbox import merge_records
from cardroom.known.merged import MergeRecords, under_now, with_merge
from tests.plugins.world import ROOM, World


def merge(world: World, from_id: str, into_id: str) -> Any:
    return world.do(MergeRecords(room=ROOM, from_id=from_id, into_id=into_id))


def do(world: World, command: Any) -> Any:
    return world.do(command)


def the_cage(book: str = "WP", **values: Any) -> World:
    world = World(cashier.DECIDER, book, **values)
    world.do(cage.OpenCage(room=ROOM, chips_cents=1_000_000, cash_cents=100_000))
    return world


def ledger(world: World) -> Any:
    found = world.state(cashier.ledger_stream(ROOM))
    assert books.totals(found) == {"chips": 0, "cash": 0}
    return found


def owe(world: World, player_id: str, payout: str = "c1.3") -> None:
    world.do(
        cage.NotePayout(
            room=ROOM, payout_id=payout, player_id=player_id, cents=4200, reason="jackpot"
        )
    )


def test_players_tell_every_room_of_the_group() -> None:
    told = players.RecordMerged(group="g", player_id="dup", into_id="cy", rooms=[ROOM, "r2"])
    assert merge_records(received(told, source="players")) == tuple(
        MergeRecords(room=room, from_id="dup", into_id="cy") for room in (ROOM, "r2")
    )
    other = players.PlayerRegistered(group="g", player_id="dup")
    assert merge_records(received(other, source="players")) == ()


@pytest.mark.parametrize("merged_first", [True, False])
def test_a_payout_is_owed_to_the_surviving_record_whichever_is_heard_first(
    merged_first: bool,
) -> None:
    world = the_cage()
    if merged_first:
        merge(world, "dup", "cy")
    owe(world, "dup")
    if not merged_first:
        merge(world, "dup", "cy")
    assert [one.player_id for one in ledger(world).payouts] == ["cy"]
    (paid,) = do(world, cage.PayOut(room=ROOM, payout_id="c1.3"))
    assert (paid.player_id, paid.cents) == ("cy", 4200)


def test_checks_runs_and_what_was_bought_go_on_under_the_surviving_record() -> None:
    world = the_cage()
    for person in ("dup", "cy"):
        world.do(cage.SellChips(room=ROOM, player_id=person, cents=3000, cash_received_cents=3000))
    world.do(cage.AcceptCheck(room=ROOM, check_id="k1", player_id="dup", cents=5000))
    world.do(
        cage.SendRunner(
            room=ROOM,
            run_id="r1",
            runner="rae",
            player_id="dup",
            table="t1",
            cents=2000,
            cash_received_cents=2000,
        )
    )
    merge(world, "dup", "cy")
    found = ledger(world)
    assert (found.checks[0].player_id, found.runs[0].player_id) == ("cy", "cy")
    assert found.bought == {"cy": 8000}
    (arrived,) = do(world, cage.RunnerArrives(room=ROOM, run_id="r1"))
    assert arrived.player_id == "cy"


def test_credit_of_both_records_is_one_debt() -> None:
    world = the_cage("HG", cashier__credit=True)
    world.do(cage.AppointBanker(room=ROOM, player_id="dup"))
    for person in ("dup", "cy"):
        world.do(
            cage.SellChips(
                room=ROOM, player_id=person, cents=2000, cash_received_cents=500, seller="dup"
            )
        )
    merge(world, "dup", "cy")
    found = ledger(world)
    assert books.balance(found, books.credit_cash("cy")) == 3000
    assert books.balance(found, books.credit_cash("dup")) == 0
    assert found.banker == "cy"
    # Who still speaks of the old record means the person: as banker and as buyer.
    (sold,) = do(
        world,
        cage.SellChips(
            room=ROOM, player_id="dup", cents=2000, cash_received_cents=2000, seller="dup"
        ),
    )
    assert (sold.player_id, sold.by) == ("cy", "cy")
    world.do(
        cage.Adjust(
            room=ROOM,
            from_account=books.credit_cash("dup"),
            to_account=books.OUTSIDE_CASH,
            cents=3000,
            reason="forgiven",
        ),
        "shift_manager",
    )
    assert books.balance(ledger(world), books.credit_cash("cy")) == 0


def test_a_single_buy_in_is_one_for_both_records() -> None:
    world = the_cage("HG")
    world.do(cage.StartTournament(room=ROOM, tournament="t", rebuy=False, fee_cents=1000))
    buy = cage.TournamentBuyIn(room=ROOM, tournament="t", player_id="dup", cash_received_cents=1000)
    world.do(buy)
    merge(world, "dup", "cy")
    for person in ("dup", "cy"):
        with pytest.raises(Refused) as caught:
            world.do(
                cage.TournamentBuyIn(
                    room=ROOM, tournament="t", player_id=person, cash_received_cents=1000
                )
            )
        assert caught.value.code == "SINGLE_BUY_IN"


@pytest.mark.parametrize(
    "order", [(("a", "b"), ("b", "c")), (("b", "c"), ("a", "b"))], ids=["in order", "turned round"]
)
def test_records_merged_twice_end_in_the_last_in_any_order(
    order: tuple[tuple[str, str], ...],
) -> None:
    world = the_cage()
    owe(world, "a", "c1.1")
    for from_id, into_id in order:
        merge(world, from_id, into_id)
    owe(world, "b", "c2.1")
    assert [one.player_id for one in ledger(world).payouts] == ["c", "c"]
    assert ledger(world).merged == {"a": "c", "b": "c"}
    assert merge(world, "a", "b") == ()


def test_the_next_day_still_knows_the_records() -> None:
    world = the_cage()
    merge(world, "dup", "cy")
    world.do(cage.CloseDay(room=ROOM, gaming_day="2026-03-07"))
    carried: Any = world.events(cage_events.LedgerCarriedForward)[-1]
    assert carried.state.merged == {"dup": "cy"}


def test_names_change_at_any_depth_and_nothing_else_does() -> None:
    merged = with_merge({}, "p1", "p9")
    facts = e.HandFacts(
        hand_id="p1",
        table="p1",
        game_id="he",
        form="holdem",
        dealt_in=(e.SeatPlayer(seat=1, player_id="p1"), e.SeatPlayer(seat=2, player_id="p2")),
    )
    now = under_now(facts, merged)
    assert [one.player_id for one in now.dealt_in] == ["p9", "p2"]
    assert (now.hand_id, now.table) == ("p1", "p1")
    assert under_now(now, merged) is now


def claimed() -> tuple[World, str]:
    world = World(jackpot.decider(NativeEvaluator()), "HG", jackpot__rounding_unit=25)
    rules = world.offer(
        Game(
            game_id="he",
            name="Hold'em",
            form=Form.HOLDEM,
            structure=Structure.NO_LIMIT,
            small_bet_cents=100,
        )
    )
    world.do(jp.OpenPool(room=ROOM, pool="main", game_ids=(), seed_cents=8000))
    seats = tuple(e.SeatPlayer(seat=seat, player_id=f"p{seat}") for seat in range(1, 7))
    facts = e.HandFacts(
        hand_id=f"hand/{ROOM}/t1/1",
        table="t1",
        game_id="he",
        form="holdem",
        dealt_in=seats,
        seated=seats,
        board="Ac2s2hJd7c",
        shown=(e.ShownHand(seat=3, cards="AsAh"), e.ShownHand(seat=5, cards="2c2d")),
        pot_cents=3400,
        book_digest=rules.digest,
    )
    world.do(jp.ConsiderHand(room=ROOM, facts=facts))
    return world, jackpot.claim_id_of(facts.hand_id)


def shown(world: World, claim: str) -> Any:
    merged = world.state(jackpot.pools_of(ROOM)).merged
    return claim_view(claim, world.state(jackpot.claim_stream(ROOM, claim)), merged)


def test_an_open_claim_is_awarded_to_the_surviving_record() -> None:
    world, claim = claimed()
    merge(world, "p3", "cy")
    assert [one.player_id for one in shown(world, claim).facts.dealt_in][2] == "cy"
    world.do(jp.AwardJackpot(room=ROOM, claim=claim))
    awarded: Any = world.events(e.JackpotAwarded)[-1]
    who = {share.seat: share.player_id for share in awarded.shares}
    assert who[3] == "cy"
    assert "p3" not in who.values()


def test_shares_awarded_before_the_merge_are_shown_under_the_surviving_record() -> None:
    world, claim = claimed()
    world.do(jp.AwardJackpot(room=ROOM, claim=claim))
    merge(world, "p3", "cy")
    assert merge(world, "p3", "cy") == ()
    who = {share.seat: share.player_id for share in shown(world, claim).shares}
    assert who[3] == "cy"
