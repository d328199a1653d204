"""The house: given what was recorded, when a command comes, then events or a refusal."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from cardroom.house import commands as c
from cardroom.house import events as e
from cardroom.house.books import due
from cardroom.house.core import DECIDER
from cardroom.house.values import Down, Hours, Station, StationKind
from cardroom.kernel.decisions import Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import Streams, kind_of
from cardroom.known.games import Form, Game, Structure
from cardroom.rulebook.loader import load_book, read_book
from cardroom.rulebook.model import ResolvedBook

NOON = datetime(2026, 3, 1, 20, tzinfo=UTC)
SIX_TWELVE = Game(
    game_id="6-12-holdem",
    name="6-12 Hold'em",
    form=Form.HOLDEM,
    structure=Structure.LIMIT,
    small_bet_cents=600,
    big_bet_cents=1200,
    blinds_cents=(200, 600),
    chip_cents=200,
    button_collection_cents=400,
)


class House:
    """The house's core with its states in memory."""

    def __init__(self) -> None:
        self.states: dict[Any, Any] = {}
        self.versions: dict[Any, int] = {}
        self.now = NOON

    def streams(self, command: Any) -> Streams:
        loaded: dict[Any, Any] = {}
        while True:
            wanted = DECIDER.reads(command, Streams(DECIDER.aggregates, loaded, self.versions))
            if wanted <= loaded.keys():
                return Streams(DECIDER.aggregates, loaded, self.versions)
            for stem in wanted:
                initial = DECIDER.aggregates[kind_of(stem)].initial
                loaded[stem] = self.states.get(stem, initial)

    def when(self, command: Any, **around: Any) -> tuple[Event, ...]:
        around = {"roles": frozenset({"admin"}), **around}
        occasion = Occasion(
            at=self.now, recorded_at=self.now, gaming_day="2026-03-01", actor="maria", **around
        )
        decision = DECIDER.decide(command, self.streams(command), occasion)
        for stem, event in decision:
            stored = DECIDER.events.decode(
                type(event).__struct_config__.tag, msgspec.msgpack.encode(event)
            )
            assert stored == event
            aggregate = DECIDER.aggregates[kind_of(stem)]
            state = self.states.get(stem, aggregate.initial)
            self.states[stem] = aggregate.evolve(state, event)
            self.versions[stem] = self.versions.get(stem, 0) + 1
        self.check_books()
        return tuple(event for _, event in decision)

    def check_books(self) -> None:
        """Whatever is pinned anywhere has its content, and no content lies under another's digest."""
        room = self.states.get("room/lucky")
        if room is None:
            return
        resolved = self.states["books/lucky"].resolved
        games = [self.states[f"game/lucky/{game_id}"].game for game_id in room.games]
        for digest in (room.room.book_digest, *(game.book_digest for game in games)):
            assert ResolvedBook.from_content(resolved[digest]).digest == digest

    def refused(self, command: Any) -> Refused:
        with pytest.raises(Refused) as caught:
            self.when(command)
        return caught.value

    def rules(self, game_id: str = "") -> ResolvedBook:
        state = self.states[f"game/lucky/{game_id}" if game_id else "room/lucky"]
        digest = (state.game if game_id else state.room).book_digest
        return ResolvedBook.from_content(self.states["books/lucky"].resolved[digest])


def open_room(book: str = "LC") -> c.OpenRoom:
    return c.OpenRoom(
        room="lucky",
        name="Lucky Chances",
        group="bay",
        time_zone="America/Los_Angeles",
        cut_over_minutes=360,
        book=load_book(book).content(),
    )


@pytest.fixture
def house() -> House:
    house = House()
    house.when(open_room())
    return house


@pytest.fixture
def playing(house: House) -> House:
    house.when(c.OfferGame(room="lucky", game=SIX_TWELVE))
    return house


def kinds(events: tuple[Event, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


# ---- rooms


def test_opening_a_room_pins_its_book() -> None:
    house = House()
    events = house.when(open_room())
    assert kinds(events) == [
        "RoomListed", "BookLoaded", "BooksReviewed", "BookResolved", "RoomOpened",
    ]  # fmt: skip
    assert house.rules().book == "LC"
    assert house.states["rooms/all"].rooms == (("lucky", "bay"),)


def test_a_room_opens_once(house: House) -> None:
    assert (house.refused(open_room()).code, house.refused(open_room()).rules) == (
        "ROOM_EXISTS",
        ("CR-7",),
    )


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"time_zone": "Pacific"}, "time_zone"),
        ({"time_zone": "../etc/passwd"}, "time_zone"),
        ({"time_zone": ""}, "time_zone"),
        ({"cut_over_minutes": 1440}, "cut_over_minutes"),
        ({"cut_over_minutes": -1}, "cut_over_minutes"),
        ({"name": " "}, "name"),
        ({"name": "x" * 81}, "name"),
    ],
)
def test_a_rooms_facts_are_checked(change: dict[str, Any], field: str) -> None:
    command = msgspec.structs.replace(open_room(), **change)
    refusal = House().refused(command)
    assert (refusal.rules, refusal.field) == (("CR-4",), field)


