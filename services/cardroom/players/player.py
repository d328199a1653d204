"""The player's record: state, how events change it, and the standing that other contexts ask for."""

from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec
from msgspec.structs import replace

from cardroom.kernel.streams import Aggregate, StreamId, stream_id
from cardroom.known.standing import Act, Apart, Impediment, Standing
from cardroom.players import events as e
from cardroom.players.values import Bar, Hold, Incident

EVERYTHING = frozenset(Act)


class Phase(StrEnum):
    """What a record is."""

    UNKNOWN = "unknown"
    REGISTERED = "registered"
    MERGED = "merged"
    ERASED = "erased"


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """One record.

    Args:
        phase: what the record is.
        player_id: its id, empty before registration.
        full_name: None once erased.
        board_name: what may stand on a public board; None once erased.
        phone: None once erased or never given.
        incidents: all incidents, oldest first.
        bars: all bars and suspensions, lifted ones too.
        apart: other player -> rules, the pairs kept apart.
        services_refused: service -> since when.
        legal_hold: why the record must be kept, or empty.
        into_id: the surviving record where this one was merged.
        absorbed: records merged into this one.
    """

    phase: Phase = Phase.UNKNOWN
    player_id: str = ""
    full_name: str | None = None
    board_name: str | None = None
    phone: str | None = None
    incidents: tuple[Incident, ...] = ()
    bars: tuple[Bar, ...] = ()
    apart: tuple[tuple[str, tuple[str, ...]], ...] = ()
    services_refused: tuple[tuple[str, datetime], ...] = ()
    legal_hold: str = ""
    into_id: str = ""
    absorbed: tuple[str, ...] = ()

    def dealt_out(self, at: datetime, but: str = "") -> bool:
        """Return whether anything but one bar or incident keeps the person from being dealt in."""
        return any(b.holds(at) and b.bar_id != but for b in self.bars) or any(
            i.held and i.hold is Hold.DEALT_OUT and i.incident_id != but for i in self.incidents
        )

    def incident(self, incident_id: str) -> Incident | None:
        """Return an incident by its id."""
        return next((i for i in self.incidents if i.incident_id == incident_id), None)


def player_stream(group: str, player_id: str) -> StreamId:
    """Return the stream of a record."""
    return stream_id("player", group, player_id)


def _with_incident(player: Player, incident_id: str, **changes: Any) -> Player:
    return replace(
        player,
        incidents=tuple(
            replace(i, **changes) if i.incident_id == incident_id else i for i in player.incidents
        ),
    )


def _sanctioned(state: Player, event: e.SanctionApplied) -> Player:
    return _with_incident(
        state,
        event.incident_id,
        state="sanctioned",
        sanction=event.sanction,
        sanctioned_at=event.at,
        **({"held": True, "hold": Hold.DEALT_OUT} if event.sanction == "dealt_out" else {}),
    )


def _absorbed(state: Player, event: e.RecordAbsorbed) -> Player:
    known_bars = {bar.bar_id for bar in state.bars}
    known_incidents = {i.incident_id for i in state.incidents}
    known_services = dict(state.services_refused)
    return replace(
        state,
        absorbed=(*state.absorbed, event.from_id),
        incidents=tuple(
            sorted(
                (
                    *state.incidents,
                    *(i for i in event.incidents if i.incident_id not in known_incidents),
                ),
                key=lambda i: i.at,
            )
        ),
        bars=(*state.bars, *(bar for bar in event.bars if bar.bar_id not in known_bars)),
        apart=tuple(sorted({**dict(event.apart), **dict(state.apart)}.items())),
        services_refused=tuple(sorted({**dict(event.services_refused), **known_services}.items())),
        legal_hold=state.legal_hold or event.legal_hold,
    )


