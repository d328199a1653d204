"""A running game whose limit goes up: who goes on with the chips at hand, and who makes up the new buy-in first."""

from datetime import timedelta
from typing import Any

import pytest
from google.protobuf.message import Message
from msgspec.structs import replace

from cardroom.adapters.bus.envelope import received
from cardroom.api.seating.v1 import seating_events_pb2 as seating
from cardroom.kernel.refusal import Refused
from cardroom.seating import commands as sc
from cardroom.seating import events as se
from cardroom.tables import hand_commands as do
from cardroom.tables.inbox import from_seating
from tests.plugins.floor_world import FOUR_EIGHT, SIX_TWELVE, FloorWorld, clean, found, limit
from tests.plugins.tables_world import LC_6_12, Felt, T
from tests.plugins.world import ROOM

TEN_TWENTY = limit(10, 20, (5, 10))
ON_TABLE: dict[str, Any] = {"room": ROOM, "table": "t3"}
STACKS = (("p1", 4_400), ("p2", 10_000), ("p3", 9_999))


def asks_at_once(new: Any = TEN_TWENTY, book: str = "LC") -> FloorWorld:
    """Return a 6-12 game of three that is to go up, in a house that asks for the new buy-in at once."""
    w = FloorWorld(book, SIX_TWELVE, new, buyin__grandfathered_on_limit_increase=False)
    w.open("t3", players=range(1, 4))
    w.seat(sc.ProposeLimitChange(**ON_TABLE, game_id=new.game_id))
    return w


def raised() -> FloorWorld:
    w = asks_at_once()
    w.seat(sc.ApproveLimitChange(**ON_TABLE, stacks=STACKS))
    return w


def buy(player: str, dollars: int, stack: int) -> sc.BuyChips:
    return sc.BuyChips(
        **ON_TABLE,
        player_id=player,
        amount_cents=dollars * 100,
        stack_cents=stack,
        standing=clean(player),
    )


@pytest.mark.rule("LC-37")
@pytest.mark.parametrize("book", ["LC", "RC", "WP"])
def test_the_books_let_everybody_go_on(book: str) -> None:
    w = FloorWorld(book, SIX_TWELVE, TEN_TWENTY)
    w.open("t3", players=range(1, 4))
    w.seat(sc.ProposeLimitChange(**ON_TABLE, game_id="10-20"))
    events = w.seat(sc.ApproveLimitChange(**ON_TABLE))
    changed = found(events, se.GameChanged)
    assert changed.grandfathered == ("p1", "p2", "p3")
    assert set(w.rules.cite("buyin.grandfathered_on_limit_increase")) <= set(changed.rules)
    assert len(events) == 1
    deal = w.hand("t3", 1, 1, 2, 3)
    assert w.ask_hand("t3", "p1", deal)


def test_a_buy_in_that_stays_the_same_leaves_nothing_to_let_go_on() -> None:
    w = FloorWorld("HG", SIX_TWELVE, TEN_TWENTY)  # a fixed amount, whatever the limit
    w.open("t3", players=range(1, 4))
    w.seat(sc.ProposeLimitChange(**ON_TABLE, game_id="10-20"))
    assert found(w.seat(sc.ApproveLimitChange(**ON_TABLE)), se.GameChanged).grandfathered == ()


def test_a_house_may_ask_for_the_new_buy_in_at_once() -> None:
    w = asks_at_once()
    changed, *due = w.seat(sc.ApproveLimitChange(**ON_TABLE, stacks=STACKS))
    assert isinstance(changed, se.GameChanged)
    assert changed.grandfathered == ()
    assert [(d.player_id, d.full_cents) for d in due if isinstance(d, se.FullBuyInDue)] == [
        ("p1", 10_000),
        ("p3", 10_000),
    ]
    deal = w.hand("t3", 1, 1, 2, 3, dealt_in=(2,))
    refusal = w.no_hand("t3", "p1", deal)
    assert (refusal.code, refusal.rules) == (
        "FULL_BUY_IN_DUE",
        ("OWN:buyin.grandfathered_on_limit_increase",),
    )
    assert refusal.options == ("make it up to $100", "leave the game")
    assert w.ask_hand("t3", "p2", deal)


