"""From what a player was seen to do to what it means: each matter is judged in a module of its own."""

import msgspec

from cardroom.kernel.money import dollars
from cardroom.tables.findings import ChipMove, Choice, Finding
from cardroom.tables.hand import Hand, history_of
from cardroom.tables.hand_events import ActionTaken, Phase, StreetDealt
from cardroom.tables.irregularities.situation import Needed
from cardroom.tables.observations.chips_in import silent
from cardroom.tables.observations.folds import thrown, thrown_out_of_turn
from cardroom.tables.observations.forward import held_out
from cardroom.tables.observations.observed import Motion, Observed
from cardroom.tables.observations.passed_over import passed_over
from cardroom.tables.observations.results import Comes, acted, entry_of, finding, fitting, phrase
from cardroom.tables.observations.short import (
    brought_up,
    unaware_call,
    unaware_matters,
    undercall,
)
from cardroom.tables.observations.spoken import BINDS, meant, spoken
from cardroom.tables.observations.spot import Spot, spot_of
from cardroom.tables.observations.strings import by_mistake, cut_and_looked, raised_in_pieces
from cardroom.tables.observations.turn import out_of_turn
from cardroom.tables.observations.words import Declaration, Said


def pinned(observed: Observed, hand: Hand) -> Observed:
    """Return what was seen with the version of the hand at which it began.

    A report that speaks of an action already entered (somebody calls it a string raise, its player asks to take it
    back) is about the hand before that action.

    Args:
        observed: what was seen.
        hand: the hand as recorded now.
    """
    if observed.after or not hand.hand:
        return observed
    after = hand.version
    about_entered = observed.called_by or observed.asks in {"take_back", "withdraw"}
    betting = hand.betting
    if about_entered and betting is not None and observed.seat not in betting.to_act:
        after = _before_last_action(observed.seat, hand) or after
    return msgspec.structs.replace(observed, after=after)


def _before_last_action(seat: int, hand: Hand) -> int:
    """Return the version before a seat's last action of the round, 0 where there is none."""
    events = history_of(hand)
    for at in range(len(events) - 1, 0, -1):
        event = events[at][1]
        if isinstance(event, StreetDealt):
            return 0
        if isinstance(event, ActionTaken) and event.seat == seat:
            return events[at - 1][0]
    return 0


def judged_spot(spot: Spot) -> Finding:
    """Return what a player's motions mean.

    Args:
        spot: where the player stood, and what was seen.

    Raises:
        Needed: a fact that decides was not told.
    """
    observed, motions = spot.observed, spot.seen
    betting = spot.before.betting
    if spot.recorded and betting is not None and spot.seat not in betting.to_act:
        return _not_to_act(spot)
    silent_otherwise = not (motions.said or motions.released or motions.threw or motions.tapped)
    if observed.asks == "act" or (silent_otherwise and (motions.time or not observed.motions)):
        return _passed_over_now(spot)
    if not spot.in_turn:
        return _out_of_turn(spot)
    return _in_turn(spot)


def _passed_over_now(spot: Spot) -> Finding:
    """Return the finding on a player who speaks up: the hand as it stands counts, what is recorded was in turn."""
    if not spot.since:
        return passed_over(spot)
    observed = msgspec.structs.replace(spot.observed, after=spot.hand.version)
    now = spot_of(observed, spot.hand, spot.game)
    if now is None:
        return no_round(observed, spot.hand, spot.cite("betting.order"))
    return judged_spot(now)


def _amount(spot: Spot, motion: Motion) -> int:
    cents = motion.amount_cents
    if cents is None:
        raise Needed(
            ("chips",),
            f"how much seat {spot.seat} put in",
            spot.cite("betting.released_chips_bind", "betting.one_chip_is_call"),
        )
    return cents


def forward_of(spot: Spot) -> int | None:
    """Return what lies in front with all chips let go; None where none were.

    Args:
        spot: where the player stood, and what was seen.
    """
    motions = spot.seen
    if not motions.released and not motions.pulled_in_cents:
        return None
    kept = max(spot.front_cents - motions.pulled_in_cents, 0)
    return kept + sum(_amount(spot, motion) for motion in motions.released)


def _not_to_act(spot: Spot) -> Finding:
    """Return the finding on somebody who is not to act any more: what was put in goes back."""
    forward = forward_of(spot)
    back = (forward or spot.front_cents) - spot.front_cents
    chips: tuple[ChipMove, ...] = ()
    if back > 0:
        chips = (ChipMove(source="pot", target=f"seat:{spot.seat}", cents=back),)
    live = spot.live(spot.seat)
    reason = "already_acted" if live else "no_live_hand"
    why = "has acted" if live else "has no live hand"
    return finding(
        spot,
        reason,
        f"seat {spot.seat} {why}: what it did has no effect, seat {spot.before.to_act} is to act",
        spot.cite("betting.order"),
        chips=chips,
        binding=True,
        reason=reason,
    )