def test_a_room_needs_a_book() -> None:
    refusal = House().refused(msgspec.structs.replace(open_room(), book=b"{}"))
    assert (refusal.code, refusal.field) == ("BOOK_MALFORMED", "book")


def test_changing_a_room_keeps_what_is_not_named(house: House) -> None:
    (changed,) = house.when(c.ChangeRoom(room="lucky", cut_over_minutes=300))
    assert isinstance(changed, e.RoomChanged)
    assert (changed.room.cut_over_minutes, changed.room.name) == (300, "Lucky Chances")
    assert house.refused(c.ChangeRoom(room="lucky", cut_over_minutes=300)).code == "NOTHING_CHANGED"


@pytest.mark.parametrize(
    "command",
    [
        c.ChangeRoom(room="lucky", name="x"),
        c.OfferGame(room="lucky", game=SIX_TWELVE),
        c.ReviewBooks(room="lucky", at=NOON),
        c.PushDealer(room="lucky", table="t1", dealer="ann"),
        c.ChangeBook(room="lucky", book=b""),
    ],
)
def test_nothing_is_done_in_a_room_that_is_not_there(command: Any) -> None:
    assert House().refused(command).rules == ("CR-2",)


# ---- games


def test_a_game_is_offered_under_its_book(house: House) -> None:
    events = house.when(
        c.OfferGame(
            room="lucky",
            game=SIX_TWELVE,
            hours=(Hours(weekday=4, opens_minutes=1080, closes_minutes=1560),),
        )
    )
    assert kinds(events) == ["GameListed", "GameOffered"]  # its book is the room's, known already
    assert house.states["room/lucky"].games == ("6-12-holdem",)
    assert house.rules("6-12-holdem").flag("collection.button_live") is True


def test_a_game_over_the_high_limit_is_under_the_high_limit_rules(house: House) -> None:
    game = msgspec.structs.replace(
        SIX_TWELVE, game_id="20-40", small_bet_cents=2000, big_bet_cents=4000, chip_cents=500
    )
    assert kinds(house.when(c.OfferGame(room="lucky", game=game))) == [
        "BookResolved", "GameListed", "GameOffered",
    ]  # fmt: skip
    assert house.rules("20-40").cite("collection.button_live") == ("LC-130",)


def test_a_game_may_set_what_is_per_game(house: House) -> None:
    house.when(c.OfferGame(room="lucky", game=SIX_TWELVE, overlay={"betting.cap_raises": 4}))
    rules = house.rules("6-12-holdem")
    assert rules.count("betting.cap_raises") == 4
    assert rules.cite("betting.cap_raises") == ("LC:game:betting.cap_raises",)


@pytest.mark.parametrize(
    ("overlay", "said"),
    [
        ({"betting.cap_raises": -1}, "below 0"),
        ({"betting.cap_rasies": 4}, "not a decision"),
        ({"house.smoking": "banned"}, "whole room"),
        ({"blinds.button_rule": "sideways"}, "one of"),
    ],
)
def test_a_game_may_not_set_just_anything(house: House, overlay: dict[str, Any], said: str) -> None:
    refusal = house.refused(c.OfferGame(room="lucky", game=SIX_TWELVE, overlay=overlay))
    assert refusal.code == "BOOK_VALUE_NOT_ALLOWED"
    assert said in refusal.message
    assert refusal.field == f"overlay.{next(iter(overlay))}"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"small_bet_cents": 0}, "game.small_bet_cents"),
        ({"small_bet_cents": -600}, "game.small_bet_cents"),
        ({"big_bet_cents": 500}, "game.big_bet_cents"),
        ({"small_bet_cents": 700}, "game.small_bet_cents"),
        ({"seats": 11}, "game.seats"),
        ({"seats": 1}, "game.seats"),
        ({"blinds_cents": ()}, "game.blinds_cents"),
        ({"blinds_cents": (600, 200)}, "game.blinds_cents"),
        ({"blinds_cents": (100, 200, 300, 400)}, "game.blinds_cents"),
        ({"bring_in_cents": 100}, "game.bring_in_cents"),
        ({"structure": Structure.NO_LIMIT}, "game.big_bet_cents"),
        ({"form": Form.STUD, "blinds_cents": (), "seats": 8}, "game.bring_in_cents"),
        ({"form": Form.STUD, "blinds_cents": (), "seats": 9}, "game.seats"),
        ({"chip_cents": -1}, "game.chip_cents"),
        ({"rake_cents": -1}, "game.rake_cents"),
        ({"name": ""}, "game.name"),
    ],
)
def test_a_games_terms_are_checked(house: House, change: dict[str, Any], field: str) -> None:
    game = msgspec.structs.replace(SIX_TWELVE, **change)
    refusal = house.refused(c.OfferGame(room="lucky", game=game))
    assert (refusal.rules, refusal.field) == (("CR-4",), field)


