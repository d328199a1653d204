"""Breaches of courtesy that the tables saw: on the record of those who are on the books, as open incidents."""

from hashlib import sha256
from typing import Final

from msgspec.structs import replace

from cardroom import known
from cardroom.kernel.decisions import Decision, Occasion
from cardroom.kernel.streams import StreamId, Streams
from cardroom.players import commands as c
from cardroom.players import events as e
from cardroom.players.conduct import incident_of, reported, rooms_of
from cardroom.players.offences import OFFENCES
from cardroom.players.player import Phase, Player, group_stream, player_stream
from cardroom.players.values import ConductFacts, Incident, Place

Told = c.NoteCourtesyBreach | c.WithdrawCourtesyBreach
OTHER: Final = "bad_manners"
"""What a breach is of which this release knows no kind."""
ID_MOST: Final = 60
"""Characters of an incident's id, a number behind it left out."""


def reads(command: Told, streams: Streams) -> frozenset[StreamId]:
    """Return the room with its book, and the record that counts for the player."""
    wanted = set(known.game_streams(streams, command.room, ""))
    room: known.Room | None = streams.get(known.room_stream(command.room))
    if room is None:
        return frozenset(wanted)
    stream = player_stream(room.group, command.player_id)
    wanted |= {group_stream(room.group), stream}
    player: Player | None = streams.get(stream)
    while player is not None and player.into_id:
        stream = player_stream(room.group, player.into_id)
        wanted.add(stream)
        player = streams.get(stream)
    return frozenset(wanted)


def _surviving(command: Told, streams: Streams, group: str) -> tuple[StreamId, str, Player]:
    """Return the record that counts for the player: its stream, its id and itself."""
    player_id = command.player_id
    while True:
        stream = player_stream(group, player_id)
        player: Player = streams[stream]
        if not player.into_id:
            return stream, player_id, player
        player_id = player.into_id


def _base(command: Told) -> str:
    """Return the id of a breach's first incident: hand and kind, or their digest where that is too long for an id."""
    plain = f"{command.hand_id.replace('/', '.')}.{command.what}"
    return plain if len(plain) <= ID_MOST else sha256(plain.encode()).hexdigest()[:ID_MOST]


def _of_hand(command: Told, player: Player) -> tuple[Incident, ...]:
    """Return the incidents of this kind that the record has of the hand, those taken back too."""
    base = _base(command)
    return tuple(i for i in player.incidents if (i.incident_id + ".").startswith(base + "."))


def note(command: c.NoteCourtesyBreach, streams: Streams, occasion: Occasion) -> Decision:
    """Record a breach; of somebody who is not on the books it stands beside the hand alone."""
    room = known.room_of(streams, command.room)
    stream, player_id, player = _surviving(command, streams, room.group)
    if player.phase is Phase.UNKNOWN:
        return ()
    earlier = _of_hand(command, player)
    if any(incident.state != "withdrawn" for incident in earlier):
        return ()
    offence = command.what if command.what in OFFENCES else OTHER
    report = c.ReportConduct(
        group=room.group,
        incident_id=f"{_base(command)}.{len(earlier) + 1}" if earlier else _base(command),
        player_ids=(player_id,),
        offence=offence,
        place=Place(room=command.room, table=command.table, hand_id=command.hand_id),
        facts=ConductFacts(
            hand_in_progress=True, notes="" if offence == command.what else command.what
        ),
    )
    book = known.rules_of(streams, command.room, "")
    incident = replace(
        incident_of(report, occasion, book, command.rules),
        at=command.at,
        gaming_day=command.gaming_day,
    )
    rooms = rooms_of(streams, room.group)
    return ((stream, reported(player, player_id, incident, rooms)),)


def withdraw(command: c.WithdrawCourtesyBreach, streams: Streams, occasion: Occasion) -> Decision:
    """Take a breach back that had been a wrong entry."""
    room = known.room_of(streams, command.room)
    stream, _, player = _surviving(command, streams, room.group)
    return tuple(
        (
            stream,
            e.ConductWithdrawn(incident_id=incident.incident_id, at=command.at, by=occasion.actor),
        )
        for incident in _of_hand(command, player)
        if incident.state != "withdrawn"
    )
