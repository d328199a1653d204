"""What players decides: the command dispatch, the streams it reads and the refusals."""

from datetime import datetime
from typing import Any

from cardroom import known
from cardroom.kernel.decisions import Command, Decider, Decision, Occasion
from cardroom.kernel.events import Event
from cardroom.kernel.refusal import Refused, Unknown
from cardroom.kernel.streams import StreamId, Streams
from cardroom.known.citing import stated
from cardroom.players import commands as c
from cardroom.players import courtesy
from cardroom.players import events as e
from cardroom.players.conduct import apply_sanction, clear, close_incident, report, rooms_of
from cardroom.players.player import GROUP, PLAYER, Phase, Player, group_stream, player_stream
from cardroom.players.values import Bar
from cardroom.rulebook.model import ResolvedBook

EXCLUSION_RULES = ("LC-30", "RC-G16", "WP-1C0")
SEPARATION_RULES = ("RC-G15", "WP-2S5")


def key(command: Any) -> str:
    """Return the ordering key: the group of rooms that shares its players."""
    if isinstance(command, known.NoteHouse):
        return known.key(command)
    if isinstance(command, courtesy.Told):
        return (
            command.room
        )  # its group is known once the room is loaded; the streams' versions do the rest
    return str(command.group)


def _place(command: Any) -> tuple[str, str]:
    """Return room and game whose book a command is decided under; empty where it needs none."""
    if isinstance(command, c.ReportConduct):
        return command.place.room, command.place.game_id
    if isinstance(command, c.ApplySanction):
        return "", ""
    return getattr(command, "room", ""), getattr(command, "game_id", "")


def reads(command: Any, streams: Streams) -> frozenset[StreamId]:
    """Return the streams a command is decided on."""
    if isinstance(command, known.NoteHouse):
        return known.reads(command, streams)
    if isinstance(command, courtesy.Told):
        return courtesy.reads(command, streams)
    group = command.group
    ids = set(getattr(command, "player_ids", ())) | {
        value
        for name in ("player_id", "other_id", "from_id")
        if (value := getattr(command, name, ""))
    }
    wanted = {player_stream(group, player_id) for player_id in ids}
    wanted.add(group_stream(group))
    room, game_id = _place(command)
    if isinstance(command, c.ApplySanction):
        player = streams.get(player_stream(group, command.player_id))
        incident = player.incident(command.incident_id) if player else None
        if incident is not None:
            room, game_id = incident.place.room, incident.place.game_id
    if room:
        wanted |= known.game_streams(streams, room, game_id)
    return frozenset(wanted)


def registered(streams: Streams, group: str, player_id: str, field: str = "player_id") -> Player:
    """Return a record that takes events.

    Raises:
        Refused: CR-2 it is not known; CR-6 it was merged or erased.
    """
    player: Player = streams[player_stream(group, player_id)]
    if player.phase is Phase.UNKNOWN:
        raise Unknown("player", player_id, field)
    if player.phase is Phase.MERGED:
        raise Refused(
            "PLAYER_MERGED",
            "CR-6",
            f"player {player_id!r} was merged into {player.into_id!r}",
            options=(player.into_id,),
            field=field,
        )
    if player.phase is Phase.ERASED:
        raise Refused("PLAYER_ERASED", "CR-6", f"player {player_id!r} was erased", field=field)
    return player


def _named(text: str, field: str, length: int) -> str:
    value = " ".join(text.split())
    if not value or len(value) > length:
        raise Refused("TEXT_LENGTH", "CR-4", f"{field} takes 1 to {length} characters", field=field)
    return value


def _note_room(command: c.NoteRoom, streams: Streams) -> Decision:
    if command.joining in rooms_of(streams, command.group):
        return ()
    return ((group_stream(command.group), e.RoomJoined(room=command.joining)),)


def _register(command: c.RegisterPlayer, streams: Streams, occasion: Occasion) -> Decision:
    stream = player_stream(command.group, command.player_id)
    if streams[stream].phase is not Phase.UNKNOWN:
        raise Refused(
            "PLAYER_EXISTS",
            "CR-7",
            f"player {command.player_id!r} is on the books",
            field="player_id",
        )
    event = e.PlayerRegistered(
        player_id=command.player_id,
        at=occasion.at,
        full_name=_named(command.full_name, "full_name", 120),
        board_name=_named(command.board_name, "board_name", 24),
        phone=command.phone.strip() or None,
    )
    return ((stream, event),)


