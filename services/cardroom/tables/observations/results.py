"""From what an observation comes to, to its finding: rules, chips that move, entries that were tried out."""

from collections.abc import Iterable
from typing import Any

import msgspec

from cardroom.kernel.money import dollars
from cardroom.rulebook.catalogue import rule_texts
from cardroom.tables.entering import follow
from cardroom.tables.findings import ChipMove, Choice, Entry, Fact, Finding
from cardroom.tables.observations.observed import Act
from cardroom.tables.observations.spot import Spot


class Comes(msgspec.Struct, frozen=True, kw_only=True):
    """What a player's chips or words come to.

    Args:
        act: `fold`, `check`, `call`, `bet`, `raise`, `complete`, `bring_in` or `all_in`.
        to_cents: in front for the round then.
        why: how it was read, in words.
        rules: ids it rests on.
        plain: whether nobody could read it otherwise, so that no floorperson is needed.
        short: whether chips fall short of what they were meant for.
        other: what it may be ruled instead, where the book leaves that open.
    """

    act: str
    to_cents: int
    why: str
    rules: tuple[str, ...]
    plain: bool = False
    short: bool = False
    other: "Comes | None" = None

    @property
    def wager(self) -> bool:
        """Whether it goes above the wager faced."""
        return self.act in {"bet", "raise", "complete"}


def entry_of(seat: int, comes: Comes) -> Entry:
    """Return the entry in turn of what something comes to."""
    amount = comes.to_cents if comes.act in {"bet", "raise", "complete", "all_in"} else None
    return Entry(kind="act", seat=seat, act=comes.act, cents=amount)


def replays(behind: Iterable[Act]) -> tuple[Entry, ...]:
    """Return the entries of what others did meanwhile."""
    return tuple(
        Entry(kind="act", seat=one.seat, act=one.act, cents=one.to_cents) for one in behind
    )


def phrase(act: str, to_cents: int) -> str:
    """Say an action in words."""
    match act:
        case "fold" | "check":
            return f"a {act}"
        case "call":
            return f"a call of {dollars(to_cents)}"
        case "bet":
            return f"a bet of {dollars(to_cents)}"
        case "bring_in":
            return f"a bring-in of {dollars(to_cents)}"
        case "all_in":
            return f"all-in for {dollars(to_cents)}"
        case _:
            return f"a {act.replace('complete', 'completion')} to {dollars(to_cents)}"


def settling(spot: Spot, to_cents: int, forward_cents: int) -> tuple[ChipMove, ...]:
    """Return the chips that go back to a player, or are still owed, so that the wager is right.

    Args:
        spot: the spot.
        to_cents: what has to lie in front.
        forward_cents: what does.
    """
    player = f"seat:{spot.seat}"
    if forward_cents > to_cents:
        return (ChipMove(source="pot", target=player, cents=forward_cents - to_cents),)
    if forward_cents < to_cents:
        return (ChipMove(source=player, target="pot", cents=to_cents - forward_cents),)
    return ()


def prescribed(rules: tuple[str, ...]) -> bool:
    """Return whether the rules prescribe an outcome outright, so that no floorperson has to confirm it.

    A rule whose kind is `adjudicated` leaves the word to the floor; so does a book that is silent. A room that
    only sets a decision otherwise says nothing about who decides, the rule that it rests on does.
    """
    texts = rule_texts()
    kinds = [texts[rule].kind for rule in rules if rule in texts]
    return bool(kinds) and all(kind == "enforced" for kind in kinds)


def finding(
    spot: Spot,
    remedy: str,
    says: str,
    rules: tuple[str, ...],
    *,
    entries: tuple[Entry, ...] = (),
    binding: bool = False,
    chips: tuple[ChipMove, ...] = (),
    choices: tuple[Choice, ...] = (),
    reason: str = "",
    seats: tuple[int, ...] = (),
    **more: Any,
) -> Finding:
    """Return a finding whose entries were tried out on the hand.

    What cannot be entered as the hand stands is left to the floor, and the finding says why.

    Args:
        spot: the spot.
        remedy: its name.
        says: it in one sentence.
        rules: ids it rests on.
        entries: what it enters in the hand's record.
        binding: whether it takes effect without a floorperson's word.
        chips: chips that move.
        choices: what else may be ruled.
        reason: why a request is turned down, lower_snake.
        seats: whom it concerns; the seat that was seen where empty.
        more: other fields of the finding.
    """
    steps: tuple[str, ...] = more.pop("steps", ()) + _steps(chips)
    if not _may_be_entered(spot):
        entries = ()
    if entries:
        followed = follow(entries, spot.hand, spot.game, rules)
        if followed.refused is not None:
            left = entries[followed.done]
            entries = entries[: followed.done]
            steps += (
                f"seat {left.seat or spot.seat}: {left.act or left.kind} is not entered, "
                f"{followed.refused.message}; let it act again",
            )
            binding = False
    kept = tuple(fitting(choice, spot) for choice in choices)
    return Finding(
        remedy=remedy,
        says=says,
        rules=rules,
        seats=seats or (spot.seat,),
        steps=steps,
        chips=chips,
        entries=entries,
        facts=_facts(spot, reason),
        choices=kept,
        binding=binding,
        **more,
    )


