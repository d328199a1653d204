"""Wagers and calls of too low an amount: brought up while there is time, taken back by one unaware of a raise."""

import msgspec

from cardroom.kernel.money import dollars
from cardroom.poker.legal import WAGERS
from cardroom.tables.entering import follow
from cardroom.tables.findings import ChipMove, Choice, Entry, Finding
from cardroom.tables.hand_legal import legal
from cardroom.tables.irregularities.situation import Needed
from cardroom.tables.observations.observed import Act
from cardroom.tables.observations.results import Comes, acted, entry_of, finding, replays
from cardroom.tables.observations.spot import Spot

UNAWARE = "betting.unaware_of_raise"
UNTIL = "betting.short_wager_correction_until"


def unaware_matters(spot: Spot) -> bool:
    """Return whether it matters that the player may have missed a raise; asks where nobody told.

    Args:
        spot: where the player stood.

    Raises:
        Needed: whether the pot was raised, or whether the player knew of it.
    """
    if not spot.facing:
        return False
    if spot.observed.aware is not None:
        return not spot.observed.aware
    if spot.raised is None:
        raise Needed(
            ("raises",),
            "chips too few for the call may be taken back by one unaware of a raise",
            spot.cite(UNAWARE),
        )
    if not spot.raised:
        return False
    raise Needed(
        ("aware",),
        f"whether seat {spot.seat} knew of the raise",
        spot.cite(UNAWARE, "betting.short_wager_completed"),
    )


def undercall(spot: Spot, forward_cents: int) -> Finding:
    """Return the finding on chips too few for the call, put in by a player unaware of a raise.

    Args:
        spot: where the player stood.
        forward_cents: what lies in front.
    """
    if not spot.behind:
        return _may_reconsider(spot, forward_cents)
    if spot.book.choice("betting.undercall_action_behind") == "must_call":
        call = _called(spot, "completed", spot.cite(UNAWARE))
        if too_late(spot):
            return _stands(spot, call, forward_cents, spot.cite(UNAWARE, UNTIL))
        return _must_call(
            spot,
            forward_cents,
            ("betting.undercall_action_behind", "betting.short_wager_completed"),
        )
    return _complete_or_forfeit(spot, forward_cents)


def unaware_call(spot: Spot) -> Finding:
    """Return the finding on a call declared, without chips, by a player unaware of a raise."""
    if not spot.behind:
        return _may_reconsider(spot, None)
    return _must_call(
        spot, None, ("betting.verbal_call_behind", "betting.declaration_in_turn_binds")
    )


def _called(spot: Spot, why: str, rules: tuple[str, ...]) -> Comes:
    return Comes(act="call", to_cents=spot.call_cents, why=why, rules=rules)


def _may_reconsider(spot: Spot, forward_cents: int | None) -> Finding:
    rules = spot.cite(UNAWARE)
    call = _called(spot, "completed", rules)
    player = f"seat:{spot.seat}"
    back = (forward_cents or spot.front_cents) - spot.front_cents
    chips = (ChipMove(source="pot", target=player, cents=back),) if back else ()
    says = f"seat {spot.seat} did not know of the raise and nobody has acted behind: it is free to act anew"
    entries: tuple[Entry, ...] = ()
    if spot.own is not None:
        entries = (Entry(kind="rewind", to=spot.before.version, why=says),)
    completes = Choice(
        "call",
        f"seat {spot.seat}: a call of {dollars(spot.call_cents)}, completed",
        rules,
        () if spot.own else (entry_of(spot.seat, call),),
    )
    return finding(
        spot, "may_take_back", says, rules, chips=chips, entries=entries, choices=(completes,)
    )


def _must_call(spot: Spot, forward_cents: int | None, keys: tuple[str, ...]) -> Finding:
    rules = spot.cite(keys[0], *keys[1:])
    comes = _called(spot, "somebody having acted behind", rules)
    return acted(
        spot, comes, forward_cents, remedy="must_call", binding=False, reason="action_behind"
    )


def _complete_or_forfeit(spot: Spot, forward_cents: int) -> Finding:
    rules = spot.cite("betting.undercall_action_behind", UNAWARE)
    left = forward_cents - spot.front_cents
    acted_since = spot.unrecorded if spot.own is None else spot.behind
    seats = tuple(dict.fromkeys(one.seat for one in acted_since))
    entries: tuple[Entry, ...] = ()
    if spot.own is not None:
        why = f"seat {spot.seat} did not know of the raise"
        entries = (Entry(kind="rewind", to=spot.before.version, why=why),)
    if seats:
        entries = (
            *entries,
            Entry(kind="leave_in", seat=spot.seat, cents=left),
            Entry(kind="pass_over", seat=spot.seat, seats=seats),
            *replays(acted_since),
            Entry(
                kind="bar",
                seat=spot.seat,
                code="MAY_COMPLETE_OR_FORFEIT",
                why="the player may complete the call, or fold and leave the chips in",
            ),
        )
    return finding(
        spot,
        "complete_or_forfeit",
        f"seat {spot.seat} may add {dollars(spot.call_cents - forward_cents)} to call {dollars(spot.call_cents)}, "
        f"or fold and leave {dollars(left)} in; nothing goes back",
        rules,
        entries=entries,
        reason="action_behind",
        choices=(
            Choice(
                "must_call",
                f"seat {spot.seat}: a call of {dollars(spot.call_cents)}",
                spot.cite("ruling.fairness_override"),
                (
                    entry_of(spot.seat, _called(spot, "completed", rules)),
                    *replays(spot.unrecorded),
                )
                if spot.own is None
                else (),
            ),
        ),
    )


