"""What a ruling or the book makes of a turn: acts that stand as made, players held to them, barred or passed over."""

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.money import dollars
from cardroom.kernel.refusal import Refused
from cardroom.poker.betting import Bar, BettingRound, Held, in_front
from cardroom.poker.chairs import Chair, after_action, chair_at
from cardroom.poker.legal import Act
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, evolve
from cardroom.tables.hand_actions import round_after
from cardroom.tables.hand_events import Phase
from cardroom.tables.hand_flow import after_betting
from cardroom.tables.hand_rules import HandRules

_ACTS = {
    act.value: act for act in (Act.FOLD, Act.CHECK, Act.CALL, Act.BET, Act.RAISE, Act.COMPLETE)
}

ALL_IN = "all_in"
"""What a player does who is declared all-in for what is in front, chips behind or not."""


def _player(state: Hand, command: do.ActionCommand) -> tuple[Chair, BettingRound]:
    """Return a player who is still to act in the open round, and the round."""
    betting = state.betting
    if state.phase is not Phase.BETTING or betting is None:
        raise Refused(
            "NO_BETTING", "CR-6", f"hand {state.hand}: it is {state.phase.value}", field="seat"
        )
    chair = chair_at(state.chairs, command.seat)
    if chair is None or chair.seat not in betting.to_act:
        raise Refused(
            "NOT_TO_ACT",
            "CR-6",
            f"seat {command.seat} is not yet to act; still to act: "
            + ", ".join(str(seat) for seat in betting.to_act),
            field="seat",
        )
    if not command.rules:
        raise Refused("RULES_MISSING", "CR-4", "rules: a ruling names its rules", field="rules")
    return chair, betting


def _act(name: str) -> Act:
    if name not in _ACTS:
        raise Refused(
            "ACT_UNKNOWN", "CR-4", f"act is {name!r}: no action", options=sorted(_ACTS), field="act"
        )
    return _ACTS[name]


def stand_as_made(state: Hand, command: do.StandAsMade, rules: HandRules) -> tuple[Event, ...]:
    """Return what an action brings that was made out of turn, or in no proper amount, and stands.

    A player who is declared all-in for what is in front acts no more; later wagers make a side pot, and the chips
    behind stay with the player (stud.exposed_final_card).

    Args:
        state: the hand.
        command: the action and the rules it stands by.
        rules: of its book and game.

    Raises:
        Refused: CR-6, the player is not yet to act in this round; CR-8, the amount does not fit the player's chips or
            the act; CR-4, no rule is named.
    """
    chair, betting = _player(state, command)
    declared = command.act == ALL_IN
    done = Act.CHECK if declared else _act(command.act)
    front = in_front(chair, betting)
    to_cents = front if done in {Act.FOLD, Act.CHECK} else command.to_cents
    added = to_cents - front
    beyond = chair.stack_cents is not None and added > chair.stack_cents
    above = to_cents > betting.level_cents
    wrong = {
        Act.CHECK: front < betting.level_cents,
        Act.CALL: above or not added,
        Act.BET: not above or bool(betting.level_cents),
        Act.RAISE: not above or not betting.level_cents,
        Act.COMPLETE: not above,
    }.get(done, False)
    if added < 0 or beyond or wrong:
        raise Refused(
            "AMOUNT_DOES_NOT_FIT",
            "CR-8",
            f"to_cents: a {done.value} of seat {chair.seat} to {dollars(to_cents)} fits neither its chips nor the "
            f"wager of {dollars(betting.level_cents)}",
            field="to_cents",
        )
    all_in = declared or (added > 0 and chair.stack_cents == added)
    chairs = after_action(state.chairs, chair.seat, added, folded=done is Act.FOLD, all_in=all_in)
    after = round_after(state, done, chair.seat, chairs, rules)
    taken = ev.ActionTaken(
        seat=chair.seat,
        act=done,
        added_cents=added,
        to_cents=to_cents,
        all_in=all_in,
        betting=after,
        source=command.source,
        reconstructed=command.reconstructed,
        rules=command.rules,
        as_made=True,
    )
    if after.to_act:
        return (taken,)
    return (taken, *after_betting(evolve(state, taken), rules))


