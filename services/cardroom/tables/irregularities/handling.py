"""Hands that left their player's care: thrown, mucked, fouled, taken by the dealer, shown, asked back."""

from typing import Final

from cardroom.tables.findings import Choice, Conduct, Finding
from cardroom.tables.irregularities.remedies import dead, live, refused, stands
from cardroom.tables.irregularities.situation import Rule, Situation


def touched_muck(s: Situation) -> Finding:
    """Cards of a hand touched or went into the muck face down.

    Facts: `seat`; `touched` (`muck`, `burns`, `board`, `other_hand`); `identifiable`; `tabled`; `protected`;
    `false_information` (it was folded on false information); `thrown` (its player threw or slammed the cards).
    """
    seat = s.seat()
    touched = s.text("touched", "muck")
    if touched in ("burns", "board"):
        return live(
            s,
            seat,
            f"the {touched} are no part of the muck",
            s.cite("hand.muck", "hand.clear_of_muck"),
            "touched",
        )
    if touched == "other_hand":
        return thrown_into_hand(s)
    key = "hand.muck_touch"
    if s.flag("thrown", default=False) and not s.flag("tabled", default=False):
        return dead(
            s,
            seat,
            "thrown cards touched the muck face down",
            s.cite("hand.thrown_cards", key),
            "thrown",
            steps=("note the conduct of its player",),
            conduct=(Conduct(seat, "throwing_cards", s.cite("hand.thrown_cards")),),
        )
    match s.rules.choice(key):
        case "dead":
            return dead(s, seat, "cards that touched the muck are dead", s.cite(key), "touched")
        case "dead_unless_tabled_or_protected":
            return _excepted(s, seat, key)
        case _:
            return _retrievable(s, seat, key)


def _excepted(s: Situation, seat: int, key: str) -> Finding:
    tabled = s.flag("tabled", default=False)
    excepted = tabled or s.flag("protected", default=False)
    if not excepted:
        return dead(
            s,
            seat,
            "it touched the muck face down, neither tabled nor protected; naming the cards is no exception",
            s.cite(key),
            "identifiable",
            "protected",
        )
    if not s.flag("identifiable"):
        return dead(s, seat, "it cannot be identified", s.cite(key), "identifiable", "protected")
    why = "tabled at the showdown" if tabled else "protected"
    return _retrieved(s, seat, f"it was {why} and can be identified", s.cite(key))


def _retrievable(s: Situation, seat: int, key: str) -> Finding:
    if not s.flag("identifiable"):
        return dead(s, seat, "it cannot be identified", s.cite(key), "identifiable")
    why = "it can be clearly identified"
    if s.flag("false_information", default=False):
        why += " and false information caused the fold"
    return _retrieved(s, seat, why, s.cite(key))


def _retrieved(s: Situation, seat: int, why: str, rules: tuple[str, ...]) -> Finding:
    return Finding(
        remedy="hand_retrieved",
        says=f"{why}: the hand of seat {seat} is retrieved and live",
        rules=rules,
        seats=(seat,),
        steps=(f"give the cards back to seat {seat}",),
        facts=s.facts("identifiable", "tabled", "protected", "false_information"),
        choices=(Choice("hand_dead", "the hand is dead", rules),),
    )


def thrown_into_hand(s: Situation) -> Finding:
    """Cards that a player threw fell into somebody else's hand; the other hand is judged apart."""
    return dead(
        s,
        s.seat(),
        "cards thrown into another hand are dead, face up or down",
        s.cite("hand.thrown_into_other_hand"),
    )


def thrown_forward(s: Situation) -> Finding:
    """A player threw the hand forward.

    Facts: `seat`; `facing_wager`; `acted_after` (somebody behind acted because of it); `touched_muck`; `pulled_back`.
    """
    seat = s.seat()
    if s.flag("touched_muck", default=False):
        return touched_muck(s)
    if s.flag("facing_wager") and not s.flag("showdown", default=False):
        return dead(
            s,
            seat,
            "it was thrown away facing a wager",
            s.cite("hand.fold_facing_bet"),
            "facing_wager",
        )
    if s.flag("acted_after"):
        return dead(
            s,
            seat,
            "it was thrown forward and made another act",
            s.cite("hand.forward_throw"),
            "acted_after",
        )
    return live(
        s,
        seat,
        "it is clear of the muck and nobody acted because of it",
        s.cite("hand.clear_of_muck", "hand.forward_throw"),
        "acted_after",
        choices=(Choice("hand_dead", "the hand is dead", s.cite("hand.forward_throw")),),
    )


def announced_fold(s: Situation) -> Finding:
    """A player announced a fold and still has the cards. Facts: `seat`; `facing_wager`."""
    seat = s.seat()
    if s.flag("facing_wager"):
        return dead(
            s,
            seat,
            "a fold announced facing a wager is final",
            s.cite("hand.fold_facing_bet"),
            "facing_wager",
        )
    return live(
        s,
        seat,
        "there was no wager to face and the cards are kept",
        s.cite("hand.fold_facing_bet", "betting.fold_without_wager"),
        "facing_wager",
        steps=(
            f"remind seat {seat} to keep the cards until it faces a wager",
            f"it is still the turn of seat {seat}",
        ),
    )


