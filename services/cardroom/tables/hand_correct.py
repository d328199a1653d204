"""Corrections: new events that name what was wrong. What is corrected equals the hand played right from the start."""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused
from cardroom.poker.legal import Act
from cardroom.poker.variants import VARIANTS
from cardroom.tables import hand_commands as do
from cardroom.tables import hand_events as ev
from cardroom.tables.hand import Hand, at_version, evolve, history_of
from cardroom.tables.hand_rules import HandRules
from cardroom.tables.hand_turns import ALL_IN

Decide = Callable[[do.HandCommand, Hand, HandRules], tuple[Event, ...]]


def rewind(state: Hand, command: do.RewindHand, rules: HandRules) -> tuple[Event, ...]:
    """Return the event after which the hand goes on from an earlier point.

    Raises:
        Refused: CR-2, at that version no earlier entry that still counts was complete; CR-9 no reason is given.
    """
    _check_reason(command.reason)
    entries = history_of(state)
    followed = _followed(entries, state, rules)
    complete = [
        version for (version, _), more in zip(entries, followed[1:], strict=False) if not more
    ]
    if command.to not in complete:
        raise Refused(
            "ENTRY_UNKNOWN",
            "CR-2",
            f"to: version {command.to} is no earlier entry that counts, with all that followed from it; there are "
            + ", ".join(str(version) for version in complete),
            field="to",
        )
    return (ev.HandRewound(to=command.to, reason=command.reason),)


def _followed(entries: tuple[tuple[int, Event], ...], state: Hand, rules: HandRules) -> list[bool]:
    """Return of each event whether it came with the one before it, so that no rewind can part them."""
    found: list[bool] = []
    before: Event | None = None
    for (_, event), command in zip(entries, commands_of(entries, state, rules), strict=True):
        if isinstance(before, ev.ClockExpired) and before.dead:
            found.append(True)
        else:
            # These are entered, or the timer's; a correction only decides them not anew.
            alone = isinstance(event, ev.ClockCalled | ev.ClockExpired | ev.HoleCardsNoted)
            found.append(command is None and not alone)
        before = event
    return found


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise Refused(
            "REASON_MISSING", "CR-9", "reason: a correction says why in words", field="reason"
        )


def correct_entry(
    state: Hand, command: do.CorrectEntry, rules: HandRules, decide: Decide
) -> tuple[Event, ...]:
    """Return the correction, the right entry, and what was entered after the wrong one decided anew.

    Args:
        state: the hand.
        command: which entry, and what it should have been.
        rules: of its book and game.
        decide: the decider.

    Raises:
        Refused: CR-2 no such entry; or a later entry that does not stand after the correction, by its own refusal.
    """
    _check_reason(command.reason)
    entries = history_of(state)
    versions = [version for version, _ in entries]
    if command.entry not in versions[1:]:
        raise Refused(
            "ENTRY_UNKNOWN",
            "CR-2",
            f"entry: version {command.entry} is no entry of the hand that counts and can be corrected",
            field="entry",
        )
    at = versions.index(command.entry)
    entered = commands_of(entries, state, rules)
    if entered[at] is None:
        raise Refused(
            "NOT_AN_ENTRY",
            "CR-6",
            f"entry: version {command.entry} followed by itself from the entry before it; correct that one",
            field="entry",
        )
    later = [
        again.command
        for again in entered_again(entries, state, rules)
        if again.command is not None and again.version > command.entry
    ]
    corrected = ev.EntryCorrected(entry=command.entry, to=entries[at - 1][0], reason=command.reason)
    events: list[Event] = [corrected]
    now = evolve(state, corrected)
    redo = ([command.corrected] if command.corrected is not None else []) + later
    for again in redo:
        try:
            decided = decide(msgspec.structs.replace(again, after=0), now, rules)
        except Refused as refused:
            raise Refused(
                "LATER_ENTRY_DOES_NOT_STAND",
                refused.rules,
                f"entry: after the correction {type(again).__name__} is refused: {refused.message}; "
                "rewind to there and go on",
                refused.options,
                field="entry",
            ) from refused
        for event in decided:
            events.append(event)
            now = evolve(now, event)
    return tuple(events)


