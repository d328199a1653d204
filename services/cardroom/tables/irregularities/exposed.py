"""Cards that were seen: exposed, flashed or dropped, boxed cards and jokers, cards that do not belong to the deck."""

from typing import Final

from msgspec.structs import replace

from cardroom.tables.findings import Choice, Entry, Finding
from cardroom.tables.irregularities.remedies import (
    dead,
    misdeal,
    refused,
    stands,
    wagers_back,
)
from cardroom.tables.irregularities.situation import Rule, Situation


def exposed_card(s: Situation) -> Finding:
    """A card was exposed while it was dealt.

    Facts: `by` (`dealer`, `player`, `off_table`); `seat` and `nth` (which of its cards) or `place` (its place
    off the deck); `exposed` (how many the dealer has exposed in this deal, this one included); `card`;
    `looked` (its player looked before he spoke); `card_kind` for stud (`hole`, `up`, `last`); `keep` (he wants it).
    """
    by = s.text("by", "dealer")
    if by == "player":
        return stands(
            s,
            f"a card that its player exposed or dropped plays: seat {s.seat()} keeps it",
            s.cite("deal.flashed_card", "hand.card_dropped_by_player")
            if s.rules.choice("hand.card_dropped_by_player") == "plays"
            else s.cite("deal.flashed_card"),
            "by",
        )
    if s.flag("looked", default=False):
        return refused(
            s,
            "the player looked before speaking: the card plays",
            s.cite("deal.exposed_claim"),
            "looked",
        )
    if s.stud:
        return _stud(s)
    return _in_the_deal(s)


def _in_the_deal(s: Situation) -> Finding:
    count = s.count("exposed", default=1)
    limit = s.rules.count("deal.misdeal_exposed_cards")
    if limit and count >= limit:
        return misdeal(
            s, f"{count} cards were exposed by the dealer", s.cite("deal.misdeal_exposed_cards")
        )
    first = s.rules.count("deal.misdeal_exposed_first_cards")
    if first and s.count("place") <= first:
        return misdeal(
            s,
            f"card {s.count('place')} off the deck was dealt face up",
            s.cite("deal.misdeal_exposed_first_cards"),
        )
    return _replaced(s)


def _replaced(s: Situation) -> Finding:
    card, top = s.optional("card"), s.optional("top_card")
    seat = f"seat {s.seat()}" if "seat" in s.told else "its player"
    named = f" {card}" if card else ""
    instead = f" {top}" if top else " the top card of the deck"
    cited = s.cite("deal.exposed_card")
    if s.optional("by") == "off_table" or s.flag("flashed", default=False):
        cited = s.cite("deal.exposed_card", "deal.flashed_card")
    return Finding(
        remedy="replace_card",
        says=f"no misdeal: {seat} gives up the exposed card{named} for{instead}; it is the burn card",
        rules=cited,
        seats=(s.seat(),) if "seat" in s.told else (),
        steps=(
            "finish the deal",
            f"deal{instead} face down to {seat}",
            f"put the exposed card{named} face up on the deck; it is the burn card",
            "burn no other before the next cards",
        ),
        facts=s.facts("by", "card", "top_card", "place", "nth", "exposed"),
    )


def _stud(s: Situation) -> Finding:
    kind = s.text("card_kind", "hole")
    found = _stud_misdeal(s) if kind == "hole" else None
    if found is not None:
        return found
    if kind == "up":
        return stands(s, "an upcard plays wherever it was dealt", s.cite("stud.off_table"), "card")
    if kind == "last":
        return _stud_last(s)
    seat = s.seat()
    low = s.rules.choice("stud.exposed_low_brings_in")
    bring_in = (
        "if it is low on board the second lowest brings it in"
        if low == "second_lowest"
        else "the low card brings it in"
    )
    cited = s.cite("stud.exposed_hole_card", "stud.exposed_low_brings_in")
    if s.optional("by") == "off_table":
        cited = s.cite("stud.off_table", "stud.exposed_hole_card", "stud.exposed_low_brings_in")
    return Finding(
        remedy="card_stays_up",
        says=f"the exposed hole card of seat {seat} stays up, its next card is dealt down; {bring_in}",
        rules=cited,
        seats=(seat,),
        steps=(f"leave the card up before seat {seat}", "deal its next card face down", bring_in),
        facts=s.facts("card", "place", "card_kind"),
    )


