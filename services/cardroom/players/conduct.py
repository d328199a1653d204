"""Decisions on conduct: reports, sanctions, closing and clearing."""

from datetime import datetime

from cardroom import known
from cardroom.kernel.decisions import Decision, Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import StreamId, Streams
from cardroom.known.citing import stated
from cardroom.players import commands as c
from cardroom.players import events as e
from cardroom.players.offences import LEAVES_TABLE, OFFENCES, judge
from cardroom.players.player import Group, Phase, Player, group_stream, player_stream
from cardroom.players.values import Bar, ConductFacts, Hold, Incident
from cardroom.rulebook.model import ResolvedBook

CLEARED_BY_SUPERVISOR = ("lead_floor", "shift_manager")
CLEARED_BY_FLOOR = ("floor", "lead_floor", "shift_manager")


def rooms_of(streams: Streams, group: str) -> tuple[str, ...]:
    """Return the rooms of a group."""
    found: Group = streams[group_stream(group)]
    return found.rooms


def _expected(facts: ConductFacts) -> tuple[int | None, int | None]:
    """Return what the middle and the whole pot must hold after chips were thrown in."""
    if facts.middle_cents is None or facts.thrown_cents is None:
        return None, None
    middle = facts.middle_cents + facts.thrown_cents
    return middle, None if facts.in_front_cents is None else middle + facts.in_front_cents


def incident_of(
    command: c.ReportConduct, occasion: Occasion, book: ResolvedBook, rules: tuple[str, ...]
) -> Incident:
    """Return an act as an incident, with what the book has follow from it."""
    offence, facts = OFFENCES[command.offence], command.facts
    hold = command.consequence
    cleared_by: tuple[str, ...] = CLEARED_BY_FLOOR
    if offence.defaces_card and book.choice("conduct.defaced_card") == "dealt_out_until_cleared":
        hold, cleared_by = Hold.DEALT_OUT, CLEARED_BY_SUPERVISOR
    instruction = offence.instruction
    if command.offence == "reading_at_table" and (
        facts.delay_seen or book.choice("conduct.reading_at_table") == "not_allowed"
    ):
        instruction = "stop reading"
    middle, pot = _expected(facts)
    graves = book.members("conduct.grave_offences")
    return Incident(
        incident_id=command.incident_id,
        offence=command.offence,
        rules=rules,
        at=occasion.at,
        gaming_day=occasion.gaming_day,
        place=command.place,
        reported_by=occasion.actor,
        facts=facts,
        choices=tuple(sorted(book.members("conduct.sanctions"))),
        bar_at_once=bool(offence.grave) and offence.grave in graves,
        sanction_needed=offence.manners and book.flag("conduct.every_offence_sanctioned"),
        hold=hold,
        held=hold is not Hold.NONE,
        cleared_by=cleared_by if hold is not Hold.NONE else (),
        instruction=instruction,
        also=stated(book, *LEAVES_TABLE) if facts.card_left_table else (),
        host_id=command.host_id,
        expected_middle_cents=middle,
        expected_pot_cents=pot,
    )


def report(
    command: c.ReportConduct, streams: Streams, occasion: Occasion, book: ResolvedBook
) -> Decision:
    """Record an act against each person it is reported of.

    Raises:
        Refused: the facts make it none, a fact that decides is missing, a person is not known.
    """
    if not command.player_ids or len(set(command.player_ids)) != len(command.player_ids):
        raise Refused(
            "PLAYERS_NEEDED", "CR-4", "name each person once, at least one", field="player_ids"
        )
    rules = judge(command.offence, command.facts, book)
    incident = incident_of(command, occasion, book, rules)
    decision: list[tuple[StreamId, Event]] = []
    for player_id in command.player_ids:
        stream = player_stream(command.group, player_id)
        player: Player = streams[stream]
        if player.phase is Phase.UNKNOWN:
            raise Unknown("player", player_id, "player_ids")
        if player.phase is not Phase.REGISTERED:
            raise Refused(
                "PLAYER_NOT_CURRENT",
                "CR-6",
                f"player {player_id!r} was {player.phase.value}",
                options=(player.into_id,) if player.into_id else (),
                field="player_ids",
            )
        if player.incident(command.incident_id) is not None:
            raise Refused(
                "INCIDENT_EXISTS",
                "CR-7",
                f"incident {command.incident_id!r} is on record",
                field="incident_id",
            )
        rooms = rooms_of(streams, command.group)
        decision.append((stream, reported(player, player_id, incident, rooms)))
    return tuple(decision)


def reported(
    player: Player, player_id: str, incident: Incident, rooms: tuple[str, ...]
) -> e.ConductReported:
    """Return an incident with the record beside it; what was taken back counts no more."""
    standing = [i for i in player.incidents if i.state != "withdrawn"]
    tonight = [i for i in standing if i.gaming_day == incident.gaming_day]
    return e.ConductReported(
        player_id=player_id,
        rooms=rooms,
        incident=incident,
        tonight_count=len(tonight) + 1,
        earlier=tuple(i.incident_id for i in standing),
    )


