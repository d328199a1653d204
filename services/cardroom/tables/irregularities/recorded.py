"""What the record of a hand, and of its table, holds of the facts that irregularities turn on.

A fact that nobody tells is taken from here; one that is told otherwise stands beside what is found here. Each reader
returns None where the record does not hold its fact: then it has to be told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from cardroom.poker.betting import in_front
from cardroom.poker.chairs import Chair
from cardroom.poker.legal import WAGERS, Act
from cardroom.tables.hand import history_of
from cardroom.tables.hand_events import HandShown, Phase
from cardroom.tables.piles import DECK_CARDS, stub_cards

if TYPE_CHECKING:
    from cardroom.tables.irregularities.situation import Situation

Value = bool | int | str | tuple[int, ...] | None
"""What the record holds of a fact; None where it does not."""
Reading = Callable[["Situation"], Value]

FLOP: Final = 3
EXPOSURES: Final = frozenset({"replace_card", "card_stays_up", "misdeal", "play_out"})
"""What a card that the dealer exposed comes to; other findings say that it was none."""


def _told_seat(s: Situation, name: str = "seat") -> int | None:
    said = s.told.get(name, "").strip()
    return int(said) if said.isdigit() else None


def _chair(s: Situation) -> Chair | None:
    seat = _told_seat(s)
    return next((chair for chair in s.hand.chairs if chair.seat == seat), None)


def _street_told(s: Situation) -> int:
    """Return the index of the street that is spoken of: the one told, else the one dealt last."""
    names = [street.name for street in s.variant.streets]
    said = s.told.get("street", "")
    return names.index(said) if said in names else s.hand.street


# ------------------------------------------------------------------------------- the betting


def _begun(s: Situation) -> Value:
    """Whether anybody has acted on the street that is spoken of."""
    if not s.records_actions:
        return None
    street = _street_told(s)
    return any(action.betting.street == street for action in s.actions())


def _betting_over(s: Situation) -> Value:
    return s.hand.betting_over if s.records_actions else None


def _betting_complete(s: Situation) -> Value:
    return s.hand.phase is not Phase.BETTING if s.records_actions else None


def _due(s: Situation) -> Value:
    betting = s.hand.betting
    if not s.records_actions or betting is None or s.hand.phase is not Phase.BETTING:
        return None
    return betting.level_cents


def _acted(s: Situation) -> Value:
    if not s.records_actions:
        return None
    if s.hand.street > 0:
        return tuple(chair.seat for chair in s.hand.chairs)
    spoke = (one.seat for one in s.actions() if one.act is not Act.BRING_IN)
    return tuple(dict.fromkeys(spoke))


def _acted_count(s: Situation) -> Value:
    acted = _acted(s)
    return len(acted) if isinstance(acted, tuple) else None


def _player_acted(s: Situation) -> Value:
    acted, seat = _acted(s), _told_seat(s)
    return seat in acted if isinstance(acted, tuple) and seat is not None else None


def _wagered(s: Situation) -> Value:
    """Whether a player has put chips in of his own will; blinds and antes are forced."""
    seat = _told_seat(s)
    if not s.records_actions or seat is None:
        return None
    willing = WAGERS | {Act.CALL}
    return any(one.seat == seat and one.act in willing for one in s.actions())


def _facing(s: Situation) -> Value:
    """Whether a player has a wager to meet."""
    chair, betting = _chair(s), s.hand.betting
    if not s.records_actions or chair is None or betting is None:
        return None
    return s.hand.phase is Phase.BETTING and in_front(chair, betting) < betting.level_cents


def _bet_made(s: Situation) -> Value:
    betting = s.hand.betting
    return betting is not None and betting.aggressor != 0 if s.records_actions else None


def _acted_after_own(s: Situation) -> Value:
    """Whether anybody has acted after a player's last action."""
    seat, actions = _told_seat(s), s.actions() if s.records_actions else ()
    if all(one.seat != seat for one in actions):
        return None
    return actions[-1].seat != seat


def _acted_after_turn(s: Situation) -> Value:
    """Whether anybody has acted since a player's turn came.

    Not told by the record where the turn is another's: it does not hold when the cards were thrown.
    """
    seat = _told_seat(s)
    if not s.records_actions or seat is None:
        return None
    if s.hand.phase is Phase.SHOWDOWN:
        return False
    if s.hand.to_act != seat:
        return None
    last = s.actions()[-1:]
    return bool(last) and last[0].as_made and last[0].betting.street == s.hand.street


# ------------------------------------------------------------------------------ cards and pots


def _street_due(s: Situation) -> Value:
    """Return the street whose cards would come next."""
    at = s.hand.street + 1
    return s.variant.streets[at].name if s.hand.hand and at < len(s.variant.streets) else None


