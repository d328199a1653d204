"""From what a hand history says was done to the commands that enter it."""

from collections.abc import Container, Sequence
from typing import Any, NamedTuple

import msgspec

from cardroom.kernel.refusal import Refused
from cardroom.poker.betting import in_front
from cardroom.poker.cards import UNKNOWN, known
from cardroom.poker.chairs import chair_at
from cardroom.poker.variants import VARIANTS, Street, Variant
from cardroom.tables import hand_commands as do
from cardroom.tables.hand import Hand
from cardroom.tables.hand_events import Phase, Source
from cardroom.tables.notation.moves import (
    Acted,
    Board,
    Dealt,
    Discarded,
    Move,
    Mucked,
    Shown,
    Silent,
    What,
)


class Sources(msgspec.Struct, frozen=True):
    """Who told what, where a record does not say it of a single move.

    Args:
        actions: actions and hands shown.
        cards: cards dealt face down.
    """

    actions: Source = Source.RECORD
    cards: Source = Source.RECORD


class Read(NamedTuple):
    """Commands that some moves come to, and how many moves were used for them."""

    commands: tuple[do.HandCommand, ...]
    used: int


def read(
    moves: Sequence[Move],
    at: int,
    stop: int,
    hand: Hand,
    sources: Sources,
    told_later: Container[int] = (),
) -> Read:
    """Return the commands of the next moves.

    Args:
        moves: of the whole record.
        at: index of the next one.
        stop: index that must not be reached: something else is entered before it.
        hand: as it stands.
        sources: who told.
        told_later: seats whose cards became known after the deal they stand in.

    Raises:
        Refused: CR-4, a seat is dealt a wrong number of cards; CR-2, a seat was not dealt in.
    """
    move = moves[at]
    ids: dict[str, Any] = {"room": hand.room, "table": hand.table, "hand": hand.hand}
    variant = VARIANTS[hand.game.form]
    match move:
        case Dealt():
            return _dealt(moves, at, stop, hand, ids, sources, told_later)
        case Board():
            return Read(_board(move, hand, ids, variant), 1)
        case Acted():
            command = _acted(move, hand, {**ids, "seat": move.seat, "source": sources.actions})
            return Read((command,), 1)
        case Shown():
            return Read(_shown(move, hand, ids, sources), 1)
        case Mucked(seat=seat):
            showdown = hand.phase is Phase.SHOWDOWN
            return Read((do.MuckHand(**ids, seat=seat),) if showdown else (), 1)
        case Discarded():
            return _discarded(move, moves, at, stop, ids, variant)
        case Silent():
            return Read((), 1)


def _dealt(
    moves: Sequence[Move],
    at: int,
    stop: int,
    hand: Hand,
    ids: dict[str, Any],
    sources: Sources,
    told_later: Container[int],
) -> Read:
    """Return the command of cards dealt one seat after the other."""
    held: dict[int, tuple[str, ...]] = {}
    variant = VARIANTS[hand.game.form]
    for move in moves[at:stop]:
        if not isinstance(move, Dealt) or move.seat in held:
            break
        held[move.seat] = move.cards
    count = len(held)
    if not variant.stud:
        told = tuple(
            (seat, cards) for seat, cards in held.items() if known(cards) and seat not in told_later
        )
        return Read(_noted(told, ids, sources), count)
    street = variant.streets[min(hand.street + 1, len(variant.streets) - 1)]
    return Read(_stud_street(held, street, moves[at + count :], hand, ids, sources), count)


def _noted(
    told: tuple[tuple[int, tuple[str, ...]], ...], ids: dict[str, Any], sources: Sources
) -> tuple[do.HandCommand, ...]:
    return (do.NoteHoleCards(**ids, hands=told, source=sources.cards),) if told else ()