def too_late(spot: Spot) -> bool:
    """Return whether a wager of too low an amount is found too late to be brought up."""
    until = spot.book.choice(UNTIL)
    if until == "next_player_acts":
        return bool(spot.behind)
    if until == "round_complete":
        return spot.round_over or _all_have_acted(spot)
    return spot.hand.over


def _all_have_acted(spot: Spot) -> bool:
    """Return whether those told to have acted behind complete the round."""
    betting = spot.before.betting
    if not spot.recorded or betting is None or not spot.observed.behind:
        return False
    waiting = set(betting.to_act) - {spot.seat} - {one.seat for one in spot.behind}
    raised = any(one.act in {"bet", "raise", "all_in"} for one in spot.observed.behind)
    return not waiting and not raised


def brought_up(spot: Spot, comes: Comes, forward_cents: int) -> Finding:
    """Return the finding on a bet or call of too low an amount.

    Args:
        spot: where the player stood.
        comes: the proper wager.
        forward_cents: what lies in front.
    """
    rules = spot.cite("betting.short_wager_completed", UNTIL)
    if too_late(spot):
        return _stands(spot, comes, forward_cents, rules)
    if spot.observed.asks in {"take_back", "withdraw"}:
        return acted(spot, comes, forward_cents, reason="chips_released")
    behind = tuple(one.seat for one in spot.observed.behind if one.act not in {"fold", "check"})
    if not behind:
        return acted(spot, comes, forward_cents)
    steps = tuple(f"seat {seat} adds what is missing and may not raise more" for seat in behind)
    completed = Comes(act=comes.act, to_cents=comes.to_cents, why=comes.why, rules=rules)
    behind_it = _made_proper(spot, completed)
    return acted(
        msgspec.structs.replace(
            spot, observed=msgspec.structs.replace(spot.observed, behind=behind_it)
        ),
        completed,
        forward_cents,
        binding=False,
        steps=steps,
        seats=(spot.seat, *behind),
        choices=(_as_made(spot, comes, forward_cents),),
    )


def _made_proper(spot: Spot, comes: Comes) -> tuple[Act, ...]:
    """Return what others did behind a wager that is brought up, their own wagers brought up as well."""
    if not spot.recorded or spot.own is not None:
        return spot.observed.behind
    hand = follow((entry_of(spot.seat, comes),), spot.hand, spot.game, comes.rules).hand
    found: list[Act] = []
    for one in spot.observed.behind:
        act = one
        wagers = [option for option in legal(hand, spot.game) if option.act in WAGERS]
        if one.act in {"bet", "raise"} and wagers and hand.to_act == one.seat:
            fits = any(option.admits(one.to_cents or 0) for option in wagers)
            to_cents = one.to_cents if fits else wagers[0].least_cents
            act = Act(seat=one.seat, act=wagers[0].act.value, to_cents=to_cents)
        found.append(act)
        hand = follow(replays((act,)), hand, spot.game, comes.rules).hand
    return tuple(found)


def _as_made(spot: Spot, comes: Comes, forward_cents: int) -> Choice:
    return Choice(
        "stands",
        f"seat {spot.seat}: {dollars(forward_cents)} stands as made",
        spot.cite("ruling.fairness_override"),
        _standing(spot, comes, forward_cents),
    )


def _standing(spot: Spot, comes: Comes, forward_cents: int) -> tuple[Entry, ...]:
    """Return the entries by which a short wager stands as it was made."""
    if spot.own is not None:
        return ()
    if comes.act == "call":
        made: tuple[Entry, ...] = (
            Entry(kind="stand", seat=spot.seat, act="call", cents=forward_cents),
        )
    else:
        act = "raise" if spot.level_cents else "bet"
        made = (Entry(kind="stand", seat=spot.seat, act=act, cents=forward_cents),)
    return (*made, *replays(spot.observed.behind))


def _stands(spot: Spot, comes: Comes, forward_cents: int, rules: tuple[str, ...]) -> Finding:
    return finding(
        spot,
        "stands",
        f"seat {spot.seat}: {dollars(forward_cents)} stands, it is too late to bring it up to "
        f"{dollars(comes.to_cents)}",
        rules,
        entries=_standing(spot, comes, forward_cents),
        reason="found_too_late",
    )
