"""The first acts: the room opens, names sign up, a game starts and its players are seated."""

from importlib.resources import files
from typing import Final

from cardroom.api.cashier.v1 import cashier_service_pb2 as cashier
from cardroom.api.cashier.v1.cashier_service_pb2_grpc import CashierServiceStub
from cardroom.api.house.v1 import house_service_pb2 as house
from cardroom.api.house.v1 import house_types_pb2 as games
from cardroom.api.house.v1.house_service_pb2_grpc import HouseServiceStub
from cardroom.api.jackpot.v1 import jackpot_service_pb2 as jackpot
from cardroom.api.jackpot.v1.jackpot_service_pb2_grpc import JackpotServiceStub
from cardroom.api.players.v1 import players_service_pb2 as players
from cardroom.api.players.v1.players_service_pb2_grpc import PlayersServiceStub
from cardroom.api.seating.v1 import moves_service_pb2 as moves
from cardroom.api.seating.v1 import seating_service_pb2 as seating
from cardroom.api.seating.v1 import seating_types_pb2 as seats
from cardroom.api.seating.v1.moves_service_pb2_grpc import MovesServiceStub
from cardroom.api.seating.v1.seating_service_pb2_grpc import SeatingServiceStub
from cardroom.api.tables.v1 import tables_service_pb2 as tables
from cardroom.api.tables.v1.tables_service_pb2_grpc import TablesServiceStub
from cardroom.api.waitlist.v1 import waitlist_service_pb2 as waitlist
from cardroom.api.waitlist.v1 import waitlist_types_pb2 as answers
from cardroom.api.waitlist.v1.waitlist_service_pb2_grpc import WaitlistServiceStub
from cardroom.demo.room import GROUP, ROOM, TIME_ZONE, Room
from cardroom.kernel.money import dollars

CHIPS_CENTS: Final = 10_000_000
CASH_CENTS: Final = 2_000_000
SEED_CENTS: Final = 50_000
SMALL: Final = "6-12"
LARGE: Final = "20-40"
SMALL_BUY_CENTS: Final = 20_000
LARGE_BUY_CENTS: Final = 100_000

PEOPLE: Final = {
    "p01": "Ann", "p02": "Bo", "p03": "Cy", "p04": "Dee", "p05": "Eli", "p06": "Fay", "p07": "Gus", "p08": "Hal",
    "p09": "Ida", "p10": "Jo", "p11": "Kit", "p12": "Lee", "p13": "Max", "p14": "Nan", "p15": "Oz", "p16": "Pat",
    "p18": "Vic",
}  # fmt: skip
"""Tonight's players: id and the name on the board."""
BARRED: Final = "p18"
BY_PHONE: Final = "p09"

GAMES: Final = (
    games.Game(
        game_id=SMALL,
        name="6-12 hold'em",
        form=games.FORM_HOLDEM,
        structure=games.STRUCTURE_LIMIT,
        small_bet_cents=600,
        big_bet_cents=1200,
        blinds_cents=[200, 600],
        seats=6,
        chip_cents=200,
        button_collection_cents=400,
        jackpot_drop_cents=100,
    ),
    games.Game(
        game_id=LARGE,
        name="20-40 hold'em",
        form=games.FORM_HOLDEM,
        structure=games.STRUCTURE_LIMIT,
        small_bet_cents=2000,
        big_bet_cents=4000,
        blinds_cents=[1000, 2000],
        seats=6,
        chip_cents=500,
        time_collection_cents=700,
    ),
)


async def open_the_room(room: Room) -> None:
    """Open room, games, jackpot, cage; register the people; bar one of them."""
    story = room.story
    story.act("The room opens")
    book = files("cardroom.demo").joinpath("house_rules.toml").read_bytes()
    request = house.OpenRoomRequest(
        room=ROOM,
        name="Lucky River",
        group=GROUP,
        time_zone=TIME_ZONE,
        cut_over_minutes=360,
        book_file=book,
    )
    opened = await room.ask("admin", HouseServiceStub, "OpenRoom", request)
    story.tell(
        "Lucky River opens under its own book, Lucky Chances with a jackpot",
        opened.room.book_digest[:12],
    )
    for game in GAMES:
        offered = await room.ask(
            "admin", HouseServiceStub, "OfferGame", house.OfferGameRequest(room=ROOM, game=game)
        )
        story.tell(
            f"offers {game.name}", f"game/{ROOM}/{game.game_id}", offered.game.game.book_digest[:12]
        )
    pool = jackpot.OpenPoolRequest(room=ROOM, pool="main", game_ids=[SMALL], seed_cents=SEED_CENTS)
    await room.soon("manager", JackpotServiceStub, "OpenPool", pool)
    story.tell(f"the bad beat jackpot stands at {dollars(SEED_CENTS)}", f"pool/{ROOM}/main")
    cage = cashier.OpenCageRequest(room=ROOM, chips_cents=CHIPS_CENTS, cash_cents=CASH_CENTS)
    await room.soon("manager", CashierServiceStub, "OpenCage", cage)
    await room.ask(
        "cage", CashierServiceStub, "OpenShift", cashier.OpenShiftRequest(room=ROOM, shift="night")
    )
    story.tell(
        f"the cage opens with {dollars(CHIPS_CENTS)} in chips and {dollars(CASH_CENTS)} cash"
    )
    for player_id, name in PEOPLE.items():
        known = players.RegisterPlayerRequest(
            group=GROUP, player_id=player_id, full_name=f"{name} Example", board_name=name
        )
        await room.ask("brush", PlayersServiceStub, "RegisterPlayer", known)
    bar = players.BarPlayerRequest(
        group=GROUP, player_id=BARRED, bar_id="bar-1", room=ROOM, reason="threw cards at the dealer"
    )
    await room.soon("floor", PlayersServiceStub, "BarPlayer", bar)
    story.tell(f"{len(PEOPLE)} players are known; Vic is barred", f"player/{GROUP}/{BARRED}")


