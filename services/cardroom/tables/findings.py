"""Findings: what the core makes of something that happened, for a floorperson to confirm or to override."""

import msgspec

from cardroom.kernel.refusal import Refused


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry that a remedy makes in the hand's record.

    Args:
        kind: `act` (in turn, as the book offers it), `stand` (as made, though the book would not offer it), `hold`
            (held to it when the turn comes), `bar` (no bet or raise), `pass_over` (the turn comes
            after those of `seats`), `leave_in` (chips stay in), `dead` (the hand is), `rewind` (to an earlier version).
        seat: whose; 0 for a rewind.
        act: `fold`, `check`, `call`, `bet`, `raise`, `all_in` or `bring_in`, where it is an action.
        cents: in front for the round then, or chips left in; None where the act says it all.
        seats: who acted meanwhile, where a turn is passed over.
        code: a bar's reason for programs.
        why: a bar's reason, or that of a rewind, in words.
        whole_round: whether a bar holds for the rest of the round.
        to: version to rewind to.
    """

    kind: str
    seat: int = 0
    act: str = ""
    cents: int | None = None
    seats: tuple[int, ...] = ()
    code: str = ""
    why: str = ""
    whole_round: bool = False
    to: int = 0


class Choice(msgspec.Struct, frozen=True):
    """Another remedy that a floorperson may choose.

    Args:
        remedy: its name, lower_snake.
        says: what it comes to, in words.
        rules: rule ids that allow it.
        entries: what it enters in the hand's record.
    """

    remedy: str
    says: str
    rules: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()


class Fact(msgspec.Struct, frozen=True):
    """A fact by name, in words that can be read back.

    Args:
        name: lower_snake, for example `acted_count`.
        value: its value in plain text.
    """

    name: str
    value: str


class ChipMove(msgspec.Struct, frozen=True):
    """Chips that a remedy moves.

    Args:
        source: `seat:5`, `pot`, `house`, `impound` or another account by name.
        target: the same.
        cents: how much; 0 where every chip concerned moves and the amount is not known.
    """

    source: str
    target: str
    cents: int


class Conduct(msgspec.Struct, frozen=True):
    """What goes on a player's record beside a remedy.

    Args:
        seat: where the player sits.
        what: what was done, lower_snake, for example `throwing_cards`.
        rules: rule ids it breaks.
    """

    seat: int
    what: str
    rules: tuple[str, ...]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What something comes to under the book in force.

    Args:
        remedy: the proposed remedy, lower_snake, for example `misdeal`, `replace_card`, `hand_dead`; `fact_needed`
            where a fact that decides is missing; `floor_decides` where the book leaves it to the floor.
        says: the remedy in one sentence, seats and cards named.
        rules: rule ids it rests on; never empty.
        seats: seats it concerns.
        steps: what the dealer does, in order, each a short imperative.
        chips: chips that move.
        entries: what it enters in the hand's record, once it takes effect.
        facts: the facts it depends on.
        missing: names of facts that decide and were not given.
        choices: other remedies the floor may choose.
        binding: whether it takes effect without a floorperson's word (the book prescribes it outright).
        plays_on: whether the hand goes on once the remedy is done.
        conduct: what goes on players' records once the finding is confirmed.
    """

    remedy: str
    says: str
    rules: tuple[str, ...]
    seats: tuple[int, ...] = ()
    steps: tuple[str, ...] = ()
    chips: tuple[ChipMove, ...] = ()
    entries: tuple[Entry, ...] = ()
    facts: tuple[Fact, ...] = ()
    missing: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    binding: bool = False
    plays_on: bool = True
    conduct: tuple[Conduct, ...] = ()


def fact_needed(rules: tuple[str, ...], *missing: str, why: str) -> Finding:
    """Return the finding that asks for facts: unknown is never taken for zero.

    Args:
        rules: rules that turn on the missing facts.
        missing: names of the facts that decide.
        why: what turns on them, in words.
    """
    return Finding(
        remedy="fact_needed",
        says=f"{why}: {', '.join(missing)} must be known",
        rules=(*rules, "CR-12"),
        missing=missing,
    )


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """What a floorperson decided on a finding.

    Args:
        decision: the remedy that holds: the finding's own or another.
        confirmed: whether it is the finding's own remedy.
        reason: why, in words; needed where it is another.
        rules: rules the decision rests on.
        by: who ruled.
    """

    decision: str
    confirmed: bool
    reason: str
    rules: tuple[str, ...]
    by: str


def ruling_on(
    finding: Finding, decision: str, reason: str, by: str, fairness: tuple[str, ...]
) -> Ruling:
    """Return a floorperson's ruling on a finding.

    Args:
        finding: what was proposed.
        decision: `confirm`, the finding's remedy, or another remedy in lower_snake.
        reason: why, in words.
        by: who rules.
        fairness: rules that let the floor go against the letter (constant ruling.fairness_override).

    Raises:
        Refused: a remedy other than the proposed one comes without a reason; the proposed one stays on offer.
    """
    if decision in ("confirm", finding.remedy):
        if finding.remedy in ("fact_needed", "floor_decides"):
            raise Refused(
                "DECISION_NEEDED",
                finding.rules,
                "there is no remedy to confirm: name the decision",
                options=[f"{choice.remedy}: {choice.says}" for choice in finding.choices],
                field="decision",
            )
        return Ruling(
            decision=finding.remedy, confirmed=True, reason=reason, rules=finding.rules, by=by
        )
    offered = next((choice for choice in finding.choices if choice.remedy == decision), None)
    if not reason.strip():
        raise Refused(
            "OVERRIDE_REASON",
            (*fairness, "CR-9"),
            f"a ruling of {decision!r} where {finding.remedy!r} is proposed needs a reason in words",
            options=[f"{finding.remedy}: {finding.says}"],
            field="reason",
        )
    rules = offered.rules if offered and offered.rules else fairness
    return Ruling(decision=decision, confirmed=False, reason=reason, rules=rules, by=by)