def commands_of(
    entries: tuple[tuple[int, Event], ...], state: Hand, rules: HandRules
) -> list[do.HandCommand | None]:
    """Return the command behind each event of a hand, None where it followed by itself.

    Args:
        entries: the events that count (`history_of`).
        state: the hand they come to.
        rules: of its book and game.
    """
    found: list[do.HandCommand | None] = []
    walk_over = False
    for _, event in entries:
        command = command_of(event, state, rules)
        if isinstance(event, ev.BettingClosed):
            # With one hand left the pots are pushed to it without a word.
            walk_over = event.phase is ev.Phase.SHOWDOWN and not event.order
        elif isinstance(event, ev.PotAwarded) and walk_over:
            command = None
        found.append(command)
    return found


class Entered(NamedTuple):
    """What was entered in a hand, and what came of it then.

    Args:
        version: version of the event that the entry brought; of the start, where nothing was entered.
        command: what was entered; None for the start of the hand.
        recorded: the events that came of it, each with its version.
    """

    version: int
    command: do.HandCommand | None
    recorded: list[tuple[int, Event]]


def entered_again(
    entries: tuple[tuple[int, Event], ...], state: Hand, rules: HandRules
) -> list[Entered]:
    """Return what was entered in a hand, in order; the start with what followed from it comes first.

    Hands that are killed right before a pot is awarded belong to the award: who loses it is decided with it.

    Args:
        entries: the events that count (`history_of`).
        state: the hand they come to.
        rules: of its book and game.
    """
    found: list[Entered] = []
    for (version, event), command in zip(entries, commands_of(entries, state, rules), strict=True):
        if found and command is None:
            found[-1].recorded.append((version, event))
            continue
        recorded = [(version, event)]
        if isinstance(command, do.AwardPots):
            while isinstance(found[-1].command, do.KillHand):
                recorded = found.pop().recorded + recorded
        found.append(Entered(version, command, recorded))
    return found


def command_of(event: Event, state: Hand, rules: HandRules | None = None) -> do.HandCommand | None:
    """Return the command that enters an event, None where the event followed by itself.

    Args:
        event: an event of the hand.
        state: the hand, that event and what came after it included.
        rules: of its book and game, which tell how it is declared; asked only of a declaring game.
    """
    ids: dict[str, Any] = {"room": state.room, "table": state.table, "hand": state.hand}
    match event:
        case ev.ActionTaken():
            return _action(event, state, ids)
        case ev.StreetDealt() if _follows_by_itself(event, state):
            return None
        case ev.StreetDealt():
            return do.DealStreet(
                **ids,
                board=event.board,
                up=event.up,
                burned=event.burned,
                run=event.run,
                community=event.community,
                opener=event.opener,
                opener_may_fold=event.opener_may_fold,
            )
        case ev.HoleCardsNoted(cards=cards) if cards is not None:
            return do.NoteHoleCards(
                **ids,
                hands=tuple(zip(event.seats, cards, strict=True)),
                source=event.source,
                reconstructed=event.reconstructed,
            )
        case ev.CardsExchanged():
            return do.Exchange(
                **ids,
                seat=event.seat,
                count=event.count,
                discarded=event.discarded or (),
                drawn=event.drawn or (),
            )
        case ev.TurnRuled() | ev.ChipsLeftIn():
            return _at_turn(event, ids)
        case ev.DeclarationSealed() | ev.DeclarationsRevealed():
            return _declaration(event, state, rules, ids)
        case ev.HandVoided():
            return _void(event, state, ids)
        case _:
            return _other(event, ids)


def _declaration(
    event: ev.DeclarationSealed | ev.DeclarationsRevealed,
    state: Hand,
    rules: HandRules | None,
    ids: dict[str, Any],
) -> do.HandCommand | None:
    """Return how players declared: with chips, some of them told when the fists opened, or aloud in turn."""
    aloud = rules is not None and rules.high_low.in_turn
    ways = () if rules is None else rules.high_low.chips
    if isinstance(event, ev.DeclarationSealed):
        if aloud:
            way = next(way for count, way in ways if count == event.chips)
            return do.DeclareAloud(**ids, seat=event.seat, way=way)
        return do.SealDeclaration(**ids, seat=event.seat, chips=event.chips)
    if aloud:
        return None
    held = dict(state.sealed)
    counts = {way: count for count, way in ways}
    told = [(seat, counts.get(way, 0)) for seat, way in event.ways if held.get(seat) is None]
    return do.RevealDeclarations(**ids, chips=tuple(told))


def _void(event: ev.HandVoided, state: Hand, ids: dict[str, Any]) -> do.HandCommand:
    """Return the void, with the collection back or kept as it was then."""
    entries = history_of(state)
    at = next(at for at, (_, entry) in enumerate(entries) if isinstance(entry, ev.HandVoided))
    before = at_version(state, entries[at - 1][0])
    whole = sum(
        chair.put_in_cents + chair.dead_cents + chair.house_cents for chair in before.chairs
    )
    return do.VoidHand(
        **ids,
        reason=event.reason,
        rules=event.rules,
        collection_returned=sum(cents for _, cents in event.returns) == whole,
    )


