"""Recorded hands in PHH, dealt again at a table through the API."""

import tomllib
from importlib.resources import files
from typing import Any, Final, NamedTuple

from cardroom.api.tables.v1 import hands_service_pb2 as pb
from cardroom.api.tables.v1 import tables_types_pb2 as types
from cardroom.api.tables.v1.hands_service_pb2_grpc import HandsServiceStub
from cardroom.demo.room import ROOM, Room

DEVICE: Final = types.SOURCE_DEVICE


class RecordedHand(NamedTuple):
    """A hand of the bundled vectors: its file's name, what it is, and its actions."""

    name: str
    about: str
    actions: tuple[str, ...]


def recorded_hands() -> list[RecordedHand]:
    """Return the bundled hands in order."""
    found = []
    for file in sorted(
        files("cardroom.demo").joinpath("hands").iterdir(), key=lambda path: path.name
    ):
        text = file.read_text(encoding="utf-8")
        about = text.splitlines()[0].removeprefix("# ")
        found.append(RecordedHand(file.name, about, tuple(tomllib.loads(text)["actions"])))
    return found


def cards_in(text: str) -> list[str]:
    """Split a run of cards."""
    return [text[at : at + 2] for at in range(0, len(text), 2)]


class Dealing:
    """Deals one recorded hand at a table that records every action."""

    def __init__(self, room: Room, table: str, *, who: str = "dealer") -> None:
        """Take the room, the table and who enters the hand."""
        self._room = room
        self._table = table
        self._who = who
        self.hand: Any = None
        self._order: list[int] = []

    async def play(self, recorded: RecordedHand) -> Any:
        """Start a hand, enter everything that was recorded, and push the pot; returns the settled hand."""
        request = pb.StartHandRequest(room=ROOM, table=self._table)
        self.hand = (await self._room.soon(self._who, HandsServiceStub, "StartHand", request)).hand
        seats = [chair.seat for chair in self.hand.chairs]
        after_button = seats.index(self.hand.button_seat) + 1
        self._order = seats[after_button:] + seats[:after_button]
        for action in recorded.actions:
            await self._enter(action.split())
        if self.hand.phase != "settled":
            await self._do("AwardPots", pb.AwardPotsRequest(**self._here(), losers_killed=True))
        return self.hand

    def _here(self) -> dict[str, Any]:
        return {"room": ROOM, "table": self._table, "hand_id": self.hand.hand_id}

    async def _do(self, method: str, request: Any) -> None:
        answer = await self._room.ask(self._who, HandsServiceStub, method, request)
        self.hand = answer.hand

    async def _enter(self, words: list[str]) -> None:
        match words:
            case ["d", "dh", player, cards]:
                held = pb.HoleCards(seat=self._seat(player), cards=cards_in(cards))
                dealt = pb.NoteHoleCardsRequest(**self._here(), hands=[held], source=DEVICE)
                await self._do("NoteHoleCards", dealt)
            case ["d", "db", cards]:
                await self._do(
                    "DealStreet", pb.DealStreetRequest(**self._here(), board=cards_in(cards))
                )
            case [player, "sm", cards]:
                shown = pb.ShowHandRequest(
                    **self._here(), seat=self._seat(player), cards=cards_in(cards)
                )
                await self._do("ShowHand", shown)
            case [player, *act]:
                await self._act(self._seat(player), act[0])

    async def _act(self, seat: int, act: str) -> None:
        options = {option.act: option for option in self.hand.legal}
        amount = None
        if act == "f":
            action = pb.ACTION_FOLD
        elif act == "cc":
            action = pb.ACTION_CHECK if "check" in options else pb.ACTION_CALL
        else:
            action = pb.ACTION_BET if "bet" in options else pb.ACTION_RAISE_TO
            amount = options["bet" if "bet" in options else "raise"].least_cents
        request = pb.TakeActionRequest(**self._here(), seat=seat, action=action, to_cents=amount)
        await self._do("TakeAction", request)

    def _seat(self, player: str) -> int:
        """Return the seat of a PHH player: p1 sits left of the button."""
        return self._order[int(player[1:]) - 1]
