"""Hands shown, told and miscalled; cards dropped by players; stud upcards handled and cards counted at the showdown."""

from typing import Final

from cardroom.kernel.money import dollars
from cardroom.known.games import Form
from cardroom.poker.chairs import Chair, Chairs
from cardroom.poker.pots import uncalled
from cardroom.tables.findings import ChipMove, Choice, Conduct, Finding
from cardroom.tables.hand_events import Phase
from cardroom.tables.irregularities.remedies import dead, live
from cardroom.tables.irregularities.situation import Needed, Rule, Situation, words

REPEATED: Final = 3
"""So many miscalls by one player are put before the floor as a habit (RC-D4f)."""
LOW_CALLED: Final = frozenset({Form.LOWBALL, Form.RAZZ})
"""Games whose hands are called low."""


def miscall(s: Situation) -> Finding:
    """A player called his hand for what it is not.

    It does not bind, the cards speak; but at lowball a house may kill the hand of one whose call made another throw
    away or foul his (showdown.lowball_calls_bind).

    Facts: `seat` (who); `deliberate` (yes or no, as the floor finds it); `mucked` (seats that threw their hands away
    because of it); `count` (the player's miscalls, this one included).
    """
    seat = s.seat()
    mucked = s.seats("mucked")
    count = s.count("count", default=1)
    deliberate = s.told_flag("deliberate")
    cited = s.cite("showdown.cards_speak")
    binds = s.game.form in LOW_CALLED and s.rules.flag("showdown.lowball_calls_bind")
    if binds and mucked and not deliberate:
        return dead(
            s,
            seat,
            f"seat {seat} miscalled at lowball and {words(mucked)} threw away a hand because of it",
            s.cite("showdown.lowball_calls_bind"),
        )
    if deliberate is None and count >= REPEATED and mucked:
        return Finding(
            remedy="floor_decides",
            says=f"seat {seat} has miscalled {count} times: the floor may kill the hand or take the pot",
            rules=(*cited, *s.cite("showdown.deliberate_miscall")),
            seats=(seat, *mucked),
            facts=s.facts("seat", "mucked", "count"),
            choices=(
                Choice("kill_hand", f"the hand of seat {seat} is killed", cited),
                Choice(
                    "forfeit_pot",
                    f"seat {seat} loses the pot",
                    s.cite("showdown.deliberate_miscall"),
                ),
                Choice("cards_speak", "the cards decide", cited),
            ),
        )
    if deliberate is None and mucked:
        raise Needed(
            ("deliberate",),
            "whether the miscall costs the pot",
            s.cite("showdown.deliberate_miscall"),
        )
    if not deliberate or not mucked:
        return Finding(
            remedy="cards_speak",
            says=f"what seat {seat} said does not bind: the hands are read as they lie",
            rules=cited,
            seats=(seat,),
            facts=s.facts("seat", "deliberate", "mucked", "count"),
        )
    return _forfeit(s, seat, mucked)


def _forfeit(s: Situation, seat: int, mucked: tuple[int, ...]) -> Finding:
    key = "showdown.deliberate_miscall"
    cents = s.count("pot_cents", default=0)
    others = [chair.seat for chair in s.hand.chairs if chair.live and chair.seat != seat]
    if others:
        to = "the best other live hand"
        chips = (ChipMove(f"seat:{seat}", f"seat:{others[0]}", cents),) if len(others) == 1 else ()
    else:
        to = words(mucked)
        chips = (ChipMove(f"seat:{seat}", f"seat:{mucked[0]}", cents),)
    choices = [Choice("other_receiver", "the floor names who gets the pot", s.cite(key))]
    if s.rules.choice(key) == "forfeits":
        # Killing the hand is the other thing that such a book lets management do (RC-D4f).
        kills = s.cite("showdown.cards_speak")
        choices.append(Choice("kill_hand", f"the hand of seat {seat} is killed", kills))
    if s.rules.choice(key) == "may_forfeit":
        choices.append(
            Choice(
                "discipline_only",
                f"the pot stays with seat {seat}, who is disciplined",
                s.cite(key),
            )
        )
    return Finding(
        remedy="forfeit_pot",
        says=f"seat {seat} miscalled on purpose and forfeits the {dollars(cents)}, which goes to {to}",
        rules=(*s.cite(key), *s.cite("showdown.cards_speak")),
        seats=(seat, *mucked),
        steps=(f"record the miscall against the player of seat {seat}",),
        chips=chips,
        facts=s.facts("seat", "deliberate", "mucked"),
        choices=tuple(choices),
        conduct=(Conduct(seat, "deliberate_miscall", s.cite(key)),),
    )