def _change(command: c.ChangeDetails, player: Player) -> Event:
    def chosen(new: str | None, old: str | None, field: str, length: int) -> str | None:
        return old if new is None else _named(new, field, length)

    return e.DetailsChanged(
        player_id=command.player_id,
        full_name=chosen(command.full_name, player.full_name, "full_name", 120),
        board_name=chosen(command.board_name, player.board_name, "board_name", 24),
        phone=chosen(command.phone, player.phone, "phone", 32),
    )


def _bar(
    command: c.BarPlayer,
    player: Player,
    book: ResolvedBook,
    occasion: Occasion,
    rooms: tuple[str, ...],
) -> Event:
    if any(bar.bar_id == command.bar_id for bar in player.bars):
        raise Refused("BAR_EXISTS", "CR-7", f"bar {command.bar_id!r} is on record", field="bar_id")
    if command.until is not None and command.until <= occasion.at:
        raise Refused("UNTIL_PAST", "CR-4", "until must lie in the future", field="until")
    rules = stated(book, *EXCLUSION_RULES)
    if command.incident_id:
        incident = player.incident(command.incident_id)
        if incident is None:
            raise Unknown("incident", command.incident_id, "incident_id")
        rules = (*rules, *(rule for rule in incident.rules if rule not in rules))
    return e.PlayerBarred(
        player_id=command.player_id,
        bar=Bar(
            bar_id=command.bar_id,
            since=occasion.at,
            until=command.until,
            code="BARRED",
            rules=rules,
            incident_id=command.incident_id,
            reason=command.reason,
            by=occasion.actor,
        ),
        rooms=rooms,
    )


def _lift(command: c.LiftBar, player: Player, occasion: Occasion, rooms: tuple[str, ...]) -> Event:
    bar = next((b for b in player.bars if b.bar_id == command.bar_id), None)
    if bar is None:
        raise Unknown("bar", command.bar_id, "bar_id")
    if not bar.holds(occasion.at):
        raise Refused("BAR_OVER", "CR-6", f"bar {bar.bar_id!r} is not in force", field="bar_id")
    return e.BarLifted(
        player_id=command.player_id,
        bar_id=bar.bar_id,
        at=occasion.at,
        by=occasion.actor,
        reason=command.reason,
        rooms=rooms,
        still_held=player.dealt_out(occasion.at, bar.bar_id),
    )


def _apart(command: c.KeepApart, streams: Streams, book: ResolvedBook) -> Decision:
    if command.player_id == command.other_id:
        raise Refused("SAME_PLAYER", "CR-4", "two different players are needed", field="other_id")
    registered(streams, command.group, command.other_id, "other_id")
    rules = stated(book, *SEPARATION_RULES)
    pairs = (command.player_id, command.other_id), (command.other_id, command.player_id)
    return tuple(
        (
            player_stream(command.group, one),
            e.KeptApart(other_id=other, rules=rules, reason=command.reason),
        )
        for one, other in pairs
    )


def _end_apart(command: c.EndApart, player: Player) -> Decision:
    if command.other_id not in dict(player.apart):
        raise Refused("NOT_APART", "CR-6", "these two are not kept apart", field="other_id")
    pairs = (command.player_id, command.other_id), (command.other_id, command.player_id)
    return tuple(
        (player_stream(command.group, one), e.ApartEnded(other_id=other, reason=command.reason))
        for one, other in pairs
    )


def _merge(command: c.MergePlayers, streams: Streams, occasion: Occasion) -> Decision:
    """Merge a record into another: bars that are in force are told again, under the surviving record."""
    if command.player_id == command.from_id:
        raise Refused("SAME_PLAYER", "CR-4", "two different records are needed", field="from_id")
    old = registered(streams, command.group, command.from_id, "from_id")
    surviving = player_stream(command.group, command.player_id)
    rooms = rooms_of(streams, command.group)
    absorbed = e.RecordAbsorbed(
        from_id=command.from_id,
        at=occasion.at,
        incidents=old.incidents,
        bars=old.bars,
        apart=tuple(pair for pair in old.apart if pair[0] != command.player_id),
        services_refused=old.services_refused,
        legal_hold=old.legal_hold,
    )
    merged = e.RecordMerged(
        player_id=command.from_id,
        into_id=command.player_id,
        at=occasion.at,
        by=occasion.actor,
        reason=command.reason,
        rooms=rooms,
    )
    bars = tuple(
        (surviving, e.PlayerBarred(player_id=command.player_id, bar=bar, rooms=rooms))
        for bar in old.bars
        if bar.holds(occasion.at)
    )
    return (
        (surviving, absorbed),
        (player_stream(command.group, command.from_id), merged),
        *bars,
    )


