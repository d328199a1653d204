"""What the tables tell the others: seats and chips, hands started and ended, rulings; no card that was not shown."""

from datetime import datetime
from typing import Any, Final

from google.protobuf.message import Message

from cardroom.api.tables.v1 import tables_events_pb2 as pb
from cardroom.kernel.envelope import Recorded
from cardroom.tables import chip_events as ce
from cardroom.tables import deal_events as de
from cardroom.tables import dispute as d
from cardroom.tables import notes_events as n
from cardroom.tables import table_events as e
from cardroom.tables.hand_events import PostKind
from cardroom.tables.table import hand_id

SMALL: Final = frozenset({PostKind.SMALL_BLIND})
BIG: Final = frozenset({PostKind.BIG_BLIND})


def publish(recorded: Recorded) -> Message | None:
    """Return the message for a recorded event, or None where it stays inside.

    Args:
        recorded: an event of the tables as stored.
    """
    kind, *names = recorded.stream.split("/")
    if kind not in ("table", "notes", "dispute"):
        return None
    room, table, *rest = names
    where = {"room": room, "table": table}
    match kind:
        case "table":
            return _of_table(recorded.event, where)
        case "notes":
            return _of_notes(recorded, where, int(rest[0]))
        case _:
            return _of_dispute(recorded.event, where)


def _of_table(event: Any, where: dict[str, str]) -> Message | None:
    match event:
        case e.Opened():
            return pb.TableOpened(
                **where,
                game_id=event.game.game_id,
                seats=event.seats,
                capture=event.capture,
                tournament=event.tournament,
            )
        case e.Closed():
            leftover = 0 if event.tournament else event.leftover_cents
            return pb.TableClosed(**where, reason=event.reason, leftover_cents=leftover)
        case e.GameChanged():
            return pb.TableGameChanged(**where, game_id=event.game.game_id)
        case de.ShuffleStarted():
            return pb.ShuffleStarted(**where, hand_number=event.hand)
        case de.HandOpened():
            return _started(event, where)
        case de.HandClosed():
            return _ended(event, where)
        case de.HandReopened():
            return pb.HandReopened(
                **where,
                hand_id=_hand(where, event.hand),
                hand_number=event.hand,
                game_id=event.game_id,
                taken=[pb.HandTake(account=one.account, cents=one.cents) for one in event.taken],
            )
        case _:
            return _of_chips(event, where)


def _of_chips(event: Any, where: dict[str, str]) -> Message | None:
    match event:
        case e.Sat():
            behind = event.announced_cents if event.announced_play else 0
            return pb.TableSeatTaken(
                **where,
                seat=event.seat,
                player_id=event.player,
                stack_cents=None if event.tournament else event.stack_cents,
                behind_cents=0 if event.tournament else behind,
                source=event.source,
            )
        case e.Left():
            return pb.TableSeatLeft(
                **where,
                seat=event.seat,
                player_id=event.player,
                stack_cents=None if event.tournament else event.stack_cents,
                reason=event.reason,
            )
        case e.PlayOverBegan():
            return pb.TableSeatTaken(
                **where,
                seat=event.seat,
                player_id=event.player,
                stack_cents=None if event.tournament else event.stack_cents,
                behind_cents=0,
                source="seating",
            )
        case e.PlayOverEnded():
            return pb.TableSeatLeft(
                **where,
                seat=event.seat,
                player_id=event.player,
                stack_cents=None if event.tournament else event.stack_cents,
                reason="playing over ended",
            )
        case e.BoxLifted():
            return pb.TableSeatTaken(
                **where,
                seat=event.seat,
                player_id=event.player,
                stack_cents=None,
                behind_cents=0,
                source="box lifted",
            )
        case e.SeatChanged():
            return pb.TableSeatChanged(**where, seat=event.seat, to_seat=event.to_seat)
        case e.PlayerRenamed():
            return pb.TableSeatRenamed(
                **where, seat=event.seat, player_id=event.player, into_id=event.into
            )
        case e.SeatsSwapped():
            return pb.TableSeatsSwapped(**where, seats=event.seats)
        case ce.ChipsAnnounced(plays=True) if not event.tournament:
            # They play from now on, so they are on the table for everybody who keeps its account.
            return pb.TableChipsAdded(
                **where,
                seat=event.seat,
                player_id=event.player,
                cents=event.cents,
                announced_cents=0,
            )
        case ce.ChipsArrived() if not event.tournament:
            return pb.TableChipsAdded(
                **where,
                seat=event.seat,
                player_id=event.player,
                cents=event.cents,
                announced_cents=event.counted_before_cents,
            )
        case ce.ChipsRemoved() if not event.tournament:
            return pb.TableChipsRemoved(
                **where,
                seat=event.seat,
                player_id=event.player,
                cents=event.cents,
                purpose=event.purpose,
            )
        case ce.ImpoundReleased(away_cents=cents) if cents and not event.tournament:
            return pb.TableChipsRemoved(
                room=where["room"],
                table=where["table"],
                cents=cents,
                purpose="impound_paid_out",
            )
        case ce.TakenBeforeClosing():
            return pb.TableStacksCounted(**where, stacks=(), difference_cents=event.cents)
        case ce.StacksCounted() if not event.tournament:
            return pb.TableStacksCounted(
                **where,
                stacks=_amounts(event.stacks),
                difference_cents=event.difference_cents,
            )
        case ce.StacksCorrected() if not event.tournament:
            return pb.TableStacksCorrected(
                **where,
                moves=_amounts(event.moves),
                house_cents=event.house_cents,
                account=event.account,
                cause=event.cause,
                rules=event.rules,
            )
        case _:
            return None


