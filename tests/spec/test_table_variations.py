"""What one table posts otherwise than its room and game: checked, pinned, worked out again, taken at the next hand."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from cardroom import known
from cardroom.adapters.bus.envelope import received
from cardroom.house import commands as c
from cardroom.house import events as e
from cardroom.house.publish import publish
from cardroom.house.variation import variation_stream
from cardroom.known.inbox import fact_of
from cardroom.rulebook.loader import load_book
from cardroom.rulebook.model import ResolvedBook
from cardroom.rulebook.resolve import resolve
from cardroom.seating import commands as sc
from cardroom.tables import commands as tc
from cardroom.tables import deal_events as de
from cardroom.tables import hand_commands as do
from cardroom.tables import table_events as tev
from cardroom.tables import taking
from cardroom.timecollection.core import DECIDER as TIME
from tests.plugins.floor_world import FOUR_EIGHT, FloorWorld, _recorded, clean
from tests.plugins.tables_world import LC_6_12, Felt, T
from tests.plugins.world import ROOM, World
from tests.rules.test_timecollection_cases import Table
from tests.spec.test_house_spec import NOON, SIX_TWELVE, House, kinds, oak, open_room

CAP_FOUR = {"betting.cap_raises": 4}
GAME = SIX_TWELVE.game_id


def post(overlay: dict[str, Any] | None = None, table: str = "t1", **more: Any) -> c.PostVariation:
    return c.PostVariation(
        room="lucky", table=table, overlay=CAP_FOUR if overlay is None else overlay, **more
    )


@pytest.fixture
def playing() -> House:
    house = House()
    house.when(open_room())
    house.when(c.OfferGame(room="lucky", game=SIX_TWELVE))
    return house


def at_table(house: House, game_id: str = GAME, table: str = "t1") -> ResolvedBook:
    """Return the book in force for a game at a table, its content found under the digest."""
    digest = house.states[variation_stream("lucky", table)].books[game_id]
    book = ResolvedBook.from_content(house.states["books/lucky"].resolved[digest])
    assert book.digest == digest
    return book


# --- the house


def test_a_table_posts_what_is_per_game(playing: House) -> None:
    events = playing.when(post(reason="Friday promotion"))
    assert kinds(events) == ["BookResolved", "VariationListed", "VariationPosted"]
    rules = at_table(playing)
    assert rules.count("betting.cap_raises") == 4
    assert rules.cite("betting.cap_raises") == ("LC:table:betting.cap_raises",)
    assert playing.rules(GAME).count("betting.cap_raises") == 3


def test_the_table_goes_before_the_game(playing: House) -> None:
    playing.when(c.ChangeGame(room="lucky", game=SIX_TWELVE, overlay={"betting.cap_raises": 5}))
    playing.when(post())
    assert playing.rules(GAME).count("betting.cap_raises") == 5
    assert at_table(playing).count("betting.cap_raises") == 4


@pytest.mark.parametrize(
    ("overlay", "said"),
    [
        ({"betting.cap_raises": -1}, "below 0"),
        ({"betting.cap_rasies": 4}, "not a decision"),
        ({"house.smoking": "banned"}, "whole room"),
        ({"blinds.button_rule": "sideways"}, "one of"),
    ],
)
def test_a_table_may_not_post_just_anything(
    playing: House, overlay: dict[str, Any], said: str
) -> None:
    refusal = playing.refused(post(overlay))
    assert (refusal.code, refusal.rules) == ("BOOK_VALUE_NOT_ALLOWED", ("CR-4",))
    assert said in refusal.message
    assert refusal.field == f"overlay.{next(iter(overlay))}"


def test_what_changes_nothing_is_refused(playing: House) -> None:
    assert playing.refused(post({})).code == "NOTHING_SET"
    lift = c.LiftVariation(room="lucky", table="t1")
    assert playing.refused(lift).code == "NOTHING_POSTED"
    playing.when(post())
    assert playing.refused(post()).code == "NOTHING_CHANGED"
    assert playing.refused(post({"betting.cap_raises": 5}, expected_version=9)).rules == ("CR-1",)
    assert kinds(playing.when(post({"betting.cap_raises": 5}, expected_version=1))) == [
        "BookResolved", "VariationPosted",
    ]  # fmt: skip
    playing.when(lift)
    assert playing.states[variation_stream("lucky", "t1")].books == {}


def test_games_and_books_that_come_later_are_worked_out_for_the_table_too(playing: House) -> None:
    playing.when(post())
    high = msgspec.structs.replace(
        SIX_TWELVE, game_id="20-40", small_bet_cents=2000, big_bet_cents=4000
    )
    assert "VariationResolved" in kinds(playing.when(c.OfferGame(room="lucky", game=high)))
    assert at_table(playing, "20-40").content() != playing.rules("20-40").content()
    other = c.ChangeBook(room="lucky", book=oak("[betting]\nclock_seconds = 30"))
    assert "VariationResolved" in kinds(playing.when(other))
    rules = at_table(playing)
    assert (rules.count("betting.cap_raises"), rules.seconds("betting.clock_seconds")) == (4, 30)
    assert rules.cite("betting.cap_raises") == ("OAK:table:betting.cap_raises",)
    playing.when(c.LiftVariation(room="lucky", table="t1"))
    again = kinds(playing.when(c.ChangeGame(room="lucky", game=high, overlay=CAP_FOUR)))
    assert "VariationResolved" not in again


def test_a_books_dated_value_reaches_the_table(playing: House) -> None:
    playing.when(post())
    later = NOON + timedelta(hours=6)
    dated = oak(
        f"[betting]\nclock_seconds = [{{ value = 60 }}, "
        f"{{ value = 20, from = {later.isoformat()} }}]"
    )
    playing.when(c.ChangeBook(room="lucky", book=dated))
    assert at_table(playing).seconds("betting.clock_seconds") == 60
    playing.when(c.ReviewBooks(room="lucky", at=later))
    assert at_table(playing).seconds("betting.clock_seconds") == 20


def test_it_is_published_after_its_books_and_kept_as_published(playing: House) -> None:
    posted = playing.when(post())
    messages = [
        publish(_recorded(n, "variation/lucky/t1", one, NOON)) for n, one in enumerate(posted, 1)
    ]
    assert [type(one).__name__ for one in messages] == ["BookNoted", "NoneType", "VariationNoted"]
    lifted = playing.when(c.LiftVariation(room="lucky", table="t1"))
    gone = publish(_recorded(4, "variation/lucky/t1", lifted[0], NOON))
    for message, books in ((messages[2], 1), (gone, 0)):
        fact = fact_of(_received(message))
        assert isinstance(fact, known.VariationNoted)
        assert (fact.room, fact.variation.table, len(fact.variation.books)) == (
            "lucky",
            "t1",
            books,
        )
    assert isinstance(posted[-1], e.VariationPosted)


def _received(message: Any) -> Any:
    return received(message, source="house", stream="variation/lucky/t1")


# --- the others


def varied(world: World, game: Any, table: str, **values: Any) -> ResolvedBook:
    """Let a context learn that a table posts values for a game; returns the book in force there."""
    overlay = {key.replace("__", "."): value for key, value in values.items()}
    book = resolve(world.book, game, overlay)
    world.note(known.BookNoted(digest=book.digest, content=book.content()))
    posted = known.Variation(table=table, books=((game.game_id, book.digest),))
    world.note(known.VariationNoted(room=ROOM, variation=posted))
    return book


def lifted(world: World, table: str) -> None:
    world.note(known.VariationNoted(room=ROOM, variation=known.Variation(table=table)))


def test_a_fact_of_a_table_is_kept_once_and_of_its_own_room_alone() -> None:
    world = World(TIME)
    fact = known.VariationNoted(
        room=ROOM, variation=known.Variation(table="t1", books=(("g", "d"),))
    )
    assert len(world.do(known.NoteHouse(room=ROOM, facts=(fact,)))) == 1
    assert world.do(known.NoteHouse(room=ROOM, facts=(fact,))) == ()
    with pytest.raises(Exception, match="a table of room"):
        world.do(known.NoteHouse(room="r2", facts=(fact,)))


def test_seating_goes_by_what_the_table_posts() -> None:
    w = FloorWorld("WP", FOUR_EIGHT)
    varied(w.seating, FOUR_EIGHT, "t4", buyin__maximum=10_000)
    for table in ("t3", "t4"):
        w.open(table, players=range(1, 4))
    buy = {"room": ROOM, "player_id": "p1", "amount_cents": 20_000, "stack_cents": 0}
    standing = clean("p1")
    assert w.seat(sc.BuyChips(**buy, table="t3", standing=standing), "dealer")
    refusal = w.no(w.seat, sc.BuyChips(**buy, table="t4", standing=standing), "dealer")
    assert refusal.code == "ABOVE_MAXIMUM_BUY_IN"
    assert refusal.rules == ("WP:table:buyin.maximum",)
    lifted(w.seating, "t4")
    assert w.seat(sc.BuyChips(**buy, table="t4", standing=standing), "dealer")


def test_the_time_collection_goes_by_what_the_table_posts_from_its_next_period() -> None:
    table = Table("LC", 3, time_cents=700)
    varied(table.world, table.game, "t1", collection__time_minutes=20)
    due = table.fall_due()
    assert due.next_due_at - due.at == timedelta(minutes=20)
    assert due.rules[0] == "LC:table:collection.time_minutes"


def test_a_hand_ends_under_the_book_that_it_began_under_and_the_next_takes_what_is_posted() -> None:
    felt = Felt("LC", LC_6_12, (1, 4, 7))
    felt.draw(1)
    before = felt.start().book_digest
    book = varied(felt.world, LC_6_12, T, betting__cap_raises=4)
    felt.play(do.Fold, felt.hand.to_act)
    assert felt.hand.book_digest == before
    assert felt.table.book_digest == before
    finish(felt)
    assert felt.start().book_digest == book.digest
    assert len(felt.world.events(tev.BookTaken)) == 1
    assert felt.last(de.HandOpened).book_digest == book.digest
    finish(felt)
    lifted(felt.world, T)
    assert felt.start().book_digest == before


def test_a_counted_hand_takes_what_is_posted_too() -> None:
    felt = Felt("LC", LC_6_12, (1, 4, 7), capture="counted")
    felt.draw(1)
    book = varied(felt.world, LC_6_12, T, betting__cap_raises=4)
    felt.run(tc.CountHand)
    assert felt.last(de.HandOpened).book_digest == book.digest


def test_a_table_opens_under_what_is_posted_there() -> None:
    felt = Felt("LC", LC_6_12, (1, 4, 7))
    book = varied(felt.world, LC_6_12, "t9", betting__cap_raises=4)
    felt.world.do(tc.OpenTable(room=ROOM, table="t9", game_id=LC_6_12.game_id))
    opened = felt.world.events(tev.Opened)[-1]
    assert opened.book_digest == book.digest  # type: ignore[attr-defined]
    assert felt.table.book_digest != book.digest


def test_another_book_of_the_house_reaches_an_open_table_at_its_next_hand() -> None:
    felt = Felt("LC", LC_6_12, (1, 4, 7))
    felt.draw(1)
    felt.start()
    finish(felt)
    felt.world.book = load_book("WP")
    felt.world.offer(msgspec.structs.replace(LC_6_12, chip_cents=100))
    taken = felt.start()
    assert taken.book_digest == resolve(felt.world.book, LC_6_12).digest
    assert felt.table.the_game().chip_cents == 100


def finish(felt: Felt) -> None:
    while felt.table.hand is not None:
        felt.play(do.Fold, felt.hand.to_act)


def test_what_is_shown_between_hands_is_what_the_next_hand_takes() -> None:
    felt = Felt("LC", LC_6_12, (1, 4, 7))
    felt.draw(1)
    felt.start()
    book = varied(felt.world, LC_6_12, T, betting__cap_raises=4)
    states = felt.world.streams
    assert taking.as_it_goes_on(felt.table, states.get) == felt.table
    finish(felt)
    needed = taking.stems(felt.table, states.get)
    assert known.book_stream(book.digest) in needed
    shown = taking.as_it_goes_on(felt.table, felt.world.streams.get)
    assert shown.book_digest == book.digest
    start = tc.StartHand(room=ROOM, table=T)
    assert felt.world.decider.book_digest(start, felt.world.streams) == book.digest
    felt.start()
    assert felt.table.book_digest == shown.book_digest


def test_a_book_whose_content_is_on_its_way_is_waited_for() -> None:
    felt = Felt("LC", LC_6_12, (1, 4, 7))
    felt.draw(1)
    before = felt.table.book_digest
    posted = known.Variation(table=T, books=((LC_6_12.game_id, "0" * 64),))
    felt.world.note(known.VariationNoted(room=ROOM, variation=posted))
    assert felt.start().book_digest == before
