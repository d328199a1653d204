"""What follows by itself: wagers gathered into pots, the next street, the showdown, and the end of a hand."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.poker.cards import UNKNOWN, known
from cardroom.poker.chairs import LIVE, Chair, Chairs
from cardroom.poker.pots import Pot, layered, uncalled
from cardroom.poker.rounds import begin, begin_forced
from cardroom.poker.showdown import show_order
from cardroom.poker.stud import open_pair, opener
from cardroom.poker.variants import Opens, Street
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, evolve, history_of
from cardroom.tables.hand_commands import DealStreet
from cardroom.tables.hand_events import Phase, SeatResult, Share
from cardroom.tables.hand_rules import HandRules


def after_betting(state: Hand, rules: HandRules) -> tuple[Event, ...]:
    """Return what follows when nobody is left to act: an uncalled return, the pots, and what comes next.

    Args:
        state: the hand after the last action.
        rules: of its book and game.
    """
    events: list[Event] = []
    seat, cents = uncalled(state.chairs)
    if cents:
        returned = ev.UncalledReturned(seat=seat, cents=cents, rules=rules.pots.side_cites)
        events.append(returned)
        state = evolve(state, returned)
    # Pots that are being pushed already stay as they were parted.
    pots = state.pots if state.awarded else layered(state.chairs)
    live = [chair for chair in state.chairs if chair.fate is LIVE]
    over = len([chair for chair in live if not chair.all_in]) < 2
    if len(live) < 2:
        closed = ev.BettingClosed(
            street=state.street, pots=pots, phase=Phase.SHOWDOWN, betting_over=True
        )
        events.append(closed)
        state = evolve(state, closed)
        return (*events, *_walk_over(state, rules))
    phase, order, cites = _next_phase(state, rules)
    events.append(
        ev.BettingClosed(
            street=state.street,
            pots=pots,
            phase=phase,
            order=order,
            betting_over=over or phase is Phase.SHOWDOWN,
            rules=cites,
        )
    )
    return tuple(events)


def _next_phase(state: Hand, rules: HandRules) -> tuple[Phase, tuple[int, ...], tuple[str, ...]]:
    streets = rules.variant.streets
    live = tuple(chair.seat for chair in state.chairs if chair.live)
    if state.street + 1 < len(streets):
        if streets[state.street + 1].exchange is not None:
            return Phase.EXCHANGING, live, ()
        return Phase.DEALING, (), ()
    if rules.declares and not state.ways:
        return Phase.DECLARING, live, rules.high_low.declare_cites
    order, cites = showing_order(state, rules)
    return Phase.SHOWDOWN, order, cites


def showing_order(state: Hand, rules: HandRules) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return in what order the live players show, and the rules it rests on.

    Args:
        state: the hand when its betting is over.
        rules: of its book and game.
    """
    betting = state.betting if state.betting and state.betting.last_by else None
    last = betting is not None and betting.street == len(rules.variant.streets) - 1
    first = first_left(state.chairs)
    if rules.variant.stud:
        street = rules.variant.streets[-1]
        first = opener(state.chairs, street.opens) or first
    order, cites = show_order(
        state.chairs,
        betting,
        rules.show,
        first=first,
        last_street=last,
        last_acted=_last_to_act(state) if rules.show.last_to_act_first else 0,
    )
    tabled = {chair.seat for chair in state.chairs if chair.tabled}
    return tuple(seat for seat in order if seat not in tabled), cites


def _last_to_act(state: Hand) -> int:
    """Return the last live seat to act but by folding, on whatever round (RC-S6); 0 where none ever did."""
    seat = state.betting.last_by if state.betting else 0
    live = {chair.seat for chair in state.chairs if chair.live}
    if seat in live:
        return seat
    # The round that is over tells of no one: only folds in it, or who acted last was ruled dead.
    for _, event in reversed(history_of(state)):
        if isinstance(event, ev.ActionTaken) and event.seat in live:
            return event.seat
    return 0


def first_left(chairs: Chairs) -> int:
    """Return the first live seat left of the button (stud: of the dealer)."""
    for chair in chairs:
        if chair.fate is LIVE:
            return chair.seat
    raise LookupError("no live hand is left")


