"""A small context for tests of shell and store: chips in racks, moved one by one, day-bound drawers, deadlines."""

import asyncio
import inspect
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec

from cardroom import known
from cardroom.adapters.application import Request
from cardroom.kernel.decisions import Command, Decider, Decision, Occasion
from cardroom.kernel.events import CarriedForward, Event, EventTypes
from cardroom.kernel.refusal import Refused
from cardroom.kernel.streams import Aggregate, StreamId, Streams, stream_id

ROOM = known.Room(
    room="r1", name="Room", group="g1", time_zone="America/Los_Angeles", cut_over_minutes=360
)
EVENING = datetime(2026, 3, 7, 4, 0, tzinfo=UTC)  # the evening of the 6th in the room


class Counted(Event, frozen=True, tag="counting.Counted.v1"):
    chips: int
    seed: bytes = b""


class Labelled(Event, frozen=True, kw_only=True, tag="counting.Labelled.v1"):
    confidential = ("name",)
    subject = "player_id"

    player_id: str
    name: str | None
    number: int = 0


class ReminderSet(Event, frozen=True, tag="counting.ReminderSet.v1"):
    rack: str
    at: datetime


class Reminded(Event, frozen=True, tag="counting.Reminded.v1"):
    at: datetime


class DrawerClosed(Event, frozen=True, tag="counting.DrawerClosed.v1"):
    chips: int


class DrawerCarried(CarriedForward, frozen=True, tag="counting.DrawerCarried.v1"):
    chips: int


class Rack(msgspec.Struct, frozen=True):
    chips: int = 0
    names: tuple[str | None, ...] = ()
    remind_at: datetime | None = None
    reminded: tuple[datetime, ...] = ()
    name: str = ""


class Add(Command, frozen=True, tag="Add"):
    """Put chips into a rack, never below zero nor above a limit."""

    room: str = "r1"
    rack: str = "a"
    chips: int = 1
    kind: str = "rack"


class Move(Command, frozen=True, kw_only=True, tag="Move"):
    """Move chips between racks of a room: two streams, one decision."""

    room: str = "r1"
    source: str
    target: str
    chips: int = 1


class Label(Command, frozen=True, kw_only=True, tag="Label"):
    room: str = "r1"
    rack: str = "a"
    player_id: str
    name: str


class Remind(Command, frozen=True, kw_only=True, tag="Remind"):
    """Set a deadline."""

    room: str = "r1"
    rack: str = "a"
    at: datetime


class Elapse(Command, frozen=True, tag="Elapse"):
    room: str
    rack: str
    at: datetime


class CloseDay(Command, frozen=True, kw_only=True, tag="CloseDay"):
    room: str = "r1"
    drawer: str
    gaming_day: str


def rack(name: str, room: str = "r1", kind: str = "rack") -> StreamId:
    return stream_id(kind, room, name)


def _evolve(state: Rack, event: Event) -> Rack:
    match event:
        case Counted(chips=chips):
            return msgspec.structs.replace(state, chips=state.chips + chips)
        case Labelled(name=name):
            return msgspec.structs.replace(state, names=(*state.names, name))
        case ReminderSet(rack=name, at=at):
            return msgspec.structs.replace(state, name=name, remind_at=at)
        case Reminded(at=at):
            return msgspec.structs.replace(state, remind_at=None, reminded=(*state.reminded, at))
        case DrawerClosed():
            return state
        case DrawerCarried(chips=chips):
            return Rack(chips=chips)
        case _:
            raise AssertionError(event)


def _due(state: Rack) -> tuple[tuple[datetime, Command], ...]:
    if state.remind_at is None:
        return ()
    return ((state.remind_at, Elapse(room="r1", rack=state.name, at=state.remind_at)),)


def _key(command: Any) -> str:
    match command:
        case Add(room=room, rack=name):
            return f"{room}/{name}"
        case (
            Label(room=room, rack=name)
            | Remind(room=room, rack=name)
            | Elapse(room=room, rack=name)
        ):
            return f"{room}/{name}"
        case CloseDay(room=room, drawer=name):
            return f"{room}/{name}"
        case _:
            return str(command.room)


def _reads(command: Any, streams: Streams) -> frozenset[StreamId]:
    match command:
        case known.NoteHouse():
            return known.reads(command, streams)
        case Add(rack=name, kind=kind):
            return frozenset({rack(name, command.room, kind)})
        case Move(source=source, target=target):
            return frozenset({rack(source, command.room), rack(target, command.room)})
        case CloseDay(drawer=drawer):
            return frozenset({rack(drawer, command.room, "drawer")})
        case _:
            return frozenset({rack(command.rack, command.room)})


def _decide(command: Any, streams: Streams, occasion: Occasion) -> Decision:
    match command:
        case known.NoteHouse():
            return known.decide(command, streams)
        case Add(rack=name, chips=chips, kind=kind):
            stem = rack(name, command.room, kind)
            _check(streams[stem].chips + chips)
            return ((stem, Counted(chips=chips, seed=occasion.seed[:2])),)
        case Move(source=source, target=target, chips=chips):
            one, other = rack(source, command.room), rack(target, command.room)
            _check(streams[one].chips - chips)
            _check(streams[other].chips + chips)
            return ((one, Counted(chips=-chips)), (other, Counted(chips=chips)))
        case Label(player_id=player, name=name):
            return ((rack(command.rack), Labelled(player_id=player, name=name)),)
        case Remind(at=at):
            return ((rack(command.rack), ReminderSet(rack=command.rack, at=at)),)
        case Elapse(at=at):
            stem = rack(command.rack, command.room)
            return ((stem, Reminded(at=occasion.at)),) if streams[stem].remind_at == at else ()
        case CloseDay(drawer=drawer, gaming_day=day):
            stem = rack(drawer, command.room, "drawer")
            chips = streams[stem].chips
            return (
                (stem, DrawerClosed(chips=chips)),
                (stem, DrawerCarried(gaming_day=day, chips=chips)),
            )
        case _:
            raise AssertionError(command)


def _check(chips: int) -> None:
    if not 0 <= chips <= 1_000_000:
        raise Refused("RACK_RANGE", "CR-8", f"a rack cannot hold {chips} chips", field="chips")


EVENTS = EventTypes(
    "counting",
    (Counted, Labelled, ReminderSet, Reminded, DrawerClosed, DrawerCarried, *known.EVENT_TYPES),
)
DECIDER = Decider(
    context="counting",
    events=EVENTS,
    aggregates={
        **known.AGGREGATES,
        "rack": Aggregate(kind="rack", initial=Rack(), evolve=_evolve, due=_due),
        "drawer": Aggregate(kind="drawer", initial=Rack(), evolve=_evolve, day_bound=True),
    },
    key=_key,
    reads=_reads,
    decide=_decide,
    commands=(Add, Move, Label, Remind, Elapse, CloseDay, known.NoteHouse),
)
NOTE_ROOM = known.NoteHouse(room="r1", facts=(known.RoomNoted(room=ROOM),))


def asked(request_id: str, *roles: str, **rest: Any) -> Request:
    return Request(request_id, actor="floor-1", roles=frozenset(roles or ("floor",)), **rest)


async def eventually(condition: Callable[[], Any], seconds: float = 10.0) -> None:
    """Let other tasks run until a condition (a function or coroutine function) holds; fail after a deadline."""
    async with asyncio.timeout(seconds):
        while True:
            holds = condition()
            if inspect.isawaitable(holds):
                holds = await holds
            if holds:
                return
            await asyncio.sleep(0.001)