def cards_shown(s: Situation) -> Finding:
    """Cards were shown to one player, and another wants to see them (show one, show all).

    Facts: `seat` (whose cards); `shown_to` (seat that saw them); `on_purpose` (default yes); `over` (the pot is
    awarded, where the hand does not show it).
    """
    seat, to = s.seat(), s.seat("shown_to")
    cited = s.cite("showdown.show_one_show_all")
    over = s.flag("over")
    in_pot = any(chair.seat == to and chair.live for chair in s.hand.chairs)
    told = s.facts("seat", "shown_to", "on_purpose", "over")
    if not in_pot and not over and not s.flag("on_purpose", default=True):
        return Finding(
            remedy="nothing_owed",
            says=f"seat {to} is not in the pot and saw the cards of seat {seat} by accident: nothing is owed",
            rules=cited,
            seats=(seat,),
            facts=told,
        )
    if in_pot or over:
        return Finding(
            remedy="show_now",
            says=f"the cards that seat {seat} showed to seat {to} are shown to all now",
            rules=cited,
            seats=(seat,),
            steps=(f"show the cards of seat {seat} to the table", "then go on"),
            facts=told,
        )
    return Finding(
        remedy="show_after_hand",
        says=f"seat {to} is not in the pot: the cards of seat {seat} are shown to all when the hand is over",
        rules=cited,
        seats=(seat,),
        steps=(f"show the cards of seat {seat} to the table when the hand is over",),
        facts=told,
    )


def exposed_hand(s: Situation) -> Finding:
    """A player showed or told what he holds before the betting was over (hand.exposed_before_showdown).

    Facts: `seat`; `ring` (no tournament); `players` (how many are in the pot).
    """
    seat = s.seat()
    key = "hand.exposed_before_showdown"
    cited = s.cite(key)
    chair = _chair(s, seat)
    open_still = not s.hand.betting_over and s.hand.phase is not Phase.SHOWDOWN
    if s.rules.choice(key) == "dead_unless_heads_up_ring":
        if open_still and _before_the_first_act(s):
            flashed = s.cite("deal.flashed_card")
            return live(
                s, seat, "nobody has acted: what its player flashed plays", flashed, "acted"
            )
        if open_still and (s.count("players") > 2 or not s.flag("ring")):
            return dead(s, seat, "it was shown while others are in the pot", cited, "seat", "ring")
        return live(s, seat, "it may be shown against a single opponent", cited, "seat", "ring")
    match s.rules.choice(key):
        case "improper_multiway":
            improper = s.count("players") >= 3
        case "improper_when_all_in":
            improper = chair is not None and chair.all_in
        case _:
            improper = True
    if open_still and improper:
        return Finding(
            remedy="incident",
            says=f"seat {seat} revealed a live hand while the betting is open; the hand stays live",
            rules=cited,
            seats=(seat,),
            steps=(f"record exposed_cards against the player of seat {seat}",),
            conduct=(Conduct(seat, "hand_revealed", cited),),
            facts=s.facts("seat"),
            choices=(Choice("no_incident", "nothing is recorded", cited),),
        )
    return live(s, seat, "the book does not mind it here", cited, "seat")


def _before_the_first_act(s: Situation) -> bool:
    told = "acted" in s.told or "acted_count" in s.told
    return (told or s.records_actions) and s.acted_count() == 0


def _chair(s: Situation, seat: int) -> Chair | None:
    return next((chair for chair in s.hand.chairs if chair.seat == seat), None)


def dropped_card(s: Situation) -> Finding:
    """A player dropped a card off the table (hand.card_dropped_by_player).

    Facts: `seat`; `card`; `picked_up` (the player took it up again before a floorperson came).
    """
    seat = s.seat()
    key = "hand.card_dropped_by_player"
    cited = s.cite(key)
    match s.rules.choice(key):
        case "hand_dead":
            return dead(s, seat, "a card of it left the table", cited, "card")
        case "plays":
            return live(s, seat, "a dropped card must be played", cited, "card")
    plays = Choice("hand_live", f"the card plays, known to all, and seat {seat} with it", cited)
    kills = Choice(
        "hand_dead",
        f"the card is dead, and the hand of seat {seat} lacks a card and is dead",
        (*cited, *s.cite("hand.wrong_count")),
    )
    picked_up = s.flag("picked_up", default=False)
    steps = ["stop play", "call the floor", "show the card to every player"]
    if picked_up:
        steps.append(f"record against the player of seat {seat} that he picked up a dropped card")
    return Finding(
        remedy="floor_decides",
        says=f"play stops until the card that seat {seat} dropped has been shown to all and the floor has ruled",
        rules=cited,
        seats=(seat,),
        steps=tuple(steps),
        facts=s.facts("seat", "card", "picked_up"),
        conduct=(Conduct(seat, "picked_up_dropped_card", cited),) if picked_up else (),
        choices=(kills, plays) if picked_up else (plays, kills),
    )


