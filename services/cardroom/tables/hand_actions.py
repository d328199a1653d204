"""Actions in turn: what a player does, checked against what is offered, and what follows."""

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.money import dollars
from cardroom.kernel.refusal import Refused
from cardroom.poker.betting import BettingRound, in_front, why_no_raise
from cardroom.poker.chairs import Chair, Chairs, after_action, chair_at
from cardroom.poker.legal import WAGERS, Act, Option, fold_option, passing_option
from cardroom.poker.rounds import after_bring_in, after_pass, after_wager, let_go
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, evolve
from cardroom.tables.hand_events import Phase
from cardroom.tables.hand_flow import after_betting
from cardroom.tables.hand_legal import legal, options_for
from cardroom.tables.hand_rules import HandRules

Action = do.Fold | do.Check | do.Call | do.Bet | do.RaiseTo | do.AllIn | do.BringIn


def act(state: Hand, command: Action, rules: HandRules) -> tuple[Event, ...]:
    """Return what an action in turn brings.

    Args:
        state: the hand.
        command: the action as the dealer understood it.
        rules: of its book and game.

    Raises:
        Refused: it is not this seat's turn, or the book does not allow the action; the options are named.
    """
    chair = _in_turn(state, command, rules)
    betting = state.betting
    assert betting is not None
    option = None
    if not betting.held and not betting.bring_in_seat:
        # The plain acts need no list of raises; what they are checked by is the same as what is offered.
        wanted = type(command)
        if wanted is do.Fold:
            option = fold_option(chair, betting, rules.betting)
        elif wanted is do.Call or wanted is do.Check:
            passing = passing_option(chair, state.chairs, betting, rules.betting)
            if (passing.act is Act.CALL) == (wanted is do.Call):
                option = passing
    if option is not None:
        to_cents = option.least_cents
    else:
        options = options_for(state, rules, chair, betting)
        if betting.held:
            _check_held(state, command, options)
        option, to_cents = _chosen(state, command, chair, options, rules)
    front = in_front(chair, betting)
    all_in = _all_in(option, to_cents, command)
    chairs = after_action(
        state.chairs,
        chair.seat,
        to_cents - front,
        option.act is Act.FOLD,
        all_in,
    )
    after = round_after(state, option.act, chair.seat, chairs, rules)
    taken = ev.ActionTaken(
        seat=chair.seat,
        act=option.act,
        added_cents=to_cents - front,
        to_cents=to_cents,
        all_in=all_in,
        betting=after,
        source=command.source,
        reconstructed=command.reconstructed,
        rules=_cited(command, _breach(option, front, state, rules)),
    )
    if after.to_act:
        return (taken,)
    return (taken, *after_betting(evolve(state, taken), rules))


def round_after(
    state: Hand, done: Act, seat: int, chairs: Chairs, rules: HandRules
) -> BettingRound:
    """Return the round as it stands after an action.

    Args:
        state: the hand before it.
        done: the action.
        seat: who acted.
        chairs: everybody, as after the action.
        rules: of its book and game.
    """
    betting = state.betting
    chair = chair_at(chairs, seat)
    assert betting is not None
    assert chair is not None
    if done in WAGERS:
        after = after_wager(betting, chair, chairs, rules.betting)
    elif done is Act.BRING_IN:
        after = after_bring_in(betting, chair, chairs, rules.betting, state.game.bring_in_cents)
    else:
        after = after_pass(betting, chair, chairs, rules.betting)
    if after.held:
        return let_go(after, seat, put_in=done in WAGERS or done is Act.CALL)
    return after


def _check_held(state: Hand, command: Action, options: tuple[Option, ...]) -> None:
    """Refuse anything but what a player who acted before his turn is held to."""
    betting = state.betting
    if betting is None or not betting.held:
        return
    held = next((one for one in betting.held if one.seat == command.seat), None)
    if held is None or len(options) != 1:
        return
    option = options[0]
    if not _takes(option, command):
        raise Refused(
            "HELD_TO_ACTION",
            held.rules,
            f"seat {held.seat} acted before the turn and is held to it: only {option.words()} is open",
            [option.words()],
            field="seat",
        )


