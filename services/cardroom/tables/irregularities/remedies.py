"""Remedies that many irregularities share: a misdeal while there is time, a dead hand, chips that go back."""

from collections.abc import Iterable

from cardroom.kernel.money import dollars
from cardroom.tables.findings import ChipMove, Choice, Conduct, Fact, Finding
from cardroom.tables.irregularities.situation import Needed, Situation, words


def wagers_back(s: Situation, without: Iterable[int] = ()) -> tuple[ChipMove, ...]:
    """Return everything in the pots to those who put it in, folded players included.

    Args:
        s: the situation; contributions may be told as `put_in_<seat>` in cents where the hand is not recorded.
        without: seats whose chips stay.
    """
    kept = set(without)
    if s.hand.hand:
        held = {
            chair.seat: chair.put_in_cents + chair.dead_cents
            for chair in s.hand.chairs
            if chair.seat
        }
    else:
        held = {
            int(name.removeprefix("put_in_")): s.count(name)
            for name in s.told
            if name.startswith("put_in_")
        }
    return tuple(
        ChipMove("pot", f"seat:{seat}", cents)
        for seat, cents in sorted(held.items())
        if cents and seat not in kept
    )


def stays_in(s: Situation, seat: int) -> str:
    """Say how much a dead hand leaves in the pot, as far as it is known."""
    for chair in s.hand.chairs:
        if chair.seat == seat:
            return f"its {dollars(chair.put_in_cents + chair.dead_cents)} stays in the pot"
    return "its chips stay in the pot"


def too_late(s: Situation, key: str = "deal.misdeal_deadline") -> bool:
    """Whether a misdeal can no longer be called (deal.misdeal_deadline, deal.misdeal_wrong_button_deadline)."""
    deadline = s.rules.choice(key)
    if deadline == "as_other_misdeals":
        deadline = s.rules.choice("deal.misdeal_deadline")
    if not s.hand.hand and "acted" not in s.told and "acted_count" not in s.told:
        raise Needed(
            ("acted_count",),
            "whether there is still time for a misdeal",
            s.cite("deal.misdeal_deadline"),
        )
    return s.acted_count() >= (1 if deadline == "first_action" else 2)


def misdeal(
    s: Situation,
    says: str,
    rules: tuple[str, ...],
    deadline: str = "deal.misdeal_deadline",
    steps: tuple[str, ...] = (),
) -> Finding:
    """Return a misdeal, or that the hand is played out where it is too late for one.

    Args:
        s: the situation.
        says: what went wrong.
        rules: rules that make it a misdeal.
        deadline: the decision that says until when.
        steps: steps beside those of every misdeal.
    """
    cited = tuple(dict.fromkeys((*rules, *s.cite("deal.misdeal_deadline"))))
    counted = (Fact("acted_count", str(s.acted_count())),)
    if too_late(s, deadline):
        return Finding(
            remedy="play_out",
            says=f"{says}: too late for a misdeal, the hand is played out",
            rules=cited if deadline == "deal.misdeal_deadline" else (*cited, *s.cite(deadline)),
            facts=counted,
        )
    return Finding(
        remedy="misdeal",
        says=f"{says}: misdeal",
        rules=cited,
        steps=(
            "call the floor; only a floorperson declares a misdeal",
            "give back wagers, blinds and antes",
            "gather the cards, shuffle and cut",
            *(steps or ("deal again with the same button and blinds",)),
        ),
        chips=wagers_back(s),
        facts=counted,
        choices=(Choice("play_out", "the hand is played out", s.cite("ruling.fairness_override")),),
        plays_on=False,
    )


def dead(
    s: Situation,
    seat: int,
    says: str,
    rules: tuple[str, ...],
    *more: str,
    choices: tuple[Choice, ...] = (),
    steps: tuple[str, ...] = (),
    conduct: tuple[Conduct, ...] = (),
) -> Finding:
    """Return that a seat's hand is dead and its chips stay.

    Args:
        s: the situation.
        seat: whose hand.
        says: why.
        rules: rules that make it dead.
        more: names of facts it depends on.
        choices: other remedies.
        steps: what the dealer does.
        conduct: what goes on players' records.
    """
    return Finding(
        remedy="hand_dead",
        says=f"{says}: the hand of seat {seat} is dead, {stays_in(s, seat)}",
        rules=tuple(dict.fromkeys((*rules, *s.cite("hand.dead_money_stays")))),
        seats=(seat,),
        steps=(f"kill the hand of seat {seat}", *steps),
        facts=s.facts(*more),
        choices=choices
        or (Choice("hand_live", "the hand is live", s.cite("ruling.fairness_override")),),
        conduct=conduct,
    )


def live(
    s: Situation,
    seat: int,
    says: str,
    rules: tuple[str, ...],
    *more: str,
    choices: tuple[Choice, ...] = (),
    steps: tuple[str, ...] = (),
    conduct: tuple[Conduct, ...] = (),
) -> Finding:
    """Return that a seat's hand is live."""
    return Finding(
        remedy="hand_live",
        says=f"{says}: the hand of {words((seat,))} is live",
        rules=rules,
        seats=(seat,),
        steps=steps,
        facts=s.facts(*more),
        choices=choices,
        conduct=conduct,
    )


def stands(s: Situation, says: str, rules: tuple[str, ...], *more: str) -> Finding:
    """Return that what happened stands."""
    return Finding(remedy="stands", says=says, rules=rules, facts=s.facts(*more))


def refused(s: Situation, says: str, rules: tuple[str, ...], *more: str) -> Finding:
    """Return that what was asked for is not granted; the request is on record."""
    return Finding(remedy="request_refused", says=says, rules=rules, facts=s.facts(*more))