def _may_be_entered(spot: Spot) -> bool:
    """Return whether anything can still be entered in the hand; what is told after it is judged all the same."""
    return spot.recorded and not spot.hand.over


def fitting(choice: Choice, spot: Spot) -> Choice:
    """Return a choice with no more entries than the hand takes."""
    if not choice.entries or not _may_be_entered(spot):
        return Choice(choice.remedy, choice.says, choice.rules)
    followed = follow(choice.entries, spot.hand, spot.game, choice.rules)
    return Choice(choice.remedy, choice.says, choice.rules, choice.entries[: followed.done])


def _steps(chips: tuple[ChipMove, ...]) -> tuple[str, ...]:
    found = []
    for move in chips:
        name = (move.target if move.source == "pot" else move.source).replace(":", " ")
        how = "gets back" if move.source == "pot" else "puts in"
        found.append(f"{name} {how} {dollars(move.cents)}")
    return tuple(found)


def _facts(spot: Spot, reason: str) -> tuple[Fact, ...]:
    """Return what the finding depends on: what was faced, what was open, who acted since."""
    found = [
        Fact("in_front", dollars(spot.front_cents)),
        Fact("facing", dollars(spot.level_cents)),
    ]
    if spot.least_cents is not None:
        found.append(Fact("least_wager", dollars(spot.least_cents)))
    found.append(Fact("acted_behind", str(len(spot.behind))))
    if reason:
        found.append(Fact("reason", reason))
    return tuple(found)


def acted(
    spot: Spot,
    comes: Comes,
    forward_cents: int | None,
    *,
    remedy: str = "",
    binding: bool | None = None,
    **more: Any,
) -> Finding:
    """Return the finding that something is an action in turn, the acts of others after it included.

    Args:
        spot: the spot.
        comes: the action.
        forward_cents: what lies in front of the player; None where nobody counted it.
        remedy: its name; the action where empty.
        binding: whether it needs no floorperson; by its rules where None.
        more: other fields of the finding.
    """
    own = spot.own
    entries: tuple[Entry, ...] = ()
    if own is None:
        entries = (entry_of(spot.seat, comes), *replays(spot.unrecorded))
    elif own.act.value != comes.act or own.to_cents != comes.to_cents:
        why = f"seat {spot.seat}: {comes.why}"
        entries = (
            Entry(kind="rewind", to=spot.before.version, why=why),
            entry_of(spot.seat, comes),
        )
        again = dict.fromkeys(one.seat for one in spot.behind)
        more["steps"] = (*more.get("steps", ()), *(f"seat {seat} acts again" for seat in again))
    chips = () if forward_cents is None else settling(spot, comes.to_cents, forward_cents)
    choices: tuple[Choice, ...] = more.pop("choices", ())
    if comes.other is not None:
        other = comes.other
        says = f"seat {spot.seat}: {phrase(other.act, other.to_cents)}, {other.why}"
        enters = (entry_of(spot.seat, other), *replays(spot.unrecorded)) if own is None else ()
        choices = (*choices, Choice(other.act, says, other.rules, enters))
    if binding is None:
        binding = comes.plain or (comes.other is None and prescribed(comes.rules))
    if any(entry.kind == "rewind" for entry in entries):
        binding = False
    return finding(
        spot,
        remedy or comes.act,
        f"seat {spot.seat}: {phrase(comes.act, comes.to_cents)}, {comes.why}",
        comes.rules,
        entries=entries,
        binding=binding,
        chips=chips,
        choices=choices,
        **more,
    )
