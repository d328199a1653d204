"""Chips and pots gone wrong: a short pot, a wrong award, claims on the house, cash and chips that may not play."""

from typing import Final

from msgspec.structs import replace

from cardroom.kernel.money import dollars
from cardroom.known.buyins import full_buy_in_cents
from cardroom.known.citing import stated
from cardroom.tables.dispute import next_deal_begun
from cardroom.tables.findings import ChipMove, Choice, Conduct, Finding
from cardroom.tables.irregularities.remedies import refused, stands
from cardroom.tables.irregularities.situation import Rule, Situation


def short_pot(s: Situation) -> Finding:
    """Somebody put too little into the pot.

    Facts: `seat`; `due_cents`, `put_in_cents`; `betting_complete` (the round is over).
    """
    seat = s.seat()
    due, put_in = s.count("due_cents"), s.count("put_in_cents")
    short = due - put_in
    cited = s.cite("ruling.anyone_may_report", "betting.short_wager_completed")
    if s.flag("betting_complete", default=False):
        return stands(
            s,
            f"the betting of the round is complete: the {dollars(put_in)} of seat {seat} stands",
            cited,
            "betting_complete",
        )
    return Finding(
        remedy="add_chips",
        says=f"{dollars(due)} was due and {dollars(put_in)} put in: seat {seat} adds {dollars(short)}",
        rules=cited,
        seats=(seat,),
        chips=(ChipMove(f"seat:{seat}", "pot", short),),
        facts=s.facts("due_cents", "put_in_cents"),
    )


def wrong_award(s: Situation) -> Finding:
    """A pot is about to go, or went, to the wrong hand.

    Facts: `seat` (whose hand wins); `to_seat` (who is about to get it or got it); `pushed`; `mixed`; `pot_cents`.
    """
    seat, wrong = s.seat(), s.seat("to_seat")
    cents = s.count("pot_cents")
    cited = s.cite("ruling.anyone_may_report", "showdown.cards_speak")
    if not s.flag("pushed"):
        return Finding(
            remedy="award_held",
            says=f"the award is held and the hands are read: {dollars(cents)} goes to seat {seat}",
            rules=cited,
            seats=(seat,),
            chips=(ChipMove("pot", f"seat:{seat}", cents),),
            steps=("hold the pot", "read the hands face up"),
        )
    deadline = "ruling.request_deadline"
    if s.hand.hand and next_deal_begun(s.table, s.hand.number, s.rules):
        return stands(s, "the next deal has begun; the award stands", s.cite(deadline), "pushed")
    key = "ruling.reconstruct_pot"
    if not s.rules.flag(key):
        return stands(s, "the pot was pushed and mixed; the award stands", s.cite(key), "pushed")
    return Finding(
        remedy="move_pot",
        says=f"the pot is rebuilt from the betting: {dollars(cents)} moves from seat {wrong} to seat {seat}",
        rules=s.cite(key),
        seats=(wrong, seat),
        chips=(ChipMove(f"seat:{wrong}", f"seat:{seat}", cents),),
        facts=s.facts("pot_cents", "pushed"),
        choices=(Choice("stands", "the award stands", s.cite(key)),),
    )


def claim_on_house(s: Situation) -> Finding:
    """A player wants money from the house.

    Facts: `cause` (`ruling`, `chips_left_on_table`); `good_faith` (of the employee) for a ruling; `claimed_cents`;
    for chips `recorded_cents` and `found_cents`.
    """
    cited = s.cite("ruling.no_house_liability")
    if s.text("cause") == "ruling" and not s.flag("good_faith"):
        return Finding(
            remedy="floor_decides",
            says="good faith is in doubt: nothing is proposed, management decides",
            rules=s.cite("ruling.fairness_override", "ruling.final_authority"),
            choices=(
                Choice("claim_denied", "the claim is denied", cited),
                Choice(
                    "claim_paid",
                    "the house pays from its own account",
                    s.cite("ruling.fairness_override"),
                ),
            ),
            facts=s.facts("good_faith", "claimed_cents"),
        )
    return Finding(
        remedy="claim_denied",
        says="the house is not liable: no chips move, nothing is paid",
        rules=cited,
        facts=s.facts("cause", "good_faith", "claimed_cents", "recorded_cents", "found_cents"),
        choices=(
            Choice(
                "claim_paid",
                "the house pays from its own account",
                s.cite("ruling.fairness_override"),
            ),
        ),
    )