def _takes(option: Option, command: Action) -> bool:
    match command:
        case do.Bet() | do.RaiseTo():
            return option.act in WAGERS and option.admits(command.to_cents)
        case do.AllIn():
            return option.all_in
        case _:
            return type(command).__name__.lower() == option.act.value.replace("_", "")


def _in_turn(state: Hand, command: Action, rules: HandRules) -> Chair:
    if state.phase is not Phase.BETTING:
        raise Refused(
            "NO_BETTING",
            ("CR-6", *rules.betting.order_cites),
            f"hand {state.hand}: nobody can act, it is {state.phase.value}",
            field="seat",
        )
    seat = command.seat
    chair = chair_at(state.chairs, seat)
    if chair is None:
        raise Refused(
            "SEAT_NOT_DEALT_IN",
            "CR-2",
            f"seat {seat} was not dealt into hand {state.hand}",
            field="seat",
        )
    if seat != state.to_act:
        raise Refused(
            "OUT_OF_TURN",
            rules.betting.order_cites,
            f"seat {command.seat} acts out of turn: seat {state.to_act} is to act",
            [option.words() for option in legal(state, rules)],
            field="seat",
        )
    return chair


def _chosen(
    state: Hand, command: Action, chair: Chair, options: tuple[Option, ...], rules: HandRules
) -> tuple[Option, int]:
    """Return the option a command takes and the amount in front after it."""
    match command:
        case do.Fold():
            return _plain(Act.FOLD, command, state, options, rules)
        case do.Check():
            return _plain(Act.CHECK, command, state, options, rules)
        case do.Call():
            return _plain(Act.CALL, command, state, options, rules)
        case do.BringIn():
            return _plain(Act.BRING_IN, command, state, options, rules)
        case do.Bet() | do.RaiseTo():
            return _wager(command.to_cents, command, state, chair, options, rules)
        case do.AllIn():
            return _every_chip(command, state, chair, options, rules)


def _plain(
    wanted: Act, command: Action, state: Hand, options: tuple[Option, ...], rules: HandRules
) -> tuple[Option, int]:
    for option in options:
        if option.act is wanted:
            return option, option.least_cents
    cites = rules.betting.order_cites
    if wanted is Act.CHECK:
        cites = rules.book.cite("blinds.live", "betting.order")
        why = f"seat {command.seat} cannot check: there is a wager to call"
    elif wanted is Act.CALL:
        why = f"seat {command.seat} has nothing to call"
    elif wanted is Act.FOLD:
        why = f"seat {command.seat} has to bring it in or open for more"
    else:
        why = f"seat {command.seat} has no bring-in to pay"
    raise Refused(
        f"CANNOT_{wanted.name}",
        cites,
        why,
        [option.words() for option in options],
        field="seat",
    )


