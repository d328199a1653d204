"""Every form of poker, in every structure it is played in, dealt to the end at one running `serve all`."""

import io
from collections.abc import AsyncIterator
from random import Random
from typing import Any, Final

import pytest
import pytest_asyncio
from rich.console import Console

from cardroom.api.house.v1 import house_service_pb2 as house
from cardroom.api.house.v1 import house_types_pb2 as games
from cardroom.api.house.v1.house_service_pb2_grpc import HouseServiceStub
from cardroom.api.tables.v1 import hands_service_pb2 as hands
from cardroom.api.tables.v1 import tables_service_pb2 as tables
from cardroom.api.tables.v1 import tables_types_pb2 as types
from cardroom.api.tables.v1.hands_service_pb2_grpc import HandsServiceStub
from cardroom.api.tables.v1.tables_service_pb2_grpc import TablesServiceStub
from cardroom.demo.evening import START
from cardroom.demo.room import GROUP, ROOM, TIME_ZONE, Room
from cardroom.demo.servers import Servers
from cardroom.demo.story import Story
from cardroom.known.games import Form
from cardroom.poker.cards import DECK
from cardroom.poker.variants import VARIANTS, Variant

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(180),
    pytest.mark.xdist_group("e2e"),
    pytest.mark.asyncio(loop_scope="module"),
]