def cash_on_table(s: Situation) -> Finding:
    """Cash lies on the table in a hand.

    Facts: `seat`; `chips_cents`; `cash_cents`; `announced` (before the deal, chips asked for); `noticed` (before the
    pot); `objected` (somebody in the pot); `foreign` (it is another house's chips).
    """
    seat = s.seat()
    chips, cash = s.count("chips_cents"), s.count("cash_cents")
    key = "chips.cash_plays"
    cited = s.cite(key)
    if s.flag("foreign", default=False):
        cited = s.cite("chips.foreign_chips_play")
        if s.rules.choice("chips.foreign_chips_play") == "no":
            return _plays(s, seat, chips, cited)
        cited = s.cite("chips.foreign_chips_play", key)
    match s.rules.choice(key):
        case "no":
            plays = False
        case "if_announced":
            plays = s.flag("announced")
        case _:
            plays = not s.flag("noticed", default=False) and not s.flag("objected")
    return _plays(s, seat, chips + cash if plays else chips, cited)


def _plays(s: Situation, seat: int, cents: int, rules: tuple[str, ...]) -> Finding:
    return Finding(
        remedy="plays",
        says=f"seat {seat} plays {dollars(cents)}",
        rules=rules,
        seats=(seat,),
        steps=("change the cash to chips after the hand",),
        chips=(ChipMove(f"seat:{seat}", "pot", cents),),
        facts=s.facts("chips_cents", "cash_cents", "announced", "noticed", "objected", "foreign"),
    )


def undeclared_buy_in(s: Situation) -> Finding:
    """A player looked at a hand without having said how much he buys. Facts: `seat`; `brought_cents`; `least_cents`."""
    seat = s.seat()
    key = "chips.undeclared_plays"
    brought = s.count("brought_cents")
    on_table = s.count("chips_cents", default=0)
    least = s.count("least_cents", default=full_buy_in_cents(s.game, s.rules))
    cents = on_table
    if s.rules.choice(key) == "minimum_buy_in":
        cents = max(on_table, min(brought + on_table, least))
    return _plays(s, seat, cents, s.cite(key))


def chips_in_rack(s: Situation) -> Finding:
    """Chips stand in a rack (chips.racks)."""
    seat = s.seat()
    key = "chips.racks"
    step = (
        f"ask seat {seat} to take the rack off the table"
        if s.rules.choice(key) == "none_on_table"
        else f"ask seat {seat} to unrack the chips"
    )
    return Finding(
        remedy="notice",
        says=f"noted against seat {seat}; the chips count, but are not played from a rack",
        rules=s.cite(key),
        seats=(seat,),
        steps=(step,),
        binding=True,
        conduct=(Conduct(seat, "rack_on_table", s.cite(key)),),
    )


def stack_asked(s: Situation) -> Finding:
    """A player asks for a clear view of another's chips. Facts: `seat` (whose); `by`; `hidden` (large chips were)."""
    seat = s.seat()
    stack = s.table.seats[seat].stack_cents if seat in s.table.seats else None
    told = dollars(stack) if stack is not None else "not counted: count it"
    cited, hidden = s.cite("chips.clear_view"), s.flag("hidden", default=False)
    return Finding(
        remedy="view_granted",
        says=f"seat {seat} shows its chips, the large ones in sight: {told}",
        rules=cited,
        seats=(seat,),
        steps=(f"seat {seat} uncovers its chips",),
        binding=True,
        conduct=(Conduct(seat, "chip_obstruction", cited),) if hidden else (),
    )


def play_anothers_chips(s: Situation) -> Finding:
    """Somebody wants to play with another's chips (chips.no_passing, seating.play_for_absent)."""
    key = "seating.play_for_absent"
    cited = s.cite("chips.no_passing", key)
    if s.rules.choice(key) == "never":
        return refused(s, "nobody plays another's chips", cited)
    return Finding(
        remedy="floor_decides",
        says="the floor may let somebody play an absent player's chips",
        rules=cited,
        choices=(
            Choice("allowed", "he may play them", s.cite(key)),
            Choice("request_refused", "he may not", cited),
        ),
    )


def pass_chips(s: Situation) -> Finding:
    """A player passes chips to another.

    Facts: `seat`; `to_seat`; `cents`; `awaiting_cents` (the receiver's on order).
    """
    key = "chips.lend_to_player_awaiting_chips"
    cents = s.count("cents")
    awaiting = s.count("awaiting_cents", default=0)
    if s.rules.flag(key) and awaiting >= cents > 0:
        seat, to_seat = s.seat(), s.seat("to_seat")
        return Finding(
            remedy="allowed",
            says=f"nobody's stake changes: {dollars(cents)} plays behind for seat {seat}",
            rules=s.cite(key),
            seats=(seat, to_seat),
            steps=(f"on delivery give {dollars(cents)} to seat {seat}",),
        )
    return refused(s, "chips are not passed between players", s.cite("chips.no_passing"))