def hold_to_action(state: Hand, command: do.HoldToAction, rules: HandRules) -> tuple[Event, ...]:
    """Return the event by which a player is held to what was done before the turn.

    Raises:
        Refused: CR-6, it is the player's turn or no longer is; CR-4, no action, or no rule.
    """
    del rules
    chair, betting = _player(state, command)
    done = _act(command.act)
    held = Held(seat=chair.seat, act=done.value, to_cents=command.to_cents, rules=command.rules)
    others = tuple(one for one in betting.held if one.seat != chair.seat)
    after = msgspec.structs.replace(betting, held=(*others, held))
    return (ev.TurnRuled(seat=chair.seat, betting=after, rules=command.rules, held=held),)


def bar_raise(state: Hand, command: do.BarRaise, rules: HandRules) -> tuple[Event, ...]:
    """Return the event that bars a player from betting and raising.

    Raises:
        Refused: CR-6, no round is open or the player is not in the hand; CR-4, no rule is named.
    """
    del rules
    betting = state.betting
    chair = chair_at(state.chairs, command.seat)
    if state.phase is not Phase.BETTING or betting is None or chair is None or not chair.live:
        raise Refused(
            "NOT_IN_THE_HAND",
            "CR-6",
            f"seat {command.seat} has no hand in an open round",
            field="seat",
        )
    if not command.rules:
        raise Refused("RULES_MISSING", "CR-4", "rules: a ruling names its rules", field="rules")
    bar = Bar(
        seat=chair.seat,
        code=command.code,
        why=command.why,
        rules=command.rules,
        whole_round=command.whole_round,
    )
    others = tuple(one for one in betting.barred if one.seat != chair.seat)
    after = msgspec.structs.replace(betting, barred=(*others, bar))
    return (ev.TurnRuled(seat=chair.seat, betting=after, rules=command.rules, bar=bar),)


def pass_over(state: Hand, command: do.PassOver, rules: HandRules) -> tuple[Event, ...]:
    """Return the event by which a player's turn comes after those who acted behind.

    Raises:
        Refused: CR-6, the player is not yet to act, or one of the others is not; CR-4, nobody acted, or no rule.
    """
    del rules
    chair, betting = _player(state, command)
    strangers = [seat for seat in command.acted if seat not in betting.to_act]
    if not command.acted or strangers or chair.seat in command.acted:
        raise Refused(
            "NOT_TO_ACT",
            "CR-6",
            f"acted: {command.acted} must be others who are still to act: {betting.to_act}",
            field="acted",
        )
    first = tuple(seat for seat in betting.to_act if seat in command.acted)
    rest = tuple(
        seat for seat in betting.to_act if seat not in command.acted and seat != chair.seat
    )
    after = msgspec.structs.replace(betting, to_act=(*first, chair.seat, *rest))
    return (
        ev.TurnRuled(
            seat=chair.seat, betting=after, rules=command.rules, passed_over=command.acted
        ),
    )


def leave_chips_in(state: Hand, command: do.LeaveChipsIn, rules: HandRules) -> tuple[Event, ...]:
    """Return the event by which chips that are too few for a call stay in.

    Raises:
        Refused: CR-8, they are not fewer than the call, or all the player has; CR-4, no rule is named.
    """
    chair, betting = _player(state, command)
    front = in_front(chair, betting) + command.cents
    stack = chair.stack_cents
    last_chips = stack is not None and stack - command.cents < rules.game.chip_cents
    if command.cents <= 0 or front >= betting.level_cents or last_chips:
        raise Refused(
            "AMOUNT_DOES_NOT_FIT",
            "CR-8",
            f"cents: {dollars(command.cents)} of seat {chair.seat} is no short call of "
            f"{dollars(betting.level_cents)}",
            field="cents",
        )
    return (ev.ChipsLeftIn(seat=chair.seat, cents=command.cents, rules=command.rules),)