def _stud_misdeal(s: Situation) -> Finding | None:
    """Return the misdeal that exposed hole cards make at stud, None where the deal goes on."""
    count, limit = s.count("exposed", default=1), s.rules.count("deal.misdeal_exposed_cards")
    cited = s.cite("deal.misdeal_exposed_cards")
    if limit and count >= limit and "LC-104g" not in cited:  # that rule is for flop games alone
        return misdeal(s, f"{count} cards were exposed by the dealer", cited)
    key = "stud.misdeal_exposed_first_cards"
    if not s.rules.count(key):
        key = "deal.misdeal_exposed_first_cards"
    place = s.count("place", default=0)  # not told: no card that makes a misdeal
    if 0 < place <= s.rules.count(key):
        return misdeal(s, f"card {place} off the deck was dealt face up", s.cite(key))
    return None


def _stud_last(s: Situation) -> Finding:
    seat = s.seat()
    key = "stud.exposed_final_card"
    cited = s.cite(key, "stud.exposed_final_card_opener")
    begun = s.flag("action_begun")
    may = s.rules.choice(key) == "may_declare_all_in"
    opener = s.rules.choice("stud.exposed_final_card_opener").replace("_", " ")
    if may and begun and s.flag("declares_all_in", default=False):
        return refused(
            s,
            f"seat {seat} had to declare before the action began: it folds, calls or raises",
            cited,
            "action_begun",
        )
    option = Choice(
        "all_in_without_more",
        "before the action it may declare itself all-in; later bets make a side pot",
        cited,
        entries=(Entry(kind="stand", seat=seat, act="all_in"),),
    )
    return Finding(
        remedy="card_stays_up",
        says=f"the last card of seat {seat} stays up, the others get theirs down; {opener} opens",
        rules=cited,
        seats=(seat,),
        choices=(option,) if may and not begun else (),
        facts=s.facts("card", "action_begun"),
    )


def keep_exposed_card(s: Situation) -> Finding:
    """A player wants to keep a card that the dealer exposed."""
    return refused(
        s,
        f"seat {s.seat()} has no choice: a card that the dealer exposed is replaced",
        s.cite("deal.exposed_card"),
        "card",
    )


def boxed_card(s: Situation) -> Finding:
    """A card lay face up in the deck.

    Facts: `count` (how many in this deal, this one included); `cards_needed` (whether cards are still to come); `mixed`
    (the next card is with another player already); `card`, `next_card`, `seat`.
    """
    count = s.count("count", default=1)
    limit = s.rules.count("deal.boxed_cards_limit")
    key = "deal.boxed_cards_effect"
    if limit and count >= limit:
        cited = s.cite("deal.boxed_cards_limit", key)
        if s.rules.choice(key) == "misdeal":
            return misdeal(s, f"{count} boxed cards were found", cited)
        if not s.flag("cards_needed", default=True):
            return stands(s, "all cards needed are out: the hand goes on", cited, "count")
        return void_hand(s, f"{count} boxed cards were found", cited)
    cited = s.cite("deal.boxed_card")
    card, following = s.optional("card"), s.optional("next_card")
    named = f" {card}" if card else ""
    place = f" seat {s.seat()}" if "seat" in s.told else " it"
    if s.flag("mixed", default=False):
        step = f"finish the round, then deal the card after it to{place}"
    else:
        step = f"deal {following or 'the next card'} in its place to{place}"
    return Finding(
        remedy="scrap",
        says=f"boxed card {count} of this hand{named} is scrap: {step}",
        rules=cited,
        steps=("put the boxed card in the discards", step),
        facts=s.facts("count", "card", "next_card", "mixed"),
    )


def void_hand(s: Situation, says: str, rules: tuple[str, ...], *kept: int) -> Finding:
    """Return that a hand is void and everything goes back, but for seats whose chips stay."""
    return Finding(
        remedy="void_hand",
        says=f"{says}: all hands are void and the bets go back",
        rules=rules,
        steps=("give everybody back what he put in", "change the deck"),
        chips=wagers_back(s, kept),
        choices=(Choice("stands", "the action stands", s.cite("ruling.fairness_override")),),
        plays_on=False,
    )


