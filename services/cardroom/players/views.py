"""Records and standings as messages."""

from typing import Final

from cardroom.adapters.grpc.convert import fill
from cardroom.api.players.v1 import players_types_pb2 as pb
from cardroom.known.standing import Act, Standing
from cardroom.players.player import Player

MAY_READ_NAMES: Final = frozenset(
    {
        "brush",
        "floor",
        "shift_manager",
        "cage",
        "surveillance",
        "auditor",
        "integration",
        "admin",
    }
)
"""Roles that see full names and phones; the others see ids and board names."""

ACTS: Final = {
    Act.JOIN: pb.ACT_JOIN,
    Act.SIT: pb.ACT_SIT,
    Act.BUY_IN: pb.ACT_BUY_IN,
    Act.DEAL: pb.ACT_DEAL,
}


def player_message(player: Player, version: int, roles: frozenset[str]) -> pb.Player:
    """Return a record as its reader may see it.

    Args:
        player: the record.
        version: of its stream.
        roles: the reader's roles.
    """
    apart = [pb.PairApart(player_id=other, rules=rules) for other, rules in player.apart]
    refused = []
    for service, since in player.services_refused:
        refusal = pb.ServiceRefusal(service=service)
        refusal.since.FromDatetime(since)
        refused.append(refusal)
    hidden = {} if roles & MAY_READ_NAMES else {"full_name": None, "phone": None}
    return fill(
        pb.Player(),
        player,
        version=version,
        apart=apart,
        services_refused=refused,
        **hidden,
    )


def standing_message(standing: Standing) -> pb.Standing:
    """Return a standing as other contexts read it."""
    message = pb.Standing(
        player_id=standing.player_id,
        version=standing.version,
        open_incidents=standing.open_incidents,
        apart=[pb.PairApart(player_id=a.player_id, rules=a.rules) for a in standing.apart],
    )
    for impediment in standing.impediments:
        shown = message.impediments.add(
            code=impediment.code,
            acts=[ACTS[act] for act in sorted(impediment.acts)],
            rules=impediment.rules,
            incident_id=impediment.incident_id,
        )
        shown.since.FromDatetime(impediment.since)
        if impediment.until is not None:
            shown.until.FromDatetime(impediment.until)
    return message