def _stud_street(
    held: dict[int, tuple[str, ...]],
    street: Street,
    later: Sequence[Move],
    hand: Hand,
    ids: dict[str, Any],
    sources: Sources,
) -> tuple[do.HandCommand, ...]:
    """Return the street that stud's cards make up: what lies face up, and what is known of the cards face down."""
    up: list[tuple[int, str]] = []
    told: list[tuple[int, tuple[str, ...]]] = []
    for seat, cards in held.items():
        down, faces = cards[: street.down], cards[street.down :]
        if len(cards) == street.up:
            down, faces = (), cards  # a record may leave out what nobody saw
        if len(down) not in {0, street.down} or len(faces) != street.up:
            raise Refused(
                "CARD_COUNT",
                "CR-4",
                f"seat {seat} gets {street.down} card(s) face down and {street.up} face up on {street.name}, "
                f"not {len(cards)} in all",
                (f"{street.down + street.up} card(s) for each live seat",),
                field="cards",
            )
        up += [(seat, card) for card in faces]
        if known(down):
            told.append((seat, down))
    opener = _opener(tuple(up), later, hand) if street.up else 0
    deal = do.DealStreet(**ids, up=tuple(up), opener=opener)
    return (deal, *_noted(tuple(told), ids, sources))


def _opener(up: tuple[tuple[int, str], ...], later: Sequence[Move], hand: Hand) -> int:
    """Return who opens, told by the next action, where an upcard was not recorded; 0 where all were."""
    if hand.betting_over:
        return 0
    seen = dict(up)
    if all(
        seen.get(chair.seat, UNKNOWN) != UNKNOWN and UNKNOWN not in chair.up
        for chair in hand.chairs
        if chair.live
    ):
        return 0
    return next((move.seat for move in later if isinstance(move, Acted)), 0)


def _board(
    move: Board, hand: Hand, ids: dict[str, Any], variant: Variant
) -> tuple[do.HandCommand, ...]:
    deal = do.DealStreet(**ids, board=move.cards, run=move.run, community=variant.stud)
    if move.times > 1 and len(hand.boards) == 1:
        live = tuple(chair.seat for chair in hand.chairs if chair.live)
        return (do.AgreeRuns(**ids, times=move.times, seats=live), deal)
    return (deal,)


def _acted(move: Acted, hand: Hand, said: dict[str, Any]) -> do.HandCommand:
    chair = chair_at(hand.chairs, move.seat)
    betting = hand.betting
    front = in_front(chair, betting) if chair is not None and betting is not None else 0
    level = betting.level_cents if betting is not None else 0
    to_cents = front + (move.added_cents or 0) if move.to_cents is None else move.to_cents
    match move.what:
        case What.FOLD:
            return do.Fold(**said)
        case What.BRING_IN:
            return do.BringIn(**said)
        case What.CHECK:
            return do.Check(**said)
        case What.CALL:
            return do.Call(**said)
        case What.CHECK_OR_CALL:
            in_turn = hand.phase is Phase.BETTING and hand.to_act == move.seat
            return do.Check(**said) if in_turn and front >= level else do.Call(**said)
        case What.BET:
            return do.Bet(**said, to_cents=to_cents)
        case What.RAISE:
            return do.RaiseTo(**said, to_cents=to_cents)
        case What.WAGER:
            opening = betting is not None and not level and not betting.bring_in_seat
            return (do.Bet if opening else do.RaiseTo)(**said, to_cents=to_cents)


def _shown(
    move: Shown, hand: Hand, ids: dict[str, Any], sources: Sources
) -> tuple[do.HandCommand, ...]:
    chair = chair_at(hand.chairs, move.seat)
    show = do.ShowHand(**ids, seat=move.seat, cards=move.cards, source=sources.actions)
    if chair is None:
        return (show,)
    lying = chair.up + chair.shown
    if move.of_free_will and not (chair.live and hand.betting_over):
        if chair.down:
            return ()
        return _noted(((move.seat, move.cards),), ids, sources)
    if not move.cards:
        return (show,)
    turned = tuple(card for card in move.cards if card not in lying)
    if known(turned):
        turned = known(turned)
    if not turned and move.of_free_will:
        return ()  # others' records show a hand at the all-in and again at the end
    # Cards that all lie face up already are refused as such.
    return (msgspec.structs.replace(show, cards=turned or move.cards),)


def _discarded(
    move: Discarded,
    moves: Sequence[Move],
    at: int,
    stop: int,
    ids: dict[str, Any],
    variant: Variant,
) -> Read:
    drawn: tuple[str, ...] = ()
    replaced = any(s.exchange is not None and s.exchange.replaced for s in variant.streets)
    then = moves[at + 1] if at + 1 < stop else None
    if replaced and isinstance(then, Dealt) and then.seat == move.seat:
        drawn = then.cards
    exchange = do.Exchange(
        **ids, seat=move.seat, count=len(move.cards), discarded=move.cards, drawn=drawn
    )
    return Read((exchange,), 2 if drawn else 1)
