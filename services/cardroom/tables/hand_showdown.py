"""The showdown: showing, throwing away, asking to see, killing losers, pushing pots."""

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.poker.cards import UNKNOWN
from cardroom.poker.chairs import Chair, Fate, chair_at
from cardroom.poker.highlow import Halves
from cardroom.poker.reading import Qualifier, Worth, worth
from cardroom.poker.showdown import divide, winners_by_cards
from cardroom.poker.variants import Combine, Ranking
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, evolve
from cardroom.tables.hand_events import Phase, Share
from cardroom.tables.hand_flow import check_new_cards, contested, settlement, taken_from
from cardroom.tables.hand_rules import HandRules


def show_hand(state: Hand, command: do.ShowHand, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of cards turned face up by their player at the showdown.

    Raises:
        Refused: CR-6 the betting is not over; CR-5 a card that is not of this hand; the book's order of side pots.
    """
    chair = _live_chair(state, command.seat)
    if not state.betting_over or state.phase is Phase.VOID:
        raise Refused(
            "SHOWDOWN_NOT_REACHED",
            ("CR-6", *rules.show.order_cites),
            f"seat {command.seat}: hands are shown when the betting is over; it is {state.phase.value}",
            field="seat",
        )
    if state.phase is Phase.SHOWDOWN:
        _check_side_pot_first(state, chair, rules)
    whole = _cards_down(chair, state, rules)
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


def _cards_down(chair: Chair, state: Hand, rules: HandRules) -> int:
    """Return how many cards a player holds face down (put-away cards left out)."""
    kept = rules.kept[max(state.street, 0)]
    put_away = len(chair.put_away) if state.sealed or state.ways or _declaring(state, rules) else 0
    if state.phase is Phase.SHOWDOWN or state.street == len(rules.variant.streets) - 1:
        community = rules.variant.stud and bool(state.boards[0])
        kept -= 1 if community else 0
    if rules.variant.stud:
        return kept - len(chair.up)
    return kept - put_away


def _declaring(state: Hand, rules: HandRules) -> bool:
    return rules.declares and state.phase in {Phase.DECLARING, Phase.SHOWDOWN}


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
    _at_showdown(state, rules)
    return (
        ev.HandMucked(seat=chair.seat, in_muck=command.in_muck, identifiable=command.identifiable),
    )


def _at_showdown(state: Hand, rules: HandRules) -> None:
    if state.phase is not Phase.SHOWDOWN:
        raise Refused(
            "SHOWDOWN_NOT_REACHED",
            ("CR-6", *rules.show.order_cites),
            f"hand {state.hand}: there is no showdown, it is {state.phase.value}",
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
    _at_showdown(state, rules)
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
    _at_showdown(state, rules)
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
    _check_identifiable(state, asked, rules)
    winner = command.asked_by in _so_far_winning(state, rules)
    return (
        ev.HandRequested(
            asked_by=command.asked_by,
            seat=command.seat,
            live=winner,
            rules=show.request_cites,
        ),
    )


def _check_identifiable(state: Hand, asked: Chair, rules: HandRules) -> None:
    if asked.fate is Fate.FOLDED or not any(asked.seat in pot.seats for pot in state.pots):
        raise Refused(
            "HAND_NOT_CALLED",
            rules.show.request_cites,
            f"seat {asked.seat}: only a hand in at the end of the betting can be asked for",
            field="seat",
        )
    for seat, in_muck, identifiable in state.unseen:
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


def _so_far_winning(state: Hand, rules: HandRules) -> frozenset[int]:
    """Return the seats that win something as the hands lie now, untabled ones left out."""
    found: set[int] = set()
    for pot in state.pots:
        tabled = tuple(
            chair.seat
            for chair in state.chairs
            if chair.seat in pot.seats and chair.live and chair.tabled
        )
        if tabled:
            halves = _halves(state, tabled, rules, 0)
            if halves is not None:
                found.update(halves.high, halves.low)
    return frozenset(found)


def held_cards(chair: Chair) -> tuple[str, ...]:
    """Return a player's own cards that count."""
    return chair.down + chair.up


def worth_of(state: Hand, chair: Chair, rules: HandRules, run: int) -> Worth | None:
    """Return what a hand makes on a board, None where a card that decides is not known."""
    board = state.boards[run]
    qualifier: Qualifier = "none" if rules.high_low.qualifier == "none" else "eight_or_better"
    held = held_cards(chair)
    if chair.seat in state.said_board and not chair.tabled:
        held = ()
    elif not rules.variant.stud and len(held) < _cards_down(chair, state, rules):
        return None
    return worth(rules.variant, held, board, rules.reader, qualifier)


def _halves(state: Hand, seats: tuple[int, ...], rules: HandRules, run: int) -> Halves | None:
    """Return who wins among seats on a board, None where the cards do not decide."""
    if len(seats) == 1:
        return Halves(seats, ())
    worths: dict[int, Worth] = {}
    for seat in seats:
        chair = chair_at(state.chairs, seat)
        assert chair is not None
        made = worth_of(state, chair, rules, run)
        if made is None:
            return None
        worths[seat] = made
    high_low = rules.high_low if rules.variant.high_low else None
    ways = dict(state.ways) if rules.declares else None
    return winners_by_cards(seats, worths, high_low, ways)


def winning_seats(state: Hand, rules: HandRules) -> frozenset[int]:
    """Return the seats that win part of some pot not yet pushed, as far as the cards decide.

    Args:
        state: the hand at its showdown.
        rules: of its book and game.
    """
    found: set[int] = set()
    for at, pot in enumerate(state.pots):
        if at in state.awarded:
            continue
        seats = contested(state, pot)
        for run in range(len(state.boards)):
            halves = _halves(state, seats, rules, run) if seats else None
            if halves is not None:
                found.update(halves.high, halves.low)
    return frozenset(found)


def award_pots(state: Hand, command: do.AwardPots, rules: HandRules) -> tuple[Event, ...]:
    """Return the pots pushed, side pots before the main pot, and the end of the hand with the last one.

    Args:
        state: the hand at its showdown.
        command: which pots, and the dealer's word where the cards do not decide.
        rules: of its book and game.

    Raises:
        Refused: a hand is not all shown, a loser is not killed, players agreed to divide, or nobody knows who won.
    """
    _check_may_award(state, command, rules)
    if command.pot is None:
        due = [at for at in reversed(range(len(state.pots))) if at not in state.awarded]
    else:
        due = [command.pot]
    events: list[Event] = []
    for at in due:
        _check_all_shown(state, at, command, rules)
    for at in due:
        awarded = _award(state, at, command, rules)
        killed = _killed_losers(state, at, due, awarded, command, rules)
        for event in (*killed, awarded):
            events.append(event)
            state = evolve(state, event)
    if len(state.awarded) == len(state.pots):
        events.append(settlement(state))
    return tuple(events)


def _check_may_award(state: Hand, command: do.AwardPots, rules: HandRules) -> None:
    if command.agreed:
        if not rules.pots.agreed_split:
            raise Refused(
                "NO_AGREED_SPLIT",
                rules.pots.agreed_cites,
                "agreed: players may not agree to divide a pot; the hand goes to a showdown or one of them folds",
                field="agreed",
            )
        raise Refused(
            "AGREED_SPLIT_BY_SHARES",
            "CR-6",
            "agreed: name the winners of the pot instead",
            field="winners",
        )
    if state.phase is Phase.DECLARING:
        waiting = ", ".join(str(seat) for seat in state.order)
        raise Refused(
            "DECLARATIONS_FIRST",
            rules.high_low.mode_cites,
            f"the declarations of seats {waiting} come first",
        )
    _at_showdown(state, rules)
    if command.pot is not None and (
        not 0 <= command.pot < len(state.pots) or command.pot in state.awarded
    ):
        raise Refused(
            "NO_SUCH_POT",
            "CR-2",
            f"pot: {command.pot} is none of the pots still to be pushed",
            field="pot",
        )


def _check_all_shown(state: Hand, at: int, command: do.AwardPots, rules: HandRules) -> None:
    seats = contested(state, state.pots[at])
    if len(seats) < 2:
        return
    for seat in seats:
        chair = chair_at(state.chairs, seat)
        assert chair is not None
        if chair.tabled or seat in state.said_board:
            continue
        if command.winners and seat not in (*command.winners, *command.low_winners):
            continue
        if command.winners and state.capture.cards is ev.Known.NONE:
            continue
        whole = _cards_down(chair, state, rules)
        raise Refused(
            "ALL_CARDS_MUST_BE_SHOWN",
            rules.show.all_cards_cites,
            f"seat {seat} has shown {len(chair.shown)} of {whole} cards; it shows them all, or throws the hand away, "
            "before the pot is awarded",
            field="seat",
        )


def _award(state: Hand, at: int, command: do.AwardPots, rules: HandRules) -> ev.PotAwarded:
    pot = state.pots[at]
    seats = contested(state, pot)
    if not seats:
        # No live hand is left: a ruling says who gets it (a forfeited pot), and names the winners here.
        seats = tuple(chair.seat for chair in state.chairs if chair.seat in command.winners)
        if not seats:
            raise Refused(
                "NO_LIVE_HAND",
                rules.dead_cites,
                f"pot {at}: no live hand is left to win it; name the winners by a ruling",
                field="winners",
            )
    rake, drop = taken_from(state, at)
    by_dealer = False
    found: list[Halves] = []
    for run in range(len(state.boards)):
        halves = _halves(state, seats, rules, run)
        if halves is None:
            halves = _named(state, seats, command, rules)
            by_dealer = True
        elif command.winners and len(seats) > 1:
            _check_cards_speak(halves, command, rules)
        found.append(halves)
    division = divide(
        pot,
        pot.cents - rake - drop,
        len(state.boards),
        found.__getitem__,
        state.chairs,
        rules.pots,
        low_form=rules.variant.rankings[0] is not Ranking.HIGH,
    )
    return ev.PotAwarded(
        pot=at,
        cents=pot.cents,
        rake_cents=rake,
        jackpot_drop_cents=drop,
        jackpot_odd_cents=division.jackpot_cents,
        shares=tuple(
            Share(seat=seat, cents=cents, part=part, run=run, odd=odd)
            for seat, cents, part, run, odd in division.shares
        ),
        by_dealer=by_dealer,
        rules=division.rules or rules.show.speak_cites,
    )


def _named(state: Hand, seats: tuple[int, ...], command: do.AwardPots, rules: HandRules) -> Halves:
    """Return the winners the dealer names, where the cards do not decide."""
    high = tuple(seat for seat in seats if seat in command.winners)
    low = tuple(seat for seat in seats if seat in command.low_winners)
    if not high:
        raise Refused(
            "WINNER_UNKNOWN",
            ("CR-12", *rules.show.speak_cites),
            "winners: cards that decide the pot are not known; name the winners among seats "
            + ", ".join(str(seat) for seat in seats),
            field="winners",
        )
    known = [seat for seat in seats if _worth_known(state, seat, rules)]
    if len(known) > 1 and not low:
        for run in range(len(state.boards)):
            among = _halves(state, tuple(known), rules, run)
            named = [seat for seat in high if seat in known]
            if among is not None and named and not set(named) <= set(among.high + among.low):
                raise Refused(
                    "CARDS_SPEAK",
                    rules.show.speak_cites,
                    f"winners: seat {named[0]} is beaten by cards that lie face up",
                    field="winners",
                )
    return Halves(high, low)


def _worth_known(state: Hand, seat: int, rules: HandRules) -> bool:
    chair = chair_at(state.chairs, seat)
    return chair is not None and worth_of(state, chair, rules, 0) is not None


def _check_cards_speak(halves: Halves, command: do.AwardPots, rules: HandRules) -> None:
    named = set(command.winners) | set(command.low_winners)
    by_cards = set(halves.high) | set(halves.low)
    if not by_cards <= named:
        raise Refused(
            "CARDS_SPEAK",
            rules.show.speak_cites,
            "winners: by their cards the pot goes to seats "
            + ", ".join(str(seat) for seat in sorted(by_cards)),
            field="winners",
        )


def _killed_losers(
    state: Hand,
    at: int,
    due: list[int],
    awarded: ev.PotAwarded,
    command: do.AwardPots,
    rules: HandRules,
) -> tuple[ev.HandKilled, ...]:
    """Return the losers of a pot killed with it, or refuse while one of them lies there."""
    still_in: set[int] = set()
    for other, pot in enumerate(state.pots):
        if other != at and other not in state.awarded and (other not in due or other < at):
            still_in.update(pot.seats)
    won = {share.seat for share in awarded.shares} | {share.seat for share in state.shares}
    losers = [
        chair.seat
        for chair in state.chairs
        if chair.live
        and chair.seat in state.pots[at].seats
        and chair.seat not in won
        and chair.seat not in still_in
    ]
    if losers and not command.losers_killed:
        raise Refused(
            "LOSING_HAND_NOT_KILLED",
            rules.show.killed_cites,
            "the losing hands of seats "
            + ", ".join(str(seat) for seat in losers)
            + " are killed before the pot is awarded",
        )
    return tuple(ev.HandKilled(seat=seat, rules=rules.show.killed_cites) for seat in losers)
