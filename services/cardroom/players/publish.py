"""What players tells the others: who may play and who may not. No names, no phones."""

from google.protobuf.message import Message

from cardroom.adapters.grpc.convert import fill
from cardroom.api.players.v1 import players_events_pb2 as pb
from cardroom.kernel.envelope import Recorded
from cardroom.players import events as e
from cardroom.players.values import Hold


def publish(recorded: Recorded) -> Message | None:
    """Return the message for a recorded event, or None where it stays inside.

    Args:
        recorded: an event of players as stored.
    """
    group = recorded.stream.split("/")[1]
    match recorded.event:
        case e.PlayerRegistered(player_id=player_id):
            return pb.PlayerRegistered(group=group, player_id=player_id)
        case e.PlayerBarred() as event:
            return fill(pb.PlayerBarred(group=group), event)
        case e.BarLifted() as event:
            return fill(pb.BarLifted(group=group), event)
        case e.ConductReported(incident=incident) as event:
            if incident.hold is Hold.DEALT_OUT:
                return pb.PlayerDealtOut(
                    group=group,
                    player_id=event.player_id,
                    incident_id=incident.incident_id,
                    rules=incident.rules,
                    rooms=event.rooms,
                )
            return fill(pb.ConductReported(group=group), event)
        case e.SanctionApplied(sanction="dealt_out") as event:
            return pb.PlayerDealtOut(
                group=group,
                player_id=event.player_id,
                incident_id=event.incident_id,
                rules=event.rules,
                rooms=event.rooms,
            )
        case e.PlayerCleared() as event:
            return fill(pb.PlayerCleared(group=group), event)
        case e.RecordMerged() as event:
            return fill(pb.RecordMerged(group=group), event)
        case e.PlayerErased(player_id=player_id):
            return pb.PlayerErased(group=group, player_id=player_id)
        case _:
            return None
