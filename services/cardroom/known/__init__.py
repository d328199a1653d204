"""What every context knows of the house: rooms, games and books in force, learned from house's published events.

Each context stores these facts in its own streams (`room/<room>`, `game/<room>/<game>`, `variation/<room>/<table>`,
`book/<digest>`), so that a decision reads them like any other state, and a replay finds them beside what was decided.
In a context's core:

    from cardroom import known

    EVENTS = EventTypes("seating", (*OWN, *known.EVENT_TYPES))            # events.py
    aggregates = {**OWN, **known.AGGREGATES}                              # core.py; a mapping by kind
    commands = (*OWN, known.NoteHouse)

    def key(command):
        return known.key(command) if isinstance(command, known.NoteHouse) else command.room

    def reads(command, streams):
        match command:
            case known.NoteHouse():
                return known.reads(command, streams)
            case TakeSeat():
                return own_stems | known.game_streams(streams, command.room, command.game_id)

    def decide(command, streams, occasion):
        match command:
            case known.NoteHouse():
                return known.decide(command, streams)
            case TakeSeat():
                rules = known.rules_of(streams, command.room, command.game_id)   # "" for the room's own book
                rules = known.rules_of(streams, command.room, command.game_id, command.table)   # what is posted there

    def book_digest(command, streams):                                    # Decider.book_digest
        return known.digest_of(streams, command.room, command.game_id)

and in its `main.py`: `inboxes={"house": known.inbox.note_house}`.
"""

from cardroom.known.events import (
    EVENT_TYPES,
    BookNoted,
    GameNoted,
    HouseFact,
    RoomNoted,
    VariationNoted,
)
from cardroom.known.games import Form, Game, Room, Structure, Variation
from cardroom.known.house import (
    AGGREGATES,
    BOOK,
    GAME,
    ROOM,
    VARIATION,
    NoteHouse,
    book,
    book_stream,
    decide,
    digest_of,
    game_of,
    game_stream,
    game_streams,
    gaming_day_in,
    key,
    reads,
    room_of,
    room_stream,
    rules_of,
    variation_stream,
)

__all__ = [
    "AGGREGATES",
    "BOOK",
    "EVENT_TYPES",
    "GAME",
    "ROOM",
    "VARIATION",
    "BookNoted",
    "Form",
    "Game",
    "GameNoted",
    "HouseFact",
    "NoteHouse",
    "Room",
    "RoomNoted",
    "Structure",
    "Variation",
    "VariationNoted",
    "book",
    "book_stream",
    "decide",
    "digest_of",
    "game_of",
    "game_stream",
    "game_streams",
    "gaming_day_in",
    "key",
    "reads",
    "room_of",
    "room_stream",
    "rules_of",
    "variation_stream",
]
