"""Values of a player's record: incidents, holds and bars."""

from datetime import datetime
from enum import StrEnum

import msgspec


class Hold(StrEnum):
    """What an incident keeps its person from until it is cleared."""

    NONE = ""
    DEALT_OUT = "dealt_out_until_cleared"
    NOT_SEATED = "not_seated_until_remedied"


class ConductFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen; None where nobody said.

    Args:
        deliberate: whether the act was ruled to be on purpose.
        hand_in_progress: whether a hand was in progress.
        hands_live: whether the hands concerned were still live.
        betting_open: whether betting was unfinished.
        players_in_hand: how many players were still in the hand.
        subject_all_in: whether the person reported was all-in.
        hand_tabled: whether the hand spoken of lay face up.
        delay_seen: whether the game was held up.
        card_left_table: whether a card left the table.
        middle_cents: what lay in the middle before the act.
        thrown_cents: what the person threw in.
        in_front_cents: what other players had in front of them.
        seconds: times that the record shows, such as the person's last action times.
        acts: earlier acts that the record shows, by hand and action.
        notes: what else was said, without names.
    """

    deliberate: bool | None = None
    hand_in_progress: bool | None = None
    hands_live: bool | None = None
    betting_open: bool | None = None
    players_in_hand: int | None = None
    subject_all_in: bool | None = None
    hand_tabled: bool | None = None
    delay_seen: bool | None = None
    card_left_table: bool | None = None
    middle_cents: int | None = None
    thrown_cents: int | None = None
    in_front_cents: int | None = None
    seconds: tuple[int, ...] = ()
    acts: tuple[str, ...] = ()
    notes: str = ""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where an incident happened; empty or 0 where it was nowhere in particular."""

    room: str
    game_id: str = ""
    table: str = ""
    seat: int = 0
    hand_id: str = ""


class Incident(msgspec.Struct, frozen=True, kw_only=True):
    """One act on a person's record.

    Args:
        incident_id: its id.
        offence: its kind, see `offences.OFFENCES`.
        rules: the rules of the book in force that it breaks.
        at: when it happened.
        gaming_day: the gaming day it belongs to.
        place: where.
        reported_by: who reported it.
        facts: what was seen.
        choices: the sanctions that the book allows.
        bar_at_once: whether barring is offered with no warning before.
        sanction_needed: whether it may not be closed without one.
        hold: what it keeps the person from until cleared.
        cleared_by: roles that may clear the hold.
        instruction: what the person is told to do at once, in words.
        also: further rules that the facts bring into play, offered to the floor.
        host_id: the player whose guest the person is, or empty.
        expected_middle_cents: what the middle must hold, where chips were thrown in; None otherwise.
        expected_pot_cents: that and what others have in front of them; None where unknown.
        state: open, sanctioned, closed, or withdrawn where it had been a wrong entry.
        sanction: the last sanction given.
        sanctioned_at: when it was given.
        held: whether the hold still stands.
    """

    incident_id: str
    offence: str
    rules: tuple[str, ...]
    at: datetime
    gaming_day: str
    place: Place
    reported_by: str
    facts: ConductFacts = ConductFacts()
    choices: tuple[str, ...] = ()
    bar_at_once: bool = False
    sanction_needed: bool = False
    hold: Hold = Hold.NONE
    cleared_by: tuple[str, ...] = ()
    instruction: str = ""
    also: tuple[str, ...] = ()
    host_id: str = ""
    expected_middle_cents: int | None = None
    expected_pot_cents: int | None = None
    state: str = "open"
    sanction: str = ""
    sanctioned_at: datetime | None = None
    held: bool = False


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    """A refusal of the house's services, for a time or until it is lifted.

    Args:
        bar_id: its id.
        since: from when.
        until: the first instant at which it no longer holds; None without an end date.
        code: `BARRED` or `SUSPENDED`.
        rules: the rules it rests on.
        incident_id: the incident behind it, or empty.
        reason: why, in words, without names.
        by: who ordered it.
        lifted_at: when it was lifted, or None.
    """

    bar_id: str
    since: datetime
    until: datetime | None
    code: str
    rules: tuple[str, ...]
    incident_id: str
    reason: str
    by: str
    lifted_at: datetime | None = None

    def holds(self, at: datetime) -> bool:
        """Return whether the bar is in force at an instant."""
        if self.lifted_at is not None and at >= self.lifted_at:
            return False
        return self.since <= at and (self.until is None or at < self.until)
