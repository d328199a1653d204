"""What a record says of how a hand came out, written with it and compared when it is read."""

from collections.abc import Mapping, Sequence
from typing import Any

from cardroom.kernel.refusal import Refused
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, history_of
from cardroom.tables.hand_rules import HandRules
from cardroom.tables.notation.replay import differing


def results_of(state: Hand) -> dict[str, Any]:
    """Return pots, uncalled returns and what the house took, by name of the user field; nothing where nothing is told.

    Args:
        state: the hand, over.
    """
    events = [event for _, event in history_of(state)]
    awards = [event for event in events if isinstance(event, ev.PotAwarded)]
    pots = []
    for award in awards:
        seats = state.pots[award.pot].seats
        pot: dict[str, Any] = {"pot": award.pot, "cents": award.cents, "seats": list(seats)}
        for name in ("rake_cents", "jackpot_drop_cents", "jackpot_odd_cents"):
            if getattr(award, name):
                pot[name] = getattr(award, name)
        pot["won"] = [
            {"seat": share.seat, "cents": share.cents, "part": share.part, "run": share.run}
            for share in award.shares
        ]
        pots.append(pot)
    uncalled = [
        {"seat": event.seat, "cents": event.cents}
        for event in events
        if isinstance(event, ev.UncalledReturned)
    ]
    returned = [
        {"seat": seat, "cents": cents}
        for event in events
        if isinstance(event, ev.HandVoided)
        for seat, cents in event.returns
    ]
    found = {"pots": pots, "uncalled": uncalled, "returned": returned}
    return {name: value for name, value in found.items() if value}


def check_results(recorded: Mapping[str, Any], state: Hand, rules: HandRules, prefix: str) -> None:
    """Compare recorded results with the hand's.

    Args:
        recorded: user fields by name.
        state: the hand, over.
        rules: of its book and game.
        prefix: of the fields' names.

    Raises:
        Refused: one of them differs.
    """
    found = results_of(state)
    for name in ("pots", "uncalled", "returned"):
        if name in recorded and recorded[name] != found.get(name, []):
            raise differing(
                f"{prefix}{name}", recorded[name], found.get(name, []), rules.pots.side_cites
            )


def check_stacks(
    recorded: Sequence[int | None], seats: Sequence[int], state: Hand, rules: HandRules, field: str
) -> None:
    """Compare recorded stacks at the end with the hand's.

    Raises:
        Refused: one of them differs.
    """
    stacks = {chair.seat: chair.stack_cents for chair in state.chairs}
    for seat, stack in zip(seats, recorded, strict=True):
        if None not in (stack, stacks[seat]) and stack != stacks[seat]:
            raise differing(
                field,
                f"{stack} cents for seat {seat}",
                f"{stacks[seat]} cents for seat {seat}",
                rules.pots.side_cites,
            )


def check_over(state: Hand) -> None:
    """Refuse a hand that is under way.

    Raises:
        Refused: CR-6.
    """
    if not state.over:
        raise Refused("HAND_NOT_OVER", "CR-6", f"hand {state.hand} is {state.phase.value}")