def evolve(state: Player, event: Any) -> Player:
    """Return the record after an event."""
    match event:
        case e.PlayerRegistered():
            return replace(
                state,
                phase=Phase.REGISTERED,
                player_id=event.player_id,
                full_name=event.full_name,
                board_name=event.board_name,
                phone=event.phone,
            )
        case e.DetailsChanged():
            return replace(
                state,
                full_name=event.full_name,
                board_name=event.board_name,
                phone=event.phone,
            )
        case e.ConductReported(incident=incident):
            return replace(state, incidents=(*state.incidents, incident))
        case e.SanctionApplied():
            return _sanctioned(state, event)
        case e.IncidentClosed(incident_id=incident_id):
            return _with_incident(state, incident_id, state="closed")
        case e.ConductWithdrawn(incident_id=incident_id):
            return _with_incident(state, incident_id, state="withdrawn", held=False)
        case e.PlayerCleared(incident_id=incident_id):
            return _with_incident(state, incident_id, held=False)
        case e.PlayerBarred(bar=bar):
            if any(known.bar_id == bar.bar_id for known in state.bars):
                return state
            return replace(state, bars=(*state.bars, bar))
        case e.BarLifted():
            bars = tuple(
                replace(b, lifted_at=event.at) if b.bar_id == event.bar_id else b
                for b in state.bars
            )
            return replace(state, bars=bars)
        case e.ServiceRefused():
            services = {**dict(state.services_refused), event.service: event.at}
            return replace(state, services_refused=tuple(sorted(services.items())))
        case e.ServiceRestored(service=service):
            return replace(
                state,
                services_refused=tuple(s for s in state.services_refused if s[0] != service),
            )
        case e.KeptApart():
            pairs = {**dict(state.apart), event.other_id: event.rules}
            return replace(state, apart=tuple(sorted(pairs.items())))
        case e.ApartEnded(other_id=other):
            return replace(state, apart=tuple(pair for pair in state.apart if pair[0] != other))
        case e.RecordMerged(into_id=into):
            return replace(state, phase=Phase.MERGED, into_id=into)
        case e.RecordAbsorbed():
            return _absorbed(state, event)
        case e.LegalHoldPlaced(reason=reason):
            return replace(state, legal_hold=reason)
        case e.LegalHoldLifted():
            return replace(state, legal_hold="")
        case e.PlayerErased():
            return replace(state, phase=Phase.ERASED, full_name=None, board_name=None, phone=None)
        case _:
            raise TypeError(f"a player's record holds no {type(event).__name__}")


PLAYER = Aggregate(kind="player", initial=Player(), evolve=evolve)


def standing_of(player: Player, version: int, at: datetime) -> Standing:
    """Return what other contexts need to know of a person before they list, seat or sell.

    Args:
        player: the surviving record.
        version: the version it was read at.
        at: from when on bars and holds matter.
    """
    found: list[Impediment] = []
    for bar in player.bars:
        end = min((t for t in (bar.until, bar.lifted_at) if t is not None), default=None)
        if end is None or end > at:
            found.append(
                Impediment(
                    code=bar.code,
                    acts=EVERYTHING,
                    rules=bar.rules,
                    since=bar.since,
                    until=end,
                    incident_id=bar.incident_id,
                )
            )
    for incident in player.incidents:
        if incident.held:
            dealt_out = incident.hold is Hold.DEALT_OUT
            found.append(
                Impediment(
                    code="DEALT_OUT_UNTIL_CLEARED" if dealt_out else "NOT_SEATED_UNTIL_REMEDIED",
                    acts=frozenset({Act.DEAL}) if dealt_out else frozenset({Act.SIT}),
                    rules=incident.rules,
                    since=incident.at,
                    incident_id=incident.incident_id,
                )
            )
    return Standing(
        player_id=player.player_id,
        version=version,
        impediments=tuple(found),
        apart=tuple(Apart(player_id=other, rules=rules) for other, rules in player.apart),
        open_incidents=sum(1 for i in player.incidents if i.state == "open"),
    )


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """A group of rooms that shares its players."""

    rooms: tuple[str, ...] = ()


def group_stream(group: str) -> StreamId:
    """Return the stream that lists a group's rooms."""
    return stream_id("group", group)


def evolve_group(state: Group, event: Any) -> Group:
    """Return the group after an event."""
    match event:
        case e.RoomJoined(room=room):
            return Group(rooms=(*state.rooms, room))
        case _:
            raise TypeError(f"a group holds no {type(event).__name__}")


GROUP = Aggregate(kind="group", initial=Group(), evolve=evolve_group)