def play_behind(s: Situation) -> Finding:
    """A player declares that he plays behind. Facts: `seat`; `cents`; `in_transit` (bought and on their way)."""
    if s.flag("in_transit"):
        return stands(
            s,
            f"{dollars(s.count('cents'))} plays behind once announced",
            s.cite("chips.in_transit"),
            "in_transit",
        )
    return refused(s, "nothing is on its way: only chips in front play", s.cite("chips.in_transit"))


def color_up(s: Situation) -> Finding:
    """A player wants larger chips for smaller ones.

    Facts: `seat`; `disruptive` (a floorperson noted it against him).
    """
    cited = s.cite("chips.color_up")
    if s.flag("disruptive", default=False):
        return refused(s, "coloring up disrupted the game before", cited, "disruptive")
    return stands(s, f"seat {s.seat()} colors up; the stack stays what it is", cited)


def small_chips(s: Situation) -> Finding:
    """Chips smaller than the smallest that plays are in a stack.

    Facts: `seat`; `stack_cents`; `small_cents` (how much of it is in such chips); `exchange` (he wants them changed);
    `kept_cents` (playing chips kept back from an all-in).
    """
    seat = s.seat()
    key = "chips.smallest_playing"
    if s.flag("exchange", default=False):
        cited = s.cite("chips.small_chips", key)
        if s.table.hand is not None and seat in s.table.hand.dealt:
            return refused(s, "small chips are changed between deals", cited, "exchange")
        return stands(s, "they are changed and play from the next deal", cited, "exchange")
    if s.count("kept_cents", default=0):
        return refused(
            s,
            f"an all-in takes every chip that plays: {dollars(s.count('stack_cents'))}",
            s.cite("betting.all_in_may_be_short", key),
            "kept_cents",
        )
    plays = s.count("stack_cents") - s.count("small_cents")
    found = _plays(s, seat, plays, s.cite(key, "chips.small_chips"))
    return replace(found, steps=("change the small chips between deals",))


def refund_asked(s: Situation) -> Finding:
    """A player wants collections or blinds back. Facts: `after_discipline`."""
    cited = stated(s.rules, "LC-5")
    return refused(s, "nothing is given back for collections or blinds", cited, "after_discipline")


def insurance_asked(s: Situation) -> Finding:
    """Players want to insure a pot with each other (pots.insurance).

    Facts: `seat` (who buys); `from_seat` (who sells).
    """
    seat, seller = s.seat(), s.seat("from_seat")
    cited = s.cite("pots.insurance")
    told = f"insurance on the pot between seats {seat} and {seller}"
    if not s.rules.flag("pots.insurance"):
        return refused(s, f"{told} is not allowed", cited, "from_seat")
    return stands(s, f"{told} is settled between them when the hand is over", cited, "from_seat")


def acted_for_another(s: Situation) -> Finding:
    """Somebody else wants to act for a player, or tells him what to do.

    Facts: `seat`; `by` (`seat:3`, or a name); `acted` (no: he only advised).
    """
    seat = s.seat()
    cited = stated(s.rules, "LC-10", "RC-G7", "WP-2P8")
    if s.flag("acted"):
        return refused(s, f"the hand of seat {seat} is played by its player alone", cited, "by")
    return Finding(
        remedy="incident",
        says=f"advice to seat {seat} is recorded against {s.text('by')}; the player chooses freely",
        rules=cited,
        seats=(seat,),
        facts=s.facts("by"),
        binding=True,
        conduct=_adviser(s, cited),
    )


def _adviser(s: Situation, rules: tuple[str, ...]) -> tuple[Conduct, ...]:
    """Return what goes on the record of an adviser who sits here; of others it stands with the hand alone."""
    kind, _, number = s.text("by").partition(":")
    if kind != "seat" or not number.isdigit():
        return ()
    return (Conduct(int(number), "advice_during_live_hand", rules),)


RULES: Final[dict[str, Rule]] = {
    "acted_for_another": acted_for_another,
    "short_pot": short_pot,
    "wrong_award": wrong_award,
    "claim_on_house": claim_on_house,
    "cash_on_table": cash_on_table,
    "undeclared_buy_in": undeclared_buy_in,
    "chips_in_rack": chips_in_rack,
    "stack_asked": stack_asked,
    "play_anothers_chips": play_anothers_chips,
    "pass_chips": pass_chips,
    "play_behind": play_behind,
    "refund_asked": refund_asked,
    "insurance_asked": insurance_asked,
    "color_up": color_up,
    "small_chips": small_chips,
}