def test_what_each_has_decides_and_must_be_told() -> None:
    w = asks_at_once()
    refusal = w.no(w.seat, sc.ApproveLimitChange(**ON_TABLE, stacks=STACKS[:2]))
    assert (refusal.code, refusal.field) == ("STACK_UNKNOWN", "stacks")
    assert refusal.rules[0] == "CR-12"
    assert "p3" in refusal.message
    assert w.table("t3").game_id == "6-12"


def test_nothing_is_asked_where_the_limit_goes_down() -> None:
    w = asks_at_once(FOUR_EIGHT, "WP")
    (changed,) = w.seat(sc.ChangeLimit(**ON_TABLE), "dealer")
    assert isinstance(changed, se.GameChanged)
    assert changed.rules == w.rules.cite("game.limit_change_approval")


@pytest.mark.parametrize(("dollars", "accepted"), [(55, False), (56, True), (200, True)])
def test_the_missing_part_is_bought_and_is_no_short_purchase(dollars: int, accepted: bool) -> None:
    w = raised()
    if not accepted:
        refusal = w.no(w.seat, buy("p1", dollars, 4_400), "dealer")
        assert refusal.code == "FULL_BUY_IN_NEEDED"
        assert refusal.options == ("$56 or more", "leave the game")
        return
    bought, met = w.seat(buy("p1", dollars, 4_400), "dealer")
    assert isinstance(bought, se.ChipsBought)
    assert not bought.short
    assert met == se.FullBuyInMet(room=ROOM, table="t3", seat=1, player_id="p1", excluded=False)
    assert w.seated("t3", 1).short_buys == 0
    assert w.ask_hand("t3", "p1", w.hand("t3", 1, 1, 2, 3, dealt_in=(2,)))


def test_a_bar_and_a_missing_buy_in_each_keep_out_until_both_are_gone() -> None:
    w = raised()
    until = w.at + timedelta(hours=1)
    exclude = sc.ExcludePlayer(
        room=ROOM, player_id="p1", code="SUSPENDED", rules=("LC-1",), until=until, must_leave=False
    )
    w.seat(exclude)
    met = found(w.seat(buy("p1", 56, 4_400), "dealer"), se.FullBuyInMet)
    assert met.excluded
    w.seat(replace(exclude, player_id="p3"))
    admitted, due = w.seat(sc.ReadmitPlayer(room=ROOM, player_id="p3"))
    assert isinstance(admitted, se.PlayerReadmitted)
    assert isinstance(due, se.FullBuyInDue)
    deal = w.hand("t3", 1, 1, 2, 3, dealt_in=(2,))
    assert w.no_hand("t3", "p3", deal).code == "FULL_BUY_IN_DUE"
    assert w.no_hand("t3", "p1", deal).code == "SUSPENDED"


def test_who_leaves_owes_nothing_and_who_comes_pays_the_new_buy_in() -> None:
    w = raised()
    w.seat(sc.LeaveSeat(**ON_TABLE, player_id="p1", chips_cents=4_400))
    w.sits("t3", 1, "new", cents=10_000)
    assert w.seated("t3", 1).full_due == ()


def test_a_stack_that_is_no_amount_is_refused() -> None:
    w = asks_at_once()
    with pytest.raises(Refused) as refused:
        w.seat(sc.ApproveLimitChange(**ON_TABLE, stacks=(*STACKS[:2], ("p3", -1))))
    assert refused.value.field == "stacks"


def test_the_table_leaves_out_who_has_not_made_it_up() -> None:
    felt = Felt("LC", LC_6_12, (1, 4, 7, 8))
    felt.draw(1)
    where = {"room": ROOM, "table": T, "seat": 4, "player_id": "p4"}

    def tell(message: Message) -> None:
        told = received(message, source="seating", stream=f"seats/{ROOM}/{T}")
        for command in from_seating(told):
            felt.do(command, "service", actor="seating")

    tell(seating.FullBuyInDue(**where, full_cents=10_000))
    assert 4 not in {chair.seat for chair in felt.start().chairs}
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)
    tell(seating.FullBuyInMet(**where, excluded=True))
    assert felt.seat(4).excluded
    tell(seating.FullBuyInMet(**where))
    assert not felt.seat(4).excluded