def turned_up_by_other(s: Situation) -> Finding:
    """Somebody else turned a hand up.

    Facts: `seat`; `by` (`player`, `dealer`); `by_seat` where a player did; `thrown_away`; `asked` (by its player).
    """
    seat = s.seat()
    cited = s.cite("hand.turned_up_by_other")
    if s.flag("thrown_away", default=False):
        why = "thrown away by its player, turned up by another"
        return dead(s, seat, why, cited, "by", "by_seat", conduct=_by_a_player(s, cited))
    if s.flag("asked", default=False):
        return live(s, seat, "it was turned up as its player asked", cited, "asked")
    return Finding(
        remedy="hand_live",
        says=f"nobody asked for it: noted as an error, the hand of seat {seat} stays live",
        rules=cited,
        seats=(seat,),
        steps=("note the error",),
        conduct=_by_a_player(s, cited),
    )


def _by_a_player(s: Situation, rules: tuple[str, ...]) -> tuple[Conduct, ...]:
    if "by_seat" not in s.told:
        return ()
    return (Conduct(s.seat("by_seat"), "turned_up_anothers_hand", rules),)


def taken_by_dealer(s: Situation) -> Finding:
    """The dealer took a hand by mistake. Facts: `seat`; `protected`; `identifiable`."""
    seat = s.seat()
    key = "hand.muck_touch"
    if not s.flag("protected"):
        return dead(
            s,
            seat,
            "it was not protected: the loss is its player's own, no refund",
            s.cite("hand.own_protection"),
            "protected",
        )
    if s.rules.choice(key) == "dead":
        return dead(
            s,
            seat,
            "it was protected, so nobody's fault, but cards in the muck are dead by the letter",
            s.cite(key),
            "protected",
            choices=(
                Choice("hand_live", "the cards are given back", s.cite("ruling.fairness_override")),
            ),
        )
    if not s.flag("identifiable"):
        return dead(s, seat, "it cannot be identified", s.cite(key), "identifiable", "protected")
    return _retrieved(
        s, seat, "it was protected and can be identified", s.cite("hand.own_protection", key)
    )


def fouled_by_discard(s: Situation) -> Finding:
    """Cards thrown away touched another's hand. Facts: `seat` (the hand touched); `protected`; `in_doubt`."""
    seat = s.seat()
    key = "hand.fouled_by_discard"
    if s.flag("protected"):
        return live(s, seat, "it was protected", s.cite("hand.own_protection"), "protected")
    if s.rules.choice(key) == "dead" or s.flag("in_doubt"):
        cited = s.cite(key, "hand.own_protection")
        return dead(s, seat, "an unprotected hand was fouled", cited, "in_doubt", "protected")
    return live(s, seat, "there is no doubt which cards are whose", s.cite(key), "in_doubt")


def not_seated(s: Situation) -> Finding:
    """A player who was dealt in is not in the chair.

    Facts: `seat`; `deal_complete`; `action_reached`; `seated`.
    """
    seat = s.seat()
    key = "hand.seated_by"
    due = "deal_complete" if s.rules.choice(key) == "deal_complete" else "action_reached"
    if s.flag(due) and not s.flag("seated"):
        return dead(
            s,
            seat,
            f"its player was not in the chair once the {due.replace('_', ' ')}",
            s.cite(key),
            due,
            "seated",
        )
    return live(s, seat, "its player is in the chair in time", s.cite(key), due, "seated")


def collect_before_award(s: Situation) -> Finding:
    """The dealer wants to take a winner's cards before the pot is pushed. Facts: `seat`; `awarded`."""
    if s.flag("awarded"):
        return stands(
            s, "the pot is awarded: the cards may be collected", s.cite("showdown.keep_cards")
        )
    return refused(
        s,
        f"seat {s.seat()} may keep hold of the cards until the pot is awarded",
        s.cite("showdown.keep_cards"),
    )


def out_of_view(s: Situation) -> Finding:
    """Cards or chips are not in plain view; noted against the player, the hand stays live."""
    seat = s.seat()
    what = s.text("what", "cards")
    key = "hand.cards_in_view" if what == "cards" else "chips.clear_view"
    return live(
        s,
        seat,
        f"its {what} were out of view; the conduct is noted",
        s.cite(key),
        "what",
        steps=(f"ask seat {seat} to bring the {what} into view",),
        conduct=(
            Conduct(seat, "cards_hidden" if what == "cards" else "chip_obstruction", s.cite(key)),
        ),
    )


RULES: Final[dict[str, Rule]] = {
    "touched_muck": touched_muck,
    "thrown_into_hand": thrown_into_hand,
    "thrown_forward": thrown_forward,
    "announced_fold": announced_fold,
    "turned_up_by_other": turned_up_by_other,
    "taken_by_dealer": taken_by_dealer,
    "fouled_by_discard": fouled_by_discard,
    "not_seated": not_seated,
    "collect_before_award": collect_before_award,
    "out_of_view": out_of_view,
}