def test_the_chip_that_plays_is_the_books_where_a_game_names_none(playing: House) -> None:
    for game_id, change, chip_cents in (
        ("6-12", {}, 200),
        (
            "20-40",
            {"small_bet_cents": 2000, "big_bet_cents": 4000, "blinds_cents": (1000, 2000)},
            500,
        ),
    ):
        game = msgspec.structs.replace(SIX_TWELVE, game_id=game_id, chip_cents=0, **change)
        offered = playing.when(c.OfferGame(room="lucky", game=game))[-1]
        assert offered.game.chip_cents == chip_cents
    odd = msgspec.structs.replace(SIX_TWELVE, small_bet_cents=700, chip_cents=0)
    assert playing.refused(c.ChangeGame(room="lucky", game=odd, reason="odd")).field == (
        "game.small_bet_cents"
    )


def test_a_games_id_must_do_as_one(house: House) -> None:
    game = msgspec.structs.replace(SIX_TWELVE, game_id="6/12")
    assert house.refused(c.OfferGame(room="lucky", game=game)).code == "ID_MALFORMED"


def test_hours_are_checked(house: House) -> None:
    wrong = Hours(weekday=0, opens_minutes=600, closes_minutes=600)
    refusal = house.refused(c.OfferGame(room="lucky", game=SIX_TWELVE, hours=(wrong,)))
    assert refusal.field == "hours.closes_minutes"


@pytest.mark.rule("LC-HL", 2)
def test_a_raised_limit_brings_the_high_limit_rules_from_the_next_hand(playing: House) -> None:
    before = playing.rules("6-12-holdem")
    assert before.flag("collection.button_live") is True
    raised = msgspec.structs.replace(
        SIX_TWELVE,
        small_bet_cents=1000,
        big_bet_cents=2000,
        blinds_cents=(500, 1000),
        chip_cents=500,
    )
    events = playing.when(
        c.ChangeGame(room="lucky", game=raised, expected_version=1, reason="table asked")
    )
    assert kinds(events) == ["BookResolved", "GameChanged"]
    after = playing.rules("6-12-holdem")
    assert after.digest != before.digest  # a hand under way keeps the digest that it pinned
    assert (after.flag("collection.button_live"), after.choice("blinds.new_player")) == (
        False,
        "post_big",
    )
    assert after.cite("collection.button_live", "blinds.new_player") == ("LC-130", "LC-127")


def test_a_change_seen_too_late_is_refused(playing: House) -> None:
    command = c.ChangeGame(
        room="lucky", game=msgspec.structs.replace(SIX_TWELVE, seats=8), expected_version=7
    )
    assert playing.refused(command).rules == ("CR-1",)


def test_hold_em_does_not_become_stud(playing: House) -> None:
    stud = msgspec.structs.replace(
        SIX_TWELVE, form=Form.STUD, blinds_cents=(), bring_in_cents=200, seats=8
    )
    assert playing.refused(c.ChangeGame(room="lucky", game=stud)).field == "game.form"


def test_a_game_is_withdrawn_and_offered_again(playing: House) -> None:
    (gone,) = playing.when(c.WithdrawGame(room="lucky", game_id="6-12-holdem", reason="no players"))
    assert isinstance(gone, e.GameWithdrawn)
    assert gone.game.offered is False
    again = c.WithdrawGame(room="lucky", game_id="6-12-holdem", reason="no players")
    assert playing.refused(again).code == "GAME_WITHDRAWN"
    (back,) = playing.when(c.ChangeGame(room="lucky", game=SIX_TWELVE))
    assert isinstance(back, e.GameChanged)
    assert back.game.offered is True


# ---- books


