"""Pushing the pots of a showdown, and the end of the hand with the last one."""

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.poker.chairs import Fate, chair_at
from cardroom.poker.highlow import Halves
from cardroom.poker.pots import Pot
from cardroom.poker.showdown import divide
from cardroom.poker.variants import Ranking
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, evolve
from cardroom.tables.hand_events import Phase, Share
from cardroom.tables.hand_flow import contested, settlement, taken_from
from cardroom.tables.hand_reading import at_showdown, cards_down, halves_of, worth_of
from cardroom.tables.hand_rules import HandRules


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
    at_showdown(state, rules)
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
        whole = cards_down(chair, state, rules)
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
    by_dealer = False
    if not seats:
        # No live hand is left: a ruling says who gets it (a forfeited pot), and names the winners here.
        named = tuple(
            chair.seat for chair in state.chairs if chair.seat and chair.seat in command.winners
        )
        seats = named or _last_to_muck(state, pot)
        by_dealer = bool(named)
        if not seats:
            raise Refused(
                "NO_LIVE_HAND",
                rules.dead_cites,
                f"pot {at}: no live hand is left to win it; name the winners by a ruling",
                field="winners",
            )
    rake, drop = taken_from(state, at)
    found: list[Halves] = []
    for run in range(len(state.boards)):
        halves = halves_of(state, seats, rules, run)
        if halves is None:
            halves = _named(state, seats, command, rules)
            by_dealer = True
        elif command.winners and len(seats) > 1:
            _check_cards_speak(halves, state, command, rules)
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


def _last_to_muck(state: Hand, pot: Pot) -> tuple[int, ...]:
    """Return who threw his hand away when nobody else could win a pot any more: it was his already."""
    for seat, _, _ in reversed(state.unseen):
        chair = chair_at(state.chairs, seat)
        if chair is not None and seat in pot.seats and chair.fate is Fate.MUCKED:
            return (seat,)
    return ()


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
            among = halves_of(state, tuple(known), rules, run)
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


def _check_cards_speak(
    halves: Halves, state: Hand, command: do.AwardPots, rules: HandRules
) -> None:
    """Refuse winners that the cards contradict; named for several pots or runs, they may be more than one's."""
    named = set(command.winners) | set(command.low_winners)
    by_cards = set(halves.high) | set(halves.low)
    alone = len(state.boards) == 1 and (command.pot is not None or len(state.pots) == 1)
    if not by_cards <= named or (alone and named != by_cards):
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