def _street_burned_for(s: Situation) -> Value:
    """Return the street that a burn was for: one already dealt, as told, else the last one, or the one that is due."""
    if not s.hand.hand or s.hand.street < 0:
        return None
    dealt = [street.name for street in s.variant.streets[1 : s.hand.street + 1]]
    due = _street_due(s) if s.hand.phase is Phase.DEALING else None
    said = s.told.get("street")
    if said is not None and (said in dealt or said == due):
        return said
    return due or (dealt[-1] if dealt else None)


def _last_card(s: Situation) -> Value:
    return s.hand.street == len(s.variant.streets) - 1 if s.hand.hand else None


def _cards_to_come(s: Situation) -> Value:
    return s.hand.street < len(s.variant.streets) - 1 and not s.hand.over if s.hand.hand else None


def _flop_up(s: Situation) -> Value:
    """Whether the flop lies face up; cards not yet entered may have been turned all the same."""
    return True if s.hand.hand and len(s.hand.boards[0]) >= FLOP else None


def _live(s: Situation) -> Value:
    live = tuple(chair.seat for chair in s.hand.chairs if chair.live)
    return live if s.hand.hand else None


def _live_count(s: Situation) -> Value:
    live = _live(s)
    return len(live) if isinstance(live, tuple) else None


def _stub(s: Situation) -> Value:
    """Return how many cards are left before stud's last round, folded hands' cards and burns being out."""
    if not s.hand.hand or not s.stud:
        return stub_cards(s.hand)
    if not 0 <= s.hand.street < len(s.variant.streets) - 1:
        return None
    down = sum(street.down for street in s.variant.streets[: s.hand.street + 1])
    dealt = sum(down + len(chair.up) for chair in s.hand.chairs if chair.seat)
    return DECK_CARDS - dealt - s.hand.street


def _burns(s: Situation) -> Value:
    return max(s.hand.street, 0) if s.hand.hand else None


def _tabled(s: Situation) -> Value:
    seat = _told_seat(s)
    if not s.hand.hand or seat is None:
        return None
    return any(
        isinstance(event, HandShown) and event.seat == seat and event.tabled
        for _, event in history_of(s.hand)
    )


def _showdown(s: Situation) -> Value:
    return s.hand.showdown if s.records_actions else None


def _pushed(s: Situation) -> Value:
    return bool(s.hand.awarded) or s.hand.over if s.hand.hand else None


def _over(s: Situation) -> Value:
    return s.hand.over if s.hand.hand else None


def _pot(s: Situation) -> Value:
    """Return what lies, or lay, in the pots by the recorded betting."""
    if not s.records_actions:
        return None
    taken = sum(rake + drop for _, rake, drop in s.hand.taken)
    return sum(chair.put_in_cents + chair.dead_cents for chair in s.hand.chairs) - taken


def put_in(s: Situation, seat: int) -> int | None:
    """Return what a seat has in the pots by the recorded betting, None where it is not recorded."""
    chair = next((one for one in s.hand.chairs if one.seat == seat), None)
    return chair.put_in_cents + chair.dead_cents if chair and s.records_actions else None


# ------------------------------------------------------------------------- errors reported before


def place_in_deal(s: Situation, told: dict[str, str]) -> int | None:
    """Return which card off the deck the `nth` card of a `seat` is, from 1."""
    seat, nth = told.get("seat", ""), told.get("nth", "")
    order = [chair.seat for chair in s.hand.chairs if chair.seat]
    if not (seat.isdigit() and nth.isdigit() and int(seat) in order):
        return None
    return (int(nth) - 1) * len(order) + order.index(int(seat)) + 1


def _place(s: Situation) -> Value:
    return place_in_deal(s, s.told)


def _same_card(s: Situation, told: dict[str, str]) -> str:
    """Return what tells a card of the deal from others; empty where nothing does."""
    place = told.get("place") or place_in_deal(s, told)
    return str(place) if place else told.get("card", "")


def _at_least(s: Situation, name: str, found: int) -> Value:
    """Return a count of errors reported; there may have been more that nobody reported."""
    said = s.told.get(name, "")
    more = said.isdigit() and int(said) >= found
    return found if found > 1 and not more else None


def _exposed(s: Situation) -> Value:
    """Return how many cards the dealer has exposed in this deal by the reports, this one included."""
    mine, others = _same_card(s, s.told), 0
    seen: set[str] = {mine} - {""}
    for one in s.earlier:
        told = {fact.name: fact.value for fact in one.facts}
        if one.kind != s.kind or one.finding.remedy not in EXPOSURES:
            continue
        card = _same_card(s, told)
        others += card not in seen
        seen |= {card} - {""}
    return _at_least(s, "exposed", others + 1)


def _boxed(s: Situation) -> Value:
    """Return how many boxed cards were found in this hand by the reports, this one included."""
    found = sum(one.kind == s.kind for one in s.earlier)
    return _at_least(s, "count", found + 1)


def _replaced_before(s: Situation) -> Value:
    """Whether the card came to a player whose exposed card was to be replaced."""
    seat = _told_seat(s)
    replaced = any(
        one.finding.remedy == "replace_card" and one.finding.seats == (seat,) for one in s.earlier
    )
    return True if replaced else None


