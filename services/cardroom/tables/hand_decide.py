"""Deciding a command to a hand: one dispatch, each answer in the module that knows the matter."""

from collections.abc import Callable
from typing import Any, Final

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Stale
from cardroom.tables import hand_commands as do
from cardroom.tables.hand import Hand
from cardroom.tables.hand_actions import act
from cardroom.tables.hand_award import award_pots
from cardroom.tables.hand_clock import call_clock, expire_clock
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
    kill_hand,
    muck_hand,
    say_board_plays,
    show_hand,
)
from cardroom.tables.hand_turns import (
    bar_raise,
    hold_to_action,
    leave_chips_in,
    pass_over,
    stand_as_made,
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
    kind = type(command)
    if isinstance(command, do.CorrectEntry):
        return correct_entry(state, command, rules, decide_hand)
    if state.over and kind not in _AFTER_THE_END:
        raise Refused("HAND_OVER", "CR-6", f"hand {state.hand} is {state.phase.value}")
    return _DECIDE[kind](state, command, rules)


_AFTER_THE_END: Final = frozenset(
    {do.ShowHand, do.AskToSee, do.NoteHoleCards, do.RewindHand, do.VoidHand}
)
"""What may still be entered when a hand is over."""

_DECIDE: Final[dict[type[do.HandCommand], Callable[[Hand, Any, HandRules], tuple[Event, ...]]]] = {
    do.Fold: act,
    do.Check: act,
    do.Call: act,
    do.Bet: act,
    do.RaiseTo: act,
    do.AllIn: act,
    do.BringIn: act,
    do.NoteHoleCards: note_hole_cards,
    do.DealStreet: deal_street,
    do.Exchange: exchange,
    do.TakeRake: take_rake,
    do.AgreeRuns: agree_runs,
    do.PutAway: put_away,
    do.SealDeclaration: seal,
    do.RevealDeclarations: reveal,
    do.DeclareAloud: declare_aloud,
    do.ShowHand: show_hand,
    do.SayBoardPlays: say_board_plays,
    do.MuckHand: muck_hand,
    do.KillHand: kill_hand,
    do.RuleHandDead: rule_hand_dead,
    do.StandAsMade: stand_as_made,
    do.HoldToAction: hold_to_action,
    do.BarRaise: bar_raise,
    do.PassOver: pass_over,
    do.LeaveChipsIn: leave_chips_in,
    do.CallClock: call_clock,
    do.ExpireClock: expire_clock,
    do.AskToSee: ask_to_see,
    do.AwardPots: award_pots,
    do.ChopBlinds: chop_blinds,
    do.PushBets: push_bets,
    do.AskRefund: ask_refund,
    do.NoteWinner: note_winner,
    do.VoidHand: void_hand,
    do.RewindHand: rewind,
}
"""Every command of a hand but `CorrectEntry`, which decides others anew."""
