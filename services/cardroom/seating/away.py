"""Absence: hold and missed-blind buttons, away clocks, meal breaks, and picking up chips."""

from datetime import datetime, timedelta

from cardroom.kernel.decisions import Decision
from cardroom.kernel.events import Event
from cardroom.kernel.money import check_cents
from cardroom.kernel.refusal import Refused
from cardroom.seating import commands as c
from cardroom.seating import events as e
from cardroom.seating.here import INSTANT, Here
from cardroom.seating.merging import second_seat
from cardroom.seating.sitting import leave_events, over_events, release_kept
from cardroom.seating.values import Absence, Seat, Seated


def away_limit(here: Here, since: datetime) -> tuple[datetime | None, tuple[str, ...]]:
    """Return from when an absence is too long, None where time does not count, and the rules."""
    book = here.book
    minutes, key = book.minutes("seating.away_minutes"), "seating.away_minutes"
    if here.is_stud:
        if book.minutes("seating.away_stud_minutes"):
            key = "seating.away_stud_minutes"
            minutes = book.minutes(key)
    elif book.choice("seating.away_measure") == "missed_big_blinds":
        return None, book.cite("seating.away_measure", "seating.away_missed_buttons")
    return past(here, since + timedelta(minutes=minutes)), book.cite(
        key, "seating.away_due_at_limit"
    )


def past(here: Here, limit: datetime) -> datetime:
    """Return the first instant that counts as over a limit: the limit itself, or only what lies past it."""
    return limit if here.book.flag("seating.away_due_at_limit") else limit + INSTANT


def _gone(here: Here, seat: Seat, seated: Seated, absence: Absence) -> e.PlayerAway:
    return e.PlayerAway(
        room=here.table.room,
        table=here.table.table,
        seat=seat.number,
        player_id=seated.player_id,
        absence=absence,
        hold_button=not seated.missed_buttons,
    )


def _present(here: Here, player_id: str) -> tuple[Seat, Seated]:
    seat, seated = here.seated(player_id)
    if seated.away is not None:
        raise Refused("ALREADY_AWAY", "CR-6", f"{player_id} is away", field="player_id")
    return seat, seated


def leave_table(here: Here, command: c.LeaveTable) -> Decision:
    """Be away for a time; nobody's approval is needed."""
    seat, seated = _present(here, command.player_id)
    limit, rules = away_limit(here, here.at)
    notice = seated.notice_until
    if limit is not None and notice is not None and notice > here.at:
        limit = max(limit, past(here, notice))
        rules = (*rules, *here.book.cite("seating.away_notice_extends"))
    return here.on_table(
        _gone(here, seat, seated, Absence(since=here.at, overdue_from=limit, rules=rules))
    )


def notify(here: Here, command: c.NotifyAbsence) -> Decision:
    """Tell the floor before leaving until when one will be away.

    Raises:
        Refused: the book gives no longer absence for telling.
    """
    seat, _ = _present(here, command.player_id)
    if not here.book.flag("seating.away_notice_extends"):
        raise Refused(
            "NOTICE_DOES_NOT_EXTEND",
            here.book.cite("seating.away_notice_extends"),
            "telling the floor gives no longer absence here",
        )
    if command.until <= here.at:
        raise Refused("UNTIL_PAST", "CR-4", "until must lie in the future", field="until")
    return here.on_table(e.AbsenceNotified(seat=seat.number, until=command.until))


def meal_break(here: Here, command: c.StartMealBreak) -> Decision:
    """Start a meal break announced to the floor.

    Raises:
        Refused: the game has none, or the last one is not long enough ago.
    """
    seat, seated = _present(here, command.player_id)
    minutes = here.book.minutes("seating.meal_break_minutes")
    every = here.book.minutes("seating.meal_break_every_minutes")
    rules = here.book.cite("seating.meal_break_minutes", "seating.meal_break_every_minutes")
    if not minutes or not here.is_stud:
        raise Refused("NO_MEAL_BREAKS", rules, "this game has no meal breaks")
    last = seated.last_meal_at
    if last is not None and here.at - last < timedelta(minutes=every):
        again = last + timedelta(minutes=every)
        raise Refused(
            "MEAL_BREAK_TOO_SOON",
            rules,
            f"the last meal break began {last:%H:%M} UTC; the next may begin {again:%H:%M} UTC",
            options=("an ordinary absence",),
            field="player_id",
        )
    limit = past(here, here.at + timedelta(minutes=minutes))
    absence = Absence(since=here.at, overdue_from=limit, meal=True, rules=rules)
    return here.on_table(_gone(here, seat, seated, absence))


def return_to_table(here: Here, command: c.ReturnToTable) -> Decision:
    """Come back to the table.

    Raises:
        Refused: the player is not away.
    """
    seat, seated = here.seated(command.player_id)
    if seated.away is None:
        raise Refused("NOT_AWAY", "CR-6", f"{command.player_id} is at the table", field="player_id")
    back = e.PlayerBack(
        room=here.table.room,
        table=here.table.table,
        seat=seat.number,
        player_id=command.player_id,
        at=here.at,
    )
    return (*over_events(here, seat, seated, None), (here.stream, back))