def _wager(
    to_cents: int,
    command: Action,
    state: Hand,
    chair: Chair,
    options: tuple[Option, ...],
    rules: HandRules,
) -> tuple[Option, int]:
    """Return the bet, completion or raise that is offered with this amount."""
    opening = isinstance(command, do.Bet)
    wagers = [option for option in options if option.act in WAGERS]
    for option in wagers:
        named_so = (option.act is Act.BET) == opening or option.act is Act.COMPLETE
        if named_so and option.admits(to_cents):
            return option, to_cents
    betting = state.betting
    assert betting is not None
    words = [option.words() for option in options]
    closed = why_no_raise(chair, state.chairs, betting, rules.betting)
    if closed is not None and not wagers:
        raise Refused(closed.code, closed.rules, f"seat {chair.seat}: {closed.why}", words)
    if not wagers:
        raise Refused(
            "NOT_ENOUGH_CHIPS",
            "CR-8",
            f"to_cents: seat {chair.seat} has {dollars(chair.stack_cents or 0)} left and cannot raise",
            words,
            field="to_cents",
        )
    if opening and wagers[0].act is Act.RAISE:
        raise Refused(
            "ALREADY_OPENED",
            rules.betting.min_raise_cites,
            f"seat {chair.seat} cannot bet: there is a wager of {dollars(betting.level_cents)}",
            words,
        )
    if not opening and wagers[0].act is Act.BET:
        raise Refused(
            "NOTHING_TO_RAISE",
            rules.betting.min_raise_cites,
            f"seat {chair.seat} cannot raise: nobody has bet",
            words,
        )
    code = "MAY_ONLY_COMPLETE" if wagers[0].act is Act.COMPLETE else "AMOUNT_NOT_ALLOWED"
    raise Refused(
        code,
        wagers[0].rules,
        f"to_cents: {dollars(to_cents)} in front is not an amount open to seat {chair.seat}",
        words,
        field="to_cents",
    )


def _every_chip(
    command: do.AllIn,
    state: Hand,
    chair: Chair,
    options: tuple[Option, ...],
    rules: HandRules,
) -> tuple[Option, int]:
    """Return the option that takes every chip that plays."""
    words = [option.words() for option in options]
    if chair.stack_cents is None:
        if command.to_cents is None:
            raise Refused(
                "STACK_UNKNOWN",
                "CR-12",
                f"to_cents: the chips of seat {chair.seat} are not known; say what the all-in comes to",
                words,
                field="to_cents",
            )
        # What is said to be all tells what the stack was.
        options = _with_stack(command.to_cents, state, chair, rules)
    for option in options:
        if option.all_in and option.most_cents is not None:
            if command.to_cents not in {None, option.most_cents}:
                raise Refused(
                    "EVERY_CHIP_GOES_IN",
                    rules.betting.all_in_cites,
                    f"to_cents: all-in is {dollars(option.most_cents)} in front, every chip that plays, "
                    f"not {dollars(command.to_cents or 0)}",
                    words,
                    field="to_cents",
                )
            return option, option.most_cents
    betting = state.betting
    assert betting is not None
    closed = why_no_raise(chair, state.chairs, betting, rules.betting)
    raise Refused(
        closed.code if closed else "ALL_IN_TOO_MUCH",
        closed.rules if closed else rules.betting.min_raise_cites,
        f"seat {chair.seat} cannot go all-in: "
        + (closed.why if closed else "the stack is more than may be wagered"),
        words,
    )


def _with_stack(to_cents: int, state: Hand, chair: Chair, rules: HandRules) -> tuple[Option, ...]:
    """Return what a player may do whose chips come to an amount in front when all of them are in."""
    betting = state.betting
    assert betting is not None
    left = to_cents - in_front(chair, betting)
    if left <= 0:
        return ()
    counted = msgspec.structs.replace(chair, stack_cents=left)
    return options_for(state, rules, counted, betting)


_WITHOUT_CHIPS = frozenset({Act.FOLD, Act.CHECK})


def _all_in(option: Option, to_cents: int, command: Action) -> bool:
    if isinstance(command, do.AllIn):
        return True
    return option.all_in and to_cents == option.most_cents and option.act not in _WITHOUT_CHIPS


def _cited(command: Action, breach: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rules an action was read by, and those it departs from."""
    if not command.rules:
        return breach
    return tuple(dict.fromkeys((*command.rules, *breach)))


def _breach(option: Option, front: int, state: Hand, rules: HandRules) -> tuple[str, ...]:
    """Return the rules a fold with nothing to call departs from, where the book minds it."""
    betting = state.betting
    if option.act is Act.FOLD and rules.fold_breach and betting and front >= betting.level_cents:
        return rules.fold_breach_cites
    return ()
