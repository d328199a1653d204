"""Deciding a command to a hand: one dispatch, each answer in the module that knows the matter."""

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Stale
from cardroom.tables import hand_commands as do
from cardroom.tables.hand import Hand
from cardroom.tables.hand_actions import act
from cardroom.tables.hand_correct import correct_entry, rewind
from cardroom.tables.hand_declare import declare_aloud, put_away, reveal, seal
from cardroom.tables.hand_events import Phase
from cardroom.tables.hand_extras import (
    agree_runs,
    ask_refund,
    chop_blinds,
    exchange,
    note_hole_cards,
    note_winner,
    push_bets,
    rule_hand_dead,
    take_rake,
    void_hand,
)
from cardroom.tables.hand_flow import deal_street
from cardroom.tables.hand_rules import HandRules
from cardroom.tables.hand_showdown import (
    ask_to_see,
    award_pots,
    kill_hand,
    muck_hand,
    say_board_plays,
    show_hand,
)


def decide_hand(command: do.HandCommand, state: Hand, rules: HandRules) -> tuple[Event, ...]:
    """Return the events that a command to a hand brings, none of them applied yet.

    Args:
        command: one of `HAND_COMMANDS`.
        state: the hand.
        rules: of the hand's pinned book and game (`hand_rules`).

    Raises:
        Refused: the book or one of our invariants does not allow it; what would be accepted is named.
    """
    if state.phase is Phase.NONE:
        raise Refused("HAND_UNKNOWN", "CR-2", f"hand {command.hand!r} is not known", field="hand")
    if command.after and command.after != state.version:
        raise Stale(
            f"after: the hand has {state.version} entries, the caller saw {command.after}", "after"
        )
    match command:
        case do.RewindHand():
            return rewind(state, command)
        case do.CorrectEntry():
            return correct_entry(state, command, rules, decide_hand)
        case do.VoidHand():
            return void_hand(state, command, rules)
        case do.NoteHoleCards():
            return note_hole_cards(state, command, rules)
    if state.over and not isinstance(command, do.ShowHand | do.AskToSee):
        raise Refused("HAND_OVER", "CR-6", f"hand {state.hand} is {state.phase.value}")
    return _decide_running(command, state, rules)


def _decide_running(command: do.HandCommand, state: Hand, rules: HandRules) -> tuple[Event, ...]:
    match command:
        case (
            do.Fold() | do.Check() | do.Call() | do.Bet() | do.RaiseTo() | do.AllIn() | do.BringIn()
        ):
            return act(state, command, rules)
        case do.DealStreet():
            return deal_street(state, command, rules)
        case do.Exchange():
            return exchange(state, command, rules)
        case do.ShowHand():
            return show_hand(state, command, rules)
        case do.MuckHand():
            return muck_hand(state, command, rules)
        case do.KillHand():
            return kill_hand(state, command, rules)
        case do.AwardPots():
            return award_pots(state, command, rules)
        case do.AskToSee():
            return ask_to_see(state, command, rules)
        case do.SayBoardPlays():
            return say_board_plays(state, command, rules)
        case do.RuleHandDead():
            return rule_hand_dead(state, command, rules)
        case do.TakeRake():
            return take_rake(state, command, rules)
        case do.AgreeRuns():
            return agree_runs(state, command, rules)
        case do.ChopBlinds():
            return chop_blinds(state, rules)
        case do.PushBets():
            return push_bets(state, rules)
        case do.AskRefund():
            return ask_refund(state, command, rules)
        case do.NoteWinner():
            return note_winner(state, command, rules)
        case do.PutAway():
            return put_away(state, command, rules)
        case do.SealDeclaration():
            return seal(state, command, rules)
        case do.RevealDeclarations():
            return reveal(state, command, rules)
        case do.DeclareAloud():
            return declare_aloud(state, command, rules)
    raise TypeError(f"{type(command).__name__} is no command of a hand")
