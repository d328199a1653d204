"""The kinds of improper conduct: which rule of each book they break, and which facts make them one."""

from collections.abc import Callable
from typing import Final

import msgspec

from cardroom.kernel.refusal import Refused
from cardroom.known.citing import stated
from cardroom.players.values import ConductFacts
from cardroom.rulebook.model import ResolvedBook

Test = Callable[[ConductFacts, ResolvedBook], tuple[str, str] | None]
"""Returns None where the facts make an offence, else (code, sentence)."""


class Offence(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of improper conduct.

    Args:
        rules: the rules it breaks, of all books; a report cites those of the book in force.
        grave: its member of `conduct.grave_offences`, or empty.
        needs: the facts that decide whether it is one.
        test: which facts make it none.
        instruction: what the person is told at once.
        defaces_card: whether `conduct.defaced_card` speaks of it.
        manners: whether it is bad manners, which `conduct.every_offence_sanctioned` speaks of.
    """

    rules: tuple[str, ...]
    grave: str = ""
    needs: tuple[str, ...] = ()
    test: Test | None = None
    instruction: str = ""
    defaces_card: bool = False
    manners: bool = False


def _live(facts: ConductFacts, book: ResolvedBook) -> tuple[str, str] | None:
    return None if facts.hands_live else ("NO_LIVE_HAND", "no hand concerned was live")


def _language(facts: ConductFacts, book: ResolvedBook) -> tuple[str, str] | None:
    if book.choice("conduct.language_during_hand") == "any":
        return "LANGUAGE_FREE", "any language may be spoken here"
    return None if facts.hand_in_progress else ("NO_HAND_IN_PROGRESS", "no hand was in progress")


def _revealed(facts: ConductFacts, book: ResolvedBook) -> tuple[str, str] | None:
    reading = book.choice("hand.exposed_before_showdown")
    if not facts.betting_open:
        return "BETTING_OVER", "the betting was over"
    if reading == "improper_when_all_in" and not facts.subject_all_in:
        return "NOT_ALL_IN", "only somebody who is all-in may not reveal the hand here"
    if (
        reading in {"improper_multiway", "dead_unless_heads_up_ring"}
        and (facts.players_in_hand or 0) < 3
    ):
        return "HEADS_UP", "fewer than three players were in the pot"
    return None


def _deliberate(facts: ConductFacts, book: ResolvedBook) -> tuple[str, str] | None:
    return None if facts.deliberate else ("NOT_DELIBERATE", "the act was not on purpose")


def _untabled(facts: ConductFacts, book: ResolvedBook) -> tuple[str, str] | None:
    return ("HAND_TABLED", "the hand lay face up") if facts.hand_tabled else None


def _side_bet(facts: ConductFacts, book: ResolvedBook) -> tuple[str, str] | None:
    return (
        ("SIDE_BETS_FREE", "side bets are allowed here") if book.flag("conduct.side_bets") else None
    )


def _reading(facts: ConductFacts, book: ResolvedBook) -> tuple[str, str] | None:
    if book.choice("conduct.reading_at_table") == "allowed":
        return "READING_FREE", "reading at the table is allowed here"
    return None


def _tobacco(facts: ConductFacts, book: ResolvedBook) -> tuple[str, str] | None:
    return (
        ("SMOKING_FREE", "smoking is free here")
        if book.choice("house.smoking") == "allowed"
        else None
    )


def _racks(facts: ConductFacts, book: ResolvedBook) -> tuple[str, str] | None:
    return (
        None
        if book.choice("chips.racks") == "none_on_table"
        else ("RACKS_FREE", "racks are allowed here")
    )


def _unfaced(facts: ConductFacts, book: ResolvedBook) -> tuple[str, str] | None:
    if book.choice("betting.fold_without_wager") == "allowed":
        return "FOLDING_FREE", "a hand may be folded without a wager to face here"
    return None


UNRACK: Final = "take the chips out of the rack"

OFFENCES: Final[dict[str, Offence]] = {
    "bad_manners": Offence(rules=("LC-1", "WP-1E10"), manners=True),
    "criticizing_play": Offence(rules=("LC-2",)),
    "threat": Offence(rules=("LC-1", "RC-X1", "WP-1C2"), grave="threat", manners=True),
    "profanity": Offence(rules=("LC-1", "RC-E9", "WP-1C3"), grave="profanity", manners=True),
    "disturbance": Offence(
        rules=("LC-P-etiquette", "RC-E11", "WP-1C4"), grave="disturbance", manners=True
    ),
    "collusion": Offence(rules=("WP-1C1",), grave="collusion"),
    "throwing_cards": Offence(rules=("LC-1", "RC-X3", "WP-1C5"), grave="card_abuse", manners=True),
    "defaced_card": Offence(
        rules=("LC-4", "RC-X2", "WP-1C5"),
        grave="card_abuse",
        needs=("deliberate",),
        test=_deliberate,
        instruction="the deck is to be replaced",
        defaces_card=True,
        manners=True,
    ),
    "property_damage": Offence(
        rules=("LC-1", "RC-X2", "WP-1C6"), grave="property_damage", manners=True
    ),
    "illegal_substance": Offence(rules=("WP-1C7",), grave="illegal_substance"),
    "weapon": Offence(rules=("WP-1C8",), grave="weapon"),
    "questionable_dress": Offence(rules=("LC-6",)),
    "advice_during_live_hand": Offence(
        rules=("LC-10", "RC-G7", "WP-2P8"), needs=("hands_live",), test=_live
    ),
    "foreign_language": Offence(
        rules=("LC-11", "RC-E10", "WP-2P27"), needs=("hand_in_progress",), test=_language
    ),
    "rack_on_table": Offence(rules=("LC-13", "RC-G3"), test=_racks, instruction=UNRACK),
    "side_bet": Offence(rules=("LC-15", "RC-B13"), test=_side_bet),
    "splashing": Offence(rules=("LC-16", "RC-E2", "WP-1E2")),
    "dealer_chair": Offence(rules=("LC-19",), instruction="leave the dealer's chair"),
    "deliberate_out_of_turn": Offence(
        rules=("RC-E1", "HG-B8", "WP-1E1"), needs=("deliberate",), test=_deliberate
    ),
    "check_agreement": Offence(rules=("RC-E3", "WP-1E3")),
    "hand_revealed": Offence(
        rules=("LC-76", "RC-E4", "WP-1E6"), needs=("betting_open",), test=_revealed
    ),
    "stalling": Offence(rules=("RC-E5", "WP-1E7")),
    "bad_discard": Offence(rules=("RC-E6", "WP-1E8")),
    "chip_obstruction": Offence(rules=("RC-E7", "WP-1E9"), instruction="restack the chips"),
    "influencing_play": Offence(rules=("RC-E8", "WP-1E10")),
    "cards_hidden": Offence(rules=("RC-G9", "WP-2P17"), instruction="bring the cards into view"),
    "reading_hand_aloud": Offence(rules=("WP-1E4",), needs=("hand_tabled",), test=_untabled),
    "telling_to_show": Offence(rules=("WP-1E5",)),
    "looking_through_muck": Offence(rules=("WP-2P22",)),
    "cigar_or_pipe": Offence(rules=("WP-1T2",), test=_tobacco, instruction="put it out"),
    "guest_smoking": Offence(rules=("WP-1T3",), test=_tobacco, instruction="put it out"),
    "folded_without_wager": Offence(rules=("LC-60",), test=_unfaced),
    "reading_at_table": Offence(rules=("WP-2P24",), test=_reading),
}
"""Offence -> what it is. The floor's own word for anything else is `bad_manners` with a note."""

LEAVES_TABLE: Final = ("RC-X3",)
"""What a discard that leaves the table brings into play besides."""


def judge(offence_name: str, facts: ConductFacts, book: ResolvedBook) -> tuple[str, ...]:
    """Return the rules that an act breaks under a book.

    Args:
        offence_name: its kind.
        facts: what was seen.
        book: the book in force.

    Raises:
        Refused: CR-4 no such kind; CR-12 a fact that decides is missing; the rule itself where the facts make no
            offence.
    """
    offence = OFFENCES.get(offence_name)
    if offence is None:
        raise Refused(
            "OFFENCE_UNKNOWN",
            "CR-4",
            f"offence {offence_name!r} is none of those that the record knows",
            options=tuple(OFFENCES),
            field="offence",
        )
    rules = stated(book, *offence.rules)
    for name in offence.needs:
        if getattr(facts, name) is None:
            raise Refused(
                "FACT_NEEDED",
                ("CR-12", *rules),
                f"whether this is {offence_name} turns on facts.{name}, which was not given",
                field=f"facts.{name}",
            )
    none = offence.test(facts, book) if offence.test else None
    if none is not None:
        code, why = none
        raise Refused(code, rules, f"not an offence of kind {offence_name}: {why}", field="offence")
    return rules
