"""What the lists ask others, and what follows when no answer comes."""

from typing import Final

from cardroom.adapters.context import Peers
from cardroom.adapters.grpc.ask import AskFailed, ask
from cardroom.api.players.v1 import players_service_pb2 as players_pb
from cardroom.api.players.v1 import players_service_pb2_grpc as players_grpc
from cardroom.api.seating.v1 import seating_service_pb2 as seating_pb
from cardroom.api.seating.v1 import seating_service_pb2_grpc as seating_grpc
from cardroom.known.standing import Standing
from cardroom.known.wire_standing import standing_from

STANDING_SECONDS: Final = 2.0
NAMES_SECONDS: Final = 0.5
LOCK_SECONDS: Final = 4.0


class Others:
    """Asks players who may sign up and what stands on boards, and seating to keep a seat."""

    def __init__(self, peers: Peers) -> None:
        """Take the way to the other contexts."""
        self._peers = peers

    async def standing(self, room: str, player_id: str) -> Standing | None:
        """Return a person's standing, or None where players gave no answer in time.

        Without an answer the core refuses the sign-up, unless a floorperson takes it upon himself, which is recorded.

        Raises:
            AskRefused: CR-2, players do not know the person or the room.
        """
        channel = self._peers.channel("players")
        stub = players_grpc.PlayersServiceStub(channel)  # type: ignore[no-untyped-call]
        request = players_pb.CheckStandingRequest(room=room, player_id=player_id)
        try:
            answer = await ask(
                stub.CheckStanding,
                request,
                context="players",
                question="CheckStanding",
                seconds=STANDING_SECONDS,
            )
        except AskFailed:
            return None
        return standing_from(answer.standing)

    async def board_names(self, room: str, player_ids: tuple[str, ...]) -> dict[str, str]:
        """Return what may stand on a board for some players; without an answer the board shows ids."""
        if not player_ids:
            return {}
        channel = self._peers.channel("players")
        stub = players_grpc.PlayersServiceStub(channel)  # type: ignore[no-untyped-call]
        request = players_pb.ListBoardNamesRequest(room=room, player_ids=player_ids)
        try:
            answer = await ask(
                stub.ListBoardNames,
                request,
                context="players",
                question="ListBoardNames",
                seconds=NAMES_SECONDS,
            )
        except AskFailed:
            return {}
        return dict(answer.names)

    async def lock_seat(
        self, room: str, table: str, seat: int, player_id: str, entry_id: str, cause: str
    ) -> None:
        """Have seating keep a seat for a called player.

        The request id is derived from the answer's, so that asking again locks nothing twice. Without an answer in
        time the player's answer is refused and the call stands; the station sends the answer again.

        Raises:
            AskRefused: the seat is not to be had, with who has it.
            AskFailed: CR-14, seating did not answer in time.
        """
        channel = self._peers.channel("seating")
        stub = seating_grpc.SeatingServiceStub(channel)  # type: ignore[no-untyped-call]
        request = seating_pb.LockSeatRequest(
            request_id=f"lock-{cause}"[:128],
            room=room,
            table=table,
            seat=seat,
            player_id=player_id,
            entry_id=entry_id,
        )
        await ask(
            stub.LockSeat,
            request,
            context="seating",
            question="LockSeat",
            seconds=LOCK_SECONDS,
        )