def _open_incident(player: Player, incident_id: str) -> Incident:
    incident = player.incident(incident_id)
    if incident is None:
        raise Unknown("incident", incident_id, "incident_id")
    if incident.state in ("closed", "withdrawn"):
        raise Refused(
            f"INCIDENT_{incident.state.upper()}",
            "CR-6",
            f"incident {incident_id!r} is {incident.state}",
            field="incident_id",
        )
    return incident


def _until(sanction: str, until: datetime | None, at: datetime) -> None:
    if sanction == "suspension" and until is None:
        raise Refused(
            "UNTIL_NEEDED", "CR-12", "a suspension needs the time at which it ends", field="until"
        )
    if until is not None and sanction not in {"suspension", "barred"}:
        raise Refused("UNTIL_UNUSED", "CR-4", f"a {sanction} has no end time", field="until")
    if until is not None and until <= at:
        raise Refused("UNTIL_PAST", "CR-4", "until must lie in the future", field="until")


def apply_sanction(
    command: c.ApplySanction, player: Player, streams: Streams, occasion: Occasion
) -> Decision:
    """Apply one of the sanctions that the book allows.

    Raises:
        Refused: the book does not have the sanction; the incident is unknown or closed.
    """
    incident = _open_incident(player, command.incident_id)
    book = known.rules_of(streams, incident.place.room, incident.place.game_id)
    allowed = book.members("conduct.sanctions")
    if command.sanction not in allowed:
        raise Refused(
            "SANCTION_NOT_ALLOWED",
            book.cite("conduct.sanctions"),
            f"sanction {command.sanction!r} is none of this house's",
            options=tuple(sorted(allowed)),
            field="sanction",
        )
    _until(command.sanction, command.until, occasion.at)
    stream = player_stream(command.group, command.player_id)
    rooms = rooms_of(streams, command.group)
    given = sum(
        1
        for i in player.incidents
        if i.sanction == command.sanction and i.gaming_day == occasion.gaming_day
    )
    rules = tuple(dict.fromkeys((*incident.rules, *book.cite("conduct.sanctions"))))
    events: list[Event] = [
        e.SanctionApplied(
            player_id=command.player_id,
            rooms=rooms,
            incident_id=incident.incident_id,
            sanction=command.sanction,
            at=occasion.at,
            gaming_day=occasion.gaming_day,
            rules=rules,
            until=command.until,
            by=occasion.actor,
            reason=command.reason,
            tonight_count=given + 1,
        )
    ]
    if command.sanction in {"barred", "suspension"}:
        bar = Bar(
            bar_id=incident.incident_id,
            since=occasion.at,
            until=command.until,
            code="BARRED" if command.sanction == "barred" else "SUSPENDED",
            rules=rules,
            incident_id=incident.incident_id,
            reason=command.reason,
            by=occasion.actor,
        )
        events.append(e.PlayerBarred(player_id=command.player_id, bar=bar, rooms=rooms))
    return tuple((stream, event) for event in events)


def close_incident(command: c.CloseIncident, player: Player, occasion: Occasion) -> Event:
    """Close an incident.

    Raises:
        Refused: the book asks for a sanction and none was given.
    """
    incident = _open_incident(player, command.incident_id)
    if incident.sanction_needed and not incident.sanction:
        raise Refused(
            "DISCIPLINE_REQUIRED",
            incident.rules,
            f"incident {incident.incident_id!r} may not be closed without a sanction",
            options=incident.choices,
            field="incident_id",
        )
    return e.IncidentClosed(
        incident_id=incident.incident_id,
        at=occasion.at,
        by=occasion.actor,
        reason=command.reason,
    )


def clear(
    command: c.ClearPlayer, player: Player, occasion: Occasion, rooms: tuple[str, ...]
) -> Event:
    """Clear what keeps a person from being dealt in or seated.

    Raises:
        Refused: nothing stands, or the role does not carry it.
    """
    incident = player.incident(command.incident_id)
    if incident is None:
        raise Unknown("incident", command.incident_id, "incident_id")
    if not incident.held:
        raise Refused(
            "NOTHING_HELD",
            "CR-6",
            f"incident {incident.incident_id!r} keeps the person from nothing",
            field="incident_id",
        )
    if not occasion.roles & set(incident.cleared_by):
        raise Refused(
            "NEEDS_SUPERVISOR" if "floor" not in incident.cleared_by else "NEEDS_FLOOR",
            incident.rules,
            f"this is cleared by: {', '.join(incident.cleared_by)}",
            field="incident_id",
        )
    return e.PlayerCleared(
        player_id=command.player_id,
        incident_id=incident.incident_id,
        at=occasion.at,
        by=occasion.actor,
        note=command.note,
        rooms=rooms,
        still_held=player.dealt_out(occasion.at, incident.incident_id),
    )