# ------------------------------------------------------------------------------------ the table


def _in_chair(s: Situation) -> Value:
    """Whether a player is in his chair; known while the hand is in play."""
    seat = _told_seat(s)
    if s.table.hand is None or seat is None:
        return None
    sitting = s.table.seats.get(seat)
    return sitting is not None and sitting.present


def _deal_complete(s: Situation) -> Value:
    begun = s.records_actions and (bool(s.actions()) or s.hand.street > 0)
    return True if begun else None


def _action_reached(s: Situation) -> Value:
    seat, acted = _told_seat(s), _acted(s)
    if seat is None or not isinstance(acted, tuple):
        return None
    return seat == s.hand.to_act or seat in acted


def _posted(s: Situation) -> Value:
    seat = _told_seat(s)
    return True if any(post.seat == seat for post in s.hand.posts) else None


def _chips_at(s: Situation, name: str) -> Value:
    """Return the chips that a player began the hand with; as told where that is what he has left of them."""
    seat = _told_seat(s)
    dealt = next((one for one in s.hand.start.seats if one.seat == seat), None)
    if dealt is None:
        sitting = s.table.seats.get(seat or 0)
        if sitting is None or sitting.stack_cents is None:
            return None
        return sitting.stack_cents - sitting.behind_cents
    chair = _chair(s)
    left = chair.stack_cents if chair else None
    return left if left is not None and s.told.get(name) == str(left) else dealt.stack_cents


def _chips(s: Situation) -> Value:
    return _chips_at(s, "chips_cents")


def _stack(s: Situation) -> Value:
    return _chips_at(s, "stack_cents")


def _awaiting(s: Situation) -> Value:
    sitting = s.table.seats.get(_told_seat(s, "to_seat") or 0)
    return sitting.behind_cents + sitting.arriving_cents if sitting else None


def _in_transit(s: Situation) -> Value:
    sitting = s.table.seats.get(_told_seat(s) or 0)
    return bool(sitting.behind_cents + sitting.arriving_cents) if sitting else None


def _ring(s: Situation) -> Value:
    return not s.table.tournament


EVERYWHERE: Final[dict[str, Reading]] = {
    "acted": _acted,
    "acted_count": _acted_count,
    "player_acted": _player_acted,
}
"""Facts that mean the same whatever went wrong."""

OF_KIND: Final[dict[str, dict[str, Reading | None]]] = {
    "acted_for_another": {"acted": None},  # whether somebody else did, which no record holds
    "burn_error": {
        "street": _street_burned_for,
        "betting_begun": _begun,
        "all_in": _betting_over,
        "awarded": _pushed,
        "exposed": _flop_up,
        "last_card": _last_card,
    },
    "premature_cards": {"street": _street_due, "live": _live},
    "not_enough_cards": {"players": _live_count, "stub": _stub, "burns": _burns},
    "exposed_card": {"place": _place, "exposed": _exposed, "action_begun": _begun},
    "boxed_card": {"count": _boxed, "cards_needed": _cards_to_come},
    "out_of_sequence": {"replacement_of_exposed": _replaced_before},
    "foul_card": {"wagered": _wagered},
    "touched_muck": {"tabled": _tabled},
    "thrown_forward": {
        "facing_wager": _facing,
        "acted_after": _acted_after_turn,
        "showdown": _showdown,
        "tabled": _tabled,
    },
    "announced_fold": {"facing_wager": _facing},
    "upcards_handled": {"facing_wager": _facing, "bet_made": _bet_made},
    "not_seated": {
        "deal_complete": _deal_complete,
        "action_reached": _action_reached,
        "seated": _in_chair,
    },
    "player_dealt_out": {"present": _in_chair, "posted": _posted},
    "action_before_count": {"acted_after": _acted_after_own},
    "collect_before_award": {"awarded": _pushed},
    "cards_shown": {"over": _over},
    "exposed_hand": {"ring": _ring, "players": _live_count},
    "wrong_award": {"pushed": _pushed, "pot_cents": _pot},
    "miscall": {"pot_cents": _pot},
    "short_pot": {"betting_complete": _betting_complete, "due_cents": _due},
    "cash_on_table": {"chips_cents": _chips},
    "small_chips": {"stack_cents": _stack},
    "pass_chips": {"awaiting_cents": _awaiting},
    "play_behind": {"in_transit": _in_transit},
}
"""Kind of irregularity -> the facts of it that a record may hold."""


def recorded(s: Situation, name: str) -> Value:
    """Return what the record holds of a fact.

    Args:
        s: the situation.
        name: the fact.
    """
    if name.startswith("put_in_") and name.removeprefix("put_in_").isdigit():
        return put_in(s, int(name.removeprefix("put_in_")))
    reading = OF_KIND.get(s.kind, {}).get(name, EVERYWHERE.get(name))
    return reading(s) if reading else None
