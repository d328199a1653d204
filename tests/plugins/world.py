"""A context's pure core with its streams in memory: given these commands, when this one, then these events."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from cardroom import known
from cardroom.kernel.decisions import Command, Decider, Occasion, Override
from cardroom.kernel.events import Event
from cardroom.kernel.streams import Streams, kind_of
from cardroom.known import Game, Room
from cardroom.rulebook.loader import load_book
from cardroom.rulebook.resolve import resolve
from tests.plugins.own_books import with_values

ROOM = "r1"
EVENING = datetime(2026, 3, 6, 20, 0, tzinfo=UTC)


class World:
    """Runs commands through a decider as the shell would, without a store."""

    def __init__(
        self, decider: Decider, book: str = "WP", at: datetime = EVENING, **values: Any
    ) -> None:
        """Start a room under a book.

        Args:
            decider: the context's core.
            book: id of the house book.
            at: the instant at which it starts.
            values: decisions set otherwise than the book, dots written as two underscores.
        """
        self.decider = decider
        self.at = at
        self.streams = Streams(decider.aggregates, {})
        self.log: list[tuple[str, Event]] = []
        self.values = {key.replace("__", "."): value for key, value in values.items()}
        self.book = load_book(book)
        if self.values:
            self.book = with_values(self.book, "OWN", self.values)
        self.rules = self._resolved(None)
        room = Room(
            room=ROOM,
            name="The Room",
            group="g1",
            time_zone="America/Los_Angeles",
            cut_over_minutes=360,
            book_digest=self.rules.digest,
        )
        self.note(known.BookNoted(digest=self.rules.digest, content=self.rules.content()))
        self.note(known.RoomNoted(room=room))

    def _resolved(self, game: Game | None) -> Any:
        return resolve(self.book, game=game)

    def note(self, fact: known.HouseFact) -> None:
        """Let the context learn a fact of the house."""
        self.do(known.NoteHouse(room=ROOM, facts=(fact,)))

    def offer(self, game: Game) -> Any:
        """Let the room offer a game under the book, and return its resolved book."""
        rules = self._resolved(game)
        self.note(known.BookNoted(digest=rules.digest, content=rules.content()))
        self.note(
            known.GameNoted(room=ROOM, game=msgspec.structs.replace(game, book_digest=rules.digest))
        )
        return rules

    def wait(self, minutes: int) -> None:
        """Let time pass, issuing what falls due on the way, in order."""
        until = self.at + timedelta(minutes=minutes)
        while True:
            waiting = [entry for entry in self.due() if entry[0] <= until]
            if not waiting:
                break
            self.at, command = min(waiting, key=lambda entry: entry[0])
            if not self.do(command):
                break
        self.at = until

    def due(self) -> list[tuple[datetime, Any]]:
        """Return every deadline that the streams hold."""
        found: list[tuple[datetime, Any]] = []
        for stream in {name for name, _ in self.log}:
            aggregate = self.decider.aggregates[kind_of(stream)]
            if aggregate.due:
                found += aggregate.due(self.state(stream))
        return found

    def do(
        self, command: Command, *roles: str, override: str = "", actor: str = "floor-1"
    ) -> tuple[Event, ...]:
        """Run a command and return what was recorded."""
        self._load(command)
        occasion = Occasion(
            at=self.at,
            recorded_at=self.at,
            gaming_day=self.at.date().isoformat(),
            actor=actor,
            roles=frozenset(roles or ("floor",)),
            override=Override(override) if override else None,
            seed=b"\x07" * 32,
        )
        decision = self.decider.decide(command, self.streams, occasion)
        self.streams = self.streams.evolved(decision)
        self.log += decision
        return tuple(event for _, event in decision)

    def _load(self, command: Command) -> None:
        while True:
            wanted = self.decider.reads(command, self.streams)
            missing = [stream for stream in wanted if stream not in self.streams]
            if not missing:
                return
            loaded = {name: self.streams[name] for name in self.known()}
            loaded |= {name: self.decider.aggregates[kind_of(name)].initial for name in missing}
            versions = {name: self.streams.version(name) for name in loaded}
            self.streams = Streams(self.decider.aggregates, loaded, versions)

    def known(self) -> tuple[Any, ...]:
        """Return the streams loaded so far."""
        return tuple(self.streams._loaded)

    def state(self, stream: Any) -> Any:
        """Return a stream's state."""
        return self.streams[stream]

    def events(self, *kinds: type[Event]) -> list[Event]:
        """Return everything recorded, or only events of these classes."""
        return [event for _, event in self.log if not kinds or isinstance(event, kinds)]
