"""The showdown: showing, throwing away, asking to see, killing losers."""

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.poker.cards import UNKNOWN
from cardroom.poker.chairs import Chair, Fate, chair_at
from cardroom.poker.variants import Combine
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand
from cardroom.tables.hand_events import Phase
from cardroom.tables.hand_flow import check_new_cards, contested
from cardroom.tables.hand_reading import at_showdown, cards_down, so_far_winning, winning_seats
from cardroom.tables.hand_rules import HandRules


def show_hand(state: Hand, command: do.ShowHand, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of cards turned face up by their player at the showdown.

    Raises:
        Refused: CR-6 the betting is not over, or cards are still to be exchanged or ways declared; CR-5 a card that
            is not of this hand; the book's order of side pots.
    """
    chair = _live_chair(state, command.seat)
    if not state.betting_over or state.phase is Phase.VOID:
        raise Refused(
            "SHOWDOWN_NOT_REACHED",
            ("CR-6", *rules.show.order_cites),
            f"seat {command.seat}: hands are shown when the betting is over; it is {state.phase.value}",
            field="seat",
        )
    _check_hands_final(state, rules)
    _check_side_pot_first(state, chair, rules)
    whole = cards_down(chair, state, rules)
    shown = command.cards
    if not shown:
        # The whole hand; cards that nobody read are shown all the same.
        left = tuple(card for card in chair.down if card not in chair.shown)
        shown = left + (UNKNOWN,) * (whole - len(chair.shown) - len(left))
    _check_shown(state, chair, shown, whole)
    turned = len(chair.shown) + len(shown)
    return (
        ev.HandShown(
            seat=chair.seat,
            cards=shown,
            tabled=turned >= whole,
            source=command.source,
        ),
    )


def _check_hands_final(state: Hand, rules: HandRules) -> None:
    """Refuse a hand shown while its player has yet to exchange cards or to declare, though the betting be over."""
    if state.phase is Phase.SHOWDOWN or state.over:
        return
    # The next street's exchange is over where its cards are due.
    after = state.street + 1 + (state.phase is Phase.DEALING)
    if any(street.exchange for street in rules.variant.streets[after:]):
        code, due = "EXCHANGE_FIRST", "the cards are exchanged"
    elif rules.declares and not state.ways:
        code, due = "DECLARATIONS_FIRST", "all have declared"
    else:
        return
    raise Refused(
        code,
        ("CR-6", *rules.show.order_cites),
        f"hand {state.hand}: hands are shown once {due}",
        field="seat",
    )


def _check_shown(state: Hand, chair: Chair, shown: tuple[str, ...], whole: int) -> None:
    """Refuse cards that are not of the hand, or lie face up already."""
    down = list(chair.down)
    for card in shown:
        if card == UNKNOWN:
            continue
        if card in chair.up or card in chair.shown:
            raise Refused(
                "CARD_SHOWN_BEFORE",
                "CR-5",
                f"cards: {card} of seat {chair.seat} lies face up already",
                field="cards",
            )
        if card in down:
            down.remove(card)
        elif UNKNOWN in down:
            check_new_cards(state, (card,), "cards")
            down.remove(UNKNOWN)
        elif len(chair.down) < whole:
            check_new_cards(state, (card,), "cards")
        else:
            raise Refused(
                "CARD_NOT_HELD",
                "CR-5",
                f"cards: {card} is not of seat {chair.seat}'s hand",
                field="cards",
            )


def _live_chair(state: Hand, seat: int) -> Chair:
    chair = chair_at(state.chairs, seat)
    if chair is None:
        raise Refused(
            "SEAT_NOT_DEALT_IN",
            "CR-2",
            f"seat {seat} was not dealt into hand {state.hand}",
            field="seat",
        )
    if not chair.live and not _asked_for(state, seat):
        raise Refused(
            "HAND_NOT_LIVE",
            "CR-6",
            f"seat {seat}: the hand is {chair.fate.value}",
            field="seat",
        )
    return chair


def _asked_for(state: Hand, seat: int) -> bool:
    return any(asked == seat for _, asked in state.asked)


def _check_side_pot_first(state: Hand, chair: Chair, rules: HandRules) -> None:
    if not rules.show.side_pot_hidden:
        return
    for at, pot in enumerate(state.pots):
        if (
            at not in state.awarded
            and chair.seat not in pot.seats
            and len(contested(state, pot)) > 1
        ):
            raise Refused(
                "SIDE_POT_FIRST",
                rules.show.side_cites,
                f"seat {chair.seat} is in for the main pot only and waits until the side pot is awarded",
                field="seat",
            )


def muck_hand(state: Hand, command: do.MuckHand, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of a hand thrown away at the showdown.

    Raises:
        Refused: CR-6, there is no showdown, or the hand is no longer live or is the only one.
    """
    chair = _live_chair(state, command.seat)
    at_showdown(state, rules)
    return (
        ev.HandMucked(seat=chair.seat, in_muck=command.in_muck, identifiable=command.identifiable),
    )


def say_board_plays(state: Hand, command: do.SayBoardPlays, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of a player who says that the board plays.

    Raises:
        Refused: the form cannot play the board, or the cards were thrown away before.
    """
    if rules.variant.combine is Combine.TWO_AND_THREE or not rules.variant.board_cards:
        raise Refused(
            "BOARD_CANNOT_BE_PLAYED",
            rules.book.cite("game.omaha" if rules.variant.board_cards else "showdown.all_cards"),
            f"seat {command.seat}: the board cannot be played in {rules.variant.form.value}",
            field="seat",
        )
    chair = chair_at(state.chairs, command.seat)
    if chair is None or not chair.live:
        raise Refused(
            "THROWN_AWAY_BEFORE",
            rules.show.board_cites,
            f"seat {command.seat} did not say that the board plays before throwing the cards away",
            field="seat",
        )
    at_showdown(state, rules)
    if not rules.show.board_declared:
        raise Refused(
            "CARDS_MUST_BE_SHOWN",
            rules.show.board_cites,
            f"seat {command.seat}: who plays the board shows the cards; saying so claims nothing",
            field="seat",
        )
    return (ev.BoardPlayed(seat=command.seat, rules=rules.show.board_cites),)


def kill_hand(state: Hand, command: do.KillHand, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of a losing hand killed by the dealer.

    Raises:
        Refused: the hand wins some pot by its cards, or there is no showdown.
    """
    chair = _live_chair(state, command.seat)
    at_showdown(state, rules)
    if chair.seat in winning_seats(state, rules):
        raise Refused(
            "HAND_WINS",
            rules.show.speak_cites,
            f"seat {chair.seat}'s hand wins by its cards and cannot be killed",
            field="seat",
        )
    return (ev.HandKilled(seat=chair.seat, rules=rules.show.killed_cites),)


def ask_to_see(state: Hand, command: do.AskToSee, rules: HandRules) -> tuple[Event, ...]:
    """Return what a request to see a called hand brings: a dead hand, or a live one where the winner asks.

    Raises:
        Refused: who asks has no right to; nobody called; the hand cannot be asked for any more.
    """
    show = rules.show
    asked = chair_at(state.chairs, command.seat)
    if asked is None:
        raise Refused(
            "SEAT_NOT_DEALT_IN", "CR-2", f"seat {command.seat} was not dealt in", field="seat"
        )
    if command.privilege_withdrawn:
        raise Refused(
            "PRIVILEGE_WITHDRAWN",
            show.request_cites,
            f"asked_by: seat {command.asked_by} has lost the privilege of asking",
            field="asked_by",
        )
    asker = chair_at(state.chairs, command.asked_by)
    if not command.asker_seated:
        raise Refused(
            "NOT_SEATED",
            show.request_by_cites,
            f"asked_by: the player of seat {command.asked_by} does not sit at the table",
            field="asked_by",
        )
    if asker is None and not show.any_seated_may_ask:
        raise Refused(
            "NOT_DEALT_IN",
            show.request_by_cites,
            f"asked_by: seat {command.asked_by} was not dealt in",
            field="asked_by",
        )
    if not state.showdown:
        raise Refused(
            "NOBODY_CALLED",
            show.uncalled_cites,
            f"seat {command.seat}: the last wager was not called, the hand need not be shown",
            field="seat",
        )
    if state.phase is not Phase.SHOWDOWN:
        raise Refused(
            "POT_AWARDED", "CR-6", "a request is good until the pot is awarded", field="seat"
        )
    # Where a hand may be asked for that was thrown away, only such a one is dead (LC-75, WP-3S5); elsewhere the hand
    # still lies before its player and the dealer kills it first (RC-S5a).
    kills = not (asked.live and show.mucked_may_be_asked)
    _check_loser(state, asked, rules, kills=kills)
    _check_identifiable(state, asked, rules)
    winner = command.asked_by in so_far_winning(state, rules)
    return (
        ev.HandRequested(
            asked_by=command.asked_by,
            seat=command.seat,
            live=winner or not kills,
            rules=show.request_cites,
        ),
    )


def _check_loser(state: Hand, asked: Chair, rules: HandRules, *, kills: bool) -> None:
    """Refuse a request for a hand that lies face up or was asked for, or to kill one while none lies face up."""
    if asked.tabled:
        raise Refused(
            "HAND_SHOWN",
            rules.show.request_cites,
            f"seat {asked.seat}: the hand lies face up already",
            field="seat",
        )
    if _asked_for(state, asked.seat):
        raise Refused(
            "ASKED_BEFORE",
            rules.show.request_cites,
            f"seat {asked.seat}: the hand was asked for before, and what came of it stands",
            field="seat",
        )
    if kills and asked.live and not any(chair.tabled and chair.live for chair in state.chairs):
        raise Refused(
            "NO_WINNER_YET",
            rules.show.request_cites,
            f"seat {asked.seat}: a hand can be asked for once another lies face up as the winner",
            field="seat",
        )


def _check_identifiable(state: Hand, asked: Chair, rules: HandRules) -> None:
    if asked.fate is Fate.FOLDED or not any(asked.seat in pot.seats for pot in state.pots):
        raise Refused(
            "HAND_NOT_CALLED",
            rules.show.request_cites,
            f"seat {asked.seat}: only a hand in at the end of the betting can be asked for",
            field="seat",
        )
    # The dealer kills a hand by touching it to the muck.
    killed = ((asked.seat, True, True),) if asked.fate is Fate.KILLED else ()
    for seat, in_muck, identifiable in (*state.unseen, *killed):
        if seat == asked.seat:
            if in_muck and not rules.show.mucked_may_be_asked:
                raise Refused(
                    "HAND_IN_MUCK",
                    rules.show.mucked_cites,
                    f"seat {seat}: the hand is in the muck",
                    field="seat",
                )
            if not identifiable:
                raise Refused(
                    "HAND_NOT_IDENTIFIABLE",
                    rules.show.mucked_cites,
                    f"seat {seat}: the hand can no longer be told from the other cards",
                    field="seat",
                )