def _out_of_turn(spot: Spot) -> Finding:
    motions = spot.seen
    if motions.threw:
        return thrown_out_of_turn(spot)
    forward = forward_of(spot)
    comes = _meaning(spot, forward)
    if comes is None and (motions.said or motions.tapped):
        # A check with a wager to face is none, but it was made, and what acting too soon costs it costs.
        comes = Comes(
            act="check", to_cents=spot.front_cents, why="", rules=spot.cite("betting.tap_is_check")
        )
    if comes is None:
        return finding(
            spot,
            "not_binding",
            f"seat {spot.seat} did nothing that binds, and was not in turn",
            spot.cite("betting.out_of_turn_binding"),
            binding=True,
            reason="out_of_turn",
        )
    return out_of_turn(spot, comes, forward)


def _meaning(spot: Spot, forward_cents: int | None) -> Comes | None:
    """Return what a player's words, tap or chips would be in turn; None where they are no action."""
    motions = spot.seen
    if motions.said is not None:
        return meant(spot, motions.said, forward_cents)
    if motions.tapped:
        return meant(spot, Declaration(Said.CHECK), None)
    if motions.released:
        first = motions.released[0]
        kept = max(spot.front_cents - motions.pulled_in_cents, 0)
        return silent(spot, kept + _amount(spot, first), first.count)
    return None


def _in_turn(spot: Spot) -> Finding:
    motions = spot.seen
    if not motions.threw:
        return _kept_cards(spot)
    if motions.said is None and not motions.released and not motions.tapped:
        return thrown(spot)
    found = _kept_cards(spot)
    step = f"seat {spot.seat} threw its cards away after that: rule on the hand"
    fold = Comes(
        act="fold", to_cents=spot.front_cents, why="", rules=spot.cite("hand.forward_throw")
    )
    folded = Choice(
        "fold",
        f"seat {spot.seat}: a fold, the cards thrown away",
        fold.rules,
        (entry_of(spot.seat, fold),) if spot.own is None and spot.hand.to_act == spot.seat else (),
    )
    return msgspec.structs.replace(
        found,
        steps=(*found.steps, step),
        choices=(
            *(one for one in found.choices if one.remedy != "fold"),
            fitting(folded, spot),
        ),
        binding=found.binding and found.remedy == "fold",
    )


def _kept_cards(spot: Spot) -> Finding:
    """Return the finding on words, taps and chips in turn."""
    motions = spot.seen
    forward = forward_of(spot)
    if motions.said is not None:
        if motions.hesitated:
            return _hesitated(spot, motions.said, forward)
        unaware = spot.observed.aware is False and spot.facing
        if unaware and motions.said.said is Said.CALL:
            return _called_unaware(spot, forward)
        return spoken(spot, motions.said, forward)
    if motions.tapped:
        return _tapped(spot, forward)
    if motions.released or motions.pulled_in_cents:
        return _chips(spot, forward or 0)
    if motions.held_out is not None:
        whole = spot.front_cents + _amount(spot, motions.held_out)
        count = motions.held_out.count
        return held_out(spot, silent(spot, whole, count), whole)
    return finding(
        spot,
        "no_action",
        f"seat {spot.seat} did nothing that is an action; it is still to act",
        spot.cite(BINDS, "betting.released_chips_bind"),
        binding=not motions.mouthed,
        reason="not_audible" if motions.mouthed else "no_action",
    )


def _hesitated(spot: Spot, said: Declaration, forward_cents: int | None) -> Finding:
    whole = meant(spot, said, forward_cents)
    if whole is None or not whole.wager:
        return spoken(spot, said, forward_cents)
    held = spot.seen.held_out
    lies = forward_cents
    if lies is None and held is not None:
        lies = spot.front_cents + _amount(spot, held)
    ready = Comes(
        act=spot.passing,
        to_cents=spot.call_cents,
        why="the chips cut out",
        rules=spot.cite("betting.cut_and_look"),
    )
    return cut_and_looked(spot, ready, whole, lies)


def _called_unaware(spot: Spot, forward_cents: int | None) -> Finding:
    if forward_cents is None or forward_cents == spot.front_cents:
        return unaware_call(spot)
    if forward_cents < spot.call_cents:
        return undercall(spot, forward_cents)
    return spoken(spot, Declaration(Said.CALL), forward_cents)


