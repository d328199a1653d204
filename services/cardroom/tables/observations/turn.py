"""Acting out of turn: binding or not as the book says, heads-up, on purpose; what it costs at the next turn."""

from cardroom.kernel.money import dollars
from cardroom.poker.legal import WAGERS
from cardroom.tables.findings import ChipMove, Choice, Entry, Finding
from cardroom.tables.observations.results import Comes, entry_of, finding, phrase, prescribed
from cardroom.tables.observations.spot import Spot

BINDING = "betting.out_of_turn_binding"
HEADS_UP = "betting.out_of_turn_heads_up"
BARS = "betting.out_of_turn_bars_raise"
DELIBERATE = "betting.deliberate_out_of_turn_limits"


def out_of_turn(spot: Spot, comes: Comes, forward_cents: int | None) -> Finding:
    """Return the finding on an act out of turn.

    Args:
        spot: where the player stood.
        comes: what it would have been in turn.
        forward_cents: what lies in front; None where no chips were let go.
    """
    betting = spot.before.betting
    heads_up = spot.recorded and betting is not None and betting.began_with == 2
    choose = spot.book.choice(HEADS_UP) == "opponent_chooses"
    bet_since = any(one.act in WAGERS for one in spot.since)
    checks = comes.act == "check" and not spot.facing
    if heads_up and choose and (checks or (comes.wager and not bet_since)):
        return _heads_up(spot, comes, forward_cents)
    return _multiway(spot, comes, forward_cents)


def _back(spot: Spot, forward_cents: int | None) -> tuple[ChipMove, ...]:
    cents = (forward_cents or spot.front_cents) - spot.front_cents
    return (ChipMove(source="pot", target=f"seat:{spot.seat}", cents=cents),) if cents > 0 else ()


def _heads_up(spot: Spot, comes: Comes, forward_cents: int | None) -> Finding:
    rules = spot.cite(HEADS_UP)
    made = Entry(kind="stand", seat=spot.seat, act=comes.act, cents=comes.to_cents)
    if comes.act == "check":
        bar = Entry(
            kind="bar",
            seat=spot.seat,
            code="CHECKED_OUT_OF_TURN",
            why="the player checked out of turn and may call or fold",
        )
        return finding(
            spot,
            "check_stands",
            f"seat {spot.seat} has checked: a check of the other player ends the round, a bet may be "
            "called, not raised",
            rules,
            entries=_check_entries(spot, made, bar),
        )
    stands = Choice(
        "stand", f"seat {spot.seat}: {phrase(comes.act, comes.to_cents)} stands", rules, (made,)
    )
    taken_back = Choice(
        "take_back", f"{dollars(comes.to_cents)} goes back, the round goes on as it was", rules
    )
    match spot.observed.opponent_wants:
        case "stand":
            return finding(
                spot,
                "stand",
                f"seat {spot.seat} is held to {phrase(comes.act, comes.to_cents)}; the other player may call "
                "or raise it",
                rules,
                entries=(made,),
                choices=(taken_back,),
            )
        case "take_back":
            return finding(
                spot,
                "take_back",
                f"seat {spot.seat} takes it back; the other player acts as if nothing had happened",
                rules,
                chips=_back(spot, forward_cents),
                choices=(stands,),
            )
        case _:
            return finding(
                spot,
                "fact_needed",
                f"the other player chooses whether {phrase(comes.act, comes.to_cents)} of seat {spot.seat} stands: "
                "opponent_wants must be known",
                (*rules, "CR-12"),
                missing=("opponent_wants",),
                choices=(stands, taken_back),
            )


def _check_entries(spot: Spot, made: Entry, bar: Entry) -> tuple[Entry, ...]:
    """Return the entries of a check out of turn: what is left of it where the other player has acted since."""
    if not spot.recorded or spot.hand.to_act != spot.seat:
        return made, bar
    betting = spot.hand.betting
    bet_into = betting is not None and betting.level_cents > spot.front_cents
    return (bar,) if bet_into else (Entry(kind="act", seat=spot.seat, act="check"),)


def _bar(spot: Spot, comes: Comes) -> tuple[tuple[Entry, ...], tuple[str, ...], str]:
    """Return the entry that bars a raise at the next turn, the rules behind it, and what it leaves in words."""
    may_limit = spot.book.flag(DELIBERATE)
    if spot.observed.deliberate and may_limit:
        entry = Entry(
            kind="bar",
            seat=spot.seat,
            code="OPTIONS_LIMITED_DELIBERATE_OUT_OF_TURN",
            why="acting out of turn on purpose leaves check, call or fold",
            whole_round=True,
        )
        says = "for acting out of turn on purpose it may only check, call or fold in this round"
        return (entry,), spot.cite(DELIBERATE), says
    if comes.act in spot.book.members(BARS):
        done = "checked" if comes.act == "check" else "called"
        entry = Entry(
            kind="bar",
            seat=spot.seat,
            code=f"{done.upper()}_OUT_OF_TURN",
            why=f"the player {done} out of turn and may not bet or raise at this turn",
        )
        return (entry,), spot.cite(BARS), "it may not bet or raise at its next turn"
    return (), (), ""


