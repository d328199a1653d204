"""From the kind of an irregularity to the rule that judges it."""

from cardroom.kernel.refusal import Refused
from cardroom.poker.reading import Reader
from cardroom.rulebook.model import ResolvedBook
from cardroom.tables.findings import Fact, Finding
from cardroom.tables.hand import Hand
from cardroom.tables.irregularities import RULES
from cardroom.tables.irregularities.situation import Situation, judged
from cardroom.tables.notes import Judge
from cardroom.tables.table import Table


def judge_for(table: Table, hand: Hand, rules: ResolvedBook, reader: Reader) -> Judge:
    """Return the judge of a hand's irregularities: (kind, facts) -> finding.

    Args:
        table: the table.
        hand: the hand's recorded state.
        rules: the book it is played under.
        reader: the evaluator.
    """

    def judge(kind: str, facts: tuple[Fact, ...]) -> Finding:
        rule = RULES.get(kind)
        if rule is None:
            raise Refused(
                "IRREGULARITY_UNKNOWN",
                "CR-4",
                f"kind is {kind!r}: no such irregularity",
                options=sorted(RULES),
                field="kind",
            )
        situation = Situation(
            kind=kind,
            told={fact.name: fact.value for fact in facts},
            hand=hand,
            table=table,
            rules=rules,
            reader=reader,
        )
        return judged(rule, situation)

    return judge