def _tapped(spot: Spot, forward_cents: int | None) -> Finding:
    rules = spot.cite("betting.tap_is_check")
    if spot.facing:
        return finding(
            spot,
            "facing_wager",
            f"seat {spot.seat} faces {dollars(spot.level_cents)} and cannot check; it acts again",
            rules,
            binding=True,
            reason="facing_wager",
        )
    check = Comes(act="check", to_cents=spot.front_cents, why="a tap on the table", rules=rules)
    return acted(spot, check, forward_cents, reason="already_acted" if forward_cents else "")


def _chips(spot: Spot, forward_cents: int) -> Finding:
    """Return the finding on chips let go without a word before them."""
    motions, observed = spot.seen, spot.observed
    kept = max(spot.front_cents - motions.pulled_in_cents, 0)
    if not motions.released:
        return finding(
            spot,
            "no_action",
            f"seat {spot.seat} took back chips that have to stay: {dollars(spot.front_cents)} belongs in front",
            spot.cite("betting.released_chips_bind"),
            chips=(
                ChipMove(source=f"seat:{spot.seat}", target="pot", cents=spot.front_cents - kept),
            ),
            reason="chips_released",
        )
    first = kept + _amount(spot, motions.released[0])
    if not observed.heard and forward_cents > spot.call_cents and spot.level_cents:
        raise Needed(
            ("words",),
            f"whether seat {spot.seat} said something before the chips",
            spot.cite("betting.one_chip_is_call", BINDS),
        )
    comes = silent(spot, first, motions.released[0].count)
    later = _later(spot, comes, forward_cents)
    if later is not None:
        return later
    if observed.asks == "withdraw":
        return by_mistake(spot, comes, forward_cents)
    if comes.short and forward_cents < comes.to_cents:
        if comes.act == "call" and unaware_matters(spot):
            return undercall(spot, forward_cents)
        return brought_up(spot, comes, forward_cents)
    if motions.mouthed:
        return _unheard(spot, comes, forward_cents)
    reason = "chips_released" if observed.asks == "take_back" else ""
    return acted(spot, comes, forward_cents, reason=reason)


def _later(spot: Spot, first: Comes, forward_cents: int) -> Finding | None:
    """Return the finding on what followed a first motion with chips, None where nothing that matters did."""
    motions = spot.seen
    said = motions.said_later
    one_chip = len(motions.released) == 1 and motions.released[0].count == 1
    if one_chip and not first.wager and forward_cents > spot.call_cents:
        # One oversized chip is a call though nobody objects: the word came too late (LC-56).
        return None
    if said is not None and said.said in {Said.RAISE, Said.BET, Said.ALL_IN, Said.AMOUNT}:
        whole = meant(spot, said, forward_cents)
    elif len(motions.released) > 1:
        counts = [motion.count for motion in motions.released]
        count = None if None in counts else sum(one or 0 for one in counts)
        whole = silent(spot, forward_cents, 2 if count is None else count)
    else:
        return None
    if whole is None or not whole.wager or whole.to_cents <= first.to_cents:
        return None
    return raised_in_pieces(spot, first, whole, forward_cents)


def _unheard(spot: Spot, comes: Comes, forward_cents: int) -> Finding:
    """Return the finding on chips with words that nobody could make out: no declaration."""
    rules = spot.cite(BINDS, "betting.released_chips_bind")
    silently = Comes(
        act=comes.act, to_cents=comes.to_cents, why="nothing audible was declared", rules=rules
    )
    choices = tuple(
        Choice(
            one.act.value,
            f"seat {spot.seat}: {phrase(one.act.value, one.least_cents)}, as declared",
            rules,
            (
                entry_of(
                    spot.seat,
                    Comes(act=one.act.value, to_cents=one.least_cents, why="", rules=rules),
                ),
            )
            if spot.own is None
            else (),
        )
        for one in spot.wagers[:1]
    )
    return acted(
        spot, silently, forward_cents, binding=False, choices=choices, reason="not_audible"
    )


def no_round(observed: Observed, hand: Hand, rules: tuple[str, ...]) -> Finding:
    """Return the finding on something seen while nobody could act.

    Args:
        observed: what was seen.
        hand: the hand as recorded now.
        rules: ids it rests on.
    """
    state = hand.phase.value if hand.phase is not Phase.NONE else "not started"
    return Finding(
        remedy="no_action",
        says=f"seat {observed.seat}: nobody could act, the hand is {state}; chips go back",
        rules=rules,
        seats=(observed.seat,),
        binding=True,
    )