def _amounts(pairs: tuple[tuple[int, int | None], ...]) -> list[pb.SeatCents]:
    return [pb.SeatCents(seat=seat, cents=cents) for seat, cents in pairs if cents is not None]


def _players(pairs: tuple[tuple[int, str], ...]) -> list[pb.SeatPlayer]:
    return [pb.SeatPlayer(seat=seat, player_id=player) for seat, player in pairs]


def _hand(where: dict[str, str], number: int) -> str:
    return hand_id(where["room"], where["table"], number)


def _started(event: de.HandOpened, where: dict[str, str]) -> pb.HandStarted:
    collection = next((p for p in event.posts if p.kind is PostKind.COLLECTION), None)
    players = dict(event.absent)
    missed = {
        seat: pb.MissedBlinds(
            seat=seat,
            player_id=players.get(seat, ""),
            big=seat in event.passed.big,
            small=seat in event.passed.small,
            button=seat in event.passed.button,
        )
        for seat in sorted({*event.passed.big, *event.passed.small, *event.passed.button})
    }
    return pb.HandStarted(
        **where,
        hand_id=_hand(where, event.hand),
        hand_number=event.hand,
        game_id=event.game.game_id,
        button_seat=event.button,
        small_blind_seats=[p.seat for p in event.posts if p.kind in SMALL],
        big_blind_seats=[p.seat for p in event.posts if p.kind in BIG],
        dealt_in=_players(tuple((one.seat, one.player) for one in event.dealt)),
        left_out=[
            pb.SeatLeftOut(
                seat=out.seat,
                player_id=players.get(out.seat, ""),
                reason=out.reason,
                rules=out.rules,
            )
            for out in event.left_out
        ],
        missed=missed.values(),
        collection_cents=collection.house_cents if collection else 0,
        collection_seat=collection.seat if collection else 0,
        book_digest=event.book_digest,
        called_game=event.called,
        stated_rules=event.stated_rules,
    )


def _ended(event: de.HandClosed, where: dict[str, str]) -> pb.HandEnded:
    players = dict(event.dealt)
    money = not event.tournament
    return pb.HandEnded(
        **where,
        hand_id=_hand(where, event.hand),
        hand_number=event.hand,
        game_id=event.game_id,
        form=f"FORM_{event.form.name}",
        book_digest=event.book_digest,
        counted=event.counted,
        void=event.void,
        dealt_in=_players(event.dealt),
        seated=_players(event.seated),
        board=event.board,
        shown=[pb.ShownHand(seat=one.seat, cards=one.cards) for one in event.shown],
        folded_facing_wager=event.folded_facing_wager,
        pot_cents=event.pot_cents if money else None,
        taken=[pb.HandTake(account=one.account, cents=one.cents) for one in event.taken],
        jackpot_odd_cents=event.jackpot_odd_cents,
        won=[
            pb.SeatWon(
                seat=one.seat,
                player_id=players.get(one.seat, ""),
                cents=one.cents if money else None,
            )
            for one in event.won
        ],
        stacks=_amounts(event.stacks) if money else [],
        broke=event.broke,
        showdown=event.showdown,
        tournament=event.tournament,
    )


def _of_notes(recorded: Recorded, where: dict[str, str], number: int) -> Message | None:
    match recorded.event:
        case n.IrregularityReported() as event:
            return pb.IrregularityReported(
                **where,
                hand_id=_hand(where, number),
                irregularity=event.number,
                kind=event.kind,
                remedy=event.finding.remedy,
                rules=event.finding.rules,
            )
        case n.Ruled() as event:
            return pb.FindingRuled(
                **where,
                hand_id=_hand(where, number),
                irregularity=event.number,
                proposed=event.proposed,
                decision=event.ruling.decision,
                confirmed=event.ruling.confirmed,
                rules=event.ruling.rules,
            )
        case n.CourtesyBreached() as event:
            return pb.CourtesyBreached(
                **where,
                hand=_hand(where, number),
                player_id=event.player,
                what=event.what,
                rules=event.rules,
                occurred_at=_when(recorded),
            )
        case n.CourtesyBreachWithdrawn() as event:
            return pb.CourtesyBreachWithdrawn(
                **where, hand=_hand(where, number), player_id=event.player, what=event.what
            )
        case _:
            return None


def _when(recorded: Recorded) -> datetime:
    """When something happened: as reported, or when it was recorded."""
    return recorded.envelope.occurred_at or recorded.envelope.recorded_at


def _of_dispute(event: Any, where: dict[str, str]) -> Message | None:
    match event:
        case d.DisputeOpened():
            return pb.DisputeOpened(
                **where,
                dispute=event.dispute,
                hand_id=_hand(where, event.hand),
                pot_cents=event.pot_cents,
            )
        case d.PotImpounded():
            return pb.PotImpounded(**where, dispute=event.dispute, cents=event.cents)
        case d.DisputeRuled():
            return pb.DisputeRuled(
                **where,
                dispute=event.dispute,
                decision=event.decision,
                rules=event.rules,
                final=event.final,
            )
        case _:
            return None
