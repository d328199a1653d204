"""Two records of one person, one of whom sits, waits or is kept a seat when they are merged."""

from datetime import timedelta

import pytest
from google.protobuf.message import Message
from msgspec.structs import replace

from cardroom.adapters.bus.envelope import received
from cardroom.api.seating.v1 import seating_events_pb2 as seating
from cardroom.api.tables.v1 import tables_events_pb2 as tables
from cardroom.players import commands as pc
from cardroom.seating import commands as sc
from cardroom.seating import events as se
from cardroom.tables import commands as c
from cardroom.tables import hand_commands as do
from cardroom.tables import table_events as tev
from cardroom.tables.inbox import from_seating
from cardroom.tables.publish import publish
from cardroom.waitlist import commands as wc
from cardroom.waitlist import events as we
from tests.plugins.floor_world import GROUP, TWENTY_FORTY, FloorWorld, _recorded, clean, found
from tests.plugins.tables_world import LC_6_12, Felt, T
from tests.plugins.world import ROOM

AT = {"room": ROOM, "table": "t3"}


def merge(w: FloorWorld, old: str = "old", new: str = "new") -> None:
    w.player(pc.MergePlayers(group=GROUP, player_id=new, from_id=old, reason="one person"))
    w.pump()


def room(*players: str, book: str = "LC") -> FloorWorld:
    """Return a running game at t3 with some players, all on the books, two of them records of one person."""
    w = FloorWorld(book, TWENTY_FORTY)
    w.register("old", "new", *(p for p in players if p not in ("old", "new")))
    w.open("t3", players=dict(enumerate(players, 1)))
    w.once_round("t3")
    for seat, person in enumerate(players, 1):
        w.list(wc.NoteSeated(room=ROOM, game_id="20-40", table="t3", seat=seat, player_id=person))
    w.pump()
    return w


def test_the_seat_goes_on_under_the_surviving_record() -> None:
    w = room("p1", "old", "p3")
    since = w.seated("t3", 2).since
    w.time("20:00")
    merge(w)
    assert w.who("t3") == {1: "p1", 2: "new", 3: "p3"}
    assert w.seated("t3", 2).since == since
    assert (w.presence("new").table, w.presence("new").seat) == ("t3", 2)
    assert w.presence("old").table == ""
    assert w.board().table("t3").players == ("p1", "new", "p3")  # type: ignore[union-attr]
    deal = w.hand("t3", 20, 1, 2, 3)
    assert w.ask_hand("t3", "new", deal)
    left = found(w.seat(sc.LeaveSeat(**AT, player_id="new", chips_cents=7_000)), se.PlayerLeft)
    assert left.player_id == "new"
    w.pump()
    assert w.board().table("t3").players == ("p1", "p3")  # type: ignore[union-attr]
    refused = w.no(w.seat, sc.LeaveSeat(**AT, player_id="old", chips_cents=0))
    assert refused.code == "NOT_SEATED"


def test_who_still_speaks_of_the_old_record_means_the_person() -> None:
    w = room("p1", "old", "p3")
    w.register("newest")
    merge(w)
    merge(w, "new", "newest")
    assert w.who("t3")[2] == "newest"
    left = w.seat(sc.LeaveSeat(**AT, player_id="old", chips_cents=7_000))
    assert found(left, se.PlayerLeft).player_id == "newest"
    standing = clean("newest")
    w.seat(sc.LockSeat(**AT, seat=2, player_id="old", standing=standing), override="comes back")
    kept = w.table("t3").lock_of("newest")
    assert kept is not None
    take = sc.TakeSeat(**AT, seat=2, player_id="new", buy_in_cents=40_000, standing=standing)
    assert found(w.seat(take), se.PlayerSeated).player_id == "newest"


