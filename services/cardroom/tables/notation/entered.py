"""What was entered in a hand's past: each command with the hand before it and the events it brought."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.poker.cards import UNKNOWN, known
from cardroom.poker.legal import Act
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import INITIAL, Hand, evolve, history_of
from cardroom.tables.hand_correct import command_of
from cardroom.tables.hand_decide import decide_hand
from cardroom.tables.hand_rules import HandRules


class Entered(NamedTuple):
    """A command of the past, the hand before it and the events it brought."""

    command: do.HandCommand
    before: Hand
    events: tuple[Event, ...]


def past_of(state: Hand, rules: HandRules) -> list[Entered]:
    """Return what was entered after the start of a hand, each with what it brought.

    Args:
        state: the hand, with its history; what a rewind took back is left out.
        rules: of its book and game.
    """
    found: list[Entered] = []
    ways = dict(state.ways)
    events = [event for _, event in history_of(state)]
    hand, at = INITIAL, 0
    while at < len(events):
        event = events[at]
        command = _command(event, hand, found, rules, ways)
        brought: tuple[Event, ...] = (event,)
        for tried in (*_awards(events[at:], hand), command):
            decided = decided_by((tried,), hand, rules) if tried is not None else ()
            if decided and decided == tuple(events[at : at + len(decided)]):
                command, brought = tried, decided
                break
        if command is not None:
            found.append(Entered(command, hand, brought))
        elif found:
            found[-1] = found[-1]._replace(events=(*found[-1].events, event))
        for one in brought:
            hand = evolve(hand, one)
        at += len(brought)
    return found


def _ran_out(event: Event) -> bool:
    """Return whether a hand is dead by a clock that ran out, which follows by itself."""
    return isinstance(event, ev.ClockExpired) and event.dead


def _awards(events: Sequence[Event], before: Hand) -> tuple[do.AwardPots, ...]:
    """Return the commands that may have pushed a pot and, with it, killed the hands that lost it.

    Where the dealer named the winners, hands that had not been shown could stay down, though the cards decided.
    """
    for event in events:
        if isinstance(event, ev.PotAwarded):
            return tuple(_namings(event, before))
        if not isinstance(event, ev.HandKilled) or event.by_ruling:
            return ()
    return ()


def _namings(event: ev.PotAwarded, before: Hand) -> Iterator[do.AwardPots]:
    """Give the ways a pot may have been pushed: by the cards, or with winners named, as far as its shares tell."""
    plain = command_of(event, before)
    assert isinstance(plain, do.AwardPots)
    yield msgspec.structs.replace(plain, winners=(), low_winners=())
    named = msgspec.structs.replace
    for run in (None, *sorted({share.run for share in event.shares})):
        shares = [share for share in event.shares if run in {None, share.run}]
        high = tuple(dict.fromkeys(share.seat for share in shares if share.part != "low"))
        low = tuple(dict.fromkeys(share.seat for share in shares if share.part == "low"))
        yield named(plain, winners=high, low_winners=low)
        if not low:  # one player's both halves are pushed as the whole
            yield named(plain, winners=high, low_winners=high)
    # Who was named may have got no chip of what could not be divided further.
    seats = tuple(dict.fromkeys(share.seat for share in event.shares))
    everybody = before.pots[event.pot].seats
    yield named(plain, winners=everybody, low_winners=())
    yield named(plain, winners=everybody, low_winners=everybody)
    others = [seat for seat in everybody if seat not in seats]
    for more in ((), *((seat,) for seat in others)):
        for low in ((), *((seat,) for seat in seats), seats):
            yield named(plain, winners=(*seats, *more), low_winners=low)


def decided_by(
    commands: Sequence[do.HandCommand], before: Hand, rules: HandRules
) -> tuple[Event, ...]:
    """Return the events that commands bring on a hand, none where one of them is refused.

    Args:
        commands: in order.
        before: the hand as it stands.
        rules: of its book and game.
    """
    found: list[Event] = []
    hand = before
    try:
        for command in commands:
            decided = decide_hand(command, hand, rules)
            for event in decided:
                hand = evolve(hand, event)
            found += decided
    except Refused:
        return ()
    return tuple(found)


def _command(
    event: Event,
    before: Hand,
    past: Sequence[Entered],
    rules: HandRules,
    ways: Mapping[int, str],
) -> do.HandCommand | None:
    """Return the command that entered an event, None where the event followed by itself."""
    ids: dict[str, Any] = {"room": before.room, "table": before.table, "hand": before.hand}
    match event:
        case ev.ActionTaken(act=Act.BRING_IN, all_in=True, as_made=False):
            return do.AllIn(
                **ids,
                seat=event.seat,
                source=event.source,
                reconstructed=event.reconstructed,
                rules=event.rules,
                to_cents=event.to_cents,
            )
        case ev.StreetDealt() if not rules.variant.stud and not event.board:
            return None
        case ev.StreetDealt():
            return do.DealStreet(
                **ids,
                board=event.board,
                up=event.up,
                burned=event.burned,
                run=event.run,
                community=event.community,
                opener=event.opener,
                opener_may_fold=event.opener_may_fold,
            )
        case ev.CardsExchanged():
            drawn = event.drawn or ()
            return do.Exchange(
                **ids,
                seat=event.seat,
                count=event.count,
                discarded=event.discarded or (UNKNOWN,) * event.count,
                drawn=drawn if known(drawn) else (),
            )
        case ev.CardsPutAway(cards=None):
            return do.PutAway(**ids, seat=event.seat, cards=(UNKNOWN,) * event.count)
        case ev.DeclarationSealed() if rules.high_low.in_turn:
            return do.DeclareAloud(**ids, seat=event.seat, way=ways.get(event.seat, ""))
        case ev.DeclarationsRevealed():
            return _revealed(event, before, ids, rules)
        case ev.ClockCalled():
            called = event.clock.due_at - timedelta(seconds=event.seconds)
            return do.CallClock(**ids, seat=event.clock.seat, at=called, source=event.source)
        case ev.ClockExpired():
            return do.ExpireClock(
                **ids, seat=event.seat, due_at=event.due_at, floor_at_table=not event.dead
            )
        case ev.HandKilled(by_ruling=True) if past and _ran_out(past[-1].events[-1]):
            return None
        case ev.HandVoided():
            whole = {
                chair.seat: chair.put_in_cents + chair.dead_cents + chair.house_cents
                for chair in before.chairs
            }
            back = dict(event.returns)
            returned = all(back.get(seat, 0) == cents for seat, cents in whole.items())
            return do.VoidHand(
                **ids, reason=event.reason, rules=event.rules, collection_returned=returned
            )
        case _:
            return command_of(event, before)


def _revealed(
    event: ev.DeclarationsRevealed, before: Hand, ids: dict[str, Any], rules: HandRules
) -> do.HandCommand | None:
    if rules.high_low.in_turn:
        return None
    counts = {way: count for count, way in rules.high_low.chips}
    sealed = dict(before.sealed)
    chips = tuple(
        (seat, counts.get(way, 0)) for seat, way in event.ways if sealed.get(seat) is None
    )
    return do.RevealDeclarations(**ids, chips=chips)
