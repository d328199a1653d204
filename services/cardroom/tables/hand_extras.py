"""What else is entered for a hand: hole cards, draws, rake, runs, declarations, chops, voids, dead hands."""

from typing import Any

from cardroom.kernel.events import Event
from cardroom.kernel.money import check_cents, dollars
from cardroom.kernel.refusal import Refused
from cardroom.poker.betting import BettingRound
from cardroom.poker.cards import UNKNOWN
from cardroom.poker.chairs import Chair, chair_at
from cardroom.poker.pots import uncalled
from cardroom.poker.rounds import after_pass, begin
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, evolve
from cardroom.tables.hand_declare import all_declared
from cardroom.tables.hand_events import Phase, PostKind, SeatResult
from cardroom.tables.hand_flow import (
    after_betting,
    card_twice,
    check_new_cards,
    first_left,
    given_twice,
    settlement,
    showing_order,
    taken_from,
)
from cardroom.tables.hand_rules import HandRules


def note_hole_cards(state: Hand, command: do.NoteHoleCards, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of cards dealt face down.

    Raises:
        Refused: CR-2 a seat was not dealt in; CR-4 no cards, too many of them, or a seat twice; CR-5 a card lies
            elsewhere.
    """
    if not command.hands:
        raise Refused("HOLE_CARD_COUNT", "CR-4", "hands: no seat's cards are told", field="hands")
    seats: list[int] = []
    told: list[str] = []
    for at, (seat, cards) in enumerate(command.hands):
        if seat in seats:
            raise Refused(
                "SEAT_TWICE",
                "CR-4",
                f"hands[{at}].seat: the cards of seat {seat} are told twice",
                field=f"hands[{at}].seat",
            )
        _check_count(state, at, seat, cards, rules)
        seats.append(seat)
        told += cards
    twice = card_twice(state, told)
    if twice:
        at = max(at for at, (_, cards) in enumerate(command.hands) if twice in cards)
        raise given_twice(twice, f"hands[{at}].cards")
    return (
        ev.HoleCardsNoted(
            hand=state.hand,
            seats=tuple(seats),
            cards=tuple([cards for _, cards in command.hands]),
            source=command.source,
            reconstructed=command.reconstructed,
        ),
    )


def _check_count(state: Hand, at: int, seat: int, cards: tuple[str, ...], rules: HandRules) -> None:
    chair = _dealt_in(state, seat, f"hands[{at}].seat")
    down, up = rules.dealt[-1]
    most = down if rules.variant.stud else down + up
    held = len(chair.down) - chair.down.count(UNKNOWN) + len(cards)
    if max(held, len(chair.down)) + len(_not_drawn_for(chair, rules)) > most or not cards:
        raise Refused(
            "HOLE_CARD_COUNT",
            "CR-4",
            f"hands[{at}].cards: seat {seat} gets {most} cards face down in {rules.variant.form.value}, "
            f"not {len(chair.down) + len(cards)}",
            field=f"hands[{at}].cards",
        )


def _not_drawn_for(chair: Chair, rules: HandRules) -> tuple[str, ...]:
    """Return the cards a player put away for which no others came."""
    if not chair.put_away:
        return ()
    drawn = any(s.exchange is not None and s.exchange.replaced for s in rules.variant.streets)
    return () if drawn else chair.put_away


def _dealt_in(state: Hand, seat: int, field: str = "seat") -> Chair:
    chair = chair_at(state.chairs, seat)
    if chair is None:
        raise Refused(
            "SEAT_NOT_DEALT_IN",
            "CR-2",
            f"{field}: seat {seat} was not dealt into hand {state.hand}",
            field=field,
        )
    return chair


def exchange(state: Hand, command: do.Exchange, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of a draw or discard, and the round it opens when it is the last.

    Raises:
        Refused: CR-6 not this seat's turn to do so; CR-4 a wrong count; CR-5 a card that is not held or lies elsewhere.
    """
    street = rules.variant.streets[state.street + 1] if state.phase is Phase.EXCHANGING else None
    if street is None or street.exchange is None:
        raise Refused("NO_EXCHANGE", "CR-6", f"hand {state.hand}: no cards are exchanged now")
    if command.seat != state.order[0]:
        raise Refused(
            "OUT_OF_TURN",
            rules.betting.order_cites,
            f"seat {command.seat}: seat {state.order[0]} exchanges first",
            field="seat",
        )
    chair = _dealt_in(state, command.seat)
    rule = street.exchange
    if not rule.least <= command.count <= rule.most:
        raise Refused(
            "EXCHANGE_COUNT",
            "CR-4",
            f"count: {rule.least} to {rule.most} cards are put away, not {command.count}",
            field="count",
        )
    gone = command.discarded or (UNKNOWN,) * command.count
    drawn = command.drawn or (UNKNOWN,) * (command.count if rule.replaced else 0)
    if len(gone) != command.count or len(drawn) != (command.count if rule.replaced else 0):
        raise Refused(
            "EXCHANGE_COUNT",
            "CR-4",
            f"count: {command.count} put away, {len(gone)} named and {len(drawn)} drawn",
            field="count",
        )
    _check_held(chair, gone)
    check_new_cards(state, drawn, "drawn")
    order = state.order[1:]
    done = ev.CardsExchanged(
        hand=state.hand,
        seat=chair.seat,
        count=command.count,
        discarded=gone,
        drawn=drawn,
        order=order,
        phase=Phase.EXCHANGING,
    )
    if order:
        return (done,)
    return _exchanged(state, done, rules)


def _check_held(chair: Chair, gone: tuple[str, ...]) -> None:
    held = list(chair.down)
    for card in gone:
        if card in held:
            held.remove(card)
        elif UNKNOWN in held:
            held.remove(UNKNOWN)
        elif card != UNKNOWN and held:
            raise Refused(
                "CARD_NOT_HELD",
                "CR-5",
                f"discarded: seat {chair.seat} does not hold {card}",
                field="discarded",
            )


def _exchanged(state: Hand, done: ev.CardsExchanged, rules: HandRules) -> tuple[Event, ...]:
    """Return the last exchange with what comes after it: cards, a round, or the showdown."""
    at = state.street + 1
    street = rules.variant.streets[at]
    base: dict[str, Any] = {
        "hand": done.hand,
        "seat": done.seat,
        "count": done.count,
        "discarded": done.discarded,
        "drawn": done.drawn,
        "order": (),
    }
    if street.board or street.up:
        return (ev.CardsExchanged(**base, phase=Phase.DEALING),)
    betting = _round_after_draw(state, rules)
    if betting.to_act:
        return (ev.CardsExchanged(**base, phase=Phase.BETTING, betting=betting),)
    event = ev.CardsExchanged(**base, phase=Phase.DEALING)
    return (event, _showdown_after_draw(state, rules))


def _round_after_draw(state: Hand, rules: HandRules) -> BettingRound:
    at = state.street + 1
    upper = rules.variant.streets[at].big_bet and rules.betting.fixed
    return begin(
        state.chairs,
        rules.betting,
        street=at,
        first=first_left(state.chairs),
        bet_cents=state.big_bet_cents if upper else state.small_bet_cents,
    )


def _showdown_after_draw(state: Hand, rules: HandRules) -> ev.StreetDealt:
    order, cites = showing_order(state, rules)
    return ev.StreetDealt(
        street=state.street + 1, phase=Phase.SHOWDOWN, show_order=order, rules=cites
    )


def take_rake(state: Hand, command: do.TakeRake, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of the house's share taken out of a pot.

    Raises:
        Refused: CR-6 the hand is over or the pot pushed; CR-8 the pot does not hold it.
    """
    del rules
    check_cents(command.rake_cents, "rake_cents")
    check_cents(command.jackpot_drop_cents, "jackpot_drop_cents")
    if state.over or command.pot in state.awarded:
        raise Refused("POT_AWARDED", "CR-6", f"pot {command.pot} is pushed already", field="pot")
    if not 0 <= command.pot < max(1, len(state.pots)):
        raise Refused("NO_SUCH_POT", "CR-2", f"pot: {command.pot} is none of the pots", field="pot")
    if state.phase is Phase.SHOWDOWN:
        holds = state.pots[command.pot].cents if state.pots else 0
        holds -= sum(taken_from(state, command.pot))
    else:
        # What nobody has called may still go back to its player.
        holds = state.pot_cents - uncalled(state.chairs)[1]
    wanted = command.rake_cents + command.jackpot_drop_cents
    if not wanted or wanted > holds:
        raise Refused(
            "POT_TOO_SMALL",
            "CR-8",
            f"rake_cents: {dollars(wanted)} cannot be taken from a pot of {dollars(holds)}",
            field="rake_cents",
        )
    return (
        ev.RakeTaken(
            rake_cents=command.rake_cents,
            jackpot_drop_cents=command.jackpot_drop_cents,
            pot=command.pot,
        ),
    )


def agree_runs(state: Hand, command: do.AgreeRuns, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of an agreement to deal the rest of the board more than once.

    Raises:
        Refused: the structure or the book does not allow it, or not all in the pot agreed.
    """
    runs = rules.runs
    live = {chair.seat for chair in state.chairs if chair.live}
    if not runs.structure_allowed:
        raise Refused(
            "RUNS_NOT_IN_THIS_STRUCTURE",
            runs.cites,
            f"times: a {state.game.structure.value.replace('_', ' ')} game is dealt once",
            field="times",
        )
    if not 2 <= command.times <= runs.most:
        raise Refused(
            "TOO_MANY_RUNS",
            runs.cites,
            f"times: the board is dealt at most {runs.most} time(s), not {command.times}",
            field="times",
        )
    if not state.betting_over or state.phase is not Phase.DEALING or len(state.boards) > 1:
        raise Refused(
            "RUNS_TOO_EARLY",
            ("CR-6", *runs.cites),
            "times: it is agreed when the betting is closed by all-ins, before the next card",
            field="times",
        )
    if not rules.variant.board_cards:
        raise Refused("NO_BOARD", "CR-4", "times: the form has no board", field="times")
    if set(command.seats) != live:
        raise Refused(
            "NOT_ALL_AGREED",
            runs.cites,
            "seats: all in the pot agree: " + ", ".join(str(seat) for seat in sorted(live)),
            field="seats",
        )
    return (ev.RunsAgreed(times=command.times, seats=command.seats, rules=runs.cites),)


def chop_blinds(state: Hand, command: do.ChopBlinds, rules: HandRules) -> tuple[Event, ...]:
    """Return what a chop of the blinds brings: bets taken back, no pot, the end of the hand.

    Raises:
        Refused: the book does not allow it, or somebody else put something in.
    """
    del command
    if not rules.chop:
        raise Refused("NO_CHOP", rules.chop_cites, "the blinds may not chop in this game")
    blinds = {
        post.seat
        for post in state.posts
        if post.kind in {PostKind.SMALL_BLIND, PostKind.BIG_BLIND} and post.live_cents
    }
    posted = {
        post.seat for post in state.posts if post.live_cents or post.dead_cents or post.ante_cents
    }
    live = {chair.seat for chair in state.chairs if chair.live}
    put_in = {chair.seat for chair in state.chairs if chair.put_in_cents or chair.dead_cents}
    nominal = sum(post.live_cents for post in state.posts if post.seat in blinds)
    wagered = sum(chair.put_in_cents + chair.dead_cents for chair in state.chairs)
    if state.phase is not Phase.BETTING or state.street != 0 or live != blinds or len(blinds) != 2:
        raise Refused(
            "CHOP_NOT_OPEN",
            rules.chop_cites,
            "the blinds may chop before the flop once everybody else has folded",
        )
    if posted != blinds or put_in != blinds or wagered != nominal:
        raise Refused(
            "POT_ENTERED",
            rules.chop_cites,
            "the blinds may not chop: more than the two blinds is in the pot",
        )
    returns = tuple(
        (chair.seat, chair.put_in_cents) for chair in state.chairs if chair.put_in_cents
    )
    chopped = ev.BlindsChopped(returns=returns, rules=rules.chop_cites)
    return (chopped, settlement(evolve(state, chopped)))


def push_bets(state: Hand, command: do.PushBets, rules: HandRules) -> tuple[Event, ...]:
    """Refuse wagers handed back by agreement, which no book here allows.

    Raises:
        Refused: always where the book forbids it; CR-8 where a house allows it, the chips being the winner's to give.
    """
    del command
    if not rules.pots.push_bets:
        raise Refused(
            "PUSHING_BETS",
            rules.pots.push_cites,
            f"hand {state.hand}: players may not hand each other back wagers; the pot goes to the winner",
        )
    raise Refused(
        "PUSHING_BETS_AFTER_AWARD",
        "CR-8",
        "the pot is awarded whole; what the winner hands back is no part of the hand",
    )


def ask_refund(state: Hand, command: do.AskRefund, rules: HandRules) -> tuple[Event, ...]:
    """Refuse wagers back to a player who could not win with them; what a ruling gives back is a void hand.

    Raises:
        Refused: always: a hand beaten by an exposed board gets no refund, nor does any other once action was taken.
    """
    chair = _dealt_in(state, command.seat)
    if rules.variant.stud:
        code, cites = "BEATEN_ON_BOARD", rules.stud.beaten_cites
        why = "a hand beaten by an exposed board gets nothing back"
    else:
        code, cites = "NO_REFUND", rules.book.cite("deal.no_refund_once_action")
        why = "wagers stay in the pot once action was taken"
    raise Refused(
        code,
        cites,
        f"seat {chair.seat} asks for {dollars(command.cents)} back: {why}; the pot stays "
        f"{dollars(state.pot_cents)}",
        field="cents",
    )


def note_winner(state: Hand, command: do.NoteWinner, rules: HandRules) -> tuple[Event, ...]:
    """Return the end of a hand whose actions were not entered: who took the pot.

    Raises:
        Refused: CR-6 the actions are entered, or it is over; CR-2 a seat was not dealt in.
    """
    del rules
    if state.capture.actions is ev.Known.ALL or state.over:
        raise Refused(
            "ACTIONS_DECIDE",
            "CR-6",
            "seats: the winner of a hand whose actions are entered comes out of them",
            field="seats",
        )
    for seat in command.seats:
        _dealt_in(state, seat)
    if not command.seats:
        raise Refused("WINNER_UNKNOWN", "CR-12", "seats: name the winners", field="seats")
    alone = len(command.seats) == 1
    results = tuple(
        SeatResult(
            seat=chair.seat,
            player=chair.player,
            before_cents=None
            if chair.stack_cents is None
            else chair.stack_cents + chair.put_in_cents + chair.dead_cents + chair.house_cents,
            after_cents=None,
            put_in_cents=chair.put_in_cents + chair.dead_cents,
            house_cents=chair.house_cents,
            won_cents=_won(chair.seat, command, alone=alone),
            shown=chair.up + chair.shown,
            tabled=chair.tabled,
            in_to_the_end=chair.seat in command.seats,
        )
        for chair in state.chairs
        if chair.seat
    )
    noted = ev.WinnerNoted(seats=command.seats, pot_cents=command.pot_cents, source=command.source)
    settled = ev.HandSettled(
        hand=state.hand,
        results=results,
        board=state.boards[0],
        rake_cents=sum(entry[1] for entry in state.taken),
        collection_cents=sum(chair.house_cents for chair in state.chairs),
        jackpot_drop_cents=sum(entry[2] for entry in state.taken),
        jackpot_odd_cents=0,
        showdown=any(chair.tabled for chair in state.chairs),
    )
    return (noted, settled)


def _won(seat: int, command: do.NoteWinner, *, alone: bool) -> int | None:
    if seat not in command.seats:
        return 0
    return command.pot_cents if alone else None


def void_hand(state: Hand, command: do.VoidHand, rules: HandRules) -> tuple[Event, ...]:
    """Return the event of a voided hand: everything goes back to who put it in.

    Raises:
        Refused: CR-6, there is no hand, or its pots are pushed.
    """
    del rules
    if state.phase is Phase.NONE or state.phase is Phase.VOID or state.awarded:
        raise Refused("CANNOT_VOID", "CR-6", f"hand {state.hand} is {state.phase.value}")
    returns = tuple(
        (
            chair.seat,
            chair.put_in_cents
            + chair.dead_cents
            + (chair.house_cents if command.collection_returned else 0),
        )
        for chair in state.chairs
    )
    return (
        ev.HandVoided(
            hand=state.hand,
            returns=tuple(entry for entry in returns if entry[1]),
            reason=command.reason,
            rules=command.rules,
        ),
    )


def rule_hand_dead(state: Hand, command: do.RuleHandDead, rules: HandRules) -> tuple[Event, ...]:
    """Return what a ruling that a hand is dead brings; its wagers stay in.

    Raises:
        Refused: CR-6, the hand is no longer live; CR-4 the ruling names no rule.
    """
    chair = _dealt_in(state, command.seat)
    if not chair.live or state.over:
        raise Refused(
            "HAND_NOT_LIVE",
            "CR-6",
            f"seat {chair.seat}: the hand is {chair.fate.value}",
            field="seat",
        )
    if not command.rules:
        raise Refused("RULES_MISSING", "CR-4", "rules: a ruling names its rules", field="rules")
    killed = ev.HandKilled(seat=chair.seat, rules=command.rules, by_ruling=True)
    after = evolve(state, killed)
    if state.phase is Phase.BETTING and state.betting is not None:
        gone = chair_at(after.chairs, chair.seat)
        assert gone is not None
        betting = after_pass(state.betting, gone, after.chairs, rules.betting)
        killed = ev.HandKilled(
            seat=chair.seat, rules=command.rules, by_ruling=True, betting=betting
        )
        if betting.to_act:
            return (killed,)
        return (killed, *after_betting(evolve(state, killed), rules))
    live = [one for one in after.chairs if one.live]
    if len(live) > 1:
        return (killed, *_nobody_waits(after, rules))
    if not live:
        return (killed,)
    return (killed, *after_betting(after, rules))


def _nobody_waits(after: Hand, rules: HandRules) -> tuple[Event, ...]:
    """Return what follows where the hand ruled dead was the last to exchange cards or to declare."""
    if after.phase is Phase.DECLARING:
        return all_declared(after, rules)
    if after.phase is not Phase.EXCHANGING or after.order:
        return ()
    street = rules.variant.streets[after.street + 1]
    if street.board or street.up:
        closed = ev.BettingClosed(
            street=after.street,
            pots=after.pots,
            phase=Phase.DEALING,
            betting_over=after.betting_over,
        )
        return (closed,)
    betting = _round_after_draw(after, rules)
    if betting.to_act:
        return (ev.StreetDealt(street=betting.street, betting=betting, phase=Phase.BETTING),)
    return (_showdown_after_draw(after, rules),)