def upcards_handled(s: Situation) -> Finding:
    """A stud player lifted the upcards or turned one face down.

    Facts: `seat`; `how` (`lifted`, `turned_down`); `facing_wager`, `bet_made` (where the hand does not show it);
    `induced` (somebody behind acted because of it).
    """
    seat, how = s.seat(), s.text("how", "lifted")
    if how == "turned_down":
        key = "stud.upcards_turned_down"
        once_in = s.rules.choice(key) == "dead_once_bet_is_in"
        kills = s.flag("bet_made" if once_in else "facing_wager")
    else:
        key = "stud.upcards_lifted_facing_bet"
        kills = s.flag("facing_wager")
        if kills and s.rules.choice(key) == "dead_if_action_induced":
            kills = s.flag("induced")
    cited = s.cite(key)
    if not kills:
        discretion = s.cite("stud.upcards_lifted_facing_bet")
        return live(
            s,
            seat,
            "no rule kills it",
            cited,
            "how",
            "induced",
            choices=(Choice("hand_dead", "the floor may kill it at any time", discretion),),
            steps=("turn the cards up again",),
        )
    says = f"its upcards were {how.replace('_', ' ')}"
    says += " facing action, and that made another act" if how == "lifted" else " with a bet in"
    found = dead(s, seat, says, cited, "how", "facing_wager", "induced")
    return _with_winner(s, seat, found)


def _with_winner(s: Situation, seat: int, found: Finding) -> Finding:
    """Add what the only opponent gets back and wins where a dead hand leaves nobody else."""
    others = [chair for chair in s.hand.chairs if chair.seat != seat and chair.fate.value != "dead"]
    alone = [chair for chair in others if chair.live] or [
        chair for chair in others if chair.seat in s.seats("induced_seats")
    ]
    if len(alone) != 1:
        return found
    winner = alone[0].seat
    back = _uncalled_of(s.hand.chairs, winner)
    moves = [ChipMove("pot", f"seat:{winner}", back)] if back else []
    moves.append(ChipMove("pot", f"seat:{winner}", s.hand.pot_cents - back))
    return Finding(
        remedy=found.remedy,
        says=f"{found.says}; {dollars(s.hand.pot_cents - back)} goes to seat {winner}"
        + (f", whose uncalled {dollars(back)} goes back" if back else ""),
        rules=found.rules,
        seats=found.seats,
        steps=found.steps,
        chips=tuple(moves),
        facts=found.facts,
        choices=found.choices,
    )


def _uncalled_of(chairs: Chairs, seat: int) -> int:
    best, cents = uncalled(chairs)
    return cents if best == seat else 0


def cards_counted(s: Situation) -> Finding:
    """A stud hand has a wrong number of cards at the showdown.

    Facts: `seat`; `cards` (how many it has); `dealt` (how many it was dealt, default seven).
    """
    seat, cards, dealt = s.seat(), s.count("cards"), s.count("dealt", default=7)
    told = ("seat", "cards", "dealt")
    if cards > 7:
        found = dead(s, seat, f"it has {cards} cards", s.cite("hand.wrong_count"), *told)
        return Finding(
            remedy=found.remedy,
            says=f"{found.says}; nothing goes back",
            rules=(*found.rules, *s.cite("hand.dead_money_stays")),
            seats=found.seats,
            facts=found.facts,
        )
    cited = s.cite("stud.missing_last_card")
    if cards == dealt:
        return live(s, seat, f"it has the {cards} cards it was dealt", cited, *told)
    lost = f"it was dealt {dealt} cards and has {cards}"
    return dead(
        s,
        seat,
        lost,
        cited,
        *told,
        choices=(Choice("hand_live", "the floor may rule it live, with a reason", cited),),
    )


RULES: Final[dict[str, Rule]] = {
    "miscall": miscall,
    "cards_shown": cards_shown,
    "exposed_hand": exposed_hand,
    "dropped_card": dropped_card,
    "upcards_handled": upcards_handled,
    "cards_counted": cards_counted,
}
