"""A must-move game of the main game's type and limit that the room lists under an id of its own."""

import pytest
from msgspec.structs import replace

from cardroom.known import Form
from cardroom.seating import commands as sc
from cardroom.seating import events as se
from cardroom.waitlist import commands as wc
from cardroom.waitlist import events as we
from tests.plugins.floor_world import TWENTY_FORTY, FloorWorld, clean, found, limit
from tests.plugins.world import ROOM

FEEDER = replace(TWENTY_FORTY, game_id="20-40-feeder", seats=8, time_collection_cents=700)
BLINDS = limit(20, 40, (15, 20), "20-40-big-blinds")
OMAHA = replace(TWENTY_FORTY, game_id="20-40-omaha", form=Form.OMAHA)
LOWER = limit(10, 20, (5, 10))


def running(book: str = "LC") -> FloorWorld:
    """Return a full main game at t3, with others of the room's games offered."""
    w = FloorWorld(book, TWENTY_FORTY, FEEDER, OMAHA, BLINDS, LOWER)
    w.open("t3", TWENTY_FORTY, players=range(1, 10))
    w.once_round("t3")
    w.pump()
    return w


def sit(w: FloorWorld, table: str, seat: int, person: str) -> None:
    standing = clean(person)
    lock = sc.LockSeat(room=ROOM, table=table, seat=seat, player_id=person, standing=standing)
    w.seat(lock, override="set-up")
    take = sc.TakeSeat(
        room=ROOM, table=table, seat=seat, player_id=person, buy_in_cents=40_000, standing=standing
    )
    w.seat(take)
    w.pump()


def feeding(book: str = "LC") -> FloorWorld:
    """Return the main game with a must-move game at t5, whose players waited in the order a, b, c and sat c, a, b."""
    w = running(book)
    w.sign_up("a", "b", "c", game=FEEDER)
    w.open("t5", FEEDER, feeds="t3")
    w.pump()
    for seat, person in ((1, "c"), (2, "a"), (3, "b")):
        sit(w, "t5", seat, person)
    return w


def seat_opens(w: FloorWorld, seat: int) -> str:
    w.seat(sc.LeaveSeat(room=ROOM, table="t3", player_id=w.who("t3")[seat], chips_cents=0))
    w.pump()
    name = w.must_move("t3").called_for(seat)
    return name.player_id if name else ""


@pytest.mark.rule("LC-137")
@pytest.mark.rule("WP-2S9")
@pytest.mark.parametrize("book", ["LC", "WP", "RC", "HG"])
def test_one_type_and_limit_is_one_game_whatever_its_id(book: str) -> None:
    w = running(book)
    w.open("t5", FEEDER, players={1: "a", 2: "b"})
    w.pump()
    linked = found(w.list(wc.LinkMustMove(room=ROOM, feeder="t5", main="t3")), we.MustMoveLinked)
    assert linked.game_id == "20-40"
    assert [name.player_id for name in w.must_move("t3").names] == ["a", "b"]


@pytest.mark.rule("LC-137")
@pytest.mark.rule("WP-2S9")
@pytest.mark.parametrize("other", [OMAHA, LOWER, BLINDS])
def test_another_type_or_limit_is_refused_by_both_ways(other: object) -> None:
    w = running("WP")
    refused = w.no(
        w.seat,
        sc.OpenTable(room=ROOM, table="t5", game_id=other.game_id, feeds="t3"),  # type: ignore[attr-defined]
    )
    assert (refused.code, refused.rules) == ("NOT_SAME_GAME", ("WP-2S9",))
    w.open("t5", other, players={1: "a"})  # type: ignore[arg-type]
    w.pump()
    refused = w.no(w.list, wc.LinkMustMove(room=ROOM, feeder="t5", main="t3"))
    assert (refused.code, refused.rules) == ("NOT_SAME_GAME", ("WP-2S9",))


@pytest.mark.rule("LC-138")
@pytest.mark.rule("LC-139")
def test_players_move_up_in_the_order_of_their_list_between_the_two_ids() -> None:
    w = feeding()
    assert [name.player_id for name in w.must_move("t3").names] == ["a", "b", "c"]
    assert seat_opens(w, 4) == "a"
    move = sc.MovePlayer(
        room=ROOM, table="t5", player_id="a", to_table="t3", to_seat=4, stack_cents=12_000
    )
    seated = found(w.seat(move), se.PlayerSeated)
    assert (seated.game_id, seated.buy_in_cents, seated.from_table) == ("20-40", 12_000, "t5")
    w.pump()
    assert [name.player_id for name in w.must_move("t3").names] == ["b", "c"]
    assert "a" not in w.board(FEEDER).table("t5").players  # type: ignore[union-attr]


@pytest.mark.rule("WP-2S9")
@pytest.mark.rule("LC-139a")
@pytest.mark.parametrize("book", ["LC", "WP"])
def test_who_declines_is_barred_from_the_must_move_game_and_the_next_is_called(book: str) -> None:
    w = feeding(book)
    assert seat_opens(w, 4) == "a"
    w.list(wc.DeclineMove(room=ROOM, main="t3", player_id="a"))
    w.pump()
    assert w.must_move("t3").called_for(4).player_id == "b"  # type: ignore[union-attr]
    w.seat(sc.LeaveSeat(room=ROOM, table="t5", player_id="a", chips_cents=9_000))
    w.pump()
    refused = w.no(w.list, w.sign("a", game=FEEDER), "brush")
    assert refused.code == "REFUSED_MUST_MOVE"
    w.list(w.sign("a", game=TWENTY_FORTY), "brush")  # the main game's own list is not named


def test_the_link_ends_with_the_must_move_game() -> None:
    w = feeding()
    w.list(wc.UnlinkMustMove(room=ROOM, main="t3", reason="the main game is safe"))
    assert w.must_move("t3").feeder == ""
    assert w.board(FEEDER).table("t5") is not None
    w.list(wc.LinkMustMove(room=ROOM, feeder="t5", main="t3"))
    w.seat(sc.BreakTable(room=ROOM, table="t5", reason="too few"))
    w.pump()
    assert w.must_move("t3").feeder == ""
