"""The cores of players, lists and seating in memory, joined by what they publish, as specifications need them."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from cardroom.adapters.bus.envelope import Received, envelope_of, key_by_room, received_from
from cardroom.kernel.envelope import NO_HASH, Envelope, Recorded
from cardroom.kernel.events import Event, topic_of
from cardroom.kernel.refusal import Refused
from cardroom.known import Form, Game, Structure
from cardroom.known.standing import Act, Apart, Impediment, Standing
from cardroom.players import commands as pc
from cardroom.players import core as players_core
from cardroom.players import publish as players_publish
from cardroom.players.player import Player, player_stream, standing_of
from cardroom.seating import commands as sc
from cardroom.seating import core as seating_core
from cardroom.seating import events as se
from cardroom.seating import inbox as seating_inbox
from cardroom.seating import publish as seating_publish
from cardroom.seating.presence import Presence, presence_stream
from cardroom.seating.table import TableSeats, seats_stream
from cardroom.seating.values import Absence, Deal, Entry, Seated
from cardroom.waitlist import commands as wc
from cardroom.waitlist import core as waitlist_core
from cardroom.waitlist import inbox as waitlist_inbox
from cardroom.waitlist import publish as waitlist_publish
from cardroom.waitlist.board import Board, board_stream
from cardroom.waitlist.lists import MustMove, mustmove_stream
from tests.plugins.world import ROOM, World

GROUP = "g1"
DAY = datetime(2026, 3, 6, tzinfo=UTC)

_NO_POLICY: Callable[[Received], tuple[Any, ...]] = lambda message: ()  # noqa: E731


def clock(text: str, day: int = 0) -> datetime:
    """Return an instant of the test's day: `19:05` or `19:05:30`; a later day by `day`."""
    hours, minutes, *seconds = (int(part) for part in text.split(":"))
    return DAY + timedelta(
        days=day, hours=hours, minutes=minutes, seconds=seconds[0] if seconds else 0
    )


def limit(
    small: int, big: int, blinds: tuple[int, ...] = (), game_id: str = "", **more: Any
) -> Game:
    """Return a limit game by its bets in dollars."""
    return Game(
        **{
            "game_id": game_id or f"{small}-{big}",
            "name": f"{small}-{big}",
            "form": Form.HOLDEM,
            "structure": Structure.LIMIT,
            "small_bet_cents": small * 100,
            "big_bet_cents": big * 100,
            "blinds_cents": tuple(b * 100 for b in blinds),
            **more,
        }
    )


def stud(small: int, big: int, **more: Any) -> Game:
    return limit(small, big, (), f"{small}-{big}-stud", form=Form.STUD, bring_in_cents=300, **more)


SIX_TWELVE = limit(6, 12, (2, 6), button_collection_cents=300)
FOUR_EIGHT = limit(4, 8, (2, 4))
TWENTY_FORTY = limit(20, 40, (10, 20))


def clean(player_id: str, *apart: str, rules: tuple[str, ...] = ("CR-3",)) -> Standing:
    """Return the standing of somebody with nothing against the name but people to be kept apart from."""
    return Standing(
        player_id=player_id, apart=tuple(Apart(player_id=p, rules=rules) for p in apart)
    )


def barred(player_id: str, *rules: str, code: str = "BARRED") -> Standing:
    bar = Impediment(code=code, acts=frozenset(Act), rules=rules, since=DAY)
    return Standing(player_id=player_id, impediments=(bar,))