def _walk_over(state: Hand, rules: HandRules) -> tuple[Event, ...]:
    """Push every pot that is left to the only hand left and settle."""
    events: list[Event] = []
    for at, pot in enumerate(state.pots):
        if at in state.awarded:
            continue
        winner = next(chair.seat for chair in state.chairs if chair.live)
        rake, drop = taken_from(state, at)
        awarded = ev.PotAwarded(
            pot=at,
            cents=pot.cents,
            rake_cents=rake,
            jackpot_drop_cents=drop,
            jackpot_odd_cents=0,
            shares=(Share(seat=winner, cents=pot.cents - rake - drop),),
            by_dealer=False,
            rules=rules.show.uncalled_cites,
        )
        events.append(awarded)
        state = evolve(state, awarded)
    return (*events, settlement(state))


def taken_from(state: Hand, pot: int) -> tuple[int, int]:
    """Return rake and jackpot drop taken out of a pot so far, in cents.

    What was taken before the pots were parted, or merged, may be more than the pot that it was taken from holds now:
    the rest is out of the next pot above that holds it, and what the last one does not hold out of those below.
    """
    if not state.taken:
        return 0, 0
    last = len(state.pots) - 1
    if last <= 0:
        return sum([entry[1] for entry in state.taken]), sum([entry[2] for entry in state.taken])
    shares = [[0, 0] for _ in state.pots]
    for at, rake, drop in state.taken:
        shares[min(at, last)][0] += rake
        shares[min(at, last)][1] += drop
    for here, there in (*pairwise(range(last + 1)), *pairwise(range(last, -1, -1))):
        for account in (1, 0):
            over = max(0, sum(shares[here]) - state.pots[here].cents)
            moved = min(over, shares[here][account])
            shares[here][account] -= moved
            shares[there][account] += moved
    return shares[pot][0], shares[pot][1]


def settlement(state: Hand) -> ev.HandSettled:
    """Return the event that ends a hand whose pots are all pushed.

    Args:
        state: the hand after the last pot.
    """
    won: dict[int, int] = {}
    for share in state.ending.shares:
        won[share.seat] = won.get(share.seat, 0) + share.cents
    to_the_end = {seat for pot in state.pots for seat in pot.seats}
    results = tuple(
        [
            _result(chair, won.get(chair.seat, 0), chair.seat in to_the_end)
            for chair in state.chairs
            if chair.seat
        ]
    )
    return ev.HandSettled(
        hand=state.hand,
        results=results,
        board=state.boards[0],
        rake_cents=sum(entry[1] for entry in state.taken),
        collection_cents=sum(chair.house_cents for chair in state.chairs),
        jackpot_drop_cents=sum(entry[2] for entry in state.taken),
        jackpot_odd_cents=state.jackpot_odd_cents,
        showdown=state.showdown,
    )


def _result(chair: Chair, won: int, to_the_end: bool) -> SeatResult:
    """Return how a hand ended for one seat."""
    put_in = chair.put_in_cents + chair.dead_cents
    stack = chair.stack_cents
    return SeatResult(
        seat=chair.seat,
        player=chair.player,
        before_cents=None if stack is None else stack + put_in + chair.house_cents - won,
        after_cents=stack,
        put_in_cents=put_in,
        house_cents=chair.house_cents,
        won_cents=won,
        shown=chair.up + chair.shown,
        tabled=chair.tabled,
        in_to_the_end=to_the_end,
    )


def deal_street(state: Hand, command: DealStreet, rules: HandRules) -> tuple[Event, ...]:
    """Return what the next street's cards bring.

    Args:
        state: the hand, waiting for cards.
        command: the cards as entered.
        rules: of its book and game.

    Raises:
        Refused: CR-6 no street is due; CR-4 a wrong number of cards; CR-5 a card lies elsewhere; CR-12 the upcards
            that decide who opens are not known.
    """
    if state.phase is not Phase.DEALING:
        waiting = f"seat {state.to_act} is to act" if state.to_act else f"it is {state.phase.value}"
        raise Refused(
            "STREET_NOT_DUE",
            ("CR-6", *rules.betting.order_cites),
            f"hand {state.hand}: no cards are due; {waiting}",
        )
    at, last = street_due(state, command, rules)
    street = rules.variant.streets[at]
    board = board_cards(state, command, street, rules)
    up = up_cards(state, command, street, rules)
    _check_hole_cards(state, rules, at)
    dealt = ev.StreetDealt(
        street=at,
        board=board,
        up=up,
        burned=command.burned,
        run=command.run,
        community=command.community,
        opener=command.opener,
        opener_may_fold=command.opener_may_fold,
        phase=Phase.DEALING,
    )
    if state.betting_over:
        if not last:
            return (dealt,)
        return (_to_showdown(state, dealt, rules),)
    shown = evolve(state, dealt) if up else state
    return _open_round(state, shown, dealt, command, street, rules)


