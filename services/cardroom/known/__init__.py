"""What every context knows of the house: rooms, games and books in force, learned from house's published events.

Each context stores these facts in its own streams (`room/<room>`, `game/<room>/<game>`, `book/<digest>`), so that a
decision reads them like any other state, and a replay finds them beside what was decided. In a context's core:

    from cardroom import known

    EVENTS = EventTypes("seating", (*OWN, *known.EVENT_TYPES))            # events.py
    aggregates = {**OWN, **known.AGGREGATES}                              # core.py
    commands = (*OWN, known.NoteHouse)

    def reads(command, streams):
        match command:
            case known.NoteHouse():
                return known.reads_note_house(command)
            case TakeSeat():
                return own_stems | known.reads_rules(streams, command.room, command.game_id)

    def decide(command, streams, occasion):
        match command:
            case known.NoteHouse():
                return known.decide_note_house(command, streams)
            case TakeSeat():
                rules = known.rules_of(streams, command.room, command.game_id)

    def book_digest(command, streams):                                    # Decider.book_digest
        return known.digest_of(streams, command.room, command.game_id)
"""

from cardroom.known.events import EVENT_TYPES, BookNoted, GameNoted, HouseFact, RoomNoted
from cardroom.known.games import Form, Game, Room, Structure
from cardroom.known.house import (
    AGGREGATES,
    BOOK,
    GAME,
    ROOM,
    NoteHouse,
    book_stream,
    decide_note_house,
    digest_of,
    game_of,
    game_stream,
    gaming_day_in,
    reads_game,
    reads_note_house,
    reads_room_rules,
    reads_rules,
    room_of,
    room_rules_of,
    room_stream,
    rules_of,
)

__all__ = [
    "AGGREGATES",
    "BOOK",
    "EVENT_TYPES",
    "GAME",
    "ROOM",
    "BookNoted",
    "Form",
    "Game",
    "GameNoted",
    "HouseFact",
    "NoteHouse",
    "Room",
    "RoomNoted",
    "Structure",
    "book_stream",
    "decide_note_house",
    "digest_of",
    "game_of",
    "game_stream",
    "gaming_day_in",
    "reads_game",
    "reads_note_house",
    "reads_room_rules",
    "reads_rules",
    "room_of",
    "room_rules_of",
    "room_stream",
    "rules_of",
]