def oak(body: str) -> bytes:
    head = '[book]\nid = "OAK"\ntitle = "Oak Room"\nbased_on = "LC"\n'
    return read_book((head + body).encode(), "oak.toml").content()


def test_another_book_now_reaches_every_game(playing: House) -> None:
    events = playing.when(c.ChangeBook(room="lucky", book=oak("[betting]\ncap_raises = 4\n")))
    assert kinds(events) == [
        "BookLoaded", "BooksReviewed", "BookResolved", "RoomChanged", "GameBookChanged",
    ]  # fmt: skip
    rules = playing.rules("6-12-holdem")
    assert (rules.book, rules.count("betting.cap_raises")) == ("OAK", 4)
    assert rules.cite("betting.cap_raises") == ("OAK:betting.cap_raises",)
    assert rules.cite("betting.check_raise") == ("LC-55",)


def test_a_book_that_begins_later_waits_for_its_instant(playing: House) -> None:
    later = NOON + timedelta(days=1)
    command = c.ChangeBook(
        room="lucky", book=oak("[betting]\ncap_raises = 4\n"), effective_at=later
    )
    assert kinds(playing.when(command)) == ["BookLoaded"]
    assert playing.rules("6-12-holdem").book == "LC"
    ((at, review),) = due(playing.states["books/lucky"])
    assert at == later
    playing.now = later
    playing.when(review)
    assert playing.rules("6-12-holdem").book == "OAK"
    assert due(playing.states["books/lucky"]) == ()
    assert playing.when(review) == ()


def test_a_dated_value_takes_effect_at_its_instant(playing: House) -> None:
    book = oak(
        "[betting]\ncap_raises = [{ value = 4 }, { value = 5, from = 2026-03-02T14:00:00Z }]\n"
    )
    playing.when(c.ChangeBook(room="lucky", book=book))
    assert playing.rules("6-12-holdem").count("betting.cap_raises") == 4
    ((at, review),) = due(playing.states["books/lucky"])
    assert at == datetime(2026, 3, 2, 14, tzinfo=UTC)
    playing.now = at
    playing.when(review)
    assert playing.rules("6-12-holdem").count("betting.cap_raises") == 5


def test_a_waiting_book_can_be_called_off(playing: House) -> None:
    later = NOON + timedelta(days=1)
    playing.when(c.ChangeBook(room="lucky", book=oak(""), effective_at=later))
    in_force = c.WithdrawBook(room="lucky", version=1, reason="x")
    assert playing.refused(in_force).code == "BOOK_IN_FORCE"
    unknown = c.WithdrawBook(room="lucky", version=9, reason="x")
    assert playing.refused(unknown).rules == ("CR-2",)
    playing.when(c.WithdrawBook(room="lucky", version=2, reason="not agreed"))
    assert due(playing.states["books/lucky"]) == ()


def test_a_book_does_not_begin_in_the_past(playing: House) -> None:
    early = NOON - timedelta(hours=1)
    command = c.ChangeBook(room="lucky", book=oak(""), effective_at=early)
    assert playing.refused(command).code == "EFFECTIVE_IN_THE_PAST"


def test_a_change_from_a_station_whose_clock_is_behind_stays_in_force(playing: House) -> None:
    playing.now = NOON - timedelta(minutes=2)
    playing.when(c.ChangeBook(room="lucky", book=oak("[betting]\ncap_raises = 4\n")))
    assert playing.rules("6-12-holdem").book == "OAK"
    assert due(playing.states["books/lucky"]) == ()


# ---- staff and line-up


@pytest.fixture
def staffed(house: House) -> House:
    for staff_id, roles in (("ann", ("dealer",)), ("bob", ("dealer", "floor")), ("cy", ("brush",))):
        house.when(c.AddStaff(room="lucky", staff_id=staff_id, roles=roles))
    return house


def test_dealers_relieve_each_other(staffed: House) -> None:
    staffed.when(c.PushDealer(room="lucky", table="t1", dealer="ann"))
    (pushed,) = staffed.when(c.PushDealer(room="lucky", table="t1", dealer="bob"))
    assert isinstance(pushed, e.DealerPushed)
    assert (pushed.relieved, pushed.came_from) == ("ann", "")
    (moved,) = staffed.when(c.PushDealer(room="lucky", table="t2", dealer="bob"))
    assert isinstance(moved, e.DealerPushed)
    assert (moved.relieved, moved.came_from) == ("", "t1")
    assert set(staffed.states["staff/lucky"].dealing) == {"t2"}
    assert staffed.refused(c.PushDealer(room="lucky", table="t2", dealer="bob")).rules == ("CR-7",)
    staffed.when(c.RelieveDealer(room="lucky", table="t2"))
    assert staffed.refused(c.RelieveDealer(room="lucky", table="t2")).code == "BOX_EMPTY"


