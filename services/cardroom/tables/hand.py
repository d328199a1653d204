"""How the events of one hand fold to its state, and what of them counts after corrections."""

import msgspec

from cardroom.kernel.events import Event
from cardroom.poker.chairs import after_action
from cardroom.poker.legal import Act
from cardroom.tables import hand_events as ev
from cardroom.tables.hand_fold import CHANGES, started
from cardroom.tables.hand_history import LOOKED_AT_EACH, entries_of, packed
from cardroom.tables.hand_state import INITIAL, Ending, Hand

__all__ = ["INITIAL", "Ending", "Hand", "at_version", "evolve", "history_of"]

_replace = msgspec.structs.replace
_FOLD = Act.FOLD  # a member looked up once: the class is slow to ask


def evolve(state: Hand, event: Event) -> Hand:
    """Return the hand after an event.

    Args:
        state: before it.
        event: one of `HAND_EVENTS`.
    """
    version = state.version + 1
    if isinstance(event, ev.ActionTaken):
        clock = state.clock
        return _replace(
            state,
            version=version,
            history=(
                state.history
                if version % LOOKED_AT_EACH
                else packed(state.history, version, len(state.chairs)),
                version,
                event,
            ),
            betting=event.betting,
            chairs=after_action(
                state.chairs, event.seat, event.added_cents, event.act is _FOLD, event.all_in
            ),
            clock=None if clock is not None and clock.seat == event.seat else clock,
        )
    change = CHANGES.get(type(event))
    if change is not None:
        changes = change(state, event)
        changes["version"] = version
        past = (
            state.history
            if version % LOOKED_AT_EACH
            else packed(state.history, version, len(state.chairs))
        )
        changes["history"] = (past, version, event)
        return _replace(state, **changes)
    if isinstance(event, ev.HandStarted):
        return started(event, version)
    if isinstance(event, ev.HandRewound | ev.EntryCorrected):
        return _replace(at_version(state, event.to), version=version, clock=None)
    raise TypeError(f"{type(event).__name__} is no event of a hand")


def history_of(state: Hand) -> tuple[tuple[int, Event], ...]:
    """Return the events that count, oldest first, each with its version in the stream."""
    return ((1, state.start), *entries_of(state.history)) if state.version else ()


def at_version(state: Hand, to: int) -> Hand:
    """Return the hand as it stood after the event of a version that still counts.

    Args:
        state: the hand now.
        to: version in the stream; events that a rewind took back have none that counts.
    """
    earlier = INITIAL
    for version, event in history_of(state):
        if version > to:
            break
        # Versions a rewind took back leave holes.
        earlier = evolve(_replace(earlier, version=version - 1), event)
    return earlier
