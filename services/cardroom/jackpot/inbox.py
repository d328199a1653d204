"""What jackpot learns from the tables: each settled hand, with its drop and the cards that were shown."""

from collections.abc import Iterable

from cardroom.adapters.bus.envelope import Received
from cardroom.api.house.v1 import house_types_pb2 as house
from cardroom.api.tables.v1 import tables_events_pb2 as tables
from cardroom.jackpot import commands as c
from cardroom.jackpot import events as e
from cardroom.kernel.decisions import Command


def from_tables(message: Received) -> tuple[Command, ...]:
    """Turn a settled hand into a command to consider it; a hand that did not count is none."""
    match message.payload:
        case tables.HandEnded() as ended if not ended.void:
            return (c.ConsiderHand(room=message.room, facts=facts_of(ended)),)
        case tables.HandReopened() as reopened:
            again = c.NoteReopened(
                room=message.room, game_id=reopened.game_id, hand_id=reopened.hand_id
            )
            return (again,)
        case _:
            return ()


def facts_of(ended: tables.HandEnded) -> e.HandFacts:
    """Read the facts of a settled hand."""
    taken = sum(take.cents for take in ended.taken if take.account == "jackpot")
    return e.HandFacts(
        hand_id=ended.hand_id,
        table=ended.table,
        game_id=ended.game_id,
        tournament=bool(ended.tournament),
        form=house.Form.Name(ended.form).removeprefix("FORM_").lower(),
        dealt_in=_seats(ended.dealt_in),
        seated=_seats(ended.seated),
        board="".join(ended.board),
        shown=tuple(e.ShownHand(seat=hand.seat, cards="".join(hand.cards)) for hand in ended.shown),
        mucked_facing_action=tuple(ended.folded_facing_wager),
        pot_cents=ended.pot_cents,
        drop_cents=taken - ended.jackpot_odd_cents,
        odd_cents=ended.jackpot_odd_cents,
        book_digest=ended.book_digest,
    )


def _seats(seats: Iterable[tables.SeatPlayer]) -> tuple[e.SeatPlayer, ...]:
    return tuple(e.SeatPlayer(seat=seat.seat, player_id=seat.player_id) for seat in seats)