def test_only_dealers_deal(staffed: House) -> None:
    assert staffed.refused(c.PushDealer(room="lucky", table="t1", dealer="cy")).rules == ("CR-9",)
    assert staffed.refused(c.PushDealer(room="lucky", table="t1", dealer="eve")).rules == ("CR-2",)


def test_whoever_deals_does_not_leave(staffed: House) -> None:
    staffed.when(c.PushDealer(room="lucky", table="t1", dealer="ann"))
    leave = c.RemoveStaff(room="lucky", staff_id="ann", reason="moved away")
    assert staffed.refused(leave).code == "STILL_DEALING"
    staffed.when(c.RelieveDealer(room="lucky", table="t1"))
    staffed.when(leave)
    assert staffed.refused(leave).rules == ("CR-2",)
    staffed.when(c.AddStaff(room="lucky", staff_id="ann", roles=("dealer",)))


def test_a_badge_belongs_to_one_person(staffed: House) -> None:
    first = c.SetCredentials(room="lucky", staff_id="ann", badge_digest="ab", pin_digest="p")
    staffed.when(first)
    second = msgspec.structs.replace(first, staff_id="bob")
    assert staffed.refused(second).code == "ALREADY_SO"


def test_roles_are_those_that_there_are(staffed: House) -> None:
    wrong = c.ChangeStaffRoles(room="lucky", staff_id="ann", roles=("king",))
    assert staffed.refused(wrong).field == "roles"
    staffed.when(c.ChangeStaffRoles(room="lucky", staff_id="ann", roles=("floor", "dealer")))
    assert staffed.states["staff/lucky"].members["ann"].roles == ("dealer", "floor")


@pytest.mark.parametrize(
    "command",
    [
        c.AddStaff(room="lucky", staff_id="eve", roles=("admin",)),
        c.ChangeStaffRoles(room="lucky", staff_id="ann", roles=("dealer", "shift_manager")),
        c.ChangeStaffRoles(room="lucky", staff_id="root", roles=("dealer",)),
        c.SetCredentials(room="lucky", staff_id="root", badge_digest="", pin_digest="p"),
        c.RemoveStaff(room="lucky", staff_id="root", reason="x"),
    ],
)
def test_an_admin_alone_decides_about_the_highest_roles(staffed: House, command: Any) -> None:
    staffed.when(c.AddStaff(room="lucky", staff_id="root", roles=("admin",)))
    with pytest.raises(Refused) as caught:
        staffed.when(command, roles=frozenset({"shift_manager"}))
    assert (caught.value.code, caught.value.rules) == ("ROLE_RESERVED", ("CR-9",))
    assert staffed.when(command)


def test_nobody_is_planned_at_two_tables_at_once(staffed: House) -> None:
    def down(table: str, dealer: str, start: int, end: int) -> Down:
        return Down(
            table=table,
            dealer=dealer,
            starts_at=NOON + timedelta(minutes=start),
            ends_at=NOON + timedelta(minutes=end),
        )

    good = (down("t1", "ann", 0, 30), down("t1", "bob", 30, 60), down("t2", "ann", 30, 60))
    staffed.when(c.PlanLineUp(room="lucky", downs=good))
    twice = (down("t1", "ann", 0, 30), down("t2", "ann", 20, 40))
    assert staffed.refused(c.PlanLineUp(room="lucky", downs=twice)).code == "DOWNS_OVERLAP"
    table = (down("t1", "ann", 0, 30), down("t1", "bob", 20, 40))
    assert staffed.refused(c.PlanLineUp(room="lucky", downs=table)).code == "DOWNS_OVERLAP"
    backward = (down("t1", "ann", 30, 30),)
    refusal = staffed.refused(c.PlanLineUp(room="lucky", downs=backward))
    assert refusal.code == "DOWN_ENDS_BEFORE_IT_STARTS"


def test_stations_are_set_and_removed(house: House) -> None:
    podium = Station(station_id="podium-1", kind=StationKind.PODIUM, shared=True)
    house.when(c.SetStation(room="lucky", station=podium))
    assert house.refused(c.SetStation(room="lucky", station=podium)).rules == ("CR-7",)
    house.when(c.RemoveStation(room="lucky", station_id="podium-1"))
    gone = c.RemoveStation(room="lucky", station_id="podium-1")
    assert house.refused(gone).rules == ("CR-2",)
