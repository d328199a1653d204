"""What jackpot tells the other contexts."""

from google.protobuf.message import Message

from cardroom.api.jackpot.v1 import jackpot_events_pb2 as out
from cardroom.jackpot import events as e
from cardroom.kernel.envelope import Recorded


def publish(recorded: Recorded) -> Message | None:
    """Return the published form of a stored event, None where it stays inside."""
    _, room, name, *_ = (*recorded.stream.split("/"), "")
    match recorded.event:
        case e.PoolOpened() as event:
            return out.PoolChanged(
                room=room, pool=name, change_cents=event.seed_cents, reason="opened"
            )
        case e.PoolAdjusted() as event:
            return out.PoolChanged(
                room=room, pool=name, change_cents=event.change_cents, reason=event.reason
            )
        case e.PoolReversed() as event:
            return out.PoolChanged(
                room=room, pool=name, change_cents=-event.cents, reason=event.reason
            )
        case e.ContributionAdded() as event:
            return out.JackpotFunded(
                room=room,
                pool=name,
                hand_id=event.hand_id,
                table=event.table,
                drop_cents=event.drop_cents,
                odd_cents=event.odd_cents,
            )
        case e.ClaimEvaluated() as event:
            failed = [condition.name for condition in event.conditions if not condition.met]
            return out.ClaimJudged(
                room=room, claim=name, qualifies=event.qualifies, failed_conditions=failed
            )
        case e.ClaimRefused() as event:
            return out.ClaimEnded(room=room, claim=name, reason=event.reason, rules=event.rules)
        case e.JackpotAwarded() as event:
            shares = [
                out.PaidShare(
                    seat=share.seat,
                    player_id=share.player_id,
                    part=share.part,
                    amount_cents=share.cents,
                )
                for share in event.shares
            ]
            return out.JackpotWon(
                room=room,
                claim=name,
                pool=event.pool,
                hand_id=event.hand_id,
                table=event.table,
                jackpot_cents=event.jackpot_cents,
                shares=shares,
                next_cents=event.next_cents,
                rules=event.rules,
            )
    return None
