"""A player passed over: the right to act is kept by calling time, and may be lost when enough others have acted."""

from cardroom.kernel.money import dollars
from cardroom.tables.findings import ChipMove, Choice, Entry, Finding
from cardroom.tables.irregularities.situation import words
from cardroom.tables.observations.results import Comes, entry_of, finding, replays
from cardroom.tables.observations.spot import Spot

LOST_AFTER = "betting.right_to_act_lost_after"
LOSS = "betting.right_to_act_loss"
BY_TIME = "betting.right_to_act_kept_by_time"


def passed_over(spot: Spot) -> Finding:
    """Return the finding on a player who was passed over and speaks up, or calls time.

    Args:
        spot: where the player stood when the turn came.
    """
    acted = spot.unrecorded
    if not spot.in_turn:
        return _not_yet(spot)
    threshold = spot.book.count(LOST_AFTER)
    called = spot.observed.time_after
    if called is None and spot.seen.time:
        called = len(acted)
    # Players count, not acts: one who raised and acted again is still one.
    counted = len({one.seat for one in acted[:called]})
    if not threshold or counted < threshold:
        return _kept(spot, by_time=called is not None)
    return _lost(spot)


def _back(spot: Spot) -> tuple[ChipMove, ...]:
    """Return the chips of those who acted behind that go back to them."""
    found = []
    for one in spot.unrecorded:
        cents = one.to_cents if one.to_cents is not None else spot.level_cents
        if one.act in {"call", "bet", "raise", "all_in"} and cents:
            found.append(ChipMove(source="pot", target=f"seat:{one.seat}", cents=cents))
    return tuple(found)


def _asked_again(spot: Spot) -> tuple[str, ...]:
    seats = tuple(dict.fromkeys(one.seat for one in spot.unrecorded))
    return (f"{words(seats)} acted too soon and are asked again",) if seats else ()


def _kept(spot: Spot, *, by_time: bool) -> Finding:
    rules = spot.cite(LOST_AFTER)
    if by_time:
        rules = spot.cite(BY_TIME, LOST_AFTER)
    why = (
        "time was called"
        if by_time
        else f"only {len({one.seat for one in spot.unrecorded})} have acted behind"
    )
    return finding(
        spot,
        "right_kept",
        f"seat {spot.seat} acts now, with all its options: {why}",
        rules,
        chips=_back(spot),
        steps=_asked_again(spot),
        binding=not spot.unrecorded,
        seats=(spot.seat, *dict.fromkeys(one.seat for one in spot.unrecorded)),
    )


def _not_yet(spot: Spot) -> Finding:
    """Return the finding that nobody loses the right to act while somebody in front has not acted."""
    first = spot.before.to_act
    front = f"seat {first}" if first else "a player in front"
    return finding(
        spot,
        "right_kept",
        f"seat {spot.seat} keeps the right to act: {front} had not acted. {front} acts first, unless it has "
        "lost its own right, then the others in order",
        spot.cite("betting.right_to_act_only_in_turn"),
        chips=_back(spot),
        steps=_asked_again(spot),
        reason="seat_in_front_had_not_acted",
    )


def _lost(spot: Spot) -> Finding:
    """Return the finding that the right to act is lost; what that costs is a house decision."""
    rules = spot.cite(LOST_AFTER, LOSS)
    costs = spot.book.choice(LOSS)
    bar = Entry(
        kind="bar",
        seat=spot.seat,
        code="RIGHT_TO_ACT_LOST",
        why="the right to bet or raise was lost when others acted behind",
    )
    others = replays(spot.unrecorded)
    if not spot.facing:
        check = Comes(act="check", to_cents=spot.front_cents, why="", rules=rules)
        remedy, says = "taken_to_have_checked", "is taken to have checked"
        entries = (entry_of(spot.seat, check), *others)
        if costs == "no_bet_or_raise":
            remedy, says = "right_lost", "has lost the right to bet or raise"
            entries = (*entries, bar)
    elif costs == "dead_or_check":
        remedy, says = "hand_dead", "facing a wager, has a dead hand"
        entries = (Entry(kind="dead", seat=spot.seat), *others)
    else:
        remedy = "right_lost"
        says = f"may call {dollars(spot.call_cents)} or fold, not raise"
        seats = tuple(one.seat for one in spot.unrecorded)
        later = (Entry(kind="pass_over", seat=spot.seat, seats=seats),) if seats else ()
        entries = (*later, *others, bar)
    kept = _kept(spot, by_time=False)
    restored = Choice("right_kept", f"seat {spot.seat} acts now all the same", kept.rules)
    return finding(
        spot,
        remedy,
        f"seat {spot.seat} {says}: {len(spot.unrecorded)} have acted behind and time was not called",
        rules,
        entries=entries,
        choices=(restored,),
        reason="right_to_act_lost",
    )
