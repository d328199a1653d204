"""The gRPC service of rooms and games."""

import tomllib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from cardroom.adapters.grpc.caller import present_caller
from cardroom.adapters.grpc.errors import InvalidRequest
from cardroom.adapters.grpc.servicer import Servicer
from cardroom.adapters.grpc.watch import watch_views
from cardroom.api.house.v1 import house_service_pb2 as pb
from cardroom.api.house.v1 import house_service_pb2_grpc as pb_grpc
from cardroom.api.house.v1 import house_types_pb2 as types
from cardroom.house import commands as c
from cardroom.house.game import GameState, game_stream, offered
from cardroom.house.room import Rooms, RoomState, opened, room_stream, rooms_stream
from cardroom.house.servicer.books import book_of
from cardroom.house.values import Hours
from cardroom.house.variation import variation_stream
from cardroom.house.views import (
    house_message,
    house_stems,
    offered_game,
    page,
    variation_message,
)
from cardroom.kernel.streams import Streams
from cardroom.known.wire import game_from, room_message


class HouseServicer(Servicer, pb_grpc.HouseServiceServicer):
    """Answers `HouseService`."""

    app: Any

    async def OpenRoom(self, request: pb.OpenRoomRequest, context: Any) -> pb.OpenRoomResponse:  # noqa: N802
        """Make a room known."""
        command = c.OpenRoom(
            room=request.room,
            name=request.name,
            group=request.group,
            time_zone=request.time_zone,
            cut_over_minutes=request.cut_over_minutes,
            book=book_of(request).content(),
        )

        def view(streams: Streams) -> pb.OpenRoomResponse:
            room = opened(streams[room_stream(request.room)], request.room)
            return pb.OpenRoomResponse(room=room_message(room))

        return await self.record(context, request, command, pb.OpenRoomResponse, view)

    async def ChangeRoom(  # noqa: N802
        self, request: pb.ChangeRoomRequest, context: Any
    ) -> pb.ChangeRoomResponse:
        """Change a room; what is not given stays."""
        given = {
            name: getattr(request, name)
            for name in ("name", "time_zone", "cut_over_minutes")
            if request.HasField(name)
        }
        command = c.ChangeRoom(room=request.room, reason=request.reason, **given)

        def view(streams: Streams) -> pb.ChangeRoomResponse:
            room = opened(streams[room_stream(request.room)], request.room)
            return pb.ChangeRoomResponse(room=room_message(room))

        return await self.record(context, request, command, pb.ChangeRoomResponse, view)

    async def GetRoom(self, request: pb.GetRoomRequest, context: Any) -> pb.GetRoomResponse:  # noqa: N802
        """Return a room."""
        state, _ = await self.app.state(room_stream(request.room))
        return pb.GetRoomResponse(room=room_message(opened(state, request.room)))

    async def ListRooms(self, request: pb.ListRoomsRequest, context: Any) -> pb.ListRoomsResponse:  # noqa: N802
        """List the rooms that the caller's token covers."""
        caller = present_caller()
        listed: Rooms
        listed, _ = await self.app.state(rooms_stream())
        covered = [
            (room, room)
            for room, group in listed.rooms
            if caller.covers(room) or caller.covers(group)
        ]
        names, following = page(covered, request.page_size, request.page_token)
        rooms = []
        for name in names:
            state, _ = await self.app.state(room_stream(name))
            rooms.append(room_message(opened(state, name)))
        return pb.ListRoomsResponse(rooms=rooms, next_page_token=following)

    async def OfferGame(self, request: pb.OfferGameRequest, context: Any) -> pb.OfferGameResponse:  # noqa: N802
        """Offer a game."""
        command = c.OfferGame(
            room=request.room,
            game=game_from(request.game),
            overlay=overlay_from(request.overrides),
            hours=tuple(_hours(one) for one in request.hours),
        )

        def view(streams: Streams) -> pb.OfferGameResponse:
            return pb.OfferGameResponse(game=_shown(streams, request.room, request.game.game_id))

        return await self.record(context, request, command, pb.OfferGameResponse, view)

    async def ChangeGame(  # noqa: N802
        self, request: pb.ChangeGameRequest, context: Any
    ) -> pb.ChangeGameResponse:
        """Change a game's terms."""
        command = c.ChangeGame(
            room=request.room,
            game=game_from(request.game),
            overlay=overlay_from(request.overrides),
            hours=tuple(_hours(one) for one in request.hours),
            expected_version=request.expected_version,
            reason=request.reason,
        )

        def view(streams: Streams) -> pb.ChangeGameResponse:
            return pb.ChangeGameResponse(game=_shown(streams, request.room, request.game.game_id))

        return await self.record(context, request, command, pb.ChangeGameResponse, view)

    async def WithdrawGame(  # noqa: N802
        self, request: pb.WithdrawGameRequest, context: Any
    ) -> pb.WithdrawGameResponse:
        """Offer a game no longer."""
        command = c.WithdrawGame(room=request.room, game_id=request.game_id, reason=request.reason)

        def view(streams: Streams) -> pb.WithdrawGameResponse:
            return pb.WithdrawGameResponse(game=_shown(streams, request.room, request.game_id))

        return await self.record(context, request, command, pb.WithdrawGameResponse, view)

    async def GetGame(self, request: pb.GetGameRequest, context: Any) -> pb.GetGameResponse:  # noqa: N802
        """Return a game."""
        return pb.GetGameResponse(game=await self._game(request.room, request.game_id))

    async def ListGames(self, request: pb.ListGamesRequest, context: Any) -> pb.ListGamesResponse:  # noqa: N802
        """List the games of a room."""
        room: RoomState
        room, _ = await self.app.state(room_stream(request.room))
        opened(room, request.room)
        games = [(game_id, await self._game(request.room, game_id)) for game_id in room.games]
        wanted = [one for one in games if one[1].game.offered or not request.offered_only]
        shown, following = page(wanted, request.page_size, request.page_token)
        return pb.ListGamesResponse(games=shown, next_page_token=following)

    async def PostTableVariation(  # noqa: N802
        self, request: pb.PostTableVariationRequest, context: Any
    ) -> pb.PostTableVariationResponse:
        """Post what one table plays otherwise."""
        command = c.PostVariation(
            room=request.room,
            table=request.table,
            overlay=overlay_from(request.overrides),
            expected_version=request.expected_version,
            reason=request.reason,
        )

        def view(streams: Streams) -> pb.PostTableVariationResponse:
            return pb.PostTableVariationResponse(
                variation=_posted(streams, request.room, request.table)
            )

        return await self.record(context, request, command, pb.PostTableVariationResponse, view)

    async def LiftTableVariation(  # noqa: N802
        self, request: pb.LiftTableVariationRequest, context: Any
    ) -> pb.LiftTableVariationResponse:
        """Let a table play by its game's book again."""
        command = c.LiftVariation(room=request.room, table=request.table, reason=request.reason)

        def view(streams: Streams) -> pb.LiftTableVariationResponse:
            return pb.LiftTableVariationResponse(
                variation=_posted(streams, request.room, request.table)
            )

        return await self.record(context, request, command, pb.LiftTableVariationResponse, view)

    async def ListTableVariations(  # noqa: N802
        self, request: pb.ListTableVariationsRequest, context: Any
    ) -> pb.ListTableVariationsResponse:
        """List the tables at which something is posted."""
        room: RoomState
        room, _ = await self.app.state(room_stream(request.room))
        opened(room, request.room)
        found = []
        for table in room.varied:
            state, version = await self.app.state(variation_stream(request.room, table))
            if state.posted:
                found.append(variation_message(table, state, version))
        return pb.ListTableVariationsResponse(variations=found)

    async def WatchHouse(self, request: pb.WatchHouseRequest, context: Any) -> Any:  # noqa: N802
        """Show a room with its games, books and what its tables post, and again after each change."""
        room = request.room

        def view(states: Any, versions: Any) -> pb.WatchHouseResponse:
            opened(states[room_stream(room)], room)
            return pb.WatchHouseResponse(house=house_message(room, states, versions))

        state, _ = await self.app.state(room_stream(room))
        opened(state, room)
        async for shown in watch_views(
            self.app, lambda states: house_stems(room, states), view, request.resume_token
        ):
            yield shown

    async def _game(self, room: str, game_id: str) -> types.OfferedGame:
        state, version = await self.app.state(game_stream(room, game_id))
        return offered_game(offered(state, game_id), state, version)