def _multiway(spot: Spot, comes: Comes, forward_cents: int | None) -> Finding:
    changed = any(one.act in {"bet", "call", "raise", "complete", "all_in"} for one in spot.behind)
    may_bind = spot.book.choice(BINDING) == "if_action_unchanged"
    bars, bar_rules, bar_says = _bar(spot, comes)
    rules = spot.cite(BINDING)
    rules = (*rules, *(rule for rule in bar_rules if rule not in rules))
    if spot.observed.deliberate:
        known = spot.cite("betting.deliberate_out_of_turn")
        rules = (*rules, *(rule for rule in known if rule not in rules and rule != "CR-3"))
    gone_by = spot.recorded and (
        spot.round_over or spot.hand.betting is None or spot.seat not in spot.hand.betting.to_act
    )
    if gone_by:
        return finding(
            spot,
            "no_effect",
            f"seat {spot.seat}: its turn has come and gone, what it did before has no effect any more",
            rules,
            binding=True,
        )
    free = _freed(spot, comes, forward_cents, rules, bars, bar_says, changed=changed)
    nothing = comes.act == "check" and spot.facing
    if not may_bind or changed or nothing:
        return free
    return _bound(spot, comes, forward_cents, rules, bars, bar_says, free)


def _freed(
    spot: Spot,
    comes: Comes,
    forward_cents: int | None,
    rules: tuple[str, ...],
    bars: tuple[Entry, ...],
    bar_says: str,
    *,
    changed: bool,
) -> Finding:
    """Return the finding that an act out of turn does not bind."""
    turn = f"seat {spot.hand.to_act} acts" if spot.recorded else "the player in turn acts"
    why = "the action has changed since" if changed else "out of turn"
    tail = f"; {bar_says}" if bar_says else ", then it acts as it likes"
    return finding(
        spot,
        "not_binding",
        f"seat {spot.seat}: {phrase(comes.act, comes.to_cents)} does not bind, {why}; {turn}{tail}",
        rules,
        entries=bars,
        chips=_back(spot, forward_cents),
        binding=_outright(spot, rules),
        choices=(*_without_bar(spot, bars), *_held_all_the_same(spot, comes, changed=changed)),
        reason="action_changed" if changed else "out_of_turn",
    )


def _without_bar(spot: Spot, bars: tuple[Entry, ...]) -> tuple[Choice, ...]:
    """Return the choice to leave a player all options where a limit is up to the floor."""
    if not bars or not bars[0].whole_round:
        return ()
    says = f"seat {spot.seat} keeps all its options"
    return (Choice("options_kept", says, spot.cite(BINDING)),)


def _held_all_the_same(spot: Spot, comes: Comes, *, changed: bool) -> tuple[Choice, ...]:
    """Return the choice to hold a call out of turn to the wager as it stands now; rooms differ on it."""
    betting = spot.hand.betting
    if not changed or comes.act != "call" or betting is None:
        return ()
    kind = "act" if spot.hand.to_act == spot.seat else "hold"
    entry = Entry(kind=kind, seat=spot.seat, act="call", cents=betting.level_cents)
    says = f"seat {spot.seat} is held to a call of {dollars(betting.level_cents)}"
    return (Choice("held_to_call", says, spot.cite("ruling.fairness_override"), (entry,)),)


def _outright(spot: Spot, rules: tuple[str, ...]) -> bool:
    """Return whether no floorperson is needed: the book leaves nothing open and nobody spoke of purpose."""
    return prescribed(rules) and not spot.observed.deliberate


def _bound(
    spot: Spot,
    comes: Comes,
    forward_cents: int | None,
    rules: tuple[str, ...],
    bars: tuple[Entry, ...],
    bar_says: str,
    free: Finding,
) -> Finding:
    """Return the finding that an act out of turn binds unless somebody bets, calls or raises before the turn comes."""
    undone = Choice("not_binding", free.says, free.rules, free.entries)
    if spot.recorded and spot.hand.to_act == spot.seat:
        return finding(
            spot,
            "binding",
            f"seat {spot.seat}: {phrase(comes.act, comes.to_cents)} binds, nobody in between having bet, "
            "called or raised",
            rules,
            entries=(entry_of(spot.seat, comes),),
            choices=(undone,),
        )
    held = Entry(kind="hold", seat=spot.seat, act=comes.act, cents=comes.to_cents)
    tail = f"; in any case {bar_says}" if bar_says else ""
    return finding(
        spot,
        "held_if_unchanged",
        f"seat {spot.seat}: {phrase(comes.act, comes.to_cents)} binds when its turn comes, unless somebody in between "
        f"bets, calls or raises{tail}",
        rules,
        entries=(held, *bars),
        choices=(undone,),
    )