def extend(here: Here, command: c.ExtendAbsence) -> Decision:
    """Give an absent player more time; the floor does.

    Raises:
        Refused: the book gives none, or the player is not away, or time does not count.
    """
    seat, seated = here.seated(command.player_id)
    rules = here.book.cite("seating.away_notice_extends")
    if not here.by_floor():
        raise Refused("NEEDS_FLOOR", rules, "a floorperson gives a longer absence")
    if seated.away is None or seated.away.overdue_from is None:
        raise Refused("NO_AWAY_CLOCK", "CR-6", "no away clock runs for this player")
    if not here.book.flag("seating.away_notice_extends"):
        raise Refused("NOTICE_DOES_NOT_EXTEND", rules, "no longer absence is given here")
    return here.on_table(
        e.AbsenceExtended(seat=seat.number, overdue_from=past(here, command.until))
    )


def _due(here: Here, seat: Seat, seated: Seated, rules: tuple[str, ...]) -> e.PickUpDue:
    return e.PickUpDue(
        room=here.table.room,
        table=here.table.table,
        seat=seat.number,
        player_id=seated.player_id,
        at=here.at,
        rules=rules,
    )


def raise_absence(here: Here, command: c.RaiseAbsence) -> Decision:
    """Raise an absence that is too long with the floor; nothing is removed by itself."""
    seat = here.seat(command.seat)
    seated = seat.seated
    if seated is None or seated.player_id != command.player_id or seated.away is None:
        return ()
    away = seated.away
    if away.overdue_from is None or here.at < away.overdue_from or away.raised:
        return ()
    return here.on_table(_due(here, seat, seated, away.rules))


def note_missed_blind(here: Here, command: c.NoteMissedBlind) -> Decision:
    """Give an absent player a missed-blind button; the last one of a full game has the chips picked up."""
    table, player_id = here.table, command.player_id
    # Whom it went by may have changed seats while the word was on its way.
    seat = table.seat_of(player_id) if player_id else table.seat(command.seat)
    seated = seat.seated if seat else None
    if seat is None or seated is None:
        return ()
    count = seated.missed_buttons + 1
    records: list[Event] = [e.MissedButtonGiven(seat=seat.number, count=count)]
    by_buttons = here.book.choice("seating.away_measure") == "missed_big_blinds"
    full = here.table.is_full or here.book.choice("seating.away_not_full") == "as_full_game"
    allowed = here.book.count("seating.away_missed_buttons")
    if seated.away is not None and by_buttons and full and count >= allowed:
        rules = here.book.cite("seating.away_missed_buttons", "seating.away_measure")
        records.append(_due(here, seat, seated, rules))
    return here.on_table(*records)


def _absences(seated: Seated, at: datetime) -> tuple[tuple[datetime, datetime], ...]:
    now = ((seated.away.since, at),) if seated.away else ()
    return (*seated.absences, *now)


def review(here: Here, command: c.ReviewAbsences) -> Decision:
    """Show how often and how long a player was away; picking up is offered, or the reason for not doing it noted."""
    seat, seated = here.occupant(command.seat)
    absences = _absences(seated, here.at)
    minutes = sum((end - start for start, end in absences), timedelta()) // timedelta(minutes=1)
    return here.on_table(
        e.AbsencesReviewed(
            seat=seat.number,
            absences=len(absences),
            away_minutes=minutes,
            pick_up_offered=here.book.cite("seating.repeated_absence"),
            left_seated_reason=command.left_seated_reason.strip(),
        )
    )


def pick_up(here: Here, command: c.PickUpChips) -> Decision:
    """Take a player's chips off the table and open the seat.

    Raises:
        Refused: nothing allows it yet, and no reason is given for repeated absence; a hand is live.
    """
    seat, seated = here.occupant(command.seat)
    repeated = here.book.cite("seating.repeated_absence")
    rules = seated.pick_up_rules
    if not here.by_floor():
        raise Refused("NEEDS_FLOOR", rules or repeated, "a floorperson has chips picked up")
    out = seated.exclusion
    if out is not None and out.must_leave:
        rules = out.rules
        if here.table.hand_live and seated.away is None:
            raise Refused(
                "HAND_LIVE",
                (*out.rules, "CR-6"),
                "chips are cashed out once no hand is live",
                options=("wait until the hand ends",),
                field="seat",
            )
    if not rules:
        if not command.reason.strip():
            raise Refused(
                "PICK_UP_NOT_DUE",
                tuple(dict.fromkeys((*away_limit(here, here.at)[1], *repeated))),
                f"{seated.missed_buttons} missed-blind buttons and the time away do not have the "
                f"chips of seat {seat.number} picked up",
                options=("give a reason: repeated absence",),
                field="reason",
            )
        if not _absences(seated, here.at):
            raise Refused(
                "NO_ABSENCES", repeated, "no absence of this player is on record", field="seat"
            )
        rules = repeated
    if command.chips_cents is not None:
        check_cents(command.chips_cents, "chips_cents")
    picked = e.ChipsPickedUp(
        room=here.table.room,
        table=here.table.table,
        seat=seat.number,
        player_id=seated.player_id,
        at=here.at,
        chips_cents=command.chips_cents,
        rules=rules,
        absences=_absences(seated, here.at),
        reason=command.reason.strip(),
    )
    leaving = leave_events(here, seat, seated, "picked_up", command.chips_cents)
    return (
        (here.stream, picked),
        *over_events(here, seat, seated, None),
        *leaving,
        *release_kept(here, seated.player_id, seated.move),
        *second_seat(here, seated.player_id),
    )
