"""The tables' services behind the real gate: a hand through the API, and what is published of it."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest

from cardroom import known
from cardroom.adapters.application import Application, Request
from cardroom.adapters.bus.envelope import envelope_of, key_by_table, received_from
from cardroom.adapters.store.memory import MemoryStore
from cardroom.adapters.store.vault import Vault
from cardroom.api.house.v1 import house_types_pb2 as house_types
from cardroom.api.tables.v1 import hands_service_pb2 as hands_pb
from cardroom.api.tables.v1 import hands_service_pb2_grpc as hands_grpc
from cardroom.api.tables.v1 import rulings_service_pb2 as rulings_pb
from cardroom.api.tables.v1 import rulings_service_pb2_grpc as rulings_grpc
from cardroom.api.tables.v1 import tables_events_pb2 as events_pb
from cardroom.api.tables.v1 import tables_service_pb2 as pb
from cardroom.api.tables.v1 import tables_service_pb2_grpc as pb_grpc
from cardroom.api.tables.v1 import tables_types_pb2 as types
from cardroom.kernel.clock import ManualClock
from cardroom.known import Room
from cardroom.rulebook.loader import load_book
from cardroom.rulebook.resolve import resolve
from cardroom.tables.main import CONTEXT
from tests.plugins.grpc_trial import Trial, failure, trial
from tests.plugins.tables_world import WP_10_20, game

EVENING = datetime(2026, 3, 6, 3, 0, tzinfo=UTC)


class Running:
    """The tables behind a server, with stubs for their services."""

    def __init__(self, app: Application, served: Trial) -> None:
        self.app = app
        self.served = served
        self.tables: Any = pb_grpc.TablesServiceStub(served.channel)
        self.hands: Any = hands_grpc.HandsServiceStub(served.channel)
        self.rulings: Any = rulings_grpc.RulingsServiceStub(served.channel)
        self.floor = served.bearer("floor")
        self.dealer = served.bearer("dealer")
        self.hand = ""
        self._count = 0

    def asked(self, **more: Any) -> dict[str, Any]:
        self._count += 1
        return {"request_id": f"q{self._count}", "room": "lucky", "table": "t1", **more}

    async def learn(self, house: str = "WP", *more: known.Game) -> None:
        book = resolve(load_book(house), game=WP_10_20)
        games = [msgspec.structs.replace(one, book_digest=book.digest) for one in (WP_10_20, *more)]
        room = Room(
            room="lucky",
            name="Lucky",
            group="bay",
            time_zone="America/Los_Angeles",
            cut_over_minutes=360,
            book_digest=book.digest,
        )
        facts = (
            known.BookNoted(digest=book.digest, content=book.content()),
            known.RoomNoted(room=room),
            *(known.GameNoted(room="lucky", game=game) for game in games),
        )
        note = known.NoteHouse(room="lucky", facts=facts)
        await self.app.submit(note, Request(request_id="house-1", actor="house"))

    async def table(self, name: str, **more: Any) -> types.Table:
        request = getattr(pb, f"{name}Request")(**self.asked(**more))
        answer = await getattr(self.tables, name)(request, metadata=self.floor)
        return answer.table  # type: ignore[no-any-return]

    async def act(self, name: str, who: Any = None, **more: Any) -> types.Hand:
        fields = self.asked(hand_id=self.hand, **more)
        request = getattr(hands_pb, f"{name}Request")(**fields)
        answer = await getattr(self.hands, name)(request, metadata=who or self.dealer)
        return answer.hand  # type: ignore[no-any-return]

    async def start(self) -> types.Hand:
        request = hands_pb.StartHandRequest(**self.asked())
        answer = await self.hands.StartHand(request, metadata=self.dealer)
        self.hand = answer.hand.hand_id
        return answer.hand  # type: ignore[no-any-return]

    async def seated(
        self,
        capture: int = types.CAPTURE_EVERY_ACTION,
        house: str = "WP",
        more: tuple[known.Game, ...] = (),
    ) -> None:
        await self.learn(house, *more)
        await self.table("OpenTable", game_id=WP_10_20.game_id, capture=capture)
        for seat in (2, 5, 8):
            await self.table("SitPlayer", seat=seat, player_id=f"p{seat}", stack_cents=30000)
        drawn = [types.SeatCard(seat=s, card=card) for s, card in ((2, "Kd"), (5, "Kh"), (8, "3c"))]
        await self.table("DrawButton", cards=drawn)

    async def published(self) -> list[Any]:
        messages = []
        for recorded in await self.app.log(0, 1000):
            message = CONTEXT.publish(recorded) if CONTEXT.publish else None
            if message is not None:
                sent = envelope_of("tables", recorded, key_by_table(recorded), message)
                received = received_from(sent.SerializeToString())
                assert received.key == "lucky/t1"
                messages.append(received.payload)
        return messages


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[Running]:
    assert CONTEXT.decider is not None
    store = MemoryStore()
    app = Application(CONTEXT.decider, store, ManualClock(EVENING), vault=Vault(store, b"k" * 32))
    async with app:
        parts: Any = type("Parts", (), {"app": app})
        async with trial(tmp_path, extra=CONTEXT.servicers(parts)) as served:
            yield Running(app, served)


async def test_a_table_says_what_the_next_hand_will_be(running: Running) -> None:
    await running.seated()
    await running.table("SitPlayer", seat=1, player_id="p1", stack_cents=30000)
    table = (
        await running.tables.GetTable(
            pb.GetTableRequest(room="lucky", table="t1"), metadata=running.dealer
        )
    ).table
    assert table.next_hand.button_seat == 5
    assert [(post.seat, post.kind, post.cents) for post in table.next_hand.posts] == [
        (8, "small_blind", 500),
        (1, "big_blind", 1000),
    ]
    listed = await running.tables.ListTables(
        pb.ListTablesRequest(room="lucky"), metadata=running.dealer
    )
    assert [one.table for one in listed.tables] == ["t1"]


async def test_a_hand_is_played_to_its_settlement_and_published(running: Running) -> None:
    await running.seated()
    hand = await running.start()
    assert hand.to_act_seat == 5
    assert {option.act for option in hand.legal} == {"fold", "call", "raise"}
    await running.act("NoteHoleCards", hands=[hands_pb.HoleCards(seat=5, cards=["As", "Ah"])])
    await running.act("TakeAction", seat=5, action=hands_pb.ACTION_CALL)
    await running.act("TakeAction", seat=8, action=hands_pb.ACTION_FOLD)
    await running.act("TakeAction", seat=2, action=hands_pb.ACTION_CHECK)
    for board in (["2c", "7d", "Jh"], ["4s"], ["9c"]):
        await running.act("DealStreet", board=board)
        await running.act("TakeAction", seat=2, action=hands_pb.ACTION_CHECK)
        await running.act("TakeAction", seat=5, action=hands_pb.ACTION_CHECK)
    await running.act("ShowHand", seat=2, cards=["Kc", "Kd"])
    await running.act("ShowHand", seat=5, cards=["As", "Ah"])
    hand = await running.act("AwardPots", losers_killed=True)
    assert hand.phase == "settled"
    ended = [one for one in await running.published() if isinstance(one, events_pb.HandEnded)]
    assert len(ended) == 1
    assert ended[0].pot_cents == 2500
    assert {shown.seat: list(shown.cards) for shown in ended[0].shown}[5] == ["As", "Ah"]
    assert [(won.seat, won.cents) for won in ended[0].won] == [(5, 2500)]
    started = [one for one in await running.published() if isinstance(one, events_pb.HandStarted)]
    assert (started[0].button_seat, list(started[0].big_blind_seats)) == (5, [2])


async def test_the_dealer_calls_the_game_of_the_next_hand(running: Running) -> None:
    pineapple = game(10, 20, (5, 10), form=known.Form.PINEAPPLE)
    omaha = game(10, 20, (5, 10), form=known.Form.OMAHA)
    await running.seated(house="HG", more=(pineapple, omaha))

    async def call(called: known.Game, **more: Any) -> types.Table:
        request = pb.CallGameRequest(**running.asked(game_id=called.game_id, **more))
        answer = await running.tables.CallGame(request, metadata=running.dealer)
        return answer.table  # type: ignore[no-any-return]

    unstated = await failure(call(pineapple, name="Pineapple"))
    assert unstated.code == grpc.StatusCode.FAILED_PRECONDITION
    assert "HG-X2" in unstated.made.rules
    table = await call(pineapple, name="Pineapple", statement="three cards, one is discarded")
    assert (table.called.name, list(table.called.rules)) == ("Pineapple", ["HG-X2"])
    hand = await running.start()
    assert hand.form == house_types.FORM_PINEAPPLE
    while hand.to_act_seat:
        hand = await running.act("TakeAction", seat=hand.to_act_seat, action=hands_pb.ACTION_FOLD)
    await call(omaha)
    assert (await running.start()).form == house_types.FORM_OMAHA
    started = [one for one in await running.published() if isinstance(one, events_pb.HandStarted)]
    assert [(one.called_game, one.stated_rules) for one in started] == [
        ("Pineapple", "three cards, one is discarded"),
        ("omaha", ""),
    ]


async def test_a_tournaments_table_tells_of_no_money(running: Running) -> None:
    await running.learn("HG")
    capture = types.CAPTURE_EVERY_ACTION
    opened = await running.table(
        "OpenTable", game_id=WP_10_20.game_id, capture=capture, tournament="sunday"
    )
    assert opened.tournament == "sunday"
    for seat in (2, 5):
        await running.table("SitPlayer", seat=seat, player_id=f"p{seat}", stack_cents=10000)
    drawn = [types.SeatCard(seat=s, card=card) for s, card in ((2, "Kd"), (5, "Kh"))]
    await running.table("DrawButton", cards=drawn)
    hand = await running.start()
    await running.act("TakeAction", seat=hand.to_act_seat, action=hands_pb.ACTION_CALL)
    take = running.act("TakeRake", jackpot_drop_cents=25)
    assert "HG-G5a" in (await failure(take)).made.rules
    told = await running.published()
    assert [one.stack_cents for one in told if isinstance(one, events_pb.TableSeatTaken)] == [0, 0]


async def test_a_breach_of_courtesy_is_noted_and_told(running: Running) -> None:
    await running.seated(house="LC")
    await running.start()
    await running.act("TakeAction", seat=5, action=hands_pb.ACTION_CALL)
    await running.act("TakeAction", seat=8, action=hands_pb.ACTION_CALL)
    await running.act("TakeAction", seat=2, action=hands_pb.ACTION_CHECK)
    flop = await running.act("DealStreet", board=["2c", "7d", "Jh"])
    thrown = rulings_pb.ObserveRequest(
        **running.asked(
            seat=8, motions=[rulings_pb.Motion(did="throw_cards")], reported_by="dealer"
        )
    )
    answer = await running.rulings.Observe(thrown, metadata=running.dealer)
    assert answer.irregularity.finding.remedy == "fold"
    request = rulings_pb.GetHandNotesRequest(room="lucky", table="t1", hand_number=1)
    notes = (await running.rulings.GetHandNotes(request, metadata=running.floor)).notes
    (breach,) = notes.courtesy_breaches
    assert (breach.player_id, list(breach.rules)) == ("p8", ["LC-60"])
    (told,) = [
        one for one in await running.published() if isinstance(one, events_pb.CourtesyBreached)
    ]
    assert (told.player_id, told.what, told.hand) == ("p8", "folded_without_wager", running.hand)
    assert told.occurred_at.ToDatetime(UTC) == EVENING
    await running.act(
        "RewindHand", running.floor, to_version=flop.version, reason="seat 8 had tapped"
    )
    notes = (await running.rulings.GetHandNotes(request, metadata=running.floor)).notes
    assert not notes.courtesy_breaches
    assert isinstance((await running.published())[-1], events_pb.CourtesyBreachWithdrawn)


async def test_a_hand_is_shown_at_any_event_and_hides_cards_by_role(running: Running) -> None:
    await running.seated()
    await running.start()
    await running.act("NoteHoleCards", hands=[hands_pb.HoleCards(seat=5, cards=["As", "Ah"])])
    await running.act("TakeAction", seat=5, action=hands_pb.ACTION_CALL)
    request = hands_pb.GetHandRequest(room="lucky", table="t1", hand_id=running.hand, version=2)
    seen = (await running.hands.GetHand(request, metadata=running.dealer)).hand
    assert (seen.version, seen.last_version, seen.to_act_seat) == (2, 3, 5)
    chair = next(one for one in seen.chairs if one.seat == 5)
    assert list(chair.down) == ["??", "??"]
    auditor = running.served.bearer("auditor")
    seen = (await running.hands.GetHand(request, metadata=auditor)).hand
    assert list(next(one for one in seen.chairs if one.seat == 5).down) == ["As", "Ah"]
    assert [entry.kind for entry in seen.entries] == ["HandStarted", "HoleCardsNoted"]
    for message in await running.published():
        assert b"As" not in message.SerializeToString()


async def test_bad_requests_get_a_clear_answer(running: Running) -> None:
    await running.seated()
    await running.start()
    refused = await failure(
        running.act("TakeAction", seat=5, action=hands_pb.ACTION_RAISE_TO, to_cents=1)
    )
    assert refused.code == grpc.StatusCode.FAILED_PRECONDITION
    running.hand = "hand/lucky/t1/000099"
    unknown = await failure(running.act("TakeAction", seat=5, action=hands_pb.ACTION_CALL))
    assert unknown.code == grpc.StatusCode.NOT_FOUND
    out_of_range = pb.SitPlayerRequest(**running.asked(seat=11, player_id="x"))
    bad = await failure(running.tables.SitPlayer(out_of_range, metadata=running.floor))
    assert bad.code == grpc.StatusCode.INVALID_ARGUMENT
    denied = await failure(
        running.tables.OpenTable(
            pb.OpenTableRequest(**running.asked(game_id="x", capture=1)), metadata=running.dealer
        )
    )
    assert denied.code == grpc.StatusCode.PERMISSION_DENIED


async def test_a_watch_shows_the_table_and_then_each_change(running: Running) -> None:
    await running.seated()
    call = running.tables.WatchTable(
        pb.WatchTableRequest(room="lucky", table="t1"), metadata=running.dealer
    )
    first = await call.read()
    assert first.table.last_hand_number == 0
    await running.start()
    seen = await call.read()
    while not seen.HasField("hand"):
        seen = await call.read()
    assert seen.hand.to_act_seat == 5
    assert seen.table.hand_id == running.hand
    call.cancel()


async def test_a_counted_hand_is_disputed_reconstructed_and_ruled_on(running: Running) -> None:
    await running.seated(types.CAPTURE_COUNTED)
    counted = await running.hands.CountHand(
        hands_pb.CountHandRequest(**running.asked()), metadata=running.dealer
    )
    running.hand = counted.hand_id
    opened = await running.rulings.OpenDispute(
        rulings_pb.OpenDisputeRequest(
            **running.asked(dispute="d1", hand_number=1, asked_by="seat:2", question="who won")
        ),
        metadata=running.dealer,
    )
    assert opened.dispute.phase == "open"
    held = await failure(
        running.tables.StartShuffle(
            pb.StartShuffleRequest(**running.asked()), metadata=running.dealer
        )
    )
    assert held.code == grpc.StatusCode.FAILED_PRECONDITION
    made = await running.rulings.ReconstructHand(
        rulings_pb.ReconstructHandRequest(**running.asked(dispute="d1")), metadata=running.floor
    )
    assert made.hand.to_act_seat == 5
    seen = {"source": types.SOURCE_CAMERA, "reconstructed": True}
    await running.act("TakeAction", seat=5, action=hands_pb.ACTION_CALL, **seen)
    hand = await running.act("TakeAction", seat=8, action=hands_pb.ACTION_FOLD, **seen)
    assert hand.to_act_seat == 2
    ruled = await running.rulings.RuleDispute(
        rulings_pb.RuleDisputeRequest(
            **running.asked(dispute="d1", decision="seat 2 keeps the pot", reason="the tape")
        ),
        metadata=running.floor,
    )
    assert ruled.dispute.rulings[0].by
    await running.tables.StartShuffle(
        pb.StartShuffleRequest(**running.asked()), metadata=running.dealer
    )


async def test_what_was_seen_is_judged_and_ruled_on(running: Running) -> None:
    await running.seated()
    await running.start()
    seen = rulings_pb.ObserveRequest(
        **running.asked(
            seat=5,
            motions=[
                rulings_pb.Motion(
                    did="release",
                    chips=[rulings_pb.SeenChips(denomination_cents=10_000, count=1)],
                )
            ],
            reported_by="dealer",
        )
    )
    answer = await running.rulings.Observe(seen, metadata=running.dealer)
    assert answer.irregularity.finding.remedy
    assert "WP-3R15" in answer.irregularity.finding.rules
    unknown = rulings_pb.ObserveRequest(
        **running.asked(seat=5, motions=[rulings_pb.Motion(did="juggle")])
    )
    refused = await failure(running.rulings.Observe(unknown, metadata=running.dealer))
    assert refused.code == grpc.StatusCode.INVALID_ARGUMENT
    listed = await running.rulings.ListMotions(
        rulings_pb.ListMotionsRequest(room="lucky"), metadata=running.dealer
    )
    assert "release" in listed.motions


async def test_a_repeated_request_gets_the_same_answer(running: Running) -> None:
    await running.seated()
    request = hands_pb.StartHandRequest(**running.asked())
    first = await running.hands.StartHand(request, metadata=running.dealer)
    assert await running.hands.StartHand(request, metadata=running.dealer) == first
    request.hand_number = 1
    other = await failure(running.hands.StartHand(request, metadata=running.dealer))
    assert other.code == grpc.StatusCode.INVALID_ARGUMENT
