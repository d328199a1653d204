"""A hand as the API shows it at any of its events; unshown cards only to those who may see them."""

from collections.abc import Sequence
from typing import Any

from cardroom.api.tables.v1 import tables_types_pb2 as pb
from cardroom.kernel.envelope import Recorded
from cardroom.kernel.money import dollars
from cardroom.poker.betting import in_front
from cardroom.poker.cards import UNKNOWN
from cardroom.poker.chairs import Chair
from cardroom.poker.legal import Act, Option
from cardroom.poker.pots import layered
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, history_of
from cardroom.tables.hand_legal import legal
from cardroom.tables.hand_rules import HandRules
from cardroom.tables.notes_events import HandNotes
from cardroom.tables.piles import stub_cards
from cardroom.tables.views import irregularities

SEES_ALL = frozenset({"auditor", "surveillance"})
"""Roles to whom a hand's unshown cards are shown."""


def hand_message(
    hand: Hand,
    rules: HandRules | None,
    notes: HandNotes | None = None,
    *,
    last_version: int = 0,
    unshown: bool = False,
    entries: Sequence[Recorded] = (),
) -> pb.Hand:
    """Return a hand as the API shows it.

    Args:
        hand: the hand, perhaps at an earlier event.
        rules: of its pinned book and game; None leaves out what may be done.
        notes: its irregularities.
        last_version: events in its stream in all; 0 for as many as `hand` has.
        unshown: whether the caller may see cards that were not shown.
        entries: its stored events, where they are wanted.
    """
    shown = pb.Hand(
        hand_id=hand.hand,
        room=hand.room,
        table=hand.table,
        hand_number=hand.number,
        version=hand.version,
        last_version=last_version or hand.version,
        phase=hand.phase.value,
        game_id=hand.game.game_id,
        form=f"FORM_{hand.game.form.name}",
        book_digest=hand.book_digest,
        engine=hand.engine,
        button_seat=hand.button_seat,
        street=hand.street,
        board=hand.boards[0],
        more_boards=[pb.Board(cards=board) for board in hand.boards[1:]],
        due_seats=hand.order,
        stub_cards=stub_cards(hand),
        posts=[_post(post) for post in hand.posts],
        chairs=[_chair(hand, chair, unshown=unshown) for chair in hand.chairs if chair.seat],
        to_act_seat=hand.to_act,
        pots=[
            pb.Pot(cents=pot.cents, seats=pot.seats) for pot in (hand.pots or layered(hand.chairs))
        ],
        pot_cents=hand.pot_cents,
        rake_cents=sum(rake for _, rake, _ in hand.taken),
        jackpot_drop_cents=sum(drop for _, _, drop in hand.taken),
        results=[
            pb.Result(
                seat=one.seat,
                player_id=one.player,
                before_cents=one.before_cents,
                after_cents=one.after_cents,
                put_in_cents=one.put_in_cents,
                won_cents=one.won_cents,
            )
            for one in hand.results
        ],
    )
    if hand.clock is not None:
        shown.clock_seat = hand.clock.seat
        shown.clock_due_at.FromDatetime(hand.clock.due_at)
    if rules is not None:
        shown.legal.extend(_option(option) for option in legal(hand, rules))
    if notes is not None:
        shown.irregularities.extend(irregularities(notes))
    counting = {version for version, _ in history_of(hand)}
    shown.entries.extend(_entry(one, counting) for one in entries if one.version <= hand.version)
    return shown


def _post(post: ev.Post) -> pb.Post:
    return pb.Post(
        seat=post.seat,
        kind=post.kind.value,
        live_cents=post.live_cents,
        dead_cents=post.dead_cents,
        ante_cents=post.ante_cents,
        house_cents=post.house_cents,
    )


def _chair(hand: Hand, chair: Chair, *, unshown: bool) -> pb.Chair:
    front = in_front(chair, hand.betting) if hand.betting else 0
    down = chair.down if unshown else (UNKNOWN,) * len(chair.down)
    return pb.Chair(
        seat=chair.seat,
        player_id=chair.player,
        stack_cents=chair.stack_cents,
        in_front_cents=front,
        matched_cents=chair.matched_cents,
        put_in_cents=chair.put_in_cents,
        dead_cents=chair.dead_cents,
        fate=chair.fate.value,
        all_in=chair.all_in,
        card_count=len(chair.down) + len(chair.up),
        up=chair.up,
        shown=chair.shown,
        down=down,
        tabled=chair.tabled,
    )


def _option(option: Option) -> pb.Option:
    return pb.Option(
        seat=option.seat,
        act=option.act.value,
        least_cents=option.least_cents,
        most_cents=option.most_cents,
        step_cents=option.step_cents,
        all_in=option.all_in,
        rules=option.rules,
        words=option.words(),
    )


def _entry(recorded: Recorded, counting: set[int]) -> pb.HandEntry:
    around = recorded.envelope
    shown = pb.HandEntry(
        version=recorded.version,
        kind=recorded.topic.split(".")[1],
        words=words_of(recorded.event),
        actor=around.actor,
        station=around.station,
        counts=recorded.version in counting,
        own_hash=recorded.own_hash.hex(),
    )
    shown.recorded_at.FromDatetime(around.recorded_at)
    if around.occurred_at is not None:
        shown.occurred_at.FromDatetime(around.occurred_at)
    return shown


def _turn(event: ev.TurnRuled) -> str:
    if event.held is not None:
        return f"seat {event.seat} is held to a {event.held.act} when its turn comes"
    if event.bar is not None:
        return f"seat {event.seat}: {event.bar.why}"
    after = ", ".join(str(seat) for seat in event.passed_over)
    return f"the turn of seat {event.seat} comes after {after}"


def words_of(event: Any) -> str:
    """Say an entry of a hand in words; no card that was not shown."""
    match event:
        case ev.HandStarted():
            seats = ", ".join(str(one.seat) for one in event.seats)
            return f"hand {event.number}: button {event.button_seat or 'none'}, seats {seats}"
        case ev.ActionTaken():
            tail = " all-in" if event.all_in else ""
            amount = "" if event.act in (Act.FOLD, Act.CHECK) else f" {dollars(event.to_cents)}"
            return f"seat {event.seat} {event.act.value.replace('_', ' ')}{amount}{tail}"
        case ev.TurnRuled():
            return _turn(event)
        case ev.ChipsLeftIn():
            return f"seat {event.seat} leaves {dollars(event.cents)} in"
        case ev.ClockCalled():
            return f"seat {event.clock.seat} has {event.seconds} seconds"
        case ev.ClockExpired():
            return f"seat {event.seat}" + (", the hand is dead" if event.dead else "")
        case ev.StreetDealt():
            up = ", ".join(f"seat {seat} {card}" for seat, card in event.up)
            return " ".join((*event.board, up)).strip() or "dealt"
        case ev.UncalledReturned():
            return f"{dollars(event.cents)} back to seat {event.seat}"
        case ev.HandShown():
            return f"seat {event.seat} shows {' '.join(event.cards)}"
        case ev.HandMucked() | ev.HandKilled():
            return f"seat {event.seat}"
        case ev.HoleCardsNoted():
            return ("seat " if len(event.seats) == 1 else "seats ") + ", ".join(
                map(str, event.seats)
            )
        case ev.PotAwarded():
            shares = ", ".join(f"{dollars(one.cents)} to seat {one.seat}" for one in event.shares)
            return f"pot {event.pot + 1}: {shares}"
        case ev.HandVoided() | ev.HandRewound() | ev.EntryCorrected():
            return str(event.reason)
        case _:
            return ""