async def sign_up(room: Room, game_id: str, player_id: str, *, by_phone: bool = False) -> None:
    """Put a name on a board."""
    await room.soon(
        "brush",
        WaitlistServiceStub,
        "SignUp",
        sign_up_request(game_id, player_id, by_phone=by_phone),
    )


def sign_up_request(
    game_id: str, player_id: str, *, entry: str = "", by_phone: bool = False
) -> waitlist.SignUpRequest:
    """Return the request that puts a name on a board."""
    return waitlist.SignUpRequest(
        room=ROOM,
        game_id=game_id,
        entry_id=entry or f"{game_id}.{player_id}",
        player_id=player_id,
        by_phone=by_phone,
        going=True,
    )


async def names_sign_up(room: Room) -> None:
    """Sign up for the first game: in person, by phone, twice, and barred."""
    story = room.story
    story.act("Names on the board")
    for player_id in ("p01", "p02", "p03", "p04", "p05", "p06", "p07", "p08"):
        await sign_up(room, SMALL, player_id)
    story.tell("eight sign up for 6-12", f"board/{ROOM}/{SMALL}")
    await sign_up(room, SMALL, BY_PHONE, by_phone=True)
    story.tell("Ida calls in: an hour to arrive")
    again = sign_up_request(SMALL, "p01", entry="again")
    await room.refused("brush", WaitlistServiceStub, "SignUp", again, "Ann signs up twice")
    barred = sign_up_request(SMALL, BARRED)
    await room.refused("brush", WaitlistServiceStub, "SignUp", barred, "Vic signs up")


async def seat(room: Room, table: str, game_id: str, who: tuple[str, ...], buy_cents: int) -> None:
    """Answer the calls of a new game, sell chips, and seat everybody in order."""
    for number, player_id in enumerate(who, 1):
        entry = f"{game_id}.{player_id}"
        coming = waitlist.AnswerCallRequest(
            room=ROOM,
            game_id=game_id,
            entry_id=entry,
            answer=answers.CALL_ANSWER_COMING,
            seat=number,
        )
        await room.soon("brush", WaitlistServiceStub, "AnswerCall", coming)
        sale = cashier.SellChipsRequest(
            room=ROOM, player_id=player_id, amount_cents=buy_cents, cash_received_cents=buy_cents
        )
        await room.ask("cage", CashierServiceStub, "SellChips", sale)
        taken = seating.TakeSeatRequest(
            room=ROOM,
            table=table,
            seat=number,
            player_id=player_id,
            buy_in_cents=buy_cents,
            entry_id=entry,
        )
        await room.soon("brush", SeatingServiceStub, "TakeSeat", taken)


async def start_game(
    room: Room, table: str, game_id: str, who: tuple[str, ...], buy_cents: int, *, feeds: str = ""
) -> None:
    """Open a table, call its names and seat them."""
    opened = seating.OpenTableRequest(room=ROOM, table=table, game_id=game_id, feeds=feeds)
    await room.soon("floor", SeatingServiceStub, "OpenTable", opened)
    call = waitlist.CallNewGameRequest(room=ROOM, game_id=game_id, table=table)
    await room.soon("brush", WaitlistServiceStub, "CallNewGame", call)
    await seat(room, table, game_id, who, buy_cents)
    names = ", ".join(PEOPLE[player_id] for player_id in who)
    room.story.tell(
        f"{game_id} starts at {table}: {names}, {dollars(buy_cents)} each", f"seats/{ROOM}/{table}"
    )


async def table_view(room: Room, table: str) -> tables.GetTableResponse:
    """Read a table as the tables context has it."""
    request = tables.GetTableRequest(room=ROOM, table=table)
    found: tables.GetTableResponse = await room.ask("floor", TablesServiceStub, "GetTable", request)
    return found


async def draw_button(room: Room, table: str, cards: tuple[str, ...]) -> None:
    """Draw for the button with cards from the deck, and wait until the table knows."""
    count = len(cards)
    await room.until(
        f"{count} players at {table}",
        lambda: table_view(room, table),
        lambda view: len(view.table.occupied) == count,
    )
    drawn = [seats.DrawnCard(who=str(number), card=card) for number, card in enumerate(cards, 1)]
    request = moves.DrawForButtonRequest(room=ROOM, table=table, cards=drawn)
    await room.soon("dealer", MovesServiceStub, "DrawForButton", request)
    view = await room.until(
        "the button", lambda: table_view(room, table), lambda view: view.table.next_hand.button_seat
    )
    button = view.table.next_hand.button_seat
    room.story.tell(
        f"the button at {table} is drawn: seat {button} has the {cards[button - 1]}",
        f"table/{ROOM}/{table}",
    )
