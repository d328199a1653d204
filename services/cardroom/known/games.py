"""What a game is, in the words that all contexts share."""

from enum import StrEnum
from typing import Final

import msgspec


class Form(StrEnum):
    """The form of poker that is dealt."""

    HOLDEM = "holdem"
    OMAHA = "omaha"
    OMAHA_HIGH_LOW = "omaha_high_low"
    STUD = "stud"
    STUD_HIGH_LOW = "stud_high_low"
    RAZZ = "razz"
    PINEAPPLE = "pineapple"
    FIVE_CARD_DRAW = "five_card_draw"
    LOWBALL = "lowball"


JACKPOT_GAMES: Final = {
    Form.HOLDEM: "holdem",
    Form.PINEAPPLE: "holdem",
    Form.OMAHA: "omaha",
    Form.OMAHA_HIGH_LOW: "omaha",
    Form.STUD: "stud",
    Form.STUD_HIGH_LOW: "stud",
}
"""The member of the decision `jackpot.games` that a form belongs to; other forms belong to none."""


class Structure(StrEnum):
    """How much may be bet."""

    LIMIT = "limit"
    SPREAD_LIMIT = "spread_limit"
    POT_LIMIT = "pot_limit"
    NO_LIMIT = "no_limit"


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game that a room offers: its form, stakes and seats, and the book in force for it.

    Args:
        game_id: the room's id of it, for example `6-12-holdem`.
        name: what stands on the board.
        form: what is dealt.
        structure: how much may be bet.
        small_bet_cents: limit: the lower bet; spread: the least bet; pot and no limit: the least bet (the big blind).
        big_bet_cents: limit: the upper bet; spread: the most; 0 where there is none.
        blinds_cents: the forced bets left of the button in order, for example (100, 300); empty where none.
        ante_cents: each player's ante, 0 where none.
        bring_in_cents: stud: the low card's forced bet, 0 where none.
        seats: seats at a table of it, 2 to 10.
        chip_cents: the smallest chip that plays.
        button_collection_cents: taken on the button each hand, 0 where none.
        time_collection_cents: taken from each player each period, 0 where none.
        rake_cents: taken from each pot, 0 where none.
        jackpot_drop_cents: taken from each pot for the jackpot, 0 where none.
        book_digest: digest of the resolved book in force for it.
        offered: whether the room offers it; a game that is taken off finishes what it has begun.
    """

    game_id: str
    name: str
    form: Form
    structure: Structure
    small_bet_cents: int
    big_bet_cents: int = 0
    blinds_cents: tuple[int, ...] = ()
    ante_cents: int = 0
    bring_in_cents: int = 0
    seats: int = 9
    chip_cents: int = 100
    button_collection_cents: int = 0
    time_collection_cents: int = 0
    rake_cents: int = 0
    jackpot_drop_cents: int = 0
    book_digest: str = ""
    offered: bool = True

    @property
    def stakes(self) -> str:
        """Type and limit: what books call the same game, whatever the room's ids, seats and fees."""
        blinds = "-".join(str(cents) for cents in self.blinds_cents)
        return (
            f"{self.form}/{self.structure}/{self.small_bet_cents}/{self.big_bet_cents}/"
            f"{blinds}/{self.ante_cents}"
        )


class Variation(msgspec.Struct, frozen=True, kw_only=True):
    """The books by which one table plays, where something is posted there.

    Args:
        table: which.
        books: (game, digest of the resolved book in force for it at this table); empty where nothing is posted.
    """

    table: str = ""
    books: tuple[tuple[str, str], ...] = ()

    def digest_for(self, game_id: str) -> str:
        """Return the digest for a game, "" where the game's own book holds."""
        return dict(self.books).get(game_id, "")


class Room(msgspec.Struct, frozen=True, kw_only=True):
    """A room as other contexts need it.

    Args:
        room: its id.
        name: its name.
        group: the group of rooms that shares players.
        time_zone: IANA zone.
        cut_over_minutes: minutes after local midnight at which the gaming day changes.
        book_digest: digest of the resolved book of the room itself, for what no game decides (cage, conduct).
    """

    room: str
    name: str
    group: str
    time_zone: str
    cut_over_minutes: int
    book_digest: str = ""