def test_what_the_lists_want_of_the_old_record_is_done_for_the_person() -> None:
    w = room(*(f"p{n}" for n in range(1, 9)))
    w.open("t5", feeds="t3", players={1: "old", 2: "q2"})
    w.player(pc.MergePlayers(group=GROUP, player_id="new", from_id="old", reason="one person"))
    w.seat(sc.MergePresence(room=ROOM, from_id="old", into_id="new"))
    order = sc.FollowMustMove(room=ROOM, table="t5", player_id="old", to_table="t3", to_seat=9)
    due = found(w.seat(order), se.MoveDue)
    assert (due.player_id, due.move.to_seat) == ("new", 9)
    called = sc.NoteCalled(room=ROOM, table="t5", player_ids=("old", "q7"))
    assert found(w.seat(called), se.NamesCalled).player_ids == ("new", "q7")


def test_the_return_window_of_both_records_counts() -> None:
    w = room("p1", "old", "p3")
    merge(w)
    w.seat(sc.LeaveSeat(**AT, player_id="new", chips_cents=70_000))
    standing = clean("new")
    w.seat(sc.LockSeat(**AT, seat=2, player_id="new", standing=standing), override="comes back")
    back = sc.TakeSeat(**AT, seat=2, player_id="new", buy_in_cents=20_000, standing=standing)
    assert w.no(w.seat, back).code == "BELOW_MINIMUM_BUY_IN"


def test_a_merge_told_twice_changes_nothing_more() -> None:
    w = room("p1", "old", "p3")
    command = sc.MergePresence(room=ROOM, from_id="old", into_id="new")
    assert w.seat(command)
    assert w.seat(command) == ()


def test_what_a_table_keeps_for_a_name_is_kept_for_the_person() -> None:
    w = room("p1", "p2", "p3")
    lock = sc.LockSeat(**AT, seat=7, player_id="old", standing=clean("old"))
    w.seat(lock, override="promised")
    w.seat(sc.RequestSeatChange(**AT, player_id="p1", seat=8))
    merge(w)
    kept = w.table("t3").lock_of("new")
    assert kept is not None
    assert kept.number == 7
    take = sc.TakeSeat(**AT, seat=7, player_id="new", buy_in_cents=20_000, standing=clean("new"))
    assert found(w.seat(take), se.PlayerSeated).player_id == "new"


def test_absence_move_and_exclusion_stay_with_the_person() -> None:
    w = room("p1", "old", "p3")
    w.away("t3", "old")
    until = w.at + timedelta(hours=2)
    exclude = sc.ExcludePlayer(
        room=ROOM, player_id="old", code="SUSPENDED", rules=("LC-1",), until=until, must_leave=False
    )
    w.seat(exclude)
    before = w.seated("t3", 2)
    merge(w)
    after = w.seated("t3", 2)
    assert (after.away, after.exclusion) == (before.away, before.exclusion)
    w.seat(sc.ReturnToTable(**AT, player_id="new"))
    assert w.no_hand("t3", "new", w.hand("t3", 21, 1, 2, 3, dealt_in=(1, 3))).code == "SUSPENDED"
    w.seat(sc.ReadmitPlayer(room=ROOM, player_id="new"))
    assert w.seated("t3", 2).exclusion is None


@pytest.mark.rule("LC-90")
@pytest.mark.parametrize("book", ["LC", "RC", "WP", "HG"])
def test_one_person_in_two_seats_plays_one_and_gives_the_other_up(book: str) -> None:
    w = room("p1", "old", "p3", "new", book=book)
    merge(w)
    assert w.who("t3") == {1: "p1", 2: "old", 3: "p3", 4: "new"}
    second = w.seated("t3", 2).exclusion
    assert second is not None
    assert (second.code, second.must_leave) == ("SEATED_TWICE", True)
    assert second.rules == w.rules.cite("seating.one_seat_each")
    deal = w.hand("t3", 20, 1, 2, 3, dealt_in=(1, 3, 4))
    assert w.no_hand("t3", "old", deal).code == "SEATED_TWICE"
    assert w.ask_hand("t3", "new", deal)
    w.seat(sc.LeaveSeat(**AT, player_id="old", chips_cents=5_000))
    w.pump()
    assert w.who("t3") == {1: "p1", 3: "p3", 4: "new"}
    assert w.board().table("t3").players == ("p1", "p3", "new")  # type: ignore[union-attr]