def street_due(state: Hand, command: DealStreet, rules: HandRules) -> tuple[int, bool]:
    """Return the index of the street that is dealt, and whether no more cards follow it on any board."""
    runs = len(state.boards)
    if not 0 <= command.run < runs:
        raise Refused(
            "RUN_UNKNOWN",
            "CR-4",
            f"run {command.run}: the board is dealt {runs} time(s), counted from 0",
            field="run",
        )
    streets = rules.variant.streets
    if runs == 1:
        at = state.street + 1
        return at, at == len(streets) - 1
    counts = [len(board) for board in state.boards]
    lies, due = 0, -1
    for at, street in enumerate(streets):
        lies += street.board
        if lies > counts[command.run]:
            due = at
            break
    if due < 0:
        raise Refused("BOARD_COMPLETE", "CR-6", f"run {command.run} is complete", field="run")
    counts[command.run] = lies
    return due, all(count == rules.variant.board_cards for count in counts)


def board_cards(
    state: Hand, command: DealStreet, street: Street, rules: HandRules
) -> tuple[str, ...]:
    """Return the community cards of a street, `??` for those not read."""
    count = street.board
    if command.community:
        if not rules.variant.stud or state.street + 2 != len(rules.variant.streets):
            raise Refused(
                "NO_COMMUNITY_CARD",
                rules.stud.short_deck_cites,
                "a community card is dealt only on the last street of stud",
                field="community",
            )
        count = 1
    board = command.board or (UNKNOWN,) * count
    if len(board) != count:
        raise Refused(
            "BOARD_COUNT",
            "CR-4",
            f"{street.name} has {count} community card(s), not {len(board)}",
            field="board",
        )
    check_new_cards(state, (*board, command.burned), "board")
    return board


def free_seats(state: Hand, rules: HandRules) -> tuple[int, ...]:
    """Return seats that folded with no wager made since and still get cards (stud.fold_without_bet)."""
    if state.betting is None or not rules.stud.folded_seat_dealt or not rules.variant.stud:
        return ()
    return state.betting.folded_free


def up_cards(
    state: Hand, command: DealStreet, street: Street, rules: HandRules
) -> tuple[tuple[int, str], ...]:
    """Return the upcards of a street by seat, `??` for those not read."""
    given = dict(command.up)
    if len(given) != len(command.up):
        raise Refused("SEAT_TWICE", "CR-4", "up: a seat is named twice", field="up")
    if not street.up:
        if given:
            raise Refused("NO_UPCARDS", "CR-4", f"{street.name} has no upcards", field="up")
        return ()
    free = free_seats(state, rules)
    served = [chair.seat for chair in state.chairs if chair.live or chair.seat in free]
    for seat in given:
        if seat not in served:
            raise Refused(
                "SEAT_NOT_LIVE",
                rules.stud.fold_cites,
                f"up: seat {seat} has no live hand and gets no card",
                field="up",
            )
    check_new_cards(state, tuple(given.values()), "up")
    return tuple((seat, given.get(seat, UNKNOWN)) for seat in served)


def check_new_cards(state: Hand, cards: tuple[str, ...], field: str) -> None:
    """Refuse cards that lie somewhere in this hand already, or that are given twice.

    Raises:
        Refused: CR-5.
    """
    twice = card_twice(state, cards)
    if twice:
        raise given_twice(twice, field)


def given_twice(card: str, field: str) -> Refused:
    """Return the refusal of a card that lies elsewhere."""
    return Refused(
        "CARD_TWICE",
        "CR-5",
        f"{field}: {card} was dealt, burned or shown before in this hand",
        field=field,
    )


def card_twice(state: Hand, cards: Sequence[str]) -> str:
    """Return the first of some new cards that lies in this hand already or is given twice; empty where none does."""
    told = [card for card in cards if card and card != UNKNOWN]
    new = set(told)
    twice = len(new) < len(told)
    for chair in state.chairs:
        if not (
            new.isdisjoint(chair.down)
            and new.isdisjoint(chair.up)
            and new.isdisjoint(chair.put_away)
        ):
            twice = True
    for board in (state.burns, *state.boards):
        if board and not new.isdisjoint(board):
            twice = True
    if not twice:
        return ""
    return next(card for at, card in enumerate(told) if card in told[:at] or lies(state, card))


