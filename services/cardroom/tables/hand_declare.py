"""Declaring high-low: cards put away, fists closed, fists opened, or ways spoken in turn."""

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.poker.cards import UNKNOWN
from cardroom.poker.chairs import Chair, chair_at
from cardroom.poker.rounds import begin
from cardroom.poker.variants import Combine
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand
from cardroom.tables.hand_events import Phase
from cardroom.tables.hand_flow import first_left, showing_order
from cardroom.tables.hand_rules import HandRules

WAYS = ("high", "low", "both")


def put_away(state: Hand, command: do.PutAway, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of the cards that will not count put away before declaring (HG-L2c).

    Raises:
        Refused: declaring is not due, or the count or a card is wrong.
    """
    chair = _declarer(state, command.seat, rules)
    due = _to_put_away(chair, rules)
    if len(command.cards) != due or not due:
        raise Refused(
            "PUT_AWAY_COUNT",
            rules.high_low.declare_cites,
            f"cards: seat {chair.seat} puts {due} card(s) away, not {len(command.cards)}",
            field="cards",
        )
    for card in command.cards:
        if card != UNKNOWN and chair.down and card not in chair.down and UNKNOWN not in chair.down:
            raise Refused(
                "CARD_NOT_HELD",
                "CR-5",
                f"cards: seat {chair.seat} does not hold {card}",
                field="cards",
            )
    return (
        ev.CardsPutAway(
            hand=state.hand, seat=chair.seat, count=len(command.cards), cards=command.cards
        ),
    )


def _declarer(state: Hand, seat: int, rules: HandRules) -> Chair:
    if not rules.declares:
        raise Refused(
            "NO_DECLARING",
            rules.high_low.mode_cites,
            "there is no declaring in this game: the cards are shown and speak",
        )
    if state.phase is not Phase.DECLARING:
        raise Refused(
            "DECLARATIONS_FIXED" if state.ways else "BETTING_STILL_OPEN",
            rules.high_low.declare_cites,
            "declarations are fixed once opened"
            if state.ways
            else "declarations come after the last betting round",
        )
    chair = chair_at(state.chairs, seat)
    if chair is None or not chair.live:
        raise Refused(
            "HAND_NOT_LIVE", "CR-6", f"seat {seat} has no live hand to declare", field="seat"
        )
    return chair


def _to_put_away(chair: Chair, rules: HandRules) -> int:
    """Return how many cards a player has yet to put away: Omaha plays two of four."""
    if rules.variant.combine is not Combine.TWO_AND_THREE:
        return 0
    return rules.dealt[0][0] - 2 - len(chair.put_away)


def seal(state: Hand, command: do.SealDeclaration, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of a closed fist over the table; it may be replaced until the fists open.

    Raises:
        Refused: declaring is not due, cards are still to be put away, or the chips declare nothing.
    """
    chair = _declarer(state, command.seat, rules)
    if rules.high_low.in_turn:
        raise Refused(
            "DECLARED_ALOUD",
            rules.high_low.declare_cites,
            "declarations are spoken in turn in this game",
        )
    due = _to_put_away(chair, rules)
    if due:
        raise Refused(
            "CARDS_PUT_AWAY_FIRST",
            rules.high_low.declare_cites,
            f"seat {chair.seat}: {due} cards are put away first",
            field="seat",
        )
    if command.chips is not None and _way(command.chips, rules) is None:
        counts = ", ".join(f"{count} for {way}" for count, way in rules.high_low.chips)
        raise Refused(
            "NO_DECLARATION",
            rules.high_low.chips_cites,
            f"chips: {command.chips} chips are no declaration: {counts}",
            field="chips",
        )
    return (ev.DeclarationSealed(hand=state.hand, seat=chair.seat, chips=command.chips),)


def _way(chips: int | None, rules: HandRules) -> str | None:
    for count, way in rules.high_low.chips:
        if count == chips:
            return way
    return None


def reveal(state: Hand, command: do.RevealDeclarations, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of all fists opened together.

    Raises:
        Refused: somebody has not closed a fist yet, or the chips of one are not said (CR-12).
    """
    live = [chair.seat for chair in state.chairs if chair.live]
    _declarer(state, live[0], rules)
    fists = dict(state.sealed)
    missing = [seat for seat in live if seat not in fists]
    if missing:
        raise Refused(
            "NOT_ALL_SEALED",
            rules.high_low.declare_cites,
            "seats " + ", ".join(str(seat) for seat in missing) + " have not declared yet",
        )
    told = dict(command.chips)
    ways: list[tuple[int, str]] = []
    for seat in live:
        known = fists[seat]
        chips = told.get(seat) if known is None else known
        if chips is None:
            raise Refused(
                "CHIPS_UNKNOWN",
                "CR-12",
                f"chips: how many chips seat {seat} held is not known",
                field="chips",
            )
        # A fist that opens on no chip or too many has no claim.
        ways.append((seat, _way(chips, rules) or "none"))
    return _declared(state, tuple(ways), rules)


def declare_aloud(state: Hand, command: do.DeclareAloud, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of a way spoken in turn.

    Raises:
        Refused: chips declare in this game, it is not this seat's turn, or the way is none.
    """
    chair = _declarer(state, command.seat, rules)
    if not rules.high_low.in_turn:
        raise Refused(
            "DECLARED_WITH_CHIPS",
            rules.high_low.declare_cites,
            "declarations are made with chips, all together",
        )
    if _to_put_away(chair, rules):
        raise Refused(
            "CARDS_PUT_AWAY_FIRST",
            rules.high_low.declare_cites,
            f"seat {chair.seat}: cards are put away first",
            field="seat",
        )
    if command.way not in WAYS:
        raise Refused(
            "NO_DECLARATION",
            rules.high_low.declare_cites,
            f"way: {command.way!r} is none of {', '.join(WAYS)}",
            field="way",
        )
    waiting = [seat for seat in state.order if seat not in dict(state.sealed)]
    if command.seat != waiting[0]:
        raise Refused(
            "OUT_OF_TURN",
            rules.high_low.declare_cites,
            f"seat {command.seat}: seat {waiting[0]} declares first",
            field="seat",
        )
    chips = next(count for count, way in rules.high_low.chips if way == command.way)
    sealed = ev.DeclarationSealed(hand=state.hand, seat=chair.seat, chips=chips)
    if len(waiting) > 1:
        return (sealed,)
    fists = (*state.sealed, (chair.seat, chips))
    ways = tuple((seat, _way(count, rules) or "none") for seat, count in fists)
    return (sealed, *_declared(state, ways, rules))


def all_declared(state: Hand, rules: HandRules) -> tuple[Event, ...]:
    """Return what follows once nobody is left to declare aloud, nothing while somebody is.

    Args:
        state: the hand, a player having gone out of it.
        rules: of its book and game.
    """
    said = dict(state.sealed)
    live = [chair.seat for chair in state.chairs if chair.live]
    if not rules.high_low.in_turn or any(seat not in said for seat in live):
        return ()
    return _declared(
        state, tuple((seat, _way(said[seat], rules) or "none") for seat in live), rules
    )


def _declared(
    state: Hand, ways: tuple[tuple[int, str], ...], rules: HandRules
) -> tuple[Event, ...]:
    order, cites = showing_order(state, rules)
    if rules.high_low.bet_after_declare and not state.betting_over:
        last = len(rules.variant.streets) - 1
        betting = begin(
            state.chairs,
            rules.betting,
            street=last,
            first=first_left(state.chairs),
            bet_cents=state.big_bet_cents if rules.betting.fixed else state.small_bet_cents,
        )
        if betting.to_act:
            return (
                ev.DeclarationsRevealed(
                    ways=ways,
                    order=(),
                    rules=rules.high_low.declare_cites,
                    betting=betting,
                    phase=Phase.BETTING,
                ),
            )
    return (
        ev.DeclarationsRevealed(
            ways=ways,
            order=order,
            rules=tuple(dict.fromkeys((*rules.high_low.declare_cites, *cites))),
        ),
    )