@pytest.mark.parametrize("elsewhere", [False, True])
def test_the_second_seat_is_the_persons_once_the_first_is_left(elsewhere: bool) -> None:
    w = room("p1", "old", "p3", *(() if elsewhere else ("new",)))
    if elsewhere:
        w.open("t5", players={1: "new", 2: "q2"})
        w.pump()
    merge(w)
    table = "t5" if elsewhere else "t3"
    w.seat(sc.LeaveSeat(room=ROOM, table=table, player_id="new", chips_cents=9_000))
    w.pump()
    assert w.who("t3")[2] == "new"
    assert w.seated("t3", 2).exclusion is None
    assert (w.presence("new").table, w.presence("new").seat) == ("t3", 2)
    deal = w.hand("t3", 20, 1, 2, 3, dealt_in=(1, 3))
    assert w.ask_hand("t3", "new", deal)


def test_who_sits_waits_for_the_game_no_more() -> None:
    w = room("p1", "old", "p3", "p4", "p5", "p6", "p7", "p8", "p9")
    w.sign_up("new")
    assert w.names() == ["new"]
    merge(w)
    assert w.names() == []
    assert found(w.waitlist.events(we.NameRemoved), we.NameRemoved).reason == "seated"


def test_a_must_move_name_and_a_bar_go_along() -> None:
    w = room(*(f"p{n}" for n in range(1, 10)))
    w.open("t5", feeds="t3", players={1: "old", 2: "q2"})
    for seat, person in ((1, "old"), (2, "q2")):
        w.list(wc.NoteSeated(room=ROOM, game_id="20-40", table="t5", seat=seat, player_id=person))
    w.pump()
    merge(w)
    assert [name.player_id for name in w.must_move("t3").names] == ["new", "q2"]
    w.seat(sc.LeaveSeat(**AT, player_id="p4", chips_cents=0))
    w.pump()
    name = w.must_move("t3").called_for(4)
    assert name is not None
    assert name.player_id == "new"
    move = sc.MovePlayer(
        room=ROOM, table="t5", player_id="new", to_table="t3", to_seat=4, stack_cents=9_000
    )
    assert found(w.seat(move), se.PlayerSeated).player_id == "new"


def test_a_bar_after_a_refused_move_holds_for_the_surviving_record() -> None:
    w = room("p1", "p2", "p3")
    bar = we.SignUpBarred(
        room=ROOM,
        game_id="20-40",
        bar=we.ListBar(
            player_id="old",
            since=w.at,
            until=w.at + timedelta(hours=1),
            rules=("LC-139a",),
        ),
    )
    w._put(w.waitlist, f"board/{ROOM}/20-40", bar)
    w.pump()
    merge(w)
    assert w.no(w.list, w.sign("new"), "brush").code == "REFUSED_MUST_MOVE"
    assert w.presence("new").game_bars[0][0] == "20-40"


def test_who_names_a_merged_record_to_the_lists_means_the_person() -> None:
    w = room("p1", "p2", "p3")
    merge(w)
    w.sign_up("old")
    assert w.names() == ["new"]
    for person in ("old", "new"):
        assert w.no(w.list, w.sign(person), "brush").code == "ALREADY_LISTED"


def test_the_lists_take_what_players_say_of_a_person_before_they_hear_of_the_merge() -> None:
    w = room("p1", "p2", "p3")
    w.list(w.sign("old", standing=clean("new")), "brush")
    assert w.names() == ["new"]


def test_players_placed_first_under_a_merged_record_are_the_person() -> None:
    w = room("p1", "p2", "p3")
    w.sign_up("new")
    merge(w)
    w.list(
        wc.PlaceFirst(
            room=ROOM, game_id="20-40", players=(("first", "old"),), reason="game broken"
        ),
        "floor",
    )
    assert w.names() == ["new"]


