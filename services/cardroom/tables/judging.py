"""From the kind of an irregularity to the rule that judges it."""

from cardroom.kernel.refusal import Refused
from cardroom.poker.reading import Reader
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.findings import Fact, Finding
from cardroom.tables.hand import Hand
from cardroom.tables.hand_rules import hand_rules
from cardroom.tables.irregularities import RULES
from cardroom.tables.irregularities.situation import Situation, judged
from cardroom.tables.notes import Judge
from cardroom.tables.notes_events import Irregularity
from cardroom.tables.observations import KIND, observe
from cardroom.tables.observations.observed import told
from cardroom.tables.observations.reading import pinned
from cardroom.tables.table import Table


def judge_for(
    table: Table,
    hand: Hand,
    rules: ResolvedBook,
    reader: Reader,
    earlier: tuple[Irregularity, ...] = (),
) -> Judge:
    """Return the judge of a hand's irregularities: (kind, facts) -> finding.

    Args:
        table: the table.
        hand: the hand's recorded state.
        rules: the book it is played under.
        reader: the evaluator.
        earlier: what was reported of the hand before.
    """

    def judge(kind: str, facts: tuple[Fact, ...]) -> Finding:
        if kind == KIND:
            game = hand.game if hand.hand else table.the_game()
            observed = told({fact.name: fact.value for fact in facts})
            return observe(pinned(observed, hand), hand, hand_rules(rules, game, reader))
        rule = RULES.get(kind)
        if rule is None:
            raise Refused(
                "IRREGULARITY_UNKNOWN",
                "CR-4",
                f"kind is {kind!r}: no such irregularity",
                options=sorted((*RULES, KIND)),
                field="kind",
            )
        situation = Situation(
            kind=kind,
            told={fact.name: fact.value for fact in facts},
            hand=hand,
            table=table,
            rules=rules,
            reader=reader,
            earlier=earlier,
        )
        return judged(rule, situation)

    return judge