def _shown(streams: Streams, room: str, game_id: str) -> types.OfferedGame:
    stream = game_stream(room, game_id)
    state: GameState = streams[stream]
    return offered_game(offered(state, game_id), state, streams.version(stream))


def _posted(streams: Streams, room: str, table: str) -> types.TableVariation:
    stream = variation_stream(room, table)
    return variation_message(table, streams[stream], streams.version(stream))


def _hours(message: types.Hours) -> Hours:
    return Hours(
        weekday=message.weekday,
        opens_minutes=message.opens_minutes,
        closes_minutes=message.closes_minutes,
    )


def overlay_from(overrides: Mapping[str, str]) -> dict[str, Any]:
    """Return what a game sets otherwise than the book, read as a book file would be.

    Args:
        overrides: decision -> value as a book file writes it.

    Raises:
        InvalidRequest: a value is not written so; each one is named.
    """
    values: dict[str, Any] = {}
    wrong = []
    for key in sorted(overrides):
        try:
            read = tomllib.loads(f"value = {overrides[key]}", parse_float=Decimal)
        except tomllib.TOMLDecodeError:
            read = {}
        if list(read) == ["value"]:
            values[key] = read["value"]
        else:
            sentence = (
                f'{overrides[key]!r} is no value as a book file writes it: 4, true, 0.5, "dead"'
            )
            wrong.append((f"overrides[{key}]", "CR-4", sentence))
    if wrong:
        raise InvalidRequest(wrong)
    return values