PLAYERS: Final = 4
STACK_CENTS: Final = 20_000
LIMIT, SPREAD = games.STRUCTURE_LIMIT, games.STRUCTURE_SPREAD_LIMIT
POT, NO_LIMIT = games.STRUCTURE_POT_LIMIT, games.STRUCTURE_NO_LIMIT
PLAYED: Final = [
    *[(form, LIMIT) for form in Form],
    *[(form, SPREAD) for form in Form],
    (Form.HOLDEM, POT),
    (Form.HOLDEM, NO_LIMIT),
    (Form.OMAHA, POT),
    (Form.OMAHA_HIGH_LOW, POT),
    (Form.PINEAPPLE, NO_LIMIT),
    (Form.FIVE_CARD_DRAW, POT),
    (Form.LOWBALL, NO_LIMIT),
]
NAMED: Final = {
    "fold": hands.ACTION_FOLD,
    "check": hands.ACTION_CHECK,
    "call": hands.ACTION_CALL,
    "bring_in": hands.ACTION_BRING_IN,
    "bet": hands.ACTION_BET,
    "raise": hands.ACTION_RAISE_TO,
    "complete": hands.ACTION_RAISE_TO,
}
STRUCTURE_NAMES: Final = {LIMIT: "limit", SPREAD: "spread", POT: "pot", NO_LIMIT: "no-limit"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def room(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Room]:
    async with Servers(tmp_path_factory.mktemp("every-form") / "data", start=START) as servers:
        opened = Room(servers, Story(Console(file=io.StringIO(), width=160), TIME_ZONE), START)
        try:
            request = house.OpenRoomRequest(
                room=ROOM,
                name="Forms",
                group=GROUP,
                time_zone=TIME_ZONE,
                cut_over_minutes=360,
                standard_book="WP",
            )
            await opened.ask("admin", HouseServiceStub, "OpenRoom", request)
            yield opened
        finally:
            await opened.close()


def offered(form: Form, structure: Any) -> games.Game:
    """Return the game of a form and structure."""
    stud = VARIANTS[form].stud
    fixed = structure in {LIMIT, SPREAD}
    return games.Game(
        game_id=f"{form.value}-{STRUCTURE_NAMES[structure]}",
        name=f"{STRUCTURE_NAMES[structure]} {form.value}",
        form=games.Form.Value("FORM_" + form.name),
        structure=structure,
        small_bet_cents=400,
        big_bet_cents=800 if fixed else 0,
        blinds_cents=[] if stud else [200, 400],
        ante_cents=100 if stud else 0,
        bring_in_cents=200 if stud else 0,
        seats=8,
        chip_cents=100,
    )


class Table:
    """A table of four whose every card and action goes through the API."""

    def __init__(self, room: Room, game: games.Game, variant: Variant) -> None:
        self.room = room
        self.game = game
        self.variant = variant
        self.table = game.game_id
        self.deck = list(DECK)
        self.random = Random(game.game_id)
        self.random.shuffle(self.deck)
        self.hand: Any = None
        self.read: dict[int, list[str]] = {}
        self.entered: set[str] = set()

    def take(self, count: int) -> list[str]:
        """Return the next cards of the deck."""
        taken, self.deck = self.deck[:count], self.deck[count:]
        return taken

    async def tell(self, method: str, **fields: Any) -> None:
        """Make a call on the tables' service."""
        request = getattr(tables, method + "Request")(room=ROOM, table=self.table, **fields)
        # Only opening waits for what the house publishes.
        call = self.room.soon if method == "OpenTable" else self.room.ask
        await call("floor", TablesServiceStub, method, request)

    async def enter(self, method: str, **fields: Any) -> None:
        """Make a call on the hand."""
        request = getattr(hands, method + "Request")(
            room=ROOM, table=self.table, hand_id=self.hand.hand_id, **fields
        )
        self.hand = (await self.room.ask("dealer", HandsServiceStub, method, request)).hand
        self.entered.add(method)

    async def open(self) -> None:
        """Offer the game, open the table, type in the players, place the button, start the hand."""
        request = house.OfferGameRequest(room=ROOM, game=self.game)
        await self.room.ask("admin", HouseServiceStub, "OfferGame", request)
        await self.tell(
            "OpenTable", game_id=self.game.game_id, capture=types.CAPTURE_EVERY_ACTION, seats=8
        )
        for seat in range(1, PLAYERS + 1):
            player = f"{self.table}.{seat}"
            await self.tell("SitPlayer", seat=seat, player_id=player, stack_cents=STACK_CENTS)
        if not self.variant.stud:
            await self.tell(
                "PlaceButton", button_seat=PLAYERS, blind_seats=(1, 2), reason="opening"
            )
        start = hands.StartHandRequest(room=ROOM, table=self.table)
        self.hand = (await self.room.ask("dealer", HandsServiceStub, "StartHand", start)).hand

    async def deal_down(self, count: int) -> None:
        """Enter cards dealt face down to everybody in the hand."""
        if not count:
            return
        dealt = []
        for chair in self.hand.chairs:
            if chair.fate == "live":
                cards = self.take(count)
                self.read.setdefault(chair.seat, []).extend(cards)
                dealt.append(hands.HoleCards(seat=chair.seat, cards=cards))
        await self.enter("NoteHoleCards", hands=dealt)

    async def street(self) -> None:
        """Deal the next street."""
        street = self.variant.streets[self.hand.street + 1]
        live = [chair.seat for chair in self.hand.chairs if chair.fate == "live"]
        up = [types.SeatCard(seat=seat, card=self.take(1)[0]) for seat in live if street.up]
        await self.enter("DealStreet", board=self.take(street.board), up=up)
        if self.variant.stud:
            await self.deal_down(street.down)

    async def act(self) -> None:
        """Take the first wager of a round that is offered, else check, call or bring it in."""
        options = {option.act: option for option in self.hand.legal}
        wager = next((options[act] for act in ("bet", "raise", "complete") if act in options), None)
        if wager is not None and self.random.random() < 0.3:
            option = wager
        else:
            option = next(options[act] for act in ("check", "call", "bring_in") if act in options)
        await self.enter(
            "TakeAction",
            seat=self.hand.to_act_seat,
            action=NAMED[option.act],
            to_cents=option.least_cents if option is wager else None,
        )

    async def exchange(self) -> None:
        """Let the next player draw or discard."""
        rule = self.variant.streets[self.hand.street + 1].exchange
        assert rule is not None
        seat = self.hand.due_seats[0]
        count = min(2, rule.most)
        gone = self.read[seat][:count]
        drawn = self.take(count) if rule.replaced else []
        self.read[seat] = self.read[seat][count:] + drawn
        await self.enter("ExchangeCards", seat=seat, count=count, discarded=gone, drawn=drawn)

    async def show(self) -> None:
        """Let everybody show, and push every pot."""
        while self.hand.due_seats:
            seat = self.hand.due_seats[0]
            await self.enter("ShowHand", seat=seat, cards=self.read[seat])
        await self.enter("AwardPots", losers_killed=True)

    async def play(self) -> None:
        """Play the hand to its end."""
        await self.open()
        if not self.variant.stud:
            await self.deal_down(self.variant.streets[0].down)
        steps = {
            "betting": self.act,
            "dealing": self.street,
            "exchanging": self.exchange,
            "showdown": self.show,
        }
        while self.hand.phase != "settled":
            await steps[self.hand.phase]()


@pytest.mark.parametrize(
    ("form", "structure"),
    [
        pytest.param(form, structure, id=f"{STRUCTURE_NAMES[structure]}-{form.value}")
        for form, structure in PLAYED
    ],
)
async def test_a_hand_is_dealt_played_shown_and_awarded(
    room: Room, form: Form, structure: Any
) -> None:
    variant = VARIANTS[form]
    table = Table(room, offered(form, structure), variant)
    await table.play()
    hand = table.hand
    expected = {"NoteHoleCards", "DealStreet", "TakeAction", "ShowHand", "AwardPots"}
    if any(street.exchange for street in variant.streets):
        expected.add("ExchangeCards")
    if not variant.stud and not variant.board_cards:
        expected.discard("DealStreet")
    assert table.entered == expected
    assert hand.street == len(variant.streets) - 1
    assert len(hand.board) == variant.board_cards
    assert sum(one.after_cents for one in hand.results) == PLAYERS * STACK_CENTS
    put_in = sum(one.put_in_cents for one in hand.results)
    assert sum(one.won_cents for one in hand.results) == put_in > 0
