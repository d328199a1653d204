"""What seating asks others, and what follows when no answer comes."""

from typing import Final

from cardroom.adapters.context import Peers
from cardroom.adapters.grpc.ask import AskFailed, ask
from cardroom.api.players.v1 import players_service_pb2 as pb
from cardroom.api.players.v1 import players_service_pb2_grpc as pb_grpc
from cardroom.known.standing import Standing
from cardroom.known.wire_standing import standing_from

STANDING_SECONDS: Final = 2.0


class Players:
    """Asks players whether a person may sit, buy or be dealt in."""

    def __init__(self, peers: Peers) -> None:
        """Take the way to the other contexts."""
        self._peers = peers

    async def standing(self, room: str, player_id: str) -> Standing | None:
        """Return a person's standing, or None where players gave no answer in time.

        Without an answer the core refuses to seat the person, unless a floorperson takes it upon himself, which is
        recorded. A person whom players do not know is refused.

        Raises:
            AskRefused: CR-2, players do not know the person or the room.
        """
        stub = pb_grpc.PlayersServiceStub(self._peers.channel("players"))  # type: ignore[no-untyped-call]
        request = pb.CheckStandingRequest(room=room, player_id=player_id)
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