def _follows_by_itself(event: ev.StreetDealt, state: Hand) -> bool:
    """Return whether a street has no cards to enter: the round or showdown after a draw."""
    street = VARIANTS[state.game.form].streets[event.street]
    return not (event.community or street.board or street.up or street.down)


def _at_turn(event: ev.TurnRuled | ev.ChipsLeftIn, ids: dict[str, Any]) -> do.HandCommand:
    said = {**ids, "seat": event.seat, "rules": event.rules}
    if isinstance(event, ev.ChipsLeftIn):
        return do.LeaveChipsIn(**said, cents=event.cents)
    if event.held is not None:
        return do.HoldToAction(**said, act=event.held.act, to_cents=event.held.to_cents)
    if event.bar is not None:
        bar = event.bar
        return do.BarRaise(**said, code=bar.code, why=bar.why, whole_round=bar.whole_round)
    return do.PassOver(**said, acted=event.passed_over)


def _action(event: ev.ActionTaken, state: Hand, ids: dict[str, Any]) -> do.HandCommand:
    said = {
        **ids,
        "seat": event.seat,
        "source": event.source,
        "reconstructed": event.reconstructed,
        "rules": event.rules,
    }
    if event.as_made:
        declared = event.all_in and event.act is Act.CHECK
        act = ALL_IN if declared else event.act.value
        return do.StandAsMade(**said, act=act, to_cents=event.to_cents)
    match event.act:
        case Act.FOLD:
            return do.Fold(**said)
        case Act.CHECK:
            return do.Check(**said)
        case Act.BRING_IN:
            return do.BringIn(**said)
        case Act.CALL:
            if event.all_in:
                return do.AllIn(**said, to_cents=event.to_cents)
            return do.Call(**said)
        case Act.BET:
            if event.all_in:
                return do.AllIn(**said, to_cents=event.to_cents)
            return do.Bet(**said, to_cents=event.to_cents)
        case _:
            # Where a completion takes no more than the bring-in, going all-in would be read as that.
            counted = any(
                one.seat == event.seat and one.stack_cents is not None for one in state.start.seats
            )
            if event.all_in and not (event.act is Act.COMPLETE and counted):
                return do.AllIn(**said, to_cents=event.to_cents)
            return do.RaiseTo(**said, to_cents=event.to_cents)


def _other(event: Event, ids: dict[str, Any]) -> do.HandCommand | None:
    match event:
        case ev.HandShown():
            return do.ShowHand(**ids, seat=event.seat, cards=event.cards, source=event.source)
        case ev.HandMucked():
            return do.MuckHand(
                **ids, seat=event.seat, in_muck=event.in_muck, identifiable=event.identifiable
            )
        case ev.HandKilled(by_ruling=True):
            return do.RuleHandDead(**ids, seat=event.seat, rules=event.rules)
        case ev.HandKilled():
            return do.KillHand(**ids, seat=event.seat)
        case ev.PotAwarded(by_dealer=True):
            return do.AwardPots(
                **ids,
                pot=event.pot,
                losers_killed=True,
                winners=tuple(share.seat for share in event.shares if share.part != "low"),
                low_winners=tuple(share.seat for share in event.shares if share.part == "low"),
            )
        case ev.PotAwarded():
            return do.AwardPots(**ids, pot=event.pot, losers_killed=True)
        case ev.HandRequested():
            return do.AskToSee(**ids, asked_by=event.asked_by, seat=event.seat)
        case ev.RakeTaken():
            return do.TakeRake(
                **ids,
                rake_cents=event.rake_cents,
                jackpot_drop_cents=event.jackpot_drop_cents,
                pot=event.pot,
            )
        case ev.RunsAgreed():
            return do.AgreeRuns(**ids, times=event.times, seats=event.seats)
        case ev.CardsPutAway():
            return do.PutAway(**ids, seat=event.seat, cards=event.cards or ())
        case ev.BoardPlayed():
            return do.SayBoardPlays(**ids, seat=event.seat)
        case ev.BlindsChopped():
            return do.ChopBlinds(**ids)
        case ev.WinnerNoted():
            return do.NoteWinner(
                **ids, seats=event.seats, pot_cents=event.pot_cents, source=event.source
            )
        case _:
            return None