def test_a_called_must_move_player_may_be_named_by_either_record() -> None:
    w = room(*(f"p{n}" for n in range(1, 10)))
    w.open("t5", feeds="t3", players={1: "old", 2: "q2"})
    for seat, person in ((1, "old"), (2, "q2")):
        w.list(wc.NoteSeated(room=ROOM, game_id="20-40", table="t5", seat=seat, player_id=person))
    w.pump()
    merge(w)
    w.list(wc.CallToMain(room=ROOM, main="t3", seat=4), "floor")
    w.list(wc.DeclineMove(room=ROOM, main="t3", player_id="old"), "floor")
    assert found(w.waitlist.events(we.MoveDeclined), we.MoveDeclined).player_id == "new"


def test_records_merged_twice_mean_the_last_one() -> None:
    w = room("p1", "p2", "p3")
    w.register("newest")
    merge(w)
    merge(w, "new", "newest")
    w.sign_up("old")
    assert w.names() == ["newest"]


# --- at the table itself


def tell(felt: Felt, message: Message) -> None:
    told = received(message, source="seating", stream=f"seats/{ROOM}/{T}")
    for command in from_seating(told):
        felt.do(command, "service", actor="seating")


def finish(felt: Felt) -> None:
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)


RENAMED = seating.RecordRenamed(
    room=ROOM, table=T, game_id="6-12", player_id="p4", into_id="new", seat=4
)


def test_a_hand_in_play_keeps_the_record_it_was_dealt_to() -> None:
    felt = Felt("LC", LC_6_12, (1, 4, 7))
    felt.draw(1)
    felt.start()
    before = felt.seat(4)
    tell(felt, RENAMED)
    assert felt.seat(4) == replace(before, player="new")
    assert {chair.player for chair in felt.hand.chairs} == {"p1", "p4", "p7"}
    tell(felt, RENAMED)
    assert len(felt.world.events(tev.PlayerRenamed)) == 1
    finish(felt)
    assert felt.seat(4).player == "new"
    felt.start()
    assert {chair.player for chair in felt.hand.chairs} == {"p1", "new", "p7"}


def test_what_is_still_told_of_the_old_record_finds_the_player() -> None:
    felt = Felt("LC", LC_6_12, (1, 4, 7))
    tell(felt, RENAMED)
    paid = c.RemoveChips(
        room=ROOM, table=T, seat=4, player="p4", cents=700, purpose="time", as_fact=True
    )
    felt.do(paid, "service", actor="timecollection")
    assert felt.seat(4).stack_cents == 29_300


def test_who_waits_for_a_seat_gets_it_under_the_surviving_record() -> None:
    felt = Felt("LC", LC_6_12, (1, 4, 7))
    felt.draw(1)
    felt.start()
    felt.run(c.LeaveSeat, "service", seat=4, player="p4", as_fact=True)
    felt.sit(4, player="old")
    tell(
        felt,
        seating.RecordRenamed(room=ROOM, table=T, player_id="old", into_id="new", seat=4),
    )
    finish(felt)
    assert felt.seat(4).player == "new"


def test_a_table_that_is_not_open_hears_of_it_without_a_word() -> None:
    felt = Felt("LC", LC_6_12, (4,))
    felt.leave(4)
    felt.run(c.CloseTable, "floor")
    assert felt.run(c.RenamePlayer, "service", player="p4", into="new", as_fact=True) == ()


def test_the_time_collection_hears_of_the_seat_from_the_table() -> None:
    felt = Felt("LC", LC_6_12, (1, 4, 7))
    tell(felt, RENAMED)
    stream, event = felt.world.log[-1]
    message = publish(_recorded(1, stream, event, felt.world.at))
    assert message == tables.TableSeatRenamed(
        room=ROOM, table=T, seat=4, player_id="p4", into_id="new"
    )
