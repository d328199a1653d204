"""The house's services behind the real gate, and what it publishes kept by another context."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from cardroom import known
from cardroom.adapters.application import Application
from cardroom.adapters.bus.envelope import Received, envelope_of, key_by_room, received_from
from cardroom.adapters.grpc.people import PersonCheck, badge_digest
from cardroom.adapters.store.memory import MemoryStore
from cardroom.adapters.store.vault import Vault
from cardroom.api.house.v1 import book_service_pb2 as book_pb
from cardroom.api.house.v1 import book_service_pb2_grpc as book_grpc
from cardroom.api.house.v1 import house_service_pb2 as pb
from cardroom.api.house.v1 import house_service_pb2_grpc as pb_grpc
from cardroom.api.house.v1 import house_types_pb2 as types
from cardroom.api.house.v1 import staff_service_pb2 as staff_pb
from cardroom.api.house.v1 import staff_service_pb2_grpc as staff_grpc
from cardroom.api.options.v1.options_pb2 import ROLE_DEALER, ROLE_FLOOR
from cardroom.house.main import CONTEXT
from cardroom.house.publish import publish
from cardroom.house.servicer.people import StaffList
from cardroom.kernel.clock import ManualClock
from cardroom.kernel.streams import Streams
from cardroom.known.inbox import note_house
from cardroom.rulebook.loader import load_book
from cardroom.rulebook.resolve import resolve
from tests.plugins.grpc_trial import Trial, failure, trial

EVENING = datetime(2026, 3, 6, 3, 0, tzinfo=UTC)
OWN_BOOK = b"""[book]
id = "OAK"
title = "Oak Room"
based_on = "LC"
[betting]
cap_raises = 4
"""


def six_twelve(**change: Any) -> types.Game:
    terms: dict[str, Any] = {
        "game_id": "6-12-holdem",
        "name": "6-12 Hold'em",
        "form": types.FORM_HOLDEM,
        "structure": types.STRUCTURE_LIMIT,
        "small_bet_cents": 600,
        "big_bet_cents": 1200,
        "blinds_cents": [200, 600],
        "seats": 9,
        "chip_cents": 200,
    }
    return types.Game(**(terms | change))


class Running:
    """The house behind a server, and stubs for its services."""

    def __init__(self, app: Application, served: Trial) -> None:
        self.app = app
        self.served = served
        self.house: Any = pb_grpc.HouseServiceStub(served.channel)
        self.books: Any = book_grpc.BookServiceStub(served.channel)
        self.staff: Any = staff_grpc.StaffServiceStub(served.channel)
        self.admin = served.bearer("admin")
        self._count = 0

    def asked(self, **more: Any) -> dict[str, Any]:
        self._count += 1
        return {"request_id": f"q{self._count}", "room": "lucky", **more}

    async def open_room(self, **book: Any) -> types.Room:
        request = pb.OpenRoomRequest(
            **self.asked(
                name="Lucky Chances",
                group="bay",
                time_zone="America/Los_Angeles",
                cut_over_minutes=360,
                **(book or {"standard_book": "LC"}),
            )
        )
        return (await self.house.OpenRoom(request, metadata=self.admin)).room

    async def offer(self, **more: Any) -> types.OfferedGame:
        request = pb.OfferGameRequest(**self.asked(game=six_twelve(), **more))
        return (await self.house.OfferGame(request, metadata=self.admin)).game

    async def published(self) -> list[Received]:
        messages = []
        for recorded in await self.app.log(0, 1000):
            message = publish(recorded)
            if message is not None:
                sent = envelope_of("house", recorded, key_by_room(recorded), message)
                messages.append(received_from(sent.SerializeToString()))
        return messages


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[Running]:
    assert CONTEXT.decider is not None
    store = MemoryStore()
    app = Application(
        CONTEXT.decider,
        store,
        ManualClock(EVENING),
        vault=Vault(store, b"k" * 32),
    )
    async with app:
        parts: Any = type("Parts", (), {"app": app})
        people = PersonCheck(StaffList(app))
        async with trial(tmp_path, extra=CONTEXT.servicers(parts), people=people) as served:
            yield Running(app, served)


async def test_a_room_opens_with_a_standard_book(running: Running) -> None:
    room = await running.open_room()
    assert room.book_digest == resolve(load_book("LC")).digest
    found = await running.house.GetRoom(pb.GetRoomRequest(room="lucky"), metadata=running.admin)
    assert found.room == room
    listed = await running.house.ListRooms(pb.ListRoomsRequest(), metadata=running.admin)
    assert list(listed.rooms) == [room]
    elsewhere = running.served.bearer("floor", rooms=("other",))
    hidden = await running.house.ListRooms(pb.ListRoomsRequest(), metadata=elsewhere)
    assert list(hidden.rooms) == []


async def test_a_repeated_request_gets_the_same_answer(running: Running) -> None:
    await running.open_room()
    request = pb.OfferGameRequest(**running.asked(game=six_twelve()))
    first = await running.house.OfferGame(request, metadata=running.admin)
    assert await running.house.OfferGame(request, metadata=running.admin) == first
    request.game.seats = 8
    refused = await failure(running.house.OfferGame(request, metadata=running.admin))
    assert refused.code == grpc.StatusCode.INVALID_ARGUMENT


async def test_a_bad_book_file_is_refused_with_every_fault(running: Running) -> None:
    bad = OWN_BOOK.replace(b"= 4", b"= -4\nclock_seconds = true\ncap_rases = 1")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await running.open_room(book_file=bad)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    for line in ("book_file:6: betting.cap_raises = -4", "book_file:7:", "book_file:8:"):
        assert line in (caught.value.details() or "")
    checked = await running.books.CheckBook(
        book_pb.CheckBookRequest(book_file=bad), metadata=running.admin
    )
    assert [one.line for one in checked.problems] == [6, 7, 8]
    good = book_pb.CheckBookRequest(book_file=OWN_BOOK)
    assert not (await running.books.CheckBook(good, metadata=running.admin)).problems


async def test_a_game_shows_its_overrides_as_a_book_file_would(running: Running) -> None:
    await running.open_room()
    overrides = {"betting.cap_raises": "4", "betting.all_in_full_bet_fraction": "0.5"}
    game = await running.offer(overrides=overrides)
    assert dict(game.overrides) == overrides
    book = await running.books.GetBook(
        book_pb.GetBookRequest(room="lucky", game_id="6-12-holdem"), metadata=running.admin
    )
    values = {one.key: one for one in book.values}
    assert len(values) == 251
    assert values["betting.cap_raises"].value == "4"
    assert list(values["betting.cap_raises"].rules) == ["LC:game:betting.cap_raises"]
    assert values["betting.check_raise"].value == "true"


@pytest.mark.parametrize("value", ["four", "4\nother = 5", "", "0.1.2"])
async def test_an_override_that_no_book_file_could_hold_is_refused(
    running: Running, value: str
) -> None:
    await running.open_room()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await running.offer(overrides={"betting.cap_raises": value})
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "overrides[betting.cap_raises]" in (caught.value.details() or "")


async def test_a_dealer_may_not_offer_a_game(running: Running) -> None:
    await running.open_room()
    request = pb.OfferGameRequest(**running.asked(game=six_twelve()))
    dealer = running.served.bearer("dealer")
    refused = await failure(running.house.OfferGame(request, metadata=dealer))
    assert refused.code == grpc.StatusCode.PERMISSION_DENIED


async def test_an_unknown_room_is_not_found(running: Running) -> None:
    request = pb.GetGameRequest(room="nowhere", game_id="x")
    refused = await failure(running.house.GetGame(request, metadata=running.admin))
    assert refused.code == grpc.StatusCode.NOT_FOUND


async def test_games_are_listed_in_pages(running: Running) -> None:
    await running.open_room()
    for number in range(5):
        game = six_twelve(game_id=f"game-{number}")
        request = pb.OfferGameRequest(**running.asked(game=game))
        await running.house.OfferGame(request, metadata=running.admin)
    seen: list[str] = []
    token = ""
    while True:
        listed = await running.house.ListGames(
            pb.ListGamesRequest(room="lucky", page_size=2, page_token=token),
            metadata=running.admin,
        )
        seen += [one.game.game_id for one in listed.games]
        token = listed.next_page_token
        if not token:
            break
    assert seen == [f"game-{number}" for number in range(5)]


async def test_a_later_book_is_listed_and_called_off(running: Running) -> None:
    await running.open_room()
    later = Timestamp(seconds=int(EVENING.timestamp()) + 3600)
    request = book_pb.ChangeBookRequest(
        **running.asked(book_file=OWN_BOOK, effective_at=later, reason="new cap")
    )
    version = (await running.books.ChangeBook(request, metadata=running.admin)).version
    assert (version.version, version.in_force, version.book_id) == (2, False, "OAK")
    listing = book_pb.ListBookVersionsRequest(room="lucky")
    listed = await running.books.ListBookVersions(listing, metadata=running.admin)
    assert [one.version for one in listed.versions] == [1, 2]
    off = book_pb.WithdrawBookRequest(**running.asked(version=2, reason="not agreed"))
    left = await running.books.WithdrawBook(off, metadata=running.admin)
    assert [(one.version, one.in_force) for one in left.versions] == [(1, True)]


async def test_a_rule_is_looked_up(running: Running) -> None:
    await running.open_room(book_file=OWN_BOOK)
    look = book_pb.LookUpRuleRequest(room="lucky", rule_id="LC-49")
    told = await running.books.LookUpRule(look, metadata=running.served.bearer("display"))
    assert told.rule.rule_id == "LC-49"
    values = {
        (decision.key, value.book): value.value
        for decision in told.decisions
        for value in decision.values
    }
    assert values["betting.cap_raises", "OAK"] == "4"
    assert values["betting.cap_raises", "LC"] == "3"
    unknown = book_pb.LookUpRuleRequest(room="lucky", rule_id="LC-490")
    refused = await failure(running.books.LookUpRule(unknown, metadata=running.admin))
    assert refused.code == grpc.StatusCode.NOT_FOUND


async def test_staff_prove_themselves_by_badge_and_pin(running: Running) -> None:
    await running.open_room()
    add = staff_pb.AddStaffRequest(**running.asked(staff_id="ann", roles=[ROLE_DEALER, ROLE_FLOOR]))
    member = (await running.staff.AddStaff(add, metadata=running.admin)).member
    assert list(member.roles) == ["dealer", "floor"]
    secret = staff_pb.SetCredentialsRequest(
        **running.asked(staff_id="ann", badge="badge-77", pin="4711")
    )
    first = await running.staff.SetCredentials(secret, metadata=running.admin)
    assert await running.staff.SetCredentials(secret, metadata=running.admin) == first
    assert (first.member.has_badge, first.member.has_pin) == (True, True)
    people = PersonCheck(StaffList(running.app))
    assert (await people.person("", "", "badge-77")).subject == "ann"
    assert (await people.person("ann", "4711", "")).roles == frozenset({"dealer", "floor"})
    find = staff_pb.FindStaffRequest(badge_digest=badge_digest("badge-77"))
    found = await running.staff.FindStaff(find, metadata=running.served.bearer("service"))
    assert found.subject == "ann"
    for recorded in await running.app.log(0, 1000):
        assert b"4711" not in bytes(recorded.envelope.event)
        assert b"scrypt" not in bytes(recorded.envelope.event)


async def test_dealers_take_their_boxes(running: Running) -> None:
    await running.open_room()
    for staff_id in ("ann", "bob"):
        add = staff_pb.AddStaffRequest(**running.asked(staff_id=staff_id, roles=[ROLE_DEALER]))
        await running.staff.AddStaff(add, metadata=running.admin)
    push = staff_pb.PushDealerRequest(**running.asked(table="t1", dealer="ann"))
    await running.staff.PushDealer(push, metadata=running.served.bearer("dealer"))
    relief = staff_pb.PushDealerRequest(**running.asked(table="t1", dealer="bob"))
    pushed = await running.staff.PushDealer(relief, metadata=running.served.bearer("floor"))
    assert (pushed.dealing.dealer, pushed.relieved) == ("bob", "ann")
    line_up = await running.staff.GetLineUp(
        staff_pb.GetLineUpRequest(room="lucky"), metadata=running.admin
    )
    assert [(one.table, one.dealer) for one in line_up.dealing] == [("t1", "bob")]


async def test_another_context_keeps_what_the_house_publishes(running: Running) -> None:
    await running.open_room()
    await running.offer(overrides={"betting.cap_raises": "4"})
    states: dict[Any, Any] = {}
    for message in (*await running.published(), *await running.published()):  # twice, as a bus may
        for command in note_house(message):
            assert isinstance(command, known.NoteHouse)
            loaded = {stem: states.get(stem) for stem in known.reads(command, _streams({}))}
            for stem, event in known.decide(command, _streams(loaded)):
                assert states.get(stem) is None, "a fact was recorded twice"
                aggregate = known.AGGREGATES[stem.partition("/")[0]]
                states[stem] = aggregate.evolve(states.get(stem), event)
    streams = _streams(states)
    wanted = known.game_streams(streams, "lucky", "6-12-holdem")
    assert wanted <= states.keys()
    assert known.room_of(streams, "lucky").time_zone == "America/Los_Angeles"
    assert known.rules_of(streams, "lucky", "6-12-holdem").count("betting.cap_raises") == 4
    assert known.rules_of(streams, "lucky").count("betting.cap_raises") == 3


def _streams(loaded: dict[Any, Any]) -> Streams:
    return Streams(known.AGGREGATES, loaded)


# --- what a table posts, and the whole room watched


async def posted(running: Running, table: str = "t1", **more: Any) -> types.TableVariation:
    overrides = more.pop("overrides", {"betting.cap_raises": "4"})
    request = pb.PostTableVariationRequest(
        **running.asked(table=table, overrides=overrides, **more)
    )
    return (await running.house.PostTableVariation(request, metadata=running.admin)).variation


async def test_a_table_posts_its_own_and_takes_it_down_again(running: Running) -> None:
    await running.open_room()
    await running.offer()
    shown = await posted(running, reason="Friday")
    assert dict(shown.overrides) == {"betting.cap_raises": "4"}
    ask = book_pb.GetBookRequest(room="lucky", game_id="6-12-holdem", table="t1")
    book = await running.books.GetBook(ask, metadata=running.admin)
    assert book.digest == shown.books[0].book_digest
    values = {one.key: one for one in book.values}
    assert list(values["betting.cap_raises"].rules) == ["LC:table:betting.cap_raises"]
    listed = await running.house.ListTableVariations(
        pb.ListTableVariationsRequest(room="lucky"), metadata=running.admin
    )
    assert list(listed.variations) == [shown]
    lift = pb.LiftTableVariationRequest(**running.asked(table="t1"))
    gone = (await running.house.LiftTableVariation(lift, metadata=running.admin)).variation
    assert not gone.overrides
    again = await running.books.GetBook(ask, metadata=running.admin)
    assert again.digest != book.digest


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        ({"betting.cap_raises": "four"}, "overrides[betting.cap_raises]"),
        ({"betting.cap_raises": "-4"}, "betting.cap_raises = -4: it is below 0"),
        ({"betting.cap_rases": "4"}, "'betting.cap_rases' is not a decision"),
        ({}, "overrides"),
    ],
)
async def test_what_no_book_file_could_hold_is_not_posted(
    running: Running, overrides: dict[str, str], said: str
) -> None:
    await running.open_room()
    await running.offer()
    refused = await failure(posted(running, overrides=overrides))
    assert refused.code in (
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.FAILED_PRECONDITION,
    )
    assert said in f"{refused.details} {vars(refused.made)}"


async def test_a_room_is_watched_whole(running: Running) -> None:
    await running.open_room()
    request = pb.WatchHouseRequest(room="lucky")
    stream = running.house.WatchHouse(request, metadata=running.admin, timeout=30)
    first = await stream.read()
    assert (first.house.room.name, len(first.house.games)) == ("Lucky Chances", 0)
    await running.offer()
    shown = await seen(stream, lambda house: len(house.games) == 1)
    assert shown.house.games[0].game.game_id == "6-12-holdem"
    await posted(running)
    shown = await seen(stream, lambda house: len(house.variations) == 1)
    assert shown.house.variations[0].table == "t1"
    change = book_pb.ChangeBookRequest(**running.asked(book_file=OWN_BOOK, reason="own"))
    await running.books.ChangeBook(change, metadata=running.admin)
    shown = await seen(stream, lambda house: house.books[0].book_id == "OAK")
    stream.cancel()
    request.resume_token = shown.resume_token
    resumed = running.house.WatchHouse(request, metadata=running.admin, timeout=30)
    lift = pb.LiftTableVariationRequest(**running.asked(table="t1"))
    await running.house.LiftTableVariation(lift, metadata=running.admin)
    assert not (await resumed.read()).house.variations
    resumed.cancel()


async def test_a_room_that_is_not_there_is_not_watched(running: Running) -> None:
    request = pb.WatchHouseRequest(room="nowhere")
    stream = running.house.WatchHouse(request, metadata=running.admin, timeout=30)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stream.read()
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND


async def seen(stream: Any, good: Any) -> Any:
    """Read a watch until it shows something."""
    while True:
        shown = await stream.read()
        if good(shown.house):
            return shown