class FloorWorld:
    """A room's floor: three cores at one clock; `pump` carries published messages between them."""

    def __init__(self, book: str = "LC", *games: Game, at: str = "19:00", **values: Any) -> None:
        decider = players_core.DECIDER, waitlist_core.DECIDER, seating_core.DECIDER
        self.players, self.waitlist, self.seating = (
            World(one, book, clock(at), **values) for one in decider
        )
        self.games = games or (SIX_TWELVE,)
        for world in self.worlds:
            resolved = [world.offer(game) for game in self.games]
            self.rules = resolved[0]
        self.players.do(pc.NoteRoom(group=GROUP, joining=ROOM))
        self._read = {"players": 0, "waitlist": 0, "seating": 0}

    @property
    def worlds(self) -> tuple[World, World, World]:
        return self.players, self.waitlist, self.seating

    # --- time ---------------------------------------------------------------------------------------------------

    @property
    def at(self) -> datetime:
        return self.seating.at

    def time(self, text: str, day: int = 0) -> "FloorWorld":
        """Move to a time of day, letting what falls due on the way happen."""
        until = clock(text, day)
        for world in self.worlds:
            waiting = [entry for entry in world.due() if entry[0] <= until]
            while waiting:
                world.at, command = min(waiting, key=lambda entry: entry[0])
                if not world.do(command, actor="timer"):
                    break
                waiting = [entry for entry in world.due() if entry[0] <= until]
            world.at = until
        return self

    # --- asking -------------------------------------------------------------------------------------------------

    def seat(self, command: Any, *roles: str, **more: Any) -> tuple[Event, ...]:
        """Run a command of seating."""
        return self.seating.do(command, *roles, **more)

    def list(self, command: Any, *roles: str, **more: Any) -> tuple[Event, ...]:
        """Run a command of the lists."""
        return self.waitlist.do(command, *roles, **more)

    def player(self, command: Any, *roles: str, **more: Any) -> tuple[Event, ...]:
        """Run a command of players."""
        return self.players.do(command, *roles, **more)

    def no(self, run: Callable[..., Any], command: Any, *roles: str, **more: Any) -> Refused:
        """Run a command that must be refused, and return the refusal."""
        with pytest.raises(Refused) as refused:
            run(command, *roles, **more)
        return refused.value

    # --- seating ------------------------------------------------------------------------------------------------

    def given(self, table: str, *events: Event) -> None:
        """Let events stand on a table's stream."""
        self._put(self.seating, seats_stream(ROOM, table), *events)

    def _put(self, world: World, stream: Any, *events: Event) -> None:
        known = {name: world.streams[name] for name in world.known()}
        versions = {name: world.streams.version(name) for name in known}
        aggregate = world.decider.aggregates[stream.split("/")[0]]
        state = known.get(stream, aggregate.initial)
        for event in events:
            state = aggregate.evolve(state, event)
            world.log.append((stream, event))
        known[stream] = state
        versions[stream] = versions.get(stream, 0) + len(events)
        world.streams = type(world.streams)(world.decider.aggregates, known, versions)

    def open(
        self,
        table: str,
        game: Game | None = None,
        players: dict[int, str] | Iterable[int] = (),
        *,
        cents: int | None = None,
        feeds: str = "",
        order: tuple[str, ...] = (),
        extra_seats: int = 0,
    ) -> None:
        """Open a game and let players sit in it since now, already in the deal."""
        game = game or self.games[0]
        self.seat(
            sc.OpenTable(
                room=ROOM,
                table=table,
                game_id=game.game_id,
                feeds=feeds,
                order=order,
                extra_seats=extra_seats,
            )
        )
        named = players if isinstance(players, dict) else {n: f"p{n}" for n in players}
        for number, person in named.items():
            self.sits(table, number, person, cents=cents)

    def sits(
        self,
        table: str,
        number: int,
        person: str,
        *,
        cents: int | None = None,
        at: datetime | None = None,
        entry: Entry | None = None,
        missed: int = 0,
    ) -> None:
        """Let a player sit in a seat, already in the deal unless an entry is given."""
        since = at or self.at
        seated = se.PlayerSeated(
            room=ROOM,
            table=table,
            game_id=self.table(table).game_id,
            seat=number,
            player_id=person,
            at=since,
            reason="new",
            buy_in_cents=cents or 10_000,
            least_cents=0,
            full_cents=0,
            entry=entry or Entry(),
            missed_buttons=missed,
            rules=("CR-3",),
            standing_version=0,
        )
        self.given(table, seated)
        sat = se.SatDown(room=ROOM, table=table, seat=number, at=since)
        self._put(self.seating, presence_stream(ROOM, person), sat)

    def table(self, table: str) -> TableSeats:
        """Return a table's seats."""
        state: TableSeats = self.seating.state(seats_stream(ROOM, table))
        return state

    def seated(self, table: str, number: int) -> Seated:
        """Return who sits in a seat."""
        seat = self.table(table).seat(number)
        assert seat is not None
        assert seat.seated is not None
        return seat.seated

    def who(self, table: str) -> dict[int, str]:
        """Return the players by seat."""
        return {s.number: s.seated.player_id for s in self.table(table).taken if s.seated}

    def presence(self, person: str) -> Presence:
        state: Presence = self.seating.state(presence_stream(ROOM, person))
        return state

    def hand(
        self,
        table: str,
        number: int,
        button: int = 0,
        small: int = 0,
        big: int = 0,
        dealt_in: Iterable[int] | None = None,
        *,
        over: bool = True,
    ) -> Deal:
        """Let a hand begin, with all who may be dealt in unless said otherwise, and end unless it goes on."""
        deal = Deal(number=number, button=button, small=small, big=big)
        if dealt_in is None:
            dealt_in = [
                s.number
                for s in self.table(table).taken
                if s.seated and s.seated.away is None and s.seated.entry.kind == "playing"
            ]
        self.seat(sc.NoteHand(room=ROOM, table=table, deal=deal, dealt_in=tuple(dealt_in)))
        if over:
            self.seat(sc.NoteHandEnd(room=ROOM, table=table, number=number))
        return deal

    def once_round(self, table: str, number: int = 1) -> None:
        """Let the button go once round the taken seats, so that the game is no new one any more."""
        taken = sorted(self.who(table))
        for step in range(len(taken) + 1):
            button, small, big = (taken[(step + n) % len(taken)] for n in range(3))
            self.hand(table, number + step, button, small, big)

    def ask_hand(self, table: str, person: str, deal: Deal, post: int = 0) -> tuple[Event, ...]:
        """Ask to be dealt in; post in cents."""
        return self.seat(
            sc.RequestHand(room=ROOM, table=table, player_id=person, deal=deal, post_cents=post),
            "dealer",
        )

    def no_hand(self, table: str, person: str, deal: Deal, post: int = 0) -> Refused:
        with pytest.raises(Refused) as refused:
            self.ask_hand(table, person, deal, post)
        return refused.value

    def away(self, table: str, person: str, **more: Any) -> None:
        """Let a player leave the table for a time."""
        self.seat(sc.LeaveTable(room=ROOM, table=table, player_id=person), "dealer", **more)

    def absent(self, table: str, number: int, minutes: int, missed: int = 0) -> None:
        """Let a player have been absent for some minutes."""
        person = self.seated(table, number).player_id
        gone = se.PlayerAway(
            room=ROOM,
            table=table,
            seat=number,
            player_id=person,
            absence=Absence(since=self.at - timedelta(minutes=minutes)),
            hold_button=missed == 0,
        )
        self.given(table, gone)
        for count in range(1, missed + 1):
            self.given(table, se.MissedButtonGiven(seat=number, count=count))

    # --- lists --------------------------------------------------------------------------------------------------

    def sign_up(self, *people: str, game: Game | None = None, phone: bool = False) -> None:
        """Put names on a board."""
        for person in people:
            self.list(self.sign(person, game=game, phone=phone), "brush")

    def sign(
        self,
        person: str,
        *,
        game: Game | None = None,
        phone: bool = False,
        standing: Standing | None = None,
    ) -> wc.SignUp:
        return wc.SignUp(
            room=ROOM,
            game_id=(game or self.games[0]).game_id,
            entry_id=f"e-{person}-{len(self.waitlist.log)}",
            player_id=person,
            by_phone=phone,
            standing=standing or clean(person),
        )

    def board(self, game: Game | None = None) -> Board:
        state: Board = self.waitlist.state(board_stream(ROOM, (game or self.games[0]).game_id))
        return state

    def names(self, game: Game | None = None) -> Any:
        """Return who stands on a board, first up first."""
        return [name.player_id for name in self.board(game).names]

    def called(self, game: Game | None = None) -> Any:
        """Return whose calls stand."""
        return [name.player_id for name in self.board(game).names if name.call]

    def entry(self, person: str, game: Game | None = None) -> str:
        name = self.board(game).name_of(person)
        assert name is not None
        return name.entry_id

    def must_move(self, main: str) -> MustMove:
        state: MustMove = self.waitlist.state(mustmove_stream(ROOM, main))
        return state

    # --- players ------------------------------------------------------------------------------------------------

    def register(self, *people: str) -> None:
        for person in people:
            self.player(
                pc.RegisterPlayer(
                    group=GROUP, player_id=person, full_name=person.title(), board_name=person
                )
            )

    def record(self, person: str) -> Player:
        state: Player = self.players.state(player_stream(GROUP, person))
        return state

    def standing(self, person: str) -> Standing:
        """Return what players would answer now."""
        version = self.players.streams.version(player_stream(GROUP, person))
        return standing_of(self.record(person), version, self.at)

    # --- between them -------------------------------------------------------------------------------------------

    def pump(self) -> None:
        """Carry what was published to those who listen, until nothing new is."""
        while True:
            messages = [
                message
                for source, world, publish in (
                    ("players", self.players, players_publish.publish),
                    ("waitlist", self.waitlist, waitlist_publish.publish),
                    ("seating", self.seating, seating_publish.publish),
                )
                for message in self._new(source, world, publish)
            ]
            if not messages:
                return
            for message in messages:
                self._deliver(message)

    def _new(self, source: str, world: World, publish: Any) -> tuple[Received, ...]:
        found = []
        for number in range(self._read[source], len(world.log)):
            stream, event = world.log[number]
            recorded = _recorded(number + 1, stream, event, self.at)
            message = publish(recorded)
            if message is not None:
                sent = envelope_of(source, recorded, key_by_room(recorded), message)
                found.append(received_from(sent.SerializeToString()))
        self._read[source] = len(world.log)
        return tuple(found)

    def _deliver(self, message: Received) -> None:
        to_waitlist = {
            "players": waitlist_inbox.from_players,
            "seating": waitlist_inbox.from_seating,
        }
        to_seating = {
            "players": seating_inbox.from_players,
            "waitlist": seating_inbox.from_waitlist,
        }
        for command in to_waitlist.get(message.source, _NO_POLICY)(message):
            self.waitlist.do(command, "service", actor=message.source)
        for command in to_seating.get(message.source, _NO_POLICY)(message):
            self.seating.do(command, "service", actor=message.source)


def _recorded(number: int, stream: str, event: Event, at: datetime) -> Recorded:
    around = Envelope(
        recorded_at=at,
        occurred_at=None,
        gaming_day="2026-03-06",
        utc_offset_minutes=0,
        actor="",
        roles=(),
        station="",
        request_id=f"r{number}",
        causation_id="",
        correlation_id="",
        override_reason="",
        book_digest="",
        previous_hash=NO_HASH,
        event=b"",  # type: ignore[arg-type]
    )
    return Recorded(
        notification_id=number,
        stream=stream,
        version=number,
        topic=topic_of(event),
        own_hash=NO_HASH,
        envelope=around,
        event=event,
    )


def found(events: Iterable[Event], kind: type[Event]) -> Any:
    """Return the one event of a kind."""
    (one,) = [event for event in events if isinstance(event, kind)]
    return one