def joker(s: Situation) -> Finding:
    """A joker turned up in a game that uses none.

    Facts: `where` (`deck`, `hand`, `board`); `seat`; `player_acted`.
    """
    key = "deal.joker_found"
    if s.rules.choice(key) == "fouled_deck":
        return void_hand(s, "a joker fouls the deck", s.cite(key, "deal.fouled_deck"))
    where = s.text("where", "hand")
    if where != "hand":
        return Finding(
            remedy="scrap",
            says="the joker is a scrap of paper: the next card takes its place, no misdeal",
            rules=s.cite(key),
            steps=("set the joker aside", "deal the next card in its place"),
        )
    seat = s.seat()
    if s.has_acted(seat):
        return dead(
            s,
            seat,
            "it acted with a joker; not having looked is no excuse",
            s.cite(key, "hand.unseen_cards_risk"),
            "player_acted",
        )
    return Finding(
        remedy="replace_card",
        says=f"the joker of seat {seat} is replaced by the next card: no misdeal, the hand is live",
        rules=s.cite(key),
        seats=(seat,),
        steps=("set the joker aside", f"deal the next card to seat {seat}"),
        facts=s.facts("player_acted"),
    )


def foul_card(s: Situation) -> Finding:
    """A duplicate card or one with another back was found.

    Facts: `what` (`wrong_back`, `duplicate`); `where` (`stub`, `board`, `hand`); `seat` where it is a hand;
    `wagered` (its player has wagered on it); `knew` (a player knew and kept silent), with `knowing_seat`.
    """
    what, where = s.text("what"), s.text("where")
    named = what.replace("_", " ")
    if where == "stub":
        return _in_stub(s, what)
    cited = s.cite("deal.fouled_deck")
    if where == "hand" and s.rules.choice("deal.fouled_hand_bettor") == "hand_dead":
        seat = s.seat()
        if s.flag("wagered"):
            cited = s.cite("deal.fouled_hand_bettor", "deal.fouled_deck")
            return dead(s, seat, f"it bet a hand with a {named} card", cited, "wagered")
    if s.flag("knew", default=False):
        return _freeroll(s, named)
    return void_hand(s, f"a {named} card is in play", cited)


def _in_stub(s: Situation, what: str) -> Finding:
    key = "deal.irregular_card_in_stub"
    if what == "wrong_back" or s.rules.choice(key) == "stands":
        return Finding(
            remedy="stands",
            says="the card lay in the stub only: the action stands, the deck is changed",
            rules=s.cite(key),
            steps=("change the deck for the next hand",),
            facts=s.facts("what", "where"),
        )
    return void_hand(s, "a duplicate card lay in the stub", s.cite(key, "deal.fouled_deck"))


def _freeroll(s: Situation, named: str) -> Finding:
    key = "deal.knowing_freeroll"
    knowing = s.seat("knowing_seat")
    cited = s.cite("deal.fouled_deck", key)
    if s.rules.choice(key) != "chips_stay_for_next_deal":
        return void_hand(s, f"a {named} card is in play", cited)
    found = void_hand(s, f"a {named} card is in play and seat {knowing} knew", cited, knowing)
    return replace(
        found,
        says=f"{found.says}; the chips of seat {knowing} stay for the next deal",
        steps=(*found.steps, f"leave the chips of seat {knowing} in for the next deal"),
        choices=(Choice("void_hand", "everybody is refunded", s.cite("deal.fouled_deck")),),
    )


def missing_card(s: Situation) -> Finding:
    """Cards were missing from the deck."""
    card = s.optional("card")
    return Finding(
        remedy="stands",
        says=f"the result stands although {card or 'a card'} was missing from the deck",
        rules=s.cite("deal.missing_cards"),
        steps=("repair or change the deck",),
        facts=s.facts("card"),
    )


def show_undealt(s: Situation) -> Finding:
    """Somebody asks to see cards that would have come, or burns (deal.rabbit_hunt)."""
    cited = s.cite("deal.rabbit_hunt")
    if s.rules.flag("deal.rabbit_hunt") and s.hand.over:
        return stands(s, "the dealer may show them after the hand", cited)
    return refused(s, "burn cards and undealt cards are not shown", cited)


RULES: Final[dict[str, Rule]] = {
    "exposed_card": exposed_card,
    "keep_exposed_card": keep_exposed_card,
    "boxed_card": boxed_card,
    "joker": joker,
    "foul_card": foul_card,
    "missing_card": missing_card,
    "show_undealt_card": show_undealt,
}
