"""A player's standing, from the message in which players tells it."""

from datetime import UTC
from typing import Final

from cardroom.api.players.v1 import players_types_pb2 as pb
from cardroom.known.standing import Act, Apart, Impediment, Standing

ACTS: Final = {
    pb.ACT_JOIN: Act.JOIN,
    pb.ACT_SIT: Act.SIT,
    pb.ACT_BUY_IN: Act.BUY_IN,
    pb.ACT_DEAL: Act.DEAL,
}


def standing_from(message: pb.Standing) -> Standing:
    """Return the standing that a message tells; acts that this release does not know are passed over."""
    return Standing(
        player_id=message.player_id,
        version=message.version,
        impediments=tuple(_impediment(one) for one in message.impediments),
        apart=tuple(Apart(player_id=a.player_id, rules=tuple(a.rules)) for a in message.apart),
        open_incidents=message.open_incidents,
    )


def _impediment(message: pb.Impediment) -> Impediment:
    until = message.until.ToDatetime(tzinfo=UTC) if message.HasField("until") else None
    return Impediment(
        code=message.code,
        acts=frozenset(ACTS[act] for act in message.acts if act in ACTS),
        rules=tuple(message.rules),
        since=message.since.ToDatetime(tzinfo=UTC),
        until=until,
        incident_id=message.incident_id,
    )