def lies(state: Hand, card: str) -> bool:
    """Return whether a card's place in this hand is known."""
    return any(
        card in place
        for place in (
            state.burns,
            *state.boards,
            *(chair.down + chair.up + chair.put_away for chair in state.chairs),
        )
    )


def _check_hole_cards(state: Hand, rules: HandRules, at: int) -> None:
    """Refuse a street while a live player is known to lack cards of an earlier one."""
    if at == 0 or rules.variant.stud:
        return
    down, up = rules.dealt[at - 1]
    asked = down + up
    every = state.capture.cards is ev.Known.ALL
    for chair in state.chairs:
        held = len(chair.down) + len(chair.put_away)
        # Cards put away unseen from a hand that nobody told say nothing of what else was dealt.
        told = bool(chair.down or known(chair.put_away))
        if held < asked and (told or every) and chair.live:
            raise Refused(
                "HOLE_CARDS_MISSING",
                rules.book.cite("hand.wrong_count"),
                f"seat {chair.seat} has {held} of {asked} hole cards; they come first",
                field="seat",
            )


def _to_showdown(state: Hand, dealt: ev.StreetDealt, rules: HandRules) -> ev.StreetDealt:
    shown = evolve(state, dealt)
    if rules.declares and not state.ways:
        live = tuple(chair.seat for chair in shown.chairs if chair.live)
        return msgspec.structs.replace(
            dealt, phase=Phase.DECLARING, show_order=live, rules=rules.high_low.declare_cites
        )
    order, cites = showing_order(shown, rules)
    return msgspec.structs.replace(dealt, phase=Phase.SHOWDOWN, show_order=order, rules=cites)


def _open_round(
    state: Hand,
    shown: Hand,
    dealt: ev.StreetDealt,
    command: DealStreet,
    street: Street,
    rules: HandRules,
) -> tuple[Event, ...]:
    """Return the street with the betting round it opens."""
    first, cites = _first_to_act(shown, command, street, rules)
    bet = state.big_bet_cents if street.big_bet else state.small_bet_cents
    if not rules.betting.fixed:
        bet = state.small_bet_cents
    if street.opens in {Opens.LOW_CARD, Opens.HIGH_CARD}:
        betting = begin_forced(
            shown.chairs,
            rules.betting,
            first=first,
            level_cents=0,
            bet_cents=bet,
            wagers=0,
            base_cents=max((chair.matched_cents for chair in shown.chairs), default=0),
            bring_in_due=bool(state.game.bring_in_cents),
            opener_may_fold=command.opener_may_fold,
        )
    else:
        pair = street.open_pair and rules.betting.fixed and open_pair(shown.chairs)
        betting = begin(
            shown.chairs,
            rules.betting,
            street=dealt.street,
            first=first,
            bet_cents=bet,
            upper_cents=state.big_bet_cents if pair else 0,
            folded_free=free_seats(state, rules),
        )
    opened = msgspec.structs.replace(dealt, betting=betting, phase=Phase.BETTING, rules=cites)
    if betting.to_act:
        return (opened,)
    return (opened, *after_betting(evolve(state, opened), rules))


def _first_to_act(
    shown: Hand, command: DealStreet, street: Street, rules: HandRules
) -> tuple[int, tuple[str, ...]]:
    """Return who opens a street, all-in or not, and the rules it rests on."""
    if street.opens in {Opens.LEFT_OF_FORCED, Opens.LEFT_OF_BUTTON}:
        return first_left(shown.chairs), ()
    if command.opener:
        if not any(chair.seat == command.opener and chair.live for chair in shown.chairs):
            raise Refused(
                "OPENER_NOT_LIVE",
                "CR-4",
                f"opener: seat {command.opener} has no live hand",
                field="opener",
            )
        return command.opener, ()
    seat = opener(shown.chairs, street.opens)
    if seat is None:
        raise Refused(
            "OPENER_UNKNOWN",
            "CR-12",
            f"{street.name}: upcards that decide who opens are not known; name the opener",
            field="opener",
        )
    chair = next(chair for chair in shown.chairs if chair.seat == seat)
    return seat, rules.stud.high_all_in_cites if chair.all_in else ()


def contested(state: Hand, pot: Pot) -> tuple[int, ...]:
    """Return the seats that can still win a pot, clockwise from the left of the button."""
    said, seats = state.ending.said_board, pot.seats
    return tuple(
        [
            chair.seat
            for chair in state.chairs
            if chair.seat in seats and (chair.fate is LIVE or chair.seat in said)
        ]
    )