def _erase(command: c.ErasePlayer, player: Player, occasion: Occasion) -> Event:
    if player.legal_hold:
        raise Refused(
            "LEGAL_HOLD",
            "CR-6",
            f"player {command.player_id!r} is under a legal hold: {player.legal_hold}",
            options=("lift the legal hold first",),
            field="player_id",
        )
    return e.PlayerErased(
        player_id=command.player_id, at=occasion.at, by=occasion.actor, reason=command.reason
    )


def _service(command: c.RestoreService, player: Player, at: datetime) -> Event:
    if command.service not in dict(player.services_refused):
        raise Refused("SERVICE_NOT_REFUSED", "CR-6", "this service is not refused", field="service")
    return e.ServiceRestored(service=command.service, at=at)


def _hold(player: Player, reason: str, *, place: bool) -> Event:
    if place:
        return e.LegalHoldPlaced(reason=reason)
    if not player.legal_hold:
        raise Refused(
            "NO_LEGAL_HOLD", "CR-6", "the record is under no legal hold", field="player_id"
        )
    return e.LegalHoldLifted(reason=reason)


def book_of(command: Any, streams: Streams, room: str, game_id: str) -> ResolvedBook:
    """Return the book of the game an act belongs to, or of the room where it belongs to none."""
    return known.rules_of(streams, room, game_id)


def decide(command: Any, streams: Streams, occasion: Occasion) -> Decision:
    """Decide a command of players.

    Raises:
        Refused: what the book or an invariant does not allow.
    """
    if isinstance(command, known.NoteHouse):
        return known.decide(command, streams)
    if isinstance(command, c.NoteCourtesyBreach):
        return courtesy.note(command, streams, occasion)
    if isinstance(command, c.WithdrawCourtesyBreach):
        return courtesy.withdraw(command, streams, occasion)
    if isinstance(command, c.NoteRoom):
        return _note_room(command, streams)
    if isinstance(command, c.RegisterPlayer):
        return _register(command, streams, occasion)
    rooms = rooms_of(streams, command.group)
    room, game_id = _place(command)
    if isinstance(command, c.ReportConduct):
        return report(command, streams, occasion, book_of(command, streams, room, game_id))
    player = registered(streams, command.group, command.player_id)
    stream = player_stream(command.group, command.player_id)
    match command:
        case c.ApplySanction():
            return apply_sanction(command, player, streams, occasion)
        case c.KeepApart():
            return _apart(command, streams, book_of(command, streams, room, ""))
        case c.EndApart():
            return _end_apart(command, player)
        case c.MergePlayers():
            return _merge(command, streams, occasion)
        case c.ChangeDetails():
            event = _change(command, player)
        case c.CloseIncident():
            event = close_incident(command, player, occasion)
        case c.ClearPlayer():
            event = clear(command, player, occasion, rooms)
        case c.BarPlayer():
            event = _bar(command, player, book_of(command, streams, room, game_id), occasion, rooms)
        case c.LiftBar():
            event = _lift(command, player, occasion, rooms)
        case c.RefuseService():
            book = book_of(command, streams, room, "")
            rules = stated(book, "LC-31", "RC-G16", "WP-1C0")
            event = e.ServiceRefused(service=command.service, at=occasion.at, rules=rules)
        case c.RestoreService():
            event = _service(command, player, occasion.at)
        case c.PlaceLegalHold():
            event = _hold(player, command.reason, place=True)
        case c.LiftLegalHold():
            event = _hold(player, command.reason, place=False)
        case c.ErasePlayer():
            event = _erase(command, player, occasion)
        case _:
            raise TypeError(f"players knows no command {type(command).__name__}")
    return ((stream, event),)


def book_digest(command: Any, streams: Streams) -> str:
    """Return the digest of the book that a command was decided under, or "" where none applies."""
    if isinstance(command, known.NoteHouse):
        return ""
    room, game_id = _place(command)
    return known.digest_of(streams, room, game_id) if room else ""


DECIDER = Decider(
    context="players",
    events=e.EVENTS,
    aggregates={"player": PLAYER, "group": GROUP, **known.AGGREGATES},
    key=key,
    reads=reads,
    decide=decide,
    commands=(*c.COMMANDS, known.NoteHouse),
    book_digest=book_digest,
)
"""All that the shell needs to run players."""

__all__ = ["DECIDER", "Command", "decide", "key", "reads", "registered"]
